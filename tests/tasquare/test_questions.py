"""Tasquare's own questions against naive loops that ask them literally, and against what was published."""

from fractions import Fraction
from itertools import product
from statistics import median

import numpy as np
import pytest
import tasquare_boards

from puzzlekit.tasquare import questions
from puzzlekit.tasquare.ladder import climb
from puzzlekit.tasquare.profile import composition, count, draw
from puzzlekit.tasquare.rules import ASKED, NO_CLUE, Board, check, sums
from puzzlekit.tasquare.setter import full_board, make
from puzzlekit.tasquare.solver import solve


@pytest.fixture(scope="module")
def made():
    boards = [make(5, 5, np.random.default_rng([8, index])) for index in range(12)]
    return [(board, solve(board).answers[0]) for board in boards]


def test_where_numbers_may_stand(made):
    for board, answer in made:
        legal = sum(
            check(Board(np.full((5, 5), NO_CLUE)).with_clue(r, c, ASKED), answer) is None for r, c in np.ndindex(5, 5)
        )
        assert questions.printed(board, answer) == {"legal": legal, "numbers": (board.clues != NO_CLUE).sum()}
        assert questions.legal_of_cells(board, answer) == {"share of cells": legal, "other": 25 - legal}
        assert questions.numbers_of_legal(board, answer) == {
            "share of legal": board.numbers,
            "other": legal - board.numbers,
        }


def test_positions(made):
    """Every answer of the whole space with an edge of shading at each clue."""
    shading, area, _, connected = tasquare_boards.space(4, 4)
    for index in range(12):
        board = make(4, 4, np.random.default_rng(index))
        places = board.clues != NO_CLUE
        fits = ((area[:, places] > 0).all(axis=1) & (shading[:, places] == 0).all(axis=1) & connected).sum()
        assert questions.positions(board) == {"positions": fits}
    for board, answer in made:
        assert 1 <= questions.positions(board, answer)["positions"] < count(5, 5)


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 7), (6, 1), (5, 9), (10, 10)])
def test_all_sums(rows, cols):
    answers = draw(rows, cols, 40, np.random.default_rng(1))
    assert (questions.all_sums(answers) == [sums(answer) for answer in answers]).all()


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 5), (2, 3), (4, 4), (5, 3), (3, 5)])
def test_survivors(rows, cols):
    shading, area, _, connected = tasquare_boards.space(rows, cols)
    counts = questions.survivors(rows, cols)
    for r, c, value in product(range(rows), range(cols), range(1, counts.shape[2])):
        exact = (connected & (area[:, r, c] == value) & (shading[:, r, c] == 0)).sum()
        assert counts[r, c, value] == exact
    assert (counts.sum(axis=2) == connected.sum()).all()


def test_published_prices():
    """5 x 5, to the last digit that is printed: 15,498 and 52.6%, 31.6%, 58.5%; 496 and 1.7%, 0.0068%, 35.1%."""
    position, value = questions.prices(5, 5)
    assert position == {
        "told": "position",
        "clues": 25,
        "answers": 29459,
        "median": 15498,
        "sharpest": 9316,
        "bluntest": 17232,
    }
    assert value == {"told": "value", "clues": 171, "answers": 29459, "median": 496, "sharpest": 2, "bluntest": 10337}
    counts = [
        questions.clued.count_answers(Board(np.full((5, 5), NO_CLUE)).with_clue(r, c, ASKED))
        for r, c in np.ndindex(5, 5)
    ]
    assert median(counts) == 15498


def test_prices_6x6():
    position, value = questions.prices(6, 6)
    assert position["answers"] == value["answers"] == 2804105 and position["clues"] == 36
    board = Board(np.full((6, 6), NO_CLUE))
    left = [questions.clued.count_answers(board.with_clue(r, c, ASKED)) for r, c in np.ndindex(6, 6)]
    assert (median(left), min(left), max(left)) == (position["median"], position["sharpest"], position["bluntest"])


def test_values():
    """12 and 15 cannot be on any grid, 14 not below 7 x 7; 9 is one square up to 5 x 5, and 1 + 4 + 4 too from 6 x 6
    on.
    """
    assert [row["value"] for row in questions.values(24) if not row["ways"]] == [7, 12, 15, 22, 23, 24]
    assert (
        questions.ways(14) == [(3, 2, 1)] and not questions.ways(14, 6, 6) and questions.ways(14, 7, 7) == [(3, 2, 1)]
    )
    assert questions.ways(9, 5, 5) == [(3,)] and questions.ways(9, 6, 6) == questions.ways(9) == [(2, 2, 1), (3,)]
    assert questions.values(2, 1, 3) == [{"value": 1, "ways": 1, "as": "1"}, {"value": 2, "ways": 1, "as": "1 + 1"}]


