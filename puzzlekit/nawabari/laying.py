"""Nawabari rooms laid one after the other, each over the first cell that is not covered yet.

The plainest search, for readings whose rooms have several clues or none. Not here: anything that prunes.
"""

import numpy as np

from ..machinery.kernels import kernel, lean
from . import rectangles


@kernel
def _lay(rows, cols, clues, counts, fewest, most, limit, budget, answers):
    """Answers by laying rooms from the first free cell, each with `fewest` to `most` clues; as `covers._search`.

    Every cell where a room begins counts as a branch point.
    """
    n = rows * cols
    answer = np.empty(n, np.int32)
    at = np.empty((n + 1, 3), np.int32)  # each room's first cell, height, width
    laid = np.zeros(n + 1, np.uint8)
    for cell in range(n):
        answer[cell] = -1
    at[0, 0] = 0
    at[0, 1] = 0
    at[0, 2] = 1
    depth = 0
    found = 0
    branch_points = 1
    while depth >= 0 and branch_points <= budget:
        first = at[depth, 0]
        top = first // cols
        left = first % cols
        if laid[depth]:
            _paint(answer, cols, at[depth], -1)
            laid[depth] = 0
        at[depth, 1] += 1
        if top + at[depth, 1] > rows:
            at[depth, 1] = 1
            at[depth, 2] += 1
        bottom = top + at[depth, 1] - 1
        right = left + at[depth, 2] - 1
        if right >= cols or answer[top * cols + right] >= 0:
            depth -= 1
            continue
        inside = 0
        fine = True
        for r in range(top, bottom + 1):
            for c in range(left, right + 1):
                if clues[r * cols + c] != rectangles.NONE:
                    inside += 1
                    fine &= rectangles._agrees(clues[r * cols + c], counts, r, c, top, left, bottom, right, rows, cols)
        if not fine or inside < fewest or inside > most:
            continue
        _paint(answer, cols, at[depth], depth)
        laid[depth] = 1
        cell = first
        while cell < n and answer[cell] >= 0:
            cell += 1
        if cell == n:
            if found < answers.shape[0]:
                for x in range(n):
                    answers[found, x] = answer[x]
            found += 1
            if found == limit:
                return found, branch_points
            continue
        depth += 1
        branch_points += 1
        at[depth, 0] = cell
        at[depth, 1] = 0
        at[depth, 2] = 1
    return found, branch_points


@lean
def _paint(answer, cols, room, name):
    for r in range(room[1]):
        for c in range(room[2]):
            answer[room[0] + r * cols + c] = name
