"""Pages of reports/: executed notebooks as HTML that loads nothing, neither from the network nor from disk.

Own small nbconvert template (index.html.j2, style.css): no scripts, formulas as MathML, code folded, light and dark.
Not here: running notebooks (report.py), the front page (story/).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jinja2
import latex2mathml.converter
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from . import tables

FOLDER = Path(__file__).resolve().parent
NO_ALT = "picture without a description"


def render(notebook: NotebookNode, report: Mapping[str, Any]) -> str:
    """An executed notebook as one HTML page.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
    report : dict      name, title, command, and tables: paths below data/

    Returns
    -------
    str
    """
    html, _ = _Exporter().from_notebook_node(notebook, resources={"report": report})
    return tables.fitted(html)


def title(notebook: NotebookNode, otherwise: str) -> str:
    """The first heading of a notebook as plain text."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.search(r"^#+ +(.+)$", cell.source, re.MULTILINE)):
            return re.sub(r"[*_`$\\]", "", found[1].rstrip("#")).strip()
    return otherwise


class _Exporter(HTMLExporter):
    """nbconvert with the template of this folder."""

    def __init__(self) -> None:
        super().__init__(template_name=FOLDER.name, extra_template_basedirs=[str(FOLDER.parent)])

    def default_filters(self) -> Iterator[tuple[str, Callable[..., Any]]]:
        yield from super().default_filters()
        yield "picture_alt", _picture_alt

    @jinja2.pass_context
    def markdown2html(self, context: Mapping[str, Any], source: str) -> str:
        attachments = context.get("cell", {}).get("attachments", {})
        html = MarkdownWithMath(renderer=_Renderer(attachments)).render(source)
        return re.sub(r'href="([\w.=-]+)\.ipynb"', r'href="\1.html"', html)  # notebooks beside this one have pages too


class _Renderer(IPythonRenderer):
    """Markdown with formulas as MathML, and no way for it to be more than text: HTML is shown as it is written."""

    def __init__(self, attachments: dict[str, Any] | None = None) -> None:
        super().__init__(
            escape=True, allow_harmful_protocols=False, exclude_anchor_links=True, attachments=attachments or {}
        )

    def block_math(self, body: str) -> str:
        return self._math(body, "block")

    def inline_math(self, body: str) -> str:
        return self._math(body, "inline")

    def latex_environment(self, name: str, body: str) -> str:
        return self._math(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")

    def _math(self, body, display):
        try:
            formula = latex2mathml.converter.convert_to_element(body.strip(), display=display)
        except Exception:  # its errors have no common base; a formula it cannot read stays readable as source
            return f"<code>{self.escape_html(body)}</code>"
        for element in formula.iter():
            element.attrib.pop("href", None)
        mathml = re.sub(r' xmlns="[^"]*"', "", ElementTree.tostring(formula, "unicode"))
        return re.sub(
            r"&amp;(#x?[0-9A-Fa-f]+;)", r"&\1", mathml
        )  # its signs come as references; `convert` unescapes all text


def _picture_alt(output):
    """Alternative text of a picture: from its metadata, or from the title or label inside an SVG."""
    for metadata in (output.metadata, *(output.metadata.get(kind, {}) for kind in output.data)):
        if isinstance(metadata, dict) and metadata.get("alt"):
            return metadata["alt"]
    svg = output.data.get("image/svg+xml", "")
    found = re.search(r"<title[^<>]*>([^<]+)</title>", svg) or re.search(r'aria-label="([^"]+)"', svg)
    return _unescape(found[1].strip()) if found else NO_ALT


def _unescape(text):
    return jinja2.utils.markupsafe.Markup(text).unescape()
