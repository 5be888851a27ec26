"""A compiled kernel is never older than what it calls, and there is one of each; in processes of their own, on a small
package.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.machinery import sources

SMALL = {
    "__init__.py": "",
    "inside.py": """
        from .machinery.kernels import inner

        STEP = 1

        @inner
        def next_to(n):
            return n + STEP
        """,
    "outside.py": """
        import numpy as np
        from . import inside
        from .machinery.kernels import kernel

        @kernel
        def far(n):
            return 10 * inside.next_to(n)

        @kernel
        def further(n):
            return far(n) + inside.next_to(np.int32(n)) + inside.next_to(np.uint8(n))

        def times(factor):
            @kernel
            def product(n):
                return factor * n
            return product
        """,
    "around.py": """
        from .machinery.kernels import Hook, inner, kernel, loop

        step, start = Hook("a number -> the next"), Hook("where to begin")

        @loop(inner)
        def twice(n):
            return step(step(n))

        @loop(kernel)
        def run(n):
            return twice(n) + start
        """,
    "bound.py": """
        from . import around, inside
        from .machinery.kernels import inner

        @inner
        def by_ten(n):
            return n + 10

        ones = around.run.of(__name__, step=inside.next_to, start=0)
        tens = around.run.of(__name__, step=by_ten, start=0)
        late = around.run.of(__name__, step=by_ten, start=500)
        """,
    "stranger.py": """
        from .machinery.kernels import inner

        @inner
        def same(n):
            return n

        def bind(run):
            return run.of(__name__, step=same, start=0)
        """,
    "tuples.py": """
        from typing import NamedTuple
        import numpy as np
        from .machinery.kernels import inner, kernel, lean

        class Pair(NamedTuple):
            numbers: np.ndarray
            flag: bool

        class Both(NamedTuple):
            pair: Pair
            words: np.ndarray

        @inner
        def both(n):
            return Both(Pair(np.empty(n), n > 2), np.empty(n, np.uint64))

        @inner
        def counted(n):
            return both(n), n

        @lean
        def filled(pair, value):
            for i in range(pair.numbers.shape[0]):
                pair.numbers[i] = value
            return pair.flag

        @lean
        def total(both):
            found = 0.0
            for i in range(both.pair.numbers.shape[0]):
                found += both.pair.numbers[i]
            return found

        @kernel
        def rounds(n):
            found = 0.0
            for i in range(n):
                here, size = counted(i)
                found += 1000 * filled(here.pair, size) + total(here)
            return found

        @kernel
        def branches(n):
            here = both(n) if n > 2 else both(2 * n)
            filled(here.pair, n)
            return total(here)

        @kernel
        def make(n):
            made = both(n)
            filled(made.pair, n)
            made.words[:] = 1
            return made

        @kernel
        def take(made):
            return total(made) + made.pair.flag

        @kernel
        def keeps(n):
            last = both(1)
            filled(last.pair, 0)
            found = 0.0
            for i in range(n):
                here = both(1)
                filled(here.pair, i)
                found += total(last)
                last = here
            return found

        @kernel
        def swaps(n):
            one, other, sum_of = both(1), both(1), 0.0
            filled(one.pair, 1)
            filled(other.pair, 2)
            for i in range(n):
                before = one
                one, other = other, both(1)
                filled(other.pair, total(before) + total(one))
                sum_of += total(before)
                if i % 3 == 2:
                    one, other = other, one
            return sum_of

        @kernel
        def keeps_in_a_tuple(n):
            last, found = counted(1), 0.0
            for i in range(n):
                found += last[1]
                last = counted(i)
            return found
        """,
    "elsewhere.py": "WORDS = 'nothing to do with it'\n",
}
ASK = (
    "from puzzlekit import outside; print(outside.far(4), outside.further(4), outside.times(2)(3), outside.times(5)(3))"
)


@pytest.fixture
def small(tmp_path):
    """A package of the same name with two kernels, one of which other kernels call."""
    package = tmp_path / "checkout/puzzlekit"
    (package / "machinery").mkdir(parents=True)
    for name in ("__init__", "kernels", "compiler", "records", "shortcuts", "sources"):
        shutil.copy(sources.PACKAGE / "machinery" / f"{name}.py", package / "machinery")
    for name, text in SMALL.items():
        (package / name).write_text(
            "\n".join(line[8:] if line.startswith(" " * 8) else line for line in text.splitlines()) + "\n"
        )
    return package


def run(package, words=ASK, **environment):
    """What a process prints, on both streams."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT", "LANG")}
    place = {
        "XDG_CACHE_HOME": str(package.parent.parent / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TQDM_DISABLE": "1",
    }
    made = subprocess.run(
        [sys.executable, "-c", words],
        cwd=package.parent,
        env=kept | place | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return made.stdout.strip(), made.stderr.strip()


def kept(package, folder="cache"):
    """The files of compiled kernels, and when they were written."""
    return {file: file.stat().st_mtime_ns for file in (package.parent.parent / folder).rglob("*.*") if file.is_file()}


def edit(package, name, before, after):
    text = (package / name).read_text()
    assert before in text
    (package / name).write_text(text.replace(before, after))


@pytest.mark.parametrize("place", [{}, {"NUMBA_CACHE_DIR": "mine"}])
def test_a_change_in_what_a_kernel_calls_is_seen_and_one_elsewhere_costs_nothing(small, place):
    place = {name: str(small.parent.parent / folder) for name, folder in place.items()}
    folder = "mine" if place else "cache"
    assert run(small, **place) == ("50 60 6 15", "")
    first = kept(small, folder)
    assert first and not list(small.rglob("*.nb?"))
    assert run(small, **place) == ("50 60 6 15", "")
    edit(small, "elsewhere.py", "nothing", "everything")
    edit(small, "__init__.py", "", '"""Some words."""')
    assert run(small, **place) == ("50 60 6 15", "")
    assert kept(small, folder) == first
    edit(small, "inside.py", "STEP = 1", "STEP = 2")
    assert run(small, **place) == ("60 72 6 15", "")
    assert set(kept(small, folder)) > set(first)
    edit(small, "inside.py", "STEP = 2", "STEP = 1")  # what was compiled for these very sources is still there
    second = kept(small, folder)
    assert run(small, **place) == ("50 60 6 15", "")
    assert kept(small, folder) == second


def test_a_change_in_how_kernels_are_compiled_compiles_them_again(small):
    run(small)
    first = kept(small)
    edit(small, "machinery/compiler.py", "PATIENCE = 2 ", "PATIENCE = 3 ")
    assert run(small) == ("50 60 6 15", "")
    assert len(kept(small)) == 2 * len(first) - ("tidied" in {file.name for file in first})


def test_what_is_kept_is_used(small):
    run(small)
    for file in kept(small):
        if "far" in file.name and "inner" not in file.name:
            shutil.copy(
                next(other for other in kept(small) if "further" in other.name), file
            )  # another kernel of the same type
    assert run(small)[0] == "60 60 6 15"


def test_one_variant_for_all_widths_of_numbers(small):
    assert run(small)[0]
    names = [file.name.rpartition(".")[0] for file in kept(small) if file.name != "tidied"]
    assert sorted(names) == [
        "far",
        "far.inner",
        "further",
        "next_to.inner",
        "times.<locals>.product",
        "times.<locals>.product",
    ]
    words = "import numpy as np; from puzzlekit import outside; "
    words += "print([outside.far(k(4)) for k in (int, np.int32, np.uint8)])"
    assert run(small, words + "; print(len(outside.far.overloads))")[0] == "[50, 50, 50]\n1"


def test_unsigned_words_stay_what_they_are(small):
    edit(small, "outside.py", "return 10 * inside.next_to(n)", "return n >> np.uint64(63)")
    assert (
        run(small, "import numpy as np; from puzzlekit import outside; print(outside.far(np.uint64(1 << 63)))")[0]
        == "1"
    )


def test_processes_that_compile_at_once_agree(small):
    words = "from concurrent.futures import ThreadPoolExecutor as P; import subprocess, sys\n"
    words += f"ask = lambda _: subprocess.check_output([sys.executable, '-c', {ASK!r}])\n"
    words += "with P(4) as pool: print(set(pool.map(ask, range(6))))"
    assert run(small, words) == ("{b'50 60 6 15\\n'}", "")
    assert not [file for file in kept(small) if file.suffix == ".part"]
    assert run(small)[0] == "50 60 6 15"


@pytest.mark.parametrize("damage", [b"", b"\x80", b"not a pickle at all"])
def test_a_damaged_file_costs_a_compilation(small, damage):
    run(small)
    for file in kept(small):
        file.write_bytes(damage)
    assert run(small) == ("50 60 6 15", "")
    assert all(file.stat().st_size > 100 for file in kept(small) if file.name != "tidied")


def test_where_no_folder_can_be_written_it_says_so_in_one_line(small):
    (small.parent.parent / "file").write_text("")
    (small / "__pycache__").write_text("")  # neither can a folder beside the sources be made
    out, err = run(small, XDG_CACHE_HOME=str(small.parent.parent / "file"))
    assert out == "50 60 6 15"
    assert err.startswith("No folder for compiled code can be written") and len(err.splitlines()) == 1
    out, err = run(small, NUMBA_CACHE_DIR=str(small.parent.parent / "file/mine"))
    assert out == "50 60 6 15" and err.startswith("No folder for compiled code can be written")


def test_without_a_home_it_is_kept_beside_the_sources(small):
    assert run(small, XDG_CACHE_HOME="", HOME="/nonexistent/home") == ("50 60 6 15", "")
    assert (small / "__pycache__/kernels").is_dir() or Path("/nonexistent/home").exists()


def test_without_jit_kernels_are_plain_functions(small):
    assert run(small, ASK + "; print(type(outside.far).__name__)", NUMBA_DISABLE_JIT="1") == (
        "50 60 6 15\nfunction",
        "",
    )
    assert not kept(small)


def test_a_word_is_said_when_compiling_takes_long(small):
    edit(small, "machinery/compiler.py", "PATIENCE = 2 ", "PATIENCE = 0.01 ")
    out, err = run(small, TQDM_DISABLE="")
    assert out == "50 60 6 15" and err == "Compiling for this machine, once; this takes a few seconds."
    assert run(small, TQDM_DISABLE="") == ("50 60 6 15", "")
    edit(small, "inside.py", "STEP = 1", "STEP = 2")
    assert run(small) == ("60 72 6 15", "")


def test_other_code_of_numba_in_the_process_is_left_alone(small):
    words = """
import numba, numpy as np, gc
from puzzlekit import outside
outside.further(4)
@numba.njit
def mine(x, n):
    return np.zeros(n).sum() + x
print(gc.isenabled(), mine(np.float32(1), 3), mine.signatures[0][0], type(mine).__name__)
"""
    assert run(small, words) == ("True 1.0 float32 CPUDispatcher", "")


def test_errors_of_typing_come_through_and_leave_nothing_changed(small):
    words = """
import gc
from numba.core.errors import TypingError
from numba.core.types.functions import BaseFunction
from puzzlekit import outside
plain = BaseFunction.get_call_type
try:
    outside.far("text")
except TypingError:
    print(gc.isenabled(), BaseFunction.get_call_type is plain, outside.far(4))
"""
    assert run(small, words)[0] == "True True 50"


def test_code_that_was_compiled_in_different_processes_can_be_linked(small):
    """numba numbers functions anew in every process; here two with one number would stand for each other."""
    edit(small, "outside.py", "return far(n) + inside", "return np.zeros(n, np.int32).sum() + far(n) + inside")
    run(small, "from puzzlekit import outside; outside.far(4)")
    run(small, "import numpy as np; from puzzlekit import inside, outside; outside.times(2)(3)")
    assert run(small)[0] == "50 60 6 15"


BOUND = "from puzzlekit import bound; print(bound.ones(4), bound.tens(4), bound.late(4))"


def test_a_loop_is_a_kernel_for_each_binding_of_its_hooks(small):
    """One code, three kernels; a second process finds them all, and a change of a hook or the loop makes new ones."""
    assert run(small, BOUND) == ("6 24 524", "")
    first = kept(small)
    names = sorted(
        file.parent.name.split("-")[0] + " " + file.name.rpartition(".")[0] for file in first if file.name != "tidied"
    )
    assert names == sorted(
        3 * ["puzzlekit.bound run"] + 2 * ["puzzlekit.bound twice.inner"]
        + ["puzzlekit.bound by_ten.inner", "puzzlekit.inside next_to.inner"]
    )  # fmt: skip
    missing = "from puzzlekit.machinery import compiler; compiler._Work.missed = lambda self: print('missed'); "
    assert run(small, missing + BOUND) == ("6 24 524", "")
    assert kept(small) == first
    edit(small, "inside.py", "STEP = 1", "STEP = 2")
    assert run(small, BOUND) == ("8 24 524", "")
    edit(small, "bound.py", "n + 10", "n + 20")
    assert run(small, BOUND) == ("8 44 544", "")
    edit(small, "around.py", "step(step(n))", "step(n)")
    assert run(small, BOUND) == ("6 24 524", "")
    assert run(small, BOUND + "; print(type(bound.ones).__name__)", NUMBA_DISABLE_JIT="1") == ("6 24 524\nfunction", "")


def test_hooks_are_all_bound_and_the_stamp_covers_the_loop(small):
    words = """
from puzzlekit import around, inside, stranger
for hooks in ({"step": inside.next_to}, {"step": inside.next_to, "start": 0, "stop": 1}):
    try:
        around.run.of("puzzlekit.inside", **hooks)
    except TypeError as error:
        print(error)
try:
    stranger.bind(around.run)
except TypeError as error:
    print(error)
print(around.run.of("__main__", step=stranger.same, start=1)(3))
"""
    out, _ = run(small, words)
    assert out.splitlines() == [
        "run has the hooks ['start', 'step'], not ['step']",
        "run has the hooks ['start', 'step'], not ['start', 'step', 'stop']",
        "puzzlekit.stranger binds run without importing puzzlekit.around at its top",
        "4",
    ]
    assert not [file for file in kept(small) if "run" in file.name]  # of a script: nothing that a stamp could cover


def test_named_tuples_stand_in_kernels_and_are_given_back(small):
    words = """
import numpy as np
from numba.core.runtime import rtsys
from puzzlekit import tuples
print(tuples.rounds(5), tuples.branches(2), tuples.branches(3))
made = tuples.make(3)
print(type(made).__name__, type(made.pair).__name__, made.pair.numbers, made.pair.flag, made.words, tuples.take(made))
for _ in range(100):
    tuples.rounds(5), tuples.branches(2), tuples.take(tuples.make(4))
before = rtsys.get_allocation_stats()
del made
after = rtsys.get_allocation_stats()
print(before.alloc - before.free, after.alloc - after.free)
"""
    shown = "2030.0 8.0 9.0\nBoth Pair [3. 3. 3.] True [1 1 1] 10.0\n"
    assert run(small, words, NUMBA_NRT_STATS="1") == (shown + "2 0", "")
    assert run(small, words, NUMBA_NRT_STATS="1") == (shown + "2 0", "")  # from what is kept
    assert run(small, words.partition("for _")[0], NUMBA_DISABLE_JIT="1") == (shown.strip(), "")


def test_a_named_tuple_of_one_round_is_kept_for_the_next(small):
    """Every call has one place for what it returns, and comes again."""
    words = """
from numba.core.errors import UnsupportedError
from numba.core.runtime import rtsys
from puzzlekit import tuples
print(tuples.keeps(4), tuples.swaps(9))
stats = rtsys.get_allocation_stats()
print(stats.alloc - stats.free)
try:
    tuples.keeps_in_a_tuple(3)
except UnsupportedError as error:
    print("name it by itself" in str(error))
"""
    assert run(small, words, NUMBA_NRT_STATS="1")[0] == "3.0 130.0\n0\nTrue"
    plain = words.partition("stats =")[0] + "print(tuples.keeps_in_a_tuple(3))"
    assert run(small, plain, NUMBA_DISABLE_JIT="1")[0] == "3.0 130.0\n2.0"
