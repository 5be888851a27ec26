"""Frontier: a layered diagram of merged states, from which every question about a whole answer space is a walk.

A genre says how a frontier grows: which keys follow a key under each choice. The diagram merges equal keys, numbers them and
keeps tables of successors; counting, unranking, drawing, marginals, expectations and enumeration read those tables.

The seam is arrays, not functions of one key: numba cannot cache a kernel that takes another kernel, so a genre expands a
whole array of keys at a time. Not here: what a key or a choice means.
"""

from fractions import Fraction
from math import isqrt

import numpy as np

from . import limbs, sampling
from .kernels import kernel

BUDGET = 8 << 30  # bytes
_KEEP = 256 << 20  # bytes of completions kept for the next walk without a second thought
_EXPANDED_AT_ONCE = 1 << 15  # keys handed to a genre in one call
_WALKED_AT_ONCE = 1 << 13  # ranks walked down together, so that they stay in the processor's cache


class Diagram:
    """Layers of merged states with successor tables; every path from the start to an accepted end is one answer.

    A level is the set of states before a layer. Levels of the same kind share their states and tables: on an empty grid the
    moves depend on the column alone, so kinds repeat with every row and the states are found once. A kind always has to be
    followed by the same kind.

    Parameters
    ----------
    start : int or sequence of int    key before the first layer, one uint64 word or several
    kinds : sequence of hashable      kind of each level, layers + 1 of them
    expand : callable                 expand(kind, keys), keys uint64 (n, words) -> (uint64 (n, choices, words), bool (n,
                                      choices)): the key after each choice, and whether the choice is allowed; and, if the
                                      genre has something to add up, uint8 (n, choices): a label of each step, see `totals`
    accept : callable                 accept(keys) -> bool (n,): which keys end an answer after the last layer
    order : int (layers,), optional   place in an answer that each layer decides; 0, 1, 2... by default
    budget : int                      bytes; MemoryError states the estimate before more is spent

    Cost: one expansion and one hash probe for each state and choice of each kind.

    Paths of three steps, left or right, that never go right twice in a row:

    >>> def expand(kind, keys):
    ...     after = np.broadcast_to(np.array([[[0], [1]]], np.uint64), (len(keys), 2, 1))
    ...     return after, np.stack([np.ones(len(keys), bool), keys[:, 0] == 0], axis=1)
    >>> steps = Diagram(start=0, kinds="aaaa", expand=expand, accept=lambda keys: keys[:, 0] < 2)
    >>> steps.count(), steps.unrank([0, 4]).tolist(), steps.marginals().tolist()
    (5, [[0, 0, 0], [1, 0, 1]], [[3, 2], [4, 1], [3, 2]])
    """

    def __init__(self, *, start, kinds, expand, accept, order=None, budget=BUDGET):
        self.kinds = list(kinds)
        self.layers = len(self.kinds) - 1
        self.order = np.arange(self.layers) if order is None else np.asarray(order)
        if self.layers < 1 or sorted(self.order.tolist()) != list(range(self.layers)):
            raise ValueError(f"{len(self.kinds)} kinds and an order of {len(self.order)} places are no layers")
        self.budget = budget
        start = np.atleast_1d(np.array(start, np.uint64))
        followed_by = {}
        for kind, then in zip(self.kinds, self.kinds[1:]):
            if followed_by.setdefault(kind, then) != then:
                raise ValueError(f"kind {kind!r} is followed by {followed_by[kind]!r} and by {then!r}")
        self._build(start, expand, accept)
        self._kept = self._window = self._total = None

    # states

    def _build(self, start, expand, accept):
        found = {kind: _States(len(start)) for kind in dict.fromkeys(self.kinds)}
        tables, labels = {kind: [] for kind in found}, {kind: [] for kind in found}
        expanded = dict.fromkeys(found, 0)
        found[self.kinds[0]].number(start[None, None, :], np.ones((1, 1), bool))
        choices = 1
        for kind, then in zip(self.kinds, self.kinds[1:]):
            while expanded[kind] < found[kind].count:
                first = expanded[kind] + 1
                last = min(first + _EXPANDED_AT_ONCE, found[kind].count + 1)
                keys, allowed, *labelled = expand(kind, found[kind].keys[first:last])
                labels[kind] += labelled
                choices = max(choices, allowed.shape[1])
                held = sum(states.nbytes for states in found.values()) + sum(
                    t.nbytes for ts in tables.values() for t in ts
                )
                self._afford(held + found[then].growth(allowed.size), "to find the states")
                tables[kind].append(found[then].number(keys, allowed))
                expanded[kind] = last - 1
        self._final = np.zeros(found[self.kinds[-1]].count + 1, bool)
        self._final[1:] = accept(found[self.kinds[-1]].keys[1 : len(self._final)])
        self._choices = choices
        self._tables = {}
        for kind, states in found.items():
            # row 0 is "not allowed"; states of the last level that were never expanded lead nowhere
            width = tables[kind][0].shape[1] if tables[kind] else choices
            table = np.zeros((states.count + 1, width), np.uint32)
            if tables[kind]:
                np.concatenate(tables.pop(kind), out=table[1 : expanded[kind] + 1])
            self._tables[kind] = table
        self._labels = {kind: np.concatenate(parts) for kind, parts in labels.items() if parts}

    def _afford(self, nbytes, what):
        if nbytes > self.budget:
            raise MemoryError(f"{nbytes:,} bytes needed {what}, the budget is {self.budget:,}")

    def _table(self, level):
        return self._tables[self.kinds[level]]

    @property
    def nbytes(self):
        """Bytes held by the tables and the completions kept at present."""
        held = [
            *self._tables.values(),
            *self._labels.values(),
            *(self._kept or {}).values(),
            *(self._window or {}).values(),
        ]
        return sum(array.nbytes for array in held)

    @property
    def states(self):
        """Distinct states in the widest level, counting at each level only the states that some path from the start reaches
        there. States from which no accepted end can be reached any more are counted too. Cost: one walk over all levels.
        """
        reached = np.zeros(len(self._table(0)), bool)
        reached[1] = True
        widest = 1
        for level in range(self.layers):
            following = np.zeros(len(self._table(level + 1)), bool)
            _reach(self._table(level), reached, following)
            reached = following
            widest = max(widest, int(reached.sum()))
        return widest

    # ways onward

    def _completions_before(self, level, following):
        return limbs.gather(self._table(level), following)

    def _ends(self):
        return self._final.astype(np.uint64)[:, None]

    def _spacing(self):
        """Levels between two kept ones: 1 when everything is small, else about the square root of the layers."""
        rows = sum(len(self._table(level)) for level in range(self.layers + 1))
        widest = 8 * limbs.width(self._choices**self.layers)
        if rows * widest <= min(_KEEP, self.budget // 4):
            return 1
        spacing = isqrt(self.layers - 1) + 1
        most = max(len(table) for table in self._tables.values())
        self._afford(self.nbytes + most * widest * 2 * spacing, "to keep the completions of some levels")
        return spacing

    def _keep(self):
        """Sweep backwards and keep the completions of every so many levels."""
        if self._kept is None:
            spacing = self._spacing()
            following = self._ends()
            self._kept = {self.layers: following}
            for level in reversed(range(self.layers)):
                following = self._completions_before(level, following)
                if level % spacing == 0:
                    self._kept[level] = following
            self._window = {}
        return self._kept

    def completions(self, level):
        """How many ways lead from each state of a level to an accepted end: uint64 (states + 1, limbs), row 0 zero.

        Levels that were not kept are computed again, a block at a time: walk forwards, not to and fro.
        """
        kept = self._keep()
        if level in kept:
            return kept[level]
        if level not in self._window:
            above = min(known for known in kept if known > level)
            below = max(known for known in kept if known < level)
            following, self._window = kept[above], {}
            for missing in range(above - 1, below, -1):
                following = self._window[missing] = self._completions_before(missing, following)
        return self._window[level]

    def count(self):
        """Number of answers, an exact Python int."""
        if self._total is None:
            if self._kept is None and self._spacing() > 1:
                following = self._ends()
                for level in reversed(range(self.layers)):
                    following = self._completions_before(level, following)
            else:
                following = self._keep()[0]
            self._total = limbs.to_int(following[1])
        return self._total

    # paths

    def unrank(self, ranks):
        """The answers at some places of the lexicographic order (by layer, choice 0 first).

        Parameters
        ----------
        ranks : int, sequence of int, or uint64 (n, limbs) as `sampling.ranks` gives them    each below count()

        Returns
        -------
        uint8 (n, layers)   choices, put where `order` says; uint16 or uint32 when there are more than 256 choices

        Raises
        ------
        ValueError          naming the first rank that is out of range
        """
        total = self.count()
        if isinstance(ranks, np.ndarray) and ranks.dtype == np.uint64 and ranks.ndim == 2:
            given = ranks
        else:
            values = [int(rank) for rank in np.atleast_1d(np.asarray(ranks, object))]
            negative = [value for value in values if value < 0]
            if negative:
                raise ValueError(f"rank {negative[0]} is out of range: there are {total} answers")
            given = limbs.from_ints(values)
        beyond = np.flatnonzero(~limbs.below(given, total))
        if len(beyond):
            raise ValueError(f"rank {limbs.to_int(given[beyond[0]])} is out of range: there are {total} answers")
        width = self.completions(0).shape[1]
        remaining = np.zeros((len(given), max(width, given.shape[1])), np.uint64)
        remaining[:, : given.shape[1]] = given
        states = np.ones(len(given), np.uint32)
        chosen = np.zeros((self.layers, len(given)), np.min_scalar_type(self._choices - 1))
        at_once = _WALKED_AT_ONCE if self._spacing() == 1 else max(1, len(given))
        for first in range(0, len(given), at_once):
            part = slice(first, first + at_once)
            for level in range(self.layers):
                width = self.completions(level).shape[1]
                following = self.completions(level + 1)
                limbs._descend(self._table(level), following, states[part], remaining[part], width, chosen[level, part])
        answers = np.empty((len(given), self.layers), chosen.dtype)
        answers[:, self.order] = chosen.T
        return answers

    def draw(self, n, rng):
        """n answers drawn uniformly and independently, by exact ranks and without rejection of answers: see `unrank`.

        ValueError when there is no answer at all.
        """
        return self.unrank(sampling.ranks(self.count(), n, rng))

    def enumerate(self, chunk=1 << 16):
        """Every answer in order, as arrays (at most `chunk`, layers); see `unrank`."""
        total = self.count()
        for first in range(0, total, chunk):
            last = min(first + chunk, total)
            if total <= 1 << 63:
                yield self.unrank(np.arange(first, last, dtype=np.uint64)[:, None])
            else:
                yield self.unrank(range(first, last))

    # sums over all paths

    def marginals(self):
        """How many answers take each choice at each place.

        Returns
        -------
        object (layers, choices)   exact Python ints; every row adds up to count()

        Cost: one sweep backwards, one forwards, and a product of weights for each state and choice.
        """
        result = np.zeros((self.layers, self._choices), object)
        weights = np.zeros((len(self._table(0)), 1), np.uint64)
        weights[1] = 1
        for level in range(self.layers):
            table, following = self._table(level), self.completions(level + 1)
            result[self.order[level], : table.shape[1]] = limbs.through(table, weights, following)
            weights = limbs.scatter(table, weights, len(following))
        return result

    def totals(self):
        """How often steps of each label are taken, over all answers: a list of exact Python ints, by label.

        Label 0 is for steps with nothing to say; it is not counted and stands as 0. Cost: as for `marginals`, once more for each
        label over the states that have it.

        >>> def expand(kind, keys):  # paths of two steps, left or right; right is labelled 3
        ...     after = np.broadcast_to(np.array([[[0], [1]]], np.uint64), (len(keys), 2, 1))
        ...     return after, np.ones((len(keys), 2), bool), np.full((len(keys), 2), [0, 3], np.uint8)
        >>> Diagram(start=0, kinds="aaa", expand=expand, accept=lambda keys: keys[:, 0] < 2).totals()
        [0, 0, 0, 4]
        """
        result = [0] * (1 + max((int(part.max(initial=0)) for part in self._labels.values()), default=0))
        labelled = {
            kind: [(label, _only(part == label, self._tables[kind])) for label in np.unique(part[part > 0]).tolist()]
            for kind, part in self._labels.items()
        }
        weights = np.zeros((len(self._table(0)), 1), np.uint64)
        weights[1] = 1
        for level in range(self.layers):
            following = self.completions(level + 1)
            for label, (states, table) in labelled.get(self.kinds[level], ()):
                result[label] += sum(limbs.through(table, weights[states], following))
            weights = limbs.scatter(self._table(level), weights, len(following))
        return result

    def expected(self, values):
        """Exact mean over all answers of a sum of one value for each place and choice.

        Parameters
        ----------
        values : int or Fraction (layers, choices)

        Returns
        -------
        Fraction

        Raises
        ------
        ValueError   another shape, or no answers to take a mean of
        """
        values = np.asarray(values, object)
        if values.shape != (self.layers, self._choices):
            raise ValueError(f"values must have shape {(self.layers, self._choices)}, not {values.shape}")
        total = self.count()
        if total == 0:
            raise ValueError("there are no answers to take a mean of")
        return Fraction((self.marginals() * values).sum()) / total


def _only(chosen, table):
    """States with a chosen step, and their rows of a table with the other steps not allowed; first a row for number 0."""
    states = np.flatnonzero(chosen.any(axis=1))
    rows = np.zeros((len(states) + 1, table.shape[1]), np.uint32)
    rows[1:] = np.where(chosen[states], table[states + 1], 0)
    return np.concatenate([[0], states + 1]), rows


class _States:
    """Distinct keys in order of arrival, numbered from 1; number 0 stands for "not allowed"."""

    def __init__(self, words, room=1 << 8):
        self.count = 0
        self.keys = np.empty((room, words), np.uint64)
        self._slots = np.zeros(2 * room, np.uint32)

    nbytes = property(lambda self: self.keys.nbytes + self._slots.nbytes)

    def growth(self, more):
        """Bytes that numbering so many more keys can take for a while."""
        return 0 if self.count + more < len(self.keys) else 2 * self.nbytes

    def number(self, keys, allowed):
        """Numbers of keys (n, choices, words), 0 where not allowed: uint32 (n, choices). New keys get the next numbers."""
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


@kernel
def _reach(successors, reached, following):
    for state in range(1, len(successors)):
        if reached[state]:
            for choice in range(successors.shape[1]):
                target = successors[state, choice]
                if target != 0:
                    following[target] = True
