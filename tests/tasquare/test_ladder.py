"""Every rung against a plain restatement, and against all answers: on made boards, on published ones, on boards nobody
would print.
"""

import random
from itertools import pairwise

import corpus
import numpy as np
import pytest
import tasquare_boards
from oracles.tasquare_ladder import Contradiction, Ladder

from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.tasquare.ladder import RUNGS, climb
from puzzlekit.tasquare.rules import ASKED, MISREADINGS, NO_CLUE, READINGS, RULES, Board, check
from puzzlekit.tasquare.setter import full_board, make

SHAPES = [(r, c) for r in range(1, 6) for c in range(1, 9) if r * c <= 16]
ALL = {**READINGS, **MISREADINGS, "counts cells, plain zero": MISREADINGS["counts cells"]._replace(zero="plain")}


def is_monotone(climbs):
    """Climbs to higher and higher rungs: what is settled stays as it is, and a contradiction stays one."""
    for lower, higher in pairwise(climbs):
        if higher.contradiction:
            continue
        known = lower.state != UNKNOWN
        if lower.contradiction or (lower.state[known] != higher.state[known]).any():
            return False
    return True


def never_against(board, answer, reading=RULES):
    """The climbs to all rungs, which must be sound for an answer, count what they settled, and be monotone."""
    climbs = [climb(board, top, reading) for top in RUNGS]
    for rung, reached in zip(RUNGS, climbs, strict=True):
        assert not reached.contradiction, (rung, board.to_text())
        known = reached.state != UNKNOWN
        assert (reached.state[known] == np.where(answer, SHADED, UNSHADED)[known]).all(), (rung, board.to_text())
        assert reached.finished == known.all()
        assert sum(reached.settled.values()) == known.sum()
        assert not any(reached.settled[higher] for higher in RUNGS[RUNGS.index(rung) + 1 :])
    assert is_monotone(climbs), board.to_text()
    return climbs


def same_as_restated(board, reading, climbs):
    """Whether each climb settles what the plain rungs settle, or both see the contradiction."""
    for top, reached in zip(RUNGS, climbs, strict=True):
        try:
            state, _ = Ladder(board.clues.tolist(), **reading._asdict()).climb(top)
        except Contradiction:
            assert reached.contradiction, (top, board.to_text())
            continue
        shading = np.full(board.clues.shape, UNKNOWN)
        for cell, value in state.items():
            shading[cell] = SHADED if value else UNSHADED
        if reached.contradiction:  # every cell follows, and yet some clause is broken: judged by climb itself
            assert check(board, shading == SHADED, reading) and (shading != UNKNOWN).all(), (top, board.to_text())
        else:
            assert (reached.state == shading).all(), (top, board.to_text())


@pytest.mark.parametrize("rows, cols", [(6, 6), (8, 8), (10, 10), (5, 9), (1, 8)])
def test_every_rung_is_sound_on_full_and_on_made_boards(rows, cols):
    pick = random.Random(rows * cols)
    for _ in range(60):
        answer = tasquare_boards.random_answer(pick, rows, cols)
        if answer.any():
            never_against(full_board(answer), answer)
            never_against(full_board(answer).positions(), answer)
    for index in range(5):
        board = make(rows, cols, np.random.default_rng(index))
        assert never_against(board, climb(board).state == SHADED)[-1].finished


def test_every_rung_is_sound_on_published_boards():
    for record in corpus.boards("tasquare"):
        if record["unique"]:
            assert never_against(Board.from_record(record), np.array(record["solution"]))[-1].finished
        elif record["solutions"] == 0:
            assert climb(Board.from_record(record)).contradiction
        elif "examples" in record:
            for answer in record["examples"]:
                never_against(Board.from_record(record), np.array(answer))


def test_the_intended_answer_stays_possible_when_white_may_split():
    for index in range(20):
        board = make(6, 6, np.random.default_rng(index))
        answer = climb(board).state == SHADED
        never_against(board, answer, "white may split")
        never_against(board, answer, "no numbers")
        never_against(board, answer, "plain zero")


