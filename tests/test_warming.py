"""After `puzzlekit warm`, boards of other sizes compile nothing more."""

import numpy as np
import pytest
from click.testing import CliRunner
from numba.core import event

from puzzlekit import GENRES
from puzzlekit.cli import warming
from puzzlekit.cli.main import main
from puzzlekit.jobs import chunks
from puzzlekit.lab import analysis, bank


class Compiled(event.Listener):
    """The names of what numba compiles, or loads from nowhere, while it listens."""

    def __init__(self):
        self.names = []

    def on_start(self, happening):
        self.names.append(happening.data["dispatcher"].py_func.__qualname__)

    def on_end(self, happening):
        pass


@pytest.mark.parametrize("genre", GENRES)
def test_boards_of_other_sizes_compile_nothing_more(genre):
    assert all(warming.ask(genre, part) > 0 for part in warming.PARTS)
    package, listener = GENRES[genre], Compiled()
    found = bank.load(genre, 8, 8, boards=3)
    with event.install_listener("numba:compile", listener):
        package.solve_many(found.boards)
        for board in found.boards:
            package.solve(board)
            package.climb(board)
            package.hint(board, board.blank())
        package.explain(found.boards[0])
        analysis.analyse(found.boards[0])
        package.count(7, 5)
        package.draw(5, 7, 3, np.random.default_rng(2))
        package.make(5, 5, np.random.default_rng(3))
    assert listener.names == []


def test_a_listener_hears_of_what_is_compiled():
    import numba

    with event.install_listener("numba:compile", listener := Compiled()):
        numba.njit(lambda n: n + 1)(1)
    assert listener.names == ["test_a_listener_hears_of_what_is_compiled.<locals>.<lambda>"]


def test_every_part_of_every_genre_is_asked(monkeypatch):
    asked = []
    monkeypatch.setattr(
        chunks, "run", lambda function, calls, **options: asked.append((calls, options)) or [2] * len(calls)
    )
    result = CliRunner().invoke(main, ["warm", "--workers", "3"])
    assert (result.exit_code, result.output) == (
        0,
        f"{2 * 3 * len(warming.PARTS)} questions asked; what they need is compiled\n",
    )
    ((calls, options),) = asked
    assert {(call["genre"], call["part"]) for call in calls} == {
        (genre, part) for genre in GENRES for part in warming.PARTS
    }
    assert options["scheduler"] == "processes:3" and options["store"] == ""
