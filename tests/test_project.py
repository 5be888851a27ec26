"""The project as a whole: lock, README, import directions, the wheel, nothing of the machine it was made on."""

import ast
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from checkout import ROOT, tracked
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from puzzlekit.reports import report

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
PACKAGE = ROOT / "puzzlekit"
SET_UP = (
    "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.lock"
    " && .venv/bin/python -m pip install --no-deps -e . && "
)
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def pins():
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_lock_is_exact_pins_without_addresses():
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text and "--hash" not in text and " @ " not in text and "index" not in text
    for pin in pins():
        assert [spec.operator for spec in pin.specifier] == ["=="], pin
        assert not pin.url


@pytest.mark.parametrize("python", PYTHONS)
def test_lock_holds_what_pyproject_asks_for(python):
    wanted = PROJECT["dependencies"] + [line for extra in PROJECT["optional-dependencies"].values() for line in extra]
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": "linux",
        "os_name": "posix",
    }
    locked = {}
    for pin in pins():
        if pin.marker is None or pin.marker.evaluate(environment):
            assert canonicalize_name(pin.name) not in locked, f"{pin.name} is pinned twice on Python {python}"
            locked[canonicalize_name(pin.name)] = next(iter(pin.specifier)).version
    for requirement in map(Requirement, wanted):
        version = locked.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is not in requirements.lock"
        assert requirement.specifier.contains(version, prereleases=True), f"{requirement} but {version} is locked"


def test_readme_commands_are_present_and_ci_runs_the_test_command():
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert commands[:2] == [SET_UP + ".venv/bin/puzzlekit report", SET_UP + ".venv/bin/python -m pytest"]
    script = (ROOT / ".ci/run").read_text().splitlines()
    assert script[-1] == SET_UP + ".venv/bin/python -m pytest --full"
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_readme_examples_name_runs_and_parameters_that_exist():
    text = (ROOT / "README.md").read_text()
    examples = re.findall(r"bin/puzzlekit report (\w+)(.*)", text) + re.findall(
        r"papermill notebooks/(\w+)\.ipynb \S+(.*)", text
    )
    assert len(examples) >= 2
    for name, options in examples:
        report.plan(name, re.findall(r"-p (\w+) (\S+)", options))


def test_readme_names_files_that_exist():
    text = (ROOT / "README.md").read_text()
    for name in re.findall(r"`((?:notebooks|puzzlekit|tests|machinery)/[\w/.]+\.\w+)`", text):
        assert (ROOT / name).exists() or (PACKAGE / name).exists(), name


# which folder of the package may import which, lowest first; a genre's own files have their order too
LAYERS = ["machinery", "boards", "show", "genre", "jobs", "lab", "studies", "reports", "cli"]
LOOSE = {"__init__.py", "__main__.py", "genre.py", "marks.py"}
GENRE_FILES = [
    "rules",
    None,
    "ladder",
    "solver",
    "orders",
    "scans",
    "looks",
    "explain",
    "game",
    "setter",
    "questions",
    "analysis",
    "__init__",
]  # None: whatever else a genre has


def layer(module):
    """Layer of a module, given by its path below the package as a tuple of names; None for what lies loose."""
    folder = module[0] if module else ""
    return LAYERS.index("genre" if folder in genres() else folder) if folder in [*LAYERS, *genres()] else None


