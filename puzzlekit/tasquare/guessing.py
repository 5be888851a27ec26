"""Tasquare searched: what is asked between guesses and which cell is guessed next, bound to the loops of machinery.

Not here: what follows (deduce.py) and why (reasons.py).
"""

from ..machinery import climbing, learning
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import lean
from ..machinery.learning import FINE, NONE
from . import reasons
from .deduce import JUDGES, RECALLED, SHAPE, look, take_back

ORDERS = (
    "beside the clues",
    "in reading order",
    "the most settled neighbours",
    "the fewest squares over it",
    "tightest clue",
)
BESIDE, READING, MOST_SETTLED, FEWEST_SQUARES, TIGHTEST = range(5)


@lean
def _recall(rules, t, rung):
    """The same for a search that learns: the shape rung looks together with all that was learned."""
    if rung == RECALLED:
        return FINE, int(FINE)
    why, by = look(rules, t, rung)
    while rung == SHAPE and why == FINE and t.heads[RECALLED] < t.at[learning.TAIL]:
        broken = int(learning.follow(t, t.order[t.heads[RECALLED]]))
        if broken >= 0:
            return learning.LEARNED, broken
        t.heads[RECALLED] += 1
        if t.heads[SHAPE] < t.at[learning.TAIL]:
            why, by = look(rules, t, SHAPE)
    return why, by


_climb_to = climbing.climb_to.of(__name__, look=look)
_climb_and_recall = climbing.climb_to.of(__name__, look=_recall)


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
    best = int(NONE)
    least = 1 << 40
    for clue in rules.board.clue:
        squares = 0
        fewest = 1 << 40
        pick = int(NONE)
        for j in range(4):
            there = int(near[clue, j])
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
    best = int(NONE)
    most = -(1 << 40)
    if order == TIGHTEST:
        return _tightest(rules, t)
    if order == BESIDE:
        for clue in board.clue:
            for j in range(4):
                if t.state[board.near[clue, j]] == UNKNOWN:
                    return _shaded_first(rules, t, int(board.near[clue, j]))
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
    """The cell or square that is most to blame; none where every cell is settled."""
    if climbing.first_unknown(t, rules.board.near.shape[0]) == NONE:
        return NONE
    return learning.heaviest(t, 0, t.state.shape[0])


search = learning.search.of(
    __name__, propagate=_propagate_learned, causes=reasons.causes, pick=_to_blame, take_back=take_back
)
search_tightest = learning.search_plainly.of(__name__, propagate=_propagate, pick=_tightest, take_back=take_back)
search_in_order = learning.search_plainly.of(__name__, propagate=_propagate, pick=_in_order, take_back=take_back)
