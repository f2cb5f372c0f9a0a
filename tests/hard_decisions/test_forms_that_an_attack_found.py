"""What labels and lists were taken for where nobody had looked: a label of an Enum beside plain
ones, a matrix that was written as text, sets of numbers in files that have no sets, cells cut at
another separator, fractions in some files only.

The old tests asked for these at one door, or with three columns, where a row of 0 and 1 has one of
them twice.
"""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
import precall.compat.sklearn as ours
from precall.core.notes.of_reading import NoCommonLabel
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import warned

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


class Tone(str, Enum):  # noqa: UP042 - a StrEnum prints its value
    """Texts that print as Tone.GOOD."""

    GOOD = "agreeable"
    BAD = "bad"


PLAIN = (
    ["agreeable", "bad", "bad", "agreeable", "bad"],
    ["agreeable", "agreeable", "bad", "bad", "bad"],
)
SCORE = [0.9, 0.6, 0.4, 0.3, 0.1]


@pytest.mark.parametrize(
    "data", [PLAIN, tuple([Tone(label) for label in part] for part in PLAIN)], ids=["plain", "Enum"]
)
@pytest.mark.parametrize(
    "call",
    [
        lambda t, p, good, both: ours.f1_score(t, p, pos_label=good),
        lambda t, p, good, both: ours.jaccard_score(t, p, pos_label=good),
        lambda t, p, good, both: ours.precision_score(t, p, labels=both, average=None),
        lambda t, p, good, both: ours.confusion_matrix(t, p, labels=both),
        lambda t, p, good, both: ours.multilabel_confusion_matrix(t, p, labels=both),
        lambda t, p, good, both: ours.cohen_kappa_score(t, p, labels=both),
        lambda t, p, good, both: ours.average_precision_score(t, SCORE, pos_label=good),
        lambda t, p, good, both: ours.roc_curve(t, SCORE, pos_label=good)[1],
        lambda t, p, good, both: ours.classification_report(t, p, labels=both),
    ],
    ids=["f1", "jaccard", "precision", "confusion", "multilabel", "kappa", "ap", "roc", "report"],
)
def test_a_label_that_is_asked_for_is_its_value(data: Any, call: Any) -> None:
    wanted = call(*PLAIN, "agreeable", ["agreeable", "bad"])
    found = call(*data, Tone.GOOD, [Tone.GOOD, Tone.BAD])
    assert found == wanted if isinstance(wanted, str) else np.array_equal(found, wanted)


@pytest.mark.parametrize("bits", [("1", "0"), ("True", "False"), (" 1", "0 ")])
def test_a_matrix_of_texts_is_refused(bits: tuple[str, str]) -> None:
    yes, no = bits
    with pytest.raises(
        pc.DataError, match="which are cells of a matrix or labels; of a matrix write numbers"
    ):
        pc.decisions([[yes, no], [no, yes]], [[no, yes], [yes, no]])


def test_decimals_are_the_numbers_of_a_matrix() -> None:
    yes, no = Decimal("1.0"), Decimal(0)
    assert pc.decisions([[yes, no], [no, yes]], [[no, yes], [yes, no]]).value("micro-F") == 0.0


def test_one_label_an_item_may_be_0_or_1() -> None:
    assert pc.decisions([["0"], ["1"]], [["0"], ["0"]]).value("micro-F") == 0.5


SETS = [
    ([[0], [1, 2], [2]], [[0, 2], [1, 0], [2, 1]], [{0}, {1, 2}, {2}], [{0, 2}, {1, 0}, {2, 1}]),
    ([[0], [1], [2], [1]], [[0], [1], [1], [1]], [{0}, {1}, {2}, {1}], [{0}, {1}, {1}, {1}]),
    ([[0, 5], [1, 7], [2, 0]], [[0], [1], [2]], [{0, 5}, {1, 7}, {2, 0}], [{0}, {1}, {2}]),
]


@pytest.mark.parametrize(("truth", "predicted", "true_sets", "sets"), SETS)
def test_lists_that_are_no_rows_are_sets(
    truth: Any, predicted: Any, true_sets: Any, sets: Any, tmp_path: Path
) -> None:
    wanted = pc.decisions(true_sets, sets).value("micro-F")
    assert pc.decisions(truth, predicted).value("micro-F") == wanted
    path = tmp_path / "items.jsonl"
    path.write_text(
        "".join(f'{{"t": {t}, "p": {p}}}\n' for t, p in zip(truth, predicted, strict=True))
    )
    assert read_decisions(str(path), "t", "p").value("micro-F") == wanted


