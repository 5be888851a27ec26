"""A printed board: clues, and regions where the genre prints them; its identity, and its ways in and out of every
format.

A genre's `Board` is a subclass that says how its boards are written: what URLs call it, which code holds its clues,
which parts its files have. Not here: what a clue means, which is in the genre's rules.py.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..machinery import grid
from ..marks import Places
from . import ASKED, NO_CLUE, jsonl, puzzlink, pzprv3, sections, text

_LARGEST = 2**31 - 1  # a clue is an int32


class PrintedBoard:
    """A printed board, immutable and hashable. A genre's own `Board` says which parameters it has.

    Parameters
    ----------
    clues : int (rows, cols)       NO_CLUE, ASKED or a number of at least 0
    regions : int (rows, cols)     a label for each cell, where the genre prints regions; cells of one label must be
                                   connected

    Raises
    ------
    ValueError                     naming the cell or the region that is wrong
    """

    genre = ""
    url_names: tuple[str, ...] = ()  # of the genre in URLs and files of pzprjs, the one to write first
    url_code = ""  # a name in puzzlink.CODES
    file_parts: tuple[str, ...] = ()  # of a pzprv3 file, in order; see pzprv3.read
    prints_regions = False
    picture: Callable[..., Any]  # the board as SVG; what it can show is the genre's

    def __init__(self, clues: grid.GridLike, regions: grid.GridLike | None = None) -> None:
        self.clues = grid.as_grid("clues", clues)
        if (self.clues < ASKED).any():
            r, c = np.argwhere(self.clues < ASKED)[0]
            raise ValueError(_not_a_clue(self.clues[r, c], r, c))
        if self.prints_regions != (regions is not None):
            needs = "needs regions" if self.prints_regions else "has no regions"
            raise ValueError(f"a {self.genre} board {needs}")
        self.regions = None if regions is None else _connected(regions, self.clues.shape)

    @property
    def rows(self) -> int:
        return self.clues.shape[0]

    @property
    def cols(self) -> int:
        return self.clues.shape[1]

    @property
    def numbers(self) -> int:
        """How many numbers are printed."""
        return int((self.clues >= 0).sum())

    @cached_property
    def _identity(self):
        return self.clues.shape, self.clues.tobytes(), None if self.regions is None else self.regions.tobytes()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash((self.genre, self._identity))

    def __repr__(self) -> str:
        regions = "" if self.regions is None else f", {self.regions.max() + 1} regions"
        return f"{self.genre}.Board, {self.rows} x {self.cols}, {self.numbers} numbers{regions}"

    def __reduce__(self) -> tuple[type[Self], tuple[np.ndarray, ...]]:
        return type(self), (self.clues,) if self.regions is None else (self.clues, self.regions)

    def with_clue(self, r: int, c: int, value: int) -> Self:
        """The same board with another clue at (r, c), cheaply; ValueError for a clue that cannot be."""
        if not ASKED <= value <= _LARGEST:
            raise ValueError(_not_a_clue(value, r, c))
        clues = self.clues.copy()
        clues[r, c] = value
        clues.setflags(write=False)
        board = object.__new__(type(self))  # the regions need no second check
        board.clues, board.regions = clues, self.regions
        return board

    def blank(self) -> Places:
        """A solver's state with nothing settled: uint8 (rows, cols) of UNKNOWN, or Walls of it."""
        return np.zeros(self.clues.shape, np.uint8)

    # in and out

    @classmethod
    def from_url(cls, url: str) -> Self:
        """Board of a puzz.link URL (with or without host); ValueError says what is wrong with it."""
        rows, cols, body = puzzlink.split(url, cls.url_names)
        regions, start = puzzlink.read_regions(rows, cols, body) if cls.prints_regions else (None, 0)
        read, _ = puzzlink.CODES[cls.url_code]
        return cls(read(rows, cols, body, start), regions)

    def to_url(self) -> str:
        """puzz.link URL; ValueError for a clue that the genre's encoding cannot hold."""
        _, write = puzzlink.CODES[self.url_code]
        regions = "" if self.regions is None else puzzlink.write_regions(self.regions)
        return puzzlink.join(self.url_names[0], self.rows, self.cols, regions, write(self.clues))

    @classmethod
    def from_text(cls, lines: text.Lines) -> Self:
        """Board of a text grid: numbers, `.` and `?`, `|` and `-` between regions; `#` of an answer is left out."""
        return cls.partial_from_text(lines)[0]

    @classmethod
    def partial_from_text(cls, lines: text.Lines) -> tuple[Self, Places | None]:
        """Board of a text grid, and what it has of an answer: a state with its `#` SHADED, or None when it has none."""
        if cls.prints_regions:
            clues, shading, regions = text.read_bordered(lines)
        else:
            (clues, shading), regions = text.read_plain(lines), None
        if shading is None:
            return cls(clues, regions), None
        return cls(clues, regions), np.where(clues != NO_CLUE, grid.UNSHADED, grid.SHADED * shading).astype(np.uint8)

    def to_text(self, answer: grid.GridLike | None = None) -> str:
        """Text grid; with an answer, shaded cells as `#`. ValueError if the answer shades a clue."""
        shading = None if answer is None else grid.as_shading(answer, self.clues.shape)
        if self.regions is None:
            return text.write_plain(self.clues, shading)
        return text.write_bordered(self.clues, self.regions, shading)

    @classmethod
    def from_record(cls, record: jsonl.Record) -> Self:
        """Board of a JSON object with `clues` (or `rows`, `cols` and sparse clues), and `regions` if it has any."""
        jsonl.expect_genre(record, cls.genre)
        clues = jsonl.read_clues(record)
        if cls.prints_regions:
            return cls(clues, jsonl.read_field(record, "regions"))
        if record.get("regions") is not None:
            raise ValueError(f"the JSON object has regions; a {cls.genre} board has clues only")
        return cls(clues)

    def to_record(self) -> jsonl.Record:
        """JSON-ready dict, read back by `from_record`."""
        record = {"genre": self.genre, "clues": jsonl.write_clues(self.clues)}
        return record if self.regions is None else record | {"regions": self.regions.tolist()}

    @classmethod
    def from_sections(cls, lines: str) -> Self:
        """Board of sections [problem] and [areas], or of the same grids after a line with rows and columns."""
        clues, regions = sections.read(lines)
        return cls(clues, regions)

    @classmethod
    def from_pzprv3(cls, file: str) -> Self:
        """Board of the text of a pzprv3 file; ValueError says which line is wrong."""
        return cls.partial_from_pzprv3(file)[0]

    @classmethod
    def partial_from_pzprv3(cls, file: str) -> tuple[Self, Places | None]:
        """Board of the text of a pzprv3 file, and what is filled in: None when nothing is.

        A state of UNKNOWN, UNSHADED and SHADED, in which cells with a clue are unshaded; for rooms, Walls of UNKNOWN,
        OPEN and WALL.
        """
        found = pzprv3.read(file, cls.url_names, cls.file_parts)
        return cls(found.clues, found.regions), cls._as_partial(found.filled)

    def to_pzprv3(self, partial: Places | None = None) -> str:
        """The text of a pzprv3 file, as pzprjs saves it, with what is filled in so far."""
        return pzprv3.write(self.url_names[0], self.file_parts, self.clues, self.regions, partial)

    @classmethod
    def _as_partial(cls, filled):
        """What a file has filled in, in the genre's own type."""
        return filled

    def _repr_svg_(self):
        return self.picture()._repr_svg_()


def _not_a_clue(value, r, c):
    return f"clue {value} at row {r}, column {c}: a clue is 0 or more, NO_CLUE or ASKED"


def _connected(labels, shape):
    """Regions numbered in reading order; ValueError for labels of another size, or whose cells are in pieces."""
    labels = grid.as_grid("regions", labels)
    if labels.shape != shape:
        raise ValueError(f"clues are {shape[0]} x {shape[1]}, regions {labels.shape[0]} x {labels.shape[1]}")
    regions = grid.pieces(labels)
    firsts: dict[int, tuple[int, ...]] = {}
    for r, c in np.ndindex(shape):
        first = firsts.setdefault(int(labels[r, c]), (r, c))
        if regions[first] != regions[r, c]:
            places = f"row {first[0]}, column {first[1]} and row {r}, column {c}"
            raise ValueError(f"region {labels[r, c]} is in pieces: {places}")
    regions.setflags(write=False)
    return regions
