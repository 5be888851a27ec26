"""Nawabari: the rules in prose, the board, and the rules as named clauses in plain Python.

1. Cut the grid into rectangular rooms along the sides of its cells.
2. Every room holds exactly one clue.
3. A number counts those of its cell's four sides that are walls. The frame of the grid is a wall.
4. No wall ends inside a room: every wall has different rooms on its two sides.

A `?` is the clue of its room and says nothing about walls. A number above 4 can never be right. An answer is a grid of
room ids, which cannot break rule 4, or a set of walls, which can.

This file is the specification: slow, and independent of the solver, the counter and the setter, which are tested
against it.
"""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from ..boards import ASKED, NO_CLUE, puzzlink, text  # noqa: F401, ASKED is a name of the genre
from ..boards.board import PrintedBoard
from ..machinery import grid
from ..machinery.grid import Cell, GridLike, Key
from ..marks import Places, Walls
from ..show import pictures

UNKNOWN, OPEN, WALL = 0, 1, 2  # state of a side while solving
SEATS = ("alone", "end of a strip", "middle of a strip", "corner", "edge", "inside")


class Board(PrintedBoard):
    """A printed Nawabari board: clues in a grid. Immutable and hashable.

    Parameters
    ----------
    clues : int (rows, cols)       NO_CLUE, ASKED or a number of at least 0

    Raises
    ------
    ValueError                     naming the cell that is wrong

    >>> board = Board([[3, NO_CLUE], [NO_CLUE, 3]])
    >>> board.to_url()
    'https://puzz.link/p?nawabari/2/2/3b3'
    """

    genre = "nawabari"
    url_names = ("nawabari",)
    url_code = "to 9"
    file_parts = ("clues", "walls")

    def blank(self) -> Walls:
        """A solver's state with nothing settled: Walls of UNKNOWN."""
        return Walls(np.zeros((self.rows, self.cols - 1), np.uint8), np.zeros((self.rows - 1, self.cols), np.uint8))

    @classmethod
    def partial_from_text(cls, lines: text.Lines) -> tuple[Self, None]:
        """Board of a text grid: numbers, `.` and `?`. ValueError for `#`, `|` and `-`: a board prints none of them."""
        if re.search("[|#+-]", lines if isinstance(lines, str) else "\n".join(lines)):
            _, shading, _ = text.read_bordered(lines)
            found = "shaded cells" if shading is not None else "borders"
            raise ValueError(f"the text has {found}; a Nawabari board has clues only")
        return cls(text.read_plain(lines)[0]), None

    def to_text(self, answer: GridLike | Walls | None = None) -> str:
        """Text grid; with an answer, its walls as `|` and `-`."""
        rooms = np.zeros(self.clues.shape, int) if answer is None else as_rooms(self, answer)
        return text.write_bordered(self.clues, rooms)

    @classmethod
    def _as_partial(cls, filled):
        return None if filled is None else Walls(*filled)

    def picture(
        self,
        answer: GridLike | Walls | None = None,
        state: Places | None = None,
        highlights: Mapping[str, Collection[Key]] | None = None,
    ) -> pictures.Picture:
        """SVG picture; with an answer its walls, numbers that do not match crossed out; or the walls a solver settled.

        answer : room ids or Walls; state : Walls of UNKNOWN, OPEN and WALL; highlights : see pictures.grid_picture,
        rows and columns are named then
        """
        coordinates = highlights is not None
        if answer is not None:
            walls = as_walls(self, answer)
            borders = as_rooms(self, walls) if not isinstance(answer, Walls) else (walls.right, walls.down)
            return pictures.grid_picture(self.clues, borders=borders, struck=mismatched(self, walls))
        if state is not None:
            right, down = (np.asarray(part) for part in state)
            lines, gaps = (right == WALL, down == WALL), (right == OPEN, down == OPEN)
            return pictures.grid_picture(
                self.clues, borders=lines, gaps=gaps, highlights=highlights, coordinates=coordinates
            )
        return pictures.grid_picture(self.clues, highlights=highlights, coordinates=coordinates)


