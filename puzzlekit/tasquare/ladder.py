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

from ..machinery import climbing, learning
from ..machinery.climbing import Climb
from ..machinery.kernels import kernel
from . import deduce
from .layout import clauses, read
from .rules import RULES, Board, Reading, named_reading

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


@kernel
def _climb(rows, cols, clues, clauses, rungs, state, settled):
    """The whole ladder from a blank state. To finish, `eager` clauses without the clue rung are as good as it and
    faster.

    Fills state, uint8 (n,), and settled, int64 (5,), with the cells that each rung settled. Returns 1 when every cell
    is settled and the shading is an answer, -1 at a contradiction, else 0.
    """
    n = rows * cols
    rules = deduce.begin(rows, cols, clues, clauses, deduce.READING)
    t = deduce.trail(rules, rungs & deduce.BELOW, False)
    why, _ = deduce.climb(rules, t, n, rungs & deduce.BELOW, rungs >> deduce.PROBE & 1, True, deduce.JUDGES)
    settled[:] = 0
    fate = 1
    for cell in range(n):
        state[cell] = t.state[cell]
        if state[cell] == 0:
            fate = 0
        elif why == learning.FINE:
            settled[deduce.RUNG_OF[t.why[cell]]] += 1
    return fate if why == learning.FINE else -1


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
    state, settled = np.empty(board.rows * board.cols, np.uint8), np.zeros(len(RUNGS), np.int64)
    clues = read(board.clues, reading)
    fate = _climb(board.rows, board.cols, clues, clauses(reading), rungs_to(top), state, settled)
    cells = state.reshape(board.rows, board.cols)
    return Climb(cells, dict(zip(RUNGS, settled.tolist(), strict=True)), fate == 1, fate < 0)
