"""Nawabari boards as exact covers: one rectangle for each clue, together every cell once. And every placement of an answer.

A candidate of a clue is a rectangle that holds it, holds no other clue, and agrees with its number. Answers are choices of one
candidate a clue that cover the grid. `_cover` finds them with bit masks of cells: what all candidates of a clue share belongs to
it, a cell that only one clue reaches belongs to that clue, and where neither helps it branches on the clue with the fewest left.

Not here: named deductions, walls.
"""

from typing import NamedTuple

import numpy as np

from ..machinery.kernels import inner, kernel

NONE = -1  # NO_CLUE of rules.py, for kernels
WALLS, INNER_WALLS, AREA, ANYTHING = range(4)  # what a number counts: sides that are walls, frame not counted, cells, or nothing
NO_BUDGET = 1 << 62
UNKNOWN = -1  # in `tally`: the budget ran out first


@inner
def _seat(r, c, top, left, bottom, right):
    """Sides of cell (r, c) that are walls of its room."""
    return (r == top) + (r == bottom) + (c == left) + (c == right)


@inner
def _agrees(value, counts, r, c, top, left, bottom, right, rows, cols):
    """Whether a rectangle gives a clue its number; a `?` agrees with everything."""
    if value < 0 or counts == ANYTHING:
        return True
    if counts == AREA:
        return (bottom - top + 1) * (right - left + 1) == value
    walls = _seat(r, c, top, left, bottom, right)
    if counts == INNER_WALLS:
        walls -= (r == 0) + (r == rows - 1) + (c == 0) + (c == cols - 1)
    return walls == value


@inner
def _boxes(rows, cols, clues, counts, before, after, boxes, first):
    """Candidates of every clue, in reading order of the clues.

    Parameters
    ----------
    clues : int (rows * cols,)
    before, after : int32 (rows * cols,)    scratch
    boxes : int32 (m, 4)                    filled with top, left, bottom, right, as far as there is room
    first : int32 (rows * cols + 1,)        filled with where each clue's candidates start

    Returns
    -------
    (int, int)                              clues, candidates
    """
    for r in range(rows):
        last = -1
        for c in range(cols):
            before[r * cols + c] = last + 1  # leftmost column from which one can come to c, but for c itself, without a clue
            if clues[r * cols + c] != NONE:
                last = c
        last = cols
        for c in range(cols - 1, -1, -1):
            after[r * cols + c] = last - 1
            if clues[r * cols + c] != NONE:
                last = c
    size = 0
    numbers = 0
    room = boxes.shape[0]
    for cell in range(rows * cols):
        if clues[cell] == NONE:
            continue
        first[numbers] = size
        numbers += 1
        r = cell // cols
        c = cell % cols
        least = 0
        most = cols - 1
        for top in range(r, -1, -1):
            if top < r and clues[top * cols + c] != NONE:
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
                for left in range(low, c + 1):
                    for right in range(c, high + 1):
                        if _agrees(clues[cell], counts, r, c, top, left, bottom, right, rows, cols):
                            if size < room:
                                boxes[size, 0] = top
                                boxes[size, 1] = left
                                boxes[size, 2] = bottom
                                boxes[size, 3] = right
                            size += 1
    first[numbers] = size
    return numbers, size


@inner
def _fill(mask, start, stop):
    """Set bits start..stop - 1 of a mask of several words."""
    for word in range(start >> 6, ((stop - 1) >> 6) + 1):
        low = max(start - 64 * word, 0)
        high = min(stop - 64 * word, 64)
        mask[word] |= (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - (high - low))) << np.uint64(low)


@inner
def _cells(boxes, size, cols, words, masks):
    """The cells of the first `size` boxes as bit masks."""
    for i in range(size):
        for w in range(words):
            masks[i, w] = np.uint64(0)
        for r in range(boxes[i, 0], boxes[i, 2] + 1):
            _fill(masks[i], r * cols + boxes[i, 1], r * cols + boxes[i, 3] + 1)


