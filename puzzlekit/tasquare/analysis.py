"""What an analysis of one Tasquare board asks: shares of its answers, and what is Tasquare's own. The rest is
puzzlekit/lab/analysis.py.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..machinery.frontier import BUDGET
from ..machinery.memory import OverBudget
from . import clued, ladder, profile
from .rules import NO_CLUE, Board, blocks, sums


def answer_marginals(board: Board, *, budget: int = BUDGET) -> tuple[int, npt.NDArray[np.object_]]:
    """How many answers a board has, and how many of them shade each cell, exactly.

    Parameters
    ----------
    board : Board
    budget : int      bytes for the states

    Returns
    -------
    (int, object (rows, cols) of int)

    Raises
    ------
    ValueError, MemoryError     a board too wide, or over the budget: as for `count_answers`

    >>> from puzzlekit.tasquare.rules import Board
    >>> answer_marginals(Board([[1, -1], [-1, -1]]))
    (2, array([[0, 1],
           [1, 0]], dtype=object))
    """
    climbed = ladder.climb(board)  # what is certain keeps the diagram small
    if climbed.contradiction:
        return 0, 0 * board.clues.astype(object)
    diagram = clued.board_diagram(board, settled=climbed.state, budget=budget)
    return diagram.count(), diagram.marginals()[:, 1].reshape(board.clues.shape)


FINDINGS = {
    "positions alone": (
        "how many answers are left when only the places of the numbers are known, not their values; not counted where "
        "that takes more than the budget"
    ),
    "could print": "cells without a clue in which a number could stand too",
}


def own_findings(board: Board, answer: np.ndarray, *, budget: int = BUDGET) -> dict[str, Any]:
    """What only Tasquare asks of a board with one answer. What each name means is in FINDINGS; cells are (r, c), and
    what takes more than the budget is None.
    """
    try:
        wide = min(board.rows, board.cols) > profile.WIDEST
        left = None if wide else clued.count_answers(board.positions(), budget=budget)
    except OverBudget:
        left = None
    free = np.argwhere((sums(answer) > 0) & (board.clues == NO_CLUE))
    return {"positions alone": left, "could print": [tuple(cell) for cell in free.tolist()]}


def own_shares(board: Board, answer: np.ndarray) -> dict[str, tuple[int, int]]:
    """Figures of a board with one answer that only Tasquare has: dict from the name of a figure to (hits, of)."""
    legal = int((sums(answer) > 0).sum())
    return {
        "cells that could carry a number and do": (int((board.clues != NO_CLUE).sum()), legal),
        "shaded cells": (int(np.asarray(answer).sum()), answer.size),
        "shaded cells in squares of more than one": (
            sum(len(block) for block in blocks(answer) if len(block) > 1),
            int(answer.sum()),
        ),
    }
