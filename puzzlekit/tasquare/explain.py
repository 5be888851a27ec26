"""Tasquare explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

The rungs are those of ladder.py, and so is where they end; what each look finds is in looks.py. Squares that `prune`
rules out are not settled cells, so nobody sees them: what follows from them is a prune step, which rests on the numbers
that rule them out. Premises are dropped while the rest still forces the conclusion (follows.py).
"""

from functools import lru_cache, partial
from typing import Any, Self

import numpy as np

from ..machinery import explanation, grid
from ..machinery.explanation import Premises, Step
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED, GridLike
from ..machinery.position import CONNECTED, OTHER, Settles, Shading, clued, targets
from . import follows, looks
from .deduce import PROBE, WHITE
from .ladder import RUNGS, rungs_to
from .rules import ASKED, CLAUSES, NO_CLUE, Board
from .solver import solve

SQUARE, SUM, TOUCH, CLUED, SOMETHING = (
    "block-not-square",
    "sum-mismatch",
    "clue-touches-no-shading",
    "clue-shaded",
    "nothing-shaded",
)
CODES = SQUARE, CONNECTED, SUM, TOUCH  # in the order of follows.py
GRADES = {"shape": "trivial", "clue": "easy", "prune": "medium", "white": "hard", "probe": "expert"}
EVER = 1 << 30  # looks


@lru_cache(maxsize=16)
def _outlines(rows, cols):
    """The squares over each cell, int arrays; and for each square the states of cells that rule it out, uint8 (q, n):
    UNSHADED inside, SHADED beside it, elsewhere none.
    """
    plan = follows.plan(rows, cols)
    r, c = np.divmod(np.arange(rows * cols), cols)
    outline = np.full((len(plan.side), rows * cols), 255, np.uint8)
    for side, first, end in zip(range(1, len(plan.first) - 1), plan.first[1:-1], plan.first[2:], strict=True):
        top, left = np.divmod(plan.corner[first:end, None], cols)
        down, across = (top <= r) & (r < top + side), (left <= c) & (c < left + side)
        near = (top - 1 <= r) & (r <= top + side) & across | (left - 1 <= c) & (c <= left + side) & down
        outline[first:end][near] = SHADED
        outline[first:end][down & across] = UNSHADED
    return [np.flatnonzero(column) for column in (outline == UNSHADED).T], outline


class Atlas:
    """What never changes on a board, for reading from Python."""

    def __init__(self, board: Board) -> None:
        self.plan = follows.plan(board.rows, board.cols)
        self.near = self.plan.near
        self.cell = self.key = [divmod(i, board.cols) for i in range(board.rows * board.cols)]
        self.place = {key: i for i, key in enumerate(self.key)}
        self.clues = board.clues.ravel().tolist()
        self.beside = [[there for there in line if there < len(self.cell)] for line in self.near.tolist()]
        self.over, self.outline = _outlines(board.rows, board.cols)
        self.clued = [cell for cell, clue in enumerate(self.clues) if clue != NO_CLUE]


@lru_cache(maxsize=256)
def _atlas(board):
    return Atlas(board)


def _copied(memory):
    return looks.Memory(*(part.copy() for part in memory))


def _hitting(masks, chosen):
    """Places, added to those chosen, so that every mask, bool (k, n), has one of them: greedily few, as a set."""
    chosen = set(chosen)
    masks = masks[~masks[:, list(chosen)].any(axis=1)]
    while len(masks):
        often = masks.sum(axis=0)
        most = masks & (often == often.max())
        best = most[most.any(axis=1).argmax()].argmax()
        chosen.add(int(best))
        masks = masks[~masks[:, best]]
    return chosen


