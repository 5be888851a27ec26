"""The report runner on a small project of its own: planning, running, failing, accepting, pages that load nothing."""

import ast
import json
import os
import re
import sys

import nbformat
import pytest

from puzzlekit.lab import datapackage, digests, tables
from puzzlekit.reports import kernelrun, page, parameters, report

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
ARTICLE = [
    ("md", ("# How many *squares*?\n\nAs many as $n^2$, so\n\n$$\\sum_{i=1}^n (2i - 1) = n^2$$\n\n"
            "See [the other](failing.ipynb).")),
    ("parameters", ("rows: int = 3\nname: str = 'a'\nfast: bool = True\nsizes: list[int] = [1, 2]\n"
                    "share: float = 0.5\nscheduler: str = ''")),
    ("", "import pandas as pd\n\nfrom puzzlekit import charts, tables\n\ncharts.use()"),
    ("", """frame = pd.DataFrame({'n': range(rows), 'square': [n * n + OFFSET for n in range(rows)]})
tables.store('demo/squares', frame, rows=rows)"""),
    ("", """import matplotlib.pyplot as plt
fig, ax = plt.subplots()
_ = ax.plot(frame['n'], frame['square'])
charts.show(fig, 'Squares & <growth>')"""),
    ("", "print(rows, name, fast, sizes, share)"),
]  # fmt: skip
FAILING = [("md", "# Fails"), ("parameters", "rows: int = 1"), ("", "x = 1"), ("", "# divide\n1 / (rows - 1)")]
RUNS = """
- name: squares
  question: How many squares?
- name: failing
- {name: squares_big, notebook: squares, parameters: {rows: 5}, long: true}
"""


def write(path, cells, offset=0):
    made = []
    for i, (kind, source) in enumerate(cells):
        source = source.replace("OFFSET", str(offset))
        cell = nbformat.v4.new_markdown_cell(source) if kind == "md" else nbformat.v4.new_code_cell(source)
        cell["id"] = f"cell-{i}"
        if kind == "parameters":
            cell.metadata["tags"] = ["parameters"]
        made.append(cell)
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as patched:
        yield patched


@pytest.fixture(scope="module")
def project(tmp_path_factory, patch):
    """A project with two notebooks, in the mode a user has."""
    root = tmp_path_factory.mktemp("project")
    for name in ("notebooks", "data"):
        (root / name).mkdir()
    (root / "notebooks/runs.yaml").write_text(RUNS)
    write(root / "notebooks/squares.ipynb", ARTICLE)
    write(root / "notebooks/failing.ipynb", FAILING)
    patch.setattr(report, "ROOT", root)
    patch.setenv("PUZZLEKIT_DATA", str(root / "data"))
    patch.delenv("PUZZLEKIT_TABLES", raising=False)
    return root


@pytest.fixture(scope="module")
def first(project):
    """What went wrong in a run of everything."""
    return report.execute(report.plan())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_everything_runs_and_the_failure_is_named(first):
    assert list(first) == ["failing"]
    assert "notebooks/failing.ipynb, cell [3] (# divide): ZeroDivisionError: division by zero" in first["failing"]


def test_only_what_succeeded_is_kept(project, first):
    assert names(project / "reports") == ["data.html", "index.html", "squares.html", "squares.ipynb"]
    assert names(project / "data/demo") == ["squares_rows_3.csv"]
    assert (project / "data/demo/squares_rows_3.csv").read_text().startswith("n")
    assert datapackage.read(project / "data")["demo/squares_rows_3"].command == "puzzlekit report squares"
    assert not nbformat.read(project / "notebooks/squares.ipynb", 4).cells[-1].outputs


def test_what_is_published_is_noted(project, first):
    """A table that is found equal as well; a run with parameters of its own is nobody's but its user's, and only
    described.
    """
    there = {
        name: project / name
        for name in (
            "data/demo/squares_rows_3.csv",
            "data/datapackage.json",
            "reports/squares.html",
            "reports/squares.ipynb",
        )
    }
    noted = digests.read(project / "data")
    assert list(digests.faults(noted["files"], there)) == [] and list(noted["runs"]) == ["squares"]
    (project / "data" / digests.NAME).unlink()
    (job,) = report.plan("squares")
    assert report.made_by_other_code(job.run)
    assert (
        report.execute([job]) == {}
        and digests.read(project / "data") == noted
        and not report.made_by_other_code(job.run)
    )
    (changed,) = report.plan("squares", [("rows", "2")])
    assert report.execute([changed]) == {} and "demo/squares_rows_2" in datapackage.read(project / "data")
    after = digests.read(project / "data")
    assert list(digests.faults(after["files"], there)) == [] and set(after["files"]) == set(noted["files"])
    assert after["runs"] == noted["runs"]
    for file in (*(project / "reports").glob("squares__*"), project / "data/demo/squares_rows_2.csv"):
        file.unlink()
    report.write_index()


