"""Nawabari: answers of a board counted exactly, under the rules or another reading, without a cap.

Two ways, each the other's check; both visit cells in reading order and merge what has the same future.

- By boxes: the room of the first cell that is not covered yet is one of the rectangles allowed there. What is covered
  is a depth for each column. Any reading, any size.
- By walls: the vertex model of `profile` with a debt for each room that crosses the frontier. Three bits a column say
  that the column is inside a room, or that a room begins there and NEEDS a number, is FREE, must END in this line, or
  must GO ON. A number at the last cell may wait for the wall to its right. Faster, but not for areas.

Not here: deductions.
"""

import numpy as np
import numpy.typing as npt

from ..machinery import limbs
from ..machinery.frontier import BUDGET
from ..machinery.kernels import inner, kernel
from ..machinery.memory import OverBudget
from .rules import ASKED, NO_CLUE, RULES, Board, Reading, named_reading

WIDEST = 20  # cells across a sweep by walls
INSIDE, NEEDS, FREE, END, GO_ON = 0, 1, 2, 3, 4  # three bits a column
_OPEN_NEXT, _WALL_NEXT, _EITHER_NEXT = 1, 2, 3  # what the last number says about the wall to its right
_WALLS, _AREA, _NOTHING = 0, 1, 2  # what a number says
_SAYS = {"walls": _WALLS, "area": _AREA, "nothing": _NOTHING}
_CARRY, _TOO_MANY = -1, -2  # instead of a number of states
_ONE, _MASK3 = np.uint64(1), np.uint64(7)


def count_answers(board: Board, reading: Reading | str = RULES, *, by: str | None = None, budget: int = BUDGET) -> int:
    """Number of answers of a board, exactly and without a cap.

    Parameters
    ----------
    board : rules.Board
    reading : rules.Reading or str     the rules, "dots", or the name of a misreading
    by : "boxes", "walls" or None      the way to count; None takes the better one
    budget : int                       bytes for the states

    Returns
    -------
    int

    Raises
    ------
    ValueError                         an unknown reading or way; by walls, a board over WIDEST cells across or numbers
                                       as areas
    MemoryError                        the states would need more than the budget

    Cost: by walls, 0.15 ms at 8 x 8 and 0.5 ms at 10 x 10 under the rules; dots 0.7 ms and 16 ms, no number 1 ms and 60
    ms. Boxes cost a little less up to 6 x 6 and more beyond, a thousandfold where rooms need no number.

    >>> from puzzlekit.nawabari.rules import Board
    >>> board = Board([[2, -1, -1], [-1, -1, -1], [-1, -1, 2]])
    >>> readings = ("rules", "dots", "several numbers", "no number", "number is area")
    >>> [count_answers(board, reading) for reading in readings]
    [0, 4, 1, 0, 0]
    """
    reading = named_reading(reading)
    clues = np.ascontiguousarray(board.clues.T if board.cols > board.rows else board.clues)
    if by is None:
        by = "boxes" if reading.says == "area" or clues.shape[1] > WIDEST else "walls"
    if by == "walls" and reading.says == "area":
        raise ValueError("a sweep by walls does not see areas; count by boxes")
    if by == "walls" and clues.shape[1] > WIDEST:
        raise ValueError(f"a sweep by walls is at most {WIDEST} cells across, not {clues.shape[1]}; count by boxes")
    if by not in ("boxes", "walls"):
        raise ValueError(f"unknown way {by!r}; choose from 'boxes', 'walls' and None")
    options = options_of(reading)
    if by == "boxes":
        boxes, first = boxes_of(clues, options)
        lines, across = clues.shape
        bits = lines.bit_length()
    wide = 1
    while True:
        weight = np.zeros(wide, np.uint64)
        if by == "boxes":
            states = _sweep_boxes(lines, across, boxes, first, bits, weight, budget)
        else:
            states = _sweep_walls(clues, *options, weight, budget)
        if states == _TOO_MANY:
            raise OverBudget(f"the states would need more than the budget of {budget:,} bytes")
        if states != _CARRY:
            return limbs.to_int(weight)
        wide *= 2


def options_of(reading: Reading) -> tuple[int, bool, bool, bool]:
    """A Reading as the kernels take it."""
    return _SAYS[reading.says], reading.frame, reading.several, reading.none


