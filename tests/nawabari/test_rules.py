"""The rules and the board: every clause, every odd case, what a board refuses, and boards in and out."""

import pickle
from itertools import product

import corpus
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles import nawabari as oracle

from puzzlekit.nawabari import rules
from puzzlekit.nawabari.rules import ASKED, DOTS, MISREADINGS, NO_CLUE, RULES, Board, Reading, Walls, check

N = NO_CLUE
SHAPES = [(1, 1), (1, 5), (5, 1), (2, 3), (3, 2), (3, 3)]


def test_every_check_comes_out_as_stated():
    wrong = {}
    for record in corpus.checks("nawabari"):
        found = check(Board.from_record(record["board"]), Walls(**record["answer"]))
        if found != record["expect"]:
            wrong[record["id"]] = found, record["expect"]
    assert len(corpus.checks("nawabari")) >= 20 and not wrong


def test_every_known_solution_is_right_as_rooms_and_as_walls():
    records = corpus.boards("nawabari")
    assert len(records) == corpus.number(243, 30)
    for record in records:
        board = Board.from_record(record)
        assert check(board, record["solution"]) is None
        assert check(board, rules.as_walls(board, record["solution"])) is None
        assert rules.as_rooms(board, record["solution"]).tolist() == record["solution"]


def test_published_urls_are_written_back_identically():
    records = [record for record in corpus.boards("nawabari") if record["url"]]
    assert len(records) == corpus.number(243, 30)
    for record in records:
        board = Board.from_record(record)
        assert Board.from_url(record["url"]) == board
        assert board.to_url() == "https://puzz.link/p?" + record["url"]


@pytest.mark.parametrize("shape", SHAPES)
def test_any_set_of_walls_is_right_exactly_when_it_is_a_dissection(shape):
    """With a `?` in every cell and rooms that may hold several, only the walls matter."""
    rows, cols = shape
    board, reading = Board(np.full(shape, ASKED)), Reading(several=True)
    sides = rows * (cols - 1)
    exact = set(oracle.by_edge(rows, cols))
    right = 0
    for bits in product((0, 1), repeat=sides + (rows - 1) * cols):
        walls = Walls(np.reshape(bits[:sides], (rows, cols - 1)), np.reshape(bits[sides:], (rows - 1, cols)))
        standing = {((r, c), (r, c + 1)) for r, c in np.argwhere(walls.right).tolist()}
        standing |= {((r, c), (r + 1, c)) for r, c in np.argwhere(walls.down).tolist()}
        assert (check(board, walls, reading) is None) == (frozenset(standing) in exact)
        right += check(board, walls, reading) is None
    assert right == len(exact)


def test_clauses_are_reported_in_order():
    board = Board([[2, N, N], [N, N, N], [N, N, 1]])
    dead_end = [[0, 1], [0, 0], [0, 0]]
    cases = {
        "room-not-rectangle": [[0, 0, 0], [0, 1, 1], [0, 1, 1]],
        "room-without-number": [[0, 0, 1], [2, 2, 2], [2, 2, 2]],
        "room-with-several-numbers": [[0, 0, 0]] * 3,
        "wall-count-mismatch": [[0, 0, 0], [0, 0, 0], [1, 1, 1]],
        "dead-end-wall": Walls(dead_end, [[0, 0, 0], [0, 0, 0]]),
    }
    for code, answer in cases.items():
        assert check(board if code != "dead-end-wall" else Board([[2, N, N], [N] * 3, [N] * 3]), answer) == code
    assert [*cases] == [*rules.CLAUSES]
    assert check(Board([[2, N, N], [N, N, N], [N, N, 3]]), cases["wall-count-mismatch"]) is None


def test_a_dead_end_beside_a_number_counts_as_its_wall():
    walls = Walls([[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]], np.zeros((3, 4)))
    board = Board(np.full((4, 4), N)).with_clue(1, 1, 1)
    assert check(board, walls) == "dead-end-wall"
    assert check(board.with_clue(1, 1, 0), walls) == "wall-count-mismatch"


