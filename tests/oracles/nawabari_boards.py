"""Nawabari boards of a grid counted from one side, in plain Python: no hash, no mirror, no meeting in the middle, no
limbs.

A board is read cell by cell; what could be true of the walls so far is a set of states, each once or more than once. A
state is (columns, run, pending): for each column, whether a wall is left of the cell read last there and, at the first
cell of a room in its row, whether the room has its number and whether it must end (1) or go on (2) below; the same of
the room being read, with whether it began in this row; and what the number read last still lacks on its right and
below, or None.
"""

from collections import defaultdict
from itertools import product

SYMBOLS = (None, 0, 1, 2, 3, 4)


def successors(state, first_row, c, cols, symbol):
    """The states after cell c of a row that reads a symbol."""
    columns, run, pending = state
    wall_above, number_above, below = columns[c]
    for top in (True,) if first_row else (True, False):
        if not first_row and wall_above:
            if top and not (number_above and below != 2):
                continue  # the room above ends here
            if not top and below == 1:
                continue
        if not first_row and not wall_above and top != run[2]:
            continue  # the same room is above the cell before
        for left in (True,) if c == 0 else (True, False):
            if (not top and left != wall_above) or (not left and top != run[2]):
                continue
            done, now, late = list(columns), run, pending
            if late is not None:
                late -= left
                if late not in (0, 1):
                    continue
                now = (now[0], 1 if late else 2, now[2])
            if left:
                if c:
                    close(done, c, now)
                now = (bool(not top and number_above), 0, top)
            late = None
            if symbol is not None:
                late = symbol - left - top
                if now[0] or late < 0:
                    continue
                now = (True, 0, top)
            done[c] = (left, False, 0)
            if c == cols - 1:
                if late is not None:
                    if late - 1 not in (0, 1):
                        continue
                    now, late = (True, 1 if late == 2 else 2, top), None
                close(done, cols, now)
                now = None
            yield tuple(done), now, late


def close(columns, end, run):
    """Write what is known of the room that ends before a column to its first cell."""
    first = max(c for c in range(end) if columns[c][0])
    columns[first] = (True, run[0], run[1])


def is_answer(state):
    return all(number and below != 2 for left, number, below in state[0] if left)


def count_boards(rows, cols):
    """(boards with an answer, boards with exactly one)."""
    numbers, names, after = {}, [], {}

    def name(state):
        if state not in numbers:
            numbers[state] = len(names)
            names.append(state)
        return numbers[state]

    def onward(state, r, c, symbol):
        key = state, r == 0, c, symbol
        if key not in after:
            after[key] = [name(s) for s in successors(names[state], r == 0, c, cols, symbol)]
        return after[key]

    sets = {
        ((name((((True, False, 0),) * cols, None, None)),), ()): 1
    }  # states there once, states there more than once
    for r, c in product(range(rows), range(cols)):
        grown = defaultdict(int)
        for (once, more), weight in sets.items():
            for symbol in SYMBOLS:
                new, again = set(), set()
                for state in once:
                    for s in onward(state, r, c, symbol):
                        (again if s in new else new).add(s)
                for state in more:
                    again.update(onward(state, r, c, symbol))
                if new or again:
                    grown[tuple(sorted(new - again)), tuple(sorted(again))] += weight
        sets = grown
    distinct = unique = 0
    for (once, more), weight in sets.items():
        ends = sum(is_answer(names[s]) for s in once) + 2 * sum(is_answer(names[s]) for s in more)
        distinct += weight * (ends > 0)
        unique += weight * (ends == 1)
    return distinct, unique
