"""What follows from some of a Nawabari board: a few clues, a few settled sides, some of the rules.

Rules mean what they say in rules.py. Of a cell that prints a clue which is not among the premises nobody knows whether
it has one: it may be the clue of its room, and does no harm in another's. Complete up to a budget, past which a premise
is kept.

Not here: the deductions themselves (explain.py) and the board as a whole (ladder.py).
"""

from typing import NamedTuple

import numpy as np

from ..machinery.kernels import inner, kernel
from .rules import OPEN, UNKNOWN, WALL

RECTANGLE, WITHOUT, SEVERAL, COUNT, DEAD_END = range(5)  # places in `rules`
NODES = 3000  # decisions after which a premise is kept without a proof that it is needed


class Plan(NamedTuple):
    """A board as these kernels read it; n cells, s sides, the last of which is the frame."""

    cols: int
    sides: np.ndarray  # int32 (n, 4): above, left, right, below
    cells: np.ndarray  # int32 (s, 2): the two cells of a side
    clued: np.ndarray  # uint8 (n,): cells that print a clue
    value: np.ndarray  # int32 (n,): a cell's number, or -1
    boxes: np.ndarray  # int32 (m, 4): all rectangles, top, left, bottom, right, small ones first


class Known(NamedTuple):
    """Premises as arrays."""

    state: np.ndarray  # uint8 (s + 1,): UNKNOWN, OPEN or WALL
    stated: np.ndarray  # uint8 (n,): clues that are known
    rules: np.ndarray  # uint8 (5,)


class Work(NamedTuple):
    made: np.ndarray  # uint8 (s + 1,): the walls in the making
    trail: np.ndarray  # int32 (s,)
    tail: np.ndarray  # int64 (1,)
    marks: np.ndarray  # int32 (s, 3): branches: where the trail was, the side, the state that it had first
    label: np.ndarray  # int32 (n,): first cell of a cell's room, as far as open sides join it
    stack: np.ndarray  # int32 (n,)
    box: np.ndarray  # int32 (n, 4): top, left, bottom, right of a room, by its first cell
    count: np.ndarray  # int32 (n, 3): its clues that are stated; its cells that may have one; its unknown sides
    order: np.ndarray  # int32 (m,): rectangles; those still possible come first
    size: np.ndarray  # int32 (n + 1,): how many those are, by how many are laid
    laid: np.ndarray  # int32 (n + 1, 2): the cell that was covered next, the rectangle that covers it
    hits: np.ndarray  # int32 (n,): possible rectangles over a cell; -1 where one is laid


