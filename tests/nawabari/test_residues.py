import csv
from pathlib import Path

import numpy as np
import pytest

from puzzlekit.machinery import remainders
from puzzlekit.nawabari import profile, residues

DATA = Path(__file__).parents[2] / "data"


def squares():
    """Every stored term: published, computed earlier by others, and by the long run."""
    with open(DATA / "published" / "oeis.csv", newline="") as file:
        named = {"A182275", "nawabari squares"}
        return {int(row["n"]): int(row["value"]) for row in csv.DictReader(file) if row["sequence"] in named}


def in_words(lines, across):
    """The vertex model modulo 2 ** 64: sums that wrap around, every line from the top, nothing reduced, nothing met
    halfway.
    """
    plain = np.ones(1 << (across - 1), np.uint64)
    for _ in range(lines - 1):
        left = plain.copy()
        for point in range(across - 1):
            a, b = plain.reshape(-1, 2, 1 << point), left.reshape(-1, 2, 1 << point)
            both = b[:, 1].copy()
            b[:, 1] += a[:, 1] + b[:, 0]
            b[:, 0] += both
            a[:, 1] += both
        plain += left
    return int(plain.sum(dtype=np.uint64))


@pytest.mark.parametrize("n", range(1, 19))
def test_squares_in_words(n):
    assert in_words(n, n) == squares()[n] % 2**64


@pytest.mark.parametrize("n", range(1, 25))
def test_squares_by_one_modulus_more(n):
    """None of those that `count` joins, so a slip in any residue or in joining them shows."""
    bits = squares()[n].bit_length()
    modulus = remainders.moduli(bits // 62 + 3)[-1]
    assert residues.residue(n, n, modulus) == squares()[n] % modulus


@pytest.mark.parametrize("n", range(2, 20))
def test_rectangles_beside_the_squares_turned(n):
    """Down the rows and across them are different states and a different number of lines."""
    modulus = remainders.moduli(1)[0]
    across, along = residues.residue(n, n - 1, modulus), residues.residue(n - 1, n, modulus)
    assert across == along == profile.count(n, n - 1) % modulus


def test_the_diagram_knows_neither_points_in_turn_nor_residues():
    for n in (13, 14):
        assert profile.diagram(n, n).count() == squares()[n]


@pytest.mark.parametrize("tile_bits", [1, 2, 3, 4, 7])
def test_tiles_of_any_size(tile_bits, monkeypatch):
    """At the usual size only grids over 16 cells across have high points."""
    monkeypatch.setattr(residues, "_TILE_BITS", tile_bits)
    for rows, cols in [(7, 12), (6, 11), (9, 3), (2, 9), (12, 5)]:
        assert residues.residue(rows, cols, 10**18 + 9) == profile.diagram(rows, cols).count() % (10**18 + 9)


def test_a_sweep_stops_and_goes_on_at_any_line():
    modulus, rows, cols = 10**17 + 3, 11, 9
    whole = profile.diagram(rows, cols).count() % modulus
    weights, by_line = residues.first_line(cols), []
    for _ in range(rows):
        assert weights.dtype == np.uint64 and weights.shape == (2 ** (cols - 1),) and int(weights.max()) < modulus
        by_line.append(weights)
        weights = residues.advance(weights, 1, modulus)
    for line in range(rows):
        assert residues.meet(by_line[line], by_line[rows - 1 - line], modulus) == whole
    assert (residues.advance(by_line[2], 5, modulus) == by_line[7]).all()
    assert (residues.advance(by_line[3], 0, modulus) == by_line[3]).all()


@pytest.mark.parametrize("modulus", [2, 3, 2**61 - 1, 2**63 - 1, 2**63])
def test_moduli_up_to_the_largest(modulus):
    for rows, cols in [(1, 1), (1, 8), (8, 1), (6, 7), (12, 12)]:
        assert residues.residue(rows, cols, modulus) == profile.count(rows, cols) % modulus


@pytest.mark.parametrize("rows, cols", [(1, 1), (40, 1), (2, 2), (300, 3), (12, 12), (17, 5)])
def test_bits_are_never_too_few_and_at_most_one_too_many(rows, cols):
    bits = profile.count(rows, cols).bit_length()
    assert bits <= residues.bits_needed(rows, cols) <= bits + 2


@pytest.mark.parametrize("modulus", [1, 0, -5, 2**63 + 1])
def test_what_is_no_modulus(modulus):
    with pytest.raises(ValueError, match=f"a modulus is a whole number from 2 to {2**63}, not {modulus}"):
        residues.residue(3, 3, modulus)


def test_memory_is_stated_before_it_is_spent():
    with pytest.raises(MemoryError, match="12,582,912 bytes needed to count 23 x 20, the budget is 1,048,576"):
        residues.count(23, 20, budget=1 << 20)
    with pytest.raises(MemoryError, match="bytes needed to count 2 x 60"):
        residues.residue(2, 60, 7)
    assert residues.count(2, 60) == residues.count(60, 2)