class Scratch(NamedTuple):
    """Memory of `_cover` for n cells, k clues and m candidates at most; a mask has w words of 64 cells."""

    before: np.ndarray  # int32 (n,)
    after: np.ndarray  # int32 (n,)
    boxes: np.ndarray  # int32 (m, 4)
    first: np.ndarray  # int32 (n + 1,)
    masks: np.ndarray  # uint64 (m, w)
    order: np.ndarray  # int32 (m,): candidates clue by clue; those still possible come first
    size: np.ndarray  # int32 (k,): how many are still possible
    need: np.ndarray  # uint64 (k + 4, w): cells in all candidates; the last four rows are sums over the clues
    reach: np.ndarray  # uint64 (k, w): cells in some candidate
    saved: np.ndarray  # int32 (k + 1, k): sizes before each guess
    guess: np.ndarray  # int32 (k + 1, 2): clue and candidate of each guess


def scratch(cells, clues, candidates):
    """Scratch for boards of at most so many cells, clues and candidates."""
    words = -(-cells // 64)
    return Scratch(
        before=np.empty(cells, np.int32), after=np.empty(cells, np.int32), boxes=np.empty((candidates, 4), np.int32),
        first=np.empty(cells + 1, np.int32), masks=np.empty((candidates, words), np.uint64),
        order=np.empty(candidates, np.int32), size=np.empty(clues, np.int32), need=np.empty((clues + 4, words), np.uint64),
        reach=np.empty((clues, words), np.uint64), saved=np.empty((clues + 1, clues), np.int32),
        guess=np.empty((clues + 1, 2), np.int32),
    )


@inner
def _settle(k, work):
    """Drop candidates until nothing more follows. Returns False on a contradiction."""
    masks, order, first, size, need, reach = work.masks, work.order, work.first, work.size, work.need, work.reach
    words = masks.shape[1]
    last = need.shape[0]
    full, once, twice, needed = need[last - 1], need[last - 2], need[last - 3], need[last - 4]
    zero = np.uint64(0)
    while True:
        for w in range(words):
            once[w] = zero
            twice[w] = zero
            needed[w] = zero
        for i in range(k):
            if size[i] == 0:
                return False
            start = first[i]
            stop = start + size[i]
            for w in range(words):
                shared = masks[order[start], w]
                together = shared
                for j in range(start + 1, stop):
                    mask = masks[order[j], w]
                    shared &= mask
                    together |= mask
                if shared & needed[w] != zero:
                    return False
                needed[w] |= shared
                twice[w] |= once[w] & together
                once[w] |= together
                need[i, w] = shared
                reach[i, w] = together
        for w in range(words):
            if once[w] != full[w]:
                return False
        dropped = False
        for i in range(k):
            j = first[i]
            while size[i] > 1 and j < first[i] + size[i]:
                wrong = zero
                for w in range(words):
                    mask = masks[order[j], w]
                    wrong |= (mask & needed[w] & ~need[i, w]) | (reach[i, w] & ~twice[w] & ~mask)
                if wrong != zero:
                    size[i] -= 1
                    _swap(order, j, first[i] + size[i])
                    dropped = True
                else:
                    j += 1
        if not dropped:
            return True


@inner
def _swap(order, i, j):
    here = order[i]
    order[i] = order[j]
    order[j] = here


@inner
def _place(order, at, candidate):
    """Where a candidate is listed, from `at` on."""
    while order[at] != candidate:
        at += 1
    return at


@inner
def _next_guess(depth, first, order, size, saved, guess, k):
    """Give up the candidate guessed last and guess the clue's next one. Returns the depth, 0 when nothing is left to guess."""
    while depth > 0:
        clue = guess[depth - 1, 0]
        for i in range(k):
            size[i] = saved[depth - 1, i]
        last = first[clue] + size[clue] - 1
        _swap(order, _place(order, first[clue], guess[depth - 1, 1]), last)
        saved[depth - 1, clue] -= 1
        if saved[depth - 1, clue] > 0:
            size[clue] = 1
            guess[depth - 1, 1] = order[first[clue]]
            return depth
        depth -= 1
    return 0


@inner
def _rooms(boxes, chosen, k, cols, answer):
    """Room ids in reading order, from the candidate chosen for each clue (order[first[i]])."""
    n = answer.shape[0]
    for cell in range(n):
        answer[cell] = -1
    order, first = chosen
    for i in range(k):
        box = boxes[order[first[i]]]
        answer[box[0] * cols + box[1]] = order[first[i]]
    rooms = 0
    for cell in range(n):
        candidate = answer[cell]
        if candidate < 0 or cell != boxes[candidate, 0] * cols + boxes[candidate, 1]:
            continue
        for r in range(boxes[candidate, 0], boxes[candidate, 2] + 1):
            for c in range(boxes[candidate, 1], boxes[candidate, 3] + 1):
                if r * cols + c > cell:
                    answer[r * cols + c] = -2 - rooms
        answer[cell] = -2 - rooms
        rooms += 1
    for cell in range(n):
        answer[cell] = -2 - answer[cell]


@inner
def _cover(rows, cols, clues, counts, limit, budget, work, answers):
    """Answers of a board up to a limit; fills `answers`, int32 (limit, n), if it has rows. Returns (found, branch points)."""
    k, m = _boxes(rows, cols, clues, counts, work.before, work.after, work.boxes, work.first)
    words = work.masks.shape[1]
    _cells(work.boxes, m, cols, words, work.masks)
    full = work.need[work.need.shape[0] - 1]
    for w in range(words):
        full[w] = np.uint64(0)
    _fill(full, 0, rows * cols)
    for j in range(m):
        work.order[j] = j
    for i in range(k):
        work.size[i] = work.first[i + 1] - work.first[i]
    return _search(k, cols, limit, budget, work, answers)


@inner
def _search(k, cols, limit, budget, work, answers):
    """Exact covers of the cells in the last row of `need`, from the candidates in `order` and `size`; as `_cover`."""
    order, first, size, saved, guess = work.order, work.first, work.size, work.saved, work.guess
    found = 0
    branch_points = 0
    depth = 0
    while True:
        if _settle(k, work):
            pick = -1
            for i in range(k):
                if size[i] > 1 and (pick < 0 or size[i] < size[pick]):
                    pick = i
            if pick >= 0:
                branch_points += 1
                if branch_points > budget:
                    return found, branch_points
                for i in range(k):
                    saved[depth, i] = size[i]
                guess[depth, 0] = pick
                guess[depth, 1] = order[first[pick]]
                size[pick] = 1
                depth += 1
                continue
            if found < answers.shape[0]:
                _rooms(work.boxes, (order, first), k, cols, answers[found])
            found += 1
            if found == limit:
                return found, branch_points
        depth = _next_guess(depth, first, order, size, saved, guess, k)
        if depth == 0:
            return found, branch_points


@inner
def _scratch_for(rows, cols):
    """Scratch that fits every board of a size, for kernels."""
    n = rows * cols
    words = (n + 63) // 64
    m = rows * (rows + 1) * cols * (cols + 1) // 4
    return Scratch(
        np.empty(n, np.int32), np.empty(n, np.int32), np.empty((m, 4), np.int32), np.empty(n + 1, np.int32),
        np.empty((m, words), np.uint64), np.empty(m, np.int32), np.empty(n, np.int32), np.empty((n + 4, words), np.uint64),
        np.empty((n, words), np.uint64), np.empty((n + 1, n), np.int32), np.empty((n + 1, 2), np.int32),
    )


@inner
def _scratch(rows, cols, clues, counts):
    """Scratch that fits one board."""
    n = rows * cols
    words = (n + 63) // 64
    before, after, first = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n + 1, np.int32)
    k, m = _boxes(rows, cols, clues, counts, before, after, np.empty((0, 4), np.int32), first)
    return Scratch(
        before, after, np.empty((m, 4), np.int32), first, np.empty((m, words), np.uint64), np.empty(m, np.int32),
        np.empty(k, np.int32), np.empty((k + 4, words), np.uint64), np.empty((k, words), np.uint64),
        np.empty((k + 1, k), np.int32), np.empty((k + 1, 2), np.int32),
    )


