"""What is held against every step of an explanation, whatever the genre of shaded cells."""

import numpy as np

from puzzlekit.machinery.explanation import Premises, after
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.machinery.position import WORDS


def values(state):
    """Settled cells of a state, 1 is shaded."""
    return {(r, c): int(state[r, c] == SHADED) for r, c in np.argwhere(state != UNKNOWN).tolist()}


def fewer(premises):
    """Premises without one of their parts, in every way: (field, part, the rest)."""
    for field in Premises._fields:
        parts = getattr(premises, field)
        for part in parts:
            yield field, part, premises._replace(**{field: tuple(other for other in parts if other != part)})


class Checks:
    """Explanations of one genre under test; `told` collects the rungs of all steps, `spare` the probes that could do without a rule."""

    def __init__(self, genre, oracle, lowest):
        """lowest : callable     (oracle, board, state, rungs below) -> whether none of them has anything to say"""
        self.genre, self.oracle, self.lowest, self.told, self.spare = genre, oracle, lowest, [], []

    def holds(self, board):
        """The whole explanation of a board, step by step. Returns it."""
        told, reached = self.genre.explain(board), self.genre.climb(board)
        assert (told.finished, told.contradiction) == (reached.finished, reached.contradiction), board.to_text()
        assert told.contradiction or (told.state == reached.state).all(), board.to_text()
        state = np.zeros_like(board.clues)
        regions = getattr(board, "regions", None)
        with self.oracle(board.clues.tolist(), () if regions is None else regions.tolist()) as oracle:
            for step in told:
                words = f"{step.rung}: {step.sentence}\n{board.to_text()}"
                assert (step.before == state).all(), words
                self.follows_exactly(oracle, board, step, words)
                below = self.genre.RUNGS[: self.genre.RUNGS.index(step.rung)]
                assert self.lowest(oracle, board, values(state), below), words
                state = after(state, step.settles)
                self.told.append(step.rung)
        assert (state == told.state).all()
        assert told.contradiction == (len(told) > 0 and not told.steps[-1].settles)
        return told

    def follows_exactly(self, oracle, board, step, words):
        """A step follows from its premises, settled before it, and from no fewer; its sentence names what it settles and why."""
        state = values(step.before)
        settles = [(cell, int(value == SHADED)) for cell, value in step.settles]
        assert set(step.premises.cells) <= set(state), words
        assert not any(cell in state for cell, _ in settles), words
        assert oracle.follows(step.premises, state, settles), words
        for field, part, rest in fewer(step.premises):
            if oracle.follows(rest, state, settles):
                assert step.rung == "probe" and field == "clauses", (words, field, part)
                self.spare.append(words)
        assert bool(step.inside) == (step.rung == "probe")
        if step.inside:
            self.is_refutation(oracle, board, step, words)
        if "clue-shaded" in step.premises.clauses or "nothing-shaded" in step.premises.clauses:
            return  # names of so many cells would not be read
        named = [*step.premises.cells, *step.premises.clues, *(cell for cell, _ in step.settles)]
        assert all(str(cell) in step.sentence for cell in named), words
        if step.rung != "probe":
            assert all(f"region {region}" in step.sentence.lower() for region in step.premises.regions), words
        assert all(WORDS[value] in step.sentence for _, value in step.settles), words

    def is_refutation(self, oracle, board, step, words):
        """The steps inside a probe lead from its assumption, by its premises, to a contradiction."""
        ((cell, value),) = step.settles
        known = {cell: SHADED + UNSHADED - value} | {known: int(step.before[known]) for known in step.premises.cells}
        assert not step.inside[-1].settles
        for inner in step.inside:
            self.follows_exactly(oracle, board, inner, f"{words}\ninside: {inner.sentence}")
            assert all(known[cell] == inner.before[cell] for cell in inner.premises.cells), words
            for field in ("clues", "regions", "clauses"):
                assert set(getattr(inner.premises, field)) <= set(getattr(step.premises, field)), (words, field)
            known.update(inner.settles)
