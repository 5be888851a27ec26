"""Every step of an explanation follows from its premises and needs each of them, and the steps end where the ladder
does.
"""

import random
import re

import corpus
import numpy as np
import pytest
import usowan_boards
from oracles.premises import Usowan as Oracle
from oracles.usowan_ladder import Ladder
from steps import Checks

from puzzlekit import usowan
from puzzlekit.lab import bank
from puzzlekit.machinery.explanation import Premises, after
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.usowan import NO_CLUE, RUNGS, Board, climb, difficulty, explain, hint, solve
from puzzlekit.usowan.rules import liars, proved_liars


def lowest(oracle, board, state, below):
    """No rung below has anything to say: cell, count and connect restated, region by the numbers of each alone."""
    ladder = Ladder(board.clues.tolist(), board.regions.tolist())
    if below and ladder.climb(below[min(1, len(below) - 1)], state) != state:
        return False
    for region, cells in ladder.numbers.items() if "region" in below else ():
        around = {there for cell in cells for there in ladder.near[cell]}
        known = Premises(tuple(cells), tuple(around & set(state)), (region,), oracle.codes)
        if not all(oracle.possible(known, state, {cell: value}) for cell in around - set(state) for value in (0, 1)):
            return False
    return "connect" not in below or not ladder.connect(state)


@pytest.fixture(scope="module")
def checks():
    return Checks(usowan, Oracle, lowest)


@pytest.mark.parametrize("size, n", [(6, 100), (8, 40), (10, 20)])
def test_steps_on_bank_boards(size, n, checks):
    for board in bank.load("usowan", size, size, n).boards:
        assert checks.holds(board).finished


def test_steps_on_boards_of_any_kind(checks):
    """Boards without a plan, too: contradictions, several answers, probes."""
    pick, seen = random.Random(7), {"finished": 0, "contradiction": 0, "open": 0, **dict.fromkeys(RUNGS, 0)}
    for _ in range(150):
        board = usowan_boards.mixed_board(pick, *pick.choice([(1, 6), (3, 4), (4, 4), (5, 4), (5, 6)]), most=4)
        told = checks.holds(board)
        seen["finished" if told.finished else "contradiction" if told.contradiction else "open"] += 1
        for step in told:
            seen[step.rung] += 1
    assert all(seen.values()), seen


def test_steps_on_published_boards(checks):
    """Every fourth of those up to 100 cells, and more of those that need probe."""
    probes = 0
    for index, record in enumerate(corpus.boards("usowan")):
        if record["rows"] * record["cols"] <= 100 and record["unique"]:
            board = Board.from_record(record)
            if index % 4 == 0 or (index % 2 == 0 and climb(board).settled["probe"]):
                told = checks.holds(board)
                probes += difficulty(board).counts["probe"]
                assert (told.state == np.where(solve(board).answers[0], SHADED, UNSHADED)).all() or not told.finished
    assert probes >= corpus.number(60, 0) and not checks.spare


@pytest.mark.parametrize("top", RUNGS[:-1])
def test_lower_rungs_end_where_the_ladder_does(top):
    for board in bank.load("usowan", 8, 8, 30).boards:
        told, reached = explain(board, top), climb(board, top)
        assert (told.state == reached.state).all() and told.finished == reached.finished
        assert {step.rung for step in told} <= set(RUNGS[: RUNGS.index(top) + 1])


def test_a_full_board_is_judged_by_all_rules():
    """Every cell has a clue, so `cell` settles all; none of the two regions has a wrong number."""
    board = Board([[0, 0], [0, 1]], [[0, 0], [1, 1]])
    for top in RUNGS:
        told = explain(board, top)
        assert told.contradiction and climb(board, top).contradiction
        assert "every number of region a is right" in told.steps[-1].sentence.lower()


def test_a_start_is_taken_as_it_is():
    board = bank.load("usowan", 8, 8, 1).boards[0]
    (answer,) = solve(board).answers
    right = np.where(answer, SHADED, UNSHADED).astype(np.uint8)
    assert len(explain(board, start=right)) == 0 and explain(board, start=right).finished
    start = np.where(np.arange(64).reshape(8, 8) % 3 == 0, right, UNKNOWN)
    told = explain(board, start=start)
    assert told.finished and (told.state == right).all()
    assert not any(start[cell] for step in told for cell, _ in step.settles)
    wrong = right.copy()
    r, c = np.argwhere(answer)[0]
    wrong[r, c] = UNSHADED
    assert explain(board, start=wrong).contradiction
    shaded_clue = np.zeros_like(right)
    shaded_clue[tuple(np.argwhere(board.clues >= 0)[0])] = SHADED
    assert "has a clue" in explain(board, "cell", start=shaded_clue).steps[-1].sentence


