"""What an analysis of one Usowan board asks: shares of its answers, and what is Usowan's own. The rest is
puzzlekit/lab/analysis.py.
"""

import numpy as np
import numpy.typing as npt

from ..machinery import grid
from ..machinery.frontier import BUDGET
from ..machinery.grid import Cell
from . import clued, ladder, questions
from .rules import Board, liars


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

    >>> from puzzlekit.usowan.rules import Board
    >>> answer_marginals(Board([[1, -1], [-1, -1]], [[0, 0], [0, 0]]))
    (2, array([[0, 0],
           [0, 1]], dtype=object))
    """
    climbed = ladder.climb(board)  # what is certain keeps the diagram small
    if climbed.contradiction:
        return 0, 0 * board.clues.astype(object)
    diagram = clued.board_diagram(board, settled=climbed.state, budget=budget)
    return diagram.count(), diagram.marginals()[:, 1].reshape(board.clues.shape)


FINDINGS = {
    "liars": "the wrong numbers",
    "announce": "the wrong numbers that give themselves away: each is as large as its cell has neighbours",
    "breaks": "unshaded cells where one more true number would give the board a second answer",
    "out of reach": (
        "unshaded cells where one more true number would leave one answer that the ladder up to connect no longer finds"
    ),
}


def own_findings(board: Board, answer: np.ndarray, *, budget: int = BUDGET) -> dict[str, list[Cell]]:
    """What only Usowan asks of a board with one answer: lists of cells (r, c). What each name means is in FINDINGS."""
    lies = [cell for cells in liars(board, answer) for cell in cells]
    degree = (grid.neighbours(board.rows, board.cols) >= 0).sum(axis=1).reshape(board.clues.shape)
    fates = questions.fates_of_true_numbers(board, answer)
    return {
        "liars": lies,
        "announce": [cell for cell in lies if board.clues[cell] == degree[cell]],
        "breaks": [cell for cell, fate in fates.items() if fate == "second answer"],
        "out of reach": [cell for cell, fate in fates.items() if fate == "out of reach"],
    }


def own_shares(board: Board, answer: np.ndarray) -> dict[str, tuple[int, int]]:
    """Figures of a board with one answer that only Usowan has: dict from the name of a figure to (hits, of)."""
    found = own_findings(board, answer)
    free = int(((board.clues < 0) & (answer == 0)).sum())
    return {
        "numbers that lie": (len(found["liars"]), board.numbers),
        "lies that announce themselves": (len(found["announce"]), len(found["liars"])),
        "true numbers that break the board": (len(found["breaks"]), free),
        "boards that a true number can break": (int(bool(found["breaks"])), 1),
    }
