"""Nawabari: all boards of a grid, counted: printings, boards that have an answer, boards that have exactly one.

A printing is an answer with one cell of each room chosen for its number. Two answers can be printed as the same board, so
there are fewer boards than printings. The sweep by walls of `clued` reads a board cell by cell, nothing or a number from 0
to 4, as an automaton whose next state is not determined; here it is made deterministic: a state is a set of sweep states,
each once or more than once, and its weight is the number of boards so far that lead to it. The cost follows the number of
such sets, not the number of boards. Boards with `?` are not counted.
"""

import numpy as np

from ..machinery import grid, limbs
from ..machinery.frontier import BUDGET
from ..machinery.kernels import inner, kernel
from .clued import WIDEST, wall_moves
from .rules import NO_CLUE

_SYMBOLS = 6  # nothing, 0..4
_MOVES = 3  # at most, for each symbol
_CARRY, _TOO_MANY = -1, -2  # instead of a number of sets


def count_boards(rows, cols, *, budget=BUDGET, progress=None):
    """Boards of a grid under the rules.

    Parameters
    ----------
    rows, cols : int
    budget : int             bytes for the sets of one level and the next
    progress : callable      progress(cells read, cells, sets) after each cell

    Returns
    -------
    dict of int              printings; distinct: boards with an answer; unique: with exactly one; sets: the most at one cell

    Raises
    ------
    ValueError               the shorter side is over clued.WIDEST
    MemoryError              the sets would need more than the budget

    Cost: 4 x 5 in a second or so, 5 x 5 in a minute or two.

    >>> count_boards(1, 5), count_boards(2, 3)["unique"]
    ({'printings': 55, 'distinct': 54, 'unique': 53, 'sets': 7}, 122)
    """
    rows, cols = grid.check_size(rows, cols)
    across, lines = sorted((rows, cols))
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: at most {WIDEST} cells across, not {across}")
    tables = _automaton(lines, across)
    wide = 1
    while True:
        counts = _determinised(tables, wide, budget, progress)
        if counts is not None:
            return {"printings": _paths(tables), **counts}
        wide *= 2


