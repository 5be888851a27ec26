"""Usowan: the frontier of an answer in two bit planes, and the answer space of an empty grid.

A sweep visits cells in reading order. Just before cell (r, c) the frontier has cols + 1 positions: cells 0..c-1 of row r at
positions 0..c-1, a separator at position c, then cells c..cols-1 of the row above at positions c+1..cols.

- Plane `b`: shaded. The separator, all positions further right, and the row above the first one count as shaded.
- Plane `k`: links. Neighbouring unshaded positions are a run. Runs of one region that touch only behind the frontier form a
  chain from left to right. On the first cell of a run, `k` is a closing bracket: the run continues an earlier one; on the
  position just after a run it is an opening bracket: a later run continues it. In the plane, chains of different regions
  never cross, so brackets pair up by balance and no region needs a label.

A key is one uint64 word: b in its low half, k in its high half. Not here: clues, see `clued.py`.
"""

from functools import lru_cache

import numpy as np

from ..machinery import brackets, grid
from ..machinery.frontier import Diagram
from ..machinery.kernels import kernel

WIDEST = 31  # cells; with the separator 32 positions, half a word
START = np.uint64(0xFFFFFFFF)  # above the grid everything counts as shaded
SEALED = np.uint64(0xFFFFFFFFFFFFFFFF)  # the last unshaded cell left the frontier: an answer if no cell follows
DEAD = np.uint64(0)  # not a key: the separator is always shaded
ANSWERS_AT_ONCE = 1 << 30  # bytes that `answers` puts in one array
_REMEMBERED = 16  # diagrams up to this width are kept for the next question

_HALF = np.uint64(0xFFFFFFFF)


def accepted(words, connected=True):
    """Which words, uint64 (n,), end an answer: one chain holds all runs (links = runs - 1, some run), or it was sealed."""
    if not connected:
        return np.ones(len(words), bool)
    shaded, links = words & _HALF, words >> np.uint64(32)
    runs = np.bitwise_count(~shaded & (shaded << np.uint64(1) | np.uint64(1)) & _HALF)
    return (words == SEALED) | (np.bitwise_count(shaded & links) + np.uint8(1) == runs)


@kernel
def _grow(word, col, cols, first_row, connected, shade):
    """Word after the cell at column `col`, or DEAD where the cell may not be so."""
    if word == SEALED:
        return DEAD
    b, k = np.int64(word & _HALF), np.int64(word >> np.uint64(32))
    here, then = np.int64(1) << col, np.int64(1) << (col + 1)
    if shade:
        if (col > 0 and b & (here >> 1)) or (not first_row and b & then):
            return DEAD
        if connected:
            k = brackets.shade(b, k, col, cols)
            if k < 0:  # the region above is cut off; grids wider than one cell still have an unshaded cell on the frontier
                return SEALED if cols == 1 else DEAD
        b |= here
    else:
        if connected:
            k = brackets.leave(b, k, col, cols)
        b &= ~here
    b |= then
    if col + 1 == cols:  # the separator moves to the front of the next row
        b, k = (b << 1) | 1, k << 1
    return (np.uint64(b) & _HALF) | (np.uint64(k) << np.uint64(32))


@kernel
def _expand(words, col, cols, first_row, connected, after, allowed):
    for i in range(len(words)):
        for shade in range(2):
            word = _grow(words[i], col, cols, first_row, connected, shade == 1)
            after[i, shade, 0] = word
            allowed[i, shade] = word != DEAD


def check_width(rows, cols, across):
    """ValueError when a sweep across so many cells does not fit the word."""
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: a frontier holds at most {WIDEST} cells, not {across}")


def sweep_order(rows, cols, transpose=None):
    """(lines, across, order): a sweep along the shorter side, or as `transpose` says, and the cell visited by each layer."""
    cells = np.arange(rows * cols).reshape(rows, cols)
    if cols > rows if transpose is None else transpose:
        cells = cells.T
    check_width(rows, cols, cells.shape[1])
    return *cells.shape, cells.ravel()


