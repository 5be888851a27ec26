"""Usowan's own questions against naive loops that ask them literally."""

import random
from itertools import product
from math import prod

import numpy as np
import pytest
import usowan_boards
from oracles import usowan as oracle
from oracles import usowan_sat
from oracles.usowan_ladder import Contradiction, Ladder

from puzzlekit.lab import bank
from puzzlekit.usowan import NO_CLUE, Board, climb, count, make, questions, solve


def naive_fate(clues, regions, liar, board):
    """The first rung that refutes one reading, by climbing from a blank board to each rung in turn."""
    ladder = Ladder(clues, regions, liar=liar)
    for top in ("cell", "count", "region", "connect"):
        try:
            ladder.climb(top)
        except Contradiction:
            return top
    wrong = set(liar.values())
    for answer in solve(board, 1000).answers:
        cells = {(r, c) for r, c in np.argwhere(board.clues >= 0).tolist()}
        lies = {cell for cell in cells if clues[cell[0]][cell[1]] != sum(answer[y, x] for y, x in ladder.near[cell])}
        if lies == wrong:
            return "answer"
    return "search"


def naive_readings(board):
    clues, regions = board.clues.tolist(), board.regions.tolist()
    fates = dict.fromkeys(questions.FATES, 0)
    cells = board.clues_by_region
    for named in product(*cells):
        fates[naive_fate(clues, regions, dict(enumerate(named)), board)] += 1
    return fates


def test_readings_of_made_boards():
    """Small boards, where every reading can be climbed naively."""
    total = dict.fromkeys(questions.FATES, 0)
    for index in range(25):
        rows, cols = [(4, 4), (3, 5), (5, 4), (4, 5)][index % 4]
        board = make(rows, cols, np.random.default_rng(index))
        found = questions.what_rules_out_readings(board)
        assert found == naive_readings(board), board.to_text()
        assert found["answer"] == 1 and sum(found.values()) == prod(map(len, board.clues_by_region))
        total = {fate: total[fate] + n for fate, n in found.items()}
    assert total["count"] > 100


def test_readings_of_any_boards():
    """Boards with no answer or with several, regions without numbers, `?`: all four verdicts occur."""
    pick, total = random.Random(12), dict.fromkeys(questions.FATES, 0)
    for _ in range(150):
        board = usowan_boards.mixed_board(pick, *pick.choice([(3, 4), (4, 4), (4, 5), (2, 6)]), most=4)
        if prod(map(len, board.clues_by_region)) > 150:
            continue
        found = questions.what_rules_out_readings(board)
        assert found == naive_readings(board), board.to_text()
        total = {fate: total[fate] + n for fate, n in found.items()}
    assert all(total[fate] for fate in ("count", "connect", "answer")), total


def test_readings_of_bank_boards_sum_up():
    for size in (6, 8, 10):
        for board in bank.load("usowan", size, size, 30).boards:
            found = questions.what_rules_out_readings(board)
            assert found["answer"] == 1 and sum(found.values()) == prod(map(len, board.clues_by_region))


def from_scratch(board, answer):
    """What becomes of each true number added, with every board built anew and judged by SAT."""
    rows, cols = answer.shape
    fates = dict.fromkeys(questions.ADDED, 0)
    for r, c in product(range(rows), range(cols)):
        if board.clues[r, c] == NO_CLUE and not answer[r, c]:
            clues = board.clues.tolist()
            clues[r][c] = int(sum(answer[cell] for cell in oracle.beside(rows, cols, r, c)))
            fuller = Board(clues, board.regions.tolist())
            if len(usowan_sat.solutions(fuller, 2)) > 1:
                fates["second answer"] += 1
            else:
                fates["harmless" if climb(fuller, "connect").finished else "out of reach"] += 1
    return fates


