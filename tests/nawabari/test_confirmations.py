"""What confirms a count has to fail when the count is wrong."""

import pytest

from puzzlekit.nawabari import profile, questions, residues


def test_a_right_count_is_confirmed():
    assert questions.confirmations(5) == {"another modulus": True, "neighbour turned": True, "diagram": True}
    assert questions.confirmations(5, diagram_to=4)["diagram"] is None
    assert questions.confirmations(1)["neighbour turned"] is True


@pytest.mark.parametrize("wrong", [1, -1, 2**64])
def test_a_wrong_count_is_confirmed_by_nothing_that_counts_squares(monkeypatch, wrong):
    right = profile.count
    monkeypatch.setattr(profile, "count", lambda rows, cols: right(rows, cols) + wrong)
    assert questions.confirmations(4) == {"another modulus": False, "neighbour turned": True, "diagram": False}


def test_a_sweep_that_depends_on_its_direction_is_noticed(monkeypatch):
    right = residues.residue
    monkeypatch.setattr(
        residues,
        "residue",
        lambda rows, cols, modulus, **options: right(rows, cols, modulus, **options) + (rows < cols),
    )
    assert questions.confirmations(4) == {"another modulus": True, "neighbour turned": False, "diagram": True}
