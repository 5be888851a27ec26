"""Boards played in JupyterLab: to the end by mouse and by keyboard, with hint and undo."""

import numpy as np
import pytest

from puzzlekit import GENRES, usowan
from puzzlekit.lab import bank
from puzzlekit.nawabari.rules import as_walls

SOLVED = ".puzzlekit-player .told.solved"


def board_and_answer(genre):
    found = bank.load(genre, 6, 6, boards=1)
    return found.boards[0], found.answers[0]


def start(lab, genre, board):
    """The page with a player of the board, whose notebook then can be asked for its state. What it asks is compiled
    before, where no page waits.
    """
    beforehand = GENRES[genre].play(board)
    for ask in (beforehand.take_step, beforehand.check, beforehand.count, beforehand.heat):
        ask()
    page = lab.open(
        f"from puzzlekit import read, {genre}", f"player = {genre}.play(read({board.to_url()!r}))", "player"
    )
    page.wait_for_selector(".puzzlekit-player svg")
    return page


def cell(page, r, c):
    return page.locator(f'.puzzlekit-player [data-cell="{r * 6 + c}"]')


def ask_kernel(page, code):
    """What the kernel prints for an expression."""
    return page.evaluate(
        """async (code) => {
            const kernel = window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
            const future = kernel.requestExecute({code: `print(${code})`});
            let text = "";
            future.onIOPub = (message) => { if (message.header.msg_type === "stream") text += message.content.text; };
            await future.done;
            return text.trim();
        }""",
        code,
    )


@pytest.mark.full
@pytest.mark.parametrize("genre", ["usowan", "tasquare"])
def test_a_board_of_cells_is_played_by_mouse(lab, genre):
    board, answer = board_and_answer(genre)
    page = start(lab, genre, board)
    shaded = [tuple(at) for at in np.argwhere(answer == 1).tolist()]
    for at in shaded:
        assert page.locator(SOLVED).count() == 0
        cell(page, *at).click()
    page.wait_for_selector(SOLVED)
    assert ask_kernel(page, "player.solved") == "True"
    assert ask_kernel(page, "(player.state == 2).sum()") == str(len(shaded))
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_selector(SOLVED, state="detached")
    assert ask_kernel(page, "(player.state == 2).sum()") == str(len(shaded) - 1)
    page.get_by_role("button", name="Redo", exact=True).click()
    page.wait_for_selector(SOLVED)
    label = cell(page, *shaded[0]).get_attribute("aria-label")
    assert label.startswith(f"R{shaded[0][0] + 1}C{shaded[0][1] + 1}") and "shaded" in label
    page.close()


@pytest.mark.full
def test_a_board_of_walls_is_played_by_mouse(lab):
    board, answer = board_and_answer("nawabari")
    page = start(lab, "nawabari", board)
    walls = np.concatenate([part.ravel() for part in as_walls(board, answer)])
    for i in np.flatnonzero(walls).tolist():
        page.locator(f'.puzzlekit-player [data-edge="{i}"] .reach').click()
    page.wait_for_selector(SOLVED)
    assert ask_kernel(page, "player.solved") == "True"
    page.close()


@pytest.mark.full
def test_a_board_is_played_by_keyboard_alone(lab):
    board, answer = board_and_answer("usowan")
    page = start(lab, "usowan", board)
    page.locator('.puzzlekit-player [data-cell="0"]').focus()
    for r in range(6):
        for c in range(6) if r % 2 == 0 else reversed(range(6)):
            if answer[r, c]:
                page.keyboard.press("Space")
            if 0 <= c + (1 if r % 2 == 0 else -1) < 6:
                page.keyboard.press("ArrowRight" if r % 2 == 0 else "ArrowLeft")
        page.keyboard.press("ArrowDown")
    page.wait_for_selector(SOLVED)
    page.keyboard.press("u")
    page.wait_for_selector(SOLVED, state="detached")
    page.keyboard.press("Control+Shift+Z")
    page.wait_for_selector(SOLVED)
    page.close()


@pytest.mark.full
def test_walls_are_played_by_keyboard_alone(lab):
    board, answer = board_and_answer("nawabari")
    page = start(lab, "nawabari", board)
    right, down = as_walls(board, answer)
    page.locator('.puzzlekit-player [data-cell="0"]').focus()
    for r in range(6):
        for c in range(6) if r % 2 == 0 else reversed(range(6)):
            if c < 5 and right[r, c]:
                page.keyboard.press("Shift+ArrowRight")
            if r < 5 and down[r, c]:
                page.keyboard.press("Shift+ArrowDown")
            if 0 <= c + (1 if r % 2 == 0 else -1) < 6:
                page.keyboard.press("ArrowRight" if r % 2 == 0 else "ArrowLeft")
        page.keyboard.press("ArrowDown")
    page.wait_for_selector(SOLVED)
    page.close()


@pytest.mark.parametrize(
    "genre",
    [pytest.param("usowan", marks=pytest.mark.full), "tasquare", pytest.param("nawabari", marks=pytest.mark.full)],
)
def test_hints_and_steps_lead_to_the_end(lab, genre):
    board = GENRES[genre].make(4, 4, np.random.default_rng(4))
    page = start(lab, genre, board)
    told = page.locator(".puzzlekit-player .told")
    page.get_by_role("button", name="Hint", exact=True).click()
    page.wait_for_selector(".puzzlekit-player .therefore")
    assert len(told.inner_text()) > 20
    marked = ".puzzlekit-player .place.shaded, .puzzlekit-player .place.unshaded"
    while page.locator(SOLVED).count() == 0:
        before = page.locator(marked).count()
        page.get_by_role("button", name="Next step", exact=True).click()
        went_on = (
            "([marked, before, solved]) =>"
            " document.querySelectorAll(marked).length > before || document.querySelector(solved)"
        )
        page.wait_for_function(went_on, arg=[marked, before, SOLVED])
    page.wait_for_selector(SOLVED)
    page.close()


@pytest.mark.full
def test_what_breaks_a_rule_is_shown_and_counts_and_heat_are_told(lab):
    board, answer = board_and_answer("usowan")
    page = start(lab, "usowan", board)
    page.get_by_role("button", name="Count", exact=True).click()
    page.get_by_text("1 answer agrees with these marks.").wait_for()
    page.get_by_role("button", name="Heat map", exact=True).click()
    page.wait_for_function(
        "shaded => [...document.querySelectorAll('.puzzlekit-player .heat')]"
        ".filter(h => h.getAttribute('fill-opacity') > 0.5).length === shaded",
        arg=int(answer.sum()),
    )
    pairs = [(r, c) for r in range(6) for c in range(5) if (board.clues[r, c : c + 2] == usowan.NO_CLUE).all()]
    r, c = pairs[0]
    cell(page, r, c).click()
    cell(page, r, c + 1).click()
    page.wait_for_selector(".puzzlekit-player .wrong")
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("Shaded cells touch").wait_for()
    page.close()
