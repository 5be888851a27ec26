"""Banks: files of boards with their answers, built from a seed to the same bytes, and verified board by board.

A bank is a JSON-lines file data/banks/<genre>_<rows>x<cols>.jsonl. Its first line is the header: genre, size, number of boards,
seed, version of the format and the method in words. Every further line is a board as a URL path and its answer, row by row.
"""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from . import GENRES, chunks, tables

VERSION = 1
SEED = 20261130
CHUNK = 20  # boards made in one piece of work
PATIENCE = 20  # tries for each board wanted, after which there are too few different ones


class Bank(NamedTuple):
    """Boards and their answers.

    header : dict
    boards : list of Board
    answers : uint8 (n, rows, cols)
    """

    header: dict
    boards: list
    answers: np.ndarray


def path(genre, rows, cols):
    """Where the bank of a genre and size is kept."""
    return tables.folder() / "banks" / f"{genre}_{rows}x{cols}.jsonl"


def board_rng(seed, rows, cols, index):
    """The random generator of one board: its own, so that boards can be made in any order and by anybody."""
    return np.random.default_rng([seed, rows, cols, index])


def build(genre, rows, cols, boards=1000, seed=SEED, file=None, progress=True, scheduler=None, keep=False):
    """Make a bank and write it. The same arguments give the same bytes, wherever the boards are made.

    Parameters
    ----------
    genre : str                name in GENRES
    rows, cols : int
    boards : int               how many; at least 1
    seed : int
    file : path                where to write; None is the bank's own place
    progress : bool            show a progress bar
    scheduler : str            where to make boards: see `chunks.run`
    keep : bool                keep finished boards beside the file until it is written, and go on from them

    Returns
    -------
    pathlib.Path

    Cost: about 2 s for 1,000 boards at 6 x 6, 10 s at 10 x 10.
    """
    package = GENRES[genre]
    if boards < 1:
        raise ValueError(f"boards must be at least 1, not {boards!r}")
    file = Path(file or path(genre, rows, cols))
    header = {
        "genre": genre, "rows": rows, "cols": cols, "boards": boards, "seed": seed, "version": VERSION,
        "method": package.METHOD,
    }
    lines = [json.dumps(header)]
    seen = set()
    tried = 0
    store = file.with_name(file.name + ".chunks") if keep else None
    while len(seen) < boards:
        what = {"genre": genre, "rows": rows, "cols": cols, "seed": seed}
        pieces = chunks.spans(boards - len(seen), CHUNK)
        calls = [what | {"first": tried + first, "last": tried + last} for first, last in pieces]
        label = f"{genre} {rows}x{cols}"
        for line in sum(chunks.run(made, calls, scheduler=scheduler, store=store, label=label, progress=progress), []):
            if line["url"] not in seen and len(seen) < boards:  # small boards come up again
                seen.add(line["url"])
                lines.append(json.dumps(line))
        tried = calls[-1]["last"]
        if tried > PATIENCE * boards and len(seen) < boards:
            raise ValueError(f"no {boards} different {genre} boards of {rows} x {cols}: {len(seen)} in {tried} tries")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_text("\n".join(lines) + "\n")
    part.replace(file)
    if keep:
        shutil.rmtree(store, ignore_errors=True)
    return file


def made(genre, rows, cols, seed, first, last):
    """One chunk of `build`: the boards of some indices with their answers, as a list of dicts."""
    package, lines = GENRES[genre], []
    for index in range(first, last):
        board = package.make(rows, cols, board_rng(seed, rows, cols, index))
        (answer,) = package.solve(board).answers
        lines.append({"url": board.to_url().partition("?")[2], "answer": _written(answer)})
    return lines


def _written(answer):
    """Rows with a slash between; cells as digits where 0 and 1 are all there is, else with commas between."""
    comma = "," if answer.max() > 1 else ""
    return "/".join(comma.join(map(str, line)) for line in answer.tolist())


def _read(text):
    return np.array([[int(cell) for cell in (row.split(",") if "," in text else row)] for row in text.split("/")], np.uint8)


def load(genre, rows, cols, boards=None, file=None):
    """The first boards of a bank (None is all).

    Raises
    ------
    ValueError     no such bank, fewer boards than asked for, or a damaged line, with its number
    """
    file = Path(file or path(genre, rows, cols))
    if not file.exists():
        raise ValueError(f"no bank {file.name}; make one with: puzzlekit bank make {genre} {rows} {cols}")
    lines = file.read_text().splitlines()
    header = _parsed(file, 1, lines[0] if lines else "")
    if (header.get("genre"), header.get("rows"), header.get("cols")) != (genre, rows, cols):
        raise ValueError(f"{file.name}, line 1: the header is not that of a {genre} bank of {rows} x {cols}")
    if header.get("version") != VERSION:
        raise ValueError(f"{file.name}, line 1: version {header.get('version')!r}, this program reads version {VERSION}")
    if len(lines) - 1 != header.get("boards"):
        promised = header.get("boards")
        raise ValueError(f"{file.name}, line 1: the header promises {promised} boards, the file has {len(lines) - 1}")
    if boards is not None and not 1 <= boards <= header["boards"]:
        raise ValueError(f"boards must be from 1 to {header['boards']}, not {boards!r}")
    found, answers = [], []
    for number, line in enumerate(lines[1 : 1 + (boards or header["boards"])], 2):
        record = _parsed(file, number, line)
        try:
            board = GENRES[genre].Board.from_url(record["url"])
            answer = _read(record["answer"])
            if answer.shape != (rows, cols) or (board.rows, board.cols) != (rows, cols):
                raise ValueError(f"not {rows} x {cols}")
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise ValueError(f"{file.name}, line {number}: {error}") from None
        found.append(board)
        answers.append(answer)
    return Bank(header, found, np.array(answers))


def _parsed(file, number, line):
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{file.name}, line {number}: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{file.name}, line {number}: not a JSON object")
    return record


def verify(genre, rows, cols, boards=None, file=None, progress=True):
    """Re-derive everything a bank promises, board by board; ValueError names the line of the first broken one.

    The genre's own `faults(board, answer)` says what is promised. Returns the number of boards verified.
    """
    file = Path(file or path(genre, rows, cols))
    bank = load(genre, rows, cols, boards, file)
    package, lines = GENRES[genre], {}
    pairs = tqdm(zip(bank.boards, bank.answers), total=len(bank.boards), unit="board", disable=not progress)
    for line, (board, answer) in enumerate(pairs, 2):
        for fault in package.faults(board, answer):
            raise ValueError(f"{file.name}, line {line}: {fault}")
        if lines.setdefault(board, line) < line:
            raise ValueError(f"{file.name}, line {line}: the board of line {lines[board]} again")
    return len(bank.boards)
