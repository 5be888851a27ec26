"""How sharp the tests are: small faults put into the package one at a time, and whether the tests of the module notice.

    python benchmarks/mutation.py puzzlekit/lab/measure.py puzzlekit/usowan --sample 40 --seed 1

Every mutant lives in a copy of the checkout that is thrown away. The tests that are asked are those of the module
(tests/<folder>/test_<module>.py), those that import it, and its doctests; where there are none, those of whoever
imports it. A mutant that no test notices is printed; those known to change nothing are listed, with the reason, in
mutation_equivalent.yaml.

Each mutant runs in a fork of a process that has imported everything but the package, so that a plain one takes little
more than its tests. Kernels keep their compiled code between mutants, but for all modules that rest on the mutated
one: numba itself looks only at a kernel's own file.
"""

import argparse
import ast
import collections
import contextlib
import functools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
EQUIVALENT = Path(__file__).with_name("mutation_equivalent.yaml")
# tests that start notebooks, browsers, fresh processes or look at the sources themselves: not asked
BROAD = (
    "test_notebooks", "test_project", "test_readme", "test_faults", "test_cluster", "test_command_line",
    "test_benchmarks", "test_player", "test_pages", "test_reach", "test_readers", "test_mutation",
)  # fmt: skip
COMPARE = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
BINARY = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Pow: ast.Mult,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
KERNELS = ("kernel", "inner", "lean", "hook", "of")
TAIL = 4000  # characters of a test run's output that are kept


class Mutant(NamedTuple):
    """One small fault.

    module : str           path below the checkout
    scope : str            function it lies in, dotted; "" at the top of the module
    start, end : int       bytes of the source that are replaced
    text : str             by this
    kind : str             what is done
    before, after : str    the line, without and with the fault
    line : int
    compiled : bool        whether kernels may see it
    """

    module: str
    scope: str
    start: int
    end: int
    text: str
    kind: str
    before: str
    after: str
    line: int
    compiled: bool

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.module, self.scope, self.before, self.after


def mutants_of(module: str, source: bytes) -> list[Mutant]:
    """All small faults of a module, in the order of its lines."""
    tree = ast.parse(source)
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    jits = any(_is_kernel(node) for node in ast.walk(tree))
    found: list[Mutant] = []
    for node, scope, in_kernel in _walk(tree, "", False):
        for at, text, kind in _faults(node):
            first = starts[at.lineno - 1] + at.col_offset
            last = starts[at.end_lineno - 1] + at.end_col_offset
            mutated = source[:first] + text.encode() + source[last:]
            if mutated == source:
                continue
            try:
                ast.parse(mutated)
            except SyntaxError:
                continue
            left, right = starts[at.lineno - 1], source.find(b"\n", last)
            tail = source[last : right if right >= 0 else None]
            before = b" ".join((source[left:last] + tail).split()).decode()
            after = b" ".join((source[left:first] + text.encode() + tail).split()).decode()
            compiled = in_kernel or (jits and not scope)
            found.append(Mutant(module, scope, first, last, text, kind, before, after, at.lineno, compiled))
    return sorted(set(found), key=lambda mutant: (mutant.start, mutant.end, mutant.text))


