import random

import numpy as np
import pytest

from puzzlekit.machinery import limbs


def _values(n, bits, seed):
    """Random ints of very different sizes, with the edges that carry; the first is 0, as row 0 always is."""
    pick = random.Random(seed)
    edges = [0, 1, 2**32 - 1, 2**32, 2**64 - 1, 2**64, 2 ** (bits - 1), 2**bits - 1]
    return [0] + [
        pick.choice(edges) if pick.random() < 0.4 else pick.getrandbits(pick.randint(1, bits)) for _ in range(n - 1)
    ]


def _table(n, choices, targets, seed):
    table = np.random.default_rng(seed).integers(0, targets, (n, choices)).astype(np.uint32)
    table[0] = 0
    return table


@pytest.mark.parametrize("bits", [70, 128, 200, 320])
def test_ints_come_back(bits):
    values = _values(50, bits, 1)
    assert limbs.to_ints(limbs.from_ints(values)).tolist() == values
    assert limbs.from_ints(values, 7).shape == (50, 7)
    assert limbs.from_ints([]).shape == (0, 1)


def test_what_does_not_fit_is_named():
    for value in (-1, 2**64):
        with pytest.raises(ValueError, match=str(value)):
            limbs.from_ints([value], 1)


@pytest.mark.parametrize("choices", [1, 2, 5])
@pytest.mark.parametrize("bits", [64, 128, 192])
def test_sums_are_exact_and_widen_only_when_they_must(choices, bits):
    values = _values(40, bits, choices)
    table = _table(60, choices, 40, bits)
    onward = limbs.gather(table, limbs.from_ints(values))
    expected = [sum(values[t] for t in row) for row in table.tolist()]
    assert limbs.to_ints(onward).tolist() == expected
    assert onward.shape[1] == max(limbs.width(max(values)), limbs.width(max(expected)))

    weights = _values(60, bits, choices + 10)
    arrived = [0] * 40
    for weight, row in zip(weights, table.tolist(), strict=True):
        for target in row:
            arrived[target] += weight if target else 0
    assert limbs.to_ints(limbs.scatter(table, limbs.from_ints(weights), 40)).tolist() == arrived


@pytest.mark.parametrize("bits", [64, 192])
def test_products_are_exact(bits):
    weights, onward = _values(60, bits, 3), _values(40, 2 * bits, 4)
    table = _table(60, 3, 40, 5)
    expected = [sum(w * onward[t] for w, t in zip(weights, column, strict=True)) for column in table.T.tolist()]
    assert limbs.through(table, limbs.from_ints(weights), limbs.from_ints(onward)) == expected


def test_products_of_the_largest_weights():
    largest = 2**192 - 1
    table = np.zeros((5, 2), np.uint32)
    table[1:] = 1
    vector = limbs.from_ints([0] + [largest] * 4)
    assert limbs.through(table, vector, vector[:2]) == [4 * largest**2] * 2


def test_below():
    values = _values(60, 192, 6)
    for bound in (0, 1, 2**64, 2**64 + 1, 2**191, 2**300):
        assert limbs.below(limbs.from_ints(values), bound).tolist() == [value < bound for value in values]
