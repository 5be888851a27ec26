"""Text grids: round trips, alignment, and errors with line and column."""

from textwrap import dedent, indent

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from puzzlekit.boards import ASKED, NO_CLUE, text
from puzzlekit.machinery.grid import pieces

ANSWER = dedent("""\
    2 . 2|. #
      - - -
    .|. . 2 .
    -
    2 .|. 1|.""")


@st.composite
def bordered(draw, largest=1_000_000):
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    clues = draw(arrays(np.int32, shape, elements=st.sampled_from([NO_CLUE, ASKED]) | st.integers(0, largest)))
    return clues, pieces(draw(arrays(np.int32, shape, elements=st.integers(0, 2))))


@given(bordered())
def test_round_trip(board):
    clues, regions = board
    back, shading, parts = text.read_bordered(text.write_bordered(clues, regions))
    assert (back == clues).all() and shading is None and (parts == regions).all()


@given(bordered(largest=12), st.randoms(use_true_random=False))
def test_round_trip_of_an_answer(board, random):
    clues, regions = board
    shading = np.array([[clue == NO_CLUE and random.random() < 0.5 for clue in row] for row in clues.tolist()])
    back, shaded, parts = text.read_bordered(text.write_bordered(clues, regions, shading))
    assert (back == clues).all() and (parts == regions).all()
    assert shaded is None if not shading.any() else (shaded == shading).all()


def test_the_layout():
    clues, shading, regions = text.read_bordered("1 .\n  -\n.|#")
    assert clues.tolist() == [[1, NO_CLUE], [NO_CLUE, NO_CLUE]]
    assert shading.tolist() == [[0, 0], [0, 1]]
    assert regions.tolist() == [[0, 0], [0, 1]]
    assert text.write_bordered(clues, regions, shading) == "1 .\n  -\n.|#"


@pytest.mark.parametrize(
    "change", [lambda t: indent(t, "   "), lambda t: f"\n\n{t}\n \n", lambda t: t.replace("\n", "  \r\n")]
)
def test_indentation_blank_lines_and_line_ends_do_not_matter(change):
    boards = [text.read_bordered(written) for written in ("1 2\n- -\n3|#", change("1 2\n- -\n3|#"))]
    for plain, changed in zip(*boards, strict=True):
        assert (plain == changed).all()


def test_a_line_without_borders_may_be_left_out_or_blank():
    for written in ("1 2\n3 4", "1 2\n\n3 4", ["1 2", "   ", "3 4"]):
        clues, _, regions = text.read_bordered(written)
        assert clues.tolist() == [[1, 2], [3, 4]] and not regions.any()


def test_long_numbers_widen_every_cell_and_may_stand_right():
    for written in ("12 .\n-- --\n3  ?", "12  .\n - --\n 3  ?"):
        clues, _, regions = text.read_bordered(written)
        assert clues.tolist() == [[12, NO_CLUE], [3, ASKED]] and regions.tolist() == [[0, 0], [1, 1]]


def test_a_line_of_borders_may_be_drawn_through():
    _, _, regions = text.read_bordered("1 2\n---\n3 4")
    assert regions.tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    "written, message",
    [
        ("", "no row of cells"),
        (" \n\n", "no row of cells"),
        ("- -", "line 1 is a line of borders, but no row of cells is above it"),
        ("1 2\n- -", "line 2 is a line of borders, but no row of cells is below it"),
        ("1 2\n- -\n- -\n3 4", "line 3 is a line of borders, but a second one"),
        ("1 2\n3 x", "line 2, column 3: 'x' instead of"),
        ("1 2\n3", "line 2, column 3: no cell where another row has one"),
        ("1 2\n3/4", "line 2, column 1: '3/4' instead of"),
        ("1 2\n3-4", "line 2, column 1: '3-4' instead of"),
        ("1 2|\n3 4", "line 1, column 4: '|' instead of the end of the line"),
        ("1 2\n   -\n3 4", "line 2, column 4: '-' instead of a space"),
        ("1 2\n - \n3 4", "line 2, column 2: '-' instead of a space"),
        ("1 2\n- - -\n3 4", "line 2, column 5: '-' instead of the end of the line, after 2 cells"),
        ("1 2\n+ -\n3 4", "line 2, column 1: '+' instead of"),
        ("  1 2\n- -\n  3 4", "line 2, column 1: '-' instead of 2 spaces"),
        ("1\t2", "line 1, column 2: '\\t' instead of a space"),
        ("1 99", "line 1, column 3: '9' instead of `|` or a space after a cell 2 wide"),
        ("1 2147483648", "the number 2147483648 is too large"),
        ("1|2\n3 4", "between R1C1 and R1C2 does not separate two regions"),
        ("1 2\n-\n3 4", "between R1C1 and R2C1 does not separate two regions"),
    ],
)
def test_errors_say_where(written, message):
    with pytest.raises(ValueError) as error:
        text.read_bordered(written)
    assert message in str(error.value)


def test_a_shaded_clue_cannot_be_written():
    with pytest.raises(ValueError, match="R1C2 is shaded and has a clue"):
        text.write_bordered([[NO_CLUE, 3]], [[0, 0]], [[0, 1]])


def test_a_huge_grid_is_refused():
    with pytest.raises(ValueError, match="too large"):
        text.read_bordered("\n".join([". " * 100 + "."] * 100))


# grids without borders


@given(
    arrays(np.int32, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(ASKED, 12)), st.booleans()
)
def test_round_trip_without_borders(clues, answered):
    shading = (np.indices(clues.shape).sum(axis=0) % 2 == 0) & (clues == NO_CLUE) & answered
    back, shaded = text.read_plain(text.write_plain(clues, shading))
    assert (back == clues).all()
    assert shaded is None if not shading.any() else (shaded == shading).all()


def test_plain_cells_need_only_spaces_between_them():
    for written in ("12 .\n# ?", "  12   .\n\n #\t?  ", ["12 .", "#  ?"], "12 .\r\n# ?\r\n"):
        clues, shading = text.read_plain(written)
        assert clues.tolist() == [[12, NO_CLUE], [NO_CLUE, ASKED]] and shading.tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize(
    "written, message",
    [
        ("", "no row of cells"),
        ("1 2\n\n3", "line 3 has 1 cells, line 1 has 2"),
        ("1 2\n3 x", "line 2, column 3: 'x' instead of `.`, `?`, `#` or a number"),
        ("1|2", "line 1, column 1: '1|2' instead of"),
        ("1 2147483648", "the number 2147483648 is too large"),
        ("\n".join([". " * 101] * 100), "too large"),
    ],
)
def test_plain_grids_that_are_refused(written, message):
    with pytest.raises(ValueError) as error:
        text.read_plain(written)
    assert message in str(error.value)
