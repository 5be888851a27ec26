import random
from functools import lru_cache

import corpus
import numpy as np
import pytest
from oracles import tasquare as oracle

from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.tasquare import profile
from puzzlekit.tasquare.clued import board_diagram, count_answers
from puzzlekit.tasquare.rules import ASKED, MISREADINGS, NO_CLUE, READINGS, RULES, Board, Reading, check, sums

SHAPES = [(r, c) for r in range(1, 5) for c in range(1, 6) if r * c <= 16] + [(4, 5), (5, 4), (1, 9), (8, 1), (2, 7)]
OTHERS = {
    "plain and split": Reading(connected=False, zero="plain"),
    "plain and cells": Reading(number="cells", zero="plain"),
    "cells and split": Reading(connected=False, number="cells"),
}
EVERY = {**READINGS, **MISREADINGS, **OTHERS}


@lru_cache
def possible(rows, cols):
    return [oracle.described(rows, cols, s) for s in oracle.shadings(rows, cols, connected=False)]


def empty(rows, cols):
    return Board(np.full((rows, cols), NO_CLUE))


def random_clues(pick, rows, cols):
    """Anything at all, or what some answer could print under some reading."""
    values = [ASKED, 0, 1, 1, 2, 2, 3, 4, 5, 6, 9, 10, 30]
    density = pick.choice([0.1, 0.2, 0.5])
    clues = [[NO_CLUE] * cols for _ in range(rows)]
    shading, _, *numbers = pick.choice(possible(rows, cols))
    numbers = pick.choice(numbers)
    honest = pick.random() < 0.75
    for r in range(rows):
        for c in range(cols):
            if pick.random() < density and not (honest and shading[r * cols + c]):
                clues[r][c] = pick.choice([numbers[r, c], numbers[r, c], ASKED]) if honest else pick.choice(values)
    return clues


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3))])
def test_random_boards_under_every_reading(seed):
    pick = random.Random(seed)
    some = dict.fromkeys(EVERY, 0)
    for _ in range(75):
        rows, cols = pick.choice(SHAPES)
        clues = random_clues(pick, rows, cols)
        for name, reading in EVERY.items():
            exact = oracle.answers(clues, **reading._asdict(), among=possible(rows, cols))
            space = board_diagram(Board(clues), reading)
            found = sorted(map(tuple, space.unrank(range(space.count())).tolist()))
            assert found == exact, (name, clues)
            some[name] += bool(exact)
    assert min(some.values()) > 5


@pytest.mark.parametrize("rows, cols", [(3, 3), (2, 4)])
def test_one_clue_of_any_kind_anywhere(rows, cols):
    for r in range(rows):
        for c in range(cols):
            for clue in (ASKED, *range(12)):
                board = empty(rows, cols).with_clue(r, c, clue)
                for name, reading in EVERY.items():
                    exact = oracle.answers(board.clues.tolist(), **reading._asdict(), among=possible(rows, cols))
                    assert count_answers(board, reading) == len(exact), (name, board)


def test_board_without_clues_is_the_empty_grid():
    board = empty(6, 7)
    assert count_answers(board) == count_answers(board, "counts cells") == profile.count(6, 7)
    assert count_answers(board, "white may split") == profile.count(6, 7, connected=False)
    shaded = board_diagram(board).marginals()[:, 1].reshape(6, 7)
    assert (shaded == profile.marginals(6, 7)).all()


def test_without_numbers_a_board_is_the_empty_grid():
    board = Board([[0, 1, 2], [NO_CLUE, ASKED, 99], [NO_CLUE, NO_CLUE, NO_CLUE]])
    assert count_answers(board, "no numbers") == profile.count(3, 3) == 43


