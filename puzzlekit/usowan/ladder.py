"""Usowan climbed: the ladder of named deductions.

RUNGS, cheapest first; each returns what it newly settled or a contradiction, and never settles a cell against an
answer:

cell     A cell with a clue is unshaded; so are the neighbours of a shaded cell. No number is read.
count    Numbers as bounds. A number out of reach is wrong, one that has come true is right. Once a region has all the
         wrong numbers it may have, its other numbers are right and are saturated; when only one number can still be the
         wrong one, its count is made to miss.
region   The same, exactly: every shading of the cells around a region's numbers that keeps shaded cells apart and has
         exactly one number wrong is considered, and what they agree on is settled.
connect  The unshaded cells are one region: an unknown cell cut off from every unshaded cell is shaded, and one whose
         shading would split them is unshaded.
probe    Assume a cell, climb the rungs below, and drop the assumption if that fails.

A misreading (see rules.Reading) changes how many numbers of a region may be wrong, and whether `connect` applies.

Not here: guessing. solver.py finds all answers.
"""

from functools import partial

import numpy as np

from ..machinery import climbing, search
from ..machinery.climbing import Climb
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import kernel, lean
from .layout import clauses, layout
from .rules import RULES, named_reading
from .rungs import DEAD, _cell, _connect, _count, _region, _work

RUNGS = ("cell", "count", "region", "connect", "probe")
CELL, COUNT, REGION, CONNECT, PROBE = range(5)


@lean
def _propagate(board, clauses, rungs, state, trail, head, tail, rung, rung_of, work):
    """Climb to a fixed point of the rungs in the bit set `rungs` (below probe), cheapest first. Returns the new tail,
    or DEAD.

    The trail up to `head` has been followed already; the cells after it were put there by `rung`. rung_of[i] receives
    the rung that put trail[i] there.
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
    """The whole ladder from a blank state. Returns how many cells were settled (all of them only by an answer), or
    DEAD.
    """
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


rungs_to = partial(climbing.rungs_to, RUNGS)


def climb(board, top="probe", reading=RULES):
    """How far the ladder gets, without guessing.

    Parameters
    ----------
    board : Board
    top : str or tuple          the highest rung to use, one of RUNGS; or several of them, with the lowest
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
    return Climb(shading, dict(zip(RUNGS, settled.tolist(), strict=True)), tail == n, tail < 0)
