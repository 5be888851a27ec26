"""The Tasquare rungs restated in plain Python, a whole board at a time and without haste; what they conclude must be
the same.

A state is a dict from settled cells to 0 (unshaded) or 1 (shaded), and the set of squares that are still candidates,
each a frozenset of cells.
"""

from itertools import product

from .tasquare_sat import beside

RUNGS = ("shape", "clue", "prune", "white", "probe")


class Contradiction(Exception):
    """The state has no answer, and a rung has seen it."""


class Ladder:
    """A board as the rungs see it; clues: plain lists."""

    def __init__(self, clues, *, connected=True, number="area", zero="never"):
        self.rows, self.cols = len(clues), len(clues[0])
        self.cells = list(product(range(self.rows), range(self.cols)))
        self.near = {cell: beside(self.rows, self.cols, *cell) for cell in self.cells}
        self.printed = {(r, c): clues[r][c] for r, c in self.cells if clues[r][c] != -1 and number != "nothing"}
        self.connected, self.area, self.zero = connected, number == "area", zero == "plain"
        self.squares = set()
        for (r, c), side in product(self.cells, range(1, min(self.rows, self.cols) + 1)):
            if r + side <= self.rows and c + side <= self.cols:
                self.squares.add(frozenset(product(range(r, r + side), range(c, c + side))))
        self.rim = {square: {there for cell in square for there in self.near[cell]} - square for square in self.squares}

    def climb(self, top, state=None, alive=None):
        """(state, alive) at the fixed point of the rungs up to `top`; Contradiction."""
        state, alive = dict(state or {}), set(self.squares if alive is None else alive)
        rungs = [getattr(self, rung) for rung in RUNGS[: RUNGS.index(top) + 1]]
        while True:
            for rung in rungs:
                before = len(state), len(alive)
                for cell, value in rung(state, alive):
                    if state.setdefault(cell, value) != value:
                        raise Contradiction
                if (len(state), len(alive)) != before:
                    break
            else:
                return state, alive

    def shape(self, state, alive):
        found = [(cell, 0) for cell in self.printed]
        for square in list(alive):
            if any(state.get(cell) == 0 for cell in square) or any(state.get(cell) for cell in self.rim[square]):
                alive.remove(square)
        for cell in self.cells:
            over = [square for square in alive if cell in square]
            if not over:
                found.append((cell, 0))
            elif len(over) == 1 and state.get(cell):
                found += [(there, 1) for there in over[0]] + [(there, 0) for there in self.rim[over[0]]]
        return found

    def sums(self, state, alive, cell):
        """What the sides of a clue add, in every way that comes out right: tuples, 0 where a side is unshaded."""
        sides = []
        for there in self.near[cell]:
            adds = set() if state.get(there) else {0}
            if state.get(there) != 0:
                adds |= {len(square) for square in alive if there in square} if self.area else {1}
            sides.append(adds)
        value = self.printed[cell]
        ways = [way for way in product(*sides) if sum(way) == value or (value < 0 and any(way))]
        if not ways or (value == 0 and not self.zero):
            raise Contradiction
        return ways

    def clue(self, state, alive):
        found = []
        for cell in self.printed:
            for there, adds in zip(self.near[cell], zip(*self.sums(state, alive, cell), strict=True), strict=True):
                if 0 not in adds:
                    found.append((there, 1))
                elif set(adds) == {0}:
                    found.append((there, 0))
        return found

    def prune(self, state, alive):
        for cell in self.printed:
            for there, adds in zip(self.near[cell], zip(*self.sums(state, alive, cell), strict=True), strict=True):
                if self.area and self.printed[cell] >= 0:
                    alive -= {square for square in alive if there in square and len(square) not in adds}
        return []

    def white(self, state, alive):
        unshaded = {cell for cell, value in state.items() if not value}
        if not unshaded or not self.connected:
            return []
        reached = self.flood(state, min(unshaded))
        if not unshaded <= reached:
            raise Contradiction
        found = []
        for cell in self.cells:
            if cell not in state:
                if cell not in reached:
                    found.append((cell, 1))
                elif not unshaded <= self.flood(state | {cell: 1}, min(unshaded)):
                    found.append((cell, 0))
        return found

    def flood(self, state, start):
        reached, stack = {start}, [start]
        while stack:
            for there in self.near[stack.pop()]:
                if there not in reached and state.get(there) != 1:
                    reached.add(there)
                    stack.append(there)
        return reached

    def probe(self, state, alive):
        for cell in self.cells:
            for value in (1, 0):
                if cell not in state:
                    try:
                        self.climb("white", state | {cell: value}, alive)
                    except Contradiction:
                        return [(cell, 1 - value)]
        return []
