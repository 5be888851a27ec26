"""Search that learns: hard boards against python-sat, boards of their families, reasons and learned clauses against all
answers, budgets.
"""

import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import tasquare_boards
from oracles import tasquare_sat

from puzzlekit import read
from puzzlekit.machinery import learning
from puzzlekit.machinery.kernels import kernel
from puzzlekit.tasquare import deduce, guessing, layout, reasons, solver
from puzzlekit.tasquare.rules import ASKED, NO_CLUE, RULES, Board, blocks, check
from puzzlekit.tasquare.setter import full_board
from puzzlekit.tasquare.solver import solve, solve_many

HARD = Path(__file__).resolve().parents[3] / "shared" / "hard" / "boards.jsonl"
WORK = 100_000_000  # about a second


def every(step, size, clue):
    """A clue on every so many cells, of every so many rows."""
    clues = np.full((size, size), NO_CLUE)
    clues[::step, ::step] = clue
    return Board(clues)


def thinned(rng, rows, cols, kept, asked):
    """A full board with a share of its clues, of which a share is asked."""
    clues = full_board(
        tasquare_boards.random_answer(random.Random(int(rng.integers(1 << 30))), rows, cols)
    ).clues.copy()
    clues[rng.random(clues.shape) > kept] = NO_CLUE
    clues[(clues != NO_CLUE) & (rng.random(clues.shape) < asked)] = ASKED
    return Board(clues)


def judged(board, answers):
    """The board is solved within WORK, to so many answers of two, all of them right."""
    found = solve(board, work=WORK)
    assert found.complete and len(found.answers) == answers, (board.to_url(), found.branch_points)
    assert all(check(board, answer) is None for answer in found.answers)
    assert len({answer.tobytes() for answer in found.answers}) == answers


def test_hard_boards():
    if not HARD.exists():
        pytest.skip("../shared/hard is not here; boards of the same families are made in the next tests")
    records = [json.loads(line) for line in HARD.read_text("utf-8").splitlines()]
    boards = [(read(record["url"]), record["answers_found"]) for record in records if record["genre"] == "tasquare"]
    assert len(boards) >= 7
    for board, answers in boards:
        judged(board, 2 if answers is None else answers)  # the two that nobody asked have many


@pytest.mark.parametrize(
    "step, size, clue, answers", [(3, 19, 4, 0), (3, 20, 4, 0), (3, 22, 4, 2), (3, 30, ASKED, 2), (5, 30, 9, 2)]
)
def test_a_clue_on_every_so_many_cells(step, size, clue, answers):
    """As python-sat has it."""
    judged(every(step, size, clue), answers)


@pytest.mark.parametrize(
    "rows, cols, kept, asked", [(25, 25, 0.25, 1), (30, 30, 0.25, 1), (20, 36, 0.3, 0.5), (30, 30, 0.2, 0)]
)
def test_thinned_boards(rows, cols, kept, asked):
    rng = np.random.default_rng(rows)
    for _ in range(3):
        judged(thinned(rng, rows, cols, kept, asked), 2)


@pytest.mark.parametrize("size", [30, 40])
def test_empty_grids(size):
    judged(Board(np.full((size, size), NO_CLUE)), 2)


def test_from_the_first_guess_against_sat(monkeypatch):
    """Boards with no, one and several answers, and as many of them as are asked for."""
    monkeypatch.setattr(solver, "PATIENCE", 0)
    monkeypatch.setattr(solver, "AN_ANSWER", 0)
    rng, kinds = np.random.default_rng(3), {0: 0, 1: 0, 2: 0}
    for i in range(150):
        board = thinned(rng, *rng.integers(4, 10, 2), rng.uniform(0.3, 1), 0.2)
        if i % 3 == 0 and (board.clues > 0).any():
            r, c = rng.choice(np.argwhere(board.clues > 0))
            board = board.with_clue(r, c, board.clues[r, c] + 1)
        expected = tasquare_sat.solutions(board, 20)
        found = sorted(tuple(answer.ravel().tolist()) for answer in solve(board, 20).answers)
        if len(expected) < 20:
            assert found == expected, board.to_url()
        assert len(set(found)) == len(expected)
        kinds[min(len(expected), 2)] += 1
    assert min(kinds.values()) >= 10, kinds


@kernel
def clauses_of(rows, cols, clues, clauses):
    """What is learned up to the first answer, which excludes nothing: (literals, where clauses begin, facts, corner and
    side of squares); a fact is a literal.
    """
    rules = deduce.begin(rows, cols, clues, clauses, 0)
    t = deduce.trail(rules, deduce.JUDGES | deduce.LEARNS, True)
    guessing.search(rules, t, 1, 100_000, np.empty((1, rows * cols), np.uint8))
    size = t.at[learning.CLAUSES]
    facts = np.empty(t.at[learning.TAIL], np.int64)
    known = 0
    for variable in t.order[: t.at[learning.TAIL]]:
        if t.level[variable] == 0:
            facts[known] = 2 * variable + t.state[variable] - 1
            known += 1
    first = t.first[: size + 1].copy()
    return t.literals[: first[size]].copy(), first, facts[:known], rules.board.corner.copy(), rules.board.side.copy()


