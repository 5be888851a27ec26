"""Nawabari: all boards of a grid, counted: printings, boards that have an answer, boards that have exactly one.

A printing is an answer with one cell of each room chosen for its number. Two answers can be printed as the same board, so
there are fewer boards than printings. The automaton of automaton.py, whose next state is not determined by what is read, is
made deterministic: a set is the states that some first cells of a board may lead to, each once or more than once, and its weight
is the number of such beginnings. Sets of the states from which some last cells lead to an answer are found from the other end
in the same way. Both ends grow by a cell at a time, one level of sets held for each, until they meet; there each set of one end
is laid over all sets of the other, 64 at a time. The cost is the product of the two numbers of sets, which are about the square
root of the sets at the far end of a sweep from one side. Boards with `?` are not counted.
"""

from typing import NamedTuple

import numpy as np

from ..machinery import grid, limbs
from ..machinery.frontier import BUDGET
from ..machinery.kernels import inner, kernel
from ..machinery.states import afford
from .automaton import SYMBOLS, automaton, paths
from .clued import WIDEST

_CARRY, _TOO_MANY = -1, -2  # instead of a number of sets
_PLANES = 1 << 15  # words of the bit planes of a block of sets: they stay in the processor's cache
_LOW, _32, _64 = np.uint64(0xFFFFFFFF), np.uint64(32), 64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


def count_boards(rows, cols, *, transpose=None, budget=BUDGET, progress=None):
    """Boards of a grid under the rules.

    Parameters
    ----------
    rows, cols : int
    transpose : bool, optional    True to read down columns, False along rows; by default along whichever is shorter
    budget : int                  bytes for the sets of one level and the next, at both ends
    progress : callable           progress(cells read, cells, sets) after each cell

    Returns
    -------
    dict of int                   printings; distinct: boards with an answer; unique: with exactly one; sets: the most at a cell

    Raises
    ------
    ValueError                    the cells across are more than clued.WIDEST
    MemoryError                   the sets would need more than the budget: it says so before they are made

    Cost: 4 x 5 in 0.1 s, 5 x 5 in 2 s, 5 x 6 in a minute.

    >>> count_boards(1, 5), count_boards(2, 3)["unique"]
    ({'printings': 55, 'distinct': 54, 'unique': 53, 'sets': 5}, 122)
    """
    rows, cols = grid.check_size(rows, cols)
    across, lines = (rows, cols) if (cols > rows if transpose is None else transpose) else (cols, rows)
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: at most {WIDEST} cells across, not {across}")
    reader = automaton(lines, across, budget=budget)
    rng = np.random.default_rng(20260901)  # any hash will do: a set is known by 128 random bits, summed over its states
    front = back = _START
    start, end, widest = 0, lines * across, 1
    while start < end:
        if 2 * len(front.weights) <= len(back.weights):  # the mirror halves it again at the end of a line
            front = _grown(front, reader.tables[start], reader.mirrors[start], rng, back.nbytes, budget)
            start, found = start + 1, len(front.weights)
        else:
            end -= 1
            back = _grown(back, reader.tables[end], None, rng, front.nbytes, budget)
            found = len(back.weights)
        widest = max(widest, found)
        if progress is not None:
            progress(start + lines * across - end, lines * across, found)
    distinct, unique = _met(front, back)
    return {"printings": paths(reader), "distinct": distinct, "unique": unique, "sets": widest}


class _Sets(NamedTuple):
    first: np.ndarray  # int64 (n + 1,): set i is items[first[i] : first[i + 1]]
    items: np.ndarray  # int32: each twice a state, one more where the state is there more than once
    weights: np.ndarray  # uint64 (n, limbs)

    @property
    def nbytes(self):
        return sum(array.nbytes for array in self)


_START = _Sets(np.array([0, 1]), np.array([2], np.int32), np.ones((1, 1), np.uint64))  # of either end: state 1, once


def _arcs(table, backwards):
    """Where the moves from each state by each symbol begin, int64 (states * SYMBOLS + 1,), and where they lead to."""
    state, symbol, move = np.nonzero(table)
    target = table[state, symbol, move]
    if backwards:
        state, target = target.astype(np.int64), state.astype(np.int32)
    by = state * SYMBOLS + symbol
    states = int(table.max()) + 1 if backwards else len(table)
    return np.append(0, np.cumsum(np.bincount(by, minlength=states * SYMBOLS))), target[np.argsort(by, kind="stable")]


