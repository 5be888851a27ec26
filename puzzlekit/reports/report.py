"""Run the notebooks of notebooks/runs.yaml through papermill and keep what they give: tables, executed notebooks,
pages, index.

A run that fails leaves its previous table and report as they were, and the other runs go on. Everything that can be
refused is refused before the first kernel starts: unknown runs and parameters, values of a wrong type. Not here: what a
page looks like (page/), how tables are compared (tables.py).
"""

import contextlib
import hashlib
import importlib.metadata
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
import threading
import time
import types
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import yaml
from nbformat import NotebookNode
from tqdm import tqdm

from .. import GENRES
from ..boards import jsonl, meant, shown
from ..jobs import chunks
from ..lab import datapackage, digests, labels, tables
from ..machinery import files, sources
from . import datapage, page, parameters
from .story import pages

ROOT = tables.CHECKOUT
DISTRIBUTION = "pencil-puzzlekit"
WHERE = "scheduler"  # the parameter of a notebook that does not change what it finds
NAME = "[a-z0-9]+(_[a-z0-9]+)*"  # of a run and of its notebook; a double underscore starts other parameters
LONGEST = 150  # characters of parameters in a file's name
FIELDS = {
    "name": str,
    "notebook": str,
    "question": str,
    "parameters": dict,
    "long": bool,
    "slow": bool,
}  # of an entry in runs.yaml
TOLD = {"title": str, "question": str, "command": str, "parameters": dict, "tables": list}  # by a report, of itself


class Run(NamedTuple):
    """One entry of notebooks/runs.yaml."""

    name: str
    notebook: str
    question: str = ""
    parameters: Mapping[str, Any] = types.MappingProxyType({})  # other than the notebook's own defaults
    long: bool = False
    slow: bool = False  # too slow for the quick run of the tests


class Job(NamedTuple):
    """A run with the parameters of this call, ready to execute."""

    run: Run
    name: str  # of the files in reports/, without suffix
    changed: dict[str, Any]  # parameters that differ from the notebook's defaults
    command: str
    scheduler: str = ""  # where its chunks run; "" is where all jobs' do

    @property
    def notebook(self) -> Path:
        return ROOT / "notebooks" / f"{self.run.notebook}.ipynb"


def runs() -> dict[str, Run]:
    """The entries of notebooks/runs.yaml by name, in their order.

    Raises
    ------
    FileNotFoundError     without a checkout
    ValueError            naming the entry that is wrong
    """
    file = ROOT / "notebooks" / "runs.yaml"
    if not file.exists():
        raise FileNotFoundError(
            "no notebooks/runs.yaml: reports are made in a checkout of the project, not from a wheel"
        )
    try:
        entries = yaml.safe_load(file.read_bytes()) or []
    except (yaml.YAMLError, ValueError) as error:  # the latter for a date that is none
        raise ValueError(f"runs.yaml is not YAML: {shown(' '.join(str(error).split()), 300)}") from None
    except RecursionError:
        raise ValueError("runs.yaml is nested too deeply for a list of entries") from None
    if not isinstance(entries, list):
        raise ValueError("runs.yaml must be a list of entries, each starting with `- name:`")
    found = {}
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise ValueError(f"runs.yaml: every entry needs a name, not {shown(entry)}")
        for key, value in entry.items():
            if key not in FIELDS or not isinstance(value, FIELDS[key]):
                raise ValueError(
                    f"runs.yaml, {shown(entry['name'])}: {shown(key)}: {shown(value)}; fields are {list(FIELDS)}"
                )
        run = Run(**{"notebook": entry["name"], **entry})
        for name in (run.name, run.notebook):
            if not re.fullmatch(NAME, name) or len(name) > 80:
                raise ValueError(
                    f"runs.yaml: the name {shown(name)} is not of lower-case words and digits with underscores between"
                )
        if run.name in found:
            raise ValueError(f"runs.yaml: two entries are called {run.name!r}")
        if not (ROOT / "notebooks" / f"{run.notebook}.ipynb").exists():
            raise ValueError(f"runs.yaml, {run.name}: there is no notebooks/{run.notebook}.ipynb")
        found[run.name] = run
    return found


