"""The stored Nawabari bank of 6 x 6 against an independent sample that no bank has been near.

    python benchmarks/bankless.py --boards 100000 --seed 10 --bank 10000

draws so many boards by the setter, a generator for each from another seed, repeats and all, and prints each figure of
the sample and of the bank with their 95% intervals, their difference with its own, and how likely two samples of one
setter differ as much (boards are clusters in both). A bank that drifts (one that refuses repeated boards does) leaves
these intervals. With `--first 10000` and the bank's own seed the sample is the boards that the bank would go on with:
where a figure of the bank is luck, these do not share it. Exits with 1 when more figures differ than luck explains. Not
here: tests; the figures of the bank are measured again, not read from data/.
"""

import argparse
import sys

import numpy as np
import pandas as pd
from scipy import stats

from puzzlekit import nawabari
from puzzlekit.lab import bank, intervals
from puzzlekit.nawabari import questions

ROWS = COLS = 6


def figures(boards, answers):
    """Each figure's hits and trials by board; the rooms by board."""
    asked = [
        (questions.slides(board, answer), questions.erasures(board, answer))
        for board, answer in zip(boards, answers, strict=True)
    ]
    slides = pd.DataFrame([pair[0] for pair in asked]).fillna(0).astype(int)
    inside, every = (questions.slides_kept(slides, seat) for seat in ("inside", None))
    erased = pd.DataFrame([pair[1] for pair in asked])
    rooms = np.array([int(answer.max()) + 1 for answer in answers])
    tried = inside["unique"] + inside["broken"]
    return {
        "slides inside a room that keep one answer": (inside["unique"], tried),
        "the same on boards of two rooms or more": (inside["unique"] * (rooms > 1), tried * (rooms > 1)),
        "all slides that keep one answer": (every["unique"], every["unique"] + every["broken"]),
        "erasures that leave one answer": (erased["unique"], erased.sum(axis=1)),
        "boards of one room": ((rooms == 1).astype(int), np.ones(len(rooms), int)),
        "boards of at most two rooms": ((rooms <= 2).astype(int), np.ones(len(rooms), int)),
        "rooms, in 36ths": (rooms, np.full(len(rooms), ROWS * COLS)),
    }


def spread(hits, trials):
    """A share and its standard error, boards being clusters."""
    hits, trials = np.asarray(hits, float), np.asarray(trials, float)
    share = hits.sum() / trials.sum()
    return share, np.sqrt(len(hits) / (len(hits) - 1) * ((hits - share * trials) ** 2).sum()) / trials.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--first", type=int, default=0, help="the board of that seed with which the sample begins")
    parser.add_argument("--bank", type=int, default=1000, help="how many boards of the bank")
    given = parser.parse_args()
    if given.seed == bank.SEED and given.first < given.bank:
        parser.error("the seed is the bank's own: the sample would be the bank")
    indices = range(given.first, given.first + given.boards)
    boards = [nawabari.make(ROWS, COLS, bank.board_rng(given.seed, ROWS, COLS, index)) for index in indices]
    sample = figures(boards, [nawabari.solve(board).answers[0] for board in boards])
    there = bank.load("nawabari", ROWS, COLS, given.bank)
    chances = []
    for what, theirs in figures(there.boards, there.answers).items():
        (ours, ours_error), (share, error) = spread(*sample[what]), spread(*theirs)
        both = [f"{found:.4f} ({low:.4f} to {high:.4f})" for found, (low, high) in (
            (ours, intervals.share_interval(*sample[what])), (share, intervals.share_interval(*theirs)),
        )]  # fmt: skip
        reach = stats.norm.ppf(0.5 + intervals.LEVEL / 2) * np.hypot(ours_error, error)
        chances.append(2 * stats.norm.sf(abs(ours - share) / np.hypot(ours_error, error)))
        print(f"{what}: sample {both[0]}, bank {both[1]}, bank less sample {share - ours:.4f}", end=" ")
        print(f"({share - ours - reach:.4f} to {share - ours + reach:.4f}), chance {chances[-1]:.3f}")
    adjusted = stats.false_discovery_control(chances)
    print(
        f"the smallest chance, corrected for {len(chances)} comparisons (Benjamini and Hochberg): {min(adjusted):.3f}"
    )
    return int((adjusted < 1 - intervals.LEVEL).any())


if __name__ == "__main__":
    sys.exit(main())
