"""Tasquare by brute force: shadings cell by cell, blocks and the one region by floods, numbers from the floods."""

from itertools import product


def beside(rows, cols, r, c):
    return [(y, x) for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if 0 <= y < rows and 0 <= x < cols]


def pieces(rows, cols, shading, value):
    """Connected pieces of cells that hold a value, as sets."""
    left = {(r, c) for r, c in product(range(rows), range(cols)) if shading[r * cols + c] == value}
    found = []
    while left:
        stack = [left.pop()]
        piece = set(stack)
        while stack:
            for cell in beside(rows, cols, *stack.pop()):
                if cell in left:
                    left.remove(cell)
                    piece.add(cell)
                    stack.append(cell)
        found.append(piece)
    return found


def is_square(piece):
    height, width = (max(at) - min(at) + 1 for at in zip(*piece, strict=True))
    return height == width and len(piece) == height * width


def shadings(rows, cols, *, squares=True, connected=True, max_side=None):
    """Answers of an empty grid, as tuples of rows * cols zeros and ones, in lexicographic order."""

    def extend(prefix):
        at = len(prefix)
        if at == rows * cols:
            yield tuple(prefix)
            return
        r, c = divmod(at, cols)
        for value in (0, 1):
            if squares and r and c and prefix[at - cols - 1] + prefix[at - cols] + prefix[at - 1] + value == 3:
                continue  # three cells of a window: an inner corner, which no square has
            yield from extend([*prefix, value])

    def fits(shading):
        blocks = pieces(rows, cols, shading, 1)
        if squares and not all(is_square(block) and len(block) <= (max_side or rows) ** 2 for block in blocks):
            return False
        return blocks and (not connected or len(pieces(rows, cols, shading, 0)) <= 1)

    return [shading for shading in extend([]) if fits(shading)]


def composition(rows, cols, shadings):
    """Sides of all squares in some shadings, as a dict of how often each appears."""
    times = dict.fromkeys(range(1, min(rows, cols) + 1), 0)
    for shading in shadings:
        for block in pieces(rows, cols, shading, 1):
            times[round(len(block) ** 0.5)] += 1
    return times


def described(rows, cols, shading):
    """(shading, is unshaded one region, area beside each cell, shaded cells beside each cell), cells as dict keys."""
    area = dict.fromkeys(product(range(rows), range(cols)), 0)
    for block in pieces(rows, cols, shading, 1):
        for cell in {cell for of_block in block for cell in beside(rows, cols, *of_block)} - block:
            area[cell] += len(block)
    touching = {cell: sum(shading[y * cols + x] for y, x in beside(rows, cols, *cell)) for cell in area}
    return shading, len(pieces(rows, cols, shading, 0)) <= 1, area, touching


def answers(clues, *, connected=True, number="area", zero="never", among):
    """Answers of a board, rows of -1 (none), -2 (`?`) or a number, among described shadings that may be split."""
    rows, cols = len(clues), len(clues[0])
    printed = [((r, c), clues[r][c]) for r, c in product(range(rows), range(cols)) if clues[r][c] != -1]
    if number == "nothing":
        printed = []
    found = []
    for shading, whole, area, touching in among:
        if connected and not whole:
            continue
        for (r, c), clue in printed:
            if shading[r * cols + c]:
                break
            if clue >= 0 and clue != (area if number == "area" else touching)[r, c]:
                break
            if not touching[r, c] and not (clue == 0 and zero == "plain"):
                break
        else:
            found.append(shading)
    return found
