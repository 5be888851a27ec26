"""The rules and the board: every clause, every odd case, what a board refuses, boards in and out."""

import pickle
from itertools import product

import corpus
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles import tasquare as oracle

from puzzlekit.tasquare import rules
from puzzlekit.tasquare.rules import ASKED, MISREADINGS, NO_CLUE, READINGS, RULES, Board, Reading, check, sums

N = NO_CLUE
ONE = [[1, N], [N, N]]


def test_every_check_comes_out_as_stated():
    wrong = {}
    for record in corpus.checks("tasquare"):
        found = check(Board.from_record(record["board"]), record["answer"])
        if found != record["expect"]:
            wrong[record["id"]] = found, record["expect"]
    assert len(corpus.checks("tasquare")) >= 20 and not wrong


def test_every_known_solution_is_right():
    records = corpus.boards("tasquare")
    assert len(records) == corpus.number(14, 15)
    for record in records:
        board = Board.from_record(record)
        for answer in [record["solution"], *record.get("examples", [])]:
            assert answer is None or check(board, answer) is None, record["id"]
        plain = record.get("zero_plain", {}).get("solution")
        if plain:
            assert check(board, plain) == "clue-touches-no-shading"
            assert check(board, plain, "plain zero") is None


def test_clauses_are_reported_in_order():
    board = Board([[4, N, N, N], [N, N, N, N], [N, N, N, ASKED], [N, N, N, N]])
    cases = {
        "clue-shaded": [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        "nothing-shaded": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        "block-not-square": [[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]],
        "white-split": [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        "sum-mismatch": [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        "clue-touches-no-shading": [[0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0]],
    }
    for code, answer in cases.items():
        assert check(board, answer) == code
    assert [*cases] == [*rules.CLAUSES]
    assert check(board, [[0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1]]) is None


def test_everything_shaded_can_be_right_and_nothing_shaded_cannot():
    for n in (1, 2, 5):
        empty = Board(np.full((n, n), N))
        assert check(empty, np.ones((n, n), int)) is None
        assert check(empty, np.zeros((n, n), int)) == "nothing-shaded"
    assert check(Board([[N, N]]), [[1, 1]]) == "block-not-square"


@pytest.mark.parametrize(
    "block", [((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)), ((0, 0), (0, 1), (0, 2), (0, 3)), ((0, 0),)]
)
def test_blocks_of_square_area_need_not_be_squares(block):
    answer = np.zeros((4, 4), int)
    for cell in block:
        answer[cell] = 1
    expected = None if len(block) == 1 else "block-not-square"
    assert check(Board(np.full((4, 4), N)), answer) == expected
    ring = np.zeros((4, 4), int)
    ring[:3, :3] = 1
    ring[1, 1] = 0
    assert check(Board(np.full((4, 4), N)), ring) == "block-not-square"


def test_a_block_counts_once_even_where_it_is_no_square():
    assert sums(np.array([[0, 1], [1, 1]])).tolist() == [[3, 0], [0, 0]]


def test_zero_is_read_by_name():
    board = Board([[0, N, N], [N, N, N], [N, N, N]])
    bare, beside = np.zeros((3, 3), int), np.zeros((3, 3), int)
    bare[2, 2] = beside[0, 1] = 1
    assert check(board, bare) == "clue-touches-no-shading" and check(board, bare, "plain zero") is None
    assert check(board, beside) == check(board, beside, "plain zero") == "sum-mismatch"
    asked = Board([[ASKED, N, N], [N, N, N], [N, N, N]])
    assert check(asked, bare, "plain zero") == "clue-touches-no-shading"


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (5, 1), (2, 3), (3, 3), (3, 4)])
def test_space_of_answers_matches_the_oracle(shape):
    board = Board(np.full(shape, N))
    grids = list(product((0, 1), repeat=board.clues.size))
    for reading, connected in (("rules", True), ("white may split", False)):
        mine = [cells for cells in grids if check(board, np.reshape(cells, shape), reading) is None]
        assert mine == oracle.shadings(*shape, connected=connected)


def test_sums_match_the_oracle():
    for shading in oracle.shadings(3, 4, squares=False)[::13]:
        _, _, area, _ = oracle.described(3, 4, shading)
        expected = [[0 if shading[4 * r + c] else area[r, c] for c in range(4)] for r in range(3)]
        assert sums(np.reshape(shading, (3, 4))).tolist() == expected


def test_misreadings():
    four = [[N, N, N], [N, N, N], [4, N, N]]
    two = [[N, N, N], [N, N, N], [2, N, N]]
    one = [[N, N, N], [N, N, N], [1, N, N]]
    square = [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    split = [[0, 1, 0], [0, 0, 1], [0, 1, 0]]
    cases = (four, square), (one, square), (one, split), (two, split)
    verdicts = {
        name: [check(Board(clues), answer, name) for clues, answer in cases] for name in ["rules", *MISREADINGS]
    }
    assert verdicts == {
        "rules": [None, "sum-mismatch", "white-split", "white-split"],
        "white may split": [None, "sum-mismatch", None, "sum-mismatch"],
        "counts cells": ["sum-mismatch", None, "white-split", "white-split"],
        "no numbers": [None, None, "white-split", "white-split"],
    }
    shaded = [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert check(Board(one), shaded) == "clue-shaded" and check(Board(one), shaded, "no numbers") is None


def test_readings_by_name():
    assert rules.named_reading("rules") == RULES == Reading() == READINGS["rules"]
    assert rules.named_reading("counts cells") == MISREADINGS["counts cells"]
    with pytest.raises(ValueError, match=r"unknown reading 'nice'; choose from .*'rules', 'plain zero', 'white"):
        check(Board(ONE), np.zeros((2, 2), int), "nice")
    with pytest.raises(ValueError, match=r"reading: number is 'count'; choose from .*'area', 'cells', 'nothing'"):
        check(Board(ONE), np.zeros((2, 2), int), Reading(number="count"))


@pytest.mark.parametrize(
    "clues, message",
    [
        ([[1, -3]], "clue -3 at row 0, column 1"),
        ([], "clues must be a grid"),
        ([[]], "clues must be a grid"),
        ([[1, 2], [3]], "clues: row 1 has 1 cells, row 0 has 2"),
        ([1, 2], "clues must be rows of cells"),
        ([[1.5]], "clues must hold whole numbers"),
        ([["?"]], "clues must hold whole numbers"),
        ([[2**40]], "clues: 1099511627776 at row 0, column 0 is out of range"),
    ],
)
def test_a_board_refuses(clues, message):
    with pytest.raises(ValueError) as error:
        Board(clues)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "answer, message",
    [
        ([[0, 0]], "the answer is 1 x 2, the board 2 x 2"),
        ([[0, 2], [0, 0]], "the answer has 2 at row 0, column 1"),
        ([[0.5, 0], [0, 0]], "answer must hold whole numbers"),
        (7, "answer must be rows of cells"),
    ],
)
def test_check_refuses(answer, message):
    with pytest.raises(ValueError) as error:
        check(Board(ONE), answer)
    assert message in str(error.value)


def test_bool_answers_are_read_like_numbers():
    assert check(Board(ONE), np.array([[False, True], [False, False]])) is None


def test_boards_are_values():
    board, same, other = Board(ONE), Board(ONE), Board([[2, N], [N, N]])
    assert board == same and hash(board) == hash(same) and len({board, same, other}) == 2
    assert board != other and board != "a board"
    assert Board([[1, N]]) != Board([[1], [N]])
    for copy in (pickle.loads(pickle.dumps(board)), Board.from_record(board.to_record())):
        assert copy == board and not copy.clues.flags.writeable
    assert repr(board) == "tasquare.Board, 2 x 2, 1 numbers"


def test_boards_cannot_be_changed():
    clues = np.array(ONE)
    board = Board(clues)
    clues[0, 0] = 3
    assert board.clues[0, 0] == 1
    for array in (board.clues, board.with_clue(0, 1, 2).clues, board.positions().clues):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 2


def test_with_clue_and_positions():
    board = Board(ONE).with_clue(1, 1, ASKED)
    assert board == Board([[1, N], [N, ASKED]]) and board.with_clue(1, 1, N) == Board(ONE)
    assert board.positions() == Board([[ASKED, N], [N, ASKED]]) and board.numbers == 1
    with pytest.raises(ValueError, match="clue -3 at row 1, column 1"):
        board.with_clue(1, 1, -3)


# in and out


@st.composite
def boards(draw, largest):
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return Board(draw(arrays(np.int32, shape, elements=st.integers(ASKED, largest))))


def test_published_boards_are_written_back():
    for record in corpus.boards("tasquare"):
        board = Board.from_record(record)
        assert Board.from_url(record["url"]) == board
        assert board.to_url() == "https://puzz.link/p?" + corpus.ended(record["url"])
        assert Board.from_text(board.to_text()) == Board.from_record(board.to_record()) == board
        if record["solution"]:
            assert Board.from_text(board.to_text(record["solution"])) == board


@given(boards(largest=20))
def test_url_round_trip(board):
    assert Board.from_url(board.to_url()) == board


@given(boards(largest=2_000_000))
def test_text_and_record_round_trip(board):
    assert Board.from_text(board.to_text()) == Board.from_record(board.to_record()) == board


def test_a_board_by_hand():
    board = Board([[N, 13, N], [ASKED, N, N], [N, N, 0]])
    assert board.to_text() == ".  13 .\n?  .  .\n.  .  0"
    assert board.to_text([[1, 0, 0], [0, 0, 1], [0, 0, 0]]) == "#  13 .\n?  .  #\n.  .  0"
    assert board.to_url() == "https://puzz.link/p?tasquare/3/3/gdg.j0"
    with pytest.raises(ValueError, match="R1C2 is shaded and has a clue"):
        board.to_text([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="for 'usoone', not for tasquare"):
        Board.from_url("usoone/2/2/00bg")
    with pytest.raises(ValueError, match=r"genre: .usowan. instead of 'tasquare'"):
        Board.from_record({"genre": "usowan", "clues": [[1]]})


def test_pictures():
    board = Board([[1, N], [N, N]])
    assert board.picture().alt == "2 x 2 grid, 1 clue"
    assert board.picture([[0, 1], [0, 0]]).alt == "2 x 2 grid, 1 clue, 1 cell shaded"
    assert board.picture(state=[[1, 2], [1, 0]]).alt == "2 x 2 grid, 1 clue, 1 cell shaded, 1 cell marked unshaded"
    assert board._repr_svg_() == board.picture().svg
