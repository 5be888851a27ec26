"""Tasquare: the rules in prose, the board, and the rules as named clauses in plain Python.

1. Shade some cells, at least one; a cell with a clue stays unshaded.
2. Every block, a piece of shaded cells connected through sides, is a square.
3. The unshaded cells are one region, connected through sides. There may be none at all.
4. A number is the total area of the blocks that share a side with it, each counted once.
5. Every clue, a number or a `?`, has shading beside it.

Clauses 4 and 5 together leave no answer for a board that prints 0: a number can stand only on the outline of the
shading. Other programs take 0 for "no shading beside me"; that is the reading "plain zero". A block need not touch a
clue. Squares may touch at corners.

This file is the specification: slow, and independent of the solver, the counter and the setter, which are tested
against it.
"""

from collections.abc import Collection, Mapping
from math import isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..boards import ASKED, NO_CLUE
from ..boards.board import PrintedBoard
from ..machinery import grid
from ..machinery.grid import Cell, GridLike, Key
from ..show import pictures


class Board(PrintedBoard):
    """A printed Tasquare board: its clues. Immutable and hashable.

    Parameters
    ----------
    clues : int (rows, cols)       NO_CLUE, ASKED or a number of at least 0

    Raises
    ------
    ValueError                     naming the cell that is wrong

    >>> board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]])
    >>> board.to_url()
    'https://puzz.link/p?tasquare/2/2/1i'
    """

    genre = "tasquare"
    url_names = ("tasquare",)
    url_code = "any"
    file_parts = ("clues and shading",)

    def positions(self) -> "Board":
        """The same board with every digit rubbed out: each clue is a `?`."""
        return Board(np.where(self.clues == NO_CLUE, NO_CLUE, ASKED))

    def picture(
        self,
        answer: GridLike | None = None,
        state: GridLike | None = None,
        highlights: Mapping[str, Collection[Key]] | None = None,
    ) -> pictures.Picture:
        """SVG picture; with an answer its shading, or with a solver's state what it settled.

        highlights : dict     see pictures.grid_picture; rows and columns are named then
        """
        answer = None if answer is None else grid.as_shading(answer, self.clues.shape)
        coordinates = highlights is not None
        return pictures.grid_picture(
            self.clues, shading=answer, state=state, highlights=highlights, coordinates=coordinates
        )


class Reading(NamedTuple):
    """A way to read the rules. The default is the right one; the others are named in READINGS and MISREADINGS."""

    connected: bool = True  # the unshaded cells are one region
    number: str = "area"  # of the blocks beside it; or how many "cells" beside it are shaded; or "nothing"
    zero: str = "never"  # 0 can never be right; or it is "plain": no shading beside me


RULES = Reading()
READINGS = {"rules": RULES, "plain zero": Reading(zero="plain")}
MISREADINGS = {
    "white may split": Reading(connected=False),  # several unshaded regions
    "counts cells": Reading(number="cells"),  # a number counts the shaded cells beside it
    "no numbers": Reading(number="nothing"),  # as on the empty grid: a clue says nothing, its cell may be shaded
}
_CHOICES = {"connected": (True, False), "number": ("area", "cells", "nothing"), "zero": ("never", "plain")}


def named_reading(reading: Reading | str) -> Reading:
    """The Reading of a name in READINGS or MISREADINGS, or a Reading itself; ValueError names the choices."""
    if isinstance(reading, Reading):
        for field, choices in _CHOICES.items():
            if getattr(reading, field) not in choices:
                raise ValueError(f"reading: {field} is {getattr(reading, field)!r}; choose from {list(choices)}")
        return reading
    named = {**READINGS, **MISREADINGS}
    if reading not in named:
        raise ValueError(f"unknown reading {reading!r}; choose from {list(named)}")
    return named[reading]


def beside(rows: int, cols: int, r: int, c: int) -> list[Cell]:
    """The cells (y, x) that share a side with (r, c): above, left, right, below."""
    return [(y, x) for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if 0 <= y < rows and 0 <= x < cols]


def blocks(answer: GridLike) -> list[list[Cell]]:
    """The blocks of an answer: a list of cells (r, c) for each, in reading order of their first cells.

    >>> blocks(np.array([[1, 0, 1], [0, 0, 1]]))
    [[(0, 0)], [(0, 2), (1, 2)]]
    """
    pieces = grid.pieces(np.asarray(answer))
    cells: dict[int, list[Cell]] = {}
    for r, c in np.argwhere(np.asarray(answer) == 1):
        cells.setdefault(int(pieces[r, c]), []).append((int(r), int(c)))
    return list(cells.values())


