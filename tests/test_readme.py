"""The figures and the picture of README.md are those of data/: typed nowhere, recomputed here."""

from pathlib import Path

import pytest

from puzzlekit import usowan
from puzzlekit.lab import bank, measure, prose, sequences, tables
from puzzlekit.show import pictures

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SIZES = [6, 8, 10]
BOARDS = 10_000  # of each size, in the long runs


def percent(value):
    return f"{100 * value:.2f} %"


def of(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    (row,) = frame.to_dict("records")
    return row


def interval(row):
    return f"{percent(row['ours'])} ({percent(row['low'])} to {percent(row['high'])})"


ORDERS = "on the lowest rung alone, after all others, over all orders"


def by_order(row, shown):
    """What a rung is worth: joining the lowest rung alone, all the others, and over all orders with the interval."""
    first, last, mean, low, high = (shown(row[what]) for what in ("first", "last", "mean", "low", "high"))
    return f"{first}, {last}, {mean} ({low} to {high})"


def largest(terms):
    return f"{max(terms)}, a number of {len(str(terms[max(terms)]))} digits"


def usowan_rows():
    """The README's findings on Usowan: what, published, ours."""
    known = measure.Published("usowan")
    space = tables.load("usowan/space", sizes=list(range(1, 21)))
    sixteen = of(space, size="16x16")
    yield "answers of a 16 x 16 grid", "2.18 x 10^44 (its prose: 10^53)", f"{sixteen['answers']:,}"
    yield "largest square counted", "16", largest(sequences.read("usowan_answers").terms)
    yield (
        "shadings per answer at 16 x 16 without the one-region clause",
        f"{known['space/16x16/price']}",
        f"{sixteen['price']}",
    )
    added = tables.load("usowan/adding_true_numbers", sizes=SIZES, boards=BOARDS, top="connect")
    broken = of(added, size="all", outcome="second answer")
    yield "true numbers that give a board a second answer", "55 of 2,391: 2.30 %", interval(broken)
    boards = of(added, size="10x10", outcome="boards with second answer")
    yield "10 x 10 boards with such a cell", "20 of 36", interval(boards)
    middle = of(tables.load("usowan/both_readings", rows=6, cols=6), cell="middle", number=0)
    share = percent(middle["honest share"])
    yield (
        "an honest 0 in the middle of 6 x 6",
        f"{percent(known['number/0/honest'])} of all answers",
        (f"{share} of all, {percent(middle['honest share where unshaded'])} of those where a number can be"),
    )
    lies = of(tables.load("usowan/self_announcing", sizes=SIZES, boards=BOARDS), size="all")
    yield "lies that announce themselves", "404 of 1,393: 29.00 %", interval(lies)
    ruled = of(tables.load("usowan/ruled_out", rows=6, cols=6, boards=BOARDS), outcome="count")
    left = ruled["of"] - ruled["hits"] - BOARDS
    yield (
        "readings of 6 x 6 boards judged, and wrong ones that outlast plain arithmetic",
        "10,335 and 9",
        f"{ruled['of']:,} and {left:,}",
    )
    rungs = tables.load("usowan/rungs", sizes=SIZES, boards=BOARDS)
    region = of(rungs, size="10x10", rung="region", what="finished")
    yield "10 x 10 boards finished by the ladder up to `region`", "9 of 36", interval(region)
    count = of(tables.load("usowan/orders", sizes=SIZES, boards=BOARDS), size="10x10", rung="count")
    what = f"share of a 10 x 10 grid that the rung `count` settles: {ORDERS}"
    yield what, "", by_order(count, lambda share: f"{100 * share:.1f} %")
    counts = of(
        tables.load("usowan/misreading_answers", sizes=SIZES, boards=BOARDS), size="10x10", misreading="none wrong"
    )
    yield "most answers of a 10 x 10 board if a region may be honest", "(its count stops at 12)", f"{counts['most']:,}"
    full = sequences.read("usowan_maximal")
    published, last = f"{full.published} (OEIS {full.oeis})", max(full.terms)
    yield "largest square whose maximal shadings are counted", published, f"{last}: {full.terms[last]:,}"
    fullest = sequences.read("usowan_most_shaded")
    checks = {n: fullest.checks_of(n)[0] for n in fullest.terms}
    first, *others = (n for n in fullest.terms if checks[n].startswith("not as published"))
    yield (
        f"most shaded cells of a {first} x {first} answer, proved",
        f"{checks[first].split('(')[1].rstrip(')')} (OEIS {fullest.oeis})",
        f"{fullest.terms[first]}; more than published also at {prose.listed(others)}",
    )
    bounds = tables.load("usowan/growth", widths=list(range(1, 17)))
    yield (
        "factor by which each further cell of a large grid multiplies the answers, proved",
        "",
        f"between {max(bounds['lower'])} and {min(bounds['upper'])}",
    )


def tasquare_rows():
    known = measure.Published("tasquare")
    clauses = tables.load("tasquare/clauses", sizes=list(range(4, 15)))
    prices = {
        reading: of(clauses, size="8x8", reading=reading)["price"] for reading in ("any blocks", "white may split")
    }
    yield (
        "answers of a 12 x 12 grid",
        f"{known['space/12x12/answers']:,}",
        f"{of(clauses, size='12x12', reading='both clauses')['answers']:,}",
    )
    yield (
        "price of the square clause and of the one-region clause, 8 x 8",
        "165,127 and 5.20",
        (f"{prices['any blocks']:,.0f} and {prices['white may split']}"),
    )
    before, after = (known[f"pruning/8x8/{rung}/median"] for rung in ("prune", "white"))
    white = of(tables.load("tasquare/worth_searched", sizes=[6, 8], boards=100, cap=1000), size="8x8", rung="white")
    yield (
        f"halvings of the guesses at 8 x 8 by the rung of the one-region clause: {ORDERS}",
        f"one order: the median from {before} guesses to {after}",
        by_order(white, str),
    )
    positions = of(tables.load("tasquare/positions", position_sizes=[6, 8], boards=BOARDS), size="6x6")
    yield (
        "answers left by the places of a 6 x 6 board's numbers alone, of 2,804,105",
        "10,692",
        (f"{positions['ours']:,.0f} ({positions['low']:,.0f} to {positions['high']:,.0f})"),
    )
    busy = tables.load("tasquare/crowding", sizes=[6, 8, 10], draws=10000, seed=1, boards=BOARDS)
    row = of(busy, size="6x6", answers="banked boards")
    yield (
        "shaded cells of 6 x 6 boards of the bank, over the exact mean of all answers",
        "1.158",
        f"{row['over exact']}",
    )
    printable = of(tables.load("tasquare/printable", printable_to=6), size="6x6")
    drawn, share = known.trials["full board/6x6/unique"], known["full board/6x6/unique"]
    yield (
        "6 x 6 answers that can be printed at all",
        f"{share * drawn} of {drawn} drawn: {percent(float(share))}",
        f"{printable['printable']:,} of {printable['answers']:,}: {percent(printable['share'])}",
    )
    yield "shaded cells of these, over the exact mean of all answers", "", f"{printable['over exact']}"


def nawabari_rows():
    known = measure.Published("nawabari")
    squares = sequences.read("nawabari_dissections").terms
    yield "dissections of a 9 x 9 grid", f"{known['space/9x9/dissections']:,}", f"{squares[9]:,}"
    yield "largest square counted", "9 (12 in the OEIS)", largest(squares)
    placed = tables.load("nawabari/placements", sizes=[6, 8], answers_of=[1000, 30])
    six = of(placed, size="6x6")
    yield (
        "placements of a 6 x 6 answer that make a puzzle",
        "19.54 %",
        f"{percent(six['mean'])} ({percent(six['low'])} to {percent(six['high'])})",
    )
    inside = of(tables.load("nawabari/slides_by_seat", sizes=[6, 8], boards=BOARDS), size="all", outcome="inside")
    yield (
        "numbers slid strictly inside a room that keep the board unique",
        "62.3 % of 175",
        f"{interval(inside)} of {inside['of']:,}",
    )
    boards = of(tables.load("nawabari/boards", board_grids=["4x7", "4x8", "5x6"]), grid="5x6")
    yield "5 x 6 boards with exactly one answer", "", f"{boards['unique']:,}"


def rows():
    return [*usowan_rows(), *tasquare_rows(), *nawabari_rows()]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_findings_are_those_of_data(row):
    assert f"| {' | '.join(row)} |" in README


def test_the_finding_in_front_is_that_of_data():
    added = tables.load("usowan/adding_true_numbers", sizes=SIZES, boards=BOARDS, top="connect")
    broken = of(added, size="10x10", outcome="boards with second answer")
    assert f"Of the 10 x 10 boards,\n{percent(broken['ours'])} have a cell where that happens." in README


def test_picture_is_the_first_board():
    found = bank.load("usowan", 6, 6, 1)
    board, answer = found.boards[0], found.answers[0]
    picture = pictures.side_by_side(
        board.picture(), board.picture(answer), captions=["the board", "the answer, lies struck"]
    )
    assert (ROOT / "reports" / "usowan_board.svg").read_text("utf-8").strip() == picture.svg.strip()
    assert usowan.check(board, answer) is None
