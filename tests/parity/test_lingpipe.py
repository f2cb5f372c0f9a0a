"""LingPipe 3.9.2: outputs of its compiled classes, equal to the last bits."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import pytest

from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation

NAMES = {
    "prCurve": "pr_curve", "prScoreCurve": "pr_score_curve", "rocCurve": "roc_curve",
    "areaUnderPrCurve": "area_under_pr_curve", "areaUnderRocCurve": "area_under_roc_curve",
}  # fmt: skip


def made(cases: list[list[float]], misses: int) -> ScoredPrecisionRecallEvaluation:
    evaluation = ScoredPrecisionRecallEvaluation()
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
        "averagePrecision": evaluation.average_precision, "prBreakevenPoint": evaluation.pr_breakeven_point,
        "reciprocalRank": evaluation.reciprocal_rank, "numCases": evaluation.num_cases,
    }  # fmt: skip
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


def test_every_exact_output(facts: Path) -> None:
    checked = 0
    for case, known in golden(facts)["3.9.2"].items():
        evaluation = made(known["cases"], known["misses"])
        for name, wanted in known["out"].items():
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
    assert checked > 250


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
    assert made([[0, math.nan], [1, 1]], 0).average_precision() == 0.5
