"""Boards, answers and deductions as SVG pictures. Knows grids, not genres.

The same picture is the same bytes on every run. Meaning never hangs on colour alone: a struck number has a line through
it, a highlighted cell a frame of its own kind, and the colours stay apart for colour-blind eyes (Okabe and Ito, 2008).
"""

import copy
import html
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..boards import ASKED, NO_CLUE, puzzlink
from ..machinery import files
from ..machinery.grid import SHADED, UNSHADED, Cell, GridLike, Key

if TYPE_CHECKING:
    import drawsvg

Sides = tuple[npt.ArrayLike, npt.ArrayLike]  # to the right of cells, and below them

CELL = 32  # pixels
MARGIN = 4
PAPER, INK, SHADE, FAINT, DOT = "#ffffff", "#1b1b1b", "#3d444d", "#bdbdbd", "#6e6e6e"
STRUCK, STRUCK_PAPER = "#d55e00", "#fbe9dd"  # vermilion and its tint
HIGHLIGHTS = {  # fill, frame, dashes of the frame
    "because": ("#dcebf7", "#0072b2", "4 3"),  # the premises of a deduction
    "therefore": ("#fdf3c8", "#8a6d00", "none"),  # what follows from them
    "wrong": (STRUCK_PAPER, STRUCK, "none"),  # what breaks a rule
}
HEAT, HEAT_LEVELS = "#0072b2", 20
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that no SVG can hold
_FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


class Picture:
    """A drawing of a fixed size, shown by notebooks.

    Attributes
    ----------
    svg : str              the whole SVG document, without an XML declaration
    width, height : int    pixels
    alt : str              what is to be seen, in words
    """

    def __init__(self, elements: "Sequence[drawsvg.DrawingElement]", width: int, height: int, alt: str) -> None:
        self._elements, self.width, self.height, self.alt = elements, width, height, alt

    def __repr__(self) -> str:
        return "<Picture>"  # the same in every run, since notebooks store it

    @property
    def svg(self) -> str:
        import drawsvg

        style = "max-width: 100%; height: auto"
        label = html.escape(self.alt)  # drawsvg escapes the title, but not attributes
        drawing = drawsvg.Drawing(self.width, self.height, role="img", aria_label=label, style=style)
        drawing.append_title(self.alt)
        drawing.append(drawsvg.Rectangle(0, 0, self.width, self.height, fill=PAPER))
        drawing.extend(self._elements)
        return _NOT_XML.sub("\ufffd", drawing.as_svg(header=""))

    def _repr_svg_(self):
        return self.svg

    def save(self, path: files.StrPath) -> None:
        """Write the picture to an SVG file."""
        files.write_whole(path, self.svg + "\n")


