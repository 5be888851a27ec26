"""A solver's position on a board, moved one explained step at a time: what genres share.

Here are the state, steps and premises, assumptions that fail, and for boards of shaded cells the cuts of the unshaded
region. Not here: clues. A genre derives from Position or Shading and brings its rungs.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Self

import numpy as np

from . import connectivity, explanation
from .explanation import Hint, Premises, Step, capital, listed, places
from .grid import SHADED, UNKNOWN, UNSHADED, region_name

Settles = Sequence[tuple[int, int]]  # what a step settles: cell numbers and states
Sentence = Callable[["Telling"], str]

OTHER = SHADED + UNSHADED
CONNECTED = "white-split"
NONE = np.empty(0, np.int32), np.empty(0, np.uint8)  # no targets: a contradiction
FEW = 6  # cells that are named rather than counted, where all of a kind are meant
DEEPEST = 2  # probes inside probes, at most
WORDS = {UNSHADED: "unshaded", SHADED: "shaded"}


class Position:
    """A state, and the next step from it; see explanation.explained for what that has to offer.

    What is settled, cells or sides, are numbers inside and the keys of atlas.key in steps; clues are numbers of cells,
    and (r, c) of atlas.cell in steps. A settled state is 1 or 2, UNKNOWN is 0.

    A genre gives
    RUNGS, CLAUSES     its rungs and the codes of its rules, in order
    LAST               the state of what comes after the last key, the edge of the grid
    finders()          a method for each rung below probe, called with its name and with words or without: Step or None
    view()             the state as climb gives it
    shrunk()           premises without what a conclusion does not need
    number()           a clue in words
    are(), were()      what is settled, or assumed, in words
    """

    finders: Callable[[], Iterable[Callable[[str, bool], Step | None]]]
    view: Callable[[], Any]
    shrunk: Callable[[Premises, Settles], Premises]
    number: Callable[[int], str]
    are: Callable[[Sequence[int], int], str]
    were: Callable[[int, int], str]
    RUNGS: tuple[str, ...] = ()
    CLAUSES: tuple[str, ...] = ()
    LAST = UNSHADED
    depth = 0  # how many assumptions this one is inside of
    words = True  # probe steps are put into words, from no more premises than needed

    def __init__(self, board: Any, atlas: Any, state: np.ndarray, only: Premises | None = None) -> None:
        """only : Premises     all that is known of the board, clues as a set of (r, c); None is everything"""
        self.board, self.atlas, self.only = board, atlas, only
        n = len(atlas.key)
        self.buffer = bytearray(n + 1)
        self.buffer[:n] = np.asarray(state, np.uint8).tobytes()
        self.buffer[n] = self.LAST
        self.state = np.frombuffer(
            self.buffer, np.uint8
        )  # the same bytes; the one is quick from Python, the other for kernels
        self.clauses = set(self.CLAUSES if only is None else only.clauses)
        self.unproved: set[Premises] = set()  # Premises that may be more than are needed

    @property
    def complete(self) -> bool:
        return UNKNOWN not in self.buffer

    def like(self, state: Any, only: Premises | None) -> Self:
        """A position on the same board, with another state, where so much is known."""
        return type(self)(self.board, state, only)  # type: ignore[arg-type]  # a genre's own takes no atlas

    def copy(self) -> Self:
        trial = self.like(self.state[:-1], self.only)
        trial.depth = self.depth
        return trial

    def take(self, step: Step) -> None:
        for key, value in step.settles:
            self.settle(self.atlas.place[key], value)

    def settle(self, cell: int, value: int) -> None:
        self.buffer[cell] = value

    def guesses(self) -> Iterable[tuple[int, int]]:
        for i, value in enumerate(self.buffer):
            if value == UNKNOWN:
                yield i, 2
                yield i, 1

    def probed(self) -> Step | None:
        """The probe step with a short way to its contradiction, or None."""
        return explanation.probed(self)

    def fails(self, guess: tuple[int, int], most: int | None) -> bool:
        """Whether the rungs below probe bring a guess to a contradiction within `most` looks; None is no limit."""
        return explanation.refutation(self.assume(guess), most, words=False) is not None

    def rest(self) -> None:
        """No rung below probe has anything to say here; whoever remembers what to look at again may forget it."""

    def assume(self, guess: tuple[int, int]) -> Self:
        """A new position with one more cell settled, from one at rest."""
        trial = self.copy()
        trial.rest()
        trial.settle(*guess)
        return trial

    def knows(self, cell: int) -> bool:
        """Whether the value of a clue is known."""
        return self.only is None or self.atlas.cell[cell] in self.only.clues

    def next_step(self, top: str, words: bool = True) -> Step | None:
        """The next step of the lowest rung that has one, up to `top`, but no probe; None at the end."""
        top = "probe" if self.complete else top  # a full board is judged by all rules
        for rung, find in zip(self.RUNGS[: self.RUNGS.index(top) + 1], self.finders(), strict=False):
            step = find(rung, words)
            if step is not None:
                return step
        return None

    # steps

    def step(
        self,
        rung: str,
        settles: Settles,
        premises: Premises,
        words: bool,
        sentence: Sentence | None,
        *,
        shrink: Sentence | None = None,
        inside: tuple[Step, ...] = (),
    ) -> Step:
        """A Step from cell numbers.

        sentence : callable     of a Telling; not called without words
        shrink : callable       premises have to be shrunk; where that drops clues or cells, the rung has not gone the
                                shortest way, and this sentence is told instead
        """
        if words and shrink is not None:
            given, premises = premises, self.shrunk(premises, settles)
            if len(premises.clues) < len(set(given.clues)) or len(premises.cells) < len(set(given.cells)):
                sentence = shrink
        cell, key = self.atlas.cell, self.atlas.key
        named = Premises(
            tuple(cell[i] for i in sorted(set(premises.clues))),
            tuple(key[i] for i in sorted(set(premises.cells))),
            tuple(sorted(premises.regions)),
            tuple(clause for clause in self.CLAUSES if clause in premises.clauses),
        )
        # whoever asks for words has a sentence
        told = capital(sentence(Telling(self, settles, premises, inside))) if words else ""  # type: ignore[misc]
        proven = premises not in self.unproved
        if words and not proven:
            told += explanation.UNPROVED
        before = self.view() if words else None
        return Step(rung, tuple((key[i], value) for i, value in settles), named, told, inside, before, proven)

    def probe_step(self, guess: tuple[int, int], inside: tuple[Step, ...]) -> Step:
        """The Step that a refuted guess makes."""
        here, _ = guess
        named = explanation.together(inside, [self.atlas.key[here]])
        at, cols = self.atlas.place, self.board.cols
        premises = named._replace(
            clues=tuple(r * cols + c for r, c in named.clues), cells=tuple(at[key] for key in named.cells)
        )
        return self.refuted_step(guess, premises, inside)

    def refuted_step(self, guess: tuple[int, int], premises: Premises, inside: tuple[Step, ...] | None = None) -> Step:
        """The Step that a refuted guess makes, from premises that are enough, if not exact, and a way to tell it from
        them.
        """
        here, value = guess
        settles = [(here, OTHER - value)]
        if not self.words:
            return self.step("probe", settles, premises, False, _refuted)
        fewer = shrunk = self.shrunk(premises, settles)
        if fewer != premises or inside is None:  # the contradiction has to be told from these alone
            deep = self.depth < DEEPEST
            again = self._refuted(guess, fewer) or (deep and self._refuted(guess, fewer, deep=True))
            if not again:  # it cannot be, without a rule that cleverer solvers do without
                fewer = fewer._replace(clauses=premises.clauses)
                fewer = explanation.minimal(fewer, lambda less: self.tellable(guess, less, deep))
                again = self._refuted(guess, fewer, deep)
                self.unproved.add(fewer)
            if again:
                premises, inside = fewer, again
            elif inside is None:  # it follows, and no rung shows it
                premises, inside = shrunk, ()
        return self.step("probe", settles, premises, True, _refuted, inside=inside)

    def tellable(self, guess: tuple[int, int], premises: Premises, deep: bool) -> bool:
        """Whether `_refuted` has something to tell."""
        return self._refuted(guess, premises, deep) is not None

    def knowing(self, guess: tuple[int, int], premises: Premises) -> Self:
        """A position in which the premises are all that is known, and a guess."""
        state = np.full(len(self.atlas.key), UNKNOWN, np.uint8)
        for i in premises.cells:
            state[i] = self.buffer[i]
        clues = {self.atlas.cell[i] for i in premises.clues}
        trial = self.like(state, premises._replace(clues=clues))  # type: ignore[arg-type]  # a set, as in __init__
        trial.settle(*guess)
        trial.depth = self.depth + 1
        return trial

    def _refuted(self, guess, premises, deep=False):
        """Steps from a guess to a contradiction from the premises alone, or None. `deep`: with probes inside."""
        return explanation.refutation(self.knowing(guess, premises), deep=deep)


class Shading(Position):
    """A position on a board of shaded and unshaded cells: keys are cells; atlas.near, int32 (n, 4) padded with n, has
    their neighbours.
    """

    def view(self) -> np.ndarray:
        """The state as an array, read-only."""
        state = self.state[:-1].reshape(self.board.clues.shape).copy()
        state.setflags(write=False)
        return state

    def hint(self, answers: np.ndarray) -> Hint:
        """The Hint from here, which is where a solver stands; answers : uint8 (k, rows, cols), at most MOST_ANSWERS of
        the board.
        """
        partial = self.state[:-1].copy()
        states = np.where(answers, SHADED, UNSHADED).reshape(len(answers), partial.size)
        return explanation.hinted(self, self.atlas.cell, partial, states)

    def were(self, cell: int, value: int) -> str:
        return f"{places([self.atlas.cell[cell]])} were {WORDS[value]}"

    def are(self, cells: Sequence[int], value: int) -> str:
        return f"{places(self.atlas.cell[cell] for cell in cells)} {'is' if len(cells) == 1 else 'are'} {WORDS[value]}"

    def cut_step(self, rung: str, words: bool) -> Step | None:
        """The shortest cut: a cell that would make it, cells beyond it, or a contradiction."""
        if CONNECTED not in self.clauses:
            return None
        cut = connectivity.narrowest(self.atlas.near, self.state)
        return None if cut[0] == connectivity.NOTHING else self.cut_told(rung, words, *cut)

    def cut_told(
        self, rung: str, words: bool, kind: int, cell: int, inside: int, outside: int, wall: np.ndarray
    ) -> Step:
        """The Step of what connectivity.narrowest has found."""
        ends = (inside, outside) if kind != connectivity.POCKET else (outside,)
        premises = Premises(cells=(*wall.tolist(), *ends), clauses=(CONNECTED,))
        if kind == connectivity.PARTED:
            return self.step(rung, [], premises, words, _parted)
        if kind == connectivity.CUT:
            return self.step(rung, [(cell, UNSHADED)], premises, words, _cut)
        pocket = [inside]
        for here in pocket:
            near = self.atlas.near[here].tolist()
            pocket += [there for there in near if self.buffer[there] == UNKNOWN and there not in pocket]
        return self.step(rung, [(cell, SHADED) for cell in sorted(pocket)], premises, words, _pocket)


def targets(settles: Settles) -> tuple[np.ndarray, np.ndarray]:
    """What a step settles as arrays for a kernel: int32 (t,) and uint8 (t,)."""
    if not settles:
        return NONE
    places, values = zip(*settles, strict=True)
    return np.array(places, np.int32), np.array(values, np.uint8)


class Telling:
    """What a sentence can say about a step, in cell numbers."""

    def __init__(self, position: Position, settles: Settles, premises: Premises, inside: tuple[Step, ...]) -> None:
        self.position, self.settles, self.premises, self.inside = position, settles, premises, inside
        self.clues, self.cells, self.clauses = premises.clues, sorted(set(premises.cells)), premises.clauses
        self.region = f"region {region_name(premises.regions[0])}" if premises.regions else ""

    def at(self, cells: Iterable[int]) -> str:
        return places(self.position.atlas.cell[cell] for cell in cells)

    def number(self, cell: int) -> str:
        return self.position.number(cell)

    @property
    def numbers(self) -> str:
        return listed(map(self.number, self.clues))

    def known(self, cells: Iterable[int]) -> list[int]:
        """Cells that are among the premises."""
        return [cell for cell in cells if cell in self.cells]

    def is_in(self, state: int) -> list[int]:
        """The settled cells among the premises in a state."""
        return [cell for cell in self.cells if self.position.buffer[cell] == state]

    def given(self, cells: Collection[int] | None = None) -> str:
        """What is settled among the premises, by state, 2 first; or some of it."""
        chosen = self.cells if cells is None else cells
        return self._are((state, [i for i in self.is_in(state) if i in chosen]) for state in (2, 1))

    @property
    def so(self) -> str:
        return self._are((state, [i for i, value in self.settles if value == state]) for state in (2, 1))

    def _are(self, groups):
        return listed(self.position.are(group, state) for state, group in groups if group)


def clued(told: Telling) -> str:
    """Cells with a clue are unshaded."""
    cells = told.clues
    if not told.settles:
        return f"{told.at(cells)} has a clue, and yet it is shaded."
    if len(cells) > FEW:
        return f"the {len(cells)} cells with a clue are unshaded."
    return f"{told.at(cells)} {'has a clue, so it is' if len(cells) == 1 else 'have clues, so they are'} unshaded."


def _wall(told, but):
    wall = told.is_in(SHADED)
    return f" {but} the shaded {told.at(wall)}" if wall else ""


def _parted(told):
    one, other = told.is_in(UNSHADED)
    return f"the unshaded {told.at([one])} and {told.at([other])} are parted{_wall(told, 'by')}."


def _cut(told):
    one, other = told.is_in(UNSHADED)
    ((cell, _),) = told.settles
    cut = f"shading {told.at([cell])} would cut {told.at([one])} off from {told.at([other])}"
    return f"{cut}{_wall(told, 'together with')}; it is unshaded."


def _pocket(told):
    cells = told.at(cell for cell, _ in told.settles)
    return f"{cells} cannot reach the unshaded {told.at(told.is_in(UNSHADED))}{_wall(told, 'past')}, so {told.so}."


def _refuted(told):
    ((i, value),) = told.settles
    given = f", given that {told.given()}" if told.cells else ""
    steps = f" in {len(told.inside)} step{'s'[: len(told.inside) - 1]}" if told.inside else ""
    leads = f"{told.numbers or 'the rules'} would lead to a contradiction{steps}"
    return f"if {told.position.were(i, OTHER - value)}, {leads}{given}; so {told.so}."
