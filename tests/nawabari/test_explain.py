"""Every step of an explanation follows from its premises and needs each of them, and the steps end where the ladder
does.
"""

import random

import corpus
import numpy as np
import pytest
from oracles import nawabari as oracle
from oracles import nawabari_ladder
from oracles.premises import Nawabari as Oracle
from steps import Checks

from puzzlekit import nawabari
from puzzlekit.lab import bank
from puzzlekit.machinery.explanation import Premises, after
from puzzlekit.nawabari import ASKED, NO_CLUE, RUNGS, Board, Walls, climb, difficulty, explain, hint
from puzzlekit.nawabari.rules import OPEN, UNKNOWN, WALL, as_walls

SHAPES = [(1, 1), (1, 2), (1, 6), (5, 1), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4)]


class WallChecks(Checks):
    """The same with Walls as states and sides as keys."""

    def values(self, state):
        settled = {}
        for which, part in zip(Walls._fields, state, strict=True):
            settled.update({(r, c, which): int(part[r, c] == WALL) for r, c in np.argwhere(part != UNKNOWN).tolist()})
        return settled

    def blank(self, board):
        return Walls(np.zeros((board.rows, board.cols - 1), int), np.zeros((board.rows - 1, board.cols), int))

    def same(self, one, other):
        return all((a == b).all() for a, b in zip(one, other, strict=True))


def lowest(oracle, board, state, below):
    """No rung below has anything to say: all restated, with every rectangle possible that the settled sides leave."""
    if not below:
        return True
    clues = board.clues.tolist()
    sides = nawabari_ladder.sides_of(board.rows, board.cols)
    settled = {}
    for (r, c, which), wall in state.items():
        settled[(r, c), (r, c + 1) if which == "right" else (r + 1, c)] = bool(wall)
    reached = nawabari_ladder._climb(clues, below[-1], sides, dict(settled), nawabari_ladder.candidates(clues))
    return reached is not None and reached[0] == settled


def random_board(pick):
    """A printed answer, sometimes spoiled: a changed number, a `?`, a clue more or less."""
    rows, cols = pick.choice(SHAPES)
    rooms = pick.choice(list(oracle.by_rectangle(rows, cols))[:400])
    clues = [[NO_CLUE] * cols for _ in range(rows)]
    for top, left, bottom, right in rooms:
        r, c = pick.randint(top, bottom), pick.randint(left, right)
        clues[r][c] = ASKED if pick.random() < 0.2 else oracle.number_at(rows, cols, (top, left, bottom, right), r, c)
    for _ in range(pick.choice([0, 0, 1, 2])):
        clues[pick.randrange(rows)][pick.randrange(cols)] = pick.choice([NO_CLUE, ASKED, 0, 1, 2, 3, 4, 7])
    return Board(clues)


