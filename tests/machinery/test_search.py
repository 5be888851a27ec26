"""What Solution and Solutions claim; boards packed; limits."""

from typing import NamedTuple

import numpy as np
import pytest

from puzzlekit.machinery import search


@pytest.mark.parametrize(
    "answers, complete, limit, unique",
    [
        (0, True, 2, False),
        (1, True, 2, True),
        (2, True, 2, False),
        (0, False, 2, None),
        (1, False, 2, None),
        (2, False, 5, False),
        (1, True, 1, None),
        (0, True, 1, False),
    ],
)
def test_unique_only_where_it_is_certain(answers, complete, limit, unique):
    assert search.Solution(np.zeros((answers, 2, 2), np.uint8), complete, 3, limit).unique is unique


def batch_of(counts, complete, limit):
    """Solutions of some 1 x 2 boards, board i's answers [i, 0] and [i, 1]."""
    b = len(counts)
    kept = np.array([[i, 0, i, 1] for i in range(b)], np.uint8).ravel()
    shapes = np.tile([1, 2], (b, 1))
    return search.Solutions(np.array(counts), np.arange(b), np.array(complete), limit, shapes, kept, 2 * np.arange(b))


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_many_claim_what_one_claims(limit):
    cases = [(n, complete) for n in range(limit + 1) for complete in (True, False)]
    many = batch_of(*zip(*cases, strict=True), limit)
    assert len(many) == len(cases)
    for i, (n, complete) in enumerate(cases):
        one = many[i]
        assert one.answers.tolist() == [[[i, 0]], [[i, 1]]][: min(n, search.KEPT)]
        assert (one.complete, one.branch_points, one.limit) == (complete, i, limit)
        assert (True if many.unique[i] else None if many.unknown[i] else False) is one.unique
    with pytest.raises(IndexError):
        many[len(cases)]


class Grids(NamedTuple):
    clues: np.ndarray
    regions: np.ndarray


def test_packing():
    one, two = (
        Grids(np.full(shape, i, np.int32), np.full(shape, -i, np.int32)) for i, shape in ((1, (2, 3)), (2, (1, 1)))
    )
    batch = search.pack(iter([one, two]), "clues", "regions")
    assert batch.shapes.tolist() == [[2, 3], [1, 1]] and batch.starts.tolist() == [0, 6, 7]
    assert [layer.tolist() for layer in batch.layers] == [[1] * 6 + [2], [-1] * 6 + [-2]]
    assert search.pack(batch, "clues", "regions") is batch
    none = search.pack([], "clues")
    assert none.shapes.shape == (0, 2) and none.starts.tolist() == [0] and none.layers[0].dtype == np.int32


def test_limits_and_budgets():
    assert search.check_limits(np.int64(3), None) == (3, search.NO_BUDGET) and search.check_limits(2, 0) == (2, 0)
    for limit, budget in ((0, None), (True, None), (2.0, None), (2, -1), (2, 1.5), (2, False)):
        with pytest.raises(ValueError, match="must be a"):
            search.check_limits(limit, budget)
