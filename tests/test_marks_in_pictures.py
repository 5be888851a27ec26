"""Where labels stand in a picture, and which frame means what, read from the drawing itself."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from puzzlekit import GENRES
from puzzlekit.boards import NO_CLUE
from puzzlekit.lab import views
from puzzlekit.show import pictures

DASHED, FULL = "#0072b2", "#8a6d00"  # the blue frame is dashed: premises; the brown one is not: what follows


def texts(picture):
    """(words, x, y) of every text of a picture, in pixels of the grid's own corner."""
    found = re.findall(r"<text ([^>]*)>([^<]*)</text>", picture.svg)
    return [
        (words, *(float(re.search(rf'\b{name}="([-0-9.]+)"', attributes)[1]) for name in "xy"))
        for attributes, words in found
    ]


@pytest.mark.parametrize("rows, cols", [(2, 5), (4, 1), (3, 3)])
def test_columns_are_named_above_and_rows_at_the_left(rows, cols):
    found = texts(pictures.grid_picture(np.full((rows, cols), NO_CLUE), coordinates=True))
    above, left = [one for one in found if one[2] < 0], [one for one in found if one[1] < 0]
    assert len(above) + len(left) == len(found)
    assert [(words, x) for words, x, _ in above] == [(f"C{c + 1}", 32 * c + 16) for c in range(cols)]
    assert [words for words, _, _ in left] == [f"R{r + 1}" for r in range(rows)]
    for r, (_, _, y) in enumerate(left):
        assert 32 * r + 16 < y < 32 * r + 24  # the baseline, a little below the middle
    assert texts(pictures.grid_picture(np.full((rows, cols), NO_CLUE))) == []


def frames(picture):
    """Corners of the cells that are framed: colour -> (dashes, places in pixels)."""
    found = re.findall(
        r'<path d="([^"]*)" fill="none" stroke="(#0072b2|#8a6d00)"[^>]*stroke-dasharray="([^"]*)"', picture.svg
    )
    return {colour: (dashes, re.findall(r"M([0-9.]+) ([0-9.]+)", path)) for path, colour, dashes in found}


def test_premises_are_dashed_and_what_follows_is_not():
    picture = pictures.grid_picture(np.full((2, 3), NO_CLUE), highlights={"because": [(0, 2)], "therefore": [(1, 0)]})
    assert frames(picture) == {DASHED: ("4 3", [("67.5", "3.5")]), FULL: ("none", [("3.5", "35.5")])}
    assert "1 cell highlighted as because" in picture.alt and "1 cell highlighted as therefore" in picture.alt


def test_load_bearing_clues_are_dashed_and_redundant_ones_are_not():
    """As the sentence below the picture says."""
    board = GENRES["tasquare"].Board([[1, NO_CLUE], [NO_CLUE, 1]])
    weights = {(0, 0): "redundant", (1, 1): "load-bearing"}
    found = SimpleNamespace(
        board=board, clues=weights, load_bearing=lambda: [(1, 1)], redundant=lambda: [(0, 0)],
    )  # fmt: skip
    _, picture, words = views.clues(found)
    assert words == "Dashed frames: needed. Full frames: any one of these could be removed."
    assert frames(picture) == {DASHED: ("4 3", [("35.5", "35.5")]), FULL: ("none", [("3.5", "3.5")])}
