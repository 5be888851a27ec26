"""What is said of a board against all answers of its grid, judged one by one by the rules' own check."""

import json

import numpy as np
import pytest

from puzzlekit import GENRES, read
from puzzlekit.boards import ASKED, NO_CLUE
from puzzlekit.lab import analysis, bank
from puzzlekit.nawabari.analysis import askable

SIZES = {"usowan": (3, 4), "tasquare": (3, 4), "nawabari": (3, 3)}


def answers_of(board, space, reading="rules"):
    package = GENRES[board.genre]
    return [answer for answer in space if package.check(board, answer, reading) is None]


def space_of(genre):
    """All that could be an answer of a small grid under any reading; a misreading may allow more than the rules do."""
    rows, cols = SIZES[genre]
    if genre == "nawabari":
        return list(GENRES[genre].answers(rows, cols))
    return list(GENRES[genre].answers(rows, cols, connected=False))


def boards_of(genre, n, seed=7):
    """Boards with one answer, and the same with a clue rubbed out or another one printed: of any number of answers."""
    package, rng = GENRES[genre], np.random.default_rng(seed)
    for _ in range(n):
        board = package.make(*SIZES[genre], rng)
        yield board
        r, c = rng.choice(np.argwhere(board.clues != NO_CLUE))
        yield board.with_clue(r, c, NO_CLUE)
        yield board.with_clue(r, c, ASKED)
        yield board.with_clue(r, c, int(rng.integers(5)))
        for r, c in np.argwhere(board.clues != NO_CLUE):
            board = board.with_clue(r, c, ASKED)
        yield board


@pytest.fixture(scope="module", params=GENRES)
def cases(request):
    """Boards of a genre, each with its analysis and its answers by brute force."""
    space = space_of(request.param)
    boards = list(boards_of(request.param, 6))
    return request.param, [(board, analysis.analyse(board), answers_of(board, space)) for board in boards], space


def test_the_number_of_answers(cases):
    genre, found, _ = cases
    for board, result, answers in found:
        assert result.answers == len(answers) and result.at_least == min(2, len(answers)) and result.spent == ""
        assert result.unique == (len(answers) == 1)
        assert analysis.count_answers(board) == (len(answers), "")
        assert all(any((one == other).all() for other in answers) for one in result.found)
    assert {min(2, len(answers)) for _, _, answers in found} == {0, 1, 2}, genre


def walls(answer):
    return answer[:, 1:] != answer[:, :-1], answer[1:] != answer[:-1]


def test_where_answers_differ_and_how_many_shade_each_cell(cases):
    genre, found, _ = cases
    several = [case for case in found if len(case[2]) > 1]
    assert several
    for _, result, answers in several:
        if genre == "nawabari":
            for part, name in enumerate(("right", "down")):
                counted = np.sum([walls(answer)[part] for answer in answers], axis=0)
                assert (getattr(result.shares, name) == counted).all()
                differing = np.argwhere(walls(result.found[0])[part] != walls(result.found[1])[part])
                assert [(r, c) for r, c, side in result.differ if side == name] == list(map(tuple, differing.tolist()))
        else:
            assert (result.shares == np.sum(answers, axis=0)).all()
            assert result.differ == tuple(map(tuple, np.argwhere(result.found[0] != result.found[1]).tolist()))
        assert result.differ
    assert all(case[1].shares is None and not case[1].differ for case in found if len(case[2]) < 2)


def test_which_clues_are_needed(cases):
    _, found, space = cases
    for board, result, answers in found:
        if len(answers) != 1:
            assert result.clues == {} and result.own == {}
            continue
        assert [*result.clues] == list(map(tuple, np.argwhere(board.clues != NO_CLUE).tolist()))
        for (r, c), weight in result.clues.items():
            without = answers_of(board.with_clue(r, c, NO_CLUE), space)
            same = len(without) == 1 and (without[0] == answers[0]).all()
            assert weight == ("redundant" if same else "load-bearing")
        assert sorted(result.load_bearing() + result.redundant()) == [*result.clues]


def test_misreadings(cases):
    genre, found, space = cases
    skipped = {"no numbers"}  # its answers may shade clues
    for board, result, answers in found[::3]:
        assert [*result.misread] == [*GENRES[genre].MISREADINGS]
        for name, misread in result.misread.items():
            allowed = answers_of(board, space, name)
            if name not in skipped:
                assert misread.answers == len(allowed)
            assert misread.intended == (len(answers) == 1 and any((answers[0] == other).all() for other in allowed))


