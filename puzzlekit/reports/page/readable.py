"""Tables of notebooks for eyes: plain names of columns, a figure and its interval in one cell with a small drawing,
the published figure beside it, long numbers in powers of ten with all digits one click away, long tables folded.

A column is taken for what the dictionary of columns says that it is, and for nothing else: a share is one that the
dictionary calls so, or whose counts stand beside it and give just this number. Not here: whether a table fits its page
(tables.py), and data/, which keeps its columns and digits.
"""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from html import escape
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

from ...lab import columns

LONG = 16  # digits from which a number is told in powers of ten
MOST = 15  # rows of a table that is not folded
SEEN = 10  # rows that stay in sight of one that is
SAME = ("published", "all draws, exactly", "equally likely, exactly")  # the figure of `ours`, by others or of all
TOPS = [Decimal(top) for top in ("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")]
WIDE, HIGH = 72, 14  # of a drawing, in CSS pixels
NUMBER = r"[<>]?[-+]?\d[\d,.]*(e[-+]?\d+)?"
PERCENT = "\u00a0%"  # never alone on a line
WORDS = {"True": "yes", "False": "no", "None": "", "NaN": "", "nan": ""}

Cells = list[dict[str, str]]  # rows: name of a column to the text of its cell


class Estimate(NamedTuple):
    """A figure with its interval, as numbers."""

    value: Decimal
    low: Decimal
    high: Decimal
    published: Decimal | None


def readable(table: Tag) -> str:
    """What follows a table of a notebook, as HTML; the table is changed where it is.

    Parameters
    ----------
    table : bs4.Tag     one that pandas wrote; any other is left as it is
    """
    heads = [row for row in table.find_all("tr") if row.find_parent("thead") is not None]
    rows = [row for row in table.find_all("tr") if row.find_parent("thead") is None]
    if "dataframe" not in table.get_attribute_list("class") or len(heads) != 1:
        return ""
    names = [cell.get_text(" ", strip=True) for cell in _cells(heads[0])]
    if not rows or any(len(_cells(row)) != len(names) for row in rows):
        return ""
    if names[0] == "" and [_cells(row)[0].get_text() for row in rows] == list(map(str, range(len(rows)))):
        for row in (heads[0], *rows):
            _cells(row)[0].decompose()
        names = names[1:]
    if len(set(names)) < len(names) or "" in names:
        return ""
    return _written(heads[0], rows, names)


def _written(head, rows, names):
    table = head.find_parent("table")
    texts = [dict(zip(names, (cell.get_text(" ", strip=True) for cell in _cells(row)), strict=True)) for row in rows]
    cells_of = [dict(zip(names, _cells(row), strict=True)) for row in rows]
    over = dict(zip(names, _cells(head), strict=True))
    centre = next((name for name in columns.CENTRES if name in names), "")
    ends = [name for name in columns.INTERVAL if name in names and centre]
    ends = ends if len(ends) == 2 else []
    worded = {name for name in names if any(text[name] and not re.fullmatch(NUMBER, text[name]) for text in texts)}
    drawn: dict[int, Estimate] = {}
    scales = _scales(texts, centre)
    for at, (text, cells) in enumerate(zip(texts, cells_of, strict=True)):
        share = scales[at] == 1
        for name, cell in cells.items():
            as_share = share if name == centre or (centre == "ours" and name in SAME) else _unit(name) == columns.SHARE
            shown = _shown(text[name], as_share, sign=name == "difference")
            shown = shown.capitalize() if name == "genre" else shown
            if name == centre and scales[at] not in (None, 1):
                shown += " per million"
            if name == centre and ends and text["low"] and text["high"]:
                shown += _interval(_shown(text["low"], as_share), _shown(text["high"], as_share), as_share)
                value, low, high = (_number(text[key]) for key in (centre, *ends))
                if share and value is not None and low is not None and high is not None:
                    drawn[at] = Estimate(value, low, high, _number(text.get("published", "")))
            if shown != text[name] or re.fullmatch(rf"-?\d{{{LONG},}}", shown):
                cell.clear()
                cell.append(BeautifulSoup(_powers(shown), "html.parser"))
            if name in worded:
                cell["class"] = "words"
            elif name == centre and ends:
                cell["class"] = "estimate"
    for name in worded:
        over[name]["class"] = "words"
    after = _fold(table, len(rows))
    if drawn:
        top = _draw(cells_of, drawn, centre)
        bottom = f"−{top}" if centre == "difference" else "0"
        ring = " The ring is the published figure." if any(one.published is not None for one in drawn.values()) else ""
        after += f'<p class="note">The line is the 95% interval, on a scale from {bottom} to {top}.{ring}</p>'
    after += _terms([name for name in names if name not in ends and any(text[name] for text in texts)])
    for name in names:
        over[name].string = _title(name)
        if name in ends or not any(text[name] for text in texts):
            for cell in (over[name], *(cells[name] for cells in cells_of)):
                cell.decompose()
    return after