def plan(name: str | None = None, given: Iterable[tuple[str, str]] = (), *, long: bool = False) -> list[Job]:
    """The jobs of one call, everything about them checked.

    Parameters
    ----------
    name : str or None               one run; None is all default runs, or all long ones
    given : list of (name, text)     parameters for that run
    long : bool                      the long runs instead of the default ones

    Returns
    -------
    list of Job

    Raises
    ------
    ValueError                       naming the unknown run or parameter, or the value of a wrong type
    """
    known = runs()
    if name is None:
        if given:
            raise ValueError("parameters need the name of a run: puzzlekit report NAME -p rows 8")
        return [_job(run, {}) for run in known.values() if run.long == long]
    if name not in known:
        raise ValueError(f"unknown run {shown(name)}; {meant(name, known)}`puzzlekit report --list` names them all")
    return [_job(known[name], dict(given))]


def _job(run, given):
    declared = parameters.declared(ROOT / "notebooks" / f"{run.notebook}.ipynb")
    try:
        values = parameters.check(declared, run.parameters)
    except ValueError as error:
        raise ValueError(f"runs.yaml, {run.name}: {error}") from None
    asked = parameters.check(declared, {key: parameters.parse(declared, key, text) for key, text in given.items()})
    scheduler = asked.pop(
        WHERE, values.pop(WHERE, "")
    )  # no part of a measurement: not of its name, its page or its tables
    chunks.where(scheduler)
    other = {key: value for key, value in asked.items() if value != values.get(key, declared[key].default)}
    values.update(other)
    changed = {key: value for key, value in values.items() if value != declared[key].default}
    words = ["puzzlekit", "report", run.name]
    for key in sorted(other):
        words += ["-p", key, parameters.to_text(other[key])]
    label = labels.pairs({key: _file_word(value) for key, value in other.items()})
    if len(label) > LONGEST:
        label = f"{label[: LONGEST - 9]}-{hashlib.sha1(label.encode()).hexdigest()[:8]}"
    return Job(run, f"{run.name}__{label}" if label else run.name, changed, shlex.join(words), scheduler)


def _file_word(value):
    """A value as it can be part of a file name: text with anything special in it becomes its letters and digits, and a
    hash.

    >>> _file_word(8), _file_word("none wrong"), _file_word("https://puzz.link/p?tasquare/2/2/1i")
    (8, 'none wrong', 'tasquare-2-2-1i-defc1999')
    """
    if isinstance(value, list):
        return [_file_word(item) for item in value]
    if not isinstance(value, str) or re.fullmatch(r"[A-Za-z0-9_.+ -]{1,60}", value):
        return value
    words = re.findall("[A-Za-z0-9]+", value.partition("?")[2] or value)
    return f"{'-'.join(words)[:40]}-{hashlib.sha1(value.encode()).hexdigest()[:8]}"


def check_import() -> None:
    """Refuse to run when the import name belongs to another package, or to two at once."""
    owners = set(importlib.metadata.packages_distributions().get("puzzlekit", [])) - {DISTRIBUTION}
    if owners:
        raise ImportError(
            f"the import name puzzlekit is also taken here by the package {sorted(owners)}, which has nothing to do"
            f" with this project: uninstall it, then install {DISTRIBUTION} again"
        )


def execute(
    jobs: Sequence[Job], *, accept: bool = False, workers: int = 2, scheduler: str | None = None
) -> dict[str, str]:
    """Run jobs side by side and rebuild the index.

    Parameters
    ----------
    jobs : list of Job
    accept : bool      replace tables that differ, and refresh the notebooks themselves where a run has their default
                       parameters
    workers : int      kernels at a time
    scheduler : str    where measurements run that come in chunks: see `chunks.run`; None is each kernel itself

    Returns
    -------
    dict               job name to what went wrong, empty when all is well
    """
    chunks.where(scheduler)
    check_import()
    if os.environ.get("PUZZLEKIT_TABLES") != "check":
        try:
            files.expect_writable(tables.folder())
        except PermissionError as error:
            raise PermissionError(f"{error}; PUZZLEKIT_TABLES=check in the environment only compares tables") from None
    files.expect_writable(ROOT / "reports")
    (ROOT / "reports").mkdir(exist_ok=True)
    with _alone():
        for left in (ROOT / "reports").glob(".run-*"):  # by a run that was killed
            shutil.rmtree(left, ignore_errors=True)
        return _execute_all(jobs, accept, workers, scheduler)


