"""Why something follows on a Tasquare board: for what the rungs of deduce.py settle, and for contradictions, the
variables that made them do so; asked only when a search has something to learn.

A square that died is told by the cell that killed it, and by no more cells than it takes for all squares in question.
"""

import numpy as np

from ..machinery import learning
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED
from ..machinery.kernels import lean
from ..machinery.learning import NONE
from .deduce import ADDED, AFFORDED, BLANK, BLOCK, CLASH, CROSSED, CUT, HOMELESS, ONLY, SPLIT, Rules
from .rules import ASKED

GONE = 2  # of a side that a square could have, if all that have it were not dead


@lean
def _was(t, variable, before):
    """What a variable was when so many were settled."""
    return t.state[variable] if t.state[variable] != UNKNOWN and t.place[variable] < before else UNKNOWN


@lean
def _kills(board, t, cell, corner, k):
    """Whether a cell as it is leaves no square of side k at a corner."""
    down = cell // board.cols - corner // board.cols
    right = cell % board.cols - corner % board.cols
    if t.state[cell] == UNSHADED:
        return 0 <= down < k and 0 <= right < k
    beside_row = (down == -1 or down == k) and 0 <= right < k
    return beside_row or ((right == -1 or right == k) and 0 <= down < k)


@lean
def _covers(board, square, cell):
    """Whether a square lies over a cell."""
    down = cell // board.cols - board.corner[square] // board.cols
    right = cell % board.cols - board.corner[square] % board.cols
    return 0 <= down < board.side[square] and 0 <= right < board.side[square]


@lean
def _gone(rules, t, cell, k, but, size):
    """Adds to the causes why no square of side k lives over a cell, but one. Returns how many causes there are, or NONE
    where there never was such a square.
    """
    board = rules.board
    n, cols = board.near.shape[0], board.cols
    r = cell // cols
    c = cell - r * cols
    none = True
    for i in range(min(r + 1, k)):
        for j in range(min(c + 1, k)):
            corner = cell - i * cols - j
            if board.reach[corner] < k:
                continue
            none = False
            square = int(board.first[corner]) + k - 1
            if square == but or t.level[square] == 0:
                continue
            told = False
            for at in range(size):
                cause = int(t.causes[at])
                told = told or (cause < n and _kills(board, t, cause, corner, k))
            if not told:
                t.causes[size] = t.by[square] if t.why[square] == CROSSED else square
                size += 1
    return int(NONE) if none else int(size)


@lean
def _lived(rules, t, cell, k, before):
    """Whether a square of side k over a cell was alive when so many were settled; NONE where none ever was."""
    cols, reach, first = rules.board.cols, rules.board.reach, rules.board.first
    r = cell // cols
    c = cell - r * cols
    found = int(NONE)
    for i in range(min(r + 1, k)):
        for j in range(min(c + 1, k)):
            corner = cell - i * cols - j
            if reach[corner] >= k:
                found = 0
                if _was(t, int(first[corner]) + k - 1, before) != UNSHADED:
                    return 1
    return found


@lean
def _possible(allowed, value):
    """Whether what is allowed on each side of a number, 1 for each side of a square, can add up to it."""
    end = allowed.shape[1] - 1
    for a in range(end):
        for b in range(end if allowed[0, a] == 1 else 0):
            if a * a + b * b > value:
                break
            for c in range(end if allowed[1, b] == 1 else 0):
                rest = value - a * a - b * b - c * c
                if rest < 0:
                    break
                d = int(np.sqrt(rest))
                if allowed[2, c] == 1 and d < end and d * d == rest and allowed[3, d] == 1:
                    return True
    return False


@lean
def _number_causes(rules, t, clue, settled, before):
    """What a clue went by: of all that was settled beside it and the squares that were gone, no more than it takes."""
    near, value = rules.board.near, int(rules.board.value[clue])
    n, allowed, size = near.shape[0], rules.listed, 0
    end = allowed.shape[1] - 1
    if value == ASKED:
        for side in range(4):
            there = near[clue, side]
            if there < n and there != settled:
                t.causes[size] = there
                size += 1
        return size
    for side in range(4):
        there = int(near[clue, side])
        was = UNSHADED if there == n else _was(t, there, before)
        allowed[side, 0] = was != SHADED
        for k in range(1, end):
            lived = int(k == 1) if not rules.areas else _lived(rules, t, there, k, before) if was != UNSHADED else 0
            allowed[side, k] = 0 if was == UNSHADED or lived < 0 else 1 if lived else GONE
        if there == settled:  # the other way is what cannot be
            for k in range(1, end if t.state[there] == SHADED else 1):
                allowed[side, k] = 0
            if t.state[there] == UNSHADED:
                allowed[side, 0] = 0
        elif settled > n and _covers(rules.board, settled, there):
            for k in range(end):
                allowed[side, k] = k == rules.board.side[settled]
    for k in range(end - 1, 0, -1):
        for side in range(4):
            if allowed[side, k] == GONE:
                allowed[side, k] = 1
                if _possible(allowed, value):
                    allowed[side, k] = GONE
    for side in range(4):
        there = int(near[clue, side])
        if there in (n, settled):
            continue
        was = _was(t, there, before)
        if was == SHADED and allowed[side, 0] == 0:
            allowed[side, 0] = 1
            if _possible(allowed, value):
                allowed[side, 0] = 0
                t.causes[size] = there
                size += 1
        elif was == UNSHADED:
            for k in range(1, end):
                allowed[side, k] = k == 1 if not rules.areas else _lived(rules, t, there, k, 0) == 1
            if _possible(allowed, value):
                for k in range(1, end):
                    allowed[side, k] = 0
                t.causes[size] = there
                size += 1
    for k in range(1, end):
        for side in range(4):
            if allowed[side, k] == GONE:
                size = _gone(rules, t, int(near[clue, side]), k, settled, size)
    return size


