"""Usowan: how fast does the number of answers grow with the grid? Bounds for the growth per cell, proved.

Let a(n) be the answers of an n x n grid. Put answers into squares with white lines between them, unshaded rows and
columns: that is an answer again. So a(n) ** (1 / n^2) tends to a limit, the growth, and a(k) ** (1 / (k + 1)^2) is at
most that.

A *wired* strip is k cells wide and as long as one likes, between two unshaded columns that belong together; it begins
and ends with an unshaded row. No two shaded cells touch, and every unshaded cell is joined to what is around the strip.
Let w be what each further row multiplies its shadings by: the largest eigenvalue of its transfer matrix.

- A grid of strips with a white column between each two of them, and white rows at both ends, is an answer whatever
  wired shadings the strips have: growth >= w ** (1 / (k + 1)).
- Cut an answer into strips of k columns. Its unshaded cells are one region, so within a strip each is joined to a
  cell beside the strip, which a wired strip may always be as well: growth <= w ** (1 / k).

The eigenvalue lies between the least and the greatest ratio of a positive vector before and after the matrix (Collatz
and Wielandt). All terms of these sums are positive, so what floating-point numbers lose is bounded by the number of
additions, and taken off. Not here: other genres, whose blocks or rooms may reach across a cut.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..machinery import states
from ..machinery.kernels import kernel
from ..machinery.memory import BUDGET
from ..usowan.profile import DEAD, START, grow

WIDEST = 24  # cells of a strip
_ROUNDS = 2000  # rows after which no closer bounds are awaited
_CLOSE = 1e-12  # of the ratios
_LOST = Fraction(1, 10**13)  # more than the relative error of a row: an addition a cell, each off by 2 ** -53


class Growth(NamedTuple):
    """What wired strips of a width say.

    states : int                  distinct frontiers between two rows
    least, most : Fraction        between them lies what a row multiplies shadings by
    lower, upper : Decimal        bounds of the growth per cell, rounded outwards to nine digits
    """

    states: int
    least: Fraction
    most: Fraction
    lower: Decimal
    upper: Decimal


def growth(width: int) -> Growth:
    """Bounds from wired strips of a width, 1 to WIDEST.

    Raises
    ------
    ValueError     another width
    MemoryError    when the states would not fit

    Cost: 2.2 times more states for every cell of width, about 300,000 between two rows for 16; some hundred sweeps over
    as many states for each cell.

    >>> growth(1).lower, growth(1).upper
    (Decimal('1.27201964'), Decimal('1.61803399'))
    """
    if not 1 <= width <= WIDEST:
        raise ValueError(f"width must be from 1 to {WIDEST}, not {width}")
    tables = strip(width)
    ways = np.ones(len(tables[0]))
    ways[0] = 0
    least, most = 0.0, np.inf
    for _ in range(_ROUNDS):
        after = ways
        for table in reversed(tables):
            after = _gathered(table, after)
        ratios = after[1:] / ways[1:]
        least, most = max(least, float(ratios.min())), min(most, float(ratios.max()))
        if most - least < _CLOSE * most:
            break
        ways = after / 2.0 ** np.floor(np.log2(after.max()))  # exact: by a power of two
    low, high = Fraction(least) * (1 - _LOST), Fraction(most) * (1 + _LOST)
    return Growth(len(tables[0]) - 1, low, high, root(low, width + 1, below=True), root(high, width, below=False))


def bounds(width: int) -> dict[str, int | str]:
    """States and bounds of a width, as a chunk hands them on: states, lower, upper, the bounds as text."""
    found = growth(width)
    return {"states": found.states, "lower": str(found.lower), "upper": str(found.upper)}


def of_blocks(n: int, answers: int) -> Decimal:
    """A lower bound of the growth from the number of answers of a square with white lines around it.

    >>> of_blocks(4, 562)
    Decimal('1.28821826')
    """
    return root(Fraction(answers), (n + 1) ** 2, below=True)


def root(value: Fraction, degree: int, *, below: bool, digits: int = 9) -> Decimal:
    """The root of a number, rounded down (below) or up to so many digits, exactly.

    >>> root(Fraction(2), 2, below=True), root(Fraction(2), 2, below=False)
    (Decimal('1.41421356'), Decimal('1.41421357'))
    """
    with localcontext() as context:
        context.prec, context.rounding = digits, ROUND_FLOOR if below else ROUND_CEILING
        found = Decimal(float(value) ** (1 / degree)) + 0
        step = Decimal(1).scaleb(found.adjusted() + 1 - digits) * (-1 if below else 1)
        while (Fraction(found) ** degree > value) if below else (Fraction(found) ** degree < value):
            found += step
        return found


def strip(width: int, rows: int | None = None) -> list[np.ndarray]:
    """Tables of successors of a wired strip, by column: uint32 (states + 1, 2), see `states.Tables`; state 1 of the
    first is an unshaded row.

    rows : int     so many rows are looked at for states; by default more than it takes
    """
    across = width + 2
    start = START
    for col in range(across):
        start = _after(np.array([start]), col, across, True)[0, 0, 0]

    def expand(col, keys):
        after = _after(keys[:, 0], col, across, False)
        return after, after[:, :, 0] != DEAD

    rows = across + 2 if rows is None else rows
    kinds = [*range(across)] * rows + [0]
    found = states.find(start, kinds, expand, lambda keys: np.ones(len(keys), bool), BUDGET)
    tables = [found.successors[col] for col in range(across)]
    if not all((table[1:] != 0).any(axis=1).all() for table in tables):
        raise RuntimeError(f"{rows} rows are too few to meet all states of a strip {width} wide")
    return tables


def _after(words, col, across, first_row):
    after = np.empty((len(words), 2, 1), np.uint64)
    _expand(words, col, across, first_row, after)
    return after


@kernel
def _expand(words, col, across, first_row, after):
    """Words after a cell that stays unshaded, or is shaded where it is not at the side: see `profile`."""
    for i in range(len(words)):
        after[i, 0, 0] = grow(words[i], col, across, first_row, True, True, False)
        inside = 0 < col < across - 1
        after[i, 1, 0] = grow(words[i], col, across, first_row, True, True, True) if inside else DEAD


@kernel
def _gathered(table, following):
    before = np.zeros(len(table))
    for state in range(1, len(table)):
        before[state] = following[table[state, 0]] + following[table[state, 1]]
    return before
