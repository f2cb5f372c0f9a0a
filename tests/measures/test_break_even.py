"""Break-even has senses that are different numbers, and each number one name.

The old tests compared the column of `precall categories` with `Curve.break_even()` and the policy
with thresholds written down, never the column with what the policy decides; and no case had two
blocks with |P - R| equal.
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
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
from precall.core.errors import UsageError
from precall.core.notes.of_curves import FormerBreakEven
from precall.hard_decisions import categorize
from precall.measures.best_points import break_even
from tests.noticed import warned

LABELS = st.lists(st.integers(0, 2), min_size=3, max_size=25)


def scored(labels: list[int], levels: int = 6) -> tuple[list[int], Any]:
    draw = np.random.default_rng(len(labels) * 31 + sum(labels))
    return labels, draw.integers(0, levels, (len(labels), 3)).astype(float)


@given(LABELS)
def test_the_column_is_what_the_policy_decides(labels: list[int]) -> None:
    s = categorize(*scored(labels), [0, 1, 2])
    d = s.decide(s.thresholds("break-even"))
    middle = (np.nan_to_num(d.precision()) + np.nan_to_num(d.recall())) / 2
    np.testing.assert_allclose(
        np.nan_to_num(s.by_category("break-even").values), middle, atol=1e-12
    )


def test_the_command_prints_one_number_under_one_name(tmp_path: Path, capsys: Any) -> None:
    from precall.cli.main import run

    truth, score = np.arange(120) % 6, np.random.default_rng(1).normal(size=(120, 6))
    lines = ["t," + ",".join(f"p{i}" for i in range(6))]
    lines += [
        f"{label}," + ",".join(map(repr, row))
        for label, row in zip(truth, score.tolist(), strict=True)
    ]
    (tmp_path / "x.csv").write_text("\n".join(lines) + "\n")
    options = ["--truth", "t", "--scores", "p*", "--policy", "break-even", "--format", "json"]
    assert run(["categories", str(tmp_path / "x.csv"), *options]) == 0
    found = json.loads(capsys.readouterr().out)
    column, decided = (
        found["averages"]["macro"]["break-even"],
        found["decisions"]["averages"]["macro"],
    )
    assert column == pytest.approx((decided["precision"] + decided["recall"]) / 2, abs=1e-12)
    assert found["conventions"]["break-even"] == "nearest"
    # What it printed before is another number, under another name.
    other = np.mean(
        [one.break_even("max-min") for one in categorize(truth.tolist(), score).curves()]
    )
    assert other > column + 0.01


def test_of_thresholds_equally_near_the_one_of_greater_f() -> None:
    """|P - R| is .6 at the first block (P 1, R .4) and at the second (P .1, R .7): F is .57 and
    .18.
    """
    truth = [1] * 4 + [1] * 3 + [0] * 63 + [1] * 3
    score = [2.0] * 4 + [1.0] * 66 + [0.0] * 3
    assert curve(truth, score).break_even() == pytest.approx(0.7)
    s = categorize([{"a"} if one else set() for one in truth], np.array(score)[:, None], ["a"])
    assert s.thresholds("break-even").values.tolist() == [2.0]


def test_names() -> None:
    c = curve([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], range(10, 0, -1), missed=1)
    assert (
        c.break_even()
        == c.break_even("nearest")
        == c.break_even("interpolated-bep")
        == pytest.approx(0.6)
    )
    c = curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1])
    with warned(FormerBreakEven):
        old = c.break_even("interpolated")
    assert [c.break_even("interpolated-bep"), old, c.break_even("max-min")] == pytest.approx(
        [1 / 3, 0.6, 0.6]
    )
    with pytest.raises(
        UsageError, match="allowed are nearest, max-min, linear, interpolated-bep, interpolated"
    ):
        c.break_even("bep")


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.integers(0, 3))
def test_lingpipe_s_own_number_is_never_greater(correct: list[bool], missed: int) -> None:
    evaluation = ScoredPrecisionRecallEvaluation()
    for place, one in enumerate(correct):
        evaluation.add_case(one, -float(place))
    evaluation.add_misses(missed)
    if any(correct) or missed:
        c = curve(correct, -np.arange(len(correct), dtype=float), missed=missed)
        assert evaluation.pr_breakeven_point() <= c.break_even("max-min") + 1e-12


def test_explained(capsys: Any) -> None:
    from precall.cli.main import run

    texts = []
    for name in ("break-even", "BEP"):
        assert run(["explain", name]) == 0
        texts.append(" ".join(capsys.readouterr().out.split()))
    assert texts[0] == texts[1]
    for said in (
        "nearest or interpolated-bep: Mean of P and R",
        "max-min or interpolated: ",
        "min(P, R)",
        "- linear: ",
    ):
        assert said in texts[0]


def test_before_the_first_hit_nothing_breaks_even() -> None:
    """There P = R = 0, the nearest of all; that it is left out was not written anywhere, nor looked
    at by a test.
    """
    c = curve([0, 1], [4, 2])
    assert c.break_even() == 0.75 and curve([0, 0], [2, 1], missed=1).break_even() == 0
    assert "thresholds before the first hit" in (break_even.__doc__ or "")
