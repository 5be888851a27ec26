"""Every reader against sound inputs that were changed, against large ones made to take time or memory, and what was
found so.

PUZZLEKIT_FUZZ=5000 python -m pytest tests/fuzz    so many new examples a reader, others in every run
"""

import contextlib
import json
import os
import time
from pathlib import Path

import nbformat
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import contract
from puzzlekit import GENRES
from puzzlekit.boards import ASKED, NO_CLUE, puzzlink
from puzzlekit.reports import kernelrun, page, parameters

MEGABYTES = 50  # of memory while 100,000 characters are read
LONG = os.environ.get("PUZZLEKIT_FUZZ")
fuzzed = settings(
    max_examples=int(LONG or 60),
    derandomize=not LONG,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
NASTY = [
    "\0", "\ud800", "\udcff", "\ufeff", "\r\n", "\r", "\u2028", "\x0b", "\x1b[31m", "\t" * 40, " " * 99, "\n" * 50,
    "'", '"', "\\", "#", "%00",
    "٣", "²", "𝟙", "-1", "0", "1_0", "1e999", "NaN", "null", "true", "9" * 11, "9" * 5000, "0x" + "f" * 5000,
    "1000000", "[" * 3000, "{" * 3000,
    '{"a":' * 500, "(" * 300, "- " * 1200, "<script>", "../", "/etc/passwd", "file:" + "///etc/passwd",
    "__import__('os')", "!!python/name:os.system",
    "&a [*a]", "é", "😀", "ß", "İ",
]  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def elsewhere(tmp_path_factory):
    """An empty working folder: a line that is nothing else is taken for the name of a file."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("empty"))
    yield
    os.chdir(before)


@st.composite
def changed(draw, seeds, words):
    """A sound input with one to five changes."""
    source = draw(st.sampled_from(seeds))
    spot = st.integers(0, 10_000).map(lambda n: n % (len(source) + 1))
    for _ in range(draw(st.integers(1, 5))):
        a, b = sorted((draw(spot), draw(spot)))
        piece = source[a:b]
        change = draw(
            st.sampled_from(["put in", "put over", "leave out", "double", "turn round", "cut off", "another"])
        )
        new = draw(
            st.sampled_from(NASTY) | st.sampled_from(words.split()) | st.characters() | st.characters(max_codepoint=127)
        )
        source = {
            "put in": source[:a] + new + source[a:],
            "put over": source[:a] + new + source[a + 1 :],
            "leave out": source[:a] + source[b:],
            "double": source[:b] + piece * draw(st.integers(1, 3)) + source[b:],
            "turn round": source[:a] + piece[::-1] + source[b:],
            "cut off": source[:b],
            "another": source[:a] + draw(st.sampled_from(seeds)) + source[a:],
        }[change]
    return source


@pytest.mark.parametrize("name", contract.READERS)
@fuzzed
@given(data=st.data())
def test_changed_input_is_read_or_refused(name, data):
    reader = contract.READERS[name]
    contract.hold(name, data.draw(changed(reader.seeds, reader.words)))


@pytest.mark.parametrize("name", contract.READERS)
@fuzzed
@given(source=st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_anything_is_read_or_refused(name, source):
    contract.hold(name, source)


@pytest.mark.parametrize("name", contract.READERS)
def test_what_the_fuzzing_starts_from_is_sound(name):
    refused = [contract.hold(name, seed) for seed in contract.READERS[name].seeds]
    assert all(refused) if name == "chunk" else not any(refused), refused  # a chunk cannot be right by chance


@st.composite
def boards(draw):
    """A board of any genre with what is filled in, neither of which need make sense."""
    genre = GENRES[draw(st.sampled_from(list(GENRES)))]
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    clue = st.sampled_from([NO_CLUE, NO_CLUE, NO_CLUE, ASKED, 0, 1, 2, 3, 4, 7, 9, 10, 255, 4097, 77776, 2**31 - 1])

    def grid(cells, rows, cols):
        values = draw(st.lists(cells, min_size=rows * cols, max_size=rows * cols))
        return np.array(values, int).reshape(rows, cols)

    clues, marks = grid(clue, rows, cols), st.integers(0, 2)
    if genre.Board.prints_regions:
        borders = grid(st.booleans(), rows, cols - 1) > 0, grid(st.booleans(), rows - 1, cols) > 0
        return genre.Board(clues, puzzlink.regions_between(*borders)), None
    board = genre.Board(clues)
    if isinstance(board.blank(), np.ndarray):
        state = np.where(clues == NO_CLUE, grid(marks, rows, cols), 1).astype(np.uint8)
        return board, state if (state[clues == NO_CLUE] > 0).any() else None
    walls = [grid(marks, *part.shape).astype(np.uint8) for part in board.blank()]
    return board, type(board.blank())(*walls) if any(part.any() for part in walls) else None


@fuzzed
@given(boards())
def test_any_board_is_read_again_from_every_format(pair):
    contract.again(*pair)


# what was found, by the smallest input that showed it

FOUND = [
    ("text", "0 1", None),  # a line of sizes with nothing after it: IndexError
    ("json", '{"clues": [[' + "9" * 5000 + "]]}", "a number of 5000 digits"),  # Python's own words, which do not help
    ("json", '{"clues": ' + "[" * 100_000, "nested too deeply"),
    ("json", '{"clues": [[1]], "clues": [[2]]}', "the field 'clues' stands twice"),  # the last one was taken
    ("json", json.dumps({"genre": "x" * 5000}), "genre: 'xxx"),  # refusals as long as what they refuse
    ("json", json.dumps({"x" * 5000: 1}), "it has 'xxx"),
    ("url", "https://puzz.link/p?" + "x" * 5000 + "/1/1/g", "the URL is for 'xxx"),
    ("url", "tasquare/1/1/" + "g/" * 5000, "after the body"),
    ("text", "tasquare\n" + "x" * 5000, "line 1, column 1: 'xxx"),
    ("cell", "a: list[int] = {[]: 1}", "the default must be a literal"),  # TypeError
    ("cell", "a: int = " + "-" * 5000 + "1", "nested too deeply"),  # MemoryError
    ("cell", "a: int = " + "-" * 900 + "1", "nested too deeply"),  # RecursionError
    ("cell", "a: int = \0", "null character"),
    ("cell", "a: int = " + "9" * 5000, "line 1: a number of thousands of digits"),  # in Python's words
    ("cell", "a: int = 0x" + "f" * 5000, "line 1: a number of thousands of digits"),
    ("cell", "a: int = (", "line 1: '(' was never closed"),  # SyntaxError, from `from_source` itself
    ("notebook", "{}", "notebook.ipynb is not a notebook"),  # AttributeError
    ("notebook", contract.NOTEBOOK.replace('["parameters"]', "null"), "notebook.ipynb is not a notebook"),  # TypeError
    ("notebook", contract.NOTEBOOK.replace('["# Title"]', "1"), None),  # what is not asked for is left alone
    ("bank", contract.BANK.replace('"boards": 2', '"boards": 2.0'), None),  # TypeError: cut at 2.0 lines
    ("bank", "[" * 100_000 + "\n", "nested too deeply"),  # RecursionError
    ("bank", contract.BANK.replace("01/00", "01/0"), "rows of different lengths"),  # in numpy's words
    ("bank", contract.BANK.replace("01/00", "0,256/0,0"), "no numbers below 256"),  # OverflowError
    ("bank", contract.BANK.replace("01/00", "0," + "9" * 5000), "too long for 2 x 2"),
    # in Python's words
    ("bank", contract.BANK.replace('"01/00"', "7"), "line 2: a board has a url and an answer, both texts"),
    # all memory, for hours
    ("table", contract.TABLE.replace("1/3", "1e999999999"), "not as a value of the type fraction"),
    ("table", contract.TABLE.replace("1/3", "1/0"), "not as a value of the type fraction"),  # ZeroDivisionError
    ("table", contract.TABLE.replace("0.50", "x"), "not as a value of the type decimal"),  # decimal.InvalidOperation
    ("package", contract.PACKAGE.replace('"integer"', "[]"), "[] is no type of a column"),
    # KeyError, when the values were used
    ("package", contract.PACKAGE.replace('"integer"', '"float"'), "'float' is no type of a column"),
    # csv.Error
    ("table", contract.TABLE.replace('"a,""b"', '"' + "a" * 200_000 + '"'), "field larger than field limit"),
    ("package", "[]\n", "the file is not a JSON object but []"),  # TypeError
    ("chunk", "[" * 100_000, "is damaged or of other work"),  # RecursionError
    ("runs", "- {name: ../../x}", "the name '../../x' is not"),  # a report outside reports/
    ("runs", "- {name: /tmp/x}", "the name '/tmp/x' is not"),
    ("runs", '- {name: "a\\nb"}', r"the name 'a\nb' is not"),
    ("runs", "- {name: a, notebook: ../x}", "the name '../x' is not"),
    ("runs", "[" * 1000, "runs.yaml is nested too deeply"),  # RecursionError
    ("runs", "- &a [*a]", "every entry needs a name, not [[[["),
    # said so without a name
    ("runs", "- name: a\n  when: 2000-99-99", "runs.yaml is not YAML: 'month must be in 1..12"),
    ("runs", "- !!python/object/apply:os.getcwd []", "could not determine a constructor"),
]  # fmt: skip


@pytest.mark.parametrize("name, source, words", FOUND, ids=range(len(FOUND)))
def test_found(name, source, words):
    refusal = contract.hold(name, source)
    assert refusal is None if words is None else words in refusal


@pytest.mark.parametrize(
    "kind, text, words",
    [
        ("list[int]", "[" * 100_000, "parameter p must be list[int], not '[[["),  # RecursionError
        ("int", "9" * 5000, "parameter p must be int, not '999"),  # a refusal of 5,000 characters
        ("str", "a\0b", r"parameter p: 'a\x00b' has a null character"),  # failed when the kernel was started
        ("list[str]", "a,\udcff", "is not Unicode"),  # an argument of the command line in another encoding
    ],
)
def test_values_that_are_refused(kind, text, words):
    known = {"p": parameters.Parameter(kind, None)}
    with pytest.raises(ValueError) as error:
        parameters.check(known, {"p": parameters.parse(known, "p", text)})
    assert words in str(error.value) and not list(contract.faults(error.value))


# 100,000 characters made to take time or memory: a gap in every line, a wide line over many short ones, backtracking,
# claims

SIZE = 100_000
WIDE = {"genre": "usowan", "clues": [[None] * 100] * 100, "regions": [[r % 2] * 100 for r in range(100)]}
LARGE = {
    "tabs": ("pzprv3", "pzprv3" + "\t" * SIZE),  # quadratic in the tabs
    "line breaks": ("text", "begin" + "\n" * SIZE + "[problem]"),  # quadratic in the line breaks
    "a wide line over short ones": (
        "text",
        "1" * (SIZE // 2) + "\n1" * (SIZE // 4),
    ),  # quadratic: each column of each line
    "grids side by side": ("text", "1|.   " * (SIZE // 6)),
    "many rows": ("text", "1\n" * (SIZE // 2)),
    "rows and borders": ("text", "1\n-\n" * (SIZE // 4)),
    "wide indentation": ("text", (" " * 1000 + "1|.\n") * 99),
    "sections": ("text", "".join(f"[s{n}]\n" for n in range(SIZE // 8))),
    "100 x 100 sections": ("text", "[problem]\n" + ("- " * 100 + "\n") * 100 + "[areas]\n" + ("a " * 100 + "\n") * 100),
    "100 x 100 borders": ("text", "\n".join(["|".join("." * 100), "-" * 199] * 100)[:-200]),
    "100 x 100 URL": ("url", "usoone/100/100/" + "v" * 3960 + "z" * 500),
    "10000 x 1 URL": ("url", "nawabari/1/10000/" + "z" * 384 + "p"),
    "slashes": ("url", "/" * SIZE),
    "addresses": ("url", "x" * SIZE + "://"),
    "a claim of 10^6 x 10^6": ("url", "usoone/1000000/1000000/0"),
    "a claim in a file": ("pzprv3", "pzprv3/nawabari/999999999/999999999/"),
    "a claim in an object": ("json", '{"genre": "tasquare", "rows": 1000000, "cols": 1000000, "clues": []}'),
    "many fields twice": ("json", "{" + ",".join(f'"a{n % 7000}":1' for n in range(9000)) + "}"),
    "two regions in 50 pieces each": ("json", json.dumps(WIDE)),
    "long number": ("json", '{"clues": [[' + "9" * SIZE + "]]}"),
    "many boards": ("boards", "usoone/2/2/00bg\n" * (SIZE // 16)),
    "long lines of parameters": ("cell", "a: int = 1\n" * (SIZE // 11)),
    "long sum": ("cell", "a: int = 1" + "+1" * (SIZE // 2)),
    "brackets": ("value", "[" * (SIZE // 2) + "]" * (SIZE // 2)),
    "many values": ("value", "1," * (SIZE // 2) + "1"),
    "a tree of aliases": (
        "runs",
        "- &a0 [x]\n" + "".join(f"- &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(99)),
    ),
}


@pytest.mark.parametrize("case", LARGE)
def test_time_and_memory_follow_the_size(case):
    name, source = LARGE[case]
    with memory() as used:
        contract.hold(name, source)  # in time
    assert not used or used[0] < MEGABYTES, f"{used[0]:.0f} MB for {len(source)} characters"


def test_a_page_of_long_words_is_made_in_time():
    """Backtracking in a heading, in what a cell printed, and in the title of a picture."""
    word, v4 = "#" * SIZE, nbformat.v4
    printed = v4.new_output("stream", name="stdout", text="x" * SIZE)
    picture = v4.new_output("display_data", data={"image/svg+xml": "<title" * (SIZE // 6)})
    notebook = v4.new_notebook(
        cells=[v4.new_markdown_cell(f"# {word}x"), v4.new_code_cell("1", outputs=[printed, picture])]
    )
    start = time.process_time()
    assert page.title(kernelrun.clean(notebook), "") == f"{word}x"
    assert page._picture_alt(picture) == page.NO_ALT
    assert time.process_time() - start < contract.SECONDS


@contextlib.contextmanager
def memory():
    """A list that will hold by how many megabytes this process grew at most; empty where the system does not say."""
    used, system = [], Path("/proc/self")
    try:
        (system / "clear_refs").write_text("5")  # the peak starts anew
    except OSError:
        yield used
        return
    before = _status(system, "VmRSS")
    yield used
    used.append((_status(system, "VmHWM") - before) / 1024)


def _status(system, what):
    return int(next(line for line in (system / "status").read_text().splitlines() if line.startswith(what)).split()[1])


def test_the_measure_of_memory_works():
    with memory() as used:
        np.ones(10**7).sum()
    assert not used or 70 < used[0] < 200
