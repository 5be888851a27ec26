"""The rules and the board: every clause, every odd case, and what a board refuses."""

import pickle
from itertools import product

import corpus
import numpy as np
import pytest
from oracles import usowan as oracle

from puzzlekit.usowan import rules
from puzzlekit.usowan.rules import ASKED, MISREADINGS, NO_CLUE, RULES, Board, Reading, check, liars

N = NO_CLUE
ONE = [[1, N], [N, N]], [[0, 0], [0, 0]]


def test_every_check_comes_out_as_stated():
    wrong = {}
    for record in corpus.checks("usowan"):
        found = check(Board.from_record(record["board"]), record["answer"])
        if found != record["expect"]:
            wrong[record["id"]] = found, record["expect"]
    assert len(corpus.checks("usowan")) >= 20 and not wrong


def test_every_known_solution_is_right():
    records = corpus.boards("usowan")
    assert len(records) == corpus.number(223, 30)
    assert [r["id"] for r in records if check(Board.from_record(r), r["solution"]) is not None] == []


def test_a_region_without_a_number_has_no_answer():
    for clue in (N, ASKED):
        board = Board([[clue, 1], [N, N]], [[0, 1], [0, 1]])
        assert all(check(board, np.reshape(cells, (2, 2))) for cells in product((0, 1), repeat=4))


def test_an_asked_cell_is_unshaded_and_neither_right_nor_wrong():
    board = Board([[ASKED, 1, N]], [[0, 0, 0]])
    assert check(board, [[1, 0, 0]]) == "clue-shaded"
    assert check(board, [[0, 0, 0]]) is None
    assert check(board, [[0, 0, 1]]) == "region-lies-not-one"


def test_nothing_shaded_can_be_right_and_everything_shaded_cannot():
    assert check(Board(*ONE), [[0, 0], [0, 0]]) is None
    assert check(Board([[N]], [[0]]), [[1]]) == "white-split"


def test_a_number_out_of_reach_is_the_wrong_one():
    board = Board([[9, 1, N]], [[0, 0, 0]])
    assert check(board, [[0, 0, 1]]) is None
    assert liars(board, np.array([[0, 0, 1]])) == [[(0, 0)]]


def test_clauses_are_reported_in_order():
    board = Board([[0, N, N], [N, N, N], [N, N, N]], [[0] * 3] * 3)
    cases = {
        "clue-shaded": [[1, 1, 0], [0, 0, 0], [0, 0, 0]],
        "shaded-adjacent": [[0, 0, 0], [0, 1, 1], [0, 0, 0]],
        "white-split": [[0, 1, 0], [1, 0, 0], [0, 0, 0]],
        "region-lies-not-one": [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        None: [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
    }
    for code, answer in cases.items():
        assert check(board, answer) == code
    assert [*cases][:-1] == [*rules.CLAUSES]


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3), (3, 3)])
def test_space_of_answers_matches_the_oracle(shape):
    """With an impossible number as the only one, an answer is any shading that leaves its cell alone."""
    clues = np.full(shape, N)
    clues[0, 0] = 9
    board = Board(clues, np.zeros(shape, int))
    mine = {cells for cells in product((0, 1), repeat=clues.size) if check(board, np.reshape(cells, shape)) is None}
    theirs = {s for s in oracle.independent_sets(*shape) if not s[0] and oracle.is_one_region(*shape, s)}
    assert mine == theirs