def test_hints_lead_to_the_answer_and_find_every_mistake():
    found = bank.load("usowan", 6, 6, 15)
    for index, (board, answer) in enumerate(zip(found.boards, found.answers, strict=True)):
        right = np.where(answer, SHADED, UNSHADED).astype(np.uint8)
        state = np.zeros_like(right)
        while (told := hint(board, state)).kind == "step":
            assert told.cells == tuple(cell for cell, _ in told.step.settles) and told.sentence == told.step.sentence
            state = after(state, told.step.settles)
        assert told.kind == "done" and (state == right).all()
        wrong = right.copy()
        cell = index % 6, (5 * index) % 6
        wrong[cell] = SHADED + UNSHADED - wrong[cell]
        told = hint(board, wrong)
        assert told.kind == "mistake" and told.cells == (cell,) and f"R{cell[0] + 1}C{cell[1] + 1} " in told.sentence


def test_hints_where_there_are_several_answers_or_none():
    several = Board([[2, NO_CLUE, NO_CLUE]], [[0, 0, 0]])  # the 2 is wrong, and the rest is open
    assert sorted(solve(several, 9).answers.tolist()) == [[[0, 0, 0]], [[0, 0, 1]]]
    assert hint(several, [[1, 1, 0]]).kind == "stuck" and "several answers" in hint(several, [[1, 1, 0]]).sentence
    assert hint(several, [[1, 1, 2]]).kind == "done"
    told = hint(several, [[1, 2, 0]])
    assert told.kind == "mistake" and told.cells == ((0, 1),)
    assert hint(Board([[0]], [[0]]), [[0]]).kind == "no answer"


def test_mistakes_among_more_answers_than_are_listed():
    """A wide open board, where a mistake is what the ladder proves wrong."""
    clues = np.full((7, 7), NO_CLUE)
    clues[0, 0], clues[6, 6] = 3, 1
    board = Board(clues, np.zeros((7, 7), int))
    state = np.zeros((7, 7), np.uint8)
    state[0, 1] = state[1, 0] = SHADED
    told = hint(board, state)
    assert told.kind == "mistake" and set(told.cells) == {(0, 1), (1, 0)}


def test_difficulty():
    found = [difficulty(board) for board in bank.load("usowan", 8, 8, 40).boards]
    assert {one.grade for one in found} >= {"easy", "medium"}
    for board, one in zip(bank.load("usowan", 8, 8, 40).boards, found, strict=True):
        assert climb(board, one.hardest).finished
        lower = RUNGS.index(one.hardest) - 1
        assert not climb(board, RUNGS[lower]).finished
        steps = explain(board)  # which may tell one look at a rung in several steps
        assert one.hardest == max((step.rung for step in steps), key=RUNGS.index)
        assert 0 < sum(one.counts.values()) <= len(steps) and one.counts[one.hardest] > 0
        assert (one.hardest in one.reason and str(one.counts[one.hardest]) in one.reason) or "once" in one.reason
    open_board = Board([[2, NO_CLUE, NO_CLUE]], [[0, 0, 0]])
    assert difficulty(open_board).grade == "ambiguous" and "several answers" in difficulty(open_board).reason
    assert difficulty(Board([[0]], [[0]])).grade == "impossible"


def test_pictures_of_steps():
    board = bank.load("usowan", 6, 6, 1).boards[0]
    for step in explain(board):
        assert f"{len(step.settles)} cell" in step.picture(board).alt
        assert step.picture(board).svg == step.picture(board).svg


def test_a_number_called_wrong_is_struck_and_stays_struck():
    found = bank.load("usowan", 6, 6, 10)
    for board, answer in zip(found.boards, found.answers, strict=True):
        state, struck = np.zeros(board.clues.shape, np.uint8), set()
        for step in explain(board):
            state = after(state, step.settles)
            now = set(proved_liars(board, state))
            called = re.findall(r"he \d+ at R(\d+)C(\d+) is wrong", step.sentence)
            assert {(int(r) - 1, int(c) - 1) for r, c in called} | struck <= now
            assert f"{len(now)} number{'s' * (len(now) > 1)} crossed out" in step.picture(board).alt or not now
            struck = now
        assert struck == {cell for cells in liars(board, answer) for cell in cells}


def test_refusals():
    board = Board([[1, NO_CLUE]], [[0, 0]])
    with pytest.raises(ValueError, match="unknown rung 'guess'"):
        explain(board, "guess")
    with pytest.raises(ValueError, match="the state is 1 x 1, the board 1 x 2"):
        hint(board, [[0]])
    with pytest.raises(ValueError, match="the state has 3 at row 0, column 1"):
        explain(board, start=[[0, 3]])