def boxes_of(
    clues: npt.NDArray[np.int32], options: tuple[int, bool, bool, bool]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Rectangles that a reading allows as rooms: int32 (n, 2) of width and height, by their first cell and by width;
    and int32 (cells + 1,), where those of each cell begin.
    """
    boxes, first = np.empty((0, 2), np.int32), np.empty(clues.size + 1, np.int32)
    while True:
        found = _find_boxes(clues, *options, boxes, first)
        if found == len(boxes):
            return boxes, first
        boxes = np.empty((found, 2), np.int32)


@inner
def _box_fits(clues, says, frame, top, left, height, width):
    """Whether the numbers in a rectangle are right for it."""
    lines, across = clues.shape
    for r in range(top, top + height):
        for c in range(left, left + width):
            clue = clues[r, c]
            if clue < 0 or says == _NOTHING:
                continue
            truth = height * width
            if says == _WALLS:
                truth = int(r == top and (frame or r > 0)) + int(r == top + height - 1 and (frame or r < lines - 1))
                truth += int(c == left and (frame or c > 0)) + int(c == left + width - 1 and (frame or c < across - 1))
            if clue != truth:
                return False
    return True


@kernel
def _find_boxes(clues, says, frame, several, none, boxes, first):
    """Write the allowed rectangles while they fit into boxes; returns how many there are."""
    lines, across = clues.shape
    above = np.zeros((lines + 1, across + 1), np.int64)  # clues above and to the left
    places = np.zeros((lines + 1, across + 1), np.int64)  # sum of their places: the place, where there is one
    for r in range(lines):
        for c in range(across):
            here = int(clues[r, c] != NO_CLUE)
            above[r + 1, c + 1] = above[r, c + 1] + above[r + 1, c] - above[r, c] + here
            places[r + 1, c + 1] = places[r, c + 1] + places[r + 1, c] - places[r, c] + here * (r * across + c)
    found = 0
    for top in range(lines):
        for left in range(across):
            first[top * across + left] = found
            for width in range(1, across - left + 1):
                for height in range(1, lines - top + 1):
                    r, c = top + height, left + width
                    held = above[r, c] - above[top, c] - above[r, left] + above[top, left]
                    if held > 1 and not several:
                        break
                    if held == 0 and not none:
                        continue
                    fits = True
                    if held == 1 and says != _AREA:  # only the clue's own cell has to be looked at
                        place = places[r, c] - places[top, c] - places[r, left] + places[top, left]
                        y, x = place // across, place % across
                        if clues[y, x] >= 0 and says == _WALLS:
                            truth = int(y == top and (frame or y > 0)) + int(y == r - 1 and (frame or y < lines - 1))
                            truth += int(x == left and (frame or x > 0)) + int(x == c - 1 and (frame or x < across - 1))
                            fits = clues[y, x] == truth
                    elif held:
                        fits = _box_fits(clues, says, frame, top, left, height, width)
                    if fits:
                        if found < len(boxes):
                            boxes[found, 0], boxes[found, 1] = width, height
                        found += 1
    first[lines * across] = found
    return found


# merged states with weights


@inner
def _wider(old, rows):
    new = np.empty((rows, old.shape[1]), np.uint64)
    for i in range(len(old)):
        for j in range(old.shape[1]):
            new[i, j] = old[i, j]
    return new


@inner
def _slot_of(keys, row, mask):
    place = np.uint64(0)
    for word in range(keys.shape[1]):
        place = (place ^ keys[row, word]) * np.uint64(0x9E3779B97F4A7C15)
        place ^= place >> np.uint64(32)
    return np.int64(place & np.uint64(mask))


@inner
def _merge(keys, weights, slots, layer, count, source, row):
    """Add the key in row `count` to the states of this layer, with the weight of the source's row: (count, carry).

    A slot holds layer << 32 | row of a state; what another layer left there is as good as empty, so nothing is cleared.
    """
    mask = len(slots) - 1
    place = _slot_of(keys, count, mask)
    while True:
        if slots[place] >> 32 != layer:
            slots[place] = layer << 32 | count
            for limb in range(weights.shape[1]):
                weights[count, limb] = source[row, limb]
            return count + 1, False
        known = slots[place] & 0xFFFFFFFF
        same = True
        for word in range(keys.shape[1]):
            if keys[known, word] != keys[count, word]:
                same = False
        if same:
            carry = np.uint64(0)
            for limb in range(weights.shape[1]):
                total = weights[known, limb] + carry
                carry = np.uint64(total < carry)
                total += source[row, limb]
                carry += np.uint64(total < source[row, limb])
                weights[known, limb] = total
            return count, carry != np.uint64(0)
        place = (place + 1) & mask


@inner
def _more_slots(keys, count, slots, layer):
    """Twice the slots, with the states of this layer in them."""
    new = np.empty(2 * len(slots), np.int64)
    for place in range(len(new)):
        new[place] = -1
    for row in range(count):
        place = _slot_of(keys, row, len(new) - 1)
        while new[place] >= 0:
            place = (place + 1) & (len(new) - 1)
        new[place] = layer << 32 | row
    return new


@kernel
def _sweep_boxes(lines, across, boxes, first, bits, result, budget):
    """Number of exact covers, into result; returns the widest layer, or _CARRY or _TOO_MANY."""
    fields = 64 // bits
    words = (across + fields - 1) // fields
    field = (_ONE << np.uint64(bits)) - _ONE
    most = budget // (16 * (words + len(result)) + 16)
    keys, after = np.zeros((64, words), np.uint64), np.zeros((64, words), np.uint64)
    weights, then = np.zeros((64, len(result)), np.uint64), np.zeros((64, len(result)), np.uint64)
    slots = np.empty(128, np.int64)
    for place in range(len(slots)):
        slots[place] = -1
    weights[0, 0] = _ONE
    count = widest = 1
    for cell in range(lines * across):
        c = cell % across
        at, shift = c // fields, np.uint64(bits * (c % fields))
        found = 0
        for row in range(count):
            room = 1 + first[cell + 1] - first[cell]
            if found + room >= len(after):
                if found + room > most:
                    return _TOO_MANY
                rows = max(2 * len(after), found + room + 1)
                after, then = _wider(after, rows), _wider(then, rows)
            while 2 * (found + room) > len(slots):
                slots = _more_slots(after, found, slots, cell)
            if (keys[row, at] >> shift) & field:
                for word in range(words):
                    after[found, word] = keys[row, word]
                after[found, at] -= _ONE << shift
                found, carry = _merge(after, then, slots, cell, found, weights, row)
                if carry:
                    return _CARRY
                continue
            gap = 1
            while c + gap < across:
                x = c + gap
                if (keys[row, x // fields] >> np.uint64(bits * (x % fields))) & field:
                    break
                gap += 1
            for box in range(first[cell], first[cell + 1]):
                if boxes[box, 0] > gap:
                    break
                for word in range(words):
                    after[found, word] = keys[row, word]
                for x in range(c, c + boxes[box, 0]):
                    depth = np.uint64(boxes[box, 1] - int(x == c))
                    after[found, x // fields] |= depth << np.uint64(bits * (x % fields))
                found, carry = _merge(after, then, slots, cell, found, weights, row)
                if carry:
                    return _CARRY
        if found == 0:
            return widest
        keys, after, weights, then, count = after, keys, then, weights, found
        widest = max(widest, count)
    for limb in range(len(result)):
        result[limb] = weights[0, limb]
    return widest


# walls


@inner
def _code(key, c):
    return np.int64((key >> np.uint64(3 * c)) & _MASK3)


@inner
def _recoded(key, c, code):
    return (key & ~(_MASK3 << np.uint64(3 * c))) | (np.uint64(code) << np.uint64(3 * c))


@inner
def _start_of(key, c):
    """Column where the room of column c begins."""
    while c > 0 and _code(key, c) == INSIDE:
        c -= 1
    return c


@inner
def _indebted(key, c, ends, last_line, frame):
    """Key after a number asks the room of column c to end in this line or to go on; 0, no key, if it cannot."""
    start = _start_of(key, c)
    code = _code(key, start)
    debt = END if ends else GO_ON
    if last_line:  # the wall below is the frame
        return _recoded(key, start, FREE) if ends == frame else np.uint64(0)
    if code in (END, GO_ON) and code != debt:
        return np.uint64(0)
    return _recoded(key, start, debt)


@inner
def _closed(key, c, r, ahead, lines, several, none):
    """Key after the room of column c got its last column in line r; 0 if it has no future.

    ahead : int (lines, columns + 1) clues of each line to the left of a column, or no lines where boards are not known.
    A room that has its clue and would meet another must END, and one that has none must meet a single one next. Two
    rooms side by side that both END have the same future as one.
    """
    start = _start_of(key, c)
    code = _code(key, start)
    if r == lines - 1:
        return np.uint64(0) if code == NEEDS and not none else key
    if len(ahead) and code == NEEDS:
        y = r + 1
        while y < lines and ahead[y, c + 1] == ahead[y, start]:
            y += 1
        if y == lines or (not several and ahead[y, c + 1] - ahead[y, start] > 1):
            if not none:
                return np.uint64(0)
            if y == r + 1:
                code = END
            elif y == lines:
                code = FREE
    elif len(ahead) and not several and ahead[r + 1, c + 1] > ahead[r + 1, start]:
        if code == GO_ON:
            return np.uint64(0)
        code = END
    if code == END and start > 0 and _code(key, _start_of(key, start - 1)) == END:
        code = INSIDE
    return _recoded(key, start, code)


@inner
def wall_moves(
    key: np.uint64,
    clue: int,
    r: int,
    c: int,
    ahead: npt.NDArray[np.int64],
    lines: int,
    across: int,
    says: int,
    frame: bool,
    several: bool,
    none: bool,
    after: npt.NDArray[np.uint64],
) -> int:
    """Write the keys that follow a key when cell (r, c) has a clue, for every legal top and left wall; returns how
    many.

    A key has three bits a column, then the top wall of the last cell, then two bits for what the last number asks of
    the wall to its right. At most three keys follow.
    """
    flag, ask = np.uint64(3 * across), np.uint64(3 * across + 1)
    last_line = r == lines - 1
    top_before = np.int64((key >> flag) & _ONE)
    asked = np.int64(key >> ask)
    above = _code(key, c)
    plain = key & ((_ONE << flag) - _ONE)
    found = 0
    for top in range(2):
        if r == 0:
            if top == 0:
                continue
        elif above == INSIDE:
            if top != top_before:
                continue
        elif above == (END if top == 0 else GO_ON) or (above == NEEDS and top == 1 and not none):
            continue
        for left in range(2):
            new = plain
            if c == 0:
                if left == 0:
                    continue
            else:
                if top == 0 and left != int(above != INSIDE):
                    continue
                if top == 1 and left == 0 and top_before == 0:
                    continue
                if (asked == _OPEN_NEXT and left == 1) or (asked == _WALL_NEXT and left == 0):
                    continue
                if asked == _EITHER_NEXT:
                    new = _indebted(new, c - 1, left == 0, last_line, frame)
                    if new == 0:
                        continue
                if left == 1:
                    new = _closed(new, c - 1, r, ahead, lines, several, none)
                    if new == 0:
                        continue
            code = INSIDE
            if left == 1:
                if top == 1:
                    code = FREE if none and several else NEEDS
                else:
                    code = NEEDS if above == NEEDS else FREE
            new = _recoded(new, c, code)
            ask_next = 0
            if clue != NO_CLUE:
                start = _start_of(new, c)
                if _code(new, start) == NEEDS:
                    new = _recoded(new, start, FREE)
                elif not several:
                    continue
                if clue != ASKED and says == _WALLS:
                    left_over = clue - int(top == 1 and (r > 0 or frame)) - int(left == 1 and (c > 0 or frame))
                    if c == across - 1:
                        left_over -= int(frame)
                    if left_over < 0 or left_over > (1 if c == across - 1 else 2):
                        continue
                    if c == across - 1:
                        new = _indebted(new, c, left_over == 1, last_line, frame)
                    elif left_over == 1:
                        ask_next = _EITHER_NEXT
                    else:
                        ask_next = _OPEN_NEXT if left_over == 0 else _WALL_NEXT
                        new = _indebted(new, c, left_over == 2, last_line, frame)
                    if new == 0:
                        continue
            if c == across - 1:
                new = _closed(new, c, r, ahead, lines, several, none)
                if new == 0:
                    continue
            else:
                new |= np.uint64(top) << flag | np.uint64(ask_next) << ask
            after[found] = new
            found += 1
    return found


@kernel
def _sweep_walls(clues, says, frame, several, none, result, budget):
    """Number of answers, into result; returns the widest layer, or _CARRY or _TOO_MANY."""
    lines, across = clues.shape
    most = budget // (16 * (1 + len(result)) + 16)
    ahead = np.zeros((lines, across + 1), np.int64)
    for r in range(lines):
        for c in range(across):
            ahead[r, c + 1] = ahead[r, c] + int(clues[r, c] != NO_CLUE)
    keys, after = np.zeros((64, 1), np.uint64), np.zeros((64, 1), np.uint64)
    weights, then = np.zeros((64, len(result)), np.uint64), np.zeros((64, len(result)), np.uint64)
    slots = np.empty(128, np.int64)
    for place in range(len(slots)):
        slots[place] = -1
    moves = np.empty(4, np.uint64)
    weights[0, 0] = _ONE
    count = widest = 1
    for cell in range(lines * across):
        r, c = cell // across, cell % across
        found = 0
        for row in range(count):
            if found + 4 >= len(after):
                if found + 4 > most:
                    return _TOO_MANY
                after, then = _wider(after, 2 * len(after)), _wider(then, 2 * len(after))
            if 2 * (found + 4) > len(slots):
                slots = _more_slots(after, found, slots, cell)
            ways = wall_moves(keys[row, 0], clues[r, c], r, c, ahead, lines, across, says, frame, several, none, moves)
            for move in range(ways):
                after[found, 0] = moves[move]
                found, carry = _merge(after, then, slots, cell, found, weights, row)
                if carry:
                    return _CARRY
        if found == 0:
            return widest
        keys, after, weights, then, count = after, keys, then, weights, found
        widest = max(widest, count)
    for row in range(count):  # a room may be FREE or, where it need not have one, NEEDS a number
        carry = np.uint64(0)
        for limb in range(len(result)):
            total = result[limb] + carry
            carry = np.uint64(total < carry)
            total += weights[row, limb]
            carry += np.uint64(total < weights[row, limb])
            result[limb] = total
        if carry:
            return _CARRY
    return widest
