"""Boards with a clue more or less, against a SAT solver that is asked about each of them."""

import random

import numpy as np
import pytest
import usowan_boards
from oracles import usowan_sat

from puzzlekit.lab import bank
from puzzlekit.usowan import (
    ASKED,
    NO_CLUE,
    Board,
    breaking_numbers,
    climb,
    redundant_clues,
    scans,
    shaded_beside,
    solve,
)


def boards_with_one_answer():
    """From the banks, from the setter before anything is rubbed out, and random ones with `?` among their clues."""
    for size, n in ((6, 12), (8, 6), (10, 2)):
        yield from bank.load("usowan", size, size, n).boards
    pick, found = random.Random(4), 0
    while found < 25:
        board = usowan_boards.mixed_board(pick, pick.randint(2, 6), pick.randint(2, 6), most=4)
        if solve(board).unique:
            found += 1
            yield board
    for board in bank.load("usowan", 6, 6, 10).boards:
        (answer,) = solve(board).answers
        for r, c in np.argwhere((board.clues == NO_CLUE) & (answer == 0))[:8].tolist():
            fuller = board.with_clue(r, c, ASKED if (r + c) % 2 else shaded_beside(answer, r, c))
            if solve(fuller).unique:
                board = fuller
        yield board


def test_clues_that_can_go():
    gone = kept = 0
    for board in boards_with_one_answer():
        (answer,) = usowan_sat.solutions(board, 2)
        redundant = redundant_clues(board)
        assert redundant.shape == board.clues.shape and not redundant[board.clues == NO_CLUE].any()
        for r, c in np.argwhere(board.clues != NO_CLUE).tolist():
            assert redundant[r, c] == (usowan_sat.solutions(board.with_clue(r, c, NO_CLUE), 2) == [answer]), (
                board.to_text()
            )
        gone, kept = gone + redundant.sum(), kept + (board.clues[~redundant] != NO_CLUE).sum()
    assert gone > 40 and kept > 300


def test_true_numbers_that_break():
    broken = harmless = 0
    for board in boards_with_one_answer():
        (answer,) = solve(board).answers
        breaking = breaking_numbers(board)
        free = (board.clues == NO_CLUE) & (answer == 0)
        assert not breaking[~free].any()
        for r, c in np.argwhere(free).tolist():
            fuller = board.with_clue(r, c, shaded_beside(answer, r, c))
            assert breaking[r, c] == (len(usowan_sat.solutions(fuller, 2)) == 2)
        broken, harmless = broken + breaking.sum(), harmless + (free & ~breaking).sum()
    assert broken > 10 and harmless > 300


def test_variants_leave_the_board_alone():
    board = bank.load("usowan", 8, 8, 1).boards[0]
    before = board.clues.copy()
    counts, closed = scans.variants(board, [0, 9, 0], [ASKED, 3, ASKED], "connect")
    assert (board.clues == before).all() and counts[0] == counts[2] and closed[0] == closed[2]
    for i, (cell, value) in enumerate(((0, ASKED), (9, 3))):
        other = board.with_clue(cell // 8, cell % 8, value)
        assert closed[i] == climb(other, "connect").finished and counts[i] == len(solve(other).answers)
    counts, closed = scans.variants(board, [], 0)
    assert counts.shape == closed.shape == (0,)


def test_true_numbers():
    rng = np.random.default_rng(2)
    for shape in ((1, 1), (1, 4), (5, 1), (4, 6)):
        answer = rng.integers(0, 2, shape).astype(np.uint8)
        numbers = scans.true_numbers(answer)
        assert all(numbers[cell] == shaded_beside(answer, *cell) for cell in np.ndindex(shape))


@pytest.mark.parametrize("regions, message", [(1, "the board has several answers"), (2, "the board has no answer")])
def test_boards_without_exactly_one_answer_are_refused(regions, message):
    """One number that is wrong, and, with two regions, one that has no number."""
    clues = np.full((3, 3), NO_CLUE)
    clues[0, 0] = 3
    labels = np.zeros((3, 3), int)
    labels[1:] = regions - 1
    for scan in (redundant_clues, breaking_numbers):
        with pytest.raises(ValueError, match=message):
            scan(Board(clues, labels))
