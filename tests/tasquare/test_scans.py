"""Scans over the clues of a board, against solving each variant by itself."""

import numpy as np
import pytest

from puzzlekit.tasquare import NO_CLUE, Board, make, redundant_clues, solve
from puzzlekit.tasquare.setter import full_board


def test_redundant_clues_one_by_one():
    seen = set()
    for index in range(6):
        board = make(5, 6, np.random.default_rng(index))
        for tried in (board, full_board(solve(board).answers[0])):
            expected = np.zeros(tried.clues.shape, bool)
            for r, c in np.argwhere(tried.clues != NO_CLUE):
                expected[r, c] = len(solve(tried.with_clue(r, c, NO_CLUE)).answers) == 1
            assert (redundant_clues(tried) == expected).all()
            seen |= set(expected.ravel().tolist())
    assert seen == {False, True}
    with pytest.raises(ValueError, match="no answer, or several"):
        redundant_clues(Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]]))
