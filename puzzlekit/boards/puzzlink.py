"""puzz.link (pzprjs) URLs: the address, borders between regions, clues up to 4 or up to 9. Knows codes, not genres.

A URL is `https://puzz.link/p?name/cols/rows/body`, width first. Reading functions take the body and the position to
start at, so that an error can name the character. What pzprjs writes is written identically.

Source: pzprjs, variety-common/Encode.js (decodeBorder, decode4Cell, decodeNumber10) and its URL parser.
"""

import re
from collections.abc import Sequence
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from ..machinery.grid import GridLike
from . import ASKED, NO_CLUE, shown

HOST = "https://puzz.link/p?"
MAX_CELLS = 10_000  # larger sizes are refused before anything is allocated
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def looks_like_url(text: str) -> bool:
    """Whether a text is meant to be a URL: it has a scheme, or a name and two sizes.

    >>> looks_like_url("usoone/2/2/00bg"), looks_like_url("1 . ?"), looks_like_url("boards/one.txt")
    (True, False, False)
    """
    sizes = _parts(text)[1:3]
    return "://" in text or (len(sizes) == 2 and all(re.fullmatch(r"[+-]?\d+", size) for size in sizes))


def name_of(url: str) -> str:
    """The genre name in a URL.

    >>> name_of("http://pzv.jp/p.html?usoone/2/2/00bg")
    'usoone'
    """
    return _parts(url)[0]


def split(url: str, names: Sequence[str]) -> tuple[int, int, str]:
    """Size and body of a URL.

    Parameters
    ----------
    url : str                  scheme, host, `#fragment` and further `&` query parts may be there or not
    names : sequence of str    genre names that are accepted

    Returns
    -------
    rows, cols : int           their product is at most MAX_CELLS
    body : str

    Raises
    ------
    ValueError                 saying which part is missing or wrong

    >>> split("puzz.link/p?usoone/3/2/00000g/", ["usoone"])
    (2, 3, '00000g')
    """
    name, *parts = _parts(url)
    if not name:
        raise ValueError("the URL has no board in it: name/cols/rows/body is missing")
    if name not in names:
        raise ValueError(f"the URL is for {shown(name)}, not for {' or '.join(names)}")
    if len(parts) < 3:
        raise ValueError(
            f"the URL must have cols/rows/body after {name!r}, but has {shown('/'.join(parts) or 'nothing')}"
        )
    if len(parts) > 3:
        raise ValueError(f"the URL has {shown('/'.join(parts[3:]))} after the body; nothing is allowed there")
    cols, rows = _size("cols", parts[0]), _size("rows", parts[1])
    if rows * cols > MAX_CELLS:
        raise ValueError(f"{rows} rows x {cols} cols is too large; at most {MAX_CELLS} cells are read")
    return rows, cols, parts[2]


def _parts(url):
    """Name, cols, rows, body of a URL, as far as it has them. Only what the programs add to a URL is taken off."""
    address = url.strip().strip("<>\"'`").partition("#")[0]
    before, mark, query = address.partition("?")
    if mark and "/" not in query:
        query = unquote(query)  # some mail programs write %2F for each slash
    fields = re.split("[&?]", query if mark else re.sub(r"^\w+://[^/]*/?", "", before))
    field = next((field for field in fields if "/" in field), fields[0])
    name, *parts = field.rstrip("/").split("/")
    if len(parts) == 4 and not parts[0].isdecimal():
        parts = parts[1:]  # a flag of pzprjs, which means nothing to these genres
    return [re.sub("_(edit|play|test)$", "", name).lower(), *parts]


def _size(name, text):
    if not re.fullmatch("[0-9]+", text) or int(text[:9]) < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {shown(text)}")
    if len(text) > 9:
        raise ValueError(f"{name} is {text[:9]}..., too large; at most {MAX_CELLS} cells are read")
    return int(text)


def join(name: str, rows: int, cols: int, *body: str) -> str:
    """URL of a board whose body is the parts of ``body`` in order.

    As pzprjs does, a slash follows an ending that is no letter or digit: chat programs leave a last dot out of the
    link.

    >>> join("tasquare", 1, 2, "1", ".")
    'https://puzz.link/p?tasquare/2/1/1./'
    """
    written = "".join(body)
    return f"{HOST}{name}/{cols}/{rows}/{written}{'' if written[-1:].isalnum() else '/'}"


