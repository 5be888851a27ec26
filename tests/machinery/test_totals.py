"""Labels of steps, added up over all answers of a diagram, against every answer walked by hand."""

import numpy as np
import pytest

from puzzlekit.machinery.frontier import Diagram


def labelled(seed, levels, states, choices):
    """A random diagram and its expansion: keys are below `states`, and label 0 to 5 hangs on key and choice alone."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, states, (states, choices))
    may = rng.random((states, choices)) < 0.8
    marks = rng.integers(0, 6, (states, choices)).astype(np.uint8)

    def expand(kind, keys):
        at = keys[:, 0].astype(int)
        return table[at][:, :, None].astype(np.uint64), may[at], marks[at]

    space = Diagram(start=0, kinds="a" * (levels + 1), expand=expand, accept=lambda keys: keys[:, 0] % 2 == 0)
    return space, table, marks


@pytest.mark.parametrize("seed", range(6))
def test_totals_are_those_of_every_answer(seed):
    space, table, marks = labelled(seed, levels=7, states=9, choices=3)
    times = np.zeros(6, int)
    for answer in space.unrank(range(space.count())):
        state = 0
        for choice in answer:
            times[marks[state, choice]] += 1
            state = table[state, choice]
    found = space.totals()
    assert found[0] == 0 and found[1:] == times[1 : len(found)].tolist() and not times[len(found) :].any()


def test_large_totals_are_exact():
    """Each step of 200 goes right, with label 1, in half of all answers."""

    def expand(kind, keys):
        after = np.zeros((len(keys), 2, 1), np.uint64)
        return after, np.ones((len(keys), 2), bool), np.tile(np.array([0, 1], np.uint8), (len(keys), 1))

    space = Diagram(start=0, kinds="a" * 201, expand=expand, accept=lambda keys: keys[:, 0] == 0)
    assert space.totals() == [0, 200 * 2**199]


def test_a_diagram_without_labels_has_no_totals():
    def expand(kind, keys):
        return np.zeros((len(keys), 2, 1), np.uint64), np.ones((len(keys), 2), bool)

    assert Diagram(start=0, kinds="aaa", expand=expand, accept=lambda keys: keys[:, 0] == 0).totals() == [0]
