"""Tasquare answers of large grids by a random walk over the answer space, where exact draws would need too much memory.

A step picks a square of the grid, every place and every side alike. If just this square is a block, it is taken away,
unless it is the last one; if it could be one more block, and the unshaded cells stay one region, it is shaded; if it
could not, and there is but one block, it takes its place. The way back is as likely as the way there, and every answer
can be emptied to a single square, so in the long run every answer is equally likely. But a walk is of finite length:
its answers are close to uniform draws, not exact ones, and those of one walk resemble each other a little.

Not here: exact draws, see profile.py.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import kernel, lean
from . import layout

BURN_IN = 200  # steps a cell before the first answer
BETWEEN = 50  # and between two answers


@lean
def _one_region(near, shaded, stack, seen, mark):
    """Whether the unshaded cells are one region, or none."""
    n = near.shape[0]
    unshaded = 0
    start = -1
    for cell in range(n):
        if shaded[cell] == 0:
            unshaded += 1
            start = cell
    if unshaded == 0:
        return True
    stack[0] = start
    size = 1
    seen[start] = mark
    while size > 0:
        size -= 1
        unshaded -= 1
        here = stack[size]
        for j in range(4):
            there = near[here, j]
            if there < n and shaded[there] == 0 and seen[there] != mark:
                seen[there] = mark
                stack[size] = there
                size += 1
    return unshaded == 0


@lean
def _paint(shaded, cols, corner, k, value):
    for i in range(k):
        for j in range(k):
            shaded[corner + i * cols + j] = value


@kernel
def _step(rows, cols, near, picks, shaded, side, blocks):
    """A step for each of `picks`, int64 (m,) below rows * cols * min(rows, cols). Returns how many blocks there are
    now.

    shaded, uint8 (rows * cols,), and side, int32 (rows * cols,), the side of the block with its top left corner there,
    or 0, are changed.
    """
    n = rows * cols
    stack, seen = np.empty(n, np.int32), np.zeros(n, np.int64)
    mark = 0
    for pick in picks:
        corner = pick % n
        k = pick // n + 1
        top = corner // cols
        left = corner % cols
        if top + k > rows or left + k > cols:
            continue
        if side[corner] == k:
            if blocks > 1:
                _paint(shaded, cols, corner, k, 0)
                side[corner] = 0
                blocks -= 1
            continue
        free = True
        for r in range(max(top - 1, 0), min(top + k + 1, rows)):
            inside = top <= r < top + k
            for c in range(max(left - inside, 0), min(left + k + inside, cols)):
                free &= shaded[r * cols + c] == 0
        last = -1
        old = np.int32(0)
        for _ in range(2):
            if free:
                _paint(shaded, cols, corner, k, 1)
                mark += 1
                if _one_region(near, shaded, stack, seen, mark):
                    side[corner] = k
                    blocks += 1
                    break
                _paint(shaded, cols, corner, k, 0)
            if blocks > 1 or last >= 0:
                break
            last = 0  # the only block makes room
            while side[last] == 0:
                last += 1
            old = side[last]
            _paint(shaded, cols, last, old, 0)
            side[last] = 0
            blocks = 0
            free = True
        if blocks == 0:
            _paint(shaded, cols, last, old, 1)
            side[last] = old
            blocks = 1
    return blocks


def walk(
    rows: int, cols: int, rng: np.random.Generator, burn_in: int = BURN_IN, between: int = BETWEEN
) -> Iterator[npt.NDArray[np.uint8]]:
    """Answers of an empty grid without end, each uint8 (rows, cols), from one walk.

    Parameters
    ----------
    rows, cols : int
    rng : numpy.random.Generator
    burn_in, between : int          steps a cell before the first answer, and between two

    Cost: about 3 ms for the first answer at 15 x 15, 0.7 ms for each further.

    >>> next(walk(2, 2, np.random.default_rng(1))).sum() in (1, 4)
    True
    """
    n, sides = rows * cols, min(rows, cols)
    near = layout.near(rows, cols)
    shaded, side = np.zeros(n, np.uint8), np.zeros(n, np.int32)
    start = int(rng.integers(n))
    shaded[start] = side[start] = blocks = 1
    steps = burn_in * n
    while True:
        blocks = _step(rows, cols, near, rng.integers(0, n * sides, steps), shaded, side, blocks)
        yield shaded.reshape(rows, cols).copy()
        steps = between * n
