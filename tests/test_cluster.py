"""Work on a dask cluster of real processes on loopback: same results, a killed worker, a killed scheduler."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import chunk_functions
import pytest

from puzzlekit import nawabari
from puzzlekit.jobs import chunks, multimodular

distributed = pytest.importorskip("distributed", reason="needs the extra [cluster]")
HOST = "127.0.0.1"
CALLS = [{"number": n} for n in range(20)]
NUMBERS = list(range(20))
COMMAND = [sys.executable, "-m", "distributed.cli.dask_"]


def started(kind, *options):
    paths = [Path(chunks.__file__).parent.parent, Path(__file__).parent]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [*COMMAND[:-1], COMMAND[-1] + kind, *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def cluster(tmp_path):
    """(address, scheduler process, worker processes)."""
    scheduler = started("scheduler", "--host", HOST, "--port", "0", "--no-dashboard")
    for line in scheduler.stderr:
        if found := re.search(r"Scheduler at:\s+(tcp://\S+)", line):
            break
    threading.Thread(target=scheduler.stderr.read, daemon=True).start()
    options = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path / "dask")]
    workers = [started("worker", found[1], *options) for _ in range(2)]
    for worker in workers:
        threading.Thread(target=worker.stderr.read, daemon=True).start()
    yield found[1], scheduler, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def killed_after(process, folder, chunks_done):
    """Kill a process as soon as so many chunks are on disk."""

    def kill():
        while len(list(folder.glob("*/*.json"))) < chunks_done:
            time.sleep(0.02)
        process.kill()

    threading.Thread(target=kill, daemon=True).start()


def test_a_cluster_gives_the_same_and_a_killed_worker_loses_nothing(cluster, tmp_path):
    address, _, workers = cluster
    assert chunks.run(chunk_functions.slow, CALLS, scheduler=address) == NUMBERS
    assert multimodular.count("nawabari", 14, 13, scheduler=address) == nawabari.count(14, 13)
    killed_after(workers[0], tmp_path, 4)
    assert chunks.run(chunk_functions.slow, CALLS, scheduler=address, store=tmp_path) == NUMBERS
    with pytest.raises(chunks.ChunkFailed, match=r'chunk 2 of 3, {"number": "x", "seconds": "y"}: TypeError'):
        chunks.run(chunk_functions.slow, [*CALLS[:2], {"number": "x", "seconds": "y"}], scheduler=address)


def test_a_killed_scheduler_is_told_and_the_rest_is_done_later(cluster, tmp_path):
    address, scheduler, _ = cluster
    killed_after(scheduler, tmp_path, 4)
    with pytest.raises(ConnectionError, match=f"the scheduler at {address} was lost after .* of 20 chunks"):
        chunks.run(chunk_functions.slow, CALLS, scheduler=address, store=tmp_path)
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*/*.json")}
    assert 4 <= len(kept) < 20
    assert chunks.run(chunk_functions.slow, CALLS, store=tmp_path) == NUMBERS
    assert {name: file.stat().st_mtime_ns for file in tmp_path.glob("*/*.json") if (name := file.name) in kept} == kept


def test_an_address_where_nobody_answers_is_told():
    nobody = f"tcp://{HOST}:9"
    with pytest.raises(ConnectionError, match=f"no scheduler answers at {nobody}"):
        chunks.run(chunk_functions.slow, CALLS[:1], scheduler=nobody)
