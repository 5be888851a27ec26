"""Random Usowan boards for tests: regions of any shape, `?`, regions without numbers, numbers that are never right."""

from itertools import product

from oracles import usowan as oracle

from puzzlekit.usowan.rules import ASKED, NO_CLUE, Board


def regions(pick, rows, cols, most=5):
    """Up to `most` connected regions, grown from random cells."""
    cells = list(product(range(rows), range(cols)))
    region = {cell: label for label, cell in enumerate(pick.sample(cells, min(len(cells), pick.randint(1, most))))}
    while len(region) < len(cells):
        cell = pick.choice(list(region))
        for beside in oracle.beside(rows, cols, *cell):
            if pick.random() < 0.7:
                region.setdefault(beside, region[cell])
    return [[region[r, c] for c in range(cols)] for r in range(rows)]


def any_board(pick, rows, cols, most=5):
    """Clues without a plan: few of these boards have an answer."""
    density = pick.choice([0.1, 0.3, 0.6])
    values = [ASKED, 0, 0, 1, 1, 2, 3, 4, 7]
    clues = [[pick.choice(values) if pick.random() < density else NO_CLUE for _ in range(cols)] for _ in range(rows)]
    return Board(clues, regions(pick, rows, cols, most))


def planned_board(pick, rows, cols, most=5):
    """Numbers around a random shading, true but for about one a region: these have no, one or several answers."""
    shading = [0] * (rows * cols)
    for cell in pick.sample(range(rows * cols), rows * cols // 2):
        r, c = divmod(cell, cols)
        if not any(shading[y * cols + x] for y, x in oracle.beside(rows, cols, r, c)):
            shading[cell] = 1
            shading[cell] = int(oracle.is_one_region(rows, cols, shading))
    labels = regions(pick, rows, cols, most)
    density = pick.choice([0.4, 0.7, 1.0])
    clues, printed = [[NO_CLUE] * cols for _ in range(rows)], {}
    for r, c in product(range(rows), range(cols)):
        if not shading[r * cols + c] and pick.random() < density:
            clues[r][c] = sum(shading[y * cols + x] for y, x in oracle.beside(rows, cols, r, c))
            printed.setdefault(labels[r][c], []).append((r, c))
    for cells in printed.values():
        if pick.random() < 0.95:
            r, c = pick.choice(cells)
            clues[r][c] = pick.choice([value for value in (0, 1, 2, 3, 4, 6) if value != clues[r][c]])
        if pick.random() < 0.1:
            r, c = pick.choice(cells)
            clues[r][c] = ASKED
    return Board(clues, labels)


def mixed_board(pick, rows, cols, most=5):
    return pick.choice([any_board, planned_board, planned_board])(pick, rows, cols, most)