def read_regions(rows: int, cols: int, body: str, start: int = 0) -> tuple[npt.NDArray[np.int32], int]:
    """Regions from the borders in a body.

    A border that does not separate two regions (a dead end) is dropped, as in pzprjs: regions are the connected pieces.

    Returns
    -------
    regions : int32 (rows, cols)    numbered from 0 in reading order
    end : int                       position after the last character read

    Raises
    ------
    ValueError                      naming the character and its position

    >>> read_regions(2, 2, "g0bg")  # only the top two cells are separated, so nothing is
    (array([[0, 0],
           [0, 0]], dtype=int32), 2)
    """
    right, middle = _read_bits(rows * (cols - 1), body, start)
    down, end = _read_bits((rows - 1) * cols, body, middle)
    return regions_between(right.reshape(rows, cols - 1), down.reshape(rows - 1, cols)), end


def write_regions(regions: GridLike) -> str:
    """Borders between different regions, as the start of a body.

    >>> write_regions([[0, 1], [0, 1]])
    'o0'
    """
    right, down = borders_of(regions)
    return _write_bits(right.ravel()) + _write_bits(down.ravel())


def borders_of(regions: GridLike) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Where neighbours have different labels: bool (rows, cols - 1) to the right, bool (rows - 1, cols) below."""
    regions = np.asarray(regions)
    return regions[:, 1:] != regions[:, :-1], regions[1:] != regions[:-1]


def regions_between(right: npt.NDArray[np.bool_], down: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Connected pieces of cells that no border keeps apart, numbered from 0 in reading order: int32 (rows, cols)."""
    rows, cols = right.shape[0], down.shape[1]
    regions = np.full((rows, cols), -1, np.int32)
    count = 0
    for start in np.ndindex(rows, cols):
        if regions[start] >= 0:
            continue
        regions[start] = count
        stack = [start]
        while stack:
            r, c = stack.pop()
            steps = []
            if c + 1 < cols and not right[r, c]:
                steps.append((r, c + 1))
            if c > 0 and not right[r, c - 1]:
                steps.append((r, c - 1))
            if r + 1 < rows and not down[r, c]:
                steps.append((r + 1, c))
            if r > 0 and not down[r - 1, c]:
                steps.append((r - 1, c))
            for cell in steps:
                if regions[cell] < 0:
                    regions[cell] = count
                    stack.append(cell)
        count += 1
    return regions


