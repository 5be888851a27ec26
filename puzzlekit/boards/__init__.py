"""Boards in and out: puzz.link URLs, files of pzprjs, text grids, sections, JSON lines. Codecs on arrays; no genre is
known here.

Clues are int arrays that hold a number, NO_CLUE or ASKED; these two have the values that pzprjs gives them.
"""

import difflib
import reprlib
from collections.abc import Iterable

NO_CLUE, ASKED = -1, -2  # an empty cell; a `?`


def shown(value: object, most: int = 60) -> str:
    """A text, or any other value, as errors quote it: on one line, its end left out when it is long.

    >>> print(shown("a\\tb"), shown("x" * 5000, 10), shown([1, "a"]))
    'a\\tb' 'xxxxxxx...' [1, 'a']
    """
    text = value if isinstance(value, str) else reprlib.repr(value)
    text = text if len(text) <= most else text[: most - 3] + "..."
    return repr(text) if isinstance(value, str) else text


def meant(name: str, known: Iterable[str]) -> str:
    """A question for an error about an unknown name: whether one of those that are known and alike was meant; or "".

    >>> meant("usowan_lairs", ["usowan_liars", "overview"]), meant("x", ["overview"])
    ("did you mean 'usowan_liars'? ", '')
    """
    alike = difflib.get_close_matches(name, list(known), 3)
    return f"did you mean {' or '.join(map(repr, alike))}? " if alike else ""