def test_adding_true_numbers():
    total = dict.fromkeys(questions.ADDED, 0)
    for size, n in ((6, 40), (8, 30), (10, 20)):
        found = bank.load("usowan", size, size, n)
        for board, answer in zip(found.boards, found.answers, strict=True):
            fates = questions.adding_true_numbers(board, answer)
            assert fates == from_scratch(board, answer)
            cells = questions.fates_of_true_numbers(board, answer)
            assert all(board.clues[cell] == NO_CLUE and answer[cell] == 0 for cell in cells)
            assert len(cells) == sum(fates.values()) == ((board.clues == NO_CLUE) & (answer == 0)).sum()
            total = {fate: total[fate] + n for fate, n in fates.items()}
    assert min(total.values()) > 0


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("rows, cols", [(4, 4), (3, 5), (2, 3), (1, 5), (5, 1)])
def test_both_readings_against_every_answer(rows, cols, connected):
    space = oracle.shadings(rows, cols) if connected else list(oracle.independent_sets(rows, cols))
    beside = {cell: oracle.beside(rows, cols, *cell) for cell in product(range(rows), range(cols))}
    for row in questions.both_readings(rows, cols, connected=connected):
        cells = [cell for cell in beside if questions.KINDS.get(len(beside[cell]), "1 neighbours") == row["cell"]]
        counts = [
            (sum(shading[y * cols + x] for y, x in beside[cell]), shading[cell[0] * cols + cell[1]])
            for shading in space
            for cell in cells
        ]
        assert row["answers"] == len(counts)
        assert row["honest"] == sum(n == row["number"] for n, _ in counts)
        assert row["unshaded"] == sum(not shaded for _, shaded in counts)
        assert row["honest unshaded"] == sum(n == row["number"] and not shaded for n, shaded in counts)


def test_honest_answers_agree_with_the_enumeration():
    for connected in (True, False):
        counts = questions.shaded_neighbour_counts(4, 5, connected=connected)
        assert (counts.sum(axis=(2, 3)) == count(4, 5, connected=connected)).all()
        for r, c, value in product(range(4), range(5), range(5)):
            assert questions.honest_answers(4, 5, r, c, value, connected=connected) == counts[r, c, value, 0]


def test_a_number_that_equals_its_neighbours_is_never_honest():
    counts = questions.shaded_neighbour_counts(5, 5)
    degree = [[len(oracle.beside(5, 5, r, c)) for c in range(5)] for r in range(5)]
    assert not any(counts[r, c, degree[r][c], 0] for r, c in product(range(5), range(5)))


def test_lies_and_printings_counted_by_hand():
    board = Board([[2, NO_CLUE, 0], [NO_CLUE, 0, NO_CLUE]], [[0, 0, 1], [0, 1, 1]])
    answer = np.array([[0, 1, 0], [0, 0, 0]], np.uint8)
    assert questions.self_announcing(board, answer) == {"self-announcing": 1, "other": 2}
    assert questions.printed(board, answer) == {"numbers": 3, "regions": 2, "superimposed": 2}


@pytest.mark.parametrize("size", [6, 10])
def test_lies_and_printings_of_bank_boards(size):
    found = bank.load("usowan", size, size, 100)
    for board, answer in zip(found.boards, found.answers, strict=True):
        loud = other = 0
        for r, c in product(range(size), range(size)):
            around = oracle.beside(size, size, r, c)
            if board.clues[r, c] >= 0 and board.clues[r, c] != sum(answer[cell] for cell in around):
                loud, other = loud + (board.clues[r, c] == len(around)), other + (board.clues[r, c] != len(around))
        assert questions.self_announcing(board, answer) == {"self-announcing": loud, "other": other}
        sizes = [((board.regions == g) & (board.clues >= 0)).sum() for g in np.unique(board.regions)]
        assert questions.printed(board, answer) == {
            "numbers": sum(sizes),
            "regions": len(sizes),
            "superimposed": prod(map(int, sizes)),
        }
        assert loud + other == len(sizes)
