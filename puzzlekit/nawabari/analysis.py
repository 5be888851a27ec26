"""What an analysis of one Nawabari board asks: shares of its answers, and what is Nawabari's own. The rest is
puzzlekit/lab/analysis.py.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from ..machinery.explanation import bits
from ..machinery.frontier import BUDGET
from ..machinery.grid import Cell, GridLike
from ..machinery.memory import OverBudget
from . import clued, rectangles, setter, solver
from .rules import ASKED, NO_CLUE, RULES, Board, Reading, Walls, named_reading

SEARCHES = 300  # to find how many numbers could be a `?` at once
BRANCHES = 100_000  # cells on which each of them may branch
_LET_IN = 20  # answers looked at of a board with too few numbers
_Depths = tuple[int, ...]  # how far down every column is covered
_BYTES_A_STATE = 200  # of a dict of small tuples, about


def answer_marginals(board: Board, reading: Reading | str = RULES, *, budget: int = BUDGET) -> tuple[int, Walls]:
    """How many answers a board has, and how many of them have each wall, exactly.

    The rooms of an answer are laid in reading order, each at the first cell that is not covered yet; what matters for
    the rest is how far down every column is covered. An answer has a wall right of a cell when its room ends there.

    Parameters
    ----------
    board : Board
    reading : Reading or str    the rules, or the name of another reading
    budget : int                bytes for the states

    Returns
    -------
    (int, Walls)                right and down: object arrays of int

    Raises
    ------
    MemoryError                 over the budget

    Cost: some microseconds for each state and rectangle, in plain Python.

    >>> from puzzlekit.nawabari.rules import Board
    >>> total, walls = answer_marginals(Board([[-2, -1], [-1, -2]]))
    >>> total, walls.right.tolist(), walls.down.tolist()
    (2, [[1], [1]], [[1, 1]])
    """
    reading = named_reading(reading)
    rows, cols = board.clues.shape
    boxes, first = clued.boxes_of(board.clues, clued.options_of(reading))
    boxes, first = boxes.tolist(), first.tolist()
    levels, moves = [{(0,) * cols: 1}], []
    held = 1
    for cell in range(rows * cols):
        c = cell % cols
        after: dict[_Depths, int] = {}
        steps: list[tuple[_Depths, tuple[int, int] | None, _Depths]] = []
        for depths, ways in levels[-1].items():
            if depths[c]:
                then = (*depths[:c], depths[c] - 1, *depths[c + 1 :])
                after[then] = after.get(then, 0) + ways
                steps.append((depths, None, then))
                continue
            for width, height in boxes[first[cell] : first[cell + 1]]:
                if any(depths[c : c + width]):
                    break  # boxes come by width
                then = (*depths[:c], height - 1, *[height] * (width - 1), *depths[c + width :])
                after[then] = after.get(then, 0) + ways
                steps.append((depths, (width, height), then))
        held += len(after) + len(steps)
        if held * _BYTES_A_STATE > budget:
            raise OverBudget(f"the states would need more than the budget of {budget:,} bytes")
        levels.append(after)
        moves.append(steps)
    right, down = np.zeros((rows, cols), object), np.zeros((rows, cols), object)
    onward = {(0,) * cols: 1}
    for cell in reversed(range(rows * cols)):
        r, c = divmod(cell, cols)
        before: dict[_Depths, int] = {}
        for depths, box, then in moves[cell]:
            ways = onward.get(then, 0)
            if not ways:
                continue
            before[depths] = before.get(depths, 0) + ways
            if box is not None:
                width, height = box
                right[r : r + height, c + width - 1] += levels[cell][depths] * ways
                down[r + height - 1, c : c + width] += levels[cell][depths] * ways
        onward = before
    return onward.get((0,) * cols, 0), Walls(right[:, :-1], down[:-1])


def slides_of(board: Board, answer: np.ndarray) -> dict[tuple[Cell, Cell], bool]:
    """Every number moved to every other cell of its room, one at a time, with the value that is true there.

    Returns
    -------
    dict     (cell, other cell) -> whether the board still has one answer; cells are (r, c)

    Cost: one uniqueness test a slide.
    """
    cells, starts = setter.cells_by_room(answer)
    prints = setter.seats(answer).ravel()
    clues, moves, boards = board.clues.ravel(), [], []
    for room in range(len(starts) - 1):
        inside = cells[starts[room] : starts[room + 1]]
        (at,) = inside[clues[inside] != NO_CLUE].tolist()
        for cell in inside.tolist():
            if cell != at:
                moved = clues.copy()
                moved[at], moved[cell] = NO_CLUE, clues[at] if clues[at] == ASKED else prints[cell]
                boards.append(moved.reshape(answer.shape))
                moves.append((divmod(at, board.cols), divmod(cell, board.cols)))
    unique = solver.solve_many(np.array(boards)).unique if boards else np.empty(0, bool)
    return {move: bool(still) for move, still in zip(moves, unique, strict=True)}


def askable(board: Board, *, searches: int = SEARCHES, branches: int = BRANCHES) -> tuple[list[Cell], list[Cell], bool]:
    """Which numbers could be a `?`, one by one, and how many at once at most, while a board with one answer keeps it.

    An answer that erased numbers let in is kept out by any one of those that it breaks. So the fewest numbers to keep
    hit every such set; they are tried, and the answers that they let in are sets for the next try, until none is let
    in.

    Parameters
    ----------
    board : Board
    searches : int     tries before the question how many at once is given up
    branches : int     cells on which each search may branch

    Returns
    -------
    alone : list       cells (r, c)
    together : list    cells that could be `?` all at once: as many as there can be where `proved`
    proved : bool

    Cost: a search a number, and one a try.

    >>> from puzzlekit.nawabari.rules import Board
    >>> askable(Board([[3, 3], [-1, -1]]))  # where the numbers stand says it all
    ([(0, 0), (0, 1)], [(0, 0), (0, 1)], True)
    """
    cells = [(r, c) for r, c in np.argwhere(board.clues >= 0).tolist()]
    alone = [cell for cell in cells if solver.solve(board.with_clue(*cell, ASKED), budget=branches).unique]
    sets: list[int] = []
    keep = 0
    fitting: list[Cell] = []
    for _ in range(searches):
        asked = [cell for i, cell in enumerate(alone) if not keep >> i & 1]
        clues = board.clues.copy()
        for cell in asked:
            clues[cell] = ASKED
        solution = solver.solve(type(board)(clues), limit=_LET_IN, budget=branches)
        if solution.unique:
            return alone, asked, True
        broken = [
            sum(1 << i for i, cell in enumerate(alone) if seats[cell] != board.clues[cell])
            for seats in map(setter.seats, solution.answers)
        ]
        sets += [one for one in broken if one]
        fewest = _fewest(sets) if any(broken) else None
        if fewest is None:
            break
        keep = fewest
    clues = board.clues.copy()
    for cell in alone:  # as many as one after the other allows
        tried = clues.copy()
        tried[cell] = ASKED
        if solver.solve(type(board)(tried), budget=branches).unique:
            clues, fitting = tried, [*fitting, cell]
    return alone, fitting, False


def _fewest(sets, nodes=20_000):
    """The fewest places, as bits, so that every set of bits has one of them; None when that takes too long to say."""
    sets, best, spent = sorted(set(sets), key=int.bit_count), None, 0
    stack = [(0, 0)]  # places taken, places ruled out
    while stack:
        taken, out = stack.pop()
        spent += 1
        if spent > nodes:
            return None
        missed = [one & ~out for one in sets if not one & taken]
        if best is not None and taken.bit_count() + _apart(missed) >= best.bit_count():
            continue
        if not missed:
            best = taken
            continue
        least = min(missed, key=int.bit_count)
        for place in bits(least):  # that place, none of the earlier ones
            stack.append((taken | 1 << place, out))
            out |= 1 << place
    return best


def _apart(sets):
    """How many of the sets, taken greedily, have nothing in common: so many places are needed at least."""
    seen = count = 0
    for one in sets:
        if not one & seen:
            seen, count = seen | one, count + 1
    return count


FINDINGS = {
    "slides": (
        "for each number, the other cells of its room; it could move to those called fine, with the value that is true "
        "there, and the board would still have one answer"
    ),
    "open": "for each number, how many rectangles it leaves open by itself",
    "could be ?": "numbers of which any one could be a `?`, and the board would still have one answer",
    "could be ? together": "numbers that could all be a `?` at once, and the board would still have one answer",
    "most at once": "how many numbers could be a `?` at once, at most",
}


def own_findings(board: Board, answer: GridLike, *, budget: int = BUDGET) -> dict[str, Any]:
    """What only Nawabari asks of a board with one answer. What each name means is in FINDINGS; slides are a dict
    (cell, other cell) -> bool, open a dict cell -> int, with cells (r, c).
    """
    _, first = rectangles.candidates(board.clues)
    cells = [(r, c) for r, c in np.argwhere(board.clues != NO_CLUE).tolist()]
    left = dict(zip(cells, (stop - start for start, stop in pairwise(first.tolist())), strict=True))
    alone, together, proved = askable(board)
    return {
        "slides": slides_of(board, np.asarray(answer, np.int32)), "open": left, "could be ?": alone,
        "could be ? together": together,
        "most at once": len(together) if proved else None,
    }  # fmt: skip


def own_shares(board: Board, answer: GridLike) -> dict[str, tuple[int, int]]:
    """Figures of a board with one answer that only Nawabari has: dict from the name of a figure to (hits, of)."""
    slides = list(slides_of(board, np.asarray(answer, np.int32)).values())
    printed = board.clues[board.clues != NO_CLUE].tolist()
    numbers = {f"numbers that are {number}": (printed.count(number), len(printed)) for number in range(5)}
    return {"slides that keep the board unique": (sum(slides), len(slides))} | numbers
