"""Usowan: the fewest and the most shaded cells of an answer of an empty grid. Not here: why no more fit, see
studies/most_shaded.py.
"""

import numpy as np

from ..machinery.extremes import Extremes
from ..machinery.frontier import BUDGET
from . import maximal, profile

SUMS = ("shaded",)  # what can be asked


def extremes(
    rows: int,
    cols: int,
    what: str = "shaded",
    *,
    maximal_only: bool = False,
    transpose: bool | None = None,
    budget: int = BUDGET,
) -> Extremes:
    """The least and the greatest number of shaded cells, how many answers attain each, and the first of them.

    Parameters
    ----------
    rows, cols : int
    what : str               "shaded"
    maximal_only : bool      only answers in which no further cell can be shaded, see `count_maximal`; sides from 2
    transpose, budget        as for `diagram`

    Returns
    -------
    Extremes                 witnesses are uint8 (rows, cols), 1 shaded

    Raises
    ------
    ValueError, MemoryError  as `diagram`; ValueError for another sum

    Cost: about six counts. Source: for squares the most are OEIS A239231, the fewest of maximal ones A322125.

    >>> extremes(4, 4).greatest[:2], extremes(4, 4, maximal_only=True).least[:2]
    ((5, 36), (4, 74))
    """
    if what not in SUMS:
        raise ValueError(f"what must be one of {SUMS}, not {what!r}")
    diagram = maximal.diagram if maximal_only else profile.diagram
    found = diagram(rows, cols, transpose=transpose, budget=budget).extremes(np.tile([0, 1], (rows * cols, 1)))
    return Extremes(*(end._replace(witness=end.witness.reshape(rows, cols)) for end in found))
