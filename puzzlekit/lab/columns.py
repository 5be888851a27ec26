"""What the columns of stored tables mean: one entry for every name, wherever the column is found.

The descriptions of `data/datapackage.json`, the data page and the heads of tables on pages are all made from this.
A column that only one table understands in its own way has an entry of its own, under the table's name.

Not here: the tables themselves (catalogue.py), and their numbers (tables.py).
"""

import re
from typing import NamedTuple

SHARE = "share"  # unit of what is shown in percent
OF_ANSWER = "share of placements"  # which stand beside a mean that need not be a share, and are shown as they are


class Column(NamedTuple):
    """A column, for people."""

    title: str  # what stands above it
    meaning: str  # one sentence
    unit: str = ""  # of the number; SHARE is a part of 1
    term: bool = False  # a word that a page has to explain below the table


INTERVAL = ("low", "high")  # ends of the 95% interval of the first of these columns that a table has
CENTRES = ("ours", "mean", "share", "difference", "cut")

PARTS = {  # behind the last comma of a name: of which set, in a title and in a sentence
    "published": ("{}, published", "The published figure for the column: {}"),
    "people": ("{}, people", "Of the boards by people. {}"),
    "machine": ("{}, machine", "Of the boards by our setter. {}"),
}

COLUMNS = {
    # what a row is about
    "size": Column("size", "Size of the grid, rows x columns; all: every size together"),
    "grid": Column("grid", "Size of the grid, rows x columns"),
    "genre": Column("genre", "The puzzle: Usowan, Tasquare or Nawabari"),
    "boards": Column("boards", "How many boards were asked: always the first so many of the bank", "boards"),
    "what": Column("what", "What the row counts"),
    "outcome": Column("outcome", "What happened, of the outcomes that are told apart"),
    "figure": Column("figure", "What is compared"),
    "rung": Column("rung", "The named deduction, a rung of the genre's ladder"),
    "grade": Column("grade", "The difficulty that the rung stands for"),
    "up to": Column("deductions up to", "The highest rung that the search may use between guesses", term=True),
    "order": Column("order of guesses", "Which cell the search guesses next"),
    "clause": Column("clause", "The rule that is dropped, or that holds"),
    "misreading": Column("misread as", "How a rule is misread"),
    "reading": Column("rules", "Which of the two unprinted rules hold"),
    "slides": Column("slides", "Which moves of a number within its room are counted"),
    "rooms": Column("rooms", "How many rooms the board has"),
    "cell": Column("cell", "Where the number stands: in a corner, at an edge or in the middle"),
    "number": Column("number", "The printed number"),
    "seat": Column("seat", "Where in its room a cell with this number can lie"),
    "told": Column("told", "What the clue says: only where a number stands, or the number too"),
    "value": Column("number", "The printed number"),
    "sequence": Column("sequence", "Name of the sequence: its number in the OEIS, or its file in data/sequences/"),
    "n": Column("n", "Index of the term: the side of the square, or the length of the grid"),
    "label": Column("label", "What the figure is of: what was asked, size, and what was found"),
    "source": Column("source", "Who published it"),
    # shares, medians and means of a sample
    "hits": Column("counted", "How many of the cases had this outcome", "cases"),
    "of": Column("out of", "How many cases there were: the count that the share is made of", "cases"),
    "ours": Column(
        "measured",
        "The share (hits of all, or so many in a million), the median or the mean that was measured here",
    ),
    "ours, at most 12": Column(
        "measured, counted to 12", "The median when counting stops at 12 answers, as the source's did", "answers"
    ),
    "share": Column("share", "Hits of all cases", SHARE),
    "low": Column(
        "low",
        "Lower end of the 95% interval: Wilson's for a share, wider where several cases come from one board; order"
        " statistics for a median; Student's t over boards for a mean",
    ),
    "high": Column("high", "Upper end of the 95% interval"),
    "published": Column("published", "The figure that the source printed"),
    "chance": Column(
        "chance of such a gap",
        "Probability that a fair sample of the published size lies as far from ours, or farther",
        term=True,
    ),
    "holds it": Column(
        "interval holds it",
        "Whether our 95% interval holds the published figure; ours is narrow, so it often misses a figure that rests on"
        " few boards",
        term=True,
    ),
    "why no interval": Column("why no interval", "Why the row has no interval: too few boards"),
    "fewest": Column("fewest", "The smallest count on any board"),
    "most": Column("most", "The largest count on any board"),
    "difference": Column("difference", "One share less the other, with Newcombe's 95% interval", SHARE, term=True),
    "p": Column("p", "Two-sided p of a score test against no difference", "probability", term=True),
    "adjusted": Column(
        "p, adjusted", "p corrected for all comparisons of the table (Benjamini and Hochberg)", "probability", term=True
    ),
    "differ": Column("differ", "Whether the adjusted p is below 5%"),
    # ladders and searches
    "capped": Column("searches ended", "How many searches were ended at the cap", "boards", term=True),
    "ended": Column("searches ended", "How many searches were ended at the cap, without this rung", "boards"),
    "first": Column(
        "added first",
        "What the rung adds to the lowest rung alone: a share of cells settled, or halvings of the guesses",
        term=True,
    ),
    "last": Column("added last", "What is lost when this rung alone is left out", term=True),
    "mean": Column(
        "mean", "The mean over boards; of what a rung adds, the mean over all orders of the rungs (its Shapley value)"
    ),
    "proved": Column("cells proved", "Cells that the rungs settled, over all boards", "cells"),
    "a board": Column("a board", "Cells proved, for one board", "cells"),
    "against the answer": Column("against the answer", "Cells that were settled otherwise than the answer has them"),
    # counts of whole answer spaces
    "answers": Column("answers", "How many answers there are on an empty grid", "answers"),
    "not connected": Column(
        "answers, not connected", "Answers when the unshaded cells need not be one region", "answers"
    ),
    "without it": Column("without the rule", "Answers when the rule is dropped", "answers"),
    "price": Column("price", "How many answers there are without the rule for each one with it", "times", term=True),
    "states": Column("states", "States of the widest layer of the sweep that counts", "states", term=True),
    "corner": Column("corner", "How often a corner cell is shaded, over all answers", SHARE),
    "edge": Column("edge", "How often a cell at the edge is shaded, over all answers", SHARE),
    "centre": Column("centre", "How often a central cell is shaded, over all answers", SHARE),
    "corner over centre": Column("corner over centre", "The one share divided by the other", "times"),
    "draws": Column("draws", "How many answers were drawn", "answers"),
    "worst gap": Column("worst gap", "Largest difference from the exact share over all cells", SHARE, term=True),
    "allowed": Column("allowed gap", "What chance allows for the largest of so many gaps", SHARE, term=True),
    "honest": Column("true", "Answers in which the number is true, over all cells of the kind", "answers"),
    "unshaded": Column("cell unshaded", "Answers that leave the number's own cell unshaded", "answers"),
    "honest unshaded": Column("true, cell unshaded", "Those of them in which the number is true", "answers"),
    "honest share": Column("true, of all answers", "Share of all answers in which the number is true", SHARE),
    "lie share": Column("a lie, of all answers", "Share of all answers in which the number is a lie", SHARE),
    "honest share where unshaded": Column(
        "true, where it can stand", "Share of the answers that leave the cell unshaded in which it is true", SHARE
    ),
    "width": Column("width", "Columns of the strip", "cells"),
    "lower": Column("lower bound", "The growth per cell is at least this"),
    "upper": Column("upper bound", "The growth per cell is at most this"),
    "witness": Column("witness", "An answer, its rows between `/`; # is shaded"),
    "with the most": Column("answers with the most", "How many answers have the most shaded cells", "answers"),
    "with the fewest": Column("answers with the fewest", "How many of those answers have the fewest", "answers"),
    "bound": Column("published bound", "What the source says it never exceeds", "regions"),
    "usowan": Column("Usowan", "Answers of an empty grid of Usowan", "answers"),
    "tasquare": Column("Tasquare", "Answers of an empty grid of Tasquare", "answers"),
    "nawabari": Column("Nawabari", "Answers of an empty grid of Nawabari", "answers"),
    "different boards": Column("different boards", "Boards of the bank when repeats are dropped", "boards"),
    "different answers": Column(
        "different answers", "Answers of the bank's boards when repeats are dropped", "answers"
    ),
    "answers there are": Column("answers there are", "How many answers there are on an empty grid", "answers"),
    # Tasquare
    "in all": Column("in all", "The count over all answers together"),
    "an answer": Column("an answer", "The mean of one answer"),
    "exact mean": Column("exact mean", "Mean shaded cells over all answers of the grid, exactly", "cells"),
    "over exact": Column("over exact mean", "The mean divided by the exact mean of all answers", "times"),
    "printable": Column("can be printed", "Answers that are the only answer of some board", "answers"),
    "shaded": Column("shaded", "Shaded cells of all answers together", "cells"),
    "shaded, printable": Column("shaded, can be printed", "Shaded cells of the answers that can be printed", "cells"),
    "clues": Column("clues", "How many clues were tried: cells, or cells with a number", "clues"),
    "median": Column("median", "The median"),
    "sharpest": Column("fewest left", "Answers that the sharpest clue leaves", "answers"),
    "bluntest": Column("most left", "Answers that the bluntest clue leaves", "answers"),
    "median share": Column("median, of all", "Share of all answers that the median clue leaves", SHARE),
    "sharpest share": Column("fewest left, of all", "Share of all answers that the sharpest clue leaves", SHARE),
    "bluntest share": Column("most left, of all", "Share of all answers that the bluntest clue leaves", SHARE),
    "value over position": Column(
        "value over position",
        "How many times fewer answers the median number leaves than its mere place",
        "times",
        term=True,
    ),
    "cut": Column(
        "cut", "How many times fewer answers the places of the median board leave than there are", "times", term=True
    ),
    "ways on any grid": Column("ways on any grid", "Ways to write the number as areas of at most four squares", "ways"),
    "on any grid": Column("sums on any grid", "These sums of square areas"),
    "ways on this grid": Column("ways on this grid", "The ways for which the grid has room", "ways"),
    "on this grid": Column("sums on this grid", "The sums for which the grid has room"),
    # Nawabari
    "rectangles": Column("rectangles", "Pairs of a cell and a room that give this number", "rectangles"),
    "sizes": Column("room sizes", "How many areas such a room can have", "areas"),
    "smallest": Column("smallest room", "The smallest area of such a room", "cells"),
    "largest": Column("largest room", "The largest area of such a room", "cells"),
    "numbers": Column("numbers", "How many printed numbers were asked", "numbers"),
    "all draws, exactly": Column("all draws, exactly", "The same over all answers as the setter draws them, exactly"),
    "equally likely, exactly": Column(
        "equally likely, exactly", "The same over all answers, each as likely as any other", "rooms"
    ),
    "dissections": Column("dissections", "Ways to cut the grid into rectangles", "answers"),
    "printings": Column("printings", "Pairs of an answer and a placement of its numbers", "pairs", term=True),
    "distinct": Column("distinct boards", "Different boards that have an answer", "boards"),
    "unique": Column("unique", "Boards, or placements, with exactly one answer"),
    "placements": Column("placements", "Ways to place the numbers of the answers", "placements"),
    "least": Column("least", "The smallest share of any answer", OF_ANSWER),
    "cannot be printed": Column("cannot be printed", "Answers that are the only answer of no board", "answers"),
    "classes": Column("classes", "The same, turns and mirror images counted once", "answers"),
    "all strips": Column("strips only", "Those of them whose rooms are all one cell wide", "answers"),
    "with a domino pair": Column("with two dominoes", "Those with two dominoes that fill a 2 x 2", "answers"),
    "fewest rooms": Column("fewest rooms", "The fewest rooms of an answer that cannot be printed", "rooms"),
    "most rooms": Column("most rooms", "The most rooms of an answer that cannot be printed", "rooms"),
    "worst hunt": Column(
        "longest hunt", "The most placements tried for one answer, one after the other", "placements", term=True
    ),
    "worst hunt that ends well": Column(
        "longest hunt with a puzzle", "The most placements tried before one made a puzzle", "placements"
    ),
    "patterns": Column("wall patterns", "All sets of walls on the grid", "patterns"),
    "local": Column("by points", "Patterns in which every inner point is legal", "patterns"),
    "whole": Column("by rooms", "Patterns whose rooms are rectangles and whose walls all border something", "patterns"),
    "another modulus": Column("one modulus more", "Whether one modulus more than needed agrees"),
    "neighbour turned": Column("turned", "Whether n x (n - 1) gives the same down its rows and across them"),
    "diagram": Column(
        "diagram", "Whether the diagram that visits cells one by one agrees; empty where it is too large"
    ),
    # sequences
    "compared": Column("compared", "Published terms that were counted here", "terms"),
    "agree": Column("agree", "How many of them are the same", "terms"),
    "to": Column("to", "Index of the last term that was counted again"),
    "counted again": Column("counted again", "How many terms were counted again", "terms"),
    "ratio": Column("ratio", "a(n) a(n-2) / a(n-1)^2, which tends to the square of the choices a cell is worth"),
    # what work takes
    "words": Column("words", "Words before the widest step of the sweep", "words"),
    "steps": Column("steps", "Pairs of cells that a sweep goes over", "steps"),
    "bytes": Column("bytes", "Memory that the sweep for one remainder takes", "bytes"),
    "remainders": Column("remainders", "Remainders that the count needs, with the one that checks", "remainders"),
    "work": Column("work", "What was done"),
    "where": Column("where", "Where it ran: in this process, or on so many others"),
    "chunks": Column("chunks", "Pieces that the work was cut into", "chunks"),
    "seconds": Column("seconds", "Time that passed", "s"),
    "times": Column("times as fast", "How many times faster than in the first place", "times"),
    "same": Column("same result", "Whether the results are those of the first place, bit for bit"),
    "start, s": Column("start, s", "Starting the processes, before the first chunk", "s"),
    "one more chunk, ms": Column("one more chunk, ms", "What one more chunk takes besides its work", "ms"),
    "word steps": Column("word steps", "Words times steps of the sweep", "words"),
    "remainder of the stored count": Column("agrees", "Whether the remainder is that of the stored count"),
    "ns a word and step": Column("ns a word and step", "Time for one word of one step", "ns"),
    "ms a board": Column("ms a board", "Time to make one board", "ms"),
    "GB": Column("GB", "Size of the bank on disk", "GB"),
    "processor hours": Column("processor hours", "Processor time for the whole bank", "h"),
    "workers, h": Column("workers, h", "Projected time on so many workers", "h"),
}

