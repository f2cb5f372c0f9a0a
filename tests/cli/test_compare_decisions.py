"""`precall compare --decisions`: two systems' decisions in a table, every test, form and error."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_null import HigherOfTwo
from precall.hard_decisions.table_io import compare_decisions
from precall.results.forms import names
from tests.noticed import noticed, shown
from tests.peers import peer

stats = peer("scipy.stats")

RNG = np.random.default_rng(5)
TRUTH = RNG.random(90) < 0.4
A, B = (TRUTH ^ (RNG.random(90) < share) for share in (0.12, 0.3))
KINDS = np.array(["x", "y", "z"])
TRUE = RNG.integers(0, 3, 90)
SAID = [np.where(RNG.random(90) < share, TRUE, RNG.integers(0, 3, 90)) for share in (0.8, 0.5)]
BASE = ("compare", "said.csv", "--truth", "t", "--decision", "p", "--decision", "q")


@pytest.fixture(autouse=True)
def tables(folder):
    rows = "".join(
        f"{t:d},{a:d},{b:d},d{i // 5}\n"
        for i, (t, a, b) in enumerate(zip(TRUTH, A, B, strict=True))
    )
    Path("said.csv").write_text("t,p,q,doc\n" + rows)
    Path("said.tsv").write_text(("t,p,q,doc\n" + rows).replace(",", "\t"))
    lines = [{"t": int(t), "p": int(a), "q": int(b)} for t, a, b in zip(TRUTH, A, B, strict=True)]
    Path("said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    columns = [KINDS[TRUE], *(KINDS[said] for said in SAID)]
    Path("kinds.csv").write_text(
        "t,p,q\n" + "".join(",".join(row) + "\n" for row in zip(*columns, strict=True))
    )


def pairs(outcome):
    assert outcome.code == 0, outcome.err
    return {pair["measure"]: pair for pair in json.loads(outcome.out)["pairs"]}


def test_precision_recall_and_f_by_default(precall):
    found = pairs(precall(*BASE, "--format", "json"))
    assert list(found) == ["P", "R", "F"]
    for name, pair in found.items():
        told = pc.compare.decisions(TRUTH, A, B, name, names=("p", "q"))
        assert (pair["p"], pair["difference"], pair["value_a"]) == (
            told.p,
            told.difference,
            told.values[0],
        )
        assert (pair["low"], pair["high"]) == (told.low, told.high)


@pytest.mark.parametrize("test", ["randomization", "t", "wilcoxon", "sign", "mcnemar"])
def test_every_test_is_an_option(precall, test):
    (pair,) = pairs(precall(*BASE, "-m", "accuracy", "--test", test, "--format", "json")).values()
    assert (
        pair["test"] == test
        and pair["p"] == pc.compare.decisions(TRUTH, A, B, "accuracy", test=test).p
    )


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("form", [name for name in names() if name != "table"])
def test_every_form(precall, form):
    outcome = precall(*BASE, "--format", form, "-o", "out")
    assert outcome.code == 0 and Path("out").stat().st_size


def test_the_table(precall):
    outcome = precall(*BASE, "--interval")
    assert outcome.code == 0 and all(len(line) <= 80 for line in outcome.out.splitlines())
    verdict, _, table = outcome.out.partition("\n\n")
    assert verdict.startswith("p is better than q by P, R and F (p <= ")
    assert re.search(r"^P +0\.7805 +0\.\d+ +0\.2694 +\S+ +\S+ +\S+\*$", table, re.MULTILINE)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("file", ["said.tsv", "said.jsonl"])
def test_any_table(precall, file):
    other = [file if word == "said.csv" else word for word in BASE]
    assert pairs(precall(*other, "--format", "json")) == pairs(precall(*BASE, "--format", "json"))


def test_parquet(precall):
    polars = pytest.importorskip("polars")
    polars.read_csv("said.csv").write_parquet("said.parquet")
    other = ["said.parquet" if word == "said.csv" else word for word in BASE]
    assert pairs(precall(*other, "--format", "json")) == pairs(precall(*BASE, "--format", "json"))


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.OtherLabelsWarning")
def test_several_categories(precall):
    base = ["kinds.csv" if word == "said.csv" else word for word in BASE]
    found = pairs(precall(*base, "--format", "json"))
    assert list(found) == ["accuracy", "macro-F"]
    columns = [KINDS[TRUE].tolist(), *(KINDS[said].tolist() for said in SAID)]
    assert found["macro-F"]["p"] == pc.compare.decisions(*columns, "F", average="macro").p
    found = pairs(precall(*base, "--positive", "x", "-m", "F", "--format", "json"))
    of_x = [[kind == "x" for kind in column] for column in columns]
    assert found["F"]["p"] == pc.compare.decisions(*of_x, "F").p
    found = pairs(precall(*base, "-m", "F", "--average", "weighted", "--format", "json"))
    assert found["weighted-F"]["p"] == pc.compare.decisions(*columns, "F", average="weighted").p


def test_groups_and_seed(precall):
    call = (*BASE, "--groups", "doc", "-m", "MCC", "--format", "json")
    (pair,) = pairs(precall(*call, "--seed", "4", "--resamples", "500")).values()
    groups = [f"d{i // 5}" for i in range(90)]
    told = pc.compare.decisions(TRUTH, A, B, "MCC", groups=groups, rng=4, resamples=500)
    assert (pair["p"], pair["size"]) == (told.p, 18)
    assert "18 groups" in precall(*call[:-2]).out.replace("\n", " ")


def test_csv_has_a_row_for_each_measure(precall):
    rows = list(
        csv.DictReader(io.StringIO(precall(*BASE, "--interval", "bca", "--format", "csv").out))
    )
    posteriors = [row for row in rows if row["test"] == "posterior"]
    rows = [row for row in rows if row["test"] == "randomization"]
    assert [row["measure"] for row in rows] == ["P", "R", "F"]
    assert [row["measure"] for row in posteriors] == ["P", "P", "R", "R", "F", "F"]
    assert all(
        float(row["low"]) < float(row["difference"]) < float(row["high"])
        for row in rows
        if row["measure"]
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*BASE[:-2],), "two columns or more to compare, got 'p'; repeat --decision"),
        (
            (*BASE, "--baseline", "p"),
            "--baseline: applies to runs; this command compares decisions",
        ),
        ((*BASE, "x.csv"), "decisions are compared in one file, got said.csv and x.csv"),
        ((*BASE, "--weight", "p"), "--weight: applies to scored cases"),
        ((*BASE, "--score", "p"), "--score and --truth: --score applies to scored cases"),
        ((*BASE, "--correction", "tukey"), "--correction: tukey applies to runs"),
        ((*BASE, "-m", "AP"), "AP"),
        ((*BASE, "-m", "MCC", "--test", "t"), "test of MCC: got 't', allowed are randomization"),
        ((*BASE, "--test", "bootstrap"), "test of P: got 'bootstrap'"),
        ((*BASE, "--average", "mean"), "Invalid value for '--average': 'mean'"),
        ((*BASE[:-1], "r"), "no column 'r'"),
        ((*BASE[:-1], "p"), "must name three columns"),
        ((*BASE, "--input-format", "trec"), "--input-format: tables of decisions are csv"),
        ((*BASE, "--groups", "doc", "--interval"), "groups have no interval"),
        ((*BASE, "-m", "R", "--margin", "0.1", "--ratio"), "--ratio: does not apply to --margin"),
        ((*BASE, "-m", "R", "-m", "P", "--margin", "0.1"), "--margin: applies to one measure"),
        (
            ("compare", "a.qrels", "b.run", "c.run", "--truth", "t"),
            "decisions are compared in one file, got a.qrels, b.run and c.run; name one",
        ),
        (
            ("compare", "a.qrels", "b.run", "c.run", "--test", "mcnemar"),
            "--test: mcnemar applies to decisions",
        ),
        (("compare",), "Missing argument 'QRELS|FILE'"),
    ],
)
def test_what_is_refused(precall, arguments, said):
    outcome = precall(*arguments)
    assert outcome.code == 2 and outcome.out == "" and said in outcome.err


def test_one_category_of_cells_that_hold_several(precall):
    columns = [[{KINDS[i], "x"} if i else {"z"} for i in codes] for codes in (TRUE, *SAID)]
    rows = zip(*([";".join(sorted(cell)) for cell in column] for column in columns), strict=True)
    Path("tags.csv").write_text("t,p,q\n" + "".join(",".join(row) + "\n" for row in rows))
    base = ["tags.csv" if word == "said.csv" else word for word in BASE]
    found = pairs(precall(*base, "--separator", ";", "--positive", "y", "--format", "json"))
    assert list(found) == ["P", "R", "F"]
    for name, pair in found.items():
        known = pc.compare.decisions(*columns, name, positive="y", names=("p", "q"))
        assert (pair["p"], pair["difference"]) == (known.p, known.difference)


@pytest.mark.nightly
def test_posteriors_of_a_yes_or_no(precall):
    told = json.loads(
        precall(*BASE, "-m", "F(beta=2)", "-m", "MCC", "--seed", "3", "--format", "json").out
    )
    known = pc.compare.bayes.decisions(TRUTH, A, B, beta=2, rng=3).f
    (row,) = told["posteriors"]
    assert (row["measure"], row["paired"], row["independent"]) == (
        "F(beta=2)",
        known.greater,
        known.independent.greater,
    )
    (note,) = noticed(told, HigherOfTwo)
    assert (note.system, note.other) == ("p", "q") and shown(precall(*BASE).out, note)
    base = ["kinds.csv" if word == "said.csv" else word for word in BASE]
    assert "posteriors" not in json.loads(precall(*base, "--format", "json").out)


def test_former_names_mean_the_same(precall):
    for old in (
        ("--decisions", "said.csv", "--truth", "t", "--a", "p", "--b", "q"),
        ("said.csv", "--truth", "t", "--a", "p", "--b", "q"),
        ("--decisions", "said.csv", "--truth", "t", "--decision", "p", "--decision", "q"),
    ):
        assert precall("compare", *old) == precall(*BASE)


def test_several_systems_are_compared_pair_by_pair(precall):
    lines = Path("said.csv").read_text().splitlines()
    truth = [line.split(",")[0] for line in lines[1:]]
    more = [f"{line},{label}" for line, label in zip(lines[1:], truth, strict=True)]
    Path("said.csv").write_text("\n".join([f"{lines[0]},r", *more]) + "\n")
    found = json.loads(precall(*BASE, "--decision", "r", "-m", "F", "--format", "json").out)
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [
        ("p", "q"),
        ("p", "r"),
        ("q", "r"),
    ]
    assert found["pairs"][0]["p"] == pc.compare.decisions(TRUTH, A, B, "F").p
    assert found["verdicts"]["F"]["best"] == "r" and "posteriors" not in found
    assert {pair["correction"] for pair in found["pairs"]} == {"holm"}


def test_without_a_measure_python_compares_as_the_command_does():
    columns = [KINDS[TRUE].tolist(), *(KINDS[said].tolist() for said in SAID)]
    assert pc.compare.decisions(*columns) == pc.compare.decisions(*columns, "accuracy")
    assert pc.compare.decisions(TRUTH, A, B) == pc.compare.decisions(TRUTH, A, B, "F")
    for options in ({"average": "macro"}, {"beta": 2.0}):
        found = pc.compare.decisions(*columns, **options)
        assert found == pc.compare.decisions(*columns, "F", **options)


def test_python_has_it_too():
    found = compare_decisions("said.csv", "t", "p", "q", ["R"], test="sign")
    only = int((TRUTH & A & ~B).sum()), int((TRUTH & B & ~A).sum())
    assert found.pairs[0].p == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue, rel=1e-9)
    assert found.means["R"]["p"] == pytest.approx((TRUTH & A).sum() / TRUTH.sum())


def test_mcnemar_is_of_accuracy(precall):
    found = pairs(precall(*BASE, "--test", "mcnemar", "--format", "json"))
    known = pc.compare.decisions(TRUTH, A, B, "accuracy", test="mcnemar")
    assert list(found) == ["accuracy"] and found["accuracy"]["p"] == known.p
