"""The rules of Nawabari as clauses, with a switch for every premise: follows.py asks what some of them imply.

Variables are the s sides, OPEN or WALL; the same again as borders of rectangles; a switch for every rule; a switch for
every clue. Where rooms are rectangles a border lies between cells of different rooms: every border is a wall, and where
no wall ends inside a room every wall is a border.

What would be too much to write down for every board (rooms of other shapes, clues far apart) is looked for when all
sides are settled: `_wrong`. All that is written here holds on every board, with its switches.

Not here: the search.
"""

from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import lean
from .layout import geometry
from .rules import NO_CLUE, OPEN, WALL, Board

RECTANGLE, WITHOUT, SEVERAL, COUNT, DEAD_END = range(5)  # switches of rules, those of clues come next
RULES = 5
OFF, ON = 1, 2  # values of a switch


class Plan(NamedTuple):
    """A board as these kernels read it; n cells, s sides, k clues. A cell's side s is the frame."""

    cols: int
    sides: np.ndarray  # int32 (n, 4): above, left, right, below
    cells: np.ndarray  # int32 (s, 2): the two cells of a side
    clued: np.ndarray  # int32 (k,): cells that print a clue
    clue_at: np.ndarray  # int32 (n,): place of a cell's clue in `clued`, or -1


class Rooms(NamedTuple):
    """Scratch: the rooms between settled sides."""

    label: np.ndarray  # int32 (n,): first cell of a cell's room
    queue: np.ndarray  # int32 (n,)
    back: np.ndarray  # int32 (n,): the side towards the first cell, or -1
    depth: np.ndarray  # int32 (n,): how many sides it is away


def plan(board: Board) -> Plan:
    """The Plan of a board."""
    sides, cells, _, _ = geometry(board.rows, board.cols)
    clued = np.flatnonzero(board.clues.ravel() != NO_CLUE).astype(np.int32)
    clue_at = np.full(board.rows * board.cols, -1, np.int32)
    clue_at[clued] = np.arange(len(clued))
    return Plan(board.cols, sides, cells, clued, clue_at)


# Clauses: lists of literals, which say that a variable has its first value or its second; or arrays (clauses, literals)


def _wall(side):
    return 2 * side + 1


def _open(side):
    return 2 * side


@lru_cache(maxsize=32)
def _shapes(rows, cols):
    """What walls and borders look like on every board of a size. A wall that comes to a lattice point goes on or meets
    one that crosses: so do all borders of rectangles, and all walls that do not end inside a room.
    """
    _, cells, _, meeting = geometry(rows, cols)
    s = len(cells)
    up, left, right, down = meeting.T
    side = np.arange(s)
    rectangle, dead_end = (np.full(max(s, len(up)), 2 * (2 * s + rule)) for rule in (RECTANGLE, DEAD_END))
    found = [
        [_open(s + side), _wall(side), rectangle[:s]],
        [_wall(s + side), _open(side), rectangle[:s], dead_end[:s]],
    ]
    for here, opposite, *across in (
        (up, down, left, right), (down, up, left, right), (left, right, up, down), (right, left, up, down)
    ):  # fmt: skip
        found.append([_open(here), *(_wall(there) for there in (opposite, *across)), dead_end[: len(up)]])
        borders = _open(s + here), _wall(s + opposite)
        found += [[*borders, _wall(s + there), rectangle[: len(up)]] for there in across]
    return [np.stack(clauses, axis=1) for clauses in found]


def _numbers(board, plan, off):
    """A number counts walls: one more of its sides are not all walls, and one more than it leaves open not all open."""
    values = board.clues.ravel()[plan.clued].tolist()
    for i, (value, sides) in enumerate(zip(values, plan.sides[plan.clued].tolist(), strict=True)):
        if value >= 0:
            inner = [side for side in sides if side < len(plan.cells)]
            need = value - 4 + len(inner)
            for said, few in ((_open, need + 1), (_wall, len(inner) - need + 1)):
                for some in combinations(inner, max(few, 0)):
                    yield [*map(said, some), off(COUNT), off(RULES + i)]


