"""What only Nawabari asks: what a number says by itself, where it may stand, what moving or erasing it does, which
answers cannot be printed. Questions about boards are functions of a board and its answer that return counts; measure.py
makes tables of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..machinery import grid, remainders
from . import hunting, profile, rectangles, recuts, residues, setter, solver
from .clued import count_answers
from .rules import ASKED, NO_CLUE, SEATS, Board, seat
from .unprintable import first_rooms, unprintable

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = dict(zip(SEATS, (4, 3, 2, 2, 1, 0), strict=True))  # what each seat prints
PATTERNS = ("nothing", "straight", "T", "plus", "elbow", "stub")
_PATTERN_OF = (0, 5, 5, 4, 5, 1, 4, 2, 5, 4, 1, 2, 4, 2, 2, 3)  # of walls up (1), right (2), down (4), left (8)


# One number by itself


def seat_alphabet(rows: int, cols: int, by: str = "seat") -> list[dict[str, Any]]:
    """What each number says of its room on an empty grid: the cell-and-rectangle pairs that print it.

    Parameters
    ----------
    rows, cols : int
    by : str             a row for each "seat" (the number 2 has two), or for each "number"

    Returns
    -------
    list of dict         number, seat (names in SEATS), rectangles (over all cells of the grid), sizes (how many
                         different areas), smallest, largest; only what the grid has

    Cost: proportional to the shapes of rectangles.

    >>> [(row["number"], row["rectangles"], row["sizes"]) for row in seat_alphabet(6, 6, by="number")]
    [(4, 36, 1), (3, 360, 5), (2, 1140, 16), (1, 1200, 13), (0, 400, 10)]
    """
    rows, cols = grid.check_size(rows, cols)
    if by not in ("seat", "number"):
        raise ValueError(f"by must be 'seat' or 'number', not {by!r}")
    groups = [(name,) for name in SEATS] if by == "seat" else [SEATS[:1], SEATS[1:2], SEATS[2:4], SEATS[4:5], SEATS[5:]]
    pairs: Counter[tuple[str, ...]] = Counter()
    areas: dict[tuple[str, ...], set[int]] = {group: set() for group in groups}
    for height in range(1, rows + 1):
        for width in range(1, cols + 1):
            cells = _seats_of(height, width)
            for group in groups:
                here = sum(cells.get(name, 0) for name in group)
                pairs[group] += here * (rows - height + 1) * (cols - width + 1)
                if here:
                    areas[group].add(height * width)
    return [
        {
            "number": NUMBERS[group[0]],
            "seat": ", ".join(group),
            "rectangles": pairs[group],
            "sizes": len(areas[group]),
            "smallest": min(areas[group]),
            "largest": max(areas[group]),
        }
        for group in groups
        if pairs[group]
    ]


def _seats_of(height, width):
    """How many cells of a rectangle are on each seat."""
    if 1 in (height, width):
        length = height * width
        return {"alone": int(length == 1), "end of a strip": 2 * (length > 1), "middle of a strip": max(length - 2, 0)}
    return {"corner": 4, "edge": 2 * (height + width - 4), "inside": (height - 2) * (width - 2)}


def rectangles_left_open(board: Board, answer: np.ndarray | None = None) -> list[dict[str, int]]:
    """What each number of a board leaves open by itself: the rectangles that hold it and no other clue, and agree with
    it.

    Returns
    -------
    list of dict     a row a number: number, rectangles, sizes (how many different areas)
    """
    boxes, first = rectangles.candidates(board.clues)
    areas = (boxes[:, 2] - boxes[:, 0] + 1) * (boxes[:, 3] - boxes[:, 1] + 1)
    clues = board.clues[board.clues != NO_CLUE]
    return [
        {"number": int(clue), "rectangles": int(stop - start), "sizes": len(set(areas[start:stop].tolist()))}
        for clue, start, stop in zip(clues, first, first[1:], strict=False)
    ]


# Where the numbers stand


def placement_uniqueness(board: Board, answer: np.ndarray) -> dict[str, int]:
    """All the ways to print an answer, and how many of them are unique boards, exactly; the board's own way does not
    matter.

    Returns
    -------
    dict     "placements", "unique", "tried" (numbers that the walk placed to find out)
    """
    unique, tried = recuts.count_unique(answer[None])
    return {"placements": placement_count(answer), "unique": int(unique[0]), "tried": int(tried[0])}


def placement_count(answer: np.ndarray) -> int:
    """The ways to print an answer: the product of the areas of its rooms, an exact int."""
    total = 1
    for area in np.bincount(answer.ravel()).tolist():
        total *= area
    return total


def slides(board: Board, answer: np.ndarray) -> dict[str, int]:
    """Every number moved to every other cell of its room, one at a time, its value rewritten for the new seat.

    Returns
    -------
    dict     "<seat landed on>, same digit, unique" -> moves, for every seat of SEATS, "same digit" or "another digit"
             (printed there), and "unique" or "broken" (the board is then); only what occurs
    """
    boards, kinds = [], []
    cells, starts = setter.cells_by_room(answer)
    prints = setter.seats(answer).ravel()
    for room, at in enumerate(_printed_cells(board, answer)):
        for cell in cells[starts[room] : starts[room + 1]].tolist():
            if cell == at:
                continue
            clues = board.clues.ravel().copy()
            clues[at], clues[cell] = NO_CLUE, prints[cell]
            boards.append(clues.reshape(answer.shape))
            kinds.append(
                (
                    seat(answer, *divmod(cell, board.cols)),
                    "same digit" if prints[cell] == prints[at] else "another digit",
                )
            )
    unique = solver.solve_many(np.array(boards)).unique if boards else np.empty(0, bool)
    return dict(
        Counter(", ".join((*kind, "unique" if still else "broken")) for kind, still in zip(kinds, unique, strict=True))
    )


def slides_kept(
    counts: "Mapping[str, int] | pd.DataFrame", seat: str | None = None, digit: str | None = None
) -> dict[str, Any]:
    """What `slides` says of one board (a dict) or of many (a DataFrame of a row a board), put together.

    Parameters
    ----------
    counts : dict or DataFrame
    seat : str      only moves onto this seat
    digit : str     only those that print the "same digit", or "another digit"

    Returns
    -------
    dict            "unique", "broken" -> moves: int or Series
    """
    kinds = {label: label.rsplit(", ", 2) for label in counts}
    asked = [
        label for label, (landed, printed, _) in kinds.items() if seat in (None, landed) and digit in (None, printed)
    ]
    return {end: sum(counts[label] for label in asked if kinds[label][2] == end) for end in ("unique", "broken")}


def _printed_cells(board, answer):
    """The cell of each room's number, in the order of the room ids."""
    at = np.flatnonzero(board.clues.ravel() != NO_CLUE)
    return at[np.argsort(answer.ravel()[at])].tolist()


