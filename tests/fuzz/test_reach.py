"""What a file from elsewhere can reach: no other file, no code, no place outside its folder; on a page only text."""

import contextlib
import html.parser
import json
import os
import re
import sys
import xml.etree.ElementTree
from functools import partial

import nbformat
import numpy as np
import pytest
import traitlets

from fuzz import contract
from puzzlekit import read, usowan
from puzzlekit.boards import detect as reading
from puzzlekit.jobs import chunks
from puzzlekit.lab import bank, datapackage, tables
from puzzlekit.reports import page, parameters, report
from puzzlekit.reports.story import pages
from puzzlekit.show import pictures

EVIL = '</title><script>alert(1)</script>"\' onload="alert(2)" & ]]> <img src=x onerror=alert(3)>'
AIMS = [  # what a field may hold to reach something
    "/etc/passwd", "../../../etc/passwd", "file:" + "///etc/passwd", "other.txt", "~/.bashrc",
    "http://example.org/usoone/2/2/00bg?x", "|touch pwned",
    "__import__('os').system('touch pwned')", "os.system", "puzzlekit.jobs.chunks.run",
    "cos\nsystem\n(S'touch pwned'\ntR.",
    "!!python/object/apply:os.system ['touch pwned']", "{{ 7 * 7 }}", "${HOME}", "$(touch pwned)", "\0",
    "\x1b]0;pwned\x07",
]  # fmt: skip
WATCHED = (
    "open",
    "import",
    "exec",
    "compile",
    "os.",
    "subprocess.",
    "socket.",
    "pickle.",
    "shutil.",
    "urllib.",
    "tempfile.",
)
_seen = None  # a list while events are watched; a hook cannot be taken off again


def _hook(event, arguments):
    if _seen is not None and event.startswith(WATCHED):
        _seen.append((event, arguments[0]))


@contextlib.contextmanager
def reaching(*allowed):
    """What Python itself reports of files opened, modules imported, code compiled and run, and the like: only these
    files.
    """
    global _seen  # noqa: PLW0603 - a hook of Python cannot be taken out again
    if not getattr(sys, "_puzzlekit_hooked", False):
        sys._puzzlekit_hooked = True
        sys.addaudithook(_hook)
    _seen = []
    try:
        yield
    finally:
        seen, _seen = _seen, None
    assert [event for event in seen if event[0] != "open" or str(event[1]) not in map(str, allowed)] == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a sound board in `other.txt`, which nobody should read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.txt").write_text("tasquare/2/2/1i", encoding="utf-8")
    yield tmp_path
    assert not list(tmp_path.rglob("*pwned*"))


def refused(call):
    """A refusal is in one clear line; it must be one."""
    with pytest.raises(ValueError) as error:
        call()
    assert list(contract.faults(error.value)) == [], str(error.value)


def test_the_watch_sees_what_it_watches_for(folder):
    for act in ((folder / "other.txt").read_text, lambda: eval("1"), lambda: os.system("true")):
        with pytest.raises(AssertionError), reaching():
            act()
    with reaching(folder / "other.txt"):
        (folder / "other.txt").read_text()


@pytest.mark.parametrize("aim", AIMS)
def test_a_url_in_a_file_reaches_nothing(folder, aim):
    """Neither in a file of one object, nor in a line of many, nor in a bank."""
    one, many, stored = folder / "one.json", folder / "many.jsonl", folder / "bank.jsonl"
    one.write_text(json.dumps({"url": aim, "genre": "tasquare"}), encoding="utf-8")
    many.write_text(json.dumps({"url": "tasquare/2/2/1i"}) + "\n" + json.dumps({"url": aim}) + "\n", encoding="utf-8")
    stored.write_text(contract.BANK.replace('"tasquare/2/2/1i"', json.dumps(aim)), encoding="utf-8")
    for file, call in [
        (one, lambda: read(one)),
        (many, lambda: reading.read_all(many)),
        (stored, lambda: bank.load("tasquare", 2, 2, file=stored)),
    ]:
        refused(call)  # what is imported late is imported now
        with reaching(file):
            refused(call)


@pytest.mark.parametrize("aim", AIMS)
def test_lines_of_paths_are_no_boards(folder, aim):
    """A file whose line is the name of a file is not followed, whatever itself is called."""
    for name in ("list.txt", "the text"):
        (folder / name).write_text(aim, encoding="utf-8")
        for call in (partial(read, folder / name), partial(reading.read_all, folder / name)):
            refused(call)
            with reaching(folder / name):
                refused(call)


