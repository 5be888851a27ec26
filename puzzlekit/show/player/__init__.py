"""Boards to play in a notebook: what a genre has to say for its boards to be played. The widget itself is widget.py and
player.js.

Knows boards of cells and boards of walls, not genres. Importing this is cheap; the widget is loaded by `play`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...machinery import grid
from ...machinery.grid import SHADED, UNSHADED
from ...marks import CELLS, Marks


class Broken(NamedTuple):
    """A rule that the marks on a board break already, whatever is marked next.

    code : str            of the clause, as `check` names it
    sentence : str        which rule, and where
    cells : list          (r, c)
    walls : list          (r, c, "right" or "down"), for boards of walls
    """

    code: str
    sentence: str
    cells: list = []
    walls: list = []


class Game(NamedTuple):
    """What a genre knows about its boards while they are played.

    A state is uint8 (rows, cols) of UNKNOWN, UNSHADED and SHADED, or for boards of walls a pair of such arrays, right
    and down, of UNKNOWN, OPEN and WALL.
    """

    marks: Marks  # what is marked
    borders: Callable  # board -> labels of the cells' printed regions, or None
    broken: Callable  # board, state -> list of Broken
    solved: Callable  # board, state -> bool
    remaining: Callable  # board, state -> (answers that agree with the state, whether that is exact)
    # board, state -> share of these answers that mark each place, floats like the state; None without answers
    heat: Callable
    hint: Callable  # board, state -> the genre's Hint


def play(board, game):
    """The board as a `widget.Player`."""
    from .widget import Player

    return Player(board, game)


def game_of_cells(*, borders, broken, check, board_diagram, hint):
    """The Game of a genre whose cells are shaded or unshaded; `board_diagram` counts the answers that agree with a
    state.
    """

    def heat(board, state):
        diagram = board_diagram(board, settled=state)
        total = diagram.count()
        if total == 0:
            return None
        return np.asarray(diagram.marginals()[:, 1] / total, float).reshape(state.shape)

    return Game(
        marks=CELLS,
        borders=borders,
        broken=broken,
        solved=lambda board, state: check(board, state == SHADED) is None,
        remaining=lambda board, state: (board_diagram(board, settled=state).count(), True),
        heat=heat,
        hint=hint,
    )


def place(cell):
    """A cell in words."""
    return f"row {cell[0]}, column {cell[1]}"


def cells_where(chosen):
    """Cells (r, c) of a bool grid that are True."""
    return [(int(r), int(c)) for r, c in np.argwhere(chosen)]


def cut_off(state):
    """Unshaded cells that shaded ones keep from the other unshaded cells for good: the smallest part, or none."""
    pieces = grid.pieces((state == SHADED).astype(np.int32))
    parts = {}
    for cell in cells_where(state == UNSHADED):
        parts.setdefault(int(pieces[cell]), []).append(cell)
    return min(parts.values(), key=len) if len(parts) > 1 else []
