"""95% intervals of sampled figures: a share, a median, a mean.

Where several cells, clues or draws come from one board they are not independent: intervals of such shares are widened
by the board-to-board spread (a design effect). A median has the interval of its order statistics. Fewer than FEWEST
boards get no interval: their spread cannot be told from them, and `missing` says so. Not here: what is measured.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

LEVEL = 0.95
FEWEST = 10  # boards, or single trials, from which on there is an interval
Bounds = tuple[float, float] | tuple[None, None]  # low and high
WHY = "why no interval"  # column of tables
NONE = None, None  # instead of one


def missing(clusters: int) -> str | None:
    """Why so many boards (or single trials) get no interval, in words; None where they do.

    >>> missing(6), missing(10)
    ('no interval: 6 are fewer than 10', None)
    """
    return f"no interval: {clusters} are fewer than {FEWEST}" if clusters < FEWEST else None


def clusters(trials: ArrayLike) -> int:
    """How many independent pieces some trials are: as `share_interval` takes them."""
    trials = np.asarray(trials)
    return int((trials > 0).sum() if trials.ndim else trials)


def share_interval(hits: ArrayLike, trials: ArrayLike) -> Bounds:
    """95% interval of a share.

    Parameters
    ----------
    hits, trials : int, or int (n,) by board     with arrays, boards are the clusters and trials within one are not
                                                 independent

    Returns
    -------
    (float, float)     Wilson's interval, or NONE from fewer than FEWEST boards or single trials; for clusters with the
                       number of trials divided by the design effect, that is the ratio of the variance between boards
                       (ratio estimator) to the binomial one, at least 1. When every trial or none is a hit the spread
                       cannot be seen and each board counts as one trial.

    >>> [round(x, 3) for x in share_interval(50, 100)]
    [0.404, 0.596]
    """
    if missing(clusters(trials)):
        return NONE
    hits, trials = np.atleast_1d(hits).astype(float), np.atleast_1d(trials).astype(float)
    total = trials.sum()
    share = hits.sum() / total
    effective = total
    if len(trials) > 1:
        if 0 < share < 1:
            n = len(trials)
            variance = n / (n - 1) * ((hits - share * trials) ** 2).sum() / total**2
            effective = total / max(1.0, variance / (share * (1 - share) / total))
        else:
            effective = float((trials > 0).sum())
    z = stats.norm.ppf(0.5 + LEVEL / 2)
    centre = (share + z * z / (2 * effective)) / (1 + z * z / effective)
    reach = z / (1 + z * z / effective) * np.sqrt(share * (1 - share) / effective + z * z / (4 * effective**2))
    return max(0.0, float(centre - reach)), min(1.0, float(centre + reach))


def median_interval(values: Iterable[float]) -> Bounds:
    """95% interval of a median: the order statistics between which it lies with at least that probability. NONE from
    fewer than FEWEST.

    >>> median_interval(range(100))
    (39, 60)
    """
    values = sorted(values)
    n = len(values)
    if missing(n):
        return NONE
    below = int(stats.binom.ppf((1 - LEVEL) / 2, n, 0.5))
    return values[max(below - 1, 0)], values[min(n - below, n - 1)]


def mean_interval(values: ArrayLike) -> Bounds:
    """95% interval of a mean, by Student's t over boards. NONE from fewer than FEWEST."""
    values = np.asarray(values, float)
    if missing(len(values)):
        return NONE
    reach = (
        stats.t.ppf(0.5 + LEVEL / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
        if values.std()
        else 0.0
    )
    return values.mean() - reach, values.mean() + reach
