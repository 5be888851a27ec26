"""Random Tasquare boards for tests, and all shadings of small grids with what every number would be, one square after
the other.
"""

from functools import lru_cache
from itertools import product

import numpy as np
from oracles.tasquare_sat import beside, pieces

from puzzlekit.tasquare.rules import ASKED, NO_CLUE, Board


def shadings(rows, cols):
    """Ways to put down squares that do not touch by a side, as lists of squares, each a set of cells; nothing is one of
    them.
    """
    cells = list(product(range(rows), range(cols)))

    def extend(start, squares, taken):
        yield squares
        for at in range(start, len(cells)):
            r, c = cells[at]
            for side in range(1, min(rows - r, cols - c) + 1):
                square = set(product(range(r, r + side), range(c, c + side)))
                if square & taken:
                    break
                rim = {there for cell in square for there in beside(rows, cols, *cell)}
                yield from extend(at + 1, [*squares, square], taken | square | rim)

    return extend(0, [], set())


@lru_cache
def space(rows, cols):
    """(shading, area, cells, connected): for each shading but the blank one its 0/1 grid, what numbers are right under
    either reading, and whether the unshaded cells are one region at most; arrays (n, rows, cols) and (n,).
    """
    found = [squares for squares in shadings(rows, cols) if squares]
    shading, area, cells = np.zeros((3, len(found), rows, cols), int)
    for i, squares in enumerate(found):
        for square in squares:
            for r, c in square:
                shading[i, r, c] = 1
                for there in beside(rows, cols, r, c):
                    cells[i][there] += 1
            for there in {there for cell in square for there in beside(rows, cols, *cell)} - square:
                area[i][there] += len(square)
    connected = np.array([len(list(pieces(rows, cols, one.ravel()))) < 2 for one in shading])
    return shading, area, cells, connected


def answers(board, *, connected=True, number="area", zero="never"):
    """Answers of a board, an array (n, rows, cols)."""
    shading, area, cells, one_region = space(board.rows, board.cols)
    legal = one_region | (not connected)
    if number != "nothing":
        for r, c in np.argwhere(board.clues != NO_CLUE):
            value = board.clues[r, c]
            legal &= shading[:, r, c] == 0
            if value != 0 or zero != "plain":
                legal &= cells[:, r, c] > 0
            if value != ASKED:
                legal &= (area if number == "area" else cells)[:, r, c] == value
    return shading[legal]


def random_answer(pick, rows, cols):
    """Squares put down at random while the unshaded cells stay one region; a 0/1 grid that shades at least one cell if
    any can.
    """
    answer, taken = np.zeros((rows, cols), int), set()
    for _ in range(rows * cols):
        side = pick.choice([1, 1, 1, 1, 2, 2, 3, 4])
        if side > min(rows, cols):
            continue
        r, c = pick.randint(0, rows - side), pick.randint(0, cols - side)
        square = set(product(range(r, r + side), range(c, c + side)))
        trial = answer.copy()
        trial[r : r + side, c : c + side] = 1
        if not square & taken and len(list(pieces(rows, cols, trial.ravel()))) < 2:
            answer = trial
            taken |= square | {there for cell in square for there in beside(rows, cols, *cell)}
    return answer


def any_board(pick, rows, cols):
    """Clues without a plan: few of these boards have an answer."""
    values = [ASKED, ASKED, 0, 1, 1, 1, 2, 3, 4, 5, 6, 8, 9, 12, 99]
    density = pick.choice([0.05, 0.1, 0.3])
    return Board(
        [[pick.choice(values) if pick.random() < density else NO_CLUE for _ in range(cols)] for _ in range(rows)]
    )


def planned_board(pick, rows, cols):
    """Numbers around random squares, now and then a `?` or a number that is off: no, one or several answers."""
    answer, density, clues = (
        random_answer(pick, rows, cols),
        pick.choice([0.2, 0.4, 0.7, 1.0]),
        np.full((rows, cols), NO_CLUE),
    )
    plain = pick.random() < 0.3  # with clues beside no square too
    sizes = np.zeros((rows, cols), int)
    for r, c in np.argwhere(answer):  # the square of a cell, by its run to either side
        left = right = c
        while left > 0 and answer[r, left - 1]:
            left -= 1
        while right + 1 < cols and answer[r, right + 1]:
            right += 1
        sizes[r, c] = (right - left + 1) ** 2
    for r, c in np.argwhere(answer == 0).tolist():
        total = sum(int(sizes[there]) for there in beside(rows, cols, r, c))
        if pick.random() < density and (total or plain):
            clues[r, c] = pick.choice([total] * 15 + [ASKED, ASKED, max(0, total + pick.choice([-1, 1, 3]))])
    return Board(clues)


def mixed_board(pick, rows, cols):
    return pick.choice([any_board, planned_board, planned_board, planned_board])(pick, rows, cols)
