"""A Tasquare board and a reading of its rules as kernels read them, and the candidate squares they work on.

Not here: anything that follows from them.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import grid
from ..machinery.kernels import inner
from .rules import NO_CLUE, Board, Reading


class Layout(NamedTuple):
    """A board as its kernels read it; n cells, k clues."""

    cols: int
    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    value: np.ndarray  # int32 (n + 1,): the number, ASKED or NO_CLUE


@lru_cache(maxsize=256)
def _near(rows, cols):
    near = grid.neighbours(rows, cols)
    return np.where(near < 0, np.int32(rows * cols), near)


@lru_cache(maxsize=4096)
def layout(board: Board, numbers: bool = True) -> Layout:
    """The Layout of a board; without numbers it is that of the empty grid."""
    value = np.full(board.rows * board.cols + 1, NO_CLUE, np.int32)
    if numbers:
        value[:-1] = board.clues.ravel()
    return Layout(board.cols, _near(board.rows, board.cols), value)


@inner
def _layout(rows, cols, clues):
    """The Layout of a board given as int32 (rows * cols,)."""
    n = rows * cols
    near = np.empty((n, 4), np.int32)
    value = np.empty(n + 1, np.int32)
    value[n] = NO_CLUE
    for cell in range(n):
        value[cell] = clues[cell]
        r = cell // cols
        c = cell % cols
        size = 0
        for there in (
            cell - cols if r > 0 else n,
            cell - 1 if c > 0 else n,
            cell + 1 if c + 1 < cols else n,
            cell + cols,
        ):
            if there < n:
                near[cell, size] = there
                size += 1
        while size < 4:
            near[cell, size] = n
            size += 1
    return Layout(cols, near, value)


class Clauses(NamedTuple):
    """A Reading as flags for the kernels."""

    connected: bool
    areas: bool  # a side adds the area of its square; otherwise 1
    zero: bool  # 0 can be right
    eager: (
        bool  # squares larger than a number beside them are dead from the start; the ladder itself leaves them to prune
    )


def clauses(reading: Reading, eager: bool = False) -> Clauses:
    """Clauses of a reading."""
    return Clauses(reading.connected, reading.number == "area", reading.zero == "plain", eager)


class Work(NamedTuple):
    """What a climb holds beside the state; n cells, q candidate squares, sides up to m.

    The state lists n cells, the sentinel, then the candidates: UNKNOWN while alive, UNSHADED when dead, SHADED when
    some shaded cell has no other. The trail holds both.
    """

    reach: np.ndarray  # int32 (n,): the largest square free of clues with this cell as its top left corner
    first: np.ndarray  # int32 (n,): where in the state its squares start, by side from 1 to reach
    corner: np.ndarray  # int32 (n + 1 + q,): top left cell of each candidate
    side: np.ndarray  # int32 (n + 1 + q,)
    cover: np.ndarray  # int32 (n,): living candidates that cover each cell
    clue: np.ndarray  # int32 (k,): cells with a clue
    stale: np.ndarray  # uint8 (2, n + 1): clues that the clue rung and the prune rung have to look at again
    listed: (
        np.ndarray
    )  # int32 (4, m + 2): scratch of `_sums`: squares that can still lie on each side of a clue, by side; how many
    marked: np.ndarray  # int64 (2, 4, m + 1): the same as marks; and those that some sum uses, 0 for no square
    sums: np.ndarray  # int64 (2, 2 m^2 + 1): what each pair of sides can add together, as marks
    role: np.ndarray  # uint8 (2, n): role and anchored of connectivity.cuts
    tree: np.ndarray  # int32 (4, n): its order, low, parent and turn


@inner
def _work(board, clauses):
    """Work for a board, all candidates alive."""
    n = board.near.shape[0]
    cols = board.cols
    reach = np.empty(n, np.int32)
    first = np.empty(n, np.int32)
    most = 1
    count = n + 1
    clues = 0
    for cell in range(n - 1, -1, -1):
        reach[cell] = 0
        if board.value[cell] != NO_CLUE:
            clues += 1
        elif cell + cols >= n or cell % cols == cols - 1:
            reach[cell] = 1
        else:
            reach[cell] = 1 + min(reach[cell + 1], reach[cell + cols], reach[cell + cols + 1])
    for cell in range(n - 1, -1, -1):
        if clauses.eager and clauses.areas:
            reach[cell] = _affordable(board, cell, reach[cell])
        most = max(most, reach[cell])
        first[cell] = count
        count += reach[cell]
    corner = np.empty(count, np.int32)
    side = np.empty(count, np.int32)
    cover = np.empty(n, np.int32)
    clue = np.empty(clues, np.int32)
    stale = np.empty((2, n + 1), np.uint8)
    clues = 0
    for cell in range(n):
        cover[cell] = 0
        stale[0, cell] = stale[1, cell] = board.value[cell] != NO_CLUE
        if board.value[cell] != NO_CLUE:
            clue[clues] = cell
            clues += 1
    marked = np.zeros((2, 4, most + 1), np.int64)
    sums = np.zeros((2, 2 * most * most + 1), np.int64)
    for cell in range(n):
        for k in range(1, reach[cell] + 1):
            q = first[cell] + k - 1
            corner[q] = cell
            side[q] = k
            for i in range(k):
                for j in range(k):
                    cover[cell + i * cols + j] += 1
    return Work(
        reach,
        first,
        corner,
        side,
        cover,
        clue,
        stale,
        np.empty((4, most + 2), np.int32),
        marked,
        sums,
        np.empty((2, n), np.uint8),
        np.empty((4, n), np.int32),
    )


@inner
def _affordable(board, corner, reach):
    """The largest square with this corner, up to `reach`, that is not larger than a number beside it; larger ones all
    are.
    """
    n = board.near.shape[0]
    cols = board.cols
    for k in range(1, reach + 1):
        for i in range(4 * k):
            there = _ring(cols, n, corner // cols, corner % cols, k, i)
            if there >= 0 and 0 <= board.value[there] < k * k:
                return k - 1
    return reach


@inner
def _ring(cols, n, top, left, k, i):
    """The i-th of the 4 k cells beside a square of side k, or -1 where the grid ends."""
    line = i // k
    step = i % k
    if line == 0:
        return (top - 1) * cols + left + step if top > 0 else -1
    if line == 1:
        return (top + step) * cols + left - 1 if left > 0 else -1
    if line == 2:
        return (top + step) * cols + left + k if left + k < cols else -1
    there = (top + k) * cols + left + step
    return there if there < n else -1
