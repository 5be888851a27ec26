"""Nawabari boards on which a search that does not learn takes for ever, made by a seed: the families of
../shared/hard, and patterns.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from puzzlekit.nawabari.rules import ASKED, NO_CLUE, Board

HARD = Path(__file__).resolve().parents[2] / "shared" / "hard" / "boards.jsonl"


@lru_cache
def hard():
    """The hard Nawabari boards of ../shared/hard, by name; none where it is not beside this repository."""
    lines = HARD.read_text("utf-8").splitlines() if HARD.exists() else []
    records = [record for record in map(json.loads, lines) if record["genre"] == "nawabari"]
    return {f"{r['family']} {r['rows']} x {r['cols']}": Board.from_url(r["url"]) for r in records}


def cuts(rows, cols, rng, area):
    """Rooms (top, left, bottom, right), ends not included, from cutting the grid in two over and over."""
    left, found = [(0, 0, rows, cols)], []
    while left:
        top, west, bottom, east = left.pop()
        height, width = bottom - top, east - west
        if height * width == 1 or (height * width <= 3 * area and rng.random() < area / (height * width)):
            found.append((top, west, bottom, east))
        elif width == 1 or (height > 1 and rng.random() < height / (height + width)):
            at = int(rng.integers(top + 1, bottom))
            left += [(top, west, at, east), (at, west, bottom, east)]
        else:
            at = int(rng.integers(west + 1, east))
            left += [(top, west, bottom, at), (top, at, bottom, east)]
    return found


def planted(size, rng, area, asked=0.0, spoiled=0):
    """A board that prints one number in every room, some as `?`, so many of which are moved to another cell."""
    clues = np.full((size, size), NO_CLUE)
    for top, west, bottom, east in cuts(size, size, rng, area):
        r, c = int(rng.integers(top, bottom)), int(rng.integers(west, east))
        number = sum(map(int, (r == top, r == bottom - 1, c == west, c == east - 1)))
        clues[r, c] = ASKED if rng.random() < asked else number
    for _ in range(spoiled):
        (r, c), (y, x) = rng.choice(np.argwhere(clues != NO_CLUE)), rng.choice(np.argwhere(clues == NO_CLUE))
        clues[y, x], clues[r, c] = clues[r, c], NO_CLUE
    return Board(clues)


def scattered(size, rng, share, asked=0.0):
    """Numbers and `?` anywhere: on large boards mostly without an answer."""
    clues = rng.choice([0, 1, 2, 3, 4], p=[0.03, 0.12, 0.45, 0.3, 0.1], size=(size, size))
    clues[rng.random((size, size)) < asked] = ASKED
    clues[rng.random((size, size)) >= share] = NO_CLUE
    return Board(clues)


def few_asked(size, rng, count):
    """A few `?` on an empty grid."""
    clues = np.full(size * size, NO_CLUE)
    clues[rng.choice(size * size, count, replace=False)] = ASKED
    return Board(clues.reshape(size, size))


def diagonals(size, step, value):
    """The same number on every so many-th diagonal."""
    i, j = np.indices((size, size))
    return Board(np.where((i + j) % step == 0, value, NO_CLUE))
