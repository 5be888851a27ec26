"""What follows from some of a Nawabari board: a few clues, a few settled sides, some of the rules.

Rules mean what they say in rules.py. Of a cell that prints a clue which is not among the premises nobody knows whether
it has one: it may be the clue of its room, and does no harm in another's. Complete up to a budget.

A search that learns (machinery/learning.py) with a switch for every premise: what it learns under some of them holds
under all, and what was switched on for a contradiction are premises enough. Its variables are the s sides, OPEN or
WALL; the same again as the borders of rectangles, see `_corner`; a switch for every rule and every clue. What clauses
would be too many to write down (rooms of other shapes, clues far apart) is looked at when all sides are settled.

Not here: the deductions themselves (explain.py) and the board as a whole (ladder.py).
"""

from typing import NamedTuple

import numpy as np

from ..machinery import learning
from ..machinery.kernels import inner, kernel, lean
from .rules import OPEN, UNKNOWN, WALL

RECTANGLE, WITHOUT, SEVERAL, COUNT, DEAD_END = range(5)  # switches of rules
OFF, ON = 1, 2  # values of a switch
BUDGET = 1000  # contradictions after which a question is left open
HOLDS, FAILS, OPEN_YET = range(3)  # what is found out about a conclusion
LOOSE, NEVER = -1, -2  # instead of a side: none is settled; no walls fit


class Plan(NamedTuple):
    """A board as these kernels read it; n cells, s sides, k clues. A cell's side s is the frame."""

    cols: int
    sides: np.ndarray  # int32 (n, 4): above, left, right, below
    cells: np.ndarray  # int32 (s, 2): the two cells of a side
    meeting: np.ndarray  # int32 (v, 4): sides up, left, right and down of a lattice point
    clued: np.ndarray  # int32 (k,): cells that print a clue
    clue_at: np.ndarray  # int32 (n,): place of a cell's clue in `clued`, or -1
    value: np.ndarray  # int32 (k,): a clue's number, or -1


class Rooms(NamedTuple):
    """Scratch: the rooms between the walls of a search."""

    label: np.ndarray  # int32 (n,): first cell of a cell's room
    queue: np.ndarray  # int32 (n,)
    back: np.ndarray  # int32 (n,): the side towards the first cell, or -1
    depth: np.ndarray  # int32 (n,): how many sides it is away
    used: np.ndarray  # uint8 (v,): variables behind a contradiction


# Clauses. A literal says that a variable has a value, the first or the second.


@lean
def _wall(side):
    return 2 * side + 1


@lean
def _open(side):
    return 2 * side


@lean
def _off(plan, switch):
    """That a premise is none: a rule, or 5 + the place of a clue."""
    return 2 * (2 * plan.cells.shape[0] + switch)


@lean
def _write(t, length):
    """Add t.clause, unless the store is half full: what is not written down is found as rooms are."""
    size = t.at[learning.CLAUSES]
    if 2 * size < t.first.shape[0] and 2 * (t.first[size] + length) < t.literals.shape[0]:
        learning.add(t, length)


@lean
def _corner(plan, t, side, opposite, one, other):
    """A wall that comes to a lattice point goes on or meets a wall that crosses: so do all borders of rectangles, and
    all walls that do not end inside a room.
    """
    s = plan.cells.shape[0]
    for k in range(2):
        t.clause[0] = _open(s + side)
        t.clause[1] = _wall(s + opposite)
        t.clause[2] = _wall(s + (other if k else one))
        t.clause[3] = _off(plan, RECTANGLE)
        _write(t, 4)
    t.clause[0] = _open(side)
    t.clause[1] = _wall(opposite)
    t.clause[2] = _wall(one)
    t.clause[3] = _wall(other)
    t.clause[4] = _off(plan, DEAD_END)
    _write(t, 5)


@lean
def _border(plan, t, side):
    """Every border of a rectangle is a wall, and every wall one that does not end inside a room."""
    s = plan.cells.shape[0]
    t.clause[0] = _open(s + side)
    t.clause[1] = _wall(side)
    t.clause[2] = _off(plan, RECTANGLE)
    _write(t, 3)
    t.clause[0] = _wall(s + side)
    t.clause[1] = _open(side)
    t.clause[3] = _off(plan, DEAD_END)
    _write(t, 4)


