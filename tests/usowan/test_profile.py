import csv
import json
import os
import subprocess
import sys
from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from oracles import usowan as oracle

from puzzlekit.machinery import memory
from puzzlekit.usowan import profile
from puzzlekit.usowan.rules import NO_CLUE, Board, Reading, check

PUBLISHED = Path(__file__).parents[2] / "data" / "published" / "oeis.csv"
VALUES = Path(__file__).parents[3] / "shared" / "values.json"
SHAPES = [(rows, cols) for rows in range(1, 21) for cols in range(1, 21) if rows * cols <= 20]


def published(sequence):
    with open(PUBLISHED, newline="") as file:
        return {row["n"]: int(row["value"]) for row in csv.DictReader(file) if row["sequence"] == sequence}


@pytest.mark.parametrize("rows, cols", SHAPES)
def test_answers_are_those_of_brute_force(rows, cols):
    exact = oracle.shadings(rows, cols)
    for transpose in (False, True):
        assert profile.diagram(rows, cols, transpose=transpose).count() == len(exact)
    found = profile.answers(rows, cols)
    assert found.dtype == np.uint8 and found.shape == (len(exact), rows, cols)
    assert {shading.tobytes() for shading in found} == {bytes(shading) for shading in exact}
    shaded = np.array(exact).sum(axis=0).reshape(rows, cols)
    assert profile.marginals(rows, cols).tolist() == shaded.tolist()


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 7), (6, 1), (2, 5), (4, 4)])
def test_without_the_clause_only_touching_is_forbidden(rows, cols):
    exact = list(oracle.independent_sets(rows, cols))
    assert profile.count(rows, cols, connected=False) == len(exact)
    found = profile.answers(rows, cols, connected=False).reshape(-1, rows * cols)
    assert sorted(map(tuple, found.tolist())) == exact


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 7), (6, 1), (2, 5), (3, 4), (4, 4)])
def test_cells_that_may_touch_leave_only_connection(rows, cols):
    """Without the clause about touching: shadings whose unshaded cells are one region and not none, all of them by
    flood fill.
    """
    exact = []
    for bits in range(1 << rows * cols):
        unshaded = {divmod(cell, cols) for cell in range(rows * cols) if not bits >> cell & 1}
        reached, pending = set(), sorted(unshaded)[:1]
        while pending:
            r, c = pending.pop()
            if (r, c) in unshaded - reached:
                reached.add((r, c))
                pending += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        if unshaded and reached == unshaded:
            exact.append(tuple(bits >> cell & 1 for cell in range(rows * cols)))
    assert profile.count(rows, cols, apart=False) == len(exact)
    found = profile.answers(rows, cols, apart=False).reshape(-1, rows * cols)
    assert sorted(map(tuple, found.tolist())) == sorted(exact)
    assert profile.count(rows, cols, apart=False, connected=False) == 2 ** (rows * cols)


def test_cells_that_may_touch_on_8_x_8():
    assert profile.count(8, 8, apart=False) == 51_016_818_604_894_742


def test_answers_come_in_order_of_the_sweep():
    assert [tuple(a.ravel()) for a in profile.answers(5, 3)] == oracle.shadings(5, 3)
    sideways = [tuple(a.T.ravel()) for a in profile.answers(3, 5)]
    assert sideways == sorted(sideways)


def test_squares_computed_earlier():
    squares = published("usowan squares")
    for n in range(1, 19):
        assert profile.count(n, n) == squares[str(n)]
    assert squares["16"] == 218089903875578572215458113377720907499015212


def test_squares_modulo_a_prime_from_states_found_by_hashing(monkeypatch):
    """Nothing in common with `count` but what one cell does: neither the numbering of states nor the sums."""
    squares, prime = published("usowan squares"), (1 << 47) - 115
    monkeypatch.setattr(profile, "_BY_WORDS", 99)
    profile._remembered.cache_clear()
    for n in (4, 9, 12, 15):
        assert profile.diagram(n, n).residue(prime) == squares[str(n)] % prime
    profile._remembered.cache_clear()