def dot_answers(board: Board, answer: np.ndarray) -> dict[str, int]:
    """How many answers the board has when only the places of its numbers are printed: {"dots": answers}."""
    return {"dots": count_answers(board, "dots")}


def erasures(board: Board, answer: np.ndarray) -> dict[str, int]:
    """Each number erased in turn. Since its room then has no number, the answer is never legal again.

    Returns
    -------
    dict     "dead" (no answer), "unique" (one, another one), "several" -> numbers
    """
    at = np.flatnonzero(board.clues.ravel() != NO_CLUE)
    boards = np.repeat(board.clues.reshape(1, -1), len(at), axis=0)
    boards[np.arange(len(at)), at] = NO_CLUE
    counts = solver.solve_many(boards.reshape(-1, board.rows, board.cols)).counts
    return {"dead": int((counts == 0).sum()), "unique": int((counts == 1).sum()), "several": int((counts == 2).sum())}


def values_rubbed_off(board: Board, answer: np.ndarray) -> dict[str, int]:
    """Each number's value rubbed off in turn, a `?` left: its room keeps its clue, the answer stays legal.

    Returns
    -------
    dict     "unique", "several" -> numbers
    """
    at = np.flatnonzero(board.clues.ravel() >= 0)
    boards = np.repeat(board.clues.reshape(1, -1), len(at), axis=0)
    boards[np.arange(len(at)), at] = ASKED
    counts = solver.solve_many(boards.reshape(-1, board.rows, board.cols)).counts
    return {"unique": int((counts == 1).sum()), "several": int((counts == 2).sum())}


