"""Readings that only the region rung refutes, which boards of a setter hardly ever have."""

from collections import Counter
from itertools import product

import pytest
from oracles.usowan_ladder import Contradiction, Ladder

from puzzlekit.usowan import questions
from puzzlekit.usowan.rules import Board

BOARDS = [
    ([[-1, -1, -1, 0], [-1, 1, -2, 1], [1, -1, -1, -1]], [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]),
    ([[-1, -1, 0, -1, 1, -1], [-1, -1, 0, -1, -1, 1]], [[0] * 6] * 2),
    ([[-1, -1, 0, -1], [0, 3, 1, -1], [0, -1, -1, 1]], [[0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]),
    ([[-1, -1, 2, -1], [-1, 2, -1, 1], [-1, 1, -1, -1]], [[0] * 4] * 3),
]


def first_to_refute(clues, regions, liar):
    """The lowest rung that a plain ladder needs to refute a reading, or that none of them does."""
    ladder = Ladder(clues, regions, liar=liar)
    for top in ("cell", "count", "region", "connect"):
        try:
            ladder.climb(top)
        except Contradiction:
            return top
    return "stands"


@pytest.mark.parametrize("clues, regions", BOARDS)
def test_region_refutes_before_connect_does(clues, regions):
    board = Board(clues, regions)
    named = [dict(enumerate(cells)) for cells in product(*board.clues_by_region)]
    expected = Counter(first_to_refute(board.clues.tolist(), board.regions.tolist(), liar) for liar in named)
    found = questions.what_rules_out_readings(board)
    assert expected["region"] > 0
    assert {rung: found[rung] for rung in ("cell", "count", "region", "connect")} == {
        rung: expected[rung] for rung in ("cell", "count", "region", "connect")
    }
    assert found["search"] + found["answer"] == expected["stands"]
