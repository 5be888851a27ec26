"""Usowan: how long the first solve of a process takes, and boards, draws and answers a second: `python
benchmarks/usowan.py`.

CPU time of one thread; a figure is the median of its rounds. See README.md; counting.py and solving.py have
competitors.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import numpy as np
from timing import machine, rounds_of, shown, table

from puzzlekit import usowan

# Fresh processes

FIRST = """
from time import process_time, perf_counter
clocks = process_time, perf_counter
start = [clock() for clock in clocks]
import puzzlekit
imported = [clock() for clock in clocks]
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
    cold, warm = (list(map(median, zip(*runs, strict=True))) for runs in (cold, warm))
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


PARTS = {"starting": starting, "throughput": throughput}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that a median is of (default 5)")
    options = parser.parse_args()
    if set(options.parts) - set(PARTS) or options.rounds < 1:
        parser.error(f"parts are {', '.join(PARTS)}; rounds at least 1")
    print(f"{machine()}, {options.rounds} rounds")
    for part in options.parts or PARTS:
        PARTS[part](options.rounds)
