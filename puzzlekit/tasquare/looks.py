"""What a solver sees on a Tasquare board at one look: what the lowest rung with something to say settles.

The rungs are those of ladder.py, and so is where they end; there all that follows is settled together and nothing says
why. What was looked at without success is not looked at again until something near it changes.

Not here: premises (explain.py makes out what a find rests on, follows.py how little of that would do), and words.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..machinery import connectivity
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import inner, kernel, lean
from . import follows
from .deduce import CLUE, PRUNE, SHAPE, WHITE, combined
from .follows import CONNECTED, SQUARE, SUM, TOUCH, Known, Plan, _cell
from .rules import NO_CLUE

# What is found
NOTHING, HOMELESS, ONLY, UNCOVERED, ZERO, TOUCHED, SUMMED, GROWN, CUT = range(9)
OF_CLUES = ZERO, TOUCHED, SUMMED, GROWN
NOW = 1 << 30  # later than every event


STATE, WHEN, STALE = 0, 1, 2  # of each cell: as it was at the last look, events before it was settled,
RULING = 4  # and whether a clue has to be looked at again: STALE and 3 by layer, RULING for what it rules out
LOST, REASON = 0, 2  # of each square: by layer events before it was lost, NOW while it lives; the event that did it


class Memory(NamedTuple):
    """What a position remembers from look to look; n cells, q squares, sides up to m.

    Squares have two layers: those that the settled cells leave, and of these the ones that prune leaves. An event is
    that a clue rules squares out on one of its sides.
    """

    cell: np.ndarray  # int32 (5, n + 1): STATE, WHEN, STALE, STALE + 1, RULING
    square: np.ndarray  # int32 (3, q): LOST, LOST + 1, REASON
    # int16 (2, n + 1, m + 1): living squares over each cell by side; at 0 how many sides they have
    count: np.ndarray  # type: ignore[assignment]  # it hides a method that every tuple has
    event: np.ndarray  # int32 (q + 1, 2): the clue, and the cell there; in the last row how many there were


class Work(NamedTuple):
    """Scratch, and what is found."""

    found: np.ndarray  # int32 (4,): kind, layer, cell or clue, square
    settles: np.ndarray  # int32 (n,): cells
    values: np.ndarray  # uint8 (n,)
    size: np.ndarray  # int64 (1,): how many of them
    squares: np.ndarray  # int32 (q,)
    alone: Known  # one number
    able: np.ndarray  # uint8 (n + 1,): states that cells have been seen in, as bits
    listed: np.ndarray  # int32 (4, m + 2): see deduce.Rules, as are the next two
    marked: np.ndarray  # int64 (2, 4, m + 1)
    sums: np.ndarray  # int64 (2, 2 m^2 + 1)


@lru_cache(maxsize=64)
def memory(rows: int, cols: int) -> Memory:
    """The Memory of who has seen nothing yet; to be copied."""
    n, q, most = rows * cols, len(follows.plan(rows, cols).side), min(rows, cols)
    count = np.zeros((2, n + 1, most + 1), np.int16)
    for k in range(1, most + 1):
        across = [
            np.minimum(np.minimum(np.arange(size), size - k) + 1, np.minimum(k, size - np.arange(size)))
            for size in (rows, cols)
        ]  # how many stretches of k cells lie over each place of a line
        count[:, :n, k] = np.multiply.outer(*across).ravel()
    count[:, :, 0] = (count > 0).sum(axis=2)
    cell, square = np.zeros((5, n + 1), np.int32), np.full((3, q), NOW, np.int32)
    cell[STALE:] = 1
    return Memory(cell, square, count, np.zeros((q + 1, 2), np.int32))


@inner
def _work(plan):
    n, q, most = plan.near.shape[0], plan.side.shape[0], plan.first.shape[0] - 2
    return Work(
        np.zeros(4, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.uint8),
        np.zeros(1, np.int64),
        np.empty(q, np.int32),
        Known(np.empty(0, np.uint8), np.empty(n, np.int32), np.zeros(4, np.uint8)),
        np.empty(n + 1, np.uint8),
        np.empty((4, most + 2), np.int32),
        np.zeros((2, 4, most + 1), np.int64),
        np.zeros((2, 2 * most * most + 1), np.int64),
    )


# Squares


@lean
def _over(plan, cell, least, most, squares):
    """Lists the squares over a cell with sides from `least` to `most`. Returns how many."""
    rows, cols = plan.rows, plan.cols
    r, c = cell // cols, cell % cols
    size = 0
    for k in range(least, min(most, rows, cols) + 1):
        for top in range(max(r - k + 1, 0), min(r, rows - k) + 1):
            for left in range(max(c - k + 1, 0), min(c, cols - k) + 1):
                squares[size] = plan.first[k] + top * (cols - k + 1) + left
                size += 1
    return size


@lean
def _inside(plan, square, cell):
    """Whether a square covers a cell."""
    k = plan.side[square]
    r = cell // plan.cols - plan.corner[square] // plan.cols
    c = cell % plan.cols - plan.corner[square] % plan.cols
    return 0 <= r < k and 0 <= c < k


@lean
def _lose(plan, memory, layer, square):
    """A square is no longer possible."""
    k = plan.side[square]
    memory.square[LOST + layer, square] = memory.event[-1, 0]
    for i in range(k * k):
        cell = _cell(plan, square, i)
        memory.count[layer, cell, k] -= 1
        if memory.count[layer, cell, k] == 0:
            memory.count[layer, cell, 0] -= 1
            for j in range(4):
                memory.cell[STALE + layer, plan.near[cell, j]] = 1
                memory.cell[RULING, plan.near[cell, j]] = 1


@lean
def _refresh(plan, known, memory, work):
    """Takes in what has been settled since the last look."""
    n, near, most = plan.near.shape[0], plan.near, plan.first.shape[0] - 2
    for cell in range(n):
        if known.state[cell] == memory.cell[STATE, cell]:
            continue
        memory.cell[STATE, cell] = known.state[cell]
        memory.cell[WHEN, cell] = memory.event[-1, 0]
        for layer in range(3):
            memory.cell[STALE + layer, cell] = 1
            for j in range(4):
                memory.cell[STALE + layer, near[cell, j]] = 1
        if not known.rules[SQUARE]:  # blocks of any shape, no larger than a number beside them, can come from afar
            for clue in range(n):
                far = abs(clue // plan.cols - cell // plan.cols) + abs(clue % plan.cols - cell % plan.cols)
                memory.cell[STALE, clue] |= known.value[clue] >= far - 1
            continue
        for j in range(4 if known.state[cell] == SHADED else 1):
            over = cell if known.state[cell] == UNSHADED else near[cell, j]
            if over == n or memory.count[0, over, 0] == 0:
                continue
            for i in range(_over(plan, over, 1, most, work.squares)):
                square = work.squares[i]
                if over == cell or not _inside(plan, square, cell):
                    for layer in range(2):
                        if memory.square[LOST + layer, square] == NOW:
                            _lose(plan, memory, layer, square)


# Finds


@lean
def _find(work, kind, layer, cell, square):
    work.found[0] = kind
    work.found[1] = layer
    work.found[2] = cell
    work.found[3] = square
    return True


@lean
def _settle(work, cell, value):
    work.settles[work.size[0]] = cell
    work.values[work.size[0]] = value
    work.size[0] += 1


@lean
def _shape(plan, known, memory, layer, work):
    """The shape rung with the squares of a layer."""
    n, state = plan.near.shape[0], known.state
    bare = alone = at = -1
    for cell in range(n):
        count = memory.count[layer, cell, 0]
        if state[cell] == SHADED and count == 0:
            return _find(work, HOMELESS, layer, cell, -1)
        if state[cell] == UNKNOWN and count == 0 and bare < 0:
            bare = cell
        if state[cell] != SHADED or count != 1:
            continue
        k = 1
        while memory.count[layer, cell, k] == 0:
            k += 1
        if memory.count[layer, cell, k] > 1:
            continue
        i = _over(plan, cell, k, k, work.squares) - 1
        while memory.square[LOST + layer, work.squares[i]] != NOW:
            i -= 1
        square = work.squares[i]
        for i in range(k * k + 4 * k if alone < 0 or square < alone else 0):
            there = _cell(plan, square, i)
            if there >= 0 and state[there] == UNKNOWN:
                alone = square
                at = cell
    if alone >= 0:
        k = plan.side[alone]
        for i in range(k * k + 4 * k):
            there = _cell(plan, alone, i)
            if there >= 0 and state[there] == UNKNOWN:
                _settle(work, there, SHADED if i < k * k else UNSHADED)
        return _find(work, ONLY, layer, at, alone)
    if bare >= 0:
        _settle(work, bare, UNSHADED)
        return _find(work, UNCOVERED, layer, bare, -1)
    return False


@lean
def _touch(plan, known, clue, work):
    """A clue has shading beside it."""
    may = 0
    one = -1
    for j in range(4):
        there = plan.near[clue, j]
        if known.state[there] != UNSHADED:
            may += 1
            one = there
    value = known.value[clue]
    if value == 0 and known.rules[SUM] and known.rules[TOUCH] and known.state[clue] == UNSHADED:
        return _find(work, ZERO, 0, clue, -1)
    if not known.rules[TOUCH] and not (known.rules[SUM] and value > 0):
        return False
    if may > 1 or (may == 1 and known.state[one] == SHADED):
        return False
    if may == 1:
        _settle(work, one, SHADED)
    return _find(work, TOUCHED, 0, clue, -1)


@lean
def _sides(plan, known, memory, layer, clue, work):
    """How a number can be made up, as marks: see ladder._combined. Returns its bits."""
    most = work.marked.shape[2] - 1
    work.sums[0, 0] += 1
    for j in range(4):
        there = plan.near[clue, j]
        size = 0
        for k in range(most + 1):
            able = k == 0 or memory.count[layer, there, k] > 0
            if able and known.state[there] != (SHADED if k == 0 else UNSHADED):
                work.listed[j, size] = k
                size += 1
        work.listed[j, most + 1] = size
    return combined(known.value[clue], work.listed, work.marked, work.sums)


@lean
def _sum(plan, known, memory, layer, clue, work):
    """A number is the sum of what its sides add."""
    ways = _sides(plan, known, memory, layer, clue, work)
    for j in range(4):
        there = plan.near[clue, j]
        nothing, something = ways >> j & 1, ways >> (4 + j) & 1
        if known.state[there] == UNKNOWN and nothing != something:
            _settle(work, there, SHADED if something else UNSHADED)
    return (ways == 0 or work.size[0] > 0) and _find(work, SUMMED, layer, clue, -1)


@lean
def _grown(plan, known, clue, work, fitting):
    """What a number forces near it while blocks may have any shape; only where nobody says that they are squares."""
    n, near, state = plan.near.shape[0], plan.near, known.state
    alone = Known(state, work.alone.value, work.alone.rules)
    for here in range(n):
        alone.value[here] = known.value[clue] if here == clue else NO_CLUE
        work.able[here] = 0
    alone.rules[SUM] = 1
    if not follows._fits(plan, alone, fitting):
        return _find(work, GROWN, 0, clue, -1)
    able = work.able
    fits = True
    for j in range(20):
        cell = near[clue, j if j < 4 else j // 4 - 1]
        if j > 3 and cell < n:
            cell = near[cell, j & 3]
        for value in (SHADED, UNSHADED):
            for here in range(n if fits else 0):
                made = fitting.made[here]
                able[here] |= made if made != UNKNOWN else SHADED | UNSHADED
            fits = False
            if state[cell] != UNKNOWN or able[cell] & value:
                continue
            state[cell] = value
            fits = follows._fits(plan, alone, fitting)
            state[cell] = UNKNOWN
            if not fits:
                _settle(work, cell, SHADED + UNSHADED - value)
                return _find(work, GROWN, 0, clue, -1)
    return False


@lean
def _clue(plan, known, memory, layer, work, fitting):
    """The clue rung with the squares of a layer."""
    for clue in range(plan.near.shape[0]):
        if known.value[clue] == NO_CLUE or not memory.cell[STALE + layer, clue]:
            continue
        if _touch(plan, known, clue, work):
            return True
        if known.rules[SUM] and known.value[clue] > 0:
            if known.rules[SQUARE]:
                if _sum(plan, known, memory, layer, clue, work):
                    return True
            elif _grown(plan, known, clue, work, fitting):
                return True
        memory.cell[STALE + layer, clue] = 0
    return False


@lean
def _rule_out(plan, known, memory, work):
    """The first number that rules squares out on some side does. False if there is none."""
    most = work.marked.shape[2] - 1
    for clue in range(plan.near.shape[0]):
        if known.value[clue] <= 0 or not memory.cell[RULING, clue]:
            continue
        _sides(plan, known, memory, 1, clue, work)
        mark = work.sums[0, 0]
        for j in range(4):
            there = plan.near[clue, j]
            lost = False
            event = memory.event[-1, 0]
            for a in range(work.listed[j, most + 1]):
                k = work.listed[j, a]
                if k == 0 or work.marked[1, j, k] == mark:
                    continue
                if not lost:
                    lost = True
                    memory.event[event, 0] = clue
                    memory.event[event, 1] = there
                    memory.event[-1, 0] += 1
                for i in range(_over(plan, there, k, k, work.squares)):
                    square = work.squares[i]
                    if memory.square[LOST + 1, square] == NOW:
                        memory.square[REASON, square] = event
                        _lose(plan, memory, 1, square)
            if lost:
                return True
        memory.cell[RULING, clue] = 0
    return False


@inner
def _cut(plan, known, work):
    """The white rung. Returns what connectivity.narrowest does."""
    cut = connectivity.narrowest(plan.near, known.state)
    kind, cell, inside = cut[0], cut[1], cut[2]
    if kind == connectivity.NOTHING:
        return cut
    _find(work, CUT, 0, -1, -1)
    if kind == connectivity.CUT:
        _settle(work, cell, UNSHADED)
    elif kind == connectivity.POCKET:
        work.settles[0] = inside
        work.size[0] = 1
        head = 0
        while head < work.size[0]:
            here = work.settles[head]
            work.values[head] = SHADED
            head += 1
            for j in range(4):
                there = plan.near[here, j]
                new = known.state[there] == UNKNOWN
                for i in range(work.size[0]):
                    new &= work.settles[i] != there
                if new:
                    _settle(work, there, SHADED)
    return cut


# A look


@inner
def _fates(plan, known, memory, most, work, fitting, fates):
    """How many looks lead each guess to a contradiction, int32 (n, 2): UNSHADED, SHADED; 0 if it takes more than `most`
    or there is none.
    """
    n = plan.near.shape[0]
    for guess in range(2 * n):
        if known.state[guess // 2] != UNKNOWN:
            continue
        trial = Known(known.state.copy(), known.value, known.rules)
        copy = Memory(memory.cell.copy(), memory.square.copy(), memory.count.copy(), memory.event.copy())
        trial.state[guess // 2] = UNSHADED + guess % 2
        for looks in range(1, most + 1):
            rung, _ = _next(plan, trial, copy, WHITE, work, fitting)
            if rung < 0:
                break
            if work.size[0] == 0:
                fates[guess // 2, guess % 2] = looks
                break
            for i in range(work.size[0]):
                trial.state[work.settles[i]] = work.values[i]


@kernel
def look(
    plan: Plan, known: Known, memory: Memory, top: int, most: int
) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, tuple[int, int, int, int, np.ndarray], np.ndarray]:
    """What the lowest rung up to `top` finds; where none does, what guesses come to within so many looks.

    Returns
    -------
    (rung, found, settles, values, cut, fates)
        rung : int                      -1 if none finds anything
        found : int32 (4,)              kind, layer, cell or clue, square
        settles : int32 (t,)            cells, and values : uint8 (t,) their states; none: the board contradicts itself
        cut : tuple                     see connectivity.narrowest, for the white rung
        fates : int32 (n, 2)            see `_fates`, where `most` and no rung finds anything
    """
    work, fitting = _work(plan), follows._work(plan)
    rung, cut = _next(plan, known, memory, top, work, fitting)
    size = work.size[0]
    fates = np.zeros((plan.near.shape[0], 2), np.int32)
    if most > 0 and rung < 0:
        _fates(plan, known, memory, most, work, fitting, fates)
    return rung, work.found, work.settles[:size], work.values[:size], cut, fates


@inner
def _next(plan, known, memory, top, work, fitting):
    """(the rung that finds something or -1, the cut if it is that)."""
    work.size[0] = 0
    work.found[0] = NOTHING
    rung = _rung(plan, known, memory, top, work, fitting)
    cut = connectivity.NOTHING, -1, -1, -1, work.settles[:0]
    if rung < 0 and top >= WHITE and known.rules[CONNECTED]:
        cut = _cut(plan, known, work)
        rung = -1 if work.found[0] == NOTHING else WHITE
    return rung, cut


@lean
def _rung(plan, known, memory, top, work, fitting):
    """The rung below white that finds something, or -1."""
    squares, sums = known.rules[SQUARE], known.rules[SUM]
    _refresh(plan, known, memory, work)
    layer = 0
    while True:
        if squares and _shape(plan, known, memory, layer, work):
            return PRUNE if layer else SHAPE
        if top >= CLUE and _clue(plan, known, memory, layer, work, fitting):
            return PRUNE if layer else CLUE
        if top < PRUNE or not squares or not sums or (layer and not _rule_out(plan, known, memory, work)):
            return -1
        layer = 1
