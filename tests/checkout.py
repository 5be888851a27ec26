"""This checkout's own files, as Git knows them."""

import subprocess
from pathlib import Path

from puzzlekit import GENRES

ROOT = Path(__file__).resolve().parent.parent


def tracked(*places: str) -> list[Path]:
    """Files of the repository, or those below some of its folders; without Git, all that are not hidden."""
    found = subprocess.run(["git", "ls-files", "-z", *places], cwd=ROOT, capture_output=True, text=True, check=False)
    names = found.stdout.split("\0") if not found.returncode and found.stdout else _there(places)
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def _there(places):
    everything = (path.relative_to(ROOT) for top in places or ["."] for path in (ROOT / top).rglob("*"))
    return [
        name
        for name in everything
        if not any(part.startswith(".") for part in name.parts) and "large" not in name.parts
    ]


def stored() -> dict[str, Path]:
    """The files of data/ and reports/ that hold what was found, by their names from here. The front page and the pages
    of the genres and of data follow from the others.
    """
    by_hand = {"data/README.md", "data/sequences/README.md", "data/digests.json"}
    by_hand |= {f"reports/{page}.html" for page in ("index", "data", *GENRES)}
    names = {path.relative_to(ROOT).as_posix(): path for path in tracked("data", "reports")}
    return {name: path for name, path in names.items() if name not in by_hand}
