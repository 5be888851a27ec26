"""Usowan solved: every answer of a board, or as many as are asked for, by a search that learns from its contradictions.

Numbers, regions and touching cells are propagated as they stand, and rings of shaded cells as machinery/walls.py finds them.
Which number of a region is the wrong one is a variable like the shading of a cell. No rung of the ladder is used, so the two
check each other; with `top` the search climbs to that rung between guesses instead, which measures how far a rung prunes.
"""

import numpy as np

from ..machinery import learning, search, walls
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import kernel, lean
from . import ladder
from .layout import Clauses, _layout, clauses, layout
from .rules import RULES, named_reading

TOUCHES, NUMBER, REGION, RING = range(learning.OWN, learning.OWN + 4)  # reasons, besides those of learning
HONEST, WRONG = UNSHADED, SHADED  # values of a number's variable
FINE = -1


@lean
def _number(board, t, i):
    """What number i, its variable and the cells around it make of each other. Returns FINE, or i when they cannot be."""
    n = board.near.shape[0]
    cell = board.numbered[i]
    value = board.value[cell]
    low, high = ladder._bounds(board, t.state, cell)
    lie = n + 2 + i
    if t.state[lie] == UNKNOWN:
        if value < low or value > high:
            learning.settle(t, lie, WRONG, NUMBER, i)
        elif low == high:
            learning.settle(t, lie, HONEST, NUMBER, i)
        return FINE
    fill = UNKNOWN
    if t.state[lie] == HONEST:
        if value < low or value > high:
            return i
        if value == low:
            fill = UNSHADED
        elif value == high:
            fill = SHADED
    elif low == high:
        return i if low == value else FINE
    elif high - low == 1:
        if low == value:
            fill = SHADED
        elif high == value:
            fill = UNSHADED
    if fill != UNKNOWN and low < high:
        for j in range(4):
            if t.state[board.near[cell, j]] == UNKNOWN:
                learning.settle(t, board.near[cell, j], fill, NUMBER, i)
    return FINE


@lean
def _number_causes(board, t, i, settled, before):
    """Variables that settle one of number i's, or contradict each other (`settled` is FINE). Returns how many."""
    n = board.near.shape[0]
    cell = board.numbered[i]
    lie = n + 2 + i
    size = 0
    shaded = 0
    for j in range(4):
        there = board.near[cell, j]
        shaded += there < n and t.state[there] == SHADED and t.place[there] < before
    role = UNKNOWN  # which cells are to blame: SHADED, UNSHADED, or all of them
    if settled == lie:
        if t.state[lie] == WRONG:
            role = SHADED if shaded > board.value[cell] else UNSHADED
    else:
        t.causes[0] = lie
        size = 1
        if t.state[lie] == HONEST:
            if settled < 0:
                role = SHADED if shaded > board.value[cell] else UNSHADED
            else:
                role = search.OTHER - t.state[settled]
    for j in range(4):
        there = board.near[cell, j]
        if there < n and there != settled and t.state[there] != UNKNOWN and t.place[there] < before:
            if role == UNKNOWN or t.state[there] == role:
                t.causes[size] = there
                size += 1
    return size


@lean
def _region(board, clauses, t, region):
    """How many numbers of a region can be wrong. Returns FINE, or the region when it cannot be."""
    n = board.near.shape[0]
    wrong = unknown = 0
    for i in range(board.first[region], board.first[region + 1]):
        wrong += t.state[n + 2 + i] == WRONG
        unknown += t.state[n + 2 + i] == UNKNOWN
    if wrong > clauses.most or wrong + unknown < clauses.fewest:
        return region
    if unknown and (wrong == clauses.most or wrong + unknown == clauses.fewest):
        value = HONEST if wrong == clauses.most else WRONG
        for i in range(board.first[region], board.first[region + 1]):
            if t.state[n + 2 + i] == UNKNOWN:
                learning.settle(t, n + 2 + i, value, REGION, region)
    return FINE


