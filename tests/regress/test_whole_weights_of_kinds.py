"""1 of each relevant case and 20 of each other one are the weights of a sample, which whole numbers
are not: they repeat cases.

The intervals of AP covered 45 % and its test rejected 41 % in silence; the old tests gave sampling
weights as floats only.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.cases.table import measure_cases, read_cases
from tests.noticed import noticed

RNG = np.random.default_rng(5)
LABELS = np.repeat([True, False], [60, 300])
SCORES = RNG.standard_normal(360) + LABELS
WEIGHTS = np.where(LABELS, 1, 20)
KIND = pc.notes.WeightsRepeatCases


def said(result: object) -> list[dict[str, object]]:
    return [note.values for note in result.notes if isinstance(note, KIND)]  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("make", [list, np.asarray])
@pytest.mark.parametrize(
    "interval", [pc.interval.average_precision, pc.interval.area_under_roc, pc.interval.max_f]
)
def test_intervals_name_them(interval, make) -> None:
    weights = make(WEIGHTS)
    assert said(interval(make(LABELS), make(SCORES), weights=weights)) == [
        {"relevant": 1, "other": 20}
    ]
    for other in (WEIGHTS * 1.0, np.where(LABELS, 20, 20), np.where(SCORES > 0, 1, 20), None):
        assert not said(interval(LABELS, SCORES, weights=other))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("measure", ["AP", "AUC", "P@10"])
def test_tests_name_them(measure: str) -> None:
    second = SCORES + RNG.standard_normal(360)
    assert said(pc.compare.cases(LABELS, SCORES, second, measure, weights=WEIGHTS)) == [
        {"relevant": 1, "other": 20}
    ]
    assert not said(
        pc.compare.cases(LABELS, SCORES, second, measure, weights=np.where(SCORES > 0, 2, 3))
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_tables_name_them(tmp_path) -> None:
    file = tmp_path / "cases.csv"
    rows = (f"{int(a)},{b},{w}" for a, b, w in zip(LABELS, SCORES, WEIGHTS, strict=True))
    file.write_text("\n".join(["y,s,w", *rows]))
    measured = measure_cases(read_cases(str(file), "y", ["s"], weight="w"), interval="logit")
    assert [note.values for note in noticed(measured.sheet().notes, KIND)] == [
        {"relevant": 1, "other": 20}
    ] * 3
