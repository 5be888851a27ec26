"""What follows on a Tasquare board, and why: its rules as kernels that settle variables of a trail (learning.py).

Variables are the n cells, a sentinel that is always unshaded, and one for every candidate square: SHADED when it is a
block, UNSHADED when it is none. Each rule is two kernels: what it settles or contradicts, and which variables made it
do so. Ladder and search are loops of machinery over these.

A candidate that dies costs next to nothing: every cell watches two living squares over it, and looks for another when
one of the two is gone.

Not here: what the rungs mean (ladder.py), and counting (clued.py).
"""

from typing import NamedTuple

import numpy as np

from ..machinery import climbing, connectivity, learning
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, lean
from ..machinery.learning import FINE, NONE, settle
from .layout import Layout, layout, ring
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
GONE = 2  # of a side that a square could have, if all that have it were not dead
ORDERS = (
    "beside the clues",
    "in reading order",
    "the most settled neighbours",
    "the fewest squares over it",
    "tightest clue",
)
BESIDE, READING, MOST_SETTLED, FEWEST_SQUARES, TIGHTEST = range(5)


class Rules(NamedTuple):
    """A board, and what its kernels remember between looks; n cells, q squares, sides up to m."""

    board: Layout
    connected: bool
    areas: bool
    zero: bool
    order: int  # in which cells are guessed: a place in ORDERS
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
def begin(rows, cols, clues, clauses, order):
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
def trail(rules, rungs, learns):
    """A trail on which the cells with a clue are settled, for a climb or a search with a bit set of rungs."""
    board = rules.board
    n = board.near.shape[0]
    t = learning.trail(board.corner.shape[0], 0, 0, -1 if learns else 1)
    t.at[learning.RUNGS] = rungs
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
    found = np.int64(NONE)
    for i in range(min(r + 1, k)):
        for j in range(min(c + 1, k)):
            corner = cell - i * cols - j
            if reach[corner] >= k:
                square = np.int64(first[corner]) + k - 1
                if t.state[square] != UNSHADED and square != but:
                    return square
                found = np.int64(rules.board.near.shape[0])
    return found


@lean
def _living(rules, t, cell, but):
    """The smallest living square over a cell, but one, or the sentinel."""
    n = np.int64(rules.board.near.shape[0])
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
    first = np.int64(rules.board.first[corner]) - 1
    for k in range(above + 1, min(most, np.int64(rules.board.reach[corner])) + 1):
        if t.state[first + k] == UNKNOWN:
            settle(t, first + k, UNSHADED, CROSSED, by)
        elif t.state[first + k] == SHADED:
            return first + k
    return np.int64(NONE)


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
        return np.int64(NONE)
    block = np.int64(NONE)
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
    square = _living(rules, t, cell, np.int64(n))
    if square == n:
        return False
    if t.state[square] == UNKNOWN and _living(rules, t, cell, square) == n:
        settle(t, square, SHADED, ONLY, cell)
    return True


