"""Extremes of diagrams of no genre, against all their paths."""

from itertools import pairwise, product

import numpy as np
import pytest

from puzzlekit.machinery import extremes, frontier

DIGITS, LENGTH = 4, 6


def _expand(kind, keys):
    """Words over 0..3 that never repeat a digit twice running. A step up is labelled 1, a step down 2."""
    digits = np.arange(DIGITS, dtype=np.uint64)
    after = np.broadcast_to(digits[:, None] + np.uint64(1), (len(keys), DIGITS, 1))
    labels = np.where(keys == 0, 0, np.where(digits + np.uint64(1) > keys, 1, 2)).astype(np.uint8)
    return after, after[:, :, 0] != keys, labels


def _diagram(accept=lambda keys: keys[:, 0] != 2, **options):
    return frontier.Diagram(start=0, kinds=["first", *["more"] * LENGTH], expand=_expand, accept=accept, **options)


WORDS = [
    word for word in product(range(DIGITS), repeat=LENGTH) if all(a != b for a, b in pairwise(word)) and word[-1] != 1
]


def _best(total):
    sums = {word: total(word) for word in WORDS}
    return [
        (end, sum(value == end for value in sums.values()), next(list(w) for w in WORDS if sums[w] == end))
        for end in (min(sums.values()), max(sums.values()))
    ]


def _found(ends):
    return [(end.value, end.answers, end.witness.tolist()) for end in ends]


@pytest.mark.parametrize("seed", range(20))
def test_least_and_greatest_of_values(seed):
    values = np.random.default_rng(seed).integers(-3, 4, (LENGTH, DIGITS))
    assert _found(_diagram().extremes(values)) == _best(lambda word: sum(values[i, d] for i, d in enumerate(word)))


@pytest.mark.parametrize("up, down", [(1, 0), (0, 1), (2, -1), (-1, -1)])
def test_least_and_greatest_of_labels(up, down):
    def total(word):
        return sum(up if b > a else down for a, b in pairwise(word))

    assert _found(_diagram().extremes(labels=[0, up, down])) == _best(total)


def test_values_and_labels_together():
    values = np.arange(LENGTH * DIGITS).reshape(LENGTH, DIGITS) % 5

    def total(word):
        return sum(values[i, d] for i, d in enumerate(word)) + sum(3 * (b > a) for a, b in pairwise(word))

    assert _found(_diagram().extremes(values, [0, 3, 0])) == _best(total)


def test_the_first_of_all_that_are_equal():
    assert _found(_diagram().extremes()) == [(0, len(WORDS), list(WORDS[0]))] * 2


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"values must have shape \(6, 4\), not \(6, 3\)"):
        _diagram().extremes(np.zeros((6, 3), int))
    with pytest.raises(ValueError, match="labels up to 2, and 2 values are given"):
        _diagram().extremes(labels=[0, 1])
    with pytest.raises(ValueError, match=r"sums up to .* are too large"):
        _diagram().extremes(np.full((LENGTH, DIGITS), extremes._MOST // 3))
    with pytest.raises(ValueError, match="there are no answers"):
        _diagram(accept=lambda keys: np.zeros(len(keys), bool)).extremes()
    small = _diagram()
    small.budget = 100
    with pytest.raises(MemoryError, match="for the extremes"):
        small.extremes()
