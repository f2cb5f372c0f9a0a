"""Results of lists of ids speak of queries, gold and systems: one fact among the conventions says
so, and all that is made of a report follows it.
"""

from __future__ import annotations

import html
import json
import pickle
import re
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import note_from_json
from precall.core.notes.of_reading import AllTopicsCount
from precall.core.notes.of_runs import MissingTopics
from precall.core.vocabulary import LISTS, RUNS, vocabulary_of
from precall.evaluation.api import DEFAULT, OF_LISTS
from precall.testing import assert_not_worse
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

GOLD = {"q1": ["d1", "d2"], "q2": ["d7"], "q3": ["d4"]}
RETRIEVED = {"q1": ["d9", "d1", "d2"], "q2": ["d7", "d8"]}
OTHER = {"q1": ["d1"], "q2": ["d8"], "q3": ["d4"]}
QRELS = {topic: dict.fromkeys(items, 1) for topic, items in GOLD.items()}
SCORES = {"q1": {"d9": 1.0, "d1": 1.0}, "q2": {"d7": 0.5}}
#: Words of TREC that lists do not have.
FOREIGN = re.compile(r"\b(topics?|qrels|docno|grades?|scores float64|runs?)\b", re.IGNORECASE)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two systems, each in a file of rows with lists."""
    paths = []
    for name, lists in (("old", RETRIEVED), ("new", OTHER)):
        path = tmp_path / f"{name}.jsonl"
        rows = [
            {"query": query, "retrieved": lists.get(query, []), "gold": gold}
            for query, gold in GOLD.items()
        ]
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        paths += ["--lists", str(path)]
    return paths


def test_the_fact_travels_with_the_conventions() -> None:
    report = pc.evaluate(GOLD, {"a": RETRIEVED, "b": OTHER}, ["MRR"])
    compared = pc.compare(report)
    for conventions in (report.conventions, compared.conventions, compared.sheet().conventions):
        assert vocabulary_of(conventions) is LISTS
    assert vocabulary_of(pc.evaluate(QRELS, SCORES, ["MRR"]).conventions) is RUNS
    assert compared.unit == "queries"


def test_the_last_line_has_what_lists_have() -> None:
    def last_line(gold: object, retrieved: object, **choices: object) -> list[str]:
        report = pc.evaluate(gold, retrieved, ["MRR"], **choices)
        return [part.split()[0] for part in report.signature.split(" | ")]

    assert last_line(GOLD, RETRIEVED) == ["precall", "lists", "undefined", "kernel"]
    assert last_line(QRELS, RETRIEVED) == ["precall", "gold", "undefined", "kernel"]
    # Scores may be equal, so their order is a convention.
    assert "ties" in last_line(GOLD, SCORES)
    assert {"topics", "grade"} <= {*last_line(GOLD, RETRIEVED, topics="both", grade=2)}


@pytest.mark.parametrize(("gold", "retrieved"), [(GOLD, RETRIEVED), (QRELS, RETRIEVED)])
def test_whole_lists_are_measured(gold: object, retrieved: object) -> None:
    report = pc.evaluate(gold, retrieved)
    assert report.heads == OF_LISTS
    assert [report[name] for name in ("Recall", "MRR", "HitRate")] == [2 / 3, 0.5, 2 / 3]
    assert pc.compare(gold, {"a": retrieved, "b": OTHER}).verdicts.keys() == {*report.measures}


def test_runs_are_measured_as_before() -> None:
    assert pc.evaluate(QRELS, SCORES).heads == DEFAULT


def test_lists_without_a_name() -> None:
    assert [run.name for run in pc.evaluate(GOLD, RETRIEVED).runs] == ["retrieved"]
    assert [run.name for run in pc.evaluate(QRELS, SCORES).runs] == ["run"]
    rows = [{"query": "q", "retrieved": ["a"], "gold": ["a"]}]
    assert pc.read_lists(rows)[1].name == "retrieved"


def test_older_baselines_of_lists_are_compared(tmp_path: Path) -> None:
    """They say neither that these are lists, nor that there are no scores."""
    report = pc.evaluate(GOLD, RETRIEVED, ["MRR"])
    assert_not_worse(report, tmp_path / "base.json", update=True)
    lines = (tmp_path / "base.json").read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(lines).replace('"input": "lists", ', "").replace('"none"', '"float64"')
    assert text != "".join(lines)
    (tmp_path / "base.json").write_text(text, encoding="utf-8")
    assert assert_not_worse(report, tmp_path / "base.json").passed


def test_notes_keep_their_words() -> None:
    report = pc.evaluate(GOLD, RETRIEVED, ["MRR"])
    assert noticed(report, AllTopicsCount)
    (missing,) = noticed(report, MissingTopics)
    for copy in (pickle.loads(pickle.dumps(missing)), note_from_json(missing.to_dict())):
        assert copy == missing and copy.vocabulary is LISTS
    assert "queries of the gold" in missing and missing.within("a").vocabulary is LISTS
    assert missing.in_words_of(RUNS) == MissingTopics("retrieved", 1, 3) != missing


@pytest.mark.parametrize(
    "command",
    [
        ["eval"],
        ["eval", "--interval", "-q"],
        ["compare", "--all", "-q"],
        ["compare", "--fail-if-worse", "any", "-m", "MRR", "--all"],
        ["compare", "--format", "latex"],
        ["eval", "--format", "markdown"],
    ],
    ids=" ".join,
)
def test_no_foreign_words(
    command: list[str], files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, *files]) == 0
    assert FOREIGN.findall(capsys.readouterr().out) == []


@pytest.mark.parametrize("kind", ["differences", "scatter"])
def test_pictures_of_lists(kind: str) -> None:
    text = pytest.importorskip("matplotlib.text")
    from precall.plot.from_result import display_of_comparisons

    report = pc.evaluate(GOLD, {"a": RETRIEVED, "b": OTHER}, ["MRR"])
    figure = display_of_comparisons(pc.compare(report), report, kind).figure_
    seen = " ".join(each.get_text() for each in figure.findobj(text.Text))
    assert "quer" in seen and FOREIGN.findall(seen) == []


def test_no_foreign_words_on_pages(files: list[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run(["report", *files, "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
    attributes = re.findall(r'(?:aria-label|title)="(.*?)"', text)
    seen = html.unescape(" ".join([re.sub(r"<[^>]+>", " ", text), *attributes]))
    assert "queries" in seen and FOREIGN.findall(seen) == []


@pytest.mark.parametrize(
    "row",
    [
        {"query": "a", "retrieved": ["x", "x"], "gold": ["x"]},
        {"query": "a", "retrieved": ["x", ""], "gold": ["x"]},
        {"query": "a", "retrieved": [1.5], "gold": ["x"]},
        {"query": "a", "retrieved": "x", "gold": ["x"]},
    ],
)
def test_problems_of_lists_speak_of_queries(row: dict[str, object]) -> None:
    with pytest.raises(pc.DataError) as caught:
        pc.read_lists([row])
    assert "topic" not in str(caught.value) and "run" not in str(caught.value)
    if row["retrieved"] != "x":
        assert "query 'a'" in str(caught.value)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_refusals_of_lists_speak_of_systems() -> None:
    report = pc.evaluate(GOLD, {"a": RETRIEVED, "b": OTHER}, ["MRR"])
    with pytest.raises(pc.UsageError, match="the systems are a, b"):
        pc.compare(report, baseline="c")
    one = {"q": ["x"]}
    compared = pc.compare(pc.evaluate(one, {"a": one, "b": one}, ["MRR"]))
    assert "topic" not in str(compared)
