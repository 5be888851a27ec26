"""Branch points by the order of guesses, against a search over the naive ladder and against the solver's own."""

import numpy as np
import pytest
from oracles.tasquare_ladder import Contradiction, Ladder

from puzzlekit.lab import bank
from puzzlekit.tasquare import orders
from puzzlekit.tasquare.setter import make
from puzzlekit.tasquare.solver import solve


def guesses(ladder, top, pick, state=None, alive=None):
    """Branch points of a search that looks at both sides of every guess."""
    try:
        state, alive = ladder.climb(top, state, alive)
    except Contradiction:
        return 0
    unknown = [cell for cell in ladder.cells if cell not in state]
    if not unknown:
        return 0
    cell = pick(ladder, state, unknown)
    return 1 + sum(guesses(ladder, top, pick, state | {cell: value}, alive) for value in (1, 0))


def in_reading_order(ladder, state, unknown):
    return unknown[0]


def most_settled(ladder, state, unknown):
    """At the edge of the grid a side without a cell counts as settled."""
    return max(unknown, key=lambda cell: 4 - sum(there not in state for there in ladder.near[cell]))


@pytest.mark.parametrize("top", ["clue", "prune", "white"])
def test_branch_points_of_a_naive_search(top):
    boards = [make(5, 5, np.random.default_rng([9, index])) for index in range(8)]
    spent = []
    for board in boards:
        ladder = Ladder(board.clues.tolist())
        for order, pick in (("in reading order", in_reading_order), ("the most settled neighbours", most_settled)):
            spent.append(orders.branch_points(board, top, order))
            assert spent[-1] == guesses(ladder, top, pick)
    assert max(spent) > 1


def test_the_solver_guesses_beside_the_clues():
    for board in bank.load("tasquare", 6, 6, 30).boards:
        assert orders.branch_points(board, "clue", "beside the clues") == solve(board, top="clue").branch_points


def test_a_budget_ends_the_search():
    (board,) = [
        board for board in bank.load("tasquare", 6, 6, 30).boards if solve(board, top="clue").branch_points > 5
    ][:1]
    assert orders.branch_points(board, "clue", "tightest clue", budget=3) == 4
    with pytest.raises(ValueError, match=r"unknown order 'at random'; choose from .*'in reading order'"):
        orders.branch_points(board, "clue", "at random")
