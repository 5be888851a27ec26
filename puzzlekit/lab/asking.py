"""Put a question to many: boards of banks, uniform draws, or any list of arguments; in chunks, wherever they are to run
(chunks.py).

The answers are the same wherever the work is done. Every chunk of boards carries the digest of its bank, so a worker
whose bank is another one refuses; data/ has to be the same there, by a shared folder or by a checkout with the large
banks copied. Not here: the questions (questions.py here and in each genre), and what is made of the answers
(measure.py).
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from .. import GENRES
from ..boards.board import PrintedBoard
from ..jobs import chunks
from ..jobs.workers import Call
from . import bank

# boards in a chunk, so that most chunks are more than 100 ms of work, and none more than some seconds
QUICK = 1000  # where a question takes about 0.1 ms a board
SLOW = 100  # where it takes milliseconds

Size = int | tuple[int, int] | list[int]  # n for n x n, or (rows, cols)
Row = dict[str, int]  # what a question says, by label
Question = Callable[[PrintedBoard, np.ndarray], Row | list[Row]]  # of a board and its answer


def size_name(rows: int, cols: int) -> str:
    """How a size is written in tables and labels."""
    return f"{rows}x{cols}"


def ask(
    genre: str,
    sizes: Iterable[Size],
    question: Question,
    boards: int | None = None,
    *,
    scheduler: str | None = None,
    chunk: int = QUICK,
) -> dict[str, pd.DataFrame]:
    """A question put to every board of some banks.

    Parameters
    ----------
    sizes : list             n for n x n, or (rows, cols)
    question : callable      of a board and its answer; gives a dict label -> int, or a list of such rows. To be asked
                             on other processes, or kept while it is asked, it has to be at the top of a module, or
                             functools.partial of such a function with keywords
    boards : int             the first so many of each bank; None is all the stored ones
    scheduler : str          where to ask: see `chunks.run`
    chunk : int              boards in a chunk, when there are chunks

    Returns
    -------
    dict                     size -> DataFrame of a row a board and a column a label, 0 where a board does not have it

    Raises
    ------
    ValueError               no such bank, or too few boards in it
    chunks.ChunkFailed       on a worker, also when its bank is another one
    """
    found = {}
    for size in sizes:
        rows, cols = size if isinstance(size, (tuple, list)) else (size, size)
        name = size_name(rows, cols)
        what: dict[str, Any] = {"genre": genre, "rows": rows, "cols": cols, "boards": boards}
        if chunks.in_use(scheduler):
            total, digest = bank.extent(**what)
            what |= {"digest": digest, "question": chunks.named(question)}
            calls = [what | {"first": first, "last": last} for first, last in chunks.spans(total, chunk)]
            parts = chunks.run(asked, calls, scheduler=scheduler, label=f"{genre} {name}", progress=True)
            counts = list(chain.from_iterable(parts))
        else:
            there = bank.load(**what)
            pairs = tqdm(
                zip(there.boards, there.answers, strict=True),
                f"{genre} {name}",
                len(there.boards),
                unit="board",
                delay=2,
            )
            counts = [question(board, answer) for board, answer in pairs]
        rows_of = [row for given in counts for row in (given if isinstance(given, list) else [given])]
        found[name] = pd.DataFrame(rows_of, dtype=object).fillna(0)
    return found


def asked(
    genre: str, rows: int, cols: int, boards: int | None, digest: str, question: chunks.Named, first: int, last: int
) -> list[Row | list[Row]]:
    """One chunk of `ask`: what a question, as `chunks.named` writes it, says of some boards of a bank, as a list."""
    function = chunks.function_of(question)
    there = bank.load(genre, rows, cols, last, bank.path(genre, rows, cols, boards), first=first)
    if there.digest != digest:
        raise ValueError(
            f"the {genre} bank of {size_name(rows, cols)} is another one here than where the question comes from"
        )
    return [function(board, answer) for board, answer in zip(there.boards, there.answers, strict=True)]


def ask_draws(
    genre: str,
    size: int,
    question: Callable[[np.ndarray], Any],
    draws: int,
    seed: int,
    *,
    scheduler: str | None = None,
    chunk: int = QUICK,
) -> list[Any]:
    """A question put to uniform answers of an empty grid, drawn chunk by chunk.

    Parameters
    ----------
    size : int               n for n x n
    question : callable      of many answers (as the genre's `draw` gives them); gives what JSON can hold. As in `ask`
    draws, seed : int        chunk k is drawn by numpy.random.default_rng([seed, size, k]), so the chunk is part of what
                             is drawn
    scheduler : str          where to draw and ask: see `chunks.run`
    chunk : int              draws in a chunk

    Returns
    -------
    list                     what the question gave for each chunk
    """
    what = {"genre": genre, "size": size, "question": chunks.named(question), "seed": seed}
    spans = chunks.spans(draws, chunk)
    calls = [what | {"index": index, "draws": last - first} for index, (first, last) in enumerate(spans)]
    return chunks.run(drawn, calls, scheduler=scheduler, label=f"{genre} {size_name(size, size)} draws", progress=True)


def drawn(genre: str, size: int, question: chunks.Named, seed: int, index: int, draws: int) -> Any:
    """One chunk of `ask_draws`."""
    rng = np.random.default_rng([seed, size, index])
    return chunks.function_of(question)(GENRES[genre].draw(size, size, draws, rng))


def each(
    function: Callable[..., Any], calls: Sequence[Call], *, scheduler: str | None = None, label: str = "calls"
) -> pd.DataFrame:
    """A function of whole numbers and texts called with each of some arguments, every call a chunk of its own.

    Parameters
    ----------
    function : callable      at the top of a module; gives a dict (a row), a list of dicts (rows), or a number (a column
                             "value")
    calls : list of dict     its keyword arguments
    scheduler : str          where to call it: see `chunks.run`

    Returns
    -------
    DataFrame                the arguments of each call and what it gave

    >>> each(size_name, [{"rows": 2, "cols": 3}]).to_dict("records")
    [{'rows': 2, 'cols': 3, 'value': '2x3'}]
    """
    rows = []
    for call, given in zip(
        calls, chunks.run(function, calls, scheduler=scheduler, label=label, progress=True), strict=True
    ):
        given = given if isinstance(given, list) else [given if isinstance(given, dict) else {"value": given}]
        rows += [call | row for row in given]
    frame = pd.DataFrame(
        rows, dtype=object
    )  # where something is missing it stays so: whole numbers would become floats
    return pd.DataFrame(
        {name: column if column.isna().any() else column.infer_objects() for name, column in frame.items()}
    )
