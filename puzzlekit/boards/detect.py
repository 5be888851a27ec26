"""Read a board in any format; the format is detected, not declared."""

import contextlib
import io
import os
import re
import warnings
from pathlib import Path
from typing import Any

from ..marks import Places
from . import jsonl, pasted, puzzlink, pzprv3, sections, shown, text
from .board import PrintedBoard

Source = str | dict[str, Any] | os.PathLike[str]
Partial = tuple[PrintedBoard, Places | None]  # a board, and what its source has of an answer

LONGEST = 2_000_000  # characters; the largest board anybody reads has some ten thousand
MOST_CELLS = 20_000_000  # of all boards of a file together
_FORMATS = "puzz.link URL, pzprv3 file, JSON object or text grid"


class RestoredWarning(UserWarning):
    """A link was read with a dot at its end that had been lost, as that fills the grid: `read` warns of it."""


def read(source: Source, genre: str | None = None) -> PrintedBoard:
    """Board of a puzz.link URL, a pzprv3 file, a JSON object, a text grid, or a file that holds one of these.

    A link is found in whatever was pasted with it. One whose last dot was lost is read with a `RestoredWarning`.

    Parameters
    ----------
    source : str, dict or path    a string of one line that is nothing else is taken for the path of a file
    genre : str                   a name in GENRES. Needed only where the source does not say it and boards of several
                                  genres could look like that, as with a text grid without borders; a line with the
                                  genre's name before the grid says it as well

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
    return read_partial(source, genre)[0]


def read_partial(source: Source, genre: str | None = None) -> Partial:
    """Board of a source, and what the source has of an answer.

    Parameters
    ----------
    source, genre    as for `read`

    Returns
    -------
    board : Board
    partial          as the genre's `hint` takes it: uint8 (rows, cols) of UNKNOWN, UNSHADED and SHADED, or Walls; None
                     when nothing is filled in, or the format cannot hold it

    Raises
    ------
    ValueError, OSError    as for `read`

    >>> board, partial = read_partial("pzprv3/tasquare/2/2/1 # /+ . /")
    >>> partial.tolist()
    [[1, 2], [1, 0]]
    """
    genres = _choice(genre)
    if isinstance(source, dict):
        return _read_record(source, genres), None
    if isinstance(source, os.PathLike):
        return _read_file(Path(source), genres)
    if not isinstance(source, str):
        raise ValueError(f"a board is read from a str, a dict or a path, not from {shown(source)}")
    found = _read_text(source, genres)
    if found is None and _is_file(source.strip()):
        found = _read_file(_path(source), genres)
    if found is None:
        raise ValueError(f"{shown(source.strip())} is no {_FORMATS}, nor the path of a file with one")
    return found


def read_all(source: Source, genre: str | None = None) -> list[PrintedBoard]:
    """Boards of a file, or a text: all its links, or one board a line (JSON objects, URLs, a bank), or the one board it
    has.

    Parameters
    ----------
    source : str, dict or path    a string is a text, or the path of a file
    genre : str                   as for `read`

    Returns
    -------
    list of Board

    Raises
    ------
    ValueError              naming the first line that is not a board
    OSError                 when ``source`` is a path object that cannot be read

    >>> read_all("tasquare/2/2/1i\\n\\nnawabari/2/2/3b3")
    [tasquare.Board, 2 x 2, 1 numbers, nawabari.Board, 2 x 2, 2 numbers]
    """
    return [board for board, _ in read_all_partial(source, genre)]


def read_all_partial(source: Source, genre: str | None = None) -> list[Partial]:
    """As `read_all`, but pairs of a board and what the source has of an answer, as `read_partial` gives them."""
    path = None
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_file(source.strip())):
        path = _path(source) if isinstance(source, str) else Path(source)
    content = source if path is None else _content(path)
    name, genres = "the text" if path is None else path.name, _choice(genre)
    if not isinstance(content, str):
        return [read_partial(content, genre)]
    lines = [(n, line) for n, line in enumerate(content.lstrip("\ufeff").split("\n"), 1) if line.strip()]
    if not lines or not all(line.lstrip().startswith("{") or puzzlink.looks_like_url(line) for _, line in lines):
        if len(lines) > 1 and len(content) <= LONGEST and (found := _read_links(content, genres, name)):
            return found
        return [read_partial(path or source, genre)]
    boards: list[Partial] = []
    cells = 0
    for n, line in lines:
        before = len(boards)
        try:
            if line.lstrip().startswith("{"):
                record = jsonl.parse(line.strip(), "it")
                if n == lines[0][0] and "boards" in record and "clues" not in record:
                    continue  # the header of a bank
                boards.append((_read_record(record, genres), None))
            else:
                boards += _read_links(line, genres, "it") or [(_read_url(line, genres), None)]
        except ValueError as error:
            if len(lines) == 1:
                raise
            raise ValueError(f"{name}, line {n}: {error}") from None
        cells += sum(board.rows * board.cols for board, _ in boards[before:])
        if cells > MOST_CELLS:
            raise ValueError(f"{name}, line {n}: {cells} cells up to here; at most {MOST_CELLS} are read")
    if not boards:
        raise ValueError(f"{name} has no boards")
    return boards


def _choice(genre):
    """Names of the genres that a source may be of."""
    from .. import GENRES

    if genre is not None and genre not in GENRES:
        raise ValueError(f"unknown genre {shown(genre)}; choose from {list(GENRES)}")
    return [genre] if genre else list(GENRES)


def _path(line):
    """Path of a file, from where the caller is: a report's kernel runs elsewhere and is told by PUZZLEKIT_FOLDER."""
    return Path(os.environ.get("PUZZLEKIT_FOLDER", "")) / line.strip()


