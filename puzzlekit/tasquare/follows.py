"""What follows from some of a Tasquare board: a few clues, a few settled cells, some of the rules.

Rules mean what they say in rules.py. Without "block-not-square" blocks may have any shape, and a number is the area of
what grows beside it; with it, squares are put down until every premise is met. Complete up to a budget, past which a
premise is kept.

Not here: the deductions themselves (explain.py) and the board as a whole (ladder.py).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import grid
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel, lean
from .rules import NO_CLUE

SQUARE, CONNECTED, SUM, TOUCH = range(4)  # places in `rules`
NODES = 4000  # cells decided one way or the other, after which a premise is kept without a proof that it is needed


class Plan(NamedTuple):
    """A grid as these kernels read it, and its squares by side, then in reading order; n cells, q squares, sides to m."""

    rows: int
    cols: int
    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    first: np.ndarray  # int32 (m + 2,): where each side's squares start
    corner: np.ndarray  # int32 (q,): top left cell
    side: np.ndarray  # int32 (q,)


@lru_cache(maxsize=64)
def plan(rows, cols):
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
    marks: np.ndarray  # int32 (n, 3): branches: where the trail was, the cell, the option taken
    seen: np.ndarray  # uint8 (n + 1,)
    stack: np.ndarray  # int32 (n,)
    given_up: np.ndarray  # uint8 (1,): whether a search was ended by its budget


@inner
def _work(plan):
    n = plan.near.shape[0]
    return Work(
        np.empty(n + 1, np.uint8),
        np.zeros(n + 1, np.int32),
        np.empty(n, np.int32),
        np.empty((n + 1, 3), np.int32),
        np.empty(n + 1, np.uint8),
        np.empty(n, np.int32),
        np.zeros(1, np.uint8),
    )


@lean
def _joined(plan, made, work, strict):
    """Whether the unshaded cells of a shading in the making can be one region; `strict`: the unknown cells are unshaded
    as well.
    """
    n = plan.near.shape[0]
    seen, stack = work.seen, work.stack
    root = -1
    for cell in range(n):
        seen[cell] = 0
        if root < 0 and (made[cell] == UNSHADED or (strict and made[cell] == UNKNOWN)):
            root = cell
    if root < 0:
        return True
    seen[root] = 1
    stack[0] = root
    size = 1
    while size > 0:
        size -= 1
        here = stack[size]
        for j in range(4):
            there = plan.near[here, j]
            if there < n and not seen[there] and made[there] != SHADED:
                seen[there] = 1
                stack[size] = there
                size += 1
    for cell in range(n):
        if not seen[cell] and (made[cell] == UNSHADED or (strict and made[cell] == UNKNOWN)):
            return False
    return True


@lean
def _start(plan, known, work):
    """The shading in the making: what is settled, and the cells that carry a number, which only unshaded cells do.
    False if that fails already.
    """
    n = plan.near.shape[0]
    for cell in range(n):
        work.made[cell] = known.state[cell]
        if known.rules[SUM] and known.value[cell] > 0:
            if known.state[cell] == SHADED:
                return False
            work.made[cell] = UNSHADED
    work.made[n] = UNSHADED
    return True


@lean
def _beside(plan, made, cell, wanted):
    """How many cells beside a cell are in a state."""
    count = 0
    for j in range(4):
        there = plan.near[cell, j]
        if there < plan.near.shape[0]:
            count += made[there] == wanted
    return count


@lean
def _first(plan, made, cell, wanted):
    """The first cell beside a cell in a state, or -1."""
    for j in range(4):
        there = plan.near[cell, j]
        if there < plan.near.shape[0] and made[there] == wanted:
            return there
    return -1


# Blocks of any shape


@lean
def _grown(plan, made, work, clue, least):
    """(total area of the blocks beside a clue, an unknown cell beside one of them or -1); `least` UNKNOWN: as if all
    that is not unshaded were shaded.
    """
    n = plan.near.shape[0]
    seen, stack = work.seen, work.stack
    for cell in range(n):
        seen[cell] = 0
    total = 0
    edge = -1
    for j in range(4):
        start = plan.near[clue, j]
        if start == n or seen[start] or made[start] == UNSHADED or (made[start] == UNKNOWN and least == SHADED):
            continue
        seen[start] = 1
        stack[0] = start
        size = 1
        while size > 0:
            size -= 1
            here = stack[size]
            total += 1
            for i in range(4):
                there = plan.near[here, i]
                if there == n or seen[there] or made[there] == UNSHADED:
                    continue
                if made[there] == UNKNOWN and least == SHADED:
                    edge = there
                    continue
                seen[there] = 1
                stack[size] = there
                size += 1
    return total, edge


@lean
def _any_fits(plan, known, work):
    """Whether a shading fits whose blocks may have any shape."""
    n = plan.near.shape[0]
    made, trail, marks = work.made, work.trail, work.marks
    if not _start(plan, known, work):
        return False
    tail = 0
    depth = 0
    nodes = 0
    while True:
        fine = not known.rules[CONNECTED] or _joined(plan, made, work, False)
        pick = -1
        first = SHADED
        for cell in range(n):
            if not fine or pick >= 0:
                break
            value = known.value[cell]
            if known.rules[TOUCH] and value != NO_CLUE and _beside(plan, made, cell, SHADED) == 0:
                pick = _first(plan, made, cell, UNKNOWN)
                fine = pick >= 0
            if known.rules[SUM] and value == 0 and made[cell] == UNSHADED and fine:
                fine = _beside(plan, made, cell, SHADED) == 0
                if fine and pick < 0:
                    pick = _first(plan, made, cell, UNKNOWN)
                    first = UNSHADED
            if known.rules[SUM] and value > 0 and fine:
                room, _ = _grown(plan, made, work, cell, UNKNOWN)
                total, edge = _grown(plan, made, work, cell, SHADED)
                side = _first(plan, made, cell, UNKNOWN)
                if side < 0:
                    side = edge
                if total > value or room < value or (side < 0 and total < value):
                    fine = False
                elif side >= 0 and pick < 0:
                    pick = side
                    first = SHADED if total < value else UNSHADED
        nodes += 1
        if fine and (pick < 0 or nodes > NODES):
            work.given_up[0] |= pick >= 0
            return True
        if fine:
            marks[depth, 0] = tail
            marks[depth, 1] = pick
            marks[depth, 2] = first
            depth += 1
            made[pick] = first
            trail[tail] = pick
            tail += 1
            continue
        while True:
            if depth == 0:
                return False
            tail -= 1
            made[trail[tail]] = UNKNOWN
            if marks[depth - 1, 2] != UNKNOWN:
                pick = marks[depth - 1, 1]
                made[pick] = SHADED + UNSHADED - marks[depth - 1, 2]
                marks[depth - 1, 2] = UNKNOWN  # both ways tried after this
                trail[tail] = pick
                tail += 1
                break
            depth -= 1


# Squares


@lean
def _put(plan, known, work, tail, cell, option, most):
    """The next option for a cell, from `option` on: 0 is unshaded, then the squares over it. Returns (option, new tail)
    or (-1, tail).
    """
    rows, cols = plan.rows, plan.cols
    made, trail = work.made, work.trail
    if option == 0:
        if known.state[cell] != SHADED:
            made[cell] = UNSHADED
            trail[tail] = cell
            return 0, tail + 1
        option = 1
    r, c = cell // cols, cell % cols
    last = 0
    for k in range(1, min(rows, cols) + 1):
        if k * k > most:
            break
        for i in range(k):
            for j in range(k):
                last += 1
                if last < option:
                    continue
                top, left = r - i, c - j
                if top < 0 or left < 0 or top + k > rows or left + k > cols:
                    continue
                fits = True
                for y in range(max(top - 1, 0), min(top + k + 1, rows)):
                    for x in range(max(left - 1, 0), min(left + k + 1, cols)):
                        there = y * cols + x
                        inside = top <= y < top + k and left <= x < left + k
                        if inside:
                            fits &= made[there] == UNKNOWN or (made[there] == SHADED and work.area[there] == 0)
                        elif top <= y < top + k or left <= x < left + k:
                            fits &= made[there] != SHADED
                if not fits:
                    continue
                for y in range(max(top - 1, 0), min(top + k + 1, rows)):
                    for x in range(max(left - 1, 0), min(left + k + 1, cols)):
                        there = y * cols + x
                        inside = top <= y < top + k and left <= x < left + k
                        if inside:
                            made[there] = SHADED
                            work.area[there] = k * k
                            trail[tail] = there
                            tail += 1
                        elif (top <= y < top + k or left <= x < left + k) and made[there] == UNKNOWN:
                            made[there] = UNSHADED
                            trail[tail] = there
                            tail += 1
                return last, tail
    return -1, tail


@lean
def _squares_fit(plan, known, work):
    """Whether a shading fits all of whose blocks are squares. Where no premise asks for a square there is none."""
    n = plan.near.shape[0]
    made, area, trail, marks = work.made, work.area, work.trail, work.marks
    if not _start(plan, known, work):
        return False
    for cell in range(n):
        area[cell] = 0
    tail = 0
    depth = 0
    nodes = 0
    while True:
        fine = not known.rules[CONNECTED] or _joined(plan, made, work, False)
        pick = -1
        option = 1
        most = n
        for cell in range(n):
            if not fine:
                break
            if made[cell] == SHADED and area[cell] == 0:
                pick = cell
                option = 1
                most = n
                break
            value = known.value[cell]
            if value == NO_CLUE:
                continue
            side = _first(plan, made, cell, UNKNOWN)
            if known.rules[TOUCH] and _beside(plan, made, cell, SHADED) == 0:
                fine = side >= 0
                if fine and pick < 0:
                    pick = side
                    option = 0
            if known.rules[SUM] and value == 0 and made[cell] == UNSHADED:
                fine &= _beside(plan, made, cell, SHADED) == 0
                if side >= 0 and pick < 0:
                    pick = side
                    option = 0
            if known.rules[SUM] and value > 0:
                total = 0
                open_sides = False
                for j in range(4):
                    there = plan.near[cell, j]
                    if there < n and made[there] == SHADED:
                        total += max(1, area[there])
                        open_sides |= area[there] == 0
                if total > value or (side < 0 and not open_sides and total < value):
                    fine = False
                elif side >= 0 and pick < 0:
                    pick = side
                    option = 0
                    most = value
        nodes += 1
        if fine and pick < 0 and known.rules[CONNECTED]:
            fine = _joined(plan, made, work, True)
        if fine and (pick < 0 or nodes > NODES):
            work.given_up[0] |= pick >= 0
            return True
        if fine:
            marks[depth, 0] = tail
            marks[depth, 1] = pick
            depth += 1
            for j in range(4):
                clue = plan.near[pick, j]
                if clue < n and known.rules[SUM] and known.value[clue] > 0:
                    most = min(most, known.value[clue])
        while True:
            if not fine:
                if depth == 0:
                    return False
                pick = marks[depth - 1, 1]
                option = marks[depth - 1, 2] % (1 << 20) + 1
                most = marks[depth - 1, 2] >> 20
                while tail > marks[depth - 1, 0]:
                    tail -= 1
                    made[trail[tail]] = known.state[trail[tail]]
                    area[trail[tail]] = 0
            option, tail = _put(plan, known, work, tail, pick, option, most)
            if option >= 0:
                marks[depth - 1, 2] = most << 20 | option
                break
            depth -= 1
            fine = False


@lean
def _fits(plan, known, work):
    return _squares_fit(plan, known, work) if known.rules[SQUARE] else _any_fits(plan, known, work)


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
def shrink(plan, known, targets, values):
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
    return work.given_up[0] == 0
