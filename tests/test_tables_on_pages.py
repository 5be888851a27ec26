"""Tables on pages: what is grouped, broken, named, drawn. That nothing is cut is measured by a browser, in browser/."""

import json
import re

from bs4 import BeautifulSoup
from checkout import ROOT

from puzzlekit.lab import columns
from puzzlekit.reports.page import readable, tables


def cells(*columns, heads=("name",)):
    head = "".join(f"<th>{name}</th>" for name in heads)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in zip(*columns, strict=True))
    html = f"<html><head></head><body><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></body></html>"
    return BeautifulSoup(tables.fitted(html), "html.parser")


def texts(page):
    return [cell.get_text() for cell in page.find_all("td")]


def test_digits_are_in_threes_where_a_column_has_long_numbers():
    assert texts(cells(["1234", "12345", "-1234567", "123456.78901", "0.123456"])) == [
        "1,234", "12,345", "-1,234,567", "123,456.78901", "0.123456",
    ]  # fmt: skip
    assert texts(cells(["1234", "999"])) == ["1234", "999"]
    assert texts(cells(["A006506", "10000x10", "12345/6", "1e12345", "v12345"])) == [
        "A006506", "10000x10", "12345/6", "1e12345", "v12345",
    ]  # fmt: skip


def test_only_long_numbers_may_break_and_between_groups_only():
    page = cells(["1" * 15, "1" * 16])
    assert [len(cell.find_all("wbr")) for cell in page.find_all("td")] == [0, 5]
    assert texts(page)[1] == "1,111,111,111,111,111"


def test_cells_know_their_column_and_tables_their_width():
    page = cells(["1", "2"], ["a", "b"], heads=("size", "what it is"))
    assert [cell["data-label"] for cell in page.find_all("td")] == ["size", "what it is"] * 2
    assert page.table["class"] == ["w16"] and "table.w16" in page.style.get_text()
    wide = cells(*[["word " * 30]] * 20, heads=["n"] * 20)
    assert wide.table["class"] == ["w120"] and "translateX" in wide.style.get_text()


def test_what_is_no_table_stays_as_it_is():
    html = "<html><head></head><p>1234567 &amp; <math><mn>12345</mn></math></p></html>"
    assert tables.fitted(html) == html


def notebook_table(**given):
    """A table as pandas writes it, made for eyes."""
    head = "".join(f"<th>{name}</th>" for name in given)
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in zip(*given.values(), strict=True)
    )
    html = f'<table class="dataframe"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return BeautifulSoup(tables.fitted(f"<html><head></head><body>{html}</body></html>"), "html.parser")


def heads(page):
    return [cell.get_text() for cell in page.find_all("th")]


def told(page):
    return [[" ".join(cell.get_text().split()) for cell in row.find_all("td")] for row in page.tbody.find_all("tr")]


def test_a_share_stands_with_its_interval_and_the_published_figure():
    page = notebook_table(
        size=["6x6", "8x8"], hits=["253", "0"], of=["10000", "10000"], ours=["0.0253", "0.0000"],
        low=["0.0248", "0.0000"], high=["0.0257", "0.0004"], published=["0.0230", ""],
    )  # fmt: skip
    assert heads(page) == ["size", "counted", "out of", "measured", "published"]
    assert told(page) == [
        ["6x6", "253", "10,000", "2.53 % (2.48–2.57)", "2.30 %"],
        ["8x8", "0", "10,000", "0.00 % (0.00–0.04)", ""],
    ]
    assert "on a scale from 0 to 5 %. The ring is the published figure" in page.find("p", "note").get_text().replace(
        "\u00a0", " "
    )
    first, second = page.find_all("svg")
    assert first.find(class_="ring") and not second.find(class_="ring")
    left, right = map(float, re.findall(r"[\d.]+", first.find(class_="range")["d"])[::2])
    value = float(re.search(r"M([\d.]+)", first.find(class_="value")["d"])[1])
    assert left < value < right and abs(value - (3 + 66 * 0.0253 / 0.05)) < 0.06


