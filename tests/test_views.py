"""Views of an analysis: what a notebook shows of boards with one answer, several and none, for every genre."""

import html

import numpy as np
import pandas as pd
import pytest

from puzzlekit import GENRES
from puzzlekit.boards import NO_CLUE
from puzzlekit.lab import analysis, bank, views
from puzzlekit.show import pictures

ALL = [views.answers, views.difficulty, views.clues, views.misreadings, views.own]


def boards(genre):
    """A board with one answer, one with several, and one with none."""
    package = GENRES[genre]
    board = bank.load(genre, 6, 6, 1).boards[0]
    if genre == "usowan":
        several = package.Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]], [[0, 0], [0, 0]])
        return board, several, package.Board([[NO_CLUE, NO_CLUE]], [[0, 0]])
    if genre == "tasquare":
        return board, package.Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]]), package.Board([[0, NO_CLUE]])
    return (
        board,
        package.Board([[package.ASKED, NO_CLUE], [NO_CLUE, package.ASKED]]),
        package.Board([[NO_CLUE, NO_CLUE]]),
    )


@pytest.mark.parametrize("genre", GENRES)
def test_every_view_of_every_kind_of_board(genre):
    for board, count in zip(boards(genre), (1, 2, 0), strict=True):
        found = analysis.analyse(board)
        assert found.answers == count
        for view in ALL:
            parts = list(view(found))
            assert parts and all(
                isinstance(part, (views.Text, views.Folded, pictures.Picture, pd.DataFrame)) for part in parts
            )
            for part in parts:
                if isinstance(part, pictures.Picture):
                    assert part.svg.startswith("<svg")
        told = [str(part) for part in views.answers(found) if isinstance(part, views.Text)]
        assert told[0] == f"**{found.verdict[0].upper()}{found.verdict[1:]}.**"


@pytest.mark.parametrize("genre", GENRES)
def test_shares_are_tinted_and_counted(genre):
    found = analysis.analyse(boards(genre)[1])
    *_, picture, table = views.answers(found)
    assert "tinted by their share of all answers" in picture.alt
    parts = found.shares if isinstance(found.shares, tuple) else (found.shares,)
    assert table["how many"].sum() == sum(np.size(part) for part in parts)


@pytest.mark.parametrize("genre", [genre for genre in GENRES if hasattr(GENRES[genre], "explain")])
def test_steps_beyond_the_most_are_told_in_words(genre):
    board = boards(genre)[0]
    explanation = GENRES[genre].explain(board)
    *parts, end = views.steps(board, most=2)
    folded = [part for part in parts if isinstance(part, views.Folded)]
    assert [part.picture is not None for part in folded] == [n < 2 for n in range(len(folded))]
    words = " ".join(part._repr_html_() for part in folded)
    assert all(html.escape(step.sentence) in words for step in explanation.steps)
    assert end == "Everything is settled."
