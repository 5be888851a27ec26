"""Climbing a ladder, whatever its rungs are: the loops, how far a climb got, how rungs are named and asked for, and
which one a board needs.

Not here: a rung. A genre's rungs are a kernel that looks at the trail of learning.py with one of them, a hook.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .kernels import Hook, lean, loop
from .learning import FINE, GUESSED, LEVEL, NONE, PROBED, TAIL, Trail, go_back, settle, suppose

B = TypeVar("B")  # a genre's own Board

look = Hook("(rules, t, rung): settle what a rung makes of what is new to it. Returns (why, by), as `propagate` does")
asked = Hook("(rules, k): the k-th variable in question, or NONE after the last")
look_near = Hook("(rules, t): settle what follows for what is in question. Returns (why, by)")


@loop(lean)
def climb_to(rules: Any, t: Trail, rungs: int) -> tuple[int, int]:
    """Settle what follows by the rungs in a bit set, the lowest first: a rung looks when all below it are at rest, and
    only at what was settled since it looked last. Returns (why, by) of a contradiction, or (FINE, FINE).
    """
    rung = 0
    while rungs >> rung:
        if rungs >> rung & 1:
            before = t.at[TAIL]
            why, by = look(rules, t, rung)
            if why != FINE:
                return why, by
            if rung > 0 and t.at[TAIL] > before:
                rung = -1
        rung += 1
    return FINE, FINE


@loop(lean)
def _probe(rules, t, cells, rungs, start):
    """Assume each unknown cell, from one on and around, to be what it may be, and climb; settle the first that meets a
    contradiction the other way. Returns that cell, or NONE.
    """
    for i in range(cells):
        cell = start + i if start + i < cells else start + i - cells
        if t.state[cell] == 0:
            for value in (2, 1):
                suppose(t, cell, value)
                why, _ = climb_to(rules, t, rungs)
                go_back(rules, t, 0)
                if why != FINE:
                    settle(t, cell, 3 - value, PROBED, NONE)
                    return cell
    return NONE


@loop(lean)
def climb(rules: Any, t: Trail, cells: int, rungs: int, probes: bool, onward: bool, judges: int) -> tuple[int, int]:
    """The whole ladder, nothing guessed. Returns (why, by) of a contradiction, or (FINE, FINE).

    cells     how many variables, the first, are asked for
    onward    a probe goes on from the cell that the last one settled, instead of from the first
    judges    rungs that look, too, when all of these are settled
    """
    why, by = climb_to(rules, t, rungs)
    cell = 0
    while why == FINE and probes and cell >= 0:
        cell = _probe(rules, t, cells, rungs, cell if onward else 0)
        if cell >= 0:
            why, by = climb_to(rules, t, rungs)
    if why == FINE and first_unknown(t, cells) == NONE:
        why, by = climb_to(rules, t, judges)
    return why, by


@lean
def first_unknown(t: Trail, cells: int) -> int:
    """The first of so many variables that is unknown, or NONE."""
    for cell in range(cells):
        if t.state[cell] == 0:
            return cell
    return NONE


@loop(lean)
def _open(rules, t):
    """The first variable in question that is unknown, or NONE."""
    k = 0
    while True:
        variable = asked(rules, k)
        if variable < 0 or t.state[variable] == 0:
            return variable
        k += 1


@loop(lean)
def _note(rules, t, values, seen):
    """Add to what is seen of the variables in question their values; of those unknown, which are any of `values`."""
    k = 0
    while True:
        variable = asked(rules, k)
        if variable < 0:
            return
        seen[variable] |= t.state[variable] or values
        k += 1


@loop(lean)
def agree(rules: Any, t: Trail, budget: int, seen: np.ndarray) -> None:
    """What all ways to settle the variables in question have in common; for a trail that is at rest, and stays so.

    seen : uint8     the possible values of each variable in question are added, as bits 1 and 2; none where no way is

    Instead of listing them all it looks for a witness for each value of each variable that has none yet, which gives
    the same verdict. After `budget` looks every value counts as possible.
    """
    base = t.at[LEVEL]
    spent = k = 0
    while True:
        variable = asked(rules, k)
        if variable < 0:
            return
        k += 1
        for value in (1, 2):
            if t.state[variable] != 0 or seen[variable] & value:
                continue
            suppose(t, variable, value)
            while True:
                why, _ = look_near(rules, t)
                spent += 1
                if spent > budget:
                    go_back(rules, t, base)
                    _note(rules, t, 3, seen)
                    return
                if why == FINE:
                    here = _open(rules, t)
                    if here < 0:
                        _note(rules, t, 0, seen)
                        break
                    suppose(t, here, 1)
                elif t.at[LEVEL] == base + 1:
                    break
                else:
                    guess = t.order[t.begins[t.at[LEVEL]]]
                    go_back(rules, t, t.at[LEVEL] - 1)
                    settle(t, guess, 2, GUESSED, NONE)
            go_back(rules, t, base)


class Climb(NamedTuple):
    """How far a climb got on a board whose cells are shaded or unshaded.

    state : uint8 (rows, cols)     UNKNOWN, UNSHADED or SHADED; as far as it got, when it met a contradiction
    settled : dict                 rung -> number of cells it settled
    finished : bool                every cell is settled, and the shading is an answer
    contradiction : bool           the board has no answer
    """

    state: np.ndarray
    settled: dict[str, int]
    finished: bool
    contradiction: bool

    @property
    def marks(self) -> np.ndarray:
        """The state as the genre's marks have it."""
        return self.state


def rung_index(rungs: Sequence[str], top: str) -> int:
    """The place of a rung among the rungs; ValueError names the choices."""
    if top not in rungs:
        raise ValueError(f"unknown rung {top!r}; choose from {rungs}")
    return rungs.index(top)


def rungs_to(rungs: Sequence[str], top: str | tuple[str, ...]) -> int:
    """The bit set of the rungs up to `top`, or of those named in a tuple; ValueError names the choices.

    The lowest rung says what a mark means and is always among them.

    >>> rungs_to(("count", "region", "probe"), "region"), rungs_to(("count", "region", "probe"), ("probe",))
    (3, 5)
    """
    if isinstance(top, tuple):
        return 1 | sum(1 << rung_index(rungs, rung) for rung in set(top))
    return (2 << rung_index(rungs, top)) - 1


def one_of(rungs: Sequence[str], top: str | None, hardest: str | None) -> str | None:
    """The highest rung that a setter may use, from what it was asked for: `hardest` or `top`, None when neither is
    given.

    ValueError for an unknown rung, or two that differ.
    """
    for rung in (top, hardest):
        if rung is not None:
            rung_index(rungs, rung)
    if None not in (top, hardest) and top != hardest:
        raise ValueError(f"top is {top!r} and hardest {hardest!r}; give one of them")
    return hardest or top


def needs(climb: Callable[[B, str], Any], rungs: Sequence[str], board: B, rung: str) -> bool:
    """Whether a genre's `climb` finishes a board with a rung, and not without it."""
    at = rung_index(rungs, rung)
    return climb(board, rung).finished and not (at and climb(board, rungs[at - 1]).finished)