def test_categories_say_that_lists_are_sets(tmp_path: Path) -> None:
    truth, predicted = [[0], [0, 1], [1], []], [[0], [1], [1], [0]]
    with pytest.raises(pc.DataError, match="for sets of labels name them all with categories="):
        pc.decisions(truth, predicted)
    wanted = pc.decisions([*map(set, truth)], [*map(set, predicted)]).value("micro-F")
    assert pc.decisions(truth, predicted, categories=[0, 1]).value("micro-F") == wanted
    path = tmp_path / "items.jsonl"
    path.write_text(
        "".join(f'{{"t": {t}, "p": {p}}}\n' for t, p in zip(truth, predicted, strict=True))
    )
    assert read_decisions(str(path), "t", "p", categories=["0", "1"]).value("micro-F") == wanted


@pytest.mark.parametrize("cell", [None, 2, -1, float("nan"), 0.5])
@pytest.mark.parametrize("rest", [[[1, 0], [0, 1], [0, 1]], [[1, 0, 1], [0, 1, 1], [1, 1, 0]]])
def test_what_is_nearly_a_matrix_is_refused_still(cell: Any, rest: list[list[Any]]) -> None:
    rows = [*rest[:-1], [*rest[-1][:-1], cell]]
    with pytest.raises(pc.DataError, match="in a matrix of lists"):
        pc.decisions(rows, rest)


def test_another_separator_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("t,p\nred;blue,red\nred,red\nblue,red;blue\n")
    for wrong in ("|", "/"):
        with pytest.raises(
            pc.DataError, match="holds 'red;blue', whose parts are labels, too; .*';'"
        ):
            read_decisions(str(path), "t", "p", separator=wrong)
    assert read_decisions(str(path), "t", "p", separator=";").value("micro-F") == 0.75


def test_labels_with_fractions_are_labels_in_every_file(tmp_path: Path) -> None:
    rows = [(0.5, 1.5), (1.5, 1.5), (2.0, 0.5)]
    table, lines = tmp_path / "stars.csv", tmp_path / "stars.jsonl"
    table.write_text("t,p\n" + "".join(f"{t},{p}\n" for t, p in rows))
    lines.write_text("".join(f'{{"t": {t}, "p": {p}}}\n' for t, p in rows))
    for path in (table, lines):
        assert read_decisions(str(path), "t", "p").value("accuracy") == pytest.approx(1 / 3)
    lines.write_text("".join(f'{{"t": {int(t)}, "p": {p}}}\n' for t, p in rows))
    with pytest.raises(pc.DataError, match="column 'p'"):
        read_decisions(str(lines), "t", "p")


def test_classes_of_numbers_are_labels() -> None:
    bins = ["[0, 10]", "[11, 20]", "[21, 30]"]
    assert pc.decisions(bins, [bins[0], bins[0], bins[2]]).value("accuracy") == pytest.approx(2 / 3)
    with pytest.raises(pc.DataError, match="a list of labels that was written as text"):
        pc.decisions(["[1, 2]", "[1, 3]"], ["[1, 2]", "[2, 3]"])


def test_a_likelihood_ratio_without_a_value_is_neutral() -> None:
    truth, predicted = [0, 0, 1, 1, 2, 2, 0, 1], [0, 1, 1, 2, 2, 0, 0, 0]
    found = pc.decisions(truth, predicted, categories=[0, 1, 2, 3])
    each = [5 / 3, 5 / 3, 3.0, 1.0]
    assert found.value("macro-LR+") == pytest.approx(sum(each) / 4)