def sums(answer: GridLike) -> npt.NDArray[np.int32]:
    """Total area of the blocks beside each unshaded cell, each block once; 0 at shaded cells: int32 (rows, cols).

    Cells that are not 0 here are the ones that may carry a number, and this is the number.

    >>> sums(np.array([[0, 0, 0], [0, 1, 1], [0, 1, 1]])).tolist()
    [[0, 4, 4], [4, 0, 0], [4, 0, 0]]
    """
    answer = np.asarray(answer)
    rows, cols = answer.shape
    total = np.zeros((rows, cols), np.int32)
    for block in blocks(answer):
        for r, c in {cell for of_block in block for cell in beside(rows, cols, *of_block)}:
            if answer[r, c] == 0:
                total[r, c] += len(block)
    return total


def _no_clue_shaded(board, answer, reading):
    return reading.number == "nothing" or not answer[board.clues != NO_CLUE].any()


def _something_shaded(board, answer, reading):
    return bool(answer.any())


def _blocks_are_squares(board, answer, reading):
    for block in blocks(answer):
        side = isqrt(len(block))
        height, width = (max(at) - min(at) + 1 for at in zip(*block, strict=True))
        if not side * side == len(block) == height * width or height != width:
            return False
    return True


def _unshaded_is_one_region(board, answer, reading):
    unshaded = {(int(r), int(c)) for r, c in np.argwhere(answer == 0)}
    if not reading.connected or not unshaded:
        return True
    stack = [unshaded.pop()]
    while stack:
        for cell in beside(board.rows, board.cols, *stack.pop()):
            if cell in unshaded:
                unshaded.remove(cell)
                stack.append(cell)
    return not unshaded


def _numbers_are_right(board, answer, reading):
    if reading.number == "nothing":
        return True
    if reading.number == "area":
        found = sums(answer)
    else:
        found = np.zeros_like(board.clues)
        for r, c in np.ndindex(answer.shape):
            found[r, c] = sum(answer[cell] for cell in beside(board.rows, board.cols, r, c))
    # a 0 without shading beside it adds up, and is left to the last clause
    return bool((found == board.clues)[board.clues >= 0].all())


def _clues_touch_shading(board, answer, reading):
    if reading.number == "nothing":
        return True
    needing = board.clues != NO_CLUE
    if reading.zero == "plain":
        needing &= board.clues != 0
    cells = np.argwhere(needing).tolist()
    return all(any(answer[cell] for cell in beside(board.rows, board.cols, r, c)) for r, c in cells)


CLAUSES = {
    "clue-shaded": _no_clue_shaded,
    "nothing-shaded": _something_shaded,
    "block-not-square": _blocks_are_squares,
    "white-split": _unshaded_is_one_region,
    "sum-mismatch": _numbers_are_right,
    "clue-touches-no-shading": _clues_touch_shading,
}

RULES_TOLD = {  # each clause as one tells it to somebody new
    "clue-shaded": "A cell with a number or a ? is never shaded.",
    "nothing-shaded": "Something is shaded.",
    "block-not-square": "Shaded cells that hang together through their sides form a square.",
    "white-split": "All unshaded cells hang together through their sides.",
    "sum-mismatch": "A number is the total area of the squares that share a side with it.",
    "clue-touches-no-shading": "Every number, and every ?, has shading beside it.",
}


def check(board: Board, answer: GridLike, reading: Reading | str = RULES) -> str | None:
    """Short name of the first broken clause, or None for a right answer.

    Parameters
    ----------
    board : Board
    answer : int or bool (rows, cols)     1 is shaded
    reading : Reading or str              the rules, or the name of another reading

    Raises
    ------
    ValueError                            when the answer is not a 0/1 grid of the board's size

    >>> board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]])
    >>> check(board, [[0, 1], [0, 0]]), check(board, [[0, 0], [0, 1]])
    (None, 'sum-mismatch')
    """
    answer = grid.as_shading(answer, board.clues.shape)
    reading = named_reading(reading)
    return next((code for code, holds in CLAUSES.items() if not holds(board, answer, reading)), None)
