"""Extremes: the least and the greatest sum over answers of a diagram, how many attain it, and the first that does.

A sweep as for a count, with the better of two sums in place of their sum. Steps that do not lead to the best one are
taken out of the tables on the way, and what is left is counted as any diagram is. Public as `Diagram.extremes`. Not
here: what is added up.
"""

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import limbs
from .kernels import kernel
from .memory import afford

Best = npt.NDArray[np.int32]  # by state: the greatest sum onward, or NOTHING

NOTHING = np.iinfo(np.int32).min  # no accepted end can be reached
_MOST = 1 << 30  # that a path may add up, so that sums fit Best


class Extreme(NamedTuple):
    """The least or greatest that a sum over an answer can be.

    value : int                 the sum
    answers : int               how many answers attain it, exactly
    witness : uint8 (places,)   the first of them in the order of ranks; wider numbers as in `Diagram.unrank`
    """

    value: int
    answers: int
    witness: np.ndarray


class Extremes(NamedTuple):
    """Both ends."""

    least: Extreme
    greatest: Extreme


class Layer(NamedTuple):
    """What the steps of one layer lead to, and what each of them adds.

    successors : uint32 (states + 1, choices)   as in a diagram
    worth : int32 (choices,)                    by choice
    labels : uint8 (states, choices)            of each step; (0, choices) where steps have none
    by_label : int32 (labels,)                  what a label adds to that
    """

    successors: limbs.Successors
    worth: npt.NDArray[np.int32]
    labels: npt.NDArray[np.uint8]
    by_label: npt.NDArray[np.int32]


def greatest(
    layers: Sequence[Layer], final: npt.NDArray[np.bool_], budget: int
) -> tuple[int, int, npt.NDArray[np.uint32]] | None:
    """The greatest sum over all paths from state 1 to an accepted end.

    Parameters
    ----------
    layers : sequence of Layer
    final : bool (states + 1,)   which states after the last layer are accepted
    budget : int                 bytes

    Returns
    -------
    greatest sum, number of paths that attain it, the choices of the first of them; None when there is no path at all

    Raises
    ------
    ValueError    the sums do not fit
    MemoryError   before it is spent

    Cost: one sweep backwards and, in blocks of about sqrt(layers), another for the path; a block's tables are copied.
    """
    most = sum(int(np.abs(layer.worth).max()) + int(np.abs(layer.by_label).max(initial=0)) for layer in layers)
    if most > _MOST:
        raise ValueError(f"sums up to {most} are too large: up to {_MOST} fit")
    every = isqrt(len(layers)) + 1
    afford(
        sum(max(len(layer.successors) * n for layer in layers) for n in (4 * every, 24))
        + max(4 * every * layer.successors.size for layer in layers),
        budget,
        "for the extremes",
    )
    best = np.where(final, 0, NOTHING).astype(np.int32)
    ways = final.astype(np.uint64)[:, None]
    kept = {len(layers): best}
    for level in reversed(range(len(layers))):
        best, tight = _before(layers[level], best)
        ways = limbs.gather(tight, ways)
        if level % every == 0:
            kept[level] = best
    if best[1] == NOTHING:
        return None
    chosen, state = np.empty(len(layers), np.uint32), 1
    for first in range(0, len(layers), every):
        last = min(first + every, len(layers))
        tables, best = {}, kept[last]
        for level in reversed(range(first, last)):
            best, tables[level] = _before(layers[level], best)
        for level in range(first, last):
            row = tables[level][state]
            chosen[level] = np.flatnonzero(row)[0]
            state = int(row[chosen[level]])
    return int(kept[0][1]), limbs.to_int(ways[1]), chosen


def _before(layer, following):
    """The best sums one layer earlier, and the table with the steps alone that lead to them."""
    best, tight = np.empty(len(layer.successors), np.int32), np.empty_like(layer.successors)
    _relax(layer.successors, layer.worth, layer.labels, layer.by_label, following, best, tight)
    return best, tight


@kernel
def _relax(successors, worth, labels, by_label, following, best, tight):
    for state in range(len(successors)):
        most = np.int64(NOTHING)
        for choice in range(successors.shape[1]):
            tight[state, choice] = 0
            target = successors[state, choice]
            if target == 0 or following[target] == NOTHING:
                continue
            total = np.int64(following[target]) + worth[choice]
            if state <= len(labels):  # states that are never expanded lead nowhere
                total += by_label[labels[state - 1, choice]]
            if total > most:
                most = total
                tight[state, :choice] = 0
            if total == most:
                tight[state, choice] = target
        best[state] = most
