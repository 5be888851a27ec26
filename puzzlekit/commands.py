"""The commands about boards: puzzlekit solve, explain, count, analyse, make, draw. Thin edges over functions of the package.

Not here: report and bank (__main__.py), and what every command shares (terminal.py).
"""

import json
import sys
from pathlib import Path

import click
from tqdm import tqdm

from . import files
from .terminal import CODES, NONE, UNKNOWN, going_on, plain_errors


def genre_named(name):
    """The package of a genre, or ValueError naming the choices."""
    from . import GENRES

    if name not in GENRES:
        raise ValueError(f"unknown genre {name!r}; choose from {list(GENRES)}")
    return GENRES[name]


def _emit(record):
    click.echo(json.dumps(record, default=lambda value: value.tolist()))  # numpy's arrays and numbers


_genre = click.option("--genre", metavar="NAME", help="The genre, where the board does not say it.")
_json = click.option("--json", "as_json", is_flag=True, help="JSON for machines, on standard output.")
_branches = click.option(
    "--branches", default=1_000_000, show_default=True, type=click.IntRange(0), help="Guesses before a search gives up."
)


scheduler_option = click.option(
    "--scheduler",
    metavar="WHERE",
    help="Where chunks of work run: here, processes:N, or the address of a dask scheduler, tcp://host:port.",
)


def _package(board):
    from . import GENRES

    return GENRES[board.genre]


@click.command(epilog=CODES)
@click.argument("board")
@click.option("--limit", default=2, show_default=True, type=click.IntRange(1), help="Stop after so many answers.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the board and its answers to this file.")
@_branches
@_genre
@_json
def solve(board, limit, svg, branches, genre, as_json):
    """Solve BOARD: a puzz.link URL, a pzprv3 file, a text grid, JSON, or the path of a file with one.

    \b
    Examples:
      puzzlekit solve https://puzz.link/p?usoone/2/2/00bg
      puzzlekit solve board.txt --genre tasquare --svg board.svg
    """
    from . import pictures
    from .reading import read

    with plain_errors():
        if svg:
            files.expect_writable(svg.parent)  # before the work, not after it
        board = read(board, genre)
        with going_on("solving"):
            solution = _package(board).solve(board, limit=limit, budget=branches)
        if svg:
            drawn = [board.picture(answer) for answer in solution.answers]
            pictures.side_by_side(board.picture(), *drawn).save(svg)
    found = len(solution.answers)
    if as_json:
        _emit({
            "board": board.to_record(), "answers": solution.answers, "unique": solution.unique, "complete": solution.complete,
            "branch_points": solution.branch_points,
        })  # fmt: skip
    else:
        for answer in solution.answers:
            click.echo(f"{board.to_text(answer)}\n")
        click.echo(_found(solution, found, limit))
    if not found:
        sys.exit(NONE if solution.complete else UNKNOWN)


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
@click.argument("board")
@click.option("--top", metavar="RUNG", help="The highest rung to climb to; by default all of them.")
@click.option("--hint", "only_hint", is_flag=True, help="Only the next step from what the board has filled in, or a mistake in it.")
@click.option("--pictures", "folder", type=click.Path(file_okay=False, path_type=Path), help="Draw every step to a file in this folder.")
@_genre
@_json
def explain(board, top, only_hint, folder, genre, as_json):
    """Explain BOARD: the deductions in order, each with its reasons, and how hard the board is.

    \b
    Examples:
      puzzlekit explain https://puzz.link/p?usoone/2/2/00bg
      puzzlekit explain half-done.txt --hint
    """
    from .reading import read_partial

    with plain_errors():
        if folder:
            files.expect_writable(folder)
        board, partial = read_partial(board, genre)
        package = _package(board)
        if top is not None and top not in package.RUNGS:
            raise ValueError(f"unknown rung {top!r}; choose from {list(package.RUNGS)}")
        with going_on("explaining"):
            if only_hint:
                told = package.hint(board, board.blank() if partial is None else partial)
            else:
                told = package.explain(board, **({} if top is None else {"top": top}))
                difficulty = package.difficulty(board)
        steps = [told.step] if only_hint and told.step else [] if only_hint else told.steps
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            for n, step in enumerate(tqdm(steps, desc="pictures", delay=2), 1):
                step.picture(board).save(folder / f"{n:03}.svg")
    if only_hint:
        if as_json:
            _emit({"board": board.to_record(), "kind": told.kind, "cells": told.cells, "sentence": told.sentence, "step": told.step and _step(told.step)})
        else:
            click.echo(told.sentence)
        sys.exit(NONE if told.kind == "no answer" else 0)
    if as_json:
        _emit({
            "board": board.to_record(), "finished": told.finished, "contradiction": told.contradiction,
            "difficulty": difficulty._asdict(), "steps": [_step(step) for step in told.steps],
        })  # fmt: skip
    else:
        for n, step in enumerate(told.steps, 1):
            click.echo(f"{n}. {step.rung}: {step.sentence}")
            for inner in step.inside:
                click.echo(f"     {inner.rung}: {inner.sentence}")
        click.echo(f"{difficulty.grade}: {difficulty.reason}")
    if told.contradiction:
        sys.exit(NONE)


def _step(step):
    return {
        "rung": step.rung, "settles": [[*key, value] for key, value in step.settles], "premises": step.premises._asdict(),
        "sentence": step.sentence, "inside": [_step(inner) for inner in step.inside],
    }  # fmt: skip


