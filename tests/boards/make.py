"""The boards of this folder, made by the setters: what stands in for the boards of other people where ../shared is
absent.

    python tests/boards/make.py

The same fields as there. `checks.jsonl` has answers with marks changed at random and the first clause that each breaks,
as `check` said when it was made; that `check` is right is held by the oracles.
"""

import json
from pathlib import Path

import numpy as np

from puzzlekit import GENRES
from puzzlekit.usowan import rules

FOLDER = Path(__file__).resolve().parent
SIZES = [(5, 5), (4, 6), (6, 6), (7, 6), (8, 8)]
EACH = {"usowan": 6, "tasquare": 3, "nawabari": 6}
TRIES, SAME = 40, 6  # answers tried of each board, and kept of those that break the same


def records(genre):
    """Boards of a genre with their answers, as dicts."""
    package, made = GENRES[genre], []
    for rows, cols in SIZES:
        for index in range(EACH[genre]):
            board = package.make(rows, cols, np.random.default_rng([rows, cols, index]))
            if genre == "usowan" and index == 0:
                board = _with_a_large_lie(board)
            solution = package.solve(board)
            assert solution.unique
            clues = [
                [r, c, None if clue == package.ASKED else int(clue)]
                for (r, c), clue in np.ndenumerate(board.clues)
                if clue != package.NO_CLUE
            ]
            record = {"id": f"own-{genre}-{rows}x{cols}-{index}", "rows": rows, "cols": cols, "clues": clues}
            if genre == "usowan":
                record["regions"] = board.regions.tolist()
            record |= {
                "solution": solution.answers[0].tolist(),
                "unique": True,
                "solutions": 1,
                "url": _url(board),
                "source": "made by puzzlekit",
            }
            made.append(record)
    return made


def _with_a_large_lie(board):
    """A number that lies anyway made so large that no URL has it, of a board that keeps its one answer."""
    answer = GENRES["usowan"].solve(board).answers[0]
    (r, c), *_ = (cell for liars in rules.liars(board, answer) for cell in liars)
    return board.with_clue(r, c, 7)


def _url(board):
    try:
        return board.to_url().partition("?")[2]
    except ValueError:
        return None


def checks(genre):
    """Right and wrong answers, every clause among what they break that a changed answer breaks first."""
    package, made, pick = GENRES[genre], [], np.random.default_rng(5)
    for record in records(genre) * TRIES:
        board = package.Board.from_record(record)
        answer = np.array(record["solution"])
        if genre == "nawabari":
            right, down = (
                np.asarray(part, int) for part in ((answer[:, 1:] != answer[:, :-1]), (answer[1:] != answer[:-1]))
            )
            parts = [right, down]
        else:
            parts = [answer]
        for _ in range(pick.integers(5)):
            part = parts[pick.integers(len(parts))]
            part[tuple(pick.integers(size) for size in part.shape)] ^= 1
        told = package.check(board, package.Walls(*parts) if genre == "nawabari" else parts[0])
        if sum(check["expect"] == told for check in made) < SAME:
            told_answer = (
                {"right": parts[0].tolist(), "down": parts[1].tolist()} if genre == "nawabari" else parts[0].tolist()
            )
            plain = {key: record[key] for key in ("rows", "cols", "clues", "regions") if key in record}
            made.append(
                {
                    "id": f"{record['id']}-{len(made)}",
                    "genre": genre,
                    "expect": told,
                    "board": plain,
                    "answer": told_answer,
                }
            )
    return made


if __name__ == "__main__":
    for genre in GENRES:
        (FOLDER / f"{genre}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records(genre)))
    found = [check for genre in GENRES for check in checks(genre)]
    (FOLDER / "checks.jsonl").write_text("".join(json.dumps(check) + "\n" for check in found))
