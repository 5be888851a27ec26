"""Diagrams of no genre: words of digits whose sum grows in wide keys, many choices, kinds of every sort."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from puzzlekit.machinery import frontier, limbs, memory, states

DIGITS = 5
LENGTH = 6


def _expand(kind, keys):
    """Words over 0..4 that never repeat a digit twice running; the key's second word sums their squares modulo 7."""
    after = np.zeros((len(keys), DIGITS, 2), np.uint64)
    digits = np.arange(DIGITS, dtype=np.uint64)
    after[:, :, 0] = digits + np.uint64(1)
    after[:, :, 1] = (keys[:, 1:] + digits * digits) % np.uint64(7)
    return after, after[:, :, 0] != keys[:, :1]


def _accept(keys):
    return keys[:, 1] == 3


def _words(**options):
    options = {"kinds": ["first", *["more"] * LENGTH]} | options
    return frontier.Diagram(start=[0, 0], expand=_expand, accept=_accept, **options)


WORDS = [
    word
    for word in product(range(DIGITS), repeat=LENGTH)
    if all(a != b for a, b in pairwise(word)) and sum(d * d for d in word) % 7 == 3
]


@pytest.fixture(params=["all kept", "few kept"])
def words(request, monkeypatch):
    if request.param == "few kept":
        monkeypatch.setattr(memory, "_KEEP", 0)
    return _words()


