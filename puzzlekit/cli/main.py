"""The command line: puzzlekit report and bank, and the commands about boards of commands.py.

Every command is a thin edge over a function of the package.
"""

import sys
from pathlib import Path
from typing import Any

import click

from .commands import COMMANDS, genre_called, scheduler_option
from .terminal import CODES, Interruptible, plain_errors


@click.group(cls=Interruptible, context_settings={"help_option_names": ["-h", "--help"]}, epilog=CODES)
@click.version_option(package_name="pencil-puzzlekit", prog_name="puzzlekit")
def main() -> None:
    """A laboratory for pencil puzzles: count, solve, make and measure."""


for command in COMMANDS:
    main.add_command(command)


@main.command(short_help="Run the notebooks; fill data/ and reports/.")
@click.argument("name", required=False)
@click.option(
    "-p", "--parameter", "given", nargs=2, multiple=True, metavar="NAME VALUE", help="Another value for a parameter."
)
@click.option("--long", is_flag=True, help="Run the long runs instead of the default ones.")
@click.option("--accept", is_flag=True, help="Replace stored tables that differ, and the notebooks' stored outputs.")
@click.option("--list", "listing", is_flag=True, help="List the runs and their parameters; run nothing.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Notebooks at a time.")
@scheduler_option
def report(
    name: str | None,
    given: tuple[tuple[str, str], ...],
    long: bool,
    accept: bool,
    listing: bool,
    workers: int,
    scheduler: str | None,
) -> None:
    """Run every default run of notebooks/runs.yaml, or the run called NAME.

    Tables in data/ are compared with what the notebooks compute; pages go to reports/, listed in reports/index.html.

    \b
    Examples:
      puzzlekit report
      puzzlekit report usowan_liars -p rows 8 -p cols 8
      puzzlekit report nawabari_placements_full_bank --scheduler processes:8
      puzzlekit report --list

    A long run that was stopped goes on from the chunks it had finished, as long as the package is the same.
    """
    with plain_errors():
        from ..reports import report as reports

        if listing:
            for line in _listing(reports):
                click.echo(line)
            return
        jobs = reports.plan(name, given, long=long)
    if not jobs:
        click.echo("nothing to run: notebooks/runs.yaml has no such entries")
        return
    with plain_errors():
        failures = reports.execute(jobs, accept=accept, workers=workers, scheduler=scheduler)
    for words in failures.values():
        click.echo(f"FAILED {words}", err=True)
    succeeded = sum(job.name not in failures for job in jobs)
    click.echo(f"{succeeded} of {len(jobs)} runs succeeded; open reports/index.html")
    sys.exit(1 if failures else 0)


def _listing(reports):
    from ..reports import parameters

    for run in reports.runs().values():
        other = ", stored by other code" if run.long and reports.made_by_other_code(run) else ""
        yield f"{run.name}{f' (long{other})' if run.long else ''}: {run.question}"
        for key, parameter in parameters.declared(reports.ROOT / "notebooks" / f"{run.notebook}.ipynb").items():
            value = parameters.to_text(run.parameters.get(key, parameter.default))
            yield f"    -p {key} {value}    ({parameter.type})"


@main.command()
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Processes that compile.")
def warm(workers: int) -> None:
    """Compile everything now, so that later questions are answered at once.

    Kernels are compiled for this machine when they are first needed, and kept. This asks one small question of every
    kind, and nothing else ever runs it.
    """
    with plain_errors():
        from . import warming

        click.echo(f"{warming.warm(workers=workers)} questions asked; what they need is compiled")


@main.group()
def bank() -> None:
    """Make or verify a stored set of boards."""


@bank.command()
@click.argument("genre")
@click.argument("rows", type=int)
@click.argument("cols", type=int)
@click.option(
    "--boards",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    help="How many; sets of more than 1,000 are kept in a folder of their own.",
)
@click.option("--seed", type=int, help="Seed of the draw; the bank's own if left out.")
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="Where to write; the bank's own place if left out."
)
@click.option(
    "--distinct",
    is_flag=True,
    help="Leave out boards that came up before. The rest is no fair sample, and its header says so.",
)
@scheduler_option
def make(
    genre: str,
    rows: int,
    cols: int,
    boards: int,
    seed: int | None,
    file: Path | None,
    distinct: bool,
    scheduler: str | None,
) -> None:
    """Make a bank: a stored set of boards, each with exactly one answer that the named deductions find.

    Every board has a seed of its own, so the bank is the same wherever its boards are made. Finished boards are kept
    while the bank is made: a run that was stopped goes on from there.

    \b
    Examples:
      puzzlekit bank make usowan 7 9
      puzzlekit bank make usowan 10 10 --boards 100000 --scheduler processes:8
    """
    with plain_errors():
        genre = genre_called(genre)
        from ..lab import bank as banks

        options: dict[str, Any] = {"distinct": distinct} | ({} if seed is None else {"seed": seed})
        click.echo(banks.build(genre, rows, cols, boards=boards, file=file, scheduler=scheduler, keep=True, **options))


@bank.command()
@click.argument("genre")
@click.argument("rows", type=int)
@click.argument("cols", type=int)
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="Which file; the bank's own place if left out."
)
@scheduler_option
def verify(genre: str, rows: int, cols: int, file: Path | None, scheduler: str | None) -> None:
    """Check everything that a stored bank claims about its boards, and name the first line that is wrong.

    \b
    Examples:
      puzzlekit bank verify usowan 6 6
      puzzlekit bank verify usowan 10 10 --file large.jsonl --scheduler processes:8
    """
    with plain_errors():
        genre = genre_called(genre)
        from ..jobs import chunks
        from ..lab import bank as banks

        chunks.where(scheduler)
        try:
            verified = banks.verify(genre, rows, cols, file=file, scheduler=scheduler)
        except ValueError as error:  # the bank is at fault, not the call
            raise click.ClickException(str(error)) from None
    click.echo(f"{verified} boards verified")
