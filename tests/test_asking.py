"""Every measuring function gives the same table here, kept in chunks and from processes; a worker with another bank
refuses.
"""

import shutil

import pandas as pd
import pytest

from puzzlekit import usowan
from puzzlekit.jobs import chunks
from puzzlekit.lab import asking, bank, comparison, measure, tables
from puzzlekit.usowan import questions

BOARDS = 7
MEASURED = {
    "ask": lambda **where: measure.ask("usowan", [4], questions.printed, BOARDS - 1, **where)["4x4"],
    "rungs": lambda **where: measure.rungs("usowan", [4], **where),
    "pruning": lambda **where: measure.pruning("usowan", [4], ["cell"], cap=3, **where),
    "difficulty": lambda **where: pd.concat(measure.difficulty("usowan", [4], **where)),
    "misreadings": lambda **where: pd.concat(measure.misreadings("usowan", [4], **where)),
    "space": lambda **where: measure.space("usowan", [1, 2, 3], **where),
    "marginals": lambda **where: measure.marginals("usowan", [2, 3, 4], **where),
    "sampler_check": lambda **where: measure.sampler_check("usowan", [4], [8], seed=1, **where),
    "figures": lambda **where: comparison.figures(bank.load("usowan", 4, 4).boards, [4], **where),
    "each": lambda **where: measure.each(usowan.count, [{"rows": 2, "cols": n} for n in range(1, 8)], **where),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A data folder with one bank of a few boards."""
    data = tmp_path_factory.mktemp("data")
    shutil.copytree(tables.folder() / "published", data / "published")
    bank.build("usowan", 4, 4, BOARDS, file=data / "banks" / "usowan_4x4.jsonl", progress=False)
    return data


@pytest.fixture
def tiny(folder, monkeypatch):
    """That folder in place of the checkout's, and chunks of at most four boards."""
    monkeypatch.setenv("PUZZLEKIT_DATA", str(folder))
    spans = chunks.spans
    monkeypatch.setattr(chunks, "spans", lambda total, size: spans(total, min(size, 4)))
    return folder


@pytest.mark.parametrize("name", MEASURED)
def test_tables_do_not_depend_on_chunks(name, tiny, tmp_path, monkeypatch):
    here = MEASURED[name]()
    monkeypatch.setenv("PUZZLEKIT_CHUNKS", str(tmp_path))
    kept = MEASURED[name]()
    assert len(list(tmp_path.rglob("*.json"))) >= 2
    pd.testing.assert_frame_equal(here, kept)


@pytest.mark.parametrize("name", ["misreadings", "sampler_check"])
def test_tables_do_not_depend_on_processes(name, tiny):
    pd.testing.assert_frame_equal(MEASURED[name](), MEASURED[name](scheduler="processes:2"))


def test_a_worker_with_another_bank_refuses(tiny, tmp_path, monkeypatch):
    total, digest = bank.extent("usowan", 4, 4)
    what = {
        "genre": "usowan",
        "rows": 4,
        "cols": 4,
        "boards": None,
        "question": chunks.named(questions.printed),
        "first": 2,
        "last": 5,
    }
    found = bank.load("usowan", 4, 4)
    assert asking.asked(**what, digest=digest) == [questions.printed(board, None) for board in found.boards[2:5]]
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    bank.build("usowan", 4, 4, total + 1, progress=False)
    with pytest.raises(ValueError, match="the usowan bank of 4x4 is another one here"):
        asking.asked(**what, digest=digest)


def test_chunks_of_draws_have_seeds_of_their_own(tiny):
    """The draws of a chunk are those of its own generator, whatever comes before."""
    drawn = measure.ask_draws("usowan", 4, questions_of_draws, 9, 5)
    assert [len(chunk) for chunk in drawn] == [4, 4, 1] and drawn[0] != drawn[1]
    assert (
        drawn
        == measure.ask_draws("usowan", 4, questions_of_draws, 9, 5)
        != measure.ask_draws("usowan", 4, questions_of_draws, 9, 6)
    )
    assert asking.drawn("usowan", 4, chunks.named(questions_of_draws), 5, 1, 4) == drawn[1]


def questions_of_draws(answers):
    return answers.tolist()


def test_too_few_boards_are_refused_before_anything_is_asked(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_CHUNKS", str(tmp_path))
    with pytest.raises(ValueError, match="boards must be from 1 to 7, not 8"):
        measure.rungs("usowan", [4], 8)
    with pytest.raises(ValueError, match=r"no bank large/usowan_4x4.jsonl"):
        measure.rungs("usowan", [4], 10_000)
    assert list(tmp_path.iterdir()) == []


def test_each_keeps_numbers_whole_beside_missing_ones():
    frame = measure.each(may_be_missing, [{"n": 0}, {"n": 3}])
    assert (
        frame["value"].tolist() == [None, 2**70 + 3] and frame["n"].tolist() == [0, 3] and frame["n"].dtype == "int64"
    )


def may_be_missing(n):
    return {"value": 2**70 + n if n else None}