def test_what_is_no_share_is_not_told_in_percent():
    """A median, a figure for a million cases, and a column that the dictionary does not know."""
    page = notebook_table(ours=["0.5"], low=["0.2"], high=["0.9"], published=["0.4"], luck=["0.1"])
    assert told(page) == [["0.5 (0.2–0.9)", "0.4", "0.1"]] and not page.svg
    page = notebook_table(
        hits=["0", "17"], of=["315704", "315704"], ours=["0.0000", "53.8479"], low=["0.0000", "21.9042"],
        high=["38267.5850", "132.3703"],
    )  # fmt: skip
    assert [row[-1] for row in told(page)] == [
        "0.0000 per million (0.0000–38,267.5850)",
        "53.8479 per million (21.9042–132.3703)",
    ]
    page = notebook_table(hits=["3"], of=["10"], ours=["0.4"], low=["0.1"], high=["0.7"])  # the counts say otherwise
    assert told(page) == [["3", "10", "0.4 (0.1–0.7)"]] and not page.svg


def test_bounds_are_an_interval_only_beside_what_they_bound():
    page = notebook_table(low=["1"], high=["2"], length=["1.5"])
    assert heads(page) == ["low", "high", "length"] and told(page) == [["1", "2", "1.5"]]
    page = notebook_table(ours=["0.5"], low=["0.2"])
    assert heads(page) == ["measured", "low"]


def test_a_difference_has_its_sign_and_a_scale_to_both_sides():
    page = notebook_table(difference=["-0.0390", "0.3333"], low=["-0.0500", "0.1584"], high=["0.0436", "0.5513"])
    assert told(page) == [["−3.90 % (−5.00 to 4.36)"], ["+33.33 % (15.84–55.13)"]]
    assert "from −100\u00a0% to 100\u00a0%" in page.find("p", "note").get_text()


def test_all_digits_of_a_long_number_are_one_click_away():
    number = "218089903875578572215458113377720907499015212"
    page = notebook_table(size=["16x16"], answers=[number])
    assert page.summary.get_text() == "2.18 × 1044" and page.summary.sup.get_text() == "44"
    assert page.details.span.get_text().replace(",", "") == number
    assert not notebook_table(answers=["1" * 15]).details


def test_words_stand_left_and_yes_is_yes():
    page = notebook_table(**{"holds it": ["True", "False"], "n": ["1", "2"]})
    assert told(page) == [["yes", "1"], ["no", "2"]]
    assert [cell.get("class") for cell in page.find_all("td")] == [["words"], None] * 2


def test_an_index_of_numbers_and_empty_columns_are_left_out():
    page = notebook_table(**{"": ["0", "1"], "rung": ["cell", "count"], "published": ["", ""]})
    assert heads(page) == ["rung"] and told(page) == [["cell"], ["count"]]
    assert heads(notebook_table(**{"": ["a", "b"], "n": ["1", "2"]})) == ["", "n"]


def test_a_long_table_is_folded():
    page = notebook_table(n=[str(n) for n in range(readable.MOST + 1)])
    assert page.table["class"][-1] != "dataframe" and "long" in page.table["class"]
    assert page.table.find_next_sibling()["class"] == ["rest"] and page.summary.get_text() == "All 16 rows"
    style = (ROOT / "puzzlekit/reports/page/style.css").read_text()
    assert f"tbody tr:nth-child(n + {readable.SEEN + 1}) {{ display: none; }}" in style
    assert not notebook_table(n=["1"] * readable.MOST).details


def test_terms_are_explained_below():
    page = notebook_table(size=["6x6"], chance=["0.5"])
    assert page.dl.dt.get_text() == "chance of such a gap" and "fair sample" in page.dl.dd.get_text()
    assert not notebook_table(size=["6x6"]).dl


def test_other_tables_keep_their_words():
    """Of Markdown; with columns of two levels."""
    page = cells(["0.5"], ["0.2"], heads=("ours", "low"))
    assert heads(page) == ["ours", "low"]
    two = "<thead><tr><th>ours</th></tr><tr><th>low</th></tr></thead><tr><td>True</td></tr>"
    assert "True" in tables.fitted(f'<table class="dataframe">{two}</table>')


def test_a_column_is_called_as_the_text_beside_it_calls_it():
    """A notebook that writes of `first` finds the word above the column."""
    for file in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(file.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for word in re.findall(r"`([^`\n]+)`", "".join(cell["source"])):
                    assert not (known := columns.column(word)) or word in known.title, (file.name, word)
