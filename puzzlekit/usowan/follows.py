"""What follows from some of a Usowan board: a few clues, a few settled cells, a few regions, some of the rules.

A number that is not among the premises still stands in its region and may be the wrong one; a region that is not among
them is as if it printed nothing. Complete, where the ladder is quick: premises are dropped when the rest still forces
the conclusion.

Not here: the deductions themselves (explain.py) and the board as a whole (ladder.py).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import grid
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel

APART, CONNECTED = 0, 1  # places in `rules`: shaded-adjacent, white-split
NODES = 20_000  # branches after which a premise is kept without a proof that it is needed


class Plan(NamedTuple):
    """A board as these kernels read it; n cells, k numbers, g regions."""

    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    numbered: np.ndarray  # int32 (k,): cells with a number, by region
    value: np.ndarray  # int32 (k,)
    group: np.ndarray  # int32 (k,): region of each number
    first: np.ndarray  # int32 (g + 1,): where each region's numbers start
    number_at: np.ndarray  # int32 (n + 1,): place of a cell's number, or -1


@lru_cache(maxsize=1024)
def plan(board):
    """The Plan of a board."""
    n = board.rows * board.cols
    near = grid.neighbours(board.rows, board.cols)
    clues, regions = board.clues.ravel(), board.regions.ravel()
    numbered = np.flatnonzero(clues >= 0)
    numbered = numbered[np.argsort(regions[numbered], kind="stable")]
    number_at = np.full(n + 1, -1, np.int32)
    number_at[numbered] = np.arange(len(numbered))
    return Plan(
        near=np.where(near < 0, np.int32(n), near),
        numbered=numbered.astype(np.int32),
        value=clues[numbered].astype(np.int32),
        group=regions[numbered].astype(np.int32),
        first=np.searchsorted(regions[numbered], np.arange(regions.max() + 2)).astype(np.int32),
        number_at=number_at,
    )


class Known(NamedTuple):
    """Premises as arrays."""

    state: np.ndarray  # uint8 (n + 1,)
    stated: np.ndarray  # uint8 (k,): numbers whose value is known
    active: np.ndarray  # uint8 (g,): regions known to have exactly one wrong number
    rules: np.ndarray  # uint8 (2,): APART, CONNECTED


class Work(NamedTuple):
    trail: np.ndarray  # int32 (n,)
    tail: np.ndarray  # int64 (1,): how many cells are on it
    marks: np.ndarray  # int32 (n, 2): branches: the tail, and where among the numbers to look on
    stale: np.ndarray  # uint8 (g,)
    seen: np.ndarray  # int32 (n + 1,)
    stack: np.ndarray  # int32 (n,)


@inner
def _work(plan):
    n, g = plan.near.shape[0], plan.first.shape[0] - 1
    return Work(
        np.empty(n, np.int32),
        np.empty(1, np.int64),
        np.empty((n, 2), np.int32),
        np.empty(g, np.uint8),
        np.empty(n + 1, np.int32),
        np.empty(n, np.int32),
    )


# Is there a shading that fits?


@inner
def _set(state, work, cell, value):
    """Settle an unknown cell."""
    state[cell] = value
    work.trail[work.tail[0]] = cell
    work.tail[0] += 1


@inner
def _undo(state, work, mark):
    """Everything settled since `mark` is unknown again."""
    while work.tail[0] > mark:
        work.tail[0] -= 1
        state[work.trail[work.tail[0]]] = UNKNOWN


@inner
def _bounds(plan, state, place):
    """(shaded, shaded + unknown) around a number."""
    low = 0
    high = 0
    for j in range(4):
        s = state[plan.near[plan.numbered[place], j]]
        low += s == SHADED
        high += s != UNSHADED
    return low, high


@inner
def _judge(plan, known, work, region):
    """A region's numbers, one of which is wrong. False on a contradiction."""
    state = known.state
    must = 0
    may = 0
    blank = 0
    for place in range(plan.first[region], plan.first[region + 1]):
        if not known.stated[place]:
            blank += 1
            continue
        low, high = _bounds(plan, state, place)
        if plan.value[place] < low or plan.value[place] > high:
            must += 1
        elif low < high:
            may += 1
    if must > 1 or must + may + blank == 0:
        return False
    if may == 0 or (must == 0 and may + blank > 1):
        return True
    for place in range(plan.first[region], plan.first[region + 1]):
        low, high = _bounds(plan, state, place)
        value = plan.value[place]
        if not known.stated[place] or low == high or value < low or value > high:
            continue
        to = UNKNOWN
        if (must == 1 and value == low) or (must == 0 and high - low == 1 and value == high):
            to = UNSHADED
        elif (must == 1 and value == high) or (must == 0 and high - low == 1 and value == low):
            to = SHADED
        if to != UNKNOWN:
            for j in range(4):
                there = plan.near[plan.numbered[place], j]
                if state[there] == UNKNOWN:
                    _set(state, work, there, to)
    return True


