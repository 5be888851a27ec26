"""Usowan climbed: the ladder of named deductions.

RUNGS, cheapest first; each returns what it newly settled or a contradiction, and never settles a cell against an answer:

cell     A cell with a clue is unshaded; so are the neighbours of a shaded cell. No number is read.
count    Numbers as bounds. A number out of reach is wrong, one that has come true is right. Once a region has all the wrong
         numbers it may have, its other numbers are right and are saturated; when only one number can still be the wrong one, its
         count is made to miss.
region   The same, exactly: every shading of the cells around a region's numbers that keeps shaded cells apart and has exactly
         one number wrong is considered, and what they agree on is settled.
connect  The unshaded cells are one region: an unknown cell cut off from every unshaded cell is shaded, and one whose shading
         would split them is unshaded.
probe    Assume a cell, climb the rungs below, and drop the assumption if that fails.

A misreading (see rules.Reading) changes how many numbers of a region may be wrong, and whether `connect` applies.

Not here: guessing. solver.py finds all answers.
"""

from typing import NamedTuple

import numpy as np

from ..machinery import connectivity, search
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel, lean
from .layout import clauses, layout
from .rules import RULES, named_reading

RUNGS = ("cell", "count", "region", "connect", "probe")
CELL, COUNT, REGION, CONNECT, PROBE = range(5)
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


# One settled cell, one number


@lean
def _bounds(board, state, cell):
    """(shaded, shaded + unknown) around a cell."""
    shaded = 0
    unknown = 0
    for j in range(4):
        s = state[board.near[cell, j]]
        shaded += s == SHADED
        unknown += s == UNKNOWN
    return shaded, shaded + unknown


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
    """Neighbours of shaded cells are unshaded, for all cells on the trail from `head`; marks the regions they concern."""
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

    Instead of listing every shading it looks for a witness for each value of each cell that has none yet: the same verdict,
    and a region is done as soon as both values of every cell are witnessed. It names one wrong number at a
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


@lean
def _propagate(board, clauses, rungs, state, trail, head, tail, rung, rung_of, work):
    """Climb to a fixed point of the rungs in the bit set `rungs` (below probe), cheapest first. Returns the new tail, or DEAD.

    The trail up to `head` has been followed already; the cells after it were put there by `rung`. rung_of[i] receives the rung
    that put trail[i] there.
    """
    regions = board.first.shape[0] - 1
    connected = head  # how much of the trail the connect rung has seen
    while True:
        before = tail
        tail = _cell(board, state, trail, head, tail, work.stale_count, work.stale_region)
        if tail < 0:
            return DEAD
        for i in range(head, tail):
            rung_of[i] = rung if i < before else CELL
        head = before = tail
        if rungs & (1 << COUNT):
            rung = COUNT
            for region in range(regions):
                if work.stale_count[region]:
                    work.stale_count[region] = 0
                    tail = _count(board, clauses, state, trail, tail, region)
                    if tail < 0:
                        return DEAD
        if tail == before and rungs & (1 << REGION):
            rung = REGION
            for region in range(regions):
                if work.stale_region[region]:
                    work.stale_region[region] = 0
                    tail = _region(board, clauses, state, trail, tail, region, work)
                    if tail < 0:
                        return DEAD
                    if tail > before:
                        break
        if tail == before and rungs & (1 << CONNECT) and clauses.connected and tail > connected:
            rung = CONNECT
            connected = tail
            tail = _connect(board, clauses, state, trail, tail, work)
            if tail < 0:
                return DEAD
        if tail == before:
            return tail


@lean
def _forget(work):
    """After a contradiction: nothing is stale, since the state goes back to a fixed point."""
    for region in range(work.stale_count.shape[0]):
        work.stale_count[region] = 0
        work.stale_region[region] = 0


