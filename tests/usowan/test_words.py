"""Words numbered without hashing, against words spelled out one by one and the diagrams that hashing finds."""

import numpy as np
import pytest

from puzzlekit.usowan import profile, steps, words


def spelled(cols, separator):
    """Every word in lexicographic order, a tuple of digits: int (n, cols + 1)."""
    found = []

    def spell(word, depth):
        place = len(word)
        if place == cols + 1:
            found.extend([word] * (depth == 0))
            return
        run = place > 0 and word[-1] >= 2
        for digit in range(4):
            touches = place > 0 and separator not in (place - 1, place) and not run
            if digit < 2 and (touches or (digit == 1 and not run)):
                continue
            if digit >= 2 and (place == separator or (digit == 3 and (run or depth == 0))):
                continue
            spell((*word, digit), depth + (digit == 1) - (digit == 3))

    spell((), 0)
    return np.array(found)


def keys_of(digits):
    position = np.arange(digits.shape[1], dtype=np.uint64)
    shaded = np.uint64(0xFFFFFFFF) ^ ((digits >= 2).astype(np.uint64) << position).sum(axis=1, dtype=np.uint64)
    links = ((digits & 1).astype(np.uint64) << position).sum(axis=1, dtype=np.uint64)
    return shaded | (links << np.uint64(32))


@pytest.mark.parametrize("cols", range(4, 12))
def test_numbers_steps_and_ends_are_those_of_the_words_one_by_one(cols):
    for col in range(0, cols, 2):
        keys = keys_of(spelled(cols, col))
        following = keys_of(spelled(cols, 0 if col + 2 >= cols else col + 2))
        for cut in range(max(1, col - 1), min(cols, col + 5)):
            if cut != col and cut != col + 1:  # a cut beside the separator is never made
                found = words.Words(cols, col, cut)
                assert found.count == len(keys)
                assert (found.number(*profile._unpacked(keys)) == np.arange(1, len(keys) + 1)).all()
                assert (found.one_chain()[1:] == profile.accepted(keys)).all()
        step = steps.step(cols, col)
        everything = np.ones(step.words + 1, bool)
        table = steps._table(*step, everything, np.arange(len(following) + 1, dtype=np.uint32), len(everything))
        after = np.empty((len(keys), table.shape[1], 1), np.uint64)
        profile._expand(keys, col, cols, False, True, True, after)
        number = {0: 0} | {int(key): i + 1 for i, key in enumerate(following)}
        assert [[number[key] for key in row] for row in after[:, :, 0].tolist()] == table[1:].tolist()


@pytest.mark.parametrize("lines, across", [(2, 9), (3, 12), (9, 10), (13, 13), (14, 14), (20, 9), (4, 17)])
def test_diagrams_are_those_that_hashing_finds(lines, across, monkeypatch):
    space = profile.diagram(lines, across, transpose=False)
    monkeypatch.setattr(profile, "_BY_WORDS", 99)
    profile._remembered.cache_clear()
    hashed = profile.diagram(lines, across, transpose=False)
    profile._remembered.cache_clear()
    assert hashed._tables.keys() == space._tables.keys() and hashed._tables is not space._tables
    assert {kind: table.shape for kind, table in hashed._tables.items()} == {
        kind: table.shape for kind, table in space._tables.items()
    }
    assert hashed.states == space.states and hashed.count() == space.count()
    ranks = [space.count() * i // 40 for i in range(40)]
    assert (hashed.unrank(ranks) == space.unrank(ranks)).all()


def test_words_that_do_not_fit_are_refused():
    with pytest.raises(OverflowError, match="words of 31 cells do not fit 32-bit tables"):
        words.Words(31, 0, 16)
