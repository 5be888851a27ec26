"""Boards played on a page without Python: the rules in JavaScript are those in Python, and a board comes to its end by
mouse, by touch, by keys and by its stored steps.
"""

import numpy as np
import pytest

from puzzlekit import GENRES
from puzzlekit.lab import bank
from puzzlekit.machinery.grid import SHADED, UNKNOWN, UNSHADED
from puzzlekit.show import player
from puzzlekit.show.player import page as pages

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>boards</title><style>{style}</style></head>
<body>{boards}<script type="module">{script}
window.RULES = RULES;</script></body></html>"""
SOLVED = ".puzzlekit-player .told.solved"


def banked(genre, boards=12, size=6):
    found = bank.load(genre, size, size, boards=boards)
    return list(zip(found.boards, found.answers, strict=True))


def first(genre):
    """The first board of the bank that its ladder finishes, its answer and its explanation."""
    for board, answer in banked(genre):
        explanation = GENRES[genre].explain(board)
        if explanation.finished:
            return board, answer, explanation
    raise LookupError(genre)


def write(folder, *boards):
    script = pages.script(package.GAME for package in GENRES.values())
    file = folder / "boards.html"
    file.write_text(PAGE.format(style=pages.STYLE, boards="".join(boards), script=script), "utf-8")
    return file.as_uri()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page with one board; on a telephone if asked to. Errors on it fail the test."""
    troubles, contexts = [], []

    def opens(genre, **options):
        board, answer, explanation = first(genre)
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "request", lambda asked: None if asked.url.startswith(("file:", "data:")) else troubles.append(asked.url)
        )
        page.goto(write(tmp_path, pages.board(board, GENRES[genre].GAME, explanation)))
        page.wait_for_selector(".puzzlekit-player svg")
        return page, board, answer, explanation

    yield opens
    for context in contexts:
        context.close()
    assert troubles == []


def marked(genre, answer):
    """Numbers of the places that an answer marks."""
    parts = GENRES[genre].MARKS.of(answer)
    return np.flatnonzero(np.concatenate([part.ravel() for part in parts])).tolist()


def target(page, genre, place):
    if GENRES[genre].MARKS.sides:
        return page.locator(f'[data-edge="{place}"] .reach')
    return page.locator(f'[data-cell="{place}"]')


@pytest.mark.parametrize("genre", GENRES)
def test_the_rules_in_javascript_are_those_in_python(browser, tmp_path, genre):
    """Code, sentence and places of all that is broken, on random marks: sparse, dense, near the answer and complete."""
    package, rng = GENRES[genre], np.random.default_rng(8)
    page = browser.new_page()
    page.goto(write(tmp_path))
    codes, cases = set(), 0
    boards = [(board, answer) for size in (6, 8) for board, answer in banked(genre, 12, size)]
    boards += [(board, None) for board in (package.make(r, c, rng) for r, c in ((1, 4), (2, 5), (4, 3), (5, 1)))]
    for board, answer in boards:
        told = player.puzzle(board, package.GAME)
        states = [rng.choice(3, told["places"], p=p) for p in ([0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0, 0.7, 0.3])]
        states += [np.full(told["places"], value) for value in (UNKNOWN, UNSHADED, SHADED)]
        if answer is not None:
            right = np.full(told["places"], UNSHADED)
            right[marked(genre, answer)] = SHADED
            for share in (0, 0.02, 0.05, 0.2):
                wrong = rng.random(told["places"]) < share
                states.append(np.where(wrong, rng.choice(3, told["places"]), right))
        for flat in states:
            parts, left = [], flat.astype(np.uint8)
            for r, c in package.MARKS.shapes(board.rows, board.cols):
                parts.append(left[: r * c].reshape(r, c))
                left = left[r * c :]
            wanted = [
                {
                    "code": fault.code,
                    "sentence": fault.sentence,
                    **player.numbers(board, [*fault.cells, *fault.walls]),
                }
                for fault in package.broken(board, package.MARKS.whole(parts))
            ]
            found = page.evaluate("([puzzle, marks]) => RULES[puzzle.genre](puzzle, marks)", [told, flat.tolist()])
            assert found == wanted, (board.to_url(), flat.tolist())
            codes |= {fault["code"] for fault in found}
            cases += 1
    assert cases > 200 and len(codes) >= 4
    page.close()


@pytest.mark.parametrize("genre", GENRES)
def test_a_board_is_solved_by_mouse_with_undo(opened, genre):
    page, _, answer, _ = opened(genre)
    places = marked(genre, answer)
    for place in places:
        assert page.locator(SOLVED).count() == 0
        target(page, genre, place).click()
    assert page.locator(SOLVED).inner_text() == "Solved."
    page.get_by_role("button", name="Undo", exact=True).click()
    assert page.locator(SOLVED).count() == 0
    page.get_by_role("button", name="Redo", exact=True).click()
    assert page.locator(SOLVED).count() == 1


