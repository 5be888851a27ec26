"""One look at a Nawabari board for each rung of its ladder: the first thing that the rung finds, and where.

Some of the board may be unknown here: a clue that is not stated is a cell that may be the clue of its room, and does no
harm in another's. With numpy, since nothing is compiled for a look; what a probe climbs is ladder.py.

Not here: how far the rungs get (ladder.py), and what a finding rests on (explain.py).
"""

from functools import cached_property, lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from ..machinery.kernels import inner, kernel
from . import ladder
from .layout import Layout, geometry
from .rules import NO_CLUE, OPEN, UNKNOWN, WALL

Found = tuple[int, list[tuple[int, int]]]  # a place, and the sides that are settled there with their states
BELOW = 1 << ladder.COUNT | 1 << ladder.VERTEX | 1 << ladder.ROOM  # rungs below probe


@lru_cache(maxsize=1)
def _patterns():
    """By what is known of the four sides at a point, up, left, right and down, as a number of base 3: what each can
    only be, uint8 (81, 4), all 0 for a contradiction; and whether there is news, bool (81,), that or a side to settle.
    """
    only, news = np.zeros((81, 4), np.uint8), np.zeros(81, bool)
    for code, known in enumerate(product((UNKNOWN, OPEN, WALL), repeat=4)):
        fit = []
        for up, left, right, down in product((OPEN, WALL), repeat=4):
            stub = (up != down and not left == right == WALL) or (left != right and not up == down == WALL)
            pattern = up, left, right, down
            if not stub and all(state in (UNKNOWN, side) for state, side in zip(known, pattern, strict=True)):
                fit.append(pattern)
        for j in range(4):
            seen = {pattern[j] for pattern in fit}
            only[code, j] = seen.pop() if len(seen) == 1 else UNKNOWN
        news[code] = not fit or tuple(only[code]) != known
    return only, news


