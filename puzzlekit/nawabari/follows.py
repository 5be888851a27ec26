"""What follows from some of a Nawabari board: a few clues, a few settled sides, some of the rules.

Rules mean what they say in rules.py. Of a cell that prints a clue which is not among the premises nobody knows whether
it has one: it may be the clue of its room, and does no harm in another's. Complete up to a budget.

The search learns (machinery/learning.py), and every premise is a switch: what it learns under some premises holds under
others, and the switches behind a contradiction are premises enough.

Not here: the rules (clauses.py), the deductions themselves (explain.py), the board as a whole (ladder.py).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery import learning
from ..machinery.kernels import kernel, lean
from ..machinery.search import NO_BUDGET
from . import clauses
from .clauses import OFF, ON, RECTANGLE, RULES
from .rules import OPEN, UNKNOWN, WALL

BUDGET = 1000  # contradictions after which a question is left open
HOLDS, FAILS, LEFT_OPEN = range(3)  # what is found out about a conclusion
NOTHING, ALL_CLUES = -1, -2  # in the order of premises to be dropped, besides variables


class Rules(NamedTuple):
    """What the search knows besides its clauses."""

    plan: clauses.Plan
    rooms: clauses.Rooms
    at: np.ndarray  # int64 (4,): BROKEN, RECTANGLES, MET, NEXT
    nowhere: np.ndarray  # uint8 (0, 0): where answers would be kept


BROKEN, RECTANGLES, MET, NEXT = range(4)  # clause broken last; whether rooms are rectangles; contradictions; to guess


@lean
def _take_back(rules, t):
    """Nothing is remembered besides the trail."""


_go_back = learning.go_back.of(__name__, take_back=_take_back)


@lean
def _object(rules, t, length):
    """Add a clause that all that is settled breaks, and go back to the level at which it was broken. Returns it."""
    for place in range(2):  # the newest are watched
        newest = place
        for i in range(place + 1, length):
            if t.level[t.clause[i] >> 1] > t.level[t.clause[newest] >> 1]:
                newest = i
        literal = t.clause[newest]
        t.clause[newest] = t.clause[place]
        t.clause[place] = literal
    level = np.int64(t.level[t.clause[0] >> 1])
    clause = learning.add(t, length)
    _go_back(rules, t, level)
    return clause


@lean
def _blame(t, used, clause):
    """Mark in `used` the premises behind a clause that is broken by what follows from them."""
    for i in range(learning.literals_of(t, clause, np.int64(-1))):
        used[t.causes[i]] = 1
    for place in range(t.at[learning.TAIL] - 1, -1, -1):
        here = np.int64(t.order[place])
        if used[here] and t.why[here] == learning.LEARNED:
            used[here] = 0
            for i in range(learning.literals_of(t, np.int64(t.by[here]), here)):
                used[t.causes[i]] = 1


@lean
def _unknown(rules, t):
    """The side to guess, or the border; NONE when all are settled. Of rectangles the borders, and no wall besides that
    is not needed.
    """
    s, rectangles = rules.plan.cells.shape[0], rules.at[RECTANGLES]
    if rules.at[MET] > 0:
        here = np.int64(learning.heaviest(t, s if rectangles else 0, 2 * s if rectangles else s))
        if here >= 0:
            return here
    for i in range(s):
        here = np.int64(s + i if rectangles else i)
        if t.state[here] == UNKNOWN:
            return here
    for here in range(s):  # type: ignore[assignment]  # one type to numba
        if t.state[here] == UNKNOWN:
            t.phase[here] = OPEN
            return np.int64(here)
    return np.int64(learning.NONE)


@lean
def _broken(rules, t, clause):
    """A contradiction: a clause that is broken, or NONE where there is no room for it. The search ends without it, or
    when it has met too many.
    """
    if t.at[learning.LEVEL] > 1:
        rules.at[MET] += 1
        if clause < 0 or rules.at[MET] > BUDGET or learning.full(t, t.state.shape[0]):
            t.at[learning.BASE] = t.at[learning.FLOOR] = t.at[learning.LEVEL]
            clause = np.int64(learning.NONE)
    rules.at[BROKEN] = clause
    return np.int64(learning.LEARNED), clause


@lean
def _propagate(rules, t):
    """What the clauses say; and when all sides are settled, one more against what is wrong with the rooms."""
    while t.heads[0] < t.at[learning.TAIL]:
        t.heads[0] += 1
        broken = np.int64(learning.follow(t, np.int64(t.order[t.heads[0] - 1])))
        if broken >= 0:
            return _broken(rules, t, broken)
    rules.at[NEXT] = _unknown(rules, t)
    if rules.at[NEXT] < 0:
        length = clauses._wrong(rules.plan, t, rules.rooms)
        if length > 0 and learning.full(t, length):
            return _broken(rules, t, np.int64(learning.NONE))
        if length > 0:
            return _broken(rules, t, _object(rules, t, length))
    return np.int64(learning.FINE), np.int64(learning.FINE)


@lean
def _pick(rules, t):
    return rules.at[NEXT]


@lean
def _causes(rules, t, why, by, variable):
    """All that is not assumed is settled by a clause."""
    return learning.literals_of(t, by, variable)


_search = learning.search.of(
    __name__, propagate=_propagate, causes=_causes, pick=_pick, take_back=_take_back
)  # fmt: skip


@lean
def _fits(rules, t, used, known, side, value):
    """Whether some walls fit what is known, with one more side settled (or none, -1): FAILS when they do, and stay on
    the trail; HOLDS when none do, with the premises behind it added to `used`; else LEFT_OPEN.
    """
    s, v = rules.plan.cells.shape[0], known.shape[0]
    _go_back(rules, t, np.int64(0))
    size = t.at[learning.CLAUSES]
    if 4 * size > 3 * t.first.shape[0] or 4 * t.first[size] > 3 * t.literals.shape[0]:
        learning.forget(t)
    t.at[learning.RUNGS] = 1
    t.at[learning.LEVEL] = t.at[learning.FLOOR] = t.at[learning.BASE] = 1
    t.begins[1] = 0
    if side >= 0:
        learning.settle(t, side, value, learning.GUESSED, learning.NONE)
    for switch in range(2 * s, v):
        learning.settle(t, switch, ON if known[switch] else OFF, learning.GUESSED, learning.NONE)
    for i in range(s):
        if known[i] and i != side:
            learning.settle(t, i, known[i], learning.GUESSED, learning.NONE)
    rules.at[RECTANGLES] = known[2 * s + RECTANGLE]
    rules.at[MET] = 0
    found, _ = _search(rules, t, 1, NO_BUDGET, rules.nowhere)
    if found > 0:
        return FAILS
    if rules.at[BROKEN] < 0:
        return LEFT_OPEN
    _blame(t, used, rules.at[BROKEN])
    return HOLDS


@lean
def _forced(rules, t, used, known, targets, values, held, every):
    """Whether each target is forced, and what is found out about all, up to the first that is not, or with `every`
    about every one. Where all are, `used` has the premises behind it.
    """
    for i in range(used.shape[0]):
        used[i] = 0
    together = np.int64(HOLDS)
    for i in range(held.shape[0]):
        side = np.int64(targets[i]) if i < targets.shape[0] else np.int64(learning.NONE)
        found = _fits(rules, t, used, known, side, OPEN + WALL - values[i] if side >= 0 else OPEN)
        if side >= 0:
            used[side] = 0
        held[i] = found == HOLDS
        if found != HOLDS:
            together = found
            if not every:
                break
    return together


@kernel
def shrink(
    plan: clauses.Plan,
    t: learning.Trail,
    known: npt.NDArray[np.uint8],
    order: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32],
    values: npt.NDArray[np.uint8],
    held: npt.NDArray[np.uint8],
) -> bool:
    """Drop premises while the targets are still forced.

    Parameters
    ----------
    plan, t : clauses.Plan, learning.Trail    what the search knows; its state is what it has found last
    known : uint8 (v,)      states of sides that are premises, ON for rules and clues that are, else 0. Changed: what is
                            left is needed, every part
    order : int32           what is tried, see `trials`
    targets, values         int32 (t,) sides, uint8 (t,) their states
    held : uint8 (t,)       where one trial is all: filled with whether a target has its value in all walls that fit;
                            without targets (1,), with whether none fit

    Returns
    -------
    bool                    the targets are forced, and every part that is left is proved to be needed
    """
    n, clues = plan.sides.shape[0], 2 * plan.cells.shape[0] + RULES
    rooms = clauses.Rooms(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32))
    rules = Rules(plan, rooms, np.empty(4, np.int64), np.empty((0, 0), np.uint8))
    used, before = np.empty(known.shape[0], np.uint8), np.empty(known.shape[0], np.uint8)
    first = clues  # of what is dropped when it is not used
    proved = True
    for at in range(order.shape[0]):
        here = order[at]
        if here >= 0 and known[here] == 0:
            continue
        for i in range(known.shape[0]):
            before[i] = known[i]
            if i == here or (here == ALL_CLUES and i >= clues):
                known[i] = 0
        if here == NOTHING and at > 0:
            first = 0
        found = _forced(rules, t, used, known, targets, values, held, order.shape[0] == 1)
        if found != HOLDS and at == 0:
            return False
        for i in range(known.shape[0]):
            if found != HOLDS:
                known[i] = before[i]
            elif i >= first and not used[i]:
                known[i] = 0
        proved &= here < 0 or found != LEFT_OPEN
    return proved


def trials(plan: clauses.Plan, known: npt.NDArray[np.uint8], away: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """What `shrink` tries to do without, in order: clues while all sides are there, then sides, then rules, which
    everybody knows; the farthest first.

    away : float (v,)     how far a premise is
    """
    sides, rules = len(plan.cells), 2 * len(plan.cells)
    here = np.flatnonzero(known)
    here = here[np.argsort(-away[here], kind="stable")]
    clues = here[here >= rules + RULES]
    start = [NOTHING, ALL_CLUES] if len(clues) else [NOTHING]
    others = here[here < sides], here[(here >= rules) & (here < rules + RULES)]
    return np.concatenate([start, clues, [NOTHING], *others]).astype(np.int32)


ONLY = np.array([NOTHING], np.int32)


def held(
    plan: clauses.Plan,
    t: learning.Trail,
    known: npt.NDArray[np.uint8],
    targets: npt.NDArray[np.int32],
    values: npt.NDArray[np.uint8],
) -> npt.NDArray[np.bool_]:
    """Which targets have their value in all walls that fit, bool (t,); without targets (1,), whether none fit. False is
    also what is not found out within the budget.
    """
    found = np.zeros(max(len(targets), 1), np.uint8)
    shrink(plan, t, known.copy(), ONLY, targets, values, found)
    return found.astype(bool)
