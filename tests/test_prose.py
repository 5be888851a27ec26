"""Words about a measured outcome come from the data: no Markdown cell of a notebook types a number or a word of
quantity.

A number is one of the rules, of a size or of a name (a sequence, a level), or it is computed beside the text by
`prose.say`. Not here: what sentences say.
"""

import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

# Names, not measurements: code, links, formulas, sizes of grids, sequences, the level of the intervals
NAMES = re.compile(
    r"`[^`]*`|\]\([^)]*\)|\$[^$]*\$|https?://\S+|\b\d+ x (?:\d+|n)\b|\bn x \d+\b|\bA\d{6}\b|\b95 ?%"
    r"|^ *\d+\. ", re.MULTILINE,
)  # fmt: skip
NUMBER = re.compile(r"\d[\d,.]*")
QUANTITY = re.compile(
    r"\b(nearly|almost|roughly|mostly|hardly|rarely|seldom|handful|majority|minority"
    r"|(?:a|one) (?:third|quarter|fifth|tenth)|two thirds|half of|about half|a few|orders of magnitude"
    r"|tens|dozens?|hundreds?|thousands?|millions?|billions?|percent"
    r"|far (?:more|less|fewer)|much (?:more|less|fewer)|twice as)\b",
    re.IGNORECASE,
)

# Numbers and words that are the rules of a genre, of a method or of a proof, none of them measured: what they stand in,
# word for word
RULES = {
    "how_it_scales": ["several moduli of 63 bits"],
    "nawabari_bank": ["The number 2 fits two places"],
    "nawabari_misreadings": ["which half of *exactly one number per room*"],
    "nawabari_placements": ["600 of each answer at 6 x 6 and 400 at 8 x 8"],  # how the source drew
    "nawabari_space": ["coprime numbers of 63 bits", "n x (n - 1)"],
    "overview": ["A free cell would be worth 1"],
    "tasquare_bank": ["a 0 can never be right"],
    "tasquare_space": ["squares of side 1 only"],
    "usowan_bank": [
        "more than 8 cells",
        "at least 2 cells",
        "from 0 to its number of neighbours",
        "(a 4 in the middle, a 3 on an edge, a 2 in a corner)",
        "1/4 in the middle, 1/3 on an edge and 1/2 in a corner",
    ],
    "usowan_liars": ["per million readings"],
    "usowan_marginals": ["two decimals of a percent"],  # what the source printed
    "usowan_space": ["2.18 x 10^53", "4.6 times more states for two more columns"],
    "your_board": ["R1C1 is the cell in the first row and the first column"],
}


def typed(text):
    """Numbers and words of quantity of a Markdown text, as they stand."""
    bare = NAMES.sub(" ", text)
    return [found.group() for pattern in (NUMBER, QUANTITY) for found in pattern.finditer(bare)]


def findings(path):
    """What a notebook types in its Markdown, with the cell."""
    for at, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "markdown":
            source = cell.source
            for allowed in RULES.get(path.stem, ()):
                source = source.replace(allowed, " ")
            yield from (f"cell {at}: {word!r}" for word in typed(source))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_text_types_nothing_that_is_measured(path):
    assert list(findings(path)) == []


def test_what_is_allowed_still_stands_there():
    for name, texts in RULES.items():
        sources = [
            cell.source
            for cell in nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
            if cell.cell_type == "markdown"
        ]
        assert [text for text in texts if not any(text in source for source in sources)] == []


@pytest.mark.parametrize(
    "text, found",
    [
        ("On 6 x 6, with its 95% interval, see `boards=1000` and [A006506](https://oeis.org/A006506)", []),
        ("Of 1,000 boards nearly all", ["1,000", "nearly"]),
        ("About half of the boards, 12.5 % of them", ["12.5", "About half"]),
        ("1. First\n2. Then 3", ["3"]),
    ],
)
def test_what_is_typed(text, found):
    assert typed(text) == found
