"""The banks of the checkout verified board by board and built again to the same bytes; damaged lines refused."""

import json
from fractions import Fraction

import numpy as np
import pytest
from oracles import usowan_sat
from scipy import stats

from puzzlekit import GENRES, nawabari, usowan
from puzzlekit.lab import bank
from puzzlekit.nawabari import profile, setter

SIZES = [6, 8, 10]


@pytest.mark.parametrize("size", [pytest.param(size, marks=[pytest.mark.full] * (size > 6)) for size in SIZES])
@pytest.mark.parametrize("genre", GENRES)
def test_every_board_keeps_every_promise(genre, size):
    """Legal, one answer, and what else the genre's `faults` asks, all derived again for every board."""
    assert bank.verify(genre, size, size, progress=False) == 1000


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("genre", GENRES)
def test_header_says_how_it_was_made(genre, size):
    header = bank.load(genre, size, size, 1).header
    assert header == {
        "genre": genre,
        "rows": size,
        "cols": size,
        "boards": 1000,
        "seed": bank.SEED,
        "version": bank.VERSION,
        "repeats": "kept",
        "method": GENRES[genre].METHOD,
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("genre", GENRES)
def test_the_first_boards_are_built_again(genre, size, tmp_path):
    file = bank.build(genre, size, size, 20, file=tmp_path / "again.jsonl", progress=False)
    stored = bank.path(genre, size, size).read_text().splitlines()
    assert file.read_text().splitlines()[1:] == stored[1:21]


def test_a_grid_with_too_few_boards_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no 5 distinct nawabari boards of 1 x 1: 1 in"):
        bank.build("nawabari", 1, 1, 5, file=tmp_path / "few.jsonl", progress=False, distinct=True)


def test_a_bank_is_a_sample_and_keeps_what_comes_again(tmp_path):
    """Board k is what the k-th generator makes, whatever came before; the distinct ones are those in the order they
    first came.
    """
    file = bank.build("nawabari", 2, 2, 12, file=tmp_path / "sample.jsonl", progress=False)
    found = bank.load("nawabari", 2, 2, file=file)
    assert found.boards == [nawabari.make(2, 2, bank.board_rng(bank.SEED, 2, 2, index)) for index in range(12)]
    assert found.header["repeats"] == "kept" and bank.verify("nawabari", 2, 2, file=file, progress=False) == 12
    different = list(dict.fromkeys(found.boards))
    assert 1 < len(different) < 12
    file = bank.build("nawabari", 2, 2, len(different), file=tmp_path / "distinct.jsonl", progress=False, distinct=True)
    alone = bank.load("nawabari", 2, 2, file=file)
    assert alone.boards == different and alone.header["repeats"] == "left out"


def test_repeats_are_counted():
    for size in (6, 10):
        there, found = bank.repeats("nawabari", size, size), bank.load("nawabari", size, size)
        seen = {board.to_url() for board in found.boards}
        answers = {answer.tolist().__repr__() for answer in found.answers}
        assert there == {"boards": 1000, "different boards": len(seen), "different answers": len(answers)}
    assert bank.repeats("nawabari", 6, 6)["different boards"] < 1000


def test_few_boards_are_as_frequent_in_the_bank_as_the_setter_makes_them():
    """Nawabari answers of one room at 6 x 6: each of their 36 boards is unique, so exactly so many answers of all that
    are drawn, and a little more of those that become boards. A bank that refuses repeats has far too few of them.
    """
    weight = setter.WEIGHT
    drawn = Fraction(weight.numerator * weight.denominator**35, profile.diagram(6, 6, weight=weight).count())
    found = int((bank.load("nawabari", 6, 6).answers.max(axis=(1, 2)) == 0).sum())
    made = float(drawn) / 0.988  # of 1,500 answers drawn by another seed that share became boards
    assert stats.binomtest(found, 1000, made).pvalue > 0.01
    assert stats.binomtest(17, 1000, made).pvalue < 0.06  # as many as the bank had that refused repeats


def test_the_smallest_bank_is_built_again_whole(tmp_path):
    file = bank.build("usowan", 6, 6, file=tmp_path / "again.jsonl", progress=False)
    assert file.read_bytes() == bank.path("usowan", 6, 6).read_bytes()


def test_load_is_what_was_built(tmp_path):
    file = bank.build("usowan", 4, 5, 12, seed=3, file=tmp_path / "small.jsonl", progress=False)
    assert file.read_bytes() == bank.build("usowan", 4, 5, 12, seed=3, file=tmp_path / "b", progress=False).read_bytes()
    assert file.read_bytes() != bank.build("usowan", 4, 5, 12, seed=4, file=tmp_path / "c", progress=False).read_bytes()
    assert sorted(part.name for part in tmp_path.iterdir()) == ["b", "c", "small.jsonl"]
    found = bank.load("usowan", 4, 5, file=file)
    assert found.boards == [usowan.make(4, 5, bank.board_rng(3, 4, 5, index)) for index in range(12)]
    assert found.answers.shape == (12, 4, 5) and found.answers.dtype == np.uint8
    for board, answer in zip(found.boards, found.answers, strict=True):
        assert usowan_sat.solutions(board, 2) == [tuple(answer.ravel().tolist())]
    some = bank.load("usowan", 4, 5, 7, file=file)
    assert some.boards == found.boards[:7] and (some.answers == found.answers[:7]).all()
    assert bank.verify("usowan", 4, 5, file=file, progress=False) == 12


class Lines(list):
    """Lines of a bank, to be damaged and loaded."""

    def load(self, reader=bank.load):
        self.file.write_text("\n".join(self) + "\n")
        return reader("usowan", 4, 5, file=self.file)


def verify(*size, file):
    return bank.verify(*size, file=file, progress=False)


@pytest.fixture
def lines(tmp_path):
    """A sound bank of 12 boards."""
    file = bank.build("usowan", 4, 5, 12, file=tmp_path / "small.jsonl", progress=False)
    lines = Lines(file.read_text().splitlines())
    lines.file = file
    return lines


def change(lines, number, **fields):
    record = json.loads(lines[number - 1])
    lines[number - 1] = json.dumps({key: value for key, value in (record | fields).items() if value is not ...})


@pytest.mark.parametrize(
    "fields",
    [{"genre": "tasquare"}, {"rows": 5}, {"cols": "5"}, {"genre": ...}],
    ids=["other genre", "other size", "size as text", "no genre"],
)
def test_a_header_of_something_else(lines, fields):
    change(lines, 1, **fields)
    with pytest.raises(ValueError, match="line 1: the header is not that of a usowan bank of 4 x 5"):
        lines.load()


@pytest.mark.parametrize("version", [0, 1, "2", None, ...])
def test_a_header_of_another_version(lines, version):
    change(lines, 1, version=version)
    with pytest.raises(ValueError, match=r"line 1: version .*, this program reads version 2"):
        lines.load()


@pytest.mark.parametrize("repeats", ["Kept", True, None, ...])
def test_a_header_that_does_not_say_whether_boards_come_again(lines, repeats):
    change(lines, 1, repeats=repeats)
    with pytest.raises(ValueError, match="line 1: repeats are 'kept' or 'left out', not "):
        lines.load()


def test_a_truncated_file(lines):
    del lines[-1]
    with pytest.raises(ValueError, match="line 1: the header promises 12 boards, the file has 11"):
        lines.load()
    lines[:] = lines[:1]
    with pytest.raises(ValueError, match="the file has 0"):
        lines.load()
    lines[:] = []
    with pytest.raises(ValueError, match="line 1"):
        lines.load()


def test_a_header_that_promises_nothing_countable(lines):
    change(lines, 1, boards=...)
    with pytest.raises(ValueError, match="line 1: the header promises None boards, the file has 12"):
        lines.load()


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:-9],
        lambda line: "",
        lambda line: "[]",
        lambda line: line.replace("usoone", "kurodoko"),
        lambda line: line.replace("/5/4/", "/4/5/"),
        lambda line: line.replace('"answer"', '"solution"'),
        lambda line: line[:-2] + '0"}',
        lambda line: line[:-2] + '/00000"}',
        lambda line: line[:-3] + 'x"}',
        lambda line: '{"url": 7, "answer": 8}',
        lambda line: line.replace("usoone/5/4/", "usoone/5/4/zz"),
    ],
)
def test_a_damaged_line(lines, damage):
    before = lines[6]
    lines[6] = damage(before)
    assert lines[6] != before
    with pytest.raises(ValueError, match=r"small.jsonl, line 7: "):
        lines.load()


