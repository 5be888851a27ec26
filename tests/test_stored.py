"""No number of data/ or reports/ can be edited by hand unnoticed.

Every file is what was published (its digest), every page follows from its executed notebook, every executed notebook of
a default run from the notebook that nbval runs, every long one has the code of today. What the default runs compute is
compared by nbval itself: see conftest.py.
"""

import ast
import copy
import json
import re
import shutil

import nbformat
import pytest
import restate
from checkout import ROOT, stored

from puzzlekit import GENRES
from puzzlekit.lab import digests
from puzzlekit.reports import kernelrun, page, parameters, report

RUNS = {name: run for name, run in report.runs().items() if (ROOT / f"reports/{name}.ipynb").exists()}


def executed(name):
    """The executed notebook of a run and what it says of itself."""
    notebook = nbformat.read(ROOT / f"reports/{name}.ipynb", as_version=4)
    return notebook, notebook.metadata.pop("puzzlekit")


def test_every_stored_file_is_what_was_published():
    assert list(digests.faults(digests.read(ROOT / "data")["files"], stored())) == []


EDITED = [
    "data/usowan/liars_8x8.csv",
    "data/usowan/liars_8x8_boards_10000.csv",
    "data/usowan/both_readings_10x10.csv",
    "data/nawabari/boards_by_people.csv",
    "data/banks/tasquare_8x8.jsonl",
    "data/published/oeis.csv",
    "data/datapackage.json",
    "data/sequences/nawabari_unique_3xn.txt",
    "reports/usowan_liars_8x8.html",
    "reports/nawabari_ladder_10000.html",
    "reports/usowan_space.ipynb",
    "reports/nawabari_ladder_10000.ipynb",
]


@pytest.mark.parametrize("name", EDITED)
def test_a_digit_edited_by_hand_is_noticed(name, tmp_path):
    """The last digit of a file, made another one in a copy of the project's folders."""
    copy = tmp_path / "copy"
    shutil.copy(ROOT / name, copy)
    noted = {name: digests.read(ROOT / "data")["files"][name]}
    assert list(digests.faults(noted, {name: copy})) == []
    text = copy.read_text("utf-8")
    last = list(re.finditer("[0-9]", text))[-1]
    copy.write_text(f"{text[: last.start()]}{(int(last[0]) + 1) % 10}{text[last.end() :]}", "utf-8")
    assert list(digests.faults(noted, {name: copy})) == [f"{name} is not what was published: edited by hand?"]


def test_a_file_that_is_new_or_gone_is_noticed():
    there = stored()
    first, noted = min(there), {name: digests.digest(path) for name, path in there.items()}
    assert list(digests.faults({name: digest for name, digest in noted.items() if name != first}, there)) == [
        f"{first} was not published by puzzlekit"
    ]
    assert list(digests.faults(noted, {name: path for name, path in there.items() if name != first})) == [
        f"{first} was published and is gone"
    ]


def test_every_run_has_a_report_and_every_table_a_run():
    assert set(RUNS) == set(report.runs())
    used = {f"data/{table}" for name in RUNS for table in executed(name)[1]["tables"]}
    held = {name for name in stored() if name.endswith(".csv") and not name.startswith("data/published/")}
    assert used == held


@pytest.mark.parametrize("name", [name for name, run in RUNS.items() if not run.long and not run.parameters])
def test_the_executed_notebook_of_a_default_run_is_the_notebook(name):
    notebook, told = executed(name)
    assert nbformat.writes(notebook) + "\n" == (ROOT / f"notebooks/{RUNS[name].notebook}.ipynb").read_text("utf-8")
    assert told["parameters"] == {}


class _WithoutPlace(ast.NodeTransformer):
    """Code as it is without saying where chunks run, which changes no number."""

    def visit_keyword(self, node):
        return None if node.arg == report.WHERE else self.generic_visit(node)


