"""What follows on a Usowan board, and why: its rules as kernels that settle variables of a trail (learning.py).

Variables are the n cells, two sentinels (n and n + 1) that are always unshaded, and one for every number: whether it is
the wrong one. Each rule is two kernels: what it settles or contradicts, and which variables made it do so. Ladder,
search and explanations are loops of machinery over these.

Not here: what the rungs mean (ladder.py), and counting (clued.py).
"""

from typing import NamedTuple

import numpy as np

from ..machinery import climbing, learning, walls
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, lean
from ..machinery.learning import FINE, Trail, settle
from .layout import APART, CONNECTED, Clauses, Layout, layout

CELL, COUNT, REGION, CONNECT, PROBE = range(5)  # rungs
JUDGES = 1 << CELL | 1 << COUNT | 1 << CONNECT  # those that say whether a full board is an answer
BELOW = JUDGES | 1 << REGION  # below probe
CLUED, TOUCHES, NUMBER, LIES, AGREED, RING, LINE = range(learning.OWN, learning.OWN + 7)  # reasons, besides learning's
RUNG_OF = (CELL, CELL, PROBE, CELL, CELL, COUNT, COUNT, REGION, CONNECT, CONNECT)  # of every reason
HONEST, WRONG = UNSHADED, SHADED  # values of a number's variable
OTHER = UNSHADED + SHADED
LOOKS = 200_000  # of the region rung at one region; past it the rung says nothing, which is sound
SCOPE, PLANTED = range(2)  # of Rules.at
ROUGHLY, EXACTLY = 1, 2  # of a region: whether the count and the region rung have to look at it again
IN_QUESTION = 4  # of a cell, besides its possible values


class Rules(NamedTuple):
    """A board, and what its kernels remember between looks."""

    board: Layout
    walls: walls.Walls
    stale: np.ndarray  # uint8 (g,): ROUGHLY, EXACTLY
    at: np.ndarray  # int64 (2,): the region in question, or -1; how much of the trail the walls have grown by
    seen: np.ndarray  # uint8 (n + 1,): zeros between looks of the region rung; see climbing.agree


@inner
def begin(rows: int, cols: int, clues: np.ndarray, regions: np.ndarray, clauses: Clauses) -> Rules:
    """The Rules of a board; clues and regions int32 (rows * cols,)."""
    board = layout(rows, cols, clues, regions, clauses)
    stale = np.empty(board.first.shape[0] - 1, np.uint8)
    stale[:] = 0
    seen = np.empty(rows * cols + 1, np.uint8)
    seen[:] = 0
    at = np.empty(2, np.int64)
    at[SCOPE] = -1
    at[PLANTED] = 0
    return Rules(board, walls.walls(rows, cols), stale, at, seen)


@inner
def trail(rules: Rules, rungs: int, searches: bool) -> Trail:
    """A trail on which the cells with a clue are settled, for a climb or a search with a bit set of rungs."""
    board = rules.board
    n = board.near.shape[0]
    variables = n + 2 + board.numbered.shape[0]
    t = learning.trail(variables, 0, 0, -1 if searches else 1)
    t.at[learning.RUNGS] = rungs
    t.state[n] = t.state[n + 1] = UNSHADED
    for i in range(board.unshaded.shape[0]):
        settle(t, board.unshaded[i], UNSHADED, CLUED, FINE)
    if searches:
        open_line(board, t)
    return t


@lean
def open_line(board: Layout, t: Trail) -> bool:
    """In a single row or column all cells but the ends are unshaded, and so is a single cell. False when one is not."""
    n = board.near.shape[0]
    if board.rules[CONNECTED] and board.near[0, 1] == n:
        for cell in range(n):
            if n == 1 or board.near[cell, 1] < n:
                if t.state[cell] == SHADED:
                    return False
                if t.state[cell] == UNKNOWN:
                    settle(t, cell, UNSHADED, LINE, cell)
    return True


# Shaded cells never touch


