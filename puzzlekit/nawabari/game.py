"""Nawabari to play: what the marks on a board break already, and the board as a widget. Plain Python."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..boards import puzzlink
from ..machinery.grid import cell_name
from ..marks import SIDES, Places
from ..show import player
from ..show.player import Broken
from .explain import hint
from .rules import NO_CLUE, OPEN, UNKNOWN, WALL, Board, Walls, as_walls, check
from .solver import solve

if TYPE_CHECKING:
    from ..show.player.widget import Player

LISTED = 10_000  # answers that are looked at to count those that agree with the marks


def broken(board: Board, state: Places) -> list[Broken]:
    """The rules that a state breaks already, whatever the unknown walls become.

    Parameters
    ----------
    board : Board
    state : (right, down)     int (rows, cols - 1) and (rows - 1, cols): UNKNOWN, OPEN or WALL

    Returns
    -------
    list of player.Broken     empty does not mean that an answer is left

    >>> from puzzlekit.nawabari import Board
    >>> [fault.sentence for fault in broken(Board([[3, -1, -1, 3]]), ([[1, 1, 1]], []))]
    ['The room of R1C1 has several numbers.']
    """
    rows, cols = board.clues.shape
    right = np.asarray(state[0]).reshape(rows, cols - 1)
    down = np.asarray(state[1]).reshape(rows - 1, cols)
    # with a frame around: sides[r, c + 1] is right of (r, c), lids[r + 1, c] below it
    sides = np.pad(right, ((0, 0), (1, 1)), constant_values=WALL)
    lids = np.pad(down, ((1, 1), (0, 0)), constant_values=WALL)
    return [*_numbers(board, sides, lids), *_points(right, down), *_rooms(board, right, down, sides, lids)]


def _numbers(board, sides, lids):
    for r, c in np.argwhere(board.clues >= 0).tolist():
        around = [sides[r, c], sides[r, c + 1], lids[r, c], lids[r + 1, c]]
        low, value = around.count(WALL), int(board.clues[r, c])
        if not low <= value <= low + around.count(UNKNOWN):
            yield Broken(
                "wall-count-mismatch", f"The {value} at {cell_name(r, c)} cannot have {value} walls.", [(r, c)]
            )


def _points(right, down):
    """Wall patterns around the inner points of the grid: no wall ends there, and none turns there."""
    for r in range(len(down)):
        for c in range(right.shape[1]):
            above, below, left, beyond = right[r, c], right[r + 1, c], down[r, c], down[r, c + 1]
            around = [above, below, left, beyond]
            walls = [(r, c, "right"), (r + 1, c, "right"), (r, c, "down"), (r, c + 1, "down")]
            corner = f"the lower right corner of {cell_name(r, c)}"
            if UNKNOWN in around:
                continue
            if around.count(WALL) == 1:
                yield Broken("dead-end-wall", f"A wall ends at {corner}.", [], walls)
            elif around.count(WALL) == 2 and above != below:
                yield Broken("room-not-rectangle", f"A wall turns at {corner}, so a room has a bend.", [], walls)


def _rooms(board, right, down, sides, lids):
    """Pieces that are joined for certain: the smallest rectangle around them belongs to their room."""
    pieces = puzzlink.regions_between(right != OPEN, down != OPEN)
    for piece in range(pieces.max() + 1):
        cells = np.argwhere(pieces == piece)
        (top, left), (bottom, last) = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
        at = f"The room of {cell_name(*cells[0])}"
        around = [(r, c) for r in range(top, bottom + 1) for c in range(left, last + 1)]
        inside = [(r, c, "right") for r in range(top, bottom + 1) for c in range(left, last) if right[r, c] == WALL]
        inside += [(r, c, "down") for r in range(top, bottom) for c in range(left, last + 1) if down[r, c] == WALL]
        if inside:
            yield Broken("room-not-rectangle", f"{at} cannot be a rectangle.", [], inside)
        clues = [cell for cell in around if board.clues[cell] != NO_CLUE]
        if len(clues) > 1:
            yield Broken("room-with-several-numbers", f"{at} has several numbers.", clues)
        edge = [*lids[top, left : last + 1], *lids[bottom + 1, left : last + 1]]
        edge += [*sides[top : bottom + 1, left], *sides[top : bottom + 1, last + 1]]
        if not clues and all(value == WALL for value in edge):
            yield Broken("room-without-number", f"{at} has no number.", around)


def _solved(board, state):
    return check(board, Walls(state[0] == WALL, state[1] == WALL)) is None


def _agreeing(board, state):
    """Walls of the answers that agree with a state, and whether these are all."""
    solution = solve(board, limit=LISTED)
    walls = [as_walls(board, answer) for answer in solution.answers]
    agree = [
        found
        for found in walls
        if all(((part == UNKNOWN) | ((part == WALL) == has)).all() for part, has in zip(state, found, strict=True))
    ]
    return agree, solution.complete and len(walls) < LISTED


def _remaining(board, state):
    agree, exact = _agreeing(board, state)
    return len(agree), exact


def _heat(board, state):
    agree, _ = _agreeing(board, state)
    return tuple(np.mean(parts, axis=0) for parts in zip(*agree, strict=True)) if agree else None


SCRIPT = Path(__file__).with_name("broken.js")
GAME = player.Game(
    marks=SIDES,
    borders=lambda board: None,
    broken=broken,
    solved=_solved,
    remaining=_remaining,
    heat=_heat,
    hint=hint,
    script=SCRIPT,
)


def play(board: Board) -> "Player":
    """The board as a widget to play in a notebook; see `player.widget.Player`."""
    return player.play(board, GAME)
