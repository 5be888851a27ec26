"""The rules of a genre as pictures of one real board: its answer, and for each clause the shading or the walls nearest
to the answer that break this clause, with what is wrong framed.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ... import GENRES
from ...machinery.grid import SHADED, UNSHADED
from ...marks import Places
from ...show import pictures


class Shown(NamedTuple):
    """A rule: its clause's code, what it says, and a picture in which it is the first that is broken, or None where
    whatever breaks it breaks an earlier one as well.
    """

    code: str
    said: str
    wrong: pictures.Picture | None


def right(board: Any) -> pictures.Picture:
    """The board with its answer."""
    return board.picture(_answer(board))


def shown(board: Any) -> list[Shown]:
    """The rules of the board's genre, each with what breaks it."""
    package, found = GENRES[board.genre], {}
    for parts in _near(board, _answer(board)):
        code = package.check(board, package.MARKS.whole(parts))
        if code is not None and code not in found:
            found[code] = _wrong(board, parts, code)
        if len(found) == len(package.RULES_TOLD):
            break
    return [Shown(code, said, found.get(code)) for code, said in package.RULES_TOLD.items()]


def _answer(board):
    return GENRES[board.genre].solve(board).answers[0]


def _near(board, answer) -> Iterator[tuple[np.ndarray, ...]]:
    """Marks near those of the answer: one place changed, then two, then other answers of the empty grid, the nearest
    first, then nothing marked.
    """
    package = GENRES[board.genre]
    marks = package.MARKS.of(answer)
    sizes = [part.size for part in marks]
    flat = np.concatenate([part.ravel() for part in marks])
    for many in (1, 2):
        for places in combinations(range(len(flat)), many):
            changed = flat.copy()
            changed[list(places)] ^= True
            yield _apart(changed, marks, sizes)
    others = [package.MARKS.of(other) for other in package.answers(board.rows, board.cols)]
    far = [sum(int((a != b).sum()) for a, b in zip(marks, other, strict=True)) for other in others]
    yield from (others[at] for at in np.argsort(far, kind="stable") if far[at])
    yield tuple(np.zeros_like(part) for part in marks)


def _apart(flat, marks, sizes):
    pieces = np.split(flat, np.cumsum(sizes)[:-1])
    return tuple(piece.reshape(part.shape) for piece, part in zip(pieces, marks, strict=True))


def _wrong(board, parts, code):
    package = GENRES[board.genre]
    state: Places = package.MARKS.whole([np.where(part, SHADED, UNSHADED).astype(np.uint8) for part in parts])
    broken = package.broken(board, state)
    faults = [fault for fault in broken if fault.code == code] or broken  # a sum of nothing is told by another clause
    places = list(dict.fromkeys(place for fault in faults for place in (*fault.cells, *fault.walls)))
    if package.MARKS.sides:  # a side is wrong where there is a wall, or where all of them stand around a cell
        keys = set(package.MARKS.keys(parts))
        places = [place for place in places if len(place) == 2 or place in keys]
    return _picture(board, parts, places, faults[0].sentence if faults else package.RULES_TOLD[code])


def _picture(board, parts, wrong, words):
    """Without coordinates along the edge, which nothing here refers to."""
    package = GENRES[board.genre]
    borders = parts if package.MARKS.sides else package.GAME.borders(board)
    return pictures.grid_picture(
        board.clues,
        borders=borders,
        shading=None if package.MARKS.sides else parts[0],
        highlights={"wrong": wrong},
        title=f"{board.genre.capitalize()}, {board.rows} x {board.cols}: {words}",
    )
