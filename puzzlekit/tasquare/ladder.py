"""Tasquare solved: the ladder of named deductions, and the complete search that climbs it between guesses.

RUNGS, cheapest first; each returns what it newly settled or a contradiction, and never settles a cell against an answer:

shape    Every block is a square, held as a list of candidate squares. A candidate dies when one of its cells is unshaded or a cell
         beside it is shaded. A cell that no candidate covers is unshaded; when only one candidate covers a shaded cell, that
         square is its block: its cells are shaded and the cells beside it unshaded.
clue     The numbers. No square touches a cell with a clue from two sides, so each of the four sides adds one area or nothing, and
         the number is an exact subset sum over what each side can still add. A side that must add something is shaded, one that
         cannot is unshaded. A `?` needs one shaded side.
prune    The same sums pushed back into the candidates: a square whose area no adjacent number can afford dies.
white    The unshaded cells are one region: an unknown cell whose shading would split them is unshaded, and one that is cut off
         from every unshaded cell is shaded.
probe    Assume a cell, climb the rungs below, and drop the assumption if that fails.

A misreading (see rules.Reading) changes what a number sums, and whether `white` applies. "Something is shaded" is no rung: it is
asked of finished shadings only, so the empty board settles nothing.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import connectivity, grid, search
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel
from .rules import ASKED, NO_CLUE, RULES, named_reading

RUNGS = ("shape", "clue", "prune", "white", "probe")
SHAPE, CLUE, PRUNE, WHITE, PROBE = range(5)
FASTEST = 1 << SHAPE | 1 << PRUNE | 1 << WHITE  # what the complete search climbs when it may choose: prune does what clue does
PATIENCE = 16  # branch points after which the complete search probes before it guesses again
DEAD = -1
NO_BUDGET = 1 << 62


class Layout(NamedTuple):
    """A board as its kernels read it; n cells, k clues."""

    cols: int
    near: np.ndarray  # int32 (n, 4): neighbours, padded with the sentinel cell n, which is unshaded for ever
    value: np.ndarray  # int32 (n + 1,): the number, ASKED or NO_CLUE


@lru_cache(maxsize=256)
def _near(rows, cols):
    near = grid.neighbours(rows, cols)
    return np.where(near < 0, np.int32(rows * cols), near)


@lru_cache(maxsize=4096)
def layout(board, numbers=True):
    """The Layout of a board; without numbers it is that of the empty grid."""
    value = np.full(board.rows * board.cols + 1, NO_CLUE, np.int32)
    if numbers:
        value[:-1] = board.clues.ravel()
    return Layout(board.cols, _near(board.rows, board.cols), value)


class Clauses(NamedTuple):
    """A Reading as flags for the kernels."""

    connected: bool
    areas: bool  # a side adds the area of its square; otherwise 1
    zero: bool  # 0 can be right


def clauses(reading):
    """Clauses of a reading."""
    return Clauses(reading.connected, reading.number == "area", reading.zero == "plain")


class Work(NamedTuple):
    """What a climb holds beside the state; n cells, q candidate squares, sides up to m.

    The state lists n cells, the sentinel, then the candidates: UNKNOWN while alive, UNSHADED when dead, SHADED when some shaded
    cell has no other. The trail holds both.
    """

    reach: np.ndarray  # int32 (n,): the largest square free of clues with this cell as its top left corner
    first: np.ndarray  # int32 (n,): where in the state its squares start, by side from 1 to reach
    corner: np.ndarray  # int32 (n + 1 + q,): top left cell of each candidate
    side: np.ndarray  # int32 (n + 1 + q,)
    cover: np.ndarray  # int32 (n,): living candidates that cover each cell
    clue: np.ndarray  # int32 (k,): cells with a clue
    stale: np.ndarray  # uint8 (2, n + 1): clues that the clue rung and the prune rung have to look at again
    offers: np.ndarray  # uint8 (4, m + 1): scratch of `_sums`: sides of squares that can still lie there; 0 for none
    granted: np.ndarray  # uint8 (4, m + 1): those that some sum uses
    listed: np.ndarray  # int32 (4, m + 2): the sides offered, after their number
    stamp: np.ndarray  # int64 (2, 2 m^2 + 1): sums of two opposite pairs, marked with the stamp of the call
    role: np.ndarray  # uint8 (2, n): role and anchored of connectivity.cuts
    tree: np.ndarray  # int32 (4, n): its order, low, parent and turn


@inner
def _work(board):
    """Work for a board, all candidates alive."""
    n = board.near.shape[0]
    cols = board.cols
    reach = np.empty(n, np.int32)
    first = np.empty(n, np.int32)
    most = 1
    count = n + 1
    clues = 0
    for cell in range(n - 1, -1, -1):
        reach[cell] = 0
        if board.value[cell] != NO_CLUE:
            clues += 1
        elif cell + cols >= n or cell % cols == cols - 1:
            reach[cell] = 1
        else:
            reach[cell] = 1 + min(reach[cell + 1], reach[cell + cols], reach[cell + cols + 1])
        most = max(most, reach[cell])
        first[cell] = count
        count += reach[cell]
    corner = np.empty(count, np.int32)
    side = np.empty(count, np.int32)
    cover = np.empty(n, np.int32)
    clue = np.empty(clues, np.int32)
    stale = np.empty((2, n + 1), np.uint8)
    clues = 0
    for cell in range(n):
        cover[cell] = 0
        stale[0, cell] = stale[1, cell] = board.value[cell] != NO_CLUE
        if board.value[cell] != NO_CLUE:
            clue[clues] = cell
            clues += 1
    stamp = np.empty((2, 2 * most * most + 1), np.int64)
    for total in range(stamp.shape[1]):
        stamp[0, total] = stamp[1, total] = 0
    for cell in range(n):
        for k in range(1, reach[cell] + 1):
            q = first[cell] + k - 1
            corner[q] = cell
            side[q] = k
            for i in range(k):
                for j in range(k):
                    cover[cell + i * cols + j] += 1
    return Work(
        reach,
        first,
        corner,
        side,
        cover,
        clue,
        stale,
        np.empty((4, most + 1), np.uint8),
        np.empty((4, most + 1), np.uint8),
        np.empty((4, most + 2), np.int32),
        stamp,
        np.empty((2, n), np.uint8),
        np.empty((4, n), np.int32),
    )


# Candidates


@inner
def _kill(board, state, trail, tail, square, work):
    """A candidate dies. Returns the new tail, or DEAD when it is the only one that some shaded cell has."""
    if state[square] == SHADED:
        return DEAD
    state[square] = UNSHADED
    trail[tail] = square
    corner = work.corner[square]
    k = work.side[square]
    for i in range(k):
        for j in range(k):
            work.cover[corner + i * board.cols + j] -= 1
    return tail + 1


@inner
def _undo(board, state, trail, mark, work):
    """Everything since `mark` becomes unknown again, dead candidates come back to life."""
    at = mark
    while at < trail.shape[0] and trail[at] >= 0:
        square = trail[at]
        at += 1
        if square >= board.near.shape[0] and state[square] == UNSHADED:
            corner = work.corner[square]
            k = work.side[square]
            for i in range(k):
                for j in range(k):
                    work.cover[corner + i * board.cols + j] += 1
    search.undo(state, trail, mark)


@inner
def _block(board, state, trail, tail, cell, work):
    """What a shaded cell makes of the candidates that cover it. Returns the new tail, or DEAD."""
    if work.cover[cell] > 1:
        return tail
    if work.cover[cell] == 0:
        return DEAD
    cols = board.cols
    r = cell // cols
    c = cell % cols
    square = -1
    i = 0
    while square < 0:  # the one that is alive has its corner somewhere up and to the left
        for j in range(min(c, i) + 1):
            if i <= r:
                square = _alive(state, work, cell - i * cols - j, i, square)
        for j in range(min(r, i - 1) + 1):
            if i <= c:
                square = _alive(state, work, cell - j * cols - i, i, square)
        i += 1
    if state[square] == SHADED:
        return tail
    state[square] = SHADED
    trail[tail] = square
    tail += 1
    corner = work.corner[square]
    k = work.side[square]
    for i in range(k):
        for j in range(k):
            there = corner + i * cols + j
            if state[there] == UNSHADED:
                return DEAD
            if state[there] == UNKNOWN:
                state[there] = SHADED
                trail[tail] = there
                tail += 1
    n = board.near.shape[0]
    top = corner // cols
    left = corner % cols
    for i in range(4 * k):
        there = _ring(cols, n, top, left, k, i)
        if there < 0:
            continue
        if state[there] == SHADED:
            return DEAD
        if state[there] == UNKNOWN:
            state[there] = UNSHADED
            trail[tail] = there
            tail += 1
    return tail


@inner
def _alive(state, work, corner, reaching, found):
    """A living candidate with this corner and more than `reaching` to a side, or `found`."""
    for square in range(work.first[corner] + reaching, work.first[corner] + work.reach[corner]):
        if state[square] != UNSHADED:
            return square
    return found


@inner
def _ring(cols, n, top, left, k, i):
    """The i-th of the 4 k cells beside a square of side k, or -1 where the grid ends."""
    line = i // k
    step = i % k
    if line == 0:
        return (top - 1) * cols + left + step if top > 0 else -1
    if line == 1:
        return (top + step) * cols + left - 1 if left > 0 else -1
    if line == 2:
        return (top + step) * cols + left + k if left + k < cols else -1
    there = (top + k) * cols + left + step
    return there if there < n else -1


# The rungs


@inner
def _shape(board, state, trail, head, tail, work):
    """The shape rung, for everything on the trail from `head`; marks the clues that it concerns. Returns the new tail, or DEAD."""
    n = board.near.shape[0]
    cols = board.cols
    most = work.offers.shape[1] - 1
    while head < tail:
        here = np.int64(trail[head])
        head += 1
        if here < n:
            for j in range(4):
                work.stale[0, board.near[here, j]] = work.stale[1, board.near[here, j]] = 1
            r = here // cols
            c = here % cols
            if state[here] == UNSHADED:
                if work.cover[here] == 0:
                    continue
                for i in range(min(r + 1, most)):
                    for j in range(min(c + 1, most)):
                        corner = here - i * cols - j
                        for square in range(work.first[corner] + max(i, j), work.first[corner] + work.reach[corner]):
                            if state[square] != UNSHADED:
                                tail = _kill(board, state, trail, tail, square, work)
                                if tail < 0:
                                    return DEAD
                continue
            for i in range(most):  # squares beside it, by how far their corner lies to the left or above
                if i <= c and here + cols < n:
                    tail = _beside(board, state, trail, tail, here + cols - i, i + 1, most, work)
                    if tail < 0:
                        return DEAD
                if i <= r and c + 1 < cols:
                    tail = _beside(board, state, trail, tail, here + 1 - i * cols, i + 1, most, work)
                    if tail < 0:
                        return DEAD
                for k in range(i + 1, most + 1):
                    if i <= c and k <= r:
                        tail = _beside(board, state, trail, tail, here - k * cols - i, k, k, work)
                        if tail < 0:
                            return DEAD
                    if i <= r and k <= c:
                        tail = _beside(board, state, trail, tail, here - k - i * cols, k, k, work)
                        if tail < 0:
                            return DEAD
            tail = _block(board, state, trail, tail, here, work)
            if tail < 0:
                return DEAD
        elif state[here] == UNSHADED:
            corner = work.corner[here]
            k = work.side[here]
            for i in range(k):
                for j in range(k):
                    there = corner + i * cols + j
                    if state[there] == SHADED:
                        tail = _block(board, state, trail, tail, there, work)
                        if tail < 0:
                            return DEAD
                    elif work.cover[there] == 0 and state[there] == UNKNOWN:
                        state[there] = UNSHADED
                        trail[tail] = there
                        tail += 1
            for i in range(4 * k):
                there = _ring(cols, n, corner // cols, corner % cols, k, i)
                if there >= 0:
                    work.stale[0, there] = work.stale[1, there] = 1
    return tail


@inner
def _beside(board, state, trail, tail, corner, least, most, work):
    """Candidates with this corner and sides from `least` to `most` die. Returns the new tail, or DEAD."""
    for square in range(work.first[corner] + least - 1, work.first[corner] + min(most, work.reach[corner])):
        if state[square] != UNSHADED:
            tail = _kill(board, state, trail, tail, square, work)
            if tail < 0:
                return DEAD
    return tail


@inner
def _offer(board, clauses, state, cell, work):
    """What each side of a clue can still add: fills `offers` and `listed`. Returns (sides that may be shaded, that are, one)."""
    cols = board.cols
    most = work.offers.shape[1] - 1
    may = 0
    are = 0
    one = -1
    for side in range(4):
        there = board.near[cell, side]
        for k in range(most + 1):
            work.offers[side, k] = work.granted[side, k] = 0
        if state[there] != SHADED:
            work.offers[side, 0] = 1
        if state[there] != UNSHADED:
            may += 1
            are += state[there] == SHADED
            one = there
            if clauses.areas:
                r = there // cols
                c = there % cols
                for i in range(min(r + 1, most)):
                    for j in range(min(c + 1, most)):
                        corner = there - i * cols - j
                        for k in range(max(i, j) + 1, work.reach[corner] + 1):
                            if state[work.first[corner] + k - 1] != UNSHADED:
                                work.offers[side, k] = 1
            else:
                work.offers[side, 1] = 1
        size = 0
        for k in range(most + 1):
            if work.offers[side, k] and k * k <= board.value[cell]:
                size += 1
                work.listed[side, size] = k
        work.listed[side, 0] = size
    return may, are, one


@inner
def _sums(board, clauses, state, trail, tail, cell, prune, work):
    """The clue rung on one clue, and with `prune` the prune rung. Returns the new tail, or DEAD."""
    value = board.value[cell]
    may, are, one = _offer(board, clauses, state, cell, work)
    if value == ASKED or (value == 0 and not clauses.zero):
        if may == 0 or value == 0:
            return DEAD
        if may == 1 and are == 0:
            state[one] = SHADED
            trail[tail] = one
            tail += 1
        return tail
    if value >= 2 * work.stamp.shape[1]:
        return DEAD
    work.stamp[0, 0] += 1  # the sum 0 is never asked for by its stamp alone: see below
    mark = work.stamp[0, 0]
    zeros = 0
    for pair in range(2):
        for a in range(1, work.listed[2 * pair, 0] + 1):
            for b in range(1, work.listed[2 * pair + 1, 0] + 1):
                total = work.listed[2 * pair, a] ** 2 + work.listed[2 * pair + 1, b] ** 2
                if total == 0:
                    zeros |= 1 << pair
                else:
                    work.stamp[pair, total] = mark
    possible = False
    for pair in range(2):
        for a in range(1, work.listed[2 * pair, 0] + 1):
            for b in range(1, work.listed[2 * pair + 1, 0] + 1):
                rest = value - work.listed[2 * pair, a] ** 2 - work.listed[2 * pair + 1, b] ** 2
                if rest < 0 or rest >= work.stamp.shape[1]:
                    continue
                if work.stamp[1 - pair, rest] == mark if rest > 0 else zeros >> (1 - pair) & 1:
                    possible = True
                    work.granted[2 * pair, work.listed[2 * pair, a]] = 1
                    work.granted[2 * pair + 1, work.listed[2 * pair + 1, b]] = 1
    if not possible:
        return DEAD
    cols = board.cols
    most = work.offers.shape[1] - 1
    for side in range(4):
        there = board.near[cell, side]
        if state[there] == UNSHADED:
            continue
        some = False
        for k in range(1, most + 1):
            some |= work.granted[side, k] == 1
        if state[there] == UNKNOWN and (not some or not work.granted[side, 0]):
            state[there] = SHADED if some else UNSHADED
            trail[tail] = there
            tail += 1
        if prune and some and clauses.areas:
            r = there // cols
            c = there % cols
            for k in range(1, most + 1):
                if not work.offers[side, k] or work.granted[side, k]:
                    continue
                for i in range(min(r + 1, k)):
                    for j in range(min(c + 1, k)):
                        corner = there - i * cols - j
                        if work.reach[corner] >= k and state[work.first[corner] + k - 1] != UNSHADED:
                            tail = _kill(board, state, trail, tail, work.first[corner] + k - 1, work)
                            if tail < 0:
                                return DEAD
    return tail


@inner
def _white(board, state, trail, tail, work):
    """The white rung. Returns the new tail, or DEAD."""
    role, anchored = work.role[0], work.role[1]
    order, low, parent, turn = work.tree[0], work.tree[1], work.tree[2], work.tree[3]
    found = connectivity.cuts(board.near, state, False, role, order, low, parent, turn, anchored)
    if found == connectivity.SPLIT:
        return DEAD
    if found > 0:
        for cell in range(board.near.shape[0]):
            if role[cell] != UNKNOWN:
                state[cell] = role[cell]
                trail[tail] = cell
                tail += 1
    return tail


@inner
def _propagate(board, clauses, rungs, state, trail, head, tail, rung_of, work):
    """Climb to a fixed point of the rungs in the bit set `rungs` (below probe), cheapest first. Returns the new tail, or DEAD.

    The trail up to `head` has been followed already. rung_of[i] receives the rung that put trail[i] there, for new entries. After
    a contradiction the caller undoes the trail, and nothing is stale.
    """
    n = board.near.shape[0]
    seen = head  # how much of the trail the white rung has seen
    while True:
        before = tail
        tail = _shape(board, state, trail, head, tail, work)
        if tail < 0:
            break
        rung = SHAPE
        for i in range(before, tail):
            rung_of[i] = SHAPE
        head = before = tail
        while tail == before and rung < WHITE:
            rung += 1
            if not rungs >> rung & 1:
                continue
            if rung < WHITE:
                for cell in work.clue:
                    if work.stale[rung - CLUE, cell]:
                        work.stale[rung - CLUE, cell] = 0
                        tail = _sums(board, clauses, state, trail, tail, cell, rung == PRUNE, work)
                        if tail < 0:
                            break
            elif clauses.connected:
                while seen < tail and trail[seen] >= n:
                    seen += 1
                if seen < tail:
                    seen = tail
                    tail = _white(board, state, trail, tail, work)
        for i in range(before, tail):
            rung_of[i] = rung
        if tail == before or tail < 0:
            break
    if tail < 0:
        for cell in work.clue:
            work.stale[0, cell] = work.stale[1, cell] = 0
    return tail


@inner
def _probe(board, clauses, rungs, state, trail, tail, rung_of, work):
    """The probe rung to a fixed point of all rungs. Returns the new tail, or DEAD."""
    n = board.near.shape[0]
    cell = -1
    idle = 0  # cells probed since the last discovery
    while idle < n:
        cell = cell + 1 if cell + 1 < n else 0
        idle += 1
        if state[cell] != UNKNOWN:
            continue
        for value in (SHADED, UNSHADED):
            state[cell] = value
            trail[tail] = cell
            rung_of[tail] = PROBE
            fate = _propagate(board, clauses, rungs, state, trail, tail, tail + 1, rung_of, work)
            _undo(board, state, trail, tail, work)
            if fate < 0:
                state[cell] = search.OTHER - value
                trail[tail] = cell
                tail = _propagate(board, clauses, rungs, state, trail, tail, tail + 1, rung_of, work)
                if tail < 0:
                    return DEAD
                idle = 0
                break
    return tail


@inner
def _start(board, state, trail, rung_of, work):
    """A blank state: every cell unknown but those with a clue and the sentinel, every candidate alive. Returns the tail."""
    for i in range(state.shape[0]):
        state[i] = UNKNOWN
        trail[i] = -1
    state[board.near.shape[0]] = UNSHADED
    for i in range(work.clue.shape[0]):
        state[work.clue[i]] = UNSHADED
        trail[i] = work.clue[i]
        rung_of[i] = SHAPE
    return work.clue.shape[0]


@inner
def _unknown(state, n, cell):
    """The first unknown cell from `cell` on, or n."""
    while cell < n and state[cell] != UNKNOWN:
        cell += 1
    return cell


@inner
def _holds(board, clauses, rungs, state, trail, tail, rung_of, work):
    """Whether a state with every cell settled is an answer: everything is followed once more, by all rungs."""
    n = board.near.shape[0]
    shaded = 0
    for cell in range(n):
        shaded += state[cell] == SHADED
    rungs |= 1 << PRUNE | 1 << WHITE
    head = np.int64(0)
    return shaded > 0 and _propagate(board, clauses, rungs, state, trail, head, tail, rung_of, work) >= 0


@kernel
def _climb(board, clauses, rungs, shading, settled):
    """The whole ladder from a blank state.

    Fills shading, uint8 (n,), and settled, int64 (5,), with the cells that each rung settled. Returns 1 when every cell is
    settled and the shading is an answer, DEAD at a contradiction, else 0.
    """
    n = board.near.shape[0]
    work = _work(board)
    state = np.empty(work.corner.shape[0], np.uint8)
    trail = np.empty(work.corner.shape[0], np.int32)
    rung_of = np.empty(work.corner.shape[0], np.uint8)
    head = np.int64(0)  # not the constant 0, for which numba would compile everything once more
    tail = _start(board, state, trail, rung_of, work)
    tail = _propagate(board, clauses, rungs, state, trail, head, tail, rung_of, work)
    if tail >= 0 and rungs & (1 << PROBE):
        tail = _probe(board, clauses, rungs, state, trail, tail, rung_of, work)
    for rung in range(settled.shape[0]):
        settled[rung] = 0
    for i in range(tail):
        if trail[i] < n:
            settled[rung_of[i]] += 1
    for cell in range(n):
        shading[cell] = state[cell]
    if tail < 0:
        return DEAD
    if _unknown(state, n, 0) < n:
        return 0
    return 1 if _holds(board, clauses, rungs, state, trail, tail, rung_of, work) else DEAD


@kernel
def _search(board, clauses, rungs, patience, budget, answers):
    """Complete search. Fills `answers`, uint8 (limit, n); returns (found, branch points), branch points above budget if it ran out."""
    n = board.near.shape[0]
    work = _work(board)
    state = np.empty(work.corner.shape[0], np.uint8)
    trail = np.empty(work.corner.shape[0], np.int32)
    rung_of = np.empty(work.corner.shape[0], np.uint8)
    marks = np.empty(n, np.int32)
    found = 0
    branch_points = 0
    depth = 0
    head = np.int64(0)  # not the constant 0, for which numba would compile everything once more
    tail = _start(board, state, trail, rung_of, work)
    while True:
        tail = _propagate(board, clauses, rungs, state, trail, head, tail, rung_of, work)
        if tail >= 0 and branch_points >= patience and _unknown(state, n, 0) < n:
            tail = _probe(board, clauses, rungs, state, trail, tail, rung_of, work)
        if tail >= 0:
            cell = _pick(board, state, work)
            if cell < n:
                branch_points += 1
                if branch_points > budget:
                    return found, branch_points
                head = tail
                tail = search.branch(state, trail, tail, marks, depth, cell, SHADED)
                depth += 1
                continue
            if _holds(board, clauses, rungs, state, trail, tail, rung_of, work):
                for i in range(n):
                    answers[found, i] = state[i] == SHADED
                found += 1
                if found == answers.shape[0]:
                    return found, branch_points
        if depth > 0:
            _undo(board, state, trail, marks[depth - 1] + 1, work)
        tail = search.retreat(state, trail, marks, depth)
        if tail == search.EXHAUSTED:
            return found, branch_points
        depth -= 1
        head = tail - 1


@inner
def _pick(board, state, work):
    """The cell to branch on: unknown, beside a clue where there is one; n when all cells are settled."""
    n = board.near.shape[0]
    for cell in work.clue:
        for j in range(4):
            if state[board.near[cell, j]] == UNKNOWN:
                return board.near[cell, j]
    return _unknown(state, n, 0)


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
    reading : Reading or str    the rules, or another reading by name

    Returns
    -------
    Climb

    Cost: about COST on a 10 x 10 board. Source: the rungs are described at the top of this file.

    >>> from puzzlekit.tasquare.rules import Board
    >>> climb(Board([[-1, -1, 1], [4, -1, -1], [-1, -1, -1]]), "shape").settled["shape"]
    2
    """
    reading = named_reading(reading)
    shading, settled = np.empty(board.rows * board.cols, np.uint8), np.zeros(len(RUNGS), np.int64)
    fate = _climb(layout(board, reading.number != "nothing"), clauses(reading), rungs_to(top), shading, settled)
    state = shading.reshape(board.rows, board.cols)
    return Climb(state, dict(zip(RUNGS, settled.tolist())), fate == 1, fate < 0)


