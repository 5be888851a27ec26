"""Counting the answers of empty grids, timed against plainer ways: `python benchmarks/counting.py`, see README.md.

CPU time of one thread, the states found anew each time. Competitors take turns within every round; a figure is the
median of its rounds. Counts are compared as they are timed. Peaks of memory are those of fresh processes, above what
importing took.
"""

import argparse
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import numpy as np
from opponents import sweeps
from timing import machine, rounds_of, shown, table, timed

from puzzlekit import tasquare, usowan
from puzzlekit.machinery import frontier

BANDWIDTH_BYTES = 1 << 28  # of each of the two arrays that are copied
RAN_OUT = 120  # seconds that a process of its own may take


def anew(genre, n):
    """Our count of an n x n grid, nothing remembered."""
    sys.modules[genre.diagram.__module__]._remembered.cache_clear()
    return genre.count(n, n)


# name -> (function of n, largest n that is worth the wait, largest n timed in every round)
USOWAN = {
    "ours": (partial(anew, usowan), 18, 14),
    "Map sweep in Python": (lambda n: sweeps.usowan_map(n, n), 12, 10),
    "Map sweep in numba": (lambda n: sweeps.usowan_typed(n, n), sweeps.WIDEST_TYPED, 12),
}
TASQUARE = {
    "ours": (partial(anew, tasquare), 14, 12),
    "row sweep in Python": (lambda n: sweeps.tasquare_rows(n, n), 8, 8),
}
WAYS = {"usowan": USOWAN, "tasquare": TASQUARE}

ALONE = """
import json, sys
sys.path[:0] = PATHS
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
from timing import timed
HEAD
before = peak()
print(json.dumps([*timed(lambda: CALL), peak() - before]))
"""


def alone(head, call):
    """[CPU seconds, value, bytes at the peak] of an expression in a process of its own, or None when it failed or ran
    out of time.
    """
    code = ALONE.replace("PATHS", repr(sys.path[:2])).replace("HEAD", head).replace("CALL", call)
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=RAN_OUT)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return json.loads(done.stdout.splitlines()[-1])


def against(name, sizes, rounds):
    """Times of all ways to count, and how many times ours each takes."""
    ways, rows = WAYS[name], []
    for n in sizes:
        functions = {way: partial(f, n) for way, (f, most, _) in ways.items() if n <= most}
        if "ours" not in functions:
            continue
        for function in functions.values():
            if n == sizes[0]:
                function()  # compiled code is warm
        often = all(n <= each for way, (_, _, each) in ways.items() if way in functions)
        value = functions["ours"]()
        spent = dict(zip(functions, rounds_of(rounds if often else 1, *functions.values()), strict=True))
        if not often:
            (spent["ours"],) = rounds_of(rounds, functions["ours"])
        row = [f"{n} x {n}", f"{value:,}", shown(spent["ours"])]
        for way in list(ways)[1:]:
            row += [shown(spent[way]), f"{spent[way] / spent['ours']:,.1f}"] if way in spent else ["", ""]
        rows.append(row)
    head = ["size", "answers", "ours", *(cell for way in list(ways)[1:] for cell in (way, "times"))]
    table(f"{name.capitalize()}: counting answers", head, *rows)


def graphillion(sizes, rounds):
    """Graphillion, in a process of its own for each size."""
    if not sweeps.has_graphillion():
        print("\nGraphillion is not installed (`pip install --group benchmark`) and left out.")
        return
    rows = []
    for n in sizes:
        found = alone("from opponents import sweeps", f"sweeps.usowan_graphillion({n}, {n})")
        exact = anew(usowan, n)
        (ours,) = rounds_of(rounds, partial(anew, usowan, n))
        if found is None:
            rows.append((f"{n} x {n}", shown(ours), "failed, or over two minutes", "", ""))
            break
        spent, value, peak = found
        verdict = "the same" if value == exact else f"wrong: {value:,} for {exact:,}"
        rows.append((f"{n} x {n}", shown(ours), shown(spent), f"{peak / 1e6:,.0f} MB", verdict))
    table("Usowan: Graphillion", ("size", "ours", "Graphillion", "peak", "its count"), *rows)


