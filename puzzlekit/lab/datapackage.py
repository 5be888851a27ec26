"""data/datapackage.json: what every stored table is, as a Data Package (https://datapackage.org) that others can read.

Of each table it keeps what nobody else knows: its parameters, the command that made it and the types of its columns.
Titles and meanings are put beside them from catalogue.py and columns.py whenever the file is written, so they are
always those of the code that wrote it.

Not here: the numbers (tables.py), and whether a file is what was published (digests.py).
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..boards import jsonl, shown
from ..machinery import files
from . import catalogue, columns

NAME = "datapackage.json"
PUBLISHED = "published"  # folder of the tables that people copy from articles
TYPES = {"int": "integer", "bool": "boolean", "decimal": "number", "fraction": "string", "text": "string"}
TITLE = "Pencil puzzles, counted and measured: Usowan, Tasquare, Nawabari"


class Described(NamedTuple):
    """What is known of a stored table besides its cells."""

    table: str  # what it measures, like "usowan/rungs"
    parameters: Mapping[str, Any]  # of the measurement
    types: Mapping[str, str]  # of each column, in order: a key of TYPES
    command: str = ""  # that made it


def read(folder: Path) -> dict[str, Described]:
    """The tables of a data folder by name, like "usowan/rungs_boards_10000"; empty where none is described.

    Raises
    ------
    ValueError     when the file is no such package
    """
    file = Path(folder) / NAME
    if not file.exists():
        return {}
    lines = files.read_lines(file, f"data/{NAME}")
    try:
        found = jsonl.parse("\n".join(lines), "the file")
        resources = found.get("resources")
        if not isinstance(resources, list):
            raise ValueError("resources: a list is missing")
        return {_name(resource): _described(resource) for resource in resources}
    except ValueError as error:
        raise ValueError(f"data/{NAME} does not describe tables: {error}") from None


def note(folder: Path, tables: Mapping[str, Described], gone: Iterable[str] = ()) -> None:
    """Describe tables beside those that are described already; nobody else writes meanwhile.

    Parameters
    ----------
    folder : Path       the data folder
    tables : dict       name to what is known of it
    gone : names        tables to be forgotten
    """
    with files.alone(folder):
        known = read(folder)
        for name in gone:
            known.pop(name, None)
        text = to_text(known | dict(tables))
        file = Path(folder) / NAME
        if not file.exists() or file.read_bytes() != text.encode():
            files.write_whole(file, text)


def to_text(tables: Mapping[str, Described]) -> str:
    """The package as JSON, a line for each thing that it says, so that Git joins what two branches have stored."""
    package = {
        "profile": "tabular-data-package",
        "name": "pencil-puzzlekit",
        "title": TITLE,
        "licenses": [{"name": "MIT"}],
        "resources": [_resource(name, tables[name]) for name in sorted(tables)],
    }
    return json.dumps(package, indent=0, ensure_ascii=False) + "\n"


def _resource(name, described):
    genre = described.table.partition("/")[0]
    made = {"command": described.command} if described.command else {}
    return {
        "name": name,
        "path": f"{name}.csv",
        "profile": "tabular-data-resource",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "title": catalogue.title(described.table),
        "table": described.table,
        "parameters": dict(described.parameters),
        **made,
        **({"description": "Copied by hand from the source named in each row"} if genre == PUBLISHED else {}),
        "schema": {
            "fields": [_field(column, kind, described.table) for column, kind in described.types.items()],
            "missingValues": [""],
        },
    }


def _field(name, kind, table):
    field = {"name": name, "type": TYPES[kind]}
    if kind == "bool":
        field |= {"trueValues": ["True"], "falseValues": ["False"]}
    if kind == "fraction":
        field["kind"] = kind
    known = columns.column(name, table)
    if known:
        field |= {"title": known.title, "description": known.meaning}
        if known.unit:
            field["unit"] = known.unit
    return field


def _described(resource):
    schema = resource.get("schema") if isinstance(resource, dict) else None
    fields = schema.get("fields") if isinstance(schema, dict) else None
    if not isinstance(fields, list):
        raise ValueError(f"schema: fields are missing in {shown(resource)}")
    parameters = resource.get("parameters")
    if not isinstance(parameters, dict):
        raise ValueError(f"parameters of {shown(resource['name'])}: {shown(parameters)}")
    command = resource.get("command", "")
    if not isinstance(command, str):
        raise ValueError(f"command of {shown(resource['name'])}: {shown(command)}")
    types = {_text(field, "name"): _kind(field) for field in fields}
    if len(types) < len(fields) or not types:
        raise ValueError(f"columns of {shown(resource['name'])} have to be different, and at least one")
    return Described(_text(resource, "table"), parameters, types, command)


def _name(resource):
    name = _text(resource, "name")
    if not re.fullmatch("[a-z0-9_][a-z0-9_.-]*(/[a-z0-9_][a-z0-9_.-]*)*", name):  # it is a path below data/
        raise ValueError(f"name: {shown(name)} is not of lower-case words, digits and _ . - with / between")
    return name


def _kind(field):
    kinds = [kind for kind, name in TYPES.items() if name == field.get("type")]
    kind = field.get("kind", kinds[-1] if kinds else None)
    if not isinstance(kind, str) or kind not in kinds:
        raise ValueError(f"{shown(field.get('type'))} is no type of a column; types are {sorted(set(TYPES.values()))}")
    return kind


def _text(record, key):
    value = record.get(key) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise ValueError(f"{key}: a text is missing in {shown(record)}")
    return value
