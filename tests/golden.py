"""What the genres make of the banks and of boards by people, as digests: behaviour frozen while the code is rebuilt.

    python tests/golden.py             compare with tests/golden.json, and name what differs
    python tests/golden.py --write     store what is found now, for a change that is meant and explained
    python tests/golden.py --dump F    all that is digested, one line a board and question, to be compared

A digest says nothing of whether behaviour is right: oracles, python-sat and the published figures do. Boards by people
are digested where they lie beside the repository.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import corpus
import numpy as np

from puzzlekit import GENRES
from puzzlekit.lab import analysis, bank

FILE = Path(__file__).with_suffix(".json")
SIZES = (6, 8, 10)
CAP = 2000  # branch points of a search


def climbed(package, board):
    """What is settled up to each rung, and by which."""
    found = []
    for rung in package.RUNGS:
        climb = package.climb(board, rung)
        parts = package.MARKS.parts(climb.marks)
        digest = hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()
        found.append([rung, digest[:16], *climb.settled.values(), climb.finished, climb.contradiction])
    return found


def solved(package, board):
    """Answers, their number, and the branch points of the search."""
    found = package.solve(board, 3, budget=CAP)
    return [found.complete, found.branch_points, found.unique, np.asarray(found.answers).tolist()]


def branched(package, board):
    """Branch points of the search by each rung, as the published figures count them."""
    return [package.solve(board, top=rung, budget=200).branch_points for rung in package.RUNGS[1:-1]]


def counted(package, board):
    """Answers of the board, exactly, and of each misreading."""
    return [package.count_answers(board), *(package.count_answers(board, name) for name in package.MISREADINGS)]


def weighed(package, board):
    """Which clues carry the board."""
    answers = package.solve(board).answers
    if len(answers) != 1:
        return []
    return sorted([*cell, weight] for cell, weight in analysis.clue_weights(board, answers[0]).items())


def graded(package, board):
    """Grade, hardest rung and looks at each."""
    found = package.difficulty(board)
    return [found.grade, found.hardest, sorted(found.counts.items())]


def explained(package, board):
    """Each step: its rung, what it settles and the marks and rules it rests on."""
    steps = package.explain(board)
    return [[step.rung, list(step.settles), [list(part) for part in step.premises]] for step in steps]


# of how many boards of a bank of 6 x 6, 8 x 8 and 10 x 10, and of boards by people up to so many cells across
QUESTIONS: dict[Callable, tuple] = {
    climbed: (1000, 1000, 1000, 45),
    solved: (1000, 1000, 1000, 45),
    branched: (300, 100, 100, 10),
    counted: (200, 100, 20, 8),
    weighed: (1000, 500, 300, 17),
    graded: (200, 50, 20, 8),
    explained: (60, 8, 0, 7),
}


def sets(genre: str) -> Iterator[tuple]:
    """Sets of boards: (name, boards, where each question has its number of boards or largest size, by people)."""
    for at, size in enumerate(SIZES):
        yield f"{genre} {size} x {size}", bank.load(genre, size, size).boards, at, False
    if corpus.FOLDER == corpus.PEOPLE:
        yield (
            f"{genre} by people",
            [GENRES[genre].Board.from_record(record) for record in corpus.boards(genre)],
            -1,
            True,
        )


def values(genre: str, names: tuple = ()) -> Iterator[tuple]:
    """All that is digested: (set, question, number of the board, what is found)."""
    package = GENRES[genre]
    for name, boards, at, people in sets(genre):
        for question, reach in QUESTIONS.items():
            if names and question.__name__ not in names:
                continue
            for i, board in enumerate(boards if people else boards[: reach[at]]):
                if people and max(board.rows, board.cols) > reach[at]:
                    continue
                yield name, question.__name__, i, json.dumps(question(package, board), default=_plain)


def digests(found: Iterator[tuple]) -> dict[str, str]:
    """One digest a set and question."""
    sums: dict[str, hashlib._Hash] = {}
    for name, question, i, text in found:
        sums.setdefault(f"{name}: {question}", hashlib.sha256()).update(f"{i} {text}\n".encode())
    return {key: value.hexdigest()[:32] for key, value in sums.items()}


def _plain(value):
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, tuple) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("genres", nargs="*", default=list(GENRES))
    parser.add_argument("--write", action="store_true", help="store what is found now")
    parser.add_argument("--dump", type=Path, help="a file for all that is digested")
    parser.add_argument("--only", action="append", default=[], help="a question, such as solved; may be repeated")
    options = parser.parse_args()
    found = [row for genre in options.genres for row in values(genre, tuple(options.only))]
    if options.dump:
        options.dump.write_text("".join("\t".join(map(str, row)) + "\n" for row in found), "utf-8")
    known = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    now = digests(iter(found))
    if options.write:
        FILE.write_text(json.dumps(known | now, indent=1, sort_keys=True) + "\n", "utf-8")
        return
    differ = [key for key, value in now.items() if known.get(key) != value]
    print("\n".join(differ) or f"all {len(now)} as stored")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
