"""Connectivity of the cells that are not shaded: all cuts in one depth-first pass, or the shortest cut and the wall
that makes it.

Not here: what follows from a cut. The genres decide that.
"""

import numpy as np

from .grid import SHADED, UNKNOWN, UNSHADED
from .kernels import kernel, lean

SPLIT = -1
NOTHING, CUT, POCKET, PARTED = range(4)  # what `narrowest` finds


@lean
def cuts(
    near: np.ndarray,
    state: np.ndarray,
    eager: bool,
    role: np.ndarray,
    order: np.ndarray,
    low: np.ndarray,
    parent: np.ndarray,
    turn: np.ndarray,
    anchored: np.ndarray,
) -> int:
    """Find every cell whose shading would split the unshaded region, and every cell that is cut off from it.

    One pass of Tarjan's articulation-point search over the cells that are not shaded, rooted at an unshaded cell. An
    unknown cell is a cut when a subtree below it hangs on it alone and holds an unshaded cell (with `eager`: whatever
    the subtree holds, which is right where shaded cells may not touch, since shading the cell makes its neighbours on
    both sides unshaded).

    Parameters
    ----------
    near : int32 (n, 4)        neighbours, padded with n
    state : uint8 (n + 1,)     UNKNOWN, UNSHADED or SHADED
    role : uint8 (n,)          written: UNSHADED for a cut, SHADED for an unknown cell cut off, else UNKNOWN
    order, low, parent, turn : int32 (n,), anchored : uint8 (n,)     scratch

    Returns
    -------
    int     number of cells given a role, or SPLIT when two unshaded cells are apart already

    Cost: linear in the number of cells.
    """
    n = near.shape[0]
    root = -1
    for cell in range(n):
        order[cell] = 0
        role[cell] = UNKNOWN
        if root < 0 and state[cell] == UNSHADED:
            root = cell
    if root < 0:
        return 0
    found = 0
    clock = 1
    order[root] = low[root] = clock
    parent[root] = -1
    turn[root] = 0
    anchored[root] = 1
    here = root
    while here >= 0:
        if turn[here] < 4:
            there = near[here, turn[here]]
            turn[here] += 1
            if there == n or state[there] == SHADED or there == parent[here]:
                continue
            if order[there]:
                low[here] = min(low[here], order[there])
                continue
            clock += 1
            order[there] = low[there] = clock
            parent[there] = here
            turn[there] = 0
            anchored[there] = state[there] == UNSHADED
            here = there
        else:
            up = parent[here]
            if up >= 0:
                low[up] = min(low[up], low[here])
                anchored[up] |= anchored[here]
                if (
                    low[here] >= order[up]
                    and (eager or anchored[here])
                    and state[up] == UNKNOWN
                    and role[up] == UNKNOWN
                ):
                    role[up] = UNSHADED
                    found += 1
            here = up
    for cell in range(n):
        if not order[cell]:
            if state[cell] == UNSHADED:
                return SPLIT
            if state[cell] == UNKNOWN:
                role[cell] = SHADED
                found += 1
    return found


@lean
def _flood(near, state, start, label, labels, stack):
    """Label the cells reached from `start`, nearest first, that are not SHADED and have no label. Returns the first
    UNSHADED, or -1.
    """
    n = near.shape[0]
    anchor = -1
    labels[start] = label
    stack[0] = start
    head = 0
    size = 1
    while head < size:
        here = stack[head]
        head += 1
        if anchor < 0 and state[here] == UNSHADED:
            anchor = here
        for j in range(4):
            there = near[here, j]
            if there < n and labels[there] == 0 and state[there] != SHADED:
                labels[there] = label
                stack[size] = there
                size += 1
    return anchor


@lean
def _wall(near, state, inside, outside, labels, stack, free, wall):
    """The cells of a smallest possible wall between two cells that the shaded cells keep apart. Returns how many; fills
    `wall`.

    Of the shaded cells around `inside`, those that the other side touches when all others are opened.
    """
    n = near.shape[0]
    for cell in range(n):
        labels[cell] = 0
    _flood(near, state, inside, 1, labels, stack)
    for cell in range(n):
        free[cell] = UNKNOWN
        if state[cell] == SHADED:
            for j in range(4):
                there = near[cell, j]
                if there < n and labels[there] == 1:
                    free[cell] = SHADED
    for cell in range(n):
        labels[cell] = 0
    _flood(near, free, outside, 2, labels, stack)
    size = 0
    for cell in range(n):
        if free[cell] == SHADED:
            for j in range(4):
                there = near[cell, j]
                if there < n and labels[there] == 2:
                    wall[size] = cell
                    size += 1
                    break
    return size


@kernel
def narrowest(near: np.ndarray, state: np.ndarray) -> tuple[int, int, int, int, np.ndarray]:
    """The shortest cut that the shaded cells make, or would make with one more.

    Returns
    -------
    (kind, cell, inside, outside, wall)     kind: NOTHING; CUT: shading `cell` would part the unshaded `inside` from
                                            `outside`; POCKET: `inside` is unknown and parted from the unshaded
                                            `outside`; PARTED: both are unshaded and parted. wall: int32, the shaded
                                            cells that do it; no `cell` among them
    """
    n = near.shape[0]
    cells, flags = np.zeros((8, n), np.int32), np.empty((3, n + 1), np.uint8)
    wall = np.empty(n, np.int32)
    found = _narrowest(near, state, cells, flags, wall)
    return found[0], found[1], found[2], found[3], wall[: found[4]]


@lean
def _narrowest(near, state, cells, flags, best):
    """The same with the wall in `best` and how many cells it has; `cells`, all 0, and `flags` are scratch."""
    n = near.shape[0]
    order, low, parent, turn, labels, stack = cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
    wall, roots = cells[6], cells[7]
    role, anchored, free = flags[0], flags[1], flags[2]
    kind, pick, one, other, shortest = NOTHING, -1, -1, -1, n + 1
    root = -1
    for cell in range(n):
        if state[cell] == UNSHADED:
            root = cell
            break
    if root < 0 or cuts(near, state, False, role, order, low, parent, turn, anchored) == 0:
        return kind, pick, one, other, 0
    _flood(near, state, root, 1, labels, stack)
    for cell in range(n):
        if labels[cell] == 0 and state[cell] != SHADED:
            anchor = _flood(near, state, cell, 2, labels, stack)
            found = POCKET if anchor < 0 else PARTED
            if found > kind:
                kind, one, other = found, cell if anchor < 0 else anchor, root
    if kind != NOTHING:
        return kind, pick, one, other, _wall(near, state, one, other, labels, stack, free, best)
    for cell in range(n):
        if role[cell] != UNSHADED:
            continue
        state[cell] = SHADED
        for there in range(n):
            labels[there] = 0
        sides = 0
        for j in range(4):
            there = near[cell, j]
            if there < n and labels[there] == 0 and state[there] != SHADED:
                anchor = _flood(near, state, there, 1 + j, labels, stack)
                if anchor >= 0:
                    roots[sides] = anchor
                    sides += 1
        for a in range(sides):
            for b in range(sides):
                if a != b:
                    size = _wall(near, state, roots[a], roots[b], labels, stack, free, wall)
                    if size < shortest:
                        kind, pick, one, other, shortest = CUT, cell, roots[a], roots[b], size
                        for i in range(size):
                            best[i] = wall[i]
        state[cell] = UNKNOWN
    count = 0
    for i in range(min(shortest, n)):
        if best[i] != pick:
            best[count] = best[i]
            count += 1
    return kind, pick, one, other, count
