"""Nawabari solved: every answer of a board, or as many as are asked for.

A board is an exact cover by rectangles, see covers.py. That is by far the fastest way on boards as people make them,
but it learns nothing: where rectangles are many, or it takes more than EFFORT, a search that learns from its
contradictions begins anew, see deduce.py. It is compiled when the first such board is met.

No rung of the ladder is used, so the two check each other; with `top` the search climbs to that rung between guesses
instead, which measures how far a rung prunes, and branches on the clue with the fewest rectangles left. Where a reading
has rooms with several clues or none, rectangles are laid from the first cell not covered yet.
"""

from collections.abc import Iterable

import numpy as np

from ..machinery import learning, search
from ..machinery.kernels import inner, kernel
from . import covers, deduce, ladder, laying, rectangles
from .layout import layout
from .rules import ASKED, RULES, Board, Reading, named_reading

KEPT = search.KEPT
EFFORT = 1 << 18  # words of masks that an exact cover may look at for an answer, a millisecond or two
FOUND, SPENT, COMPLETE = range(3)  # rows of results
LEFT = -1  # found: a board for the search that learns
_FIRST = np.zeros(1, np.int64)


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
    reading : Reading or str    the rules, "dots", or a misreading by name
    budget : int                branch points to spend, past which `unique` is None: unknown; None is no limit
    work : int                  what may be looked at, in words of masks or variables, besides what reaching the answers
                                takes; None is no limit

    Returns
    -------
    search.Solution             answers (int32 room ids in reading order), unique, complete, branch_points

    Cost: about 10 microseconds to prove an 8 x 8 board unique, 20 at 10 x 10; less for each of many, see `solve_many`.
    """
    limit, budget = search.check_limits(limit, budget, board)
    rows, cols, clues = board.rows, board.cols, board.clues.ravel()
    work, reading = search.check_work(work), named_reading(reading)
    found = np.empty((limit, clues.size), np.int32)
    if reading.several or reading.none:
        if top is not None:
            raise ValueError("the ladder needs one clue in every room; this reading has rooms with several or none")
        count, spent, complete = _lay(rows, cols, clues, reading, limit, budget, work, found)
    elif top is None:
        results = np.empty((3, 1), np.int64)
        shapes = np.array([[rows, cols]], np.int64)
        counts = ladder.counted(reading)
        what = _FIRST, shapes, _FIRST, clues, counts, limit, budget, work, limit, results, found.ravel()
        _cover_many(rectangles.words_for(clues.size), *what)
        if results.item(FOUND) == LEFT:
            _learn_many(*what)
        count, spent, complete = results.item(FOUND), results.item(SPENT), results.item(COMPLETE)
    else:
        plan = layout(board, ladder.counted(reading))
        budget = _allowed(budget, work, plan.area.size + plan.inside.size + plan.border.size, limit * len(plan.first))
        count, spent = _climb_and_guess(plan, ladder.rungs_to(top) & ~(1 << ladder.PROBE), limit, budget, found)
        complete = spent <= budget
    return search.Solution(found[:count].reshape(count, rows, cols), bool(complete), spent, limit)


def solve_many(
    boards: Iterable[Board] | search.Batch | np.ndarray,
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
    reading : Reading or str    the rules, "dots", or a misreading by name

    Returns
    -------
    search.Solutions            counts, branch_points, complete, unique, unknown; [i] is the Solution of board i

    Cost: about 3 microseconds a unique board at 6 x 6, 6 at 8 x 8, 12 at 10 x 10.

    >>> boards = np.array([[[3, -1], [-1, 3]], [[3, 3], [-1, -1]], [[2, 2], [-1, -1]]])
    >>> found = solve_many(boards)
    >>> found.counts.tolist(), found[1].answers.tolist()
    ([2, 1, 0], [[[0, 1], [0, 1]]])
    """
    limit, budget = search.check_limits(limit, budget)
    work, reading = search.check_work(work), named_reading(reading)
    batch = search.pack(boards, "clues", least=ASKED)
    b = len(batch.shapes)
    counts, spent, complete = results = np.zeros((3, b), np.int64)
    keep = min(limit, KEPT)
    kept = np.empty(KEPT * int(batch.starts[-1]), np.int32)
    if reading.several or reading.none:
        for i, (rows, cols) in enumerate(batch.shapes.tolist()):
            begin, n = int(batch.starts[i]), rows * cols
            answers = kept[KEPT * begin : KEPT * begin + keep * n].reshape(keep, n)
            results[:, i] = _lay(rows, cols, batch.layers[0][begin : begin + n], reading, limit, budget, work, answers)
    else:
        how = ladder.counted(reading), limit, budget, work, keep
        what = batch.shapes, batch.starts, batch.layers[0], *how, results, kept
        words = -(-batch.shapes[:, 0] * batch.shapes[:, 1] // 64)
        for wide in np.unique(words):
            _cover_many(rectangles.words_for(64 * int(wide)), np.flatnonzero(words == wide), *what)
        left = np.flatnonzero(counts == LEFT)
        if len(left):
            _learn_many(left, *what)
    return search.Solutions(counts, spent, complete > 0, limit, batch.shapes, kept, batch.starts[:-1])


def _allowed(budget, work, step, more):
    """Branch points that a search may spend where each looks at so many words, and some more to reach its answers."""
    return min(budget, work // max(step, 1) + more)


def _lay(rows, cols, clues, reading, limit, budget, work, answers):
    """(found, branch points, whether that is all) where rooms may have several clues, or none."""
    fewest, most = 0 if reading.none else 1, clues.size if reading.several else 1
    budget = _allowed(budget, work, clues.size, limit * clues.size)
    found, spent = laying._lay(rows, cols, clues, ladder.counted(reading), fewest, most, limit, budget, answers)
    return found, spent, spent <= budget


@kernel
def _cover_many(words, which, shapes, starts, clues, counts, limit, budget, work, keep, results, kept):
    """Solve the boards of the indices `which`, all of as many words, as exact covers; fills their columns of `results`,
    int64 (3, b), and keeps `keep` answers of each, at KEPT or `limit` a board. `work` is for each.
    """
    stride = max(keep, KEPT)
    most = 0
    for i in which:
        most = max(most, shapes[i, 0] * shapes[i, 1])
    memory = covers._memory(words, most, most, rectangles.ROOM_FOR)
    learns = counts != rectangles.AREA
    effort = EFFORT if learns else work
    for i in which:
        rows, cols = shapes[i, 0], shapes[i, 1]
        n = rows * cols
        first = stride * starts[i]
        answers = kept[first : first + keep * n].reshape(keep, n)
        found, spent, done, memory = covers._solve_in(
            words, rows, cols, clues[starts[i] : starts[i] + n], counts, limit, budget, effort, memory, answers
        )
        results[FOUND, i] = LEFT if learns and not done else found
        results[SPENT, i] = spent
        results[COMPLETE, i] = done and spent <= budget


@kernel
def _learn_many(which, shapes, starts, clues, counts, limit, budget, work, keep, results, kept):
    """The same by the search that learns, which goes on spending."""
    stride = max(keep, KEPT)
    for i in which:
        rows, cols = shapes[i, 0], shapes[i, 1]
        n = rows * cols
        first = stride * starts[i]
        rules = deduce.begin(rows, cols, clues[starts[i] : starts[i] + n], counts)
        arms = rules.wide.shape[1]
        into = np.empty((keep, arms), np.uint8)
        t = deduce.trail(rules)
        t.at[learning.MOST] = work + limit * arms * rules.of.shape[1]
        left = budget - results[SPENT, i]
        found, spent = deduce.search(rules, t, limit, left, into)
        results[FOUND, i] = found
        results[SPENT, i] += max(spent, ~spent)
        results[COMPLETE, i] = 0 <= spent <= left
        for j in range(min(keep, found)):
            deduce.rooms(cols, rules, into[j], kept[first + j * n : first + (j + 1) * n])


@inner
def _next_guess(depth, first, order, size, saved, guess, k):
    """Give up the candidate guessed last and guess the clue's next one. Returns the depth, 0 when nothing is left to
    guess.
    """
    while depth > 0:
        clue = guess[depth - 1, 0]
        for i in range(k):
            size[i] = saved[depth - 1, i]
        last = first[clue] + size[clue] - 1
        ladder._swap(order, ladder._place(order, first[clue], guess[depth - 1, 1]), last)
        saved[depth - 1, clue] -= 1
        if saved[depth - 1, clue] > 0:
            size[clue] = 1
            guess[depth - 1, 1] = order[first[clue]]
            return depth
        depth -= 1
    return 0


@inner
def _rooms(board, order, answer):
    """Room ids in reading order, from the candidate that every clue lists first."""
    for i in range(board.first.shape[0] - 1):
        for cell in range(answer.shape[0]):
            if board.area[order[board.first[i]], cell >> 6] >> np.uint64(cell & 63) & np.uint64(1) != np.uint64(0):
                answer[cell] = -1 - i
    covers._number(answer)


@kernel
def _climb_and_guess(board, rungs, limit, budget, answers):
    """Complete search, climbing by the rungs in a bit set (below probe) between guesses; fills `answers`, int32 (limit,
    n).

    Returns (found, branch points). A clue with one rectangle left is no branch point. Below the room rung nobody reads
    that back, so the search lays it.
    """
    work = ladder._work(board)
    order, size = work.order, work.size
    k = size.shape[0]
    saved = np.empty((k + 1, k), np.int32)
    guess = np.empty((k + 1, 2), np.int32)
    marks = np.empty(k + 1, np.int64)
    laid = np.zeros(k, np.uint8)
    found = 0
    branch_points = 0
    depth = 0
    mark = 0
    fine = True
    while True:
        fine = fine and ladder._propagate(board, work, rungs, mark, -1) and ladder._filter(board, work)
        if fine:
            pick = -1
            for i in range(k):
                if (size[i] > 1 or (not rungs >> ladder.ROOM & 1 and laid[i] == 0)) and (
                    pick < 0 or size[i] < size[pick]
                ):
                    pick = i
            if pick >= 0:
                branch_points += size[pick] > 1
                if branch_points > budget:
                    return found, branch_points
                for i in range(k):
                    saved[depth, i] = size[i]
                mark = work.tail[0]
                marks[depth] = mark
                guess[depth, 0] = pick
                guess[depth, 1] = order[board.first[pick]]
                laid[pick] = 1
                depth += 1
                fine = ladder._assume(board, work, pick, guess[depth - 1, 1], ladder.ROOM)
                continue
            if ladder._room(board, work, ladder.ROOM) > 0:
                _rooms(board, order, answers[found])
                found += 1
                if found == limit:
                    return found, branch_points
        before = depth
        depth = _next_guess(depth, board.first, order, size, saved, guess, k)
        for i in range(depth, before):
            laid[guess[i, 0]] = 0
        if depth == 0:
            return found, branch_points
        mark = marks[depth - 1]
        ladder._undo(work, mark)
        fine = ladder._assume(board, work, guess[depth - 1, 0], guess[depth - 1, 1], ladder.ROOM)
