"""Charts in notebooks: one style, SVG with the same bytes every time, and alternative text. Not boards: pictures.py."""

import io
from pathlib import Path

import matplotlib.pyplot as plt
from IPython.display import display

STYLE = Path(__file__).with_name("charts.mplstyle")


def use():
    """Apply the style of the project to all charts that follow."""
    plt.style.use(STYLE)


def show(figure, alt):
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


def svg(figure, alt):
    """A figure as SVG text with `alt` as its title; no date, no random ids."""
    if not alt.strip():
        raise ValueError("alt must say what the chart shows, not be empty")
    out = io.StringIO()
    with plt.style.context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": alt})
    return out.getvalue()


def intervals(axes, labels, shares, lows, highs, **style):
    """Horizontal bars for shares with their 95% intervals, first label on top.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    labels : list of str
    shares, lows, highs : number per label, from 0 to 1
    """
    shares, lows, highs = ([float(value) for value in values] for values in (shares, lows, highs))
    errors = [[s - low for s, low in zip(shares, lows)], [high - s for s, high in zip(shares, highs)]]
    axes.barh(list(labels), shares, xerr=errors, height=0.6, ecolor="#222222", **style)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(plt.matplotlib.ticker.PercentFormatter(1.0))
    axes.grid(visible=False, axis="y")
