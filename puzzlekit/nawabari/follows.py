"""What follows from some of a Nawabari board: a few clues, a few settled sides, some of the rules.

Rules mean what they say in rules.py. Of a cell that prints a clue which is not among the premises nobody knows whether
it has one: it may be the clue of its room, and does no harm in another's. Complete up to a budget.

The search learns (machinery/learning.py), and every premise is a switch: what it learns under some premises holds under
others, and the switches behind a contradiction are premises enough.

Not here: the rules (clauses.py), the deductions themselves (explain.py), the board as a whole (ladder.py).
"""

import numpy as np
import numpy.typing as npt

from ..machinery import learning
from ..machinery.kernels import kernel, lean
from . import clauses
from .clauses import OFF, ON, RECTANGLE, RULES
from .rules import OPEN, UNKNOWN, WALL

BUDGET = 1000  # contradictions after which a question is left open
HOLDS, FAILS, LEFT_OPEN = range(3)  # what is found out about a conclusion
NOTHING, ALL_CLUES = -1, -2  # in the order of premises to be dropped, besides variables


@lean
def _back_to(t, level):
    """Take back everything above a level."""
    if t.at[learning.LEVEL] > level:
        stop = t.begins[level + 1]
        while t.at[learning.TAIL] > stop:
            learning.pop(t)
        t.at[learning.HEAD] = stop
        t.at[learning.LEVEL] = level


@lean
def _object(t, length):
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
    _back_to(t, level)
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
def _pick(t, s, rectangles, contradictions):
    """The side to guess, or the border; -1 when all are settled. Of rectangles the borders, and no wall besides that is
    not needed.
    """
    if contradictions > 0:
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
    return np.int64(-1)


@lean
def _fits(plan, t, rooms, used, known, side, value):
    """Whether some walls fit what is known, with one more side settled (or none, -1): FAILS when they do, and stay on
    the trail; HOLDS when none do, with the premises behind it added to `used`; else LEFT_OPEN.
    """
    s, v = plan.cells.shape[0], known.shape[0]
    _back_to(t, np.int64(0))
    size = t.at[learning.CLAUSES]
    if 4 * size > 3 * t.first.shape[0] or 4 * t.first[size] > 3 * t.literals.shape[0]:
        learning.forget(t)
    t.at[learning.LEVEL] = t.at[learning.FLOOR] = 1
    t.begins[1] = 0
    if side >= 0:
        learning.settle(t, side, value, learning.GUESSED, learning.NONE)
    for switch in range(2 * s, v):
        learning.settle(t, switch, ON if known[switch] else OFF, learning.GUESSED, learning.NONE)
    for i in range(s):
        if known[i] and i != side:
            learning.settle(t, i, known[i], learning.GUESSED, learning.NONE)
    contradictions = 0
    while True:
        broken = np.int64(-1)
        while broken < 0 and t.at[learning.HEAD] < t.at[learning.TAIL]:
            t.at[learning.HEAD] += 1
            broken = np.int64(learning.follow(t, np.int64(t.order[t.at[learning.HEAD] - 1])))
        if broken < 0:
            here = _pick(t, s, known[2 * s + RECTANGLE] != 0, contradictions)
            if here >= 0:
                learning.guess(t, here)
                continue
            length = clauses._wrong(plan, t, rooms)
            if length == 0:
                return FAILS
            if learning.full(t, length):
                return LEFT_OPEN
            broken = _object(t, length)
        if t.at[learning.LEVEL] == 1:
            _blame(t, used, broken)
            return HOLDS
        contradictions += 1
        learning.begin(t)
        learning.blame(t, learning.literals_of(t, broken, np.int64(-1)))
        while True:
            here = np.int64(learning.suspect(t))
            if t.at[learning.COUNTED] == 0:
                break
            learning.blame(t, learning.literals_of(t, np.int64(t.by[here]), here))
        level = learning.back_to(t)
        if contradictions > BUDGET or learning.full(t, t.at[learning.LENGTH] + 1):
            return LEFT_OPEN
        _back_to(t, level)
        learning.learn(t)


@lean
def _forced(plan, t, rooms, used, known, targets, values, held, every):
    """Whether each target is forced, and what is found out about all, up to the first that is not, or with `every`
    about every one. Where all are, `used` has the premises behind it.
    """
    for i in range(used.shape[0]):
        used[i] = 0
    together = np.int64(HOLDS)
    for i in range(held.shape[0]):
        side = np.int64(targets[i]) if i < targets.shape[0] else np.int64(learning.NONE)
        found = _fits(plan, t, rooms, used, known, side, OPEN + WALL - values[i] if side >= 0 else OPEN)
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
        found = _forced(plan, t, rooms, used, known, targets, values, held, order.shape[0] == 1)
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
