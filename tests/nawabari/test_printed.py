"""All boards of a grid: brute force, both ways to lay the grid, and every place where the two ends can meet."""

import csv
import json
from collections import Counter
from itertools import chain
from math import prod
from pathlib import Path

import numpy as np
import pytest
from oracles import nawabari as oracle
from oracles import nawabari_boards

from puzzlekit.nawabari import printed
from puzzlekit.nawabari.automaton import automaton, paths
from puzzlekit.nawabari.clued import count_answers
from puzzlekit.nawabari.printed import count_boards
from puzzlekit.nawabari.rules import Board

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "data" / "published" / "oeis.csv"
COMPUTED = ROOT.parent / "shared" / "values.json"


@pytest.mark.parametrize("transpose", [None, False, True])
@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 6), (5, 1), (2, 2), (2, 4), (4, 2), (3, 3)])
def test_all_boards_by_brute_force(rows, cols, transpose):
    boards = Counter(oracle.printings(rows, cols))
    found = count_boards(rows, cols, transpose=transpose)
    assert found["printings"] == boards.total()
    assert found["distinct"] == len(boards)
    assert found["unique"] == sum(times == 1 for times in boards.values())


@pytest.mark.parametrize("rows, cols", [(1, 1), (1, 8), (9, 1), (2, 4), (6, 2), (4, 3), (3, 4), (7, 3)])
def test_all_boards_one_cell_at_a_time(rows, cols):
    """In plain Python, with states of its own: boards too many to list. So were 3 x 8 to 3 x 12 checked, in four
    minutes.
    """
    found = count_boards(rows, cols)
    assert nawabari_boards.count_boards(rows, cols) == (found["distinct"], found["unique"])


def test_every_printing_has_as_many_answers_as_it_is_printed_by():
    for board, times in Counter(oracle.printings(2, 4)).items():
        assert count_answers(Board(board)) == times


def test_the_automaton_reads_a_board_as_often_as_it_has_answers():
    ways = {(): Counter({1: 1})}
    for table in automaton(4, 2).tables:
        longer = {}
        for read, states in ways.items():
            for symbol in range(6):
                after = Counter()
                for state, times in states.items():
                    for to in table[state, symbol]:
                        after[int(to)] += times * int(to > 0)
                if +after:
                    longer[*read, symbol - 1] = +after
        ways = longer
    boards = Counter(oracle.printings(4, 2))
    assert {np.reshape(read, (4, 2)).tobytes(): states[1] for read, states in ways.items()} == {
        np.array(board, int).tobytes(): times for board, times in boards.items()
    }


@pytest.mark.parametrize("rows, cols", [(2, 5), (3, 4), (4, 3), (1, 9), (4, 4)])
def test_the_ends_meet_anywhere(rows, cols):
    """A sweep from one side alone, without a mirror, is the plain way; all the others have to agree with it."""
    reader = automaton(rows, cols)
    found = set()
    for in_mirror in (False, True):
        rng = np.random.default_rng(3)
        front, back = [printed._START], [printed._START]
        for table, mirror in zip(*reader, strict=True):
            if not in_mirror:
                mirror = np.arange(len(mirror))
            front.append(printed._grown(front[-1], table, mirror, rng, 0, 1 << 30))
        for table in reversed(reader.tables):
            back.append(printed._grown(back[-1], table, None, rng, 0, 1 << 30))
        found |= {tuple(printed._met(a, b)) for a, b in zip(front, reversed(back), strict=True)}
        assert len(front) == rows * cols + 1 and len(found) == 1
        assert len(front[-1].weights) == 2  # once, and more than once
        once = front[-1].items == 2
        assert found == {(int(front[-1].weights.sum()), int(front[-1].weights[once][0, 0]))}