@inner
def _work(plan):
    n, s = plan.sides.shape[0], max(plan.cells.shape[0], 1)
    return Work(
        np.empty(s + 1, np.uint8),
        np.empty(s, np.int32),
        np.empty(1, np.int64),
        np.empty((s, 3), np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty((n, 4), np.int32),
        np.empty((n, 3), np.int32),
        np.empty(plan.boxes.shape[0], np.int32),
        np.empty(n + 1, np.int32),
        np.empty((n + 1, 2), np.int32),
        np.empty(n, np.int32),
    )


@inner
def _set(work, side, value):
    work.made[side] = value
    work.trail[work.tail[0]] = side
    work.tail[0] += 1


@inner
def _other(plan, side, cell):
    """The cell on the far side of a side that is not the frame."""
    return plan.cells[side, 0] + plan.cells[side, 1] - cell


@inner
def _rooms(plan, known, work):
    """Join cells through open sides; fills label, box and count."""
    n, cols = plan.sides.shape[0], plan.cols
    label, stack, box, count = work.label, work.stack, work.box, work.count
    for cell in range(n):
        label[cell] = -1
    for start in range(n):
        if label[start] >= 0:
            continue
        label[start] = start
        top, left, bottom, right = start // cols, start % cols, start // cols, start % cols
        stated = 0
        maybe = 0
        unknown = 0
        stack[0] = start
        size = 1
        while size > 0:
            size -= 1
            here = stack[size]
            r, c = here // cols, here % cols
            top, left, bottom, right = min(top, r), min(left, c), max(bottom, r), max(right, c)
            stated += known.stated[here]
            maybe += plan.clued[here]
            for j in range(4):
                side = plan.sides[here, j]
                if work.made[side] == UNKNOWN:
                    unknown += 1
                elif work.made[side] == OPEN:
                    there = _other(plan, side, here)
                    if label[there] < 0:
                        label[there] = start
                        stack[size] = there
                        size += 1
        box[start, 0], box[start, 1], box[start, 2], box[start, 3] = top, left, bottom, right
        count[start, 0], count[start, 1], count[start, 2] = stated, maybe, unknown


@inner
def _fill_box(plan, known, work, room):
    """What makes a room a rectangle: its box has one stated clue at most, and no wall. False on a contradiction."""
    cols = plan.cols
    top, left, bottom, right = work.box[room, 0], work.box[room, 1], work.box[room, 2], work.box[room, 3]
    stated = 0
    for r in range(top, bottom + 1):
        for c in range(left, right + 1):
            here = r * cols + c
            stated += known.stated[here]
            for j in range(2, 4):
                if (j == 2 and c == right) or (j == 3 and r == bottom):
                    continue
                side = plan.sides[here, j]
                if work.made[side] == WALL:
                    return False
                if work.made[side] == UNKNOWN:
                    _set(work, side, OPEN)
    return stated < 2 or not known.rules[SEVERAL]


@inner
def _one_piece(plan, state, work, room):
    """Whether the cells of a box are joined inside it by sides that are no walls."""
    cols = plan.cols
    top, left, bottom, right = work.box[room, 0], work.box[room, 1], work.box[room, 2], work.box[room, 3]
    width = right - left + 1
    size = (bottom - top + 1) * width
    for i in range(size):
        work.stack[i] = i == 0
    reached = 0
    changed = True
    while changed:
        changed = False
        reached = 0
        for i in range(size):
            if work.stack[i] == 0:
                continue
            reached += 1
            here = (top + i // width) * cols + left + i % width
            for j in range(4):
                side = plan.sides[here, j]
                if side == plan.cells.shape[0] or state[side] == WALL:
                    continue
                there = _other(plan, side, here)
                r, c = there // cols, there % cols
                if top <= r <= bottom and left <= c <= right and work.stack[(r - top) * width + c - left] == 0:
                    work.stack[(r - top) * width + c - left] = 1
                    changed = True
    return reached == size


@inner
def _close(plan, known, work):
    """All that the walls in the making force at once. False on a contradiction. Afterwards rooms are up to date."""
    n, s = plan.sides.shape[0], plan.cells.shape[0]
    made, label = work.made, work.label
    while True:
        before = work.tail[0]
        if known.rules[COUNT]:
            for cell in range(n):
                if not known.stated[cell] or plan.value[cell] < 0:
                    continue
                walls = 0
                unknown = 0
                for j in range(4):
                    walls += made[plan.sides[cell, j]] == WALL
                    unknown += made[plan.sides[cell, j]] == UNKNOWN
                value = plan.value[cell]
                if walls > value or walls + unknown < value:
                    return False
                if unknown > 0 and (walls == value or walls + unknown == value):
                    for j in range(4):
                        if made[plan.sides[cell, j]] == UNKNOWN:
                            _set(work, plan.sides[cell, j], OPEN if walls == value else WALL)
        _rooms(plan, known, work)
        for room in range(n):
            if label[room] != room:
                continue
            if known.rules[SEVERAL] and work.count[room, 0] > 1:
                return False
            if known.rules[WITHOUT] and work.count[room, 1] == 0 and work.count[room, 2] == 0:
                return False
            if known.rules[RECTANGLE] and not _fill_box(plan, known, work, room):
                return False
        if known.rules[DEAD_END]:
            for side in range(s):
                if made[side] != OPEN and label[plan.cells[side, 0]] == label[plan.cells[side, 1]]:
                    if made[side] == WALL:
                        return False
                    _set(work, side, OPEN)
        if work.tail[0] == before:
            return True


@inner
def _towards(plan, work, room):
    """The unknown side of a room without a clue that leads to one with a clue, or else to any, by the smallest box of
    both.
    """
    box = work.box
    pick = -1
    least = 0
    for cell in range(plan.sides.shape[0]):
        if work.label[cell] != room:
            continue
        for j in range(4):
            side = plan.sides[cell, j]
            if work.made[side] != UNKNOWN:
                continue
            other = work.label[_other(plan, side, cell)]
            height = max(box[room, 2], box[other, 2]) - min(box[room, 0], box[other, 0]) + 1
            width = max(box[room, 3], box[other, 3]) - min(box[room, 1], box[other, 1]) + 1
            cost = height * width + (1000 if work.count[other, 1] == 0 else 0)
            if pick < 0 or cost < least:
                pick = side
                least = cost
    return pick


@inner
def _pick(plan, known, work):
    """A side to decide: beside a number, or on the border of a room that has no clue yet; -1 when walls will do
    everywhere else.
    """
    n = plan.sides.shape[0]
    if known.rules[COUNT]:
        for cell in range(n):
            if known.stated[cell] and plan.value[cell] >= 0:
                for j in range(4):
                    if work.made[plan.sides[cell, j]] == UNKNOWN:
                        return plan.sides[cell, j]
    best = -1
    if known.rules[WITHOUT]:
        for room in range(n):
            if (
                work.label[room] == room
                and work.count[room, 1] == 0
                and (best < 0 or work.count[room, 2] < work.count[best, 2])
            ):
                best = room
    if best >= 0:
        return _towards(plan, work, best)
    return -1


@inner
def _fits(plan, known, work):
    """Whether some walls fit."""
    s = plan.cells.shape[0]
    made, marks = work.made, work.marks
    for side in range(s + 1):
        made[side] = known.state[side]
    work.tail[0] = 0
    depth = 0
    nodes = 0
    while True:
        fine = _close(plan, known, work)
        if fine:
            side = _pick(plan, known, work)
            nodes += 1
            if side < 0 or nodes > NODES:
                return True
            marks[depth, 0] = work.tail[0]
            marks[depth, 1] = side
            marks[depth, 2] = OPEN
            depth += 1
            _set(work, side, OPEN)
            continue
        while True:
            if depth == 0:
                return False
            while work.tail[0] > marks[depth - 1, 0]:
                work.tail[0] -= 1
                made[work.trail[work.tail[0]]] = UNKNOWN
            if marks[depth - 1, 2] == OPEN:
                marks[depth - 1, 2] = WALL
                _set(work, marks[depth - 1, 1], WALL)
                break
            depth -= 1


# Rectangles that cover the grid, a clue in each


@inner
def _possible(plan, known, work, i):
    """Whether a rectangle can be a room by what is known. Without DEAD_END there may be walls in it that leave it in
    one piece.
    """
    top, left, bottom, right = plan.boxes[i, 0], plan.boxes[i, 1], plan.boxes[i, 2], plan.boxes[i, 3]
    stated = 0
    maybe = not known.rules[WITHOUT]
    inner_walls = False
    for r in range(top, bottom + 1):
        for c in range(left, right + 1):
            cell = r * plan.cols + c
            maybe |= plan.clued[cell] != 0
            walls = 0
            loose = 0
            for j in range(4):
                state = known.state[plan.sides[cell, j]]
                if (
                    (j == 0 and r == top)
                    or (j == 1 and c == left)
                    or (j == 2 and c == right)
                    or (j == 3 and r == bottom)
                ):
                    walls += 1
                    if state == OPEN:
                        return False
                elif state == WALL:
                    walls += 1
                    inner_walls = True
                elif state == UNKNOWN and not known.rules[DEAD_END]:
                    loose += 1
            if inner_walls and known.rules[DEAD_END]:
                return False
            if walls + loose == 4 and loose > 0:
                loose -= 1  # a cell that has a neighbour in its room is open to one
            if known.stated[cell]:
                stated += 1
                value = plan.value[cell]
                if known.rules[COUNT] and value >= 0 and (value < walls or value > walls + loose):
                    return False
                if stated > 1 and known.rules[SEVERAL]:
                    return False
    if not maybe or not inner_walls:
        return maybe
    work.box[0, 0], work.box[0, 1], work.box[0, 2], work.box[0, 3] = top, left, bottom, right
    return _one_piece(plan, known.state, work, 0)


@inner
def _covers(plan, i, cell):
    r, c = cell // plan.cols, cell % plan.cols
    return plan.boxes[i, 0] <= r <= plan.boxes[i, 2] and plan.boxes[i, 1] <= c <= plan.boxes[i, 3]


@inner
def _rectangles_fit(plan, known, work):
    """Whether some rectangles fit, laid over the cell that has the fewest left."""
    n, m = plan.sides.shape[0], plan.boxes.shape[0]
    order, size, laid, hits, boxes = work.order, work.size, work.laid, work.hits, plan.boxes
    size[0] = 0
    for i in range(m):
        if _possible(plan, known, work, i):
            order[size[0]] = i
            size[0] += 1
    depth = 0
    nodes = 0
    forward = True
    while True:
        if forward:
            for cell in range(n):
                hits[cell] = 0
            for k in range(size[depth]):
                i = order[k]
                for r in range(boxes[i, 0], boxes[i, 2] + 1):
                    for c in range(boxes[i, 1], boxes[i, 3] + 1):
                        hits[r * plan.cols + c] += 1
            for d in range(depth):
                i = laid[d, 1]
                for r in range(boxes[i, 0], boxes[i, 2] + 1):
                    for c in range(boxes[i, 1], boxes[i, 3] + 1):
                        hits[r * plan.cols + c] = -1
            pick = -1
            for cell in range(n):
                if hits[cell] >= 0 and (pick < 0 or hits[cell] < hits[pick]):
                    pick = cell
            nodes += 1
            if pick < 0 or nodes > NODES:
                return True
            laid[depth, 0] = pick
            laid[depth, 1] = -1
        best = m
        for k in range(size[depth]):
            if laid[depth, 1] < order[k] < best and _covers(plan, order[k], laid[depth, 0]):
                best = order[k]
        if best == m:
            if depth == 0:
                return False
            depth -= 1
            forward = False
            continue
        laid[depth, 1] = best
        kept = 0
        for k in range(size[depth]):
            i = order[k]
            apart = (
                boxes[i, 2] < boxes[best, 0]
                or boxes[i, 0] > boxes[best, 2]
                or boxes[i, 3] < boxes[best, 1]
                or boxes[i, 1] > boxes[best, 3]
            )
            if apart:
                order[k] = order[kept]
                order[kept] = i
                kept += 1
        depth += 1
        size[depth] = kept
        forward = True


@inner
def _any(plan, known, work):
    if known.rules[RECTANGLE] and (known.rules[WITHOUT] or not known.rules[DEAD_END]):
        return _rectangles_fit(plan, known, work)
    return _fits(plan, known, work)


@inner
def _forced(plan, known, work, targets, values):
    """Whether every target has its value in all walls that fit; without targets, whether none fit."""
    if targets.shape[0] == 0:
        return not _any(plan, known, work)
    for i in range(targets.shape[0]):
        known.state[targets[i]] = OPEN + WALL - values[i]
        found = _any(plan, known, work)
        known.state[targets[i]] = UNKNOWN
        if found:
            return False
    return True


@kernel
def forced(plan, known, targets, values):
    """Whether every target, int32 (t,), has its value, uint8 (t,), in all walls that fit; without targets, whether none
    fit.
    """
    return _forced(plan, known, _work(plan), targets, values)


@kernel
def shrink(plan, known, targets, values):
    """Drop premises, in halves of halves, while the targets are still forced. Changes `known`; what is left is needed,
    every part.
    """
    work = _work(plan)
    spans = np.empty((64, 2), np.int64)
    for flags in (known.stated, known.state[: plan.cells.shape[0]], known.rules):  # rules last: everybody knows them
        kept = flags.copy()
        spans[0, 0] = 0
        spans[0, 1] = flags.shape[0]
        depth = 1
        while depth > 0:
            depth -= 1
            low, high = spans[depth, 0], spans[depth, 1]
            some = False
            for i in range(low, high):
                some |= flags[i] != 0
                flags[i] = 0
            if not some or _forced(plan, known, work, targets, values):
                continue
            for i in range(low, high):
                flags[i] = kept[i]
            if high - low > 1:
                middle = (low + high) // 2
                spans[depth, 0], spans[depth, 1] = middle, high
                spans[depth + 1, 0], spans[depth + 1, 1] = low, middle
                depth += 2
