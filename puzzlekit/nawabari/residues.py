"""Nawabari: dissections of a grid into rectangles, counted as fast as a machine can add.

The vertex model of `profile` over a dense array of all states, a weight for each set of walls across a line. A point is one
pass over the array, three additions for every four states, in residues modulo eight numbers side by side. Not here: which
dissections they are.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np

from ..machinery import grid
from ..machinery.frontier import BUDGET
from ..machinery.kernels import kernel

_LANES = 8  # residues side by side, for SIMD
_MODULUS_BITS = 61
_STRIDE = 512  # residues in an inner loop, a power of two
_HALF, _SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)


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
