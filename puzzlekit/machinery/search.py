"""What a complete search is asked and what it returns, for one board (`Solution`) and for many at a time (`Batch` in,
`Solutions` out), the same for every genre.

Not here: the loops, which are learning.py's, and rules.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

NO_BUDGET = 1 << 62
WORK = 2_000_000_000  # of a search that was given no other limit, ten to twenty seconds; see learning.DONE
KEPT = 2  # answers of a board that a batch keeps: enough to show that there are two
LARGEST_LIST = 1 << 31  # cells of all the answers that may be asked for


class Solution(NamedTuple):
    """What a complete search found.

    answers : uint8 (k, rows, cols)   distinct answers, at most as many as asked for
    complete : bool                   the search was not ended by its budget
    branch_points : int               cells on which it had to branch
    """

    answers: np.ndarray
    complete: bool
    branch_points: int
    limit: int

    @property
    def unique(self) -> bool | None:
        """True or False where that is certain; None when the budget ran out first, or one answer was asked for."""
        if len(self.answers) > 1:
            return False
        if not self.complete or (len(self.answers) == 1 and self.limit < 2):
            return None
        return len(self.answers) == 1


@dataclass(frozen=True, eq=False)
class Solutions:
    """What complete searches of many boards found; b boards. ``solutions[i]`` is the Solution of board i, ``len`` is b.

    counts : int64 (b,)          distinct answers, at most `limit`
    branch_points : int64 (b,)   cells on which each search had to branch
    complete : bool (b,)         the search was not ended by its budget
    limit : int                  after how many answers a search stopped
    shapes : int64 (b, 2)        rows and cols
    kept : uint8 or int32        the first KEPT answers of every board, all in one row; board i's begin at KEPT *
                                 starts[i]
    starts : int64 (b,)          cells of the boards before
    """

    counts: np.ndarray
    branch_points: np.ndarray
    complete: np.ndarray
    limit: int
    shapes: np.ndarray
    kept: np.ndarray
    starts: np.ndarray

    @property
    def unique(self) -> npt.NDArray[np.bool_]:
        """bool (b,): exactly one answer, for certain."""
        return (self.counts == 1) & ~self.unknown

    @property
    def unknown(self) -> npt.NDArray[np.bool_]:
        """bool (b,): not known whether there is one answer: the budget ran out first, or only one was asked for."""
        return (self.counts < 2) & (~self.complete | ((self.counts == 1) & (self.limit < 2)))

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Solution]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, i: int) -> Solution:
        """The Solution of board i, with no more than its first KEPT answers."""
        rows, cols = self.shapes[i].tolist()
        first = KEPT * self.starts[i]
        n = min(int(self.counts[i]), KEPT)
        answers = self.kept[first : first + n * rows * cols].reshape(n, rows, cols)
        return Solution(answers, bool(self.complete[i]), int(self.branch_points[i]), self.limit)


class Batch(NamedTuple):
    """Boards of one genre in arrays, whatever their sizes; see `pack`.

    shapes : int64 (b, 2)        rows and cols
    starts : int64 (b + 1,)      where each board's cells begin in a layer
    layers : tuple of int32      one array a layer, the boards' cells one after the other
    """

    shapes: np.ndarray
    starts: np.ndarray
    layers: tuple


def pack(boards: Batch | np.ndarray | Iterable[Any], *names: str, least: int | None = None) -> Batch:
    """A Batch of boards; names are the boards' grids that become layers, such as "clues". A Batch is returned as it is.

    Where there is one layer, boards may be an array of them, int (b, rows, cols); ValueError if a value is below
    `least`.
    """
    if isinstance(boards, Batch):
        return boards
    if isinstance(boards, np.ndarray) and boards.dtype.kind in "iu":
        if len(names) > 1 or boards.ndim != 3 or 0 in boards.shape[1:]:
            raise ValueError(
                f"boards must be Boards or an int array (b, rows, cols) of their clues, not one of shape {boards.shape}"
            )
        if least is not None and boards.min(initial=least) < least:
            b, r, c = np.argwhere(boards < least)[0]
            raise ValueError(f"board {b}: {boards[b, r, c]} at row {r}, column {c} is no clue; the least is {least}")
        b, rows, cols = boards.shape
        starts = np.arange(b + 1, dtype=np.int64) * (rows * cols)
        return Batch(
            np.tile(np.array([rows, cols], np.int64), (b, 1)), starts, (_fixed(boards.astype(np.int32).reshape(-1)),)
        )
    boards = list(boards)
    shapes = np.array([board.clues.shape for board in boards], np.int64).reshape(-1, 2)
    starts = np.zeros(len(boards) + 1, np.int64)
    np.cumsum(shapes[:, 0] * shapes[:, 1], out=starts[1:])
    none = [np.empty(0, np.int32)]  # concatenate takes no empty list
    layers = [_fixed(np.concatenate(none + [getattr(board, name).ravel() for board in boards])) for name in names]
    return Batch(shapes, starts, tuple(layers))


def _fixed(layer):
    """A layer that cannot be written, as a board's own cannot: so that kernels are compiled for one type of array."""
    layer.setflags(write=False)
    return layer


def check_work(work: int | None) -> int:
    """The work that a search may do (see learning.DONE) as an int for a kernel, or ValueError. None is NO_BUDGET."""
    return _whole("work", NO_BUDGET if work is None else work, 0)


def ended(spent: npt.NDArray[np.int64], budget: int) -> npt.NDArray[np.bool_]:
    """Which searches came to their end, from what `learning.search` says of their branch points, which are turned into
    plain numbers of branch points in place.
    """
    found = (spent >= 0) & (spent <= budget)
    np.maximum(spent, ~spent, out=spent)
    return found


def check_limits(limit: int, budget: int | None, board: Any = None) -> tuple[int, int]:
    """``(limit, budget)`` as ints for a kernel, or ValueError naming the one that cannot be. A budget of None is
    NO_BUDGET.

    With a board, so many answers of it also have to fit in a list.
    """
    limit, budget = _whole("limit", limit, 1), _whole("budget", NO_BUDGET if budget is None else budget, 0)
    if board is not None and limit * board.rows * board.cols > LARGEST_LIST:
        size = f"{board.rows} x {board.cols}"
        raise ValueError(f"{limit} answers of {size} do not fit in a list; count_answers counts them")
    return limit, budget


def _whole(name, value, least):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
    if value > NO_BUDGET:
        raise ValueError(f"{name} must be at most {NO_BUDGET}, not a number of {len(str(value))} digits")
    return int(value)
