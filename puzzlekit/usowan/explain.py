"""Usowan explained: the ladder's deductions one at a time, each with its exact premises and a sentence.

The rungs are those of ladder.py, and so is where they end; here they are slower and say why. Premises are dropped while
the rest still forces the conclusion (premises.py).
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import chain

import numpy as np

from ..machinery import explanation, grid
from ..machinery.explanation import Premises, Step, listed
from ..machinery.grid import SHADED, UNKNOWN, UNSHADED, GridLike
from ..machinery.position import CONNECTED, OTHER, Settles, Shading, clued, targets
from .ladder import RUNGS, rungs_to
from .premises import Known, agreed, forced, shrink
from .rules import CLAUSES, NO_CLUE, Board
from .solver import solve

APART, LIES, CLUED = "shaded-adjacent", "region-lies-not-one", "clue-shaded"
GRADES = {"cell": "trivial", "count": "easy", "region": "medium", "connect": "hard", "probe": "expert"}


class Atlas:
    """What never changes on a board, in lists, for reading from Python."""

    def __init__(self, board: Board) -> None:
        self.cell = self.key = [divmod(i, board.cols) for i in range(board.rows * board.cols)]
        self.place = {key: i for i, key in enumerate(self.key)}
        near = grid.neighbours(board.rows, board.cols)
        self.near = np.where(near < 0, np.int32(len(near)), near)
        self.beside = [tuple(there for there in line if there >= 0) for line in near.tolist()]
        self.clues = board.clues.ravel().tolist()
        self.clued = [cell for cell, clue in enumerate(self.clues) if clue != NO_CLUE]
        self.numbers = [[r * board.cols + c for r, c in cells] for cells in board.clues_by_region]
        self.around = [{there for cell in cells for there in self.beside[cell]} for cells in self.numbers]
        regions = board.regions.ravel().tolist()
        self.numbered = {cell: i for i, cell in enumerate(chain.from_iterable(self.numbers))}
        self.touches = [{regions[there] for there in line if self.clues[there] >= 0} for line in self.beside]


@lru_cache(maxsize=256)
def _atlas(board):
    return Atlas(board)


class Position(Shading):
    """A solver's state, and the next step from it."""

    RUNGS, CLAUSES = RUNGS, tuple(CLAUSES)

    def __init__(self, board: Board, state: np.ndarray, only: Premises | None = None) -> None:
        super().__init__(board, _atlas(board), state, only)
        self.stale_count = set(range(len(self.atlas.numbers)))
        self.stale_region = set(self.stale_count)
        self.fresh = [cell for cell in range(len(self.atlas.cell)) if self.buffer[cell] == SHADED]

    def settle(self, cell: int, value: int) -> None:
        self.buffer[cell] = value
        if value == SHADED:
            self.fresh.append(cell)
        self.stale_count |= self.atlas.touches[cell]
        self.stale_region |= self.atlas.touches[cell]

    def rest(self) -> None:
        self.stale_count, self.stale_region, self.fresh = set(), set(), []

    def finders(self) -> tuple[Callable[[str, bool], Step | None], ...]:
        return self._cell, self._count, self._region, self.cut_step

    def number(self, cell: int) -> str:
        return f"the {self.atlas.clues[cell]} at {grid.cell_name(*self.atlas.cell[cell])}"

    # one rung each

    def _cell(self, rung, words):
        if self.only is None:
            opening = [cell for cell in self.atlas.clued if self.buffer[cell] != UNSHADED]
            if opening:
                return self._opening(rung, opening)
        while self.fresh and APART in self.clauses:
            here = self.fresh[-1]
            for there in self.atlas.beside[here]:
                if self.buffer[there] == SHADED:
                    return self.step(rung, [], Premises(cells=(here, there), clauses=(APART,)), words, _touching)
            beside = [there for there in self.atlas.beside[here] if self.buffer[there] == UNKNOWN]
            if beside:
                settles = [(there, UNSHADED) for there in beside]
                return self.step(rung, settles, Premises(cells=(here,), clauses=(APART,)), words, _beside)
            self.fresh.pop()
        return None

    def _opening(self, rung, cells):
        wrong = [cell for cell in cells if self.buffer[cell] == SHADED]
        premises = Premises(clues=tuple(wrong[:1] or cells), cells=tuple(wrong[:1]), clauses=(CLUED,))
        return self.step(rung, [] if wrong else [(cell, UNSHADED) for cell in cells], premises, True, clued)

    def _bounds(self, cell):
        states = [self.buffer[there] for there in self.atlas.beside[cell]]
        shaded = states.count(SHADED)
        return shaded, shaded + states.count(UNKNOWN)

    def _around(self, cell, value):
        return [there for there in self.atlas.beside[cell] if self.buffer[there] == value]

    def _wrong_because(self, cell):
        """Settled cells that prove a number wrong."""
        low, _ = self._bounds(cell)
        value = self.atlas.clues[cell]
        if value < low:
            return self._around(cell, SHADED)[: value + 1]
        return self._around(cell, UNSHADED)[: max(0, len(self.atlas.beside[cell]) - value + 1)]

    def _count(self, rung, words):
        while self.stale_count and LIES in self.clauses:
            region = min(self.stale_count)
            if self.only is None or region in self.only.regions:
                step = self._count_region(rung, region, words)
                if step is not None:
                    return step
            self.stale_count.remove(region)
        return None

    def _count_region(self, rung, region, words):
        must: list[int] = []
        may: list[int] = []
        right: list[int] = []
        for cell in self.atlas.numbers[region]:
            value = self.atlas.clues[cell]
            low, high = self._bounds(cell)
            if not self.knows(cell):
                may.append(cell)
            elif value < low or value > high:
                must.append(cell)
            else:
                (may if low < high else right).append(cell)

        def step(clues, cells, settles, sentence):
            cells = tuple(dict.fromkeys(cells))
            premises = Premises(tuple(clues), cells, (region,), (LIES,))
            return self.step(rung, settles, premises, words, sentence, shrink=_agreed if settles else _no_way)

        if len(must) > 1:
            return step(must[:2], [*self._wrong_because(must[0]), *self._wrong_because(must[1])], [], _two_wrong)
        if not must and not may:
            return step(right, [there for cell in right for there in self.atlas.beside[cell]], [], _none_wrong)
        if must:
            for cell in may:
                value = self.atlas.clues[cell]
                low, high = self._bounds(cell)
                if self.knows(cell) and value in (low, high):
                    to = UNSHADED if value == low else SHADED
                    settles = [(there, to) for there in self._around(cell, UNKNOWN)]
                    because = [*self._wrong_because(must[0]), *self._around(cell, OTHER - to)]
                    return step((must[0], cell), because, settles, _honest)
        elif len(may) == 1 and self.knows(may[0]):
            cell = may[0]
            low, high = self._bounds(cell)
            if high - low == 1 and self.atlas.clues[cell] in (low, high):
                settles = [
                    (there, SHADED if self.atlas.clues[cell] == low else UNSHADED)
                    for there in self._around(cell, UNKNOWN)
                ]
                because = [there for number in self.atlas.numbers[region] for there in self.atlas.beside[number]]
                because = [there for there in because if self.buffer[there] != UNKNOWN]
                return step((*right, cell), because, settles, _liar)
        return None

    def _region(self, rung, words):
        while self.stale_region and LIES in self.clauses:
            region = min(self.stale_region)
            if self.only is None or region in self.only.regions:
                step = self._region_step(rung, region, words)
                if step is not None:
                    return step
            self.stale_region.remove(region)
        return None

    def _region_step(self, rung, region, words):
        atlas, around = self.atlas, sorted(self.atlas.around[region])
        open_cells = [cell for cell in around if self.buffer[cell] == UNKNOWN]
        if not open_cells:
            return None
        clauses = (APART, LIES) if APART in self.clauses else (LIES,)
        clues = tuple(cell for cell in atlas.numbers[region] if self.knows(cell))
        premises = Premises(clues, tuple(cell for cell in around if self.buffer[cell] != UNKNOWN), (region,), clauses)
        seen = agreed(self.board, self._known(premises))
        settles = [(cell, int(seen[cell])) for cell in open_cells if seen[cell] in (SHADED, UNSHADED)]
        if not any(seen[cell] for cell in open_cells):
            return self.step(rung, [], premises, words, _no_way, shrink=_no_way)
        if not settles or not words:
            return self.step(rung, settles, premises, False, None) if settles else None
        found = []
        for one in settles:  # the cell that needs the fewest premises, and what comes with it
            fewer = self.shrunk(premises, [one])
            found.append((sum(map(len, fewer)), one, fewer))
        _, one, premises = min(found)
        known = self._known(premises)
        also = [other for other in settles if other == one or forced(self.board, known, *targets([other]))]
        return self.step(rung, also, premises, words, _agreed)

    # steps and premises

    def _known(self, premises):
        """Premises of cell numbers as arrays, with the states of this position."""
        state = np.zeros_like(self.state[:-1])
        for cell in premises.cells:
            state[cell] = self.buffer[cell]
        numbers = self.atlas.numbers
        stated, active = np.zeros(len(self.atlas.numbered), np.uint8), np.zeros(len(numbers), np.uint8)
        for cell in premises.clues:
            stated[self.atlas.numbered[cell]] = 1
        for region in premises.regions:
            active[region] = 1
        rules = np.array([APART in premises.clauses, CONNECTED in premises.clauses], np.uint8)
        return Known(state, stated, active, rules)

    def shrunk(self, premises: Premises, settles: Settles) -> Premises:
        """What is left of premises when everything is dropped that the conclusion can do without."""
        known = self._known(premises)
        shrink(self.board, known, *targets(settles))
        clauses = [clause for clause, kept in zip((APART, CONNECTED), known.rules, strict=True) if kept]
        if known.active.any():
            clauses.append(LIES)
        return Premises(
            tuple(cell for cell in premises.clues if known.stated[self.atlas.numbered[cell]]),
            tuple(cell for cell in premises.cells if known.state[cell]),
            tuple(region for region in premises.regions if known.active[region]),
            tuple(clauses),
        )