@lean
def _region_causes(board, clauses, t, region, settled, before):
    n = board.near.shape[0]
    if settled >= 0:
        role = search.OTHER - t.state[settled]
    else:
        wrong = 0
        for i in range(board.first[region], board.first[region + 1]):
            wrong += t.state[n + 2 + i] == WRONG
        role = WRONG if wrong > clauses.most else HONEST
    size = 0
    for i in range(board.first[region], board.first[region + 1]):
        if t.state[n + 2 + i] == role and t.place[n + 2 + i] < before:
            t.causes[size] = n + 2 + i
            size += 1
    return size


@lean
def _wall(board, t, w, cell):
    """A shaded cell joins the walls; what meets one wall twice is unshaded. Returns False when the cell closes a ring."""
    n = board.near.shape[0]
    walls.plant(w, cell)
    for i in range(5):
        other = w.wall[w.corners[cell, i]]
        if other < 0:
            continue
        mine = w.wall[cell]
        if mine == other:
            return False
        if w.size[mine] > w.size[other]:
            mine, other = other, mine
        walls.merge(w, mine, other)
        here = w.after[other]
        for _ in range(w.size[mine]):
            for j in range(4):
                there = w.corners[here, j]
                if there < n and t.state[there] == UNKNOWN and walls.meets_itself(w, there):
                    learning.settle(t, there, UNSHADED, RING, there)
            here = w.after[here]
    return True


@lean
def _propagate(board, clauses, number_at, t, w):
    """Follow the trail to its end. Returns (reason, what it is about) of a contradiction, or (FINE, FINE)."""
    n = board.near.shape[0]
    while t.at[learning.HEAD] < t.at[learning.TAIL]:
        here = t.order[t.at[learning.HEAD]]
        t.at[learning.HEAD] += 1
        if here < n:
            if t.state[here] == SHADED:
                for j in range(4):
                    there = board.near[here, j]
                    if t.state[there] == SHADED:
                        t.causes[0] = here
                        t.causes[1] = there
                        return TOUCHES, here
                    if t.state[there] == UNKNOWN:
                        learning.settle(t, there, UNSHADED, TOUCHES, here)
            for j in range(4):
                i = number_at[board.near[here, j]]
                if i >= 0 and _number(board, t, i) >= 0:
                    return NUMBER, i
            if t.state[here] == SHADED and clauses.connected and not _wall(board, t, w, here):
                return RING, np.int64(here)
        else:
            i = here - n - 2
            if _number(board, t, i) >= 0:
                return NUMBER, np.int64(i)
            region = np.int64(board.region_of[board.numbered[i]])
            if _region(board, clauses, t, region) >= 0:
                return REGION, region
        broken = learning.follow(t, here)
        if broken >= 0:
            return learning.LEARNED, broken
    return FINE, FINE


@lean
def _causes(board, clauses, t, w, why, by, settled):
    """Variables that settled one, or (`settled` FINE) contradict each other, into t.causes. Returns how many."""
    before = t.at[learning.TAIL] if settled < 0 else np.int64(t.place[settled])
    if why == learning.LEARNED:
        return learning.literals_of(t, by, settled)
    if why == NUMBER:
        return _number_causes(board, t, by, settled, before)
    if why == REGION:
        return _region_causes(board, clauses, t, by, settled, before)
    if why == RING:
        if settled >= 0:
            return walls.ring(w, by, t.state, t.place, before, t.causes)
        size = walls.ring(w, by, t.state, t.place, np.int64(t.place[by]), t.causes)
        t.causes[size] = by
        return size + 1
    if settled < 0:
        return 2  # TOUCHES; _propagate has named the two
    t.causes[0] = by
    return 1


@lean
def _back_to(t, w, level):
    """Take back everything above a level."""
    if t.at[learning.LEVEL] > level:
        stop = t.begins[level + 1]
        while t.at[learning.TAIL] > stop:
            cell = learning.pop(t)
            if cell < w.corners.shape[0] and w.wall[cell] >= 0:
                walls.uproot(w, cell)
        t.at[learning.HEAD] = stop
        t.at[learning.LEVEL] = level


