"""Checkpoint: how far a sweep has come, in a file of its own, so that a sweep that was stopped goes on from there.

Not here: what a sweep is, and when its file is not needed any more.
"""

import hashlib
import json
import time
from pathlib import Path

import numpy as np

from ..machinery import files, memory

SECONDS = 30  # between two writes
# a long write is followed by so many times its own time without one, as far as that is not over so many times SECONDS
_SHARE = 20


class Checkpoint:
    """A place in a sweep and the weights there.

    Parameters
    ----------
    file : path
    work : str          what is swept, with everything it depends on; a file of other work is refused
    seconds : float     between two writes, at least; more where writing takes long

    >>> import tempfile
    >>> kept = Checkpoint(f"{tempfile.mkdtemp()}/half", "a sweep of three rows", seconds=0)
    >>> kept.load(), kept.save(2, np.arange(3, dtype=np.uint64)), kept.load()
    (None, None, (2, array([0, 1, 2], dtype=uint64)))
    """

    def __init__(self, file: str | Path, work: str, seconds: float = SECONDS) -> None:
        self.file, self.work, self.seconds = Path(file), work, seconds
        self._due = time.monotonic() + seconds

    def load(self) -> tuple[int, np.ndarray] | None:
        """(place, uint64 weights) of the last write, or None. ValueError for a damaged file, or one of other work."""
        if not self.file.exists():
            return None
        files.expect_plain(self.file)
        try:
            with open(self.file, "rb") as file:
                record = json.loads(file.readline(1 << 16))
                if record["work"] == self.work and self.file.stat().st_size <= memory.machine():
                    weights = np.fromfile(file, np.uint64)
                    if record["digest"] == self._digest(record["place"], weights):
                        return record["place"], weights
        except (ValueError, KeyError, TypeError, RecursionError):
            pass  # told below, like a digest that does not fit
        raise ValueError(f"{self.file} is damaged or of other work; delete it to have the sweep begin anew")

    def save(self, place: int, weights: np.ndarray) -> None:
        """Write, if the last write was long enough ago: whole or not at all."""
        start = time.monotonic()
        if start < self._due:
            return
        weights = np.ascontiguousarray(weights, np.uint64)
        header = {"work": self.work, "place": place, "digest": self._digest(place, weights)}
        files.write_whole(self.file, json.dumps(header), "\n", weights.data)
        end = time.monotonic()
        self._due = end + max(self.seconds, min(_SHARE * (end - start), _SHARE * self.seconds))

    def _digest(self, place, weights):
        digest = hashlib.sha256(json.dumps([self.work, place, len(weights)]).encode())
        digest.update(weights.data)
        return digest.hexdigest()
