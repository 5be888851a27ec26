"""Nawabari boards as exact covers: one candidate for each clue, together every cell once. The complete search for them.

What all candidates of a clue share belongs to it, so nobody else's candidate may hold it; a cell that only one clue
reaches belongs to that clue. Where neither helps the search branches: does this clue's room hold this cell? After
PATIENCE branch points it first tries both answers for every cell that two clues can share out, and keeps what does not
fail. Candidates that are out are moved behind the others of their clue, and a trail of clues says in which order, so
going back costs as much as going on.

Nothing is learned, so some boards would take for ever: the search gives up where an answer takes more than some effort.

Not here: which candidates a clue has (rectangles.py), the search that learns (deduce.py), named deductions, walls.
"""

from typing import NamedTuple

import numpy as np

from ..machinery.kernels import inner, lean
from . import rectangles

PATIENCE = 8  # branch points after which the search probes before it guesses again
FULL, NEEDED, TWICE, THRICE = range(4)
OUT, WORK = range(2)
NODES = 8  # an effort that is not enough to look so often at all candidates is not begun


class Cover(NamedTuple):
    """Memory of a search for n cells, k clues and m candidates at most; a mask has w words of 64 cells."""

    before: np.ndarray  # int32 (n,): scratch of rectangles._candidates
    after: np.ndarray  # int32 (n,)
    left_of: np.ndarray  # uint64 (w, n + 1)
    band: np.ndarray  # uint64 (w,)
    first: np.ndarray  # int32 (k + 1,): where each clue's candidates start
    masks: np.ndarray  # uint64 (w, m): candidates, those still possible first
    size: np.ndarray  # int32 (k,): how many are still possible
    need: np.ndarray  # uint64 (w, k): cells in all candidates of a clue
    reach: np.ndarray  # uint64 (w, k): cells in some candidate
    sums: np.ndarray  # uint64 (w, 4): all cells; cells that some clue needs; that two clues reach; that three do
    stale: np.ndarray  # uint8 (k,): need and reach have to be found again
    wrong: np.ndarray  # uint64 (m,): scratch of `_settle`
    trail: np.ndarray  # int32 (m,): the clue of every candidate that is out, in order
    tail: np.ndarray  # int64 (2,): how many are out; words of masks looked at since the last answer
    probes: np.ndarray  # int32 (n, 2): scratch of `_probe`: clue and cell
    guess: np.ndarray  # int32 (m, 3): clue, cell, and length of the trail at each guess


@inner
def _memory(words, cells, clues, candidates):
    """Cover for boards of at most so many cells, clues and candidates."""
    wide = len(words)
    return Cover(
        np.empty(cells, np.int32),
        np.empty(cells, np.int32),
        np.empty((wide, cells + 1), np.uint64),
        np.empty(wide, np.uint64),
        np.empty(clues + 1, np.int32),
        np.empty((wide, candidates), np.uint64),
        np.empty(clues, np.int32),
        np.empty((wide, clues), np.uint64),
        np.empty((wide, clues), np.uint64),
        np.empty((wide, 4), np.uint64),
        np.empty(clues, np.uint8),
        np.empty(candidates, np.uint64),
        np.empty(candidates, np.int32),
        np.empty(2, np.int64),
        np.empty((cells, 2), np.int32),
        np.empty((candidates, 3), np.int32),
    )


@lean
def _drop(words, work, i, j):
    """Candidate j of clue i is out."""
    work.size[i] -= 1
    last = work.first[i] + work.size[i]
    for w in range(len(words)):
        mask = work.masks[w, j]
        work.masks[w, j] = work.masks[w, last]
        work.masks[w, last] = mask
    work.stale[i] = 1
    work.trail[work.tail[0]] = i
    work.tail[0] += 1


@lean
def _undo(work, mark):
    """Candidates dropped since the trail was so long are possible again."""
    while work.tail[0] > mark:
        work.tail[0] -= 1
        i = work.trail[work.tail[0]]
        work.size[i] += 1
        work.stale[i] = 1


