"""Before anything is imported: kernels from exactly these sources, tables checked and never written, no progress in outputs.

The kernels that nbval starts inherit these variables.
"""

import os
from pathlib import Path

from puzzlekit.machinery.sources import PACKAGE

ROOT = Path(__file__).resolve().parent
if ROOT / "puzzlekit" != PACKAGE:
    raise RuntimeError(
        f"the tests of {ROOT} have imported puzzlekit from {PACKAGE.parent}; install this checkout with pip install --no-deps -e ."
    )

os.environ["PUZZLEKIT_TABLES"] = "check"
os.environ["TQDM_DISABLE"] = "1"
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
for name in ("PUZZLEKIT_DATA", "PUZZLEKIT_STAGING", "PUZZLEKIT_COMMAND", "PUZZLEKIT_SCHEDULER", "PUZZLEKIT_CHUNKS"):
    os.environ.pop(name, None)
