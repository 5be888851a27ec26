"""Boards in and out: puzz.link URLs, files of pzprjs, text grids, sections, JSON lines. Codecs on arrays; no genre is
known here.

Clues are int arrays that hold a number, NO_CLUE or ASKED; these two have the values that pzprjs gives them.
"""

import reprlib

NO_CLUE, ASKED = -1, -2  # an empty cell; a `?`


def shown(value: object, most: int = 60) -> str:
    """A text, or any other value, as errors quote it: on one line, its end left out when it is long.

    >>> print(shown("a\\tb"), shown("x" * 5000, 10), shown([1, "a"]))
    'a\\tb' 'xxxxxxx...' [1, 'a']
    """
    text = value if isinstance(value, str) else reprlib.repr(value)
    text = text if len(text) <= most else text[: most - 3] + "..."
    return repr(text) if isinstance(value, str) else text
