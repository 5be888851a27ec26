"""Usowan: answers of an empty grid modulo a number, swept from the last row up without tables of states.

The weights are one array over all words of a frontier, and who follows whom is read from the few small arrays of a
`steps.Step`: 16 bytes for a word are nearly all a sweep takes, and it can stop after any row and go on from there.
Words that no grid leads to are left out, where 64 in a row are such. Not here: which answers they are.
"""

from typing import NamedTuple

import numpy as np

from ..machinery import grid, limbs, remainders, states
from ..machinery.frontier import BUDGET, Kept
from ..machinery.kernels import inner, kernel
from . import profile, steps
from .words import Words

_0, _1, _63 = np.uint64(0), np.uint64(1), np.uint64(63)


def residue(
    rows: int,
    cols: int,
    modulus: int,
    *,
    transpose: bool | None = None,
    kept: Kept | None = None,
    budget: int = BUDGET,
) -> int:
    """Number of answers of an empty rows x cols grid modulo a number.

    Parameters
    ----------
    rows, cols : int
    modulus : int                 from 2 to remainders.LARGEST
    transpose : bool, optional    True to sweep down columns, False along rows; by default whichever is narrower
    kept : Checkpoint, optional   where a sweep that was stopped goes on from, and keeps its last row
    budget : int                  bytes

    Returns
    -------
    int

    Raises
    ------
    ValueError                    another modulus, or a grid that is too wide
    MemoryError                   two weights and some bits for each word would not fit the budget

    Cost: half the number of cells times the words of the side swept across, 11 million at 20 cells, 2.4 times more for
    one more.

    >>> residue(4, 4, 1000), residue(12, 10, 97) == residue(12, 10, 97, transpose=True)
    (562, True)
    """
    rows, cols = grid.check_size(rows, cols)
    remainders.check(modulus)
    lines, across, _ = profile.sweep_order(rows, cols, transpose)
    if not profile.by_words(lines, across):
        return profile.diagram(rows, cols, transpose=transpose, budget=budget).residue(modulus)
    needed = extent(lines, across)
    states.afford(needed.nbytes, budget, f"to count {rows} x {cols}")
    down = [_of_three(steps.step(across, col)) for col in steps.starts(across)]
    tables, below = profile.first_row(across)
    words = Words(across, 0, (across + 1) // 2)
    first = np.concatenate([[0], words.number(*below)])  # words of the states after the first row
    blocks = _reached(down, first[1:], lines)
    by_prefix = [(step.which_first == np.arange(3)).all() for step in down]
    here, there = np.empty(needed.words + 1, np.uint64), np.empty(needed.words + 1, np.uint64)
    found = None if kept is None else kept.load()
    line, ways = (lines - 1, words.one_chain()) if found is None else found
    here[: len(ways)] = ways
    del ways
    while line > 0:
        for at in reversed(range(len(down))):
            _before(*down[at], by_prefix[at], blocks[at], here, np.uint64(modulus), there)  # type: ignore[call-arg]
            here, there = there, here
        line -= 1
        if kept is not None:
            kept.save(line, here[: words.count + 1])
    ways = here[first]
    for kind in reversed(list(tables)):
        ways = limbs.gather_modulo(tables[kind], ways, modulus)
    return int(ways[1])


class Extent(NamedTuple):
    """What a residue takes: words before the widest step, steps of two cells, bytes."""

    words: int
    steps: int
    nbytes: int


def extent(lines: int, across: int) -> Extent:
    """Extent of a residue of a grid so many cells across, known beforehand. OverflowError from 27 cells on.

    >>> extent(20, 20)
    Extent(words=11279764, steps=200, nbytes=208675634)
    """
    words = max(steps.words_before(across, col).count for col in steps.starts(across))
    in_a_row = len(steps.starts(across))
    return Extent(words, lines * in_a_row, 16 * words + in_a_row * words // 4)


def bits_needed(lines: int, across: int) -> int:
    """Bits of the count, or some too many: a bound that does without the sweep.

    >>> bits_needed(4, 4) >= profile.count(4, 4).bit_length()
    True
    """
    return profile.most(lines, across).bit_length()


def _of_three(step):
    """A step with a third choice, never allowed, if it has two."""
    if step.which_first.shape[1] == 3:
        return step
    beyond = ((0, 0), (0, 1))
    return step._replace(
        firsts=np.pad(step.firsts, beyond),
        which_first=np.pad(step.which_first, beyond, constant_values=step.firsts.shape[1]),
        ranks=np.pad(step.ranks, ((0, 1), (0, 0))),
        which_rank=np.pad(step.which_rank, beyond, constant_values=len(step.ranks)),
    )


def _reached(down, first, lines):
    """Which blocks of 64 words before each step have some that the words after the first row lead to: list of bool
    (blocks,).
    """
    reached = [np.zeros((step.words >> 6) + 1, np.uint64) for step in down]
    fresh = [np.zeros_like(bits) for bits in reached]
    _mark(first.astype(np.uint32), reached[0], fresh[0])
    for _ in range(1, lines):
        for at, step in enumerate(down):
            then = (at + 1) % len(down)
            _spread(*step, fresh[at], reached[then], fresh[then])  # type: ignore[call-arg]
            fresh[at][:] = 0
        if not fresh[0].any():
            break
    return [bits != 0 for bits in reached]


@kernel
def _mark(words, reached, fresh):
    for word in words:
        bit = _1 << (np.uint64(word) & _63)
        reached[word >> 6] |= bit
        fresh[word >> 6] |= bit


@kernel
def _spread(classes, bases, edges, firsts, which_first, ranks, which_rank, fresh, reached, following):
    """Mark what follows the fresh words: reached, and fresh in its turn. A bit for each word."""
    for i in range(len(classes)):
        word, end, j = 1 + bases[i], 1 + bases[i + 1], edges[classes[i]]
        while word < end:
            bits = fresh[word >> 6] >> (np.uint64(word) & _63)
            if bits == _0:
                skipped = 64 - (word & 63)
                word += skipped
                j += skipped
                continue
            if bits & _1:
                for choice in range(which_first.shape[1]):
                    then = np.int64(firsts[i, which_first[j, choice]]) + np.int64(ranks[which_rank[i, choice], j])
                    bit = _1 << (np.uint64(then) & _63)
                    if not reached[then >> 6] & bit:
                        reached[then >> 6] |= bit
                        following[then >> 6] |= bit
            word += 1
            j += 1


@inner
def _three(following, first, second, third, modulus):
    total = following[first] + following[second]
    total = min(total, total - modulus) + following[third]  # a difference below 0 is a large number
    return min(total, total - modulus)


@kernel
def _before(
    classes, bases, edges, firsts, which_first, ranks, which_rank, by_prefix, blocks, following, modulus, result
):
    """Ways onward from each word before a step of three choices, from those after it; 0 stands for "not allowed".

    by_prefix : bool    which_first is the choice itself
    """
    result[0] = following[0] = _0
    for i in range(len(classes)):
        here, rank = firsts[i], ranks[which_rank[i, 0]]
        rank1, rank2 = ranks[which_rank[i, 1]], ranks[which_rank[i, 2]]
        first, first1, first2 = here[0], here[1], here[2]
        word, end, j = np.uint64(1 + bases[i]), np.uint64(1 + bases[i + 1]), np.uint64(edges[classes[i]])
        while word < end:
            stop = min(end, (word | _63) + _1)
            if not blocks[word >> np.uint64(6)]:
                j += stop - word
            elif by_prefix:
                for at in range(word, stop):
                    result[at] = _three(following, first + rank[j], first1 + rank1[j], first2 + rank2[j], modulus)
                    j += _1
            else:
                for at in range(word, stop):
                    which = which_first[j]
                    first, first1, first2 = here[which[0]], here[which[1]], here[which[2]]
                    result[at] = _three(following, first + rank[j], first1 + rank1[j], first2 + rank2[j], modulus)
                    j += _1
            word = stop
