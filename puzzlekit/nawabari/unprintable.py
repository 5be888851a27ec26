"""Nawabari answers that cannot be printed: none of the ways to put one number in each room has a single answer.

Every dissection of a grid is visited, laid room by room from the first free cell. Of those that are turns or mirror
images of each other only one is tested: first with random placements, since most answers have many unique ones, then,
rarely, by the walk over all placements in recuts.py. The random placements save time; the verdict does not depend on
them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..machinery import grid
from ..machinery.kernels import inner, kernel
from ..machinery.search import NO_BUDGET
from . import covers, laying, rectangles, recuts

TRIES = 60  # random placements before the walk


class Unprintable(NamedTuple):
    """What a grid has.

    checked : int                       dissections, all of the grid
    answers : int32 (k, rows, cols)     those that cannot be printed, one of every class of turns and mirror images
    images : int64 (k,)                 how many each of them stands for
    """

    checked: int
    answers: np.ndarray
    images: np.ndarray

    @property
    def count(self) -> int:  # type: ignore[override]  # nobody counts its items
        """How many answers cannot be printed."""
        return int(self.images.sum())


def unprintable(rows: int, cols: int, first: tuple[int, int] | None = None) -> Unprintable:
    """The answers of a grid that cannot be printed.

    Parameters
    ----------
    rows, cols : int
    first : (height, width)     of the room in the first corner: only answers with that one; None is all

    Returns
    -------
    Unprintable                 of a class of turns and mirror images, the one whose rooms come first is counted, with
                                all its images

    Cost: about 20 microseconds a class of dissections: 0.1 s at 4 x 4, 4 s at 4 x 5, 200 s at 5 x 5.

    >>> unprintable(3, 3).count
    0
    """
    rows, cols = grid.check_size(rows, cols)
    images = symmetries(rows, cols)
    checked, answers, sizes = 0, [], []
    for height, width in [first] if first else first_rooms(rows, cols):
        room = 64
        while True:
            dead, orbit = np.empty((room, rows * cols), np.int32), np.empty(room, np.int64)
            total, found = _visit(
                rectangles.words_for(rows * cols), rows, cols, height, width, images, TRIES, dead, orbit
            )
            if found <= room:
                break
            room = 2 * found
        checked += total
        answers.append(dead[:found])
        sizes.append(orbit[:found])
    return Unprintable(checked, np.concatenate(answers).reshape(-1, rows, cols), np.concatenate(sizes))


def first_rooms(rows: int, cols: int) -> list[tuple[int, int]]:
    """Heights and widths that the room in the first corner can have: a list of pairs."""
    return [(height, width) for height in range(1, rows + 1) for width in range(1, cols + 1)]


def symmetries(rows: int, cols: int) -> npt.NDArray[np.int32]:
    """Turns and mirror images of a grid onto itself, but for the identity, as permutations of its cells: int32 (m, rows
    * cols).
    """
    cells = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    images = [cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    if rows == cols:
        images += [image.T for image in (cells, *images)]
    return np.array([image.ravel() for image in images])


@inner
def _orbit(answer, images, names):
    """How many images an answer has, or 0 if one of them comes before it in lexicographic order."""
    n = answer.shape[0]
    same = 1
    for s in range(images.shape[0]):
        for i in range(n):
            names[i] = -1
        fresh = 0
        order = 0
        for cell in range(n):
            room = answer[images[s, cell]]
            if names[room] < 0:
                names[room] = fresh
                fresh += 1
            order = names[room] - answer[cell]
            if order != 0:
                break
        if order < 0:
            return 0
        same += order == 0
    return (images.shape[0] + 1) // same


@inner
def _random_unique(words, rows, cols, answer, tries, seed, work, clues, nothing, area, pick):
    """Whether one of some random placements is unique. Returns (whether, the next seed, the memory used)."""
    n = rows * cols
    k = 0
    for cell in range(n):
        if answer[cell] == k:
            area[k] = 0
            k += 1
        area[answer[cell]] += 1
    for _ in range(tries):
        for i in range(k):
            seed = seed * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            pick[i] = np.int64(seed >> np.uint64(33)) % area[i]
        for cell in range(n):
            i = answer[cell]
            clues[cell] = rectangles.NONE
            if pick[i] == 0:
                r = cell // cols
                c = cell % cols
                clues[cell] = (
                    (r == 0 or answer[cell - cols] != i)
                    + (r == rows - 1 or answer[cell + cols] != i)
                    + (c == 0 or answer[cell - 1] != i)
                    + (c == cols - 1 or answer[cell + 1] != i)
                )
            pick[i] -= 1
        found, _, _, work = covers._solve_in(
            words, rows, cols, clues, rectangles.WALLS, 2, NO_BUDGET, NO_BUDGET, work, nothing
        )
        if found == 1:
            return True, seed, work
    return False, seed, work


@kernel
def _visit(words, rows, cols, height, width, images, tries, dead, orbit):
    """All dissections whose first room has a given shape: (how many, how many classes of them cannot be printed)."""
    n = rows * cols
    answer = np.empty(n, np.int32)
    names = np.empty(n, np.int32)
    clues = np.empty(n, np.int32)
    area = np.empty(n, np.int32)
    pick = np.empty(n, np.int32)
    nothing = np.empty((0, n), np.int32)
    work = covers._memory(words, n, n, rectangles.ROOM_FOR)
    at = np.empty((n + 1, 3), np.int32)  # each room's first cell, height, width
    for cell in range(n):
        answer[cell] = -1
    seed = np.uint64(1)
    total = 0
    found = 0
    depth = 0
    at[0, 0] = 0
    at[0, 1] = height
    at[0, 2] = width
    fresh = True  # the room of this depth is still to be laid
    while depth >= 0:
        cell = at[depth, 0]
        if not fresh:
            laying._paint(answer, cols, at[depth], -1)
            if depth == 0:
                break
            at[depth, 1] += 1
            if cell // cols + at[depth, 1] > rows:
                at[depth, 1] = 1
                at[depth, 2] += 1
                beyond = cell + at[depth, 2] - 1
                if cell % cols + at[depth, 2] > cols or answer[beyond] >= 0:
                    depth -= 1
                    continue
        laying._paint(answer, cols, at[depth], depth)
        fresh = False
        while cell < n and answer[cell] >= 0:
            cell += 1
        if cell < n:
            depth += 1
            at[depth, 0] = cell
            at[depth, 1] = 1
            at[depth, 2] = 1
            fresh = True
            continue
        total += 1
        size = _orbit(answer, images, names)
        if size == 0:
            continue
        fine, seed, work = _random_unique(words, rows, cols, answer, tries, seed, work, clues, nothing, area, pick)
        if fine:
            continue
        unique, _ = recuts._walk(words, rows, cols, answer, 1, NO_BUDGET)
        if unique == 0:
            if found < dead.shape[0]:
                for cell in range(n):
                    dead[found, cell] = answer[cell]
                orbit[found] = size
            found += 1
    return total, found
