"""Tables on pages: what is grouped, broken and named. That nothing is cut is measured by a browser, in browser/."""

from bs4 import BeautifulSoup

from puzzlekit.reports.page import tables


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