def _is_file(line):
    try:
        return "\n" not in line and bool(line) and _path(line).is_file()
    except (OSError, ValueError):  # too long for a name, or a null character
        return False


def _content(path):
    with open(path, "rb") as file:
        data = file.read(4 * LONGEST + 1)  # some files say that they are empty and never end
    if len(data) > 4 * LONGEST:
        raise ValueError(f"{path} is too large; at most {LONGEST} characters are read")
    try:
        return io.StringIO(data.decode("utf-8-sig"), newline=None).read()  # line breaks of any system
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text: byte {error.start} is not UTF-8") from None


def _read_file(path, genres):
    found = _read_text(_content(path), genres)
    if found is None:
        raise ValueError(f"{path} holds no {_FORMATS}")
    return found


def _read_text(content, genres):
    """Board of a string and what it has of an answer, or None when it has none of the formats."""
    stripped = content.strip().lstrip("\ufeff")
    if len(stripped) > LONGEST:
        raise ValueError(f"the text has {len(stripped)} characters; at most {LONGEST} are read")
    if stripped.startswith("{"):
        return _read_record(jsonl.parse(stripped), genres), None
    if pzprv3.looks_like(stripped):
        board = _of_name(pzprv3.name_of(stripped), genres)
        if board is None:
            raise ValueError(f"the file is for {shown(pzprv3.name_of(stripped), 20)}, not for {_url_names(genres)}")
        return board.partial_from_pzprv3(stripped)
    found = _read_links(stripped, genres, "the text")
    if len(found) > 1:
        raise ValueError(f"there are {len(found)} boards here, where one is needed; read_all takes them all")
    if found:
        return found[0]
    if "\n" not in stripped and puzzlink.looks_like_url(stripped):
        return _read_url(stripped, genres), None
    first, _, rest = content.strip("\n").partition("\n")
    if rest and (named := _of_name(first.strip(), genres)):
        return _read_grid(rest, [named.genre])
    if sections.looks_like(content) or re.fullmatch(r"[0-9.?#|+\-\s]+", stripped) or len(text.panels(content)) > 1:
        return _read_grid(content, genres)
    return None


