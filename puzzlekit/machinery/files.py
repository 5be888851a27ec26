"""Files: written whole or not at all, by one process at a time, read line by line, and every fault told with the name
of the file.

Not here: what a file means.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

LARGEST = 1 << 30  # bytes of a file that is read as a whole

StrPath = str | os.PathLike[str]


def write_whole(path: StrPath, *parts: str | bytes | bytearray | memoryview) -> None:
    """Write a file so that under its name there is always all of what was there or all of what is new.

    Parameters
    ----------
    path : path      its folder is there already; what is not a plain file (a terminal, a pipe) is written to as it is
    parts : str (written as UTF-8) or bytes-like

    Raises
    ------
    OSError          naming the file, not the temporary one beside it, which is gone again
    """
    path = Path(path)
    data = [part.encode() if isinstance(part, str) else part for part in parts]
    if path.exists() and (not path.is_file() or path.is_relative_to("/dev")):
        with open(path, "wb", opener=_not_waiting) as file:
            os.set_blocking(file.fileno(), True)
            file.writelines(data)
        return
    if path.is_symlink():
        path = Path(os.path.realpath(path))  # the link stays
        if path.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            file.writelines(data)
            file.flush()
            os.fsync(file.fileno())  # else a full disk may be noticed only later, and a crash leave an empty file
        part.replace(path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _not_waiting(path, flags):
    """Opened at once: a pipe that nobody reads is an error, where it would be waited for without an end."""
    return os.open(path, flags | os.O_NONBLOCK, 0o666)


def expect_plain(path: StrPath) -> None:
    """OSError when there is something under a path that is no plain file: a folder, a pipe, a device, a link in a
    circle.
    """
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a plain file", str(path))


def expect_writable(path: StrPath) -> None:
    """PermissionError when nothing can be written into a folder (or where it would have to be made): before work, not
    after it.
    """
    folder = Path(path)
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"the folder {folder} cannot be written")


def read_lines(path: StrPath, shown: str | None = None) -> list[str]:
    """Lines of a file of UTF-8 text that ends with a line break, without the breaks.

    Parameters
    ----------
    path : path
    shown : str      what errors call it; its name by default

    Returns
    -------
    list of str

    Raises
    ------
    ValueError       naming the line that is not UTF-8, or is cut off; more than LARGEST bytes
    OSError          no plain file
    """
    path = Path(path)
    shown = shown or path.name
    expect_plain(path)
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{shown} has {path.stat().st_size:,} bytes; at most {LARGEST:,} are read")
    *whole, rest = path.read_bytes().split(b"\n")
    lines = []
    for number, line in enumerate([*whole, rest] if rest else whole, 1):
        try:
            lines.append(line.removesuffix(b"\r").decode("utf-8"))
        except UnicodeDecodeError as error:
            raise ValueError(f"{shown}, line {number}: not UTF-8 at byte {error.start} of the line") from None
    if not lines:
        raise ValueError(f"{shown}, line 1: the file is empty")
    if rest:
        raise ValueError(f"{shown}, line {len(lines)}: the file is cut off: it does not end with a line break")
    return lines


@contextlib.contextmanager
def alone(folder: StrPath) -> Iterator[None]:
    """Hold the lock of a folder, so that two processes that change a file of it both are heard. A killed process holds
    nothing.
    """
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        yield
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)
