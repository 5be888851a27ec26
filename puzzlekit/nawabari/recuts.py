"""Nawabari placements: every way to print an answer, judged without looking at each.

A placement prints one number in each room of an answer. Numbers are placed room by room. When the rooms so far can be
cut in another way that their numbers allow (a recut), every placement with these numbers has a second answer; when the
last room is placed without one, the answer is the only one. In a recut the number placed last has another rectangle
than its room, since the rooms before it had no recut; so only its other rectangles are tried, by the search of
covers.py.

Recuts of two rooms are remembered for as long as the answer is the same. Not here: boards that come without an answer.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import inner, kernel, lean
from ..machinery.search import NO_BUDGET
from . import covers, rectangles

WIDEST = 64  # columns: a row of cells is one word


class Cutting(NamedTuple):
    """An answer of k rooms on r rows of c cells, and a placement as far as it goes."""

    box: np.ndarray  # int32 (k, 4): top, left, bottom and right of each room
    whole: np.ndarray  # uint64 (w, k): its cells, as masks of w words
    number: np.ndarray  # int32 (r * c,): the number that each cell would print
    at: np.ndarray  # int32 (k,): the cell of each room's number
    printed: np.ndarray  # uint64 (w,): the cells with a number
    stop: np.ndarray  # uint64 (r,): row by row, cells outside the rooms placed so far and cells with a number
    end: (
        np.ndarray
    )  # int32 (k + 1, k): how many candidates each number has before each room is placed; some hold other numbers
    pairs: np.ndarray  # uint8 (r * c, r * c): 1 when numbers on these two cells recut their two rooms
    turn: np.ndarray  # int32 (k,): which cell of each room comes next
    listed: np.ndarray  # uint64 (w, k * m): up to m candidates of each room's number


@lean
def _row(left, right):
    """Bits left..right of a row."""
    return (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(63 - right + left)) << np.uint64(left)


@lean
def _limits(row, c, low, high):
    """The columns low..high that can be reached from c over bits that are 0."""
    left = c
    while left > low and row >> np.uint64(left - 1) & np.uint64(1) == np.uint64(0):
        left -= 1
    right = c
    while right < high and row >> np.uint64(right + 1) & np.uint64(1) == np.uint64(0):
        right += 1
    return left, right


@lean
def _list(words, cut, work, cols, i, last, size):
    """Append the rectangles that the number of room i allows, other than its room; only those over room `last` if that
    is not i.

    They are listed from place `size` of the room's segment on. Returns the new size.
    """
    segment = i * (cut.listed.shape[1] // cut.at.shape[0])
    left_of, band = work.left_of, work.band
    r = cut.at[i] // cols
    c = cut.at[i] % cols
    number = cut.number[cut.at[i]]
    room = cut.box[last]
    latest_top, first_bottom = r, r  # a top at most, a bottom at least, and so on, so that the rectangle meets the room
    latest_left, first_right = c, c
    if last != i:
        latest_top, first_bottom = min(r, room[2]), max(r, room[0])
        latest_left, first_right = min(c, room[3]), max(c, room[1])
    low = 0
    high = cols - 1
    here = np.uint64(1) << np.uint64(c)
    for top in range(r, -1, -1):
        if top < r and cut.stop[top] & here != np.uint64(0):
            break
        low, high = _limits(cut.stop[top], c, low, high)
        if low > latest_left or high < first_right:
            break
        if top > latest_top:
            continue
        left_most = low
        right_most = high
        for bottom in range(r, cut.stop.shape[0]):
            if bottom > r:
                if cut.stop[bottom] & here != np.uint64(0):
                    break
                left_most, right_most = _limits(cut.stop[bottom], c, left_most, right_most)
                if left_most > latest_left or right_most < first_right:
                    break
            want = number - (r == top) - (r == bottom)
            if bottom < first_bottom or want < 0 or want > 2:
                continue
            rectangles._lines(words, band, top * cols, (bottom + 1) * cols)
            for left in range(left_most, latest_left + 1):
                if (want == 0 and left == c) or (want == 2 and left != c):
                    continue
                for right in range(first_right, right_most + 1):
                    if (left == c) + (right == c) != want:
                        continue
                    if last == i and top == room[0] and left == room[1] and bottom == room[2] and right == room[3]:
                        continue
                    for w in range(len(words)):
                        cut.listed[w, segment + size] = (left_of[w, right + 1] ^ left_of[w, left]) & band[w]
                    size += 1
    return size


@lean
def _toggle(words, cut, work, i):
    """Make the cells of room i part of the rooms placed so far, or, a second time, not."""
    box = cut.box[i]
    row = _row(box[1], box[3])
    for r in range(box[0], box[2] + 1):
        cut.stop[r] ^= row
    for w in range(len(words)):
        work.sums[w, covers.FULL] ^= cut.whole[w, i]


@lean
def _enter(words, cut, work, cols, i):
    """Before room i is placed: the numbers before it get the candidates that reach into it."""
    _toggle(words, cut, work, i)
    cut.turn[i] = 0
    for j in range(i):
        cut.end[i + 1, j] = _list(words, cut, work, cols, j, i, cut.end[i, j])


@lean
def _print(cut, cols, i):
    """Print the number of room i, or take it back."""
    cell = cut.at[i]
    cut.stop[cell // cols] ^= np.uint64(1) << np.uint64(cell % cols)
    cut.printed[cell >> 6] ^= np.uint64(1) << np.uint64(cell & 63)


@lean
def _place(words, cut, work, cols, i, cell, nothing):
    """Print the number of room i on a cell. Returns whether that leaves the rooms so far one cutting."""
    cut.at[i] = cell
    _print(cut, cols, i)
    for j in range(i):
        if cut.pairs[cut.at[j], cell]:
            return False
    most = cut.listed.shape[1] // cut.at.shape[0]
    size = _list(words, cut, work, cols, i, i, 0)
    for w in range(len(words)):
        cut.listed[w, i * most + size] = cut.whole[w, i]
    cut.end[i + 1, i] = size + 1
    if size == 0:
        return True
    held = 0
    for j in range(i + 1):  # what holds no other number becomes a candidate of the search
        work.first[j] = held
        own = cut.at[j]
        for x in range(j * most, j * most + (size if j == i else cut.end[i + 1, j])):
            other = np.uint64(0)
            for w in range(len(words)):
                mine = np.uint64(1) << np.uint64(own & 63) if own >> 6 == w else np.uint64(0)
                mask = cut.listed[w, x]
                work.masks[w, held] = mask
                other |= mask & cut.printed[w] & ~mine
            held += other == np.uint64(0)
        work.size[j] = held - work.first[j]
    found, _, _ = covers._search(words, i + 1, 1, NO_BUDGET, NO_BUDGET, work, nothing)
    if found == 0:
        return True
    changed = 0
    partner = -1
    for j in range(i):
        if _differs(words, cut, work, j):
            changed += 1
            partner = j
    if changed == 1:
        cut.pairs[cut.at[partner], cell] = 1
    return False


@lean
def _differs(words, cut, work, i):
    """Whether room i is another rectangle in the recut just found."""
    other = np.uint64(0)
    for w in range(len(words)):
        other |= work.masks[w, work.first[i]] ^ cut.whole[w, i]
    return other != np.uint64(0)


@inner
def _begin(words, rows, cols, answer):
    """Cutting and Cover of an answer, int32 (rows * cols,) of room ids from 0, in any order."""
    n = rows * cols
    wide = len(words)
    k = 0
    for cell in range(n):
        k = max(k, answer[cell] + 1)
    most = ((rows + 1) // 2) * (rows // 2 + 1) * ((cols + 1) // 2) * (
        cols // 2 + 1
    ) + 1  # rectangles over one cell, and one more
    cut = Cutting(
        np.empty((k, 4), np.int32),
        np.zeros((wide, k), np.uint64),
        np.empty(n, np.int32),
        np.empty(k, np.int32),
        np.zeros(wide, np.uint64),
        np.empty(rows, np.uint64),
        np.zeros((k + 1, k), np.int32),
        np.zeros((n, n), np.uint8),
        np.empty(k, np.int32),
        np.empty((wide, k * most), np.uint64),
    )
    work = covers._memory(words, n, k, k * most)
    rectangles._columns(words, rows, cols, work.left_of)
    for w in range(wide):
        work.sums[w, covers.FULL] = np.uint64(0)
    for r in range(rows):
        cut.stop[r] = np.uint64(0xFFFFFFFFFFFFFFFF)
    for i in range(k):
        cut.box[i, 0] = -1
    for cell in range(n):
        i = answer[cell]
        if cut.box[i, 0] < 0:
            cut.box[i, 0] = cell // cols
            cut.box[i, 1] = cell % cols
        cut.box[i, 2] = cell // cols
        cut.box[i, 3] = cell % cols
        cut.whole[cell >> 6, i] |= np.uint64(1) << np.uint64(cell & 63)
    for cell in range(n):
        box = cut.box[answer[cell]]
        r = cell // cols
        c = cell % cols
        cut.number[cell] = (r == box[0]) + (c == box[1]) + (r == box[2]) + (c == box[3])
    return cut, work


@inner
def _by_area(answer):
    """The same rooms with new ids, small rooms first: most of the walk is then spared. int32 (n,)."""
    n = answer.shape[0]
    area = np.zeros(n, np.int32)
    for cell in range(n):
        area[answer[cell]] += 1
    name = np.empty(n, np.int32)
    for i in range(n):
        name[i] = 0
        for j in range(n):
            name[i] += area[j] > 0 and (area[j] < area[i] or (area[j] == area[i] and j < i))
    renamed = np.empty(n, np.int32)
    for cell in range(n):
        renamed[cell] = name[answer[cell]]
    return renamed


@inner
def _walk(words, rows, cols, answer, enough, budget):
    """Unique placements of an answer, counted up to `enough`. Returns (unique, cells tried)."""
    cut, work = _begin(words, rows, cols, _by_area(answer))
    nothing = np.empty((0, rows * cols), np.int32)
    k = cut.box.shape[0]
    unique = 0
    tried = 0
    depth = 0
    _enter(words, cut, work, cols, 0)
    while depth >= 0:
        box = cut.box[depth]
        width = box[3] - box[1] + 1
        if cut.turn[depth] == width * (box[2] - box[0] + 1):
            _toggle(words, cut, work, depth)
            depth -= 1
            if depth >= 0:
                _print(cut, cols, depth)
            continue
        if tried == budget:
            break
        cell = (box[0] + cut.turn[depth] // width) * cols + box[1] + cut.turn[depth] % width
        cut.turn[depth] += 1
        tried += 1
        fine = _place(words, cut, work, cols, depth, cell, nothing)
        if fine and depth < k - 1:
            depth += 1
            _enter(words, cut, work, cols, depth)
            continue
        _print(cut, cols, depth)
        unique += fine
        if unique == enough:
            break
    return unique, tried


class Refuted(NamedTuple):
    """Sets of printed cells that have a recut among themselves: no placement with all of them is unique."""

    used: np.ndarray  # int32 (1,)
    newest: np.ndarray  # int32 (n,): for each cell the latest set of which it is the first, or -1
    older: np.ndarray  # int32 (m,): the set before that with the same first cell, or -1
    cells: np.ndarray  # int32 (m, KEPT): the other cells, then -1


KEPT = 7  # of larger sets little use would be made


def refuted(cells: int, sets: int) -> Refuted:
    """An empty store for so many cells and sets."""
    return Refuted(
        np.zeros(1, np.int32), np.full(cells, -1, np.int32), np.empty(sets, np.int32), np.empty((sets, KEPT), np.int32)
    )


@lean
def _is_refuted(store, clues, cell):
    """Whether all cells of some set that begins with `cell` have a clue."""
    at = store.newest[cell]
    while at >= 0:
        met = 0
        while met < KEPT and store.cells[at, met] >= 0 and clues[store.cells[at, met]] != rectangles.NONE:
            met += 1
        if met == KEPT or store.cells[at, met] < 0:
            return True
        at = store.older[at]
    return False


@lean
def _refute(words, store, cut, work, last):
    """Remember the printed cells of the rooms that the recut just found changes; room `last` is one of them."""
    at = store.used[0]
    if at == store.older.shape[0]:
        return
    size = 0
    for i in range(last):
        if _differs(words, cut, work, i):
            if size == KEPT:
                return
            store.cells[at, size] = cut.at[i]
            size += 1
    if size < KEPT:
        store.cells[at, size] = -1
    store.older[at] = store.newest[cut.at[last]]
    store.newest[cut.at[last]] = at
    store.used[0] += 1


@kernel
def _first_unique(words, rows, cols, answer, cells, store):
    """The first placement of an answer, among int32 (m, k), that is unique: its index, or -1."""
    n = rows * cols
    cut, work = _begin(words, rows, cols, answer)
    nothing = np.empty((0, n), np.int32)
    clues = np.empty(n, np.int32)
    k = cells.shape[1]
    for x in range(n):
        clues[x] = rectangles.NONE
    for m in range(cells.shape[0]):
        dull = False
        last = 0
        while last < k and not dull:  # a set is met when the last of its rooms is, which is its first cell
            clues[cells[m, last]] = 1
            dull = _is_refuted(store, clues, cells[m, last])
            last += 1
        for i in range(last):
            clues[cells[m, i]] = rectangles.NONE
        if dull:
            continue
        depth = 0
        fine = True
        while fine and depth < k:
            _enter(words, cut, work, cols, depth)
            fine = _place(words, cut, work, cols, depth, cells[m, depth], nothing)
            depth += 1
        if not fine:
            _refute(words, store, cut, work, depth - 1)
        while depth > 0:
            depth -= 1
            _print(cut, cols, depth)
            _toggle(words, cut, work, depth)
        if fine:
            return m
    return -1


@kernel
def _count_unique(words, rows, cols, answers, enough, budget, unique, tried):
    for i in range(answers.shape[0]):
        unique[i], tried[i] = _walk(words, rows, cols, answers[i], enough, budget)


def count_unique(
    answers: npt.NDArray[np.int32], enough: int = NO_BUDGET, budget: int = NO_BUDGET
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How many placements of each answer are unique boards, by walking over all of them.

    Parameters
    ----------
    answers : int32 (m, rows, cols)     room ids in reading order
    enough : int                        stop counting there; 1 asks whether an answer can be printed at all
    budget : int                        numbers to place and test, an answer; past it the count is -1: unknown

    Returns
    -------
    unique : int64 (m,)
    tried : int64 (m,)                  numbers that were placed and tested

    Cost: about 1.5 microseconds for each number tried; an answer of 6 x 6 takes 5 ms, one of 8 x 8 a quarter of a
    second.

    >>> unique, tried = count_unique(np.array([[[0, 0], [1, 1]]]))
    >>> unique.tolist()
    [2]
    """
    m, rows, cols = answers.shape
    unique, tried = np.empty(m, np.int64), np.empty(m, np.int64)
    words = rectangles.words_for(rows * cols)
    _count_unique(
        words, rows, cols, np.ascontiguousarray(answers.reshape(m, -1), np.int32), enough, budget, unique, tried
    )
    return np.where((tried == budget) & (unique < enough), -1, unique), tried
