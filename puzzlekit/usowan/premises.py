"""What follows from some of a Usowan board: a few clues, a few settled cells, a few regions, some of the rules.

The rules are those of deduce.py, with some of them switched off; a conclusion is forced when its opposite leaves no
answer. A number that is not among the premises still stands in its region and may be the wrong one; a region that is
not among them is as if it printed nothing. Connection is known only where shaded cells never touch, so with CONNECTED
comes APART, and is not dropped before it.

Not here: the steps themselves (explain.py).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery import learning
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import kernel, lean
from . import deduce
from .layout import APART, CONNECTED, Clauses, clauses
from .rules import RULES, Board

NODES = 20_000  # branches after which a premise is kept without a proof that it is needed
FORCED, SHRINK, AGREED = range(3)  # what is asked
NOTHING = np.empty(0, np.uint8)
TERMS = clauses(RULES)


class Known(NamedTuple):
    """Premises as arrays; n cells, k numbers by region, g regions."""

    state: np.ndarray  # uint8 (n,)
    stated: np.ndarray  # uint8 (k,): numbers whose value is known
    active: np.ndarray  # uint8 (g,): regions known to have exactly one wrong number
    rules: np.ndarray  # uint8 (2,): APART, CONNECTED


def forced(board: Board, known: Known, targets: np.ndarray, values: np.ndarray) -> bool:
    """Whether every target, int32 (t,), has its value, uint8 (t,), in every shading that fits; without targets, whether
    none fits.
    """
    return _ask(board, known, targets, values, FORCED, NOTHING)


def shrink(board: Board, known: Known, targets: np.ndarray, values: np.ndarray) -> None:
    """Drop premises, one by one, while the targets are still forced. Changes `known`; what is left is needed, every
    part of it, but for APART beside CONNECTED.
    """
    _ask(board, known, targets, values, SHRINK, NOTHING)


def agreed(board: Board, known: Known) -> npt.NDArray[np.uint8]:
    """What all shadings agree on beside the numbers that count: uint8 (n,), each cell's states as bits; all 0 if there
    is none.
    """
    seen = np.zeros(len(known.state), np.uint8)
    _ask(board, known, np.empty(0, np.int32), NOTHING, AGREED, seen)
    return seen


def _ask(board, known, targets, values, what, seen):
    return _asked(  # type: ignore[call-arg]
        board.rows, board.cols, board.clues.ravel(), board.regions.ravel(), *TERMS, *known, targets, values, what, seen
    )


@kernel
def _asked(
    rows,
    cols,
    clues,
    regions,
    whole,
    fewest,
    most,
    touching,
    state,
    stated,
    active,
    switches,
    targets,
    values,
    what,
    seen,
):
    """All three questions, so that their kernels are compiled together."""
    rules = deduce.begin(rows, cols, clues, regions, Clauses(whole, fewest, most, touching))
    t = learning.trail(rows * cols + 2 + stated.shape[0], 0, 0, 1)
    t.at[learning.RUNGS] = deduce.JUDGES
    t.state[rows * cols] = t.state[rows * cols + 1] = UNSHADED
    switches[APART] |= switches[CONNECTED]
    printed, nowhere = rules.board.value.copy(), np.empty((0, 0), np.uint8)
    _switch(rules.board, printed, stated, active, switches)
    if what == FORCED:
        return _forced(rules, t, nowhere, state, targets, values)
    if what == AGREED:
        for k in range(4 * stated.shape[0]):
            cell = rules.board.near[rules.board.numbered[k >> 2], k & 3]
            if t.state[cell] or state[cell] or not active[rules.board.region_of[k >> 2]]:
                continue
            for value in (UNSHADED, SHADED):
                if not seen[cell] & value and _fits(rules, t, nowhere, state, cell, value):
                    for at in range(t.at[learning.TAIL]):
                        if t.order[at] < rows * cols:
                            seen[t.order[at]] |= t.state[t.order[at]]
                _blank(rules, t)
        return True
    for flags in (stated, state, active):
        for i in range(flags.shape[0]):
            _without(rules, t, nowhere, state, targets, values, flags, i, printed, stated, active, switches)
    _without(rules, t, nowhere, state, targets, values, switches, CONNECTED, printed, stated, active, switches)
    if not switches[CONNECTED]:  # everybody knows the rules, so they are dropped last
        _without(rules, t, nowhere, state, targets, values, switches, APART, printed, stated, active, switches)
    return True


@lean
def _without(rules, t, nowhere, state, targets, values, flags, i, printed, stated, active, switches):
    """Drop one premise if the targets are forced without it."""
    kept = flags[i]
    if kept:
        flags[i] = 0
        _switch(rules.board, printed, stated, active, switches)
        if not _forced(rules, t, nowhere, state, targets, values):
            flags[i] = kept
            _switch(rules.board, printed, stated, active, switches)


@lean
def _switch(board, printed, stated, active, switches):
    """Numbers, regions and rules on the board are as known."""
    for i in range(stated.shape[0]):
        board.value[i] = printed[i] if stated[i] else -1
    for region in range(active.shape[0]):
        board.active[region] = active[region]
    for rule in range(switches.shape[0]):
        board.rules[rule] = switches[rule]


@lean
def _forced(rules, t, nowhere, state, targets, values):
    """Whether the targets are forced; the trail is blank before and after."""
    for i in range(max(1, targets.shape[0])):
        cell = targets[i] if targets.shape[0] else -1
        found = _fits(rules, t, nowhere, state, cell, SHADED + UNSHADED - values[i] if cell >= 0 else UNKNOWN)
        _blank(rules, t)
        if found:
            return False
    return True


@lean
def _fits(rules, t, nowhere, state, cell, value):
    """Whether a shading fits in which a cell, unless it is negative, has a value. It is left on the trail."""
    if cell >= 0:
        learning.settle(t, cell, value, learning.GUESSED, learning.NONE)
    for there in range(state.shape[0]):
        if state[there] != UNKNOWN:
            learning.settle(t, there, state[there], learning.GUESSED, learning.NONE)
    if not deduce.open_line(rules.board, t):
        return False
    found, spent = _first(rules, t, 1, NODES, nowhere)
    return found > 0 or spent > NODES


@lean
def _blank(rules, t):
    """Everything is unknown again."""
    deduce.go_back(rules, t, -1)
    t.at[learning.LEVEL] = t.at[learning.FLOOR] = 0


@lean
def _beside(rules, t):
    """The first unknown cell that a number sees which counts. Where there is none, all others may be unshaded."""
    board = rules.board
    for i in range(board.numbered.shape[0]):
        if board.value[i] >= 0 and board.active[board.region_of[i]]:
            for j in range(4):
                if t.state[board.near[board.numbered[i], j]] == UNKNOWN:
                    return np.int64(board.near[board.numbered[i], j])
    return np.int64(learning.NONE)


_first = learning.search_plainly.of(
    __name__, propagate=deduce.propagate, pick=_beside, take_back=deduce.take_back
)  # fmt: skip