@kernel
def _solve(rows, cols, clues, counts, limit, budget, answers):
    return _cover(rows, cols, clues, counts, limit, budget, _scratch(rows, cols, clues, counts), answers)


@kernel
def _candidates(rows, cols, clues, counts):
    work = _scratch(rows, cols, clues, counts)
    k, _ = _boxes(rows, cols, clues, counts, work.before, work.after, work.boxes, work.first)
    return work.boxes, work.first[: k + 1].copy()


def candidates(clues, counts=WALLS):
    """Rectangles that each clue of a board allows by itself.

    Parameters
    ----------
    clues : int32 (rows, cols)
    counts : int                     what numbers count: WALLS, INNER_WALLS, AREA or ANYTHING

    Returns
    -------
    boxes : int32 (m, 4)             top, left, bottom, right, clue by clue in reading order
    first : int32 (k + 1,)           where each clue's rectangles start
    """
    return _candidates(*clues.shape, clues.ravel(), counts)


@kernel
def _lay(rows, cols, clues, counts, fewest, most, limit, budget, answers):
    """Answers by laying rooms from the first free cell, each with `fewest` to `most` clues; as `_cover`.

    Every cell where a room begins counts as a branch point.
    """
    n = rows * cols
    answer = np.empty(n, np.int32)
    at = np.empty((n + 1, 3), np.int32)  # each room's first cell, height, width
    laid = np.zeros(n + 1, np.uint8)
    for cell in range(n):
        answer[cell] = -1
    at[0, 0] = 0
    at[0, 1] = 0
    at[0, 2] = 1
    depth = 0
    found = 0
    branch_points = 1
    while depth >= 0 and branch_points <= budget:
        first = at[depth, 0]
        top = first // cols
        left = first % cols
        if laid[depth]:
            _paint(answer, cols, at[depth], -1)
            laid[depth] = 0
        at[depth, 1] += 1
        if top + at[depth, 1] > rows:
            at[depth, 1] = 1
            at[depth, 2] += 1
        bottom = top + at[depth, 1] - 1
        right = left + at[depth, 2] - 1
        if right >= cols or answer[top * cols + right] >= 0:
            depth -= 1
            continue
        inside = 0
        fine = True
        for r in range(top, bottom + 1):
            for c in range(left, right + 1):
                if clues[r * cols + c] != NONE:
                    inside += 1
                    fine &= _agrees(clues[r * cols + c], counts, r, c, top, left, bottom, right, rows, cols)
        if not fine or inside < fewest or inside > most:
            continue
        _paint(answer, cols, at[depth], depth)
        laid[depth] = 1
        cell = first
        while cell < n and answer[cell] >= 0:
            cell += 1
        if cell == n:
            for x in range(n):
                answers[found, x] = answer[x]
            found += 1
            if found == limit:
                return found, branch_points
            continue
        depth += 1
        branch_points += 1
        at[depth, 0] = cell
        at[depth, 1] = 0
        at[depth, 2] = 1
    return found, branch_points


