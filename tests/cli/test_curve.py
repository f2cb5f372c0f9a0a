"""`precall curve`: every option and form; the values are those of the Python API."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import re
import shlex
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from precall.cases import curve
from precall.cli.main import run
from precall.core.errors import PrecallWarning
from precall.core.notes.of_curves import NeedsWholeCounts, NeverReached
from precall.core.notes.of_decisions import UndefinedIn
from precall.results.forms import names
from tests.archives import zstd
from tests.cli.scored import BASE, LABEL, NAMES, ROWS, S, refused, text, told
from tests.noticed import noticed


@pytest.fixture(autouse=True)
def cases(folder):
    Path("cases.csv").write_text(text(), encoding="utf-8")


def values(precall, *options, base=BASE):
    return told(precall(*base, *options, "--format", "json"))["scores"]["s"]


def of_api(c):
    best = c.max_f()
    areas = c.areas().to_dict()
    return {
        "counts": {"cases": 6, "relevant": 3, "missed": c.missed, "thresholds": 5},
        "measures": {
            "prevalence": c.relevant / 6,
            "AP": c.average_precision(),
            "AUC": c.area_under_roc(),
            "max F": best.value,
            "max F threshold": best.threshold,
            "max F precision": best.precision,
            "max F recall": best.recall,
            **{
                f"break-even {name}": c.break_even(name)
                for name in ("nearest", "max-min", "linear")
            },
            "R-precision": c.r_precision("expected"),
            "RR": c.reciprocal_rank("expected"),
        },
        "areas": dict(zip(areas["area"], areas["value"], strict=True)),
        "11-point": {f"{i / 10:.1f}": value for i, value in enumerate(c.eleven_point().tolist())},
    }


def test_all_values_are_those_of_python(precall):
    assert values(precall) == of_api(curve(LABEL, S))


@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
def test_ties(precall, ties):
    rows = [(1, "", 2.0, 0, "x", 1), (1, "", 1.0, 0, "x", 1), (0, "", 1.0, 0, "x", 1)]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    found = values(precall, "--ties", ties)
    assert found["measures"]["R-precision"] == curve([1, 1, 0], [2, 1, 1]).r_precision(ties)
    refused(
        precall(*BASE, "--ties", "block"),
        "s: Rprec depends on the order inside .*; choose --ties expected.*",
    )


def test_missed(precall):
    found = values(precall, "--missed", "2")
    expected = curve(LABEL, S, missed=2)
    assert found["measures"]["AP"] == expected.average_precision()
    assert found["counts"]["relevant"] == 5 and found["counts"]["missed"] == 2


def test_positive(precall):
    base = ("curve", "cases.csv", "--label", "kind", "--score", "s")
    assert values(precall, "--positive", "yes", base=base) == values(precall)
    flipped = curve([1 - one for one in LABEL], S)
    assert (
        values(precall, "--positive", "no", base=base)["measures"]["AP"]
        == flipped.average_precision()
    )


@pytest.mark.parametrize(
    "labels",
    [("1", "0"), ("1", "-1"), ("true", "false"), ("True", "FALSE"), ("1.0", "0.0"), ("+1", "0")],
)
def test_labels_that_need_no_word(precall, labels):
    rows = [(labels[1 - row[0]], *row[1:]) for row in ROWS]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    assert values(precall)["measures"]["AP"] == curve(LABEL, S).average_precision()


def test_whole_weights_are_counts(precall):
    found = values(precall, "--weight", "w")
    weights = [row[5] for row in ROWS]
    expected = curve(LABEL, S, weights=weights)
    assert found["measures"]["AP"] == expected.average_precision()
    assert found["counts"]["cases"] == sum(weights)
    assert found["measures"]["R-precision"] == expected.r_precision("expected")


def test_real_weights_have_no_ranks(precall):
    rows = [(*row[:5], 0.5) for row in ROWS]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    outcome = told(precall(*BASE, "--weight", "w", "--format", "json"))
    assert outcome["scores"]["s"]["measures"]["RR"] is None
    assert outcome["scores"]["s"]["areas"]["pr davis-goadrich-discrete"] is None
    (note,) = noticed(outcome, NeedsWholeCounts)
    assert note.measures == ("R-precision", "RR") and note.context == ("s",)


def test_low_scores_may_be_good(precall):
    found = values(precall, "--lower-is-better", "--at", "threshold=0.8")
    expected = curve(LABEL, S, higher_is_better=False)
    assert found["measures"]["AUC"] == expected.area_under_roc()
    point = found["at threshold=0.8"]
    assert point["threshold"] == 0.8 and point["accepted"] == 5, "at most .8"
    assert found["measures"]["max F threshold"] == expected.max_f().threshold


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("threshold=.5", {"threshold": 0.5}),
        ("recall=.6", {"recall": 0.6}),
        ("precision=.6", {"precision": 0.6}),
        ("accept=3", {"accept": 3}),
        ("cost=fp:1,fn:20", {"cost": {"fp": 1, "fn": 20}}),
        ("threshold=inf", {"threshold": math.inf}),
        ("accept=0", {"accept": 0}),
        ("fpr=.4", {"fpr": 0.4}),
        ("specificity=.6", {"specificity": 0.6}),
        ("max=YoudenJ", {"max": "YoudenJ"}),
        ("fpr=0", {"fpr": 0}),
    ],
)
def test_chosen_points(precall, typed, given):
    found = values(precall, "--at", typed)[f"at {typed}"]
    point = curve(LABEL, S).at(**given)
    for name in ("tp", "fp", "fn", "tn", "precision", "recall"):
        value = getattr(point, name)
        assert found[name] == (value if value == value else None)
    assert found["threshold"] == (point.threshold if math.isfinite(point.threshold) else "inf")
    # Data has it by LingPipe's name, too.
    assert (
        found["specificity"]
        == found["rejection recall"]
        == point.specificity
        == point.rejection_recall
    )
    assert found["F"] == point.f()
    assert found.get("cost") == (point.value if "cost" in given else None)


def test_one_number_is_printed_by_one_name(precall):
    asked = ["--at", "recall=.6", "-m", "Specificity", "-m", "Accuracy", "-m", "MCC"]
    lines = [
        line.rpartition(" ")[0].strip() for line in precall(*BASE, *asked, "--all").out.splitlines()
    ]
    assert [lines.count(name) for name in ("specificity", "accuracy", "MCC")] == [1, 1, 1]
    assert not {"Specificity", "Accuracy", "rejection recall"} & set(lines)


def test_a_point_that_is_never_reached_is_undefined_and_said(precall):
    outcome = told(precall(*BASE, "--missed", "3", "--at", "recall=.9", "--format", "json"))
    assert outcome["scores"]["s"]["at recall=.9"]["tp"] is None
    assert noticed(outcome) == noticed(outcome, NeverReached)
    assert noticed(outcome) == [NeverReached("", "recall=.9", 0.5).within("s")]


def test_groups_and_their_mean(precall):
    whole = told(precall(*BASE, "--group", "fold", "--format", "json"))
    assert list(whole["groups"]) == ["x", "y"]
    parts = {}
    for name in "xy":
        rows = [i for i, row in enumerate(ROWS) if row[4] == name]
        parts[name] = curve([LABEL[i] for i in rows], [S[i] for i in rows])
        assert whole["groups"][name]["s"]["measures"]["AP"] == parts[name].average_precision()
    mean = whole["mean"]["s"]
    assert mean["measures"]["AUC"] == pytest.approx(
        np.mean([c.area_under_roc() for c in parts.values()])
    )
    assert mean["counts"]["cases"] == 6 and mean["counts"]["relevant"] == 3
    assert "max F threshold" not in mean["measures"], "thresholds are not averaged"
    assert whole["conventions"]["undefined"] == "zero" and not noticed(whole)


def test_groups_in_which_something_is_undefined(precall):
    rows = [*ROWS, (0, "no", 0.5, 1.0, "z", 1)]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")

    def mean(policy):
        found = told(precall(*BASE, "--group", "fold", "--undefined", policy, "--format", "json"))
        assert found["groups"]["z"]["s"]["measures"]["AUC"] is None
        told_of = [note for note in noticed(found, UndefinedIn) if note.policy == policy]
        assert told_of and all((note.undefined, note.noun) == (1, "group") for note in told_of)
        return found["mean"]["s"]["measures"]

    zero, omitted = mean("zero"), mean("omit")
    # By chance an area under ROC is .5: 0 would be worse.
    assert zero["AUC"] == omitted["AUC"] and zero["AP"] == pytest.approx(omitted["AP"] * 2 / 3)
    refused(
        precall(*BASE, "--group", "fold", "--undefined", "error"),
        r"cases\.csv: s: .* is undefined in 1 of 3 groups; pass --undefined zero\|omit.*",
    )


def test_points_that_some_groups_never_reach(precall):
    weights = ("1", "1", "1", "1", "0", "1")
    rows = [
        (*row[:4], fold, weight) for row, fold, weight in zip(ROWS, "xxyyzz", weights, strict=True)
    ]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    options = (
        "--group",
        "fold",
        "--weight",
        "w",
        "--at",
        "recall=1",
        "--at",
        "accept=0",
        "--format",
        "json",
    )
    found = told(precall(*BASE, *options))
    assert found["groups"]["z"]["s"]["at recall=1"]["tp"] is None
    assert found["mean"]["s"]["at recall=1"]["tp"] == 2, "counts are summed where there are any"
    never = NeverReached("", "recall=1", None, "nothing is relevant there").within("s, group z")
    assert never in noticed(found, NeverReached)
    undefined = {
        note.measures: (note.undefined, note.noun, note.policy)
        for note in noticed(found, UndefinedIn)
    }
    (of_recall,) = [
        each for measures, each in undefined.items() if "at recall=1" in " ".join(measures)
    ]
    assert of_recall == (1, "group", "zero")
    assert undefined["AUC", "roc trapezoid", "roc step"] == (1, "group", "left out")
    assert undefined[("at accept=0 precision",)] == (3, "groups", "zero")


def test_groups_of_numbers_are_in_their_order(precall):
    rows = [(*row[:4], fold, 1) for row, fold in zip(ROWS, (10, 10, 9, 9, 9, 10), strict=True)]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    assert list(told(precall(*BASE, "--group", "fold", "--format", "json"))["groups"]) == [
        "9",
        "10",
    ]


@pytest.mark.parametrize("form", names())
@pytest.mark.parametrize("options", [(), ("--group", "fold")])
def test_every_form(precall, form, options):
    outcome = precall(*BASE, "--score", "t", *options, "--at", "recall=.5", "--format", form)
    assert outcome.code == 0 and outcome.err == "" and outcome.out.endswith("\n")
    assert form != "table" or max(map(len, outcome.out.splitlines())) <= 80


def test_the_best_score_is_marked(precall):
    out = precall(*BASE, "--score", "t").out
    assert re.search(r"^AP +0\.\d{4} +1?0?\.\d{4}\*$", out, re.MULTILINE), out
    assert "* best of its line" in out
    line = re.search(r"^cases.*$", out, re.MULTILINE)[0]
    assert "*" not in line
    assert "*" not in precall(*BASE).out, "one score has nothing to be compared with"
    assert "**" in precall(*BASE, "--score", "t", "--format", "markdown").out
    assert r"\textbf{" in precall(*BASE, "--score", "t", "--format", "latex").out


def test_least_cost_is_best(precall):
    out = precall(*BASE, "--score", "t", "--at", "cost=fp:1,fn:20").out
    assert (
        re.search(r"^cost +3 +0\*$", out, re.MULTILINE)
        or "*" in re.search(r"^cost.*$", out, re.M)[0]
    ), out


def test_csv_is_tidy(precall):
    out = precall(*BASE, "--score", "t", "--group", "fold", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["format"] for row in rows} == {"precall.curve/2"}
    assert {row["score"] for row in rows} == {"s", "t"}
    keys = [
        tuple(row[name] for name in ("score", "group", "section", "measure", "aggregate"))
        for row in rows
    ]
    assert len(keys) == len(set(keys))
    assert {row["aggregate"] for row in rows} == {"", "mean", "sum"}
    one = next(
        row
        for row in rows
        if row["measure"] == "AP" and row["group"] == "y" and row["score"] == "t"
    )
    assert float(one["value"]) == curve([1, 0, 0], [4, 2, 0.5]).average_precision()


def test_conventions_are_said(precall):
    said = told(precall(*BASE, "--weight", "w", "--lower-is-better", "--format", "json"))
    assert said["format"] == "precall.curve/2"
    expected = {"file": "cases.csv", "label": "label", "weight": "w", "good": "low scores"}
    assert expected.items() <= said["conventions"].items()
    assert "expected" in said["conventions"]["ties"]


def frame():
    polars = pytest.importorskip("polars")
    return polars.DataFrame({name: [row[i] for row in ROWS] for i, name in enumerate(NAMES)})


def write(form, path):
    if form == "parquet":
        frame().write_parquet(path)
    elif form == "arrow":
        frame().write_ipc(path)
    elif form == "jsonl":
        lines = [json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in ROWS]
        Path(path).write_text("".join(lines), encoding="utf-8")
    else:
        Path(path).write_text(text("\t" if form == "tsv" else ","), encoding="utf-8")


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("archive", ["", ".gz", ".zst"])
def test_every_input(precall, form, archive):
    path = f"x.{form}"
    write(form, path)
    if archive == ".gz":
        Path(path + archive).write_bytes(gzip.compress(Path(path).read_bytes()))
    elif archive == ".zst":
        Path(path + archive).write_bytes(zstd(Path(path).read_bytes()))
    base = ("curve", path + archive, "--label", "label", "--score", "s")
    assert values(precall, base=base) == values(precall)
    Path(path + archive).rename("unnamed")
    base = ("curve", "unnamed", "--label", "label", "--score", "s")
    if archive == "":
        assert values(precall, "--input-format", form, base=base) == values(precall)
        refused(
            precall(*base), r"unnamed: its name ends like no table's; give --input-format csv\|.*"
        )
        Path("unnamed").rename("sheet.xlsx")
        base = ("curve", "sheet.xlsx", "--label", "label", "--score", "s")
        refused(precall(*base), r"sheet\.xlsx: \.xlsx is not read; save the sheet as CSV")


def test_narrow_scores_stay_narrow(precall):
    polars = pytest.importorskip("polars")
    score = np.array([0.1, 0.1 + 1e-9, 0.3], np.float32)
    polars.DataFrame({"y": [True, False, True], "s": score}).write_parquet("x.parquet")
    found = told(precall("curve", "x.parquet", "--label", "y", "--score", "s", "--format", "json"))
    assert found["scores"]["s"]["counts"]["thresholds"] == 2


@pytest.mark.nightly
def test_standard_input(process):
    options = ("--label", "label", "--score", "s", "--format", "csv")
    outcome = process("curve", "-", "--input-format", "csv", *options, stdin=text())
    assert outcome.code == 0 and outcome.out == process("curve", "cases.csv", *options).out
    refused(
        process("curve", "-", *options, stdin=text()),
        "standard input: its format .*; give --input-format .*",
    )
    bad = process("curve", "-", "--input-format", "csv", *options, stdin="label,s\n1,x\n")
    refused(bad, "standard input:2: column 's': score 'x' is not a number; write .*")


def test_output_is_a_file(precall):
    printed = precall(*BASE, "--format", "json").out
    assert precall(*BASE, "--format", "json", "-o", "c.json") == (0, "", "")
    assert Path("c.json").read_text(encoding="utf-8") == printed


def test_hostile_names(precall):
    columns = ["label", "a|b", "x,y", "50%_\x1b[2J", "g", "w"]
    rows = [
        (one, t, s, t, group, 1)
        for (one, _, s, t, _, _), group in zip(ROWS, ["$&", '"q"'] * 3, strict=True)
    ]
    with Path("x.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    for form in names():
        outcome = precall(
            "curve",
            "x.csv",
            "--label",
            "label",
            "--score",
            "x,y",
            "--score",
            "a|b",
            "--score",
            columns[3],
            "--group",
            "g",
            "--format",
            form,
        )
        assert outcome.code == 0, outcome.err
        # JSON and CSV keep names as they are; in JSON the escape is written \u001b.
        assert form == "csv" or "\x1b" not in outcome.out
    assert {
        row["score"]
        for row in csv.DictReader(
            io.StringIO(
                precall(
                    "curve", "x.csv", "--label", "label", "--score", "x,y", "--format", "csv"
                ).out
            )
        )
    } == {"x,y"}


@pytest.mark.nightly
def test_the_examples_of_the_help_run(process):
    # Risks in 0..1, and patients.
    rows = [
        (row[1], row[0], row[2], row[3], row[4], (i % 7) / 7, f"p{i}") for i, row in enumerate(ROWS)
    ]
    Path("cases.csv").write_text(
        text(rows=rows, names=["kind", "y", "s", "t", "fold", "risk", "patient"]), encoding="utf-8"
    )
    examples = re.findall(
        r"^ +(?:zcat .* \| )?precall (curve .*)$", process("curve", "--help").out, re.MULTILINE
    )
    assert len(examples) == 20
    for example in examples:
        stdin = Path("cases.csv").read_text(encoding="utf-8") if " - " in example else ""
        outcome = process(*shlex.split(example), stdin=stdin)
        assert outcome.code == 0, (example, outcome.err)


@pytest.mark.parametrize("command", ["curve", "decisions", "categories"])
def test_help_does_not_wait_for_numpy(process, command):
    import subprocess

    from tests.cli.conftest import HOME

    script = (
        f"import sys\nfrom precall.cli.main import run\nrun(['{command}', '--help'])\n"
        "sys.exit('numpy' in sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, env={"PYTHONPATH": HOME}
        ).returncode
        == 0
    )


def test_nothing_is_warned_of_twice(precall):
    with warnings.catch_warnings():
        warnings.simplefilter("error", PrecallWarning)
        rows = [*ROWS, (0, "no", 0.5, 1.0, "z", 1)]
        Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
        assert precall(*BASE, "--group", "fold").err == ""


def test_results_echo_no_option_of_any_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Errors cut what they quote; headings and the last line of results did not."""
    column, digits = "x" * 5000, "0" * 5000
    path = tmp_path / "cases.csv"
    path.write_text(f"{column},s\n1,3\n0,2\n1,1\n")
    at = [f"threshold=0.{digits}1", f"recall=0.5{digits}"]
    words = ["curve", str(path), "--label", column, "--score", "s"]
    assert run([*words, *(word for one in at for word in ("--at", one))]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) < 400 and "(5,000 characters)" in printed
    assert run([*words, "--at", at[0], "--format", "json"]) == 0
    assert column in capsys.readouterr().out
