"""The front page and the pages of the genres: what they show of boards is true, and what they say is in data/."""

import re

import numpy as np
import pytest

from puzzlekit import GENRES
from puzzlekit.boards import NO_CLUE
from puzzlekit.lab import tables
from puzzlekit.reports.story import charts, clauses, examples, findings, pages, words


@pytest.fixture(scope="module")
def stored():
    return examples.load()


@pytest.mark.parametrize("genre", GENRES)
def test_rules_and_rungs_are_told_in_their_order(genre):
    package = GENRES[genre]
    rules = __import__(f"puzzlekit.{genre}.rules", fromlist=["CLAUSES"])
    assert list(package.RULES_TOLD) == list(rules.CLAUSES) and list(package.RUNGS_TOLD) == list(package.RUNGS)


@pytest.mark.parametrize("genre", GENRES)
def test_the_board_of_a_rung_needs_it_and_none_above(stored, genre):
    """Where the page says so; where it says that there is none, the rung is used in the steps that it names."""
    package = GENRES[genre]
    assert list(stored[genre]) == ["rules", *package.RUNGS]
    hardest = 0
    for rung in package.RUNGS:
        board = stored[genre][rung]
        shown = pages._example(board, rung)
        below = package.RUNGS[: package.RUNGS.index(rung)]
        assert package.climb(board, top=rung).finished or not shown["alone"]
        if shown["alone"]:
            assert not below or not package.climb(board, top=below[-1]).finished
            hardest += 1
        steps = package.explain(board).steps
        assert [at for at, step in enumerate(steps, 1) if step.rung == rung] == shown["uses"] and shown["uses"]
        assert package.solve(board).unique
    assert hardest >= len(package.RUNGS) - 1


@pytest.mark.full
@pytest.mark.parametrize("genre", GENRES)
def test_the_boards_are_those_that_a_search_finds(stored, genre):
    assert examples.search(genre) == {rung: board.to_url() for rung, board in stored[genre].items()}


@pytest.mark.parametrize("genre", GENRES)
def test_a_picture_of_a_broken_rule_breaks_that_rule_first(stored, genre, monkeypatch):
    package, board = GENRES[genre], stored[genre]["rules"]
    drawn = {}
    monkeypatch.setattr(clauses, "_picture", lambda board, parts, wrong, words: drawn.setdefault(words, (parts, wrong)))
    shown = {rule.code: rule.wrong for rule in clauses.shown(board)}
    assert list(shown) == list(package.RULES_TOLD)
    assert sum(found is not None for found in shown.values()) >= len(shown) - 1
    assert all(shown[code] is not None for code in pages.FRONT_RULES[genre])
    answer = package.solve(board).answers[0]
    assert package.check(board, answer) is None
    for code, found in shown.items():
        if found is not None:
            parts, wrong = found
            assert package.check(board, package.MARKS.whole(parts)) == code
            assert wrong or code == "nothing-shaded"


def test_what_breaks_a_rule_is_what_lies_nearest_to_the_answer(stored):
    """By hand: on the board of the Usowan rules, one more shaded cell is enough for each rule that one can break so."""
    board = stored["usowan"]["rules"]
    package = GENRES["usowan"]
    answer = package.solve(board).answers[0]
    single = set()
    for cell in range(answer.size):
        changed = answer.copy()
        changed.ravel()[cell] ^= 1
        single.add(package.check(board, changed))
    assert {"clue-shaded", "shaded-adjacent", "region-lies-not-one"} <= single


def numbers(text):
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


# table with its parameters, the row, and the columns whose numbers a finding has to say
SAID = [
    ("added", "usowan/adding_true_numbers", {"sizes": [6, 8, 10], "boards": 10000, "top": "connect"},
     {"size": "10x10", "outcome": "boards with second answer"}, ["ours", "low", "high"], 100),
    ("lies", "usowan/self_announcing", {"sizes": [6, 8, 10], "boards": 10000}, {"size": "all"},
     ["ours", "low", "high"], 100),
    ("honest", "usowan/misreadings", {"sizes": [6, 8, 10], "boards": 10000},
     {"size": "10x10", "misreading": "none wrong", "what": "unique"}, ["ours", "low", "high"], 100),
    ("rungs", "usowan/rungs", {"sizes": [6, 8, 10], "boards": 10000},
     {"size": "10x10", "rung": "region", "what": "finished"}, ["ours", "low", "high"], 100),
    ("printable", "tasquare/printable", {"printable_to": 6}, {"size": "6x6"}, ["answers", "printable"], 1),
    ("positions", "tasquare/positions", {"position_sizes": [6, 8], "boards": 10000}, {"size": "6x6"},
     ["ours", "low", "high"], 1),
    ("busy", "tasquare/crowding", {"sizes": [6, 8, 10], "draws": 10000, "seed": 1, "boards": 10000},
     {"size": "6x6", "answers": "banked boards"}, ["ours", "low", "high"], 1),
    ("places", "nawabari/dots", {"sizes": [6, 8], "boards": 10000}, {"size": "6x6"}, ["ours", "low", "high"], 1),
    ("placements", "nawabari/placements", {"sizes": [6, 8], "answers_of": [1000, 1000]}, {"size": "8x8"},
     ["mean", "low", "high"], 100),
    ("slides", "nawabari/slides_by_seat", {"sizes": [6, 8], "boards": 10000}, {"size": "all", "outcome": "inside"},
     ["ours", "low", "high"], 100),
    ("boards", "nawabari/boards", {"board_grids": ["4x7", "4x8", "5x6"]}, {"grid": "5x6"}, ["unique"], 1),
]  # fmt: skip


