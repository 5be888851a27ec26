"""An analysis as pictures, tables and sentences, for notebooks. It draws what analysis.py found; nothing is computed
here.

A view is a list of what a notebook cell displays one below the other: a `Text`, a Picture or a DataFrame.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from .. import GENRES
from ..boards.board import PrintedBoard
from ..machinery import grid
from ..show import pictures
from .analysis import Analysis

STEPS = 60  # drawn at most; the others are told in words


class Text(str):
    """Markdown that a notebook shows as such."""

    def _repr_markdown_(self) -> str:
        return str(self)


Part: TypeAlias = Text | pictures.Picture | pd.DataFrame  # of a view


def show(view: Iterable[Part]) -> None:
    """Display a view in a notebook cell."""
    from IPython.display import display

    for part in view:
        display(part)


def answers(found: Analysis) -> Iterator[Part]:
    """The board with its verdict, and its answer; or two answers, where they differ, and how many of all shade each
    cell.
    """
    board = found.board
    yield Text(f"**{found.verdict[0].upper()}{found.verdict[1:]}.**")
    if not len(found.found):
        yield board.picture()
        return
    if len(found.found) == 1:
        yield pictures.side_by_side(
            board.picture(), board.picture(found.found[0]), captions=["the board", "its answer"]
        )
        return
    drawn = [board.picture(), *(board.picture(answer) for answer in found.found[:2]), _marked(board, found.differ)]
    yield pictures.side_by_side(*drawn, captions=["the board", "an answer", "another", "where they differ"])
    if found.shares is not None:
        yield Text("Of all answers, the share that shades each cell (or has each wall): the darker, the more.")
        yield pictures.grid_picture(board.clues, borders=board.regions, heat=_shares(found))
        yield _share_table(found)


def _shares(found):
    marks = GENRES[found.board.genre].MARKS
    return marks.whole([np.asarray(part / found.answers, float) for part in marks.parts(found.shares)])


def _share_table(found):
    """How many cells, or sides, are so in none, in some and in all answers, exactly."""
    marks = GENRES[found.board.genre].MARKS
    counts = np.concatenate([part.ravel() for part in marks.parts(found.shares)])
    rows = [
        ("in no answer", counts == 0),
        ("in some answers", (counts > 0) & (counts < found.answers)),
        ("in every answer", counts == found.answers),
    ]
    return pd.DataFrame([{marks.marked: name, "how many": int(hits.sum())} for name, hits in rows])


def _marked(board, places, kind="therefore"):
    """The board with cells highlighted; a side counts for the cells on both of its sides."""
    cells = set()
    for r, c, *side in places:
        cells.add((r, c))
        if side:
            cells.add((r, c + 1) if side[0] == "right" else (r + 1, c))
    return board.picture(highlights={kind: sorted(cells)})


def difficulty(found: Analysis) -> Iterator[Part]:
    """The grade with its reason, and how often each rung of the ladder was needed."""
    yield Text(f"**{found.difficulty.grade.capitalize()}.** {found.difficulty.reason}")
    yield pd.DataFrame([{"rung": rung, "times needed": times} for rung, times in found.difficulty.counts.items()])


def steps(board: PrintedBoard, most: int = STEPS) -> Iterator[Part]:
    """The deductions in order, each with its sentence and its picture; those past `most` in words only."""
    package = GENRES[board.genre]
    explanation = package.explain(board)
    for n, step in enumerate(explanation.steps, 1):
        inside = "".join(f"\n- *{inner.rung}*: {inner.sentence}" for inner in step.inside)
        yield Text(f"**{n}. {step.rung}.** {step.sentence}\n{inside}".rstrip())
        if n <= most:
            yield step.picture(board)
    if explanation.finished:
        yield Text("Everything is settled.")
    elif explanation.contradiction:
        yield Text("So the board has no answer.")
    else:
        yield Text("Here the ladder stops: what is left takes a search.")


def clues(found: Analysis) -> Iterator[Part]:
    """The clues that the board needs, and those it could do without, one at a time."""
    if not found.clues:
        yield Text("Only a board with one answer has clues to weigh.")
        return
    bearing, redundant = found.load_bearing(), found.redundant()
    yield Text(
        f"{len(bearing)} of {len(found.clues)} clues are load-bearing; {len(redundant)} could go, one at a time, "
        "and leave the same answer."
    )
    board = found.board
    yield board.picture(highlights={"because": bearing, "therefore": redundant})
    yield Text("Dashed frames: load-bearing. Full frames: redundant.")


def misreadings(found: Analysis) -> Iterator[Part]:
    """A table of what each misreading would allow, all answers counted; None where that is too much to count."""
    rows = [
        {"misread as": name, "answers": one.answers, "intended answer allowed": one.intended}
        for name, one in found.misread.items()
    ]
    yield pd.DataFrame(rows, dtype=object)


def own(found: Analysis) -> Iterator[Part]:
    """What only the genre asks: cells on the board, a number, or a row for each clue."""
    if not found.own:
        yield Text("Only a board with one answer is asked more.")
        return
    said = GENRES[found.board.genre].FINDINGS
    for name, value in found.own.items():
        yield Text(f"**{name.capitalize()}**: {said[name]}")
        if isinstance(value, dict):
            yield _by_clue(name, value)
        elif isinstance(value, list):
            yield _marked(found.board, value) if value else Text("none")
        else:
            yield Text("not known within the budget" if value is None else f"{value:,}")


def _by_clue(name, value):
    """A row for each clue: the number found for it; or, where other cells were tried, how many of them were fine, and
    which.
    """
    if not any(isinstance(answer, bool) for answer in value.values()):
        return pd.DataFrame([{"clue at": _cell(cell), name: number} for cell, number in value.items()])
    rows: dict[Any, dict[str, Any]] = {}
    for (cell, other), fine in value.items():
        row = rows.setdefault(cell, {"clue at": _cell(cell), "tried": 0, "fine": 0, "fine at": []})
        row["tried"] += 1
        row["fine"] += fine
        row["fine at"] += [_cell(other)] * fine
    return pd.DataFrame([row | {"fine at": " ".join(row["fine at"])} for row in rows.values()])


def _cell(cell):
    return grid.cell_name(*cell)
