"""reports/data.html: every stored table for people, made from data/datapackage.json and the reports that use it.

Not here: what columns mean (lab/columns.py), what the page looks like (page/data.html.j2).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from .. import GENRES
from ..lab import catalogue, columns, datapackage, tables
from ..machinery import files
from . import page
from .page import tables as fit

NAME = "data.html"
FOLDERS = {"overview": "All genres", "sequences": "Sequences", datapackage.PUBLISHED: "Published by others"}


def text(reports: Sequence[Mapping[str, Any]]) -> str:
    """The page as HTML.

    Parameters
    ----------
    reports : list of dict     what each report tells of itself: name, question, tables

    Returns
    -------
    str                        tables whose files are gone are left out
    """
    entries: dict[str, dict[str, Any]] = {}
    for name, known in datapackage.read(tables.folder()).items():
        if (tables.folder() / f"{name}.csv").exists():
            _add(entries.setdefault(known.table, _entry(known.table)), name, known)
    for entry in entries.values():
        entry["files"].sort(key=lambda file: (len(file["name"]), file["name"]))
        names = {f"{file['name']}.csv" for file in entry["files"]}
        entry["reports"] = [report for report in reports if names & set(report["tables"])]
        questions = [report["question"] for report in entry["reports"]]
        entry["question"] = next((question for question in questions if question.endswith("?")), "")
    sections = [
        {"heading": heading, "entries": [entry for table, entry in entries.items() if table.split("/")[0] == folder]}
        for folder, heading in _folders(entries).items()
    ]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(page.FOLDER), autoescape=True)
    style = jinja2.utils.markupsafe.Markup((page.FOLDER / "style.css").read_text("utf-8"))
    shown = [section for section in sections if section["entries"]]
    return fit.fitted(environment.get_template("data.html.j2").render(sections=shown, style=style)) + "\n"


def _folders(entries):
    """The folders of data/ in the order of the page, those of nobody's knowledge last."""
    known = {"overview": FOLDERS["overview"], **{genre: genre.capitalize() for genre in GENRES}, **FOLDERS}
    return known | {folder: folder for table in sorted(entries) if (folder := table.split("/")[0]) not in known}


def _entry(table):
    known = catalogue.TABLES.get(table)
    return {"table": table, "title": known.title if known else table, "files": [], "columns": {}}


def _add(entry, name, known):
    """A file of a table; its columns may be of another type than in the files before, or not be there."""
    parameters = ", ".join(f"{key} {_words(value)}" for key, value in known.parameters.items())
    rows = (tables.folder() / f"{name}.csv").read_bytes().count(b"\n") - 1  # no value has a line break
    entry["files"].append({"name": name, "rows": rows, "parameters": parameters, "command": known.command})
    for column, kind in known.types.items():
        meaning = columns.column(column, known.table)
        told = {"unit": meaning.unit if meaning else "", "meaning": meaning.meaning if meaning else "", "types": []}
        types = entry["columns"].setdefault(column, told)["types"]
        types += [] if kind in types else [kind]


def _words(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def write(reports: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """Write the page into the folder of reports."""
    files.write_whole(folder / NAME, text(reports))
