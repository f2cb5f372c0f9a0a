"""LingPipe 3.9.2 and 4.1: recorded outputs of its compiled classes, equal to the last bits, and its
own tests of 4.1.
"""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.cases import curve
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
from precall.core.errors import UsageError
from precall.core.notes.of_reading import NanScore
from tests.noticed import warned

NAMES = {
    "prCurve": "pr_curve",
    "prScoreCurve": "pr_score_curve",
    "rocCurve": "roc_curve",
    "areaUnderPrCurve": "area_under_pr_curve",
    "areaUnderRocCurve": "area_under_roc_curve",
}


def made(
    cases: list[list[float]], misses: int, version: str = "3.9.2"
) -> ScoredPrecisionRecallEvaluation:
    evaluation = ScoredPrecisionRecallEvaluation(version)
    for correct, score in cases:
        evaluation.add_case(bool(correct), score)
    evaluation.add_misses(misses)
    return evaluation


def value_of(evaluation: ScoredPrecisionRecallEvaluation, name: str) -> object:
    base, _, option = name.partition("_")
    if base in NAMES:
        return getattr(evaluation, NAMES[base])(option == "true")
    if base == "maximumFMeasure":
        return evaluation.maximum_f_measure({"1": 1.0, "05": 0.5, "2": 2.0}[option])
    plain = {
        "averagePrecision": evaluation.average_precision,
        "prBreakevenPoint": evaluation.pr_breakeven_point,
        "reciprocalRank": evaluation.reciprocal_rank,
        "numCases": evaluation.num_cases,
        "rPrecision": evaluation.r_precision,
        "elevenPt": evaluation.eleven_pt_interp_precision,
    }
    return plain[base]()


def same(got: object, wanted: object) -> bool:
    if isinstance(wanted, list):
        return isinstance(got, list) and len(got) == len(wanted) and all(map(same, got, wanted))
    if wanted is None:
        return isinstance(got, float) and math.isnan(got)
    return got == pytest.approx(wanted, rel=2e-16, abs=0)


def golden(facts: Path) -> dict[str, dict[str, dict[str, object]]]:
    whole = json.loads((facts / "golden" / "lingpipe_junit.json").read_text())
    return next(part for name, part in whole.items() if name.startswith("exact_outputs"))


@pytest.mark.parametrize("version", ["3.9.2", "4.1"])
def test_every_exact_output(facts: Path, version: str) -> None:
    checked = 0
    for case, known in golden(facts)[{"4.1": "4.1.0"}.get(version, version)].items():
        evaluation = made(known["cases"], known["misses"], version)
        for name, wanted in known["out"].items():
            if name == "rPrecision_correct":
                continue  # what it ought to be, which no version answers
            if name == "precisionAt":
                for rank, value in wanted.items():
                    assert same(evaluation.precision_at(int(rank)), value), (case, name, rank)
            else:
                assert same(value_of(evaluation, name), wanted), (
                    case,
                    name,
                    value_of(evaluation, name),
                    wanted,
                )
            checked += 1
    assert checked >= 240


TEN = [
    (0, -1.21),
    (1, -1.27),
    (0, -1.39),
    (1, -1.47),
    (1, -1.6),
    (0, -1.65),
    (0, -1.79),
    (0, -1.8),
    (1, -2.01),
    (0, -3.7),
]


def test_the_documented_example() -> None:
    e = made([list(one) for one in TEN], 0)
    areas = [f(i) for f in (e.area_under_pr_curve, e.area_under_roc_curve) for i in (False, True)]
    assert [round(a, 2) for a in areas] == [0.51, 0.56, 0.58, 0.58]
    assert round(e.maximum_f_measure(), 2) == 0.67
    assert (e.pr_breakeven_point(), e.precision_at(5), e.precision_at(10), e.reciprocal_rank()) == (
        0.6,
        0.6,
        0.4,
        0.5,
    )


def test_printed_curve_and_text() -> None:
    e = made([list(one) for one in TEN], 0)
    file = io.StringIO()
    e.print_precision_recall_curve(e.pr_curve(True), file)
    assert (
        file.getvalue()
        == "  PRECI.   RECALL        F\n0.600000 0.750000 0.666667\n0.444444 1.000000 0.615385\n"
    )
    text = str(e).splitlines()
    assert text[0] == "  Area Under PR Curve (interpolated)=0.5611111111111111"
    assert text[7] == "  Reciprocal Rank=0.5"
    assert len(text) == 8  # ten cases: the loop over ranks stops at 5
    assert str(made([[1, 1.0]], 0)).endswith("Precision at 500=NaN")


def test_ties_keep_the_order_of_insertion() -> None:
    assert made([[1, 1], [0, 1]], 0).average_precision() == 1.0
    assert made([[0, 1], [1, 1]], 0).average_precision() == 0.5
    with warned(NanScore):
        assert made([[0, math.nan], [1, 1]], 0).average_precision() == 0.5


def near(got: object, wanted: object, error: float) -> bool:
    if isinstance(wanted, list):
        return (
            isinstance(got, list)
            and len(got) == len(wanted)
            and all(near(a, b, error) for a, b in zip(got, wanted, strict=True))
        )
    return got == pytest.approx(wanted, abs=error)


