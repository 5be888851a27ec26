"""What follows on a Tasquare board: its rules as kernels that settle variables of a trail (learning.py).

Variables are the n cells, a sentinel that is always unshaded, and one for every candidate square: SHADED when it is a
block, UNSHADED when it is none. Ladder and search are loops of machinery over these.

A candidate that dies costs next to nothing: every cell watches two living squares over it, and looks for another when
one of the two is gone.

Not here: why (reasons.py), what the rungs mean (ladder.py), guesses (guessing.py), and counting (clued.py).
"""

from typing import NamedTuple

import numpy as np

from ..machinery import climbing, connectivity, learning
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, lean
from ..machinery.learning import FINE, NONE, settle
from .layout import Clauses, Layout, layout, ring
from .rules import ASKED

SHAPE, CLUE, PRUNE, WHITE, PROBE, SOMETHING = range(6)  # rungs, and the rule that something is shaded, which is none
BELOW = (1 << PROBE) - 1
RECALLED = PROBE  # where a search that learns has its clauses looked at; it does not probe
LEARNS = 1 << RECALLED
# those that say whether a full board is an answer; prune does what clue does
JUDGES = 1 << SHAPE | 1 << PRUNE | 1 << WHITE | 1 << SOMETHING
# reasons, besides learning's: of a cell, a square, a clue or nothing
CLUED, CROSSED, HOMELESS, ONLY, BLOCK, ADDED, AFFORDED, CUT, CLASH, SPLIT, BLANK = range(
    learning.OWN, learning.OWN + 11
)
RUNG_OF = (SHAPE, SHAPE, PROBE, SHAPE, SHAPE, SHAPE, SHAPE, SHAPE, CLUE, PRUNE, WHITE)  # of every reason that settles
OTHER = UNSHADED + SHADED
ROOM = 30_000  # for learned clauses


class Rules(NamedTuple):
    """A board, and what its kernels remember between looks; n cells, q squares, sides up to m."""

    board: Layout
    connected: bool
    areas: bool
    zero: bool
    order: int  # in which cells are guessed: a place in guessing.ORDERS
    stale: np.ndarray  # uint8 (2, n + 1): clues that the clue rung and the prune rung have to look at again
    watched: np.ndarray  # int32 (2 n,): two squares over each cell, or the sentinel where there are not so many
    watcher: np.ndarray  # int32 (n + 1 + q,): the first who watches a square, 2 * cell + (0 or 1), or NONE
    chain: np.ndarray  # int32 (2 n,): the next who watches the same square
    listed: np.ndarray  # int32 (4, m + 2): sides of squares that can still lie on each side of a clue; how many
    marked: np.ndarray  # int64 (2, 4, m + 1): the same as marks; and those that some sum uses, 0 for no square
    sums: np.ndarray  # int64 (2, 2 m^2 + 1): what each pair of sides can add together, as marks
    role: np.ndarray  # uint8 (2, n): role and anchored of connectivity.cuts
    tree: np.ndarray  # int32 (4, n): its order, low, parent and turn


@inner
def begin(rows: int, cols: int, clues: np.ndarray, clauses: Clauses, order: int) -> Rules:
    """The Rules of a board; clues int32 (rows * cols,)."""
    board = layout(rows, cols, clues, clauses)
    n = rows * cols
    most = 1
    watched, chain = np.empty(2 * n, np.int32), np.empty(2 * n, np.int32)
    watcher = np.empty(board.corner.shape[0], np.int32)
    watcher[:] = NONE
    for cell in range(n):
        most = max(most, board.reach[cell])
        watched[2 * cell] = watched[2 * cell + 1] = n
        if board.reach[cell] > 0:  # the smallest squares live longest
            _watch(watched, watcher, chain, 2 * cell, board.first[cell])
        for corner in (cell, cell - 1, cell - cols, cell - cols - 1):
            if corner >= 0 and board.reach[corner] > 1 and corner % cols <= cell % cols:
                _watch(watched, watcher, chain, 2 * cell + 1, board.first[corner] + 1)
                break
    stale = np.empty((2, n + 1), np.uint8)
    stale[:] = 0
    marked = np.empty((2, 4, most + 1), np.int64)
    marked[:] = 0
    sums = np.empty((2, 2 * most * most + 1), np.int64)
    sums[:] = 0
    return Rules(
        board,
        clauses.connected,
        clauses.areas,
        clauses.zero,
        order,
        stale,
        watched,
        watcher,
        chain,
        np.empty((4, most + 2), np.int32),
        marked,
        sums,
        np.empty((2, n), np.uint8),
        np.empty((4, n), np.int32),
    )


