"""Remainders joined, and sweeps kept in a file."""

from math import gcd, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.jobs.checkpoint import Checkpoint
from puzzlekit.machinery import remainders


def test_moduli_are_coprime():
    moduli = remainders.moduli(40)
    assert len(set(moduli)) == 40 and all(1 << 62 < modulo < 1 << 63 for modulo in moduli)
    assert all(gcd(a, b) == 1 for i, a in enumerate(moduli) for b in moduli[:i])
    assert moduli[:7] == remainders.moduli(7)


@given(st.integers(0, 2**400))
def test_a_number_is_joined_from_its_remainders(number):
    moduli = remainders.enough(number.bit_length())
    assert remainders.joined([number % modulus for modulus in moduli], moduli) == number
    assert prod(moduli) > number and prod(moduli[:-1]) < 2 ** max(1, number.bit_length())  # enough, and none too many


WEIGHTS = np.arange(5, dtype=np.uint64)


def test_a_sweep_is_kept_whole_and_only_now_and_then(tmp_path):
    kept = Checkpoint(tmp_path / "half", "work", seconds=0)
    kept.save(7, WEIGHTS[::-1])
    place, weights = Checkpoint(tmp_path / "half", "work").load()
    assert place == 7 and weights.tolist() == [4, 3, 2, 1, 0]
    Checkpoint(tmp_path / "half", "work").save(6, WEIGHTS)  # too soon
    assert kept.load()[0] == 7 and [file.name for file in tmp_path.iterdir()] == ["half"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:-8],
        lambda data: b"",
        lambda data: data + bytes(8),
        lambda data: data.replace(b'"place": 7', b'"place": 6'),
        lambda data: data[8:],
        lambda data: data[:-1] + b"x",
        lambda data: b"[]\n",
        lambda data: b"\xff\n",
    ],
)
def test_a_damaged_sweep_is_refused(tmp_path, damage):
    kept = Checkpoint(tmp_path / "half", "work", seconds=0)
    kept.save(7, WEIGHTS)
    (tmp_path / "half").write_bytes(damage((tmp_path / "half").read_bytes()))
    with pytest.raises(ValueError, match="half is damaged or of other work"):
        kept.load()


def test_a_sweep_of_other_work_is_refused(tmp_path):
    Checkpoint(tmp_path / "half", "work", seconds=0).save(7, WEIGHTS)
    with pytest.raises(ValueError, match="half is damaged or of other work"):
        Checkpoint(tmp_path / "half", "other work").load()
