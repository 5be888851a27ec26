"""A Usowan board and a reading of its rules as kernels read them: arrays and numbers, no Python objects.

Not here: anything that follows from them.
"""

from typing import NamedTuple

import numpy as np

from ..machinery.kernels import inner
from .rules import NO_CLUE, Reading

APART, CONNECTED = range(2)  # shaded cells never touch; the unshaded cells are one region
TOUCHING = ("nothing", "corner", "side")  # as numbers


class Layout(NamedTuple):
    """A board as its kernels read it; n cells, k numbers, g regions."""

    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    number_at: np.ndarray  # int32 (n + 1,): which number is printed on a cell, or -1
    numbered: np.ndarray  # int32 (k,): cells with a number, by region
    value: np.ndarray  # int32 (k,)
    region_of: np.ndarray  # int32 (k,)
    first: np.ndarray  # int32 (g + 1,): where each region's numbers start
    unshaded: np.ndarray  # int32 (u,): cells with any clue
    fewest: int  # numbers of a region that are wrong
    most: int
    active: np.ndarray  # uint8 (g,): regions for which that counts
    rules: np.ndarray  # uint8 (2,): whether APART and CONNECTED count


class Clauses(NamedTuple):
    """A Reading as numbers."""

    whole: bool  # all numbers count as one region
    fewest: int
    most: int
    touching: int  # a place in TOUCHING


def clauses(reading: Reading) -> Clauses:
    """The Clauses of a reading."""
    return Clauses(reading.scope == "board", reading.fewest, reading.most, TOUCHING.index(reading.touching))


@inner
def layout(rows: int, cols: int, clues: np.ndarray, regions: np.ndarray, clauses: Clauses) -> Layout:
    """The Layout of a board; clues and regions int32 (rows * cols,)."""
    own = 0 if clauses.whole else 1  # times a cell's region: that of its number
    n = rows * cols
    near = np.empty((n, 4), np.int32)
    number_at = np.empty(n + 1, np.int32)
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
        g = max(g, own * regions[cell])
        k += clues[cell] >= 0
        u += clues[cell] != NO_CLUE
        number_at[cell] = -1
    number_at[n] = -1
    first = np.empty(g + 2, np.int32)
    first[:] = 0
    for cell in range(n):
        if clues[cell] >= 0:
            first[own * regions[cell] + 1] += 1
    for region in range(g + 1):
        first[region + 1] += first[region]
    numbered, value, region_of = np.empty(k, np.int32), np.empty(k, np.int32), np.empty(k, np.int32)
    unshaded = np.empty(u, np.int32)
    u = 0
    for cell in range(n):
        if clues[cell] >= 0:  # first[region] moves on to the region's end here, and back below
            region = own * regions[cell]
            i = first[region]
            numbered[i] = cell
            value[i] = clues[cell]
            region_of[i] = region
            number_at[cell] = i
            first[region] += 1
        if clues[cell] != NO_CLUE:
            unshaded[u] = cell
            u += 1
    for region in range(g + 1, 0, -1):
        first[region] = first[region - 1]
    first[0] = 0
    active = np.empty(g + 1, np.uint8)
    active[:] = 1
    rules = np.empty(2, np.uint8)
    rules[APART] = 1  # and by corners all are connected then, where both sides are at least 2
    rules[CONNECTED] = clauses.touching == 2 or (clauses.touching == 1 and min(rows, cols) == 1)
    return Layout(
        near, number_at, numbered, value, region_of, first, unshaded, clauses.fewest, clauses.most, active, rules
    )
