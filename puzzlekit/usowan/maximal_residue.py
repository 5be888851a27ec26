"""Maximal shadings counted modulo 2**64 by inclusion and exclusion: a second road, sharing nothing with `maximal.py`.

The number of shadings in which no cell could be shaded as well is the sum of (-1)**marks over all pairs of a shading
and a set of marked cells, each of which could be shaded on its own: no shaded cell beside it, and the trees of shaded
cells around it all different in the end (trees: cells that meet at corners; the edge of the grid is one more). Nothing
has to happen later, as it has to for the demands of `maximal.py`; here pairs of trees must never meet.

A key is four words: four bits for each cell of the frontier, the pairs that must not meet, and a byte for each marked
cell, the trees around it. Not here: exact counts, draws.
"""

import numpy as np

from ..machinery import frontier, grid, states
from ..machinery.kernels import inner, kernel

WIDEST = 15  # cells: four bits each and one more, and a byte for each that is marked
UNSHADED, MARKED, EDGE = range(3)  # EDGE and above: shaded, and of which tree
_WORDS, _TREES = 4, 16  # _TREES: room, the last one for a tree not yet numbered


def maximal_residue(rows: int, cols: int, *, transpose: bool | None = None, budget: int = frontier.BUDGET) -> int:
    """`count_maximal(rows, cols)` modulo 2**64, by other means.

    Parameters
    ----------
    rows, cols : int            at least 2
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower
    budget : int                bytes

    Returns
    -------
    int                         below 2**64

    Raises
    ------
    ValueError                  when a side is 1, or the side swept across is over WIDEST cells
    MemoryError                 when the states would not fit the budget

    Cost: about 15,400 states a column at 8 x 8, 3.4 times more for every column; two seconds at 10 x 10, two minutes
    and 5 GB at 13 x 13.

    >>> maximal_residue(5, 6)
    7888
    """
    rows, cols = grid.check_size(rows, cols)
    if min(rows, cols) == 1:
        raise ValueError(f"the sweep needs at least 2 x 2 cells, not {rows} x {cols}")
    if cols > rows if transpose is None else transpose:
        rows, cols = cols, rows
    if cols > WIDEST:
        raise ValueError(f"a frontier of marked shadings holds at most {WIDEST} cells, not {cols}")

    def expand(kind, keys):
        first_row, col = kind
        after, allowed = np.zeros((len(keys), 3, _WORDS), np.uint64), np.zeros((len(keys), 3), bool)
        _expand(keys, col, cols, first_row, after, allowed)
        return after, allowed

    kinds = [(r == 0, col) for r in range(rows) for col in range(cols)] + [(False, 0)]
    found = states.find([0] * _WORDS, kinds, expand, lambda keys: _accept(keys, cols), budget)
    ways = found.final.astype(np.uint64)
    for kind in reversed(kinds[:-1]):  # sums that wrap around
        unshaded, marked, shaded = found.successors[kind].T
        ways = ways[unshaded] - ways[marked] + ways[shaded]
    return int(ways[1])