@pytest.mark.parametrize("name, table, parameters, where, columns, times", SAID, ids=[case[0] for case in SAID])
def test_a_finding_says_the_numbers_of_its_table(name, table, parameters, where, columns, times):
    frame = tables.load(table, **parameters)
    for column, value in where.items():
        frame = frame[frame[column] == value]
    (row,) = frame.to_dict("records")
    said = numbers(getattr(findings, name)().said)
    for column in columns:
        wanted = float(row[column]) * times
        assert any(abs(number - wanted) <= 0.006 for number in said), (column, wanted, said)


def test_every_finding_is_told_and_leads_to_its_report():
    told = [finding for genre in GENRES for finding in findings.of_genre(genre)]
    assert len(told) == sum(map(len, findings.FINDINGS.values())) and len(findings.front()) == 5
    runs = {path.stem for path in (tables.CHECKOUT / "reports").glob("*.ipynb")}
    for finding in [*told, *findings.front()]:
        assert finding.report in runs and finding.chart.startswith('<svg class="chart"')
        assert re.search(r'aria-label="[^"]{20,}"', finding.chart)


def test_the_board_that_one_true_number_breaks():
    """Told again from its picture's words: the old answer stays, the number is true of it, and there is another."""
    package = GENRES["usowan"]
    stored = findings.bank.load("usowan", 6, 6, boards=20).boards
    board = next(board for board in stored if package.breaking_numbers(board).any())
    (answer,) = package.solve(board).answers
    (before, _), (with_one_more, _), (other, _) = findings.added().pictures
    assert before.svg == board.picture(answer, highlights={}).svg
    clues = int((board.clues != NO_CLUE).sum())
    assert all(f"{clues + 1} clues" in shown.alt for shown in (with_one_more, other))


def test_charts_draw_what_they_are_told():
    bars = [charts.Share("one half", 0.5, 0.4, 0.6, True), charts.Share("exact", 0.25, None, None)]
    drawn = charts.shares(bars, "two & a half")
    assert 'aria-label="two &amp; a half"' in drawn and "50.0 %" in drawn and drawn.count('class="interval"') == 1
    assert re.findall(r'class="bar(?: strong)?" x="0" y="\d+" width="([\d.]+)"', drawn) == ["180.0", "90.0"]
    assert "M144.0 23v8M144.0 27H216.0M216.0 23v8" in drawn
    wide = charts.amounts([charts.Amount("all", 10**6, "1,000,000"), charts.Amount("few", 1000, "1,000")], "amounts")
    assert re.findall(r'class="bar" x="0" y="\d+" width="([\d.]+)"', wide) == ["360.0", "180.0"]
    assert charts.hundred(0.344, "a third").count('"bar strong"') == 34
    lines = charts.growth({"A": ({1: 1, 2: 10**60}, 1), "B": ({1: 5}, None)}, "growth")
    assert lines.count("<polyline") == 2 and lines.count('class="ring') == 1


def test_a_word_that_a_page_uses_is_in_the_glossary():
    for word in ("reading", "rung", "one-region clause", "misreading", "bank", "ladder"):
        assert word in words.WORDS


def test_boards_to_play_go_from_easy_to_hard():
    for genre, package in GENRES.items():
        rungs = [package.RUNGS.index(shown["rung"]) for shown in pages._boards(genre)]
        assert rungs == sorted(rungs) and len(rungs) >= 2
        for shown in pages._boards(genre):
            assert package.difficulty(shown["board"]).hardest == shown["rung"]
            assert (np.asarray(shown["board"].clues) != NO_CLUE).any()
