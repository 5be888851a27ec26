"""Nawabari by brute force, twice: by rectangles laid down one after the other, and by sides of cells decided one by
one.
"""

from itertools import product


def by_rectangle(rows, cols):
    """Dissections as lists of rooms (top, left, bottom, right): the first uncovered cell gets every rectangle that
    fits.
    """

    def extend(covered, rooms):
        free = next((cell for cell in product(range(rows), range(cols)) if cell not in covered), None)
        if free is None:
            yield rooms
            return
        top, left = free
        for bottom, right in product(range(top, rows), range(left, cols)):
            cells = set(product(range(top, bottom + 1), range(left, right + 1)))
            if not cells & covered:
                yield from extend(covered | cells, [*rooms, (top, left, bottom, right)])

    return extend(frozenset(), [])


def by_edge(rows, cols):
    """Dissections as frozensets of walls, pairs of cells: every set of walls, looked at only when all are decided."""
    sides = [((r, c), (r, c + 1)) for r in range(rows) for c in range(cols - 1)]
    sides += [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(cols)]
    for walls in product((False, True), repeat=len(sides)):
        standing = frozenset(side for side, wall in zip(sides, walls, strict=True) if wall)
        room = rooms_between(rows, cols, standing)
        if all(room[a] != room[b] for a, b in standing) and all(map(is_rectangle, set(room.values()))):
            yield standing


def rooms_between(rows, cols, walls):
    """The room of each cell, a frozenset of cells, found by flooding."""
    room = {}
    for start in product(range(rows), range(cols)):
        if start in room:
            continue
        cells, stack = {start}, [start]
        while stack:
            r, c = stack.pop()
            for cell in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                inside = 0 <= cell[0] < rows and 0 <= cell[1] < cols
                if inside and cell not in cells and tuple(sorted([(r, c), cell])) not in walls:
                    cells.add(cell)
                    stack.append(cell)
        room.update(dict.fromkeys(cells, frozenset(cells)))
    return room


def is_rectangle(cells):
    height, width = (max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
    return height * width == len(cells)


def ids(rows, cols, rooms):
    """Rooms (top, left, bottom, right) in the order of their first cells, as a tuple of rows of ids."""
    return tuple(
        tuple(next(i for i, (t, w, b, e) in enumerate(rooms) if t <= r <= b and w <= c <= e) for c in range(cols))
        for r in range(rows)
    )


def walls_of(rows, cols, rooms):
    """The same as a frozenset of walls."""
    room = ids(rows, cols, rooms)
    cells = product(range(rows), range(cols))
    pairs = [
        ((r, c), beside)
        for r, c in cells
        for beside in ((r, c + 1), (r + 1, c))
        if max(beside[0] - rows, beside[1] - cols) < 0
    ]
    return frozenset((a, b) for a, b in pairs if room[a[0]][a[1]] != room[b[0]][b[1]])


def number_at(rows, cols, room, r, c, says="walls", frame=True):
    """What is printed at (r, c) of a room (top, left, bottom, right)."""
    top, left, bottom, right = room
    if says == "area":
        return (bottom - top + 1) * (right - left + 1)
    sides = [(r == top, r == 0), (c == left, c == 0), (r == bottom, r == rows - 1), (c == right, c == cols - 1)]
    return sum(wall and (frame or not edge) for wall, edge in sides)


def answers(clues, *, says="walls", frame=True, several=False, none=False, dissections=None):
    """Answers of a board. clues: rows of -1 (none), -2 (`?`) or a number, in plain lists."""
    rows, cols = len(clues), len(clues[0])
    found = []
    for rooms in dissections or by_rectangle(rows, cols):
        right = True
        for top, left, bottom, side in rooms:
            cells = list(product(range(top, bottom + 1), range(left, side + 1)))
            printed = [(r, c) for r, c in cells if clues[r][c] != -1]
            right = right and (none or len(printed) >= 1) and (several or len(printed) <= 1)
            for r, c in printed:
                if clues[r][c] >= 0 and says != "nothing":
                    right = right and clues[r][c] == number_at(rows, cols, (top, left, bottom, side), r, c, says, frame)
        if right:
            found.append(rooms)
    return found


def printings(rows, cols):
    """Every board that some answer prints, as often as answers print it: a tuple of rows of numbers and -1."""
    for rooms in by_rectangle(rows, cols):
        seats = [list(product(range(t, b + 1), range(w, e + 1))) for t, w, b, e in rooms]
        for chosen in product(*seats):
            board = [[-1] * cols for _ in range(rows)]
            for room, (r, c) in zip(rooms, chosen, strict=True):
                board[r][c] = number_at(rows, cols, room, r, c)
            yield tuple(map(tuple, board))