def grid_picture(
    clues: GridLike,
    *,
    borders: GridLike | Sides | None = None,
    shading: GridLike | None = None,
    state: GridLike | None = None,
    struck: Iterable[Cell] = (),
    gaps: Sides | None = None,
    highlights: Mapping[str, Collection[Key]] | None = None,
    heat: npt.ArrayLike | Sides | None = None,
    coordinates: bool = False,
    title: str | None = None,
) -> Picture:
    """Picture of a grid.

    Parameters
    ----------
    clues : int (rows, cols)          numbers; ASKED is drawn `?`, NO_CLUE not at all
    borders : int (rows, cols)        labels: thick lines where they differ; or a pair of bool arrays,
                                      right (rows, cols - 1) and down (rows - 1, cols), for lines that need not close
    shading : 0/1 (rows, cols)        1 is drawn dark
    state : int (rows, cols)          a solver's UNKNOWN, UNSHADED or SHADED; unshaded cells without a clue get a dot
    struck : cells (r, c)             clues that are crossed out
    gaps : pair of bool arrays        right and down: sides on which a solver knows that there is no line; a small cross
    highlights : dict                 "because", "therefore" and "wrong" to cells (r, c), and sides of cells
                                      (r, c, "right") or (r, c, "down")
    heat : number (rows, cols)        shares from 0 to 1, tinted the darker the larger; or a pair of such arrays, right
                                      (rows, cols - 1) and down (rows - 1, cols), for the sides of cells
    coordinates : bool                number rows and columns along the edge, from 0
    title : str                       alternative text; by default what is drawn, in words

    Returns
    -------
    Picture

    Raises
    ------
    ValueError                        when sizes differ, a cell lies outside or a kind of highlight is unknown

    >>> picture = grid_picture([[1, NO_CLUE], [NO_CLUE, NO_CLUE]], shading=[[0, 1], [0, 0]])
    >>> picture.alt
    '2 x 2 grid, 1 clue, 1 cell shaded'
    >>> picture.svg.startswith("<svg")
    True
    """
    import drawsvg

    clues = np.asarray(clues)
    rows, cols = clues.shape
    right, down = _borders(borders, rows, cols)
    none = _borders(gaps, rows, cols)
    shaded = np.zeros((rows, cols), bool)
    dots = shaded.copy()
    if shading is not None:
        shaded |= _same_size("shading", shading, clues) != 0
    if state is not None:
        state = _same_size("state", state, clues)
        shaded |= state == SHADED
        dots = (state == UNSHADED) & (clues == NO_CLUE)
    struck = _inside("struck", struck, rows, cols)
    sides = {kind: [key for key in keys if len(key) == 3] for kind, keys in (highlights or {}).items()}
    highlights = {
        kind: _inside(f"highlight {kind!r}", [key for key in keys if len(key) == 2], rows, cols)
        for kind, keys in (highlights or {}).items()
    }
    for kind in highlights:
        if kind not in HIGHLIGHTS:
            raise ValueError(f"unknown highlight {kind!r}; choose from {list(HIGHLIGHTS)}")
    bands = {kind: _sides(f"highlight {kind!r}", keys, rows, cols) for kind, keys in sides.items() if keys}

    warm = _warm(heat, rows, cols)

    x0 = y0 = MARGIN + (18 if coordinates else 0)
    group = drawsvg.Group(transform=f"translate({x0},{y0})")
    for kind, cells in highlights.items():
        group.append(_squares(cells, HIGHLIGHTS[kind][0]))
    group.append(_squares(struck, STRUCK_PAPER))
    group.append(_squares(np.argwhere(shaded), SHADE))
    if len(warm) == 1:
        for level in range(1, HEAT_LEVELS + 1):
            group.append(_squares(np.argwhere(warm[0] == level), HEAT, fill_opacity=0.8 * level / HEAT_LEVELS))
    group.append(_lines(np.ones((rows, cols - 1), bool), np.ones((rows - 1, cols), bool), FAINT, 1))
    if len(warm) == 2:
        for level in range(1, HEAT_LEVELS + 1):
            group.append(_lines(warm[0] == level, warm[1] == level, HEAT, 4, stroke_opacity=level / HEAT_LEVELS))
    for kind, cells in highlights.items():
        _, frame, dashes = HIGHLIGHTS[kind]
        group.append(_squares(cells, "none", inset=3.5, stroke=frame, stroke_width=2, stroke_dasharray=dashes))
    for kind, marked in bands.items():  # a band under a wall; where there is none a cross is drawn, and no band
        _, frame, dashes = HIGHLIGHTS[kind]
        group.append(
            _lines(marked[0] & ~none[0], marked[1] & ~none[1], frame, 8, stroke_dasharray=dashes, stroke_opacity=0.6)
        )
    group.append(_lines(right, down, INK, 3))
    if gaps is not None:
        group.append(_crosses(none[0], none[1], DOT, 2.5, 1.5))
        for kind, marked in bands.items():
            group.append(_crosses(marked[0] & none[0], marked[1] & none[1], HIGHLIGHTS[kind][1], 5, 2.5))
    group.append(drawsvg.Rectangle(0, 0, cols * CELL, rows * CELL, fill="none", stroke=INK, stroke_width=3))
    for r, c in np.argwhere(dots).tolist():
        group.append(drawsvg.Circle((c + 0.5) * CELL, (r + 0.5) * CELL, 2.5, fill=DOT))
    for r, c in struck:  # below the number, which stays readable
        x, y = c * CELL, r * CELL
        ends = (x + 5, y + CELL - 5, x + CELL - 5, y + 5)
        group.append(drawsvg.Line(*ends, stroke=STRUCK, stroke_width=2.5, stroke_linecap="round"))
    for r, c in np.argwhere(clues != NO_CLUE).tolist():
        clue = "?" if clues[r, c] == ASKED else str(clues[r, c])
        size = 19 if len(clue) < 3 else 46 // len(clue)
        group.append(_text(clue, (c + 0.5) * CELL, (r + 0.5) * CELL, size, PAPER if shaded[r, c] else INK))
    if coordinates:
        for c in range(cols):
            group.append(_text(str(c), (c + 0.5) * CELL, -10, 11, DOT))
        for r in range(rows):
            group.append(_text(str(r), -10, (r + 0.5) * CELL, 11, DOT))
    alt = title or _in_words(rows, cols, clues, borders, shaded, dots, struck, highlights, sides)
    if gaps is not None and not title and (crosses := sum(int(part.sum()) for part in none)):
        alt += f", {crosses} {'side' if crosses == 1 else 'sides'} marked with a cross: no wall"
    if warm and not title:
        alt += f", {'cells' if len(warm) == 1 else 'sides'} tinted by their share"
    return Picture([group], x0 + cols * CELL + MARGIN, y0 + rows * CELL + MARGIN, alt)


