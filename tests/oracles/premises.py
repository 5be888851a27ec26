"""What follows from some of a board of shaded cells, for python-sat: every premise has a switch, and solving asks with
some on.

Written from the rules and from what premises mean, each alone: a number that is not among them may say anything, a rule
that is not among them may be broken. It shares no code and no idea with the solver.
"""

from itertools import combinations, pairwise, product

from pysat.solvers import Solver


def beside(rows, cols, r, c):
    return [(y, x) for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if 0 <= y < rows and 0 <= x < cols]


class Board:
    """A board with switches; use it in a `with`. A genre gives `codes`, its rules, and `clauses`."""

    codes = ()

    def __init__(self, clues, regions=()):
        self.rows, self.cols = len(clues), len(clues[0])
        self.cells = list(product(range(self.rows), range(self.cols)))
        self.near = {cell: beside(self.rows, self.cols, *cell) for cell in self.cells}
        self.count = 0
        self.shaded = {cell: self.new() for cell in self.cells}
        self.rule = {code: self.new() for code in (*self.codes, "white-split", "clue-shaded")}
        self.region = {label: self.new() for line in regions for label in line}
        self.value = {(r, c): clues[r][c] for r, c in self.cells if clues[r][c] != -1}
        self.clue = {cell: self.new() for cell in self.value}
        self.solver = Solver("glucose4", bootstrap_with=self.clauses(regions))
        for cell, switch in self.clue.items():
            self.solver.add_clause([-self.rule["clue-shaded"], -switch, -self.shaded[cell]])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.solver.delete()

    def new(self):
        self.count += 1
        return self.count

    def possible(self, premises, state, extra=()):
        """Whether some shading fits premises (clues, cells, regions, clauses). state: values of the settled cells, 1 is
        shaded; extra: a dict of cells and values besides.
        """
        on = [self.rule[code] for code in premises.clauses]
        on += [self.clue[cell] for cell in premises.clues] + [self.region[label] for label in premises.regions]
        cells = {cell: state[cell] for cell in premises.cells} | dict(extra)
        on += [self.shaded[cell] if value else -self.shaded[cell] for cell, value in cells.items()]
        while self.solver.solve(on):
            model = self.solver.get_model()
            if not self.refined(premises, {cell for cell in self.cells if model[self.shaded[cell] - 1] > 0}):
                return True
        return False

    def follows(self, premises, state, settles):
        """Whether the premises force every pair of a cell and a value; without any, whether nothing fits."""
        if not settles:
            return not self.possible(premises, state)
        return not any(self.possible(premises, state, {cell: 1 - value}) for cell, value in settles)

    def refined(self, premises, shaded):
        """Forbid what is wrong with a shading that the clauses let through; False when nothing is."""
        return "white-split" in premises.clauses and self.cut(set(self.cells) - shaded)

    def pieces(self, cells):
        rest, pieces = set(cells), []
        while rest:
            stack, piece = [rest.pop()], set()
            while stack:
                here = stack.pop()
                piece.add(here)
                found = [there for there in self.near[here] if there in rest]
                rest.difference_update(found)
                stack += found
            pieces.append(piece)
        return sorted(pieces, key=len)

    def rim(self, piece):
        return {there for here in piece for there in self.near[here]} - piece

    def cut(self, unshaded):
        """Forbid the split of a shading, when there is one."""
        pieces = self.pieces(unshaded)
        for piece, other in pairwise(pieces):
            wall, far = [-self.shaded[there] for there in self.rim(piece)], self.shaded[min(other)]
            for here in piece:
                self.solver.add_clause([-self.rule["white-split"], self.shaded[here], far, *wall])
        return len(pieces) > 1


class Usowan(Board):
    codes = "shaded-adjacent", "region-lies-not-one"

    def clauses(self, regions):
        """A number that is not stated still stands in its region, and may be the wrong one."""
        apart, lies = (self.rule[code] for code in self.codes)
        wrong = {label: [] for label in self.region}
        for cell, shaded in self.shaded.items():
            yield from ([-apart, -shaded, -self.shaded[there]] for there in self.near[cell] if there > cell)
            if self.value.get(cell, -1) >= 0:
                lie = self.new()
                wrong[regions[cell[0]][cell[1]]].append(lie)
                for values in product((0, 1), repeat=len(self.near[cell])):
                    differs = [
                        -self.shaded[there] if value else self.shaded[there]
                        for there, value in zip(self.near[cell], values, strict=True)
                    ]
                    yield [-self.clue[cell], *differs, lie if sum(values) != self.value[cell] else -lie]
        for label, stated in wrong.items():
            yield [-lies, -self.region[label], *stated]
            yield from ([-lies, -self.region[label], -one, -other] for one, other in combinations(stated, 2))
        yield [-self.rule["white-split"], *(-shaded for shaded in self.shaded.values())]


