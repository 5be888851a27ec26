"""The random walk over answers: legal ones, and in the long run every one equally often."""

from itertools import islice

import numpy as np
import pytest
from scipy import stats

from puzzlekit.tasquare import NO_CLUE, Board, answers, chain, check, count, marginals


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 4), (2, 2), (3, 3), (3, 4), (4, 3)])
def test_every_answer_equally_often(rows, cols):
    space = {answer.tobytes(): i for i, answer in enumerate(answers(rows, cols))}
    walk = chain.walk(rows, cols, np.random.default_rng([rows, cols]))
    met = np.bincount([space[answer.tobytes()] for answer in islice(walk, 40 * len(space))], minlength=len(space))
    assert len(space) == 1 or stats.chisquare(met).pvalue > 1e-4, met


def test_far_from_the_start_cells_are_shaded_as_often_as_in_the_space():
    rows, cols = 8, 7
    walk = chain.walk(rows, cols, np.random.default_rng(3))
    shaded = sum(answer.astype(int) for answer in islice(walk, 3000)) / 3000
    exact = np.array((marginals(rows, cols) / count(rows, cols)).tolist(), float)
    assert abs(shaded - exact).max() < 0.06


def test_wide_answers_are_legal():
    for rows, cols in ((15, 15), (20, 31)):
        board = Board(np.full((rows, cols), NO_CLUE))
        for answer in islice(chain.walk(rows, cols, np.random.default_rng(1)), 5):
            assert check(board, answer) is None
