"""Usowan: how many cells of an n x n grid can be shaded at most, and why no more? OEIS A239231.

Shaded cells do not touch and the unshaded ones are one region. Join shaded cells that meet at a corner, and every
shaded cell on the edge of the grid to one node more, the outside. Unshaded cells are one region only if nothing closes
a ring, so this is a forest. Of s shaded cells let b lie on the edge but not in a corner, c in corners; let d pairs meet
at a corner, and t be the trees without the outside. A forest has one edge less than nodes for each tree:

    d + b + c = s - t.

There are (n - 1)^2 inner points where four cells meet. A cell has 4 of them, 2 on the edge and 1 in a corner; each of
the d pairs shares one, no other is in two cells, u are in none:

    4 s - 2 b - 3 c = (n - 1)^2 - u + d.

Along the edge of the grid lie 4 (n - 1) cells in a ring. Of b + c shaded ones no two are neighbours; g pairs of
neighbours there are both unshaded: 2 (b + c) = 4 (n - 1) - g. All together:

    6 s = 2 n^2 + 6 - loss,    loss = g + 2 (4 - c) + 2 u + 2 t.

Each part of the loss is at least 0, which bounds s, and closer than that:

- n even: the cells from one corner to the next are even in number, so a side with two shaded corners has a pair of
  unshaded neighbours, and each unshaded corner costs 2 for two sides: the loss is at least 4, and as 6 divides
  2 n^2 + 6 - loss, it is at least 6 where 3 divides n, else 8.
- n odd, not divisible by 3: at least 2, by the same division.
- n odd and divisible by 3: 0 or at least 6. With 0, the edge alternates and its corners are shaded. Then no cell of
  the next ring is shaded: one is beside a shaded cell, or it meets two cells that are joined to the outside and would
  close a ring. For n > 3 the inner points within that ring have to be in cells still further in, and the trees of those
  cannot get out, which costs 2 each. So it is at least 6, but for n = 3.

So at most n^2 / 3, rounded down, where n is even or divisible by 3, and (n^2 + 2) / 3 elsewhere: `bound`, 4 for n = 3.
`witness` finds an answer that has so many. Not here: the count of them, see `usowan.extremes`.
"""

import numpy as np
import numpy.typing as npt

from .. import usowan
from ..machinery import grid
from ..machinery.kernels import kernel
from ..usowan.profile import DEAD, SEALED, START, accepted, grow

LARGEST = 30  # a word holds the frontier and one bit for the cell that left it last
_NEVER = 1 << 20  # a loss that is not possible
_LAST = np.uint64(1 << 63)  # in a word: the cell that left the frontier last is shaded


def bound(n: int) -> int:
    """No answer of an n x n grid shades more cells; the proof stands at the head of this module. 0 for n = 1.

    >>> [bound(n) for n in range(1, 14)]
    [0, 1, 4, 5, 9, 12, 17, 21, 27, 33, 41, 48, 57]
    """
    n, _ = grid.check_size(n, n)
    if n == 3:
        return 4
    return (n * n + 2) // 3 if n % 6 in (1, 5) and n > 1 else n * n // 3


def witness(n: int, shaded: int | None = None, *, width: int = 20_000, seed: int = 1) -> npt.NDArray[np.uint8] | None:
    """An answer with so many shaded cells, or None where none was found.

    A sweep over the cells that keeps states with the least loss, at most `width` of them, without a look back. Where it
    never had to drop one, None means that there is none.

    Parameters
    ----------
    n : int                    2 to LARGEST
    shaded : int, optional     at least that many; by default `bound`
    width : int                states kept
    seed : int                 of the choice among states of about the same loss

    Returns
    -------
    uint8 (n, n), 1 shaded; or None

    Raises
    ------
    ValueError                 another n

    Cost: n * n sorts of 2 * width words; about a second with 20,000 for n = 20.

    >>> int(witness(13).sum())
    57
    """
    if not 2 <= n <= LARGEST:
        raise ValueError(f"n must be from 2 to {LARGEST}, not {n}")
    cap = 2 * n * n + 6 - 6 * (bound(n) if shaded is None else shaded)
    rest, rng = _rest_of_edge(n), np.random.default_rng(seed)
    words, losses = np.array([START], np.uint64), np.zeros(1, np.int64)
    came_from = []
    for r, c in np.ndindex(n, n):
        after = np.empty(2 * len(words), np.uint64)
        lost, steps = np.empty((2, 2 * len(words)), np.int64)
        found = _expand(words, losses, r, c, n, cap, rest[r, c], after, lost, steps)
        after, lost, steps = after[:found], lost[:found], steps[:found]
        order = np.lexsort((lost, after))  # of equal words the least loss
        order = order[np.concatenate([[True], np.diff(after[order]) != 0])[: len(order)]]
        if len(order) > width:
            order = order[np.argpartition(_promise(after[order], lost[order], rng), width)[:width]]
        words, losses = after[order], lost[order]
        came_from.append(steps[order].astype(np.uint32))
    ends = np.flatnonzero(accepted(words & ~_LAST) & (losses <= cap))
    if not len(ends):
        return None
    state, cells = ends[np.argmin(losses[ends])], np.zeros(n * n, np.uint8)
    for cell in reversed(range(n * n)):
        step = came_from[cell][state]
        state, cells[cell] = step >> 1, step & 1
    return cells.reshape(n, n)


