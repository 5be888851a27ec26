"""Reading a board from anything: the format is detected, and what is wrong is said."""

import json
from textwrap import indent
from types import SimpleNamespace

import pytest

import puzzlekit
from puzzlekit.boards import detect as reading
from puzzlekit.boards import text
from puzzlekit.usowan import rules

BOARD = rules.Board([[1, rules.NO_CLUE], [rules.ASKED, 2]], [[0, 0], [1, 1]])


class Plain:
    """A board of a second genre, of a text grid without borders."""

    genre = "plain"
    url_names = ("plainly",)

    def __init__(self, source):
        self.source = source

    @classmethod
    def partial_from_text(cls, lines):
        if text.read_bordered(lines)[2].any():
            raise ValueError("a plain board has no borders")
        return cls(lines), None

    from_url = from_record = from_sections = classmethod(lambda cls, source: cls(source))


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
    "source, options, message",
    [
        ("1 .\n. 2", {}, "this could be a board of usowan or plain; say which with genre="),
        ("1 .", {"genre": "sudoku"}, "unknown genre 'sudoku'; choose from ['usowan', 'plain']"),
        ("1 2\n3", {}, "line 2, column 3: no cell"),
        ("1|2", {"genre": "plain"}, "a plain board has no borders"),
        ("https://puzz.link/p?nurikabe/2/2/abc", {}, "for 'nurikabe', not for usoone or plainly"),
        ("https://puzz.link/p?plainly/2/2/abc", {"genre": "usowan"}, "for 'plainly', not for usoone"),
        ("https://puzz.link/p?usoone/2/2/00", {}, "ends after 2 characters with 4 cells left"),
        ("https://puzz.link/", {}, "the URL has no board in it"),
        ('{"genre": "sudoku"}', {}, "genre: 'sudoku' is not 'usowan' or 'plain'"),
        ('{"genre": "usowan", "clues": [[1]]}', {}, "no field 'regions'"),
        ('{"genre": "usowan", ', {}, "the text is not JSON"),
        ("", {}, "'' is no puzz.link URL, pzprv3 file, JSON object or text grid, nor the path of a file with one"),
        ("no such file.txt", {}, "'no such file.txt' is no puzz.link URL"),
        ("x" * 5000, {}, "is no puzz.link URL"),
        ("a\0b", {}, "is no puzz.link URL"),
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
    with pytest.raises(ValueError, match=r"poem.txt holds no puzz.link URL, pzprv3 file, JSON object or text grid"):
        reading.read(tmp_path / "poem.txt")


SHADED = "2 #|?\n  -\n.|1 ."


def test_what_is_filled_in():
    board, partial = reading.read_partial(SHADED)
    assert partial.tolist() == [[1, 2, 1], [0, 1, 0]]
    assert reading.read_partial(board.to_text())[1] is None
    assert reading.read_partial(board.to_pzprv3(partial))[1].tolist() == partial.tolist()
    assert reading.read_partial(BOARD.to_url()) == (BOARD, None)
    assert reading.read_partial(BOARD.to_record()) == (BOARD, None)


def test_a_board_beside_its_answer():
    board = reading.read(SHADED.replace("#", "."))
    both = "\n".join(
        f"{left:12}{right}" for left, right in zip(board.to_text().split("\n"), SHADED.split("\n"), strict=True)
    )
    for written in (both, f"the board   the answer\n{both}", indent(both, "  ")):
        assert reading.read(written) == board
        assert (reading.read_partial(written)[1] == reading.read_partial(SHADED)[1]).all()
    with pytest.raises(ValueError, match="side by side are not the same board"):
        reading.read(both.replace("2", "3", 1))


def test_a_line_with_the_name_of_the_genre():
    assert reading.read(f"usowan\n{BOARD.to_text()}") == reading.read(f"\nUsoone\n{BOARD.to_text()}\n") == BOARD
    assert isinstance(reading.read("plainly\n1 ."), Plain)
    assert reading.read("begin\ngenre Usoone\n[problem]\n1 -\n? 2\n[areas]\na a\nb b\nend") == BOARD
    assert reading.read("2 2\n1 -\n? 2\n\na a\nb b", genre="usowan") == BOARD


@pytest.mark.parametrize("source", SOURCES)
def test_a_text_with_one_board(source, tmp_path):
    (tmp_path / "one.txt").write_text(source, encoding="utf-8")
    assert reading.read_all(source) == reading.read_all(tmp_path / "one.txt") == [BOARD]


def test_one_board_a_line(tmp_path):
    other = BOARD.with_clue(0, 1, 4)
    header = {"genre": "usowan", "boards": 3, "seed": 1}
    lines = [
        json.dumps(header),
        json.dumps({"url": "usoone/2/2/00b.", "answer": "00/00"}),
        "",
        other.to_url(),
        json.dumps(BOARD.to_record()),
    ]
    (tmp_path / "many.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = reading.read_all(str(tmp_path / "many.jsonl"))
    assert found[1:] == [other, BOARD] and len(found) == 3
    (tmp_path / "many.jsonl").write_text("\n".join([*lines, "usoone/2/2/00"]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"many.jsonl, line 6: the body ends after 2 characters"):
        reading.read_all(tmp_path / "many.jsonl")
    with pytest.raises(ValueError, match="the text has no boards"):
        reading.read_all(json.dumps(header))


def test_a_file_that_is_not_text(tmp_path):
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(ValueError, match=r"picture.png is not text: byte 0 is not UTF-8"):
        reading.read(tmp_path / "picture.png")


def test_a_path_starts_where_the_caller_is(tmp_path, monkeypatch):
    (tmp_path / "board.txt").write_text(BOARD.to_url(), encoding="utf-8")
    monkeypatch.setenv("PUZZLEKIT_FOLDER", str(tmp_path))
    assert reading.read("board.txt") == BOARD and reading.read_all("board.txt") == [BOARD]
    assert reading.read(str(tmp_path / "board.txt")) == BOARD
