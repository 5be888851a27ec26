"""Nawabari: all boards of a grid, counted: printings, boards that have an answer, boards that have exactly one.

A printing is an answer with one cell of each room chosen for its number. Two answers can be printed as the same board,
so there are fewer boards than printings. The automaton of automaton.py, whose next state is not determined by what is
read, is made deterministic: a set is the states that some first cells of a board may lead to, each once or more than
once, and its weight is the number of such beginnings. Sets of the states from which some last cells lead to an answer
are found from the other end in the same way. Both ends grow by a cell at a time, one level of sets held for each, until
they meet; there each set of one end is laid over all sets of the other, thousands at a time as bits. The cost is the
product of the two numbers of sets, each about the square root of the sets at the far end of a sweep from one side.
Boards with `?` are not counted.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..machinery import grid, limbs
from ..machinery.frontier import BUDGET
from ..machinery.kernels import inner, kernel
from ..machinery.states import afford
from .automaton import SYMBOLS, automaton, paths
from .clued import WIDEST

_CARRY, _TOO_MANY = -1, -2  # instead of a number of sets
_PLANES = 1 << 16  # words of the bit planes of a block of sets: they stay in the processor's cache
_DIGIT = 48  # bits of a weight that are added up in one word
_LOW, _32, _64 = np.uint64(0xFFFFFFFF), np.uint64(32), 64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


def count_boards(
    rows: int,
    cols: int,
    *,
    transpose: bool | None = None,
    budget: int = BUDGET,
    progress: Callable[[int, int, int], object] | None = None,
) -> dict[str, int]:
    """Boards of a grid under the rules.

    Parameters
    ----------
    rows, cols : int
    transpose : bool, optional    True to read down columns, False along rows; by default along whichever is shorter
    budget : int                  bytes for the sets of one level and the next, at both ends
    progress : callable           progress(cells read, cells, sets) after each cell

    Returns
    -------
    dict of int                   printings; distinct: boards with an answer; unique: with exactly one; sets: the most
                                  at a cell

    Raises
    ------
    ValueError                    the cells across are more than clued.WIDEST
    MemoryError                   the sets would need more than the budget: it says so before they are made

    Cost: 0.04 s for 4 x 5, 1 s for 5 x 5, 3 s for 4 x 8, 11 s for 5 x 6, 2 minutes for 5 x 6 along the longer side.

    >>> count_boards(1, 5), count_boards(2, 3)["unique"]
    ({'printings': 55, 'distinct': 54, 'unique': 53, 'sets': 6}, 122)
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

    From the start, what a mirror shows at the end of a line counts as the same set: it has as many ways onward. Only
    from one end, or the other end could not tell the two apart. From the end, mirror is None. The other end has `held`
    bytes.
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

    hashes, mirrored : uint64 (states, 2)    of each state, and of what a mirror makes of it; the smaller sum marks a
                                             set
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
    """Boards with an answer and with exactly one: weights of all pairs of sets with at least, and with exactly, one
    path.
    """
    if len(front.weights) < len(back.weights):
        front, back = back, front
    states = max(int(front.items.max()), int(back.items.max())) // 2 + 1
    span = max(32, min(64, _PLANES // states // 32 * 32))  # whole vectors, whatever the processor
    weights = back.weights[:, 0] if back.weights.shape[1] == 1 else limbs.to_ints(back.weights)
    order = np.argsort(weights, kind="stable")  # in a block, weights are nearly the same
    distinct = unique = 0
    for start in range(0, len(order), _64 * span):
        block = order[start : start + _64 * span]
        least = weights[block[0]]
        rest = weights[block] - least
        bits = int(rest.max()).bit_length()
        rows = [_packed(np.ones(len(block)), span), *(_packed(rest >> bit & 1, span) for bit in range(bits))]
        ends = np.append(1, np.minimum(np.arange(1, bits + _DIGIT, _DIGIT) + _DIGIT, bits + 1))
        sums = np.zeros((2, len(ends), 2 * front.weights.shape[1] + 2), np.uint64)
        _meet(
            front.first, front.items, front.weights, back.first, back.items, block, np.array(rows), ends, states, sums
        )
        values = [[sum(int(part) << (32 * at) for at, part in enumerate(digit)) for digit in kind] for kind in sums]
        some, single = (
            int(least) * kind[0] + sum(value << (_DIGIT * at) for at, value in enumerate(kind[1:])) for kind in values
        )
        distinct, unique = distinct + some, unique + single
    return distinct, unique


def _packed(bits, words):
    row = np.zeros(_64 * words, bool)
    row[: len(bits)] = bits
    return np.packbits(row, bitorder="little").view("<u8")


@kernel
def _meet(first, items, weights, back_first, back_items, block, values, ends, states, sums):
    """A block of sets of one end as bits; each set of the other end finds those that it shares a state with, once or
    more.

    block : int64 (n,)                                 the sets
    values : uint64 (bits, words)                      what they weigh: a digit each of all sets, one bit of it a row
    ends : int64 (digits,)                             where the bits of each digit end; the first has one bit, which is
                                                       set
    sums : uint64 (2, digits, half words + 2)          sums over pairs with a path, and with exactly one: weight of the
                                                       set of the other end times the digit, as half words by place
    """
    span = values.shape[1]
    held, more = np.zeros((states, span), np.uint64), np.zeros((states, span), np.uint64)
    for i in range(len(block)):
        k, bit = i >> 6, _ONE << np.uint64(i & 63)
        for at in range(back_first[block[i]], back_first[block[i] + 1]):
            held[back_items[at] >> 1, k] |= bit
            if back_items[at] & 1:
                more[back_items[at] >> 1, k] |= bit
    once, twice = np.empty(span, np.uint64), np.empty(span, np.uint64)
    for i in range(len(first) - 1):
        for k in range(span):
            once[k] = twice[k] = _ZERO
        for at in range(first[i], first[i + 1]):
            one, two = held[items[at] >> 1], more[items[at] >> 1]
            if items[at] & 1:
                for k in range(span):
                    once[k] |= one[k]
                    twice[k] |= one[k]
            else:
                for k in range(span):
                    twice[k] |= two[k] | (once[k] & one[k])
                    once[k] |= one[k]
        for k in range(span):
            twice[k] = once[k] & ~twice[k]  # those with exactly one path
        row = 0
        for digit in range(len(ends)):
            distinct = unique = bit = _ZERO
            while row < ends[digit]:
                bits = values[row]
                some = single = _ZERO
                for k in range(span):
                    some += _ones(once[k] & bits[k])
                    single += _ones(twice[k] & bits[k])
                distinct += some << bit
                unique += single << bit
                bit += _ONE
                row += 1
            _add_product(sums[0, digit], weights, i, distinct)
            _add_product(sums[1, digit], weights, i, unique)


@inner
def _ones(word):
    """Ones of a word, in the way that compilers know for the processor's own instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@inner
def _add_product(sums, weights, row, value):
    for half in range(2 * weights.shape[1]):
        x = (weights[row, half >> 1] >> np.uint64(32 * (half & 1))) & _LOW
        for at in range(2):
            product = x * ((value >> np.uint64(32 * at)) & _LOW)
            sums[half + at] += product & _LOW
            sums[half + at + 1] += product >> _32