def _grown(sets, table, mirror, rng, held, budget):
    """The sets after one more cell at their end.

    From the start, what a mirror shows at the end of a line counts as the same set: it has as many ways onward. Only from one
    end, or the other end could not tell the two apart. From the end, mirror is None. The other end has `held` bytes.
    """
    arcs, targets = _arcs(table, mirror is None)
    hashes = rng.integers(0, 2**64, size=(int(targets.max()) + 1, 2), dtype=np.uint64)
    mirrored = hashes if mirror is None else hashes[mirror]
    room, places, weights = max(1024, 2 * len(sets.weights)), max(4096, 4 * len(sets.items)), sets.weights
    while True:
        slots = 1 << (2 * room - 1).bit_length()
        needed = sets.nbytes + 8 * room * (3 + weights.shape[1]) + 4 * (places + slots)
        afford(held + needed, budget, "for the sets of two levels")
        first, items = np.zeros(room + 1, np.int64), np.empty(places, np.int32)
        grown, marks = np.empty((room, weights.shape[1]), np.uint64), np.empty((room, 2), np.uint64)
        found = _next_sets(
            arcs, targets, sets.first, sets.items, weights, hashes, mirrored,
            first, items, grown, marks, np.zeros(slots, np.uint32),
        )  # fmt: skip
        if found == _CARRY:
            weights = np.pad(weights, ((0, 0), (0, 1)))
        elif found == _TOO_MANY:
            room, places = 2 * room, 2 * places
        else:
            return _Sets(first[: found + 1].copy(), items[: first[found]].copy(), grown[:found].copy())


@inner
def _add(weights, to, source, row):
    carry = _ZERO
    for limb in range(weights.shape[1]):
        total = weights[to, limb] + carry
        carry = np.uint64(total < carry)
        total += source[row, limb]
        carry += np.uint64(total < source[row, limb])
        weights[to, limb] = total
    return carry != _ZERO


@kernel
def _next_sets(
    arcs, targets, first, items, weights, hashes, mirrored, after_first, after_items, after_weights, marks, slots
):
    """The sets after one more cell; returns how many, or _CARRY, or _TOO_MANY when there is no room.

    hashes, mirrored : uint64 (states, 2)    of each state, and of what a mirror makes of it; the smaller sum marks a set
    """
    times = np.zeros(len(hashes), np.uint8)
    touched = np.empty(len(hashes), np.int32)
    mask = np.uint64(len(slots) - 1)
    found = 0
    for i in range(len(first) - 1):
        for symbol in range(SYMBOLS):
            size = 0
            for at in range(first[i], first[i + 1]):
                row, more = (items[at] >> 1) * SYMBOLS + symbol, items[at] & 1
                for arc in range(arcs[row], arcs[row + 1]):
                    to = targets[arc]
                    if times[to] == 0:
                        touched[size] = to
                        size += 1
                    times[to] = min(times[to] + 1 + more, 2)
            if size == 0:
                continue
            low = high = other_low = other_high = _ZERO
            for k in range(size):
                many = np.uint64(times[touched[k]])
                low += hashes[touched[k], 0] * many
                high += hashes[touched[k], 1] * many
                other_low += mirrored[touched[k], 0] * many
                other_high += mirrored[touched[k], 1] * many
            if other_low < low or (other_low == low and other_high < high):
                low, high = other_low, other_high
            place = (low ^ (low >> _32)) & mask
            while True:
                known = np.int64(slots[place]) - 1
                if known < 0:
                    if found == len(marks) or after_first[found] + size > len(after_items):
                        return _TOO_MANY
                    slots[place] = found + 1
                    marks[found, 0], marks[found, 1] = low, high
                    start = after_first[found]
                    for k in range(size):
                        after_items[start + k] = 2 * touched[k] + times[touched[k]] - 1
                    after_first[found + 1] = start + size
                    for limb in range(weights.shape[1]):
                        after_weights[found, limb] = weights[i, limb]
                    found += 1
                    break
                if marks[known, 0] == low and marks[known, 1] == high:
                    if _add(after_weights, known, weights, i):
                        return _CARRY
                    break
                place = (place + _ONE) & mask
            for k in range(size):
                times[touched[k]] = 0
    return found


