"""Every item of the documents: from where it stands, by the call and the command, to its number."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from precall.cli.explanations import explain
from precall.cli.main import run
from tests.documents.items import Item, Source
from tests.documents.page import PAGE, page
from tests.documents.sources import SOURCES

CASES = [
    pytest.param(source, item, id=f"{source.title.partition(':')[0]}: {number} {item.name}")
    for source in SOURCES
    for number, item in enumerate(source.items)
]
COMMANDS = {
    (source.title, item.command): source
    for source in SOURCES
    for item in source.items
    if item.command
}

#: Of thirty items drawn at random: the document's word, as a reader would ask `precall explain` for
#: it, and what is to be told.
TRIAL = {
    "averagePrecision": "Average precision",
    "ScoredPrecisionRecallEvaluation": "precall.compat.lingpipe",
    "precisionAt": "curve.precision_at(5)",
    "rPrecision": "Precision at rank R",
    "maximumFMeasure": "curve.max_f()",
    "prBreakevenPoint": 'break_even("max-min")',
    "optimal acceptance threshold": "curve.max_f()",
    "recall@k": '"R@5"',
    "R-precision": "Rprec",
    "average precision": "AP",
    "k@recall": "KAtRecall",
    "contingency table": "precall decisions",
    "microaveraging": 'average="micro"',
    "macroaveraging": 'average="macro"',
    "van Rijsbergen's alpha": "F(alpha=0.2)",
    "utility": "--policy utility",
    "SCut": "--policy scut",
    "k-per-doc": "--policy rcut:1",
    "F1": "harmonic mean",
    "E": "1 - F",
    "normal approximation": "precall null --published",
    "random selection": "precall null",
    "L_i": "location",
    "covariance of L_i": "pc.null.location_covariance",
    "variance of recall": "precall null --recall",
    "A better than B": "precall compare",
    "McNemar": "pc.compare.decisions",
    "randomization test": "precall compare FILE --truth",
    "balanced F-score": "harmonic mean",
    "Goutte & Gaussier": "pc.compare.bayes.decisions",
}


def test_there_are_items_of_all_documents() -> None:
    assert len(CASES) >= 100 and all(source.items for source in SOURCES)


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize(("source", "item"), CASES)
def test_the_call_gives_the_number(source: Source, item: Item) -> None:
    value = eval(item.call, _data(source.data))
    numbers = (
        np.asarray(list(value) if isinstance(value, zip) else value, np.float64).ravel().tolist()
    )
    expected = item.number.split(", ")
    assert len(numbers) == len(expected)
    for ours, theirs in zip(numbers, expected, strict=True):
        digits = len(theirs.partition(".")[2])
        # A number with so many digits is right to half of the last one; without any, exactly.
        assert ours == pytest.approx(
            float(theirs), abs=0.5000001 * 10**-digits if digits else 1e-12
        )


@pytest.mark.nightly(keep=20)
@pytest.mark.parametrize(("title", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_the_command_prints_it(
    title: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    source = COMMANDS[title, command]
    names = _data(source.data)
    for name, columns in source.files.items():
        Path(name).write_text(_written(eval(columns, names)), encoding="utf-8")
    for part in command.split(" && "):
        capsys.readouterr()
        assert run(shlex.split(part)[1:]) == 0, capsys.readouterr().err
    printed = [_words(line) for line in capsys.readouterr().out.splitlines()]
    for item in source.items:
        if item.command == command:
            for words in map(_words, item.prints.split(" / ")):
                assert any(words in line for line in printed), words


@pytest.mark.parametrize("asked", TRIAL)
def test_a_word_of_a_document_leads_to_the_call(asked: str) -> None:
    assert TRIAL[asked] in " ".join(explain(asked).split())


@pytest.mark.skipif(not PAGE.parent.is_dir(), reason="the docs are not here")
def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.documents.page"


@cache
def _data(data: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(data, names)
    return names


def _written(columns: Any) -> str:
    """A table as CSV, or lines."""
    if not isinstance(columns, Mapping):
        return "".join(f"{line}\n" for line in columns)
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows), ""])


def _words(line: str) -> str:
    """The words of a line, each between two spaces, without the stars of what is best or
    significant, and without the empty cell of notes at the end of a row of CSV.
    """
    return f" {' '.join(line.replace('*', '').removesuffix(',').split())} "
