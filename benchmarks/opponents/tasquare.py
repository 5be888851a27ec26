"""Tasquare for general solvers; the SAT model is the tests' oracle."""

from itertools import product

from oracles import tasquare_sat

from puzzlekit.tasquare import NO_CLUE

from . import REACHED, beside, by_clingo, by_cpsat, numbers_of, pieces, present, tasquare_compact


def squares_of(board):
    """Squares that avoid all clues: list of (side, cells, the cells around them)."""
    rows, cols = board.rows, board.cols
    near, clues = beside(rows, cols), board.clues.ravel().tolist()
    found = []
    for r, c in product(range(rows), range(cols)):
        for side in range(1, min(rows - r, cols - c) + 1):
            cells = [y * cols + x for y in range(r, r + side) for x in range(c, c + side)]
            if any(clues[cell] != NO_CLUE for cell in cells):
                break
            inside = set(cells)
            found.append((side, cells, {there for cell in cells for there in near[cell]} - inside))
    return near, clues, found


def cpsat(board, limit):
    from ortools.sat.python import cp_model

    near, clues, squares = squares_of(board)
    model = cp_model.CpModel()
    shaded = [model.new_bool_var("") for _ in near]
    used = [model.new_bool_var("") for _ in squares]
    covering, touching = [[] for _ in near], [[] for _ in near]
    for square, (side, cells, around) in zip(used, squares, strict=True):
        for cell in cells:
            covering[cell].append(square)
        for cell in around:
            model.add_implication(square, ~shaded[cell])
            if clues[cell] != NO_CLUE:
                touching[cell].append((side * side, square))
    for cell, clue in enumerate(clues):
        model.add_exactly_one([*covering[cell], ~shaded[cell]])
        if clue != NO_CLUE:
            model.add_bool_or([square for _, square in touching[cell]])
        if clue >= 0:
            model.add(sum(area * square for area, square in touching[cell]) == clue)
    model.add_bool_or(shaded)

    def cuts(shading):
        split = pieces(near, shading)
        if len(split) < 2:
            return []
        # a piece whose border stays shaded has no unshaded cell, or all others have none
        return [
            [(cell, 0) for cell in border] + [(piece[0], 1), (other[0], 1)]
            for (piece, border), (other, _) in zip(split, split[1:] + split[:1], strict=True)
        ]

    return by_cpsat(model, shaded, limit, cuts)


ASP = """
{ used(S) } :- square(S, _).
shaded(C) :- used(S), covers(S, C).
:- cell(C), 2 { used(S) : covers(S, C) }.
:- used(S), rim(S, C), shaded(C).
:- clue(C), not used(S) : rim(S, C).
:- number(C, N), not N #sum { A, S : used(S), rim(S, C), square(S, A) } N.
:- not shaded(C) : cell(C).
#show shaded/1.
"""


def asp(board, limit):
    near, clues, squares = squares_of(board)
    facts = [f"cell(0..{len(near) - 1})."]
    for cell, around in enumerate(near):
        facts += [f"beside({cell},{there})." for there in around]
        if clues[cell] != NO_CLUE:
            facts.append(f"clue({cell}).")
        if clues[cell] >= 0:
            facts.append(f"number({cell},{clues[cell]}).")
    for number, (side, cells, around) in enumerate(squares):
        facts.append(f"square({number},{side * side}).")
        facts += [f"covers({number},{cell})." for cell in cells]
        facts += [f"rim({number},{cell})." for cell in around]
    roots = [cell for cell, clue in enumerate(clues) if clue != NO_CLUE]
    if roots:
        facts.append(f"root({roots[0]}).")
    else:
        facts.append("1 { root(C) : cell(C) } 1. :- root(C), cell(D), D < C, not shaded(D). :- root(C), shaded(C).")

    def read(symbols):
        shaded = numbers_of(symbols)
        return tuple(int(cell in shaded) for cell in range(len(near)))

    return by_clingo("".join(facts) + ASP + REACHED, read, limit)


OPPONENTS = present(sat=tasquare_sat.solutions, cpsat=cpsat, asp=asp)
if "python-sat" in OPPONENTS:
    OPPONENTS["python-sat, compact"] = tasquare_compact.solutions
