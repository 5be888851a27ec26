"""What only Tasquare asks: what the place of a number gives away, what its value adds, which values there are at all,
what the two unprinted clauses are worth, and why boards are busier than answers. measure.py turns the findings into
tables.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from ..machinery import grid
from ..machinery.grid import SHADED, UNKNOWN
from . import clued, ladder, orders, profile, solver
from .rules import NO_CLUE, Board, check, sums

CLAUSES_OFF: dict[str, dict[str, Any]] = {  # what is left out of the rules, as arguments of profile.count
    "both clauses": {},
    "white may split": {"connected": False},
    "any blocks": {"squares": False},
    "neither": {"connected": False, "squares": False},
    "single cells": {"max_side": 1},
    "single cells, white may split": {"max_side": 1, "connected": False},
}


# Where numbers may stand


def printed(board: Board, answer: np.ndarray) -> dict[str, int]:
    """How many cells may carry a number under the answer, and how many do."""
    return {"legal": int((sums(answer) > 0).sum()), "numbers": board.numbers}


def legal_of_cells(board: Board, answer: np.ndarray) -> dict[str, int]:
    """The cells that may carry a number as a share of all cells."""
    legal = printed(board, answer)["legal"]
    return {"share of cells": legal, "other": board.rows * board.cols - legal}


def numbers_of_legal(board: Board, answer: np.ndarray) -> dict[str, int]:
    """The numbers printed as a share of the cells that may carry one."""
    found = printed(board, answer)
    return {"share of legal": found["numbers"], "other": found["legal"] - found["numbers"]}


def positions(board: Board, answer: np.ndarray | None = None) -> dict[str, int]:
    """How many answers of the whole space could have given a board with its clues where they are, every digit rubbed
    out.

    Cost: that of counting under clues; milliseconds at 6 x 6.
    """
    return {"positions": clued.count_answers(board.positions())}


# The price of a clue, exactly


def all_sums(answers: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """rules.sums of many answers at once: int64 (n, rows, cols) from uint8 (n, rows, cols) of answers.

    In an answer, a run of shaded cells in a row is a slice of one square, which touches a cell from one side at most.

    >>> all_sums(np.array([[[0, 0, 0], [0, 1, 1], [0, 1, 1]]])).tolist()
    [[[0, 4, 4], [4, 0, 0], [4, 0, 0]]]
    """
    answers = np.asarray(answers)
    side = np.zeros(answers.shape, np.int64)  # to the left and to the right of a cell and with it
    for columns in (range(answers.shape[2]), range(answers.shape[2] - 1, -1, -1)):
        run = np.zeros(answers.shape[:2], np.int64)
        for c in columns:
            run = (run + 1) * answers[:, :, c]
            side[:, :, c] += run
    area = np.where(answers == 1, (side - 1) ** 2, 0)
    total = np.zeros(answers.shape, np.int64)
    total[:, 1:] += area[:, :-1]
    total[:, :-1] += area[:, 1:]
    total[:, :, 1:] += area[:, :, :-1]
    total[:, :, :-1] += area[:, :, 1:]
    return np.where(answers == 0, total, 0)


def survivors(rows: int, cols: int) -> npt.NDArray[np.int64]:
    """How many answers survive each clue that could be printed on an empty grid, from an enumeration of all of them.

    Returns
    -------
    int64 (rows, cols, v + 1)     [r, c, v]: answers under which (r, c) may carry the number v; at 0 those under which
                                  it may not

    Cost: proportional to the number of answers; 6 x 6 takes a few seconds.

    >>> survivors(2, 2).tolist()
    [[[3, 2], [3, 2]], [[3, 2], [3, 2]]]
    """
    most = 2 * min(rows, cols) ** 2 + 2  # two squares to either side of a cell and a single cell between them, and 0
    counts = np.zeros((rows, cols, most), np.int64)
    for chunk in profile.answers(rows, cols, chunk=100_000):
        total = all_sums(chunk)
        for r, c in np.ndindex(rows, cols):
            counts[r, c] += np.bincount(total[:, r, c], minlength=most)
    return counts[:, :, : np.flatnonzero(counts.any(axis=(0, 1)))[-1] + 1]


def prices(rows: int, cols: int) -> list[dict[str, Any]]:
    """What one clue leaves of the answer space: told only that a cell has a number, and told the number.

    Returns
    -------
    list of dict     told ("position" or "value"), clues (how many there are), answers (in all), and of the answers left
                     the median, the sharpest and the bluntest clue; exact
    """
    counts = survivors(rows, cols)
    answers = profile.count(rows, cols)
    found = []
    for told, left in (("position", counts[:, :, 1:].sum(axis=2).ravel()), ("value", counts[:, :, 1:].ravel())):
        left = [int(n) for n in left if n]
        found.append(
            {
                "told": told,
                "clues": len(left),
                "answers": answers,
                "median": median(map(Fraction, left)),
                "sharpest": min(left),
                "bluntest": max(left),
            }
        )
    return found


# Values


def ways(value: int, rows: int | None = None, cols: int | None = None) -> list[tuple[int, ...]]:
    """The ways to make a number from squares beside its cell, on one grid or on any: tuples of their sides, largest
    first.

    Squares are put beside a cell in every way, alone on a grid (with room around them, where no size is given), and the
    rules' own `check` is asked; further squares could not mend what it finds, nor would they be beside the cell.

    >>> ways(9), ways(9, 5, 5), ways(12)
    ([(2, 2, 1), (3,)], [(3,)], [])
    """
    if rows is None:
        rows = cols = 2 * isqrt(value) + 3
        cells: Iterable[tuple[int, ...]] = [(rows // 2, cols // 2)]
    else:
        rows, cols = grid.check_size(rows, cols)  # type: ignore[arg-type]  # it says so where one is missing
        cells = np.ndindex(rows, cols)
    return sorted(set().union(*(_ways_at(value, rows, cols, *cell) for cell in cells)))


def _ways_at(value, rows, cols, r, c):
    found = set()

    def extend(side, left, squares):
        if left == 0:
            sides = tuple(sorted((k for _, _, k in squares), reverse=True))
            if sides not in found and _is_answer(value, rows, cols, r, c, squares):
                found.add(sides)
        elif side < 4:
            extend(side + 1, left, squares)
            for k in range(1, isqrt(left) + 1):
                for shift in range(k):
                    top, start = ((r - k, c - shift), (r - shift, c - k), (r + 1, c - shift), (r - shift, c + 1))[side]
                    inside = 0 <= top <= rows - k and 0 <= start <= cols - k
                    if inside and not any(_touch((top, start, k), other) for other in squares):
                        extend(side + 1, left - k * k, [*squares, (top, start, k)])

    extend(0, value, [])
    return found


def _touch(square, other):
    """Whether two squares overlap or share a side; each a top row, a left column and a side."""
    gaps = [max(a, b) - min(a + square[2], b + other[2]) for a, b in zip(square, other[:2], strict=False)]
    return max(gaps) < 0 or (max(gaps) == 0 and min(gaps) < 0)


def _is_answer(value, rows, cols, r, c, squares):
    answer = np.zeros((rows, cols), np.uint8)
    for top, start, k in squares:
        answer[top : top + k, start : start + k] = 1
    return check(Board(np.full((rows, cols), NO_CLUE)).with_clue(r, c, value), answer) is None


def values(limit: int, rows: int | None = None, cols: int | None = None) -> list[dict[str, Any]]:
    """Which numbers up to a limit can be printed, on one grid or on any, and as what.

    Returns
    -------
    list of dict     value, ways (how many), as ("4 + 4 + 1, 9", empty where there is no way)

    >>> never = [[row["value"] for row in rows if not row["ways"]] for rows in (values(16), values(16, 6, 6))]
    >>> never
    [[7, 12, 15], [7, 12, 14, 15]]
    """
    found = []
    for value in range(1, limit + 1):
        of = [" + ".join(str(k * k) for k in sides) for sides in ways(value, rows, cols)]
        found.append({"value": value, "ways": len(of), "as": ", ".join(of)})
    return found


# The two clauses nobody prints


def clause_answers(rows: int, cols: int) -> list[dict[str, Any]]:
    """Answers of an empty grid with clauses left out, exactly.

    Returns
    -------
    list of dict     reading (of CLAUSES_OFF), answers, with both clauses (the answers of the full rules)
    """
    answers = {reading: profile.count(rows, cols, **off) for reading, off in CLAUSES_OFF.items()}
    return [
        {"reading": reading, "answers": n, "with both clauses": answers["both clauses"]}
        for reading, n in answers.items()
    ]


def composition(rows: int, cols: int) -> list[dict[str, Any]]:
    """What the answers of a grid consist of, exactly.

    Returns
    -------
    list of dict     what ("mean shaded", "mean squares", "squares of side k"), in all (over all answers), answers
    """
    whole = profile.composition(rows, cols)
    parts = {"mean shaded": whole.shaded, "mean squares": sum(whole.squares.values())}
    parts |= {f"squares of side {side}": whole.squares[side] for side in sorted(whole.squares)}
    return [{"what": what, "in all": int(total), "answers": whole.answers} for what, total in parts.items()]


def frontier_states(rows: int, cols: int) -> dict[str, int]:
    """The frontier states of the widest layer of the sweep, a cell at a time: {"states": n}."""
    return {"states": profile.diagram(rows, cols).states}


# The ladder


def soundness(board: Board, answer: np.ndarray) -> dict[str, int]:
    """Cells that the rungs settle, climbing up to each in turn, and how many of them against the answer.

    Returns
    -------
    dict     "proved" (over all rungs), "against the answer"
    """
    proved = against = 0
    for rung in ladder.RUNGS:
        state = ladder.climb(board, rung).state
        settled = state != UNKNOWN
        proved += int(settled.sum())
        against += int(((state == SHADED) != (np.asarray(answer) == 1))[settled].sum())
    return {"proved": proved, "against the answer": against}


def branch_points_by_order(board: Board, answer: np.ndarray | None = None, *, top: str, cap: int) -> dict[str, int]:
    """Branch points of the search that climbs up to a rung, by the order of its guesses (see orders.py): {order: branch
    points}.
    """
    return {order: orders.branch_points(board, top, order, budget=cap) for order in orders.ORDERS}


# Which answers can be printed


def printable_answers(rows: int, cols: int) -> dict[str, int]:
    """How many answers of a grid are the only answer of some board.

    A clue that is left out takes no answer away, and a `?` takes away no more than its number. So an answer can be
    printed if and only if its fullest board, with the number of every cell that may carry one, has no other answer;
    that board is solved.

    Returns
    -------
    dict     answers, printable, shaded (cells over all answers), "shaded, printable" (over those that can be printed)

    Cost: about 0.02 ms an answer: half a second at 5 x 5, a minute and a half at 6 x 6.

    >>> printable_answers(3, 3)
    {'answers': 43, 'printable': 17, 'shaded': 102, 'shaded, printable': 48}
    """
    found = dict.fromkeys(("answers", "printable", "shaded", "shaded, printable"), 0)
    for answers in profile.answers(rows, cols, chunk=20_000):
        total = all_sums(answers)
        unique = solver.solve_many(np.where(total > 0, total, NO_CLUE)).unique
        shaded = answers.sum(axis=(1, 2), dtype=np.int64)
        here = len(answers), unique.sum(), shaded.sum(), shaded[unique].sum()
        found = {what: count + int(more) for (what, count), more in zip(found.items(), here, strict=True)}
    return found


# Crowding


def shaded(board: Board, answer: np.ndarray) -> dict[str, int]:
    """How many cells the answer shades."""
    return {"shaded": int(np.asarray(answer).sum())}


def filtered(answers: np.ndarray) -> list[dict[str, int]]:
    """Put answers to the test that the setter begins with: number every cell that may be, and solve.

    Parameters
    ----------
    answers : uint8 (n, rows, cols)

    Returns
    -------
    list of dict     of each answer: shaded (cells), legal (cells that may carry a number), and of the board with all
                     its numbers: unique (1 or 0), closed (1 where the ladder finds its one answer)

    Cost: about 0.2 ms an answer at 10 x 10.
    """
    found = []
    for answer, total in zip(answers, all_sums(answers), strict=True):
        board = Board(np.where(total > 0, total, NO_CLUE))
        unique = bool(solver.solve(board).unique)
        closed = unique and ladder.climb(board).finished
        found.append(
            {"shaded": int(answer.sum()), "legal": int((total > 0).sum()), "unique": int(unique), "closed": int(closed)}
        )
    return found
