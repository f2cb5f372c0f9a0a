"""DOR, net benefit, G-mean, KS, Gini, lift of a share, Hamming loss and subset accuracy: by these
names where measures go, and with the numbers of the tools that print them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.counts import Counts
from precall.core.errors import MeasureError
from tests.peers import peer

GOLDEN = {
    entry["id"]: entry["value"]
    for entry in json.loads(
        (Path(__file__).parents[1] / "data" / "golden" / "net_benefit.json").read_text()
    )["entries"]
}
RNG = np.random.default_rng(44)
RELEVANT = RNG.random(300) < 0.3
SCORE = (RNG.standard_normal(300) + RELEVANT).round(1)
CURVE = pc.curve(RELEVANT, SCORE)
SETS = ([{"a"}, {"a", "b"}, {"b"}, set(), {"c"}], [{"a"}, {"b"}, {"b"}, {"a"}, {"c", "a"}])


@pytest.mark.parametrize(
    ("name", "meant"),
    {
        "diagnostic odds ratio": "DOR",
        "OddsRatio": "DOR",
        "g-mean": "GMean",
        "geometric_mean_score": "GMean",
        "ks": "KS",
        "Kolmogorov-Smirnov": "KS",
        "gini coefficient": "Gini",
        "Somers D": "Gini",
        "net_benefit(threshold=0.1)": "NetBenefit(threshold=0.1)",
        "Lift@10%": "EF@10%",
        "lift 0.5 %": "EF@0.5%",
        "lift@0.1": "EF@10%",
        "Hamming": "micro-Error",
        "hamming_loss": "micro-Error",
        "HammingLoss": "micro-Error",
        "SubsetAccuracy": "Accuracy",
    }.items(),
)
def test_names(name: str, meant: str) -> None:
    assert pc.measure(name).name == meant


@pytest.mark.parametrize("entry", GOLDEN["dcurves.binary.counts"], ids=lambda one: one["threshold"])
def test_net_benefit_is_that_of_dcurves(entry: dict[str, Any]) -> None:
    tp, fp, fn, tn = (np.array([entry[cell]]) for cell in ("tp", "fp", "fn", "tn"))
    threshold = entry["threshold"]
    expected = (
        ("", GOLDEN["dcurves.binary"]["cancerpredmarker"], "net_benefit", 1),
        (
            ",scale=standardized",
            GOLDEN["dcurves.binary.standardized"]["cancerpredmarker"],
            "snb",
            1,
        ),
        (
            ",scale=avoided",
            GOLDEN["dcurves.binary.avoided"]["cancerpredmarker"],
            "avoided_per_100",
            100,
        ),
    )
    for scale, columns, key, times in expected:
        value = pc.measure(f"NetBenefit(threshold={threshold}{scale})")(Counts(tp, fp, fn, tn))
        theirs = columns[key][columns["threshold"].index(threshold)]
        assert times * value[0] == pytest.approx(theirs, rel=1e-12)


def test_ranks_of_scores() -> None:
    test = peer("scipy.stats").ks_2samp(SCORE[RELEVANT], SCORE[~RELEVANT], alternative="less")
    assert CURVE.value("KS") == pytest.approx(test.statistic, abs=1e-12)
    assert CURVE.value("KS") == CURVE.at(max="YoudenJ").value
    assert pc.curve(RELEVANT, -SCORE).value("KS") < 0.05  # no threshold is better than chance
    area = peer("sklearn.metrics").roc_auc_score(RELEVANT, SCORE)
    assert CURVE.value("Gini") == pytest.approx(2 * area - 1, abs=1e-12)
    assert CURVE.value("Lift@10%") == CURVE.value("EF(share=0.1)")


def test_sets_of_labels() -> None:
    both = pc.decisions(*SETS)
    metrics = peer("sklearn.metrics")
    marks = [[[name in labels for name in "abc"] for labels in side] for side in SETS]
    truth, predicted = (np.array(side, int) for side in marks)
    assert both.value("HammingLoss") == pytest.approx(metrics.hamming_loss(truth, predicted))
    assert both.value("SubsetAccuracy") == metrics.accuracy_score(truth, predicted)
    many = pc.decisions(*(side * 10 for side in SETS))
    assert pc.interval(many, "HammingLoss").estimate == both.value("HammingLoss")


def test_hamming_loss_of_yes_or_no_is_the_error() -> None:
    """It warned that an average over one category is that of "relevant" alone, although a wrong
    decision counts for both labels.
    """
    binary = pc.decisions(RELEVANT, SCORE > 0.5)
    assert binary.value("HammingLoss") == binary.error()


def test_the_geometric_mean_of_recalls() -> None:
    truth, predicted = list("aabbbcccc"), list("abbbacccb")
    single = pc.decisions(truth, predicted)
    assert single.value("GMean") == pytest.approx((1 / 2 * 2 / 3 * 3 / 4) ** (1 / 3))
    never = pc.decisions(list("aabb"), list("bbbb"))
    assert never.value("GMean") == 0
    assert pc.decisions(list("ab"), list("ab"), ["a", "b", "c"]).value("GMean") == 1


def test_a_table_without_errors_has_infinite_odds() -> None:
    sure = pc.decisions([1, 1, 0, 0], [1, 0, 0, 0])
    assert sure.value("DOR") == np.inf
    assert np.isnan(pc.decisions([1, 1], [1, 0]).value("DOR"))
    assert pc.decisions([1, 1], [1, 0]).value("DOR", "samples") == 1


def test_intervals_and_tests_of_decisions() -> None:
    decided = pc.decisions(RELEVANT, SCORE > 0.5)
    for name in ("DOR", "GMean", "NetBenefit(threshold=0.2)"):
        found = pc.interval(decided, name)
        assert found.low < found.estimate < found.high
        other = pc.decisions(RELEVANT, SCORE > 1.5)
        compared = pc.compare.decisions(RELEVANT, SCORE > 0.5, SCORE > 1.5, name)
        assert compared.difference == pytest.approx(decided.value(name) - other.value(name))


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{int(y)},{s},{int(s > 0.5)}" for y, s in zip(RELEVANT, SCORE, strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join(["y,s,d", *rows]) + "\n")
    file = str(tmp_path / "cases.csv")
    names = ("KS", "Gini", "Lift@10%", "GMean", "DOR", "NetBenefit(threshold=0.2)")
    given = [word for name in names for word in ("-m", name)]
    options = ["--label", "y", "--score", "s", *given, "--at", "threshold=0.6", "--format", "json"]
    assert run(["curve", file, *options]) == 0
    shown = capsys.readouterr().out
    assert f"{CURVE.value('KS')}"[:12] in shown and f"{CURVE.value('Lift@10%')}"[:12] in shown
    point = CURVE.at(threshold=0.6)
    assert all(f"{point.of(name)}"[:12] in shown for name in names[3:])
    decided = ["--truth", "y", "--predicted", "d", "-m", "DOR", "-m", "NetBenefit(threshold=0.2)"]
    assert run(["decisions", file, *decided]) == 0
    assert "DOR" in capsys.readouterr().out
    for name in (*names, "HammingLoss", "SubsetAccuracy"):
        assert run(["explain", name]) == 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("NetBenefit(threshold=1)", "threshold"),
        ("NetBenefit(threshold=0)", "threshold"),
        ("NetBenefit(scale=gross)", "scale"),
    ],
)
def test_refused(name: str, problem: str) -> None:
    with pytest.raises(MeasureError, match=problem):
        pc.measure(name)


def test_a_share_behind_ef_may_be_a_percentage() -> None:
    with pytest.raises(pc.MeasureError, match=r"EF\(share=0\.2\), a percentage EF@0\.2%"):
        pc.measure("EF@0.2")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("KS", "take YoudenJ"), ("Gini", r"pc.curve\(labels, scores\).value\('Gini'\)")],
)
def test_measures_of_scores_say_what_decisions_have(name, remedy) -> None:
    decided = pc.decisions([1, 0, 1, 0], [1, 1, 0, 0])
    with pytest.raises(pc.MeasureError, match=remedy):
        decided.value(name)
    with pytest.raises(pc.MeasureError, match=remedy):
        CURVE.at(max=name)


def test_gini_of_judged_cases_is_that_of_auc() -> None:
    with pytest.raises(pc.MeasureError, match="take AUC: Gini is 2 AUC - 1"):
        pc.judge.cases([1, 0, None, None], [1, 0, 1, 0], [4, 3, 2, 1], "Gini")
