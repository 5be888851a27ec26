"""Boards counted exactly: two ways and brute force, under every reading."""

import random
from functools import cache
from pathlib import Path

import corpus
import numpy as np
import pytest
from oracles import nawabari as oracle

from puzzlekit.nawabari import profile
from puzzlekit.nawabari.clued import count_answers
from puzzlekit.nawabari.rules import ASKED, DOTS, MISREADINGS, NO_CLUE, RULES, Board, Reading, as_walls, walls_around

PUBLISHED = Path(__file__).parents[2] / "data" / "published" / "oeis.csv"
SHAPES = [(r, c) for r in range(1, 5) for c in range(1, 6) if r * c <= 12] + [(1, 8), (7, 1)]
READINGS = {
    "rules": RULES,
    "dots": DOTS,
    **MISREADINGS,
    "any number of clues": Reading(several=True, none=True),
    "no frame, several": Reading(frame=False, several=True),
    "no frame, none": Reading(frame=False, none=True),
    "dots, none": Reading("nothing", none=True),
    "dots, several": Reading("nothing", several=True),
    "area, any number of clues": Reading("area", several=True, none=True),
}


@cache
def dissections(rows, cols):
    return list(oracle.by_rectangle(rows, cols))


def printed(rooms, pick, frame=True):
    """Clues of a dissection, room ids (rows, cols): one cell of each room prints its number."""
    clues, walls = np.full(rooms.shape, NO_CLUE), as_walls(Board(np.full(rooms.shape, NO_CLUE)), rooms)
    for room in range(rooms.max() + 1):
        r, c = pick.choice(np.argwhere(rooms == room).tolist())
        clues[r, c] = walls_around(walls, r, c, frame)
    return clues


def random_clues(pick):
    """Numbers of an answer, some of them changed, `?` and numbers that can never be right among them; or anything."""
    rows, cols = pick.choice(SHAPES)
    if pick.random() < 0.3:
        density = pick.choice([0.1, 0.3, 0.6, 1.0])
        return [[pick.randint(-2, 5) if pick.random() < density else NO_CLUE for _ in range(cols)] for _ in range(rows)]
    rooms = np.array(oracle.ids(rows, cols, pick.choice(dissections(rows, cols))))
    says = pick.choice(["walls", "walls", "walls without frame", "area"])
    clues = printed(rooms, pick, frame=says != "walls without frame")
    if says == "area":
        clues = np.where(clues == NO_CLUE, NO_CLUE, np.bincount(rooms.ravel())[rooms])
    for _ in range(pick.choice([0, 0, 1, 2])):
        clues[pick.randrange(rows), pick.randrange(cols)] = pick.randint(-2, 4)
    return clues.tolist()


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3))])
def test_random_boards_under_every_reading(seed):
    pick = random.Random(seed)
    some = dict.fromkeys(READINGS, 0)
    for _ in range(40):
        clues = random_clues(pick)
        board = Board(clues)
        for name, reading in READINGS.items():
            exact = len(oracle.answers(clues, **reading._asdict(), dissections=dissections(board.rows, board.cols)))
            assert count_answers(board, reading) == count_answers(board, reading, by="boxes") == exact, (name, clues)
            if reading.says != "area":
                assert count_answers(board, reading, by="walls") == exact, (name, clues)
            some[name] += bool(exact)
    assert min(some.values()) > 0, some


@pytest.mark.parametrize("shape, weight", [((6, 6), "0.15"), ((5, 9), "0.15"), ((6, 7), "0.2")])
def test_both_ways_agree_beyond_brute_force(shape, weight):
    pick = random.Random(11)
    for rooms in profile.draw(*shape, 8, np.random.default_rng(2), weight=weight):
        board = Board(printed(rooms, pick))
        turned = Board(board.clues[::-1].T)
        for name, reading in READINGS.items():
            found = count_answers(board, reading, by="boxes")
            assert count_answers(turned, reading) == found, name
            if reading.says != "area":
                assert count_answers(board, reading, by="walls") == found, name
        assert count_answers(board) >= 1 and count_answers(board, "no number") >= count_answers(board)


def test_boards_without_clues():
    for shape in [(1, 1), (4, 6), (12, 12), (20, 20)]:
        empty = Board(np.full(shape, NO_CLUE))
        assert count_answers(empty) == 0
        if max(shape) < 20:
            assert count_answers(empty, "no number") == profile.count(*shape)
    assert count_answers(Board(np.full((5, 5), NO_CLUE)), "no number", by="boxes") == profile.count(5, 5)


def test_a_question_mark_in_every_cell_leaves_all_dissections_or_one():
    board = Board(np.full((5, 6), ASKED))
    assert count_answers(board) == 1  # every cell is a room
    assert count_answers(board, "several numbers") == profile.count(5, 6)


def test_counts_beyond_a_word():
    """12 x 12 dissections have 156 bits; weights grow as they need to."""
    board = Board(np.full((12, 12), NO_CLUE).astype(int)).with_clue(0, 0, 4)
    total = count_answers(board, "no number")
    assert total.bit_length() > 128 and total == count_answers(Board(board.clues[::-1]), "no number")


def test_real_boards_have_one_answer():
    boards = [Board.from_record(record) for record in corpus.boards("nawabari")]
    assert len(boards) == corpus.number(243, 30) and all(count_answers(board) == 1 for board in boards)
    assert all(count_answers(board, by="boxes") == 1 for board in boards if board.rows <= 12)
    assert not any(count_answers(board, "number is area") for board in boards)


def test_a_wide_board_is_counted_by_boxes():
    """Every empty cell, far from the others, belongs to one of its four neighbours."""
    clues = np.full((22, 24), ASKED)
    clues[2:20:6, 2:20:6] = NO_CLUE
    board = Board(clues)
    assert count_answers(board) == count_answers(Board(clues[:20, :24]), by="walls") == 4**9
    with pytest.raises(ValueError, match="a sweep by walls is at most 20 cells across, not 22; count by boxes"):
        count_answers(board, by="walls")


def test_what_is_refused():
    board = Board([[2, NO_CLUE], [NO_CLUE, NO_CLUE]])
    with pytest.raises(ValueError, match="unknown reading 'nice'"):
        count_answers(board, "nice")
    with pytest.raises(ValueError, match="unknown way 'luck'; choose from 'boxes', 'walls' and None"):
        count_answers(board, by="luck")
    with pytest.raises(ValueError, match="a sweep by walls does not see areas"):
        count_answers(board, "number is area", by="walls")
    for by in ("boxes", "walls"):
        with pytest.raises(MemoryError, match="more than the budget of 20,000 bytes"):
            count_answers(Board(np.full((9, 9), NO_CLUE)), "no number", by=by, budget=20_000)
