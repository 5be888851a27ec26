"""Usowan by brute force: shadings as sets of cells, a flood for the one region, the printed rule read literally."""

from itertools import product


def beside(rows, cols, r, c):
    return [(y, x) for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if 0 <= y < rows and 0 <= x < cols]


def independent_sets(rows, cols):
    """Shadings without two shaded neighbours, as tuples of rows * cols zeros and ones, in lexicographic order."""

    def extend(prefix):
        if len(prefix) == rows * cols:
            yield tuple(prefix)
            return
        r, c = divmod(len(prefix), cols)
        yield from extend([*prefix, 0])
        if not (c and prefix[-1]) and not (r and prefix[-cols]):
            yield from extend([*prefix, 1])

    return extend([])


def is_one_region(rows, cols, shading, corners=False):
    unshaded = {divmod(cell, cols) for cell in range(rows * cols) if not shading[cell]}
    if not unshaded:
        return False
    stack = [unshaded.pop()]
    while stack:
        r, c = stack.pop()
        for y, x in product((r - 1, r, r + 1), (c - 1, c, c + 1)):
            if (corners or y == r or x == c) and (y, x) in unshaded:
                unshaded.remove((y, x))
                stack.append((y, x))
    return not unshaded


def shadings(rows, cols):
    """Answers of an empty grid, in lexicographic order."""
    return [shading for shading in independent_sets(rows, cols) if is_one_region(rows, cols, shading)]


def maximal(rows, cols):
    """Answers of an empty grid in which no further cell can be shaded."""
    every = set(shadings(rows, cols))

    def can_grow(shading):
        return any(not shading[i] and (*shading[:i], 1, *shading[i + 1 :]) in every for i in range(rows * cols))

    return [shading for shading in sorted(every) if not can_grow(shading)]


def answers(clues, regions, *, fewest=1, most=1, scope="region", touching="side", shadings=None):
    """Answers of a board. clues: rows of -1 (none), -2 (`?`) or a number; regions: rows of labels; both plain lists."""
    rows, cols = len(clues), len(clues[0])
    found = []
    for shading in shadings or independent_sets(rows, cols):
        wrong = {(regions[r][c] if scope == "region" else 0): 0 for r, c in product(range(rows), range(cols))}
        clue_shaded = False
        for r, c in product(range(rows), range(cols)):
            clue_shaded |= clues[r][c] != -1 and shading[r * cols + c] == 1
            if clues[r][c] >= 0:
                count = sum(shading[y * cols + x] for y, x in beside(rows, cols, r, c))
                wrong[regions[r][c] if scope == "region" else 0] += count != clues[r][c]
        if clue_shaded or not all(fewest <= number <= most for number in wrong.values()):
            continue
        if is_one_region(rows, cols, shading, corners=touching == "corner"):
            found.append(shading)
    return found
