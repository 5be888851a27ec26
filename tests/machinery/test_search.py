"""The trail and the way back: every state visited once, undone completely; what Solution and Solutions claim; boards
packed.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from puzzlekit.machinery import search
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.machinery.kernels import kernel


@kernel
def walk(order, forbidden, found):
    """All states of some cells, branching in an order; a state is given up once its first cells read `forbidden`.

    Returns how many. When a branch is given up, one more cell is settled first, as by a rung that fails halfway.
    """
    n = order.shape[0]
    state, trail, marks = np.zeros(n, np.uint8), np.full(n, -1, np.int32), np.zeros(n, np.int32)
    tail = depth = size = 0
    while True:
        dead = tail >= forbidden.shape[0] > 0
        for i in range(forbidden.shape[0]):
            dead = dead and state[order[i]] == forbidden[i]
        if dead and tail < n:
            state[order[tail]] = SHADED
            trail[tail] = order[tail]
        if not dead and tail < n:
            tail = search.branch(state, trail, tail, marks, depth, order[tail], SHADED)
            depth += 1
            continue
        if not dead:
            found[size] = state
            size += 1
        tail = search.retreat(state, trail, marks, depth)
        if tail == search.EXHAUSTED:
            return size
        depth -= 1
        for i in range(n):  # exactly the cells on the trail are settled
            if (state[order[i]] != UNKNOWN) != (i < tail) or (trail[i] >= 0) != (i < tail):
                return -1


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_every_state_once(n):
    order = np.random.default_rng(n).permutation(n).astype(np.int32)
    found = np.zeros((2**n, n), np.uint8)
    assert walk(order, np.zeros(0, np.uint8), found) == 2**n
    assert [tuple(state) for state in found[:, order]] == list(product((SHADED, UNSHADED), repeat=n))


@pytest.mark.parametrize("forbidden", [[SHADED], [UNSHADED], [SHADED, UNSHADED], [UNSHADED, UNSHADED, SHADED]])
def test_branches_given_up_are_left_out_and_undone(forbidden):
    n = 6
    found = np.zeros((2**n, n), np.uint8)
    size = walk(np.arange(n, dtype=np.int32), np.array(forbidden, np.uint8), found)
    expected = [state for state in product((SHADED, UNSHADED), repeat=n) if list(state[: len(forbidden)]) != forbidden]
    assert [tuple(state) for state in found[:size]] == expected


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
