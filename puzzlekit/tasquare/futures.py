"""Tasquare: frontiers that differ and have the same futures, on an empty grid.

A single unshaded cell whose region has no other cell on the frontier must go on below: shaded, the cell below would cut
the region off. Between squares that owe nothing it is therefore as good as one more cell of such a square, below which
no cell may be shaded either. Written so, 1.5 times fewer states are left at 14 columns, a tenth more than there have to
be, and a run that has come to such a cell ends there. What is lost is that no answer ends with the row of such a cell
while another region is open: a flag in the key.

Planes as in `profile`. Not for boards: a clue beside the cell tells the two apart.
"""

from ..machinery.brackets import Plane
from ..machinery.kernels import inner


@inner
def _owes_left(b, o, position, begin):
    """Whether the square that ends before `position`, in a part that begins at `begin`, owes rows."""
    while position > begin and (b >> (position - 1)) & 1:
        position -= 1
        if (o >> position) & 1:
            return True
    return False


@inner
def _owes_right(b, o, position, end):
    """Whether the square that starts at `position`, in a part that ends at `end`, owes rows."""
    while position < end and (b >> position) & 1:
        if (o >> position) & 1:
            return True
        position += 1
    return False


@inner
def merge(b: Plane, k: Plane, o: Plane, col: int, cols: int, ended: bool) -> tuple[Plane, Plane, bool, int]:
    """(Planes b and o with all such cells shaded, whether one is in the present row, side of a run that ends or 0).

    The separator is at position `col`. `ended`: a row has just ended, so that the separator is at 0 and the present row
    is right of it.
    """
    # unshaded, both neighbours shaded, no bracket of its own; what follows the last cell so far is not known yet
    within = (1 << (cols + 1)) - 1
    first = ~b & ((b << 1) | 1) & within
    single = first & ((b >> 1) | (1 << cols)) & ~(k | (k >> 1))
    if col > 0:
        single &= ~(1 << (col - 1))
    if single == 0 or first & (first - 1) == 0:  # the second: no other region is open
        return b, o, False, 0
    side = 0
    if (o >> col) & 1 and (single >> (col + 1)) & 1:
        start = col - 1
        while start > 0 and (b >> (start - 1)) & 1:
            start -= 1
        side = col - start
        o = (o & ~(1 << col)) | ((side - 1) << start)
    merged, late = b, False
    for position in range(cols + 1):
        if (single >> position) & 1:
            present = position < col
            begin, end = (0, col + 1) if present else (col, cols + 1)  # with the separator, whose `o` is "goes on"
            if not _owes_left(b, o, position, begin) and not _owes_right(b, o, position + 1, end):
                merged |= 1 << position
                late |= present or ended
    return merged, o, late, side
