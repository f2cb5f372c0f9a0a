"""`pc.ranking.of`: rankings of which only the places of the hits are known."""

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


@given(st.lists(st.booleans(), min_size=1, max_size=12).filter(any), st.integers(0, 3))
def test_it_is_the_ranking_of_ids(hits: list[bool], missed: int) -> None:
    ranked = [f"d{rank}" for rank in range(len(hits))]
    gold = [item for item, hit in zip(ranked, hits, strict=True) if hit]
    gold += [f"m{nth}" for nth in range(missed)]
    of_ids = pc.ranking(gold, ranked)
    made = pc.ranking.of(hits, relevant=len(gold))
    assert dict(made.values) == pytest.approx(dict(of_ids.values), nan_ok=True)
    assert len(made.missed) == missed


@pytest.mark.parametrize(
    "hits",
    ["1101", "1 1 0 1", "1,1,0,1", [1, 1, 0, 1], (True, True, False, True), ["1", "1", "0", "1"]],
)
def test_forms_of_hits(hits: Any) -> None:
    assert pc.ranking.of(hits) == pc.ranking.of(np.array([1, 1, 0, 1]))
    assert pc.ranking.of(iter([1, 1, 0, 1]))["AP"] == pc.ranking.of(hits)["AP"] == 11 / 12


def test_options_are_those_of_a_ranking() -> None:
    made = pc.ranking.of([1, 0, 1], ["AUC"], population=10, relevant=3)
    assert (
        made["AUC"] == pc.ranking(["1", "3", "x"], ["1", "2", "3"], ["AUC"], population=10)["AUC"]
    )
    assert pc.ranking.of([1, 0] * 20, "AP", interval=True).intervals["AP"].low is not None


@pytest.mark.parametrize(
    ("hits", "relevant", "error", "words"),
    [
        ("1102", None, DataError, "at rank 4"),
        ([0.5], None, DataError, "0 or 1"),
        ([], None, DataError, "no hit"),
        ("", None, DataError, "no hit"),
        ([None], None, DataError, "at rank 1"),
        ([0, 0], None, UsageError, "say how many"),
        ([1, 1], 1, UsageError, "at least 2"),
        ([1], 0, UsageError, "relevant"),
        (3, None, UsageError, "list of 0 and 1"),
        ({0, 1}, None, UsageError, "no order"),
        (np.array([[1, 0]]), None, DataError, "at rank 1"),
        # Each missed item has a name: 10^12 of them ended the process.
        ([1], 10**12, UsageError, "1000000"),
    ],
)
def test_hits_that_are_refused(hits: Any, relevant: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        pc.ranking.of(hits, relevant=relevant)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["ranking", "--hits", "11010000", "--relevant", "4", "-m", "AP"]) == 0
    assert "0.6875" in capsys.readouterr().out
    for asked, words in (
        (["ranking"], "RELEVANT RANKED"),
        (["ranking", "x.txt"], "RELEVANT RANKED"),
        (["ranking", "x.txt", "y.txt", "--relevant", "3"], "--relevant"),
        (["ranking", "x.txt", "--hits", "1"], "--hits"),
        (["ranking", "--hits", "12"], "at rank 2"),
    ):
        assert run(asked) == 2
        assert words in capsys.readouterr().err
