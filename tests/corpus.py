"""Boards made by other people, in ../shared/corpus beside the repository: test data that not everybody has. Elsewhere
our own stand in.
"""

import json
from functools import lru_cache
from pathlib import Path

import pytest

PEOPLE = Path(__file__).resolve().parents[2] / "shared" / "corpus"
OWN = Path(__file__).resolve().parent / "boards"
FOLDER = PEOPLE if PEOPLE.exists() else OWN
needs_people = pytest.mark.skipif(
    FOLDER == OWN, reason="figures of boards that other people made: ../shared/corpus is not beside this repository"
)


def number(people, own):
    """What a test counts among the boards of other people, or among our own."""
    return own if FOLDER == OWN else people


@lru_cache
def boards(genre):
    """Records of a genre's board file, a list of dicts."""
    return _lines(f"{genre}.jsonl")


@lru_cache
def checks(genre):
    """Records of checks.jsonl for a genre: small boards, an answer each, and the first clause that it breaks."""
    return [record for record in _lines("checks.jsonl") if record["genre"] == genre]


def ended(url):
    """A URL as it is written: with a slash after an end that a chat program may take for the sentence's, only there."""
    url = url.removesuffix("/")
    return url if url[-1].isalnum() else f"{url}/"


def _lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
