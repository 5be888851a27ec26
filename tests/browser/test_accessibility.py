"""axe-core finds nothing serious on the pages that tell the story, light and wide, dark and narrow, while boards are
being played.
"""

from pathlib import Path

import pytest

from puzzlekit import GENRES

axe = pytest.importorskip("axe_playwright_python.base", reason="axe-playwright-python is not installed")
REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
PAGES = ["index", *GENRES]
WINDOWS = [(1280, "light"), (390, "dark")]


def serious(page):
    """What axe-core calls serious or critical: rule, what is wrong, and the first places of it."""
    page.evaluate(axe.AXE_SCRIPT)
    found = page.evaluate("axe.run()")
    assert found["testEngine"]["name"] == "axe-core" and len(found["passes"]) > 20
    return [
        (one["id"], one["help"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.full
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width, scheme", WINDOWS)
def test_axe_finds_nothing_serious(browser, name, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto((REPORTS / f"{name}.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    for button in page.get_by_role("button", name="Next step", exact=True).all():
        button.click()
    page.get_by_role("button", name="Check", exact=True).first.click()
    assert serious(page) == []
    page.close()


@pytest.mark.full
def test_axe_notices_what_is_taken_away(browser):
    """A picture without its description, and words as pale as paper."""
    page = browser.new_page()
    page.goto((REPORTS / "index.html").as_uri())
    page.evaluate("document.querySelector('svg.chart').removeAttribute('aria-label')")
    page.add_style_tag(content=".lead { color: #dddddd !important; }")
    assert {rule for rule, *_ in serious(page)} == {"svg-img-alt", "color-contrast"}
    page.close()
