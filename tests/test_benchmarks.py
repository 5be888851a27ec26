"""The opponents of benchmarks/counting.py agree with ours on small grids, and its tables can be printed."""

import importlib
import sys
from pathlib import Path

import pytest

from puzzlekit import tasquare, usowan

GRIDS = [(1, 1), (1, 4), (2, 2), (3, 1), (2, 5), (4, 3), (4, 4), (3, 6), (6, 6)]


@pytest.fixture(scope="module")
def counting():
    kept = list(sys.path)
    sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "benchmarks")]
    try:
        yield importlib.import_module("counting")
    finally:
        sys.path[:] = kept


@pytest.mark.parametrize("rows, cols", GRIDS)
def test_sweeps_agree(counting, rows, cols):
    exact = usowan.count(rows, cols)
    assert counting.sweeps.usowan_map(rows, cols) == counting.sweeps.usowan_typed(rows, cols) == exact
    assert counting.sweeps.tasquare_rows(rows, cols) == tasquare.count(rows, cols)


def test_the_typed_sweep_goes_beyond_one_word(counting):
    assert counting.sweeps.usowan_typed(11, 11) == usowan.count(11, 11) > 1 << 64


def test_graphillion_agrees(counting):
    if not counting.sweeps.has_graphillion():
        pytest.skip("graphillion is not installed; it is in the dependency group benchmark")
    for n in (3, 4, 5):
        found = counting.alone("from opponents import sweeps", f"sweeps.usowan_graphillion({n}, {n})")
        assert found[1] == usowan.count(n, n)


def test_tables_are_printed(counting, capsys):
    counting.against("tasquare", (3, 4), 1)
    counting.growth("usowan", (4, 5), 1)
    printed = capsys.readouterr().out
    assert "| 4 x 4 | 739 |" in printed and "numpy copies" in printed