def solve(board, limit=2, *, top=None, reading=RULES, budget=None):
    """Answers of a board by complete search, up to a limit.

    Parameters
    ----------
    board : Board
    limit : int                 stop after this many answers; 2 is enough to prove one unique
    top : str                   climb only to this rung between guesses; None lets the search use what is fastest
    reading : Reading or str    the rules, or another reading by name
    budget : int                branch points to spend; None is no limit

    Returns
    -------
    search.Solution             answers, unique, complete, branch_points

    Cost: about COST to prove a 10 x 10 board unique.
    """
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 1:
        raise ValueError(f"limit must be a whole number of at least 1, not {limit!r}")
    if budget is not None and budget < 0:
        raise ValueError(f"budget must be at least 0, not {budget!r}")
    reading = named_reading(reading)
    patience = PATIENCE if top is None else NO_BUDGET
    rungs = FASTEST if top is None else rungs_to(top) & ~(1 << PROBE)
    found = np.empty((limit, board.rows * board.cols), np.uint8)
    budget = NO_BUDGET if budget is None else int(budget)
    plan = layout(board, reading.number != "nothing")
    count, branch_points = _search(plan, clauses(reading), rungs, patience, budget, found)
    answers = found[:count].reshape(count, board.rows, board.cols)
    return search.Solution(answers, branch_points <= budget, branch_points, limit)
