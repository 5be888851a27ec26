"""Search that learns from its contradictions: the store of learned clauses, the trail, and what every such search does
with them.

A variable is 0 while it is unknown, else 1 or 2 (a cell: UNSHADED or SHADED). A literal says that a variable has a
value: `2 * variable + (value - 1)`. A clause is learned when its literals cannot all be false; two of them are watched.

Not here: the rules, which are hooks: a genre says what follows from the trail, which variables made it settle another,
and where to guess. After a contradiction its causes are blamed and, newest first, the causes of suspects, until one of
the newest level is left; the clause that this makes is learned, and settles that one the other way.

Every answer is found once: after one the newest guess is turned around and the search never goes back behind it
(`_turn`, and FLOOR), as in conflict-driven enumeration (Gebser et al. 2007). The rest is conflict-driven clause
learning (Marques-Silva and Sakallah 1996; Moskewicz et al. 2001).
"""

from typing import Any, NamedTuple

import numpy as np

from .kernels import Hook, inner, kernel, lean, loop

NONE = FINE = -1
FADING = 1 / 0.95  # how much more a contradiction counts than the one before
HUGE = 1e100
ENDLESS = 1 << 62
PACE = 64  # contradictions between restarts, times the Luby sequence
GUESSED, LEARNED, PROBED = range(3)  # why a variable was settled; a genre's reasons begin at OWN
OWN = 3
# places in Trail.at; RUNGS are those that are climbed, a bit set
TAIL, HEAD, LEVEL, FLOOR, CLAUSES, FIXED, LENGTH, COUNTED, SEEN_TO, CONTRADICTIONS, RESTARTS, UNTIL, RUNGS = range(13)
DONE, MOST = 13, 14  # work: variables taken back, and all of them for each guess; a search that has done MOST ends

HEADS = 6  # rungs that can look at a trail

propagate = Hook("(rules, t): settle what follows. Returns (why, by) of a contradiction, or (FINE, FINE) when at rest")
causes = Hook("(rules, t, why, by, variable): into t.causes, what settled it, or for FINE what contradicts; how many")
pick = Hook("(rules, t): at rest, the variable to guess, its first value in t.phase; or NONE: this is an answer")
take_back = Hook("(rules, t): forget what is remembered of variables on the trail from t.heads on")


class Trail(NamedTuple):
    """Where a search is; v variables."""

    state: np.ndarray  # uint8 (v,)
    order: np.ndarray  # int32 (v,): settled variables, oldest first
    place: np.ndarray  # int32 (v,): where a settled variable is in `order`
    level: np.ndarray  # int32 (v,): guesses below it, its own included
    why: np.ndarray  # uint8 (v,): GUESSED, LEARNED or a genre's reason
    by: np.ndarray  # int32 (v,): the clause, or what else the reason is about
    begins: np.ndarray  # int32 (v + 1,): where each level begins in `order`
    phase: np.ndarray  # uint8 (v,): the value a guess tries first
    weight: np.ndarray  # float64 (v + 1,): how often a variable was to blame, of late; the last is what one blame adds
    blamed: np.ndarray  # uint8 (v,)
    causes: np.ndarray  # int32 (v,): variables that together settle one, or contradict each other
    clause: np.ndarray  # int32 (v + 1,): literals of the clause to learn
    at: np.ndarray  # int64 (15,)
    heads: np.ndarray  # int64 (HEADS,): how much of `order` each rung has looked at
    literals: (
        np.ndarray
    )  # int32: the clauses' literals, oldest clause first; the first FIXED of them are never forgotten
    first: np.ndarray  # int32: where each clause begins
    watch: np.ndarray  # int32 (2 * v,): 2 * clause + (0 or 1), the first watcher of each literal, or NONE
    chain: np.ndarray  # int32: the next watcher of the same literal


