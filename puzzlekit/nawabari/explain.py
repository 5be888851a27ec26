"""Nawabari explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

What is settled are sides of cells, named (r, c, "right") or (r, c, "down"). The rungs are those of ladder.py, one
finding at a time (looks.py). Rectangles that a rung rules out are not settled sides, so nobody sees them: only what
follows from them is a step. Premises are dropped while the rest still forces the conclusion (follows.py).
"""

from functools import cached_property

import numpy as np

from ..machinery import explanation, learning
from ..machinery.explanation import Premises, listed
from ..machinery.position import NONE, targets
from ..machinery.position import Position as Settled
from . import clauses, follows, looks, rectangles
from .ladder import COUNT as NUMBERS
from .ladder import PROBE, ROOM, RUNGS, VERTEX, rungs_to
from .layout import geometry, laid_out
from .rules import CLAUSES, NO_CLUE, OPEN, UNKNOWN, WALL, Walls, as_walls
from .solver import solve

RECTANGLE, WITHOUT, SEVERAL, COUNT, DEAD_END = CLAUSES
ROOMS = RECTANGLE, SEVERAL, DEAD_END  # the rules by which a clue has rectangles
GRADES = {"count": "trivial", "vertex": "easy", "room": "medium", "probe": "expert"}


class Atlas:
    """What never changes while a board is explained, and the search that is asked what follows."""

    def __init__(self, board):
        rows, cols = board.rows, board.cols
        self.board, self.plan = board, clauses.plan(board)
        self.sides, cells, _, self.meeting = geometry(rows, cols)
        self.cell = [divmod(i, cols) for i in range(rows * cols)]
        self.key = [(r, c, "right") for r in range(rows) for c in range(cols - 1)]
        self.key += [(r, c, "down") for r in range(rows - 1) for c in range(cols)]
        self.place = {key: i for i, key in enumerate(self.key)}
        self.clues = board.clues.ravel()
        self.rules = {rule: 2 * len(cells) + i for i, rule in enumerate(CLAUSES)}
        self.first_clue = 2 * len(cells) + len(CLAUSES)
        middle = np.array(np.divmod(cells, cols)).mean(axis=2)  # of each side, and of what else can be a premise
        self.middle = np.hstack([middle, np.zeros((2, len(cells) + len(CLAUSES))), np.divmod(self.plan.clued, cols)])

    @cached_property
    def search(self):
        return learning.knowing(self.first_clue + len(self.plan.clued), *clauses.clauses(self.board, self.plan))

    def known(self, premises, state):
        """Premises as states of the search's variables."""
        known = np.zeros(self.first_clue + len(self.plan.clued), np.uint8)
        sides = list(premises.cells)
        known[sides] = state[sides]
        known[[self.rules[rule] for rule in premises.clauses]] = clauses.ON
        known[self.first_clue + self.plan.clue_at[list(premises.clues)]] = clauses.ON
        return known


