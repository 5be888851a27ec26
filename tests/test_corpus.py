"""Boards and checks that other people published, through the public functions and every format."""

import json

import corpus
import numpy as np
import pytest

from puzzlekit import GENRES, read
from puzzlekit.boards.detect import read_all, read_partial


@pytest.mark.parametrize("genre", GENRES)
def test_every_board_in_every_format(genre):
    for record in corpus.boards(genre):
        board = read(record, genre)
        assert board.genre == genre
        ways = [board.to_pzprv3(), json.dumps(board.to_record()), f"{genre}\n{board.to_text()}"]
        if record["url"]:
            assert read(record) == board  # the URL says which genre it is
            ways += [record["url"], f"http://pzv.jp/p.html?{record['url']}/", f"https://puzz.link/p?{record['url']}"]
            assert board.to_url() == "https://puzz.link/p?" + corpus.ended(record["url"])
        for way in ways:
            assert read(way) == board, record["id"]


@pytest.mark.parametrize("genre", GENRES)
def test_every_answer_as_a_file_of_pzprjs(genre):
    package = GENRES[genre]
    for record in corpus.boards(genre):
        if not record["unique"]:
            continue
        board, answer = read(record, genre), np.array(record["solution"])
        if genre == "nawabari":
            partial = package.Walls(
                *(2 * part for part in map(np.uint8, (answer[:, 1:] != answer[:, :-1], answer[1:] != answer[:-1])))
            )
        else:
            partial = answer + 1
        again, found = read_partial(board.to_pzprv3(partial))
        assert again == board
        if genre == "nawabari":
            assert found is None or all((a == b).all() for a, b in zip(found, partial, strict=True))
        else:
            assert (found == partial).all()


@pytest.mark.parametrize("genre", GENRES)
def test_every_check(genre):
    package = GENRES[genre]
    for record in corpus.checks(genre):
        board = read(record["board"], genre)
        answer = package.Walls(**record["answer"]) if genre == "nawabari" else record["answer"]
        assert package.check(board, answer) == record["expect"], record["id"]
        assert read(board.to_pzprv3()) == board


@pytest.mark.parametrize("genre", GENRES)
def test_a_file_of_boards(genre):
    records = corpus.boards(genre)
    assert read_all(corpus.FOLDER / f"{genre}.jsonl", genre) == [read(record, genre) for record in records]
