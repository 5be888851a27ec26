"""Maximal shadings: answers of an empty grid in which no further cell can be shaded. Counted, drawn and walked exactly.

Shaded cells meet only at corners. Let cells that do be joined, and every shaded cell on the edge of the grid be joined
to one more tree, the outside; then the unshaded cells are one region exactly when nothing closes a ring. So an unshaded
cell must stay unshaded when a shaded cell is beside it, or when two of the trees around it (of its diagonal neighbours;
the outside, for a cell on the edge) are one tree in the end, for then it would close a ring.

A sweep visits cells in reading order and remembers, for cells 0..c-1 of row r, cell c-1 of the row above (the corner of
the next cell) and the rest of that row:

- which cells are shaded, and the tree of each;
- which are open: unshaded with no shaded cell beside them so far and no ring so far, and the trees around each;
- demands: sets of trees, two of which must become one. An open cell leaves one behind when it leaves the frontier.

Trees that have left the frontier cannot grow and are forgotten; a demand on fewer than two trees cannot be met.

A key is a string of bits: four for each cell, then the sets, one bit a tree, of the open cells that need one and of the
demands. Minimal demands only, in increasing order; trees are numbered as they come. Not here: all answers of an empty
grid, see `profile.py`.
"""

import numpy as np
import numpy.typing as npt

from ..machinery import frontier, grid, states
from ..machinery.kernels import inner, kernel

WIDEST = 15  # cells; four bits for each and for the corner fill a word

# of a cell on the frontier; OPEN_BY_EDGE: the outside alone is around it; from OUTSIDE on: shaded, and of which tree
SAFE, OPEN_ALONE, OPEN_BY_EDGE, OPEN, OUTSIDE = range(5)
_NEW = 15  # a tree that is not yet numbered, above all that are
_RING = 1 << 20  # in a set of trees: one of them was there already
_CELLS, _SETS = WIDEST + 1, 64  # room for the cells of a profile, and for the sets of cells and demands
_ALIVE, _FULL = range(2)
_STATES, _GROWTH = 9_300_000, 3.65  # of all columns together, 12 cells across; times more for every cell


def diagram(rows: int, cols: int, *, transpose: bool | None = None, budget: int = frontier.BUDGET) -> frontier.Diagram:
    """Diagram of all maximal shadings of an empty grid: one layer a cell, choice 1 shades it.

    Parameters
    ----------
    rows, cols : int            at least 2
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower
    budget : int                bytes, see `frontier.Diagram`

    Returns
    -------
    frontier.Diagram            shadings as uint8 (n, rows * cols), cells in reading order whatever the sweep

    Raises
    ------
    ValueError                  when a side is 1, or the side swept across is over WIDEST cells
    MemoryError                 when the states would not fit the budget, by an estimate before they are looked for

    Cost: about 7,100 states a column at 8 x 8, 3.3 times more for every column; half a second at 10 x 10, half a minute
    and 1.4 GB at 13 x 13.

    >>> diagram(4, 4).unrank(0).reshape(4, 4).tolist()
    [[0, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0]]
    """
    rows, cols = grid.check_size(rows, cols)
    if min(rows, cols) == 1:
        raise ValueError(f"the sweep needs at least 2 x 2 cells, not {rows} x {cols}; count_maximal knows single rows")
    cells = np.arange(rows * cols).reshape(rows, cols)
    if cols > rows if transpose is None else transpose:
        cells = cells.T
    lines, across = cells.shape
    if across > WIDEST:
        raise ValueError(
            f"a {rows} x {cols} grid is too wide: a frontier of maximal shadings holds at most {WIDEST} cells"
        )
    words = 2 if across <= 13 else 3
    needed = int(_STATES * _GROWTH ** (across - 12)) * (16 * words + 32)
    states.afford(needed, budget, f"to find the states of a {rows} x {cols} grid")

    def expand(kind, keys):
        first_row, col = kind
        after, allowed = np.zeros((len(keys), 2, keys.shape[1]), np.uint64), np.zeros((len(keys), 2), bool)
        if _expand(keys, col, across, first_row, after, allowed):
            raise OverflowError(f"the demands of a {rows} x {cols} grid do not fit a key of {keys.shape[1]} words")
        return after, allowed

    return frontier.Diagram(
        start=[0] * words,
        kinds=[(r == 0, c) for r in range(lines) for c in range(across)] + [(False, 0)],
        expand=expand,
        accept=lambda keys: _accept(keys, across),
        order=cells.ravel(),
        budget=budget,
    )


