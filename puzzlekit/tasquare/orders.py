"""Tasquare searched in other orders: how many branch points a complete search needs depends on the cell it guesses
next.

The search of solver.py that climbs only up to a rung guesses beside the clues, in the order of the clues, and shades
first. Here the same rungs, trail and verdicts go with other choices, to see how far the choice moves the figures. Not
here: answers.
"""

import numpy as np

from ..machinery import search
from ..machinery.grid import SHADED, UNKNOWN
from ..machinery.kernels import inner, kernel
from . import ladder, solver
from .layout import clauses, layout
from .rules import RULES, Board

ORDERS = (
    "beside the clues",
    "in reading order",
    "the most settled neighbours",
    "the fewest squares over it",
    "tightest clue",
)
_CLUES, _READING, _SETTLED, _SQUARES, _TIGHTEST = range(5)


def branch_points(board: Board, top: str, order: str, *, budget: int | None = None) -> int:
    """Branch points of a complete search up to a second answer, by the order in which cells are guessed.

    Parameters
    ----------
    board : Board
    top : str               climb only to this rung between guesses
    order : str             of ORDERS: which unknown cell is guessed
    budget : int            branch points after which the search is ended; None is no limit

    Returns
    -------
    int                     more than the budget where it was ended

    >>> from puzzlekit.tasquare.rules import Board
    >>> board = Board([[4, -1, -1], [-2, -1, -1]])
    >>> [branch_points(board, "shape", order) for order in ORDERS]
    [7, 7, 7, 7, 7]
    """
    if order not in ORDERS:
        raise ValueError(f"unknown order {order!r}; choose from {ORDERS}")
    _, budget = search.check_limits(2, budget)
    rungs = ladder.rungs_to(top) & ~(1 << ladder.PROBE)
    return int(_branch_points(layout(board), clauses(RULES), rungs, ORDERS.index(order), budget))


@inner
def _pick(board, state, work, order):
    """The cell to guess; n when all cells are settled."""
    n = board.near.shape[0]
    if order == _CLUES:
        return solver._first(board, state, work)
    if order == _TIGHTEST:
        return solver._tightest(board, state, work)
    if order == _READING:
        return ladder._unknown(state, n, 0)
    best = n
    most = -(1 << 40)
    for cell in range(n):
        if state[cell] == UNKNOWN:
            worth = 0
            if order == _SETTLED:
                for j in range(4):
                    worth += state[board.near[cell, j]] != UNKNOWN
            else:
                worth = -work.cover[cell]
            if worth > most:
                most = worth
                best = cell
    return best


@kernel
def _branch_points(board, clauses, rungs, order, budget):
    """The loop of solver._search, which keeps no answers."""
    n = board.near.shape[0]
    work = ladder._work(board, clauses)
    state = np.empty(work.corner.shape[0], np.uint8)
    trail = np.empty(work.corner.shape[0], np.int32)
    rung_of = np.empty(work.corner.shape[0], np.uint8)
    marks = np.empty(n, np.int32)
    found = 0
    branch_points = 0
    depth = 0
    head: int | np.int64 = np.int64(0)
    tail = ladder._start(board, state, trail, rung_of, work)
    while True:
        tail = ladder._propagate(board, clauses, rungs, state, trail, head, tail, rung_of, work)
        if tail >= 0:
            cell = _pick(board, state, work, order)
            if cell < n:
                branch_points += 1
                if branch_points > budget:
                    return branch_points
                head = tail
                tail = search.branch(state, trail, tail, marks, depth, cell, SHADED)
                depth += 1
                continue
            found += ladder._holds(board, clauses, rungs, state, trail, tail, rung_of, work)
            if found == 2:
                return branch_points
        if depth > 0:
            ladder._undo(board, state, trail, marks[depth - 1] + 1, work)
        tail = search.retreat(state, trail, marks, depth)
        if tail == search.EXHAUSTED:
            return branch_points
        depth -= 1
        head = tail - 1
