"""The complete search against brute force and against SAT, with no, one and several answers, limits and budgets."""

import random

import corpus
import numpy as np
import pytest
import tasquare_boards
from oracles import tasquare_sat

from puzzlekit.tasquare.ladder import RUNGS
from puzzlekit.tasquare.rules import ASKED, MISREADINGS, NO_CLUE, READINGS, Board, check
from puzzlekit.tasquare.setter import full_board
from puzzlekit.tasquare.solver import solve, solve_many

SMALL = [(r, c) for r in range(1, 6) for c in range(1, 9) if r * c <= 16]
ALL = {**READINGS, **MISREADINGS, "counts cells, plain zero": MISREADINGS["counts cells"]._replace(zero="plain")}
PLENTY = 100_000
MADE = [  # 15 x 21, made here, the two that take longest of twenty
    (
        "tasquare/21/15/g2i11j4h4k11g2j2g1j4g2g2m11k5q5h1h2g11k1h2g5i1j2h1h3h1g14h4i1h31j2h1m21o2g1j1p3h1i11g5i3h2"
        "n2h1j2p1p3h2g2g2p4l2i2n5i2n3g211g4j12j51g3j1k1n2j"
    ),
    (
        "tasquare/21/15/k4m1g9iag2j5h2q1m2i5o1g2g211g2g1n1g1l2g1i3j1g2j2i2g1j1g4g2l2l12l21g3g3i21g21k4i1g2g1j3i1g5i"
        "1i1i2j1j1i1g2k3h1j2g11h1g5m111g2g11i2g4h5i3h1r4g2i1i1h1g1j1k1j1i2g"
    ),
]


def as_tuples(answers):
    return sorted(tuple(answer.ravel().tolist()) for answer in answers)


@pytest.mark.parametrize("name", ALL)
def test_against_brute_force_under_every_reading(name):
    pick, reading, kinds = random.Random(name), ALL[name], {0: 0, 1: 0, 2: 0}
    for _ in range(150):
        board = tasquare_boards.mixed_board(pick, *pick.choice(SMALL))
        exact = tasquare_boards.answers(board, **reading._asdict())
        solution = solve(board, PLENTY, reading=reading)
        assert as_tuples(solution.answers) == as_tuples(exact), board.to_text()
        assert solution.complete and solution.unique == (len(exact) == 1)
        kinds[min(len(exact), 2)] += 1
    assert name == "no numbers" or min(kinds.values()) >= 2


@pytest.mark.parametrize("top", RUNGS)
def test_every_rung_as_pruning_finds_the_same_answers(top):
    pick = random.Random(7)
    for _ in range(120):
        board = tasquare_boards.mixed_board(pick, *pick.choice(SMALL))
        for reading in ("rules", "plain zero", "white may split", "counts cells"):
            solution, other = solve(board, PLENTY, top=top, reading=reading), solve(board, PLENTY, reading=reading)
            assert as_tuples(solution.answers) == as_tuples(other.answers), board.to_text()


def test_against_sat():
    pick, kinds = random.Random(64), {0: 0, 1: 0, 2: 0}
    for _ in range(400):
        board = tasquare_boards.mixed_board(pick, pick.randint(3, 8), pick.randint(3, 8))
        reading = ALL[pick.choice(["rules", "rules", "rules", "plain zero", "white may split", "counts cells"])]
        expected = tasquare_sat.solutions(board, 40, **reading._asdict())
        solution = solve(board, 40, reading=reading)
        if len(expected) < 40:
            assert as_tuples(solution.answers) == expected, board.to_text()
        else:
            assert len(set(as_tuples(solution.answers))) == 40
            assert all(check(board, answer, reading) is None for answer in solution.answers)
        assert solution.unique == (len(expected) == 1)
        kinds[min(len(expected), 2)] += 1
    assert min(kinds.values()) >= 25


def test_full_boards_against_sat():
    """Every number printed, up to 12 x 13: a second answer for many."""
    pick, unique = random.Random(5), 0
    for _ in range(40):
        rows, cols = pick.randint(8, 12), pick.randint(8, 13)
        board = full_board(tasquare_boards.random_answer(pick, rows, cols))
        solution = solve(board)
        assert len(tasquare_sat.solutions(board, 2)) == len(solution.answers), board.to_text()
        assert all(check(board, answer) is None for answer in solution.answers)
        unique += bool(solution.unique)
    assert unique >= 5