def count_maximal(rows: int, cols: int, *, transpose: bool | None = None, budget: int = frontier.BUDGET) -> int:
    """Number of maximal shadings of an empty grid, an exact int. Parameters and errors as for `diagram`, sides from 1.

    Their unshaded cells are the minimal connected vertex covers of the grid: OEIS A320500, squares A320501. The 1 x 1
    grid has one, unshaded.

    >>> count_maximal(4, 4), count_maximal(2, 9), count_maximal(1, 2), count_maximal(1, 1)
    (110, 200, 2, 1)
    """
    rows, cols = grid.check_size(rows, cols)
    if min(rows, cols) == 1:  # only the ends of a strip can be shaded, and both where they are not neighbours
        return 2 if max(rows, cols) == 2 else 1
    return diagram(rows, cols, transpose=transpose, budget=budget).count()


def draw_maximal(
    rows: int, cols: int, n: int, rng: np.random.Generator, *, budget: int = frontier.BUDGET
) -> npt.NDArray[np.uint8]:
    """n uniform, independent maximal shadings: uint8 (n, rows, cols). rng: numpy.random.Generator; else as `diagram`.

    >>> draw_maximal(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    """
    return diagram(rows, cols, budget=budget).draw(n, rng).reshape(n, rows, cols)


@inner
def _several(trees):
    return trees & (trees - 1) != 0


@inner
def _bits(cols):
    """Bits of a set of trees: the outside, and as many others as can stand on a frontier, none of them on the edge."""
    return 1 + cols // 2


@inner
def _read(key, at, bits):
    value = key[at >> 6] >> np.uint64(at & 63)
    if (at & 63) + bits > 64:
        value |= key[(at >> 6) + 1] << np.uint64(64 - (at & 63))
    return np.int64(value & np.uint64((1 << bits) - 1))


@inner
def _write(key, at, value):
    key[at >> 6] |= np.uint64(value) << np.uint64(at & 63)
    if at & 63 and (at >> 6) + 1 < len(key):
        key[(at >> 6) + 1] |= np.uint64(value) >> np.uint64(64 - (at & 63))


@inner
def _unpack(key, cols, cells, sets):
    """Fill cells (cols + 1,) and sets: trees around each open cell, then the demands. Returns the number of demands."""
    bits = _bits(cols)
    at = 4 * (cols + 1)
    for p in range(cols + 1):
        cells[p] = _read(key, 4 * p, 4)
        sets[p] = 0
        if cells[p] == OPEN:
            sets[p] = _read(key, at, bits)
            at += bits
        elif cells[p] == OPEN_BY_EDGE:
            sets[p] = 1
        if SAFE < cells[p] < OUTSIDE:
            cells[p] = OPEN
    demands = 0
    while at + bits <= 64 * len(key):
        trees = _read(key, at, bits)
        if trees == 0:
            break
        sets[cols + 1 + demands] = trees
        demands += 1
        at += bits
    return demands


@inner
def _renumber(cells, sets, demands, cols, numbers):
    """Trees in the order they come, trees off the frontier forgotten. False when a demand can no longer be met."""
    for tree in range(_NEW - OUTSIDE + 1):
        numbers[tree] = -1
    numbers[0] = 0
    count = 1
    for p in range(cols + 1):
        if cells[p] >= OUTSIDE:
            tree = cells[p] - OUTSIDE
            if numbers[tree] < 0:
                numbers[tree] = count
                count += 1
            cells[p] = OUTSIDE + numbers[tree]
    for p in range(cols + 1 + demands):
        trees = 0
        for tree in range(_NEW - OUTSIDE + 1):
            if (sets[p] >> tree) & 1 and numbers[tree] >= 0:
                trees |= 1 << numbers[tree]
        sets[p] = trees
        if p > cols and not _several(trees):
            return False
    return True


@inner
def _minimal(sets, demands, first):
    """Sort the demands and drop those that follow from another. Returns how many are left."""
    kept = first
    for i in range(first, first + demands):
        trees = sets[i]
        needed = True
        for j in range(first, kept):
            if trees & sets[j] == sets[j]:
                needed = False
        if not needed:
            continue
        stays = first  # what follows from the new one goes
        for j in range(first, kept):
            if trees & sets[j] != trees:
                sets[stays] = sets[j]
                stays += 1
        kept = stays + 1
        while stays > first and sets[stays - 1] > trees:
            sets[stays] = sets[stays - 1]
            stays -= 1
        sets[stays] = trees
    return kept - first


@inner
def _pack(cells, sets, demands, cols, key):
    """Write the key, zero so far: _ALIVE, or _FULL when it has no room for all sets."""
    bits = _bits(cols)
    at = 4 * (cols + 1)
    first = cols + 1
    for p in range(first):
        cell = cells[p]
        if cell == OPEN:
            for i in range(first, first + demands):  # met in any case once that demand is
                if sets[p] & sets[i] == sets[i]:
                    cell = SAFE
            if cell == OPEN and sets[p] <= 1:
                cell = OPEN_ALONE if sets[p] == 0 else OPEN_BY_EDGE
            if cell == OPEN:
                if at + bits > 64 * len(key):
                    return _FULL
                _write(key, at, sets[p])
                at += bits
        _write(key, 4 * p, cell)
    for i in range(first, first + demands):
        if at + bits > 64 * len(key):
            return _FULL
        _write(key, at, sets[i])
        at += bits
    return _ALIVE


