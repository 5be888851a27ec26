"""Tables that any genre can fill. Genres are reached through GENRES, by name.

Every row of a sampled table has the number of boards, the counts a share is made of, a 95% interval (intervals.py), the
published figure where there is one, how likely so different a figure is by chance, and whether our interval holds it.
Everything is asked in chunks, wherever they are to run (asking.py).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from .. import GENRES
from . import questions, tables
from .asking import QUICK, SLOW, Size, ask, ask_draws, each, size_name
from .intervals import LEVEL, WHY, clusters, mean_interval, median_interval, missing, share_interval
from .tables import Exact, places

DRAWS = 10_000  # in a chunk
RESAMPLES = 2_000  # pairs of samples, for the chance of a published median or mean
GRADED = 10  # boards in a chunk: a Tasquare board of 10 x 10 takes a third of a second


# Figures beside published ones


class Published(dict[str, Exact | str]):
    """Published figures by label; a figure given as a count of a total comes as a Fraction, its total in `trials`."""

    def __init__(self, genre: str) -> None:
        frame = tables.published(genre)
        self.trials = {label: of for label, of in zip(frame["label"], frame["of"], strict=True) if of}
        for label, value in zip(frame["label"], frame["value"], strict=True):
            self[label] = (
                Fraction(value, self.trials[label]) if label in self.trials and isinstance(value, int) else value
            )

    def sample(self, label: str) -> int | None:
        """How many boards a figure rests on, by the row boards/<size> for the size in its label; None where there is no
        such row.
        """
        return next((int(self[f"boards/{part}"]) for part in label.split("/") if f"boards/{part}" in self), None)


def share(
    label: str, hits: ArrayLike, trials: ArrayLike, known: Published, digits: int = 4, per: int = 1
) -> dict[str, Any]:
    """A row with a share of whole counts, its interval and the published figure. Arrays are counts by board.

    `per` scales the share, to 1 in a million for instance. `chance` is the probability that a fair sample as large as
    the published one lies as far from ours or farther: by the normal approximation with our design effect where the
    published share is one of whole counts, else by resampling as many boards as the source had, see `chance`.
    """
    low, high = share_interval(hits, trials)
    counts = {"hits": int(np.sum(hits)), "of": int(np.sum(trials))}
    ours = Fraction(counts["hits"], counts["of"])
    theirs = known.get(label)
    scaled = {label: theirs * per} if per != 1 and theirs is not None else known
    low, high = (bound and bound * per for bound in (low, high))
    row = counts | _row(label, ours * per, low, high, scaled, digits, clusters(trials))
    if np.ndim(hits) and not isinstance(theirs, Fraction):
        row["chance"] = chance(_ratio, np.array([hits, trials], float), label, known)
    elif isinstance(theirs, Fraction) and 0 < ours < 1 and low is not None and high is not None:
        reach = stats.norm.ppf(0.5 + LEVEL / 2)
        ours_error = (high - low) / 2 / reach
        effect = ours_error**2 * counts["of"] / float(ours * (1 - ours))
        error = np.hypot(ours_error, np.sqrt(effect * float(ours * (1 - ours)) / known.trials[label]))
        row["chance"] = places(Fraction(2 * stats.norm.sf(abs(float(theirs - ours)) / error)), 3)
    return row


def median(label: str, values: Iterable[int], known: Published) -> dict[str, Any]:
    """A row with a median, its interval, the extremes and the published median."""
    values = [int(value) for value in values]
    low, high = median_interval(values)
    middle = Fraction(sorted(values)[(len(values) - 1) // 2] + sorted(values)[len(values) // 2], 2)
    digits = 0 if middle.denominator == 1 else 1
    row = _row(label, middle, low, high, known, digits, len(values), 0)
    row["chance"] = chance(np.median, np.array([values], float), label, known)
    return row | {"fewest": min(values), "most": max(values)}


def mean(
    label: str, values: Sequence[int] | np.ndarray | pd.Series, known: Published, digits: int = 3
) -> dict[str, Any]:
    """A row with the mean of whole numbers, one a board, its interval and the published mean."""
    low, high = mean_interval(values)
    row = _row(label, Fraction(int(np.sum(values)), len(values)), low, high, known, digits, len(values))
    row["chance"] = chance(np.mean, np.array([values], float), label, known)
    return {"of": len(values)} | row


def chance(statistic: Callable[..., Any], values: np.ndarray, label: str, known: Published) -> Decimal | None:
    """Probability that a fair sample as large as the published one lies as far from ours, or farther, as Decimal; None
    if not known.

    Pairs of samples are drawn from our boards (with replacement, always the same ones), as many boards as the source
    had and as many as we have; counted are the pairs whose figures differ by at least as much as the published figure
    and ours.

    statistic : callable     of an array with boards along the last axis, and axis
    values : float (k, n)    k numbers of every board, such as hits and trials
    label : str              of the published figure; one that is missing, or a text, has no chance
    known : Published        the figure, and of how many boards it is
    """
    theirs, n = known.get(label), values.shape[1]
    sample = None if theirs is None else known.sample(label)
    if theirs is None or sample is None or isinstance(theirs, str) or missing(n):
        return None
    rng, gap = np.random.default_rng([n, sample]), abs(float(theirs) - _of(statistic, values))
    drawn = (
        _of(statistic, values[:, rng.integers(0, n, size)]) - _of(statistic, values[:, rng.integers(0, n, n)])
        for size in [sample] * RESAMPLES
    )
    return places(Fraction(sum(abs(difference) >= gap * (1 - 1e-9) for difference in drawn), RESAMPLES), 3)


def _of(statistic, values):
    return float(statistic(values if statistic is _ratio else values[0], axis=-1))


def _ratio(counts, axis):
    hits, trials = counts.sum(axis=axis)
    return hits / trials if trials else np.nan


def _row(label, ours, low, high, known, digits, clusters, bound_digits=None):
    bound_digits = digits if bound_digits is None else bound_digits
    theirs = known.get(label)
    exact = isinstance(theirs, (int, Fraction)) or hasattr(theirs, "as_tuple")
    bounds = [bound if bound is None else places(Fraction(bound), bound_digits) for bound in (low, high)]
    row: dict[str, Any] = {"ours": places(ours, digits), "low": bounds[0], "high": bounds[1]}
    row["published"] = (places(theirs, digits) if exact else theirs) if theirs is not None else None
    row["chance"] = None  # of whoever knows what was sampled
    row["holds it"] = bool(row["low"] <= row["published"] <= row["high"]) if exact and None not in bounds else None
    return row | {WHY: missing(clusters)}


def framed(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows as a DataFrame; the column that says why there is no interval is left out where every row has one."""
    frame = pd.DataFrame(rows)
    return frame.drop(columns=WHY) if WHY in frame and frame[WHY].isna().all() else frame


