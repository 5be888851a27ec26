"""Charts: the same bytes every time, alternative text, nothing loaded."""

import matplotlib.pyplot as plt
import pytest

from puzzlekit.show import charts


def draw():
    charts.use()
    figure, axes = plt.subplots()
    charts.intervals(axes, ["cell", "count"], [0.25, 0.5], [0.2, 0.4], [0.3, 0.6])
    text = charts.svg(figure, "cell 25%, count < 50%")
    labels = [tick.get_text() for tick in axes.get_yticklabels()]
    plt.close(figure)
    return text, labels


def test_svg_is_the_same_every_time_and_has_alternative_text():
    with plt.style.context("default"):
        (first, labels), (second, _) = draw(), draw()
    assert first == second and labels == ["cell", "count"]
    assert "<title>cell 25%, count &lt; 50%</title>" in first
    assert "<dc:date>" not in first and len(first) < 60_000


def test_alternative_text_is_required():
    figure = plt.figure()
    with pytest.raises(ValueError, match="alt"):
        charts.show(figure, " ")
    plt.close(figure)
