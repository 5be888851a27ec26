"""Usowan boards made: an answer first, then numbers and lies, then as few numbers as the ladder can do with.

1. Draw an answer uniformly from the whole answer space.
2. Cut the grid into rectangles by random straight cuts (see `rectangles`).
3. In every region print a wrong number on one unshaded cell, uniform over the cell and over the wrong values from 0 to
   its number of neighbours; print the true count on every other unshaded cell.
4. If the ladder does not close this fullest board, start again.
5. Rub out true numbers in a random order wherever the ladder still closes the board, pass after pass until a pass rubs
   out nothing. One pass is not enough: taking away a number takes away a candidate liar, which can make another number
   dispensable.

The board has one answer, since the ladder is sound and the drawn answer stays legal throughout.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from ..machinery import climbing, grid
from ..machinery.kernels import kernel
from . import ladder, layout, profile, solver
from .layout import Clauses
from .rules import NO_CLUE, RULES, Board, check, liars
from .scans import true_numbers, variants

METHOD = "uniform answer; guillotine rectangles; one uniform lie a region; true numbers rubbed out to a fixed point"
LARGEST, SMALLEST = 8, 2  # cells of a rectangle: cut if larger than LARGEST, never to pieces under SMALLEST


def rectangles(rows: int, cols: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """A random partition into rectangles by straight cuts.

    A rectangle of more than LARGEST cells is cut in two, uniformly among the cuts (of either direction) that leave at
    least SMALLEST cells on both sides; a smaller one stays.

    Returns
    -------
    int32 (rows, cols)   region of each cell, numbered from 0 in reading order
    """
    labels = np.zeros((rows, cols), np.int32)
    pending, done = [(0, 0, rows, cols)], 0
    while pending:
        r, c, height, width = pending.pop()
        cuts = []
        if height * width > LARGEST:
            cuts = [(k, 0) for k in range(1, height) if min(k, height - k) * width >= SMALLEST]
            cuts += [(0, k) for k in range(1, width) if min(k, width - k) * height >= SMALLEST]
        if not cuts:
            labels[r : r + height, c : c + width] = done
            done += 1
            continue
        down, right = cuts[rng.integers(len(cuts))]
        pending.append((r, c, down or height, right or width))
        pending.append((r + down, c + right, height - down, width - right))
    return grid.pieces(labels)


def full_board(answer: np.ndarray, regions: np.ndarray, rng: np.random.Generator) -> Board | None:
    """The fullest board of an answer: a random lie in every region, true numbers on all other unshaded cells.

    Returns
    -------
    Board, or None when a region has no unshaded cell to lie on
    """
    rows, cols = answer.shape
    clues = np.where(answer == 0, true_numbers(answer), NO_CLUE)
    degree = (grid.neighbours(rows, cols) >= 0).sum(axis=1).reshape(rows, cols)
    for region in range(regions.max() + 1):
        cells = np.argwhere((regions == region) & (answer == 0))
        if not len(cells):
            return None
        r, c = cells[rng.integers(len(cells))]
        clues[r, c] = (clues[r, c] + rng.integers(1, degree[r, c] + 1)) % (degree[r, c] + 1) if degree[r, c] else 1
    return Board(clues, regions)


@kernel
def _minimise(rows, cols, clues, regions, whole, fewest, most, touching, rungs, cells):
    """Rub out the numbers of `cells` in `clues` to a fixed point. Returns the passes that took, the last of which rubs
    out nothing; 0 if the board does not close as it is.
    """
    clauses = Clauses(whole, fewest, most, touching)
    if not ladder.closes(rows, cols, clues, regions, clauses, rungs):
        return 0
    rubbed, passes = True, 0
    while rubbed:
        rubbed = False
        passes += 1
        for cell in cells:
            number = clues[cell]
            if number == NO_CLUE:
                continue
            clues[cell] = NO_CLUE
            if ladder.closes(rows, cols, clues, regions, clauses, rungs):
                rubbed = True
            else:
                clues[cell] = number
    return passes


def minimise(board: Board, answer: np.ndarray, rng: np.random.Generator, top: str = "connect") -> Board | None:
    """The board with true numbers rubbed out to a fixed point, or None when the ladder does not close it as it is.

    Parameters as for `minimised`.
    """
    return minimised(board, answer, rng, top)[0]


def minimised(
    board: Board, answer: np.ndarray, rng: np.random.Generator, top: str = "connect"
) -> tuple[Board | None, int]:
    """What `minimise` gives, and how many passes over the numbers that took, the last of which rubs out nothing:
    (Board, int), (None, 0).

    Parameters
    ----------
    board : Board
    answer : uint8 (rows, cols)      an answer of the board
    rng : numpy.random.Generator     the order in which numbers are tried
    top : str                        the highest rung that may be needed
    """
    true = np.flatnonzero((board.clues >= 0) & (board.clues == true_numbers(answer))).astype(np.int32)
    order = rng.permutation(true)
    clues = board.clues.ravel().copy()
    rungs = ladder.rungs_to(top)
    passes = _minimise(board.rows, board.cols, clues, board.regions.ravel(), *layout.clauses(RULES), rungs, order)
    return (Board(clues.reshape(board.clues.shape), board.regions), passes) if passes else (None, 0)


def make(
    rows: int,
    cols: int,
    rng: np.random.Generator,
    top: str | None = None,
    attempts: int = 100_000,
    hardest: str | None = None,
) -> Board:
    """A board with one answer that the ladder closes without guessing, minimal in its true numbers.

    Parameters
    ----------
    rows, cols : int
    rng : numpy.random.Generator
    top : str                        the highest rung that solving it may need; "connect" if nothing is said
    attempts : int                   answers to try before giving up
    hardest : str                    the rung that solving it must need: the ladder closes it with this rung, and not
                                     without

    Raises
    ------
    ValueError                       no board was found within the attempts; top and hardest are different rungs

    Cost: about 4 ms at 10 x 10, and 20 ms with hardest="probe". A board that is minimal for a rung can still do without
    it, which `hardest` answers by setting another: about half the boards at 6 x 6, fewer on larger ones.
    """
    return made(rows, cols, rng, top, attempts, hardest)[0]


def made(
    rows: int,
    cols: int,
    rng: np.random.Generator,
    top: str | None = None,
    attempts: int = 100_000,
    hardest: str | None = None,
) -> tuple[Board, int]:
    """What `make` gives, with the same draws, and how many passes minimising it took: (Board, int)."""
    rows, cols = grid.check_size(rows, cols)
    top = climbing.one_of(ladder.RUNGS, top, hardest) or "connect"
    for _ in range(attempts):
        (answer,) = profile.draw(rows, cols, 1, rng)
        full = full_board(answer, rectangles(rows, cols, rng), rng)
        board, passes = minimised(full, answer, rng, top) if full else (None, 0)
        if board and (hardest is None or needs(board, hardest)):
            return board, passes
    what = f"that needs rung {top!r}" if hardest else f"up to rung {top!r}"
    raise ValueError(f"no {rows} x {cols} board {what} in {attempts} attempts")


def set_for(answer: np.ndarray, rng: np.random.Generator, top: str = "connect") -> Board | None:
    """A board for an answer, with random regions and lies, or None when the ladder does not close even its fullest
    form.

    Parameters
    ----------
    answer : uint8 (rows, cols)      legal on an empty grid
    rng : numpy.random.Generator
    top : str                        the highest rung that solving it may need
    """
    rows, cols = answer.shape
    board = full_board(answer, rectangles(rows, cols, rng), rng)
    return board and minimise(board, answer, rng, top)


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
    if not ladder.climb(board, "connect").finished:
        yield "the ladder does not close it without guessing"
    lies = {cell for cells in liars(board, answer) for cell in cells}
    for r, c in lies:
        if check(board.with_clue(r, c, NO_CLUE), answer) is None:
            yield f"the lie at row {r}, column {c} can be rubbed out"
    true = [(r, c) for r, c in np.argwhere(board.clues >= 0).tolist() if (r, c) not in lies]
    _, closed = variants(board, [r * board.cols + c for r, c in true], NO_CLUE, "connect")
    for (r, c), idle in zip(true, closed, strict=True):
        if idle:
            yield f"the number at row {r}, column {c} can be rubbed out"