@pytest.mark.parametrize("field", ["genre", "method", "seed", "answer"])
@pytest.mark.parametrize("aim", AIMS)
def test_other_fields_of_a_bank_reach_nothing(folder, field, aim):
    file = folder / "bank.jsonl"
    lines = [json.loads(line) for line in contract.BANK.splitlines()]
    lines = [json.dumps(line | {field: aim, "__reduce__": aim, "py/object": aim}) for line in lines]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def load():
        with contextlib.suppress(ValueError):  # a method in words may say anything
            bank.load("tasquare", 2, 2, file=file)

    load()
    with reaching(file):
        load()


@pytest.mark.parametrize("aim", AIMS)
def test_a_stored_chunk_is_data(folder, aim):
    """Even one whose digest was made to fit: what it names is not looked up, and comes back as it is."""
    calls = [{"total": 1, "size": 1}]
    chunks.run(chunks.spans, calls, store=folder)
    (file,) = folder.glob("*/0.json")
    store = chunks._Store(folder, chunks.spans, calls, "chunks")
    result = [aim, {"function": aim, "py/object": aim}]
    file.write_text(
        json.dumps({"digest": store._digest(0, result), "result": result, "function": aim}), encoding="utf-8"
    )
    chunks.run(chunks.spans, calls, store=folder)
    made = [folder, file.parent, file]
    with reaching(*made):
        found = None
        with contextlib.suppress(FileExistsError):
            found = store.read(0)
    assert found["result"] == result == chunks.run(chunks.spans, calls, store=folder)[0]


@pytest.mark.parametrize("aim", AIMS)
def test_a_stored_table_is_data(folder, aim, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(folder))
    described = datapackage.Described("t", {"n": aim}, {"a": "text", "b": "int"}, aim)
    package = datapackage.to_text({"t_n_1": described}).replace('"integer"', json.dumps(aim))
    (folder / datapackage.NAME).write_text(package, encoding="utf-8")
    (folder / "t_n_1.csv").write_text('a,b\n"=cmd()",1\n', encoding="utf-8")
    refused(lambda: tables.load("t", n=1))
    with reaching(folder / datapackage.NAME, folder / "t_n_1.csv"):
        refused(lambda: tables.load("t", n=1))


# names

NAMES = [
    "../x",
    "/x",
    "a/../../x",
    "..",
    ".",
    "a\0b",
    "a\nb",
    "a//b",
    "C:\\x",
    "\udcff",
    "x" * 5000,
    "",
    " ",
    "%2e%2e/x",
    "~",
    "-",
    "é",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_cannot_leave_its_folder(folder, name, monkeypatch):
    """Of a table, of a parameter or its value; of a genre of a bank or published figures."""
    monkeypatch.setenv("PUZZLEKIT_DATA", str(folder / "data"))
    for call in (
        lambda: tables.path(name),
        lambda: tables.path("t", **{name: 1}),
        lambda: tables.published(name),
        lambda: bank.path(name, 6, 6),
        lambda: report.plan(name),
    ):
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value).isprintable() and len(str(error.value)) < 3000  # names all that there is
    for value in (name, [name], [name, "x"]):
        try:
            file = tables.path("t", p=value)
        except ValueError as error:
            assert str(error).isprintable() and len(str(error)) < contract.LONGEST_REFUSAL
        else:
            assert file.parent == folder / "data" and file.resolve().parent == file.parent.resolve()


@pytest.mark.parametrize("key, kind", [("board", "str"), ("sizes", "list[int]"), ("names", "list[str]")])
@pytest.mark.parametrize("value", [*NAMES, EVIL, "8," * 500 + "8", "9" * 4000])
def test_a_report_of_any_value_stays_in_its_folder(folder, key, kind, value, monkeypatch):
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "runs.yaml").write_text("- name: one\n", encoding="utf-8")
    cell = nbformat.v4.new_code_cell(
        "board: str = 'x'\nsizes: list[int] = [1]\nnames: list[str] = ['x']", metadata={"tags": ["parameters"]}
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "notebooks" / "one.ipynb")
    monkeypatch.setattr(report, "ROOT", folder)
    try:
        (job,) = report.plan("one", [(key, value)])
    except ValueError as error:
        assert list(contract.faults(error)) == []
        return
    assert re.fullmatch(r"one(__[A-Za-z0-9_.+=-]*)?", job.name) and len(job.name) < 200
    assert (folder / "reports" / f"{job.name}.ipynb").resolve().parent == (folder / "reports").resolve()
    (again,) = report.plan("one", [(key, parameters.to_text(job.changed.get(key, value)))])
    assert again == job


