"""Nawabari: an automaton that reads a board cell by cell; its accepting paths are the board's answers.

The sweep by walls of `clued`, without knowing the board beforehand. What is left open there, whether a room that has
its number ends or goes on below, is decided here when the room is made: one state that leaves it open is the same as
two that do not, and sets of states that are the same should look the same. Not here: boards counted, see printed.py.
"""

from typing import NamedTuple

import numpy as np

from ..machinery.frontier import BUDGET
from ..machinery.kernels import inner, kernel
from ..machinery.states import afford
from .clued import END, FREE, GO_ON, INSIDE, wall_moves
from .rules import NO_CLUE

SYMBOLS = 6  # nothing, 0..4
_MOVES = 8  # room for the moves of one symbol; there are three at most
_STATES_OF_TWO, _STATES_A_COLUMN = 48, 3.74  # states before merging, at most: the number for 2 columns, and its growth
_CODE = np.uint64(7)  # three bits a column, see clued.py


class Automaton(NamedTuple):
    """States are numbered from 1 for each number of cells read; 1 is the one at the start, and the one at the end."""

    tables: list  # for each cell, int32 (states + 1, SYMBOLS, moves): the states that follow; 0 is no move
    # for each cell, int32 (states after it + 1,): the state seen in a mirror; itself, unless a line ends there
    mirrors: list


def automaton(lines: int, across: int, *, budget: int = BUDGET) -> Automaton:
    """The automaton that reads boards of a grid in reading order.

    Parameters
    ----------
    lines, across : int
    budget : int              bytes for the moves of all states

    Returns
    -------
    Automaton                 without states that have no future, and with one for all states with the same future

    Raises
    ------
    MemoryError               the moves would not fit the budget

    >>> [len(table) - 1 for table in automaton(3, 3).tables]
    [1, 5, 20, 41, 50, 46, 34, 16, 5]
    """
    states = _STATES_OF_TWO * _STATES_A_COLUMN ** (across - 2)
    needed = int(states * SYMBOLS * 3 * 8 * lines * across)
    afford(needed, budget, f"for the automaton of {lines} x {across}")
    keys = np.zeros(1, np.uint64)
    tables, at_line_ends = [], {}
    for cell in range(lines * across):
        after, found = np.zeros((len(keys), SYMBOLS, _MOVES), np.uint64), np.zeros((len(keys), SYMBOLS), np.int64)
        _expand(keys, cell // across, cell % across, lines, across, after, found)
        there = np.arange(found.max()) < found[:, :, None]
        after = after[:, :, : there.shape[2]]
        if (cell + 1) % across == 0:
            after = _joined(after, across)
        keys, numbers = np.unique(after[there], return_inverse=True)
        table = np.zeros(after.shape, np.int64)
        table[there] = numbers + 1
        tables.append(table)
        if (cell + 1) % across == 0:
            at_line_ends[cell] = keys
    classes = np.minimum(np.arange(len(keys) + 1), 1)  # whatever is left at the end is an answer
    mirrors = []
    for cell in reversed(range(len(tables))):
        mirror = np.arange(classes.max() + 1, dtype=np.int32)
        if cell in at_line_ends:
            keys = at_line_ends[cell]
            mirror[classes[1:]] = classes[1 + np.searchsorted(keys, _mirrored(keys, across))]
        mirrors.append(mirror)
        followed = np.sort(classes[tables[cell]], axis=2)
        none = np.zeros_like(followed[:1])  # class 0, no future, is first in order
        distinct, classes = np.unique(np.concatenate([none, followed]), axis=0, return_inverse=True)
        classes = classes.ravel()
        tables[cell] = distinct.astype(np.int32)
    return Automaton(tables, mirrors[::-1])


def _codes(keys, across):
    """What a room's first column says, and INSIDE elsewhere; what the room of each column says. Both by column."""
    own = [(keys >> np.uint64(3 * c)) & _CODE for c in range(across)]
    room = own[:1]
    for code in own[1:]:
        room.append(np.where(code != INSIDE, code, room[-1]))
    return own, room


def _joined(keys, across):
    """Keys at the end of a line where rooms side by side that both END are as one: nothing is left of the wall between
    them.
    """
    own, room = _codes(keys, across)
    for c in range(1, across):
        keys = np.where((own[c] == END) & (room[c - 1] == END), keys & ~(_CODE << np.uint64(3 * c)), keys)
    return keys


def _mirrored(keys, across):
    """Keys at the end of a line, read from the right: what a room says stands at what was its last column."""
    own, room = _codes(keys, across)
    mirrored = np.zeros_like(keys)
    for c in range(across):
        last = own[c + 1] != INSIDE if c + 1 < across else True
        mirrored |= np.where(last, room[c], np.uint64(0)) << np.uint64(3 * (across - 1 - c))
    return mirrored


def paths(reader: Automaton) -> int:
    """Accepting paths of an automaton: boards, each as often as it has answers.

    >>> paths(automaton(3, 3))
    3232
    """
    ways = np.array([0, 1], object)
    for table in reversed(reader.tables):
        ways = ways[table].sum(axis=(1, 2))
    return int(ways[1])


@kernel
def _expand(keys, r, c, lines, across, after, found):
    ahead = np.zeros((0, 0), np.int64)
    for i in range(len(keys)):
        for symbol in range(SYMBOLS):
            clue = NO_CLUE if symbol == 0 else symbol - 1
            moves = after[i, symbol]
            ways = wall_moves(keys[i], clue, r, c, ahead, lines, across, 0, True, False, False, moves)
            way = 0
            while way < ways:
                ways = _decided(moves, way, ways, across, r == lines - 1)
                way += 1
            found[i, symbol] = ways


@inner
def _decided(moves, way, ways, across, last_line):
    """One move with no room FREE any more; the other possibilities are put behind the moves. Returns how many there
    are.
    """
    for c in range(across):
        place = np.uint64(3 * c)
        if (moves[way] >> place) & _CODE == np.uint64(FREE):
            rest = moves[way] & ~(_CODE << place)
            moves[way] = rest | np.uint64(END) << place
            if not last_line:
                moves[ways] = rest | np.uint64(GO_ON) << place
                ways += 1
    return ways
