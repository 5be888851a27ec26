"""Usowan: the frontier of an answer packed into a word, and the answer space of an empty grid.

A key is one uint64 word: plane b of the frontier in its low half, plane k in its high half, see `moves`. A diagram of
an empty grid takes two cells a step. Its states are found by hashing on narrow grids, and by `steps` on wide ones. Not
here: clues, see `clued.py`.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..machinery import brackets, grid, states
from ..machinery.frontier import BUDGET, Diagram, bytes_needed
from ..machinery.kernels import inner, kernel
from . import steps
from .moves import move

WIDEST = 31  # cells; with the separator 32 positions, half a word
START = np.uint64(0xFFFFFFFF)  # above the grid everything counts as shaded
SEALED = np.uint64(0xFFFFFFFFFFFFFFFF)  # the last unshaded cell left the frontier: an answer if no cell follows
DEAD = np.uint64(0)  # not a key: the separator is always shaded
ANSWERS_AT_ONCE = 1 << 30  # bytes that `answers` puts in one array
_REMEMBERED = 16  # diagrams up to this width are kept for the next question

DIGITS = {1: np.array([[0], [1]], np.uint8), 2: np.array([[0, 0], [0, 1], [1, 0]], np.uint8)}  # by cells in a step
_BOTH = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.uint8)  # two cells in a step that may touch
_TOUCHING_AT_12, _TOUCHING_GROWTH = (
    57_500,
    2.73,
)  # states of a column in a grid 12 wide that may touch, times for one more in width
_BY_WORDS = 9  # cells in a row from which on states are numbered without hashing
_WORD_BYTES, _HASH_BYTES = 24, 64  # for a state while they are found, without hashing and with it
# states in the widest layer of a square, by size; further on, 2.2 times more for a cell
WIDEST_LAYERS = (
    2, 3, 9, 18, 37, 77, 162, 339, 716, 1517, 3225, 6882, 14727, 31608, 67986, 146604, 316681, 685379, 1485378, 3225296,
    7010170, 15262051,
)  # fmt: skip

_HALF = np.uint64(0xFFFFFFFF)


def accepted(keys: npt.NDArray[np.uint64], connected: bool = True) -> npt.NDArray[np.bool_]:
    """Which keys, uint64 (n,), end an answer: one chain has all runs (links = runs - 1, some run), or was sealed."""
    if not connected:
        return np.ones(len(keys), bool)
    shaded, links = keys & _HALF, keys >> np.uint64(32)
    runs = np.bitwise_count(~shaded & (shaded << np.uint64(1) | np.uint64(1)) & _HALF)
    return (keys == SEALED) | (np.bitwise_count(shaded & links) + np.uint8(1) == runs)


@inner
def grow(word: np.uint64, col: int, cols: int, first_row: bool, connected: bool, apart: bool, shade: bool) -> np.uint64:
    """Word after the cell at column `col`, or DEAD where the cell may not be so."""
    if word == SEALED:
        return SEALED if shade and not apart else DEAD
    b, k = np.int64(word & _HALF), np.int64(word >> np.uint64(32))
    b, k = move(b, k, col, cols, first_row, connected, apart, shade)  # type: ignore[assignment]  # one type to numba
    if (
        k < 0
    ):  # forbidden, or nothing is left; apart on grids wider than one cell, an unshaded cell is still on the frontier
        return SEALED if k == brackets.SEALED and (cols == 1 or not apart) else DEAD
    if col + 1 == cols:  # the separator moves to the front of the next row
        b, k = (b << 1) | 1, k << 1
    return (np.uint64(b) & _HALF) | (np.uint64(k) << np.uint64(32))


@kernel
def _expand(words, col, cols, first_row, connected, apart, after):
    """Words after one cell at `col`, after.shape (n, 2, 1), or after two, after.shape (n, 3, 1), or (n, 4, 1) where
    they may touch: see DIGITS.
    """
    for i in range(len(words)):
        for shade in range(2):
            word = grow(words[i], col, cols, first_row, connected, apart, shade == 1)
            if after.shape[1] == 2:
                after[i, shade, 0] = word
                continue
            for then in range(2 - shade if apart else 2):
                if word == DEAD:
                    after[i, 2 * shade + then, 0] = DEAD
                else:
                    after[i, 2 * shade + then, 0] = grow(word, col + 1, cols, first_row, connected, apart, then == 1)


def check_width(rows: int, cols: int, across: int) -> None:
    """ValueError when a sweep across so many cells does not fit the word."""
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: a frontier holds at most {WIDEST} cells, not {across}")


def sweep_order(rows: int, cols: int, transpose: bool | None = None) -> tuple[int, int, npt.NDArray[np.int64]]:
    """(lines, across, order): a sweep along the shorter side, or as `transpose` says, and the cell visited by each
    layer.
    """
    cells = np.arange(rows * cols).reshape(rows, cols)
    if cols > rows if transpose is None else transpose:
        cells = cells.T
    check_width(rows, cols, cells.shape[1])
    return *cells.shape, cells.ravel()


# the empty grid


def diagram(
    rows: int,
    cols: int,
    *,
    connected: bool = True,
    apart: bool = True,
    transpose: bool | None = None,
    budget: int = BUDGET,
) -> Diagram:
    """Diagram of all answers of an empty grid: two cells a layer, and one at the end of a row of odd length.

    Parameters
    ----------
    rows, cols : int            at least 1
    connected : bool            False drops the clause that unshaded cells are one region
    apart : bool                False drops the clause that no two shaded cells share a side
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower
    budget : int                bytes

    Returns
    -------
    frontier.Diagram            answers as uint8 (n, rows * cols), cells in reading order whatever the sweep, 1 shaded

    Raises
    ------
    ValueError                  when the narrower side is over WIDEST cells
    MemoryError                 when it would not fit the budget; it names the estimate, and nothing is spent

    Cost: about 340 states a column at 8 x 8, 4.6 times more for every two columns.

    >>> diagram(4, 4).states
    18
    """
    return _space(rows, cols, connected, budget, "for a diagram of", apart=apart, transpose=transpose)


def _space(rows, cols, connected, budget, purpose, *, apart=True, transpose=None, walk=False, answers=0):
    """The diagram, if there is memory for it and for a walk and some answers."""
    rows, cols = grid.check_size(rows, cols)
    lines, across, order = sweep_order(rows, cols, transpose)
    needed = _bytes_needed(lines, across, connected, walk, budget, apart) + answers * rows * cols
    states.afford(needed, budget, f"{purpose} {rows} x {cols}")
    remember = _remembered if across <= _REMEMBERED else _remembered.__wrapped__
    return remember(lines, across, bool(connected), bool(apart), tuple(order.tolist()), budget)


def _bytes_needed(lines, across, connected, walk, budget, apart=True):
    """Bytes for the states or, if that is more, for what is then done with them; a little more than it takes."""
    kinds = _kinds(lines, across)
    if not apart:
        widest = int(_TOUCHING_AT_12 * _TOUCHING_GROWTH ** (across - 12)) + 20 if connected else 1 << across
        found = {kind: min(widest, most(lines, across, apart)) for kind in kinds}
    elif connected:
        widest = WIDEST_LAYERS[min(across, len(WIDEST_LAYERS)) - 1] * 2.2 ** max(0, across - len(WIDEST_LAYERS))
        widest = min(int(widest), most(lines, across))
        found = {kind: _apart(across) if kind[0] else widest for kind in kinds}
    else:
        found = {kind: _apart(kind[1]) * (1 if kind[0] else _apart(across - kind[1])) for kind in kinds}
    choices = max(len(_digits(kind, across, apart)) for kind in kinds)
    needed = bytes_needed(found, choices, kinds, most(lines, across, apart), walk, budget)
    return max(
        needed,
        sum(found.values()) * (_WORD_BYTES if (connected and apart and by_words(lines, across)) else _HASH_BYTES),
    )


def by_words(lines: int, across: int) -> bool:
    """Whether the states of all clauses are numbered without hashing."""
    return across >= _BY_WORDS and lines > 1


def _kinds(lines, across):
    return [(r == 0, col) for r in range(lines) for col in steps.starts(across)] + [(False, 0)]


def _digits(kind, across, apart=True):
    cells = min(2, across - kind[1])
    return DIGITS[cells] if apart or cells == 1 else _BOTH


@lru_cache(maxsize=4)
def _remembered(lines, across, connected, apart, order, budget):
    kinds = _kinds(lines, across)
    if connected and apart and by_words(lines, across):
        found = steps.find(across, lines, first_row(across))
    else:
        found, _ = _hashed(kinds, across, connected, budget, apart)
    digits = {kind: _digits(kind, across, apart) for kind in kinds}
    return Diagram(
        kinds=kinds, tables=found, order=order, digits=digits, most=most(lines, across, apart), budget=budget
    )


def _hashed(kinds, across, connected, budget, apart=True):
    """Tables of all states, found by hashing, and the keys of the last level."""

    def expand(kind, keys):
        first_row, col = kind
        after = np.empty((len(keys), len(_digits(kind, across, apart)), 1), np.uint64)
        _expand(keys[:, 0], col, across, first_row, connected, apart, after)
        return after, after[:, :, 0] != DEAD

    def ends(keys):
        last.append(keys[:, 0])
        return accepted(keys[:, 0], connected)

    last: list[np.ndarray] = []
    return states.find(START, kinds, expand, ends, budget), last[0]


def most_labels(rows: int, cols: int) -> int:
    """The most unshaded regions that a frontier tells apart, over all states that the sweep of a grid meets, a cell a
    step.

    A region is a chain of runs that links hold together, so a word has as many as it has runs without a link to the one
    before.

    >>> [most_labels(n, n) for n in (2, 4, 6)]
    [2, 3, 4]
    """
    rows, cols = grid.check_size(rows, cols)
    lines, across, _ = sweep_order(rows, cols)
    most_of = 0

    def expand(kind, keys):
        nonlocal most_of
        words = keys[keys[:, 0] != SEALED, 0]
        shaded, links = words & _HALF, words >> np.uint64(32)
        runs = np.bitwise_count(~shaded & (shaded << np.uint64(1) | np.uint64(1)) & _HALF).astype(int)
        most_of = max(most_of, (runs - np.bitwise_count(shaded & links)).max(initial=0))
        after = np.empty((len(keys), 2, 1), np.uint64)
        _expand(keys[:, 0], kind[1], across, kind[0], True, True, after)
        return after, after[:, :, 0] != DEAD

    kinds = [(r == 0, c) for r in range(lines) for c in range(across)] + [(False, 0)]
    states.find(START, kinds, expand, lambda keys: accepted(keys[:, 0]), BUDGET)
    return int(most_of)


def first_row(across: int) -> tuple[dict[Any, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Tables of the first row of a grid so many cells wide, by kind, and planes b and k of the states after it, by
    number.
    """
    found, below = _hashed(_kinds(1, across), across, True, BUDGET)
    found.successors.pop((False, 0))
    return found.successors, _unpacked(below)


