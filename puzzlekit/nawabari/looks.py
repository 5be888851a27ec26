"""One look at the Nawabari ladder: the first thing that its rungs find on a board of which some is settled.

Here some of the board may be unknown: a clue that is not stated is a cell that may be the clue of its room.

Not here: the rungs (ladder.py), and what a finding rests on (explain.py).
"""

from typing import NamedTuple

import numpy as np

from ..machinery.kernels import inner, kernel
from . import ladder
from .ladder import COUNT, PROBE, ROOM, VERTEX
from .rules import OPEN, UNKNOWN, WALL

NOTHING = -1  # the rung of a look that finds nothing
FALSE = -1  # the number of sides settled by a contradiction


class Sight(NamedTuple):
    """Where a position is, besides its Layout; m candidates, k clues that are known."""

    cols: int
    free: int  # 1 where a room need not have a clue
    state: np.ndarray  # uint8 (s + 1,): UNKNOWN, OPEN or WALL of every side; the last is the frame
    order: np.ndarray  # int32 (m,): candidates clue by clue; those still possible come first
    size: np.ndarray  # int32 (k,): how many are still possible
    prints: np.ndarray  # uint8 (n,): 1 where a clue may be, 2 where one is known; empty: all clues are known
    settles: np.ndarray  # int32 (s, 2): to be filled with sides and their states


@inner
def _stand(board, sight):
    """The Work of a ladder that has got where a position is."""
    work = ladder._work(board)
    for side in range(sight.state.shape[0] - 1):
        if sight.state[side] != UNKNOWN:
            ladder._set(work, side, sight.state[side], COUNT)
    for j in range(sight.order.shape[0]):
        work.order[j] = sight.order[j]
    for i in range(sight.size.shape[0]):
        work.size[i] = sight.size[i]
    return work


@inner
def _told(sight, work, mark, fine):
    """Write down what was settled since `mark`. Returns how many sides, or FALSE."""
    for i in range(mark, work.tail[0]):
        side = work.trail[i]
        sight.settles[i - mark, 0] = side
        sight.settles[i - mark, 1] = work.state[side]
    return work.tail[0] - mark if fine else FALSE


@inner
def _wild(board, sight, work):
    """Find the cells that rooms can have whose clue is none of those known."""
    for w in range(board.full.shape[0]):
        work.wild[w] = board.full[w] if sight.free else np.uint64(0)
    if sight.free:
        return
    cols = sight.cols
    state, sides = work.state, board.sides
    clues, opened = np.empty(cols, np.int64), np.empty(cols, np.int64)  # in, and right of, the cells of a column
    for start in range(sight.prints.shape[0]):
        top, left = start // cols, start % cols
        right = cols  # where the rectangles from here end at the latest
        for c in range(left, cols):
            clues[c] = opened[c] = 0
        for bottom in range(top, sight.prints.shape[0] // cols):
            if state[sides[bottom * cols + left, 1]] == OPEN:
                break
            closed = True  # no open side below
            found = 0
            widest = -1
            for c in range(left, right):
                cell = bottom * cols + c
                above = state[sides[cell, 0]]
                if (
                    sight.prints[cell] == 2
                    or above == (OPEN if bottom == top else WALL)
                    or (c > left and state[sides[cell, 1]] == WALL)
                ):
                    right = c
                    break
                clues[c] += sight.prints[cell]
                opened[c] += state[sides[cell, 2]] == OPEN
                found += clues[c]
                closed &= state[sides[cell, 3]] != OPEN
                if closed and found > 0 and opened[c] == 0:
                    widest = c
            for r in range(top, bottom + 1):
                for cell in range(r * cols + left, r * cols + widest + 1):
                    work.wild[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)


@inner
def _one_room(board, sight, work):
    """The room rung up to its first finding, by the candidates that are left. Returns what `look` does."""
    mark = work.tail[0]
    changed = 2
    while changed == 2 and work.tail[0] == mark:
        changed = ladder._room(board, work, ROOM, True)
    for j in range(sight.order.shape[0]):
        sight.order[j] = work.order[j]
    for i in range(sight.size.shape[0]):
        sight.size[i] = work.size[i]
    settled = _told(sight, work, mark, changed > 0)
    return (ROOM if settled != 0 else NOTHING), np.int64(work.about[0]), settled


@kernel
def look(board, sight, rungs):
    """The first finding of the lowest rung that has one, of the rungs in a bit set, below probe.

    Returns (rung or NOTHING, place, sides settled or FALSE). The place is a cell for count, a lattice point for vertex;
    for room a clue, or k + a cell that no room reaches.
    """
    work = _stand(board, sight)
    mark = work.tail[0]
    for i in range(board.numbered.shape[0]):
        fine = ladder._count(board, work, board.numbered[i], COUNT)
        if not fine or work.tail[0] > mark:
            return COUNT, np.int64(board.numbered[i]), _told(sight, work, mark, fine)
    for point in range(board.meeting.shape[0] if rungs >> VERTEX & 1 else 0):
        fine = ladder._vertex(board, work, point, VERTEX)
        if not fine or work.tail[0] > mark:
            return VERTEX, np.int64(point), _told(sight, work, mark, fine)
    if not rungs >> ROOM & 1:
        return NOTHING, np.int64(0), np.int64(0)
    _wild(board, sight, work)
    return _one_room(board, sight, work)


@inner
def _refuted(board, work, clue, candidate, rungs, saved):
    """Whether the rungs below probe refute a candidate of a clue."""
    mark = work.tail[0]
    for i in range(saved.shape[0]):
        saved[i] = work.size[i]
    fine = ladder._assume(board, work, clue, candidate, PROBE) and ladder._propagate(board, work, rungs, mark, PROBE)
    ladder._undo(work, mark)
    for i in range(saved.shape[0]):
        work.size[i] = saved[i]
    return not fine


@inner
def _rule_out(board, work, rungs, saved):
    """Drop the first candidate that the rungs below probe refute. False if there is none."""
    for clue in range(saved.shape[0]):
        low, high = board.first[clue], board.first[clue + 1]
        if work.size[clue] == 1:
            continue
        for j in range(low, high):
            work.listed[work.order[j]] = j < low + work.size[clue]
        for candidate in range(low, high):
            if work.listed[candidate] and _refuted(board, work, clue, candidate, rungs, saved):
                work.size[clue] -= 1
                at = ladder._place(work.order, low, candidate)
                ladder._swap(work.order, at, low + work.size[clue])
                return True
    return False


@kernel
def probe(board, sight, rungs):
    """The first finding of the room rung when candidates that the rungs in a bit set refute are out, one by one.

    Returns what `look` does.
    """
    work = _stand(board, sight)
    saved = np.empty(sight.size.shape[0], np.int32)
    while True:
        rung, place, settled = _one_room(board, sight, work)
        if rung != NOTHING or not _rule_out(board, work, rungs, saved):
            return rung, place, settled


@kernel
def refutes(board, sight, rungs, side, value):
    """Whether the rungs in a bit set, below probe, lead from one more settled side to a contradiction."""
    work = _stand(board, sight)
    head = work.tail[0]
    ladder._set(work, side, value, PROBE)
    while True:
        _wild(board, sight, work)
        if not ladder._propagate(board, work, rungs, head, PROBE):
            return True
        if head == work.tail[0] or sight.free or sight.prints.shape[0] == 0:
            return False
        head = work.tail[0]
