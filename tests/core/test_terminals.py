"""Names that a terminal would obey, and names that UTF-8 cannot encode.

Old tests had such names in ids of tables only: not in file names, columns, categories, errors,
str() and repr().
"""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.compat.trec_eval import main as trec_eval
from precall.core.errors import DataError, PrecallWarning, Problem, UsageError
from precall.measures import Example, measure
from precall.stats.intervals.interval import Interval

HOME = str(Path(pc.__file__).resolve().parent.parent)
#: Clears the screen, sets the title, and does both by single characters of the second half of
#: Latin 1.
EVIL = "e\x1b[2J\x1b]0;t\x07\x9b2J\r\u202e"
HALF = "h\udc80\ud800"


def tame(text: str) -> bool:
    """Whether a text is made of printable characters and ends of lines."""
    return all(one.isprintable() or one == "\n" for one in text)


def results(name: str) -> Iterator[tuple[str, Any]]:
    """One of every kind of result, with this name wherever a name can stand."""
    qrels = {f"{name}{i}": {"a": 1, "b": 0} for i in range(8)}
    runs = {
        f"{name}x": {q: {"a": 2.0, "b": 1.0} for q in qrels},
        f"{name}y": {q: {"a": float(i % 2), "b": 0.5} for i, q in enumerate(qrels)},
    }
    report = pc.evaluate(qrels, runs, ["RR", "P@1"])
    yield "report", report
    yield "means", report.mean
    yield "per topic", report.per_topic
    yield "run", pc.read_run(runs[f"{name}x"], name=name)
    yield "intervals", pc.interval(report)
    yield "interval", Interval(0.5, 0.25, 0.75, 0.95, "logit", name)
    compared = pc.compare(report)
    yield "comparisons", compared
    yield "comparison", compared.pairs[0]
    a, b = np.arange(9.0), np.arange(9.0) ** 1.5
    yield "paired", pc.compare.paired(a, b, names=(name, name + "2"), measure=name)
    yield "equivalence", pc.compare.equivalence(a, b, 9.0, names=(name, name + "2"), measure=name)
    decisions = pc.decisions([name, "b", name, "b"], [name, name, "b", "b"])
    yield "decisions", decisions
    yield "summary", decisions.report()
    yield "categories", pc.categorize([name, "b"], [[0.9, 0.1], [0.2, 0.8]], categories=[name, "b"])
    yield "located", pc.locate(qrels, runs[f"{name}x"])
    yield "curve", pc.curve([name, "b"], [1.0, 0.5], positive=name)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", [EVIL, HALF], ids=["evil", "half"])
def test_results_say_their_names_as_escapes(name: str) -> None:
    if name == HALF:
        # What is read is UTF-8; what is only named is not.
        found = [("run", pc.read_run({"q": {"a": 1.0}}, name=name))]
        found += [("interval", Interval(0.5, 0.25, 0.75, 0.95, "logit", name))]
        found += [("decisions", pc.decisions([name, "b"], [name, name]).report())]
    else:
        found = list(results(name))
    for kind, one in found:
        for text in (str(one), repr(one)):
            assert tame(text), (kind, text)
            text.encode()
    assert (
        sum("\\x1b[2J" in str(one) or "\\udc80" in str(one) for _, one in found) >= len(found) // 2
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_notebooks_and_pages_of_such_names(tmp_path: Path) -> None:
    for _, one in results(EVIL):
        if hasattr(one, "_repr_html_"):
            assert "\x1b" not in one._repr_html_()
    path = pc.report(
        {f"{EVIL}{HALF}": pc.curve([1, 0, 1, 0], [3.0, 2.0, 2.0, 1.0])}, tmp_path / "page.html"
    )
    assert "\x1b" not in path.read_text(encoding="utf-8")


def test_errors_and_warnings_say_escapes() -> None:
    errors: list[Callable[[], object]] = [
        lambda: pc.read_run({"q": {"a": 1.0}}, duplicates=EVIL),
        lambda: pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [EVIL]),
        lambda: pc.read_run([("q", "a", EVIL)]),
        lambda: pc.curve([EVIL, "b", "c"], [1, 2, 3]),
        lambda: pc.decisions([EVIL], [EVIL]).f(average=EVIL),
    ]
    for one in errors:
        with pytest.raises((UsageError, DataError)) as caught:
            one()
        assert tame(str(caught.value)), caught.value
    assert tame(str(DataError([Problem(EVIL, 3, EVIL, "x")])))
    assert tame(str(Problem(EVIL, 3, EVIL, "x")))
    assert tame(str(PrecallWarning(EVIL)))
    assert str(UsageError("first\nsecond")) == "first\nsecond"