def test_executed_notebook_has_no_traces_of_the_machine(project, first):
    text = (project / "reports/squares.ipynb").read_text()
    notebook = json.loads(text)
    assert set(notebook["metadata"]) == {"kernelspec", "language_info", "puzzlekit"}
    assert "version" not in notebook["metadata"]["language_info"]
    assert all(set(cell["metadata"]) <= {"tags"} for cell in notebook["cells"])
    assert str(project) not in text and notebook["metadata"]["puzzlekit"]["tables"] == ["demo/squares_rows_3.csv"]
    assert notebook["cells"][-1]["outputs"][0]["text"] == ["3 a True [1, 2] 0.5\n"]


def outside(html):
    """Addresses that a browser would load, other than data in the page itself."""
    found = re.findall(r"""<(?:script|link|iframe|object|embed)\b[^>]*>|@import[^;]*""", html)
    found += re.findall(r"""(?:\bsrc|\bsrcset|\bposter|xlink:href)\s*=\s*["']?(?!data:)[^"'\s>]+""", html)
    return found + re.findall(r"""url\(\s*["']?(?!data:|#)[^)]*\)""", html)


def test_pages_load_nothing(project, first):
    for name in ("squares.html", "index.html", "data.html"):
        html = (project / "reports" / name).read_text()
        assert outside(html) == [] and "http" not in html
        assert len(html) < 100_000


def test_page_reads_as_an_article(project, first):
    html = (project / "reports/squares.html").read_text()
    assert "<title>How many squares?</title>" in html
    assert html.count("<math") == 2 and "$" not in html.split("</style>", 1)[1].replace("src=", "")[:2000]
    assert 'alt="Squares &amp; &lt;growth&gt;"' in html
    assert html.count("<details") == html.count("</details>") == 5 and html.count('<details class="code" open') == 1
    assert 'href="index.html"' in html and 'href="../data/demo/squares_rows_3.csv"' in html
    assert 'href="failing.html"' in html and "<table" in html


def test_the_index_lists_reports_by_title(project, first):
    """The files of a report are named on its own page. Without boards and tables there is no story to tell."""
    html = (project / "reports/index.html").read_text()
    assert '<a class="title" href="squares.html">How many squares?</a>' in html and ".csv" not in html
    assert "<script" not in html and 'id="found"' not in html


def test_unchanged_runs_give_the_same_bytes(project, first):
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert report.execute(report.plan("squares")) == {}
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


def test_other_parameters_have_their_own_files(project, first):
    before = (project / "reports/squares.html").read_bytes()
    jobs = report.plan("squares", [("rows", "4"), ("fast", "false"), ("sizes", "7"), ("name", "b c"), ("share", "2")])
    assert jobs[0].command == "puzzlekit report squares -p fast false -p name 'b c' -p rows 4 -p share 2.0 -p sizes 7"
    assert report.execute(jobs) == {}
    name = "squares__fast=false_name=b-c_rows=4_share=2.0_sizes=7"
    assert nbformat.read(project / f"reports/{name}.ipynb", 4).cells[-1].outputs[0].text == "4 b c False [7] 2.0\n"
    assert (project / "reports/squares.html").read_bytes() == before
    assert "Changed parameters" in (project / f"reports/{name}.html").read_text()
    assert names(project / "data/demo") == ["squares_rows_3.csv", "squares_rows_4.csv"]
    index = (project / "reports/index.html").read_text()
    assert f'<p class="also">Also: <a href="{name}.html">5 other parameters</a>.</p>' in index
    for file in (project / "reports").glob(f"{name}.*"):
        file.unlink()
    report.write_index()


