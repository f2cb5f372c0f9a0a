"""Measures of diversity from every door of runs: judgements by subtopic are read, located, cut and
averaged as judgements of items are.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, MeasureError, UsageError
from precall.core.notes.of_reading import ColumnsRead, OneSubtopic
from precall.location.subtopics import Subtopics
from precall.measures import REGISTRY
from tests.cli.conftest import folder as folder
from tests.cli.conftest import precall as precall
from tests.noticed import noticed
from tests.peers import peer
from tests.release.schemas import problems

Run = Callable[..., Any]
RECORDED = Path(__file__).parents[1] / "data" / "ir_measures"
#: A measure of each declaration.
MEASURES = [
    f"{declared.name}@3" if "cutoff" in declared.parameters else declared.name
    for declared in REGISTRY
    if declared.of is Subtopics
]
ROWS = [
    ("q1", "1", "a", 1),
    ("q1", "1", "b", 2),
    ("q1", "2", "b", 1),
    ("q1", "3", "c", 1),
    ("q1", "3", "x", 0),
    ("q2", "1", "d", 2),
    ("q2", "2", "e", 1),
    ("q3", "1", "f", 0),
    ("q4", "1", "f", 1),
]
RUN = {
    "q1": {"x": 5.0, "a": 4.0, "u": 3.5, "b": 3.0, "c": 1.0},
    "q2": {"e": 2.0, "d": 1.0},
    "q3": {"f": 1.0},
    "q9": {"f": 1.0},
}


def write_rows(path: str = "web.qrels") -> str:
    Path(path).write_text("".join(" ".join(map(str, row)) + "\n" for row in ROWS))
    return path


def write_run(path: str = "bm25.run", sign: float = 1) -> str:
    lines = (
        f"{topic} Q0 {item} 1 {sign * score} {Path(path).stem}\n"
        for topic, items in RUN.items()
        for item, score in items.items()
    )
    Path(path).write_text("".join(lines))
    return path


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("grade", [1, 2])
def test_it_is_the_measure_of_located_subtopics(name: str, grade: int) -> None:
    where = pc.locate_subtopics(ROWS, RUN, grade=grade)
    expected = dict(zip(where.topics, pc.measure(name)(where).tolist(), strict=True))
    report = pc.evaluate(ROWS, RUN, name, grade=grade)
    values = dict(zip(report.runs[0].topics, report.runs[0].values[0].tolist(), strict=True))
    assert list(values) == ["q1", "q2", "q3"]
    np.testing.assert_array_equal(list(values.values()), [expected[topic] for topic in values])
    assert report.mean[name] == pytest.approx(np.nansum(list(values.values())) / 3)


@pytest.mark.parametrize("cast", [float, np.float32, str, "{}.0".format])
def test_whole_grades_are_grades_in_every_spelling(cast: Callable[[int], Any], folder: Any) -> None:
    """1.0, which pandas makes of 1 in a column with gaps, was refused here only: grades of items
    are read by another function.
    """
    rows = [(*row[:3], cast(row[3])) for row in ROWS]
    expected = pc.evaluate(ROWS, RUN, ["alpha_nDCG@3"]).mean
    assert pc.evaluate(rows, RUN, ["alpha_nDCG@3"]).mean == expected
    frame = peer("pandas").DataFrame(rows, columns=["topic", "subtopic", "item", "grade"])
    assert pc.evaluate(frame, RUN, ["alpha_nDCG@3"]).mean == expected
    Path("web.qrels").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    assert pc.evaluate("web.qrels", RUN, ["alpha_nDCG@3"]).mean == expected


def test_the_format_of_the_judgements_is_the_one_that_was_told(folder: Any, precall: Run) -> None:
    """--qrels-format was ignored: the option came with another change than these judgements."""
    arguments = ["eval", write_rows(), write_run(), "-m", "alpha_nDCG@3", "--qrels-format"]
    assert precall(*arguments, "trec").code == 0
    assert precall(*arguments, "csv").code == 2
    Path("web.qrels").write_text(as_csv(ROWS))
    assert precall(*arguments, "csv").code == 0
    assert precall(*arguments, "trec").code == 2


HEADING = ("topic", "subtopic", "item", "grade")


def as_csv(rows: list[tuple[Any, ...]], separator: str = ",") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in [HEADING, *rows])


def _write_table(path: str, names: Sequence[str] = HEADING) -> str:
    """The judgements as a table of the format that its name tells."""
    dicts = [dict(zip(names, row, strict=True)) for row in ROWS]
    frame = peer("polars").DataFrame(ROWS, schema=list(names), orient="row")
    ending = path.rpartition(".")[2]
    if ending in ("csv", "tsv"):
        frame.write_csv(path, separator="," if ending == "csv" else "\t")
    elif ending == "gz":
        Path(path).write_bytes(gzip.compress(frame.write_csv().encode()))
    elif ending == "jsonl":
        Path(path).write_text("".join(json.dumps(row) + "\n" for row in dicts))
    elif ending == "json":
        Path(path).write_text(json.dumps(dicts))
    else:
        getattr(frame, {"parquet": "write_parquet", "arrow": "write_ipc"}[ending])(path)
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "jsonl", "json", "parquet", "arrow"])
@pytest.mark.parametrize("names", [HEADING, ("query-id", "intent", "corpus-id", "relevance")])
def test_tables(ending: str, names: Sequence[str], folder: Any, precall: Run) -> None:
    """Only lines of four fields had been read from files: of tables, each line was refused."""
    expected = pc.evaluate(ROWS, RUN, ["alpha_nDCG@3"])
    path = _write_table(f"web.{ending}", names)
    report = pc.evaluate(path, RUN, ["alpha_nDCG@3"])
    assert report.mean == expected.mean
    assert len(noticed(report, ColumnsRead)) == (names != HEADING)
    where = pc.locate_subtopics(path, RUN)
    values = pc.measure("alpha_nDCG@3")(where)[:2]
    np.testing.assert_array_equal(values, expected.runs[0].values[0][:2])
    printed = precall("eval", path, write_run(), "-m", "alpha_nDCG@3", "--format", "json")
    assert (
        json.loads(printed.out)["runs"][0]["mean"]["alpha_nDCG@3"] == expected.mean["alpha_nDCG@3"]
    )


def test_tables_with_other_names(folder: Any, precall: Run) -> None:
    """`columns` had been ignored for judgements by subtopic."""
    names = ("t", "s", "i", "g")
    path, columns = _write_table("web.csv", names), dict(zip(HEADING, names, strict=True))
    expected = pc.evaluate(ROWS, RUN, ["alpha_nDCG@3"]).mean
    assert pc.evaluate(path, RUN, ["alpha_nDCG@3"], columns=columns).mean == expected
    frame = peer("pandas").DataFrame(ROWS, columns=names)
    assert pc.evaluate(frame, RUN, ["alpha_nDCG@3"], columns=columns).mean == expected
    told = ",".join(f"{role}={name}" for role, name in columns.items())
    arguments = ["eval", path, write_run(), "-m", "alpha_nDCG@3"]
    assert precall(*arguments, "--qrels-columns", told).code == 0
    refused = precall(*arguments)
    assert refused.code == 2 and "subtopic" in refused.err and "--qrels-columns" in refused.err


def test_rows_as_dicts() -> None:
    rows = [dict(zip(HEADING, row, strict=True)) for row in ROWS]
    expected = pc.evaluate(ROWS, RUN, ["StRecall@3"]).mean
    assert pc.evaluate(rows, RUN, ["StRecall@3"]).mean == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gap.csv", "topic,subtopic,item,grade\nq1,,a,1\n"),
        ("half.csv", "topic,subtopic,item,grade\nq1,1,a,0.5\n"),
        ("ragged.csv", "topic,subtopic,item,grade\nq1,1,a\n"),
        ("null.jsonl", '{"topic": "q1", "subtopic": null, "item": "a", "grade": 1}\n'),
        ("lines.csv", "q1,1,a,1\nq2,1,b,1\n"),
        ("dict.json", '{"q1": {"a": 1}}'),
    ],
)
def test_tables_that_are_refused(name: str, text: str, folder: Any, precall: Run) -> None:
    """A missing subtopic of a data frame had been the subtopic None."""
    Path(name).write_text(text)
    refused = precall("eval", name, write_run(), "-m", "StRecall@3")
    assert refused.code == 2 and name in refused.err
    frame = peer("pandas").DataFrame([("q1", None, "a", 1)], columns=HEADING)
    with pytest.raises(DataError):
        pc.evaluate(frame, RUN, ["StRecall@3"])


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_tables_from_standard_input(
    form: str, separator: str, folder: Any, precall: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were read twice, and the second time there was nothing."""
    text = io.BytesIO(as_csv(ROWS, separator).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(text))
    typed = ("-m", "alpha_nDCG@3", "--qrels-format", form, "--format", "json")
    printed = precall("eval", "-", write_run(), *typed)
    expected = pc.evaluate(ROWS, RUN, ["alpha_nDCG@3"]).mean
    assert json.loads(printed.out)["runs"][0]["mean"]["alpha_nDCG@3"] == expected["alpha_nDCG@3"]