@lean
def _number(plan, t, i):
    """A number counts walls: one more of its sides are not all walls, and one more than it leaves open not all open."""
    s, cell = plan.cells.shape[0], plan.clued[i]
    free = 0
    for j in range(4):
        free += plan.sides[cell, j] < s
    need = plan.value[i] - 4 + free
    for chosen in range(16):
        for wall in range(2):
            size = 0
            fits = True
            for j in range(4):
                if chosen >> j & 1:
                    fits &= plan.sides[cell, j] < s
                    t.clause[size] = 2 * plan.sides[cell, j] + wall
                    size += 1
            if fits and size == max(free - need + 1 if wall else need + 1, 0):
                t.clause[size] = _off(plan, COUNT)
                t.clause[size + 1] = _off(plan, 5 + i)
                _write(t, size + 2)


@lean
def _pair(plan, t, i, j):
    """Two clues with no other in the box around them are not in one room: there is a wall on every way between them.

    For the ways with one turn; in rectangles there is a border on them.
    """
    cols, s = plan.cols, plan.cells.shape[0]
    one, other = plan.clued[i], plan.clued[j]
    top, bottom = one // cols, other // cols
    left, right = min(one % cols, other % cols), max(one % cols, other % cols)
    for r in range(top, bottom + 1):
        for c in range(left, right + 1):
            cell = r * cols + c
            if plan.clue_at[cell] >= 0 and cell != one and cell != other:
                return
    for way in range(2 if top < bottom and left < right else 1):
        line = bottom if way else top  # the row it goes along
        column = one % cols if way else other % cols
        for rectangles in range(2):
            size = 0
            for c in range(left, right):
                t.clause[size] = _wall(plan.sides[line * cols + c, 2] + s * rectangles)
                size += 1
            for r in range(top, bottom):
                t.clause[size] = _wall(plan.sides[r * cols + column, 3] + s * rectangles)
                size += 1
            t.clause[size] = _off(plan, SEVERAL)
            t.clause[size + 1] = _off(plan, 5 + i)
            t.clause[size + 2] = _off(plan, 5 + j)
            t.clause[size + 3] = _off(plan, RECTANGLE)
            _write(t, size + 3 + rectangles)


@lean
def _blank(plan, t, top, left, bottom, right):
    """Around cells without a clue are not only walls."""
    cols, s = plan.cols, plan.cells.shape[0]
    size = 0
    for r in range(top, bottom + 1):
        for c in range(left, right + 1):
            for j in range(4):
                on_border = (
                    (j == 0 and r == top)
                    or (j == 1 and c == left)
                    or (j == 2 and c == right)
                    or (j == 3 and r == bottom)
                )
                if on_border and plan.sides[r * cols + c, j] < s:
                    t.clause[size] = _open(plan.sides[r * cols + c, j])
                    size += 1
    t.clause[size] = _off(plan, WITHOUT)
    if size > 0:
        _write(t, size + 1)


