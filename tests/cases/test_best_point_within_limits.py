"""`at(max=..., precision=...)`: the best point among those that meet other conditions, in Python
and on the command line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.points import NotReached
from precall.cli.main import run
from precall.core.errors import UsageError
from precall.core.notes.of_curves import MetByFewCases

RNG = np.random.default_rng(14)
RELEVANT = RNG.random(250) < 0.3
SCORE = (RNG.standard_normal(250) + RELEVANT).round(1)
CURVE = pc.curve(RELEVANT, SCORE)
#: Conditions: which measure bounds the points, and the sign of the bound.
BOUNDS = {
    "precision": ("P", 1),
    "recall": ("R", 1),
    "specificity": ("Specificity", 1),
    "fpr": ("Fallout", -1),
}


def allowed(curve: pc.Curve, limits: Mapping[str, float]) -> list[int]:
    """The rows that meet all limits, one by one."""
    rows = []
    for row in range(len(curve)):
        values = {
            name: sign * (curve.values(measure)[row] - limits[name])
            for name, (measure, sign) in BOUNDS.items()
            if name in limits
        }
        accepted = int(curve.tp[row] + curve.fp[row])
        if all(value >= 0 for value in values.values()) and accepted <= limits.get("accept", 1e9):
            rows.append(row)
    return rows


@pytest.mark.parametrize("measure", ["F", "MCC", "E", "YoudenJ", "Accuracy", "Utility(1,-0.2)"])
@pytest.mark.parametrize(
    "limits",
    [
        {"precision": 0.6},
        {"recall": 0.7},
        {"fpr": 0.1},
        {"specificity": 0.8, "recall": 0.3},
        {"accept": 20},
        {"precision": 0.5, "recall": 0.4, "fpr": 0.3, "accept": 120},
    ],
    ids=str,
)
def test_the_best_of_what_is_allowed(measure: str, limits: dict[str, float]) -> None:
    options: dict[str, Any] = limits
    found = CURVE.at(max=measure, **options)
    values, rows = CURVE.values(measure), allowed(CURVE, limits)
    sign = pc.measure(measure).declaration.direction
    best = max(rows, key=lambda row: (sign * np.nan_to_num(values[row], nan=-9 * sign), -row))
    assert (found.value, found.threshold) == (
        pytest.approx(values[best]),
        CURVE.threshold[best],
    )


def test_the_least_cost_of_what_is_allowed() -> None:
    cost, rows = {"fp": 1.0, "fn": 20.0}, allowed(CURVE, {"accept": 60})
    found = CURVE.at(cost=cost, accept=60)
    costs = [float(CURVE.fp[row] + 20 * (CURVE.relevant - CURVE.tp[row])) for row in rows]
    assert found.value == min(costs) > CURVE.at(cost=cost).value
    assert found.accepted <= 60


def test_limits_that_do_not_matter_change_nothing() -> None:
    plain = CURVE.at(max="F1")
    assert CURVE.at(max="F1", recall=0.1, accept=250) == plain


def test_weights() -> None:
    weighted = pc.curve(RELEVANT, SCORE, weights=np.where(RELEVANT, 0.1, 0.3))
    limit = float(weighted.precision[20])
    assert weighted.at(max="R", precision=limit).precision >= limit * (1 - 1e-12)


def test_what_no_point_meets() -> None:
    with pytest.raises(NotReached, match="precision with recall=0.9: 0.8 is never reached"):
        CURVE.at(max="F1", precision=0.8, recall=0.9)
    with pytest.raises(NotReached, match="recall with accept=5: 0.9 is never reached"):
        CURVE.at(max="F1", recall=0.9, accept=5)
    with pytest.raises(NotReached, match="nothing is relevant"):
        pc.curve([0, 0], [1.0, 2.0]).at(max="Accuracy", recall=0.5)


def test_few_cases_that_meet_a_limit_are_told() -> None:
    ranked = pc.curve([1, 0, 0, 1, 0, 0], range(6, 0, -1))
    (note,) = ranked.at(max="F1", precision=0.9).notes
    assert isinstance(note, MetByFewCases) and note.condition == "precision=0.9"


@pytest.mark.parametrize(
    "conditions",
    [
        {"recall": 0.5, "precision": 0.5},
        {"max": "F", "cost": {"fn": 1}},
        {"max": "F", "threshold": 0.5},
    ],
    ids=str,
)
def test_refused(conditions: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="only max= or cost= goes together with others"):
        CURVE.at(**conditions)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_scan_has_the_same_points(kind: type) -> None:
    cases = pc.ScoredCases.scan([(RELEVANT, SCORE.astype(kind))])
    whole = pc.curve(RELEVANT, SCORE.astype(kind))
    for conditions in ({"max": "F1", "precision": 0.6}, {"max": "MCC", "fpr": 0.1}):
        options: dict[str, Any] = conditions
        assert cases.curve().at(**options) == whole.at(**options)


def test_a_scan_does_not_know_what_lies_between_relevant_scores() -> None:
    few = pc.ScoredCases.scan([([1, 0, 0, 0, 0, 1], [9.0, 8.0, 7.0, 6.0, 5.0, 1.0])]).curve()
    with pytest.raises(UsageError, match="in memory"):
        few.at(max="Utility(1,1)", accept=3)
    with pytest.raises(UsageError, match="in memory"):
        few.at(cost={"fp": -1, "fn": 1}, accept=3)
    assert few.at(max="Utility(1,-1)", accept=3).accepted == 1


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{int(y)},{s}" for y, s in zip(RELEVANT, SCORE, strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join(["y,s", *rows]) + "\n")
    curve = ["curve", str(tmp_path / "cases.csv"), "--label", "y", "--score", "s"]
    texts = ("max=F(beta=2), precision=0.5", "cost=fp:1,fn:20,accept=60", "max-MCC,fpr=0.1")
    given = [word for text in texts for word in ("--at", text)]
    assert run([*curve, *given, "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["scores"]["s"]
    points = (
        CURVE.at(max="F(beta=2)", precision=0.5),
        CURVE.at(cost={"fp": 1, "fn": 20}, accept=60),
        CURVE.at(max="MCC", fpr=0.1),
    )
    for text, point in zip(texts, points, strict=True):
        assert shown[f"at {text}"]["threshold"] == point.threshold
    for text, problem in (
        ("recall=0.5,precision=0.5", "goes together with others"),
        ("max=F,max=MCC", "max is given twice"),
        ("max=F,precison=0.5", "is not a measure's name"),
        ("max=F,precision=2", "in 0..1"),
    ):
        assert run([*curve, "--at", text]) == 2
        assert problem in capsys.readouterr().err
    measure = "max=NetBenefit(scale=standardized,threshold=0.2),recall=0.5"
    assert run([*curve, "--at", measure]) == 0