def _cells(row):
    return row.find_all(["td", "th"], recursive=False)


def _meanings(name):
    """What a column means in any table; a page does not know from which one its columns come."""
    found = [columns.column(name), *(own for (_, other), own in columns.OWN.items() if other == name)]
    return [column for column in found if column]


def _title(name):
    """The plain name of a column where it has but one."""
    titles = {column.title for column in _meanings(name)}
    return titles.pop() if len(titles) == 1 else name


def _unit(name):
    """The unit of a column where it has but one."""
    units = {column.unit for column in _meanings(name)}
    return units.pop() if len(units) == 1 else ""


def _number(text):
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _scales(texts, centre):
    """What the figure of each row is: 1 for a share, a million for so many in a million, None for anything else.

    By the dictionary, or because its counts give just this number. No hits are 0 on any scale: then it is that of the
    rows of as many cases.
    """
    if _unit(centre) == columns.SHARE:
        return [1] * len(texts)
    if centre != "ours" or not {"hits", "of"} <= set(texts[0]):
        return [None] * len(texts)
    scales = [next((per for per in (1, 10**6) if _is_ratio(text, per)), None) for text in texts]
    of_cases = {text["of"]: scale for text, scale in zip(texts, scales, strict=True) if scale and text["hits"] != "0"}
    return [
        of_cases.get(text["of"], scale) if text["hits"] == "0" else scale
        for text, scale in zip(texts, scales, strict=True)
    ]


def _is_ratio(text, per):
    hits, of, ours = (_number(text[name]) for name in ("hits", "of", "ours"))
    if hits is None or not of or ours is None or ours.as_tuple().exponent > -2:  # a share has digits
        return False
    return abs(hits / of * per - ours) <= Decimal((0, (6,), ours.as_tuple().exponent - 1))


def _shown(text, share=False, sign=False):
    """A cell's text as people write it."""
    number = _number(text) if share else None
    if number is None:
        return WORDS.get(text, text)
    percent = number.scaleb(2)
    digits = max(0, -percent.as_tuple().exponent)
    return f"{percent:{'+' if sign else ''}.{digits}f}{PERCENT}".replace("-", "−")


def _interval(low, high, percent):
    low, high = (end.removesuffix(PERCENT) if percent else end for end in (low, high))
    return f" ({low} to {high})" if "−" in low + high or "-" in low + high else f" ({low}–{high})"


def _powers(text):
    """HTML of a cell, with all digits of a very long number one click away."""
    if not re.fullmatch(rf"-?\d{{{LONG},}}", text):
        return escape(text)
    head, _, power = f"{Decimal(text):.2e}".partition("e")
    short = f"{head} × 10<sup>{int(power)}</sup>".replace("-", "−")
    return f'<details class="digits"><summary>{short}</summary><span>{text}</span></details>'


def _draw(cells_of, drawn, centre):
    """A small drawing in the cell of each estimate, all on one scale; its upper end in words."""
    reach = max(abs(number) for one in drawn.values() for number in one if number is not None)
    top = next((top for top in TOPS if reach <= top), TOPS[-1])
    bottom = -top if centre == "difference" else Decimal(0)

    def x(number):
        return f"{3 + (WIDE - 6) * float((min(max(number, bottom), top) - bottom) / (top - bottom)):.1f}"

    middle = HIGH // 2
    for at, one in drawn.items():
        ring = (
            f'<circle class="ring" cx="{x(one.published)}" cy="{middle}" r="4"/>' if one.published is not None else ""
        )
        zero = f'<path class="zero" d="M{x(Decimal(0))} 1V{HIGH - 1}"/>' if centre == "difference" else ""
        picture = (
            f'<svg class="interval" width="{WIDE}" height="{HIGH}" aria-hidden="true"><path class="scale" '
            f'd="M3 {middle}H{WIDE - 3}"/>{zero}{ring}<path class="range" d="M{x(one.low)} {middle}H{x(one.high)}"/>'
            f'<path class="value" d="M{x(one.value)} {middle - 3}v6"/></svg>'
        )
        cells_of[at][centre].append(BeautifulSoup(f" {picture}", "html.parser"))
    return f"{top.scaleb(2).normalize():f}{PERCENT}"


def _fold(table, rows):
    if rows <= MOST:
        return ""
    table["class"] = [*(name for name in table.get_attribute_list("class") if name), "long"]
    return f'<details class="rest"><summary>All {rows} rows</summary></details>'


def _terms(names: Sequence[str]) -> str:
    """What the columns mean, where one of them needs it."""
    told = [meanings[0] for name in names if len(meanings := _meanings(name)) == 1 and meanings[0].term]
    if not told:
        return ""
    listed = "".join(f"<dt>{escape(column.title)}</dt><dd>{escape(column.meaning)}.</dd>" for column in told)
    return f'<details class="terms"><summary>What the columns mean</summary><dl>{listed}</dl></details>'
