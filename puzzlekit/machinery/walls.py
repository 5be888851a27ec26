"""Connection where no two shaded cells touch: the unshaded cells are one region exactly if shaded cells make no ring.

A ring is made through corners, or from edge to edge: shaded cells that meet at a corner, and the frame, which meets the
cells along it. So the shaded cells are a forest whose trees (`walls`) grow and merge as cells are shaded, and are taken
apart again in the reverse order; an unknown cell that meets one wall twice cannot be shaded. A grid with one row or one
column is special: there a cell inside meets the frame on two sides.

Not here: what follows from that. Where shaded cells may touch, use connectivity.cuts.
"""

from typing import NamedTuple

import numpy as np

from .grid import SHADED
from .kernels import inner, lean

APART = -1


class Walls(NamedTuple):
    """Trees of shaded cells of a grid with n cells; the frame is node n."""

    corners: np.ndarray  # int32 (n, 5): cells that meet a cell at a corner, and n along the frame; padded with n + 1
    wall: np.ndarray  # int32 (n + 2,): the wall of a shaded cell, or APART
    after: np.ndarray  # int32 (n + 1,): the next cell of the same wall, round and round
    size: np.ndarray  # int32 (n + 1,)
    merged: np.ndarray  # int32 (2 * n + 2, 2): (wall, into which wall), in order; APART as the second for a fresh cell
    tops: np.ndarray  # int64 (1,): how much of `merged` is used
    edge: np.ndarray  # int32 (e,): the cells along the frame
    came: np.ndarray  # int32 (n + 1,): scratch of `ring`, as are the next two
    origin: np.ndarray  # int32 (n + 1,)
    queue: np.ndarray  # int32 (n + 1,)


@inner
def walls(rows: int, cols: int) -> Walls:
    """No walls yet but the frame."""
    n = rows * cols
    corners = np.empty((n, 5), np.int32)
    edge = np.empty(n if min(rows, cols) < 3 else 2 * (rows + cols) - 4, np.int32)
    e = 0
    for cell in range(n):
        r = cell // cols
        c = cell - r * cols
        j = 0
        for dr in (-1, 1):
            for dc in (-1, 1):
                if 0 <= r + dr < rows and 0 <= c + dc < cols:
                    corners[cell, j] = cell + dr * cols + dc
                    j += 1
        if r == 0 or c == 0 or r == rows - 1 or c == cols - 1:
            corners[cell, j] = n
            edge[e] = cell
            e += 1
            j += 1
        while j < 5:
            corners[cell, j] = n + 1
            j += 1
    wall = np.empty(n + 2, np.int32)
    wall[:] = APART
    came = np.empty(n + 1, np.int32)
    came[:] = APART
    tops = np.empty(1, np.int64)
    tops[0] = 0
    after = np.empty(n + 1, np.int32)
    size = np.empty(n + 1, np.int32)
    wall[n] = after[n] = n
    size[n] = n + 1  # whatever meets the frame becomes part of it, not the other way round
    return Walls(
        corners, wall, after, size, np.empty((2 * n + 2, 2), np.int32), tops, edge, came, np.empty(n + 1, np.int32),
        np.empty(n + 1, np.int32),
    )  # fmt: skip


@lean
def meets_itself(w: Walls, cell: int) -> bool:
    """Whether shading a cell would close a ring: two of the cells it meets are of one wall."""
    for i in range(4):
        wall = w.wall[w.corners[cell, i]]
        if wall >= 0:
            for j in range(i + 1, 5):
                if wall == w.wall[w.corners[cell, j]]:
                    return True
    return False


@lean
def plant(w: Walls, cell: int) -> None:
    """A freshly shaded cell becomes a wall of its own."""
    w.wall[cell] = w.after[cell] = cell
    w.size[cell] = 1
    w.merged[w.tops[0], 0] = cell
    w.merged[w.tops[0], 1] = APART
    w.tops[0] += 1


@lean
def merge(w: Walls, one: int, other: int) -> None:
    """Wall `one` becomes part of `other`, which should be the larger. Its cells are the next size[one] ones from
    after[other].
    """
    here = one
    for _ in range(w.size[one]):
        w.wall[here] = other
        here = w.after[here]
    w.after[one], w.after[other] = w.after[other], w.after[one]
    w.size[other] += w.size[one]
    w.merged[w.tops[0], 0] = one
    w.merged[w.tops[0], 1] = other
    w.tops[0] += 1


@lean
def uproot(w: Walls, cell: int) -> None:
    """Take the walls apart to before `cell` was planted."""
    while True:
        w.tops[0] -= 1
        one = w.merged[w.tops[0], 0]
        other = w.merged[w.tops[0], 1]
        if other == APART:
            w.wall[one] = APART
            if one == cell:
                return
            continue
        w.after[one], w.after[other] = w.after[other], w.after[one]
        w.size[other] -= w.size[one]
        here = one
        for _ in range(w.size[one]):
            w.wall[here] = one
            here = w.after[here]


@lean
def ring(w: Walls, cell: int, state: np.ndarray, place: np.ndarray, before: int | np.integer, found: np.ndarray) -> int:
    """Shaded cells that make a ring with `cell`, a shortest one nearly; only cells whose `place` is below `before`.

    Writes them to `found`, int32, and returns how many: -1 if there is no ring.
    """
    n = w.after.shape[0] - 1
    size = 0
    for j in range(5):
        there = w.corners[cell, j]
        if there == n or (there < n and state[there] == SHADED and place[there] < before):
            w.came[there] = w.origin[there] = there
            w.queue[size] = there
            size += 1
    length = -1
    head = 0
    while head < size and length < 0:
        here = w.queue[head]
        head += 1
        for j in range(w.edge.shape[0] if here == n else 5):
            there = w.edge[j] if here == n else w.corners[here, j]
            if there == cell or not (there == n or (there < n and state[there] == SHADED and place[there] < before)):
                continue
            if w.came[there] < 0:
                w.came[there] = here
                w.origin[there] = w.origin[here]
                w.queue[size] = there
                size += 1
            elif w.origin[there] != w.origin[here]:
                length = 0
                for end in (here, there):
                    while True:
                        if end != n:
                            found[length] = end
                            length += 1
                        if w.came[end] == end:
                            break
                        end = w.came[end]
                break
    for i in range(size):
        w.came[w.queue[i]] = APART
    return length
