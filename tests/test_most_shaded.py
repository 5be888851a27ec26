"""The most cells of a Usowan answer: the bound, its parts, and answers that reach it."""

import numpy as np
import pytest

from puzzlekit import nawabari, tasquare, usowan
from puzzlekit.studies import most_shaded


@pytest.mark.parametrize("n", range(2, 13))
def test_the_bound_is_what_a_sweep_over_all_answers_finds(n):
    assert usowan.extremes(n, n).greatest.value == most_shaded.bound(n)


@pytest.mark.parametrize("n", range(2, 20))
def test_a_witness_is_an_answer(n):
    found = most_shaded.witness(n)
    board = usowan.Board(np.full((n, n), usowan.NO_CLUE), np.zeros((n, n), int))
    reading = usowan.RULES._replace(fewest=0, most=0)  # the board prints no number, so none of them is wrong
    assert usowan.check(board, found, reading) is None
    assert found.sum() == most_shaded.bound(n)


@pytest.mark.parametrize("n", range(3, 12))
def test_one_more_is_impossible_by_the_sweep_of_losses_as_well(n):
    assert most_shaded.witness(n, most_shaded.bound(n) + 1, width=10**6) is None


def _parts(answer):
    """g, c, u and t of the proof, from an answer alone."""
    n = len(answer)
    ring = [*answer[0, :-1], *answer[:-1, -1], *answer[-1, :0:-1], *answer[:0:-1, 0]]
    pairs = sum(not a and not b for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    corners = int(answer[[0, 0, -1, -1], [0, -1, 0, -1]].sum())
    points = answer[:-1, :-1] + answer[1:, :-1] + answer[:-1, 1:] + answer[1:, 1:]
    left, trees = {tuple(cell) for cell in np.argwhere(answer).tolist()}, 0
    while left:
        stack, inside = [left.pop()], True
        while stack:
            r, c = stack.pop()
            inside = inside and 0 < r < n - 1 and 0 < c < n - 1
            for there in ((r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1)):
                if there in left:
                    left.remove(there)
                    stack.append(there)
        trees += inside
    return pairs, corners, int((points == 0).sum()), trees


@pytest.mark.parametrize("n", range(2, 16))
def test_the_equation_of_the_proof_holds_in_every_answer_drawn(n):
    for answer in usowan.draw(n, n, 200, np.random.default_rng(n)):
        pairs, corners, points, trees = _parts(answer)
        loss = pairs + 2 * (4 - corners) + 2 * points + 2 * trees
        assert 6 * answer.sum() == 2 * n * n + 6 - loss


@pytest.mark.parametrize("n", [1, 0, 31])
def test_sizes_without_a_witness_are_refused(n):
    with pytest.raises(ValueError, match=rf"n must be from 2 to 30, not {n}"):
        most_shaded.witness(n)


@pytest.mark.parametrize("rows, cols", [(2, 5), (3, 4), (4, 3), (4, 4), (1, 6)])
def test_extremes_of_the_genres_against_all_answers(rows, cols):
    shaded = usowan.answers(rows, cols).sum(axis=(1, 2))
    rooms = nawabari.answers(rows, cols)
    walls = (np.diff(rooms, axis=1) != 0).sum(axis=(1, 2)) + (np.diff(rooms, axis=2) != 0).sum(axis=(1, 2))
    squares = tasquare.answers(rows, cols)
    corners = np.pad(squares, ((0, 0), (1, 0), (1, 0)))
    blocks = (squares & ~corners[:, :-1, 1:] & ~corners[:, 1:, :-1] & 1).sum(axis=(1, 2))
    for found, sums in (
        (usowan.extremes(rows, cols), shaded),
        (nawabari.extremes(rows, cols), rooms.max(axis=(1, 2)) + 1),
        (nawabari.extremes(rows, cols, "walls"), walls),
        (tasquare.extremes(rows, cols), squares.sum(axis=(1, 2))),
        (tasquare.extremes(rows, cols, "blocks"), blocks),
    ):
        assert found.least[:2] == (sums.min(), (sums == sums.min()).sum())
        assert found.greatest[:2] == (sums.max(), (sums == sums.max()).sum())


def test_witnesses_have_the_sum():
    ends = nawabari.extremes(3, 5, "walls", transpose=True)
    for end in ends:
        walls = (np.diff(end.witness, axis=0) != 0).sum() + (np.diff(end.witness, axis=1) != 0).sum()
        assert walls == end.value
    ends = usowan.extremes(5, 5, maximal_only=True)
    assert [int(end.witness.sum()) for end in ends] == [end.value for end in ends] == [5, 9]
    with pytest.raises(ValueError, match="what must be one of"):
        tasquare.extremes(3, 3, "walls")
