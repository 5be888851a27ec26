"""What follows from some of a Usowan board, for python-sat: every premise has a switch, and solving asks with some of them on.

Written from the rules and from what premises mean: a number that is not among them may be right or wrong, a region that is not among
them says nothing. It shares no code and no idea with the solver.
"""

from itertools import combinations, product

from pysat.solvers import Solver

from .usowan import beside

APART, CONNECTED, LIES, CLUED = "shaded-adjacent", "white-split", "region-lies-not-one", "clue-shaded"


class Board:
    """A board with switches; use it in a `with`."""

    def __init__(self, clues, regions):
        self.rows, self.cols = len(clues), len(clues[0])
        self.cells = list(product(range(self.rows), range(self.cols)))
        self.near = {cell: beside(self.rows, self.cols, *cell) for cell in self.cells}
        self.count = 0
        self.shaded = {cell: self.new() for cell in self.cells}
        self.apart, self.connected, self.lies, self.clued = (self.new() for _ in range(4))
        self.region = {label: self.new() for line in regions for label in line}
        self.clue = {cell: self.new() for cell in self.cells if clues[cell[0]][cell[1]] != -1}
        self.solver = Solver("glucose4", bootstrap_with=self.clauses(clues, regions))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.solver.delete()

    def new(self):
        self.count += 1
        return self.count

    def clauses(self, clues, regions):
        wrong = {label: [] for label in self.region}
        for cell, shaded in self.shaded.items():
            r, c = cell
            yield from ([-self.apart, -shaded, -self.shaded[there]] for there in self.near[cell] if there > cell)
            if cell in self.clue:
                yield [-self.clued, -self.clue[cell], -shaded]
            if clues[r][c] >= 0:
                lie = self.new()
                wrong[regions[r][c]].append(lie)
                for values in product((0, 1), repeat=len(self.near[cell])):
                    differs = [-self.shaded[there] if value else self.shaded[there] for there, value in zip(self.near[cell], values)]
                    yield [-self.clue[cell], *differs, lie if sum(values) != clues[r][c] else -lie]
        for label, lies in wrong.items():
            yield [-self.lies, -self.region[label], *lies]
            yield from ([-self.lies, -self.region[label], -one, -other] for one, other in combinations(lies, 2))
        yield [-self.connected, *(-shaded for shaded in self.shaded.values())]

    def possible(self, premises, state, extra=()):
        """Whether some shading fits premises (clues, cells, regions, clauses). state: values of the settled cells, 1 is shaded;
        extra: a dict of cells and values besides."""
        codes = {APART: self.apart, CONNECTED: self.connected, LIES: self.lies, CLUED: self.clued}
        on = [codes[code] for code in premises.clauses]
        on += [self.clue[cell] for cell in premises.clues] + [self.region[label] for label in premises.regions]
        cells = {cell: state[cell] for cell in premises.cells} | dict(extra)
        on += [self.shaded[cell] if value else -self.shaded[cell] for cell, value in cells.items()]
        while self.solver.solve(on):
            model = self.solver.get_model()
            if self.connected not in on or not self.cut({cell for cell in self.cells if model[self.shaded[cell] - 1] < 0}):
                return True
        return False

    def cut(self, unshaded):
        """Forbid the split of a shading, when there is one."""
        rest, pieces = set(unshaded), []
        while rest:
            stack, piece = [rest.pop()], set()
            while stack:
                here = stack.pop()
                piece.add(here)
                found = [there for there in self.near[here] if there in rest]
                rest.difference_update(found)
                stack += found
            pieces.append(piece)
        pieces.sort(key=len)
        for piece, other in zip(pieces, pieces[1:]):
            border = {there for here in piece for there in self.near[here]} - piece
            for here in piece:
                far = self.shaded[min(other)]
                self.solver.add_clause([-self.connected, self.shaded[here], far, *(-self.shaded[there] for there in border)])
        return len(pieces) > 1

    def follows(self, premises, state, settles):
        """Whether the premises force every pair of a cell and a value; without any, whether nothing fits."""
        if not settles:
            return not self.possible(premises, state)
        return not any(self.possible(premises, state, {cell: 1 - value}) for cell, value in settles)
