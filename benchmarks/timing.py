"""What the benchmarks share: CPU time of one thread, competitors in turn, markdown tables."""

import os
import platform
import sys
from statistics import median
from time import process_time


def timed(function):
    """(CPU seconds, what it returned)."""
    start = process_time()
    found = function()
    return process_time() - start, found


def rounds_of(rounds, *functions):
    """Median CPU seconds of each function, taken in turn; they must all return the same."""
    spent = [[] for _ in functions]
    for _ in range(rounds):
        found = []
        for seconds, function in zip(spent, functions, strict=True):
            taken, value = timed(function)
            seconds.append(taken)
            found.append(value)
        if any(value != found[0] for value in found):
            raise SystemExit(f"disagreement: {found}")
    return [median(seconds) for seconds in spent]


def table(title, *rows):
    """Print a markdown table; the first row is the header."""
    print(f"\n## {title}\n")
    for number, row in enumerate(rows):
        print("| " + " | ".join(map(str, row)) + " |")
        if number == 0:
            print("| --- |" + " ---: |" * (len(row) - 1))
    sys.stdout.flush()


def shown(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def machine():
    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors"
