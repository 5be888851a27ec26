"""Tables on pages: nothing is ever cut. Digits in threes, long numbers that may break between them, and rows as cards
where a screen is too narrow for all columns.

Not here: tables in data/, which stay as exact as they are.
"""

import re

from bs4 import BeautifulSoup, NavigableString, Tag

from .readable import readable

LONG = 16  # digits of a number that may be broken into lines
TEXT = 26  # characters of a text that are kept on one line
BODY = 50  # rem of the text
STEPS = range(16, 121, 8)  # widths of tables in rem, by which they are told apart


def fitted(html: str) -> str:
    """A page with each of its tables made so that it fits.

    >>> print(fitted("<table><thead><tr><th>n</th></tr></thead><tr><td>1646096</td></tr></table>"))
    <table class="w16"><thead><tr><th>n</th></tr></thead><tr><td data-label="n">1,646,096</td></tr></table>
    """
    html = re.sub(r"<table\b.*?</table>", _fitted, html, flags=re.DOTALL)
    used = [step for step in STEPS if f'w{step}"' in html]
    if not used:
        return html
    return html.replace("</head>", f"<style>\n{''.join(map(_rules, used))}</style>\n</head>", 1)


def _rules(step):
    """CSS for tables of a width: wider than the text where the screen is, rows as cards where it is too narrow."""
    table = f"table.w{step}"
    wide = (
        f"@media (min-width: {step + 3}rem) {{ {table} {{ width: max-content; max-width: calc(100vw - 2rem); "
        f"margin-left: 50%; transform: translateX(-50%); }} }}\n"
    )
    cards = (
        f"@media (max-width: {step + 3 - 0.01}rem) {{ {table}, {table} :is(tbody, tr) {{ display: block; }} "
        f"{table} :is(td, th) {{ display: inline-block; }} "
        f"{table} thead {{ display: none; }} {table} tr {{ border-bottom: 2px solid var(--line); padding: 0.4em 0; }} "
        f"{table} :is(td, th) {{ border: 0; padding: 0 1em 0 0; text-align: left; overflow-wrap: anywhere; }} "
        f"{table} [data-label]::before {{ content: attr(data-label) ': '; color: var(--faint); font-weight: 400; }} "
        f"{table} [data-label='']::before {{ content: none; }} {table} td:empty {{ display: none; }} "
        f"{table} td.estimate {{ white-space: normal; }} }}\n"
    )
    return (wide if step > BODY else "") + cards


def _fitted(found):
    (table,) = BeautifulSoup(found.group(), "html.parser").find_all("table", recursive=False)
    after = readable(table)
    rows = [row for row in table.find_all("tr") if row.find_parent("thead") is None]
    heads = [row.find_all("th") for row in table.find_all("tr") if row.find_parent("thead") is not None]
    labels = [head.get_text(" ", strip=True) for head in heads[-1]] if heads else []
    widths = list(map(_head, labels))
    cells_of = [row.find_all(["td", "th"], recursive=False) for row in rows]
    grouped = {at for cells in cells_of for at, cell in enumerate(cells) if re.search(r"\d{5}", cell.get_text())}
    for cells in cells_of:
        for at, cell in enumerate(cells):
            for text in list(cell.find_all(string=True)) if at in grouped else ():
                _group(text)
            if len(cells) == len(labels):
                cell["data-label"] = labels[at]
                words = cell.get_text(" ", strip=True)
                whole = len(words) if "estimate" in cell.get_attribute_list("class") else _width(words)
                drawing = 10 if cell.svg else 0  # characters that it takes the place of
                widths[at] = max(widths[at], whole + drawing)
    table["class"] = " ".join([*(name for name in table.get_attribute_list("class") if name), f"w{_step(widths)}"])
    return f"{table}{after}"


def _head(text):
    """Characters that a column's name needs, which may stand in two lines."""
    return max([-(-min(len(text), TEXT) // 2), *map(len, text.split())])


def _width(text):
    """Characters that a cell needs on one line: texts and long numbers may be broken."""
    return max([min(len(text), TEXT), *(min(len(word), TEXT) for word in text.split())])


def _step(widths):
    need = sum(0.47 * width + 0.95 for width in widths)  # rem; measured in a browser, digits are the widest
    return next((step for step in STEPS if need <= step), STEPS[-1])


def _group(text):
    """The digits of a text's numbers in threes."""
    parts = re.split(r"(?<![\w.,/])(\d{4,})(?![\w/])", str(text))
    if len(parts) == 1:
        return
    new: list[NavigableString | Tag] = []
    for at, part in enumerate(parts):
        groups = [part] if at % 2 == 0 else re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", part).split(",")
        if len(part) < LONG or at % 2 == 0:
            new.append(NavigableString(",".join(groups)))
            continue
        for group in groups[:-1]:
            new += [NavigableString(f"{group},"), Tag(name="wbr", can_be_empty_element=True)]
        new.append(NavigableString(groups[-1]))
    text.replace_with(*new)
