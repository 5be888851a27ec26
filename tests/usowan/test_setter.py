"""Boards made: fixed points of rubbing out, the same from the same seed; and `faults` sees every broken promise."""

import numpy as np
import pytest
from oracles import usowan as oracle
from oracles import usowan_sat

from puzzlekit.lab import bank
from puzzlekit.usowan import (
    NO_CLUE,
    RUNGS,
    Board,
    check,
    climb,
    draw,
    faults,
    liars,
    make,
    setter,
    shaded_beside,
    solve,
)

SIZES = [(6, 6), (8, 8), (4, 7), (7, 3), (5, 5), (10, 10), (1, 7), (6, 1), (2, 2)]


@pytest.mark.parametrize("rows, cols", SIZES)
def test_made_boards_keep_every_promise(rows, cols):
    for index in range(4):
        board = make(rows, cols, np.random.default_rng(index))
        (answer,) = solve(board).answers
        assert usowan_sat.solutions(board, 2) == [tuple(answer.ravel().tolist())]
        assert check(board, answer) is None
        assert climb(board, "connect").finished
        assert [len(cells) for cells in liars(board, answer)] == [1] * (board.regions.max() + 1)
        for r, c in np.argwhere(board.clues >= 0):
            thinner = board.with_clue(r, c, NO_CLUE)
            if board.clues[r, c] == shaded_beside(answer, r, c):
                assert not climb(thinner, "connect").finished, "an honest number that can be rubbed out"
            else:
                assert check(thinner, answer) == "region-lies-not-one"
        assert not list(faults(board, answer))


def test_a_single_cell():
    """Its one number is wrong, whatever it says but 0."""
    board = make(1, 1, np.random.default_rng(0))
    assert board.clues.tolist() == [[1]] and solve(board).unique


def test_the_same_generator_gives_the_same_board():
    first, again = ([make(7, 6, np.random.default_rng([5, i])) for i in range(10)] for _ in range(2))
    assert first == again and len(set(first)) == 10


def test_a_lower_top_needs_only_the_lower_rungs():
    for index in range(5):
        assert climb(make(5, 6, np.random.default_rng(index), top="count"), "count").finished


def test_rectangles():
    rng = np.random.default_rng(8)
    for _ in range(300):
        rows, cols = rng.integers(1, 12, 2).tolist()
        regions = setter.rectangles(rows, cols, rng)
        for region in range(regions.max() + 1):
            cells = np.argwhere(regions == region)
            height, width = cells.max(axis=0) - cells.min(axis=0) + 1
            assert len(cells) == height * width
            assert min(setter.SMALLEST, rows * cols) <= len(cells) <= setter.LARGEST
        assert (np.unique(regions) == np.arange(regions.max() + 1)).all()


def test_the_fullest_board():
    rng = np.random.default_rng(4)
    for answer in draw(6, 7, 50, rng):
        regions = setter.rectangles(6, 7, rng)
        board = setter.full_board(answer, regions, rng)
        assert board is not None  # no region is one cell, and no two touching cells are both shaded
        assert ((board.clues == NO_CLUE) == (answer == 1)).all()
        assert check(board, answer) is None
        for r, c in np.argwhere(answer == 0):
            assert 0 <= board.clues[r, c] <= len(oracle.beside(6, 7, r, c))


def test_lies_are_uniform():
    """A corner beside one shaded cell, its region's only unshaded cell: the lie is 0 as often as 2."""
    answer, rng = np.array([[0, 1], [0, 0]], np.uint8), np.random.default_rng(1)
    seen = [setter.full_board(answer, np.array([[0, 0], [1, 1]]), rng).clues[0, 0] for _ in range(2000)]
    assert set(seen) == {0, 2} and abs(seen.count(0) - 1000) < 150


def test_rubbing_out_keeps_what_cannot_be_closed():
    board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]], [[0, 0], [0, 0]])
    answer = np.zeros((2, 2), np.uint8)
    assert setter.minimise(board, answer, np.random.default_rng(0), "cell") is None


