"""The contract of a genre: what every genre package offers, with types. The genre's own package is the object.

Shared code asks a genre for little else; tests/test_contract.py holds every genre to it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from .boards.board import PrintedBoard
from .machinery.explanation import Difficulty, Explanation, Hint
from .machinery.extremes import Extremes
from .machinery.frontier import Diagram, Kept
from .machinery.search import Solution, Solutions
from .marks import Marks, Places
from .show.player import Broken, Game
from .show.player.widget import Player

AnyBoard = Any  # the genre's own Board, which derives from PrintedBoard
Answer = np.ndarray  # as `solve` gives it: uint8 0/1 of cells, or int32 ids of rooms; (rows, cols)
Reading = Any  # the genre's own, or the name of one
Top = str | tuple[str, ...] | None  # the highest rung, or several


class Genre(Protocol):
    """A genre. Functions of a board take the genre's own Board; those of rows and cols ask of the empty grid.

    __name__ : str        of the package; the genre's name is its last part
    MOTTO : str           the genre in one sentence
    MARKS : Marks         what an answer marks
    RUNGS : tuple         the ladder's rungs, cheapest first; the last one assumes and drops
    RUNGS_TOLD : dict     rung -> the deduction, for people who solve by hand
    RULES_TOLD : dict     code of a clause -> the rule in a sentence, in the order that `check` asks them
    GRADES : dict         rung -> the grade of a board whose hardest rung it is
    READINGS : dict       the rules and other readings that are no mistakes, by name; the first is "rules"
    MISREADINGS : dict    the rules as somebody might understand them wrongly, by name
    FINDINGS : dict       what `own_findings` finds: name -> meaning
    GAME : Game           how its boards are played
    METHOD : str          how `make` sets boards, with its version; a bank says so
    """

    __name__: str
    MOTTO: str
    MARKS: Marks
    RUNGS: tuple[str, ...]
    RUNGS_TOLD: Mapping[str, str]
    RULES_TOLD: Mapping[str, str]
    GRADES: Mapping[str, str]
    READINGS: Mapping[str, Any]
    MISREADINGS: Mapping[str, Any]
    FINDINGS: Mapping[str, str]
    GAME: Game
    METHOD: str
    Board: type[PrintedBoard]

    # the rules

    def check(self, board: AnyBoard, answer: Any, reading: Reading = ...) -> str | None:
        """The code of the first clause that an answer breaks, or None."""

    def broken(self, board: AnyBoard, state: Places) -> list[Broken]:
        """The rules that marks break already."""

    # the empty grid

    def count(self, rows: int, cols: int, *, budget: int = ...) -> int:
        """All answers, exactly. Clauses that can be switched off are further keywords, each True as a rule."""

    def answers(self, rows: int, cols: int) -> Iterable[Answer]:
        """All answers, one by one."""

    def draw(self, rows: int, cols: int, n: int, rng: np.random.Generator, *, budget: int = ...) -> np.ndarray:
        """Answers drawn uniformly from all, (n, rows, cols)."""

    def marginals(self, rows: int, cols: int, *, budget: int = ...) -> Places:
        """In how many answers each place is marked: whole numbers as objects."""

    def diagram(self, rows: int, cols: int, *, budget: int = ...) -> Diagram:
        """The answers as a diagram over the cells."""

    def extremes(self, rows: int, cols: int, what: str = ..., *, budget: int = ...) -> Extremes:
        """The least and the greatest that something adds up to over an answer, such as shaded cells or rooms."""

    def residue(self, rows: int, cols: int, modulus: int, *, kept: Kept | None = ..., budget: int = ...) -> int:
        """The count modulo a number."""

    def bits_needed(self, lines: int, across: int) -> int:
        """Bits that no count of a grid has more of."""

    # a board

    def solve(
        self,
        board: AnyBoard,
        limit: int = 2,
        *,
        top: Top = None,
        reading: Reading = ...,
        budget: int | None = None,
        work: int | None = ...,
    ) -> Solution:
        """Answers up to a limit, of guesses and of work; a search that ran into one of the last two is not complete."""

    def solve_many(
        self,
        boards: Iterable[AnyBoard],
        limit: int = 2,
        budget: int | None = None,
        *,
        reading: Reading = ...,
        work: int | None = ...,
    ) -> Solutions:
        """The same of many boards."""

    def count_answers(self, board: AnyBoard, reading: Reading = ..., *, budget: int = ...) -> int:
        """All answers, exactly."""

    def answer_marginals(self, board: AnyBoard, *, budget: int = ...) -> tuple[int, Places]:
        """All answers, and in how many each place is marked."""

    def climb(self, board: AnyBoard, top: str | tuple[str, ...] = ..., reading: Reading = ...) -> Any:
        """How far the ladder gets: state, marks, settled, finished, contradiction."""

    def explain(self, board: AnyBoard, top: str = ..., start: Places | None = None) -> Explanation:
        """The ladder in words, step by step."""

    def hint(self, board: AnyBoard, partial: Places) -> Hint:
        """The next step, or what is wrong."""

    def difficulty(self, board: AnyBoard) -> Difficulty:
        """How hard the board is for whoever climbs the ladder."""

    def own_findings(self, board: AnyBoard, answer: Answer, *, budget: int = ...) -> dict[str, Any]:
        """What only this genre asks of a board with one answer; the names are those of FINDINGS."""

    def own_shares(self, board: AnyBoard, answer: Answer) -> dict[str, tuple[int, int]]:
        """Figures that only this genre has of such a board: (hits, of)."""

    def play(self, board: AnyBoard) -> Player:
        """The board as a widget."""

    # boards to be

    def make(self, rows: int, cols: int, rng: np.random.Generator) -> AnyBoard:
        """A board with one answer."""

    def faults(self, board: AnyBoard, answer: Answer) -> Iterable[str]:
        """What is wrong with a board of a bank, in words."""