@lean
def _touch(rules, t, here):
    """Beside a shaded cell all are unshaded. False when one is not."""
    only = rules.at[SCOPE]
    for j in range(4 if rules.board.rules[APART] else 0):
        there = rules.board.near[here, j]
        if t.state[there] == SHADED:
            return False
        if t.state[there] == UNKNOWN and (only < 0 or rules.seen[there]):
            settle(t, there, UNSHADED, TOUCHES, here)
    return True


@lean
def _cell(rules, t):
    """The cell rung. Returns (why, by) of a contradiction, or (FINE, FINE), as all rungs do. It also notes which
    regions have something new; where one is in question, only about that.
    """
    board = rules.board
    n = board.near.shape[0]
    only = rules.at[SCOPE]
    while t.heads[CELL] < t.at[learning.TAIL]:
        here = t.order[t.heads[CELL]]
        t.heads[CELL] += 1
        if here >= n:
            if t.why[here] != NUMBER and t.why[here] != LIES:  # who settles these has gone on from them
                rules.stale[board.region_of[here - n - 2]] = ROUGHLY | EXACTLY
            continue
        if t.state[here] == SHADED and not _touch(rules, t, here):
            return TOUCHES, np.int64(here)
        for j in range(4):
            i = board.number_at[board.near[here, j]]
            if i >= 0:
                if only < 0:
                    rules.stale[board.region_of[i]] = ROUGHLY | EXACTLY
                elif board.region_of[i] == only:
                    rules.stale[only] |= ROUGHLY
    return FINE, FINE


# A number counts the shaded cells beside it; of the numbers of a region some are wrong


@lean
def _bounds(board, state, i):
    """(shaded, shaded + unknown) around number i."""
    shaded = unknown = 0
    for j in range(4):
        s = state[board.near[board.numbered[i], j]]
        shaded += s == SHADED
        unknown += s == UNKNOWN
    return shaded, shaded + unknown


@lean
def _judge(board, t, i):
    """Whether number i is right, where the cells around it say so."""
    low, high = _bounds(board, t.state, i)
    value = board.value[i]
    if value < 0:
        return
    if value < low or value > high:
        settle(t, board.near.shape[0] + 2 + i, WRONG, NUMBER, i)
    elif low == high:
        settle(t, board.near.shape[0] + 2 + i, HONEST, NUMBER, i)


@lean
def _fill(board, t, i):
    """What a number that is known to be right, or wrong, makes of the cells around it. False when it cannot be."""
    lie = t.state[board.near.shape[0] + 2 + i]
    low, high = _bounds(board, t.state, i)
    value = board.value[i]
    if value < 0:
        return True
    if low == high:
        return (lie == HONEST) == (low == value)
    fill = UNKNOWN
    if lie == HONEST:
        if value < low or value > high:
            return False
        fill = UNSHADED if value == low else SHADED if value == high else UNKNOWN
    elif high - low == 1:
        fill = SHADED if value == low else UNSHADED if value == high else UNKNOWN
    if fill != UNKNOWN:
        for j in range(4):
            there = board.near[board.numbered[i], j]
            if t.state[there] == UNKNOWN:
                settle(t, there, fill, NUMBER, i)
    return True


@lean
def _number_causes(board, t, i, settled, before):
    n = board.near.shape[0]
    cell, value, lie = board.numbered[i], board.value[i], n + 2 + i
    size = shaded = 0
    for j in range(4):
        there = board.near[cell, j]
        shaded += there < n and t.state[there] == SHADED and t.place[there] < before
    role = UNKNOWN  # which cells are to blame: SHADED, UNSHADED, or all of them
    if settled == lie:
        if t.state[lie] == WRONG:
            role = SHADED if shaded > value else UNSHADED
    else:
        t.causes[0] = lie
        size = 1
        if t.state[lie] == HONEST:
            if settled < 0:
                role = SHADED if shaded > value else UNSHADED
            else:
                role = OTHER - t.state[settled]
    for j in range(4):
        there = board.near[cell, j]
        if there < n and there != settled and t.state[there] != UNKNOWN and t.place[there] < before:
            if role == UNKNOWN or t.state[there] == role:
                t.causes[size] = there
                size += 1
    return size


