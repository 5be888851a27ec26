"""Counts joined from remainders: each found by sweeps that may be stopped after any row, on any process."""

from pathlib import Path

import numpy as np
import pytest
from chunk_functions import where_half

from puzzlekit import GENRES
from puzzlekit.jobs import checkpoint, chunks, multimodular, workers
from puzzlekit.lab import sequences
from puzzlekit.machinery import remainders

STORED = {"usowan": "usowan_answers", "tasquare": "tasquare_answers", "nawabari": "nawabari_dissections"}
MODULI = (97, 2**32, remainders.LARGEST)


@pytest.mark.parametrize("genre, upto", [("usowan", 16), ("tasquare", 11), ("nawabari", 18)])
def test_squares_are_those_stored(genre, upto):
    for n, value in sequences.read(STORED[genre]).terms.items():
        if 1 <= n <= upto:
            assert multimodular.count(genre, n, n) == value


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 9), (2, 9), (9, 2), (10, 9), (9, 10), (11, 13), (30, 9), (3, 17)])
@pytest.mark.parametrize("genre", GENRES)
def test_rectangles_are_those_counted_at_once(genre, rows, cols):
    assert multimodular.count(genre, rows, cols) == GENRES[genre].count(rows, cols)


class Stopped(Exception):
    pass


def sizes(genre):
    return {"usowan": (12, 11), "tasquare": (7, 6), "nawabari": (17, 8)}[genre]


@pytest.mark.parametrize("genre", GENRES)
def test_a_sweep_stopped_after_each_of_its_rows_goes_on_from_there(genre, tmp_path, monkeypatch):
    whole = GENRES[genre].residue(*sizes(genre), 10**9 + 7)
    kept = checkpoint.Checkpoint(tmp_path / "half", "work", seconds=0)
    places = []

    def save_and_stop(place, weights):
        checkpoint.Checkpoint.save(kept, place, weights)
        places.append(place)
        raise Stopped

    monkeypatch.setattr(kept, "save", save_and_stop)
    for _ in range(100):
        try:
            assert GENRES[genre].residue(*sizes(genre), 10**9 + 7, kept=kept) == whole
            break
        except Stopped:
            pass
    assert len(places) == len(set(places)) >= 7  # each start went one row on


def test_what_a_sweep_had_kept_is_used_and_nothing_else(tmp_path):
    """Other weights in the file give another result: so the sweep does go on from them."""
    kept = checkpoint.Checkpoint(tmp_path / "half", "work", seconds=0)
    GENRES["usowan"].residue(12, 11, 10**9 + 7, kept=kept)
    place, weights = kept.load()
    kept.save(place, (weights * np.uint64(2)) % np.uint64(10**9 + 7))
    assert GENRES["usowan"].residue(12, 11, 10**9 + 7, kept=kept) == 2 * GENRES["usowan"].count(12, 11) % (10**9 + 7)


def test_a_stopped_count_goes_on_and_leaves_only_its_chunks(tmp_path, monkeypatch):
    stops = iter([3, 5])

    class Interrupted(checkpoint.Checkpoint):
        def __init__(self, file, work):
            super().__init__(file, work, seconds=0)
            self.left = next(stops, 10**6)

        def save(self, place, weights):
            super().save(place, weights)
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "Checkpoint", Interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            multimodular.count("usowan", 13, 12, store=tmp_path)
        assert [file.suffix for file in tmp_path.glob("*/*")] == [".half"]
    assert multimodular.count("usowan", 13, 12, store=tmp_path) == GENRES["usowan"].count(13, 12)
    assert {file.suffix for file in tmp_path.glob("*/*")} == {".json"}


def test_processes_give_the_same(tmp_path):
    value = sequences.read("nawabari_dissections").terms[16]
    assert multimodular.count("nawabari", 16, 16, scheduler="processes:2", store=tmp_path) == value
    assert len(list(tmp_path.glob("*/*.json"))) == len(multimodular.plan("nawabari", 16, 16)) == 6


def test_a_wrong_remainder_is_noticed(monkeypatch):
    calls = multimodular.plan("nawabari", 12, 12)
    right = [multimodular.remainder(**call) for call in calls]
    assert len(right) == 4
    for at in range(len(right)):
        wrong = [value + (i == at) for i, value in enumerate(right)]
        monkeypatch.setattr(chunks, "run", lambda *arguments, wrong=wrong, **options: wrong)
        with pytest.raises(
            ArithmeticError, match=r"nawabari 12x12: the remainder by .* one of the remainders is wrong"
        ):
            multimodular.count("nawabari", 12, 12)


@pytest.mark.parametrize("genre, size", [("usowan", (24, 24)), ("tasquare", (19, 19)), ("nawabari", (36, 36))])
def test_memory_is_refused_beforehand(genre, size):
    with pytest.raises(MemoryError, match=r"bytes needed .*, the budget is 1,000,000"):
        GENRES[genre].residue(*size, 97, budget=1_000_000)


@pytest.mark.parametrize("genre", GENRES)
def test_a_bound_is_never_below_the_count(genre):
    for rows, cols in ((1, 1), (1, 7), (5, 5), (9, 8), (12, 10)):
        assert GENRES[genre].count(rows, cols).bit_length() <= GENRES[genre].bits_needed(rows, cols)


def test_grids_that_cannot_be_counted():
    for genre in GENRES:
        with pytest.raises(ValueError, match="rows"):
            multimodular.count(genre, 0, 3)
    with pytest.raises(ValueError, match="too wide"):
        multimodular.count("usowan", 40, 40)
    with pytest.raises(KeyError):
        multimodular.count("sudoku", 9, 9)


def test_half_done_files_only_where_the_store_can_be_seen(tmp_path):
    assert chunks.run(where_half, [{}]) == [None]
    (found,) = chunks.run(where_half, [{}], store=tmp_path)
    assert Path(found).parent == next(tmp_path.iterdir()).resolve() and found.endswith("0.half")
    assert workers._answer(where_half, {}, str(tmp_path / "elsewhere" / "0.half")) is None
