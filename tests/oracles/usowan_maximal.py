"""Maximal shadings by inclusion and exclusion, in plain Python: borrows neither code nor reasoning from the package.

A shading is maximal when no cell could be shaded as well. So the number of maximal shadings is the sum of (-1)**marks
over all pairs of a legal shading and a set of marked cells, each of which could be shaded on its own: no shaded cell
beside it, and the trees of shaded cells around it (of its diagonal neighbours; the edge of the grid is one more tree)
all different when the shading is complete. Where the package asks for trees that meet in the end, here pairs must never
meet.
"""

from itertools import combinations

EDGE = 0


def by_size(rows, cols):
    """Maximal shadings of a grid by their number of shaded cells: dict."""
    bits = rows * cols  # no number is larger than 2 ** bits: so they are the digits of a sum with x = 2 ** bits
    total = count(rows, cols, x=1 << bits)
    sizes = {size: total >> size * bits & (1 << bits) - 1 for size in range(rows * cols)}
    return {size: number for size, number in sizes.items() if number}


def count(rows, cols, prime=None, x=1):
    """Maximal shadings of a grid of at least 2 x 2: exact, or modulo a prime; each counted x times for every shaded
    cell.
    """
    states = {((None,) * (cols + 1), frozenset()): 1}
    for r in range(rows):
        for c in range(cols):
            border = r in (0, rows - 1) or c in (0, cols - 1)
            following = {}
            for (cells, apart), weight in states.items():
                for after, sign in _steps(cells, apart, c, cols, border, x):
                    following[after] = following.get(after, 0) + sign * weight
            states = {s: (w if prime is None else w % prime) for s, w in following.items() if w}
    total = sum(states.values())
    return total if prime is None else total % prime


def _steps(cells, apart, c, cols, border, x):
    """States after an unshaded, a marked and a shaded cell, and what each multiplies the weight by.

    cells: None unshaded, int the tree of a shaded cell, frozenset the trees around a marked one.
    """
    corner, above = cells[c], cells[c + 1]
    beyond = cells[c + 2] if c + 2 <= cols else None
    left = cells[c - 1] if c else None
    around = [t for t in (corner, beyond) if isinstance(t, int)] + [EDGE] * border
    yield _canonical(cells, c, None, apart), 1
    if isinstance(left, int) or isinstance(above, int) or len(set(around)) < len(around):
        return
    yield _canonical(cells, c, frozenset(around), apart | {frozenset(p) for p in combinations(around, 2)}), -1
    if (
        isinstance(left, frozenset)
        or isinstance(above, frozenset)
        or any(frozenset(p) in apart for p in combinations(around, 2))
    ):
        return
    tree = min(around, default=max((t for t in cells if isinstance(t, int)), default=EDGE) + 1)
    merged = dict.fromkeys(around, tree)
    new = []
    for cell in cells:
        if isinstance(cell, int):
            cell = merged.get(cell, cell)
        elif cell is not None:
            cell = frozenset(merged.get(t, t) for t in cell)
        new.append(cell)
    apart = {frozenset(merged.get(t, t) for t in pair) for pair in apart}
    for place in (c, c + 2):  # marked cells that the new one touches at a corner
        if place <= cols and isinstance(new[place], frozenset):
            if tree in new[place]:
                return
            apart |= {frozenset((tree, t)) for t in new[place]}
            new[place] |= {tree}
    yield _canonical(new, c, tree, apart), x


def _canonical(cells, c, cell, apart):
    cells = list(cells)
    cells[c] = cell
    if c == len(cells) - 2:  # end of a row
        cells = [None, *cells[:-1]]
    names = {EDGE: EDGE}
    for cell in cells:
        if isinstance(cell, int):
            names.setdefault(cell, len(names))
    cells = tuple(names[x] if isinstance(x, int) else x and frozenset(names[t] for t in x if t in names) for x in cells)
    return cells, frozenset(frozenset(names[t] for t in pair) for pair in apart if all(t in names for t in pair))
