"""Figures of a set of boards, whoever set them, and two sets laid side by side: shares with intervals, by size, and
their differences.

Boards with one answer are asked everything; the others count only among the boards. Not here: any single question,
which are analysis.py's and the genre's own.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .. import GENRES
from ..boards import NO_CLUE
from ..boards.board import PrintedBoard
from ..jobs import chunks
from . import analysis, intervals
from .asking import Size, size_name
from .intervals import WHY
from .prose import listed
from .tables import places

LARGEST = 400  # cells of a board that is asked for what takes a search for each cell
COUNTED = 100  # cells of a board whose answers are counted under the misreadings
BRANCHES = 100_000
CHUNK = 5  # boards asked in one piece of work

Figures = dict[str, tuple[int, int]]  # of one board: name of a figure to (hits, of)


def figures(
    boards: Sequence[PrintedBoard], sizes: Iterable[Size] = (), *, scheduler: str | None = None
) -> pd.DataFrame:
    """What a set of boards of one genre is like.

    Parameters
    ----------
    boards : list of Board
    sizes : list             n for n x n, or (rows, cols): sizes that get rows of their own beside "all"; those without
                             boards do not
    scheduler : str          where the boards are asked: see `chunks.run`

    Returns
    -------
    DataFrame                size, figure, boards (that are asked), hits, of, share, low, high (95%, boards are
                             clusters), why there is no interval, where there is none

    Raises
    ------
    ValueError               no boards, or boards of several genres
    """
    genres = {board.genre for board in boards}
    if len(genres) != 1:
        raise ValueError(f"a set of boards has boards of one genre, not of {sorted(genres) or 'none'}")
    records = [board.to_record() for board in boards]
    calls = [{"records": records[first:last]} for first, last in chunks.spans(len(records), CHUNK)]
    parts = chunks.run(of_records, calls, scheduler=scheduler, label=f"{boards[0].genre} figures", progress=True)
    found = list(chain.from_iterable(parts))
    named = [size_name(*(size if isinstance(size, (tuple, list)) else (size, size))) for size in sizes]
    groups = {name: [at for at, board in enumerate(boards) if size_name(*board.clues.shape) == name] for name in named}
    rows = []
    for size, members in {**groups, "all": range(len(boards))}.items():
        for figure in dict.fromkeys(figure for at in members for figure in found[at]):
            hits, trials = np.array([found[at][figure] for at in members if figure in found[at]]).T
            if trials.sum():
                why = intervals.missing(len(trials))  # boards are the clusters, also where there is only one
                bounds = intervals.NONE if why else intervals.share_interval(hits, trials)
                low, high = (bound if bound is None else places(Fraction(bound), 4) for bound in bounds)
                rows.append({
                    "size": size, "figure": figure, "boards": len(trials), "hits": int(hits.sum()),
                    "of": int(trials.sum()),
                    "share": places(Fraction(int(hits.sum()), int(trials.sum())), 4), "low": low, "high": high,
                    WHY: why,
                })  # fmt: skip
    return pd.DataFrame(rows, dtype=object).astype({"boards": int, "hits": int, "of": int})


def of_records(records: Iterable[dict[str, Any]]) -> list[Figures]:
    """One chunk of `figures`: what `of_board` says of some boards, given as JSON objects."""
    return [of_board(GENRES[record["genre"]].Board.from_record(record)) for record in records]


def of_board(board: PrintedBoard) -> Figures:
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


def beside(theirs: pd.DataFrame, ours: pd.DataFrame, names: tuple[str, str] = ("people", "machine")) -> pd.DataFrame:
    """Two sets of figures side by side, size by size, with what sets them apart.

    Sizes that are pooled ("all") are left out: two sets with other mixes of sizes differ for that alone. All rows with
    an interval are one family of comparisons.

    Parameters
    ----------
    theirs, ours : DataFrame     what `figures` gave
    names : two str              of the two sets

    Returns
    -------
    DataFrame     size, figure; of each set its boards and its share; difference (the first less the second) with low
                  and high (95%); p, two-sided; adjusted (Benjamini and Hochberg); differ: adjusted below 1 -
                  intervals.LEVEL. Without interval and test where one of the sets has fewer than intervals.FEWEST
                  boards of the size, with the reason.

    The interval is Newcombe's, made of those of the two shares, so it knows how trials of one board hang together; p is
    of the score test with as many independent trials as the two intervals are worth.
    """
    frame = theirs.merge(ours, on=["size", "figure"], suffixes=[f", {name}" for name in names], sort=False)
    one, other = (f", {name}" for name in names)
    rows: list[dict[str, Any]] = []
    tested: list[int] = []
    for row in frame[frame["size"] != "all"].to_dict("records"):
        kept = {
            f"{column}{suffix}": row[f"{column}{suffix}"] for suffix in (one, other) for column in ("boards", "share")
        }
        first, second = ([row[f"{column}{suffix}"] for column in ("share", "low", "high")] for suffix in (one, other))
        found = {
            "difference": first[0] - second[0],
            "low": None,
            "high": None,
            "p": None,
            "adjusted": None,
            "differ": None,
        }
        found[WHY] = intervals.missing(min(row[f"boards{one}"], row[f"boards{other}"]))
        if found[WHY] is None and None not in (*first, *second):
            low, high, p = difference(tuple(map(float, first)), tuple(map(float, second)))
            found |= {"low": places(Fraction(low), 4), "high": places(Fraction(high), 4), "p": p}
            tested.append(len(rows))
        rows.append({"size": row["size"], "figure": row["figure"], **kept, **found})
    if tested:
        for at, adjusted in zip(tested, stats.false_discovery_control([rows[at]["p"] for at in tested]), strict=True):
            rows[at] |= {
                "p": places(Fraction(rows[at]["p"]), 4), "adjusted": places(Fraction(float(adjusted)), 4),
                "differ": bool(adjusted < 1 - intervals.LEVEL),
            }  # fmt: skip
    return pd.DataFrame(rows, dtype=object)


def difference(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """The difference of two independent shares, each given as (share, low, high): its interval, and the p of a test
    against none.

    >>> low, high, p = difference((0.5, 0.4038, 0.5962), (0.3, 0.2189, 0.3958))
    >>> round(low, 3), round(high, 3), round(p, 3)
    (0.064, 0.326, 0.004)
    """
    (a, a_low, a_high), (b, b_low, b_high) = one, other
    low, high = a - b - np.hypot(a - a_low, b_high - b), a - b + np.hypot(a_high - a, b - b_low)
    n, m = worth(*one), worth(*other)
    pooled = (a * n + b * m) / (n + m)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    p = 2 * stats.norm.sf(abs(a - b) / error) if error > 0 else 1.0
    return max(-1.0, float(low)), min(1.0, float(high)), float(p)


def worth(share: float, low: float, high: float) -> float:
    """How many independent trials have this as Wilson's interval of their share.

    >>> round(worth(0.5, 0.4038, 0.5962))
    100
    """
    bound = max(low, high, key=lambda end: abs(end - share))
    return stats.norm.ppf(0.5 + intervals.LEVEL / 2) ** 2 * bound * (1 - bound) / (share - bound) ** 2


def told(frame: pd.DataFrame, names: tuple[str, str] = ("people", "machine")) -> list[str]:
    """What `beside` found, in words: a paragraph for each size."""
    one, other = names
    paragraphs = []
    for size, rows in frame.groupby("size", sort=False):
        n = rows[f"boards, {one}"].max()
        boards = f"{n} board{'' if n == 1 else 's'} by {one}, {rows[f'boards, {other}'].max()} by {other}"
        compared = rows[rows["p"].notna()]
        if compared.empty:
            paragraphs.append(
                f"**{size}** ({boards}). Too few boards for a comparison: it would take {intervals.FEWEST} of each."
            )
            continue
        sentences = []
        for word, sign in (("higher", 1), ("lower", -1)):
            chosen = [row for row in compared.to_dict("records") if row["differ"] and row["difference"] * sign > 0]
            parts = [
                f"{row['figure']} ({row[f'share, {one}']:.1%} against {row[f'share, {other}']:.1%};"
                f" difference {_points(row['low'])} to {_points(row['high'])} points)"
                for row in chosen
            ]
            if parts:
                sentences.append(f"{word.capitalize()} with {one}: {listed(parts)}.")
        rest = compared[~compared["differ"].astype(bool)]
        if len(rest):
            open_to = max(max(abs(row["low"]), abs(row["high"])) for row in rest.to_dict("records"))
            sentences.append(
                f"No difference was shown for the other {len(rest)} of {len(compared)} figures, which does not make"
                f" them the same: their intervals leave room for differences of up to {open_to * 100:.0f} points."
            )
        paragraphs.append(f"**{size}** ({boards}). {' '.join(sentences)}")
    return paragraphs


def _points(share):
    return f"{share * 100:+.1f}".replace("-", "−")
