"""Tasquare searched in other orders: how many branch points a complete search needs depends on the cell it guesses
next.

The search of solver.py that climbs only up to a rung guesses beside the clues, in the order of the clues, and shades
first. Here the same rungs, trail and verdicts go with other choices, to see how far the choice moves the figures. Not
here: answers.
"""

import numpy as np

from ..machinery import search
from . import deduce, ladder, solver
from .deduce import ORDERS
from .layout import clauses, read
from .rules import RULES, Board


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
    rungs = ladder.rungs_to(top) & deduce.BELOW
    none = np.empty((0, board.rows * board.cols), np.uint8)
    clues = read(board.clues, RULES)
    found = solver.search_by_rungs(
        board.rows, board.cols, clues, clauses(RULES), rungs, ORDERS.index(order), 2, budget, search.NO_BUDGET, none
    )
    return int(found[1])
