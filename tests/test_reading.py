"""Reading a board from anything: the format is detected, and what is wrong is said."""

import json
from types import SimpleNamespace

import pytest

import puzzlekit
from puzzlekit import reading
from puzzlekit.formats import text
from puzzlekit.usowan import rules

BOARD = rules.Board([[1, rules.NO_CLUE], [rules.ASKED, 2]], [[0, 0], [1, 1]])


class Plain:
    """A board of a second genre, of a text grid without borders."""

    genre = "plain"
    url_names = ("plainly",)

    def __init__(self, source):
        self.source = source

    @classmethod
    def from_text(cls, lines):
        if text.read_bordered(lines)[2].any():
            raise ValueError("a plain board has no borders")
        return cls(lines)

    from_url = from_record = classmethod(lambda cls, source: cls(source))


@pytest.fixture(autouse=True)
def genres(monkeypatch):
    """Two genres, so that what is read does not hang on how many there are; no compiled code is loaded."""
    both = {"usowan": SimpleNamespace(Board=rules.Board), "plain": SimpleNamespace(Board=Plain)}
    monkeypatch.setattr(puzzlekit, "GENRES", both)


SOURCES = [BOARD.to_url(), BOARD.to_url().partition("?")[2], json.dumps(BOARD.to_record()), BOARD.to_text()]


@pytest.mark.parametrize("source", SOURCES)
def test_every_format_as_text_and_as_file(source, tmp_path, monkeypatch):
    assert reading.read(source) == reading.read(f"\n{source}\n") == BOARD
    (tmp_path / "board.txt").write_text(source + "\n", encoding="utf-8")
    assert reading.read(tmp_path / "board.txt") == reading.read(str(tmp_path / "board.txt")) == BOARD
    monkeypatch.chdir(tmp_path)
    assert reading.read("board.txt", genre="usowan") == BOARD


def test_a_dict_is_a_record():
    assert reading.read(BOARD.to_record()) == BOARD
    record = {"rows": 2, "cols": 2, "clues": [[0, 0, 1], [1, 0, None], [1, 1, 2]], "regions": [[0, 0], [1, 1]]}
    assert reading.read(record, genre="usowan") == BOARD


def test_the_genre_comes_from_the_source():
    assert isinstance(reading.read("https://puzz.link/p?plainly/2/2/abc"), Plain)
    assert isinstance(reading.read({"genre": "plain"}), Plain)
    assert isinstance(reading.read("1 .", genre="plain"), Plain)


def test_the_public_name():
    assert puzzlekit.read is reading.read


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("1 .\n. 2", {}, "this could be a board of usowan or plain; say which with genre="),
        ("1 .", {"genre": "sudoku"}, "unknown genre 'sudoku'; choose from ['usowan', 'plain']"),
        ("1 2\n3", {}, "line 2, column 3: no cell"),
        ("1|2", {"genre": "plain"}, "a plain board has no borders"),
        ("https://puzz.link/p?nurikabe/2/2/abc", {}, "for 'nurikabe', not for usoone or plainly"),
        ("https://puzz.link/p?plainly/2/2/abc", {"genre": "usowan"}, "for 'plainly', not for usoone"),
        ("https://puzz.link/p?usoone/2/2/00", {}, "ends after 2 characters with 4 cells left"),
        ("https://puzz.link/", {}, "not for usoone or plainly"),
        ('{"genre": "sudoku"}', {}, "genre: 'sudoku' is not 'usowan' or 'plain'"),
        ('{"genre": "usowan", "clues": [[1]]}', {}, "no field 'regions'"),
        ('{"genre": "usowan", ', {}, "the text is not JSON"),
        ("", {}, "'' is not a puzz.link URL, a JSON object, a text grid or the path of a file"),
        ("no such file.txt", {}, "'no such file.txt' is not a puzz.link URL"),
        ("x" * 5000, {}, "is not a puzz.link URL"),
        ("a\0b", {}, "is not a puzz.link URL"),
        (7, {}, "not from 7"),
    ],
)
def test_errors(source, options, message):
    with pytest.raises(ValueError) as error:
        reading.read(source, **options)
    assert message in str(error.value)
    assert len(str(error.value)) < 300


def test_a_path_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        reading.read(tmp_path / "board.txt")


def test_a_file_that_holds_something_else(tmp_path):
    (tmp_path / "poem.txt").write_text("roses are red", encoding="utf-8")
    with pytest.raises(ValueError, match="poem.txt holds no puzz.link URL, no JSON object and no text grid"):
        reading.read(tmp_path / "poem.txt")
