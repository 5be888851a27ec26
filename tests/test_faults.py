"""Faults, for real: full and read-only disks, Ctrl-C, killed kernels, too little memory, tampered banks and tables.

Real processes and real limits; what is simulated, and what chunks do by themselves, is in test_chunks.py and
test_cluster.py.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import chunk_functions
import nbformat
import pandas as pd
import pytest
from click.testing import CliRunner
from jupyter_client.manager import KernelManager

from puzzlekit import GENRES, usowan
from puzzlekit.cli.main import main
from puzzlekit.jobs import chunks
from puzzlekit.lab import bank, datapackage, sequences, tables
from puzzlekit.machinery import files
from puzzlekit.machinery.sources import PACKAGE
from puzzlekit.reports import report

FULL = "No space left on device"
HERE = Path(__file__).resolve().parent
URL = "https://puzz.link/p?usoone/2/2/00bg"
MARK = "PUZZLEKIT_TEST"  # environment of every process that a test starts, by which those left are found
SOON = 120  # seconds, on a machine with other work and kernels not compiled


@pytest.fixture(autouse=True)
def user(monkeypatch, tmp_path):
    """The environment that a user has, with the functions of the chunks importable everywhere, and Ctrl-C heard: what
    starts the tests may ignore it, and what they start would too. Nothing that a test has started outlives it.
    """
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ["PYTHONPATH"]]))
    monkeypatch.setenv(MARK, str(tmp_path))
    monkeypatch.delenv("PUZZLEKIT_TABLES", raising=False)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
    for process in processes(tmp_path):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


class Disk:
    """A small disk, mounted in a namespace that ends with this object; seen from outside as `path`, from inside as
    `place`.
    """

    def __init__(self, place):
        place.mkdir()
        self.place = place
        as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self.shell = subprocess.Popen(
            ["unshare", *as_root, "--mount", "sh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.path = Path("/proc", str(self.shell.pid), "root", *place.parts[1:])
        self.mount("size=256k")

    def do(self, command):
        """Run a shell command inside: (lines of output, whether it succeeded)."""
        with contextlib.suppress(BrokenPipeError):
            self.shell.stdin.write(f"{command}; echo ended $?\n")
            self.shell.stdin.flush()
        lines = []
        for line in self.shell.stdout:
            if line.startswith("ended "):
                return lines, line == "ended 0\n"
            lines.append(line)
        return lines, False

    def mount(self, options):
        lines, done = self.do(f"mount -o {options} -t tmpfs tmpfs '{self.place}'")
        if not done:
            pytest.skip(f"this machine does not allow a disk of one's own: {''.join(lines).strip()}")

    def remount(self, options):
        self.mount(f"remount,{options}")

    def fill(self):
        """Leave no room; the file that takes it is `ballast`."""
        with contextlib.suppress(OSError), open(self.path / "ballast", "wb", buffering=0) as ballast:
            while True:
                ballast.write(bytes(20480))

    def end(self):
        self.shell.kill()
        self.shell.communicate()


@pytest.fixture
def disk(tmp_path):
    if not shutil.which("unshare"):
        pytest.skip("needs unshare to mount a small disk")
    disk = Disk(tmp_path / "disk")
    yield disk
    disk.end()


# a full disk


def test_chunks_on_a_full_disk(disk):
    calls = [{"text": letter * 60_000} for letter in "abcdef"]
    with pytest.raises(OSError, match=FULL) as error:
        chunks.run(chunk_functions.echo, calls, store=disk.path)
    (folder,) = disk.path.iterdir()
    kept = {name: (folder / name).stat().st_mtime_ns for name in names(folder)}
    assert 2 <= len(kept) < 6 and error.value.filename == str(folder / f"{len(kept)}.json")
    disk.remount("size=1m")
    assert chunks.run(chunk_functions.echo, calls, store=disk.path) == [call["text"] for call in calls]
    assert {name: (folder / name).stat().st_mtime_ns for name in kept} == kept and len(names(folder)) == 6


def test_a_bank_on_a_full_disk(disk, tmp_path):
    command = ["bank", "make", "usowan", "5", "5", "--boards", "60", "--seed", "1", "--file"]
    file = disk.path / "bank.jsonl"
    file.write_text("the old contents\n")
    (disk.path / "hold").write_bytes(bytes(4096))
    disk.fill()
    (disk.path / "hold").unlink()  # room for a folder, and for no more than a chunk
    stopped = run(*command, file)
    assert stopped.exit_code == 1 and stopped.output.count("\n") == 1 and "Traceback" not in stopped.output
    assert stopped.output.startswith(f"Error: {file}.chunks/") and stopped.output.endswith(f".json: {FULL}\n")
    assert file.read_text() == "the old contents\n" and names(disk.path) == [
        "ballast",
        "bank.jsonl",
        "bank.jsonl.chunks",
    ]
    disk.remount("size=1m")
    assert run(*command, file).exit_code == 0 and run(*command, tmp_path / "undisturbed.jsonl").exit_code == 0
    assert file.read_bytes() == (tmp_path / "undisturbed.jsonl").read_bytes()
    assert names(disk.path) == ["ballast", "bank.jsonl"]


def test_a_table_and_a_picture_on_a_full_disk(disk, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(disk.path))
    monkeypatch.setenv("PUZZLEKIT_TABLES", "accept")
    picture = disk.path / "board.svg"
    tables.store("t", pd.DataFrame({"n": [1]}))
    old = (disk.path / "t.csv").read_bytes()
    disk.fill()
    large = pd.DataFrame({"n": range(5000)})
    with pytest.raises(OSError, match=FULL) as error:
        tables.store("t", large)
    assert error.value.filename == str(disk.path / "t.csv")
    stopped = run("solve", URL, "--svg", picture)
    assert stopped.exit_code == 1 and stopped.output.endswith(f"\nError: {picture}: {FULL}\n")
    assert (disk.path / "t.csv").read_bytes() == old
    assert names(disk.path) == ["ballast", datapackage.NAME, "t.csv"]
    (disk.path / "ballast").unlink()
    tables.store("t", large)
    assert tables.load("t")["n"].tolist() == list(range(5000))
    assert run("solve", URL, "--svg", picture).exit_code == 0 and picture.read_text().endswith("</svg>\n")


def test_a_link_stays_a_link_and_what_is_no_file_is_written_to(tmp_path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to("file")
    files.write_whole(tmp_path / "link", "new\n")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "new\n"
    code = "from puzzlekit.machinery import files; files.write_whole('/dev/stdout', 'all of it')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"all of it"
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "all of it" and Path("/dev/stdout").is_symlink()


# a read-only disk


def test_what_has_to_be_written_is_refused_beforehand_on_a_read_only_disk(disk, monkeypatch):
    (disk.path / "data").mkdir()
    monkeypatch.setenv("PUZZLEKIT_DATA", str(disk.path / "data"))
    frame = pd.DataFrame({"n": [1]})
    tables.store("t", frame)
    disk.remount("ro")

    def never(*_, **__):
        raise AssertionError("work was begun")

    monkeypatch.setattr(chunks, "run", never)
    monkeypatch.setattr(GENRES["usowan"], "solve", never)
    refusal = f"Error: the folder {disk.path / 'data'} cannot be written\n"
    for words in (
        ["bank", "make", "usowan", "5", "5"],
        ["solve", URL, "--svg", disk.path / "data/board.svg"],
        ["report", "usowan_space"],
    ):
        stopped = run(*words)
        told = stopped.output.replace("data/banks", "data").replace(
            "; PUZZLEKIT_TABLES=check in the environment only compares tables", ""
        )
        assert (stopped.exit_code, told) == (1, refusal), words
    tables.store("t", frame)  # equal: nothing to write
    with pytest.raises(OSError, match="Read-only file system") as error:
        tables.store("other", frame)
    assert error.value.filename == str(disk.path / "data" / datapackage.NAME)
    monkeypatch.setenv("PUZZLEKIT_TABLES", "check")
    tables.store("t", frame)
    with pytest.raises(tables.TableDiffers, match="stored 1, new 2"):
        tables.store("t", frame + 1)


DOUBLE = """
from .machinery.kernels import kernel

