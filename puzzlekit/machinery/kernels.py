"""Kernels: the decorators, and the folder in which compiled ones are kept.

A compiled kernel lies under the stamp of the sources that it rests on (sources.py), so a change in what it calls
compiles it again and a change elsewhere does not, however the package is imported. The folder is `NUMBA_CACHE_DIR`
where the user has set it, else in the user's own cache folder, else beside the sources; where none of them can be
written, every process compiles for itself.

A loop that every genre needs is a `loop`: a kernel with hooks, made into a real one for each genre that binds them.

Not here: how they are compiled (compiler.py, which needs numba; this module is imported before it).
"""

import contextlib
import functools
import os
import shutil
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from . import sources

Function = TypeVar("Function", bound=Callable[..., Any])  # a kernel has the type of what it compiles

STALE_AFTER = 14 * 24 * 3600  # seconds after which what was compiled from sources that nobody uses any more is removed


def kernel(function: Function, hooks: tuple = (), **options: bool) -> Function:
    """A function compiled by numba when it is first called, and kept; the GIL is released while it runs.

    With NUMBA_DISABLE_JIT in the environment, the function itself.
    """
    import numba

    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets it from the environment
        return function
    from . import compiler

    folder = _folder(function, hooks)
    return compiler.KernelDispatcher(function, folder, hooks, **options)  # type: ignore[arg-type, return-value]


def inner(function: Function, hooks: tuple = ()) -> Function:
    """A kernel that only other kernels call: it is linked into them, and cannot be called from Python."""
    return kernel(function, hooks, inner=True)


def lean(function: Function, hooks: tuple = ()) -> Function:
    """An inner kernel that makes no array and returns none: compiled without reference counting.

    Otherwise numba counts every array of a NamedTuple up when a kernel is called and down when it returns, one by one,
    which costs more than most small kernels. numba refuses to make an array in such a kernel, but nothing stops it from
    returning one that it was handed, which would be counted down once too often.
    """
    return kernel(function, hooks, inner=True, _nrt=False)


class Hook:
    """What a loop calls without knowing it, a name in the loop's module; `words` say what a genre binds to it."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"a hook that nobody has bound: {self.words}")


class Loop:
    """A kernel with hooks; see `loop`."""

    def __init__(self, function: types.FunctionType, decorate: Callable) -> None:
        self.function, self.decorate = function, decorate
        self.__qualname__, self.__doc__ = function.__qualname__, function.__doc__

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.__qualname__} is a loop: bind its hooks with `of`")

    @functools.cached_property
    def uses(self) -> dict[str, Any]:
        """The hooks and loops that it calls, by their names in its module."""
        known = {name: self.function.__globals__.get(name) for name in self.function.__code__.co_names}
        return {name: value for name, value in known.items() if isinstance(value, (Hook, Loop))}

    @functools.cached_property
    def hooks(self) -> set[str]:
        """The names of all hooks that have to be bound."""
        return {
            each for name, value in self.uses.items() for each in (value.hooks if isinstance(value, Loop) else {name})
        }

    def of(self, module: str, **hooks: Any) -> Callable[..., Any]:
        """The kernel of a module (its `__name__`) that calls these kernels.

        numba cannot keep a kernel that is handed another one. So the loop is copied, with the hooks among its globals,
        and belongs to the module that binds them: its stamp covers both. Loops that the loop calls are bound alike.

        Raises
        ------
        TypeError     a hook is missing or too many, or the module's imports do not reach the loop's own module
        """
        if set(hooks) != self.hooks:
            raise TypeError(f"{self.__qualname__} has the hooks {sorted(self.hooks)}, not {sorted(hooks)}")
        home = sources.module_of(self.function.__code__.co_filename)
        if sources.is_ours(module) and home and not sources.rests(module, home):
            raise TypeError(f"{module} binds {self.__qualname__} without importing {home} at its top")
        return _bound(self, module, tuple(sorted(hooks.items())))


def loop(decorate: Callable) -> Callable[..., Any]:
    """A loop that genres share: a function that calls hooks by their names in its module, each a `Hook` there.

    decorate : callable     the kind of kernel that it becomes: kernel, inner or lean

    >>> step = Hook("a number -> the next one")
    >>> @loop(inner)
    ... def twice(n):
    ...     return step(step(n))
    >>> sorted(twice.hooks)
    ['step']
    """
    return functools.partial(Loop, decorate=decorate)


@functools.cache
def _bound(template, module, hooks):
    plain, bound = template.function, dict(hooks)
    names = {
        name: bound[name] if isinstance(value, Hook) else _bound(value, module, _those(value.hooks, hooks))
        for name, value in template.uses.items()
    }
    function = types.FunctionType(
        plain.__code__, {**plain.__globals__, **names, "__name__": module}, plain.__name__, plain.__defaults__
    )
    function.__qualname__, function.__doc__ = plain.__qualname__, plain.__doc__
    return template.decorate(function, hooks)


def _those(names, hooks):
    return tuple((name, value) for name, value in hooks if name in names)


def _folder(function, hooks):
    """Where the compiled variants of a function are kept, or None: nowhere. A function typed into a notebook is not
    kept. A loop is kept where the module lies that binds its hooks.
    """
    module = function.__module__ if hooks else sources.module_of(function.__code__.co_filename)
    home = cache_home()
    if module is None or home is None or not sources.is_ours(module):
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
