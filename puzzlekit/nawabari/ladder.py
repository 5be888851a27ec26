"""The Nawabari ladder: named deductions, and how far they get without a guess.

RUNGS, cheapest first; each returns what it newly settled or a contradiction, and never settles a side against an
answer:

count    A cell with a number has as many walls around it as the number says, the frame included.
vertex   Where four sides meet inside the grid, the walls among them are none, a straight line, a T or a plus.
room     Every clue has one rectangle, and together they cover the grid. A rectangle that disagrees with a settled side
         is out; what all rectangles left to a clue agree on is settled; a cell that only one clue can reach belongs to
         that clue.
probe    Assume a rectangle, climb the rungs below, and drop it if that fails.

A misreading (see rules.Reading) about what a number says changes which rectangles a clue has. The complete search is in
solver.py.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from ..machinery import climbing
from ..machinery.kernels import inner, kernel
from . import rectangles
from .layout import layout
from .rules import OPEN, RULES, UNKNOWN, WALL, Board, Reading, Walls, named_reading

RUNGS = ("count", "vertex", "room", "probe")
RUNGS_TOLD = {  # each rung as one tells it to somebody who solves by hand
    "count": "Count the walls around a number: once it has all of them its other sides are open, and the other way "
    "round.",
    "vertex": "Look where four sides meet: the walls there are none, a straight line, a T or a plus, never a bend.",
    "room": (
        "List the rectangles that each number can still have. What they all agree on is settled, and a cell that only"
        " one number reaches belongs to that number."
    ),
    "probe": "Assume a side one way and follow the rungs above. If they end in a contradiction, it is the other way.",
}
COUNT, VERTEX, ROOM, PROBE = range(4)


class Work(NamedTuple):
    """The state of a climb or a search, and its scratch."""

    state: np.ndarray  # uint8 (s + 1,): UNKNOWN, OPEN or WALL of every side; the last is the frame
    trail: np.ndarray  # int32 (s,): settled sides in order
    rung_of: np.ndarray  # uint8 (s,): which rung settled each place of the trail
    tail: np.ndarray  # int64 (1,): how many sides are settled
    known: np.ndarray  # uint64 (2, s / 64): open sides, walls
    order: np.ndarray  # int32 (m,): candidates clue by clue; those still possible come first
    size: np.ndarray  # int32 (k,): how many are still possible
    sums: np.ndarray  # uint64 (k + 2, n / 64): cells that each clue reaches; that some clue does; that several do
    shared: np.ndarray  # uint64 (2, s / 64): sides open, and sides walls, in all candidates of a clue
    listed: np.ndarray  # int32 (m,): candidates of a clue while they are probed
    wild: np.ndarray  # uint64 (n / 64,): cells of rooms whose clue nobody knows; none, unless a clue may be unknown


@inner
def _work(board):
    s, k, m = board.cells.shape[0], board.first.shape[0] - 1, board.area.shape[0]
    work = Work(
        np.empty(s + 1, np.uint8),
        np.empty(s, np.int32),
        np.empty(s, np.uint8),
        np.empty(1, np.int64),
        np.empty((2, board.inside.shape[1]), np.uint64),
        np.empty(m, np.int32),
        np.empty(k, np.int32),
        np.empty((k + 2, board.full.shape[0]), np.uint64),
        np.empty((2, board.inside.shape[1]), np.uint64),
        np.empty(m, np.int32),
        np.zeros(board.full.shape[0], np.uint64),
    )
    for side in range(s):
        work.state[side] = UNKNOWN
    work.state[s] = WALL
    work.tail[0] = 0
    for w in range(board.inside.shape[1]):
        work.known[0, w] = np.uint64(0)
        work.known[1, w] = np.uint64(0)
    for i in range(m):
        work.order[i] = i
    for i in range(k):
        work.size[i] = board.first[i + 1] - board.first[i]
    return work


@inner
def _set(work, side, value, rung):
    """Settle a side. Returns False if it is settled the other way."""
    if work.state[side] != UNKNOWN:
        return work.state[side] == value
    work.state[side] = value
    work.known[value - OPEN, side >> 6] |= np.uint64(1) << np.uint64(side & 63)
    work.trail[work.tail[0]] = side
    work.rung_of[work.tail[0]] = rung
    work.tail[0] += 1
    return True


@inner
def _set_all(work, sides, value, rung):
    """Settle every side of a mask. Returns False if one is settled the other way."""
    for w in range(sides.shape[0]):
        if sides[w] & work.known[WALL - value, w] != np.uint64(0):
            return False
        rest = sides[w] & ~work.known[value - OPEN, w]
        side = 64 * w
        while rest != np.uint64(0):
            while rest & np.uint64(1) == np.uint64(0):
                skip = 8 if rest & np.uint64(255) == np.uint64(0) else 1
                rest >>= np.uint64(skip)
                side += skip
            _set(work, side, value, rung)
            rest &= ~np.uint64(1)
    return True


@inner
def _undo(work, mark):
    """Make the sides settled since `mark` unknown again."""
    while work.tail[0] > mark:
        work.tail[0] -= 1
        side = work.trail[work.tail[0]]
        work.known[work.state[side] - OPEN, side >> 6] &= ~(np.uint64(1) << np.uint64(side & 63))
        work.state[side] = UNKNOWN


# The rungs


@inner
def _count(board, work, cell, rung):
    """The count rung on one cell with a number. Returns False on a contradiction."""
    walls = 0
    unknown = 0
    for j in range(4):
        state = work.state[board.sides[cell, j]]
        walls += state == WALL
        unknown += state == UNKNOWN
    value = board.value[cell]
    if walls > value or walls + unknown < value:
        return False
    if unknown > 0 and (walls == value or walls + unknown == value):
        for j in range(4):
            if work.state[board.sides[cell, j]] == UNKNOWN:
                _set(work, board.sides[cell, j], OPEN if walls == value else WALL, rung)
    return True


@inner
def _vertex(board, work, point, rung):
    """The vertex rung on one lattice point. Returns False on a contradiction.

    Of the patterns of four walls the illegal ones are the single stubs and the elbows: a wall that goes up or down is
    not alone with at most one that goes sideways.
    """
    may = 0  # bit 2 j + w: side j can be open (w = 0) or a wall (w = 1)
    for pattern in range(16):
        up, left, right, down = pattern & 1, pattern >> 1 & 1, pattern >> 2 & 1, pattern >> 3
        if (up != down and not (left and right)) or (left != right and not (up and down)):
            continue
        fits = True
        for j in range(4):
            state = work.state[board.meeting[point, j]]
            fits &= state == UNKNOWN or (state == WALL) == (pattern >> j & 1)
        if fits:
            for j in range(4):
                may |= 1 << (2 * j + (pattern >> j & 1))
    if may == 0:
        return False
    for j in range(4):
        side = board.meeting[point, j]
        if work.state[side] == UNKNOWN and may >> 2 * j & 3 != 3:
            _set(work, side, OPEN if may >> 2 * j & 1 else WALL, rung)
    return True


@inner
def _swap(order, i, j):
    here = order[i]
    order[i] = order[j]
    order[j] = here


@inner
def _place(order, at, candidate):
    """Where a candidate is listed, from `at` on."""
    while order[at] != candidate:
        at += 1
    return at


@inner
def _filter(board, work):
    """Drop the candidates that disagree with a settled side. Returns False if a clue has none left."""
    order, size = work.order, work.size
    for i in range(size.shape[0]):
        j = board.first[i]
        while j < board.first[i] + size[i]:
            wrong = np.uint64(0)
            for w in range(work.known.shape[1]):
                wrong |= board.inside[order[j], w] & work.known[1, w] | board.border[order[j], w] & work.known[0, w]
            if wrong != np.uint64(0):
                size[i] -= 1
                _swap(order, j, board.first[i] + size[i])
            else:
                j += 1
        if size[i] == 0:
            return False
    return True


@inner
def _room(board, work, rung):
    """The room rung on the whole board, once. Returns 0 on a contradiction, 1 if nothing changed, 2 otherwise."""
    if not _filter(board, work):
        return 0
    order, size, sums = work.order, work.size, work.sums
    k, words = size.shape[0], board.full.shape[0]
    before = work.tail[0]
    for w in range(words):
        sums[k, w] = work.wild[w]
        sums[k + 1, w] = work.wild[w]
    shared = work.shared
    for i in range(k):
        start = board.first[i]
        for w in range(shared.shape[1]):
            opened = board.inside[order[start], w]
            walled = board.border[order[start], w]
            for j in range(start + 1, start + size[i]):
                opened &= board.inside[order[j], w]
                walled &= board.border[order[j], w]
            shared[0, w] = opened
            shared[1, w] = walled
        if not _set_all(work, shared[0], OPEN, rung) or not _set_all(work, shared[1], WALL, rung):
            return 0
        for w in range(words):
            reach = np.uint64(0)
            for j in range(start, start + size[i]):
                reach |= board.area[order[j], w]
            sums[i, w] = reach
            sums[k + 1, w] |= sums[k, w] & reach
            sums[k, w] |= reach
    for w in range(words):
        if sums[k, w] != board.full[w]:
            return 0
    dropped = False
    for i in range(k):
        j = board.first[i]
        while j < board.first[i] + size[i]:
            missed = np.uint64(0)
            for w in range(words):
                missed |= sums[i, w] & ~sums[k + 1, w] & ~board.area[order[j], w]
            if missed != np.uint64(0):
                size[i] -= 1
                _swap(order, j, board.first[i] + size[i])
                dropped = True
            else:
                j += 1
        if size[i] == 0:
            return 0
    return 2 if dropped or work.tail[0] > before else 1


@inner
def _propagate(board, work, rungs, head, credit):
    """Climb by the rungs in a bit set (below probe), from the sides settled since `head`; the lowest that finds
    anything goes first.

    Every rung signs for what it settles; in a probe `credit` signs for all (-1: nobody else). False on a contradiction.
    """
    if head == 0:
        for i in range(board.numbered.shape[0]):
            if not _count(board, work, board.numbered[i], COUNT if credit < 0 else credit):
                return False
    seen = head  # sides up to here have been to the vertex rung
    while True:
        if head < work.tail[0]:
            side = work.trail[head]
            head += 1
            for j in range(2):
                cell = board.cells[side, j]
                if board.value[cell] >= 0 and not _count(board, work, cell, COUNT if credit < 0 else credit):
                    return False
            continue
        if rungs >> VERTEX & 1 and seen < work.tail[0]:
            side = work.trail[seen]
            seen += 1
            for j in range(2):
                point = board.ends[side, j]
                if point >= 0 and not _vertex(board, work, point, VERTEX if credit < 0 else credit):
                    return False
            continue
        if not rungs >> ROOM & 1:
            return True
        changed = _room(board, work, ROOM if credit < 0 else credit)
        if changed == 0:
            return False
        if changed == 1:
            return True


@inner
def _assume(board, work, clue, candidate, rung):
    """Give a clue one of its candidates: it has no other, and its sides are settled. False on a contradiction."""
    _swap(work.order, _place(work.order, board.first[clue], candidate), board.first[clue])
    work.size[clue] = 1
    return _set_all(work, board.inside[candidate], OPEN, rung) and _set_all(work, board.border[candidate], WALL, rung)


@inner
def _probe(board, work, rungs, saved):
    """The probe rung: drops every candidate that the rungs below refute. Returns 0 on a contradiction, 1 if none, 2
    otherwise.
    """
    order, size = work.order, work.size
    dropped = False
    for clue in range(size.shape[0]):
        listed = size[clue]
        for j in range(listed):
            work.listed[j] = order[board.first[clue] + j]
        for j in range(listed):
            if size[clue] == 1 and listed == 1:
                break
            mark = work.tail[0]
            for i in range(size.shape[0]):
                saved[i] = size[i]
            fine = _assume(board, work, clue, work.listed[j], PROBE) and _propagate(board, work, rungs, mark, PROBE)
            _undo(work, mark)
            for i in range(size.shape[0]):
                size[i] = saved[i]
            if not fine:
                size[clue] -= 1
                at = _place(order, board.first[clue], work.listed[j])
                _swap(order, at, board.first[clue] + size[clue])
                dropped = True
                if size[clue] == 0:
                    return 0
    return 2 if dropped else 1


@kernel
def _climb(board, rungs, state, rung_of):
    """The whole ladder from a blank state. Returns how many sides are settled; -1 - that number on a "
    "contradiction."""
    work = _work(board)
    saved = np.empty(work.size.shape[0], np.int32)
    credit = -1
    head = 0
    while True:
        fine = _propagate(board, work, rungs, head, credit)
        head = work.tail[0]
        if not fine or not rungs >> PROBE & 1:
            break
        changed = _probe(board, work, rungs, saved)
        fine = changed > 0
        if changed < 2:
            break
        credit = PROBE
    for i in range(state.shape[0]):
        state[i] = work.state[i]
        rung_of[i] = work.rung_of[i]
    if fine and work.tail[0] == state.shape[0]:
        fine = _room(board, work, ROOM) > 0  # every side follows, and yet a room may have no clue
    return work.tail[0] if fine else -1 - work.tail[0]


