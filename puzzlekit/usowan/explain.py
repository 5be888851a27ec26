"""Usowan explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

The rungs are those of ladder.py, and so is where they end; here they are slower and say why. Premises are dropped while the rest
still forces the conclusion (follows.py).
"""

from functools import lru_cache

import numpy as np

from ..machinery import explanation, grid
from ..machinery.explanation import Premises, Step, capital, listed, places
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from . import follows
from .ladder import rungs_to
from .rules import CLAUSES, NO_CLUE
from .solver import solve

OTHER = SHADED + UNSHADED
APART, CONNECTED, LIES = "shaded-adjacent", "white-split", "region-lies-not-one"
GRADES = {"cell": "trivial", "count": "easy", "region": "medium", "connect": "hard", "probe": "expert"}
WORDS = {UNSHADED: "unshaded", SHADED: "shaded"}
NONE = np.empty(0, np.int32), np.empty(0, np.uint8)  # no targets: a contradiction
FEW = 6  # cells that are named rather than counted, where all of a kind are meant
MOST_ANSWERS = 2000  # that a hint compares with, where a board has several


class Atlas:
    """What never changes on a board, in lists, for reading from Python."""

    def __init__(self, board):
        self.plan = follows.plan(board)
        self.cell = [divmod(i, board.cols) for i in range(board.rows * board.cols)]
        self.near = [tuple(there for there in line if there >= 0) for line in grid.neighbours(board.rows, board.cols).tolist()]
        self.clues = board.clues.ravel().tolist()
        self.clued = [cell for cell, clue in enumerate(self.clues) if clue != NO_CLUE]
        self.numbers = [[r * board.cols + c for r, c in cells] for cells in board.clues_by_region]
        self.around = [{there for cell in cells for there in self.near[cell]} for cells in self.numbers]
        regions = board.regions.ravel().tolist()
        self.place = {cell: place for place, cell in enumerate(self.plan.numbered.tolist())}
        self.touches = [{regions[there] for there in line if self.clues[there] >= 0} for line in self.near]


@lru_cache(maxsize=256)
def _atlas(board):
    return Atlas(board)


