"""Figures of sets of boards: counted again from the boards' own findings, and those of published boards held to the
boards.
"""

from decimal import Decimal
from fractions import Fraction

import corpus
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from puzzlekit import GENRES, read
from puzzlekit.lab import analysis, bank, comparison, intervals, tables
from puzzlekit.lab.tables import places


@pytest.mark.parametrize("genre", GENRES)
def test_figures_are_sums_over_boards(genre):
    boards = bank.load(genre, 6, 6, 12).boards
    frame = comparison.figures(boards, [6, (8, 8)])
    assert set(frame["size"]) == {"6x6", "all"}  # there are no boards of 8 x 8
    every = frame[frame["size"] == "all"].set_index("figure")
    assert (
        (every["hits"] <= every["of"]).all()
        and (every["low"] <= every["share"]).all()
        and (every["share"] <= every["high"]).all()
    )
    assert every.loc["boards with one answer", "hits"] == 12
    assert (
        sum(every.loc[f"boards that need {rung}", "hits"] for rung in (*GENRES[genre].RUNGS, "more than the ladder"))
        == 12
    )
    found = [analysis.analyse(board) for board in boards]
    assert every.loc["redundant clues", "hits"] == sum(len(one.redundant()) for one in found)
    assert every.loc["cells with a clue", "of"] == 12 * 36
    for name in GENRES[genre].MISREADINGS:
        only = sum(one.misread[name].intended and one.misread[name].answers == 1 for one in found)
        assert every.loc[f"misread as {name!r}: the only answer", "hits"] == only
    if genre == "usowan":
        assert every.loc["numbers that lie", "hits"] == sum(len(one.own["liars"]) for one in found)
        assert every.loc["true numbers that break the board", "hits"] == sum(len(one.own["breaks"]) for one in found)
    if genre == "nawabari":
        slides = [fine for one in found for fine in one.own["slides"].values()]
        assert (
            every.loc["slides that keep the board unique", "hits"],
            every.loc["slides that keep the board unique", "of"],
        ) == (sum(slides), len(slides))


def test_boards_without_one_answer_count_only_as_boards():
    boards = [read("usoone/2/2/00bg"), bank.load("usowan", 6, 6, 1).boards[0]]
    frame = comparison.figures(boards).set_index("figure")
    assert frame.loc["boards with one answer", ["boards", "hits", "of"]].tolist() == [2, 1, 2]
    assert frame.loc["numbers that lie", "boards"] == 1
    assert (
        frame["low"].isna().all()
        and frame.loc["numbers that lie", "why no interval"] == "no interval: 1 are fewer than 10"
    )


def test_one_genre_at_a_time():
    with pytest.raises(ValueError, match="of one genre, not of none"):
        comparison.figures([])
    with pytest.raises(ValueError, match="not of \\['tasquare', 'usowan'\\]"):
        comparison.figures([read("usoone/2/2/00bg"), read("tasquare/2/2/1i")])


def figure(name, hits, of, size="8x8", boards=30):
    low, high = intervals.share_interval(hits, of)
    return {
        "size": size,
        "figure": name,
        "boards": boards,
        "share": places(Fraction(hits, of), 4),
        "low": places(Fraction(low), 4),
        "high": places(Fraction(high), 4),
    }


def test_side_by_side():
    one = pd.DataFrame([figure("f", 56, 70), figure("g", 5, 50), figure("h", 3, 30), figure("f", 60, 70, "all")])
    other = pd.DataFrame(
        [
            figure("f", 48, 80),
            figure("g", 25, 50),
            figure("h", 4, 30),
            figure("f", 10, 80, "all"),
            figure("f", 9, 90, "9x9"),
        ]
    )
    both = comparison.beside(one, other)
    assert both["figure"].tolist() == ["f", "g", "h"]  # sizes that both have, and no mixture of sizes
    assert both["difference"].tolist() == [
        Decimal("0.2"),
        Decimal("-0.4"),
        places(Fraction(1, 10), 4) - places(Fraction(4, 30), 4),
    ]
    p = both["p"].astype(float).tolist()
    assert both["adjusted"].astype(float).tolist() == pytest.approx([p[0] * 3 / 2, p[1] * 3, p[2]], abs=2e-4)
    assert both["differ"].tolist() == [True, True, False]
    words = comparison.told(both)
    assert len(words) == 1 and words[0].startswith(
        "**8x8** (30 boards by people, 30 by machine). Higher with people: f (80.0% against 60.0%;"
    )
    assert "Lower with people: g (10.0% against 50.0%;" in words[0] and "for the other 1 of 3 figures" in words[0]


