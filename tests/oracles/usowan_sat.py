"""Usowan as a SAT problem, for python-sat: a variable a cell, exactly one wrong number a region, lazy cuts.

The model is written from the rules; it shares no code and no idea with the ladder.
"""

from itertools import combinations, product

from pysat.solvers import Solver

from .usowan import beside


def clauses(clues, regions):
    """Everything but the one unshaded region, as clauses; variable r * cols + c + 1 is true when (r, c) is shaded."""
    rows, cols = len(clues), len(clues[0])
    shaded = {(r, c): r * cols + c + 1 for r, c in product(range(rows), range(cols))}
    around = {cell: [shaded[there] for there in beside(rows, cols, *cell)] for cell in shaded}
    wrong = {label: [] for line in regions for label in line}
    for (r, c), cell in shaded.items():
        yield from ([-cell, -there] for there in around[r, c] if there > cell)
        if len(around[r, c]) < rows * cols - 1:
            yield [-there for there in around[r, c]]  # (r, c) alone: a cut known beforehand
        if clues[r][c] != -1:
            yield [-cell]
        if clues[r][c] >= 0:
            lie = rows * cols + cell
            wrong[regions[r][c]].append(lie)
            for signs in product((1, -1), repeat=len(around[r, c])):  # every way to shade around it
                misses = signs.count(1) != clues[r][c]
                yield [-sign * there for sign, there in zip(signs, around[r, c], strict=True)] + [
                    lie if misses else -lie
                ]
    for lies in wrong.values():
        yield lies
        yield from ([-one, -other] for one, other in combinations(lies, 2))
    yield [-cell for cell in shaded.values()]


def pieces(rows, cols, shading):
    """Pieces of the unshaded cells, each with the shaded cells around it."""
    unshaded = {(r, c) for r, c in product(range(rows), range(cols)) if not shading[r * cols + c]}
    while unshaded:
        stack, piece, border = [unshaded.pop()], set(), set()
        while stack:
            here = stack.pop()
            piece.add(here)
            for there in beside(rows, cols, *here):
                if there in unshaded:
                    unshaded.remove(there)
                    stack.append(there)
                elif shading[there[0] * cols + there[1]]:
                    border.add(there)
        yield piece, border


def solutions(board, limit):
    """Up to `limit` answers of a board, as sorted tuples of rows * cols zeros and ones."""
    rows, cols = board.rows, board.cols
    found = []
    with Solver("glucose4", bootstrap_with=clauses(board.clues.tolist(), board.regions.tolist())) as solver:
        while len(found) < limit and solver.solve():
            model = solver.get_model()
            shading = tuple(int(model[cell] > 0) for cell in range(rows * cols))
            split = list(pieces(rows, cols, shading))
            if len(split) == 1:
                found.append(shading)
                solver.add_clause([-model[cell] for cell in range(rows * cols)])
                continue
            for _, border in split:
                # No two cells of a border touch, so when all of it is shaded all cells beside it are unshaded, and some
                # of them lie on the far side: the border alone is what cannot be.
                solver.add_clause([-(r * cols + c + 1) for r, c in border])
    return sorted(found)
