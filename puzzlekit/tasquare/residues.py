"""Tasquare: answers of an empty grid modulo a number, a word a state however large the count is. Not here: which
answers they are.
"""

from ..machinery.frontier import BUDGET, Kept
from . import profile


def residue(
    rows: int,
    cols: int,
    modulus: int,
    *,
    transpose: bool | None = None,
    kept: Kept | None = None,
    budget: int = BUDGET,
) -> int:
    """Number of answers of an empty rows x cols grid modulo a number.

    Parameters
    ----------
    rows, cols : int
    modulus : int                 from 2 to remainders.LARGEST
    transpose : bool, optional    True to sweep down columns, False along rows; by default whichever is narrower
    kept : Checkpoint, optional   where a sweep that was stopped goes on from, and keeps its last layer
    budget : int                  bytes

    Errors as for `profile.diagram`, whose states are found anew. Cost: mostly that of finding them.

    >>> residue(4, 4, 100)
    39
    """
    return profile.diagram(rows, cols, transpose=transpose, budget=budget).residue(modulus, kept=kept)


def bits_needed(lines: int, across: int) -> int:
    """Bits of the count, or some too many: those of the count without the clause about one region, whose states are
    few.

    >>> bits_needed(4, 4), profile.count(4, 4).bit_length()
    (11, 10)
    """
    return profile.count(lines, across, connected=False).bit_length()
