"""Boards as text grids, plain or with `|` and `-` where regions meet. Knows cells and borders, not genres.

    2 . 2|. #      a cell is `.` empty, `?` asked, a number, or `#` shaded in an answer
    - -   -        `-` under a cell: a border below it; a line without any may be left out
    . .|. . 2      `|` between two cells: a border between them

Cells are as wide as the longest number, written from the left. Lines and columns in errors count from 1, as editors do;
rows and columns of cells from 0.
"""

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ..machinery.grid import GridLike, cell_name
from . import ASKED, NO_CLUE, puzzlink, shown

Lines = str | Iterable[str]  # a text, or its lines

_SIGNS = {".": NO_CLUE, "?": ASKED, "#": NO_CLUE}
_LARGEST = 2**31 - 1  # a clue is an int32


def panels(text: str) -> list[str]:
    """A text grid, or a board and its answer printed side by side, with or without a line of captions: a list of texts.

    >>> panels("the board  the answer\\n1 .        1 #\\n. 2        . 2")
    ['1 .\\n. 2', '1 #\\n. 2']
    """
    lines = [line.rstrip() for line in text.expandtabs().splitlines() if line.strip()]
    if len(lines) > 1 and re.fullmatch(r"[A-Za-z ,:]+", lines[0]):
        lines = lines[1:]
    if not lines:
        return [text]
    width = max(len(line) for line in lines)
    longest = max(len(word) for line in lines for word in re.split(r"[\s|]+", line))
    used = bytearray(b" " * width)
    for start, stop in {word.span() for line in lines for word in re.finditer("[^ ]+", line)}:
        used[start:stop] = b"x" * (stop - start)
    gaps = [
        gap.span() for gap in re.finditer(rb"(?<=x) {%d,}(?=x)" % (longest + 2), used)
    ]  # wider than a cell can leave
    if not gaps:
        return [text if lines[0] == text.splitlines()[0] else "\n".join(lines)]
    starts, stops = [0, *(stop for _, stop in gaps)], [*(start for start, _ in gaps), width]
    return ["\n".join(line[start:stop].rstrip() for line in lines) for start, stop in zip(starts, stops, strict=True)]