@lean
def _begin(board, clauses, number_at, t, w):
    """Settle what the board says outright. Returns False when that is a contradiction already."""
    n = board.near.shape[0]
    t.state[n] = t.state[n + 1] = UNSHADED
    for cell in range(n + 1):
        number_at[cell] = -1
    for i in range(board.numbered.shape[0]):
        number_at[board.numbered[i]] = i
        t.phase[n + 2 + i] = HONEST
    for i in range(board.unshaded.shape[0]):
        learning.settle(t, board.unshaded[i], UNSHADED, learning.GUESSED, FINE)
    if clauses.connected and board.near[0, 1] == n:  # a single row or column, which an inner cell would split
        for cell in range(n):
            if t.state[cell] == UNKNOWN and (n == 1 or board.near[cell, 1] < n):
                learning.settle(t, cell, UNSHADED, learning.GUESSED, FINE)
    for region in range(board.first.shape[0] - 1):
        if board.liar[region] >= 0:
            for i in range(board.first[region], board.first[region + 1]):
                value = WRONG if board.numbered[i] == board.liar[region] else HONEST
                learning.settle(t, n + 2 + i, value, learning.GUESSED, FINE)
        if _region(board, clauses, t, region) >= 0:
            return False
    for i in range(board.numbered.shape[0]):
        if _number(board, t, i) >= 0:
            return False
    return True


@kernel
def _solve(board, clauses, rows, cols, limit, budget, answers):
    """All answers up to a limit; the first ones are written to `answers`, uint8 (few, n).

    Returns (answers found, branch points); branch points are above the budget if it ran out.
    """
    n = rows * cols
    variables = n + 2 + board.numbered.shape[0]
    t = learning.trail(variables)
    w = walls.walls(rows, cols)
    number_at = np.empty(n + 1, np.int32)
    found = branch_points = 0
    if not _begin(board, clauses, number_at, t, w):
        return found, branch_points
    while True:
        why, by = _propagate(board, clauses, number_at, t, w)
        level = t.at[learning.LEVEL]
        if why != FINE and level > t.at[learning.FLOOR]:
            learning.begin(t)
            learning.blame(t, _causes(board, clauses, t, w, why, by, FINE))
            while True:
                here = learning.suspect(t)
                if t.at[learning.COUNTED] == 0:
                    break
                learning.blame(t, _causes(board, clauses, t, w, t.why[here], np.int64(t.by[here]), np.int64(here)))
            _back_to(t, w, learning.back_to(t))
            learning.learn(t)
            continue
        if why == FINE and t.at[learning.TAIL] < variables - 2:
            branch_points += 1
            if branch_points > budget:
                return found, branch_points
            learning.guess(t, learning.heaviest(t, 0, variables))
            continue
        if why == FINE:
            if found < answers.shape[0]:
                for cell in range(n):
                    answers[found, cell] = t.state[cell] == SHADED
            found += 1
            if found == limit:
                return found, branch_points
        if level == 0:
            return found, branch_points
        value = t.state[t.order[t.begins[level]]]
        _back_to(t, w, level - 1)
        learning.turn(t, value)


def solve(board, limit=2, *, top=None, reading=RULES, budget=None):
    """Answers of a board by complete search, up to a limit.

    Parameters
    ----------
    board : Board
    limit : int                 stop after this many answers; 2 is enough to prove one unique
    top : str                   climb to this rung between guesses, and learn nothing; None lets the search use what is fastest
    reading : Reading or str    the rules, or a misreading by name
    budget : int                branch points to spend; None is no limit

    Returns
    -------
    search.Solution             answers, unique, complete, branch_points

    Cost: about 25 microseconds to prove a 10 x 10 board unique, half of them before the search begins; see `solve_many`.
    """
    limit, budget = search.check_limits(limit, budget)
    if limit * board.rows * board.cols > search.LARGEST_LIST:
        raise ValueError(f"{limit} answers of {board.rows} x {board.cols} do not fit in a list; count_answers counts them")
    reading = named_reading(reading)
    found = np.empty((limit, board.rows * board.cols), np.uint8)
    terms = clauses(board, reading)
    if top is None:
        whole = reading.scope == "board"
        count, branch_points = _solve_board(
            board.rows, board.cols, board.clues.ravel(), board.regions.ravel(), whole, terms, limit, budget, found
        )
    else:
        rungs = ladder.rungs_to(top) & ~(1 << ladder.PROBE)
        count, branch_points = _climb_and_guess(layout(board, reading.scope), terms, rungs, budget, found)
    answers = found[:count].reshape(count, board.rows, board.cols)
    return search.Solution(answers, branch_points <= budget, branch_points, limit)