# where the two ends meet


def _met(front, back):
    """Boards with an answer and with exactly one: weights of all pairs of sets with at least, and with exactly, one path."""
    if len(front.weights) < len(back.weights):
        front, back = back, front
    states = max(int(front.items.max()), int(back.items.max())) // 2 + 1
    span = max(8, min(64, _PLANES // states, -(-len(back.weights) // _64)))
    bits = _64 - len(back.weights).bit_length()  # of a digit: sums of digits fit a word
    values, digits = limbs.to_ints(back.weights), []
    while not digits or any(values):
        digit = np.zeros(-(-len(values) // (_64 * span)) * _64 * span, np.uint64)
        digit[: len(values)] = [value & ((1 << bits) - 1) for value in values]
        digits.append(digit)
        values = [value >> bits for value in values]
    sums = np.zeros((2, len(digits), 2 * front.weights.shape[1] + 2), np.uint64)
    planes = np.empty((2, states, span), np.uint64)
    _meet(front.first, front.items, front.weights, back.first, back.items, np.array(digits), planes, sums)
    return [sum(int(part) << (32 * at + bits * i) for i, row in enumerate(rows) for at, part in enumerate(row)) for rows in sums]


@kernel
def _meet(first, items, weights, back_first, back_items, digits, planes, sums):
    """For a block of sets of one end, bits of those that hold a state once or more; each set of the other end adds up its own.

    planes : uint64 (2, states, words)                 scratch: the sets of a block that have a state, those that have it twice
    sums : uint64 (2, digits, half words + 2)          products of weights, as half words by place
    """
    states, span = planes.shape[1:]
    once, twice = np.empty(span, np.uint64), np.empty(span, np.uint64)
    for start in range(0, len(back_first) - 1, _64 * span):
        for state in range(states):
            for k in range(span):
                planes[0, state, k] = planes[1, state, k] = _ZERO
        for i in range(start, min(start + _64 * span, len(back_first) - 1)):
            k, bit = (i - start) >> 6, _ONE << np.uint64((i - start) & 63)
            for at in range(back_first[i], back_first[i + 1]):
                planes[0, back_items[at] >> 1, k] |= bit
                if back_items[at] & 1:
                    planes[1, back_items[at] >> 1, k] |= bit
        for i in range(len(first) - 1):
            for k in range(span):
                once[k] = twice[k] = _ZERO
            for at in range(first[i], first[i + 1]):
                one, two = planes[0, items[at] >> 1], planes[1, items[at] >> 1]
                if items[at] & 1:
                    for k in range(span):
                        once[k] |= one[k]
                        twice[k] |= one[k]
                else:
                    for k in range(span):
                        twice[k] |= two[k] | (once[k] & one[k])
                        once[k] |= one[k]
            for digit in range(len(digits)):
                distinct, unique = _sums(digits[digit], start, once, twice)
                _add_product(sums[0, digit], weights, i, distinct)
                _add_product(sums[1, digit], weights, i, unique)


@inner
def _sums(digits, start, once, twice):
    """Of the digits of a block, those whose bit is set, and those whose bit is set once only."""
    distinct = unique = _ZERO
    for k in range(len(once)):
        if once[k] != _ZERO:
            some, single = once[k], once[k] & ~twice[k]
            values = digits[start + _64 * k : start + _64 * (k + 1)]
            for j in range(_64):
                bit = np.uint64(j)
                distinct += values[j] & (_ZERO - ((some >> bit) & _ONE))
                unique += values[j] & (_ZERO - ((single >> bit) & _ONE))
    return distinct, unique


@inner
def _add_product(sums, weights, row, value):
    for half in range(2 * weights.shape[1]):
        x = (weights[row, half >> 1] >> np.uint64(32 * (half & 1))) & _LOW
        for at in range(2):
            product = x * ((value >> np.uint64(32 * at)) & _LOW)
            sums[half + at] += product & _LOW
            sums[half + at + 1] += product >> _32
