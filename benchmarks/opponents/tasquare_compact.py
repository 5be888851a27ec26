"""Tasquare for python-sat by as few clauses as we know of: a square's variable forbids the cells of its rim, from which
it follows that no two squares overlap; sides of numbers add up by small exact clauses; connection by lazy cuts.
"""

from itertools import product
from math import isqrt

from puzzlekit.tasquare import NO_CLUE

from . import beside, pieces


def clauses(board):
    """Everything but the one unshaded region; cell i is the variable i + 1, true when shaded."""
    rows, cols, clues = board.rows, board.cols, board.clues.ravel().tolist()
    n, near = rows * cols, beside(rows, cols)
    fits = [0] * n  # the largest square free of clues with this corner
    for cell in reversed(range(n)):
        if clues[cell] == NO_CLUE:
            edge = cell % cols == cols - 1 or cell + cols >= n
            fits[cell] = 1 if edge else 1 + min(fits[cell + 1], fits[cell + cols], fits[cell + cols + 1])
    covering = [[] for _ in range(n)]
    fresh = n
    for corner, most in enumerate(fits):
        r, c = divmod(corner, cols)
        for side in range(1, most + 1):
            rim = [corner - cols + i for i in range(side)] if r else []
            rim += [corner + side * cols + i for i in range(side)] if r + side < rows else []
            rim += [corner + i * cols - 1 for i in range(side)] if c else []
            rim += [corner + i * cols + side for i in range(side)] if c + side < cols else []
            if any(0 <= clues[there] < side * side for there in rim):
                break  # and larger ones are no better
            fresh += 1
            for cell in (corner + i * cols + j for i in range(side) for j in range(side)):
                covering[cell].append((fresh, side))
                yield [-fresh, cell + 1]
            for there in rim:
                yield [-fresh, -there - 1]
    yield list(range(1, n + 1))
    for cell, clue in enumerate(clues):
        yield [-cell - 1, *(square for square, _ in covering[cell])]
        if clue == NO_CLUE:
            continue
        yield [-cell - 1]
        yield [there + 1 for there in near[cell]]
        if clue < 0:
            continue
        sides = []  # of each side: what it adds -> the variable that says so
        for there in near[cell]:
            adds = {0: -there - 1}
            for side in range(1, isqrt(clue) + 1):
                over = [square for square, of_side in covering[there] if of_side == side]
                if over:
                    fresh += 1
                    adds[side * side] = fresh
                    yield [-fresh, *over]
                    yield from ([-square, fresh] for square in over)
            sides.append(adds)
            yield list(adds.values())
        for total in product(*sides[:-1]):
            rest, last = clue - sum(total), sides[-1]
            chosen = [-adds[area] for adds, area in zip(sides, total, strict=False)]
            yield [*chosen, last[rest]] if rest in last else chosen


def solutions(board, limit):
    """Up to `limit` answers of a board, as sorted tuples of rows * cols zeros and ones."""
    from pysat.solvers import Solver

    n, near, found = board.rows * board.cols, beside(board.rows, board.cols), []
    with Solver("glucose4", bootstrap_with=clauses(board)) as solver:
        while len(found) < limit and solver.solve():
            shading = tuple(int(literal > 0) for literal in solver.get_model()[:n])
            split = pieces(near, shading)
            if len(split) < 2:
                found.append(shading)
                solver.add_clause([-cell - 1 if shaded else cell + 1 for cell, shaded in enumerate(shading)])
            # with its border shaded, a piece has no unshaded cell, or the others have none
            for (piece, border), (other, _) in zip(split, split[1:] + split[:1], strict=True):
                if len(split) > 1:
                    walls = [-cell - 1 for cell in border]
                    for cell in piece:
                        solver.add_clause([*walls, cell + 1, other[0] + 1])
    return sorted(found)
