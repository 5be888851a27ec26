import random

import corpus
import numpy as np
import pytest
from oracles import usowan as oracle

from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.usowan import profile
from puzzlekit.usowan.clued import board_diagram, count_answers
from puzzlekit.usowan.rules import ASKED, MISREADINGS, NO_CLUE, RULES, Board, Reading, check

SHAPES = [(r, c) for r in range(1, 6) for c in range(1, 8) if r * c <= 15] + [(1, 14), (13, 1)]
READINGS = {"rules": RULES, **MISREADINGS, "up to two": Reading(fewest=0, most=2), "many": Reading(2, 9, scope="board")}


def random_board(pick):
    """Any shape and clues, `?` and numbers that can never be right among them; regions grown from random cells."""
    rows, cols = pick.choice(SHAPES)
    density = pick.choice([0.1, 0.3, 0.6])
    values = [ASKED, 0, 0, 1, 1, 2, 3, 4, 7]
    clues = [[pick.choice(values) if pick.random() < density else NO_CLUE for _ in range(cols)] for _ in range(rows)]
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    region = {cell: i for i, cell in enumerate(pick.sample(cells, min(len(cells), pick.randint(1, 4))))}
    while len(region) < len(cells):
        cell = pick.choice(list(region))
        for beside in oracle.beside(rows, cols, *cell):
            region.setdefault(beside, region[cell])
    return clues, [[region[r, c] for c in range(cols)] for r in range(rows)]


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3))])
def test_random_boards_under_every_reading(seed):
    pick = random.Random(seed)
    some = dict.fromkeys(READINGS, 0)
    for _ in range(75):
        clues, regions = random_board(pick)
        board = Board(clues, regions)
        possible = list(oracle.independent_sets(board.rows, board.cols))
        for name, reading in READINGS.items():
            exact = oracle.answers(clues, regions, **reading._asdict(), shadings=possible)
            space = board_diagram(board, reading)
            found = space.unrank(range(space.count())).tolist()
            assert sorted(map(tuple, found)) == exact, (name, clues, regions)
            some[name] += bool(exact)
    assert min(some.values()) > 5


def test_board_without_clues_is_the_empty_grid():
    empty = Board(np.full((6, 7), NO_CLUE), np.zeros((6, 7)).astype(int))
    assert count_answers(empty, "none wrong") == profile.count(6, 7)
    assert count_answers(empty, "rules") == 0
    shaded = board_diagram(empty, "none wrong").marginals()[:, 1].reshape(6, 7)
    assert (shaded == profile.marginals(6, 7)).all()


def test_corners_never_matter_to_more_than_one_line():
    """The proof in board_diagram, by brute force; and one line knows no corners."""
    for rows, cols in [(2, 2), (2, 6), (3, 3), (4, 4), (5, 3)]:
        for shading in oracle.independent_sets(rows, cols):
            assert oracle.is_one_region(rows, cols, shading, corners=True)
    for shading in oracle.independent_sets(1, 9):
        assert oracle.is_one_region(1, 9, shading, corners=True) == oracle.is_one_region(1, 9, shading)


def test_settled_cells_keep_the_answers_that_agree():
    pick = random.Random(9)
    for _ in range(60):
        clues, regions = random_board(pick)
        board = Board(clues, regions)
        settled = [[pick.choice([UNKNOWN, UNKNOWN, UNSHADED, SHADED]) for _ in row] for row in clues]
        wanted = [{UNKNOWN: None, UNSHADED: 0, SHADED: 1}[s] for row in settled for s in row]
        exact = oracle.answers(clues, regions, fewest=0)
        agreeing = [a for a in exact if all(w is None or w == s for w, s in zip(wanted, a, strict=True))]
        assert count_answers(board, "none wrong", settled=settled) == len(agreeing)


def test_real_boards():
    """All of them but the two that are 25 cells wide, which need more memory than a test may take."""
    for record in corpus.boards("usowan"):
        board = Board.from_record(record)
        if min(board.rows, board.cols) > 20:
            continue
        space = board_diagram(board)
        assert min(2, space.count()) == record["solutions"], record["id"]
        if record["unique"]:
            assert space.unrank(0).reshape(board.rows, board.cols).tolist() == record["solution"], record["id"]


def test_draws_of_a_board_are_its_answers():
    board = Board(np.full((8, 9), NO_CLUE), np.zeros((8, 9)).astype(int)).with_clue(3, 3, 2).with_clue(5, 7, 4)
    space = board_diagram(board)
    assert space.count() > 10**9
    for answer in space.draw(20, np.random.default_rng(2)).reshape(-1, 8, 9):
        assert check(board, answer) is None


def test_what_cannot_be_counted_says_so():
    board = Board([[1, NO_CLUE], [NO_CLUE, NO_CLUE]], [[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="unknown reading 'both'"):
        count_answers(board, "both")
    with pytest.raises(ValueError, match=r"settled has shape \(1, 2\), the board \(2, 2\)"):
        count_answers(board, settled=[[0, 0]])
    wide = Board(np.full((32, 32), NO_CLUE), np.zeros((32, 32)).astype(int))
    with pytest.raises(ValueError, match="at most 31 cells"):
        count_answers(wide)
    checkered = np.where(np.indices((25, 25)).sum(axis=0) % 5 == 0, 1, NO_CLUE)
    with pytest.raises(MemoryError, match="the budget is 1,000,000"):
        count_answers(Board(checkered, np.zeros((25, 25)).astype(int)), budget=1_000_000)