@kernel
def start(plan):
    """A search that knows the rules of a board and has not been asked anything: a learning.Trail."""
    n, s, k, cols = plan.sides.shape[0], plan.cells.shape[0], plan.clued.shape[0], plan.cols
    t = learning.trail(2 * s + 5 + k, 64 * n)
    for p in range(plan.meeting.shape[0]):
        up, left, right, down = plan.meeting[p, 0], plan.meeting[p, 1], plan.meeting[p, 2], plan.meeting[p, 3]
        _corner(plan, t, up, down, left, right)
        _corner(plan, t, down, up, left, right)
        _corner(plan, t, left, right, up, down)
        _corner(plan, t, right, left, up, down)
    for side in range(s):
        _border(plan, t, side)
    for i in range(k):
        if plan.value[i] >= 0:
            _number(plan, t, i)
        for j in range(i + 1, k):
            _pair(plan, t, i, j)
    for start in range(n):
        reach = cols
        for bottom in range(start // cols, n // cols):
            right = start % cols
            while right < reach and plan.clue_at[bottom * cols + right] < 0:
                right += 1
            reach = right
            for end in range(start % cols, reach):
                _blank(plan, t, start // cols, start % cols, bottom, end)
    t.at[learning.FIXED] = t.at[learning.CLAUSES]
    return t


# Rooms


@lean
def _beyond(plan, side, cell):
    """The cell on the far side of a side that is not the frame."""
    return np.int64(plan.cells[side, 0] + plan.cells[side, 1] - cell)


@lean
def _join(plan, t, rooms, start):
    """Fill a room of cells that open sides join. Returns how many; they are in the queue."""
    rooms.label[start] = start
    rooms.back[start] = -1
    rooms.depth[start] = 0
    rooms.queue[0] = start
    size = 1
    here = 0
    while here < size:
        cell = rooms.queue[here]
        here += 1
        for j in range(4):
            side = plan.sides[cell, j]
            if side < plan.cells.shape[0] and t.state[side] == OPEN:
                there = _beyond(plan, side, cell)
                if rooms.label[there] < 0:
                    rooms.label[there] = start
                    rooms.back[there] = side
                    rooms.depth[there] = rooms.depth[cell] + 1
                    rooms.queue[size] = there
                    size += 1
    return size


@lean
def _way(plan, t, rooms, size, one, other):
    """Append to t.clause that there is a wall on the way between two cells of a room. Returns its new length."""
    while one != other:
        if rooms.depth[one] < rooms.depth[other]:
            one, other = other, one
        t.clause[size] = _wall(rooms.back[one])
        size += 1
        one = _beyond(plan, np.int64(rooms.back[one]), one)
    return size


@lean
def _around(plan, t, rooms, size, room):
    """Append to t.clause that a room is open somewhere. Returns its new length."""
    for side in range(plan.cells.shape[0]):
        if (rooms.label[plan.cells[side, 0]] == room) != (rooms.label[plan.cells[side, 1]] == room):
            t.clause[size] = _open(side)
            size += 1
    return size


@lean
def _room_wrong(plan, t, rooms, room, size):
    """A clause against what is wrong with the room in the queue, in t.clause. Returns its length; 0 when it is fine."""
    s, cols = plan.cells.shape[0], plan.cols
    top = bottom = room // cols
    left = right = room % cols
    first = np.int64(-1)  # its first clue that is a premise
    printed = False
    for i in range(size):
        cell = np.int64(rooms.queue[i])
        r, c = cell // cols, cell % cols
        top, left, bottom, right = min(top, r), min(left, c), max(bottom, r), max(right, c)
        clue = plan.clue_at[cell]
        printed |= clue >= 0
        if clue >= 0 and t.state[2 * s + 5 + clue] == ON and t.state[2 * s + SEVERAL] == ON:
            if first >= 0:
                t.clause[0] = _off(plan, SEVERAL)
                t.clause[1] = _off(plan, 5 + clue)
                t.clause[2] = _off(plan, 5 + plan.clue_at[first])
                return _way(plan, t, rooms, 3, first, cell)
            first = cell
        for j in range(2, 4):
            side = plan.sides[cell, j]
            if side < s and t.state[side] == WALL and t.state[2 * s + DEAD_END] == ON:
                there = _beyond(plan, side, cell)
                if rooms.label[there] == room:
                    t.clause[0] = _off(plan, DEAD_END)
                    t.clause[1] = _open(side)
                    return _way(plan, t, rooms, 2, cell, there)
    if not printed and t.state[2 * s + WITHOUT] == ON:
        t.clause[0] = _off(plan, WITHOUT)
        return _around(plan, t, rooms, 1, room)
    if (bottom - top + 1) * (right - left + 1) == size or t.state[2 * s + RECTANGLE] != ON:
        return 0
    for r in range(top, bottom + 1):
        for c in range(left, right + 1):
            dent = r * cols + c
            if rooms.label[dent] == room:
                continue
            beside = over = np.int64(-1)  # cells of the room in its row and in its column
            for y in range(top, bottom + 1):
                if rooms.label[y * cols + c] == room:
                    over = y * cols + c
            for x in range(left, right + 1):
                if rooms.label[r * cols + x] == room:
                    beside = r * cols + x
            t.clause[0] = _off(plan, RECTANGLE)
            length = _way(plan, t, rooms, 1, beside, over)
            if rooms.label[dent] < 0:
                _join(plan, t, rooms, dent)
            return _around(plan, t, rooms, length, np.int64(rooms.label[dent]))
    return 0


@lean
def _wrong(plan, t, rooms):
    """A clause against something that is wrong with the rooms, all sides being settled. Returns its length, or 0."""
    n = plan.sides.shape[0]
    for cell in range(n):
        rooms.label[cell] = -1
    for cell in range(n):
        if rooms.label[cell] < 0:
            length = _room_wrong(plan, t, rooms, cell, _join(plan, t, rooms, cell))
            if length > 0:
                return length
    return 0


# The search


@lean
def _back_to(t, level):
    """Take back everything above a level."""
    if t.at[learning.LEVEL] > level:
        stop = t.begins[level + 1]
        while t.at[learning.TAIL] > stop:
            learning.pop(t)
        t.at[learning.HEAD] = stop
        t.at[learning.LEVEL] = level


@lean
def _object(t, length):
    """Add a clause that all that is settled breaks, and go back to the level at which it was broken. Returns it."""
    for place in range(2):  # the newest are watched
        newest = place
        for i in range(place + 1, length):
            if t.level[t.clause[i] >> 1] > t.level[t.clause[newest] >> 1]:
                newest = i
        literal = t.clause[newest]
        t.clause[newest] = t.clause[place]
        t.clause[place] = literal
    level = np.int64(t.level[t.clause[0] >> 1])
    clause = learning.add(t, length)
    _back_to(t, level)
    return clause


@lean
def _blame(t, rooms, clause):
    """Mark in `used` the premises behind a clause that is broken by what follows from them."""
    for i in range(learning.literals_of(t, clause, np.int64(-1))):
        rooms.used[t.causes[i]] = 1
    for place in range(t.at[learning.TAIL] - 1, -1, -1):
        here = np.int64(t.order[place])
        if rooms.used[here] and t.why[here] == learning.LEARNED:
            rooms.used[here] = 0
            for i in range(learning.literals_of(t, np.int64(t.by[here]), here)):
                rooms.used[t.causes[i]] = 1


@lean
def _fits(plan, t, rooms, known, side, value):
    """Whether some walls fit what is known, with one more side settled (or none, -1): FAILS when they do, and stay on
    the trail; HOLDS when none do, with the premises behind it added to `used`; else OPEN_YET.
    """
    s, v = plan.cells.shape[0], known.shape[0]
    _back_to(t, np.int64(0))
    size = t.at[learning.CLAUSES]
    if 4 * size > 3 * t.first.shape[0] or 4 * t.first[size] > 3 * t.literals.shape[0]:
        learning.forget(t)
    t.at[learning.LEVEL] = t.at[learning.FLOOR] = 1
    t.begins[1] = 0
    if side >= 0:
        learning.settle(t, side, value, learning.GUESSED, learning.NONE)
    for switch in range(2 * s, v):
        learning.settle(t, switch, ON if known[switch] else OFF, learning.GUESSED, learning.NONE)
    for i in range(s):
        if known[i] and i != side:
            learning.settle(t, i, known[i], learning.GUESSED, learning.NONE)
    contradictions = 0
    while True:
        broken = np.int64(-1)
        while broken < 0 and t.at[learning.HEAD] < t.at[learning.TAIL]:
            t.at[learning.HEAD] += 1
            broken = np.int64(learning.follow(t, np.int64(t.order[t.at[learning.HEAD] - 1])))
        if broken < 0:
            here = np.int64(-1)
            if known[2 * s + RECTANGLE]:  # no wall that is not needed, besides the borders
                here = np.int64(learning.heaviest(t, s, 2 * s))
            if here < 0:
                here = np.int64(learning.heaviest(t, 0, s))
                if here >= 0 and known[2 * s + RECTANGLE]:
                    t.phase[here] = OPEN
            if here >= 0:
                learning.guess(t, here)
                continue
            length = _wrong(plan, t, rooms)
            if length == 0:
                return FAILS
            if learning.full(t, length):
                return OPEN_YET
            broken = _object(t, length)
        if t.at[learning.LEVEL] == 1:
            _blame(t, rooms, broken)
            return HOLDS
        contradictions += 1
        learning.begin(t)
        learning.blame(t, learning.literals_of(t, broken, np.int64(-1)))
        while True:
            here = np.int64(learning.suspect(t))
            if t.at[learning.COUNTED] == 0:
                break
            learning.blame(t, learning.literals_of(t, np.int64(t.by[here]), here))
        level = learning.back_to(t)
        if contradictions > BUDGET or learning.full(t, t.at[learning.LENGTH] + 1):
            return OPEN_YET
        _back_to(t, level)
        learning.learn(t)


@lean
def _forced(plan, t, rooms, known, targets, values):
    """What is found out about every target, int32 (t,), having its value, uint8 (t,), in all walls that fit; without
    targets, about none fitting. Where it holds, `used` has premises that are enough.
    """
    for i in range(known.shape[0]):
        rooms.used[i] = 0
    if targets.shape[0] == 0:
        return _fits(plan, t, rooms, known, np.int64(-1), OPEN)
    for i in range(targets.shape[0]):
        found = _fits(plan, t, rooms, known, np.int64(targets[i]), OPEN + WALL - values[i])
        if found != HOLDS:
            return found
        rooms.used[targets[i]] = 0
    return HOLDS


@inner
def _rooms(plan, known):
    n = plan.sides.shape[0]
    return Rooms(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(known.shape[0], np.uint8),
    )


@kernel
def forced(plan, t, known, targets, values):
    """Whether every target, int32 (t,), has its value, uint8 (t,), in all walls that fit what is known; without
    targets, whether none fit. False where that is not found out.

    known : uint8 (v,)     states of sides that are premises, ON for rules and clues that are; else 0
    """
    return _forced(plan, t, _rooms(plan, known), known, targets, values) == HOLDS


@lean
def _keep(rooms, known, low, high):
    for i in range(low, high):
        if not rooms.used[i]:
            known[i] = 0


@kernel
def shrink(plan, t, known, order, targets, values):
    """Drop premises while the targets are still forced, as in `forced`. Changes `known`; what is left is needed, every
    part. Returns False where that was not found out for all of them, and where the targets are not forced.

    order : int32     the variables that are premises, clues first, in the order in which they are dropped
    """
    s = plan.cells.shape[0]
    rooms = _rooms(plan, known)
    if _forced(plan, t, rooms, known, targets, values) != HOLDS:
        return False
    clues = known[2 * s + 5 :].copy()
    known[2 * s + 5 :] = 0
    if _forced(plan, t, rooms, known, targets, values) != HOLDS:
        known[2 * s + 5 :] = clues
        _forced(plan, t, rooms, known, targets, values)
    _keep(rooms, known, 2 * s + 5, known.shape[0])
    proved = True
    sides_too = False
    for at in range(order.shape[0]):
        here = order[at]
        if here < 2 * s + 5 and not sides_too:  # the clues are chosen while all sides are there
            sides_too = True
            _forced(plan, t, rooms, known, targets, values)
            _keep(rooms, known, 0, known.shape[0])
        if known[here] == 0:
            continue
        kept = known[here]
        known[here] = 0
        found = _forced(plan, t, rooms, known, targets, values)
        if found == HOLDS:
            _keep(rooms, known, 0 if sides_too else 2 * s + 5, known.shape[0])
        else:
            known[here] = kept
            proved &= found == FAILS
    return proved


@kernel
def first_settled(plan, t, known):
    """The first side that has one state in all walls that fit: (side, state), or (LOOSE, 0), or (NEVER, 0). What is not
    found out within the budget counts as loose.
    """
    s = plan.cells.shape[0]
    rooms = _rooms(plan, known)
    seen = np.zeros((s, 3), np.uint8)  # states that a side has in walls that fit
    found = _fits(plan, t, rooms, known, np.int64(-1), OPEN)
    if found == HOLDS:
        return np.int64(NEVER), np.int64(0)
    for side in range(s):
        value = OPEN
        while known[side] == UNKNOWN and value <= WALL:
            if found == FAILS:
                for other in range(s):
                    seen[other, t.state[other]] = 1
            found = OPEN_YET
            if seen[side, OPEN + WALL - value]:
                value += 1
                continue
            found = _fits(plan, t, rooms, known, side, OPEN + WALL - value)
            if found == HOLDS:
                return np.int64(side), np.int64(value)
            value += found == OPEN_YET
    return np.int64(LOOSE), np.int64(0)
