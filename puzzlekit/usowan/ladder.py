"""Usowan climbed: the ladder of named deductions.

RUNGS, cheapest first; each returns what it newly settled or a contradiction, and never settles a cell against an
answer:

cell     A cell with a clue is unshaded; so are the neighbours of a shaded cell. No number is read.
count    Numbers as bounds. A number out of reach is wrong, one that has come true is right. Once a region has all the
         wrong numbers it may have, its other numbers are right and are saturated; when only one number can still be the
         wrong one, its count is made to miss.
region   The same, exactly: every shading of the cells around a region's numbers that keeps shaded cells apart and has
         exactly one number wrong is considered, and what they agree on is settled.
connect  The unshaded cells are one region: an unknown cell cut off from every unshaded cell is shaded, and one whose
         shading would split them is unshaded.
probe    Assume a cell, climb the rungs below, and drop the assumption if that fails.

A misreading (see rules.Reading) changes how many numbers of a region may be wrong, and whether `connect` applies.

Not here: guessing. solver.py finds all answers.
"""

from functools import partial

import numpy as np

from ..machinery import climbing, learning
from ..machinery.climbing import Climb
from ..machinery.kernels import inner, kernel
from . import deduce
from .layout import Clauses, clauses
from .rules import RULES, Board, Reading, named_reading

RUNGS = ("cell", "count", "region", "connect", "probe")
RUNGS_TOLD = {  # each rung as one tells it to somebody who solves by hand
    "cell": "No number is read yet: a cell with a clue is unshaded, and so are the neighbours of a shaded cell.",
    "count": (
        "Count around each number. Too many or too few shaded cells make it the lie of its region; then all others "
        "there"
        " are true. When all others have come true, the last one has to be the lie."
    ),
    "region": (
        "Take a whole region at once: go through which of its numbers may be the lie, and keep what happens every time."
    ),
    "connect": (
        "Look at the unshaded cells as one piece: a cell whose shading would cut the piece in two stays unshaded."
    ),
    "probe": "Assume a cell one way and follow the rungs above. If they end in a contradiction, it is the other way.",
}
DEAD = -1


@inner
def _climbed(rows, cols, clues, regions, clauses, rungs):
    """The whole ladder on a board. Returns the trail, and how many cells are settled (all: an answer), or DEAD."""
    n = rows * cols
    rules = deduce.begin(rows, cols, clues, regions, clauses)
    t = deduce.trail(rules, rungs & deduce.BELOW, False)
    why, _ = deduce.climb(rules, t, n, rungs & deduce.BELOW, rungs >> deduce.PROBE & 1, False, deduce.JUDGES)
    settled = 0
    for cell in range(n):
        settled += t.state[cell] != 0
    return t, settled if why == learning.FINE else DEAD


@kernel
def _climb(rows, cols, clues, regions, whole, fewest, most, touching, rungs, state, rung_of):
    """Climb from a blank state. Fills `state`, uint8 (n,), and the rung that settled each cell; see `_climbed`."""
    t, settled = _climbed(rows, cols, clues, regions, Clauses(whole, fewest, most, touching), rungs)
    for cell in range(rows * cols):
        state[cell] = t.state[cell]
        rung_of[cell] = deduce.RUNG_OF[t.why[cell]] if t.state[cell] else deduce.PROBE + 1
    return settled


@inner
def closes(
    rows: int, cols: int, clues: np.ndarray, regions: np.ndarray, clauses: Clauses, rungs: int | np.integer
) -> bool:
    """Whether the ladder closes a board."""
    return _climbed(rows, cols, clues, regions, clauses, rungs)[1] == rows * cols


rungs_to = partial(climbing.rungs_to, RUNGS)


def climb(board: Board, top: str | tuple[str, ...] = "probe", reading: Reading | str = RULES) -> Climb:
    """How far the ladder gets, without guessing.

    Parameters
    ----------
    board : Board
    top : str or tuple          the highest rung to use, one of RUNGS; or several of them, with the lowest
    reading : Reading or str    the rules, or a misreading by name

    Returns
    -------
    Climb

    Cost: about 0.1 ms on a 10 x 10 board. Source: the rungs are described at the top of this file.
    """
    terms, rungs, n = clauses(named_reading(reading)), rungs_to(top), board.rows * board.cols
    state, rung_of = np.empty(n, np.uint8), np.empty(n, np.uint8)
    found = _climb(board.rows, board.cols, board.clues.ravel(), board.regions.ravel(), *terms, rungs, state, rung_of)
    settled = np.bincount(rung_of, minlength=len(RUNGS))[: len(RUNGS)] * (found >= 0)
    shading = state.reshape(board.rows, board.cols)
    return Climb(shading, dict(zip(RUNGS, settled.tolist(), strict=True)), bool(found == n), bool(found < 0))
