"""The options that a type checker sees of `interval` and `compare` are those of the functions that they are passed to."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import precall as pc
from precall import comparison, intervals
from precall.infer.interval.areas import partial_area_under_roc
from precall.infer.interval.interval import options_of
from precall.intervals.cases import OF_LISTS, of_curve
from precall.intervals.decided import of_decisions

#: Those that `interval` has itself, or settles.
OWN = {"measure"}
#: Those of cases that a curve has, or that are not of `compare(...)`.
OF_CURVES = {"positive", "higher_is_better", "weights", "missed", "measure"}


def keys(options: Any) -> set[str]:
    return set(options.__optional_keys__)


def of(*functions: Callable[..., Any]) -> set[str]:
    return {name for function in functions for name in options_of(inspect.unwrap(function))}


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        (intervals._OfCases, of(of_curve, partial_area_under_roc, *OF_LISTS.values())),
        (intervals._OfDecisions, of(of_decisions)),
        (intervals._OfValues, of(intervals.of_report)),
        (intervals._OfMeans, of(intervals.mean)),
        (comparison._OfCases, of(pc.compare.cases) - OF_CURVES),
        (comparison._OfDecisions, of(pc.compare.decisions) - {"measure", "positive", "categories"}),
        (comparison._OfValues, of(pc.compare.paired) - OWN),
        (comparison._OfRuns, of(pc.compare.__call__, pc.evaluate) - {"runs", "measures", "interval"}),
    ],
    ids=lambda given: getattr(given, "__qualname__", ""),
)
def test_the_options_that_are_typed_are_those_that_are_taken(typed: Any, taken: set[str]) -> None:
    assert keys(typed) == taken - OWN


def test_reports_take_what_compare_has_itself() -> None:
    assert keys(comparison._OfReports) == of(pc.compare.__call__) - {"runs", "measures"}