def test_misreadings():
    board = Board([[3, 3, N], [N, N, N]])
    halves, whole, thirds = [[0, 1, 1], [0, 1, 1]], [[0, 0, 0], [0, 0, 0]], [[0, 1, 2], [0, 1, 2]]
    assert {
        name: [check(board, a, name) for a in (halves, whole, thirds)] for name in ["rules", "dots", *MISREADINGS]
    } == {
        "rules": ["wall-count-mismatch", "room-with-several-numbers", "room-without-number"],
        "dots": [None, "room-with-several-numbers", "room-without-number"],
        "frame not counted": ["wall-count-mismatch", "room-with-several-numbers", "room-without-number"],
        "number is area": ["wall-count-mismatch", "room-with-several-numbers", "room-without-number"],
        "several numbers": ["wall-count-mismatch", "wall-count-mismatch", "room-without-number"],
        "no number": ["wall-count-mismatch", "room-with-several-numbers", None],
    }
    assert check(Board([[1, 1]]), [[0, 1]], "frame not counted") is None
    assert check(Board([[N, 2]]), [[0, 0]], "number is area") is None
    assert check(Board([[3, 3]]), [[0, 0]], "several numbers") is None


def test_readings_by_name():
    assert rules.named_reading("rules") == RULES == Reading() and rules.named_reading("dots") == DOTS
    assert rules.named_reading("no number") == MISREADINGS["no number"]
    with pytest.raises(ValueError, match=r"unknown reading 'nice'; choose from .*'rules', 'dots', 'frame not counted'"):
        check(Board([[4]]), [[0]], "nice")
    with pytest.raises(ValueError, match="a number cannot say 'hello'; choose from 'walls', 'area' and 'nothing'"):
        check(Board([[4]]), [[0]], Reading("hello"))


def test_seats():
    rooms = np.array([[0, 1, 1, 1], [2, 3, 3, 3], [2, 3, 3, 3], [2, 3, 3, 3]])
    seats = [[rules.seat(rooms, r, c) for c in range(4)] for r in range(4)]
    assert seats == [
        ["alone", "end of a strip", "middle of a strip", "end of a strip"],
        ["end of a strip", "corner", "edge", "corner"],
        ["middle of a strip", "edge", "inside", "edge"],
        ["end of a strip", "corner", "edge", "corner"],
    ]
    assert {seat for line in seats for seat in line} == set(rules.SEATS)
    assert rules.numbers_of(rooms).tolist() == [[4, 3, 2, 3], [3, 2, 1, 2], [2, 1, 0, 1], [3, 2, 1, 2]]
    assert rules.mismatched(Board(rules.numbers_of(rooms)), rooms) == []


@pytest.mark.parametrize(
    "clues, message",
    [
        ([[1, -3]], "clue -3 at row 0, column 1"),
        ([], "clues must be a grid"),
        ([[]], "clues must be a grid"),
        ([[1, 2], [3]], "clues: row 1 has 1 cells, row 0 has 2"),
        ([[1.5]], "clues must hold whole numbers"),
        ([["?"]], "clues must hold whole numbers"),
        ([[2**40]], "clues: 1099511627776 at row 0, column 0 is out of range"),
    ],
)
def test_a_board_refuses(clues, message):
    with pytest.raises(ValueError) as error:
        Board(clues)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "answer, message",
    [
        ([[0, 0]], "the answer is 1 x 2, the board 2 x 2"),
        ([[0.5, 0], [0, 0]], "answer must hold whole numbers"),
        (7, "answer must be rows of cells"),
        (Walls([[0], [2]], [[0, 0]]), "walls right: 2 at row 1, column 0; 0 is open, 1 a wall"),
        (Walls([[0], [1]], [[0]]), "walls down: shape (1, 1), but a 2 x 2 board needs (1, 2)"),
    ],
)
def test_check_refuses(answer, message):
    with pytest.raises(ValueError) as error:
        check(Board([[2, N], [N, N]]), answer)
    assert message in str(error.value)