def _read_bits(count, body, start):
    """``count`` bits, five to a character, high bit first; and the position after them."""
    bits = []
    end = start + -(-count // 5)
    for at in range(start, end):
        value = _digit(body, at, "a border code", _DIGITS[:32])
        bits += [value >> 4 & 1, value >> 3 & 1, value >> 2 & 1, value >> 1 & 1, value & 1]
    return np.array(bits[:count], bool), end


def _write_bits(bits):
    bits = [int(bit) for bit in bits] + [0] * (-len(bits) % 5)
    groups = (bits[at : at + 5] for at in range(0, len(bits), 5))
    return "".join(_DIGITS[16 * a + 8 * b + 4 * c + 2 * d + e] for a, b, c, d, e in groups)


def _digit(body, at, what, allowed):
    if at >= len(body):
        raise ValueError(f"the body ends after {len(body)} characters, where {what} was expected")
    if body[at] not in allowed:
        raise ValueError(f"character {at} of the body is {body[at]!r}, not {what} ({allowed[0]} to {allowed[-1]})")
    return allowed.index(body[at])


def read_clues4(rows: int, cols: int, body: str, start: int = 0) -> npt.NDArray[np.int32]:
    """Clues from 0 to 4 in the rest of a body.

    A character is a clue (0-4), a clue and one empty cell (5-9) or two (a-e), a `?` (.), or 1 to 20 empty cells (g-z).

    Returns
    -------
    int32 (rows, cols)    a number, NO_CLUE or ASKED

    Raises
    ------
    ValueError            naming the character and its position; also when cells are left over or characters are

    >>> read_clues4(2, 2, "00bg", start=2)
    array([[ 1, -1],
           [-1, -1]], dtype=int32)
    """
    clues = np.full(rows * cols, NO_CLUE, np.int32)
    cell = 0
    for at in range(start, len(body)):
        if cell >= clues.size:
            raise ValueError(f"character {at} of the body is {body[at]!r}, but all {clues.size} cells are filled")
        character = body[at]
        if character == ".":
            clues[cell] = ASKED
            cell += 1
        elif character in _DIGITS[:15]:
            empty, clues[cell] = divmod(_DIGITS.index(character), 5)
            cell += 1 + empty  # empty cells that are said to follow the last cell do not exist; pzprjs writes them so
        elif character in _DIGITS[16:]:
            cell += _DIGITS.index(character) - 15
            if cell > clues.size:
                raise ValueError(f"character {at} of the body, {character!r}, skips beyond the {clues.size} cells")
        else:
            raise ValueError(f"character {at} of the body is {character!r}, not a clue (0 to 4 as 0 to e, . or g to z)")
    if cell < clues.size:
        raise ValueError(f"the body ends after {len(body)} characters with {clues.size - cell} cells left to fill")
    return clues.reshape(rows, cols)


def write_clues4(clues: GridLike) -> str:
    """Clues from 0 to 4 as the end of a body, exactly as pzprjs writes them.

    Raises
    ------
    ValueError    naming the first clue above 4, which this code cannot hold

    >>> write_clues4([[1, NO_CLUE], [NO_CLUE, ASKED]])
    'b.'
    """
    clues = np.asarray(clues)
    if (clues > 4).any():
        r, c = (int(at) for at in np.argwhere(clues > 4)[0])
        raise ValueError(f"clue {clues[r, c]} at row {r}, column {c} does not fit into a URL; clues up to 4 do")
    values = clues.ravel().tolist()
    written, empty, cell = [], 0, 0
    while cell < len(values):
        value = values[cell]
        cell += 1
        if value == NO_CLUE:
            empty += 1
        if empty == 20 or (empty and value != NO_CLUE):
            written.append(_DIGITS[15 + empty])
            empty = 0
        if value == ASKED:
            written.append(".")
        elif value >= 0:
            # the next clue one or two cells on decides; cells after the last count as empty
            ahead = next((step for step in (0, 1) if values[cell + step : cell + step + 1] not in ([], [NO_CLUE])), 2)
            written.append(_DIGITS[value + 5 * ahead])
            cell += ahead
    if empty:
        written.append(_DIGITS[15 + empty])
    return "".join(written)


# numbers of any size: a mark, how many hexadecimal digits follow it, and the first number written so
_MARKS16 = {"-": (2, 16), "+": (3, 256), "=": (3, 4096), "%": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
_ADDED16 = {"-": 0, "+": 0}  # these write the number itself, the others what is above their first number
LARGEST16 = 77776 + 16**5 - 1


def read_clues16(rows: int, cols: int, body: str, start: int = 0) -> npt.NDArray[np.int32]:
    """Clues of any size in the rest of a body.

    A character is a clue (0-f), a `?` (.), or 1 to 20 empty cells (g-z). A larger clue is a mark and two to five
    digits.

    Returns
    -------
    int32 (rows, cols)    a number, NO_CLUE or ASKED

    Raises
    ------
    ValueError            naming the character and its position; also when cells are left over or characters are

    >>> read_clues16(2, 2, "-63g.5")
    array([[99, -1],
           [-2,  5]], dtype=int32)
    """
    clues = np.full(rows * cols, NO_CLUE, np.int32)
    cell, at = 0, start
    while at < len(body):
        if cell >= clues.size:
            raise ValueError(f"character {at} of the body is {body[at]!r}, but all {clues.size} cells are filled")
        character = body[at]
        at += 1
        if character == ".":
            clues[cell] = ASKED
            cell += 1
        elif character in _DIGITS[:16]:
            clues[cell] = _DIGITS.index(character)
            cell += 1
        elif character in _MARKS16:
            digits, first = _MARKS16[character]
            value = 0
            for place in range(at, at + digits):
                value = 16 * value + _digit(body, place, f"a digit after {character!r}", _DIGITS[:16])
            at += digits
            clues[cell] = value + _ADDED16.get(character, first)
            cell += 1
        elif character in _DIGITS[16:]:
            cell += _DIGITS.index(character) - 15
            if cell > clues.size:
                raise ValueError(f"character {at - 1} of the body, {character!r}, skips beyond the {clues.size} cells")
        else:
            raise ValueError(
                f"character {at - 1} of the body is {character!r}, not a clue "
                f"(0 to f, . or a mark {' '.join(_MARKS16)}) or a gap (g to z)"
            )
    if cell < clues.size:
        raise ValueError(f"the body ends after {len(body)} characters with {clues.size - cell} cells left to fill")
    return clues.reshape(rows, cols)


def write_clues16(clues: GridLike) -> str:
    """Clues of any size as the end of a body, as pzprjs writes them.

    Except that a number such as 4097 keeps its leading zeros here (=001): pzprjs drops them, and does not read it back.

    Raises
    ------
    ValueError    naming the first clue above LARGEST16, which this code cannot hold

    >>> write_clues16([[99, NO_CLUE], [ASKED, 5]])
    '-63g.5'
    """
    clues = np.asarray(clues)
    if (clues > LARGEST16).any():
        r, c = (int(at) for at in np.argwhere(clues > LARGEST16)[0])
        raise ValueError(
            f"clue {clues[r, c]} at row {r}, column {c} does not fit into a URL; clues up to {LARGEST16} do"
        )
    written, empty = [], 0
    for value in clues.ravel().tolist():
        if value == NO_CLUE:
            empty += 1
        if empty == 20 or (empty and value != NO_CLUE):
            written.append(_DIGITS[15 + empty])
            empty = 0
        if value == ASKED:
            written.append(".")
        elif 0 <= value < 16:
            written.append(_DIGITS[value])
        elif value >= 16:
            mark, (digits, first) = next(item for item in reversed(_MARKS16.items()) if item[1][1] <= value)
            written.append(f"{mark}{value - _ADDED16.get(mark, first):0{digits}x}")
    if empty:
        written.append(_DIGITS[15 + empty])
    return "".join(written)


def read_clues10(rows: int, cols: int, body: str, start: int = 0) -> npt.NDArray[np.int32]:
    """Clues from 0 to 9, but for 7, in the rest of a body.

    A character is a clue (0-9), a `?` (.), or 1 to 26 empty cells (a-z). A 7 says that its cell is cut out of the grid,
    which no board here can be.

    Returns
    -------
    int32 (rows, cols)    a number, NO_CLUE or ASKED

    Raises
    ------
    ValueError            naming the character and its position; also when cells are left over or characters are

    >>> read_clues10(2, 2, "3b.")
    array([[ 3, -1],
           [-1, -2]], dtype=int32)
    """
    clues = np.full(rows * cols, NO_CLUE, np.int32)
    cell = 0
    for at in range(start, len(body)):
        character = body[at]
        if cell >= clues.size:
            raise ValueError(f"character {at} of the body is {character!r}, but all {clues.size} cells are filled")
        if character == ".":
            clues[cell] = ASKED
            cell += 1
        elif character == "7":
            raise ValueError(
                f"character {at} of the body is '7', a cell cut out of the grid; boards here are whole rectangles"
            )
        elif character in _DIGITS[:10]:
            clues[cell] = _DIGITS.index(character)
            cell += 1
        elif character in _DIGITS[10:]:
            cell += _DIGITS.index(character) - 9
            if cell > clues.size:
                raise ValueError(f"character {at} of the body, {character!r}, skips beyond the {clues.size} cells")
        else:
            raise ValueError(f"character {at} of the body is {character!r}, not a clue (0 to 9, . or a to z)")
    if cell < clues.size:
        raise ValueError(f"the body ends after {len(body)} characters with {clues.size - cell} cells left to fill")
    return clues.reshape(rows, cols)


def write_clues10(clues: GridLike) -> str:
    """Clues from 0 to 9, but for 7, as the end of a body, exactly as pzprjs writes them.

    Raises
    ------
    ValueError    naming the first clue that is 7 or above 9, which this code cannot hold

    >>> write_clues10([[3, NO_CLUE], [NO_CLUE, ASKED]])
    '3b.'
    """
    clues = np.asarray(clues)
    if ((clues > 9) | (clues == 7)).any():
        r, c = (int(at) for at in np.argwhere((clues > 9) | (clues == 7))[0])
        raise ValueError(
            f"clue {clues[r, c]} at row {r}, column {c} does not fit into a URL; clues up to 9 but for 7 do"
        )
    written, empty = [], 0
    for value in [*clues.ravel().tolist(), None]:
        if value == NO_CLUE:
            empty += 1
        if empty and (empty == 26 or value != NO_CLUE):
            written.append(_DIGITS[9 + empty])
            empty = 0
        if value == ASKED:
            written.append(".")
        elif value is not None and value >= 0:
            written.append(_DIGITS[value])
    return "".join(written)


CODES = {  # how clues are read and written, by the clues that a code can hold
    "to 4": (read_clues4, write_clues4),
    "to 9": (read_clues10, write_clues10),
    "any": (read_clues16, write_clues16),
}