def test_what_the_tests_of_4_1_expect(facts: Path) -> None:
    """The values in the unit tests of 4.1.0: the documented ten cases and one miss."""
    whole = json.loads((facts / "golden" / "lingpipe_junit.json").read_text())
    known = whole["junit"]["4.1.0"]
    evaluation = made(known["cases"], known["misses"], "4.1")
    expected = dict(known["expect"])
    for rank, value in expected.pop("precisionAt").items():
        assert near(evaluation.precision_at(int(rank)), value, known["tol"])
    assert expected.pop("precisionAt(-1)") == "IllegalArgumentException"
    with pytest.raises(UsageError, match="rank: must be >= 0, got -1"):
        evaluation.precision_at(-1)
    assert len(expected) == 10
    for name, wanted in expected.items():
        assert near(value_of(evaluation, name), wanted, known["tol"]), name


cases = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), max_size=10)


@given(cases, st.integers(0, 3), st.integers(0, 4))
def test_negative_misses_are_incorrect_cases_below_all_others(rows, misses, negative) -> None:
    """No output of `addNegativeMisses` was recorded; what its documentation says of it."""
    counted, appended = (made([list(row) for row in rows], misses, "4.1") for _ in range(2))
    counted.add_negative_misses(negative)
    for _ in range(negative):
        appended.add_case(False, -9.0)
    assert counted.num_negative_ref() == appended.num_negative_ref()
    assert counted.num_cases() == appended.num_cases() == len(rows) + misses + negative
    few, many = counted.roc_curve(False)[:-1], appended.roc_curve(False)[: len(rows) + 1]
    assert str(few) == str(many)
    without = made([list(row) for row in rows], misses, "4.1")
    assert str(counted.pr_curve(True)) == str(without.pr_curve(True))


def test_each_version_has_its_own_methods() -> None:
    early = made([[1, 1.0]], 0)
    for name in (
        "r_precision",
        "eleven_pt_interp_precision",
        "num_positive_ref",
        "num_negative_ref",
    ):
        with pytest.raises(
            UsageError, match=f"{name}: LingPipe 3.9.2 has none; ask for version='4.1'"
        ):
            getattr(early, name)()
    with pytest.raises(UsageError, match="add_negative_misses: LingPipe 3.9.2 has none"):
        early.add_negative_misses(1)
    with pytest.raises(UsageError, match="version: got '5', allowed are 3.9.2, 4.1"):
        ScoredPrecisionRecallEvaluation("5")
    late = made([[1, 1.0]], 0, "4.1")
    for add in (late.add_misses, late.add_negative_misses):
        with pytest.raises(UsageError, match="count: must be an integer >= 0, got -1"):
            add(-1)
    with pytest.raises(UsageError, match="is ragged in LingPipe 4.1"):
        late.pr_score_curve(True)
    assert isinstance(late, ScoredPrecisionRecallEvaluation) and (early.version, late.version) == (
        "3.9.2",
        "4.1",
    )
    assert "Precision at 5=0.2" in str(late) and "Precision at 5=NaN" in str(early)


def test_break_even_of_a_perfect_system() -> None:
    """0 in 3.9.2, whose recall never exceeds its precision of 1."""
    perfect = [[1, 3.0], [1, 2.0], [0, 1.0]]
    assert made(perfect, 0).pr_breakeven_point() == 0.0
    assert made(perfect, 0, "4.1").pr_breakeven_point() == 1.0


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 3))
def test_what_is_said_to_be_the_same_without_ties(correct, misses) -> None:
    """The table of docs/coming-from/lingpipe.md, where both have a value."""
    rows = [[is_correct, -rank] for rank, is_correct in enumerate(correct)]
    early, late = (made(rows, misses, version) for version in ("3.9.2", "4.1"))
    if not any(correct):
        return
    c = curve(correct, range(len(correct), 0, -1), missed=misses)
    for interpolate, method in ((False, "step"), (True, "interpolated")):
        table = c.pr(interpolate).to_dict()
        points = [list(row) for row in zip(table["recall"], table["precision"], strict=True)]
        assert early.pr_curve(interpolate) == points
        assert early.area_under_pr_curve(interpolate) == pytest.approx(c.area_under_pr(method))
    assert late.average_precision() == pytest.approx(c.average_precision())
    assert early.maximum_f_measure(2.0) == pytest.approx(c.max_f(2.0).value)
    assert late.maximum_f_measure(2.0) == pytest.approx(c.max_f(2.0).value)
    assert late.eleven_pt_interp_precision() == pytest.approx(
        c.eleven_point(from_one=True).tolist()
    )
    assert early.reciprocal_rank() == late.reciprocal_rank() == c.reciprocal_rank()
    assert early.pr_breakeven_point() <= c.break_even("max-min") + 1e-12
    for k in range(1, 15):
        assert late.precision_at(k) == c.precision_at(k) == late.pr_precision_at(k)
        assert k > len(correct) or early.precision_at(k) == c.precision_at(k)
    if not all(correct):
        found = sum(correct) / c.relevant
        whole = curve(correct, range(len(correct), 0, -1)).area_under_roc()
        assert early.area_under_roc_curve(False) == pytest.approx(whole * found)
        assert misses or late.area_under_roc_curve(False) == pytest.approx(whole)
        assert late.area_under_roc_curve(True) >= late.area_under_roc_curve(False) - 1e-12
