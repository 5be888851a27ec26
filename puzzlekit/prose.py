"""Sentences about what was measured, put together from the measurement, so that they change with it.

A notebook ends a cell with `say(...)`; the page shows it as text. Not here: any measurement.
"""


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


def listed(things, none="none", last="and") -> str:
    """Things as one reads them out.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', 'none')
    """
    *first, end = [str(thing) for thing in things] or [none]
    return f"{', '.join(first)} {last} {end}" if first else end