@inner
def _shade(cells, sets, demands, cols, col, around):
    """Shade the cell at `col`: the trees around it become one. Returns the number of demands left."""
    tree = _NEW - OUTSIDE
    if around:
        tree = 0
        while not (around >> tree) & 1:
            tree += 1
    if col > 0:
        cells[col - 1], sets[col - 1] = SAFE, 0
    cells[col + 1], sets[col + 1] = SAFE, 0
    first = kept = cols + 1
    for p in range(first + demands):
        if p < first and cells[p] != OPEN:
            if cells[p] >= OUTSIDE and (around >> (cells[p] - OUTSIDE)) & 1:
                cells[p] = OUTSIDE + tree
            continue
        trees = sets[p]
        met = _several(trees & around)
        if trees & around:
            trees = (trees & ~around) | 1 << tree
        if p < first and (p == col or p == col + 2):  # an open cell that touches the new one at a corner
            met |= (trees >> tree) & 1 != 0
            trees |= 1 << tree
        if p < first:
            cells[p], sets[p] = (SAFE, 0) if met else (OPEN, trees)
        elif not met:
            sets[kept] = trees
            kept += 1
    return kept - first


@inner
def _grow(cells, sets, demands, cols, col, first_row, shade):
    """The profile after the cell at `col`, in place. Returns the number of demands, -1 where the cell may not be so."""
    blocked = cells[col + 1] >= OUTSIDE or (col > 0 and cells[col - 1] >= OUTSIDE)
    around = 0
    if first_row or col == 0 or col == cols - 1:
        around = 1
    for p in (col, col + 2):
        if p <= cols and cells[p] >= OUTSIDE:
            tree = 1 << (cells[p] - OUTSIDE)
            around |= _RING if around & tree else tree
    if shade:
        if blocked or around >= _RING:
            return -1
        demands = _shade(cells, sets, demands, cols, col, around)
    if cells[col] == OPEN:  # the corner leaves
        sets[cols + 1 + demands] = sets[col]
        demands += 1
    cells[col], sets[col] = SAFE, 0
    if shade:
        cells[col] = _NEW
        for tree in range(_NEW - OUTSIDE):
            if (around >> tree) & 1:
                cells[col] = OUTSIDE + tree
                break
    elif not blocked and around < _RING:
        cells[col], sets[col] = OPEN, around
    if col == cols - 1:  # the last cell of the row above leaves, and a place before the first one comes
        if cells[cols] == OPEN:
            sets[cols + 1 + demands] = sets[cols]
            demands += 1
        for p in range(cols, 0, -1):
            cells[p], sets[p] = cells[p - 1], sets[p - 1]
        cells[0], sets[0] = SAFE, 0
    return demands


@kernel
def _expand(keys, col, cols, first_row, after, allowed):
    """True when some state does not fit its key."""
    cells, numbers, sets = np.zeros(_CELLS, np.int64), np.zeros(_CELLS, np.int64), np.zeros(_SETS, np.int64)
    for i in range(len(keys)):
        for choice in range(2):
            demands = _unpack(keys[i], cols, cells, sets)
            demands = _grow(cells, sets, demands, cols, col, first_row, choice == 1)
            if demands < 0 or not _renumber(cells, sets, demands, cols, numbers):
                continue
            demands = _minimal(sets, demands, cols + 1)
            if _pack(cells, sets, demands, cols, after[i, choice]) == _FULL:
                return True
            allowed[i, choice] = True
    return False


@kernel
def _accept(keys, cols):
    """States after a last row: each of its cells but the outer two is now joined to the outside, or has it around."""
    cells, sets = np.zeros(_CELLS, np.int64), np.zeros(_SETS, np.int64)
    result = np.zeros(len(keys), np.bool_)
    for i in range(len(keys)):
        _unpack(keys[i], cols, cells, sets)  # all trees become one: demands are met
        joined = 1
        fine = True
        for p in range(1, cols + 1):
            outer = p == 1 or p == cols
            if cells[p] == OPEN:
                fine &= _several(sets[p]) if outer else sets[p] != 0
            elif cells[p] >= OUTSIDE and not outer:
                tree = 1 << (cells[p] - OUTSIDE)
                fine &= joined & tree == 0
                joined |= tree
        result[i] = fine
    return result
