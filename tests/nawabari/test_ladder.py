"""The Nawabari ladder and search: against plain Python and brute force, and on boards made by other people."""

import random
from functools import cache
from itertools import product

import corpus
import numpy as np
import pytest
from oracles import nawabari as oracle
from oracles import nawabari_ladder

from puzzlekit.nawabari import layout
from puzzlekit.nawabari.ladder import RUNGS, climb
from puzzlekit.nawabari.rules import (
    ASKED,
    DOTS,
    MISREADINGS,
    NO_CLUE,
    OPEN,
    RULES,
    UNKNOWN,
    WALL,
    Board,
    Reading,
    as_walls,
    check,
)
from puzzlekit.nawabari.solver import solve, solve_many

SHAPES = [(1, 1), (1, 2), (1, 6), (5, 1), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3)]
READINGS = [RULES, DOTS, *MISREADINGS.values(), Reading(several=True, none=True), Reading(frame=False, several=True)]


@cache
def dissections(rows, cols):
    return list(oracle.by_rectangle(rows, cols))


def random_clues(pick):
    """A printed answer, sometimes spoiled: a changed number, a `?`, a number that can never be right, a clue more or
    less.
    """
    rows, cols = pick.choice(SHAPES)
    rooms = pick.choice(dissections(rows, cols))
    clues = [[NO_CLUE] * cols for _ in range(rows)]
    for top, left, bottom, right in rooms:
        r, c = pick.randint(top, bottom), pick.randint(left, right)
        clues[r][c] = ASKED if pick.random() < 0.2 else oracle.number_at(rows, cols, (top, left, bottom, right), r, c)
    for _ in range(pick.choice([0, 0, 1, 2])):
        clues[pick.randrange(rows)][pick.randrange(cols)] = pick.choice([NO_CLUE, ASKED, 0, 1, 2, 3, 4, 7])
    return clues


def as_set(answers):
    return {tuple(map(tuple, answer)) for answer in np.asarray(answers).tolist()}


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3))])
def test_random_boards_under_every_reading(seed):
    pick = random.Random(seed)
    for _ in range(60):
        clues = random_clues(pick)
        board, space = Board(clues), dissections(len(clues), len(clues[0]))
        for reading in READINGS:
            exact = {
                oracle.ids(*board.clues.shape, x) for x in oracle.answers(clues, dissections=space, **reading._asdict())
            }
            found = solve(board, len(exact) + 2, reading=reading)
            assert as_set(found.answers) == exact and len(found.answers) == len(exact) and found.complete, (
                clues,
                reading,
            )
            assert solve(board, reading=reading).unique == (len(exact) == 1)
            if not reading.several and not reading.none:
                for top in RUNGS:
                    assert as_set(solve(board, len(exact) + 2, top=top, reading=reading).answers) == exact, (
                        clues,
                        reading,
                        top,
                    )
                got = climb(board, reading=reading)
                for answer in exact:
                    truth = sides(board, answer)
                    assert ((got.state == UNKNOWN) | (got.state == truth)).all()
                assert not (exact and got.contradiction) and (not got.finished or len(exact) == 1)


def sides(board, answer):
    right, down = as_walls(board, np.array(answer))
    return np.where(np.concatenate([right.ravel(), down.ravel()]), WALL, OPEN)


@pytest.mark.parametrize("seed", range(3))
def test_rungs_settle_exactly_what_their_definition_says(seed):
    pick = random.Random(100 + seed)
    met = dict.fromkeys(RUNGS, 0)
    for _ in range(60):
        clues = random_clues(pick)
        board = Board(clues)
        order = sorted(
            nawabari_ladder.sides_of(board.rows, board.cols), key=lambda side: (side[0][0] != side[1][0], side)
        )
        for top in RUNGS:
            got, wanted = climb(board, top), nawabari_ladder.climb(clues, top)
            if wanted is None:
                assert got.contradiction, (clues, top)
                break
            state = [{None: UNKNOWN, True: WALL, False: OPEN}[wanted[0].get(side)] for side in order]
            assert got.state.tolist() == state, (clues, top)
            assert sum(got.settled.values()) == (got.state != UNKNOWN).sum()
            if not got.contradiction:  # it may still see that a closed board is no answer
                met[top] += got.settled[top] > 0
    assert met["count"] and met["vertex"] and met["room"], met


