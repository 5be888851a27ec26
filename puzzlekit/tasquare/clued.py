"""Tasquare: answers of a board counted exactly, under the rules or another reading, without a cap.

The frontier of `profile` with a slot for each column behind it: what the clue in that column still lacks. A square is
taken off a clue as soon as its side is certain:

- above a clue, when the square's last row begins, so that the slot is in use before the clue is reached;
- left of a clue, when the clue is reached: the square's row has just ended;
- right of a clue or below it, when the square's first row has ended; right of it also when a further row begins.

A `?` lacks one square, and never less than none. With the cell below a clue decided, nothing may be lacking; a slot out
of use is 0. Not here: deductions. A caller may hand in what is settled already, which keeps the diagram small.
"""

import numpy as np

from ..machinery import grid
from ..machinery.frontier import BUDGET, Diagram
from ..machinery.grid import GridLike
from ..machinery.kernels import inner, kernel
from . import profile
from .rules import ASKED, NO_CLUE, RULES, Board, Reading, named_reading

_NONE, _SUM, _SOME = 0, 1, 2  # what a cell prints: nothing, a number, a `?`


def count_answers(
    board: Board, reading: Reading | str = RULES, *, settled: GridLike | None = None, budget: int = BUDGET
) -> int:
    """Number of answers of a board, exactly and without a cap.

    `board.positions()` has the same clues without their digits.

    Parameters
    ----------
    board : rules.Board
    reading : rules.Reading or str     the rules, or the name of another reading
    settled : int (rows, cols)         UNKNOWN, UNSHADED or SHADED for each cell, to count only the answers that agree
    budget : int                       bytes for the states

    Returns
    -------
    int

    Raises
    ------
    ValueError                         an unknown reading, a grid of another size, over profile.WIDEST cells wide
    MemoryError                        the states would need more than the budget

    >>> from puzzlekit.tasquare.rules import Board
    >>> board = Board([[-1, -1, -1, 4], [-1] * 4, [-1] * 4, [-1] * 4])
    >>> count_answers(board), count_answers(board.positions()), count_answers(board, "white may split")
    (16, 230, 42)
    """
    return board_diagram(board, reading, settled=settled, budget=budget).count()