class Position(Settled):
    """A solver's walls, the rectangles that are still possible, and the next step from them."""

    RUNGS, CLAUSES, LAST = RUNGS, tuple(CLAUSES), WALL

    def __init__(self, board, state, only=None, atlas=None):
        super().__init__(board, atlas or Atlas(board), state, only)
        stated = self.atlas.plan.clued
        if only is not None:
            stated = np.array([i for i in stated.tolist() if self.knows(i)], np.int32)
        self.stated = stated
        self.rungs = 1 << NUMBERS  # those below probe whose rules are known
        if {RECTANGLE, DEAD_END} <= self.clauses:
            self.rungs |= 1 << VERTEX
        if self.clauses >= {*ROOMS}:
            self.rungs |= 1 << ROOM
        self.layout = self.living = self.left = None  # left: without the rectangles that probe rules out

    def like(self, state, only):
        trial = Position(self.board, state, only, self.atlas)
        if only is self.only and self.layout is not None:
            trial.layout, trial.prints = self.layout, self.prints
        return trial

    def view(self):
        right = self.board.rows * (self.board.cols - 1)
        state = self.state[:-1].copy()
        state.setflags(write=False)
        return Walls(state[:right].reshape(self.board.rows, -1), state[right:].reshape(-1, self.board.cols))

    def copy(self):
        trial = super().copy()
        for name in ("living", "left"):
            setattr(trial, name, getattr(self, name) and tuple(part.copy() for part in getattr(self, name)))
        return trial

    def number(self, cell):
        value = self.atlas.clues[cell]
        return f"the {value if value >= 0 else '?'} at ({cell // self.board.cols}, {cell % self.board.cols})"

    def were(self, side, value):
        return f"there were {'a' if value == WALL else 'no'} wall {self._where([side])}"

    def are(self, sides, value):
        if len(sides) == 1:
            return f"there is {'a' if value == WALL else 'no'} wall {self._where(sides)}"
        return f"there are {'' if value == WALL else 'no '}walls {self._where(sides)}"

    def _where(self, sides):
        keys = [self.atlas.key[side] for side in sides]
        parts = [[key for key in keys if key[2] == which] for which in ("right", "down")]
        words = ("right of", "below")
        return listed(
            f"{word} {explanation.places(key[:2] for key in part)}"
            for word, part in zip(words, parts, strict=True)
            if part
        )

    # looks

    def _lay_out(self):
        """Find the rectangles of the clues that are known, small ones first."""
        known = np.full(len(self.atlas.clues), NO_CLUE, np.int32)
        known[self.stated] = self.atlas.clues[self.stated]
        counts = rectangles.WALLS if COUNT in self.clauses else rectangles.ANYTHING
        plan = laid_out(known.reshape(self.board.clues.shape), counts)
        clue = np.repeat(np.arange(len(self.stated)), np.diff(plan.first))
        top, left, bottom, right = plan.boxes.T
        by_size = np.lexsort((right, bottom, left, top, (bottom - top + 1) * (right - left + 1), clue))
        self.layout = plan._replace(
            area=plan.area[by_size], inside=plan.inside[by_size], border=plan.border[by_size], boxes=plan.boxes[by_size]
        )
        self.prints = np.zeros(0, np.uint8)
        if len(self.stated) < len(self.atlas.plan.clued):
            self.prints = (self.atlas.plan.clue_at >= 0).astype(np.uint8) + (known != NO_CLUE)

    def _sight(self, left):
        if self.layout is None:
            self._lay_out()
        if self.living is None:
            self.living = np.arange(len(self.layout.boxes), dtype=np.int32), np.diff(self.layout.first)
        if left and self.left is None:
            self.left = tuple(part.copy() for part in self.living)
        settles = np.empty((len(self.atlas.key), 2), np.int32)
        free = int(WITHOUT not in self.clauses)
        chosen = self.left if left else self.living
        return looks.Sight(self.board.cols, free, self.state, *chosen, self.prints, settles)

    def _found(self, kernel, rungs, left=False):
        """What a look finds: (rung, place, what it settles); None when nothing."""
        sight = self._sight(left)
        rung, place, settled = kernel(self.layout, sight, rungs)
        if rung == looks.NOTHING:
            return None
        return rung, place, sorted(map(tuple, sight.settles[: max(settled, 0)].tolist()))

    def next_step(self, top, words=True):
        top = "probe" if self.complete else top  # a full board is judged by all rules
        wanted = rungs_to(top) & ~(1 << PROBE)
        found = self._found(looks.look, wanted & self.rungs)
        if found is None:
            return self._shapeless(words) if wanted & ~self.rungs >> ROOM & 1 else None
        rung, place, settles = found
        if not words:
            return self.step(RUNGS[rung], settles, Premises(), False, None)
        if rung == NUMBERS:
            return self._near(rung, settles, (place,), self.atlas.sides[place], (COUNT,), _counted)
        if rung == VERTEX:
            return self._near(rung, settles, (), self.atlas.meeting[place], (RECTANGLE, DEAD_END), _met)
        k = len(self.stated)
        sentence = _agreed(int(self.stated[place]), None) if place < k else _agreed(None, place - k)
        premises = self._everything()
        if settles and WITHOUT in self.clauses:
            others = premises._replace(clauses=tuple(rule for rule in premises.clauses if rule != WITHOUT))
            if self._held(others, settles).all():
                premises = others
            else:  # one at a time, where it rests on so much
                premises = self.shrunk(premises, settles[:1])
                held = self._held(premises, settles)
                settles = [one for one, too in zip(settles, held, strict=True) if too or one == settles[0]]
                return self.step(RUNGS[rung], settles, premises, words, sentence)
        return self.step(RUNGS[rung], settles, premises, words, sentence, shrink=sentence)

    def _near(self, rung, settles, clues, sides, rules, sentence):
        """The step of a rung that looks at a few sides only."""
        known = tuple(side for side in sides.tolist() if side < len(self.atlas.key) and self.buffer[side])
        return self.step(RUNGS[rung], settles, Premises(clues, known, (), rules), True, sentence, shrink=sentence)

    def _shapeless(self, words):
        """What follows where rooms may have any shape; only where nobody says that they are rectangles."""
        premises, search = self._everything(), self.atlas.search
        if self._held(premises, []).all():
            return self.step("room", [], premises, words, _shapeless, shrink=_shapeless)
        walls = search.state.copy()  # that fit
        loose = [side for side, value in enumerate(self.buffer) if value == UNKNOWN]
        for side in loose:
            settles = [(side, int(walls[side]))]
            if walls[side] != UNKNOWN and self._held(premises, settles).all():
                return self.step("room", settles, premises, words, _shapeless, shrink=_shapeless)
            walls[search.state != walls] = UNKNOWN  # other walls fit as well
        return None

    # probe: rectangles

    def probed(self):
        if self.only is not None:
            return explanation.probed(self)
        found = self._found(looks.probe, self.rungs, left=True)
        if found is None:
            return None
        side, value = found[2][0] if found[2] else (self.buffer.index(UNKNOWN), WALL)
        return self.refuted_step((side, OPEN + WALL - value), self._everything())

    def guesses(self):
        for side, value in super().guesses():
            if not self.rungs >> ROOM & 1 or looks.refutes(self.layout, self._sight(False), self.rungs, side, value):
                yield side, value

    # premises

    def _everything(self):
        known = tuple(np.flatnonzero(self.state[:-1]).tolist())
        return Premises(tuple(self.stated.tolist()), known, (), tuple(rule for rule in CLAUSES if rule in self.clauses))

    def _held(self, premises, settles):
        """Which of these the premises force."""
        known = self.atlas.known(premises, self.state)
        return follows.held(self.atlas.plan, self.atlas.search, known, *targets(settles))

    def shrunk(self, premises, settles):
        """What is left of premises when everything is dropped that the conclusion can do without."""
        atlas, (places, values) = self.atlas, targets(settles)
        known = atlas.known(premises, self.state)
        here = atlas.middle[:, places[:1] if settles else [0]]
        order = follows.trials(atlas.plan, known, np.abs(atlas.middle - here).sum(axis=0))
        held = np.zeros(max(len(settles), 1), np.uint8)
        proved = follows.shrink(atlas.plan, atlas.search, known, order, places, values, held)
        fewer = Premises(
            tuple(clue for clue in premises.clues if known[atlas.first_clue + atlas.plan.clue_at[clue]]),
            tuple(side for side in premises.cells if known[side]),
            (),
            tuple(rule for rule in CLAUSES if known[atlas.rules[rule]]),
        )
        if not proved:
            self.unproved.add(fewer)
        return fewer