class Tasquare(Board):
    codes = "block-not-square", "sum-mismatch", "clue-touches-no-shading", "nothing-shaded"

    def clauses(self, regions):
        """Sums are also learned from shadings, since blocks may have any shape where nobody says they are squares."""
        square, sums, touch, something = (self.rule[code] for code in self.codes)
        yield [-something, *self.shaded.values()]
        over = {cell: {} for cell in self.cells}
        for (r, c), side in product(self.cells, range(1, min(self.rows, self.cols) + 1)):
            if r + side > self.rows or c + side > self.cols:
                continue
            cells, here = set(product(range(r, r + side), range(c, c + side))), self.new()
            for cell in cells:
                over[cell].setdefault(side * side, []).append(here)
                yield [-here, self.shaded[cell]]
            yield from ([-here, -self.shaded[there]] for there in self.rim(cells))
        for cell, shaded in self.shaded.items():
            yield [-square, -shaded, *(here for squares in over[cell].values() for here in squares)]
        for cell, value in self.value.items():
            on, near = self.clue[cell], self.near[cell]
            yield [-touch, -on, *(self.shaded[there] for there in near)]
            if value > 0:
                yield [-sums, -on, -self.shaded[cell]]
                yield [-sums, -on, *(self.shaded[there] for there in near)]
            if value == 0:
                yield from ([-sums, -on, self.shaded[cell], -self.shaded[there]] for there in near)
            if value < 1:
                continue
            sides = []
            for there in near:
                adds = {0: -self.shaded[there]}
                for area, squares in over[there].items():
                    if area > value:
                        yield from ([-square, -sums, -on, -here] for here in squares)
                    else:
                        adds[area] = self.new()
                        yield from ([-here, adds[area]] for here in squares)
                sides.append(adds)
            for total in product(*sides):
                if sum(total) != value:
                    yield [-square, -sums, -on, *(-adds[area] for adds, area in zip(sides, total, strict=True))]

    def refined(self, premises, shaded):
        if super().refined(premises, shaded):
            return True
        if "sum-mismatch" not in premises.clauses:
            return False
        pieces, learned = self.pieces(shaded), False
        for cell in premises.clues:
            blocks = set().union(*(piece for piece in pieces if piece & set(self.near[cell])))
            if cell in shaded or self.value[cell] < 1 or len(blocks) == self.value[cell]:
                continue
            clause = [-self.rule["sum-mismatch"], -self.clue[cell], *(-self.shaded[here] for here in blocks)]
            if len(blocks) < self.value[cell]:
                clause += [self.shaded[there] for there in self.rim(blocks) | set(self.near[cell]) - blocks]
            self.solver.add_clause(clause)
            learned = True
        return learned


