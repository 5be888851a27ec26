"""Maximal shadings: brute force, a second method, everything published, both ways round."""

import csv
import tracemalloc
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from oracles import usowan as oracle
from oracles import usowan_maximal as marks

from puzzlekit.usowan import extremes, maximal
from puzzlekit.usowan.maximal_residue import maximal_residue

PUBLISHED = Path(__file__).parents[2] / "data" / "published" / "oeis.csv"
SMALL = [(rows, cols) for rows in range(2, 7) for cols in range(2, 7) if rows * cols <= 25]


def published(sequence):
    with open(PUBLISHED, newline="") as file:
        return {row["n"]: int(row["value"]) for row in csv.DictReader(file) if row["sequence"] == sequence}


@pytest.mark.parametrize("rows, cols", SMALL)
def test_shadings_are_those_of_brute_force(rows, cols):
    exact = oracle.maximal(rows, cols)
    for transpose in (False, True):
        space = maximal.diagram(rows, cols, transpose=transpose)
        assert sorted(map(bytes, space.unrank(range(space.count())))) == [bytes(shading) for shading in exact]


@pytest.mark.parametrize("n", range(1, 9))
def test_strips(n):
    exact = len(oracle.maximal(1, n))
    assert maximal.count_maximal(1, n) == maximal.count_maximal(n, 1) == exact


def test_published_tables():
    table = published("A320500")
    assert len(table) == 83
    for n, value in table.items():
        rows, cols = map(int, n.split(","))
        assert maximal.count_maximal(rows, cols, transpose=False) == value, n
    squares = published("A320501")
    assert [maximal.count_maximal(n, n) for n in range(1, 10)] == [squares[str(n)] for n in range(1, 10)]


def test_maximal_answers_computed_earlier():
    for n, value in published("usowan maximal").items():
        assert maximal.count_maximal(*map(int, n.split(","))) == value


@pytest.mark.parametrize("rows, cols", [(2, 10), (7, 9), (9, 10)])
def test_counting_down_or_across_is_the_same(rows, cols):
    across = maximal.count_maximal(rows, cols, transpose=False)
    assert across == maximal.count_maximal(rows, cols, transpose=True) == maximal.count_maximal(cols, rows)


@pytest.mark.parametrize("rows, cols", [(2, 2), (2, 7), (7, 2), (3, 3), (3, 8), (8, 4), (5, 6), (6, 6), (9, 5)])
def test_inclusion_and_exclusion_gives_the_same(rows, cols):
    assert marks.count(rows, cols) == maximal.count_maximal(rows, cols)
    assert marks.count(rows, cols, 97) == maximal.count_maximal(rows, cols) % 97


def test_widest_layers():
    widest = {4: 61, 5: 208, 6: 674, 7: 2188, 8: 7120, 9: 23223}
    assert {n: maximal.diagram(n, n).states for n in widest} == widest


def test_draws_are_maximal_and_uniform():
    drawn = maximal.draw_maximal(3, 3, 11_000, np.random.default_rng(5)).reshape(-1, 9)
    shadings, times = np.unique(drawn, axis=0, return_counts=True)
    assert [tuple(s) for s in shadings.tolist()] == oracle.maximal(3, 3)
    assert abs(times - 1000).max() < 4.5 * sqrt(1000)
    for shading in maximal.draw_maximal(7, 11, 20, np.random.default_rng(6)):
        more = np.eye(77, dtype=np.uint8).reshape(77, 7, 11)[shading.ravel() == 0]
        assert can_be(shading) and not any(can_be(shading + cell) for cell in more)


def can_be(shading):
    touching = (shading[1:] & shading[:-1]).any() or (shading[:, 1:] & shading[:, :-1]).any()
    return not touching and oracle.is_one_region(*shading.shape, shading.ravel())


def test_marginals_have_the_symmetries_of_the_grid():
    shaded = maximal.diagram(8, 8).marginals()[:, 1].reshape(8, 8)
    assert (shaded == shaded[::-1]).all() and (shaded == shaded[:, ::-1]).all() and (shaded == shaded.T).all()


def test_what_does_not_fit_says_so():
    with pytest.raises(ValueError, match="at least 2 x 2 cells, not 1 x 5; count_maximal"):
        maximal.diagram(1, 5)
    with pytest.raises(ValueError, match=r"16 x 17 grid is too wide: .* at most 15 cells"):
        maximal.count_maximal(16, 17)
    with pytest.raises(ValueError, match="cols must be a whole number of at least 1, not 0"):
        maximal.count_maximal(3, 0)
    with pytest.raises(MemoryError, match="the budget is 1,000,000"):
        maximal.count_maximal(10, 10, budget=1_000_000)


def test_memory_is_estimated_beforehand():
    """Once the estimate is affordable the states are found within it, and it is not three times too much."""
    maximal.count_maximal(2, 2)  # kernels are loaded
    for n in (8, 9, 10):
        with pytest.raises(MemoryError, match=f"states of a {n} x {n} grid") as refused:
            maximal.diagram(n, n, budget=1)
        stated = int(str(refused.value).split()[0].replace(",", ""))
        tracemalloc.start()
        maximal.diagram(n, n, budget=stated).count()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < stated < 3 * peak
    with pytest.raises(MemoryError, match="states of a 15 x 20 grid, the budget is 8,589,934,592"):
        maximal.count_maximal(15, 20)


def test_a_key_without_room_is_noticed():
    keys, full = np.zeros((1, 1), np.uint64), False
    for row in range(3):
        for col in range(15):
            after, allowed = np.zeros((len(keys), 2, 1), np.uint64), np.zeros((len(keys), 2), bool)
            full |= maximal._expand(keys, col, 15, row == 0, after, allowed)
            keys = np.unique(after[allowed])[:500, None]
    assert full


@pytest.mark.parametrize("rows, cols", [(2, 2), (2, 9), (9, 2), (3, 8), (6, 6), (8, 7)])
def test_residues_are_those_of_the_oracle_and_of_the_count(rows, cols):
    for transpose in (False, True):
        assert maximal_residue(rows, cols, transpose=transpose) == maximal.count_maximal(rows, cols)
    if rows * cols <= 36:
        assert marks.count(rows, cols, 1 << 64) == maximal_residue(rows, cols)


def test_residues_refuse_what_does_not_fit():
    with pytest.raises(ValueError, match="at least 2 x 2 cells, not 4 x 1"):
        maximal_residue(4, 1)
    with pytest.raises(ValueError, match="at most 15 cells, not 16"):
        maximal_residue(16, 17)
    with pytest.raises(MemoryError, match="the budget is 1,000,000"):
        maximal_residue(8, 8, budget=1_000_000)


@pytest.mark.parametrize("rows, cols", [(3, 3), (4, 6), (6, 6), (5, 7)])
def test_fewest_and_most_shaded_cells_by_inclusion_and_exclusion(rows, cols):
    sizes = marks.by_size(rows, cols)
    assert sum(sizes.values()) == marks.count(rows, cols)
    for end, size in zip(extremes(rows, cols, maximal_only=True), (min(sizes), max(sizes)), strict=True):
        assert (end.value, end.answers) == (size, sizes[size])