@pytest.fixture(scope="module")
def several(request):
    """Steps on boards of the bank, some of which need a probe, and on boards without a plan; half as many in the quick
    run.
    """
    half = 1 if request.config.option.full else 2
    checks, pick, seen = (
        WallChecks(nawabari, Oracle, lowest),
        random.Random(7),
        {"finished": 0, "contradiction": 0, "open": 0},
    )
    probed = [board for board in bank.load("nawabari", 6, 6).boards if climb(board).settled["probe"]]
    for board in (
        *bank.load("nawabari", 6, 6, 24 // half).boards,
        *bank.load("nawabari", 8, 8, 4 // half).boards,
        *probed[:6],
    ):
        assert checks.holds(board).finished
    for _ in range(120 // half):
        told = checks.holds(random_board(pick))
        seen["finished" if told.finished else "contradiction" if told.contradiction else "open"] += 1
    return checks, seen


def test_steps_on_boards_of_any_kind(several):
    _, seen = several
    assert all(seen.values()), seen


def test_all_rungs_were_needed(several):
    checks, _ = several
    assert all(checks.told.count(rung) >= 5 for rung in RUNGS)
    assert len(checks.spare) <= 0.005 * len(checks.told), checks.spare[:3]


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (4, 3)])
def test_a_board_without_clues_has_no_answer(shape):
    told = WallChecks(nawabari, Oracle, lowest).holds(Board(np.full(shape, NO_CLUE)))
    assert told.contradiction and told.steps[-1].premises.clauses == ("room-without-number",)


def test_steps_on_published_boards():
    checks = WallChecks(nawabari, Oracle, lowest)
    for record in corpus.boards("nawabari")[::6]:
        if record["rows"] * record["cols"] <= 64 and record["unique"]:
            checks.holds(Board.from_record(record))
    assert checks.told


def test_the_oracle_takes_premises_as_they_are_meant():
    """Two cells and a clue: a wall between them leaves a room without one, unless it is not stated who has a clue."""
    with Oracle([[3, -1]]) as judge:
        known = Premises((), ((0, 0, "right"),), (), ("room-without-number",))
        assert not judge.possible(known, {(0, 0, "right"): 1}) and judge.possible(known, {(0, 0, "right"): 0})
    with Oracle([[3, 3]]) as judge:
        known = Premises(((0, 0), (0, 1)), (), (), ("room-with-several-numbers",))
        assert judge.follows(known, {}, [((0, 0, "right"), 1)])
        assert not judge.follows(known._replace(clues=((0, 0),)), {}, [((0, 0, "right"), 1)])


@pytest.mark.parametrize("top", RUNGS[:-1])
def test_lower_rungs_end_where_the_ladder_does(top):
    for board in bank.load("nawabari", 6, 6, 30).boards:
        told, reached = explain(board, top), climb(board, top)
        assert all((one == other).all() for one, other in zip(told.state, reached.walls, strict=True))
        assert told.finished == reached.finished and {step.rung for step in told} <= set(RUNGS[: RUNGS.index(top) + 1])


def test_hints_lead_to_the_answer_and_find_every_mistake():
    found = bank.load("nawabari", 6, 6, 8)
    for index, (board, answer) in enumerate(zip(found.boards, found.answers, strict=True)):
        right = Walls(*(np.where(part, WALL, OPEN) for part in as_walls(board, answer)))
        state = Walls(*(np.zeros_like(part) for part in right))
        while (told := hint(board, state)).kind == "step":
            state = after(state, told.step.settles)
        assert told.kind == "done" and all((one == other).all() for one, other in zip(state, right, strict=True))
        wrong = Walls(*(part.copy() for part in right))
        r, c = index % 6, index % 5
        wrong.right[r, c] = OPEN + WALL - wrong.right[r, c]
        told = hint(board, wrong)
        assert (
            told.kind == "mistake"
            and told.cells == ((r, c, "right"),)
            and f"he side right of R{r + 1}C{c + 1}" in told.sentence
        )


def test_hints_without_an_answer_or_a_step():
    assert hint(Board([[2]]), Walls(np.zeros((1, 0)), np.zeros((0, 1)))).kind == "no answer"
    either = Board([[ASKED, NO_CLUE], [NO_CLUE, ASKED]])  # cut it across or down
    told = hint(either, Walls(np.zeros((2, 1)), np.zeros((1, 2))))
    assert told.kind == "stuck" and "several answers" in told.sentence


def test_difficulty():
    for board in bank.load("nawabari", 6, 6, 15).boards:
        one = difficulty(board)
        assert climb(board, one.hardest).finished and one.grade == nawabari.GRADES[one.hardest]
        steps = explain(board)  # which may tell one look at a rung in several steps
        assert one.hardest == max((step.rung for step in steps), key=RUNGS.index)
        assert 0 < sum(one.counts.values()) <= len(steps) and one.counts[one.hardest] > 0
    assert difficulty(Board([[ASKED, NO_CLUE], [NO_CLUE, ASKED]])).grade == "ambiguous"
    assert difficulty(Board([[2]])).grade == "impossible"


def test_pictures_and_refusals():
    board = bank.load("nawabari", 6, 6, 1).boards[0]
    for step in explain(board):
        assert "highlighted as therefore" in step.picture(board).alt
    with pytest.raises(ValueError, match="unknown rung 'guess'"):
        explain(board, "guess")
    with pytest.raises(ValueError, match="the state must be Walls"):
        hint(board, [[0]])
    with pytest.raises(ValueError, match=r"walls right: shape \(1, 1\), but a 6 x 6 board needs \(6, 5\)"):
        hint(board, Walls(np.zeros((1, 1)), np.zeros((5, 6))))
    with pytest.raises(ValueError, match="walls down: 3 at row 0, column 0"):
        explain(board, start=Walls(np.zeros((6, 5)), np.full((5, 6), 3)))
