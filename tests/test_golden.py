"""Behaviour is what it was when it was last stored: see golden.py."""

import json

import corpus
import golden
import pytest

from puzzlekit import GENRES

STORED = json.loads(golden.FILE.read_text("utf-8"))


@pytest.mark.full
@pytest.mark.parametrize("question", golden.QUESTIONS, ids=lambda question: question.__name__)
@pytest.mark.parametrize("genre", GENRES)
def test_behaviour_is_what_was_stored(genre, question):
    found = golden.digests(golden.values(genre, (question.__name__,)))
    assert found == {key: STORED[key] for key in found}


def test_every_set_is_stored():
    names = [name for genre in GENRES for name, _, at, _ in golden.sets(genre)]
    expected = {f"{name}: {question.__name__}" for name in names for question in golden.QUESTIONS}
    reach = golden.QUESTIONS[golden.explained]
    expected -= {f"{genre} 10 x 10: explained" for genre in GENRES if not reach[2]}
    stored = {key for key in STORED if corpus.FOLDER == corpus.PEOPLE or "by people" not in key}
    assert stored == expected


def test_a_change_of_one_figure_changes_a_digest():
    rows = [("a", "solved", 0, "[1, 2]"), ("a", "solved", 1, "[3]"), ("b", "solved", 0, "[1, 2]")]
    one, other = golden.digests(iter(rows)), golden.digests(iter([*rows[:1], ("a", "solved", 1, "[4]"), rows[2]]))
    assert set(one) == {"a: solved", "b: solved"} and one["a: solved"] != other["a: solved"]
    assert one["b: solved"] == other["b: solved"]