def shares(
    genre: str,
    found: dict[str, pd.DataFrame],
    labels: Iterable[str],
    prefix: str,
    digits: int = 4,
    per: int = 1,
    some: Iterable[str] = (),
    pooled: bool = False,
) -> pd.DataFrame:
    """How often each outcome of a question occurs.

    Parameters
    ----------
    found : dict             what `ask` gave
    labels : list of str     outcomes to list; the shares are of all outcomes
    prefix : str             published figures are looked up as "prefix/size/label" and "prefix/size/boards with label"
    per : int                shares are of so many
    some : list of str       outcomes for which the boards that have it at all are counted too
    pooled : bool            add rows for all sizes together, as size "all"
    """
    known, rows = Published(genre), []
    if pooled:
        found = found | {"all": pd.concat(found.values()).fillna(0)}
    for name, counts in found.items():
        head = {"size": name, "boards": len(counts)}
        for label in labels:
            hits = counts.get(label, pd.Series(0, counts.index))
            row = share(f"{prefix}/{name}/{label}", hits, counts.sum(axis=1), known, digits, per)
            rows.append(head | {"outcome": label} | row)
        for label in some:
            what = f"boards with {label}"
            hits = int((counts[label] > 0).sum()) if label in counts else 0
            rows.append(head | {"outcome": what} | share(f"{prefix}/{name}/{what}", hits, len(counts), known, digits))
    return framed(rows)


