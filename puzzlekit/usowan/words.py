"""Usowan: all frontier words of an empty grid, numbered in lexicographic order, and their successors without hashing.

A word is spelled by one digit a position, see `profile`: 0 shaded, 1 shaded with an opening bracket, 2 unshaded, 3 unshaded
with a closing bracket. Brackets balance, an opening one comes just after a run and a closing one begins a run, and shaded
cells do not touch but at the separator. Cut anywhere, a word is a prefix and a suffix that know of each other only a class:
how many brackets are open at the cut, and whether the cell before it is unshaded. So the number of a word is a base of its
prefix and the rank of its suffix among those of the class, and does not depend on where the cut is.

A cell changes a few neighbouring positions. The cut is put where they all lie on one side; the other side keeps its spelling
but for one bracket at most, whose place among its open ones the changed side knows. All words of one prefix move together.

Not here: the first row, whose words are few, and clues. What a cell does is asked of `profile.move`, on the side that changes
and the shortest other side of its class.
"""

import numpy as np

from ..machinery import brackets, states
from ..machinery.kernels import inner, kernel
from .moves import move

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

    def __init__(self, cols, separator, cut):
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

    @property
    def count(self):
        return int(self.bases[-1])

    def planes(self):
        """Planes b and k of every word, int64 (count,), in order."""
        return _all_planes(self.prefixes, self.classes, self.suffixes, self.edges, self.cut, self.length, self.count)

    def number(self, b, k):
        """Numbers of words, from 1, by their planes."""
        return _number(b, k, self.prefixes, self.classes, self.suffixes, self.edges, self.bases, self.cut, self.length)


def count_words(cols, separator):
    """How many words there are, without spelling them out.

    >>> count_words(5, 0), Words(5, 0, 3).count
    (25, 25)
    """
    ways = {(0, _START): 1}  # (open brackets, last) to number of spellings
    for position in range(cols + 1):
        after = {}
        for (depth, last), n in ways.items():
            end = 2 if position == separator else 0
            steps = []
            if last == 1:
                steps = [(depth, end), (depth + 1, end)]
            elif last == 2 or position == separator:
                steps = [(depth, end)]
            if position != separator:
                steps += [(depth, 1)] + [(depth - 1, 1)] * (last != 1 and depth > 0)
            for step in steps:
                after[step] = after.get(step, 0) + n
        ways = after
    return sum(n for (depth, _), n in ways.items() if depth == 0)


@kernel
def _all_planes(prefixes, classes, suffixes, edges, cut, length, count):
    b, k = np.empty(count, np.int64), np.empty(count, np.int64)
    n = 0
    for i in range(len(prefixes)):
        b0, k0 = _planes(prefixes[i], cut, 0)
        for j in range(edges[classes[i]], edges[classes[i] + 1]):
            b1, k1 = _planes(suffixes[j], length, cut)
            b[n], k[n] = b0 & b1, k0 | k1
            n += 1
    return b, k


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


# steps


@inner
def _bracket(b, k, length, rightmost, nth):
    """Position of the nth bracket without a partner: opening ones from the right end, or closing ones from the left."""
    depth = 0
    for i in range(length):
        position = length - 1 - i if rightmost else i
        if not (k >> position) & 1:
            continue
        opening = (b >> position) & 1
        if opening != rightmost:
            depth += 1
        elif depth > 0:
            depth -= 1
        elif nth == 0:
            return position
        else:
            nth -= 1
    return -1


@inner
def _edited(code, length, edit, prefix):
    """Spelling of a prefix or a suffix after an edit, as `_step_prefixes` and `_step_suffixes` name them."""
    b, k = _planes(code, length, 0)
    if edit == 1:  # the chain of the run at the cut gets a bracket at its far end
        return _code(b, k | (1 << (brackets._chain_start(b, k, length - 1) if prefix else brackets._chain_end(b, k, 0))), 0, length)
    position = _bracket(b, k, length, prefix, (edit - 2) >> 1)
    if edit & 1 == 0:
        return _code(b, k & ~(1 << position), 0, length)
    if prefix:
        return _code(b, k | (1 << brackets._chain_start(b, k, position - 1)), 0, length)
    return _code(b, k | (1 << brackets._chain_end(b, k, position)), 0, length)


@inner
def _low_bit(plane):
    position = 0
    while not (plane >> position) & 1:
        position += 1
    return position


