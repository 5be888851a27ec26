"""Steps of one rung that follow each other are told as one, and the hardest first."""

import pytest

from puzzlekit import GENRES
from puzzlekit.lab import bank
from puzzlekit.machinery.explanation import Premises, Step, after
from puzzlekit.machinery.telling import MOST, gathered, moments


def step(rung, cell=None, rests_on=(), inside=()):
    settles = () if cell is None else ((cell, 1),)
    return Step(rung, settles, Premises(cells=tuple(rests_on)), f"{rung} {cell}.", inside)


def test_steps_of_one_rung_are_one():
    steps = [step("low", (0, 0)), step("low", (0, 1), [(0, 0), (3, 3)]), step("high", (0, 2)), step("low", (0, 3))]
    told = gathered(steps)
    assert [one.numbers for one in told] == ["1-2", "3", "4"]
    first = told[0].step
    assert first.settles == (((0, 0), 1), ((0, 1), 1)) and first.premises.cells == ((3, 3),)
    assert first.sentence == "low (0, 0). low (0, 1)." and told[1].step is steps[2]


def test_many_steps_are_told_in_parts_and_refutations_alone():
    steps = [step("low", (0, c)) for c in range(2 * MOST + 1)]
    assert [one.last for one in gathered(steps)] == [MOST, 2 * MOST, 2 * MOST + 1]
    refuted = step("probe", (1, 1), inside=(step("low"),))
    assert [one.numbers for one in gathered([refuted, refuted, step("low", (1, 2)), step("low")])] == [
        "1",
        "2",
        "3",
        "4",
    ]


def test_the_moments_are_the_hardest_steps_in_order():
    steps = [step("low", (0, c)) for c in range(6)]
    steps[1] = step("high", (0, 1))
    steps[4] = step("high", (0, 4), [(0, 1), (0, 2)])
    steps[5] = step("low", (0, 5), [(0, 1)])
    assert moments(steps[:6], ("low", "high")) == []
    steps.append(step("low", (0, 6)))
    assert moments(steps, ("low", "high")) == [2, 5, 6]
    assert moments(steps, ("low", "high"), most=1) == [5]
    assert moments([*steps[:3], steps[0], steps[0], *steps[3:]], ("low", "high"), most=1) == [7]


@pytest.mark.parametrize("genre", GENRES)
def test_what_is_told_ends_where_the_explanation_does(genre):
    package = GENRES[genre]
    for board in bank.load(genre, 6, 6, 5).boards:
        explanation = package.explain(board)
        told = gathered(explanation.steps)
        assert [one.first for one in told] == [1, *(one.last + 1 for one in told[:-1])]
        state = explanation.steps[0].before
        for one in told:
            assert package.MARKS.parts(one.step.before)[0].tolist() == package.MARKS.parts(state)[0].tolist()
            assert not {key for key, _ in one.step.settles} & set(one.step.premises.cells)
            state = after(state, one.step.settles)
        assert [p.tolist() for p in package.MARKS.parts(state)] == [
            p.tolist() for p in package.MARKS.parts(explanation.state)
        ]


def test_a_contradiction_is_shown_where_it_arises():
    usowan = GENRES["usowan"]
    board = usowan.Board([[0, 0], [0, 1]], [[0, 0], [1, 1]])
    (*_, last) = usowan.explain(board)
    assert not last.settles and "highlighted as wrong" in last.picture(board).alt
    assert "highlighted as because" not in last.picture(board).alt
