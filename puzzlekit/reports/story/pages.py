"""The story pages as HTML: the front page, and a page for each genre. They load nothing and are played without Python.

What they say comes from findings.py, clauses.py, examples.py, words.py and the genres; how they look from the templates
and story.css. Not here: which reports there are (report.py).
"""

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jinja2

from ... import GENRES
from ...lab import bank
from ...show.player import page as played
from . import clauses, examples, findings
from .words import WORDS

FOLDER = Path(__file__).resolve().parent
SHARED = FOLDER.parent / "page" / "style.css"
SIZE = 6  # of the boards to play: rows and columns
LOOKED_AT = 50  # boards of a bank, among which those to play are chosen
FRONT_RULES = {  # the clauses that tell most, for the front page
    "usowan": ("shaded-adjacent", "white-split", "region-lies-not-one"),
    "tasquare": ("block-not-square", "white-split", "sum-mismatch"),
    "nawabari": ("room-not-rectangle", "room-with-several-numbers", "wall-count-mismatch"),
}


def front(sections: Iterable[Mapping[str, Any]], data: str) -> str:
    """The front page.

    Parameters
    ----------
    sections : list of dict     heading, and reports: dicts with name, title, question, and others: such dicts, of the
                                same notebook with other parameters
    data : str                  where the page or the file is that says what the tables hold
    """
    genres = [_shown(genre) for genre in told()]
    return _rendered("front.html.j2", sections=sections, genres=genres, findings=_found(), data=data)


def of_genre(genre: str, reports: Iterable[Mapping[str, Any]], data: str) -> str:
    """The page of a genre; `reports` are the dicts of its own reports, `data` as for `front`."""
    package, boards = GENRES[genre], examples.load()[genre]
    rungs = [
        {"name": rung, "grade": package.GRADES[rung], "told": package.RUNGS_TOLD[rung], **_example(boards[rung], rung)}
        for rung in package.RUNGS
    ]
    return _rendered(
        "genre.html.j2",
        genre=genre,
        shown=_shown(genre),
        rungs=rungs,
        boards=_boards(genre),
        findings=findings.of_genre(genre),
        reports=reports,
        others=[other for other in told() if other != genre],
        data=data,
    )


def told() -> list[str]:
    """The genres that have a page: those whose bank of boards to play is stored."""
    return [genre for genre in GENRES if bank.path(genre, SIZE, SIZE).exists()]


def _found():
    return findings.front() if told() else []


def _shown(genre):
    """A genre as the front page shows it: motto, a board to play, rules in pictures."""
    package, board = GENRES[genre], examples.load()[genre]["rules"]
    return {
        "genre": genre,
        "name": genre.capitalize(),
        "motto": package.MOTTO,
        "board": _boards(genre)[0],
        "right": clauses.right(board),
        "rules": clauses.shown(board),
        "front": FRONT_RULES[genre],
    }


@functools.cache
def _boards(genre):
    """Boards of the bank to play, the easiest first: of each grade there is, the first that its ladder finishes."""
    package, found = GENRES[genre], {}
    for board in bank.load(genre, SIZE, SIZE, boards=LOOKED_AT).boards:
        difficulty = package.difficulty(board)
        if difficulty.grade in package.GRADES.values() and difficulty.hardest not in found:
            found[difficulty.hardest] = board
    return [
        {"grade": package.GRADES[rung], "rung": rung, **_played(found[rung], package.explain(found[rung]))}
        for rung in package.RUNGS
        if rung in found
    ]


def _example(board, rung):
    """The board of a rung, and whether this rung is the hardest that it needs."""
    package = GENRES[board.genre]
    explanation = package.explain(board)
    alone = max((step.rung for step in explanation), key=package.RUNGS.index) == rung
    uses = [at for at, step in enumerate(explanation, 1) if step.rung == rung]
    return {"alone": alone, "uses": uses, **_played(board, explanation)}


def _played(board, explanation):
    return {
        "board": board,
        "html": jinja2.utils.markupsafe.Markup(played.board(board, GENRES[board.genre].GAME, explanation)),
        "steps": len(explanation),
    }


def _rendered(template, **values):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    safe = jinja2.utils.markupsafe.Markup
    style = "\n".join([SHARED.read_text("utf-8"), (FOLDER / "story.css").read_text("utf-8"), played.STYLE])
    script = played.script(GENRES[genre].GAME for genre in told())
    environment.filters["safe_svg"] = lambda picture: safe(picture.svg)
    return (
        environment.get_template(template).render(
            **values,
            style=safe(style),
            script=safe(script) if told() else "",
            words=WORDS,
            told=told(),
        )
        + "\n"
    )
