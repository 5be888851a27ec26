"""Execute one notebook through papermill in a kernel of this very Python, and clean it of the machine's traces.

papermill cannot choose the environment variables of a kernel, and takes whatever kernel is called python3 on the
machine; the engine below settles both.
"""

import copy
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ipykernel.kernelspec
import nbformat
import papermill
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbformat import NotebookNode
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, NotebookExecutionManager, papermill_engines

ENGINE = "puzzlekit"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
WIDGET = "application/vnd.jupyter.widget-view+json"  # a view of a widget that ends with its kernel
INJECTED = "injected-parameters"  # papermill's tag
_running: set["_Manager"] = set()
_lock = threading.Lock()


class _ThisPython(KernelSpecManager):
    """Every kernel name means the interpreter that runs this code."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        folder = ipykernel.kernelspec.RESOURCES
        return self.kernel_spec_class(resource_dir=folder, **ipykernel.kernelspec.get_kernel_dict())


class _Manager(AsyncKernelManager):
    """A kernel that has come to its end is asked to leave, not interrupted as well: it would report an error where
    there is none.
    """

    async def _async_interrupt_kernel(self):
        if not self.shutting_down:
            await super()._async_interrupt_kernel()

    interrupt_kernel = _async_interrupt_kernel


class _Engine(NBClientEngine):
    @classmethod
    def execute_managed_notebook(
        cls,
        nb_man: NotebookExecutionManager,
        kernel_name: str,
        *,
        environment: Mapping[str, str],
        folder: str,
        advance: Callable[[], object],
        **options: Any,
    ) -> NotebookNode:
        manager = _Manager(kernel_name=kernel_name, kernel_spec_manager=_ThisPython())
        client = PapermillNotebookClient(
            nb_man,
            km=manager,
            kernel_name=kernel_name,
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": folder}},
            on_cell_executed=lambda **_: advance(),
        )
        with _lock:
            _running.add(manager)
        try:
            return client.execute(env=environment, cleanup_kc=True)
        finally:
            with _lock:
                _running.discard(manager)


papermill_engines.register(ENGINE, _Engine)


def run(
    notebook: Path, parameters: Mapping[str, Any], environment: Mapping[str, str], advance: Callable[[], object]
) -> NotebookNode:
    """Execute a notebook file; the file itself stays as it is.

    Parameters
    ----------
    notebook : Path
    parameters : dict        injected after the cell tagged `parameters`
    environment : dict       environment variables of the kernel
    advance : callable       called after every code cell

    Returns
    -------
    nbformat.NotebookNode    executed and cleaned

    Raises
    ------
    papermill.exceptions.PapermillExecutionError     from a failing cell
    """
    executed = papermill.execute_notebook(
        notebook,
        None,
        parameters,
        engine_name=ENGINE,
        kernel_name=KERNEL["name"],
        language="python",
        progress_bar=False,
        request_save_on_cell_execute=False,
        environment=environment,
        folder=str(notebook.parent),
        advance=advance,
    )
    return clean(executed)


def clean(notebook: NotebookNode) -> NotebookNode:
    """A copy without what differs from machine to machine or from run to run: times, versions, paths, widget states.

    Outputs, execution counts and cell ids stay, so an unchanged measurement gives the same bytes.
    """
    notebook = copy.deepcopy(notebook)
    kept = {"kernelspec": dict(KERNEL), "language_info": dict(notebook.metadata.get("language_info", {}))}
    kept["language_info"].pop("version", None)
    notebook.metadata = nbformat.from_dict(kept)
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    for cell in notebook.cells:
        for key in ("papermill", "execution", "collapsed", "ExecuteTime"):
            cell.metadata.pop(key, None)
        if INJECTED in cell.metadata.get("tags", []):
            cell["id"] = INJECTED  # papermill draws one at random
        if cell.get("outputs"):
            cell["outputs"] = _joined(cell.outputs)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)  # its still picture stays
            if output.output_type == "stream":
                output.text = re.sub(r"(?<!\S)\S*ipykernel_\d+[/\\]\d+\.py", "<cell>", output.text)
    return notebook


def _joined(outputs):
    """Outputs with each text in one piece: how often a kernel sends what is printed differs from run to run."""
    kept: list[NotebookNode] = []
    for output in outputs:
        if kept and output.output_type == kept[-1].output_type == "stream" and output.name == kept[-1].name:
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def code_cells(notebook: Path) -> int:
    """How many cells of a notebook file will be executed, the injected one aside."""
    return sum(cell.cell_type == "code" for cell in nbformat.read(notebook, as_version=4).cells)


def stop_all() -> None:
    """End the kernels that are running, when the user has interrupted a report."""
    with _lock:
        for manager in _running:
            process = getattr(manager.provisioner, "process", None)
            if process:
                process.terminate()
