"""Usowan: answers of a board counted exactly, under the rules or a misreading, without a cap.

The frontier of `profile` with more words behind it:

- for each column, four bits: 0, or one more than the shaded cells seen so far beside a number that is not decided yet;
- for each open region, in a slot, its wrong numbers so far.

A number is decided as soon as what is still to come can only make it right or only make it wrong, which lets more
states merge. A region closes with its last number. On the whole board as one scope, the board is one such region. Not
here: deductions. A caller may hand in what is settled already, which keeps the diagram small.
"""

import numpy as np

from ..machinery import grid
from ..machinery.frontier import BUDGET, Diagram
from ..machinery.grid import GridLike
from ..machinery.kernels import kernel
from . import profile
from .rules import NO_CLUE, RULES, Board, Reading, named_reading

_COUNTS_A_WORD = 16  # of four bits
_COL, _VALUE, _FEWEST_TO_COME, _MOST_TO_COME, _SLOT, _ROLE = range(6)  # columns of an event
_BEGINS, _GOES_ON = 0, 1  # roles: the cell holds the number, the cell is right of it or below it


def count_answers(
    board: Board, reading: Reading | str = RULES, *, settled: GridLike | None = None, budget: int = BUDGET
) -> int:
    """Number of answers of a board, exactly and without a cap.

    Parameters
    ----------
    board : rules.Board
    reading : rules.Reading or str     the rules, or the name of a misreading
    settled : int (rows, cols)         UNKNOWN, UNSHADED or SHADED for each cell, to count only the answers that agree
    budget : int                       bytes for the states

    Returns
    -------
    int

    Raises
    ------
    ValueError                         an unknown reading, a grid of another size, a board over profile.WIDEST cells
                                       wide
    MemoryError                        the states would need more than the budget

    >>> from puzzlekit.usowan.rules import Board
    >>> board = Board([[1, -1, -1], [-1, -1, -1], [-1, -1, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    >>> count_answers(board), count_answers(board, "none wrong"), count_answers(board, "all honest")
    (9, 13, 4)
    """
    return board_diagram(board, reading, settled=settled, budget=budget).count()


