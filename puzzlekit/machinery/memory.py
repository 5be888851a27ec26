"""Memory: what a diagram takes, stated before it is spent, held to a budget and to what the machine has; and what to
keep of it.

Not here: how much of the machine's memory other processes have taken at the moment.
"""

import contextlib
import functools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import limbs

Kind = Any  # of a level of a diagram: whatever is hashable

BUDGET = 8 << 30  # bytes
_KEEP = 256 << 20  # bytes of completions kept for the next walk without a second thought


class OverBudget(MemoryError):
    """More memory would be needed than may be taken; nothing was."""


def afford(nbytes: int, budget: int, what: str) -> None:
    """OverBudget when so many bytes are over the budget, or over what the machine has; `what` says what they are needed
    for.
    """
    if nbytes > budget:
        raise OverBudget(f"{nbytes:,} bytes needed {what}, the budget is {budget:,}")
    if nbytes > machine():
        raise OverBudget(f"{nbytes:,} bytes needed {what}, this process may take {machine():,}")


@functools.cache
def machine() -> int:
    """Bytes that this process could take at most: the machine's memory, or less where a control group or `ulimit -v`
    says so.
    """
    found = [1 << 62]
    with contextlib.suppress(AttributeError, ValueError, OSError):  # no such question on Windows
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for file in ("memory.max", "memory/memory.limit_in_bytes"):  # as a container sees its own group, version 2 and 1
        with contextlib.suppress(ValueError, OSError):  # "max", or no such file
            found.append(int((Path("/sys/fs/cgroup") / file).read_text()))
    try:
        import resource
    except ImportError:  # on Windows
        pass
    else:
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        found += [] if limit == resource.RLIM_INFINITY else [limit]
    return min(found)


def bytes_needed(
    rows: Mapping[Kind, int], choices: int, kinds: Sequence[Kind], most: int, walk: bool, budget: int = BUDGET
) -> int:
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


def vectors(rows: Mapping[Kind, int], kinds: Sequence[Kind], most: int) -> list[int]:
    """Bytes of the completions of each level, as if growing evenly towards the first: ints. See `bytes_needed`."""
    layers, bits = len(kinds) - 1, most.bit_length()
    return [
        8 * rows[kind] * max(1, -(-bits * (layers - level) // (layers * limbs.BITS)))
        for level, kind in enumerate(kinds)
    ]


def _held(sizes, every):
    """Bytes of every so many vectors, and of all between two of those."""
    kept = sum(sizes[::every]) + sizes[-1]
    return kept + max((sum(sizes[first : first + every - 1]) for first in range(1, len(sizes), every)), default=0)


def spacing(sizes: Sequence[int], budget: int) -> int:
    """Levels between two whose completions are kept: 1 when everything is small, else what takes least memory."""
    if sum(sizes) <= min(_KEEP, budget // 4):
        return 1
    return min(range(2, len(sizes) + 1), key=lambda every: _held(sizes, every))
