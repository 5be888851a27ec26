"""What setting a board takes, and what a frontier tells apart, against the bank and against slower roads."""

import numpy as np
import pytest

from puzzlekit import usowan
from puzzlekit.lab import bank
from puzzlekit.usowan import profile, questions, setter


def test_boards_are_those_of_the_bank_and_passes_are_counted():
    stored = bank.load("usowan", 6, 6, 12)
    found = questions.passes(6, 6, bank.SEED, 0, 12)
    assert [row["numbers"] for row in found] == [board.numbers for board in stored.boards]
    for index, row in enumerate(found):
        rng = bank.board_rng(bank.SEED, 6, 6, index)
        assert setter.made(6, 6, rng) == (stored.boards[index], row["passes"])
        assert row["passes"] >= 2  # the last one rubs out nothing


def test_a_board_that_cannot_lose_a_number_takes_one_pass():
    stored = bank.load("usowan", 6, 6, 5)
    for board, answer in zip(stored.boards, stored.answers, strict=True):
        assert setter.minimised(board, answer, np.random.default_rng(0)) == (board, 1)


def test_hard_readings_are_of_boards_that_need_probe():
    (found,) = questions.hard_readings(6, 6, 5, 0, 1)
    board = usowan.make(6, 6, np.random.default_rng([5, 6, 6, 0]), hardest="probe")
    assert found == questions.what_rules_out_readings(board) and not usowan.climb(board, "connect").finished


@pytest.mark.parametrize("rows, cols", [(2, 2), (3, 3), (4, 4), (4, 5)])
def test_labels_are_those_of_every_prefix_of_every_answer(rows, cols):
    """Sweep each answer cell by cell; regions of its unshaded cells so far that touch the frontier."""
    most = 0
    for answer in profile.answers(max(rows, cols), min(rows, cols)):
        lines, across = answer.shape
        for seen in range(1, lines * across + 1):
            unshaded = {divmod(cell, across) for cell in range(seen) if not answer.ravel()[cell]}
            frontier = {divmod(cell, across) for cell in range(max(0, seen - across), seen)} & unshaded
            pieces = 0
            while frontier:
                pieces += 1
                pending = [frontier.pop()]
                reached = set()
                while pending:
                    r, c = pending.pop()
                    if (r, c) in unshaded - reached:
                        reached.add((r, c))
                        pending += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
                frontier -= reached
            most = max(most, pieces)
    assert profile.most_labels(rows, cols) == most
