"""Groups whose names differ only in blanks or capitals: they were two groups, without a word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.core.notes import run_and_collect
from precall.core.notes.of_reading import GroupsUnlike
from precall.hard_decisions.table_io import compare_decisions
from tests.noticed import noticed, warned

LABELS = [1, 1, 1, 0, 0, 0, 0, 1]
SCORES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
#: How each pair is told.
ALIKE = {
    ("x", "x "): "blanks",
    ("X", "x"): "capital letters",
    ("caf\u00e9", "cafe\u0301"): "Unicode",
    ("x", "x\u200b"): "not seen",
}


def groups_of(pair: tuple[str, str]) -> list[str]:
    return [*pair, "other", "other"] * 2


@pytest.mark.parametrize("pair", ALIKE)
@pytest.mark.parametrize("kind", [list, np.array])
def test_columns_of_groups(pair: tuple[str, str], kind: Callable[..., Any]) -> None:
    with warned(GroupsUnlike) as told:
        pc.average_precision(LABELS, SCORES, groups=kind(groups_of(pair)))
    assert [note.groups for note in told] == [tuple(sorted(pair))]
    assert ALIKE[pair] in told[0].remedy


def test_results_keep_the_note() -> None:
    groups = groups_of(("x", "x "))
    cases = {"relevant": LABELS * 4, "groups": groups * 4}
    decided = [[score > limit for score in SCORES * 4] for limit in (0.4, 0.6)]
    for make in (
        lambda: pc.compare.decisions(cases["relevant"], *decided, "F", groups=cases["groups"]),
        lambda: pc.interval.average_precision(score=SCORES * 4, **cases),
        lambda: pc.compare.cases(score_a=SCORES * 4, score_b=SCORES[::-1] * 4, **cases),
    ):
        found, _ = run_and_collect(make)
        assert noticed(found, GroupsUnlike)


def test_groups_of_files(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = zip(LABELS, SCORES, groups_of(("x", "X")), strict=True)
    text = "".join(f"{y},{s},{g},{y},{1 - y}\n" for y, s, g in rows)
    path.write_text(f"y,s,g,a,b\n{text}", encoding="utf-8")
    with warned(GroupsUnlike):
        table = read_cases(str(path), "y", ["s"], group="g")
    assert noticed(table, GroupsUnlike)
    compared, _ = run_and_collect(
        lambda: compare_decisions(str(path), "y", "a", "b", groups="g", positive="1")
    )
    assert noticed(compared, GroupsUnlike)


@pytest.mark.parametrize("groups", [["a", "b"] * 4, [1, 2] * 4, ["1", "1.0"] * 4, [1, "x"] * 4])
def test_other_groups_are_not_noted(groups: list[Any]) -> None:
    _, notes = run_and_collect(lambda: pc.average_precision(LABELS, SCORES, groups=groups))
    assert not noticed(notes, GroupsUnlike)
