"""The same counts by the sweeps of the articles, written from their prose, and by Graphillion (Usowan).

- `usowan_map`: one cell at a time, a dict from states to numbers of ways, in plain Python.
- `usowan_typed`: the same in numba, with a typed dict, as a user would write it; a number of ways is two words.
- `tasquare_rows`: the Tasquare article's: one row at a time, a dict, in plain Python.
- `usowan_graphillion`: connected sets of cells that touch every pair of neighbours. Graphillion 2.1 counts 3 x 3 to 5 x
  5 right, but its `induced_graphs` finds too many connected sets at 6 x 6 and 7 x 7 (more than A059525 has).
"""

from functools import lru_cache
from importlib.util import find_spec

WIDEST_TYPED = 14  # cells: labels of four bits in a word, numbers of ways below 2**128


def _renamed(labels):
    names = {0: 0, -1: -1}
    return tuple([names.setdefault(label, len(names) - 1) for label in labels])


def usowan_map(rows, cols):
    """A state is the component label of each column's newest cell (0 is shaded, -1 no cell yet), relabelled in order of
    appearance, and whether the one component has been sealed off.
    """
    ways = {((-1,) * cols, False): 1}
    for cell in range(rows * cols):
        c, after = cell % cols, {}
        for (labels, sealed), count in ways.items():
            up, left = labels[c], labels[c - 1] if c else -1
            if not sealed:
                joined = {label for label in (up, left) if label > 0}
                fresh = [cols + 1 if label in joined else label for label in labels]
                fresh[c] = cols + 1
                state = _renamed(fresh), False
                after[state] = after.get(state, 0) + count
            if up and left:
                others = labels[:c] + labels[c + 1 :]
                alone = up > 0 and up not in others
                if not alone or all(label <= 0 for label in others):
                    state = _renamed((*labels[:c], 0, *labels[c + 1 :])), sealed or alone
                    after[state] = after.get(state, 0) + count
        ways = after
    return sum(count for (labels, sealed), count in ways.items() if len({*labels} - {0}) + sealed == 1)


@lru_cache(maxsize=1)
def _typed():
    """The compiled sweep. Four bits for the label of each column, 15 where no cell is yet; the top bit: sealed."""
    import numpy as np
    from numba import njit, types
    from numba.typed import Dict

    pair = types.UniTuple(types.uint64, 2)
    four, zero, top, none = np.uint64(15), np.uint64(0), np.uint64(1 << 63), 15

    @njit
    def packed(labels, sealed):
        names, count, state = np.zeros(16, np.int64), 0, top if sealed else zero
        names[none] = none
        for c in range(len(labels)):
            if labels[c] > 0 and names[labels[c]] == 0:
                count += 1
                names[labels[c]] = count
            state |= np.uint64(names[labels[c]]) << np.uint64(4 * c)
        return state

    @njit
    def add(ways, state, low, high):
        if state in ways:
            old = ways[state]
            total = old[0] + low
            ways[state] = (total, old[1] + high + np.uint64(total < low))
        else:
            ways[state] = (low, high)

    @njit
    def sweep(rows, cols):
        labels = np.full(cols, none)
        ways = Dict.empty(types.uint64, pair)
        ways[packed(labels, False)] = (np.uint64(1), zero)
        for cell in range(rows * cols):
            c = cell % cols
            after = Dict.empty(types.uint64, pair)
            for state, count in ways.items():
                sealed = state & top != zero
                for i in range(cols):
                    labels[i] = np.int64((state >> np.uint64(4 * i)) & four)
                up, left = labels[c], labels[c - 1] if c > 0 else none
                if up != 0 and left != 0:
                    alone, last = up != none, True
                    for i in range(cols):
                        if i != c and labels[i] != 0 and labels[i] != none:
                            last = False
                            alone = alone and labels[i] != up
                    if last or not alone:
                        labels[c] = 0
                        add(after, packed(labels, sealed or alone), count[0], count[1])
                        labels[c] = up
                if not sealed:
                    for i in range(cols):
                        if labels[i] != 0 and labels[i] != none and (labels[i] == up or labels[i] == left):
                            labels[i] = 14
                    labels[c] = 14
                    add(after, packed(labels, False), count[0], count[1])
            ways = after
        low, high = zero, zero
        for state, count in ways.items():
            regions = np.int64(state & top != zero)
            most = np.uint64(0)
            for i in range(cols):
                most = max(most, (state >> np.uint64(4 * i)) & four)
            if regions + np.int64(most) == 1:
                low += count[0]
                high += count[1] + np.uint64(low < count[0])
        return low, high

    return sweep


def usowan_typed(rows, cols):
    """Width up to WIDEST_TYPED. The first call compiles."""
    low, high = _typed()(rows, cols)
    return int(low) | int(high) << 64


def tasquare_rows(rows, cols):
    """A state is what each column's square still owes (None where unshaded), the labels of the unshaded cells'
    components, relabelled in order of appearance, and whether the one component has been sealed off. All unshaded is no
    answer.
    """
    ways = {((None,) * cols, (-1,) * cols, False): 1}
    for r in range(rows):
        after = {}
        for (owed, labels, sealed), count in ways.items():
            for row in _rows(owed, 0, (), rows - r):
                state = _joined(labels, row, sealed)
                if state is not None:
                    after[row, *state] = after.get((row, *state), 0) + count
        ways = after
    return sum(n for (row, labels, sealed), n in ways.items() if not any(row) and max(0, *labels) + sealed <= 1) - 1


def _rows(owed, c, row, left):
    """Rows that can follow: for each cell what its square still owes below, or None. `left` rows there are with this
    one.
    """
    if c == len(owed):
        yield row
        return
    if not owed[c]:
        yield from _rows(owed, c + 1, (*row, None), left)
    if owed[c] == 0 or (c and row[-1] is not None):
        return
    end = c
    while end < len(owed) and owed[end] == owed[c]:
        end += 1
    if owed[c] is None:
        for side in range(1, min(end - c, left) + 1):
            yield from _rows(owed, c + side, row + (side - 1,) * side, left)
    else:
        yield from _rows(owed, end, row + (owed[c] - 1,) * (end - c), left)


def _joined(labels, row, sealed):
    """(Labels of a row below these, whether the one component is sealed off), or None where a component is cut off."""
    fresh, names = [], {}

    def root(name):
        while name in names:
            name = names[name]
        return name

    for c, below in enumerate(row):
        if below is not None:
            fresh.append(0)
            continue
        if sealed:
            return None
        name = ("old", labels[c]) if labels[c] > 0 else ("new", c)
        if c and fresh[-1] and root(fresh[-1]) != root(name):
            names[root(name)] = root(fresh[-1])
        fresh.append(name)
    lost = {label for label in labels if label > 0} - {name[1] for name in fresh if name and name[0] == "old"}
    if lost and (len(lost) > 1 or any(fresh)):
        return None
    return _renamed([root(name) if name else 0 for name in fresh]), sealed or bool(lost)


def has_graphillion():
    return find_spec("graphillion") is not None


def usowan_graphillion(rows, cols):
    """Grids of at least 2 x 2, best in a process of its own."""
    from graphillion import GraphSet, VertexSetSet

    cells = range(rows * cols)
    pairs = [(cell, cell + 1) for cell in cells if (cell + 1) % cols]
    pairs += [(cell, cell + cols) for cell in cells if cell + cols < rows * cols]
    GraphSet.set_universe(pairs)
    return (GraphSet.induced_graphs().to_vertexsetset() & VertexSetSet.vertex_covers(pairs)).len()