@kernel
def double(n):
    return 2 * n
"""


@pytest.mark.parametrize("state, told", [("read-only", "can be written"), ("full", "No space left on device")])
def test_kernels_work_where_nothing_can_be_cached(disk, state, told):
    """A checkout and a home on such a disk: the answer, and one line about it."""
    disk.remount("size=1m")
    (disk.path / "puzzlekit/machinery").mkdir(parents=True)
    needed = ("kernels", "sources", "compiler", "records", "shortcuts")
    for name in ("__init__", "machinery/__init__", *(f"machinery/{part}" for part in needed)):
        shutil.copy(PACKAGE / f"{name}.py", disk.path / "puzzlekit" / f"{name}.py")
    (disk.path / "puzzlekit/double.py").write_text(DOUBLE)
    environment = (
        f"-u NUMBA_CACHE_DIR -u XDG_CACHE_HOME HOME='{disk.place}' PYTHONPATH='{disk.place}' PYTHONDONTWRITEBYTECODE=1"
    )
    if state == "read-only":
        disk.remount("ro")
    elif state == "full":
        disk.fill()
    words = "from puzzlekit.double import double; print(double(20))"
    lines, done = disk.do(f"cd '{disk.place}' && env {environment} '{sys.executable}' -c '{words}'")
    assert done and len(lines) == 2, lines
    assert "40\n" in lines and any(told in line and line.endswith("\n") for line in lines)


# Ctrl-C, and processes that die


START = """
import sys
from pathlib import Path
from puzzlekit.cli.main import main

