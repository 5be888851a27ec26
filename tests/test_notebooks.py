"""Stored notebooks are executed, clean and listed. nbval compares outputs, but would pass a notebook that has none."""

import ast
import inspect
from pathlib import Path

import nbformat
import pytest

from puzzlekit.jobs import chunks
from puzzlekit.lab import comparison, measure, sequences
from puzzlekit.reports import kernelrun, parameters, report

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
EXECUTED = [*NOTEBOOKS, *sorted((FOLDER.parent / "reports").glob("*.ipynb"))]


def faults(notebook):
    """What is wrong with a stored notebook, in words."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if not notebook.cells or notebook.cells[0].cell_type != "markdown" or not notebook.cells[0].source.startswith("# "):
        yield "it does not start with a title"
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        yield "its cells were not executed once each, in order: execution counts are not 1, 2, 3, ..."
    if not any(cell.outputs for cell in code):
        yield "it has no outputs"
    if any(output.output_type == "error" for cell in code for output in cell.outputs):
        yield "it has an error among its outputs"
    try:
        parameters.declared(notebook)
    except ValueError as error:
        yield str(error)
    if nbformat.writes(kernelrun.clean(notebook)) != nbformat.writes(notebook):
        yield "it has traces of the machine: store it by `puzzlekit report NAME --accept`"


def stored(path):
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.pop("puzzlekit", None)  # of a report: its name, question and tables
    return notebook


@pytest.mark.parametrize("path", EXECUTED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_stored_notebook(path):
    assert list(faults(stored(path))) == []


def test_every_notebook_has_a_run_with_its_default_parameters_and_every_run_a_notebook():
    jobs = report.plan() + report.plan(long=True)  # refuses runs without a notebook, and parameters that do not fit
    plain = {job.run.notebook for job in jobs if not job.changed and not job.run.long}
    assert {path.stem for path in NOTEBOOKS} == plain


def test_every_run_has_a_question():
    assert [run.name for run in report.runs().values() if not run.question] == []


ASKING = {"chunks": chunks, "measure": measure, "comparison": comparison, "sequences": sequences}


def asking(notebook):
    """Calls, or partials, in a notebook of library functions that can be told where to run."""
    for cell in notebook.cells:
        for node in ast.walk(ast.parse(cell.source if cell.cell_type == "code" else "")):
            called = getattr(node, "func", None)
            if isinstance(called, ast.Name) and called.id == "partial":
                called = node.args[0]
            if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
                function = getattr(ASKING.get(called.value.id), called.attr, None)
                if callable(function) and "scheduler" in inspect.signature(function).parameters:
                    yield node


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_that_measure_in_chunks_can_be_told_where(path):
    notebook = nbformat.read(path, as_version=4)
    calls = list(asking(notebook))
    handed = [ast.unparse(word.value) for call in calls for word in call.keywords if word.arg == "scheduler"]
    assert handed == ["scheduler"] * len(calls)
    declared = parameters.declared(notebook).get(report.WHERE)
    assert declared == (parameters.Parameter("str", "") if calls else None)


def sample():
    cells = [
        nbformat.v4.new_markdown_cell("# One?"),
        nbformat.v4.new_code_cell("n: int = 1", execution_count=1, metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell("n", execution_count=2, outputs=[nbformat.v4.new_output("stream", text="1\n")]),
    ]
    return kernelrun.clean(nbformat.v4.new_notebook(cells=cells))


def test_a_sound_notebook_passes():
    assert list(faults(sample())) == []


def strip(notebook):
    for cell in notebook.cells[1:]:
        cell.outputs, cell.execution_count = [], None


def fail(notebook):
    notebook.cells[2].outputs.append(nbformat.v4.new_output("error", ename="E", evalue="", traceback=[]))


SPOILERS = {
    "no outputs": lambda nb: nb.cells[2].update(outputs=[]),
    "not 1, 2, 3": lambda nb: nb.cells[2].update(execution_count=7),
    "no outputs ": strip,
    "error": fail,
    "tagged `parameters`": lambda nb: nb.cells[1].metadata.pop("tags"),
    "name: type = literal": lambda nb: nb.cells[1].update(source="n = 1"),
    "title": lambda nb: nb.cells.pop(0),
    "traces": lambda nb: nb.metadata.update(papermill={"duration": 1.5}),
    "traces of": lambda nb: nb.cells[2].metadata.update(execution={"iopub.execute_input": "2024"}),
    "traces of the": lambda nb: nb.metadata.update(widgets={}),
    "traces of the machine": lambda nb: nb.metadata.update(language_info={"version": "3.11.7"}),
}


@pytest.mark.parametrize("words", SPOILERS)
def test_a_spoiled_notebook_is_refused(words):
    notebook = sample()
    SPOILERS[words](notebook)
    assert any(words.strip() in fault for fault in faults(notebook))
