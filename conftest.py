"""Before anything is imported: tables checked and never written, no progress in outputs. And which tests run when.

The kernels that nbval starts inherit these variables. Every process that the tests start, and what that starts, has the
variable PUZZLEKIT_TESTS, by which those that outlive the tests are found and ended, however the tests end
(tests/ended.py).
"""

import functools
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.machinery.sources import PACKAGE

ROOT = Path(__file__).resolve().parent
if ROOT / "puzzlekit" != PACKAGE:
    raise RuntimeError(
        f"the tests of {ROOT} have imported puzzlekit from {PACKAGE.parent}; "
        "install this checkout with pip install --no-deps -e ."
    )

os.environ["PUZZLEKIT_TABLES"] = "check"
os.environ["TQDM_DISABLE"] = "1"
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
for name in ("PUZZLEKIT_DATA", "PUZZLEKIT_STAGING", "PUZZLEKIT_COMMAND", "PUZZLEKIT_SCHEDULER", "PUZZLEKIT_CHUNKS"):
    os.environ.pop(name, None)


def pytest_addoption(parser):
    parser.addoption(
        "--full", action="store_true", help="also what takes long: tests marked full, and every default run"
    )


def pytest_configure(config):
    if "PUZZLEKIT_TESTS" not in os.environ:  # the workers of pytest-xdist have it from their parent
        mark = secrets.token_hex(16)
        command = [sys.executable, "-S", str(ROOT / "tests/ended.py"), mark]
        config.stash[_ENDED] = subprocess.Popen(
            command, stdin=subprocess.PIPE, start_new_session=True
        )  # not marked itself
        os.environ["PUZZLEKIT_TESTS"] = mark


_ENDED = pytest.StashKey()


@functools.cache
def _runs():
    from puzzlekit.reports import report

    return report.runs()


def pytest_ignore_collect(collection_path, config):
    """A default run with the notebook's own parameters is tested by its notebook, one with others by its report; long
    ones are not.
    """
    if collection_path.suffix != ".ipynb":
        return None
    run = _runs().get(collection_path.stem)
    tested = run and not run.long and (collection_path.parent.name == "reports") == bool(run.parameters)
    return None if tested and (config.option.full or not run.slow) else True


def pytest_collection_modifyitems(config, items):
    if not config.option.full:
        left_out = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]
