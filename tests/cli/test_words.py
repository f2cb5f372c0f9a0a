"""`precall explain` knows the words of the documents, and every name that a command prints; errors
suggest by meaning.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.explanations import explain, inference_facts
from precall.cli.main import run
from precall.core.errors import MeasureError
from precall.core.notes import Note, catalogue, name_of_kind
from precall.core.text import letters
from precall.measures import REGISTRY
from precall.measures.words import word, words
from precall.results.sheets import Sheet
from tests.cli.test_both_ways import RUNS, TOPICS, data, examples  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[2]
MORE = [
    "precall curve cases.csv --label y --score s --compare s t --interval --null",
    (
        "precall curve cases.csv --label y --score s --at max=MCC --at 'max-F(beta=2)' --at "
        "accept=9 --at precision=.2 -m RR"
    ),
    "precall compare news.qrels bm25.run dense.run -m AP -m P@5 -q",
    "precall categories scored.csv --truth t --scores 'p*' --policy rcut:1 --pivot item",
    (
        "precall categories scored.csv --truth t --scores 'p*' --policy pcut --tune macro-F1 "
        "--baselines"
    ),
    "precall categories scored.csv --truth t --scores 'p*' --baselines",
    "precall categories scored.csv --truth t --scores 'p*' --policy utility:3,-2",
    "precall decisions items.csv --truth t --predicted p -m MCC -m F2",
    "precall eval news.qrels bm25.run dense.run --interval -q -m KAtRecall@0.5 -m GMAP",
    "precall null --items 30 --relevant 5 --ap .4 --published --simulate 10",
]
#: Not names, but what the files hold: scores, categories, runs, topics and their pairs.
HELD = {
    "h0",
    "h1",
    "name",
    "s",
    "t",
    "a",
    "b",
    "p",
    "q",
    "rag",
    "ranked",
    "X",
    "Y",
    "de",
    "en",
    "eggs",
    "ham",
    "spam",
    "all",
    "low",
    "mid",
    "high",
    "bus",
    "car",
    "m50",
    "m75",
    "",
    *RUNS,
    "learned",
    *TOPICS,
}
#: Columns of csv whose cells are names.
NAMES = ("measure", "section", "aggregate", "average", "statistic", "law", "kind", "quantity")


def commands() -> Iterator[list[str]]:
    for line in [*examples(), *MORE]:
        arguments = shlex.split(line.partition("| ")[2] or line)[1:]
        # What draws or simulates prints the same names, only later.
        slow = {"--plot", "10000", "-"} & {*arguments}
        if arguments[0] not in ("report", "explain", "measures", "about", "trec_eval") and not slow:
            yield [
                name
                for part in arguments
                for name in ([f"{run}.run" for run in RUNS] if part == "*.run" else [part])
            ]


def named(sheet: Sheet) -> Iterator[str]:
    """What stands in the headings and before the lines, and the columns of csv with the names in
    them.
    """
    for block in sheet.blocks:
        yield from block.heading
        yield from (line.name for line in block.lines)
    yield from sheet.columns
    yield from (
        cell
        for row in sheet.tidy
        for column, cell in zip(sheet.columns, row, strict=True)
        if column in NAMES and isinstance(cell, str)
    )


@pytest.fixture
def printed(data: Path, precall: Any, monkeypatch: pytest.MonkeyPatch) -> set[str]:  # noqa: F811
    from precall.cli import outputs

    monkeypatch.chdir(data)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("test.csv").write_text(Path("scored.csv").read_text())
    sheets: list[Sheet] = []
    monkeypatch.setattr(outputs, "write_sheet", lambda sheet, *_: sheets.append(sheet) or 0)
    for arguments in commands():
        outcome = precall(*arguments)
        assert outcome.code in (0, 1), (arguments, outcome.err)
    return {name for sheet in sheets for name in named(sheet)}


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.OtherLabelsWarning")
def test_every_name_that_is_printed_is_explained(printed: set[str]) -> None:
    assert {
        "max F threshold",
        "w-t-l",
        "TP",
        "AP by chance low",
        "macro-F1 (F1 of means)",
    } <= printed, "something is printed"
    unknown = []
    for name in sorted(printed - HELD):
        of_pair = re.fullmatch(r"(?:\w+: )?(\w+) - (\w+)", name)
        if (of_pair and {*of_pair.groups()} <= HELD) or re.fullmatch(
            r" *\d+(\.\d)?|d\d+| \.\.\.", name
        ):
            continue  # two systems; a recall, a rank; an item
        # The corner of a table of means has their number.
        name = re.sub(r"^(mean|value), \d+ \w+$", r"\1", name)
        name = re.sub(", (Zhang & Su|limit.*)$", "", name).removeprefix("asked ")
        try:
            text = explain(name)
        except MeasureError:
            unknown.append(name)
            continue
        assert max(map(len, text.splitlines())) <= 80
    assert not unknown, f"explain: {unknown}"


#: The documents' words, and what is to be told.
DOCUMENTS = {
    "BEP": "BEP",
    "break-even": "BEP",
    "interpolated BEP": "nearest",
    "AUC": "ROC",
    "accuracy": "Accuracy",
    "error": "Error",
    "micro": "sum of all categories",
    "macro": "Mean of the categories",
    "SCut": "threshold for each category",
    "RCut": "k best categories",
    "PCut": "frequent",
    "CSV threshold": "least score",
    "11-point": "IAP",
    "E": "1 - F",
    "rejection recall": "Specificity",
    "R-precision": "Rprec",
    "F1": "harmonic mean",
    "category pivoting": "ranks the items",
    "document pivoting": "ranks the categories",
    "generality": "Prevalence",
    "fallout": "Fallout",
    "utility": "Linear utility",
    "k@recall": "KAtRecall",
    "precision@recall": "PAtRecall",
    "Err": "one category's table",
    "Acc_i": "(TP + TN) / N",
    "trivial rejector": "accepts nothing",
    "effectiveness": "alpha",
    "scut": "--policy scut",
    "MAX F": "greatest F",
}


@pytest.mark.parametrize("asked", DOCUMENTS)
def test_the_words_of_the_documents(precall: Any, asked: str) -> None:
    outcome = precall("explain", *asked.split())
    assert outcome.code == 0 and DOCUMENTS[asked] in " ".join(outcome.out.split())


@pytest.mark.parametrize(
    ("asked", "meant", "never"),
    [
        ("BEPP", "BEP", "RBP"),
        ("break-evan", "BreakEven", ""),
        ("Accu", "Accuracy", "MCC"),
        ("SCut", "precall explain SCut", "SetR"),
        ("RCut", "precall explain RCut", "ROCAUC"),
        ("micro", "precall explain micro", "MRR"),
        ("miss_rate", "R", "RR"),
        ("MaxE", "MaxF", ""),
        ("false alarms", "Fallout", ""),
        ("expected reciprocal", "ERR", ""),
        ("recal", "Recall", ""),
        ("nDGC", "nDCG", "DCG,"),
        ("averaged", "precall explain averaged", "Coverage"),
        ("sensitivty", "Sensitivity", ""),
        ("interpolatd precision", "IPrec", "AP"),
        ("system of retrieval", "precall explain system", "Prevalence"),
    ],
)
def test_an_unknown_name_suggests_what_it_may_mean(asked: str, meant: str, never: str) -> None:
    with pytest.raises(MeasureError) as error:
        pc.measure(asked)
    hint = str(error.value).partition("; ")[2]
    assert re.search(rf"\b{meant}\b", hint) and not (never and never in hint)


def test_ties_have_two_senses(precall: Any) -> None:
    told = " ".join(precall("explain", "ties").out.split())
    assert (
        "items of equal score" in told.lower() and "topics in which both systems are equal" in told
    )


def test_the_table_of_words() -> None:
    for each in words():
        assert each.meaning and each.part in ("project", "documents", "printed")
        assert not each.measure or REGISTRY[each.measure].name == each.measure
        assert all(word(name) is not None for name in each.names)
    assert {"project", "documents", "printed"} == {each.part for each in words()}


@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")
def test_the_glossary_is_current(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "docs" / "word_page.py"), str(tmp_path)], check=True)
    assert (tmp_path / "glossary.md").read_text() == (ROOT / "docs" / "glossary.md").read_text(), (
        "python docs/word_page.py"
    )


@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")
def test_the_page_of_methods_is_current(tmp_path: Path) -> None:
    script = str(ROOT / "docs" / "method_page.py")
    subprocess.run([sys.executable, script, str(tmp_path)], check=True)
    kept = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
    assert (tmp_path / "methods.md").read_text(encoding="utf-8") == kept, (
        "python docs/method_page.py"
    )


@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")
def test_the_page_of_notes_is_current(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "docs" / "note_page.py"), str(tmp_path)], check=True)
    assert (tmp_path / "notes.md").read_text() == (ROOT / "docs" / "notes.md").read_text(), (
        "python docs/note_page.py"
    )


@pytest.mark.parametrize("name", ["missing-topics", "MissingTopics"])
def test_notes_are_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", name]) == 0
    told = capsys.readouterr().out
    assert (
        told.startswith("missing-topics\n")
        and "Severity     wrong" in told
        and "pc.notes.MissingTopics" in told
    )
    assert run(["explain", name, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["note"]["Severity"] == "wrong"


@pytest.mark.parametrize(
    ("text", "here"),
    [
        ("global", "global threshold"),
        ("fixed", "threshold"),
        ("11-point precision", "11-point"),
        ("prPrecisionAt", "precisionAt"),
        ("rPrecision", "R-precision"),
        ("set overlap", "overlap"),
        ("uninterpolated average precision", "AveP"),
        ("randomization", "randomization test"),
        ("median", "2.5 %"),
        ("ties that matter", "ties"),
        ("docno", "docno"),
        ("undef", "undef"),
        ("recall level", "interpolated precision"),
        ("pivot", "pivoting"),
        ("optimism", "optimism"),
        ("expected", "expected"),
    ],
)
def test_what_readers_typed_in_vain(text: str, here: str) -> None:
    known = word(text)
    assert known is not None
    assert known.names[0] == here


@pytest.mark.parametrize("kind", catalogue().values())
def test_notes_are_explained_in_any_spelling(kind: type[Note]) -> None:
    """Only the name in JSON and that of the class were known."""
    spellings = [
        kind.__name__.lower(),
        name_of_kind(kind).replace("-", "_"),
        f"pc.notes.{kind.__name__}",
        kind.warning.__name__,
        f"precall.notes.{kind.__name__}.warning",
        *kind.also,
    ]
    for name in spellings:
        # left_out is a word as well.
        assert explain(name).startswith((name_of_kind(kind), name)), name


def test_a_misspelled_note_is_led_on(precall: Any) -> None:
    assert (
        "did you mean `precall explain missing-topics`?" in precall("explain", "missing-topic").err
    )
    assert precall("explain", "few-errors").out.startswith("few-of-a-kind")


def test_every_method_is_explained() -> None:
    """What is printed beside bounds and p can be looked up."""
    from precall.stats import tests
    from precall.stats.intervals.methods import DECLARED

    names = (*DECLARED, *tests.DECLARED, *tests.CORRECTIONS)
    for name in set(names) - {"none"}:
        told = " ".join(explain(name).split())
        facts = [found for _, found in inference_facts(name)]
        assert facts, name
        assert all(text in told for found in facts for text in found.values())


def test_no_measure_is_called_like_a_kind_of_note() -> None:
    """So that a kind is found without looking for measures that are spelled alike."""
    kinds = {letters(name) for kind in catalogue().values() for name in (kind.__name__, *kind.also)}
    measures = {letters(name) for each in REGISTRY for name in (each.name, *each.aliases)}
    assert kinds.isdisjoint(measures)
