"""Explanations as a reader wants them: the hardest moments first, and steps of one rung that follow each other as one.

Not here: any deduction, and how a step is drawn or printed.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from .explanation import Step, together

MOST = 6  # steps told as one; more would be a wall of words
MOMENTS = 3


class Told(NamedTuple):
    """One or more steps of an explanation told as one.

    first, last : int    their numbers, from 1
    step : Step          all of them: what they settle, from the state before the first, by the premises from outside
    """

    first: int
    last: int
    step: Step

    @property
    def numbers(self) -> str:
        """The numbers of the steps: "3", or "3-5"."""
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"


def gathered(steps: Sequence[Step], most: int = MOST) -> list[Told]:
    """Steps in order, those of one rung that follow each other as one, up to `most` of them; an assumption that is
    refuted, and a contradiction, are told alone.
    """
    told = []
    for rung, group in groupby(enumerate(steps, 1), lambda numbered: numbered[1].rung):
        part: list[tuple[int, Step]] = []
        for number, step in group:
            alone = bool(step.inside) or not step.settles
            if part and (alone or len(part) == most):
                told.append(_as_one(rung, part))
                part = []
            part.append((number, step))
            if alone:
                told.append(_as_one(rung, part))
                part = []
        if part:
            told.append(_as_one(rung, part))
    return told


def moments(steps: Sequence[Step], rungs: Sequence[str], most: int = MOMENTS) -> list[int]:
    """The numbers, from 1, of the steps that matter most, in order: those of the highest rungs, and among these the
    ones with the longest way to a contradiction and the most premises. None when there are not many more steps.

    rungs : list of str     of the genre, the lowest first
    """
    if len(steps) <= 2 * most:
        return []

    def weight(number):
        step = steps[number - 1]
        rests_on = len(step.premises.clues) + len(step.premises.cells) + len(step.premises.regions)
        return rungs.index(step.rung), len(step.inside), rests_on, -number

    return sorted(sorted(range(1, len(steps) + 1), key=weight)[-most:])


def _as_one(rung, part):
    (first, step), (last, _) = part[0], part[-1]
    if first == last:
        return Told(first, last, step)
    steps = [step for _, step in part]
    return Told(
        first,
        last,
        Step(
            rung,
            tuple(settled for step in steps for settled in step.settles),
            together(steps),
            " ".join(step.sentence for step in steps),
            before=steps[0].before,
            proven=all(step.proven for step in steps),
        ),
    )
