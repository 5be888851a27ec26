"""An analysis as pictures, tables and sentences, for notebooks. It draws what analysis.py found; nothing is computed
here.

A view is a list of what a notebook cell displays one below the other: a `Text`, a Picture or a DataFrame.
"""

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from .. import GENRES
from ..boards.board import PrintedBoard
from ..machinery import grid, telling
from ..machinery.explanation import AMBIGUOUS
from ..show import pictures
from .analysis import Analysis

STEPS = 60  # drawn at most; the others are told in words


class Text(str):
    """Markdown that a notebook shows as such."""

    def _repr_markdown_(self) -> str:
        return str(self)


class Folded:
    """A text with a picture below a line that opens and closes it.

    Attributes
    ----------
    summary : str      the line
    words : str        paragraphs and list items as `Text` has them, with no markup but *emphasis*
    picture : Picture or None
    is_open : bool     from the start
    """

    def __init__(self, summary: str, words: str, picture: pictures.Picture | None, is_open: bool = False) -> None:
        self.summary, self.words, self.picture, self.is_open = summary, words, picture, is_open

    def __repr__(self) -> str:
        return f"{self.summary}\n{self.words}"

    def _repr_html_(self) -> str:
        first, *items = (re.sub(r"\*(\w+)\*", r"<em>\1</em>", html.escape(line)) for line in self.words.split("\n- "))
        listed = f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else ""
        drawn = "" if self.picture is None else self.picture.svg
        start = "<details open>" if self.is_open else "<details>"
        return f"{start}<summary>{html.escape(self.summary)}</summary><p>{first.strip()}</p>{listed}{drawn}</details>"


Part: TypeAlias = Text | Folded | pictures.Picture | pd.DataFrame  # of a view


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
        yield Text("The share of all answers that shade each cell (or have each wall): the darker, the more.")
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
    if found.difficulty.grade != AMBIGUOUS:
        yield pd.DataFrame([{"rung": rung, "times needed": times} for rung, times in found.difficulty.counts.items()])


def steps(board: PrintedBoard, most: int = STEPS) -> Iterator[Part]:
    """The moments that matter most, then all deductions in order, folded, those of one rung together; pictures with the
    first so many.
    """
    package = GENRES[board.genre]
    explanation = package.explain(board)
    chosen = telling.moments(explanation.steps, list(package.RUNGS))
    if chosen:
        yield Text(f"**The {len(chosen)} moments that matter most**")
    for number in chosen:
        step = explanation.steps[number - 1]
        yield Text(f"**Step {number}, {step.rung}.** {step.sentence}{_inside(step)}")
        yield _drawn(step, board)
    if chosen:
        yield Text(f"**All {len(explanation)} steps**, to be opened one by one")
    for n, told in enumerate(telling.gathered(explanation.steps)):
        picture = _drawn(told.step, board) if n < most else None
        yield Folded(_summary(told), f"{told.step.sentence}{_inside(told.step)}", picture, not chosen)
    if explanation.finished:
        yield Text("Everything is settled.")
    elif explanation.contradiction:
        yield Text("So the board has no answer.")
    else:
        yield Text("Here the deductions stop. What is left takes a search, or the board has several answers.")


def _summary(told):
    """The head of a folded step: its number, its rung, how much it settles."""
    many = len(told.step.settles)
    kind = "side" if many and len(told.step.settles[0][0]) == 3 else "cell"
    what = f"settles {many} {kind}{'s' * (many > 1)}" if many else "contradiction"
    return f"Step{'s' * (told.last > told.first)} {told.numbers} · {told.step.rung} · {what}"


def _inside(step):
    """The way to the contradiction, as a list in Markdown."""
    return "\n" * bool(step.inside) + "".join(f"\n- *{inner.rung}*: {inner.sentence}" for inner in step.inside)


def _drawn(step, board):
    """A step, and where its assumption leads when it is a refuted one."""
    if not step.inside:
        return step.picture(board)
    drawn = (step.picture(board), step.inside[-1].picture(board))
    return pictures.side_by_side(*drawn, captions=["what follows", "where the opposite leads"])


def clues(found: Analysis) -> Iterator[Part]:
    """The clues that the board needs, and those it could do without, one at a time."""
    if not found.clues:
        yield Text("Clues are weighed only on boards with exactly one answer.")
        return
    bearing, redundant = found.load_bearing(), found.redundant()
    needs = f"{len(bearing)} of its {len(found.clues)}" if redundant else f"all {len(found.clues)}"
    rest = " Any one of the others could be removed, and the answer would still be the only one." if redundant else ""
    yield Text(f"The board needs {needs} clues.{rest}")
    board = found.board
    yield board.picture(highlights={"because": bearing, "therefore": redundant})
    yield Text("Dashed frames: needed. Full frames: any one of these could be removed.")


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
        yield Text("These questions are asked only of boards with exactly one answer.")
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
