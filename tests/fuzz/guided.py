"""Coverage-guided fuzzing of one reader, for development: finds inputs that break what contract.py promises.

    python tests/fuzz/guided.py READER --minutes 10 [--corpus FOLDER]

needs atheris (the dependency group `fuzz`). What it finds is written to a file and its error shown; then it belongs
into test_readers.py. The last line counts executions, covered edges (`cov`) and inputs kept (`corp`).
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INSTRUMENTED = [
    "puzzlekit.boards",
    "puzzlekit.boards.detect",
    "puzzlekit.lab.bank",
    "puzzlekit.reports.parameters",
    "puzzlekit.lab.tables",
    "puzzlekit.jobs.chunks",
    "puzzlekit.reports.report",
]
LENGTH = 4096  # bytes of an input at most
MEGABYTES = 2048  # of the whole process


def main():
    import atheris

    with atheris.instrument_imports(include=INSTRUMENTED):
        from fuzz import contract

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("reader", choices=contract.READERS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=Path, help="keeps what was found worth keeping; left out, a new folder")
    given = parser.parse_args()
    reader = contract.READERS[given.reader]
    corpus = Path(given.corpus or tempfile.mkdtemp(prefix=f"fuzz-{given.reader}-")).resolve()
    corpus.mkdir(parents=True, exist_ok=True)
    for n, seed in enumerate(reader.seeds):
        (corpus / f"seed-{n}").write_bytes(seed.encode())
        contract.hold(given.reader, seed)  # imports and compiles what is needed
    os.chdir(tempfile.mkdtemp())  # an empty folder, as a text may be taken for the name of a file
    words = Path("words.dict").resolve()
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in reader.words.split()), encoding="utf-8")
    options = [
        f"-max_len={LENGTH}",
        f"-max_total_time={given.minutes * 60:.0f}",
        f"-rss_limit_mb={MEGABYTES}",
        "-timeout=10",
    ]
    options += [f"-dict={words}", f"-artifact_prefix={corpus.parent}/{corpus.name}-", "-print_final_stats=1"]
    atheris.Setup(
        [sys.argv[0], *options, str(corpus)],
        lambda data: contract.hold(given.reader, data.decode("utf-8", "surrogateescape")),
    )
    atheris.Fuzz()


def _quoted(word):
    return "".join(c if c.isalnum() else f"\\x{ord(c):02x}" for c in word)


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    main()
