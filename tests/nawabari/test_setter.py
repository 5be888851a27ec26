"""Nawabari boards made: one answer, the same board for the same seed, placements equally likely."""

from itertools import pairwise

import numpy as np
import pytest
from oracles import nawabari as oracle
from scipy import stats

from puzzlekit.nawabari import profile, repair, setter
from puzzlekit.nawabari.ladder import RUNGS, climb
from puzzlekit.nawabari.rules import NO_CLUE, Board, as_walls, check, walls_around
from puzzlekit.nawabari.solver import solve, solve_many


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 7), (6, 1), (3, 5), (6, 6), (8, 8), (7, 10), (10, 10)])
def test_made_boards_have_one_answer(rows, cols):
    for seed in range(3):
        board = setter.make(rows, cols, np.random.default_rng([seed, rows, cols]))
        assert board.clues.shape == (rows, cols)
        assert board == setter.make(rows, cols, np.random.default_rng([seed, rows, cols]))
        solution = solve(board)
        assert solution.unique and not list(setter.faults(board, solution.answers[0]))


def test_boards_that_the_ladder_closes():
    for seed in range(5):
        assert climb(setter.make(6, 6, np.random.default_rng(seed), top="room"), "room").finished
    with pytest.raises(ValueError, match="unknown rung 'luck'"):
        setter.make(4, 4, np.random.default_rng(0), top="luck")


def test_repaired_placements_are_unique():
    """Every try that succeeds, for answers of many shapes; each says its number where the answer has it."""
    rng = np.random.default_rng(6)
    for rows, cols in ((1, 5), (3, 4), (6, 6), (9, 8), (10, 10)):
        drawn = profile.draw(rows, cols, 15, rng, weight="0.15")
        clues, tried = repair.repaired(drawn, rng, 40)
        assert (tried > 0).any() and (abs(tried) <= 40).all() and solve_many(clues[tried > 0]).unique.all()
        for answer, printed in zip(drawn[tried > 0], clues[tried > 0], strict=True):
            assert check(Board(printed), answer) is None
    never = np.array([[0, 1, 1, 2], [0, 3, 4, 2], [5, 3, 4, 6], [5, 7, 7, 6]], np.int32)
    fine = setter.hunt(never, rng, patience=3000) is not None
    assert fine or repair.repaired(np.array([never] * 20), rng, 40)[1].max() < 0


@pytest.mark.parametrize("rows, cols", [(1, 9), (2, 70), (15, 15)])
def test_boards_by_repair_of_any_size(rows, cols):
    board = setter.make(rows, cols, np.random.default_rng(0), method="repair")
    assert board.clues.shape == (rows, cols) and solve(board).unique


def test_repair_gives_up():
    with pytest.raises(ValueError, match="no 15 x 15 board that needs rung 'count' in 2 attempts"):
        setter.make(15, 15, np.random.default_rng(0), hardest="count", attempts=2, method="repair")


def test_boards_by_repair():
    boards = [setter.make(10, 10, np.random.default_rng([2, i]), method="repair") for i in range(20)]
    assert len(set(boards)) == 20 and solve_many(boards).unique.all()
    assert boards[3] == setter.make(10, 10, np.random.default_rng([2, 3]), method="repair")
    with pytest.raises(ValueError, match="at most 64 columns, not 70"):
        setter.make(2, 70, np.random.default_rng(1))
    with pytest.raises(ValueError, match="unknown method 'luck'"):
        setter.make(4, 4, np.random.default_rng(1), method="luck")


@pytest.mark.parametrize("hardest", ["room", "probe"])
def test_the_hardest_rung_is_the_one_wanted(hardest):
    board = setter.make(6, 6, np.random.default_rng(3), hardest=hardest, method="repair")
    assert climb(board, hardest).finished and not climb(board, RUNGS[RUNGS.index(hardest) - 1]).finished
    with pytest.raises(ValueError, match="give one of them"):
        setter.make(6, 6, np.random.default_rng(3), hardest=hardest, top="count")


def test_faults_are_found():
    board = setter.make(6, 6, np.random.default_rng(2))
    (answer,) = solve(board).answers
    assert list(setter.faults(board, np.zeros_like(answer))) == ["the answer breaks room-with-several-numbers"]
    two = setter.print_numbers(np.array([[0, 1], [0, 1]]), [0, 3])
    assert next(setter.faults(two, np.array([[0, 1], [0, 1]]))) == "the answer is not the only one"


def test_seats_are_walls_around():
    answer = np.array([[0, 0, 1], [0, 0, 1], [2, 3, 3]])
    board = setter.print_numbers(answer, [0, 2, 6, 7])
    walls = as_walls(board, answer)
    assert setter.seats(answer).tolist() == [[walls_around(walls, r, c) for c in range(3)] for r in range(3)]
    assert check(board, answer) is None and (board.clues != NO_CLUE).sum() == 4


def test_answers_without_a_unique_placement_are_given_up():
    answer = np.array([[0, 1, 1, 2], [0, 3, 4, 2], [5, 3, 4, 6], [5, 7, 7, 6]])
    areas = [(answer == room).sum() for room in range(8)]
    assert areas == [2] * 8
    unique = solve_many([setter.print_numbers(answer, cells) for cells in every_placement(answer)]).unique
    found = setter.hunt(answer, np.random.default_rng(0), patience=3000)
    assert (found is not None) == unique.any()


def every_placement(answer):
    cells, starts = setter.cells_by_room(answer)
    return np.array(np.meshgrid(*[cells[a:b] for a, b in pairwise(starts)])).reshape(len(starts) - 1, -1).T


def test_unique_placements_are_equally_likely():
    """Chi-square over all unique placements of one answer; refutations must not prefer any."""
    answer = np.array([[0, 0, 1], [0, 0, 1], [2, 2, 1]])
    boards = [setter.print_numbers(answer, cells) for cells in every_placement(answer)]
    exact = {board for board in boards if len(oracle.answers(board.clues.tolist())) == 1}
    assert 5 < len(exact) < len(boards)
    rng = np.random.default_rng(4)
    draws = [setter.hunt(answer, rng) for _ in range(60 * len(exact))]
    counts = [draws.count(board) for board in exact]
    assert sum(counts) == len(draws) and stats.chisquare(counts).pvalue > 1e-4


def test_placements_are_uniform_over_each_room():
    answer = np.array([[0, 0, 0, 1], [2, 2, 2, 1]])
    cells = setter.random_placements(answer, 6000, np.random.default_rng(1))
    for room in range(3):
        at, counts = np.unique(cells[:, room], return_counts=True)
        assert at.tolist() == np.flatnonzero(answer.ravel() == room).tolist()
        assert stats.chisquare(counts).pvalue > 1e-4
