"""Areas of cases in groups: if a few groups stand far off, intervals missed the area in up to
12 % of samples, and nothing was said. Older tests had groups whose effects are normal.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import FewGroups, SkewedGroups
from tests.noticed import noticed

EACH = 20


def _cases(rng: np.random.Generator, groups: int, kind: str) -> tuple[np.ndarray, ...]:
    """Scores of cases in groups of 20; one group in ten stands far off."""
    group = np.repeat(np.arange(groups), EACH)
    relevant = rng.random(len(group)) < 0.2
    score = rng.normal(size=len(group)) + 1.2 * relevant
    far = (rng.random(groups) < 0.1)[group]
    score += {
        "relevant cases score low": -4.0 * far * relevant,
        "other cases score high": 5.0 * far * ~relevant,
        "all cases score low": -4.0 * far,
        "all alike": 0.0 * far,
    }[kind]
    return relevant, score, group


def _notes(found: pc.Interval) -> list[object]:
    return [note for note in noticed(found) if isinstance(note, FewGroups | SkewedGroups)]


AREAS = {
    "area": pc.interval.area_under_roc,
    "part": partial(pc.interval.partial_area_under_roc, max_fpr=0.9),
}


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_few_groups_that_stand_far_off_are_said(area: str) -> None:
    relevant, score, group = _cases(np.random.default_rng(0), 60, "all alike")
    alike = AREAS[area](relevant, score, groups=group)
    assert not _notes(alike)
    (note,) = _notes(AREAS[area](relevant, score - 5 * (group < 2) * relevant, groups=group))
    assert isinstance(note, SkewedGroups) and note.groups == 60 and note.skewness < -2
    few = group < 24
    (note,) = _notes(AREAS[area](relevant[few], score[few], groups=group[few]))
    assert isinstance(note, FewGroups) and note.groups == 24


@pytest.mark.nightly
@pytest.mark.parametrize("groups", [15, 20, 30, 40, 80])
@pytest.mark.parametrize(
    "kind", ["relevant cases score low", "other cases score high", "all cases score low"]
)
def test_areas_are_seldom_missed_without_a_note(kind: str, groups: int) -> None:
    rng, samples = np.random.default_rng(7), 400
    relevant, score, _ = _cases(rng, 20_000, kind)
    truth, unnoted = pc.curve(relevant, score).area_under_roc(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        for _ in range(samples):
            relevant, score, group = _cases(rng, groups, kind)
            found = pc.interval.area_under_roc(relevant, score, groups=group)
            unnoted += not (found.low <= truth <= found.high or _notes(found))
    # 7 %, and two errors of the simulation.
    assert unnoted <= samples * 0.07 + 2 * (samples * 0.07 * 0.93) ** 0.5