@kernel
def _step_prefixes(prefixes, classes, cut, col, shade):
    """Spellings of prefixes after a cell, or -1, and what the cell does to the suffix.

    It is asked of the shortest suffix: shaded, then a run for each open bracket, shaded cells between. An edit is 0, or 1 +
    the place of the bracket that changed: 1 one at the end of the chain of the run at the cut; 2, 4, ... the closing bracket
    of the first, second, ... run is gone; 3, 5, ... the chain of that run gets a bracket at its end.
    """
    after, edits = np.empty(len(prefixes), np.int64), np.zeros(len(prefixes), np.int64)
    for i in range(len(prefixes)):
        b, k = _planes(prefixes[i], cut, 0)
        for run in range(classes[i] // 3):
            b ^= 1 << (cut + 1 + 2 * run)
            k |= 1 << (cut + 1 + 2 * run)
        b1, k1 = move(b, k, col, brackets.WIDEST, False, True, shade)
        after[i] = -1
        if k1 >= 0:
            after[i] = _code(b1, k1, 0, cut)
            if (k ^ k1) >> cut:
                edits[i] = 1 + _low_bit((k ^ k1) >> cut)
    return after, edits


@kernel
def _step_suffixes(suffixes, edges, length, col, cols, shade):
    """The same for suffixes, and the shortest prefix: a run for each open bracket, then the cell before the cut.

    `col` and `cols` are counted from the cut. At the end of a row the separator goes to the front of the prefix.
    """
    after, edits = np.empty(len(suffixes), np.int64), np.zeros(len(suffixes), np.int64)
    for group in range(len(edges) - 1):
        depth = group // 3
        cut = 2 * depth + 1
        for i in range(edges[group], edges[group + 1]):
            b, k = _planes(suffixes[i], length, cut)
            for run in range(depth):
                b ^= 1 << (2 * run)
                k |= 1 << (2 * run + 1)
            if group % 3 == 1:
                b ^= 1 << (cut - 1)
            b1, k1 = move(b, k, cut + col, cut + cols, False, True, shade)
            after[i] = -1
            if k1 >= 0:
                after[i] = _code(b1, k1, cut, length - (col + 1 == cols))
                changed = (k ^ k1) & ((1 << cut) - 1)
                if changed:
                    edits[i] = cut - _low_bit(changed)
    return after, edits


@kernel
def _fill_by_prefix(prefixes, classes, bases, suffixes, edges, length, after, edits, to_prefixes, to_bases, column):
    most = 1 + edits.max()
    moved = np.full((most, len(suffixes)), -1)  # rank of each suffix after each edit, as far as it is asked for
    for i in range(len(after)):
        if after[i] < 0:
            continue
        first, last, edit = edges[classes[i]], edges[classes[i] + 1], edits[i]
        base = 1 + to_bases[_find(to_prefixes, 0, len(to_prefixes), after[i])]
        at = 1 + bases[i]
        if edit == 0:
            for j in range(last - first):
                column[at + j] = base + j
            continue
        if first < last and moved[edit, first] < 0:
            low, high = edges[classes[i] - 3], edges[classes[i] - 2]
            for j in range(first, last):
                moved[edit, j] = _find(suffixes, low, high, _edited(suffixes[j], length, edit, False)) - low
        for j in range(last - first):
            column[at + j] = base + moved[edit, first + j]


@kernel
def _fill_by_suffix(prefixes, classes, bases, cut, edges, after, edits, to_prefixes, to_bases, to_suffixes, to_edges, column):
    ranks = np.zeros(len(after), np.int64)
    for group in range(len(edges) - 1):
        for j in range(edges[group], edges[group + 1]):
            if after[j] >= 0:
                to = group - 3 * (edits[j] > 0)
                ranks[j] = _find(to_suffixes, to_edges[to], to_edges[to + 1], after[j]) - to_edges[to]
    moved = np.empty(1 + edits.max(), np.int64)  # number of the first word of this prefix after each edit
    for i in range(len(prefixes)):
        moved[:] = -1
        first = edges[classes[i]]
        at = 1 + bases[i] - first
        for j in range(first, edges[classes[i] + 1]):
            if after[j] < 0:
                continue
            edit = edits[j]
            if moved[edit] < 0:
                code = _edited(prefixes[i], cut, edit, True) if edit > 0 else prefixes[i]
                moved[edit] = 1 + to_bases[_find(to_prefixes, 0, len(to_prefixes), code)]
            column[at + j] = moved[edit] + ranks[j]


def successors(cols, col):
    """Numbers of the words after the cell at `col` is left and shaded, by the number of the word before: uint32 (n + 1, 2).

    Row 0, and 0 where the cell may not be so. Below the first row, with unshaded cells in one region. cols is at least 4.
    """
    middle = (cols + 1) // 2
    ends, by_prefix = col + 1 == cols, col < middle
    cut = max(middle, col + 3) if by_prefix else min(middle, col - 1)
    words = Words(cols, col, cut)
    to = Words(cols, 0, cut + 1) if ends else Words(cols, col + 1, cut)
    table = np.zeros((2, words.count + 1), np.uint32)
    for shade in range(2):
        if by_prefix:
            after, edits = _step_prefixes(words.prefixes, words.classes, cut, col, shade == 1)
            _fill_by_prefix(
                words.prefixes, words.classes, words.bases, words.suffixes, words.edges, words.length,
                after, edits, to.prefixes, to.bases, table[shade],
            )  # fmt: skip
        else:
            after, edits = _step_suffixes(words.suffixes, words.edges, words.length, col - cut, cols - cut, shade == 1)
            _fill_by_suffix(
                words.prefixes, words.classes, words.bases, cut, words.edges, after, edits,
                to.prefixes, to.bases, to.suffixes, to.edges, table[shade],
            )  # fmt: skip
    return table


# two cells at a time


def starts(cols):
    """Columns at which a step of two cells begins; the last one is of one cell when cols is odd."""
    return range(0, cols, 2)


def find(cols, lines, first_row, accept):
    """Tables of all states of an empty grid, two cells a layer, below its first row: `states.Tables` of a diagram.

    Parameters
    ----------
    cols, lines : int    cells in a row, at least 4, and rows
    first_row : tuple    of the first row: tables by kind, and planes b and k of the states after it, by number
    accept : callable    accept(b, k) -> bool (n,): which words end an answer

    Cost: a few additions and table look-ups for each word and choice: about 10 ns a word.
    """
    tables, (b, k) = first_row
    kinds = [(False, col) for col in starts(cols)]
    every = {(False, col): _two_cells(cols, col) for col in starts(cols)}
    words = Words(cols, 0, (cols + 1) // 2)
    numbers = np.concatenate([[0], words.number(b, k)]).astype(np.uint32)
    reached = {kind: np.zeros(len(table), np.uint8) for kind, table in every.items()}
    reached[kinds[0]][numbers[1:]] = _NEW
    for _ in range(1, lines):
        fresh = 0
        for kind, then in zip(kinds, kinds[1:] + kinds[:1]):
            fresh = _spread(every[kind], reached[kind], reached[then])
        if not fresh:
            break
    final = np.zeros(1 + words.count, bool)
    final[1:] = accept(*words.planes())
    final = final[reached[kinds[0]] > 0]
    kept = {kind: np.cumsum(reached[kind] > 0, dtype=np.uint32) for kind in kinds}
    for kind, then in zip(kinds, kinds[1:] + kinds[:1]):
        tables[kind] = _renumbered(every.pop(kind), reached[kind], kept[then], int(kept[kind][-1]))
    last = (True, kinds[-1][1])
    tables[last] = kept[kinds[0]][numbers][tables[last]]
    return states.Tables(tables, np.concatenate([[False], final]))


_NEW, _KNOWN = np.uint8(1), np.uint8(2)


def _two_cells(cols, col):
    """Numbers of the words after (0, 0), (0, 1) and (1, 0) in two cells, or 0 and 1 in the last one: uint32 (n + 1, 3 or 2)."""
    first = successors(cols, col)
    return np.ascontiguousarray(first.T) if col + 1 == cols else _composed(first, successors(cols, col + 1))


@kernel
def _composed(first, second):
    table = np.empty((first.shape[1], 3), np.uint32)
    for word in range(first.shape[1]):
        left, shaded = first[0, word], first[1, word]
        table[word, 0], table[word, 1], table[word, 2] = second[0, left], second[1, left], second[0, shaded]
    return table


@kernel
def _spread(table, reached, following):
    """Mark what follows new words; how many are new because of that."""
    fresh = 0
    for word in range(1, len(table)):
        if reached[word] != _NEW:
            continue
        reached[word] = _KNOWN
        for choice in range(table.shape[1]):
            then = table[word, choice]
            if then != 0 and following[then] == 0:
                following[then] = _NEW
                fresh += 1
    return fresh


@kernel
def _renumbered(table, reached, numbers, count):
    """Rows of the words that are reached, as many as `count`, with new numbers in them."""
    result = np.zeros((count + 1, table.shape[1]), np.uint32)
    row = 0
    for word in range(1, len(table)):
        if reached[word] != 0:
            row += 1
            for choice in range(table.shape[1]):
                result[row, choice] = numbers[table[word, choice]]
    return result
