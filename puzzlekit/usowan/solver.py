"""Usowan solved: every answer of a board, or as many as are asked for, of one board or of many at a time.

The search learns from its contradictions (learner.py). With `top` it climbs the ladder to that rung between guesses
instead, and learns nothing, which measures how far a rung prunes.
"""

import numpy as np

from ..machinery import search
from ..machinery.grid import SHADED, UNKNOWN
from ..machinery.kernels import kernel
from . import ladder
from .layout import Clauses, _layout, clauses, layout
from .learner import _solve
from .rules import RULES, named_reading


def solve(board, limit=2, *, top=None, reading=RULES, budget=None):
    """Answers of a board by complete search, up to a limit.

    Parameters
    ----------
    board : Board
    limit : int                 stop after this many answers; 2 is enough to prove one unique
    top : str                   climb to this rung between guesses, and learn nothing; None lets the search use what is
                                fastest
    reading : Reading or str    the rules, or a misreading by name
    budget : int                branch points to spend; None is no limit

    Returns
    -------
    search.Solution             answers, unique, complete, branch_points; the answers in reading order, shaded before
                                unshaded

    Cost: about 25 microseconds to prove a 10 x 10 board unique, half of them before the search begins; see
    `solve_many`.
    """
    limit, budget = search.check_limits(limit, budget, board)
    reading = named_reading(reading)
    found = np.empty((limit, board.rows * board.cols), np.uint8)
    if top is None:
        counts, spent = np.empty((2, 1), np.int64)
        shapes = np.array([[board.rows, board.cols]], np.int64)
        _solve_many(
            shapes, _ONE, board.clues.ravel(), board.regions.ravel(), *_terms(reading), limit, budget, limit, counts,
            spent,
            found.ravel(),
        )  # fmt: skip
        count, branch_points = int(counts[0]), int(spent[0])
    else:
        rungs = ladder.rungs_to(top) & ~(1 << ladder.PROBE)
        count, branch_points = _climb_and_guess(
            layout(board, reading.scope), clauses(board, reading), rungs, budget, found
        )
    if count > 1:
        found = found[sorted(range(count), key=lambda i: found[i].tobytes(), reverse=True)]
    answers = found[:count].reshape(count, board.rows, board.cols)
    return search.Solution(answers, branch_points <= budget, branch_points, limit)


def solve_many(boards, limit=2, budget=None, *, reading=RULES):
    """Many boards solved at once, by one call of the compiled search; like `solve` for each of them, but only counting
    after two.

    Parameters
    ----------
    boards : iterable of Board, or a Batch from `pack`
    limit : int                 stop at this many answers of a board
    budget : int                branch points to spend on a board; None is no limit
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
    reading = named_reading(reading)
    batch = pack(boards)
    counts, branch_points = np.empty((2, len(batch.shapes)), np.int64)
    kept = np.empty(search.KEPT * batch.starts[-1], np.uint8)
    _solve_many(
        batch.shapes, batch.starts, *batch.layers, *_terms(reading), limit, budget, min(limit, search.KEPT), counts,
        branch_points, kept,
    )  # fmt: skip
    return search.Solutions(
        counts, branch_points, branch_points <= budget, limit, batch.shapes, kept, batch.starts[:-1]
    )


def pack(boards):
    """Boards packed for `solve_many`, once for several calls; a Batch is returned as it is."""
    return search.pack(boards, "clues", "regions")


_ONE = np.zeros(1, np.int64)  # where the cells of the only board begin


def _terms(reading):
    """A reading as `_solve_many` takes it: whole, fewest, most, touching."""
    return reading.scope == "board", reading.fewest, reading.most, ("nothing", "corner", "side").index(reading.touching)


@kernel
def _solve_many(
    shapes, starts, clues, regions, whole, fewest, most, touching, limit, budget, keep, counts, branch_points, kept
):
    """Solve the boards; keeps `keep` answers of each, max(keep, KEPT) boards apart. `touching` is 0 nothing, 1 corner,
    2 side.
    """
    stride = max(keep, search.KEPT)
    for i in range(shapes.shape[0]):
        rows, cols = shapes[i, 0], shapes[i, 1]
        n = rows * cols
        start, first = starts[i], stride * starts[i]
        board = _layout(rows, cols, clues[start : start + n], regions[start : start + n], whole)
        connected = touching == 2 or (touching == 1 and min(rows, cols) == 1)
        answers = kept[first : first + keep * n].reshape((keep, n))
        counts[i], branch_points[i] = _solve(
            board, Clauses(fewest, most, connected), rows, cols, limit, budget, answers
        )


@kernel
def _climb_and_guess(board, clauses, rungs, budget, answers):
    """Complete search with some rungs. Fills `answers`, uint8 (limit, n); returns (found, branch points), as `_solve`
    does.
    """
    n = board.near.shape[0]
    state = np.empty(n + 1, np.uint8)
    trail = np.empty(n, np.int32)
    rung_of = np.empty(n, np.uint8)
    marks = np.empty(n, np.int32)
    work = ladder._work(board)
    found = branch_points = depth = head = 0
    tail = ladder._start(board, state, trail)
    while True:
        tail = ladder._propagate(board, clauses, rungs, state, trail, head, tail, ladder.CELL, rung_of, work)
        if tail >= 0 and tail < n:
            branch_points += 1
            if branch_points > budget:
                return found, branch_points
            pick = 0
            while state[pick] != UNKNOWN:
                pick += 1
            head = tail
            tail = search.branch(state, trail, tail, marks, depth, pick, SHADED)
            depth += 1
            continue
        if tail < 0:
            ladder._forget(work)
        elif ladder._holds(board, clauses, state, trail, work):
            for cell in range(n):
                answers[found, cell] = state[cell] == SHADED
            found += 1
            if found == answers.shape[0]:
                return found, branch_points
        tail = search.retreat(state, trail, marks, depth)
        if tail == search.EXHAUSTED:
            return found, branch_points
        depth -= 1
        head = tail - 1
