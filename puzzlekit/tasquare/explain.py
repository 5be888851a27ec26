"""Tasquare explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

The rungs are those of ladder.py, and so is where they end; here they are slower and say why. Squares that `prune` rules
out are not settled cells, so nobody sees them: what follows from them is a prune step, which rests on the numbers that
rule them out. Premises are dropped while the rest still forces the conclusion (follows.py).
"""

from functools import lru_cache, partial

import numpy as np

from ..machinery import explanation, grid
from ..machinery.explanation import Premises, bits
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.position import CONNECTED, NONE, Shading, clued, targets
from . import follows
from .ladder import RUNGS, rungs_to
from .rules import ASKED, CLAUSES, NO_CLUE
from .solver import solve

SQUARE, SUM, TOUCH, CLUED, SOMETHING = (
    "block-not-square",
    "sum-mismatch",
    "clue-touches-no-shading",
    "clue-shaded",
    "nothing-shaded",
)
CODES = SQUARE, CONNECTED, SUM, TOUCH  # in the order of follows.py
GRADES = {"shape": "trivial", "clue": "easy", "prune": "medium", "white": "hard", "probe": "expert"}


class Square:
    """Cells and the cells beside them, as bits of a whole number."""

    def __init__(self, rows, cols, r, c, side):
        self.r, self.c, self.side = r, c, side
        self.inside = sum(1 << (y * cols + x) for y in range(r, r + side) for x in range(c, c + side))
        beside = [(y, x) for y in range(r, r + side) for x in (c - 1, c + side)]
        beside += [(y, x) for x in range(c, c + side) for y in (r - 1, r + side)]
        self.rim = sum(1 << (y * cols + x) for y, x in beside if 0 <= y < rows and 0 <= x < cols)


@lru_cache(maxsize=32)
def _squares(rows, cols):
    """All squares of a grid, and those over each cell."""
    squares = [
        Square(rows, cols, r, c, side)
        for side in range(1, min(rows, cols) + 1)
        for r in range(rows - side + 1)
        for c in range(cols - side + 1)
    ]
    return squares, [[square for square in squares if square.inside >> cell & 1] for cell in range(rows * cols)]


class Atlas:
    """What never changes on a board, for reading from Python."""

    def __init__(self, board):
        near = grid.neighbours(board.rows, board.cols)
        self.near = np.where(near < 0, np.int32(near.shape[0]), near)
        self.beside = [tuple(there for there in line if there >= 0) for line in near.tolist()]
        self.plan = follows.Plan(board.rows, board.cols, self.near)
        self.cell = self.key = [divmod(i, board.cols) for i in range(board.rows * board.cols)]
        self.place = {key: i for i, key in enumerate(self.key)}
        self.clues = board.clues.ravel().tolist()
        self.clued = [cell for cell, clue in enumerate(self.clues) if clue != NO_CLUE]
        self.squares, self.over = _squares(board.rows, board.cols)


@lru_cache(maxsize=256)
def _atlas(board):
    return Atlas(board)


@lru_cache(maxsize=1 << 16)
def _ways(value, sides):
    """What each side of a number can add: sides of squares, 0 for none, of those given, so that the areas sum to the
    number.
    """
    allowed = []
    for i, side in enumerate(sides):
        rest = {0}
        for j, other in enumerate(sides):
            if j != i:
                rest = {total + k * k for total in rest for k in other if total + k * k <= value}
        allowed.append(tuple(k for k in side if value - k * k in rest))
    return allowed


class Finding:
    """What a rung has seen: what it settles, and what it rests on before that is spelled out in cells."""

    def __init__(self, settles, sentence, clauses, cells=(), clues=(), dead=()):
        self.settles, self.sentence, self.clauses = settles, sentence, clauses
        self.cells, self.clues, self.dead = list(cells), list(clues), list(dead)