@inner
def trail(variables: int, fixed: int = 0, length: int = 0, room: int = -1) -> Trail:
    """A blank Trail, with room for `fixed` clauses that are not learned, of `length` literals together. When its store
    is full it forgets the older half of those that are; it has `room` for so many, or for as many as is usual.
    """
    most = fixed + (256 + 4 * variables if room < 0 else room)
    t = Trail(
        np.empty(variables, np.uint8),
        np.empty(variables, np.int32),
        np.empty(variables, np.int32),
        np.empty(variables, np.int32),
        np.empty(variables, np.uint8),
        np.empty(variables, np.int32),
        np.empty(variables + 1, np.int32),
        np.empty(variables, np.uint8),
        np.empty(variables + 1, np.float64),
        np.empty(variables, np.uint8),
        np.empty(variables, np.int32),
        np.empty(variables + 1, np.int32),
        np.empty(15, np.int64),
        np.empty(HEADS, np.int64),
        np.empty(16 * (most - fixed) + length, np.int32),
        np.empty(most + 1, np.int32),
        np.empty(2 * variables, np.int32),
        np.empty(2 * most, np.int32),
    )
    t.state[:] = 0  # filled by hand: every further function of numpy would have to be compiled
    t.phase[:] = 1
    t.weight[:] = 0
    t.weight[variables] = 1
    t.blamed[:] = 0
    t.at[:] = 0
    t.heads[:] = 0
    t.at[UNTIL] = PACE
    t.at[MOST] = ENDLESS
    t.first[0] = t.begins[0] = 0
    t.watch[:] = NONE
    return t


@kernel
def knowing(variables: int, literals: np.ndarray, first: np.ndarray) -> Trail:
    """A Trail that knows clauses, of two literals at least; clause i is literals[first[i] : first[i + 1]]."""
    t = trail(variables, first.shape[0] - 1, literals.shape[0])
    for i in range(first.shape[0] - 1):
        for j in range(first[i], first[i + 1]):
            t.clause[j - first[i]] = literals[j]
        add(t, first[i + 1] - first[i])
    t.at[FIXED] = t.at[CLAUSES]
    return t


@lean
def settle(t: Trail, variable: int, value: int, why: int, by: int) -> None:
    """Settle an unknown variable."""
    tail = t.at[TAIL]
    t.state[variable] = value
    t.order[tail] = variable
    t.place[variable] = tail
    t.level[variable] = t.at[LEVEL]
    t.why[variable] = why
    t.by[variable] = by
    t.at[TAIL] = tail + 1


@lean
def guess(t: Trail, variable: int) -> None:
    """Settle an unknown variable the way it was settled last, one level up."""
    t.at[LEVEL] += 1
    t.begins[t.at[LEVEL]] = t.at[TAIL]
    settle(t, variable, t.phase[variable], GUESSED, NONE)


@lean
def pop(t: Trail) -> int:
    """Make the newest variable unknown again. Returns it."""
    t.at[TAIL] -= 1
    variable = t.order[t.at[TAIL]]
    t.phase[variable] = t.state[variable]
    t.state[variable] = 0
    return variable


@lean
def level_up(t: Trail) -> None:
    """Begin a level, from which `go_back` can go back."""
    t.at[LEVEL] += 1
    t.begins[t.at[LEVEL]] = t.at[TAIL]


@lean
def suppose(t: Trail, variable: int, value: int) -> None:
    """Settle an unknown variable one level up."""
    level_up(t)
    settle(t, variable, value, GUESSED, NONE)


@loop(lean)
def go_back(rules: Any, t: Trail, level: int) -> None:
    """Take back everything above a level, or all for -1. A rung that is not climbed is not at rest below it: it
    begins anew."""
    if t.at[LEVEL] > level:
        stop = t.begins[level + 1]
        for rung in range(HEADS):
            t.heads[rung] = min(t.heads[rung], stop) if t.at[RUNGS] >> rung & 1 else 0
        take_back(rules, t)
        t.at[DONE] += t.at[TAIL] - stop
        while t.at[TAIL] > stop:
            t.at[TAIL] -= 1
            variable = t.order[t.at[TAIL]]
            t.phase[variable] = t.state[variable]
            t.state[variable] = 0
        t.at[LEVEL] = level


@loop(lean)
def search(rules: Any, t: Trail, limit: int, budget: int, answers: np.ndarray) -> tuple[int, int]:
    """All answers up to a limit; the first ones are written to `answers`, uint8 (few, cells), 1 where the state is 2.

    Returns (answers found, branch points); branch points are above the budget if it ran out, and ~ branch points,
    below 0, if t.at[MOST] did.
    """
    found = branch_points = 0
    while True:
        why, by = propagate(rules, t)
        level = t.at[LEVEL]
        if why != FINE and level > t.at[FLOOR]:
            begin(t)
            here = np.int64(FINE)
            while True:
                blame(t, causes(rules, t, why, by, here))
                here = np.int64(suspect(t))
                if t.at[COUNTED] == 0:
                    break
                why, by = np.int64(t.why[here]), np.int64(t.by[here])
            go_back(rules, t, back_to(t))
            learn(t)
            continue
        variable = pick(rules, t) if why == FINE else NONE
        if variable >= 0:
            t.at[DONE] += t.state.shape[0]
            if t.at[DONE] > t.at[MOST]:
                return found, ~branch_points
            branch_points += 1
            if branch_points > budget:
                return found, branch_points
            suppose(t, variable, t.phase[variable])
            continue
        found += why == FINE and _keep(t, found, answers)
        if level == 0 or found == limit:
            return found, branch_points
        _turn(rules, t)


