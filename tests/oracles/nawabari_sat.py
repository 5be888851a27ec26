"""Nawabari as a SAT problem, for python-sat: a room is bounded on four sides, and every cell has one owner.

A variable says that the room of a clue holds a cell in reach, one that no other clue is in the box with. Those in the
clue's own row and column are its bounds, each implied by the next one out; another cell is held when the two bounds in
its row and its column are. The model is written from the rules; it shares no code with the solver.
"""

from itertools import combinations, product

from pysat.solvers import Solver

NO_CLUE = -1


def reach(clues, r, c):
    """Cells that the room of the clue at (r, c) could hold: a set of (row, column)."""
    rows, cols = len(clues), len(clues[0])
    found = set()
    for down, across in product((-1, 1), repeat=2):
        y, most = r, cols
        while 0 <= y < rows and (y == r or clues[y][c] == NO_CLUE):
            x, steps = c, 0
            while 0 <= x < cols and steps < most and ((y, x) == (r, c) or clues[y][x] == NO_CLUE):
                found.add((y, x))
                x, steps = x + across, steps + 1
            y, most = y + down, steps
    return found


def clauses(clues):
    """(clauses, variables): variables[r, c, y, x] is true when the room of the clue at (r, c) holds (y, x)."""
    rows, cols = len(clues), len(clues[0])
    found, variables, owners = [], {}, {}
    for r, c in product(range(rows), range(cols)):
        if clues[r][c] == NO_CLUE:
            continue
        cells = reach(clues, r, c)
        mine = {cell: len(variables) + i + 1 for i, cell in enumerate(sorted(cells))}
        variables |= {(r, c, *cell): variable for cell, variable in mine.items()}
        found.append([mine[r, c]])
        for (y, x), variable in mine.items():
            owners.setdefault((y, x), []).append(variable)
            if y != r and x != c:
                found += [[-variable, mine[y, c]], [-variable, mine[r, x]], [variable, -mine[y, c], -mine[r, x]]]
            elif (y, x) != (r, c):
                found.append([-variable, mine[y - (y > r) + (y < r), x - (x > c) + (x < c)]])
        for y in {y for y, _ in cells} - {r}:
            columns = [x for there, x in cells if there == y]
            for x in {min(columns) - 1, max(columns) + 1}:
                if (r, x) in cells:  # there is another clue between
                    found.append([-mine[y, c], -mine[r, x]])
        if clues[r][c] >= 0:
            around = [mine[cell] for cell in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if cell in cells]
            open_sides = 4 - clues[r][c]
            for some in combinations(around, max(open_sides + 1, 0)):
                found.append([-variable for variable in some])
            found += map(list, combinations(around, max(len(around) - open_sides + 1, 0)))
    for cell in product(range(rows), range(cols)):
        found.append(owners.get(cell, []))
        found += [[-one, -other] for one, other in combinations(owners.get(cell, []), 2)]
    return found, variables


def solutions(board, limit):
    """Up to `limit` answers, a sorted list of room ids row by row."""
    found, (terms, variables) = [], clauses(board.clues.tolist())
    if not all(terms):
        return found
    with Solver("glucose4", bootstrap_with=terms) as solver:
        while len(found) < limit and solver.solve():
            model = solver.get_model()
            held = {key: variable for key, variable in variables.items() if model[variable - 1] > 0}
            rooms, owner = {}, {key[2:]: key[:2] for key in held}
            found.append(tuple(rooms.setdefault(owner[cell], len(rooms)) for cell in sorted(owner)))
            solver.add_clause([-variable for variable in held.values()])
    return sorted(found)
