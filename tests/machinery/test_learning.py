"""Learning, driven by clauses alone: every model of a random formula is found once, through restarts and forgetting."""

from itertools import product

import numpy as np
import pytest

from puzzlekit.machinery import learning
from puzzlekit.machinery.kernels import kernel


@kernel
def models(variables, formula, room, pace, limit, found):
    """Models of a formula of clauses with three literals, int32 (m, 3); how many, and how many contradictions there
    were.

    room: clauses that the store holds before it forgets, 0 for as many as it likes; pace: contradictions before the
    first restart.
    """
    t = learning.trail(variables)
    m = formula.shape[0]
    holders = np.empty((variables, m), np.int32)  # clauses of every variable: what a genre has instead
    held = np.zeros(variables, np.int64)
    for i in range(m):
        for j in range(3):
            variable = formula[i, j] >> 1
            if held[variable] == 0 or holders[variable, held[variable] - 1] != i:
                holders[variable, held[variable]] = i
                held[variable] += 1
    first = t.first[: room + 1] if room else t.first
    t = learning.Trail(
        t.state, t.order, t.place, t.level, t.why, t.by, t.begins, t.phase, t.weight, t.blamed, t.causes, t.clause,
        t.at, t.literals, first, t.watch, t.chain,
    )  # fmt: skip
    t.at[learning.UNTIL] = pace
    size = contradictions = guesses = 0
    while True:
        broken = learned = -1
        while broken < 0 and learned < 0 and t.at[learning.HEAD] < t.at[learning.TAIL]:
            here = t.order[t.at[learning.HEAD]]
            t.at[learning.HEAD] += 1
            for h in range(held[here]):
                i = holders[here, h]
                unknown = -1
                free = 0
                holds = False
                for j in range(3):
                    literal = formula[i, j]
                    value = t.state[literal >> 1]
                    holds = holds or value == 1 + (literal & 1)
                    if value == 0 and literal != unknown:
                        free += 1
                        unknown = literal
                if not holds and free == 0:
                    broken = i
                    break
                if not holds and free == 1:
                    learning.settle(t, unknown >> 1, 1 + (unknown & 1), learning.OWN, i)
            if broken < 0:
                learned = learning.follow(t, here)
        level = t.at[learning.LEVEL]
        contradiction = broken >= 0 or learned >= 0
        contradictions += contradiction
        if contradiction and level > t.at[learning.FLOOR]:
            learning.begin(t)
            causes = 0
            why, by, here = (learning.OWN, broken, -1) if broken >= 0 else (learning.LEARNED, learned, -1)
            while True:
                if why == learning.LEARNED:
                    causes = learning.literals_of(t, by, here)
                else:
                    causes = 0
                    for j in range(3):
                        if formula[by, j] >> 1 != here:
                            t.causes[causes] = formula[by, j] >> 1
                            causes += 1
                learning.blame(t, causes)
                here = np.int64(learning.suspect(t))
                if t.at[learning.COUNTED] == 0:
                    break
                why, by = np.int64(t.why[here]), np.int64(t.by[here])
            back(t, learning.back_to(t))
            learning.learn(t)
            continue
        if not contradiction and t.at[learning.TAIL] < variables:
            guesses += 1
            learning.guess(t, learning.heaviest(t, 0, variables))
            continue
        if not contradiction:
            for variable in range(variables):
                found[size, variable] = t.state[variable] - 1
            size += 1
        if level == 0 or size == limit:
            return size, contradictions
        value = t.state[t.order[t.begins[level]]]
        back(t, level - 1)
        learning.turn(t, value)


@kernel
def back(t, level):
    if t.at[learning.LEVEL] > level:
        stop = t.begins[level + 1]
        while t.at[learning.TAIL] > stop:
            learning.pop(t)
        t.at[learning.HEAD] = stop
        t.at[learning.LEVEL] = level


def by_hand(variables, formula):
    return [
        model for model in product((0, 1), repeat=variables)
        if all(any(model[literal >> 1] == literal & 1 for literal in clause) for clause in formula.tolist())
    ]  # fmt: skip


@pytest.mark.parametrize("room, pace", [(0, learning.PACE), (4, learning.PACE), (0, 1), (3, 2)])
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
