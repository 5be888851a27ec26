"""Usowan's search that learns: what its rules settle, why, and the loop that goes on from a contradiction.

Numbers, regions and touching cells are propagated as they stand, and rings of shaded cells as machinery/walls.py finds
them. Which number of a region is the wrong one is a variable like the shading of a cell: variables are the n cells, two
sentinels (n and n + 1) that are always unshaded, and one for every number. No rung of the ladder is used, so the two
check each other.

Not here: the rest of learning, which is machinery/learning.py, and what users call, which is solver.py.
"""

import numpy as np

from ..machinery import learning, search, walls
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, lean
from .layout import _bounds

TOUCHES, NUMBER, REGION, RING = range(learning.OWN, learning.OWN + 4)  # reasons, besides those of learning
HONEST, WRONG = UNSHADED, SHADED  # values of a number's variable
FINE = -1


@lean
def _number(board, t, i):
    """What number i, its variable and the cells around it make of each other. FINE, or i when they cannot be."""
    n = board.near.shape[0]
    cell = board.numbered[i]
    value = board.value[cell]
    low, high = _bounds(board, t.state, cell)
    lie = n + 2 + i
    if t.state[lie] == UNKNOWN:
        if value < low or value > high:
            learning.settle(t, lie, WRONG, NUMBER, i)
        elif low == high:
            learning.settle(t, lie, HONEST, NUMBER, i)
        return FINE
    fill = UNKNOWN
    if t.state[lie] == HONEST:
        if value < low or value > high:
            return i
        if value == low:
            fill = UNSHADED
        elif value == high:
            fill = SHADED
    elif low == high:
        return i if low == value else FINE
    elif high - low == 1:
        if low == value:
            fill = SHADED
        elif high == value:
            fill = UNSHADED
    if fill != UNKNOWN and low < high:
        for j in range(4):
            if t.state[board.near[cell, j]] == UNKNOWN:
                learning.settle(t, board.near[cell, j], fill, NUMBER, i)
    return FINE


@lean
def _number_causes(board, t, i, settled, before):
    """Variables that settle one of number i's, or contradict each other (`settled` is FINE). Returns how many."""
    n = board.near.shape[0]
    cell = board.numbered[i]
    lie = n + 2 + i
    size = 0
    shaded = 0
    for j in range(4):
        there = board.near[cell, j]
        shaded += there < n and t.state[there] == SHADED and t.place[there] < before
    role = UNKNOWN  # which cells are to blame: SHADED, UNSHADED, or all of them
    if settled == lie:
        if t.state[lie] == WRONG:
            role = SHADED if shaded > board.value[cell] else UNSHADED
    else:
        t.causes[0] = lie
        size = 1
        if t.state[lie] == HONEST:
            if settled < 0:
                role = SHADED if shaded > board.value[cell] else UNSHADED
            else:
                role = search.OTHER - t.state[settled]
    for j in range(4):
        there = board.near[cell, j]
        if there < n and there != settled and t.state[there] != UNKNOWN and t.place[there] < before:
            if role == UNKNOWN or t.state[there] == role:
                t.causes[size] = there
                size += 1
    return size


@lean
def _region(board, clauses, t, region):
    """How many numbers of a region can be wrong. Returns FINE, or the region when it cannot be."""
    n = board.near.shape[0]
    wrong = unknown = 0
    for i in range(board.first[region], board.first[region + 1]):
        wrong += t.state[n + 2 + i] == WRONG
        unknown += t.state[n + 2 + i] == UNKNOWN
    if wrong > clauses.most or wrong + unknown < clauses.fewest:
        return region
    if unknown and (wrong == clauses.most or wrong + unknown == clauses.fewest):
        value = HONEST if wrong == clauses.most else WRONG
        for i in range(board.first[region], board.first[region + 1]):
            if t.state[n + 2 + i] == UNKNOWN:
                learning.settle(t, n + 2 + i, value, REGION, region)
    return FINE


@lean
def _region_causes(board, clauses, t, region, settled, before):
    n = board.near.shape[0]
    if settled >= 0:
        role = search.OTHER - t.state[settled]
    else:
        wrong = 0
        for i in range(board.first[region], board.first[region + 1]):
            wrong += t.state[n + 2 + i] == WRONG
        role = WRONG if wrong > clauses.most else HONEST
    size = 0
    for i in range(board.first[region], board.first[region + 1]):
        if t.state[n + 2 + i] == role and t.place[n + 2 + i] < before:
            t.causes[size] = n + 2 + i
            size += 1
    return size


@lean
def _wall(board, t, w, cell):
    """A shaded cell joins the walls; what meets one wall twice is unshaded. False when the cell closes a ring."""
    n = board.near.shape[0]
    walls.plant(w, cell)
    for i in range(5):
        other = w.wall[w.corners[cell, i]]
        if other < 0:
            continue
        mine = w.wall[cell]
        if mine == other:
            return False
        if w.size[mine] > w.size[other]:
            mine, other = other, mine
        walls.merge(w, mine, other)
        here = w.after[other]
        for _ in range(w.size[mine]):
            for j in range(4):
                there = w.corners[here, j]
                if there < n and t.state[there] == UNKNOWN and walls.meets_itself(w, there):
                    learning.settle(t, there, UNSHADED, RING, there)
            here = w.after[here]
    return True


