"""What can be said of one board, or of each of many: its answers, its clues, how it may be misread, how hard it is.

Every number is exact or is not given: a board too large for a budget has None there, and `spent` says what was tried.
What only one genre asks comes from its `own_findings`. Not here: pictures, files, the command line.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

from .. import GENRES
from ..boards import NO_CLUE
from ..boards.board import PrintedBoard
from ..machinery.explanation import Difficulty, sided
from ..machinery.grid import Cell, Key, cell_name
from ..machinery.memory import OverBudget
from ..marks import Places, Walls

BRANCHES = 100_000  # cells on which the search may branch
FEW = 1000  # answers that are found one by one before they are counted all at once, and guesses for it
BYTES = 1 << 27  # for the states of one count: a second or so of work
WIDEST = 16  # cells across a grid on which answers are counted; beyond, states outrun any patience

Weight = Literal["load-bearing", "redundant", "unknown"]  # of a clue


class Misread(NamedTuple):
    """A board under a misreading: how many answers it has (None: not known), and whether the intended one is among
    them.
    """

    answers: int | None
    intended: bool


class Analysis(NamedTuple):
    """What is known of a board.

    board : Board
    answers : int or None      how many answers it has, exactly; None when that is not known
    at_least : int             so many were found
    spent : str                what was tried without an end; empty when `answers` is known
    found : array              up to two answers, as `solve` gives them
    differ : tuple             where those two differ: cells (r, c), or sides (r, c, "right") and (r, c, "down")
    shares                     how many of all answers shade each cell, or have each wall: int objects as
                               `answer_marginals` gives them; None unless there are several and `answers` is known
    clues : dict               (r, c) -> "load-bearing" or "redundant" (without it the same single answer is left), or
                               "unknown" past the budget; empty unless the board has one answer
    misread : dict             name of a misreading -> Misread
    difficulty : Difficulty    of the ladder, whatever the number of answers
    own : dict                 what only the genre asks, see its `own_findings`; empty unless the board has one answer
    """

    board: PrintedBoard
    answers: int | None
    at_least: int
    spent: str
    found: np.ndarray
    differ: tuple[Key, ...]
    shares: Places | None
    clues: dict[Cell, Weight]
    misread: dict[str, Misread]
    difficulty: Difficulty
    own: dict[str, Any]

    @property
    def unique(self) -> bool | None:
        """True, False, or None when it is not known."""
        return self.answers == 1 if self.answers is not None else False if self.at_least > 1 else None

    @property
    def verdict(self) -> str:
        """How many answers there are, in words."""
        if self.answers is not None:
            return f"exactly {self.answers:,} answer{'' if self.answers == 1 else 's'}" if self.answers else "no answer"
        found = f"at least {self.at_least} answers" if self.at_least > 1 else f"unknown, {self.at_least} found"
        return f"{found} ({self.spent})"

    def load_bearing(self) -> list[Cell]:
        """The cells of the clues that the board needs."""
        return [cell for cell, weight in self.clues.items() if weight == "load-bearing"]

    def redundant(self) -> list[Cell]:
        """The cells of the clues without any one of which the board keeps its one answer."""
        return [cell for cell, weight in self.clues.items() if weight == "redundant"]


def analyse(board: PrintedBoard, *, branches: int = BRANCHES, budget: int = BYTES, progress: bool = False) -> Analysis:
    """Everything about a board.

    Parameters
    ----------
    board : Board
    branches : int      cells on which a search may branch before its question is given up
    budget : int        bytes for the states of a count before it is given up
    progress : bool     show a progress bar when it takes over two seconds

    Returns
    -------
    Analysis

    Cost: some 10 ms for a board of 10 x 10.

    >>> from puzzlekit import read
    >>> found = analyse(read("https://puzz.link/p?tasquare/2/2/1i"))
    >>> found.verdict, found.differ, found.shares.tolist()
    ('exactly 2 answers', ((0, 1), (1, 0)), [[0, 1], [1, 0]])
    """
    package = GENRES[board.genre]
    with tqdm(
        total=5, desc=f"{board.genre} {board.rows} x {board.cols}", delay=2, disable=not progress, leave=False
    ) as bar:
        answers, at_least, spent, found, shares = _answers(package, board, branches, budget)
        bar.update()
        one = found[0] if answers == 1 else None
        differ = package.MARKS.differ(*found[:2]) if len(found) > 1 else ()
        clues = {} if one is None else clue_weights(board, one, branches=branches)
        bar.update()
        misread = misreadings(board, one, budget=budget)
        bar.update()
        difficulty = package.difficulty(board)
        bar.update()
        own = {} if one is None else package.own_findings(board, one, budget=budget)
    return Analysis(board, answers, at_least, spent, found, differ, shares, clues, misread, difficulty, own)


def analyse_all(
    boards: Iterable[PrintedBoard], *, branches: int = BRANCHES, budget: int = BYTES, progress: bool = False
) -> list[Analysis]:
    """`analyse` of every board of a list, with a progress bar if asked for: a list of Analysis."""
    return [analyse(board, branches=branches, budget=budget) for board in going_through(boards, progress)]


def going_through(boards: Iterable[PrintedBoard], progress: bool) -> Iterable[PrintedBoard]:
    """The boards one by one; where progress is asked for and not switched off, with a bar from the third second on."""
    return tqdm(boards, unit="board", delay=2, **({} if progress else {"disable": True}))  # else TQDM_DISABLE decides


def count_answers(board: PrintedBoard, *, branches: int = BRANCHES, budget: int = BYTES) -> tuple[int | None, str]:
    """How many answers a board has: (int, "") exactly, or (None, what was spent without an end).

    >>> from puzzlekit import read
    >>> count_answers(read("https://puzz.link/p?tasquare/2/2/1i"))
    (2, '')
    """
    answers, _, spent, _, _ = _answers(GENRES[board.genre], board, branches, budget)
    return answers, spent


def _answers(package, board, branches, budget):
    solution = package.solve(board, limit=2, budget=branches)
    k = len(solution.answers)
    if k < 2 and solution.complete:
        return k, k, "", solution.answers, None
    if min(board.rows, board.cols) <= WIDEST:
        try:
            answers, shares = package.answer_marginals(board, budget=budget)
        except OverBudget:
            spent = f"counting them takes more than {budget:,} bytes"
        else:
            found = solution.answers if k == 2 or answers == k else package.solve(board, limit=2).answers
            return answers, min(answers, 2), "", found, shares if answers > 1 else None
    else:
        spent = f"answers are counted up to {WIDEST} cells across"
    if k < 2:
        spent = f"the search ended after {branches:,} branch points; {spent}"
    return None, k, spent, solution.answers, None


def clue_weights(board: PrintedBoard, answer: np.ndarray, *, branches: int = BRANCHES) -> dict[Cell, Weight]:
    """Which clues a board with one answer needs.

    Parameters
    ----------
    board : Board
    answer : array     its answer, as `solve` gives it
    branches : int     cells on which each search may branch

    Returns
    -------
    dict               (r, c) -> "load-bearing", or "redundant" when the board without that clue has the same single
                       answer, or "unknown"

    Cost: a search a clue, all in one call.
    """
    cells = [(r, c) for r, c in np.argwhere(board.clues != NO_CLUE).tolist()]
    without = [board.with_clue(r, c, NO_CLUE) for r, c in cells]
    solutions = GENRES[board.genre].solve_many(without, limit=2, budget=branches)
    weights: dict[Cell, Weight] = {}
    for cell, solution in zip(cells, solutions, strict=True):
        if solution.unique is None:
            weights[cell] = "unknown"
        else:
            same = solution.unique and (solution.answers[0] == answer).all()
            weights[cell] = "redundant" if same else "load-bearing"
    return weights


def misreadings(board: PrintedBoard, answer: np.ndarray | None = None, *, budget: int = BYTES) -> dict[str, Misread]:
    """What each misreading of the genre would allow: dict from its name to Misread.

    `intended` is False when the board has no single answer to compare with.
    """
    package = GENRES[board.genre]
    return {
        name: Misread(
            count_misread(board, name, budget=budget), answer is not None and package.check(board, answer, name) is None
        )
        for name in package.MISREADINGS
    }


def count_misread(board: PrintedBoard, name: str, *, budget: int = BYTES) -> int | None:
    """How many answers a board has under a misreading, exactly, or None when counting them is over the budget.

    Few answers are found by the search, which is there anyway; many are counted.
    """
    if min(board.rows, board.cols) > WIDEST:
        return None
    package = GENRES[board.genre]
    searched = package.solve_many([board], FEW, FEW, reading=name)
    if searched.complete[0] and searched.counts[0] < FEW:
        return int(searched.counts[0])
    try:
        return package.count_answers(board, name, budget=budget)
    except OverBudget:
        return None


def table(analyses: Iterable[Analysis]) -> pd.DataFrame:
    """A row a board: DataFrame of genre, size, clues, verdict, answers, grade, hardest rung, redundant clues, the
    answers under each misreading, and how many of each of the genre's own findings there are (the number itself where
    it is one). Boards of several genres leave columns of the others empty.
    """
    rows = []
    for found in analyses:
        row = {
            "genre": found.board.genre, "size": f"{found.board.rows}x{found.board.cols}",
            "clues": int((found.board.clues != NO_CLUE).sum()), "verdict": found.verdict, "answers": found.answers,
            "grade": found.difficulty and found.difficulty.grade,
            "hardest rung": found.difficulty and found.difficulty.hardest,
            "redundant clues": len(found.redundant()) if found.clues else None,
        }  # fmt: skip
        row |= {f"answers, {name}": misread.answers for name, misread in found.misread.items()}
        rows.append(
            row
            | {
                name: value if value is None or isinstance(value, int) else len(value)
                for name, value in found.own.items()
            }
        )
    return pd.DataFrame(rows, dtype=object)


def in_words(found: Analysis) -> Iterator[str]:
    """An analysis as lines of text, the verdict first; cells as R1C1."""
    board = found.board
    numbers = f"{board.numbers} number{'s' * (board.numbers != 1)}"
    yield f"{board.genre}, {board.rows} x {board.cols}, {numbers}: {found.verdict}"
    if found.differ:
        yield f"two answers differ in {len(found.differ)} places: {_listed(found.differ)}"
    if found.difficulty:
        yield f"difficulty: {found.difficulty.grade}. {found.difficulty.reason}"
    if found.clues:
        redundant = found.redundant()
        which = f": {_listed(redundant)}" if redundant else ""
        yield f"clues: {len(found.load_bearing())} needed, {len(redundant)} that could be removed{which}"
    for name, misread in found.misread.items():
        answers = (
            "too many to count"
            if misread.answers is None
            else f"{misread.answers:,} answer{'' if misread.answers == 1 else 's'}"
        )
        yield f"misread as {name!r}: {answers}{', the intended one among them' if misread.intended else ''}"
    for name, value in found.own.items():
        yield f"{name}: {_own(value)}"


def _listed(places, most=12):
    shown = ", ".join(sided([place]) for place in places[:most])
    return shown if len(places) <= most else f"{shown} and {len(places) - most} more"


def _own(value):
    if isinstance(value, dict):
        kept = [key for key, answer in value.items() if answer is True]
        if all(isinstance(answer, bool) for answer in value.values()):
            return f"{len(kept)} of {len(value)} keep the board unique"
        return ", ".join(f"{cell_name(*cell)} {number}" for cell, number in value.items())
    if isinstance(value, list):
        return f"{len(value)}{': ' + _listed(value) if value else ''}"
    return "not known" if value is None else f"{value:,}"


def as_record(found: Analysis) -> dict[str, Any]:
    """An analysis as a JSON-ready dict; counts are whole numbers of any size."""
    shares: Any = found.shares
    if shares is not None:
        marks = GENRES[found.board.genre].MARKS
        parts = [part.tolist() for part in marks.parts(shares)]
        shares = dict(zip(Walls._fields, parts, strict=True)) if marks.sides else parts[0]
    own = {
        name: [[*key, value] for key, value in value.items()] if isinstance(value, dict) else value
        for name, value in found.own.items()
    }
    return {
        "board": found.board.to_record(), "verdict": found.verdict, "answers": found.answers,
        "at_least": found.at_least,
        "spent": found.spent, "unique": found.unique, "found": found.found.tolist(), "differ": found.differ,
        "shares": shares,
        "clues": [[*cell, weight] for cell, weight in found.clues.items()],
        "misreadings": {name: misread._asdict() for name, misread in found.misread.items()},
        "difficulty": found.difficulty and found.difficulty._asdict(), "own": own,
    }  # fmt: skip
