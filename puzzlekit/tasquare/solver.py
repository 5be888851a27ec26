"""Tasquare solved: every answer of a board, or as many as are asked for.

The search climbs some rungs of the ladder between guesses. Left to itself it takes the fastest ones and guesses beside
the clue that has fewest squares left to choose from; after PATIENCE branch points, or more where many answers are asked
for, it begins anew, and then learns from contradictions.
"""

from collections.abc import Iterable

import numpy as np

from ..machinery import learning, search
from ..machinery.kernels import kernel
from . import deduce, guessing, ladder
from .layout import Clauses, clauses, read
from .rules import ASKED, RULES, Board, Reading, named_reading

PATIENCE = 32
AN_ANSWER = 8  # guesses for every answer asked for, if that is more: listing many takes many, learned or not


def solve(
    board: Board,
    limit: int = 2,
    *,
    top: str | tuple[str, ...] | None = None,
    reading: Reading | str = RULES,
    budget: int | None = None,
    work: int | None = search.WORK,
) -> search.Solution:
    """Answers of a board by complete search, up to a limit.

    Parameters
    ----------
    board : Board
    limit : int                 stop after this many answers; 2 is enough to prove one unique
    top : str                   climb only to this rung between guesses; None lets the search use what is fastest
    reading : Reading or str    the rules, or another reading by name
    budget : int                branch points to spend; None is no limit
    work : int                  what may be looked at: all cells and squares for each guess, and those that are taken
                                back; None is no limit

    Returns
    -------
    search.Solution             answers, unique, complete, branch_points

    Cost: about 0.1 ms to prove a 10 x 10 board unique.
    """
    limit, budget = search.check_limits(limit, budget, board)
    work, reading = search.check_work(work), named_reading(reading)
    rows, cols, clues = board.rows, board.cols, read(board.clues, reading)
    if top is None:
        shapes = np.array([[rows, cols]], np.int64)
        terms = clauses(reading, eager=True)
        counts, spends, ended, kept = _searched(shapes, _ONE, clues, terms, limit, budget, work, limit)
        count, spent, complete = int(counts[0]), int(spends[0]), bool(ended[0])
    else:
        rungs = ladder.rungs_to(top) & deduce.BELOW
        kept = np.empty((limit, rows * cols), np.uint8)
        count, spent = search_by_rungs(
            rows, cols, clues, clauses(reading), rungs, guessing.BESIDE, limit, budget, work, kept
        )
        complete, spent = 0 <= spent <= budget, max(spent, ~spent)
    answers = kept.ravel()[: count * rows * cols].reshape(count, rows, cols)
    return search.Solution(answers, complete, spent, limit)


def solve_many(
    boards: search.Batch | np.ndarray | Iterable[Board],
    limit: int = 2,
    budget: int | None = None,
    *,
    reading: Reading | str = RULES,
    work: int | None = search.WORK,
) -> search.Solutions:
    """Answers of many boards by complete search, up to a limit for each, without the cost of a call for each.

    Parameters
    ----------
    boards : iterable of Board, search.Batch, or int (b, rows, cols)
    limit : int                 stop after this many answers of a board; 2 is enough to tell unique boards
    budget : int                branch points to spend on a board; None is no limit
    work : int                  what may be looked at on a board; see `solve`
    reading : Reading or str    the rules, or another reading by name

    Returns
    -------
    search.Solutions            counts, branch_points, complete, unique, unknown; [i] is the Solution of board i

    Cost: about 0.03 ms a unique board at 6 x 6, 0.06 ms at 8 x 8, 0.1 ms at 10 x 10.

    >>> found = solve_many(np.array([[[1, -1], [-1, -1]], [[-1, 4], [-1, -1]]]))
    >>> found.counts.tolist(), found[0].answers[0].tolist()
    ([2, 0], [[0, 1], [0, 0]])
    """
    limit, budget = search.check_limits(limit, budget)
    work, reading = search.check_work(work), named_reading(reading)
    batch = search.pack(boards, "clues", least=ASKED)
    clues, terms = read(batch.layers[0], reading), clauses(reading, eager=True)
    counts, spent, complete, kept = _searched(
        batch.shapes, batch.starts, clues, terms, limit, budget, work, min(limit, search.KEPT)
    )
    return search.Solutions(counts, spent, complete, limit, batch.shapes, kept, batch.starts[:-1])


_ONE = np.zeros(1, np.int64)  # where the cells of the only board begin


def _searched(shapes, starts, clues, terms, limit, budget, work, keep):
    """(answers found, branch points, whether the search came to its end) of every board, and `keep` answers of each,
    max(keep, KEPT) boards apart. What learns is compiled when the first board asks for it.
    """
    found, spent = np.empty((2, len(shapes)), np.int64)
    kept = np.empty(max(keep, search.KEPT) * len(clues), np.uint8)
    patience = max(PATIENCE, AN_ANSWER * limit)
    _solve_many(shapes, starts, clues, terms, limit, min(budget, patience), work, keep, found, spent, kept)
    hard = np.flatnonzero(spent > patience)
    if budget > patience and len(hard):
        _learn_many(hard, shapes, starts, clues, terms, limit, budget - patience, work, keep, found, spent, kept)
        spent[hard] += np.where(spent[hard] >= 0, patience, -patience)
    complete = search.ended(spent, budget)
    return found, spent, complete, kept


@kernel
def _solve_many(shapes, starts, clues, clauses, limit, budget, work, keep, found, spent, kept):
    """Solve boards without learning."""
    for i in range(shapes.shape[0]):
        rows, cols = shapes[i, 0], shapes[i, 1]
        first, n = max(keep, search.KEPT) * starts[i], rows * cols
        answers = kept[first : first + keep * n].reshape(keep, n)
        rules = deduce.begin(rows, cols, clues[starts[i] : starts[i] + n], clauses, guessing.TIGHTEST)
        t = deduce.trail(rules, deduce.JUDGES, False)
        t.at[learning.MOST] = work
        found[i], spent[i] = guessing.search_tightest(rules, t, limit, budget, answers)


@kernel
def _learn_many(hard, shapes, starts, clues, clauses, limit, budget, work, keep, found, spent, kept):
    """Solve the boards `hard`, whose search has spent its patience, from the beginning."""
    for i in hard:
        rows, cols = shapes[i, 0], shapes[i, 1]
        first, n = max(keep, search.KEPT) * starts[i], rows * cols
        answers = kept[first : first + keep * n].reshape(keep, n)
        rules = deduce.begin(rows, cols, clues[starts[i] : starts[i] + n], clauses, guessing.TIGHTEST)
        t = deduce.trail(rules, deduce.JUDGES | deduce.LEARNS, True)
        t.at[learning.MOST] = work
        found[i], spent[i] = guessing.search(rules, t, limit, budget, answers)


@kernel
def search_by_rungs(
    rows: int,
    cols: int,
    clues: np.ndarray,
    clauses: Clauses,
    rungs: int,
    order: int,
    limit: int,
    budget: int,
    work: int,
    answers: np.ndarray,
) -> tuple[int, int]:
    """Search that climbs some rungs between guesses and learns nothing. Fills `answers`, uint8 (few, n), as far as it
    has rows. Returns (found, branch points), branch points above the budget or below 0 if that or the work ran out.
    """
    rules = deduce.begin(rows, cols, clues, clauses, order)
    t = deduce.trail(rules, rungs, False)
    t.at[learning.MOST] = work
    return guessing.search_in_order(rules, t, limit, budget, answers)
