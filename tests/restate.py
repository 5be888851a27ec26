"""For maintainers: changes the words of stored notebooks whose code is unchanged.

    python tests/restate.py                      every notebook
    python tests/restate.py usowan_bank          and these only

Edit the Markdown cells of notebooks/NAME.ipynb, in JupyterLab or in an editor, and run nothing there. This then writes
the same words, the title and the question of notebooks/runs.yaml into every executed notebook of reports/ that was run
from it. Code, outputs and execution counts stay as they were computed. An executed notebook with other cells than its
notebook has today is left alone and named: only a run can bring it up to date. `python tests/seal.py` makes the pages
again.
"""

import copy
import sys

import nbformat
from checkout import ROOT

from puzzlekit.machinery import files
from puzzlekit.reports import kernelrun, page, report


def measured(notebook):
    """What was computed: a notebook with the words of its Markdown cells left out."""
    bare = copy.deepcopy(notebook)
    bare.metadata.get("puzzlekit", {}).update(title="", question="")
    for cell in bare.cells:
        if cell.cell_type == "markdown":
            cell.source = ""
    return bare


def restated(executed, notebook, question):
    """An executed notebook with the words of its notebook and its question of today.

    Raises
    ------
    ValueError      when their cells are not the same but for the words
    """
    told = copy.deepcopy(executed)
    own = [cell for cell in told.cells if kernelrun.INJECTED not in cell.metadata.get("tags", [])]
    if [_fixed(cell) for cell in own] != [_fixed(cell) for cell in notebook.cells]:
        raise ValueError("its cells are not those of its notebook")
    for cell, today in zip(own, notebook.cells, strict=True):
        cell.source = today.source
    told.metadata.puzzlekit |= {"title": page.title(notebook, ""), "question": question}
    return told


def _fixed(cell):
    """What of a cell is no matter of words."""
    return cell.cell_type, cell.source if cell.cell_type == "code" else None


def main(names):
    runs = report.runs().values()
    if unknown := set(names) - {run.notebook for run in runs}:
        sys.exit(f"no notebook {', '.join(sorted(unknown))}")
    left = 0
    for run in runs:
        path = ROOT / f"reports/{run.name}.ipynb"
        if (names and run.notebook not in names) or not path.exists():
            continue
        executed = nbformat.read(path, as_version=4)
        notebook = nbformat.read(ROOT / f"notebooks/{run.notebook}.ipynb", as_version=4)
        try:
            told = restated(executed, notebook, run.question)
        except ValueError as error:
            left += 1
            print(f"reports/{run.name}.ipynb: {error}", file=sys.stderr)
            continue
        if told != executed:
            files.write_whole(path, nbformat.writes(told) + "\n")
            print(f"reports/{run.name}.ipynb")
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
