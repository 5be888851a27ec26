"""A Nawabari board as the kernels of its ladder read it: sides between cells, lattice points, and the rectangles of
each clue.

Not here: anything that follows from them.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import kernel
from . import rectangles
from .rules import Board


class Layout(NamedTuple):
    """A board as its kernels read it: n cells, s sides between cells, v inner lattice points, k clues, m candidates.

    Sides are numbered right walls first (r * (cols - 1) + c), then down walls; side s is the frame, a wall for ever.
    """

    sides: np.ndarray  # int32 (n, 4): above, left, right, below
    cells: np.ndarray  # int32 (s, 2): the two cells of a side
    ends: np.ndarray  # int32 (s, 2): its two lattice points, or -1 on the frame
    meeting: np.ndarray  # int32 (v, 4): sides up, left, right and down of a lattice point
    value: np.ndarray  # int32 (n,): how many walls the cell's number says, or -1
    numbered: np.ndarray  # int32 (q,): cells with a number
    first: np.ndarray  # int32 (k + 1,): where each clue's candidates start
    area: np.ndarray  # uint64 (m, n / 64): cells of a candidate
    inside: np.ndarray  # uint64 (m, s / 64): sides inside a candidate, which are open
    border: np.ndarray  # uint64 (m, s / 64): sides around it, which are walls
    full: np.ndarray  # uint64 (n / 64,): every cell
    boxes: np.ndarray  # int32 (m, 4): top, left, bottom and right of a candidate


@lru_cache(maxsize=64)
def geometry(
    rows: int, cols: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The part of a Layout that every board of a size shares: sides, cells, ends, meeting."""
    right = np.arange(rows * (cols - 1), dtype=np.int32).reshape(rows, cols - 1)
    down = len(right) * (cols - 1) + np.arange((rows - 1) * cols, dtype=np.int32).reshape(rows - 1, cols)
    frame = right.size + down.size
    sides = np.full((rows, cols, 4), frame, np.int32)
    sides[1:, :, 0], sides[:, 1:, 1], sides[:, :-1, 2], sides[:-1, :, 3] = down, right, right, down
    at = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    cells, ends = np.empty((frame, 2), np.int32), np.full((frame, 2), -1, np.int32)
    cells[right] = np.stack([at[:, :-1], at[:, 1:]], axis=-1)
    cells[down] = np.stack([at[:-1], at[1:]], axis=-1)
    points = np.arange((rows - 1) * (cols - 1), dtype=np.int32).reshape(rows - 1, cols - 1)
    ends[right[1:], 0], ends[right[:-1], 1], ends[down[:, 1:], 0], ends[down[:, :-1], 1] = (
        points,
        points,
        points,
        points,
    )
    meeting = np.stack([right[:-1], down[:, :-1], down[:, 1:], right[1:]], axis=-1).reshape(-1, 4)
    return sides.reshape(-1, 4), cells, ends, np.ascontiguousarray(meeting)


@lru_cache(maxsize=1024)
def layout(board: Board, counts: int = rectangles.WALLS) -> Layout:
    """The Layout of a board; `counts` is what its numbers count (see rectangles)."""
    rows, cols = board.rows, board.cols
    sides, cells, ends, meeting = geometry(rows, cols)
    clues = board.clues.ravel()
    says_walls = clues >= 0 if counts in (rectangles.WALLS, rectangles.INNER_WALLS) else np.zeros(len(clues), bool)
    value = np.where(says_walls, clues, -1).astype(np.int32)
    if counts == rectangles.INNER_WALLS:
        value[says_walls] += (sides[says_walls] == len(cells)).sum(axis=1)
    words = np.zeros(-(-len(clues) // 64), np.int8)
    area, inside, border, full, boxes, first = _masks(words, rows, cols, clues, counts, sides, len(cells))
    numbered = np.flatnonzero(value >= 0).astype(np.int32)
    return Layout(sides, cells, ends, meeting, value, numbered, first, area, inside, border, full, boxes)


@kernel
def _masks(words, rows, cols, clues, counts, sides, frame):
    masks, boxes, first = rectangles._listed(words, rows, cols, clues, counts)
    m = boxes.shape[0]
    full = np.zeros(len(words), np.uint64)
    for cell in range(rows * cols):
        full[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    wide = (max(frame, 1) + 63) // 64
    inside, border = np.zeros((m, wide), np.uint64), np.zeros((m, wide), np.uint64)
    for i in range(m):
        top, left, bottom, right = boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3]
        for r in range(top, bottom + 1):
            for c in range(left, right + 1):
                for j in range(4):
                    side = sides[r * cols + c, j]
                    if side == frame:
                        continue
                    wall = (
                        (j == 0 and r == top)
                        or (j == 1 and c == left)
                        or (j == 2 and c == right)
                        or (j == 3 and r == bottom)
                    )
                    bit = np.uint64(1) << np.uint64(side & 63)
                    if wall:
                        border[i, side >> 6] |= bit
                    else:
                        inside[i, side >> 6] |= bit
    return masks.T.copy(), inside, border, full, boxes, first
