"""Questions that any genre can be asked: of a board, of a grid, of drawn answers.

They are functions at the top of a module that give whole numbers, so that a process elsewhere can find them and send
what they say; one about a board takes the board and its answer and gives a dict from a label to an int. asking.py puts
them to many, measure.py makes the tables. What only one genre asks is in its own questions.py.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from .. import GENRES
from ..boards import NO_CLUE
from ..boards.board import PrintedBoard
from ..machinery.grid import UNKNOWN


def rungs(board: PrintedBoard, answer: np.ndarray | None = None) -> dict[str, int]:
    """How far the ladder gets up to each rung: {"cells": all that could be settled (cells, or walls), "<rung>,
    settled": so many of them, "<rung>, finished": 1 or 0}.
    """
    package = GENRES[board.genre]
    climbs = {rung: package.climb(board, rung) for rung in package.RUNGS}
    counts = {"cells": next(iter(climbs.values())).state.size}
    for rung, climb in climbs.items():
        counts |= {f"{rung}, settled": int((climb.state != UNKNOWN).sum()), f"{rung}, finished": int(climb.finished)}
    return counts


def branch_points(board: PrintedBoard, answer: np.ndarray | None = None, *, top: str, cap: int) -> dict[str, int]:
    """Cells that the complete search branches on when it may climb only up to a rung between guesses: {top: branch
    points}; more than the cap where it was ended.
    """
    return {top: GENRES[board.genre].solve(board, top=top, budget=cap).branch_points}


def rung_sets(rungs: Sequence[str]) -> list[tuple[str, ...]]:
    """Every set of rungs with the lowest among them, as tuples in the order of the ladder.

    >>> rung_sets(("count", "region", "probe"))
    [('count',), ('count', 'region'), ('count', 'probe'), ('count', 'region', 'probe')]
    """
    return [(rungs[0], *others) for k in range(len(rungs)) for others in combinations(rungs[1:], k)]


def by_rung_sets(board: PrintedBoard, answer: np.ndarray | None = None, *, cap: int | None = None) -> dict[str, int]:
    """What every set of rungs does: {"cells": all that could be settled, "<rung>+<rung>": so many of them, by
    climbing}; with a cap the branch points of the complete search, at most one more than the cap, where no set has the
    last rung, which is never climbed there.
    """
    package = GENRES[board.genre]
    if cap is not None:
        sets = rung_sets(package.RUNGS[:-1])
        return {"+".join(those): package.solve(board, top=those, budget=cap).branch_points for those in sets}
    climbs = {"+".join(those): package.climb(board, those).state for those in rung_sets(package.RUNGS)}
    cells = {"cells": next(iter(climbs.values())).size}
    return cells | {name: int((state != UNKNOWN).sum()) for name, state in climbs.items()}


def difficulty(board: PrintedBoard, answer: np.ndarray | None = None) -> dict[str, int]:
    """The hardest rung a board needs, {"<rung>, hardest": 1}, and how often the ladder looks at each, {"<rung>, looks":
    so often}.
    """
    found = GENRES[board.genre].difficulty(board)
    looks = {f"{rung}, looks": looks for rung, looks in found.counts.items()}
    return looks | ({f"{found.hardest}, hardest": 1} if found.hardest else {})


def misreadings(board: PrintedBoard, answer: np.ndarray) -> dict[str, int]:
    """What each misreading makes of a board: {"<name>, legal": 1 or 0 (the intended answer), "<name>, answers": how
    many, exactly}.
    """
    package, counts = GENRES[board.genre], {}
    for name in package.MISREADINGS:
        counts[f"{name}, legal"] = int(package.check(board, answer, name) is None)
        counts[f"{name}, answers"] = package.count_answers(board, name)
    return counts


def space(genre: str, size: int) -> dict[str, int]:
    """The answers of a square grid, those without the clause that the unshaded cells are one region, and the frontier
    states of the widest layer: {"answers", "not connected", "states"}.
    """
    diagram = GENRES[genre].diagram(size, size)
    loose = GENRES[genre].count(size, size, connected=False)  # type: ignore[call-arg]  # a clause of its own
    return {"answers": diagram.count(), "not connected": loose, "states": diagram.states}


def marginals(genre: str, size: int) -> dict[str, int]:
    """How many answers of a square grid shade its corner, the middle of its edge, and its centre: {"answers", "corner",
    "edge", "centre"}.
    """
    package, middle = GENRES[genre], size // 2
    (shading,) = package.MARKS.parts(package.marginals(size, size))  # cells, not sides
    counts = {"answers": package.count(size, size)}
    for place, cell in (("corner", (0, 0)), ("edge", (0, middle)), ("centre", (middle, middle))):
        counts[place] = int(shading[cell])
    return counts


def shaded_in(answers: np.ndarray) -> list[list[int]]:
    """How many of some answers shade each cell: rows of ints."""
    return answers.sum(axis=0, dtype=np.int64).tolist()


def clues(board: PrintedBoard, answer: np.ndarray | None = None) -> dict[str, int]:
    """How many cells of a board carry a clue: {"clues", "cells"}."""
    return {"clues": int((board.clues != NO_CLUE).sum()), "cells": board.clues.size}