@kernel
def reasons_of(rows, cols, clues, clauses, guesses, found):
    """Why everything follows that follows from some guesses, int64 (g,): literals.

    Fills found, int64 (many, many): a row for what was settled, or contradicted: how many causes, it or -1, the causes;
    all literals. Returns (rows, causes that came later than what they settled, corner and side of squares).
    """
    rules = deduce.begin(rows, cols, clues, clauses, 0)
    t = deduce.trail(rules, deduce.JUDGES, True)
    why, by = guessing._propagate(rules, t)
    for literal in guesses:
        if why == learning.FINE and t.state[literal >> 1] == 0:
            learning.suppose(t, literal >> 1, 1 + (literal & 1))
            why, by = guessing._propagate(rules, t)
    told = late = 0
    for at in range(t.at[learning.TAIL] + (why != learning.FINE)):
        contradicted = at == t.at[learning.TAIL]
        variable = np.int64(learning.FINE) if contradicted else np.int64(t.order[at])
        reason = why if contradicted else np.int64(t.why[variable])
        if reason == learning.GUESSED:
            continue
        size = reasons.causes(rules, t, reason, by if contradicted else np.int64(t.by[variable]), variable)
        found[told, 0] = size
        found[told, 1] = -1 if contradicted else 2 * variable + t.state[variable] - 1
        for i in range(size):
            cause = t.causes[i]
            late += not contradicted and t.place[cause] >= t.place[variable]
            found[told, 2 + i] = 2 * cause + t.state[cause] - 1
        told += 1
    return told, late, rules.board.corner.copy(), rules.board.side.copy()


def truths(board, corner, side):
    """For every answer, whether each variable is SHADED."""
    n, found = board.rows * board.cols, []
    for answer in tasquare_boards.answers(board, **RULES._asdict()):
        true = np.zeros(len(corner), bool)
        true[:n] = np.asarray(answer).ravel() == 1
        squares = {(block[0][0] * board.cols + block[0][1], round(len(block) ** 0.5)) for block in blocks(answer)}
        for square in range(n + 1, len(corner)):
            true[square] = (int(corner[square]), int(side[square])) in squares
        found.append(true)
    return found


def holds(literals, true):
    """Which literals hold where so much is true."""
    return true[literals >> 1] == (literals & 1 == 1)


def small_boards(count, seed):
    pick = random.Random(seed)
    for _ in range(count):
        board = tasquare_boards.mixed_board(pick, pick.randint(2, 4), pick.randint(3, 4))
        yield board, (board.rows, board.cols, layout.read(board.clues, RULES), layout.clauses(RULES, eager=True))


def test_learned_clauses_hold_in_every_answer():
    clauses = 0
    for board, args in small_boards(300, 5):
        literals, first, facts, corner, side = clauses_of(*args)
        for true in truths(board, corner, side):
            assert holds(facts, true).all(), board.to_url()
            for start, end in pairwise(first):
                assert holds(literals[start:end], true).any(), board.to_url()
                clauses += 1
    assert clauses > 500


def test_reasons_are_reasons():
    """Wherever the causes hold, so does what they settled; a contradiction's hold nowhere."""
    rng, reasons, contradictions, found = np.random.default_rng(8), 0, 0, np.empty((200, 200), np.int64)
    for board, args in small_boards(300, 6):
        told, late, corner, side = reasons_of(
            *args, 2 * rng.integers(board.rows * board.cols, size=4) + rng.integers(2, size=4), found
        )
        assert not late
        every_truth = truths(board, corner, side)
        for size, literal, *causes in found[:told].tolist():
            causes = np.array(causes[:size], np.int64)
            for true in every_truth:
                if holds(causes, true).all():
                    assert literal >= 0 and holds(np.array([literal]), true).all(), (board.to_url(), causes, literal)
            reasons += size > 0
            contradictions += literal < 0
    assert reasons > 2000 and contradictions > 50


def test_budgets_hold():
    hard = every(3, 31, 4)  # python-sat takes seconds to find that it has no answer
    for found in (solve(hard, work=2_000_000), solve(hard, budget=200), solve(hard, top="clue", work=2_000_000)):
        assert not found.complete and found.unique is None and len(found.answers) == 0
    assert solve(hard, work=2_000_000).branch_points > solver.PATIENCE
    many = solve_many([hard, Board([[1, NO_CLUE]])], work=2_000_000)
    assert many.complete.tolist() == [False, True] and many.unknown.tolist() == [True, False]
    assert many.branch_points[0] == solve(hard, work=2_000_000).branch_points > 0
    empty = solve(Board(np.full((40, 40), NO_CLUE)), budget=10)
    assert not empty.complete and empty.branch_points == 11
    with pytest.raises(ValueError, match="work must be a whole number of at least 0, not -1"):
        solve(hard, work=-1)