class Position:
    """A solver's state, and the next step from it. See explanation.explained for what it has to offer."""

    def __init__(self, board, state, only=None):
        """only : Premises     what is known of the board; None is all of it"""
        self.board, self.atlas, self.only = board, _atlas(board), only
        n = len(self.atlas.cell)
        self.buffer = bytearray(n + 1)
        self.buffer[:n] = np.asarray(state, np.uint8).tobytes()
        self.buffer[n] = UNSHADED
        self.state = np.frombuffer(self.buffer, np.uint8)  # the same bytes; lists are quick from Python, arrays from kernels
        self.stale_count = set(range(len(self.atlas.numbers)))
        self.stale_region = set(self.stale_count)
        self.fresh = [cell for cell in range(n) if self.buffer[cell] == SHADED]
        clauses = CLAUSES if only is None else only.clauses
        self.apart, self.connected, self.lies = APART in clauses, CONNECTED in clauses, LIES in clauses

    def view(self):
        state = self.state[:-1].reshape(self.board.clues.shape).copy()
        state.setflags(write=False)
        return state

    @property
    def complete(self):
        return UNKNOWN not in self.buffer

    def take(self, step):
        for (r, c), value in step.settles:
            self.settle(r * self.board.cols + c, value)

    def settle(self, cell, value):
        self.buffer[cell] = value
        if value == SHADED:
            self.fresh.append(cell)
        self.stale_count |= self.atlas.touches[cell]
        self.stale_region |= self.atlas.touches[cell]

    def copy(self):
        return Position(self.board, self.state[:-1], self.only)

    def guesses(self):
        for cell, value in enumerate(self.buffer):
            if value == UNKNOWN:
                yield cell, SHADED
                yield cell, UNSHADED

    def assume(self, guess):
        """A new position with one more cell settled, when no rung below probe has anything to say about this one."""
        trial = self.copy()
        trial.stale_count, trial.stale_region, trial.fresh = set(), set(), []
        trial.settle(*guess)
        return trial

    def knows(self, cell):
        """Whether the value of a number is known."""
        return self.only is None or self.atlas.cell[cell] in self.only.clues

    def next_step(self, top, words=True):
        """The next step of the lowest rung that has one, up to `top`, but no probe; None at the end."""
        height = rungs_to(top) if not self.complete else rungs_to("probe")  # a full board is judged by all rules
        finders = self._cell, self._count, self._region, self._connect
        for rung, find in enumerate(finders):
            if height >> rung & 1:
                step = find(words)
                if step is not None:
                    return step
        return None

    # one rung each

    def _cell(self, words):
        if self.only is None:
            opening = [cell for cell in self.atlas.clued if self.buffer[cell] != UNSHADED]
            if opening:
                return self._opening(opening)
        while self.fresh and self.apart:
            here = self.fresh[-1]
            for there in self.atlas.near[here]:
                if self.buffer[there] == SHADED:
                    return self._step("cell", [], Premises(cells=(here, there), clauses=(APART,)), words, _touching)
            beside = [there for there in self.atlas.near[here] if self.buffer[there] == UNKNOWN]
            if beside:
                settles = [(there, UNSHADED) for there in beside]
                return self._step("cell", settles, Premises(cells=(here,), clauses=(APART,)), words, _beside)
            self.fresh.pop()
        return None

    def _opening(self, cells):
        wrong = [cell for cell in cells if self.buffer[cell] == SHADED]
        premises = Premises(clues=tuple(wrong[:1] or cells), cells=tuple(wrong[:1]), clauses=("clue-shaded",))
        return self._step("cell", [] if wrong else [(cell, UNSHADED) for cell in cells], premises, True, _clued)

    def _bounds(self, cell):
        states = [self.buffer[there] for there in self.atlas.near[cell]]
        shaded = states.count(SHADED)
        return shaded, shaded + states.count(UNKNOWN)

    def _around(self, cell, value):
        return [there for there in self.atlas.near[cell] if self.buffer[there] == value]

    def _wrong_because(self, cell):
        """Settled cells that prove a number wrong."""
        low, high = self._bounds(cell)
        value = self.atlas.clues[cell]
        if value < low:
            return self._around(cell, SHADED)[: value + 1]
        return self._around(cell, UNSHADED)[: max(0, len(self.atlas.near[cell]) - value + 1)]

    def _count(self, words):
        while self.stale_count and self.lies:
            region = min(self.stale_count)
            if self.only is None or region in self.only.regions:
                step = self._count_region(region, words)
                if step is not None:
                    return step
            self.stale_count.remove(region)
        return None

    def _count_region(self, region, words):
        must, may, right = [], [], []
        for cell in self.atlas.numbers[region]:
            value = self.atlas.clues[cell]
            low, high = self._bounds(cell)
            if not self.knows(cell):
                may.append(cell)
            elif value < low or value > high:
                must.append(cell)
            else:
                (may if low < high else right).append(cell)

        def step(clues, cells, settles, sentence):
            cells = tuple(dict.fromkeys(cells))
            premises = Premises(tuple(clues), cells, (region,), (LIES,))
            return self._step("count", settles, premises, words, sentence, shrink=True)

        if len(must) > 1:
            return step(must[:2], [*self._wrong_because(must[0]), *self._wrong_because(must[1])], [], _two_wrong)
        if not must and not may:
            return step(right, [there for cell in right for there in self.atlas.near[cell]], [], _none_wrong)
        if must:
            for cell in may:
                value = self.atlas.clues[cell]
                low, high = self._bounds(cell)
                if self.knows(cell) and value in (low, high):
                    to = UNSHADED if value == low else SHADED
                    settles = [(there, to) for there in self._around(cell, UNKNOWN)]
                    because = [*self._wrong_because(must[0]), *self._around(cell, OTHER - to)]
                    return step((must[0], cell), because, settles, _honest)
        elif len(may) == 1 and self.knows(may[0]):
            cell = may[0]
            low, high = self._bounds(cell)
            if high - low == 1 and self.atlas.clues[cell] in (low, high):
                settles = [(there, SHADED if self.atlas.clues[cell] == low else UNSHADED) for there in self._around(cell, UNKNOWN)]
                because = [there for number in self.atlas.numbers[region] for there in self.atlas.near[number]]
                because = [there for there in because if self.buffer[there] != UNKNOWN]
                return step((*right, cell), because, settles, _liar)
        return None

    def _region(self, words):
        while self.stale_region and self.lies:
            region = min(self.stale_region)
            if self.only is None or region in self.only.regions:
                step = self._region_step(region, words)
                if step is not None:
                    return step
            self.stale_region.remove(region)
        return None

    def _region_step(self, region, words):
        atlas, around = self.atlas, sorted(self.atlas.around[region])
        open_cells = [cell for cell in around if self.buffer[cell] == UNKNOWN]
        if not open_cells:
            return None
        clauses = (APART, LIES) if self.apart else (LIES,)
        clues = tuple(cell for cell in atlas.numbers[region] if self.knows(cell))
        premises = Premises(clues, tuple(cell for cell in around if self.buffer[cell] != UNKNOWN), (region,), clauses)
        seen = follows.agreed(atlas.plan, self._known(premises))
        settles = [(cell, int(seen[cell])) for cell in open_cells if seen[cell] in (SHADED, UNSHADED)]
        if not any(seen[cell] for cell in open_cells):
            return self._step("region", [], premises, words, _no_way, shrink=True)
        if not settles or not words:
            return self._step("region", settles, premises, False, None) if settles else None
        found = []
        for one in settles:  # the cell that needs the fewest premises, and what comes with it
            fewer = self._shrunk(premises, [one])
            found.append((sum(map(len, fewer)), one, fewer))
        _, one, premises = min(found)
        known = self._known(premises)
        also = [other for other in settles if other == one or follows.forced(atlas.plan, known, *_targets([other]))]
        return self._step("region", also, premises, words, _agreed)

    def _connect(self, words):
        if not self.connected:
            return None
        kind, cell, inside, outside, wall = follows.narrowest(self.atlas.plan.near, self.state)
        if kind == follows.NOTHING:
            return None
        premises = Premises(cells=(*wall.tolist(), inside, outside), clauses=(CONNECTED,))
        if kind == follows.SPLIT:
            return self._step("connect", [], premises, words, _split)
        if kind == follows.CUT:
            return self._step("connect", [(cell, UNSHADED)], premises, words, _cut)
        pocket = [inside]
        for here in pocket:
            pocket += [there for there in self.atlas.near[here] if self.buffer[there] == UNKNOWN and there not in pocket]
        premises = premises._replace(cells=(*wall.tolist(), outside))
        return self._step("connect", [(cell, SHADED) for cell in sorted(pocket)], premises, words, _pocket)

    # steps and premises

    def _known(self, premises):
        """Premises of cell numbers as arrays, with the states of this position."""
        plan = self.atlas.plan
        state = np.zeros_like(self.state)
        state[-1] = UNSHADED
        for cell in premises.cells:
            state[cell] = self.buffer[cell]
        stated, active = np.zeros(len(plan.numbered), np.uint8), np.zeros(len(plan.first) - 1, np.uint8)
        for cell in premises.clues:
            stated[self.atlas.place[cell]] = 1
        for region in premises.regions:
            active[region] = 1
        rules = np.array([APART in premises.clauses, CONNECTED in premises.clauses], np.uint8)
        return follows.Known(state, stated, active, rules)

    def _shrunk(self, premises, settles):
        """What is left of premises when everything is dropped that the conclusion can do without."""
        known = self._known(premises)
        follows.shrink(self.atlas.plan, known, *_targets(settles))
        clauses = [clause for clause, kept in zip((APART, CONNECTED), known.rules) if kept]
        if known.active.any():
            clauses.append(LIES)
        return Premises(
            tuple(cell for cell in premises.clues if known.stated[self.atlas.place[cell]]),
            tuple(cell for cell in premises.cells if known.state[cell]),
            tuple(region for region in premises.regions if known.active[region]),
            tuple(clauses),
        )

    def _step(self, rung, settles, premises, words, sentence, shrink=False, inside=()):
        """A Step from cell numbers; `sentence` is a function of a _Telling."""
        if words and shrink:
            before, premises = premises, self._shrunk(premises, settles)
            if len(premises.clues) < len(before.clues) or len(premises.cells) < len(before.cells):
                sentence = _agreed if settles else _no_way  # it needs less than the rung has used, so it is told another way
        cell = self.atlas.cell
        named = Premises(
            tuple(cell[i] for i in sorted(premises.clues)), tuple(cell[i] for i in sorted(set(premises.cells))),
            tuple(sorted(premises.regions)), tuple(clause for clause in CLAUSES if clause in premises.clauses),
        )
        told = capital(sentence(_Telling(self, settles, premises, inside))) if words else ""
        return Step(rung, tuple((cell[i], value) for i, value in settles), named, told, inside, self.view() if words else None)

    def probe_step(self, guess, inside):
        """The Step that a refuted guess makes."""
        cols = self.board.cols
        cell, value = guess
        named = explanation.together(inside, [self.atlas.cell[cell]])
        premises = Premises(
            tuple(r * cols + c for r, c in named.clues), tuple(r * cols + c for r, c in named.cells), named.regions, named.clauses
        )
        settles = [(cell, OTHER - value)]
        fewer = self._shrunk(premises, settles)
        if fewer != premises:
            again = self._refuted(guess, fewer) or self._refuted(guess, fewer, deep=True)
            if again:
                premises, inside = fewer, again
        return self._step("probe", settles, premises, True, _refuted, inside=inside)

    def _refuted(self, guess, premises, deep=False):
        """Steps from a guess to a contradiction from the premises alone, or None. `deep`: with probes inside."""
        cell = self.atlas.cell
        state = np.where([i in premises.cells for i in range(len(cell))], self.state[:-1], UNKNOWN)
        trial = Position(self.board, state, premises._replace(clues={cell[i] for i in premises.clues}))
        trial.settle(*guess)
        return explanation.refutation(trial, deep=deep)


