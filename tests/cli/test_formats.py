"""Every form of a report: kept outputs, exact values, hostile ids.

After a wanted change of an output: `PRECALL_RENEW=1 pytest tests/cli/test_formats.py`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.core.notes.of_runs import UndefinedTopics
from precall.evaluation.report import Report, RunCounts, RunValues
from precall.native import kernel_name
from precall.results.forms import in_latex, in_markdown, names, render
from precall.version import __version__
from tests.noticed import shown

#: Pages are not kept whole.
FORMATS = [name for name in names("precall.report/2") if name != "html"]
KEPT = Path(__file__).parent / "expected"
EVAL = ("eval", "news.qrels", "one.run", "two.run", "-mmap", "-mP@1", "-mRR@2", "-mE@1", "-mNumRel")


def kept(name, text):
    """Compare with the kept output; what differs between machines is named in its place."""
    text = text.replace(kernel_name(), "KERNEL").replace(__version__, "VERSION")
    path = KEPT / name
    if os.environ.get("PRECALL_RENEW"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), "keep it: PRECALL_RENEW=1 pytest tests/cli/test_formats.py"
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_averages(precall, form):
    outcome = precall(*EVAL, "--format", form)
    assert outcome.code == 0 and bool(outcome.err) == (form in ("csv", "trec"))
    kept(f"averages.{form}.txt", outcome.out)


@pytest.mark.parametrize("form", FORMATS)
def test_topics(precall, form):
    kept(f"topics.{form}.txt", precall(*EVAL, "-q", "--format", form).out)


@pytest.mark.parametrize(
    ("form", "mark"), [("table", "*"), ("markdown", "**"), ("latex", r"\textbf")]
)
def test_averages_over_different_topics_are_not_marked(precall, form, mark):
    # As many topics as one.run has, and others.
    Path("two.run").write_text(
        "".join(f"{q} Q0 a 1 3.0 two\n" for q in ("q1", "q2", "q4")), encoding="utf-8"
    )
    alike = precall(
        "eval", "news.qrels", "one.run", "two.run", "-mAP", "--topics=qrels", "--format", form
    ).out
    other = precall("eval", "news.qrels", "one.run", "two.run", "-mAP", "--format", form).out
    said = "runs are averaged over different topics and cannot be compared"
    assert mark in alike and said not in " ".join(alike.split())
    assert mark not in other and said in " ".join(other.split())


@pytest.mark.parametrize("form", ["csv", "trec"])
def test_what_a_form_has_no_place_for_goes_to_standard_error(precall, form):
    said = precall(
        "eval", "news.qrels", "one.run", "-mAP", "--format", form, "-o", "saved"
    ).err.splitlines()
    lines = [line.removeprefix("precall: note: ") for line in said]
    assert len(lines) == 5 and all(a != b for a, b in zip(lines, said, strict=True))
    assert (
        UndefinedTopics("one", ("AP",), 1, "zero") in lines
        and "ties docno | topics both" in lines[-1]
    )
    omitting = precall(
        "eval",
        "news.qrels",
        "one.run",
        "-mAP",
        "--format",
        form,
        "--undefined",
        "omit",
        "-o",
        "saved",
    )
    assert shown(omitting.err, UndefinedTopics("one", ("AP",), 1, "omit"))


def test_columns_of_the_qrels_may_have_other_names(precall):
    Path("q.csv").write_text("query,doc,rel\nq1,a,1\n", encoding="utf-8")
    Path("r.csv").write_text("qid,docno,sim\nq1,b,2\nq1,a,1\n", encoding="utf-8")
    names = [
        "--columns",
        "topic=qid,item=docno,score=sim",
        "--qrels-columns",
        "topic=query,item=doc,grade=rel",
    ]
    assert precall("eval", "q.csv", "r.csv", "-mAP", "--format", "trec", *names).out.split() == [
        "AP",
        "all",
        "0.5000",
    ]
    trec = precall("eval", "news.qrels", "r.csv", "-mAP", *names)
    assert trec.code == 2 and "--qrels-columns: the qrels are TREC text, which has none" in trec.err


def test_one_run_needs_no_marks(precall):
    kept("one.table.txt", precall("eval", "news.qrels", "one.run", "-q").out)


def test_many_measures_are_readable_in_80_columns(precall):
    wide = [f"-mnDCG(gain=exp)@{k}" for k in range(1, 12)]
    out = precall("eval", "news.qrels", "one.run", "two.run", "-q", *wide).out
    assert max(map(len, out.splitlines())) <= 80
    kept("wide.table.txt", out)


def test_options_change_what_is_averaged(precall):
    def last(*options):
        out = precall("eval", "news.qrels", "one.run", "-m", "AP", "--format", "csv", *options).out
        return float(list(csv.DictReader(io.StringIO(out)))[-1]["value"])

    assert last() == pytest.approx((7 / 12 + 1) / 3)
    assert last("--undefined", "omit") == pytest.approx((7 / 12 + 1) / 2)
    assert last("--topics", "qrels") == pytest.approx((7 / 12 + 1) / 4)
    assert last("--aggregate", "sum") == pytest.approx(7 / 12 + 1)
    assert last("--grade", "2") == pytest.approx(1 / 2 / 3)
    assert last("--depth", "1") == pytest.approx(1 / 3)
    assert last("--ties", "random", "--seed", "7") == last("--ties", "random", "--seed", "7")
    assert last("--judged-only") == last() and last("--threads", "1") == last()
    assert last("--score-dtype", "float32") == last()


def test_the_conventions_are_said(precall):
    said = json.loads(
        precall(*EVAL, "--format", "json", "--ties", "random", "--seed", "7", "--depth", "5").out
    )
    conventions = said["conventions"]
    assert (
        conventions["ties"] == "random (seed 7)"
        and conventions["depth"] == "5"
        and conventions["qrels"] == "news.qrels"
    )
    assert said["runs"][0]["counts"]["missing"] == 1 and said["runs"][0]["undefined"]["AP"] == 1


def test_runs_of_one_name_are_called_by_their_paths(precall):
    Path("a").mkdir()
    Path("a/one.run").write_text(Path("two.run").read_text(), encoding="utf-8")
    out = precall(
        "eval", "news.qrels", "one.run", "a/one.run", "two.run", "-m", "AP", "--format", "trec"
    ).out
    assert re.findall(r"runid +\tall\t(.*)", out) == ["one.run", "a/one.run", "two"]


HOSTILE = [
    "a|b",
    "$x_1^2$",
    "<b>&amp;",
    "50% #1",
    "\\end{tabular}",
    "~{}",
    "\x1b[2J",
    "two\nlines",
    "a\rb\tc",
    'say "x"',
    "all",
    "é中",
]


@pytest.fixture
def hostile(folder):
    """Topics with hostile names, as a table can hold them."""
    for name, value in (("hostile.csv", "score"), ("qrels.csv", "grade")):
        with Path(name).open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["topic", "item", value])
            rows.writerows([topic, "a", 1] for topic in HOSTILE)
    return "qrels.csv", "hostile.csv"


def test_hostile_topics_survive_data_formats(precall, hostile):
    said = json.loads(precall("eval", *hostile, "-m", "AP", "-q", "--format", "json").out)
    assert list(said["runs"][0]["per_topic"]) == HOSTILE
    text = precall("eval", *hostile, "-m", "AP", "-q", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["topic"] for row in rows if not row["aggregate"]] == HOSTILE
    assert [row["topic"] for row in rows if row["aggregate"]] == ["all"]
    lines = precall("eval", *hostile, "-m", "AP", "-q", "--format", "trec").out.split("\n")
    assert len(lines) == len(HOSTILE) + 2 and all(line.count("\t") == 2 for line in lines[:-1])


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_hostile_topics_do_not_break_documents(precall, hostile, form):
    kept(f"hostile.{form}.txt", precall("eval", *hostile, "-m", "AP", "-q", "--format", form).out)


IDS = st.text(min_size=1, max_size=8)


@pytest.mark.nightly
@given(IDS)
def test_markdown_cells_stay_cells(text):
    cell = in_markdown(text)
    assert len(cell.splitlines()) <= 1
    assert re.fullmatch(r"(\\[!-/:-@\[-`{-~]|[^\\|`*<>\[\]])*", cell), cell


@given(IDS)
def test_latex_has_no_command_but_ours(text):
    cell = in_latex(text)
    rest = re.sub(
        (
            r"\\[{}$&#%_]|\\(text[a-z]+|char34)\{\}|\\ensuremath\{\\[gl]eq\}|\{[\[\]*]\}|"
            r"(?<=-)\{\}(?=-)"
        ),
        "",
        cell,
    )
    assert not set(rest) & set(r"\{}$&#^_~%<>|" + '"') and len(cell.splitlines()) <= 1


VALUES = st.floats(allow_nan=True, allow_infinity=True, width=64)


@st.composite
def reports(draw):
    runs, topics, measures = (draw(st.integers(1, 3)) for _ in range(3))
    names = tuple(f"M{i}" for i in range(measures))

    def floats(count):
        return np.array(draw(st.lists(VALUES, min_size=count, max_size=count)))

    def run(index):
        ids = [f"t{i}" for i in range(topics)]
        values = floats(topics * measures).reshape(measures, topics)
        counts = RunCounts(topics, 0, 0, 0, 0, 0)
        return RunValues(f"run{index}", ids, values, floats(measures), (0,) * measures, counts)

    aggregates = tuple(draw(st.sampled_from(["mean", "sum"])) for _ in names)
    best = tuple(draw(st.sampled_from([1, 0, -1])) for _ in names)
    return Report(tuple(map(run, range(runs))), names, aggregates, {"precall": "0"}, {}, best)


def read(text):
    return math.nan if text == "undef" else float(text)


def same(shown, exact):
    # Rounded to four decimals; Python prints a float64 exactly, so only the fifth decimal is lost.
    return (
        shown == exact
        or (math.isnan(shown) and math.isnan(exact))
        or abs(shown - exact) <= 5e-5 * (1 + 1e-9)
    )


@given(reports())
def test_a_table_read_back_is_the_report_rounded(report):
    text = render(report.sheet(per_topic=True).sheet(verdict=""), "table", width=10_000)
    topics, averages = text.split("\n\n")[:2]
    rows = [line.split() for line in topics.splitlines()[1:]]
    for run in report.runs:
        of_run = [
            row[-len(report.measures) :]
            for row in rows
            if len(report.runs) == 1 or row[0] == run.name
        ]
        for line, column in zip(of_run, run.values.T.tolist(), strict=True):
            assert all(map(same, map(read, line), column))
    best = [
        max((v * d for v in means if v == v), default=None)
        for means, d in zip(
            np.array([run.mean for run in report.runs]).T.tolist(), report.best, strict=True
        )
    ]
    for run, line in zip(report.runs, averages.splitlines()[1:], strict=True):
        cells = line.split()[1:-1]
        assert all(map(same, (read(cell.rstrip("*")) for cell in cells), run.mean.tolist()))
        for cell, value, direction, top in zip(
            cells, run.mean.tolist(), report.best, best, strict=True
        ):
            if cell.endswith("*"):
                assert direction and value * direction == top


@given(reports())
def test_data_formats_keep_every_digit(report):
    said = json.loads(render(report.sheet(per_topic=True), "json"), parse_constant=pytest.fail)
    rows = list(csv.DictReader(io.StringIO(render(report.sheet(per_topic=True), "csv"))))

    def exact(told, value):
        if told in (None, ""):
            return math.isnan(value)
        return float(told) == value

    for run, one in zip(report.runs, said["runs"], strict=True):
        assert all(map(exact, one["mean"].values(), run.mean.tolist()))
        for topic, column in zip(run.topics, run.values.T.tolist(), strict=True):
            assert all(map(exact, one["per_topic"][topic].values(), column))
    flat = [v for run in report.runs for v in [*run.values.T.ravel().tolist(), *run.mean.tolist()]]
    assert all(map(exact, (row["value"] for row in rows), flat)) and len(rows) == len(flat)
    for line, value in zip(
        render(report.sheet(per_topic=True), "trec").splitlines(), flat, strict=False
    ):
        assert len(report.runs) > 1 or same(float(line.split("\t")[2]), value)
