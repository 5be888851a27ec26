"""The commands about boards: puzzlekit solve, explain, count, analyse, make, draw. Thin edges over functions of the
package.

Not here: report and bank (main.py), and what every command shares (terminal.py).
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from ..boards import NO_CLUE, shown
from ..machinery import files
from ..machinery.explanation import AMBIGUOUS, IMPOSSIBLE
from .terminal import CODES, NONE, UNKNOWN, going_on, plain_errors

if TYPE_CHECKING:
    from ..boards.board import PrintedBoard
    from ..genre import Genre


def genre_called(name: str) -> str:
    """The name of a genre, also from the one that puzz.link gives it (usoone), or ValueError naming the choices."""
    from .. import GENRES
    from ..boards import meant

    for genre, package in GENRES.items():
        if name in (genre, *package.Board.url_names):
            return genre
    raise ValueError(f"unknown genre {name!r}; {meant(name, GENRES)}choose from {list(GENRES)}")


def genre_named(name: str) -> "Genre":
    """The package of a genre; see `genre_called`."""
    from .. import GENRES

    return GENRES[genre_called(name)]


def _emit(record):
    click.echo(json.dumps(record, default=lambda value: value.tolist()))  # numpy's arrays and numbers


_genre = click.option("--genre", metavar="NAME", help="The genre, where the board does not say it.")
_json = click.option("--json", "as_json", is_flag=True, help="Write JSON for other programs to standard output.")
_branches = click.option(
    "--branches",
    default=1_000_000,
    show_default=True,
    type=click.IntRange(0),
    help="Guesses before the search gives up.",
)


scheduler_option = click.option(
    "--scheduler",
    metavar="WHERE",
    help="Where to run chunks of work: here, processes:N, or the address of a dask scheduler, tcp://host:port.",
)


def _boards(source, genre):
    """Every board of a source with what is filled in, as pairs; what was put back in a link goes to standard error."""
    import warnings

    from ..boards.detect import RestoredWarning, read_all_partial

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", RestoredWarning)
        boards = read_all_partial(source, genre)
    for warning in told:
        click.echo(f"note: {warning.message}", err=True)
    if len(boards) > 1:
        click.echo(f"{len(boards)} boards", err=True)
    return boards


def _leave(codes):
    """End with the worst exit code: an answer that is not known is worse than none."""
    if worst := max(codes):
        sys.exit(worst)


def _heading(n, boards):
    """A line before what is said of each of several boards."""
    return f"board {n} of {len(boards)}: {boards[n - 1][0]!r}\n" if len(boards) > 1 else ""


def _package(board):
    from .. import GENRES

    return GENRES[board.genre]


@click.command(epilog=CODES)
@click.argument("source", metavar="BOARD")
@click.option("--limit", default=2, show_default=True, type=click.IntRange(1), help="Stop after this many answers.")
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the board and its answers into this file."
)
@_branches
@_genre
@_json
def solve(source: str, limit: int, svg: Path | None, branches: int, genre: str | None, as_json: bool) -> None:
    """Solve BOARD: a puzz.link URL, a pzprv3 file, a text grid, JSON, or the path of a file with one or with many.

    \b
    Examples:
      puzzlekit solve https://puzz.link/p?usoone/2/2/00bg
      puzzlekit solve board.txt --genre tasquare --svg board.svg
    """
    from ..show import pictures

    with plain_errors():
        if svg:
            files.expect_writable(svg.parent)  # before the work, not after it
        boards = _boards(source, genre)
    codes, drawn = [], []
    for n, (board, _) in enumerate(boards, 1):
        with plain_errors():
            with going_on("solving"):
                solution = _package(board).solve(board, limit=limit, budget=branches)
            drawn += [board.picture(), *(board.picture(answer) for answer in solution.answers)] if svg else []
        found = len(solution.answers)
        if as_json:
            _emit({
                "board": board.to_record(), "answers": solution.answers, "unique": solution.unique,
                "complete": solution.complete,
                "branch_points": solution.branch_points,
            })  # fmt: skip
        else:
            click.echo(_heading(n, boards), nl=False)
            for answer in solution.answers:
                click.echo(f"{board.to_text(answer)}\n")
            if not found:
                click.echo(f"The board as it was read:\n{board.to_text()}\n")
            click.echo(_found(solution, found, limit))
        codes.append(0 if found else NONE if solution.complete else UNKNOWN)
    if svg:
        with plain_errors():
            pictures.side_by_side(*drawn).save(svg)
    _leave(codes)


def _found(solution, found, limit):
    if solution.unique:
        return "the only answer"
    if found >= limit:
        return f"at least {found} answer{'s' if found > 1 else ''}"
    if not found:
        return "no answer" if solution.complete else "no answer found within the budget, which cannot rule one out"
    more = "" if solution.complete else " found within the budget, which cannot rule out others"
    return f"{found} answer{'s' if found > 1 else ''}{more}"


@click.command(epilog=CODES)
@click.argument("source", metavar="BOARD")
@click.option("--top", metavar="RUNG", help="The highest rung (named deduction) to use; by default all.")
@click.option(
    "--hint",
    "only_hint",
    is_flag=True,
    help="Only the next step from what is filled in, or a mistake in it.",
)
@click.option(
    "--pictures",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Draw every step into a file in this folder.",
)
@_genre
@_json
def explain(
    source: str, top: str | None, only_hint: bool, folder: Path | None, genre: str | None, as_json: bool
) -> None:
    """Explain BOARD: the moments that matter most, all deductions with their reasons, and how hard the board is.

    \b
    Examples:
      puzzlekit explain https://puzz.link/p?usoone/2/2/00bg
      puzzlekit explain half-done.txt --hint
    """
    with plain_errors():
        if folder:
            files.expect_writable(folder)
        boards = _boards(source, genre)
        for board, _ in boards:
            if top is not None and top not in _package(board).RUNGS:
                raise ValueError(f"unknown rung {top!r}; choose from {list(_package(board).RUNGS)}")
    codes = []
    for n, (board, partial) in enumerate(boards, 1):
        if not as_json:
            click.echo(_heading(n, boards), nl=False)
        into = folder / f"{n:03}" if folder and len(boards) > 1 else folder
        codes.append(_hint(board, partial, into, as_json) if only_hint else _explain(board, top, into, as_json))
    _leave(codes)


def _hint(board, partial, folder, as_json):
    """Tell the next step of a board, and why it has no answer where it has none; the exit code."""
    with plain_errors(), going_on("explaining"):
        package = _package(board)
        told = package.hint(board, board.blank() if partial is None else partial)
        sentence = told.sentence
        if told.kind == "no answer":
            difficulty = package.difficulty(board)
            proved = difficulty.grade == IMPOSSIBLE
            sentence = (
                difficulty.reason
                if proved
                else f"{sentence} No rung of the ladder says why; a search has gone through every case."
            )
        _draw_steps([told.step] if told.step else [], board, folder)
    if as_json:
        _emit(
            {
                "board": board.to_record(),
                "kind": told.kind,
                "cells": told.cells,
                "sentence": sentence,
                "step": told.step and _step(told.step),
            }
        )
    else:
        click.echo(sentence)
    return NONE if told.kind == "no answer" else 0


def _explain(board, top, folder, as_json):
    """Tell the deductions of a board up to a rung, and what they come to; the exit code."""
    with plain_errors(), going_on("explaining"):
        package = _package(board)
        told = package.explain(board, **({} if top is None else {"top": top}))
        difficulty = package.difficulty(board)
        several = difficulty.grade == AMBIGUOUS
        _draw_steps(told.steps, board, folder)
    if as_json:
        _emit({
            "board": board.to_record(), "finished": told.finished, "contradiction": told.contradiction,
            "several_answers": several,
            "difficulty": None if several else difficulty._asdict(), "steps": [_step(step) for step in told.steps],
        })  # fmt: skip
    else:
        for line in _told(told.steps, package.RUNGS):
            click.echo(line)
        click.echo(_summary(told, top, several, difficulty))
    return NONE if told.contradiction else 0


def _told(steps, rungs):
    """Lines of an explanation: the moments that matter first, then all steps, those of one rung together."""
    from ..machinery import telling

    if chosen := telling.moments(steps, rungs):
        yield "The moments that matter most:"
        for number in chosen:
            yield f"  {number}. {steps[number - 1].rung}: {steps[number - 1].sentence}"
        yield "Step by step:"
    for one in telling.gathered(steps):
        yield f"{one.numbers}. {one.step.rung}: {one.step.sentence}"
        for inner in one.step.inside:
            yield f"     {inner.rung}: {inner.sentence}"


def _summary(told, top, several, difficulty):
    if several:
        return f"The deductions stop here. {difficulty.reason}"
    if top is not None and not told.finished and not told.contradiction:
        return f"Up to {top}, the ladder stops here."
    if top is not None and told.finished:
        return f"Up to {top}, everything is settled."
    return f"{difficulty.grade}: {difficulty.reason}"


def _draw_steps(steps, board, folder):
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        for n, step in enumerate(tqdm(steps, desc="pictures", delay=2), 1):
            step.picture(board).save(folder / f"{n:03}.svg")


def _step(step):
    return {
        "rung": step.rung, "settles": [[*key, value] for key, value in step.settles],
        "premises": step.premises._asdict(),
        "sentence": step.sentence, "inside": [_step(inner) for inner in step.inside],
    }  # fmt: skip


@click.command(epilog=CODES)
@click.argument("words", nargs=-1, required=True, metavar="(BOARD | GENRE ROWS COLS)")
@click.option(
    "--reading",
    metavar="NAME",
    help="Count the answers of a board under another reading of the rules, such as a misreading.",
)
@click.option(
    "--memory",
    metavar="GB",
    type=click.FloatRange(0, min_open=True),
    help="For an empty grid: how much memory may be used; 8.6 if left out.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="For an empty grid: count by remainders, kept in this folder.",
)
@scheduler_option
@_genre
@_json
def count(
    words: tuple[str, ...],
    reading: str | None,
    memory: float | None,
    keep: Path | None,
    scheduler: str | None,
    genre: str | None,
    as_json: bool,
) -> None:
    """Count the answers of a board, or of an empty grid, exactly.

    A grid too large for one count can be counted by remainders, with --keep or --scheduler: each is a chunk of work
    that takes less memory, and where they are kept the same command goes on from what is there, even from a half-done
    sweep.

    \b
    Examples:
      puzzlekit count usowan 8 8
      puzzlekit count https://puzz.link/p?tasquare/2/2/1i
      puzzlekit count https://puzz.link/p?usoone/2/2/00bg --reading "none wrong"
      puzzlekit count usowan 24 24 --keep usowan24 --memory 8 --scheduler processes:2
    """
    counts: Iterable[tuple[int | None, str, dict[str, Any]]]
    with plain_errors():
        if len(words) == 3:
            called = genre_called(words[0])
            if reading is not None:
                raise ValueError("--reading is for a board; an empty grid has no numbers to misread")
            rows, cols = (_whole(name, word) for name, word in zip(("rows", "cols"), words[1:], strict=True))
            number = _count_grid(called, rows, cols, memory, keep, scheduler)
            counts = [(number, "", {"genre": called, "rows": rows, "cols": cols})]
        elif len(words) == 1:
            if (memory, keep, scheduler) != (None, None, None):
                raise ValueError("--memory, --keep and --scheduler are for empty grids")
            boards = [board for board, _ in _boards(words[0], genre)]
            counts = (_count_board(board, reading) for board in boards)
        else:
            raise ValueError("count takes a board, or a genre, rows and cols")
        codes = []
        for number, spent, head in counts:
            if as_json:
                _emit(head | {"answers": number, "spent": spent})
            else:
                click.echo(f"not known: {spent}" if number is None else number)
            codes.append(UNKNOWN if number is None else 0)
    _leave(codes)


def _count_grid(genre, rows, cols, memory, keep, scheduler):
    from .. import GENRES
    from ..jobs import multimodular

    if memory is not None and not memory <= 1e9:
        raise ValueError(f"--memory is a number of gigabytes, not {memory}")
    budget = {} if memory is None else {"budget": int(memory * 1e9)}
    if keep is None and scheduler is None:
        with going_on("counting"):
            return GENRES[genre].count(rows, cols, **budget)
    show = sys.stderr.isatty()
    return multimodular.count(genre, rows, cols, scheduler=scheduler, store=keep, progress=show, **budget)


def _count_board(board, reading):
    from ..lab import analysis

    if reading is not None:
        known = _readings(_package(board))
        if reading not in known:
            raise ValueError(f"unknown reading {reading!r}; choose from {known}")
    head = {"board": board.to_record()} | ({} if reading is None else {"reading": reading})
    with going_on("counting"):
        if reading is None:
            return *analysis.count_answers(board), head
        number = analysis.count_misread(board, reading)
    return (
        number,
        "" if number is not None else f"more than {analysis.BYTES:,} bytes, or {analysis.WIDEST} cells across",
        head,
    )


def _readings(package):
    """Names of all readings of the rules that a genre has: the rules themselves first, then the misreadings."""
    return list(dict.fromkeys(["rules", *package.READINGS, *package.MISREADINGS]))


def _whole(name, word):
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"{name}: {shown(word)} is not a valid integer") from None


@click.command(epilog=CODES)
@click.argument("source", metavar="BOARDS")
@_branches
@_genre
@_json
def analyse(source: str, branches: int, genre: str | None, as_json: bool) -> None:
    """Analyse a board, or every board of a file with one URL or JSON object on each line: how many answers it has,
    which clues it needs, how it may be misread, and how hard it is.

    \b
    Examples:
      puzzlekit analyse https://puzz.link/p?tasquare/2/2/1i
      puzzlekit analyse data/banks/usowan_6x6.jsonl
    """
    from ..lab import analysis

    with plain_errors():
        boards = [board for board, _ in _boards(source, genre)]
        show = sys.stderr.isatty()
        if len(boards) == 1:
            found = [analysis.analyse(boards[0], branches=branches, progress=show)]
        else:
            found = analysis.analyse_all(boards, branches=branches, progress=show)
    if as_json:
        records = [analysis.as_record(one) for one in found]
        _emit(records[0] if len(records) == 1 else records)
    elif len(found) == 1:
        click.echo("\n".join(analysis.in_words(found[0])))
    else:
        click.echo(analysis.table(found).to_string(index=False, na_rep=""))
    _leave([UNKNOWN if one.unique is None else NONE if one.answers == 0 else 0 for one in found])


@click.command(epilog=CODES)
@click.argument("genre")
@click.argument("rows", type=int)
@click.argument("cols", type=int)
@click.option("--boards", default=1, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the draw; a new one every time if left out.")
@click.option("--text", "as_text", is_flag=True, help="Print text grids instead of URLs.")
@_json
def make(genre: str, rows: int, cols: int, boards: int, seed: int | None, as_text: bool, as_json: bool) -> None:
    """Make boards with exactly one answer that the named deductions find; print one URL on each line.

    \b
    Examples:
      puzzlekit make usowan 8 8
      puzzlekit make nawabari 6 6 --boards 5 --seed 1 --json
    """
    from numpy.random import default_rng

    with plain_errors():
        package = genre_named(genre)
        rng = default_rng(seed)
        made: list[PrintedBoard] = []
        with tqdm(total=boards, unit="board", delay=2, disable=not sys.stderr.isatty()) as bar:
            while len(made) < boards:
                made.append(package.make(rows, cols, rng))
                bar.update()
    for board in made:
        if as_json:
            _emit(board.to_record())
        else:
            click.echo(f"{board.to_text()}\n" if as_text else board.to_url())


@click.command(epilog=CODES)
@click.argument("genre")
@click.argument("rows", type=int)
@click.argument("cols", type=int)
@click.option("--answers", "n", default=1, show_default=True, type=click.IntRange(1, 100_000), help="How many.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the draw; a new one every time if left out.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw them into this file as well.")
@_json
def draw(genre: str, rows: int, cols: int, n: int, seed: int | None, svg: Path | None, as_json: bool) -> None:
    """Draw answers of an empty grid, all with equal chance.

    \b
    Examples:
      puzzlekit draw tasquare 8 8
      puzzlekit draw nawabari 6 6 --answers 3 --seed 1 --svg three.svg
    """
    from numpy.random import default_rng

    from ..show import pictures

    with plain_errors():
        if svg:
            files.expect_writable(svg.parent)  # before the work, not after it
        package = genre_named(genre)
        with going_on("drawing"):
            answers = package.draw(rows, cols, n, default_rng(seed))
        board = empty_board(package, rows, cols)
        if svg:
            pictures.side_by_side(*(board.picture(answer) for answer in answers)).save(svg)
    if as_json:
        _emit({"genre": genre, "rows": rows, "cols": cols, "answers": answers})
    else:
        for answer in answers:
            click.echo(f"{board.to_text(answer)}\n")


def empty_board(package: "Genre", rows: int, cols: int) -> "PrintedBoard":
    """A board that prints nothing, for showing answers of an empty grid."""
    clues = [[NO_CLUE] * cols] * rows
    return package.Board(clues, [[0] * cols] * rows) if package.Board.prints_regions else package.Board(clues)


COMMANDS = [solve, explain, count, analyse, make, draw]