@pytest.mark.skipif(not VALUES.exists(), reason="needs the values computed elsewhere, ../shared/values.json")
@pytest.mark.parametrize("cols, most", [(16, 20), (18, 16), (20, 12)])
def test_rows_computed_elsewhere_both_ways(cols, most):
    values = json.loads(VALUES.read_text())["usowan"][f"A_rows_C{cols}"]
    for rows, value in enumerate(values[:most], start=1):
        assert profile.count(rows, cols) == int(value)
        if rows <= 12 and cols == 16:
            assert profile.diagram(rows, cols, transpose=False).count() == int(value)


def test_published_sequences():
    for n, value in published("A006506").items():
        assert profile.count(int(n), int(n), connected=False) == value
    for n, value in published("A089934").items():
        assert profile.count(*map(int, n.split(",")), connected=False) == value
    strips = published("A001045")
    for n in range(1, 34):
        assert profile.count(2, n) == strips[str(n + 2)]


def test_rectangles_computed_earlier_both_ways():
    for n, value in published("usowan rectangles").items():
        rows, cols = map(int, n.split(","))
        for transpose in (False, True):
            assert profile.diagram(rows, cols, transpose=transpose).count() == value
            assert profile.diagram(cols, rows, transpose=transpose).count() == value


def test_maximal_answers_computed_earlier():
    for n, value in published("usowan maximal").items():
        rows, cols = map(int, n.split(","))
        if rows * cols <= 20:
            assert len(oracle.maximal(rows, cols)) == value


@pytest.mark.parametrize("rows, cols", [(7, 12), (5, 16), (3, 17), (1, 26)])
def test_counting_down_or_across_is_the_same(rows, cols):
    assert profile.diagram(rows, cols, transpose=True).count() == profile.diagram(rows, cols, transpose=False).count()


def test_widest_layers():
    widest = {4: 18, 6: 77, 8: 339, 10: 1517, 12: 6882, 14: 31608, 16: 146604}
    assert {n: profile.diagram(n, n).states for n in widest} == widest


@pytest.mark.parametrize("rows, cols", [(6, 6), (5, 8), (9, 4), (12, 12), (11, 13), (1, 5), (1, 1)])
def test_marginals_have_the_symmetries_of_the_grid(rows, cols):
    shaded = profile.diagram(rows, cols).marginals()[:, 1].reshape(rows, cols)
    assert (profile.marginals(rows, cols) == shaded).all()
    assert (shaded == shaded[::-1]).all() and (shaded == shaded[:, ::-1]).all()
    assert (profile.marginals(cols, rows) == shaded.T).all()
    if rows == cols:
        assert (shaded == shaded.T).all()
    space = profile.diagram(rows, cols)
    assert (space.marginals().sum(axis=1) == space.count()).all()


def test_mean_shading():
    answers = profile.answers(4, 5)
    mean = profile.diagram(4, 5).expected([[0, 1]] * 20)
    assert mean == Fraction(int(answers.sum()), len(answers))


def test_unranked_answers_differ_and_are_right():
    empty = Board(np.full((5, 5), NO_CLUE), np.zeros((5, 5)).astype(int))
    space = profile.diagram(5, 5)
    answers = space.unrank(range(space.count()))
    assert len(np.unique(answers, axis=0)) == space.count() == 20297
    for answer in answers[::97]:
        assert check(empty, answer.reshape(5, 5), Reading(fewest=0)) is None


def test_draws_agree_with_the_marginals():
    n = 40_000
    share = profile.draw(8, 8, n, np.random.default_rng(12)).mean(axis=0)
    exact = (profile.marginals(8, 8) / profile.count(8, 8)).astype(float)
    assert (abs(share - exact) < 4.5 * np.sqrt(exact * (1 - exact) / n)).all()


def test_every_small_answer_is_drawn_as_often():
    n = 39_000
    drawn = profile.draw(3, 3, n, np.random.default_rng(13)).reshape(n, 9)
    answers, times = np.unique(drawn, axis=0, return_counts=True)
    assert len(answers) == 39 and abs(times - n / 39).max() < 4.5 * sqrt(n / 39)


