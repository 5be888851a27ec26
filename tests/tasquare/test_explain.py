"""Every step of an explanation follows from its premises and needs each of them, and the steps end where the ladder
does.
"""

import random

import corpus
import numpy as np
import pytest
import tasquare_boards
from oracles.premises import Tasquare as Oracle
from oracles.tasquare_ladder import Contradiction, Ladder
from steps import Checks, fewer

from puzzlekit import tasquare
from puzzlekit.lab import bank
from puzzlekit.machinery.explanation import Premises, after
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.tasquare import NO_CLUE, RUNGS, Board, climb, difficulty, explain, hint, solve


def lowest(oracle, board, state, below):
    """No rung below has anything to say: all restated, with every square possible that the settled cells leave."""
    ladder = Ladder(board.clues.tolist())
    try:
        return not below or ladder.climb(below[-1], state)[0] == state
    except Contradiction:
        return False


@pytest.fixture(scope="module")
def several(request):
    """Steps on boards of the bank and on boards without a plan: contradictions, several answers, large numbers; half as
    many in the quick run.
    """
    half = 1 if request.config.option.full else 2
    checks, pick, seen = (
        Checks(tasquare, Oracle, lowest),
        random.Random(7),
        {"finished": 0, "contradiction": 0, "open": 0},
    )
    for size, n in [(6, 40), (8, 10), (10, 2)]:
        for board in bank.load("tasquare", size, size, n // half).boards:
            assert checks.holds(board).finished
    for _ in range(120 // half):
        told = checks.holds(tasquare_boards.mixed_board(pick, *pick.choice([(1, 6), (3, 4), (4, 4), (5, 4), (5, 6)])))
        seen["finished" if told.finished else "contradiction" if told.contradiction else "open"] += 1
    return checks, seen


def test_steps_on_boards_of_any_kind(several):
    _, seen = several
    assert all(seen.values()), seen


def test_all_rungs_were_needed_and_few_probes_keep_a_rule_to_spare(several):
    checks, _ = several
    assert all(checks.told.count(rung) >= 20 for rung in RUNGS)
    assert len(checks.spare) <= 0.02 * checks.told.count("probe"), checks.spare[:3]


def test_steps_on_published_boards():
    checks = Checks(tasquare, Oracle, lowest)
    for record in corpus.boards("tasquare")[::6]:
        if record["rows"] * record["cols"] <= 64 and record["unique"]:
            checks.holds(Board.from_record(record))
    assert checks.told


def test_the_oracle_takes_premises_as_they_are_meant():
    """By hand, and where blocks need not be squares by growing a block cell by cell."""
    clues = [[-1, 4, -1], [-1, -1, -1]]
    with Oracle(clues) as oracle:
        known = Premises(((0, 1),), (), (), ("sum-mismatch",))
        assert oracle.possible(known, {}) and not oracle.possible(
            known._replace(clauses=(*known.clauses, "block-not-square")), {}
        )
        assert not oracle.possible(known._replace(cells=((0, 1),)), {(0, 1): 1})
        assert not oracle.possible(known._replace(cells=((0, 0), (1, 1))), {(0, 0): 0, (1, 1): 0})
        assert oracle.possible(known._replace(cells=((0, 0), (1, 2))), {(0, 0): 0, (1, 2): 1})
    assert [part for _, part, _ in fewer(known)] == [(0, 1), "sum-mismatch"]


@pytest.mark.parametrize("top", RUNGS[:-1])
def test_lower_rungs_end_where_the_ladder_does(top):
    for board in bank.load("tasquare", 8, 8, 20).boards:
        told, reached = explain(board, top), climb(board, top)
        assert (told.state == reached.state).all() and told.finished == reached.finished
        assert {step.rung for step in told} <= set(RUNGS[: RUNGS.index(top) + 1])


def test_nothing_shaded_is_no_answer():
    told = explain(Board([[NO_CLUE, NO_CLUE]]), start=[[UNSHADED, UNSHADED]])
    assert told.contradiction and "Nothing is shaded" in told.steps[-1].sentence


def test_hints_lead_to_the_answer_and_find_every_mistake():
    found = bank.load("tasquare", 6, 6, 8)
    for index, (board, answer) in enumerate(zip(found.boards, found.answers, strict=True)):
        right = np.where(answer, SHADED, UNSHADED).astype(np.uint8)
        state = np.zeros_like(right)
        while (told := hint(board, state)).kind == "step":
            state = after(state, told.step.settles)
        assert told.kind == "done" and (state == right).all()
        cell = index % 6, (5 * index) % 6
        wrong = right.copy()
        wrong[cell] = SHADED + UNSHADED - wrong[cell]
        told = hint(board, wrong)
        assert told.kind == "mistake" and told.cells == (cell,) and f"R{cell[0] + 1}C{cell[1] + 1} " in told.sentence


def test_hints_where_there_are_many_answers_or_none():
    wide = Board(np.full((7, 7), NO_CLUE))
    assert hint(wide, np.zeros((7, 7), int)).kind == "stuck"
    state = np.zeros((7, 7), np.uint8)
    state[0, 0] = state[0, 1] = SHADED
    state[1, 0] = UNSHADED
    told = hint(wide, state)  # no answer among thousands has these, and the ladder sees why
    assert told.kind == "mistake" and set(told.cells) == {(0, 0), (0, 1), (1, 0)}
    assert hint(Board([[0]]), [[0]]).kind == "no answer"


def test_difficulty():
    boards = bank.load("tasquare", 8, 8, 10).boards
    for board in boards:
        one = difficulty(board)
        assert climb(board, one.hardest).finished and one.grade == tasquare.GRADES[one.hardest]
        assert not climb(board, RUNGS[RUNGS.index(one.hardest) - 1]).finished
        steps = explain(board)  # which may tell one look at a rung in several steps
        assert one.hardest == max((step.rung for step in steps), key=RUNGS.index)
        assert 0 < sum(one.counts.values()) <= len(steps) and one.counts[one.hardest] > 0
    assert difficulty(Board(np.full((3, 3), NO_CLUE))).grade == "ambiguous"
    assert difficulty(Board([[0]])).grade == "impossible"


def test_pictures_and_refusals():
    board = bank.load("tasquare", 6, 6, 1).boards[0]
    for step in explain(board):
        assert "highlighted as therefore" in step.picture(board).alt
    with pytest.raises(ValueError, match="unknown rung 'guess'"):
        explain(board, "guess")
    with pytest.raises(ValueError, match="the state is 1 x 1, the board 6 x 6"):
        hint(board, [[0]])
    assert not (solve(board).answers[0][explain(board).state == UNKNOWN]).any()
