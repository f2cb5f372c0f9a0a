"""`--interval` of `precall eval` and `precall curve`: the values are those of the Python API."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

stats = peer("scipy.stats")

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

EVAL = ("eval", "many.qrels", "alpha.run", "beta.run", "-m", "AP", "-m", "P@5", "-m", "NumRel")
CURVE = ("curve", "many.csv", "--label", "y", "--score", "s")


@pytest.fixture(autouse=True)
def data(folder):
    rng = np.random.default_rng(3)
    qrels, runs = [], {"alpha": [], "beta": []}
    for topic in range(30):
        for item in range(40):
            grade = int(rng.random() < 0.4)
            qrels.append(f"q{topic} 0 d{item} {grade}")
            for lines in runs.values():
                lines.append(f"q{topic} Q0 d{item} 0 {rng.random() + 0.2 * grade:.6f} x")
    Path("many.qrels").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    for name, lines in runs.items():
        Path(f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    relevant = rng.random(300) < 0.3
    score = np.round(rng.standard_normal(300) + relevant, 3)
    lines = [
        f"{int(y)},{s},{s + 1:.3f},g{i % 2},{1 + i % 3}"
        for i, (y, s) in enumerate(zip(relevant, score, strict=True))
    ]
    Path("many.csv").write_text("y,s,t,g,w\n" + "\n".join(lines) + "\n", encoding="utf-8")


def api(method="t", **options):
    report = pc.evaluate("many.qrels", ["alpha.run", "beta.run"], ["AP", "P@5", "NumRel"])
    return pc.interval(report, method=method, **options)


@pytest.mark.parametrize(
    ("option", "method"), [((), "t"), (("bca",), "bca"), (("percentile",), "percentile")]
)
def test_every_average(precall, option, method):
    found = precall(*EVAL, "--level", "0.9", "--format", "json", "--interval", *option)
    assert (found.code, found.err) == (0, "")
    told = json.loads(found.out)
    ours = api(method, level=0.9, rng=0)
    for run in told["runs"]:
        assert set(run["interval"]) == {"AP", "P@5"}
        for name, one in run["interval"].items():
            assert (one["low"], one["high"]) == (
                ours[run["name"], name].low,
                ours[run["name"], name].high,
            )
            assert (one["method"], one["level"]) == (method, 0.9)
    said = told["conventions"]["interval"]
    assert said == ("t 90 %" if method == "t" else f"{method} 90 % (10,000 resamples, seed 0)")


def test_seed(precall):
    one, two, again = (
        precall(*EVAL, "--interval", "bca", "--seed", seed, "--format", "csv").out
        for seed in ("1", "2", "1")
    )
    assert one == again != two


def test_forms(precall):
    ours = api()["beta", "AP"]
    behind = f"[{ours.low:.4f}, {ours.high:.4f}]"
    for form in ("table", "markdown", "latex"):
        found = precall(*EVAL, "--interval", "--format", form)
        assert found.code == 0 and behind in found.out
        assert "interval t 95" in found.out
    rows = list(
        csv.DictReader(io.StringIO(precall(*EVAL, "--interval", "--format", "csv", "-q").out))
    )
    averages = [row for row in rows if row["aggregate"]]
    assert {(row["run"], row["measure"]): row["low"] for row in averages}["beta", "AP"] == repr(
        ours.low
    )
    assert all(row["low"] == row["level"] == "" for row in rows if not row["aggregate"])
    assert [row["high"] for row in averages if row["measure"] == "NumRel"] == ["", ""]
    heading = precall(*EVAL, "--format", "csv").out.partition("\n")[0]
    assert heading == "format,run,topic,measure,aggregate,value,notes"


def test_warnings_are_notes(precall):
    found = precall("eval", "news.qrels", "one.run", "-m", "AP", "--interval")
    assert found.code == 0 and found.err == ""
    assert "AP: only 3 topics" in found.out
    assert (
        "only 3 topics"
        in precall("eval", "news.qrels", "one.run", "--interval", "--format", "csv").err
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--interval", "--format", "trec"),
            "--interval: --format trec has no place for intervals",
        ),
        (
            ("--interval", "--level", "95"),
            "--level: must be a number between 0 and 1, such as 0.95, got 95",
        ),
        (
            ("--interval", "exact"),
            "--interval: got 'exact', allowed are default, t, bayesian-bootstrap, bca, percentile",
        ),
        (("--seed", "1", "--interval"), "--seed applies to --ties random"),
    ],
)
def test_eval_refuses(precall, options, said):
    found = precall(*EVAL, *options)
    assert found.code == 2 and said in found.err


def scored(**options):
    rows = list(csv.DictReader(io.StringIO(Path("many.csv").read_text(encoding="utf-8"))))
    label, score = ([float(row[name]) for row in rows] for name in ("y", "s"))
    return pc.interval(pc.curve(label, score), **options)


@pytest.mark.parametrize("method", ["logit", "bca", "percentile", "normal"])
def test_curve(precall, method):
    found = precall(
        *CURVE, "--interval", method, "--level", "0.8", "--seed", "4", "--format", "json"
    )
    assert (found.code, found.err) == (0, "")
    made = json.loads(found.out)
    # A method is that of AP; the others have their own.
    assert made["conventions"]["interval"] == f"80 % (AP by {method}, seed 4)"
    told = made["scores"]["s"]["interval"]
    ap = scored(measure="AP", method=method, level=0.8, rng=4)
    auc = scored(measure="AUC", level=0.8)
    best = scored(measure="max-F", level=0.8, rng=4)
    names = {"AP": ap, "AUC": auc, "max F on new cases": best}
    for name, one in names.items():
        assert (told[name], told[f"{name} low"], told[f"{name} high"]) == (
            one.estimate,
            one.low,
            one.high,
        )


def test_curve_of_several(precall):
    assert json.loads(precall(*CURVE, "--format", "json").out)["scores"]["s"].keys() == {
        "counts",
        "measures",
        "areas",
        "11-point",
    }
    table = precall(*CURVE, "--score", "t", "--interval").out
    assert re.search(r"\ninterval +s +t\n", table) and "AP low" in table
    grouped = json.loads(precall(*CURVE, "--group", "g", "--interval", "--format", "json").out)
    assert (
        grouped["groups"]["g0"]["s"]["interval"]["AP low"]
        < grouped["groups"]["g0"]["s"]["measures"]["AP"]
    )
    mean = grouped["mean"]["s"]["interval"]
    each = [group["s"]["measures"]["AP"] for group in grouped["groups"].values()]
    # Of few groups t leaves 0..1.
    assert stats.ttest_1samp(each, 0).confidence_interval().high > 1
    same = pc.interval.mean(each, range=(0, 1))
    assert same.method == "bayesian-bootstrap"
    assert [mean[key] for key in ("AP", "AP low", "AP high")] == pytest.approx(
        [np.mean(each), same.low, same.high]
    )
    assert grouped["mean"]["s"]["measures"]["AP"] == pytest.approx(mean["AP"])
    weighted = json.loads(precall(*CURVE, "--weight", "w", "--interval", "--format", "json").out)
    assert "AP low" in weighted["scores"]["s"]["interval"]


def test_measures_without_an_interval_are_named(precall):
    """They had no row, and nothing said why."""
    typed = ("-m", "MCC", "-m", "KS", "-m", "MaxF", "-m", "AUC", "-m", "BEP")
    found = json.loads(precall(*CURVE, *typed, "--interval", "--format", "json").out)
    (note,) = [note for note in found["notes"] if note["kind"] == "none-of-list"]
    assert note["values"]["measures"] == ["MCC"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--interval", "--level", "1"), "--level: must be"),
        (("--seed", "-1"), "--seed: must be an integer >= 0"),
    ],
)
def test_curve_refuses(precall, options, said):
    found = precall(*CURVE, *options)
    assert found.code == 2 and said in found.err


def test_a_level_of_nothing_is_refused(precall):
    found = precall(*EVAL, "--level", "0.9")
    assert found.code == 2 and "--level: applies to --interval" in found.err