@lean
def _settle(words, k, work):
    """Drop candidates until nothing more follows. Returns False on a contradiction."""
    masks, first, size, need, reach, sums = work.masks, work.first, work.size, work.need, work.reach, work.sums
    wrong = work.wrong
    zero = np.uint64(0)
    wide = len(words)
    while True:
        work.tail[WORK] += wide * k
        for i in range(k):
            if work.stale[i]:
                if size[i] == 0:
                    return False
                work.stale[i] = 0
                work.tail[WORK] += wide * size[i]
                start = first[i]
                for w in range(wide):
                    shared = masks[w, start]
                    together = shared
                    for j in range(start + 1, start + size[i]):
                        shared &= masks[w, j]
                        together |= masks[w, j]
                    need[w, i] = shared
                    reach[w, i] = together
        for w in range(wide):
            once = twice = thrice = needed = clash = zero
            for i in range(k):
                clash |= needed & need[w, i]
                needed |= need[w, i]
                thrice |= twice & reach[w, i]
                twice |= once & reach[w, i]
                once |= reach[w, i]
            if clash != zero or once != sums[w, FULL]:
                return False
            sums[w, NEEDED] = needed
            sums[w, TWICE] = twice
            sums[w, THRICE] = thrice
        before = work.tail[0]
        for i in range(k):
            if size[i] == 1:
                continue
            found = False
            for w in range(wide):
                alien = sums[w, NEEDED] & ~need[w, i]
                own = reach[w, i] & ~sums[w, TWICE]
                if reach[w, i] & ~need[w, i] & (alien | own) == zero:
                    continue
                if not found:
                    found = True
                    for j in range(size[i]):
                        wrong[j] = zero
                for j in range(size[i]):
                    mask = masks[w, first[i] + j]
                    wrong[j] |= mask & alien | ~mask & own
            if not found:
                continue
            for j in range(size[i] - 1, -1, -1):
                if wrong[j] != zero:
                    _drop(words, work, i, first[i] + j)
            if size[i] == 0:
                return False
        if work.tail[0] == before:
            return True


@lean
def _answer(words, work, i, cell, yes):
    """Drop the candidates of a clue that hold a cell, or with `yes` those that do not."""
    w = cell >> 6
    j = work.first[i]
    while j < work.first[i] + work.size[i]:
        if (work.masks[w, j] >> np.uint64(cell & 63) & np.uint64(1) != np.uint64(0)) != yes:
            _drop(words, work, i, j)
        else:
            j += 1


@lean
def _pick(words, k, work):
    """The clue and the cell to branch on: -1 when every clue has one candidate.

    A cell that only two clues reach leaves most to follow, whatever the answer; of the clues the one with the fewest
    candidates.
    """
    pick = -1
    best = 0
    cell = -1
    for i in range(k):
        if work.size[i] == 1:
            continue
        for w in range(len(words)):
            loose = work.reach[w, i] & ~work.need[w, i]
            two = loose & ~work.sums[w, THRICE]
            score = work.size[i]
            if two == np.uint64(0):
                score += 1 << 20
            else:
                loose = two
            if loose != np.uint64(0) and (pick < 0 or score < best):
                pick = i
                best = score
                bit = 0
                while loose >> np.uint64(bit) & np.uint64(1) == np.uint64(0):
                    bit += 1
                cell = 64 * w + bit
    return pick, cell


@lean
def _probe(words, k, work):
    """Try both ways to share out each cell that two clues reach, and drop what fails; settle again after that."""
    listed = 0
    for w in range(len(words)):
        seen = np.uint64(0)
        for i in range(k):
            loose = work.reach[w, i] & ~work.need[w, i] & ~work.sums[w, THRICE] & ~seen
            seen |= loose
            cell = 64 * w
            while loose != np.uint64(0):
                if loose & np.uint64(1) != np.uint64(0):
                    work.probes[listed, 0] = i
                    work.probes[listed, 1] = cell
                    listed += 1
                loose >>= np.uint64(1)
                cell += 1
    x = 0
    learned = False  # something is out that may have consequences
    while x < 2 * listed:
        i, cell = work.probes[x >> 1, 0], work.probes[x >> 1, 1]
        mark = work.tail[0]
        if not learned:
            _answer(words, work, i, cell, x & 1 == 0)
            if work.tail[0] == mark:  # answered already
                x += 1
                continue
        fine = _settle(words, k, work)
        if learned:
            if not fine:
                return
            learned = False
            continue
        _undo(work, mark)
        if not fine:
            _answer(words, work, i, cell, x & 1 == 1)
            learned = True
        x += 1