@pytest.mark.parametrize("genre", GENRES)
def test_a_board_is_solved_by_touch(opened, genre):
    page, _, answer, _ = opened(genre, viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    for place in marked(genre, answer):
        target(page, genre, place).tap()
    assert page.locator(SOLVED).count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("genre", GENRES)
def test_a_board_is_solved_by_keys_alone(opened, genre):
    """From the top of the page by Tab; what has the focus says what it is and what is marked."""
    page, board, answer, _ = opened(genre)
    on_board = "document.activeElement.matches('[data-cell]')"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate(on_board):
            break
    assert page.evaluate(on_board)
    parts = GENRES[genre].MARKS.of(answer)
    for r in range(board.rows):
        way = 1 if r % 2 == 0 else -1
        for c in range(board.cols)[::way]:
            if not GENRES[genre].MARKS.sides and parts[0][r, c]:
                page.keyboard.press("Space")
            if GENRES[genre].MARKS.sides and c + 1 < board.cols and parts[0][r, c]:
                page.keyboard.press("Shift+ArrowRight")
            if GENRES[genre].MARKS.sides and r + 1 < board.rows and parts[1][r, c]:
                page.keyboard.press("Shift+ArrowDown")
            if 0 <= c + way < board.cols:
                page.keyboard.press("ArrowRight" if way == 1 else "ArrowLeft")
        page.keyboard.press("ArrowDown")
    assert page.locator(SOLVED).count() == 1
    last = (board.rows - 1, board.cols - 1 if board.rows % 2 else 0)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(player.place(last))
    page.keyboard.press("u")
    assert page.locator(SOLVED).count() == 0
    page.keyboard.press("Control+Shift+Z")
    assert page.locator(SOLVED).count() == 1


@pytest.mark.parametrize("genre", GENRES)
def test_the_slider_goes_through_the_steps_and_back(opened, genre):
    page, _, answer, explanation = opened(genre)
    slider, told = page.get_by_role("slider", name="Step by step"), page.locator(".told")
    assert told.get_attribute("aria-live") == "polite"
    slider.focus()
    for at, step in enumerate(explanation.steps, 1):
        page.keyboard.press("ArrowRight")
        assert step.sentence in told.inner_text() and page.locator(".therefore").count() == len(step.settles)
        assert slider.get_attribute("aria-valuetext") == f"step {at} of {len(explanation)}, {step.rung}"
    shaded = page.locator(".place.shaded").count()
    assert page.locator(SOLVED).count() == 1 and shaded == len(marked(genre, answer))
    page.keyboard.press("Home")
    assert page.locator(".place.shaded, .place.unshaded").count() == 0 and told.inner_text().strip() == ""


@pytest.mark.parametrize("genre", GENRES)
def test_hints_go_on_from_what_is_marked_and_wrong_marks_are_told(opened, genre):
    page, board, answer, explanation = opened(genre)
    told, places = page.locator(".told"), set(marked(genre, answer))
    page.get_by_role("button", name="Check", exact=True).click()
    assert told.inner_text() == "No rule is broken so far."
    page.get_by_role("button", name="Hint", exact=True).click()
    assert told.inner_text() == explanation.steps[0].sentence and page.locator(".place.shaded").count() == 0
    for _ in explanation:
        page.get_by_role("button", name="Next step", exact=True).click()
    assert page.locator(SOLVED).count() == 1
    page.get_by_role("button", name="Hint", exact=True).click()
    assert told.inner_text() == "Everything is settled, and it is right."
    page.get_by_role("button", name="Clear", exact=True).click()
    clued = {i for i, clue in enumerate(player.puzzle(board, GENRES[genre].GAME)["clues"]) if clue}
    every = player.puzzle(board, GENRES[genre].GAME)["places"]
    wrong = min(set(range(every)) - places - (set() if GENRES[genre].MARKS.sides else clued))
    target(page, genre, wrong).click()
    page.get_by_role("button", name="Hint", exact=True).click()
    assert told.inner_text() == "One mark is not as the answer has it."
    assert page.locator(".place.wrong").count() == 1


def test_a_board_that_the_ladder_does_not_finish_is_refused():
    package = GENRES["usowan"]
    board = package.Board(np.full((3, 3), -1), np.zeros((3, 3), int))
    with pytest.raises(ValueError, match="the ladder does not finish this board"):
        pages.board(board, package.GAME, package.explain(board))
