"""Usowan: all frontier words of an empty grid, numbered in lexicographic order.

A word is spelled by one digit a position, see `moves`: 0 shaded, 1 shaded with an opening bracket, 2 unshaded, 3
unshaded with a closing bracket. Brackets balance, an opening one comes just after a run and a closing one begins a run,
and shaded cells do not touch but at the separator. Cut anywhere, a word is a prefix and a suffix that know of each
other only a class: how many brackets are open at the cut, and whether the cell before it is unshaded. So the number of
a word is a base of its prefix and the rank of its suffix among those of the class, and does not depend on where the cut
is.

Not here: which words follow each other, see `steps`.
"""

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import inner, kernel

_START = 2  # class of the empty prefix; see `_extend`


@inner
def _planes(code, length, first):
    """Bit planes (b, k) of a spelling of so many positions from `first` on; everything else is shaded."""
    b, k = np.int64(-1), np.int64(0)
    for position in range(first + length - 1, first - 1, -1):
        b ^= ((code >> 1) & 1) << position
        k |= (code & 1) << position
        code >>= 2
    return b, k


@inner
def _code(b, k, first, length):
    """Spelling of so many positions from `first` on."""
    code = np.int64(0)
    for position in range(first, first + length):
        code = (code << 2) | (((~b >> position) & 1) << 1) | ((k >> position) & 1)
    return code


@kernel
def _extend(codes, classes, groups, separator, left):
    """Spellings one position longer, in order, with their classes and groups. `left` positions are still to come.

    A class is 3 * (open brackets) + (0 after a shaded cell, 1 after an unshaded one, 2 after a separator or the edge).
    """
    longer = np.empty(4 * len(codes), np.int64)
    after, of = np.empty(4 * len(codes), np.int64), np.empty(4 * len(codes), np.int64)
    n = 0
    for i in range(len(codes)):
        depth, last = classes[i] // 3, classes[i] % 3
        for digit in range(4):
            deeper = depth
            if digit < 2:
                ending = 2 if separator else 0
                deeper += digit
                fine = last == 1 or (digit == 0 and (last == 2 or separator))
            else:
                ending = 1
                deeper -= digit - 2
                fine = not separator and (digit == 2 or (last != 1 and depth > 0))
            if fine and deeper <= left:
                longer[n], after[n], of[n] = 4 * codes[i] + digit, 3 * deeper + ending, groups[i]
                n += 1
    return longer[:n], after[:n], of[:n]


class Words:
    """Words of a frontier of cols + 1 positions with the separator at `separator`, cut after `cut` positions.

    prefixes, classes : int64 (n,)   spellings in lexicographic order and their classes
    suffixes : int64 (m,)            spellings by class, in lexicographic order within one
    edges : int64 (classes + 1,)     where each class of suffixes begins
    bases : int64 (n + 1,)           number of words before the first of each prefix; the last one is how many there are
    """

    def __init__(self, cols: int, separator: int, cut: int) -> None:
        self.cut, self.length = cut, cols + 1 - cut
        codes, classes, groups = np.zeros(1, np.int64), np.full(1, _START), np.zeros(1, np.int64)
        for position in range(cut):
            codes, classes, groups = _extend(codes, classes, groups, position == separator, cols - position)
        self.prefixes, self.classes = codes, classes
        every = np.arange(classes.max() + 1)
        codes, ends, groups = np.zeros(len(every), np.int64), every, every
        for position in range(cut, cols + 1):
            codes, ends, groups = _extend(codes, ends, groups, position == separator, cols - position)
        self.suffixes = codes  # the last position left none open
        self.edges = np.searchsorted(groups, np.arange(len(every) + 1))
        self.bases = np.concatenate([[0], np.cumsum(np.diff(self.edges)[classes])])

        self.count = int(self.bases[-1])
        if self.count >> 32:
            raise OverflowError(f"{self.count:,} words of {cols} cells do not fit 32-bit tables")

    def number(self, b: np.ndarray, k: np.ndarray) -> npt.NDArray[np.uint32]:
        """Numbers of words, from 1, by their planes."""
        return _number(b, k, self.prefixes, self.classes, self.suffixes, self.edges, self.bases, self.cut, self.length)

    def one_chain(self) -> npt.NDArray[np.bool_]:
        """Which words end an answer, all their runs in one chain: bool (count + 1,), by number."""
        return _one_chain(self.prefixes, self.classes, self.suffixes, self.edges, self.bases, self.cut, self.length)


@inner
def _find(codes, first, last, code):
    """Place of a spelling in a sorted part of an array."""
    while last - first > 1:
        middle = (first + last) >> 1
        if codes[middle] <= code:
            first = middle
        else:
            last = middle
    return first


@kernel
def _number(b, k, prefixes, classes, suffixes, edges, bases, cut, length):
    numbers = np.empty(len(b), np.uint32)
    for n in range(len(b)):
        i = _find(prefixes, 0, len(prefixes), _code(b[n], k[n], 0, cut))
        first = edges[classes[i]]
        j = _find(suffixes, first, edges[classes[i] + 1], _code(b[n], k[n], cut, length))
        numbers[n] = 1 + bases[i] + j - first
    return numbers


@inner
def _chains(code, length, run):
    """Runs that begin in a spelling, less opening brackets; `run` when an unshaded cell comes before it."""
    chains = 0
    for position in range(length - 1, -1, -1):
        digit = (code >> (2 * position)) & 3
        if digit == 1:
            chains -= 1
        elif digit > 1 and not run:
            chains += 1
        run = digit > 1
    return chains


@kernel
def _one_chain(prefixes, classes, suffixes, edges, bases, cut, length):
    """Which words have all runs in one chain: bool (words + 1,), by number."""
    chains = np.empty(len(suffixes), np.int64)
    for group in range(len(edges) - 1):
        for j in range(edges[group], edges[group + 1]):
            chains[j] = _chains(suffixes[j], length, group % 3 == 1)
    result = np.full(bases[-1] + 1, False)
    for i in range(len(prefixes)):
        others, first = _chains(prefixes[i], cut, False), edges[classes[i]]
        for j in range(first, edges[classes[i] + 1]):
            result[1 + bases[i] + j - first] = chains[j] + others == 1
    return result
