"""A board to play in a notebook: an anywidget whose state Python can read and write.

The page (player.js) draws the board, takes marks by mouse, touch and keyboard, and undoes them; Python says which rules
the marks break already, gives hints, and counts what is left. Where there is no kernel, the board is a still picture.
"""

from pathlib import Path

import anywidget
import numpy as np
import traitlets

from ...boards.board import PrintedBoard
from ...machinery.explanation import Hint
from ...machinery.grid import SHADED, UNKNOWN, UNSHADED
from ...marks import Places
from .. import player
from . import Broken, Game

_FOLDER = Path(__file__).resolve().parent
TOLD = 3  # broken rules in words; all of them are framed on the board
# what a page may ask, and the method that answers
_QUESTIONS = {"check": "check", "hint": "give_hint", "step": "take_step", "count": "count", "heat": "heat"}
_SILENT = {"message": "", "solved": False, "wrong": {}, "because": {}, "therefore": {}, "heat": []}


class Player(anywidget.AnyWidget):
    """A board to play. Made by `play` of a genre.

    Attributes
    ----------
    board : Board
    state : uint8 (rows, cols)     UNKNOWN, UNSHADED or SHADED; for boards of walls a pair of such arrays, right and
                                   down, UNKNOWN, OPEN or WALL. Can be set.
    solved : bool                  the marks are an answer
    message : str                  what the player was told last
    """

    _esm = (_FOLDER / "player.js").read_text("utf-8")
    _css = (_FOLDER / "player.css").read_text("utf-8")
    puzzle = traitlets.Dict().tag(sync=True)
    marks = traitlets.List(traitlets.Int()).tag(sync=True)
    told = traitlets.Dict(_SILENT).tag(sync=True)

    def __init__(self, board: PrintedBoard, game: Game) -> None:
        self.board, self._game = board, game
        self._shapes = game.marks.shapes(board.rows, board.cols)
        puzzle = {**player.puzzle(board, game), "asks": list(_QUESTIONS)}
        self.hint = None  # the last one given, if the marks have not changed since
        super().__init__(puzzle=puzzle, marks=[UNKNOWN] * puzzle["places"])
        self.observe(self._judge, "marks")
        self.on_msg(self._asked)

    @traitlets.validate("marks")
    def _valid(self, proposal):
        """What a page sends is not trusted: kernels index by these numbers."""
        marks = proposal["value"]
        wanted = sum(r * c for r, c in self._shapes)
        if len(marks) != wanted or not set(marks) <= {UNKNOWN, UNSHADED, SHADED}:
            raise traitlets.TraitError(f"marks of this board are {wanted} numbers {UNKNOWN}, {UNSHADED} or {SHADED}")
        return marks

    # the state

    @property
    def state(self) -> Places:
        flat, parts = np.array(self.marks, np.uint8), []
        for r, c in self._shapes:
            parts.append(flat[: r * c].reshape(r, c))
            flat = flat[r * c :]
        return self._game.marks.whole(parts)

    @state.setter
    def state(self, state: Places) -> None:
        parts = self._game.marks.parts(state)
        if [part.shape for part in parts] != self._shapes:
            raise ValueError(f"a state of this board has shape {self._shapes}, not {[part.shape for part in parts]}")
        flat = np.concatenate([part.ravel() for part in parts])
        if not np.isin(flat, (UNKNOWN, UNSHADED, SHADED)).all():
            raise ValueError(f"marks are {UNKNOWN}, {UNSHADED} or {SHADED}, not {sorted(set(flat.tolist()))}")
        self.marks = flat.tolist()

    @property
    def solved(self) -> bool:
        return self._game.solved(self.board, self.state)

    @property
    def message(self) -> str:
        return str(self.told["message"])

    def _places(self, keys):
        return player.numbers(self.board, keys)

    # what the player is told

    def _tell(self, message, **shown):
        told = {
            "wrong": self.told["wrong"],
            "solved": self.told["solved"],
            "message": message,
        }  # what is so until the next mark
        self.told = {**_SILENT, **told, **shown}

    def _judge(self, change=None):
        """After every mark: which rules are broken, against the rules and never against the answer."""
        self.hint = None
        broken = self._game.broken(self.board, self.state)
        wrong = self._places(key for fault in broken for key in (*fault.cells, *fault.walls))
        solved = self.solved
        self._tell("Solved." if solved else "", wrong=wrong, solved=solved)
        return broken

    def check(self) -> list[Broken]:
        """Say what the marks break, or that nothing is broken yet. Returns the list of Broken."""
        broken = self._judge()
        if broken:
            sentences = [fault.sentence for fault in broken]
            more = f" And {len(sentences) - TOLD} more." if len(sentences) > TOLD else ""
            self._tell(" ".join(sentences[:TOLD]) + more)
        elif not self.told["solved"]:
            self._tell("No rule is broken so far.")
        return broken

    def give_hint(self) -> Hint:
        """Show the next deduction from here, or a mark that is wrong. Returns the genre's Hint."""
        self.hint = hint = self._game.hint(self.board, self.state)
        if hint.step is None:
            self._tell(hint.sentence, wrong=self._places(hint.cells))
        else:
            because = self._places((*hint.step.premises.clues, *hint.step.premises.cells))
            therefore = self._places(place for place, _ in hint.step.settles)
            self._tell(hint.sentence, because=because, therefore=therefore)
        return hint

    def take_step(self) -> Hint:
        """Mark what the next deduction settles, with its reason shown. Returns the genre's Hint."""
        hint = self.hint if self.hint is not None else self.give_hint()
        if hint.step is not None:
            shown = self.told
            marks = list(self.marks)
            for place, value in hint.step.settles:
                marks[player.number(self.board, place)] = int(value)
            self.marks = marks
            solved = " Solved." if self.told["solved"] else ""
            self._tell(hint.sentence + solved, because=shown["because"], therefore=shown["therefore"])
        return hint

    def count(self) -> tuple[int, bool]:
        """Say how many answers agree with the marks. Returns (answers, whether that is exact)."""
        answers, exact = self._game.remaining(self.board, self.state)
        agree = "1 answer agrees" if answers == 1 and exact else f"{answers:,} answers agree"
        self._tell(f"{'' if exact else 'At least '}{agree} with these marks.")
        return answers, exact

    def heat(self) -> Places | None:
        """Show in which share of the answers left each place is marked. Returns the shares, or None where no answer is
        left.
        """
        shares = self._game.heat(self.board, self.state)
        if shares is None:
            self._tell("No answer agrees with these marks.")
            return None
        marks = self._game.marks
        flat = [float(x) for part in marks.parts(shares) for x in part.ravel()]
        self._tell(f"The darker a place, the more of the remaining answers it {marks.has}.", heat=flat)
        return shares

    def _asked(self, _widget, content, _buffers):
        asked = content.get("ask") if isinstance(content, dict) else None
        if not isinstance(asked, str) or asked not in _QUESTIONS:
            return
        try:
            getattr(self, _QUESTIONS[asked])()
        except (ValueError, MemoryError) as error:  # a board too large for the question is told, not thrown at the page
            self._tell(str(error))

    # where there is no kernel

    def __repr__(self) -> str:
        return f"<Player of a {self.board.rows} x {self.board.cols} {self.board.genre} board>"

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**(data or {}), "image/svg+xml": self.board.picture(state=self.state).svg}, metadata
