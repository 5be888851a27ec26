"""Tables of exact numbers in data/: stored once, then compared.

A table is a plain CSV file, named by what it measures and by every parameter that is not as usual (catalogue.py), so
that a run with other parameters never touches the tables of the usual one. Its parameters, the types of its columns and
the command that made it are in data/datapackage.json (datapackage.py). A measurement that differs from its stored table
is an error until somebody accepts the new numbers.

Columns are exact: whole numbers of any size, bool, Fraction, Decimal, text. Floats are refused, since their last digits
depend on the machine: store the counts a share is made of, or round it on purpose with `places`. A missing value (None,
NaN) is an empty field, and comes back as None (in a column of text as an empty text). Timings go through `store_timing`
to files of their own and are never compared.

Environment: PUZZLEKIT_TABLES is unset (compare, or create what is missing), "check" (compare, never write) or "accept"
(replace what differs). PUZZLEKIT_STAGING names a folder that takes what is written until a whole notebook has
succeeded. PUZZLEKIT_COMMAND is the command written beside new tables. PUZZLEKIT_DATA is the data folder, if not the
checkout's.
"""

import csv
import os
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pandas as pd

from ..boards import meant, shown
from ..machinery import files
from . import catalogue, columns, datapackage, labels
from .exact import Table, difference
from .labels import Parameter

CHECKOUT = Path(__file__).resolve().parents[2]
MODES = ("", "check", "accept")

