"""What was found, as the story pages tell it: a claim, a chart, a sentence with its number and interval, and the report
that has the rest. Every number is read from data/ or computed here.

A finding whose tables are not stored is left out, so that a checkout with few reports has a front page too.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ... import GENRES
from ...boards import NO_CLUE
from ...lab import bank, prose, sequences, tables
from ...show.pictures import Picture
from . import charts

BOARDS = 10_000  # of a size, in the long runs
SIZES = [6, 8, 10]


class Finding(NamedTuple):
    """One finding.

    genre : str          or "" for all
    title : str          the claim
    said : str           one sentence or two with the number, and its interval where it was sampled
    chart : str          SVG
    note : str           what the chart shows, of how many
    report : str         name of the report that measured it
    pictures : tuple     an example, as pairs of a picture and its caption
    """

    genre: str
    title: str
    said: str
    chart: str
    note: str
    report: str
    pictures: tuple[tuple[Picture, str], ...] = ()


def front() -> list[Finding]:
    """The five that the front page tells."""
    return _stored([added, printable, places, lies, growth])


def of_genre(genre: str) -> list[Finding]:
    """Those of a genre, in order."""
    return _stored(FINDINGS.get(genre, []))


def _stored(wanted):
    found = []
    for finding in wanted:
        try:
            found.append(finding())
        except FileNotFoundError:
            continue
    return found


# numbers and their words


def _row(frame: pd.DataFrame, **where: Any) -> dict[str, Any]:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    (row,) = frame.to_dict("records")
    return row


def _between(row, low="low", high="high"):
    return f"95 % interval {prose.percent(row[low], 2)} to {prose.percent(row[high], 2)}"


def _by_size(frame, **where):
    """Rows of a table for each size, the last of them the one that the sentence is about."""
    rows = [_row(frame, size=f"{n}x{n}", **where) for n in SIZES if (frame["size"] == f"{n}x{n}").any()]
    bars = [
        charts.Share(row["size"].replace("x", " × "), row["ours"], row["low"], row["high"], row is rows[-1])
        for row in rows
    ]
    return rows, bars


def _alt(bars):
    return "; ".join(f"{bar.label}: {prose.percent(bar.value)}" for bar in bars)


# Usowan


def added() -> Finding:
    """Printing one more true number."""
    frame = tables.load("usowan/adding_true_numbers", sizes=SIZES, boards=BOARDS, top="connect")
    rows, bars = _by_size(frame, outcome="boards with second answer")
    return Finding(
        "usowan",
        "One more true number breaks every second board",
        f"Take a 10 × 10 Usowan board with one answer and print one more number on it, a true one. On "
        f"{prose.percent(rows[-1]['ours'], 2)} of boards ({_between(rows[-1])}) there is a cell where this makes a "
        "second "
        "answer. In that answer the new number is the lie of its region, and all the old ones there are true.",
        charts.shares(bars, f"Boards that one more true number can break. {_alt(bars)}"),
        f"Boards with such a cell, by size; {rows[-1]['of']:,} boards of each.",
        "usowan_adding",
        _broken_board("usowan"),
    )


def _broken_board(genre):
    """The first stored board that one more true number gives a second answer, with both of them."""
    package = GENRES[genre]
    stored = bank.load(genre, 6, 6, boards=20)
    for board, answer in zip(stored.boards, stored.answers, strict=True):
        for r, c in np.argwhere((board.clues == NO_CLUE) & (answer == 0)).tolist():
            for number in range(5):
                clues = np.array(board.clues)
                clues[r, c] = number
                more = package.Board(clues, board.regions)
                answers = package.solve(more, limit=3).answers
                right = [found for found in answers if (found == answer).all()]
                if len(answers) == 2 and right:  # the old answer holds, so the number is true
                    (other,) = (found for found in answers if (found != answer).any())
                    new = {"therefore": [(r, c)]}
                    return (
                        (board.picture(answer, highlights={}), "The only answer of the board."),
                        (more.picture(answer, highlights=new), f"Print one more {number}, which is true …"),
                        (more.picture(other, highlights=new), "… and this is an answer, too."),
                    )
    return ()


def lies() -> Finding:
    """Lies that announce themselves."""
    frame = tables.load("usowan/self_announcing", sizes=SIZES, boards=BOARDS)
    _, bars = _by_size(frame)
    row = _row(frame, size="all")
    return Finding(
        "usowan",
        "Three lies in ten give themselves away",
        f"A number as large as its cell has neighbours can never be true, since shading would then cut its "
        f"cell off. Of {row['of']:,} lies {prose.percent(row['ours'], 2)} ({_between(row)}) are of this kind: one "
        "sees them before anything is shaded.",
        charts.shares([bar._replace(strong=False) for bar in bars], f"Lies that announce themselves. {_alt(bars)}"),
        f"Share of all lies, by size; {BOARDS:,} boards of each.",
        "usowan_bank",
    )


def honest() -> Finding:
    """A region that may have no lie."""
    frame = tables.load("usowan/misreadings", sizes=SIZES, boards=BOARDS)
    rows, bars = _by_size(frame, misreading="none wrong", what="unique")
    counts = tables.load("usowan/misreading_answers", sizes=SIZES, boards=BOARDS)
    most = _row(counts, size="10x10", misreading="none wrong")["most"]
    return Finding(
        "usowan",
        "Let a region be honest, and the puzzle falls apart",
        "Read the rule as “at most one number is wrong”, as one easily does. Only "
        f"{prose.percent(rows[-1]['ours'])} of 10 × 10 "
        f"boards (95 % interval {prose.percent(rows[-1]['low'])} to {prose.percent(rows[-1]['high'])}) still have "
        "one answer; one of them "
        f"has {most:,}.",
        charts.shares(bars, f"Boards that still have one answer. {_alt(bars)}"),
        f"Boards with one answer under this reading, by size; {rows[-1]['of']:,} boards of each.",
        "usowan_misreadings",
    )


def rungs() -> Finding:
    """How far each rung goes."""
    frame = tables.load("usowan/rungs", sizes=SIZES, boards=BOARDS)
    rows = [_row(frame, size="10x10", rung=rung, what="finished") for rung in GENRES["usowan"].RUNGS[:-1]]
    bars = [charts.Share(row["rung"], row["ours"], row["low"], row["high"], row["rung"] == "region") for row in rows]
    row = next(row for row in rows if row["rung"] == "region")
    return Finding(
        "usowan",
        "Arithmetic alone finishes one board in four",
        f"With all that the numbers say, region by region, {prose.percent(row['ours'])} of 10 × 10 boards (95 % "
        "interval "
        f"{prose.percent(row['low'])} to {prose.percent(row['high'])}) come to their end. For all others one has "
        "to look at the unshaded "
        "cells as one piece.",
        charts.shares(bars, f"10 × 10 boards finished up to each rung. {_alt(bars)}"),
        f"10 × 10 boards that are finished by the rungs up to this one; {row['of']:,} boards, made so that connect "
        "finishes them.",
        "usowan_ladder",
    )


# Tasquare


def printable() -> Finding:
    """Answers that no set of numbers tells apart from all others."""
    row = _row(tables.load("tasquare/printable", printable_to=6), size="6x6")
    share = prose.percent(row["share"], 2)
    return Finding(
        "tasquare",
        "Two answers in three can never be a puzzle",
        f"Shade a 6 × 6 grid by the rules of Tasquare and print every number there is. Of all {row['answers']:,} "
        "answers, each of "
        f"them tried, only {row['printable']:,} ({share}) are then the only answer. The others leave room for a "
        "second answer, whatever one prints.",
        charts.hundred(row["share"], f"{share} of all answers can be printed"),
        "Each square stands for one answer in a hundred; the coloured ones can be printed. Counted in full, so "
        "without "
        "an interval.",
        "tasquare_composition",
    )


def positions() -> Finding:
    """What is left when every digit is rubbed out."""
    row = _row(tables.load("tasquare/positions", position_sizes=[6, 8], boards=BOARDS), size="6x6")
    every = GENRES["tasquare"].count(6, 6)
    return Finding(
        "tasquare",
        "Rub out every digit, and almost nothing is lost",
        f"Leave a 6 × 6 board only the places of its numbers. Of {every:,} answers {_whole(row['ours'])} are left "
        "in the median (95 % "
        f"interval {_whole(row['low'])} to {_whole(row['high'])}): a number has shading beside it and none on it, "
        "and that says most.",
        charts.amounts(
            [
                charts.Amount("all answers", every, f"{every:,}"),
                charts.Amount("places of the numbers known", row["ours"], _whole(row["ours"]), True),
                charts.Amount("numbers read", 1, "1"),
            ],
            f"All answers {every:,}; with the places of the numbers {_whole(row['ours'])}; with the numbers 1",
        ),
        f"Answers left, each step of the scale ten times as many; the median of {row['boards']:,} boards.",
        "tasquare_positions",
    )


def prices() -> Finding:
    """What the clauses are worth."""
    frame = tables.load("tasquare/clauses", sizes=list(range(4, 15)))
    rows = {reading: _row(frame, size="8x8", reading=reading) for reading in ("any blocks", "white may split")}
    squares, split = (rows[name]["price"] for name in ("any blocks", "white may split"))
    return Finding(
        "tasquare",
        f"One rule is worth {_whole(squares / split)} times the other",
        f"Drop the rule that blocks are squares, and an 8 × 8 grid has {float(squares):,.0f} times as many "
        "shadings. Drop the rule that "
        f"the unshaded cells are one region, and it has {float(split):.2f} times as many. Both are exact.",
        charts.amounts(
            [
                charts.Amount("without “blocks are squares”", squares, f"× {float(squares):,.0f}", True),
                charts.Amount("without “unshaded cells are one region”", split, f"× {float(split):.2f}"),
            ],
            f"Without squares {float(squares):,.0f} times as many shadings, without one region {float(split):.2f} "
            "times",
        ),
        "How many times as many shadings an 8 × 8 grid has without a clause; each step is ten times as many.",
        "tasquare_space",
    )


def busy() -> Finding:
    """Boards are busier than answers."""
    frame = tables.load("tasquare/crowding", sizes=SIZES, draws=10_000, seed=1, boards=BOARDS)
    row, plain = (_row(frame, size="6x6", answers=name) for name in ("banked boards", "all draws"))
    mean = float(row["exact mean"])
    bars = [
        charts.Share("all answers, exactly", mean / 36, None, None),
        charts.Share("answers of boards", *(float(row[end]) / 36 for end in ("ours", "low", "high")), True),
    ]
    return Finding(
        "tasquare",
        "Puzzles are busier than chance",
        f"The answers of 6 × 6 boards shade {float(row['ours']):.2f} cells (95 % interval {float(row['low']):.2f} to "
        f"{float(row['high']):.2f}), all answers together {mean:.2f}: {100 * (float(row['over exact']) - 1):.0f} % "
        "more. Sparse "
        "answers can hardly be told apart by numbers.",
        charts.shares(bars, f"Share of cells that are shaded. {_alt(bars)}", 0.5),
        f"Shaded cells of 36, on a scale that ends at one half; {plain['of']:,} boards.",
        "tasquare_composition",
    )


# Nawabari


def places() -> Finding:
    """What the places of the numbers say."""
    row = _row(tables.load("nawabari/dots", sizes=[6, 8], boards=BOARDS), size="6x6")
    every = GENRES["nawabari"].count(6, 6)
    left = _whole(row["ours"])
    return Finding(
        "nawabari",
        "Where the numbers stand says nearly everything",
        f"A 6 × 6 grid can be cut into rectangles in {every:,} ways. Tell somebody only which cells of a Nawabari "
        "board hold a "
        f"number, not which number, and {left} ways are left in the median (95 % interval {_whole(row['low'])} to "
        f"{_whole(row['high'])}).",
        charts.amounts(
            [
                charts.Amount("all ways to cut the grid", every, f"{every:,}"),
                charts.Amount("places of the numbers known", row["ours"], left, True),
                charts.Amount("numbers read", 1, "1"),
            ],
            f"All ways {every:,}; with the places of the numbers {left}; with the numbers 1",
        ),
        f"Ways left, each step of the scale ten times as many; the median of {row['boards']:,} boards.",
        "nawabari_bank",
    )


def placements() -> Finding:
    """How many ways to print an answer are a puzzle."""
    frame = tables.load("nawabari/placements", sizes=[6, 8], answers_of=[1000, 1000])
    rows = [_row(frame, size=size) for size in ("6x6", "8x8")]
    bars = [
        charts.Share(row["size"].replace("x", " × "), row["mean"], row["low"], row["high"], row is rows[-1])
        for row in rows
    ]
    return Finding(
        "nawabari",
        "Printed at random, an answer is hardly ever a puzzle",
        "Choose a cell in each room and print its number. Of an 8 × 8 answer, "
        f"{prose.percent(rows[-1]['mean'], 2)} of all choices "
        f"({_between(rows[-1])}) give on average a puzzle with one answer; {rows[-1]['placements']:,} were tried.",
        charts.shares(bars, f"Placements that make a puzzle. {_alt(bars)}", 0.25),
        f"Mean share over {rows[-1]['answers']:,} answers of each size, all their placements; the scale ends at "
        "one quarter.",
        "nawabari_placements",
    )


def slides() -> Finding:
    """Which numbers may be moved."""
    frame = tables.load("nawabari/slides_by_seat", sizes=[6, 8], boards=BOARDS)
    seats = ("end of a strip", "middle of a strip", "corner", "edge", "inside")
    rows = [_row(frame, size="all", outcome=seat) for seat in seats]
    bars = [charts.Share(row["outcome"], row["ours"], row["low"], row["high"], row is rows[-1]) for row in rows]
    row = rows[-1]
    return Finding(
        "nawabari",
        "Slide a number deep into its room, and the puzzle mostly survives",
        "Slide one number to another cell of its own room and write what is true there. Slid strictly inside the "
        "room, where it "
        f"is a 0, it keeps the board's only answer in {prose.percent(row['ours'], 2)} of {row['of']:,} cases "
        f"({_between(row)}).",
        charts.shares(bars, f"Slides that keep the only answer, by where the number lands. {_alt(bars)}"),
        f"Slides that keep the board's only answer, by where the number lands; {2 * BOARDS:,} boards.",
        "nawabari_placements",
    )


def boards() -> Finding:
    """How many boards there are."""
    stored = [
        tables.load("nawabari/boards", board_grids=grids) for grids in (["4x6", "4x7", "5x5"], ["4x7", "4x8", "5x6"])
    ]
    frame = pd.concat(stored).drop_duplicates("grid")
    rows = sorted(frame.to_dict("records"), key=lambda row: row["unique"])
    five = _row(frame, grid="5x6")
    return Finding(
        "nawabari",
        "Trillions of puzzles on five rows",
        f"A 5 × 6 grid has exactly {five['unique']:,} boards with one answer. All of them were counted, none was "
        "sampled.",
        charts.amounts(
            [
                charts.Amount(
                    row["grid"].replace("x", " × "), row["unique"], f"{row['unique']:,}", row["grid"] == "5x6"
                )
                for row in rows
            ],
            "; ".join(f"{row['grid']}: {row['unique']:,}" for row in rows),
        ),
        "Boards with exactly one answer, each step of the scale ten times as many.",
        "nawabari_printed",
    )


# all of them

SEQUENCES = {  # what the answers of square grids are stored as, and whose figures were published
    "usowan": "usowan_answers",
    "tasquare": "tasquare_answers",
    "nawabari": "nawabari_dissections",
}


def growth() -> Finding:
    """Counted to the last digit."""
    known = {genre: sequences.read(name) for genre, name in SEQUENCES.items()}
    lines = {
        genre.capitalize(): (sequence.terms, max(_printed(genre), sequence.published or 0) or None)
        for genre, sequence in known.items()
    }
    n, digits = max((max(terms), len(str(terms[max(terms)]))) for terms, _ in lines.values())
    name = next(name for name, (terms, _) in lines.items() if max(terms) == n)
    usowan = known["usowan"].terms
    return Finding(
        "",
        "Counted to the last digit",
        f"A {n} × {n} grid can be cut into rectangles in a number of ways that has {digits} digits, and every "
        "digit of it is known. "
        f"The answers of a {max(usowan)} × {max(usowan)} Usowan grid are a number of "
        f"{len(str(usowan[max(usowan)]))} digits; the atoms of the "
        "universe are put at one of about 80.",
        charts.growth(
            lines, f"Digits of the number of answers against the size of the grid, up to {n} × {n} for {name}"
        ),
        "Digits of the number of answers of an n × n grid. A ring marks the largest that was published before.",
        "sequences",
    )


def _printed(genre):
    """The largest square of which somebody else published the number of answers."""
    labels = tables.published(genre)["label"]
    found = labels.str.extract(r"^space/(\d+)x\1/(?:answers|dissections)$")[0].dropna()
    return max(map(int, found), default=0)


def _whole(value):
    return f"{float(value):,.0f}"


FINDINGS: dict[str, list[Callable[[], Finding]]] = {
    "usowan": [added, lies, honest, rungs],
    "tasquare": [printable, positions, prices, busy],
    "nawabari": [places, placements, slides, boards],
}