def test_published_boards():
    for record in corpus.boards("tasquare"):
        board = Board.from_record(record)
        for top in (None, "white", "prune", "clue") if board.rows < 8 else (None, "white"):
            solution = solve(board, top=top)
            assert len(solution.answers) == record["solutions"] and solution.complete, record["id"]
            if record["unique"]:
                assert solution.unique and solution.answers[0].tolist() == record["solution"], record["id"]
        plain = solve(board, reading="plain zero").answers
        if "zero_plain" in record:
            assert len(plain) == record["zero_plain"]["solutions"], record["id"]
            if record["zero_plain"]["solution"]:
                assert plain[0].tolist() == record["zero_plain"]["solution"]
        else:
            assert len(plain) == record["solutions"]


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 6), (4, 1), (2, 2), (2, 5), (3, 3), (4, 4), (5, 3)])
def test_empty_grids(rows, cols):
    """All answers of the answer space; everything shaded is one of them on a square."""
    empty = Board(np.full((rows, cols), NO_CLUE))
    for reading in ("rules", "white may split", "no numbers"):
        exact = tasquare_boards.answers(empty, **ALL[reading]._asdict())
        assert as_tuples(solve(empty, PLENTY, reading=reading).answers) == as_tuples(exact)
    full = np.ones((rows, cols), int).tolist() in solve(empty, PLENTY).answers.tolist()
    assert full == (rows == cols)


def test_large_boards_are_searched():
    """25 x 25 with one clue: candidates of every side; and a number that only a square of side 20 can give."""
    board = Board(np.full((25, 25), NO_CLUE)).with_clue(20, 3, 400)
    (answer,) = solve(board, 1).answers
    assert check(board, answer) is None
    assert len(solve(Board(np.full((15, 21), NO_CLUE)).with_clue(0, 0, ASKED), 50).answers) == 50


@pytest.mark.parametrize("url", MADE)
def test_15x21_is_proved_unique(url):
    board = Board.from_url(url)
    assert (board.rows, board.cols) == (15, 21) and board.to_url().endswith(url)
    solution = solve(board)
    assert solution.unique and check(board, solution.answers[0]) is None
    assert as_tuples(solution.answers) == tasquare_sat.solutions(board, 2)
    assert as_tuples(solve(board, top="white", budget=PLENTY).answers) == as_tuples(solution.answers)
    thinner = board.with_clue(*np.argwhere(board.clues > 0)[0], NO_CLUE)
    assert len(solve(thinner).answers) == len(tasquare_sat.solutions(thinner, 2))


def test_budget_and_limit():
    empty = Board(np.full((4, 4), NO_CLUE))
    assert len(solve(empty, 1).answers) == 1 and solve(empty, 1).unique is None
    spent = solve(empty, PLENTY, budget=10)
    assert not spent.complete and spent.branch_points == 11
    assert solve(empty, 2, budget=10_000).unique is False
    assert solve(Board([[1, NO_CLUE]]), budget=0).unique is True
    for wrong in (0, -1, True, 2.5):
        with pytest.raises(ValueError, match="limit must be a whole number of at least 1"):
            solve(empty, wrong)
    with pytest.raises(ValueError, match="budget must be a whole number of at least 0, not -1"):
        solve(empty, budget=-1)
    with pytest.raises(ValueError, match="unknown rung 'guess'; choose from"):
        solve(empty, top="guess")
    with pytest.raises(ValueError, match="unknown reading 'no walls'"):
        solve(empty, reading="no walls")


def test_many_boards_are_the_same_boards():
    """Of all sizes in one call, with none, one and several answers; also as an array; and past a budget."""
    pick = random.Random(11)
    boards = [tasquare_boards.mixed_board(pick, pick.randint(1, 6), pick.randint(1, 6)) for _ in range(200)]
    boards += [Board.from_url(url) for url in MADE]
    for limit in (1, 2, 5):
        many = solve_many(boards, limit)
        for board, one in zip(boards, many, strict=True):
            alone = solve(board, limit)
            assert one[1:] == alone[1:] and one.unique is alone.unique and (one.answers == alone.answers[:2]).all()
    assert set(solve_many(boards).counts.tolist()) == {0, 1, 2}
    alike = np.array([board.clues for board in boards if board.clues.shape == (4, 4)])
    assert solve_many(alike).counts.tolist() == solve_many([Board(clues) for clues in alike]).counts.tolist()
    hard = solve_many(boards, budget=1)
    assert hard.unknown.any() and hard.unknown[-2:].all()
    assert len(solve_many([])) == 0
    with pytest.raises(ValueError, match="board 1: -3 at row 0, column 1 is no clue"):
        solve_many(np.array([[[1, -1]], [[1, -3]]]))
