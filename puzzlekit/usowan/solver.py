"""Usowan solved: every answer of a board, or as many as are asked for, of one board or of many at a time.

The search learns from its contradictions. With `top` it climbs the ladder to that rung between guesses
instead, and learns nothing, which measures how far a rung prunes.
"""

from collections.abc import Iterable

import numpy as np

from ..machinery import search
from ..machinery.kernels import kernel
from ..machinery.learning import MOST
from . import deduce, ladder
from .layout import Clauses, clauses
from .rules import RULES, Board, Reading, named_reading


def solve(
    board: Board,
    limit: int = 2,
    *,
    top: str | tuple[str, ...] | None = None,
    reading: Reading | str = RULES,
    budget: int | None = None,
    work: int | None = search.WORK,
) -> search.Solution:
    """Answers of a board by complete search, up to a limit.

    Parameters
    ----------
    board : Board
    limit : int                 stop after this many answers; 2 is enough to prove one unique
    top : str                   climb to this rung between guesses, and learn nothing; None lets the search use what is
                                fastest
    reading : Reading or str    the rules, or a misreading by name
    budget : int                branch points to spend; None is no limit
    work : int                  what may be looked at: all cells and numbers for each guess, and those that are taken
                                back; None is no limit

    Returns
    -------
    search.Solution             answers, unique, complete, branch_points; the answers in reading order, shaded before
                                unshaded

    Cost: about 25 microseconds to prove a 10 x 10 board unique, half of them before the search begins; see
    `solve_many`.
    """
    limit, budget = search.check_limits(limit, budget, board)
    work = search.check_work(work)
    terms = clauses(named_reading(reading))
    found = np.empty((limit, board.rows * board.cols), np.uint8)
    counts, spent = np.empty((2, 1), np.int64)
    if top is None:
        shapes = np.array([[board.rows, board.cols]], np.int64)
        _solve_many(
            shapes, _ONE, board.clues.ravel(), board.regions.ravel(), *terms, limit, budget, work, limit, counts, spent,
            found.ravel(),
        )  # fmt: skip
    else:
        rungs = ladder.rungs_to(top) & deduce.BELOW
        _solve_by(
            board.rows,
            board.cols,
            board.clues.ravel(),
            board.regions.ravel(),
            *terms,
            rungs,
            budget,
            work,
            counts,
            spent,
            found,
        )
    count, branch_points = int(counts[0]), int(spent[0])
    if count > 1:
        found = found[sorted(range(count), key=lambda i: found[i].tobytes(), reverse=True)]
    answers = found[:count].reshape(count, board.rows, board.cols)
    return search.Solution(answers, 0 <= branch_points <= budget, max(branch_points, ~branch_points), limit)


def solve_many(
    boards: search.Batch | np.ndarray | Iterable[Board],
    limit: int = 2,
    budget: int | None = None,
    *,
    reading: Reading | str = RULES,
    work: int | None = search.WORK,
) -> search.Solutions:
    """Many boards solved at once, by one call of the compiled search; like `solve` for each of them, but only counting
    after two.

    Parameters
    ----------
    boards : iterable of Board, or a Batch from `pack`
    limit : int                 stop at this many answers of a board
    budget : int                branch points to spend on a board; None is no limit
    work : int                  what may be looked at on a board; see `solve`
    reading : Reading or str    the rules, or a misreading by name

    Returns
    -------
    search.Solutions            counts, unique, unknown, complete, branch_points, and the first answers of every board

    Cost: about 15 microseconds for a 10 x 10 board with one answer.

    >>> from puzzlekit import bank
    >>> found = solve_many(bank.load("usowan", 6, 6, 100).boards)
    >>> len(found), int(found.unique.sum()), found[0].answers.shape
    (100, 100, (1, 6, 6))
    """
    limit, budget = search.check_limits(limit, budget)
    work = search.check_work(work)
    terms = clauses(named_reading(reading))
    batch = pack(boards)
    clues, regions = batch.layers
    counts, branch_points = np.empty((2, len(batch.shapes)), np.int64)
    kept = np.empty(search.KEPT * batch.starts[-1], np.uint8)
    _solve_many(
        batch.shapes, batch.starts, clues, regions, *terms, limit, budget, work, min(limit, search.KEPT),
        counts, branch_points, kept,
    )  # fmt: skip
    complete = search.ended(branch_points, budget)
    return search.Solutions(counts, branch_points, complete, limit, batch.shapes, kept, batch.starts[:-1])


def pack(boards: search.Batch | np.ndarray | Iterable[Board]) -> search.Batch:
    """Boards packed for `solve_many`, once for several calls; a Batch is returned as it is."""
    return search.pack(boards, "clues", "regions")


_ONE = np.zeros(1, np.int64)  # where the cells of the only board begin


@kernel
def _solve_many(
    shapes,
    starts,
    clues,
    regions,
    whole,
    fewest,
    most,
    touching,
    limit,
    budget,
    work,
    keep,
    counts,
    branch_points,
    kept,
):
    """Solve the boards; keeps `keep` answers of each, max(keep, KEPT) boards apart."""
    clauses = Clauses(whole, fewest, most, touching)
    stride = max(keep, search.KEPT)
    for i in range(shapes.shape[0]):
        n = shapes[i, 0] * shapes[i, 1]
        start, first = starts[i], stride * starts[i]
        answers = kept[first : first + keep * n].reshape((keep, n))
        rules = deduce.begin(shapes[i, 0], shapes[i, 1], clues[start : start + n], regions[start : start + n], clauses)
        trail = deduce.trail(rules, deduce.JUDGES, True)
        trail.at[MOST] = work
        counts[i], branch_points[i] = deduce.search(rules, trail, limit, budget, answers)


@kernel
def _solve_by(
    rows, cols, clues, regions, whole, fewest, most, touching, rungs, budget, work, counts, branch_points, answers
):
    """Solve a board by rungs between guesses; fills `answers`, uint8 (limit, n)."""
    rules = deduce.begin(rows, cols, clues, regions, Clauses(whole, fewest, most, touching))
    trail = deduce.trail(rules, rungs, True)
    trail.at[MOST] = work
    counts[0], branch_points[0] = deduce.search_by_rungs(rules, trail, answers.shape[0], budget, answers)