def _of_name(name, genres):
    """The Board of a genre by any of its names, or None."""
    from .. import GENRES

    boards = (GENRES[genre].Board for genre in genres)
    return next((board for board in boards if name.lower() in (board.genre, *board.url_names)), None)


def _url_names(genres):
    from .. import GENRES

    return " or ".join(name for genre in genres for name in GENRES[genre].Board.url_names)


def _read_grid(content, genres):
    """Board of a text grid or of sections."""
    if not sections.looks_like(content):
        board, *others = text.panels(content)
        found = _only_fit(genres, "partial_from_text", board)
        for other in others:
            again, partial = type(found[0]).partial_from_text(other)
            if again != found[0]:
                raise ValueError("the grids side by side are not the same board")
            found = again, partial
        return found
    name = sections.name_of(content)
    if name:
        named = _of_name(name, genres)
        if named is None:
            raise ValueError(f"the text is for {shown(name, 20)}, not for {' or '.join(genres)}")
        return named.from_sections(content), None
    return _only_fit(genres, "from_sections", content), None


def _read_links(content, genres, name):
    """Boards of the links in a text, each with what it has of an answer; none in a text of sections, whose links say
    where it is from.
    """
    from .. import GENRES

    if content.lstrip().startswith(("{", "pzprv3")) or re.search(r"^\[\w+\]\s*$", content, re.MULTILINE):
        return []
    found = pasted.links(content)
    found = [link for link in found if link.file or link.stated or _of_name(link.name, GENRES)]
    boards = []
    for link in found:
        try:
            boards.append(_read_link(link, genres))
        except ValueError as error:
            if len(found) == 1:
                raise
            raise ValueError(f"{name}, line {link.place}: {error}") from None
    return boards


def _read_link(link, genres):
    """Board of a link, and what it has of an answer: of the first of its bodies that fills the grid."""
    if link.file:
        return _read_text(link.file, genres)
    first = None
    for body in link.bodies():
        try:
            return _read_url(link.with_body(body), genres), None
        except ValueError as error:
            first = first or error
    body = link.restored()
    with contextlib.suppress(ValueError):
        if body is not None:
            board = _read_url(link.with_body(body), genres)
            said = "its last dot was lost and is put back, as that fills the grid"
            warnings.warn(f"{shown(link.with_body(link.body))}: {said}", RestoredWarning, stacklevel=2)
            return board, None
    raise ValueError(f"{first}; the link was read as {shown(link.with_body(link.body))}")


def _read_url(url, genres):
    board = _of_name(puzzlink.name_of(url), genres)
    if board is None:
        puzzlink.split(url, _url_names(genres).split(" or "))  # raises, naming what is wrong
    return board.from_url(url)


def _read_record(record, genres):
    url = record.get("url")
    if "clues" not in record and isinstance(url, str):
        return _read_url(url, genres)
    named = record.get("genre")
    if named is None and isinstance(url, str):
        named = getattr(_of_name(puzzlink.name_of(url), genres), "genre", None)  # collections say it there
    if named is None:
        return _only_fit(genres, "from_record", record)
    if named not in genres:
        raise ValueError(f"genre: {shown(named)} is not {' or '.join(map(repr, genres))}")
    from .. import GENRES

    return GENRES[named].Board.from_record(record)


def _only_fit(genres, reader, source):
    """What the only genre that can read the source makes of it; ValueError when none or several can."""
    from .. import GENRES

    found = {}
    errors: dict[str, list[str]] = {}
    for genre in genres:
        try:
            found[genre] = getattr(GENRES[genre].Board, reader)(source)
        except ValueError as error:
            errors.setdefault(str(error), []).append(genre)
    if len(found) > 1:
        raise ValueError(f"this could be a board of {' or '.join(found)}; say which with genre=")
    if found:
        return next(iter(found.values()))
    if len(errors) == 1:
        raise ValueError(next(iter(errors)))
    raise ValueError("; ".join(f"as {' or '.join(named)}: {error}" for error, named in errors.items()))
