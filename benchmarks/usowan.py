"""Usowan timed against plainer programs that answer the same questions: `python benchmarks/usowan.py`, see README.md.

CPU time of one thread. Competitors take turns within every round; a figure is the median of its rounds. Answers are
compared as they are timed, and a disagreement ends the run.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from puzzlekit.machinery.kernels import use_cache

use_cache()

import numpy as np

from puzzlekit import usowan
from puzzlekit.usowan import profile


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
        for seconds, function in zip(spent, functions):
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
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1 or unit == "us":
            return f"{seconds * scale:.3g} {unit}"


# Counting


def map_sweep(rows, cols):
    """The published sweep: one cell at a time, a dict from states to their numbers of ways.

    A state is the component label of each column's newest cell (0 is shaded, -1 no cell yet), relabelled in order of
    appearance, and whether the one component has been sealed off.
    """
    ways = {((-1,) * cols, False): 1}
    for cell in range(rows * cols):
        c, after = cell % cols, {}
        for (labels, sealed), count in ways.items():
            up, left = labels[c], labels[c - 1] if c else -1
            if not sealed:
                joined = {label for label in (up, left) if label > 0}
                fresh = [cols + 1 if label in joined else label for label in labels]
                fresh[c] = cols + 1
                names = {0: 0, -1: -1}
                state = tuple([names.setdefault(label, len(names) - 1) for label in fresh]), False
                after[state] = after.get(state, 0) + count
            if up and left:
                others = labels[:c] + labels[c + 1 :]
                alone = up > 0 and up not in others
                if not alone or all(label <= 0 for label in others):
                    names = {0: 0, -1: -1}
                    fresh = labels[:c] + (0,) + labels[c + 1 :]
                    state = tuple([names.setdefault(label, len(names) - 1) for label in fresh]), sealed or alone
                    after[state] = after.get(state, 0) + count
        ways = after
    return sum(count for (labels, sealed), count in ways.items() if len({*labels} - {0}) + sealed == 1)


def count_anew(n):
    profile._remembered.cache_clear()
    return usowan.count(n, n)


def counting(rounds):
    rows = []
    for n in (8, 10, 12, 14, 16):
        count_anew(n)
        functions = [partial(count_anew, n)] + ([partial(map_sweep, n, n)] if n <= 14 else [])
        ours, *theirs = rounds_of(rounds if n < 12 else 1, *functions)
        (ours,) = rounds_of(rounds, functions[0])
        times = f"{theirs[0] / ours:,.0f}" if theirs else ""
        rows.append((f"{n} x {n}", usowan.count(n, n), shown(ours), shown(*theirs) if theirs else "", times))
    head = ("size", "answers", "ours", "Map sweep in Python", "times")
    table("Counting answers, states found anew each time", head, *rows)


# Fresh processes

FIRST = """
from time import process_time, perf_counter
clocks = process_time, perf_counter
start = [clock() for clock in clocks]
import puzzlekit
imported = [clock() for clock in clocks]
from puzzlekit.machinery.kernels import use_cache
use_cache()
board = puzzlekit.read("https://puzz.link/p?usoone/6/6/ddd551007o1ug0a28315ag35dgb3ei7a")
assert puzzlekit.usowan.solve(board).unique
solved = [clock() for clock in clocks]
print(*[after - before for after, before in zip(imported + solved, start + start)])
"""


def fresh(folder):
    """CPU and elapsed seconds of `import puzzlekit`, then of import and first solve, in a process of its own."""
    environment = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", FIRST], env=environment, capture_output=True, text=True, check=True)
    return list(map(float, done.stdout.split()))


def starting(rounds):
    cold, warm = [], []
    for _ in range(min(rounds, 3)):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(fresh(folder))
            warm.append(fresh(folder))
    cold, warm = (list(map(median, zip(*runs))) for runs in (cold, warm))
    rows = [
        ("import puzzlekit", warm[0], warm[1]),
        ("import, read and solve, compiled code cached", warm[2], warm[3]),
        ("import, read and solve, nothing cached", cold[2], cold[3]),
    ]
    rows = [(what, shown(cpu), shown(elapsed)) for what, cpu, elapsed in rows]
    table("Fresh processes", ("from start of Python", "CPU", "elapsed"), *rows)


# Throughput


def made(n, boards):
    for index in range(boards):
        usowan.make(n, n, np.random.default_rng([1, index]))


def drawn(n, draws):
    usowan.draw(n, n, draws, np.random.default_rng(1))


def enumerated(n):
    return len(usowan.answers(n, n))


def throughput(rounds):
    rows = []
    for n, boards in ((6, 100), (8, 60), (10, 30)):
        made(n, 1)
        (spent,) = rounds_of(rounds, partial(made, n, boards))
        rows.append((f"boards set, {n} x {n}", shown(spent / boards), f"{boards / spent:,.0f}"))
    for n, draws in ((6, 200_000), (10, 200_000), (16, 20_000)):
        drawn(n, 1)
        (spent,) = rounds_of(rounds, partial(drawn, n, draws))
        rows.append((f"uniform draws, {n} x {n}", shown(spent / draws), f"{draws / spent:,.0f}"))
    answers = enumerated(6)
    (spent,) = rounds_of(rounds, partial(enumerated, 6))
    what = f"all {answers:,} answers of 6 x 6 in {shown(spent)}"
    rows.append((what, f"{spent / answers * 1e9:.3g} ns", f"{answers / spent:,.0f}"))
    table("Setting, drawing, enumerating", ("what", "each", "per second"), *rows)


PARTS = {"counting": counting, "starting": starting, "throughput": throughput}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that a median is of (default 5)")
    options = parser.parse_args()
    if set(options.parts) - set(PARTS) or options.rounds < 1:
        parser.error(f"parts are {', '.join(PARTS)}; rounds at least 1")
    machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors"
    print(f"{machine}, {options.rounds} rounds")
    for part in options.parts or PARTS:
        PARTS[part](options.rounds)