class Position(Shading):
    """A solver's state, the squares that are still possible, and the next step from it."""

    RUNGS, CLAUSES = RUNGS, tuple(CLAUSES)

    def __init__(self, board, state, only=None):
        super().__init__(board, _atlas(board), state, only)
        self.masks = [0, 0, 0]  # cells by state
        for cell, value in enumerate(self.buffer[:-1]):
            self.masks[value] |= 1 << cell
        self.living = self.atlas.squares  # all that the settled cells leave, when they are looked through
        self.events = []  # (clue, side, what the sides could add) of every size that prune has ruled out
        self.pruned = {}  # square -> place in events

    def settle(self, cell, value):
        self.buffer[cell] = value
        self.masks[UNKNOWN] &= ~(1 << cell)
        self.masks[value] |= 1 << cell

    def copy(self):
        trial = super().copy()
        trial.living, trial.events, trial.pruned = self.living, self.events.copy(), self.pruned.copy()
        return trial

    def finders(self):
        return self._shape, self._clue, self._prune, self.cut_step

    def number(self, cell):
        value = self.atlas.clues[cell]
        return f"the {'?' if value == ASKED else value} at ({cell // self.board.cols}, {cell % self.board.cols})"

    # one rung each

    def _shape(self, rung, words):
        if self.only is None:
            opening = [cell for cell in self.atlas.clued if self.buffer[cell] != UNSHADED]
            if opening:
                return self._opening(rung, opening)
            if self.complete and not self.masks[SHADED]:
                premises = Premises(cells=tuple(range(len(self.atlas.cell))), clauses=(SOMETHING,))
                return self.step(rung, [], premises, words, lambda told: "nothing is shaded, and something has to be.")
        elif (
            SUM in self.clauses
        ):  # that a number is unshaded is part of being right; told only where nothing else is known of it
            for cell in self.atlas.clued:
                if self.buffer[cell] == UNKNOWN and self.knows(cell) and self.atlas.clues[cell] > 0:
                    return self.step(
                        rung, [(cell, UNSHADED)], Premises(clues=(cell,), clauses=(SUM,)), words, _numbered
                    )
        if SQUARE not in self.clauses:
            return None
        self.living = [square for square in self.living if not self._killers(square)]
        return self._told(rung, self._shape_finding(self.living), words)

    def _clue(self, rung, words):
        return self._told(rung, self._clue_finding(self.living), words)

    def _prune(self, rung, words):
        if SQUARE not in self.clauses or SUM not in self.clauses:
            return None
        living = [square for square in self.living if square not in self.pruned]
        finding = None
        while finding is None:
            finding = self._shape_finding(living) or self._clue_finding(living)
            if finding is None:
                before = len(living)
                living = self._rule_out(living)
                if len(living) == before:
                    return None
        return self._told(rung, finding, words)

    def _opening(self, rung, cells):
        wrong = [cell for cell in cells if self.buffer[cell] == SHADED]
        premises = Premises(clues=tuple(wrong[:1] or cells), cells=tuple(wrong[:1]), clauses=(CLUED,))
        return self.step(rung, [] if wrong else [(cell, UNSHADED) for cell in cells], premises, True, clued)

    def _shape_finding(self, living):
        """What follows when the squares given are the only ones left."""
        unknown, _, shaded = self.masks
        once = twice = 0
        for square in living:
            twice |= once & square.inside
            once |= square.inside
        for cell in bits(shaded & ~once):
            return Finding([], _homeless, (SQUARE,), [cell], (), self._dead(cell, living))
        single = shaded & once & ~twice
        for square in living if single else ():
            if square.inside & single and (square.inside | square.rim) & unknown:
                cell = next(bits(square.inside & single))
                settles = [(there, SHADED) for there in bits(square.inside & unknown)]
                settles += [(there, UNSHADED) for there in bits(square.rim & unknown)]
                only = partial(_only, cell=cell, square=square)
                return Finding(settles, only, (SQUARE,), [cell], (), self._dead(cell, living))
        for cell in bits(unknown & ~once):
            return Finding([(cell, UNSHADED)], _uncovered, (SQUARE,), (), (), self._dead(cell, living))
        return None

    def _dead(self, cell, living):
        """Squares over a cell that are out."""
        living = set(living)
        return [square for square in self.atlas.over[cell] if square not in living]

    def _sides(self, clue, layers):
        """What each side of a clue can still add, and the cells there."""
        sides = []
        for there in self.atlas.beside[clue]:
            adds = () if self.buffer[there] == SHADED else (0,)
            if self.buffer[there] != UNSHADED:
                adds += tuple(k for k, layer in enumerate(layers) if layer >> there & 1)
            sides.append(adds)
        return tuple(sides)

    def _layers(self, living):
        """Cells that squares of each size cover."""
        layers = [0] * (min(self.board.rows, self.board.cols) + 1)
        for square in living:
            layers[square.side] |= square.inside
        return layers

    def _clue_finding(self, living):
        layers = self._layers(living) if SQUARE in self.clauses else None
        for clue in self.atlas.clued:
            if self.knows(clue):
                finding = self._touch(clue) or (SUM in self.clauses and self._sum(clue, layers)) or None
                if finding:
                    return finding
        return None

    def _touch(self, clue):
        """A clue has shading beside it."""
        beside = self.atlas.beside[clue]
        maybe = [there for there in beside if self.buffer[there] != UNSHADED]
        value = self.atlas.clues[clue]
        if value == 0 and SUM in self.clauses and TOUCH in self.clauses and self.buffer[clue] == UNSHADED:
            return Finding([], _zero, (SUM, TOUCH), [clue], [clue])
        clauses = (TOUCH,) if TOUCH in self.clauses else (SUM,) if SUM in self.clauses and value > 0 else ()
        if clauses and (not maybe or (len(maybe) == 1 and self.buffer[maybe[0]] == UNKNOWN)):
            rest = [there for there in beside if there not in maybe]
            return Finding([(there, SHADED) for there in maybe], _touched, clauses, rest, [clue])
        return None

    def _sum(self, clue, layers):
        """A number is the sum of what its sides add."""
        value, beside = self.atlas.clues[clue], self.atlas.beside[clue]
        if value <= 0:
            return None
        if layers is None:
            return self._grown(clue)
        sides = self._sides(clue, layers)
        ways = _ways(value, sides)
        settles = []
        for there, way in zip(beside, ways, strict=True):
            if self.buffer[there] == UNKNOWN and way and (0 not in way or way == (0,)):
                settles.append((there, UNSHADED if way == (0,) else SHADED))
        if settles or not all(ways):
            cells, dead = self._against(clue, sides)
            return Finding(settles if all(ways) else [], _summed, (SQUARE, SUM), cells, [clue], dead)
        return None

    def _grown(self, clue):
        """What a number forces beside it while blocks may have any shape; only where nobody says they are squares."""
        cells = [cell for cell, state in enumerate(self.buffer[:-1]) if state != UNKNOWN]
        known = self._known(Premises((clue,), tuple(cells), (), (SUM,)))
        if follows.forced(self.atlas.plan, known, *NONE):
            return Finding([], _summed, (SUM,), cells, [clue])
        near = dict.fromkeys(self.atlas.beside[clue])
        near.update(dict.fromkeys(there for here in list(near) for there in self.atlas.beside[here]))
        for cell in near:
            for value in (UNSHADED, SHADED):
                if self.buffer[cell] == UNKNOWN and follows.forced(self.atlas.plan, known, *targets([(cell, value)])):
                    return Finding([(cell, value)], _summed, (SUM,), cells, [clue])
        return None

    def _against(self, clue, sides, but=-1):
        """Why the sides of a number add no more than they do: settled cells, and squares that are out."""
        cells, dead = [], []
        for there, adds in zip(self.atlas.beside[clue], sides, strict=True):
            if there == but:
                continue
            if 0 not in adds or adds == (0,):
                if self.buffer[there] != UNKNOWN:
                    cells.append(there)
                if adds == (0,) and self.buffer[there] == UNSHADED:
                    continue
            out = [square for square in self.atlas.over[there] if square.side not in adds]
            dead += [square for square in out if square.side**2 <= self.atlas.clues[clue]]
        return cells, dead

    def _rule_out(self, living):
        """The squares that are left when one number has ruled out what it can; all of them if no number can."""
        layers = self._layers(living)
        for clue in self.atlas.clued:
            if self.atlas.clues[clue] <= 0 or not self.knows(clue):
                continue
            sides = self._sides(clue, layers)
            for there, adds, way in zip(
                self.atlas.beside[clue], sides, _ways(self.atlas.clues[clue], sides), strict=True
            ):
                out = {k for k in adds if k and k not in way}
                if out:
                    gone = {square for square in living if square.side in out and square.inside >> there & 1}
                    self.pruned.update(dict.fromkeys(gone, len(self.events)))
                    self.events.append((clue, there, sides))
                    return [square for square in living if square not in gone]
        return living

    # premises

    def _killers(self, square):
        """Settled cells that rule a square out, as bits."""
        return square.inside & self.masks[UNSHADED] | square.rim & self.masks[SHADED]

    def _told(self, rung, finding, words):
        """The Step of a finding."""
        if finding is None:
            return None
        clues, cells, clauses = set(finding.clues), set(finding.cells), set(finding.clauses)
        killers, waiting, seen = [], finding.dead, set()
        for square in waiting:
            by = self._killers(square)
            if by:
                killers.append(by)
            elif square in self.pruned and self.pruned[square] not in seen:
                seen.add(self.pruned[square])
                clue, there, sides = self.events[self.pruned[square]]
                clues.add(clue)
                clauses.update((SUM, SQUARE))
                more, dead = self._against(clue, sides, but=there)
                cells.update(more)
                waiting += dead
        cells |= explanation.hitting(killers, cells)
        order = tuple(clause for clause in CLAUSES if clause in clauses)
        premises = Premises(tuple(sorted(clues)), tuple(sorted(cells)), (), order)
        sentence = finding.sentence
        return self.step(rung, finding.settles, premises, words, sentence, shrink=sentence)

    def shrunk(self, premises, settles):
        """What is left of premises when everything is dropped that the conclusion can do without."""
        known = self._known(premises)
        follows.shrink(self.atlas.plan, known, *targets(settles))
        return Premises(
            tuple(cell for cell in premises.clues if known.value[cell] != NO_CLUE),
            tuple(cell for cell in premises.cells if known.state[cell]),
            (),
            tuple(code for code in self.CLAUSES if code in CODES and known.rules[CODES.index(code)]),
        )

    def _known(self, premises):
        """Premises of cell numbers as arrays, with the states of this position."""
        n = len(self.atlas.cell)
        state, value = np.zeros(n + 1, np.uint8), np.full(n, NO_CLUE, np.int32)
        for cell in premises.cells:
            state[cell] = self.buffer[cell]
        for cell in premises.clues:
            value[cell] = self.atlas.clues[cell]
        return follows.Known(state, value, np.array([code in premises.clauses for code in CODES], np.uint8))


