"""Dissections drawn row by row in floating point: the weights of every one by brute force, and drawn as often as they
should be.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from puzzlekit.nawabari import profile, rowwise

WEIGHT = Fraction(3, 20)


@pytest.mark.parametrize("rows, cols", [(1, 5), (3, 3), (4, 3), (5, 3)])
def test_weights_of_the_ways_onward(rows, cols):
    """After each first row: all answers with that row, weighed exactly, without the rooms that begin there."""
    exact = np.zeros(1 << (cols - 1), object)
    for answer in profile.answers(rows, cols):
        first = int(((answer[0, 1:] != answer[0, :-1]) << np.arange(cols - 1)).sum())
        exact[first] += WEIGHT ** int(answer.max() + 1 - len(set(answer[0].tolist())))
    found = rowwise._weighed(rows, cols, WEIGHT)[1]
    assert found == pytest.approx((exact / exact.max()).astype(float), rel=1e-12)


@pytest.mark.parametrize("rows, cols", [(3, 4), (4, 3), (1, 6), (6, 1), (1, 1)])
def test_draws_go_by_weight(rows, cols):
    n = 30_000
    answers = profile.answers(rows, cols)
    weights = np.array([float(WEIGHT) ** int(answer.max() + 1) for answer in answers])
    expected = dict(zip([answer.tobytes() for answer in answers], n * weights / weights.sum(), strict=True))
    drawn = rowwise.draw(rows, cols, n, np.random.default_rng(3), weight=WEIGHT)
    counts = Counter(answer.tobytes() for answer in drawn)
    assert drawn.shape == (n, rows, cols) and set(counts) <= set(expected)
    usual = [key for key, often in expected.items() if often > 5]
    rest = n - sum(expected[key] for key in usual)
    groups = [(counts[key], expected[key]) for key in usual]
    if rest > 1:
        groups.append((n - sum(counts[key] for key in usual), rest))
    if len(groups) > 1:
        assert stats.chisquare(*np.array(groups).T).pvalue > 1e-4


def test_mean_number_of_rooms():
    drawn = rowwise.draw(10, 9, 4_000, np.random.default_rng(5), weight=WEIGHT)
    rooms = drawn.max((1, 2)) + 1
    exact = float(profile.expected_rooms(10, 9, weight=WEIGHT))
    assert abs(rooms.mean() - exact) < 4 * rooms.std() / len(rooms) ** 0.5


def test_refused():
    with pytest.raises(MemoryError, match="bytes needed for the weights of 40 x 40"):
        rowwise.draw(40, 40, 1, np.random.default_rng(1))
    with pytest.raises(ValueError, match=r"not 0.5"):
        rowwise.draw(4, 4, 1, np.random.default_rng(1), weight=0.5)
