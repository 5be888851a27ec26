"""Brackets: "the unshaded cells are one region" on a frontier, in two bit planes and without labels.

A sweep visits cells in reading order. Just before cell (r, c) the frontier has cols + 1 positions: cells 0..c-1 of row
r at positions 0..c-1, a separator at position c, then cells c..cols-1 of the row above at positions c+1..cols.

- Plane `b`: shaded. The separator, all positions further right, and the row above the first one count as shaded.
- Plane `k`: links. Neighbouring unshaded positions are a run. Runs of one region that touch only behind the frontier
  form a chain from left to right. On the first cell of a run, `k` is a closing bracket: the run continues an earlier
  one; on the position just after a run it is an opening bracket: a later run continues it. Chains of different regions
  never cross, since the grid is flat, so brackets pair up by balance.

Planes are int64 with at most WIDEST + 1 positions in use. Not here: which cells may be shaded, and how planes are
packed.
"""

import numpy as np

from .kernels import inner

Plane = int | np.int64

WIDEST = 60  # cells
SEALED = -1  # instead of links: the last unshaded cell has left the frontier, and none may follow


@inner
def _bit(plane, position):
    return (plane >> position) & 1


@inner
def _opening_of(b, k, position):
    """Position at or left of `position` of the opening bracket that a closing one right of it pairs with."""
    depth = 0
    while position >= 0:
        if _bit(k, position):
            if not _bit(b, position):
                depth += 1
            elif depth == 0:
                return position
            else:
                depth -= 1
        position -= 1
    return -1


@inner
def _closing_of(b, k, position):
    """Position at or right of `position` of the closing bracket that an opening one left of it pairs with."""
    depth = 0
    while position <= WIDEST:
        if _bit(k, position):
            if _bit(b, position):
                depth += 1
            elif depth == 0:
                return position
            else:
                depth -= 1
        position += 1
    return -1


@inner
def _chain_start(b, k, position):
    """First cell of the first run in the chain of the run that holds `position`."""
    while True:
        while position > 0 and not _bit(b, position - 1):
            position -= 1
        if not _bit(k, position):
            return position
        position = _opening_of(b, k, position - 1) - 1


@inner
def _chain_end(b, k, position):
    """Position just after the last run in the chain of the run that holds `position`."""
    while True:
        while not _bit(b, position):
            position += 1
        if not _bit(k, position):
            return position
        position = _closing_of(b, k, position + 1)


@inner
def shade(b: Plane, k: Plane, col: int, cols: int) -> Plane:
    """Links after a shaded cell at `col`. `b` is the plane before the cell.

    SEALED when no unshaded cell is left on the frontier, SEALED - 1 when a region is cut off while another one is open.
    """
    if _bit(b, col + 1):
        return k
    then, after = 1 << (col + 1), 1 << (col + 2)
    closes_up = (k & then) != 0
    if col + 2 <= cols and not _bit(b, col + 2):  # the run above only loses its first cell
        k &= ~then
        return k | after if closes_up else k
    opens_up = (k & after) != 0
    k &= ~(then | after)
    if closes_up and not opens_up:
        k &= ~(1 << _opening_of(b, k, col))
    elif opens_up and not closes_up:
        k &= ~(1 << _closing_of(b, k, col + 3))
    elif not closes_up:  # the region of the cell above leaves the frontier
        for position in range(cols + 1):
            if position != col + 1 and not _bit(b, position):
                return SEALED - 1
        return SEALED
    return k


@inner
def leave(b: Plane, k: Plane, col: int, cols: int) -> Plane:
    """Links after an unshaded cell at `col`. `b` is the plane before the cell.

    L is the cell to the left, U the one above, X the one right of U; a missing cell counts as shaded.
    """
    left = col > 0 and not _bit(b, col - 1)  # unshaded
    up = not _bit(b, col + 1)
    beyond = col + 2 <= cols and not _bit(b, col + 2)
    here, then, after = 1 << col, 1 << (col + 1), 1 << (col + 2)
    opens_left, closes_up = (k & here) != 0, (k & then) != 0
    opens_up = not beyond and (k & after) != 0
    first, last = here, 0
    if left and up and opens_left != closes_up:  # two regions become one, one chain nested in a gap of the other
        if opens_left:
            last = 1 << _chain_end(b, k, col + 1)
        else:
            first = 1 << _chain_start(b, k, col - 1)
    if left and up:
        k &= ~(here | then | after)
        if closes_up and not opens_left:
            k |= first
        if beyond:
            k |= then | after | last
        elif opens_up:
            k |= then | last
        elif opens_left and not closes_up:
            k |= then  # the run above was its chain's last: what L opened is opened by the run that holds both
    elif left:
        k &= ~here
        if opens_left:
            k |= then
    elif up:
        k &= ~(here | then | after)
        if closes_up:
            k |= here
        if beyond:
            k |= then | after
        elif opens_up:
            k |= then
    return k