def test_measures_have_names_that_can_be_found() -> None:
    """A measure of any name could be declared, and was then never found."""
    with pytest.raises(pc.MeasureError, match="is not a measure's name"):

        @measure(
            EVIL, sources=["ours"], range=(0, 1), example=Example(hits=[1], retrieved=1, value=1)
        )
        def found(hits: Any) -> Any:
            """Nothing."""
            return hits.within(1)


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """Output and errors of the command on a terminal."""
    outer, inner = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": HOME, "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "precall", *arguments],
        cwd=folder,
        stdout=inner,
        stderr=inner,
        env=environment,
    )
    os.close(inner)
    said = b""
    try:
        while piece := os.read(outer, 4096):
            said += piece
    except OSError:
        pass  # the other end is closed
    os.close(outer)
    process.wait(60)
    # What the progress bar and bold type are made of is ours.
    ours = r"\r\x1b\[\?25l|\r\x1b\[K\x1b\[\?25h|precall  \[.*?\](?=.*\r)|\x1b\[K|\x1b\[[01]m"
    return re.sub(ours, "", said.decode("utf-8", "replace").replace("\r\n", "\n"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    name = EVIL.replace("\r", "")
    (tmp_path / f"{name}.qrels").write_text(f"{name} 0 a 1\n{name} 0 b 0\n", encoding="utf-8")
    for run_name in ("x", "y"):
        (tmp_path / f"{name}{run_name}.run").write_text(
            f"{name} Q0 a 1 1.5 {name}\n", encoding="utf-8"
        )
    (tmp_path / f"{name}.csv").write_text(
        f"{name},s,t\n1,1,{name}\n0,2,b\n1,3,b\n", encoding="utf-8"
    )
    return tmp_path


@pytest.mark.nightly
@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex", "trec"])
def test_nothing_of_a_name_reaches_a_terminal(folder: Path, form: str) -> None:
    """csv, json and trec go out as they are to a pipe; on a terminal they were obeyed."""
    name = EVIL.replace("\r", "")
    inputs = [f"{name}.qrels", f"{name}x.run", f"{name}y.run"]
    said = on_a_terminal(folder, "eval", *inputs, "-m", "AP", "-q", "--format", form)
    assert "x1b" in said or "u001b" in said
    assert tame(said.replace("\t", "")), said


@pytest.mark.nightly
@pytest.mark.parametrize("form", ["csv", "trec", "json"])
def test_a_terminal_that_is_named_is_one(folder: Path, form: str) -> None:
    # Only what was not redirected was looked at: -o /dev/stdout is a device, to which names went as
    # to a file.
    name = EVIL.replace("\r", "")
    files = [f"{name}.qrels", f"{name}x.run"]
    found = on_a_terminal(
        folder, "eval", *files, "--per-topic", "--format", form, "-o", "/dev/stdout"
    )
    assert "\\x1b[2J" in found.replace("\\u001b", "\\x1b") and tame(found.replace("\t", " "))


@pytest.mark.nightly
def test_nothing_of_a_name_reaches_a_terminal_otherwise(folder: Path) -> None:
    name = EVIL.replace("\r", "")
    calls = [
        ["curve", f"{name}.csv", "--label", name, "--score", "s", "--format", "csv"],
        ["decisions", f"{name}.csv", "--truth", "t", "--predicted", "t"],
        ["decisions", f"{name}.csv", "--truth", name + "2", "--predicted", "t"],
        ["eval", f"{name}.qrels", f"{name}.none"],
        ["eval", f"{name}.qrels", f"{name}.csv"],
        ["eval", f"{name}.qrels", f"{name}x.run", "-m", name],
        ["eval", f"{name}.qrels", f"{name}x.run", "--format", name],
        ["eval", f"{name}.qrels", f"{name}x.run", "-o", f"{name}/none/x"],
        [name],
        ["report", "--from", f"{name}.csv"],
        ["trec_eval", "-q", f"{name}.qrels", f"{name}x.run"],
        ["trec_eval", "-q", f"{name}.qrels", f"{name}.none"],
    ]
    for arguments in calls:
        said = on_a_terminal(folder, *arguments)
        assert said, arguments
        assert tame(said.replace("\t", "")), (arguments, said)


def test_pipes_get_what_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    name = EVIL.replace("\r", "")
    out = folder / "out.csv"
    assert (
        run(
            [
                "eval",
                f"{name}.qrels",
                f"{name}x.run",
                "-m",
                "AP",
                "-q",
                "--format",
                "csv",
                "-o",
                str(out),
            ]
        )
        == 0
    )
    assert f",{name}," in out.read_text(encoding="utf-8")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    assert trec_eval(["-q", "-m", "map", f"{name}.qrels", f"{name}x.run"], stream, sys.stderr) == 0
    assert name.encode() in stream.buffer.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
@pytest.mark.parametrize("where", ["file", "screen"])
def test_halves_of_characters_are_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    form: str,
    where: str,
) -> None:
    """Names of files, and so of runs, may hold them; what writes UTF-8 crashed."""
    monkeypatch.chdir(tmp_path)
    Path("a.qrels").write_text("q 0 a 1\n")
    name = os.fsdecode(b"x\x80.run")
    Path(name).write_text("q Q0 a 1 1 x\n")
    arguments = ["eval", "a.qrels", name, "-m", "AP", "--format", form]
    assert run([*arguments, *(["-o", "out"] if where == "file" else [])]) == 0
    data = Path("out").read_bytes() if where == "file" else capfdbinary.readouterr().out
    text = data.decode("utf-8")
    assert "udc80" in text
    if form == "json":
        assert json.loads(text)["runs"][0]["name"] == "x\\udc80"


@pytest.mark.nightly
def test_pages_of_halves_of_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.qrels").write_text("q 0 a 1\nr 0 a 1\n")
    runs = [os.fsdecode(b"x\x80.run"), os.fsdecode(b"y\xff.run")]
    for one in runs:
        Path(one).write_text("q Q0 a 1 1 x\nr Q0 a 1 1 x\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run(["report", "a.qrels", *runs, "--chance", "none", "-o", "page.html"]) == 0
        for form in ("table", "csv", "json", "markdown", "latex", "html"):
            assert run(["report", "--from", "page.html", "--format", form, "-o", "again"]) == 0, (
                form
            )
    assert Path("again").read_bytes() == Path("page.html").read_bytes()


def test_cells_that_look_like_formulas_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decision 0009: names come back as they were read; nothing said so before."""
    import csv

    monkeypatch.chdir(tmp_path)
    topics = ["=1+1", "+1", "-1", "@x", '=HYPERLINK("x",1)', "a,b"]
    Path("a.jsonl").write_text(
        "".join(json.dumps({"topic": t, "item": "a", "grade": 1}) + "\n" for t in topics)
    )
    Path("=x.jsonl").write_text(
        "".join(json.dumps({"topic": t, "item": "a", "score": 1}) + "\n" for t in topics)
    )
    assert (
        run(["eval", "a.jsonl", "=x.jsonl", "-m", "AP", "-q", "--format", "csv", "-o", "out.csv"])
        == 0
    )
    with Path("out.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["topic"] for row in rows} == {*topics, "all"}
    assert {row["run"] for row in rows} == {"=x"}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_halves_of_characters_in_other_libraries(tmp_path: Path) -> None:
    """Tables of results crashed on their way to Polars, pandas and Arrow."""
    import pyarrow

    report = pc.evaluate(
        {f"q{i}": {"a": 1} for i in range(3)},
        pc.read_run({f"q{i}": {"a": 1.0} for i in range(3)}, name=HALF),
        ["AP"],
    )
    wanted = ["h\\udc80\\ud800"] * 3
    assert report.per_topic.to_polars()["run"].to_list() == wanted
    assert report.per_topic.to_pandas()["run"].tolist() == wanted
    assert pyarrow.table(report.per_topic)["run"].to_pylist() == wanted
    assert report.per_topic["run"] == [HALF] * 3
    for one in (report, pc.decisions([HALF, "b"], [HALF, HALF])):
        assert "udc80" in pc.report(one, tmp_path / "page.html").read_text(encoding="utf-8")
