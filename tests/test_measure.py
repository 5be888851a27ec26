"""Tables of a tiny bank against plain loops, and the same wherever its boards are asked."""

from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from statistics import median

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from puzzlekit import usowan
from puzzlekit.lab import bank, intervals, measure
from puzzlekit.usowan import questions

BOARDS = 14
FIGURES = """label,value,of,source
numbers/4x4/median,9,,made up
rungs/4x4/connect/finished,14,14,made up
rungs/4x4/cell/settled,10,224,made up
adding/4x4/harmless,30,40,made up
adding/4x4/boards with harmless,14,14,made up
misreadings/4x4/none wrong/unique,7,14,made up
misreadings/4x4/none wrong/median answers,2,,made up
pruning/4x4/cell/median,3,,made up
pruning/4x4/cell/worst,>5,,made up
degree/4x4/0,0.1250,,made up
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A data folder with one bank of 14 boards and made-up published figures."""
    data = tmp_path_factory.mktemp("data")
    (data / "published").mkdir()
    (data / "published" / "usowan.csv").write_text(FIGURES)
    bank.build("usowan", 4, 4, BOARDS, seed=1, file=data / "banks" / "usowan_4x4.jsonl", progress=False)
    bank.build("usowan", 3, 5, 5, seed=1, file=data / "banks" / "usowan_3x5.jsonl", progress=False)
    return data


@pytest.fixture
def tiny(folder, monkeypatch):
    """That folder in place of the checkout's; gives the bank."""
    monkeypatch.setenv("PUZZLEKIT_DATA", str(folder))
    return bank.load("usowan", 4, 4)


def test_ask_is_a_row_a_board(tiny):
    found = measure.ask("usowan", [4, (3, 5)], questions.printed)
    assert list(found) == ["4x4", "3x5"] and len(found["3x5"]) == 5
    assert found["4x4"]["numbers"].tolist() == [board.numbers for board in tiny.boards]
    assert measure.ask("usowan", [4], questions.printed, 3)["4x4"].equals(found["4x4"][:3])
    odd = measure.ask("usowan", [4], lambda board, answer: {str(board.numbers): 1})["4x4"]
    assert odd.sum(axis=1).tolist() == [1] * BOARDS and odd.sum().sum() == BOARDS


def test_shares(tiny):
    found = measure.ask("usowan", [4, (3, 5)], questions.adding_true_numbers)
    frame = measure.shares("usowan", found, ["harmless", "second answer"], "adding", some=["harmless"], pooled=True)
    assert frame["size"].tolist() == ["4x4"] * 3 + ["3x5"] * 3 + ["all"] * 3
    assert frame["outcome"].tolist() == ["harmless", "second answer", "boards with harmless"] * 3
    fates = [questions.adding_true_numbers(*pair) for pair in zip(tiny.boards, tiny.answers, strict=True)]
    hits, of = [fate["harmless"] for fate in fates], [sum(fate.values()) for fate in fates]
    first = frame.iloc[0]
    assert (first["hits"], first["of"], first["boards"]) == (sum(hits), sum(of), BOARDS)
    assert first["ours"] == measure.places(Fraction(sum(hits), sum(of)), 4)
    low, high = intervals.share_interval(hits, of)
    assert (float(first["low"]), float(first["high"])) == pytest.approx((low, high), abs=6e-5)
    assert first["published"] == Decimal("0.7500") and first["holds it"] == (low <= 0.75 <= high)
    third = frame.iloc[2]
    assert (third["hits"], third["of"]) == (sum(hit > 0 for hit in hits), BOARDS)
    assert third["published"] == 1
    assert frame.iloc[6]["of"] == frame.iloc[0]["of"] + frame.iloc[3]["of"]
    assert frame.iloc[3]["published"] is None and frame.iloc[3]["holds it"] is None
    scaled = measure.shares("usowan", found, ["harmless"], "adding", per=1000).iloc[0]
    assert scaled["ours"] == measure.places(Fraction(1000 * sum(hits), sum(of)), 4)
    assert scaled["published"] == 750 and scaled["holds it"] == first["holds it"]


def test_chance_of_the_published_share():
    """With equal samples of independent trials it is the two-sample test."""
    known = measure.Published.__new__(measure.Published)
    dict.__init__(known, {"x": Fraction(60, 100)})
    known.trials = {"x": 100}
    row = measure.share("x", 450, 1000, known)
    error = np.sqrt(0.45 * 0.55 / 1000 + 0.45 * 0.55 / 100)
    assert float(row["chance"]) == pytest.approx(2 * stats.norm.sf(0.15 / error), abs=0.002)
    assert measure.share("y", 450, 1000, known)["chance"] is None