@lean
def _watch(watched, watcher, chain, who, square):
    watched[who] = square
    chain[who] = watcher[square]
    watcher[square] = who


@inner
def trail(rules: Rules, rungs: int, learns: bool) -> learning.Trail:
    """A trail on which the cells with a clue are settled, for a climb or a search with a bit set of rungs."""
    board = rules.board
    n = board.near.shape[0]
    t = learning.trail(board.corner.shape[0], 0, 0, ROOM if learns else 1)
    t.at[learning.RUNGS] = rungs
    t.at[learning.SHORTENS] = learns
    t.state[n] = UNSHADED
    t.place[n] = t.level[n] = 0
    for cell in range(n):
        if board.value[cell] != -1:
            settle(t, cell, UNSHADED, CLUED, FINE)
        elif board.reach[cell] == 0:
            settle(t, cell, UNSHADED, HOMELESS, cell)
    return t


# Squares: every block is one


@lean
def _over(rules, t, cell, k, but):
    """A living square of side k over a cell, but one; the sentinel where none lives, NONE where none ever did."""
    cols = rules.board.cols
    reach, first = rules.board.reach, rules.board.first
    r = cell // cols
    c = cell - r * cols
    found = int(NONE)
    for i in range(min(r + 1, k)):
        for j in range(min(c + 1, k)):
            corner = cell - i * cols - j
            if reach[corner] >= k:
                square = int(first[corner]) + k - 1
                if t.state[square] != UNSHADED and square != but:
                    return square
                found = int(rules.board.near.shape[0])
    return found


@lean
def _living(rules, t, cell, but):
    """The smallest living square over a cell, but one, or the sentinel."""
    n = int(rules.board.near.shape[0])
    k = 1
    while True:
        square = _over(rules, t, cell, k, but)
        if square != n:
            return n if square < 0 else square
        k += 1


@lean
def _cross(rules, t, corner, above, most, by):
    """Candidates with this corner and sides above one number and up to another die for what a cell has become. Returns
    a block among them, or NONE.
    """
    first = int(rules.board.first[corner]) - 1
    for k in range(above + 1, min(most, int(rules.board.reach[corner])) + 1):
        if t.state[first + k] == UNKNOWN:
            settle(t, first + k, UNSHADED, CROSSED, by)
        elif t.state[first + k] == SHADED:
            return first + k
    return int(NONE)


@lean
def _crossed(rules, t, here):
    """Squares over an unshaded cell, and those beside a shaded one, die. Returns a block among them, or NONE."""
    n, cols = rules.board.near.shape[0], rules.board.cols
    most = rules.marked.shape[2] - 1
    r = here // cols
    c = here - r * cols
    if t.state[here] == UNSHADED:
        for i in range(min(r + 1, most)):
            for j in range(min(c + 1, most)):
                block = _cross(rules, t, here - i * cols - j, max(i, j), most, here)
                if block >= 0:
                    return block
        return int(NONE)
    block = int(NONE)
    for i in range(most):  # squares beside it, by how far their corner lies to the left or above
        if i <= c and here + cols < n:
            block = _cross(rules, t, here + cols - i, i, most, here)
        if i <= r and c + 1 < cols and block < 0:
            block = _cross(rules, t, here + 1 - i * cols, i, most, here)
        for k in range(i + 1, most + 1):
            if i <= c and k <= r and block < 0:
                block = _cross(rules, t, here - k * cols - i, k - 1, k, here)
            if i <= r and k <= c and block < 0:
                block = _cross(rules, t, here - k - i * cols, k - 1, k, here)
        if block >= 0:
            break
    return block


