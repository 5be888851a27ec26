"""Solving and proving unique, timed against general solvers: `python benchmarks/solving.py`, see README.md.

CPU time of one thread, a board at a time from the board to two answers or the proof that there is one; whoever builds a
model builds it within the time. On every board all competitors have their turn before the next board is begun: the
median of TURNS times in a row, or once when that takes longer than PATIENCE. Verdicts are compared board by board, and
a disagreement ends the run.
"""

import argparse
import importlib
import json
import os
import platform
import sys
from functools import partial
from pathlib import Path
from statistics import mean, median
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

import numpy as np
import opponents

from puzzlekit import GENRES
from puzzlekit.lab import bank

CORPUS = ROOT.parent / "shared" / "corpus"
BANKS = (6, 8, 10)
TURNS = 5
PATIENCE = 0.05  # CPU seconds
OURS = "ours"
LARGEST_DRAWN = 16  # rows of an Usowan board for whose answers a diagram is built
LARGEST_USUAL = 16  # rows of a Nawabari board with as many rooms as in the bank; beyond, unique ones are too rare
USUAL_SHARE = 0.21  # of shaded cells in uniform Usowan answers


def real_boards(genre):
    """Boards of the published collection, with or without one answer; empty when it is not beside the repository."""
    file = CORPUS / f"{genre}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [GENRES[genre].Board.from_record(json.loads(line)) for line in lines]


def made(genre, size, boards):
    """Boards of our own setter; fewer, with a message, when it gives up."""
    found = []
    for index in range(boards):
        rng = np.random.default_rng([size, index])
        try:
            if genre == "usowan" and size > LARGEST_DRAWN:
                found.append(usowan_for_some_answer(size, rng))
            elif genre == "nawabari":
                weight = "0.15" if size <= LARGEST_USUAL else "0.05"
                found.append(GENRES[genre].make(size, size, rng, weight=weight, method="repair"))
            else:
                found.append(GENRES[genre].make(size, size, rng))
        except ValueError as error:
            print(f"{genre} {size} x {size}: {error}", file=sys.stderr)
            break
    return found


def usowan_for_some_answer(size, rng):
    """A board for an answer that is not drawn uniformly: cells shaded in a random order, where that is legal, to a
    usual share.
    """
    setter = importlib.import_module("puzzlekit.usowan.setter")
    near, board = opponents.beside(size, size), None
    while board is None:
        shading = np.zeros(size * size, np.uint8)
        for cell in rng.permutation(size * size):
            if shading.mean() < USUAL_SHARE and not shading[near[cell]].any():
                shading[cell] = 1
                shading[cell] = len(opponents.pieces(near, shading)) == 1
        board = setter.set_for(shading.reshape(size, size), rng)
    return board


