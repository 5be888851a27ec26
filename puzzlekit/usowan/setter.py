"""Usowan boards made: an answer first, then numbers and lies, then as few numbers as the ladder can do with.

1. Draw an answer uniformly from the whole answer space.
2. Cut the grid into rectangles by random straight cuts (see `rectangles`).
3. In every region print a wrong number on one unshaded cell, uniform over the cell and over the wrong values from 0 to its number
   of neighbours; print the true count on every other unshaded cell.
4. If the ladder does not close this fullest board, start again.
5. Rub out true numbers in a random order wherever the ladder still closes the board, pass after pass until a pass rubs out
   nothing. One pass is not enough: taking away a number takes away a candidate liar, which can make another number dispensable.

The board has one answer, since the ladder is sound and the drawn answer stays legal throughout.
"""

import numpy as np

from ..machinery import grid
from ..machinery.kernels import inner, kernel
from . import ladder, profile, solver
from .layout import Layout, clauses, layout
from .rules import NO_CLUE, Board, check, liars, shaded_beside

METHOD = "uniform answer; guillotine rectangles; one uniform lie a region; true numbers rubbed out to a fixed point"
LARGEST, SMALLEST = 8, 2  # cells of a rectangle: cut if larger than LARGEST, never to pieces under SMALLEST


def rectangles(rows, cols, rng):
    """A random partition into rectangles by straight cuts.

    A rectangle of more than LARGEST cells is cut in two, uniformly among the cuts (of either direction) that leave at least
    SMALLEST cells on both sides; a smaller one stays.

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


def full_board(answer, regions, rng):
    """The fullest board of an answer: a random lie in every region, true numbers on all other unshaded cells.

    Returns
    -------
    Board, or None when a region has no unshaded cell to lie on
    """
    rows, cols = answer.shape
    clues = np.full((rows, cols), NO_CLUE, np.int32)
    for r, c in np.argwhere(answer == 0):
        clues[r, c] = shaded_beside(answer, r, c)
    degree = (grid.neighbours(rows, cols) >= 0).sum(axis=1).reshape(rows, cols)
    for region in range(regions.max() + 1):
        cells = np.argwhere((regions == region) & (answer == 0))
        if not len(cells):
            return None
        r, c = cells[rng.integers(len(cells))]
        clues[r, c] = (clues[r, c] + rng.integers(1, degree[r, c] + 1)) % (degree[r, c] + 1) if degree[r, c] else 1
    return Board(clues, regions)


@inner
def _without(board, gone):
    """The Layout with the numbers of some cells rubbed out."""
    value = board.value.copy()
    first = board.first.copy()
    numbered = np.empty(board.numbered.shape[0], np.int32)
    unshaded = np.empty(board.unshaded.shape[0], np.int32)
    size = 0
    for region in range(first.shape[0] - 1):
        start = board.first[region]
        first[region] = size
        for i in range(start, board.first[region + 1]):
            cell = board.numbered[i]
            if gone[cell]:
                value[cell] = -1
            else:
                numbered[size] = cell
                size += 1
    first[first.shape[0] - 1] = size
    kept = 0
    for i in range(unshaded.shape[0]):
        if not gone[board.unshaded[i]]:
            unshaded[kept] = board.unshaded[i]
            kept += 1
    return Layout(board.near, value, board.region_of, first, numbered[:size], board.liar, unshaded[:kept])


@kernel
def _minimise(board, clauses, rungs, cells, gone):
    """Rub out the numbers of `cells` to a fixed point. Marks them in `gone`; returns False if the full board does not close."""
    n = board.near.shape[0]
    state = np.empty(n + 1, np.uint8)
    trail = np.empty(n, np.int32)
    rung_of = np.empty(n, np.uint8)
    if ladder._climb(board, clauses, rungs, state, trail, rung_of) != n:
        return False
    rubbed = True
    while rubbed:
        rubbed = False
        for cell in cells:
            if gone[cell]:
                continue
            gone[cell] = 1
            if ladder._climb(_without(board, gone), clauses, rungs, state, trail, rung_of) == n:
                rubbed = True
            else:
                gone[cell] = 0
    return True


def minimise(board, answer, rng, top="connect"):
    """The board with true numbers rubbed out to a fixed point, or None when the ladder does not close it as it is.

    Parameters
    ----------
    board : Board
    answer : uint8 (rows, cols)      an answer of the board
    rng : numpy.random.Generator     the order in which numbers are tried
    top : str                        the highest rung that may be needed
    """
    true = [r * board.cols + c for r, c in np.argwhere(board.clues >= 0) if board.clues[r, c] == shaded_beside(answer, r, c)]
    gone = np.zeros(board.rows * board.cols, np.uint8)
    order = rng.permutation(np.array(true, np.int32))
    rungs = ladder.rungs_to(top)
    if not _minimise(layout(board), clauses(board, ladder.RULES), rungs, order, gone):
        return None
    clues = np.where(gone.reshape(board.clues.shape) == 1, NO_CLUE, board.clues)
    return Board(clues, board.regions)


def make(rows, cols, rng, top="connect", attempts=100_000):
    """A board with one answer that the ladder closes without guessing, minimal in its true numbers.

    Parameters
    ----------
    rows, cols : int
    rng : numpy.random.Generator
    top : str                        the highest rung that solving it may need
    attempts : int                   answers to try before giving up

    Raises
    ------
    ValueError                       no board was found within the attempts

    Cost: about 10 ms at 10 x 10.
    """
    rows, cols = grid.check_size(rows, cols)
    for _ in range(attempts):
        (answer,) = profile.draw(rows, cols, 1, rng)
        board = full_board(answer, rectangles(rows, cols, rng), rng)
        board = board and minimise(board, answer, rng, top)
        if board:
            return board
    raise ValueError(f"no {rows} x {cols} board up to rung {top!r} in {attempts} attempts")


def faults(board, answer):
    """What a board breaks of the promises of `make`, as sentences; empty for a sound board. Re-derived, nothing trusted."""
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
    for r, c in np.argwhere(board.clues >= 0):
        thinner = board.with_clue(r, c, NO_CLUE)
        if (r, c) in lies:
            if check(thinner, answer) is None:
                yield f"the lie at row {r}, column {c} can be rubbed out"
        elif ladder.climb(thinner, "connect").finished:
            yield f"the number at row {r}, column {c} can be rubbed out"
