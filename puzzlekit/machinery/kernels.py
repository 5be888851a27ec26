"""Compiled kernels: the one decorator, and a compile cache that can never be stale.

numba checks only the file of the kernel itself for changes, so a cached kernel survives a change in a callee of another file.
`use_cache` names the cache folder by a hash of all sources of the package; the command line, the report runner, the tests and
the benchmarks call it before numba is imported.
"""

import functools
import hashlib
import os
import shutil
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
STALE_AFTER = 14 * 24 * 3600  # seconds after which an unused cache of other sources is removed


def kernel(function=None, **options):
    """numba.njit with the cache on and the GIL released."""
    import numba

    if function is None:
        return functools.partial(kernel, **options)
    return numba.njit(cache=True, nogil=True, **options)(function)


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
    """Set NUMBA_CACHE_DIR to a folder for exactly these sources, unless the user has set it. Returns the folder."""
    if "NUMBA_CACHE_DIR" not in os.environ:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pencil-puzzlekit"
        folder = home / sources_digest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            for other in home.iterdir():
                if time.time() - other.stat().st_mtime > STALE_AFTER:
                    shutil.rmtree(other, ignore_errors=True)
        except OSError:
            return None  # nowhere to write: numba falls back on its own choice
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return Path(os.environ["NUMBA_CACHE_DIR"])
