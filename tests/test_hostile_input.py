"""Input that asks for more than anybody would grant: cells, bytes, digits, waiting. One clear line each."""

import json
import os
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from puzzlekit.boards import detect as reading
from puzzlekit.cli.main import main
from puzzlekit.jobs import chunks
from puzzlekit.jobs.checkpoint import Checkpoint
from puzzlekit.lab import bank, tables
from puzzlekit.machinery import files

BOARD = "https://puzz.link/p?tasquare/2/2/1i"
NINES = "9" * 4000


@pytest.mark.parametrize(
    "words, code, told",
    [
        (["solve", BOARD, "--branches", "1" * 31], 2, "budget must be at most"),
        (["count", "usowan", "3", "3", "--memory", "inf"], 2, "not inf"),
        (["count", "usowan", "3", "3", "--memory", "nan"], 2, "not nan"),
        (["count", "usowan", "1000000000", "1000000000"], 2, "too large"),
        (["draw", "tasquare", "1000000000", "1000000000"], 2, "too large"),
        (["make", "nawabari", NINES, "3"], 2, "a number of 4000 digits x 3 is too large"),
        (["count", "nawabari", NINES, "3"], 2, "a number of 4000 digits x 3 is too large"),
        (["count", "nawabari", "9" * 5000, "3"], 2, "is not a valid integer"),
        (["bank", "make", "usowan", "4", "4", "--boards", "9" * 26, "--file", "x.jsonl"], 2, "boards must be from 1"),
    ],
)  # fmt: skip
def test_numbers_beyond_all_sense(words, code, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, words)
    assert done.exit_code == code and told in done.output and len(done.output) < 400, done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX systems")
def test_what_is_no_plain_file_is_not_waited_for(tmp_path):
    pipe, circle = tmp_path / "pipe", tmp_path / "circle"
    os.mkfifo(pipe)
    circle.symlink_to(circle)
    for place in (pipe, circle, tmp_path):
        for words in (
            ["solve", BOARD, "--svg", str(place)],
            ["bank", "verify", "usowan", "6", "6", "--file", str(place)],
            ["bank", "make", "usowan", "4", "4", "--boards", "1", "--file", str(place)],
            ["solve", str(place)],
        ):
            done = CliRunner().invoke(main, words)
            assert done.exit_code in (1, 2) and "Error: " in done.output, (words, done.output)
    with pytest.raises(OSError, match="not a plain file"):
        files.read_lines("/dev/zero")


def test_cells_of_all_boards_together_are_bounded(monkeypatch):
    """A hundred bytes can ask for ten thousand cells."""
    line = json.dumps({"genre": "tasquare", "rows": 100, "cols": 100, "clues": []})
    monkeypatch.setattr(reading, "MOST_CELLS", 30_000)
    assert len(reading.read_all("\n".join([line] * 3))) == 3
    with pytest.raises(ValueError, match="line 4: 40000 cells up to here; at most 30000 are read"):
        reading.read_all("\n".join([line] * 4000))


def test_lines_end_at_a_line_break_and_nowhere_else():
    text = json.dumps({"genre": "tasquare", "clues": [[None, 1]], "title": "a\u2028b\x85c"}, ensure_ascii=False)
    assert len(reading.read_all(f"{text}\n{text}")) == 2


def test_a_bank_with_an_endless_answer(tmp_path):
    file = tmp_path / "bank.jsonl"
    header = {"genre": "usowan", "rows": 2, "cols": 2, "boards": 1, "version": bank.VERSION, "repeats": "kept"}
    lines = [json.dumps(header), json.dumps({"url": "usoone/2/2/00bg", "answer": "1/" * 1_000_000})]
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match="line 2: the answer is too long for 2 x 2"):
        bank.load("usowan", 2, 2, file=file)
    with open(file, "wb") as hollow:
        hollow.truncate(files.LARGEST + 1)
    with pytest.raises(ValueError, match="at most 1,073,741,824 are read"):
        bank.load("usowan", 2, 2, file=file)


@pytest.mark.parametrize("label", ["../../up", "/tmp/up", "a/b", "..", "."])
def test_a_label_is_a_name(label, tmp_path):
    with pytest.raises(ValueError, match="a label is a name"):
        chunks.run(chunks.spans, [{"total": 2, "size": 1}], store=tmp_path / "store", label=label)
    assert not list(tmp_path.iterdir())


def test_a_hollow_or_nested_checkpoint_is_refused(tmp_path):
    kept = Checkpoint(tmp_path / "half", "work", seconds=0)
    kept.save(1, np.arange(3, dtype=np.uint64))
    with open(kept.file, "r+b") as file:
        file.truncate(1 << 40)  # on disk it takes nothing
    with pytest.raises(ValueError, match="damaged or of other work"):
        kept.load()
    kept.file.write_bytes(b"[" * 60_000)
    with pytest.raises(ValueError, match="damaged or of other work"):
        kept.load()


def test_numbers_that_are_none_are_not_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    monkeypatch.setenv("PUZZLEKIT_TABLES", "accept")
    for value in ("sNaN", "Infinity"):
        with pytest.raises(ValueError, match="which is no number"):
            tables.store("t", pd.DataFrame({"a": [Decimal(value), Decimal(1)]}))