def test_own_findings(cases):
    genre, found, space = cases
    package = GENRES[genre]
    for board, result, answers in found[: 6 if genre == "nawabari" else None]:
        if len(answers) != 1:
            continue
        (answer,) = answers
        if genre == "tasquare":
            assert result.own["positions alone"] == len(answers_of(board.positions(), space))
            for r, c in result.own["could print"]:
                assert (
                    board.clues[r, c] == NO_CLUE
                    and package.check(board.with_clue(r, c, int(package.sums(answer)[r, c])), answer) is None
                )
        elif genre == "usowan":
            assert result.own["liars"] == [cell for cells in package.liars(board, answer) for cell in cells]
            free = np.argwhere((board.clues == NO_CLUE) & (answer == 0)).tolist()
            breaking = [
                (r, c) for r, c in free
                if len(answers_of(board.with_clue(r, c, package.shaded_beside(answer, r, c)), space)) > 1
            ]  # fmt: skip
            assert result.own["breaks"] == breaking
            for r, c in result.own["announce"]:
                assert not any(
                    package.shaded_beside(other, r, c) == board.clues[r, c]
                    for other in space
                    if not other[r, c]
                    and package.check(package.Board(np.full(answer.shape, NO_CLUE), board.regions), other, "all honest")
                    is None
                )
        else:
            for (at, to), unique in result.own["slides"].items():
                value = ASKED if board.clues[at] == ASKED else int(package.rules.numbers_of(answer)[to])
                moved = board.with_clue(*at, NO_CLUE).with_clue(*to, value)
                assert answer[at] == answer[to] and unique == (len(answers_of(moved, space)) == 1)
            assert len(result.own["slides"]) == answer.size - len(result.clues)


def test_a_board_too_large_is_not_guessed():
    empty = GENRES["tasquare"].Board(np.full((12, 12), NO_CLUE))
    result = analysis.analyse(empty, budget=10_000)
    assert result.answers is None and result.at_least == 2 and result.unique is False
    assert result.verdict == "at least 2 answers (counting them takes more than 10,000 bytes)"
    assert result.shares is None and len(result.found) == 2 and result.differ
    assert all(misread.answers is None for misread in result.misread.values())
    wide = analysis.analyse(GENRES["tasquare"].Board(np.full((17, 17), NO_CLUE)))
    assert wide.verdict == "at least 2 answers (answers are counted up to 16 cells across)"


def test_a_search_without_end_is_unknown():
    hard = read("https://puzz.link/p?tasquare/6/6/1g.i4j1i3j5i5j.i2g1")
    result = analysis.analyse(hard.positions(), branches=0, budget=100)
    assert result.answers is None and result.unique is None
    assert result.verdict.startswith("unknown, 0 found (the search ended after 0 branch points; counting")


def test_many_boards_and_a_table():
    boards = [found for genre in GENRES for found in bank.load(genre, 6, 6, 3).boards]
    results = analysis.analyse_all(boards)
    frame = analysis.table(results)
    assert len(frame) == 9 and (frame["answers"] == 1).all() and set(frame["genre"]) == set(GENRES)
    for board, result in zip(boards, results, strict=True):
        assert str(result) == str(analysis.analyse(board))
        again = json.loads(json.dumps(analysis.as_record(result)))
        assert read(again["board"]) == board and again["answers"] == 1 and again["unique"] is True


def test_the_counts_of_walls_on_larger_boards():
    for board in bank.load("nawabari", 6, 6, 6).boards:
        dots = GENRES["nawabari"].Board(np.where(board.clues == NO_CLUE, NO_CLUE, ASKED))
        package = GENRES["nawabari"]
        assert package.answer_marginals(dots)[0] == package.count_answers(dots)
        total, shares = package.answer_marginals(board)
        (answer,) = package.solve(board).answers
        assert total == 1 and all((part == wall).all() for part, wall in zip(shares, walls(answer), strict=True))
        with pytest.raises(MemoryError):
            package.answer_marginals(dots, budget=1000)


def test_numbers_that_could_be_asked():
    """Against every set of numbers, on boards of 3 x 3."""
    nawabari, rng, sizes = GENRES["nawabari"], np.random.default_rng(5), set()
    for _ in range(12):
        board = nawabari.make(3, 3, rng)
        cells = [tuple(cell) for cell in np.argwhere(board.clues >= 0).tolist()]
        kept = []
        for mask in range(1 << len(cells)):
            asked, erased = [cell for i, cell in enumerate(cells) if mask >> i & 1], board
            for r, c in asked:
                erased = erased.with_clue(r, c, nawabari.ASKED)
            if nawabari.count_answers(erased) == 1:
                kept.append(asked)
        alone, together, proved = askable(board)
        assert proved and alone == [one[0] for one in kept if len(one) == 1]
        assert together in kept and len(together) == max(map(len, kept))
        sizes.add((len(alone) > len(together), len(together)))
        alone_again, fewer, proved = askable(board, searches=0)
        assert alone_again == alone and fewer in kept and not proved
    assert len(sizes) > 2 and any(clash for clash, _ in sizes)
