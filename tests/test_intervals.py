"""Intervals against scipy and against simulated samples."""

import numpy as np
import pytest
from scipy import stats

from puzzlekit.lab import intervals


@pytest.mark.parametrize("hits, trials", [(0, 10), (10, 10), (3, 17), (50, 100), (404, 1393), (1, 100_000)])
def test_share_interval_is_wilsons(hits, trials):
    expected = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    assert intervals.share_interval(hits, trials) == pytest.approx(tuple(expected), abs=1e-12)


def test_one_trial_a_board_is_no_cluster():
    """0/1 by board: the spread between boards is the binomial one, so the interval is Wilson's (wider by n - 1)."""
    hits = np.arange(200) < 70
    plain, by_board = intervals.share_interval(70, 200), intervals.share_interval(hits, np.ones(200))
    assert by_board == pytest.approx(plain, abs=0.001) and by_board[0] <= plain[0] and by_board[1] >= plain[1]


def test_boards_that_go_all_one_way_count_as_one_trial_each():
    hits, trials = np.repeat([0, 20], [30, 20]), np.full(50, 20)
    assert intervals.share_interval(hits, trials) == pytest.approx(intervals.share_interval(20, 50), abs=0.003)
    assert intervals.share_interval(np.zeros(50), trials) == intervals.share_interval(0, 50)


def test_more_even_than_chance_is_not_narrower():
    assert intervals.share_interval(np.full(40, 5), np.full(40, 10)) == intervals.share_interval(200, 400)


def coverage(truth, found):
    return np.mean([low <= truth <= high for low, high in found])


def test_share_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(1)
    for share, trials in ((0.5, 40), (0.1, 100), (0.03, 300)):
        found = coverage(share, [intervals.share_interval(hits, trials) for hits in rng.binomial(trials, share, 1500)])
        assert 0.93 < found < 0.98


def test_share_interval_of_clusters_holds_the_truth():
    """Boards that differ: 20 trials on each of 60 boards with their own shares. Without the clusters it would fail."""
    rng, clustered, naive = np.random.default_rng(2), [], []
    for _ in range(1200):
        trials = rng.integers(5, 35, 60)
        hits = rng.binomial(trials, rng.beta(1, 3, 60))
        clustered.append(intervals.share_interval(hits, trials))
        naive.append(intervals.share_interval(hits.sum(), trials.sum()))
    assert 0.925 < coverage(0.25, clustered) < 0.975
    assert coverage(0.25, naive) < 0.85


@pytest.mark.parametrize("n", [10, 25, 36, 99, 100, 1000])
def test_median_interval_is_the_narrowest_of_its_kind(n):
    """Order statistics from both ends: at least 95% between them, and less if it were one narrower on each side."""
    low, high = intervals.median_interval(np.random.default_rng(n).permutation(n))
    assert low + high == n - 1
    between, narrower = (1 - 2 * stats.binom.cdf(below, n, 0.5) for below in (low, low + 1))
    assert between >= intervals.LEVEL > narrower


def test_median_interval_holds_the_truth():
    rng = np.random.default_rng(4)
    found = coverage(np.log(2), [intervals.median_interval(rng.exponential(size=36)) for _ in range(1500)])
    assert 0.94 < found < 0.985


def test_mean_interval_is_students():
    values = np.random.default_rng(5).normal(3, 2, 20)
    expected = stats.t.interval(0.95, 19, loc=values.mean(), scale=stats.sem(values))
    assert intervals.mean_interval(values) == pytest.approx(expected)
    assert intervals.mean_interval([2] * 12) == (2, 2)


def test_fewer_than_ten_have_no_interval():
    """Boards, or single trials; however many trials a board has."""
    assert intervals.share_interval(3, 9) == intervals.NONE != intervals.share_interval(3, 10)
    assert intervals.share_interval(np.full(9, 4), np.full(9, 100)) == intervals.NONE
    assert intervals.share_interval(np.full(11, 4), np.repeat([100, 0], [9, 2])) == intervals.NONE
    assert intervals.share_interval(np.full(10, 4), np.full(10, 100)) != intervals.NONE
    assert intervals.share_interval([4], [100]) == intervals.NONE != intervals.share_interval(4, 100)  # one board
    assert intervals.median_interval(range(9)) == intervals.mean_interval(range(9)) == intervals.NONE
    assert intervals.missing(9) == "no interval: 9 are fewer than 10" and intervals.missing(10) is None