def _unpacked(word):
    return (word & _HALF).astype(np.int64) | ~np.int64(_HALF), (word >> np.uint64(32)).astype(np.int64)


def _apart(cells):
    """Ways to shade cells in a row, none beside another."""
    before, now = 1, 1
    for _ in range(cells):
        before, now = now, before + now
    return now


def most(lines: int, across: int, apart: bool = True) -> int:
    """More answers than a grid has: every two rows filled without regard to the others, no shaded cell beside another
    if `apart`.
    """
    if not apart:
        return 1 << (lines * across)
    before, now = 1, 1
    for _ in range(across):
        before, now = now, 2 * now + before
    return now ** (lines // 2) * _apart(across) ** (lines % 2)


def count(rows: int, cols: int, *, connected: bool = True, apart: bool = True, budget: int = BUDGET) -> int:
    """Number of answers on an empty rows x cols grid, exactly.

    Parameters and errors as for `diagram`. Returns an int, unbounded.
    Cost: 5 ms at 12 x 12, 0.1 s and 30 MB at 16 x 16, some seconds and under 1 GB at 20 x 20; 5 times more time and
    memory for every two columns. Source: clauses in rules.py; connected=False is OEIS A006506 and A089934, which count
    the shaded 1 x 1 grid as well; apart=False is A059525 (squares) and A287151, non-empty connected sets of cells.

    >>> count(4, 4), count(1, 1), count(4, 4, connected=False), count(4, 4, apart=False)
    (562, 1, 1234, 11506)
    """
    return _space(rows, cols, connected, budget, "to count", apart=apart).count()


def answers(
    rows: int,
    cols: int,
    *,
    connected: bool = True,
    apart: bool = True,
    chunk: int | None = None,
    budget: int = BUDGET,
) -> npt.NDArray[np.uint8] | Iterator[npt.NDArray[np.uint8]]:
    """Every answer of an empty grid.

    Parameters
    ----------
    rows, cols, connected, apart, budget   as for `diagram`
    chunk : int, optional           answers in one array, to get an iterator of arrays

    Returns
    -------
    uint8 (n, rows, cols)       1 shaded; or an iterator of such arrays

    Raises
    ------
    ValueError                  without chunk, when the array would take more than ANSWERS_AT_ONCE bytes
    MemoryError                 as for `diagram`

    >>> answers(1, 3).tolist()
    [[[0, 0, 0]], [[0, 0, 1]], [[1, 0, 0]], [[1, 0, 1]]]
    """
    if chunk is not None and chunk < 1:
        raise ValueError(f"chunk must be at least 1, not {chunk}")
    space = _space(rows, cols, connected, budget, "for the answers of", apart=apart, walk=True, answers=chunk or 0)
    if chunk is not None:
        return (part.reshape(-1, rows, cols) for part in space.enumerate(chunk))
    total = space.count()
    if total * rows * cols > ANSWERS_AT_ONCE:
        raise ValueError(
            f"{total} answers of {rows} x {cols} take more than {ANSWERS_AT_ONCE} bytes; "
            "pass chunk= to walk through them"
        )
    return np.concatenate(list(space.enumerate())).reshape(-1, rows, cols)


def draw(
    rows: int, cols: int, n: int, rng: np.random.Generator, *, connected: bool = True, budget: int = BUDGET
) -> npt.NDArray[np.uint8]:
    """n uniform, independent answers of an empty grid: uint8 (n, rows, cols). rng is a numpy.random.Generator.

    Errors as for `diagram`. Cost: a microsecond each at 10 x 10; at 20 x 20 about 3 GB and two sweeps of a count
    beforehand.

    >>> draw(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]]
    """
    space = _space(rows, cols, connected, budget, "to draw from", walk=True, answers=n)
    return space.draw(n, rng).reshape(n, rows, cols)


def marginals(rows: int, cols: int, *, connected: bool = True, budget: int = BUDGET) -> npt.NDArray[np.object_]:
    """How many answers of an empty grid shade each cell: object (rows, cols) of exact Python ints. Errors as for
    `diagram`.

    >>> marginals(2, 3).tolist()
    [[3, 1, 3], [3, 1, 3]]
    """
    space = _space(rows, cols, connected, budget, "for the marginals of", walk=True)
    lines, across = max(rows, cols), min(rows, cols)
    half = -(-lines // 2)  # the other lines are their mirror images
    shaded = space.marginals(half * len(steps.starts(across)))[:, 1].reshape(rows, cols)
    by_line = shaded if across == cols else shaded.T
    by_line[half:] = by_line[: lines - half][::-1]
    return shaded
