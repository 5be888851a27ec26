"""Tables of exact numbers in data/: stored once, then compared.

A table is a CSV file named by what it measures and by every parameter of the measurement, so that a run with other
parameters never touches the tables of the default run. Two comment lines in front hold the parameters and column types,
and the command that made the table. A measurement that differs from its stored table is an error until somebody accepts
the new numbers.

Columns are exact: whole numbers of any size, bool, Fraction, Decimal, text. Floats are refused, since their last digits
depend on the machine: store the counts a share is made of, or round it on purpose with `places`. A missing value (None,
NaN) is an empty field, and comes back as None (in a column of text as an empty text). Timings go through `store_timing`
to files of their own and are never compared.

Environment: PUZZLEKIT_TABLES is unset (compare, or create what is missing), "check" (compare, never write) or "accept"
(replace what differs). PUZZLEKIT_STAGING names a folder that takes what is written until a whole notebook has
succeeded. PUZZLEKIT_COMMAND is the command written into new tables. PUZZLEKIT_DATA is the data folder, if not the
checkout's.
"""

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..boards import jsonl, shown
from ..machinery import files

CHECKOUT = Path(__file__).resolve().parents[2]
SHOWN = 10  # differences listed in an error
MODES = ("", "check", "accept")

Exact = int | Fraction | Decimal
Scalar = int | float | str | None
Parameter = Scalar | Sequence[Scalar] | np.ndarray | np.generic  # of a measurement


class TableDiffers(Exception):
    """A measurement does not give the numbers of its stored table."""


def folder() -> Path:
    """The data folder; FileNotFoundError when puzzlekit runs without a checkout and PUZZLEKIT_DATA is not set."""
    if os.environ.get("PUZZLEKIT_DATA"):
        return Path(os.environ["PUZZLEKIT_DATA"])
    if (CHECKOUT / "pyproject.toml").exists() and (CHECKOUT / "data").is_dir():
        return CHECKOUT / "data"
    raise FileNotFoundError(
        "no data folder: puzzlekit is installed without its checkout; set PUZZLEKIT_DATA to a folder"
    )


def path(name: str, **parameters: Parameter) -> Path:
    """File of a table inside the data folder.

    Parameters
    ----------
    name : str         like "usowan/space": lower-case words, digits and underscores, one folder per genre
    parameters         int, bool, str, float, None, or a list of these; all of them become part of the file's name

    Raises
    ------
    ValueError         for a name that leaves the data folder, or a value that cannot be part of a file name

    >>> path("usowan/readings", rows=6, cols=8, sizes=[4, 6]).name
    'readings__cols=8_rows=6_sizes=4-6.csv'
    """
    if not re.fullmatch(r"[a-z0-9_]+(/[a-z0-9_]+)*", name) or "__" in name or len(name) > 100:
        raise ValueError(
            f"table name {shown(name)}: use lower-case words, digits and single underscores, separated by /, "
            "at most 100"
        )
    label = label_of(parameters)
    if len(label) > 150:
        raise ValueError(f"table {name!r}: the parameters make a file name of {len(label)} characters, at most 150 fit")
    return folder() / (f"{name}__{label}.csv" if label else f"{name}.csv")


def label_of(parameters: Mapping[str, Parameter]) -> str:
    """Parameters as part of a file name, sorted by name: key=value_key=value.

    >>> label_of({"rows": 8, "connected": True})
    'connected=true_rows=8'
    """
    parts = []
    for key in sorted(parameters):
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", key):
            raise ValueError(f"parameter {shown(key)}: names are of letters, digits and underscores")
        values = _plain(parameters[key])
        text = "-".join(_word(key, value) for value in (values if isinstance(values, list) else [values]))
        parts.append(f"{key}={text}")
    return "_".join(parts)


def _plain(value):
    """A parameter as JSON has it: numpy scalars and tuples become Python scalars and lists."""
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [_plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def _word(key, value):
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_.+ -]+", value):
        return value.replace(" ", "-")
    raise ValueError(
        f"parameter {key}={shown(value)}: use numbers, bools, and text of letters, digits, spaces and _ . + -"
    )