def measuring(notebook, changed):
    """What a notebook computes: its parameters, and its code cells but for those that are compared by nobody."""
    values = {
        key: known.default for key, known in parameters.declared(notebook).items() if key != report.WHERE
    } | changed
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    tagged = {"parameters", kernelrun.INJECTED, "nbval-ignore-output"}
    return values, [
        ast.unparse(_WithoutPlace().visit(ast.parse(cell.source)))
        for cell in cells
        if not tagged & set(cell.metadata.get("tags", []))
    ]


@pytest.mark.parametrize("name", [name for name, run in RUNS.items() if run.parameters])
def test_a_run_with_other_parameters_has_the_code_of_today(name):
    """Its cells; what they rest on may have changed since, and `puzzlekit report --list` says so."""
    (job,) = report.plan(name)
    notebook, told = executed(name)
    assert measuring(notebook, told["parameters"]) == measuring(nbformat.read(job.notebook, as_version=4), job.changed)


def both(name):
    """The executed notebook of a run as it is stored, and the notebook of today."""
    return tuple(
        nbformat.read(ROOT / path, as_version=4)
        for path in (f"reports/{name}.ipynb", f"notebooks/{RUNS[name].notebook}.ipynb")
    )


@pytest.mark.parametrize("name", RUNS)
def test_an_executed_notebook_has_the_words_of_today(name):
    """Markdown, title and question: else `python tests/restate.py`."""
    stored_one, today = both(name)
    assert restate.restated(stored_one, today, RUNS[name].question) == stored_one


def test_new_words_leave_what_was_computed_alone():
    stored_one, today = both("usowan_liars_8x8")
    today.cells[0].source = "# Another title\n\nOther words."
    told = restate.restated(stored_one, today, "What?")
    assert told.cells[0].source == today.cells[0].source
    assert (told.metadata.puzzlekit["title"], told.metadata.puzzlekit["question"]) == ("Another title", "What?")
    assert restate.measured(told) == restate.measured(stored_one) != stored_one
    counted = copy.deepcopy(told)
    next(cell for cell in counted.cells if cell.get("outputs")).outputs[0]["data"] = {"text/plain": "1"}
    assert restate.measured(counted) != restate.measured(told)
    today.cells[1].source += "\nother = 1"
    with pytest.raises(ValueError, match="its cells are not those of its notebook"):
        restate.restated(stored_one, today, "What?")


@pytest.mark.full
@pytest.mark.parametrize("name", RUNS)
def test_a_page_follows_from_its_executed_notebook(name):
    notebook, told = executed(name)
    assert page.render(notebook, told) == (ROOT / f"reports/{name}.html").read_text("utf-8")


def test_the_front_page_and_those_of_genres_and_data_follow_from_the_reports(monkeypatch):
    """Computed, and written nowhere."""
    written = {}
    monkeypatch.setattr(report.files, "write_whole", lambda path, text: written.update({path.name: text}))
    report.write_index()
    assert set(written) == {"index.html", "data.html", *(f"{genre}.html" for genre in GENRES)}
    for name, text in written.items():
        assert text == (ROOT / "reports" / name).read_text("utf-8"), name


def test_publishing_notes_tables_pages_and_code(tmp_path):
    """And what is noted is told apart: what others publish at the same time stays, a run that nobody keeps adds
    nothing.
    """
    (tmp_path / "a.csv").write_text("1\n")
    digests.note(tmp_path, {"data/a.csv": tmp_path / "a.csv"}, {"run": "code"})
    digests.note(tmp_path, {"data/b.csv": tmp_path / "a.csv"}, {"other": "code"}, known=True)
    noted = json.loads((tmp_path / digests.NAME).read_text())
    assert noted == {"files": {"data/a.csv": digests.digest(tmp_path / "a.csv")}, "runs": {"run": "code"}}
    (tmp_path / "a.csv").write_text("2\n")
    assert list(digests.faults(noted["files"], {"data/a.csv": tmp_path / "a.csv"})) == [
        "data/a.csv is not what was published: edited by hand?"
    ]
    (tmp_path / digests.NAME).write_text("[]")
    with pytest.raises(ValueError, match=r"data/digests.json is not a list of digests"):
        digests.read(tmp_path)
