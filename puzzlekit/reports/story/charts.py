"""Charts of the story pages as inline SVG: text that is text, colours that follow the page, light or dark, and sizes
that can be read on a telephone.

Each takes numbers and gives a `<svg>` element with a description; what is drawn is also written beside it in digits.
Not here: charts of notebooks, which matplotlib draws (show/charts.py).
"""

import html
from collections.abc import Mapping, Sequence
from math import log10
from typing import NamedTuple, SupportsFloat

from ...lab import prose

WIDTH = 360  # of the drawing; a telephone shows it at about this size
ROW, THICK = 44, 14  # pixels of a bar with its label above, and of the bar itself


class Share(NamedTuple):
    """A bar: a share with its interval, low and high None where it is exact."""

    label: str
    value: SupportsFloat
    low: SupportsFloat | None
    high: SupportsFloat | None
    strong: bool = False  # the one that the sentence is about


class Amount(NamedTuple):
    """A bar on a logarithmic scale: a count, and how it is written."""

    label: str
    value: SupportsFloat
    written: str
    strong: bool = False


def shares(rows: Sequence[Share], alt: str, most: float = 1.0) -> str:
    """Horizontal bars of shares, each with its interval as a thin line; `most` is the right end of the scale."""
    parts, top = [], 0
    for row in rows:
        value, y = float(row.value), top + 20
        parts.append(_text(0, top + 13, row.label, "label"))
        parts.append(_text(WIDTH, top + 13, prose.percent(value), "value" + " strong" * row.strong, "end"))
        parts.append(_bar(0, y, WIDTH, "track"))
        parts.append(_bar(0, y, WIDTH * value / most, "bar" + " strong" * row.strong))
        if row.low is not None and row.high is not None:
            low, high = (WIDTH * float(end) / most for end in (row.low, row.high))
            middle = y + THICK / 2
            line = f"M{low:.1f} {middle - 4:g}v8M{low:.1f} {middle:g}H{high:.1f}M{high:.1f} {middle - 4:g}v8"
            parts.append(f'<path class="interval" d="{line}"/>')
        top += ROW
    return _svg(parts, top - 8, alt)


def amounts(rows: Sequence[Amount], alt: str) -> str:
    """Horizontal bars of counts on a logarithmic scale that begins at 1: each step of the same length is ten times as
    many.
    """
    most = max(log10(float(row.value)) for row in rows)
    parts, top = [], 0
    decades = [WIDTH * decade / most for decade in range(int(most) + 1)]
    for row in rows:
        parts.append(_text(0, top + 13, row.label, "label"))
        parts.append(_text(WIDTH, top + 13, row.written, "value" + " strong" * row.strong, "end"))
        ticks = "".join(f"M{x:.1f} {top + 20}v{THICK}" for x in decades)
        parts.append(f'<path class="grid" d="{ticks}"/>')
        width = max(WIDTH * log10(float(row.value)) / most, 2)
        parts.append(_bar(0, top + 20, width, "bar" + " strong" * row.strong))
        top += ROW
    return _svg(parts, top - 8, alt)


def hundred(share: SupportsFloat, alt: str) -> str:
    """A hundred squares, as many of them filled as the share says, in rows of twenty."""
    full, size = round(100 * float(share)), WIDTH / 20
    parts = [
        f'<rect class="{"bar strong" if n < full else "track"}" x="{n % 20 * size + 1.5:g}"'
        f' y="{n // 20 * size + 1.5:g}" '
        f'width="{size - 3:g}" height="{size - 3:g}" rx="2"/>'
        for n in range(100)
    ]
    return _svg(parts, round(5 * size), alt)


def growth(lines: Mapping[str, tuple[Mapping[int, int], int | None]], alt: str) -> str:
    """Digits of exact counts against the size of a square grid: a line for each genre, with a ring at the largest that
    was published.

    lines : dict     name -> (size -> count, largest published size or None)
    """
    height, left, bottom = 230, 30, 24
    digits = {name: {n: len(str(count)) for n, count in terms.items() if n} for name, (terms, _) in lines.items()}
    widest = max(n for terms in digits.values() for n in terms)
    tallest = max(d for terms in digits.values() for d in terms.values())
    x = {n: left + (WIDTH - left - 4) * (n - 1) / (widest - 1) for n in range(1, widest + 1)}

    def y(amount):
        return 14 + (height - bottom - 14) * (1 - amount / tallest)

    parts = []
    for tick in range(0, tallest + 1, 50):
        parts.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{WIDTH}"/>')
        parts.append(_text(left - 6, y(tick) + 4, str(tick), "tick", "end"))
    parts += [_text(x[tick], height - 6, str(tick), "tick", "middle") for tick in range(4, widest + 1, 4)]
    for at, (name, terms) in enumerate(digits.items()):
        points = " ".join(f"{x[n]:.1f},{y(d):.1f}" for n, d in sorted(terms.items()))
        parts.append(f'<polyline class="line line{at}" points="{points}"/>')
        last = max(terms)
        parts.append(f'<circle class="end line{at}" cx="{x[last]:.1f}" cy="{y(terms[last]):.1f}" r="4"/>')
        if (known := lines[name][1]) is not None:
            parts.append(f'<circle class="ring line{at}" cx="{x[known]:.1f}" cy="{y(terms[known]):.1f}" r="4.5"/>')
        highest = terms[last] == tallest
        words = (x[last] - 10, y(terms[last]) + 3) if highest else (min(x[last] + 44, WIDTH), y(terms[last]) + 27)
        parts.append(_text(*words, name, f"label line{at}", "end"))
    return _svg(parts, height, alt)


def _svg(parts, height, alt):
    head = f'<svg class="chart" viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{html.escape(alt)}">'
    return f"{head}{''.join(parts)}</svg>"


def _bar(x, y, width, kind):
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:.1f}" height="{THICK}" rx="2"/>'


def _text(x, y, words, kind, anchor="start"):
    return f'<text class="{kind}" x="{x:g}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>'
