"""What only Usowan asks of its boards: what a true number can do, how a number reads both ways, which lies give
themselves away, and what rules out a reading. Each question is a function of boards; measure.py turns the findings into
tables.
"""

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ..machinery import grid, learning, search
from ..machinery.grid import Cell
from ..machinery.kernels import inner, kernel
from . import clued, deduce, ladder, profile, scans, setter
from .layout import Clauses, clauses
from .rules import NO_CLUE, RULES, Board, liars

ADDED = (
    "second answer",
    "out of reach",
    "harmless",
)  # out of reach: one answer still, but the ladder does not get there
KINDS = {2: "corner", 3: "edge", 4: "middle"}  # of cells, by their neighbours
LARGEST = 225  # cells of a board by people whose readings are all judged
Run = Callable[[Callable[..., Any], list[dict[str, Any]]], list[Any]]
FATES = ("cell", "count", "region", "connect", "search", "answer")


def fates_of_true_numbers(board: Board, answer: np.ndarray, top: str = "connect") -> dict[Cell, str]:
    """Print one more true number, on each unshaded cell without a clue in turn, and see what becomes of the board.

    Parameters
    ----------
    board : Board                    with one answer
    answer : uint8 (rows, cols)      that answer
    top : str                        the ladder's highest rung for "out of reach"

    Returns
    -------
    dict                             (r, c) -> one of ADDED
    """
    free = (board.clues == NO_CLUE) & (answer == 0)
    counts, closed = scans.variants(board, np.flatnonzero(free), scans.true_numbers(answer)[free], top)
    fates = np.where(closed, "harmless", np.where(counts == 1, "out of reach", "second answer"))
    return {(r, c): fate for (r, c), fate in zip(np.argwhere(free).tolist(), fates.tolist(), strict=True)}


def adding_true_numbers(board: Board, answer: np.ndarray, top: str = "connect") -> dict[str, int]:
    """How many of the true numbers that can be added come out as each of ADDED; see `fates_of_true_numbers`."""
    fates = list(fates_of_true_numbers(board, answer, top).values())
    return {fate: fates.count(fate) for fate in ADDED}


def _here(function, calls):
    return [function(**call) for call in calls]


def shaded_neighbour_counts(
    rows: int, cols: int, *, connected: bool = True, run: Run = _here
) -> npt.NDArray[np.object_]:
    """How many answers of a grid put v shaded cells beside each cell, exactly.

    Counted on boards that print one number and read it as honest; cells that a symmetry of the grid maps onto each
    other share their counts. The tests list all answers instead.

    Parameters
    ----------
    rows, cols : int
    connected : bool     False drops the one-unshaded-region clause
    run : callable       of a function and a list of its keyword arguments, giving the results; chunks.run does it
                         elsewhere

    Returns
    -------
    object (rows, cols, 5, 2)    [r, c, v, s]: answers with v shaded cells beside (r, c), which is itself unshaded (0)
                                 or shaded (1)

    Cost: five counts for every eighth cell; 0.5 s at 6 x 6, 10 s at 10 x 10.
    """
    shading = profile.marginals(rows, cols, connected=connected)
    counts = np.zeros((rows, cols, 5, 2), object)
    spots: dict[tuple[int, ...], list[Cell]] = {}
    for r, c in np.ndindex(rows, cols):
        spot = min(r, rows - 1 - r), min(c, cols - 1 - c)
        spots.setdefault(tuple(sorted(spot)) if rows == cols else spot, []).append((r, c))
    what = {"rows": rows, "cols": cols, "connected": connected}
    found = run(honest_counts, [what | {"r": r, "c": c} for r, c in spots])
    of_cell = {cell: counted for cells, counted in zip(spots.values(), found, strict=True) for cell in cells}
    for r, c in np.ndindex(rows, cols):
        counts[r, c, :, 0] = of_cell[r, c]
        counts[r, c, 0, 1] = shading[r, c]  # no cell beside a shaded one is shaded
    return counts


def honest_counts(rows: int, cols: int, r: int, c: int, connected: bool = True) -> list[int]:
    """`honest_answers` for every number from 0 to 4: a list of ints."""
    return [honest_answers(rows, cols, r, c, value, connected=connected) for value in range(5)]


