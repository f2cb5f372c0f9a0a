"""The sheet of curves in many groups, measured at once, against that of each curve alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from precall.cases.curve_sheet import measured_sheet
from precall.cases.table import CaseTable, measure_cases
from precall.core.errors import TiesUnresolved
from precall.measures import measure

AT = {
    "recall=0.5": {"recall": 0.5},
    "precision=0.9": {"precision": 0.9},
    "cost": {"cost": {"fp": 1}},
}


def table(groups: int = 30, higher_is_better: bool = True, dtype: str = "f8") -> CaseTable:
    """Groups of one to hundreds of cases: of either kind alone, of ties, of turned scores."""
    rng = np.random.default_rng(3)
    size = rng.integers(1, 40, groups)
    size[:4] = 1, 1, 500, 130
    group = np.repeat(np.arange(groups), size)
    relevant = rng.random(len(group)) < rng.choice([0, 0.1, 0.5, 1], groups)[group]
    relevant[group == 2] = np.arange(500) % 2 == 0
    score = rng.normal(size=len(group)).round(1) * rng.choice([-1, 1], groups)[group]
    score[group == 2] = relevant[group == 2] * (-1 if higher_is_better else 1)
    order = rng.permutation(len(group))
    group = group[order]
    rows = {f"g{place}": np.flatnonzero(group == place) for place in range(groups)}
    scores = {name: (sign * score)[order].astype(dtype) for name, sign in (("s", 1), ("t", 2))}
    return CaseTable.of("", relevant[order], scores, None, rows, 0, higher_is_better)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_groups_at_once_are_those_of_each(higher_is_better, ties):
    measures = [measure(name) for name in ("MCC", "P@3", "AP@4", "AreaPR(method=trapezoid)")]
    dtype = "f4" if higher_is_better else "f8"
    measured = measure_cases(
        table(higher_is_better=higher_is_better, dtype=dtype), at=AT, measures=measures, ties=ties
    )
    # Plain dicts of curves are measured one by one.
    alone = replace(measured, curves={name: dict(of) for name, of in measured.curves.items()})
    at_once, expected = measured_sheet(measured), measured_sheet(alone)
    assert repr(at_once.to_dict()) == repr(expected.to_dict())
    assert list(map(repr, at_once.tidy)) == list(map(repr, expected.tidy))
    assert len(at_once.tidy) == len(list(at_once.tidy))
    assert at_once.notes == expected.notes
    assert {note.kind for note in at_once.notes} >= {"turned-scores", "never-reached"}
    assert at_once.sheet(all=True).to_table() == expected.sheet(all=True).to_table()


@pytest.mark.parametrize("groups", [4, 20])
def test_groups_have_a_line_each(groups):
    sheet = measure_cases(table(groups)).sheet()
    lines = sheet.sheet(all=True).to_table().splitlines()
    own = [line for line in lines if line.startswith("g1 ")]
    assert len(own) >= 4 and len(own) % 2 == 0  # the same tables for each score
    assert lines[0].startswith(f"mean over {groups} groups") and max(map(len, lines)) <= 80
    assert not any(line.startswith("g1 ") for line in sheet.to_table().splitlines())


def test_a_group_whose_ties_are_open_is_named():
    measured = measure_cases(table(), ties="block")
    with pytest.raises(TiesUnresolved, match="s, group g"):
        measured_sheet(measured)
