"""Sections of words: with and without names, told from text grids, errors with their line."""

import pytest

from puzzlekit.boards import ASKED, NO_CLUE, sections

NAMED = """begin
genre Usoone
author somebody - or other
size 2
[problem]
1 -
- ?
[areas]
a b
a a
[solution]
- x
- -
end
"""
BOARD = [[1, NO_CLUE], [NO_CLUE, ASKED]], [[0, 1], [0, 0]]


@pytest.mark.parametrize(
    "content", [NAMED, "2 2\n1 -\n- ?\n7 8\n7 7", "1 -\n- ?\n\na b\na a\n", "\n  begin\n1 .\n. ?\n\nx y\nx x\nend"]
)
def test_the_same_board(content):
    assert sections.looks_like(content)
    clues, regions = sections.read(content)
    assert (clues.tolist(), regions.tolist()) == BOARD


def test_without_areas():
    for content in ("[problem]\n1 - 10\n- 2 -", "2 3\n1 . 10\n. 2 .", "1 - 10\n- 2 -"):
        assert sections.looks_like(content)
        clues, regions = sections.read(content)
        assert clues.tolist() == [[1, NO_CLUE, 10], [NO_CLUE, 2, NO_CLUE]] and regions is None


@pytest.mark.parametrize(
    "content", ["1 .\n- -\n. 2", "1 2\n- -\n3 4", "2 2\n1 .\n. 2", "1|2", "# 1\n. .", "- -", "", "2 2"]
)
def test_text_grids_are_not_this(content):
    assert not sections.looks_like(content)


def test_the_name_of_the_genre():
    assert sections.name_of(NAMED) == "usoone"
    assert sections.name_of("[problem]\ngenre x") == ""


@pytest.mark.parametrize(
    "content, message",
    [
        ("[areas]\na b", "no section [problem]"),
        ("[problem]\n[areas]\na b", "no section [problem]"),
        ("[problem]\n1 -\n-", "line 3: a row of the problem has 1 cells, 2 are needed"),
        ("[problem]\n1 x", "line 2, cell 1: 'x' instead of"),
        ("[problem]\n1 99999999999", "line 2, cell 1: '99999999999' instead of"),
        ("[problem]\n1 -\n[areas]\na", "line 4: a row of the areas has 1 cells, 2 are needed"),
        ("[problem]\n1 -\n- 1\n[areas]\na a", "line 5: the areas ends after 1 rows, 2 are needed"),
        ("size 3\n[problem]\n1 - 2\n- - -", "line 4: the problem ends after 2 rows, 3 are needed"),
        ("size 0\n[problem]\n1", "line 1: size must be a whole number of at least 1, not '0'"),
        ("size many\n[problem]\n1", "line 1: size must be a whole number of at least 1, not 'many'"),
        ("[problem]\n1\n[problem]\n1", "line 3: a second section [problem]"),
        ("1 - 1\n\na a b\n\na a b", "line 5: a third grid"),
        ("[problem]\n" + "- " * 10_001, "too large"),
    ],
)
def test_errors_name_the_line(content, message):
    with pytest.raises(ValueError) as error:
        sections.read(content)
    assert message in str(error.value)