def test_a_family_of_comparisons_is_corrected_as_a_whole():
    """A difference that would count by itself does not among many that are none."""
    alone = comparison.beside(pd.DataFrame([figure("f", 17, 53)]), pd.DataFrame([figure("f", 32, 60)]))
    rest = [figure(f"g{i}", 20, 40) for i in range(20)]
    among = comparison.beside(pd.DataFrame([figure("f", 17, 53), *rest]), pd.DataFrame([figure("f", 32, 60), *rest]))
    assert alone["differ"].tolist() == [True] and not among["differ"].any()
    assert alone["low"].iloc[0] == among["low"].iloc[0] < 0


def test_too_few_boards_are_not_compared():
    one, other = pd.DataFrame([figure("f", 1, 40, boards=1)]), pd.DataFrame([figure("f", 30, 40, boards=60)])
    both = comparison.beside(one, other)
    assert both.loc[0, ["low", "high", "p", "adjusted", "differ"]].isna().all()
    assert comparison.told(both) == [
        "**8x8** (1 board by people, 60 by machine). Too few boards for a comparison: it would take 10 of each."
    ]
    assert not comparison.beside(one.assign(boards=10), other)["p"].isna().any()


def test_intervals_of_differences():
    """Newcombe 1998, table II, method 10: 56 of 70 against 48 of 80, and none of 10 against none of 10."""
    shares = [
        (hits / of, *intervals.share_interval(hits, of))
        for hits, of in ((56, 70), (48, 80), (0, 10), (0, 10), (9, 10), (3, 10))
    ]
    found = [comparison.difference(*shares[at : at + 2])[:2] for at in (0, 2, 4)]
    assert found == [pytest.approx(pair, abs=1e-4) for pair in ((0.0524, 0.3339), (-0.2775, 0.2775), (0.1705, 0.8090))]
    assert comparison.difference(*shares[2:4])[2] == 1
    exact = stats.chi2_contingency([[56, 14], [48, 32]], correction=False).pvalue
    assert comparison.difference(*shares[:2])[2] == pytest.approx(exact, rel=1e-9)


def test_what_an_interval_is_worth():
    for hits, of in ((0, 11), (11, 11), (3, 11), (50, 100), (1, 1000)):
        assert comparison.worth(hits / of, *intervals.share_interval(hits, of)) == pytest.approx(of)
    hits, trials = np.array([10, 0] * 20), np.full(40, 10)
    assert (
        comparison.worth(0.5, *intervals.share_interval(hits, trials)) < 50
    )  # boards all or nothing: 400 trials are worth 40


@corpus.needs_people
def test_figures_of_published_tasquare_boards():
    boards = [read(record, "tasquare") for record in corpus.boards("tasquare")]
    found = comparison.figures(boards, [6, 8, 10]).fillna({intervals.WHY: ""})
    pd.testing.assert_frame_equal(found, tables.load("tasquare/boards_by_people"), check_dtype=False)


@corpus.needs_people
@pytest.mark.parametrize("genre", GENRES)
def test_figures_of_published_boards_count_them_all(genre):
    frame = tables.load(f"{genre}/boards_by_people")
    row = frame[(frame["size"] == "all") & (frame["figure"] == "boards with one answer")].iloc[0]
    records = corpus.boards(genre)
    assert (row["hits"], row["of"]) == (sum(record["unique"] for record in records), len(records))
