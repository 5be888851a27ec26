from math import sqrt

import numpy as np
import pytest

from puzzlekit.machinery import limbs, sampling


@pytest.mark.parametrize("total", [1, 2, 3, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 3**100])
def test_ranks_are_in_range_and_reach_far(total):
    found = limbs.to_ints(sampling.ranks(total, 500, np.random.default_rng(total % 997)))
    assert len(found) == 500 and min(found) >= 0 and max(found) < total
    if total > 2:
        assert min(found) < total / 50 + 1 and max(found) > total * 0.97 - 1


def test_every_rank_is_as_likely():
    n = 60_000
    shares = np.bincount(sampling.ranks(6, n, np.random.default_rng(20)).ravel().astype(int), minlength=6)
    assert abs(shares - n / 6).max() < 4 * sqrt(n / 6)


def test_halves_of_a_wide_range_are_as_likely():
    total = 3 * 2**100
    ranks = sampling.ranks(total, 30_000, np.random.default_rng(21))
    for part in (1, 2):
        assert abs(limbs.below(ranks, total * part // 3).sum() - 10_000 * part) < 4 * sqrt(30_000 * 2 / 9)


def test_the_same_seed_gives_the_same_ranks():
    first, second = (sampling.ranks(10**40, 100, np.random.default_rng(5)) for _ in range(2))
    assert (first == second).all()
    assert sampling.ranks(10**40, 0, np.random.default_rng(5)).shape == (0, 3)


def test_nothing_to_draw_from():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        sampling.ranks(0, 1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="at least 0, not -2"):
        sampling.ranks(5, -2, np.random.default_rng(0))
