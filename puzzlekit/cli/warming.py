"""Compiling ahead: every question of every genre asked once, of something small, so that nothing compiles when it is
asked in earnest.

Not here: how kernels are compiled and kept (machinery/compiler.py). What nobody asks here is compiled when it is first
asked.
"""

import importlib
import inspect

import numpy as np

from .. import GENRES
from ..boards import detect as reading
from ..jobs import chunks

BOARDS = {
    "usowan": "https://puzz.link/p?usoone/6/6/88aaaa03u0o0b75ecdk71cg76bg",
    "tasquare": "https://puzz.link/p?tasquare/6/6/1g.i4j1i3j5i5j.i2g1",
    "nawabari": "https://puzz.link/p?nawabari/6/6/a3e3n0a1h2b",
}


def warm(*, workers: int = 2, progress: bool = True) -> int:
    """Compile what boards, counts, setters, notebooks and reports use, for all genres.

    Parameters
    ----------
    workers : int      processes
    progress : bool    show a bar

    Returns
    -------
    int                questions asked

    Cost: under two minutes of CPU time where nothing has been compiled, a few seconds where everything has.
    """
    calls = [{"genre": genre, "part": part} for part in PARTS for genre in GENRES]
    where = chunks.HERE if workers == 1 else f"processes:{workers}"
    return sum(chunks.run(ask, calls, scheduler=where, store="", label="compiling", progress=progress))


def ask(genre: str, part: str) -> int:
    """Ask the questions of one part of a genre. Returns how many."""
    package = GENRES[genre]
    board = reading.read(BOARDS[genre])
    return sum(1 for _ in PARTS[part](package, board, np.random.default_rng(1)))


def _solving(package, board, rng):
    yield package.solve(board)
    yield package.solve_many([board])
    yield [package.climb(board, rung) for rung in package.RUNGS]
    yield [package.solve(board, top=rung, budget=100) for rung in package.RUNGS[:-1]]
    yield [package.solve(board, reading=name, budget=100) for name in package.MISREADINGS]


def _counting(package, board, rng):
    yield [package.count(size, size) for size in (3, 10)]  # large grids have kernels of their own
    yield package.draw(4, 4, 2, rng)
    yield list(package.answers(2, 3))
    yield package.marginals(3, 3)
    yield [package.count_answers(board, name) for name in package.MISREADINGS]
    yield package.count_answers(board)
    yield package.answer_marginals(board)
    yield [package.residue(size, size, (1 << 63) - 1) for size in (4, 10)]


def _explaining(package, board, rng):
    yield package.explain(board)
    yield package.difficulty(board)
    yield package.hint(board, board.blank())


def _making(package, board, rng):
    yield package.make(6, 6, rng)


def _looking(package, board, rng):
    from ..lab import analysis

    yield analysis.analyse(board)


def _studying(package, board, rng):
    """What notebooks ask of one genre only."""
    answer = package.solve(board).answers[0]
    for name in STUDIES[package.__name__.rpartition(".")[2]]:
        module, _, function = name.rpartition(".")
        asked = getattr(importlib.import_module(f".{module}", package.__name__), function)
        found = asked(*_arguments(asked, board, answer, rng))
        yield next(found) if inspect.isgenerator(found) else found


def _arguments(function, board, answer, rng):
    """Something small for every parameter without a default of its own."""
    small = {
        "board": board, "answer": answer, "answers": answer[None], "rng": rng, "rows": 3, "cols": 4, "n": 3,
        "method": "repair",
        "r": 1, "c": 1, "value": 1, "patience": 50,
    }  # fmt: skip
    wanted = inspect.signature(function).parameters.values()
    return [small[each.name] for each in wanted if each.default is each.empty and each.kind is not each.KEYWORD_ONLY]


STUDIES = {
    "usowan": (
        "questions.adding_true_numbers", "questions.both_readings", "questions.what_rules_out_readings",
        "maximal.count_maximal",
        "maximal.draw_maximal", "scans.breaking_numbers", "scans.redundant_clues",
    ),
    "tasquare": ("questions.positions", "questions.filtered", "scans.redundant_clues", "questions.clause_answers",
                 "chain.walk"),
    "nawabari": (
        "questions.placement_uniqueness", "questions.placement_count", "questions.slides", "questions.dot_answers",
        "questions.rectangles_left_open", "questions.erasures", "questions.unprintable_answers", "printed.count_boards",
        "points.compare_wall_patterns", "residues.count", "repair.repaired", "recuts.count_unique",
        "rowwise.draw",
    ),
}  # fmt: skip

PARTS = {
    "solving": _solving, "explaining": _explaining, "counting": _counting, "making": _making, "looking": _looking,
    "studying": _studying,
}  # fmt: skip
