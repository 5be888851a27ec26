"""Usowan boards with one clue more or less: which clues carry the board, and which true number would break it.

Every question is one call of a kernel that changes a clue, solves, and changes it back. Not here: what a setter does with the
answers (setter.py), and the tables they fill (questions.py).
"""

import numpy as np

from ..machinery import search
from ..machinery.kernels import kernel
from . import ladder
from .layout import _layout, clauses
from .learner import _solve
from .rules import NO_CLUE, RULES, liars
from .solver import solve


def redundant_clues(board):
    """Clues that can be rubbed out, one at a time, so that the same answer stays the only one. The others are load-bearing.

    Parameters
    ----------
    board : Board             with one answer

    Returns
    -------
    bool (rows, cols)         True where a clue can go. A region's wrong number never can

    Raises
    ------
    ValueError                the board has no answer, or several

    Cost: about a millisecond at 10 x 10.

    >>> from puzzlekit import bank
    >>> board = bank.load("usowan", 6, 6, 1).boards[0]
    >>> board.numbers, int(redundant_clues(board).sum())
    (16, 0)
    """
    answer = only_answer(board)
    redundant = np.zeros(board.clues.shape, bool)
    can_go = board.clues != NO_CLUE
    can_go[tuple(np.array([cell for cells in liars(board, answer) for cell in cells], int).T)] = False
    counts, _ = variants(board, np.flatnonzero(can_go), NO_CLUE)
    redundant[can_go] = counts == 1
    return redundant


def breaking_numbers(board):
    """Cells where one more true number gives the board a second answer: the number can be mistaken for its region's wrong one.

    Parameters
    ----------
    board : Board             with one answer

    Returns
    -------
    bool (rows, cols)         True where the answer's number, printed on an unshaded cell without a clue, breaks the board

    Raises
    ------
    ValueError                the board has no answer, or several

    Cost: about a millisecond at 10 x 10. What the ladder makes of such boards is questions.fates_of_true_numbers.
    """
    answer = only_answer(board)
    free = (board.clues == NO_CLUE) & (answer == 0)
    breaking = np.zeros(board.clues.shape, bool)
    counts, _ = variants(board, np.flatnonzero(free), true_numbers(answer)[free])
    breaking[free] = counts != 1
    return breaking


def true_numbers(answer):
    """How many shaded cells share a side with each cell, int32 (rows, cols)."""
    counts = np.zeros(answer.shape, np.int32)
    counts[1:] += answer[:-1]
    counts[:-1] += answer[1:]
    counts[:, 1:] += answer[:, :-1]
    counts[:, :-1] += answer[:, 1:]
    return counts


def only_answer(board):
    """The one answer of a board; ValueError when it has none, or several."""
    found = solve(board).answers
    if len(found) != 1:
        raise ValueError(f"the board has {'several answers' if len(found) else 'no answer'}; this asks for exactly one")
    return found[0]


def variants(board, cells, values, top=None):
    """Answers, up to two, of a board with another clue on one cell; for many cells, each time the others as they were.

    Parameters
    ----------
    board : Board
    cells : int (v,)            as r * cols + c
    values : int or int (v,)    the clue on each
    top : str                   climb to this rung first, and solve only what that does not close

    Returns
    -------
    (int64 (v,), bool (v,))     answers found; whether the ladder closed the board
    """
    cells = np.asarray(cells, np.int64)
    counts, closed = np.empty(len(cells), np.int64), np.zeros(len(cells), bool)
    _variants(
        board.rows, board.cols, board.clues.ravel(), board.regions.ravel(), clauses(board, RULES),
        0 if top is None else ladder.rungs_to(top), cells, np.full(len(cells), values, np.int32), counts, closed,
    )  # fmt: skip
    return counts, closed


@kernel
def _variants(rows, cols, clues, regions, terms, rungs, cells, values, counts, closed):
    n = rows * cols
    changed = clues.copy()
    state = np.empty(n + 1, np.uint8)
    trail = np.empty(n, np.int32)
    rung_of = np.empty(n, np.uint8)
    found = np.empty((0, n), np.uint8)
    for i in range(cells.shape[0]):
        changed[cells[i]] = values[i]
        plan = _layout(rows, cols, changed, regions, False)
        if rungs and ladder._climb(plan, terms, rungs, state, trail, rung_of) == n:
            counts[i] = 1  # the ladder is sound, so what it closes has one answer
            closed[i] = True
        else:
            counts[i], _ = _solve(plan, terms, rows, cols, 2, search.NO_BUDGET, found)
        changed[cells[i]] = clues[cells[i]]