def test_what_cannot_be_made():
    with pytest.raises(ValueError, match="no 5 x 5 board up to rung 'cell' in 20 attempts"):
        make(5, 5, np.random.default_rng(0), top="cell", attempts=20)
    with pytest.raises(ValueError, match="rows must be a whole number of at least 1, not 0"):
        make(0, 5, np.random.default_rng(0))
    with pytest.raises(ValueError, match="unknown rung 'luck'"):
        make(3, 3, np.random.default_rng(0), top="luck")


@pytest.fixture(scope="module")
def sound():
    found = bank.load("usowan", 6, 6, 40)
    return list(zip(found.boards, found.answers, strict=True))


def test_faults_finds_a_wrong_answer(sound):
    for board, answer in sound:
        other = answer.copy()
        other[tuple(np.argwhere(board.clues == NO_CLUE)[0])] ^= 1
        (fault,) = faults(board, other)
        assert fault == f"the answer breaks {check(board, other)}"


def test_faults_finds_a_second_answer(sound):
    seen = 0
    for board, answer in sound:
        for r, c in np.argwhere(board.clues >= 0):
            thinner = board.with_clue(r, c, NO_CLUE)
            if check(thinner, answer) is None and len(usowan_sat.solutions(thinner, 2)) > 1:
                assert "the answer is not the only one" in list(faults(thinner, answer))
                seen += 1
    assert seen > 100


def test_faults_finds_numbers_to_rub_out(sound):
    seen = 0
    for board, answer in sound:
        for r, c in np.argwhere((board.clues == NO_CLUE) & (answer == 0)):
            fuller = board.with_clue(r, c, shaded_beside(answer, r, c))
            if climb(fuller, "connect").finished:
                assert f"the number at row {r}, column {c} can be rubbed out" in list(faults(fuller, answer))
                seen += 1
    assert seen > 100


def test_faults_finds_a_board_that_needs_more_than_the_ladder(sound):
    """True numbers put in anywhere, until one puts the answer out of the ladder's reach."""
    for size in (8, 10):
        found = bank.load("usowan", size, size, 60)
        for board, answer in zip(found.boards, found.answers, strict=True):
            for r, c in np.argwhere((board.clues == NO_CLUE) & (answer == 0)):
                fuller = board.with_clue(r, c, shaded_beside(answer, r, c))
                if not climb(fuller, "connect").finished and solve(fuller).unique:
                    assert "the ladder does not close it without guessing" in list(faults(fuller, answer))
                    return
    raise AssertionError("no such board")


@pytest.mark.parametrize("rung", ["count", "region", "connect", "probe"])
def test_a_wanted_hardest_rung_is_needed_and_enough(rung):
    for rows, cols in ((6, 6), (5, 7)):
        for index in range(4):
            board = make(rows, cols, np.random.default_rng(index), hardest=rung)
            assert climb(board, rung).finished and not climb(board, RUNGS[RUNGS.index(rung) - 1]).finished
            assert solve(board).unique and usowan_sat.solutions(board, 2) == as_tuples(solve(board).answers)


def as_tuples(answers):
    return [tuple(answer.ravel().tolist()) for answer in answers]


def test_a_board_for_an_answer():
    rng, found = np.random.default_rng(3), 0
    for answer in draw(6, 7, 30, rng):
        board = setter.set_for(answer, rng, "region")
        if board:
            assert solve(board).unique and (solve(board).answers[0] == answer).all()
            assert climb(board, "region").finished
            found += 1
    assert 10 < found < 30


def test_hardest_and_top_do_not_contradict_each_other():
    with pytest.raises(ValueError, match="top is 'count' and hardest 'region'; give one of them"):
        make(4, 4, np.random.default_rng(0), top="count", hardest="region")
    with pytest.raises(ValueError, match="no 5 x 5 board that needs rung 'cell' in 20 attempts"):
        make(5, 5, np.random.default_rng(0), attempts=20, hardest="cell")
    with pytest.raises(ValueError, match="unknown rung 'luck'"):
        make(3, 3, np.random.default_rng(0), hardest="luck")
    assert make(5, 5, np.random.default_rng(8), "count") == make(5, 5, np.random.default_rng(8), top="count")
