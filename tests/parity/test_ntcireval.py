"""Q-measure of rankings made at random is what pyNTCIREVAL gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import precall as pc

RECORDED = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "ntcireval" / "recorded.json").read_text()
)


@pytest.mark.parametrize("recorded", RECORDED["rankings"], ids=str)
def test_recorded_rankings(recorded: dict[str, Any]) -> None:
    ranked = {f"r{i}": grade for i, grade in enumerate(recorded["ranked"])}
    missed = {f"m{i}": grade for i, grade in enumerate(recorded["missed"])}
    judged = {item: grade for item, grade in {**ranked, **missed}.items() if grade is not None}
    gains = ",".join(f"{grade}:{gain}" for grade, gain in enumerate(recorded["gains"], 1))
    names = {
        f"Q(beta={recorded['beta']},gains={{{gains}}})" + f"@{cutoff}" * (cutoff != "0"): value
        for cutoff, value in recorded["Q"].items()
    }
    located = pc.locate({"q": judged}, {"q": list(ranked)})
    for name, value in names.items():
        assert pc.measure(name)(located).tolist() == pytest.approx([value], abs=1e-12)


def test_without_weight_of_gains_it_is_average_precision() -> None:
    located = pc.locate({"q": {"a": 1, "b": 3, "c": 2}}, {"q": ["x", "b", "a"]})
    assert pc.measure("Q(beta=0)")(located) == pc.measure("AP")(located)


@pytest.mark.parametrize("name", ["Q-measure", "Qmeasure", "q_measure@10", "QMeasure(beta=2)"])
def test_names(name: str) -> None:
    assert pc.measure(name).declaration.name == "Q"


def test_gains_that_float64_does_not_hold() -> None:
    located = pc.locate({"q": {"a": 2000}}, {"q": ["a"]})
    with pytest.raises(pc.MeasureError, match=r"2\^2000 is beyond float64"):
        pc.measure("Q(gain=exp)")(located)
