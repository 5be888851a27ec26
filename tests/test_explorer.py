"""The explorer: answers that fit the library's, controls that redraw, every question within a second."""

import numpy as np
import pytest

from puzzlekit import GENRES, nawabari, usowan
from puzzlekit.lab import bank, explorer
from puzzlekit.show import pictures


def test_space_counts_and_tints():
    picture, frame = explorer.space("usowan", 3, 4, ["connected"])
    assert frame["number"].tolist()[0] == f"{usowan.count(3, 4, connected=False):,}"
    assert "tinted" in picture.alt
    picture, frame = explorer.space("nawabari", 3, 3)
    assert frame["number"].tolist() == [f"{nawabari.count(3, 3):,}", "1.00"]
    assert "sides tinted" in picture.alt


@pytest.mark.parametrize("genre", GENRES)
def test_boards_of_a_bank_are_climbed_and_misread(genre):
    package = GENRES[genre]
    boards = bank.load(genre, 6, 6, boards=explorer.BOARDS).boards
    for rung in package.RUNGS:
        picture, frame = explorer.ladder(genre, 6, rung, 3)
        finished = sum(package.climb(board, rung).finished for board in boards)
        assert frame["number"][0] == f"{finished} of {explorer.BOARDS}" and picture.svg.startswith("<svg")
    for reading in package.MISREADINGS:
        picture, frame = explorer.misread(genre, 6, reading, 3)
        assert frame["number"][0] == f"{package.count_answers(boards[3], reading):,}" and picture.svg.startswith("<svg")


def test_controls_redraw():
    tab = explorer.explore()
    assert "image/svg+xml" in tab._repr_mimebundle_()
    for page in tab.children:
        controls, shown = page.children
        genre = controls.children[0]
        for name in [*list(GENRES)[1:], next(iter(GENRES))]:
            before = shown.value
            genre.value = name
            assert shown.value != before and "<svg" in shown.value and "<table" in shown.value
    rows = tab.children[0].children[0].children[1]
    before = tab.children[0].children[1].value
    rows.value = 3
    assert tab.children[0].children[1].value != before


def test_heat_is_the_share_of_all_answers():
    found = usowan.answers(3, 3)
    picture, _ = explorer.space("usowan", 3, 3)
    assert picture.svg == pictures.grid_picture(np.full((3, 3), usowan.NO_CLUE), heat=found.mean(axis=0)).svg
