"""For maintainers, after a merge or a hand's work on what nobody computes: note again what is stored, as far as Git and
a computation answer for it.

    python tests/seal.py                            pages that follow from their notebooks, tables, executed notebooks,
                                                    banks
    python tests/seal.py data/published/oeis.csv    and these files, which people write

`puzzlekit report` and `puzzlekit bank make` note what they publish by themselves. What this refuses: files that are not
committed; a table whose last commit has no executed notebook that uses it; an executed notebook whose last commit, but
for those that changed its words alone (tests/restate.py), has no page of it; a bank that does not verify. That a
default run gives these numbers is held by `pytest --full`, and must be run after this.
"""

import subprocess
import sys
from pathlib import Path

import nbformat
import restate
from checkout import ROOT, stored

from puzzlekit import GENRES
from puzzlekit.lab import bank, datapackage, digests
from puzzlekit.machinery import files
from puzzlekit.reports import page, report


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def together(name):
    """The names of what the last commit that changed a file has changed; new words of an executed notebook do not
    count.
    """
    commits = git("log", "--format=%H", "--", name).split()
    if name.endswith(".ipynb"):
        commits = [commit for commit in commits if not _only_words(commit, name)]
    return set(git("show", "--format=", "--name-only", "-m", "--first-parent", commits[0]).splitlines())


def _only_words(commit, name):
    """Whether a commit changed nothing but the Markdown of an executed notebook, or took it away."""
    if not git("ls-tree", commit, name):
        return True
    try:
        before = git("show", f"{commit}^:{name}")
    except subprocess.CalledProcessError:  # it was new
        return False
    after = git("show", f"{commit}:{name}")
    return restate.measured(nbformat.reads(before, 4)) == restate.measured(nbformat.reads(after, 4))


def refusal(name, users, by_hand):
    """Why a file cannot be noted, or None."""
    path = Path(name)
    if name in by_hand:
        return None
    if path.parent.name == "banks":
        genre, _, size = path.stem.partition("_")
        try:
            assert genre in GENRES
            bank.verify(genre, *map(int, size.split("x")))
        except ValueError as error:
            return str(error)
        return None
    if path.suffix == ".html" or path.name == datapackage.NAME:
        return None  # written by this very run
    if path.suffix == ".csv" and path.parts[1] != "published":
        return (
            None if together(name) & users.get(name, set()) else "no executed notebook that uses it has changed with it"
        )
    if path.suffix == ".ipynb":
        return None if path.with_suffix(".html").as_posix() in together(name) else "its page has not changed with it"
    return "nothing computes it: name it if the change is meant"


def main(by_hand):
    users = {}
    for name in report.runs():
        notebook = nbformat.read(ROOT / f"reports/{name}.ipynb", as_version=4)
        told = notebook.metadata.pop("puzzlekit")
        for table in told["tables"]:
            users.setdefault(f"data/{table}", set()).add(f"reports/{name}.ipynb")
        html = page.render(notebook, told)
        if (ROOT / f"reports/{name}.html").read_text("utf-8") != html:
            files.write_whole(ROOT / f"reports/{name}.html", html)
    described = datapackage.read(ROOT / "data")
    datapackage.note(ROOT / "data", {}, [name for name in described if not (ROOT / f"data/{name}.csv").exists()])
    report.write_index()
    uncommitted = [
        line[3:] for line in git("status", "--porcelain", "-uno", "--", "data", "reports", "notebooks").splitlines()
    ]
    uncommitted = [name for name in uncommitted if not name.endswith((".html", digests.NAME, datapackage.NAME))]
    if uncommitted:
        sys.exit(f"not committed: {', '.join(uncommitted)}")
    noted, there = digests.read(ROOT / "data"), stored()
    changed = [name for name, path in there.items() if noted["files"].get(name) != digests.digest(path)]
    refused = {name: why for name in changed if (why := refusal(name, users, by_hand))}
    digests.note(ROOT / "data", {name: there[name] for name in changed if name not in refused})
    gone = [name for name in noted["files"] if name not in there]
    digests.drop(ROOT / "data", gone)
    for name, why in refused.items():
        print(f"{name}: {why}", file=sys.stderr)
    print(
        f"{len(changed) - len(refused)} noted, {len(gone)} gone, {len(refused)} refused; "
        "now run: .venv/bin/python -m pytest --full"
    )
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
