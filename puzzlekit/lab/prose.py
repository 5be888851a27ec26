"""Sentences about what was measured, put together from the measurement, so that they change with it.

A notebook ends a cell with `say(...)`; the page shows it as text. Not here: any measurement.
"""

from collections.abc import Iterable
from typing import SupportsFloat

import pandas as pd
from scipy import stats

from .intervals import LEVEL


class Prose(str):
    """Text in Markdown that a notebook and its page show as text."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


def say(*sentences: str) -> Prose:
    """Sentences as one paragraph; those that are empty are left out.

    >>> say("All boards have an answer.", "", "It is the only one.")
    All boards have an answer. It is the only one.
    """
    return Prose(" ".join(sentence for sentence in sentences if sentence))


def listed(things: Iterable[object], none: str = "none", last: str = "and") -> str:
    """Things as one reads them out.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', 'none')
    """
    *first, end = [str(thing) for thing in things] or [none]
    return f"{', '.join(first)} {last} {end}" if first else end


def percent(share: SupportsFloat, digits: int = 1) -> str:
    """A share as a percentage, halves to even.

    >>> percent(0.3125), percent(1, 0)
    ('31.2 %', '100 %')
    """
    return f"{100 * float(share):.{digits}f} %"


def luck(frame: pd.DataFrame, *columns: str) -> str:
    """One sentence about the published figures of a table: which of them lie farther from ours than luck explains.

    All chances of the table are corrected together (Benjamini and Hochberg). `columns` name a row.

    >>> luck(pd.DataFrame({"size": ["6x6", "8x8"], "chance": [0.4, 0.001]}), "size")
    'Of 2 published figures with a chance, 1 lies farther from ours than luck explains: 8x8.'
    >>> luck(pd.DataFrame({"size": ["6x6"], "chance": [0.4]}), "size")
    'Of 1 published figure with a chance, none lies farther from ours than luck explains.'
    """
    asked = frame[frame["chance"].notna()]
    if asked.empty:
        return "No published figure of this table has a chance."
    far = asked[stats.false_discovery_control(asked["chance"].astype(float)) < 1 - LEVEL]
    what = f"Of {len(asked)} published figure{'s' * (len(asked) > 1)} with a chance, "
    names = [" ".join(str(row[column]) for column in columns) for row in far.to_dict("records")]
    which = f": {listed(names)}" if names else ""
    return (
        f"{what}{len(far) or 'none'} {'lie' if len(far) > 1 else 'lies'} farther from ours than luck explains{which}."
    )
