"""Nawabari: dissections of a grid into rectangles, counted as fast as a machine can add.

The vertex model of `profile` over a dense array of all states, a weight for each set of walls across a line of cells. A
point where walls meet is one pass over the array, three additions for every four states, modulo a number that lets sums
of two fit a word. Each residue is a task of its own, and a sweep can stop and go on at any line: `advance`. Not here:
which dissections they are.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..machinery import grid, remainders
from ..machinery.frontier import BUDGET, Kept
from ..machinery.kernels import inner, kernel
from ..machinery.states import afford

_TILE_BITS = 15  # a tile has so many states without and so many with a wall to the left: half a megabyte
_RUN = 8  # states side by side, at least, in a tile that is not in one piece
_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)


def count(rows: int, cols: int, *, budget: int = BUDGET) -> int:
    """Number of dissections of a rows x cols grid into rectangles, exactly.

    Parameters
    ----------
    rows, cols : int     at least 1
    budget : int         bytes for the states

    Returns
    -------
    int                  unbounded

    Raises
    ------
    MemoryError          2 ** (shorter side - 1) states of 24 bytes would not fit the budget

    Cost: with n the shorter and m the longer side, n * m * 2 ** (n - 3) times three additions for every 63 bits of the
    result: 0.4 ms at 12 x 12, 0.4 s at 20 x 20, 10 s and 200 MB at 24 x 24. A count from above and one from below meet
    in the middle. Source: OEIS A182275 (squares), A116694 and A333476 (rectangles).

    >>> count(4, 4), count(1, 7), count(2, 3) == count(3, 2)
    (70878, 64, True)
    """
    rows, cols = grid.check_size(rows, cols)
    across, lines = sorted((rows, cols))
    afford(_bytes(across), budget, f"to count {rows} x {cols}")
    moduli = remainders.enough(bits_needed(lines, across))
    return remainders.joined([residue(lines, across, modulus, budget=budget) for modulus in moduli], moduli)


def residue(rows: int, cols: int, modulus: int, *, kept: Kept | None = None, budget: int = BUDGET) -> int:
    """Number of dissections of a grid modulo a number. The sweep goes down the rows: transposed, it is another
    computation.

    Parameters
    ----------
    rows, cols : int
    modulus : int                 from 2 to remainders.LARGEST
    kept : Checkpoint, optional   where a sweep that was stopped goes on from, and keeps its last line
    budget : int                  bytes for the states

    Raises
    ------
    ValueError           another modulus
    MemoryError          2 ** (cols - 1) states of 24 bytes would not fit the budget

    >>> residue(4, 4, 1000), residue(2, 12, 97) == residue(12, 2, 97)
    (878, True)
    """
    rows, cols = grid.check_size(rows, cols)
    afford(_bytes(cols), budget, f"to count {rows} x {cols}")
    half = (rows - 1) // 2
    found = None if kept is None else kept.load()
    line, above = (0, first_line(cols)) if found is None else found
    while line < half:
        lines = half - line if kept is None else 1
        above, line = advance(above, lines, modulus), line + lines
        if kept is not None:
            kept.save(line, above)
    return meet(above, advance(above, (rows - 1) % 2, modulus), modulus)


def first_line(across: int) -> npt.NDArray[np.uint64]:
    """Weights below the first line of cells, where every set of walls is possible in one way: uint64 (2 ** (across -
    1),).
    """
    return np.ones(1 << (across - 1), np.uint64)


def advance(weights: npt.NDArray[np.uint64], lines: int, modulus: int) -> npt.NDArray[np.uint64]:
    """Weights so many lines further down.

    Parameters
    ----------
    weights : uint64 (2 ** (across - 1),)    ways to each set of walls between the cells of a line, below the modulus
    lines : int                              at least 0
    modulus : int                            from 2 to remainders.LARGEST

    Returns
    -------
    uint64, as many                          to store, to go on with, or to `meet` those from the other end

    >>> advance(first_line(3), 1, 1000).tolist(), advance(first_line(3), 5, 1000).tolist()
    ([5, 8, 8, 13], [9, 86, 86, 481])
    """
    remainders.check(modulus)
    return _advance(weights, lines, np.uint64(modulus))


def meet(above: npt.NDArray[np.uint64], below: npt.NDArray[np.uint64], modulus: int) -> int:
    """Dissections modulo a number, from the weights at one line swept from above and from below: the sum of products.

    >>> meet(advance(first_line(3), 1, 1000), first_line(3), 1000)
    34
    """
    sums = np.zeros(5, np.uint64)
    _multiply(above, below, sums)
    return sum(int(part) << (32 * at) for at, part in enumerate(sums)) % modulus


def _bytes(across):
    return 3 * 8 << (across - 1)


@lru_cache
def bits_needed(lines: int, across: int) -> int:
    """Bits of the count, or one too many: the same additions in floats, whose relative error is far below a half."""
    above, size = np.ones(1 << (across - 1)), 0.0
    left, at_once = (lines - 1) // 2, max(1, 300 // across)  # a line multiplies by less than 8 ** across
    while left:
        above = _advance(above, min(left, at_once), np.float64(0))
        left -= min(left, at_once)
        largest = above.max()
        above /= largest
        size += np.log2(largest)
    size = 2 * size + np.log2((above * _advance(above, (lines - 1) % 2, np.float64(0))).sum())
    return int(np.ceil(size)) + 1


def _advance(weights, lines, modulus):
    points = len(weights).bit_length() - 1
    low = min(points, _TILE_BITS)
    run = min(1 << low, max(_RUN, 1 << max(0, 2 * low - points)))
    x = np.zeros((2, len(weights)), weights.dtype)  # states without, and with a wall to the left of the next point
    x[0] = weights
    tile = np.empty(2 * max(1 << low, run << (points - low)), weights.dtype)
    _sweep(x, tile, lines, low, points - low, run, modulus)
    return x[0]


@kernel
def _sweep(x, tile, lines, low, high, run, modulus):
    """Lines swept to and fro, so that a piece of x that was fetched is done with this line's last points and the next's
    first.

    The low points of a line are those whose states are next to each other in x, a tile in one piece; the high points
    take a tile from 2 ** high places.
    """
    for turn in range(lines + 1):
        if turn % 2 == 0:
            for start in range(0, x.shape[1], 1 << low):
                _turn(x, tile, start, 0, 1, 1 << low, 1, low, turn == 0, turn == lines, modulus)
        else:
            for start in range(0, 1 << low, run):
                _turn(x, tile, start, 1 << low, 1 << high, run, run, high, False, turn == lines, modulus)


@inner
def _turn(x, tile, start, apart, pieces, run, step, points, first, last, modulus):
    """The points of a tile that end a line, the frame, and those that begin the next line."""
    size = pieces * run
    for wall in range(2):
        for piece in range(pieces):
            source = x[wall, start + piece * apart : start + piece * apart + run]
            target = tile[wall * size + piece * run : wall * size + (piece + 1) * run]
            for i in range(run):
                target[i] = source[i]
    to_and_fro = apart > 0  # the high points are left to right at the end of a line, the low ones are right to left
    if not first:
        for point in range(points):
            _gate(tile, size, step << (point if to_and_fro else points - 1 - point), modulus)
    for i in range(size):  # whatever was left of the frame, a wall may come from it or not
        total = tile[i] + tile[size + i]
        tile[i] = tile[size + i] = min(total, total - modulus)
    if not last:
        for point in range(points):
            _gate(tile, size, step << (points - 1 - point if to_and_fro else point), modulus)
    for wall in range(2):
        for piece in range(pieces):
            target = x[wall, start + piece * apart : start + piece * apart + run]
            source = tile[wall * size + piece * run : wall * size + (piece + 1) * run]
            for i in range(run):
                target[i] = source[i]


@inner
def _gate(tile, size, step, modulus):
    """One point: what comes from above and from the left becomes what goes on down and to the right."""
    if step == 1:  # strides known to the compiler
        for i in range(0, size, 2):
            _four(tile, size, i, 1, modulus)
    elif step == 2:
        for i in range(0, size, 4):
            _four(tile, size, i, 2, modulus)
            _four(tile, size, i + 1, 2, modulus)
    elif step == 4:
        for i in range(0, size, 8):
            _four(tile, size, i, 4, modulus)
            _four(tile, size, i + 1, 4, modulus)
            _four(tile, size, i + 2, 4, modulus)
            _four(tile, size, i + 3, 4, modulus)
    else:
        for first in range(0, size, 2 * step):
            above = tile[first + step : first + 2 * step]
            left = tile[size + first : size + first + step]
            both = tile[size + first + step : size + first + 2 * step]
            for i in range(step):
                down = above[i] + both[i]
                down = min(down, down - modulus)  # a difference below 0 is a large number
                right = left[i] + both[i]
                plus = left[i] + down
                above[i] = down
                left[i] = min(right, right - modulus)
                both[i] = min(plus, plus - modulus)


@inner
def _four(tile, size, i, step, modulus):
    left, both = tile[size + i], tile[size + i + step]
    down = tile[i + step] + both
    down = min(down, down - modulus)
    right, plus = left + both, left + down
    tile[i + step] = down
    tile[size + i] = min(right, right - modulus)
    tile[size + i + step] = min(plus, plus - modulus)


@kernel
def _multiply(above, below, sums):
    """Sum of products, as sums of their half words by place."""
    for i in range(len(above)):
        a, b = above[i], below[i]
        a0, a1, b0, b1 = a & _LOW, a >> _32, b & _LOW, b >> _32
        for at, product in ((0, a0 * b0), (1, a0 * b1), (1, a1 * b0), (2, a1 * b1)):
            sums[at] += product & _LOW
            sums[at + 1] += product >> _32
