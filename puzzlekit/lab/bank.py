"""Banks: files of boards with their answers, built from a seed to the same bytes, and verified board by board.

A bank is a JSON-lines file data/banks/<genre>_<rows>x<cols>.jsonl; one of more than STORED boards is in
data/banks/large/, which is not in the repository. Its first line is the header: genre, size, number of boards, seed,
version of the format, whether repeated boards are kept, and the method in words. Every further line is a board as a URL
path and its answer, row by row. A large bank starts with the boards of the stored one.

A bank is a sample of what a setter makes, so a board that comes up again stays in it: without its repeats a bank would
drift, the more the longer it is, away from the boards that are few (Nawabari answers of one room). Who wants different
boards asks for `distinct`.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import GENRES
from ..boards import jsonl, shown
from ..boards.board import PrintedBoard
from ..jobs import chunks
from ..machinery import files
from . import digests, tables

VERSION = 2
KEPT, LEFT_OUT = "kept", "left out"  # what a header says of repeated boards
SEED = 20261130
STORED = 1000  # boards of a bank in the repository
MOST = 1_000_000_000  # boards of a bank
CHUNK = 20  # boards made in one piece of work
PATIENCE = 20  # tries for each board wanted, after which there are too few distinct ones

Line = dict[str, str]  # a board and its answer, as they are written: url, answer


class Bank(NamedTuple):
    """Boards and their answers.

    header : dict
    boards : list of Board
    answers : uint8 (n, rows, cols)
    digest : str                 of all its lines, so that others can tell whether theirs is the same
    """

    header: dict[str, Any]
    boards: list[PrintedBoard]
    answers: np.ndarray
    digest: str


def path(genre: str, rows: int, cols: int, boards: int | None = None) -> Path:
    """Where the bank of a genre and size is kept that has so many boards; None is the stored one. ValueError for a
    genre that is none.
    """
    if genre not in GENRES:
        raise ValueError(f"unknown genre {shown(genre)}; choose from {list(GENRES)}")
    large = boards is not None and boards > STORED
    return tables.folder() / "banks" / ("large" if large else "") / f"{genre}_{rows}x{cols}.jsonl"


def board_rng(seed: int, rows: int, cols: int, index: int) -> np.random.Generator:
    """The random generator of one board: its own, so that boards can be made in any order and by anybody."""
    return np.random.default_rng([seed, rows, cols, index])


def build(
    genre: str,
    rows: int,
    cols: int,
    boards: int = 1000,
    seed: int = SEED,
    file: str | Path | None = None,
    progress: bool = True,
    scheduler: str | None = None,
    keep: bool = False,
    distinct: bool = False,
) -> Path:
    """Make a bank and write it. The same arguments give the same bytes, wherever the boards are made.

    Parameters
    ----------
    genre : str                name in GENRES
    rows, cols : int
    boards : int               how many; at least 1
    seed : int
    file : path                where to write; None is the bank's own place, see `path`
    progress : bool            show a progress bar
    scheduler : str            where to make boards: see `chunks.run`
    keep : bool                keep finished boards beside the file until it is written, and go on from them
    distinct : bool            leave out boards that came up before: no longer a sample

    Returns
    -------
    pathlib.Path

    Raises
    ------
    ValueError                 no boards asked for, more distinct ones than there are, or a bank in its own place would
                               lose boards or get others

    Cost: about 2 s for 1,000 boards at 6 x 6, 10 s at 10 x 10.
    """
    package = GENRES[genre]
    if not 1 <= boards <= MOST:
        raise ValueError(f"boards must be from 1 to {MOST:,}, not {shown(boards)}")
    repeats = LEFT_OUT if distinct else KEPT
    files.expect_plain(file or path(genre, rows, cols, boards))
    if file is None:
        file = path(genre, rows, cols, boards)
        _spare(file, boards, seed, repeats)
    file = Path(file)
    files.expect_writable(file.parent)
    header = {
        "genre": genre,
        "rows": rows,
        "cols": cols,
        "boards": boards,
        "seed": seed,
        "version": VERSION,
        "repeats": repeats,
        "method": package.METHOD,
    }
    lines, seen = [json.dumps(header)], set()
    tried = 0
    store = file.with_name(file.name + ".chunks") if keep else None
    while len(lines) <= boards:
        what: dict[str, Any] = {"genre": genre, "rows": rows, "cols": cols, "seed": seed}
        pieces = chunks.spans(boards + 1 - len(lines), CHUNK)
        calls = [what | {"first": tried + first, "last": tried + last} for first, last in pieces]
        label = f"{genre} {rows}x{cols}"
        parts = chunks.run(made, calls, scheduler=scheduler, store=store, label=label, progress=progress)
        for line in chain.from_iterable(parts):
            if not (distinct and line["url"] in seen):
                seen.add(line["url"])
                lines.append(json.dumps(line))
        tried = calls[-1]["last"]
        if tried > PATIENCE * boards and len(lines) <= boards:
            raise ValueError(f"no {boards} distinct {genre} boards of {rows} x {cols}: {len(seen)} in {tried} tries")
    file.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(file, "\n".join(lines) + "\n")
    if boards <= STORED and file == path(genre, rows, cols):
        digests.note(tables.folder(), {f"data/banks/{file.name}": file})
    if store is not None:
        shutil.rmtree(store, ignore_errors=True)
    return file


def _spare(file, boards, seed, repeats):
    """ValueError where a new bank would not begin with the boards that the file has."""
    try:
        with open(file) as lines:
            there = json.loads(lines.readline())
        if there["version"] != VERSION:
            return
        kept = (there["seed"], there["repeats"]) == (seed, repeats) and there["boards"] <= boards
    except (FileNotFoundError, ValueError, KeyError, TypeError):  # nothing there, or nothing that anybody could load
        return
    if not kept:
        raise ValueError(
            f"{_name(file)} has {there['boards']} boards of seed {there['seed']} already, repeats {there['repeats']},"
            f" which {boards} of seed {seed}, repeats {repeats}, would not include;"
            " write to another --file, or delete that one first"
        )


def _name(file):
    """A bank's file as messages call it."""
    return f"large/{file.name}" if file.parent.name == "large" else file.name