def test_a_command_of_several_lines_does_not_change_its_table(folder, monkeypatch):
    import pandas as pd

    monkeypatch.setenv("PUZZLEKIT_DATA", str(folder / "data"))
    monkeypatch.setenv("PUZZLEKIT_COMMAND", "puzzlekit report your_board -p board '1 .\n. 2\r\nn\n7'")
    monkeypatch.setenv("PUZZLEKIT_TABLES", "")
    tables.store("t", pd.DataFrame({"n": [1, 2]}))
    assert tables.load("t")["n"].tolist() == [1, 2]


# pages and pictures


class Parts(html.parser.HTMLParser):
    """What a page has that could do something: scripts, frames, handlers, addresses that are no plain links."""

    def __init__(self, page):
        super().__init__()
        self.active, self.text = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "link", "base", "form"):
            self.active.append(tag)
        for name, value in attributes:
            address = name in ("href", "src", "action", "xlink:href") and re.match(r"\s*\w+\s*:", value or "")
            if name.startswith("on") or (address and not re.match("data:image/(png|jpeg|svg)|https?:", value)):
                self.active.append((tag, name, value))

    def handle_data(self, data):
        self.text.append(data)


def inert(page):
    found = Parts(page)
    assert found.active == []
    return "".join(found.text)


def test_the_parts_that_could_do_something_are_seen():
    for tag in (
        "<script>",
        "<p onclick=x>",
        "<a href='JavaScript:x'>",
        "<iframe src=x>",
        '<a href="data:text/html,x">',
        "<math><a href=' javascript:x'>",
    ):
        assert Parts(tag).active, tag


def test_pictures_escape_their_words():
    drawn = pictures.side_by_side(pictures.grid_picture([[1, -1]], title=EVIL), captions=[EVIL])
    noise = pictures.side_by_side(pictures.grid_picture([[1]], title="\0\x01\ud800\ufffe"), captions=["\x1b\udcff"])
    for picture in (drawn, noise):
        tags = {
            element.tag.partition("}")[2] for element in xml.etree.ElementTree.fromstring(picture.svg.encode()).iter()
        }
        assert tags <= {"svg", "defs", "title", "rect", "g", "path", "text", "line", "circle"}
    found = xml.etree.ElementTree.fromstring(drawn.svg)
    assert EVIL in found.get("aria-label") and any(element.text == EVIL for element in found.iter())
    assert inert(drawn.svg).count(EVIL) == 3


FORMULAS = [
    r"\text{<script>alert(1)</script>}",
    r'\color{"><script>}x',
    r"\href{javascript:alert(1)}{x}",
    r"\style{x:y}{z}",
    "<script>",
    r"\mathrm{<b onclick=x>}",
]
PROSE = "\n\n".join(
    [
        EVIL,
        (
            "[a](javascript:alert(1)) [b](JaVaScript:alert(1)) ![c](javascript:alert(1)) <javascript:alert(1)>"
            " [d](data:text/html,<script>) [e](vbscript:x)"
        ),
        f"# {EVIL}",
        f"| {EVIL} | b |\n|-|-|\n| {EVIL} | x |",
        *(f"${formula}$" for formula in FORMULAS),
        *(f"$$\n{formula}\n$$" for formula in FORMULAS),
        r"\begin{matrix}\text{<script>}\end{matrix}",
        f"```python\n{EVIL}\n```",
        f"- `{EVIL}`",
        '<a href="javascript:alert(1)">x</a>',
    ]
)


def test_the_index_shows_everything_as_text():
    told = {
        "name": "one", "title": EVIL, "question": EVIL, "command": EVIL, "parameters": {EVIL: EVIL, "a": [EVIL]},
        "tables": [EVIL],
    }  # fmt: skip
    others = [{**told, "label": EVIL}]
    plain = Parts(pages.front([]))
    shown = Parts(pages.front([{"heading": EVIL, "reports": [{**told, "others": others}]}]))
    assert [part for part in shown.active if part not in plain.active] == []  # it plays boards by scripts of its own
    assert len(shown.active) == len(plain.active) and "".join(shown.text).count(EVIL) >= 3


