"""Nawabari: points where walls meet, and that what is legal at every point is legal as a whole. Not here: counting."""

import numpy as np

from ..machinery import grid
from ..machinery.kernels import inner, kernel
from ..marks import Walls

# Walls at a point to the left, above, to the right, below: nothing, straight across, straight down, four Ts, a plus.
VERTEX_PATTERNS = (
    (0, 0, 0, 0), (1, 0, 1, 0), (0, 1, 0, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1),
)  # fmt: skip


def point_patterns(walls: Walls) -> dict[tuple[int, ...], int]:
    """How many interior points of one answer's Walls show each pattern of walls: dict of pattern to int, all 16.

    Patterns are walls to the left, above, to the right, below; the legal ones are VERTEX_PATTERNS.
    """
    right, down = (np.asarray(part, int) for part in walls)
    codes = down[:, :-1] + 2 * right[:-1] + 4 * down[:, 1:] + 8 * right[1:]
    found = np.bincount(codes.ravel(), minlength=16)
    return {tuple(code >> i & 1 for i in range(4)): int(found[code]) for code in range(16)}


def compare_wall_patterns(rows: int, cols: int) -> dict[str, int]:
    """All sets of walls of a small grid, judged at its points and judged as rooms: that the one is the other.

    Returns
    -------
    dict of int      patterns: sets of walls; local: legal at every point; whole: every room a rectangle and every wall
                     between two rooms; differ: judged differently

    Raises
    ------
    ValueError       when there are more than 2 ** 24 sets

    >>> compare_wall_patterns(2, 2)
    {'patterns': 16, 'local': 8, 'whole': 8, 'differ': 0}
    """
    rows, cols = grid.check_size(rows, cols)
    sides = rows * (cols - 1) + (rows - 1) * cols
    if sides > 24:
        raise ValueError(f"{rows} x {cols} has {sides} sides, too many to try all walls; at most 24 are tried")
    legal = np.zeros(16, bool)
    for pattern in VERTEX_PATTERNS:
        legal[sum(bit << i for i, bit in enumerate(pattern))] = True
    local, whole, differ = _compare_patterns(rows, cols, legal)
    return {"patterns": 1 << sides, "local": local, "whole": whole, "differ": differ}


@inner
def _whole(rows, cols, right, down, room, stack):
    """Whether rooms are rectangles and walls lie between two rooms: flood each room, compare it with its bounds."""
    for cell in range(rows * cols):
        room[cell] = -1
    for first in range(rows * cols):
        if room[first] >= 0:
            continue
        room[first] = first
        stack[0] = first
        depth = cells = 1
        top = bottom = first // cols
        west = east = first % cols
        while depth:
            depth -= 1
            r, c = stack[depth] // cols, stack[depth] % cols
            top, bottom, west, east = min(top, r), max(bottom, r), min(west, c), max(east, c)
            for side in range(4):
                y, x = r, c
                if side == 0 and c + 1 < cols and not right[r, c]:
                    x += 1
                elif side == 1 and c > 0 and not right[r, c - 1]:
                    x -= 1
                elif side == 2 and r + 1 < rows and not down[r, c]:
                    y += 1
                elif side == 3 and r > 0 and not down[r - 1, c]:
                    y -= 1
                if room[y * cols + x] < 0:
                    room[y * cols + x] = first
                    stack[depth] = y * cols + x
                    depth += 1
                    cells += 1
        if cells != (bottom - top + 1) * (east - west + 1):
            return False
    for r in range(rows):
        for c in range(cols):
            if c + 1 < cols and right[r, c] and room[r * cols + c] == room[r * cols + c + 1]:
                return False
            if r + 1 < rows and down[r, c] and room[r * cols + c] == room[r * cols + c + cols]:
                return False
    return True


@kernel
def _compare_patterns(rows, cols, legal):
    sides = rows * (cols - 1)
    right, down = np.zeros((rows, cols), np.uint8), np.zeros((rows, cols), np.uint8)
    room, stack = np.zeros(rows * cols, np.int64), np.zeros(rows * cols, np.int64)
    local = whole = differ = 0
    for pattern in range(1 << (sides + (rows - 1) * cols)):
        for r in range(rows):
            for c in range(cols):
                if c + 1 < cols:
                    right[r, c] = (pattern >> (r * (cols - 1) + c)) & 1
                if r + 1 < rows:
                    down[r, c] = (pattern >> (sides + r * cols + c)) & 1
        at_points = True
        for r in range(rows - 1):
            for c in range(cols - 1):
                code = down[r, c] + 2 * right[r, c] + 4 * down[r, c + 1] + 8 * right[r + 1, c]
                at_points = at_points and legal[code]
        as_rooms = _whole(rows, cols, right, down, room, stack)
        local += at_points
        whole += as_rooms
        differ += at_points != as_rooms
    return local, whole, differ