def test_where_chunks_run_is_no_part_of_a_run(project, monkeypatch):
    """Neither its name nor its command nor its cells have it: the kernel is told by its environment."""
    (job,) = report.plan("squares", [("rows", "4"), ("scheduler", "processes:3")])
    (plain,) = report.plan("squares", [("rows", "4")])
    assert job == plain._replace(scheduler="processes:3") and "processes" not in job.command + job.name
    with pytest.raises(ValueError, match="unknown scheduler 'nowhere'"):
        report.plan("squares", [("scheduler", "nowhere")])
    seen = []
    monkeypatch.setattr(
        kernelrun, "run", lambda notebook, changed, environment, step: seen.append((changed, environment))
    )
    report.execute([job], scheduler="here")  # what the job says goes first
    ((changed, environment),) = seen
    assert changed == {"rows": 4} and environment["PUZZLEKIT_SCHEDULER"] == "processes:3"


def test_different_numbers_fail_and_leave_everything(project, first):
    kept = {path: path.read_bytes() for folder in ("data", "reports") for path in (project / folder).rglob("*.*")}
    write(project / "notebooks/squares.ipynb", ARTICLE, offset=1)
    failures = report.execute(report.plan("squares"))
    assert "row 0 (n 0): square: stored 0, new 1" in failures["squares"] and "--accept" in failures["squares"]
    assert {path: path.read_bytes() for path in kept} == kept
    assert report.execute(report.plan("squares"), accept=True) == {}
    assert tables.load("demo/squares", rows=3)["square"].tolist() == [1, 2, 5]
    own = nbformat.read(project / "notebooks/squares.ipynb", 4)
    assert own.cells[-1].outputs and "puzzlekit" not in own.metadata and own.cells[0].id == "cell-0"
    write(project / "notebooks/squares.ipynb", ARTICLE)
    assert report.execute(report.plan("squares"), accept=True) == {}


def test_long_runs_only_when_asked(project):
    assert [job.name for job in report.plan()] == ["squares", "failing"]
    (job,) = report.plan(long=True)
    assert job.name == "squares_big" and job.changed == {"rows": 5} and job.command == "puzzlekit report squares_big"
    (job,) = report.plan("squares_big", [("rows", "3")])
    assert job.name == "squares_big__rows=3" and job.changed == {}
    assert report.plan("squares", [("rows", "3")])[0].name == "squares"


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("circles", [], "unknown run 'circles'; `puzzlekit report --list` names them all"),
        ("squares", [("cols", "3")], "unknown parameter 'cols'; choose from ['rows', 'name'"),
        ("squares", [("rows", "three")], "parameter rows must be int, not 'three'"),
        ("squares", [("rows", "3.5")], "parameter rows must be int"),
        ("squares", [("fast", "1")], "parameter fast must be bool"),
        ("squares", [("sizes", "[1.5]")], "parameter sizes must be list[int]"),
        ("squares", [("sizes", "1,x")], "parameter sizes must be list[int]"),
        (None, [("rows", "3")], "need the name of a run"),
    ],
)
def test_bad_requests_are_refused_before_anything_runs(project, name, given, words):
    with pytest.raises(ValueError) as error:
        report.plan(name, given)
    assert words in str(error.value)


@pytest.mark.parametrize("text", ["../x", "https://puzz.link/p?usoone/2/2/00bg", "1 .\n. 2", "a" * 5000, "é", "", "|"])
def test_any_text_makes_a_file_name_of_its_own(project, text):
    (job,) = report.plan("squares", [("name", text)])
    assert re.fullmatch(r"squares(__name=[A-Za-z0-9_.+-]*)?", job.name) and len(job.name) < 80
    (other,) = report.plan("squares", [("name", f"{text}!")])
    assert other.name != job.name


@pytest.mark.parametrize(
    "text, words",
    [
        ("- {name: squares, notebok: x}", "notebok"),
        ("- {name: squares, long: 'yes'}", "long"),
        ("- {name: circles}", "no notebooks/circles.ipynb"),
        ("- {name: squares, question: why?}", "line 1"),
        ("name: squares", "must be a list"),
        ("- {name: squares}\n- {name: squares}", "two entries"),
        ("- {notebook: squares}", "needs a name"),
        ("- {name: squares, parameters: {rows: x}}", "runs.yaml, squares: parameter rows must be int"),
        ("- {name: squares, parameters: {cols: 1}}", "unknown parameter 'cols'"),
    ],
)
def test_bad_entries_in_runs_yaml(project, text, words):
    file = project / "notebooks/runs.yaml"
    file.write_text(text)
    try:
        with pytest.raises(ValueError, match=re.escape(words)):
            report.plan()
    finally:
        file.write_text(RUNS)


