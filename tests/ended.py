"""Ends what the tests have started, however the tests end: a process of its own, which waits for the end of the one
that started it.

Kernels, servers, browsers and workers of a test run that was killed would go on. They are found in /proc by the mark in
their environment; where there is no /proc, each is left to end by itself.
"""

import os
import signal
import sys
import time
from pathlib import Path

GRACE = 3  # seconds in which they may end by themselves


def marked(mark):
    """Process ids with the mark in their environment."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"PUZZLEKIT_TESTS={mark}\0".encode() in (place / "environ").read_bytes():
                yield int(place.name)
        except OSError:
            continue  # has ended, or is somebody else's


def main(mark):
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    sys.stdin.buffer.read()  # until the other end is closed: whatever closes it
    end = time.monotonic() + GRACE
    while list(marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    while left := list(marked(mark)):  # again for what these have started meanwhile
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                continue
        time.sleep(0.1)


if __name__ == "__main__":
    main(sys.argv[1])
