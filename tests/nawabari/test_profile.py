import csv
import tracemalloc
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from oracles import nawabari as oracle
from scipy import stats

from puzzlekit.nawabari import points, profile
from puzzlekit.nawabari.rules import Board, as_walls

PUBLISHED = Path(__file__).parents[2] / "data" / "published" / "oeis.csv"
SHAPES = [(rows, cols) for rows in range(1, 13) for cols in range(1, 13) if rows * cols <= 12]


def published(sequence):
    with open(PUBLISHED, newline="") as file:
        return {row["n"]: int(row["value"]) for row in csv.DictReader(file) if row["sequence"] == sequence}


@cache
def dissections(rows, cols):
    return [oracle.ids(rows, cols, rooms) for rooms in oracle.by_rectangle(rows, cols)]


@pytest.mark.parametrize("rows, cols", SHAPES)
def test_answers_are_those_of_brute_force(rows, cols):
    exact = dissections(rows, cols)
    found = profile.answers(rows, cols)
    assert found.dtype == np.int32 and found.shape == (len(exact), rows, cols)
    assert {tuple(map(tuple, rooms)) for rooms in found.tolist()} == set(exact)
    assert profile.count(rows, cols) == len(exact)
    for transpose in (False, True):
        assert profile.diagram(rows, cols, transpose=transpose).count() == len(exact)


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 6), (5, 1), (2, 2), (2, 4), (4, 2), (3, 3), (2, 5)])
def test_the_two_oracles_agree(rows, cols):
    """One lays rectangles down, the other decides sides; neither knows of the other or of the sweep."""
    by_rectangle = [oracle.walls_of(rows, cols, rooms) for rooms in oracle.by_rectangle(rows, cols)]
    by_edge = list(oracle.by_edge(rows, cols))
    assert len(by_rectangle) == len(by_edge) and set(by_rectangle) == set(by_edge)


def test_published_squares():
    for n, value in published("A182275").items():
        assert profile.count(int(n), int(n)) == value
    assert profile.count(9, 9) == 3097923464622249063718465240


def test_squares_computed_earlier():
    squares = published("nawabari squares")
    for n in range(13, 21):
        assert profile.count(n, n) == squares[str(n)]


def test_published_rectangles():
    for sequence in ("A333476", "A116694"):
        for n, value in published(sequence).items():
            assert profile.count(*map(int, n.split(","))) == value
    for rows, sequence in ((2, "A034999"), (3, "A208215"), (4, "A220297"), (5, "A220298")):
        for n, value in published(sequence).items():
            assert profile.count(rows, int(n)) == profile.count(int(n), rows) == value


def by_hand(lines, across):
    """The vertex model in Python ints, with neither residues nor halves."""
    plain = np.array([1] * (1 << (across - 1)), object)
    for _ in range(lines - 1):
        left = plain.copy()
        for point in range(across - 1):
            a, b = plain.reshape(-1, 2, 1 << point), left.reshape(-1, 2, 1 << point)
            up, right, both = a[:, 1].copy(), b[:, 0].copy(), b[:, 1].copy()
            a[:, 1], b[:, 0], b[:, 1] = up + both, right + both, up + right + both
        plain = plain + left
    return sum(plain.tolist())


@pytest.mark.parametrize("rows, cols", [(7, 12), (12, 7), (13, 20), (14, 15), (16, 18), (1, 900), (3, 300), (9, 100)])
def test_counts_are_those_of_plain_additions(rows, cols):
    """The long ones need several batches of moduli."""
    assert profile.count(rows, cols) == by_hand(max(rows, cols), min(rows, cols))


def test_the_diagram_counts_as_the_residues_do():
    for rows, cols in [(6, 9), (12, 12), (16, 18), (2, 70)]:
        assert profile.diagram(rows, cols).count() == profile.count(rows, cols)


@pytest.mark.parametrize("rows, cols", [(3, 3), (2, 4), (4, 2), (1, 5)])
@pytest.mark.parametrize("weight", ["1", "0.15", "1/8", "5/2"])
def test_weights_marginals_and_mean_rooms(rows, cols, weight):
    weight = Fraction(weight)
    exact = np.array(dissections(rows, cols))
    weights = [weight ** (int(rooms.max()) + 1) for rooms in exact]
    scale = weight.denominator ** (rows * cols)
    assert profile.diagram(rows, cols, weight=weight).count() == sum(weights) * scale
    mean = sum(w * (int(rooms.max()) + 1) for w, rooms in zip(weights, exact, strict=True)) / sum(weights)
    assert profile.expected_rooms(rows, cols, weight=weight) == mean
    found = profile.marginals(rows, cols, weight=weight)
    walls = [as_walls(Board(np.full((rows, cols), -1)), rooms) for rooms in exact]
    for part in ("right", "down"):
        sums = sum(w * scale * getattr(answer, part).astype(object) for w, answer in zip(weights, walls, strict=True))
        assert getattr(found, part).tolist() == sums.tolist()


def test_marginals_have_the_symmetries_of_the_grid():
    right, down = profile.marginals(5, 7)
    assert (right == right[::-1]).all() and (right == right[:, ::-1]).all()
    assert (profile.marginals(7, 5).down == right.T).all() and (profile.marginals(7, 5).right == down.T).all()


