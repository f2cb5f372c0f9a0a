"""`labels=`: some labels are measured, the others are no category."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run
from precall.core.errors import DataError, UsageError

TRUTH = ["a", "O", "b", "O", "a", "O"]
GUESS = ["a", "a", "O", "O", "b", "O"]


def test_counts_and_averages() -> None:
    found = pc.decisions(TRUTH, GUESS, labels=["a", "b"])
    assert found.table.to_dict() == {
        "category": ["a", "b"],
        "tp": [1, 0],
        "fp": [1, 1],
        "fn": [1, 1],
        "tn": [3, 4],
    }
    assert found.f(average="micro") == 1 / 3
    assert found.f(average="macro") == 0.25
    # An item without these labels on both sides is right.
    assert found.accuracy() == 0.5
    assert pc.decisions(TRUTH, GUESS, labels=["b"]).f(average="micro") == 0


@given(st.lists(st.tuples(*[st.sampled_from("abcO")] * 2), min_size=1, max_size=30))
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_it_is_the_same_as_in_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    truth, guess = map(list, zip(*pairs, strict=True))
    labels = sorted({*truth, *guess} - {"O"})
    if not labels:
        return
    found = pc.decisions(truth, guess, labels=labels)
    for average in ("micro", "macro", "weighted"):
        theirs = sklearn.precision_recall_fscore_support(
            truth, guess, labels=labels, average=average, zero_division=0
        )[:3]
        ours = [found.value(name, average) for name in ("P", "R", "F")]
        if average == "weighted" and not found.support().sum():
            continue
        assert ours == pytest.approx(theirs)


@pytest.mark.parametrize(
    ("truth", "guess", "labels"),
    [
        ([1, 0, 2, 0], [1, 1, 0, 0], [1, 2]),
        ([1, 0, 1, 0], [1, 1, 0, 0], [1]),
        ([{"a"}, {"O"}], [{"a", "b"}, set()], ["b", "a"]),
        (np.array([[1, 0], [0, 1]]), np.array([[1, 1], [0, 1]]), [1]),
    ],
)
def test_forms(truth: Any, guess: Any, labels: list[Any]) -> None:
    found = pc.decisions(truth, guess, labels=labels)
    assert list(found.categories) == labels
    assert pc.decisions(truth, guess, labels=iter(labels)) == found  # type: ignore[arg-type]
    every = pc.decisions(truth, guess)
    whole = dict(zip(map(str, every.categories), every.counts().tp.tolist(), strict=True))
    if every.truth.kind != "binary":
        assert found.counts().tp.tolist() == [whole[str(label)] for label in labels]


@pytest.mark.parametrize(
    "asked",
    [
        {"labels": ["z"]},
        {"labels": []},
        {"labels": ["a", "a"]},
        {"labels": ["a"], "positive": "a"},
        {"labels": {"a", "b"}},
        {"labels": {"a": 1}},
        {"labels": 3},
        {"labels": "a"},
    ],
)
def test_labels_that_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises((UsageError, DataError)):
        pc.decisions(TRUTH, GUESS, **asked)


def test_intervals_and_comparisons() -> None:
    a = pc.decisions(TRUTH * 20, GUESS * 20, labels=["a", "b"])
    b = pc.decisions(TRUTH * 20, ["O"] * 120, labels=["a", "b"])
    assert pc.interval(a, "micro-F").low is not None
    found = pc.compare(a, b, "F", average="micro")
    assert found.difference == pytest.approx(1 / 3)


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(
        "t,p\n" + "".join(f"{a},{b}\n" for a, b in zip(TRUTH, GUESS, strict=True))
    )
    Path("b.csv").write_text("t,p\n1,0\n0,0\n")
    asked = ["decisions", "t.csv", "--truth", "t", "--decision", "p"]
    assert run([*asked, "--labels", "a,b"]) == 0
    assert "0.3333" in capsys.readouterr().out
    assert run([*asked, "--labels", "z"]) == 2
    assert "--labels" in capsys.readouterr().err
    assert run(["decisions", "b.csv", *asked[2:], "--labels", "1"]) == 2
    assert "--categories" in capsys.readouterr().err


def test_labels_have_the_names_of_the_data() -> None:
    assert str(pc.decisions([1, 2, 3], [1, 1, 3], labels=[1.0, 2.0]).categories) == "(1, 2)"
