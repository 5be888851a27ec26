"""puzz.link: addresses, borders, clues from 0 to 4; errors name what and where."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from puzzlekit.boards import ASKED, NO_CLUE, puzzlink

BODY = "8/6/abc"
SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))


@pytest.mark.parametrize(
    "url",
    [
        f"https://puzz.link/p?usoone/{BODY}",
        f"http://pzv.jp/p.html?usoone/{BODY}",
        f"https://pzprxs.vercel.app/p?usoone/{BODY}/",
        f"puzz.link/p?usoone/{BODY}",
        f"p.html?usoone/{BODY}",
        f"?usoone/{BODY}",
        f"usoone/{BODY}",
        f"  usoone/{BODY}/\n",
        f"https://puzz.link/p?usoone_edit/{BODY}",
        f"https://puzz.link/p?usoone/{BODY}&lang=en",
        f"https://puzz.link/p?lang=en&usoone/{BODY}",
        f"https://puzz.link/p?usoone/{BODY}#top",
        f"https://puzz.link/p?usoone/{BODY}/?utm_source=mail",
        f"<https://puzz.link/p?usoone/{BODY}>",
        f'"HTTPS://puzz.link/p?USOONE/{BODY}"',
        "https://puzz.link/p?usoone%2F8%2f6%2Fabc",
        f"https://puzz.link/p?usoone/v:/{BODY}",
    ],
)
def test_addresses_that_are_accepted(url):
    assert puzzlink.looks_like_url(url)
    assert puzzlink.name_of(url) == "usoone"
    assert puzzlink.split(url, ["usoone"]) == (6, 8, "abc")  # width comes first


@pytest.mark.parametrize(
    "url, message",
    [
        ("https://puzz.link/p?nurikabe/8/6/abc", "for 'nurikabe', not for usoone or usowan"),
        ("https://puzz.link/", "no board in it"),
        ("", "no board in it"),
        ("usoone/8/6/abc/d/e", "has 'd/e' after the body"),
        ("usoone", "must have cols/rows/body after 'usoone', but has 'nothing'"),
        ("usoone/8/6", "must have cols/rows/body after 'usoone', but has '8/6'"),
        ("usoone/8/6/abc/d", "has 'd' after the body"),
        ("usoone/0/6/abc", "cols must be a whole number of at least 1, not '0'"),
        ("usoone/8/-6/abc", "rows must be a whole number of at least 1, not '-6'"),
        ("usoone/8/six/abc", "rows must be a whole number of at least 1, not 'six'"),
        ("usoone/8/²/abc", "rows must be a whole number of at least 1, not '²'"),
        ("usoone/1000000/1000000/abc", "1000000 rows x 1000000 cols is too large; at most 10000 cells"),
        (f"usoone/{'9' * 5000}/1/abc", "cols is 999999999..., too large"),
        ("usoone/101/100/abc", "too large"),
    ],
)
def test_addresses_that_are_refused(url, message):
    with pytest.raises(ValueError) as error:
        puzzlink.split(url, ["usoone", "usowan"])
    assert message in str(error.value)


def test_a_character_of_borders_is_five_bits_high_bit_first():
    regions, end = puzzlink.read_regions(2, 3, "a0")  # 01010: right of column 1 in row 0, of column 1 in row 1
    assert regions.tolist() == [[0, 0, 1], [0, 0, 1]] and end == 2
    assert puzzlink.write_regions(regions) == "a0"


def test_a_dead_end_is_dropped():
    regions, _ = puzzlink.read_regions(2, 2, "g0")
    assert regions.tolist() == [[0, 0], [0, 0]]
    assert puzzlink.write_regions(regions) == "00"


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1)])
def test_borders_of_narrow_grids(shape):
    labels = np.arange(shape[0] * shape[1]).reshape(shape)
    written = puzzlink.write_regions(labels)
    regions, end = puzzlink.read_regions(*shape, written)
    assert (regions == labels).all() and end == len(written)


@given(SIZES.flatmap(lambda shape: arrays(np.int32, shape, elements=st.integers(0, 2))))
def test_borders_round_trip(labels):
    written = puzzlink.write_regions(labels)
    regions, end = puzzlink.read_regions(*labels.shape, written + "x")
    assert end == len(written)
    assert puzzlink.write_regions(regions) == written


@given(SIZES.flatmap(lambda shape: arrays(np.int32, shape, elements=st.integers(ASKED, 4))))
def test_clues_round_trip(clues):
    assert (puzzlink.read_clues4(*clues.shape, puzzlink.write_clues4(clues)) == clues).all()


def pzprjs_encode4(cells):
    """encode4Cell of pzprjs line by line, as a second way to the same string."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    count, text, c = 0, "", 0
    while c < len(cells):
        word, value = "", cells[c]
        if value >= 0:
            if c + 1 < len(cells) and cells[c + 1] != -1:
                word = digits[value]
            elif c + 2 < len(cells) and cells[c + 2] != -1:
                word, c = digits[5 + value], c + 1
            else:
                word, c = digits[10 + value], c + 2
        elif value == -2:
            word = "."
        else:
            count += 1
        if count == 0:
            text += word
        elif word or count == 20:
            text += digits[count + 15] + word
            count = 0
        c += 1
    return text + (digits[count + 15] if count else "")


