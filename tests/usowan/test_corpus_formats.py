"""Usowan boards in and out: 223 boards that other people published, and boards of any shape."""

import corpus
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from puzzlekit.machinery.grid import pieces
from puzzlekit.usowan.rules import ASKED, NO_CLUE, Board


@st.composite
def boards(draw, largest):
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    clues = draw(arrays(np.int32, shape, elements=st.integers(ASKED, largest)))
    return Board(clues, pieces(draw(arrays(np.int32, shape, elements=st.integers(0, 2)))))


def test_published_urls_are_written_back_identically():
    records = [record for record in corpus.boards("usowan") if record["url"]]
    assert len(records) == corpus.number(220, 25)
    for record in records:
        board = Board.from_record(record)
        assert Board.from_url(record["url"]) == board
        assert board.to_url() == "https://puzz.link/p?" + record["url"]


def test_clues_above_4_have_no_url():
    records = [record for record in corpus.boards("usowan") if not record["url"]]
    assert len(records) == corpus.number(3, 5)
    for record in records:
        with pytest.raises(ValueError, match="does not fit into a URL"):
            Board.from_record(record).to_url()


def test_published_boards_and_answers_as_text():
    for record in corpus.boards("usowan"):
        board = Board.from_record(record)
        assert Board.from_text(board.to_text()) == Board.from_text(board.to_text(record["solution"])) == board
        assert Board.from_record(board.to_record()) == board


@given(boards(largest=4))
def test_url_round_trip(board):
    assert Board.from_url(board.to_url()) == board


@given(boards(largest=2000))
def test_text_and_record_round_trip(board):
    assert Board.from_text(board.to_text()) == Board.from_record(board.to_record()) == board


def test_a_board_by_hand():
    board = Board([[2, NO_CLUE, ASKED], [NO_CLUE, 1, NO_CLUE]], [[0, 0, 1], [0, 1, 1]])
    assert board.to_text() == "2 .|?\n  -\n.|1 ."
    assert board.to_text([[0, 1, 0], [0, 0, 0]]) == "2 #|?\n  -\n.|1 ."
    assert board.to_url() == "https://puzz.link/p?usoone/3/2/c87.gb"


def test_an_answer_that_shades_a_clue_has_no_text():
    with pytest.raises(ValueError, match="R1C1 is shaded and has a clue"):
        Board([[1, NO_CLUE]], [[0, 0]]).to_text([[1, 0]])


def test_picture_of_a_board_and_an_answer():
    board = Board([[1, NO_CLUE], [0, NO_CLUE]], [[0, 0], [1, 1]])
    assert board.picture().alt == "2 x 2 grid, 2 clues, 2 regions"
    assert board.picture([[0, 1], [0, 0]]).alt == "2 x 2 grid, 2 clues, 2 regions, 1 cell shaded"
    assert board.picture([[0, 0], [0, 1]]).alt.endswith("1 cell shaded, 2 numbers crossed out")
    assert board.picture(state=[[0, 2], [1, 1]]).alt.endswith("1 cell shaded, 1 cell marked unshaded")
    assert board._repr_svg_() == board.picture().svg
