"""The command line: help with examples, exit codes, one clear line for bad input."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from puzzlekit import read, usowan
from puzzlekit.cli.main import main
from puzzlekit.lab import analysis
from puzzlekit.reports import report

URL = "https://puzz.link/p?usoone/2/2/00bg"  # one number, which therefore lies
COMMANDS = [[name] for name in ("solve", "explain", "count", "analyse", "make", "draw", "report")] + [
    ["bank", "make"],
    ["bank", "verify"],
]
WIDE = "usoone/4/4/000000bs"
FILE = "pzprv3/usoone/2/2/1/0 0 /0 0 /1 . /. . /. + /. . /"
BANKED = "https://puzz.link/p?usoone/6/6/ddd551007o1ug0a28315ag35dgb3ei7a"


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
    assert len(command) > 1 or command == ["report"] or "Exit codes:" in result.output


def test_python_dash_m():
    result = subprocess.run([sys.executable, "-m", "puzzlekit", "--help"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Usage: puzzlekit ")


def test_count():
    for words, number in (
        (["usowan", "4", "4"], 562),
        (["usoone", "4", "4"], 562),
        ([URL], 2),
        ([URL, "--reading", "all honest"], 2),
    ):
        result = run("count", *words)
        assert (result.exit_code, result.output) == (0, f"{number}\n")
        record = json.loads(run("count", *words, "--json").output)
        assert record["answers"] == number and (record.get("rows") or len(record["board"]["clues"])) in (2, 4)


def test_solve(tmp_path):
    result = run("solve", URL, "--limit", "9", "--svg", str(tmp_path / "board.svg"))
    assert result.exit_code == 0
    assert sorted(result.output.strip().split("\n\n")) == ["1 .\n. #", "1 .\n. .", "2 answers"]
    assert (tmp_path / "board.svg").read_text().count("<title>") == 1
    record = json.loads(run("solve", URL, "--json").output)
    assert sorted(record["answers"]) == [[[0, 0], [0, 0]], [[0, 0], [0, 1]]] and record["unique"] is False
    (tmp_path / "board.txt").write_text("1 .\n. .\n")
    assert run("solve", str(tmp_path / "board.txt"), "--genre", "usowan").output.endswith("at least 2 answers\n")


def test_explain_and_hint(tmp_path):
    result = run("explain", URL)
    assert result.exit_code == 0 and result.output.startswith("1. cell: ")
    record = json.loads(run("explain", URL, "--json", "--top", "count").output)
    assert {step["rung"] for step in record["steps"]} == {"cell"} and record["finished"] is False
    run("explain", URL, "--pictures", str(tmp_path / "steps"))
    drawn = sorted(path.name for path in (tmp_path / "steps").iterdir())
    assert drawn[0] == "001.svg" and len(drawn) == len(json.loads(run("explain", URL, "--json").output)["steps"])
    result = run("explain", BANKED).output.splitlines()
    assert result[0] == "The moments that matter most:" and result[1].startswith("  ") and result[4] == "Step by step:"
    assert any(line.startswith("2-") for line in result) and result[-1].startswith("hard: ")
    result = run("explain", FILE, "--hint")
    assert result.exit_code == 0 and "R2C1" in result.output and len(result.output.splitlines()) == 1
    assert json.loads(run("explain", FILE, "--hint", "--json").output)["kind"] == "step"
    assert json.loads(run("explain", FILE.replace(". + ", ". 1 "), "--hint", "--json").output)["kind"] == "mistake"


def test_analyse(tmp_path):
    result = run("analyse", URL)
    assert result.exit_code == 0 and result.output.startswith("usowan, 2 x 2, 1 number: exactly 2 answers\n")
    (tmp_path / "boards.txt").write_text(f"{URL}\nusoone/2/1/0b\n")
    result = run("analyse", str(tmp_path / "boards.txt"))
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 3 and "exactly 2 answers" in result.stdout
    assert result.stderr == "2 boards\n"
    records = json.loads(run("analyse", str(tmp_path / "boards.txt"), "--json").stdout)
    assert [record["answers"] for record in records] == [2, 1]
    assert json.loads(run("analyse", URL, "--json").output)["shares"] == [[0, 0], [0, 1]]


def test_make_and_draw(tmp_path):
    result = run("make", "usowan", "4", "4", "--seed", "1", "--boards", "2")
    assert result.exit_code == 0
    boards = [read(line) for line in result.output.splitlines()]
    assert [board.clues.shape for board in boards] == [(4, 4), (4, 4)] and boards[0] != boards[1]
    assert [
        read(json.loads(line))
        for line in run("make", "usowan", "4", "4", "--seed", "1", "--boards", "2", "--json").output.splitlines()
    ] == boards
    assert read(run("make", "usowan", "4", "4", "--seed", "1", "--text").output) == boards[0]
    result = run("draw", "usowan", "3", "4", "--answers", "2", "--seed", "1", "--svg", str(tmp_path / "two.svg"))
    assert result.exit_code == 0 and len(result.output.split()) == 24 and (tmp_path / "two.svg").exists()
    record = json.loads(run("draw", "usowan", "3", "4", "--answers", "2", "--seed", "1", "--json").output)
    empty = usowan.Board([[usowan.NO_CLUE] * 4] * 3, [[0] * 4] * 3)
    assert result.output == "".join(f"{empty.to_text(answer)}\n\n" for answer in record["answers"])


@pytest.mark.parametrize("command", ["solve", "explain", "analyse"])
def test_a_board_without_an_answer_ends_with_1(command):
    result = run(command, "usoone/2/1/0h")  # a region without a number
    assert result.exit_code == 1 and result.output


def test_not_known_ends_with_3(monkeypatch):
    monkeypatch.setattr(analysis, "WIDEST", 3)
    for words in (["count", WIDE], ["analyse", WIDE, "--branches", "0"], ["count", WIDE, "--reading", "none wrong"]):
        result = run(*words)
        assert result.exit_code == 3, (words, result.output)
    assert "counted up to 3 cells across" in run("count", WIDE).output


@pytest.mark.parametrize(
    "words, message",
    [
        (["count", "nurikabe", "4", "4"], "unknown genre 'nurikabe'"),
        (["count", "usowan", "0", "4"], "rows must be a whole number of at least 1"),
        (["count", "usowan", "four", "4"], "rows: 'four' is not a valid integer"),
        (["bank", "make", "nurikabe", "4", "4"], "unknown genre"),
        (["count", "usowan", "4"], "count takes a board, or a genre, rows and cols"),
        (["count", "usowan", "4", "4", "--reading", "none wrong"], "--reading is for a board"),
        (["count", URL, "--reading", "nonsense"], "unknown reading 'nonsense'; choose from ['rules', 'none wrong'"),
        (["solve", "https://puzz.link/p?usoone/2"], "must have cols/rows/body"),
        (["solve", "1 .\n. 2"], "say which with genre="),
        (["solve", URL, "--genre", "sudoku"], "unknown genre 'sudoku'"),
        (["explain", URL, "--top", "luck"], "unknown rung 'luck'; choose from ['cell'"),
        (["analyse", "no such file"], "is no puzz.link URL"),
        (["make", "usowan", "0", "4"], "rows must be a whole number of at least 1"),
        (["make", "sudoku", "4", "4"], "unknown genre"),
        (["draw", "usowan", "4", "4", "--answers", "0"], "--answers"),
        (["report", "nothing"], "unknown run 'nothing'; `puzzlekit report --list` names them all"),
        (["report", "goood"], "unknown run 'goood'; did you mean 'good'?"),
        (["count", "nawabary", "4", "4"], "unknown genre 'nawabary'; did you mean 'nawabari'?"),
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


def test_a_bank_is_made_in_chunks_where_it_is_asked_for(tmp_path):
    files = [tmp_path / "here.jsonl", tmp_path / "there.jsonl"]
    for file, where in zip(files, ("here", "processes:2"), strict=True):
        done = run("bank", "make", "nawabari", "3", "3", "--boards", "25", "--file", str(file), "--scheduler", where)
        assert done.exit_code == 0 and str(file) in done.output
    assert files[0].read_bytes() == files[1].read_bytes()
    refused = run("bank", "make", "nawabari", "3", "3", "--scheduler", "nowhere")
    assert refused.exit_code == 2 and "unknown scheduler 'nowhere'" in refused.output


def test_two_report_runs_at_once_are_refused(project):
    with report._alone():
        refused = run("report", "good")
    assert refused.exit_code == 1 and "another report run is at work" in refused.output
    assert run("report", "good").exit_code == 0


def test_a_count_by_remainders_is_kept_and_is_the_same(tmp_path):
    whole = CliRunner().invoke(main, ["count", "usowan", "11", "10"])
    kept = CliRunner().invoke(main, ["count", "usowan", "11", "10", "--keep", str(tmp_path)])
    again = CliRunner().invoke(main, ["count", "usowan", "11", "10", "--keep", str(tmp_path), "--scheduler", "here"])
    assert whole.exit_code == kept.exit_code == again.exit_code == 0
    assert whole.output == kept.output == again.output
    assert len(list(tmp_path.glob("*/*.json"))) == 3


def test_memory_that_may_be_used():
    refused = CliRunner().invoke(main, ["count", "usowan", "24", "24", "--memory", "1"])
    assert refused.exit_code == 1 and "bytes needed to count 24 x 24, the budget is 1,000,000,000" in refused.output
    assert CliRunner().invoke(main, ["count", "tasquare", "4", "4", "--memory", "0.1"]).output == "739\n"
    wrong = CliRunner().invoke(main, ["count", "https://puzz.link/p?tasquare/2/2/1i", "--memory", "1"])
    assert wrong.exit_code == 2 and "for empty grids" in wrong.output


# what people pipe


def test_every_board_of_a_file_is_taken(tmp_path):
    (tmp_path / "two.txt").write_text(f"Look: {URL}\nand (https://puzz.link/p?usoone/2/1/0h)\n", encoding="utf-8")
    file = str(tmp_path / "two.txt")
    result = run("solve", file)
    assert result.exit_code == 1 and "board 2 of 2" in result.output and "at least 2 answers" in result.output
    assert result.output.rstrip().endswith("no answer")
    for command, code in (("solve", 1), ("explain", 1), ("count", 0), ("analyse", 1)):
        assert run(command, file, "--json").exit_code == run(command, file).exit_code == code, command
    assert [json.loads(line)["answers"] for line in run("count", file, "--json").stdout.splitlines()] == [2, 0]
    assert len(run("explain", file, "--hint").stdout.splitlines()) >= 4


def test_a_board_without_an_answer_is_shown_as_it_was_read():
    result = run("solve", "usoone/2/1/0h")
    assert result.output == "The board as it was read:\n. .\n\nno answer\n"


def test_explain_says_what_it_knows():
    assert run("explain", URL).output.endswith(
        "The deductions stop here. The board has several answers. "
        "No deduction can tell them apart, so it has no difficulty.\n"
    )
    record = json.loads(run("explain", URL, "--json").output)
    assert record["several_answers"] and record["difficulty"] is None
    only = "https://puzz.link/p?usoone/6/6/88aaaa03u0o0b75ecdk71cg76bg"
    last = run("explain", only, "--top", "cell").output.splitlines()[-1]
    assert last == "Up to cell, the ladder stops here."
    result = run("explain", "usoone/2/1/0h", "--hint")
    assert result.exit_code == 1 and result.output.startswith("The board has no answer: ")


def test_every_reading_that_a_genre_names_is_counted():
    assert (
        run("count", "tasquare/3/3/0n", "--reading", "plain zero").output
        == f"{analysis.count_misread(read('tasquare/3/3/0n'), 'plain zero')}\n"
    )
    for genre, url in (("usowan", URL), ("tasquare", "tasquare/2/2/1i"), ("nawabari", "nawabari/2/2/3b3")):
        refused = run("count", url, "--reading", "nonsense")
        names = refused.output.split("choose from [")[1].split("]")[0].replace("'", "").split(", ")
        assert "rules" in names and all(run("count", url, "--reading", name).exit_code == 0 for name in names), genre


def test_what_was_put_back_is_told():
    result = run("count", "https://puzz.link/p?tasquare/2/2/1h")
    assert result.exit_code == 0 and "note: 'tasquare/2/2/1h': its last dot was lost and is put back" in result.stderr
    assert result.stdout.strip().isdigit()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "words",
    [["solve", URL], ["explain", URL], ["count", "usowan", "3", "3"], ["analyse", URL], ["make", "usowan", "3", "3"],
     ["draw", "usowan", "3", "3"], ["--help"], ["solve", "--help"], ["--version"], ["report", "--list"]],
    ids=" ".join,
)  # fmt: skip
def test_output_that_cannot_be_written_is_one_line(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "puzzlekit", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "No space left" in done.stderr