def test_draws_on_a_wide_grid_are_answers():
    empty = Board(np.full((9, 14), NO_CLUE), np.zeros((9, 14)).astype(int))
    for answer in profile.draw(9, 14, 20, np.random.default_rng(14)):
        assert check(empty, answer, Reading(fewest=0)) is None


def test_answers_in_chunks():
    parts = list(profile.answers(4, 6, chunk=1000))
    assert [len(part) for part in parts] == [1000] * 13 + [393] and parts[0].shape == (1000, 4, 6)
    assert (np.concatenate(parts) == profile.answers(4, 6)).all()


def test_what_does_not_fit_the_budget_says_so_before_anything_is_spent(monkeypatch):
    monkeypatch.setattr(profile, "_remembered", None)
    rng = np.random.default_rng(0)
    for question, words in (
        (lambda **given: profile.count(24, 25, **given), "to count 24 x 25"),
        (lambda **given: profile.diagram(24, 25, **given), "for a diagram of 24 x 25"),
        (lambda **given: profile.marginals(24, 25, **given), "for the marginals of 24 x 25"),
        (lambda **given: profile.answers(24, 25, chunk=10, **given), "for the answers of 24 x 25"),
        (lambda **given: profile.draw(24, 25, 3, rng, **given), "to draw from 24 x 25"),
    ):
        with pytest.raises(MemoryError, match=f"[0-9,]+ bytes needed {words}, the budget is 8,589,934,592"):
            question()
    with pytest.raises(MemoryError, match="bytes needed to draw from 4 x 4, the budget is 1,000,000"):
        profile.draw(4, 4, 100_000, rng, budget=10**6)
    with pytest.raises(MemoryError, match="to count 22 x 30, the budget is 1,000,000"):
        profile.count(22, 30, connected=False, budget=10**6)


PEAK = """
import numpy as np
from pathlib import Path
from puzzlekit.usowan import profile

def resident(line):
    return 1024 * int(Path("/proc/self/status").read_text().split(line + ":")[1].split()[0])

def peak(question, *given):
    question(9, 9, *given), question(13, 13, *given)
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    question(16, 16, *given)
    return resident("VmHWM") - before

print(peak(profile.count), peak(profile.draw, 100, np.random.default_rng(1)))
"""


@pytest.mark.skipif(
    not os.access("/proc/self/clear_refs", os.W_OK), reason="needs a system that resets a process's peak"
)
def test_estimates_are_near_the_peak():
    done = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    for walk, real in zip((False, True), map(int, done.stdout.split()), strict=True):
        estimate = profile._bytes_needed(16, 16, True, walk, profile.BUDGET)
        assert 0.9 * real < estimate < 2 * real, (walk, real, estimate)


def test_draws_from_few_kept_levels_are_the_same(monkeypatch):
    every = profile.draw(13, 13, 50, np.random.default_rng(5))
    shaded = profile.marginals(13, 13)
    profile._remembered.cache_clear()
    monkeypatch.setattr(memory, "_KEEP", 0)
    assert (profile.draw(13, 13, 50, np.random.default_rng(5)) == every).all()
    assert (profile.marginals(13, 13) == shaded).all()
    profile._remembered.cache_clear()


def test_what_is_too_large_says_so():
    with pytest.raises(ValueError, match=r"118930018898 answers of 8 x 8 .* chunk"):
        profile.answers(8, 8)
    with pytest.raises(ValueError, match="chunk must be at least 1, not 0"):
        profile.answers(3, 3, chunk=0)
    with pytest.raises(ValueError, match=r"32 x 40 grid is too wide: .* at most 31 cells, not 32"):
        profile.count(32, 40)
    with pytest.raises(ValueError, match="rows must be a whole number of at least 1, not 0"):
        profile.count(0, 3)
    assert profile.count(1, 31) == profile.diagram(1, 31, transpose=False).count() == 4