Exact = int | Fraction | Decimal


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

    >>> path("usowan/rungs", boards=10000, sizes=[6, 8, 10]).name
    'rungs_boards_10000.csv'
    >>> path("usowan/liars", rows=6, cols=8, boards=1000).name
    'liars_6x8.csv'
    """
    if not re.fullmatch(r"[a-z0-9_]+(/[a-z0-9_]+)*", name) or "__" in name or len(name) > 100:
        raise ValueError(
            f"table name {shown(name)}: use lower-case words, digits and single underscores, separated by /, "
            "at most 100"
        )
    known = catalogue.TABLES.get(name)
    words = labels.words(parameters, known.usual if known else {})
    if len(words) > 150:
        raise ValueError(f"table {name!r}: the parameters make a file name of {len(words)} characters, at most 150 fit")
    return folder() / f"{'_'.join(filter(None, [name, words]))}.csv"


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
    new = Table.from_frame(frame, name, parameters, os.environ.get("PUZZLEKIT_COMMAND", "").replace("\n", " "))
    mode = _mode()
    _touch(target)
    home = _home(target)
    if (home / target.relative_to(folder())).exists():
        differs = difference(_read(home, target), new)
        if differs and mode != "accept":
            raise TableDiffers(
                f"{_shown(target)}: {differs}\nIf the new numbers are right, run the report with --accept."
            )
        if not differs:
            _touch(target, "computed.txt")
            return frame
    elif mode == "check":
        raise FileNotFoundError(f"{_shown(target)} is not stored; make it with `puzzlekit report`")
    _write(target, new)
    return frame


def load(name: str, **parameters: Parameter) -> pd.DataFrame:
    """A stored table. Whole numbers are int64 where all fit, otherwise Python ints (object); missing values are None.

    Raises
    ------
    FileNotFoundError     when no such table is stored, naming those of the same name with other parameters
    """
    target = path(name, **parameters)
    home = _home(target)
    if not (home / target.relative_to(folder())).exists():
        others = sorted(
            f"{Path(other).name}.csv" for other, known in datapackage.read(home).items() if known.table == name
        )
        raise FileNotFoundError(f"{_shown(target)} is not stored; stored under this name: {others or 'nothing'}")
    _touch(target)
    return _read(home, target).to_frame()


def data(name: str) -> pd.DataFrame:
    """A table of the data folder by its file's name, with what is known of it.

    Parameters
    ----------
    name : str     like "usowan/rungs" or "usowan/rungs_boards_10000", for data/usowan/rungs_boards_10000.csv

    Returns
    -------
    pandas.DataFrame     whole numbers as int64, or as Python ints where some are larger or missing; bool; rounded
                         numbers as Decimal; Fraction; text. Missing values are None. Its `attrs` have the title, the
                         parameters, the command that made it, and the meaning of each column

    Raises
    ------
    ValueError           for a name that no table has, saying which ones there are

    >>> frame = data("usowan/space")
    >>> int(frame["answers"][7]), frame.attrs["columns"]["price"]
    (118930018898, 'How many answers there are without the rule for each one with it')
    """
    described = datapackage.read(folder())
    if name not in described:
        there = ", ".join(sorted(described)) or "none"
        raise ValueError(f"no table {shown(name)}; {meant(name, described)}There are: {there}")
    known, target = described[name], folder() / f"{name}.csv"
    part = name.partition("/")
    frame = published(part[2]) if part[0] == datapackage.PUBLISHED else _read(folder(), target).to_frame()
    meanings = {column: columns.column(column, known.table) for column in frame}
    frame.attrs = {
        "title": catalogue.title(known.table),
        "parameters": dict(known.parameters),
        "command": known.command,
        "columns": {column: meaning.meaning if meaning else "" for column, meaning in meanings.items()},
    }
    return frame


def store_timing(name: str, frame: pd.DataFrame, **parameters: Parameter) -> pd.DataFrame:
    """Keep a table of timings under <genre>/timings/. Never compared; replaced only when accepting. Floats keep 4
    digits.
    """
    place, _, last = name.rpartition("/")
    target = path(f"{place}/timings/{last}" if place else f"timings/{last}", **parameters)
    _touch(target)
    stored = _home(target) / target.relative_to(folder())
    if _mode() != "check" and (_mode() == "accept" or not stored.exists()):
        rounded = frame.copy()
        for column in rounded.select_dtypes("floating"):
            rounded[column] = [None if pd.isna(value) else f"{value:.4g}" for value in rounded[column]]
        table = target.relative_to(folder()).parent / last
        command = os.environ.get("PUZZLEKIT_COMMAND", "").replace("\n", " ")
        _write(target, Table.from_frame(rounded, table.as_posix(), parameters, command))
    return frame


def published(genre: str) -> pd.DataFrame:
    """Published figures of a genre: columns label, value (int, Decimal or text), of (int, or None), source, and
    whatever else the file has.
    """
    file = folder() / "published" / f"{genre}.csv"
    if not re.fullmatch(r"[a-z0-9_]{1,80}", genre) or not file.exists():
        known = sorted(p.stem for p in file.parent.glob("*.csv")) if file.parent.is_dir() else []
        raise ValueError(f"no published figures for {shown(genre)}; choose from {known}")
    rows: list[list[str]] = []
    for number, line in enumerate(files.read_lines(file, _shown(file)), 1):
        (row,) = csv.reader([line])
        if rows and len(row) != len(rows[0]):
            raise ValueError(f"{_shown(file)}, line {number}: {len(row)} fields instead of {len(rows[0])}")
        rows.append(row)
    frame = pd.DataFrame(rows[1:], columns=rows[0], dtype=object)
    for column in {"value", "of"} & set(frame):
        frame[column] = pd.Series([_number(text) if text else None for text in frame[column]], dtype=object)
    return frame


def published_terms(sequence: str) -> pd.DataFrame:
    """Published terms of an integer sequence, rows of `published("oeis")`; ValueError where none is there."""
    terms = published("oeis")
    terms = terms[terms["sequence"] == sequence]
    if terms.empty:
        raise ValueError(f"no terms of {sequence!r} in the published sequences")
    return terms


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
    names = [file.relative_to(staging) for file in staged]
    targets = [folder() / name for name in names]
    new = datapackage.read(Path(staging))
    for file, target in zip(staged, targets, strict=True):
        if target.exists() and not accept and file.parent.name != "timings":
            if differs := difference(_read(folder(), target), _read(Path(staging), target)):
                raise TableDiffers(f"{_shown(target)} was stored by another run meanwhile: {differs}")
    if staged:
        datapackage.note(folder(), {key: new[key] for key in (name.with_suffix("").as_posix() for name in names)})
    for file, target in zip(staged, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(
            target, file.read_text("utf-8")
        )  # data/ may be on another disk, where nothing can be moved to
        file.unlink()
    return targets


def _number(text):
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return Decimal(text) if re.fullmatch(r"[+-]?\d*\.?\d+([eE][+-]?\d+)?", text) else text


def _mode():
    mode = os.environ.get("PUZZLEKIT_TABLES", "")
    if mode not in MODES:
        raise ValueError(f"PUZZLEKIT_TABLES is {mode!r}; it must be unset, 'check' or 'accept'")
    return mode


def _staging():
    return Path(os.environ["PUZZLEKIT_STAGING"]) if os.environ.get("PUZZLEKIT_STAGING") else None


def _home(target):
    """The folder with the newest version of a table: what this run has staged, or data/."""
    return _staging() if _staging() and (_staging() / target.relative_to(folder())).exists() else folder()


def _read(home, target):
    """The table that a folder, data/ or one that is staged, has at the place of a path below data/."""
    name = target.relative_to(folder()).with_suffix("").as_posix()
    known = datapackage.read(home).get(name)
    if known is None:
        raise ValueError(
            f"{_shown(target)} is not described in data/{datapackage.NAME}: no table that puzzlekit stored"
        )
    return Table.from_file(home / f"{name}.csv", known, _shown(target))


def _touch(target, where="tables.txt"):
    """Tell the report runner that a notebook uses this table, or has computed what is stored in it."""
    if _staging():
        _staging().mkdir(parents=True, exist_ok=True)
        with open(_staging() / where, "a", encoding="utf-8") as used:
            used.write(f"{target.relative_to(folder()).as_posix()}\n")


def _write(target, table):
    """What is known of a table goes first: a file that nobody described could not be read."""
    home = _staging() or folder()
    file = home / target.relative_to(folder())
    file.parent.mkdir(parents=True, exist_ok=True)
    datapackage.note(home, {target.relative_to(folder()).with_suffix("").as_posix(): table.known})
    files.write_whole(file, table.to_text())
    _touch(target, "computed.txt")


def _shown(target):
    """A path as people write it: data/usowan/space.csv."""
    try:
        return (Path("data") / Path(target).relative_to(folder())).as_posix()
    except (ValueError, FileNotFoundError):
        return str(target)
