"""What follows from some of a board, against a SAT solver that is asked with the same premises switched on."""

import random

import numpy as np
import usowan_boards
from oracles.premises import Usowan as Oracle

from puzzlekit.machinery.explanation import Premises
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.machinery.position import targets
from puzzlekit.usowan import premises, solve

APART, CONNECTED, LIES = "shaded-adjacent", "white-split", "region-lies-not-one"


def asked(board, told, state):
    """Premises as arrays."""
    numbers = [cell for cells in board.clues_by_region for cell in cells]
    known = np.full(board.clues.shape, UNKNOWN, np.uint8)
    for cell in told.cells:
        known[cell] = SHADED if state[cell] else UNSHADED
    active = np.zeros(len(board.clues_by_region), np.uint8)
    active[list(told.regions)] = LIES in told.clauses
    rules = np.array([APART in told.clauses, CONNECTED in told.clauses], np.uint8)
    return premises.Known(known.ravel(), np.array([cell in told.clues for cell in numbers], np.uint8), active, rules)


def some(pick, board):
    """Premises of a board, any of them, and values for its cells: sometimes those of an answer."""
    numbers = [cell for cells in board.clues_by_region for cell in cells]
    answers = solve(board, 1).answers
    shading = answers[0] if len(answers) and pick.random() < 0.8 else np.zeros(board.clues.shape, np.uint8)
    state = {cell: int(value) for cell, value in np.ndenumerate(shading)}
    share = pick.choice([0.1, 0.4, 0.8])
    clauses = pick.choice([(LIES,), (APART,), (APART, LIES), (APART, LIES), (APART, CONNECTED, LIES)])
    told = Premises(
        tuple(cell for cell in numbers if pick.random() < 0.8),
        tuple(cell for cell in state if pick.random() < share),
        tuple(region for region in range(len(board.clues_by_region)) if pick.random() < 0.8),
        clauses,
    )
    return told, state


def test_what_follows_and_what_is_left_of_it():
    pick, seen, fewer = random.Random(16), {True: 0, False: 0}, 0
    for _ in range(250):
        board = usowan_boards.mixed_board(pick, *pick.choice([(1, 5), (3, 3), (3, 4), (4, 4), (5, 4)]), most=3)
        told, state = some(pick, board)
        with Oracle(board.clues.tolist(), board.regions.tolist()) as oracle:
            unknown = [cell for cell in state if cell not in told.cells]
            for cell in pick.sample(unknown, min(4, len(unknown))):
                value = pick.randint(0, 1)
                target = targets([(cell[0] * board.cols + cell[1], SHADED if value else UNSHADED)])
                known = asked(board, told, state)
                follows = premises.forced(board, known, *target)
                assert follows == oracle.follows(told, state, [(cell, value)]), (board.to_text(), told, cell, value)
                seen[follows] += 1
                if follows:
                    premises.shrink(board, known, *target)
                    fewer += is_minimal(board, oracle, told, state, known, (cell, value))
    assert seen[True] > 100 and seen[False] > 300 and fewer > 50


def is_minimal(board, oracle, told, state, known, settles):
    """What is left is enough, and all needed but for APART beside CONNECTED. Returns whether it is less."""
    numbers = [cell for cells in board.clues_by_region for cell in cells]
    left = Premises(
        tuple(cell for cell, stated in zip(numbers, known.stated, strict=True) if stated),
        tuple(cell for cell, value in zip(state, known.state, strict=True) if value),
        tuple(np.flatnonzero(known.active).tolist()),
        tuple(
            code for code, on in zip((APART, CONNECTED, LIES), (*known.rules, known.active.any()), strict=True) if on
        ),
    )
    assert oracle.follows(left, state, [settles]), (board.to_text(), left, settles)
    for field in Premises._fields:
        for part in getattr(left, field):
            if part != APART or CONNECTED not in left.clauses:
                rest = left._replace(**{field: tuple(other for other in getattr(left, field) if other != part)})
                assert not oracle.follows(rest, state, [settles]), (board.to_text(), left, settles, part)
    return sum(map(len, left)) < sum(map(len, told))


def test_what_all_shadings_agree_on():
    pick, settled = random.Random(17), 0
    for _ in range(100):
        board = usowan_boards.mixed_board(pick, *pick.choice([(3, 3), (3, 4), (4, 4)]), most=3)
        told, state = some(pick, board)
        seen = premises.agreed(board, asked(board, told, state))
        with Oracle(board.clues.tolist(), board.regions.tolist()) as oracle:
            for region in told.regions if LIES in told.clauses else ():
                for number in board.clues_by_region[region]:
                    for cell in oracle.near[number]:
                        if cell not in told.cells:
                            can = [oracle.possible(told, state, {cell: value}) for value in (0, 1)]
                            assert seen[cell[0] * board.cols + cell[1]] == UNSHADED * can[0] + SHADED * can[1]
                            settled += sum(can) == 1
    assert settled > 50
