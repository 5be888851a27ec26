"""Heat on a grid: shares of cells, or of their sides, as colours with a scale beside them, and in numbers where the
grid is small. Not here: anything else on a picture (pictures.py).

The colours go from light to dark in steps that look even (lines through the OKLab space, Ottosson 2020), so no share
seems to stand out, and they stay apart for colour-blind eyes, since each is darker than the one before.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LEVELS = 20  # steps of colour
STOPS = "#fff9db", "#86c9a4", "#1c7f95", "#1d2a63"  # from few to many
ROUND = 20  # the scale begins and ends at a multiple of one twentieth
NUMBERED = 12  # rows and columns at most, for shares to be written as numbers too
BAR, TALLEST, WIDTH = 12, 160, 92  # pixels: the scale's width, its height at most, what it takes to the right
_RGB = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


class Heat(NamedTuple):
    """Shares on a grid, ready to be drawn.

    shares : list of float arrays    (rows, cols); or right (rows, cols - 1) and down (rows - 1, cols), for sides
    low, high : float                ends of the scale
    """

    shares: list[np.ndarray]
    low: float
    high: float

    @property
    def levels(self) -> list[np.ndarray]:
        """The colour of each share, from 0 to LEVELS."""
        width = (self.high - self.low) / LEVELS
        return [np.rint((part - self.low) / width).astype(int) for part in self.shares]

    @property
    def numbered(self) -> bool:
        """Whether the shares are written as numbers too."""
        return max(max(part.shape) for part in self.shares) <= NUMBERED


def read(heat: npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike], rows: int, cols: int) -> Heat:
    """Shares as Heat, on a scale that begins and ends with them.

    Parameters
    ----------
    heat : number (rows, cols)    from 0 to 1; or a pair of such arrays, right (rows, cols - 1) and
                                  down (rows - 1, cols)

    Raises
    ------
    ValueError                    another size, or something that is no share

    >>> read([[0.21, 0.32]], 1, 2)[1:]
    (0.2, 0.35)
    """
    parts = [np.asarray(part, float) for part in (heat if isinstance(heat, tuple) else (heat,))]
    shapes = [(rows, cols - 1), (rows - 1, cols)] if len(parts) == 2 else [(rows, cols)]
    if [part.shape for part in parts] != shapes:
        raise ValueError(f"heat has shape {[part.shape for part in parts]}, a {rows} x {cols} grid needs {shapes}")
    flat = np.concatenate([part.ravel() for part in parts])
    if flat.size and not (flat.min() >= 0 and flat.max() <= 1):
        raise ValueError("heat must be shares from 0 to 1")
    low, high = (0, ROUND) if not flat.size else (_twentieths(flat.min(), np.floor), _twentieths(flat.max(), np.ceil))
    if low == high:
        low, high = (low - 1, high) if high == ROUND else (low, high + 1)
    return Heat(parts, low / ROUND, high / ROUND)


def _twentieths(share, towards):
    return int(towards(np.round(share * ROUND, 6)))  # a share such as 0.3 is six twentieths, whatever its last bit


def bar(height: int) -> int:
    """How tall the scale is beside a grid of a height, in pixels."""
    return max(64, min(height, TALLEST))


def percent(share: float) -> str:
    """A share in whole percent; only what is exactly nothing, or all, is written as 0 or 100.

    >>> [percent(share) for share in (0, 0.001, 0.254, 0.999, 1)]
    ['0', '<1', '25', '>99', '100']
    """
    if 0 < share < 0.01:
        return "<1"
    return ">99" if 0.99 < share < 1 else f"{100 * share:.0f}"


@lru_cache(maxsize=1)
def colours() -> tuple[str, ...]:
    """The colours of the levels, few first, as #rrggbb."""
    stops = np.array([_to_lab(stop) for stop in STOPS])
    lightness = np.linspace(stops[0, 0], stops[-1, 0], LEVELS + 1)
    # np.interp wants its places to rise, and lightness falls
    a, b = (np.interp(-lightness, -stops[:, 0], stops[:, part]) for part in (1, 2))
    return tuple(_to_hex(np.array(lab)) for lab in zip(lightness, a, b, strict=True))


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, as WCAG 2 defines it."""
    return float(_linear(colour) @ (0.2126, 0.7152, 0.0722))


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, from 1 to 21, as WCAG 2 defines it.

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _linear(colour):
    part = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def _to_lab(colour):
    return _LAB @ np.cbrt(_RGB @ _linear(colour))


def _to_hex(lab):
    linear = np.clip(np.linalg.solve(_RGB, np.linalg.solve(_LAB, lab) ** 3), 0, 1)
    part = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * value):02x}" for value in part.tolist())
