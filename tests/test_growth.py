"""Bounds of the growth of Usowan's answers: wired strips against all their shadings, and roots against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from oracles import usowan as oracle

from puzzlekit import usowan
from puzzlekit.studies import growth


def wired(rows, width):
    """Shadings of a strip with an unshaded frame around it: no two touch, what is unshaded is one piece. All tried."""
    return sum(
        oracle.is_one_region(rows + 2, width + 2, np.pad(np.reshape(cells, (rows, width)), 1).ravel())
        for cells in oracle.independent_sets(rows, width)
    )


@pytest.mark.parametrize("rows, width", [(1, 1), (4, 1), (1, 4), (3, 3), (4, 3), (3, 4), (5, 3), (2, 6)])
def test_paths_of_a_strip_are_its_shadings(rows, width):
    tables = growth.strip(width)
    ways = np.zeros(len(tables[0]), object)
    ways[1] = 1
    for table in list(reversed(tables)) * (rows + 1):  # the last row is the unshaded one
        ways = ways[table[:, 0]] + ways[table[:, 1]]
        ways[0] = 0
    assert ways[1] == wired(rows, width)


@pytest.mark.parametrize("width", range(1, 8))
def test_the_eigenvalue_lies_between(width):
    tables = growth.strip(width)
    matrix = np.eye(len(tables[0]))
    for table in reversed(tables):
        matrix = matrix[table[:, 0]] + matrix[table[:, 1]]
        matrix[0] = 0
    largest = max(abs(np.linalg.eigvals(matrix[1:, 1:])))
    found = growth.growth(width)
    assert found.least <= largest * (1 + 1e-9) and largest * (1 - 1e-9) <= found.most
    assert (found.most - found.least) / found.least < 1e-11
    assert Fraction(found.lower) ** (width + 1) <= found.least and Fraction(found.upper) ** width >= found.most


def test_bounds_hold_for_finite_grids():
    """Blocks with white lines around them are below the growth; and wired strips bound every answer of a grid."""
    best = max(growth.growth(width).lower for width in range(1, 9))
    least = min(growth.growth(width).upper for width in range(1, 9))
    assert best < least
    for n in (4, 8, 12):
        assert Fraction(least) ** ((n + 1) ** 2) > usowan.count(n, n)
    for width, n in ((2, 8), (3, 9), (4, 12)):
        assert usowan.count(n, n) <= wired_paths(n, width) ** (n // width)


def wired_paths(rows, width):
    tables = growth.strip(width)
    ways = np.array([0] + [1] * (len(tables[0]) - 1), object)
    for table in list(reversed(tables)) * rows:
        ways = ways[table[:, 0]] + ways[table[:, 1]]
        ways[0] = 0
    return ways[1]


def test_roots_are_rounded_outwards():
    for value, degree in ((Fraction(7, 5), 3), (Fraction(10**9 + 7), 17), (Fraction(64), 6), (Fraction(81), 4)):
        low, high = (growth.root(value, degree, below=below) for below in (True, False))
        assert Fraction(low) ** degree <= value <= Fraction(high) ** degree and high - low <= Fraction(1, 10**6)


def test_what_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="width must be from 1 to 24, not 0"):
        growth.growth(0)
    with pytest.raises(RuntimeError, match="2 rows are too few"):
        growth.strip(6, rows=2)
