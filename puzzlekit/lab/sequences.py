"""Integer sequences in data/sequences/, as b-files of the OEIS: read, written, and compared with what is counted now.

A b-file has a line `n a(n)` for each term. Comment lines in front say what is counted, how far the OEIS has it, which
call computes it, and how each term was checked:

    # Answers of an n x n Usowan grid
    # OEIS: not found
    # computed by: usowan.count(n, n)
    # checked 1..7: all shadings tried; a second program

A term past what is published has at least two checks, or one of them reads "missing: " and what is missing. Not here:
how anything is counted.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isqrt

import pandas as pd

from .. import GENRES
from ..jobs import chunks, multimodular
from ..machinery import files
from ..machinery.extremes import Extremes
from . import tables

Check = tuple[int, int, tuple[str, ...]]  # first n, last n, and what was done


@dataclass(frozen=True)
class Sequence:
    """A stored sequence.

    name, title, call : str                                what is counted, and by which call of the library
    oeis : str or None                                     its number
    published : int or None                                largest n in the OEIS
    checks : tuple of (first n, last n, tuple of str)      in order, each term in exactly one
    terms : dict of int to int
    """

    name: str
    title: str
    oeis: str | None
    published: int | None
    call: str
    checks: tuple[Check, ...]
    terms: dict[int, int]

    def checks_of(self, n: int) -> tuple[str, ...]:
        """What was done to check term n: tuple of str. KeyError when the term is not stored."""
        if n not in self.terms:
            raise KeyError(f"{self.name} has no term {n}; it has {min(self.terms)} to {max(self.terms)}")
        return next(how for first, last, how in self.checks if first <= n <= last)


def names() -> list[str]:
    """Names of the stored sequences, sorted."""
    return sorted(path.stem for path in (tables.folder() / "sequences").glob("*.txt"))


def read(name: str) -> Sequence:
    """A stored sequence.

    Raises
    ------
    ValueError      for an unknown name, or a file that is not as the head of this module says, naming the line
    """
    if name not in names():
        raise ValueError(f"no sequence {name!r} is stored; choose from {names()}")
    return from_text(name, "\n".join(files.read_lines(tables.folder() / "sequences" / f"{name}.txt")))


_OEIS = re.compile(r"# OEIS: (?:(A\d{6}), published to n = (\d+)|not found)")
_CALL = re.compile(r"# computed by: (.+)")
_CHECKED = re.compile(r"# checked (-?\d+)\.\.(-?\d+): (.+)")
_TERM = re.compile(r"(-?\d+) (-?\d+)")


def from_text(name: str, text: str) -> Sequence:
    """A sequence from the text of its file; ValueError naming the first line that does not fit."""
    lines = text.split("\n")
    head: list[re.Match[str]] = []
    checks: list[Check] = []
    terms: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        found = None
        if number == 1:
            found = re.fullmatch(r"# (.+)", line)
        elif number <= 3:
            found = (_OEIS, _CALL)[number - 2].fullmatch(line)
        elif not terms and (found := _CHECKED.fullmatch(line)):
            checks.append((int(found[1]), int(found[2]), tuple(found[3].split("; "))))
        elif found := _TERM.fullmatch(line):
            n = int(found[1])
            if terms and n != max(terms) + 1:
                raise ValueError(f"{name}, line {number}: term {n} does not follow term {max(terms)}")
            terms[n] = int(found[2])
        elif line == "" and number == len(lines):
            break
        if not found:
            raise ValueError(f"{name}, line {number}: {line!r} is out of place")
        if number <= 3:
            head.append(found)
    if not terms:
        raise ValueError(f"{name} has no terms")
    covered = [n for first, last, _ in checks for n in range(first, last + 1)]
    if covered != list(terms):
        raise ValueError(f"{name}: its checks do not cover the terms {min(terms)} to {max(terms)} once each, in order")
    title, oeis, call = head
    published = None if oeis[2] is None else int(oeis[2])
    return Sequence(name, title[1], oeis[1], published, call[1], tuple(checks), terms)


def to_text(sequence: Sequence) -> str:
    """The text of a sequence's file, the reverse of `from_text`."""
    oeis = f"{sequence.oeis}, published to n = {sequence.published}" if sequence.oeis else "not found"
    lines = [f"# {sequence.title}", f"# OEIS: {oeis}", f"# computed by: {sequence.call}"]
    lines += [f"# checked {first}..{last}: {'; '.join(how)}" for first, last, how in sequence.checks]
    lines += [f"{n} {value}" for n, value in sequence.terms.items()]
    return "\n".join(lines) + "\n"


def antidiagonal(n: int) -> tuple[int, int]:
    """Row and column of term n of a table read by antidiagonals, all counted from 1.

    >>> [antidiagonal(n) for n in range(1, 7)]
    [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1)]
    """
    line = (isqrt(8 * n - 7) + 1) // 2  # terms 1 + line * (line - 1) / 2 and on are on this antidiagonal
    row = n - line * (line - 1) // 2
    return row, line + 1 - row


def _maximal(rows: int, cols: int) -> int:
    return GENRES["usowan"].count_maximal(rows, cols)  # type: ignore[attr-defined]  # only Usowan has it


@lru_cache(maxsize=32)
def _shaded(n: int, maximal_only: bool = False) -> Extremes:
    return GENRES["usowan"].extremes(n, n, maximal_only=maximal_only)  # type: ignore[call-arg]  # only Usowan has it


