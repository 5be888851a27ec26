"""Every step of an explanation follows from its premises and needs each of them, and the steps end where the ladder does."""

import random

import corpus
import numpy as np
import pytest
import usowan_boards
from oracles.usowan_ladder import Contradiction, Ladder
from oracles.usowan_premises import APART, LIES
from oracles.usowan_premises import Board as Oracle

from puzzlekit import bank
from puzzlekit.machinery.explanation import Premises, after
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.usowan import NO_CLUE, RUNGS, Board, climb, difficulty, explain, hint, solve


def values(state):
    """Settled cells of a state, 1 is shaded."""
    return {(r, c): int(state[r, c] == SHADED) for r, c in np.argwhere(state != UNKNOWN).tolist()}


def fewer(premises):
    """Premises without one of their parts, in every way."""
    for field in Premises._fields:
        parts = getattr(premises, field)
        for part in parts:
            yield field, part, premises._replace(**{field: tuple(other for other in parts if other != part)})


def follows_exactly(oracle, board, step, told):
    """A step follows from its premises, which are settled before it, and from no fewer. Its sentence names what it settles."""
    state = values(step.before)
    settles = [(cell, int(value == SHADED)) for cell, value in step.settles]
    assert set(step.premises.cells) <= set(state), told
    assert not any(cell in state for cell, _ in settles), told
    assert all(board.clues[cell] != NO_CLUE for cell in step.premises.clues)
    assert oracle.follows(step.premises, state, settles), told
    for field, part, rest in fewer(step.premises):
        assert not oracle.follows(rest, state, settles), (told, field, part)
    for cell, _ in step.settles:
        assert str(cell) in step.sentence, told
    if step.rung != "probe":
        for cell in [*step.premises.cells, *step.premises.clues]:
            assert str(cell) in step.sentence, told
    if step.rung != "connect" and step.rung != "probe":
        assert all(f"region {region}" in step.sentence.lower() for region in step.premises.regions), told


def is_lowest(oracle, ladder, step, told):
    """No rung below has anything to say about the state before a step."""
    state, below = values(step.before), RUNGS[: RUNGS.index(step.rung)]
    if below:
        assert ladder.climb(below[min(1, len(below) - 1)], state) == state, told
    if "region" in below:
        for region, cells in ladder.numbers.items():
            around = {there for cell in cells for there in ladder.near[cell]}
            known = Premises(tuple(cells), tuple(around & set(state)), (region,), (APART, LIES))
            for cell in sorted(around - set(state)):
                assert all(oracle.possible(known, state, {cell: value}) for value in (0, 1)), told
    if "connect" in below:
        assert not ladder.connect(state), told


def is_refutation(oracle, board, step, told):
    """The steps inside a probe lead from its assumption, by its premises, to a contradiction."""
    (cell, value), = step.settles
    known = {cell: SHADED + UNSHADED - value} | {known: int(step.before[known]) for known in step.premises.cells}
    assert not step.inside[-1].settles
    for inner in step.inside:
        follows_exactly(oracle, board, inner, (told, inner.sentence))
        assert all(known[cell] == inner.before[cell] for cell in inner.premises.cells), told
        for field in ("clues", "regions", "clauses"):
            assert set(getattr(inner.premises, field)) <= set(getattr(step.premises, field)), (told, field)
        known.update(inner.settles)


def holds(board):
    """The whole explanation of a board, step by step. Returns it."""
    told = explain(board)
    reached = climb(board)
    assert (told.finished, told.contradiction) == (reached.finished, reached.contradiction), board.to_text()
    assert told.contradiction or (told.state == reached.state).all(), board.to_text()
    clues, regions = board.clues.tolist(), board.regions.tolist()
    ladder, state = Ladder(clues, regions), np.zeros_like(board.clues)
    with Oracle(clues, regions) as oracle:
        for step in told:
            words = f"{step.rung}: {step.sentence}\n{board.to_text()}"
            assert (step.before == state).all(), words
            follows_exactly(oracle, board, step, words)
            is_lowest(oracle, ladder, step, words)
            assert bool(step.inside) == (step.rung == "probe")
            if step.inside:
                is_refutation(oracle, board, step, words)
            state = after(state, step.settles)
    assert (state == told.state).all()
    assert told.contradiction == (len(told) > 0 and not told.steps[-1].settles)
    return told


@pytest.mark.parametrize("size, n", [(6, 100), (8, 40), (10, 20)])
def test_steps_on_bank_boards(size, n):
    for board in bank.load("usowan", size, size, n).boards:
        assert holds(board).finished


def test_steps_on_boards_of_any_kind():
    """Boards without a plan, too: contradictions, several answers, probes."""
    pick, seen = random.Random(7), {"finished": 0, "contradiction": 0, "open": 0, **dict.fromkeys(RUNGS, 0)}
    for _ in range(150):
        board = usowan_boards.mixed_board(pick, *pick.choice([(1, 6), (3, 4), (4, 4), (5, 4), (5, 6)]), most=4)
        told = holds(board)
        seen["finished" if told.finished else "contradiction" if told.contradiction else "open"] += 1
        for step in told:
            seen[step.rung] += 1
    assert all(seen.values()), seen