@inner
def _paint(answer, cols, room, name):
    for r in range(room[1]):
        for c in range(room[2]):
            answer[room[0] + r * cols + c] = name


@kernel
def _tally(rows, cols, clues, limit, budget, stop, work, found):
    """Fills `found`; ends early, and returns where, after a board with exactly `stop` answers. Returns -1 otherwise."""
    nothing = np.empty((0, rows * cols), np.int32)
    for i in range(clues.shape[0]):
        count, spent = _cover(rows, cols, clues[i], WALLS, limit, budget, work, nothing)
        found[i] = count if spent <= budget or count == limit else UNKNOWN
        if found[i] == stop:
            return i
    return -1


def tally(clues, limit=2, budget=NO_BUDGET):
    """How many answers each of many boards has, up to a limit.

    Parameters
    ----------
    clues : int (m, rows, cols)     boards of one size; NO_CLUE, ASKED or a number
    limit : int                     2 is enough to tell unique boards
    budget : int                    branch points a board; past it the board is UNKNOWN

    Returns
    -------
    int64 (m,)                      0 to limit, or UNKNOWN (-1)

    Cost: about 3 microseconds a unique board at 6 x 6, 8 at 8 x 8, 14 at 10 x 10.

    >>> tally([[[3, -1], [-1, 3]], [[3, 3], [-1, -1]], [[2, 2], [-1, -1]]]).tolist()
    [2, 1, 0]
    """
    found, _ = _tallied(clues, limit, budget, stop=limit + 1)
    return found


def first_unique(clues, budget=NO_BUDGET):
    """The first of many boards, int (m, rows, cols), that has exactly one answer: its index, or -1. See `tally`."""
    _, at = _tallied(clues, 2, budget, stop=1)
    return at


def _tallied(clues, limit, budget, stop):
    clues = np.ascontiguousarray(clues, np.int32)
    m, rows, cols = clues.shape
    found = np.empty(m, np.int64)
    most = int((clues != NONE).sum(axis=(1, 2)).max(initial=0))
    rectangles = rows * (rows + 1) * cols * (cols + 1) // 4
    at = _tally(rows, cols, clues.reshape(m, -1), limit, budget, stop, scratch(rows * cols, most, rectangles), found)
    return found, at