def _automaton(lines, across):
    """For each cell, int32 (states + 1, symbols, moves): the states that follow by symbol, 0 for none.

    States are numbered from 1 for each number of cells read, 1 at the start and at the end. Those without a future are left
    out, those with the same future are one.
    """
    keys = [np.zeros(1, np.uint64)]
    tables = []
    for cell in range(lines * across):
        after = np.zeros((len(keys[-1]), _SYMBOLS, _MOVES), np.uint64)
        found = np.zeros((len(keys[-1]), _SYMBOLS), np.int64)
        _expand(keys[-1], cell // across, cell % across, lines, across, after, found)
        there = np.arange(_MOVES) < found[:, :, None]
        reached, numbers = np.unique(after[there], return_inverse=True)
        table = np.zeros(after.shape, np.int64)
        table[there] = numbers + 1
        keys.append(reached)
        tables.append(table)
    classes = np.minimum(np.arange(len(keys[-1]) + 1), 1)  # whatever is left at the end is an answer
    for cell in reversed(range(len(tables))):
        table = np.sort(classes[tables[cell]], axis=2).reshape(len(tables[cell]), -1)
        table = np.concatenate(
            [np.zeros((1, table.shape[1]), table.dtype), table]
        )  # class 0, no future, is first in order
        distinct, classes = np.unique(table, axis=0, return_inverse=True)
        classes = classes.ravel()
        tables[cell] = distinct.reshape(-1, _SYMBOLS, _MOVES).astype(np.int32)
    return tables


@kernel
def _expand(keys, r, c, lines, across, after, found):
    ahead = np.zeros((0, 0), np.int64)
    for i in range(len(keys)):
        for symbol in range(_SYMBOLS):
            clue = NO_CLUE if symbol == 0 else symbol - 1
            found[i, symbol] = wall_moves(
                keys[i], clue, r, c, ahead, lines, across, 0, True, False, False, after[i, symbol]
            )


def _paths(tables):
    """Paths of the automaton: each is a board with an answer."""
    ways = np.array([0, 1], object)
    for table in reversed(tables):
        ways = ways[table].sum(axis=(1, 2))
    return int(ways[1])


def _determinised(tables, wide, budget, progress):
    """Distinct and unique boards, and the most sets; None when weights do not fit so many limbs."""
    rng = np.random.default_rng(20260901)  # any hash will do: a set is known by 128 random bits, summed over its states
    first, items = np.array([0, 1], np.int64), np.array([2], np.int32)
    weights = np.zeros((1, wide), np.uint64)
    weights[0, 0] = 1
    widest = 1
    for cell, table in enumerate(tables):
        states = int(table.max()) + 1
        hashes = rng.integers(0, 2**64, size=(states, 2), dtype=np.uint64)
        room, places = max(1024, 2 * len(first)), max(4096, 4 * len(items))
        while True:
            after_first, after_items = np.zeros(room + 1, np.int64), np.empty(places, np.int32)
            after_weights, marks = np.empty((room, wide), np.uint64), np.empty((room, 2), np.uint64)
            if sum(a.nbytes for a in (after_first, after_items, after_weights, marks, first, items, weights)) > budget:
                raise MemoryError(f"the sets at cell {cell} need more than the budget of {budget:,} bytes")
            slots = np.zeros(1 << (2 * room - 1).bit_length(), np.uint32)
            sets = after_first, after_items, after_weights, marks, slots
            found = _next_sets(table, first, items, weights, hashes, *sets)
            if found == _CARRY:
                return None
            if found != _TOO_MANY:
                break
            room, places = 2 * room, 2 * places
        first = after_first[: found + 1].copy()
        items, weights = after_items[: first[-1]].copy(), after_weights[:found].copy()
        widest = max(widest, found)
        if progress is not None:
            progress(cell + 1, len(tables), found)
    counts = {int(item): limbs.to_int(weight) for item, weight in zip(items, weights)}
    return {"distinct": sum(counts.values()), "unique": counts.get(2, 0), "sets": widest}


@inner
def _add(weights, to, source, row):
    carry = np.uint64(0)
    for limb in range(weights.shape[1]):
        total = weights[to, limb] + carry
        carry = np.uint64(total < carry)
        total += source[row, limb]
        carry += np.uint64(total < source[row, limb])
        weights[to, limb] = total
    return carry != np.uint64(0)


@kernel
def _next_sets(table, first, items, weights, hashes, after_first, after_items, after_weights, marks, slots):
    """The sets after one more cell; returns how many, or _CARRY, or _TOO_MANY when there is no room.

    A set i is items[first[i]:first[i + 1]], each twice a state, one more where the state is there more than once.
    """
    times = np.zeros(len(hashes), np.uint8)
    touched = np.empty(len(hashes), np.int32)
    mask = np.uint64(len(slots) - 1)
    found = 0
    for i in range(len(first) - 1):
        for symbol in range(table.shape[1]):
            size = 0
            for at in range(first[i], first[i + 1]):
                state, more = items[at] >> 1, items[at] & 1
                for move in range(table.shape[2]):
                    to = table[state, symbol, move]
                    if to:
                        if times[to] == 0:
                            touched[size] = to
                            size += 1
                        times[to] = min(times[to] + 1 + more, 2)
            if size == 0:
                continue
            low = high = np.uint64(0)
            for k in range(size):
                many = np.uint64(times[touched[k]])
                low += hashes[touched[k], 0] * many
                high += hashes[touched[k], 1] * many
            place = (low ^ (low >> np.uint64(32))) & mask
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
                place = (place + np.uint64(1)) & mask
            for k in range(size):
                times[touched[k]] = 0
    return found
