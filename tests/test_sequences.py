"""Stored integer sequences: their form, their checks, and their terms counted again."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest
from oracles import usowan as oracle

from puzzlekit import tasquare, usowan
from puzzlekit.lab import datapackage, sequences
from puzzlekit.studies import most_shaded
from puzzlekit.usowan import maximal

DATA = Path(__file__).parents[1] / "data"
# counted again in a few seconds altogether; what is beyond is held to other tables and to residues below
CHEAP = {
    "nawabari_dissections": 20,
    "nawabari_distinct_1xn": 60,
    "nawabari_distinct_2xn": 40,
    "nawabari_distinct_3xn": 12,
    "nawabari_distinct_squares": 5,
    "nawabari_unique_1xn": 60,
    "nawabari_unique_2xn": 40,
    "nawabari_unique_3xn": 12,
    "nawabari_unique_squares": 5,
    "tasquare_answers": 12,
    "usowan_answers": 16,
    "usowan_fewest_maximal": 9,
    "usowan_fewest_maximal_answers": 9,
    "usowan_maximal": 11,
    "usowan_maximal_table": 105,
    "usowan_most_shaded": 14,
}
EARLIER = {
    "nawabari_dissections": "nawabari squares",
    "tasquare_answers": "tasquare squares",
    "usowan_answers": "usowan squares",
}
RECURRENCES = {
    "nawabari_distinct_1xn": 3,
    "nawabari_distinct_2xn": 17,
    "nawabari_unique_1xn": 6,
    "nawabari_unique_2xn": 50,
}
TURNED = [(usowan.diagram, (8, 12, 15)), (tasquare.diagram, (8, 10)), (maximal.diagram, (9, 10))]
PRIME = 2**61 - 1
START_AT_2 = ("usowan_most_shaded", "usowan_fewest_maximal", "usowan_fewest_maximal_answers")
GOOD = """# Squares
# OEIS: A000290, published to n = 2
# computed by: n ** 2
# checked 0..2: published
# checked 3..3: a; b
"""
TERMS = "0 0\n1 1\n2 4\n3 9\n"


def known(sequence):
    with open(DATA / "published" / "oeis.csv", newline="") as file:
        return {row["n"]: int(row["value"]) for row in csv.DictReader(file) if row["sequence"] == sequence}


@pytest.mark.parametrize("name", sequences.names())
def test_files_are_as_they_would_be_written(name):
    text = (DATA / "sequences" / f"{name}.txt").read_text("utf-8")
    assert sequences.to_text(sequences.read(name)) == text


def test_every_sequence_can_be_counted_and_every_check_is_explained():
    assert sequences.names() == sorted(sequences.TERMS) == sorted(CHEAP)
    readme = (DATA / "sequences" / "README.md").read_text("utf-8")
    for name in sequences.names():
        for _, _, checks in sequences.read(name).checks:
            for check in checks:
                words = re.sub(r"of order \d+", "of order k", check.removeprefix("missing: "))
                words = re.sub(r"\(\d+\)", "(k)", words)
                assert f"| {words} |" in readme or check == "missing: a second way", check


@pytest.mark.parametrize("name", sequences.names())
def test_terms_of_our_own_have_two_checks_or_say_what_is_missing(name):
    sequence = sequences.read(name)
    for n in sequence.terms:
        checks = sequence.checks_of(n)
        if sequence.published is not None and n <= sequence.published:
            assert ("published" in checks) != checks[0].startswith("not as published (")
        else:
            assert len(checks) >= 2 and len(set(checks)) == len(checks) and "published" not in checks


@pytest.mark.parametrize("name", sequences.names())
def test_cheap_terms_are_counted_again(name):
    frame = sequences.compare(name, CHEAP[name])
    assert frame["agrees"].all() and frame["n"].max() == CHEAP[name]


def test_published_terms():
    for name in sequences.names():
        sequence = sequences.read(name)
        if sequence.published is None:
            continue
        terms = known(sequence.oeis)
        for n in range(1, sequence.published + 1):
            index = "{},{}".format(*sequences.antidiagonal(n)) if name.endswith("_table") else str(n)
            if n not in sequence.terms:
                assert n == 1 and name in START_AT_2
            elif "published" in sequence.checks_of(n):
                assert sequence.terms[n] == terms[index], (name, n)
            else:
                assert (
                    sequence.checks_of(n)[0] == f"not as published ({terms[index]})"
                    and sequence.terms[n] != terms[index]
                )


@pytest.mark.parametrize("name", EARLIER)
def test_terms_computed_earlier(name):
    terms, earlier = sequences.read(name).terms, known(EARLIER[name])
    claimed = {n for n in terms if "computed earlier" in sequences.read(name).checks_of(n)}
    assert {n: terms[int(n)] for n in earlier} == earlier and max(claimed) == int(max(earlier, key=int))


def witnesses():
    """Of every stored table of the most shaded cells: size, and lines of # and dots."""
    for table in (name for name, known in datapackage.read(DATA).items() if known.table == "usowan/most_shaded"):
        for row in csv.DictReader((DATA / f"{table}.csv").read_text("utf-8").splitlines()):
            if row["witness"]:
                yield int(row["n"]), row["witness"].split("/")


def test_the_most_shaded_cells_are_proved_by_a_bound_and_a_witness():
    """The witness read and checked by plain Python: no two shaded cells touch, and what is unshaded is one piece."""
    terms, proved = sequences.read("usowan_most_shaded").terms, set()
    for n, lines in witnesses():
        assert [len(line) for line in lines] == [n] * n
        shaded = {(r, c) for r in range(n) for c in range(n) if lines[r][c] == "#"}
        assert not any((r + 1, c) in shaded or (r, c + 1) in shaded for r, c in shaded)
        assert oracle.is_one_region(n, n, [cell == "#" for line in lines for cell in line])
        if len(shaded) == terms[n] == most_shaded.bound(n):
            proved.add(n)
    assert proved == set(terms)


