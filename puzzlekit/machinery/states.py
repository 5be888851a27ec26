"""States: the distinct keys of a frontier, found by hashing and numbered in order of arrival, and who follows whom.

The generic way to the tables of a `frontier.Diagram`, for any genre that can say which keys follow a key. Not here:
what is read from the tables, and what a key means.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .kernels import kernel
from .memory import Kind, afford

Start = int | np.integer | Sequence[int]  # the key before the first layer: one word or several
Expand = Callable[[Kind, np.ndarray], tuple[np.ndarray, ...]]  # see `frontier.Diagram`
Accept = Callable[[np.ndarray], np.ndarray]

_EXPANDED_AT_ONCE = 1 << 15  # keys handed to a genre in one call
_ROOM = 1 << 8  # states to take memory for at least


class Tables(NamedTuple):
    """States of each kind of level as numbers from 1, and what follows them; number 0 stands for "not allowed".

    successors : dict   kind to uint32 (states + 1, choices), row 0 zero: the state in the next level after each choice
    final : bool (states + 1,)   which states of the last kind end an answer
    labels : dict       kind to uint8 (states, choices), a label of each step, see `Diagram.totals`; may be empty
    """

    successors: dict[Kind, np.ndarray]
    final: np.ndarray
    labels: dict[Kind, np.ndarray] = {}


def bytes_to_find(room: Mapping[Kind, int], words: int, choices: int) -> int:
    """Bytes that `find` takes for so many states of each kind: keys of so many words, and labelled tables."""
    return sum(8 * words * states + 4 * _slots(states) + 6 * choices * states for states in room.values())


def find(
    start: Start,
    kinds: Sequence[Kind],
    expand: Expand,
    accept: Accept,
    budget: int,
    room: Mapping[Kind, int] | None = None,
) -> Tables:
    """All states that can be reached from `start`, and their tables. Arguments and errors as for `frontier.Diagram`.

    room : dict, optional   kind to a number of states to take memory for at once: with one a little too large for what
                            is found, nothing has to be moved, which takes half the time and memory

    Cost: one expansion and one hash probe for each state and choice of each kind.
    """
    first_key = np.atleast_1d(np.array(start, np.uint64))
    found = {kind: _States(len(first_key), max(_ROOM, (room or {}).get(kind, 0))) for kind in dict.fromkeys(kinds)}
    tables: dict[Kind, list[np.ndarray]] = {kind: [] for kind in found}
    labels: dict[Kind, list[np.ndarray]] = {kind: [] for kind in found}
    expanded = dict.fromkeys(found, 0)
    found[kinds[0]].number(first_key[None, None, :], np.ones((1, 1), bool))
    choices = 1
    for kind, then in pairwise(kinds):
        while expanded[kind] < found[kind].count:
            first = expanded[kind] + 1
            last = min(first + _EXPANDED_AT_ONCE, found[kind].count + 1)
            keys, allowed, *labelled = expand(kind, found[kind].keys[first:last])
            labels[kind] += labelled
            choices = max(choices, allowed.shape[1])
            held = sum(states.nbytes for states in found.values()) + sum(t.nbytes for ts in tables.values() for t in ts)
            afford(held + found[then].growth(allowed.size), budget, "to find the states")
            tables[kind].append(found[then].number(keys, allowed))
            expanded[kind] = last - 1
    final = np.zeros(found[kinds[-1]].count + 1, bool)
    final[1:] = accept(found[kinds[-1]].keys[1 : len(final)])
    successors = {}
    for kind in list(found):
        states = found.pop(kind)  # its keys are not needed any more
        # states of the last level that were never expanded lead nowhere
        width = tables[kind][0].shape[1] if tables[kind] else choices
        table = np.zeros((states.count + 1, width), np.uint32)
        if tables[kind]:
            np.concatenate(tables.pop(kind), out=table[1 : expanded[kind] + 1])
        successors[kind] = table
    return Tables(successors, final, {kind: np.concatenate(parts) for kind, parts in labels.items() if parts})


def _slots(room):
    """Slots of a hash table for so many keys: a power of two, at most two thirds in use."""
    return 1 << (3 * room // 2).bit_length()


class _States:
    """Distinct keys in order of arrival, numbered from 1; number 0 stands for "not allowed"."""

    def __init__(self, words, room):
        self.count = 0
        self.keys = np.empty((room, words), np.uint64)
        self._slots = np.zeros(_slots(room), np.uint32)

    nbytes = property(lambda self: self.keys.nbytes + self._slots.nbytes)

    def growth(self, more):
        """Bytes that numbering so many more keys can take for a while."""
        return 0 if self.count + more < len(self.keys) else 2 * self.nbytes

    def number(self, keys, allowed):
        """Numbers of keys (n, choices, words), 0 where not allowed: uint32 (n, choices). New keys get the next ones."""
        numbers = np.zeros(allowed.shape, np.uint32)
        done = 0
        while True:
            self.count, done = _number(keys, allowed, self.keys, self._slots, self.count, numbers, done)
            if done == len(keys):
                return numbers
            known = self.keys[1 : self.count + 1]
            if len(self.keys) > 1 << 31:
                raise OverflowError(f"more than {1 << 31} states do not fit 32-bit tables")
            self.count, self.keys = 0, np.empty((2 * len(self.keys), known.shape[1]), np.uint64)
            self._slots = np.zeros(2 * len(self._slots), np.uint32)
            self.number(known[:, None, :], np.ones((len(known), 1), bool))


@kernel
def _number(keys, allowed, known, slots, count, numbers, begin):
    """Number keys from row `begin` on until the room in `known` may not do for one more row: (count, rows done)."""
    rows, choices, words = keys.shape
    mask = np.uint64(len(slots) - 1)
    for row in range(begin, rows):
        if count + choices >= len(known):
            return count, row
        for choice in range(choices):
            if not allowed[row, choice]:
                continue
            place = np.uint64(0)
            for word in range(words):
                place = (place ^ keys[row, choice, word]) * np.uint64(0x9E3779B97F4A7C15)
                place ^= place >> np.uint64(32)
            place &= mask
            while True:
                number = np.int64(slots[place])
                if number == 0:
                    count += 1
                    number = count
                    slots[place] = number
                    for word in range(words):
                        known[number, word] = keys[row, choice, word]
                    break
                same = True
                for word in range(words):
                    if known[number, word] != keys[row, choice, word]:
                        same = False
                        break
                if same:
                    break
                place = (place + np.uint64(1)) & mask
            numbers[row, choice] = number
    return count, rows