def found(n: int, width: int) -> dict[str, object]:
    """What is known of a size: bound, shaded (of a witness, None without one), witness (lines of # and ., or None)."""
    answer = witness(n, width=width)
    lines = None if answer is None else "/".join("".join(".#"[cell] for cell in line) for line in answer)
    return {"bound": bound(n), "shaded": None if answer is None else int(answer.sum()), "witness": lines}


def ends(n: int, maximal_only: bool) -> dict[str, int]:
    """Fewest and most shaded cells of all answers of an n x n grid, and how many answers have so many."""
    least, greatest = usowan.extremes(n, n, maximal_only=maximal_only)
    return {
        "fewest": least.value, "with the fewest": least.answers,
        "most": greatest.value, "with the most": greatest.answers,
    }  # fmt: skip


def _trees(words):
    """Trees that stand on the frontier and are not the outside's: as many as there are links, by planarity."""
    return np.bitwise_count(words & ~_LAST & np.uint64(0xFFFFFFFF) & (words & ~_LAST) >> np.uint64(32)).astype(np.int64)


def _promise(words, losses, rng):
    """Lower is better: what is lost for certain, and a quarter of what trees that are not yet joined would cost."""
    return losses - 1.5 * _trees(words) + 0.5 * rng.random(len(words))


def _rest_of_edge(n):
    """The least that cells of the edge which are not yet decided lose: int64 (n, n, 2, 2), by the cell visited last
    and by whether the decided cells at both ends of those are shaded: first the one that comes first clockwise.
    """
    ring = [(0, c) for c in range(n)] + [(r, n - 1) for r in range(1, n)]
    ring += [(n - 1, c) for c in range(n - 2, -1, -1)] + [(r, 0) for r in range(n - 2, 0, -1)]
    corners = {(0, 0), (0, n - 1), (n - 1, 0), (n - 1, n - 1)}
    rest = np.zeros((n, n, 2, 2), np.int64)
    for r, c in np.ndindex(n, n):
        before = (0, c) if r == 0 else (r if c == n - 1 else r - 1, n - 1)
        behind = (0, 0) if r == 0 else (r, c if r == n - 1 else 0)
        first, last = ring.index(before), ring.index(behind)
        open_cells = [ring[at % len(ring)] for at in range(first + 1, last if last > first else last + len(ring))]
        if (r, c) == (n - 1, n - 1):
            continue
        for begin in range(2):
            least = [_NEVER, _NEVER]
            least[begin] = 0
            for cell in open_cells:
                shade = least[0]
                leave = min(least[0] + 1, least[1]) + 2 * (cell in corners)
                least = [leave, shade]
            rest[r, c, begin] = min(least[0] + 1, least[1]), least[0]
    return rest


@kernel
def _expand(words, losses, r, c, n, cap, rest, after, lost, steps):
    """Words after the cell (r, c), what is lost with them, and from where they came (2 * place + shaded); how many.

    What is lost counts trees by cells and edges, so those that stand on the frontier are in it and may still be joined.
    """
    found = 0
    last_row, side, end = r == n - 1, c == 0 or c == n - 1, r == 0 or r == n - 1
    for i in range(len(words)):
        word = words[i] & np.uint64((1 << 63) - 1)
        b = np.int64(word & np.uint64(0xFFFFFFFF))
        corner = words[i] >> np.uint64(63) == 1 and r > 0 and c > 0
        above = r > 0 and (b >> (c + 1)) & 1 == 1
        left = c > 0 and (b >> (c - 1)) & 1 == 1
        beyond = r > 0 and c + 1 < n and (b >> (c + 2)) & 1 == 1
        for shade in range(2):
            word_after = grow(word, c, n, r == 0, True, True, shade == 1)
            if word_after in (DEAD, SEALED):
                continue
            loss = losses[i]
            if shade == 1:
                loss += 2 * (1 - corner - beyond - (side or end))
            else:
                loss += 2 * (side and end) + (c > 0 and end and not left) + (r > 0 and side and not above)
                loss += 2 * (r > 0 and c > 0 and not corner and not above and not left)
            links, joined = 0, word_after & np.uint64(0xFFFFFFFF) & word_after >> np.uint64(32)
            while joined != 0:
                links += 1
                joined &= joined - np.uint64(1)
            before = shade if r == 0 and c + 1 < n else np.int64(word_after >> np.uint64(n)) & 1
            behind = shade if last_row else np.int64(word_after >> np.uint64(c + 1 == n)) & 1
            if loss - 2 * links + rest[before, behind] > cap:
                continue
            after[found] = word_after | np.uint64(above and c + 1 < n) << np.uint64(63)
            lost[found], steps[found] = loss, 2 * i + shade
            found += 1
    return found