@lean
def _probe(board, clauses, rungs, state, trail, tail, rung_of, work):
    """The probe rung, up to its first discovery. Returns the new tail, or DEAD."""
    for cell in range(board.near.shape[0]):
        if state[cell] != UNKNOWN:
            continue
        for value in (SHADED, UNSHADED):
            state[cell] = value
            trail[tail] = cell
            fate = _propagate(board, clauses, rungs, state, trail, tail, tail + 1, PROBE, rung_of, work)
            search.undo(state, trail, tail)
            if fate < 0:
                _forget(work)
                state[cell] = search.OTHER - value
                trail[tail] = cell
                return tail + 1
    return tail


@kernel
def _climb(board, clauses, rungs, state, trail, rung_of):
    """The whole ladder from a blank state. Returns how many cells were settled (all of them only by an answer), or DEAD."""
    work = _work(board)
    tail = _start(board, state, trail)
    tail = _propagate(board, clauses, rungs, state, trail, 0, tail, CELL, rung_of, work)
    while tail >= 0 and rungs & (1 << PROBE):
        before = tail
        tail = _probe(board, clauses, rungs, state, trail, tail, rung_of, work)
        if tail == before:
            break
        tail = _propagate(board, clauses, rungs, state, trail, before, tail, PROBE, rung_of, work)
    if tail == state.shape[0] - 1 and not _holds(board, clauses, state, trail, work):
        return DEAD  # every cell follows, and yet some clause is broken
    return tail


@lean
def _start(board, state, trail):
    """A blank state: every cell unknown but those with a clue and the sentinel. Returns the tail."""
    n = board.near.shape[0]
    for cell in range(n):
        state[cell] = UNKNOWN
        trail[cell] = -1
    state[n] = UNSHADED
    for i in range(board.unshaded.shape[0]):
        state[board.unshaded[i]] = UNSHADED
        trail[i] = board.unshaded[i]
    return board.unshaded.shape[0]


@lean
def _holds(board, clauses, state, trail, work):
    """Whether a state with every cell settled is an answer; cells, numbers and connection alike."""
    n = board.near.shape[0]
    for region in range(board.first.shape[0] - 1):
        if _count(board, clauses, state, trail, n, region) < 0:
            return False
    shaded = 0
    for cell in range(n):
        shaded += state[cell] == SHADED
    return not clauses.connected or (shaded < n and _connect(board, clauses, state, trail, n, work) >= 0)


def rungs_to(top):
    """The bit set of the rungs up to `top`; ValueError names the choices."""
    if top not in RUNGS:
        raise ValueError(f"unknown rung {top!r}; choose from {RUNGS}")
    return (2 << RUNGS.index(top)) - 1


class Climb(NamedTuple):
    """How far a climb got.

    state : uint8 (rows, cols)     UNKNOWN, UNSHADED or SHADED; as far as it got, when it met a contradiction
    settled : dict                 rung -> number of cells it settled
    finished : bool                every cell is settled, and the shading is an answer
    contradiction : bool           the board has no answer
    """

    state: np.ndarray
    settled: dict
    finished: bool
    contradiction: bool


def climb(board, top="probe", reading=RULES):
    """How far the ladder gets, without guessing.

    Parameters
    ----------
    board : Board
    top : str                   the highest rung to use, one of RUNGS
    reading : Reading or str    the rules, or a misreading by name

    Returns
    -------
    Climb

    Cost: about 0.1 ms on a 10 x 10 board. Source: the rungs are described at the top of this file.
    """
    reading = named_reading(reading)
    rungs = rungs_to(top)
    plan = layout(board, reading.scope)
    n = board.rows * board.cols
    state, trail, rung_of = np.empty(n + 1, np.uint8), np.empty(n, np.int32), np.zeros(n, np.uint8)
    tail = _climb(plan, clauses(board, reading), rungs, state, trail, rung_of)
    settled = np.bincount(rung_of[: max(tail, 0)], minlength=len(RUNGS))
    shading = state[:n].reshape(board.rows, board.cols)
    return Climb(shading, dict(zip(RUNGS, settled.tolist())), tail == n, tail < 0)
