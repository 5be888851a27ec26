"""Boards made: fixed points of rubbing out, the same from the same seed; and `faults` sees every broken promise."""

import numpy as np
import pytest
from oracles import tasquare_sat

from puzzlekit.tasquare import setter
from puzzlekit.tasquare.ladder import RUNGS, climb
from puzzlekit.tasquare.profile import answers, draw
from puzzlekit.tasquare.rules import ASKED, NO_CLUE, Board, check, sums
from puzzlekit.tasquare.setter import faults, full_board, make
from puzzlekit.tasquare.solver import solve

SIZES = [(6, 6), (8, 8), (4, 7), (7, 3), (5, 5), (10, 10), (1, 7), (6, 1), (2, 3)]


@pytest.mark.parametrize("rows, cols", SIZES)
def test_made_boards_keep_every_promise(rows, cols):
    for index in range(4):
        board = make(rows, cols, np.random.default_rng(index))
        (answer,) = solve(board).answers
        assert tasquare_sat.solutions(board, 2) == [tuple(answer.ravel().tolist())]
        assert check(board, answer) is None and climb(board).finished
        assert (board.clues == np.where(board.clues == NO_CLUE, NO_CLUE, sums(answer))).all()
        for r, c in np.argwhere(board.clues != NO_CLUE):
            assert not climb(board.with_clue(r, c, NO_CLUE)).finished, "a number that can be rubbed out"
        assert not list(faults(board, answer))


def test_one_pass_is_a_fixed_point():
    """The ladder concludes less from fewer numbers; many boards, each number tried again. Also up to lower rungs."""
    for top, sizes in (("probe", [6, 8, 10]), ("white", [6, 7]), ("clue", [4, 5])):
        for size in sizes:
            for index in range(6):
                board = make(size, size, np.random.default_rng([7, index]), top=top)
                assert climb(board, top).finished
                for r, c in np.argwhere(board.clues != NO_CLUE):
                    assert not climb(board.with_clue(r, c, NO_CLUE), top).finished


def test_the_same_generator_gives_the_same_board():
    first, again = ([make(7, 6, np.random.default_rng([5, i])) for i in range(10)] for _ in range(2))
    assert first == again and len(set(first)) == 10


@pytest.mark.parametrize("rows, cols", [(2, 2), (3, 4), (4, 4), (1, 5)])
def test_the_fullest_board(rows, cols):
    """Its clues are all that any board of the answer can print."""
    for answer in answers(rows, cols):
        board = full_board(answer)
        assert check(board, answer) is None
        for r, c in np.argwhere((board.clues == NO_CLUE) & (answer == 0)):
            assert check(board.with_clue(r, c, ASKED), answer) == "clue-touches-no-shading"


def test_grids_without_a_board():
    """Nothing can be printed on 1 x 1; on 2 x 2 a shaded corner reads the same as the one across."""
    for size, top in ((1, "shape"), (2, "probe")):
        with pytest.raises(ValueError, match=f"no {size} x {size} board up to rung '{top}' in 50 attempts"):
            make(size, size, np.random.default_rng(0), top=top, attempts=50)
    assert not any(solve(full_board(answer)).unique for answer in answers(2, 2))


def test_rubbing_out_keeps_what_cannot_be_closed():
    rng = np.random.default_rng(0)
    assert setter.minimise(Board([[NO_CLUE, NO_CLUE], [NO_CLUE, NO_CLUE]]), rng) is None
    kept = [setter.minimise(full_board(answer), rng, "shape") for answer in draw(4, 4, 50, rng)]
    assert kept == [None] * 50


@pytest.mark.parametrize("hardest", ["clue", "white", "probe"])
def test_the_hardest_rung_is_the_one_wanted(hardest):
    for index in range(3):
        board = make(6, 6, np.random.default_rng([9, index]), hardest=hardest)
        assert climb(board, hardest).finished and solve(board).unique
        assert not climb(board, RUNGS[RUNGS.index(hardest) - 1]).finished


def test_large_boards_are_made():
    board = make(15, 15, np.random.default_rng(0))
    assert board.clues.shape == (15, 15) and climb(board).finished


def test_what_cannot_be_made():
    with pytest.raises(ValueError, match="top is 'clue' and hardest 'probe'; give one of them"):
        make(3, 3, np.random.default_rng(0), top="clue", hardest="probe")
    with pytest.raises(ValueError, match="rows must be a whole number of at least 1, not 0"):
        make(0, 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="unknown rung 'luck'"):
        make(3, 3, np.random.default_rng(0), top="luck")


@pytest.fixture(scope="module")
def sound():
    boards = [make(6, 6, np.random.default_rng([3, index])) for index in range(25)]
    return [(board, solve(board).answers[0]) for board in boards]


def test_faults_finds_a_wrong_answer(sound):
    for board, answer in sound:
        other = answer.copy()
        other[tuple(np.argwhere(board.clues == NO_CLUE)[0])] ^= 1
        (fault,) = faults(board, other)
        assert fault == f"the answer breaks {check(board, other)}"


def test_faults_finds_a_second_answer(sound):
    seen = 0
    for board, answer in sound:
        for r, c in np.argwhere(board.clues != NO_CLUE):
            thinner = board.with_clue(r, c, NO_CLUE)
            found = list(faults(thinner, answer))
            assert "the ladder does not close it" in found
            assert ("the answer is not the only one" in found) == (len(tasquare_sat.solutions(thinner, 2)) > 1)
            seen += "the answer is not the only one" in found
    assert seen > 100


def test_faults_finds_numbers_to_rub_out(sound):
    for board, answer in sound:
        fuller = full_board(answer)
        for r, c in np.argwhere((board.clues == NO_CLUE) & (fuller.clues != NO_CLUE)):
            more = board.with_clue(r, c, fuller.clues[r, c])
            assert f"the clue at row {r}, column {c} can be rubbed out" in list(faults(more, answer))