def test_a_tampered_answer(lines):
    answer = json.loads(lines[4])["answer"]
    for at, cell in enumerate(answer):
        if cell != "/":
            other = answer[:at] + "10"[int(cell)] + answer[at + 1 :]
            change(lines, 5, answer=other)
            with pytest.raises(ValueError, match=r"small.jsonl, line 5: the answer breaks"):
                lines.load(verify)


def test_a_tampered_board(lines):
    """A number rubbed out, or one too many: what verify re-derives is not what the file says."""
    board, answer = (found[8] for found in lines.load()[1:3])
    r, c = np.argwhere(board.clues >= 0)[0]
    more = np.argwhere((board.clues == usowan.NO_CLUE) & (answer == 0))
    tampered = [board.with_clue(r, c, usowan.NO_CLUE)]
    tampered += [board.with_clue(y, x, usowan.shaded_beside(answer, y, x)) for y, x in more]
    for other in tampered:
        change(lines, 10, url=other.to_url().partition("?")[2])
        with pytest.raises(ValueError, match=r"small.jsonl, line 10: "):
            lines.load(verify)


def test_a_board_twice(lines):
    lines[5] = lines[2]
    assert lines.load(verify) == 12  # as in a sample
    change(lines, 1, repeats="left out")
    with pytest.raises(ValueError, match=r"small.jsonl, line 6: the board of line 3 again"):
        lines.load(verify)