@pytest.mark.parametrize("weight", [1, Fraction(1, 3)])
def test_draws_follow_the_weight(weight):
    exact = dissections(2, 4)
    n = 20_000
    drawn = Counter(
        tuple(map(tuple, rooms)) for rooms in profile.draw(2, 4, n, np.random.default_rng(5), weight=weight).tolist()
    )
    weights = np.array([float(weight) ** (max(map(max, rooms)) + 1) for rooms in exact])
    assert set(drawn) <= set(exact)
    test = stats.chisquare([drawn[rooms] for rooms in exact], n * weights / weights.sum())
    assert test.pvalue > 1e-3


def test_draws_are_dissections_and_repeat():
    for shape in [(9, 6), (6, 9), (1, 8), (12, 12)]:
        rooms = profile.draw(*shape, 20, np.random.default_rng(8), weight="0.1")
        assert (rooms == profile.draw(*shape, 20, np.random.default_rng(8), weight=Fraction(1, 10))).all()
        for one in rooms.tolist():
            cells = {}
            for r, line in enumerate(one):
                for c, room in enumerate(line):
                    cells.setdefault(room, []).append((r, c))
            assert all(map(oracle.is_rectangle, cells.values())) and list(cells) == list(range(len(cells)))


def test_mean_rooms_like_the_published_boards():
    """About 6.6 at 6 x 6 and 10.9 at 8 x 8, the published means before a hunt for unique boards selects."""
    assert 6 < profile.expected_rooms(6, 6, weight="0.15") < 7
    assert 9 < profile.expected_rooms(8, 8, weight="0.125") < 11
    assert 19 < profile.expected_rooms(6, 6) < 21


@pytest.mark.parametrize(
    "rows, cols, sides, legal", [(3, 3, 12, 322), (2, 5, 13, 650), (3, 4, 17, 3164), (1, 9, 8, 256)]
)
def test_legal_at_every_point_is_legal_as_a_whole(rows, cols, sides, legal):
    found = points.compare_wall_patterns(rows, cols)
    assert found == {"patterns": 2**sides, "local": legal, "whole": legal, "differ": 0}


def test_eight_patterns_of_sixteen():
    assert len(set(points.VERTEX_PATTERNS)) == 8
    elbows_and_stubs = {
        p for p in np.ndindex(2, 2, 2, 2) if sum(p) == 1 or (sum(p) == 2 and p not in [(1, 0, 1, 0), (0, 1, 0, 1)])
    }
    assert set(points.VERTEX_PATTERNS) == set(np.ndindex(2, 2, 2, 2)) - elbows_and_stubs
    board = Board(np.full((3, 4), -1))
    found = Counter()
    for rooms in profile.answers(3, 4):
        found.update(points.point_patterns(as_walls(board, rooms)))
    assert {pattern for pattern, times in found.items() if times} == set(points.VERTEX_PATTERNS)
    assert sum(found.values()) == 6 * 3164


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: profile.count(0, 3), ValueError, "rows must be a whole number of at least 1, not 0"),
        (
            lambda: profile.count(24, 24, budget=1 << 20),
            MemoryError,
            "bytes needed to count 24 x 24, the budget is 1,048,576",
        ),
        (lambda: profile.diagram(40, 32), ValueError, "a 40 x 32 grid is too wide"),
        (
            lambda: profile.draw(2, 2, 1, None, weight=0.15),
            ValueError,
            "weight must be a whole number, a Fraction or a str",
        ),
        (
            lambda: profile.draw(2, 2, 1, None, weight="much"),
            ValueError,
            "weight must be a whole number, a Fraction or a str",
        ),
        (lambda: profile.diagram(2, 2, weight=0), ValueError, "weight must be above 0"),
        (
            lambda: profile.diagram(2, 2, weight="0.123"),
            ValueError,
            "numerator and denominator up to 200, not 123/1000",
        ),
        (lambda: profile.answers(6, 6), ValueError, "pass chunk="),
        (lambda: profile.answers(2, 2, chunk=0), ValueError, "chunk must be at least 1, not 0"),
        (lambda: points.compare_wall_patterns(4, 5), ValueError, "4 x 5 has 31 sides, too many"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


def test_answers_in_chunks():
    parts = list(profile.answers(3, 4, chunk=1000))
    assert [len(part) for part in parts] == [1000, 1000, 1000, 164]
    assert (np.concatenate(parts) == profile.answers(3, 4)).all()


@pytest.mark.parametrize(
    "ask",
    [
        lambda budget: profile.diagram(14, 13, budget=budget).count(),
        lambda budget: len(profile.draw(13, 14, 50, np.random.default_rng(1), budget=budget)),
        lambda budget: profile.marginals(12, 13, budget=budget).right.shape,
        lambda budget: profile.expected_rooms(9, 9, weight="1/7", budget=budget),
    ],
)
def test_the_estimate_is_what_it_takes(ask):
    """A refusal states it, and it is not far from what is used. Where the states alone do not fit, they are all it
    speaks of.
    """
    estimate = 1000
    for _ in range(2):
        with pytest.raises(MemoryError, match=r"bytes needed for a diagram of .*, the budget is") as refused:
            ask(estimate)
        estimate = int(str(refused.value).split()[0].replace(",", ""))
        if estimate > 1 << 20:
            break
    profile._remembered.cache_clear()
    tracemalloc.start()
    try:
        ask(2 * estimate + (4 << 20))  # finding states asks for room that it may not use
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.3 * estimate + (4 << 20) and estimate < 3 * peak
