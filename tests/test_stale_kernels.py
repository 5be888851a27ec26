"""The two changes that were once not seen: after a plain import, no cached kernel outlives what it calls. On a copy of
the package.
"""

import os
import shutil
import subprocess
import sys

import pytest

from puzzlekit.machinery import sources


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(sources.PACKAGE, tmp_path / "puzzlekit", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def ask(copy, words, **environment):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT", "LANG")}
    place = {"XDG_CACHE_HOME": str(copy / "cache"), "PYTHONDONTWRITEBYTECODE": "1", "TQDM_DISABLE": "1"}
    words = f"from puzzlekit import usowan; print({words})"
    made = subprocess.run(
        [sys.executable, "-c", words],
        cwd=copy,
        env=kept | place | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.strip()


def edit(copy, name, before, after):
    file = copy / "puzzlekit" / name
    text = file.read_text()
    assert text.count(before) == 1
    file.write_text(text.replace(before, after))


@pytest.mark.parametrize("place", [{}, {"NUMBA_CACHE_DIR": "mine"}], ids=["the usual folder", "the user's own"])
def test_a_clause_taken_out_of_a_callee_is_counted_without(copy, place):
    place = {name: str(copy / folder) for name, folder in place.items()}
    assert ask(copy, "usowan.count(4, 4)", **place) == "562"
    edit(copy, "usowan/moves.py", " or (not first_row and b & then)", "")
    assert ask(copy, "usowan.count(4, 4)", **place) == "1704"
    assert not list((copy / "puzzlekit").rglob("*.nb?"))


def test_two_codes_that_change_places_change_places_in_every_kernel(copy):
    words = "usowan.climb(usowan.Board([[0, -1], [-1, -1]], [[0, 0], [0, 0]]), 'cell').state.tolist()"
    before = ask(copy, words)
    edit(copy, "machinery/grid.py", "UNKNOWN, UNSHADED, SHADED = 0, 1, 2", "UNKNOWN, UNSHADED, SHADED = 0, 2, 1")
    assert ask(copy, words) == before.translate(str.maketrans("12", "21")) != before
