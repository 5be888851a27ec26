"""Walls against what they stand for: shading cells that may not touch, in a random order, and taking them back."""

import numpy as np
import pytest

from puzzlekit.machinery import grid, walls
from puzzlekit.machinery.grid import SHADED, UNSHADED
from puzzlekit.machinery.kernels import kernel


@kernel
def shade(rows, cols, cells, back, verdicts, rings, sizes):
    """Shade cells until one closes a ring, take `back` of them away and shade them again.

    Writes for each cell whether it met a wall twice, and the ring that was found with it; returns the walls' labels.
    """
    n = rows * cols
    w = walls.walls(rows, cols)
    state = np.ones(n + 2, np.uint8)
    place = np.zeros(n, np.int32)
    for turn in range(2):
        for i in range(0 if turn == 0 else max(0, len(cells) - back), len(cells)):
            cell = cells[i]
            verdicts[i] = walls.meets_itself(w, cell)
            sizes[i] = walls.ring(w, cell, state, place, i, rings[i])
            state[cell] = SHADED
            place[cell] = i
            walls.plant(w, cell)
            for j in range(5):
                other = w.wall[w.corners[cell, j]]
                if other >= 0 and other != w.wall[cell]:
                    one = w.wall[cell]
                    if w.size[one] > w.size[other]:
                        one, other = other, one
                    walls.merge(w, one, other)
        if turn == 0:
            for i in range(len(cells) - 1, max(0, len(cells) - back) - 1, -1):
                walls.uproot(w, cells[i])
                state[cells[i]] = UNSHADED
    return w.wall


def is_split(rows, cols, shaded):
    """Whether the unshaded cells are in pieces or none."""
    labels = np.zeros((rows, cols), int)
    labels.ravel()[shaded] = 1
    found = grid.pieces(labels)
    return len(set(found[labels == 0].tolist())) != 1


@pytest.mark.parametrize("rows, cols", [(2, 2), (2, 5), (3, 3), (5, 4), (6, 7), (9, 9)])
def test_rings_are_what_splits(rows, cols):
    rng, closed = np.random.default_rng(rows), 0
    near = grid.neighbours(rows, cols)
    for _ in range(150):
        cells = []
        for cell in rng.permutation(rows * cols).tolist():
            if not set(near[cell].tolist()) & set(cells):
                cells.append(cell)
                if is_split(rows, cols, cells):
                    break
        n = len(cells)
        verdicts, rings, sizes = np.zeros(n, bool), np.zeros((n, rows * cols), np.int32), np.zeros(n, np.int64)
        labels = shade(rows, cols, np.array(cells), int(rng.integers(0, n + 1)), verdicts, rings, sizes)
        split = [is_split(rows, cols, cells[: i + 1]) for i in range(n)]
        assert verdicts.tolist() == split
        for i in range(n):
            assert (sizes[i] >= 0) == split[i]
            if split[i]:
                ring = [*rings[i][: sizes[i]].tolist(), cells[i]]
                assert len(set(ring)) == len(ring) and set(ring) <= set(cells[: i + 1])
                assert is_split(rows, cols, ring)
        closed += split[-1]
        assert {cell for cell in range(rows * cols) if labels[cell] >= 0} == set(cells)
    assert closed > 20


def test_a_single_row_has_no_corners():
    found = shade(1, 5, np.array([0, 4]), 0, np.zeros(2, bool), np.zeros((2, 5), np.int32), np.zeros(2, int))
    assert found.tolist()[:6] == [5, walls.APART, walls.APART, walls.APART, 5, 5]
