"""The boards that the pages show: for each rung the smallest board that needs it, and a board whose rules are broken on
purpose.

They were found by `search`, which takes minutes, and are kept in boards.yaml; a test of the full run searches again.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ... import GENRES, read
from ...boards import NO_CLUE
from . import clauses

FILE = Path(__file__).with_name("boards.yaml")
SIZES = sorted(((r, c) for r in range(2, 5) for c in range(r, 5)), key=lambda size: (size[0] * size[1], size))
MADE = 150  # boards made of each size
RULED = 12  # boards among which the one for the rules is chosen
SEED = 0


def load() -> dict[str, dict[str, Any]]:
    """The boards of each genre: rung -> board."""
    stored = yaml.safe_load(FILE.read_text("utf-8"))
    return {genre: {rung: read(link) for rung, link in boards.items()} for genre, boards in stored.items()}


def search(genre: str) -> dict[str, str]:
    """Links to boards: "rules" has the board for the rules in pictures, each rung the smallest board whose hardest rung
    it is; of several, one that is told in the fewest steps. A rung that alone finishes none has the smallest board that
    is told with it twice.

    Smallest of those that were tried: MADE boards of each size up to 4 x 4, as the setter makes them, and each of them
    with one clue or two rubbed out.
    """
    package, found, used = GENRES[genre], {}, {}
    for size in SIZES:
        best: dict[str, tuple[int, int, str]] = {}
        for order, board in enumerate(_boards(package, *size)):
            hardest = next((rung for rung in package.RUNGS if package.climb(board, top=rung).finished), None)
            if hardest is None or (hardest in found and len(used) == len(package.RUNGS)):
                continue
            explanation = package.explain(board)
            steps = sum(1 + len(step.inside) for step in explanation)
            link = board.to_url()
            best[hardest] = min(best.get(hardest, (steps, order, link)), (steps, order, link))
            for rung in package.RUNGS:
                if sum(step.rung == rung for step in explanation) > 1:
                    used.setdefault(rung, link)
        found = {**{rung: link for rung, (_, _, link) in best.items()}, **found}
        if len(found) == len(package.RUNGS):
            break
    rungs = {rung: found.get(rung) or used[rung] for rung in package.RUNGS if rung in found or rung in used}
    return {"rules": _rules(package), **rungs}


def _rules(package):
    """Of the boards made of 4 x 4 the first with the most clauses that something near its answer breaks, and of these
    the most different clues.
    """
    rng, best = np.random.default_rng(SEED), ((0, 0), "")
    for _ in range(RULED):
        board = package.make(4, 4, rng)
        broken = sum(rule.wrong is not None for rule in clauses.shown(board))
        best = max(best, ((broken, len(np.unique(board.clues))), board.to_url()), key=lambda one: one[0])
    return best[1]


def _boards(package: Any, rows: int, cols: int) -> Iterator[Any]:
    rng = np.random.default_rng(SEED)
    for _ in range(MADE):
        try:
            board = package.make(rows, cols, rng)
        except ValueError:  # there is none of this size
            return
        yield board
        clued = np.argwhere(board.clues != NO_CLUE)
        for some in (*combinations(clued, 1), *combinations(clued, 2)):
            clues = np.array(board.clues)
            for r, c in some:
                clues[r, c] = NO_CLUE
            yield package.Board(clues, board.regions) if package.Board.prints_regions else package.Board(clues)