@lean
def _rooms(k, work, answer):
    """Room ids in reading order, from the first candidate of each clue."""
    for i in range(k):
        for w in range(work.masks.shape[0]):
            rest = work.masks[w, work.first[i]]
            cell = 64 * w
            while rest != np.uint64(0):
                if rest & np.uint64(1) != np.uint64(0):
                    answer[cell] = -1 - i
                rest >>= np.uint64(1)
                cell += 1
    _number(answer)


@lean
def _number(answer):
    """Ids in reading order instead of others, below 0."""
    rooms = 0
    for cell in range(answer.shape[0]):
        name = answer[cell]
        if name < 0:
            for other in range(cell, answer.shape[0]):
                if answer[other] == name:
                    answer[other] = rooms
            rooms += 1


@lean
def _search(words, k, limit, budget, effort, work, answers):
    """Exact covers of the cells in sums[FULL], by the candidates in `masks`, `first` and `size`.

    effort : int     words of masks to look at for an answer, or for the proof that there is no further one

    Fills `answers`, int32 (limit, n), as far as it has rows. Returns (found, branch points, whether that was not too
    much effort); the branch points are more than the budget if it ran out.
    """
    found = 0
    branch_points = 0
    depth = 0
    probed = False
    work.tail[0] = 0
    work.tail[WORK] = 0
    for i in range(k):
        work.stale[i] = 1
    while True:
        if work.tail[WORK] > effort:
            return found, branch_points, False
        fine = _settle(words, k, work)
        pick = cell = -1
        if fine:
            pick, cell = _pick(words, k, work)
            if pick >= 0 and branch_points >= PATIENCE and not probed:
                probed = True
                _probe(words, k, work)
                continue
        probed = False
        if fine and pick >= 0:
            branch_points += 1
            if branch_points > budget:
                return found, branch_points, True
            work.guess[depth, 0] = pick
            work.guess[depth, 1] = cell
            work.guess[depth, 2] = work.tail[0]
            depth += 1
            _answer(words, work, pick, cell, True)
            continue
        if fine:
            if found < answers.shape[0]:
                _rooms(k, work, answers[found])
            found += 1
            work.tail[WORK] = 0
            if found == limit:
                return found, branch_points, True
        if depth == 0:
            return found, branch_points, True
        depth -= 1
        _undo(work, work.guess[depth, 2])
        _answer(words, work, work.guess[depth, 0], work.guess[depth, 1], False)


@lean
def _fill(words, cells, masks, j):
    """Make mask j all cells of a grid."""
    for w in range(len(words)):
        held = min(64, cells - 64 * w)
        masks[w, j] = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - held) if held > 0 else np.uint64(0)


@lean
def _solve(words, rows, cols, clues, counts, limit, budget, effort, work, answers):
    """Answers of a board, as `_search`; -m for found if the board has m candidates and there is memory for fewer."""
    most = effort // (NODES * len(words))
    k, m = rectangles._candidates(
        words, rows, cols, clues, counts, most, work.before, work.after, work.left_of, work.band, work.masks, work.first
    )
    if m > most:
        return 0, 0, False
    if m > work.masks.shape[1]:
        return -m, 0, False
    _fill(words, rows * cols, work.sums, FULL)
    for i in range(k):
        work.size[i] = work.first[i + 1] - work.first[i]
    return _search(words, k, limit, budget, effort, work, answers)


@inner
def _solve_in(words, rows, cols, clues, counts, limit, budget, effort, work, answers):
    """`_solve` with as much memory as it takes: (found, branch points, not too much effort, the memory
    used)."""
    while True:
        found, branch_points, done = _solve(words, rows, cols, clues, counts, limit, budget, effort, work, answers)
        if found >= 0:
            return found, branch_points, done, work
        work = _memory(words, work.before.shape[0], work.size.shape[0], -found)