def test_misreadings():
    board = Board([[0, 0, N], [N, N, N], [N, N, 1]], [[0, 0, 0], [0, 0, 0], [1, 1, 1]])
    none, one_each, corner = np.zeros((3, 3), int), [[0, 0, 1], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    verdicts = {
        name: [check(board, a, name) is None for a in (none, one_each, corner)] for name in ["rules", *MISREADINGS]
    }
    assert verdicts == {
        "rules": [False, True, False],
        "none wrong": [True, True, False],
        "all honest": [False, False, False],
        "one on the board": [True, False, False],
        "corner touch": [False, True, False],
    }
    lone = Board([[N, 1, 0], [N, N, N]], [[0] * 3] * 2)
    split = [[0, 0, 0], [1, 0, 0]]
    assert check(lone, split) is None
    pinched = Board([[1, N, N], [N, N, N], [N, N, 1]], [[0] * 3] * 3), [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert check(*pinched) == "white-split"
    assert check(*pinched, "corner touch") == "region-lies-not-one"
    assert check(Board([[2, N, N], [N, N, N], [N, N, 1]], [[0] * 3] * 3), pinched[1], "corner touch") is None


def test_readings_by_name():
    assert rules.named_reading("rules") == RULES == Reading()
    assert rules.named_reading("all honest") == MISREADINGS["all honest"]
    with pytest.raises(ValueError, match=r"unknown reading 'nice'; choose from .*'rules', 'none wrong'"):
        check(Board(*ONE), np.zeros((2, 2), int), "nice")


@pytest.mark.parametrize(
    "clues, regions, message",
    [
        ([[1, N]], [[0], [0]], "clues are 1 x 2, regions 2 x 1"),
        ([[1, -3]], [[0, 0]], "clue -3 at row 0, column 1"),
        ([[1, N, N]], [[0, 1, 0]], "region 0 is in pieces: row 0, column 0 and row 0, column 2"),
        ([[1, N], [N, N]], [[0, 1], [1, 0]], "in pieces"),
        ([], [], "clues must be a grid"),
        ([[]], [[]], "clues must be a grid"),
        ([[1, 2], [3]], [[0, 0], [0, 0]], "clues: row 1 has 1 cells, row 0 has 2"),
        ([1, 2], [[0, 0]], "clues must be rows of cells"),
        ([[1.5]], [[0]], "clues must hold whole numbers"),
        ([["?"]], [[0]], "clues must hold whole numbers"),
        ([[2**40]], [[0]], "clues: 1099511627776 at row 0, column 0 is out of range"),
    ],
)
def test_a_board_refuses(clues, regions, message):
    with pytest.raises(ValueError) as error:
        Board(clues, regions)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "answer, message",
    [
        ([[0, 0]], "the answer is 1 x 2, the board 2 x 2"),
        ([[0, 2], [0, 0]], "the answer has 2 at row 0, column 1"),
        ([[0, -1], [0, 0]], "the answer has -1 at row 0, column 1"),
        ([[0.5, 0], [0, 0]], "answer must hold whole numbers"),
        (7, "answer must be rows of cells"),
    ],
)
def test_check_refuses(answer, message):
    with pytest.raises(ValueError) as error:
        check(Board(*ONE), answer)
    assert message in str(error.value)


def test_bool_answers_are_read_like_numbers():
    assert check(Board(*ONE), np.zeros((2, 2), bool)) is None


def test_region_labels_do_not_matter():
    assert Board([[1, N]], [[7, 3]]) == Board([[1, N]], [[0, 1]])
    assert Board([[1, N]], [[7, 3]]).regions.tolist() == [[0, 1]]


def test_boards_are_values():
    board, same, other = Board(*ONE), Board(*ONE), Board([[2, N], [N, N]], ONE[1])
    assert board == same and hash(board) == hash(same) and len({board, same, other}) == 2
    assert board != other and board != "a board"
    assert Board([[1, N]], [[0, 0]]) != Board([[1], [N]], [[0], [0]])
    for copy in (pickle.loads(pickle.dumps(board)), Board.from_record(board.to_record())):
        assert copy == board and not copy.clues.flags.writeable


def test_boards_cannot_be_changed():
    clues = np.array(ONE[0])
    board = Board(clues, ONE[1])
    clues[0, 0] = 3
    assert board.clues[0, 0] == 1
    for array in (board.clues, board.regions, board.with_clue(0, 1, 2).clues):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 2


def test_with_clue():
    board = Board(*ONE).with_clue(1, 1, ASKED)
    assert board == Board([[1, N], [N, ASKED]], ONE[1]) and board.with_clue(1, 1, N) == Board(*ONE)
    with pytest.raises(ValueError, match="clue -3 at row 1, column 1"):
        board.with_clue(1, 1, -3)


def test_clues_by_region_skips_asked_cells():
    board = Board([[1, ASKED, 2]], [[0, 0, 1]])
    assert board.clues_by_region == [[(0, 0)], [(0, 2)]] and board.numbers == 2