def _pairs(board, plan, off):
    """Two clues with no other in the box around them are not in one room: there is a wall on every way between them.

    For the ways with one turn; of rectangles there is a border on them.
    """
    rows, cols, s = board.rows, board.cols, len(plan.cells)
    sums = np.zeros((rows + 1, cols + 1), int)
    sums[1:, 1:] = (board.clues != NO_CLUE).cumsum(axis=0).cumsum(axis=1)
    r, c = np.divmod(plan.clued, cols)
    one, other = np.triu_indices(len(r), 1)
    left, right = np.minimum(c[one], c[other]), np.maximum(c[one], c[other]) + 1
    top, bottom = r[one], r[other] + 1
    alone = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left] == 2
    down = rows * (cols - 1)
    for i, j in zip(one[alone].tolist(), other[alone].tolist(), strict=True):
        (top, bottom), (here, there) = r[[i, j]].tolist(), c[[i, j]].tolist()
        switches = [off(SEVERAL), off(RULES + i), off(RULES + j)]
        for line, column in [(top, there), (bottom, here)][: 1 + (top < bottom and here != there)]:
            first = line * (cols - 1) + min(here, there)
            way = [*range(first, first + abs(here - there))]
            way += range(down + top * cols + column, down + bottom * cols + column, cols)
            yield [*map(_wall, way), *switches]
            yield [*(_wall(s + side) for side in way), *switches, off(RECTANGLE)]


def _blanks(board, plan, off):
    """Around a rectangle without a clue are not only walls."""
    rows, cols = board.rows, board.cols
    down = rows * (cols - 1)
    blank = (board.clues == NO_CLUE).tolist()
    for top in range(rows):
        for left in range(cols):
            reach = cols
            lefts = []
            for bottom in range(top, rows):
                line = blank[bottom]
                right = left
                while right < reach and line[right]:
                    right += 1
                reach = right
                if reach == left:
                    break
                if left:
                    lefts.append(_open(bottom * (cols - 1) + left - 1))
                above, below = down + (top - 1) * cols, down + bottom * cols
                for right in range(left, reach):
                    around = list(lefts)
                    if right < cols - 1:
                        first = top * (cols - 1) + right
                        around += range(2 * first, 2 * (first + (bottom - top + 1) * (cols - 1)), 2 * (cols - 1))
                    if top:
                        around += range(2 * (above + left), 2 * (above + right + 1), 2)
                    if bottom < rows - 1:
                        around += range(2 * (below + left), 2 * (below + right + 1), 2)
                    yield [*(around or [off(WITHOUT)]), off(WITHOUT)]  # two literals at least


def clauses(board: Board, plan: Plan) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """All that is written down: literals, int32, and where each clause begins, int32."""

    def off(switch):
        return 2 * (2 * len(plan.cells) + switch)

    shapes = _shapes(board.rows, board.cols)
    lists = [*_numbers(board, plan, off), *_pairs(board, plan, off), *_blanks(board, plan, off)]
    lengths = [*(np.full(len(shape), shape.shape[1]) for shape in shapes), np.array([*map(len, lists)], int)]
    literals = [*(shape.ravel() for shape in shapes), np.fromiter(chain.from_iterable(lists), int)]
    first = np.concatenate([[0], np.concatenate(lengths).cumsum()])
    return np.concatenate(literals).astype(np.int32), first.astype(np.int32)


# Rooms


@lean
def _switched(plan, switch):
    """The literal that a switch is off."""
    return 2 * (2 * plan.cells.shape[0] + switch)


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
        t.clause[size] = 2 * rooms.back[one] + 1
        size += 1
        one = _beyond(plan, np.int64(rooms.back[one]), one)
    return size


@lean
def _around(plan, t, rooms, size, room):
    """Append to t.clause that a room is open somewhere. Returns its new length."""
    for side in range(plan.cells.shape[0]):
        if (rooms.label[plan.cells[side, 0]] == room) != (rooms.label[plan.cells[side, 1]] == room):
            t.clause[size] = 2 * side
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
        if clue >= 0 and t.state[2 * s + RULES + clue] == ON and t.state[2 * s + SEVERAL] == ON:
            if first >= 0:
                t.clause[0] = _switched(plan, SEVERAL)
                t.clause[1] = _switched(plan, RULES + clue)
                t.clause[2] = _switched(plan, RULES + plan.clue_at[first])
                return _way(plan, t, rooms, 3, first, cell)
            first = cell
        for j in range(2, 4):
            side = plan.sides[cell, j]
            if side < s and t.state[side] == WALL and t.state[2 * s + DEAD_END] == ON:
                there = _beyond(plan, side, cell)
                if rooms.label[there] == room:
                    t.clause[0] = _switched(plan, DEAD_END)
                    t.clause[1] = 2 * side
                    return _way(plan, t, rooms, 2, cell, there)
    if not printed and t.state[2 * s + WITHOUT] == ON:
        t.clause[0] = _switched(plan, WITHOUT)
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
            t.clause[0] = _switched(plan, RECTANGLE)
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
