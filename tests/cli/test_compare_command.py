"""`precall compare`, `precall power` and `precall curve --compare`: options, forms, gates and exit
codes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.compare import gate_of
from tests.cli.scored import LABEL, S, T, refused, text, told

TOPICS = [f"t{i:02}" for i in range(14)]


@pytest.fixture(autouse=True)
def runs(folder):
    rng = np.random.default_rng(1)
    Path("c.qrels").write_text(
        "".join(f"{t} 0 d{i} {int(i < 3)}\n" for t in TOPICS for i in range(12)), encoding="utf-8"
    )
    for name, shift in (("old", 1.5), ("new", 0.0), ("alike", 1.6)):
        lines = [
            f"{t} Q0 d{i} 1 {rng.normal() + shift * (i < 3):.6f} {name}\n"
            for t in TOPICS
            for i in range(12)
        ]
        Path(f"{name}.run").write_text("".join(lines), encoding="utf-8")
    Path("cases.csv").write_text(text(), encoding="utf-8")


BASE = ("compare", "c.qrels", "old.run", "new.run", "-m", "AP")


def test_values_are_those_of_python(precall):
    found = told(precall(*BASE, "-m", "P@5", "alike.run", "--format", "json"))
    api = pc.compare("c.qrels", ["old.run", "new.run", "alike.run"], ["AP", "P@5"])
    assert found["format"] == "precall.compare/2"
    assert [one["p"] for one in found["pairs"]] == [one.p for one in api.pairs]
    assert [one["adjusted"] for one in found["pairs"]] == [one.adjusted for one in api.pairs]
    assert found["means"] == {name: dict(means) for name, means in api.means.items()}
    assert found["letters"]["AP"]["old"] == "a" and found["conventions"]["correction"] == "holm"


def test_a_table(precall):
    shown = precall(*BASE)
    assert shown.code == 0 and shown.err == ""
    head = r"mean, 14 topics +old +new +old - new +low +high +p\n"
    assert re.search(head + "AP" + 5 * r" +0\.\d{4}" + r" +\S+\*\n", shown.out)
    assert "* significant (p <= 0.05)" in shown.out and "adjusted p" not in shown.out
    assert "w-t-l" not in shown.out and "superiority" in precall(*BASE, "--all").out
    assert "test randomization (exact)" in shown.out


def test_three_runs_have_an_analysis_of_variance(precall):
    """It was in JSON only."""
    given = (*BASE, "alike.run")
    found = told(precall(*given, "--format", "json"))["anova"]["AP"]
    shown = precall(*given, "--all").out
    assert re.search(r"AP, ANOVA\s+sum of squares\s+df\s+mean square\s+F\s+p\n", shown)
    row = re.search(r"^systems\s+(\S+)\s+2\s+\S+\s+(\S+)", shown, re.MULTILINE)
    assert row and float(row[1]) == pytest.approx(found["systems"]["sum"], rel=1e-3)
    assert float(row[2]) == pytest.approx(found["systems"]["f"], abs=1e-4)
    assert "ANOVA" not in precall(*given).out + precall(*BASE, "--all").out


def test_other_forms(precall):
    rows = list(csv.DictReader(io.StringIO(precall(*BASE, "--format", "csv", "-q").out)))
    assert {row["format"] for row in rows} == {"precall.compare/2"}
    assert [row["topic"] for row in rows] == [*TOPICS, "all"]
    assert float(rows[-1]["difference"]) == pytest.approx(
        np.mean([float(row["difference"]) for row in rows[:-1]])
    )
    pair = told(precall(*BASE, "--format", "json"))["pairs"][0]
    for name in ("test", "how", "alternative", "correction"):
        assert rows[-1][name] == pair[name]
    assert (rows[-1]["seed"], pair["seed"]) == ("", None)
    for name in ("level", "statistic", "superiority", "left_out"):
        assert float(rows[-1][name]) == pair[name]
    markdown = precall(*BASE, "--format", "markdown").out
    assert "| system | AP |  |\n" in markdown and markdown.startswith("old is best by AP (")
    latex = precall(*BASE, "--format", "latex").out
    assert latex.count(r"\toprule") == 1 and r"\caption{Means over 14 topics" in latex
    per_topic = precall(*BASE, "-q").out
    assert "AP, topic" in per_topic and "t13" in per_topic


@pytest.mark.parametrize("test", ["randomization", "t", "wilcoxon", "sign", "bootstrap"])
def test_every_test(precall, test):
    drawn = ["--resamples", "500"] if test in ("randomization", "bootstrap") else []
    found = told(precall(*BASE, "--test", test, "--seed", "3", *drawn, "--format", "json"))
    api = pc.compare("c.qrels", ["old.run", "new.run"], ["AP"], test=test, rng=3, resamples=500)
    assert found["pairs"][0]["p"] == api.pairs[0].p


def test_corrections_and_baseline(precall):
    for correction in ("hochberg", "bh", "by", "none", "tukey"):
        shown = precall(
            *BASE,
            "alike.run",
            "--correction",
            correction,
            "--seed",
            "1",
            "--resamples",
            "999",
            "--format",
            "json",
        )
        assert told(shown)["conventions"]["correction"] == correction
    against = told(precall(*BASE, "alike.run", "--baseline", "alike", "--format", "json"))
    assert [(one["a"], one["b"]) for one in against["pairs"]] == [
        ("old", "alike"),
        ("new", "alike"),
    ]


def test_a_file(precall):
    assert precall(*BASE, "-o", "out.json", "--format", "json").out == ""
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["systems"] == ["old", "new"]


def test_a_significant_loss_fails(precall):
    failed = precall(*BASE, "--fail-if-worse", "AP", "--format", "json")
    assert failed.code == 1
    assert re.fullmatch(
        (
            r"precall: failed: AP: new loses 0\.\d{4} to old, p \S+ <= 0.05: worse. It would have "
            r"passed with a loss below about 0\.\d{4}\n"
        ),
        failed.err,
    )
    gates = json.loads(failed.out)["gates"]
    assert [(one["a"], one["b"], one["passed"]) for one in gates] == [("new", "old", False)]


def test_what_is_not_significant_passes(precall):
    shown = precall("compare", "c.qrels", "old.run", "alike.run", "--fail-if-worse", "AP")
    assert (shown.code, shown.err) == (
        0,
        "",
    ) and "It would have failed with a loss above" in " ".join(shown.out.split())
    gain = precall("compare", "c.qrels", "new.run", "old.run", "--fail-if-worse", "AP")
    assert gain.code == 0 and "old gains" in gain.out


def test_with_a_margin(precall):
    alike = ("compare", "c.qrels", "old.run", "alike.run", "-m", "RR", "--fail-if-worse")
    assert precall(*alike, "AP:0.5").code == 0
    strict = precall(*alike, "AP:0.0001")
    assert strict.code == 1 and "It would have needed a margin of" in strict.err


def test_a_loss_of_a_low_measure_is_a_rise(precall):
    assert precall(*BASE, "--fail-if-worse", "E@5").code == 1
    assert precall("compare", "c.qrels", "new.run", "old.run", "--fail-if-worse", "E@5").code == 0
    refused(
        precall(*BASE, "--fail-if-worse", "NumRet"),
        ".*neither high nor low values of NumRet are good",
    )


def test_gates_are_read():
    assert gate_of("nDCG(gains={1:3})@10:.02") == ("nDCG(gains={1:3})@10", 0.02)
    with pytest.raises(pc.UsageError, match="the margin must be a number > 0, got 'x'"):
        gate_of("AP:x")
    with pytest.raises(pc.UsageError, match="the margin must be a number > 0, got '-1'"):
        gate_of("AP:-1")


def test_missing_topics(precall):
    lines = Path("new.run").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("new.run").write_text("".join(lines[12:]), encoding="utf-8")
    refused(
        precall(*BASE),
        (
            "new: topic 't00' is missing; pass --topics qrels to count such topics as empty, or "
            "--unpaired drop .*"
        ),
    )
    assert "1 topic left out" in precall(*BASE, "--unpaired", "drop").out
    assert told(precall(*BASE, "--topics", "qrels", "--format", "json"))["pairs"][0]["size"] == 14


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("compare", "c.qrels", "old.run"),
            "there must be two runs or more to compare, got old.run; .*--run-column",
        ),
        ((*BASE, "--baseline", "x"), "--baseline: got 'x', the runs are old, new"),
        (
            (*BASE, "--level", "95"),
            "--level: must be a number between 0 and 1, such as 0.95, got 95",
        ),
        ((*BASE, "--resamples", "0"), "--resamples: must be an integer >= 1, got 0"),
        ((*BASE, "--seed", "-1"), "--seed: must be an integer >= 0, got -1"),
        ((*BASE, "--fail-if-worse", "AP:0"), "--fail-if-worse AP:0: the margin must be .*"),
        ((*BASE, "-o", "old.run"), "--output old.run: is also an input.*"),
        (("compare", "c.qrels", "old.run", "old.run"), "old.run was given 2 times.*"),
        (
            ("curve", "cases.csv", "--label", "label", "--compare", "s", "s"),
            "--compare: got s twice.*",
        ),
        (
            ("curve", "cases.csv", "--label", "label", "--compare", "s", "t", "--group", "fold"),
            "--compare applies to all cases, not to groups.*",
        ),
        (
            ("curve", "cases.csv", "--label", "label", "--score", "s", "--seed", "1"),
            "--seed: applies to --compare and --interval and --net-benefit and --cross-validat.*",
        ),
        (
            ("curve", "cases.csv", "--label", "label"),
            r"Missing option '--score'; see 'precall curve --help'",
        ),
        (("power",), "give --deviation, or QRELS and two runs.*"),
        (
            ("power", "--deviation", "0.1"),
            "give a target: --difference, --topics or --width",
        ),
        (("power", "--only-a", "0.1"), "--only-a and --only-b belong together; give both"),
        (("power", "--systems", "3"), "--systems needs --variance .*"),
        (
            ("power", "--deviation", "1", "--width", "1", "--power", "1.2"),
            "--power: must be a number between 0 and 1.*",
        ),
        (("power", "c.qrels"), "one pair is planned: give QRELS and two runs, .*; got 1 file"),
        (
            ("power", "c.qrels", "a.run", "b.run", "c.run"),
            "one pair is planned: .*; got 4 files; plan each pair by itself",
        ),
        (("power", "--correction", "holm"), ".*; a plan is for one pair; .* --level 0.995, .*"),
        (("power", "--test", "wilcoxon"), ".*; plans are for the paired t test; .*"),
        (
            ("power", "--deviation", "-1", "--difference", "1"),
            "--deviation: must be a number > 0.*",
        ),
    ],
)
def test_what_is_refused(precall, arguments, message):
    refused(precall(*arguments), message)


def test_curves_are_compared(precall):
    given = CURVE_COMPARED
    found = told(precall(*given, "--format", "json"))
    api = [pc.compare.cases(LABEL, S, T, measure, rng=2) for measure in ("AP", "AUC")]
    assert [(one["p"], one["difference"]) for one in found["comparisons"]] == [
        (one.p, one.difference) for one in api
    ]
    assert list(found["scores"]) == ["s", "t"]
    table = precall(*given).out
    assert re.search(r"AP: s - t\s+-?0\.\d{4}.*permutation", table) and re.search(
        r"AUC: s - t .*delong", table
    )
    rows = list(csv.DictReader(io.StringIO(precall(*given, "--format", "csv").out)))
    assert {row["measure"] for row in rows if row["section"] == "compare AP"} == {
        "difference",
        "low",
        "high",
        "p",
    }


CURVE_COMPARED = ("curve", "cases.csv", "--label", "label", "--compare", "s", "t", "--seed", "2")


def test_the_level_is_that_of_two_scores_too(precall):
    # It was .95 whatever was asked for, and the note said 0.05.
    found = [
        precall(*CURVE_COMPARED, "--interval", "--level", level, "--format", "json")
        for level in ("0.95", "0.6")
    ]
    (wide,), (narrow,) = (
        [one for one in told(text)["comparisons"] if one["measure"] == "AUC"] for text in found
    )
    assert narrow["level"] == 0.6 and wide["low"] < narrow["low"] < narrow["high"] < wide["high"]


def quantities(precall, *options):
    found = told(precall("power", *options, "--format", "json"))
    assert found["format"] == "precall.power/2"
    return next(iter(found["designs"].values()))


def test_plans(precall):
    power = pc.compare.power
    found = quantities(precall, "--difference", "0.05", "--deviation", "0.1")
    assert found["topics needed"] == power.topics(0.05, 0.1) == 34
    found = quantities(
        precall, "--topics", "50", "--deviation", "0.1", "--difference", "0.03", "--width", "0.05"
    )
    assert found["power"] == power.of_t(50, 0.03, 0.1)
    assert found["least difference detected"] == power.detectable(50, 0.1)
    assert found["topics for the width"] == power.topics_for_interval(0.05, 0.1**2)
    found = quantities(
        precall, "--systems", "10", "--variance", "0.05", "--difference", "0.1", "--topics", "20"
    )
    assert (found["topics needed"], found["power"]) == (158, power.of_anova(20, 10, 0.1, 0.05))
    found = quantities(
        precall, "--only-a", "0.15", "--only-b", "0.05", "--items", "100", "--power", "0.9"
    )
    assert found["items needed"] == power.items(0.15, 0.05, 0.9) and found[
        "power"
    ] == power.of_mcnemar(100, 0.15, 0.05)
    assert "topics needed" in precall("power", "--difference", "1", "--deviation", "2").out


def test_a_plan_from_runs(precall):
    found = quantities(
        precall, "c.qrels", "old.run", "new.run", "-m", "AP", "--difference", "0.1", "--seed", "1"
    )
    report = pc.evaluate("c.qrels", ["old.run", "new.run"], ["AP"])
    apart = report.runs[0].values[0] - report.runs[1].values[0]
    assert found["deviation"] == pytest.approx(apart.std(ddof=1)) and found["pilot topics"] == 14
    assert found["topics needed"] == pc.compare.power.topics(0.1, apart.std(ddof=1))
    assert 0 < found["power of randomization"] < 1 and found["its standard error"] < 0.02


def test_what_a_plan_draws_can_be_drawn_again(precall):
    asked = (
        "power",
        "c.qrels",
        "old.run",
        "new.run",
        "-m",
        "AP",
        "--difference",
        "0.05",
        "--format",
        "json",
    )
    first = told(precall(*asked))
    again = told(precall(*asked, "--seed", first["conventions"]["seed"]))
    assert (
        first == again
        and "seed" not in told(precall(*asked[:6], "--format", "json"))["conventions"]
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--systems", "3", "--variance", "1", "--difference", "1", "--width", "2"),
            "analysis of variance; leave --width out",
        ),
        (
            ("--only-a", ".1", "--only-b", ".2", "--difference", "1", "--topics", "5"),
            "leave --difference and --topics out",
        ),
        (("--deviation", "1", "--difference", "1", "-m", "AP"), "leave --measure out"),
        (("--deviation", "1", "--difference", "1", "--seed", "1"), "leave --seed out"),
        (
            ("c.qrels", "old.run", "new.run", "--deviation", "1", "--only-b", ".2"),
            "leave --deviation and --only-b out",
        ),
        (("--items", "100"), "--only-a and --only-b belong together"),
        (("--variance", "1", "--difference", "1"), "--systems needs --variance"),
        (
            ("--only-a", ".1", "--only-b", ".1"),
            "are equal; no number of items shows a difference of equal systems",
        ),
    ],
)
def test_options_that_a_plan_does_not_take_are_refused(precall, options, said):
    found = precall("power", *options)
    assert found.code == 2 and said in found.err


def test_names_of_elsewhere(precall):
    typed = precall(*BASE, "--test", "t-test", "--correction", "fdr_bh")
    assert typed == precall(*BASE, "--test", "t", "--correction", "bh") and typed.code == 0
    refused = precall(*BASE, "--correction", "bonferroni")
    assert (
        refused.code == 2
        and "--correction: got 'bonferroni'" in refused.err
        and "take --correction holm" in refused.err
    )


def test_a_number_is_no_measure_of_a_gate(precall):
    refused(
        precall("compare", "a.qrels", "b.run", "c.run", "--fail-if-worse", "0.02"),
        "--fail-if-worse: must be MEASURE:MARGIN, such as AP:0.01, got '0.02'",
    )


@pytest.mark.parametrize("typed", ["AP,P@5", "AP:0.01, nDCG(gains={1:3,2:9}):0.1"])
def test_several_gates_in_one_option(precall, typed):
    """The advice was to repeat -m, which makes no gates."""
    first, second = re.split(", ?(?![^{]*})", typed)
    refused(
        precall(*BASE, "--fail-if-worse", typed),
        "--fail-if-worse: must be one measure, got .*; give each its own option: "
        + re.escape(f"--fail-if-worse {first} --fail-if-worse {second}"),
    )


def test_a_decimal_comma_separates_no_gates(precall):
    refused(precall(*BASE, "--fail-if-worse", "AP:0,01"), "--fail-if-worse.*got '0,01'")
