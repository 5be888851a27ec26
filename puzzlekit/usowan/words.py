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

from typing import NamedTuple

import numpy as np

from ..machinery import brackets, states
from ..machinery.kernels import inner, kernel
from .moves import move

_START = 2  # class of the empty prefix; see `_extend`
_EDIT_BITS = 5
_ONE_EDIT = (1 << _EDIT_BITS) - 1


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

        self.count = int(self.bases[-1])
        if self.count >> 32:
            raise OverflowError(f"{self.count:,} words of {cols} cells do not fit 32-bit tables")

    def number(self, b, k):
        """Numbers of words, from 1, by their planes."""
        return _number(b, k, self.prefixes, self.classes, self.suffixes, self.edges, self.bases, self.cut, self.length)

    def one_chain(self):
        """Which words end an answer, all their runs in one chain: bool (count + 1,), by number."""
        return _one_chain(
            self.prefixes, self.classes, self.suffixes, self.edges, self.bases, self.cut, self.length
        )


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
def _edited_once(code, length, edit, prefix):
    b, k = _planes(code, length, 0)
    position = 0 if edit < 2 else _bracket(b, k, length, prefix, (edit - 2) >> 1)
    if edit & 1 == 0:
        return _code(b, k & ~(1 << position), 0, length)
    if prefix:
        k |= 1 << brackets._chain_start(b, k, position - 1 if edit > 1 else length - 1)
    else:
        k |= 1 << brackets._chain_end(b, k, position)
    return _code(b, k, 0, length)