def side_by_side(*pictures: Picture, captions: Sequence[str] | None = None) -> Picture:
    """One picture of several in a row, aligned at the top, each with a caption below it if ``captions`` are given.

    Raises
    ------
    ValueError    when there is no picture, or not one caption for each

    >>> board = grid_picture([[1, NO_CLUE]])
    >>> side_by_side(board, board, captions=["the board", "again"]).alt
    'the board: 1 x 2 grid, 1 clue; again: 1 x 2 grid, 1 clue'
    """
    import drawsvg

    if not pictures:
        raise ValueError("side_by_side needs at least one picture")
    if captions is not None and len(captions) != len(pictures):
        raise ValueError(f"{len(captions)} captions for {len(pictures)} pictures; one for each is needed")
    captions = list(captions or [""] * len(pictures))
    gap = 20
    tallest = max(picture.height for picture in pictures)
    elements, words, x = [], [], 0
    for picture, caption in zip(pictures, captions, strict=True):
        width = max(picture.width, 8 * len(caption))  # a caption may be wider than a small board
        group = drawsvg.Group(transform=f"translate({x + (width - picture.width) // 2},0)")
        group.extend(copy.deepcopy(picture._elements))  # an element drawn twice would be given an id and a reference
        elements.append(group)
        if caption:
            elements.append(_text(caption, x + width / 2, tallest + 10, 13, INK))
        words.append(f"{caption}: {picture.alt}" if caption else picture.alt)
        x += width + gap
    return Picture(elements, x - gap, tallest + (24 if any(captions) else 0), "; ".join(words))


def _borders(borders, rows, cols):
    if borders is None:
        borders = np.zeros((rows, cols), int)
    if isinstance(borders, tuple) and len(borders) == 2:
        right, down = (np.asarray(part, bool) for part in borders)
    else:
        right, down = puzzlink.borders_of(borders)
    if right.shape != (rows, cols - 1) or down.shape != (rows - 1, cols):
        raise ValueError(f"borders are not for a {rows} x {cols} grid: {right.shape} to the right, {down.shape} below")
    return right, down


def _warm(heat, rows, cols):
    """Shares of cells, or of sides to the right and below, as whole levels from 0 to HEAT_LEVELS: a list of arrays."""
    if heat is None:
        return []
    parts = [np.asarray(part, float) for part in (heat if isinstance(heat, tuple) else (heat,))]
    shapes = [(rows, cols - 1), (rows - 1, cols)] if len(parts) == 2 else [(rows, cols)]
    if [part.shape for part in parts] != shapes:
        raise ValueError(f"heat has shape {[part.shape for part in parts]}, a {rows} x {cols} grid needs {shapes}")
    if any(part.size and not (part.min() >= 0 and part.max() <= 1) for part in parts):
        raise ValueError("heat must be shares from 0 to 1")
    return [np.rint(part * HEAT_LEVELS).astype(int) for part in parts]


