"""Explanations: what a deduction is, how deductions are put in order, and how hard a board is.

Not here: any deduction. A genre hands in a position (see `explained`) that knows its rungs; what it says about cells,
sides, rows and columns is up to it. Data has cells as (r, c) from 0; sentences and pictures say R1C1 and region A
(`grid.cell_name`, `grid.region_name`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .grid import Cell, Key, cell_name

if TYPE_CHECKING:
    from .position import Position

MOST_ANSWERS = 2000  # that a hint compares with, where a board has several
UNPROVED = " Perhaps not all of this is needed."  # said of a step whose premises nobody has proved to be the fewest
IMPOSSIBLE, AMBIGUOUS, BEYOND = "impossible", "ambiguous", "beyond"  # in place of a grade
GUESSES = 100_000  # to find a second answer of a board that the ladder does not finish
GLANCES = (6, 20, None)  # a probe looks for short contradictions first: most steps it may follow


class Premises(NamedTuple):
    """What a step rests on, and nothing else: without any one of these it would not follow, or Step.proven is False.
    (One exception: where Usowan's connection is used, so is that shaded cells never touch.)

    clues : tuple of (r, c)          clues whose value is used
    cells : tuple of (r, c)          cells that were settled and are used; Nawabari: sides (r, c, "right" or "down")
    regions : tuple of int           printed regions, numbered from 0 in reading order
    clauses : tuple of str           rules, by their codes in the genre's CLAUSES
    """

    clues: tuple = ()
    cells: tuple = ()
    regions: tuple = ()
    clauses: tuple = ()


class Step(NamedTuple):
    """One deduction.

    rung : str                       name in the genre's RUNGS
    settles : tuple of (key, int)    cells (r, c) and their states; Nawabari: sides. Empty: the premises contradict each
                                     other
    premises : Premises
    sentence : str                   the deduction in plain English
    inside : tuple of Step           for a probe: from the assumption, which is the opposite of what is settled, to the
                                     contradiction
    before : array, or Walls         the state it starts from
    proven : bool                    that none of the premises could be spared; False where a search for that was given
                                     up, or a probe's contradiction is told with a premise to spare
    """

    rung: str
    settles: tuple
    premises: Premises
    sentence: str
    inside: tuple = ()
    before: object = None
    proven: bool = True

    def picture(self, board: Any) -> Any:
        """SVG picture: the state with what is settled, premises and conclusion highlighted; or the premises that
        contradict each other.
        """
        therefore = [key for key, _ in self.settles]
        because = [*self.premises.clues, *(key for key in self.premises.cells if key not in self.premises.clues)]
        highlights = {"because": because, "therefore": therefore} if therefore else {"wrong": because}
        return board.picture(state=after(self.before, self.settles), highlights=highlights)


class Explanation(NamedTuple):
    """The deductions on a board in order. Iterating goes through the steps.

    steps : tuple of Step
    state : array, or Walls          where they end, as `climb` gives it
    finished : bool                  everything is settled, and it is an answer
    contradiction : bool             there is no answer; the last step says why
    """

    steps: tuple
    state: object
    finished: bool
    contradiction: bool

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)


class Hint(NamedTuple):
    """What to do next.

    kind : str                       "step", "mistake", "done", "stuck" or "no answer"
    step : Step or None              the deduction, for "step"
    cells : tuple                    what the step settles, or the cells that are wrong
    sentence : str
    """

    kind: str
    step: Step | None
    cells: tuple
    sentence: str


class Difficulty(NamedTuple):
    """How hard a board is for whoever climbs the ladder.

    grade : str                      one word, by the hardest rung; in its place IMPOSSIBLE without an answer, AMBIGUOUS
                                     with several, BEYOND where the ladder does not finish and no second one is found
    hardest : str                    the highest rung that was needed
    counts : dict                    rung -> looks at it, where no lower rung had anything to say; `explain` may tell
                                     one look in several steps, each from premises of its own
    reason : str                     a sentence
    """

    grade: str
    hardest: str
    counts: dict
    reason: str


def after(state: Any, settles: Iterable[tuple[Key, int]]) -> Any:
    """A copy of a state with more settled; keys with a third part name one of the arrays of a tuple of arrays."""
    if isinstance(state, tuple):
        state = type(state)(*(np.array(part) for part in state))
    else:
        state = np.array(state)
    for key, value in settles:
        (getattr(state, key[2]) if len(key) == 3 else state)[key[:2]] = value
    return state


# The order of steps


def explained(position: "Position", top: str, words: bool = True) -> Explanation:
    """Steps from a position until nothing follows any more.

    Parameters
    ----------
    position     the genre's own; it is moved. `next_step(top, words=True)` gives the lowest rung's next Step or None,
                 below probe; without words only what it settles and by what premises, quickly and perhaps with too many
                 premises. `take(step)` makes it so. `view()` is its state, `complete` whether all is settled. For
                 probe: `probed()` the next probe step or None. For `probed` below: `guesses()` what can be assumed,
                 `assume(guess)` a new position, `probe_step(guess, inside)` the Step
    top : str    the highest rung
    words : bool    False goes on from look to look, quickly: nothing is put into words, premises may be too many, and
                    what a look shows is one step, where words may take several

    Returns
    -------
    Explanation
    """
    steps: list[Step] = []
    position.words = words
    while True:
        step = position.next_step(top, words) or (
            position.probed() if top == "probe" and not position.complete else None
        )
        if step is None:
            return Explanation(tuple(steps), position.view(), position.complete, False)
        steps.append(step)
        if not step.settles:
            return Explanation(tuple(steps), position.view(), False, True)
        position.take(step)


def next_step(position: "Position", top: str) -> Step | None:
    """The first of the steps that `explained` finds, or None."""
    return position.next_step(top) or (position.probed() if top == "probe" and not position.complete else None)


def probed(position: "Position") -> Step | None:
    """The probe step with a short way to its contradiction, or None."""
    for most in GLANCES:
        best = None
        for guess in position.guesses():
            if position.fails(guess, most):
                inside = refutation(position.assume(guess))
                if inside is not None and (best is None or len(inside) < len(best[1])):
                    best = guess, inside
                    most = len(inside) - 1
                    if most < 1:
                        break
        if best:
            return position.probe_step(*best)
    return None


def refutation(
    position: "Position", most: int | None = None, words: bool = True, deep: bool = False
) -> tuple[Step, ...] | None:
    """Those steps from a position to a contradiction that it needs, or None if there is no contradiction within `most`
    steps.

    deep : bool     probe again inside, where nothing else helps
    """
    steps: list[Step] = []
    while most is None or len(steps) < most:
        step = position.next_step("probe", words)
        if step is None and deep and not position.complete:
            step = position.probed()
        if step is None:
            return None
        steps.append(step)
        if not step.settles:
            return needed(steps)
        position.take(step)
    return None


def needed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that the last one rests on, in order."""
    wanted, kept = set(steps[-1].premises.cells), [steps[-1]]
    for step in reversed(steps[:-1]):
        if any(key in wanted for key, _ in step.settles):
            kept.append(step)
            wanted.update(step.premises.cells)
    return tuple(reversed(kept))


def together(steps: Sequence[Step], assumed: Iterable[Key] = ()) -> Premises:
    """The premises of a chain of steps from outside it: without what the steps settle, and what was assumed."""
    inside = {key for step in steps for key, _ in step.settles} | set(assumed)
    parts = [
        tuple(sorted(set(chain.from_iterable(part)))) for part in zip(*(step.premises for step in steps), strict=True)
    ]
    premises = Premises(*parts)
    return premises._replace(cells=tuple(key for key in premises.cells if key not in inside))


def minimal(premises: Premises, follows: Callable[[Premises], object]) -> Premises:
    """Premises with everything dropped that `follows` does without, one by one; what is left is needed, every part of
    it.

    follows : callable     whether the conclusion follows from the Premises it is given; with more premises it must not
                           fail
    """
    for field in ("clauses", "regions", "clues", "cells"):
        for part in getattr(premises, field):
            fewer = premises._replace(**{field: tuple(other for other in getattr(premises, field) if other != part)})
            if follows(fewer):
                premises = fewer
    return premises


def bits(mask: int) -> Iterator[int]:
    """The places of the ones in a whole number.

    >>> list(bits(10))
    [1, 3]
    """
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


# What a solver asks


def hinted(position: "Position", keys: Sequence[Key], partial: np.ndarray, answers: np.ndarray) -> Hint:
    """Hint from a position.

    Parameters
    ----------
    position                        as in `explained`; it is moved
    keys : list                     what is settled, in the order of the arrays
    partial : int (n,)              what the solver has settled, 0 where nothing
    answers : int (k, n)            answers of the board, as states: all of them, or MOST_ANSWERS

    Returns
    -------
    Hint     a mistake is what differs from the answer that comes nearest; where not all are listed and none fits, what
             the ladder proves wrong
    """
    complete = len(answers) < MOST_ANSWERS
    if not len(answers):
        return Hint("no answer", None, (), "This board has no answer.")
    differs = (partial != 0) & (answers != partial)
    nearest = differs[differs.sum(axis=1).argmin()]
    if nearest.any():
        wrong = tuple(key for key, is_wrong in zip(keys, nearest, strict=True) if is_wrong)
        if complete:
            than = "the answer has it" if len(answers) == 1 else "the nearest answer has it"
            return Hint(
                "mistake", None, wrong, f"{capital(sided(wrong))} {'is' if len(wrong) == 1 else 'are'} not as {than}."
            )
        found = explained(position.copy(), "probe")
        if found.contradiction:
            mine = {key for key, value in zip(keys, partial, strict=True) if value}
            wrong = tuple(key for key in together(needed(found.steps)).cells if key in mine)
            return Hint(
                "mistake", None, wrong, f"{capital(sided(wrong))} cannot {'be so' if len(wrong) == 1 else 'all be so'}."
            )
    if position.complete:
        return Hint("done", None, (), "Everything is settled, and it is right.")
    step = next_step(position, "probe")
    if step is None:
        several = "" if complete and len(answers) == 1 else "; the board has several answers"
        return Hint("stuck", None, (), f"No rung of the ladder says more{several}.")
    return Hint("step", step, tuple(key for key, _ in step.settles), step.sentence)


# How hard


def difficulty(start: "Callable[[], Position]", grades: Mapping[str, str], several: Callable[[], bool]) -> Difficulty:
    """Difficulty of a board; one with several answers has none, and is told so.

    start : callable     a new position of the board, nothing settled, as in `explained`
    grades : dict        from the rungs in order to a word
    several : callable   whether two answers are found within GUESSES; asked only where the ladder does not finish
    """
    explanation = explained(start(), "probe", words=False)
    looks = Counter(step.rung for step in explanation.steps)
    counts = {rung: looks[rung] for rung in grades}
    used = [rung for rung in grades if counts[rung]]
    hardest = used[-1] if used else next(iter(grades))
    if explanation.contradiction:
        return Difficulty(
            IMPOSSIBLE, hardest, counts, f"The board has no answer: {explained(start(), 'probe').steps[-1].sentence}"
        )
    times = _times(counts[hardest])
    if not explanation.finished and several():
        reason = "The board has several answers. No deduction can tell them apart, so it has no difficulty."
        return Difficulty(AMBIGUOUS, hardest, counts, reason)
    if not explanation.finished:
        reason = f"The deductions stop before the end, although {hardest} was used {times}."
        return Difficulty(BEYOND, hardest, counts, reason if used else "No deduction applies at all.")
    below = [f"{rung} {_times(counts[rung])}" for rung in used[:-1]]
    rest = f", besides {listed(below)}" if below else " and nothing else"
    return Difficulty(grades[hardest], hardest, counts, f"The hardest rung it needs is {hardest}, {times}{rest}.")


def _times(n):
    return "once" if n == 1 else f"{n} times"


# Words


def listed(words: Iterable[str]) -> str:
    """Words with commas and an "and".

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    words = list(words)
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def places(cells: Iterable[Cell]) -> str:
    """Cells in words.

    >>> places([(0, 1), (2, 2)])
    'R1C2 and R3C3'
    """
    return listed(cell_name(*cell) for cell in cells)


def sided(keys: Iterable[Key]) -> str:
    """Cells or sides in words.

    >>> sided([(0, 1, "right"), (0, 1, "down")])
    'the side right of R1C2 and the side below R1C2'
    """
    where = {"": "", "right": "the side right of ", "down": "the side below "}
    return listed(where["".join(key[2:])] + cell_name(*key[:2]) for key in keys)


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]
