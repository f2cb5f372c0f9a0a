"""What labels and lists were taken for where nobody had looked: a label of an Enum beside plain ones, a matrix that was
written as text, sets of numbers in files that have no sets, cells cut at another separator, fractions in some files only.

The old tests asked for these at one door, or with three columns, where a row of 0 and 1 has one of them twice.
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
from precall.item_tables import read_decisions
from precall.notes.of_reading import NoCommonLabel
from tests.noticed import warned

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


class Tone(str, Enum):  # noqa: UP042 - a StrEnum prints its value
    """Texts that print as Tone.GOOD."""

    GOOD = "agreeable"
    BAD = "bad"


PLAIN = ["agreeable", "bad", "bad", "agreeable", "bad"], ["agreeable", "agreeable", "bad", "bad", "bad"]
SCORE = [0.9, 0.6, 0.4, 0.3, 0.1]


@pytest.mark.parametrize(
    "data", [PLAIN, tuple([Tone(label) for label in part] for part in PLAIN)], ids=["plain", "Enum"]
)
@pytest.mark.parametrize("call", [
    lambda t, p, good, both: ours.f1_score(t, p, pos_label=good),
    lambda t, p, good, both: ours.jaccard_score(t, p, pos_label=good),
    lambda t, p, good, both: ours.precision_score(t, p, labels=both, average=None),
    lambda t, p, good, both: ours.confusion_matrix(t, p, labels=both),
    lambda t, p, good, both: ours.multilabel_confusion_matrix(t, p, labels=both),
    lambda t, p, good, both: ours.cohen_kappa_score(t, p, labels=both),
    lambda t, p, good, both: ours.average_precision_score(t, SCORE, pos_label=good),
    lambda t, p, good, both: ours.roc_curve(t, SCORE, pos_label=good)[1],
    lambda t, p, good, both: ours.classification_report(t, p, labels=both),
], ids=["f1", "jaccard", "precision", "confusion", "multilabel", "kappa", "ap", "roc", "report"])  # fmt: skip
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
    path.write_text("".join(f'{{"t": {t}, "p": {p}}}\n' for t, p in zip(truth, predicted, strict=True)))
    assert read_decisions(str(path), "t", "p").value("micro-F") == wanted


def test_categories_say_that_lists_are_sets(tmp_path: Path) -> None:
    truth, predicted = [[0], [0, 1], [1], []], [[0], [1], [1], [0]]
    with pytest.raises(pc.DataError, match="for sets of labels name them all with categories="):
        pc.decisions(truth, predicted)
    wanted = pc.decisions([*map(set, truth)], [*map(set, predicted)]).value("micro-F")
    assert pc.decisions(truth, predicted, categories=[0, 1]).value("micro-F") == wanted
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f'{{"t": {t}, "p": {p}}}\n' for t, p in zip(truth, predicted, strict=True)))
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
        with pytest.raises(pc.DataError, match="holds 'red;blue', whose parts are labels, too; .*';'"):
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
    assert told[0].labels == ("'Neg', 'Pos'", "'neg', 'pos'")
