"""The complete search against brute force and against SAT, with no, one and several answers, limits and budgets."""

import random

import numpy as np
import pytest
import usowan_boards
from oracles import usowan as oracle
from oracles import usowan_sat

from puzzlekit.lab import bank
from puzzlekit.usowan import (
    MISREADINGS,
    NO_CLUE,
    RULES,
    RUNGS,
    Board,
    Reading,
    check,
    count,
    count_answers,
    solve,
    solve_many,
)
from puzzlekit.usowan.solver import pack

SMALL = [(r, c) for r in range(1, 6) for c in range(1, 9) if r * c <= 16]
SEVERAL_WRONG = {"up to two": Reading(fewest=0, most=2), "several": Reading(2, 9, scope="board")}
READINGS = {"rules": RULES, **MISREADINGS, **SEVERAL_WRONG}
PLENTY = 100_000


def as_tuples(answers):
    return sorted(tuple(answer.ravel().tolist()) for answer in answers)


@pytest.mark.parametrize("name", READINGS)
def test_against_brute_force_under_every_reading(name):
    pick, reading, kinds = random.Random(name), READINGS[name], {0: 0, 1: 0, 2: 0}
    for _ in range(120):
        board = usowan_boards.mixed_board(pick, *pick.choice(SMALL), most=4)
        exact = oracle.answers(board.clues.tolist(), board.regions.tolist(), **reading._asdict())
        solution = solve(board, PLENTY, reading=reading)
        assert as_tuples(solution.answers) == exact, board.to_text()
        assert [tuple(answer.ravel().tolist()) for answer in solution.answers] == exact[::-1]
        assert solution.complete and solution.unique == (len(exact) == 1)
        kinds[min(len(exact), 2)] += 1
    assert min(kinds.values()) >= 2


@pytest.mark.parametrize("top", RUNGS)
def test_every_rung_as_pruning_finds_the_same_answers(top):
    pick = random.Random(7)
    for _ in range(120):
        board = usowan_boards.mixed_board(pick, *pick.choice(SMALL), most=4)
        for reading in ("rules", "none wrong", "one on the board"):
            solution, other = solve(board, PLENTY, top=top, reading=reading), solve(board, PLENTY, reading=reading)
            assert as_tuples(solution.answers) == as_tuples(other.answers), board.to_text()


def test_against_sat():
    pick, kinds = random.Random(64), {0: 0, 1: 0, 2: 0}
    for _ in range(500):
        board = usowan_boards.mixed_board(pick, pick.randint(3, 8), pick.randint(3, 8), most=pick.choice([2, 5, 12]))
        expected = usowan_sat.solutions(board, 40)
        solution = solve(board, 40)
        if len(expected) < 40:
            assert as_tuples(solution.answers) == expected, board.to_text()
        else:
            assert len(set(as_tuples(solution.answers))) == 40
            assert all(check(board, answer) is None for answer in solution.answers)
        assert solution.unique == (len(expected) == 1)
        kinds[min(len(expected), 2)] += 1
    assert min(kinds.values()) >= 50


@pytest.mark.parametrize("size", [6, 8, 10])
def test_banks_against_sat(size):
    found = bank.load("usowan", size, size, 60)
    for board, answer in zip(found.boards, found.answers, strict=True):
        assert usowan_sat.solutions(board, 2) == as_tuples(solve(board).answers) == as_tuples([answer])


def test_bank_boards_thinned_out_against_sat_and_against_the_count():
    """A number less: a second answer for some, none where the lie is gone."""
    pick, kinds = random.Random(3), {0: 0, 1: 0, 2: 0}
    for board in bank.load("usowan", 8, 8, 150).boards:
        thinner = board.with_clue(*pick.choice(np.argwhere(board.clues >= 0).tolist()), NO_CLUE)
        solution = solve(thinner, 1000)
        assert len(solution.answers) == count_answers(thinner)
        assert as_tuples(solution.answers) == usowan_sat.solutions(thinner, 1000)
        kinds[min(len(solution.answers), 2)] += 1
    assert kinds[2] > 20 and kinds[0] + kinds[1] > 5


def test_enumeration_of_an_empty_grid():
    """No propagation helps: every answer of 4 x 5 is found once."""
    empty = Board(np.full((4, 5), NO_CLUE), np.zeros((4, 5), int))
    for top in (None, "cell", "connect"):
        answers = solve(empty, PLENTY, top=top, reading="none wrong").answers
        assert len(set(as_tuples(answers))) == len(answers) == count(4, 5)


def test_limits():
    empty = Board(np.full((3, 3), NO_CLUE), np.zeros((3, 3), int))
    for limit in (1, 2, 5, 39):
        solution = solve(empty, limit, reading="none wrong")
        assert solution.answers.shape == (limit, 3, 3) and solution.answers.dtype == np.uint8
        assert solution.complete and solution.unique is (None if limit == 1 else False)
    assert len(solve(empty, 1000, reading="none wrong").answers) == count(3, 3)
    one = bank.load("usowan", 6, 6, 1).boards[0]
    assert solve(one).unique is True and solve(one, 1).unique is None
    none = solve(empty)
    assert none.unique is False and none.complete and none.answers.shape == (0, 3, 3)


