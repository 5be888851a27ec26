"""Boards as JSON objects. Knows fields and cells, not genres.

    {"genre": "usowan", "clues": [[1, null], [null, "?"]], "regions": [[0, 0], [0, 0]]}

`clues` are rows with null for an empty cell and "?" for an asked one; or, beside `rows` and `cols`, a list of
[row, column, value] with null for `?`, as in collections of boards. Fields that are not asked for are left alone.
"""

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from ..machinery.grid import GridLike
from . import ASKED, NO_CLUE, puzzlink, shown

Record = dict[str, Any]  # a JSON object

_LARGEST = 2**31 - 1  # a clue is an int32


def read_clues(record: Record) -> npt.NDArray[np.int32]:
    """Clues of a JSON object, in rows or as a list of [row, column, value].

    Returns
    -------
    int32 (rows, cols)    a number, NO_CLUE or ASKED

    Raises
    ------
    ValueError            naming the field and the place in it

    >>> read_clues({"clues": [[1, None], [None, "?"]]}).tolist()
    [[1, -1], [-1, -2]]
    >>> read_clues({"rows": 2, "cols": 2, "clues": [[0, 0, 1], [1, 1, None]]}).tolist()
    [[1, -1], [-1, -2]]
    """
    values = _field(record, "clues")
    sparse = "rows" in record or "cols" in record
    return _sparse_clues(record, values) if sparse else _grid("clues", values, _dense_clue)


def expect_genre(record: Record, genre: str) -> None:
    """ValueError when a JSON object says that it is for another genre."""
    if isinstance(record, dict) and record.get("genre", genre) != genre:
        raise ValueError(f"genre: {_shown(record['genre'])} instead of {genre!r}")


def write_clues(clues: GridLike) -> list[list[int | str | None]]:
    """Clues as JSON rows, with None for NO_CLUE and "?" for ASKED.

    >>> write_clues(np.array([[1, NO_CLUE], [NO_CLUE, ASKED]]))
    [[1, None], [None, '?']]
    """
    signs = {NO_CLUE: None, ASKED: "?"}
    return [[signs.get(clue, clue) for clue in row] for row in np.asarray(clues).tolist()]


def read_field(record: Record, name: str) -> npt.NDArray[np.int32]:
    """A grid of whole numbers, such as `regions` or an answer: int32 (rows, cols).

    >>> read_field({"regions": [[0, 1]]}, "regions")
    array([[0, 1]], dtype=int32)
    """
    return _grid(name, _field(record, name), _whole)


def _field(record, name):
    if not isinstance(record, dict):
        raise ValueError(f"a board is a JSON object, not {_shown(record)}")
    if name not in record:
        names = [shown(str(name), 20) for name in list(record)[:8]]
        raise ValueError(f"the JSON object has no field {name!r}; it has {', '.join(names) or 'none'}")
    return record[name]


def _grid(name, values, read):
    if not isinstance(values, list) or not values or not all(isinstance(row, list) for row in values):
        raise ValueError(f"{name} must be a list of rows, not {_shown(values)}")
    cols = len(values[0])
    for r, row in enumerate(values):
        if len(row) != cols or not row:
            raise ValueError(f"{name}: row {r} has {len(row)} cells, row 0 has {cols}; all need the same, at least 1")
    _check_size(len(values), cols)
    cells = [[read(name, f"row {r}, column {c}", value) for c, value in enumerate(row)] for r, row in enumerate(values)]
    return np.array(cells, np.int32)


def _whole(name, place, value):
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _LARGEST:
        raise ValueError(f"{name}: {_shown(value)} at {place} is not a whole number up to {_LARGEST}")
    return value


def _dense_clue(name, place, value):
    if value is None:
        return NO_CLUE
    return ASKED if value == "?" else _number(name, place, value)


def _number(name, place, value):
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST:
        raise ValueError(f'{name}: {_shown(value)} at {place} is not a whole number of at least 0, null or "?"')
    return value


def _sparse_clues(record, values):
    rows, cols = (_whole(name, "its place", _field(record, name)) for name in ("rows", "cols"))
    for name, size in (("rows", rows), ("cols", cols)):
        if size < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, not {size}")
    _check_size(rows, cols)
    if not isinstance(values, list):
        raise ValueError(f"clues must be a list of [row, column, value], not {_shown(values)}")
    clues = np.full((rows, cols), NO_CLUE, np.int32)
    for at, entry in enumerate(values):
        if not isinstance(entry, list) or len(entry) != 3:
            raise ValueError(f"clues: entry {at} is {_shown(entry)}, not [row, column, value]")
        r, c = (_whole("clues", f"entry {at}", part) for part in entry[:2])
        if not (0 <= r < rows and 0 <= c < cols):
            raise ValueError(f"clues: entry {at} is at row {r}, column {c}, outside {rows} rows x {cols} cols")
        if clues[r, c] != NO_CLUE:
            raise ValueError(f"clues: entry {at} is a second clue at row {r}, column {c}")
        value = entry[2]
        clues[r, c] = ASKED if value is None or value == "?" else _number("clues", f"entry {at}", value)
    return clues


def _check_size(rows, cols):
    if rows * cols > puzzlink.MAX_CELLS:
        raise ValueError(f"{rows} rows x {cols} cols is too large; at most {puzzlink.MAX_CELLS} cells are read")


def _shown(value):
    try:
        text = json.dumps(value, default=repr)
    except (TypeError, ValueError, RecursionError):  # a dict from Python that JSON cannot hold
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def parse(line: str, place: str = "the text") -> Record:
    """JSON object in a string; ValueError naming ``place`` and what is wrong, also for a field that stands twice."""
    try:
        record = json.loads(line, object_pairs_hook=_once, parse_int=_int)
    except RecursionError:
        raise ValueError(f"{place} is not JSON that can be read: it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{place} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{place} is not a JSON object but {_shown(record)}")
    return record


def _once(pairs):
    record = {}
    for name, value in pairs:
        if name in record:
            raise ValueError(f"the field {shown(name, 20)} stands twice in an object")
        record[name] = value
    return record


def _int(digits):
    try:
        return int(digits)
    except ValueError:  # Python reads a few thousand digits, as reading more takes long
        raise ValueError(f"a number of {len(digits)} digits") from None
