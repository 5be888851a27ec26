"""The kernels of the ladder's rungs: what one settled cell, one number, one region or the connection settles.

Each returns the new tail of the trail, or DEAD. What the rungs mean, and how they are climbed, is in ladder.py.
"""

from typing import NamedTuple

import numpy as np

from ..machinery import connectivity, search
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, lean
from .layout import _bounds

DEAD = -1
REGION_BUDGET = 200_000  # nodes of one region's search; past it the rung says nothing, which is sound


class Work(NamedTuple):
    """Scratch of the kernels, made once a climb."""

    stale_count: np.ndarray  # uint8 (g,): regions that the count rung has to look at again
    stale_region: np.ndarray  # uint8 (g,)
    inside: np.ndarray  # uint8 (n + 1,)
    support: np.ndarray  # uint8 (n + 1,)
    own: np.ndarray  # int32 (n,): a region's own trail
    marks: np.ndarray  # int32 (n, 2)
    role: np.ndarray  # uint8 (n,): see connectivity.cuts, as are the next five
    order: np.ndarray
    low: np.ndarray
    parent: np.ndarray
    turn: np.ndarray
    anchored: np.ndarray


@inner
def _work(board):
    n = board.near.shape[0]
    regions = board.first.shape[0] - 1
    work = Work(
        np.empty(regions, np.uint8),
        np.empty(regions, np.uint8),
        np.empty(n + 1, np.uint8),
        np.empty(n + 1, np.uint8),
        np.empty(n, np.int32),
        np.empty((n, 2), np.int32),
        np.empty(n, np.uint8),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.uint8),
    )
    for region in range(regions):
        work.stale_count[region] = work.stale_region[region] = 1
    for cell in range(n):
        work.inside[cell] = 0
        work.own[cell] = -1
    work.inside[n] = 0
    return work


# One settled cell, one number


@lean
def _fill(board, state, trail, tail, cell, value):
    """Settle every unknown cell around `cell`. Returns the new tail."""
    for j in range(4):
        there = board.near[cell, j]
        if state[there] == UNKNOWN:
            state[there] = value
            trail[tail] = there
            tail += 1
    return tail


@lean
def _honest(board, state, trail, tail, cell):
    """A number that is right: saturate it. Returns the new tail, or DEAD."""
    value = board.value[cell]
    low, high = _bounds(board, state, cell)
    if value < low or value > high:
        return DEAD
    if low < high:
        if low == value:
            return _fill(board, state, trail, tail, cell, UNSHADED)
        if high == value:
            return _fill(board, state, trail, tail, cell, SHADED)
    return tail


@lean
def _wrong(board, state, trail, tail, cell):
    """A number that is wrong: its count must miss. Returns the new tail, or DEAD."""
    value = board.value[cell]
    low, high = _bounds(board, state, cell)
    if low == high:
        return DEAD if low == value else tail
    if high - low == 1:
        if low == value:
            return _fill(board, state, trail, tail, cell, SHADED)
        if high == value:
            return _fill(board, state, trail, tail, cell, UNSHADED)
    return tail


# The rungs


@lean
def _cell(board, state, trail, head, tail, stale_count, stale_region):
    """Neighbours of shaded cells are unshaded, for all cells on the trail from `head`; their regions become stale."""
    while head < tail:
        here = trail[head]
        head += 1
        for j in range(4):
            there = board.near[here, j]
            if state[here] == SHADED:
                if state[there] == SHADED:
                    return DEAD
                if state[there] == UNKNOWN:
                    state[there] = UNSHADED
                    trail[tail] = there
                    tail += 1
            if board.value[there] >= 0:
                stale_count[board.region_of[there]] = 1
                stale_region[board.region_of[there]] = 1
    return tail


@lean
def _named(board, state, trail, tail, region, liar):
    """The numbers of a region, given which one is wrong (-1: none). Returns the new tail, or DEAD."""
    for i in range(board.first[region], board.first[region + 1]):
        cell = board.numbered[i]
        if cell == liar:
            tail = _wrong(board, state, trail, tail, cell)
        else:
            tail = _honest(board, state, trail, tail, cell)
        if tail < 0:
            return DEAD
    return tail


@lean
def _count(board, clauses, state, trail, tail, region):
    """The count rung on one region. Returns the new tail, or DEAD."""
    if board.liar[region] >= 0:
        return _named(board, state, trail, tail, region, board.liar[region])
    must = 0  # numbers that are wrong for certain
    may = 0  # numbers that can still be either
    for i in range(board.first[region], board.first[region + 1]):
        cell = board.numbered[i]
        low, high = _bounds(board, state, cell)
        value = board.value[cell]
        if value < low or value > high:
            must += 1
        elif low < high:
            may += 1
    if must > clauses.most or must + may < clauses.fewest:
        return DEAD
    if may == 0 or (must < clauses.most and must + may > clauses.fewest):
        return tail
    for i in range(board.first[region], board.first[region + 1]):
        cell = board.numbered[i]
        low, high = _bounds(board, state, cell)
        if low == high or board.value[cell] < low or board.value[cell] > high:
            continue
        if must == clauses.most:
            tail = _honest(board, state, trail, tail, cell)
        else:
            tail = _wrong(board, state, trail, tail, cell)
        if tail < 0:
            return DEAD
    return tail


