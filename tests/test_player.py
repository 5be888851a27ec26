"""The board to play, without a page: what marks break, what the player is told. The page itself is tested in
tests/browser.
"""

import numpy as np
import pytest

from puzzlekit import GENRES, nawabari, usowan
from puzzlekit.lab import bank
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED


def complete(board, answer):
    """The marks that say a whole answer, right or wrong."""
    if board.genre == "nawabari":
        walls = nawabari.rules.as_walls(board, answer)
        return tuple(np.where(part, SHADED, UNSHADED).astype(np.uint8) for part in walls)
    return np.where(np.asarray(answer) == 1, SHADED, UNSHADED).astype(np.uint8)


def some_of(state, rng):
    """The same marks, each with probability one half."""
    parts = [
        np.where(rng.random(part.shape) < 0.5, part, UNKNOWN)
        for part in (state if isinstance(state, tuple) else [state])
    ]
    return tuple(parts) if isinstance(state, tuple) else parts[0]


@pytest.mark.parametrize("genre", GENRES)
def test_part_of_an_answer_breaks_nothing(genre):
    rng = np.random.default_rng(5)
    for board, answer in zip(*boards_and_answers(genre, 6, 40), strict=True):
        whole = complete(board, answer)
        assert GENRES[genre].broken(board, whole) == []
        for _ in range(5):
            assert GENRES[genre].broken(board, some_of(whole, rng)) == []


def boards_and_answers(genre, size, boards):
    loaded = bank.load(genre, size, size, boards=boards)
    return loaded.boards, loaded.answers


@pytest.mark.parametrize("genre", ["usowan", "tasquare"])
def test_complete_marks_break_something_exactly_when_the_rules_say_so(genre):
    rng = np.random.default_rng(6)
    package = GENRES[genre]
    found = set()
    for board, answer in zip(*boards_and_answers(genre, 6, 40), strict=True):
        for flips in (0, 1, 1, 2, 4, 36):
            shading = np.array(answer)
            for cell in rng.integers(0, 36, flips):
                shading.ravel()[cell] ^= 1
            code = package.check(board, shading)
            broken = [fault.code for fault in package.broken(board, complete(board, shading))]
            assert bool(broken) == (code is not None)
            if code == "sum-mismatch" and "clue-touches-no-shading" in broken:
                continue  # a sum of nothing: the more telling clause is named alone
            assert code is None or code in broken
            found.add(code)
    assert len(found) >= 4


def test_complete_walls_break_something_exactly_when_the_rules_say_so():
    rng = np.random.default_rng(7)
    found = set()
    for board, answer in zip(*boards_and_answers("nawabari", 6, 40), strict=True):
        for flips in (0, 1, 1, 2, 4, 30):
            right, down = (part.copy() for part in nawabari.rules.as_walls(board, answer))
            for wall in rng.integers(0, 30, flips):
                part = (right, down)[wall % 2]
                part.ravel()[rng.integers(part.size)] ^= True
            walls = nawabari.Walls(right, down)
            code = nawabari.check(board, walls)
            broken = [fault.code for fault in nawabari.broken(board, complete(board, walls))]
            assert bool(broken) == (code is not None)
            assert code is None or code in broken
            found.add(code)
    assert len(found) >= 5


@pytest.mark.parametrize("genre", GENRES)
def test_steps_lead_to_the_answer(genre):
    boards, answers = boards_and_answers(genre, 6, 2)
    for board, answer in zip(boards, answers, strict=True):
        player = GENRES[genre].play(board)
        for _ in range(200):
            if player.solved:
                break
            hint = player.take_step()
            assert hint.step is not None and hint.sentence in player.message
        assert player.solved and "Solved" in player.message
        assert GENRES[genre].check(board, answer) is None
        assert player.count() == (1, True) and player.message.startswith("1 answer agrees")


def test_marks_can_be_read_and_written():
    board = boards_and_answers("usowan", 6, 1)[0][0]
    player = usowan.play(board)
    assert not player.state.any() and player.state.shape == (6, 6)
    state = np.zeros((6, 6), int)
    state[2, 3] = SHADED
    player.state = state
    assert player.marks[2 * 6 + 3] == SHADED and player.state.sum() == SHADED
    with pytest.raises(ValueError, match="shape"):
        player.state = np.zeros((5, 6))
    with pytest.raises(ValueError, match="marks are"):
        player.state = np.full((6, 6), 7)


def test_wrong_marks_are_shown_by_rule_not_by_answer():
    board, answer = (found[0] for found in boards_and_answers("usowan", 6, 1))
    player = usowan.play(board)
    alone = []  # single marks against the answer, but against no rule yet
    for cell in np.argwhere((answer == 0) & (board.clues == usowan.NO_CLUE)).tolist():
        marks = np.zeros((6, 6), int)
        marks[tuple(cell)] = SHADED
        alone += [] if usowan.broken(board, marks) else [marks]
    assert alone
    player.state = alone[0]
    assert player.told["wrong"] == {"cells": [], "walls": []}
    marks[:] = 0
    marks[board.clues == usowan.NO_CLUE] = SHADED
    player.state = marks
    assert player.told["wrong"]["cells"]
    assert player.check() and "Shaded cells touch" in player.message


def test_heat_is_the_share_of_answers_left():
    board = usowan.Board([[1, -1, -1], [-1, -1, -1], [-1, -1, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    player = usowan.play(board)
    answers = usowan.solve(board, limit=100).answers
    assert player.count() == (len(answers), True)
    assert np.allclose(player.heat(), answers.mean(axis=0))
    assert len(player.told["heat"]) == 9


def test_without_a_kernel_it_is_a_picture():
    board = boards_and_answers("nawabari", 6, 1)[0][0]
    bundle, _ = nawabari.play(board)._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg") and "application/vnd.jupyter.widget-view+json" in bundle


def test_questions_nobody_knows_are_ignored():
    player = usowan.play(boards_and_answers("usowan", 6, 1)[0][0])
    for content in ({"ask": "import os"}, {}, [], None, {"ask": ["hint"]}):
        player._asked(player, content, [])
    assert player.message == ""