@lean
def _part_causes(rules, t, settled, before):
    """The wall that parts unshaded cells, or would, and a cell on each side of it."""
    near = rules.board.near
    n = near.shape[0]
    label, stack, anchor, border = rules.tree[0], rules.tree[1], rules.tree[2], rules.tree[3]
    pocket = settled >= 0 and t.state[settled] == SHADED
    shut = int(NONE) if pocket else settled
    parts = 0
    piece = outside = int(NONE)
    for cell in range(n):
        label[cell] = NONE
    for cell in range(n):
        if label[cell] >= 0 or cell == shut or _was(t, cell, before) == SHADED:
            continue
        anchor[parts] = NONE
        border[parts] = 0
        label[cell] = parts
        stack[0] = cell
        size = 1
        while size > 0:
            size -= 1
            here = int(stack[size])
            if _was(t, here, before) == UNSHADED and (anchor[parts] < 0 or t.level[here] < t.level[anchor[parts]]):
                anchor[parts] = here
            for j in range(4):
                there = int(near[here, j])
                if there == n:
                    continue
                if there == shut or _was(t, there, before) == SHADED:
                    border[parts] += 1
                elif label[there] < 0:
                    label[there] = parts
                    stack[size] = there
                    size += 1
        if not pocket and anchor[parts] >= 0 and (piece < 0 or border[parts] < border[piece]):
            piece = parts
        parts += 1
    if pocket:
        piece = int(label[settled])
    for part in range(parts):
        if part != piece and anchor[part] >= 0 and (outside < 0 or t.level[anchor[part]] < t.level[outside]):
            outside = int(anchor[part])
    size = 1
    t.causes[0] = outside
    if not pocket:
        t.causes[1] = anchor[piece]
        size += 1
    for cell in range(n):  # what stands beside the piece, and of that what the other side touches
        border[cell] = 0
        if label[cell] != piece:
            for j in range(4):
                if near[cell, j] < n and label[near[cell, j]] == piece:
                    border[cell] = 1
    border[outside] = 2
    stack[0] = outside
    left = 1
    while left > 0:
        left -= 1
        here = int(stack[left])
        for j in range(4):
            there = int(near[here, j])
            if there == n or label[there] == piece or border[there] == 2:
                continue
            if border[there] == 0:
                border[there] = 2
                stack[left] = there
                left += 1
            elif border[there] == 1:
                border[there] = 3
                if there != settled:
                    t.causes[size] = there
                    size += 1
    return size


@lean
def causes(rules: Rules, t: learning.Trail, why: int, by: int, settled: int) -> int:
    """Variables that settled one, or (`settled` FINE) contradict each other, into t.causes. Returns how many."""
    board = rules.board
    n = board.near.shape[0]
    before = t.at[learning.TAIL] if settled < 0 else int(t.place[settled])
    if why == learning.LEARNED:
        return int(learning.literals_of(t, by, settled))
    if why in (CROSSED, BLOCK):
        t.causes[0] = by
        return 1
    if why in (ADDED, AFFORDED):
        return _number_causes(rules, t, by, settled, before)
    if why in (CUT, SPLIT):
        return _part_causes(rules, t, settled, before)
    size = 0
    if why in (HOMELESS, ONLY):
        if by != settled:
            t.causes[0] = by
            size += 1
        k = 1
        while True:
            found = _gone(rules, t, by, k, settled, size)
            if found < 0:
                return size
            size = found
            k += 1
    if why == CLASH:
        t.causes[0] = by
        best = int(NONE)
        for cell in range(n):
            if t.state[cell] != UNKNOWN and _kills(board, t, cell, int(board.corner[by]), int(board.side[by])):
                if best < 0 or t.level[cell] < t.level[best]:
                    best = cell
        t.causes[1] = best
        return 2
    if why == BLANK:
        for cell in range(n):
            t.causes[cell] = cell
        return int(n)
    return size
