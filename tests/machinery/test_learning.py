"""Learning, driven by clauses alone: every model of a random formula is found once, through restarts and forgetting."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from puzzlekit.machinery import learning
from puzzlekit.machinery.kernels import inner, kernel, lean
from puzzlekit.machinery.learning import FINE


class Formula(NamedTuple):
    """Clauses with three literals, and which ones a variable is in: what a genre has instead are rules."""

    clauses: np.ndarray  # int32 (m, 3)
    holders: np.ndarray  # int32 (v, m)
    held: np.ndarray  # int64 (v,)
    met: np.ndarray  # int64 (1,): contradictions


@inner
def _formula(variables, clauses):
    m = clauses.shape[0]
    holders = np.empty((variables, m), np.int32)
    held = np.zeros(variables, np.int64)
    for i in range(m):
        for j in range(3):
            variable = clauses[i, j] >> 1
            if held[variable] == 0 or holders[variable, held[variable] - 1] != i:
                holders[variable, held[variable]] = i
                held[variable] += 1
    return Formula(clauses, holders, held, np.zeros(1, np.int64))


@lean
def _propagate(formula, t):
    while t.heads[0] < t.at[learning.TAIL]:
        here = t.order[t.heads[0]]
        t.heads[0] += 1
        for h in range(formula.held[here]):
            i = formula.holders[here, h]
            unknown = -1
            free = 0
            holds = False
            for j in range(3):
                literal = formula.clauses[i, j]
                value = t.state[literal >> 1]
                holds = holds or value == 1 + (literal & 1)
                if value == 0 and literal != unknown:
                    free += 1
                    unknown = literal
            if not holds and free == 0:
                formula.met[0] += 1
                return learning.OWN, np.int64(i)
            if not holds and free == 1:
                learning.settle(t, unknown >> 1, 1 + (unknown & 1), learning.OWN, i)
        broken = learning.follow(t, here)
        if broken >= 0:
            formula.met[0] += 1
            return learning.LEARNED, np.int64(broken)
    return FINE, FINE


@lean
def _causes(formula, t, why, by, settled):
    if why == learning.LEARNED:
        return learning.literals_of(t, by, settled)
    size = 0
    for j in range(3):
        if formula.clauses[by, j] >> 1 != settled:
            t.causes[size] = formula.clauses[by, j] >> 1
            size += 1
    return size


@lean
def _pick(formula, t):
    return learning.heaviest(t, 0, t.state.shape[0])


@lean
def _take_back(formula, t):
    pass


search = learning.search.of(__name__, propagate=_propagate, causes=_causes, pick=_pick, take_back=_take_back)
plainly = learning.search_plainly.of(__name__, propagate=_propagate, pick=_pick, take_back=_take_back)


@kernel
def models(variables, clauses, room, pace, limit, found):
    """Models of a formula; how many, and how many contradictions there were.

    room: clauses that the store holds before it forgets, 0 for as many as it likes; pace: contradictions before the
    first restart, 0 for a search that does not learn.
    """
    formula = _formula(variables, clauses)
    t = learning.trail(variables, 0, 0, room or -1)
    t.at[learning.RUNGS] = 1
    t.at[learning.UNTIL] = pace
    if pace:
        size, _ = search(formula, t, limit, 1 << 62, found)
    else:
        size, _ = plainly(formula, t, limit, 1 << 62, found)
    return size, formula.met[0]


def by_hand(variables, formula):
    return [
        model for model in product((0, 1), repeat=variables)
        if all(any(model[literal >> 1] == literal & 1 for literal in clause) for clause in formula.tolist())
    ]  # fmt: skip


@pytest.mark.parametrize("room, pace", [(0, learning.PACE), (4, learning.PACE), (0, 1), (3, 2), (0, 0)])
def test_every_model_once(room, pace):
    rng, sizes, met = np.random.default_rng(5), set(), 0
    for _ in range(150):
        variables = int(rng.integers(3, 11))
        formula = rng.integers(0, 2 * variables, (int(rng.integers(1, 5 * variables)), 3)).astype(np.int32)
        found = np.empty((2**variables, variables), np.uint8)
        size, contradictions = models(variables, formula, room, pace, 2**variables, found)
        assert sorted(map(tuple, found[:size].tolist())) == by_hand(variables, formula)
        sizes.add(min(size, 2))
        met += contradictions
    assert sizes == {0, 1, 2} and met > 150


def test_a_hard_formula():
    """Random formulas at four clauses a variable, past brute force: what is found holds, and never twice."""
    rng, verdicts = np.random.default_rng(9), set()
    for _ in range(12):
        variables = 60
        formula = np.array([rng.permutation(variables)[:3] * 2 + rng.integers(0, 2, 3) for _ in range(255)], np.int32)
        found = np.empty((50, variables), np.uint8)
        size, _ = models(variables, formula, 100, 10, 50, found)
        model = found[:size].astype(int)
        for clause in formula.tolist():
            assert (
                (model[:, [literal >> 1 for literal in clause]] == [literal & 1 for literal in clause])
                .any(axis=1)
                .all()
            )
        assert len(np.unique(model, axis=0)) == size
        assert (size > 0) == satisfiable(formula)
        verdicts.add(size > 0)
    assert verdicts == {True, False}


def satisfiable(formula):
    from pysat.solvers import Solver

    clauses = [
        [(literal >> 1) + 1 if literal & 1 else -(literal >> 1) - 1 for literal in clause]
        for clause in formula.tolist()
    ]
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        return solver.solve()


def test_luby():
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


@kernel
def luby(index):
    return learning._luby(index)