def _same_size(name, values, clues):
    values = np.asarray(values)
    if values.shape != clues.shape:
        raise ValueError(f"{name} has shape {values.shape}, the clues {clues.shape}")
    return values


def _inside(name, cells, rows, cols):
    cells = [(int(r), int(c)) for r, c in cells]
    for r, c in cells:
        if not (0 <= r < rows and 0 <= c < cols):
            raise ValueError(f"{name}: row {r}, column {c} is outside a {rows} x {cols} grid")
    return cells


def _sides(name, keys, rows, cols):
    """Sides (r, c, "right") and (r, c, "down") as a pair of bool arrays."""
    found = {"right": np.zeros((rows, max(cols - 1, 0)), bool), "down": np.zeros((max(rows - 1, 0), cols), bool)}
    for r, c, which in keys:
        if which not in found or not (0 <= r < found[which].shape[0] and 0 <= c < found[which].shape[1]):
            raise ValueError(f"{name}: no side {which!r} of row {r}, column {c} inside a {rows} x {cols} grid")
        found[which][r, c] = True
    return found["right"], found["down"]


def _squares(cells, fill, inset=0.0, **style):
    """One path that fills, or frames, the given cells."""
    import drawsvg

    side = CELL - 2 * inset
    corners = ((c * CELL + inset, r * CELL + inset) for r, c in cells)
    return drawsvg.Path("".join(f"M{x:g} {y:g}h{side:g}v{side:g}h{-side:g}z" for x, y in corners), fill=fill, **style)


def _lines(right, down, colour, thickness, **style):
    """One path of the cell sides that are True."""
    import drawsvg

    steps = [f"M{(c + 1) * CELL} {r * CELL}v{CELL}" for r, c in np.argwhere(right)]
    steps += [f"M{c * CELL} {(r + 1) * CELL}h{CELL}" for r, c in np.argwhere(down)]
    return drawsvg.Path(
        "".join(steps), fill="none", stroke=colour, stroke_width=thickness, stroke_linecap="square", **style
    )


def _crosses(right, down, colour, arm, thickness):
    """One path of small crosses on the middles of the cell sides that are True, as solvers write them."""
    import drawsvg

    at: list[tuple[float, float]] = [((c + 1) * CELL, (r + 0.5) * CELL) for r, c in np.argwhere(right).tolist()]
    at += [((c + 0.5) * CELL, (r + 1) * CELL) for r, c in np.argwhere(down).tolist()]
    step = 2 * arm
    arms = (f"M{x - arm:g} {y - arm:g}l{step:g} {step:g}m0 {-step:g}l{-step:g} {step:g}" for x, y in at)
    return drawsvg.Path("".join(arms), fill="none", stroke=colour, stroke_width=thickness, stroke_linecap="round")


def _text(words, x, y, size, colour):
    """Text centred at a point; the baseline is set by hand, since not every viewer knows dominant-baseline."""
    import drawsvg

    at = (f"{x:g}", f"{y + 0.36 * size:g}")
    return drawsvg.Text(words, size, *at, text_anchor="middle", font_family=_FONT, fill=colour)


def _in_words(rows, cols, clues, borders, shaded, dots, struck, highlights, sides):
    def count(number, one, many):
        return [f"{number} {one if number == 1 else many}"] if number else []

    regions = 0 if borders is None or isinstance(borders, tuple) else len(np.unique(borders))
    parts = [f"{rows} x {cols} grid"]
    parts += count(int((clues != NO_CLUE).sum()), "clue", "clues")
    parts += count(regions, "region", "regions")
    parts += count(int(shaded.sum()), "cell shaded", "cells shaded")
    parts += count(int(dots.sum()), "cell marked unshaded", "cells marked unshaded")
    parts += count(len(struck), "number crossed out", "numbers crossed out")
    for kind, cells in highlights.items():
        parts += count(len(cells), f"cell highlighted as {kind}", f"cells highlighted as {kind}")
        parts += count(len(sides[kind]), f"side highlighted as {kind}", f"sides highlighted as {kind}")
    return ", ".join(parts)
