import csv
import tracemalloc
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from oracles import tasquare as oracle
from oracles import usowan as usowan_oracle

from puzzlekit.tasquare import profile
from puzzlekit.tasquare.clued import count_answers
from puzzlekit.tasquare.rules import NO_CLUE, Board, check

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
SHAPES = [(rows, cols) for rows in range(1, 17) for cols in range(1, 17) if rows * cols <= 16]
CLAUSES = [(connected, squares) for connected in (True, False) for squares in (True, False)]


def published(sequence):
    with open(PUBLISHED / "oeis.csv", newline="") as file:
        return {row["n"]: int(row["value"]) for row in csv.DictReader(file) if row["sequence"] == sequence}


def article(label):
    with open(PUBLISHED / "tasquare.csv", newline="") as file:
        return next(row["value"] for row in csv.DictReader(file) if row["label"] == label)


def both_ways(rows, cols, **clauses):
    found = {profile.diagram(rows, cols, transpose=t, **clauses).count() for t in (False, True)}
    assert len(found) == 1
    return found.pop()


@pytest.mark.parametrize("rows, cols", SHAPES)
def test_answers_are_those_of_brute_force(rows, cols):
    for connected, squares in CLAUSES:
        if not squares and rows * cols > 12:
            continue
        exact = oracle.shadings(rows, cols, connected=connected, squares=squares)
        clauses = {"connected": connected, "squares": squares}
        assert both_ways(rows, cols, **clauses) == len(exact)
        found = profile.answers(rows, cols, **clauses)
        assert found.dtype == np.uint8 and found.shape == (len(exact), rows, cols)
        assert sorted(map(tuple, found.reshape(len(exact), -1).tolist())) == exact
        shaded = np.array(exact).sum(axis=0).reshape(rows, cols)
        assert profile.marginals(rows, cols, **clauses).tolist() == shaded.tolist()
        if squares:
            times = oracle.composition(rows, cols, exact)
            found = profile.composition(rows, cols, connected=connected)
            assert found == (len(exact), int(shaded.sum()), times)


@pytest.mark.parametrize("rows, cols", [(4, 5), (5, 4)])
def test_larger_answers_are_those_of_brute_force(rows, cols):
    exact = oracle.shadings(rows, cols)
    found = profile.answers(rows, cols).reshape(-1, rows * cols)
    assert sorted(map(tuple, found.tolist())) == exact and len(exact) == 3783


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 7), (3, 4), (4, 4), (5, 3)])
def test_sides_are_capped(rows, cols):
    for connected in (True, False):
        for cap in range(1, 6):
            exact = oracle.shadings(rows, cols, connected=connected, max_side=cap)
            assert both_ways(rows, cols, connected=connected, max_side=cap) == len(exact)
            assert max(profile.composition(rows, cols, connected=connected, max_side=cap).squares) <= cap


def test_enumerations_computed_earlier():
    for sequence, connected in (("tasquare", True), ("tasquare, may split", False)):
        for n, value in published(sequence).items():
            rows, cols = map(int, n.split(","))
            assert both_ways(rows, cols, connected=connected) == both_ways(cols, rows, connected=connected) == value


@pytest.mark.parametrize("last", [12, pytest.param(14, marks=pytest.mark.full)])
def test_squares_computed_earlier(last):
    squares = published("tasquare squares")
    for n in range(1, last + 1):
        assert profile.count(n, n) == squares[str(n)]
    assert squares["8"] == 308954964834 and squares["12"] == 79483030837772295689698468


def test_connected_sets_of_cells():
    """OEIS A059525 and A287151: non-empty connected sets, where all cells are counted and none are not."""
    table = published("A287151")
    for n, value in table.items():
        rows, cols = map(int, n.split(","))
        if min(rows, cols) <= 7:
            assert profile.count(rows, cols, squares=False) == value
    for n, value in published("A059525").items():
        if 1 <= int(n) <= 14:  # 15 takes seconds, 16 a minute
            assert profile.count(int(n), int(n), squares=False) == value
    assert profile.count(10, 10, squares=False) == 284374318545830329487309785


def test_neither_clause_leaves_every_shading_but_none():
    for rows, cols in [(1, 1), (1, 9), (3, 5), (8, 8)]:
        assert profile.count(rows, cols, connected=False, squares=False) == 2 ** (rows * cols) - 1


