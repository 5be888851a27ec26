"""Nawabari explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

What is settled are sides of cells, named (r, c, "right") or (r, c, "down"). The rungs are those of ladder.py, and so is
where they end; here they are slower and say why. Rectangles that a rung rules out are not settled sides, so nobody sees
them: only what follows from them is a step. Premises are dropped while the rest still forces the conclusion
(follows.py).
"""

from functools import lru_cache
from itertools import product

import numpy as np

from ..machinery import explanation
from ..machinery.explanation import Premises, bits, listed
from ..machinery.position import NONE, targets
from ..machinery.position import Position as Settled
from . import follows
from .ladder import RUNGS, rungs_to
from .layout import geometry
from .rules import CLAUSES, NO_CLUE, OPEN, UNKNOWN, WALL, Walls, as_walls
from .solver import solve

RECTANGLE, WITHOUT, SEVERAL, COUNT, DEAD_END = CLAUSES
ROOMS = RECTANGLE, SEVERAL, DEAD_END  # the rules by which a clue has rectangles
GRADES = {"count": "trivial", "vertex": "easy", "room": "medium", "probe": "expert"}


class Rectangle:
    """A rectangle of cells; cells and sides as bits of whole numbers."""

    def __init__(self, cols, sides, frame, top, left, bottom, right):
        self.top, self.left, self.bottom, self.right = top, left, bottom, right
        self.area = self.inside = self.border = 0
        for r, c in product(range(top, bottom + 1), range(left, right + 1)):
            self.area |= 1 << (r * cols + c)
            walls = r == top, c == left, c == right, r == bottom
            for side, wall in zip(sides[r * cols + c], walls, strict=True):
                if side < frame:
                    if wall:
                        self.border |= 1 << side
                    else:
                        self.inside |= 1 << side

    def walls(self, r, c):
        """Walls around one of its cells."""
        return (r == self.top) + (r == self.bottom) + (c == self.left) + (c == self.right)


@lru_cache(maxsize=32)
def _rectangles(rows, cols):
    """All rectangles of a grid, small ones first; their boxes, int32 (m, 4)."""
    sides, cells, _, _ = geometry(rows, cols)
    found = [
        Rectangle(cols, sides.tolist(), len(cells), top, left, bottom, right)
        for top in range(rows)
        for left in range(cols)
        for bottom in range(top, rows)
        for right in range(left, cols)
    ]
    found.sort(key=lambda one: one.area.bit_count())
    return found, np.array([[one.top, one.left, one.bottom, one.right] for one in found], np.int32)


class Atlas:
    """What never changes on a board, for reading from Python."""

    def __init__(self, board):
        rows, cols = board.rows, board.cols
        sides, cells, _, meeting = geometry(rows, cols)
        self.sides, self.meeting = sides.tolist(), meeting.tolist()
        self.cell = [divmod(i, cols) for i in range(rows * cols)]
        self.key = [(r, c, "right") for r in range(rows) for c in range(cols - 1)]
        self.key += [(r, c, "down") for r in range(rows - 1) for c in range(cols)]
        self.place = {key: i for i, key in enumerate(self.key)}
        clues = board.clues.ravel()
        self.clues = clues.tolist()
        self.clued = np.flatnonzero(clues != NO_CLUE).tolist()
        self.bits = sum(1 << cell for cell in self.clued)
        self.rectangles, boxes = _rectangles(rows, cols)
        value = np.where(clues >= 0, clues, -1).astype(np.int32)
        self.plan = follows.Plan(cols, sides, cells, (clues != NO_CLUE).astype(np.uint8), value, boxes)


@lru_cache(maxsize=256)
def _atlas(board):
    return Atlas(board)


@lru_cache(maxsize=1 << 12)
def _pattern(states):
    """What the four sides at a point can only be: for each its state or UNKNOWN; None when no pattern fits."""
    may = [set(), set(), set(), set()]
    for up, left, right, down in product((OPEN, WALL), repeat=4):
        stub = (up != down and not left == right == WALL) or (left != right and not up == down == WALL)
        pattern = up, left, right, down
        if not stub and all(state in (UNKNOWN, side) for state, side in zip(states, pattern, strict=True)):
            for side, seen in zip(pattern, may, strict=True):
                seen.add(side)
    return tuple(min(seen) if len(seen) == 1 else UNKNOWN for seen in may) if may[0] else None