# Words


def _given(told):
    return f", given that {told.given()}" if told.cells else ""


def _counted(told):
    if not told.settles:
        return f"{told.numbers} cannot have so many walls around it{_given(told)}."
    enough = "all its walls" if told.settles[0][1] == OPEN else "no wall to spare"
    return f"{told.numbers} has {enough}{_given(told)}; so {told.so}."


def _met(told):
    if not told.settles:
        return f"walls never end or turn inside a room, and these do: {told.given()}."
    return f"walls meet in a straight line, a T or a plus, or not at all; given that {told.given()}, {told.so}."


def _agreed(clue, cell):
    """The sentence of the room rung about a clue, or about a cell out of reach."""

    def sentence(told):
        own = f"{told.number(clue)} " if clue is not None and clue in told.clues else ""
        others = listed(told.number(other) for other in told.clues if other != clue)
        but = f" beside {others}" if own and others else f" by {others}" if others else ""
        if not told.settles:
            room = own.strip() or (
                f"({cell // told.position.board.cols}, {cell % told.position.board.cols})"
                if cell is not None
                else "a cell"
            )
            return f"no room is left for {room}{but}{_given(told)}."
        if WITHOUT in told.clauses:
            seen = f", seeing {told.numbers}" if told.clues else ""
            return f"only like this does every cell get a room with a clue{seen}{_given(told)}: {told.so}."
        who = f"every room that {own.strip()} can have" if own else "every choice of rooms"
        return f"{who}{but}{_given(told)} agrees: {told.so}."

    return sentence