@loop(lean)
def search_plainly(rules: Any, t: Trail, limit: int, budget: int, answers: np.ndarray) -> tuple[int, int]:
    """The same without learning: it goes back to the newest guess, so that branch points depend on what is propagated
    alone.
    """
    found = branch_points = 0
    while True:
        why, _ = propagate(rules, t)
        variable = pick(rules, t) if why == FINE else NONE
        if variable >= 0:
            t.at[DONE] += t.state.shape[0]
            if t.at[DONE] > t.at[MOST]:
                return found, ~branch_points
            branch_points += 1
            if branch_points > budget:
                return found, branch_points
            suppose(t, variable, t.phase[variable])
            continue
        found += why == FINE and _keep(t, found, answers)
        if t.at[LEVEL] == 0 or found == limit:
            return found, branch_points
        _turn(rules, t)


@lean
def _keep(t, found, answers):
    if found < answers.shape[0]:
        for cell in range(answers.shape[1]):
            answers[found, cell] = t.state[cell] == 2
    return True


@loop(lean)
def _turn(rules, t):
    """Settle the newest guess the other way for good."""
    guess = t.order[t.begins[t.at[LEVEL]]]
    value = t.state[guess]
    go_back(rules, t, t.at[LEVEL] - 1)
    t.at[FLOOR] = t.at[LEVEL]
    settle(t, guess, 3 - value, GUESSED, NONE)


# Learned clauses


@lean
def _hang(t, watcher):
    literal = t.literals[t.first[watcher >> 1] + (watcher & 1)]
    t.chain[watcher] = t.watch[literal]
    t.watch[literal] = watcher


@lean
def follow(t: Trail, variable: int | np.integer) -> int:
    """What the learned clauses make of a variable that was just settled. Returns the clause that is broken, or NONE."""
    broken = NONE
    false = 2 * variable + (2 - t.state[variable])
    watcher = t.watch[false]
    t.watch[false] = NONE
    while watcher >= 0:
        after = t.chain[watcher]
        start = t.first[watcher >> 1]
        mine = start + (watcher & 1)
        other = t.literals[start + 1 - (watcher & 1)]
        value = t.state[other >> 1]
        if broken < 0 and value != 1 + (other & 1):
            for i in range(start + 2, t.first[(watcher >> 1) + 1]):
                literal = t.literals[i]
                known = t.state[literal >> 1]
                if known == 0 or known == 1 + (literal & 1):
                    t.literals[mine] = literal
                    t.literals[i] = false
                    break
            if t.literals[mine] == false:
                if value == 0:
                    settle(t, other >> 1, 1 + (other & 1), LEARNED, watcher >> 1)
                else:
                    broken = watcher >> 1
        _hang(t, watcher)
        watcher = after
    return broken


@lean
def literals_of(t: Trail, clause: int | np.integer, but: int | np.integer) -> int:
    """Variables of a clause, but one, as causes. Returns how many."""
    size = 0
    for i in range(t.first[clause], t.first[clause + 1]):
        if t.literals[i] >> 1 != but:
            t.causes[size] = t.literals[i] >> 1
            size += 1
    return size


@lean
def forget(t: Trail) -> None:
    """Forget the older half of the learned clauses. Nothing that one of them settled can be explained after that."""
    size = t.at[CLAUSES]
    for literal in range(t.watch.shape[0]):
        t.watch[literal] = NONE
    kept = 0
    for clause in range(size):
        if t.at[FIXED] <= clause < (size + t.at[FIXED] + 1) // 2:
            continue
        start = t.first[kept]
        for i in range(t.first[clause], t.first[clause + 1]):
            t.literals[start] = t.literals[i]
            start += 1
        t.first[kept + 1] = start
        _hang(t, 2 * kept)
        _hang(t, 2 * kept + 1)
        kept += 1
    t.at[CLAUSES] = kept


# After a contradiction