class Position(Shading):
    """A solver's state, what it remembers of it, and the next step from it."""

    RUNGS, CLAUSES = RUNGS, tuple(CLAUSES)

    def __init__(self, board: Board, state: np.ndarray, only: Premises | None = None) -> None:
        super().__init__(board, _atlas(board), state, only)
        clues = self.atlas.clued if only is None else [cell for cell in self.atlas.clued if self.knows(cell)]
        self.known = self._premises(self.state, clues, self.clauses)
        self.memory = _copied(looks.memory(board.rows, board.cols))
        self.glance = 0
        self.fates: Any = None  # what guesses come to within so many looks

    def copy(self) -> Self:
        trial = super().copy()
        trial.memory = _copied(self.memory)
        return trial

    def settle(self, cell: int, value: int) -> None:
        self.buffer[cell] = value
        self.glance = 0

    def fails(self, guess: tuple[int, int], most: int | None) -> bool:
        most = most or EVER
        if most > self.glance:
            self.glance, self.fates = most, self._look(PROBE, most)[-1]
        cell, value = guess
        return 0 < self.fates[cell, value - UNSHADED] <= most

    def tellable(self, guess: tuple[int, int], premises: Premises, deep: bool) -> bool:
        """Whether `_refuted` has something to tell; without telling it."""
        trial = self.knowing(guess, premises)
        while True:
            step = trial.next_step("probe", words=False)
            if step is not None:
                if not step.settles:
                    return True
                trial.take(step)
                continue
            fates = trial._look(PROBE, EVER)[-1] if deep else np.zeros((1, 2))
            if not fates.any() or fates.all(axis=1).any():
                return bool(fates.any())
            for cell, wrong in np.argwhere(fates).tolist():
                trial.settle(cell, OTHER - (UNSHADED + wrong))

    def _refuted(self, guess, premises, deep=False):
        return super()._refuted(guess, premises, deep) if self.tellable(guess, premises, deep) else None

    def _look(self, top, most=0):
        return looks.look(self.atlas.plan, self.known, self.memory, top, most)

    def next_step(self, top: str, words: bool = True) -> Step | None:
        step = self._opening() if self.only is None else self._numbered()
        if step:
            return step
        highest = PROBE if self.complete else RUNGS.index(top)  # a full board is judged by all rules
        rung, found, settles, values, cut, _ = self._look(highest)
        if rung < 0:
            return None
        if rung == WHITE:
            return self.cut_told(RUNGS[WHITE], words, *cut)
        settles = list(zip(settles.tolist(), values.tolist(), strict=True))
        if found[0] == looks.ONLY:
            settles.sort(key=lambda mark: (-mark[1], mark[0]))
        if not words:
            return self.step(RUNGS[rung], settles, Premises(), False, None)
        kind, layer, at, square = found.tolist()
        sentence = partial(SENTENCES[kind], at=at, square=square)
        return self.step(RUNGS[rung], settles, self._because(kind, layer, at), True, sentence, shrink=sentence)

    def _opening(self):
        """Cells with a clue are unshaded; and a board with nothing shaded is wrong."""
        cells = [cell for cell in self.atlas.clued if self.buffer[cell] != UNSHADED]
        wrong = [cell for cell in cells if self.buffer[cell] == SHADED]
        if cells:
            premises = Premises(clues=tuple(wrong[:1] or cells), cells=tuple(wrong[:1]), clauses=(CLUED,))
            return self.step(RUNGS[0], [] if wrong else [(cell, UNSHADED) for cell in cells], premises, True, clued)
        if self.complete and SHADED not in self.buffer:
            premises = Premises(cells=tuple(range(len(self.atlas.cell))), clauses=(SOMETHING,))
            return self.step(RUNGS[0], [], premises, True, _blank)
        return None

    def _numbered(self):
        """A number can be right only on an unshaded cell; told where that is not known of all clues."""
        for cell in self.atlas.clued if SUM in self.clauses else ():
            if self.buffer[cell] == UNKNOWN and self.known.value[cell] > 0:
                return self.step(RUNGS[0], [(cell, UNSHADED)], Premises(clues=(cell,), clauses=(SUM,)), True, _numbered)
        return None

    def number(self, cell: int) -> str:
        value = self.atlas.clues[cell]
        return f"the {'?' if value == ASKED else value} at {grid.cell_name(*self.atlas.cell[cell])}"

    # premises

    def _because(self, kind, layer, at):
        """What a find rests on: enough, with greedily few of the settled cells that rule squares out."""
        atlas, memory = self.atlas, self.memory
        clues = {at} if kind in looks.OF_CLUES else set()
        cells, clauses, lost = set(), {SUM}, np.empty(0, int)  # squares that have to be out
        if kind in (looks.HOMELESS, looks.ONLY, looks.UNCOVERED):
            clauses = {SQUARE}
            cells.update([at] if kind != looks.UNCOVERED else [])
            lost = atlas.over[at][memory.square[looks.LOST + layer, atlas.over[at]] < looks.NOW]
        elif kind == looks.GROWN:
            cells.update(np.flatnonzero(self.state[:-1]).tolist())
        elif kind == looks.ZERO:
            clauses = {SUM, TOUCH}
            cells.add(at)
        elif kind == looks.TOUCHED:
            clauses = {TOUCH if TOUCH in self.clauses else SUM}
            cells.update(there for there in atlas.beside[at] if self.buffer[there] == UNSHADED)
        elif kind == looks.SUMMED:
            clauses = {SQUARE, SUM}
            lost = self._against(at, None, memory.square[looks.LOST + layer] == looks.NOW, looks.NOW, cells)
        asked: set[int] = set()
        seen: set[int] = set()
        ruled = [np.zeros((0, len(atlas.cell)), bool)]
        while len(lost):
            lost = np.array([square for square in dict.fromkeys(lost.tolist()) if square not in asked], int)
            asked.update(lost.tolist())
            by = atlas.outline[lost] == self.state[:-1]
            ruled.append(by[by.any(axis=1)])
            events = dict.fromkeys(memory.square[looks.REASON, lost[~by.any(axis=1)]].tolist())
            further = [np.empty(0, int)]
            for event in events.keys() - seen:  # a number has ruled them out
                clue, but = memory.event[event].tolist()
                clues.add(clue)
                clauses.update((SQUARE, SUM))
                further.append(self._against(clue, but, memory.square[looks.LOST + 1] > event, event, cells))
            seen.update(events)
            lost = np.concatenate(further)
        cells |= _hitting(np.concatenate(ruled), cells)
        return Premises(tuple(sorted(clues)), tuple(sorted(cells)), (), tuple(clauses))

    def _against(self, clue, but, possible, then, cells):
        """Squares that have to be out so that the sides of a number, but for one, could add no more than they could
        after so many events; settled cells that have to be so are added to `cells`.
        """
        lost, side = [], self.atlas.plan.side
        for there in self.atlas.beside[clue]:
            if there == but:
                continue
            now = self.buffer[there]
            was = now if self.memory.cell[looks.WHEN, there] <= then else UNKNOWN
            over = self.atlas.over[there]
            fits = np.zeros(len(self.atlas.plan.first), bool)  # by side
            if was != UNSHADED:
                fits[side[over[possible[over]]]] = True
            if was == SHADED or not fits.any():
                if now != UNKNOWN:
                    cells.add(there)
                if was != SHADED and now == UNSHADED:
                    continue
            lost.append(over[~fits[side[over]] & (side[over] ** 2 <= self.atlas.clues[clue])])
        return np.concatenate(lost) if lost else np.empty(0, int)

    def shrunk(self, premises: Premises, settles: Settles) -> Premises:
        """What is left of premises when everything is dropped that the conclusion can do without."""
        state = np.zeros_like(self.state)
        state[list(premises.cells)] = self.state[list(premises.cells)]
        known = self._premises(state, premises.clues, premises.clauses)
        proved = follows.shrink(self.atlas.plan, known, *targets(settles))
        fewer = Premises(
            tuple(cell for cell in premises.clues if known.value[cell] != NO_CLUE),
            tuple(cell for cell in premises.cells if known.state[cell]),
            (),
            tuple(code for code, kept in zip(CODES, known.rules, strict=True) if kept),
        )
        if not proved:
            self.unproved.add(fewer)
        return fewer

    def _premises(self, state, clues, clauses):
        """Premises as arrays: some states, and numbers of clues."""
        value = np.full(len(self.atlas.cell), NO_CLUE, np.int32)
        for cell in clues:
            value[cell] = self.atlas.clues[cell]
        return follows.Known(state, value, np.array([code in clauses for code in CODES], np.uint8))