def _targets(settles):
    if not settles:
        return NONE
    cells, values = zip(*settles)
    return np.array(cells, np.int32), np.array(values, np.uint8)


# Words


class _Telling:
    """What a sentence can say about a step."""

    def __init__(self, position, settles, premises, inside):
        self.position, self.settles, self.premises, self.inside = position, settles, premises, inside
        self.region = f"region {premises.regions[0]}" if premises.regions else ""

    def at(self, cells):
        return places(self.position.atlas.cell[cell] for cell in cells)

    def number(self, cell):
        return f"the {self.position.atlas.clues[cell]} at {self.at([cell])}"

    def are(self, cells, state):
        return f"{self.at(cells)} {'is' if len(cells) == 1 else 'are'} {WORDS[state]}"

    def given(self, cells=None):
        """The settled cells among the premises, by state."""
        cells = sorted(self.premises.cells if cells is None else cells)
        groups = [([cell for cell in cells if self.position.buffer[cell] == state], state) for state in (SHADED, UNSHADED)]
        return listed(self.are(group, state) for group, state in groups if group)

    def so(self):
        groups = [([cell for cell, value in self.settles if value == state], state) for state in (SHADED, UNSHADED)]
        return listed(self.are(group, state) for group, state in groups if group)

    def wrong(self, cell):
        """Why a number is wrong."""
        known = [there for there in self.position.atlas.near[cell] if there in self.premises.cells]
        because = f", since {self.given(known)}" if known else ", which is more than it has neighbours"
        return f"{self.number(cell)} is wrong{because}"