def test_medians(tiny):
    frame = measure.medians("usowan", measure.ask("usowan", [4], questions.printed))
    assert frame["what"].tolist() == ["numbers", "regions", "superimposed"]
    numbers = [board.numbers for board in tiny.boards]
    row = frame.iloc[0]
    assert float(row["ours"]) == median(numbers) and (row["fewest"], row["most"]) == (min(numbers), max(numbers))
    assert (row["low"], row["high"]) == intervals.median_interval(numbers)
    assert row["published"] == 9 and row["holds it"] == (row["low"] <= 9 <= row["high"])
    assert measure.median("none", [1, 2], {})["ours"] == Decimal("1.5")
    assert (frame["boards"] == BOARDS).all()


def test_rungs(tiny):
    frame = measure.rungs("usowan", [4])
    assert frame["rung"].tolist() == [rung for rung in usowan.RUNGS for _ in range(2)]
    for row in frame.to_dict("records"):
        climbs = [usowan.climb(board, row["rung"]) for board in tiny.boards]
        if row["what"] == "settled":
            assert (row["hits"], row["of"]) == (sum((climb.state != 0).sum() for climb in climbs), 16 * BOARDS)
        else:
            assert (row["hits"], row["of"]) == (sum(climb.finished for climb in climbs), BOARDS)
    last = frame.iloc[7]
    assert (last["rung"], last["what"], last["ours"], last["published"]) == ("connect", "finished", 1, 1)


def test_pruning(tiny):
    frame = measure.pruning("usowan", [4], ["cell", "connect"])
    spent = [usowan.solve(board, top="cell").branch_points for board in tiny.boards]
    row = frame.iloc[0]
    assert float(row["ours"]) == median(spent) and (row["fewest"], row["most"]) == (str(min(spent)), str(max(spent)))
    assert row["capped"] == 0 and float(row["published"]) == 3 and row["most, published"] == ">5"
    assert frame.iloc[1]["ours"] == "0" and pd.isna(frame.iloc[1]["published"])
    tight = measure.pruning("usowan", [4], ["cell"], cap=min(spent))
    assert tight["capped"][0] == sum(points > min(spent) for points in spent) > 0
    assert tight["most"][0] == f">{min(spent)}"


def test_misreadings(tiny):
    shares, counts = measure.misreadings("usowan", [4])
    assert shares["misreading"].tolist() == [name for name in usowan.MISREADINGS for _ in range(2)]
    for row in shares.to_dict("records"):
        exact = [usowan.solve(board, 10_000, reading=row["misreading"]).answers for board in tiny.boards]
        if row["what"] == "unique":
            assert row["hits"] == sum(len(answers) == 1 for answers in exact)
        else:
            pairs = zip(exact, tiny.answers, strict=True)
            assert row["hits"] == sum(any((answer == one).all() for one in answers) for answers, answer in pairs)
    for row in counts.to_dict("records"):
        exact = [len(usowan.solve(board, 10_000, reading=row["misreading"]).answers) for board in tiny.boards]
        assert float(row["ours"]) == median(exact) and row["most"] == max(exact)
    assert shares["published"][1] == Decimal("0.500") and counts["published"][0] == 2
    _, capped = measure.misreadings("usowan", [4], cap=1)
    for row in capped.to_dict("records"):
        exact = [len(usowan.solve(board, 10_000, reading=row["misreading"]).answers) for board in tiny.boards]
        assert float(row["ours"]) == median(exact) and float(row["ours, at most 1"]) == median(
            min(count, 1) for count in exact
        )
    assert capped["published"][0] == 2 and not capped["holds it"][0]  # no median of counts ended at 1 is 2


def test_space_and_marginals():
    frame = measure.space("usowan", [1, 2, 4])
    assert frame["answers"].tolist() == [1, 5, 562] and frame["size"].tolist() == ["1x1", "2x2", "4x4"]
    assert frame["price"][2] == measure.places(Fraction(1234, 562), 2)
    every = usowan.answers(5, 5)
    row = measure.marginals("usowan", [5]).iloc[0]
    for name, cell in (("corner", (0, 0)), ("edge", (0, 2)), ("centre", (2, 2))):
        assert row[name] == measure.places(Fraction(int(every[:, *cell].sum()), len(every)), 4)


def test_sampler_check_stays_within_what_chance_allows():
    frame = measure.sampler_check("usowan", [4, 6], [20_000, 20_000], seed=3)
    assert (frame["worst gap"] <= frame["allowed"]).all() and (frame["worst gap"] > 0).all()


def test_sequence():
    frame = measure.sequence("A006506", lambda n: usowan.count(n, n, connected=False) if 2 <= n <= 8 else None)
    assert frame["agrees"][frame["n"].isin([str(n) for n in range(2, 9)])].all() and len(frame) > 8
    with pytest.raises(ValueError, match="no terms of 'A000000'"):
        measure.sequence("A000000", int)


def test_columns_added(tiny):
    frame = pd.DataFrame({"size": ["4x4"], "number": [0], "part": [1], "whole": [3]})
    assert measure.ratio(frame, "share", "part", "whole")["share"].tolist() == [Decimal("0.3333")]
    with_theirs = measure.beside(frame, "usowan", "part", "degree/{size}/{number}")
    assert list(with_theirs) == ["size", "number", "part", "part, published", "whole"]
    assert with_theirs["part, published"].tolist() == [Decimal("0.1250")]
    assert measure.beside(frame, "usowan", "part", "none/{size}")["part, published"].tolist() == [None]


