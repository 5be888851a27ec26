"""data/ as others meet it: one plain call loads a table, and the package describes it, column by column."""

import csv
import json
from decimal import Decimal
from fractions import Fraction

import jsonschema
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from checkout import ROOT, stored

import puzzlekit
from puzzlekit.lab import catalogue, columns, datapackage, exact, tables

DATA = ROOT / "data"
PACKAGE = json.loads((DATA / datapackage.NAME).read_text("utf-8"))
DESCRIBED = datapackage.read(DATA)
TABLES = [resource["name"] for resource in PACKAGE["resources"]]
PROFILES = ROOT / "tests/profiles"  # as the libraries datapackage 1.15 and tableschema 1.21 publish them


def rows_of(name):
    with open(DATA / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def same(value, text):
    """Whether a value is what is written; an article may write 2.18e53."""
    return str(value) == text or (isinstance(value, Decimal) and value == Decimal(text))


def test_every_table_is_described_and_every_description_has_its_table():
    held = {name.removeprefix("data/").removesuffix(".csv") for name in stored() if name.endswith(".csv")}
    assert set(TABLES) == held == set(DESCRIBED)


def test_the_package_is_what_the_code_would_write():
    """Titles and meanings are those of today; `python tests/seal.py` writes them again."""
    assert datapackage.to_text(DESCRIBED) == (DATA / datapackage.NAME).read_text("utf-8")


def test_the_package_keeps_to_the_published_profiles():
    """Of Frictionless Data, for the package and for the columns of each table."""
    package, schema = (json.loads((PROFILES / f"{name}.json").read_text()) for name in ("data-package", "table-schema"))
    jsonschema.Draft4Validator(package).validate(PACKAGE)
    for resource in PACKAGE["resources"]:
        jsonschema.Draft4Validator(schema).validate(resource["schema"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(package).validate(PACKAGE | {"name": "A b"})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(schema).validate({"fields": [{"name": "n", "type": "int"}]})


@pytest.mark.full
def test_the_library_of_the_format_reads_every_cell(tmp_path):
    """Where frictionless is installed: `pip install frictionless`."""
    frictionless = pytest.importorskip("frictionless")
    told = frictionless.validate(str(DATA / datapackage.NAME))
    assert told.valid and told.stats["tasks"] == len(TABLES)
    datapackage.note(tmp_path, {"t": DESCRIBED["overview/answers"]})
    (tmp_path / "t.csv").write_text("size,usowan,tasquare,nawabari\n2x2,five,5,8\n")
    assert not frictionless.validate(str(tmp_path / datapackage.NAME)).valid


@pytest.mark.parametrize("name", TABLES)
def test_one_plain_call_loads_a_table(name):
    """With its columns and rows, and no row taken for anything else."""
    head, *rows = rows_of(name)
    frame = pd.read_csv(DATA / f"{name}.csv")
    assert list(frame) == head and len(frame) == len(rows)
    assert pd.read_csv(DATA / f"{name}.csv", dtype=str, keep_default_na=False).to_numpy().tolist() == rows
    assert isinstance(frame.index, pd.RangeIndex)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_where_its_parameters_say_and_as_its_types_say(name):
    known = DESCRIBED[name]
    if not name.startswith("published/"):
        assert tables.path(known.table, **known.parameters) == DATA / f"{name}.csv"
        assert known.command.startswith("puzzlekit report ") or not known.command
    table = exact.Table.from_file(DATA / f"{name}.csv", known, name)
    assert [table.columns, *table.rows] == rows_of(name)
    assert json.loads(json.dumps(known.parameters)) == known.parameters


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_documented(name):
    known = DESCRIBED[name]
    assert known.table in catalogue.TABLES
    for column in known.types:
        told = columns.column(column, known.table)
        assert told and told.title and told.meaning, f"{column!r} of {name}: no entry in lab/columns.py"
        assert told.meaning[0].isupper() or told.meaning[0] in "ap", told
        assert not told.meaning.endswith(".")


def test_nothing_is_documented_that_is_not_there():
    assert {known.table for known in DESCRIBED.values()} == set(catalogue.TABLES)
    held = {(known.table, column) for known in DESCRIBED.values() for column in known.types}
    assert set(columns.OWN) <= held
    names = {column for _, column in held}
    bare = {name.rpartition(", ")[0] for name in names} | {
        "workers, h" for name in names if name.endswith("workers, h")
    }
    assert set(columns.COLUMNS) <= names | bare


@pytest.mark.parametrize("name", TABLES)
def test_data_returns_exact_numbers_and_what_is_known(name):
    frame = puzzlekit.data(name)
    head, *rows = rows_of(name)
    assert list(frame) == head and len(frame) == len(rows)
    for at, column in enumerate(head):
        for value, text in zip(frame[column], (row[at] for row in rows), strict=True):
            assert not isinstance(value, float)
            assert value is None if not text and value != "" else same(value, text)
    assert frame.attrs["title"] and set(frame.attrs["columns"]) == set(head)
    assert frame.attrs["parameters"] == DESCRIBED[name].parameters


def test_data_has_documented_types():
    space = puzzlekit.data("usowan/space")
    assert type(space["answers"][19]) is int and len(str(space["answers"][19])) == 70
    assert type(space["price"][0]) is Decimal and space["states"].dtype == "int64"
    assert type(puzzlekit.data("published/usowan")["value"][0]) is int
    assert puzzlekit.data("nawabari/confirmations")["another modulus"].dtype == bool
    assert space.attrs["command"] == "puzzlekit report usowan_space"


def test_a_wrong_name_says_what_there_is(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"no table 'usowan/rung'; did you mean 'usowan/rungs' .*There are: nawabari/"):
        puzzlekit.data("usowan/rung")
    for name in ("../README", "", "usowan/liars", "digests"):
        with pytest.raises(ValueError, match="no table"):
            puzzlekit.data(name)
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="There are: none"):
        puzzlekit.data("usowan/rungs")


def test_fractions_come_back_from_a_folder_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEKIT_DATA", str(tmp_path))
    monkeypatch.delenv("PUZZLEKIT_TABLES", raising=False)
    tables.store("mine/t", pd.DataFrame({"share": [Fraction(1, 3), None], "colour": ["red", "NA"]}), n=3)
    frame = puzzlekit.data("mine/t_n_3")
    assert frame["share"].tolist() == [Fraction(1, 3), None] and frame["colour"].tolist() == ["red", "NA"]
    assert frame.attrs["columns"] == {"share": "Hits of all cases", "colour": ""}


def test_what_others_describe_meanwhile_stays(tmp_path):
    one, other = (datapackage.Described(name, {}, {"n": "int"}) for name in ("one", "other"))
    datapackage.note(tmp_path, {"one": one})
    datapackage.note(tmp_path, {"other": other})
    before = (tmp_path / datapackage.NAME).stat().st_mtime_ns
    datapackage.note(tmp_path, {"one": one})
    assert datapackage.read(tmp_path) == {"one": one, "other": other}
    assert (tmp_path / datapackage.NAME).stat().st_mtime_ns == before  # nothing was written again
    datapackage.note(tmp_path, {}, ["one", "never there"])
    assert datapackage.read(tmp_path) == {"other": other}


def test_the_page_of_data_tells_all_of_it():
    """Every file with its rows, parameters and command; every column of every table; where it is shown."""
    page = BeautifulSoup((ROOT / "reports/data.html").read_text("utf-8"), "html.parser")
    entries = {entry["id"]: entry for entry in page.find_all("details", "dataset")}
    assert set(entries) == {table.replace("/", "-") for table in catalogue.TABLES}
    for name, known in DESCRIBED.items():
        entry = entries[known.table.replace("/", "-")]
        (link,) = entry.find_all("a", href=f"../data/{name}.csv")
        told = link.parent.get_text()
        rows = len(rows_of(name)) - 1
        assert f": {rows} row{'s' * (rows != 1)}" in told and f'puzzlekit.data("{name}")' in told
        assert known.command in told and all(key in told for key in known.parameters)
        described = {row.td.get_text(): row for row in entry.tbody.find_all("tr")}
        assert set(known.types) <= set(described)
        for column, kind in known.types.items():
            assert kind in described[column].get_text() and columns.column(column, known.table).meaning in str(
                described[column].get_text()
            )
    assert entries["usowan-rungs"].i.get_text().endswith("?")
    assert entries["usowan-rungs"].find("a", href="usowan_ladder.html")