# Walls in an answer


def point_patterns(board: Board, answer: np.ndarray) -> dict[str, int]:
    """How walls meet at the interior points of an answer: counts for each of PATTERNS; elbows and stubs are illegal."""
    right, down = answer[:, 1:] != answer[:, :-1], answer[1:] != answer[:-1]
    pattern = right[:-1] * 1 + down[:, 1:] * 2 + right[1:] * 4 + down[:, :-1] * 8
    tally = np.bincount(np.array(_PATTERN_OF)[pattern.ravel()], minlength=len(PATTERNS))
    return dict(zip(PATTERNS, tally.tolist(), strict=True))


def shape_counts(board: Board | None, answer: np.ndarray) -> dict[str, int]:
    """Rooms of an answer: "rooms", "strips" (one cell wide, single cells among them), and "domino pairs" (two dominoes,
    a 2 x 2).
    """
    heights, widths = _room_shapes(answer)
    return {
        "rooms": len(heights),
        "strips": int(((heights == 1) | (widths == 1)).sum()),
        "domino pairs": domino_pairs(answer),
    }


def _room_shapes(answer):
    rooms = np.bincount(answer.ravel())
    heights = np.array([len(set(np.argwhere(answer == room)[:, 0].tolist())) for room in range(len(rooms))])
    return heights, rooms // heights


def domino_pairs(answer: np.ndarray) -> int:
    """How many 2 x 2 squares of an answer are two dominoes side by side."""
    area = np.bincount(answer.ravel())[answer]
    two = (area[:-1, :-1] == 2) & (area[1:, 1:] == 2)
    lying = (answer[:-1, :-1] == answer[:-1, 1:]) & (answer[1:, :-1] == answer[1:, 1:])
    standing = (answer[:-1, :-1] == answer[1:, :-1]) & (answer[:-1, 1:] == answer[1:, 1:])
    return int((two & (lying ^ standing)).sum())


def unprintable_answers(
    rows: int, cols: int, height: int | None = None, width: int | None = None
) -> dict[str, int | None]:
    """The answers of a grid that cannot be printed, and what they look like; of all, or of those with one room in the
    first corner.

    Returns
    -------
    dict     dissections, "cannot be printed", classes (up to turns and mirror images), "all strips", "with a domino
             pair" (both of those that cannot be printed), "fewest rooms" and "most rooms" (None where there are none)

    Cost: see unprintable.py.

    >>> unprintable_answers(3, 3)["cannot be printed"]
    0
    """
    found = unprintable(rows, cols, height and (height, width))  # type: ignore[arg-type]  # both or none
    shapes = [shape_counts(None, answer) for answer in found.answers]
    images = found.images.tolist()
    rooms = [shape["rooms"] for shape in shapes]
    return {
        "dissections": found.checked,
        "cannot be printed": found.count,
        "classes": len(images),
        "all strips": sum(n for n, shape in zip(images, shapes, strict=True) if shape["strips"] == shape["rooms"]),
        "with a domino pair": sum(n for n, shape in zip(images, shapes, strict=True) if shape["domino pairs"]),
        "fewest rooms": min(rooms, default=None),
        "most rooms": max(rooms, default=None),
    }


def unprintable_in_parts(rows: int, cols: int) -> list[dict[str, int]]:
    """The calls of `unprintable_answers` that make up a whole grid, one for every room in the first corner: a list of
    dicts.
    """
    return [{"rows": rows, "cols": cols, "height": height, "width": width} for height, width in first_rooms(rows, cols)]


def together(parts: Sequence[Mapping[str, Any]]) -> dict[str, int | None]:
    """What `unprintable_answers` says of a whole grid, from what it says of the parts: a list of dicts."""
    join = {"fewest rooms": partial(min, default=None), "most rooms": partial(max, default=None)}
    return {what: join.get(what, sum)([part[what] for part in parts if part[what] is not None]) for what in parts[0]}


