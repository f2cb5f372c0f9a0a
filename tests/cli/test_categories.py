"""`precall categories`: every option, form and error; the values are those of the Python API."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from precall.core.notes.of_decisions import ItemsSeen, LearnedHere, PairsWithoutItems, UndefinedIn
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.hard_decisions import categorize
from precall.results.forms import names
from tests.cli.scored import refused, told
from tests.noticed import noticed, warned

TRUTH = ["a", "b", "b", "c", "a", "c"]
SCORES = np.array(
    [
        [0.7, 0.2, 0.1],
        [0.3, 0.4, 0.3],
        [0.5, 0.3, 0.2],
        [0.4, 0.5, 0.1],
        [0.6, 0.1, 0.3],
        [0.2, 0.2, 0.6],
    ]
)
NAMES = ["a", "b", "c"]
BASE = ("categories", "scored.csv", "--truth", "t", "--scores", "p_*")
MEASURES = ("AP", "AUC", "break-even", "max-f", "11-point")
POLICIES = ("break-even", "max-f", "fixed:0.3", "rank:1", "rank:2", "proportion", "proportion:1.5")


def written(path, truth, scores=SCORES, names=NAMES, separator=","):
    rows = [["t", "other", *(f"p_{name}" for name in names)]]
    rows += [
        [str(one), "x", *map(str, line)]
        for one, line in zip(truth, np.asarray(scores).tolist(), strict=True)
    ]
    Path(path).write_text("".join(separator.join(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(autouse=True)
def scored(folder):
    written("scored.csv", TRUTH)


def exact(value):
    return value if value == value else None


def compared(found, status, undefined="zero"):
    for measure in MEASURES:
        one = status.by_category(measure)
        # What is left out is said by a note.
        kept = "omit" if undefined == "zero" and not one.chance_is_zero else undefined
        for name, value in zip(map(str, one.names), one.values.tolist(), strict=True):
            assert found["categories"][name][measure] == exact(value)
        assert found["averages"]["macro"][measure] == one.mean(kept)
        assert found["averages"]["micro"][measure] == exact(status.micro(measure))
    for form in ("yang", "trec"):
        points = status.eleven_point(form=form, undefined=undefined)
        *levels, mean = found["eleven_point"][form].values()
        assert levels == points.tolist() and mean == pytest.approx(points.mean(), rel=1e-14)


def test_all_values_are_those_of_python(precall):
    found = told(precall(*BASE, "--format", "json"))
    status = categorize(TRUTH, SCORES, NAMES)
    compared(found, status)
    assert found["format"] == "precall.categories/2" and found["hand_till"] == status.hand_till()
    assert [row["items"] for row in found["categories"].values()] == [2, 2, 2]
    assert found["conventions"]["scores"] == "p_*" and noticed(found) == [ItemsSeen("", 6)]
    assert "thresholds" not in found and "decisions" not in found


@pytest.mark.parametrize("policy", POLICIES)
def test_policies(precall, policy):
    found = told(precall(*BASE, "--policy", policy, "--format", "json"))
    status = categorize(TRUTH, SCORES, NAMES)
    learned = status.thresholds(policy)
    assert found["thresholds"]["policy"] == policy and found["thresholds"]["kind"] == learned.kind
    assert list(found["thresholds"]["values"].values()) == learned.values.tolist()
    d = status.decide(learned)
    assert [row["TP"] for row in found["decisions"]["categories"].values()] == d.table.to_dict()[
        "tp"
    ]
    assert found["decisions"]["averages"]["micro"]["F1"] == d.f(average="micro")
    learned_here = not policy.startswith(("fixed", "rank"))
    assert bool(noticed(found, LearnedHere)) == learned_here


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("best", "--policy: got 'best', allowed are break-even, max-f, fixed:s, rank:k, .*"),
        ("rank:0", "--policy: rank:0: the rank must be an integer >= 1"),
        ("rank:x", "--policy: rank:x: 'x' is not a number"),
        ("proportion:0", "--policy: proportion:0: the factor must be > 0"),
    ],
)
def test_policies_are_refused_before_anything_is_read(precall, policy, message):
    refused(precall("categories", "missing.csv", *BASE[2:], "--policy", policy), message)


def test_several_categories_each(precall):
    sets = [{"a", "b"}, {"b"}, set(), {"c"}, {"a"}, {"c", "a"}]
    written("scored.csv", ["|".join(sorted(one)) for one in sets])
    found = told(precall(*BASE, "--separator", "|", "--format", "json"))
    compared(found, categorize(sets, SCORES, NAMES))
    assert found["hand_till"] is None
    (note,) = noticed(found, UndefinedMeasure)
    assert (note.subject, note.reason) == ("Hand-Till AUC", "needs exactly one category per item")


def test_a_category_that_no_item_has(precall):
    truth = ["a", "b", "b", "b", "a", "a"]
    written("scored.csv", truth)
    status = categorize(truth, SCORES, NAMES)
    for policy in ("zero", "omit"):
        found = told(precall(*BASE, "--undefined", policy, "--format", "json"))
        compared(found, status, policy)
        left_out = "left out" if policy == "zero" else policy
        policies = {note.measures: note.policy for note in noticed(found, UndefinedIn)}
        assert policies[("AP",)] == policy and policies[("AUC",)] == left_out
        assert {
            (note.undefined, note.total, note.noun) for note in noticed(found, UndefinedIn)
        } == {(1, 3, "categories")}
        with warned(PairsWithoutItems) as notes:
            assert found["hand_till"] == status.hand_till()
        for note in (*notes, *noticed(found, PairsWithoutItems)):
            assert (note.subject, note.undefined, note.pairs) == ("Hand-Till AUC", 2, 3)
        assert len(notes) == len(noticed(found, PairsWithoutItems)) == 1
    refused(
        precall(*BASE, "--undefined", "error"),
        r"scored\.csv: AP is undefined for 1 of 3, first 'c'; pass --undefined zero\|omit",
    )


@pytest.mark.parametrize(
    ("pattern", "header"),
    [("*", "{}"), ("p*", "p{}"), ("*_score", "{}_score"), ("s[*]", "s[{}]")],
)
def test_patterns(precall, pattern, header):
    lines = [
        ["t", *map(header.format, NAMES)],
        *([one, *map(str, row)] for one, row in zip(TRUTH, SCORES, strict=True)),
    ]
    Path("x.csv").write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")
    found = told(
        precall("categories", "x.csv", "--truth", "t", "--scores", pattern, "--format", "json")
    )
    compared(found, categorize(TRUTH, SCORES, NAMES))


def test_numbers_are_in_their_order(precall):
    written("scored.csv", [10, 9, 9, 2, 10, 2], SCORES, [10, 9, 2])
    found = told(precall(*BASE, "--format", "json"))
    assert list(found["categories"]) == ["2", "9", "10"]


def test_the_short_answer(precall):
    lines = precall(*BASE).out.splitlines()
    assert len(lines) <= 15 and lines[0].split()[:4] == ["category", "support", "AP", "AUC"]
    assert lines[5].split()[:4] == ["average", "support", "AP", "AUC"]
    assert "--all adds Hand-Till AUC" in lines[10]
    decided = precall(*BASE, "--policy", "max-f").out
    assert decided.startswith("Accuracy ") and len(decided.splitlines()) <= 26
    every = precall(*BASE, "--policy", "max-f", "--all").out
    assert "Hand-Till" not in decided.partition("--all")[0] and "Hand-Till" in every


@pytest.mark.parametrize("form", names())
@pytest.mark.parametrize("options", [(), ("--policy", "max-f"), ("--policy", "rank:1")])
def test_every_form(precall, form, options):
    outcome = precall(*BASE, *options, "--all", "--format", form)
    assert outcome.code == 0 and outcome.err == "" and outcome.out.endswith("\n")
    assert form != "table" or max(map(len, outcome.out.splitlines())) <= 80
    assert "Hand-Till" in outcome.out or form == "json"


def test_csv_is_tidy(precall):
    rows = list(
        csv.DictReader(io.StringIO(precall(*BASE, "--policy", "max-f", "--format", "csv").out))
    )
    keys = [
        tuple(row[name] for name in ("section", "category", "measure", "average")) for row in rows
    ]
    assert len(set(keys)) == len(keys)
    value = dict(zip(keys, (row["value"] for row in rows), strict=True))
    status = categorize(TRUTH, SCORES, NAMES)
    assert float(value["categories", "all", "AP", "micro"]) == status.micro("AP")
    assert float(value["categories", "all", "Hand-Till AUC", "macro"]) == status.hand_till()
    assert float(value["thresholds", "b", "score", ""]) == status.thresholds("max-f").values[1]
    assert ("eleven_point", "all", "0.5", "yang") in value and ("decisions", "c", "TP", "") in value


@pytest.mark.parametrize("form", ["tsv", "jsonl", "parquet", "arrow"])
def test_every_input(precall, form):
    path = f"x.{form}"
    columns = {"t": TRUTH, **{f"p_{name}": SCORES[:, i].tolist() for i, name in enumerate(NAMES)}}
    if form == "tsv":
        written(path, TRUTH, separator="\t")
    elif form == "jsonl":
        lines = [
            json.dumps(dict(zip(columns, row, strict=True)))
            for row in zip(*columns.values(), strict=True)
        ]
        Path(path).write_text("\n".join(lines), encoding="utf-8")
    else:
        frame = pytest.importorskip("polars").DataFrame(columns)
        getattr(frame, "write_parquet" if form == "parquet" else "write_ipc")(path)
    compared(
        told(precall("categories", path, *BASE[2:], "--format", "json")),
        categorize(TRUTH, SCORES, NAMES),
    )


@pytest.mark.nightly
def test_standard_input(process):
    options = (*BASE[2:], "--format", "csv")
    text = Path("scored.csv").read_text()
    outcome = process("categories", "-", "--input-format", "csv", *options, stdin=text)
    assert outcome.code == 0 and outcome.out == process("categories", "scored.csv", *options).out


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "q,p_a\na,1\n",
            (
                r"scored\.csv:1: no column 't', the columns are 'q', 'p_a'; name one of them with "
                r"--truth"
            ),
        ),
        (
            "t,q\na,1\n",
            r"scored\.csv:1: no column is like 'p_\*', the columns are 't', 'q'; .*--scores",
        ),
        ("t,p_a,p_a\na,1,1\n", r"scored\.csv:1: 2 columns are called 'p_a', one is allowed; .*"),
        (
            "t,p_a\na,1\nz,1\n",
            r"scored\.csv:3: column 't': category 'z' has no column of scores, .*'a'; .*",
        ),
        (
            "t,p_a\na,nan\n",
            r"scored\.csv:2: column 'p_a': score is NaN.*; give a number, or remove the item",
        ),
        ("t,p_a\na,x\n", r"scored\.csv:2: column 'p_a': score 'x' is not a number; .*"),
        ("t,p_a\na,\n", r"scored\.csv:2: column 'p_a': no value; .*"),
        ("t,p_a\n,1\n", r"scored\.csv:2: column 't': no value; .*"),
        ("", r"scored\.csv: no data line, .*"),
    ],
)
def test_problems(precall, data, message):
    Path("scored.csv").write_text(data, encoding="utf-8")
    refused(precall(*BASE), message)


def test_strange_categories_are_one_problem(precall):
    Path("scored.csv").write_text("t,p_a\n" + "z,1\ny,1\n" * 5, encoding="utf-8")
    (line,) = precall(*BASE).err.splitlines()
    assert "categories 'z', 'y' have" in line


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scores", "p"], r"--scores: got 'p'; write one \*, such as 'p\*'"),
        (["--scores", "*p*"], r"--scores: got '\*p\*'; write one \*, .*"),
        (["--separator", ""], "--separator: is empty; .*"),
        (["-o", "scored.csv"], "--output scored.csv: is also an input .*"),
    ],
)
def test_wrong_usage(precall, options, message):
    refused(precall(*BASE, *options), message)


def test_output_is_a_file(precall):
    printed = precall(*BASE, "--format", "latex").out
    assert precall(*BASE, "--format", "latex", "-o", "c.tex") == (0, "", "")
    assert Path("c.tex").read_text(encoding="utf-8") == printed


def test_the_examples_of_the_help_run(precall):
    examples = re.findall(
        r"^ +precall (categories .*)$", precall("categories", "--help").out, re.MULTILINE
    )
    assert len(examples) == 9
    written("test.csv", TRUTH)
    lines = "1,,0.9,0.1\n0,1,0.6,0.4\n,0,0.2,0.8\n1,1,0.3,0.7\n"
    Path("tox21.csv").write_text("y_a,y_b,p_a,p_b\n" + lines, encoding="utf-8")
    for example in examples:
        outcome = precall(*shlex.split(example.replace("'p*", "'p_*")))
        assert outcome.code == 0, (example, outcome.err)
