"""A label is the same label at every door: times keep their zones, and two that are one instant are
one label.

Why the old tests missed it: each door was held against itself, with labels that NumPy has too; and
durations in files had parts that no other had.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

import precall as pc
from precall.cases.scored_cases import group_indexes
from precall.hard_decisions.table_io import read_decisions

pandas = pytest.importorskip("pandas", reason="pandas is not installed: a door of labels")
polars = pytest.importorskip("polars", reason="Polars is not installed: a door of labels")
pyarrow = pytest.importorskip("pyarrow", reason="PyArrow is not installed: a door of labels")


class Colour(Enum):
    """Labels that are no text."""

    RED = 1
    GREEN = 2
    BLUE = 3


BERLIN = ZoneInfo("Europe/Berlin")
#: The clock shows this hour twice.
TWICE = [datetime(2020, 10, 25, 2, 30, fold=fold, tzinfo=BERLIN) for fold in (0, 1)]
LABELS: dict[str, list[Any]] = {
    "dates": [date(2020, 1, day) for day in (1, 2, 3)],
    "times of day": [time(hour, 30) for hour in (1, 2, 3)],
    "times": [datetime(2020, 1, day, 5, 0, 0, 7) for day in (1, 2, 3)],
    "times in UTC": [datetime(2020, 1, day, 5, tzinfo=UTC) for day in (1, 2, 3)],
    "times in a zone": [datetime(2020, 1, day, 5, tzinfo=BERLIN) for day in (1, 2, 3)],
    "an hour that comes twice": [*TWICE, TWICE[1] + timedelta(hours=5)],
    "durations": [timedelta(day) for day in (1, 2, 3)],
    "durations of equal parts": [timedelta(*each) for each in product((1, 2), (1, 2))],
    "decimals": [Decimal(text) for text in ("1", "2", "3")],
    "bytes": [b"a", b"b", b"a,b"],
    "yes and no": [True, False, True],
    "members of an Enum": [*Colour],
}


def objects(labels: list[Any]) -> Any:
    return np.fromiter(labels, object, len(labels))


def agree(found: pc.Decisions) -> bool:
    """Whether all decisions are right, by the measure of each category."""
    return bool(np.all(np.equal(found.f(average=None), 1)))


def categorical(labels: list[Any]) -> Any:
    return pandas.Series(pandas.Categorical(labels))


def of_arrow_in_pandas(labels: list[Any]) -> Any:
    column = pyarrow.array(labels)
    return pandas.Series(pandas.array(column, dtype=pandas.ArrowDtype(column.type)))


def chunked(labels: list[Any]) -> Any:
    whole = pyarrow.array(labels).dictionary_encode()
    return pyarrow.chunked_array([whole[:1], whole[1:]])


DOORS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "array of objects": objects,
    "NumPy": np.array,
    "pandas": pandas.Series,
    "pandas Categorical": categorical,
    "Arrow in pandas": of_arrow_in_pandas,
    "Polars": polars.Series,
    "Arrow": pyarrow.array,
    "Arrow dictionary": lambda labels: pyarrow.array(labels).dictionary_encode(),
    "Arrow dictionary in chunks": chunked,
}
LISTS: dict[str, Callable[[list[Any]], Any]] = {
    "lists": lambda labels: [[label] for label in labels],
    "lists of Polars": lambda labels: polars.Series([[label] for label in labels]),
    "lists of Arrow": lambda labels: pyarrow.array([[label] for label in labels]),
}
#: Only Python and pandas hold them.
OF_PYTHON = {"list", "array of objects", "NumPy", "pandas", "pandas Categorical"}


@pytest.mark.nightly(keep=40)
@pytest.mark.parametrize(
    ("kind", "door"),
    [
        (kind, door)
        for kind, door in product(LABELS, DOORS)
        if kind != "members of an Enum" or door in OF_PYTHON
    ],
)
def test_a_column_of_any_library_has_the_labels_of_a_list(kind: str, door: str) -> None:
    labels = LABELS[kind]
    expected = pc.decisions(labels, labels)
    for truth, decided in product((labels, DOORS[door](labels)), repeat=2):
        found = pc.decisions(truth, decided)
        assert found.categories == expected.categories
        assert agree(found)
    assert len(expected.categories) == (1 if kind == "yes and no" else len(labels))


@pytest.mark.parametrize("door", LISTS)
@pytest.mark.parametrize("kind", [kind for kind in LABELS if "time" in kind or "dur" in kind])
def test_so_has_a_column_of_lists(kind: str, door: str) -> None:
    labels = LABELS[kind]
    found = pc.decisions(LISTS["lists"](labels), LISTS[door](labels))
    assert found.categories == pc.decisions(labels, labels).categories
    assert agree(found)


@pytest.mark.parametrize("form", ["parquet", "arrow", "dictionary", "Polars"])
@pytest.mark.parametrize("kind", [kind for kind in LABELS if kind != "members of an Enum"])
def test_files_have_the_labels_of_a_list(kind: str, form: str, tmp_path: Path) -> None:
    from pyarrow import ipc, parquet

    labels, path = LABELS[kind], str(tmp_path / f"x.{'arrow' if form == 'arrow' else 'parquet'}")
    column = pyarrow.array(labels)
    if form == "dictionary":
        path = str(tmp_path / "x.arrow")
        column = column.dictionary_encode()
    table = pyarrow.table({"t": column, "p": column})
    if form == "Polars":
        polars.DataFrame({"t": labels, "p": labels}).write_parquet(path)
    elif form == "parquet":
        parquet.write_table(table, path)
    else:
        with ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    found = read_decisions(path, "t", "p")
    assert sorted(found.categories) == sorted(map(str, pc.decisions(labels, labels).categories))
    assert agree(found)


def test_one_instant_is_one_label_whatever_its_zone(tmp_path: Path) -> None:
    here = LABELS["times in a zone"]
    there = [label.astimezone(timezone(timedelta(hours=-3))) for label in here]
    for door in ("list", "pandas", "Polars", "Arrow", "Arrow dictionary"):
        found = pc.decisions(here, DOORS[door](there))
        assert (found.categories, agree(found)) == (tuple(here), True)
    frame = polars.DataFrame({"t": here, "p": here})
    frame = frame.with_columns(polars.col("p").dt.convert_time_zone("America/Bahia"))
    frame.write_parquet(tmp_path / "x.parquet")
    found = read_decisions(str(tmp_path / "x.parquet"), "t", "p")
    assert (found.categories, agree(found)) == (tuple(map(str, here)), True)


def test_a_time_without_a_zone_is_no_instant() -> None:
    here = LABELS["times in UTC"]
    with pytest.warns(pc.PrecallWarning):  # no label in common
        found = pc.decisions(here, polars.Series([label.replace(tzinfo=None) for label in here]))
    assert found.f(average="macro") == 0


FINE = np.array(["2020-01-01T05:00:00.000000007", "2020-01-01T05:00:00.000000008"], "M8[ns]")


@pytest.mark.parametrize("unit", ["ns", "us", "s"])
@pytest.mark.parametrize("kind", ["times", "durations"])
def test_a_unit_is_no_part_of_a_label(kind: str, unit: str) -> None:
    labels = LABELS[kind][:3]
    kept = (
        labels
        if unit != "s"
        else [label.replace(microsecond=0) if kind == "times" else label for label in labels]
    )
    array = np.array(kept, f"{'M' if kind == 'times' else 'm'}8[{unit}]")
    for column in (array, list(array), objects(list(array)), pandas.Series(array)):
        found = pc.decisions(kept, column)
        assert (found.categories, agree(found)) == (tuple(kept), True)
    assert agree(pc.decisions([[label] for label in kept], [[cell] for cell in array]))


@pytest.mark.parametrize("door", ["array", "pandas", "Polars", "Arrow", "file"])
def test_nanoseconds_are_not_rounded_away(door: str, tmp_path: Path) -> None:
    if door == "file":
        polars.DataFrame({"t": FINE, "p": FINE[::-1]}).write_parquet(tmp_path / "x.parquet")
        found = read_decisions(str(tmp_path / "x.parquet"), "t", "p")
    else:
        made: dict[str, Any] = {
            "array": np.asarray,
            "pandas": pandas.Series,
            "Polars": polars.Series,
            "Arrow": pyarrow.array,
        }
        found = pc.decisions(made[door](FINE), made[door](FINE[::-1]))
    assert (len(found.categories), found.f(average="macro")) == (2, 0)
    assert "07" in str(found.categories[0])


def test_nanoseconds_in_a_zone_are_refused_where_they_would_be_rounded(tmp_path: Path) -> None:
    column = polars.Series(FINE).dt.replace_time_zone("UTC")
    with pytest.raises(pc.UsageError):
        pc.decisions(column, column)
    polars.DataFrame({"t": column, "p": column}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(pc.DataError):
        read_decisions(str(tmp_path / "x.parquet"), "t", "p")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", ["times", "times in a zone", "an hour that comes twice"])
def test_the_positive_label_and_groups_are_found(kind: str, door: str) -> None:
    labels = LABELS[kind]
    column = DOORS[door](labels)
    with pytest.warns(pc.PrecallWarning):  # there are several others
        curve = pc.curve(column, [0.1, 0.9, 0.2], positive=labels[1])
    assert (curve.relevant, curve.average_precision()) == (1, 1)
    with pytest.warns(pc.PrecallWarning):
        assert pc.decisions(labels, column, positive=labels[1]).f() == 1
    names, code = group_indexes(column, 3)
    assert len(set(code.tolist())) == 3
    if kind != "an hour that comes twice":
        assert names == labels


class Kind(bytes):
    """Bytes of a kind of their own, as some formats have for strings."""


class Mark(bytes, Enum):
    YES = b"yes"
    NO = b"no"


@pytest.mark.parametrize(
    ("yes", "no"), [(Kind(b"yes"), Kind(b"no")), (Mark.YES, Mark.NO), (Kind(b"yes"), b"no")]
)
def test_subclasses_of_bytes_are_labels(yes: bytes, no: bytes) -> None:
    # NumPy reads them as integers: "invalid literal for int() with base 10".
    truth, said = [no, yes, yes, no], [no, yes, no, no]
    for truth_, said_ in ((truth, said), ([{x} for x in truth], [{x} for x in said])):
        made = pc.decisions(truth_, said_)
        assert made.accuracy() == 0.75 and len(made.categories) == 2
    assert pc.curve(truth, [1, 4, 3, 2], positive=yes).average_precision() == 1


def test_levels_that_are_sets_of_labels() -> None:
    truth, said = [("a", "x"), ("b",), ("a", "x")], [("a",), ("b",), ("a", "x")]
    levels = (pandas.Series(side, dtype=object).astype("category") for side in (truth, said))
    # The tuples were categories beside their parts, and macro-F was over all of them.
    made, wanted = pc.decisions(*levels), pc.decisions(truth, said)
    assert made.categories == wanted.categories == ("a", "b", "x")
    assert made.f(average="macro") == wanted.f(average="macro")
