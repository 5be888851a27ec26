"""Work in chunks: one after the other, on processes of this machine, or on a dask cluster, with the same results bit for bit.

A chunk is one call of a named function with arguments that JSON can hold; so is its result. Finished chunks are written to a
store at once, so that a run that was killed goes on where it stopped. A store belongs to one function, one list of arguments
and one state of the package's sources, and refuses chunks that are not its own.

Not here: what is computed, and how large a chunk should be (a tenth of a second or more: a task costs some milliseconds).
"""

import contextlib
import contextvars
import functools
import hashlib
import importlib
import json
import operator
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from pathlib import Path

from tqdm import tqdm

from . import files
from .machinery.kernels import sources_digest, use_cache

HERE = "here"
DEATHS = 4  # of its worker, after which a chunk is given up
SCHEDULER = "PUZZLEKIT_SCHEDULER"  # environment: where to run
STORE = "PUZZLEKIT_CHUNKS"  # environment: where finished chunks are kept
_half = contextvars.ContextVar("half", default=None)


class ChunkFailed(ChildProcessError):
    """A chunk whose worker died every time, or whose function raised; the message names it."""


def run(function, calls, *, scheduler=None, store=None, label="chunks", progress=False):
    """Results of a function for a list of calls, in their order.

    Parameters
    ----------
    function : callable        a function at the top of a module; JSON values in, JSON values out
    calls : list of dict       keyword arguments of each call
    scheduler : str            "here", "processes", "processes:4" or the address of a dask scheduler, "tcp://host:8786";
                               None takes the environment's PUZZLEKIT_SCHEDULER, else "here"
    store : path               folder for finished chunks; None takes the environment's PUZZLEKIT_CHUNKS, else nothing is kept
    label : str                of the progress bar, and of the folder inside the store
    progress : bool            show a bar, from the third second on

    Returns
    -------
    list

    Raises
    ------
    ValueError                 an unknown scheduler; a stored chunk that is damaged or of other work, by its file name
    ChunkFailed                on workers, naming the first chunk that could not be finished; all others are finished and stored
                               first. Here, an error of the function itself comes through at once
    ConnectionError            the dask scheduler cannot be reached, or was lost; what was finished is stored

    >>> run(spans, [{"total": 2, "size": 1}, {"total": 3, "size": 2}])
    [[[0, 1], [1, 2]], [[0, 2], [2, 3]]]
    """
    scheduler = where(scheduler)
    kept = _Store(store if store is not None else os.environ.get(STORE) or None, function, calls, label)
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
            with contextlib.closing(_run_on(scheduler, function, calls, halves)) as finished:  # whatever happens, no worker stays
                for index, result, error in finished:
                    if error is not None:
                        failed.append((index, error))
                        continue
                    results[index] = kept.write(index, result)
                    bar.update()
        except KeyboardInterrupt as error:
            if kept.folder is not None:
                error.add_note(f"{len(results)} of {len(calls)} chunks are kept in {kept.folder}; the same run goes on from there")
            raise
    if failed:
        index, error = min(failed, key=lambda pair: pair[0])
        raise ChunkFailed(
            f"{label}: chunk {index} of {len(calls)}, {json.dumps(calls[index])[:200]}: {type(error).__name__}: {error}"
        ) from error
    return [results[index] for index in range(len(calls))]


def where(scheduler=None):
    """The scheduler that a run will use, checked: see `run`."""
    scheduler = scheduler or os.environ.get(SCHEDULER) or HERE
    kind, _, rest = scheduler.partition(":")
    workers = kind == "processes" and (not rest or (rest.isdigit() and int(rest) > 0))
    if not (scheduler == HERE or workers or (kind in ("tcp", "tls") and rest.startswith("//") and len(rest) > 2)):
        raise ValueError(
            f"unknown scheduler {scheduler!r}; choose 'here', 'processes', 'processes:4' or 'tcp://host:port'"
        )
    return scheduler


def in_use(scheduler=None):
    """Whether a run would leave this process or keep anything: else work need not be cut into chunks."""
    return where(scheduler) != HERE or bool(os.environ.get(STORE))


def half():
    """The file in which the chunk at work may keep how far it has come, or None: there is no store, or none that it can see.

    It is gone as soon as the chunk is finished.
    """
    return _half.get()


def spans(total, size):
    """Bounds (first, last) that cut 0..total into pieces of at most `size`.

    >>> spans(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(first, min(first + size, total)) for first in range(0, total, size)]


# where chunks run; each yields (index, result, None) or (index, None, error), in any order; `halves` has the chunks that are
# missing, each with the file of `half` or None


def _run_on(scheduler, function, calls, halves):
    missing = list(halves)
    if scheduler == HERE:
        for index in missing:
            yield index, _answer(function, calls[index], halves[index]), None
        return
    name = _name(function)  # a lambda cannot be found on a worker: said before anything starts
    if missing and scheduler.startswith("processes"):
        workers = int(scheduler.partition(":")[2] or os.cpu_count() or 1)
        first, *rest = missing
        yield first, _answer(function, calls[first], halves[first]), None  # compiles the kernels once, for all workers
        yield from _on_processes(workers, name, calls, halves, rest)
    elif missing:
        yield from _on_cluster(scheduler, name, calls, halves)


def _on_processes(workers, name, calls, halves, missing):
    """A pool of processes, started anew when one of them dies; the chunks it had are tried again, each at most DEATHS times."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    deaths = dict.fromkeys(missing, 0)
    waiting = list(missing)
    while waiting:
        alone = any(deaths[index] > 0 for index in waiting)  # after a death one by one, to know whose fault it is
        batch = waiting[:1] if alone else waiting
        with ProcessPoolExecutor(1 if alone else workers, get_context("spawn"), initializer=_leave_with_parent) as pool:
            futures, died = {}, []
            try:
                with _deaf_children(), contextlib.suppress(BrokenProcessPool):  # a worker may die before all is handed out
                    for index in batch:
                        futures[pool.submit(_call, name, calls[index], sources_digest(), halves[index])] = index
                for future in as_completed(futures):
                    index = futures[future]
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        died.append(index)
                        continue
                    except Exception as error:
                        yield index, None, error
                    else:
                        yield index, result, None
                    waiting.remove(index)
            except BaseException:
                for worker in list((pool._processes or {}).values()):  # what they are at would take until its end
                    worker.terminate()
                raise
        for index in died:
            deaths[index] += 1
            if deaths[index] >= DEATHS:
                waiting.remove(index)
                yield index, None, RuntimeError(f"its worker died {DEATHS} times")
        waiting.sort(key=lambda index: -deaths[index])


