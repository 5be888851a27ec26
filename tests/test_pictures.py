"""Pictures: well-formed, the same every time, meaningful without colour and without eyes."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from puzzlekit.boards import ASKED, NO_CLUE
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.show import heat, pictures

SVG = "{http://www.w3.org/2000/svg}"
CLUES = [[1, NO_CLUE, 345], [ASKED, NO_CLUE, 12]]


def draw(**options):
    return pictures.grid_picture(CLUES, **options)


def find(picture, tag):
    return list(ET.fromstring(picture.svg).iter(SVG + tag))


def test_a_picture_is_an_image_with_words():
    picture = draw(title="a <board> & its clues")
    root = ET.fromstring(picture.svg)
    assert root.get("role") == "img" and root.get("aria-label") == "a <board> & its clues"
    assert root.find(SVG + "title").text == "a <board> & its clues"
    assert [element.text for element in find(picture, "text")] == ["1", "345", "?", "12"]


def test_the_paper_is_white_on_any_page():
    paper = find(draw(), "rect")[0]
    assert paper.get("fill") == "#ffffff" and paper.get("width") == str(draw().width)


def test_the_same_picture_is_the_same_text():
    options = {
        "borders": [[0, 1, 1], [0, 0, 1]],
        "state": [[0, 1, 1], [1, 2, 1]],
        "struck": [(0, 0)],
        "coordinates": True,
    }
    assert draw(**options).svg == draw(**options).svg
    assert " id=" not in draw(**options).svg


def test_words_say_what_is_drawn():
    state = [[UNSHADED, UNSHADED, UNKNOWN], [UNKNOWN, SHADED, UNKNOWN]]
    highlights = {"because": [(0, 0), (0, 1)], "therefore": [(1, 1)]}
    picture = draw(borders=np.zeros((2, 3), int), state=state, struck=[(0, 0)], highlights=highlights)
    assert picture.alt == (
        "2 x 3 grid, 4 clues, 1 region, 1 cell shaded, 1 cell marked unshaded, 1 number crossed out, "
        "2 cells highlighted as because, 1 cell highlighted as therefore"
    )


def test_a_dot_marks_settled_cells_without_a_clue_only():
    assert len(find(draw(state=np.full((2, 3), UNSHADED)), "circle")) == 2
    assert not find(draw(state=np.full((2, 3), UNKNOWN)), "circle")


def test_a_struck_number_has_a_line_through_it():
    lines = [
        path.get("d") for path in find(draw(struck=[(0, 0), (1, 2)]), "path") if path.get("stroke") == pictures.STRUCK
    ]
    assert len(lines) == 2


def test_borders_as_labels_or_as_walls():
    labels = [[0, 1, 1], [0, 0, 1]]
    right = np.array([[True, False], [False, True]])
    down = np.array([[False, True, False]])
    assert draw(borders=labels, title="x").svg == draw(borders=(right, down), title="x").svg


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1)])
def test_narrow_grids(shape):
    picture = pictures.grid_picture(np.full(shape, 3), borders=np.arange(shape[0] * shape[1]).reshape(shape))
    assert len(find(picture, "text")) == shape[0] * shape[1]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"shading": [[0, 1]]}, "shading has shape (1, 2), the clues (2, 3)"),
        ({"state": [[0, 1]]}, "state has shape (1, 2)"),
        ({"borders": [[0, 1]]}, "borders are not for a 2 x 3 grid"),
        ({"struck": [(2, 0)]}, "struck: row 2, column 0 is outside a 2 x 3 grid"),
        ({"highlights": {"because": [(0, -1)]}}, "highlight 'because': row 0, column -1 is outside"),
        ({"highlights": {"why": []}}, "unknown highlight 'why'; choose from ['because', 'therefore', 'wrong']"),
    ],
)
def test_errors(options, message):
    with pytest.raises(ValueError) as error:
        draw(**options)
    assert message in str(error.value)


def test_side_by_side():
    one, two = draw(), draw(shading=[[0, 1, 0], [0, 0, 0]])
    row = pictures.side_by_side(one, two, captions=["the board", "the answer"])
    assert row.width > one.width + two.width and row.height > one.height
    assert row.alt == f"the board: {one.alt}; the answer: {two.alt}"
    assert [element.text for element in find(row, "text")][-1] == "the answer"
    assert pictures.side_by_side(one, two).height == one.height
    assert len(find(pictures.side_by_side(row, row), "text")) == 20  # rows of rows


@pytest.mark.parametrize("count, captions", [(0, None), (2, ["one"])])
def test_side_by_side_errors(count, captions):
    with pytest.raises(ValueError, match=r"at least one picture|1 captions for 2 pictures"):
        pictures.side_by_side(*[draw()] * count, captions=captions)


def test_saving(tmp_path):
    draw().save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == draw()._repr_svg_() + "\n"


def test_heat_tints_cells_and_sides_by_their_share():
    blank = [[NO_CLUE] * 3] * 2
    few, *_, many = heat.colours()
    cells = pictures.grid_picture(blank, heat=[[0, 0.5, 1], [0, 0, 0]])
    filled = {path.get("fill"): path.get("d") for path in find(cells, "path") if path.get("d")}
    assert filled[many] == "M64 0h32v32h-32z" and filled[few].count("M") == 4
    assert cells.alt.endswith("cells tinted by their share of all answers from 0 % to 100 %")
    sides = pictures.grid_picture(blank, heat=([[1, 0], [0, 0]], [[0, 0, 0.25]]))
    plates = [plate for plate in find(sides, "rect") if plate.get("rx")]
    assert [plate.get("fill") for plate in plates] == [many, *[few] * 5, heat.colours()[5]]
    assert (plates[0].get("x"), plates[0].get("y")) == ("21.5", "9.5")  # its middle is that of the side, (32, 16)
    for wrong in ([[0, 1]], [[0, 0.5, 1.5], [0, 0, 0]], [[0, 0, -1], [0, 0, 0]], ([[1, 0]], [[0, 0, 0]])):
        with pytest.raises(ValueError, match="heat"):
            pictures.grid_picture(blank, heat=wrong)


def texts(picture):
    return [element.text for element in find(picture, "text")]


def test_heat_has_a_scale_with_its_unit_and_numbers_where_there_is_room():
    picture = pictures.grid_picture([[NO_CLUE, 7, NO_CLUE]], heat=[[0.21, 0, 0.3449]])
    assert texts(picture) == ["21", "34", "7", "35 %", "17.5 %", "0 %", "of all answers"]  # none on the clue
    sides = pictures.grid_picture([[NO_CLUE, NO_CLUE]], heat=([[0.999]], np.zeros((0, 2))))
    assert texts(sides) == [">99", "100 %", "97.5 %", "95 %", "of all answers"]
    beside = pictures.grid_picture([[4, NO_CLUE]], heat=([[0.999]], np.zeros((0, 2))))
    assert texts(beside) == ["4", "100 %", "97.5 %", "95 %", "of all answers"]
    large = np.full((1, heat.NUMBERED + 1), NO_CLUE)
    assert texts(pictures.grid_picture(large, heat=np.full(large.shape, 0.5))) == [
        "55 %", "52.5 %", "50 %", "of all answers"
    ]  # fmt: skip
    alone = pictures.grid_picture([[1]], heat=(np.zeros((1, 0)), np.zeros((0, 1))))  # no side at all
    assert texts(alone) == ["1", "100 %", "50 %", "0 %", "of all answers"]


def test_colours_of_heat_are_even_and_readable():
    lightness = [heat._to_lab(colour)[0] for colour in heat.colours()]
    steps = -np.diff(lightness)
    assert steps.min() > 0.03 and np.ptp(steps) < 0.006  # rounding to whole steps of red, green and blue
    assert min(heat.contrast(pictures._ink(colour), colour) for colour in heat.colours()) > 4
    for colour in heat.STOPS:
        assert heat._to_hex(heat._to_lab(colour)) == colour


def test_frames_stand_out_on_whatever_they_are_drawn():
    """At least 3 to 1, the contrast that WCAG 2 asks of graphics: a frame with its tint, and on shading with the paper
    around it, which stands out from the shading.
    """
    for tint, frame, _ in pictures.HIGHLIGHTS.values():
        assert min(heat.contrast(frame, under) for under in (tint, pictures.PAPER)) >= 3
        assert heat.contrast(frame, pictures.INK) >= 3  # a band below a wall
    assert heat.contrast(pictures.PAPER, pictures.SHADE) >= 3
    assert heat.contrast(pictures.STRUCK, pictures.STRUCK_PAPER) >= 3
    plain = draw(shading=[[0, 1, 0], [0, 0, 0]], highlights={"because": [(0, 0)]})
    framed = draw(shading=[[0, 1, 0], [0, 0, 0]], highlights={"because": [(0, 0), (0, 1)]})
    around = [path for path in find(framed, "path") if path.get("stroke") == pictures.PAPER]
    assert [path.get("d") for path in around] == ["M35.5 3.5h25v25h-25z"]
    assert not [path for path in find(plain, "path") if path.get("stroke") == pictures.PAPER]


def test_regions_are_lettered_in_reading_order_in_their_first_free_cells():
    clues = [[1, NO_CLUE, NO_CLUE], [2, 3, NO_CLUE]]
    picture = pictures.grid_picture(clues, borders=[[5, 2, 2], [5, 0, 0]], regions=True)
    letters = [(text.text, text.get("x")) for text in find(picture, "text") if text.text.isalpha()]
    assert letters == [("A", "6.5"), ("B", "38.5"), ("C", "70.5")]


def test_no_wall_is_a_cross_and_never_a_bar():
    """A side that is known to have no wall, plain and highlighted, beside a wall that is highlighted too."""
    right, down = np.array([[True], [False]]), np.array([[False, False]])
    gaps = np.array([[False], [True]]), np.array([[True, False]])
    highlights = {"therefore": [(0, 0, "right"), (1, 0, "right")]}
    picture = pictures.grid_picture(np.full((2, 2), NO_CLUE), borders=(right, down), gaps=gaps, highlights=highlights)
    band = f'stroke="{pictures.HIGHLIGHTS["therefore"][1]}"'
    bars = [line for line in picture.svg.splitlines() if 'stroke-width="8"' in line]
    crosses = [line for line in picture.svg.splitlines() if 'stroke-width="2.5"' in line and band in line]
    (bar,), (cross,) = bars, crosses
    side = pictures.CELL
    assert f"M{side} 0v{side}" in bar and f"M{side} {side}v{side}" not in bar
    assert f"M{side - 5} {1.5 * side - 5:g}l10 10" in cross
    assert "2 sides marked with a cross: no wall" in picture.alt
