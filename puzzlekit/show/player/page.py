"""Boards to play on a page without Python: HTML that holds a board and the steps of its explanation, and the script
that all boards of a page share. The script loads nothing, and works from the file system.

The same player as in notebooks (player.js, player.css); page.js stands in for the widget. What marks break is found by
each genre's own script. Hints and steps are the stored ones, so such a board has to be one that its ladder finishes.
"""

import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import Game, number, numbers, puzzle

if TYPE_CHECKING:
    from ...boards.board import PrintedBoard
    from ...machinery.explanation import Explanation, Step

FOLDER = Path(__file__).resolve().parent
STYLE = (FOLDER / "player.css").read_text("utf-8")
ASKS = ("check", "hint", "step")


def board(printed: "PrintedBoard", game: Game, explanation: "Explanation", *, slider: bool = True) -> str:
    """A board to play as an HTML element; without scripts it is a still picture.

    Parameters
    ----------
    printed : Board
    game : Game                     of its genre
    explanation : Explanation       finished
    slider : bool                   whether its steps can be gone through; Next step takes them anyway

    Raises
    ------
    ValueError                      for an explanation that does not reach the answer
    """
    if not explanation.finished:
        raise ValueError(f"the ladder does not finish this board: {printed.to_url()}")
    steps = [_step(printed, step) for step in explanation.steps]
    told = {**puzzle(printed, game), "asks": list(ASKS), "steps": len(steps) if slider else 0}
    stored = json.dumps({"puzzle": told, "steps": steps}, separators=(",", ":")).replace("<", "\\u003c")
    picture = printed.picture()  # type: ignore[attr-defined]
    return (
        f'<div class="puzzlekit-board" data-board="{html.escape(printed.genre)}">'
        f'<noscript>{picture.svg}</noscript><script type="application/json">{stored}</script></div>'
    )


def _step(printed: "PrintedBoard", step: "Step") -> dict[str, Any]:
    return {
        "rung": step.rung,
        "sentence": step.sentence,
        "settles": [[number(printed, key), int(value)] for key, value in step.settles],
        "because": numbers(printed, (*step.premises.clues, *step.premises.cells)),
        "inside": [inner.sentence for inner in step.inside],
    }


def script(games: Iterable[Game]) -> str:
    """The script of a page with boards of these genres, to be put into a `<script type="module">`."""
    player, page = ((FOLDER / name).read_text("utf-8") for name in ("player.js", "page.js"))
    rules = [game.script.read_text("utf-8") for game in games]
    return "\n".join([player.replace("export default { render };\n", ""), page, *rules, "start();\n"])
