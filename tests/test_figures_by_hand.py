"""Figures worked out by hand, or by the standard library, for tables whose other tests only hold them to themselves."""

from decimal import Decimal
from fractions import Fraction
from math import hypot, sqrt
from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from puzzlekit import GENRES
from puzzlekit.lab import analysis, intervals, measure, sequences, tables

Z = NormalDist().inv_cdf(0.975)


class Known(dict):
    """Published figures of which nobody knows how many boards they rest on."""

    def sample(self, label):
        return None


@pytest.fixture
def few(monkeypatch):
    """Intervals also of a handful, where the formula is the question."""
    monkeypatch.setattr(intervals, "FEWEST", 1)


def wilson(share, effective):
    """Wilson's interval from its formula."""
    centre = (share + Z**2 / (2 * effective)) / (1 + Z**2 / effective)
    reach = Z * sqrt(share * (1 - share) / effective + Z**2 / (4 * effective**2)) / (1 + Z**2 / effective)
    return centre - reach, centre + reach


def published(**figures):
    """Published figures: name=(count, of), or name=number."""
    known = measure.Published.__new__(measure.Published)
    known.trials = {name: of for name, (_, of) in figures.items()}
    known.update({name: Fraction(hits, of) for name, (hits, of) in figures.items()})
    return known


@pytest.mark.parametrize(
    "hits, trials, effect", [([0, 2], [2, 2], 4), ([0, 2, 1], [2, 2, 2], 2), ([3, 0, 0], [4, 4, 4], 4)]
)
def test_the_variance_between_few_boards_is_divided_by_one_less(few, hits, trials, effect):
    """Two boards of 2 trials, no and both hits: variance 2 / 1 * (1 + 1) / 16 = 1/4, binomial 1/16, an effect of 4.

    Three: 3 / 2 * (1 + 1 + 0) / 36 = 1/12 beside 1/24; and 3 / 2 * (4 + 1 + 1) / 144 = 1/16 beside 1/64.
    """
    total, share = sum(trials), sum(hits) / sum(trials)
    assert intervals.share_interval(hits, trials) == pytest.approx(wilson(share, total / effect))


def test_boards_without_trials_do_not_count(few):
    for hits in (0, 5):
        assert intervals.share_interval([hits, 0, hits], [5, 0, 5]) == pytest.approx(wilson(bool(hits), 2))


def test_chance_has_the_design_effect():
    """20 boards of 10 trials, half of them all hits: variance 20 / 19 * 500 / 200**2, binomial 1/800, worth 19 trials.

    At a share of one half Wilson's interval reaches Z / 2 / sqrt(trials + Z**2); as much as it is wider than that of
    200 trials, the published sample's is wider as well.
    """
    row = measure.share("x", [0, 10] * 10, [10] * 20, published(x=(60, 100)))
    ours = 0.5 / sqrt(19 + Z**2)
    effect = ours**2 / (0.25 / 200)
    chance = 2 * (1 - NormalDist().cdf(0.1 / hypot(ours, sqrt(effect * 0.25 / 100))))
    assert float(row["chance"]) == pytest.approx(chance, abs=0.0006) and 0.57 < chance < 0.59
    alone = measure.share("x", 100, 200, published(x=(60, 100)))
    assert float(alone["chance"]) < 0.15


def test_what_the_worst_of_four_cells_stays_under():
    """On 2 x 2 four of five answers shade one cell each: every share is 1/5, its deviation 0.4 / sqrt(n)."""
    frame = measure.sampler_check("usowan", [2], [400], seed=3)
    reach = float(frame["allowed"][0]) / 0.4 * 20
    assert (2 * NormalDist().cdf(reach) - 1) ** 4 == pytest.approx(0.95, abs=2e-4)
    assert frame["draws"].tolist() == [400] and 0 < frame["worst gap"][0] < frame["allowed"][0]


def test_the_worst_gap_is_that_of_the_worst_cell(monkeypatch):
    """Made-up draws: of 100, the cells are shaded 20, 25, 13 and 21 times, instead of 20."""
    monkeypatch.setattr(measure, "ask_draws", lambda *arguments, **options: [[[10, 15], [13, 21]], [[10, 10], [0, 0]]])
    assert measure.sampler_check("usowan", [2], [100], seed=1)["worst gap"].tolist() == [Decimal("0.07000")]


def test_a_sequence_that_differs_is_said_to(monkeypatch):
    frame = pd.DataFrame({"sequence": ["A1", "A1", "A2"], "n": ["1", "2,3", "1"], "value": [1, 6, 5]}, dtype=object)
    monkeypatch.setattr(tables, "published", lambda genre: frame)
    found = measure.sequence("A1", lambda *at: 1 if len(at) == 1 else at[0] * at[1] + 1)
    assert found.to_dict("records") == [
        {"n": "1", "published": 1, "ours": 1, "agrees": True}, {"n": "2,3", "published": 6, "ours": 7, "agrees": False},
    ]  # fmt: skip


def kept_sequence(checks=((1, 3, ("published",)), (4, 4, ("one way", "another", "a third")))):
    terms = {1: 1, 2: 4, 3: 9, 4: 10**4}
    return sequences.Sequence("squares", "Squares", "A000290", 3, "n ** 2", tuple(checks), terms)