@contextlib.contextmanager
def _alone():
    """Hold the lock of this checkout's reports; BlockingIOError when another run has it. A killed run holds nothing."""
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        yield
        return
    (ROOT / ".chunks").mkdir(exist_ok=True)
    with open(ROOT / ".chunks" / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BlockingIOError("another report run is at work in this checkout; wait for its end") from None
        yield


def _execute_all(jobs, accept, workers, scheduler):
    from . import kernelrun

    failures = {}
    total = sum(kernelrun.code_cells(job.notebook) + bool(job.changed) for job in jobs)
    with tqdm(total=total, unit="cell", desc="notebooks", smoothing=0) as bar, ThreadPoolExecutor(workers) as pool:
        pending = {pool.submit(_execute, job, accept, bar, job.scheduler or scheduler): job for job in jobs}
        try:
            for future in as_completed(pending):
                if error := future.exception():
                    failures[pending[future].name] = _words(pending[future], error)
                    tqdm.write(f"{pending[future].name}: failed", file=sys.stderr)
        except KeyboardInterrupt as error:
            pool.shutdown(wait=False, cancel_futures=True)
            kernelrun.stop_all()
            error.add_note("finished runs and chunks are kept; the same command goes on from there")
            raise
    try:
        write_index()
    except (OSError, ValueError) as error:  # the other failures are told as well
        failures["index"] = f"index: {error}"
    return failures


_publishing = threading.Lock()


def _execute(job, accept, bar, scheduler):
    from . import kernelrun

    start = time.monotonic()
    work = Path(tempfile.mkdtemp(prefix=".run-", dir=ROOT / "reports"))
    kept = ROOT / ".chunks" / job.name
    try:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tables.CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PUZZLEKIT_DATA": str(tables.folder()),
            "PUZZLEKIT_STAGING": str(work),
            "PUZZLEKIT_FOLDER": str(Path.cwd()),  # where the paths given to a notebook start
            "PUZZLEKIT_COMMAND": job.command,
            "TQDM_DISABLE": "1",  # progress inside a notebook would end up in its outputs
            chunks.STORE: str(kept),
            **({chunks.SCHEDULER: scheduler} if scheduler else {}),
            **({"PUZZLEKIT_TABLES": "accept"} if accept else {}),
        }
        notebook = kernelrun.run(job.notebook, job.changed, environment, bar.update)
        used, computed = (_lines(work / name) for name in ("tables.txt", "computed.txt"))
        report = {
            "name": job.name,
            "title": page.title(notebook, job.name),
            "question": job.run.question,
            "command": job.command,
            "parameters": job.changed,
            "tables": used,
        }
        with _publishing:  # rendering and moving are quick; one at a time keeps tables and reports in step
            html, own = page.render(notebook, report), nbformat.writes(notebook) + "\n"
            notebook.metadata["puzzlekit"] = report
            made = {f"{job.name}.ipynb": nbformat.writes(notebook) + "\n", f"{job.name}.html": html}
            for name, text in made.items():  # a full disk is noticed before anything is replaced
                files.write_whole(work / name, text)
            tables.publish(work, accept=accept)
            if accept and not job.changed:
                files.write_whole(job.notebook, own)
            for name in made:
                (work / name).replace(ROOT / "reports" / name)
            if os.environ.get("PUZZLEKIT_TABLES") != "check":  # which writes nothing into data/
                published = {f"data/{name}": tables.folder() / name for name in computed}
                published |= {f"data/{datapackage.NAME}": tables.folder() / datapackage.NAME} if computed else {}
                published |= {f"reports/{name}": ROOT / "reports" / name for name in made}
                digests.note(tables.folder(), published, {job.name: code_of(notebook)}, known=job.name != job.run.name)
        shutil.rmtree(
            kept, ignore_errors=True
        )  # a run that was killed or failed goes on from its chunks, a finished one has none
        tqdm.write(f"{job.name}: done in {time.monotonic() - start:.0f} s", file=sys.stderr)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _lines(file):
    return list(dict.fromkeys(filter(None, file.read_text("utf-8").split("\n")))) if file.exists() else []


