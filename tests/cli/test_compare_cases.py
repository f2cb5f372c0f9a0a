"""`precall compare --cases`: two scores of the cases in a table, and intervals of
`precall categories`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.stats.tests.comparisons import adjust

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
RNG = np.random.default_rng(5)
TRUTH = RNG.random(160) < 0.3
A, B = (np.round(RNG.normal(size=160) + gap * TRUTH, 3) for gap in (1.5, 0.9))
PATIENT = np.arange(160) // 4
WEIGHT = np.round(RNG.random(160) + 0.5, 2)
BASE = ("compare", "scored.csv", "--label", "y", "--score", "s", "--score", "t")


@pytest.fixture(autouse=True)
def tables(folder):
    rows = zip(TRUTH, A, B, PATIENT, WEIGHT, strict=True)
    lines = [f"{int(y)},{s},{t},p{p},{w}" for y, s, t, p, w in rows]
    Path("scored.csv").write_text("\n".join(["y,s,t,patient,w", *lines]) + "\n")


def pairs(outcome):
    assert outcome.code == 0, outcome.err
    return {pair["measure"]: pair for pair in json.loads(outcome.out)["pairs"]}


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ((), {}),
        (("--groups", "patient"), {"groups": PATIENT}),
        (("--weight", "w"), {"weights": WEIGHT}),
        (("--missed", "7"), {"missed": 7}),
        (("--lower-is-better",), {"higher_is_better": False}),
    ],
)
def test_every_option_is_a_keyword(precall, options, keywords):
    found = pairs(precall(*BASE, *options, "--format", "json"))
    for measure in ("AP", "AUC"):
        told = pc.compare.cases(TRUTH, A, B, measure, names=("s", "t"), **keywords)
        pair = found[told.measure]
        assert (pair["p"], pair["low"], pair["value_a"]) == (told.p, told.low, told.values[0])
        assert (pair["test"], pair["a"]) == (told.test, "s")


def test_measures_and_tests(precall):
    outcome = precall(*BASE, "-m", "AUC(max_fpr=0.2)", "-m", "P@10", "--format", "json")
    assert list(pairs(outcome)) == ["AUC(max_fpr=0.2)", "P@10"]
    found = pairs(
        precall(
            *BASE, "-m", "AUC", "--test", "obuchowski", "--groups", "patient", "--format", "json"
        )
    )
    told = pc.compare.cases(TRUTH, A, B, "AUC", groups=PATIENT, test="obuchowski")
    assert found["AUC, 40 groups"]["p"] == told.p
    # Of those that nobody named a test is of those that know it.
    found = pairs(precall(*BASE, "--test", "delong", "--format", "json"))
    assert [found[name]["test"] for name in ("AP", "AUC")] == ["permutation", "delong"]
    drawn = pairs(
        precall(
            *BASE,
            "-m",
            "AP",
            "--test",
            "bootstrap",
            "--resamples",
            "300",
            "--seed",
            "4",
            "--format",
            "json",
        )
    )
    again = pc.compare.cases(TRUTH, A, B, test="bootstrap", resamples=300, rng=4)
    assert drawn["AP"]["p"] == again.p and drawn["AP"]["seed"] == 4


def test_what_is_printed(precall):
    outcome = precall(*BASE, "--groups", "patient")
    assert outcome.code == 0 and " by AP, 40 groups, and by AUC, 40 groups (" in outcome.out
    assert "w-t-l" not in outcome.out and "groups patient" in outcome.out.replace("\n  ", " ")
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            ("--average", "micro"),
            "--average: applies to decisions; this command compares scored cases; leave it out",
        ),
        (("--decisions", "scored.csv"), "--label and --decisions: --label applies to scored cases"),
        (("--correction", "tukey"), "--correction: tukey applies to runs"),
        (("--baseline", "s"), "--baseline: applies to runs"),
        (("--lists", "x.jsonl"), "--lists: applies to runs"),
        (
            ("--truth", "y"),
            "--label and --truth: --label applies to scored cases, --truth to decisions",
        ),
        (("--decision", "t"), "give --label and --score, or --truth and --decision"),
        (("other.csv",), "compared in one file, got scored.csv and other.csv; name one"),
        (("--test", "wilcoxon"), "test of AP and AUC: got 'wilcoxon', allowed are permutation"),
        (("-m", "AP", "--test", "delong"), "test of AP: got 'delong'"),
        (
            ("--groups", "patient", "--missed", "2"),
            "missed: missed items belong to none of the groups",
        ),
        (("--positive", "2"), "no label is '2'"),
    ],
)
def test_what_is_refused(precall, typed, said):
    outcome = precall(*BASE, *typed)
    assert outcome.code == 2 and said in outcome.err.replace("\n  ", " "), outcome.err


def test_columns_are_needed(precall):
    assert (
        "needs two columns or more to compare, got 's'; repeat --score" in precall(*BASE[:-2]).err
    )
    assert "Missing option '--score'" in precall(*BASE[:-4]).err
    assert "Missing option '--label'" in precall("compare", "scored.csv", *BASE[4:]).err
    assert "Missing argument 'FILE'" in precall("compare", *BASE[2:]).err
    outcome = precall(*BASE[:-1], "s")
    assert outcome.code == 2
    assert "--label and --score: must name three columns, got y, s and s" in outcome.err
    outcome = precall("compare", "a", "b", "c", "--weight", "w")
    assert "--weight: applies to scored cases; this command compares runs" in outcome.err
    outcome = precall("compare", "a", "b", "c", "--a", "w")
    assert "--a: are its columns scores or decisions?; give --label and --score" in outcome.err
    outcome = precall("compare", "scored.csv")
    assert outcome.code == 2 and "--label and --score, or --truth and --decision" in outcome.err
    assert "with --score" in precall(*BASE[:-1], "nothing").err


@pytest.mark.parametrize(
    "old",
    [
        ("--cases", "scored.csv", "--truth", "y", "--a", "s", "--b", "t"),
        ("--cases", "scored.csv", "--label", "y", "--a", "s", "--b", "t"),
        ("scored.csv", "--label", "y", "--a", "s", "--score", "t"),
        ("--cases", "scored.csv", "--label", "y", "--score", "s", "--score", "t"),
    ],
)
def test_former_names_mean_the_same(precall, old):
    assert precall("compare", *old) == precall(*BASE)


def test_several_scores_are_compared_pair_by_pair(precall):
    lines = Path("scored.csv").read_text().splitlines()
    more = [f"{line},{-i}" for i, line in enumerate(lines)]
    Path("scored.csv").write_text("\n".join([f"{lines[0]},u", *more[1:]]) + "\n")
    found = json.loads(precall(*BASE, "--score", "u", "-m", "AUC", "--format", "json").out)
    u = -np.arange(1, 161.0)
    columns = {"s": A, "t": B, "u": u}
    told = {
        names: pc.compare.cases(TRUTH, columns[names[0]], columns[names[1]], "AUC", names=names)
        for names in (("s", "t"), ("s", "u"), ("t", "u"))
    }
    assert found["systems"] == ["s", "t", "u"] and len(found["pairs"]) == 3
    holm = adjust([pair.p for pair in told.values()], "holm").tolist()
    for pair, (names, one), adjusted in zip(found["pairs"], told.items(), holm, strict=True):
        assert ((pair["a"], pair["b"]), pair["p"]) == (names, one.p)
        assert (pair["adjusted"], pair["correction"]) == (adjusted, "holm")
    assert set(found["letters"]["AUC"]) == {"s", "t", "u"}
    assert found["conventions"]["correction"] == "holm"
    raw = json.loads(precall(*BASE, "--score", "u", "--correction", "none", "--format", "json").out)
    assert [pair["adjusted"] for pair in raw["pairs"]] == [pair["p"] for pair in raw["pairs"]]


def test_weights_of_curves(precall):
    outcome = precall(
        "curve",
        "scored.csv",
        "--label",
        "y",
        "--compare",
        "s",
        "t",
        "--weight",
        "w",
        "--missed",
        "3",
        "--format",
        "json",
    )
    told = pc.compare.cases(TRUTH, A, B, "AUC", weights=WEIGHT, missed=3)
    comparisons = json.loads(outcome.out)["comparisons"]
    assert told.p in [pair["p"] for pair in comparisons]


class TestCategories:
    LINE = ("categories", "kinds.csv", "--truth", "k", "--scores", "p*")

    @pytest.fixture(autouse=True)
    def kinds(self, tables):
        self.truth = RNG.choice(list("xyz"), 150)
        self.scores = np.round(
            RNG.normal(size=(150, 3)) + (self.truth[:, None] == np.array(list("xyz"))), 3
        )
        rows = [
            ",".join([k, *map(str, row)])
            for k, row in zip(self.truth, self.scores.tolist(), strict=True)
        ]
        Path("kinds.csv").write_text("\n".join(["k,px,py,pz", *rows]) + "\n")

    def test_each_category_has_intervals(self, precall):
        outcome = precall(
            *self.LINE, "--interval", "bca", "--level", "0.9", "--seed", "3", "--format", "json"
        )
        assert outcome.code == 0, outcome.err
        found = json.loads(outcome.out)
        told = pc.interval(pc.categorize(self.truth, self.scores), method="bca", level=0.9, rng=3)
        for name in "xyz":
            bounds = found["intervals"][name]
            for measure in ("AP", "AUC"):
                interval = told[name, measure]
                assert (bounds[f"{measure} low"], bounds[f"{measure} high"]) == (
                    interval.low,
                    interval.high,
                )
        assert any(note["kind"] == "each-by-itself" for note in found["notes"])

    def test_as_a_table(self, precall):
        outcome = precall(*self.LINE, "--interval", "--policy", "fixed:0.5")
        assert "AP low  AP high  AUC low  AUC high" in outcome.out
        assert "interval 95 % (AP by logit, seed 0)" in outcome.out.replace("\n  ", " ")

    def test_what_is_refused(self, precall):
        assert "--level: applies to --interval" in precall(*self.LINE, "--level", "0.9").err
        assert "--seed: applies to --interval" in precall(*self.LINE, "--seed", "1").err


def test_a_correction_is_advised_where_there_is_one(precall):
    outcome = precall(*BASE, "--test", "holm")
    assert outcome.code == 2 and "QRELS RUN... --correction holm" in outcome.err
    assert "take --correction" not in outcome.err
