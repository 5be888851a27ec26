"""Figures of sets of boards: counted again from the boards' own findings, and those of published boards held to the boards."""

import corpus
import pandas as pd
import pytest

from puzzlekit import GENRES, analysis, bank, comparison, read, tables


@pytest.mark.parametrize("genre", GENRES)
def test_figures_are_sums_over_boards(genre):
    boards = bank.load(genre, 6, 6, 8).boards
    frame = comparison.figures(boards, [6, (8, 8)])
    assert set(frame["size"]) == {"6x6", "all"}  # there are no boards of 8 x 8
    every = frame[frame["size"] == "all"].set_index("figure")
    assert (every["hits"] <= every["of"]).all() and (every["low"] <= every["share"]).all() and (every["share"] <= every["high"]).all()
    assert every.loc["boards with one answer", "hits"] == 8
    assert sum(every.loc[f"boards that need {rung}", "hits"] for rung in (*GENRES[genre].RUNGS, "more than the ladder")) == 8
    found = [analysis.analyse(board) for board in boards]
    assert every.loc["redundant clues", "hits"] == sum(len(one.redundant()) for one in found)
    assert every.loc["cells with a clue", "of"] == 8 * 36
    for name in GENRES[genre].MISREADINGS:
        only = sum(one.misread[name].intended and one.misread[name].answers == 1 for one in found)
        assert every.loc[f"misread as {name!r}: the only answer", "hits"] == only
    if genre == "usowan":
        assert every.loc["numbers that lie", "hits"] == sum(len(one.own["liars"]) for one in found)
        assert every.loc["true numbers that break the board", "hits"] == sum(len(one.own["breaks"]) for one in found)
    if genre == "nawabari":
        slides = [fine for one in found for fine in one.own["slides"].values()]
        assert (every.loc["slides that keep the board unique", "hits"], every.loc["slides that keep the board unique", "of"]) == (sum(slides), len(slides))


def test_boards_without_one_answer_count_only_as_boards():
    boards = [read("usoone/2/2/00bg"), bank.load("usowan", 6, 6, 1).boards[0]]
    frame = comparison.figures(boards).set_index("figure")
    assert frame.loc["boards with one answer", ["boards", "hits", "of"]].tolist() == [2, 1, 2]
    assert frame.loc["numbers that lie", "boards"] == 1


def test_one_genre_at_a_time():
    with pytest.raises(ValueError, match="of one genre, not of none"):
        comparison.figures([])
    with pytest.raises(ValueError, match="not of \\['tasquare', 'usowan'\\]"):
        comparison.figures([read("usoone/2/2/00bg"), read("tasquare/2/2/1i")])


def test_side_by_side():
    row = {"size": "all", "figure": "f", "boards": 3}
    one = pd.DataFrame([row | {"share": 0.2, "low": 0.1, "high": 0.3}, row | {"figure": "g", "share": 0, "low": 0, "high": 0}])
    other = pd.DataFrame([row | {"share": 0.5, "low": 0.4, "high": 0.6}])
    both = comparison.beside(one, other)
    assert both["apart"].tolist() == [True] and both["share, people"].tolist() == [0.2] and both["share, machine"].tolist() == [0.5]
    assert not comparison.beside(one, other.assign(low=0.3))["apart"].any()


@corpus.needs_people
def test_figures_of_published_tasquare_boards():
    boards = [read(record, "tasquare") for record in corpus.boards("tasquare")]
    pd.testing.assert_frame_equal(comparison.figures(boards, [6, 8, 10]), tables.load("tasquare/boards_by_people"), check_dtype=False)


@corpus.needs_people
@pytest.mark.parametrize("genre", GENRES)
def test_figures_of_published_boards_count_them_all(genre):
    frame = tables.load(f"{genre}/boards_by_people")
    row = frame[(frame["size"] == "all") & (frame["figure"] == "boards with one answer")].iloc[0]
    records = corpus.boards(genre)
    assert (row["hits"], row["of"]) == (sum(record["unique"] for record in records), len(records))


def of(frame, figure, size="all"):
    (row,) = frame[(frame["figure"] == figure) & (frame["size"] == size)].to_dict("records")
    return row


def test_what_the_notebook_says_of_people_and_machines():
    people, machine = {}, {}
    for genre in GENRES:
        people[genre] = tables.load(f"{genre}/boards_by_people")
        machine[genre] = tables.load(f"{genre}/boards_by_machine", sizes=[6, 8, 10], boards=60)

    def fewer(genre, figure, first, second):
        assert of(first[genre], figure)["high"] < of(second[genre], figure)["low"], (genre, figure)

    fewer("usowan", "lies that announce themselves", people, machine)
    fewer("usowan", "boards that need probe", machine, people)
    fewer("usowan", "redundant clues", machine, people)
    fewer("tasquare", "redundant clues", machine, people)
    fewer("tasquare", "shaded cells", machine, people)
    fewer("tasquare", "shaded cells in squares of more than one", machine, people)
    fewer("nawabari", "cells with a clue", machine, people)
    fewer("nawabari", "misread as 'several numbers': the only answer", people, machine)
    for figure in ("true numbers that break the board", "numbers that lie"):
        theirs, ours = of(people["usowan"], figure), of(machine["usowan"], figure)
        assert abs(theirs["share"] - ours["share"]) < 0.05
    assert of(machine["usowan"], "boards that need probe")["hits"] == of(people["nawabari"], "redundant clues")["hits"] == 0
