"""Tasquare: the fewest and the most shaded cells, or blocks, of an answer of an empty grid."""

from typing import Any

import numpy as np

from ..machinery.extremes import Extremes
from . import profile

SUMS = ("shaded", "blocks")  # what can be asked


def extremes(rows: int, cols: int, what: str = "shaded", **options: Any) -> Extremes:
    """The least and the greatest sum over an answer, how many answers attain each, and the first of them.

    Parameters
    ----------
    rows, cols : int
    what : str               "shaded" cells, or "blocks": squares of shaded cells
    options                  of `diagram`: connected, max_side, transpose, budget

    Returns
    -------
    Extremes                 witnesses are uint8 (rows, cols), 1 shaded

    Raises
    ------
    ValueError, MemoryError  as `diagram`; ValueError for another sum, and for blocks that are not squares

    Cost: about six counts.

    >>> extremes(4, 4).greatest[:2], extremes(4, 4, "blocks").greatest[:2]
    ((16, 1), (5, 36))
    """
    if what not in SUMS:
        raise ValueError(f"what must be one of {SUMS}, not {what!r}")
    if not options.get("squares", True):
        raise ValueError("blocks of any shape are not told apart by a sweep: squares=False has no extremes")
    space = profile.diagram(rows, cols, **options)
    if what == "shaded":
        found = space.extremes(np.tile([0, 1], (rows * cols, 1)))
    else:
        found = space.extremes(labels=[0] + [1] * min(rows, cols))
    return Extremes(*(end._replace(witness=end.witness.reshape(rows, cols)) for end in found))
