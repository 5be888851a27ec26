"""Boards made by other people, in ../shared/corpus beside the repository: test data, and not everybody has them."""

import json
from functools import lru_cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpus"


@lru_cache
def boards(genre):
    """Records of a genre's board file, a list of dicts; the test is skipped when the folder is not there."""
    return _lines(f"{genre}.jsonl")


@lru_cache
def checks(genre):
    """Records of checks.jsonl for a genre: small boards, an answer each, and the first clause that it breaks."""
    return [record for record in _lines("checks.jsonl") if record["genre"] == genre]


def _lines(name):
    if not (FOLDER / name).exists():
        pytest.skip(f"no corpus: ../shared/corpus/{name} is not beside this repository")
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