def copy_bandwidth():
    """Bytes read and written a second by numpy's copy of an array too large for the caches, at its best."""
    source, target = np.ones(BANDWIDTH_BYTES // 8), np.ones(BANDWIDTH_BYTES // 8)
    return 2 * BANDWIDTH_BYTES / min(timed(partial(np.copyto, target, source))[0] for _ in range(10))


def touched(space):
    """Bytes that the sums of a count read and write: tables, and weights once per successor read and once written."""
    tables = [space._tables[kind] for kind in space.kinds[:-1]]
    vectors = frontier._vectors(space._rows(), space.kinds, space.count())
    return sum(table.nbytes + vector * (1 + table.shape[1]) for table, vector in zip(tables, vectors, strict=False))


def growth(name, sizes, rounds):
    """How the cost of our own count grows with the size."""
    genre, rows = {"usowan": usowan, "tasquare": tasquare}[name], []
    bandwidth = copy_bandwidth()
    for n in sizes:
        build, sweep = [], []
        for _ in range(rounds if n <= 14 else 1):
            sys.modules[genre.diagram.__module__]._remembered.cache_clear()
            space = None
            spent, space = timed(partial(genre.diagram, n, n))
            build.append(spent)
            sweep.append(timed(space.count)[0])
        moved, seconds = touched(space), median(sweep)
        states = sum(len(space._tables[kind]) for kind in space.kinds[:-1])
        rows.append((
            f"{n} x {n}", f"{space.states:,}", shown(median(build)), shown(seconds), f"{space.nbytes / 1e6:,.1f} MB",
            f"{moved / states:,.0f}", f"{moved / seconds / 1e9:.1f} GB/s", f"{moved / seconds / bandwidth:.2f}",
        ))  # fmt: skip
    head = (
        "size", "widest level, states", "states found in", "summed in", "tables", "bytes touched per state and layer",
        "bytes touched per second", "share of copying",
    )  # fmt: skip
    table(f"{name.capitalize()}: how the cost grows; numpy copies {bandwidth / 1e9:.1f} GB/s here", head, *rows)


def peaks(rounds):
    """Peaks of memory in fresh processes, ours against the dicts."""
    rows = []
    for name, n, theirs, head in (
        ("usowan", 12, "sweeps.usowan_map({n}, {n})", "from opponents import sweeps"),
        ("usowan", 14, "sweeps.usowan_typed({n}, {n})", "from opponents import sweeps; sweeps.usowan_typed(3, 3)"),
        ("tasquare", 8, "sweeps.tasquare_rows({n}, {n})", "from opponents import sweeps"),
    ):
        ours = alone(f"from puzzlekit import {name}; {name}.count(4, 4)", f"{name}.count({n}, {n})")
        other = alone(head, theirs.format(n=n))
        if ours is None or other is None or ours[1] != other[1]:
            raise SystemExit(f"disagreement: {ours}, {other}")
        rows.append(
            (f"{name} {n} x {n}", f"{ours[2] / 1e6:,.1f} MB", f"{other[2] / 1e6:,.1f} MB", theirs.split("(")[0][7:])
        )
    table("Peaks of memory", ("count", "ours", "theirs", "which"), *rows)


PARTS = {
    "usowan": lambda rounds: against("usowan", (6, 8, 10, 12, 14, 16, 18), rounds),
    "graphillion": lambda rounds: graphillion((4, 5, 6, 7), rounds),
    "tasquare": lambda rounds: against("tasquare", (4, 6, 8, 10, 12, 14), rounds),
    "growth": lambda rounds: (
        growth("usowan", (8, 10, 12, 14, 16, 18), rounds), growth("tasquare", (8, 10, 12, 14), rounds),
    ),
    "peaks": peaks,
}  # fmt: skip

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
