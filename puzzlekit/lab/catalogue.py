"""What the stored tables are: a title for each, and the parameters that its usual run has.

A table of the usual run is stored under its bare name, `usowan/rungs.csv`; any other says in its name what was
otherwise, `usowan/rungs_boards_10000.csv`. So usual parameters are part of file names: to change one renames files.

Not here: columns (columns.py), reading and writing (tables.py).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import GENRES


class Known(NamedTuple):
    """A table that a report makes."""

    title: str  # what it tells, in a line
    usual: Mapping[str, Any]  # parameters left out of the file's name when they are like this


TWO, THREE = [6, 8], [6, 8, 10]
BANK = {"boards": 1000}  # boards of each bank that most runs ask
MACHINE = {"boards": 60, "sizes": THREE}

TABLES = {
    "overview/answers": Known("Answers of an empty grid, in all three genres", {"size": 8}),
    "overview/hardest_rung": Known("The hardest deduction a board needs", {"boards": 50, "sizes": THREE}),
    "overview/looks": Known("How often a solver goes up to each deduction", {"boards": 50, "sizes": THREE}),
    "overview/prices": Known("What each rule costs in answers", {"size": 8}),
    "overview/repeats": Known("How often a bank's boards and answers come again", BANK),
    "overview/usowan_count_needs": Known("What a count of Usowan answers takes, exactly", {"largest": 26}),
    "overview/values_rubbed_off": Known("Nawabari: a number rubbed off, its place left", BANK | {"sizes": TWO}),
    "overview/timings/scaling": Known("The same chunks in several places, timed", {"boards": 200, "repeats": 1}),
    "overview/timings/scaling_bank": Known(
        "What a large bank would take",
        {"million": 1000000, "sample": 20, "workers": [1, 2, 8, 32, 128, 1024]},
    ),
    "overview/timings/scaling_overhead": Known("What it takes to start processes and hand out chunks", {}),
    "overview/timings/scaling_remainders": Known("One remainder of a large count, timed", {"sizes": [14, 16]}),
    "sequences/again": Known(
        "Stored sequences, counted again",
        {
            "boards_to": 5,
            "dissections_to": 20,
            "maximal_to": 10,
            "strips_to": 60,
            "tasquare_to": 12,
            "three_rows_to": 12,
            "usowan_to": 16,
        },
    ),
    "sequences/steadiness": Known("How steadily the counts of squares grow", {}),
    "usowan/adding_true_numbers": Known(
        "What one more true number does to a board", BANK | {"sizes": THREE, "top": "connect"}
    ),
    "usowan/adding_whole_ladder": Known("The same, solved with the whole ladder", BANK | {"sizes": THREE}),
    "usowan/boards_by_machine": Known("Figures of boards by our setter", MACHINE),
    "usowan/boards_by_people": Known("Figures of boards that people published", {}),
    "usowan/both_readings": Known("How many answers a number leaves, true and as a lie", {}),
    "usowan/degree": Known("A number as large as its neighbours, with and without the one-region rule", {}),
    "usowan/fewest_maximal": Known("The fewest shaded cells of an answer that takes no more", {"maximal": 10}),
    "usowan/fullest": Known("How many answers are as full as possible", {"counted": 16}),
    "usowan/growth": Known("Bounds of the growth per cell, from strips", {"widths": [*range(1, 17)]}),
    "usowan/labels": Known("How many regions a frontier tells apart", {}),
    "usowan/liars": Known("Lies that give themselves away, on boards of one size", BANK),
    "usowan/marginals": Known("How often each cell is shaded, over all answers", {"sizes": [*range(6, 17, 2)]}),
    "usowan/misreading_answers": Known("Answers of a board under each misreading", BANK | {"sizes": THREE}),
    "usowan/misreadings": Known("What becomes of a board under each misreading", BANK | {"sizes": THREE}),
    "usowan/most_shaded": Known(
        "The most shaded cells of an answer: a bound and a witness", {"largest": 23, "width": 20000}
    ),
    "usowan/orders": Known("What each deduction adds, whatever the order", BANK | {"sizes": THREE}),
    "usowan/orders_of_guesses": Known(
        "What each deduction saves a search, whatever the order",
        {"order_boards": 100, "order_cap": 2000, "sizes": THREE},
    ),
    "usowan/passes": Known("Passes that rubbing out takes", BANK | {"sizes": THREE}),
    "usowan/people_beside_machine": Known("Boards by people beside boards by our setter", MACHINE),
    "usowan/printed": Known("What a board prints", BANK | {"sizes": THREE}),
    "usowan/pruning": Known(
        "Guesses of a search, by the deductions it may use", BANK | {"cap": 200000, "sizes": THREE}
    ),
    "usowan/pruning_cell": Known(
        "Guesses of a search with the lowest deduction alone", {"boards": 100, "cap": 200000, "sizes": THREE}
    ),
    "usowan/readings": Known("Numbers and readings of boards of one size", BANK),
    "usowan/ruled_out": Known("Which deduction rules out the readings of a board", BANK),
    "usowan/ruled_out_hard": Known(
        "Which deduction rules out the readings of boards set to be hard", {"hard_boards": 100, "seed": 1}
    ),
    "usowan/ruled_out_people": Known("Which deduction rules out the readings of boards by people", {}),
    "usowan/rungs": Known("What each deduction settles and finishes", BANK | {"sizes": THREE}),
    "usowan/sampler": Known(
        "Whether the sampler is uniform", {"draws": [200000, 100000, 40000], "seed": 1, "sizes": THREE}
    ),
    "usowan/self_announcing": Known("Lies that give themselves away", BANK | {"sizes": THREE}),
    "usowan/space": Known("How many answers a grid has", {"sizes": [*range(1, 21)]}),
    "tasquare/boards_by_machine": Known("Figures of boards by our setter", MACHINE),
    "tasquare/boards_by_people": Known("Figures of boards that people published", {}),
    "tasquare/clauses": Known(
        "How many answers a grid has, with and without two unprinted rules", {"sizes": [*range(4, 15)]}
    ),
    "tasquare/composition": Known("What all answers are made of", {"sizes": THREE}),
    "tasquare/crowding": Known(
        "Shaded cells of answers, before and after a setter's choice",
        BANK | {"draws": 10000, "seed": 1, "sizes": THREE},
    ),
    "tasquare/cut": Known("What the places of the numbers alone tell", BANK | {"position_sizes": TWO}),
    "tasquare/full_board_unique": Known(
        "How often the fullest board has one answer", {"draws": 10000, "seed": 1, "sizes": THREE}
    ),
    "tasquare/legal_cells": Known("Cells that could carry a number", BANK | {"sizes": THREE}),
    "tasquare/misreading_answers": Known("Answers of a board under each misreading", BANK | {"sizes": TWO}),
    "tasquare/misreadings": Known("What becomes of a board under each misreading", BANK | {"sizes": TWO}),
    "tasquare/numbers_of_legal": Known("Cells that do carry a number, of those that could", BANK | {"sizes": THREE}),
    "tasquare/people_beside_machine": Known("Boards by people beside boards by our setter", MACHINE),
    "tasquare/positions": Known("Answers left by the places of a board's numbers", BANK | {"position_sizes": TWO}),
    "tasquare/prices": Known("What one clue leaves of all answers", {"price_sizes": [5, 6]}),
    "tasquare/printable": Known("Answers that can be printed at all", {"printable_to": 5}),
    "tasquare/printed": Known("What a board prints", BANK | {"sizes": THREE}),
    "tasquare/pruning": Known(
        "Guesses of a search, by the deductions it may use", BANK | {"cap": 200000, "sizes": THREE}
    ),
    "tasquare/pruning_orders": Known(
        "Guesses of a search, by the order of guesses", {"boards": 300, "cap": 200000, "sizes": TWO}
    ),
    "tasquare/pruning_shape": Known(
        "Guesses of a search with the lowest deduction alone", {"boards": 6, "cap": 200000, "sizes": TWO}
    ),
    "tasquare/rungs": Known("What each deduction settles and finishes", BANK | {"sizes": THREE}),
    "tasquare/soundness": Known("Cells that were settled, held to the answer", BANK | {"sizes": THREE}),
    "tasquare/states": Known("States of the sweep that counts", {"sizes": [*range(4, 13)]}),
    "tasquare/value_over_position": Known("What a number tells beyond its place", {"price_sizes": [5, 6]}),
    "tasquare/values": Known("Which numbers can be printed", {"cols": 6, "limit": 30, "rows": 6}),
    "tasquare/worth_searched": Known(
        "What each deduction saves a search, whatever the order", {"boards": 100, "cap": 1000, "sizes": TWO}
    ),
    "tasquare/worth_settled": Known("What each deduction adds, whatever the order", {"boards": 100, "sizes": THREE}),
    "nawabari/alphabet": Known("What a number says of its room", {"cols": 6, "rows": 6}),
    "nawabari/boards": Known(
        "How many boards a grid has, and how many are puzzles",
        {"board_grids": ["1x7", "2x6", "3x3", "3x4", "4x4", "4x5", "4x6", "5x5"]},
    ),
    "nawabari/boards_by_machine": Known("Figures of boards by our setter", MACHINE),
    "nawabari/boards_by_people": Known("Figures of boards that people published", {}),
    "nawabari/confirmations": Known("Counts of dissections, confirmed in three ways", {"largest": 22}),
    "nawabari/dissections": Known("Ways to cut a square into rectangles", {"largest": 22}),
    "nawabari/dots": Known("Answers left by the places of a board's numbers", BANK | {"sizes": TWO}),
    "nawabari/dots_unique": Known("How often the places alone leave one answer", BANK | {"sizes": TWO}),
    "nawabari/erasures": Known("What erasing one number does", BANK | {"sizes": TWO}),
    "nawabari/few_rooms": Known("How often a board has one room, or two", BANK | {"sizes": THREE}),
    "nawabari/hunts": Known("How long the hunt for a puzzle takes, over all answers", {"hunt_grids": ["4x4", "3x6"]}),
    "nawabari/hunts_of_draws": Known("How long the hunt for a puzzle takes, on draws", {"draws": 3000, "seed": 1}),
    "nawabari/mean_rooms": Known("How many rooms a board has", BANK | {"sizes": THREE}),
    "nawabari/misreading_answers": Known("Answers of a board under each misreading", BANK | {"sizes": TWO}),
    "nawabari/misreadings": Known("What becomes of a board under each misreading", BANK | {"sizes": TWO}),
    "nawabari/misreadings_pooled": Known("The same, sizes together", BANK | {"sizes": TWO}),
    "nawabari/people_beside_machine": Known("Boards by people beside boards by our setter", MACHINE),
    "nawabari/placement_counts": Known("How many placements an answer has", {"answers_of": [1000, 30], "sizes": TWO}),
    "nawabari/placements": Known("How many placements make a puzzle", {"answers_of": [1000, 30], "sizes": TWO}),
    "nawabari/points": Known("How walls meet", BANK | {"sizes": THREE}),
    "nawabari/pruning": Known(
        "Guesses of a search with the deduction about rooms", BANK | {"cap": 200000, "sizes": TWO}
    ),
    "nawabari/pruning_edges": Known(
        "Guesses of a search with deductions about walls alone", {"boards": 6, "cap": 200000, "sizes": TWO}
    ),
    "nawabari/rectangles_left": Known("What one number of a board leaves open", BANK | {"sizes": THREE}),
    "nawabari/rungs": Known("What each deduction settles and finishes", BANK | {"sizes": TWO}),
    "nawabari/sequences": Known("Published terms that were counted here", {"largest": 22}),
    "nawabari/shapes": Known("What a board is made of", BANK | {"sizes": THREE}),
    "nawabari/slides": Known("What moving one number does", BANK | {"sizes": TWO}),
    "nawabari/slides_by_seat": Known("The same, by the seat that it lands on", BANK | {"sizes": TWO}),
    "nawabari/strips": Known("Boards of grids of one and two rows", {}),
    "nawabari/unprintable": Known("Answers that cannot be printed", {"answer_grids": ["4x4", "3x6", "3x7", "4x5"]}),
    "nawabari/wall_patterns": Known("Legal points against legal rooms, over all walls", {}),
    "nawabari/worth_searched": Known(
        "What each deduction saves a search, whatever the order", {"boards": 100, "cap": 1000, "sizes": TWO}
    ),
    "nawabari/worth_settled": Known("What each deduction adds, whatever the order", {"boards": 100, "sizes": TWO}),
    "published/usowan": Known("Figures of the article on Usowan", {}),
    "published/tasquare": Known("Figures of the article on Tasquare", {}),
    "published/nawabari": Known("Figures of the article on Nawabari", {}),
    "published/oeis": Known("Terms of integer sequences, as published", {}),
}


def title(table: str) -> str:
    """The title of a table with its genre; its own name where nobody has given it one.

    >>> title("usowan/rungs"), title("demo/squares")
    ('Usowan: what each deduction settles and finishes', 'demo/squares')
    """
    known = TABLES.get(table)
    if known is None:
        return table
    genre = table.partition("/")[0]
    if genre not in GENRES:
        return known.title
    return f"{genre.capitalize()}: {known.title[0].lower()}{known.title[1:]}"