def _clued(told):
    cells = told.premises.clues
    if not told.settles:
        return f"{told.at(cells)} has a clue, and yet it is shaded."
    if len(cells) > FEW:
        return f"the {len(cells)} cells with a clue are unshaded."
    return f"{told.at(cells)} {'has a clue, so it is' if len(cells) == 1 else 'have clues, so they are'} unshaded."


def _touching(told):
    return f"{told.at(told.premises.cells)} are both shaded and share a side."


def _beside(told):
    return f"{told.at(told.premises.cells)} is shaded, so beside it {told.so()}."


def _two_wrong(told):
    one, other = told.premises.clues
    return f"{told.wrong(one)}, and {told.wrong(other)}: two wrong numbers in {told.region}, where there is one."


def _none_wrong(told):
    if not told.premises.clues:
        return f"{told.region} has no number that could be the wrong one."
    return f"every number of {told.region} is right, and one should be wrong: {listed(map(told.number, told.premises.clues))}; {told.given()}."


def _honest(told):
    liar, honest = told.premises.clues
    have = [there for there in told.position.atlas.near[honest] if told.position.buffer[there] != UNKNOWN]
    have = [there for there in have if there in told.premises.cells]
    because = f": {told.given(have)}, so " if have else ", so "
    return f"{told.wrong(liar)}, and {told.region} has no other wrong number; {told.number(honest)} is right{because}{told.so()}."