def board_diagram(
    board: Board, reading: Reading | str = RULES, *, settled: GridLike | None = None, budget: int = BUDGET
) -> Diagram:
    """Diagram of a board's answers: one layer a cell, choice 1 shades it. Parameters and errors as for `count_answers`.

    Returns
    -------
    frontier.Diagram   answers as uint8 (n, rows * cols), cells in reading order

    >>> from puzzlekit.tasquare.rules import Board
    >>> space = board_diagram(Board([[1, -1], [-1, -1]]))
    >>> space.unrank(range(space.count())).tolist()
    [[0, 0, 1, 0], [0, 1, 0, 0]]
    """
    reading = named_reading(reading)
    lines, across, order = profile.sweep_order(board.rows, board.cols)
    clues = board.clues.ravel()[order].reshape(lines, across)
    if reading.number == "nothing":
        clues = np.full_like(clues, NO_CLUE)
    known = np.zeros(clues.shape, np.int8) if settled is None else np.asarray(settled)
    if settled is not None:
        if known.shape != board.clues.shape:
            raise ValueError(f"settled has shape {known.shape}, the board {board.clues.shape}")
        known = known.ravel()[order].reshape(lines, across)
    may = np.stack([known != grid.SHADED, (clues == NO_CLUE) & (known != grid.UNSHADED)], axis=-1).reshape(-1, 2)
    too_large = clues > (board.rows * board.cols if reading.number == "area" else 4)
    if too_large.any() or (reading.zero == "never" and (clues == 0).any()):
        may = np.zeros_like(may)  # a number that can never be right

    # a line of no clues above the first and below the last
    printed, lacking = np.full((lines + 2, across), _NONE, np.int64), np.zeros((lines + 2, across), np.int64)
    printed[1:-1] = np.select([clues >= 0, clues == ASKED], [_SUM, _SOME], _NONE)
    lacking[1:-1] = np.select([clues == ASKED, clues > lines * across], [1, 0], np.maximum(clues, 0))
    bits = max(1, int(lacking.max()).bit_length())
    words = 1 + (-(-across // (64 // bits)) if (printed != _NONE).any() else 0)

    def expand(layer, keys):
        after = np.empty((len(keys), 2, words), np.uint64)
        allowed = np.empty((len(keys), 2), bool)
        row, col = divmod(layer, across)
        place = (col, across, row == 0, reading.connected, min(lines - row, across))
        near = printed[row : row + 3], lacking[row : row + 3]
        _expand_clued(keys, place, may[layer], *near, reading.number == "cells", bits, after, allowed)
        return after, allowed

    return Diagram(
        start=[int(profile.START)] + [0] * (words - 1),
        kinds=range(lines * across + 1),
        expand=expand,
        accept=lambda keys: profile.accepted(keys[:, 0], reading.connected) & ~keys[:, 1:].any(axis=1),
        order=order,
        budget=budget,
    )


@inner
def _slot(key, col, bits):
    each = 64 // bits
    return np.int64(key[1 + col // each] >> np.uint64(bits * (col % each))) & ((1 << bits) - 1)


@inner
def _put(key, col, bits, value):
    each = 64 // bits
    at, shift = 1 + col // each, np.uint64(bits * (col % each))
    key[at] = (key[at] & ~(np.uint64((1 << bits) - 1) << shift)) | (np.uint64(value) << shift)


@inner
def _take(key, col, bits, kind, area):
    """Take a square off what the clue in a column lacks, if there is one; False when that is too much for a number."""
    if kind == _NONE:
        return True
    lacks = _slot(key, col, bits) - area
    if lacks < 0 and kind == _SUM:
        return False
    _put(key, col, bits, max(lacks, 0))
    return True


@inner
def _above_next(key, first, last, bits, printed, lacking, area):
    """A square stands above these columns of the next row: take it off the clues there, whose slots come into use."""
    for col in range(first, last):
        if printed[2, col] != _NONE:
            _put(key, col, bits, lacking[2, col])
        if not _take(key, col, bits, printed[2, col], area):
            return False
    return True


@inner
def _account(key, before, col, cols, first_row, side, shade, count_cells, bits, printed, lacking):
    """Bring the slots of a key up to date with the cell at `col`; False when a clue comes out wrong.

    `before` is the profile's word before the cell, `side` the square whose first row ended. Row 1 of `printed` and
    `lacking` is the cell's row, row 0 is above it and row 2 below.
    """
    b = np.int64(before) & profile._PLANE
    o = (np.int64(before) >> (2 * profile._POSITIONS)) & profile._PLANE
    above = not first_row and (b >> (col + 1)) & 1
    if side > 0:  # a first row has ended, here or just before
        last = col + 1 if shade else col
        first = last - side
        area = 1 if count_cells else side * side
        if first > 0 and not _take(key, first - 1, bits, printed[1, first - 1], area):
            return False
        for c in range(first, last):
            if not _take(key, c, bits, printed[0, c], area) or (printed[0, c] != _NONE and _slot(key, c, bits) != 0):
                return False
        if side == 1 and not _above_next(key, first, last, bits, printed, lacking, area):
            return False
    if shade:
        if above and (o >> col) & 1 == 0:  # a further row begins
            size = profile._run_end(b, col + 1, cols) - col - 1
            area = 1 if count_cells else size * size
            if col > 0 and not _take(key, col - 1, bits, printed[1, col - 1], area):
                return False
            if profile._owed(b, o, col + 1, cols) == 1 and not _above_next(
                key, col, col + size, bits, printed, lacking, area
            ):
                return False
        return True
    if printed[0, col] != _NONE and _slot(key, col, bits) != 0:
        return False
    if printed[1, col] != _NONE:
        if not above:
            _put(key, col, bits, lacking[1, col])
        if col > 0 and (b >> (col - 1)) & 1:
            size = col - profile._run_start(b, col - 1)
            return _take(key, col, bits, printed[1, col], 1 if count_cells else size * size)
    return True


@kernel
def _expand_clued(keys, place, may, printed, lacking, count_cells, bits, after, allowed):
    col, cols, first_row, connected, max_side = place
    words = keys.shape[1]
    for i in range(len(keys)):
        for choice in range(2):
            allowed[i, choice] = False
            if not may[choice]:
                continue
            word, side = profile._grow(keys[i, 0], col, cols, first_row, connected, True, max_side, choice == 1)
            if word == profile.DEAD:
                continue
            key = after[i, choice]
            key[0] = word
            for j in range(1, words):
                key[j] = keys[i, j]
            allowed[i, choice] = words == 1 or _account(
                key, keys[i, 0], col, cols, first_row, side, choice == 1, count_cells, bits, printed, lacking
            )