def test_a_page_shows_everything_as_text():
    """What a notebook says, was given, prints and shows; only a cell that asks for HTML by its own code gets it."""
    v4 = nbformat.v4
    outputs = [
        v4.new_output("stream", name="stdout", text=EVIL),
        v4.new_output("stream", name="stderr", text=f"\x1b[31m{EVIL}\x1b[0m"),
        v4.new_output("execute_result", data={"text/plain": EVIL}),
        v4.new_output("display_data", data={"text/markdown": PROSE, "text/plain": EVIL}),
        v4.new_output("display_data", data={"text/latex": "$\\text{<script>}$"}),
        v4.new_output(
            "display_data",
            data={"image/svg+xml": f"<svg onload=alert(1)><title>x</title><script>{EVIL}</script></svg>"},
        ),
        v4.new_output("display_data", data={"image/png": 'x"onerror="alert(1)'}, metadata={"alt": EVIL}),
        v4.new_output("display_data", data={"image/jpeg": "x"}, metadata={"image/jpeg": {"alt": EVIL}}),
        v4.new_output("error", ename=EVIL, evalue=EVIL, traceback=[EVIL]),
    ]
    cells = [
        v4.new_markdown_cell(PROSE),
        v4.new_code_cell(f"board: str = {EVIL!r}", metadata={"tags": ["parameters"]}),
        v4.new_code_cell("1", outputs=outputs),
        v4.new_raw_cell(EVIL),
    ]
    notebook = v4.new_notebook(
        cells=cells, metadata={"title": EVIL, "kernelspec": {"name": EVIL, "display_name": EVIL}}
    )
    told = {"name": "one", "title": page.title(notebook, EVIL), "command": f"report -p board {EVIL}", "tables": [EVIL]}
    text = inert(page.render(notebook, told))
    assert text.count("alert(1)") > 20


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "[" * 100_000, '{"metadata": 3}', '{"metadata": {"puzzlekit": [1]}}',
     '{"metadata": {"puzzlekit": {"title": 1}}}',
     '{"metadata": {"puzzlekit": {"title": "", "question": "", "command": "", "parameters": [], "tables": []}}}',
     "\udcff"],
)  # fmt: skip
def test_what_is_no_report_is_not_listed(folder, text, monkeypatch):
    for name in ("notebooks", "reports"):
        (folder / name).mkdir()
    (folder / "notebooks" / "runs.yaml").write_text("[]", encoding="utf-8")
    told = {"title": "sound", "question": "", "command": "", "parameters": {}, "tables": []}
    sound = json.dumps({"metadata": {"puzzlekit": told}})
    for name, content in (("bad", text), ("javascript:alert(1)", sound), ("good", sound)):
        (folder / "reports" / f"{name}.ipynb").write_bytes(content.encode("utf-8", "surrogateescape"))
        (folder / "reports" / f"{name}.html").touch()
    monkeypatch.setattr(report, "ROOT", folder)
    monkeypatch.setattr(report.pages, "told", list)  # no page of a genre: they follow from other things
    listed = report.write_index().read_text()
    inert(listed)
    assert 'href="good.html"' in listed and "bad.html" not in listed and "javascript" not in listed


def test_marks_that_a_page_makes_up_are_refused():
    player = usowan.play(usowan.Board([[1, usowan.NO_CLUE]], [[0, 0]]))
    for marks in ([0], [0] * 3, [], [0, 3], [0, -1], [0, 255], [0, 256], [0, 2**70]):
        with pytest.raises(traitlets.TraitError, match="marks of this board are 2 numbers"):
            player.set_state({"marks": marks})
    player.set_state({"marks": [0, 2]})
    assert player.state.tolist() == [[0, 2]] and player.state.dtype == np.uint8
    text = json.dumps(player.puzzle)
    assert "<" not in text and json.loads(text)["clues"] == ["1", ""]


def test_the_page_of_a_player_writes_text_only():
    """What a board or a sentence says becomes text nodes there."""
    source = usowan.play(usowan.Board([[1]], [[0]]))._esm
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setTimeout\(\s*[\"']",
        str(source),
    )
