"""Boards in and out: puzz.link URLs, files of pzprjs, text grids, sections, JSON lines. Codecs on arrays; no genre is known here.

Clues are int arrays that hold a number, NO_CLUE or ASKED; these two have the values that pzprjs gives them.
"""

NO_CLUE, ASKED = -1, -2  # an empty cell; a `?`