class Reading(NamedTuple):
    """A way to read the rules. The default is the right one; the others are named in MISREADINGS."""

    says: str = "walls"  # a number is how many "walls" its cell has, its room's "area", or "nothing"
    frame: bool = True  # the frame counts as a wall
    several: bool = False  # a room may hold several clues
    none: bool = False  # a room may hold no clue


RULES = Reading()
MISREADINGS = {
    "frame not counted": Reading(frame=False),
    "number is area": Reading(says="area"),
    "several numbers": Reading(several=True),
    "no number": Reading(none=True),
}
DOTS = Reading(says="nothing")  # not a misreading, a weaker board: values erased, positions kept
READINGS = {"rules": RULES, "dots": DOTS}


def named_reading(reading: Reading | str) -> Reading:
    """The Reading of a name in MISREADINGS, of "rules" or "dots", or a Reading itself; ValueError names the choices."""
    if isinstance(reading, Reading):
        if reading.says not in ("walls", "area", "nothing"):
            raise ValueError(f"a number cannot say {reading.says!r}; choose from 'walls', 'area' and 'nothing'")
        return reading
    readings = {**READINGS, **MISREADINGS}
    if reading not in readings:
        raise ValueError(f"unknown reading {reading!r}; choose from {[*readings]}")
    return readings[reading]


# answers


def as_walls(board: Board, answer: GridLike | Walls) -> Walls:
    """``answer``, room ids or Walls, as Walls of bool arrays for the board's size, or ValueError."""
    rows, cols = board.clues.shape
    if isinstance(answer, Walls):
        shapes = (rows, cols - 1), (rows - 1, cols)
        parts = []
        for name, part, shape in zip(Walls._fields, answer, shapes, strict=True):
            part = np.asarray(part)
            if part.size == 0 and 0 in shape:
                part = np.zeros(shape, bool)  # a list of no rows says nothing about columns
            if part.shape != shape:
                raise ValueError(f"walls {name}: shape {part.shape}, but a {rows} x {cols} board needs {shape}")
            if ((part != 0) & (part != 1)).any():
                r, c = np.argwhere((part != 0) & (part != 1))[0]
                raise ValueError(f"walls {name}: {part[r, c]} at row {r}, column {c}; 0 is open, 1 a wall")
            parts.append(part.astype(bool))
        return Walls(*parts)
    rooms = grid.as_grid("answer", answer)
    if rooms.shape != board.clues.shape:
        raise ValueError(f"the answer is {rooms.shape[0]} x {rooms.shape[1]}, the board {rows} x {cols}")
    return Walls(*puzzlink.borders_of(rooms))


def as_rooms(board: Board, answer: GridLike | Walls) -> npt.NDArray[np.int32]:
    """``answer``, room ids or Walls, as room ids: int32 (rows, cols), connected pieces numbered in reading order."""
    return puzzlink.regions_between(*as_walls(board, answer))


def walls_around(walls: Walls, r: int, c: int, frame: bool = True) -> int:
    """How many of the four sides of (r, c) are walls.

    >>> walls_around(Walls(np.array([[1]]), np.zeros((0, 2))), 0, 0)
    4
    """
    right, down = walls
    rows, cols = right.shape[0], down.shape[1]
    sides = (
        frame if c == 0 else right[r, c - 1],
        frame if c == cols - 1 else right[r, c],
        frame if r == 0 else down[r - 1, c],
        frame if r == rows - 1 else down[r, c],
    )
    return sum(int(side) for side in sides)


def room_sizes(rooms: np.ndarray) -> list[tuple[int, int]]:
    """Height and width of the smallest rectangle around each room of a grid of room ids: list of (height, width)."""
    cells = [np.argwhere(rooms == room) for room in range(rooms.max() + 1)]
    return [tuple((at.max(axis=0) - at.min(axis=0) + 1).tolist()) for at in cells]


def seat(rooms: np.ndarray, r: int, c: int) -> str:
    """Where in its room the cell (r, c) lies: a name in SEATS. A number says as much, but for the two seats of a 2.

    >>> seat(np.zeros((1, 3), int), 0, 1), seat(np.zeros((3, 3), int), 2, 2)
    ('middle of a strip', 'corner')
    """
    sides = walls_around(Walls(*puzzlink.borders_of(rooms)), r, c)
    if sides == 2:
        return "middle of a strip" if 1 in room_sizes(rooms)[rooms[r, c]] else "corner"
    return {4: "alone", 3: "end of a strip", 1: "edge", 0: "inside"}[sides]


