"""`precall categories`: thresholds learned elsewhere, kept, tuned, and the trivial baselines; all
as Python has them.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_decisions import DecidedBy, LearnedHere, NothingToLearn, ReachedByTuning
from precall.hard_decisions.table_io import read_status
from tests.cli.scored import refused, told
from tests.noticed import noticed, shown

NAMES = ["a", "b", "c"]
BASE = ("--truth", "t", "--scores", "p_*")


def written(path, seed, names=NAMES, items=40):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(names), items)
    scores = (rng.random((items, len(names))) + 0.6 * np.eye(len(names))[truth]).round(2)
    lines = [
        ",".join(map(str, (names[t], *row)))
        for t, row in zip(truth.tolist(), scores.tolist(), strict=True)
    ]
    head = ",".join(["t", *(f"p_{name}" for name in names)])
    Path(path).write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")


@pytest.fixture(autouse=True)
def tables(folder):
    written("fit.csv", 1)
    written("test.csv", 2)


def status(path):
    return read_status(path, "t", "p_*")


POLICIES = [
    ("scut", None),
    ("scut", "macro-MCC"),
    ("break-even", None),
    ("max:F(beta=2)", None),
    ("utility:tp=1,fp=-2", None),
    ("rcut", "macro-F1"),
    ("pcut", None),
    ("pcut", "micro-F1"),
    ("global", None),
    ("global", "accuracy"),
    ("fixed:0.5", None),
    ("rcut:2", None),
]


@pytest.mark.nightly(keep=6)
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_decisions.NothingToLearnWarning")
@pytest.mark.parametrize(("policy", "tune"), POLICIES)
def test_learned_elsewhere_kept_and_applied(precall, policy, tune):
    """Learning on one file and deciding about another, at once or by way of a file, is what Python
    does.
    """
    options = ("--policy", policy, *(() if tune is None else ("--tune", tune)))
    line = (
        "categories",
        "test.csv",
        *BASE,
        *options,
        "--fit-on",
        "fit.csv",
        "--save-thresholds",
        "t.json",
    )
    at_once = told(precall(*line, "--format", "json"))
    by_file = told(
        precall("categories", "test.csv", *BASE, "--thresholds", "t.json", "--format", "json")
    )
    learned = status("test.csv").thresholds(policy, status("fit.csv"), tune=tune)
    assert pc.read_thresholds("t.json") == learned
    assert (
        at_once["decisions"] == by_file["decisions"]
        and at_once["thresholds"] == by_file["thresholds"]
    )
    decided = status("test.csv").decide(learned)
    assert at_once["decisions"]["averages"]["micro"]["F1"] == decided.f(average="micro")
    assert list(at_once["thresholds"]["values"].values()) == [
        str(value) if np.isinf(value) else value for value in learned.values.tolist()
    ]
    # Both lines say the same of how it was learned.
    unlearned = noticed(at_once, NothingToLearn)
    assert [note for note in noticed(at_once) if note not in unlearned] == noticed(by_file)
    assert bool(unlearned) == (policy in ("fixed:0.5", "rcut:2"))
    assert (
        at_once["conventions"]["fit on"] == "fit.csv"
        and by_file["conventions"]["thresholds"] == "t.json"
    )
    (decided_by,) = noticed(at_once, DecidedBy)
    assert (decided_by.source, decided_by.items) == (
        ("fit.csv", 40) if learned.learned else ("", 0)
    )
    assert (at_once["thresholds"]["number"] is not None) == (learned.number is not None)


@pytest.mark.parametrize("way", ["here", "fit-on", "file", "copy"])
def test_the_same_items_are_told_to_be_the_same(precall, way):
    Path("copy.csv").write_text(Path("fit.csv").read_text(encoding="utf-8"), encoding="utf-8")
    precall(
        "categories",
        "fit.csv",
        *BASE,
        "--policy",
        "scut",
        "--save-thresholds",
        "t.json",
        "-o",
        "o.txt",
    )
    options = {
        "here": ("--policy", "scut"),
        "fit-on": ("--policy", "scut", "--fit-on", "fit.csv"),
        "file": ("--thresholds", "t.json"),
        "copy": ("--policy", "scut", "--fit-on", "copy.csv"),
    }[way]
    found = told(precall("categories", "fit.csv", *BASE, *options, "--format", "json"))
    assert [note.policy for note in noticed(found, LearnedHere)] == ["scut"] and not noticed(
        found, DecidedBy
    )


def test_what_was_tuned_is_said(precall):
    line = (
        "categories",
        "test.csv",
        *BASE,
        "--policy",
        "rcut",
        "--tune",
        "macro-F1",
        "--fit-on",
        "fit.csv",
    )
    learned = status("fit.csv").thresholds("rcut", tune="macro-F1")
    out = precall(*line).out
    policy = f"rcut (k = {learned.number:g} by macro-F1)"
    assert shown(out, DecidedBy("", policy, True, "fit.csv", 40), style="command")
    assert shown(out, ReachedByTuning("", "macro-F1", learned.reached), style="command")
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.nightly
def test_standard_input_may_be_either(process):
    text, line = (
        Path("fit.csv").read_text(encoding="utf-8"),
        ("--policy", "scut", "--format", "csv"),
    )
    wanted = process("categories", "test.csv", *BASE, *line, "--fit-on", "fit.csv").out
    options = (*BASE, *line, "--input-format", "csv", "--fit-on", "-")
    found = process("categories", "test.csv", *options, stdin=text).out
    # The note on what was learned names its source.
    assert found.replace("standard input", "fit.csv") == wanted


SYSTEMS = ("rejector", "acceptor")


def test_baselines_of_decided_categories(precall):
    found = told(
        precall(
            "categories", "test.csv", *BASE, "--policy", "scut", "--baselines", "--format", "json"
        )
    )
    here = status("test.csv")
    share = here.truth.per_category() / here.truth.items
    beside = found["decisions"]["baselines"]
    assert set(beside) == set(SYSTEMS)
    for name, of in here.baselines().items():
        told_of = beside[name]["categories"]
        assert [row["F1"] for row in told_of.values()] == [
            v if v == v else None for v in of.f().tolist()
        ]
        assert beside[name]["measures"]["accuracy"]["micro"] == of.accuracy("micro")
    rejector, acceptor = (here.baselines()[name] for name in SYSTEMS)
    assert rejector.value("accuracy", "each").tolist() == pytest.approx((1 - share).tolist())
    assert rejector.f().tolist() == [0, 0, 0] and np.isnan(rejector.precision()).all()
    assert (
        acceptor.precision().tolist()
        == pytest.approx(share.tolist())
        == acceptor.value("accuracy", "each").tolist()
    )
    assert acceptor.recall().tolist() == [1, 1, 1]
    assert acceptor.f().tolist() == pytest.approx((2 * share / (1 + share)).tolist())


def test_baselines_in_the_table_and_in_csv(precall):
    """In a rare category the rejector is the most accurate; the table marks it."""
    Path("rare.csv").write_text("t,p_a\n" + "a,0.5\n" + ",0.9\n" * 9 + "a,0.1\n", encoding="utf-8")
    line = (
        "categories",
        "rare.csv",
        *BASE,
        "--separator",
        "|",
        "--policy",
        "fixed:.4",
        "--baselines",
    )
    out = precall(*line, "--all").out
    assert (
        "accuracy of each category\ncategory  decided   rejector   acceptor\n"
        "a          0.0909     0.8182*    0.1818"
    ) in out
    assert max(map(len, out.splitlines())) <= 80
    rows = list(csv.DictReader(io.StringIO(precall(*line, "--format", "csv").out)))
    keys = [
        tuple(row[name] for name in ("section", "category", "measure", "average")) for row in rows
    ]
    assert len(set(keys)) == len(keys)
    value = {key: row["value"] for key, row in zip(keys, rows, strict=True)}
    assert float(value["decisions", "all", "rejector accuracy", "micro"]) == 9 / 11
    assert float(value["decisions", "a", "acceptor F1", ""]) == 4 / 13


def test_baselines_need_no_policy(precall):
    found = told(precall("categories", "test.csv", *BASE, "--baselines", "--format", "json"))
    assert set(found["decisions"]) == {"baselines"} and "thresholds" not in found
    out = precall("categories", "test.csv", *BASE, "--baselines", "--all").out
    assert "F1 of each category\ncategory  rejector   acceptor" in out and "decided" not in out


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex", "html"])
@pytest.mark.parametrize("binary", [False, True])
def test_baselines_of_decisions(precall, form, binary):
    rows = ["1,0", "0,0", "1,1", "0,0"] if binary else ["a,b", "b,b", "c,c", "c,a"]
    Path("d.csv").write_text("t,p\n" + "\n".join(rows) + "\n", encoding="utf-8")
    line = (
        "decisions",
        "d.csv",
        "--truth",
        "t",
        "--predicted",
        "p",
        "--baselines",
        "--format",
        form,
    )
    outcome = precall(*line)
    assert outcome.code == 0 and outcome.err == ""
    if form == "json":
        beside = json.loads(outcome.out)["baselines"]
        assert beside["rejector"]["measures"]["accuracy"] == (
            {"all": 0.5} if binary else {"exact": 0.0, "micro": 2 / 3, "macro": 2 / 3}
        )


def test_means_over_items(precall):
    found = told(precall("categories", "test.csv", *BASE, "--pivot", "item", "--format", "json"))
    here = status("test.csv")
    for measure, value in found["averages"]["samples"].items():
        assert measure == "items" or value == here.by_item(measure).mean()
    assert (
        "samples"
        not in told(precall("categories", "test.csv", *BASE, "--format", "json"))["averages"]
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--policy", "scut", "--thresholds", "t.json"),
            "--policy and --thresholds exclude each other; .*",
        ),
        (
            ("--tune", "macro-F1"),
            "--tune: applies to thresholds that --policy learns; also give --policy",
        ),
        (("--fit-on", "fit.csv"), "--fit-on: applies to thresholds that --policy learns; .*"),
        (
            ("--save-thresholds", "t.json"),
            "--save-thresholds: applies to thresholds that --policy learns; .*",
        ),
        (("--policy", "scut", "--fit-on", ""), "--fit-on: empty path; .*"),
        (
            ("--policy", "scut", "--save-thresholds", "-"),
            "--save-thresholds: standard output is used for the results; .*",
        ),
        (
            ("--policy", "scut", "--save-thresholds", "test.csv"),
            "--save-thresholds test.csv: is also an input .*",
        ),
        (
            ("--policy", "scut", "--fit-on", "fit.csv", "-o", "fit.csv"),
            "--output fit.csv: is also an input .*",
        ),
        (
            ("--policy", "scut", "--save-thresholds", "x", "-o", "x"),
            "--save-thresholds x: is also the --output; .*",
        ),
        (
            ("--policy", "scut", "--save-thresholds", "no/x"),
            "--save-thresholds no/x: there is no directory .*",
        ),
        (
            ("--policy", "rcut", "--tune", "F1"),
            "--tune: F has a value for each category; choose an average: .*",
        ),
        (("--policy", "rcut", "--tune", "nothing"), "--tune: no measure 'nothing'.*"),
        (
            ("--policy", "rcut:2", "--tune", "micro-F1"),
            "--policy: rcut:2: already has a number, .*",
        ),
        (
            ("--policy", "scut", "--tune", "micro-F1"),
            "--tune: micro-F1 measures all categories together, .*",
        ),
        (("--policy", "max:nothing"), "--policy: max:nothing: no measure 'nothing'.*"),
        (
            ("--policy", "utility:x=1"),
            "--policy: utility:x=1: must be the weights of tp, .* allowed are tp, fp, fn, tn.*",
        ),
        (
            ("--policy", "utility:tp=x"),
            r"--policy: utility:tp=x: must be .*\(tp must be a number, got x\)",
        ),
        (("--policy", "max-f:2"), "--policy: got 'max-f:2'; write max:MEASURE, such as max:F2 .*"),
        (("--policy", "scut", "--fit-on", "missing.csv"), "missing.csv: .*"),
        (("--thresholds", "missing.json"), "missing.json: .*"),
    ],
)
def test_refused(precall, options, message):
    refused(precall("categories", "test.csv", *BASE, *options), message)


def test_standard_input_is_read_once(precall):
    line = ("categories", "-", *BASE, "--input-format", "csv", "--policy", "scut", "--fit-on", "-")
    refused(precall(*line), r"--fit-on: - \(standard input\) is FILE already; it can be read once")


def test_other_categories_are_named(precall):
    written("other.csv", 3, ["a", "b", "z"])
    line = ("categories", "test.csv", *BASE)
    what = (
        "the thresholds were learned for other categories: only they have 'z', only the scores "
        "have 'c'; .*"
    )
    refused(precall(*line, "--policy", "pcut", "--fit-on", "other.csv"), f"--fit-on: {what}")
    precall(
        "categories",
        "other.csv",
        *BASE,
        "--policy",
        "scut",
        "--save-thresholds",
        "z.json",
        "-o",
        "o.txt",
    )
    refused(precall(*line, "--thresholds", "z.json"), f"z.json: {what}")


def test_nothing_is_kept_where_something_is_wrong(precall):
    line = ("--policy", "scut", "--undefined", "error", "--save-thresholds", "t.json")
    Path("test.csv").write_text("t,p_a,p_b\na,1,0\na,0,1\n", encoding="utf-8")
    assert precall("categories", "test.csv", *BASE, *line).code == 2 and not Path("t.json").exists()