def test_paths_come_in_order(words):
    assert words.count() == len(WORDS)
    assert words.unrank(range(len(WORDS))).tolist() == [list(word) for word in WORDS]
    assert [len(part) for part in words.enumerate(chunk=500)] == [500] * (len(WORDS) // 500) + [len(WORDS) % 500]
    assert np.concatenate(list(words.enumerate(chunk=37))).tolist() == [list(word) for word in WORDS]


def test_marginals_and_expectation(words):
    exact = [[sum(word[i] == digit for word in WORDS) for digit in range(DIGITS)] for i in range(LENGTH)]
    assert words.marginals().tolist() == exact
    values = [[i * digit for digit in range(DIGITS)] for i in range(LENGTH)]
    mean = Fraction(sum(i * digit for word in WORDS for i, digit in enumerate(word)), len(WORDS))
    assert words.expected(values) == mean


def test_draws_are_paths_and_repeat_with_the_seed(words):
    drawn = words.draw(300, np.random.default_rng(3))
    assert set(map(tuple, drawn.tolist())) <= set(WORDS)
    assert (drawn == words.draw(300, np.random.default_rng(3))).all()
    assert words.draw(0, np.random.default_rng(3)).shape == (0, LENGTH)


def test_completions_count_what_is_left(words):
    for level in (3, 0, LENGTH, 1, 5, 2, 4):
        assert limbs.to_ints(words.completions(level))[0] == 0
    assert limbs.to_int(words.completions(0)[1]) == len(WORDS)


def test_kinds_may_be_shared_or_not():
    separate = _words(kinds=range(LENGTH + 1))
    assert separate.count() == len(WORDS)
    assert separate.states == _words().states == DIGITS * 7


def test_an_order_only_moves_places():
    order = [3, 0, 5, 1, 4, 2]
    moved = _words(order=order)
    assert moved.unrank([0, 77])[:, order].tolist() == _words().unrank([0, 77]).tolist()
    assert moved.marginals()[order].tolist() == _words().marginals().tolist()


def test_no_paths_at_all():
    none = frontier.Diagram(start=[0, 0], kinds="abc", expand=_expand, accept=lambda keys: np.zeros(len(keys), bool))
    assert none.count() == 0
    assert none.marginals().tolist() == [[0] * DIGITS] * 2
    assert list(none.enumerate()) == []
    with pytest.raises(ValueError, match="at least 1, not 0"):
        none.draw(1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="no answers"):
        none.expected(np.zeros((2, DIGITS), int))


def test_dead_ends_are_no_states():
    def nothing_allowed(kind, keys):
        return np.zeros((len(keys), 2, 1), np.uint64), np.zeros((len(keys), 2), bool)

    dead = frontier.Diagram(start=0, kinds=range(4), expand=nothing_allowed, accept=lambda keys: keys[:, 0] == 0)
    assert (dead.count(), dead.states) == (0, 1)


def test_many_limbs():
    def expand(kind, keys):
        return np.zeros((len(keys), 3, 1), np.uint64), np.ones((len(keys), 3), bool)

    free = frontier.Diagram(start=0, kinds="x" * 201, expand=expand, accept=lambda keys: keys[:, 0] == 0)
    assert free.count() == 3**200
    rank = sum(3 ** (199 - i) * (i % 3) for i in range(200))
    assert free.unrank([rank]).tolist() == [[i % 3 for i in range(200)]]
    assert free.unrank([3**200 - 1, 0]).tolist() == [[2] * 200, [0] * 200]
    assert (free.marginals() == 3**199).all()
    assert next(free.enumerate(chunk=2)).sum(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize("rank", [-1, len(WORDS), 2**200])
def test_ranks_out_of_range_are_named(rank):
    with pytest.raises(ValueError, match=f"rank {rank} is out of range: there are {len(WORDS)} answers"):
        _words().unrank([0, rank])


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(ValueError, match="followed by"):
        _words(kinds="ababac")
    with pytest.raises(ValueError, match="no layers"):
        _words(kinds="a")
    with pytest.raises(ValueError, match="no layers"):
        _words(order=[0, 0, 1, 2, 3, 4])
    with pytest.raises(ValueError, match="shape"):
        _words().expected([[1, 2]])


def test_residues(words):
    for modulus in (2, 7, 97, 1 << 48, 1 << 63):
        assert words.residue(modulus) == len(WORDS) % modulus
    for modulus in (1, 0, -1, (1 << 63) + 1, 2.0, True):
        with pytest.raises(ValueError, match=f"not {modulus}"):
            words.residue(modulus)


def test_tables_may_be_ready_made_and_layers_decide_several_places():
    """Words over 0 and 1 without two ones together: first two places at once, then one, and so on."""
    pairs = np.array([[0, 0, 0], [1, 2, 1], [1, 2, 0]], np.uint32)  # 00, 01, 10; state 2 is after a one
    single = np.array([[0, 0], [1, 2], [1, 0]], np.uint32)
    tables = states.Tables({"two": pairs, "one": single}, np.array([False, True, True]))
    digits = {"two": np.array([[0, 0], [0, 1], [1, 0]], np.uint8), "one": np.array([[0], [1]], np.uint8)}
    space = frontier.Diagram(tables=tables, kinds=["two", "one", "two", "one", "two"], digits=digits, most=100)
    exact = [word for word in product((0, 1), repeat=6) if (1, 1) not in pairwise(word)]
    assert space.count() == space.residue(1000) == len(exact) == 21
    assert space.unrank(range(21)).tolist() == [list(word) for word in exact]
    shaded = [sum(word[place] for word in exact) for place in range(6)]
    assert space.marginals().tolist() == [[21 - times, times] for times in shaded]
    assert space.expected([[0, 1]] * 6) == Fraction(sum(shaded), 21)
    moved = frontier.Diagram(
        tables=tables, kinds=["two", "one", "two", "one", "two"], digits=digits, order=[5, 3, 1, 0, 2, 4]
    )
    assert moved.unrank(range(21))[:, [5, 3, 1, 0, 2, 4]].tolist() == [list(word) for word in exact]
    assert moved.marginals()[[5, 3, 1, 0, 2, 4], 1].tolist() == shaded


def test_the_budget_is_stated_before_it_is_spent():
    with pytest.raises(MemoryError, match="bytes needed to find the states, the budget is 1,000"):
        _words(budget=1000)
    tight = _words()
    rows = {kind: len(table) for kind, table in tight._tables.items()}
    sizes = [
        memory.bytes_needed(rows, DIGITS, tight.kinds, DIGITS**LENGTH, walk, budget=1 << 30) for walk in (False, True)
    ]
    assert sizes[0] < sizes[1]
    tight.budget = sizes[0] - 1
    with pytest.raises(MemoryError, match=f"{sizes[0]:,} bytes needed to count, the budget is {sizes[0] - 1:,}"):
        tight.count()
    tight.budget = sizes[0]
    assert tight.count() == len(WORDS)
    with pytest.raises(MemoryError, match="bytes needed to keep the completions"):
        tight.marginals()
    tight.budget = 4 * sizes[1]
    assert len(tight.unrank(range(10))) == 10
    with pytest.raises(MemoryError, match="bytes needed for 100000 answers"):
        tight.draw(100_000, np.random.default_rng(0))


def test_states_by_the_hundred_thousand():
    def expand(kind, keys):  # every path its own state
        after = np.stack([keys * np.uint64(2), keys * np.uint64(2) + np.uint64(1)], axis=1)
        return after, np.ones((len(keys), 2), bool)

    tree = frontier.Diagram(start=1, kinds=range(18), expand=expand, accept=lambda keys: keys[:, 0] % np.uint64(3) == 0)
    assert tree.states == 2**17
    assert tree.count() == sum(key % 3 == 0 for key in range(2**17, 2**18))
