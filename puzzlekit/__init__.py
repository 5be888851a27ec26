"""puzzlekit: a laboratory for pencil-puzzle genres.

>>> from puzzlekit import usowan
>>> usowan.count(4, 4)
562

GENRES maps a genre's name to its package, which offers what genre.py promises. Genre packages are imported when first
used, since compiled kernels are slow to load.
"""

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from .genre import Genre

_GENRES = ("usowan", "tasquare", "nawabari")


class _Genres(Mapping[str, "Genre"]):
    """Genre packages by name, imported on first use."""

    def __getitem__(self, name: str) -> "Genre":
        if name not in _GENRES:
            raise KeyError(f"unknown genre {name!r}; choose from {list(_GENRES)}")
        return cast("Genre", importlib.import_module(f".{name}", __name__))  # a package is its own object

    def __iter__(self) -> Iterator[str]:
        return iter(_GENRES)

    def __len__(self) -> int:
        return len(_GENRES)


GENRES = _Genres()


# modules that users and notebooks import from here, by the folder they lie in
_MODULES = {
    "lab": (
        "analysis",
        "bank",
        "comparison",
        "explorer",
        "measure",
        "prose",
        "questions",
        "sequences",
        "tables",
        "views",
    ),
    "show": ("charts", "pictures"),
    "jobs": ("chunks", "multimodular"),
    "reports": ("report",),
    "studies": ("scaling",),
}  # fmt: skip
_FOLDERS = {module: folder for folder, modules in _MODULES.items() for module in modules}


def __getattr__(name: str) -> Any:
    if name in _GENRES:
        return GENRES[name]
    if name == "read":
        return importlib.import_module(".boards.detect", __name__).read
    if name == "data":  # a function, which reads a stored table
        return importlib.import_module(".lab.tables", __name__).data
    if name in _FOLDERS:
        return importlib.import_module(f".{_FOLDERS[name]}.{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_GENRES, "read", "data", *_FOLDERS]