OWN = {  # columns that mean something else in a table
    ("usowan/growth", "states"): Column("states", "Distinct frontiers between two rows of the strip", "states"),
    ("usowan/most_shaded", "bound"): Column("bound", "No answer shades more cells: this is proved", "cells"),
    ("usowan/most_shaded", "shaded"): Column(
        "shaded", "Shaded cells of the witness, the fullest answer found", "cells"
    ),
    ("usowan/most_shaded", "published"): Column(
        "published", "The most shaded cells as the OEIS has it, A239231", "cells"
    ),
    ("usowan/fullest", "most"): Column("most shaded", "The most shaded cells of any answer", "cells"),
    ("usowan/fewest_maximal", "fewest"): Column(
        "fewest shaded", "The fewest shaded cells of an answer in which no further cell can be shaded", "cells"
    ),
    ("usowan/labels", "size"): Column("side", "Side of the square", "cells"),
    ("usowan/labels", "most"): Column("most regions", "Most unshaded regions that any frontier tells apart", "regions"),
    ("nawabari/wall_patterns", "differ"): Column("differ", "Patterns on which the two disagree", "patterns"),
    ("nawabari/hunts", "answers"): Column("answers", "Answers whose placements were tried", "answers"),
    ("nawabari/hunts_of_draws", "answers"): Column("answers", "Answers that were drawn and hunted", "answers"),
    ("nawabari/placements", "answers"): Column(
        "answers", "Answers of the bank whose placements were decided", "answers"
    ),
    ("nawabari/placements", "mean"): Column(
        "mean", "Mean over answers of the share of placements that are puzzles", OF_ANSWER
    ),
    ("nawabari/placements", "median"): Column("median", "The median of that share", OF_ANSWER),
    ("nawabari/placements", "most"): Column("most", "The largest share of any answer", OF_ANSWER),
    ("tasquare/crowding", "answers"): Column("answers", "Which answers: all draws, or those that a filter leaves"),
    ("tasquare/printable", "share"): Column("share", "Share of all answers that can be printed", SHARE),
    ("tasquare/soundness", "low"): Column(
        "low", "Lower end of the 95% interval of the share against the answer", SHARE
    ),
    ("tasquare/soundness", "high"): Column(
        "high", "Upper end of the 95% interval of the share against the answer", SHARE
    ),
    ("usowan/both_readings", "answers"): Column(
        "answers", "Answers of the grid times the cells of the kind", "answers"
    ),
    ("usowan/degree", "answers"): Column("answers", "Answers of the grid times the cells of the kind", "answers"),
    ("published/oeis", "n"): Column("n", "Index of the term; for a table of numbers its row and column"),
    ("published/oeis", "value"): Column("value", "The term"),
    ("published/usowan", "value"): Column("value", "The figure as it was printed: a number, or words"),
    ("published/tasquare", "value"): Column("value", "The figure as it was printed: a number, or words"),
    ("published/nawabari", "value"): Column("value", "The figure as it was printed: a number, or words"),
}


def column(name: str, table: str = "") -> Column | None:
    """What a column means; None for a name that has no entry.

    Parameters
    ----------
    name : str      of the column
    table : str     in which it is found, like "usowan/rungs"

    >>> column("share, people").title
    'share, people'
    >>> column("8 workers, h").title, column("colour")
    ('8 workers, h', None)
    """
    found = OWN.get((table, name)) or COLUMNS.get(name)
    if found:
        return found
    if workers := re.fullmatch(r"(\d+) (workers, h)", name):
        known = COLUMNS[workers[2]]
        return known._replace(title=name, meaning=f"{known.meaning}, here {workers[1]}")
    of, _, part = name.rpartition(", ")
    whole = OWN.get((table, of)) or COLUMNS.get(of)
    if whole is None or part not in PARTS:
        return None
    title, meaning = PARTS[part]
    return Column(title.format(whole.title), meaning.format(whole.meaning), whole.unit)
