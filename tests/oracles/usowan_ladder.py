"""The Usowan rungs restated in plain Python, a whole board at a time: what they conclude must be the same.

A state is a dict from settled cells to 0 (unshaded) or 1 (shaded).
"""

from itertools import product

from .usowan import beside

RUNGS = ("cell", "count", "region", "connect", "probe")


class Contradiction(Exception):
    """The state has no answer, and a rung has seen it."""


class Ladder:
    """A board as the rungs see it. clues, regions: plain lists; liar: region -> the cell that is named as wrong."""

    def __init__(self, clues, regions, *, fewest=1, most=1, scope="region", touching="side", liar=None):
        self.rows, self.cols = len(clues), len(clues[0])
        self.cells = list(product(range(self.rows), range(self.cols)))
        self.near = {cell: beside(self.rows, self.cols, *cell) for cell in self.cells}
        self.clue = {(r, c): clues[r][c] for r, c in self.cells if clues[r][c] != -1}
        self.numbers = {regions[r][c] if scope == "region" else 0: [] for r, c in self.cells}
        for (r, c), value in self.clue.items():
            if value >= 0:
                self.numbers[regions[r][c] if scope == "region" else 0].append((r, c))
        self.fewest, self.most, self.liar = fewest, most, liar or {}
        self.connected = touching == "side" or min(self.rows, self.cols) == 1

    def climb(self, top, state=None):
        """The state at the fixed point of the rungs up to `top`; Contradiction."""
        state = dict(state or {})
        rungs = [getattr(self, rung) for rung in RUNGS[: RUNGS.index(top) + 1]]
        while True:
            for rung in rungs:
                before = len(state)
                for cell, value in rung(state):
                    if state.setdefault(cell, value) != value:
                        raise Contradiction
                if len(state) > before:
                    break
            else:
                return state

    def cell(self, state):
        yield from ((cell, 0) for cell in self.clue)
        yield from [(there, 0) for here, value in state.items() if value for there in self.near[here]]

    def bounds(self, state, cell):
        shaded = sum(state.get(there) == 1 for there in self.near[cell])
        return shaded, shaded + sum(there not in state for there in self.near[cell])

    def count(self, state):
        found = []
        for region, cells in self.numbers.items():
            must = [cell for cell in cells if not self.may_be_right(state, cell)]
            may = [cell for cell in cells if cell not in must and self.may_be_wrong(state, cell)]
            if len(must) > self.most or len(must) + len(may) < self.fewest:
                raise Contradiction
            if region in self.liar:
                named = self.liar[region]
                if named not in must + may or must not in ([], [named]):
                    raise Contradiction
                wrong, right = [named], [cell for cell in may if cell != named]
            else:
                right = may if len(must) == self.most else []
                wrong = may if len(must) + len(may) == self.fewest else []
            for cell in right:
                low, high = self.bounds(state, cell)
                if self.clue[cell] in (low, high):
                    found += [(there, int(self.clue[cell] == high)) for there in self.near[cell] if there not in state]
            for cell in wrong:
                low, high = self.bounds(state, cell)
                if high - low == 1 and self.clue[cell] in (low, high):
                    found += [(there, int(self.clue[cell] == low)) for there in self.near[cell] if there not in state]
        return found

    def may_be_right(self, state, cell):
        low, high = self.bounds(state, cell)
        return low <= self.clue[cell] <= high

    def may_be_wrong(self, state, cell):
        return self.bounds(state, cell) != (self.clue[cell], self.clue[cell])

    def region(self, state):
        found = []
        for region, cells in self.numbers.items():
            around = sorted({there for cell in cells for there in self.near[cell] if there not in state})
            legal = []
            for values in product((0, 1), repeat=len(around)):
                trial = state | dict(zip(around, values, strict=True))
                if any(trial[here] and any(trial.get(there) for there in self.near[here]) for here in around):
                    continue
                wrong = [cell for cell in cells if sum(trial[there] for there in self.near[cell]) != self.clue[cell]]
                if wrong == [self.liar[region]] if region in self.liar else self.fewest <= len(wrong) <= self.most:
                    legal.append(values)
            if not legal:
                raise Contradiction
            found += [
                (cell, column[0])
                for cell, column in zip(around, zip(*legal, strict=True), strict=True)
                if len(set(column)) == 1
            ]
        return found

    def connect(self, state):
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

    def probe(self, state):
        for cell in self.cells:
            for value in (1, 0):
                if cell not in state:
                    try:
                        self.climb("connect", state | {cell: value})
                    except Contradiction:
                        return [(cell, 1 - value)]
        return []
