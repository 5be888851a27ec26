"""Tasquare: the frontier of an answer in three bit planes, and the answer space of an empty grid.

The positions of the frontier, plane `b` (shaded) and plane `k` (links between runs of unshaded cells) are those of
`machinery.brackets`. Since squares never share a side, shaded cells next to each other in a row are one square's slice,
as long as its side, and the square covers the same columns in all its rows. That leaves one more plane to keep:

- Plane `o`: on the columns of a square, the rows that it still owes, in binary, lowest bit leftmost. A square of side s
  has s columns for a number below s. On the separator, `o` is a flag: the run to the left goes on. Below an unshaded
  cell (or in the first row) that is the first row of a square, whose side is not decided yet; below a shaded cell, a
  further row.

A key is one uint64 word: three planes of 21 bits, and the top bit while no answer can end with the present row: nothing
is shaded, or `futures` says so. Moves depend on the column alone: a square may owe more rows than there are, and is
turned away at the end. Not here: clues, see `clued.py`.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery import brackets, grid, states
from ..machinery.frontier import BUDGET, Diagram, bytes_needed
from ..machinery.kernels import inner, kernel
from . import futures

_POSITIONS = 21
WIDEST = _POSITIONS - 1  # cells; one position is the separator
ANSWERS_AT_ONCE = 1 << 30  # bytes that `answers` puts in one array
_REMEMBERED = 12  # diagrams up to this width are kept for the next question
# (connected, squares, max_side, 0 for any): states of a column in a grid 12 wide, times for one more in width
_GROWTH = {
    (True, True, 0): (125_000, 2.89),
    (True, True, 2): (54_000, 2.69),
    (True, True, 1): (7_200, 2.14),
    (True, False, 0): (57_500, 2.73),
    (False, True, 0): (25_000, 2.33),
    (False, True, 2): (5_500, 2.0),
    (False, True, 1): (500, 1.62),
    (False, False, 0): (4_300, 2.0),
}

_PLANE = (1 << _POSITIONS) - 1
_NOTHING = np.uint64(1 << 63)  # no cell is shaded so far
START = _NOTHING | np.uint64(_PLANE)  # above the grid everything counts as shaded
DEAD = np.uint64(0)  # not a key: the separator is always shaded


def accepted(words: npt.NDArray[np.uint64], connected: bool = True) -> npt.NDArray[np.bool_]:
    """Which words, uint64 (n,), end an answer: something is shaded, no square owes a row, all runs are one chain."""
    plane = np.uint64(_PLANE)
    shaded, links = words & plane, words >> np.uint64(_POSITIONS) & plane
    owed = words >> np.uint64(2 * _POSITIONS)  # with the top bit
    fine = owed == 0
    if connected:
        runs = np.bitwise_count(~shaded & (shaded << np.uint64(1) | np.uint64(1)) & plane)
        fine &= (runs == 0) | (np.bitwise_count(shaded & links) + np.uint8(1) == runs)
    return fine


@inner
def _run_start(b, position):
    """First position of the run of shaded cells that ends at `position`."""
    while position > 0 and (b >> (position - 1)) & 1:
        position -= 1
    return position


@inner
def _run_end(b, position, cols):
    """Position after the run of shaded cells that starts at `position`."""
    while position <= cols and (b >> position) & 1:
        position += 1
    return position


@inner
def _owed(b, o, position, cols):
    """Rows owed by the square whose run starts at `position`, shaded."""
    return (o >> position) & ((1 << (_run_end(b, position, cols) - position)) - 1)


@inner
def _grow(word, col, cols, first_row, connected, squares, max_side, shade):
    """(Word after the cell at column `col`, side of the square whose first row ended with this step, or 0).

    The word is DEAD where the cell may not be so. A side is known once the cell after the run is left, or as soon as
    the run cannot go on: at the edge, under a shaded cell, or at `max_side`.
    """
    b = np.int64(word) & _PLANE
    k: brackets.Plane = (np.int64(word) >> _POSITIONS) & _PLANE
    o = (np.int64(word) >> (2 * _POSITIONS)) & _PLANE
    here, then = np.int64(1) << col, np.int64(1) << (col + 1)
    goes_on = (o & here) != 0
    o &= ~here
    side = 0
    if squares:
        above = not first_row and (b >> (col + 1)) & 1
        beyond = not first_row and col + 1 < cols and (b >> (col + 2)) & 1
        if above:
            owed = goes_on or _owed(b, o, col + 1, cols) > 0
            if owed != shade:
                return DEAD, 0
            if shade:
                if not goes_on:
                    o -= then  # the row that begins here
                if o & then:
                    o |= here
                o &= ~then
                if beyond:
                    o |= then
        elif shade:
            if (col > 0 and (b >> (col - 1)) & 1 and not goes_on) or (beyond and _owed(b, o, col + 2, cols) > 0):
                return DEAD, 0
            start = _run_start(b, col)
            if beyond or col + 1 == cols or col + 1 - start == max_side:
                side = col + 1 - start
                o |= np.int64(side - 1) << start
            else:
                o |= then
        elif goes_on:
            start = _run_start(b, col - 1)
            side = col - start
            o |= np.int64(side - 1) << start
    if connected:
        sealed = k == _PLANE
        if sealed and not shade:
            return DEAD, 0
        if not sealed:
            k = brackets.shade(b, k, col, cols) if shade else brackets.leave(b, k, col, cols)
            if k < brackets.SEALED:
                return DEAD, 0
            sealed = k == brackets.SEALED
    b = (b | here | then) if shade else ((b & ~here) | then)
    if col + 1 == cols:  # the separator moves to the front of the next row
        b, k, o = (b << 1) | 1, k << 1, o << 1
    if connected and sealed:
        k = np.int64(_PLANE)
    after = np.uint64(b & _PLANE) | (np.uint64(k & _PLANE) << np.uint64(_POSITIONS))
    after |= np.uint64(o & _PLANE) << np.uint64(2 * _POSITIONS)
    if not shade:
        after |= word & _NOTHING
    return after, side


@inner
def _grow_merged(word, col, cols, first_row, max_side, shade):
    """`_grow` under all clauses, and the word that stands for all with the same future: see `futures`."""
    shaded = np.int64(word) & ((1 << (cols + 1)) - 1) & ~(1 << col)
    row = shaded & ((1 << col) - 1)
    late = (word & _NOTHING) != 0 and row != 0  # else the top bit is about the row above, or nothing is shaded so far
    if col == 0 and not first_row and shaded:
        word &= ~_NOTHING
    after, side = _grow(word, col, cols, first_row, True, True, max_side, shade)
    b: brackets.Plane = np.int64(after) & _PLANE
    k = (np.int64(after) >> _POSITIONS) & _PLANE
    if after == DEAD or k == _PLANE:
        return after, side
    o = (np.int64(after) >> (2 * _POSITIONS)) & _PLANE
    ended = col + 1 == cols
    b, owed, now, ends = futures.merge(b, k, o, 0 if ended else col + 1, cols, ended)
    after = (after | np.uint64(b)) ^ (np.uint64(o ^ owed) << np.uint64(2 * _POSITIONS))
    if row:
        after &= ~_NOTHING
    if (late or now) and owed & (_PLANE if ended else (1 << (col + 1)) - 1) == 0:  # else a square owes rows: as good
        after |= _NOTHING
    return after, max(side, ends)


@kernel
def _expand(words, col, cols, first_row, connected, squares, max_side, after, allowed, sides):
    merges = connected and squares
    for i in range(len(words)):
        for shade in range(2):
            if merges:
                word, side = _grow_merged(words[i], col, cols, first_row, max_side, shade == 1)
            else:
                word, side = _grow(words[i], col, cols, first_row, connected, squares, max_side, shade == 1)
            after[i, shade, 0] = word
            allowed[i, shade] = word != DEAD
            sides[i, shade] = side


def check_width(rows: int, cols: int, across: int) -> None:
    """ValueError when a sweep across so many cells does not fit the word."""
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: a frontier holds at most {WIDEST} cells, not {across}")


def sweep_order(rows: int, cols: int, transpose: bool | None = None) -> tuple[int, int, npt.NDArray[np.int64]]:
    """(lines, across, order): a sweep along the shorter side, or as `transpose` says, and the cell of each layer."""
    cells = np.arange(rows * cols).reshape(rows, cols)
    if cols > rows if transpose is None else transpose:
        cells = cells.T
    check_width(rows, cols, cells.shape[1])
    return *cells.shape, cells.ravel()


# the empty grid


def _kinds(lines, across):
    return [(r == 0, c) for r in range(lines) for c in range(across)] + [(False, 0)]


def _room(kinds, across, connected, squares, max_side):
    """States of each kind to expect, a little too many: by the growth measured to 14 columns."""
    states_at_12, times = _GROWTH[connected, squares, max_side if squares and max_side <= 2 else 0]
    most = int(states_at_12 * times ** (across - 12)) + 20
    return {kind: min(most, 1 << level) for level, kind in enumerate(kinds)}


def diagram(
    rows: int,
    cols: int,
    *,
    connected: bool = True,
    squares: bool = True,
    max_side: int | None = None,
    transpose: bool | None = None,
    budget: int = BUDGET,
    walk: bool = False,
) -> Diagram:
    """Diagram of all answers of an empty grid: one layer a cell, choice 1 shades it. At least one cell is shaded.

    Parameters
    ----------
    rows, cols : int            at least 1
    connected : bool            False drops the clause that unshaded cells are one region
    squares : bool              False drops the clause that blocks are squares: they may have any shape
    max_side : int, optional    no square is larger; only with squares
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower
    budget : int                bytes
    walk : bool                 True if more will be asked than the count: draws, marginals, answers take more memory

    Returns
    -------
    frontier.Diagram            answers as uint8 (n, rows * cols), cells in reading order whatever the sweep. Its steps
                                are labelled with the sides of squares, each said once

    Raises
    ------
    ValueError                  when the narrower side is over WIDEST cells, or max_side is below 1 or not about squares
    MemoryError                 when states and weights are expected not to fit the budget, before any is spent

    Cost: about 1,800 states a column at 8 x 8, 8.2 times more for every two columns.

    >>> diagram(4, 4).states
    35
    """
    rows, cols = grid.check_size(rows, cols)
    connected, squares = bool(connected), bool(squares)
    if max_side is not None and not squares:
        raise ValueError("max_side is about squares, and squares=False allows any block")
    if max_side is not None and (isinstance(max_side, bool) or not isinstance(max_side, int) or max_side < 1):
        raise ValueError(f"max_side must be a whole number of at least 1, not {max_side!r}")
    lines, across, order = sweep_order(rows, cols, transpose)
    side = min(rows, cols, max_side or rows)
    room = _room(_kinds(lines, across), across, connected, squares, side)
    later = bytes_needed(room, 2, _kinds(lines, across), 1 << (rows * cols), walk, budget)
    states.afford(max(states.bytes_to_find(room, 1, 2), later), budget, f"for a {rows} x {cols} grid")
    remember = _remembered if across <= _REMEMBERED else _remembered.__wrapped__
    return remember(lines, across, connected, squares, side, tuple(order.tolist()), budget)


@lru_cache(maxsize=4)
def _remembered(lines, across, connected, squares, max_side, order, budget):
    def expand(kind, keys):
        first_row, col = kind
        after, allowed = np.empty((len(keys), 2, 1), np.uint64), np.empty((len(keys), 2), bool)
        sides = np.empty((len(keys), 2), np.uint8)
        _expand(keys[:, 0], col, across, first_row, connected, squares, max_side, after, allowed, sides)
        return after, allowed, sides

    kinds = _kinds(lines, across)
    room = _room(kinds, across, connected, squares, max_side)
    tables = states.find(START, kinds, expand, lambda keys: accepted(keys[:, 0], connected), budget, room)
    return Diagram(kinds=kinds, tables=tables, order=order, budget=budget)


def count(
    rows: int,
    cols: int,
    *,
    connected: bool = True,
    squares: bool = True,
    max_side: int | None = None,
    budget: int = BUDGET,
) -> int:
    """Number of answers on an empty rows x cols grid with at least one shaded cell, exactly.

    Parameters and errors as for `diagram`. Returns an int, unbounded.
    Source: clauses in rules.py. squares=False is OEIS A059525 and A287151, which count non-empty connected sets of
    cells: there all unshaded is counted and all shaded is not, here it is the other way round, so the numbers are the
    same. Without either clause it is 2 ** (rows * cols) - 1. connected=False, max_side=1 is A006506 less one, the
    empty set.

    >>> count(4, 4), count(4, 4, connected=False), count(4, 4, squares=False)
    (739, 1558, 11506)
    """
    return diagram(rows, cols, connected=connected, squares=squares, max_side=max_side, budget=budget).count()


class Composition(NamedTuple):
    """What all answers of an empty grid consist of, added up.

    answers : int     how many there are
    shaded : int      shaded cells in all of them
    squares : dict    side of a square to how often it appears in all of them
    """

    answers: int
    shaded: int
    squares: dict[int, int]

    @property
    def mean_shaded(self) -> Fraction:
        """Shaded cells in an answer, a Fraction."""
        return Fraction(self.shaded, self.answers)

    @property
    def mean_squares(self) -> dict[int, Fraction]:
        """Squares of each side in an answer, Fractions by side."""
        return {side: Fraction(times, self.answers) for side, times in self.squares.items()}


def composition(
    rows: int, cols: int, *, connected: bool = True, max_side: int | None = None, budget: int = BUDGET
) -> Composition:
    """Shaded cells and squares of each side over all answers of an empty grid, exactly and in one pass: Composition.

    Parameters and errors as for `diagram`.

    >>> composition(2, 2)
    Composition(answers=5, shaded=8, squares={1: 4, 2: 1})
    """
    space = diagram(rows, cols, connected=connected, max_side=max_side, budget=budget, walk=True)
    times = space.totals()
    squares = {side: times[side] for side in range(1, len(times))}
    return Composition(space.count(), sum(side * side * n for side, n in squares.items()), squares)


def answers(
    rows: int,
    cols: int,
    *,
    connected: bool = True,
    squares: bool = True,
    max_side: int | None = None,
    chunk: int | None = None,
    budget: int = BUDGET,
) -> npt.NDArray[np.uint8] | Iterator[npt.NDArray[np.uint8]]:
    """Every answer of an empty grid.

    Parameters
    ----------
    rows, cols, connected, squares, max_side, budget       as for `diagram`
    chunk : int, optional                          answers in one array, to get an iterator of arrays

    Returns
    -------
    uint8 (n, rows, cols)       1 shaded; or an iterator of such arrays

    Raises
    ------
    ValueError                  without chunk, when the array would take more than ANSWERS_AT_ONCE bytes

    >>> answers(1, 3).tolist()
    [[[0, 0, 1]], [[1, 0, 0]], [[1, 0, 1]]]
    """
    clauses: dict[str, Any] = {"connected": connected, "squares": squares, "max_side": max_side}
    space = diagram(rows, cols, **clauses, budget=budget, walk=True)
    if chunk is not None:
        if chunk < 1:
            raise ValueError(f"chunk must be at least 1, not {chunk}")
        return (part.reshape(-1, rows, cols) for part in space.enumerate(chunk))
    total = space.count()
    if total * rows * cols > ANSWERS_AT_ONCE:
        raise ValueError(
            f"{total} answers of {rows} x {cols} take more than {ANSWERS_AT_ONCE} bytes; "
            "pass chunk= to walk through them"
        )
    return np.concatenate(list(space.enumerate())).reshape(-1, rows, cols)


def draw(
    rows: int,
    cols: int,
    n: int,
    rng: np.random.Generator,
    *,
    connected: bool = True,
    squares: bool = True,
    max_side: int | None = None,
    budget: int = BUDGET,
) -> npt.NDArray[np.uint8]:
    """n uniform, independent answers of an empty grid: uint8 (n, rows, cols). rng is a numpy.random.Generator.

    Clauses, budget and errors as for `diagram`.

    >>> draw(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    """
    clauses: dict[str, Any] = {"connected": connected, "squares": squares, "max_side": max_side}
    space = diagram(rows, cols, **clauses, budget=budget, walk=True)
    return space.draw(n, rng).reshape(n, rows, cols)


def marginals(
    rows: int,
    cols: int,
    *,
    connected: bool = True,
    squares: bool = True,
    max_side: int | None = None,
    budget: int = BUDGET,
) -> npt.NDArray[np.object_]:
    """How many answers of an empty grid shade each cell: object (rows, cols) of exact Python ints.

    Clauses, budget and errors as for `diagram`.

    >>> marginals(2, 3).tolist()
    [[4, 3, 4], [4, 3, 4]]
    """
    clauses: dict[str, Any] = {"connected": connected, "squares": squares, "max_side": max_side}
    space = diagram(rows, cols, **clauses, budget=budget, walk=True)
    return space.marginals()[:, 1].reshape(rows, cols)
