"""Usowan: which states of an empty grid's frontier there are and who follows whom, without hashing.

Two cells change a few neighbouring positions of a word. The cut of `words` is put where they all lie on one side; the
other side keeps its spelling but for one bracket a cell, whose place among its open ones the changed side knows. So all
words of one prefix move together, and a step is a few small arrays. What a cell does is asked of `moves`, on the side
that changes and the shortest other side of its class.

Not here: the first row, whose words are few, and clues.
"""

from typing import Any, NamedTuple

import numpy as np

from ..machinery import brackets, states
from ..machinery.kernels import inner, kernel
from .moves import move
from .words import Words, _code, _find, _planes

_EDIT_BITS = 5
_ONE_EDIT = (1 << _EDIT_BITS) - 1


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

    It is asked of the shortest suffix: shaded, then a run for each open bracket, shaded cells between. An edit is 0, or
    1 + the place of the bracket that changed: 1 one at the end of the chain of the run at the cut; 2, 4, ... the
    closing bracket of the first, second, ... run is gone; 3, 5, ... the chain of that run gets a bracket at its end. It
    always takes an open bracket from the class.
    """
    after, edits = np.full(len(prefixes), -1), np.zeros(len(prefixes), np.int64)
    for i in range(len(prefixes)):
        if prefixes[i] < 0:
            continue
        b, k = _planes(prefixes[i], cut, 0)
        for run in range(classes[i] // 3):
            b ^= 1 << (cut + 1 + 2 * run)
            k |= 1 << (cut + 1 + 2 * run)
        b1, k1 = move(b, k, col, brackets.WIDEST, False, True, True, shade)
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
        b1, k1 = move(b, k, cut + col, cut + cols, False, True, True, shade)
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
    (int64 (choices, n), int64 (choices, n), int64 (different edits,))   spellings or -1, numbers of edits, and what
                                                                         they are
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
    every = np.array(edits)
    names = np.flatnonzero(np.bincount(every.ravel()))
    numbers = np.zeros(names[-1] + 1, np.int64)
    numbers[names] = np.arange(len(names))
    return np.array(after), numbers[every], names


class Step(NamedTuple):
    """Successors of every word before two cells, unless the last one of a row is left over; for word (prefix i, suffix
    j):

        after each choice c: firsts[i, which_first[j, c]] + ranks[which_rank[i, c], j], or 0 where the cells may not be
        so

    Choices are (0, 0), (0, 1) and (1, 0), or 0 and 1. Words of prefix i begin at 1 + bases[i] and have the suffixes
    from edges[classes[i]] to edges[classes[i] + 1].
    """

    classes: np.ndarray
    bases: np.ndarray
    edges: np.ndarray
    firsts: np.ndarray
    which_first: np.ndarray
    ranks: np.ndarray
    which_rank: np.ndarray

    @property
    def words(self) -> int:
        return int(self.bases[-1])


def words_before(cols: int, col: int) -> Words:
    """Words before the step at an even column, cut beside all that the step changes."""
    middle = (cols + 1) // 2
    return Words(cols, col, max(middle, col + 4) if col + 1 < middle else min(middle, col - 1))


def step(cols: int, col: int) -> Step:
    """The step at an even column, below the first row: Step. `cols` is at least 4.

    Cost: some milliseconds at 20 cells, about the square root of the number of words.
    """
    words, next_col = words_before(cols, col), min(col + 2, cols)
    cut, by_prefix = words.cut, words.cut > col
    to = Words(cols, 0, cut + 1) if next_col == cols else Words(cols, next_col, cut)
    if by_prefix:
        after, edits, names = _steps(_step_prefixes, words.prefixes, words.classes, cut, col)
        firsts, ranks, which_rank = _by_prefix(
            words.classes, words.suffixes, words.edges, words.length, after, edits, names, to.prefixes, to.bases
        )
        which_first = np.tile(np.arange(len(after), dtype=np.uint8), (len(words.suffixes), 1))
    else:
        groups = np.repeat(np.arange(len(words.edges) - 1), np.diff(words.edges))
        after, edits, names = _steps(_step_suffixes, words.suffixes, groups, words.length, col - cut, cols - cut)
        firsts, which_first, ranks = _by_suffix(
            words.prefixes, words.classes, cut, groups, words.edges,
            after, edits, names, to.prefixes, to.bases, to.suffixes, to.edges,
        )  # fmt: skip
        which_rank = np.tile(np.arange(len(after)), (len(words.prefixes), 1))
    return Step(words.classes, words.bases, words.edges, firsts, which_first.astype(np.uint8), ranks, which_rank)


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


def starts(cols: int) -> range:
    """Columns at which a step of two cells begins; the last one is of one cell when cols is odd."""
    return range(0, cols, 2)


def find(
    cols: int, lines: int, first_row: tuple[dict[Any, np.ndarray], tuple[np.ndarray, np.ndarray]]
) -> states.Tables:
    """Tables of all states of an empty grid, two cells a layer, below its first row: `states.Tables` of a diagram.

    Parameters
    ----------
    cols, lines : int    cells in a row, at least 4, and rows
    first_row : tuple    of the first row: tables by kind, and planes b and k of the states after it, by number

    States are the words that the first row leads to. There are fewer and fewer among the words: 0.7 at 12 cells, a
    third at 20. Cost: some additions and one look-up for each state and choice, twice; two bytes for each word.
    """
    tables, (b, k) = first_row
    kinds = [(False, col) for col in starts(cols)]
    follows = list(zip(kinds, kinds[1:] + kinds[:1], strict=True))
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
def _spread(classes, bases, edges, firsts, which_first, ranks, which_rank, fresh, eights, reached, following):
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
