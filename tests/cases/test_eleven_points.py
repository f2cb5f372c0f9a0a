"""The 11 points have one rule for what is undefined, and say what they are averaged over.

The old tests wrote down that `eleven_point` leaves out rankings without a true one, and elsewhere
that a mean over categories counts them as 0; both numbers stood in one printout, and no test looked
at both. That one item found of ten had precision 1 at every recall was not tried.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.cases import curve
from precall.core.errors import DataError
from precall.core.notes.of_decisions import UndefinedIn
from precall.hard_decisions import categorize, eleven
from tests.noticed import noticed

TRUTH: list[set[str]] = [{"a"}, {"b"}, {"a", "b"}, set(), {"a"}, set()]
SCORES = np.array(
    [
        [0.9, 0.1, 0.3],
        [0.6, 0.5, 0.6],
        [0.4, 0.5, 0.5],
        [0.7, 0.2, 0.1],
        [0.1, 0.5, 0.2],
        [0.5, 0.8, 0.4],
    ]
)
STATUS = categorize(TRUTH, SCORES, ["a", "b", "c"])


@pytest.mark.parametrize("undefined", ["zero", "omit"])
def test_one_rule(undefined: str) -> None:
    """Category c has no item, and two items have no category."""
    for pivot, found in (
        ("category", STATUS.by_category("11-point")),
        ("item", STATUS.by_item("11-point")),
    ):
        assert found.undefined == (1 if pivot == "category" else 2)
        assert STATUS.eleven_point(pivot, "trec", undefined).mean() == pytest.approx(
            found.mean(undefined)
        )
        assert STATUS.eleven_point(pivot, "yang", undefined).mean() == pytest.approx(
            found.mean(undefined)
        )
    with pytest.raises(DataError, match="11-point is undefined for 2 of 6, first 3"):
        STATUS.eleven_point("item", undefined="error")


@pytest.mark.parametrize("pivot", ["category", "item"])
@pytest.mark.parametrize("undefined", ["zero", "omit"])
def test_one_printout(tmp_path: Path, capsys: Any, pivot: str, undefined: str) -> None:
    from precall.cli.main import run

    lines = ["t;p_a;p_b;p_c"]
    lines += [
        ";".join([",".join(sorted(one)), *map(repr, row)])
        for one, row in zip(TRUTH, SCORES.tolist(), strict=True)
    ]
    (tmp_path / "x.tsv").write_text("\n".join(lines).replace(";", "\t") + "\n")
    options = [
        "--truth",
        "t",
        "--scores",
        "p_*",
        "--separator",
        ",",
        "--pivot",
        pivot,
        "--undefined",
        undefined,
    ]
    assert run(["categories", str(tmp_path / "x.tsv"), *options, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    over = "categories" if pivot == "category" else "items"
    assert found["conventions"]["11 points"] == f"mean over {over}"
    for form in ("yang", "trec"):
        *levels, mean = found["eleven_point"][form].values()
        assert levels == STATUS.eleven_point(pivot, form, undefined).tolist()
        assert mean == pytest.approx(np.mean(levels), rel=1e-14)
        if pivot == "category":
            assert mean == pytest.approx(found["averages"]["macro"]["11-point"])
    wanted = UndefinedIn("", ("11 points",), 2, "items", undefined, 6)
    assert (wanted in noticed(found, UndefinedIn)) == (pivot == "item")
    assert run(["categories", str(tmp_path / "x.tsv"), *options, "--all"]) == 0
    assert f"precision at recall, mean over {over}" in capsys.readouterr().out


def test_one_found_of_ten_is_not_perfect() -> None:
    """Her third step to the letter: the closest point stands for recall 1, so all eleven values
    were 1.
    """
    one = curve([True], [1.0], missed=9)
    assert (
        eleven.points(one, "yang").tolist()
        == eleven.points(one, "trec").tolist()
        == [1.0, 1.0] + [0.0] * 9
    )
    nine = curve([True] * 9, range(9, 0, -1), missed=1)
    assert eleven.points(nine, "yang").tolist() == [1.0] * 11
    assert eleven.points(nine, "trec").tolist() == [1.0] * 10 + [0.0]
    assert np.isnan(eleven.points(curve([False], [1.0]), "yang")).all()


@pytest.mark.nightly
@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(0, 4))
def test_yang_and_trec_part_at_recall_1_only(relevant: list[bool], missed: int) -> None:
    c = curve(relevant, -np.arange(len(relevant), dtype=float), missed=missed)
    if not c.relevant:
        return
    yang, trec = eleven.points(c, "yang"), eleven.points(c, "trec")
    np.testing.assert_array_equal(yang[:10], trec[:10])
    last = missed and 10 * c.tp[-1] >= 9 * c.relevant
    assert yang[10] == (c.pr()["precision"][-1] if last else trec[10])


def test_explained(capsys: Any) -> None:
    from precall.cli.main import run

    assert run(["explain", "11-point"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "one item found of ten" in text and "the last interval, [.9, 1)" in text


@pytest.mark.parametrize("form", eleven.FORMS)
def test_real_weights_are_not_rounded(form: str) -> None:
    """Recall of .1 and more is a sum of weights, and no whole number of cases; unlike those, 1/64
    each is exact.
    """
    relevant = np.arange(60) % 3 == 0
    score = np.arange(60) * 7 % 23
    light = curve(relevant, score, weights=np.full(60, 1 / 64))
    assert (
        eleven.points(light, form).tolist() == eleven.points(curve(relevant, score), form).tolist()
    )
