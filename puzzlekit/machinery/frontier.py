"""Frontier: a layered diagram of merged states, from which every question about a whole answer space is a walk.

A genre says how a frontier grows: which keys follow a key under each choice. The diagram merges equal keys, numbers
them and keeps tables of successors; counting, unranking, drawing, marginals, expectations and enumeration read those
tables.

The seam is arrays, not functions of one key: numba cannot cache a kernel that takes another kernel, so a genre expands
a whole array of keys at a time, see `states`; or it hands over tables that it made in its own way. Not here: what a key
or a choice means.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from . import extremes, limbs, remainders, sampling
from .kernels import kernel
from .memory import BUDGET, Kind, afford, bytes_needed, spacing, vectors
from .states import Accept, Expand, Start, Tables, find

_WALKED_AT_ONCE = 1 << 13  # ranks walked down together, so that they stay in the processor's cache


class Kept(Protocol):
    """Where a sweep keeps how far it has come: jobs.checkpoint.Checkpoint."""

    def load(self) -> tuple[int, npt.NDArray[np.uint64]] | None:
        """The level and the weights there that were saved last."""

    def save(self, place: int, weights: npt.NDArray[np.uint64]) -> None:
        """Keep a level and the weights there."""


class Diagram:
    """Layers of merged states with successor tables; every path from the start to an accepted end is one answer.

    A level is the set of states before a layer. Levels of the same kind share their states and tables: on an empty grid
    the moves depend on the column alone, so kinds repeat with every row and the states are found once. A kind always
    has to be followed by the same kind.

    Parameters
    ----------
    start : int or sequence of int    key before the first layer, one uint64 word or several
    kinds : sequence of hashable      kind of each level, layers + 1 of them
    expand : callable                 expand(kind, keys), keys uint64 (n, words) -> (uint64 (n, choices, words), bool
                                      (n, choices)): the key after each choice, and whether the choice is allowed; and,
                                      if the genre has something to add up, uint8 (n, choices): a label of each step,
                                      see `totals`
    accept : callable                 accept(keys) -> bool (n,): which keys end an answer after the last layer
    order : sequence of int, optional places in an answer that the layers decide, one after the other; 0, 1, 2... by
    default
    digits : dict, optional           kind to uint8 (choices, places): what each choice puts in the places that its
                                      layer decides; by default a layer decides one place, and puts its choice there
    most : int, optional              a number of answers that is not exceeded, from no state of any level; it only
                                      makes estimates closer
    budget : int                      bytes; MemoryError states the estimate before more is spent
    tables : states.Tables, optional  instead of start, expand and accept: ready-made; the start is state 1

    Cost: one expansion and one hash probe for each state and choice of each kind.

    Paths of three steps, left or right, that never go right twice in a row:

    >>> def expand(kind, keys):
    ...     after = np.broadcast_to(np.array([[[0], [1]]], np.uint64), (len(keys), 2, 1))
    ...     return after, np.stack([np.ones(len(keys), bool), keys[:, 0] == 0], axis=1)
    >>> steps = Diagram(start=0, kinds="aaaa", expand=expand, accept=lambda keys: keys[:, 0] < 2)
    >>> steps.count(), steps.unrank([0, 4]).tolist(), steps.marginals().tolist()
    (5, [[0, 0, 0], [1, 0, 1]], [[3, 2], [4, 1], [3, 2]])
    """

    def __init__(
        self,
        *,
        kinds: Sequence[Kind],
        start: Start | None = None,
        expand: Expand | None = None,
        accept: Accept | None = None,
        tables: Tables | None = None,
        order: Sequence[int] | np.ndarray | None = None,
        digits: Mapping[Kind, np.ndarray] | None = None,
        most: int | None = None,
        budget: int = BUDGET,
    ) -> None:
        self.kinds = list(kinds)
        self.layers = len(self.kinds) - 1
        self.budget = budget
        followed_by: dict[Kind, Kind] = {}
        for kind, then in pairwise(self.kinds):
            if followed_by.setdefault(kind, then) != then:
                raise ValueError(f"kind {kind!r} is followed by {followed_by[kind]!r} and by {then!r}")
        self._digits, self._places = (
            digits,
            [1 if digits is None else digits[kind].shape[1] for kind in self.kinds[:-1]],
        )
        self.order = np.arange(sum(self._places)) if order is None else np.asarray(order)
        if self.layers < 1 or sorted(self.order.tolist()) != list(range(sum(self._places))):
            raise ValueError(f"{len(self.kinds)} kinds and an order of {len(self.order)} places are no layers")
        if tables is None:
            if start is None or expand is None or accept is None:
                raise ValueError("a diagram is made from start, expand and accept, or from tables")
            tables = find(start, self.kinds, expand, accept, budget)
        self._tables, self._final, self._labels = tables
        self._choices = max(table.shape[1] for table in self._tables.values())
        self._most = self._choices**self.layers if most is None else most
        self._kept: dict[int, limbs.Weights] | None = None
        self._window: dict[int, limbs.Weights] = {}
        self._total: int | None = None
        self._room: list[limbs.Weights] = []

    def _table(self, level):
        return self._tables[self.kinds[level]]

    @property
    def nbytes(self) -> int:
        """Bytes held by the tables and the completions kept at present."""
        held = [
            *self._tables.values(),
            *self._labels.values(),
            *(self._kept or {}).values(),
            *self._window.values(),
        ]
        return sum(array.nbytes for array in held)

    @property
    def states(self) -> int:
        """Distinct states in the widest level, counting at each level only the states that some path from the start
        reaches there. States from which no accepted end can be reached any more are counted too. Cost: one walk over
        the levels, as far as they bring anything new.
        """
        reached = np.zeros(len(self._table(0)), bool)
        reached[1] = True
        widest = 1
        last: dict[Kind, np.ndarray] = {}
        for level in range(self.layers):
            following = np.zeros(len(self._table(level + 1)), bool)
            _reach(self._table(level), reached, following)
            reached, kind = following, self.kinds[level + 1]
            if kind in last and (last[kind] == reached).all():
                break  # a kind is always followed by the same kind, so from here on all is as before
            last[kind] = reached
            widest = max(widest, int(reached.sum()))
        return widest

    # ways onward

    def _rows(self):
        return {kind: len(table) for kind, table in self._tables.items()}

    def _completions_before(self, level, following, room=None):
        return limbs.gather(self._table(level), following, room)

    def _ends(self):
        return self._final.astype(np.uint64)[:, None]

    def _take_room(self):
        """Memory for the completions of any level. What is used again need not be cleared by the system first."""
        if self._room:
            return self._room.pop()
        return np.empty(max(self._rows().values()) * limbs.width(self._most), np.uint64)

    def _give_back(self, vector):
        self._room.append(vector.base)

    def _sweep(self, keep):
        """Sweep backwards: {level: completions} of the levels in `keep`, and of level 0."""
        following = self._ends()
        kept = {self.layers: following}
        for level in reversed(range(self.layers)):
            if level in keep or level == 0:
                before = kept[level] = self._completions_before(level, following)
            else:
                before = self._completions_before(level, following, self._take_room())
            if level + 1 not in kept:
                self._give_back(following)
            following = before
        return kept

    def _keep(self):
        """Completions of every so many levels, by level."""
        if self._kept is None:
            need = bytes_needed(self._rows(), self._choices, self.kinds, self._most, True, self.budget)
            afford(need, self.budget, "to keep the completions of some levels")
            self._spacing = spacing(vectors(self._rows(), self.kinds, self._most), self.budget)
            self._kept = self._sweep(range(0, self.layers, self._spacing))
            self._total = limbs.to_int(self._kept[0][1])
            self._window = {}
        return self._kept

    def completions(self, level: int) -> limbs.Weights:
        """How many ways lead from each state of a level to an accepted end: uint64 (states + 1, limbs), row 0 zero.

        Levels that were not kept are computed again, a block at a time: walk forwards, not to and fro. Such an array is
        used again for another block.
        """
        kept = self._keep()
        if level in kept:
            return kept[level]
        if level not in self._window:
            above = min(known for known in kept if known > level)
            below = max(known for known in kept if known < level)
            for vector in self._window.values():
                self._give_back(vector)
            following, self._window = kept[above], {}
            for missing in range(above - 1, below, -1):
                following = self._window[missing] = self._completions_before(missing, following, self._take_room())
        return self._window[level]

    def count(self) -> int:
        """Number of answers, an exact Python int."""
        if self._total is None:
            need = bytes_needed(self._rows(), self._choices, self.kinds, self._most, False)
            afford(need, self.budget, "to count")
            self._total = limbs.to_int(self._sweep(())[0][1])
            self._room = []
        return self._total

    def residue(self, modulus: int, *, kept: Kept | None = None) -> int:
        """Number of answers modulo a number, from 2 to remainders.LARGEST: a word a state, however large the number is.

        kept : Checkpoint, optional    where a sweep that was stopped goes on from, and keeps what it has

        >>> def expand(kind, keys):
        ...     return np.zeros((len(keys), 3, 1), np.uint64), np.ones((len(keys), 3), bool)
        >>> Diagram(start=0, kinds="x" * 101, expand=expand, accept=lambda keys: keys[:, 0] == 0).residue(10**9 + 7)
        886041711
        """
        remainders.check(modulus)
        found = None if kept is None else kept.load()
        level, ways = (self.layers, self._final.astype(np.uint64)) if found is None else found
        while level > 0:
            level -= 1
            ways = limbs.gather_modulo(self._table(level), ways, modulus)
            if kept is not None:
                kept.save(level, ways)
        return int(ways[1])

    # paths

    def unrank(self, ranks: int | Sequence[int] | limbs.Weights) -> np.ndarray:
        """The answers at some places of the lexicographic order (by layer, choice 0 first).

        Parameters
        ----------
        ranks : int, sequence of int, or uint64 (n, limbs) as `sampling.ranks` gives them    each below count()

        Returns
        -------
        uint8 (n, places)   choices, put where `order` says; uint16 or uint32 when there are more than 256 choices

        Raises
        ------
        ValueError          naming the first rank that is out of range
        """
        self._keep()
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
        block = max(1, min(len(given), _WALKED_AT_ONCE if self._spacing == 1 else len(given)))
        width = max(self.completions(0).shape[1], given.shape[1])
        chosen = np.empty((self.layers, block), np.min_scalar_type(self._choices - 1))
        answers = np.empty((len(given), len(self.order)), chosen.dtype if self._digits is None else np.uint8)
        afford(
            self.nbytes + block * 8 * width + chosen.nbytes + answers.nbytes, self.budget, f"for {len(given)} answers"
        )
        writing = self._writing(answers.dtype)
        for first in range(0, len(given), block):
            part = given[first : first + block]
            remaining = np.zeros((len(part), width), np.uint64)
            remaining[:, : given.shape[1]] = part
            states = np.ones(len(part), np.uint32)
            for level in range(self.layers):
                limit, following = self.completions(level).shape[1], self.completions(level + 1)
                limbs._descend(self._table(level), following, states, remaining, limit, chosen[level])
            _write(chosen, *writing, answers[first : first + block])
        return answers

    def _writing(self, dtype: npt.DTypeLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For `_write`: number of each layer's kind, what choices of a kind put in their places, the places or -1."""
        kinds = list(dict.fromkeys(self.kinds[:-1]))
        number = {kind: i for i, kind in enumerate(kinds)}
        digits = np.zeros((len(kinds), self._choices, max(self._places)), dtype)
        for i, kind in enumerate(kinds):
            part = np.arange(self._choices)[:, None] if self._digits is None else self._digits[kind]
            digits[i, : part.shape[0], : part.shape[1]] = part
        places = np.full((self.layers, max(self._places)), -1)
        first = np.cumsum([0, *self._places])
        for level, count in enumerate(self._places):
            places[level, :count] = self.order[first[level] : first[level] + count]
        return np.array([number[kind] for kind in self.kinds[:-1]]), digits, places

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """n answers drawn uniformly and independently, by exact ranks and without rejection of answers: see `unrank`.

        ValueError when there is no answer at all.
        """
        return self.unrank(sampling.ranks(self.count(), n, rng))

    def enumerate(self, chunk: int = 1 << 16) -> Iterator[np.ndarray]:
        """Every answer in order, as arrays (at most `chunk`, places); see `unrank`."""
        total = self.count()
        for first in range(0, total, chunk):
            last = min(first + chunk, total)
            if total <= 1 << 63:
                yield self.unrank(np.arange(first, last, dtype=np.uint64)[:, None])
            else:
                yield self.unrank(range(first, last))

    # sums over all paths

    def marginals(self, layers: int | None = None) -> npt.NDArray[np.object_]:
        """How many answers have each value at each place; by default the values are the choices.

        Parameters
        ----------
        layers : int, optional    only the places that the first so many layers decide; the rest stay 0

        Returns
        -------
        object (places, values)   exact Python ints; every row adds up to count()

        Cost: one sweep backwards, one forwards, and a product of weights for each state and choice.
        """
        digits = self._writing(np.int64)
        result = np.zeros((len(self.order), digits[1].max() + 1), object)
        weights = np.zeros((len(self._table(0)), 1), np.uint64)
        weights[1] = 1
        for level, (kind, places) in enumerate(zip(digits[0][:layers], digits[2], strict=False)):
            table, following = self._table(level), self.completions(level + 1)
            for choice, ways in enumerate(limbs.through(table, weights, following)):
                for place, value in zip(places, digits[1][kind, choice], strict=True):
                    if place >= 0:
                        result[place, value] += ways
            weights = limbs.scatter(table, weights, len(following))
        return result

    def totals(self) -> list[int]:
        """How often steps of each label are taken, over all answers: a list of exact Python ints, by label.

        Label 0 is for steps with nothing to say; it is not counted and stands as 0. Cost: as for `marginals`, once more
        for each label over the states that have it.

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

    def extremes(self, values: npt.ArrayLike | None = None, labels: Sequence[int] | None = None) -> extremes.Extremes:
        """The least and the greatest sum over an answer, how many answers attain it, and the first of them.

        Parameters
        ----------
        values : int (places, values), optional   what a value at a place adds, as `marginals` has them
        labels : sequence of int, optional        what a step with a label adds, label 0 first, see `totals`

        Raises
        ------
        ValueError    another shape, sums over 2 ** 30, or no answers at all
        MemoryError   before it is spent

        Cost: about two counts for each end, see `extremes.greatest`.

        >>> def expand(kind, keys):  # paths of three steps, left or right, that never go right twice in a row
        ...     after = np.broadcast_to(np.array([[[0], [1]]], np.uint64), (len(keys), 2, 1))
        ...     return after, np.stack([np.ones(len(keys), bool), keys[:, 0] == 0], axis=1)
        >>> steps = Diagram(start=0, kinds="aaaa", expand=expand, accept=lambda keys: keys[:, 0] < 2)
        >>> steps.extremes([[0, 1]] * 3).greatest
        Extreme(value=2, answers=1, witness=array([1, 0, 1], dtype=uint8))
        """
        numbers, digits, places = self._writing(np.int64)
        shape = len(self.order), int(digits.max()) + 1
        adds = np.zeros(shape, np.int64) if values is None else np.asarray(values, np.int64)
        if adds.shape != shape:
            raise ValueError(f"values must have shape {shape}, not {adds.shape}")
        by_label = np.array(labels if labels is not None else [], np.int32)
        last = max((int(part.max(initial=0)) for part in self._labels.values()), default=0)
        if labels is not None and len(by_label) <= last:
            raise ValueError(f"steps have labels up to {last}, and {len(by_label)} values are given, label 0 first")
        ends = []
        for sign in (-1, 1):
            layers = []
            for level, (number, at) in enumerate(zip(numbers, places, strict=True)):
                table, there = self._table(level), at[at >= 0]
                worth = adds[there[:, None], digits[number, : table.shape[1], : len(there)].T].sum(axis=0)
                labelled = self._labels.get(self.kinds[level]) if labels is not None else None
                none = np.zeros((0, table.shape[1]), np.uint8)
                layers.append(
                    extremes.Layer(
                        table, (sign * worth).astype(np.int32), none if labelled is None else labelled, sign * by_label
                    )
                )
            found = extremes.greatest(layers, self._final, self.budget)
            if found is None:
                raise ValueError("there are no answers, so none is the least or the greatest")
            value, answers, chosen = found
            witness = np.zeros((1, len(self.order)), np.min_scalar_type(int(digits.max())))
            _write(chosen[:, None], numbers, digits, places, witness)
            ends.append(extremes.Extreme(sign * value, answers, witness[0]))
        return extremes.Extremes(*ends)

    def expected(self, values: npt.ArrayLike) -> Fraction:
        """Exact mean over all answers of a sum of one number for each place and value there.

        Parameters
        ----------
        values : int or Fraction (places, values), as `marginals` has them

        Returns
        -------
        Fraction

        Raises
        ------
        ValueError   another shape, or no answers to take a mean of
        """
        values, sums = np.asarray(values, object), self.marginals()
        if values.shape != sums.shape:
            raise ValueError(f"values must have shape {sums.shape}, not {values.shape}")
        total = self.count()
        if total == 0:
            raise ValueError("there are no answers to take a mean of")
        return Fraction((sums * values).sum()) / total


def _only(chosen, table):
    """States with a chosen step, and their rows of a table without the other steps; first a row for number 0."""
    states = np.flatnonzero(chosen.any(axis=1))
    rows = np.zeros((len(states) + 1, table.shape[1]), np.uint32)
    rows[1:] = np.where(chosen[states], table[states + 1], 0)
    return np.concatenate([[0], states + 1]), rows


@kernel
def _reach(successors, reached, following):
    for state in range(1, len(successors)):
        if reached[state]:
            for choice in range(successors.shape[1]):
                target = successors[state, choice]
                if target != 0:
                    following[target] = True


@kernel
def _write(chosen, kinds, digits, places, answers):
    for i in range(len(answers)):
        for level in range(len(chosen)):
            for j in range(places.shape[1]):
                if places[level, j] >= 0:
                    answers[i, places[level, j]] = digits[kinds[level], chosen[level, i], j]
