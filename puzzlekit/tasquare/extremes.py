"""Tasquare: the fewest and the most shaded cells, or blocks, of an answer of an empty grid."""

import numpy as np

from ..machinery.extremes import Extremes
from ..machinery.frontier import BUDGET
from . import profile

SUMS = ("shaded", "blocks")  # what can be asked


def extremes(
    rows: int,
    cols: int,
    what: str = "shaded",
    *,
    connected: bool = True,
    max_side: int | None = None,
    transpose: bool | None = None,
    budget: int = BUDGET,
) -> Extremes:
    """The least and the greatest sum over an answer, how many answers attain each, and the first of them.

    Parameters
    ----------
    what : str               "shaded" cells, or "blocks": squares of shaded cells
    others                   as for `diagram`

    Returns
    -------
    Extremes                 witnesses are uint8 (rows, cols), 1 shaded

    Raises
    ------
    ValueError, MemoryError  as `diagram`; ValueError for another sum

    Cost: about six counts.

    >>> extremes(4, 4).greatest[:2], extremes(4, 4, "blocks").greatest[:2]
    ((16, 1), (5, 36))
    """
    if what not in SUMS:
        raise ValueError(f"what must be one of {SUMS}, not {what!r}")
    space = profile.diagram(
        rows, cols, connected=connected, max_side=max_side, transpose=transpose, budget=budget, walk=True
    )
    if what == "shaded":
        found = space.extremes(np.tile([0, 1], (rows * cols, 1)))
    else:
        found = space.extremes(labels=[0] + [1] * min(rows, cols))
    return Extremes(*(end._replace(witness=end.witness.reshape(rows, cols)) for end in found))
