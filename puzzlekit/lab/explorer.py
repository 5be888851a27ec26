"""The measurements with knobs: what the notebook explorer.ipynb shows. Every answer takes less than a second.

`space`, `ladder` and `misread` ask the library and give a picture and a table; `explore` puts controls above them.
Not here: anything that is measured; the tables with their intervals are made by the notebooks of each genre.
"""

import html
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .. import GENRES
from ..boards import NO_CLUE
from ..show import charts, pictures
from . import bank

if TYPE_CHECKING:
    import ipywidgets

BOARDS = 50  # of a bank, looked at for one table
LARGEST = 8  # rows and columns of an empty grid that are still counted at once


def clauses(genre: str) -> list[str]:
    """Clauses of a genre's empty grid that can be dropped: the switches of its `count`.

    >>> clauses("tasquare")
    ['connected', 'squares']
    """
    switches = inspect.signature(GENRES[genre].count).parameters.values()
    return [switch.name for switch in switches if switch.default is True]


def space(genre: str, rows: int, cols: int, dropped: Sequence[str] = ()) -> tuple[pictures.Picture, pd.DataFrame]:
    """Answers of an empty grid, and how often each cell (or side) is marked in them.

    Parameters
    ----------
    genre : str
    rows, cols : int               1 to LARGEST
    dropped : sequence of str      clauses to drop, of `clauses(genre)`

    Returns
    -------
    (pictures.Picture, DataFrame)
    """
    package, off = GENRES[genre], dict.fromkeys(dropped, False)
    answers, whole = package.count(rows, cols, **off), package.count(rows, cols)
    rows_of = [
        {"what": "answers" + ("" if not dropped else f" without {' and '.join(dropped)}"), "number": f"{answers:,}"},
        {"what": "for every answer of the full rules", "number": f"{answers / whole:.2f}"},
    ]
    marked = package.marginals(rows, cols, **off)
    marks = package.MARKS
    heat = marks.whole([part / answers for part in marks.parts(marked)])
    return pictures.grid_picture(np.full((rows, cols), NO_CLUE), heat=heat), pd.DataFrame(rows_of)


def ladder(genre: str, size: int, rung: str, number: int) -> tuple[pictures.Picture, pd.DataFrame]:
    """A board of a bank after climbing up to a rung, and how far the rung gets on the first BOARDS boards.

    Returns
    -------
    (pictures.Picture, DataFrame)
    """
    found = bank.load(genre, size, size, boards=BOARDS)
    package, board = GENRES[genre], found.boards[number]
    climbs = [package.climb(each, rung) for each in found.boards]
    settled = [np.mean(climb.state != 0) for climb in climbs]
    rows = [
        {"what": f"boards finished up to {rung}", "number": f"{sum(climb.finished for climb in climbs)} of {BOARDS}"},
        {"what": "settled on the median board", "number": f"{np.median(settled):.0%}"},
        {"what": "settled on this board", "number": f"{settled[number]:.0%}"},
    ]
    rows += [
        {"what": f"of these by {name}", "number": count} for name, count in climbs[number].settled.items() if count
    ]
    climb = climbs[number]
    return board.picture(state=climb.marks), pd.DataFrame(rows)


def misread(genre: str, size: int, reading: str, number: int) -> tuple[pictures.Picture, pd.DataFrame]:
    """A board of a bank and what a misreading does to it, and to the first BOARDS boards.

    Returns
    -------
    (pictures.Picture, DataFrame)
    """
    found = bank.load(genre, size, size, boards=BOARDS)
    package, board, answer = GENRES[genre], found.boards[number], found.answers[number]
    counts = [package.count_answers(each, reading) for each in found.boards]
    rows = [
        {"what": f"answers of this board, read as {reading!r}", "number": f"{counts[number]:,}"},
        {"what": "the intended answer breaks", "number": package.check(board, answer, reading) or "nothing"},
        {"what": "boards that still have one answer", "number": f"{sum(count == 1 for count in counts)} of {BOARDS}"},
        {"what": "most answers of a board", "number": f"{max(counts):,}"},
    ]
    return pictures.side_by_side(board.picture(), board.picture(answer)), pd.DataFrame(rows)


def explore() -> "ipywidgets.Tab":
    """The controls: an ipywidgets Tab of the three questions. Without a kernel, a still picture of the first."""
    number = {"number": (0, BOARDS - 1)}
    pages = {
        "Answer space": (space, {"rows": (1, LARGEST), "cols": (1, LARGEST)}, {"dropped": clauses}),
        "Ladder": (ladder, {"size": [6, 8, 10]} | number, {"rung": lambda genre: list(GENRES[genre].RUNGS)}),
        "Misreadings": (misread, {"size": [6, 8]} | number, {"reading": lambda genre: list(GENRES[genre].MISREADINGS)}),
    }
    return _tabs([_page(*page) for page in pages.values()], list(pages))


def _page(question, fixed, by_genre):
    """Controls of one question above its picture and table. Options in `by_genre` change with the genre."""
    import ipywidgets

    controls = {"genre": ipywidgets.Dropdown(options=list(GENRES), description="genre")}
    for name, options in fixed.items():
        if isinstance(options, tuple):
            first = 6 if name in ("rows", "cols") else options[0]
            controls[name] = ipywidgets.IntSlider(
                first, *options, description="board" if name == "number" else name, continuous_update=False
            )
        else:
            controls[name] = ipywidgets.Dropdown(options=options, description=name)
    for name, options in by_genre.items():
        if name == "dropped":
            controls[name] = ipywidgets.SelectMultiple(options=options("usowan"), description="without", rows=2)
        else:
            controls[name] = ipywidgets.Dropdown(options=options("usowan"), description=name)
    shown = ipywidgets.HTML()

    def draw(_change=None):
        values = {name: control.value for name, control in controls.items()}
        try:
            picture, frame = question(**values)
        except (ValueError, MemoryError) as error:
            shown.value = f"<p>{html.escape(str(error))}</p>"
        else:
            shown.value = f"<div>{picture.svg}</div>{charts.table(frame)}"

    def regenre(change):
        for name, options in by_genre.items():
            with controls[name].hold_trait_notifications():
                controls[name].options = options(change["new"])

    controls["genre"].observe(regenre, "value")  # first: the options have to fit before anything is drawn
    for control in controls.values():
        control.observe(draw, "value")
    draw()
    return ipywidgets.VBox([ipywidgets.HBox(list(controls.values()), layout={"flex_flow": "row wrap"}), shown])


def _tabs(pages, titles):
    import ipywidgets

    class Tabs(ipywidgets.Tab):
        """With a still picture for readers without a kernel."""

        def _repr_mimebundle_(self, **kwargs):
            picture, _ = space("usowan", 6, 6)
            return {**super()._repr_mimebundle_(**kwargs), "text/plain": "<the explorer>", "image/svg+xml": picture.svg}

    return Tabs(pages, titles=titles)