class Climb(NamedTuple):
    """How far a climb got.

    state : uint8 (s,)          UNKNOWN, OPEN or WALL of every side between cells, right walls first, row by row
    walls : Walls               the same as Walls(right, down)
    settled : dict              rung -> number of sides it settled
    finished : bool             every side is settled, and the rooms are an answer
    contradiction : bool        the board has no answer
    """

    state: np.ndarray
    walls: Walls
    settled: dict
    finished: bool
    contradiction: bool

    @property
    def marks(self) -> Walls:
        """The state as the genre's marks have it."""
        return self.walls


_COUNTS = {"walls": rectangles.WALLS, "area": rectangles.AREA, "nothing": rectangles.ANYTHING}


def counted(reading: Reading) -> int:
    """What numbers count under a Reading that leaves one clue to a room, for `layout` and rectangles."""
    if reading.says == "walls" and not reading.frame:
        return rectangles.INNER_WALLS
    return _COUNTS[reading.says]


rungs_to = partial(climbing.rungs_to, RUNGS)


def climb(board: Board, top: str | tuple[str, ...] = "probe", reading: Reading | str = RULES) -> Climb:
    """How far the ladder gets, without guessing.

    Parameters
    ----------
    board : Board
    top : str or tuple          the highest rung to use, one of RUNGS; or several of them, with the lowest
    reading : Reading or str    the rules, "dots", or a misreading about what a number says

    Returns
    -------
    Climb

    Raises
    ------
    ValueError                  an unknown rung; a reading by which rooms may hold several clues, or none

    Cost: about 0.1 ms on a 10 x 10 board. Source: the rungs are described at the top of this file.
    """
    reading = named_reading(reading)
    if reading.several or reading.none:
        raise ValueError("the ladder needs one clue in every room; this reading has rooms with several or none")
    plan = layout(board, counted(reading))
    sides = len(plan.cells)
    state, rung_of = np.empty(sides, np.uint8), np.empty(sides, np.uint8)
    tail = _climb(plan, rungs_to(top), state, rung_of)
    settled = np.bincount(rung_of[: tail if tail >= 0 else -1 - tail], minlength=len(RUNGS))
    right = board.rows * (board.cols - 1)
    walls = Walls(state[:right].reshape(board.rows, -1), state[right:].reshape(-1, board.cols))
    return Climb(state, walls, dict(zip(RUNGS, settled.tolist(), strict=True)), tail == sides, tail < 0)