class Nawabari:
    """A board of rooms with switches: a variable a side, true for a wall. Of a clue that is not stated nobody knows
    whether it is there.
    """

    codes = (
        "room-not-rectangle",
        "room-without-number",
        "room-with-several-numbers",
        "wall-count-mismatch",
        "dead-end-wall",
    )

    def __init__(self, clues, regions=()):
        self.rows, self.cols = len(clues), len(clues[0])
        self.cells = list(product(range(self.rows), range(self.cols)))
        self.near = {cell: beside(self.rows, self.cols, *cell) for cell in self.cells}
        self.value = {(r, c): clues[r][c] for r, c in self.cells if clues[r][c] != -1}
        pairs = [(cell, there) for cell in self.cells for there in self.near[cell] if there > cell]
        self.wall = {pair: i for i, pair in enumerate(pairs, 1)}
        self.key = {(*a, "right" if a[0] == b[0] else "down"): self.wall[a, b] for a, b in pairs}
        switches = iter(range(len(pairs) + 1, len(pairs) + 99 + len(self.value)))
        self.rule = {code: next(switches) for code in self.codes}
        self.clue = {cell: next(switches) for cell in self.value}
        self.unknown = 0  # questions that were given up
        self.solver = Solver("glucose4", bootstrap_with=self.clauses())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.solver.delete()

    def between(self, a, b):
        return self.wall[min(a, b), max(a, b)]

    def clauses(self):
        for cell, value in self.value.items():
            sides = [self.between(cell, there) for there in self.near[cell]]
            for walls in product((0, 1), repeat=len(sides) if value >= 0 else 0):
                if value >= 0 and sum(walls) + 4 - len(sides) != value:
                    differs = [-side if wall else side for side, wall in zip(sides, walls, strict=True)]
                    yield [-self.rule["wall-count-mismatch"], -self.clue[cell], *differs]
        rectangle, open_inside = -self.rule["room-not-rectangle"], -self.rule["dead-end-wall"]
        over = {cell: [] for cell in self.cells}
        fresh = max(self.clue.values(), default=max(self.rule.values()))
        for (top, left), (bottom, right) in product(self.cells, self.cells):
            if top > bottom or left > right:
                continue
            fresh += 1
            inside = set(product(range(top, bottom + 1), range(left, right + 1)))
            for cell in inside:
                over[cell].append(fresh)
                for there in self.near[cell]:
                    side = self.between(cell, there)
                    yield [open_inside, rectangle, -fresh, -side] if there in inside else [-fresh, side]
            held = [cell for cell in self.value if cell in inside]
            if not held:
                yield [-self.rule["room-without-number"], -fresh]
            for one, other in combinations(held, 2):
                yield [-self.rule["room-with-several-numbers"], -self.clue[one], -self.clue[other], -fresh]
        yield from ([rectangle, *rectangles] for rectangles in over.values())

    def possible(self, premises, state, extra=()):
        """Whether some walls fit premises (clues, cells: sides, clauses). state: values of the settled sides, 1 is a
        wall.
        """
        on = [self.rule[code] for code in premises.clauses] + [self.clue[cell] for cell in premises.clues]
        sides = {key: state[key] for key in premises.cells} | dict(extra)
        on += [self.key[key] if value else -self.key[key] for key, value in sides.items()]
        for _ in range(1000):
            if not self.solver.solve(on):
                return False
            model = self.solver.get_model() or []
            walls = {pair for pair, i in self.wall.items() if i <= len(model) and model[i - 1] > 0}
            if not self.refined(premises, walls):
                return True
        self.unknown += 1
        return True

    def follows(self, premises, state, settles):
        if not settles:
            return not self.possible(premises, state)
        return not any(self.possible(premises, state, {key: 1 - value}) for key, value in settles)

    def dents(self, path, walls):
        """Cells inside the box of a room that are not in it: two cells of the room, joined, have such a cell between
        them.
        """
        (top, bottom), (left, right) = ((min(axis), max(axis)) for axis in zip(*path, strict=True))
        for cell in product(range(top, bottom + 1), range(left, right + 1)):
            if cell in path:
                continue
            row = min((here for here in path if here[0] == cell[0]), key=lambda here: len(path[here]))
            column = min((here for here in path if here[1] == cell[1]), key=lambda here: len(path[here]))
            stack, piece = [cell], {cell}
            while stack:
                here = stack.pop()
                for there in self.near[here]:
                    if there not in piece and (min(here, there), max(here, there)) not in walls:
                        piece.add(there)
                        stack.append(there)
            border = [self.between(here, there) for here in piece for there in self.near[here] if there not in piece]
            yield ["room-not-rectangle", *path[row], *path[column], *(-side for side in border)]

    def refined(self, premises, walls):
        """Forbid what is wrong with rooms, cell by cell along open sides; False when nothing is."""
        rule, learned, room = self.rule, False, {}
        for start in self.cells:
            if start in room:
                continue
            room[start], stack, path = start, [start], {start: []}
            while stack:
                here = stack.pop(0)
                for there in self.near[here]:
                    if there not in path and (min(here, there), max(here, there)) not in walls:
                        path[there] = [*path[here], self.between(here, there)]
                        room[there] = start
                        stack.append(there)
            border = [self.between(here, there) for here in path for there in self.near[here] if there not in path]
            found = []
            stated = [cell for cell in premises.clues if cell in path]
            if len(stated) > 1:
                one, other = sorted(stated, key=lambda cell: len(path[cell]))[:2]
                found.append(
                    ["room-with-several-numbers", -self.clue[one], -self.clue[other], *path[one], *path[other]]
                )
            if not any(cell in path for cell in self.value):
                found.append(["room-without-number", *(-side for side in border)])
            height, width = (max(axis) - min(axis) + 1 for axis in zip(*path, strict=True))
            if height * width != len(path):
                found.extend(self.dents(path, walls))
            for a, b in walls:
                if a in path and b in path:
                    found.append(["dead-end-wall", -self.between(a, b), *path[a], *path[b]])
            for code, *clause in found:
                if code in premises.clauses:
                    self.solver.add_clause([-rule[code], *clause])
                    learned = True
        return learned
