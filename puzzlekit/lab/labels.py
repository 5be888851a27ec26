"""Parameters of a measurement as parts of file names.

>>> words({"rows": 6, "cols": 8, "sizes": [6, 7, 8, 9], "boards": 1000}, {"boards": 1000})
'6x8_sizes_6_to_9'
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..boards import shown

Scalar = int | float | str | None
Parameter = Scalar | Sequence[Scalar] | np.ndarray | np.generic  # of a measurement


def words(parameters: Mapping[str, Parameter], usual: Mapping[str, Parameter]) -> str:
    """The parameters that are not as usual as words of a table's name, sorted by name; those of a grid first.

    Two sets of parameters can have the same words; who stores tables has to compare the parameters too.

    Raises
    ------
    ValueError     for a name or a value that cannot be part of a file name

    >>> words({"grids": ["4x4", "3x6"], "seed": 1, "top": "connect"}, {"top": "probe"})
    '4x4_3x6_seed_1_top_connect'
    """
    other = {key: value for key, value in plain(parameters).items() if key not in usual or value != usual[key]}
    texts = {key: _texts(key, value) for key, value in other.items()}
    parts = []
    if {"rows", "cols"} <= set(other) and all(isinstance(other[key], int) for key in ("rows", "cols")):
        parts.append(f"{texts.pop('rows')[0]}x{texts.pop('cols')[0]}")
    for key, found in texts.items():
        numbers = [int(text) for text in found] if all(re.fullmatch("[0-9]{1,9}", text) for text in found) else []
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            found = [found[0], "to", found[-1]]
        parts += found if all(re.fullmatch("[0-9]+x[0-9]+", text) for text in found) else [key, *found]
    return re.sub("[^a-z0-9._-]", "-", "_".join(parts).lower())


def pairs(parameters: Mapping[str, Parameter]) -> str:
    """All parameters as part of a report's name, sorted by name: key=value_key=value.

    >>> pairs({"rows": 8, "connected": True})
    'connected=true_rows=8'
    """
    return "_".join(f"{key}={'-'.join(_texts(key, value))}" for key, value in plain(parameters).items())


def plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as JSON has them, sorted by name: numpy scalars and sequences become Python scalars and lists."""
    return {key: _plain(parameters[key]) for key in sorted(parameters)}


def _plain(value):
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [_plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def _texts(key, value):
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", key):
        raise ValueError(f"parameter {shown(key)}: names are of letters, digits and underscores")
    return [_text(key, item) for item in (value if isinstance(value, list) else [value])]


def _text(key, value):
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_.+ -]+", value):
        return value.replace(" ", "-")
    raise ValueError(
        f"parameter {key}={shown(value)}: use numbers, bools, and text of letters, digits, spaces and _ . + -"
    )