def board_diagram(
    board: Board, reading: Reading | str = RULES, *, settled: GridLike | None = None, budget: int = BUDGET
) -> Diagram:
    """Diagram of a board's answers: one layer a cell, choice 1 shades it. Parameters and errors as for `count_answers`.

    A corner never matters to how many unshaded pieces there are on a grid of at least two rows and columns: where two
    shaded cells never share a side, every 2 x 2 window has at least two unshaded cells, and any two cells of a window
    touch by a side or a corner. Windows that overlap in two neighbouring cells share an unshaded one, since those two
    are not both shaded. So all unshaded cells are one piece, always, and the reading "corner" is the rules without
    their clause about one region. With one row or one column there are no corners, and it is the rules as they stand.

    Returns
    -------
    frontier.Diagram   answers as uint8 (n, rows * cols), cells in reading order

    >>> from puzzlekit.usowan.rules import Board
    >>> space = board_diagram(Board([[1, -1], [-1, -1]], [[0, 0], [0, 0]]))
    >>> space.unrank(range(space.count())).tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1]]
    """
    reading = named_reading(reading)
    connected = reading.touching == "side" or (reading.touching == "corner" and 1 in (board.rows, board.cols))
    lines, across, order = profile.sweep_order(board.rows, board.cols)
    clues = board.clues.ravel()[order].reshape(lines, across)
    regions = board.regions.ravel()[order].reshape(lines, across)
    if reading.scope == "board":
        regions = np.zeros_like(regions)
    known = np.zeros(clues.shape, np.int8) if settled is None else np.asarray(settled)
    if settled is not None:
        if known.shape != board.clues.shape:
            raise ValueError(f"settled has shape {known.shape}, the board {board.clues.shape}")
        known = known.ravel()[order].reshape(lines, across)
    may_shade = (clues == NO_CLUE) & (known != grid.UNSHADED)
    may_leave = known != grid.SHADED
    most = min(reading.most, int((clues >= 0).sum()))
    events, closing, slots = _schedule(clues, regions, may_shade, may_leave)
    bits = max(1, max(most, 0).bit_length())
    first_slot_word = 1 + (-(-across // _COUNTS_A_WORD) if (clues >= 0).any() else 0)
    words = first_slot_word + -(-slots // (64 // bits))
    may = np.stack([may_leave, may_shade], axis=-1).reshape(-1, 2)
    limits = (reading.fewest, most, bits, first_slot_word)

    def expand(layer, keys):
        after = np.empty((len(keys), 2, words), np.uint64)
        allowed = np.empty((len(keys), 2), bool)
        place = (layer % across, across, layer < across, connected)
        _expand_clued(keys, place, may[layer], events[layer], closing[layer], limits, after, allowed)
        return after, allowed

    return Diagram(
        start=[int(profile.START)] + [0] * (words - 1),
        kinds=range(lines * across + 1),
        expand=expand,
        accept=lambda keys: profile.accepted(keys[:, 0], connected),
        order=order,
        budget=budget,
    )


def _schedule(clues, regions, may_shade, may_leave):
    """What each layer has to look at.

    Returns
    -------
    events : list of int64 (n, 6)    numbers beside or at each layer's cell: see the names of the columns
    closing : list of int64 (n,)     slots of the regions whose last number is decided there
    slots : int                      how many regions are open at once
    """
    lines, across = clues.shape
    events: list[list[list[int]]] = [[] for _ in range(clues.size)]
    spans = {int(region): [clues.size, 0] for region in np.unique(regions)}
    for r, c in np.argwhere(clues >= 0).tolist():
        span = spans[int(regions[r, c])]
        span[0] = min(span[0], r * across + c)
        to_come = [(y, x) for y, x in ((r, c + 1), (r + 1, c)) if y < lines and x < across]
        for looked_at, (y, x) in enumerate([(r, c), *to_come]):
            left = to_come[looked_at:]
            fewest = sum(not may_leave[cell] for cell in left)
            most = sum(bool(may_shade[cell]) for cell in left)
            role = _BEGINS if looked_at == 0 else _GOES_ON
            events[y * across + x].append([c, clues[r, c], fewest, most, int(regions[r, c]), role])
            span[1] = max(span[1], y * across + x)
            if fewest == most:
                break  # decided here at the latest
    closing: list[list[int]] = [[] for _ in range(clues.size)]
    slot_of: dict[int, int] = {}
    free_after: list[int] = []
    for region, (first, last) in sorted(spans.items(), key=lambda item: item[1]):
        first = min(first, last)  # a region without numbers closes with the first cell
        slot = next((s for s, end in enumerate(free_after) if end < first), len(free_after))
        free_after[slot:] = [last, *free_after[slot + 1 :]]
        slot_of[region] = slot
        closing[last].append(slot)
    for event in (event for layer in events for event in layer):
        event[_SLOT] = slot_of[event[_SLOT]]
    as_array = [np.array(layer, np.int64).reshape(-1, 6) for layer in events]
    return as_array, [np.array(layer, np.int64) for layer in closing], len(free_after)


@kernel
def _expand_clued(keys, place, may, events, closing, limits, after, allowed):
    col, cols, first_row, connected = place
    fewest, most, bits, first_slot_word = limits
    slots_a_word = 64 // bits
    mask = np.uint64((1 << bits) - 1)
    for i in range(len(keys)):
        for choice in range(2):
            allowed[i, choice] = False
            if not may[choice]:
                continue
            word = profile.grow(keys[i, 0], col, cols, first_row, connected, True, choice == 1)
            if word == profile.DEAD:
                continue
            key = after[i, choice]
            for w in range(key.shape[0]):
                key[w] = keys[i, w]
            key[0] = word
            fine = True
            for e in range(len(events)):
                at = 1 + events[e, _COL] // _COUNTS_A_WORD
                shift = np.uint64(4 * (events[e, _COL] % _COUNTS_A_WORD))
                if events[e, _ROLE] == _BEGINS:
                    shaded = np.int64(keys[i, 0] & np.uint64(0xFFFFFFFF))
                    seen = 0
                    if col > 0:
                        seen += (shaded >> (col - 1)) & 1
                    if not first_row:
                        seen += (shaded >> (col + 1)) & 1
                else:
                    # one type to numba
                    seen = np.int64((key[at] >> shift) & np.uint64(15)) - 1  # type: ignore[assignment]
                    if seen < 0:
                        continue  # decided before
                    seen += choice
                wrong = seen + events[e, _FEWEST_TO_COME] > events[e, _VALUE]
                wrong = wrong or seen + events[e, _MOST_TO_COME] < events[e, _VALUE]
                decided = wrong or events[e, _FEWEST_TO_COME] == events[e, _MOST_TO_COME]
                key[at] &= ~(np.uint64(15) << shift)
                if not decided:
                    key[at] |= np.uint64(seen + 1) << shift
                if wrong:
                    slot = events[e, _SLOT]
                    at = first_slot_word + slot // slots_a_word
                    shift = np.uint64(bits * (slot % slots_a_word))
                    if np.int64((key[at] >> shift) & mask) + 1 > most:
                        fine = False
                        break
                    key[at] += np.uint64(1) << shift
            for e in range(len(closing)):
                if not fine:
                    break
                at = first_slot_word + closing[e] // slots_a_word
                shift = np.uint64(bits * (closing[e] % slots_a_word))
                wrongs = np.int64((key[at] >> shift) & mask)
                if wrongs < fewest or wrongs > most:
                    fine = False
                key[at] &= ~(mask << shift)
            allowed[i, choice] = fine
