"""Work in chunks: one after the other, on processes of this machine, or on a dask cluster, with the same results bit
for bit.

A chunk is one call of a named function with arguments that JSON can hold; so is its result. Finished chunks are written
to a store at once, so that a run that was killed goes on where it stopped. A store belongs to one function, one list of
arguments and one state of the sources that the function rests on, and refuses chunks that are not its own.

Not here: the processes and machines (workers.py), what is computed, and how large a chunk should be (a tenth of a
second or more: a task costs some milliseconds).
"""

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ..machinery import files, sources
from . import workers
from .workers import HERE, Call

SCHEDULER = "PUZZLEKIT_SCHEDULER"  # environment: where to run
STORE = "PUZZLEKIT_CHUNKS"  # environment: where finished chunks are kept

Named = list[Any]  # a function as JSON holds it: its full name, and keywords


class ChunkFailed(ChildProcessError):
    """A chunk whose worker died every time, or whose function raised; the message names it."""


def run(
    function: Callable[..., Any],
    calls: Sequence[Call],
    *,
    scheduler: str | None = None,
    store: str | Path | None = None,
    label: str = "chunks",
    progress: bool = False,
) -> list[Any]:
    """Results of a function for a list of calls, in their order.

    Parameters
    ----------
    function : callable        a function at the top of a module; JSON values in, JSON values out
    calls : list of dict       keyword arguments of each call
    scheduler : str            "here", "processes", "processes:4" or the address of a dask scheduler, "tcp://host:8786";
                               None takes the environment's PUZZLEKIT_SCHEDULER, else "here"
    store : path               folder for finished chunks; None takes the environment's PUZZLEKIT_CHUNKS; "" keeps
                               nothing
    label : str                of the progress bar, and of the folder inside the store: a name, no path
    progress : bool            show a bar, from the third second on

    Returns
    -------
    list

    Raises
    ------
    ValueError                 an unknown scheduler; a label that is a path; a stored chunk that is damaged or of other
                               work, by its file name
    ChunkFailed                on workers, naming the first chunk that could not be finished; all others are finished
                               and stored first. Here, an error of the function itself comes through at once
    ConnectionError            the dask scheduler cannot be reached, or was lost; what was finished is stored

    >>> run(spans, [{"total": 2, "size": 1}, {"total": 3, "size": 2}])
    [[[0, 1], [1, 2]], [[0, 2], [2, 3]]]
    """
    scheduler = where(scheduler)
    kept = _Store((os.environ.get(STORE) if store is None else store) or None, function, calls, label)
    results, missing = {}, []
    for index in range(len(calls)):
        found = kept.read(index)
        if found is None:
            missing.append(index)
        else:
            results[index] = found["result"]
    failed = []
    silent = {} if progress else {"disable": True}  # an argument would go before TQDM_DISABLE of the environment
    with tqdm(total=len(calls), initial=len(results), desc=label, unit="chunk", delay=2, **silent) as bar:
        halves = {index: kept.half(index) for index in missing}
        try:
            with contextlib.closing(
                workers.run_on(scheduler, function, calls, halves)
            ) as finished:  # whatever happens, no worker stays
                for index, result, error in finished:
                    if error is not None:
                        failed.append((index, error))
                        continue
                    results[index] = kept.write(index, result)
                    bar.update()
        except KeyboardInterrupt as stop:
            if kept.folder is not None:
                stop.add_note(
                    f"{len(results)} of {len(calls)} chunks are kept in {kept.folder}; the same run goes on from there"
                )
            raise
    if failed:
        index, error = min(failed, key=lambda pair: pair[0])
        raise ChunkFailed(
            f"{label}: chunk {index} of {len(calls)}, {json.dumps(calls[index])[:200]}: {type(error).__name__}: {error}"
        ) from error
    return [results[index] for index in range(len(calls))]


def where(scheduler: str | None = None) -> str:
    """The scheduler that a run will use, checked: see `run`."""
    scheduler = scheduler or os.environ.get(SCHEDULER) or HERE
    kind, _, rest = scheduler.partition(":")
    processes = kind == "processes" and (not rest or (rest.isdigit() and int(rest) > 0))
    if not (scheduler == HERE or processes or (kind in ("tcp", "tls") and rest.startswith("//") and len(rest) > 2)):
        raise ValueError(
            f"unknown scheduler {scheduler!r}; choose 'here', 'processes', 'processes:4' or 'tcp://host:port'"
        )
    return scheduler


def in_use(scheduler: str | None = None) -> bool:
    """Whether a run would leave this process or keep anything: else work need not be cut into chunks."""
    return where(scheduler) != HERE or bool(os.environ.get(STORE))


def spans(total: int, size: int) -> list[tuple[int, int]]:
    """Bounds (first, last) that cut 0..total into pieces of at most `size`.

    >>> spans(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(first, min(first + size, total)) for first in range(0, total, size)]


def named(question: Callable[..., Any]) -> Named:
    """A function at the top of a module, or functools.partial of one with keywords, as JSON holds it: [name, keywords].

    >>> import functools
    >>> named(functools.partial(spans, size=2))
    ['puzzlekit.jobs.chunks.spans', {'size': 2}]
    """
    if isinstance(question, functools.partial) and not question.args:
        return [workers.name_of(question.func), question.keywords]
    return [workers.name_of(question), {}]


def function_of(question: Named) -> Callable[..., Any]:
    """What `named` was given."""
    name, keywords = question
    return functools.partial(workers.found(name), **keywords)


class _Store:
    """Finished chunks in a folder of their own work: one JSON file each, written whole or not at all."""

    def __init__(
        self, folder: str | Path | None, function: Callable[..., Any], calls: Sequence[Call], label: str
    ) -> None:
        self.folder: Path | None = None
        if Path(label).name != label or label == "..":
            raise ValueError(f"a label is a name for a folder, not {label!r}")
        if folder is not None:
            name = workers.name_of(function)
            work = json.dumps([name, calls, sources.stamp_of(name, calls)], sort_keys=True)
            self.work = hashlib.sha256(work.encode()).hexdigest()
            self.folder = Path(folder) / f"{label}-{self.work[:16]}"
            self.folder.mkdir(parents=True, exist_ok=True)

    def _file(self, index):
        assert self.folder is not None  # nobody asks for a file without a store
        return self.folder / f"{index}.json"

    def half(self, index: int) -> str | None:
        """Where a chunk may keep how far it has come, as text that can be sent; None without a store."""
        return None if self.folder is None else str(self.folder.resolve() / f"{index}.half")

    def read(self, index: int) -> dict[str, Any] | None:
        """The stored record of a chunk, or None where there is none. ValueError for one that is damaged or of other
        work.
        """
        if self.folder is None or not self._file(index).exists():
            return None
        try:
            record = json.loads(self._file(index).read_text("utf-8"))
            whole = record["digest"] == self._digest(index, record["result"])
        except (ValueError, KeyError, TypeError, RecursionError):
            whole = False
        if not whole:
            raise ValueError(
                f"{self._file(index)} is damaged or of other work; delete it to have this chunk computed again"
            )
        return record

    def write(self, index: int, result: Any) -> Any:
        if half := self.half(index):
            files.write_whole(self._file(index), json.dumps({"digest": self._digest(index, result), "result": result}))
            Path(half).unlink(missing_ok=True)
        return result

    def _digest(self, index, result):
        return hashlib.sha256(json.dumps([self.work, index, result], sort_keys=True).encode()).hexdigest()
