"""A table of exact values as text: the types of columns, cells in and out, and what differs between two tables.

Not here: where tables are kept (tables.py), and what is said of them (datapackage.py).
"""

import csv
import io
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..boards import shown
from ..machinery import files
from . import labels
from .datapackage import Described
from .labels import Parameter

SHOWN = 10  # differences listed in an error


class Table:
    """What is known of a table, and its rows as text."""

    def __init__(self, known: Described, rows: list[list[str]]) -> None:
        self.known, self.columns, self.rows = known, list(known.types), rows

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, name: str, parameters: Mapping[str, Parameter], command: str = ""
    ) -> "Table":
        """A measured frame under the name of its table; ValueError for columns that are not exact."""
        if frame.index.names != [None]:
            frame = frame.reset_index()
        columns = list(frame.columns)
        if not columns or len(set(columns)) < len(columns) or not all(isinstance(c, str) and c for c in columns):
            raise ValueError(f"columns must be different, named by text, not {columns}")
        cells = [[None if _missing(value) else value for value in frame[column]] for column in columns]
        types = [_type(column, values) for column, values in zip(columns, cells, strict=True)]
        text = [["" if value is None else str(value) for value in values] for values in cells]
        for column, values in zip(columns, text, strict=True):
            if any("\n" in value or "\r" in value for value in values):
                raise ValueError(f"column {column!r} has a line break in a value")
        rows = [list(row) for row in zip(*text, strict=True)]
        known = Described(name, labels.plain(parameters), dict(zip(columns, types, strict=True)), command)
        return cls(known, rows)

    @classmethod
    def from_file(cls, where: Path, known: Described, called: str) -> "Table":
        """A stored file, by what is known of it; ValueError naming the line that is not as tables are written.

        called : str     what errors call the file
        """
        lines, number = files.read_lines(where, called), 1
        rows: list[list[str]] = []
        try:
            for number, line in enumerate(lines, 1):
                (row,) = csv.reader([line], strict=True)
                if number == 1 and row != list(known.types):
                    raise ValueError("the columns are not those that datapackage.json describes")
                if len(row) != len(known.types):
                    raise ValueError(f"{len(row)} fields instead of {len(known.types)}")
                for kind, cell in zip(known.types.values(), row, strict=True):
                    if number > 1 and cell and not _is_written(kind, cell):
                        raise ValueError(f"{shown(cell)} is not as a value of the type {kind} is written")
                rows.append(row)
        except (ValueError, csv.Error) as error:
            raise ValueError(f"{called}, line {number}: not a table as puzzlekit stores it: {error}") from None
        return cls(known, rows[1:])

    def to_text(self) -> str:
        """The file's text: the columns' names and the rows."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return out.getvalue()

    def to_frame(self) -> pd.DataFrame:
        """The values; see `tables.load` for their types."""
        data = {}
        for i, (column, kind) in enumerate(self.known.types.items()):
            values = [_READ[kind](row[i]) if row[i] or kind == "text" else None for row in self.rows]
            fits = kind == "int" and all(value is not None and abs(value) < 2**63 for value in values)
            whole = kind == "bool" and None not in values
            data[column] = pd.Series(values, dtype="int64" if fits else "bool" if whole else object)
        return pd.DataFrame(data)


def _fraction(text):
    if not re.fullmatch("-?[0-9]+(/[0-9]+)?", text):  # Fraction would take 1e999999999 as well, and all memory for it
        raise ValueError(text)
    return Fraction(text)


def _decimal(text):
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return number


def _is_written(kind, cell):
    """Whether a value that is read from a cell is written as it is there."""
    try:
        return str(_READ[kind](cell)) == cell
    except (ValueError, ArithmeticError):
        return False


_READ: dict[str, Callable[[str], Any]] = {
    "int": int,
    "bool": "True".__eq__,
    "fraction": _fraction,
    "decimal": _decimal,
    "text": str,
}
_KINDS: dict[str, type | tuple[type, ...]] = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "fraction": (int, np.integer, Fraction),
    "decimal": (int, np.integer, Decimal),
    "text": str,
}


def _missing(value):
    if isinstance(value, Decimal):
        return value.is_qnan()
    return pd.api.types.is_scalar(value) and pd.isna(value)


def _type(column, values):
    present = [value for value in values if value is not None]
    endless = next((value for value in present if isinstance(value, Decimal) and not value.is_finite()), None)
    if endless is not None:
        raise ValueError(f"column {column!r} holds {endless}, which is no number")
    for kind, classes in _KINDS.items():
        plain = kind == "bool" or not any(isinstance(value, (bool, np.bool_)) for value in present)
        if present and plain and all(isinstance(value, classes) for value in present):
            return kind
    if not present:
        return "text"
    bad = next((v for v in present if isinstance(v, (float, np.floating))), None)
    if bad is not None:
        raise ValueError(
            f"column {column!r} holds the float {bad!r}; store the counts it is made of, or round it with tables.places"
            " (whole numbers beside missing ones turn into floats in pandas: use dtype=object)"
        )
    found = sorted({type(value).__name__ for value in present})
    raise ValueError(f"column {column!r} mixes or holds {found}; allowed is one of {list(_KINDS)}")


def difference(stored: Table, new: Table) -> str:
    """What differs, in words, or an empty string."""
    if stored.known[:2] != new.known[:2]:
        return "stored for {} with the parameters {}, not {} with {}".format(*stored.known[:2], *new.known[:2])
    if stored.columns != new.columns:
        return f"columns differ: stored {stored.columns}, new {new.columns}"
    if stored.known.types != new.known.types and stored.rows and new.rows:
        return f"column types differ: stored {stored.known.types}, new {new.known.types}"
    lines = []
    for i, (old_row, new_row) in enumerate(zip(stored.rows, new.rows, strict=False)):
        cells = [(c, a, b) for c, a, b in zip(stored.columns, old_row, new_row, strict=True) if a != b]
        if cells:
            changes = ", ".join(f"{c}: stored {a or 'nothing'}, new {b or 'nothing'}" for c, a, b in cells)
            lines.append(f"  row {i} ({stored.columns[0]} {old_row[0]}): {changes}")
    if len(stored.rows) != len(new.rows):
        lines.insert(0, f"  stored {len(stored.rows)} rows, new {len(new.rows)}")
    if len(lines) > SHOWN:
        lines[SHOWN:] = [f"  and {len(lines) - SHOWN} more"]
    return "\n".join(["the numbers differ from the stored table", *lines]) if lines else ""
