"""Tables that any genre can fill, and the intervals around sampled figures. Genres are reached through GENRES, by name.

Every row of a sampled table has the number of boards, the counts a share is made of, a 95% interval, the published figure where
there is one, and whether our interval holds it. Where several cells, clues or draws come from one board they are not independent:
intervals of such shares are widened by the board-to-board spread (a design effect). A median has the interval of its order statistics.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from . import GENRES, bank, chunks, tables
from .machinery.grid import UNKNOWN
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
    return max(0.0, float(centre - reach)), min(1.0, float(centre + reach))


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


class Published(dict):
    """Published figures by label; a figure given as a count of a total comes as a Fraction, its total in `trials`."""

    def __init__(self, genre):
        frame = tables.published(genre)
        self.trials = {label: int(of) for label, of in zip(frame["label"], frame["of"]) if of}
        for label, value in zip(frame["label"], frame["value"]):
            self[label] = Fraction(value, self.trials[label]) if label in self.trials and isinstance(value, int) else value


def share(label, hits, trials, known, digits=4, per=1):
    """A row with a share of whole counts, its interval and the published figure. Arrays are counts by board.

    `per` scales the share, to 1 in a million for instance. `chance` is the probability that a fair sample as large as the
    published one lies as far from ours or farther (normal approximation, with our design effect).
    """
    low, high = share_interval(hits, trials)
    counts = {"hits": int(np.sum(hits)), "of": int(np.sum(trials))}
    ours = Fraction(counts["hits"], counts["of"])
    theirs = known.get(label)
    scaled = {label: theirs * per} if per != 1 and theirs is not None else known
    row = counts | _row(label, ours * per, low * per, high * per, scaled, digits)
    row["chance"] = None
    if isinstance(theirs, Fraction) and 0 < ours < 1:
        reach = stats.norm.ppf(0.5 + LEVEL / 2)
        ours_error = (high - low) / 2 / reach
        effect = ours_error**2 * counts["of"] / float(ours * (1 - ours))
        error = np.hypot(ours_error, np.sqrt(effect * float(ours * (1 - ours)) / known.trials[label]))
        row["chance"] = places(Fraction(2 * stats.norm.sf(abs(float(theirs - ours)) / error)), 3)
    return row


def median(label, values, known):
    """A row with a median, its interval, the extremes and the published median."""
    values = [int(value) for value in values]
    low, high = median_interval(values)
    middle = Fraction(sorted(values)[(len(values) - 1) // 2] + sorted(values)[len(values) // 2], 2)
    digits = 0 if middle.denominator == 1 else 1
    return _row(label, middle, low, high, known, digits, 0) | {"fewest": min(values), "most": max(values)}


def mean(label, values, known, digits=3):
    """A row with the mean of whole numbers, one a board, its interval and the published mean."""
    low, high = mean_interval(values)
    row = _row(label, Fraction(int(np.sum(values)), len(values)), low, high, known, digits)
    return {"of": len(values)} | row


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
    """Name, boards and answers of each size; a size is a number n for n x n, or a pair (rows, cols)."""
    for size in sizes:
        rows, cols = size if isinstance(size, (tuple, list)) else (size, size)
        found = bank.load(genre, rows, cols, boards)
        yield size_name(rows, cols), found.boards, found.answers


def ask(genre, sizes, question, boards=None, *, scheduler=None, chunk=50):
    """A question put to every board of some banks.

    Parameters
    ----------
    sizes : list             n for n x n, or (rows, cols)
    question : callable      of a board and its answer; gives a dict label -> int. To be asked on other processes, or kept while it
                             is asked, it has to be at the top of a module, or functools.partial of such a function with keywords
    boards : int             the first so many of each bank; None is all
    scheduler : str          where to ask: see `chunks.run`
    chunk : int              boards in a chunk, when there are chunks

    Returns
    -------
    dict                     size -> DataFrame of a row a board and a column a label, 0 where a board does not have it
    """
    found = {}
    in_chunks = chunks.in_use(scheduler)
    for name, puzzles, answers in _banks(genre, sizes, boards):
        if in_chunks:
            what = {"genre": genre, "size": name, "question": chunks.named(question)}
            calls = [what | {"first": first, "last": last} for first, last in chunks.spans(len(puzzles), chunk)]
            counts = sum(chunks.run(asked, calls, scheduler=scheduler, label=f"{genre} {name}", progress=True), [])
        else:
            counts = [question(board, answer) for board, answer in zip(puzzles, answers)]
        found[name] = pd.DataFrame(counts).fillna(0).astype(object)
    return found


def asked(genre, size, question, first, last):
    """One chunk of `ask`: what a question, as `chunks.named` writes it, counts on some boards of a bank, as a list of dicts."""
    question = chunks.function_of(question)
    rows, cols = map(int, size.split("x"))
    found = _bank(genre, rows, cols)
    return [question(board, answer) for board, answer in zip(found.boards[first:last], found.answers[first:last])]


@lru_cache(maxsize=1)
def _bank(genre, rows, cols):
    return bank.load(genre, rows, cols)


def shares(genre, found, labels, prefix, digits=4, per=1, some=(), pooled=False):
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
    return pd.DataFrame(rows)


def medians(genre, found):
    """Medians of what a question counts on each board; published figures are looked up as "label/size/median"."""
    known = Published(genre)
    return pd.DataFrame([
        {"size": name, "boards": len(counts), "what": label} | median(f"{label}/{name}/median", counts[label], known)
        for name, counts in found.items()
        for label in counts
    ])


def spread(counts, part, whole, digits=4):
    """The share of one count in another on each board, over boards: mean with its interval, median and extremes."""
    values = [Fraction(int(a), int(b)) for a, b in zip(counts[part], counts[whole])]
    low, high = mean_interval([float(value) for value in values])
    ordered = sorted(values)
    middle = (ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2
    figures = {
        "mean": sum(values) / len(values), "low": Fraction(low), "high": Fraction(high), "median": middle, "least": ordered[0],
        "most": ordered[-1],
    }
    return {name: places(value, digits) for name, value in figures.items()}


def ratio(frame, name, part, whole, digits=4):
    """The frame with one more column: the exact share of one column in another, rounded on purpose."""
    values = [places(Fraction(int(a), int(b)), digits) for a, b in zip(frame[part], frame[whole])]
    return frame.assign(**{name: pd.Series(values, frame.index, object)})


def beside(frame, genre, column, label):
    """The frame with the published figures of a column next to it. `label` is a pattern filled from each row, "space/{size}/price"."""
    known = Published(genre)
    figures = [known.get(label.format(**row)) for row in frame.to_dict("records")]
    at = frame.columns.get_loc(column) + 1
    return pd.concat([frame.iloc[:, :at], pd.Series(figures, frame.index, object, name=f"{column}, published"), frame.iloc[:, at:]], axis=1)


# Tables


def rungs(genre, sizes, boards=None):
    """What each rung settles and finishes: share of all cells (or walls) settled by climbing up to it, and of boards it finishes."""
    package, known, rows = GENRES[genre], Published(genre), []
    for name, puzzles, _ in _banks(genre, sizes, boards):
        for rung in package.RUNGS:
            climbs = [package.climb(board, rung) for board in puzzles]
            settled = [int((climb.state != UNKNOWN).sum()) for climb in climbs]
            unknowns = [climb.state.size for climb in climbs]
            finished = sum(climb.finished for climb in climbs)
            head = {"size": name, "boards": len(puzzles), "rung": rung}
            rows.append(head | {"what": "settled"} | share(f"rungs/{name}/{rung}/settled", settled, unknowns, known, 3))
            label = f"rungs/{name}/{rung}/finished"
            rows.append(head | {"what": "finished"} | share(label, finished, len(puzzles), known, 3))
    return pd.DataFrame(rows)


def pruning(genre, sizes, tops, boards=None, cap=200_000):
    """Branch points of the complete search when it may climb only up to a rung between guesses, ended at a cap.

    Figures are text, since a median of searches that were ended is only known to be past the cap: ">200000".
    """
    package, known, rows = GENRES[genre], Published(genre), []
    for name, puzzles, _ in _banks(genre, sizes, boards):
        for top in tops:
            spent = [package.solve(board, top=top, budget=cap).branch_points for board in puzzles]
            row = median(f"pruning/{name}/{top}/median", spent, known)
            row["most, published"] = known.get(f"pruning/{name}/{top}/worst")
            row = {key: f">{cap}" if _above(value, cap) else value for key, value in row.items()}
            if isinstance(row["ours"], str):
                row["holds it"] = row["ours"] == row["published"]
            row = {key: value if key == "holds it" or value is None else str(value) for key, value in row.items()}
            capped = sum(points > cap for points in spent)
            rows.append({"size": name, "boards": len(puzzles), "up to": top, "capped": capped} | row)
    return pd.DataFrame(rows)


def difficulty(genre, sizes, boards=None):
    """How hard the boards of a bank are: the hardest rung they need, and how often the ladder looks at each rung.

    Returns
    -------
    (DataFrame, DataFrame)     the boards that need each rung as their hardest, with their grade; looks at each rung, the median
    """
    package, shares_of, looks = GENRES[genre], [], []
    for name, puzzles, _ in _banks(genre, sizes, boards):
        graded = [package.difficulty(board) for board in puzzles]
        for rung, grade in package.GRADES.items():
            hits, head = sum(one.hardest == rung for one in graded), {"genre": genre, "size": name, "boards": len(graded), "rung": rung}
            row = share(f"difficulty/{name}/{rung}", hits, len(graded), Published(genre), 3)
            shares_of.append(head | {"grade": grade} | {key: row[key] for key in ("hits", "ours", "low", "high")})
            counts = [one.counts[rung] for one in graded]
            row = median(f"difficulty/{name}/{rung}/looks", counts, Published(genre))
            looks.append(head | {key: row[key] for key in ("ours", "low", "high", "fewest", "most")})
    return pd.DataFrame(shares_of), pd.DataFrame(looks)


def _above(value, cap):
    return not isinstance(value, (str, bool, type(None))) and value > cap


def misreadings(genre, sizes, boards=None):
    """What each misreading does to boards, with all answers counted exactly.

    Returns
    -------
    (DataFrame, DataFrame)     the boards on which the intended answer stays legal, and that stay unique; the number of answers
    """
    package, known, shares, counts = GENRES[genre], Published(genre), [], []
    for name, puzzles, answers in _banks(genre, sizes, boards):
        for reading in package.MISREADINGS:
            head = {"size": name, "boards": len(puzzles), "misreading": reading}
            label, n = f"misreadings/{name}/{reading}", len(puzzles)
            found = [package.count_answers(board, reading) for board in puzzles]
            legal = sum(package.check(board, answer, reading) is None for board, answer in zip(puzzles, answers))
            unique = sum(count == 1 for count in found)
            for what, hits in (("intended legal", legal), ("unique", unique)):
                shares.append(head | {"what": what} | share(f"{label}/{what}", hits, n, known, 3))
            counts.append(head | median(f"{label}/median answers", found, known))
    return pd.DataFrame(shares), pd.DataFrame(counts)


def space(genre, sizes):
    """The answer space of square grids, with and without the clause that the unshaded cells are one region, and its price.

    `states` are the frontier states of the widest layer.
    """
    package, rows = GENRES[genre], []
    for size in sizes:
        diagram, loose = package.diagram(size, size), package.count(size, size, connected=False)
        answers = diagram.count()
        rows.append({
            "size": size_name(size, size), "price": places(Fraction(loose, answers), 2),
            "states": diagram.states, "answers": answers, "not connected": loose,
        })
    return pd.DataFrame(rows)


def sequence(terms, function):
    """A published sequence against ours: columns n, published, ours, agrees.

    Parameters
    ----------
    terms : str              id of a sequence in data/published/oeis.csv
    function : callable      of the index; an index such as 2,3 is handed over as two numbers
    """
    frame = tables.published("oeis")
    frame = frame[frame["sequence"] == terms]
    if frame.empty:
        raise ValueError(f"no terms of {terms!r} in the published sequences")
    rows = []
    for index, value in zip(frame["n"], frame["value"]):
        ours = function(*map(int, str(index).split(",")))
        rows.append({"n": str(index), "published": value, "ours": ours, "agrees": ours == value})
    return pd.DataFrame(rows)


def marginals(genre, sizes):
    """How often corner, edge and centre cells are shaded over the whole answer space, exactly.

    The edge is the middle of a side, the centre the middle of the grid; on even sizes all the middle cells have one value.
    """
    package, rows = GENRES[genre], []
    for size in sizes:
        shading, total, middle = package.marginals(size, size), package.count(size, size), size // 2
        corner, edge, centre = (Fraction(int(shading[cell]), total) for cell in ((0, 0), (0, middle), (middle, middle)))
        rows.append({
            "size": size_name(size, size), "answers": total, "corner": places(corner, 4), "edge": places(edge, 4),
            "centre": places(centre, 4), "corner over centre": places(corner / centre, 2),
        })
    return pd.DataFrame(rows)


def sampler_check(genre, sizes, draws, seed):
    """Uniform draws against the exact marginals: the worst gap over the cells, in units of what chance allows.

    `worst gap` is the largest difference of a cell's frequency from its exact share; `allowed` the gap that the worst of as many
    cells stays under in 95% of fair runs (normal approximation, cells taken as independent).
    """
    package, rows = GENRES[genre], []
    for size, n in zip(sizes, draws, strict=True):
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
        })
    return pd.DataFrame(rows)


