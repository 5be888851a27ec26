"""Boards to play: what a genre has to say for its boards to be played. player.js draws them and takes marks, in
notebooks for widget.py, on pages without Python for page.py.

Knows boards of cells and boards of walls, not genres. Importing this is cheap; the widget is loaded by `play`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...boards import ASKED, NO_CLUE
from ...machinery import grid
from ...machinery.grid import SHADED, UNSHADED, Cell, Key, Side
from ...marks import CELLS, Marks
from .. import pictures

if TYPE_CHECKING:
    from ...boards.board import PrintedBoard
    from ...machinery.explanation import Hint
    from ...machinery.frontier import Diagram
    from .widget import Player


class Broken(NamedTuple):
    """A rule that the marks on a board break already, whatever is marked next.

    code : str            of the clause, as `check` names it
    sentence : str        which rule, and where
    cells : list          (r, c)
    walls : list          (r, c, "right" or "down"), for boards of walls
    """

    code: str
    sentence: str
    cells: list[Cell] = []
    walls: list[Side] = []


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
    script: Path  # `broken` in JavaScript, for pages without Python


def puzzle(board: "PrintedBoard", game: Game) -> dict[str, Any]:
    """What player.js draws: a board as plain lists, its cells and its marks numbered in reading order."""
    rows, cols = board.rows, board.cols
    labels = game.borders(board)
    lettered = [] if labels is None else pictures.lettered(labels, board.clues).items()
    return {
        "genre": board.genre.capitalize(),
        "rows": rows,
        "cols": cols,
        "walls": game.marks.sides,
        "places": sum(r * c for r, c in game.marks.shapes(rows, cols)),
        "clues": ["" if x == NO_CLUE else "?" if x == ASKED else str(x) for x in board.clues.ravel().tolist()],
        "regions": [] if labels is None else np.asarray(labels).ravel().tolist(),
        "names": [grid.cell_name(r, c) for r, c in np.ndindex(rows, cols)],
        "margins": {"rows": [f"R{r + 1}" for r in range(rows)], "cols": [f"C{c + 1}" for c in range(cols)]},
        "letters": [[number(board, cell), letter] for cell, letter in lettered],
        "asks": [],
        "steps": 0,
    }


def number(board: "PrintedBoard", key: Key) -> int:
    """Number of a cell, or of a side among all sides: those to the right of cells come first, then those below."""
    r, c = key[:2]
    if len(key) == 2:
        return r * board.cols + c
    return r * (board.cols - 1) + c if key[2] == "right" else board.rows * (board.cols - 1) + r * board.cols + c


def numbers(board: "PrintedBoard", keys: Iterable[Key]) -> dict[str, list[int]]:
    """Cells (r, c) and sides (r, c, "right" or "down") by their numbers, apart."""
    keys = list(keys)
    return {
        "cells": [number(board, key) for key in keys if len(key) == 2],
        "walls": [number(board, key) for key in keys if len(key) == 3],
    }


def play(board: "PrintedBoard", game: Game) -> "Player":
    """The board as a `widget.Player`."""
    from .widget import Player

    return Player(board, game)


def game_of_cells(
    *,
    borders: Callable[[Any], np.ndarray | None],
    broken: Callable[[Any, np.ndarray], list[Broken]],
    check: Callable[[Any, np.ndarray], str | None],
    board_diagram: "Callable[..., Diagram]",
    hint: "Callable[[Any, np.ndarray], Hint]",
    script: Path,
) -> Game:
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
        script=script,
    )


def cells_where(chosen: npt.NDArray[np.bool_]) -> list[Cell]:
    """Cells (r, c) of a bool grid that are True."""
    return [(int(r), int(c)) for r, c in np.argwhere(chosen)]


def cut_off(state: np.ndarray) -> list[Cell]:
    """Unshaded cells that shaded ones keep from the other unshaded cells for good: the smallest part, or none."""
    pieces = grid.pieces((state == SHADED).astype(np.int32))
    parts: dict[int, list[Cell]] = {}
    for cell in cells_where(state == UNSHADED):
        parts.setdefault(int(pieces[cell]), []).append(cell)
    return min(parts.values(), key=len) if len(parts) > 1 else []
