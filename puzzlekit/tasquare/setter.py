"""Tasquare boards made: an answer first, then a number wherever one may stand, then as few as the ladder can do with.

1. Draw an answer uniformly from the whole answer space; where the grid is more than DRAWN cells across, take it from a
   random walk over the answer space that is uniform in the long run only, see chain.py.
2. Print the number of every cell that may carry one: unshaded, with shading beside it.
3. If this fullest board has several answers, or the ladder does not close it, start again.
4. Rub out numbers in a random order wherever the ladder still closes the board. One pass is a fixed point: every rung
   concludes less from fewer numbers, so a number that could not be spared cannot be spared later. `faults` asks this of
   every number again.

The board has one answer, since the ladder is sound and the drawn answer stays legal throughout.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..machinery import climbing, grid
from ..machinery.kernels import kernel
from . import chain, deduce, ladder, profile, solver
from .layout import clauses
from .rules import NO_CLUE, RULES, Board, check, sums

DRAWN = 12  # cells across; exact draws take too much memory beyond
METHOD = "uniform answer; every cell numbered that may be; kept if unique; numbers rubbed out to a fixed point"


def full_board(answer: np.ndarray) -> Board:
    """The fullest board of an answer: a number in every cell that may carry one.

    >>> full_board(np.array([[0, 0, 1], [1, 0, 0]])).clues.tolist()
    [[1, 1, -1], [-1, 1, 1]]
    """
    total = sums(answer)
    return Board(np.where(total > 0, total, NO_CLUE))


@kernel
def _minimise(rows, cols, clues, clauses, rungs, cells, state, settled):
    """Rub out the numbers of `cells` in turn, in `clues`. Returns False if the ladder does not close the board as it
    is.
    """
    if ladder._climb(rows, cols, clues, clauses, rungs, state, settled) != 1:
        return False
    for cell in cells:
        number = clues[cell]
        clues[cell] = NO_CLUE
        if ladder._climb(rows, cols, clues, clauses, rungs, state, settled) != 1:
            clues[cell] = number
    return True


def minimise(board: Board, rng: np.random.Generator, top: str = "probe") -> Board | None:
    """The board with numbers rubbed out to a fixed point, or None when the ladder does not close it as it is.

    Parameters
    ----------
    board : Board
    rng : numpy.random.Generator     the order in which numbers are tried
    top : str                        the highest rung that may be needed

    Cost: about 10 ms for a full board of 10 x 10.
    """
    clues = board.clues.flatten()
    order = rng.permutation(np.flatnonzero(clues >= 0).astype(np.int32))
    state, settled = np.empty(board.rows * board.cols, np.uint8), np.empty(len(ladder.RUNGS), np.int64)
    rungs = ladder.rungs_to(top)
    eager = bool(rungs >> deduce.PRUNE & 1)  # prune does what clue does, and more
    if eager:
        rungs &= ~(1 << deduce.CLUE)
    if not _minimise(board.rows, board.cols, clues, clauses(RULES, eager), rungs, order, state, settled):
        return None
    return Board(clues.reshape(board.rows, board.cols))


def make(
    rows: int,
    cols: int,
    rng: np.random.Generator,
    top: str | None = None,
    attempts: int = 100_000,
    *,
    hardest: str | None = None,
) -> Board:
    """A board with one answer that the ladder closes without guessing, minimal in its numbers.

    Parameters
    ----------
    rows, cols : int                 not 1 x 1 or 2 x 2, which have no such board
    rng : numpy.random.Generator
    top : str                        the highest rung that solving it may need; None is probe, the last
    attempts : int                   answers to try before giving up
    hardest : str                    the rung that solving it must need: the ladder closes it with this rung, and not
                                     without

    Raises
    ------
    ValueError                       no board was found within the attempts; an unknown rung; top and hardest are
                                     different rungs

    Cost: about 15 ms at 10 x 10, 0.15 s at 15 x 15.
    """
    rows, cols = grid.check_size(rows, cols)
    top = climbing.one_of(ladder.RUNGS, top, hardest) or "probe"
    exact = min(rows, cols) <= DRAWN
    walk = chain.walk(rows, cols, rng)  # takes no step before it is asked for an answer
    for _ in range(attempts):
        (answer,) = profile.draw(rows, cols, 1, rng) if exact else (next(walk),)
        full = full_board(answer)
        if solver.solve(full).unique:
            board = minimise(full, rng, top)
            if board and (hardest is None or needs(board, hardest)):
                return board
    rung = f"that needs rung {hardest!r}" if hardest else f"up to rung {top!r}"
    raise ValueError(f"no {rows} x {cols} board {rung} in {attempts} attempts")


needs = partial(climbing.needs, ladder.climb, ladder.RUNGS)


def faults(board: Board, answer: np.ndarray) -> Iterator[str]:
    """What a board breaks of the promises of `make`, as sentences; empty for a sound board. Re-derived, nothing
    trusted.
    """
    broken = check(board, answer)
    if broken:
        yield f"the answer breaks {broken}"
        return
    solution = solver.solve(board)
    if not solution.unique or (solution.answers[0] != answer).any():
        yield "the answer is not the only one"
    if not ladder.climb(board).finished:
        yield "the ladder does not close it"
    for r, c in np.argwhere(board.clues != NO_CLUE):
        if ladder.climb(board.with_clue(r, c, NO_CLUE)).finished:
            yield f"the clue at row {r}, column {c} can be rubbed out"