def imports():
    """Pairs of modules (importing, imported) inside the package, as tuples of names."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        folder = parts[:-1]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = folder[: len(folder) - node.level + 1]
                base += tuple(node.module.split(".")) if node.module else ()
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "puzzlekit":
                base = tuple(node.module.split("."))[1:]
            else:
                continue
            for alias in node.names:
                full = (*base, alias.name)
                is_module = PACKAGE.joinpath(*full).with_suffix(".py").exists() or PACKAGE.joinpath(*full).is_dir()
                yield parts, full if is_module else base


def genres():
    return sorted(path.parent.name for path in PACKAGE.glob("*/rules.py"))


def test_imports_point_one_way():
    assert {pair[0][0] for pair in imports()} >= {"machinery", "reports"}
    for importing, imported in imports():
        mine, theirs = layer(importing), layer(imported)
        if mine is None or theirs is None:
            continue
        assert theirs <= mine, f"{'/'.join(importing)} imports {'/'.join(imported)}"
        if mine == theirs == LAYERS.index("genre") and len(imported) > 1:
            assert importing[0] == imported[0], f"genre {importing[0]} imports genre {imported[0]}"
            order = [GENRE_FILES.index(name if name in GENRE_FILES else None) for name in (imported[1], importing[1])]
            assert order[0] <= order[1], f"{'/'.join(importing)} imports {'/'.join(imported)}"
        if mine > LAYERS.index("genre") and importing[0] != "studies":
            assert imported[0] not in genres(), (
                f"{importing[0]} names the genre {imported[0]}; it should go through GENRES"
            )


def test_no_module_lies_loose():
    assert {path.name for path in PACKAGE.glob("*.py")} == LOOSE
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == {*LAYERS, *genres()} - {"genre"}


@pytest.mark.parametrize("words", ["format --check", "check"])
def test_formatter_and_lint_have_nothing_to_say(words):
    """What they look at is in pyproject.toml."""
    command = [sys.executable, "-m", "ruff", *words.split(), "--no-cache", "--quiet", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_line_is_too_long():
    """Not even those that the linter lets pass, such as one long word."""
    files = [path for path in tracked() if path.suffix == ".py"]
    assert len(files) > 100
    assert [path.name for path in files if any(len(line) > 120 for line in path.read_text().splitlines())] == []


def public_functions(body, owner=""):
    """Functions and methods of a module's or a class's body that have no leading underscore, special methods too: their
    names, and which hints they lack.
    """
    for node in body:
        special = owner and node.name.startswith("__") if isinstance(node, ast.FunctionDef) else False
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{owner}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and (special or not node.name.startswith("_")):
            static = any(isinstance(word, ast.Name) and word.id == "staticmethod" for word in node.decorator_list)
            plain = [*node.args.posonlyargs, *node.args.args][1 if owner and not static else 0 :]
            rest = [*node.args.kwonlyargs, *filter(None, [node.args.vararg, node.args.kwarg])]
            lacks = [arg.arg for arg in plain + rest if arg.annotation is None]
            yield owner + node.name, lacks + ["what it returns"] * (node.returns is None)


@pytest.mark.parametrize(
    "source, lacks",
    [
        ("def f(a: int, *b: int, c: int, **d: int) -> int: ...", []),
        ("def f(a, *b, c, **d): ...", ["a", "c", "b", "d", "what it returns"]),
        ("class C:\n    def f(self, a) -> int: ...", ["a"]),
        ("class C:\n    @staticmethod\n    def f(a) -> int: ...", ["a"]),
        ("class C:\n    def __init__(self): ...", ["what it returns"]),
        ("def _f(a): ...\nclass _C:\n    def f(self, a): ...", []),
    ],
)
def test_missing_hints_are_seen(source, lacks):
    assert [name for _, names in public_functions(ast.parse(source).body) for name in names] == lacks


def test_public_functions_are_typed():
    """But for the folders that pyproject.toml says are not yet."""
    later = {
        module.split(".")[1]
        for part in SETTINGS["tool"]["mypy"]["overrides"]
        if part.get("ignore_errors")
        for module in part["module"]
        if module.endswith(".*")
    }
    assert "machinery" not in later
    functions, missing = 0, []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] in later or any(re.match("_[a-z]", part) for part in parts):
            continue
        for name, lacks in public_functions(ast.parse(path.read_text()).body):
            functions += 1
            if lacks:
                missing.append(f"{'/'.join(parts)}: {name} lacks {', '.join(lacks)}")
    assert functions > 200
    assert missing == []


@pytest.mark.full
def test_types_hold():
    """As far as mypy can see; what it looks at is in pyproject.toml."""
    command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_is_a_drawer():
    names = {path.stem for path in PACKAGE.rglob("*.py")} | {path.name for path in PACKAGE.rglob("*") if path.is_dir()}
    assert not names & {"utils", "core", "helpers", "common"}


def traces(root, home, prefix):
    """Paths that tell where this checkout lies. A folder right below the root, and the system's temporary folder, are
    on every machine.
    """
    shared = {Path(tempfile.gettempdir()), Path("/tmp")}
    return [
        str(place)
        for place in {*map(Path, (root, root.parent, home, prefix))}
        if len(place.parts) > 2 and place not in shared
    ]


@pytest.mark.parametrize(
    "root, found",
    [
        ("/tmp/kit", ["/tmp/kit"]),
        ("/data", []),
        ("/srv/of/kit", ["/srv/of", "/srv/of/kit"]),
        ("/home/me/kit", ["/home/me", "/home/me/kit"]),
    ],
)
def test_a_checkout_may_lie_anywhere(root, found):
    assert sorted(traces(Path(root), Path("/root"), "/usr")) == found


def test_nothing_of_the_machine_is_in_the_repository():
    patterns = [rf"(?<![\w.]){re.escape(place)}(?![\w-])" for place in traces(ROOT, Path.home(), sys.prefix)]
    patterns += [
        r"(?<![\w.])/(?:home|Users)/\w+",
        r"(?<![\w.}])/root\b",
        r"file:///\w",
        r"://[\w.]*(?:localhost|127\.0\.0\.1|\d+\.\d+\.\d+\.\d+)",
    ]
    found = []
    for path in tracked():
        data = path.read_bytes()
        if path == Path(__file__) or b"\0" in data[:1000]:
            continue
        found += [(path.name, match[0]) for match in re.finditer("|".join(patterns), data.decode("utf-8", "replace"))]
    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The package as a wheel installs it, unpacked outside the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = folder.glob("*.whl")
    zipfile.ZipFile(file).extractall(folder / "site")
    return folder / "site"


def test_wheel_holds_the_package_and_its_files_only(wheel):
    assert {path.name for path in wheel.iterdir()} == {"puzzlekit", f"pencil_puzzlekit-{PROJECT['version']}.dist-info"}
    for name in (
        "py.typed",
        "show/charts.mplstyle",
        "reports/page/index.html.j2",
        "reports/page/style.css",
        "reports/page/conf.json",
        "reports/story/front.html.j2",
        "reports/story/story.css",
        "reports/story/boards.yaml",
        "show/player/player.js",
        "show/player/player.css",
        "show/player/page.js",
        "usowan/broken.js",
    ):
        assert (wheel / "puzzlekit" / name).exists()


def test_wheel_works_from_elsewhere(wheel, tmp_path):
    code = """
import puzzlekit, pathlib
from puzzlekit import charts, tables, usowan
from puzzlekit.reports.story import examples
assert pathlib.Path(puzzlekit.__file__).is_relative_to(SITE), puzzlekit.__file__
assert usowan.count(2, 2) == 5
charts.use()
assert list(examples.load()) == ["usowan", "tasquare", "nawabari"]
try:
    tables.load("usowan/space")
except FileNotFoundError as error:
    assert "PUZZLEKIT_DATA" in str(error)
else:
    raise AssertionError("a table without a checkout")
"""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PUZZLEKIT_")}
    environment |= {"PYTHONPATH": str(wheel), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", code.replace("SITE", repr(str(wheel)))]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