def test_single_cells_are_independent_sets_but_the_empty_one():
    for n, value in published("A006506").items():
        if int(n) <= 12:
            assert profile.count(int(n), int(n), connected=False, max_side=1) == value - 1
    squares = published("usowan squares")
    for n in range(2, 13):
        assert profile.count(n, n, max_side=1) == squares[str(n)] - 1
    for rows, cols in [(2, 5), (3, 4), (4, 4)]:  # and with the unshaded cells in one region, by brute force
        assert profile.count(rows, cols, max_side=1) == len(usowan_oracle.shadings(rows, cols)) - 1


def test_composition_of_the_article():
    ten = profile.composition(10, 10)
    assert ten.answers == profile.count(10, 10) == 946392348293841287
    assert ten.squares[9] == 4 and ten.squares[10] == 1
    assert f"{float(ten.mean_shaded):.2f}" == article("composition/10x10/mean shaded")
    assert f"{float(sum(ten.mean_squares.values())):.2f}" == article("composition/10x10/mean squares")
    for side in (1, 2, 3):
        assert f"{float(ten.mean_squares[side]):.2f}" == article(f"composition/10x10/squares of side {side}")
    for n in (6, 8):
        assert f"{float(profile.composition(n, n).mean_shaded):.3f}" == article(f"sampler/{n}x{n}/exact mean shaded")


def test_composition_adds_up():
    for rows, cols in [(1, 12), (6, 9), (9, 6), (7, 7)]:
        parts = profile.composition(rows, cols)
        assert parts.shaded == profile.marginals(rows, cols).sum()
        assert parts.mean_shaded == profile.diagram(rows, cols).expected([[0, 1]] * (rows * cols))
        side = min(rows, cols)
        assert list(parts.squares) == list(range(1, side + 1))
        if rows == cols:
            assert parts.squares[side] == 1
        for transpose in (True, False):
            assert profile.diagram(rows, cols, transpose=transpose).totals() == [0, *parts.squares.values()]


@pytest.mark.parametrize("rows, cols", [(7, 11), (5, 11), (3, 10), (1, 20)])
def test_counting_down_or_across_is_the_same(rows, cols):
    assert both_ways(rows, cols) == both_ways(cols, rows)
    assert both_ways(rows, cols, connected=False) == both_ways(cols, rows, connected=False)


@pytest.mark.parametrize("rows, cols", [(6, 6), (5, 8), (9, 9)])
def test_marginals_have_the_symmetries_of_the_grid(rows, cols):
    shaded = profile.marginals(rows, cols)
    assert (shaded == shaded[::-1]).all() and (shaded == shaded[:, ::-1]).all()
    assert (profile.marginals(cols, rows) == shaded.T).all()
    space = profile.diagram(rows, cols)
    assert (space.marginals().sum(axis=1) == space.count()).all()


def test_unranked_answers_differ_and_are_right():
    empty = Board(np.full((5, 5), NO_CLUE))
    space = profile.diagram(5, 5)
    answers = space.unrank(range(space.count()))
    assert len(np.unique(answers, axis=0)) == space.count() == 29459
    for answer in answers[::97]:
        assert check(empty, answer.reshape(5, 5)) is None


def test_enumeration_of_six_by_six():
    total, shaded = 0, 0
    for part in profile.answers(6, 6, chunk=1 << 18):
        total += len(part)
        shaded += int(part.sum())
    assert total == 2804105 and Fraction(shaded, total) == profile.composition(6, 6).mean_shaded


def test_draws_agree_with_the_marginals():
    n = 40_000
    share = profile.draw(8, 8, n, np.random.default_rng(12)).mean(axis=0)
    exact = (profile.marginals(8, 8) / profile.count(8, 8)).astype(float)
    assert (abs(share - exact) < 4.5 * np.sqrt(exact * (1 - exact) / n)).all()


def test_every_small_answer_is_drawn_as_often():
    n = 43_000
    drawn = profile.draw(3, 3, n, np.random.default_rng(13)).reshape(n, 9)
    answers, times = np.unique(drawn, axis=0, return_counts=True)
    assert len(answers) == 43 and abs(times - n / 43).max() < 4.5 * sqrt(n / 43)


