"""Tables that any genre can fill, and the intervals around sampled figures. Genres are reached through GENRES, by name.

Every row of a sampled table has the number of boards, the counts a share is made of, a 95% interval, the published figure where
there is one, and whether our interval holds it. Where several cells, clues or draws come from one board they are not independent:
intervals of such shares are widened by the board-to-board spread (a design effect). A median has the interval of its order statistics.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy import stats

from . import GENRES, bank, tables
from .tables import places

LEVEL = 0.95


# Intervals


def share_interval(hits, trials):
    """95% interval of a share.

    Parameters
    ----------
    hits, trials : int, or int (n,) by board     with arrays, boards are the clusters and trials within one are not independent

    Returns
    -------
    (float, float)     Wilson's interval; for clusters with the number of trials divided by the design effect, that is the ratio
                       of the variance between boards (ratio estimator) to the binomial one, at least 1. When every trial or none
                       is a hit the spread cannot be seen and each board counts as one trial.

    >>> [round(x, 3) for x in share_interval(50, 100)]
    [0.404, 0.596]
    """
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
    return max(0.0, centre - reach), min(1.0, centre + reach)


def median_interval(values):
    """95% interval of a median: the order statistics between which it lies with at least that probability.

    >>> median_interval(range(100))
    (39, 60)
    """
    values = sorted(values)
    n = len(values)
    below = int(stats.binom.ppf((1 - LEVEL) / 2, n, 0.5))
    return values[max(below - 1, 0)], values[min(n - below, n - 1)]


def mean_interval(values):
    """95% interval of a mean, by Student's t over boards."""
    values = np.asarray(values, float)
    reach = stats.t.ppf(0.5 + LEVEL / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)) if values.std() else 0.0
    return values.mean() - reach, values.mean() + reach


# Figures beside published ones


def published(genre):
    """Published figures by label; a figure given as a count of a total comes as a Fraction."""
    frame = tables.published(genre)
    return {
        label: Fraction(int(value), int(of)) if of and str(value).isdigit() else value
        for label, value, of in zip(frame["label"], frame["value"], frame["of"])
    }


def share(label, hits, trials, known, digits=4):
    """A row with a share of whole counts, its interval and the published figure. Arrays are counts by board."""
    low, high = share_interval(hits, trials)
    return _row(label, Fraction(int(np.sum(hits)), int(np.sum(trials))), low, high, known, digits) | {
        "hits": int(np.sum(hits)), "of": int(np.sum(trials))
    }


def median(label, values, known):
    """A row with a median, its interval, the extremes and the published median."""
    values = [int(value) for value in values]
    low, high = median_interval(values)
    middle = Fraction(np.median(np.array(values, object))) if len(values) % 2 else _halfway(values)
    digits = 0 if middle.denominator == 1 else 1
    return _row(label, middle, low, high, known, digits, 0) | {"fewest": min(values), "most": max(values)}