def _shapeless(told):
    who = f" about {told.numbers}" if told.clues else ""
    if not told.settles:
        return f"the rules{who} cannot all hold{_given(told)}."
    return f"the rules{who} leave no choice{_given(told)}: {told.so}."


# What a solver asks


def _started(board, start):
    """Sides that a solver has settled as a flat array, from Walls of UNKNOWN, OPEN and WALL; ValueError."""
    rows, cols = board.rows, board.cols
    if start is None:
        return np.zeros(rows * (cols - 1) + (rows - 1) * cols, np.uint8)
    shapes = (rows, cols - 1), (rows - 1, cols)
    if not isinstance(start, tuple) or len(start) != 2:
        raise ValueError(
            f"the state must be Walls(right, down) of 0 unknown, 1 open, 2 a wall, not {type(start).__name__}"
        )
    parts = []
    for name, part, shape in zip(Walls._fields, start, shapes, strict=True):
        part = np.asarray(part)
        if part.size == 0 and 0 in shape:
            part = np.zeros(shape, np.uint8)
        if part.shape != shape:
            raise ValueError(f"walls {name}: shape {part.shape}, but a {rows} x {cols} board needs {shape}")
        wrong = ~np.isin(part, (UNKNOWN, OPEN, WALL))
        if wrong.any():
            r, c = np.argwhere(wrong)[0]
            raise ValueError(f"walls {name}: {part[r, c]} at row {r}, column {c}; 0 is unknown, 1 open, 2 a wall")
        parts.append(part.astype(np.uint8).ravel())
    return np.concatenate(parts)


def explain(board, top="probe", start=None):
    """The deductions on a board in order.

    Parameters
    ----------
    board : Board
    top : str          the highest rung to use, one of RUNGS
    start : Walls      where the solver stands: UNKNOWN, OPEN, WALL; None is a blank board

    Returns
    -------
    explanation.Explanation        from a blank board it ends as climb(board, top) does, its state as Walls

    Raises
    ------
    ValueError         an unknown rung, a state of another size or with other values

    Cost: 30 ms on a 6 x 6 board, 0.4 s at 8 x 8, seconds at 10 x 10: nearly all for dropping premises.

    >>> from puzzlekit.nawabari.rules import Board
    >>> for step in explain(Board([[4, 3, NO_CLUE]])):
    ...     for part in step.sentence.split("; "):
    ...         print(part)
    The 4 at (0, 0) has no wall to spare
    so there is a wall right of (0, 0).
    The 3 at (0, 1) has all its walls, given that there is a wall right of (0, 0)
    so there is no wall right of (0, 1).
    """
    rungs_to(top)
    return explanation.explained(Position(board, _started(board, start)), top)


def difficulty(board):
    """How hard a board is for whoever climbs the ladder: explanation.Difficulty, with a grade of GRADES.

    Cost: less than that of `explain`, since nothing has to be put into words.
    """
    return explanation.difficulty(lambda: Position(board, _started(board, None)), GRADES)


def hint(board, partial):
    """The next step from where a solver stands, or which of their sides is wrong.

    Parameters
    ----------
    board : Board
    partial : Walls                  UNKNOWN, OPEN, WALL

    Returns
    -------
    explanation.Hint                 a mistake is a side that differs from the answer, or from the one that comes
                                     nearest

    Raises
    ------
    ValueError                       a state of another size or with other values
    """
    state = _started(board, partial)
    answers = solve(board, explanation.MOST_ANSWERS).answers
    walls = [np.concatenate([part.ravel() for part in as_walls(board, answer)]) for answer in answers]
    states = np.where(np.array(walls, bool).reshape(len(walls), state.size), WALL, OPEN)
    position = Position(board, state)
    return explanation.hinted(position, position.atlas.key, state, states)
