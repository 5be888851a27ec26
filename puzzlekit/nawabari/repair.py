"""Nawabari placements repaired: from a random placement of an answer's numbers to one that admits no other answer.

While the board has a second answer, one number moves inside its room so that the second answer is none any more: its rooms then
hold no number or two, or it would print another number there. Second answers met before are remembered, and of a few such moves
the one that brings back fewest of them is made. Much faster than drawing placements until one is unique, but not an equal chance
for each unique placement: those with many neighbours that are not unique come up more often.

Not here: where answers come from.
"""

import numpy as np

from ..machinery.kernels import inner, kernel, lean
from ..machinery.search import NO_BUDGET
from . import covers, rectangles

MOVES = 6  # moves compared


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
def _stands(at, number, rooms, other, seen, mark):
    """Whether another answer, its rooms and its numbers given, is one of the board that prints `number` at the cells `at`."""
    for cell in at:
        if other[cell] != number[cell] or seen[rooms[cell]] == mark:
            return False
        seen[rooms[cell]] = mark
    return True


@inner
def _repair(words, rows, cols, answer, seed, patience, at):
    """Repair a random placement of an answer, int32 (rows * cols,) of room ids in reading order, up to `patience` times.

    Fills `at`, int32 (rooms,), with the cell of each room's number. Returns (boards tried, the next seed); -boards tried if it
    gave up.
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
    _numbers(rows, cols, answer, number)
    for i in range(k):
        seed = _next(seed)
        at[i] = cells[first[i] + _below(seed, first[i + 1] - first[i])]
    clues = np.full(n, np.int32(rectangles.NONE))
    rooms = np.empty((patience, n), np.int32)  # second answers
    others = np.empty((patience, n), np.int32)  # and what they would print
    two = np.empty((2, n), np.int32)
    seen = np.zeros(n, np.int64)
    mark = 0
    work = covers._memory(words, n, k, rectangles.ROOM_FOR)
    for tried in range(patience):
        for i in range(k):
            clues[at[i]] = number[at[i]]
        found, _, work = covers._solve_in(words, rows, cols, clues, rectangles.WALLS, 2, NO_BUDGET, work, two)
        for i in range(k):
            clues[at[i]] = rectangles.NONE
        if found == 1:
            return tried + 1, seed
        second = 0
        for cell in range(n):
            if two[0, cell] != answer[cell]:
                second = 1  # row 0 is the second answer
        for cell in range(n):
            rooms[tried, cell] = two[1 - second, cell]
        _numbers(rows, cols, rooms[tried], others[tried])
        best = n + patience
        room = -1
        there = 0
        compared = 0
        for _ in range(8 * MOVES):
            seed = _next(seed)
            cell = _below(seed, n)
            i = answer[cell]
            here = at[i]
            if rooms[tried, cell] == rooms[tried, here] and others[tried, cell] == number[cell]:
                continue  # the second answer would stand
            at[i] = cell
            back = 0
            for x in range(tried):
                mark += 1
                back += _stands(at, number, rooms[x], others[x], seen, mark)
            at[i] = here
            compared += 1
            if back < best:
                best = back
                room = i
                there = cell
            if best == 0 or compared == MOVES:
                break
        if room < 0:
            break  # hardly a move helps
        at[room] = there
    return -tried - 1, seed


@kernel
def _repaired(words, rows, cols, answers, seed, patience, boards, tried):
    """Boards of answers, int32 (m, rows * cols), written to `boards`, int32 (m, rows * cols); `tried` is negative where given up."""
    n = rows * cols
    for x in range(answers.shape[0]):
        k = 0
        for cell in range(n):
            k = max(k, answers[x, cell] + 1)
        at = np.empty(k, np.int32)
        tried[x], seed = _repair(words, rows, cols, answers[x], seed, patience, at)
        number = np.empty(n, np.int32)
        _numbers(rows, cols, answers[x], number)
        for cell in range(n):
            boards[x, cell] = rectangles.NONE
        for cell in at:
            boards[x, cell] = number[cell]


def repaired(answers, rng, patience):
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
    """
    m, rows, cols = answers.shape
    clues, tried = np.empty((m, rows * cols), np.int32), np.empty(m, np.int64)
    flat = np.ascontiguousarray(answers.reshape(m, -1), np.int32)
    seed = np.uint64(rng.integers(0, 1 << 63))
    _repaired(rectangles.words_for(rows * cols), rows, cols, flat, seed, patience, clues, tried)
    return clues.reshape(answers.shape), tried
