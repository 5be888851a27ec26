"""The Tasquare ladder: named deductions, and how far they get without a guess.

RUNGS, cheapest first; each returns what it newly settled or a contradiction, and never settles a cell against an
answer:

shape    Every block is a square, held as a list of candidate squares. A candidate dies when one of its cells is
         unshaded or a cell beside it is shaded. A cell that no candidate covers is unshaded; when only one candidate
         covers a shaded cell, that square is its block: its cells are shaded and the cells beside it unshaded.
clue     The numbers. No square touches a cell with a clue from two sides, so each of the four sides adds one area or
         nothing, and the number is an exact subset sum over what each side can still add. A side that must add
         something is shaded, one that cannot is unshaded. A `?` needs one shaded side.
prune    The same sums pushed back into the candidates: a square whose area no adjacent number can afford dies.
white    The unshaded cells are one region: an unknown cell whose shading would split them is unshaded, and one that is
         cut off from every unshaded cell is shaded.
probe    Assume a cell, climb the rungs below, and drop the assumption if that fails.

A misreading (see rules.Reading) changes what a number sums, and whether `white` applies. "Something is shaded" is no
rung: it is asked of finished shadings only, so the empty board settles nothing. The complete search is in solver.py.
"""

from functools import partial

import numpy as np

from ..machinery import climbing, connectivity, search
from ..machinery.climbing import Climb
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel, lean
from .layout import _ring, _work, clauses, layout
from .rules import ASKED, RULES, Board, Reading, named_reading

RUNGS = ("shape", "clue", "prune", "white", "probe")
RUNGS_TOLD = {  # each rung as one tells it to somebody who solves by hand
    "shape": (
        "Keep the squares that still fit over each cell. A cell that none covers is unshaded; where a shaded cell has"
        " only one square left, that is its block, with an unshaded rim."
    ),
    "clue": (
        "Add up a number: each of its four sides gives a square's area or nothing. A side that must give something is"
        " shaded, one that cannot is unshaded."
    ),
    "prune": "Turn that round: a square that no number beside it can afford is out.",
    "white": "Look at the unshaded cells as one piece: a cell whose shading would cut the piece in two stays unshaded.",
    "probe": "Assume a cell one way and follow the rungs above. If they end in a contradiction, it is the other way.",
}
SHAPE, CLUE, PRUNE, WHITE, PROBE = range(5)
DEAD = -1


# Candidates


@inner
def _kill(cols, state, trail, tail, square, corner, k, cover):
    """A candidate dies. Returns the new tail, or DEAD when it is the only one that some shaded cell has."""
    if state[square] == SHADED:
        return DEAD
    state[square] = UNSHADED
    trail[tail] = square
    for i in range(k):
        for j in range(k):
            cover[corner + i * cols + j] -= 1
    return tail + 1


@inner
def _undo(board, state, trail, mark, work):
    """Everything since `mark` becomes unknown again, dead candidates come back to life."""
    n, cols, side, cover = board.near.shape[0], board.cols, work.side, work.cover
    at = mark
    while at < trail.shape[0] and trail[at] >= 0:
        square = trail[at]
        at += 1
        if square > n and state[square] == UNSHADED:
            corner = work.corner[square]
            for i in range(side[square]):
                for j in range(side[square]):
                    cover[corner + i * cols + j] += 1
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


# The rungs


