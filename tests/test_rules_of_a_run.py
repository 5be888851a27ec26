"""What a run may write and what it must refuse: notebooks that no kernel executes, chunks that no worker finishes."""

import nbformat
import pandas as pd
import pytest

from puzzlekit.jobs import chunks, workers
from puzzlekit.lab import tables
from puzzlekit.reports import kernelrun, report

CELLS = [("# How many?", None), ("rows: int = 3", ["parameters"]), ("rows", None)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one notebook, in the mode a user has; its kernel is a function that gives an output."""
    for name in ("notebooks", "data", "reports"):
        (tmp_path / name).mkdir()
    (tmp_path / "notebooks/runs.yaml").write_text(
        "- name: squares\n- {name: squares_big, notebook: squares, parameters: {rows: 5}}\n"
    )
    text, *code = CELLS
    cells = [nbformat.v4.new_markdown_cell(text[0], id="text")]
    cells += [
        nbformat.v4.new_code_cell(source, id=f"cell-{i}", metadata={"tags": tags or []})
        for i, (source, tags) in enumerate(code)
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "notebooks/squares.ipynb")
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PUZZLEKIT_TABLES", raising=False)
    monkeypatch.setattr(kernelrun, "run", executed)
    return tmp_path


def executed(notebook, changed, environment, advance):
    """The notebook as a kernel would give it back, with one output."""
    found = nbformat.read(notebook, 4)
    found.cells[-1].outputs = [nbformat.v4.new_output("stream", text=f"{changed.get('rows', 3)}\n")]
    return found


def outputs(file):
    return [output.text for output in nbformat.read(file, 4).cells[-1].outputs]


@pytest.mark.parametrize(
    "name, given, changed", [("squares", [("rows", "4")], "squares__rows=4"), ("squares_big", [], "squares_big")]
)
def test_accepting_other_parameters_leaves_the_notebook_as_it_is(project, name, given, changed):
    notebook = project / "notebooks/squares.ipynb"
    before = notebook.read_bytes()
    assert report.execute(report.plan(name, given), accept=True) == {}
    assert notebook.read_bytes() == before
    assert outputs(project / f"reports/{changed}.ipynb") in (["4\n"], ["5\n"])


def test_accepting_refreshes_the_notebook_and_nothing_else_does(project):
    notebook = project / "notebooks/squares.ipynb"
    assert report.execute(report.plan("squares")) == {}
    assert outputs(notebook) == []
    assert report.execute(report.plan("squares"), accept=True) == {}
    assert outputs(notebook) == outputs(project / "reports/squares.ipynb") == ["3\n"]


def storing(project):
    """A kernel that stages a table while somebody else stores another one of its name."""

    def run(notebook, changed, environment, advance):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PUZZLEKIT_STAGING", environment["PUZZLEKIT_STAGING"])
            tables.store("squares", pd.DataFrame({"n": [1, 2]}))
        tables.store("squares", pd.DataFrame({"n": [1, 3]}))
        return executed(notebook, changed, environment, advance)

    return run


def test_a_report_never_replaces_a_table_that_another_run_has_stored(project, monkeypatch):
    monkeypatch.setattr(kernelrun, "run", storing(project))
    failures = report.execute(report.plan("squares"))
    assert (
        "data/squares.csv was stored by another run meanwhile" in failures["squares"]
        and "stored 3, new 2" in failures["squares"]
    )
    assert tables.load("squares")["n"].tolist() == [1, 3]
    assert sorted(path.name for path in (project / "reports").iterdir()) == ["data.html", "index.html"]


def test_an_accepted_report_does(project, monkeypatch):
    monkeypatch.setattr(kernelrun, "run", storing(project))
    assert report.execute(report.plan("squares"), accept=True) == {}
    assert tables.load("squares")["n"].tolist() == [1, 2]


def test_nothing_runs_beside_another_package_of_the_same_name(project, monkeypatch):
    owners = {"puzzlekit": ["pencil-puzzlekit", "puzzlekit"]}
    monkeypatch.setattr(report.importlib.metadata, "packages_distributions", lambda: owners)
    with pytest.raises(ImportError, match=r"also taken here by the package \['puzzlekit'\]"):
        report.execute(report.plan("squares"))
    assert list((project / "reports").iterdir()) == []


@pytest.mark.parametrize("column, other", [([1, 2], ["1", "2"]), (["True", "False"], [True, False])])
def test_the_same_digits_of_another_type_are_another_table(project, column, other):
    tables.store("t", pd.DataFrame({"n": column}, dtype=object))
    with pytest.raises(tables.TableDiffers, match="column types differ"):
        tables.store("t", pd.DataFrame({"n": other}, dtype=object))


@pytest.mark.parametrize("order", [(3, 1, 2), (1, 2, 3), (3, 2, 1)])
def test_the_first_chunk_that_failed_is_named_in_whatever_order_they_end(monkeypatch, order):
    ended = [(0, 7, None), *((index, None, ValueError(f"number {index}")) for index in order)]
    monkeypatch.setattr(workers, "run_on", lambda *arguments: (one for one in ended))
    with pytest.raises(chunks.ChunkFailed, match=r'^chunks: chunk 1 of 4, {"n": 1}: ValueError: number 1$') as error:
        chunks.run(workers.plain, [{"n": n} for n in range(4)])
    assert str(error.value.__cause__) == "number 1"
