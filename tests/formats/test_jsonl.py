"""JSON boards: both forms of clues, errors with field and place."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from puzzlekit.boards import ASKED, NO_CLUE, jsonl


@given(
    st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(lambda s: arrays(np.int32, s, elements=st.integers(-2, 99)))
)
def test_round_trip(clues):
    record = json.loads(json.dumps({"clues": jsonl.write_clues(clues)}))
    assert (jsonl.read_clues(record) == clues).all()


def test_the_sparse_form():
    clues = jsonl.read_clues({"rows": 2, "cols": 3, "clues": [[0, 2, 7], [1, 0, None]]})
    assert clues.tolist() == [[NO_CLUE, NO_CLUE, 7], [ASKED, NO_CLUE, NO_CLUE]]
    assert (jsonl.read_clues({"rows": 2, "cols": 3, "clues": []}) == NO_CLUE).all()


@pytest.mark.parametrize(
    "record, message",
    [
        ([1], "a board is a JSON object, not [1]"),
        ({"genre": "usowan"}, "no field 'clues'; it has 'genre'"),
        ({"clues": 3}, "clues must be a list of rows, not 3"),
        ({"clues": []}, "clues must be a list of rows"),
        ({"clues": [[]]}, "row 0 has 0 cells"),
        ({"clues": [[1, 2], [3]]}, "clues: row 1 has 1 cells, row 0 has 2"),
        ({"clues": [[1, 2], [3, -1]]}, "clues: -1 at row 1, column 1"),
        ({"clues": [[1, 2], ["x", 1]]}, 'clues: "x" at row 1, column 0'),
        ({"clues": [[1.5]]}, "clues: 1.5 at row 0, column 0"),
        ({"clues": [[True]]}, "clues: true at row 0, column 0"),
        ({"clues": [[2**31]]}, "clues: 2147483648 at row 0, column 0"),
        ({"clues": [[None] * 101] * 100}, "too large"),
        ({"rows": 2, "clues": []}, "no field 'cols'"),
        ({"rows": 0, "cols": 2, "clues": []}, "rows must be a whole number of at least 1, not 0"),
        ({"rows": "2", "cols": 2, "clues": []}, 'rows: "2"'),
        ({"rows": 10**6, "cols": 10**6, "clues": []}, "too large"),
        ({"rows": 2, "cols": 2, "clues": {}}, "clues must be a list of [row, column, value], not {}"),
        ({"rows": 2, "cols": 2, "clues": [[0, 1]]}, "entry 0 is [0, 1], not [row, column, value]"),
        ({"rows": 2, "cols": 2, "clues": [[0, 2, 1]]}, "entry 0 is at row 0, column 2, outside 2 rows x 2 cols"),
        ({"rows": 2, "cols": 2, "clues": [[0, 0, 1], [0, 0, 2]]}, "entry 1 is a second clue at row 0, column 0"),
        ({"rows": 2, "cols": 2, "clues": [[0, 0, -2]]}, "clues: -2 at entry 0"),
    ],
)
def test_errors_name_field_and_place(record, message):
    with pytest.raises(ValueError) as error:
        jsonl.read_clues(record)
    assert message in str(error.value)


def test_a_field_of_whole_numbers():
    with pytest.raises(ValueError, match="regions: null at row 0, column 1 is not a whole number"):
        jsonl.read_field({"regions": [[0, None]]}, "regions")


def test_another_genre_is_refused():
    with pytest.raises(ValueError, match="genre: \"tasquare\" instead of 'usowan'"):
        jsonl.expect_genre({"genre": "tasquare"}, "usowan")
