"""The trail and the way back: every state visited once, undone completely; and what a Solution claims."""

from itertools import product

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