# Words


def _numbered(told):
    return f"{told.numbers} can be right only if {told.so}."


def _blank(told):
    return "nothing is shaded, and something has to be."


def _given(told, but=()):
    """The premises beside the point of a sentence: settled cells, and numbers that rule squares out."""
    cells = [cell for cell in told.cells if cell not in but]
    given = [f"given that {told.given(cells)}"] if cells else []
    clues = [cell for cell in told.clues if cell not in but]
    if clues:
        given.append(f"what {told.numbers} can add up to")
    return f", {' and '.join(given)}" if given else ""


def _homeless(told, at, square):
    over = f" over the shaded {told.at([at])}" if at in told.cells else ""
    return f"no square fits{over}{_given(told, [at])}."


def _only(told, at, square):
    plan = told.position.atlas.plan
    side, (r, c) = int(plan.side[square]), told.position.atlas.cell[plan.corner[square]]
    first, last = grid.cell_name(r, c), grid.cell_name(r + side - 1, c + side - 1)
    name = f"{first} alone" if side == 1 else f"the {side} x {side} square from {first} to {last}"
    over = f" over the shaded {told.at([at])}" if at in told.cells else ""
    return f"{name} is the only square that fits{over}{_given(told, [at])}, so {told.so}."


def _uncovered(told, at, square):
    return f"no square fits over {told.at([at])}{_given(told)}, so it is unshaded."


