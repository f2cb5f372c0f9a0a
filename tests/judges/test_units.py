"""`precall judge --units`: a table says how topics were chosen, as `pc.judge` is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import collect_notes
from tests.judges.test_means import _collection

Told = tuple[int, str, str]


@pytest.fixture
def asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Told]:
    """The command over one collection, with more arguments."""
    monkeypatch.chdir(tmp_path)
    people, judge, runs = _collection()
    for name, labels in (("people", people), ("judge", judge)):
        rows = [f"{t} 0 {i} {g}\n" for t, items in labels.items() for i, g in items.items()]
        Path(f"{name}.qrels").write_text("".join(rows), encoding="utf-8")
    rows = [f"{t} Q0 {i} 1 {s} x\n" for t, items in runs["first"].items() for i, s in items.items()]
    Path("first.run").write_text("".join(rows), encoding="utf-8")
    _table("topics.csv", range(60))
    _table("short.csv", range(40))
    Path("twice.csv").write_text("topic,lang\nq1,a\nq1,b\n", encoding="utf-8")
    Path("often.csv").write_text("topic,p\nq1,often\n", encoding="utf-8")

    def told(*arguments: str) -> Told:
        code = run(["judge", "people.qrels", "judge.qrels", "first.run", "-m", "P@5", *arguments])
        return code, *capsys.readouterr()

    return told


def _table(name: str, topics: Any) -> None:
    rows = [f"q{i},{'ab'[i % 2]},{0.2 + 0.01 * i:.2f},u{i // 4}\n" for i in topics]
    Path(name).write_text("topic,lang,p,user\n" + "".join(rows), encoding="utf-8")


@pytest.mark.parametrize(
    ("option", "keywords"),
    [
        ("--strata=lang", {"strata": {f"q{i}": i % 2 for i in range(60)}}),
        ("--groups=user", {"groups": {f"q{i}": i // 4 for i in range(60)}}),
        ("--probability=p", {"probability": {f"q{i}": 0.2 + 0.01 * i for i in range(60)}}),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_column_says_what_a_keyword_says(
    asked: Callable[..., Told], option: str, keywords: Any, kind: str
) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
        pytest.importorskip("pandas").read_csv("topics.csv").to_parquet("topics.parquet")
    code, told, _ = asked("--units", f"topics.{kind}", option, "--format", "json")
    assert code == 0
    (value,) = json.loads(told)["values"]
    people, judge, runs = _collection()
    with collect_notes():
        same = pc.judge(people, judge, runs["first"], "P@5", **keywords)
    assert value["estimate"] == pytest.approx(same.estimate, abs=1e-12)
    assert value["low"] == pytest.approx(same.low, abs=1e-12)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ("--units topics.csv", "no column of it is named"),
        ("--strata lang", "--units FILE"),
        ("--units topics.csv --strata nation", "no column 'nation'"),
        ("--units short.csv --strata lang", "topic 'q40' has none"),
        ("--units twice.csv --strata lang", "'q1' has two rows"),
        ("--units often.csv --probability p", "'often' is no probability"),
        ("--units people.qrels --strata lang", "--units: must be a file whose name ends in .csv"),
        ("--units - --strata lang", "--units: must be a file whose name ends in .csv"),
    ],
)
def test_tables_that_say_too_little(asked: Callable[..., Told], words: str, match: str) -> None:
    code, _, told = asked(*words.split())
    assert code == 2
    assert match in told
    assert "input-format" not in told  # there is no such option


@pytest.mark.parametrize("of", ["population", "these"])
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_pairs_say_of_their_units_what_their_values_say(of: str) -> None:
    """Pairs of cases said that they were of a population of topics, none of them labelled."""
    rng = np.random.default_rng(3)
    truth = (rng.random(200) < 0.4) * 1
    people = [int(label) if place % 4 == 0 else None for place, label in enumerate(truth)]
    says = np.where(rng.random(200) < 0.1, 1 - truth, truth)
    scores = {name: truth + rng.normal(size=200) for name in "ab"}
    accepted = {name: score > 0.5 for name, score in scores.items()}
    for found in (
        pc.judge.cases(people, says, scores, "AUC", of=of),
        pc.judge.decisions(people, says, accepted, "F", of=of),
    ):
        (pair,) = found.pairs
        for value in found.values.values():
            assert (pair.of, pair.labels, pair.unit) == (value.of, value.labels, value.unit)
        assert (pair.of, pair.labels, pair.unit) == (of, (50, 200), "case")
