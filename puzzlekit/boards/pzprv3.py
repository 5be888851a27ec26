"""Files of pzprjs, the program behind puzz.link: "pzprv3", the board and what is filled in. Knows parts, not genres.

    pzprv3/tasquare/2/3/1 . # /. + . /      lines end with a slash or a line break: name, rows, cols, then the parts

Parts, in a genre's order: `regions` (how many, then a label a cell), `clues` (number, `-` asked, `.` none), `shading`
(`1` shaded, `+` unshaded, with `o` or `x` on numbers), `clues and shading` in one grid (`#` shaded, `+` unshaded),
`walls` (to the right of cells, then below them: 1 or 2 a wall, -1 marked open, 0 unknown; newer files list the frame
too). Lines in errors count from 1.

Source: pzprjs, FileData.js and the varieties' FileIO.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..machinery.grid import SHADED, UNKNOWN, UNSHADED, GridLike
from . import ASKED, NO_CLUE, puzzlink, shown

_LARGEST = 2**31 - 1
_WALLS = {"0": 0, "-1": 1, "1": 2, "2": 2}  # unknown, open, wall
_ENDS = r"https?:|info:|history:|__HISTORY__|TrialData"  # what may follow the parts, and is left alone

Filled = np.ndarray | tuple[np.ndarray, np.ndarray] | None


class Found(NamedTuple):
    """What a file holds. `filled` is a state (rows, cols), or a pair of walls to the right and below; None when nothing
    is.
    """

    clues: np.ndarray
    regions: np.ndarray | None
    filled: Filled


def looks_like(content: str) -> bool:
    """Whether a text is meant to be such a file.

    >>> looks_like("pzprv3/usoone/2/2/"), looks_like("1 . 2")
    (True, False)
    """
    return content.lstrip("\ufeff \n\r\t").startswith("pzprv3")


def name_of(content: str) -> str:
    """The genre name in a file, or an empty string.

    >>> name_of("pzprv3/usoone/2/2/")
    'usoone'
    """
    lines = _lines(content)
    return lines[1].strip() if len(lines) > 1 else ""


def read(content: str, names: Sequence[str], parts: Sequence[str]) -> Found:
    """What a file holds.

    Parameters
    ----------
    content : str
    names : sequence of str     genre names that are accepted
    parts : sequence of str     "regions", "clues", "shading", "clues and shading", "walls", in the genre's order

    Returns
    -------
    Found                       clues int32, regions int32 or None, filled uint8 or None

    Raises
    ------
    ValueError                  naming the line, and the cell, that is missing or wrong

    >>> found = read("pzprv3/tasquare/2/3/1 . # /. + - /", ["tasquare"], ["clues and shading"])
    >>> found.clues.tolist(), found.filled.tolist()
    ([[1, -1, -1], [-1, -1, -2]], [[1, 0, 2], [0, 1, 1]])
    """
    lines = _lines(content)
    name = name_of(content)
    if name not in names:
        raise ValueError(f"the file is for {shown(name, 20)}, not for {' or '.join(names)}")
    rows, cols = (_size(lines, at, what) for at, what in ((2, "rows"), (3, "cols")))
    if rows * cols > puzzlink.MAX_CELLS:
        raise ValueError(f"{rows} rows x {cols} cols is too large; at most {puzzlink.MAX_CELLS} cells are read")
    reader = _Reader(lines, 4)
    clues, regions = np.full((rows, cols), NO_CLUE, np.int32), None
    filled: Filled = None
    for part in parts:
        if part == "regions":
            reader.line("the number of regions")
            regions = puzzlink.regions_between(*puzzlink.borders_of(_labels(reader.grid("regions", rows, cols))))
        elif part == "clues":
            clues = np.array(reader.grid("clues", rows, cols, _clue), np.int32)
        elif part == "clues and shading":
            both = reader.grid("cells", rows, cols, _clue_or_shade)
            clues, filled = np.moveaxis(np.array(both, np.int32).reshape(rows, cols, 2), 2, 0)
        elif part == "shading":
            filled = np.array(reader.grid("shading", rows, cols, _mark), np.int32)
        elif part == "walls":
            right, down = reader.walls(rows, cols)
            filled = (right, down) if right.any() or down.any() else None
    reader.end()
    if isinstance(filled, np.ndarray):
        empty = not filled[clues == NO_CLUE].any()
        filled = None if empty else np.where(clues != NO_CLUE, UNSHADED, filled).astype(np.uint8)
    return Found(clues, regions, filled)


def write(
    name: str,
    parts: Sequence[str],
    clues: GridLike,
    regions: GridLike | None,
    filled: Filled = None,
) -> str:
    """The text of a file, with line breaks; the opposite of `read`. `filled` is as in `Found`.

    >>> print(write("tasquare", ["clues and shading"], np.array([[1, NO_CLUE]]), None, np.array([[0, 2]])))
    pzprv3
    tasquare
    1
    2
    1 #
    <BLANKLINE>
    """
    rows, cols = np.shape(clues)
    if filled is None:
        filled = (
            (np.zeros((rows, cols - 1), int), np.zeros((rows - 1, cols), int))
            if "walls" in parts
            else np.zeros((rows, cols), int)
        )
    lines = ["pzprv3", name, str(rows), str(cols)]
    words = [
        ["." if clue == NO_CLUE else "-" if clue == ASKED else str(clue) for clue in row]
        for row in np.asarray(clues).tolist()
    ]
    for part in parts:
        if part == "regions":
            lines.append(str(int(np.max(np.asarray(regions))) + 1))
            grids = [np.asarray(regions).tolist()]
        elif part == "clues":
            grids = [words]
        elif part == "walls":
            grids = [_framed(filled[0], 1), _framed(filled[1], 0)]
        else:
            signs = {UNKNOWN: ".", UNSHADED: "+", SHADED: "1" if part == "shading" else "#"}
            marks = [
                [signs[int(value)] for value in row] for row in np.where(np.asarray(clues) != NO_CLUE, UNKNOWN, filled)
            ]
            both = [
                [clue if clue != "." else mark for clue, mark in zip(*pair, strict=True)]
                for pair in zip(words, marks, strict=True)
            ]
            grids = [marks if part == "shading" else both]
        lines += [" ".join(map(str, row)) for part in grids for row in part]
    return "\n".join([*lines, ""])


def _framed(walls, axis):
    """Walls as pzprjs writes them, with its marks, and the frame, which it lists as not drawn."""
    signs = np.array(["0", "-1", "1"])[np.asarray(walls, int)]
    return np.pad(signs, [(1, 1) if along == axis else (0, 0) for along in (0, 1)], constant_values="0").tolist()


def _lines(content):
    return re.split(r"\n|/", content.lstrip("\ufeff \n\r\t"))


def _size(lines, at, what):
    word = lines[at].strip() if at < len(lines) else ""
    if not re.fullmatch("[0-9]{1,9}", word) or int(word) < 1:
        raise ValueError(
            f"line {at + 1}: {what} must be a whole number from 1 to {puzzlink.MAX_CELLS}, not {shown(word, 20)}"
        )
    return int(word)


def _clue(word):
    if word in (".", "-"):
        return NO_CLUE if word == "." else ASKED
    if not re.fullmatch("[0-9]{1,10}", word) or int(word) > _LARGEST:
        raise ValueError("a number, `-` or `.`")
    return int(word)


def _clue_or_shade(word):
    if word in ("#", "+"):
        return NO_CLUE, SHADED if word == "#" else UNSHADED
    return _clue(word), UNKNOWN


def _mark(word):
    if word == "1":
        return SHADED
    if not re.fullmatch(r"\.|\+?[ox]?", word):
        raise ValueError("`1`, `+`, `.`, or `o` or `x` of a number")
    return UNSHADED if word.startswith("+") else UNKNOWN


def _wall(word):
    if word not in _WALLS:
        raise ValueError(f"one of {', '.join(_WALLS)}")
    return _WALLS[word]


def _labels(words):
    numbers: dict[str, int] = {}
    return np.array([[numbers.setdefault(word, len(numbers)) for word in row] for row in words], np.int32)


class _Reader:
    """Takes the lines of a file one after the other."""

    def __init__(self, lines, at):
        self.lines, self.at = lines, at

    def line(self, what):
        if self.at >= len(self.lines) or (self.at == len(self.lines) - 1 and not self.lines[self.at].strip()):
            raise ValueError(f"the file ends after line {self.at}, where {what} was expected")
        self.at += 1
        return self.lines[self.at - 1]

    def grid(self, name, rows, cols, read=str):
        """A grid of words, each put through `read`, which raises ValueError with what it wants instead."""
        found = []
        for r in range(rows):
            words = self.line(f"row {r} of the {name}").split()
            if len(words) != cols:
                raise ValueError(f"line {self.at}: row {r} of the {name} has {len(words)} cells, {cols} are needed")
            found.append([self.cell(name, r, c, word, read) for c, word in enumerate(words)])
        return found

    def cell(self, name, r, c, word, read):
        try:
            return read(word)
        except ValueError as error:
            raise ValueError(
                f"line {self.at}: {shown(word, 20)} in row {r}, column {c} of the {name}, instead of {error}"
            ) from None

    def walls(self, rows, cols):
        framed = self.at < len(self.lines) and len(self.lines[self.at].split()) == cols + 1
        extra = 1 if framed else -1
        right = self.border_lines("walls to the right", rows, cols + extra)
        down = self.border_lines("walls below", rows + extra, cols)
        return (right[:, 1:-1], down[1:-1]) if framed else (right, down)

    def border_lines(self, name, rows, cols):
        if cols == 0:  # blank lines, of which the last may have been cut off
            self.at = min(self.at + rows, len(self.lines))
            return np.zeros((rows, 0), np.uint8)
        return np.array(self.grid(name, rows, cols, _wall), np.uint8).reshape(rows, cols)

    def end(self):
        rest = next(((n, line) for n, line in enumerate(self.lines[self.at :], self.at + 1) if line.strip()), None)
        if rest and not re.match(_ENDS, rest[1].strip()):
            raise ValueError(f"line {rest[0]}: {shown(rest[1].strip(), 20)} after the end of the board")
