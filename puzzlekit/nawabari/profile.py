"""Nawabari: the frontier of a dissection of a grid into rectangles, drawing by weight, and marginals.

All clauses but the one about numbers are conditions on one point of the grid, where four walls can meet: 8 of the 16
ways are legal, see `points`. So a dissection is a state of a vertex model. A sweep visits cells in reading order and
decides each cell's top and left wall at the point of its top left corner. What it has to remember is one bit for each
column, the left wall of the last cell seen there, and one more, the top wall of the last cell.

Two roads to a count: `count`, from `residues`, and the `diagram` here, which also answers everything else. Not here:
clues, see `clued.py`.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..machinery import grid
from ..machinery.frontier import BUDGET, Diagram, bytes_needed
from ..machinery.kernels import kernel
from ..machinery.states import afford
from .points import VERTEX_PATTERNS
from .residues import bits_needed, count
from .rules import Walls

__all__ = [
    "answers", "as_weight", "count", "diagram", "draw", "expected_rooms", "marginals", "rooms_of", "walls_of",
    "ways_of",
]  # fmt: skip

Weight = int | Fraction | str  # of every room
WIDEST = 31  # cells across a diagram's sweep
ANSWERS_AT_ONCE = 1 << 30  # bytes that `answers` puts in one array
LARGEST_WEIGHT = 200  # numerator and denominator of a weight: a diagram has so many choices a cell
_BYTES_A_STATE = 40  # of keys and their places while states are found
_TOP_WALL = np.uint64(1 << 32)  # in a key: the last cell has a wall above it


def diagram(
    rows: int,
    cols: int,
    *,
    weight: Weight = 1,
    rectangles: bool = True,
    transpose: bool | None = None,
    budget: int = BUDGET,
) -> Diagram:
    """Diagram of all dissections of a grid, one layer a cell.

    Every choice of a cell stands for one way its top and left wall can be, in as many copies as the way weighs: with
    weight p / q, p copies where a room begins and q of each other way. So counting paths counts each dissection with p
    ** rooms * q ** (rows * cols - rooms), and a uniform path is a draw by that weight.

    Parameters
    ----------
    rows, cols : int            at least 1
    weight : int, Fraction or str    of every room, above 0; "0.15" and Fraction(3, 20) are the same
    rectangles : bool           False drops the clause that rooms are rectangles: any set of walls
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower
    budget : int                bytes for the tables and what is asked of them

    Returns
    -------
    frontier.Diagram            `walls_of` turns its answers into walls, `rooms_of` into room ids

    Raises
    ------
    ValueError                  when the narrower side is over WIDEST cells, or the weight is not a plain fraction
    MemoryError                 states and weights would not fit the budget: with the estimate, before anything is spent

    Cost: at most 2 ** n states a layer for n cells across, each with p + 3 * q choices.

    >>> diagram(4, 4).count(), diagram(1, 2, weight="0.5").count(), diagram(4, 4, rectangles=False).count() == 2**24
    (70878, 3, True)
    """
    return _afforded(rows, cols, as_weight(weight), transpose, budget, walk=False, rectangles=bool(rectangles))


def _afforded(rows, cols, weight, transpose, budget, walk=True, rectangles=True):
    """A diagram that fits the budget, together with the weights that a count, or a walk, keeps in memory."""
    rows, cols = grid.check_size(rows, cols)
    transpose = cols > rows if transpose is None else bool(transpose)
    lines, across = (cols, rows) if transpose else (rows, cols)
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: a frontier holds at most {WIDEST} cells, not {across}")
    states = {(False, 0): 1 << (across - 1)} | {(True, c): 1 << max(0, c - 1) for c in range(across)}
    if lines > 1:
        states |= {(False, c): 1 << across for c in range(1, across)}
    rows_of = {kind: number + 1 for kind, number in states.items()}
    ways = len(ways_of(weight))
    to_find = (_BYTES_A_STATE + 4 * ways) * sum(rows_of.values())
    afford(to_find, budget, f"for a diagram of {rows} x {cols}")
    most = max(weight.numerator, weight.denominator) ** (rows * cols) << (
        bits_needed(lines, across) if rectangles else 2 * rows * cols
    )
    needed = bytes_needed(rows_of, ways, _kinds(lines, across), most, walk, budget)
    afford(max(needed, to_find), budget, f"for a diagram of {rows} x {cols}")
    return _remembered(rows, cols, weight, transpose, rectangles, most, budget)


def _kinds(lines, across):
    return [(r == 0, c) for r in range(lines) for c in range(across)] + [(False, 0)]


def as_weight(weight: Weight) -> Fraction:
    """A weight as a Fraction, or ValueError. Floats are refused: they are rarely the fraction that is meant."""
    if isinstance(weight, (float, bool)):
        raise ValueError(f"weight must be a whole number, a Fraction or a str such as '0.15', not {weight!r}")
    try:
        weight = Fraction(weight)
    except (TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f"weight must be a whole number, a Fraction or a str such as '0.15', not {weight!r}") from None
    if weight <= 0 or max(weight.numerator, weight.denominator) > LARGEST_WEIGHT:
        raise ValueError(f"weight must be above 0, numerator and denominator up to {LARGEST_WEIGHT}, not {weight}")
    return weight


@lru_cache(maxsize=8)
def _remembered(rows, cols, weight, transpose, rectangles, most, budget):
    cells = np.arange(rows * cols).reshape(rows, cols)
    order = cells.T if transpose else cells
    lines, across = order.shape
    ways = ways_of(weight)

    def expand(kind, keys):
        first_line, col = kind
        after, allowed = _expand(keys[:, 0], first_line, col, across, rectangles)
        return after[:, ways, None], allowed[:, ways]

    return Diagram(
        start=0, kinds=_kinds(lines, across), expand=expand, accept=lambda keys: np.ones(len(keys), bool),
        order=order.ravel(), most=most, budget=budget,
    )  # fmt: skip


def ways_of(weight: Fraction) -> npt.NDArray[np.int64]:
    """What each choice of a diagram stands for: 0 no wall, 1 a wall along the sweep, 2 one across it, 3 both: a room
    begins.

    >>> ways_of(Fraction(3, 2)).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3, 3]
    """
    return np.repeat(np.arange(4), [weight.denominator] * 3 + [weight.numerator])


def _expand(words, first_line, col, across, rectangles=True):
    """Keys after each of the four ways of the walls of a cell, and which are allowed; see the module's first lines.

    A key has the left walls by column in its low bits, and _TOP_WALL.
    """
    here = np.uint64(1 << col)
    left = (words & _TOP_WALL) != 0
    above = np.full(len(words), False) if first_line else (words & here) != 0
    after, allowed = np.empty((len(words), 4), np.uint64), np.empty((len(words), 4), bool)
    for way in range(4):
        top, side = way & 1, way >> 1
        after[:, way] = words & ~(here | _TOP_WALL)
        if side:
            after[:, way] |= here
        if top and col + 1 < across:  # the next line begins at the frame
            after[:, way] |= _TOP_WALL
        if first_line or col == 0:
            allowed[:, way] = (top or not first_line) and (side or col > 0)
        else:
            allowed[:, way] = not rectangles or np.isin(
                left + 2 * above + 4 * top + 8 * side, [sum(b << i for i, b in enumerate(p)) for p in VERTEX_PATTERNS]
            )
    return after, allowed


def walls_of(rows: int, cols: int, ways: npt.NDArray[np.uint8], transpose: bool | None = None) -> Walls:
    """Walls of answers of a diagram.

    Parameters
    ----------
    ways : uint8 (n, rows * cols)    answers, with each choice replaced by what it stands for, see `ways_of`
    transpose                        as given to `diagram`

    Returns
    -------
    Walls                            bool (n, rows, cols - 1) and (n, rows - 1, cols)
    """
    ways = np.asarray(ways).reshape(-1, rows, cols)
    along, across = (ways & 1) != 0, ways > 1
    top, left = (across, along) if (cols > rows if transpose is None else transpose) else (along, across)
    return Walls(left[:, :, 1:], top[:, 1:])


def rooms_of(walls: Walls) -> npt.NDArray[np.int32]:
    """Room ids in reading order of dissections given as Walls of arrays (n, ...): int32 (n, rows, cols)."""
    n, rows, cols = len(walls.right), walls.right.shape[1], walls.down.shape[2]
    rooms = np.empty((n, rows, cols), np.int32)
    _number_rooms(np.ascontiguousarray(walls.right), np.ascontiguousarray(walls.down), rooms)
    return rooms


@kernel
def _number_rooms(right, down, rooms):
    n, rows, cols = rooms.shape
    for i in range(n):
        found = 0
        for r in range(rows):
            for c in range(cols):
                if c > 0 and not right[i, r, c - 1]:
                    rooms[i, r, c] = rooms[i, r, c - 1]
                elif r > 0 and not down[i, r - 1, c]:
                    rooms[i, r, c] = rooms[i, r - 1, c]
                else:
                    rooms[i, r, c] = found
                    found += 1


def answers(
    rows: int, cols: int, *, chunk: int | None = None, budget: int = BUDGET
) -> npt.NDArray[np.int32] | Iterator[npt.NDArray[np.int32]]:
    """Every dissection of a grid.

    Parameters
    ----------
    rows, cols, budget      as for `diagram`
    chunk : int, optional   dissections in one array, to get an iterator of arrays

    Returns
    -------
    int32 (n, rows, cols)   room ids in reading order; or an iterator of such arrays

    Raises
    ------
    ValueError              without chunk, when the array would take more than ANSWERS_AT_ONCE bytes

    >>> answers(1, 3).tolist()
    [[[0, 0, 0]], [[0, 0, 1]], [[0, 1, 1]], [[0, 1, 2]]]
    """
    space = _afforded(rows, cols, as_weight(1), None, budget)
    if chunk is not None:
        if chunk < 1:
            raise ValueError(f"chunk must be at least 1, not {chunk}")
        return (rooms_of(walls_of(rows, cols, part)) for part in space.enumerate(chunk))
    total = space.count()
    if total * rows * cols * 4 > ANSWERS_AT_ONCE:
        raise ValueError(
            f"{total} answers of {rows} x {cols} take more than {ANSWERS_AT_ONCE} bytes; "
            "pass chunk= to walk through them"
        )
    return np.concatenate([rooms_of(walls_of(rows, cols, part)) for part in space.enumerate()])


def draw(
    rows: int, cols: int, n: int, rng: np.random.Generator, *, weight: Weight = 1, budget: int = BUDGET
) -> npt.NDArray[np.int32]:
    """n independent dissections of a grid, each drawn with a probability proportional to weight ** rooms, exactly.

    Parameters
    ----------
    rows, cols, weight, budget   as for `diagram`; weight 1 is uniform, less makes rooms fewer and larger
    n : int
    rng : numpy.random.Generator

    Returns
    -------
    int32 (n, rows, cols)        room ids in reading order

    >>> draw(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 1, 2, 2], [0, 1, 2, 3], [0, 1, 2, 1]]
    """
    weight = as_weight(weight)
    ways = ways_of(weight).astype(np.uint8)[_afforded(rows, cols, weight, None, budget).draw(n, rng)]
    return rooms_of(walls_of(rows, cols, ways))


def expected_rooms(rows: int, cols: int, *, weight: Weight = 1, budget: int = BUDGET) -> Fraction:
    """Mean number of rooms under `draw`, exactly: a Fraction.

    >>> expected_rooms(1, 3), expected_rooms(2, 2)
    (Fraction(2, 1), Fraction(21, 8))
    """
    weight = as_weight(weight)
    begins = (ways_of(weight) == 3).astype(int)
    return _afforded(rows, cols, weight, None, budget).expected(np.broadcast_to(begins, (rows * cols, len(begins))))


def marginals(rows: int, cols: int, *, weight: Weight = 1, budget: int = BUDGET) -> Walls:
    """How many dissections of a grid have each wall, each counted with its weight as in `diagram`.

    Returns
    -------
    Walls of object arrays of exact Python ints

    >>> [part.tolist() for part in marginals(2, 2)]
    [[[5], [5]], [[5, 5]]]
    """
    weight = as_weight(weight)
    ways, sums = ways_of(weight), _afforded(rows, cols, weight, None, budget).marginals()
    along, across = (sums[:, np.flatnonzero(mask)].sum(axis=1).reshape(rows, cols) for mask in (ways & 1, ways > 1))
    top, left = (across, along) if cols > rows else (along, across)
    return Walls(left[:, 1:], top[1:])
