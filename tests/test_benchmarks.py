"""The general solvers that ours are timed against answer the same questions: their models find our answers."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from puzzlekit import GENRES
from puzzlekit.lab import bank

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def opponents():
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("opponents")
    sys.path.remove(str(FOLDER))


def boards(genre, n):
    """Bank boards, and as many with one clue less, which may have no or several answers."""
    rng = np.random.default_rng(n)
    for board in bank.load(genre, 6, 6, n).boards:
        yield board
        r, c = rng.choice(np.argwhere(board.clues != GENRES[genre].NO_CLUE))
        yield board.with_clue(r, c, GENRES[genre].NO_CLUE)


@pytest.mark.parametrize("genre", GENRES)
@pytest.mark.parametrize("who", ["python-sat", "CP-SAT", "clingo"])
def test_models_find_our_answers(opponents, genre, who):
    if who in opponents.missing():
        pytest.skip(f"{who} is not installed: pip install --group benchmark")
    models, several = importlib.import_module(f"opponents.{genre}").OPPONENTS, 0
    for board in boards(genre, 12):
        ours = GENRES[genre].solve(board, 50).answers
        if len(ours) < 50:
            answers = sorted(tuple(answer.ravel().tolist()) for answer in ours)
            for name in models:
                if name.startswith(who):  # there may be more models than one for a solver
                    assert models[name](board, 50) == answers, (name, board.to_text())
            several += len(ours) > 1
    assert several > 2
