"""What is held against every step of an explanation, whatever the genre."""

import re

import numpy as np

from puzzlekit.machinery.explanation import UNPROVED, Premises, after
from puzzlekit.machinery.grid import SHADED, UNKNOWN


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
    """Explanations of one genre under test; `told` collects the rungs of all steps, `spare` the steps that could do
    without a premise.
    """

    def __init__(self, genre, oracle, lowest):
        """lowest : callable     (oracle, board, state, rungs below) -> whether none of them has anything to say"""
        self.genre, self.oracle, self.lowest, self.told, self.spare = genre, oracle, lowest, [], []

    def values(self, state):
        """What a state settles, 1 for shaded or a wall."""
        return values(state)

    def blank(self, board):
        return np.zeros_like(board.clues)

    def same(self, one, other):
        return (one == other).all()

    def named(self, key):
        """The cell of a place, as sentences have it."""
        return f"R{key[0] + 1}C{key[1] + 1}"

    def holds(self, board):
        """The whole explanation of a board, step by step. Returns it."""
        told, reached = self.genre.explain(board), self.genre.climb(board)
        assert (told.finished, told.contradiction) == (reached.finished, reached.contradiction), board.to_text()
        reached = getattr(reached, "walls", reached.state)
        assert told.contradiction or self.same(told.state, reached), board.to_text()
        state = self.blank(board)
        regions = getattr(board, "regions", None)
        with self.oracle(board.clues.tolist(), () if regions is None else regions.tolist()) as oracle:
            for step in told:
                words = f"{step.rung}: {step.sentence}\n{board.to_text()}"
                assert self.same(step.before, state), words
                self.follows_exactly(oracle, board, step, words)
                below = self.genre.RUNGS[: self.genre.RUNGS.index(step.rung)]
                assert self.lowest(oracle, board, self.values(state), below), words
                state = after(state, step.settles)
                self.told.append(step.rung)
        assert self.same(state, told.state)
        assert told.contradiction == (len(told) > 0 and not told.steps[-1].settles)
        return told

    def follows_exactly(self, oracle, board, step, words):
        """A step follows from its premises, settled before it, and from no fewer; its sentence names what it settles
        and why.
        """
        state = self.values(step.before)
        settles = [(key, value - 1) for key, value in step.settles]  # both shaded and a wall are 2
        assert set(step.premises.cells) <= set(state), words
        assert not any(key in state for key, _ in settles), words
        assert oracle.follows(step.premises, state, settles), words
        for field, part, rest in fewer(step.premises):
            if oracle.follows(rest, state, settles):
                assert not step.proven, (words, field, part)
                self.spare.append(words)
        assert step.proven != step.sentence.endswith(UNPROVED), words
        assert bool(step.inside) == (step.rung == "probe")
        if step.inside:
            self.is_refutation(oracle, board, step, words)
        if "clue-shaded" in step.premises.clauses or "nothing-shaded" in step.premises.clauses:
            return  # names of so many cells would not be read
        named = [*step.premises.cells, *step.premises.clues, *(cell for cell, _ in step.settles)]
        told = set(re.findall(r"R\d+C\d+|region [A-Z]+", step.sentence.replace("Region", "region")))
        assert {self.named(key) for key in named} <= told, words
        if step.rung != "probe":
            assert {f"region {chr(ord('A') + region)}" for region in step.premises.regions} <= told, words

    def is_refutation(self, oracle, board, step, words):
        """The steps inside a probe lead from its assumption, by its premises, to a contradiction."""
        ((cell, value),) = step.settles
        before = self.values(step.before)
        known = {cell: 2 - value} | {key: before[key] for key in step.premises.cells}
        assert not step.inside[-1].settles
        for inner in step.inside:
            self.follows_exactly(oracle, board, inner, f"{words}\ninside: {inner.sentence}")
            here = self.values(inner.before)
            assert all(known[key] == here[key] for key in inner.premises.cells), words
            for field in ("clues", "regions", "clauses"):
                assert set(getattr(inner.premises, field)) <= set(getattr(step.premises, field)), (words, field)
            known.update((key, value - 1) for key, value in inner.settles)