@lean
def _follow(board, state, trail, head, tail, region, liar, inside):
    """Consequences inside one region of the cells on the trail from `head`, given which number is wrong (or -1)."""
    while head < tail:
        here = trail[head]
        head += 1
        for j in range(4):
            there = board.near[here, j]
            if state[here] == SHADED:
                if state[there] == SHADED:
                    return DEAD
                if state[there] == UNKNOWN and inside[there]:
                    state[there] = UNSHADED
                    trail[tail] = there
                    tail += 1
            if board.value[there] >= 0 and board.region_of[there] == region:
                if there == liar:
                    tail = _wrong(board, state, trail, tail, there)
                else:
                    tail = _honest(board, state, trail, tail, there)
                if tail < 0:
                    return DEAD
    return tail


@lean
def _region(board, clauses, state, trail, tail, region, work):
    """The region rung on one region. Returns the new tail, or DEAD.

    Instead of listing every shading it looks for a witness for each value of each cell that has none yet: the same
    verdict, and a region is done as soon as both values of every cell are witnessed. It names one wrong number at a
    time, so where a reading allows several in a region it says nothing.
    """
    if clauses.most > 1:
        return tail
    inside, support, own, marks = work.inside, work.support, work.own, work.marks
    start, stop = board.first[region], board.first[region + 1]
    must = 0
    open_cells = 0
    for i in range(start, stop):
        cell = board.numbered[i]
        low, high = _bounds(board, state, cell)
        must += board.value[cell] < low or board.value[cell] > high
        open_cells += high - low
        for j in range(4):
            there = board.near[cell, j]
            if state[there] == UNKNOWN:
                inside[there] = 1
                support[there] = 0
    if open_cells == 0:
        return tail  # the count rung has judged it
    spent = 0
    possible = False
    reading = start - 1 if clauses.fewest == 0 else start  # start - 1: no number is wrong
    while reading < (stop if clauses.most > 0 else start) and spent <= REGION_BUDGET:
        liar = board.numbered[reading] if reading >= start else -1
        reading += 1
        if board.liar[region] >= 0 and liar != board.liar[region]:
            continue
        if liar < 0:
            if must > 0:
                continue
        else:
            low, high = _bounds(board, state, liar)
            reachable = low <= board.value[liar] <= high
            if must > (0 if reachable else 1) or (reachable and low == high):
                continue
        size = _named(board, state, own, 0, region, liar)
        if size >= 0:
            size = _follow(board, state, own, 0, size, region, liar, inside)
        if size < 0:
            search.undo(state, own, 0)
            continue
        base = size
        for i in range(start, stop):
            for j in range(4):
                cell = board.near[board.numbered[i], j]
                if not inside[cell]:
                    continue
                for value in (UNSHADED, SHADED):
                    if support[cell] & value or state[cell] == search.OTHER - value:
                        continue
                    depth = 0
                    size = base
                    if state[cell] == UNKNOWN:
                        state[cell] = value
                        own[size] = cell
                        size = _follow(board, state, own, base, base + 1, region, liar, inside)
                    pointer = start * 4
                    while True:
                        spent += 1
                        if size >= 0:
                            pick = -1
                            while pointer < stop * 4:
                                there = board.near[board.numbered[pointer >> 2], pointer & 3]
                                if inside[there] and state[there] == UNKNOWN:
                                    pick = there
                                    break
                                pointer += 1
                            if pick < 0:
                                possible = True
                                for a in range(start, stop):
                                    for b in range(4):
                                        there = board.near[board.numbered[a], b]
                                        if inside[there]:
                                            support[there] |= state[there]
                                break
                            marks[depth, 0] = size
                            marks[depth, 1] = pointer
                            depth += 1
                            state[pick] = UNSHADED
                            own[size] = pick
                            size = _follow(board, state, own, size, size + 1, region, liar, inside)
                        else:
                            if depth == 0 or spent > REGION_BUDGET:
                                break
                            depth -= 1
                            size = marks[depth, 0]
                            pointer = marks[depth, 1]
                            pick = own[size]
                            search.undo(state, own, size)
                            state[pick] = SHADED
                            own[size] = pick
                            size = _follow(board, state, own, size, size + 1, region, liar, inside)
                    search.undo(state, own, base)
        search.undo(state, own, 0)
    dead = not possible and spent <= REGION_BUDGET
    for i in range(start, stop):
        for j in range(4):
            cell = board.near[board.numbered[i], j]
            if inside[cell]:
                inside[cell] = 0
                if not dead and spent <= REGION_BUDGET and (support[cell] == UNSHADED or support[cell] == SHADED):
                    state[cell] = support[cell]
                    trail[tail] = cell
                    tail += 1
    return DEAD if dead else tail


@lean
def _connect(board, clauses, state, trail, tail, work):
    """The connect rung. Returns the new tail, or DEAD."""
    found = connectivity.cuts(
        board.near, state, False, work.role, work.order, work.low, work.parent, work.turn, work.anchored
    )
    if found == connectivity.SPLIT:
        return DEAD
    if found > 0:
        for cell in range(board.near.shape[0]):
            if work.role[cell] != UNKNOWN:
                state[cell] = work.role[cell]
                trail[tail] = cell
                tail += 1
    return tail
