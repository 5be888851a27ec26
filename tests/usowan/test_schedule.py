"""What each layer of the sweep of a printed board has to look at, for boards worked out by hand."""

import numpy as np
import pytest

from puzzlekit.usowan import clued


def events(may_shade, may_leave, clues=((3, -1), (-1, -1))):
    """[(layer, value, fewest to come, most to come), ...] of a 2 x 2 board of one region."""
    clues = np.array(clues)
    found, _, _ = clued._schedule(clues, np.zeros((2, 2), int), np.array(may_shade, bool), np.array(may_leave, bool))
    columns = [clued._VALUE, clued._FEWEST_TO_COME, clued._MOST_TO_COME]
    return [(layer, *row[columns].tolist()) for layer, rows in enumerate(found) for row in rows]


@pytest.mark.parametrize(
    "right, below, expected",
    [
        ("shaded", "shaded", [(0, 3, 2, 2)]),  # both neighbours to come are certain: decided at once
        ("open", "open", [(0, 3, 0, 2), (1, 3, 0, 1), (2, 3, 0, 0)]),
        ("shaded", "open", [(0, 3, 1, 2), (1, 3, 0, 1), (2, 3, 0, 0)]),
        ("open", "shaded", [(0, 3, 1, 2), (1, 3, 1, 1)]),
        ("unshaded", "unshaded", [(0, 3, 0, 0)]),
    ],
)
def test_a_number_is_looked_at_until_it_is_decided(right, below, expected):
    may_shade, may_leave = np.ones((2, 2), bool), np.ones((2, 2), bool)
    for cell, what in (((0, 1), right), ((1, 0), below)):
        may_shade[cell], may_leave[cell] = what != "unshaded", what != "shaded"
    assert events(may_shade, may_leave) == expected
