"""The script that puts faults into the package: which faults, where they lie, and which tests it would ask."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))
import mutation  # noqa: E402

sys.path.pop(0)
SOURCE = b'''"""Not 1 < 2."""
LIMIT = 3


@kernel
def _inside(a):
    return a < LIMIT


def outside(a: "b < c", b):
    """Nor 3 < 4."""
    if a and not b:
        raise ValueError(f"not {a + 1}")
    b[a] += min(a, 2)  # \xc3\xa9
    return a <= b < 0.5
'''


def test_every_fault_is_one_change_of_a_source_that_still_parses():
    found = mutation.mutants_of("m.py", SOURCE)
    assert len({mutant.key for mutant in found}) == len(found)
    for mutant in found:
        changed = SOURCE[: mutant.start] + mutant.text.encode() + SOURCE[mutant.end :]
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))
        assert SOURCE.split(b"\n")[mutant.line - 1].decode().strip().startswith(mutant.before.split("\n")[0][:8])


@pytest.mark.parametrize(
    "line, faults",
    [
        (2, ["LIMIT = 4", "LIMIT = 2"]),
        (7, ["return None", "return ((a) <= (LIMIT))"]),
        (12, ["if (not (a and (not b))):", "if ((a) or (not b)):", "if a and (b):"]),
        (13, ["pass"]),
        (14, ["pass # é", *(f"b[a] += {call} # é" for call in ("max(a, 2)", "min(2, a)", "min(a, 1)", "min(a, 3)"))]),
        (15, ["return ((a) < (b) < (0.5))", "return ((a) <= (b) <= (0.5))", "return None", "return a <= b < 2.0"]),
        (1, []), (10, []), (11, []),
    ],
)  # fmt: skip
def test_the_faults_of_a_line(line, faults):
    assert sorted(mutant.after for mutant in mutation.mutants_of("m.py", SOURCE) if mutant.line == line) == sorted(
        faults
    )


def test_what_kernels_may_see_is_compiled_again():
    compiled = {mutant.line for mutant in mutation.mutants_of("m.py", SOURCE) if mutant.compiled}
    assert compiled == {2, 7}  # constants of a module with kernels, and kernels


def test_the_tests_of_a_module_come_first_and_those_that_import_it_follow():
    tests = mutation.tests_of("puzzlekit/lab/intervals.py", ROOT, None)
    assert tests[:2] == ["puzzlekit/lab/intervals.py", "tests/test_intervals.py"] and "tests/test_measure.py" in tests
    assert mutation.tests_of("puzzlekit/usowan/moves.py", ROOT, None)
    assert "tests/test_cluster.py" not in mutation.tests_of("puzzlekit/jobs/multimodular.py", ROOT, None)


def test_who_rests_on_a_module():
    resting = mutation.resting_on("puzzlekit/machinery/kernels.py", ROOT)
    assert {"puzzlekit/machinery/kernels.py", "puzzlekit/usowan/ladder.py", "puzzlekit/nawabari/solver.py"} <= resting
    assert "puzzlekit/boards/sections.py" not in mutation.resting_on("puzzlekit/usowan/ladder.py", ROOT)


def test_known_equivalents_still_exist_and_have_a_reason():
    known = mutation.equivalents()
    for module in {key[0] for key in known}:
        keys = {mutant.key for mutant in mutation.mutants_of(module, (ROOT / module).read_bytes())}
        assert not [key for key in known if key[0] == module and key not in keys]
    assert all(reason for reason in known.values())