def test_a_mirror_twice_is_no_mirror():
    reader = automaton(3, 4)
    for cell, (table, mirror) in enumerate(zip(*reader, strict=True)):
        assert (mirror[mirror] == np.arange(len(mirror))).all() and len(mirror) == table.max() + 1
        assert (mirror == np.arange(len(mirror))).all() == ((cell + 1) % 4 != 0 or cell == 11)


@pytest.mark.parametrize("rows, cols", [(2, 6), (3, 5), (3, 6), (4, 5)])
def test_a_grid_and_the_same_grid_turned(rows, cols):
    along, across = (count_boards(rows, cols, transpose=transpose) for transpose in (True, False))
    turned = count_boards(cols, rows)
    assert along == turned and along["sets"] != across["sets"]
    assert all(along[what] == across[what] for what in ("printings", "distinct", "unique"))


def test_all_boards_computed_earlier():
    with open(PUBLISHED, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["sequence"].startswith("nawabari ")]
    found = {}
    for row in rows:
        what = row["sequence"].removeprefix("nawabari ").removesuffix(" boards")
        if what in ("printings", "distinct", "unique") and prod(map(int, row["n"].split(","))) <= 28:
            if row["n"] not in found:
                found[row["n"]] = count_boards(*map(int, row["n"].split(",")))
            assert found[row["n"]][what] == int(row["value"]), row
    assert len(found) == 11


@pytest.mark.skipif(not COMPUTED.exists(), reason="needs the figures of the reference material beside the checkout")
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_strips_computed_earlier(rows):
    strips = json.loads(COMPUTED.read_text())["nawabari"]["strips"][f"{rows}xn"]
    for i in range(len(strips["unique"])):
        found = count_boards(rows, i + 1)
        assert (found["distinct"], found["unique"]) == (strips["legal"][i], strips["unique"][i])


def test_printings_of_a_strip_are_fibonacci_numbers():
    with open(PUBLISHED, newline="") as file:
        terms = {int(r["n"]): int(r["value"]) for r in csv.DictReader(file) if r["sequence"] == "A001906"}
    for n in range(1, 31):
        assert count_boards(1, n)["printings"] == terms[n]


def test_a_long_strip_needs_more_than_a_word():
    """Weights at the middle are over 64 bits, and so are their sums; both follow what was fitted to 60 terms before."""
    found = {n: count_boards(1, n) for n in range(1, 11)} | {n: count_boards(1, n) for n in range(95, 105)}
    assert found[100]["distinct"] > 2**128
    for n in (7, 8, 9, 10, 101, 102, 103, 104):
        distinct, unique = ([found[n - back][what] for back in range(7)] for what in ("distinct", "unique"))
        assert distinct[0] == 3 * distinct[1] - 3 * distinct[3]
        assert unique[0] == 3 * unique[1] + unique[2] - 6 * unique[3] - unique[4] + 4 * unique[5] + unique[6]


def test_printings_count_the_cells_of_rooms():
    for rows, cols in [(2, 3), (3, 3), (1, 6)]:
        dissections = [oracle.ids(rows, cols, rooms) for rooms in oracle.by_rectangle(rows, cols)]
        products = [prod(Counter(chain.from_iterable(rooms)).values()) for rooms in dissections]
        assert paths(automaton(rows, cols)) == paths(automaton(cols, rows)) == sum(products)


def test_all_boards_of_a_grid_refuse_and_report():
    with pytest.raises(ValueError, match="a 21 x 22 grid is too wide: at most 20 cells across, not 21"):
        count_boards(21, 22)
    with pytest.raises(MemoryError, match="bytes needed for the sets of two levels, the budget is 3,000,000"):
        count_boards(4, 6, budget=3_000_000)
    with pytest.raises(MemoryError, match="bytes needed for the automaton of 15 x 15, the budget is"):
        count_boards(15, 15)
    seen = []
    count_boards(2, 3, progress=lambda *at: seen.append(at))
    assert [at[:2] for at in seen] == [(i, 6) for i in range(1, 7)]
