"""`pc.extremes`: bounds over all labels of cases and decisions are those of enumeration."""

from __future__ import annotations

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.counts import Counts
from precall.core.errors import DataError, MeasureError, UsageError
from precall.core.notes.of_judges import LabelsLeaveUndefined, UnjudgedCases
from precall.judges import extremes as module
from precall.measures import REGISTRY
from precall.measures.registry import find
from tests.noticed import noticed

LABELS = st.lists(st.sampled_from([1, 0, None]), min_size=1, max_size=7)


def labelings(labels: list[int | None]) -> list[list[int]]:
    """The labels with every label of the gaps."""
    gaps = [place for place, label in enumerate(labels) if label is None]
    found = []
    for chosen in product((0, 1), repeat=len(gaps)):
        whole = list(labels)
        for place, label in zip(gaps, chosen, strict=True):
            whole[place] = label
        found.append(whole)
    return found


def is_range(found: Any, values: list[float]) -> bool:
    """Whether bounds are those of values, of which some may be undefined."""
    every = np.array(values, float)
    if np.isnan(every).all():
        return bool(np.isnan(found.lowest) and np.isnan(found.highest) and found.is_undefined)
    ends = np.nanmin(every), np.nanmax(every)
    return bool(
        np.allclose((found.lowest, found.highest), ends, rtol=1e-12, atol=1e-12)
        and found.is_undefined == np.isnan(every).any()
    )


@given(LABELS, st.integers(0, 10**6), st.integers(1, 7), st.booleans())
def test_bounds_of_cases_are_those_of_all_labels(
    labels: list[int | None], seed: int, levels: int, higher: bool
) -> None:
    score = np.random.default_rng(seed).integers(0, levels, len(labels)).astype(float)
    found = pc.extremes.cases(labels, score, higher_is_better=higher)
    for name in ("AP", "AUC"):
        curves = [pc.curve(whole, score, higher_is_better=higher) for whole in labelings(labels)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # undefined for some labels
            values = [curve.value(name) for curve in curves]
        assert is_range(found[name], [np.nan if value is None else value for value in values])


@given(LABELS, st.integers(0, 10**6))
def test_bounds_of_decisions_are_those_of_all_labels(labels: list[int | None], seed: int) -> None:
    accepted = np.random.default_rng(seed).integers(0, 2, len(labels))
    names = [each.name for each in REGISTRY if each.of is Counts]
    found = pc.extremes.decisions(labels, accepted, names)
    for name in names:
        values = []
        for whole in map(np.array, labelings(labels)):
            cells = [
                np.array([np.count_nonzero((whole == relevant) & (accepted == taken))])
                for relevant, taken in ((1, 1), (0, 1), (1, 0), (0, 0))
            ]
            values.append(float(find(name).of_table(Counts(*cells))[0]))
        assert is_range(found[name], values), name


@given(st.lists(st.integers(0, 4), min_size=4, max_size=4), st.integers(0, 6), st.integers(0, 6))
def test_corners_are_extreme_where_more_tables_are_too_many(
    cells: list[int], inside: int, outside: int
) -> None:
    for name in module._AT_CORNERS:
        measure = find(name)
        whole = module._of_counts(measure, cells, [inside, outside])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_TABLES", 0)
            corners = module._of_counts(measure, cells, [inside, outside])
        assert np.array_equal(whole[:2], corners[:2], equal_nan=True), name


def test_what_is_known_has_no_width() -> None:
    labels, score = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    found = pc.extremes.cases(labels, score)
    assert found["AP"][:2] == pytest.approx((pc.curve(labels, score).value("AP"),) * 2)
    assert found["roc_auc"][:2] == (0.75, 0.75)
    assert not found.notes


def test_the_notes_say_what_is_open() -> None:
    found = pc.extremes.cases([None, None], [1.0, 2.0])
    assert noticed(found, UnjudgedCases)[0].values == {
        "unjudged": 2,
        "total": 2,
        "noun": "cases",
    }
    assert noticed(found, LabelsLeaveUndefined)


def test_curves_with_gaps_lead_on() -> None:
    with pytest.raises(DataError, match=r"pc\.extremes\.cases"):
        pc.curve([1, None], [1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pc.extremes.cases([1, 2], [1, 2]), r"truth\[1\]"),
        (lambda: pc.extremes.cases([1, 0], [1]), "score"),
        (lambda: pc.extremes.cases([1, 0], [1, np.inf]), "infinite"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], "MCC"), "MCC"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], []), "measures"),
        (lambda: pc.extremes.cases([], []), "nothing"),
        (lambda: pc.extremes.cases({"a": 1}, [1]), "truth"),
        (lambda: pc.extremes.decisions([1, 0], [1, None]), "item 1 has no decision"),
        (lambda: pc.extremes.decisions([1, 0], [1, 0], []), "measures"),
        (lambda: pc.extremes.decisions([None] * 20_000, [1, 0] * 10_000, "MCC"), "tables"),
        (lambda: pc.extremes.cases([None] * 6_000, [1, 2] * 3_000, "AP"), "share scores"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], None), "measures"),
        (lambda: pc.extremes.decisions([1, 0], [1, 0], {"P": 1}), "measures"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_measures_of_rankings_are_refused() -> None:
    with pytest.raises(MeasureError, match="rankings"):
        pc.extremes.decisions([1, 0], [1, 0], "AP")
    with pytest.raises(KeyError, match="measures are P"):
        pc.extremes.decisions([1, 0], [1, 0], "P")["R"]