def test_boards_of_the_long_run():
    stored = [name for name, known in datapackage.read(DATA).items() if known.table == "nawabari/boards"]
    assert len(stored) > 1
    for table in stored:
        for row in csv.DictReader((DATA / f"{table}.csv").read_text("utf-8").splitlines()):
            rows, cols = map(int, row["grid"].split("x"))
            for what in ("distinct", "unique"):
                if rows <= 3 or rows == cols:
                    name = f"nawabari_{what}_" + ("squares" if rows == cols else f"{rows}xn")
                    assert sequences.read(name).terms[cols] == int(row[what])


@pytest.mark.parametrize("name", RECURRENCES)
def test_recurrences_give_the_terms_they_were_not_fitted_to(name):
    """By the algorithm of Berlekamp and Massey, in plain Python."""
    order = RECURRENCES[name]
    terms = [value % PRIME for value in sequences.read(name).terms.values()]
    fitted = shortest_recurrence(terms[: 2 * order])
    assert len(fitted) == order and len(terms) >= 2 * order + 25
    for n in range(order, len(terms)):
        assert sum(c * terms[n - 1 - i] for i, c in enumerate(fitted)) % PRIME == terms[n], n + 1


def shortest_recurrence(terms):
    """Coefficients c with terms[n] = c[0] terms[n - 1] + c[1] terms[n - 2] + ... modulo PRIME."""
    current, previous, length, gap, scale = [1], [1], 0, 1, 1
    for n, term in enumerate(terms):
        fault = (term + sum(c * terms[n - i] for i, c in enumerate(current[1 : length + 1], 1))) % PRIME
        if not fault:
            gap += 1
            continue
        before, factor = current[:], fault * pow(scale, -1, PRIME) % PRIME
        current += [0] * (len(previous) + gap - len(current))
        for i, c in enumerate(previous):
            current[i + gap] = (current[i + gap] - factor * c) % PRIME
        if 2 * length <= n:
            length, previous, scale, gap = n + 1 - length, before, fault, 1
        else:
            gap += 1
    return [-c % PRIME for c in current[1 : length + 1]]


@pytest.mark.parametrize("count, sides", TURNED)
def test_rectangles_beside_the_squares_turned(count, sides):
    for n in sides:
        assert count(n - 1, n, transpose=False).count() == count(n - 1, n, transpose=True).count()


@pytest.mark.parametrize("name", ["usowan_answers", "usowan_maximal", "tasquare_answers", "nawabari_dissections"])
def test_growth_settles(name):
    """On squares a(n) a(n-2) / a(n-1)**2 tends to a limit: a wrong digit in front would show."""
    ratios = [float(ratio) for ratio in sequences.steadiness(name)["ratio"]][-4:]
    steps = [abs(b - a) for a, b in pairwise(ratios)]
    assert max(steps) < 0.02 * ratios[-1], steps


def test_antidiagonals():
    pairs = [sequences.antidiagonal(n) for n in range(1, 106)]
    assert pairs == [(m, s - m) for s in range(2, 16) for m in range(1, s)]


def test_a_good_file():
    sequence = sequences.from_text("squares", GOOD + TERMS)
    assert (sequence.title, sequence.oeis, sequence.published, sequence.call) == ("Squares", "A000290", 2, "n ** 2")
    assert sequence.terms == {0: 0, 1: 1, 2: 4, 3: 9}
    assert sequence.checks_of(2) == ("published",) and sequence.checks_of(3) == ("a", "b")
    assert sequences.to_text(sequence) == GOOD + TERMS
    with pytest.raises(KeyError, match="no term 4; it has 0 to 3"):
        sequence.checks_of(4)


@pytest.mark.parametrize(
    "text, message",
    [
        (TERMS, "line 1: '0 0'"),
        (GOOD.replace("A000290, published", "published") + TERMS, "line 2"),
        (GOOD.replace("computed", "made") + TERMS, "line 3"),
        (GOOD + TERMS.replace("1 1", "1  1"), "line 7: '1  1' is out of place"),
        (GOOD + TERMS.replace("1 1\n", ""), "line 7: term 2 does not follow term 0"),
        (GOOD + TERMS + "# late\n", "line 10: '# late'"),
        (GOOD + TERMS + "\n4 16", "line 10"),
        (GOOD, "no terms"),
        (GOOD + TERMS + "4 16\n", "do not cover the terms 0 to 4"),
        (GOOD.replace("3..3", "2..3") + TERMS, "do not cover"),
    ],
)
def test_a_damaged_file_says_where(text, message):
    with pytest.raises(ValueError, match=message):
        sequences.from_text("squares", text)


def test_an_unknown_name():
    with pytest.raises(ValueError, match=r"no sequence 'primes' is stored; choose from .*'usowan_maximal'"):
        sequences.read("primes")


@pytest.mark.parametrize("name", ["usowan_answers", "usowan_maximal", "tasquare_answers", "nawabari_dissections"])
def test_choices_a_cell_have_no_digit_that_still_moves(name):
    ratios = sequences.steadiness(name, 20)["ratio"]
    shown = sequences.choices(name)
    digits = -shown.as_tuple().exponent
    assert digits <= 3 and {round(float(ratio) ** 0.5, digits) for ratio in ratios[-6:]} == {float(shown)}
    if digits < 3:
        assert len({round(float(ratio) ** 0.5, digits + 1) for ratio in ratios[-6:]}) > 1
    assert (sequences.choices("usowan_maximal", last=8), sequences.choices("usowan_maximal", last=10)) == (1, None)
