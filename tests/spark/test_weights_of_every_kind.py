"""Weights that are 0 for a whole group, that are whole in some files only, and buckets without a
case beside real ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc

pa = pytest.importorskip("pyarrow", reason="NOT TESTED: precall.spark, as PyArrow is not installed")
ROUTES = ("gaps", "range")


@pytest.mark.parametrize("route", ROUTES)
def test_a_group_that_weighs_nothing_is_kept(route: str) -> None:
    """The route range dropped it without a word."""
    import precall.spark as ps
    from tests.spark.local_frames import LocalFrame

    columns: dict[str, Any] = {
        "y": [1, 0, 1, 0],
        "s": [3.0, 2.0, 3.0, 2.0],
        "w": [2, 1, 0, 0],
        "g": ["a", "a", "b", "b"],
    }
    asked: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "group": "g"}
    made = ps.scan(LocalFrame([pa.table(columns)]), route=route, **asked).curves()["s"]
    whole = pc.ScoredCases.scan([columns], **asked).curves()["s"]
    assert list(made) == list(whole) == ["a", "b"]
    assert [curve.relevant for curve in made.values()] == [
        curve.relevant for curve in whole.values()
    ]


@pytest.mark.parametrize("memory", [1, None], ids=["on disk", "in memory"])
def test_whole_weights_in_some_files_only(
    memory: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On disk real weights were cut to whole numbers in buckets above without them, which
    thresholds make, too.
    """
    from pyarrow import parquet

    import precall.spark as ps
    from precall.spark import cluster_scan
    from tests.spark.local_frames import LocalSession

    monkeypatch.setattr(cluster_scan, "LEAST", 1)
    made = np.random.default_rng(0)
    truth, score = made.random(60) < 0.4, np.sort(made.normal(size=60)).round(1)
    weights = np.where(score < 0, 0.5 + made.random(60), 1.0 + made.integers(0, 3, 60))
    for name, chosen, kind in (("low", score < 0, np.float64), ("high", score >= 0, np.int64)):
        columns = {"y": truth[chosen], "s": score[chosen], "w": weights[chosen].astype(kind)}
        parquet.write_table(pa.table(columns), tmp_path / f"{name}.parquet", row_group_size=9)
    asked: dict[str, Any] = {"thresholds": [-9.0, 0.55, 9.0], "memory": memory, "route": "range"}
    scanned = ps.scan(
        tmp_path, label="y", score="s", weight="w", session=LocalSession(), **asked
    ).curve()
    whole = pc.curve(truth, score, weights=weights)
    for threshold in asked["thresholds"]:
        cells = [
            (point.tp, point.fp, point.fn, point.tn)
            for point in (curve.at(threshold=threshold) for curve in (scanned, whole))
        ]
        np.testing.assert_allclose(*cells, rtol=1e-12)
    assert scanned.average_precision() == pytest.approx(whole.average_precision(), rel=1e-12)
