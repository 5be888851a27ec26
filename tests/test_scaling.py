"""Clocks are not tested for what they show, but for what is clocked, and that nothing is slower by being projected
elsewhere.
"""

from itertools import pairwise

import pytest

from puzzlekit.jobs import chunks
from puzzlekit.lab import bank
from puzzlekit.studies import scaling


def test_the_same_chunks_are_clocked_everywhere():
    job = scaling.bank_job("tasquare", 4, 45)
    frame = scaling.clocked(job, ["here", "processes:2"], repeats=1)
    assert list(frame["where"]) == ["here", "processes:2"] and frame["same"].all() and (frame["chunks"] == 3).all()
    assert frame["times"][0] == 1 and (frame["seconds"] > 0).all()


def test_what_is_clocked_is_done_and_not_read(tmp_path, monkeypatch):
    monkeypatch.setenv(chunks.STORE, str(tmp_path))
    scaling.clocked(scaling.bank_job("tasquare", 4, 25), ["here"], repeats=2)
    scaling.overhead("here", many=3)
    assert list(tmp_path.iterdir()) == []


def test_other_results_are_seen(monkeypatch):
    answers = iter(range(10))
    monkeypatch.setattr(scaling.chunks, "run", lambda *arguments, **options: next(answers))
    assert not scaling.clocked(scaling.bank_job("tasquare", 4, 5), ["here", "processes:2"], repeats=1)["same"].all()


def test_what_a_board_costs_on_disk():
    seconds, size = scaling.board_cost("tasquare", 6, 2)
    file = bank.path("tasquare", 6, 6)
    assert seconds > 0 and size == pytest.approx(file.stat().st_size / 1000)


@pytest.mark.parametrize("pieces", [1, 7, 1000])
def test_more_workers_are_never_slower_and_never_faster_than_their_number(pieces):
    cost = scaling.Overhead(1.0, 0.01)
    times = [scaling.projected(pieces, 0.5, workers, cost) for workers in range(1, 50)]
    assert all(later <= earlier for earlier, later in pairwise(times))
    assert all((times[0] - 1) / (time - 1) <= workers + 1e-9 for workers, time in enumerate(times, 1))
