"""Decision curves: net benefit, its intervals and bands, against dcurves and an independent
prototype.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_intervals import FewCases, FewGroups, UndefinedInterval
from tests.coverage import net_benefit as coverage
from tests.noticed import warned

GOLDEN = {
    entry["id"]: entry["value"]
    for entry in json.loads(
        (Path(__file__).parents[1] / "data" / "golden" / "net_benefit.json").read_text()
    )["entries"]
}
COLUMNS = GOLDEN["dcurves.binary"]["cancerpredmarker"]
GRID = COLUMNS["threshold"]


def cases(tp: Any, fp: Any, relevant: int, other: int) -> tuple[Any, Any]:
    """Labels and risks that have these counts at the thresholds of the grid."""
    labels, risks = [], []
    for label, above, size in ((1, tp, relevant), (0, fp, other)):
        counts = np.diff([0, *above[::-1], size])
        labels += [label] * size
        risks += np.repeat([*GRID[::-1], 0.01], counts).tolist()
    return np.array(labels), np.array(risks)


COUNTS = GOLDEN["dcurves.binary.counts"]
TRUTH, RISK = cases([entry["tp"] for entry in COUNTS], [entry["fp"] for entry in COUNTS], 105, 645)
CONTROLLED = GOLDEN["dcurves.case_control"]["cancerpredmarker"]
CASES, CASE_RISK = cases(
    np.rint(np.array(CONTROLLED["tp_rate"]) / 0.15 * 420).astype(int),
    np.rint(np.array(CONTROLLED["fp_rate"]) / 0.85 * 330).astype(int),
    420,
    330,
)


def test_a_decision_curve_is_that_of_dcurves() -> None:
    table = pc.curve(TRUTH, RISK).net_benefit(GRID)
    assert table["net_benefit"] == pytest.approx(COLUMNS["net_benefit"], rel=1e-12)
    assert table["treat_all"] == pytest.approx(
        GOLDEN["dcurves.binary"]["all"]["net_benefit"], rel=1e-12
    )
    standardized = GOLDEN["dcurves.binary.standardized"]["cancerpredmarker"]["snb"]
    assert table["standardized"] == pytest.approx(standardized, rel=1e-12)
    avoided = GOLDEN["dcurves.binary.avoided"]["cancerpredmarker"]["avoided_per_100"]
    assert 100 * np.asarray(table["avoided"]) == pytest.approx(avoided, rel=1e-12)
    assert not np.any(np.asarray(table["treat_none"]))


def test_a_case_control_sample_has_the_prevalence_that_is_given() -> None:
    table = pc.curve(CASES, CASE_RISK).net_benefit(GRID, prevalence=0.15)
    assert table["net_benefit"] == pytest.approx(CONTROLLED["net_benefit"], rel=1e-12)
    assert table["treat_all"] == pytest.approx(
        GOLDEN["dcurves.case_control"]["all"]["net_benefit"], rel=1e-12, abs=1e-15
    )
    band = pc.interval.net_benefit_band(CASES, CASE_RISK, grid=GRID, prevalence=0.15)
    assert band.estimate == pytest.approx(table["net_benefit"], rel=1e-12)


@pytest.mark.parametrize("threshold", [0.1, 0.25])
def test_standard_errors_are_those_of_influences(threshold: float) -> None:
    theirs = GOLDEN[f"own.net_benefit.binary.{threshold}"]
    found = pc.interval.net_benefit(TRUTH, RISK, threshold)
    assert found.standard_error == pytest.approx(theirs["se"], rel=1e-12)
    over = pc.interval.net_benefit(TRUTH, RISK, threshold, against="all")
    assert over.estimate == pytest.approx(theirs["minus_all"], rel=1e-12)
    assert over.standard_error == pytest.approx(theirs["minus_all_se"], rel=1e-12)
    # The bounds are near those of the bootstrap there.
    assert found.ends == pytest.approx(theirs["bootstrap_percentile"], abs=0.002)
    theirs = GOLDEN[f"own.net_benefit.case_control.{threshold}"]
    fixed = pc.interval.net_benefit(CASES, CASE_RISK, threshold, prevalence=0.15)
    assert (fixed.estimate, fixed.standard_error, fixed.method) == (
        pytest.approx(theirs["net_benefit"], rel=1e-12),
        pytest.approx(theirs["se"], rel=1e-12),
        "mover",
    )
    assert fixed.ends == pytest.approx(theirs["bootstrap_percentile"], abs=0.002)


def by_hand(truth: Any, risk: Any, other: Any, threshold: float, weights: Any, groups: Any) -> Any:
    """Estimate and standard error of a difference, from each case."""
    odds = threshold / (1 - threshold)
    unit = np.where(truth == 1, 1.0, -odds)
    value = ((risk >= threshold).astype(float) - (other >= threshold)) * unit
    mean = np.average(value, weights=weights)
    moved = weights * (value - mean) / weights.sum()
    sums = np.array([moved[groups == group].sum() for group in np.unique(groups)])
    return mean, np.sqrt(len(sums) / (len(sums) - 1) * np.sum(sums**2))


@pytest.mark.parametrize("grouped", [False, True])
def test_weights_and_groups(grouped: bool) -> None:
    rng = np.random.default_rng(3)
    truth, risk, other = rng.integers(0, 2, 200), rng.random(200), rng.random(200)
    weights = rng.random(200) + 0.5
    groups = np.arange(200) // 4 if grouped else np.arange(200)
    options = {"groups": groups.tolist()} if grouped else {}
    found = pc.interval.net_benefit(truth, risk, 0.3, against=other, weights=weights, **options)
    mean, error = by_hand(truth, risk, other, 0.3, weights, groups)
    assert (found.estimate, found.standard_error) == pytest.approx((mean, error), rel=1e-9)
    assert found.method == ("rao-scott" if grouped else "split-dirichlet")


def test_a_few_heavy_cases_that_were_not_drawn_are_thought_of() -> None:
    """Of weighted cases, influences covered 80 % of the gains over accepting all: two heavy
    relevant cases that are rejected, or none, made the bounds. Coverage of weights had been
    measured for the net benefit alone.
    """
    truth = np.repeat([1, 1, 0, 0], (40, 1, 100, 60))
    risk = np.repeat([0.5, 0.05, 0.5, 0.05], (40, 1, 100, 60))
    weights = np.repeat([1.0, 2.5, 1.0, 2.5], (40, 1, 100, 60))
    found = pc.interval.net_benefit(truth, risk, 0.1, against="all", weights=weights)
    total, rejected = weights.sum(), 60 * 2.5 / 9
    assert found.estimate == pytest.approx((rejected - 2.5) / total)
    # Four of them instead of one are well possible, and so is nearly none.
    assert found.low < (rejected - 4 * 2.5) / total
    assert found.high > (rejected - 0.1 * 2.5) / total
    seen = truth[risk > 0.1], risk[risk > 0.1], weights[risk > 0.1]
    assert pc.interval.net_benefit(*seen[:2], 0.1, against="all", weights=seen[2]).low < 0


def test_equal_weights_are_cases() -> None:
    """As many cases as they are, whatever their unit."""
    rng = np.random.default_rng(8)
    truth, risk = rng.integers(0, 2, 80), rng.random(80)
    weighed = pc.interval.net_benefit(truth, risk, 0.4, weights=np.full(80, 2.5))
    assert weighed.ends == pytest.approx(pc.interval.net_benefit(truth, risk, 0.4).ends, abs=1e-8)


def test_whole_weights_repeat_cases() -> None:
    rng = np.random.default_rng(4)
    truth, risk, times = rng.integers(0, 2, 60), rng.random(60), rng.integers(0, 4, 60)
    repeated = pc.interval.net_benefit(np.repeat(truth, times), np.repeat(risk, times), 0.4)
    assert pc.interval.net_benefit(truth, risk, 0.4, weights=times) == repeated


def test_the_order_of_cases_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    truth, risk, other = rng.integers(0, 2, 90), rng.random(90), rng.random(90)
    weights, group = rng.random(90), np.arange(90) % 30
    order = rng.permutation(90)
    made = [
        pc.interval.net_benefit_band(
            truth[rows], risk[rows], against=other[rows], weights=weights[rows], groups=group[rows]
        )
        for rows in (np.arange(90), order)
    ]
    assert made[0] == made[1]


def test_a_risk_against_itself_and_swapped() -> None:
    rng = np.random.default_rng(6)
    truth, risk, other = rng.integers(0, 2, 90), rng.random(90), rng.random(90)
    there = pc.interval.net_benefit(truth, risk, 0.3, against=other)
    back = pc.interval.net_benefit(truth, other, 0.3, against=risk)
    assert (there.estimate, *there.ends) == pytest.approx(
        (-back.estimate, -back.ends[1], -back.ends[0]), rel=1e-9
    )
    same = pc.interval.net_benefit(truth, risk, 0.3, against=risk)
    assert same.estimate == 0 and same.ends[0] < 0 < same.ends[1]


def test_nobody_accepted_still_has_bounds() -> None:
    found = pc.interval.net_benefit([1] * 10 + [0] * 90, [0.1] * 100, 0.5)
    assert found.estimate == 0 and found.ends[0] < 0 < found.ends[1]
    every = pc.interval.net_benefit_band([1] * 10 + [0] * 90, [0.9] * 100, against="all")
    assert np.all(every.estimate == 0) and np.all((every.low < 0) & (every.high > 0))


def test_a_band_is_wider_than_its_points() -> None:
    band = pc.interval.net_benefit_band(TRUTH, RISK, grid=GRID)
    points = pc.interval.net_benefit_band(TRUTH, RISK, grid=GRID, kind="pointwise")
    assert np.all(band.low < points.low) and np.all(band.high > points.high)
    for row, threshold in enumerate(GRID):
        one = pc.interval.net_benefit(TRUTH, RISK, threshold)
        assert (points.low[row], points.high[row]) == one.ends
    alone = pc.interval.net_benefit_band(TRUTH, RISK, grid=[0.2])
    single = pc.interval.net_benefit(TRUTH, RISK, 0.2)
    assert (alone.low[0], alone.high[0]) == pytest.approx(single.ends, abs=0.002)


def test_the_difference_is_known_better_than_either() -> None:
    alone = pc.interval.net_benefit_band(TRUTH, RISK, grid=[0.1])
    over = pc.interval.net_benefit_band(TRUTH, RISK, grid=[0.1], against="all")
    assert over.high[0] - over.low[0] < 0.6 * (alone.high[0] - alone.low[0])


def test_float32_risks_reach_the_threshold_that_they_show() -> None:
    risk = np.array([0.7, 0.2], np.float32)
    assert pc.interval.net_benefit([1, 0] * 9, np.tile(risk, 9), 0.7).estimate == 0.5


def test_few_groups_and_cases_are_told() -> None:
    rng = np.random.default_rng(7)
    truth, risk = np.tile([0, 0, 1], 30), rng.random(90)
    with warned(FewGroups):
        pc.interval.net_benefit(truth, risk, 0.3, groups=np.arange(90) // 6)
    with warned(FewCases):
        pc.interval.net_benefit(truth[:60], risk[:60], 0.3, weights=rng.random(60), prevalence=0.2)
    with warned(UndefinedInterval):
        assert pc.interval.net_benefit(truth, risk, 0.3, groups=[0] * 90).low is None


def test_groups_whose_decisions_hardly_differ_have_bounds() -> None:
    """The bounds were the value itself where all cases of the sample were decided alike."""
    rng = np.random.default_rng(5)
    truth, groups = rng.random(120) < 0.3, np.arange(120) // 3
    alike = np.full(120, 0.6)
    found = pc.interval.net_benefit(truth, alike, 0.2, against="all", groups=groups)
    assert found.low < found.estimate == 0 < found.high
    alone = pc.interval.net_benefit(truth, alike, 0.2, against="all")
    assert found.high - found.low > alone.high - alone.low
    # Cases that stand for themselves have nearly the interval of cases.
    risk = rng.random(120)
    each = pc.interval.net_benefit(truth, risk, 0.2, groups=np.arange(120))
    one = pc.interval.net_benefit(truth, risk, 0.2)
    assert (each.low, each.high) == pytest.approx((one.low, one.high), abs=0.003)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"threshold": 0}, r"threshold: must be a number in \(0, 1\), got 0"),
        ({"threshold": "high"}, "threshold: must be a number"),
        ({"risk": [0.1, 1.5]}, "probabilities in 0..1"),
        ({"risk": [-0.1, 0.5]}, "probabilities in 0..1"),
        ({"against": "some"}, "against: got 'some'"),
        ({"against": [0.1, 2]}, "against: net benefit compares risks"),
        ({"prevalence": 1}, "prevalence: must be a number in"),
        ({"prevalence": "low"}, "prevalence: must be a number in"),
        ({"groups": [1]}, "groups"),
    ],
    ids=str,
)
def test_refused(options: dict[str, Any], problem: str) -> None:
    given = {"risk": [0.1, 0.5], "threshold": 0.2} | options
    with pytest.raises((UsageError, DataError), match=problem):
        pc.interval.net_benefit([1, 0], **given)


def test_bands_and_curves_refuse() -> None:
    with pytest.raises(UsageError, match="ascending"):
        pc.interval.net_benefit_band(TRUTH, RISK, grid=[0.5, 0.2])
    with pytest.raises(UsageError, match="kind"):
        pc.interval.net_benefit_band(TRUTH, RISK, kind="narrow")
    with pytest.raises(UsageError, match="undefined: everything is relevant"):
        pc.interval.net_benefit_band([1, 1], [0.2, 0.3], prevalence=0.2)
    with pytest.raises(UsageError, match="high ones are accepted"):
        pc.curve(TRUTH, RISK, higher_is_better=False).net_benefit()
    with pytest.raises(UsageError, match="probabilities"):
        pc.curve(TRUTH, RISK * 9).net_benefit()


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = np.roll(RISK, 3)
    rows = [f"{y},{s},{t}" for y, s, t in zip(TRUTH, RISK, other, strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join(["y,s,t", *rows]) + "\n")
    curve = ["curve", str(tmp_path / "cases.csv"), "--label", "y", "--score", "s"]
    asked = [*curve, "--compare", "s", "t", "--net-benefit", "0.1, 0.2"]
    assert run([*asked, "--format", "json"]) == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    found = {
        (risk, against): [
            [columns[name][row] for name in ("threshold", "net_benefit", "low", "high")]
            for row in range(len(columns["risk"]))
            if (columns["risk"][row], columns["against"][row]) == (risk, against)
        ]
        for risk, against in zip(columns["risk"], columns["against"], strict=True)
    }
    every = np.ones(len(TRUTH))
    expected = {
        ("s", "none"): (RISK, "none"),
        ("s", "all"): (RISK, "all"),
        ("t", "none"): (other, "none"),
        ("t", "all"): (other, "all"),
        ("treat all", "none"): (every, "none"),
        ("s", "t"): (RISK, other),
    }
    assert list(found) == list(expected)
    for name, (risk, against) in expected.items():
        band = pc.interval.net_benefit_band(TRUTH, risk, grid=[0.1, 0.2], against=against)
        made = np.array([band.x, band.estimate, band.low, band.high]).T
        assert np.array(found[name]) == pytest.approx(made)
    assert run([*asked, "--format", "csv", "--prevalence", "0.02", "--level", "0.9"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines() if "treat all" in line]
    # Accepting all is known at a known prevalence; the bounds were those of two shares of 1.
    assert [len(set(row[4:7])) for row in rows] == [1, 1]
    assert run([*asked, "--prevalence", "0.02"]) == 0
    assert "prevalence 0.02" in " ".join(capsys.readouterr().out.split())
    for more, problem in (
        (["--net-benefit", "-m", "MCC"], "leave --measure out"),
        (["--net-benefit", "--lower-is-better"], "leave --lower-is-better out"),
        (["--net-benefit", "--missed", "3"], "leave --missed out"),
        (["--net-benefit", "high"], "--net-benefit"),
        (["--net-benefit", "0.5,0.2"], "ascending"),
        (["--prevalence", "0.1"], "also give --net-benefit"),
    ):
        assert run([*curve, *more]) == 2
        assert problem in capsys.readouterr().err


def test_the_record_is_of_these_situations() -> None:
    cells = json.loads(coverage.RECORD.read_text(encoding="utf-8"))["cells"]
    assert [cell["name"] for cell in cells] == [each.name for each in coverage.SITUATIONS]
    assert "\n".join(coverage.table(cells)) in coverage.PAGE.read_text(encoding="utf-8")
    for cell in cells:
        assert cell["held"] > 0.93 - 3 * 0.007 or cell["told"] > 0.9, cell["name"]


@pytest.mark.nightly
def test_coverage_is_that_of_the_record() -> None:
    cells = json.loads(coverage.RECORD.read_text(encoding="utf-8"))["cells"]
    for cell, situation in list(zip(cells, coverage.SITUATIONS, strict=True))[::4]:
        held = coverage.simulate(situation, 200)["held"]
        assert abs(held - cell["held"]) < 4 * np.sqrt(0.06 * 0.94 / 200), situation.name