def code_of(notebook: NotebookNode) -> str:
    """16 hexadecimal digits that stand for the code of a notebook's cells and all of the package that they rest on."""
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    modules = sorted(sources.imports("\n".join(cells), "notebook", whole=True))
    stamps = [sources.stamp(module) for module in modules]
    return hashlib.sha256(json.dumps([cells, stamps]).encode()).hexdigest()[:16]


def made_by_other_code(run: Run) -> bool:
    """Whether the stored report of a run was made by other code than today's, or by code that is not known."""
    file = ROOT / "reports" / f"{run.name}.ipynb"
    if not file.exists():
        return False
    return digests.read(tables.folder())["runs"].get(run.name) != code_of(nbformat.read(file, as_version=4))


def _words(job, error):
    where = f"{job.name}: notebooks/{job.run.notebook}.ipynb"
    if hasattr(error, "exec_count"):  # papermill's error from inside a cell
        first = error.source.strip().split("\n")[0]
        return f"{where}, cell [{error.exec_count}] ({first}): {error.ename}: {error.evalue}"
    if type(error).__name__ == "DeadKernelError":  # nbclient's, which takes a second to import
        return f"{where}: its kernel died; too little memory is a frequent reason"
    return f"{where}: {type(error).__name__}: {error}"


def write_index() -> Path:
    """Write the front page, the pages of the genres and the page of data from the reports that are there. Returns the
    path of the front page, reports/index.html.
    """
    known = runs()
    order = {name: i for i, name in enumerate(known)}
    reports = []
    for file in (ROOT / "reports").glob("*.ipynb"):
        report = _told(file)
        if report and file.with_suffix(".html").exists():
            reports.append({**report, "name": file.stem, "run": file.stem.split("__")[0]})
    reports.sort(key=lambda report: (order.get(report["run"], len(order)), report["name"]))
    datapage.write(reports, ROOT / "reports")
    sections: dict[str, list[dict[str, Any]]] = {
        heading: [] for heading in ("All genres", *(genre.capitalize() for genre in GENRES), "Others")
    }
    # report of each notebook, which the others of the same notebook are told with
    first: dict[str, dict[str, Any]] = {}
    for report in reports:
        notebook = known[report["run"]].notebook if report["run"] in known else None
        if notebook in first:
            first[notebook].setdefault("others", []).append({**report, "label": _label(report)})
            continue
        genre = report["name"].partition("_")[0]
        whole = genre.capitalize() if genre in GENRES else "All genres"
        sections[whole if notebook else "Others"].append(report)
        if notebook:
            first[notebook] = report
    listed = [{"heading": heading, "reports": found} for heading, found in sections.items()]
    target = ROOT / "reports" / "index.html"
    for genre in pages.told():
        files.write_whole(target.with_name(f"{genre}.html"), pages.of_genre(genre, sections[genre.capitalize()]))
    files.write_whole(target, pages.front(listed))
    return target


def _label(report):
    """What sets a report apart from the one of the same notebook with its own parameters.

    >>> _label({"parameters": {"boards": 10000, "genre": "tasquare"}}), _label({"parameters": {"sizes": [19, 20]}})
    ('10,000 boards, Tasquare', 'sizes 19, 20')
    """
    values = dict(report["parameters"])
    words = []
    if {"rows", "cols"} <= set(values):
        words.append(f"{values.pop('rows')} × {values.pop('cols')}")
    if isinstance(values.get("boards"), int):
        words.append(f"{values.pop('boards'):,} boards")
    if "genre" in values:
        words.append(values.pop("genre").capitalize())
    for key, value in values.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        words.append(f"{key.replace('_', ' ')} {shown}")
    return ", ".join(words) if len(words) < 3 else f"{len(words)} other parameters"


def _told(file):
    """What an executed notebook says of its report; None for a file that is no report of ours."""
    try:
        metadata = jsonl.parse(file.read_text("utf-8")).get("metadata")
    except ValueError:
        return None
    report = metadata.get("puzzlekit") if isinstance(metadata, dict) else None
    named = re.fullmatch(r"[A-Za-z0-9_.+=-]+", file.stem)
    return (
        report
        if named and isinstance(report, dict) and all(isinstance(report.get(key), kind) for key, kind in TOLD.items())
        else None
    )
