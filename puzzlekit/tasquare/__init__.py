"""Tasquare: shade squares, a number is the area of the squares beside it. The rules are in rules.py, in prose."""

from ..machinery.search import Solution, Solutions
from ..marks import CELLS as MARKS
from .analysis import FINDINGS, answer_marginals, own_findings, own_shares
from .clued import board_diagram, count_answers
from .explain import GRADES, difficulty, explain, hint
from .extremes import extremes
from .game import GAME, broken, play
from .ladder import RUNGS, RUNGS_TOLD, climb
from .profile import answers, composition, count, diagram, draw, marginals
from .residues import bits_needed, residue
from .rules import ASKED, MISREADINGS, NO_CLUE, READINGS, RULES, RULES_TOLD, Board, Reading, blocks, check, sums
from .scans import redundant_clues
from .setter import METHOD, faults, make
from .solver import solve, solve_many

MOTTO = "Shade squares; a number is the area of the squares beside it."

__all__ = [
    "ASKED",
    "FINDINGS",
    "GAME",
    "GRADES",
    "MARKS",
    "METHOD",
    "MISREADINGS",
    "MOTTO",
    "NO_CLUE",
    "READINGS",
    "RULES",
    "RULES_TOLD",
    "RUNGS",
    "RUNGS_TOLD",
    "Board",
    "Reading",
    "Solution",
    "Solutions",
    "answer_marginals",
    "answers",
    "bits_needed",
    "blocks",
    "board_diagram",
    "broken",
    "check",
    "climb",
    "composition",
    "count",
    "count_answers",
    "diagram",
    "difficulty",
    "draw",
    "explain",
    "extremes",
    "faults",
    "hint",
    "make",
    "marginals",
    "own_findings",
    "own_shares",
    "play",
    "redundant_clues",
    "residue",
    "solve",
    "solve_many",
    "sums",
]
