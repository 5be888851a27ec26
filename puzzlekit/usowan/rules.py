"""Usowan: the rules in prose, the board, and the rules as named clauses in plain Python.

1. Shade some cells; a cell with a clue stays unshaded.
2. No two shaded cells share a side.
3. The unshaded cells are one region, connected through sides.
4. A number counts the shaded cells that share a side with it. In every printed region exactly one number is wrong.

A region without a number therefore has no answer, a region with one number makes that number wrong, and a number that
can never be right is simply the wrong one. A `?` keeps its cell unshaded and is neither right nor wrong. Nothing shaded
at all can be an answer; everything shaded cannot, since no unshaded region is left.

This file is the specification: slow, and independent of the solver, the counter and the setter, which are tested
against it.
"""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..boards import ASKED, NO_CLUE  # noqa: F401, ASKED is a name of the genre
from ..boards.board import PrintedBoard
from ..machinery import grid
from ..machinery.grid import Cell, GridLike, Key
from ..show import pictures


class Board(PrintedBoard):
    """A printed Usowan board: clues and regions. Immutable and hashable.

    Parameters
    ----------
    clues : int (rows, cols)       NO_CLUE, ASKED or a number of at least 0
    regions : int (rows, cols)     a label for each cell; cells of one label must be connected

    Raises
    ------
    ValueError                     naming the cell or the region that is wrong

    >>> board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]], [[0, 0], [0, 0]])
    >>> board.to_url()
    'https://puzz.link/p?usoone/2/2/00bg'
    """

    genre = "usowan"
    url_names = ("usoone",)
    url_code = "to 4"
    file_parts = ("regions", "clues", "shading")
    prints_regions = True
    regions: np.ndarray

    @cached_property
    def clues_by_region(self) -> list[list[Cell]]:
        """Cells (r, c) that print a number, a list for each region."""
        cells: list[list[Cell]] = [[] for _ in range(self.regions.max() + 1)]
        for r, c in np.argwhere(self.clues >= 0):
            cells[self.regions[r, c]].append((int(r), int(c)))
        return cells

    def picture(
        self,
        answer: GridLike | None = None,
        state: GridLike | None = None,
        highlights: Mapping[str, Collection[Key]] | None = None,
    ) -> pictures.Picture:
        """SVG picture; with an answer its shading and each region's liar, or with a solver's state what it settled.

        highlights : dict     see pictures.grid_picture; then rows, columns and regions are named as in sentences, and
                              the numbers that the state proves wrong are crossed out
        """
        answer = None if answer is None else grid.as_shading(answer, self.clues.shape)
        told = highlights is not None
        wrong = [] if answer is None else [cell for cells in liars(self, answer) for cell in cells]
        if told and state is not None:
            wrong = proved_liars(self, np.asarray(state))
        return pictures.grid_picture(
            self.clues,
            borders=self.regions,
            shading=answer,
            state=state,
            struck=wrong,
            highlights=highlights,
            coordinates=told,
            regions=told,
        )


class Reading(NamedTuple):
    """A way to read the rules. The default is the right one; the others are named in MISREADINGS."""

    fewest: int = 1  # wrong numbers, at least
    most: int = 1  # and at most
    scope: str = "region"  # in each "region", or on the whole "board"
    touching: str = (
        "side"  # the unshaded region connects through a "side", also through a "corner", or need not ("nothing")
    )


RULES = Reading()
READINGS = {"rules": RULES}
MISREADINGS = {
    "none wrong": Reading(fewest=0),  # a region may have no wrong number
    "all honest": Reading(fewest=0, most=0),  # every number is right
    "one on the board": Reading(scope="board"),  # one wrong number altogether
    "corner touch": Reading(touching="corner"),  # unshaded cells also connect through a corner
}


def named_reading(reading: Reading | str) -> Reading:
    """The Reading of a name in MISREADINGS, of "rules", or a Reading itself; ValueError names the choices."""
    if isinstance(reading, Reading):
        return reading
    readings = {**READINGS, **MISREADINGS}
    if reading not in readings:
        raise ValueError(f"unknown reading {reading!r}; choose from {[*readings]}")
    return readings[reading]


def _around(rows, cols, r, c, corners=False):
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            near = abs(dr) + abs(dc) == 1 or (corners and dr and dc)
            if near and 0 <= r + dr < rows and 0 <= c + dc < cols:
                yield r + dr, c + dc


