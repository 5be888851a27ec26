"""A large count over many processes or machines: as remainders by several moduli, each a chunk of its own, joined at
the end.

By one modulus more than the count needs, which has to agree. A remainder takes a fraction of the memory of the exact
count, and where chunks are kept its sweep goes on from where it was stopped. Not here: where chunks run, see `chunks`;
how a genre finds a remainder, see its `residues`.
"""

from pathlib import Path
from typing import Any

from .. import GENRES
from ..machinery import grid, remainders, sources
from ..machinery.memory import BUDGET
from . import checkpoint, chunks, workers


def count(
    genre: str,
    rows: int,
    cols: int,
    *,
    scheduler: str | None = None,
    store: str | Path | None = None,
    budget: int = BUDGET,
    progress: bool = False,
) -> int:
    """Number of answers of an empty grid, exactly, by remainders.

    Parameters
    ----------
    genre : str          name in GENRES
    rows, cols : int
    scheduler : str      where chunks run, a remainder each: see `chunks.run`
    store : path         folder for finished remainders and sweeps that are under way: the same call goes on from them
    budget : int         bytes for each remainder
    progress : bool      show a bar, a step for each remainder

    Returns
    -------
    int

    Raises
    ------
    ArithmeticError      the last remainder does not agree with the others: one of them is wrong
    MemoryError, ValueError, ChunkFailed, ConnectionError    as for the genre's `residue`, and for `chunks.run`

    Cost: see the genre's `residue`, times `len(plan(genre, rows, cols))`.

    >>> count("nawabari", 4, 4), count("usowan", 4, 4), count("tasquare", 4, 4)
    (70878, 562, 739)
    """
    calls = plan(genre, rows, cols, budget)
    label = f"{genre} {rows}x{cols}"
    *found, spare = chunks.run(remainder, calls, scheduler=scheduler, store=store, label=label, progress=progress)
    *moduli, last = [call["modulus"] for call in calls]
    total = remainders.joined(found, moduli)
    if total % last != spare:
        raise ArithmeticError(
            f"{label}: the remainder by {last} is {spare}, not {total % last}: one of the remainders is wrong"
        )
    return total


def plan(genre: str, rows: int, cols: int, budget: int = BUDGET) -> list[dict[str, Any]]:
    """The chunks of a count: keyword arguments of `remainder`, one modulus more than the count needs.

    >>> [call["modulus"] for call in plan("tasquare", 8, 8)]
    [9223372036854775807, 9223372036854775805]
    """
    rows, cols = grid.check_size(rows, cols)
    lines, across = max(rows, cols), min(rows, cols)
    needed = remainders.enough(GENRES[genre].bits_needed(lines, across))
    what = {"genre": genre, "lines": lines, "across": across, "budget": budget}
    return [what | {"modulus": modulus} for modulus in remainders.moduli(len(needed) + 1)]


def remainder(genre: str, lines: int, across: int, budget: int, modulus: int) -> int:
    """One chunk of `count`; `across` is the shorter side."""
    half = workers.half()
    residue = GENRES[genre].residue
    work = f"{genre} {lines}x{across} modulo {modulus}, sources {sources.stamp_of(workers.name_of(residue))}"
    kept = None if half is None else checkpoint.Checkpoint(half, work)
    return residue(lines, across, modulus, kept=kept, budget=budget)