@lru_cache(maxsize=256)
def _boards(rows: int, cols: int) -> dict[str, int]:
    return GENRES["nawabari"].count_boards(rows, cols)  # type: ignore[attr-defined]  # only Nawabari has it


# the calls that the files name
TERMS: dict[str, Callable[[int], int]] = {
    "usowan_answers": lambda n: (
        GENRES["usowan"].count(n, n) if n <= 22 else multimodular.count("usowan", n, n, scheduler="here")
    ),
    "usowan_maximal": lambda n: _maximal(n, n),
    "usowan_most_shaded": lambda n: _shaded(n).greatest.value,
    "usowan_fewest_maximal": lambda n: _shaded(n, maximal_only=True).least.value,
    "usowan_fewest_maximal_answers": lambda n: _shaded(n, maximal_only=True).least.answers,
    "usowan_maximal_table": lambda n: _maximal(*antidiagonal(n)),
    "tasquare_answers": lambda n: GENRES["tasquare"].count(n, n),
    "nawabari_dissections": lambda n: GENRES["nawabari"].count(n, n) if n else 1,
    "nawabari_distinct_1xn": lambda n: _boards(1, n)["distinct"],
    "nawabari_distinct_2xn": lambda n: _boards(2, n)["distinct"],
    "nawabari_distinct_3xn": lambda n: _boards(3, n)["distinct"],
    "nawabari_distinct_squares": lambda n: _boards(n, n)["distinct"],
    "nawabari_unique_1xn": lambda n: _boards(1, n)["unique"],
    "nawabari_unique_2xn": lambda n: _boards(2, n)["unique"],
    "nawabari_unique_3xn": lambda n: _boards(3, n)["unique"],
    "nawabari_unique_squares": lambda n: _boards(n, n)["unique"],
}


def term(name: str, n: int) -> int:
    """A term of a sequence, counted now."""
    return TERMS[name](n)


def compare(name: str, last: int, *, scheduler: str | None = None) -> pd.DataFrame:
    """The stored terms up to n = last beside what is counted now, each in a chunk of its own (see `chunks.run`):
    columns n, stored, ours, agrees.
    """
    stored = {n: value for n, value in read(name).terms.items() if n <= last}
    ours = chunks.run(term, [{"name": name, "n": n} for n in stored], scheduler=scheduler, label=name, progress=True)
    return pd.DataFrame(
        [
            {"n": n, "stored": value, "ours": own, "agrees": own == value}
            for (n, value), own in zip(stored.items(), ours, strict=True)
        ]
    )


def published(oeis: str, indices: Iterable[int]) -> pd.Series:
    """Published terms at some indices, as objects: int, or None where there is none. ValueError for an unknown id.

    >>> published("A006506", [2, 99]).tolist()
    [7, None]
    """
    terms = tables.published_terms(oeis)
    known = {int(n): value for n, value in zip(terms["n"], terms["value"], strict=True)}
    return pd.Series([known.get(n) for n in indices], dtype=object)


def summary() -> pd.DataFrame:
    """What is stored: sequence, in the OEIS, published to, stored to, new terms, digits of the largest term, and fewest
    checks of a new term (a missing one does not count).
    """
    rows = []
    for name in names():
        sequence = read(name)
        new = [n for n in sequence.terms if sequence.published is None or n > sequence.published]
        checks = [sum(not how.startswith("missing: ") for how in sequence.checks_of(n)) for n in new]
        rows.append({
            "sequence": name, "in the OEIS": sequence.oeis, "published to": sequence.published,
            "stored to": max(sequence.terms), "new terms": len(new), "digits": len(str(max(sequence.terms.values()))),
            "fewest checks": min(checks),
        })  # fmt: skip
    return pd.DataFrame(rows, dtype=object)


def steadiness(name: str, digits: int = 5) -> pd.DataFrame:
    """a(n) a(n-2) / a(n-1)**2, rounded to so many digits: columns n, ratio. On squares it settles; a slip would show.

    >>> steadiness("usowan_maximal")["ratio"].iloc[5]
    Decimal('1.69326')
    """
    terms = read(name).terms
    inner = [n for n in terms if n - 2 in terms and terms[n - 1]]
    ratios = [tables.places(Fraction(terms[n] * terms[n - 2], terms[n - 1] ** 2), digits) for n in inner]
    return pd.DataFrame({"n": inner, "ratio": ratios})


def choices(name: str, last: int = 6, most: int = 3) -> Decimal | None:
    """How many choices a cell deep inside a large square is worth, with only those digits on which the last estimates
    agree.

    The square root of each ratio of `steadiness` is an estimate. What it tends to lies wherever it likes: nothing here
    bounds it.

    Parameters
    ----------
    last : int      estimates that have to agree when they are rounded
    most : int      digits after the point at most

    Returns
    -------
    Decimal or None     None when they do not even agree on the whole number

    >>> choices("usowan_answers"), choices("usowan_maximal")
    (Decimal('1.488'), Decimal('1.3'))
    """
    estimates = [ratio.sqrt() for ratio in steadiness(name, 20)["ratio"].tail(last)]
    for digits in range(most, -1, -1):
        rounded = {tables.places(Fraction(estimate), digits) for estimate in estimates}
        if len(rounded) == 1:
            return rounded.pop()
    return None
