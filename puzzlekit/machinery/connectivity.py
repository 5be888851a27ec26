"""Connectivity of the cells that are not shaded, in one depth-first pass.

Not here: what follows from a cut. The genres decide that.
"""

from .grid import SHADED, UNKNOWN, UNSHADED
from .kernels import inner, lean

SPLIT = -1


@lean
def cuts(near, state, eager, role, order, low, parent, turn, anchored):
    """Find every cell whose shading would split the unshaded region, and every cell that is cut off from it.

    One pass of Tarjan's articulation-point search over the cells that are not shaded, rooted at an unshaded cell. An unknown
    cell is a cut when a subtree below it hangs on it alone and holds an unshaded cell (with `eager`: whatever the subtree holds,
    which is right where shaded cells may not touch, since shading the cell makes its neighbours on both sides unshaded).

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
                if low[here] >= order[up] and (eager or anchored[here]) and state[up] == UNKNOWN and role[up] == UNKNOWN:
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
