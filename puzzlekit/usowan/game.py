"""Usowan to play: what the marks on a board break already, and the board as a widget. Plain Python."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..machinery.grid import SHADED, UNSHADED, GridLike, cell_name
from ..show import player
from ..show.player import Broken, cells_where, cut_off
from .clued import board_diagram
from .explain import hint
from .rules import NO_CLUE, Board, bounds_beside, check

if TYPE_CHECKING:
    from ..show.player.widget import Player


def broken(board: Board, state: GridLike) -> list[Broken]:
    """The rules that a state breaks already, whatever the unknown cells become.

    Parameters
    ----------
    board : Board
    state : int (rows, cols)     UNKNOWN, UNSHADED or SHADED; cells with a clue count as unshaded

    Returns
    -------
    list of player.Broken        empty does not mean that an answer is left

    >>> from puzzlekit.usowan import Board
    >>> board = Board([[1, -1, -1], [-1, -1, 2]], [[0, 0, 0], [0, 0, 0]])
    >>> [fault.sentence for fault in broken(board, [[0, 2, 2], [0, 0, 0]])]
    ['Shaded cells touch at R1C2 and R1C3.']
    """
    state = np.array(state)
    printed = board.clues != NO_CLUE
    found = [
        Broken("clue-shaded", f"The clue at {cell_name(*cell)} is shaded.", [cell])
        for cell in cells_where(printed & (state == SHADED))
    ]
    state[printed] = UNSHADED
    shaded = state == SHADED
    for first, second in _touching(shaded):
        sentence = f"Shaded cells touch at {cell_name(*first)} and {cell_name(*second)}."
        found.append(Broken("shaded-adjacent", sentence, [first, second]))
    lost = cut_off(state)
    if lost or shaded.all():
        where = f": {cell_name(*lost[0])} is cut off" if lost else ""
        found.append(Broken("white-split", f"The unshaded cells are not one region{where}.", lost))
    for region, cells in enumerate(board.clues_by_region):
        bounds = [bounds_beside(state, *cell) for cell in cells]
        wrong = [cell for cell, (low, high) in zip(cells, bounds, strict=True) if not low <= board.clues[cell] <= high]
        right = [cell for cell, (low, high) in zip(cells, bounds, strict=True) if low == high == board.clues[cell]]
        if len(wrong) > 1:
            places = " and ".join(cell_name(*cell) for cell in wrong[:2])
            found.append(Broken("region-lies-not-one", f"Two numbers of one region are wrong: {places}.", wrong))
        elif len(right) == len(cells):
            corner = cells_where(board.regions == region)[0]
            sentence = f"No number is wrong in the region of {cell_name(*corner)}."
            found.append(Broken("region-lies-not-one", sentence, cells or [corner]))
    return found


def _touching(shaded):
    pairs = [((r, c), (r, c + 1)) for r, c in cells_where(shaded[:, 1:] & shaded[:, :-1])]
    return pairs + [((r, c), (r + 1, c)) for r, c in cells_where(shaded[1:] & shaded[:-1])]


SCRIPT = Path(__file__).with_name("broken.js")
GAME = player.game_of_cells(
    borders=lambda board: board.regions,
    broken=broken,
    check=check,
    board_diagram=board_diagram,
    hint=hint,
    script=SCRIPT,
)


def play(board: Board) -> "Player":
    """The board as a widget to play in a notebook; see `player.widget.Player`."""
    return player.play(board, GAME)