@pytest.mark.parametrize("name", ALL)
def test_rungs_are_their_definitions(name):
    """The same cells settled and the same contradictions as the plain restatement, rung by rung; sound for every
    answer.
    """
    pick, reading, seen = random.Random(name), ALL[name], {"contradiction": 0, "finished": 0, "open": 0}
    for _ in range(100):
        board = tasquare_boards.mixed_board(pick, *pick.choice(SHAPES))
        exact = tasquare_boards.answers(board, **reading._asdict())
        climbs = [climb(board, top, reading) for top in RUNGS]
        assert is_monotone(climbs), board.to_text()
        for top, reached in zip(RUNGS, climbs, strict=True):
            if reached.contradiction:
                assert not len(exact), (top, board.to_text())
            else:
                assert not (exact == 1)[:, reached.state == UNSHADED].any(), (top, board.to_text())
                assert not (exact == 0)[:, reached.state == SHADED].any(), (top, board.to_text())
        same_as_restated(board, reading, climbs)
        last = climbs[-1]
        seen["contradiction" if last.contradiction else "finished" if last.finished else "open"] += 1
    assert name == "no numbers" or (seen["contradiction"] >= 2 and seen["finished"] >= 1 and seen["open"] >= 5)


def test_rungs_are_their_definitions_on_made_boards():
    """As above at 6 x 6, where white has work to do."""
    moved = dict.fromkeys(RUNGS, 0)
    for index in range(12):
        board = make(6, 6, np.random.default_rng(index))
        climbs = [climb(board, top) for top in RUNGS]
        same_as_restated(board, RULES, climbs)
        for rung, settled in climbs[-1].settled.items():
            moved[rung] += settled
    assert all(moved.values())


@pytest.mark.parametrize("rows, cols", [(1, 2), (2, 2), (3, 7), (6, 6), (10, 10), (13, 8)])
def test_an_empty_board_settles_nothing(rows, cols):
    for top in RUNGS:
        reached = climb(Board(np.full((rows, cols), NO_CLUE)), top)
        assert (reached.state == UNKNOWN).all() and not any(reached.settled.values())
        assert not reached.contradiction and not reached.finished


def test_one_line_is_the_exception():
    """Shading a cell inside a line cuts it in two."""
    assert climb(Board([[NO_CLUE] * 9])).state.tolist() == [[UNKNOWN, *[UNSHADED] * 7, UNKNOWN]]
    assert (climb(Board([[NO_CLUE] * 9]), reading="white may split").state == UNKNOWN).all()


def test_by_hand():
    __ = NO_CLUE
    # a 2 in the corner is 1 + 1, two single cells that cut it off
    climbs = [climb(Board([[2, __, __], [__, __, __], [__, __, __]]), top) for top in ("clue", "white")]
    assert climbs[0].state.tolist() == [[1, 2, 1], [2, 1, 0], [1, 0, 0]]
    assert climbs[1].contradiction
    # a 4 in the corner lies to the right, the only side with room; that it is no single cell is for prune to say
    climbs = [climb(Board([[4, __, __], [__, __, __]]), top) for top in ("clue", "prune")]
    assert climbs[0].state.tolist() == [[1, 2, 0], [1, 0, 0]]
    assert climbs[1].state.tolist() == [[1, 2, 2], [1, 2, 2]]
    # 1 cannot be a part of a 2 x 2
    assert climb(Board([[1, __], [__, __]]), "probe").state.tolist() == [[1, 0], [0, 1]]
    assert climb(Board([[ASKED, __]]), "clue").state.tolist() == [[1, 2]]
    assert climb(Board([[0, __]]), "clue").contradiction and climb(Board([[0, __]]), "clue", "plain zero").contradiction
    assert climb(Board([[0, __, __]]), "clue", "plain zero").state.tolist() == [[1, 1, 0]]


def test_sums_are_exact():
    """Around the middle of 5 x 5 lie squares of 1 and 4, and single cells only where all four sides are shaded."""

    def possible(size, cell):
        empty = Board(np.full((size, size), NO_CLUE))
        return [value for value in range(1, 40) if not climb(empty.with_clue(*cell, value), "clue").contradiction]

    assert possible(5, (2, 2)) == [1, 2, 3, 4, 5, 6, 8, 9, 12]
    assert possible(4, (0, 0)) == [1, 2, 4, 9]  # two squares beside a corner are single cells
    assert climb(Board([[10**9, NO_CLUE, NO_CLUE]]), "clue").contradiction


def test_refusals():
    board = Board([[1, NO_CLUE]])
    with pytest.raises(ValueError, match="unknown rung 'guess'; choose from"):
        climb(board, "guess")
    with pytest.raises(ValueError, match="unknown reading 'two wrong'"):
        climb(board, reading="two wrong")
