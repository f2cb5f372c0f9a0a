"""`precall curve --groups`: the groups that cases were drawn in, such as patients, in every
interval, band, comparison and cross-validation.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cases.decision_curves import decision_curves
from precall.cases.table import measure_cases, read_cases
from precall.page.record import read_record

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
RNG = np.random.default_rng(11)
PATIENT = np.repeat(np.arange(50), RNG.integers(1, 6, 50))
N = len(PATIENT)
TRUTH = RNG.random(N) < 0.35
#: What the cases of a patient have in common.
SHARED = RNG.normal(size=50)[PATIENT]
A, B = (
    np.round(1 / (1 + np.exp(-(SHARED + gap * TRUTH + RNG.normal(size=N) - 1))), 3)
    for gap in (1.5, 0.9)
)
WEIGHT = np.round(RNG.random(N) + 0.5, 2)
BASE = ("curve", "cases.csv", "--label", "y", "--score", "s", "--groups", "patient")
#: Keys of the printed intervals, and the measures that they are of.
PRINTED = {
    "AP": "AP",
    "AUC": "AUC",
    "max F on new cases": "MaxF",
    "break-even nearest": "BEP",
    "R-precision": "Rprec",
    "pr 11-point": "IAP",
    "BEDROC(alpha=20)": "BEDROC",
    "AUC(max_fpr=0.2)": "AUC(max_fpr=0.2)",
    "P@10": "P@10",
}


@pytest.fixture(autouse=True)
def table(folder):
    rows = zip(TRUTH, A, B, PATIENT, WEIGHT, strict=True)
    lines = [f"{int(y)},{s},{t},p{p},{w}" for y, s, t, p, w in rows]
    Path("cases.csv").write_text("\n".join(["y,s,t,patient,w", *lines]) + "\n")


def told(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


@pytest.mark.parametrize("weighted", [False, True])
def test_every_printed_interval_takes_groups_as_the_sample(precall, weighted):
    extra = ("-m", "BEDROC", "-m", "AUC(max_fpr=0.2)", "-m", "P@10")
    extra = ("-m", "AUC(max_fpr=0.2)", "--weight", "w") if weighted else extra
    found = told(precall(*BASE, *extra, "--interval", "--format", "json"))
    assert found["conventions"]["groups"] == "patient"
    intervals = found["scores"]["s"]["interval"]
    curve = pc.curve(TRUTH, A, weights=WEIGHT if weighted else None)
    seen = 0
    for printed, measure in PRINTED.items():
        if f"{printed} low" not in intervals:
            continue
        one = pc.interval(curve, measure, groups=PATIENT)
        ends = intervals[f"{printed} low"], intervals[f"{printed} high"]
        assert ends == pytest.approx((one.low, one.high)), printed
        seen += 1
    assert seen == (6 if weighted else len(PRINTED))
    alone = told(precall(*BASE[:-2], *extra, "--interval", "--format", "json"))
    assert alone["scores"]["s"]["interval"]["AUC low"] > intervals["AUC low"]
    # The same in Python.
    path = read_cases("cases.csv", "y", ["s"], groups="patient", weight="w" if weighted else None)
    assert measure_cases(path, interval="logit").intervals["s"][""]["AUC"].low == pytest.approx(
        intervals["AUC low"]
    )


def test_net_benefit_has_the_bands_of_groups(precall):
    found = told(precall(*BASE, "--compare", "s", "t", "--net-benefit", "0.2", "--format", "json"))
    names = zip(found["columns"]["risk"], found["columns"]["against"], strict=True)
    rows = {
        pair: {end: found["columns"][end][place] for end in ("low", "high")}
        for place, pair in enumerate(names)
    }
    for name, against, risk, other in (
        ("s", "none", A, "none"),
        ("s", "all", A, "all"),
        ("s", "t", A, B),
        ("treat all", "none", np.ones(N), "none"),
    ):
        band = pc.interval.net_benefit_band(TRUTH, risk, against=other, groups=PATIENT, grid=[0.2])
        row = rows[name, against]
        assert (row["low"], row["high"]) == pytest.approx((band.low[0], band.high[0]))
    same = decision_curves(
        read_cases("cases.csv", "y", ["s", "t"], groups="patient"), pairs=[("s", "t")], grid=[0.2]
    )
    assert same.bands["s", "t"].low[0] == pytest.approx(rows["s", "t"]["low"])


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_compared_by_groups(precall, weighted):
    extra = ("--weight", "w") if weighted else ()
    found = told(precall(*BASE, *extra, "--compare", "s", "t", "--format", "json"))
    for pair in found["comparisons"]:
        measure = pair["measure"].partition(",")[0]
        one = pc.compare.cases(
            TRUTH, A, B, measure, groups=PATIENT, weights=WEIGHT if weighted else None
        )
        assert (pair["p"], pair["low"]) == pytest.approx((one.p, one.low))


def test_groups_stay_in_one_fold(precall):
    fold = ("--cross-validate", "5", "--format", "json")
    found = told(precall(*BASE, *fold))
    same = pc.curve(TRUTH, A).cross_validate("max-f", groups=PATIENT, folds=5, rng=0)
    assert found["held_out"] == pytest.approx(same.held_out)
    # As `--group` does, which was first.
    once = told(precall(*BASE[:-2], "--group", "patient", *fold))
    apart = {"conventions", "command"}
    assert {key: value for key, value in once.items() if key not in apart} == {
        key: value for key, value in found.items() if key not in apart
    }


def test_a_page_has_the_intervals_and_bands_of_groups(precall):
    assert precall(*BASE, "--score", "t", "-o", "page.html").code == 0
    record = read_record("page.html")
    (section,) = record["sections"]
    system = next(system for system in section["systems"] if system["name"] == "s")
    curve = pc.curve(TRUTH, A)
    for name, measure in (("AP", "AP"), ("AUC", "AUC"), ("max F on new cases", "MaxF")):
        one = pc.interval(curve, measure, groups=PATIENT)
        assert system["intervals"][name]["low"] == pytest.approx(one.low)
    for kind, band in (("pr", pc.interval.pr_band), ("roc", pc.interval.roc_band)):
        one = band(TRUTH, A, groups=PATIENT)
        assert np.asarray(system["bands"][kind]["low"]) == pytest.approx(one.low)
    pair = next(pair for pair in section["pairs"] if pair["measure"].startswith("AUC"))
    assert pair["p"] == pytest.approx(pc.compare.cases(TRUTH, A, B, "AUC", groups=PATIENT).p)
    assert section["laws"] == []  # of single cases in random order
    # Wilson's intervals of precision and recall at a threshold count single cases.
    assert "data-z" not in Path("page.html").read_text(encoding="utf-8")
    assert precall(*BASE[:-2], "--score", "t", "-o", "page.html").code == 0
    assert "data-z" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ((), "--groups: applies to intervals, comparisons and cross-validation; add --interval"),
        (("--interval", "--group", "w"), "--groups: the mean over --group takes its groups"),
        (("--interval", "--missed", "2"), "--groups: missed items are in no group"),
        (("--interval", "--null"), "--null: random selection is defined for single cases"),
        (("--unjudged", "bounds"), "--groups: does not go with bounds over labels"),
        (("--cross-validate", "99"), "--cross-validate: must be at most 50, the number of groups"),
        (("--interval", "--groups", "q"), "no column 'q'"),
    ],
)
def test_what_is_refused(precall, typed, said):
    base = BASE[:-2] if typed[-2:] == ("--groups", "q") else BASE
    outcome = precall(*base, *typed)
    assert outcome.code == 2 and said in outcome.err.replace("\n  ", " "), outcome.err


def test_one_group_has_no_interval(precall):
    Path("cases.csv").write_text("y,s,patient\n1,3,p\n0,2,p\n1,1,p\n0,0,p\n")
    outcome = precall(*BASE, "--interval", "--format", "json")
    found = told(outcome)["scores"]["s"]["interval"]
    assert found["AUC low"] is None and found["AP high"] is None


def test_batches_do_not_know_groups(tmp_path, monkeypatch, precall):
    polars = pytest.importorskip("polars")
    (tmp_path / "parts").mkdir()
    polars.read_csv("cases.csv").write_parquet(tmp_path / "parts" / "a.parquet")
    outcome = precall(BASE[0], str(tmp_path / "parts"), *BASE[2:], "--interval")
    assert outcome.code == 2 and "--groups: needs all cases in memory" in outcome.err
