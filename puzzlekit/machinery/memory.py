"""Memory: what a diagram takes, stated before it is spent, and what to keep of it.

Not here: how much memory the machine has. A budget is handed in, or it is BUDGET.
"""

from . import limbs

BUDGET = 8 << 30  # bytes
_KEEP = 256 << 20  # bytes of completions kept for the next walk without a second thought


def afford(nbytes, budget, what):
    """MemoryError when so many bytes are over the budget; `what` says what they are needed for."""
    if nbytes > budget:
        raise MemoryError(f"{nbytes:,} bytes needed {what}, the budget is {budget:,}")


def bytes_needed(rows, choices, kinds, most, walk, budget=BUDGET):
    """Bytes that the answers to questions about a diagram take, from the number of its states.

    Parameters
    ----------
    rows : dict        kind to states of that kind, and one more
    choices : int      of a layer, at most
    kinds : sequence   kind of each level
    most : int         no more answers than that
    walk : bool        draws, marginals and everything else that walks forwards; False is for the count alone

    Returns
    -------
    int                tables, and weights of the levels that are in memory at the same time
    """
    tables = 4 * choices * sum(rows.values())
    sizes = vectors(rows, kinds, most)
    if not walk:
        return tables + 2 * max(sizes)
    return tables + 2 * max(sizes) + _held(sizes, spacing(sizes, budget))


def vectors(rows, kinds, most):
    """Bytes of the completions of each level, taken to grow evenly towards the first: list of int. See `bytes_needed`."""
    layers, bits = len(kinds) - 1, most.bit_length()
    return [
        8 * rows[kind] * max(1, -(-bits * (layers - level) // (layers * limbs.BITS)))
        for level, kind in enumerate(kinds)
    ]


def _held(sizes, every):
    """Bytes of every so many vectors, and of all between two of those."""
    kept = sum(sizes[::every]) + sizes[-1]
    return kept + max((sum(sizes[first : first + every - 1]) for first in range(1, len(sizes), every)), default=0)


def spacing(sizes, budget):
    """Levels between two whose completions are kept: 1 when everything is small, else what takes least memory."""
    if sum(sizes) <= min(_KEEP, budget // 4):
        return 1
    return min(range(2, len(sizes) + 1), key=lambda every: _held(sizes, every))
