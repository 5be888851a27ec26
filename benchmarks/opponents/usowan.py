"""Usowan for general solvers; the SAT model is the tests' oracle."""

from oracles import usowan_sat

from puzzlekit.usowan import NO_CLUE

from . import REACHED, beside, by_clingo, by_cpsat, numbers_of, pieces, present


def cpsat(board, limit):
    from ortools.sat.python import cp_model

    near, clues = beside(board.rows, board.cols), board.clues.ravel().tolist()
    model = cp_model.CpModel()
    shaded = [model.new_bool_var("") for _ in near]
    lies = {}
    for cell, around in enumerate(near):
        for there in around:
            if there > cell:
                model.add_bool_or([~shaded[cell], ~shaded[there]])
        if clues[cell] != NO_CLUE:
            model.add(shaded[cell] == 0)
        if clues[cell] >= 0:
            lie = model.new_bool_var("")
            lies.setdefault(int(board.regions.flat[cell]), []).append(lie)
            count = sum(shaded[there] for there in around)
            model.add(count == clues[cell]).only_enforce_if(~lie)
            others = [value for value in range(len(around) + 1) if value != clues[cell]]
            domain = cp_model.Domain.from_values(others)
            model.add_linear_expression_in_domain(count, domain).only_enforce_if(lie)
    for region in range(board.regions.max() + 1):
        model.add_exactly_one(lies.get(region, [])) if region in lies else model.add_bool_or([])
    model.add_bool_or([~cell for cell in shaded])

    def cuts(shading):
        split = pieces(near, shading)
        return [[(cell, 0) for cell in border] for _, border in split] if len(split) > 1 else []

    return by_cpsat(model, shaded, limit, cuts)


ASP = """
{ shaded(C) } :- cell(C), not clue(C).
:- beside(C, D), shaded(C), shaded(D).
:- region(R), not 1 { lie(C) : number(C, _), in(C, R) } 1.
{ lie(C) } :- number(C, _).
:- number(C, N), not lie(C), not N { shaded(D) : beside(C, D) } N.
:- number(C, N), lie(C), N { shaded(D) : beside(C, D) } N.
#show shaded/1.
"""


def asp(board, limit):
    near, clues, regions = beside(board.rows, board.cols), board.clues.ravel().tolist(), board.regions.ravel().tolist()
    facts = [f"cell(0..{len(near) - 1}). region(0..{max(regions)})."]
    for cell, around in enumerate(near):
        facts += [f"beside({cell},{there})." for there in around]
        if clues[cell] != NO_CLUE:
            facts.append(f"clue({cell}).")
        if clues[cell] >= 0:
            facts.append(f"number({cell},{clues[cell]}). in({cell},{regions[cell]}).")
    roots = [cell for cell, clue in enumerate(clues) if clue != NO_CLUE]
    if not roots:
        return []  # a region without a number
    facts.append(f"root({roots[0]}).")

    def read(symbols):
        shaded = numbers_of(symbols)
        return tuple(int(cell in shaded) for cell in range(len(near)))

    return by_clingo("".join(facts) + ASP + REACHED, read, limit)


OPPONENTS = present(sat=usowan_sat.solutions, cpsat=cpsat, asp=asp)
