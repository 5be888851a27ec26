"""Tasquare to play: what the marks on a board break already, and the board as a widget. Plain Python."""

from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..machinery.grid import SHADED, UNKNOWN, UNSHADED, GridLike, cell_name
from ..show import player
from ..show.player import Broken, cells_where, cut_off
from .clued import board_diagram
from .explain import hint
from .rules import NO_CLUE, Board, beside, blocks, check

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

    >>> from puzzlekit.tasquare import Board
    >>> board = Board([[1, -1, -1], [-1, -1, -1]])
    >>> [fault.code for fault in broken(board, [[0, 2, 2], [1, 1, 1]])]
    ['block-not-square', 'sum-mismatch']
    """
    state = np.array(state)
    printed = board.clues != NO_CLUE
    found = [
        Broken("clue-shaded", f"The clue at {cell_name(*cell)} is shaded.", [cell])
        for cell in cells_where(printed & (state == SHADED))
    ]
    state[printed] = UNSHADED
    if (state == UNSHADED).all():
        found.append(Broken("nothing-shaded", "Nothing is shaded.", []))
    shown = blocks((state == SHADED).astype(np.uint8))
    open_to = [
        {cell for at in block for cell in beside(board.rows, board.cols, *at) if state[cell] == UNKNOWN}
        for block in shown
    ]
    for block, unknown in zip(shown, open_to, strict=True):
        (top, left), (bottom, right) = map(min, zip(*block, strict=True)), map(max, zip(*block, strict=True))
        side, box = isqrt(len(block)), state[top : bottom + 1, left : right + 1]
        whole = side * side == len(block) and box.shape == (side, side)
        if (box == UNSHADED).any() or not (unknown or whole):
            found.append(Broken("block-not-square", f"The block at {cell_name(*block[0])} cannot be a square.", block))
    if lost := cut_off(state):
        sentence = f"The unshaded cells are not one region: {cell_name(*lost[0])} is cut off."
        found.append(Broken("white-split", sentence, lost))
    for cell in cells_where(printed):
        around = beside(board.rows, board.cols, *cell)
        touching = [i for i, block in enumerate(shown) if not set(block).isdisjoint(around)]
        area, value = sum(len(shown[i]) for i in touching), int(board.clues[cell])
        settled = not any(state[at] == UNKNOWN for at in around) and not any(open_to[i] for i in touching)
        if not any(state[at] in (UNKNOWN, SHADED) for at in around):
            found.append(
                Broken("clue-touches-no-shading", f"The clue at {cell_name(*cell)} has no shading beside it.", [cell])
            )
        elif value >= 0 and (area > value or (settled and area != value)):
            sentence = f"The blocks beside the {value} at {cell_name(*cell)} have {area} cells."
            found.append(Broken("sum-mismatch", sentence, [cell]))
    return found


SCRIPT = Path(__file__).with_name("broken.js")
GAME = player.game_of_cells(
    borders=lambda board: None, broken=broken, check=check, board_diagram=board_diagram, hint=hint, script=SCRIPT
)


def play(board: Board) -> "Player":
    """The board as a widget to play in a notebook; see `player.widget.Player`."""
    return player.play(board, GAME)