@given(st.lists(st.sampled_from([NO_CLUE] * 12 + [ASKED, 0, 1, 2, 3, 4]), min_size=1, max_size=70))
def test_clues_are_written_as_pzprjs_writes_them(cells):
    assert puzzlink.write_clues4([cells]) == pzprjs_encode4(cells)


def test_runs_of_empty_cells_longer_than_one_character_holds():
    assert puzzlink.write_clues4([[NO_CLUE] * 45]) == "zzk"
    assert (puzzlink.read_clues4(1, 45, "zzk") == NO_CLUE).all()


@pytest.mark.parametrize(
    "body, message",
    [
        ("0", "ends after 1 characters, where a border code was expected"),
        ("0w", "character 1 of the body is 'w', not a border code (0 to v)"),
        ("00", "ends after 2 characters with 4 cells left to fill"),
        ("001", "with 3 cells left"),
        ("00f", "character 2 of the body is 'f', not a clue"),
        ("00A", "character 2 of the body is 'A', not a clue"),
        ("001é", "character 3 of the body is 'é', not a clue"),
        ("00k", "character 2 of the body, 'k', skips beyond the 4 cells"),
        ("00j1", "character 3 of the body is '1', but all 4 cells are filled"),
    ],
)
def test_a_broken_body_is_named(body, message):
    with pytest.raises(ValueError) as error:  # noqa: PT012 - either may refuse
        _, end = puzzlink.read_regions(2, 2, body)
        puzzlink.read_clues4(2, 2, body, start=end)
    assert message in str(error.value)


def test_a_clue_above_4_cannot_be_written():
    with pytest.raises(ValueError, match="clue 7 at row 1, column 0"):
        puzzlink.write_clues4([[1, 2], [7, 9]])


# numbers of any size


@pytest.mark.parametrize(
    "clue, written",
    [
        (0, "0"), (15, "f"), (16, "-10"), (99, "-63"), (255, "-ff"), (256, "+100"), (4095, "+fff"), (4096, "=000"),
        (8191, "=fff"), (8192, "%000"), (12239, "%fcf"), (12240, "*0000"), (77775, "*ffff"), (77776, "$00000"),
        (puzzlink.LARGEST16, "$fffff"), (ASKED, "."), (NO_CLUE, "g"),
    ],
)  # fmt: skip
def test_numbers_of_any_size(clue, written):
    assert puzzlink.write_clues16([[clue]]) == written
    assert puzzlink.read_clues16(1, 1, written).tolist() == [[clue]]


@given(arrays(np.int32, SIZES, elements=st.integers(ASKED, 20) | st.integers(0, puzzlink.LARGEST16) | st.just(NO_CLUE)))
def test_round_trip_of_numbers_of_any_size(clues):
    assert (puzzlink.read_clues16(*clues.shape, puzzlink.write_clues16(clues)) == clues).all()


def test_gaps_of_more_than_twenty_cells():
    clues = np.full((5, 9), NO_CLUE)
    assert puzzlink.write_clues16(clues) == "zzk"
    clues[4, 8] = 3
    assert puzzlink.write_clues16(clues) == "zzj3" and (puzzlink.read_clues16(5, 9, "zzj3") == clues).all()


@pytest.mark.parametrize(
    "body, message",
    [
        ("5", "the body ends after 1 characters with 3 cells left to fill"),
        ("5j1", "character 1 of the body, 'j', skips beyond the 4 cells"),
        ("5i1", "character 2 of the body is '1', but all 4 cells are filled"),
        ("-6", "the body ends after 2 characters, where a digit after '-' was expected"),
        ("-6g", "character 2 of the body is 'g', not a digit after '-' (0 to f)"),
        ("1!h", "character 1 of the body is '!', not a clue"),
        ("1F", "character 1 of the body is 'F', not a clue"),
        ("", "the body ends after 0 characters with 4 cells left"),
    ],
)
def test_numbers_that_are_refused(body, message):
    with pytest.raises(ValueError) as error:
        puzzlink.read_clues16(2, 2, body)
    assert message in str(error.value)


def test_a_number_too_large_for_a_url():
    with pytest.raises(ValueError, match="1126352 at row 0, column 1 does not fit into a URL; clues up to 1126351"):
        puzzlink.write_clues16([[NO_CLUE, puzzlink.LARGEST16 + 1]])