@inner
def _edited(code, length, edit, prefix):
    """Spelling of a prefix or a suffix after one edit or two, as `_step_prefixes` and `_step_suffixes` name them."""
    while edit > 0:
        code = _edited_once(code, length, edit & _ONE_EDIT, prefix)
        edit >>= _EDIT_BITS
    return code


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
    of the first, second, ... run is gone; 3, 5, ... the chain of that run gets a bracket at its end. It always takes an open
    bracket from the class.
    """
    after, edits = np.full(len(prefixes), -1), np.zeros(len(prefixes), np.int64)
    for i in range(len(prefixes)):
        if prefixes[i] < 0:
            continue
        b, k = _planes(prefixes[i], cut, 0)
        for run in range(classes[i] // 3):
            b ^= 1 << (cut + 1 + 2 * run)
            k |= 1 << (cut + 1 + 2 * run)
        b1, k1 = move(b, k, col, brackets.WIDEST, False, True, shade)
        if k1 >= 0:
            after[i] = _code(b1, k1, 0, cut)
            if (k ^ k1) >> cut:
                edits[i] = 1 + _low_bit((k ^ k1) >> cut)
    return after, edits


@kernel
def _step_suffixes(suffixes, classes, length, col, cols, shade):
    """The same for suffixes, and the shortest prefix: a run for each open bracket, then the cell before the cut.

    `col` and `cols` are counted from the cut. At the end of a row the separator goes to the front of the prefix.
    """
    after, edits = np.full(len(suffixes), -1), np.zeros(len(suffixes), np.int64)
    for i in range(len(suffixes)):
        if suffixes[i] < 0:
            continue
        depth = classes[i] // 3
        cut = 2 * depth + 1
        b, k = _planes(suffixes[i], length, cut)
        for run in range(depth):
            b ^= 1 << (2 * run)
            k |= 1 << (2 * run + 1)
        if classes[i] % 3 == 1:
            b ^= 1 << (cut - 1)
        b1, k1 = move(b, k, cut + col, cut + cols, False, True, shade)
        if k1 >= 0:
            after[i] = _code(b1, k1, cut, length - (col + 1 == cols))
            changed = (k ^ k1) & ((1 << cut) - 1)
            if changed:
                edits[i] = cut - _low_bit(changed)
    return after, edits


def _steps(step, codes, classes, length, col, *cols):
    """What `step` does for each choice of two cells, or of one at the end of a row.

    Returns
    -------
    (int64 (choices, n), int64 (choices, n), int64 (different edits,))   spellings or -1, numbers of edits, and what they are
    """
    after, edits = [], []
    for shade in (False, True):
        code, edit = step(codes, classes, length, col, *cols, shade)
        if cols and col + 1 == cols[0]:
            after.append(code)
            edits.append(edit)
            continue
        for then in (False, True)[: 2 - shade]:
            code2, edit2 = step(code, classes - 3 * (edit > 0), length, col + 1, *cols, then)
            after.append(code2)
            edits.append(edit + (edit2 << np.where(edit > 0, _EDIT_BITS, 0)))
    edits = np.array(edits)
    names = np.flatnonzero(np.bincount(edits.ravel()))
    numbers = np.zeros(names[-1] + 1, np.int64)
    numbers[names] = np.arange(len(names))
    return np.array(after), numbers[edits], names


class Step(NamedTuple):
    """Successors of every word before two cells, unless the last one of a row is left over; for word (prefix i, suffix j):

        after each choice c: firsts[i, which_first[j, c]] + ranks[which_rank[i, c], j], or 0 where the cells may not be so

    Choices are (0, 0), (0, 1) and (1, 0), or 0 and 1. Words of prefix i begin at 1 + bases[i] and have the suffixes from
    edges[classes[i]] to edges[classes[i] + 1].
    """

    classes: np.ndarray
    bases: np.ndarray
    edges: np.ndarray
    firsts: np.ndarray
    which_first: np.ndarray
    ranks: np.ndarray
    which_rank: np.ndarray

    @property
    def words(self):
        return int(self.bases[-1])


def step(cols, col):
    """The step at an even column, below the first row: Step. `cols` is at least 4.

    Cost: some milliseconds at 20 cells, about the square root of the number of words.
    """
    middle, next_col = (cols + 1) // 2, min(col + 2, cols)
    by_prefix = col + 1 < middle
    cut = max(middle, col + 4) if by_prefix else min(middle, col - 1)
    words = Words(cols, col, cut)
    to = Words(cols, 0, cut + 1) if next_col == cols else Words(cols, next_col, cut)
    if by_prefix:
        after, edits, names = _steps(_step_prefixes, words.prefixes, words.classes, cut, col)
        firsts, ranks, which_rank = _by_prefix(
            words.classes, words.suffixes, words.edges, words.length, after, edits, names, to.prefixes, to.bases
        )
        which_first = np.tile(np.arange(len(after)), (len(words.suffixes), 1))
    else:
        groups = np.repeat(np.arange(len(words.edges) - 1), np.diff(words.edges))
        after, edits, names = _steps(_step_suffixes, words.suffixes, groups, words.length, col - cut, cols - cut)
        firsts, which_first, ranks = _by_suffix(
            words.prefixes, words.classes, cut, groups, words.edges,
            after, edits, names, to.prefixes, to.bases, to.suffixes, to.edges,
        )  # fmt: skip
        which_rank = np.tile(np.arange(len(after)), (len(words.prefixes), 1))
    return Step(words.classes, words.bases, words.edges, firsts, which_first, ranks, which_rank)


@inner
def _lower(group, edit):
    """Class after an edit: each one takes a bracket away."""
    return group - 3 * ((edit > 0) + (edit > _ONE_EDIT))


@kernel
def _by_prefix(classes, suffixes, edges, length, after, edits, names, to_prefixes, to_bases):
    choices, none = len(after), len(names)
    firsts = np.zeros((len(classes), choices), np.uint32)
    ranks = np.zeros((none + 1, len(suffixes)), np.uint32)  # as far as they are asked for
    which = np.full((len(classes), choices), none)
    known = np.full((len(edges), none), False)
    for i in range(len(classes)):
        group = classes[i]
        for choice in range(choices):
            if after[choice, i] < 0 or edges[group] == edges[group + 1]:
                continue
            firsts[i, choice] = 1 + to_bases[_find(to_prefixes, 0, len(to_prefixes), after[choice, i])]
            name = which[i, choice] = edits[choice, i]
            if not known[group, name]:
                known[group, name] = True
                to = _lower(group, names[name])
                for j in range(edges[group], edges[group + 1]):
                    code = _edited(suffixes[j], length, names[name], False)
                    ranks[name, j] = _find(suffixes, edges[to], edges[to + 1], code) - edges[to]
    return firsts, ranks, which


@kernel
def _by_suffix(
    prefixes, classes, cut, groups, edges, after, edits, names, to_prefixes, to_bases, to_suffixes, to_edges
):
    choices, none = len(after), len(names)
    ranks = np.zeros((choices, len(groups)), np.uint32)
    which = np.full((len(groups), choices), none)
    asked = np.full((len(edges), none), False)
    for j in range(len(groups)):
        for choice in range(choices):
            if after[choice, j] >= 0:
                name = which[j, choice] = edits[choice, j]
                asked[groups[j], name] = True
                to = _lower(groups[j], names[name])
                ranks[choice, j] = _find(to_suffixes, to_edges[to], to_edges[to + 1], after[choice, j]) - to_edges[to]
    firsts = np.zeros((len(prefixes), none + 1), np.uint32)
    for i in range(len(prefixes)):
        for name in range(none):
            if asked[classes[i], name]:
                code = _edited(prefixes[i], cut, names[name], True)
                firsts[i, name] = 1 + to_bases[_find(to_prefixes, 0, len(to_prefixes), code)]
    return firsts, which, ranks


# states


def starts(cols):
    """Columns at which a step of two cells begins; the last one is of one cell when cols is odd."""
    return range(0, cols, 2)


def find(cols, lines, first_row):
    """Tables of all states of an empty grid, two cells a layer, below its first row: `states.Tables` of a diagram.

    Parameters
    ----------
    cols, lines : int    cells in a row, at least 4, and rows
    first_row : tuple    of the first row: tables by kind, and planes b and k of the states after it, by number

    States are the words that the first row leads to. There are fewer and fewer among the words: 0.7 at 12 cells, a third at 20.
    Cost: some additions and one look-up for each state and choice, twice; two bytes for each word.
    """
    tables, (b, k) = first_row
    kinds = [(False, col) for col in starts(cols)]
    follows = list(zip(kinds, kinds[1:] + kinds[:1]))
    steps = {(False, col): step(cols, col) for col in starts(cols)}
    words = Words(cols, 0, (cols + 1) // 2)
    numbers = np.concatenate([[0], words.number(b, k)]).astype(np.uint32)  # of the states after the first row
    reached = {kind: np.zeros(1 + steps[kind].words, bool) for kind in kinds}
    fresh = {kind: np.zeros(1 + steps[kind].words // 8, np.uint64) for kind in kinds}
    for kind in kinds:
        reached[kind][0] = True
    reached[kinds[0]][numbers] = fresh[kinds[0]].view(bool)[numbers] = True
    for _ in range(1, lines):
        for kind, then in follows:
            _spread(*steps[kind], fresh[kind].view(bool), fresh[kind], reached[then], fresh[then].view(bool))
        if not fresh[kinds[0]].any():
            break
    fresh.clear()
    final = words.one_chain()[reached[kinds[0]]]
    first = _places(reached[kinds[0]])
    tables[True, kinds[-1][1]] = first[numbers][tables[True, kinds[-1][1]]]
    for kind, then in follows:
        renamed = first if then == kinds[0] else _places(reached[then])
        tables[kind] = _table(*steps[kind], reached[kind], renamed, np.count_nonzero(reached[kind]))
    return states.Tables(tables, final)


@kernel
def _places(reached):
    """Place of each word among those that are reached."""
    places = np.empty(len(reached), np.uint32)
    place = np.uint32(0)
    for word in range(len(reached)):
        places[word] = place
        place += np.uint32(reached[word])
    return places


@kernel
def _spread(
    classes, bases, edges, firsts, which_first, ranks, which_rank, fresh, eights, reached, following
):
    """Mark what follows the fresh words: reached, and fresh in its turn. `eights` is `fresh` in parts of eight."""
    for i in range(len(classes)):
        word, end, j = 1 + bases[i], 1 + bases[i + 1], edges[classes[i]]
        while word < end:
            if word & 7 == 0 and eights[word >> 3] == np.uint64(0):
                word += 8
                j += 8
                continue
            if fresh[word]:
                fresh[word] = False
                for choice in range(which_first.shape[1]):
                    then = firsts[i, which_first[j, choice]] + ranks[which_rank[i, choice], j]
                    if not reached[then]:
                        reached[then] = following[then] = True
            word += 1
            j += 1


@kernel
def _table(classes, bases, edges, firsts, which_first, ranks, which_rank, reached, renamed, count):
    """Successors of the words that are reached, uint32 (count, choices), by their new numbers."""
    choices = which_first.shape[1]
    table = np.zeros((count, choices), np.uint32)
    row = 0
    for i in range(len(classes)):
        first = edges[classes[i]]
        for j in range(first, edges[classes[i] + 1]):
            if reached[1 + bases[i] + j - first]:
                row += 1
                for choice in range(choices):
                    table[row, choice] = renamed[firsts[i, which_first[j, choice]] + ranks[which_rank[i, choice], j]]
    return table
