"""Tasquare solved: every answer of a board, or as many as are asked for.

The search climbs some rungs of the ladder between guesses. Left to itself it takes the fastest ones, guesses beside the
clue that has fewest squares left to choose from, and after PATIENCE branch points probes before it guesses again.
"""

from collections.abc import Iterable

import numpy as np

from ..machinery import search
from ..machinery.grid import SHADED, UNKNOWN
from ..machinery.kernels import inner, kernel
from . import ladder
from .layout import _layout, clauses, layout
from .rules import ASKED, NO_CLUE, RULES, Board, Reading, named_reading

FASTEST = 1 << ladder.SHAPE | 1 << ladder.PRUNE | 1 << ladder.WHITE  # prune does what clue does
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
        clues = _read(board.clues.ravel(), reading)
        counts, spends = np.empty((2, 1), np.int64)
        shapes = np.array([[rows, cols]], np.int64)
        _solve_many(
            shapes, _ONE, clues, clauses(reading, eager=True), limit, budget, limit, counts, spends, found.ravel()
        )
        count, spent = int(counts[0]), int(spends[0])
    else:
        rungs = ladder.rungs_to(top) & ~(1 << ladder.PROBE)
        plan = layout(board, reading.number != "nothing")
        count, spent = _search(plan, clauses(reading), rungs, search.NO_BUDGET, limit, budget, found)
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
    clues = _read(batch.layers[0], reading)
    counts, spent = np.zeros((2, len(batch.shapes)), np.int64)
    kept = np.empty(search.KEPT * int(batch.starts[-1]), np.uint8)
    _solve_many(
        batch.shapes, batch.starts, clues, clauses(reading, eager=True), limit, budget, min(limit, search.KEPT),
        counts, spent, kept,
    )  # fmt: skip
    return search.Solutions(counts, spent, spent <= budget, limit, batch.shapes, kept, batch.starts[:-1])


def _read(clues, reading):
    """The clues that a reading reads, read-only: one type for the kernel, whoever calls it."""
    if reading.number == "nothing":
        clues = np.full(clues.shape, NO_CLUE, np.int32)
        clues.setflags(write=False)
    return clues


_ONE = np.zeros(1, np.int64)  # where the cells of the only board begin


@kernel
def _solve_many(shapes, starts, clues, clauses, limit, budget, keep, found, spent, kept):
    """Solve boards; keeps `keep` answers of each, max(keep, KEPT) boards apart."""
    stride = max(keep, search.KEPT)
    for i in range(shapes.shape[0]):
        n = shapes[i, 0] * shapes[i, 1]
        board = _layout(shapes[i, 0], shapes[i, 1], clues[starts[i] : starts[i] + n])
        first = stride * starts[i]
        answers = kept[first : first + keep * n].reshape(keep, n)
        found[i], spent[i] = _search(board, clauses, FASTEST, PATIENCE, limit, budget, answers)


@kernel
def _search(board, clauses, rungs, patience, limit, budget, answers):
    """Complete search. Fills `answers`, uint8 (few, n), as far as it has rows.

    Returns (found, branch points), branch points above the budget if it ran out. Without patience it guesses in reading
    order.
    """
    n = board.near.shape[0]
    work = ladder._work(board, clauses)
    state = np.empty(work.corner.shape[0], np.uint8)
    trail = np.empty(work.corner.shape[0], np.int32)
    rung_of = np.empty(work.corner.shape[0], np.uint8)
    marks = np.empty(n, np.int32)
    found = 0
    branch_points = 0
    depth = 0
    head: int | np.int64 = np.int64(0)  # not the constant 0, for which numba would compile everything once more
    tail = ladder._start(board, state, trail, rung_of, work)
    while True:
        tail = ladder._propagate(board, clauses, rungs, state, trail, head, tail, rung_of, work)
        if tail >= 0 and branch_points >= patience and ladder._unknown(state, n, 0) < n:
            tail = ladder._probe(board, clauses, rungs, state, trail, tail, rung_of, work)
        if tail >= 0:
            cell = _first(board, state, work) if patience == search.NO_BUDGET else _tightest(board, state, work)
            if cell < n:
                branch_points += 1
                if branch_points > budget:
                    return found, branch_points
                head = tail
                tail = search.branch(state, trail, tail, marks, depth, cell, SHADED)
                depth += 1
                continue
            if ladder._holds(board, clauses, rungs, state, trail, tail, rung_of, work):
                if found < answers.shape[0]:
                    for i in range(n):
                        answers[found, i] = state[i] == SHADED
                found += 1
                if found == limit:
                    return found, branch_points
        if depth > 0:
            ladder._undo(board, state, trail, marks[depth - 1] + 1, work)
        tail = search.retreat(state, trail, marks, depth)
        if tail == search.EXHAUSTED:
            return found, branch_points
        depth -= 1
        head = tail - 1


@inner
def _first(board, state, work):
    """The cell to guess, in reading order: unknown, beside a clue where there is one; n when all cells are settled."""
    n = board.near.shape[0]
    for cell in work.clue:
        for j in range(4):
            if state[board.near[cell, j]] == UNKNOWN:
                return board.near[cell, j]
    return ladder._unknown(state, n, 0)


@inner
def _tightest(board, state, work):
    """The cell to guess: beside the clue whose unknown neighbours have fewest squares left; n when all cells are
    settled.
    """
    n = board.near.shape[0]
    best = n
    fewest = 1 << 40
    for cell in work.clue:
        squares = 0
        pick = -1
        for j in range(4):
            there = board.near[cell, j]
            if state[there] == UNKNOWN:
                squares += work.cover[there]
                if pick < 0 or work.cover[there] < work.cover[pick]:
                    pick = there
        if pick >= 0 and squares < fewest:
            fewest = squares
            best = pick
    return best if best < n else ladder._unknown(state, n, 0)
