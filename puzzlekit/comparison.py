"""Figures of a set of boards, whoever set them, so that two sets can be laid side by side: shares with intervals, by size.

Boards with one answer are asked everything; the others count only among the boards. Not here: any single question, which are
analysis.py's and the genre's own.
"""

from fractions import Fraction

import numpy as np
import pandas as pd

from . import GENRES, analysis, chunks, intervals
from .asking import size_name
from .formats import NO_CLUE
from .tables import places

LARGEST = 400  # cells of a board that is asked for what takes a search for each cell
COUNTED = 100  # cells of a board whose answers are counted under the misreadings
BRANCHES = 100_000
CHUNK = 5  # boards asked in one piece of work


def figures(boards, sizes=(), *, scheduler=None):
    """What a set of boards of one genre is like.

    Parameters
    ----------
    boards : list of Board
    sizes : list             n for n x n, or (rows, cols): sizes that get rows of their own beside "all"; those without boards do not
    scheduler : str          where the boards are asked: see `chunks.run`

    Returns
    -------
    DataFrame                size, figure, boards (that are asked), hits, of, share, low, high (95%, boards are clusters)

    Raises
    ------
    ValueError               no boards, or boards of several genres
    """
    genres = {board.genre for board in boards}
    if len(genres) != 1:
        raise ValueError(f"a set of boards has boards of one genre, not of {sorted(genres) or 'none'}")
    records = [board.to_record() for board in boards]
    calls = [{"records": records[first:last]} for first, last in chunks.spans(len(records), CHUNK)]
    found = sum(chunks.run(of_records, calls, scheduler=scheduler, label=f"{boards[0].genre} figures", progress=True), [])
    named = [size_name(*(size if isinstance(size, (tuple, list)) else (size, size))) for size in sizes]
    groups = {name: [at for at, board in enumerate(boards) if size_name(*board.clues.shape) == name] for name in named}
    rows = []
    for size, members in {**groups, "all": range(len(boards))}.items():
        for figure in dict.fromkeys(figure for at in members for figure in found[at]):
            hits, trials = np.array([found[at][figure] for at in members if figure in found[at]]).T
            if trials.sum():
                low, high = intervals.share_interval(hits, trials)
                rows.append({
                    "size": size, "figure": figure, "boards": len(trials), "hits": int(hits.sum()), "of": int(trials.sum()),
                    "share": places(Fraction(int(hits.sum()), int(trials.sum())), 4), "low": places(Fraction(low), 4),
                    "high": places(Fraction(high), 4),
                })  # fmt: skip
    return pd.DataFrame(rows)


def of_records(records):
    """One chunk of `figures`: what `of_board` says of some boards, given as JSON objects."""
    return [of_board(GENRES[record["genre"]].Board.from_record(record)) for record in records]


def of_board(board):
    """The figures of one board: dict from the name of a figure to (hits, of)."""
    package = GENRES[board.genre]
    solution = package.solve(board, limit=2, budget=BRANCHES)
    clues = int((board.clues != NO_CLUE).sum())
    found = {"cells with a clue": (clues, board.clues.size), "boards with one answer": (int(bool(solution.unique)), 1)}
    if not solution.unique:
        return found
    (answer,) = solution.answers
    needed = next((rung for rung in package.RUNGS if package.climb(board, rung).finished), "more than the ladder")
    found |= {f"boards that need {rung}": (int(rung == needed), 1) for rung in (*package.RUNGS, "more than the ladder")}
    for name in package.MISREADINGS:
        legal = package.check(board, answer, name) is None
        found[f"misread as {name!r}: the answer stays legal"] = int(legal), 1
        if board.clues.size <= COUNTED:
            only = legal and analysis.count_misread(board, name) == 1
            found[f"misread as {name!r}: the only answer"] = int(only), 1
    if board.clues.size <= LARGEST:
        weights = analysis.clue_weights(board, answer, branches=BRANCHES)
        found["redundant clues"] = sum(weight == "redundant" for weight in weights.values()), clues
        found |= package.own_shares(board, answer)
    return found


def beside(theirs, ours, names=("people", "machine")):
    """Two sets of figures side by side, for the sizes and figures that both have.

    Returns
    -------
    DataFrame     size, figure, and for each set its boards, share, low and high; `apart`: their intervals do not meet
    """
    frame = theirs.merge(ours, on=["size", "figure"], suffixes=[f", {name}" for name in names], sort=False)
    one, other = (f", {name}" for name in names)
    apart = (frame[f"low{one}"] > frame[f"high{other}"]) | (frame[f"low{other}"] > frame[f"high{one}"])
    columns = [f"{column}{suffix}" for suffix in (one, other) for column in ("boards", "share", "low", "high")]
    return frame[["size", "figure", *columns]].assign(apart=apart)
