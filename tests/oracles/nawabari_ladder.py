"""The Nawabari ladder in plain Python, from its definition: sides are pairs of cells, what is settled is a dict side ->
bool (wall).
"""

from itertools import product

LEGAL = [p for p in product((0, 1), repeat=4) if sum(p) in (0, 3, 4) or p in ((1, 0, 1, 0), (0, 1, 0, 1))]


def sides_of(rows, cols):
    return [
        ((r, c), beside)
        for r, c in product(range(rows), range(cols))
        for beside in ((r, c + 1), (r + 1, c))
        if beside[0] < rows and beside[1] < cols
    ]


def candidates(clues):
    """For each clue its rectangles (top, left, bottom, right), as a dict cell -> list."""
    rows, cols = len(clues), len(clues[0])
    found = {cell: [] for cell in product(range(rows), range(cols)) if clues[cell[0]][cell[1]] != -1}
    for top, left in product(range(rows), range(cols)):
        for bottom, right in product(range(top, rows), range(left, cols)):
            inside = [(r, c) for r, c in found if top <= r <= bottom and left <= c <= right]
            if len(inside) == 1:
                (r, c), clue = inside[0], clues[inside[0][0]][inside[0][1]]
                if clue < 0 or clue == (r == top) + (r == bottom) + (c == left) + (c == right):
                    found[r, c].append((top, left, bottom, right))
    return found


def says(rectangle, side):
    """What a rectangle says of a side: True a wall, False open, None nothing."""
    top, left, bottom, right = rectangle
    a, b = (top <= r <= bottom and left <= c <= right for r, c in side)
    return None if not (a or b) else a != b


def climb(clues, top):
    """(settled, candidates) as far as the rungs up to `top` get, or None on a contradiction."""
    rows, cols = len(clues), len(clues[0])
    return _climb(clues, top, sides_of(rows, cols), {}, candidates(clues))


def _climb(clues, top, sides, settled, left):
    rungs = [_count, _vertex, _room, _probe][: ("count", "vertex", "room", "probe").index(top) + 1]
    while True:
        for rung in rungs:
            before = len(settled), sum(map(len, left.values()))
            if not rung(clues, sides, settled, left):
                return None
            if before != (len(settled), sum(map(len, left.values()))):
                break
        else:
            return settled, left


def _agree(patterns, sides, settled):
    """Settle what all patterns that fit the settled sides share. False if none fits."""
    fitting = [
        p
        for p in patterns
        if all(side not in settled or settled[side] == wall for side, wall in zip(sides, p, strict=True))
    ]
    if not fitting:
        return False
    for i, side in enumerate(sides):
        if len({p[i] for p in fitting}) == 1:
            settled[side] = bool(fitting[0][i])
    return True


def _count(clues, sides, settled, left):
    for r, c in left:
        if clues[r][c] >= 0:
            around = [side for side in sides if (r, c) in side]
            patterns = [p for p in product((0, 1), repeat=len(around)) if sum(p) + 4 - len(around) == clues[r][c]]
            if not _agree(patterns, around, settled):
                return False
    return True


def _vertex(clues, sides, settled, left):
    for r, c in product(range(1, len(clues)), range(1, len(clues[0]))):
        square = (r - 1, c - 1), (r - 1, c), (r, c), (r, c - 1)
        around = [tuple(sorted((square[i], square[(i + 1) % 4]))) for i in range(4)]
        if not _agree(LEGAL, around, settled):
            return False
    return True


def _room(clues, sides, settled, left):
    for cell in left:
        left[cell] = [x for x in left[cell] if all(says(x, side) in (None, wall) for side, wall in settled.items())]
        if not left[cell]:
            return False
        for side in sides:
            (verdict, *others) = {says(x, side) for x in left[cell]}
            if verdict is not None and not others and settled.setdefault(side, verdict) != verdict:
                return False
    reach = {
        cell: {(r, c) for t, w, b, e in left[cell] for r in range(t, b + 1) for c in range(w, e + 1)} for cell in left
    }
    for r, c in product(range(len(clues)), range(len(clues[0]))):
        owners = [cell for cell in left if (r, c) in reach[cell]]
        if not owners:
            return False
        if len(owners) == 1:
            left[owners[0]] = [x for x in left[owners[0]] if x[0] <= r <= x[2] and x[1] <= c <= x[3]]
    return all(left.values())


def _probe(clues, sides, settled, left):
    for cell in left:
        for rectangle in list(left[cell]):
            trial = {side: says(rectangle, side) for side in sides if says(rectangle, side) is not None}
            fits = all(settled.get(side, wall) == wall for side, wall in trial.items())
            guess = {**left, cell: [rectangle]}
            if not fits or _climb(clues, "room", sides, {**settled, **trial}, guess) is None:
                left[cell].remove(rectangle)
                return bool(left[cell])
    return True