if root := sys.argv.pop(1):
    from puzzlekit import report

    report.ROOT = Path(root)
main(prog_name="puzzlekit")
"""


def started(*words, root="", code=START):
    """The command line in a process group of its own, as a terminal starts it."""
    command = [sys.executable, "-c", code, str(root), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def processes(tmp_path, word=""):
    """Process ids of what the test has started and what that has started, with a word in their command."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            ours = f"{MARK}={tmp_path}\0".encode() in (place / "environ").read_bytes()
            if ours and word.encode() in (place / "cmdline").read_bytes():
                found.append(int(place.name))
    return found


def until(condition):
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end, "it has not come to that"
        time.sleep(0.02)


def ended(process, tmp_path, code=130):
    """The last line of a process that a signal reaches, and all it has started, and that leaves nothing behind."""
    output, errors = process.communicate(timeout=SOON)
    assert process.returncode == code and "Traceback" not in output + errors
    until(lambda: not processes(tmp_path))
    assert not [
        path for path in tmp_path.rglob("*") if path.suffix in (".part", ".tmp") or path.name.startswith(".run-")
    ]
    return errors.rstrip().split("\n")[-1]


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes in /proc")


SOLVE = """
from puzzlekit import tasquare
real = tasquare.solve

def solve(board, **options):
    real(tasquare.Board([[1]]), **options | {"limit": 2})  # now the kernel is there
    print("begun", flush=True)
    return real(board, **options)

tasquare.solve = solve
"""


@needs_proc
def test_ctrl_c_in_a_kernel_that_does_not_come_to_an_end(tmp_path):
    empty = json.dumps({"genre": "tasquare", "clues": [[None] * 10] * 10})
    process = started("solve", empty, "--limit", 1_000_000, "--branches", 1 << 40, code=SOLVE + START)  # some minutes
    assert process.stdout.readline() == "begun\n", process.stderr.read()
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    told = time.monotonic()
    assert ended(process, tmp_path) == "interrupted"
    assert 0.9 < time.monotonic() - told < 10  # after the second in which a kernel may still end by itself


