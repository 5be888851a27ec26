"""What follows on a Nawabari board, and why: its rules as kernels that settle variables of a trail (learning.py).

A variable says that a clue's room holds a cell; there is one for every cell that the clue can reach: no other clue is
in the box around both. Those in its own row and column are its arms and come first. A room is a rectangle where it
holds a cell exactly when it holds both cells of its arms in the same row and column, so the arms bound it on four
sides. Every cell is in one room, and a number says how many arms a room goes along.

Not here: the loop (learning.py), candidates listed one by one (covers.py), named deductions (ladder.py).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery import learning
from ..machinery.grid import UNKNOWN
from ..machinery.kernels import inner, lean
from ..machinery.learning import FINE, NONE
from . import covers, rectangles

OUT, IN = 1, 2  # values
OTHER = OUT + IN
ONE, CORNER, CELL, NUMBER = range(learning.OWN, learning.OWN + 4)  # reasons, besides learning's
UP, LEFT, RIGHT, DOWN = range(4)
CLUE, PLACE, UPRIGHT, LEVEL = range(4)  # of Rules.of
BEFORE, BESIDE, START = range(3)  # of Rules.wide
ROOM = 0  # the only rung
ANY = 9  # more arms than there are
LEARNED = 20_000  # clauses that are kept, and four for every variable: proofs that no room fits need many


class Rules(NamedTuple):
    """A board as these kernels read it: n cells, k clues, v variables, a of them in arms."""

    clued: np.ndarray  # int32 (k,): cells with a clue
    along: np.ndarray  # int32 (k,): how many arms its room goes along, below 0 where it cannot; or ANY
    first: np.ndarray  # int32 (4 * k + 1,): where each arm begins, 4 * clue + way
    wide: np.ndarray  # int32 (3, a): beside a cell of an upright arm, how many cells to the left and to the right are
    # in reach, and the variable of the first
    of: np.ndarray  # int32 (4, v): a variable's clue and cell, and the cells of the upright and the level arm that
    # share it, as variables, or NONE in an arm
    owners: np.ndarray  # int32 (v,): variables cell by cell
    begins: np.ndarray  # int32 (n + 1,): where each cell's begin
    clash: np.ndarray  # int64 (3,): of the last contradiction, the variable that is settled both ways, or NONE; why; by


@lean
def _reach(rows, cols, clues, clued, first, wide, before, after):
    """Fill `first`, and `wide` as far as there is room. Returns how many variables are in arms and how many are not."""
    arms = corners = 0
    for i in range(clued.shape[0]):
        here = clued[i]
        for way in range(4):
            first[4 * i + way] = arms
            if way in (LEFT, RIGHT):
                arms += here % cols - before[here] if way == LEFT else after[here] - here % cols
                continue
            step = -cols if way == UP else cols
            low, high = before[here], after[here]
            cell = here + step
            while 0 <= cell < rows * cols and clues[cell] == rectangles.NONE:
                low, high = max(low, before[cell]), min(high, after[cell])
                if arms < wide.shape[1]:
                    wide[BEFORE, arms] = here % cols - low
                    wide[BESIDE, arms] = high - here % cols
                    wide[START, arms] = corners
                arms += 1
                corners += high - low
                cell += step
    first[4 * clued.shape[0]] = arms
    return arms, corners


@inner
def begin(rows: int, cols: int, clues: npt.NDArray[np.int32], counts: int) -> Rules:
    """The Rules of a board; clues int32 (rows * cols,); numbers count WALLS, INNER_WALLS or ANYTHING."""
    n = rows * cols
    k = 0
    for cell in range(n):
        k += clues[cell] != rectangles.NONE
    clued, along, first = np.empty(k, np.int32), np.empty(k, np.int32), np.empty(4 * k + 1, np.int32)
    k = 0
    for cell in range(n):
        if clues[cell] != rectangles.NONE:
            clued[k] = cell
            along[k] = ANY if clues[cell] < 0 or counts == rectangles.ANYTHING else 4 - clues[cell]
            if along[k] != ANY and counts == rectangles.INNER_WALLS:
                r, c = cell // cols, cell % cols
                along[k] -= (r == 0) + (r == rows - 1) + (c == 0) + (c == cols - 1)
            k += 1
    before, after = np.empty(n, np.int32), np.empty(n, np.int32)
    rectangles._reach(rows, cols, clues, before, after)
    arms, corners = _reach(rows, cols, clues, clued, first, np.empty((3, 0), np.int32), before, after)
    wide, of = np.empty((3, arms), np.int32), np.empty((4, arms + corners), np.int32)
    _reach(rows, cols, clues, clued, first, wide, before, after)
    owners, begins, clash = np.empty(arms + corners, np.int32), np.empty(n + 1, np.int32), np.empty(3, np.int64)
    rules = Rules(clued, along, first, wide, of, owners, begins, clash)
    _list(cols, rules, arms)
    return rules


@lean
def _list(cols, rules, arms):
    """Say of every variable what it is, and list those of every cell."""
    first, wide, of, begins = rules.first, rules.wide, rules.of, rules.begins
    for i in range(rules.clued.shape[0]):
        for way in range(4):
            step = -cols if way == UP else -1 if way == LEFT else 1 if way == RIGHT else cols
            cell = rules.clued[i]
            for x in range(first[4 * i + way], first[4 * i + way + 1]):
                cell += step
                of[CLUE, x] = i
                of[PLACE, x] = cell
                of[UPRIGHT, x] = of[LEVEL, x] = NONE
                if way in (UP, DOWN):
                    wide[START, x] += arms
                    corner = wide[START, x]
                    for aside in range(-wide[BEFORE, x], wide[BESIDE, x] + 1):
                        if aside:
                            of[CLUE, corner] = i
                            of[PLACE, corner] = cell + aside
                            of[UPRIGHT, corner] = x
                            of[LEVEL, corner] = first[4 * i + (LEFT if aside < 0 else RIGHT)] + abs(aside) - 1
                            corner += 1
    begins[:] = 0
    for x in range(of.shape[1]):
        begins[of[PLACE, x]] += 1
    total = 0
    for cell in range(begins.shape[0]):
        total += begins[cell]
        begins[cell] = total
    for x in range(of.shape[1] - 1, -1, -1):
        begins[of[PLACE, x]] -= 1
        rules.owners[begins[of[PLACE, x]]] = x


@inner
def trail(rules: Rules) -> learning.Trail:
    """A blank trail for a search. It tries large rooms first: they meet other clues soonest."""
    t = learning.trail(rules.of.shape[1], 0, 0, LEARNED + 4 * rules.of.shape[1])
    t.at[learning.RUNGS] = 1 << ROOM
    t.phase[:] = IN
    return t


@lean
def _against(rules, x, why, by):
    """Note a contradiction: a variable, or NONE, would be settled both ways. Returns False."""
    rules.clash[0] = x
    rules.clash[1] = why
    rules.clash[2] = by
    return False


@lean
def _set(rules, t, x, value, why, by):
    """Settle a variable. False if it is settled the other way."""
    if t.state[x] == UNKNOWN:
        learning.settle(t, x, value, why, by)
        return True
    return t.state[x] == value or _against(rules, x, why, by)


# A number says how many arms its room goes along


@lean
def _number(rules, t, i):
    most = rules.along[i]
    if most == ANY:
        return True
    into = unknown = 0
    for j in range(4 * i, 4 * i + 4):
        if rules.first[j] < rules.first[j + 1]:
            into += t.state[rules.first[j]] == IN
            unknown += t.state[rules.first[j]] == UNKNOWN
    if into > most or into + unknown < most:
        return _against(rules, NONE, NUMBER, i)
    if unknown and (into == most or into + unknown == most):
        for j in range(4 * i, 4 * i + 4):
            if rules.first[j] < rules.first[j + 1] and t.state[rules.first[j]] == UNKNOWN:
                learning.settle(t, rules.first[j], OUT if into == most else IN, NUMBER, i)
    return True


@lean
def _number_causes(rules, t, i, value, before):
    """Why the number settles an arm to a value, or why it cannot hold (UNKNOWN)."""
    into = 0
    for j in range(4 * i, 4 * i + 4):
        into += rules.first[j] < rules.first[j + 1] and t.state[rules.first[j]] == IN
    role = OTHER - value if value != UNKNOWN else IN if into > rules.along[i] else OUT
    size = 0
    for j in range(4 * i, 4 * i + 4):
        x = rules.first[j]
        if x < rules.first[j + 1] and t.state[x] == role and t.place[x] < before:
            t.causes[size] = x
            size += 1
    return size


# Some room holds a cell


@lean
def _cell(rules, t, cell):
    left = NONE
    for j in range(rules.begins[cell], rules.begins[cell + 1]):
        x = rules.owners[j]
        if t.state[x] != OUT:
            if left >= 0 or t.state[x] == IN:
                return True
            left = x
    if left < 0:
        return _against(rules, NONE, CELL, cell)
    learning.settle(t, left, IN, CELL, cell)
    return True


# A room is a rectangle


@lean
def _corner(rules, t, x, upright, level):
    """A cell is held where those of both arms are."""
    if t.state[upright] == OUT or t.state[level] == OUT:
        return _set(rules, t, x, OUT, ONE, upright if t.state[upright] == OUT else level)
    if t.state[x] == IN:
        return _set(rules, t, upright, IN, ONE, x) and _set(rules, t, level, IN, ONE, x)
    if t.state[upright] == IN and t.state[level] == IN:
        return _set(rules, t, x, IN, CORNER, x)
    if t.state[x] == OUT and t.state[upright] == IN:
        return _set(rules, t, level, OUT, CORNER, x)
    if t.state[x] == OUT and t.state[level] == IN:
        return _set(rules, t, upright, OUT, CORNER, x)
    return True


@lean
def _beside(rules, t, upright, i):
    """All cells beside one of an upright arm. Arms that go so far that a clue is between them exclude each other."""
    left, right = rules.wide[BEFORE, upright], rules.wide[BESIDE, upright]
    start = rules.wide[START, upright]
    for x in range(start, start + left + right):
        if not _corner(rules, t, x, upright, rules.of[LEVEL, x]):
            return False
    if t.state[upright] == IN:
        far = rules.first[4 * i + LEFT] + left
        if far < rules.first[4 * i + RIGHT] and not _set(rules, t, far, OUT, ONE, upright):
            return False
        far = rules.first[4 * i + RIGHT] + right
        if far < rules.first[4 * i + DOWN] and not _set(rules, t, far, OUT, ONE, upright):
            return False
    return True


@lean
def _above_and_below(rules, t, level, i, way):
    """All cells above and below one of a level arm."""
    aside = level - rules.first[4 * i + way]
    for upward in (UP, DOWN):
        for upright in range(rules.first[4 * i + upward], rules.first[4 * i + upward + 1]):
            left, right = rules.wide[BEFORE, upright], rules.wide[BESIDE, upright]
            if aside >= (left if way == LEFT else right):  # a clue is between
                if t.state[level] == IN and not _set(rules, t, upright, OUT, ONE, level):
                    return False
                break
            x = rules.wide[START, upright] + (left - 1 - aside if way == LEFT else left + aside)
            if not _corner(rules, t, x, upright, level):
                return False
    return True


@lean
def _arm(rules, t, x, i):
    """A cell of an arm: what it has to do with all others of its room."""
    first = rules.first
    way = UP
    while x >= first[4 * i + way + 1]:
        way += 1
    begin = first[4 * i + way]
    if x == begin and not _number(rules, t, i):
        return False
    if t.state[x] == IN:
        if x > begin and not _set(rules, t, x - 1, IN, ONE, x):
            return False
    elif x + 1 < first[4 * i + way + 1] and not _set(rules, t, x + 1, OUT, ONE, x):
        return False
    if way in (UP, DOWN):
        return _beside(rules, t, x, i)
    return _above_and_below(rules, t, x, i, way)


@lean
def _look(rules, t, x):
    """What the rules make of a variable that was just settled. False on a contradiction."""
    cell = rules.of[PLACE, x]
    if t.state[x] == OUT:
        if not _cell(rules, t, cell):
            return False
    else:
        for j in range(rules.begins[cell], rules.begins[cell + 1]):
            if rules.owners[j] != x and not _set(rules, t, rules.owners[j], OUT, ONE, x):
                return False
    if rules.of[UPRIGHT, x] >= 0:
        return _corner(rules, t, x, rules.of[UPRIGHT, x], rules.of[LEVEL, x])
    return _arm(rules, t, x, rules.of[CLUE, x])


@lean
def _first_look(rules, t):
    """What numbers and cells say before anything is settled."""
    for i in range(rules.clued.shape[0]):
        if not _number(rules, t, i):
            return False
    clue = 0
    for cell in range(rules.begins.shape[0] - 1):
        if clue < rules.clued.shape[0] and rules.clued[clue] == cell:
            clue += 1
        elif not _cell(rules, t, cell):
            return False
    return True


# The hooks


@lean
def _propagate(rules, t):
    if t.heads[ROOM] == 0 and not _first_look(rules, t):
        return rules.clash[1], rules.clash[2]
    while t.heads[ROOM] < t.at[learning.TAIL]:
        x = np.int64(t.order[t.heads[ROOM]])
        t.heads[ROOM] += 1
        broken = np.int64(learning.follow(t, x))
        if broken >= 0:
            return np.int64(learning.LEARNED), broken
        if not _look(rules, t, x):
            return rules.clash[1], rules.clash[2]
    return np.int64(FINE), np.int64(FINE)


@lean
def _causes(rules, t, why, by, variable):
    if why == learning.LEARNED:
        return learning.literals_of(t, by, variable)
    both = rules.clash[0]  # of a contradiction: the variable that it is about
    x = variable if variable != FINE else both
    before = t.place[variable] if variable != FINE else t.at[learning.TAIL]
    size = 0
    if why == NUMBER:
        value = UNKNOWN if x < 0 else t.state[x] if variable != FINE else OTHER - t.state[x]
        size = _number_causes(rules, t, by, value, before)
    elif why == CELL:
        for j in range(rules.begins[by], rules.begins[by + 1]):
            if rules.owners[j] != x:
                t.causes[size] = rules.owners[j]
                size += 1
    elif why == CORNER:
        for other in (by, np.int64(rules.of[UPRIGHT, by]), np.int64(rules.of[LEVEL, by])):
            if other != x:
                t.causes[size] = other
                size += 1
    elif why == ONE:
        t.causes[0] = by
        size = 1
    if variable == FINE and both >= 0:
        t.causes[size] = both
        size += 1
    return size


@lean
def _pick(rules, t):
    return np.int64(learning.heaviest(t, 0, rules.wide.shape[1]))


@lean
def _take_back(rules, t):
    """Nothing is remembered besides the trail."""


search = learning.search.of(__name__, propagate=_propagate, causes=_causes, pick=_pick, take_back=_take_back)


@lean
def _far(rules, into, arm):
    """How far a room goes along an arm."""
    steps = 0
    for x in range(rules.first[arm], rules.first[arm + 1]):
        steps += into[x]
    return steps


@lean
def rooms(cols: int, rules: Rules, into: npt.NDArray[np.uint8], answer: npt.NDArray[np.int32]) -> None:
    """Room ids in reading order, int32 (n,), from the variables in arms that are IN, uint8 (a,)."""
    for i in range(rules.clued.shape[0]):
        left, right = _far(rules, into, 4 * i + LEFT), _far(rules, into, 4 * i + RIGHT)
        for r in range(-_far(rules, into, 4 * i + UP), _far(rules, into, 4 * i + DOWN) + 1):
            for c in range(-left, right + 1):
                answer[rules.clued[i] + r * cols + c] = -1 - i
    covers._number(answer)