# Words


def _numbered(told):
    return f"{told.numbers} can be right only if {told.so}."


def _given(told, but=()):
    """The premises beside the point of a sentence: settled cells, and numbers that rule squares out."""
    cells = [cell for cell in told.cells if cell not in but]
    given = [f"given that {told.given(cells)}"] if cells else []
    clues = [cell for cell in told.clues if cell not in but]
    if clues:
        given.append(f"what {told.numbers} can add up to")
    return f", {' and '.join(given)}" if given else ""


def _named(square):
    r, c, side = square.r, square.c, square.side
    return (
        f"({r}, {c}) alone"
        if side == 1
        else f"the {side} x {side} square from ({r}, {c}) to ({r + side - 1}, {c + side - 1})"
    )


def _homeless(told):
    return f"no square fits over the shaded {told.at(told.cells[:1])}{_given(told, told.cells[:1])}."


def _only(told, cell, square):
    over = f" over the shaded {told.at([cell])}" if cell in told.cells else ""
    return f"{_named(square)} is the only square that fits{over}{_given(told, [cell])}, so {told.so}."


def _uncovered(told):
    ((cell, _),) = told.settles
    return f"no square fits over {told.at([cell])}{_given(told)}, so it is unshaded."


def _zero(told):
    wanted = f"{told.number(told.clues[0])} should have nothing beside it"
    return f"{wanted}, and every clue has shading beside it; {told.given()}."