@inner
def _unpack(key, cols, cells, around, apart):
    slot = 0
    for p in range(cols + 1):
        cells[p] = np.int64((key[0] >> np.uint64(4 * p)) & np.uint64(15))
        around[p] = 0
        if cells[p] == MARKED:
            around[p] = np.int64((key[2 + slot // 8] >> np.uint64(8 * (slot % 8))) & np.uint64(255))
            slot += 1
    place = 0
    for high in range(_TREES):
        apart[high] = 0
        for low in range(high):
            if place < 64 and (key[1] >> np.uint64(place)) & np.uint64(1):
                apart[high] |= 1 << low
                apart[low] |= 1 << high
            place += 1


@inner
def _pack(cells, around, apart, cols, numbers, trees, key):
    """Write the key, zero so far: trees in the order they come; those that have left the frontier are forgotten."""
    for tree in range(_TREES):
        numbers[tree] = -1
    numbers[0] = trees[0] = 0
    count, slot = 1, 0
    for p in range(cols + 1):
        cell = cells[p]
        if cell >= EDGE:
            if numbers[cell - EDGE] < 0:
                numbers[cell - EDGE] = count
                trees[count] = cell - EDGE
                count += 1
            cell = EDGE + numbers[cell - EDGE]
        key[0] |= np.uint64(cell) << np.uint64(4 * p)
    for p in range(cols + 1):
        if cells[p] == MARKED:
            for i in range(count):
                if (around[p] >> trees[i]) & 1:
                    key[2 + slot // 8] |= np.uint64(1) << np.uint64(8 * (slot % 8) + i)
            slot += 1
    place = 0
    for high in range(count):
        for low in range(high):
            if (apart[trees[high]] >> trees[low]) & 1:
                key[1] |= np.uint64(1) << np.uint64(place)
            place += 1


@inner
def _never(apart, trees):
    """No two of these trees may meet."""
    for tree in range(_TREES):
        if (trees >> tree) & 1:
            apart[tree] |= trees & ~(1 << tree)


@inner
def _step(cells, around, apart, cols, col, border, choice):
    """The profile after an unshaded, a marked or a shaded cell, in place. False where the cell may not be so."""
    left = cells[col - 1] if col > 0 else UNSHADED
    above = cells[col + 1]
    trees = 1 if border else 0
    ring = False
    for p in (col, col + 2):
        if p <= cols and cells[p] >= EDGE:
            ring |= (trees >> (cells[p] - EDGE)) & 1 != 0
            trees |= 1 << (cells[p] - EDGE)
    cell, own = UNSHADED, 0
    if choice != 0 and (ring or left >= EDGE or above >= EDGE):
        return False
    if choice == 1:
        cell, own = MARKED, trees
        _never(apart, trees)
    elif choice == 2:
        if left == MARKED or above == MARKED:
            return False
        one = -1
        for tree in range(_TREES):
            if (trees >> tree) & 1:
                if apart[tree] & trees:
                    return False
                if one < 0:
                    one = tree
                else:
                    apart[one] |= apart[tree]
                    apart[tree] = 0
        if one < 0:
            one = _TREES - 1
        for tree in range(_TREES):
            if apart[tree] & trees:
                apart[tree] = (apart[tree] & ~trees) | 1 << one
        for p in range(cols + 1):
            if cells[p] >= EDGE and (trees >> (cells[p] - EDGE)) & 1:
                cells[p] = EDGE + one
            if cells[p] == MARKED and around[p] & trees:
                around[p] = (around[p] & ~trees) | 1 << one
        for p in (col, col + 2):  # marked cells that the new one touches at a corner
            if p <= cols and cells[p] == MARKED:
                if (around[p] >> one) & 1:
                    return False
                around[p] |= 1 << one
                _never(apart, around[p])
        cell = EDGE + one
    cells[col], around[col] = cell, own
    if col == cols - 1:
        for p in range(cols, 0, -1):
            cells[p], around[p] = cells[p - 1], around[p - 1]
        cells[0], around[0] = UNSHADED, 0
    return True


@kernel
def _expand(keys, col, cols, first_row, after, allowed):
    cells, around, apart = np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64)
    numbers, trees = np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64)
    border = first_row or col == 0 or col == cols - 1
    for i in range(len(keys)):
        for choice in range(3):
            _unpack(keys[i], cols, cells, around, apart)
            if _step(cells, around, apart, cols, col, border, choice):
                _pack(cells, around, apart, cols, numbers, trees, after[i, choice])
                allowed[i, choice] = True


@kernel
def _accept(keys, cols):
    """States after a last row, where the edge is beside all cells: every tree on the frontier becomes one with it."""
    cells, around, apart = np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64)
    result = np.zeros(len(keys), np.bool_)
    for i in range(len(keys)):
        _unpack(keys[i], cols, cells, around, apart)
        joined = 1
        fine = keys[i, 1] == np.uint64(0)  # no two trees are left that must not meet
        for p in range(1, cols + 1):
            outer = p == 1 or p == cols  # beside the edge already, and once only
            if cells[p] == MARKED:
                fine &= around[p] == (1 if outer else 0)
            elif cells[p] >= EDGE and not outer:
                fine &= (joined >> (cells[p] - EDGE)) & 1 == 0
                joined |= 1 << (cells[p] - EDGE)
        result[i] = fine
    return result
