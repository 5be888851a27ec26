"""The boards that other people published: one answer where they say so, and the answer they state."""

import corpus
import pytest
from oracles import usowan_sat

from puzzlekit.usowan import Board, check, solve


def test_solved_as_stated():
    unique = 0
    for record in corpus.boards("usowan"):
        board = Board.from_record(record)
        solution = solve(board)
        assert solution.complete and len(solution.answers) == record["solutions"], record["id"]
        assert solution.unique == record["unique"], record["id"]
        if record["unique"]:
            assert solution.answers[0].tolist() == record["solution"], record["id"]
            assert check(board, record["solution"]) is None, record["id"]
            unique += 1
        assert solution.branch_points < 10_000, record["id"]
    assert len(corpus.boards("usowan")) == corpus.number(223, 30)


@pytest.mark.parametrize("part", range(3))
def test_sat_agrees(part):
    """A third opinion on a sample; the whole file takes the SAT solver longer than a test may take."""
    for record in corpus.boards("usowan")[part::9]:
        board = Board.from_record(record)
        if board.rows * board.cols <= 200:
            assert len(usowan_sat.solutions(board, 2)) == record["solutions"], record["id"]
