"""Cuts in one pass against taking each cell away in turn."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from puzzlekit.machinery import connectivity, grid
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.machinery.kernels import kernel


@kernel
def run(near, state, eager, role, order, low, parent, turn, anchored):
    return connectivity.cuts(near, state, eager, role, order, low, parent, turn, anchored)


def cuts(cells, eager):
    near = grid.neighbours(*cells.shape)
    near = np.where(near < 0, np.int32(cells.size), near)
    state = np.append(cells.ravel(), UNSHADED).astype(np.uint8)
    kinds = (np.uint8, np.int32, np.int32, np.int32, np.int32, np.uint8)
    role, *scratch = (np.full(cells.size, 77, kind) for kind in kinds)  # scratch may hold anything
    found = run(near, state, eager, role, *scratch)
    assert (state[:-1] == cells.ravel()).all()
    return found, role.reshape(cells.shape)


def reached(open_cells, start):
    seen, stack = {start}, [start]
    while stack:
        r, c = stack.pop()
        for there in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
            if there in open_cells and there not in seen:
                seen.add(there)
                stack.append(there)
    return seen


def naive(cells, eager):
    """The roles by their definitions, or None when two unshaded cells are apart."""
    role = np.full(cells.shape, UNKNOWN)
    unshaded = {cell for cell in np.ndindex(cells.shape) if cells[cell] == UNSHADED}
    open_cells = {cell for cell in np.ndindex(cells.shape) if cells[cell] != SHADED}
    if not unshaded:
        return role
    here = reached(open_cells, min(unshaded))
    if not unshaded <= here:
        return None
    for cell in open_cells - unshaded:
        if cell not in here:
            role[cell] = SHADED
        else:
            left = reached(open_cells - {cell}, min(unshaded))
            whole = left == here - {cell} if eager else unshaded <= left
            role[cell] = UNKNOWN if whole else UNSHADED
    return role


def states(unshaded, unknown):
    """Grids of states; the chances of the first two, the rest is shaded."""
    shape = st.tuples(st.integers(1, 9), st.integers(1, 9))
    mix = st.sampled_from([UNSHADED] * unshaded + [UNKNOWN] * unknown + [SHADED])
    return shape.flatmap(lambda shape: arrays(np.uint8, shape, elements=mix))


def compare(cells):
    for eager in (False, True):
        found, role = cuts(cells, eager)
        expected = naive(cells, eager)
        if expected is None:
            assert found == connectivity.SPLIT
        else:
            assert (role == expected).all()
            assert found == (expected != UNKNOWN).sum()


@settings(max_examples=150, deadline=None)
@given(states(unshaded=1, unknown=1))
def test_any_state(cells):
    compare(cells)


@settings(max_examples=150, deadline=None)
@given(states(unshaded=1, unknown=6))
def test_mostly_unknown(cells):
    compare(cells)


def test_random_states_that_are_not_split():
    """Real search states: few shaded cells, most of them apart; every role occurs often."""
    rng, roles = np.random.default_rng(11), np.zeros(3, int)
    mixes = [[0.8, 0.05, 0.15], [0.6, 0.1, 0.3], [0.5, 0.02, 0.48]]
    for _ in range(400):
        cells = rng.choice([UNKNOWN, UNSHADED, SHADED], rng.integers(2, 10, 2), p=rng.choice(mixes))
        compare(cells.astype(np.uint8))
        expected = naive(cells, False)
        if expected is not None:
            roles += np.bincount(expected.ravel(), minlength=3)
    assert roles.min() > 100


def test_by_hand():
    cells = np.array([[1, 0, 1], [2, 2, 0], [0, 2, 0]], np.uint8)
    assert cuts(cells, False)[1].tolist() == [[0, 1, 0], [0, 0, 0], [2, 0, 0]]  # the way across; the corner cut off
    assert cuts(cells, True)[1].tolist() == [[0, 1, 0], [0, 0, 1], [2, 0, 0]]  # the last corner hangs on it
    assert cuts(np.array([[1, 2, 1]], np.uint8), False)[0] == connectivity.SPLIT
    assert cuts(np.array([[0, 2, 0]], np.uint8), False)[0] == 0  # nobody is unshaded yet