# Words


def _touching(told):
    return f"{told.at(told.cells)} are both shaded and share a side."


def _beside(told):
    return f"{told.at(told.cells)} is shaded, so beside it {told.so}."


def _wrong(told, cell):
    """A number that is wrong, and why."""
    known = told.known(told.position.atlas.beside[cell])
    because = f", since {told.given(known)}" if known else ", which is more than it has neighbours"
    return f"{told.number(cell)} is wrong{because}"


def _two_wrong(told):
    one, other = told.clues
    return f"{_wrong(told, one)}, and {_wrong(told, other)}: two wrong numbers in {told.region}, where there is one."


def _none_wrong(told):
    if not told.clues:
        return f"{told.region} has no number that could be the wrong one."
    return f"every number of {told.region} is right, and one should be wrong: {told.numbers}; {told.given()}."


def _honest(told):
    liar, honest = told.clues
    have = told.known(told.position.atlas.beside[honest])
    because = f": {told.given(have)}, so " if have else ", so "
    wrong = f"{_wrong(told, liar)}, and {told.region} has no other wrong number"
    return f"{wrong}; {told.number(honest)} is right{because}{told.so}."


def _liar(told):
    *right, liar = told.clues
    known = f", given that {told.given()}" if told.cells else ""
    if not right:
        wrong = f"{told.number(liar)} is the only number of {told.region}, so it is wrong"
        return f"{wrong}{known}; to make it miss, {told.so}."
    others = f"{listed(map(told.number, right))} {'is' if len(right) == 1 else 'are'} right"
    return f"in {told.region} {others}, so {told.number(liar)} is wrong{known}; to make it miss, {told.so}."


