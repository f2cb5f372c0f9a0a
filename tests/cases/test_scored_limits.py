"""Scored cases at the limits of what they take: exchange of tables, weights of recall, thresholds,
labels, masks.
"""

from __future__ import annotations

import functools
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from precall.cases import ScoredCases, curve, f_versus_break_even
from precall.core.errors import DataError, UsageError
from precall.hard_decisions import categorize, decisions
from precall.results.sheets import Table


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_tables_as_arrow_streams(kind: Any) -> None:
    polars = pytest.importorskip(
        "polars", reason="Polars is not installed: no Arrow stream was read"
    )
    one = curve([1, 0, 1], np.array([0.3, 0.2, 0.1], kind))
    for table in (
        one,
        one.pr(interpolate=True),
        one.roc(),
        one.gain(),
        one.areas(),
        one.simplify(0),
    ):
        made = polars.DataFrame(table)
        for name in made.columns:
            column = table.table.columns[name] if hasattr(table, "table") else table.columns[name]
            assert made[name].to_list() == pytest.approx(list(column), nan_ok=True)
    assert polars.DataFrame(one)["threshold"].to_numpy().dtype == kind


def test_cases_as_arrow_streams() -> None:
    polars = pytest.importorskip(
        "polars", reason="Polars is not installed: no Arrow stream was read"
    )
    for bins in (None, 4):
        cases = ScoredCases(bins)
        cases.add([1, 0, 1, 0, 1], [0.9, 0.1, 0.1, 0.6, 0.3])
        for missed in (0, 2):
            cases.add_missed(missed)
            again = ScoredCases.from_table(polars.DataFrame(cases), bins)
            for name, column in cases.table.to_dict().items():
                assert again.table.to_dict()[name] == pytest.approx(column, nan_ok=True)
            assert again.average_precision() == cases.average_precision()


def _rows(score: list[Any], other: list[int]) -> Table:
    columns = {"score": score, "relevant": [1] * len(score), "other": other}
    return Table({name: np.array(column) for name, column in columns.items()})


def test_no_row_of_a_table_is_dropped() -> None:
    with pytest.raises(DataError, match="other cases without a score"):
        ScoredCases.from_table(_rows([1.0, math.nan], [1, 3]))
    with pytest.raises(UsageError, match="score: must be numbers"):
        ScoredCases.from_table(_rows(["a", "b"], [1, 3]))
    with pytest.raises(UsageError, match=r"2\*\*53"):
        ScoredCases.from_table(_rows([2**53 + 1, 2**53], [1, 3]))


@pytest.mark.parametrize("bins", [2.5, "x", object()])
def test_bins_are_a_number_or_edges(bins: Any) -> None:
    with pytest.raises(UsageError, match="bins: must be a"):
        ScoredCases(bins)


@pytest.mark.parametrize("beta", [-1, math.nan, math.inf, 1e200, 1e-200, "x", None, True])
def test_weights_of_recall(beta: Any) -> None:
    one, decided = curve([1, 0, 1, 0], [4, 3, 2, 1]), decisions(["a", "b", "b"], ["a", "b", "a"])
    for measured in (
        one.max_f,
        one.at(accept=2).f,
        functools.partial(f_versus_break_even, 0.5, 0.25),
        decided.f,
        decided.e,
        functools.partial(decided.f, average="macro"),
        functools.partial(decided.e, average="macro"),
        functools.partial(decided.f, average="macro-of-means"),
    ):
        with pytest.raises(UsageError, match="beta: must be 0, or a number"):
            measured(beta)


def test_f_at_the_ends_is_precision_and_recall() -> None:
    point = curve([1, 0, 1, 0, 1], [5, 4, 3, 2, 1]).at(accept=2)
    assert point.f(1e-100) == pytest.approx(point.precision)
    assert point.f(1e100) == pytest.approx(point.recall)


@pytest.mark.parametrize("accept", [2.5, math.nan, "a", True, -1])
def test_counts_accepted_are_whole(accept: Any) -> None:
    with pytest.raises(UsageError, match="accept: must be a count >= 0"):
        curve([1, 0, 1, 0], [4, 3, 2, 1]).at(accept=accept)