def store(name: str, frame: pd.DataFrame, **parameters: Parameter) -> pd.DataFrame:
    """Keep a measured table, or hold it to the numbers that are kept already.

    Parameters
    ----------
    name : str                   see `path`
    frame : pandas.DataFrame     exact columns; a named index becomes a column
    parameters                   everything the numbers depend on, defaults included

    Returns
    -------
    pandas.DataFrame             the frame, so that the call can end a notebook cell

    Raises
    ------
    TableDiffers                 showing the stored and the new values, when the table is stored with other numbers
    FileNotFoundError            when only checking and the table is not stored
    ValueError                   for floats, mixed columns, or names that do not fit
    """
    target = path(name, **parameters)
    new = _Table.from_frame(frame, parameters)
    mode = _mode()
    _touch(target)
    stored = _where(target)
    if stored.exists():
        difference = _difference(_Table.from_file(stored), new)
        if difference and mode != "accept":
            raise TableDiffers(
                f"{_shown(target)}: {difference}\nIf the new numbers are right, run the report with --accept."
            )
        if not difference:
            _touch(target, "computed.txt")
            return frame
    elif mode == "check":
        raise FileNotFoundError(f"{_shown(target)} is not stored; make it with `puzzlekit report`")
    _write(target, new.to_text())
    _touch(target, "computed.txt")
    return frame


def load(name: str, **parameters: Parameter) -> pd.DataFrame:
    """A stored table. Whole numbers are int64 where all fit, otherwise Python ints (object); missing values are None.

    Raises
    ------
    FileNotFoundError     when no such table is stored, naming those of the same name with other parameters
    """
    target = path(name, **parameters)
    stored = _where(target)
    if not stored.exists():
        others = sorted(p.name for p in target.parent.glob(f"{Path(name).name}*.csv"))
        raise FileNotFoundError(f"{_shown(target)} is not stored; stored under this name: {others or 'nothing'}")
    _touch(target)
    return _Table.from_file(stored).to_frame()


def store_timing(name: str, frame: pd.DataFrame, **parameters: Parameter) -> pd.DataFrame:
    """Keep a table of timings under <genre>/timings/. Never compared; replaced only when accepting. Floats keep 4
    digits.
    """
    place, _, last = name.rpartition("/")
    target = path(f"{place}/timings/{last}" if place else f"timings/{last}", **parameters)
    _touch(target)
    if _mode() != "check" and (_mode() == "accept" or not _where(target).exists()):
        rounded = frame.copy()
        for column in rounded.select_dtypes("floating"):
            rounded[column] = [None if pd.isna(value) else f"{value:.4g}" for value in rounded[column]]
        _write(target, _Table.from_frame(rounded, parameters).to_text())
        _touch(target, "computed.txt")
    return frame


def published(genre: str) -> pd.DataFrame:
    """Published figures of a genre: columns label, value (int, Decimal or text), source, and whatever else the file
    has.
    """
    file = folder() / "published" / f"{genre}.csv"
    if not re.fullmatch(r"[a-z0-9_]{1,80}", genre) or not file.exists():
        known = sorted(p.stem for p in file.parent.glob("*.csv")) if file.parent.is_dir() else []
        raise ValueError(f"no published figures for {shown(genre)}; choose from {known}")
    header, rows = None, []
    for number, line in enumerate(files.read_lines(file, _shown(file)), 1):
        if not line.startswith("#"):
            (row,) = csv.reader([line])
            header = header or row
            if len(row) != len(header):
                raise ValueError(f"{_shown(file)}, line {number}: {len(row)} fields instead of {len(header)}")
            rows.append(row)
    frame = pd.DataFrame(rows[1:], columns=header, dtype=object)
    if "value" in frame:
        frame["value"] = pd.Series([_number(text) for text in frame["value"]], dtype=object)
    return frame


def places(value: Exact, digits: int) -> Decimal:
    """A share rounded on purpose: an exact number as Decimal with that many digits after the point, halves to even.

    >>> places(Fraction(2, 3), 4)
    Decimal('0.6667')
    """
    scaled = round(Fraction(value) * 10**digits)
    return Decimal(scaled).scaleb(-digits)