@lean
def _propagate(board, clauses, number_at, t, w):
    """Follow the trail to its end. Returns (reason, what it is about) of a contradiction, or (FINE, FINE)."""
    n = board.near.shape[0]
    while t.at[learning.HEAD] < t.at[learning.TAIL]:
        here = t.order[t.at[learning.HEAD]]
        t.at[learning.HEAD] += 1
        if here < n:
            if t.state[here] == SHADED:
                for j in range(4):
                    there = board.near[here, j]
                    if t.state[there] == SHADED:
                        t.causes[0] = here
                        t.causes[1] = there
                        return TOUCHES, here
                    if t.state[there] == UNKNOWN:
                        learning.settle(t, there, UNSHADED, TOUCHES, here)
            for j in range(4):
                i = number_at[board.near[here, j]]
                if i >= 0 and _number(board, t, i) >= 0:
                    return NUMBER, i
            if t.state[here] == SHADED and clauses.connected and not _wall(board, t, w, here):
                return RING, np.int64(here)
        else:
            i = here - n - 2
            if _number(board, t, i) >= 0:
                return NUMBER, np.int64(i)
            region = np.int64(board.region_of[board.numbered[i]])
            if _region(board, clauses, t, region) >= 0:
                return REGION, region
        broken = learning.follow(t, here)
        if broken >= 0:
            return learning.LEARNED, broken
    return FINE, FINE


@lean
def _causes(board, clauses, t, w, why, by, settled):
    """Variables that settled one, or (`settled` FINE) contradict each other, into t.causes. Returns how many."""
    before = t.at[learning.TAIL] if settled < 0 else np.int64(t.place[settled])
    if why == learning.LEARNED:
        return learning.literals_of(t, by, settled)
    if why == NUMBER:
        return _number_causes(board, t, by, settled, before)
    if why == REGION:
        return _region_causes(board, clauses, t, by, settled, before)
    if why == RING:
        if settled >= 0:
            return walls.ring(w, by, t.state, t.place, before, t.causes)
        size = walls.ring(w, by, t.state, t.place, np.int64(t.place[by]), t.causes)
        t.causes[size] = by
        return size + 1
    if settled < 0:
        return 2  # TOUCHES; _propagate has named the two
    t.causes[0] = by
    return 1


@lean
def _back_to(t, w, level):
    """Take back everything above a level."""
    if t.at[learning.LEVEL] > level:
        stop = t.begins[level + 1]
        while t.at[learning.TAIL] > stop:
            cell = learning.pop(t)
            if cell < w.corners.shape[0] and w.wall[cell] >= 0:
                walls.uproot(w, cell)
        t.at[learning.HEAD] = stop
        t.at[learning.LEVEL] = level


@lean
def _begin(board, clauses, number_at, t, w):
    """Settle what the board says outright. Returns False when that is a contradiction already."""
    n = board.near.shape[0]
    t.state[n] = t.state[n + 1] = UNSHADED
    for cell in range(n + 1):
        number_at[cell] = -1
    for i in range(board.numbered.shape[0]):
        number_at[board.numbered[i]] = i
        t.phase[n + 2 + i] = HONEST
    for i in range(board.unshaded.shape[0]):
        learning.settle(t, board.unshaded[i], UNSHADED, learning.GUESSED, FINE)
    if clauses.connected and board.near[0, 1] == n:  # a single row or column, which an inner cell would split
        for cell in range(n):
            if t.state[cell] == UNKNOWN and (n == 1 or board.near[cell, 1] < n):
                learning.settle(t, cell, UNSHADED, learning.GUESSED, FINE)
    for region in range(board.first.shape[0] - 1):
        if board.liar[region] >= 0:
            for i in range(board.first[region], board.first[region + 1]):
                value = WRONG if board.numbered[i] == board.liar[region] else HONEST
                learning.settle(t, n + 2 + i, value, learning.GUESSED, FINE)
        if _region(board, clauses, t, region) >= 0:
            return False
    for i in range(board.numbered.shape[0]):
        if _number(board, t, i) >= 0:
            return False
    return True


@inner
def _solve(board, clauses, rows, cols, limit, budget, answers):
    """All answers up to a limit; the first ones are written to `answers`, uint8 (few, n).

    Returns (answers found, branch points); branch points are above the budget if it ran out.
    """
    n = rows * cols
    variables = n + 2 + board.numbered.shape[0]
    t = learning.trail(variables)
    w = walls.walls(rows, cols)
    number_at = np.empty(n + 1, np.int32)
    found = branch_points = 0
    if not _begin(board, clauses, number_at, t, w):
        return found, branch_points
    while True:
        why, by = _propagate(board, clauses, number_at, t, w)
        level = t.at[learning.LEVEL]
        if why != FINE and level > t.at[learning.FLOOR]:
            learning.begin(t)
            learning.blame(t, _causes(board, clauses, t, w, why, by, FINE))
            while True:
                here = learning.suspect(t)
                if t.at[learning.COUNTED] == 0:
                    break
                learning.blame(t, _causes(board, clauses, t, w, t.why[here], np.int64(t.by[here]), np.int64(here)))
            _back_to(t, w, learning.back_to(t))
            learning.learn(t)
            continue
        if why == FINE and t.at[learning.TAIL] < variables - 2:
            branch_points += 1
            if branch_points > budget:
                return found, branch_points
            learning.guess(t, learning.heaviest(t, 0, variables))
            continue
        if why == FINE:
            if found < answers.shape[0]:
                for cell in range(n):
                    answers[found, cell] = t.state[cell] == SHADED
            found += 1
            if found == limit:
                return found, branch_points
        if level == 0:
            return found, branch_points
        value = t.state[t.order[t.begins[level]]]
        _back_to(t, w, level - 1)
        learning.turn(t, value)
