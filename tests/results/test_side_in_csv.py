"""A threshold in CSV says which side of it is accepted; of two files of either side all bytes but
the thresholds were equal.
"""

from __future__ import annotations

import csv
from io import StringIO

import pytest

import precall as pc

LABELS, SCORES = [1, 0, 1, 0] * 5, [1, 5, 3, 7] * 5


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize("high", [True, False])
def test_the_csv_of_a_curve_says_that_low_scores_are_good(high: bool) -> None:
    curve = pc.curve(
        LABELS, SCORES if high else [-score for score in SCORES], higher_is_better=high
    )
    rows = lines(curve.sheet(at={"threshold": {"threshold": 3}}).to_csv())
    said = [(row["section"], row["value"]) for row in rows if row["measure"] == "higher_is_better"]
    assert said == ([] if high else [("measures", "0"), ("at threshold", "0")])


@pytest.mark.parametrize("high", [True, False])
def test_the_csv_of_intervals_says_that_low_scores_are_good(high: bool) -> None:
    with pytest.warns(pc.PrecallWarning):
        interval = pc.interval.max_f(
            LABELS, [-score if high else score for score in SCORES], higher_is_better=high
        )
    (row,) = lines(interval.to_csv())
    assert row.get("higher_is_better") == (None if high else "0")
    assert float(row["threshold"]) == (-3.0 if high else 3.0)