@contextlib.contextmanager
def _deaf_children():
    """Processes started in here never hear Ctrl-C, which reaches all processes of a terminal: their parent ends them in order."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_with_parent():
    """In a worker: end when the process that started it has been killed and can no longer do so."""

    def watch():
        parent_process().join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_cluster(address, name, calls, halves):
    try:
        from distributed import Client, as_completed
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise ImportError("a cluster needs dask: install pencil-puzzlekit with its extra [cluster]") from None
    done = 0
    try:
        client = Client(address, timeout=10, name="puzzlekit")
    except (OSError, TimeoutError, ValueError) as error:
        raise ConnectionError(f"no scheduler answers at {address}: {error}") from None
    try:
        digest = sources_digest()
        futures = {
            client.submit(_call, name, calls[index], digest, half, pure=False, retries=0): index
            for index, half in halves.items()
        }
        for future in as_completed(futures):
            try:
                result, error = future.result(), None
            except (FutureCancelledError, CommClosedError):
                raise ConnectionError from None
            except KilledWorker:
                result, error = None, RuntimeError("its worker died every time")
            except Exception as problem:
                result, error = None, problem
            done += 1
            yield futures[future], result, error
        if done < len(halves):
            raise ConnectionError
    except (ConnectionError, CommClosedError, FutureCancelledError):
        raise ConnectionError(
            f"the scheduler at {address} was lost after {done} of {len(halves)} chunks; finished chunks are kept where there is a store"
        ) from None
    finally:
        client.close(timeout=2)


def _call(name, arguments, digest, half):
    """What a worker does: find the function in its own copy of the package, which must be the same."""
    use_cache()
    if sources_digest() != digest:
        raise RuntimeError("the worker has other sources of puzzlekit than this process")
    return _answer(_found(name), arguments, half)


def _answer(function, arguments, half):
    """The result of one call, as JSON holds it."""
    token = _half.set(Path(half) if half is not None and Path(half).parent.is_dir() else None)
    try:
        return _plain(function(**arguments))
    finally:
        _half.reset(token)


def _name(function: Callable):
    """Full name of a function by which a worker can find it."""
    name = f"{getattr(function, '__module__', None)}.{getattr(function, '__qualname__', '<unnamed>')}"
    module = getattr(function, "__module__", None) or "__main__"
    if module in ("__main__", "builtins") or "<" in name or name.count(".") != module.count(".") + 1:
        raise ValueError(f"{name} is not a function at the top of a module, so no other process can find it")
    return name


def _found(name):
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(module), function)


def named(question):
    """A function at the top of a module, or functools.partial of one with keywords, as JSON holds it: [name, keywords].

    >>> import functools
    >>> named(functools.partial(spans, size=2))
    ['puzzlekit.chunks.spans', {'size': 2}]
    """
    if isinstance(question, functools.partial) and not question.args:
        return [_name(question.func), question.keywords]
    return [_name(question), {}]


def function_of(question):
    """What `named` was given."""
    name, keywords = question
    return functools.partial(_found(name), **keywords)


def _plain(value):
    """A result as JSON holds it, so that it is the same whether it was stored, sent or neither. Numpy's integers become ints."""
    return json.loads(json.dumps(value, default=operator.index))


class _Store:
    """Finished chunks in a folder of their own work: one JSON file each, written whole or not at all."""

    def __init__(self, folder, function, calls, label):
        self.folder = None
        if folder is not None:
            work = json.dumps([_name(function), calls, sources_digest()], sort_keys=True)
            self.work = hashlib.sha256(work.encode()).hexdigest()
            self.folder = Path(folder) / f"{label}-{self.work[:16]}"
            self.folder.mkdir(parents=True, exist_ok=True)

    def _file(self, index):
        return self.folder / f"{index}.json"

    def half(self, index):
        """Where a chunk may keep how far it has come, as text that can be sent; None without a store."""
        return None if self.folder is None else str(self.folder.resolve() / f"{index}.half")

    def read(self, index):
        """The stored record of a chunk, or None where there is none. ValueError for one that is damaged or of other work."""
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

    def write(self, index, result):
        if self.folder is not None:
            files.write_whole(self._file(index), json.dumps({"digest": self._digest(index, result), "result": result}))
            Path(self.half(index)).unlink(missing_ok=True)
        return result

    def _digest(self, index, result):
        return hashlib.sha256(json.dumps([self.work, index, result], sort_keys=True).encode()).hexdigest()
