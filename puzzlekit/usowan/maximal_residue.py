"""Maximal shadings counted modulo 2**64 by inclusion and exclusion: a second road, sharing nothing with `maximal.py`.

The number of shadings in which no cell could be shaded as well is the sum of (-1)**marks over all pairs of a shading
and a set of marked cells, each of which could be shaded on its own: no shaded cell beside it, and the trees of shaded cells
around it all different in the end (trees: cells that meet at corners; the edge of the grid is one more). So nothing has
to happen later, as it has to for the demands of `maximal.py`; here pairs of trees must never meet.

A key is four words: four bits for each cell of the frontier, the pairs that must not meet, and a byte for each marked
cell, the trees around it. One layer at a time is kept, with its weights. Not here: exact counts, draws.
"""

import numpy as np

from ..machinery import frontier, grid
from ..machinery.kernels import inner, kernel

WIDEST = 15  # cells: four bits each and one more, and a byte for each that is marked
UNSHADED, MARKED, EDGE = range(3)  # EDGE and above: shaded, and of which tree
_WORDS, _TREES = 4, 16  # _TREES: room, the last one for a tree not yet numbered
_FIRST_ROOM = 1 << 12


def maximal_residue(rows, cols, *, transpose=None, budget=frontier.BUDGET):
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

    Cost: about 15,400 states at 8 x 8, 3.4 times more for every column; each is expanded anew in every row.

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
    keys, weights = np.zeros((1, _WORDS), np.uint64), np.ones(1, np.uint64)
    room = _FIRST_ROOM
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        border = row in (0, rows - 1) or col in (0, cols - 1)
        while True:
            needed = 2 * room * (8 * _WORDS + 8) + 8 * room  # this layer and the next, and the slots of the next
            if needed > budget:
                raise MemoryError(f"{needed:,} bytes needed for the states of a layer, the budget is {budget:,}")
            after, sums = np.empty((room, _WORDS), np.uint64), np.empty(room, np.uint64)
            count = _layer(keys, weights, col, cols, border, after, sums, np.zeros(2 * room, np.uint32))
            if count >= 0:
                break
            room *= 2
        keys, weights = after[:count], sums[:count]
    return int(weights.sum())


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
    """Trees in the order they come; those that have left the frontier are forgotten."""
    for word in range(_WORDS):
        key[word] = np.uint64(0)
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
def _layer(keys, weights, col, cols, border, after, sums, slots):
    """Number of states of the next layer, with their keys and weights, or -1 when there is no room for them."""
    cells, around, apart = np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64)
    numbers, trees, key = np.zeros(_TREES, np.int64), np.zeros(_TREES, np.int64), np.zeros(_WORDS, np.uint64)
    mask = np.uint64(len(slots) - 1)
    count = 0
    for i in range(len(keys)):
        if weights[i] == np.uint64(0):
            continue
        for choice in range(3):
            _unpack(keys[i], cols, cells, around, apart)
            if not _step(cells, around, apart, cols, col, border, choice):
                continue
            _pack(cells, around, apart, cols, numbers, trees, key)
            weight = np.uint64(0) - weights[i] if choice == 1 else weights[i]
            place = np.uint64(0)
            for word in range(_WORDS):
                place = (place ^ key[word]) * np.uint64(0x9E3779B97F4A7C15)
                place ^= place >> np.uint64(32)
            place &= mask
            while slots[place] != 0:
                known = np.int64(slots[place]) - 1
                same = True
                for word in range(_WORDS):
                    same &= after[known, word] == key[word]
                if same:
                    sums[known] += weight
                    break
                place = (place + np.uint64(1)) & mask
            else:
                if count == len(after):
                    return -1
                for word in range(_WORDS):
                    after[count, word] = key[word]
                sums[count] = weight
                count += 1
                slots[place] = count
    return count
