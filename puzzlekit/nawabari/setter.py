"""Nawabari boards made: an answer first, then a hunt for a placement of its numbers that admits no other.

1. Draw an answer: a dissection, each with a probability proportional to WEIGHT ** rooms, exactly. (All equally likely
   would mean about 20 rooms at 6 x 6, most of them a cell or two; the published boards have between six and seven.)
2. Print one number in each room, on a cell uniform over the room, over and over until the board has one answer. So each
   unique placement of an answer is equally likely.
3. After PATIENCE placements without success start again: some answers cannot be printed at all.

With method "repair" the placement is not drawn anew but mended: see repair.py. That is many times faster from 10 x 10
on; the answer is drawn by the same weights, up to rounding (rowwise.py), and kept or given up after TRIES boards, but
its unique placements are no longer equally likely.

How many numbers there are is not for the setter to choose, and no number can be rubbed out: it would leave a room
without one.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt

from ..machinery import climbing, grid
from . import ladder, profile, rectangles, recuts, repair, rowwise, solver
from .rules import NO_CLUE, Board, check

WEIGHT = Fraction(3, 20)
PATIENCE = 2_000  # placements of an answer
AT_ONCE = 32  # placements tried in one batch, at first
TRIES = 300  # boards that a repair may take
STORED = 4_000  # reasons for which placements failed, kept while the answer is the same
METHOD = (
    f"answer drawn with weight {WEIGHT} a room; random placements, up to {PATIENCE} an answer, "
    "until one has no other answer"
)
ATTEMPTS = {"draw": 100_000, "repair": 10_000}  # answers to try before giving up, by method


def print_numbers(answer: np.ndarray, cells: np.ndarray) -> Board:
    """The board of a placement.

    Parameters
    ----------
    answer : int (rows, cols)     room ids in reading order
    cells : int (rooms,)          the cell (r * cols + c) of each room that gets its number

    Returns
    -------
    Board
    """
    rows, cols = answer.shape
    clues = np.full(rows * cols, NO_CLUE, np.int32)
    clues[cells] = seats(answer).ravel()[cells]
    return Board(clues.reshape(rows, cols))


def seats(answer: np.ndarray) -> npt.NDArray[np.int32]:
    """The number that each cell of an answer would print: its sides that are walls. int32 (rows, cols)."""
    around = np.pad(answer, 1, constant_values=-1)
    sides = (around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:])
    return sum((side != answer).astype(np.int32) for side in sides)


def cells_by_room(answer: np.ndarray) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Cells room by room, and where each room's start: int32 (rows * cols,), int32 (rooms + 1,)."""
    labels = answer.ravel()
    starts = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    return np.argsort(labels, kind="stable").astype(np.int32), starts.astype(np.int32)


def random_placements(answer: np.ndarray, n: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """n placements, uniform and independent: the cell of each room's number, int32 (n, rooms)."""
    cells, starts = cells_by_room(answer)
    areas = np.diff(starts)
    return cells[starts[:-1] + rng.integers(0, areas, (n, len(areas)))]


def hunt(answer: npt.NDArray[np.int32], rng: np.random.Generator, patience: int = PATIENCE) -> Board | None:
    """The first of up to `patience` random placements of an answer that is unique, as a Board; None if none is."""
    rows, cols = answer.shape
    store = recuts.refuted(answer.size, STORED)
    tried, batch = 0, AT_ONCE
    while tried < patience:
        cells = random_placements(answer, min(batch, patience - tried), rng)
        at = recuts._first_unique(rectangles.words_for(answer.size), rows, cols, answer.ravel(), cells, store)
        if at >= 0:
            return print_numbers(answer, cells[at])
        tried += len(cells)
        batch = min(2 * batch, 2048)
    return None


def mended(answer: npt.NDArray[np.int32], rng: np.random.Generator, patience: int = TRIES) -> Board | None:
    """A unique placement of an answer, repaired from a random one with up to `patience` boards, as a Board; or None."""
    (clues,), (tried,) = repair.repaired(answer[None], rng, patience)
    return Board(clues) if tried > 0 else None


def make(
    rows: int,
    cols: int,
    rng: np.random.Generator,
    top: str | None = None,
    weight: profile.Weight = WEIGHT,
    attempts: int | None = None,
    *,
    method: str = "draw",
    hardest: str | None = None,
) -> Board:
    """A board with one answer.

    Parameters
    ----------
    rows, cols : int
    rng : numpy.random.Generator
    top : str, optional           the highest rung that closing it may need; None asks for one answer only
    weight : int, Fraction, str   of every room, see profile.draw
    attempts : int, optional      answers to try before giving up; see ATTEMPTS
    method : str                  how a placement is found: "draw" or "repair", see the top of this file
    hardest : str, optional       a rung that closing it has to need, and none above it

    Raises
    ------
    ValueError                    no board was found within the attempts; an unknown rung or method; top and hardest are
                                  different rungs

    Cost: about 1 ms at 6 x 6, 3 ms at 8 x 8, 25 ms at 10 x 10 and more than seconds beyond 12 x 12; by repair 3 ms at
    10 x 10, 15 ms at 12 x 12, 0.2 s at 15 x 15, and at 20 x 20 seconds with weight 1/20, minutes with more. Of 1,000
    boards of 8 x 8 with one answer 845 close with `room` and the others with `probe`; that one is closed below `room`
    is so rare that asking for it mostly ends without a board.
    """
    rows, cols = grid.check_size(rows, cols)
    top = climbing.one_of(ladder.RUNGS, top, hardest)
    if method not in ATTEMPTS:
        raise ValueError(f"unknown method {method!r}; choose from {tuple(ATTEMPTS)}")
    if method == "draw" and cols > recuts.WIDEST:
        raise ValueError(
            f"placements are drawn on at most {recuts.WIDEST} columns, not {cols}; method='repair' has no such limit"
        )
    attempts = ATTEMPTS[method] if attempts is None else attempts
    drawn, printed = (profile.draw, hunt) if method == "draw" else (rowwise.draw, mended)
    for _ in range(attempts):
        (answer,) = drawn(rows, cols, 1, rng, weight=weight)
        board = printed(answer, rng)
        if board and (needs(board, hardest) if hardest else top is None or ladder.climb(board, top).finished):
            return board
    rung = f" that needs rung {hardest!r}" if hardest else f" up to rung {top!r}" if top else ""
    raise ValueError(f"no {rows} x {cols} board{rung} in {attempts} attempts")


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
    if not solver.solve(board, top="room").unique:
        yield "the search that climbs the ladder does not find one answer"
