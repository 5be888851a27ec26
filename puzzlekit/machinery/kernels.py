"""Kernels: the decorators, and the folder in which compiled ones are kept.

A compiled kernel lies under the stamp of the sources that it rests on (sources.py), so a change in what it calls
compiles it again and a change elsewhere does not, however the package is imported. The folder is `NUMBA_CACHE_DIR`
where the user has set it, else in the user's own cache folder, else beside the sources; where none of them can be
written, every process compiles for itself.

Not here: how they are compiled (compiler.py, which needs numba; this module is imported before it).
"""

import contextlib
import functools
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from . import sources

Function = TypeVar("Function", bound=Callable[..., Any])  # a kernel has the type of what it compiles

STALE_AFTER = 14 * 24 * 3600  # seconds after which what was compiled from sources that nobody uses any more is removed


def kernel(function: Function, **options: bool) -> Function:
    """A function compiled by numba when it is first called, and kept; the GIL is released while it runs.

    With NUMBA_DISABLE_JIT in the environment, the function itself.
    """
    import numba

    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets it from the environment
        return function
    from . import compiler

    return compiler.KernelDispatcher(function, _folder(function), **options)  # type: ignore[arg-type, return-value]


def inner(function: Function) -> Function:
    """A kernel that only other kernels call: it is linked into them, and cannot be called from Python."""
    return kernel(function, inner=True)


def lean(function: Function) -> Function:
    """An inner kernel that makes no array and returns none: compiled without reference counting.

    Otherwise numba counts every array of a NamedTuple up when a kernel is called and down when it returns, one by one,
    which costs more than most small kernels. numba refuses to make an array in such a kernel, but nothing stops it from
    returning one that it was handed, which would be counted down once too often.
    """
    return kernel(function, inner=True, _nrt=False)


def _folder(function):
    """Where the compiled variants of a function are kept, or None: nowhere. A function typed into a notebook is not
    kept.
    """
    module = sources.module_of(function.__code__.co_filename)
    home = cache_home()
    if module is None or home is None:
        return None
    return home / f"{module}-{sources.stamp(module, whole=False)}"


@functools.cache
def cache_home() -> Path | None:
    """The folder of all that is compiled, or None where no folder can be written, which is then said once."""
    # Path would refuse where no home is known
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    beside = sources.PACKAGE / "__pycache__" / "kernels"
    asked = os.environ.get("NUMBA_CACHE_DIR")
    for home in [Path(asked)] if asked else [Path(usual, "pencil-puzzlekit"), beside]:
        try:
            home.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(home, os.W_OK | os.X_OK):
            _tidy(home)
            return home
    print(
        f"No folder for compiled code can be written, so every process compiles anew: {asked or usual}."
        " NUMBA_CACHE_DIR in the environment names another.",
        file=sys.stderr,
    )
    return None


def _tidy(home):
    """Once a day, remove what was compiled from sources that have not been used for long."""
    mark = home / "tidied"
    now = time.time()
    with contextlib.suppress(OSError):
        if mark.exists() and now - mark.stat().st_mtime < 24 * 3600:
            return
        mark.touch()
        for folder in home.glob(f"{sources.NAME}.*-*"):
            if now - folder.stat().st_mtime > STALE_AFTER:
                shutil.rmtree(folder, ignore_errors=True)