# the empty grid


def diagram(rows, cols, *, connected=True, transpose=None):
    """Diagram of all answers of an empty grid: one layer a cell, choice 1 shades it.

    Parameters
    ----------
    rows, cols : int            at least 1
    connected : bool            False drops the clause that unshaded cells are one region
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower

    Returns
    -------
    frontier.Diagram            answers as uint8 (n, rows * cols), cells in reading order whatever the sweep

    Raises
    ------
    ValueError                  when the narrower side is over WIDEST cells
    MemoryError                 when the states would not fit the machinery's budget

    Cost: about 340 states a column at 8 x 8, 4.6 times more for every two columns.

    >>> diagram(4, 4).states
    18
    """
    rows, cols = grid.check_size(rows, cols)
    lines, across, order = sweep_order(rows, cols, transpose)
    remember = _remembered if across <= _REMEMBERED else _remembered.__wrapped__
    return remember(lines, across, bool(connected), tuple(order.tolist()))


@lru_cache(maxsize=4)
def _remembered(lines, across, connected, order):
    def expand(kind, keys):
        first_row, col = kind
        after, allowed = np.empty((len(keys), 2, 1), np.uint64), np.empty((len(keys), 2), bool)
        _expand(keys[:, 0], col, across, first_row, connected, after, allowed)
        return after, allowed

    kinds = [(r == 0, c) for r in range(lines) for c in range(across)] + [(False, 0)]
    return Diagram(
        start=START, kinds=kinds, expand=expand, accept=lambda keys: accepted(keys[:, 0], connected), order=order
    )


def count(rows, cols, *, connected=True):
    """Number of answers on an empty rows x cols grid, exactly.

    Parameters and errors as for `diagram`. Returns an int, unbounded.
    Source: clauses in rules.py; connected=False is OEIS A006506 and A089934, which count the shaded 1 x 1 grid as well.

    >>> count(4, 4), count(1, 1), count(4, 4, connected=False)
    (562, 1, 1234)
    """
    return diagram(rows, cols, connected=connected).count()


def answers(rows, cols, *, connected=True, chunk=None):
    """Every answer of an empty grid.

    Parameters
    ----------
    rows, cols, connected       as for `diagram`
    chunk : int, optional       answers in one array, to get an iterator of arrays

    Returns
    -------
    uint8 (n, rows, cols)       1 shaded; or an iterator of such arrays

    Raises
    ------
    ValueError                  without chunk, when the array would take more than ANSWERS_AT_ONCE bytes

    >>> answers(1, 3).tolist()
    [[[0, 0, 0]], [[0, 0, 1]], [[1, 0, 0]], [[1, 0, 1]]]
    """
    space = diagram(rows, cols, connected=connected)
    if chunk is not None:
        if chunk < 1:
            raise ValueError(f"chunk must be at least 1, not {chunk}")
        return (part.reshape(-1, rows, cols) for part in space.enumerate(chunk))
    total = space.count()
    if total * rows * cols > ANSWERS_AT_ONCE:
        raise ValueError(
            f"{total} answers of {rows} x {cols} take more than {ANSWERS_AT_ONCE} bytes; pass chunk= to walk through them"
        )
    return np.concatenate(list(space.enumerate())).reshape(-1, rows, cols)


def draw(rows, cols, n, rng, *, connected=True):
    """n uniform, independent answers of an empty grid: uint8 (n, rows, cols). rng is a numpy.random.Generator.

    >>> draw(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]]
    """
    return diagram(rows, cols, connected=connected).draw(n, rng).reshape(n, rows, cols)


def marginals(rows, cols, *, connected=True):
    """How many answers of an empty grid shade each cell: object (rows, cols) of exact Python ints.

    >>> marginals(2, 3).tolist()
    [[3, 1, 3], [3, 1, 3]]
    """
    return diagram(rows, cols, connected=connected).marginals()[:, 1].reshape(rows, cols)
