"""A Usowan board and a reading of its rules as kernels read them: arrays and numbers, no Python objects.

Not here: anything that follows from them.
"""

from typing import NamedTuple

import numpy as np

from ..machinery.grid import SHADED, UNKNOWN
from ..machinery.kernels import kernel, lean
from .rules import NO_CLUE


class Layout(NamedTuple):
    """A board as its kernels read it; n cells, k numbers, g regions."""

    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    value: np.ndarray  # int32 (n + 1,): the number, or -1
    region_of: np.ndarray  # int32 (n + 1,)
    first: np.ndarray  # int32 (g + 1,): where each region's numbers start in `numbered`
    numbered: np.ndarray  # int32 (k,): cells with a number, by region
    liar: np.ndarray  # int32 (g,): the number named as each region's wrong one, or -1 when nobody is named
    unshaded: np.ndarray  # int32 (u,): cells with any clue


class Clauses(NamedTuple):
    """A Reading as numbers for the kernels."""

    fewest: int
    most: int
    connected: bool


@kernel
def _layout(rows, cols, clues, regions, whole):
    """The Layout of a board; clues and regions int32 (rows * cols,). With `whole` all numbers count as one region."""
    n = rows * cols
    near = np.empty((n, 4), np.int32)
    value = np.empty(n + 1, np.int32)
    region_of = np.empty(n + 1, np.int32)
    k = u = g = 0
    for cell in range(n):
        r = cell // cols
        c = cell - r * cols
        j = 0
        if r > 0:
            near[cell, j] = cell - cols
            j += 1
        if c > 0:
            near[cell, j] = cell - 1
            j += 1
        if c < cols - 1:
            near[cell, j] = cell + 1
            j += 1
        if r < rows - 1:
            near[cell, j] = cell + cols
            j += 1
        while j < 4:
            near[cell, j] = n
            j += 1
        value[cell] = max(clues[cell], -1)
        region_of[cell] = 0 if whole else regions[cell]
        g = max(g, region_of[cell])
        k += clues[cell] >= 0
        u += clues[cell] != NO_CLUE
    value[n] = -1
    region_of[n] = 0
    first = np.empty(g + 2, np.int32)
    first[:] = 0
    liar = np.empty(g + 1, np.int32)
    liar[:] = -1
    for cell in range(n):
        if value[cell] >= 0:
            first[region_of[cell] + 1] += 1
    for region in range(g + 1):
        first[region + 1] += first[region]
    numbered = np.empty(k, np.int32)
    unshaded = np.empty(u, np.int32)
    u = 0
    for cell in range(n):
        if value[cell] >= 0:  # first[region] moves on to the region's end here, and back below
            numbered[first[region_of[cell]]] = cell
            first[region_of[cell]] += 1
        if clues[cell] != NO_CLUE:
            unshaded[u] = cell
            u += 1
    for region in range(g + 1, 0, -1):
        first[region] = first[region - 1]
    first[0] = 0
    return Layout(near, value, region_of, first, numbered, liar, unshaded)


def layout(board, scope="region"):
    """The Layout of a board; with scope "board" all numbers count as one region. Cost: a few microseconds."""
    return _layout(board.rows, board.cols, board.clues.ravel(), board.regions.ravel(), scope == "board")


def clauses(board, reading):
    """Clauses of a reading on a board. Where both sides are at least 2, cells that may connect through corners always
    do.
    """
    one_line = 1 in board.clues.shape
    return Clauses(
        reading.fewest, reading.most, reading.touching == "side" or (reading.touching == "corner" and one_line)
    )


@lean
def _bounds(board, state, cell):
    """(shaded, shaded + unknown) around a cell."""
    shaded = 0
    unknown = 0
    for j in range(4):
        s = state[board.near[cell, j]]
        shaded += s == SHADED
        unknown += s == UNKNOWN
    return shaded, shaded + unknown