def _is_kernel(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef):
        return False
    names = [decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list]
    return any((name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")) in KERNELS for name in names)


def _walk(node: ast.AST, scope: str, in_kernel: bool) -> Iterator[tuple[ast.AST, str, bool]]:
    """The nodes that may be mutated: no docstrings, annotations, decorators, imports, formatted texts."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            inside, kernel = scope, in_kernel
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inside, kernel = f"{scope}.{child.name}".strip("."), in_kernel or _is_kernel(child)
            yield child, inside, kernel
            yield from _walk(child, inside, kernel)


def _faults(node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """(what is replaced, by which text, what that is called) for one node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            parts = [f"({ast.unparse(node.left)})"]
            for j, (other, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
                parts += [COMPARE[type(op)] if i == j else _symbol(other), f"({ast.unparse(right)})"]
            yield node, f"({' '.join(parts)})", "compare"
    elif isinstance(node, ast.BoolOp):
        other = " or " if isinstance(node.op, ast.And) else " and "
        yield node, f"({other.join(f'({ast.unparse(value)})' for value in node.values)})", "and / or"
    elif isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        if not any(_is_text(side) for side in (node.left, node.right)):
            yield node, f"({ast.unparse(ast.BinOp(node.left, BINARY[type(node.op)](), node.right))})", "operator"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node, f"({ast.unparse(node.operand)})", "sign"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value), "constant"
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, str(node.value + 1), "constant"
        if node.value > 0:
            yield node, str(node.value - 1), "constant"
    elif isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield node, repr(node.value * 2 + 1), "constant"
    elif isinstance(node, ast.IfExp):
        yield node, f"({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})", "branches exchanged"
    elif isinstance(node, (ast.If, ast.While)) and not isinstance(node.test, ast.Constant):
        yield node.test, f"(not ({ast.unparse(node.test)}))", "condition"
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in NAMES:
        yield node, NAMES[node.id], "min / max"
    elif (
        isinstance(node, ast.Call)
        and len(node.args) > 1
        and not any(isinstance(arg, ast.Starred) for arg in node.args[:2])
    ):
        swapped = ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
        yield node, ast.unparse(swapped), "arguments exchanged"
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield node, "return None", "return"
    elif isinstance(node, (ast.AugAssign, ast.Raise)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield node, "pass", "deleted"
    elif isinstance(node, ast.Assign) and all(
        isinstance(target, (ast.Subscript, ast.Attribute)) for target in node.targets
    ):
        yield node, "pass", "deleted"
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield node, "pass", "deleted"


def _symbol(op: ast.cmpop) -> str:
    return ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


# Which tests, and who rests on whom


@functools.cache
def imports_of(file: Path, root: Path) -> set[str]:
    """Modules of the package that a file imports, as paths below the checkout."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                folder = file.relative_to(root).parts[: -node.level]
                base = ".".join([*folder, *filter(None, [base])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            path = Path(*name.split(".")) if name else Path()
            for candidate in (path.with_suffix(".py") if name else path, path / "__init__.py"):
                if candidate.parts[:1] == ("puzzlekit",) and (root / candidate).is_file():
                    found.add(candidate.as_posix())
    return found


def resting_on(module: str, root: Path) -> set[str]:
    """The module and all that import it, directly or not."""
    imports = {path.relative_to(root).as_posix(): imports_of(path, root) for path in (root / "puzzlekit").rglob("*.py")}
    found, before = {module}, 0
    while len(found) > before:
        before = len(found)
        found |= {other for other, needed in imports.items() if needed & found}
    return found


def tests_of(module: str, root: Path, most: int | None) -> list[str]:
    """Files of tests to ask about a module, at most so many, its own first; before them itself, for its doctests."""
    path = Path(module)
    own = root / "tests" / path.parent.relative_to("puzzlekit") / f"test_{path.stem}.py"
    files = [file for file in sorted((root / "tests").rglob("test_*.py")) if file.stem not in BROAD]
    near = [file for file in files if module in imports_of(file, root)]
    if not near and not own.exists():
        users = {other for other in resting_on(module, root) if module in imports_of(root / other, root)}
        near = [file for file in files if users & imports_of(file, root)]
    if path.parent.name in ("usowan", "tasquare", "nawabari", "machinery"):
        near = [*near, *(file for file in files if file.parent.name == path.parent.name)]
    near.sort(
        key=lambda file: (module not in imports_of(file, root), len(imports_of(file, root)))
    )  # those for little else first
    chosen = [file for file in dict.fromkeys([own, *near]) if file in files][:most]
    doctests = [module] if ">>> " in (root / module).read_text("utf-8") else []
    return doctests + [file.relative_to(root).as_posix() for file in chosen]


# Running


def forked(root: Path, tests: list[str], limit: float, environment: dict[str, str]) -> tuple[str, str, float]:
    """A run of tests in a fork: (killed, survived, timeout or no test; the end of what pytest said; seconds)."""
    start = time.monotonic()
    output = root / "mutation.log"
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.setsid()
            log = os.open(output, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.chdir(root)
            os.environ.update(environment)
            sys.path[:0] = [str(root), str(root / "tests")]
            import numba
            import pytest

            numba.core.config.reload_config()
            code = pytest.main(
                [
                    "-q",
                    "-x",
                    "-p",
                    "no:cacheprovider",
                    "-o",
                    "addopts=--import-mode=importlib --doctest-modules",
                    *tests,
                ]
            )
        finally:
            sys.stdout.flush()
            os._exit(int(code))
    status = None
    while status is None and time.monotonic() - start < limit:
        done, raw = os.waitpid(child, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(raw)
        else:
            time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # and whatever the tests have left behind
    if status is None:
        os.waitpid(child, 0)
    said = output.read_text("utf-8", "replace")[-TAIL:] if output.exists() else ""
    verdict = {None: "timeout", 0: "survived", 5: "no test"}.get(status, "killed")
    if status == 4:
        raise SystemExit(f"pytest could not be asked about {tests}: {said}")
    return verdict, said, time.monotonic() - start


def forget(cache: Path, modules: set[str]) -> None:
    """Remove the compiled kernels of some modules from a cache folder of numba."""
    for module in modules:
        path = Path(module)
        for file in cache.glob(f"{path.parent.name}_*/{path.stem}.*"):
            file.unlink()


def judged(
    root: Path, mutants: list[Mutant], jit: bool, longest: float, most: int | None, tell
) -> Iterator[tuple[Mutant, str, str, float]]:
    """Each mutant with its verdict, the test that noticed it, and the seconds it took."""
    import hypothesis  # noqa: F401 - imported here once, so that no fork has to
    import numba  # noqa: F401
    import pandas  # noqa: F401
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401

    if not jit:
        uncompiled(root)
    base, work = root / ".cache-base", root / ".cache-work"
    environment = {
        "NUMBA_CACHE_DIR": str(base), "NUMBA_DISABLE_JIT": "0" if jit else "1", "TQDM_DISABLE": "1",
        "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(root / ".hypothesis"),
    }  # fmt: skip
    base.mkdir()
    by_module = collections.defaultdict(list)
    for mutant in mutants:
        by_module[mutant.module].append(mutant)
    for module, some in by_module.items():
        tests = tests_of(module, root, most)
        if not tests:
            yield from ((mutant, "no test", "", 0.0) for mutant in some)
            continue
        verdict, said, cold = forked(root, tests, longest, environment)
        if verdict != "survived":
            tell(f"{module}: left out, its tests do not pass as it is ({verdict}): {said[-300:]}")
            continue
        _, _, warm = forked(root, tests, longest, environment)
        tell(f"{module}: {len(some)} mutants, {len(tests)} files of tests, {cold:.0f} s, again {warm:.0f} s")
        source, dependants = (root / module).read_bytes(), resting_on(module, root)
        for mutant in some:
            recompiles = mutant.compiled and jit
            if recompiles:
                shutil.rmtree(work, ignore_errors=True)
                shutil.copytree(base, work, copy_function=os.link)
                forget(work, dependants)
            limit = 15 + 4 * warm + (cold if recompiles else 0)
            (root / module).write_bytes(source[: mutant.start] + mutant.text.encode() + source[mutant.end :])
            try:
                changed = environment | ({"NUMBA_CACHE_DIR": str(work)} if recompiles else {})
                verdict, said, seconds = forked(root, tests, limit, changed)
            finally:
                (root / module).write_bytes(source)
            by = re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
            yield mutant, verdict, by[0] if by else "", seconds


def equivalents() -> dict[tuple[str, ...], str]:
    """Mutants known to change nothing: key to reason."""
    import yaml

    entries = yaml.safe_load(EQUIVALENT.read_text("utf-8")) or []
    return {tuple(entry[name] for name in ("module", "scope", "before", "after")): entry["reason"] for entry in entries}


def copied(folder: Path) -> Path:
    """The checkout as git has it, with what is changed in it and not committed."""
    root = folder / "checkout"
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in filter(None, names):
        if (CHECKOUT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, root / name)
    return root


def uncompiled(root: Path) -> Path:
    """The copy with a kernel decorator that leaves functions as they are where numba is told not to compile."""
    file, line = root / "puzzlekit/machinery/kernels.py", "    made = numba.njit("
    text = file.read_text("utf-8")
    if "DISABLE_JIT" not in text:
        if text.count(line) != 1:
            raise SystemExit("machinery/kernels.py has changed: --plain has to be taught its new decorator")
        file.write_text(
            text.replace(line, f"    if numba.config.DISABLE_JIT:\n        return function\n{line}"), "utf-8"
        )
    return root


def chosen(paths: list[str], sample: int | None, seed: int) -> list[Mutant]:
    """The mutants of some files and folders, or `sample` of them for each module, drawn with a seed."""
    files: list[Path] = []
    for path in paths:
        whole = (CHECKOUT / path).resolve()
        if not whole.exists() or not whole.is_relative_to(CHECKOUT / "puzzlekit"):
            raise SystemExit(f"{path} is no file or folder of the package")
        files += sorted(whole.rglob("*.py")) if whole.is_dir() else [whole]
    found: list[Mutant] = []
    for file in dict.fromkeys(files):
        module = file.relative_to(CHECKOUT).as_posix()
        every = mutants_of(module, file.read_bytes())
        if sample is not None and sample < len(every):
            every = sorted(random.Random(f"{seed} {module}").sample(every, sample), key=lambda mutant: mutant.start)
        found += every
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", default=["puzzlekit"], help="files or folders of the package")
    parser.add_argument("--sample", type=int, help="so many mutants of each module")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--workers", type=int, default=1, help="processes, each with a copy of its own")
    parser.add_argument("--plain", action="store_true", help="run kernels as plain Python, without compiling")
    parser.add_argument(
        "--limit", type=float, default=900, help="seconds that the tests of a module may take as they are"
    )
    parser.add_argument("--nearest", type=int, help="ask at most so many files of tests, those of the module first")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    options = parser.parse_args()
    mutants = chosen(options.paths, options.sample, options.seed)
    if options.list:
        for mutant in mutants:
            print(f"{mutant.module}:{mutant.line} {mutant.kind}\n  - {mutant.before}\n  + {mutant.after}")
        return
    known = equivalents()
    table: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    share = [mutants] if options.workers == 1 else _shares(mutants, options.workers)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        for line in _all(share, Path(folder), not options.plain, options.limit, options.nearest):
            if isinstance(line, str):
                print(line, flush=True)
                continue
            mutant, verdict, _, seconds = line
            if verdict == "survived" and mutant.key in known:
                verdict = "equivalent"
            table[mutant.module][verdict] += 1
            if verdict in ("survived", "no test", "timeout"):
                print(f"{verdict} ({seconds:.1f} s): {mutant.module}:{mutant.line} {mutant.scope}")
                print(f"  - {mutant.before}\n  + {mutant.after}", flush=True)
    names = ("killed", "timeout", "equivalent", "survived", "no test")
    print("\n| module | mutants | " + " | ".join(names) + " |\n| --- |" + " ---: |" * (len(names) + 1))
    for module, counts in [*table.items(), ("all", sum(table.values(), collections.Counter()))]:
        print(f"| {module} | {counts.total()} | " + " | ".join(str(counts[name]) for name in names) + " |")


def _shares(mutants: list[Mutant], workers: int) -> list[list[Mutant]]:
    """The mutants for each worker, modules kept together, the longest first to whoever has least."""
    shares: list[list[Mutant]] = [[] for _ in range(workers)]
    by_module = collections.defaultdict(list)
    for mutant in mutants:
        by_module[mutant.module].append(mutant)
    for some in sorted(by_module.values(), key=len, reverse=True):
        min(shares, key=len).extend(some)
    return [share for share in shares if share]


def _all(shares: list[list[Mutant]], folder: Path, jit: bool, limit: float, most: int | None) -> Iterator:
    """What `judged` gives for every share, each in a process of its own; with one share, in this one."""
    if len(shares) == 1:
        told: list[str] = []
        for line in judged(copied(folder), shares[0], jit, limit, most, told.append):
            yield from told
            told.clear()
            yield line
        yield from told
        return
    import multiprocessing

    context = multiprocessing.get_context("fork")
    queue = context.Queue()

    def work(number: int, share: list[Mutant]) -> None:
        for line in judged(copied(folder / str(number)), share, jit, limit, most, queue.put):
            queue.put(line)
        queue.put(None)

    processes = [context.Process(target=work, args=pair) for pair in enumerate(shares)]
    for process in processes:
        process.start()
    ended = 0
    while ended < len(processes):
        line = queue.get()
        if line is None:
            ended += 1
        else:
            yield line


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