def _packed(flags):
    """Rows of flags, bool (m, n), as uint64 (m, n / 64)."""
    words = -(-max(flags.shape[1], 1) // 64)
    padded = np.zeros((len(flags), 64 * words), bool)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _unpacked(words, n):
    """The first n flags of each row of uint64 (m, w)."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, count=n, bitorder="little").astype(bool)


def _crossed(rows, columns):
    """Flags of cells from flags of their rows and columns: bool (m, rows * cols)."""
    return (rows[:, :, None] & columns[:, None, :]).reshape(len(rows), rows.shape[1] * columns.shape[1])


def _table(flags):
    """Sums over rectangles from the first row and column on."""
    sums = np.zeros((flags.shape[0] + 1, flags.shape[1] + 1), int)
    sums[1:, 1:] = flags.cumsum(axis=0).cumsum(axis=1)
    return sums


def _within(sums, top, left, bottom, right):
    """Sums over rectangles; bottom and right are the first that are outside."""
    return sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]


def _rectangles(tops, lefts, bottoms, rights):
    """All combinations, int32 (4, m)."""
    return np.stack([part.ravel() for part in np.meshgrid(tops, lefts, bottoms, rights, indexing="ij")]).astype(
        np.int32
    )


class Looks:
    """The rungs below probe on a board of which some clues are known.

    known : int (rows, cols)        clues that are stated
    printed : bool (rows, cols)     cells that may have a clue
    counts : bool                   numbers count walls
    needed : bool                   a room needs a clue
    """

    def __init__(
        self, known: npt.NDArray[np.int32], printed: npt.NDArray[np.bool_], counts: bool, needed: bool
    ) -> None:
        self.shape, self.needed = known.shape, needed
        self.sides, self.cells, self.ends, self.meeting = geometry(*known.shape)
        clues = known.ravel()
        self.clued = np.flatnonzero(clues != NO_CLUE)
        self.value = np.where((clues >= 0) & counts, clues, -1).astype(np.int32)
        self.numbered = np.flatnonzero(self.value >= 0).astype(np.int32)
        self.unstated = printed & (known == NO_CLUE)
        self.stated = known != NO_CLUE
        self._find_candidates()

    def _find_candidates(self):
        """The rectangles of every clue, small ones first."""
        rows, cols = self.shape
        sums, boxes = _table(self.stated), [np.zeros((4, 0), np.int32)]
        for cell in self.clued.tolist():
            r, c = divmod(cell, cols)
            found = _rectangles(np.arange(r + 1), np.arange(c + 1), np.arange(r, rows), np.arange(c, cols))
            top, left, bottom, right = found
            fits = _within(sums, top, left, bottom + 1, right + 1) == 1
            if self.value[cell] >= 0:
                fits &= np.sum([top == r, left == c, bottom == r, right == c], axis=0) == self.value[cell]
            found = found[:, fits]
            top, left, bottom, right = found
            boxes.append(found[:, np.argsort((bottom - top + 1) * (right - left + 1), kind="stable")])
        sizes = [found.shape[1] for found in boxes[1:]]
        self.boxes = np.concatenate(boxes, axis=1).T.copy()
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        self.clue = np.repeat(np.arange(len(sizes)), sizes)  # of a candidate
        top, left, bottom, right = self.boxes.T[:, :, None]
        row, column = np.arange(rows), np.arange(cols)
        row, column = (top <= row) & (row <= bottom), (left <= column) & (column <= right)
        self.area = _packed(_crossed(row, column))
        beside, over = (column[:, :-1], column[:, 1:]), (row[:, :-1], row[:, 1:])
        self.inside, self.border = (
            _packed(np.hstack([_crossed(row, of_two(*beside)), _crossed(of_two(*over), column)]))
            for of_two in (np.logical_and, np.logical_xor)
        )

    # one look: None, or (place, what it settles), which is nothing for a contradiction

    def count(self, state: npt.NDArray[np.uint8]) -> Found | None:
        """A number that has all its walls, or none to spare; the place is its cell."""
        near, value = state[self.sides[self.numbered]], self.value[self.numbered]
        walls, unknown = (near == WALL).sum(axis=1), (near == UNKNOWN).sum(axis=1)
        wrong = (walls > value) | (walls + unknown < value)
        for i in np.flatnonzero(wrong | (unknown > 0) & ((walls == value) | (walls + unknown == value)))[:1]:
            to = OPEN if walls[i] == value[i] else WALL
            sides = () if wrong[i] else self.sides[self.numbered[i]].tolist()
            return int(self.numbered[i]), sorted((side, to) for side in sides if state[side] == UNKNOWN)
        return None

    def vertex(self, state: npt.NDArray[np.uint8]) -> Found | None:
        """A lattice point at which few patterns are left."""
        only, news = _patterns()
        code = state[self.meeting] @ np.array([27, 9, 3, 1])
        for i in np.flatnonzero(news[code])[:1]:
            found = zip(self.meeting[i].tolist(), only[code[i]].tolist(), strict=True)
            return int(i), sorted((side, to) for side, to in found if to and state[side] == UNKNOWN)
        return None

    def room(self, state: npt.NDArray[np.uint8], alive: npt.NDArray[np.bool_]) -> Found | None:
        """A clue of which all rectangles that are alive, bool (m,), agree on something; those that are not any more are
        marked. The place is the clue's cell, or -1 - a cell that no room reaches.
        """
        n, s, k = len(self.value), len(self.cells), len(self.clued)
        opened, walled = _packed(state[None, :-1] == OPEN), _packed(state[None, :-1] == WALL)
        alive &= ~(self.inside & walled | self.border & opened).any(axis=1)
        wild = self._wild(state)
        while True:
            live = np.flatnonzero(alive)
            left = np.bincount(self.clue[live], minlength=k)
            if not left.all():
                return int(self.clued[left.argmin()]), []
            starts = np.concatenate([[0], left.cumsum()[:-1]]).astype(int)[:k]
            inside, border, reach = (
                join.reduceat(masks[live], starts, axis=0) if k else masks[:0]
                for join, masks in (
                    (np.bitwise_and, self.inside), (np.bitwise_and, self.border), (np.bitwise_or, self.area)
                )
            )  # fmt: skip
            for i in np.flatnonzero(((inside | border) & ~(opened | walled)).any(axis=1))[:1]:
                sides = np.flatnonzero(_unpacked((inside | border)[i : i + 1], s)[0] & (state[:-1] == UNKNOWN))
                walls = _unpacked(border[i : i + 1], s)[0]
                return int(self.clued[i]), [(side, WALL if walls[side] else OPEN) for side in sides.tolist()]
            times = _unpacked(reach, n).sum(axis=0) + 2 * wild
            if not times.all():
                return -1 - int(times.argmin()), []
            own = reach & _packed(times[None] == 1)
            missed = (own[self.clue] & ~self.area).any(axis=1) & alive
            if not missed.any():
                return None
            alive &= ~missed

    def _wild(self, state):
        """Cells of rooms whose clue is none of those stated, bool (n,)."""
        rows, cols = self.shape
        if not self.needed or not self.unstated.any():
            return np.full(rows * cols, not self.needed)
        top, left, bottom, right = self._wild_rectangles
        across, down = np.full((rows, cols + 1), UNKNOWN), np.full((rows + 1, cols), UNKNOWN)
        across[:, 1:-1] = state[: rows * (cols - 1)].reshape(rows, cols - 1)
        down[1:-1] = state[rows * (cols - 1) : -1].reshape(rows - 1, cols)
        opened, walled = (_table(across == OPEN), _table(down == OPEN)), (_table(across == WALL), _table(down == WALL))
        wrong = (
            _within(walled[0], top, left + 1, bottom, right)
            + _within(walled[1], top + 1, left, bottom, right)
            + _within(opened[0], top, left, bottom, left + 1)
            + _within(opened[0], top, right, bottom, right + 1)
            + _within(opened[1], top, left, top + 1, right)
            + _within(opened[1], bottom, left, bottom + 1, right)
        )
        cover = np.zeros((rows + 1, cols + 1), int)
        for r, c, sign in ((top, left, 1), (bottom, left, -1), (top, right, -1), (bottom, right, 1)):
            np.add.at(cover, (r[wrong == 0], c[wrong == 0]), sign)
        return cover.cumsum(axis=0).cumsum(axis=1)[:-1, :-1].ravel() > 0

    @cached_property
    def _wild_rectangles(self):
        """Rectangles without a clue that is stated, but with a cell that may have one: int (4, m), ends excluded."""
        (rows, cols), one = self.shape, np.array([[0], [0], [1], [1]])
        found = _rectangles(*2 * (np.arange(rows), np.arange(cols))) + one
        found = found[:, (found[0] < found[2]) & (found[1] < found[3])]
        return found[:, (_within(_table(self.stated), *found) == 0) & (_within(_table(self.unstated), *found) > 0)]

    # probes

    @cached_property
    def layout(self) -> Layout:
        """This board as the kernels of the ladder read it."""
        full = _packed(np.ones((1, len(self.value)), bool))[0]
        return Layout(
            self.sides, self.cells, self.ends, self.meeting, self.value, self.numbered, self.first, self.area,
            self.inside, self.border, full, self.boxes,
        )  # fmt: skip

    def rule_out(self, state: npt.NDArray[np.uint8], alive: npt.NDArray[np.bool_], start: int) -> int:
        """Mark a rectangle that the rungs below probe refute, the first from `start` on, and round. Returns its place,
        or -1 if there is none.
        """
        return _rule_out(self.layout, state, alive, start)

    def refutable(self, state: npt.NDArray[np.uint8], alive: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
        """Sides and states that the rungs below probe refute, those that take the fewest sides to settle first."""
        settled = np.zeros((len(self.cells), 3), np.int32)
        _refutable(self.layout, state, alive, _packed(self._wild(state)[None])[0], settled)
        side, value = np.nonzero(settled)
        order = np.argsort(settled[side, value], kind="stable")
        return list(zip(side[order].tolist(), value[order].tolist(), strict=True))


@inner
def _stand(board, state, alive):
    """The Work of a ladder that has got where a position is."""
    work = ladder._work(board)
    for side in range(board.cells.shape[0]):
        if state[side] != UNKNOWN:
            ladder._set(work, side, state[side], ladder.COUNT)
    for clue in range(work.size.shape[0]):
        low = board.first[clue]
        work.size[clue] = 0
        for candidate in range(low, board.first[clue + 1]):
            if alive[candidate]:
                ladder._swap(work.order, low + work.size[clue], ladder._place(work.order, low, candidate))
                work.size[clue] += 1
    return work


@inner
def _climbed(board, work, saved, mark, fine):
    """How many sides were settled since `mark` when the rungs below probe meet a contradiction, and at least 1; 0 when
    they do not. Goes back to `mark`.
    """
    fine = fine and ladder._propagate(board, work, BELOW, mark, ladder.PROBE)
    settled = 0 if fine else max(work.tail[0] - mark, 1)
    ladder._undo(work, mark)
    for i in range(saved.shape[0]):
        work.size[i] = saved[i]
    return settled


@kernel
def _rule_out(board, state, alive, start):
    work = _stand(board, state, alive)
    saved = work.size.copy()
    mark = work.tail[0]
    clue = 0
    for i in range(alive.shape[0]):
        candidate = (start + i) % alive.shape[0]
        while not board.first[clue] <= candidate < board.first[clue + 1]:
            clue = (clue + 1) % saved.shape[0]
        if alive[candidate] and saved[clue] > 1:
            fine = ladder._assume(board, work, clue, candidate, ladder.PROBE)
            if _climbed(board, work, saved, mark, fine) > 0:
                alive[candidate] = False
                return candidate
    return -1


@kernel
def _refutable(board, state, alive, wild, settled):
    work = _stand(board, state, alive)
    saved = work.size.copy()
    mark = work.tail[0]
    for w in range(wild.shape[0]):
        work.wild[w] = wild[w]
    for side in range(settled.shape[0]):
        for value in range(OPEN, WALL + 1):
            if state[side] == UNKNOWN:
                fine = ladder._set(work, side, value, ladder.PROBE)
                settled[side, value] = _climbed(board, work, saved, mark, fine)
