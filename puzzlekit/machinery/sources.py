"""Which files of the package a module rests on, and a stamp that stands for exactly what they say.

A compiled kernel is right as long as nothing that it calls has changed, and a finished chunk as long as nothing has
that its function uses; both are stamped with the import closure of their module, not with all sources. What is imported
inside a function counts for chunks, not for kernels, which cannot import.

Not here: what is kept under a stamp (kernels.py, compiler.py, chunks.py).
"""

import functools
import hashlib
import importlib.util
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
NAME = PACKAGE.name
_IMPORT = re.compile(
    r"^([ \t]*)(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))", re.MULTILINE
)


@functools.cache
def module_of(file: str | Path) -> str | None:
    """The dotted name of a file of the package, or None for a file of something else."""
    file = Path(file).resolve()
    if not file.is_relative_to(PACKAGE):
        return None
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join((NAME, *parts[:-1], *(() if parts[-1] == "__init__" else parts[-1:])))


def is_ours(module: str) -> bool:
    """Whether a dotted name is that of a module of the package."""
    return module.split(".", maxsplit=1)[0] == NAME and _file(module) is not None


def rests(module: str, other: str) -> bool:
    """Whether kernels of one module are stamped with the source of another, both of the package."""
    return _file(other) in closure(module, whole=False)


@functools.cache
def _file(module):
    """The file of a module of the package, or None where there is none."""
    base = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        if file.is_file():
            return file
    return None


@functools.cache
def _text(file):
    return file.read_text("utf-8")


def imports(text: str, module: str, *, whole: bool, package: bool = False) -> set[str]:
    """Modules of the package that a source imports.

    Parameters
    ----------
    text : str         the source
    module : str       its dotted name, from which relative imports start
    whole : bool       also what is imported inside functions
    package : bool     whether it is a package's __init__

    Returns
    -------
    set of str

    >>> sorted(imports("from ..machinery import grid, search\\nimport os", "puzzlekit.usowan.ladder", whole=True))
    ['puzzlekit.machinery.grid', 'puzzlekit.machinery.search']
    """
    here = module.split(".") if package else module.split(".")[:-1]
    found: set[str] = set()
    for indent, origin, names, plain in _IMPORT.findall(text):
        if indent and not whole:
            continue
        if plain:
            found.update(word.split()[0] for word in plain.split(",") if word.strip())
            continue
        dots = len(origin) - len(origin.lstrip("."))
        if dots > len(here):
            continue
        base = ".".join([*(here[: len(here) - dots + 1] if dots else ()), *filter(None, [origin.lstrip(".")])])
        for name in re.findall(r"(\w+)(?:[ \t]+as[ \t]+\w+)?", re.sub(r"#[^\n]*", "", names)):
            found.add(f"{base}.{name}" if base.split(".")[0] == NAME and _file(f"{base}.{name}") else base)
    return {name for name in found if name.split(".")[0] == NAME and _file(name)}


@functools.cache
def closure(module: str, *, whole: bool = True) -> tuple[Path, ...]:
    """The files that a module rests on, of the package and its own: Paths, sorted.

    With `whole` also what functions import when they are called, and for the package itself, which finds genres by
    their names, every genre. Cost: a few milliseconds for 30 modules.
    """
    files, seen, waiting = {_start(module)}, {module}, {module}
    while waiting:
        name = waiting.pop()
        file = _start(name)
        files.add(file)
        waiting |= _imports(name, whole) - seen
        seen |= waiting
        if name == NAME and whole:
            from .. import GENRES

            waiting |= {f"{NAME}.{genre}" for genre in GENRES} - seen
    return tuple(sorted(files, key=str))


@functools.cache
def _imports(module, whole):
    file = _start(module)
    return imports(_text(file), module, whole=whole, package=file.name == "__init__.py")


@functools.cache
def _start(module):
    """The file of a module, of the package or not. ValueError where there is none."""
    file = _file(module) if module.split(".")[0] == NAME else None
    if file is None:
        found = importlib.util.find_spec(module)
        file = Path(found.origin) if found and found.has_location and found.origin else None
    if file is None:
        raise ValueError(f"no file belongs to the module {module}")
    return file


@functools.cache  # of the sources that this process runs, whatever happens to the files meanwhile
def stamp(module: str, *, whole: bool = True) -> str:
    """16 hexadecimal digits that stand for a module and all that it rests on; see `closure`."""
    digest = hashlib.sha256()
    for file in closure(module, whole=whole):
        digest.update(_digest(file))
    return digest.hexdigest()[:16]


@functools.cache
def _digest(file):
    name = file.relative_to(PACKAGE) if file.is_relative_to(PACKAGE) else file.name
    return hashlib.sha256(f"{name}\0{_text(file)}".encode()).digest()


def stamp_of(*work: object) -> str:
    """The stamp of functions at the top of modules, by their full names, and of those that are named anywhere in their
    arguments.

    >>> stamp_of("puzzlekit.jobs.chunks.spans") == stamp("puzzlekit.jobs.chunks")
    True
    """
    names = set()
    waiting = list(work)
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, (list, tuple)):
            waiting += value
        elif isinstance(value, str) and (value in work or re.fullmatch(rf"{NAME}(\.\w+)+", value)):
            names.add(value)
    stamps = sorted({stamp(name.rpartition(".")[0]) for name in names})
    return stamps[0] if len(stamps) == 1 else hashlib.sha256("".join(stamps).encode()).hexdigest()[:16]
