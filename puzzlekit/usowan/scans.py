"""Usowan boards with one clue more or less: which clues carry the board, and which true number would break it.

Every question is one call for all variants of a board. Not here: what a setter does with the
answers (setter.py), and the tables they fill (questions.py).
"""

import numpy as np
import numpy.typing as npt

from ..machinery import search
from ..machinery.kernels import kernel
from . import ladder
from .layout import Clauses, clauses
from .rules import NO_CLUE, RULES, Board, liars
from .solver import solve, solve_many


def redundant_clues(board: Board) -> npt.NDArray[np.bool_]:
    """Clues that can be rubbed out, one at a time, so that the same answer stays the only one. The others are
    load-bearing.

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


def breaking_numbers(board: Board) -> npt.NDArray[np.bool_]:
    """Cells where one more true number gives the board a second answer: the number can be mistaken for its region's
    wrong one.

    Parameters
    ----------
    board : Board             with one answer

    Returns
    -------
    bool (rows, cols)         True where the answer's number, printed on an unshaded cell without a clue, breaks the
                              board

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


def true_numbers(answer: np.ndarray) -> npt.NDArray[np.int32]:
    """How many shaded cells share a side with each cell, int32 (rows, cols)."""
    counts = np.zeros(answer.shape, np.int32)
    counts[1:] += answer[:-1]
    counts[:-1] += answer[1:]
    counts[:, 1:] += answer[:, :-1]
    counts[:, :-1] += answer[:, 1:]
    return counts


def only_answer(board: Board) -> np.ndarray:
    """The one answer of a board; ValueError when it has none, or several."""
    found = solve(board).answers
    if len(found) != 1:
        raise ValueError(f"the board has {'several answers' if len(found) else 'no answer'}; this asks for exactly one")
    return found[0]


def variants(
    board: Board, cells: npt.ArrayLike, values: npt.ArrayLike, top: str | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
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
    clues = np.repeat(board.clues.reshape(1, -1), len(cells), axis=0)
    clues[np.arange(len(cells)), cells] = values
    closed = np.zeros(len(cells), bool)
    if top is not None:
        _climb_all(board.rows, board.cols, clues, board.regions.ravel(), *clauses(RULES), ladder.rungs_to(top), closed)
    counts = np.ones(len(cells), np.int64)  # the ladder is sound, so what it closes has one answer
    if not closed.all():
        counts[~closed] = solve_many(_batch(clues[~closed], board)).counts
    return counts, closed


def _batch(clues, board):
    """Boards with other clues on the regions of a board, as `solve_many` takes them; clues int32 (v, rows * cols)."""
    v, n = clues.shape
    layers = (clues.ravel(), np.tile(board.regions.ravel(), v))
    for layer in layers:
        layer.setflags(write=False)
    return search.Batch(np.tile(np.array(board.clues.shape), (v, 1)), np.arange(v + 1) * n, layers)


@kernel
def _climb_all(rows, cols, clues, regions, whole, fewest, most, touching, rungs, closed):
    """Which boards some rungs close: fills `closed`, bool (v,); clues int32 (v, n)."""
    for i in range(clues.shape[0]):
        closed[i] = ladder.closes(rows, cols, clues[i], regions, Clauses(whole, fewest, most, touching), rungs)