def test_positions_are_numbers_without_their_digits():
    """The answers that fit the positions of a full board are those with the same legal cells, or more."""
    answers = profile.answers(4, 4)
    legal = [sums(answer) > 0 for answer in answers]
    for answer, cells in list(zip(answers, legal, strict=True))[::17]:
        board = Board(np.where(cells, sums(answer), NO_CLUE))
        assert check(board, answer) is None
        fitting = sum(bool((other >= cells).all()) for other in legal)
        assert count_answers(board.positions()) == fitting
        assert 1 <= count_answers(board) <= fitting


def test_sums_of_one_cell_share_out_the_space():
    """Unshaded without shading beside it, or shaded, or one of the numbers it can carry."""
    board = empty(6, 6)
    by_value = [count_answers(board.with_clue(2, 1, value)) for value in range(1, 37)]
    assert sum(by_value) == count_answers(board.with_clue(2, 1, ASKED))
    settled = np.full((6, 6), UNKNOWN)
    settled[2, 1] = SHADED
    bare = count_answers(board.with_clue(2, 1, 0), "plain zero")
    assert sum(by_value) + count_answers(board, settled=settled) + bare == 2804105
    assert by_value[11] == by_value[13] == by_value[14] == 0  # 12, 14 and 15


def test_settled_cells_keep_the_answers_that_agree():
    pick = random.Random(9)
    for _ in range(60):
        rows, cols = pick.choice(SHAPES)
        clues = random_clues(pick, rows, cols)
        settled = [[pick.choice([UNKNOWN, UNKNOWN, UNKNOWN, UNSHADED, SHADED]) for _ in row] for row in clues]
        wanted = [{UNKNOWN: None, UNSHADED: 0, SHADED: 1}[s] for row in settled for s in row]
        exact = oracle.answers(clues, among=possible(rows, cols))
        agreeing = [a for a in exact if all(w is None or w == s for w, s in zip(wanted, a, strict=True))]
        assert count_answers(Board(clues), settled=settled) == len(agreeing)


def test_real_boards():
    for record in corpus.boards("tasquare"):
        board = Board.from_record(record)
        space = board_diagram(board)
        assert min(2, space.count()) == record["solutions"], record["id"]
        if record["unique"]:
            assert space.unrank(0).reshape(board.rows, board.cols).tolist() == record["solution"], record["id"]
        if "zero_plain" in record:
            plain = board_diagram(board, "plain zero")
            assert min(2, plain.count()) == record["zero_plain"]["solutions"], record["id"]
            if plain.count() == 1:
                found = plain.unrank(0).reshape(board.rows, board.cols).tolist()
                assert found == record["zero_plain"]["solution"], record["id"]
        assert count_answers(board, "white may split") >= space.count()


def test_a_board_with_sixteen_answers():
    """One program counts two, since it forbids blocks that touch no clue."""
    assert count_answers(empty(4, 4).with_clue(0, 3, 4)) == 16


def test_draws_of_a_board_are_its_answers():
    board = empty(8, 9).with_clue(3, 3, 6).with_clue(5, 7, 13).with_clue(0, 0, ASKED)
    space = board_diagram(board)
    assert space.count() > 10**6
    for answer in space.draw(20, np.random.default_rng(2)).reshape(-1, 8, 9):
        assert check(board, answer) is None


def test_wide_and_tall_boards_agree():
    board = empty(5, 12).with_clue(1, 4, 9).with_clue(4, 8, 5).with_clue(2, 10, ASKED)
    turned = Board(board.clues.T)
    assert count_answers(board) == count_answers(turned) > 0


def test_what_cannot_be_counted_says_so():
    board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]])
    with pytest.raises(ValueError, match="unknown reading 'both'"):
        count_answers(board, "both")
    with pytest.raises(ValueError, match=r"settled has shape \(1, 2\), the board \(2, 2\)"):
        count_answers(board, settled=[[0, 0]])
    with pytest.raises(ValueError, match="at most 20 cells"):
        count_answers(empty(21, 21))
    with pytest.raises(MemoryError, match="the budget is 1,000,000"):
        count_answers(empty(14, 14), RULES, budget=1_000_000)
