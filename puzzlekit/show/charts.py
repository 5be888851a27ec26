"""Charts and tables as notebooks show them: one style, the same bytes every time, alternative text. Not boards:
pictures.py.
"""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython import get_ipython
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("charts.mplstyle")


def use() -> None:
    """Apply the style of the project to all charts and tables that follow."""
    plt.style.use(STYLE)
    shell = get_ipython()
    if shell is not None:
        shell.display_formatter.formatters["text/html"].for_type(pd.DataFrame, table)


def table(frame: pd.DataFrame) -> str:
    """A frame as an HTML table: no index, nothing where a value is missing, yes and no for truth values."""
    words = {True: "yes", False: "no"}
    shown = frame.astype(object).map(
        lambda x: "" if x is None or x is pd.NA else words[bool(x)] if isinstance(x, (bool, np.bool_)) else x
    )
    return shown.to_html(index=False, border=0, na_rep="")


def show(figure: Figure, alt: str) -> None:
    """Display a figure as SVG in a notebook, and close it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str      what the chart shows, for readers who cannot see it

    Raises
    ------
    ValueError     for an empty alternative text
    """
    picture = svg(figure, alt)
    plt.close(figure)
    display({"image/svg+xml": picture, "text/plain": alt}, metadata={"image/svg+xml": {"alt": alt}}, raw=True)


def svg(figure: Figure, alt: str) -> str:
    """A figure as SVG text with `alt` as its title; no date, no random ids."""
    if not alt.strip():
        raise ValueError("alt must say what the chart shows, not be empty")
    out = io.StringIO()
    with plt.style.context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": alt})
    return out.getvalue()


def intervals(
    axes: Axes,
    labels: Sequence[str],
    shares: Iterable[float],
    lows: Iterable[float],
    highs: Iterable[float],
    **style: Any,
) -> None:
    """Horizontal bars for shares with their 95% intervals, first label on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    labels : list of str
    shares, lows, highs : number per label, from 0 to 1
    """
    shares, lows, highs = ([float(value) for value in values] for values in (shares, lows, highs))
    errors = [
        [s - low for s, low in zip(shares, lows, strict=True)],
        [high - s for s, high in zip(shares, highs, strict=True)],
    ]
    axes.barh(list(labels), shares, xerr=errors, height=0.6, ecolor="#222222", **style)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(plt.matplotlib.ticker.PercentFormatter(1.0))
    axes.grid(visible=False, axis="y")