@pytest.mark.parametrize("rows, cols", [(1, 2), (1, 6), (2, 2), (3, 3), (3, 6), (4, 4), (5, 4), (5, 5)])
def test_values_are_those_of_the_enumeration(rows, cols):
    """Squares put around one cell by hand say the same as all answers of the grid."""
    by_hand = [row["value"] for row in questions.values(rows * cols, rows, cols) if row["ways"]]
    counts = questions.survivors(rows, cols).sum(axis=(0, 1))
    counts = {value: int(counts[value]) for value in range(1, len(counts)) if counts[value]}
    assert by_hand == list(counts)
    _, area, _, connected = tasquare_boards.space(rows, cols) if rows * cols <= 16 else (None,) * 4
    if area is not None:
        assert counts == {value: (area[connected] * (area[connected] == value) > 0).sum() for value in counts}


def test_published_clause_prices():
    found = {
        row["reading"]: row | {"price": row["answers"] / row["with both clauses"]}
        for row in questions.clause_answers(8, 8)
    }
    assert found["white may split"]["answers"] == 1605367953984
    assert found["any blocks"]["answers"] == 51016818604894742
    assert found["neither"]["answers"] == 2**64 - 1
    assert found["single cells"]["answers"] == 118930018897
    assert found["single cells, white may split"]["answers"] == 660647962955 - 1  # A006506 counts the blank grid too
    prices = [round(float(found[name]["price"]), 2) for name in ("both clauses", "white may split")]
    assert prices == [1, 5.2] and int(found["any blocks"]["price"]) == 165127 and found["neither"]["price"] > 59706902


def test_filtered():
    answers = draw(5, 5, 60, np.random.default_rng(4))
    found = questions.filtered(answers)
    for answer, row in zip(answers, found, strict=True):
        board = full_board(answer)
        assert row == {
            "shaded": answer.sum(),
            "legal": board.numbers,
            "unique": solve(board).unique,
            "closed": climb(board).finished,
        }
    assert 0 < sum(row["unique"] for row in found) < 60


def test_the_filter_prefers_busy_answers():
    """The published explanation, on 1,500 draws: those whose full board is unique have more shading than the others."""
    found = questions.filtered(draw(6, 6, 1500, np.random.default_rng(6)))
    shaded, unique = (np.array([row[what] for row in found]) for what in ("shaded", "unique"))
    exact = composition(6, 6).mean_shaded
    assert abs(shaded.mean() - exact) < 0.3 and Fraction(849, 100) < exact < Fraction(85, 10)
    assert shaded[unique == 1].mean() > shaded[unique == 0].mean() + 1
    assert 0.31 < unique.mean() < 0.39


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (4, 3), (4, 4), (2, 6)])
def test_printable_answers_by_comparing_all_pairs(rows, cols):
    """No solver: an answer is printable unless another one has shading beside the same cells, with the same areas, and
    more.
    """
    shading, area, _, connected = tasquare_boards.space(rows, cols)
    shading, area = shading[connected].reshape(-1, rows * cols), area[connected].reshape(-1, rows * cols)
    printable = []
    for own, sums_ in zip(shading, area, strict=True):
        places = (own == 0) & (sums_ > 0)
        fits = (shading[:, places] == 0).all(axis=1) & (area[:, places] == sums_[places]).all(axis=1)
        printable.append(fits.sum() == 1)
    assert questions.printable_answers(rows, cols) == {
        "answers": len(shading),
        "printable": sum(printable),
        "shaded": shading.sum(),
        "shaded, printable": shading[printable].sum(),
    }


def test_an_answer_is_printable_if_some_board_prints_it():
    """Every board of 2 x 3 and of 3 x 3 with every subset of the numbers and of `?` in their place."""
    for rows, cols in ((2, 3), (3, 3)):
        answers = list(map(np.array, draw_all(rows, cols)))
        only = 0
        for answer in answers:
            full = full_board(answer).clues
            at = np.argwhere(full != NO_CLUE).tolist()
            if rows * cols == 9 and len(at) > 6:
                continue  # thousands of boards; those of fewer numbers are tried
            some = False
            for choice in product((NO_CLUE, ASKED, None), repeat=len(at)):
                clues = np.full((rows, cols), NO_CLUE)
                for (r, c), clue in zip(at, choice, strict=True):
                    clues[r, c] = full[r, c] if clue is None else clue
                some |= sum(check(Board(clues), other) is None for other in answers) == 1
                if some:
                    break
            assert some == bool(solve(Board(full)).unique)
            only += some
        assert only


def draw_all(rows, cols):
    return questions.profile.answers(rows, cols)


def test_printable_answers_of_5x5():
    assert [questions.printable_answers(n, n)["printable"] for n in (2, 3, 4, 5)] == [0, 17, 321, 12044]


def test_soundness(made):
    for board, answer in made:
        climbs = [climb(board, rung).state for rung in ("shape", "clue", "prune", "white", "probe")]
        assert questions.soundness(board, answer) == {
            "proved": sum(int((state != 0).sum()) for state in climbs),
            "against the answer": 0,
        }
        wrong = answer.copy()
        wrong[0, 0] ^= 1
        against = sum(int(state[0, 0] != 0) for state in climbs)
        assert questions.soundness(board, wrong)["against the answer"] == against > 0
