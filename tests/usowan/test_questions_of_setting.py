"""What setting a board takes, and what a frontier tells apart, against the bank and against slower roads."""

import corpus
import numpy as np
import pytest

from puzzlekit import read, usowan
from puzzlekit.lab import bank, tables
from puzzlekit.usowan import profile, questions, setter


def test_boards_are_those_of_the_bank_and_passes_are_counted():
    stored = bank.load("usowan", 6, 6, 12)
    found = questions.passes(6, 6, bank.SEED, 0, 12)
    assert [row["numbers"] for row in found] == [board.numbers for board in stored.boards]
    for index, row in enumerate(found):
        rng = bank.board_rng(bank.SEED, 6, 6, index)
        assert setter.made(6, 6, rng) == (stored.boards[index], row["passes"])
        assert row["passes"] >= 2  # the last one rubs out nothing


def test_a_board_that_cannot_lose_a_number_takes_one_pass():
    stored = bank.load("usowan", 6, 6, 5)
    for board, answer in zip(stored.boards, stored.answers, strict=True):
        assert setter.minimised(board, answer, np.random.default_rng(0)) == (board, 1)


def test_readings_of_those_boards_that_need_probe(monkeypatch):
    harder = usowan.make(6, 6, np.random.default_rng([5, 6, 6, 0]), hardest="probe")
    records = [board.to_record() for board in (bank.load("usowan", 6, 6, 1).boards[0], harder)]
    (found,) = questions.readings_that_need_probe(records)
    assert found == {"size": "6x6", "cells": 36} | questions.what_rules_out_readings(harder)
    monkeypatch.setattr(questions, "LARGEST", 35)
    assert questions.readings_that_need_probe(records) == []


@corpus.needs_people
def test_readings_of_peoples_boards_are_those_that_are_kept():
    """Of the smaller boards, as the table has them."""
    records = [read(record, "usowan").to_record() for record in corpus.boards("usowan") if record["rows"] <= 7]
    found, kept = questions.readings_that_need_probe(records), tables.load("usowan/ruled_out_people")
    for size in ("4x4", "5x5", "6x6", "7x7"):
        of_size = [row for row in found if row["size"] == size]
        hits = kept[kept["size"] == size].set_index("outcome")["hits"]
        assert {fate: sum(row[fate] for row in of_size) for fate in questions.FATES} == hits[
            list(questions.FATES)
        ].to_dict()
        assert sum(row["search"] > 0 for row in of_size) == hits["boards with search"]


def test_hard_readings_are_of_boards_that_need_probe():
    (found,) = questions.hard_readings(6, 6, 5, 0, 1)
    board = usowan.make(6, 6, np.random.default_rng([5, 6, 6, 0]), hardest="probe")
    assert found == questions.what_rules_out_readings(board) and not usowan.climb(board, "connect").finished


@pytest.mark.parametrize("rows, cols", [(2, 2), (3, 3), (4, 4), (4, 5)])
def test_labels_are_those_of_every_prefix_of_every_answer(rows, cols):
    """Sweep each answer cell by cell; regions of its unshaded cells so far that touch the frontier."""
    most = 0
    for answer in profile.answers(max(rows, cols), min(rows, cols)):
        lines, across = answer.shape
        for seen in range(1, lines * across + 1):
            unshaded = {divmod(cell, across) for cell in range(seen) if not answer.ravel()[cell]}
            frontier = {divmod(cell, across) for cell in range(max(0, seen - across), seen)} & unshaded
            pieces = 0
            while frontier:
                pieces += 1
                pending = [frontier.pop()]
                reached = set()
                while pending:
                    r, c = pending.pop()
                    if (r, c) in unshaded - reached:
                        reached.add((r, c))
                        pending += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
                frontier -= reached
            most = max(most, pieces)
    assert profile.most_labels(rows, cols) == most
