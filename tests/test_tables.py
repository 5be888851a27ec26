"""Tables: exact columns in and out, comparison, modes, staging, names that cannot leave the data folder."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from puzzlekit.lab import catalogue, datapackage, tables

HUGE = 218089903875578572215458113377720907499015212


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """An empty data folder, in the mode a user has."""
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path / "data"))
    for name in ("PUZZLEKIT_TABLES", "PUZZLEKIT_STAGING", "PUZZLEKIT_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def space():
    return pd.DataFrame({"rows": [8, 16], "answers": pd.Series([118930018898, HUGE], dtype=object)})


def test_file_has_every_parameter_in_its_name_and_its_command(data, space, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_COMMAND", "puzzlekit report usowan_space")
    assert tables.store("usowan/space", space, rows=[8, 16], connected=True) is space
    text = (data / "usowan/space_connected_true_rows_8_16.csv").read_text()
    assert text == f"rows,answers\n8,118930018898\n16,{HUGE}\n"
    known = datapackage.read(data)["usowan/space_connected_true_rows_8_16"]
    assert known == datapackage.Described(
        "usowan/space",
        {"connected": True, "rows": [8, 16]},
        {"rows": "int", "answers": "int"},
        "puzzlekit report usowan_space",
    )


def test_types_come_back(space):
    frame = space.assign(
        share=[Fraction(1, 3), None],
        rounded=[Decimal("0.50"), Decimal("0.25")],
        name=["a,b", 'say "#"'],
        closed=[True, False],
        some=pd.Series([7, None], dtype=object),
    )
    tables.store("t", frame)
    loaded = tables.load("t")
    assert loaded["answers"].tolist() == [118930018898, HUGE] and type(loaded["answers"][1]) is int
    assert loaded["rows"].dtype == "int64" and loaded["closed"].dtype == bool
    assert loaded["share"].tolist() == [Fraction(1, 3), None] and loaded["some"].tolist() == [7, None]
    assert str(loaded["rounded"][0]) == "0.50" and loaded["name"].tolist() == ["a,b", 'say "#"']
    tables.store("t", loaded)  # what was loaded is equal to what was stored


CELLS = {
    "int": st.integers(-(10**60), 10**60),
    "text": st.text(st.characters(exclude_characters="\n\r#", exclude_categories=["Cs", "Cc"]), max_size=8),
    "fraction": st.fractions(),
    "bool": st.booleans(),
}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_any_exact_table_round_trips(data, draw):
    rows = draw.draw(st.integers(1, 5))
    frame = {kind: draw.draw(st.lists(cells, min_size=rows, max_size=rows)) for kind, cells in CELLS.items()}
    (data / "any.csv").unlink(missing_ok=True)
    tables.store("any", pd.DataFrame(frame, dtype=object))
    loaded = tables.load("any")
    assert {kind: loaded[kind].tolist() for kind in frame} == frame


def test_equal_passes_and_different_raises_showing_both(data, space):
    tables.store("usowan/space", space, n=1)
    before = (data / "usowan/space_n_1.csv").read_bytes()
    tables.store("usowan/space", space.copy(), n=1)
    changed = space.assign(answers=pd.Series([118930018898, HUGE + 1], dtype=object))
    with pytest.raises(tables.TableDiffers) as error:
        tables.store("usowan/space", changed, n=1)
    assert f"row 1 (rows 16): answers: stored {HUGE}, new {HUGE + 1}" in str(error.value)
    assert "data/usowan/space_n_1.csv" in str(error.value)
    with pytest.raises(tables.TableDiffers, match="stored 2 rows, new 1"):
        tables.store("usowan/space", space[:1], n=1)
    with pytest.raises(tables.TableDiffers, match="columns differ"):
        tables.store("usowan/space", space[["rows"]], n=1)
    assert (data / "usowan/space_n_1.csv").read_bytes() == before


def test_ten_differences_are_shown(space):
    tables.store("t", pd.DataFrame({"n": range(50)}))
    with pytest.raises(tables.TableDiffers, match="and 40 more") as error:
        tables.store("t", pd.DataFrame({"n": range(1, 51)}))
    assert str(error.value).count("stored") == 11


def test_other_parameters_are_another_table(data, space):
    tables.store("t", space, rows=6)
    tables.store("t", space[:1], rows=8)
    assert sorted(p.name for p in data.iterdir()) == [datapackage.NAME, "t_rows_6.csv", "t_rows_8.csv"]
    with pytest.raises(FileNotFoundError, match=r"t_rows_6.csv"):
        tables.load("t", rows=7)


def test_the_usual_run_has_the_bare_name(data):
    """And what is not as usual is in the name, in words."""
    usual = catalogue.TABLES["usowan/rungs"].usual
    names = {
        "rungs": {},
        "rungs_boards_10000": {"boards": 10000},
        "rungs_sizes_6_to_9": {"sizes": [6, 7, 8, 9]},
        "rungs_sizes_6_7": {"sizes": [6, 7]},
        "rungs_boards_5_top_none": {"boards": 5, "top": None},
    }
    for name, other in names.items():
        assert tables.path("usowan/rungs", **usual | other) == data / f"usowan/{name}.csv"
    assert tables.path("usowan/rungs", boards=1000).name == "rungs.csv"  # told apart by its parameters
    assert tables.path("usowan/liars", rows=8, cols=10, boards=1000).name == "liars_8x10.csv"
    assert tables.path("nawabari/hunts", hunt_grids=["4x5", "5x5"]).name == "hunts_4x5_5x5.csv"


def test_two_parameter_sets_with_one_file_name_are_told_apart(space):
    tables.store("t", space, names=["a", "b"])
    with pytest.raises(tables.TableDiffers, match="stored for t with the parameters"):
        tables.store("t", space, names="a_b")
    with pytest.raises(tables.TableDiffers, match=r"stored for t with the parameters .* not t_names"):
        tables.store("t_names", space, a="b")


def test_checking_never_writes(data, space, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_TABLES", "check")
    with pytest.raises(FileNotFoundError, match="puzzlekit report"):
        tables.store("t", space)
    tables.store_timing("t", pd.DataFrame({"seconds": [0.5]}))
    assert list(data.iterdir()) == []


def test_accepting_replaces_only_what_differs(data, space, monkeypatch):
    tables.store("t", space)
    monkeypatch.setenv("PUZZLEKIT_TABLES", "accept")
    monkeypatch.setenv("PUZZLEKIT_COMMAND", "later")
    tables.store("t", space)
    assert datapackage.read(data)["t"].command == ""
    tables.store("t", space[:1])
    assert len(tables.load("t")) == 1 and datapackage.read(data)["t"].command == "later"


def test_staging_holds_new_tables_back(data, space, tmp_path, monkeypatch):
    staging = tmp_path / "staging"
    monkeypatch.setenv("PUZZLEKIT_STAGING", str(staging))
    tables.store("usowan/space", space)
    assert not (data / "usowan").exists() and len(tables.load("usowan/space")) == 2
    tables.store("usowan/space", space)
    with pytest.raises(tables.TableDiffers):
        tables.store("usowan/space", space[:1])
    assert tables.publish(staging) == [data / "usowan/space.csv"]
    assert (data / "usowan/space.csv").exists() and not list(staging.rglob("*.csv"))
    assert len(tables.load("usowan/space")) == 2


def test_publishing_over_another_runs_table_is_refused(data, space, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_STAGING", str(tmp_path / "staging"))
    tables.store("t", space)
    monkeypatch.delenv("PUZZLEKIT_STAGING")
    tables.store("t", space[:1])
    with pytest.raises(tables.TableDiffers, match="another run"):
        tables.publish(tmp_path / "staging")
    assert len(tables.load("t")) == 1


def test_timings_have_their_own_files_and_are_not_compared(data, monkeypatch):
    tables.store_timing("usowan/climb", pd.DataFrame({"rung": ["cell"], "seconds": [0.123456]}), n=3)
    tables.store_timing("usowan/climb", pd.DataFrame({"rung": ["cell"], "seconds": [9.0]}), n=3)
    assert "cell,0.1235" in (data / "usowan/timings/climb_n_3.csv").read_text()
    monkeypatch.setenv("PUZZLEKIT_TABLES", "accept")
    tables.store_timing("usowan/climb", pd.DataFrame({"rung": ["cell"], "seconds": [9.0]}), n=3)
    assert "cell,9" in (data / "usowan/timings/climb_n_3.csv").read_text()


@pytest.mark.parametrize("name", ["../t", "/t", "a/../../t", "", "a//b", "T", "a b", "a__b", "a.csv", "a/", "t\n"])
def test_names_cannot_leave_the_data_folder(space, name):
    with pytest.raises(ValueError, match="table name"):
        tables.store(name, space)


@pytest.mark.parametrize("value", ["../x", "a/b", "a=b", "", {"a": 1}, object(), float("nan"), [[1], [2]]])
def test_parameters_that_cannot_be_in_a_file_name(space, value):
    with pytest.raises(ValueError, match="parameter p="):
        tables.store("t", space, p=value)


@pytest.mark.parametrize(
    "column, words",
    [
        ([0.5, 1.0], "float 0.5"),
        ([1, "?"], "mixes"),
        ([1, True], "mixes"),
        ([[1], [2]], "mixes"),
        (np.array([1, np.nan]), "dtype=object"),
        (["a\nb", "c"], "line break"),
    ],
)
def test_inexact_columns_are_refused(column, words):
    with pytest.raises(ValueError, match=words):
        tables.store("t", pd.DataFrame({"c": column}))


def test_a_file_that_is_no_table(data, space):
    (data / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"data/t.csv is not described in data/datapackage.json"):
        tables.store("t", space)


def test_unknown_mode(space, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_TABLES", "chekc")
    with pytest.raises(ValueError, match="chekc"):
        tables.store("t", space)


def test_without_a_checkout_the_error_says_so(tmp_path, monkeypatch):
    monkeypatch.delenv("PUZZLEKIT_DATA")
    monkeypatch.setattr(tables, "CHECKOUT", tmp_path)
    with pytest.raises(FileNotFoundError, match="PUZZLEKIT_DATA"):
        tables.load("t")


def test_published_figures(data):
    (data / "published").mkdir()
    (data / "published/usowan.csv").write_text(f"label,value,source\na,{HUGE},x\nb,0.560,x\nc,about half,y\n")
    assert tables.published("usowan")["value"].tolist() == [HUGE, Decimal("0.560"), "about half"]
    for name in ("nurikabe", "../usowan"):
        with pytest.raises(ValueError, match="usowan"):
            tables.published(name)


def test_places():
    assert [str(tables.places(value, 2)) for value in (Fraction(2, 3), 1, Decimal("0.125"), Fraction(-1, 3))] == [
        "0.67", "1.00", "0.12", "-0.33",
    ]  # fmt: skip