def numbers_of(rooms: np.ndarray) -> npt.NDArray[np.int32]:
    """What every cell would print under a grid of room ids: int32 (rows, cols).

    >>> numbers_of(np.array([[0, 0, 1], [0, 0, 1]])).tolist()
    [[2, 2, 3], [2, 2, 3]]
    """
    right, down = puzzlink.borders_of(np.pad(rooms, 1, constant_values=-1))
    return (right[1:-1, 1:].astype(np.int32) + right[1:-1, :-1] + down[1:, 1:-1] + down[:-1, 1:-1]).astype(np.int32)


def mismatched(board: Board, answer: GridLike | Walls, reading: Reading | str = RULES) -> list[Cell]:
    """Cells (r, c) whose number is wrong under an answer."""
    walls, rooms = as_walls(board, answer), as_rooms(board, answer)
    reading = named_reading(reading)
    wrong = []
    for r, c in np.argwhere(board.clues >= 0).tolist():
        if reading.says == "walls":
            truth = walls_around(walls, r, c, reading.frame)
        elif reading.says == "area":
            truth = (rooms == rooms[r, c]).sum()
        else:
            continue
        if truth != board.clues[r, c]:
            wrong.append((r, c))
    return wrong


def _rooms_are_rectangles(board, walls, rooms, reading):
    cells = np.bincount(rooms.ravel())
    return all(height * width == cells[room] for room, (height, width) in enumerate(room_sizes(rooms)))


def _clues_by_room(board, rooms):
    return np.bincount(rooms[board.clues != NO_CLUE], minlength=rooms.max() + 1)


def _no_room_without_number(board, walls, rooms, reading):
    return reading.none or bool((_clues_by_room(board, rooms) >= 1).all())


def _no_room_with_several_numbers(board, walls, rooms, reading):
    return reading.several or bool((_clues_by_room(board, rooms) <= 1).all())


def _numbers_match(board, walls, rooms, reading):
    return not mismatched(board, walls, reading)


def _no_wall_inside_a_room(board, walls, rooms, reading):
    right, down = puzzlink.borders_of(rooms)
    return not (walls.right & ~right).any() and not (walls.down & ~down).any()


CLAUSES = {
    "room-not-rectangle": _rooms_are_rectangles,
    "room-without-number": _no_room_without_number,
    "room-with-several-numbers": _no_room_with_several_numbers,
    "wall-count-mismatch": _numbers_match,
    "dead-end-wall": _no_wall_inside_a_room,
}

RULES_TOLD = {  # each clause as one tells it to somebody new
    "room-not-rectangle": "Walls cut the grid into rectangles, its rooms.",
    "room-without-number": "Every room holds a number or a ?.",
    "room-with-several-numbers": "No room holds two of them.",
    "wall-count-mismatch": "A number counts the walls around its own cell; the frame of the grid is a wall.",
    "dead-end-wall": "No wall ends inside a room.",
}


def check(board: Board, answer: GridLike | Walls, reading: Reading | str = RULES) -> str | None:
    """Short name of the first broken clause, or None for a right answer.

    Parameters
    ----------
    board : Board
    answer : int (rows, cols) or Walls    room ids, any numbers: rooms are the connected pieces; or walls
    reading : Reading or str              the rules, "dots", or the name of a misreading

    Raises
    ------
    ValueError                            when the answer is not for the board's size, or a wall is not 0 or 1

    >>> board = Board([[3, NO_CLUE], [NO_CLUE, 3]])
    >>> check(board, [[0, 0], [1, 1]]), check(board, [[0, 0], [0, 0]])
    (None, 'room-with-several-numbers')
    """
    walls, rooms = as_walls(board, answer), as_rooms(board, answer)
    reading = named_reading(reading)
    return next((code for code, holds in CLAUSES.items() if not holds(board, walls, rooms, reading)), None)
