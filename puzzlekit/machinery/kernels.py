"""Compiled kernels: the one decorator, and a compile cache that can never be stale.

numba checks only the file of the kernel itself for changes, so a cached kernel survives a change in a callee of another file.
`use_cache` names the cache folder by a hash of all sources of the package; the command line, the report runner, the tests and
the benchmarks call it before numba is imported. Where nothing can be written, kernels are compiled anew in every process.
"""

import functools
import hashlib
import os
import pickle
import shutil
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
STALE_AFTER = 14 * 24 * 3600  # seconds after which an unused cache of other sources is removed


def kernel(function=None, **options):
    """numba.njit with the cache on, as far as the disk allows, and the GIL released."""
    import numba

    if function is None:
        return functools.partial(kernel, **options)
    made = numba.njit(nogil=True, **options)(function)
    try:
        made.enable_caching()
    except RuntimeError:  # numba has found no folder that can be written
        return made
    made._cache.load_overload = _or_none(made._cache.load_overload)
    made._cache.save_overload = _or_none(made._cache.save_overload)
    return made


def _or_none(use):
    """A use of numba's cache that costs a compilation where the disk is full or a file is damaged, not the work."""

    def guarded(*arguments):
        try:
            return use(*arguments)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            return None

    return guarded


def inner(function):
    """A kernel that only other kernels call: compiled without the wrappers for Python, which cost more than the kernel."""
    return kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def lean(function):
    """An inner kernel that makes no array and returns none: compiled without reference counting.

    Otherwise numba counts every array of a NamedTuple up when a kernel is called and down when it returns, one by one, which
    costs more than most small kernels. numba refuses to make an array in such a kernel, but nothing stops it from returning one that
    it was handed, which would be counted down once too often.
    """
    return kernel(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


@functools.cache  # of the sources that this process runs, whatever happens to the files meanwhile
def sources_digest():
    """16 hexadecimal digits that stand for exactly these sources of the package."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def use_cache():
    """Set NUMBA_CACHE_DIR to a folder for exactly these sources, unless the user has set it. Returns the folder, or None.

    It is in the user's cache folder; where that cannot be written, beside the sources; else nowhere.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for home in (Path(usual, "pencil-puzzlekit"), PACKAGE / "__pycache__" / "kernels"):
        folder = home / sources_digest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            for other in home.iterdir():
                if time.time() - other.stat().st_mtime > STALE_AFTER:
                    shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
        return folder
    return None