def test_thresholds_beyond_the_scores_own_type() -> None:
    one = curve([1, 0], np.array([0.7, 0.1], np.float32))
    assert (one.at(threshold=1e300).tp, one.at(threshold=-1e300).tp) == (0, 1)
    s = categorize([[1], [0]], np.array([[0.7], [0.1]], np.float32))
    assert s.decide(s.thresholds("fixed:1e300")).counts().tp.tolist() == [0]
    with pytest.raises(UsageError, match="threshold: must be a number, got 'x'"):
        one.at(threshold="x")  # type: ignore[arg-type]


def test_values_are_pythons_numbers() -> None:
    one = curve([1, 0, 1, 0], [4, 3, 2, 1])
    assert {type(one.precision_at(k)) for k in (3, np.int64(3))} == {float}  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["error", "accuracy", "f"])
def test_undefined_is_counted_by_name(name: str) -> None:
    empty = decisions([], [], ["a", "b"])
    assert empty.undefined_in(name) == 2
    assert getattr(empty, name)(average="macro", undefined="zero") == (
        1.0 if name == "error" else 0.0
    )
    assert math.isnan(getattr(empty, name)(average="macro", undefined="omit"))
    with pytest.raises(UsageError, match="no measure 'recal'; did you mean Recall"):
        empty.undefined_in("recal")


def test_an_undefined_e_is_that_of_an_f_of_zero() -> None:
    d = decisions([["a"], ["b"], []], [["a"], [], []], ["a", "b", "never"])
    for average in ("macro", "weighted", "samples"):
        assert d.e(average=average) == pytest.approx(1 - d.f(average=average))


def test_error_is_what_accuracy_lacks() -> None:
    d = decisions(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    for average in ("micro", "macro", "weighted", "samples", "exact"):
        assert d.error(average) == pytest.approx(1 - d.accuracy(average))


def test_measures_without_a_name() -> None:
    s = categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    found = s.by_category(functools.partial(lambda path, k: path.precision_at(k), k=1))
    assert found.values.tolist() == [1.0, 1.0] and "partial" in found.measure
    with pytest.raises(UsageError, match="ties: got 'docno', allowed are"):
        s.by_category("AUC", ties="docno")


@pytest.mark.parametrize("method", ["rank:", "fixed:", "proportion:", "max-f:", None, 3])
def test_policies_say_their_number(method: Any) -> None:
    s = categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(UsageError, match="method: got"):
        s.thresholds(method)


@pytest.mark.parametrize("kind", [Decimal, Fraction])
def test_labels_are_any_numbers(kind: Any) -> None:
    assert curve([kind(1), kind(0), kind(1)], [3, 2, 1]).tp.tolist() == [0, 1, 1, 2]
    with pytest.raises(DataError, match="label 2.0 of case 0"):
        curve([kind(2), kind(0), kind(1)], [3, 2, 1])
    with pytest.raises(DataError, match="case 0"):
        curve(np.array([1 + 0j, 0j]), [2, 1])


def test_masked_values_are_no_values() -> None:
    mask = [False, True, False]
    hidden = np.ma.masked_array([1.0, 0.0, 1.0], mask)
    for given in ((hidden, [3, 2, 1]), ([1, 0, 1], hidden), ([1, 0, 1], [3, 2, 1], 0, hidden)):
        with pytest.raises(DataError, match="case 1 is masked"):
            curve(*given)
    assert curve([1, 0, 1], np.ma.masked_array([3.0, 2.0, 1.0])).tp.tolist() == [0, 1, 1, 2]


def test_gain_begins_at_zero() -> None:
    draw = np.random.default_rng(2)
    for _ in range(50):
        truth = [1, 0, *draw.integers(0, 2, 9).tolist()]
        found = curve(truth, draw.integers(0, 4, 11)).gain().to_dict()["recall_gain"]
        assert min(found) >= 0 and found == sorted(found)
