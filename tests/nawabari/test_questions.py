"""Nawabari questions against brute force on small grids, and against published figures."""

from collections import Counter
from itertools import pairwise, product
from math import prod

import numpy as np
import pytest
from oracles import nawabari as oracle

from puzzlekit.nawabari import hunting, profile, questions, recuts, setter
from puzzlekit.nawabari.rules import NO_CLUE, Board, seat
from puzzlekit.nawabari.solver import solve, solve_many
from puzzlekit.nawabari.unprintable import symmetries, unprintable


@pytest.fixture(scope="module")
def made():
    boards = [
        setter.make(rows, cols, np.random.default_rng([rows, cols])) for rows, cols in ((4, 4), (5, 6), (6, 6), (7, 5))
    ]
    return [(board, solve(board).answers[0]) for board in boards]


def test_alphabet_by_listing_rectangles():
    for rows, cols in ((1, 1), (1, 6), (4, 3), (6, 6), (5, 8)):
        pairs, sizes = Counter(), {}
        for top, left in product(range(rows), range(cols)):
            for bottom, right in product(range(top, rows), range(left, cols)):
                for r, c in product(range(top, bottom + 1), range(left, right + 1)):
                    number = oracle.number_at(rows, cols, (top, left, bottom, right), r, c)
                    pairs[number] += 1
                    sizes.setdefault(number, set()).add((bottom - top + 1) * (right - left + 1))
        got = questions.seat_alphabet(rows, cols, by="number")
        assert {row["number"]: row["rectangles"] for row in got} == dict(pairs)
        assert all(
            (row["sizes"], row["smallest"], row["largest"]) == (len(s), min(s), max(s))
            for row in got
            if (s := sizes[row["number"]])
        )
        by_seat = questions.seat_alphabet(rows, cols)
        assert sum(row["rectangles"] for row in by_seat) == sum(pairs.values())
    with pytest.raises(ValueError, match="by must be"):
        questions.seat_alphabet(3, 3, by="room")


def test_rectangles_left_open_by_one_number():
    board = Board([[2, NO_CLUE, NO_CLUE], [NO_CLUE, NO_CLUE, 3]])
    assert questions.rectangles_left_open(board) == [
        {"number": 2, "rectangles": 1, "sizes": 1},
        {"number": 3, "rectangles": 3, "sizes": 2},
    ]


def test_walk_over_placements_is_brute_force():
    rng = np.random.default_rng(3)
    for rows, cols in ((1, 6), (6, 1), (2, 4), (3, 3), (4, 4), (5, 5), (3, 7)):
        answers = profile.draw(rows, cols, 12, rng, weight="0.4" if rows * cols > 16 else 1)
        answers = [answer for answer in answers if questions.placement_count(answer) < 60_000]
        for answer in answers:
            cells, starts = setter.cells_by_room(answer)
            every = product(*[cells[a:b] for a, b in pairwise(starts)])
            boards = np.array([setter.print_numbers(answer, list(cells)).clues for cells in every])
            unique = int(solve_many(boards).unique.sum())
            assert len(boards) == questions.placement_count(answer) == prod(np.bincount(answer.ravel()).tolist())
            assert questions.placement_uniqueness(None, answer)["unique"] == unique
            counts, _ = recuts.count_unique(answer[None], enough=1)
            assert counts[0] == min(unique, 1)
            counts, tried = recuts.count_unique(answer[None], budget=2)
            assert counts[0] == (-1 if tried[0] == 2 else unique)


def test_walk_over_placements_beyond_one_word():
    """9 x 9 and 5 x 15: strips of numbers, against boards judged one by one."""
    rng = np.random.default_rng(5)
    for rows, cols in ((9, 9), (5, 15)):
        answer = np.arange(rows)[:, None] // 3 * 2 + np.arange(cols)[None, :] // (cols - 2)
        answer = np.unique(answer, return_inverse=True)[1].reshape(rows, cols).astype(np.int32)
        cells = setter.random_placements(answer, 300, rng)
        boards = np.array([setter.print_numbers(answer, at).clues for at in cells])
        assert len(np.unique(answer)) in (4, 6)
        share = solve_many(boards).unique.mean()
        counts, _ = recuts.count_unique(answer[None], budget=400_000)
        if counts[0] >= 0:
            assert abs(counts[0] / questions.placement_count(answer) - share) < 0.15


def test_slides_one_by_one(made):
    for board, answer in made:
        expected = Counter()
        for r, c in np.argwhere(board.clues != NO_CLUE).tolist():
            for y, x in np.argwhere(answer == answer[r, c]).tolist():
                if (y, x) != (r, c):
                    number = int(setter.seats(answer)[y, x])
                    moved = board.with_clue(r, c, NO_CLUE).with_clue(y, x, number)
                    digit = "same digit" if number == board.clues[r, c] else "another digit"
                    expected[seat(answer, y, x), digit, "unique" if solve(moved).unique else "broken"] += 1
        found = questions.slides(board, answer)
        assert found == {", ".join(kind): n for kind, n in expected.items()}
        assert sum(expected.values()) == answer.size - len(np.unique(answer))
        for only in ({}, {"seat": "edge"}, {"digit": "same digit"}, {"seat": "corner", "digit": "another digit"}):
            chosen = dict.fromkeys(("unique", "broken"), 0)
            for (landed, digit, end), n in expected.items():
                chosen[end] += n * (only.get("seat", landed) == landed and only.get("digit", digit) == digit)
            assert questions.slides_kept(found, **only) == chosen


