"""The same questions put to general solvers, modelled from the rules: python-sat, OR-Tools CP-SAT and clingo.

Every genre's module has OPPONENTS: name -> function(board, limit) that returns up to `limit` answers, a sorted list of
tuples of numbers as the genre's answers have them, row by row. A solver that is not installed is left out; `missing()`
names it.
"""

import importlib.util

NEEDED = {"python-sat": "pysat", "CP-SAT": "ortools", "clingo": "clingo"}


def missing():
    """Names of opponents that are not installed."""
    return [name for name, module in NEEDED.items() if importlib.util.find_spec(module) is None]


def present(**functions):
    """OPPONENTS from sat=, cpsat= and asp=, without those that are missing."""
    named = zip(NEEDED, (functions["sat"], functions["cpsat"], functions["asp"]), strict=True)
    return {name: function for name, function in named if name not in missing()}


def beside(rows, cols):
    """List of the side neighbours of every cell, by cell number."""
    return [
        [y * cols + x for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if 0 <= y < rows and 0 <= x < cols]
        for r in range(rows)
        for c in range(cols)
    ]


def pieces(near, shading):
    """Pieces of the unshaded cells: list of (cells, the shaded cells around them)."""
    left = {cell for cell, shaded in enumerate(shading) if not shaded}
    found = []
    while left:
        stack, piece, border = [left.pop()], [], set()
        while stack:
            here = stack.pop()
            piece.append(here)
            for there in near[here]:
                if there in left:
                    left.remove(there)
                    stack.append(there)
                elif shading[there]:
                    border.add(there)
        found.append((piece, border))
    return found


# CP-SAT and clingo have no loop of their own for connection and further answers; these are theirs


def by_cpsat(model, cells, limit, cuts):
    """Answers of a CP-SAT model, solved again with more clauses for every answer and for every shading that `cuts`
    objects to.

    cuts(shading) returns a list of clauses, each a list of (cell, value): one of these has to hold. No clause: it is an
    answer.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 0
    found = []
    while len(found) < limit and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        shading = tuple(int(solver.boolean_value(cell)) for cell in cells)
        clauses = cuts(shading)
        if not clauses:
            found.append(shading)
            clauses = [[(cell, 1 - value) for cell, value in enumerate(shading)]]
        for clause in clauses:
            model.add_bool_or([cells[cell] if value else ~cells[cell] for cell, value in clause])
    return sorted(found)


def by_clingo(program, read, limit):
    """Answers of a logic program: `read` turns the shown symbols of a model into an answer."""
    import clingo

    control = clingo.Control(["--models", str(limit), "--project=show"])
    control.add("base", [], program)
    control.ground([("base", [])])
    found = set()
    control.solve(on_model=lambda model: found.add(read(model.symbols(shown=True))))
    return sorted(found)


REACHED = """
reached(C) :- root(C).
reached(D) :- reached(C), beside(C, D), not shaded(D).
:- cell(C), not shaded(C), not reached(C).
"""


def numbers_of(symbols):
    """First arguments of shown symbols."""
    return {symbol.arguments[0].number for symbol in symbols}