def hunted(answers: npt.NDArray[np.int32]) -> dict[str, int]:
    """How long one hunts through the placements of each of some answers until one makes a puzzle, in the order of
    hunting.py.

    Parameters
    ----------
    answers : int32 (m, rows, cols)

    Returns
    -------
    dict     answers, "cannot be printed", "worst hunt" (placements tried, all of them where no placement makes a
             puzzle), "worst hunt that ends well" (0 where none does)
    """
    tried, found = hunting.hunts(answers)
    return {
        "answers": len(answers),
        "cannot be printed": int((~found).sum()),
        "worst hunt": int(tried.max()),
        "worst hunt that ends well": int(tried[found].max(initial=0)),
    }


def hunted_everywhere(rows: int, cols: int) -> dict[str, int]:
    """What `hunted` says of all dissections of a grid. Cost: about 10 microseconds a dissection.

    >>> hunted_everywhere(3, 3)
    {'answers': 322, 'cannot be printed': 0, 'worst hunt': 9, 'worst hunt that ends well': 9}
    """
    return hunted_together([hunted(answers) for answers in profile.answers(rows, cols, chunk=100_000)])


def hunted_draws(rows: int, cols: int, draws: int, seed: int, index: int) -> dict[str, int]:
    """What `hunted` says of answers drawn as the setter draws them; chunk `index` of them, which has a stream of its
    own.
    """
    rng = np.random.default_rng([seed, rows, cols, index])
    return hunted(profile.draw(rows, cols, draws, rng, weight=setter.WEIGHT))


def hunted_together(parts: list[dict[str, int]]) -> dict[str, int]:
    """What `hunted` says of all answers, from what it says of parts of them."""
    join = {"answers": sum, "cannot be printed": sum}
    return {what: join.get(what, max)([part[what] for part in parts]) for what in parts[0]}


def drawn_with_few_rooms(rows: int, cols: int) -> dict[str, Fraction]:
    """How likely an answer drawn as the setter draws them has one room, or at most two, exactly.

    A grid has one dissection into one room, and one into two for each line between two rows or columns.

    >>> drawn_with_few_rooms(1, 2)["one room"]
    Fraction(20, 23)
    """
    weight, cells = setter.WEIGHT, rows * cols
    total = profile.diagram(
        rows, cols, weight=weight
    ).count()  # each dissection counts p ** rooms * q ** (cells - rooms), of p / q
    of = [weight.numerator**rooms * weight.denominator ** (cells - rooms) for rooms in range(3)]
    return {"one room": Fraction(of[1], total), "at most two rooms": Fraction(of[1] + (rows + cols - 2) * of[2], total)}


def few_rooms(board: Board, answer: np.ndarray) -> dict[str, int]:
    """Whether an answer has one room, and at most two: 1 or 0."""
    rooms = len(np.unique(answer))
    return {"one room": int(rooms == 1), "at most two rooms": int(rooms <= 2)}


# All dissections


def confirmations(n: int, diagram_to: int = 16) -> dict[str, bool | None]:
    """The number of dissections of an n x n grid against computations that are not those of `nawabari.count`.

    Parameters
    ----------
    n : int
    diagram_to : int     squares that the diagram counts as well

    Returns
    -------
    dict of bool         another modulus: the residue modulo a number that the count did not need; neighbour turned: n x
                         (n - 1), swept both ways; diagram: None beyond diagram_to

    Cost: three residues, about a third of the count at n = 22.

    >>> confirmations(4)
    {'another modulus': True, 'neighbour turned': True, 'diagram': True}
    """
    value = profile.count(n, n)
    modulus = remainders.moduli(value.bit_length() // 62 + 3)[-1]
    return {
        "another modulus": residues.residue(n, n, modulus) == value % modulus,
        "neighbour turned": n == 1 or residues.residue(n, n - 1, modulus) == residues.residue(n - 1, n, modulus),
        "diagram": profile.diagram(n, n).count() == value if n <= diagram_to else None,
    }