def _zero(told, at, square):
    return f"{told.number(at)} should have nothing beside it, and every clue has shading beside it; {told.given()}."


def _touched(told, at, square):
    given = f", given that {told.given()}" if told.cells else ""
    if not told.settles:
        return f"{told.numbers} has no side left to be shaded{given}."
    return f"{told.numbers} needs shading beside it and has one side left{given}, so {told.so}."


def _summed(told, at, square):
    given = f", given that {told.given()}" if told.cells else ""
    if not told.settles:
        return f"there is no way to make up {told.numbers}{given}."
    return f"however {told.numbers} is made up{given}, {told.so}."


SENTENCES = {
    looks.HOMELESS: _homeless,
    looks.ONLY: _only,
    looks.UNCOVERED: _uncovered,
    looks.ZERO: _zero,
    looks.TOUCHED: _touched,
    looks.SUMMED: _summed,
    looks.GROWN: _summed,
}


# What a solver asks


def explain(board: Board, top: str = "probe", start: GridLike | None = None) -> explanation.Explanation:
    """The deductions on a board in order.

    Parameters
    ----------
    board : Board
    top : str                      the highest rung to use, one of RUNGS
    start : uint8 (rows, cols)     where the solver stands: UNKNOWN, UNSHADED, SHADED; None is a blank board

    Returns
    -------
    explanation.Explanation        from a blank board it ends as climb(board, top) does

    Raises
    ------
    ValueError                     an unknown rung, a state of another size or with other values

    Cost: about 30 ms on a 10 x 10 board, most of it for probes; where they have to be told at length up to 2 s.

    >>> from puzzlekit.tasquare.rules import Board
    >>> board = Board([[NO_CLUE, NO_CLUE, NO_CLUE], [4, NO_CLUE, NO_CLUE], [NO_CLUE, NO_CLUE, NO_CLUE]])
    >>> for step in explain(board, "clue"):
    ...     print(step.rung, step.sentence)
    shape R2C1 has a clue, so it is unshaded.
    clue However the 4 at R2C1 is made up, R2C2 is shaded and R1C1 and R3C1 are unshaded.
    """
    rungs_to(top)
    return explanation.explained(Position(board, grid.as_state(start, board.clues.shape)), top)


def difficulty(board: Board) -> explanation.Difficulty:
    """How hard a board is for whoever climbs the ladder: explanation.Difficulty, with a grade of GRADES.

    Cost: less than that of `explain`, since nothing has to be put into words.
    """
    return explanation.difficulty(
        lambda: Position(board, grid.as_state(None, board.clues.shape)),
        GRADES,
        lambda: len(solve(board, budget=explanation.GUESSES).answers) > 1,
    )


def hint(board: Board, partial: GridLike) -> explanation.Hint:
    """The next step from where a solver stands, or which of their cells is wrong.

    Parameters
    ----------
    board : Board
    partial : uint8 (rows, cols)     UNKNOWN, UNSHADED, SHADED

    Returns
    -------
    explanation.Hint                 a mistake is a cell that differs from the answer, or from the one that comes
                                     nearest

    Raises
    ------
    ValueError                       a state of another size or with other values
    """
    position = Position(board, grid.as_state(partial, board.clues.shape))
    return position.hint(solve(board, explanation.MOST_ANSWERS).answers)
