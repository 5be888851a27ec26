"""Usowan: shade cells, one number in every region is wrong. The rules are in rules.py, in prose."""

from ..machinery.search import Solution, Solutions
from ..marks import CELLS as MARKS
from .analysis import FINDINGS, answer_marginals, own_findings, own_shares
from .clued import board_diagram, count_answers
from .explain import GRADES, difficulty, explain, hint
from .extremes import extremes
from .game import GAME, broken, play
from .ladder import RUNGS, RUNGS_TOLD, climb
from .maximal import count_maximal, draw_maximal
from .profile import answers, count, diagram, draw, marginals
from .residues import bits_needed, residue
from .rules import ASKED, MISREADINGS, NO_CLUE, READINGS, RULES, RULES_TOLD, Board, Reading, check, liars, shaded_beside
from .scans import breaking_numbers, redundant_clues
from .setter import METHOD, faults, make
from .solver import solve, solve_many

MOTTO = "Shade cells; one number in every region is wrong."

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
    "board_diagram",
    "breaking_numbers",
    "broken",
    "check",
    "climb",
    "count",
    "count_answers",
    "count_maximal",
    "diagram",
    "difficulty",
    "draw",
    "draw_maximal",
    "explain",
    "extremes",
    "faults",
    "hint",
    "liars",
    "make",
    "marginals",
    "own_findings",
    "own_shares",
    "play",
    "redundant_clues",
    "residue",
    "shaded_beside",
    "solve",
    "solve_many",
]