@click.command(epilog=CODES)
@click.argument("words", nargs=-1, required=True, metavar="(BOARD | GENRE ROWS COLS)")
@click.option("--reading", metavar="NAME", help="Count a board's answers under a misreading.")
@click.option("--memory", metavar="GB", type=click.FloatRange(0, min_open=True), help="For an empty grid: memory that may be used; left out, 8.6.")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="For an empty grid: count by remainders, kept in this folder.")
@scheduler_option
@_genre
@_json
def count(words, reading, memory, keep, scheduler, genre, as_json):
    """Count the answers of a board, or of an empty grid, exactly.

    A grid too large for one count can be counted by remainders, with --keep or --scheduler: each is a chunk of work that takes
    less memory, and where they are kept the same command goes on from what is there, even from a half-done sweep.

    \b
    Examples:
      puzzlekit count usowan 8 8
      puzzlekit count https://puzz.link/p?tasquare/2/2/1i
      puzzlekit count https://puzz.link/p?usoone/2/2/00bg --reading "none wrong"
      puzzlekit count usowan 24 24 --keep usowan24 --memory 8 --scheduler processes:2
    """
    with plain_errors():
        if len(words) == 3:
            genre_named(words[0])
            if reading is not None:
                raise ValueError("--reading is for a board; an empty grid has no numbers to misread")
            rows, cols = (_whole(name, word) for name, word in zip(("rows", "cols"), words[1:]))
            number, spent = _count_grid(words[0], rows, cols, memory, keep, scheduler), ""
            head = {"genre": words[0], "rows": rows, "cols": cols}
        elif len(words) == 1:
            if (memory, keep, scheduler) != (None, None, None):
                raise ValueError("--memory, --keep and --scheduler are for empty grids")
            number, spent, head = _count_board(words[0], genre, reading)
        else:
            raise ValueError("count takes a board, or a genre, rows and cols")
    if as_json:
        _emit(head | {"answers": number, "spent": spent})
    else:
        click.echo(f"not known: {spent}" if number is None else number)
    if number is None:
        sys.exit(UNKNOWN)


def _count_grid(genre, rows, cols, memory, keep, scheduler):
    from . import GENRES, multimodular

    budget = {} if memory is None else {"budget": int(memory * 1e9)}
    if keep is None and scheduler is None:
        with going_on("counting"):
            return GENRES[genre].count(rows, cols, **budget)
    show = sys.stderr.isatty()
    return multimodular.count(genre, rows, cols, scheduler=scheduler, store=keep, progress=show, **budget)


def _count_board(source, genre, reading):
    from . import analysis
    from .reading import read

    board = read(source, genre)
    head = {"board": board.to_record()} | ({} if reading is None else {"reading": reading})
    with going_on("counting"):
        if reading is None:
            return *analysis.count_answers(board), head
        package = _package(board)
        if reading not in package.MISREADINGS:
            raise ValueError(f"unknown misreading {reading!r}; choose from {list(package.MISREADINGS)}")
        number = analysis.count_misread(board, reading)
    return number, "" if number is not None else f"more than {analysis.BYTES:,} bytes, or {analysis.WIDEST} cells across", head


def _whole(name, word):
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"{name}: {word!r} is not a valid integer") from None


@click.command(epilog=CODES)
@click.argument("boards")
@_branches
@_genre
@_json
def analyse(boards, branches, genre, as_json):
    """Analyse a board, or every board of a file (a bank, or JSON or a URL a line): answers, clues, misreadings, difficulty.

    \b
    Examples:
      puzzlekit analyse https://puzz.link/p?tasquare/2/2/1i
      puzzlekit analyse data/banks/usowan_6x6.jsonl
    """
    from . import analysis
    from .reading import read_all

    with plain_errors():
        boards = read_all(boards, genre)
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
    if len(found) == 1 and found[0].answers == 0:
        sys.exit(NONE)
    if any(one.unique is None for one in found):
        sys.exit(UNKNOWN)


@click.command(epilog=CODES)
@click.argument("genre")
@click.argument("rows", type=int)
@click.argument("cols", type=int)
@click.option("--boards", default=1, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the draw; left out, a new one every time.")
@click.option("--text", "as_text", is_flag=True, help="Text grids instead of URLs.")
@_json
def make(genre, rows, cols, boards, seed, as_text, as_json):
    """Make boards with one answer that the ladder reaches: a URL a line.

    \b
    Examples:
      puzzlekit make usowan 8 8
      puzzlekit make nawabari 6 6 --boards 5 --seed 1 --json
    """
    from numpy.random import default_rng

    with plain_errors():
        package = genre_named(genre)
        rng = default_rng(seed)
        made = []
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
@click.option("--seed", type=click.IntRange(0), help="Seed of the draw; left out, a new one every time.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw them to this file as well.")
@_json
def draw(genre, rows, cols, n, seed, svg, as_json):
    """Draw answers of an empty grid, uniformly from all there are.

    \b
    Examples:
      puzzlekit draw tasquare 8 8
      puzzlekit draw nawabari 6 6 --answers 3 --seed 1 --svg three.svg
    """
    from numpy.random import default_rng

    from . import pictures

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


def empty_board(package, rows, cols):
    """A board that prints nothing, for showing answers of an empty grid."""
    clues = [[package.NO_CLUE] * cols] * rows
    return package.Board(clues, [[0] * cols] * rows) if package.Board.prints_regions else package.Board(clues)


COMMANDS = [solve, explain, count, analyse, make, draw]