def test_a_published_count_of_a_total_is_shown_as_ours_is(tiny):
    frame = pd.DataFrame({"size": ["4x4"], "hits": [29], "share": [Decimal("0.725")]})
    assert measure.beside(frame, "usowan", "hits", "adding/{size}/harmless")["hits, published"].tolist() == [30]
    assert measure.beside(frame, "usowan", "share", "adding/{size}/harmless")["share, published"].tolist() == [
        Decimal("0.750")
    ]


def test_difficulty_counts_what_each_board_says():
    shares, looks = measure.difficulty("usowan", [6], 20)
    graded = [usowan.difficulty(board) for board in bank.load("usowan", 6, 6, boards=20).boards]
    assert dict(zip(shares["rung"], shares["hits"], strict=True)) == {
        rung: sum(one.hardest == rung for one in graded) for rung in usowan.RUNGS
    }
    assert shares["hits"].sum() == 20 and list(shares["grade"]) == list(usowan.GRADES.values())
    assert dict(zip(looks["rung"], looks["most"], strict=True)) == {
        rung: max(one.counts[rung] for one in graded) for rung in usowan.RUNGS
    }


def known_figures(figures):
    known = measure.Published.__new__(measure.Published)
    dict.__init__(known, figures)
    known.trials = {}
    return known


def test_chance_of_a_published_median_and_mean():
    """By resampling: near what the normal approximation says of means, one where the figures agree, small where they
    are far apart.
    """
    rng = np.random.default_rng(3)
    values = rng.integers(0, 100, 500)
    known = known_figures(
        {
            "a/6x6": Decimal(55),
            "b/6x6": Decimal(str(np.median(values))),
            "c/6x6": Decimal(80),
            "d": 50,
            "boards/6x6": 36,
        }
    )
    error = values.std() * np.sqrt(1 / 36 + 1 / 500)
    expected = 2 * stats.norm.sf(abs(55 - values.mean()) / error)
    assert float(measure.mean("a/6x6", values, known)["chance"]) == pytest.approx(expected, abs=0.04)
    assert measure.median("b/6x6", values, known)["chance"] == 1
    assert float(measure.median("c/6x6", values, known)["chance"]) < 0.01
    assert measure.median("d", values, known)["chance"] is None  # nobody says how many boards
    assert measure.median("a/6x6", values[:9], known)["chance"] is None


def test_chance_of_a_share_that_was_published_as_a_decimal():
    hits, known = (
        np.random.default_rng(4).binomial(36, 0.4, 300),
        known_figures({"x/6x6": Decimal("0.41"), "boards/6x6": 36}),
    )
    row = measure.share("x/6x6", hits, np.full(300, 36), known)
    error = (hits / 36).std() * np.sqrt(1 / 36 + 1 / 300)
    expected = 2 * stats.norm.sf(abs(0.41 - hits.sum() / 36 / 300) / error)
    assert float(row["chance"]) == pytest.approx(expected, abs=0.05)


def test_few_boards_have_no_interval_and_the_table_says_why(tiny):
    frame = measure.medians("usowan", measure.ask("usowan", [4, (3, 5)], questions.printed))
    few = frame[frame["size"] == "3x5"]
    assert few["low"].isna().all() and set(few[measure.WHY]) == {"no interval: 5 are fewer than 10"}
    assert frame[frame["size"] == "4x4"][measure.WHY].isna().all()
    assert measure.WHY not in measure.medians("usowan", measure.ask("usowan", [4], questions.printed))


@pytest.mark.parametrize("cap", [None, 30])
def test_rungs_whatever_the_order(tiny, cap):
    """Against all orders one by one."""
    rungs = usowan.RUNGS if cap is None else usowan.RUNGS[:-1]

    def worth(board, those):
        if cap is None:
            return (usowan.climb(board, those).state != 0).mean()
        return -np.log2(1 + min(usowan.solve(board, top=those, budget=cap).branch_points, cap))

    frame = measure.orders("usowan", [4], cap=cap).set_index("rung")
    for rung in rungs[1:]:
        added = []
        for order in permutations(rungs[1:]):
            before = (rungs[0], *order[: order.index(rung)])
            added.append(np.mean([worth(board, (*before, rung)) - worth(board, before) for board in tiny.boards]))
        assert float(frame.loc[rung, "mean"]) == pytest.approx(np.mean(added), abs=6e-4)
        others = tuple(other for other in rungs if other != rung)
        last = np.mean([worth(board, rungs) - worth(board, others) for board in tiny.boards])
        assert float(frame.loc[rung, "last"]) == pytest.approx(last, abs=6e-4)
        first = np.mean([worth(board, (rungs[0], rung)) - worth(board, rungs[:1]) for board in tiny.boards])
        assert float(frame.loc[rung, "first"]) == pytest.approx(first, abs=6e-4)
    assert frame["last"].iloc[1:].astype(float).abs().sum() > 0