@pytest.mark.filterwarnings("default::precall.PrecallWarning")
def test_a_positive_label_spelled_otherwise_is_said(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("t,p\nNeg,neg\nPos,pos\nNeg,neg\n")
    with warned(NoCommonLabel) as told:
        read_decisions(str(path), "t", "p", positive="Neg")
    assert told[0].labels == (("Neg", "Pos"), ("neg", "pos"))


class Grade(Enum):
    """Members that do not compare, in another order than their names."""

    LOW = 1
    MID = 2
    HIGH = 3


class Thing:
    """A label that does not compare, and prints as nothing that sorts."""

    def __init__(self, name: int) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@pytest.mark.parametrize(
    ("truth", "predicted"),
    [
        ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        ([[1, 0], [0, -1], [-1, 1]], [[0, 1], [-1, 0], [1, -1]]),
        ([[-1, 0, 1], [1, -1, 0]], [[-1, 0, 1], [1, 0, -1]]),
        ([["yes", "no"], ["no", "yes"]], [["no", "yes"], ["yes", "no"]]),
        ([["1", "-1"], ["-1", "1"]], [["-1", "1"], ["1", "-1"]]),
        ([[b"1", b"0"], [b"0", b"1"]], [[b"0", b"1"], [b"1", b"0"]]),
        ([list(Tone), list(Tone)[::-1]], [list(Tone)[::-1], list(Tone)]),
    ],
)
def test_rows_of_another_yes_and_no_are_no_sets(truth: Any, predicted: Any) -> None:
    """Micro-F was 1.0 where every decision was wrong."""
    with pytest.raises(pc.DataError, match="pass sets"):
        pc.decisions(truth, predicted)
    with pytest.raises(pc.DataError, match="pass sets"):
        pc.categorize(truth, 0.1 + 0.8 * np.eye(len(truth), len(truth[0])))
    names = sorted({label for row in truth for label in row}, key=str)
    sets = [[set(row) for row in part] for part in (truth, predicted)]
    assert pc.decisions(*sets).f(average="micro") == pc.decisions(truth, predicted, names).f(
        average="micro"
    )


@pytest.mark.parametrize(
    ("truth", "predicted"),
    [
        ([["a", "b"], ["a", "b"]], [["a", "b"], ["b", "a"][::-1]]),
        ([["a", "b"], ["b", "a"]], [["a"], ["b", "a"]]),
    ],
)
def test_sets_in_lists_that_say_enough_stay_sets(truth: Any, predicted: Any) -> None:
    assert pc.decisions(truth, predicted).truth.kind == "multi"


def test_members_of_an_enum_stand_in_its_order() -> None:
    """They stood in the order of their names, and weighted kappa believed it (0.0 for .8); columns
    went to the wrong ones.
    """
    numbers, others = [1, 2, 3] * 9, [1, 3, 3] * 9
    members, more = ([Grade(number) for number in part] for part in (numbers, others))
    for name in ("QWK", "LWK"):
        assert pc.decisions(members, more).value(name) == pc.decisions(numbers, others).value(name)
    scores = np.tile([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], (9, 1))
    assert pc.categorize(members, scores).by_category("AP").values.tolist() == [1, 1, 1]
    assert pc.decisions(members, more).categories == tuple(Grade)


@pytest.mark.parametrize("labels", [[2, 10, "x"], [Thing(1), Thing(2), Thing(3)]])
def test_labels_without_an_order_have_none(labels: list[Any]) -> None:
    with pytest.raises(pc.UsageError, match="no order of their own; name the columns"):
        pc.categorize(labels, np.eye(3))
    assert pc.categorize(labels, np.eye(3), labels).by_category("AP").values.tolist() == [1, 1, 1]
    with pytest.raises(pc.UsageError, match="the order of .* is not known"):
        pc.decisions(labels, labels[::-1]).value("QWK")


def test_fractions_in_a_table_have_the_order_of_numbers(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("t,p\n10.5,9.5\n9.5,9.5\n2.5,2.5\n", encoding="utf-8")
    made = read_decisions(str(file), "t", "p")
    assert made.categories == ("2.5", "9.5", "10.5")
    assert made.value("QWK") == pc.decisions([3, 2, 1], [2, 2, 1]).value("QWK")


def one_column(levels: list[Any]) -> dict[str, Any]:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    plain = pd.Categorical(levels[:2], levels, ordered=True)
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(levels), ordered=True)
    return {
        "pandas": pd.DataFrame({"t": plain}),
        "Polars": pl.DataFrame({"t": pl.Series(levels[:2], dtype=pl.Enum(levels))}),
        "PyArrow": pa.table({"t": coded}),
        "lists": pl.Series([[label] for label in levels[:2]], dtype=pl.List(pl.Enum(levels))),
    }


@pytest.mark.parametrize("kind", ["pandas", "Polars", "PyArrow", "lists"])
def test_levels_are_kept_in_tables_of_one_column_and_lists(kind: str) -> None:
    """Macro-F was 1.0: the third level, which no item has, was lost."""
    other = ["a", "b"] if kind != "lists" else [["a"], ["b"]]
    assert pc.decisions(one_column(["a", "b", "c"])[kind], other).value(
        "macro-F1"
    ) == pytest.approx(2 / 3)


def test_two_tables_of_one_column_are_two_columns() -> None:
    """The name of the column became the only category, or those of two were not the same."""
    import pandas as pd

    for names in (("t", "t"), ("t", "p")):
        frames = [pd.DataFrame({name: ["a", "b", "b"]}) for name in names]
        assert pc.decisions(*frames).value("macro-F1") == 1
    numbers = [pd.DataFrame({"x": [1, 0, 1]})] * 2
    assert pc.decisions(*numbers).categories == ("x",)


@pytest.mark.parametrize("text", ["[1 0]", "[1 2 3]", "[1. 0.]", "{a,b}", "array(['a', 'b'])"])
def test_arrays_that_were_written_as_text_are_no_labels(text: str) -> None:
    with pytest.raises(
        pc.DataError, match="a list of labels that was written as text; pass lists"
    ) as told:
        pc.decisions([text, "x"], ["x", "x"])
    assert "re.findall" in str(told.value)


@pytest.mark.parametrize("text", ["[PAD]", "[1]", "{x}", "a [1 2]", "array"])
def test_labels_in_brackets_are_labels(text: str) -> None:
    assert pc.decisions([text, "x"], ["x", "x"]).categories == tuple(sorted([text, "x"]))


def test_decimals_are_numbers_where_they_are_named_too() -> None:
    labels = [Decimal("0.1"), Decimal("1.5")]
    assert pc.decisions(labels, labels, positive=labels[0]).value("F1") == 1
    assert pc.decisions(labels, labels, categories=labels).value("macro-F1") == 1
    assert pc.categorize(labels, np.eye(2), labels).by_category("AP").values.tolist() == [1, 1]
    for qrels in ({"q": {"a": Decimal(1)}}, [("q", "a", Decimal("1.0"))]):
        assert pc.evaluate(qrels, {"q": ["a"]}, "AP").mean["AP"] == 1
    assert pc.evaluate({"q": {"a": Decimal("1.5")}}, {"q": ["b", "a"]}, "AP").mean["AP"] == 0.5


@pytest.mark.parametrize(
    "other",
    [
        "New\u00a0York",
        "New  York",
        "new york ",
        "New\u200b York",
        "\uff2eew York",
        "\ufeffNew York",
    ],
)
def test_labels_that_are_read_alike_are_told(other: str) -> None:
    with pytest.warns(pc.PrecallWarning) as told:
        pc.decisions(["New York", "x"], [other, "x"])
    assert [warning.message.note.kind for warning in told] == ["labels-unlike"]


def test_the_sheet_of_decisions_says_what_undefined_categories_do() -> None:
    sheet = pc.decisions(["a", "b"], ["a", "b"], ["a", "b", "c"]).sheet(
        measures=["BalancedAccuracy", "kappa"]
    )
    told = {
        note.kind: note for note in sheet.notes if note.values.get("measures") != ("precision",)
    }
    assert (
        told["left-out"].subject == "BalancedAccuracy" and told["left-out"].values["undefined"] == 1
    )
    assert told["undefined-in"].values["measures"] == ("kappa",)


def test_sheets_take_names_of_measures_and_refuse_other_choices() -> None:
    curve = pc.curve([1, 0, 1], [0.5, 0.4, 0.3])
    assert str(curve.sheet(measures="P@2")) == str(curve.sheet(measures=[pc.measure("P@2")]))
    for result in (curve, pc.decisions([1, 0], [1, 1]), pc.interval(curve, "AUC")):
        with pytest.raises(
            pc.UsageError, match="nothing: the sheet of this result has no such choice, got 1"
        ):
            result.sheet(nothing=1)


class Raw(bytes, Enum):
    """Labels that are bytes."""

    A = b"a"
    B = b"b"


class Pair(tuple[int, int], Enum):
    """Labels that are made of two numbers."""

    A = (1, 2)
    B = (3, 4)


@pytest.mark.parametrize("kind", [Raw, Pair])
def test_members_that_numpy_would_take_apart_are_labels(kind: Any) -> None:
    """Those of bytes ended in a ValueError, and tuples were sets of labels."""
    labels, others = [kind.A, kind.B, kind.B], [kind.A, kind.A, kind.B]
    assert pc.decisions(labels, others).value("macro-F1") == pc.decisions(
        [0, 1, 1], [0, 0, 1], [0, 1]
    ).value("macro-F1")
    assert set(pc.decisions(labels, others).categories) == set(kind)
    assert pc.curve(labels, [3, 1, 2], positive=kind.A).average_precision() == 1


def test_lists_of_one_yes_or_no_are_a_matrix_of_one_column() -> None:
    """One -1 among them made three categories of a yes or no."""
    assert pc.decisions([[1], [0], [1]], [[1], [0], [0]]).truth.kind == "multi"
    with pytest.raises(pc.DataError, match="has the cell -1 in a matrix of lists"):
        pc.decisions([[1], [0], [1], [-1]], [[1], [0], [0], [0]])