@lean
def _mourn(rules, t, square):
    """Who watched a square that died looks for another. Returns a shaded cell that finds none, or NONE."""
    n = rules.board.near.shape[0]
    homeless = np.int64(NONE)
    who = np.int64(rules.watcher[square])
    rules.watcher[square] = NONE
    while who >= 0:
        after = np.int64(rules.chain[who])
        cell = who >> 1
        found = np.int64(square)
        if homeless < 0 and t.state[cell] != UNSHADED:
            other = np.int64(rules.watched[who ^ 1])
            found = _living(rules, t, cell, other)
            if found == n:
                found = np.int64(square)
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
    corner, k = np.int64(board.corner[square]), np.int64(board.side[square])
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
        here = np.int64(t.order[t.heads[SHAPE]])
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
            corner, k = np.int64(board.corner[here]), np.int64(board.side[here])
            for i in range(4 * k):
                there = ring(cols, n, corner // cols, corner % cols, k, i)
                if there >= 0:
                    stale[0, there] = stale[1, there] = 1
            homeless = _mourn(rules, t, here)
            if homeless >= 0:
                return HOMELESS, homeless
    return FINE, np.int64(FINE)


# A number is the total area of the blocks beside it; every clue has one


@lean
def combined(value, listed, marked, sums):
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
    near, value = rules.board.near, np.int64(rules.board.value[cell])
    n = near.shape[0]
    if value == ASKED or (value == 0 and not rules.zero):
        may = 0
        one = -1
        for side in range(4):
            there = np.int64(near[cell, side])
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
        there = np.int64(near[cell, side])
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
        there = np.int64(near[cell, side])
        some = ways >> (4 + side) & 1
        if t.state[there] == UNKNOWN and not (some and ways >> side & 1):
            settle(t, there, SHADED if some else UNSHADED, why, cell)
        if why == AFFORDED and some and rules.areas:
            for a in range(listed[side, most + 1]):
                k = np.int64(listed[side, a])
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
        cell = np.int64(rules.board.clue[i])
        if stale[cell]:
            stale[cell] = 0
            if not _add(rules, t, cell, why):
                return why, cell
    return FINE, np.int64(FINE)


# The unshaded cells are one region, and not all there is


@lean
def _something(rules, t):
    """Says of a full board whether anything is shaded; it settles nothing."""
    n = rules.board.near.shape[0]
    cell = 0
    while cell < n and t.state[cell] == UNSHADED:
        cell += 1
    return (BLANK if cell == n else FINE), np.int64(FINE)


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
            return SPLIT, np.int64(FINE)
        for cell in range(n if found > 0 else 0):
            if role[cell] != UNKNOWN:
                settle(t, cell, np.int64(role[cell]), CUT, cell)
    return FINE, np.int64(FINE)


# Why


@lean
def _was(t, variable, before):
    """What a variable was when so many were settled."""
    return np.int64(t.state[variable]) if t.state[variable] != UNKNOWN and t.place[variable] < before else UNKNOWN


@lean
def _kills(board, t, cell, corner, k):
    """Whether a cell as it is leaves no square of side k at a corner."""
    down = cell // board.cols - corner // board.cols
    right = cell % board.cols - corner % board.cols
    if t.state[cell] == UNSHADED:
        return 0 <= down < k and 0 <= right < k
    beside_row = (down == -1 or down == k) and 0 <= right < k
    return beside_row or ((right == -1 or right == k) and 0 <= down < k)


@lean
def _covers(board, square, cell):
    """Whether a square lies over a cell."""
    down = cell // board.cols - board.corner[square] // board.cols
    right = cell % board.cols - board.corner[square] % board.cols
    return 0 <= down < board.side[square] and 0 <= right < board.side[square]


@lean
def _gone(rules, t, cell, k, but, size):
    """Adds to the causes why no square of side k lives over a cell, but one. Returns how many causes there are, or NONE
    where there never was such a square.
    """
    board = rules.board
    n, cols = board.near.shape[0], board.cols
    r = cell // cols
    c = cell - r * cols
    none = True
    for i in range(min(r + 1, k)):
        for j in range(min(c + 1, k)):
            corner = cell - i * cols - j
            if board.reach[corner] < k:
                continue
            none = False
            square = np.int64(board.first[corner]) + k - 1
            if square == but or t.level[square] == 0:
                continue
            told = False
            for at in range(size):
                cause = np.int64(t.causes[at])
                told = told or (cause < n and _kills(board, t, cause, corner, k))
            if not told:
                t.causes[size] = t.by[square] if t.why[square] == CROSSED else square
                size += 1
    return np.int64(NONE) if none else np.int64(size)


@lean
def _lived(rules, t, cell, k, before):
    """Whether a square of side k over a cell was alive when so many were settled; NONE where none ever was."""
    cols, reach, first = rules.board.cols, rules.board.reach, rules.board.first
    r = cell // cols
    c = cell - r * cols
    found = np.int64(NONE)
    for i in range(min(r + 1, k)):
        for j in range(min(c + 1, k)):
            corner = cell - i * cols - j
            if reach[corner] >= k:
                found = np.int64(0)
                if _was(t, np.int64(first[corner]) + k - 1, before) != UNSHADED:
                    return np.int64(1)
    return found


@lean
def _possible(allowed, value):
    """Whether what is allowed on each side of a number, 1 for each side of a square, can add up to it."""
    end = allowed.shape[1] - 1
    for a in range(end):
        for b in range(end if allowed[0, a] == 1 else 0):
            if a * a + b * b > value:
                break
            for c in range(end if allowed[1, b] == 1 else 0):
                rest = value - a * a - b * b - c * c
                if rest < 0:
                    break
                d = np.int64(np.sqrt(rest))
                if allowed[2, c] == 1 and d < end and d * d == rest and allowed[3, d] == 1:
                    return True
    return False


@lean
def _number_causes(rules, t, clue, settled, before):
    """What a clue went by: of all that was settled beside it and the squares that were gone, no more than it takes."""
    near, value = rules.board.near, np.int64(rules.board.value[clue])
    n, allowed, size = near.shape[0], rules.listed, np.int64(0)
    end = allowed.shape[1] - 1
    if value == ASKED:
        for side in range(4):
            there = near[clue, side]
            if there < n and there != settled:
                t.causes[size] = there
                size += 1
        return size
    for side in range(4):
        there = np.int64(near[clue, side])
        was = UNSHADED if there == n else _was(t, there, before)
        allowed[side, 0] = was != SHADED
        for k in range(1, end):
            lived = (
                np.int64(k == 1) if not rules.areas else _lived(rules, t, there, k, before) if was != UNSHADED else 0
            )
            allowed[side, k] = 0 if was == UNSHADED or lived < 0 else 1 if lived else GONE
        if there == settled:  # the other way is what cannot be
            for k in range(1, end if t.state[there] == SHADED else 1):
                allowed[side, k] = 0
            if t.state[there] == UNSHADED:
                allowed[side, 0] = 0
        elif settled > n and _covers(rules.board, settled, there):
            for k in range(end):
                allowed[side, k] = k == rules.board.side[settled]
    for k in range(end - 1, 0, -1):
        for side in range(4):
            if allowed[side, k] == GONE:
                allowed[side, k] = 1
                if _possible(allowed, value):
                    allowed[side, k] = GONE
    for side in range(4):
        there = np.int64(near[clue, side])
        if there in (n, settled):
            continue
        was = _was(t, there, before)
        if was == SHADED and allowed[side, 0] == 0:
            allowed[side, 0] = 1
            if _possible(allowed, value):
                allowed[side, 0] = 0
                t.causes[size] = there
                size += 1
        elif was == UNSHADED:
            for k in range(1, end):
                allowed[side, k] = k == 1 if not rules.areas else _lived(rules, t, there, k, 0) == 1
            if _possible(allowed, value):
                for k in range(1, end):
                    allowed[side, k] = 0
                t.causes[size] = there
                size += 1
    for k in range(1, end):
        for side in range(4):
            if allowed[side, k] == GONE:
                size = _gone(rules, t, np.int64(near[clue, side]), k, settled, size)
    return size


@lean
def _part_causes(rules, t, settled, before):
    """The wall that parts unshaded cells, or would, and a cell on each side of it."""
    near = rules.board.near
    n = near.shape[0]
    label, stack, anchor, border = rules.tree[0], rules.tree[1], rules.tree[2], rules.tree[3]
    pocket = settled >= 0 and t.state[settled] == SHADED
    shut = np.int64(NONE) if pocket else settled
    parts = np.int64(0)
    piece = outside = np.int64(NONE)
    for cell in range(n):
        label[cell] = NONE
    for cell in range(n):
        if label[cell] >= 0 or cell == shut or _was(t, cell, before) == SHADED:
            continue
        anchor[parts] = NONE
        border[parts] = 0
        label[cell] = parts
        stack[0] = cell
        size = 1
        while size > 0:
            size -= 1
            here = np.int64(stack[size])
            if _was(t, here, before) == UNSHADED and (anchor[parts] < 0 or t.level[here] < t.level[anchor[parts]]):
                anchor[parts] = here
            for j in range(4):
                there = np.int64(near[here, j])
                if there == n:
                    continue
                if there == shut or _was(t, there, before) == SHADED:
                    border[parts] += 1
                elif label[there] < 0:
                    label[there] = parts
                    stack[size] = there
                    size += 1
        if not pocket and anchor[parts] >= 0 and (piece < 0 or border[parts] < border[piece]):
            piece = parts
        parts += 1
    if pocket:
        piece = np.int64(label[settled])
    for part in range(parts):
        if part != piece and anchor[part] >= 0 and (outside < 0 or t.level[anchor[part]] < t.level[outside]):
            outside = np.int64(anchor[part])
    size = np.int64(1)
    t.causes[0] = outside
    if not pocket:
        t.causes[1] = anchor[piece]
        size += 1
    for cell in range(n):  # what stands beside the piece, and of that what the other side touches
        border[cell] = 0
        if label[cell] != piece:
            for j in range(4):
                if near[cell, j] < n and label[near[cell, j]] == piece:
                    border[cell] = 1
    border[outside] = 2
    stack[0] = outside
    left = 1
    while left > 0:
        left -= 1
        here = np.int64(stack[left])
        for j in range(4):
            there = np.int64(near[here, j])
            if there == n or label[there] == piece or border[there] == 2:
                continue
            if border[there] == 0:
                border[there] = 2
                stack[left] = there
                left += 1
            elif border[there] == 1:
                border[there] = 3
                if there != settled:
                    t.causes[size] = there
                    size += 1
    return size


@lean
def causes(rules, t, why, by, settled):
    """Variables that settled one, or (`settled` FINE) contradict each other, into t.causes. Returns how many."""
    board = rules.board
    n = board.near.shape[0]
    before = t.at[learning.TAIL] if settled < 0 else np.int64(t.place[settled])
    if why == learning.LEARNED:
        return np.int64(learning.literals_of(t, by, settled))
    if why in (CROSSED, BLOCK):
        t.causes[0] = by
        return np.int64(1)
    if why in (ADDED, AFFORDED):
        return _number_causes(rules, t, by, settled, before)
    if why in (CUT, SPLIT):
        return _part_causes(rules, t, settled, before)
    size = np.int64(0)
    if why in (HOMELESS, ONLY):
        if by != settled:
            t.causes[0] = by
            size += 1
        k = 1
        while True:
            found = _gone(rules, t, by, k, settled, size)
            if found < 0:
                return size
            size = found
            k += 1
    if why == CLASH:
        t.causes[0] = by
        best = np.int64(NONE)
        for cell in range(n):
            if t.state[cell] != UNKNOWN and _kills(
                board, t, cell, np.int64(board.corner[by]), np.int64(board.side[by])
            ):
                if best < 0 or t.level[cell] < t.level[best]:
                    best = cell
        t.causes[1] = best
        return np.int64(2)
    if why == BLANK:
        for cell in range(n):
            t.causes[cell] = cell
        return np.int64(n)
    return size


# All of it, as the loops of machinery call it


@lean
def take_back(rules, t):
    """Nothing is left to look at: everything is at rest where a search goes back to."""
    for cell in rules.board.clue:
        rules.stale[0, cell] = rules.stale[1, cell] = 0


@lean
def look(rules, t, rung):
    """One look by one rung. Returns (why, by) of a contradiction, or (FINE, FINE)."""
    if rung == SHAPE:
        return _shape(rules, t)
    if rung == WHITE:
        return _white(rules, t)
    if rung == SOMETHING:
        return _something(rules, t)
    return _numbers(rules, t, rung)


@lean
def _recall(rules, t, rung):
    """The same for a search that learns: the shape rung looks together with all that was learned."""
    if rung == RECALLED:
        return FINE, np.int64(FINE)
    why, by = look(rules, t, rung)
    while rung == SHAPE and why == FINE and t.heads[RECALLED] < t.at[learning.TAIL]:
        broken = np.int64(learning.follow(t, t.order[t.heads[RECALLED]]))
        if broken >= 0:
            return learning.LEARNED, broken
        t.heads[RECALLED] += 1
        if t.heads[SHAPE] < t.at[learning.TAIL]:
            why, by = look(rules, t, SHAPE)
    return why, by


_climb_to = climbing.climb_to.of(__name__, look=look)
_climb_and_recall = climbing.climb_to.of(__name__, look=_recall)
climb = climbing.climb.of(__name__, look=look, take_back=take_back)


@lean
def _propagate(rules, t):
    """What the rungs in use settle; a full board is judged by all that can."""
    why, by = _climb_to(rules, t, t.at[learning.RUNGS])
    if why == FINE and t.at[learning.RUNGS] & JUDGES != JUDGES:
        if climbing.first_unknown(t, rules.board.near.shape[0]) == NONE:
            return _climb_to(rules, t, JUDGES)
    return why, by


@lean
def _propagate_learned(rules, t):
    return _climb_and_recall(rules, t, t.at[learning.RUNGS])


@lean
def _squares(rules, t, cell):
    """How many living squares lie over a cell."""
    board = rules.board
    most = rules.marked.shape[2] - 1
    r = cell // board.cols
    c = cell - r * board.cols
    found = 0
    for i in range(min(r + 1, most)):
        for j in range(min(c + 1, most)):
            corner = cell - i * board.cols - j
            for k in range(max(i, j), board.reach[corner]):
                found += t.state[board.first[corner] + k] != UNSHADED
    return found


@lean
def _tightest(rules, t):
    """The cell to guess, shaded first: beside the clue whose unknown neighbours have fewest squares left."""
    near = rules.board.near
    best = np.int64(NONE)
    least = 1 << 40
    for clue in rules.board.clue:
        squares = 0
        fewest = 1 << 40
        pick = np.int64(NONE)
        for j in range(4):
            there = np.int64(near[clue, j])
            if t.state[there] == UNKNOWN:
                here = _squares(rules, t, there)
                squares += here
                if here < fewest:
                    pick = there
                    fewest = here
        if pick >= 0 and squares < least:
            least = squares
            best = pick
    return _shaded_first(rules, t, best)


@lean
def _shaded_first(rules, t, cell):
    """The cell to guess, or the first one where there is no such cell."""
    if cell < 0:
        cell = climbing.first_unknown(t, rules.board.near.shape[0])
    if cell >= 0:
        t.phase[cell] = SHADED
    return cell


@lean
def _in_order(rules, t):
    """The cell to guess, in the order that is asked for."""
    board, order = rules.board, rules.order
    best = np.int64(NONE)
    most = -(1 << 40)
    if order == TIGHTEST:
        return _tightest(rules, t)
    if order == BESIDE:
        for clue in board.clue:
            for j in range(4):
                if t.state[board.near[clue, j]] == UNKNOWN:
                    return _shaded_first(rules, t, np.int64(board.near[clue, j]))
    elif order != READING:
        for cell in range(board.near.shape[0]):
            if t.state[cell] == UNKNOWN:
                worth = 0
                if order == MOST_SETTLED:
                    for j in range(4):
                        worth += t.state[board.near[cell, j]] != UNKNOWN
                else:
                    worth = -_squares(rules, t, cell)
                if worth > most:
                    most = worth
                    best = cell
    return _shaded_first(rules, t, best)


@lean
def _to_blame(rules, t):
    return learning.heaviest(t, 0, rules.board.near.shape[0])


search = learning.search.of(__name__, propagate=_propagate_learned, causes=causes, pick=_to_blame, take_back=take_back)
search_tightest = learning.search_plainly.of(__name__, propagate=_propagate, pick=_tightest, take_back=take_back)
search_in_order = learning.search_plainly.of(__name__, propagate=_propagate, pick=_in_order, take_back=take_back)
