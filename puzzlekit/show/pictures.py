"""Boards, answers and deductions as SVG pictures. Knows grids, not genres.

The same picture is the same bytes on every run. Meaning never hangs on colour alone: a struck number has a line through
it, a highlighted cell a frame of its own kind, and the colours stay apart for colour-blind eyes (Okabe and Ito, 2008).
Whatever is drawn on a cell has a contrast of at least 3 to 1 with it, shaded or not.
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
from ..machinery.grid import SHADED, UNSHADED, Cell, GridLike, Key, region_name
from . import heat as shares

if TYPE_CHECKING:
    import drawsvg

Sides = tuple[npt.ArrayLike, npt.ArrayLike]  # to the right of cells, and below them

CELL = 32  # pixels
MARGIN, EDGE = 4, 22  # pixels around a picture, and more where rows and columns are named
PAPER, INK, SHADE, FAINT, DOT = "#ffffff", "#1b1b1b", "#3d444d", "#bdbdbd", "#6e6e6e"
STRUCK, STRUCK_PAPER = "#d55e00", "#fbe9dd"  # vermilion and its tint
HIGHLIGHTS = {  # fill, frame, dashes of the frame
    "because": ("#dcebf7", "#0072b2", "4 3"),  # the premises of a deduction
    "therefore": ("#fdf3c8", "#8a6d00", "none"),  # what follows from them
    "wrong": (STRUCK_PAPER, STRUCK, "1.5 2.5"),  # what breaks a rule, or cannot all be so
}
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
    regions: bool = False,
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
    heat : number (rows, cols)        shares of answers from 0 to 1, tinted the darker the larger, with a scale and on
                                      small grids in percent beside the clues; or a pair of such arrays, right
                                      (rows, cols - 1) and down (rows - 1, cols), for the sides of cells
    coordinates : bool                name rows and columns along the edge: R1, R2, ... and C1, C2, ...
    regions : bool                    letter the regions of the labels in `borders`, in reading order: A, B, ...
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

    warm = None if heat is None else shares.read(heat, rows, cols)

    x0 = y0 = MARGIN + (EDGE if coordinates else 0)
    group = drawsvg.Group(transform=f"translate({x0},{y0})")
    for kind, cells in highlights.items():
        group.append(_squares(cells, HIGHLIGHTS[kind][0]))
    group.append(_squares(struck, STRUCK_PAPER))
    group.append(_squares(np.argwhere(shaded), SHADE))
    if warm and len(warm.shares) == 1:
        group.extend(_warm_cells(warm, (clues == NO_CLUE) & ~shaded))
    group.append(_lines(np.ones((rows, cols - 1), bool), np.ones((rows - 1, cols), bool), FAINT, 1))
    for kind, cells in highlights.items():
        _, frame, dashes = HIGHLIGHTS[kind]
        if dark := [cell for cell in cells if shaded[cell]]:  # a frame is seen on shading by the paper around it
            group.append(_squares(dark, "none", inset=3.5, stroke=PAPER, stroke_width=5))
        group.append(_squares(cells, "none", inset=3.5, stroke=frame, stroke_width=2, stroke_dasharray=dashes))
    for kind, marked in bands.items():  # a band under a wall; where there is none a cross is drawn, and no band
        _, frame, dashes = HIGHLIGHTS[kind]
        group.append(_lines(marked[0] & ~none[0], marked[1] & ~none[1], frame, 8, stroke_dasharray=dashes))
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
    if warm and len(warm.shares) == 2:
        group.extend(_warm_sides(warm, warm.numbered and (clues == NO_CLUE).all()))
    if regions:
        for (r, c), letter in lettered(borders, clues).items():
            ink = PAPER if shaded[r, c] else DOT
            group.append(_text(letter, c * CELL + 6.5, r * CELL + 10, 9, ink, anchor="start"))
    if coordinates:
        for c in range(cols):
            group.append(_text(f"C{c + 1}", (c + 0.5) * CELL, -10, 11, DOT))
        for r in range(rows):
            group.append(_text(f"R{r + 1}", -12, (r + 0.5) * CELL, 11, DOT))
    alt = title or _in_words(rows, cols, clues, borders, shaded, dots, struck, highlights, sides)
    if gaps is not None and not title and (crosses := sum(int(part.sum()) for part in none)):
        alt += f", {crosses} {'side' if crosses == 1 else 'sides'} marked with a cross: no wall"
    width, height = x0 + cols * CELL + MARGIN, y0 + rows * CELL + MARGIN
    if warm:
        bar = _scale(warm, cols * CELL + 14, rows * CELL)
        group.extend(bar)
        width, height = width + shares.WIDTH, max(height, y0 + shares.bar(rows * CELL) + 34)
        alt += "" if title else _warm_words(warm)
    return Picture([group], width, height, alt)


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


def _warm_cells(warm, free):
    """Cells tinted by their shares, and the shares in numbers where a cell is free for them."""
    (levels,), (part,) = warm.levels, warm.shares
    for level, colour in enumerate(shares.colours()):
        yield _squares(np.argwhere(levels == level), colour)
    for r, c in np.argwhere(free & warm.numbered).tolist():
        ink = _ink(shares.colours()[levels[r, c]])
        yield _text(shares.percent(part[r, c]), (c + 0.5) * CELL, (r + 0.5) * CELL, 11, ink)


def _warm_sides(warm, numbered):
    """Sides tinted by their shares: a bar on each, or a plate with the share in numbers where no clue is in the way."""
    import drawsvg

    for across, (levels, part) in enumerate(zip(warm.levels, warm.shares, strict=True)):
        for r, c in np.ndindex(part.shape):
            x, y = ((c + 0.5) * CELL, (r + 1) * CELL) if across else ((c + 1) * CELL, (r + 0.5) * CELL)
            wide, high = (21, 13) if numbered else (22, 7) if across else (7, 22)
            colour = shares.colours()[levels[r, c]]
            yield drawsvg.Rectangle(
                x - wide / 2, y - high / 2, wide, high, rx=2, fill=colour, stroke=DOT, stroke_width=0.5
            )
            if numbered:
                yield _text(shares.percent(part[r, c]), x, y, 9.5, _ink(colour))


def _scale(warm, x, height):
    """The colours from the top of the scale down, with its ends and its middle in percent, and what of."""
    import drawsvg

    colours, tall = shares.colours(), shares.bar(height)
    step = tall / len(colours)
    for n, colour in enumerate(reversed(colours)):
        yield drawsvg.Rectangle(x, round(n * step, 2), shares.BAR, round(step + 0.5, 2), fill=colour)
    yield drawsvg.Rectangle(x, 0, shares.BAR, tall, fill="none", stroke=DOT, stroke_width=0.5)
    for at, share in ((4, warm.high), (tall / 2, (warm.low + warm.high) / 2), (tall - 4, warm.low)):
        yield _text(f"{100 * share:g} %", x + shares.BAR + 5, at, 11, INK, anchor="start")
    yield _text("of all answers", x, tall + 14, 11, INK, anchor="start")


def _warm_words(warm):
    flat = np.concatenate([part.ravel() for part in warm.shares])
    what = "cells" if len(warm.shares) == 1 else "sides"
    ends = f" from {shares.percent(flat.min())} % to {shares.percent(flat.max())} %" if flat.size else ""
    return f", {what} tinted by their share of all answers{ends}"


def lettered(labels: npt.ArrayLike, clues: npt.ArrayLike) -> dict[Cell, str]:
    """Where the letter of each region stands: in its first cell without a clue, or else in its first.

    >>> lettered([[5, 5, 2]], [[3, NO_CLUE, 1]])
    {(0, 1): 'A', (0, 2): 'B'}
    """
    labels, free = np.asarray(labels), np.asarray(clues) == NO_CLUE
    _, firsts = np.unique(labels, return_index=True)
    found = {}
    for n, label in enumerate(labels.ravel()[np.sort(firsts)]):
        here = labels == label
        r, c = np.argwhere(here & free if (here & free).any() else here)[0].tolist()
        found[r, c] = region_name(n)
    return found


def _ink(colour):
    """The darker or the lighter ink, whichever is read better on a colour."""
    return max((INK, PAPER), key=lambda ink: shares.contrast(ink, colour))


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


def _text(words, x, y, size, colour, anchor="middle"):
    """Text centred at a point; the baseline is set by hand, since not every viewer knows dominant-baseline."""
    import drawsvg

    at = (f"{x:g}", f"{y + 0.36 * size:g}")
    return drawsvg.Text(words, size, *at, text_anchor=anchor, font_family=_FONT, fill=colour)


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
