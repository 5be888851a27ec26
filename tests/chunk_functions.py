"""Functions that chunks of the tests call: in a module of their own that imports nothing slow, since every worker
imports it.
"""

import os
import time

from puzzlekit.jobs import workers


def length(text):
    """The smallest function a chunk can have."""
    return len(text)


def slow(number, seconds=0.2):
    """The number, after a while."""
    time.sleep(seconds)
    return number


def echo(text):
    """The text itself."""
    return text


def logged(number, log, seconds=0.25):
    """The number, after a while; each that is finished leaves a line in a file."""
    time.sleep(seconds)
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{number}\n")
    return number


def deadly(number):
    """Kills its process, and only its own, for number 1."""
    if number == 1:
        os.kill(os.getpid(), 9)
    return number


def where_half():
    """The file a chunk may keep its progress in, or None."""
    found = workers.half()
    return None if found is None else str(found)