def read_bordered(text: Lines) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8] | None, npt.NDArray[np.int32]]:
    """Clues, shading and regions of a text grid.

    Parameters
    ----------
    text : str or list of str    lines; blank lines and indentation do not matter

    Returns
    -------
    clues : int32 (rows, cols)      a number, NO_CLUE or ASKED
    shading : uint8 (rows, cols)    1 where the text has `#`; None when it has none anywhere
    regions : int32 (rows, cols)    numbered from 0 in reading order

    Raises
    ------
    ValueError                      naming line and column; also for a border that does not separate two regions

    >>> clues, shading, regions = read_bordered('''
    ... 12|.
    ...    -
    ... #  ?
    ... ''')
    >>> clues.tolist(), shading.tolist(), regions.tolist()
    ([[12, -1], [-1, -2]], [[0, 0], [1, 0]], [[0, 1], [0, 0]])
    """
    lines = text.splitlines() if isinstance(text, str) else list(text)
    numbered = [(n, line.rstrip()) for n, line in enumerate(lines, 1) if line.strip()]
    rows, below = _pair_rows_with_borders(numbered)
    width = max(_longest_word(n, line) for n, line in rows)
    indent = min(len(line) - len(line.lstrip()) for _, line in rows)
    cols = max(-(-(len(line) - indent) // (width + 1)) for _, line in rows)
    if len(rows) * cols > puzzlink.MAX_CELLS:
        raise ValueError(f"{len(rows)} rows x {cols} cols is too large; at most {puzzlink.MAX_CELLS} cells are read")

    clues = np.full((len(rows), cols), NO_CLUE, np.int32)
    shading = np.zeros((len(rows), cols), np.uint8)
    right = np.zeros((len(rows), cols - 1), bool)
    down = np.zeros((len(rows) - 1, cols), bool)
    for r, (n, line) in enumerate(rows):
        for c, (at, cell, between) in enumerate(_cells(n, line, indent, width, cols)):
            clues[r, c] = _clue(n, at, cell)
            shading[r, c] = cell.strip() == "#"
            if between == "|" and c < cols - 1:
                right[r, c] = True
            elif between != " ":
                wanted = (
                    f"`|` or a space after a cell {width} wide" if c < cols - 1 else "the end of the line (no frame)"
                )
                _refuse(n, at + width, between, wanted)
    for r, (n, line) in enumerate(below):
        pieces = list(_cells(n, line, indent, width, cols))
        for c, (at, cell, between) in enumerate(pieces):
            down[r, c] = "-" in cell
            beside = "-" in cell or (c < cols - 1 and "-" in pieces[c + 1][1])
            for offset, sign in enumerate(cell):
                if sign not in " -":
                    _refuse(n, at + offset, sign, "`-` or a space under a cell")
            if between != " " and not (between in "-+" and beside):
                _refuse(n, at + width, between, "a space: `-` belongs under a cell")
    regions = puzzlink.regions_between(right, down)
    _refuse_dead_ends(regions, right, down)
    return clues, shading if shading.any() else None, regions


def _pair_rows_with_borders(numbered):
    """Lines of cells, and for each but the last the line of borders below it (empty when left out)."""
    rows: list[tuple[int, str]] = []
    below: list[tuple[int, str]] = []
    for n, line in numbered:
        if not set(line) <= set(" \t-+"):
            below += [(n, "")] * (len(rows) - len(below))
            rows.append((n, line))
        elif len(below) == len(rows):
            above = "a second one below the same row" if rows else "no row of cells is above it"
            raise ValueError(f"line {n} is a line of borders, but {above}")
        else:
            below.append((n, line))
    if not rows:
        raise ValueError("the text has no row of cells")
    if len(below) == len(rows):
        raise ValueError(f"line {below[-1][0]} is a line of borders, but no row of cells is below it")
    return rows, below


def _longest_word(n, line):
    words = list(re.finditer(r"[^\s|]+", line))
    for word in words:
        _clue(n, word.start(), word[0])
    return max((len(word[0]) for word in words), default=1)


def _cells(n, line, indent, width, cols):
    """Position, text and following character of each cell of a line; ValueError when the line sticks out."""
    for at, sign in enumerate(line[:indent]):
        if sign != " ":
            _refuse(n, at, sign, f"{indent} spaces before the first cell, as in the other lines")
    tab = line.find("\t")
    if tab >= 0:
        _refuse(n, tab, "\t", "a space")
    padded = line.ljust(indent + cols * (width + 1))
    for at in range(indent, indent + cols * (width + 1), width + 1):
        yield at, padded[at : at + width], padded[at + width]
    end = indent + cols * (width + 1)
    if len(line) > end:
        _refuse(n, end, line[end], f"the end of the line, after {cols} cells")


def _clue(n, at, cell):
    word = cell.strip()
    if word in _SIGNS:
        return _SIGNS[word]
    if not word:
        raise ValueError(f"line {n}, column {at + 1}: no cell where another row has one (an empty cell is `.`)")
    at += cell.index(word)
    if not re.fullmatch("[0-9]+", word):
        _refuse(n, at, word, "`.`, `?`, `#` or a number")
    if len(word) > 10 or int(word) > _LARGEST:
        raise ValueError(
            f"line {n}, column {at + 1}: the number {word[:20]} is too large; at most {_LARGEST} is allowed"
        )
    return int(word)


def _refuse(n, at, found, wanted):
    raise ValueError(f"line {n}, column {at + 1}: {shown(found, 20)} instead of {wanted}")


def _refuse_dead_ends(regions, right, down):
    for borders, real, (y, x) in zip((right, down), puzzlink.borders_of(regions), ((0, 1), (1, 0)), strict=True):
        if (borders & ~real).any():
            r, c = (int(at) for at in np.argwhere(borders & ~real)[0])
            sides = f"{cell_name(r, c)} and {cell_name(r + y, c + x)}"
            raise ValueError(f"the border between {sides} does not separate two regions")


def write_bordered(clues: GridLike, regions: GridLike, shading: GridLike | None = None) -> str:
    """Text grid of a board, or of its answer.

    Parameters
    ----------
    clues, regions : int (rows, cols)
    shading : 0/1 (rows, cols)      shaded cells are written `#`

    Raises
    ------
    ValueError                      when a cell has a clue and is shaded: the text can show only one

    >>> print(write_bordered([[12, NO_CLUE], [NO_CLUE, ASKED]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]))
    12|.
       --
    #  ?
    """
    clues = np.asarray(clues)
    shading = np.zeros(clues.shape, bool) if shading is None else np.asarray(shading) != 0
    if (shading & (clues != NO_CLUE)).any():
        r, c = (int(at) for at in np.argwhere(shading & (clues != NO_CLUE))[0])
        raise ValueError(f"{cell_name(r, c)} is shaded and has a clue; a text grid cannot show both")
    right, down = puzzlink.borders_of(regions)
    signs = {NO_CLUE: ".", ASKED: "?"}
    words = [
        ["#" if shaded else signs.get(clue, str(clue)) for clue, shaded in zip(*row, strict=True)]
        for row in zip(clues.tolist(), shading.tolist(), strict=True)
    ]
    width = max(len(word) for line in words for word in line)
    lines = []
    for r, line in enumerate(words):
        between = ["|" if border else " " for border in right[r]] + [""]
        lines.append("".join(word.ljust(width) + mark for word, mark in zip(line, between, strict=True)).rstrip())
        if r < len(down) and down[r].any():
            lines.append(" ".join(("-" if border else " ") * width for border in down[r]).rstrip())
    return "\n".join(lines)


def read_plain(text: Lines) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8] | None]:
    """Clues and shading of a text grid without borders: cells between spaces, of any width.

    Parameters
    ----------
    text : str or list of str    lines; blank lines and indentation do not matter

    Returns
    -------
    clues : int32 (rows, cols)      a number, NO_CLUE or ASKED
    shading : uint8 (rows, cols)    1 where the text has `#`; None when it has none anywhere

    Raises
    ------
    ValueError                      naming line and column

    >>> clues, shading = read_plain("12 .\\n# ?")
    >>> clues.tolist(), shading.tolist()
    ([[12, -1], [-1, -2]], [[0, 0], [1, 0]])
    """
    lines = text.splitlines() if isinstance(text, str) else list(text)
    rows = [(n, list(re.finditer(r"\S+", line))) for n, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise ValueError("the text has no row of cells")
    first, cols = rows[0][0], len(rows[0][1])
    if len(rows) * cols > puzzlink.MAX_CELLS:
        raise ValueError(f"{len(rows)} rows x {cols} cols is too large; at most {puzzlink.MAX_CELLS} cells are read")
    clues = []
    for n, words in rows:
        clues.append([_clue(n, word.start(), word[0]) for word in words])
        if len(words) != cols:
            raise ValueError(f"line {n} has {len(words)} cells, line {first} has {cols}; all need the same")
    shading = np.array([[word[0] == "#" for word in words] for _, words in rows], np.uint8)
    return np.array(clues, np.int32), shading if shading.any() else None


def write_plain(clues: GridLike, shading: GridLike | None = None) -> str:
    """Text grid without borders of a board, or of its answer.

    Parameters
    ----------
    clues : int (rows, cols)
    shading : 0/1 (rows, cols)      shaded cells are written `#`

    Raises
    ------
    ValueError                      when a cell has a clue and is shaded: the text can show only one

    >>> print(write_plain([[12, NO_CLUE], [NO_CLUE, ASKED]], [[0, 0], [1, 0]]))
    12 .
    #  ?
    """
    clues = np.asarray(clues)
    return write_bordered(clues, np.zeros(clues.shape, np.int32), shading)