@pytest.mark.parametrize(
    "source, words",
    [
        ("rows = 3", "name: type = literal"),
        ("rows: int", "name: type = literal"),
        ("rows: int = 2 + x", "literal"),
        ("rows: int = 2.5", "the default is not int"),
        ("rows: bool = 1", "the default is not bool"),
        ("rows: complex = 1", "type must be one of"),
        ("rows: int = ", "invalid syntax"),
    ],
)
def test_parameters_cells_that_are_refused(source, words):
    with pytest.raises(ValueError, match=words):
        parameters.from_source(source)


@pytest.mark.parametrize(
    "kind, value",
    [
        ("int", -3),
        ("bool", True),
        ("list[str]", ["a,b", "c"]),
        ("list[int]", []),
        ("list[bool]", [True]),
        ("list[str]", [""]),
        ("list[str]", ["[a"]),
        ("list[str]", ["a ", "b"]),
    ],
)
def test_values_as_text_and_back(kind, value):
    known = {"p": parameters.Parameter(kind, value)}
    assert parameters.parse(known, "p", parameters.to_text(value)) == value


def test_another_package_of_the_same_import_name_is_named(monkeypatch):
    owners = {"puzzlekit": ["pencil-puzzlekit", "puzzlekit"]}
    monkeypatch.setattr(report.importlib.metadata, "packages_distributions", lambda: owners)
    with pytest.raises(ImportError, match=r"\['puzzlekit'\]"):
        report.check_import()


def test_a_run_without_errors_reports_none(project, tmp_path, capfd):
    """A kernel that is shut down after its last cell says nothing of an interruption; it did now and then, hence
    several runs.
    """
    write(tmp_path / "n.ipynb", [("", "1")])
    for _ in range(4):
        kernelrun.run(tmp_path / "n.ipynb", {}, dict(os.environ), lambda: None)
    assert capfd.readouterr().err == ""


def test_kernels_are_this_python(project, tmp_path):
    write(
        tmp_path / "n.ipynb", [("", "import sys\nprint(sys.executable)"), ("", "import os\nprint(os.environ['MARK'])")]
    )
    steps = []
    executed = kernelrun.run(tmp_path / "n.ipynb", {}, {**os.environ, "MARK": "here"}, lambda: steps.append(1))
    assert [cell.outputs[0].text for cell in executed.cells] == [f"{sys.executable}\n", "here\n"]
    assert len(steps) == 2


def test_png_alternative_text_and_formulas_that_cannot_be_read():
    output = nbformat.v4.new_output("display_data", {"image/png": PIXEL}, metadata={"image/png": {"alt": "one dot"}})
    bare = nbformat.v4.new_output("display_data", {"image/png": PIXEL})
    titled = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg><title>a &lt; b</title></svg>"})
    cell = nbformat.v4.new_code_cell("x", outputs=[output, bare, titled])
    html = page.render(
        nbformat.v4.new_notebook(cells=[cell, nbformat.v4.new_markdown_cell(r"$\frac{$ and $a < b$")]),
        {"name": "x", "title": "x < y", "command": "c", "tables": []},
    )
    assert 'alt="one dot"' in html and f'alt="{page.NO_ALT}"' in html and 'alt="a &lt; b"' in html
    assert "<title>x &lt; y</title>" in html


def test_the_sample_article_is_python():
    for kind, source in ARTICLE:
        if kind != "md":
            ast.parse(source)


def test_what_is_printed_is_stored_in_one_piece():
    """However many messages it came in; standard output and errors apart."""

    def stream(text, name="stdout"):
        return nbformat.v4.new_output("stream", text=text, name=name)

    shown = nbformat.v4.new_output("display_data", data={"text/plain": "x"})
    outputs = [stream("a\n"), stream("b\n"), stream("c\n", "stderr"), shown, stream("d\n"), stream("e\n")]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=outputs)])
    cleaned = kernelrun.clean(notebook).cells[0].outputs
    assert [output.get("text") for output in cleaned] == ["a\nb\n", "c\n", None, "d\ne\n"]