def shaded_beside(answer: np.ndarray, r: int, c: int) -> int:
    """How many shaded cells share a side with (r, c)."""
    rows, cols = answer.shape
    return int(sum(answer[cell] for cell in _around(rows, cols, r, c)))


def liars(board: Board, answer: np.ndarray) -> list[list[Cell]]:
    """Cells (r, c) whose number is wrong under an answer, a list for each region."""
    return [
        [cell for cell in cells if board.clues[cell] != shaded_beside(answer, *cell)] for cells in board.clues_by_region
    ]


def bounds_beside(state: np.ndarray, r: int, c: int) -> tuple[int, int]:
    """Fewest and most shaded cells beside (r, c) that a state of UNKNOWN, UNSHADED and SHADED leaves open."""
    shaded = shaded_beside(state == grid.SHADED, r, c)
    return shaded, shaded + shaded_beside(state == grid.UNKNOWN, r, c)


def proved_liars(board: Board, state: np.ndarray) -> list[Cell]:
    """Cells (r, c) whose number a state proves to be wrong: it is out of reach, or all others of its region have come
    true.

    >>> board = Board([[1, NO_CLUE, 0]], [[0, 0, 0]])
    >>> proved_liars(board, np.array([[1, 0, 1]])), proved_liars(board, np.array([[1, 2, 1]]))
    ([], [(0, 2)])
    """
    wrong = []
    for cells in board.clues_by_region:
        bounds = {cell: bounds_beside(state, *cell) for cell in cells}
        out = [cell for cell, (low, high) in bounds.items() if not low <= board.clues[cell] <= high]
        unmet = [cell for cell, (low, high) in bounds.items() if not low == high == board.clues[cell]]
        wrong += out or (unmet if len(unmet) == 1 else [])
    return wrong


def _no_clue_shaded(board, answer, reading):
    return not (answer[board.clues != NO_CLUE]).any()


def _no_two_shaded_touch(board, answer, reading):
    return not (answer[1:] & answer[:-1]).any() and not (answer[:, 1:] & answer[:, :-1]).any()


def _unshaded_is_one_region(board, answer, reading):
    if reading.touching == "nothing":
        return True
    unshaded = {(int(r), int(c)) for r, c in np.argwhere(answer == 0)}
    if not unshaded:
        return False
    stack = [unshaded.pop()]
    while stack:
        for cell in _around(board.rows, board.cols, *stack.pop(), corners=reading.touching == "corner"):
            if cell in unshaded:
                unshaded.remove(cell)
                stack.append(cell)
    return not unshaded


def _wrong_numbers_as_stated(board, answer, reading):
    wrong = [len(cells) for cells in liars(board, answer)]
    if reading.scope == "board":
        wrong = [sum(wrong)]
    return all(reading.fewest <= count <= reading.most for count in wrong)


CLAUSES = {
    "clue-shaded": _no_clue_shaded,
    "shaded-adjacent": _no_two_shaded_touch,
    "white-split": _unshaded_is_one_region,
    "region-lies-not-one": _wrong_numbers_as_stated,
}

RULES_TOLD = {  # each clause as one tells it to somebody new
    "clue-shaded": "A cell with a number or a ? is never shaded.",
    "shaded-adjacent": "Shaded cells never share a side.",
    "white-split": "All unshaded cells hang together through their sides.",
    "region-lies-not-one": (
        "A number counts the shaded cells beside it, and in every outlined region exactly one number is wrong."
    ),
}


def check(board: Board, answer: GridLike, reading: Reading | str = RULES) -> str | None:
    """Short name of the first broken clause, or None for a right answer.

    Parameters
    ----------
    board : Board
    answer : int or bool (rows, cols)     1 is shaded
    reading : Reading or str              the rules, or the name of a misreading

    Raises
    ------
    ValueError                            when the answer is not a 0/1 grid of the board's size

    >>> board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]], [[0, 0], [0, 0]])
    >>> check(board, [[0, 0], [0, 0]]), check(board, [[0, 1], [0, 0]])
    (None, 'region-lies-not-one')
    """
    answer = grid.as_shading(answer, board.clues.shape)
    reading = named_reading(reading)
    return next((code for code, holds in CLAUSES.items() if not holds(board, answer, reading)), None)
