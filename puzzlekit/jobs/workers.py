"""Where chunks run: in this process, on processes of this machine, or on a dask cluster.

`run_on` is all that chunks.py needs. Not here: what is kept of finished chunks.
"""

import contextlib
import contextvars
import importlib
import json
import operator
import os
import signal
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from ..machinery import sources

HERE = "here"
DEATHS = 4  # of its worker, after which a chunk is given up
_half: contextvars.ContextVar[Path | None] = contextvars.ContextVar("half", default=None)

Call = Mapping[str, Any]  # keyword arguments of one call, as JSON holds them
Outcome = tuple[int, Any, Exception | None]  # index of a call, its result, or why it has none


def half() -> Path | None:
    """The file in which the chunk at work may keep how far it has come, or None: there is no store, or none that it can
    see.

    It is gone as soon as the chunk is finished.
    """
    return _half.get()


def run_on(
    scheduler: str, function: Callable[..., Any], calls: Sequence[Call], halves: Mapping[int, str | None]
) -> Generator[Outcome, None, None]:
    """Call a function of plain arguments with some of a list of arguments.

    Parameters
    ----------
    scheduler : str            as `chunks.where` gives it
    function : callable
    calls : list of dict
    halves : dict              index of each call that is to be made to its file for `half`, or None

    Yields
    ------
    (index, result, None) or (index, None, error), in any order
    """
    missing = list(halves)
    if scheduler == HERE:
        for index in missing:
            yield index, _answer(function, calls[index], halves[index]), None
        return
    name = name_of(function)  # a lambda cannot be found on a worker: said before anything starts
    if missing and scheduler.startswith("processes"):
        workers = int(scheduler.partition(":")[2] or os.cpu_count() or 1)
        first, *rest = missing
        yield first, _answer(function, calls[first], halves[first]), None  # compiles the kernels once, for all workers
        yield from _on_processes(workers, name, calls, halves, rest)
    elif missing:
        yield from _on_cluster(scheduler, name, calls, halves)


def _on_processes(workers, name, calls, halves, missing):
    """A pool of processes, started anew when one of them dies; the chunks it had are tried again, each at most DEATHS
    times.
    """
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
                with (
                    _deaf_children(),
                    contextlib.suppress(BrokenProcessPool),
                ):  # a worker may die before all is handed out
                    for index in batch:
                        stamp = sources.stamp_of(name, calls[index])
                        futures[pool.submit(_call, name, calls[index], stamp, halves[index])] = index
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
    """Processes started in here never hear Ctrl-C, which reaches all processes of a terminal: their parent ends them in
    order.
    """
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

    parent = parent_process()
    if parent is None:
        return

    def watch():
        parent.join()
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
    except (OSError, TimeoutError, ValueError) as problem:
        raise ConnectionError(f"no scheduler answers at {address}: {problem}") from None
    try:
        futures = {
            client.submit(
                _call, name, calls[index], sources.stamp_of(name, calls[index]), half, pure=False, retries=0
            ): index
            for index, half in halves.items()
        }
        error: Exception | None
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
            f"the scheduler at {address} was lost after {done} of {len(halves)} chunks; "
            "finished chunks are kept where there is a store"
        ) from None
    finally:
        client.close(timeout=2)


def _call(name, arguments, stamp, half):
    """What a worker does: find the function in its own copy of the package, which must be the same in all it needs."""
    if sources.stamp_of(name, arguments) != stamp:
        raise RuntimeError("the worker has other sources of puzzlekit than this process")
    return _answer(found(name), arguments, half)


def _answer(function, arguments, half):
    """The result of one call, as JSON holds it."""
    token = _half.set(Path(half) if half is not None and Path(half).parent.is_dir() else None)
    try:
        return plain(function(**arguments))
    finally:
        _half.reset(token)


def name_of(function: Callable[..., Any]) -> str:
    """Full name of a function by which a worker can find it."""
    name = f"{getattr(function, '__module__', None)}.{getattr(function, '__qualname__', '<unnamed>')}"
    module = getattr(function, "__module__", None) or "__main__"
    if module in ("__main__", "builtins") or "<" in name or name.count(".") != module.count(".") + 1:
        raise ValueError(f"{name} is not a function at the top of a module, so no other process can find it")
    return name


def found(name: str) -> Callable[..., Any]:
    """The function of a name that `name_of` gave."""
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(module), function)


def plain(value: Any) -> Any:
    """A result as JSON holds it, so that it is the same whether it was stored, sent or neither. Numpy's integers become
    ints.
    """
    return json.loads(json.dumps(value, default=operator.index))