def _agreed(told):
    given = [f"given that {told.given()}"] if told.cells else []
    given += ["shaded cells never touch"] if APART in told.clauses else []
    known = f", {', and '.join(given)}" if given else ""
    force = "forces" if len(told.clues) == 1 else "force"
    return f"whichever number of {told.region} is the wrong one, {told.numbers} {force} the same{known}: {told.so}."


def _no_way(told):
    given = f" now that {told.given()}" if told.cells else ""
    return f"exactly one number of {told.region} is wrong, but {told.numbers} cannot be read like that{given}."


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

    Cost: about 4 ms on a 10 x 10 board; with some ten probes 0.2 s.

    >>> from puzzlekit.usowan.rules import Board
    >>> for step in explain(Board([[1, NO_CLUE, NO_CLUE], [3, NO_CLUE, 1]], [[0, 0, 0], [0, 0, 0]]), top="cell"):
    ...     print(step.rung, step.sentence)
    cell R1C1, R2C1 and R2C3 have clues, so they are unshaded.
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
    explanation.Hint                 a mistake is a cell that differs from the one answer; where there are several,
                                     cells that no answer has together

    Raises
    ------
    ValueError                       a state of another size or with other values
    """
    position = Position(board, grid.as_state(partial, board.clues.shape))
    return position.hint(solve(board, explanation.MOST_ANSWERS).answers)