@lean
def _lies(board, t, region):
    """How many numbers of a region can be wrong. False when it cannot be."""
    lies = board.near.shape[0] + 2
    most, fewest = board.most, board.fewest
    wrong = unknown = 0
    for i in range(board.first[region], board.first[region + 1]):
        wrong += t.state[lies + i] == WRONG
        unknown += t.state[lies + i] == UNKNOWN
    if not board.active[region]:
        return True
    if wrong > most or wrong + unknown < fewest:
        return False
    if unknown and (wrong == most or wrong + unknown == fewest):
        for i in range(board.first[region], board.first[region + 1]):
            if t.state[lies + i] == UNKNOWN:
                settle(t, lies + i, HONEST if wrong == most else WRONG, LIES, region)
    return True


@lean
def _lies_causes(board, t, region, settled, before):
    lies = board.near.shape[0] + 2
    first, last = board.first[region], board.first[region + 1]
    if settled >= 0:
        role = OTHER - t.state[settled]
    else:
        wrong = 0
        for i in range(first, last):
            wrong += t.state[lies + i] == WRONG
        role = WRONG if wrong > board.most else HONEST
    size = 0
    for i in range(first, last):
        if t.state[lies + i] == role and t.place[lies + i] < before:
            t.causes[size] = lies + i
            size += 1
    return size


@lean
def _count_region(rules, t, region):
    """The count rung at one region: its numbers, then what they make of each other, then the cells beside them."""
    lies = rules.board.near.shape[0] + 2
    first, last = rules.board.first[region], rules.board.first[region + 1]
    for i in range(first, last):
        if t.state[lies + i] == UNKNOWN:
            _judge(rules.board, t, i)
    if not _lies(rules.board, t, region):
        return LIES, np.int64(region)
    for i in range(first, last):
        if t.state[lies + i] != UNKNOWN and not _fill(rules.board, t, i):
            return NUMBER, np.int64(i)
    return FINE, FINE


@lean
def _all_stale(rules, flags):
    for region in range(rules.stale.shape[0]):
        rules.stale[region] |= flags


@lean
def _count(rules, t):
    """The count rung."""
    only = rules.at[SCOPE]
    if t.heads[COUNT] == 0:  # the first look
        _all_stale(rules, ROUGHLY)
    t.heads[COUNT] = t.at[learning.TAIL]
    for region in range(max(only, 0), rules.stale.shape[0] if only < 0 else only + 1):
        if rules.stale[region] & ROUGHLY:
            rules.stale[region] &= EXACTLY
            why, by = _count_region(rules, t, region)
            if why != FINE:
                return why, by
    return FINE, FINE


# The same, exactly: every shading of the cells beside a region's numbers


@lean
def _asked(rules, k):
    """The k-th cell beside a number of the region in question, or -1 after the last."""
    i = rules.board.first[rules.at[SCOPE]] + (k >> 2)
    return rules.board.near[rules.board.numbered[i], k & 3] if i < rules.board.first[rules.at[SCOPE] + 1] else -1


@lean
def _look_near(rules, t):
    """The cell and count rungs, but of numbers only those of the region in question."""
    while True:
        before = t.at[learning.TAIL]
        why, by = _cell(rules, t)
        if why == FINE:
            why, by = _count(rules, t)
        if why != FINE or t.at[learning.TAIL] == before:
            return why, by


@lean
def take_back(rules: Rules, t: Trail) -> None:
    """The walls are taken apart as far as the trail is."""
    for at in range(rules.at[PLANTED] - 1, t.heads[CONNECT] - 1, -1):
        cell = t.order[at]
        if cell < rules.walls.corners.shape[0] and rules.walls.wall[cell] >= 0:
            walls.uproot(rules.walls, cell)
    rules.at[PLANTED] = min(rules.at[PLANTED], t.heads[CONNECT])


_agree = climbing.agree.of(__name__, asked=_asked, look_near=_look_near, take_back=take_back)