def test_refusals(tmp_path):
    with pytest.raises(ValueError, match=r"no bank usowan_3x9.jsonl; make one with: puzzlekit bank make usowan 3 9"):
        bank.load("usowan", 3, 9)
    for boards in (0, -1):
        with pytest.raises(ValueError, match=f"boards must be from 1 to 1000, not {boards}$"):
            bank.load("usowan", 6, 6, boards)
    with pytest.raises(
        ValueError, match=r"no bank large/usowan_3x9.jsonl; make one with: puzzlekit bank make usowan 3 9 --boards 1001"
    ):
        bank.load("usowan", 3, 9, 1001)
    with pytest.raises(ValueError, match="boards must be from 1 to 1,000,000,000, not 0"):
        bank.build("usowan", 4, 4, 0, file=tmp_path / "none", progress=False)
    assert not list(tmp_path.iterdir())
    with pytest.raises(KeyError, match="unknown genre 'sudoku'"):
        bank.build("sudoku", 4, 4, 1, file=tmp_path / "none", progress=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder of its own, in which banks of more than 8 boards are large."""
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    monkeypatch.setattr(bank, "STORED", 8)
    return tmp_path / "banks"


def test_more_boards_than_are_stored_have_a_place_of_their_own(folder):
    stored = bank.build("usowan", 4, 4, 6, progress=False)
    with pytest.raises(
        ValueError, match=r"boards must be from 1 to 6, not 8; more with: puzzlekit bank make usowan 4 4$"
    ):
        bank.load("usowan", 4, 4, 8)
    large = bank.build("usowan", 4, 4, 12, progress=False)
    assert (stored, large) == (folder / "usowan_4x4.jsonl", folder / "large" / "usowan_4x4.jsonl")
    assert large.read_text().splitlines()[1:7] == stored.read_text().splitlines()[1:]  # the same boards first
    assert len(bank.load("usowan", 4, 4).boards) == 6 and len(bank.load("usowan", 4, 4, 9).boards) == 9
    assert bank.extent("usowan", 4, 4) == (6, bank.load("usowan", 4, 4).digest)
    assert bank.extent("usowan", 4, 4, 9) == (9, bank.load("usowan", 4, 4, 9).digest) != bank.extent("usowan", 4, 4, 5)
    assert bank.load("usowan", 4, 4, 11, first=7).boards == bank.load("usowan", 4, 4, 12).boards[7:11]
    assert bank.verify("usowan", 4, 4, 12, progress=False) == 12
    large.write_text(large.read_text().replace("usoone", "sudoku", 1))
    with pytest.raises(ValueError, match=r"large/usowan_4x4.jsonl, line 2: "):
        bank.load("usowan", 4, 4, 12)


def test_a_bank_in_its_place_is_never_replaced_by_one_that_lacks_its_boards(folder):
    file = bank.build("usowan", 4, 4, 6, progress=False)
    before = file.read_bytes()
    for other in ({"boards": 5}, {"boards": 6, "seed": 1}, {"boards": 7, "distinct": True}):
        with pytest.raises(
            ValueError, match=f"usowan_4x4.jsonl has 6 boards of seed {bank.SEED} already, repeats kept, which"
        ):
            bank.build("usowan", 4, 4, progress=False, **other)
        assert file.read_bytes() == before
    bank.build("usowan", 4, 4, 7, progress=False)
    assert file.read_bytes().splitlines()[1:7] == before.splitlines()[1:]
    file.write_text("nobody can load this\n")
    bank.build("usowan", 4, 4, 6, progress=False)
    assert file.read_bytes() == before