def repeats(genre: str, rows: int, cols: int, boards: int | None = None) -> dict[str, int]:
    """How often boards of a bank come again: {"boards", "different boards", "different answers"}. Other arguments as
    for `extent`.
    """
    there = load(genre, rows, cols, boards)
    return {
        "boards": len(there.boards),
        "different boards": len(set(there.boards)),
        "different answers": len({answer.tobytes() for answer in there.answers}),
    }


def made(genre: str, rows: int, cols: int, seed: int, first: int, last: int) -> list[Line]:
    """One chunk of `build`: the boards of some indices with their answers, as a list of dicts."""
    package, lines = GENRES[genre], []
    for index in range(first, last):
        board = package.make(rows, cols, board_rng(seed, rows, cols, index))
        (answer,) = package.solve(board).answers
        lines.append(_record(board, answer))
    return lines


def _record(board, answer):
    """A line of a bank."""
    return {"url": board.to_url().partition("?")[2], "answer": _written(answer)}


def _written(answer):
    """Rows with a slash between; cells as digits where 0 and 1 are all there is, else with commas between."""
    comma = "," if answer.max() > 1 else ""
    return "/".join(comma.join(map(str, line)) for line in answer.tolist())


def _read(text, rows, cols):
    if len(text) > 4 * rows * cols:  # digits and what stands between them
        raise ValueError(f"the answer is too long for {rows} x {cols}")
    commas = "," in text
    rows = [row.split(",") if commas else row for row in text.split("/")]
    if not all(re.fullmatch("[0-9]{1,3}", cell) and int(cell) < 256 for row in rows for cell in row):
        raise ValueError("the answer has cells that are no numbers below 256")
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the answer has rows of different lengths")
    return np.array([[int(cell) for cell in row] for row in rows], np.uint8)


def load(
    genre: str, rows: int, cols: int, boards: int | None = None, file: str | Path | None = None, *, first: int = 0
) -> Bank:
    """The first boards of a bank (None is all the stored ones). More than STORED come from the large bank.

    Parameters
    ----------
    genre : str
    rows, cols : int
    boards : int     so many
    file : path      None is the bank's own place, see `path`
    first : int      leave out so many at the beginning

    Returns
    -------
    Bank

    Raises
    ------
    ValueError       no such bank, fewer boards than asked for, or a damaged line, with its number

    Cost: 0.1 ms to 0.4 ms a board.
    """
    file = Path(file or path(genre, rows, cols, boards))
    header, lines, last, digest = _opened(file, genre, rows, cols, boards)
    found, answers = [], []
    for number, line in enumerate(lines[first:last], first + 2):
        record = jsonl.parse(line, f"{_name(file)}, line {number}: it")
        try:
            url, written = record.get("url"), record.get("answer")
            if not isinstance(url, str) or not isinstance(written, str):
                raise ValueError("a board has a url and an answer, both texts")
            board, answer = GENRES[genre].Board.from_url(url), _read(written, rows, cols)
            if answer.shape != (rows, cols) or (board.rows, board.cols) != (rows, cols):
                raise ValueError(f"not {rows} x {cols}")
        except ValueError as error:
            raise ValueError(f"{_name(file)}, line {number}: {error}") from None
        found.append(board)
        answers.append(answer)
    return Bank(header, found, np.array(answers), digest)