def test_lines_with_tabs_may_be_called_tsv(folder: Any, precall: Run) -> None:
    Path("web.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in ROWS))
    expected = pc.evaluate(ROWS, RUN, ["StRecall@3"]).mean
    assert pc.evaluate("web.tsv", RUN, ["StRecall@3"]).mean == expected


def test_a_topic_that_the_run_lacks_is_an_empty_ranking() -> None:
    report = pc.evaluate(ROWS, RUN, ["StRecall@5"], topics="qrels")
    assert report.runs[0].topics == ["q1", "q2", "q3", "q4"]
    np.testing.assert_array_equal(report.runs[0].values[0], [1, 1, np.nan, 0])
    answerable = pc.evaluate(ROWS, RUN, ["StRecall@5"], topics="answerable")
    assert answerable.runs[0].topics == ["q1", "q2", "q4"]
    # Of grade 2 and more q4 has no relevant item, and q1 only one.
    strict = pc.evaluate(ROWS, RUN, ["StRecall@5"], topics="answerable", grade=2)
    assert strict.runs[0].topics == ["q1", "q2"]


def test_rankings_are_cut_and_condensed() -> None:
    deep = {"q1": RUN["q1"]}
    where = pc.locate_subtopics(ROWS, {"q1": {"x": 5.0, "a": 4.0}})
    cut = pc.evaluate(ROWS, deep, ["alpha_DCG@9"], depth=2).mean["alpha_DCG@9"]
    assert cut == pc.measure("alpha_DCG@9")(where)[0]
    judged = {item: score for item, score in RUN["q1"].items() if item != "u"}
    condensed = pc.evaluate(ROWS, deep, ["alpha_DCG@9"], judged_only=True).mean["alpha_DCG@9"]
    where = pc.locate_subtopics(ROWS, {"q1": judged})
    assert condensed == pc.measure("alpha_DCG@9")(where)[0]


def test_ties_that_matter_are_those_of_items_with_other_subtopics() -> None:
    rows = [("q", "1", "a", 1), ("q", "1", "b", 2), ("q", "2", "c", 1)]
    alike = {"q": {"a": 1.0, "b": 1.0, "c": 0.0}}
    other = {"q": {"a": 1.0, "c": 1.0, "b": 0.0}}
    assert pc.evaluate(rows, alike, ["alpha_nDCG@3"]).runs[0].counts.tied == 0
    assert pc.evaluate(rows, other, ["alpha_nDCG@3"]).runs[0].counts.tied == 1
    assert pc.evaluate(rows, other, ["alpha_nDCG@3"], ties="input").mean["alpha_nDCG@3"] == 1


@pytest.mark.parametrize("ties", ["best", "worst", "expected", "block"])
def test_orders_by_grade_are_refused(ties: str) -> None:
    with pytest.raises(UsageError, match="allowed are docno, input, random"):
        pc.evaluate(ROWS, RUN, ["ERR_IA@3"], ties=ties)


def test_a_judgement_given_twice() -> None:
    rows = [("q", "1", "a", 0), ("q", "1", "a", 1), ("q", "2", "b", 1), ("q", "2", "b", 1)]
    run = {"q": {"a": 2.0, "b": 1.0}}
    with pytest.raises(DataError, match="twice for subtopic '1', with grades 0 and 1"):
        pc.evaluate(rows, run, ["StRecall@1"])
    recall = {
        policy: pc.evaluate(rows, run, ["StRecall@1"], duplicates=policy).mean["StRecall@1"]
        for policy in ("first", "last", "best")
    }
    # If the first counts there is only one subtopic, that of the second item.
    assert recall == {"first": 0, "last": 0.5, "best": 0.5}
    assert pc.evaluate(rows[1:], run, ["StRecall@1"]).runs[0].counts.judgements_dropped == 1


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_of_judgements(library: str) -> None:
    columns = dict(zip(("query_id", "iteration", "doc_id", "relevance"), zip(*ROWS), strict=True))  # noqa: B905
    frame = peer(library).DataFrame({name: list(column) for name, column in columns.items()})
    report = pc.evaluate(frame, RUN, ["alpha_nDCG@3"])
    assert report.mean == pc.evaluate(ROWS, RUN, ["alpha_nDCG@3"]).mean
    where = pc.locate_subtopics(frame, RUN)
    assert pc.measure("StRecall@9")(where)[0] == 1
    with pytest.raises(DataError, match="none is the subtopic"):
        pc.evaluate(frame.rename(**_renamed(library)), RUN, ["alpha_nDCG@3"])


def _renamed(library: str) -> dict[str, Any]:
    name = {"iteration": "other"}
    return {"columns": name} if library == "pandas" else {"mapping": name}


def test_one_subtopic_is_noted() -> None:
    plain = [row for row in ROWS if row[1] == "1"]
    assert noticed(pc.evaluate(plain, RUN, ["ERR_IA@3"]), OneSubtopic)
    assert not noticed(pc.evaluate(ROWS, RUN, ["ERR_IA@3"]), OneSubtopic)


def test_measures_of_items_are_measured_by_themselves() -> None:
    with pytest.raises(
        UsageError, match="ERR_IA@3 needs judgements by subtopic, AP judgements of items"
    ):
        pc.evaluate(ROWS, RUN, ["AP", "ERR_IA@3"])


@pytest.mark.parametrize(
    "call",
    [
        lambda qrels: pc.evaluate(qrels, RUN, ["ERR_IA@3"]),
        lambda qrels: pc.evaluate(pc.read_qrels(qrels), RUN, ["ERR_IA@3"]),
        lambda qrels: pc.judge(qrels, qrels, RUN, ["ERR_IA@3"]),
    ],
    ids=["dict", "read", "judge"],
)
def test_judgements_of_items_are_refused(call: Callable[[Any], Any]) -> None:
    with pytest.raises(MeasureError, match="is of judgements by subtopic"):
        call({"q1": {"a": 1, "b": 0}, "q2": {"d": 1}})


def test_bounds_over_labels_are_refused() -> None:
    with pytest.raises(MeasureError, match="no bounds over labels"):
        pc.evaluate(ROWS, RUN, ["ERR_IA@3"], unjudged="bounds")


def test_intervals_comparison_and_page(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    topics = [f"t{i:02}" for i in range(30)]
    rows = [
        (topic, str(subtopic), f"d{item}", int(rng.random() < 0.3))
        for topic in topics
        for subtopic in range(4)
        for item in range(12)
    ]
    runs = {
        name: {topic: {f"d{i}": float(rng.random()) for i in range(12)} for topic in topics}
        for name in ("one", "two")
    }
    report = pc.evaluate(rows, runs, ["alpha_nDCG@5", "ERR_IA@5"], interval=True)
    interval = report.intervals["one", "alpha_nDCG@5"]
    assert interval.low < report.mean["one", "alpha_nDCG@5"] < interval.high
    compared = pc.compare(rows, runs, ["alpha_nDCG@5"])
    of_values = pc.compare.paired(*(run.values[0] for run in report.runs), rng=0)
    assert compared.pairs[0].p == of_values.p
    page = pc.report.runs(rows, runs, tmp_path / "page.html", ["alpha_nDCG@5"])
    assert "alpha_nDCG@5" in Path(page).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["alpha_nDCG@5", "ERR_IA@5", "P_IA@5", "AP_IA", "NRBP"])
def test_the_command_has_the_numbers_of_ndeval(name: str, precall: Run) -> None:
    recorded = json.loads((RECORDED / "recorded.json").read_text())["ir_measures"]
    theirs = recorded[name]["topics"]
    rows = [line.split() for line in (RECORDED / "run.txt").read_text().splitlines()]
    # ndeval orders equal scores by id, ascending.
    rows.sort(key=lambda row: (row[0], -float(row[4]), row[2]))
    Path("a.run").write_text("".join(" ".join(row) + "\n" for row in rows))
    given = ("eval", str(RECORDED / "diversity.txt"), "a.run", "-m", name, "-q")
    document = json.loads(precall(*given, "--ties", "input", "--format", "json").out)
    assert problems(document) == []
    (run,) = document["runs"]
    ours = {topic: values[name] for topic, values in run["per_topic"].items()}
    assert len(ours) >= 5
    for topic, value in ours.items():
        assert (value or 0.0) == pytest.approx(theirs[topic], abs=1e-12), topic


def test_the_commands_read_diversity_qrels(precall: Run) -> None:
    write_rows(), write_run(), write_run("dense.run", -1)
    Path("web.qrels.gz").write_bytes(gzip.compress(Path("web.qrels").read_bytes()))
    measures = ("-m", "alpha-nDCG@20", "-m", "err-ia@20")
    plain = precall("eval", "web.qrels", "bm25.run", *measures)
    assert plain.code == 0 and "alpha_nDCG@20" in plain.out and "ERR_IA@20" in plain.out
    packed = precall("eval", "web.qrels.gz", "bm25.run", *measures).out
    assert packed.splitlines()[1] == plain.out.splitlines()[1]
    for form in ("csv", "trec", "markdown", "latex", "html"):
        found = precall("eval", "web.qrels", "bm25.run", *measures, "-q", "--format", form)
        assert found.code == 0 and found.out, (form, found.err)
    compared = precall("compare", "web.qrels", "bm25.run", "dense.run", *measures, "-q")
    assert compared.code == 0 and "alpha_nDCG@20" in compared.out
    failed = precall(
        "compare", "web.qrels", "bm25.run", "dense.run", "--fail-if-worse", "StRecall@1"
    )
    assert failed.code in (0, 1), failed.err
    for form in ("page.html",):
        made = precall("report", "web.qrels", "bm25.run", "dense.run", *measures, "-o", form)
        assert made.code == 0 and Path(form).exists(), made.err


def test_a_file_of_another_layout(precall: Run) -> None:
    write_run()
    Path("web.txt").write_text("topic,subtopic,item,grade\nq1,1,a,1\n")
    found = precall("eval", "web.txt", "bm25.run", "-m", "ERR-IA@5")
    assert found.code == 2 and "a judgement is topic, subtopic, item, grade" in found.err
    for told in (
        "judge web.qrels web.qrels bm25.run -m ERR-IA@5",
        "ranking --hits 101 -m ERR_IA@3",
    ):
        write_rows()
        assert precall(*told.split()).code == 2


@pytest.mark.parametrize("name", ["alpha-nDCG", "alpha_ndcg", "ERR-IA", "subtopic recall", "NRBP"])
def test_explain_finds_them_without_a_cutoff(name: str, precall: Run) -> None:
    found = precall("explain", name)
    assert found.code == 0, found.err
    told = " ".join(found.out.split())
    assert "topic, subtopic, item, grade" in told and "bayesian-bootstrap" in told


def test_a_run_that_is_larger_than_memory(tmp_path: Path) -> None:
    path, rng = tmp_path / "large.run", np.random.default_rng(3)
    rows = [("t0", str(i % 3), f"d{i}", 1) for i in range(0, 4000, 97)]
    scores = rng.random(4000)
    path.write_text("".join(f"t0 Q0 d{i} 1 {s:.9f} x\n" for i, s in enumerate(scores)))
    whole = pc.evaluate(rows, path, ["alpha_nDCG@50", "AP_IA"])
    parts = pc.evaluate(rows, path, ["alpha_nDCG@50", "AP_IA"], memory=160 << 20)
    np.testing.assert_array_equal(whole.runs[0].values, parts.runs[0].values)