def test_erasures_one_by_one(made):
    for board, answer in made:
        fates = Counter(
            len(solve(board.with_clue(r, c, NO_CLUE)).answers) for r, c in np.argwhere(board.clues != NO_CLUE)
        )
        assert questions.erasures(board, answer) == {"dead": fates[0], "unique": fates[1], "several": fates[2]}


def test_point_patterns():
    plus = np.array([[0, 1], [2, 3]])
    assert questions.point_patterns(None, plus) == {
        "nothing": 0,
        "straight": 0,
        "T": 0,
        "plus": 1,
        "elbow": 0,
        "stub": 0,
    }
    for answer in profile.draw(6, 7, 20, np.random.default_rng(1)):
        counts = questions.point_patterns(None, answer)
        assert sum(counts.values()) == 30 and counts["elbow"] == counts["stub"] == 0
    assert questions.point_patterns(None, np.array([[0, 0], [0, 1]]))["elbow"] == 1


def test_shapes_of_answers():
    answer = np.array([[0, 0, 1], [2, 2, 1], [3, 4, 4], [3, 4, 4]])
    assert questions.shape_counts(None, answer) == {"rooms": 5, "strips": 4, "domino pairs": 1}


@pytest.mark.parametrize(
    "rows, cols, dead", [(1, 6, 0), (2, 6, 0), (3, 4, 0), (4, 4, 12), (4, 5, 267), (5, 4, 267), (3, 7, 2)]
)
def test_answers_that_cannot_be_printed(rows, cols, dead):
    found = questions.together(
        [questions.unprintable_answers(**part) for part in questions.unprintable_in_parts(rows, cols)]
    )
    assert found["cannot be printed"] == dead and found["dissections"] == profile.count(rows, cols)
    if (rows, cols) == (4, 4):
        assert found == questions.unprintable_answers(rows, cols)
        assert (found["all strips"], found["with a domino pair"], found["fewest rooms"], found["most rooms"]) == (
            12,
            12,
            6,
            6,
        )
    if (rows, cols) == (4, 5):
        assert (found["all strips"], found["with a domino pair"], found["classes"]) == (247, 260, 92)


def test_unprintable_answers_have_no_unique_placement():
    """Listed one of each class; together with their turns and mirror images as many as counted."""
    found, space = unprintable(4, 4), list(oracle.by_rectangle(4, 4))
    every = set()
    for answer in found.answers:
        images = [answer] + [answer.ravel()[image].reshape(4, 4) for image in symmetries(4, 4)]
        every |= {walls(image) for image in images}
        cells, starts = setter.cells_by_room(answer)
        boards = [setter.print_numbers(answer, list(at)) for at in product(*[cells[a:b] for a, b in pairwise(starts)])]
        assert all(solve(board).unique is False for board in boards)
        assert len(oracle.answers(boards[0].clues.tolist(), dissections=space)) > 1
    assert len(every) == found.count == 12


def walls(answer):
    return (answer[1:] != answer[:-1]).tobytes() + (answer[:, 1:] != answer[:, :-1]).tobytes()


@pytest.mark.parametrize("rows, cols", [(1, 5), (2, 4), (3, 3), (3, 4), (4, 4)])
def test_hunts_one_placement_after_the_other(rows, cols):
    answers = list(profile.draw(rows, cols, 40, np.random.default_rng(1)))
    if (rows, cols) == (4, 4):
        answers += list(unprintable(4, 4).answers)
    tried, found = hunting.hunts(np.array(answers))
    for answer, times, fine in zip(answers, tried, found, strict=True):
        cells, starts = setter.cells_by_room(answer)
        boards = [setter.print_numbers(answer, list(at)) for at in product(*[cells[a:b] for a, b in pairwise(starts)])]
        unique = [bool(solve(board).unique) for board in boards]
        assert fine == any(unique) and times == (unique.index(True) + 1 if fine else len(boards))


def test_hunts_of_a_grid():
    """All 12 answers of 4 x 4 that cannot be printed are hunted through to the end, the longest of them through 288
    placements.
    """
    found = questions.hunted_everywhere(4, 4)
    assert (found["answers"], found["cannot be printed"], found["worst hunt"]) == (70878, 12, 288)
    assert found["worst hunt that ends well"] < 288
    parts = [questions.hunted_draws(6, 6, 50, 1, index) for index in range(2)]
    assert parts[0] != parts[1] and questions.hunted_together(parts)["answers"] == 100


def test_few_rooms():
    """Against all dissections of 3 x 3 with their weights."""
    total, few = Counter(), Counter()
    for answer in profile.answers(3, 3):
        weight = setter.WEIGHT ** len(np.unique(answer))
        total["all"] += weight
        for what, hit in questions.few_rooms(None, answer).items():
            few[what] += weight * hit
    assert questions.drawn_with_few_rooms(3, 3) == {what: few[what] / total["all"] for what in few}
