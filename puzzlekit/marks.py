"""What an answer marks on a grid: cells that are shaded, or sides of cells that have a wall.

Whatever stands at every place has one form: for cells an array (rows, cols), for sides a pair of arrays, right
(rows, cols - 1) and down (rows - 1, cols). A solver's state, the shares of all answers and a picture's heat are such
values. A key names one place: (r, c), or (r, c, "right") and (r, c, "down").

Not here: what the marks mean to a genre's rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .machinery.grid import GridLike, Key


class Walls(NamedTuple):
    """What stands at every side between two cells. The frame is no side.

    right : array (rows, cols - 1)     between (r, c) and (r, c + 1)
    down : array (rows - 1, cols)      between (r, c) and (r + 1, c)
    """

    right: np.ndarray
    down: np.ndarray


Places = np.ndarray | Walls  # what stands at every place: an array of cells, or a pair of arrays of sides


@dataclass(frozen=True)
class Marks:
    """One kind of marks: CELLS or SIDES.

    sides : bool     sides of cells are marked, not cells
    marked : str     what is marked, in words
    has : str        what an answer does at such a place, in words
    """

    sides: bool
    marked: str
    has: str

    def shapes(self, rows: int, cols: int) -> list[tuple[int, int]]:
        """Shapes of the arrays of a value.

        >>> CELLS.shapes(2, 3), SIDES.shapes(2, 3)
        ([(2, 3)], [(2, 2), (1, 3)])
        """
        return [(rows, cols - 1), (rows - 1, cols)] if self.sides else [(rows, cols)]

    def parts(self, value: Places) -> tuple[np.ndarray, ...]:
        """The arrays of a value."""
        return tuple(np.asarray(part) for part in (value if self.sides else (value,)))

    def whole(self, parts: Sequence[np.ndarray]) -> Places:
        """The value of these arrays: an array, or Walls."""
        return Walls(*parts) if self.sides else parts[0]

    def of(self, answer: GridLike) -> tuple[np.ndarray, ...]:
        """The bool arrays of an answer as `solve` gives it: where it shades a cell, or where two rooms meet.

        >>> [part.tolist() for part in SIDES.of([[0, 0], [0, 1]])]
        [[[False], [True]], [[False, True]]]
        """
        answer = np.asarray(answer)
        if not self.sides:
            return (answer != 0,)
        return answer[:, 1:] != answer[:, :-1], answer[1:] != answer[:-1]

    def keys(self, parts: Sequence[np.ndarray]) -> tuple[Key, ...]:
        """The keys of the places that are true in bool arrays, in order.

        >>> CELLS.keys(CELLS.of([[0, 1]])), SIDES.keys(SIDES.of([[0, 0], [0, 1]]))
        (((0, 1),), ((0, 1, 'down'), (1, 0, 'right')))
        """
        places = [[(r, c) for r, c in np.argwhere(part).tolist()] for part in parts]
        if not self.sides:
            return tuple(places[0])
        named = zip(places, Walls._fields, strict=True)
        return tuple(sorted((r, c, name) for cells, name in named for r, c in cells))

    def differ(self, one: GridLike, other: GridLike) -> tuple[Key, ...]:
        """The keys of the places where two answers differ."""
        return self.keys([a != b for a, b in zip(self.of(one), self.of(other), strict=True)])


CELLS = Marks(sides=False, marked="shaded cells", has="is shaded in")
SIDES = Marks(sides=True, marked="walls", has="has a wall in")