def sets_of(genre, boards, sizes):
    """Pairs (name, boards), with at most `boards` of each bank, of each size made, and of each group of real boards."""
    for n in BANKS:
        yield f"bank {n} x {n}", bank.load(genre, n, n, boards).boards
    groups = {"real, to 10 x 10": (0, 100), "real, to 14 x 14": (100, 196), "real, larger": (196, 10**6)}
    for name, (above, most) in groups.items():
        group = [board for board in real_boards(genre) if above < board.rows * board.cols <= most]
        step = max(1, len(group) // boards)
        if group:
            yield name, group[::step][:boards]
    for size in sizes:  # last: making them takes the longest
        found = made(genre, size, boards)
        if found:
            yield f"made {size} x {size}", found


def timed(function):
    """(CPU seconds, what it returned)."""
    start = process_time()
    found = function()
    return process_time() - start, found


def turn(function):
    """(median CPU seconds of a turn, what it found)."""
    spent, found = timed(function)
    if spent > PATIENCE:
        return spent, found
    return median([spent, *(timed(function)[0] for _ in range(TURNS - 1))]), found


def as_tuples(solution):
    """Our answers as the opponents give theirs."""
    return sorted(tuple(answer.ravel().tolist()) for answer in solution.answers)


def compare(name, board, found):
    """Raise SystemExit unless all have found the same: the same answers, or two when there are more than one."""
    counts = {who: len(answers) for who, answers in found.items()}
    one = next(iter(found.values()))
    if len(set(counts.values())) > 1 or (len(one) < 2 and any(answers != one for answers in found.values())):
        raise SystemExit(f"disagreement on a board of {name}: {counts}\n{board.to_text()}")


def run(genre, name, boards, competitors):
    """CPU seconds of every competitor on every board: name -> list."""
    spent = {who: [] for who in (OURS, *competitors)}
    for board in boards:
        found = {}
        for who, solve in {OURS: lambda board, _: GENRES[genre].solve(board), **competitors}.items():
            seconds, found[who] = turn(partial(solve, board, 2))
            spent[who].append(seconds)
        found[OURS] = as_tuples(found[OURS])
        compare(name, board, found)
    return spent


def batch(genre, boards):
    """CPU seconds a board when all are solved in one call; None when the genre has no such call."""
    solve_many = getattr(GENRES[genre], "solve_many", None)
    if solve_many is None:
        return None
    solve_many(boards[:1])
    return median(timed(partial(solve_many, boards))[0] for _ in range(TURNS)) / len(boards)


def shown(seconds):
    return f"{seconds * 1e3:.3g}"


def row(genre, name, boards, spent):
    """One line of the table, as numbers."""
    line = {"genre": genre, "boards": name, "n": len(boards)}
    for who, seconds in spent.items():
        line[who] = {"median": median(seconds), "mean": mean(seconds), "worst": max(seconds)}
    line["batch"] = batch(genre, boards)
    return line


def cells(line, names):
    """A row as text, in ms, with how many times ours each competitor took."""
    mine = line[OURS]
    yield from (line["boards"], line["n"], shown(mine["median"]), shown(mine["worst"]))
    yield f"{mine['worst'] / mine['median']:.1f}"
    yield shown(line["batch"]) if line["batch"] else ""
    for who in names:
        yield f"{shown(line[who]['median'])} / {shown(line[who]['worst'])}"
        yield f"{line[who]['median'] / mine['median']:,.0f} / {line[who]['worst'] / mine['worst']:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("genres", nargs="*", metavar="genre", help=f"of {', '.join(GENRES)}; all by default")
    parser.add_argument("--boards", type=int, default=30, help="boards of a set, at most (default 30)")
    parser.add_argument("--sizes", type=int, nargs="*", default=[15, 20], help="sizes of boards to make for it (15 20)")
    parser.add_argument("--only", nargs="*", help="these opponents only")
    parser.add_argument("--json", type=Path, help="write the figures to this file too, in seconds")
    options = parser.parse_args()
    if set(options.genres) - set(GENRES) or options.boards < 1:
        parser.error(f"genres are {', '.join(GENRES)}; boards at least 1")
    for name in opponents.missing():
        print(f"{name} is not installed and left out: pip install --group benchmark", file=sys.stderr)
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors; CPU ms, median / worst"
    )
    lines = []
    for genre in options.genres or GENRES:
        competitors = importlib.import_module(f"opponents.{genre}").OPPONENTS
        competitors = {who: solve for who, solve in competitors.items() if not options.only or who in options.only}
        print(f"\n## {genre}\n")
        head = ["boards", "n", "ours, median", "worst", "worst : median", "in a batch"]
        head += [text for who in competitors for text in (who, "times ours")]
        print("| " + " | ".join(head) + " |\n| --- |" + " ---: |" * (len(head) - 1), flush=True)
        for name, boards in sets_of(genre, options.boards, options.sizes):
            run(genre, name, boards[:1], competitors)  # everything is loaded and compiled
            lines.append(row(genre, name, boards, run(genre, name, boards, competitors)))
            print("| " + " | ".join(map(str, cells(lines[-1], competitors))) + " |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(lines, indent=1) + "\n")


if __name__ == "__main__":
    main()
