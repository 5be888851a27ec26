"""Grids: row-major cells, their neighbours, cell states, and the checks that every grid given by a user passes.

Not here: anything a genre means by a cell.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

MOST_CELLS = 10_000_000
UNKNOWN, UNSHADED, SHADED = 0, 1, 2  # state of a cell while solving; answers are uint8 with 1 = shaded

Cell = tuple[int, int]  # (r, c)
Side = tuple[int, int, str]  # of a cell: (r, c, "right" or "down")
Key = Cell | Side
GridLike = np.ndarray | Sequence[Sequence[int]]  # rows of cells, as users hand them in; `as_grid` checks them


def cell_name(r: int, c: int) -> str:
    """A cell as solvers name it: rows and columns count from 1 in sentences and on pictures, from 0 in data.

    >>> cell_name(0, 2)
    'R1C3'
    """
    return f"R{r + 1}C{c + 1}"


def region_name(n: int) -> str:
    """The letter of region `n`, in reading order from 0; after Z come AA, AB, ...

    >>> [region_name(n) for n in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    letters = ""
    while n >= 0:
        letters, n = chr(ord("A") + n % 26) + letters, n // 26 - 1
    return letters


@lru_cache(maxsize=256)
def neighbours(rows: int, cols: int) -> npt.NDArray[np.int32]:
    """Side neighbours of every cell, padded.

    Returns
    -------
    int32 (rows * cols, 4)   cells above, left, right, below that exist, packed to the front; then -1

    >>> neighbours(2, 2).tolist()
    [[1, 2, -1, -1], [0, 3, -1, -1], [0, 3, -1, -1], [1, 2, -1, -1]]
    """
    table = np.full((rows * cols, 4), -1, np.int32)
    for r in range(rows):
        for c in range(cols):
            beside = [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]
            cells = [y * cols + x for y, x in beside if 0 <= y < rows and 0 <= x < cols]
            table[r * cols + c, : len(cells)] = cells
    table.setflags(write=False)
    return table


def check_size(rows: int, cols: int) -> tuple[int, int]:
    """``(rows, cols)`` as ints, or ValueError naming the one that is not a whole number of at least 1, or a
    grid of more than MOST_CELLS.
    """
    sizes = []
    for name, value in (("rows", rows), ("cols", cols)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
        sizes.append(int(value))
    if max(sizes) > MOST_CELLS or sizes[0] * sizes[1] > MOST_CELLS:
        size = " x ".join(str(size) if size < 10**12 else f"a number of {len(str(size))} digits" for size in sizes)
        raise ValueError(f"a grid of {size} is too large; at most {MOST_CELLS:,} cells are worked on")
    return sizes[0], sizes[1]


def as_grid(name: str, values: GridLike, dtype: type[np.integer] = np.int32) -> np.ndarray:
    """``values`` as a read-only, two-dimensional integer array, or ValueError saying where it is not one."""
    if not isinstance(values, np.ndarray):
        try:
            lines = [list(line) for line in values]
        except TypeError:
            raise ValueError(f"{name} must be rows of cells, not {values!r}") from None
        for r, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise ValueError(f"{name}: row {r} has {len(line)} cells, row 0 has {len(lines[0])}")
        values = np.array(lines)
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"{name} must be a grid with at least one row and one column, not shape {values.shape}")
    if values.dtype.kind not in "iub":
        raise ValueError(f"{name} must hold whole numbers, not {values.dtype}")
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if values.min() < low or values.max() > high:
        r, c = np.argwhere((values < low) | (values > high))[0]
        raise ValueError(f"{name}: {values[r, c]} at row {r}, column {c} is out of range")
    grid = np.array(values, dtype=dtype, order="C")
    grid.setflags(write=False)
    return grid


def as_shading(answer: GridLike, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """An answer of shaded and unshaded cells as a 0/1 uint8 grid of a board's size, or ValueError."""
    answer = as_grid("answer", answer)
    if answer.shape != shape:
        raise ValueError(f"the answer is {answer.shape[0]} x {answer.shape[1]}, the board {shape[0]} x {shape[1]}")
    if ((answer != 0) & (answer != 1)).any():
        r, c = np.argwhere((answer != 0) & (answer != 1))[0]
        raise ValueError(f"the answer has {answer[r, c]} at row {r}, column {c}; 0 is unshaded, 1 shaded")
    return answer.astype(np.uint8)


def as_state(state: GridLike | None, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """What a solver has settled as a uint8 grid of a board's size, all UNKNOWN for None; or ValueError."""
    if state is None:
        return np.full(shape, UNKNOWN, np.uint8)
    state = as_grid("state", state)
    if state.shape != shape:
        raise ValueError(f"the state is {state.shape[0]} x {state.shape[1]}, the board {shape[0]} x {shape[1]}")
    if ((state < UNKNOWN) | (state > SHADED)).any():
        r, c = np.argwhere((state < UNKNOWN) | (state > SHADED))[0]
        raise ValueError(f"the state has {state[r, c]} at row {r}, column {c}; 0 is unknown, 1 unshaded, 2 shaded")
    return state.astype(np.uint8)


def pieces(labels: np.ndarray) -> npt.NDArray[np.int32]:
    """Connected pieces of equal labels, numbered from 0 in reading order.

    Parameters
    ----------
    labels : int (rows, cols)

    Returns
    -------
    int32 (rows, cols)   piece of each cell
    """
    rows, cols = labels.shape
    found = np.full((rows, cols), -1, np.int32)
    count = 0
    for start in np.ndindex(rows, cols):
        if found[start] >= 0:
            continue
        found[start] = count
        stack = [start]
        while stack:
            r, c = stack.pop()
            for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                if 0 <= y < rows and 0 <= x < cols and found[y, x] < 0 and labels[y, x] == labels[start]:
                    found[y, x] = count
                    stack.append((y, x))
        count += 1
    return found
