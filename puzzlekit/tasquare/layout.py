"""A Tasquare board and a reading of its rules as kernels read them, and the squares that its blocks may be.

Not here: anything that follows from them.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import grid
from ..machinery.kernels import inner
from .rules import NO_CLUE, Reading


class Layout(NamedTuple):
    """A board as its kernels read it; n cells, k clues, q candidate squares.

    Variables are the n cells, the sentinel n, which is unshaded for ever, then the squares.
    """

    rows: int
    cols: int
    near: np.ndarray  # int32 (n, 4): neighbours, padded with n
    value: np.ndarray  # int32 (n + 1,): the number, ASKED or NO_CLUE
    clue: np.ndarray  # int32 (k,): cells with a clue
    reach: np.ndarray  # int32 (n,): the largest candidate with this cell as its top left corner
    first: np.ndarray  # int32 (n,): the first of its candidates, which are those of sides 1 to reach
    corner: np.ndarray  # int32 (n + 1 + q,): top left cell of each candidate
    side: np.ndarray  # int32 (n + 1 + q,)


class Clauses(NamedTuple):
    """A Reading as flags for the kernels."""

    connected: bool
    areas: bool  # a side adds the area of its square; otherwise 1
    zero: bool  # 0 can be right
    eager: bool  # squares larger than a number beside them are no candidates; the ladder itself leaves them to prune


def clauses(reading: Reading, eager: bool = False) -> Clauses:
    """Clauses of a reading."""
    return Clauses(reading.connected, reading.number == "area", reading.zero == "plain", eager)


def read(clues: np.ndarray, reading: Reading) -> np.ndarray:
    """The clues that a reading reads, in one row and read-only: one type for the kernels, whoever calls them."""
    clues = clues.ravel()
    if reading.number == "nothing":
        clues = np.full(clues.shape, NO_CLUE, np.int32)
        clues.setflags(write=False)
    return clues


@lru_cache(maxsize=256)
def near(rows: int, cols: int) -> np.ndarray:
    """Neighbours of the cells of a grid, padded with the sentinel: int32 (n, 4)."""
    near = grid.neighbours(rows, cols)
    return np.where(near < 0, np.int32(rows * cols), near)


@inner
def layout(rows, cols, clues, clauses):
    """The Layout of a board; clues int32 (rows * cols,)."""
    n = rows * cols
    near = np.empty((n, 4), np.int32)
    value = np.empty(n + 1, np.int32)
    value[n] = NO_CLUE
    k = 0
    for cell in range(n):
        value[cell] = clues[cell]
        k += clues[cell] != NO_CLUE
        r = cell // cols
        c = cell - r * cols
        j = 0
        if r > 0:
            near[cell, j] = cell - cols
            j += 1
        if c > 0:
            near[cell, j] = cell - 1
            j += 1
        if c + 1 < cols:
            near[cell, j] = cell + 1
            j += 1
        if r + 1 < rows:
            near[cell, j] = cell + cols
            j += 1
        while j < 4:
            near[cell, j] = n
            j += 1
    clue = np.empty(k, np.int32)
    reach = np.empty(n, np.int32)
    first = np.empty(n, np.int32)
    for cell in range(n - 1, -1, -1):
        reach[cell] = 0
        if value[cell] != NO_CLUE:
            k -= 1
            clue[k] = cell
        elif cell + cols >= n or cell % cols == cols - 1:
            reach[cell] = 1
        else:
            reach[cell] = 1 + min(reach[cell + 1], reach[cell + cols], reach[cell + cols + 1])
    count = n + 1
    for cell in range(n - 1, -1, -1):
        if clauses.eager and clauses.areas:
            reach[cell] = _affordable(cols, n, value, cell, reach[cell])
        first[cell] = count
        count += reach[cell]
    corner = np.empty(count, np.int32)
    side = np.empty(count, np.int32)
    for cell in range(n):
        for k in range(reach[cell]):
            corner[first[cell] + k] = cell
            side[first[cell] + k] = k + 1
    return Layout(rows, cols, near, value, clue, reach, first, corner, side)


@inner
def _affordable(cols, n, value, corner, reach):
    """The largest square with this corner, up to `reach`, that is not larger than a number beside it; larger ones all
    are.
    """
    for k in range(1, reach + 1):
        for i in range(4 * k):
            there = ring(cols, n, corner // cols, corner % cols, k, i)
            if there >= 0 and 0 <= value[there] < k * k:
                return k - 1
    return reach


@inner
def ring(cols: int, n: int, top: int, left: int, k: int, i: int) -> int:
    """The i-th of the 4 k cells beside a square of side k, or -1 where the grid ends."""
    line = i // k
    step = i % k
    if line == 0:
        return (top - 1) * cols + left + step if top > 0 else -1
    if line == 1:
        return (top + step) * cols + left - 1 if left > 0 else -1
    if line == 2:
        return (top + step) * cols + left + k if left + k < cols else -1
    there = (top + k) * cols + left + step
    return there if there < n else -1
