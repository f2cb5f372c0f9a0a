"""Measures of counts where people ask for them: tables, decisions, points, curves, rankings, the
command line.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.counts import Counts
from precall.core.errors import MeasureError, UsageError

NAMES = (
    "P",
    "R",
    "F(beta=2)",
    "E",
    "Accuracy",
    "Specificity",
    "NPV",
    "Fallout",
    "BalancedAccuracy",
    "MCC",
    "kappa",
    "Jaccard",
    "YoudenJ",
    "LR+",
    "LR-",
    "DOR",
    "GMean",
    "NetBenefit(threshold=0.2)",
    "NetBenefit(threshold=0.3,scale=standardized)",
    "NetBenefit(threshold=0.3,scale=avoided)",
    "Prevalence",
    "FowlkesMallows",
)
RNG = np.random.default_rng(8)
RELEVANT = RNG.random(200) < 0.3
SCORE = (RNG.standard_normal(200) + RELEVANT).round(1)
CURVE = pc.curve(RELEVANT, SCORE)


def of_decisions(name: str, threshold: float) -> float:
    value: float = pc.decisions(RELEVANT, threshold <= SCORE).value(name)
    return value


@pytest.mark.parametrize("name", NAMES)
def test_a_curve_is_a_table_per_threshold(name: str) -> None:
    values = CURVE.values(name)
    assert np.array_equal(pc.measure(name)(CURVE), values, equal_nan=True)
    for row in range(1, len(CURVE), 7):
        assert values[row] == pytest.approx(of_decisions(name, CURVE.threshold[row]), nan_ok=True)
        point = CURVE.at(threshold=float(CURVE.threshold[row]))
        assert point.of(name) == pytest.approx(values[row], nan_ok=True)
        assert pc.measure(name)(point) == pytest.approx(values[row], nan_ok=True)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "Prevalence"])
def test_the_best_point_of_a_measure(name: str) -> None:
    point, values = CURVE.at(max=name), CURVE.values(name)
    low = name in ("E", "Fallout", "LR-")
    assert point.value == (np.nanmin(values) if low else np.nanmax(values))
    first = int(np.flatnonzero(values == point.value)[0])
    assert point.threshold == CURVE.threshold[first], "among equals the one that accepts least"


def test_the_greatest_f_is_that_of_max_f() -> None:
    assert CURVE.at(max="F") == CURVE.max_f()
    assert CURVE.at(max="F(beta=0.5)") == CURVE.max_f(0.5)


def test_weighted_curves_have_them_too() -> None:
    weights = RNG.random(200) + 0.5
    curve = pc.curve(RELEVANT, SCORE, weights=weights)
    row = len(curve) // 2
    accepted = curve.threshold[row] <= SCORE
    tp, fp = weights[RELEVANT & accepted].sum(), weights[~RELEVANT & accepted].sum()
    fn, tn = weights[RELEVANT & ~accepted].sum(), weights[~RELEVANT & ~accepted].sum()
    expected = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert curve.values("MCC")[row] == pytest.approx(expected)


@pytest.mark.parametrize("average", ["each", "micro", "macro", "weighted", "samples"])
def test_decisions_average_any_of_them(average: str) -> None:
    true, said = RNG.integers(0, 4, (2, 90))
    d = pc.decisions(true, said, categories=range(4))
    c = d.counts("samples" if average == "samples" else None)
    each = pc.measure("YoudenJ")(c)
    weight = {"weighted": d.support(), "macro": np.ones(4), "samples": np.ones(90)}.get(average)
    expected = each if weight is None else (np.nan_to_num(each) * weight).sum() / weight.sum()
    if average == "micro":
        expected = pc.measure("YoudenJ")(c.sum())[0]
    assert d.value("YoudenJ", average) == pytest.approx(expected)
    assert pc.measure("YoudenJ")(d, average=average) == pytest.approx(expected)


def test_undefined_values_of_decisions() -> None:
    d = pc.decisions([1, 1, 0], [0, 0, 0])
    assert np.isnan(d.value("MCC")) and d.undefined_in("MCC") == 1
    several = pc.decisions([{"a"}, {"a"}], [{"a"}, {"b"}], ["a", "b"])
    assert np.isnan(several.value("Fallout", "each")).tolist() == [True, False]
    assert several.value("Fallout", "macro", "zero") == (1 + 0.5) / 2, (
        "what is 1 less specificity counts 1"
    )
    assert several.value("Fallout", "macro", "omit") == 0.5
    with pytest.raises(
        pc.DataError, match=r"Fallout is undefined \(0/0\) 1 times, first for category 'a'"
    ):
        several.value("Fallout", "macro", "error")


def test_what_is_not_allowed() -> None:
    with pytest.raises(
        MeasureError, match="AP is a measure of rankings; allowed are those of counts: P, R, F"
    ):
        pc.decisions([1, 0], [1, 1]).value("AP")
    with pytest.raises(UsageError, match="average: got 'mean', allowed are None, each, micro"):
        pc.decisions([1, 0], [1, 1]).value("MCC", "mean")
    with pytest.raises(
        MeasureError,
        match="MCC: got list, allowed are Counts, decisions, curves and operating points",
    ):
        pc.measure("MCC")([1, 2])
    with pytest.raises(MeasureError, match="P of a ranking needs a cutoff; write P@k, or SetP"):
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["P"])


def test_rankings_have_them_at_a_cutoff() -> None:
    hits = pc.Hits.of([1, 4, 5], retrieved=8, relevant=4)
    table = Counts(*(np.array([cell]) for cell in (2, 2, 2, 94)))
    for name in ("Jaccard", "FowlkesMallows"):
        assert pc.measure(f"{name}@4")(hits) == pc.measure(name)(table)
    assert pc.measure("MCC(population=100)@4")(hits) == pc.measure("MCC")(table)
    assert pc.measure("SetJaccard")(hits)[0] == 3 / 9


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run([*arguments, "--format", "json"]) == 0
    said: dict[str, object] = json.loads(capsys.readouterr().out)
    return said


def test_precall_curve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{int(y)},{s}\n" for y, s in zip(RELEVANT, SCORE, strict=True))
    (tmp_path / "c.csv").write_text("y,s\n" + rows)
    said = command(
        capsys,
        "curve",
        str(tmp_path / "c.csv"),
        "--label",
        "y",
        "--score",
        "s",
        "-m",
        "MCC",
        "-m",
        "fallout",
        "--at",
        "max=MCC",
    )
    best = CURVE.at(max="MCC")
    found = said["scores"]["s"]  # type: ignore[index,call-overload]
    assert (
        found["measures"]["max MCC"] == best.value
        and found["measures"]["max MCC threshold"] == best.threshold
    )
    assert found["measures"]["min Fallout"] == 0
    assert (
        found["at max=MCC"]["Fallout"] == best.of("Fallout")
        and found["at max=MCC"]["tp"] == best.tp
    )


def test_precall_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    true, said = RNG.integers(0, 3, (2, 60))
    names = [f"c{i}" for i in range(3)]
    (tmp_path / "d.csv").write_text(
        "t,p\n" + "".join(f"{names[t]},{names[p]}\n" for t, p in zip(true, said, strict=True))
    )
    found = command(
        capsys,
        "decisions",
        str(tmp_path / "d.csv"),
        "--truth",
        "t",
        "--predicted",
        "p",
        "-m",
        "kappa",
    )
    d = pc.decisions([names[t] for t in true], [names[p] for p in said])
    assert found["measures"]["kappa"] == {"all": d.value("kappa")}  # type: ignore[index,call-overload]
    assert [row["kappa"] for row in found["categories"].values()] == d.value(
        "kappa", "each"
    ).tolist()  # type: ignore[attr-defined]
    assert found["averages"]["macro"]["kappa"] == d.value("kappa", "macro")  # type: ignore[index,call-overload]
