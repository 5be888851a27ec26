"""Which rectangles a clue of a Nawabari board can be the clue of, as bit masks of cells.

A candidate of a clue is a rectangle that holds it, holds no other clue, and agrees with its number. Masks are stored
word by word: masks[w, j] holds the cells 64 w to 64 w + 63 of candidate j. Kernels loop over `words`, see `words_for`:
for few words it is a tuple, for which they are compiled anew and no loop is left in them.

Not here: which candidates go together, see covers.py.
"""

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import inner, kernel, lean
from ..machinery.search import NO_BUDGET

NONE = -1  # NO_CLUE of rules.py, for kernels
WALLS, INNER_WALLS, AREA, ANYTHING = range(
    4
)  # what a number counts: sides that are walls, frame not counted, cells, or nothing
ROOM_FOR = 1024  # candidates that a board gets memory for at first


def words_for(cells: int) -> tuple[int, ...] | npt.NDArray[np.int8]:
    """What kernels loop over to see all words of a mask: a tuple of one, two or four, or a longer array."""
    words = -(-cells // 64)
    return (0,) * (words if words < 3 else 4) if words < 5 else np.zeros(words, np.int8)


@lean
def _agrees(value, counts, r, c, top, left, bottom, right, rows, cols):
    """Whether a rectangle gives a clue its number; a `?` agrees with everything."""
    if value < 0 or counts == ANYTHING:
        return True
    if counts == AREA:
        return (bottom - top + 1) * (right - left + 1) == value
    walls = (r == top) + (r == bottom) + (c == left) + (c == right)
    if counts == INNER_WALLS:
        walls -= (r == 0) + (r == rows - 1) + (c == 0) + (c == cols - 1)
    return walls == value


@lean
def _columns(words, rows, cols, left_of):
    """Fill uint64 (w, cols + 1): the cells of all columns before each."""
    for w in range(len(words)):
        left_of[w, 0] = np.uint64(0)
    for c in range(cols):
        for w in range(len(words)):
            left_of[w, c + 1] = left_of[w, c]
        for cell in range(c, rows * cols, cols):
            left_of[cell >> 6, c + 1] |= np.uint64(1) << np.uint64(cell & 63)


@lean
def _lines(words, band, start, stop):
    """Fill uint64 (w,): the cells start..stop - 1, whole rows."""
    for w in range(len(words)):
        low = max(start - 64 * w, 0)
        high = min(stop - 64 * w, 64)
        band[w] = np.uint64(0)
        if low < high:
            band[w] = (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - (high - low))) << np.uint64(low)


@lean
def _reach(rows, cols, clues, before, after):
    """Fill the leftmost and the rightmost column that each cell can be in one row with, the cell apart, without meeting
    a clue.
    """
    for r in range(rows):
        last = -1
        for c in range(cols):
            before[r * cols + c] = last + 1
            if clues[r * cols + c] != NONE:
                last = c
        last = cols
        for c in range(cols - 1, -1, -1):
            after[r * cols + c] = last - 1
            if clues[r * cols + c] != NONE:
                last = c