def both_readings(rows: int, cols: int, *, connected: bool = True, run: Run = _here) -> list[dict[str, Any]]:
    """The two readings of every number that could be printed, by the kind of cell, over the whole answer space.

    Two denominators: all answers, as in the published table, and only the answers that leave the cell unshaded, as a
    cell with a number is. Counts are summed over the cells of a kind, so `answers` is a multiple of the number of
    answers. Parameters as for `shaded_neighbour_counts`.

    Returns
    -------
    list of dict     cell ("corner", "edge", "middle"), number, answers, honest, unshaded, honest unshaded
    """
    counts = shaded_neighbour_counts(rows, cols, connected=connected, run=run)
    degree = _degrees(rows, cols)
    found: list[dict[str, Any]] = []
    for neighbours in np.unique(degree).tolist():
        kind = counts[degree == neighbours].sum(axis=0)
        found += [
            {
                "cell": KINDS.get(neighbours, f"{neighbours} neighbours"),
                "number": number,
                "answers": int(kind.sum()),
                "honest": int(kind[number].sum()),
                "unshaded": int(kind[:, 0].sum()),
                "honest unshaded": int(kind[number, 0]),
            }
            for number in range(neighbours + 1)
        ]
    return found


def _degrees(rows, cols):
    return (grid.neighbours(rows, cols) >= 0).sum(axis=1).reshape(rows, cols)


def honest_answers(rows: int, cols: int, r: int, c: int, value: int, *, connected: bool = True) -> int:
    """How many answers of a grid leave (r, c) unshaded beside exactly `value` shaded cells, exactly: the count of a
    board with that one number, read as honest.
    """
    clues = np.full((rows, cols), NO_CLUE)
    clues[r, c] = value
    reading = RULES._replace(fewest=0, most=0, touching="side" if connected else "nothing")
    return clued.count_answers(Board(clues, np.zeros((rows, cols), int)), reading)


def self_announcing(board: Board, answer: np.ndarray) -> dict[str, int]:
    """Lies that print as many as they have neighbours: they cannot be honest, since their own cell would be cut off.

    Returns
    -------
    dict     "self-announcing" and "other" -> number of lies
    """
    degree = _degrees(board.rows, board.cols)
    lies = [cell for cells in liars(board, answer) for cell in cells]
    loud = sum(int(board.clues[cell] == degree[cell]) for cell in lies)
    return {"self-announcing": loud, "other": len(lies) - loud}


def printed(board: Board, answer: np.ndarray) -> dict[str, int]:
    """How much a board prints: its numbers, its regions, and its readings (ways to name one liar in every region)."""
    sizes = [len(cells) for cells in board.clues_by_region]
    return {"numbers": board.numbers, "regions": len(sizes), "superimposed": prod(sizes)}


def passes(rows: int, cols: int, seed: int, first: int, last: int) -> list[dict[str, int]]:
    """How many passes over the numbers minimising some boards of a bank took, the last of which rubs out nothing: a
    list of {"passes": int, "numbers": int}, a row a board. The boards are set again by the bank's own generators.
    """
    found = []
    for index in range(first, last):
        board, taken = setter.made(rows, cols, np.random.default_rng([seed, rows, cols, index]))
        found.append({"passes": taken, "numbers": board.numbers})
    return found


def hard_readings(rows: int, cols: int, seed: int, first: int, last: int) -> list[dict[str, int]]:
    """`what_rules_out_readings` of boards that need the probe rung, set by `make(hardest="probe")`, board k by
    numpy.random.default_rng([seed, rows, cols, k]): a list of dicts, a row a board."""
    found = []
    for index in range(first, last):
        board = setter.make(rows, cols, np.random.default_rng([seed, rows, cols, index]), hardest="probe")
        found.append(what_rules_out_readings(board))
    return found