@lean
def _housed(rules, t, cell):
    """What a shaded cell makes of the squares over it. False when there is none."""
    n = rules.board.near.shape[0]
    if t.state[rules.watched[2 * cell]] != UNSHADED and t.state[rules.watched[2 * cell + 1]] != UNSHADED:
        return True
    square = _living(rules, t, cell, int(n))
    if square == n:
        return False
    if t.state[square] == UNKNOWN and _living(rules, t, cell, square) == n:
        settle(t, square, SHADED, ONLY, cell)
    return True


@lean
def _mourn(rules, t, square):
    """Who watched a square that died looks for another. Returns a shaded cell that finds none, or NONE."""
    n = rules.board.near.shape[0]
    homeless = int(NONE)
    who = int(rules.watcher[square])
    rules.watcher[square] = NONE
    while who >= 0:
        after = int(rules.chain[who])
        cell = who >> 1
        found = int(square)
        if homeless < 0 and t.state[cell] != UNSHADED:
            other = int(rules.watched[who ^ 1])
            found = _living(rules, t, cell, other)
            if found == n:
                found = int(square)
                if t.state[other] == UNSHADED:
                    if t.state[cell] == SHADED:
                        homeless = cell
                    else:
                        settle(t, cell, UNSHADED, HOMELESS, cell)
                elif t.state[cell] == SHADED and t.state[other] == UNKNOWN:
                    settle(t, other, SHADED, ONLY, cell)
        _watch(rules.watched, rules.watcher, rules.chain, who, found)
        who = after
    return homeless