@lean
def _region(rules, t):
    """The region rung, up to the first region that has something to say."""
    if t.heads[REGION] == 0:
        _all_stale(rules, EXACTLY)
    t.heads[REGION] = before = t.at[learning.TAIL]
    for region in range(rules.stale.shape[0]):
        if rules.stale[region] & EXACTLY:
            rules.stale[region] &= ROUGHLY
            if not _agreed(rules, t, region):
                return AGREED, np.int64(region)
            if t.at[learning.TAIL] > before:
                break
    return FINE, FINE


@lean
def _agreed(rules, t, region):
    """Settle what all shadings of the cells beside a region's numbers agree on. False when there is none."""
    rules.at[SCOPE] = region
    size = 0
    unknown = False
    while _asked(rules, size) >= 0:
        rules.seen[_asked(rules, size)] = IN_QUESTION
        unknown |= t.state[_asked(rules, size)] == UNKNOWN
        size += 1
    if unknown:
        _agree(rules, t, LOOKS, rules.seen)
    possible = True
    for k in range(size):
        cell = _asked(rules, k)
        if t.state[cell] == UNKNOWN:
            possible = possible and rules.seen[cell] != IN_QUESTION
            if rules.seen[cell] == IN_QUESTION + UNSHADED or rules.seen[cell] == IN_QUESTION + SHADED:
                settle(t, cell, rules.seen[cell] - IN_QUESTION, AGREED, region)
    for k in range(size):
        rules.seen[_asked(rules, k)] = 0
    rules.at[SCOPE] = -1
    return possible


# The unshaded cells are one region


@lean
def _connect(rules, t):
    """The connect rung."""
    n = rules.board.near.shape[0]
    if not rules.board.rules[CONNECTED]:
        return FINE, FINE
    if rules.board.near[0, 1] == n:
        return _line(rules.board, t)
    while t.heads[CONNECT] < t.at[learning.TAIL]:
        here = t.order[t.heads[CONNECT]]
        t.heads[CONNECT] += 1
        rules.at[PLANTED] = t.heads[CONNECT]
        if here < n and t.state[here] == SHADED and not _wall(rules.walls, t, here):
            return RING, np.int64(here)
    return FINE, FINE


@lean
def _wall(w, t, cell):
    """A shaded cell joins the walls; what meets one wall twice is unshaded. False when the cell closes a ring."""
    n = w.corners.shape[0]
    walls.plant(w, cell)
    for i in range(5):
        other = w.wall[w.corners[cell, i]]
        if other < 0:
            continue
        mine = w.wall[cell]
        if mine == other:
            return False
        if w.size[mine] > w.size[other]:
            mine, other = other, mine
        walls.merge(w, mine, other)
        here = w.after[other]
        for _ in range(w.size[mine]):
            for j in range(4):
                there = w.corners[here, j]
                if there < n and t.state[there] == UNKNOWN and walls.meets_itself(w, there):
                    settle(t, there, UNSHADED, RING, there)
            here = w.after[here]
    return True


@lean
def _line(board, t):
    """A single row or column: between two unshaded cells all are."""
    n = board.near.shape[0]
    t.heads[CONNECT] = t.at[learning.TAIL]
    first, last = n, -1
    for cell in range(n):
        if t.state[cell] == UNSHADED:
            first, last = min(first, cell), cell
    for cell in range(first, last):
        if t.state[cell] == UNKNOWN:
            settle(t, cell, UNSHADED, LINE, cell)
    for cell in range(n):
        if t.state[cell] == SHADED and first < cell < last:
            return LINE, np.int64(cell)
    return FINE, FINE


# All of it, as the loops of machinery call it


@lean
def _look(rules, t, rung):
    """One look by one rung. Returns (why, by) of a contradiction, or (FINE, FINE)."""
    if rung == CELL:
        return _cell(rules, t)
    if rung == COUNT:
        return _count(rules, t)
    if rung == REGION:
        return _region(rules, t)
    return _connect(rules, t)