def test_draws_on_a_wide_grid_are_answers():
    empty = Board(np.full((9, 14), NO_CLUE))
    for answer in profile.draw(9, 14, 20, np.random.default_rng(14)):
        assert check(empty, answer) is None
    for answer in profile.draw(8, 8, 20, np.random.default_rng(15), connected=False):
        assert check(Board(np.full((8, 8), NO_CLUE)), answer, "white may split") is None


def fewest_states(space):
    """States of each kind that are left when all with equal futures are one, told apart from the ends backwards."""
    tables, follows = space._tables, dict(pairwise(space.kinds))
    classes = {kind: np.minimum(np.arange(len(table)), 1) for kind, table in tables.items()}
    classes[space.kinds[-1]][1:] += space._final[1:]
    while True:
        finer = {}
        for kind, table in tables.items():
            together = np.column_stack([classes[kind], classes[follows[kind]][table]])
            finer[kind] = np.unique(together, axis=0, return_inverse=True)[1].ravel()
        if all(classes[kind].max() == finer[kind].max() for kind in tables):
            return {kind: int(found.max()) for kind, found in classes.items()}
        classes = finer


@pytest.mark.parametrize("cols, few", [(6, 1.07), (8, 1.09)])
def test_nearly_all_equal_futures_are_merged(cols, few):
    for off, most in (({}, few), ({"max_side": 1}, 1.03), ({"connected": False}, 1)):
        space = profile.diagram(cols + 12, cols, transpose=False, **off)
        fewest = fewest_states(space)
        inside = [(False, col) for col in range(cols)]
        ratio = sum(len(space._tables[kind]) - 1 for kind in inside) / sum(fewest[kind] for kind in inside)
        assert 1 <= ratio <= most


def test_merging_changes_no_count():
    """Under no clues the sweep of clued.py, which merges no futures, counts the same."""
    for rows, cols in [(9, 9), (8, 11)]:
        assert count_answers(Board(np.full((rows, cols), NO_CLUE))) == profile.count(rows, cols)


@pytest.mark.parametrize("clauses", profile._GROWTH)
def test_states_are_expected_a_little_too_many(clauses):
    connected, squares, cap = clauses
    for n in (9, 12):
        space = profile.diagram(n, n, connected=connected, squares=squares, max_side=cap or None)
        expected = max(profile._room(space.kinds, n, connected, squares, cap).values())
        found = max(len(table) for table in space._tables.values())
        assert found <= expected < 1.15 * found + 20


@pytest.mark.parametrize("what", [partial(profile.count, 13, 13), partial(profile.marginals, 12, 12)])
def test_memory_is_stated_before_it_is_spent(what):
    with pytest.raises(
        MemoryError, match=r"^[\d,]+ bytes needed for a 1. x 1. grid, the budget is 9,999,999$"
    ) as error:
        what(budget=9_999_999)
    stated = int(str(error.value).split()[0].replace(",", ""))
    tracemalloc.start()
    try:
        what(budget=stated)
        assert 0.7 < tracemalloc.get_traced_memory()[1] / stated < 1.05
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "question", [profile.diagram, profile.count, profile.composition, profile.answers, profile.marginals]
)
def test_what_does_not_fit_is_refused(question):
    with pytest.raises(MemoryError, match="bytes needed for a 20 x 20 grid, the budget is 8,589,934,592"):
        question(20, 20)
    with pytest.raises(MemoryError, match=r"the budget is 1$"):
        question(4, 4, budget=1)


def test_what_is_too_large_says_so():
    with pytest.raises(ValueError, match=r"308954964834 answers of 8 x 8 .* chunk"):
        profile.answers(8, 8)
    with pytest.raises(ValueError, match="chunk must be at least 1, not 0"):
        profile.answers(3, 3, chunk=0)
    with pytest.raises(ValueError, match=r"21 x 40 grid is too wide: .* at most 20 cells, not 21"):
        profile.count(21, 40)
    with pytest.raises(ValueError, match="rows must be a whole number of at least 1, not 0"):
        profile.count(0, 3)
    with pytest.raises(ValueError, match="max_side must be a whole number of at least 1, not 0"):
        profile.count(3, 3, max_side=0)
    with pytest.raises(ValueError, match="max_side is about squares"):
        profile.count(3, 3, squares=False, max_side=2)
    assert profile.count(1, 30) == 3
