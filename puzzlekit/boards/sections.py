"""Boards as grids of words in sections, in the manner of janko.at, or the same grids after a line with rows and
columns.

    [problem]      a cell is `-` or `.` empty, `?` asked, or a number
    1 - 2          other sections than these two, and lines before the first, are for people and are left alone
    [areas]        but for `size`, `rows` and `cols`, which the grids are held to
    a a b          any word is the name of an area

Without the words in brackets: the clues, then after a blank line (or as many lines as the first line says) the areas.
Lines in errors count from 1. Knows grids, not genres.
"""

import re

import numpy as np
import numpy.typing as npt

from . import ASKED, NO_CLUE, puzzlink, shown

_LARGEST = 2**31 - 1
_SIGNS = {"-": NO_CLUE, ".": NO_CLUE, "?": ASKED}


def looks_like(content: str) -> bool:
    """Whether a text is meant to be this, rather than a text grid in which `-` is a border.

    >>> looks_like("[problem]\\n1 - 2"), looks_like("1 - 2"), looks_like("1 3\\n1 . 2"), looks_like("1 2\\n- -\\n3 4")
    (True, True, True, False)
    """
    lines = _numbered(content)
    if any(re.fullmatch(r"\[\w+\]", line) for _, line in lines) or (lines and lines[0][1].lower() == "begin"):
        return True
    if re.search(r"[|#+]", content):
        return False
    words = [line.split() for _, line in lines]
    if any("-" in line and set(line) != {"-"} for line in words):
        return all(re.fullmatch(r"[-.?]|\w+", word) for line in words for word in line)
    return (
        _has_size_line(words) and len(words) > 1 and len(words[1]) != 2
    )  # rows of two cells are a text grid all through


def name_of(content: str) -> str:
    """The name of the genre in lower case, if a line says it, or an empty string.

    >>> name_of("begin\\ngenre Usoone\\nsize 8\\n[problem]")
    'usoone'
    """
    heads = (line.lower().split() for line in content.partition("[")[0].splitlines())
    return next((words[1] for words in heads if len(words) == 2 and words[0] in ("genre", "puzzle")), "")


def read(content: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32] | None]:
    """Clues and regions of sections.

    Returns
    -------
    clues : int32 (rows, cols)      a number, NO_CLUE or ASKED
    regions : int32 (rows, cols)    labels from 0; None where there are no areas

    Raises
    ------
    ValueError                      naming the line and the column of words that is wrong

    >>> clues, regions = read("[problem]\\n1 - 2\\n[areas]\\na a b")
    >>> clues.tolist(), regions.tolist()
    ([[1, -1, 2]], [[0, 0, 1]])
    """
    sizes, problem, areas = _split(content)
    if not problem:
        raise ValueError("there is no section [problem] with rows of cells")
    words = _grid("problem", problem, sizes)
    cells = [[_clue(n, c, word) for c, word in enumerate(line)] for (n, _), line in zip(problem, words, strict=True)]
    clues = np.array(cells, np.int32)
    if not areas:
        return clues, None
    labels = _grid("areas", areas, dict(zip(("rows", "cols"), clues.shape, strict=True)))
    numbers: dict[str, int] = {}
    return clues, np.array([[numbers.setdefault(word, len(numbers)) for word in line] for line in labels], np.int32)


def _numbered(content):
    return [(n, line.strip()) for n, line in enumerate(content.splitlines(), 1) if line.strip()]


def _has_size_line(words):
    """Whether the first line says how many rows and columns follow, once or twice."""
    if not words or len(words[0]) != 2 or not all(re.fullmatch("[0-9]{1,9}", word) for word in words[0]):
        return False
    rows, cols = map(int, words[0])
    return len(words) - 1 in (rows, 2 * rows) and all(len(line) == cols for line in words[1:])


def _split(content):
    """Sizes that are stated, lines of the problem and lines of the areas."""
    lines = _numbered(content)
    heads = [at for at, (_, line) in enumerate(lines) if re.fullmatch(r"\[\w+\]", line)]
    if not heads:
        return _split_plain(content, lines)
    sizes, parts = {}, {}
    for n, line in lines[: heads[0]]:
        key, _, value = line.lower().partition(" ")
        for name in {"size": ("rows", "cols"), "rows": ("rows",), "cols": ("cols",)}.get(key, ()):
            if not re.fullmatch("[0-9]{1,9}", value.strip()) or int(value) < 1:
                raise ValueError(
                    f"line {n}: {key} must be a whole number of at least 1, not {shown(value.strip(), 20)}"
                )
            sizes[name] = int(value)
    for start, stop in zip(heads, [*heads[1:], len(lines)], strict=True):
        n, head = lines[start]
        if head.lower() in parts:
            raise ValueError(f"line {n}: a second section {head[:20]}")
        parts[head.lower()] = [(at, line) for at, line in lines[start + 1 : stop] if line.lower() != "end"]
    return sizes, parts.get("[problem]"), parts.get("[areas]")


def _split_plain(content, lines):
    lines = [(n, line) for n, line in lines if line.lower() not in ("begin", "end")]
    if _has_size_line([line.split() for _, line in lines]):
        rows, cols = map(int, lines[0][1].split())
        return {"rows": rows, "cols": cols}, lines[1 : rows + 1], lines[rows + 1 :]
    blocks: list[list[tuple[int, str]]] = []
    before = None
    for n, line in lines:
        if before is None or n > before + 1:
            blocks.append([])
        blocks[-1].append((n, line))
        before = n
    if len(blocks) > 2:
        raise ValueError(f"line {blocks[2][0][0]}: a third grid; there can be clues and areas")
    return {}, blocks[0] if blocks else None, blocks[1] if len(blocks) > 1 else None


def _grid(name, lines, sizes):
    """Words of lines, all as many, and as many as the sizes say."""
    words = [line.split() for _, line in lines]
    rows, cols = sizes.get("rows", len(words)), sizes.get("cols", len(words[0]))
    if len(words) * len(words[0]) > puzzlink.MAX_CELLS:
        raise ValueError(
            f"{len(words)} rows x {len(words[0])} cols is too large; at most {puzzlink.MAX_CELLS} cells are read"
        )
    for (n, _), line in zip(lines, words, strict=True):
        if len(line) != cols:
            raise ValueError(f"line {n}: a row of the {name} has {len(line)} cells, {cols} are needed")
    if len(words) != rows:
        raise ValueError(f"line {lines[-1][0]}: the {name} ends after {len(words)} rows, {rows} are needed")
    return words


def _clue(n, c, word):
    if word in _SIGNS:
        return _SIGNS[word]
    if not re.fullmatch("[0-9]{1,10}", word) or int(word) > _LARGEST:
        raise ValueError(f"line {n}, cell {c}: {shown(word, 20)} instead of `-`, `?` or a number up to {_LARGEST}")
    return int(word)
