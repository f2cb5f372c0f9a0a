"""Queries that are documents of the collection are measured as BEIR measures them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import precall as pc

RECORDED = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "beir" / "recorded.json").read_text()
)
#: BEIR's names of measures, and ours.
NAMES = {"NDCG": "nDCG", "MAP": "AP", "Recall": "R", "P": "P", "MRR": "RR", "R_cap": "RelP"}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("items", RECORDED["values"])
def test_recorded_values(items: str) -> None:
    values = RECORDED["values"][items]
    ours = {name: "@".join((NAMES[name.split("@")[0]], name.split("@")[1])) for name in values}
    assert len(ours) == 24
    report = pc.evaluate(
        RECORDED["qrels"], RECORDED["run"], [*ours.values()], drop_self=items == "dropped"
    )
    for name, value in values.items():
        # BEIR rounds means to five decimals.
        assert report.mean[ours[name]] == pytest.approx(value, abs=5.1e-6), name


def test_the_query_itself_makes_a_difference() -> None:
    dropped, kept = (RECORDED["values"][items] for items in ("dropped", "kept"))
    assert all(dropped[name] > kept[name] for name in ("NDCG@10", "MRR@10", "P@1"))
