"""Tasquare boards looked through clue by clue: every variant of a board solved in one call.

Not here: what the ladder makes of the variants; the setter asks that when it rubs out.
"""

import numpy as np
import numpy.typing as npt

from . import solver
from .rules import NO_CLUE, Board


def redundant_clues(board: Board) -> npt.NDArray[np.bool_]:
    """Clues that can be rubbed out, one at a time, so that the same answer stays the only one. The others are
    load-bearing.

    Parameters
    ----------
    board : Board             with one answer

    Returns
    -------
    bool (rows, cols)         True where a clue can go

    Raises
    ------
    ValueError                the board has no answer, or several

    Cost: about 3 ms at 10 x 10.

    >>> from puzzlekit.tasquare.rules import Board
    >>> redundant_clues(Board([[4, -1, -1], [-2, -1, -1]])).tolist()
    [[False, False, False], [True, False, False]]
    """
    if not solver.solve(board).unique:
        raise ValueError("the board has no answer, or several; only where there is one can a clue be redundant")
    at = np.flatnonzero(board.clues.ravel() != NO_CLUE)
    variants = np.repeat(board.clues.reshape(1, -1), len(at), axis=0)
    variants[np.arange(len(at)), at] = NO_CLUE
    redundant = np.zeros(board.clues.size, bool)  # the answer stays right, so one answer is the same answer
    redundant[at] = solver.solve_many(variants.reshape(-1, board.rows, board.cols)).unique
    return redundant.reshape(board.clues.shape)