def test_room_ids_do_not_matter():
    assert check(Board([[4, 4]]), [[7, -3]]) is None


def test_boards_are_values():
    board, same, other = Board([[1, N]]), Board([[1, N]]), Board([[2, N]])
    assert board == same and hash(board) == hash(same) and len({board, same, other}) == 2
    assert board != other and board != "a board" and board != Board([[1], [N]])
    for copy in (pickle.loads(pickle.dumps(board)), Board.from_record(board.to_record())):
        assert copy == board and not copy.clues.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        board.clues[0, 0] = 2
    assert board.with_clue(0, 1, ASKED) == Board([[1, ASKED]]) and board.numbers == 1
    with pytest.raises(ValueError, match="clue -3 at row 0, column 1"):
        board.with_clue(0, 1, -3)


CLUES = st.integers(ASKED, 9).filter(lambda clue: clue != 7)  # a 7 in a URL is a cell cut out of the grid


@given(arrays(np.int32, st.tuples(st.integers(1, 7), st.integers(1, 9)), elements=CLUES))
def test_any_board_survives_every_format(clues):
    board = Board(clues)
    assert Board.from_url(board.to_url()) == board
    assert Board.from_text(board.to_text()) == board
    assert Board.from_record(board.to_record()) == board
    assert Board.from_pzprv3(board.to_pzprv3()) == board


def test_long_gaps_in_urls():
    for gap in (25, 26, 27, 52, 60):
        board = Board([[N] * gap + [3]])
        assert Board.from_url(board.to_url()) == board
    assert Board([[N] * 27 + [3]]).to_url().endswith("/28/1/za3")


@pytest.mark.parametrize(
    "body, message",
    [
        ("3b", "the body ends after 2 characters with 1 cells left to fill"),
        ("3c3", "character 2 of the body is '3', but all 4 cells are filled"),
        ("3e", "character 1 of the body, 'e', skips beyond the 4 cells"),
        ("37b", "character 1 of the body is '7', a cell cut out of the grid"),
        ("3-b", "character 1 of the body is '-', not a clue (0 to 9, . or a to z)"),
    ],
)
def test_a_url_that_is_wrong_says_where(body, message):
    with pytest.raises(ValueError) as error:
        Board.from_url(f"nawabari/2/2/{body}")
    assert message in str(error.value)


def test_what_a_format_cannot_hold_or_a_board_cannot_have():
    with pytest.raises(ValueError, match="clue 10 at row 0, column 1 does not fit into a URL"):
        Board([[N, 10]]).to_url()
    with pytest.raises(ValueError, match="clue 7 at row 0, column 1 does not fit into a URL"):
        Board([[N, 7]]).to_url()
    with pytest.raises(ValueError, match="the text has borders; a Nawabari board has clues only"):
        Board.from_text(".|3")
    with pytest.raises(ValueError, match="the text has shaded cells"):
        Board.from_text("# 3")
    with pytest.raises(ValueError, match="the JSON object has regions"):
        Board.from_record({"clues": [[3]], "regions": [[0]]})
    with pytest.raises(ValueError, match="genre: \"usowan\" instead of 'nawabari'"):
        Board.from_record({"genre": "usowan", "clues": [[3]]})


def test_text_with_an_answer_shows_its_walls():
    assert Board([[3, N], [N, 3]]).to_text([[0, 0], [1, 1]]) == "3 .\n- -\n. 3"


def test_pictures():
    board = Board([[3, 2], [N, 3]])
    assert board.picture().alt == "2 x 2 grid, 3 clues"
    assert board.picture([[0, 0], [1, 1]]).alt == "2 x 2 grid, 3 clues, 2 regions, 1 number crossed out"
    assert board.picture(Walls([[0], [0]], [[1, 0]])).alt == "2 x 2 grid, 3 clues, 1 number crossed out"
    settled = Walls(np.array([[rules.WALL], [rules.UNKNOWN]]), np.array([[rules.OPEN, rules.WALL]]))
    assert board.picture(state=settled).svg != board.picture().svg
