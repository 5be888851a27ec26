"""Remainders: a large whole number as remainders by moduli that have no common factor, each found by itself, and
joined.

The moduli are so large that two remainders add up in a word. Not here: where remainders come from.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import gcd

LARGEST = 1 << 63  # modulus: sums of two remainders fit a word


def check(modulus: int) -> None:
    """ValueError unless it is a modulus that sums can be taken by: a whole number from 2 to LARGEST."""
    if isinstance(modulus, bool) or not isinstance(modulus, int) or not 2 <= modulus <= LARGEST:
        raise ValueError(f"a modulus is a whole number from 2 to {LARGEST}, not {modulus!r}")


@lru_cache
def moduli(n: int) -> tuple[int, ...]:
    """The n largest pairwise coprime odd numbers up to LARGEST, largest first: a tuple.

    >>> [LARGEST - modulus for modulus in moduli(4)]
    [1, 3, 5, 7]
    """
    found: list[int] = []
    product, candidate = 1, LARGEST - 1
    while len(found) < n:
        if gcd(candidate, product) == 1:
            found.append(candidate)
            product *= candidate
        candidate -= 2
    return tuple(found)


def enough(bits: int) -> tuple[int, ...]:
    """The first of `moduli` whose product has more bits than a number, so that their remainders determine it: a tuple.

    >>> len(enough(63)), len(enough(600))
    (2, 10)
    """
    product, n = 1, 0
    while product.bit_length() <= bits:
        n += 1
        product *= moduli(n)[-1]
    return moduli(n)


def joined(remainders: Sequence[int], moduli: Sequence[int]) -> int:
    """The smallest whole number with given remainders, by the Chinese remainder theorem.

    Parameters
    ----------
    remainders, moduli : sequence of int    equally many; the moduli pairwise coprime

    >>> joined([2, 3, 2], [3, 5, 7])
    23
    """
    total, product = 0, 1
    for remainder, modulus in zip(remainders, moduli, strict=True):
        total += product * ((remainder - total) * pow(product, -1, modulus) % modulus)
        product *= modulus
    return total