class Position(Settled):
    """A solver's walls, the rectangles that are still possible, and the next step from them."""

    RUNGS, CLAUSES, LAST = RUNGS, tuple(CLAUSES), WALL

    def __init__(self, board, state, only=None):
        super().__init__(board, _atlas(board), state, only)
        self.masks = [0, 0, 0]  # sides by state
        for side, value in enumerate(self.buffer[:-1]):
            self.masks[value] |= 1 << side
        self.probing = False  # whether rectangles that probe rules out are gone
        self.living = self.wild = self.left = None

    def view(self):
        right = self.board.rows * (self.board.cols - 1)
        state = self.state[:-1].copy()
        state.setflags(write=False)
        return Walls(state[:right].reshape(self.board.rows, -1), state[right:].reshape(-1, self.board.cols))

    def settle(self, side, value):
        self.buffer[side] = value
        self.masks[UNKNOWN] &= ~(1 << side)
        self.masks[value] |= 1 << side

    def copy(self):
        trial = super().copy()
        for name in ("living", "left"):
            held = getattr(self, name)
            setattr(trial, name, held and {clue: list(rectangles) for clue, rectangles in held.items()})
        trial.wild = self.wild
        return trial

    def finders(self):
        return self._count, self._vertex, self._room

    @property
    def stated(self):
        return [clue for clue in self.atlas.clued if self.knows(clue)]

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

    # one rung each

    def _count(self, rung, words):
        for cell in self.stated if COUNT in self.clauses else ():
            value, sides = self.atlas.clues[cell], self.atlas.sides[cell]
            states = [self.buffer[side] for side in sides]
            walls, unknown = states.count(WALL), states.count(UNKNOWN)
            if value < 0 or (unknown == 0 and walls == value):
                continue
            inner = [side for side in sides if side < len(self.atlas.key)]
            settles, because = [], None
            if walls >= value:
                because = [side for side in inner if self.buffer[side] == WALL][
                    : max(0, value + (walls > value) - 4 + len(inner))
                ]
                if walls == value:
                    settles = [(side, OPEN) for side in inner if self.buffer[side] == UNKNOWN]
            elif walls + unknown <= value:
                because = [side for side in inner if self.buffer[side] == OPEN][
                    : max(0, 4 - value + (walls + unknown < value))
                ]
                if walls + unknown == value:
                    settles = [(side, WALL) for side in inner if self.buffer[side] == UNKNOWN]
            if because is not None:
                return self.step(rung, settles, Premises((cell,), tuple(because), (), (COUNT,)), words, _counted)
        return None

    def _vertex(self, rung, words):
        if RECTANGLE not in self.clauses or DEAD_END not in self.clauses:
            return None
        for meeting in self.atlas.meeting:
            states = tuple(self.buffer[side] for side in meeting)
            found = _pattern(states)
            if found != states and (found is None or any(a != b and b for a, b in zip(states, found, strict=True))):
                settles = [
                    (side, to) for side, to, was in zip(meeting, found or (), states, strict=False) if to and not was
                ]
                known = tuple(side for side, state in zip(meeting, states, strict=True) if state)
                premises = Premises((), known, (), (RECTANGLE, DEAD_END))
                return self.step(rung, settles, premises, words, _met, shrink=_met)
        return None

    def _room(self, rung, words):
        if not all(rule in self.clauses for rule in ROOMS):
            return self._shapeless(rung, words)
        if self.living is None:
            self._candidates()
        found = self._found(self.living)
        if found is None:
            return None
        clue, cell, settles = found
        sentence = _agreed(clue, cell)
        if (
            words and settles and len(self._near(clue).clues) == len(self.stated)
        ):  # one at a time, where it rests on so much
            premises = self.shrunk(self._everything(), settles[:1])
            known = self._known(premises)
            settles = [
                one for one in settles if one == settles[0] or follows.forced(self.atlas.plan, known, *targets([one]))
            ]
            return self.step(rung, settles, premises, words, sentence)
        return self.step(
            rung, settles, self._near(clue) if words else self._everything(), words, sentence, shrink=sentence
        )

    def _candidates(self):
        """The rectangles of every clue that is known, and those that hold cells only which may have a clue."""
        stated = sum(1 << clue for clue in self.stated)
        self.living, self.wild = {clue: [] for clue in self.stated}, []
        for rectangle in self.atlas.rectangles:
            held = rectangle.area & stated
            if held and not held & (held - 1):
                clue = held.bit_length() - 1
                value = self.atlas.clues[clue]
                if value < 0 or COUNT not in self.clauses or rectangle.walls(*self.atlas.cell[clue]) == value:
                    self.living[clue].append(rectangle)
            elif not held and rectangle.area & self.atlas.bits:
                self.wild.append(rectangle)

    def _fits(self, rectangle):
        return not (rectangle.inside & self.masks[WALL] or rectangle.border & self.masks[OPEN])

    def _found(self, living):
        """(clue or None, cell or None, settles) of the first clue whose rectangles agree on something, or of a
        contradiction: a clue without a rectangle, a cell that no room reaches. Cells that one clue alone reaches are
        its own.
        """
        unknown = self.masks[UNKNOWN]
        everything = (1 << len(self.atlas.cell)) - 1
        while True:
            once = twice = 0
            reach = {}
            for clue, rectangles in living.items():
                rectangles[:] = [rectangle for rectangle in rectangles if self._fits(rectangle)]
                if not rectangles:
                    return clue, None, []
                inside = border = -1
                area = 0
                for rectangle in rectangles:
                    inside &= rectangle.inside
                    border &= rectangle.border
                    area |= rectangle.area
                if (inside | border) & unknown:
                    settles = [(side, OPEN) for side in bits(inside & unknown)] + [
                        (side, WALL) for side in bits(border & unknown)
                    ]
                    return clue, None, sorted(settles)
                reach[clue] = area
                twice |= once & area
                once |= area
            if WITHOUT not in self.clauses:
                return None
            for rectangle in self.wild:
                if rectangle.area & ~twice and self._fits(rectangle):
                    twice |= rectangle.area
            if everything & ~once & ~twice:
                return None, next(bits(everything & ~once & ~twice)), []
            changed = False
            for clue, rectangles in living.items():
                own = reach[clue] & ~twice
                kept = [rectangle for rectangle in rectangles if not own & ~rectangle.area]
                changed |= len(kept) < len(rectangles)
                rectangles[:] = kept
            if not changed:
                return None

    def _shapeless(self, rung, words):
        """What follows where rooms may have any shape; only where nobody says that they are rectangles."""
        if not self.clauses & {*ROOMS, WITHOUT}:
            return None
        premises = self._everything()
        known = self._known(premises)
        if follows.forced(self.atlas.plan, known, *NONE):
            return self.step(rung, [], premises, words, _shapeless, shrink=_shapeless)
        for side in bits(self.masks[UNKNOWN]):
            for value in (OPEN, WALL):
                if follows.forced(self.atlas.plan, known, *targets([(side, value)])):
                    return self.step(rung, [(side, value)], premises, words, _shapeless, shrink=_shapeless)
        return None

    # probe: rectangles

    def probed(self):
        if self.only is not None:
            return explanation.probed(self)
        if self.left is None:
            self._candidates() if self.living is None else None
            self.left = {clue: list(rectangles) for clue, rectangles in self.living.items()}
        while True:
            found = self._found(self.left)
            if found is not None:
                side, value = found[2][0] if found[2] else (next(bits(self.masks[UNKNOWN])), WALL)
                return self.refuted_step((side, OPEN + WALL - value), self._everything())
            if not self._rule_out():
                return None

    def _rule_out(self):
        """Drop the first rectangle that the rungs below refute. False if there is none."""
        for clue, rectangles in self.left.items():
            for rectangle in rectangles if len(rectangles) > 1 else ():
                trial = self.copy()
                trial.living = {other: list(kept) for other, kept in self.left.items()}
                trial.living[clue] = [rectangle]
                for mask, value in ((rectangle.inside, OPEN), (rectangle.border, WALL)):
                    for side in bits(mask & self.masks[UNKNOWN]):
                        trial.settle(side, value)
                while (step := trial.next_step("room", words=False)) is not None and step.settles:
                    trial.take(step)
                if step is not None:
                    rectangles.remove(rectangle)
                    return True
        return False

    # premises

    def _everything(self):
        known = tuple(side for side, state in enumerate(self.buffer[:-1]) if state != UNKNOWN)
        return Premises(tuple(self.stated), known, (), tuple(self.clauses))

    def _near(self, clue):
        """Premises of what the room rung has found: enough, and few where no cell belongs to a clue for being out of
        reach of others.
        """
        if clue is None:
            return self._everything()
        stated = sum(1 << other for other in self.stated)
        value, masks, living = self.atlas.clues[clue], [], set(self.living[clue])
        shift = len(self.atlas.key)
        for rectangle in self.atlas.rectangles:
            if not rectangle.area >> clue & 1 or rectangle in living:
                continue
            if value >= 0 and COUNT in self.clauses and rectangle.walls(*self.atlas.cell[clue]) != value:
                continue
            others = rectangle.area & stated & ~(1 << clue)
            mask = rectangle.inside & self.masks[WALL] | rectangle.border & self.masks[OPEN] | others << shift
            if not mask:
                return self._everything()
            masks.append(mask)
        chosen = explanation.hitting(masks)
        sides, clues = [i for i in chosen if i < shift], [i - shift for i in chosen if i >= shift]
        return Premises(
            (clue, *clues), tuple(sides), (), tuple(rule for rule in (*ROOMS, COUNT) if rule in self.clauses)
        )

    def _known(self, premises):
        """Premises as arrays, with the states of this position."""
        state = np.zeros_like(self.state)
        state[-1] = WALL
        for side in premises.cells:
            state[side] = self.buffer[side]
        stated = np.zeros(len(self.atlas.cell), np.uint8)
        stated[list(premises.clues)] = 1
        return follows.Known(state, stated, np.array([rule in premises.clauses for rule in CLAUSES], np.uint8))

    def shrunk(self, premises, settles):
        """What is left of premises when everything is dropped that the conclusion can do without."""
        known = self._known(premises)
        follows.shrink(self.atlas.plan, known, *targets(settles))
        return Premises(
            tuple(clue for clue in premises.clues if known.stated[clue]),
            tuple(side for side in premises.cells if known.state[side]),
            (),
            tuple(rule for rule, kept in zip(CLAUSES, known.rules, strict=True) if kept),
        )


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