@needs_proc
def test_ctrl_c_while_a_bank_is_made(tmp_path):
    command = ["bank", "make", "usowan", 5, 5, "--boards", 400, "--seed", 1, "--file"]
    file = tmp_path / "bank.jsonl"
    process = started(*command, file, "--scheduler", "processes:2")
    until(lambda: len(processes(tmp_path, "spawn_main")) == 2)  # importing, when Ctrl-C would show a trace
    os.killpg(process.pid, signal.SIGINT)
    told = ended(process, tmp_path)
    assert f" of 20 chunks are kept in {file}.chunks/" in told and told.endswith("; the same run goes on from there")
    assert not file.exists() and 1 <= len(list(tmp_path.glob("*.chunks/*/*.json"))) < 20
    assert run(*command, file).exit_code == 0 and run(*command, tmp_path / "undisturbed.jsonl").exit_code == 0
    assert file.read_bytes() == (tmp_path / "undisturbed.jsonl").read_bytes()


WORKERS = """
import sys
from chunk_functions import slow
from puzzlekit import chunks
chunks.run(slow, [{"number": n} for n in range(1000)], scheduler="processes:2", store=sys.argv[1])
"""


@needs_proc
def test_workers_end_with_a_parent_that_was_killed(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", WORKERS, str(tmp_path)])
    until(lambda: len(list(tmp_path.glob("*/*.json"))) > 2)
    assert len(processes(tmp_path, "spawn_main")) == 2
    process.kill()
    process.wait()
    until(lambda: not processes(tmp_path))


ASKING = """from chunk_functions import logged
from puzzlekit import chunks
numbers = chunks.run(logged, [{'number': k, 'log': 'LOG', 'seconds': 0.25} for k in range(n)])"""
KEEPING = """import pandas as pd
from puzzlekit import tables
tables.store('demo/numbers', pd.DataFrame({'number': numbers}), n=n)"""
N = 16


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one slow run, in chunks, and an old page of it."""
    root = tmp_path / "project"
    for name in ("notebooks", "data", "reports"):
        (root / name).mkdir(parents=True)
    cells = [nbformat.v4.new_code_cell(f"n: int = {N}", metadata={"tags": ["parameters"]})]
    cells += [nbformat.v4.new_code_cell(source.replace("LOG", str(tmp_path / "log"))) for source in (ASKING, KEEPING)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), root / "notebooks/slow.ipynb")
    (root / "notebooks/runs.yaml").write_text("- {name: slow, question: How slow}\n")
    (root / "reports/slow.html").write_text("the old page\n")
    monkeypatch.setenv("PUZZLEKIT_DATA", str(root / "data"))
    monkeypatch.setattr(report, "ROOT", root)
    return root


TABLE = "number\n" + "".join(f"{number}\n" for number in range(N))


@needs_proc
def test_ctrl_c_in_a_report_and_a_killed_kernel(project, tmp_path):
    def stored():
        return len(list(project.glob(".chunks/slow/*/*.json")))

    process = started("report", "--scheduler", "processes:2", root=project)
    until(lambda: stored() > 2)
    os.killpg(process.pid, signal.SIGINT)
    assert (
        ended(process, tmp_path)
        == "interrupted; finished runs and chunks are kept; the same command goes on from there"
    )
    before = stored()

    def kill():
        until(lambda: stored() > before + 1)
        (kernel,) = processes(tmp_path, "ipykernel_launcher")
        os.kill(kernel, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    failed = run("report")
    killer.join()
    told = "FAILED slow: notebooks/slow.ipynb: its kernel died; too little memory is a frequent reason\n"
    assert failed.exit_code == 1 and told in failed.output and "Traceback" not in failed.output
    assert (project / "reports/slow.html").read_text() == "the old page\n" and not any((project / "data").iterdir())
    assert run("report").exit_code == 0
    assert (project / "data/demo/numbers_n_16.csv").read_text() == TABLE
    assert names(project / "reports") == ["data.html", "index.html", "slow.html", "slow.ipynb"]
    log = (tmp_path / "log").read_text().split()
    assert set(map(int, log)) == set(range(N)) and len(log) <= N + 3  # of two workers and a kernel that were stopped


def test_a_report_on_a_full_disk(project, disk):
    notebook = project / "notebooks/slow.ipynb"
    notebook.write_text(notebook.read_text().replace("0.25", "0"))
    shutil.move(project / "reports/slow.html", disk.path)
    (project / "reports").rmdir()
    (project / "reports").symlink_to(disk.path)
    (disk.path / "hold").write_bytes(bytes(24576))
    disk.fill()
    assert FULL in report.execute([])["index"]
    (disk.path / "hold").unlink()  # room for a table, and for no page
    stopped = run("report")
    assert stopped.exit_code == 1 and "Traceback" not in stopped.output
    told, *pages = [line for line in stopped.output.split("\n") if line.startswith("FAILED")]
    assert FULL in told and told.endswith(("/slow.ipynb'", "/slow.html'"))
    assert all(FULL in line for line in pages)
    assert names(disk.path) == ["ballast", "data.html", "slow.html"] and not any((project / "data").iterdir())
    assert (disk.path / "slow.html").read_text() == "the old page\n"
    disk.remount("size=1m")
    assert run("report").exit_code == 0
    assert (project / "data/demo/numbers_n_16.csv").read_text() == TABLE
    assert names(disk.path) == ["ballast", "data.html", "index.html", "slow.html", "slow.ipynb"]


CELL = """from chunk_functions import logged
from puzzlekit import chunks
print(chunks.run(logged, [{"number": n, "log": "LOG"} for n in range(12)], scheduler="processes:2", store="STORE"))
"""


@needs_proc
def test_interrupting_a_notebook(tmp_path):
    store = tmp_path / "store"
    cell = CELL.replace("LOG", str(tmp_path / "log")).replace("STORE", str(store))
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(extra_arguments=["--log-level=ERROR"])
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SOON)
        asked = client.execute(cell)
        until(lambda: len(list(store.glob("*/*.json"))) > 2)
        manager.interrupt_kernel()
        content = reply(client, asked)
        assert content["status"] == "error" and content["ename"] == "KeyboardInterrupt"
        until(lambda: not processes(tmp_path, "spawn_main"))
        kept = {file.name: file.stat().st_mtime_ns for file in store.glob("*/*.json")}
        assert 3 <= len(kept) < 12
        assert reply(client, client.execute(cell))["status"] == "ok"
        assert {name: file.stat().st_mtime_ns for file in store.glob("*/*.json") if (name := file.name) in kept} == kept
        log = (tmp_path / "log").read_text().split()
        assert set(map(int, log)) == set(range(12)) and len(log) <= 12 + 2
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def reply(client, asked):
    while True:
        message = client.get_shell_msg(timeout=SOON)
        if message["parent_header"].get("msg_id") == asked:
            return message["content"]


KILLED = """
import os, subprocess, sys, time
from jupyter_client.manager import KernelManager

def test_for_ever():
    kernel = KernelManager(kernel_name="python3")
    kernel.start_kernel()
    deaf = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(600)"
    subprocess.Popen([sys.executable, "-c", deaf], start_new_session=True)
    open(os.environ["STARTED"], "w").close()
    time.sleep(600)
"""


@needs_proc
@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.full)])
def test_nothing_outlives_tests_that_are_stopped(tmp_path, monkeypatch, workers, how):
    """Neither a kernel, nor a worker of pytest-xdist, nor what is deaf and in a session of its own."""
    (tmp_path / "test_for_ever.py").write_text(KILLED)
    monkeypatch.delenv("PUZZLEKIT_TESTS")  # these are tests of their own
    monkeypatch.setenv("STARTED", str(tmp_path / "started"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "conftest",
        f"-n{workers}",
        "-c",
        os.devnull,
    ]
    process = subprocess.Popen(
        [*command, "test_for_ever.py"],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until((tmp_path / "started").exists)
    assert len(processes(tmp_path)) >= 3 + workers
    os.kill(process.pid, how)
    process.wait(SOON)
    until(lambda: not processes(tmp_path))


# too little memory


HUNGRY = """
import resource, sys
from click.testing import CliRunner
from puzzlekit.cli.main import main
from puzzlekit.machinery import memory

def draw(size, more):
    taken = next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmSize"))
    most = more and taken + (more << 20) or resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    memory.machine.cache_clear()
    done = CliRunner().invoke(main, ["draw", "usowan", str(size), str(size), "--seed", "1"], catch_exceptions=False)
    print(done.exit_code, done.output.rstrip().split("\\n")[-1], flush=True)

draw(6, 0)
draw(20, 150)
draw(18, 150)
draw(6, 0)
"""


@needs_proc
def test_too_little_memory_is_refused_beforehand_or_told():
    done = subprocess.run([sys.executable, "-c", HUNGRY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    whole, refused, told, again = done.stdout.splitlines()
    assert whole == again and whole.startswith("0 ")
    assert re.fullmatch(
        r"1 Error: not enough memory: [\d,]+ bytes needed to draw from 20 x 20, this process may take [\d,]+", refused
    )
    assert told.startswith("1 Error: not enough memory: ") and "needed" not in told


# banks and tables that were damaged or changed


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The lines of a bank, as bytes, without their breaks."""
    file = bank.build("usowan", 4, 5, 12, seed=5, file=tmp_path_factory.mktemp("bank") / "sound.jsonl", progress=False)
    return file.read_bytes().splitlines()


def with_record(line, **fields):
    return json.dumps(json.loads(line) | fields).encode()


def without_a_number(line):
    """A board without one of its numbers: its answer is still right, and not the only one any more."""
    board, answer = usowan.Board.from_url(json.loads(line)["url"]), bank._read(json.loads(line)["answer"], 4, 5)
    for r, c in zip(*(board.clues >= 0).nonzero(), strict=True):
        other = board.with_clue(r, c, usowan.NO_CLUE)
        if usowan.check(other, answer) is None and not usowan.solve(other).unique:
            return with_record(line, url=other.to_url().partition("?")[2])
    raise AssertionError("no such number")


@pytest.mark.parametrize(
    "number, change, words",
    [
        (1, lambda line: with_record(line, boards=11), "the header promises 11 boards, the file has 12"),
        (4, lambda line: b"[" * 100_000, ""),
        (5, lambda line: line.replace(b"answer", b"answ\xff"), "not UTF-8 at byte"),
        (6, lambda line: line[: len(line) // 2], ""),
        (
            7,
            lambda line: with_record(line, answer="0,256,0,0,0/00000/00000/00000"),
            "cells that are no numbers below 256",
        ),
        (
            8,
            lambda line: with_record(line, answer=f"0,{'9' * 5000},0,0,0/00000/00000/00000"),
            "the answer is too long for 4 x 5",
        ),
        (10, without_a_number, "the answer is not the only one"),
        (
            11,
            lambda line: with_record(line, answer=json.loads(line)["answer"].translate({48: 49, 49: 48})),
            "the answer breaks",
        ),
    ],
    ids=["header", "nesting", "bytes", "half a line", "large cell", "long cell", "number", "answer"],
)
def test_a_tampered_bank_is_refused_by_line(sound, tmp_path, number, change, words):
    lines = list(sound)
    lines[number - 1] = change(lines[number - 1])
    assert lines != sound
    file = tmp_path / "small.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    stopped = run("bank", "verify", "usowan", 4, 5, "--file", file)
    assert stopped.exit_code == 1
    assert (
        stopped.output.startswith(f"Error: small.jsonl, line {number}: ")
        and words in stopped.output
        and stopped.output.count("\n") == 1
    )


@pytest.mark.parametrize("keep, line", [(0.0, 1), (0.02, 1), (0.5, None), (0.9999, 13)])
def test_a_truncated_bank_is_refused(sound, tmp_path, keep, line):
    whole = b"\n".join(sound) + b"\n"
    file = tmp_path / "small.jsonl"
    file.write_bytes(whole[: int(len(whole) * keep)])
    stopped = run("bank", "verify", "usowan", 4, 5, "--file", file)
    line = line or whole[: len(whole) // 2].count(b"\n") + 1
    assert stopped.exit_code == 1 and stopped.output.startswith(f"Error: small.jsonl, line {line}: the file is ")
    with pytest.raises(ValueError, match=f"small.jsonl, line {line}: "):
        bank.load("usowan", 4, 5, 1, file=file)  # even where the part that is asked for is whole


def test_the_first_broken_line_is_named_whatever_the_chunks(sound, tmp_path, monkeypatch):
    monkeypatch.setattr(bank, "CHUNK", 3)
    lines = list(sound)
    lines[8], lines[4], lines[11] = without_a_number(lines[8]), without_a_number(lines[4]), without_a_number(lines[11])
    file = tmp_path / "small.jsonl"
    for broken in (5, 9, 12):
        file.write_bytes(b"\n".join(lines) + b"\n")
        stopped = run("bank", "verify", "usowan", 4, 5, "--file", file)
        assert stopped.exit_code == 1 and stopped.output.startswith(f"Error: small.jsonl, line {broken}: ")
        lines[broken - 1] = sound[broken - 1]
    file.write_bytes(b"\n".join(lines) + b"\n")
    assert run("bank", "verify", "usowan", 4, 5, "--file", file).output == "12 boards verified\n"
    assert run("bank", "verify", "usowan", 4, 5, "--scheduler", "nowhere").exit_code == 2


FRAME = pd.DataFrame({"size": ["6x6", "8x8", "10x10"], "answers": [57, 68, 79]})
STORED = b"size,answers\n6x6,57\n8x8,68\n10x10,79\n"
DESCRIBED = {"t": datapackage.Described("t", {}, {"size": "text", "answers": "int"})}


@pytest.mark.parametrize("mode", ["", "check"])
@pytest.mark.parametrize(
    "old, new, words",
    [
        (b"68", b"67", r"data/t.csv: the numbers differ.*\n.*row 1 \(size 8x8\): answers: stored 67, new 68"),
        (b"8x8,68\n", b"", r"data/t.csv: the numbers differ.*\n.*stored 2 rows, new 3"),
        (b"6x6,57\n8x8", b"8x8,57\n6x6", "row 0"),
    ],
)
def test_a_changed_number_is_found_when_the_table_is_compared(tmp_path, monkeypatch, mode, old, new, words):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    monkeypatch.setenv("PUZZLEKIT_TABLES", mode)
    datapackage.note(tmp_path, DESCRIBED)
    (tmp_path / "t.csv").write_bytes(STORED)
    tables.store("t", FRAME)
    (tmp_path / "t.csv").write_bytes(STORED.replace(old, new))
    with pytest.raises(tables.TableDiffers, match=words):
        tables.store("t", FRAME)
    assert (tmp_path / "t.csv").read_bytes() == STORED.replace(old, new)


@pytest.mark.parametrize(
    "old, new, line, words",
    [
        (STORED, b"", 1, "the file is empty"),
        (b"size,answers\n", b"", 1, "the columns are not those"),
        (b"answers", b"asked", 1, "the columns are not those"),
        (b"8x8", b"8\xff8", 3, "not UTF-8 at byte 1 of the line"),
        (b"x10,79\n", b"", 4, "the file is cut off"),
        (b"8x8,68\n10x10,79\n", b"8x8,6", 3, "the file is cut off"),
        (b"x8,68", b"x8", 3, "1 fields instead of 2"),
        (b"68", b"6O", 3, "is not as a value of the type int is written"),
        (b"68", b" 68", 3, "is not as a value of the type int is written"),
        (b"6x6", b'"6x6', 2, "unexpected end of data"),
        (b"8x8", b"8" * 200_000, 3, "field larger than field limit"),
    ],
)
def test_a_damaged_table_is_refused_by_line(tmp_path, monkeypatch, old, new, line, words):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    datapackage.note(tmp_path, DESCRIBED)
    (tmp_path / "t.csv").write_bytes(STORED.replace(old, new))
    for mode in ("", "check", "accept"):
        monkeypatch.setenv("PUZZLEKIT_TABLES", mode)
        for use in (lambda: tables.load("t"), lambda: tables.store("t", FRAME)):
            with pytest.raises(ValueError, match=rf"data/t.csv, line {line}: .*{words}"):
                use()


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('"resources"', '"resources', "is not JSON"),
        ('"resources"', '"tables"', "resources: a list is missing"),
        ('"integer"', '"float"', "'float' is no type of a column"),
        ('"integer"', "[]", "is no type of a column"),
        ('"fields"', '"field"', "fields are missing"),
        ('"parameters": {}', '"parameters": []', "parameters of 't'"),
        ('"name": "answers"', '"name": "size"', "columns of 't' have to be different"),
        ('"table": "t"', '"table": 1', "table: a text is missing"),
        ('"name": "t"', '"name": "../t"', "name: '../t' is not of lower-case words"),
        ('"name": "t"', '"name": "u"', None),
    ],
)
def test_a_damaged_package_is_refused(tmp_path, monkeypatch, old, new, words):
    """Before anything is compared with it, written over it, or read by it; a table that it leaves out as well."""
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    text = datapackage.to_text(DESCRIBED)
    assert old in text
    (tmp_path / datapackage.NAME).write_text(text.replace(old, new))
    (tmp_path / "t.csv").write_bytes(STORED)
    told = f"data/datapackage.json does not describe tables: .*{words}" if words else "data/t.csv is not described in"
    for mode in ("", "check", "accept"):
        monkeypatch.setenv("PUZZLEKIT_TABLES", mode)
        for use in (lambda: tables.load("t"), lambda: tables.store("t", FRAME)):
            with pytest.raises(ValueError, match=told):
                use()
    assert (tmp_path / "t.csv").read_bytes() == STORED


def test_damaged_published_figures_and_sequences_are_refused_by_line(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    for folder, name, text in (
        ("published", "oeis.csv", b"sequence,value\nA1,5\nA1"),
        ("sequences", "a.txt", b"# a\n\xff\n"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(text)
    with pytest.raises(ValueError, match=r"data/published/oeis.csv, line 3: the file is cut off"):
        tables.published("oeis")
    (tmp_path / "published/oeis.csv").write_bytes(b"sequence,value\nA1\n")
    with pytest.raises(ValueError, match=r"data/published/oeis.csv, line 2: 1 fields instead of 2"):
        tables.published("oeis")
    with pytest.raises(ValueError, match=r"a.txt, line 2: not UTF-8"):
        sequences.read("a")


READING = """from puzzlekit import bank
bank.load('usowan', 4, 5)"""
COMPARING = """import pandas as pd
from puzzlekit import tables
frame = tables.store('t', pd.DataFrame({'size': ['6x6', '8x8', '10x10'], 'answers': [57, 68, 79]}))"""


def test_reports_and_notebook_tests_tell_what_is_damaged(project, sound, tmp_path):
    for name, source in (("reading", READING), ("comparing", COMPARING)):
        cells = [nbformat.v4.new_code_cell("n: int = 1", metadata={"tags": ["parameters"]})]
        cells.append(nbformat.v4.new_code_cell(source))
        nbformat.write(nbformat.v4.new_notebook(cells=cells), project / f"notebooks/{name}.ipynb")
    (project / "notebooks/runs.yaml").write_text("- name: reading\n- name: comparing\n  long: true\n")
    (project / "data/banks").mkdir()
    (project / "data/banks/usowan_4x5.jsonl").write_bytes(b"\n".join(sound)[:-9])
    datapackage.note(project / "data", DESCRIBED)
    (project / "data/t.csv").write_bytes(STORED.replace(b"68", b"67"))
    before = {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()}
    (project / "reports/.run-of-a-killed-report").mkdir()
    failures = report.execute(report.plan())
    assert not (project / "reports/.run-of-a-killed-report").exists()
    assert list(failures) == ["reading"] and "usowan_4x5.jsonl, line 13: the file is cut off" in failures["reading"]
    for name in ("index.html", "data.html"):
        (project / "reports" / name).unlink()
    assert {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()} == before
    options = [
        "--nbval",
        "--nbval-current-env",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(project),
        "-c",
        os.devnull,
    ]
    command = [sys.executable, "-m", "pytest", *options, str(project / "notebooks/comparing.ipynb")]
    tested = subprocess.run(
        command, env=os.environ | {"PUZZLEKIT_TABLES": "check"}, capture_output=True, text=True, check=False
    )
    assert tested.returncode == 1 and "1 failed" in tested.stdout
    assert "data/t.csv: the numbers differ" in tested.stdout and "stored 67, new 68" in tested.stdout
