"""The options that a type checker sees of `interval` and `compare` are those of the functions that
they are passed to.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall import intervals
from precall.cases.intervals import OF_LISTS, interval_of_curve
from precall.comparison import api as comparison
from precall.hard_decisions.intervals import interval_of_decisions
from precall.stats.intervals.areas import partial_area_under_roc
from precall.stats.intervals.interval import options_of

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
        (intervals._CaseOptions, of(interval_of_curve, partial_area_under_roc, *OF_LISTS.values())),
        (intervals._DecisionOptions, of(interval_of_decisions) | {"joint"}),
        (intervals._ValueOptions, of(intervals.intervals_of_report)),
        (intervals._OfMeans, of(intervals.mean)),
        (comparison._OfCases, of(pc.compare.cases) - OF_CURVES),
        (comparison._OfDecisions, of(pc.compare.decisions) - {"measure", "positive", "categories"}),
        (comparison._OfValues, of(pc.compare.paired) - OWN),
        (
            comparison._OfAny,
            of(pc.compare.__call__, pc.evaluate, pc.compare.cases, pc.compare.decisions)
            - {"runs", "measures", "unjudged", "by"},
        ),
        (
            comparison._OfRuns,
            of(pc.compare.__call__, pc.evaluate)
            - {"runs", "measures", "interval", "unjudged", "by"},
        ),
    ],
    ids=lambda given: getattr(given, "__qualname__", ""),
)
def test_the_options_that_are_typed_are_those_that_are_taken(typed: Any, taken: set[str]) -> None:
    assert keys(typed) - OWN == taken - OWN, f"write each into {typed.__qualname__}"


def test_reports_take_what_compare_has_itself() -> None:
    assert keys(comparison._OfReports) == of(pc.compare.__call__) - {"runs", "measures"}


RIGHT = """
import numpy as np
import precall as pc
report, curve, decisions = pc.evaluate({}, {}), pc.curve([1], [1]), pc.decisions([1], [1])
labels, qrels = np.array([1, 0]), {"q": {"a": 1}}
pc.compare(report, resamples=3, baseline="a")
pc.compare(curve, curve, test="delong")
pc.compare(decisions, decisions, "MCC", interval="bca")
pc.compare({"q": 0.5}, {"q": 0.25}, alternative="greater")
pc.compare(qrels, {"x": qrels}, ["AP"], topics="qrels")
pc.compare(labels, labels, labels, "AUC", weights=labels)
pc.compare([1, 0], {"a": [1, 0], "b": [0, 1]}, level=0.9)
pc.compare([("q", "a", 1)], {"x": qrels}, topics="qrels")
"""
WRONG = [
    'report, resamples="many"',
    "report, nonsense=3",
    'report, topics="qrels"',
    'qrels, {"x": qrels}, ["AP"], resampels=3',
    'qrels, {"x": qrels}, level="high"',
    "curve, curve, nonsense=3",
    'curve, curve, level="high"',
    "decisions, decisions, nonsense=3",
    '{"q": 0.5}, {"q": 0.25}, nonsense=3',
    "labels, labels, labels, resampels=3",
    "[1], [1], [1], resampels=3",
]


@pytest.mark.nightly
def test_a_type_checker_refuses_options_that_no_comparison_takes(tmp_path: Path) -> None:
    api = pytest.importorskip(
        "mypy.api", reason="mypy is not installed: the options of compare were not checked"
    )
    source, calls = tmp_path / "calls.py", [f"pc.compare({given})" for given in WRONG]
    source.write_text(RIGHT + "\n".join(calls), "utf-8")
    out, _, _ = api.run([str(source), "--no-error-summary", "--cache-dir", str(tmp_path / "cache")])
    refused = {int(match[1]) for match in re.finditer(r"calls\.py:(\d+): error", out)}
    first = RIGHT.count("\n") + 1
    assert refused == set(range(first, first + len(WRONG))), out