@lean
def blame(t: Trail, size: int) -> None:
    """Take the causes as they stand in `t.causes`: older ones become literals of the clause, those of the newest level
    suspects.
    """
    for i in range(size):
        variable = t.causes[i]
        if t.blamed[variable] or t.level[variable] == 0:
            continue
        t.blamed[variable] = 1
        t.weight[variable] += t.weight[t.weight.shape[0] - 1]
        if t.level[variable] == t.at[LEVEL]:
            t.at[COUNTED] += 1
        else:
            t.at[LENGTH] += 1
            t.clause[t.at[LENGTH]] = 2 * variable + (2 - t.state[variable])


@lean
def begin(t: Trail) -> None:
    """Begin a clause; its place 0 is for the last suspect."""
    t.at[LENGTH] = 0
    t.at[COUNTED] = 0
    t.at[SEEN_TO] = t.at[TAIL]


@lean
def suspect(t: Trail) -> int:
    """The newest suspect, which is one no more. Its causes are to be blamed, unless it was the last (`t.at[COUNTED]` is
    0).
    """
    here = t.at[SEEN_TO] - 1
    while not t.blamed[t.order[here]]:
        here -= 1
    variable = t.order[here]
    t.blamed[variable] = 0
    t.at[SEEN_TO] = here
    t.at[COUNTED] -= 1
    if t.at[COUNTED] == 0:
        t.clause[0] = 2 * variable + (2 - t.state[variable])
    return variable


@lean
def back_to(t: Trail) -> int:
    """Finish the clause. Returns the level to go back to before `learn`: as deep as the clause, or all the way for a
    restart.
    """
    t.weight[t.weight.shape[0] - 1] *= FADING
    if t.weight[t.weight.shape[0] - 1] > HUGE:
        for variable in range(t.weight.shape[0]):
            t.weight[variable] /= HUGE
    length = t.at[LENGTH] + 1
    newest = 1
    for i in range(1, length):
        t.blamed[t.clause[i] >> 1] = 0
        if t.level[t.clause[i] >> 1] > t.level[t.clause[newest] >> 1]:
            newest = i
    deep = t.at[FLOOR]
    if length > 1:
        literal = t.clause[newest]
        t.clause[newest] = t.clause[1]
        t.clause[1] = literal
        deep = max(deep, t.level[literal >> 1])
    t.at[CONTRADICTIONS] += 1
    crowded = full(t, length)
    if crowded or t.at[CONTRADICTIONS] == t.at[UNTIL]:
        if not crowded:
            t.at[RESTARTS] += 1
            t.at[UNTIL] += PACE * _luby(t.at[RESTARTS] + 1)
        return t.at[FLOOR]
    return deep


@lean
def full(t: Trail, length: int) -> bool:
    """Whether there is no room for a clause of so many literals."""
    size = t.at[CLAUSES]
    return size + 1 == t.first.shape[0] or t.first[size] + length > t.literals.shape[0]


@lean
def add(t: Trail, length: int) -> int:
    """Add the first so many literals of `t.clause`, two at least, as a clause. Returns its number."""
    clause = t.at[CLAUSES]
    start = t.first[clause]
    for i in range(length):
        t.literals[start + i] = t.clause[i]
    t.first[clause + 1] = start + length
    t.at[CLAUSES] = clause + 1
    _hang(t, 2 * clause)
    _hang(t, 2 * clause + 1)
    return clause


@lean
def learn(t: Trail) -> None:
    """Add the clause, and settle its first literal if all others are false here, as they are after going back just as
    deep as it.
    """
    length = t.at[LENGTH] + 1
    literal = t.clause[0]
    clause = int(NONE)
    if length > 1:
        if full(t, length):
            forget(t)  # back at the floor, nothing that a clause settled will be explained
        clause = add(t, length)
        if t.state[t.clause[1] >> 1] == 0:
            return
    settle(t, literal >> 1, 1 + (literal & 1), LEARNED, clause)


@lean
def heaviest(t: Trail, first: int, last: int) -> int:
    """The unknown variable from `first` to before `last` that is most to blame, or NONE."""
    best = NONE
    most = -1.0
    for variable in range(first, last):
        if t.state[variable] == 0 and t.weight[variable] > most:
            best = variable
            most = t.weight[variable]
    return best


@lean
def _luby(index):
    """Term of 1 1 2 1 1 2 4 ..., index from 1."""
    power = 1
    while True:
        while (1 << power) - 1 < index:
            power += 1
        if (1 << power) - 1 == index:
            return 1 << (power - 1)
        index -= (1 << (power - 1)) - 1
        power = 1