@lean
def _block(rules, t, square):
    """The cells of a block are shaded, those beside it are not. False when they cannot be."""
    board = rules.board
    n, cols = board.near.shape[0], board.cols
    corner, k = int(board.corner[square]), int(board.side[square])
    for i in range(k):
        for j in range(k):
            there = corner + i * cols + j
            if t.state[there] == UNSHADED:
                return False
            if t.state[there] == UNKNOWN:
                settle(t, there, SHADED, BLOCK, square)
    for i in range(4 * k):
        there = ring(cols, n, corner // cols, corner % cols, k, i)
        if there >= 0:
            if t.state[there] == SHADED:
                return False
            if t.state[there] == UNKNOWN:
                settle(t, there, UNSHADED, BLOCK, square)
    return True


@lean
def _shape(rules, t):
    """The shape rung. Returns (why, by) of a contradiction, or (FINE, FINE), as all rungs do. It also notes which clues
    have something new.
    """
    board, stale = rules.board, rules.stale
    n, cols = board.near.shape[0], board.cols
    while t.heads[SHAPE] < t.at[learning.TAIL]:
        here = int(t.order[t.heads[SHAPE]])
        t.heads[SHAPE] += 1
        if here < n:
            for j in range(4):
                stale[0, board.near[here, j]] = stale[1, board.near[here, j]] = 1
            block = _crossed(rules, t, here)
            if block >= 0:
                return CLASH, block
            if t.state[here] == SHADED and not _housed(rules, t, here):
                return HOMELESS, here
        elif t.state[here] == SHADED:
            if not _block(rules, t, here):
                return CLASH, here
        else:
            corner, k = int(board.corner[here]), int(board.side[here])
            for i in range(4 * k):
                there = ring(cols, n, corner // cols, corner % cols, k, i)
                if there >= 0:
                    stale[0, there] = stale[1, there] = 1
            homeless = _mourn(rules, t, here)
            if homeless >= 0:
                return HOMELESS, homeless
    return FINE, int(FINE)


# A number is the total area of the blocks beside it; every clue has one


@lean
def combined(value: int, listed: np.ndarray, marked: np.ndarray, sums: np.ndarray) -> int:
    """Marks what each side of a number can add so that all add up to it; see Rules. Returns bits: sides that may stay
    unshaded, and four places higher those that may be shaded; 0 if there is no way.
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


@lean
def _add(rules, t, cell, why):
    """The clue rung on one clue, or the prune rung. False when its clue cannot be right."""
    near, value = rules.board.near, int(rules.board.value[cell])
    n = near.shape[0]
    if value == ASKED or (value == 0 and not rules.zero):
        may = 0
        one = -1
        for side in range(4):
            there = int(near[cell, side])
            if t.state[there] == SHADED and value == ASKED:
                return True
            if t.state[there] == UNKNOWN:
                may += 1
                one = there
        if may == 0 or value == 0:
            return False
        if may == 1:
            settle(t, one, SHADED, why, cell)
        return True
    listed, marked = rules.listed, rules.marked
    most = marked.shape[2] - 1
    rules.sums[0, 0] += 1  # every call has a mark of its own, so nothing needs clearing; a sum of 0 has flags instead
    mark = rules.sums[0, 0]
    for side in range(4):
        there = int(near[cell, side])
        size = 0
        if t.state[there] != SHADED:
            size = 1
            listed[side, 0] = 0
        if t.state[there] != UNSHADED and not rules.areas:
            listed[side, size] = 1
            size += 1
        elif t.state[there] != UNSHADED:
            for k in range(1, most + 1):
                square = _over(rules, t, there, k, n)
                if square < 0:
                    break
                if square != n:
                    listed[side, size] = k
                    size += 1
        listed[side, most + 1] = size
    ways = combined(value, listed, marked, rules.sums)
    if ways == 0:
        return False
    for side in range(4):
        there = int(near[cell, side])
        some = ways >> (4 + side) & 1
        if t.state[there] == UNKNOWN and not (some and ways >> side & 1):
            settle(t, there, SHADED if some else UNSHADED, why, cell)
        if why == AFFORDED and some and rules.areas:
            for a in range(listed[side, most + 1]):
                k = int(listed[side, a])
                while k > 0 and marked[1, side, k] != mark:
                    square = _over(rules, t, there, k, n)
                    if square == n:
                        break
                    settle(t, square, UNSHADED, why, cell)
    return True


@lean
def _numbers(rules, t, rung):
    """The clue rung, or the prune rung."""
    stale = rules.stale[rung - CLUE]
    if t.heads[rung] == 0:  # the first look
        for cell in rules.board.clue:
            stale[cell] = 1
    t.heads[rung] = t.at[learning.TAIL]
    why = ADDED if rung == CLUE else AFFORDED
    for i in range(rules.board.clue.shape[0]):
        cell = int(rules.board.clue[i])
        if stale[cell]:
            stale[cell] = 0
            if not _add(rules, t, cell, why):
                return why, cell
    return FINE, int(FINE)


# The unshaded cells are one region, and not all there is


@lean
def _something(rules, t):
    """Says of a full board whether anything is shaded; it settles nothing."""
    n = rules.board.near.shape[0]
    cell = 0
    while cell < n and t.state[cell] == UNSHADED:
        cell += 1
    return (BLANK if cell == n else FINE), int(FINE)


@lean
def _white(rules, t):
    """The white rung."""
    n = rules.board.near.shape[0]
    seen = t.heads[WHITE]
    t.heads[WHITE] = t.at[learning.TAIL]
    while seen < t.at[learning.TAIL] and t.order[seen] >= n:
        seen += 1
    if seen < t.at[learning.TAIL] and rules.connected:
        role, tree = rules.role[0], rules.tree
        found = connectivity.cuts(
            rules.board.near, t.state, False, role, tree[0], tree[1], tree[2], tree[3], rules.role[1]
        )
        if found == connectivity.SPLIT:
            return SPLIT, int(FINE)
        for cell in range(n if found > 0 else 0):
            if role[cell] != UNKNOWN:
                settle(t, cell, role[cell], CUT, cell)
    return FINE, int(FINE)


# All of it, as the loops of machinery call it


@lean
def take_back(rules: Rules, t: learning.Trail) -> None:
    """Nothing is left to look at: everything is at rest where a search goes back to."""
    for cell in rules.board.clue:
        rules.stale[0, cell] = rules.stale[1, cell] = 0


@lean
def look(rules: Rules, t: learning.Trail, rung: int) -> tuple[int, int]:
    """One look by one rung. Returns (why, by) of a contradiction, or (FINE, FINE)."""
    if rung == SHAPE:
        return _shape(rules, t)
    if rung == WHITE:
        return _white(rules, t)
    if rung == SOMETHING:
        return _something(rules, t)
    return _numbers(rules, t, rung)


climb = climbing.climb.of(__name__, look=look, take_back=take_back)
