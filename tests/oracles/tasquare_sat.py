"""Tasquare as a SAT problem, by python-sat: a variable a cell and a variable a square, connection by lazy cuts.

The model is written from the rules; it shares no code and no idea with the ladder.
"""

from itertools import combinations, product

from pysat.solvers import Solver


def beside(rows, cols, r, c):
    return [(y, x) for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if 0 <= y < rows and 0 <= x < cols]


def clauses(clues, *, number="area", zero="never"):
    """Everything but the one unshaded region, as clauses; cell (r, c) is the variable r * cols + c + 1, true when
    shaded.
    """
    rows, cols = len(clues), len(clues[0])
    shaded = {(r, c): r * cols + c + 1 for r, c in product(range(rows), range(cols))}
    yield list(shaded.values())
    fixed = {cell for cell in shaded if number != "nothing" and clues[cell[0]][cell[1]] != -1}
    yield from ([-shaded[cell]] for cell in fixed)
    squares, covering = {}, {cell: [] for cell in shaded}
    for r, c in shaded:
        for side in range(1, min(rows - r, cols - c) + 1):
            cells = set(product(range(r, r + side), range(c, c + side)))
            if cells & fixed:
                break
            squares[r, c, side] = rows * cols + 1 + len(squares)
            for cell in cells:
                covering[cell].append((squares[r, c, side], side))
                yield [-squares[r, c, side], shaded[cell]]
            rim = {there for cell in cells for there in beside(rows, cols, *cell)} - cells
            yield from ([-squares[r, c, side], -shaded[there]] for there in rim)
    for cell, variable in shaded.items():
        here = [square for square, _ in covering[cell]]
        yield [-variable, *here]
        yield from ([-one, -other] for one, other in combinations(here, 2))
    fresh = rows * cols + len(squares)
    for r, c in sorted(fixed):
        around, value = beside(rows, cols, r, c), clues[r][c]
        if not (value == 0 and zero == "plain"):
            yield [shaded[there] for there in around]
        if value < 0:
            continue
        sides = []  # for each side: what it adds, and the variable that says so
        for there in around:
            adds = {0: -shaded[there]}
            if number == "cells":
                adds[1] = shaded[there]
            else:
                for side in {side for _, side in covering[there]}:
                    fresh += 1
                    adds[side * side] = fresh
                    yield from ([-square, fresh] for square, of_side in covering[there] if of_side == side)
            sides.append(adds)
        for total in product(*sides):
            if sum(total) != value:
                yield [-adds[area] for adds, area in zip(sides, total, strict=True)]


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


def solutions(board, limit, *, connected=True, number="area", zero="never"):
    """Up to `limit` answers of a board, as sorted tuples of rows * cols zeros and ones."""
    rows, cols = board.rows, board.cols
    found = []
    with Solver("glucose4", bootstrap_with=clauses(board.clues.tolist(), number=number, zero=zero)) as solver:
        while len(found) < limit and solver.solve():
            model = solver.get_model()
            shading = tuple(int(model[cell] > 0) for cell in range(rows * cols))
            split = list(pieces(rows, cols, shading))
            if len(split) <= 1 or not connected:
                found.append(shading)
                solver.add_clause([-model[cell] for cell in range(rows * cols)])
                continue
            for (
                piece,
                border,
            ) in split:  # with its border shaded, either the piece has no unshaded cell or the rest has none
                rest = next(cell for other, _ in split for cell in other if cell not in piece)
                for r, c in piece:
                    lits = [-(y * cols + x + 1) for y, x in border]
                    solver.add_clause([*lits, r * cols + c + 1, rest[0] * cols + rest[1] + 1])
    return sorted(found)