def publish(staging: str | Path, *, accept: bool = False) -> list[Path]:
    """Move what a successful run has staged into the data folder, whole files only. Returns the paths moved.

    Raises TableDiffers, moving nothing, when another run has stored other numbers meanwhile and `accept` is not set.
    """
    staged = sorted(Path(staging).rglob("*.csv"))
    targets = [folder() / file.relative_to(staging) for file in staged]
    for file, target in zip(staged, targets, strict=True):
        if target.exists() and not accept and file.parent.name != "timings":
            old, new = map(_Table.from_file, (target, file))
            if difference := _difference(old, new):
                raise TableDiffers(f"{_shown(target)} was stored by another run meanwhile: {difference}")
    for file, target in zip(staged, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(
            target, file.read_text("utf-8")
        )  # data/ may be on another disk, where nothing can be moved to
        file.unlink()
    return targets


class _Table:
    """A table as text: column names, a type for each, rows of strings, and the parameters."""

    def __init__(self, columns: list[str], types: list[str], rows: list[list[str]], parameters: dict[str, Any]) -> None:
        self.columns, self.types, self.rows, self.parameters = columns, types, rows, parameters

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, parameters: Mapping[str, Parameter]) -> "_Table":
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
        return cls(columns, types, rows, {key: _plain(parameters[key]) for key in sorted(parameters)})

    @classmethod
    def from_file(cls, where: Path) -> "_Table":
        lines = files.read_lines(where, _shown(where))
        number = 1
        rows: list[list[str]] = []
        try:
            header = jsonl.parse(lines[0].removeprefix("# "), "the comment")
            if not all(isinstance(header.get(name), dict) for name in ("parameters", "columns")):
                raise ValueError("the comment does not hold parameters and columns")
            columns, types, parameters = list(header["columns"]), list(header["columns"].values()), header["parameters"]
            for kind in types:
                if not isinstance(kind, str) or kind not in _READ:
                    raise ValueError(f"{shown(kind)} is no type of a column; types are {list(_READ)}")
            for number, line in enumerate(lines[1:], 2):  # noqa: B007 - the number is told below
                if line.startswith("# "):
                    continue
                (row,) = csv.reader([line], strict=True)
                if len(row) != len(columns):
                    raise ValueError(f"{len(row)} fields instead of {len(columns)}")
                if not rows and row != columns:
                    raise ValueError("the columns do not match the first line")
                for kind, cell in zip(types, row, strict=True):
                    if rows and cell and not _is_written(kind, cell):
                        raise ValueError(f"{shown(cell)} is not as a value of the type {kind} is written")
                rows.append(row)
            if not rows:
                raise ValueError("the names of the columns are missing")
        except (ValueError, csv.Error) as error:
            raise ValueError(f"{_shown(where)}, line {number}: not a table as puzzlekit stores it: {error}") from None
        return cls(columns, types, rows[1:], parameters)

    def to_text(self) -> str:
        header = {"parameters": self.parameters, "columns": dict(zip(self.columns, self.types, strict=True))}
        out = io.StringIO()
        out.write(f"# {json.dumps(header)}\n")
        if command := os.environ.get("PUZZLEKIT_COMMAND"):
            out.write("# made by: {}\n".format(command.replace("\n", " ")))  # a board may be given in lines
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows:
            if row[0].startswith("#"):
                raise ValueError(f"a first column cannot start with #: {row[0]!r}")
            writer.writerow(row)
        return out.getvalue()

    def to_frame(self) -> pd.DataFrame:
        data = {}
        for i, (column, kind) in enumerate(zip(self.columns, self.types, strict=True)):
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


def _number(text):
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return Decimal(text) if re.fullmatch(r"[+-]?\d*\.?\d+([eE][+-]?\d+)?", text) else text


def _difference(stored, new):
    """What differs, in words, or an empty string."""
    if stored.parameters != new.parameters:
        return f"stored for the parameters {stored.parameters}, not {new.parameters}"
    if stored.columns != new.columns:
        return f"columns differ: stored {stored.columns}, new {new.columns}"
    if stored.types != new.types and stored.rows and new.rows:
        return f"column types differ: stored {stored.types}, new {new.types}"
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


def _mode():
    mode = os.environ.get("PUZZLEKIT_TABLES", "")
    if mode not in MODES:
        raise ValueError(f"PUZZLEKIT_TABLES is {mode!r}; it must be unset, 'check' or 'accept'")
    return mode


def _staging():
    return Path(os.environ["PUZZLEKIT_STAGING"]) if os.environ.get("PUZZLEKIT_STAGING") else None


def _where(target):
    """Where the newest version of a table is: staged by this run, or stored."""
    staged = _staging() / target.relative_to(folder()) if _staging() else target
    return staged if staged.exists() else target


def _touch(target, where="tables.txt"):
    """Tell the report runner that a notebook uses this table, or has computed what is stored in it."""
    if _staging():
        _staging().mkdir(parents=True, exist_ok=True)
        with open(_staging() / where, "a", encoding="utf-8") as used:
            used.write(f"{target.relative_to(folder()).as_posix()}\n")


def _write(target, text):
    if _staging():
        target = _staging() / target.relative_to(folder())
    target.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(target, text)


def _shown(target):
    """A path as people write it: data/usowan/space.csv."""
    try:
        return (Path("data") / Path(target).relative_to(folder())).as_posix()
    except (ValueError, FileNotFoundError):
        return str(target)
