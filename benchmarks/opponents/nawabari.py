"""Nawabari for general solvers: an exact cover by rectangles, each with one clue, the number of walls around it.

The compact SAT model is the tests' oracle: four bounds a clue, and owners of cells, instead of rectangles.
"""

from oracles import nawabari_sat

from puzzlekit.nawabari import NO_CLUE

from . import by_clingo, numbers_of, present


def rectangles_of(board):
    """Rectangles that can be rooms: list of lists of cells; and for every cell the rectangles that cover it."""
    rows, cols, clues = board.rows, board.cols, board.clues.tolist()
    found, covering = [], [[] for _ in range(rows * cols)]
    printed = [(r, c, clues[r][c]) for r in range(rows) for c in range(cols) if clues[r][c] != NO_CLUE]
    for r, c, clue in printed:
        others = [(y, x) for y, x, _ in printed if (y, x) != (r, c)]
        for top in range(r + 1):
            for left in range(c + 1):
                if any(top <= y <= r and left <= x <= c for y, x in others):
                    continue
                for bottom in range(r, rows):
                    for right in range(c, cols):
                        if any(top <= y <= bottom and left <= x <= right for y, x in others):
                            break
                        if clue >= 0 and clue != (top == r) + (left == c) + (bottom == r) + (right == c):
                            continue
                        cells = [y * cols + x for y in range(top, bottom + 1) for x in range(left, right + 1)]
                        for cell in cells:
                            covering[cell].append(len(found))
                        found.append(cells)
    return found, covering


def answer_of(n, rooms):
    """Room ids in reading order of the chosen rectangles."""
    answer = [0] * n
    for number, cells in enumerate(sorted(rooms)):
        for cell in cells:
            answer[cell] = number
    return tuple(answer)


def sat(board, limit):
    from pysat.solvers import Solver

    rooms, covering = rectangles_of(board)
    found, owners, of_clue = [], {}, {}
    if not all(covering):
        return found
    clues = {cell for cell, clue in enumerate(board.clues.ravel().tolist()) if clue != NO_CLUE}
    with Solver("glucose4") as solver:
        for room, cells in enumerate(rooms):  # a room makes its clue the owner of its cells
            (clue,) = clues.intersection(cells)
            of_clue.setdefault(clue, []).append(room + 1)
            for cell in cells:
                owner = owners.setdefault((cell, clue), len(rooms) + len(owners) + 1)
                solver.add_clause([-room - 1, owner])
        at = [[] for _ in covering]
        for (cell, _), owner in owners.items():
            at[cell].append(owner)
        for exactly_one in (*at, *of_clue.values()):
            for i, one in enumerate(exactly_one):
                for other in exactly_one[:i]:
                    solver.add_clause([-one, -other])
        for here in covering:
            solver.add_clause([room + 1 for room in here])
        while len(found) < limit and solver.solve():
            used = [literal - 1 for literal in solver.get_model()[: len(rooms)] if literal > 0]
            found.append(answer_of(len(covering), [rooms[room] for room in used]))
            solver.add_clause([-room - 1 for room in used])
    return sorted(found)


def cpsat(board, limit):
    from ortools.sat.python import cp_model

    rooms, covering = rectangles_of(board)
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in rooms]
    for here in covering:
        if not here:
            return []
        model.add_exactly_one([used[room] for room in here])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 0
    found = []
    while len(found) < limit and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        chosen = [room for room in range(len(rooms)) if solver.boolean_value(used[room])]
        found.append(answer_of(len(covering), [rooms[room] for room in chosen]))
        model.add_bool_or([~used[room] for room in chosen])
    return sorted(found)


ASP = """
{ used(R) : room(R) }.
:- cell(C), not 1 { used(R) : covers(R, C) } 1.
#show used/1.
"""


def asp(board, limit):
    rooms, covering = rectangles_of(board)
    if not all(covering):
        return []
    facts = [f"cell(0..{len(covering) - 1}). room(0..{len(rooms) - 1})."]
    facts += [f"covers({room},{cell})." for cell, here in enumerate(covering) for room in here]

    def read(symbols):
        return answer_of(len(covering), [rooms[room] for room in numbers_of(symbols)])

    return by_clingo("".join(facts) + ASP, read, limit)


OPPONENTS = present(sat=sat, cpsat=cpsat, asp=asp)
if "python-sat" in OPPONENTS:
    OPPONENTS["python-sat, compact"] = nawabari_sat.solutions
