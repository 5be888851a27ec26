"""Complete search by branching: the trail and the way back, for any genre whose cells are shaded or unshaded.

A kernel that is handed another kernel cannot be cached, so the genre owns the loop and calls these steps from it:

    propagate; on a contradiction or after an answer `retreat`, else `branch` on a cell; until `retreat` returns EXHAUSTED.

The trail lists settled cells in order and holds -1 beyond its end. A frame is the place on the trail where a branch was made.
Going back undoes the trail to that place and settles the branch cell the other way, now as a consequence of the frames below, so
no frame is visited twice.
"""

from typing import NamedTuple

import numpy as np

from .grid import SHADED, UNKNOWN, UNSHADED
from .kernels import inner

EXHAUSTED = -1
OTHER = UNSHADED + SHADED  # OTHER - state is the opposite state


class Solution(NamedTuple):
    """What a complete search found.

    answers : uint8 (k, rows, cols)   distinct answers, at most as many as asked for
    complete : bool                   the search was not ended by its budget
    branch_points : int               cells on which it had to branch
    """

    answers: np.ndarray
    complete: bool
    branch_points: int
    limit: int

    @property
    def unique(self):
        """True or False where that is certain; None when the budget ran out first (or only one answer was asked for)."""
        if len(self.answers) > 1:
            return False
        if not self.complete or (len(self.answers) == 1 and self.limit < 2):
            return None
        return len(self.answers) == 1


@inner
def branch(state, trail, tail, marks, depth, cell, value):
    """Settle `cell` to `value` as a guess. Returns the new tail; the caller counts `depth` up by one."""
    marks[depth] = tail
    state[cell] = value
    trail[tail] = cell
    return tail + 1


@inner
def retreat(state, trail, marks, depth):
    """Undo the last guess and settle its cell the other way. Returns the new tail, or EXHAUSTED; `depth` goes down by one."""
    if depth == 0:
        return EXHAUSTED
    mark = marks[depth - 1]
    cell = trail[mark]
    other = OTHER - state[cell]
    undo(state, trail, mark)
    state[cell] = other
    trail[mark] = cell
    return mark + 1


@inner
def undo(state, trail, mark):
    """Make every cell settled since `mark` unknown again, also those of a step that failed halfway."""
    while mark < trail.shape[0] and trail[mark] >= 0:
        state[trail[mark]] = UNKNOWN
        trail[mark] = -1
        mark += 1
