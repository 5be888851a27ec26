"""Parameters of a notebook: read from its cell tagged `parameters` without running it, and values held to their types.

The cell holds nothing but annotated literals, such as ``rows: int = 8`` or ``sizes: list[int] = [4, 6]``.
"""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..boards import jsonl, shown

SCALARS = {"int": int, "float": float, "str": str, "bool": bool}
TYPES = [*SCALARS, *(f"list[{scalar}]" for scalar in SCALARS)]
Value = int | float | str | list[int] | list[float] | list[str]  # bool is an int
_LONG = "a number of thousands of digits"


class Parameter(NamedTuple):
    """Declared type, a name in TYPES, and default value."""

    type: str
    default: Value


def declared(notebook: Path | dict[str, Any]) -> dict[str, Parameter]:
    """Parameters of a notebook by name.

    Parameters
    ----------
    notebook : Path or dict      a file of nbformat 4, or what it holds

    Raises
    ------
    ValueError     when it is not a notebook, there is not exactly one such cell, or a line of it is not ``name: type =
                   literal``
    """
    name = getattr(notebook, "name", "the notebook")
    nb = notebook if isinstance(notebook, dict) else jsonl.parse(notebook.read_bytes().decode("utf-8", "replace"), name)
    try:
        cells = [cell["source"] for cell in nb["cells"] if "parameters" in cell["metadata"].get("tags", [])]
        cells = ["".join(source) for source in cells]  # in a file it is a list of lines
    except (KeyError, TypeError, AttributeError):
        raise ValueError(f"{name} is not a notebook of cells with their sources") from None
    if len(cells) != 1:
        raise ValueError(f"{name} has {len(cells)} cells tagged `parameters`; it needs one")
    try:
        return from_source(cells[0])
    except ValueError as error:
        raise ValueError(f"{name}, parameters cell: {error}") from None


def from_source(source: str) -> dict[str, Parameter]:
    """Parameters by name from the source of a parameters cell; ValueError for what is not ``name: type = literal``.

    >>> from_source("rows: int = 8  # of the board")
    {'rows': Parameter(type='int', default=8)}
    """
    if not _storable(source):
        raise ValueError("the source has a null character, or characters that are not Unicode")
    try:
        return _from_statements(ast.parse(source).body)
    except SyntaxError as error:
        what = _LONG if "digits" in error.msg else error.msg
        raise ValueError(f"line {error.lineno}: {what}") from None
    except (RecursionError, MemoryError):
        raise ValueError("the source is nested too deeply for a list of parameters") from None


def _from_statements(body):
    found = {}
    for line in body:
        try:
            text = shown(ast.unparse(line))
        except ValueError:  # a long number that was hexadecimal
            raise ValueError(f"line {line.lineno}: {_LONG}") from None
        if not (isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value):
            raise ValueError(f"{text} is not of the form name: type = literal")
        kind = ast.unparse(line.annotation)
        if kind not in TYPES:
            raise ValueError(f"{text}: the type must be one of {TYPES}")
        try:
            default = ast.literal_eval(line.value)
        except (ValueError, TypeError):  # {[]: 1} is the latter
            raise ValueError(
                f"{text}: the default must be a literal, since derived values are not recomputed"
            ) from None
        if not _fits(kind, default):
            raise ValueError(f"{text}: the default is not {kind}")
        found[line.target.id] = Parameter(kind, default)
    return found


def check(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of ``values``, or ValueError naming the unknown parameter or the value of a wrong type."""
    for key, value in values.items():
        _require(known, key)
        if not _fits(known[key].type, value):
            raise ValueError(f"parameter {key} must be {known[key].type}, not {shown(value)}")
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _storable(text):
                raise ValueError(f"parameter {key}: {shown(text)} has a null character, or is not Unicode")
    return dict(values)


def parse(known: Mapping[str, Parameter], key: str, text: str) -> Value:
    """The value of a parameter from the text of a command line, by its declared type.

    >>> parse({"sizes": Parameter("list[int]", [4])}, "sizes", "8,10")
    [8, 10]
    """
    _require(known, key)
    kind = known[key].type
    try:
        if kind.startswith("list"):
            if text.strip().startswith("["):
                return json.loads(text)
            return [_scalar(kind[5:-1], item.strip()) for item in text.split(",")] if text.strip() else []
        return _scalar(kind, text)
    except (ValueError, RecursionError):
        raise ValueError(f"parameter {key} must be {kind}, not {shown(text)}") from None


def to_text(value: Value) -> str:
    """A value as `parse` reads it.

    >>> to_text(True), to_text([8, 10])
    ('true', '8,10')
    """
    if isinstance(value, list):
        plain = value and all(re.fullmatch(r"[^\s,\[]([^,]*[^\s,])?", to_text(item)) for item in value)
        return ",".join(to_text(item) for item in value) if plain else json.dumps(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _storable(text):
    """Whether a text can be part of a file, a notebook and an environment."""
    return not re.search("[\0\ud800-\udfff]", text)


def _require(known, key):
    if key not in known:
        raise ValueError(f"unknown parameter {shown(key)}; choose from {list(known)}")


def _scalar(kind, text):
    if kind == "bool":
        if text.lower() not in ("true", "false"):
            raise ValueError(text)
        return text.lower() == "true"
    return SCALARS[kind](text)


def _fits(kind, value):
    if kind.startswith("list"):
        return isinstance(value, list) and all(_fits(kind[5:-1], item) for item in value)
    if isinstance(value, bool) or kind == "bool":
        return isinstance(value, bool) and kind == "bool"
    return isinstance(value, (int, float) if kind == "float" else SCALARS[kind])
