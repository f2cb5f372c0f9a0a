"""MS MARCO's own files, which have no heading: qrels of four columns with tabs, and runs of query,
passage and rank, whatever the ending of their name.

They were refused, with a line of awk that made TREC text of them.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import NoGrades, NoHeading, RankAsScore
from tests.noticed import noticed

#: The layout of qrels.dev.small.tsv, and of the run that its script measures.
JUDGED = "300674\t0\t7067032\t1\n125705\t0\t7067056\t1\n94798\t0\t7067181\t1\n"
RANKED = "300674\t7067032\t1\n300674\t99\t2\n125705\t98\t1\n125705\t7067056\t2\n94798\t5\t1\n"
#: MRR@10 over the three queries.
VALUE = pytest.approx((1 + 1 / 2 + 0) / 3)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.dev.small.tsv").write_text(JUDGED, encoding="utf-8")
    for name in ("run.tsv", "run.txt", "run"):
        Path(name).write_text(RANKED, encoding="utf-8")
    Path("blanks.txt").write_text(RANKED.replace("\t", " "), encoding="utf-8")
    Path("run.csv").write_text(RANKED.replace("\t", ","), encoding="utf-8")
    Path("crlf.tsv").write_bytes(RANKED.replace("\n", "\r\n").encode())
    Path("run.tsv.gz").write_bytes(gzip.compress(RANKED.encode()))


@pytest.mark.parametrize(
    "name", ["run.tsv", "run.txt", "run", "blanks.txt", "run.csv", "crlf.tsv", "run.tsv.gz"]
)
@pytest.mark.parametrize("kernel", ["native", "twin"])
def test_they_are_read(name: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECALL_KERNEL", kernel)
    report = pc.evaluate("qrels.dev.small.tsv", name, "RR@10")
    assert report["RR@10"] == VALUE
    assert [note.columns for note in noticed(report, NoHeading)] == [
        "topic, ignored, item, grade",
        "query, passage, rank",
    ]
    assert len(noticed(report, RankAsScore)) == 1


def test_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["run.tsv"],
        ["run.tsv", "--input-format", "trec"],
        ["run", "--input-format", "tsv"],
        ["-"],
        ["-", "--input-format", "tsv"],
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RANKED.encode())))
        typed = ["eval", "qrels.dev.small.tsv", *words, "-m", "RR@10", "--format", "csv"]
        assert run(typed) == 0
        (line,) = [row for row in capsys.readouterr().out.splitlines() if ",mean," in row]
        assert float(line.partition(",mean,")[2].split(",")[0]) == VALUE


@pytest.mark.parametrize(
    "lines",
    [
        "1\t7\t3\n1\t8\t2\n1\t9\t1\n",  # whole scores
        "1\t7\t1\n1\t8\t3\n",  # a rank is missing, or these are scores
        "1\t7\t0\n1\t8\t1\n",
        "1\t7\t1\n1\t7\t2\n",
        "1\t7\t1\n1\t\t2\n",
        "1\t7\t1\n1\t8\n",
        "1\t7\t0.9\n1\t8\t0.8\n",
    ],
)
@pytest.mark.parametrize("ending", ["tsv", "txt"])
def test_what_may_be_something_else_is_refused(lines: str, ending: str) -> None:
    Path(f"x.{ending}").write_text(lines, encoding="utf-8")
    with pytest.raises(pc.DataError):
        pc.read_run(f"x.{ending}")


def test_a_table_with_a_heading_is_read_by_its_names() -> None:
    Path("named.tsv").write_text("qid\tdocid\trank\n1\t7\t1\n", encoding="utf-8")
    assert pc.read_run("named.tsv").topics.tolist() == ["1"]
    Path("named.tsv").write_text("qid\tq0\tdocid\trel\n1\t0\t7\t1\n", encoding="utf-8")
    assert pc.read_qrels("named.tsv").topics.tolist() == ["1"]


def test_the_qrels_have_a_format_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    """--input-format was that of both; a name that tells nothing needs one of its own."""
    Path("judged").write_text("qid,docid,rel\n300674,7067032,1\n", encoding="utf-8")
    for name in ("ranked", "other"):
        Path(name).write_text("qid\tdocid\tscore\n300674\t7067032\t2\n", encoding="utf-8")
    words = ["judged", "ranked", "--qrels-format", "csv", "--input-format", "tsv", "-m", "RR"]
    assert run(["eval", *words, "--format", "csv"]) == 0
    assert ",1.0," in capsys.readouterr().out
    assert run(["report", *words, "-o", "page.html"]) == 0
    assert run(["compare", *words, "other"]) == 0


#: The layout of the reference that msmarco_eval.py takes: query and relevant passage.
PAIRS = "300674\t7067032\n125705\t7067056\n125705\t11\n94798\t7067181\n"


@pytest.mark.parametrize("kernel", ["native", "twin"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("reference.tsv", PAIRS),
        ("reference.csv", PAIRS.replace("\t", ",")),
        ("reference", PAIRS),
        ("blanks.txt", PAIRS.replace("\t", " ")),
        ("crlf.tsv", PAIRS.replace("\n", "\r\n")),
        ("end.tsv", PAIRS.rstrip("\n") + "\n\n"),
    ],
)
def test_references_are_pairs(
    name: str, text: str, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """microsoft/MSMARCO-Passage-Ranking#9: its documentation has references of two columns. They
    were refused, as they have no grades.
    """
    monkeypatch.setenv("PRECALL_KERNEL", kernel)
    Path(name).write_bytes(text.encode())
    report = pc.evaluate(name, "run.tsv", "RR@10")
    assert report["RR@10"] == VALUE
    assert noticed(report, NoHeading)[0].columns == "query, passage"
    assert len(noticed(report, NoGrades)) == 1
    assert pc.read_qrels(name).grade.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("names.tsv", "query-id\tcorpus-id\n1\t10\n"),
        ("ids.txt", "q1 d1\nq2 d2\n"),
        ("three.tsv", "1\t10\n2\t20\t1\n"),
        ("twice.tsv", "1\t\n"),
    ],
)
def test_other_pairs_are_refused(name: str, text: str) -> None:
    Path(name).write_text(text)
    if name == "names.tsv":  # a table without grades
        assert pc.read_qrels(name).grade.tolist() == [1]
        return
    with pytest.raises(pc.DataError):
        pc.read_qrels(name)
