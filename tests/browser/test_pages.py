"""The pages of reports/, opened from the file system by a real browser: nothing missing, nothing fetched, nothing too
wide.
"""

from pathlib import Path

import pytest

REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
PAGES = sorted(path.name for path in REPORTS.glob("*.html"))
LARGEST = 500_000  # bytes
# one of each kind
QUICK = {
    "index.html", "usowan.html", "data.html", "overview.html", "your_board.html", "tasquare_ladder.html",
}  # fmt: skip


# cells of tables, and headings, that are not in sight as a whole: past the window, or past a box that cuts or scrolls
CUT = """() => [...document.querySelectorAll("td, th, h1, h2, h3")].filter(cell => {
    const box = cell.getBoundingClientRect();
    let around = cell;
    if (!box.width) return false;
    while ((around = around.parentElement)) {
        const edge = around.getBoundingClientRect();
        const cuts = getComputedStyle(around).overflowX !== "visible";
        if (cuts && (box.right > edge.right + 1 || box.left < edge.left - 1)) return true;
    }
    return box.right > innerWidth + 1 || box.left < -1 || cell.scrollWidth > cell.clientWidth + 1;
}).map(cell => cell.textContent.slice(0, 60))"""


@pytest.fixture(scope="module")
def sheet(browser):
    """A browser page, and what went wrong on it so far."""
    page, troubles = browser.new_page(), []
    page.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("requestfailed", lambda request: troubles.append(f"failed: {request.url}"))
    page.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else troubles.append(request.url)
    )
    yield page, troubles
    page.close()


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.full] * (name not in QUICK)) for name in PAGES])
def test_a_page_opens_from_the_file_system_and_fits(sheet, name):
    page, troubles = sheet
    assert (REPORTS / name).stat().st_size < LARGEST
    for width in (1280, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto((REPORTS / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT) == []
        broken = "[...document.images].filter(image => !image.complete || !image.naturalWidth).length"
        assert page.evaluate(broken) == 0
        assert page.evaluate("[...document.images].filter(image => !image.alt.trim()).length") == 0
    assert troubles == []


def test_the_index_leads_to_every_page_and_file(sheet):
    page, _ = sheet
    page.goto((REPORTS / "index.html").as_uri())
    targets = page.evaluate("[...document.links].map(link => link.getAttribute('href'))")
    assert {f"{name}" for name in PAGES} <= set(targets)
    for target in targets:
        name, _, place = target.partition("#")
        assert (REPORTS / name).exists(), target
        if place and name in ("", "index.html"):
            assert page.locator(f"#{place}").count() == 1, target


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser, scheme):
    page = browser.new_page(color_scheme=scheme)
    page.goto((REPORTS / "index.html").as_uri())
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )

    def brightness(colour):
        red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
        return (299 * red + 587 * green + 114 * blue) / 1000

    assert abs(brightness(ink) - brightness(paper)) > 125
    assert (brightness(ink) > brightness(paper)) == (scheme == "dark")
    page.close()
