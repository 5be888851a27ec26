"""Limbs: vectors of unsigned integers wider than a machine word, and the few sums a frontier diagram takes over them.

A weight is a row of uint64 limbs, least significant first; a vector of weights is uint64 (n, limbs), all equally wide.
Sums grow: a kernel reports a carry out of the top limb, and the caller repeats that one step a limb wider, so every
figure stays exact and narrow. Row 0 of a vector always weighs nothing: it stands for "not allowed" in tables of
successors.

Not here: subtraction of vectors, signed numbers, division. Anything that happens once is done in Python ints.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from .kernels import kernel

Weights = npt.NDArray[np.uint64]  # (n, limbs); one weight (limbs,)
Successors = npt.NDArray[np.uint32]  # (n, choices)

BITS = 64  # of a limb
_UNROLLED = 6  # choices and limbs up to which `gather` has a kernel for each number
_LOW = np.uint64(0xFFFFFFFF)


def width(value: int) -> int:
    """Limbs needed for an integer of at least 0.

    >>> width(0), width(2**64 - 1), width(2**64)
    (1, 1, 2)
    """
    return max(1, -(-int(value).bit_length() // BITS))


def from_ints(values: Iterable[int], limbs: int | None = None) -> Weights:
    """Python ints as limbs.

    Parameters
    ----------
    values : iterable of int   each at least 0
    limbs : int, optional      as many as the largest value needs by default

    Returns
    -------
    uint64 (n, limbs)

    Raises
    ------
    ValueError                 a value is negative or too large for the limbs

    >>> from_ints([3, 2**64 + 5]).tolist()
    [[3, 0], [5, 1]]
    """
    values = [int(value) for value in values]
    limbs = max(map(width, values), default=1) if limbs is None else limbs
    for value in values:
        if not 0 <= value < 1 << (BITS * limbs):
            raise ValueError(f"{value} does not fit {limbs} unsigned limbs of {BITS} bits")
    raw = b"".join(value.to_bytes(8 * limbs, "little") for value in values)
    return np.frombuffer(raw, "<u8").astype(np.uint64).reshape(len(values), limbs)


def to_int(weight: Weights) -> int:
    """One weight, uint64 (limbs,), as a Python int.

    >>> to_int(np.array([5, 1], np.uint64)) == 2**64 + 5
    True
    """
    return sum(int(limb) << (BITS * i) for i, limb in enumerate(weight))


def to_ints(weights: Weights) -> npt.NDArray[np.object_]:
    """A vector of weights as an object array of Python ints.

    >>> to_ints(from_ints([7, 2**70])).tolist() == [7, 2**70]
    True
    """
    result = np.empty(len(weights), object)
    result[:] = [to_int(weight) for weight in weights]
    return result


def below(weights: Weights, bound: int) -> npt.NDArray[np.bool_]:
    """Which weights, uint64 (n, limbs), are below a Python int: bool (n,).

    >>> below(from_ints([3, 2**64, 2**64 + 1]), 2**64 + 1).tolist()
    [True, True, False]
    """
    limbs = max(weights.shape[1], width(bound))
    edge = from_ints([bound], limbs)[0]
    less, equal = np.zeros(len(weights), bool), np.ones(len(weights), bool)
    for limb in reversed(range(limbs)):
        term = weights[:, limb] if limb < weights.shape[1] else np.uint64(0)
        less |= equal & (term < edge[limb])
        equal &= term == edge[limb]
    return less


def gather(successors: Successors, following: Weights, room: Weights | None = None) -> Weights:
    """Ways onward from each state: the sum of what follows each of its choices.

    Parameters
    ----------
    successors : uint32 (n, choices)   row of `following` that a choice leads to; 0 where it is not allowed
    following : uint64 (m, limbs)      ways onward from there, row 0 zero
    room : uint64 (size,), optional    memory for the result, at least n * (limbs + 1): a fresh array costs as much as
                                       the sums

    Returns
    -------
    uint64 (n, limbs or limbs + 1)     exact

    Cost: n * choices * limbs additions, bounded by how well `following` stays in the processor's cache.

    >>> table = np.array([[0, 0], [1, 2]], np.uint32)
    >>> to_ints(gather(table, from_ints([0, 2**64 - 1, 3]))).tolist() == [0, 2**64 + 2]
    True
    """
    states, limbs = len(successors), following.shape[1]
    result = _vector(room, states, limbs)
    if _gather_into(*successors.shape[1:], limbs)(successors, following, result):
        result = _vector(room, states, limbs + 1)
        _gather(successors, following, result)
    return result


def _vector(room, states, limbs):
    if room is None:
        return np.empty((states, limbs), np.uint64)
    return room[: states * limbs].reshape(states, limbs)


@cache
def _gather_into(choices, limbs):
    """The kernel for so many choices and limbs, its loops unrolled. It compiles in a moment; a table has few shapes."""
    if choices > _UNROLLED or limbs > _UNROLLED:
        return _gather

    @kernel
    def unrolled(successors, following, result):
        overflow = np.uint64(0)
        for state in range(len(successors)):
            carry = np.uint64(0)
            for limb in range(limbs):
                total = carry
                carry = np.uint64(0)
                for choice in range(choices):
                    term = following[successors[state, choice], limb]
                    total += term
                    carry += np.uint64(total < term)
                result[state, limb] = total
            overflow |= carry
        return overflow != np.uint64(0)

    return unrolled


def gather_modulo(successors: Successors, following: Weights, modulus: int) -> Weights:
    """`gather` modulo a number up to remainders.LARGEST: following and result are uint64 (n,), below the modulus.

    >>> gather_modulo(np.array([[0, 0], [1, 2]], np.uint32), np.array([0, 8, 5], np.uint64), 10).tolist()
    [0, 3]
    """
    result = np.empty(len(successors), np.uint64)
    _gather_modulo(successors, following, np.uint64(modulus), result)
    return result


def scatter(successors: Successors, weights: Weights, size: int) -> Weights:
    """Ways to each of `size` next states, from the ways to the present ones, uint64 (n, limbs): the reverse of
    `gather`.

    >>> table = np.array([[0, 0], [1, 2], [2, 0]], np.uint32)
    >>> to_ints(scatter(table, from_ints([0, 5, 2**64 - 1]), 3)).tolist() == [0, 5, 2**64 + 4]
    True
    """
    return _widened(_scatter, size, weights, successors)


def _widened(sweep, size, weights, successors):
    """`sweep` into a vector as wide as `weights`, and once more into a wider one where a carry is left over."""
    limbs = weights.shape[1]
    result = np.zeros((size, limbs), np.uint64)
    if sweep(successors, weights, result):
        result = np.zeros((size, limbs + 1), np.uint64)
        sweep(successors, weights, result)
    return result


def through(successors: Successors, weights: Weights, following: Weights) -> list[int]:
    """How many paths take each choice: sum over states of ways to it times ways onward from where the choice leads.

    Parameters
    ----------
    successors : uint32 (n, choices)
    weights : uint64 (n, limbs)        ways to each state
    following : uint64 (m, limbs)      ways onward from each next state

    Returns
    -------
    list of int                        one exact Python int for each choice

    Cost: about n * choices * 4 * limbs * limbs multiplications of half limbs. n is below 2**32 / (4 * limbs).

    >>> table = np.array([[0, 0], [1, 2]], np.uint32)
    >>> through(table, from_ints([0, 2**64]), from_ints([0, 3, 2**65])) == [3 * 2**64, 2**129]
    True
    """
    halves = np.zeros((successors.shape[1], 2 * (weights.shape[1] + following.shape[1]) + 1), np.uint64)
    _through(successors, weights, following, halves)
    return [sum(int(half) << (32 * i) for i, half in enumerate(row)) for row in halves]


@kernel
def _gather(successors, following, result):
    states, choices = successors.shape
    narrow, wide = following.shape[1], result.shape[1]
    overflow = False
    for state in range(states):
        carry = np.uint64(0)
        for limb in range(narrow):
            total = carry
            carry = np.uint64(0)
            for choice in range(choices):
                term = following[successors[state, choice], limb]
                total += term
                carry += np.uint64(total < term)
            result[state, limb] = total
        if wide > narrow:
            result[state, narrow] = carry
        elif carry != np.uint64(0):
            overflow = True
    return overflow


@kernel
def _gather_modulo(successors, following, modulus, result):
    for state in range(len(successors)):
        total = np.uint64(0)
        for choice in range(successors.shape[1]):
            total += following[successors[state, choice]]
            total = min(total, total - modulus)  # a difference below 0 is a large number
        result[state] = total


@kernel
def _scatter(successors, weights, result):
    states, choices = successors.shape
    narrow, wide = weights.shape[1], result.shape[1]
    overflow = False
    for state in range(1, states):
        for choice in range(choices):
            target = successors[state, choice]
            if target == 0:
                continue
            carry = np.uint64(0)
            for limb in range(wide):
                term = weights[state, limb] if limb < narrow else np.uint64(0)
                total = result[target, limb] + carry
                carry = np.uint64(total < carry)
                total += term
                carry += np.uint64(total < term)
                result[target, limb] = total
            if carry != np.uint64(0):
                overflow = True
    return overflow


@kernel
def _through(successors, weights, following, halves):
    # Products of half limbs are added up by their place, split once more in half: no carry is taken until the very end.
    states, choices = successors.shape
    for state in range(1, states):
        for i in range(2 * weights.shape[1]):
            x = (weights[state, i >> 1] >> np.uint64(32 * (i & 1))) & _LOW
            if x == np.uint64(0):
                continue
            for choice in range(choices):
                target = successors[state, choice]
                if target == 0:
                    continue
                for j in range(2 * following.shape[1]):
                    y = (following[target, j >> 1] >> np.uint64(32 * (j & 1))) & _LOW
                    product = x * y
                    halves[choice, i + j] += product & _LOW
                    halves[choice, i + j + 1] += product >> np.uint64(32)


@kernel
def _descend(successors, following, states, ranks, limbs, chosen):
    """One layer of unranking for many paths at once: the choice each rank falls in, the rank that is left, the next
    state.

    states (n,) and ranks (n, width) are changed in place; chosen (n,) receives the choices. Only the lowest `limbs`
    limbs of a rank are in use at this layer.
    """
    choices = successors.shape[1]
    narrow = following.shape[1]
    if limbs == 1:  # most layers of most grids, twice as fast
        for i in range(len(states)):
            state, rank = states[i], ranks[i, 0]
            choice = 0
            while rank >= following[successors[state, choice], 0]:  # ranks are in range, so this ends in the table
                rank -= following[successors[state, choice], 0]
                choice += 1
            states[i], ranks[i, 0] = successors[state, choice], rank
            chosen[i] = choice
        return
    for i in range(len(states)):
        state = states[i]
        for choice in range(choices):
            target = successors[state, choice]
            if target == 0:
                continue
            limb = limbs - 1
            while limb >= 0:
                term = following[target, limb] if limb < narrow else np.uint64(0)
                if ranks[i, limb] != term:
                    break
                limb -= 1
            if limb >= 0 and limb < narrow and ranks[i, limb] < following[target, limb]:
                states[i] = target
                chosen[i] = choice
                break
            borrow = np.uint64(0)
            for limb in range(limbs):
                term = following[target, limb] if limb < narrow else np.uint64(0)
                left = ranks[i, limb] - borrow
                borrow = np.uint64(left > ranks[i, limb])
                borrow += np.uint64(left < term)
                ranks[i, limb] = left - term