def _halfway(values):
    values = sorted(values)
    return Fraction(values[len(values) // 2 - 1] + values[len(values) // 2], 2)


def _row(label, ours, low, high, known, digits, bound_digits=None):
    bound_digits = digits if bound_digits is None else bound_digits
    theirs = known.get(label)
    exact = isinstance(theirs, (int, Fraction)) or hasattr(theirs, "as_tuple")
    row = {"ours": places(ours, digits), "low": places(Fraction(low), bound_digits), "high": places(Fraction(high), bound_digits)}
    row["published"] = (places(theirs, digits) if exact else theirs) if theirs is not None else None
    row["holds it"] = bool(row["low"] <= row["published"] <= row["high"]) if exact else None
    return row


def size_name(rows, cols):
    """How a size is written in tables and labels."""
    return f"{rows}x{cols}"


def _banks(genre, sizes, boards):
    for size in sizes:
        found = bank.load(genre, size, size, boards)
        yield size_name(size, size), found.boards, found.answers


def _frame(rows, first):
    """A frame with the naming columns first."""
    frame = pd.DataFrame(rows)
    return frame[[*first, *(column for column in frame if column not in first)]]


# Tables


def rungs(genre, sizes, boards=None):
    """What each rung settles and finishes: share of all cells settled by climbing up to it, and of boards it finishes."""
    package, known, rows = GENRES[genre], published(genre), []
    for name, puzzles, _ in _banks(genre, sizes, boards):
        cells = [board.rows * board.cols for board in puzzles]
        for rung in package.RUNGS:
            climbs = [package.climb(board, rung) for board in puzzles]
            settled = [int((climb.state != 0).sum()) for climb in climbs]
            finished = sum(climb.finished for climb in climbs)
            head = {"size": name, "boards": len(puzzles), "rung": rung}
            rows.append(head | {"what": "settled"} | share(f"rungs/{name}/{rung}/settled", settled, cells, known, 3))
            label = f"rungs/{name}/{rung}/finished"
            rows.append(head | {"what": "finished"} | share(label, finished, len(puzzles), known, 3))
    return _frame(rows, ["size", "boards", "rung", "what"])


def pruning(genre, sizes, tops, boards=None, cap=200_000):
    """Branch points of the complete search when it may climb only up to a rung between guesses, ended at a cap."""
    package, known, rows = GENRES[genre], published(genre), []
    for name, puzzles, _ in _banks(genre, sizes, boards):
        for top in tops:
            spent = [package.solve(board, top=top, budget=cap).branch_points for board in puzzles]
            capped = sum(points > cap for points in spent)
            row = {"size": name, "boards": len(puzzles), "up to": top, "capped": capped}
            rows.append(row | median(f"pruning/{name}/{top}/median", spent, known))
            rows[-1]["published most"] = known.get(f"pruning/{name}/{top}/worst")
            if rows[-1]["ours"] > cap:
                rows[-1]["ours"] = f">{cap}"
                rows[-1]["holds it"] = rows[-1]["published"] == rows[-1]["ours"]
    return _frame(rows, ["size", "boards", "up to"])


def misreadings(genre, sizes, boards=None):
    """What each misreading does to boards: whether the intended answer stays legal, how many answers there are, exactly."""
    package, known, rows = GENRES[genre], published(genre), []
    for name, puzzles, answers in _banks(genre, sizes, boards):
        for reading in package.MISREADINGS:
            legal = sum(package.check(board, answer, reading) is None for board, answer in zip(puzzles, answers))
            counts = [package.count_answers(board, reading) for board in puzzles]
            head = {"size": name, "boards": len(puzzles), "misreading": reading}
            label = f"misreadings/{name}/{reading}"
            n = len(puzzles)
            rows.append(head | {"what": "intended legal"} | share(f"{label}/intended legal", legal, n, known, 3))
            rows.append(head | {"what": "answers, median"} | median(f"{label}/median answers", counts, known))
            unique = sum(count == 1 for count in counts)
            rows.append(head | {"what": "still unique"} | share(f"{label}/unique", unique, n, known, 3))
    return _frame(rows, ["size", "boards", "misreading", "what"])


def marginals(genre, sizes):
    """How often corner, edge and centre cells are shaded over the whole answer space, exactly.

    The edge is the middle of a side, the centre the middle of the grid; on even sizes all the middle cells have one value.
    """
    package, known, rows = GENRES[genre], published(genre), []
    for size in sizes:
        shading, total = package.marginals(size, size), package.count(size, size)
        name, middle = size_name(size, size), size // 2
        corner = Fraction(int(shading[0, 0]), total)
        centre = Fraction(int(shading[middle, middle]), total)
        row = {"size": name, "answers": total}
        for place, value in (("corner", corner), ("edge", Fraction(int(shading[0, middle]), total)), ("centre", centre)):
            row[place] = places(value, 4)
            row[f"published {place}"] = known.get(f"marginals/{name}/{place}")
        row["corner over centre"] = places(corner / centre, 2)
        row["published ratio"] = known.get(f"marginals/{name}/corner over centre")
        rows.append(row)
    return pd.DataFrame(rows)


def sampler_check(genre, sizes, draws, seed):
    """Uniform draws against the exact marginals: the worst gap over the cells, in units of what chance allows.

    `worst gap` is the largest difference of a cell's frequency from its exact share; `allowed` the gap that the worst of as many
    cells stays under in 95% of fair runs (normal approximation, cells taken as independent).
    """
    package, known, rows = GENRES[genre], published(genre), []
    for size, n in zip(sizes, draws):
        name = size_name(size, size)
        sample = package.draw(size, size, n, np.random.default_rng([seed, size]))
        total = package.count(size, size)
        hits = sample.sum(axis=0, dtype=np.int64)
        exact = [Fraction(int(value), total) for value in package.marginals(size, size).ravel()]
        gaps = [abs(Fraction(int(hit), n) - share) for hit, share in zip(hits.ravel(), exact)]
        widest = max(float(share * (1 - share)) for share in exact)
        bound = stats.norm.ppf(0.5 + LEVEL ** (1 / len(exact)) / 2) * np.sqrt(widest / n)
        rows.append({
            "size": name, "draws": n, "worst gap": places(max(gaps), 5), "allowed": places(Fraction(bound), 5),
            "published gap": known.get(f"sampler/{name}/worst gap"),
        })
    return pd.DataFrame(rows)


def tally(labels, rows_of):
    """Counters summed: how often each label occurs, in the order of `labels`."""
    total = Counter()
    for labelled in rows_of:
        total.update(labelled)
    return {label: total[label] for label in labels}