def solve_many(boards, limit=2, budget=None, *, reading=RULES):
    """Many boards solved at once, by one call of the compiled search; like `solve` for each of them, but only counting after two.

    Parameters
    ----------
    boards : iterable of Board, or a Batch from `pack`
    limit : int                 stop at this many answers of a board
    budget : int                branch points to spend on a board; None is no limit
    reading : Reading or str    the rules, or a misreading by name

    Returns
    -------
    search.Solutions            counts, unique, unknown, complete, branch_points, and the first answers of every board

    Cost: about 15 microseconds for a 10 x 10 board with one answer.

    >>> from puzzlekit import bank
    >>> found = solve_many(bank.load("usowan", 6, 6, 100).boards)
    >>> len(found), int(found.unique.sum()), found[0].answers.shape
    (100, 100, (1, 6, 6))
    """
    limit, budget = search.check_limits(limit, budget)
    reading = named_reading(reading)
    batch = pack(boards)
    b, one_line = len(batch.shapes), (batch.shapes == 1).any(axis=1)
    connected = one_line | (reading.touching == "side") if reading.touching != "nothing" else np.zeros(b, bool)
    counts, branch_points = np.empty(b, np.int64), np.empty(b, np.int64)
    kept = np.empty(search.KEPT * batch.starts[-1], np.uint8)
    _solve_many(
        batch.shapes, batch.starts, *batch.layers, reading.scope == "board", reading.fewest, reading.most, connected, limit,
        budget, counts, branch_points, kept,
    )  # fmt: skip
    return search.Solutions(counts, branch_points, branch_points <= budget, limit, batch.shapes, kept, batch.starts[:-1])


def pack(boards):
    """Boards packed for `solve_many`, once for several calls; a Batch is returned as it is."""
    return search.pack(boards, "clues", "regions")


@kernel
def _solve_board(rows, cols, clues, regions, whole, terms, limit, budget, answers):
    return _solve(_layout(rows, cols, clues, regions, whole), terms, rows, cols, limit, budget, answers)


@kernel
def _solve_many(
    shapes, starts, clues, regions, whole, fewest, most, connected, limit, budget, counts, branch_points, kept
):
    for i in range(shapes.shape[0]):
        start, stop = starts[i], starts[i + 1]
        room = kept[search.KEPT * start : search.KEPT * stop].reshape((search.KEPT, stop - start))
        counts[i], branch_points[i] = _solve_board(
            shapes[i, 0], shapes[i, 1], clues[start:stop], regions[start:stop], whole,
            Clauses(fewest, most, connected[i]), limit, budget, room,
        )  # fmt: skip


@kernel
def _climb_and_guess(board, clauses, rungs, budget, answers):
    """Complete search with some rungs. Fills `answers`, uint8 (limit, n); returns (found, branch points), as `_solve` does."""
    n = board.near.shape[0]
    state = np.empty(n + 1, np.uint8)
    trail = np.empty(n, np.int32)
    rung_of = np.empty(n, np.uint8)
    marks = np.empty(n, np.int32)
    work = ladder._work(board)
    found = branch_points = depth = head = 0
    tail = ladder._start(board, state, trail)
    while True:
        tail = ladder._propagate(board, clauses, rungs, state, trail, head, tail, ladder.CELL, rung_of, work)
        if tail >= 0 and tail < n:
            branch_points += 1
            if branch_points > budget:
                return found, branch_points
            pick = 0
            while state[pick] != UNKNOWN:
                pick += 1
            head = tail
            tail = search.branch(state, trail, tail, marks, depth, pick, SHADED)
            depth += 1
            continue
        if tail < 0:
            ladder._forget(work)
        elif ladder._holds(board, clauses, state, trail, work):
            for cell in range(n):
                answers[found, cell] = state[cell] == SHADED
            found += 1
            if found == answers.shape[0]:
                return found, branch_points
        tail = search.retreat(state, trail, marks, depth)
        if tail == search.EXHAUSTED:
            return found, branch_points
        depth -= 1
        head = tail - 1