def _liar(told):
    *right, liar = told.premises.clues
    known = f", given that {told.given()}" if told.premises.cells else ""
    if not right:
        return f"{told.number(liar)} is the only number of {told.region}, so it is wrong{known}; to make it miss, {told.so()}."
    others = f"{listed(map(told.number, right))} {'is' if len(right) == 1 else 'are'} right"
    return f"in {told.region} {others}, so {told.number(liar)} is wrong{known}; to make it miss, {told.so()}."


def _agreed(told):
    given = [f"given that {told.given()}"] if told.premises.cells else []
    given += ["shaded cells never touch"] if APART in told.premises.clauses else []
    given = f", {', and '.join(given)}" if given else ""
    who = listed(map(told.number, told.premises.clues))
    force = "forces" if len(told.premises.clues) == 1 else "force"
    return f"whichever number of {told.region} is the wrong one, {who} {force} the same{given}: {told.so()}."


def _no_way(told):
    numbers = listed(map(told.number, told.premises.clues))
    given = f" now that {told.given()}" if told.premises.cells else ""
    return f"exactly one number of {told.region} is wrong, but {numbers} cannot be read like that{given}."


def _wall(told, but):
    wall = [cell for cell in told.premises.cells if told.position.buffer[cell] == SHADED]
    return f" {but} the shaded {told.at(wall)}" if wall else ""


def _ends(told):
    return [cell for cell in told.premises.cells if told.position.buffer[cell] == UNSHADED]


def _split(told):
    one, other = _ends(told)
    return f"the unshaded {told.at([one])} and {told.at([other])} are parted{_wall(told, 'by')}."


def _cut(told):
    one, other = _ends(told)
    cell = told.settles[0][0]
    return f"shading {told.at([cell])} would cut {told.at([one])} off from {told.at([other])}{_wall(told, 'together with')}; it is unshaded."


def _pocket(told):
    cells = [cell for cell, _ in told.settles]
    return f"{told.at(cells)} cannot reach the unshaded {told.at(_ends(told))}{_wall(told, 'past')}, so {told.so()}."


def _refuted(told):
    cell, value = told.settles[0]
    who = listed(map(told.number, told.premises.clues)) or "the rules"
    given = f", given that {told.given()}" if told.premises.cells else ""
    steps = "step" if len(told.inside) == 1 else "steps"
    leads = f"{who} would lead to a contradiction in {len(told.inside)} {steps}"
    return f"if {told.at([cell])} were {WORDS[OTHER - value]}, {leads}{given}; so {told.so()}."


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

    Cost: about 4 ms on a 10 x 10 board; with some ten probes 0.2 s.

    >>> from puzzlekit.usowan.rules import Board
    >>> for step in explain(Board([[1, NO_CLUE, NO_CLUE], [3, NO_CLUE, 1]], [[0, 0, 0], [0, 0, 0]]), top="cell"):
    ...     print(step.rung, step.sentence)
    cell (0, 0), (1, 0) and (1, 2) have clues, so they are unshaded.
    """
    rungs_to(top)
    return explanation.explained(Position(board, grid.as_state(start, board.clues.shape)), top)


def difficulty(board):
    """How hard a board is for whoever climbs the ladder: explanation.Difficulty, with a grade of GRADES.

    Cost: that of `explain`.
    """
    return explanation.difficulty(explain(board), GRADES)


def hint(board, partial):
    """The next step from where a solver stands, or which of their cells is wrong.

    Parameters
    ----------
    board : Board
    partial : uint8 (rows, cols)     UNKNOWN, UNSHADED, SHADED

    Returns
    -------
    explanation.Hint                 a mistake is a cell that differs from the one answer; where there are several, cells that no
                                     answer has together

    Raises
    ------
    ValueError                       a state of another size or with other values
    """
    state = grid.as_state(partial, board.clues.shape)
    answers = solve(board, MOST_ANSWERS).answers
    states = np.where(answers, SHADED, UNSHADED).reshape(len(answers), state.size)
    position = Position(board, state)
    return explanation.hinted(position, position.atlas.cell, state.ravel(), states, len(answers) < MOST_ANSWERS)