def _touched(told):
    given = f", given that {told.given()}" if told.cells else ""
    if not told.settles:
        return f"{told.numbers} has no side left to be shaded{given}."
    return f"{told.numbers} needs shading beside it and has one side left{given}, so {told.so}."


def _summed(told):
    given = f", given that {told.given()}" if told.cells else ""
    if not told.settles:
        return f"there is no way to make up {told.numbers}{given}."
    return f"however {told.numbers} is made up{given}, {told.so}."


# What a solver asks


def explain(board, top="probe", start=None):
    """The deductions on a board in order.

    Parameters
    ----------
    board : Board
    top : str                      the highest rung to use, one of RUNGS
    start : uint8 (rows, cols)     where the solver stands: UNKNOWN, UNSHADED, SHADED; None is a blank board

    Returns
    -------
    explanation.Explanation        from a blank board it ends as climb(board, top) does

    Raises
    ------
    ValueError                     an unknown rung, a state of another size or with other values

    Cost: 0.2 s on a 10 x 10 board, most of it for probes and for squares that no person would think of.

    >>> from puzzlekit.tasquare.rules import Board
    >>> board = Board([[NO_CLUE, NO_CLUE, NO_CLUE], [4, NO_CLUE, NO_CLUE], [NO_CLUE, NO_CLUE, NO_CLUE]])
    >>> for step in explain(board, "clue"):
    ...     print(step.rung, step.sentence)
    shape (1, 0) has a clue, so it is unshaded.
    clue However the 4 at (1, 0) is made up, (1, 1) is shaded and (0, 0) and (2, 0) are unshaded.
    """
    rungs_to(top)
    return explanation.explained(Position(board, grid.as_state(start, board.clues.shape)), top)


def difficulty(board):
    """How hard a board is for whoever climbs the ladder: explanation.Difficulty, with a grade of GRADES.

    Cost: less than that of `explain`, since nothing has to be put into words.
    """
    return explanation.difficulty(lambda: Position(board, grid.as_state(None, board.clues.shape)), GRADES)


def hint(board, partial):
    """The next step from where a solver stands, or which of their cells is wrong.

    Parameters
    ----------
    board : Board
    partial : uint8 (rows, cols)     UNKNOWN, UNSHADED, SHADED

    Returns
    -------
    explanation.Hint                 a mistake is a cell that differs from the answer, or from the one that comes
                                     nearest

    Raises
    ------
    ValueError                       a state of another size or with other values
    """
    position = Position(board, grid.as_state(partial, board.clues.shape))
    return position.hint(solve(board, explanation.MOST_ANSWERS).answers)
