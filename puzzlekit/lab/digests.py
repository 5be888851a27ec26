"""What every stored file was when it was published: data/digests.json, one line a file.

Only what publishes writes there: a report, for the tables that it has computed (whether they are new or were found
equal), its executed notebook and its page; and a bank that is made at its own place. A number edited by hand in data/
or reports/ is a file that is not what was published, and the tests name it. A run is noted with the stamp of the code
that made it.

Not here: what is compared by its numbers (tables.py). After a merge, `tests/seal.py` notes again what Git can answer
for.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..machinery import files

NAME = "digests.json"


def read(folder: Path) -> dict[str, dict[str, str]]:
    """The digests in a data folder: `files`, by their names from the project's folder, and `runs`, by their names;
    empty where none are.

    Raises
    ------
    ValueError     when the file is no such list
    """
    file = Path(folder) / NAME
    if not file.exists():
        return {"files": {}, "runs": {}}
    try:
        found = json.loads(file.read_text("utf-8"))
        if set(found) != {"files", "runs"} or not all(isinstance(part, dict) for part in found.values()):
            raise ValueError
    except (ValueError, TypeError):
        raise ValueError(f"data/{NAME} is not a list of digests: take it from Git") from None
    return found


def note(
    folder: Path, published: Mapping[str, Path], runs: Mapping[str, str] | None = None, *, known: bool = False
) -> None:
    """Note what files are now that they are published.

    Parameters
    ----------
    folder : Path        the data folder
    published : dict     name of each file, like "data/usowan/space.csv", to the file
    runs : dict          name of a run to the stamp of the code that made it
    known : bool         only files and runs that are noted already: for a run with parameters that nobody else keeps
    """
    with _changing(folder) as noted:
        for kind, values in (("files", {name: digest(file) for name, file in published.items()}), ("runs", runs or {})):
            noted[kind].update((name, value) for name, value in values.items() if not known or name in noted[kind])


def drop(folder: Path, names: Iterable[str]) -> None:
    """Forget files that are gone."""
    with _changing(folder) as noted:
        for name in names:
            del noted["files"][name]


@contextlib.contextmanager
def _changing(folder):
    """The digests of a folder, to be changed and written back."""
    with files.alone(folder):
        noted = read(folder)
        yield noted
        text = (
            json.dumps(noted, indent=0, sort_keys=True) + "\n"
        )  # a line for each, so that Git joins what two branches have published
        file = Path(folder) / NAME
        if not file.exists() or file.read_text("utf-8") != text:
            files.write_whole(file, text)


def faults(noted: Mapping[str, str], there: Mapping[str, Path]) -> Iterator[str]:
    """What is wrong with stored files, in words.

    Parameters
    ----------
    noted : dict     name of each file to its digest
    there : dict     name of each file that has to be noted to the file
    """
    for name in sorted({*noted, *there}):
        if name not in there:
            yield f"{name} was published and is gone"
        elif name not in noted:
            yield f"{name} was not published by puzzlekit"
        elif digest(there[name]) != noted[name]:
            yield f"{name} is not what was published: edited by hand?"


def digest(file: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
