"""What every reader promises, whatever it is given: something that is written and read again as the same, or a
ValueError of one clear line; quickly either way. Shared by the tests beside it and by guided.py, which bring the input.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np

from puzzlekit import GENRES
from puzzlekit.boards import detect as reading
from puzzlekit.jobs import chunks
from puzzlekit.lab import bank, datapackage, tables
from puzzlekit.reports import parameters, report

list(GENRES.values())  # imported here, as it would take the time of the first reading

LONGEST_REFUSAL = 600  # characters
SECONDS = 5.0  # CPU time for up to 100,000 characters: no reader needs one, and a quadratic one needs far more
CELLS = 400  # of a board up to which everything is written and read again, as it takes longer than reading
LEAKS = (  # of Python or a library into a refusal
    "Traceback", "object at 0x", "numpy", "list index", "invalid literal", "NoneType", "must be str", "codec can't",
    "attribute",
    "recursion", "Exceeds the limit", "unhashable type", "inhomogeneous", "subscriptable", "unpack", "iterable",
    "embedded null",
)  # fmt: skip


class Reader(NamedTuple):
    """A reader with the inputs to start from. `read` returns when all is well, and raises ValueError for a refusal."""

    read: Callable
    seeds: list
    words: str = ""  # that mean something to it, with spaces between


def hold(name, source):
    """Give a reader a text. Its refusal in words, or None when it has read it; AssertionError when it breaks its
    promise.
    """
    start, words = time.process_time(), None
    try:
        keep = READERS[name].read(source)
    except ValueError as error:
        words = str(error)
    spent = time.process_time() - start
    assert spent < SECONDS * max(1, len(source) / 1e5), f"{spent:.1f} s for {len(source)} characters"
    if words is None:
        keep()
        return None
    assert list(faults(words)) == [], words[:2000]
    return words


def faults(words):
    """What is wrong with a refusal, in words."""
    words = str(words)
    if len(words) > LONGEST_REFUSAL:
        yield "too long"
    if len(words.split()) < 4:
        yield "not a sentence"
    if not words.isprintable():
        yield "not one printable line"
    for leak in LEAKS:
        if leak in words:
            yield f"says {leak!r}"


# boards

URLS = [
    "https://puzz.link/p?usoone/6/6/88aaaa03u0o0b75ecdk71cg76bg",
    "https://puzz.link/p?tasquare/6/6/1g.i4j1i3j5i5j.i2g1",
    "https://puzz.link/p?nawabari/5/5/f0b1f2a1f",
    "https://puzz.link/p?tasquare/2/3/-63+fff=fff*2000$00000$fffff",
    "pzv.jp/p.html?nawabari_edit/v:/3/2/b.3b&x=1#top",
]
FILES = [
    "pzprv3/usoone/2/3/2/0 0 1 /0 1 1 /1 . . /. - . /+o 1 + /. x 1 /",
    "pzprv3\ntasquare\n2\n3\n1 . # \n. + - \n",
    "pzprv3/nawabari/2/2/1 . /. - /0 1 0 /0 -1 0 /0 0 /1 0 /0 0 /",
    "pzprv3/nawabari/1/2/1 . /1 /info:{}/",
]
GRIDS = [
    "2 #|?\n  -\n.|1 .",
    "12|#\n--+--\n#  ?",
    "usowan\n1 #|.\n. .|?",
    "the board  the answer\n1|.        1|#\n.|2        .|2",
    "begin\ngenre usoone\nsize 2\n[problem]\n1 -\n? .\n[areas]\na b\na b\nend",
    "2 3\n1 - 2\n- ? -\n\na a b\na b b",
]
RECORDS = [
    '{"genre": "usowan", "clues": [[1, null], [null, "?"]], "regions": [[0, 0], [1, 1]]}',
    '{"genre": "tasquare", "rows": 2, "cols": 2, "clues": [[0, 0, 1], [1, 1, null]]}',
    '{"url": "https://puzz.link/p?nawabari/2/2/3b3"}',
    '{"url": "usoone/2/2/00bg", "rows": 2, "cols": 2, "clues": [[0, 0, 1]], "regions": [[0, 0], [0, 0]]}',
]


def _board(source):
    """Read a board of any format, of the genre that the source says or of the first that fits."""
    try:
        board, partial = reading.read_partial(source)
    except ValueError as error:
        for genre in GENRES if "which with genre=" in str(error) else ():
            try:
                board, partial = reading.read_partial(source, genre)
                break
            except ValueError:
                continue
        else:
            raise
    return lambda: again(board, partial)


def again(board, partial=None):
    """Hold a board to what is read of it after it was written in every format."""
    assert board.rows * board.cols <= 10_000
    if board.rows * board.cols > CELLS:
        return
    assert reading.read(json.dumps(board.to_record())) == board
    assert reading.read(board.to_text(), board.genre) == board, board.to_text()
    found, marked = reading.read_partial(board.to_pzprv3(partial))
    assert found == board and (partial is None) == (marked is None)
    if partial is not None:
        assert all(np.array_equal(one, other) for one, other in zip(partial, marked, strict=True))
    try:
        url = board.to_url()
    except ValueError as error:  # a number that does not fit
        assert "does not fit into a URL" in str(error)
    else:
        assert reading.read(url) == board


def _boards(source):
    found = reading.read_all(source)
    return lambda: [again(board) for board in found[:3]]


# files, in a folder of their own

_kept = tempfile.TemporaryDirectory(prefix="puzzlekit-fuzz-")  # gone with this process
FOLDER = Path(_kept.name)


def _file(name, source):
    file = FOLDER / name
    file.write_bytes(_bytes(source))
    return file


def _bytes(source):
    try:
        return source.encode("utf-8", "surrogateescape")  # a text from bytes that are no UTF-8
    except UnicodeEncodeError:
        return source.encode("utf-8", "surrogatepass")


BANK = """{"genre": "tasquare", "rows": 2, "cols": 2, "boards": 2, "seed": 1, "version": 2,\
 "repeats": "kept", "method": "x"}
{"url": "tasquare/2/2/1i", "answer": "01/00"}
{"url": "tasquare/2/2/g1h", "answer": "10/00"}
"""


def _bank(source):
    file = _file("bank.jsonl", source)
    found = bank.load("tasquare", 2, 2, file=file)
    assert len(found.boards) == len(found.answers) == found.header["boards"]
    assert found.answers.shape[1:] == (2, 2) and found.answers.dtype == np.uint8
    return lambda: reading.read_all(file)


TABLE = """a,b,c,d,e
1,1/3,0.50,"a,""b",True
,,,,
"""


DESCRIBED = datapackage.Described(
    "t", {"n": 1}, {"a": "int", "b": "fraction", "c": "decimal", "d": "text", "e": "bool"}, "puzzlekit report x"
)
PACKAGE = datapackage.to_text({"t_n_1": DESCRIBED})


def _package(source):
    (FOLDER / datapackage.NAME).write_bytes(_bytes(source))
    described = datapackage.read(FOLDER)
    assert datapackage.to_text(described)
    return lambda: repr(described)


def _table(source):
    (FOLDER / datapackage.NAME).write_text(PACKAGE)
    (FOLDER / "t_n_1.csv").write_bytes(_bytes(source))
    with mock.patch.dict(os.environ, {"PUZZLEKIT_DATA": str(FOLDER), "PUZZLEKIT_TABLES": "check"}):
        frame = tables.load("t", n=1)
    return lambda: repr(frame)


CELL = """rows: int = 8  # of the board
share: float = -0.5
board: str = "https://puzz.link/p?tasquare/2/2/1i"
fast: bool = True
sizes: list[int] = [4, 6]
names: list[str] = []
"""


def _cell(source):
    found = parameters.from_source(source)

    def keep():
        values = {name: parameter.default for name, parameter in found.items()}
        assert parameters.check(found, values) == values

    return keep


NOTEBOOK = json.dumps({
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": ["rows: int = 8\n", "cols: int = 8"],
         "outputs": []},
    ],
    "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
})  # fmt: skip


def _notebook(source):
    found = parameters.declared(_file("notebook.ipynb", source))
    return lambda: parameters.check(found, {name: parameter.default for name, parameter in found.items()})


KINDS = {kind: parameters.Parameter(kind, None) for kind in parameters.TYPES}


def _value(source):
    """The text of a command line for each type; a refusal only when no type takes it."""
    taken, refusal = {}, None
    for kind in KINDS:
        try:
            value = parameters.parse(KINDS, kind, source)
            parameters.check(KINDS, {kind: value})
            report._file_word(value)
            taken[kind] = value
        except ValueError as error:
            refusal = error
            assert list(faults(error)) == [], error
    if not taken:
        raise refusal

    def keep():
        for kind, value in taken.items():
            back = parameters.parse(KINDS, kind, parameters.to_text(value))
            assert back == value or repr(back) == repr(value), (kind, value)  # NaN is not itself

    return keep


RUNS = """- name: overview
- {name: squares_big, notebook: overview, question: "How many?", parameters: {rows: 5}, long: true}
"""


def _runs(source):
    (FOLDER / "notebooks").mkdir(exist_ok=True)
    (FOLDER / "notebooks" / "overview.ipynb").touch()
    (FOLDER / "notebooks" / "runs.yaml").write_bytes(_bytes(source))
    with mock.patch.object(report, "ROOT", FOLDER):
        found = report.runs()
    return lambda: [_inside(run.name) for run in found.values()]


def _inside(name):
    assert (FOLDER / f"{name}.html").resolve().parent == FOLDER.resolve(), name


def _chunk(source):
    chunks.run(chunks.spans, [{"total": 3, "size": 2}], store=FOLDER / "chunks")
    (file,) = (FOLDER / "chunks").glob("*/0.json")
    whole = file.read_bytes()
    try:
        file.write_bytes(_bytes(source))
        assert chunks.run(chunks.spans, [{"total": 3, "size": 2}], store=FOLDER / "chunks") == [[[0, 2], [2, 3]]]
    finally:
        file.write_bytes(whole)
    return lambda: None


READERS = {
    "url": Reader(
        _board,
        URLS,
        "https://puzz.link/p? usoone/ tasquare/ nawabari/ _edit v: %2F 100/100/ zzzz -ff +fff $fffff 9999999",
    ),
    "pzprv3": Reader(
        _board, FILES, "pzprv3/ usoone/ tasquare/ nawabari/ info: history: http: -1 100/100/ 10000/1/ 2147483647"
    ),
    "text": Reader(
        _board, GRIDS, "[problem] [areas] begin end genre size rows usowan tasquare nawabari -- -+- |. 2147483648"
    ),
    "json": Reader(
        _board, RECORDS, 'null true NaN 1e999 {"clues": "regions": "genre": "rows": "cols": "url": [[1]] 2147483648'
    ),
    "boards": Reader(
        _boards, ["\n".join(URLS[:3]), "\n".join(RECORDS), BANK], '{"boards":1} {"url": "clues": tasquare/1/1/g ://'
    ),
    "bank": Reader(_bank, [BANK], '"boards": "version": "answer": "url": 1.0 true 256 ,-1 1e0'),
    "table": Reader(_table, [TABLE], '1e99999999 NaN 1/0 "" True , 0.50'),
    "package": Reader(_package, [PACKAGE], '"integer" "number" "string" "boolean" "kind" "fraction" [] {} null "" 1'),
    "cell": Reader(_cell, [CELL, "a: int = 1"], "list[int] list[str] float: {[]:1} 1j b'' -+- ((((( 1e999 None lambda"),
    "notebook": Reader(_notebook, [NOTEBOOK], '"cells": "metadata": {"tags": ["parameters"]} "source": null 1 []'),
    "value": Reader(
        _value, ["8", "true", "a, b", "[1, 2]", '["a,b"]', "../x", "0.5"], "[[[ true NaN inf 1e999 _ , ../"
    ),
    "runs": Reader(_runs, [RUNS], "- name: notebook: ../ !!python/object/apply:os.system &a *a <<: {} [] !!set ? |"),
    "chunk": Reader(_chunk, ['{"digest": "0", "result": [[0, 2], [2, 3]]}'], '"digest": "result": [[['),
}
