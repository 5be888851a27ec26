"""The figures and the picture of README.md are those of data/: typed nowhere, recomputed here."""

from pathlib import Path

import pytest

from puzzlekit import bank, measure, pictures, tables, usowan

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SIZES = [6, 8, 10]


def percent(value):
    return f"{100 * value:.2f} %"


def of(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    (row,) = frame.to_dict("records")
    return row


def interval(row):
    return f"{percent(row['ours'])} ({percent(row['low'])} to {percent(row['high'])})"


def rows():
    """The README's findings: what, published, ours."""
    known = measure.Published("usowan")
    space = tables.load("usowan/space", sizes=list(range(1, 17)))
    sixteen = of(space, size="16x16")
    yield "answers of a 16 x 16 grid", "2.18 x 10^44 (its prose: 10^53)", f"{sixteen['answers']:,}"
    yield "shadings per answer at 16 x 16 without the one-region clause", f"{known['space/16x16/price']}", f"{sixteen['price']}"
    added = tables.load("usowan/adding_true_numbers", sizes=SIZES, boards=1000, top="connect")
    broken = of(added, size="all", outcome="second answer")
    yield "true numbers that give a board a second answer", "55 of 2,391: 2.30 %", interval(broken)
    boards = of(added, size="10x10", outcome="boards with second answer")
    yield "10 x 10 boards with such a cell", "20 of 36", interval(boards)
    middle = of(tables.load("usowan/both_readings", rows=6, cols=6), cell="middle", number=0)
    share = percent(middle["honest share"])
    yield "an honest 0 in the middle of 6 x 6", f"{percent(known['number/0/honest'])} of all answers", (
        f"{share} of all, {percent(middle['honest share where unshaded'])} of those where a number can be"
    )
    lies = of(tables.load("usowan/self_announcing", sizes=SIZES, boards=1000), size="all")
    yield "lies that announce themselves", "404 of 1,393: 29.00 %", interval(lies)
    ruled = [of(tables.load("usowan/ruled_out", rows=n, cols=n, boards=1000), outcome="count") for n in SIZES]
    left = sum(row["of"] - row["hits"] for row in ruled) - 3000
    yield "readings judged, and wrong ones that outlast plain arithmetic", "10,335 and 9", (
        f"{sum(row['of'] for row in ruled):,} and {left:,}"
    )
    rungs = tables.load("usowan/rungs", sizes=SIZES, boards=1000)
    region = of(rungs, size="10x10", rung="region", what="finished")
    yield "10 x 10 boards finished without the one-region clause", "9 of 36", interval(region)
    counts = of(tables.load("usowan/misreading_answers", sizes=SIZES, boards=1000), size="10x10", misreading="none wrong")
    yield "most answers of a 10 x 10 board if a region may be honest", "12 or more", f"{counts['most']:,}"


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row[0])
def test_findings_are_those_of_data(row):
    assert f"| {' | '.join(row)} |" in README


def test_picture_is_the_first_board():
    found = bank.load("usowan", 6, 6, 1)
    board, answer = found.boards[0], found.answers[0]
    picture = pictures.side_by_side(board.picture(), board.picture(answer), captions=["the board", "the answer, lies struck"])
    assert (ROOT / "reports" / "usowan_board.svg").read_text("utf-8").strip() == picture.svg.strip()
    assert usowan.check(board, answer) is None
