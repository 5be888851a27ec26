"""How work in chunks scales: the same chunks on more and more workers, clocked; what a task costs by itself; and
projections from both.

Times are of this machine and of this moment: they are kept as timings, which nothing is compared with. Not here: the
chunks.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from .. import GENRES
from ..jobs import chunks
from ..jobs.workers import Call
from ..lab import bank

REPEATS = 3


class Job(NamedTuple):
    """Work in chunks.

    name : str
    function : callable     as `chunks.run` takes it
    calls : list of dict
    """

    name: str
    function: Callable[..., Any]
    calls: Sequence[Call]


def bank_job(genre: str, size: int, boards: int) -> Job:
    """Making so many boards of a bank."""
    what = {"genre": genre, "rows": size, "cols": size, "seed": bank.SEED}
    calls = [what | {"first": first, "last": last} for first, last in chunks.spans(boards, bank.CHUNK)]
    return Job(f"{boards} {genre.capitalize()} boards of {size} x {size}", bank.made, calls)


def nothing(number: int) -> int:
    """The smallest chunk there is: what it takes is what any chunk takes besides its work."""
    return number


def clocked(job: Job, schedulers: Sequence[str], repeats: int = REPEATS) -> pd.DataFrame:
    """The same chunks in several places.

    Parameters
    ----------
    job : Job
    schedulers : list of str    see `chunks.run`; the first one is what the others are compared with
    repeats : int               each place gets so many tries, one after the other in turn, and the median of them
                                counts

    Returns
    -------
    DataFrame     work, where, workers, chunks, seconds (elapsed), times (as fast as the first), same (results as of the
                  first)
    """
    chunks.run(job.function, job.calls[:1], store="")  # compiles
    seconds: dict[str, list[float]] = {where: [] for where in schedulers}
    results = {}
    for _ in range(repeats):
        for where in schedulers:
            start = time.perf_counter()
            results[where] = chunks.run(
                job.function, job.calls, scheduler=where, store=""
            )  # nothing may be there already
            seconds[where].append(time.perf_counter() - start)
    middle = {where: sorted(times)[len(times) // 2] for where, times in seconds.items()}
    return pd.DataFrame([
        {
            "work": job.name, "where": where, "chunks": len(job.calls), "seconds": middle[where],
            "times": middle[schedulers[0]] / middle[where], "same": results[where] == results[schedulers[0]],
        }
        for where in schedulers
    ])  # fmt: skip


class Overhead(NamedTuple):
    """Seconds until workers are at work, and seconds that each further chunk costs besides its work."""

    start: float
    chunk: float


def overhead(scheduler: str, many: int = 2000) -> Overhead:
    """What a place costs by itself, from two runs of chunks that do nothing: Overhead."""
    spent = []
    for n in (2, many + 2):
        start = time.perf_counter()
        chunks.run(nothing, [{"number": number} for number in range(n)], scheduler=scheduler, store="")
        spent.append(time.perf_counter() - start)
    return Overhead(spent[0], max(0.0, spent[1] - spent[0]) / many)


def projected(pieces: int, seconds: float, workers: int, cost: Overhead) -> float:
    """Seconds that so many chunks take on some workers, if nothing else slows them down.

    Parameters
    ----------
    pieces : int          chunks
    seconds : float       work of a chunk
    workers : int
    cost : Overhead       of the place where they run: chunks are handed out by one process, one after the other

    >>> [projected(100, 2.0, workers, Overhead(3.0, 0.125)) for workers in (10, 1000)]
    [24.25, 17.5]
    """
    rounds = -(-pieces // workers)
    return cost.start + max(rounds * (seconds + cost.chunk), pieces * cost.chunk + seconds)


def board_cost(genre: str, size: int, boards: int) -> tuple[float, float]:
    """Seconds of processor time to make a board of a bank, and bytes that it takes there."""
    bank.made(genre, size, size, bank.SEED, 0, 1)  # compiles
    start = time.process_time()
    bank.made(genre, size, size, bank.SEED, 0, boards)
    spent = time.process_time() - start
    stored = bank.path(genre, size, size)
    return spent / boards, stored.stat().st_size / bank.load(genre, size, size).header["boards"]


def remainder_cost(genre: str, size: int, modulus: int) -> tuple[float, int]:
    """Seconds of processor time of one remainder of a square's count, and the remainder."""
    GENRES[genre].residue(10, 10, modulus)  # compiles
    start = time.process_time()
    remainder = GENRES[genre].residue(size, size, modulus)
    return time.process_time() - start, remainder
