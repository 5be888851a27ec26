"""Every genre keeps the contract of genre.py: the same names, with the parameters that it promises, and what follows
from them."""

import inspect

import numpy as np
import pytest

from puzzlekit import GENRES, bank, genre
from puzzlekit.boards.board import PrintedBoard
from puzzlekit.machinery.grid import UNKNOWN

genres = pytest.mark.parametrize("name", GENRES)
PROMISED = {key: value for key, value in vars(genre.Genre).items() if inspect.isfunction(value) and key[0] != "_"}
NAMED = [key for key in inspect.get_annotations(genre.Genre) if key[0] != "_"]


def own(parameters):
    """Parameters without `self`: (name, kind, has a default)."""
    return [
        (each.name, each.kind, each.default is not each.empty) for each in parameters.values() if each.name != "self"
    ]


@genres
def test_names_and_parameters(name):
    """A genre may add keywords with defaults of its own, and defaults where none is promised."""
    package = GENRES[name]
    assert len(PROMISED) > 20 and len(NAMED) > 8
    for key in [*NAMED, *PROMISED]:
        assert key in package.__all__, key
    for key, promised in PROMISED.items():
        offered = own(inspect.signature(getattr(package, key)).parameters)
        asked = own(inspect.signature(promised).parameters)
        by_name = {each[0]: each for each in offered}
        for place, (parameter, kind, optional) in enumerate(asked):
            if kind is inspect.Parameter.KEYWORD_ONLY:
                assert parameter in by_name, (key, parameter)
            else:
                assert offered[place][:2] == (parameter, kind), (key, parameter)
            assert by_name[parameter][2] == optional, (key, parameter)
        assert all(
            optional for parameter, _, optional in offered if parameter not in dict.fromkeys(p[0] for p in asked)
        ), key


@genres
def test_what_is_named_is_of_the_right_kind(name):
    package = GENRES[name]
    assert issubclass(package.Board, PrintedBoard)
    assert len(set(package.RUNGS)) == len(package.RUNGS) and package.RUNGS[-1] == "probe"
    assert set(package.RUNGS) <= set(package.GRADES)
    assert next(iter(package.READINGS)) == "rules" and not set(package.READINGS) & set(package.MISREADINGS)
    assert package.MOTTO.endswith(".") and isinstance(package.MARKS, genre.Marks)


@genres
def test_search_count_and_ladder_agree_on_small_boards(name):
    """Boards that nobody has set: random clues, some without an answer."""
    package, rng = GENRES[name], np.random.default_rng(5)
    boards = list(bank.load(name, 6, 6, 12).boards)
    for board in boards[:]:
        r, c = divmod(int(rng.integers(36)), 6)
        boards.append(board.with_clue(r, c, -1))
        if (board.clues >= 0).any():
            r, c = np.argwhere(board.clues >= 0)[0].tolist()
            boards.append(board.with_clue(r, c, int(rng.integers(5))))
    many = package.solve_many(boards, 50)
    seen = set()
    for board, batched in zip(boards, many, strict=True):
        found, climb = package.solve(board, 50), package.climb(board)
        assert len(found.answers) == package.count_answers(board) == many.counts[boards.index(board)]
        assert batched.branch_points == found.branch_points
        seen.add(min(len(found.answers), 2))
        assert climb.finished <= (len(found.answers) == 1) and climb.contradiction <= (len(found.answers) == 0)
        for answer in found.answers:
            assert package.check(board, answer) is None
            for state, marked in zip(package.MARKS.parts(climb.marks), package.MARKS.of(answer), strict=True):
                assert ((state == UNKNOWN) | ((state == 2) == marked)).all()
    assert seen == {0, 1, 2}


@genres
def test_every_reading_is_solved_and_counted_alike(name):
    package = GENRES[name]
    boards = bank.load(name, 6, 6, 4).boards
    for reading in {**package.READINGS, **package.MISREADINGS}:
        many = package.solve_many(boards, 20, reading=reading)
        for board, batched in zip(boards, many.counts.tolist(), strict=True):
            found = package.solve(board, 20, reading=reading)
            assert len(found.answers) == batched == min(20, package.count_answers(board, reading))
            assert all(package.check(board, answer, reading) is None for answer in found.answers)


@genres
def test_own_findings_are_explained(name):
    found = bank.load(name, 6, 6, 1)
    (board,), (answer,) = found.boards, found.answers
    assert set(GENRES[name].own_findings(board, answer)) == set(GENRES[name].FINDINGS)


@genres
def test_a_board_goes_out_and_comes_back(name):
    for board in bank.load(name, 8, 8, 3).boards:
        again = [type(board).from_url(board.to_url()), type(board).from_text(board.to_text())]
        again.append(type(board).from_record(board.to_record()))
        assert again == [board] * 3