@inner
def _joined(plan, known, work):
    """Whether the unshaded cells can still be one region.

    Unknown cells that no number sees can all be unshaded, but for a pocket, and a pocket can be shaded only where
    shaded cells may touch.
    """
    n = plan.near.shape[0]
    state, seen, stack = known.state, work.seen, work.stack
    root = -1
    for cell in range(n):
        seen[cell] = 0
        if state[cell] != SHADED and (root < 0 or (state[cell] == UNSHADED and state[root] != UNSHADED)):
            root = cell
    if root < 0:
        return False
    seen[root] = 1
    stack[0] = root
    size = 1
    while size > 0:
        size -= 1
        here = stack[size]
        for j in range(4):
            there = plan.near[here, j]
            if there < n and not seen[there] and state[there] != SHADED:
                seen[there] = 1
                stack[size] = there
                size += 1
    for cell in range(n):
        if not seen[cell] and (state[cell] == UNSHADED or (state[cell] == UNKNOWN and known.rules[APART])):
            return False
    return True


@inner
def _propagate(plan, known, work, head):
    """Consequences of the cells on the trail from `head`. False on a contradiction."""
    state = known.state
    while True:
        while head < work.tail[0]:
            here = work.trail[head]
            head += 1
            for j in range(4):
                there = plan.near[here, j]
                if known.rules[APART] and state[here] == SHADED:
                    if state[there] == SHADED:
                        return False
                    if state[there] == UNKNOWN:
                        _set(state, work, there, UNSHADED)
                if plan.number_at[there] >= 0:
                    work.stale[plan.group[plan.number_at[there]]] = 1
        for region in range(known.active.shape[0]):
            if work.stale[region] and known.active[region]:
                work.stale[region] = 0
                if not _judge(plan, known, work, region):
                    return False
        if head == work.tail[0]:
            return not known.rules[CONNECTED] or _joined(plan, known, work)


@inner
def _fits(plan, known, work):
    """Whether a shading fits. It is left in the state and on the trail, as far as numbers see it; without one so is
    rubbish.
    """
    n = plan.near.shape[0]
    state, marks = known.state, work.marks
    work.tail[0] = 0
    for region in range(known.active.shape[0]):
        work.stale[region] = 1
    if known.rules[APART]:
        for cell in range(n):
            if state[cell] == SHADED:
                for j in range(4):
                    there = plan.near[cell, j]
                    if state[there] == SHADED:
                        return False
                    if state[there] == UNKNOWN:
                        _set(state, work, there, UNSHADED)
    fine = _propagate(plan, known, work, np.int64(0))
    depth = 0
    pointer = 0
    nodes = 0
    while True:
        if fine:
            while pointer < 4 * plan.numbered.shape[0]:
                place = pointer >> 2
                if not known.stated[place] or not known.active[plan.group[place]]:
                    pointer += 4
                elif state[plan.near[plan.numbered[place], pointer & 3]] == UNKNOWN:
                    break
                else:
                    pointer += 1
            nodes += 1
            if pointer >= 4 * plan.numbered.shape[0] or nodes > NODES:
                return True
            marks[depth, 0] = work.tail[0]
            marks[depth, 1] = pointer
            depth += 1
            _set(state, work, plan.near[plan.numbered[pointer >> 2], pointer & 3], UNSHADED)
        else:
            if depth == 0:
                return False
            depth -= 1
            mark = marks[depth, 0]
            pointer = marks[depth, 1]
            pick = work.trail[mark]
            _undo(state, work, mark)
            _set(state, work, pick, SHADED)
        fine = _propagate(plan, known, work, work.tail[0] - 1)


@inner
def _forced(plan, known, work, targets, values):
    """Whether every target has its value in every shading that fits; without targets, whether none fits."""
    if targets.shape[0] == 0:
        found = _fits(plan, known, work)
        _undo(known.state, work, 0)
        return not found
    for i in range(targets.shape[0]):
        known.state[targets[i]] = SHADED + UNSHADED - values[i]
        found = _fits(plan, known, work)
        _undo(known.state, work, 0)
        known.state[targets[i]] = UNKNOWN
        if found:
            return False
    return True


@kernel
def forced(plan, known, targets, values):
    """Whether every target, int32 (t,), has its value, uint8 (t,), in every shading that fits; without targets, whether
    none fits.
    """
    return _forced(plan, known, _work(plan), targets, values)


@kernel
def shrink(plan, known, targets, values):
    """Drop premises, one by one, while the targets are still forced. Changes `known`; what is left is needed, every
    part of it.
    """
    work = _work(plan)
    for flags in (
        known.stated,
        known.state[: plan.near.shape[0]],
        known.active,
        known.rules,
    ):  # rules last: everybody knows them
        for i in range(flags.shape[0]):
            kept = flags[i]
            if kept:
                flags[i] = 0
                if not _forced(plan, known, work, targets, values):
                    flags[i] = kept


@kernel
def agreed(plan, known):
    """What all shadings agree on around the numbers that count: uint8 (n + 1,), each cell's states as bits; all 0 if
    there is none.
    """
    n = plan.near.shape[0]
    work = _work(plan)
    state = known.state
    seen = np.zeros(n + 1, np.uint8)
    for place in range(plan.numbered.shape[0]):
        if not known.active[plan.group[place]]:
            continue
        for j in range(4):
            cell = plan.near[plan.numbered[place], j]
            if state[cell] != UNKNOWN:
                continue
            for value in (UNSHADED, SHADED):
                if seen[cell] & value:
                    continue
                state[cell] = value
                if _fits(plan, known, work):
                    seen[cell] |= value
                    for i in range(work.tail[0]):
                        seen[work.trail[i]] |= state[work.trail[i]]
                _undo(state, work, 0)
                state[cell] = UNKNOWN
    return seen