def test_a_stored_term_that_is_wrong_is_said_to_be(monkeypatch):
    monkeypatch.setattr(sequences, "read", lambda name: kept_sequence())
    monkeypatch.setitem(sequences.TERMS, "squares", lambda n: n**2)
    found = sequences.compare("squares", 4)
    assert found["n"].tolist() == [1, 2, 3, 4] and found["agrees"].tolist() == [True, True, True, False]
    assert found["stored"].tolist() == [1, 4, 9, 10_000] and found["ours"].tolist() == [1, 4, 9, 16]
    assert sequences.compare("squares", 3)["n"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("how, fewest", [(("a", "b", "c"), 3), (("a", "missing: b", "c"), 2), (("missing: a",), 0)])
def test_a_summary_counts_terms_and_checks(monkeypatch, how, fewest):
    monkeypatch.setattr(sequences, "names", lambda: ["squares"])
    monkeypatch.setattr(sequences, "read", lambda name: kept_sequence(((1, 3, ("published",)), (4, 4, how))))
    assert sequences.summary().to_dict("records") == [{
        "sequence": "squares", "in the OEIS": "A000290", "published to": 3, "stored to": 4, "new terms": 1, "digits": 5,
        "fewest checks": fewest,
    }]  # fmt: skip


@pytest.mark.parametrize(
    "values, middle, least, most",
    [
        ([(1, 10), (2, 10), (4, 10), (9, 10)], "0.3000", "0.1000", "0.9000"),
        ([(9, 10), (1, 2)], "0.7000", "0.5000", "0.9000"),
        ([(4, 5), (1, 5), (3, 5)], "0.6000", "0.2000", "0.8000"),
    ],
)
def test_spread_over_boards(few, values, middle, least, most):
    counts = pd.DataFrame(values, columns=["part", "whole"])
    found = measure.spread(counts, "part", "whole")
    shares = [Fraction(*pair) for pair in values]
    assert [str(found[name]) for name in ("median", "least", "most")] == [middle, least, most]
    assert (
        found["mean"] == measure.places(sum(shares) / len(shares), 4) and found["low"] < found["mean"] < found["high"]
    )


def test_a_median_has_its_extremes(few):
    row = measure.median("x", [7, 3, 5, 12], Known(x=8))
    assert (row["ours"], row["fewest"], row["most"], row["published"]) == (6, 3, 12, 8)
    assert (row["low"], row["high"], row["holds it"]) == (3, 12, True)
    assert measure.median("x", [7, 3, 5, 12], Known(x=13))["holds it"] is False
    assert measure.median("x", [7, 3, 5, 12], Known(x=2))["holds it"] is False


@pytest.mark.parametrize("theirs, held", [(5, True), (2, False), (">9", None)])
def test_pruning_says_whether_it_holds_a_published_median(few, monkeypatch, theirs, held):
    monkeypatch.setattr(measure, "Published", lambda genre: Known({"pruning/4x4/cell/median": theirs}))
    spent = {"4x4": pd.DataFrame({"cell": [4, 5, 5, 5, 6]})}
    monkeypatch.setattr(measure, "ask", lambda *arguments, **options: spent)
    (row,) = measure.pruning("usowan", [4], ["cell"], cap=9).to_dict("records")
    assert row["ours"] == "5" and row["holds it"] == held and row["capped"] == 0


@pytest.mark.parametrize("theirs, held", [(">9", True), (8, False), (">8", False), (None, False), (12, None)])
def test_pruning_past_its_cap_holds_what_is_past_the_same_cap(monkeypatch, theirs, held):
    monkeypatch.setattr(
        measure, "Published", lambda genre: Known({"pruning/4x4/cell/median": theirs, "pruning/4x4/cell/worst": ">9"})
    )
    monkeypatch.setattr(
        measure, "ask", lambda *arguments, **options: {"4x4": pd.DataFrame({"cell": [10, 10, 3, 10, 9]})}
    )
    (row,) = measure.pruning("usowan", [4], ["cell"], cap=9).to_dict("records")
    assert (row["ours"], row["fewest"], row["most"], row["capped"], row["most, published"]) == (
        ">9",
        "3",
        ">9",
        3,
        ">9",
    )
    assert row["holds it"] is held and row["published"] in (None, str(theirs))


def test_a_clue_whose_search_was_given_up_is_unknown(monkeypatch):
    """Three clues: without the first another answer, without the second no end in sight, without the third the same."""
    board = GENRES["tasquare"].Board([[1, 1], [1, -1]])
    answer, other = np.array([[0, 0], [0, 1]]), np.array([[1, 0], [0, 0]])
    found = [(True, [other]), (None, []), (True, [answer])]
    solutions = [SimpleNamespace(unique=unique, answers=answers) for unique, answers in found]
    asked = []
    package = SimpleNamespace(solve_many=lambda boards, **options: asked.append((boards, options)) or solutions)
    monkeypatch.setattr(analysis, "GENRES", {"tasquare": package})
    weights = analysis.clue_weights(board, answer, branches=77)
    assert weights == {(0, 0): "load-bearing", (0, 1): "unknown", (1, 0): "redundant"}
    ((boards, options),) = asked
    assert options == {"limit": 2, "budget": 77}
    assert [one.clues.tolist() for one in boards] == [[[-1, 1], [1, -1]], [[1, -1], [1, -1]], [[1, 1], [-1, -1]]]


def test_grades_follow_the_ladders():
    """The words are published with the tables, so they are held here as they are."""
    assert {name: list(package.GRADES.items()) for name, package in GENRES.items()} == {
        "usowan": [
            ("cell", "trivial"),
            ("count", "easy"),
            ("region", "medium"),
            ("connect", "hard"),
            ("probe", "expert"),
        ],
        "tasquare": [
            ("shape", "trivial"),
            ("clue", "easy"),
            ("prune", "medium"),
            ("white", "hard"),
            ("probe", "expert"),
        ],
        "nawabari": [("count", "trivial"), ("vertex", "easy"), ("room", "medium"), ("probe", "expert")],
    }
    for package in GENRES.values():
        assert tuple(package.GRADES) == package.RUNGS