@inner
def _shape(board, state, trail, head, tail, work):
    """The shape rung, for everything on the trail from `head`; marks the clues that it concerns. Returns the new tail,
    or DEAD.
    """
    n, cols, near, stale = board.near.shape[0], board.cols, board.near, work.stale
    reach, first, cover = work.reach, work.first, work.cover
    most = work.marked.shape[2] - 1
    while head < tail:
        here = np.int64(trail[head])
        head += 1
        if here < n:
            for j in range(4):
                stale[0, near[here, j]] = stale[1, near[here, j]] = 1
            r = here // cols
            c = here % cols
            if state[here] == UNSHADED:
                for i in range(min(r + 1, most)):
                    if cover[here] == 0:
                        break
                    for j in range(min(c + 1, most)):
                        tail = _cut(cols, state, trail, tail, here - i * cols - j, max(i, j), most, reach, first, cover)
                        if tail < 0:
                            return DEAD
                continue
            for i in range(most):  # squares beside it, by how far their corner lies to the left or above
                if i <= c and here + cols < n:
                    tail = _cut(cols, state, trail, tail, here + cols - i, i, most, reach, first, cover)
                if i <= r and c + 1 < cols and tail >= 0:
                    tail = _cut(cols, state, trail, tail, here + 1 - i * cols, i, most, reach, first, cover)
                for k in range(i + 1, most + 1):
                    if i <= c and k <= r and tail >= 0:
                        tail = _cut(cols, state, trail, tail, here - k * cols - i, k - 1, k, reach, first, cover)
                    if i <= r and k <= c and tail >= 0:
                        tail = _cut(cols, state, trail, tail, here - k - i * cols, k - 1, k, reach, first, cover)
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
                        if cover[there] < 2:
                            tail = _block(board, state, trail, tail, there, work)
                            if tail < 0:
                                return DEAD
                    elif cover[there] == 0 and state[there] == UNKNOWN:
                        state[there] = UNSHADED
                        trail[tail] = there
                        tail += 1
            for i in range(4 * k):
                there = _ring(cols, n, corner // cols, corner % cols, k, i)
                if there >= 0:
                    stale[0, there] = stale[1, there] = 1
    return tail


@inner
def _cut(cols, state, trail, tail, corner, above, most, reach, first, cover):
    """Candidates with this corner and sides above one number and up to another die. Returns the new tail, or DEAD."""
    for k in range(above + 1, min(most, reach[corner]) + 1):
        square = first[corner] + k - 1
        if state[square] != UNSHADED:
            tail = _kill(cols, state, trail, tail, square, corner, k, cover)
            if tail < 0:
                return DEAD
    return tail


@lean
def _combined(value, listed, marked, sums):
    """Marks what each side of a number can add so that all add up to it; see layout.Work. Returns bits: sides that may
    stay unshaded, and four places higher those that may be shaded; 0 if there is no way.
    """
    most = marked.shape[2] - 1
    mark = sums[0, 0]
    for pair in range(2):
        for a in range(listed[2 * pair, most + 1]):
            for b in range(listed[2 * pair + 1, most + 1]):
                one = listed[2 * pair, a]
                other = listed[2 * pair + 1, b]
                if one + other > 0:
                    sums[pair, one * one + other * other] = mark
    nothing = 0  # bits of the sides that may stay unshaded
    something = 0  # and of those that may be shaded
    for pair in range(2):
        third, fourth = listed[2 - 2 * pair], listed[3 - 2 * pair]
        blank = third[most + 1] > 0 and third[0] == 0 and fourth[most + 1] > 0 and fourth[0] == 0
        for a in range(listed[2 * pair, most + 1]):
            for b in range(listed[2 * pair + 1, most + 1]):
                one = listed[2 * pair, a]
                other = listed[2 * pair + 1, b]
                rest = value - one * one - other * other
                if rest < 0 or rest >= sums.shape[1]:
                    continue
                if sums[1 - pair, rest] == mark if rest > 0 else blank:
                    marked[1, 2 * pair, one] = marked[1, 2 * pair + 1, other] = mark
                    nothing |= (one == 0) << (2 * pair) | (other == 0) << (2 * pair + 1)
                    something |= (one > 0) << (2 * pair) | (other > 0) << (2 * pair + 1)
    return nothing | something << 4


@inner
def _sums(board, clauses, state, trail, tail, cell, prune, work):
    """The clue rung on one clue, and with `prune` the prune rung. Returns the new tail, or DEAD."""
    near, value = board.near, board.value[cell]
    if value == ASKED or (value == 0 and not clauses.zero):
        may = 0
        one = -1
        for side in range(4):
            there = near[cell, side]
            if state[there] == SHADED and value == ASKED:
                return tail
            if state[there] == UNKNOWN:
                may += 1
                one = there
        if may == 0 or value == 0:
            return DEAD
        if may == 1:
            state[one] = SHADED
            trail[tail] = one
            tail += 1
        return tail
    cols = board.cols
    reach, first, cover, listed, marked, sums = work.reach, work.first, work.cover, work.listed, work.marked, work.sums
    most = marked.shape[2] - 1
    sums[0, 0] += 1  # every call has a mark of its own, so nothing needs clearing; a sum of 0 has flags instead
    mark = sums[0, 0]
    for side in range(4):
        there = near[cell, side]
        size = 0
        if state[there] != SHADED:
            size = 1
            listed[side, 0] = 0
        if state[there] != UNSHADED and not clauses.areas:
            listed[side, size] = 1
            size += 1
        elif state[there] != UNSHADED:
            left = cover[there]
            for i in range(min(there // cols + 1, most)):
                if left == 0:
                    break
                for j in range(min(there % cols + 1, most)):
                    corner = there - i * cols - j
                    for k in range(max(i, j) + 1, reach[corner] + 1):
                        if state[first[corner] + k - 1] != UNSHADED:
                            left -= 1
                            if marked[0, side, k] != mark:
                                marked[0, side, k] = mark
                                listed[side, size] = k
                                size += 1
                    if left == 0:
                        break
        listed[side, most + 1] = size
    ways = _combined(value, listed, marked, sums)
    if ways == 0:
        return DEAD
    for side in range(4):
        there = near[cell, side]
        some = ways >> (4 + side) & 1
        if state[there] == UNKNOWN and not (some and ways >> side & 1):
            state[there] = SHADED if some else UNSHADED
            trail[tail] = there
            tail += 1
        if prune and some and clauses.areas:
            for a in range(listed[side, most + 1]):
                k = listed[side, a]
                if k > 0 and marked[1, side, k] != mark:
                    tail = _strike(cols, state, trail, tail, there, k, reach, first, cover)
                    if tail < 0:
                        return DEAD
    return tail


@inner
def _strike(cols, state, trail, tail, there, k, reach, first, cover):
    """All squares of side k that cover a cell die. Returns the new tail, or DEAD."""
    for i in range(min(there // cols + 1, k)):
        for j in range(min(there % cols + 1, k)):
            corner = there - i * cols - j
            if reach[corner] >= k and state[first[corner] + k - 1] != UNSHADED:
                tail = _kill(cols, state, trail, tail, first[corner] + k - 1, corner, k, cover)
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
    """Climb to a fixed point of the rungs in the bit set `rungs` (below probe), cheapest first. Returns the new tail,
    or DEAD.

    The trail up to `head` has been followed already. rung_of[i] receives the rung that put trail[i] there, for new
    entries. After a contradiction the caller undoes the trail, and nothing is stale.
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
    """A blank state: every cell unknown but those with a clue and the sentinel, every candidate alive. Returns the
    tail.
    """
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
    """The whole ladder from a blank state. To finish, `eager` clauses without the clue rung are as good as it and
    faster.

    Fills shading, uint8 (n,), and settled, int64 (5,), with the cells that each rung settled. Returns 1 when every cell
    is settled and the shading is an answer, DEAD at a contradiction, else 0.
    """
    n = board.near.shape[0]
    work = _work(board, clauses)
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


rungs_to = partial(climbing.rungs_to, RUNGS)


def climb(board: Board, top: str | tuple[str, ...] = "probe", reading: Reading | str = RULES) -> Climb:
    """How far the ladder gets, without guessing.

    Parameters
    ----------
    board : Board
    top : str or tuple          the highest rung to use, one of RUNGS; or several of them, with the lowest
    reading : Reading or str    the rules, or another reading by name

    Returns
    -------
    Climb

    Cost: about 0.15 ms on a 10 x 10 board. Source: the rungs are described at the top of this file.

    >>> from puzzlekit.tasquare.rules import Board
    >>> climb(Board([[-1, -1, 1], [4, -1, -1], [-1, -1, -1]]), "shape").settled["shape"]
    2
    """
    reading = named_reading(reading)
    shading, settled = np.empty(board.rows * board.cols, np.uint8), np.zeros(len(RUNGS), np.int64)
    fate = _climb(layout(board, reading.number != "nothing"), clauses(reading), rungs_to(top), shading, settled)
    state = shading.reshape(board.rows, board.cols)
    return Climb(state, dict(zip(RUNGS, settled.tolist(), strict=True)), fate == 1, fate < 0)
