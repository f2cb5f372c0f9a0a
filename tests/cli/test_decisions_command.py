"""`precall decisions`: every option, form and error; the values are those of the Python API."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_decisions import ItemsSeen, UndefinedIn
from precall.core.notes.of_reading import OtherLabels
from precall.hard_decisions import decisions
from precall.results.forms import names
from tests.cli.scored import refused, told
from tests.noticed import noticed, shown

TRUTH = ["a", "b", "b", "c", "a", "d"]
SAID = ["a", "b", "c", "c", "b", "a"]
HEADING = ["precision", "recall", "F1", "support", "TP", "FP", "FN", "TN"]
TRUE_SETS = [{"a", "b"}, {"b"}, set(), {"c"}]
SAID_SETS = [{"a"}, {"b", "c"}, {"c"}, {"c"}]
BASE = ("decisions", "items.csv", "--truth", "t", "--decision", "p")
TAGS = ("decisions", "tags.csv", "--truth", "t", "--decision", "p", "--separator", ";")


def written(path, truth, said, separator=","):
    rows = [("t", "p"), *zip(truth, said, strict=True)]
    Path(path).write_text(
        "".join(separator.join(map(str, row)) + "\n" for row in rows), encoding="utf-8"
    )


@pytest.fixture(autouse=True)
def items(folder):
    written("items.csv", TRUTH, SAID)
    written(
        "tags.csv",
        [";".join(sorted(s)) for s in TRUE_SETS],
        ["; ".join(sorted(s)) for s in SAID_SETS],
    )


def compared(found, d, undefined="zero"):
    """Everything that was printed is what Python says."""
    columns = ("precision", "recall", "F1", "support")
    summary = {
        name: dict(zip(columns, row, strict=True)) for name, *row in d.report(undefined).rows
    }
    for name, *counts in zip(*d.table.to_dict().values(), strict=True):
        row = found["categories"][name]
        assert [row[key] for key in ("TP", "FP", "FN", "TN")] == counts
        assert {key: row[key] for key in columns} == {
            key: value if value == value else None for key, value in summary.pop(name).items()
        }
    assert {
        average: {key: row[key] for key in columns} for average, row in found["averages"].items()
    } == summary
    # Of each category's table, N = tp + fp + fn + tn: Acc_i = (tp + tn) / N, Err_i = 1 - Acc_i,
    # E_i = 1 - F1_i.
    for row in found["categories"].values():
        cells = [row[key] for key in ("TP", "FP", "FN", "TN")]
        assert (
            row["accuracy"] == (cells[0] + cells[3]) / sum(cells) == pytest.approx(1 - row["error"])
        )
        assert row["E"] == (None if row["F1"] is None else pytest.approx(1 - row["F1"]))
    for average, row in found["averages"].items():
        assert row["accuracy"] == d.accuracy(average, undefined) == pytest.approx(1 - row["error"])
        assert row["E"] == d.e(average=average, undefined=undefined)


def test_a_second_column_is_not_left_out_in_silence(precall):
    for name in ("--decision", "--predicted"):
        lines = refused(
            precall(*BASE, name, "t"), "--decision: takes one column, got 'p and t'; .*"
        )
        assert "precall compare FILE --truth --decision --decision" in lines[0]
    refused(precall(*BASE, "--truth", "p"), "--truth: takes one column, got 't and p'; name one")
    Path("cases.csv").write_text("y,s\n1,1\n0,0\n", encoding="utf-8")
    asked = ("curve", "cases.csv", "--label", "y", "--score", "s")
    refused(precall(*asked, "--label", "s"), "--label: takes one column, .*")


def test_one_category_each(precall):
    found = told(precall(*BASE, "--format", "json"))
    d = decisions(TRUTH, SAID)
    compared(found, d)
    assert found["format"] == "precall.decisions/2"
    assert list(found["averages"]) == ["micro", "macro", "weighted"]
    assert found["measures"] == {
        "accuracy": {way: d.accuracy(way) for way in ("exact", "micro", "macro")},
        "error": {way: d.error(way) for way in ("exact", "micro", "macro")},
        "F1": {way: d.f(average=way) for way in ("macro", "macro-of-means")},
    }
    assert found["conventions"]["undefined"] == "zero" and noticed(found, ItemsSeen) == [
        ItemsSeen("", 6)
    ]
    # Nothing is said to be d.
    assert noticed(found, UndefinedIn) == [
        UndefinedIn("", ("precision",), 1, "categories", "zero", 4)
    ]


def test_several_categories_each(precall):
    found = told(precall(*TAGS, "--format", "json"))
    compared(found, decisions(TRUE_SETS, SAID_SETS))
    assert "samples" in found["averages"]


def test_lists_are_several_categories(precall):
    lines = [
        json.dumps({"t": sorted(a), "p": sorted(b)})
        for a, b in zip(TRUE_SETS, SAID_SETS, strict=True)
    ]
    Path("x.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = told(precall("decisions", "x.jsonl", *BASE[2:], "--format", "json"))
    compared(found, decisions(TRUE_SETS, SAID_SETS))
    Path("x.jsonl").write_text(
        '{"t": ["a"], "p": ["a", {"b": 1}]}\n{"t": null, "p": "b c"}\n', encoding="utf-8"
    )
    outcome = precall("decisions", "x.jsonl", *BASE[2:])
    refused(outcome, r"x\.jsonl:1: column 'p': .* is no list of labels; write labels as text")
    Path("x.jsonl").write_text(
        '{"t": ["a"], "p": ["a"]}\n{"t": null, "p": "b c"}\n', encoding="utf-8"
    )
    found = told(precall("decisions", "x.jsonl", *BASE[2:], "--format", "json"))
    assert list(found["categories"]) == ["a", "b c"]


@pytest.mark.parametrize("labels", [("1", "0"), ("1", "-1"), ("true", "false"), ("1.0", "0.0")])
def test_yes_or_no(precall, labels):
    truth, said = [1, 1, 0, 0, 1], [1, 0, 1, 0, 1]
    written("items.csv", [labels[1 - one] for one in truth], [labels[1 - one] for one in said])
    found = told(precall(*BASE, "--format", "json"))
    d = decisions(truth, said)
    compared(found, d)
    assert list(found["categories"]) == ["relevant"] and found["averages"] == {}
    assert found["measures"] == {"accuracy": {"all": d.accuracy()}, "error": {"all": d.error()}}


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.TwoWaysOfLabelsWarning")
def test_unlike_signs_are_categories(precall):
    written("items.csv", [1, 0, 1], [1, -1, -1])
    assert list(told(precall(*BASE, "--format", "json"))["categories"]) == ["-1", "0", "1"]


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.OtherLabelsWarning")
def test_one_category_against_the_rest(precall):
    found = told(precall(*BASE, "--positive", "b", "--format", "json"))
    compared(found, decisions([one == "b" for one in TRUTH], [one == "b" for one in SAID]))
    refused(
        precall(*BASE, "--positive", "q"),
        r"items\.csv: column 't': no label is 'q', the labels are 'a', 'b', 'c', 'd'; .*--positive",
    )


def test_numbers_are_in_their_order(precall):
    written("items.csv", [10, 9, 2], [9, 9, 2])
    assert list(told(precall(*BASE, "--format", "json"))["categories"]) == ["2", "9", "10"]


def test_undefined_values(precall):
    d = decisions(TRUTH, SAID)
    for policy in ("zero", "omit"):
        found = told(precall(*BASE, "--undefined", policy, "--format", "json"))
        compared(found, d, policy)
        assert found["averages"]["macro"]["precision"] == d.precision("macro", policy)
    written("items.csv", ["a", "b"], ["a", "a"])
    refused(
        precall(*BASE, "--undefined", "error"),
        r"items\.csv: precision is undefined .* for category 'b'; pass --undefined zero\|omit",
    )


def test_averages_may_be_measures(precall):
    """Cells of a, b, c, d that are right: 4, 4, 5 and 5 of 6; their F2 is .5, .5, 5/6 (P 1/2, R 1)
    and 0.
    """
    line = (*BASE, "-m", "macro-Accuracy", "-m", "macro-F2", "-m", "MCC", "--format", "json")
    found = told(precall(*line))["measures"]
    assert found["macro-Accuracy"] == {"macro": pytest.approx(18 / 24)}
    assert found["macro-F(beta=2)"] == {"macro": pytest.approx((0.5 + 0.5 + 5 / 6) / 4)}
    assert list(found["MCC"]) == ["all"]


def test_baselines_say_what_is_undefined(precall):
    notes = noticed(told(precall(*BASE, "--baselines", "--format", "json")))
    assert UndefinedIn("", ("precision",), 4, "categories", "zero", 4).within("rejector") in notes
    assert not any("acceptor" in (note.subject, *note.context) for note in notes)


def test_the_former_name_means_the_same(precall):
    assert precall(*BASE[:-2], "--predicted", "p") == precall(*BASE)


@pytest.mark.parametrize("form", names())
@pytest.mark.parametrize("base", [BASE, TAGS], ids=["one", "several"])
def test_every_form(precall, form, base):
    outcome = precall(*base, "--format", form)
    assert outcome.code == 0 and outcome.err == "" and outcome.out.endswith("\n")
    assert form != "table" or max(map(len, outcome.out.splitlines())) <= 80
    assert form == "csv" or "macro" in outcome.out


def test_the_short_answer(precall):
    written("items.csv", [*"abc"] * 10, [*"abcabb"] * 5)
    lines = precall(*BASE).out.splitlines()
    assert len(lines) <= 15
    assert lines[0] == "Accuracy 0.8333: 25 of 30 items right."
    assert lines[2].split() == ["category", *HEADING]
    assert lines[7].split() == ["average", "precision", "recall", "F1", "support"]
    assert [line.split()[0] for line in lines[8:11]] == ["micro", "macro", "weighted"]
    assert lines[-3].startswith("--all adds ")


def test_averages_of_many_categories_come_first(precall):
    names = [f"c{i}" for i in range(21)]
    written("items.csv", names, names[::-1])
    lines = precall(*BASE).out.splitlines()
    assert lines[0] == "Accuracy 0.0476: 1 of 21 items right." and len(lines) <= 15
    assert lines[2].startswith("average ") and not any(line.startswith("c20") for line in lines)
    every = precall(*BASE, "--all").out.splitlines()
    assert every[2].startswith("average ") and any(line.startswith("c20") for line in every)
    assert str(decisions(names, names[::-1]).report()).startswith("average ")


def test_the_row_of_a_positive_label_has_its_name(precall):
    out = precall(*BASE, "--positive", "b").out
    assert re.search(r"^b +0\.5000 ", out, re.MULTILINE) and "\nrelevant" not in out
    with pytest.warns(OtherLabels.warning):
        of_python = str(decisions(TRUTH, SAID, positive="b"))
    assert re.search(r"^b +0\.5000 ", of_python, re.MULTILINE)
    # Programs find it under the same name as before.
    found = json.loads(precall(*BASE, "--positive", "b", "--format", "json").out)
    assert list(found["categories"]) == ["relevant"]


def test_notes_are_said_once(precall):
    outcome = precall(*BASE, "--positive", "b")
    found = json.loads(precall(*BASE, "--positive", "b", "--format", "json").out)
    (note,) = noticed(found, OtherLabels)
    assert shown(outcome.out, note) and not outcome.err and noticed(found, ItemsSeen)
    in_csv = precall(*BASE, "--positive", "b", "--format", "csv")
    assert shown(in_csv.out, note) and not in_csv.err


def test_the_table_shows_everything(precall):
    out = precall(*BASE, "--all").out
    assert re.search(
        r"^category +precision +recall +F1 +support +TP +FP +FN +TN$", out, re.MULTILINE
    )
    assert re.search(r"^d +undef +0\.0000 +0\.0000 +1 +0 +0 +1 +5$", out, re.MULTILINE), out
    said = (
        "accuracy (items all right)",
        "cell error (all cells)",
        "macro-F1 (mean of F1)",
        "macro-F1 (F1 of means)",
    )
    assert all(name in out for name in said)


def test_csv_is_tidy(precall):
    rows = list(csv.DictReader(io.StringIO(precall(*BASE, "--format", "csv").out)))
    keys = [(row["category"], row["measure"], row["average"]) for row in rows]
    assert len(set(keys)) == len(keys) and {row["format"] for row in rows} == {
        "precall.decisions/2"
    }
    by_key = {key: row["value"] for key, row in zip(keys, rows, strict=True)}
    d = decisions(TRUTH, SAID)
    assert float(by_key["all", "F1", "macro-of-means"]) == d.f(average="macro-of-means")
    assert float(by_key["all", "F1", "macro"]) == d.f(average="macro")
    assert by_key["d", "precision", ""] == "" and by_key["b", "TP", ""] == "1"


@pytest.mark.parametrize("form", ["tsv", "jsonl", "parquet", "arrow", "csv.gz"])
def test_every_input(precall, form):
    path = f"x.{form}"
    if form == "tsv":
        written(path, TRUTH, SAID, "\t")
    elif form == "csv.gz":
        Path(path).write_bytes(gzip.compress(Path("items.csv").read_bytes()))
    elif form == "jsonl":
        lines = [json.dumps({"t": a, "p": b}) + "\n" for a, b in zip(TRUTH, SAID, strict=True)]
        Path(path).write_text("".join(lines), encoding="utf-8")
    else:
        frame = pytest.importorskip("polars").DataFrame({"t": TRUTH, "p": SAID})
        getattr(frame, "write_parquet" if form == "parquet" else "write_ipc")(path)
    found = told(precall("decisions", path, *BASE[2:], "--format", "json"))
    compared(found, decisions(TRUTH, SAID))


@pytest.mark.nightly
def test_standard_input(process):
    options = (*BASE[2:], "--format", "csv")
    outcome = process(
        "decisions", "-", "--input-format", "csv", *options, stdin=Path("items.csv").read_text()
    )
    assert outcome.code == 0 and outcome.out == process("decisions", "items.csv", *options).out


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "t,q\na,a\n",
            (
                r"items\.csv:1: no column 'p', the columns are 't', 'q'; name one of them with "
                r"--decision"
            ),
        ),
        (
            "q,p\na,a\n",
            r"items\.csv:1: no column 't', the columns are 'q', 'p'; name one of them with --truth",
        ),
        ("t,p\na,\n", r"items\.csv:2: column 'p': no value; fill it in or remove the line"),
        ("t,p\na\n", r"items\.csv:2: 1 cell, the header has 2; .*"),
        ("", r"items\.csv: no data line, .*; check that it was written"),
    ],
)
def test_problems(precall, data, message):
    Path("items.csv").write_text(data, encoding="utf-8")
    refused(precall(*BASE), message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--separator", ""], "--separator: is empty; .*"),
        (["--separator", "none", "--positive", "e"], ".* no label is 'e', .* --positive"),
        (["-o", "items.csv"], "--output items.csv: is also an input .*"),
        (["--format", "trec"], r"Invalid value for '--format': .*; see 'precall decisions --help'"),
    ],
)
def test_wrong_usage(precall, options, message):
    refused(precall(*BASE, *options), message)


def test_one_category_of_cells_that_hold_several(precall):
    found = json.loads(precall(*TAGS, "--positive", "b", "--format", "json").out)
    compared(found, decisions(TRUE_SETS, SAID_SETS, positive="b"))
    assert "\nb " in precall(*TAGS, "--positive", "b").out
    refused(precall(*TAGS, "--positive", "B"), "--positive: no label is 'B'; .*")


def test_no_category_at_all(precall):
    Path("tags.csv").write_text('t,p\n"",""\n;,\n', encoding="utf-8")
    refused(
        precall(*TAGS),
        r"tags\.csv: column 't': no item has a category; check --truth and --separator",
    )


def test_output_is_a_file(precall):
    printed = precall(*BASE, "--format", "markdown").out
    assert precall(*BASE, "--format", "markdown", "-o", "d.md") == (0, "", "")
    assert Path("d.md").read_text(encoding="utf-8") == printed


@pytest.mark.nightly
def test_the_examples_of_the_help_run(process):
    written("items.csv", ["spam", "ham"], ["spam", "spam"])
    examples = re.findall(
        r"^ +precall (decisions .*)$", process("decisions", "--help").out, re.MULTILINE
    )
    written("rated.csv", ["low", "high"], ["mid", "high"])
    Path("claims.csv").write_text("t,p,amount\na,a,3\nb,a,2\n", encoding="utf-8")
    Path("tagged.conll").write_text("x B-X B-X\n\ny O B-X\n", encoding="utf-8")
    tags = '{"tags": ["B-X", "O"], "predicted": ["B-X", "B-X"]}\n'
    Path("tagged.jsonl").write_text(tags, encoding="utf-8")
    assert len(examples) == 11
    for example in examples:
        outcome = process(*shlex.split(example))
        assert outcome.code == 0, (example, outcome.err)


@pytest.mark.parametrize("positive", [None, "b"])
def test_bounds_beside_the_values(precall, positive):
    d = decisions(TRUE_SETS, SAID_SETS, positive=positive)
    with pytest.warns():
        known, of_mcc = pc.interval(d, level=0.9), pc.interval(d, "MCC", level=0.9)
    base = (*TAGS, *(() if positive is None else ("--positive", positive)), "-m", "MCC")
    asked = (*base, "--interval", "--level", "0.9")
    found = json.loads(precall(*asked, "--format", "json").out)
    intervals = found["intervals"]
    columns = {"precision": "precision", "recall": "recall", "F1": "f", "MCC": "MCC"}
    for name, bounds in intervals["categories"].items():
        for column, key in columns.items():
            of_one = {"MCC": of_mcc, **known} if positive else {**known}
            own = of_one[key] if positive else of_mcc[name] if key == "MCC" else of_one[name, key]
            assert [bounds[f"{column} low"], bounds[f"{column} high"]] == list(own.ends)
    assert intervals["measures"]["accuracy"] == dict(
        zip(("low", "high"), known["accuracy"].ends, strict=True)
    )
    averages = {} if positive else {"micro": "micro-f", "macro": "macro-f"}
    assert {way: bounds["F1 low"] for way, bounds in intervals["averages"].items()} == {
        way: known[key].low for way, key in averages.items()
    }
    # Nothing else is changed, and csv has the same bounds.
    plain = json.loads(precall(*base, "--format", "json").out)
    assert {key: found[key] for key in ("categories", "averages", "measures")} == {
        key: plain[key] for key in ("categories", "averages", "measures")
    }
    rows = list(csv.DictReader(io.StringIO(precall(*asked, "--format", "csv").out)))
    (low,) = {row["value"] for row in rows if row["measure"] == "accuracy low"}
    assert float(low) == known["accuracy"].low
    assert {f"{known['accuracy'].low:.4f}"} <= set(precall(*asked).out.split())


def test_bounds_that_hold_together(precall):
    """The region of recall and specificity was in Python only."""
    d = decisions(TRUE_SETS, SAID_SETS, positive="b")
    base = (*TAGS, "--positive", "b", "--interval", "--format", "json")
    with pytest.warns():
        region = pc.interval(d, ["R", "Specificity"], joint=True)
    with pytest.warns():
        chosen = pc.interval(d, ["P", "R", "NPV"], joint=True, level=0.9)
    for asked, found in (
        ((), region),
        (("-m", "P", "-m", "R", "-m", "NPV", "--level", "0.9"), chosen),
    ):
        document = json.loads(precall(*base, "--joint", *asked).out)
        bounds = document["intervals"]["measures"]
        for name, interval in found.items():
            assert list(bounds[f"{name} jointly"].values()) == list(interval.ends)
        assert "joint-region" in [note["kind"] for note in document["notes"]]
    refused(precall(*TAGS, "--positive", "b", "--joint"), "--joint: applies to intervals; add .*")
    several = "--joint: must be of several measures .* got 3 categories; .* --positive"
    refused(precall(*TAGS, "--interval", "--joint"), several)


def test_bounds_are_of_measures(precall):
    refused(precall(*BASE, "--confusion", "--interval"), "--confusion: .* leave --interval out")
    refused(precall(*BASE, "--level", "0.9"), "--level: applies to --interval; .*")


def test_labels_one_by_one(precall):
    """Only the last of several options was taken, in silence."""
    Path("claims.csv").write_text("t,p\na,a\nb,a\nc,c\n", encoding="utf-8")
    several = ("decisions", "claims.csv", "--truth", "t", "--decision", "p")
    for option in ("--labels", "--categories"):
        rest = ["c"] if option == "--categories" else []
        names = ["a", "b", *rest]
        each = [part for name in names for part in (option, name)]
        whole = precall(*several, option, ",".join(names), "--format", "json").out
        assert precall(*several, *each, "--format", "json").out == whole


def test_an_average_that_was_asked_for_is_printed(precall):
    """Its line is a detail otherwise, and `-m Hamming` printed nothing more."""
    Path("claims.csv").write_text("t,p\na,a\nb,a\nc,c\n", encoding="utf-8")
    several = ("decisions", "claims.csv", "--truth", "t", "--decision", "p")
    rows = [row.split() for row in precall(*several, "-m", "Hamming").out.splitlines()]
    assert ["Hamming", "0.2222"] in rows
    assert "cell error" not in precall(*several).out.partition("--all")[0]


def test_subset_accuracy_is_of_all_items_only(tmp_path: Path, capsys: Any) -> None:
    """The accuracy over cells stood under this name too, beside each category and average."""
    table = tmp_path / "x.csv"
    table.write_text("t,p\na,a\nb,c\nc,c\na,b\n")
    asked = ["decisions", str(table), "--truth", "t", "--decision", "p", "-m", "subset accuracy"]
    assert run([*asked, "--format", "csv"]) == 0
    rows = [line.split(",")[1:4] for line in capsys.readouterr().out.splitlines()]
    assert [way for _, measure, way in rows if measure == "subset accuracy"] == ["all"]
    assert run(asked) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split() for line in printed if "subset accuracy" in line] == [
        ["subset", "accuracy", "0.5000"]
    ]
