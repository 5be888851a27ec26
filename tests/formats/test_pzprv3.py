"""Files of pzprjs: every part, both ways, both ways to list walls, and errors that name the line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from puzzlekit.boards import ASKED, NO_CLUE, pzprv3
from puzzlekit.machinery.grid import UNSHADED, pieces

LAYOUTS = {
    "usoone": ("regions", "clues", "shading"),
    "tasquare": ("clues and shading",),
    "nawabari": ("clues", "walls"),
}
SHADED_FILE = "pzprv3/usoone/2/3/2/0 0 1 /0 1 1 /1 . . /. - . /+o 1 + /. x 1 /"
WALLS_FILE = "pzprv3/nawabari/2/2/3 . /. - /0 1 0 /0 -1 0 /0 0 /2 0 /0 0 /"


def read(content):
    name = pzprv3.name_of(content)
    return pzprv3.read(content, [name], LAYOUTS[name])


def test_marks_on_numbers_are_left_alone():
    found = read(SHADED_FILE)
    assert found.clues.tolist() == [[1, NO_CLUE, NO_CLUE], [NO_CLUE, ASKED, NO_CLUE]]
    assert found.regions.tolist() == [[0, 0, 1], [0, 1, 1]]
    assert found.filled.tolist() == [[1, 2, 1], [0, 1, 2]]


def test_walls_with_and_without_the_frame():
    for file in (WALLS_FILE, "pzprv3/nawabari/2/2/3 . /. - /1 /-1 /2 0 /"):
        right, down = read(file).filled
        assert right.tolist() == [[2], [1]] and down.tolist() == [[2, 0]]


@pytest.mark.parametrize(
    "file", ["pzprv3/nawabari/2/1/3 /. ///1 /", "pzprv3/nawabari/1/2/3 . /1 /", "pzprv3/nawabari/1/1/4 /"]
)
def test_narrow_grids_without_a_frame(file):
    assert read(file).clues[0, 0] in (3, 4)


@pytest.mark.parametrize(
    "end", ["", "\n", "info:{/", "history:{/", "http://pzv.jp/p.html?usoone/3/2/0/", "TrialData(1)/0 0/"]
)
def test_what_may_follow(end):
    assert (read(SHADED_FILE + end).clues == read(SHADED_FILE.replace("/", " \r\n")).clues).all()


@pytest.mark.parametrize("name", LAYOUTS)
def test_nothing_filled_in(name):
    clues = np.array([[1, NO_CLUE]])
    assert read(pzprv3.write(name, LAYOUTS[name], clues, np.zeros((1, 2), int))).filled is None


@given(st.tuples(st.integers(1, 5), st.integers(1, 5)), st.data())
@pytest.mark.parametrize("name", LAYOUTS)
def test_round_trip(name, shape, data):
    rows, cols = shape
    clues = data.draw(arrays(np.int32, shape, elements=st.integers(ASKED, 99)))
    regions = pieces(data.draw(arrays(np.int32, shape, elements=st.integers(0, 2)))) if name == "usoone" else None
    if name == "nawabari":
        filled = tuple(
            data.draw(arrays(np.uint8, size, elements=st.integers(0, 2)))
            for size in ((rows, cols - 1), (rows - 1, cols))
        )
    else:
        filled = data.draw(arrays(np.uint8, shape, elements=st.integers(0, 2)))
    found = read(pzprv3.write(name, LAYOUTS[name], clues, regions, filled))
    assert (found.clues == clues).all()
    assert found.regions is None if regions is None else (found.regions == regions).all()
    if name == "nawabari":
        again = found.filled or [np.zeros_like(part) for part in filled]
        assert all((part == back).all() for part, back in zip(filled, again, strict=True))
    elif found.filled is None:
        assert not filled[clues == NO_CLUE].any()
    else:
        assert (found.filled == np.where(clues == NO_CLUE, filled, UNSHADED)).all()


@pytest.mark.parametrize(
    "file, message",
    [
        ("pzprv3", "the file is for '', not for"),
        ("pzprv3/nurikabe/2/2/", "the file is for 'nurikabe', not for"),
        ("pzprv3/usoone", "line 3: rows must be a whole number from 1"),
        ("pzprv3/usoone/0/3/", "line 3: rows must be a whole number from 1"),
        ("pzprv3/usoone/2/x/", "line 4: cols must be a whole number from 1"),
        ("pzprv3/usoone/1000000/1000000/", "too large"),
        ("pzprv3/usoone/2/3/", "ends after line 4, where the number of regions was expected"),
        ("pzprv3/usoone/2/3/2/0 0 1 /", "ends after line 6, where row 1 of the regions was expected"),
        ("pzprv3/usoone/2/3/2/0 0 1 /0 1 /", "line 7: row 1 of the regions has 2 cells, 3 are needed"),
        (SHADED_FILE.replace("1 . .", "1 x ."), "line 8: 'x' in row 0, column 1 of the clues, instead of a number"),
        (SHADED_FILE.replace("1 . .", "1 -3 ."), "line 8: '-3' in row 0, column 1"),
        (SHADED_FILE.replace("1 . .", "1 99999999999 ."), "line 8: '99999999999' in row 0"),
        (SHADED_FILE.replace("+o", "#"), "line 10: '#' in row 0, column 0 of the shading, instead of `1`"),
        (SHADED_FILE + "0 0 0/", "line 12: '0 0 0' after the end of the board"),
        ("pzprv3/tasquare/1/2/1 * /", "line 5: '*' in row 0, column 1 of the cells"),
        (WALLS_FILE.replace("-1", "3"), "line 8: '3' in row 1, column 1 of the walls to the right"),
        (WALLS_FILE.replace("3 .", "3 *"), "line 5: '*' in row 0, column 1 of the clues"),
        (WALLS_FILE.removesuffix("0 0 /"), "ends after line 10, where row 2 of the walls below was expected"),
    ],
)
def test_errors_name_the_line(file, message):
    with pytest.raises(ValueError) as error:
        pzprv3.read(
            file,
            ["usoone"] if "nurikabe" in file else [pzprv3.name_of(file) or "usoone"],
            LAYOUTS.get(pzprv3.name_of(file), ()),
        )
    assert message in str(error.value)