def extent(genre: str, rows: int, cols: int, boards: int | None = None) -> tuple[int, str]:
    """How many boards `load` would give, and the digest of their bank, without reading them: (int, str)."""
    _, _, last, digest = _opened(path(genre, rows, cols, boards), genre, rows, cols, boards)
    return last, digest


def _opened(file, genre, rows, cols, boards):
    """Header, lines of boards, how many of them are asked for, and digest of a bank's file."""
    make = f"puzzlekit bank make {genre} {rows} {cols}"
    if boards is not None and boards > STORED:
        make += f" --boards {boards}"
    if not file.exists():
        raise ValueError(f"no bank {_name(file)}; make one with: {make}")
    lines = files.read_lines(file, _name(file))
    header = jsonl.parse(lines[0], f"{_name(file)}, line 1: it")
    promised, total = header.get("boards"), len(lines) - 1
    if (header.get("genre"), header.get("rows"), header.get("cols")) != (genre, rows, cols):
        raise ValueError(f"{_name(file)}, line 1: the header is not that of a {genre} bank of {rows} x {cols}")
    if header.get("version") != VERSION:
        raise ValueError(
            f"{_name(file)}, line 1: version {shown(header.get('version'))}, this program reads version {VERSION}"
        )
    if header.get("repeats") not in (KEPT, LEFT_OUT):
        raise ValueError(
            f"{_name(file)}, line 1: repeats are {KEPT!r} or {LEFT_OUT!r}, not {shown(header.get('repeats'))}"
        )
    if total != promised:
        raise ValueError(f"{_name(file)}, line 1: the header promises {shown(promised)} boards, the file has {total}")
    if boards is not None and not 1 <= boards <= total:
        more = f"; more with: {make}" if boards > 0 else ""
        raise ValueError(f"boards must be from 1 to {total}, not {boards!r}{more}")
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return header, lines[1:], boards or total, digest


def verify(
    genre: str,
    rows: int,
    cols: int,
    boards: int | None = None,
    file: str | Path | None = None,
    progress: bool = True,
    scheduler: str | None = None,
) -> int:
    """Re-derive everything a bank promises, board by board; ValueError names the line of the first broken one.

    The genre's own `faults(board, answer)` says what is promised. Returns the number of boards verified. Where boards
    are verified is said as for `build`; the file itself is read here.
    """
    file = Path(file or path(genre, rows, cols, boards))
    bank = load(genre, rows, cols, boards, file)
    firsts: dict[PrintedBoard, int] = {}
    twice, whole = None, len(bank.boards)
    for line, board in enumerate(bank.boards, 2):
        if firsts.setdefault(board, line) < line and bank.header["repeats"] == LEFT_OUT:
            whole = line - 2
            twice = f"{_name(file)}, line {line}: the board of line {firsts[board]} again"
            break
    records = [
        _record(*pair) for pair in zip(bank.boards[:whole], bank.answers, strict=False)
    ]  # before a board that should not come again
    calls = [{"genre": genre, "lines": records[first:last]} for first, last in chunks.spans(len(records), CHUNK)]
    label = f"{genre} {rows}x{cols}"
    for call, found in enumerate(chunks.run(broken, calls, scheduler=scheduler, label=label, progress=progress)):
        for index, fault in found:
            raise ValueError(f"{_name(file)}, line {call * CHUNK + index + 2}: {fault}")
    if twice:
        raise ValueError(twice)
    return len(records)


def broken(genre: str, lines: Iterable[Line]) -> list[list[int | str]]:
    """One chunk of `verify`: the first of its lines that breaks a promise, and how, as [[index, fault]]; [] is all
    well.
    """
    package = GENRES[genre]
    for index, line in enumerate(lines):
        board = package.Board.from_url(line["url"])
        for fault in package.faults(board, _read(line["answer"], board.rows, board.cols)):
            return [[index, fault]]
    return []
