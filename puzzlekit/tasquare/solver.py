"""Tasquare solved: every answer of a board, or as many as are asked for.

The search climbs some rungs of the ladder between guesses. Left to itself it takes the fastest ones, guesses beside the
clue that has fewest squares left to choose from, and after PATIENCE branch points probes before it guesses again.
"""

from collections.abc import Iterable

import numpy as np

from ..machinery import search
from ..machinery.kernels import kernel
from . import deduce, ladder
from .layout import clauses, read
from .rules import ASKED, RULES, Board, Reading, named_reading

PATIENCE = 32


def solve(
    board: Board,
    limit: int = 2,
    *,
    top: str | tuple[str, ...] | None = None,
    reading: Reading | str = RULES,
    budget: int | None = None,
) -> search.Solution:
    """Answers of a board by complete search, up to a limit.

    Parameters
    ----------
    board : Board
    limit : int                 stop after this many answers; 2 is enough to prove one unique
    top : str                   climb only to this rung between guesses; None lets the search use what is fastest
    reading : Reading or str    the rules, or another reading by name
    budget : int                branch points to spend; None is no limit

    Returns
    -------
    search.Solution             answers, unique, complete, branch_points

    Cost: about 0.1 ms to prove a 10 x 10 board unique.
    """
    limit, budget = search.check_limits(limit, budget, board)
    rows, cols = board.rows, board.cols
    reading = named_reading(reading)
    found = np.empty((limit, rows * cols), np.uint8)
    if top is None:
        clues = read(board.clues, reading)
        counts, spends = np.empty((2, 1), np.int64)
        shapes = np.array([[rows, cols]], np.int64)
        _solve_many(
            shapes, _ONE, clues, clauses(reading, eager=True), limit, budget, limit, counts, spends, found.ravel()
        )
        count, spent = int(counts[0]), int(spends[0])
    else:
        rungs = ladder.rungs_to(top) & deduce.BELOW
        clues = read(board.clues, reading)
        count, spent = search_by_rungs(rows, cols, clues, clauses(reading), rungs, deduce.BESIDE, limit, budget, found)
    return search.Solution(found[:count].reshape(count, rows, cols), spent <= budget, spent, limit)


def solve_many(
    boards: search.Batch | np.ndarray | Iterable[Board],
    limit: int = 2,
    budget: int | None = None,
    *,
    reading: Reading | str = RULES,
) -> search.Solutions:
    """Answers of many boards by complete search, up to a limit for each, without the cost of a call for each.

    Parameters
    ----------
    boards : iterable of Board, search.Batch, or int (b, rows, cols)
    limit : int                 stop after this many answers of a board; 2 is enough to tell unique boards
    budget : int                branch points to spend on a board; None is no limit
    reading : Reading or str    the rules, or another reading by name

    Returns
    -------
    search.Solutions            counts, branch_points, complete, unique, unknown; [i] is the Solution of board i

    Cost: about 0.03 ms a unique board at 6 x 6, 0.06 ms at 8 x 8, 0.1 ms at 10 x 10.

    >>> found = solve_many(np.array([[[1, -1], [-1, -1]], [[-1, 4], [-1, -1]]]))
    >>> found.counts.tolist(), found[0].answers[0].tolist()
    ([2, 0], [[0, 1], [0, 0]])
    """
    limit, budget = search.check_limits(limit, budget)
    reading = named_reading(reading)
    batch = search.pack(boards, "clues", least=ASKED)
    clues = read(batch.layers[0], reading)
    counts, spent = np.zeros((2, len(batch.shapes)), np.int64)
    kept = np.empty(search.KEPT * int(batch.starts[-1]), np.uint8)
    _solve_many(
        batch.shapes, batch.starts, clues, clauses(reading, eager=True), limit, budget, min(limit, search.KEPT),
        counts, spent, kept,
    )  # fmt: skip
    return search.Solutions(counts, spent, spent <= budget, limit, batch.shapes, kept, batch.starts[:-1])


_ONE = np.zeros(1, np.int64)  # where the cells of the only board begin


@kernel
def _solve_many(shapes, starts, clues, clauses, limit, budget, keep, found, spent, kept):
    """Solve boards; keeps `keep` answers of each, max(keep, KEPT) boards apart."""
    stride = max(keep, search.KEPT)
    for i in range(shapes.shape[0]):
        n = shapes[i, 0] * shapes[i, 1]
        rules = deduce.begin(shapes[i, 0], shapes[i, 1], clues[starts[i] : starts[i] + n], clauses, deduce.TIGHTEST)
        first = stride * starts[i]
        answers = kept[first : first + keep * n].reshape(keep, n)
        t = deduce.trail(rules, deduce.JUDGES, False)
        found[i], spent[i] = deduce.search_plainly(rules, t, limit, min(budget, PATIENCE), answers)
        if budget > PATIENCE and spent[i] > PATIENCE:
            t = deduce.trail(rules, deduce.JUDGES, True)
            found[i], more = deduce.search(rules, t, limit, budget - PATIENCE, answers)
            spent[i] = PATIENCE + more


@kernel
def search_by_rungs(rows, cols, clues, clauses, rungs, order, limit, budget, answers):
    """Search that climbs some rungs between guesses and learns nothing. Fills `answers`, uint8 (few, n), as far as it
    has rows. Returns (found, branch points), branch points above the budget if it ran out.
    """
    rules = deduce.begin(rows, cols, clues, clauses, order)
    return deduce.search_plainly(rules, deduce.trail(rules, rungs, False), limit, budget, answers)
