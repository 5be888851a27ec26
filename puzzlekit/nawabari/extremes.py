"""Nawabari: the fewest and the most rooms, or walls, of a dissection of a grid."""

import numpy as np

from ..machinery.extremes import Extremes
from ..machinery.frontier import BUDGET
from . import profile

SUMS = ("rooms", "walls")  # what can be asked


def extremes(
    rows: int, cols: int, what: str = "rooms", *, transpose: bool | None = None, budget: int = BUDGET
) -> Extremes:
    """The least and the greatest sum over a dissection, how many dissections attain each, and the first of them.

    Parameters
    ----------
    rows, cols : int
    what : str               "rooms", or "walls": sides of cells between two rooms
    transpose, budget        as for `diagram`

    Returns
    -------
    Extremes                 witnesses are int32 (rows, cols), room ids in reading order

    Raises
    ------
    ValueError, MemoryError  as `diagram`; ValueError for another sum

    Cost: about six counts of a diagram.

    >>> extremes(3, 3).greatest[:2], extremes(3, 3, "walls").least[:2]
    ((9, 1), (0, 1))
    """
    if what not in SUMS:
        raise ValueError(f"what must be one of {SUMS}, not {what!r}")
    space = profile.diagram(rows, cols, transpose=transpose, budget=budget)
    if what == "rooms":
        values = np.tile([0, 0, 0, 1], (rows * cols, 1))
    else:  # the frame is no wall: a sweep decides walls along itself and across, see `profile.walls_of`
        begins = np.array([[r > 0, c > 0] for r in range(rows) for c in range(cols)])
        along, across = begins.T[:: -1 if (cols > rows if transpose is None else transpose) else 1]
        values = np.stack([0 * along, along, across, along.astype(int) + across], axis=1)
    ends = []
    for end in space.extremes(values):
        walls = profile.walls_of(rows, cols, end.witness, transpose)
        ends.append(end._replace(witness=profile.rooms_of(walls)[0]))
    return Extremes(*ends)
