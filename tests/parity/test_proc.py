"""DeLong's interval on real scored cases: pROC's, digit by digit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import precall as pc
from tests.parity.test_peer_areas import SETS, case, folder, peers

__all__ = ["case", "folder", "peers"]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_delong(case: tuple[str, Any, Any], peers: dict[str, dict[str, str]], folder: Path) -> None:
    name, relevant, score = case
    assert name in SETS
    theirs = [
        float(peers[name][column]) for column in ("pROC_auc", "pROC_delong_lo", "pROC_delong_hi")
    ]
    found = pc.interval.area_under_roc(relevant, score, method="delong")
    assert [found.estimate, found.low, found.high] == pytest.approx(theirs, rel=1e-12)
    inside = pc.interval.area_under_roc(relevant, score)
    assert 0 < inside.low < found.estimate < inside.high < 1