def readings_that_need_probe(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """`what_rules_out_readings` of those of some boards, given as JSON objects, that the ladder closes with the probe
    rung and not without: a list of dicts, a row a board, each with its "size" and "cells". Boards of more than LARGEST
    cells are left out, since their readings would take minutes to years.
    """
    found = []
    for board in map(Board.from_record, records):
        closed = ladder.climb(board, "probe").finished and not ladder.climb(board, "connect").finished
        if closed and board.clues.size <= LARGEST:
            size = {"size": f"{board.rows}x{board.cols}", "cells": board.clues.size}
            found.append(size | what_rules_out_readings(board))
    return found


def labels(size: int) -> dict[str, int]:
    """The most unshaded regions that any frontier of an n x n grid tells apart: {"most": int}. Every cell of the sweep
    is looked at.
    """
    return {"most": profile.most_labels(size, size)}


def what_rules_out_readings(board: Board, answer: np.ndarray | None = None) -> dict[str, int]:
    """For every reading of a board (one number of every region named as its liar), the first rung that refutes it.

    Returns
    -------
    dict     each of FATES -> number of readings: refuted by climbing to a rung of that name, only by a full search, or
             an answer

    Cost: the readings are a tree, one region named after the other. A branch that `count` refutes is counted whole,
    since more names only add to what `count` can conclude; so all 2.5 million readings of a 10 x 10 board take under a
    millisecond.
    """
    regions = len(board.clues_by_region)
    refuted = np.zeros(regions + 1, np.int64)
    survivors = np.zeros(4, np.int64)
    _readings(board.rows, board.cols, board.clues.ravel(), board.regions.ravel(), *clauses(RULES), refuted, survivors)
    sizes = [len(cells) for cells in board.clues_by_region]
    by_count = sum(int(refuted[named]) * prod(sizes[named:]) for named in range(regions + 1))
    return dict(
        zip(FATES, (0, by_count, *survivors.tolist()), strict=True)
    )  # the cell rung reads no number, so it refutes nothing


@kernel
def _readings(rows, cols, clues, labels, whole, fewest, most, touching, refuted, survivors):
    """Walk the tree of readings: a number is named as a liar a level up. refuted[d]: nodes with d regions named that
    `count` refutes, though not their parents.

    survivors: whole readings refuted by region, by connect, by a search only, and not at all.
    """
    terms = Clauses(whole, fewest, most, touching)
    rules = deduce.begin(rows, cols, clues, labels, terms)
    first = rules.board.first
    regions = first.shape[0] - 1
    turn = first.copy()
    to_count = 1 << deduce.CELL | 1 << deduce.COUNT
    t = deduce.trail(rules, to_count, False)
    why, _ = deduce.climb_to(rules, t, to_count)
    if why != learning.FINE:
        refuted[0] = 1
        return
    named = 0
    while named >= 0:
        deduce.go_back(rules, t, named)
        if named == regions or turn[named] == first[named + 1]:
            if named == regions:
                survivors[_survivor(rows, cols, clues, labels, terms, rules, t)] += 1
            else:
                turn[named] = first[named]
            named -= 1
            continue
        liar = rows * cols + 2 + turn[named]
        turn[named] += 1
        learning.level_up(t)
        if t.state[liar] == 0:
            learning.settle(t, liar, deduce.WRONG, learning.GUESSED, learning.NONE)
            why, _ = deduce.climb_to(rules, t, to_count)
        if t.state[liar] == deduce.HONEST or why != learning.FINE:
            refuted[named + 1] += 1
            why = learning.FINE
        else:
            named += 1


@inner
def _survivor(rows, cols, clues, labels, terms, rules, t):
    """What refutes a whole reading that `count` leaves standing: 0 region, 1 connect, 2 search, 3 nothing, it is an
    answer.
    """
    fate = 0
    for top in (deduce.REGION, deduce.CONNECT):
        why, _ = deduce.climb_to(rules, t, (2 << top) - 1)
        if why != learning.FINE:
            return fate
        fate += 1
    named = deduce.begin(rows, cols, clues, labels, terms)
    fresh = deduce.trail(named, deduce.JUDGES, True)
    for variable in range(rows * cols + 2, t.state.shape[0]):
        if t.state[variable] == deduce.WRONG:
            learning.settle(fresh, variable, deduce.WRONG, learning.GUESSED, learning.NONE)
    answers, _ = deduce.search(named, fresh, 1, search.NO_BUDGET, np.empty((0, 1), np.uint8))
    return 2 + answers