def test_walls_of_a_climb_are_its_state():
    got = climb(Board([[3, NO_CLUE, 3], [NO_CLUE, 2, NO_CLUE]]), "count")
    assert got.walls.right.shape == (2, 2) and got.walls.down.shape == (1, 3)
    assert np.concatenate([part.ravel() for part in got.walls]).tolist() == got.state.tolist()


def test_real_boards():
    finished = dict.fromkeys(RUNGS, 0)
    for record in corpus.boards("nawabari"):
        board = Board.from_record(record)
        for top in (None, "room"):
            solution = solve(board, top=top)
            assert solution.unique and solution.answers[0].tolist() == record["solution"], record["id"]
        assert check(board, solution.answers[0]) is None
        truth = sides(board, record["solution"])
        for top in RUNGS:
            got = climb(board, top)
            assert ((got.state == UNKNOWN) | (got.state == truth)).all(), (record["id"], top)
            finished[top] += got.finished
    assert finished["count"] == 0 and finished["room"] < finished["probe"] == corpus.number(243, 30)


def test_boards_that_cannot_be_decided_within_the_budget_are_unknown():
    empty = Board([[ASKED if (r * c) % 5 == 2 else NO_CLUE for c in range(9)] for r in range(9)])
    for top in (None, "count", "room"):
        spent = solve(empty, limit=10**4, top=top, budget=3)
        assert not spent.complete and spent.branch_points == 4 and (spent.unique is None or len(spent.answers) > 1)
    grid = np.full((12, 12), NO_CLUE)
    grid[::3, 1::3], grid[1::4, 2::5] = ASKED, 2
    assert solve(Board(grid), reading="no number", budget=5).unique is None
    clues = np.array([grid, grid])
    assert solve_many(clues, limit=3, budget=0).unknown.all()


def test_smallest_boards():
    for clue, answers in ((4, 1), (ASKED, 1), (NO_CLUE, 0), (3, 0), (0, 0)):
        for top in (None, *RUNGS):
            assert len(solve(Board([[clue]]), top=top).answers) == answers
        assert climb(Board([[clue]])).finished == (answers == 1)
    assert solve(Board([[NO_CLUE] * 3] * 3)).unique is False or not len(solve(Board([[NO_CLUE] * 3] * 3)).answers)
    assert solve(Board([[3, NO_CLUE], [NO_CLUE, 3]])).unique is False


def test_many_boards_at_a_time_are_the_same_boards():
    pick = random.Random(8)
    boards = [random_clues(pick) for _ in range(200)]
    for shape in SHAPES:
        some = [clues for clues in boards if (len(clues), len(clues[0])) == shape]
        if some:
            assert solve_many(np.array(some)).counts.tolist() == [len(solve(Board(clues)).answers) for clues in some]


def test_wide_and_long_boards():
    """Masks of several words, and boards of one line."""
    for rows, cols in ((1, 130), (130, 1), (3, 70), (30, 25)):
        cells = range(0, rows * cols, 2)
        clues = np.full(rows * cols, NO_CLUE)
        clues[list(cells)] = 4
        clues[1::2] = 4
        assert (
            solve(Board(clues.reshape(rows, cols))).unique and climb(Board(clues.reshape(rows, cols)), "count").finished
        )
        one = np.full((rows, cols), NO_CLUE)
        one[rows // 2, cols // 2] = ASKED
        solution = solve(Board(one))
        assert solution.unique and not solution.answers.any()


def test_what_cannot_be_asked_says_so():
    board = Board([[3, 3]])
    with pytest.raises(ValueError, match="unknown rung 'guess'"):
        climb(board, "guess")
    with pytest.raises(ValueError, match="unknown reading 'both'"):
        solve(board, reading="both")
    with pytest.raises(ValueError, match="limit must be a whole number of at least 1, not 0"):
        solve(board, 0)
    with pytest.raises(ValueError, match="budget must be a whole number of at least 0, not -1"):
        solve(board, budget=-1)
    for reading in ("several numbers", "no number"):
        with pytest.raises(ValueError, match="one clue in every room"):
            climb(board, reading=reading)
        with pytest.raises(ValueError, match="one clue in every room"):
            solve(board, top="room", reading=reading)


def test_geometry_knows_every_side_twice():
    for rows, cols in product((1, 2, 5), repeat=2):
        around, cells, ends, meeting = layout.geometry(rows, cols)
        assert len(cells) == rows * (cols - 1) + (rows - 1) * cols and len(meeting) == (rows - 1) * (cols - 1)
        for side, pair in enumerate(cells):
            assert all(side in around[cell] for cell in pair)
            assert all(point < 0 or side in meeting[point] for point in ends[side])
