"""The command line: help with examples, exit codes, one clear line for bad input."""

import subprocess
import sys

import nbformat
import pytest
from click.testing import CliRunner

from puzzlekit import report
from puzzlekit.__main__ import main

URL = "https://puzz.link/p?usoone/2/2/00bg"  # one number, which therefore lies
COMMANDS = [["report"], ["solve"], ["count"], ["bank", "make"], ["bank", "verify"]]


def run(*words):
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with a run that succeeds and one that fails."""
    for name in ("notebooks", "data"):
        (tmp_path / name).mkdir()
    for name, line in (("good", "print(n)"), ("bad", "1 / 0")):
        cells = [
            nbformat.v4.new_code_cell("n: int = 1", metadata={"tags": ["parameters"]}),
            nbformat.v4.new_code_cell(line),
        ]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"notebooks/{name}.ipynb")
    (tmp_path / "notebooks/runs.yaml").write_text("- {name: good, question: Good}\n- {name: bad, long: true}\n")
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PUZZLEKIT_TABLES", raising=False)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_shows_an_example(command):
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert f"puzzlekit {' '.join(command)}" in result.output.split("Example", 1)[1]


def test_python_dash_m():
    result = subprocess.run([sys.executable, "-m", "puzzlekit", "--help"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Usage: puzzlekit ")


def test_count_and_solve():
    result = run("count", "usowan", "4", "4")
    assert (result.exit_code, result.output) == (0, "562\n")
    result = run("solve", URL, "--limit", "9")
    assert result.exit_code == 0 and result.output.rstrip().endswith(("answers", "answer"))


@pytest.mark.parametrize(
    "words, message",
    [
        (["count", "nurikabe", "4", "4"], "unknown genre 'nurikabe'"),
        (["count", "usowan", "0", "4"], "rows must be a whole number of at least 1"),
        (["count", "usowan", "four", "4"], "'four' is not a valid integer"),
        (["bank", "make", "nurikabe", "4", "4"], "unknown genre"),
        (["solve", "https://puzz.link/p?usoone/2"], ""),
        (["report", "nothing"], "unknown run 'nothing'"),
        (["report", "good", "-p", "m", "1"], "unknown parameter 'm'"),
        (["report", "good", "-p", "n", "x"], "parameter n must be int, not 'x'"),
        (["report", "-p", "n", "2"], "need the name of a run"),
        (["report", "--workers", "0"], "workers"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(project, words, message):
    result = run(*words)
    assert result.exit_code == 2
    last = result.output.rstrip().split("\n")[-1]
    assert last.startswith("Error: ") and message in last and "Traceback" not in result.output


def test_list_runs_nothing(project):
    result = run("report", "--list")
    assert result.output == "good: Good\n    -p n 1    (int)\nbad (long): \n    -p n 1    (int)\n"
    assert not (project / "reports").exists()


def test_reports_end_with_the_right_exit_code(project):
    result = run("report")
    assert result.exit_code == 0 and "1 of 1 runs succeeded; open reports/index.html" in result.output
    result = run("report", "--long")
    assert result.exit_code == 1
    assert "FAILED bad: notebooks/bad.ipynb, cell [2] (1 / 0): ZeroDivisionError" in result.output
    assert (project / "reports/good.html").exists() and not (project / "reports/bad.html").exists()


def test_without_a_checkout(project):
    (project / "notebooks/runs.yaml").unlink()
    result = run("report")
    assert result.exit_code == 1 and "not from a wheel" in result.output
