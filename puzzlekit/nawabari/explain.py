"""Nawabari explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

What is settled are sides of cells, named (r, c, "right") or (r, c, "down"). The rungs are those of ladder.py, one
finding at a time (looks.py). Rectangles that a rung rules out are not settled sides, so nobody sees them: only what
follows from them is a step. Premises are dropped while the rest still forces the conclusion (follows.py).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from ..machinery import explanation, grid, learning
from ..machinery.explanation import Difficulty, Explanation, Hint, Premises, Step, listed
from ..machinery.position import Position as Settled
from ..machinery.position import Settles, targets
from ..marks import Places
from . import clauses, follows
from .ladder import RUNGS, rungs_to
from .layout import geometry
from .looks import Looks
from .rules import CLAUSES, NO_CLUE, OPEN, UNKNOWN, WALL, Board, Walls, as_walls
from .solver import solve

RECTANGLE, WITHOUT, SEVERAL, COUNT, DEAD_END = CLAUSES
ROOMS = RECTANGLE, SEVERAL, DEAD_END  # the rules by which a clue has rectangles
GUESSES = 8  # assumptions that a probe inside a probe compares
GRADES = {"count": "trivial", "vertex": "easy", "room": "medium", "probe": "expert"}


class Atlas:
    """What never changes while a board is explained, and the search that is asked what follows."""

    def __init__(self, board: Board) -> None:
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
    def search(self) -> learning.Trail:
        return learning.knowing(self.first_clue + len(self.plan.clued), *clauses.clauses(self.board, self.plan))

    def known(self, premises: Premises, state: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
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

    def __init__(
        self, board: Board, state: npt.NDArray[np.uint8], only: Premises | None = None, atlas: Atlas | None = None
    ) -> None:
        super().__init__(board, atlas or Atlas(board), state, only)
        clued = self.atlas.plan.clued.tolist()
        self.stated = clued if only is None else [cell for cell in clued if self.knows(cell)]
        self.living: npt.NDArray[np.bool_] | None = None  # rectangles that are possible
        self.left: npt.NDArray[np.bool_] | None = None  # without those that probe rules out

    def like(self, state: npt.NDArray[np.uint8], only: Premises | None) -> Self:
        trial = type(self)(self.board, state, only, self.atlas)
        if only is self.only:
            trial.looks = self.looks
        return trial

    @cached_property
    def looks(self) -> Looks:
        known = np.full(self.board.clues.size, NO_CLUE, np.int32)
        known[self.stated] = self.atlas.clues[self.stated]
        known, clued = known.reshape(self.board.clues.shape), self.board.clues != NO_CLUE
        return Looks(known, clued, COUNT in self.clauses, WITHOUT in self.clauses)

    def view(self) -> Walls:
        right = self.board.rows * (self.board.cols - 1)
        state = self.state[:-1].copy()
        state.setflags(write=False)
        return Walls(state[:right].reshape(self.board.rows, -1), state[right:].reshape(-1, self.board.cols))

    def copy(self) -> Self:
        trial = super().copy()
        trial.living, trial.left = (part if part is None else part.copy() for part in (self.living, self.left))
        return trial

    def number(self, cell: int) -> str:
        value = self.atlas.clues[cell]
        return f"the {value if value >= 0 else '?'} at {grid.cell_name(*divmod(cell, self.board.cols))}"

    def were(self, side: int, value: int) -> str:
        return f"there were {'a' if value == WALL else 'no'} wall {self._where([side])}"

    def are(self, sides: Sequence[int], value: int) -> str:
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

    def finders(self) -> tuple[Callable[[str, bool], Step | None], ...]:
        return self._count, self._vertex, self._room

    def _count(self, rung, words):
        found = self.looks.count(self.state)
        if found is None:
            return None
        cell, settles = found
        premises = Premises((cell,), self._known(self.atlas.sides[cell]), (), (COUNT,))
        return self.step(rung, settles, premises, words, _counted, shrink=_counted)

    def _vertex(self, rung, words):
        found = self.looks.vertex(self.state) if {RECTANGLE, DEAD_END} <= self.clauses else None
        if found is None:
            return None
        point, settles = found
        premises = Premises((), self._known(self.atlas.meeting[point]), (), (RECTANGLE, DEAD_END))
        return self.step(rung, settles, premises, words, _met, shrink=_met)

    def _room(self, rung, words):
        if not self.clauses.issuperset(ROOMS):
            return self._shapeless(rung, words)
        if self.living is None:
            self.living = np.ones(len(self.looks.boxes), bool)
        found = self.looks.room(self.state, self.living)
        if found is None:
            return None
        place, settles = found
        premises, sentence = self._everything(), _agreed(place)
        if words and settles and WITHOUT in self.clauses:
            others = premises._replace(clauses=tuple(rule for rule in premises.clauses if rule != WITHOUT))
            if self._held(others, settles).all():
                premises = others
            else:  # one at a time, where it rests on so much
                premises = self.shrunk(premises, settles[:1])
                held = self._held(premises, settles)
                settles = [one for one, too in zip(settles, held, strict=True) if too or one == settles[0]]
                return self.step(rung, settles, premises, words, sentence)
        return self.step(rung, settles, premises, words, sentence, shrink=sentence)

    def _shapeless(self, rung, words):
        """What follows where rooms may have any shape; only where nobody says that they are rectangles."""
        if not self.clauses & {*ROOMS, WITHOUT}:
            return None
        premises, search = self._everything(), self.atlas.search
        step = self._hopeless(rung, words)
        if step is not None:
            return step
        walls = search.state.copy()  # that fit
        for side in np.flatnonzero(self.state == UNKNOWN).tolist():
            settles = [(side, int(walls[side]))]
            if walls[side] != UNKNOWN and self._held(premises, settles).all():
                return self.step(rung, settles, premises, words, _shapeless, shrink=_shapeless)
            walls[search.state != walls] = UNKNOWN  # others fit as well
        return None

    def _hopeless(self, rung, words=True):
        """That no walls fit, where they do not."""
        premises = self._everything()
        if not self._held(premises, []).all():
            return None
        return self.step(rung, [], premises, words, _shapeless, shrink=_shapeless)

    # probe: rectangles

    def probed(self) -> Step | None:
        if self.only is not None:
            return (explanation.probed(self) if self.depth == 1 else None) or self._hopeless("room")
        if self.left is None:
            self.left = self.living.copy()  # type: ignore[union-attr]  # the room rung was here before
        place = 0
        while (found := self.looks.room(self.state, self.left)) is None:
            place = self.looks.rule_out(self.state, self.left, place)
            if place < 0:
                return None
        side, value = found[1][0] if found[1] else (self.buffer.index(UNKNOWN), WALL)
        return self.refuted_step((side, OPEN + WALL - value), self._everything())

    def guesses(self) -> Iterable[tuple[int, int]]:
        return self.looks.refutable(self.state, self.living)[:GUESSES] if self.living is not None else ()

    # premises

    def _known(self, sides):
        return tuple(side for side in sides.tolist() if side < len(self.atlas.key) and self.buffer[side] != UNKNOWN)

    def _everything(self):
        known = tuple(np.flatnonzero(self.state[:-1]).tolist())
        return Premises(tuple(self.stated), known, (), tuple(rule for rule in CLAUSES if rule in self.clauses))

    def _held(self, premises, settles):
        """Which of these the premises force."""
        known = self.atlas.known(premises, self.state)
        return follows.held(self.atlas.plan, self.atlas.search, known, *targets(settles))

    def shrunk(self, premises: Premises, settles: Settles) -> Premises:
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


def _agreed(place):
    """The sentence of the room rung about the clue in a cell, or about -1 - a cell out of reach."""

    def sentence(told):
        own = f"{told.number(place)} " if place in told.clues else ""
        others = listed(told.number(other) for other in told.clues if other != place)
        but = f" beside {others}" if own and others else f" by {others}" if others else ""
        if not told.settles:
            room = own.strip() or (told.at([-1 - place]) if place < 0 else "a cell")
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


def explain(board: Board, top: str = "probe", start: Places | None = None) -> Explanation:
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

    Cost: 15 ms on a 6 x 6 board, 60 ms at 10 x 10, 0.2 s at 14 x 14, half of it for dropping premises.

    >>> from puzzlekit.nawabari.rules import Board
    >>> for step in explain(Board([[4, 3, NO_CLUE]])):
    ...     for part in step.sentence.split("; "):
    ...         print(part)
    The 4 at R1C1 has no wall to spare
    so there is a wall right of R1C1.
    The 3 at R1C2 has all its walls, given that there is a wall right of R1C1
    so there is no wall right of R1C2.
    """
    rungs_to(top)
    return explanation.explained(Position(board, _started(board, start)), top)


def difficulty(board: Board) -> Difficulty:
    """How hard a board is for whoever climbs the ladder: explanation.Difficulty, with a grade of GRADES.

    Cost: less than that of `explain`, since nothing has to be put into words.
    """
    return explanation.difficulty(
        lambda: Position(board, _started(board, None)),
        GRADES,
        lambda: len(solve(board, budget=explanation.GUESSES).answers) > 1,
    )


def hint(board: Board, partial: Places) -> Hint:
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
