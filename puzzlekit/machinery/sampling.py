"""Sampling: exact uniform ranks below a number of any size.

Not here: what a rank stands for (see `frontier.Diagram.unrank`), and where the randomness comes from: it is handed in.
"""

import numpy as np
import numpy.typing as npt

from . import limbs


def ranks(total: int, n: int, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """Uniform integers from 0 to total - 1, exactly: random bits, those too large thrown away and drawn again.

    Parameters
    ----------
    total : int                     at least 1, of any size
    n : int                         how many, at least 0
    rng : numpy.random.Generator    the same generator state gives the same ranks

    Returns
    -------
    uint64 (n, limbs)               least significant limb first, limbs = limbs.width(total - 1)

    Raises
    ------
    ValueError                      total below 1, or n below 0

    Cost: fewer than two random words a limb.

    >>> ranks(3, 5, np.random.default_rng(1)).ravel().tolist()
    [2, 0, 1, 1, 1]
    """
    if total < 1:
        raise ValueError(f"nothing to draw from: total must be at least 1, not {total}")
    if n < 0:
        raise ValueError(f"n must be at least 0, not {n}")
    width = limbs.width(total - 1)
    shift = np.uint64(limbs.BITS * width - max(1, (total - 1).bit_length()))
    found = np.empty((0, width), np.uint64)
    while len(found) < n:
        fresh = rng.integers(0, 2**64, size=(n - len(found), width), dtype=np.uint64)
        fresh[:, -1] >>= shift
        found = np.concatenate([found, fresh[limbs.below(fresh, total)]])
    return found
