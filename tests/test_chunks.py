"""Work in chunks: the same results everywhere, nothing lost when a process dies, nothing taken that is damaged."""

import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import chunk_functions
import pytest

from puzzlekit.jobs import chunks, workers
from puzzlekit.lab import bank, measure
from puzzlekit.machinery import sources
from puzzlekit.usowan import questions

CALLS = [{"text": "x" * n} for n in range(7)]
SIZES = list(range(7))


def test_results_come_in_order(tmp_path):
    assert chunks.run(chunk_functions.length, CALLS) == SIZES
    assert chunks.run(chunk_functions.length, CALLS, store=tmp_path) == SIZES
    assert chunks.run(chunk_functions.length, []) == []


def test_processes_give_the_same(tmp_path):
    assert chunks.run(chunk_functions.length, CALLS, scheduler="processes:2", store=tmp_path) == SIZES


def test_a_store_is_read_and_not_computed_again(tmp_path, monkeypatch):
    chunks.run(chunk_functions.length, CALLS, store=tmp_path, label="lengths")
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("lengths-") and len(list(folder.iterdir())) == len(CALLS)
    (folder / "3.json").unlink()
    asked = []
    monkeypatch.setattr(workers, "plain", lambda value: asked.append(value) or value)
    assert chunks.run(chunk_functions.length, CALLS, store=tmp_path, label="lengths") == SIZES
    assert asked == [3]


def test_a_store_never_mixes_works(tmp_path, monkeypatch):
    chunks.run(chunk_functions.length, CALLS, store=tmp_path)
    chunks.run(chunk_functions.length, CALLS[:3], store=tmp_path)
    monkeypatch.setattr(sources, "stamp_of", lambda *work: "other sources")
    chunks.run(chunk_functions.length, CALLS, store=tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("damage", ["", "{", '{"result": 3}', "[]", None])
def test_damaged_and_tampered_chunks_are_refused_by_name(tmp_path, damage):
    chunks.run(chunk_functions.length, CALLS, store=tmp_path)
    (folder,) = tmp_path.iterdir()
    text = (folder / "3.json").read_text()
    record = json.loads(text)
    record["result"] = 4  # changed by hand, with the old digest
    (folder / "3.json").write_text(json.dumps(record) if damage is None else damage)
    with pytest.raises(ValueError, match=r"3\.json is damaged"):
        chunks.run(chunk_functions.length, CALLS, store=tmp_path)
    (folder / "3.json").write_text((folder / "4.json").read_text())  # a chunk of the same work in another's place
    with pytest.raises(ValueError, match=r"3\.json is damaged"):
        chunks.run(chunk_functions.length, CALLS, store=tmp_path)


def test_functions_that_no_worker_can_find_are_refused(tmp_path):
    for function in (lambda text: 0, len, functools.partial(chunk_functions.length), chunks._Store.read):
        with pytest.raises(ValueError, match="no other process can find it"):
            chunks.run(function, CALLS, scheduler="processes")
        with pytest.raises(ValueError, match="no other process can find it"):
            chunks.run(function, CALLS, store=tmp_path)


@pytest.mark.parametrize("scheduler", ["there", "processes:0", "processes:x", "tcp:", "tcp://", "http://a"])
def test_unknown_schedulers_are_refused(scheduler):
    with pytest.raises(ValueError, match="unknown scheduler"):
        chunks.run(chunk_functions.length, CALLS, scheduler=scheduler)


def test_a_failing_chunk_is_named_after_all_others_are_done(tmp_path):
    calls = [*CALLS[:3], {"text": 5}, *CALLS[3:]]
    with pytest.raises(chunks.ChunkFailed, match=r'chunk 3 of 8, {"text": 5}: TypeError'):
        chunks.run(chunk_functions.length, calls, scheduler="processes:2", store=tmp_path)
    (folder,) = tmp_path.iterdir()
    assert len(list(folder.iterdir())) == 7
    with pytest.raises(TypeError):  # here, the error itself
        chunks.run(chunk_functions.length, calls)


def test_nothing_is_left_half_written_when_the_disk_is_full(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        chunks.run(chunk_functions.length, CALLS, store=tmp_path)
    (folder,) = tmp_path.iterdir()
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    assert chunks.run(chunk_functions.length, CALLS, store=tmp_path) == SIZES


def test_questions_are_asked_in_chunks_as_they_are_asked_here(tmp_path):
    question = functools.partial(questions.adding_true_numbers, top="count")
    here = measure.ask("usowan", [6], question, 30)["6x6"]
    there = measure.ask("usowan", [6], question, 30, scheduler="processes:2", chunk=7)["6x6"]
    assert here.equals(there)
    with pytest.raises(ValueError, match="no other process can find it"):
        measure.ask("usowan", [6], lambda board, answer: {}, 30, scheduler="processes:2")


def test_a_bank_has_the_same_bytes_wherever_it_is_made(tmp_path):
    files = [
        bank.build("tasquare", 4, 4, 45, file=tmp_path / f"{i}.jsonl", progress=False, scheduler=scheduler, keep=keep)
        for i, (scheduler, keep) in enumerate([("here", False), ("processes:2", False), ("here", True)])
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.jsonl", "1.jsonl", "2.jsonl"]
    assert len({file.read_bytes() for file in files}) == 1


WORK = """
import sys
from chunk_functions import slow
from puzzlekit import chunks
print("started", flush=True)
print(chunks.run(slow, [{"number": n} for n in range(12)], store=sys.argv[1]))
"""


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    paths = [Path(chunks.__file__).parent.parent, Path(__file__).parent]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-c", WORK, str(tmp_path)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "started\n"
    while len(list(tmp_path.glob("*/*.json"))) < 3:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*/*.json")}
    assert 3 <= len(kept) < 12
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert again.stdout == f"started\n{list(range(12))}\n"
    assert {name: file.stat().st_mtime_ns for file in tmp_path.glob("*/*.json") if (name := file.name) in kept} == kept


def test_a_chunk_that_kills_its_worker_is_given_up_and_the_others_finish(tmp_path):
    calls = [{"number": n} for n in range(6)]
    with pytest.raises(chunks.ChunkFailed, match=r"chunk 1 of 6.*its worker died 4 times"):
        chunks.run(chunk_functions.deadly, calls, scheduler="processes:2", store=tmp_path)
    assert sorted(file.stem for file in tmp_path.glob("*/*.json")) == ["0", "2", "3", "4", "5"]
