"""Every rung against a plain restatement, and against all answers: on banks, published and random boards."""

import random
from itertools import pairwise

import corpus
import numpy as np
import pytest
import usowan_boards
from oracles import usowan as oracle
from oracles.usowan_ladder import Contradiction, Ladder

from puzzlekit.lab import bank
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.usowan import MISREADINGS, NO_CLUE, RULES, RUNGS, Board, Reading, board_diagram, check, climb

SHAPES = [(r, c) for r in range(1, 6) for c in range(1, 9) if r * c <= 16] + [(1, 15), (14, 1)]
SEVERAL_WRONG = {"up to two": Reading(fewest=0, most=2), "several": Reading(2, 9, scope="board")}
READINGS = {"rules": RULES, **MISREADINGS, **SEVERAL_WRONG}


def small_boards(seed, n):
    pick = random.Random(seed)
    for _ in range(n):
        yield usowan_boards.mixed_board(pick, *pick.choice(SHAPES), most=4)


def plain(board, reading=RULES):
    return board.clues.tolist(), board.regions.tolist(), reading._asdict()


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


@pytest.mark.parametrize("size", [6, 8, 10])
def test_every_rung_is_sound_on_the_bank(size):
    found = bank.load("usowan", size, size)
    for board, answer in zip(found.boards, found.answers, strict=True):
        climbs = never_against(board, answer)
        assert climbs[RUNGS.index("connect")].finished


def test_every_rung_is_sound_on_published_boards():
    finished = 0
    for record in corpus.boards("usowan"):
        if record["unique"]:
            climbs = never_against(Board.from_record(record), np.array(record["solution"]))
            finished += climbs[-1].finished
    assert finished >= corpus.number(190, 30)


def test_the_intended_answer_stays_possible_under_kinder_readings():
    """Whoever lets a region do without a wrong number, or unshaded cells meet at corners, accepts every answer."""
    found = bank.load("usowan", 8, 8, 300)
    for board, answer in zip(found.boards, found.answers, strict=True):
        for reading in ("none wrong", "corner touch", READINGS["up to two"]):
            never_against(board, answer, reading)


@pytest.mark.parametrize("name", READINGS)
def test_nothing_is_settled_against_any_answer_of_a_bank_board(name):
    """All answers, counted by the frontier: a cell that is settled one way has no answer the other way."""
    reading = READINGS[name]
    for board in bank.load("usowan", 6, 6, 120).boards:
        space = board_diagram(board, reading)
        total = space.count()
        shaded = space.marginals()[:, 1].reshape(6, 6) if total else None
        for top in RUNGS:
            reached = climb(board, top, reading)
            if total == 0:
                assert not reached.finished
                continue
            assert not reached.contradiction
            assert (shaded[reached.state == SHADED] == total).all() and (shaded[reached.state == UNSHADED] == 0).all()


@pytest.mark.parametrize("name", READINGS)
def test_rungs_are_their_definitions(name):
    """The same cells settled and the same contradictions as in the plain restatement; sound for every answer."""
    reading, seen = READINGS[name], {"contradiction": 0, "finished": 0, "open": 0}
    for board in small_boards(seed=name, n=130):
        clues, regions, how = plain(board, reading)
        exact = np.array(oracle.answers(clues, regions, **how)).reshape(-1, board.rows, board.cols)
        climbs = [climb(board, top, reading) for top in RUNGS]
        assert is_monotone(climbs), board.to_text()
        for top, reached in zip(RUNGS, climbs, strict=True):
            if reached.contradiction:
                assert not len(exact), (top, board.to_text())
            else:
                assert not (exact == 1)[:, reached.state == UNSHADED].any(), (top, board.to_text())
                assert not (exact == 0)[:, reached.state == SHADED].any(), (top, board.to_text())
            if name in SEVERAL_WRONG:
                continue  # the region rung is silent there: sound, but less than its definition
            try:
                state = Ladder(clues, regions, **how).climb(top)
            except Contradiction:
                assert reached.contradiction, (top, board.to_text())
                continue
            shading = np.full(board.clues.shape, UNKNOWN)
            for cell, value in state.items():
                shading[cell] = SHADED if value else UNSHADED
            if reached.contradiction:
                assert check(board, shading == SHADED, reading) and (shading != UNKNOWN).all(), (top, board.to_text())
            else:
                assert (reached.state == shading).all(), (top, board.to_text())
        last = climbs[-1]
        seen["contradiction" if last.contradiction else "finished" if last.finished else "open"] += 1
    assert seen["contradiction"] >= 2 and seen["finished"] + seen["open"] >= 25


def test_rungs_are_their_definitions_on_bank_boards():
    """As above at 6 x 6 and 8 x 8, where connect has work to do."""
    moved = dict.fromkeys(RUNGS, 0)
    for size, n in ((6, 40), (8, 10)):
        for board in bank.load("usowan", size, size, n).boards:
            clues, regions, _ = plain(board)
            for top in RUNGS:
                reached, state = climb(board, top), Ladder(clues, regions).climb(top)
                assert len(state) == (reached.state != UNKNOWN).sum()
                assert all((reached.state[cell] == SHADED) == bool(value) for cell, value in state.items())
                moved[top] += reached.settled[top]
    assert all(moved[rung] for rung in ("cell", "count", "region", "connect"))


def test_an_empty_board_settles_nothing():
    empty = Board(np.full((5, 7), NO_CLUE), np.zeros((5, 7), int))
    assert (climb(empty, reading="none wrong").state == UNKNOWN).all()
    assert climb(empty).contradiction  # under the rules its region has no number to be wrong


def test_by_hand():
    regions = [[0, 0, 0], [0, 0, 0], [1, 1, 1]]
    board = Board([[NO_CLUE, 4, NO_CLUE], [NO_CLUE] * 3, [0, NO_CLUE, 1]], regions)
    assert climb(board, "cell").state.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 1]]
    assert climb(board, "count").settled == {"cell": 3, "count": 0, "region": 0, "connect": 0, "probe": 0}
    # a lonely 2 in a corner is the wrong number; shading both its neighbours would cut it off anyway
    alone = climb(Board([[0, NO_CLUE]], [[0, 0]]), "count")
    assert alone.finished and alone.state.tolist() == [[UNSHADED, SHADED]]
    assert alone.settled == {"cell": 1, "count": 1, "region": 0, "connect": 0, "probe": 0}


def test_refusals():
    board = Board([[0, NO_CLUE]], [[0, 0]])
    with pytest.raises(ValueError, match="unknown rung 'guess'; choose from"):
        climb(board, "guess")
    with pytest.raises(ValueError, match="unknown reading 'two wrong'"):
        climb(board, reading="two wrong")
