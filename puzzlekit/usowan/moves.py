"""Usowan: what one cell does to the frontier, in two bit planes.

A sweep visits cells in reading order. Just before cell (r, c) the frontier has cols + 1 positions: cells 0..c-1 of row
r at positions 0..c-1, a separator at position c, then cells c..cols-1 of the row above at positions c+1..cols.

- Plane `b`: shaded. The separator, all positions further right, and the row above the first one count as shaded.
- Plane `k`: links between runs of unshaded cells, see `machinery.brackets`. Brackets pair up by balance and no region
  needs a label.

Not here: how planes are packed and numbered.
"""

import numpy as np

from ..machinery import brackets
from ..machinery.kernels import inner

FORBIDDEN = brackets.SEALED - 1  # instead of links: the cell may not be so


@inner
def move(
    b: brackets.Plane,
    k: brackets.Plane,
    col: int,
    cols: int,
    first_row: bool,
    connected: bool,
    apart: bool,
    shade: bool,
) -> tuple[brackets.Plane, brackets.Plane]:
    """Planes after the cell at column `col`, the separator behind it. Links: FORBIDDEN or SEALED, see `brackets`."""
    here, then = np.int64(1) << col, np.int64(1) << (col + 1)
    if shade:
        if apart and ((col > 0 and b & (here >> 1)) or (not first_row and b & then)):
            return b, np.int64(FORBIDDEN)
        if connected:
            k = brackets.shade(b, k, col, cols)
        return b | here | then, np.int64(k)
    if connected:
        k = brackets.leave(b, k, col, cols)
    return (b & ~here) | then, np.int64(k)
