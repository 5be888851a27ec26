"""Nawabari placements repaired: from a random placement of an answer's numbers to one that admits no other answer.

A second answer differs from the answer in one or more recuts: unions of rooms that are cut into other rooms. Each recut
is remembered, and broken by moving a number inside its room, so that a room of the recut holds none or two, or one that
reads otherwise. Of a few such moves the one is made that brings back fewest of the recuts met before; when none stands
the board is solved again. Much faster than drawing placements until one is unique, but not an equal chance for each
unique placement: those with many neighbours that are not unique come up more often.

Not here: where answers come from.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import inner, kernel, lean
from ..machinery.search import NO_BUDGET
from . import covers, rectangles

MOVES = 4  # moves compared
FLIPS = 100  # moves made, before the recuts met are believed to stand always
ANSWERS = 3  # answers of a board to learn from
MOST = 2_000  # recuts remembered
BUDGET = 500  # branch points to spend on a board, before its answer is given up
BREAKS = -1


class Known(NamedTuple):
    """Recuts of an answer met so far: a union of its rooms cut into other rooms, for n cells, k rooms and m recuts at
    most.

    A recut stands, as part of a second answer, while each of its rooms holds one number that reads the same in the
    answer.
    """

    into: (
        np.ndarray
    )  # int32 (m, n): the first cell of the room that a cell is cut into, BREAKS if a number there would read otherwise
    rooms: np.ndarray  # int32 (m, k): the answer's rooms that are cut anew, then -1
    stands: np.ndarray  # int32 (m,): place in `standing`, or -1
    standing: np.ndarray  # int32 (m,): those that stand
    newest: np.ndarray  # int32 (k,): for each room the last place in `older` that is about it, or -1
    older: np.ndarray  # int32 (m * k, 2): a recut, and the place before it that is about the same room
    used: np.ndarray  # int64 (3,): recuts, those that stand, places
    seen: np.ndarray  # int64 (n,): scratch, with `mark`
    mark: np.ndarray  # int64 (1,)
    group: np.ndarray  # int32 (2 * k,): scratch of `_learn`
    corner: np.ndarray  # int32 (k,): likewise, the first cell of each room


@lean
def _next(seed):
    """The next state of a 64-bit linear congruential generator; its high bits are random."""
    return seed * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


@lean
def _below(seed, n):
    """A random number below n, from the high bits of a state."""
    return np.int64((seed >> np.uint64(33)) % np.uint64(n))


@lean
def _numbers(rows, cols, rooms, number):
    """What every cell would print: its sides that are walls."""
    for cell in range(rows * cols):
        r = cell // cols
        c = cell % cols
        room = rooms[cell]
        walls = 0
        walls += r == 0 or rooms[cell - cols] != room
        walls += r == rows - 1 or rooms[cell + cols] != room
        walls += c == 0 or rooms[cell - 1] != room
        walls += c == cols - 1 or rooms[cell + 1] != room
        number[cell] = walls


@lean
def _stands(known, x, at):
    """Whether recut x stands with the numbers at the cells `at`."""
    known.mark[0] += 1
    for j in range(known.rooms.shape[1]):
        i = known.rooms[x, j]
        if i < 0:
            break
        into = known.into[x, at[i]]
        if into == BREAKS or known.seen[into] == known.mark[0]:
            return False
        known.seen[into] = known.mark[0]
    return True


@lean
def _note(known, x, stands):
    """Keep `standing` up to date."""
    place = known.stands[x]
    if stands == (place >= 0):
        return
    if stands:
        known.stands[x] = known.used[1]
        known.standing[known.used[1]] = x
        known.used[1] += 1
        return
    known.used[1] -= 1
    last = known.standing[known.used[1]]
    known.standing[place] = last
    known.stands[last] = place
    known.stands[x] = -1


@lean
def _root(group, i):
    while group[i] != i:
        i = group[i]
    return i


@lean
def _learn(known, at, answer, number, other, others):
    """Take in the parts of another answer, int32 (n,), that are recuts by themselves. Returns False when there is no
    room.
    """
    n = answer.shape[0]
    k = at.shape[0]
    group, corner = known.group, known.corner
    for i in range(2 * k):
        group[i] = i
    for cell in range(n - 1, -1, -1):
        corner[other[cell]] = cell
    for cell in range(n):
        group[_root(group, answer[cell])] = _root(group, k + other[cell])
    for root in range(2 * k):
        x = known.used[0]
        if group[root] != root:
            continue
        size = 0
        for i in range(k):
            if _root(group, i) == root:
                known.rooms[x, size] = i
                size += 1
        if size == 1:
            continue  # the same room
        if size < n:
            known.rooms[x, size] = -1
        for cell in range(n):
            stays = _root(group, answer[cell]) == root and others[cell] == number[cell]
            known.into[x, cell] = corner[other[cell]] if stays else BREAKS
        met = False
        for y in range(known.used[1]):
            met |= _same(known, x, known.standing[y], answer)
        if met:
            continue
        if x + 1 == known.stands.shape[0]:
            return False
        known.used[0] += 1
        known.stands[x] = -1
        for j in range(size):
            i = known.rooms[x, j]
            place = known.used[2]
            known.used[2] += 1
            known.older[place, 0] = x
            known.older[place, 1] = known.newest[i]
            known.newest[i] = place
        _note(known, x, True)
    return True


@lean
def _same(known, x, y, answer):
    """Whether two recuts stand and fall together: the same rooms cut in the same way."""
    for j in range(known.rooms.shape[1]):
        i = known.rooms[x, j]
        if i != known.rooms[y, j]:
            return False
        if i < 0:
            break
    for cell in range(answer.shape[0]):
        if known.into[x, cell] != known.into[y, cell]:
            return False
    return True


@lean
def _standing_after(known, at, i, cell, most):
    """How many recuts about room i would stand with its number at a cell, at most `most`."""
    here = at[i]
    at[i] = cell
    stand = 0
    place = known.newest[i]
    while place >= 0 and stand < most:
        stand += _stands(known, known.older[place, 0], at)
        place = known.older[place, 1]
    at[i] = here
    return stand


@lean
def _break(known, at, first, cells, seed):
    """Move numbers until none of the recuts met stands. Returns (whether that was possible within FLIPS moves, the next
    seed).
    """
    for _ in range(FLIPS):
        if known.used[1] == 0:
            return True, seed
        seed = _next(seed)
        x = known.standing[_below(seed, known.used[1])]
        size = 0
        while size < known.rooms.shape[1] and known.rooms[x, size] >= 0:
            size += 1
        best = np.int64(1) << 30
        room = -1
        there = 0
        compared = 0
        for _ in range(8 * MOVES):
            seed = _next(seed)
            i = known.rooms[x, _below(seed, size)]
            seed = _next(seed)
            cell = cells[first[i] + _below(seed, first[i + 1] - first[i])]
            if cell == at[i]:
                continue
            stand = _standing_after(known, at, i, cell, best)
            compared += 1
            if stand < best:
                best = stand
                room = i
                there = cell
            if best == 0 or compared == MOVES:
                break
        if room < 0:
            return False, seed
        at[room] = there
        place = known.newest[room]
        while place >= 0:
            x = known.older[place, 0]
            _note(known, x, _stands(known, x, at))
            place = known.older[place, 1]
    return known.used[1] == 0, seed


@inner
def _repair(words, rows, cols, answer, seed, patience, known, at):
    """Repair a random placement of an answer, int32 (rows * cols,) of room ids in reading order, up to `patience`
    times.

    Fills `at`, int32 (rooms,), with the cell of each room's number. Returns (boards tried, the next seed); -boards
    tried if it gave up.
    """
    n = rows * cols
    k = at.shape[0]
    first = np.zeros(k + 1, np.int32)  # where each room's cells are listed
    for cell in range(n):
        first[answer[cell] + 1] += 1
    for i in range(k):
        first[i + 1] += first[i]
    filled = first.copy()
    cells = np.empty(n, np.int32)
    for cell in range(n):
        cells[filled[answer[cell]]] = cell
        filled[answer[cell]] += 1
    number = np.empty(n, np.int32)
    others = np.empty(n, np.int32)  # and what it would print in another answer
    _numbers(rows, cols, answer, number)
    for i in range(k):
        seed = _next(seed)
        at[i] = cells[first[i] + _below(seed, first[i + 1] - first[i])]
        known.newest[i] = -1
    for x in range(3):
        known.used[x] = 0
    clues = np.full(n, np.int32(rectangles.NONE))
    found = np.empty((ANSWERS, n), np.int32)
    work = covers._memory(words, n, k, rectangles.ROOM_FOR)
    for tried in range(patience):
        for i in range(k):
            clues[at[i]] = number[at[i]]
        answers, spent, _, work = covers._solve_in(
            words, rows, cols, clues, rectangles.WALLS, ANSWERS, BUDGET, NO_BUDGET, work, found
        )
        for i in range(k):
            clues[at[i]] = rectangles.NONE
        if spent > BUDGET:
            return -tried - 1, seed
        if answers == 1:
            return tried + 1, seed
        for x in range(answers):
            _numbers(rows, cols, found[x], others)
            if not _learn(known, at, answer, number, found[x], others):
                return -tried - 1, seed
        fine, seed = _break(known, at, first, cells, seed)
        if not fine:
            return -tried - 1, seed
    return -patience, seed


@kernel
def _repaired(words, rows, cols, answers, seed, patience, boards, tried):
    """Boards of answers, int32 (m, rows * cols), written to `boards`, int32 (m, rows * cols); `tried` is negative where
    given up.
    """
    n = rows * cols
    known = Known(
        np.empty((MOST, n), np.int32), np.empty((MOST, n), np.int32), np.empty(MOST, np.int32),
        np.empty(MOST, np.int32),
        np.empty(n, np.int32), np.empty((MOST * n, 2), np.int32), np.zeros(3, np.int64), np.zeros(n, np.int64),
        np.zeros(1, np.int64), np.empty(2 * n, np.int32), np.empty(n, np.int32),
    )  # fmt: skip
    for x in range(answers.shape[0]):
        k = 0
        for cell in range(n):
            k = max(k, answers[x, cell] + 1)
        at = np.empty(k, np.int32)
        tried[x], seed = _repair(words, rows, cols, answers[x], seed, patience, known, at)
        number = np.empty(n, np.int32)
        _numbers(rows, cols, answers[x], number)
        for cell in range(n):
            boards[x, cell] = rectangles.NONE
        for cell in at:  # type: ignore[assignment]  # one type to numba
            boards[x, cell] = number[cell]


def repaired(
    answers: npt.NDArray[np.int32], rng: np.random.Generator, patience: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """A unique placement of each answer, where one is found.

    Parameters
    ----------
    answers : int32 (m, rows, cols)     room ids in reading order
    rng : numpy.random.Generator
    patience : int                      boards to try for each answer

    Returns
    -------
    clues : int32 (m, rows, cols)
    tried : int64 (m,)                  boards tried; negative when none of them was unique, and the clues are of no use

    Cost: 2 ms an answer at 10 x 10, 10 ms at 12 x 12, a tenth of a second at 15 x 15, with weight 3/20 a room;
    a second at 20 x 20 with weight 1/20.
    """
    m, rows, cols = answers.shape
    clues, tried = np.empty((m, rows * cols), np.int32), np.empty(m, np.int64)
    flat = np.ascontiguousarray(answers.reshape(m, -1), np.int32)
    seed = np.uint64(rng.integers(0, 1 << 63))
    _repaired(rectangles.words_for(rows * cols), rows, cols, flat, seed, patience, clues, tried)
    return clues.reshape(answers.shape), tried
