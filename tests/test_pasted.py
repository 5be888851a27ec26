"""Links as they are pasted and piped: read as their board, or refused, never as another board."""

import json
import warnings
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit import GENRES, nawabari, read, tasquare, usowan
from puzzlekit.boards import detect as reading
from puzzlekit.boards.detect import read_all

ROOT = Path(__file__).parents[1]
URL = "https://puzz.link/p?usoone/2/2/00bg"
USOWAN = usowan.Board([[1, -1], [-1, -1]], [[0, 0], [0, 0]])
MAILED = "https://puzz.link/p?tasquare/6/6/1g.i4j1i3j5i5j.i2g1"
ANSWERED = "https://puzz.link/p?type=editor&pzprv3/tasquare/2/2/1%20%23%20/.%20%2B%20//"


@pytest.fixture(autouse=True)
def nothing_is_restored():
    """A warning is a failure, but where it is expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", reading.RestoredWarning)
        yield


@pytest.mark.parametrize(
    "pasted",
    [
        "puzz.link/p?http://pzv.jp/p.html?usoone/2/2/00bg",
        "https://swaroopg92.github.io/penpa-edit/?puzz=" + URL,
        "https://swaroopg92.github.io/penpa-edit/?puzz=" + quote(URL, safe=""),
        "https://www.example.org/url?q=" + quote(URL, safe="") + "&sa=D&ved=2",
        "https://www.example.org/url?q=" + quote(quote(URL, safe=""), safe=""),
        "p%3Fusoone%2F2%2F2%2F00bg", "puzz.link/p%3fusoone%2f2%2f2%2f00bg",
        f"({URL})", f"[b]({URL})", f"{URL},", f"{URL}.", f"{URL}!", f"**{URL}**", f"*{URL}*", f"_{URL}_", f"__{URL}__",
        f"~~{URL}~~",
        f"「{URL}」", f"{URL}」", f"（{URL}）", f"{URL} thanks", f"Try {URL}, it is short.", f"{URL}\u200b",
        f"\u2066{URL}\u2069",
        f"<{URL}>", f"[url]{URL}[/url]", f"[url={URL}]b[/url]", f'<a href="{URL}&amp;x=1">b</a>', f"`{URL}`",
        f"||{URL}||", f"{URL}...",
        f"> {URL}\n> thanks", "https://puzz.link/p?usoone/2/\n2/00bg", "https://puzz.link/p?usoone/2/2/0\n0bg",
        "https://puzz.link/p?usoone/2/2/0=\n0bg", "> https://puzz.link/p?usoone/2/2/0\n> 0bg", f"{URL}です",
        f"{URL}\nHave fun",
        "https://puzz.link/p?usoone_edit/2/2/00bg",
    ],
)  # fmt: skip
def test_links_as_they_are_pasted(pasted):
    assert read(pasted) == USOWAN
    assert read_all(pasted) == [USOWAN]


@pytest.mark.parametrize("at", range(len("https://puzz.link/p?tasquare/6"), len(MAILED)))
@pytest.mark.parametrize("wrap", ["\n", "=\n", "\n> ", "\r\n"])
def test_a_link_broken_by_mail(at, wrap):
    assert read(MAILED[:at] + wrap + MAILED[at:]) == read(MAILED)


def test_a_link_of_the_editor_carries_what_is_filled_in():
    for link in (ANSWERED, f"({ANSWERED})", "https://www.example.org/?q=" + quote(ANSWERED, safe="")):
        board, partial = reading.read_partial(link)
        assert board == tasquare.Board([[1, -1], [-1, -1]]) and partial.tolist() == [[1, 2], [0, 1]]


@pytest.mark.parametrize(
    "pasted, message",
    [
        ("(https://puzz.link/p?usoone/2/2/00)", "with 4 cells left to fill; the link was read as 'usoone/2/2/00'"),
        (
            f"{URL}thanks",
            "character 4 of the body is 't', but all 4 cells are filled; the link was read as 'usoone/2/2/00bgthanks'",
        ),
        ("see https://puzz.link/p?nurikabe/2/2/g", "for 'nurikabe', not for usoone"),
        (f"{URL} or {MAILED}", "there are 2 boards here"),
    ],
)
def test_what_stays_unreadable_is_quoted(pasted, message):
    with pytest.raises(ValueError) as error:
        read(pasted)
    assert message in str(error.value)


# dots at the end


@pytest.mark.parametrize("board", [tasquare.Board([[1, -1], [-1, -2]]), nawabari.Board([[3, -1], [-1, -2]]),
                                   usowan.Board([[1, -1], [-1, -2]], [[0, 0], [0, 0]])],
                                   ids=lambda board: board.genre)  # fmt: skip
def test_a_last_dot_has_a_slash_after_it_and_is_put_back_when_it_was_lost(board):
    url = board.to_url()
    assert url.endswith("./") and read(url) == read(url[:-1]) == read(f"{url}.") == read(f"{url[:-1]}.") == board
    with pytest.warns(reading.RestoredWarning, match="its last dot was lost and is put back, as that fills the grid"):
        assert read(url[:-2]) == board
    with pytest.raises(ValueError, match="cells left to fill"):
        read(f"{url[:-2]}/")  # the slash says that nothing was lost


def test_every_stored_link_is_written_again_as_it_was():
    count = 0
    for file in sorted((ROOT / "data" / "banks").glob("*.jsonl")):
        for line in file.read_text().splitlines()[1:40]:
            url = json.loads(line)["url"]
            assert read(url).to_url().partition("?")[2] == url
            count += 1
    assert count > 100


# whatever surrounds a link


@st.composite
def boards(draw):
    genre = draw(st.sampled_from(sorted(GENRES)))
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    largest = 4 if genre == "usowan" else 6 if genre == "nawabari" else 300
    value = st.sampled_from([-1, -1, -2]) | st.integers(0, largest)
    clues = [[draw(value) for _ in range(cols)] for _ in range(rows)]
    board = GENRES[genre].Board
    return board(clues, [[0] * cols] * rows) if board.prints_regions else board(clues)


WRAPPERS = [
    ("", ""), ("(", ")"), ("[b](", ")"), ("**", "**"), ("*", "*"), ("_", "_"), ("__", "__"), ("~~", "~~"), ("`", "`"),
    ("||", "||"), ("<", ">"),
    ('"', '"'), ("'", "'"), ("「", "」"), ("『", "』"), ("（", "）"), ("【", "】"), ("[url]", "[/url]"),
    ("[url=", "]b[/url]"), ("> ", "\n> bye"),
    ('<a href="', '">b</a>'), ("", ","), ("", "."), ("", "!"), ("", "?"), ("", "..."), ("", ";"), ("", ":"), ("", "。"),
    ("", "、"), ("", "\u200b"),
    ("\u200b", ""), ("\ufeff", ""), ("\u2066", "\u2069"), ("", " thanks"), ("Look: ", "\nBest,\nA."), ("", "\nnice"),
    ("- ", ""), ("1. ", ""),
    ("", "&lang=en"), ("", "#top"), ("", "?utm_source=x"), ("https://x.org/?u=", ""), ("p?", ""), ("", "です"),
    ("", "\n-- \nA"), ("", "\nThanks!"),
]  # fmt: skip
ENCODERS = [
    *[str] * 3,
    lambda url: quote(url, safe=""),
    lambda url: url.replace("https://puzz.link/p?", "http://pzv.jp/p.html?"),
    lambda url: url.removesuffix("/"),
    lambda url: url.partition("?")[2],
]


@given(boards(), st.sampled_from(ENCODERS), st.lists(st.sampled_from(WRAPPERS), max_size=3))
def test_whatever_surrounds_a_link_it_is_that_board_or_refused(board, encode, wrappers):
    pasted = encode(board.to_url())
    for before, after in wrappers:
        pasted = f"{before}{pasted}{after}"
    try:
        found = read_all(pasted)
    except ValueError:
        return
    assert found == [board], pasted


@given(boards(), st.sampled_from([pair for pair in WRAPPERS if pair[1] != "nice"]))
def test_one_wrapper_is_always_read(board, wrapper):
    before, after = wrapper
    assert read_all(f"{before}{board.to_url()}{after}") == [board]


def test_several_links_in_one_text(tmp_path):
    text = f"Two for today:\n1. {URL}\n2. ({MAILED})\nEnjoy!\n"
    (tmp_path / "two.txt").write_text(text, encoding="utf-8")
    assert read_all(text) == read_all(tmp_path / "two.txt") == [USOWAN, read(MAILED)]
    with pytest.raises(ValueError, match="there are 2 boards here, where one is needed"):
        read(tmp_path / "two.txt")
    with pytest.raises(ValueError, match=r"the text, line 3: .* cells left to fill"):
        read_all(text.replace(".i2g1", "/"))