def medians(genre: str, found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Medians of what a question counts on each board; published figures are looked up as "label/size/median"."""
    known = Published(genre)
    return framed(
        [
            {"size": name, "boards": len(counts), "what": label}
            | median(f"{label}/{name}/median", counts[label], known)
            for name, counts in found.items()
            for label in counts
        ]
    )


def spread(counts: pd.DataFrame, part: str, whole: str, digits: int = 4) -> dict[str, Decimal | str | None]:
    """The share of one count in another on each board, over boards: mean with its interval, median and extremes."""
    values = [Fraction(int(a), int(b)) for a, b in zip(counts[part], counts[whole], strict=True)]
    low, high = mean_interval([float(value) for value in values])
    ordered = sorted(values)
    middle = (ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2
    figures = {
        "mean": sum(values) / len(values),
        "low": low,
        "high": high,
        "median": middle,
        "least": ordered[0],
        "most": ordered[-1],
    }
    why = {WHY: missing(len(values))} if low is None else {}
    return {name: value if value is None else places(Fraction(value), digits) for name, value in figures.items()} | why


def ratio(frame: pd.DataFrame, name: str, part: str, whole: str, digits: int = 4) -> pd.DataFrame:
    """The frame with one more column: the exact share of one column in another, rounded on purpose."""
    values = [places(Fraction(int(a), int(b)), digits) for a, b in zip(frame[part], frame[whole], strict=True)]
    return frame.assign(**{name: pd.Series(values, frame.index, object)})


def beside(frame: pd.DataFrame, genre: str, column: str, label: str) -> pd.DataFrame:
    """The frame with the published figures of a column next to it. `label` is a pattern filled from each row,
    "space/{size}/price".

    A figure published as a count of a total is shown as ours is: the count beside whole numbers, else the share, with
    as many digits.
    """
    known = Published(genre)
    figures = []
    for row in frame.to_dict("records"):
        name = label.format(**row)
        theirs, ours = known.get(name), row[column]
        if isinstance(theirs, Fraction):
            digits = -ours.as_tuple().exponent if hasattr(ours, "as_tuple") else None
            theirs = int(theirs * known.trials[name]) if digits is None else places(theirs, digits)
        figures.append(theirs)
    at = frame.columns.get_loc(column) + 1
    return pd.concat(
        [frame.iloc[:, :at], pd.Series(figures, frame.index, object, name=f"{column}, published"), frame.iloc[:, at:]],
        axis=1,
    )


# Tables


def rungs(
    genre: str, sizes: Iterable[Size], boards: int | None = None, *, scheduler: str | None = None
) -> pd.DataFrame:
    """What each rung settles and finishes: share of all cells (or walls) settled by climbing up to it, and of boards it
    finishes.
    """
    known, rows = Published(genre), []
    for name, found in ask(genre, sizes, questions.rungs, boards, scheduler=scheduler).items():
        for rung in GENRES[genre].RUNGS:
            head = {"size": name, "boards": len(found), "rung": rung}
            settled = share(f"rungs/{name}/{rung}/settled", found[f"{rung}, settled"], found["cells"], known, 3)
            finished = share(f"rungs/{name}/{rung}/finished", found[f"{rung}, finished"].sum(), len(found), known, 3)
            rows += [head | {"what": "settled"} | settled, head | {"what": "finished"} | finished]
    return framed(rows)


def pruning(
    genre: str,
    sizes: Sequence[Size],
    tops: Sequence[str],
    boards: int | None = None,
    cap: int = 200_000,
    *,
    scheduler: str | None = None,
    chunk: int = QUICK,
) -> pd.DataFrame:
    """Branch points of the complete search when it may climb only up to a rung between guesses, ended at a cap.

    Low rungs leave much to search, up to seconds a board: with them a chunk should be a few boards.

    Figures are text, since a median of searches that were ended is only known to be past the cap: ">200000".
    """
    known, found = Published(genre), {}
    for top in tops:
        question = partial(questions.branch_points, top=top, cap=cap)
        for name, counts in ask(genre, sizes, question, boards, scheduler=scheduler, chunk=chunk).items():
            found[name, top] = counts[top]
    rows = []
    for name in dict.fromkeys(name for name, _ in found):
        for top in tops:
            spent = found[name, top]
            row = median(f"pruning/{name}/{top}/median", spent, known)
            row["most, published"] = known.get(f"pruning/{name}/{top}/worst")
            past = {key for key in row if _above(row[key], cap) and "published" not in key}
            if "ours" in past:  # our median is past the cap, and no more is known of it
                row["holds it"] = None if _above(row["published"], cap) else row["published"] == f">{cap}"
            row |= dict.fromkeys(past, f">{cap}")
            row = {
                key: value if key in ("holds it", "chance") or value is None else str(value)
                for key, value in row.items()
            }
            capped = int((spent > cap).sum())
            rows.append({"size": name, "boards": len(spent), "up to": top, "capped": capped} | row)
    return framed(rows)


def orders(
    genre: str,
    sizes: Iterable[Size],
    boards: int | None = None,
    *,
    cap: int | None = None,
    scheduler: str | None = None,
    chunk: int = SLOW,
) -> pd.DataFrame:
    """What every rung is worth whatever the order in which rungs are tried.

    A rung is taken into the ladder after some of the others; what it adds depends on which. `first` is what it adds to
    the lowest rung alone, `last` what the ladder loses without it (all others stay), `mean` the mean over all orders of
    the rungs: its Shapley value. The lowest rung says what a mark means and is in every ladder: its row has what it
    does alone, the means add up to the whole.

    Without a cap these are shares of all cells (or walls) settled by climbing. With a cap they are guesses of the
    complete search, in halvings: how many times the rung halves the guesses (one more than the branch points, their
    geometric mean over boards), every search being ended at the cap; `ended` are the searches that were. The lowest
    rung's row then has the logarithm itself, to base 2.

    The 95% interval is of `mean`, by Student's t over boards.
    """
    rungs_of, rows = GENRES[genre].RUNGS if cap is None else GENRES[genre].RUNGS[:-1], []
    question = partial(questions.by_rung_sets, cap=cap)
    for name, found in ask(genre, sizes, question, boards, scheduler=scheduler, chunk=chunk).items():
        sets = {those: found["+".join(those)].to_numpy(float) for those in questions.rung_sets(rungs_of)}
        if cap is None:
            worth = {those: settled / found["cells"].to_numpy(float) for those, settled in sets.items()}
        else:
            worth = {those: -np.log2(1 + np.minimum(spent, cap)) for those, spent in sets.items()}
        for rung in rungs_of:
            if rung == rungs_of[0]:
                value = worth[(rung,)] if cap is None else -worth[(rung,)]
                added = {"first": value, "last": None, "mean": value}
            else:
                added = _added(rung, rungs_of, worth)
            low, high = mean_interval(added["mean"])
            row = {"size": name, "boards": len(found), "rung": rung}
            row |= {
                what: value if value is None else places(Fraction(value.mean()), 3) for what, value in added.items()
            }
            row |= {
                what: bound if bound is None else places(Fraction(bound), 3)
                for what, bound in (("low", low), ("high", high))
            }
            if cap is not None:
                lowest = rung == rungs_of[0]  # searched alone, the others by being left out
                without = (rung,) if lowest else tuple(other for other in rungs_of if other != rung)
                row["ended"] = int((sets[without] > cap).sum())
            rows.append(row | {WHY: missing(len(found))})
    return framed(rows)


def _added(rung, rungs_of, worth):
    """What a rung adds to sets of the others, by board: first, last, and the mean over all orders."""
    others = len(rungs_of) - 2  # without it and the lowest
    added = {}
    for those in worth:
        if rung not in those:
            more = tuple(other for other in rungs_of if other in those or other == rung)
            added[those] = worth[more] - worth[those]
    orders_of = {those: factorial(len(those) - 1) * factorial(others + 1 - len(those)) for those in added}
    mean_of = sum(orders_of[those] * value for those, value in added.items()) / factorial(others + 1)
    return {"first": added[rungs_of[:1]], "last": max(added.items(), key=lambda item: len(item[0]))[1], "mean": mean_of}


def difficulty(
    genre: str, sizes: Iterable[Size], boards: int | None = None, *, scheduler: str | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """How hard the boards of a bank are: the hardest rung they need, and how often the ladder looks at each rung.

    Returns
    -------
    (DataFrame, DataFrame)     the boards that need each rung as their hardest, with their grade; looks at each rung,
                               the median
    """
    known, shares_of, looks = Published(genre), [], []
    for name, found in ask(genre, sizes, questions.difficulty, boards, scheduler=scheduler, chunk=GRADED).items():
        for rung, grade in GENRES[genre].GRADES.items():
            head = {"genre": genre, "size": name, "boards": len(found), "rung": rung}
            hits = found[f"{rung}, hardest"].sum() if f"{rung}, hardest" in found else 0
            row = share(f"difficulty/{name}/{rung}", hits, len(found), known, 3)
            shares_of.append(head | {"grade": grade} | {key: row[key] for key in ("hits", "ours", "low", "high")})
            row = median(f"difficulty/{name}/{rung}/looks", found[f"{rung}, looks"], known)
            looks.append(head | {key: row[key] for key in ("ours", "low", "high", "fewest", "most")})
    return framed(shares_of), framed(looks)


def _above(value, cap):
    return not isinstance(value, (str, bool, type(None))) and value > cap


def misreadings(
    genre: str,
    sizes: Iterable[Size],
    boards: int | None = None,
    *,
    cap: int | None = None,
    scheduler: str | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What each misreading does to boards, with all answers counted exactly.

    With a cap, published medians are of counts that were ended there: they are held to the median of ours with the same
    cap, which is a column of its own.

    Returns
    -------
    (DataFrame, DataFrame)     the boards on which the intended answer stays legal, and that stay unique; the number of
                               answers
    """
    known, shares_of, counts = Published(genre), [], []
    for name, found in ask(genre, sizes, questions.misreadings, boards, scheduler=scheduler, chunk=SLOW).items():
        for reading in GENRES[genre].MISREADINGS:
            head = {"size": name, "boards": len(found), "misreading": reading}
            label, answers = f"misreadings/{name}/{reading}", found[f"{reading}, answers"]
            for what, hits in (("intended legal", found[f"{reading}, legal"].sum()), ("unique", (answers == 1).sum())):
                shares_of.append(head | {"what": what} | share(f"{label}/{what}", hits, len(found), known, 3))
            row = median(f"{label}/median answers", answers, known)
            if cap is not None:
                capped = median(f"{label}/median answers", [min(int(value), cap) for value in answers], known)
                beyond = [key for key in capped if key not in ("ours", "low", "high", "fewest", "most")]
                row |= {f"ours, at most {cap}": capped["ours"]} | {key: capped[key] for key in beyond}
            counts.append(head | row)
    return framed(shares_of), framed(counts)


def space(genre: str, sizes: Iterable[int], *, scheduler: str | None = None) -> pd.DataFrame:
    """The answer space of square grids, with and without the clause that the unshaded cells are one region, and its
    price.

    `states` are the frontier states of the widest layer.
    """
    found = each(
        questions.space, [{"genre": genre, "size": size} for size in sizes], scheduler=scheduler, label=f"{genre} space"
    )
    rows = [
        {
            "size": size_name(one["size"], one["size"]),
            "price": places(Fraction(one["not connected"], one["answers"]), 2),
            "states": one["states"],
            "answers": one["answers"],
            "not connected": one["not connected"],
        }
        for one in found.to_dict("records")
    ]
    return pd.DataFrame(rows)


def marginals(genre: str, sizes: Iterable[int], *, scheduler: str | None = None) -> pd.DataFrame:
    """How often corner, edge and centre cells are shaded over the whole answer space, exactly.

    The edge is the middle of a side, the centre the middle of the grid; on even sizes all the middle cells have one
    value.
    """
    found = each(
        questions.marginals,
        [{"genre": genre, "size": size} for size in sizes],
        scheduler=scheduler,
        label=f"{genre} marginals",
    )
    rows = []
    for one in found.to_dict("records"):
        total = one["answers"]
        row = {"size": size_name(one["size"], one["size"]), "answers": total}
        row |= {place: places(Fraction(one[place], total), 4) for place in ("corner", "edge", "centre")}
        rows.append(row | {"corner over centre": places(Fraction(one["corner"], one["centre"]), 2)})
    return pd.DataFrame(rows)


def sampler_check(
    genre: str, sizes: Iterable[int], draws: Iterable[int], seed: int, *, scheduler: str | None = None
) -> pd.DataFrame:
    """Uniform draws against the exact marginals: the worst gap over the cells, in units of what chance allows.

    `worst gap` is the largest difference of a cell's frequency from its exact share; `allowed` the gap that the worst
    of as many cells stays under in 95% of fair runs (normal approximation, cells taken as independent).
    """
    package, rows = GENRES[genre], []
    for size, n in zip(sizes, draws, strict=True):
        found = ask_draws(genre, size, questions.shaded_in, n, seed, scheduler=scheduler, chunk=DRAWS)
        hits = np.sum(found, axis=0)
        total = package.count(size, size)
        (shading,) = package.MARKS.parts(package.marginals(size, size))  # of cells, not sides
        exact = [Fraction(int(value), total) for value in shading.ravel()]
        gaps = [abs(Fraction(int(hit), n) - share) for hit, share in zip(hits.ravel(), exact, strict=True)]
        widest = max(float(share * (1 - share)) for share in exact)
        bound = stats.norm.ppf(0.5 + LEVEL ** (1 / len(exact)) / 2) * np.sqrt(widest / n)
        rows.append(
            {
                "size": size_name(size, size),
                "draws": n,
                "worst gap": places(max(gaps), 5),
                "allowed": places(Fraction(bound), 5),
            }
        )
    return pd.DataFrame(rows)


def sequence(terms: str, function: Callable[..., int | None]) -> pd.DataFrame:
    """A published sequence against ours: columns n, published, ours, agrees.

    Parameters
    ----------
    terms : str              id of a sequence in data/published/oeis.csv
    function : callable      of the index; an index such as 2,3 is handed over as two numbers
    """
    frame = tables.published_terms(terms)
    rows = []
    for index, value in zip(frame["n"], frame["value"], strict=True):
        ours = function(*map(int, str(index).split(",")))
        rows.append({"n": str(index), "published": value, "ours": ours, "agrees": ours == value})
    return pd.DataFrame(rows)