@lean
def _causes(rules, t, why, by, settled):
    """Variables that settled one, or (`settled` FINE) contradict each other, into t.causes. Returns how many."""
    before = t.at[learning.TAIL] if settled < 0 else np.int64(t.place[settled])
    if why == learning.LEARNED:
        return learning.literals_of(t, by, settled)
    if why in (TOUCHES, RING):
        size = 0
        if why == RING:
            last = before if settled >= 0 else np.int64(t.place[by])
            size = walls.ring(rules.walls, by, t.state, t.place, last, t.causes)
        elif settled < 0:
            while t.state[rules.board.near[by, size]] != SHADED:
                size += 1
            t.causes[0] = rules.board.near[by, size]
            size = 1
        if settled < 0 or why == TOUCHES:
            t.causes[size] = by
            size += 1
        return size
    if why == NUMBER:
        return _number_causes(rules.board, t, by, settled, before)
    if why == LIES:
        return _lies_causes(rules.board, t, by, settled, before)
    return 0


climb_to = climbing.climb_to.of(__name__, look=_look)
go_back = learning.go_back.of(__name__, take_back=take_back)
climb = climbing.climb.of(__name__, look=_look, take_back=take_back)


@lean
def _number(board, t, i):
    """What a number, its variable and the cells beside it make of each other. False when they cannot be."""
    if t.state[board.near.shape[0] + 2 + i] != UNKNOWN:
        return _fill(board, t, i)
    _judge(board, t, i)
    return True


@lean
def propagate(rules: Rules, t: Trail) -> tuple[int, int | np.integer]:
    """What the rungs JUDGES and the learned clauses settle, one variable of the trail after the other: quicker, where
    nobody asks which rung it was.
    """
    board = rules.board
    n = board.near.shape[0]
    connected = board.rules[CONNECTED] and board.near[0, 1] < n
    if t.heads[CELL] == 0:
        for region in range(board.first.shape[0] - 1):
            if not _lies(rules.board, t, region):
                return LIES, np.int64(region)
        for i in range(board.numbered.shape[0]):
            if not _number(rules.board, t, i):
                return NUMBER, np.int64(i)
    while t.heads[CELL] < t.at[learning.TAIL]:
        here = t.order[t.heads[CELL]]
        t.heads[CELL] += 1
        if here < n:
            shaded = t.state[here] == SHADED
            if shaded and not _touch(rules, t, here):
                return TOUCHES, np.int64(here)
            for j in range(4):
                i = board.number_at[board.near[here, j]]
                if i >= 0 and not _number(rules.board, t, i):
                    return NUMBER, np.int64(i)
            if shaded and connected:
                rules.at[PLANTED] = t.heads[CONNECT] = t.heads[CELL]
                if not _wall(rules.walls, t, here):
                    return RING, np.int64(here)
        else:
            i = here - n - 2
            if not _number(rules.board, t, i):
                return NUMBER, np.int64(i)
            if not _lies(rules.board, t, board.region_of[i]):
                return LIES, np.int64(board.region_of[i])
        broken = learning.follow(t, here)
        if broken >= 0:
            return learning.LEARNED, broken
    return FINE, FINE


@lean
def _to_blame(rules, t):
    variables = t.state.shape[0]
    return learning.heaviest(t, 0, variables) if t.at[learning.TAIL] < variables - 2 else learning.NONE


@lean
def _judged(rules, t):
    """What the rungs in use settle; a full board is judged by all that can."""
    n = rules.board.near.shape[0]
    why, by = climb_to(rules, t, t.at[learning.RUNGS])
    if why == FINE and t.at[learning.TAIL] >= n and climbing.first_unknown(t, n) < 0:
        return climb_to(rules, t, JUDGES)
    return why, by


@lean
def _in_order(rules, t):
    """The first cell, shaded first."""
    cell = climbing.first_unknown(t, rules.board.near.shape[0])
    if cell >= 0:
        t.phase[cell] = SHADED
    return cell


search = learning.search.of(__name__, propagate=propagate, causes=_causes, pick=_to_blame, take_back=take_back)
search_by_rungs = learning.search_plainly.of(__name__, propagate=_judged, pick=_in_order, take_back=take_back)