def test_work_ends_a_search():
    """What has been found by then is kept, and nothing is claimed."""
    board = Board(np.full((6, 6), NO_CLUE), np.zeros((6, 6), int))
    for options in ({}, {"top": "count"}):
        free = solve(board, 1000, reading="none wrong", work=None, **options)
        assert free.complete and len(free.answers) == 1000
        short = solve(board, 1000, reading="none wrong", work=2000, **options)
        assert not short.complete and 0 < short.branch_points < free.branch_points
        assert short.unique is (False if len(short.answers) > 1 else None)
    many = solve_many([board, board], 1000, reading="none wrong", work=2000)
    alone = solve(board, 1000, reading="none wrong", work=2000)
    assert many.branch_points.tolist() == [alone.branch_points] * 2 and not many.complete.any()
    assert many.counts.tolist() == [len(alone.answers)] * 2
    with pytest.raises(ValueError, match="work must be a whole number of at least 0, not -1"):
        solve(board, work=-1)


def test_budgets():
    """A search that was cut short never claims anything, and what it found is right."""
    ended = 0
    for board in bank.load("usowan", 10, 10, 60).boards:
        needed = solve(board, top="count").branch_points
        for budget in (0, 1, needed // 2, needed - 1, needed, needed + 1):
            if budget < 0:
                continue
            solution = solve(board, top="count", budget=budget)
            assert solution.complete == (budget >= needed)
            assert solution.unique is (True if budget >= needed else None)
            assert solution.branch_points == min(needed, budget + 1)
            assert all(check(board, answer) is None for answer in solution.answers)
            ended += not solution.complete
    assert ended > 50
    empty = Board(np.full((12, 12), NO_CLUE), np.zeros((12, 12), int))
    assert solve(empty, 2, reading="none wrong", budget=500).unique is False  # two answers are two answers


def test_searching_twice_gives_the_same():
    for board in bank.load("usowan", 10, 10, 20).boards:
        first, second = solve(board, top="count"), solve(Board(board.clues, board.regions), top="count")
        assert first.branch_points == second.branch_points and (first.answers == second.answers).all()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"limit": 0}, "limit must be a whole number of at least 1, not 0"),
        ({"limit": True}, "limit must be a whole number"),
        ({"limit": 2.5}, "limit must be a whole number"),
        ({"budget": -1}, "budget must be a whole number of at least 0, not -1"),
        ({"top": "look"}, "unknown rung 'look'; choose from"),
        ({"reading": "all wrong"}, "unknown reading 'all wrong'; choose from"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve(Board([[0, NO_CLUE]], [[0, 0]]), **arguments)


def mixed_batch(n):
    """Boards of many sizes with no, one and several answers."""
    pick = random.Random(n)
    return [usowan_boards.mixed_board(pick, *pick.choice([*SMALL, (8, 3), (7, 7)]), most=4) for _ in range(n)]


@pytest.mark.parametrize("name", READINGS)
def test_many_at_once_are_each_alone(name):
    boards = mixed_batch(150)
    for limit, budget in ((2, None), (1, None), (30, None), (2, 1), (7, 0)):
        many = solve_many(pack(boards), limit, budget, reading=READINGS[name])
        assert len(many) == len(boards)
        for i, board in enumerate(boards):
            one = solve(board, limit, budget=budget, reading=READINGS[name])
            assert (many.counts[i], many.complete[i], many.branch_points[i]) == (
                len(one.answers), one.complete, one.branch_points,
            )  # fmt: skip
            assert len(many[i].answers) == min(2, len(one.answers))
            assert set(as_tuples(many[i].answers)) <= set(as_tuples(one.answers))
            assert many[i].unique is one.unique
        assert (many.unknown.sum() > 0) == (budget is not None or limit == 1)


def test_many_that_are_none():
    none = solve_many([])
    assert len(none) == 0 and none.unique.shape == (0,)


def test_no_answer_is_lost_over_restarts_and_forgetting():
    """Boards with thousands of answers, whose search learns more clauses than it keeps."""
    for seed in range(3):
        pick = random.Random(seed)
        board = usowan_boards.mixed_board(pick, 7, 7, most=2)
        for reading in ("rules", "none wrong", "all honest"):
            expected = count_answers(board, reading)
            if expected < PLENTY:
                found = solve(board, PLENTY, reading=reading).answers
                assert len(found) == expected == len(np.unique(found, axis=0))


def test_one_row_and_one_column():
    """There an inner shaded cell splits; at the ends it does not."""
    for n in (1, 2, 3, 5):
        for shape in ((1, n), (n, 1)):
            empty = Board(np.full(shape, NO_CLUE), np.zeros(shape, int))
            assert as_tuples(solve(empty, PLENTY, reading="none wrong").answers) == oracle.answers(
                empty.clues.tolist(), empty.regions.tolist(), fewest=0
            )
