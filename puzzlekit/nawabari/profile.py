"""Nawabari: dissections of a grid into rectangles, counted exactly, drawn exactly, point by point.

All clauses but the one about numbers are conditions on one point of the grid, where four walls can meet: 8 of the 16 ways
are legal. So a dissection is a state of a vertex model. A sweep visits cells in reading order and decides each cell's top
and left wall at the point of its top left corner. What it has to remember is one bit for each column, the left wall of the
last cell seen there, and one more, the top wall of the last cell.

Two roads: `count` adds residues over a dense array of all states, as fast as a machine can add; `diagram` is a
frontier.Diagram with the moves that the same points allow, for drawing, marginals and weights. Not here: clues, see
`clued.py`.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np

from ..machinery import grid
from ..machinery.frontier import BUDGET, Diagram
from ..machinery.kernels import inner, kernel
from .rules import Walls

WIDEST = 31  # cells across a diagram's sweep
ANSWERS_AT_ONCE = 1 << 30  # bytes that `answers` puts in one array
LARGEST_WEIGHT = 200  # numerator and denominator of a weight: a diagram has so many choices a cell
_LANES = 8  # residues side by side, for SIMD
_MODULUS_BITS = 61
_STRIDE = 512  # residues in an inner loop, a power of two
_HALF, _SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)
_TOP_WALL = np.uint64(1 << 32)  # in a key: the last cell has a wall above it

# Walls at a point to the left, above, to the right, below: nothing, straight across, straight down, four Ts, a plus.
VERTEX_PATTERNS = (
    (0, 0, 0, 0), (1, 0, 1, 0), (0, 1, 0, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1),
)  # fmt: skip


# counting by residues


def count(rows, cols, *, budget=BUDGET):
    """Number of dissections of a rows x cols grid into rectangles, exactly.

    Parameters
    ----------
    rows, cols : int     at least 1
    budget : int         bytes for the states

    Returns
    -------
    int                  unbounded

    Raises
    ------
    MemoryError          2 ** (shorter side) states of 64 bytes would not fit the budget

    Cost: with n the shorter and m the longer side, n * m * 2 ** n additions for every 488 bits of the result: half a
    millisecond at 12 x 12, 3 s at 20 x 20. A count from above and one from below meet in the middle.
    Source: OEIS A182275 (squares), A116694 and A333476 (rectangles).

    >>> count(4, 4), count(1, 7), count(2, 3) == count(3, 2)
    (70878, 64, True)
    """
    rows, cols = grid.check_size(rows, cols)
    across, lines = sorted((rows, cols))
    needed = 8 * _LANES * 3 << (across - 1)
    if needed > budget:
        raise MemoryError(f"{needed:,} bytes needed to count {rows} x {cols}, the budget is {budget:,}")
    bits = _bits_needed(across, lines)
    total, modulus, batch = 0, 1, 0
    while modulus.bit_length() <= bits:
        moduli = _moduli(batch)
        for residue, modulo in zip(_residues(across, lines, moduli), moduli):
            total += modulus * ((residue - total) * pow(modulus, -1, modulo) % modulo)
            modulus *= modulo
        batch += 1
    return total


@lru_cache
def _moduli(batch):
    """The next _LANES largest pairwise coprime numbers of 61 bits: sums of two fit a word, and residues never need more."""
    known = [modulo for earlier in range(batch) for modulo in _moduli(earlier)]
    product = 1
    for modulo in known:
        product *= modulo
    candidate = (known[-1] if known else (1 << _MODULUS_BITS) + 1) - 2
    found = []
    while len(found) < _LANES:
        if Fraction(candidate, product).denominator == product:  # coprime
            found.append(candidate)
            product *= candidate
        candidate -= 2
    return tuple(found)


@lru_cache
def _bits_needed(across, lines):
    """Bits of the count, or one too many: the same additions in floats, whose relative error is far below a half."""
    size, _ = _count_floats(across, lines)
    return int(np.ceil(size)) + 1


def _residues(across, lines, moduli):
    states = _LANES << (across - 1)
    table = np.tile(np.array(moduli, np.int64), _STRIDE // _LANES)
    sums = np.zeros((_LANES, 4), np.uint64)
    _count_residues(across, lines, table, np.ones(2 * states, np.int64), np.ones(states, np.int64), sums)
    return [sum(int(part) << (32 * at) for at, part in enumerate(row)) % modulo for row, modulo in zip(sums, moduli)]


@kernel
def _count_residues(across, lines, moduli, x, middle, sums):
    """Ways to each state after half the lines, times ways to the same state from the other end, as sums of half words.

    x : int64 (2 * 2 ** (across - 1) * lanes,)    states without, then states with a wall to the left of the next point
    middle : int64, half as long                  a copy of the first half of x after (lines - 1) // 2 lines
    moduli : int64 (stride,)                      repeated: the modulus of each place in a stride
    """
    half = len(middle)
    stride = len(moduli)
    for line in range(lines - 1 - (lines - 1) // 2):
        if line == (lines - 1) // 2:
            for i in range(half):
                middle[i] = x[i]
        for i in range(half):  # the wall that comes from the frame may be there or not
            x[half + i] = x[i]
        for point in range(across - 1):
            step = _LANES << point
            span = min(step, stride)
            for first in range(0, half, 2 * step):
                for start in range(first, first + step, span):
                    above = x[start + step : start + step + span]
                    left = x[half + start : half + start + span]
                    both = x[half + start + step : half + start + step + span]
                    for i in range(span):
                        modulo = moduli[i]
                        down = above[i] + both[i] - modulo
                        down += modulo & (down >> 63)
                        right = left[i] + both[i] - modulo
                        right += modulo & (right >> 63)
                        plus = left[i] + down - modulo
                        plus += modulo & (plus >> 63)
                        above[i], left[i], both[i] = down, right, plus
        for start in range(0, half, min(half, stride)):
            for i in range(start, start + min(half, stride)):
                total = x[i] + x[half + i] - moduli[i - start]
                x[i] = total + (moduli[i - start] & (total >> 63))
    if (lines - 1) % 2 == 0:
        for i in range(half):
            middle[i] = x[i]
    for i in range(half):
        a, b = np.uint64(x[i]), np.uint64(middle[i])
        a0, a1, b0, b1 = a & _HALF, a >> _SHIFT, b & _HALF, b >> _SHIFT
        lane = i % _LANES
        for at, product in ((0, a0 * b0), (1, a0 * b1), (1, a1 * b0), (2, a1 * b1)):
            sums[lane, at] += product & _HALF
            sums[lane, at + 1] += product >> _SHIFT


@kernel
def _count_floats(across, lines):
    """Logarithm to base 2 of the count, and the logarithm of the largest weight."""
    half = 1 << (across - 1)
    x = np.ones(2 * half)
    scale = 0.0
    for _ in range(lines - 1):
        for i in range(half):
            x[half + i] = x[i]
        for point in range(across - 1):
            step = 1 << point
            for first in range(0, half, 2 * step):
                for i in range(first, first + step):
                    left, both = x[half + i], x[half + i + step]
                    x[i + step] += both
                    x[half + i] += both
                    x[half + i + step] = x[i + step] + left
        largest = 0.0
        for i in range(half):
            x[i] += x[half + i]
            largest = max(largest, x[i])
        scale += np.log2(largest)
        for i in range(half):
            x[i] /= largest
    total = 0.0
    for i in range(half):
        total += x[i]
    return scale + np.log2(total), scale


# the diagram


def diagram(rows, cols, *, weight=1, transpose=None):
    """Diagram of all dissections of a grid, one layer a cell.

    Every choice of a cell stands for one way its top and left wall can be, in as many copies as the way weighs: with weight
    p / q, p copies where a room begins and q of each other way. So counting paths counts each dissection with
    p ** rooms * q ** (rows * cols - rooms), and a uniform path is a draw by that weight.

    Parameters
    ----------
    rows, cols : int            at least 1
    weight : int, Fraction or str    of every room, above 0; "0.15" and Fraction(3, 20) are the same
    transpose : bool, optional  True to sweep down columns, False along rows; by default whichever is narrower

    Returns
    -------
    frontier.Diagram            `walls_of` turns its answers into walls, `rooms_of` into room ids

    Raises
    ------
    ValueError                  when the narrower side is over WIDEST cells, or the weight is not a plain fraction
    MemoryError                 when the states would not fit the machinery's budget

    Cost: at most 2 ** n states a layer for n cells across, each with p + 3 * q choices.

    >>> diagram(4, 4).count(), diagram(1, 2, weight="0.5").count()
    (70878, 3)
    """
    rows, cols = grid.check_size(rows, cols)
    return _remembered(rows, cols, as_weight(weight), cols > rows if transpose is None else bool(transpose))


def as_weight(weight):
    """A weight as a Fraction, or ValueError. Floats are refused: they are rarely the fraction that is meant."""
    if isinstance(weight, (float, bool)):
        raise ValueError(f"weight must be a whole number, a Fraction or a str such as '0.15', not {weight!r}")
    try:
        weight = Fraction(weight)
    except (TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f"weight must be a whole number, a Fraction or a str such as '0.15', not {weight!r}") from None
    if weight <= 0 or max(weight.numerator, weight.denominator) > LARGEST_WEIGHT:
        raise ValueError(f"weight must be above 0, numerator and denominator up to {LARGEST_WEIGHT}, not {weight}")
    return weight


@lru_cache(maxsize=8)
def _remembered(rows, cols, weight, transpose):
    cells = np.arange(rows * cols).reshape(rows, cols)
    order = cells.T if transpose else cells
    lines, across = order.shape
    if across > WIDEST:
        raise ValueError(f"a {rows} x {cols} grid is too wide: a frontier holds at most {WIDEST} cells, not {across}")
    ways = ways_of(weight)

    def expand(kind, keys):
        first_line, col = kind
        after, allowed = _expand(keys[:, 0], first_line, col, across)
        return after[:, ways, None], allowed[:, ways]

    kinds = [(r == 0, c) for r in range(lines) for c in range(across)] + [(False, 0)]
    return Diagram(
        start=0, kinds=kinds, expand=expand, accept=lambda keys: np.ones(len(keys), bool), order=order.ravel()
    )


def ways_of(weight):
    """What each choice of a diagram stands for: 0 no wall, 1 a wall along the sweep, 2 one across it, 3 both: a room begins.

    >>> ways_of(Fraction(3, 2)).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3, 3]
    """
    return np.repeat(np.arange(4), [weight.denominator] * 3 + [weight.numerator])


def _expand(words, first_line, col, across):
    """Keys after each of the four ways of the walls of a cell, and which are allowed; see the module's first lines.

    A key has the left walls by column in its low bits, and _TOP_WALL.
    """
    here = np.uint64(1 << col)
    left = (words & _TOP_WALL) != 0
    above = np.full(len(words), False) if first_line else (words & here) != 0
    after, allowed = np.empty((len(words), 4), np.uint64), np.empty((len(words), 4), bool)
    for way in range(4):
        top, side = way & 1, way >> 1
        after[:, way] = words & ~(here | _TOP_WALL)
        if side:
            after[:, way] |= here
        if top and col + 1 < across:  # the next line begins at the frame
            after[:, way] |= _TOP_WALL
        if first_line or col == 0:
            allowed[:, way] = (top or not first_line) and (side or col > 0)
        else:
            allowed[:, way] = np.isin(
                left + 2 * above + 4 * top + 8 * side, [sum(b << i for i, b in enumerate(p)) for p in VERTEX_PATTERNS]
            )
    return after, allowed


def walls_of(rows, cols, ways, transpose=None):
    """Walls of answers of a diagram.

    Parameters
    ----------
    ways : uint8 (n, rows * cols)    answers, with each choice replaced by what it stands for, see `ways_of`
    transpose                        as given to `diagram`

    Returns
    -------
    Walls                            bool (n, rows, cols - 1) and (n, rows - 1, cols)
    """
    ways = np.asarray(ways).reshape(-1, rows, cols)
    along, across = (ways & 1) != 0, ways > 1
    top, left = (across, along) if (cols > rows if transpose is None else transpose) else (along, across)
    return Walls(left[:, :, 1:], top[:, 1:])


def rooms_of(walls):
    """Room ids in reading order of dissections given as Walls of arrays (n, ...): int32 (n, rows, cols)."""
    n, rows, cols = len(walls.right), walls.right.shape[1], walls.down.shape[2]
    rooms = np.empty((n, rows, cols), np.int32)
    _number_rooms(np.ascontiguousarray(walls.right), np.ascontiguousarray(walls.down), rooms)
    return rooms


@kernel
def _number_rooms(right, down, rooms):
    n, rows, cols = rooms.shape
    for i in range(n):
        found = 0
        for r in range(rows):
            for c in range(cols):
                if c > 0 and not right[i, r, c - 1]:
                    rooms[i, r, c] = rooms[i, r, c - 1]
                elif r > 0 and not down[i, r - 1, c]:
                    rooms[i, r, c] = rooms[i, r - 1, c]
                else:
                    rooms[i, r, c] = found
                    found += 1


def answers(rows, cols, *, chunk=None):
    """Every dissection of a grid.

    Parameters
    ----------
    rows, cols              as for `diagram`
    chunk : int, optional   dissections in one array, to get an iterator of arrays

    Returns
    -------
    int32 (n, rows, cols)   room ids in reading order; or an iterator of such arrays

    Raises
    ------
    ValueError              without chunk, when the array would take more than ANSWERS_AT_ONCE bytes

    >>> answers(1, 3).tolist()
    [[[0, 0, 0]], [[0, 0, 1]], [[0, 1, 1]], [[0, 1, 2]]]
    """
    space = diagram(rows, cols)
    if chunk is not None:
        if chunk < 1:
            raise ValueError(f"chunk must be at least 1, not {chunk}")
        return (rooms_of(walls_of(rows, cols, part)) for part in space.enumerate(chunk))
    total = space.count()
    if total * rows * cols * 4 > ANSWERS_AT_ONCE:
        raise ValueError(
            f"{total} answers of {rows} x {cols} take more than {ANSWERS_AT_ONCE} bytes; pass chunk= to walk through them"
        )
    return np.concatenate([rooms_of(walls_of(rows, cols, part)) for part in space.enumerate()])


def draw(rows, cols, n, rng, *, weight=1):
    """n independent dissections of a grid, each drawn with a probability proportional to weight ** rooms, exactly.

    Parameters
    ----------
    rows, cols, weight           as for `diagram`; weight 1 is uniform, less makes rooms fewer and larger
    n : int
    rng : numpy.random.Generator

    Returns
    -------
    int32 (n, rows, cols)        room ids in reading order

    >>> draw(2, 2, 3, np.random.default_rng(7)).reshape(3, 4).tolist()
    [[0, 1, 2, 2], [0, 1, 2, 3], [0, 1, 2, 1]]
    """
    weight = as_weight(weight)
    ways = ways_of(weight).astype(np.uint8)[diagram(rows, cols, weight=weight).draw(n, rng)]
    return rooms_of(walls_of(rows, cols, ways))


def expected_rooms(rows, cols, *, weight=1):
    """Mean number of rooms under `draw`, exactly: a Fraction.

    >>> expected_rooms(1, 3), expected_rooms(2, 2)
    (Fraction(2, 1), Fraction(21, 8))
    """
    weight = as_weight(weight)
    begins = (ways_of(weight) == 3).astype(int)
    return diagram(rows, cols, weight=weight).expected(np.broadcast_to(begins, (rows * cols, len(begins))))


def marginals(rows, cols, *, weight=1):
    """How many dissections of a grid have each wall, each counted with its weight as in `diagram`.

    Returns
    -------
    Walls of object arrays of exact Python ints

    >>> [part.tolist() for part in marginals(2, 2)]
    [[[5], [5]], [[5, 5]]]
    """
    weight = as_weight(weight)
    ways, sums = ways_of(weight), diagram(rows, cols, weight=weight).marginals()
    along, across = (sums[:, np.flatnonzero(mask)].sum(axis=1).reshape(rows, cols) for mask in (ways & 1, ways > 1))
    top, left = (across, along) if cols > rows else (along, across)
    return Walls(left[:, 1:], top[1:])


# walls that meet at points, against rooms


def point_patterns(walls):
    """How many interior points of one answer's Walls show each pattern of walls: dict of pattern to int, all 16.

    Patterns are walls to the left, above, to the right, below; the legal ones are VERTEX_PATTERNS.
    """
    right, down = (np.asarray(part, int) for part in walls)
    codes = down[:, :-1] + 2 * right[:-1] + 4 * down[:, 1:] + 8 * right[1:]
    found = np.bincount(codes.ravel(), minlength=16)
    return {tuple(code >> i & 1 for i in range(4)): int(found[code]) for code in range(16)}


def compare_wall_patterns(rows, cols):
    """All sets of walls of a small grid, judged at its points and judged as rooms: that the one is the other.

    Returns
    -------
    dict of int      patterns: sets of walls; local: legal at every point; whole: every room a rectangle and every wall
                     between two rooms; differ: judged differently

    Raises
    ------
    ValueError       when there are more than 2 ** 24 sets

    >>> compare_wall_patterns(2, 2)
    {'patterns': 16, 'local': 8, 'whole': 8, 'differ': 0}
    """
    rows, cols = grid.check_size(rows, cols)
    sides = rows * (cols - 1) + (rows - 1) * cols
    if sides > 24:
        raise ValueError(f"{rows} x {cols} has {sides} sides, too many to try all walls; at most 24 are tried")
    legal = np.zeros(16, bool)
    for pattern in VERTEX_PATTERNS:
        legal[sum(bit << i for i, bit in enumerate(pattern))] = True
    local, whole, differ = _compare_patterns(rows, cols, legal)
    return {"patterns": 1 << sides, "local": local, "whole": whole, "differ": differ}


@inner
def _whole(rows, cols, right, down, room, stack):
    """Whether rooms are rectangles and every wall lies between two rooms: flood each room, compare it with its bounds."""
    for cell in range(rows * cols):
        room[cell] = -1
    for first in range(rows * cols):
        if room[first] >= 0:
            continue
        room[first] = first
        stack[0] = first
        depth = cells = 1
        top = bottom = first // cols
        west = east = first % cols
        while depth:
            depth -= 1
            r, c = stack[depth] // cols, stack[depth] % cols
            top, bottom, west, east = min(top, r), max(bottom, r), min(west, c), max(east, c)
            for side in range(4):
                y, x = r, c
                if side == 0 and c + 1 < cols and not right[r, c]:
                    x += 1
                elif side == 1 and c > 0 and not right[r, c - 1]:
                    x -= 1
                elif side == 2 and r + 1 < rows and not down[r, c]:
                    y += 1
                elif side == 3 and r > 0 and not down[r - 1, c]:
                    y -= 1
                if room[y * cols + x] < 0:
                    room[y * cols + x] = first
                    stack[depth] = y * cols + x
                    depth += 1
                    cells += 1
        if cells != (bottom - top + 1) * (east - west + 1):
            return False
    for r in range(rows):
        for c in range(cols):
            if c + 1 < cols and right[r, c] and room[r * cols + c] == room[r * cols + c + 1]:
                return False
            if r + 1 < rows and down[r, c] and room[r * cols + c] == room[r * cols + c + cols]:
                return False
    return True


@kernel
def _compare_patterns(rows, cols, legal):
    sides = rows * (cols - 1)
    right, down = np.zeros((rows, cols), np.uint8), np.zeros((rows, cols), np.uint8)
    room, stack = np.zeros(rows * cols, np.int64), np.zeros(rows * cols, np.int64)
    local = whole = differ = 0
    for pattern in range(1 << (sides + (rows - 1) * cols)):
        for r in range(rows):
            for c in range(cols):
                if c + 1 < cols:
                    right[r, c] = (pattern >> (r * (cols - 1) + c)) & 1
                if r + 1 < rows:
                    down[r, c] = (pattern >> (sides + r * cols + c)) & 1
        at_points = True
        for r in range(rows - 1):
            for c in range(cols - 1):
                code = down[r, c] + 2 * right[r, c] + 4 * down[r, c + 1] + 8 * right[r + 1, c]
                at_points = at_points and legal[code]
        as_rooms = _whole(rows, cols, right, down, room, stack)
        local += at_points
        whole += as_rooms
        differ += at_points != as_rooms
    return local, whole, differ
