"""What follows from some of a Tasquare board: a few clues, a few settled cells, some of the rules.

Rules mean what they say in rules.py. Without "block-not-square" blocks may have any shape, and a number is the area of
what grows beside it; with it, squares are put down until every premise is met. Complete up to a budget, past which a
premise is kept, and the step says so.

Not here: the deductions themselves (explain.py) and the board as a whole (ladder.py).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import grid
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel, lean
from .layout import ring
from .rules import NO_CLUE

SQUARE, CONNECTED, SUM, TOUCH = range(4)  # places in `rules`
NODES = 4000  # cells decided one way or the other, after which a premise is kept without a proof that it is needed


class Plan(NamedTuple):
    """A grid as these kernels read it, and its squares by side, then in order; n cells, q squares, sides up to m."""

    rows: int
    cols: int
    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    first: np.ndarray  # int32 (m + 2,): where each side's squares start
    corner: np.ndarray  # int32 (q,): top left cell
    side: np.ndarray  # int32 (q,)


@lru_cache(maxsize=64)
def plan(rows: int, cols: int) -> Plan:
    """The Plan of a grid."""
    near = grid.neighbours(rows, cols)
    sides = range(1, min(rows, cols) + 1)
    corner = [np.add.outer(np.arange(rows - k + 1) * cols, np.arange(cols - k + 1)).ravel() for k in sides]
    sizes = [len(part) for part in corner]
    return Plan(
        rows,
        cols,
        np.where(near < 0, np.int32(rows * cols), near),
        np.cumsum([0, 0, *sizes]).astype(np.int32),
        np.concatenate(corner).astype(np.int32),
        np.repeat(sides, sizes).astype(np.int32),
    )


class Known(NamedTuple):
    """Premises as arrays."""

    state: np.ndarray  # uint8 (n + 1,)
    value: np.ndarray  # int32 (n,): clues whose value is known, else NO_CLUE
    rules: np.ndarray  # uint8 (4,): SQUARE, CONNECTED, SUM, TOUCH


class Work(NamedTuple):
    made: np.ndarray  # uint8 (n + 1,): the shading in the making
    area: np.ndarray  # int32 (n + 1,): of the square on a cell
    trail: np.ndarray  # int32 (n,)
    marks: np.ndarray  # int32 (n + 1, 4): branches: where the trail was, the cell, the option taken, the largest area
    seen: np.ndarray  # int32 (n + 1,): the last flood to come by
    stack: np.ndarray  # int32 (n,)
    asking: np.ndarray  # int32 (n,): cells among the premises that ask for shading beside them, or over them
    counts: np.ndarray  # int64 (2,): floods; searches ended by their budget


@inner
def _work(plan):
    n = plan.near.shape[0]
    return Work(
        np.empty(n + 1, np.uint8),
        np.empty(n + 1, np.int32),
        np.empty(n, np.int32),
        np.empty((n + 1, 4), np.int32),
        np.zeros(n + 1, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.zeros(2, np.int64),
    )


@lean
def _joined(plan, made, work, strict):
    """Whether the unshaded cells of a shading in the making can be one region; `strict`: the unknown cells are unshaded
    as well.
    """
    n = plan.near.shape[0]
    work.counts[0] += 1
    flood = work.counts[0]
    size = 0
    for cell in range(n):
        if made[cell] == UNSHADED or (strict and made[cell] == UNKNOWN):
            if size == 0:
                _reach(work, flood, cell, size)
                size = 1
                while size > 0:
                    size -= 1
                    here = work.stack[size]
                    for j in range(4):
                        there = plan.near[here, j]
                        if there < n and made[there] != SHADED:
                            size = _reach(work, flood, there, size)
                size = -1
            elif work.seen[cell] != flood:
                return False
    return True


@lean
def _reach(work, flood, cell, size):
    """A flood comes to a cell. Returns the new size of the stack."""
    if work.seen[cell] == flood:
        return size
    work.seen[cell] = flood
    work.stack[size] = cell
    return size + 1


@lean
def _grown(plan, made, work, clue, unknown):
    """(total area of the blocks beside a clue, an unknown cell beside one of them or -1); `unknown`: as if all that is
    not unshaded were shaded.
    """
    n = plan.near.shape[0]
    work.counts[0] += 1
    total = 0
    edge = -1
    here = clue
    size = 0
    while True:
        for j in range(4):
            there = plan.near[here, j]
            if there < n and (made[there] == SHADED or (unknown and made[there] == UNKNOWN)):
                size = _reach(work, work.counts[0], there, size)
            elif made[there] == UNKNOWN and here != clue:
                edge = there
        if size == 0:
            return total, edge
        size -= 1
        total += 1
        here = work.stack[size]


@lean
def _first(plan, made, cell, wanted):
    """The first cell beside a cell in a state, or -1."""
    for j in range(4):
        there = plan.near[cell, j]
        if there < plan.near.shape[0] and made[there] == wanted:
            return there
    return -1


@lean
def _cell(plan, square, i):
    """The i-th cell of a square of side k, and after its k * k cells those beside it, or -1 where the grid ends."""
    k = plan.side[square]
    corner = plan.corner[square]
    if i < k * k:
        return corner + i // k * plan.cols + i % k
    return ring(plan.cols, plan.near.shape[0], corner // plan.cols, corner % plan.cols, k, i - k * k)


@lean
def _put(plan, known, work, tail, cell, option, most):
    """The next option for a cell, from `option` on: 0 is unshaded, then the squares over it up to an area of `most`;
    where blocks have any shape, 0 is unshaded and 1 shaded, or the other way round if `most` is 1. Returns (option, new
    tail) or (-1, tail).
    """
    made, trail, rows, cols = work.made, work.trail, plan.rows, plan.cols
    squares = known.rules[SQUARE]
    if (option == 0 and known.state[cell] != SHADED) or not squares:
        if option > 1:
            return -1, tail
        made[cell] = SHADED if not squares and option != most else UNSHADED
        trail[tail] = cell
        return option, tail + 1
    r, c = cell // cols, cell % cols
    for k in range(1, min(rows, cols) + 1):
        if k * k > most:
            break
        for top in range(max(r - k + 1, 0), min(r, rows - k) + 1):
            for left in range(max(c - k + 1, 0), min(c, cols - k) + 1):
                square = plan.first[k] + top * (cols - k + 1) + left
                fits = square >= option - 1
                for i in range(k * k + 4 * k):
                    there = _cell(plan, square, i)
                    if not fits:
                        break
                    if there >= 0 and made[there] != UNKNOWN:
                        free = made[there] == SHADED and work.area[there] == 0
                        fits &= free if i < k * k else made[there] == UNSHADED
                for i in range(k * k + 4 * k if fits else 0):
                    there = _cell(plan, square, i)
                    if there >= 0 and (made[there] == UNKNOWN or i < k * k):
                        made[there] = SHADED if i < k * k else UNSHADED
                        work.area[there] = k * k if i < k * k else 0
                        trail[tail] = there
                        tail += 1
                if fits:
                    return square + 1, tail
    return -1, tail


@lean
def _fits(plan, known, work):
    """Whether a shading fits. Where its blocks have to be squares, there is none but where a premise asks for one."""
    n = plan.near.shape[0]
    made, area, trail, marks, rules = work.made, work.area, work.trail, work.marks, known.rules
    squares = rules[SQUARE]
    asking = 0
    for cell in range(n + 1):
        made[cell] = known.state[cell] if cell < n else UNSHADED
        area[cell] = 0
        if cell < n and rules[SUM] and known.value[cell] > 0:  # only an unshaded cell carries a number
            if made[cell] == SHADED:
                return False
            made[cell] = UNSHADED
        if cell < n and (known.value[cell] != NO_CLUE or made[cell] == SHADED):
            work.asking[asking] = cell
            asking += 1
    tail = 0
    depth = 0
    nodes = 0
    while True:
        fine = not rules[CONNECTED] or _joined(plan, made, work, False)
        pick = -1
        option = 0
        most = n if squares else 1
        for i in range(asking):
            cell = work.asking[i]
            if not fine:
                break
            if squares and made[cell] == SHADED and area[cell] == 0:
                pick = cell
                option = 1
                most = n
                break
            value = known.value[cell]
            if value == NO_CLUE:
                continue
            side = _first(plan, made, cell, UNKNOWN)
            bare = _first(plan, made, cell, SHADED) < 0
            if rules[TOUCH] and bare:
                fine = side >= 0
                if pick < 0:
                    pick = side
            if rules[SUM] and value == 0 and made[cell] == UNSHADED:
                fine &= bare
                if pick < 0 and side >= 0:
                    pick = side
                    most = n if squares else 0
            if rules[SUM] and value > 0:
                total, edge = _grown(plan, made, work, cell, False)
                side = edge if side < 0 else side
                if total > value or (side < 0 and total < value):
                    fine = False
                elif pick < 0:
                    if not squares:
                        fine = _grown(plan, made, work, cell, True)[0] >= value
                    if side >= 0:
                        pick = side
                        most = value if squares else total < value
        nodes += 1
        if fine and pick < 0 and squares and rules[CONNECTED]:
            fine = _joined(plan, made, work, True)
        if fine and (pick < 0 or nodes > NODES):
            work.counts[1] += pick >= 0
            return True
        if fine:
            for j in range(4 if squares else 0):
                clue = plan.near[pick, j]
                if clue < n and rules[SUM] and known.value[clue] > 0:
                    most = min(most, known.value[clue])
            marks[depth, 0] = tail
            marks[depth, 1] = pick
            marks[depth, 3] = most
            depth += 1
        while True:
            if not fine:
                if depth == 0:
                    return False
                option = marks[depth - 1, 2] + 1
                while tail > marks[depth - 1, 0]:
                    tail -= 1
                    made[trail[tail]] = known.state[trail[tail]]
                    area[trail[tail]] = 0
            option, tail = _put(plan, known, work, tail, marks[depth - 1, 1], option, marks[depth - 1, 3])
            if option >= 0:
                marks[depth - 1, 2] = option
                break
            depth -= 1
            fine = False


@lean
def _forced(plan, known, work, targets, values):
    """Whether every target has its value in every shading that fits; without targets, whether none fits."""
    if targets.shape[0] == 0:
        return not _fits(plan, known, work)
    for i in range(targets.shape[0]):
        known.state[targets[i]] = SHADED + UNSHADED - values[i]
        found = _fits(plan, known, work)
        known.state[targets[i]] = UNKNOWN
        if found:
            return False
    return True


@kernel
def shrink(plan: Plan, known: Known, targets: np.ndarray, values: np.ndarray) -> bool:
    """Drop premises, one by one, while every target, int32 (t,), is forced to have its value, uint8 (t,); without
    targets, while nothing fits. Changes `known`; what is left is needed, every part of it, and that is proven where
    True is returned.
    """
    work = _work(plan)
    for cell in range(plan.near.shape[0]):
        kept = known.value[cell]
        if kept != NO_CLUE:
            known.value[cell] = NO_CLUE
            if not _forced(plan, known, work, targets, values):
                known.value[cell] = kept
    for flags in (known.state[: plan.near.shape[0]], known.rules):  # rules last: everybody knows them
        for i in range(flags.shape[0]):
            kept = flags[i]
            if kept:
                flags[i] = 0
                if not _forced(plan, known, work, targets, values):
                    flags[i] = kept
    return work.counts[1] == 0
