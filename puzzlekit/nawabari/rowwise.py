"""Nawabari dissections drawn by weight row by row, on grids whose exact diagram would be too large or too slow to draw
a few from.

What a row leaves to the next is one bit for each column but the first: whether the cell has a wall to its left. The
weights of all ways onward from there are kept for every row in double precision. So each dissection is drawn with the
probability that `profile.draw` gives it up to rounding, about a part in a billion, not exactly.

Not here: exact draws, counts and marginals, see profile.py.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..machinery import grid
from ..machinery.kernels import kernel, lean
from ..machinery.memory import BUDGET, afford
from . import profile
from .points import VERTEX_PATTERNS
from .rules import Walls

_LEGAL = np.isin(np.arange(16), [sum(b << i for i, b in enumerate(p)) for p in VERTEX_PATTERNS])


@lean
def _onward(begin, legal, above, before, top, side):
    """The weight of a cell's top and left wall below a point, given the walls above the point and to its left; 0: not
    legal.
    """
    if not legal[before + 2 * above + 4 * top + 8 * side]:
        return 0.0
    return begin if top + side == 2 else 1.0


@kernel
def _weigh(begin, legal, lines, across, onward):
    """Fill float64 (lines + 1, 2 ** (across - 1)): the weight of all ways onward before each line, the largest made 1.

    Not the one before the first line, whose top walls are all there.
    """
    m = onward.shape[1]
    ways = np.empty(
        (m, 2)
    )  # by left walls, of this line before a column and of the line above from there on; by the last top wall
    for state in range(m):
        onward[lines, state] = 1.0
    for r in range(lines - 1, 0, -1):
        for state in range(m):
            ways[state, 0] = ways[state, 1] = onward[r + 1, state]
        for c in range(across - 1, 0, -1):
            bit = 1 << (c - 1)
            for state in range(m):
                if state & bit:
                    continue
                after = (ways[state, 0], ways[state, 1], ways[state | bit, 0], ways[state | bit, 1])
                for above in range(2):
                    for before in range(2):
                        total = 0.0
                        for way in range(4):
                            total += _onward(begin, legal, above, before, way & 1, way >> 1) * after[way]
                        ways[state | above * bit, before] = total
        most = 0.0
        for state in range(m):
            onward[r, state] = ways[state, 0] + begin * ways[state, 1]
            most = max(most, onward[r, state])
        for state in range(m):
            onward[r, state] /= most


@kernel
def _draw(begin, legal, lines, across, onward, chance, right, down):
    """A dissection for each row of `chance`, float64 (n, lines, across) from [0, 1): fills the walls, bool (n, ...).

    Of a line whose line above is known, ways[2 ** c + i, t]: the weight of all ways onward before column c + 1, where i
    tells the left walls of this line so far and t whether the last cell has a top wall.
    """
    m = onward.shape[1]
    ways = np.empty((2 * m, 2))
    for x in range(chance.shape[0]):
        above = 0
        for r in range(lines):
            for state in range(m):
                ways[m + state, 0] = ways[m + state, 1] = onward[r + 1, state]
            for c in range(across - 1, 0, -1):
                low = 1 << (c - 1)
                wall = above >> (c - 1) & 1
                for state in range(low):
                    for before in range(2):
                        total = 0.0
                        for way in range(4):
                            if r == 0:
                                step = (way & 1) * (begin if way == 3 else 1.0)
                            else:
                                step = _onward(begin, legal, wall, before, way & 1, way >> 1)
                            total += step * ways[2 * low + state + (way >> 1) * low, way & 1]
                        ways[low + state, before] = total
            with_wall = begin * ways[1, 1]
            before = np.int64(  # type: ignore[assignment]  # one type to numba
                r == 0 or chance[x, r, 0] * (with_wall + ways[1, 0]) < with_wall
            )
            if r > 0:
                down[x, r - 1, 0] = before == 1
            state = 0
            for c in range(1, across):
                low = 1 << (c - 1)
                wall = above >> (c - 1) & 1
                left = chance[x, r, c] * ways[low + state, before]
                chosen = -1
                for way in range(4):
                    if r == 0:
                        step = (way & 1) * (begin if way == 3 else 1.0)
                    else:
                        step = _onward(begin, legal, wall, before, way & 1, way >> 1)
                    part = step * ways[2 * low + state + (way >> 1) * low, way & 1]
                    if part > 0.0 and (chosen < 0 or left >= 0.0):
                        chosen = way
                    left -= part
                before = chosen & 1
                state += (chosen >> 1) * low
                right[x, r, c - 1] = chosen > 1
                if r > 0:
                    down[x, r - 1, c] = before == 1
            above = state


@lru_cache(maxsize=4)
def _weighed(lines, across, weight):
    onward = np.empty((lines + 1, 1 << (across - 1)))
    _weigh(float(weight), _LEGAL, lines, across, onward)
    return onward


def draw(
    rows: int, cols: int, n: int, rng: np.random.Generator, *, weight: profile.Weight = 1, budget: int = BUDGET
) -> npt.NDArray[np.int32]:
    """n independent dissections of a grid, each with a probability proportional to weight ** rooms, but for rounding.

    Parameters
    ----------
    rows, cols : int
    n : int
    rng : numpy.random.Generator
    weight : int, Fraction or str    as for `profile.diagram`
    budget : int                     bytes

    Returns
    -------
    int32 (n, rows, cols)            room ids in reading order

    Raises
    ------
    MemoryError                      the weights would not fit the budget: with the estimate, before anything is spent

    Cost: for n cells across 2 ** n numbers a line once for a size, and as many steps a line for every draw: 0.05 ms at
    10 x 10, 1.5 ms at 15 x 15, 60 ms at 20 x 20.

    >>> draw(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 1, 0, 1], [0, 1, 2, 3], [0, 1, 2, 2]]
    """
    rows, cols = grid.check_size(rows, cols)
    weight = profile.as_weight(weight)
    lines, across = max(rows, cols), min(rows, cols)
    afford((8 * (lines + 1) + 32) << (across - 1), budget, f"for the weights of {rows} x {cols}")
    right, down = np.empty((n, lines, across - 1), bool), np.empty((n, lines - 1, across), bool)
    _draw(
        float(weight),
        _LEGAL,
        lines,
        across,
        _weighed(lines, across, weight),
        rng.random((n, lines, across)),
        right,
        down,
    )
    if cols > rows:
        right, down = down.transpose(0, 2, 1), right.transpose(0, 2, 1)
    return profile.rooms_of(Walls(right, down))
