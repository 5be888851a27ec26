"""Nawabari: cut the grid into rectangles, a number counts the walls around its cell. The rules are in rules.py, in
prose.
"""

from ..machinery.search import Solution, Solutions
from ..marks import SIDES as MARKS
from .analysis import FINDINGS, answer_marginals, own_findings, own_shares
from .clued import count_answers
from .explain import GRADES, difficulty, explain, hint
from .extremes import extremes
from .game import GAME, broken, play
from .ladder import RUNGS, RUNGS_TOLD, climb
from .points import VERTEX_PATTERNS, compare_wall_patterns
from .printed import count_boards
from .profile import answers, count, diagram, draw, expected_rooms, marginals
from .residues import bits_needed, residue
from .rules import ASKED, MISREADINGS, NO_CLUE, READINGS, RULES, RULES_TOLD, Board, Reading, Walls, check
from .setter import METHOD, faults, make
from .solver import solve, solve_many

MOTTO = "Cut the grid into rectangles; a number counts the walls around its cell."

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
    "VERTEX_PATTERNS",
    "Board",
    "Reading",
    "Solution",
    "Solutions",
    "Walls",
    "answer_marginals",
    "answers",
    "bits_needed",
    "broken",
    "check",
    "climb",
    "compare_wall_patterns",
    "count",
    "count_answers",
    "count_boards",
    "diagram",
    "difficulty",
    "draw",
    "expected_rooms",
    "explain",
    "extremes",
    "faults",
    "hint",
    "make",
    "marginals",
    "own_findings",
    "own_shares",
    "play",
    "residue",
    "solve",
    "solve_many",
]
