"""Climbing a ladder, whatever its rungs are: how far a climb got, how rungs are named and asked for, and which one a
board needs.

Not here: a rung, or a climb; each genre has its own.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

B = TypeVar("B")  # a genre's own Board


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