@lean
def _candidates(words, rows, cols, clues, counts, enough, before, after, left_of, band, masks, first):
    """Candidates of every clue, clue by clue in reading order.

    Parameters
    ----------
    words : tuple or array                  as long as masks have words
    clues : int (rows * cols,)
    enough : int                            what is more is neither listed nor counted
    before, after : int32 (rows * cols,)    scratch
    left_of, band : uint64 (words, cols + 1), (words,)    scratch
    masks : uint64 (words, m)               filled, as far as there is room
    first : int32 (rows * cols + 1,)        filled with where each clue's candidates start

    Returns
    -------
    (int, int)                              clues, candidates
    """
    _reach(rows, cols, clues, before, after)
    _columns(words, rows, cols, left_of)
    size = 0
    numbers = 0
    room = masks.shape[1]
    for cell in range(rows * cols):
        if clues[cell] == NONE:
            continue
        first[numbers] = size
        numbers += 1
        r = cell // cols
        c = cell % cols
        value = clues[cell]
        by_walls = value >= 0 and counts == WALLS
        least = 0
        most = cols - 1
        for top in range(r, -1, -1):
            if size > enough or (top < r and clues[top * cols + c] != NONE):
                break
            least = max(least, before[top * cols + c])
            most = min(most, after[top * cols + c])
            low = least
            high = most
            for bottom in range(r, rows):
                if bottom > r and clues[bottom * cols + c] != NONE:
                    break
                low = max(low, before[bottom * cols + c])
                high = min(high, after[bottom * cols + c])
                want = value - (r == top) - (r == bottom)  # walls to the left and to the right
                if by_walls and (want < 0 or want > 2):
                    continue
                _lines(words, band, top * cols, (bottom + 1) * cols)
                for left in range(c if by_walls and want == 2 else low, c if by_walls and want == 0 else c + 1):
                    start = c
                    stop = high
                    if by_walls:
                        if (left == c) + 1 == want:
                            stop = c
                        elif (left == c) == want:
                            start = c + 1
                        else:
                            continue
                    for right in range(start, stop + 1):
                        if by_walls or _agrees(value, counts, r, c, top, left, bottom, right, rows, cols):
                            if size < room:
                                for w in range(len(words)):
                                    masks[w, size] = (left_of[w, right + 1] ^ left_of[w, left]) & band[w]
                            size += 1
    first[numbers] = size
    return numbers, size


@lean
def _measure(words, cols, masks, j, box):
    """Fill int32 (4,) with top, left, bottom and right of mask j."""
    low = np.int64(-1)
    high = np.int64(0)
    for w in range(len(words)):
        rest = masks[w, j]
        bit = 64 * w
        while rest != np.uint64(0):
            if rest & np.uint64(1) != np.uint64(0):
                high = bit  # type: ignore[assignment]  # one type to numba
                if low < 0:
                    low = bit  # type: ignore[assignment]  # one type to numba
            rest >>= np.uint64(1)
            bit += 1
    box[0] = low // cols
    box[1] = low % cols
    box[2] = high // cols
    box[3] = high % cols


@inner
def _listed(words, rows, cols, clues, counts):
    """Candidates of a board in new arrays: masks uint64 (words, m), boxes int32 (m, 4), first int32 (k + 1,)."""
    n = rows * cols
    before, after, first = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n + 1, np.int32)
    left_of, band = np.empty((len(words), cols + 1), np.uint64), np.empty(len(words), np.uint64)
    masks = np.empty((len(words), ROOM_FOR), np.uint64)
    k, size = _candidates(words, rows, cols, clues, counts, NO_BUDGET, before, after, left_of, band, masks, first)
    if size > ROOM_FOR:
        masks = np.empty((len(words), size), np.uint64)
        _candidates(words, rows, cols, clues, counts, NO_BUDGET, before, after, left_of, band, masks, first)
    boxes = np.empty((size, 4), np.int32)
    for j in range(size):
        _measure(words, cols, masks, j, boxes[j])
    return masks[:, :size].copy(), boxes, first[: k + 1].copy()


@kernel
def _boxes(words, rows, cols, clues, counts):
    _, boxes, first = _listed(words, rows, cols, clues, counts)
    return boxes, first


def candidates(
    clues: npt.NDArray[np.int32], counts: int = WALLS
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Rectangles that each clue of a board allows by itself.

    Parameters
    ----------
    clues : int32 (rows, cols)
    counts : int                     what numbers count: WALLS, INNER_WALLS, AREA or ANYTHING

    Returns
    -------
    boxes : int32 (m, 4)             top, left, bottom, right, clue by clue in reading order
    first : int32 (k + 1,)           where each clue's rectangles start

    >>> boxes, first = candidates(np.array([[3, -1, -1], [-1, -1, 4]]))
    >>> boxes.tolist(), first.tolist()
    ([[0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 1, 0], [1, 2, 1, 2]], [0, 3, 4])
    """
    words = np.zeros(-(-clues.size // 64), np.int8)  # compiled once for every size
    rows, cols = clues.shape
    return _boxes(words, rows, cols, clues.ravel(), counts)
