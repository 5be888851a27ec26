"""Read a board in any format; the format is detected, not declared."""

import os
import re
from pathlib import Path

from .formats import jsonl, puzzlink


def read(source, genre=None):
    """Board of a puzz.link URL, a JSON object, a text grid, or a file that holds one of these.

    Parameters
    ----------
    source : str, dict or path    a string of one line that is nothing else is taken for the path of a file
    genre : str                   a name in GENRES. Needed only where the source does not say it and boards of several
                                  genres could look like that, as with a text grid without borders

    Returns
    -------
    Board                         of the genre that the source is for

    Raises
    ------
    ValueError                    when the source is in no known format, is for another genre, or is wrong in itself
    OSError                       when ``source`` is a path object that cannot be read

    >>> read("https://puzz.link/p?usoone/2/2/00bg")
    usowan.Board, 2 x 2, 1 numbers, 1 regions
    """
    from . import GENRES

    if genre is not None and genre not in GENRES:
        raise ValueError(f"unknown genre {genre!r}; choose from {list(GENRES)}")
    genres = [genre] if genre else list(GENRES)
    if isinstance(source, dict):
        return _read_record(source, genres)
    if isinstance(source, os.PathLike):
        return _read_file(Path(source), genres)
    if not isinstance(source, str):
        raise ValueError(f"a board is read from a str, a dict or a path, not from {source!r}")  # noqa: TRY004
    board = _read_text(source, genres)
    if board is None and _is_file(source.strip()):
        board = _read_file(Path(source.strip()), genres)
    if board is None:
        shown = source.strip()
        raise ValueError(
            f"{shown if len(shown) <= 60 else shown[:57] + '...'!r} is not a puzz.link URL, a JSON object, a text grid "
            "or the path of a file"
        )
    return board


def _is_file(line):
    try:
        return "\n" not in line and Path(line).is_file()
    except (OSError, ValueError):  # too long for a name, or a null character
        return False


def _read_file(path, genres):
    content = path.read_text(encoding="utf-8-sig")
    board = _read_text(content, genres)
    if board is None:
        raise ValueError(f"{path} holds no puzz.link URL, no JSON object and no text grid")
    return board


def _read_text(text, genres):
    """Board of a string, or None when it has none of the formats."""
    stripped = text.strip()
    if stripped.startswith("{"):
        return _read_record(jsonl.parse(stripped), genres)
    if puzzlink.looks_like_url(stripped):
        return _read_url(stripped, genres)
    if re.fullmatch(r"[0-9.?#|+\-\s]+", stripped):
        return _only_fit(genres, "from_text", text)
    return None


def _read_url(url, genres):
    from . import GENRES

    names = {name: genre for genre in genres for name in GENRES[genre].Board.url_names}
    genre = names.get(puzzlink.name_of(url))
    if genre is None:
        puzzlink.split(url, list(names))  # raises, naming what is wrong
    return GENRES[genre].Board.from_url(url)


def _read_record(record, genres):
    from . import GENRES

    if "genre" not in record:
        return _only_fit(genres, "from_record", record)
    if record["genre"] not in genres:
        raise ValueError(f"genre: {record['genre']!r} is not {' or '.join(map(repr, genres))}")
    return GENRES[record["genre"]].Board.from_record(record)


def _only_fit(genres, reader, source):
    """The board of the only genre that can read the source; ValueError when none or several can."""
    from . import GENRES

    boards, errors = {}, {}
    for genre in genres:
        try:
            boards[genre] = getattr(GENRES[genre].Board, reader)(source)
        except ValueError as error:
            errors.setdefault(str(error), []).append(genre)
    if len(boards) > 1:
        raise ValueError(f"this could be a board of {' or '.join(boards)}; say which with genre=")
    if boards:
        return next(iter(boards.values()))
    if len(errors) == 1:
        raise ValueError(next(iter(errors)))
    raise ValueError("; ".join(f"as {' or '.join(named)}: {error}" for error, named in errors.items()))
