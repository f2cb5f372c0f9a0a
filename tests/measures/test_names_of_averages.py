"""An average was found by the canonical name of its measure and the one typed, and by no other."""

from __future__ import annotations

import pytest

import precall as pc
from precall.cli.main import run


def test_an_average_is_found_by_every_name_of_its_measure() -> None:
    report = pc.evaluate({"q1": ["a"]}, {"q1": ["b", "a"]}, ["MRR", "P@5"])
    assert [report[name] for name in ("MRR", "RR", "mrr", "recip_rank")] == [0.5] * 4
    assert report["precision@5"] == report["P_5"] == 0.2
    assert "nonsense" not in report.mean
    with pytest.raises(KeyError, match="measures are MRR, P@5"):
        report["nonsense"]


def test_iterators_of_ids_are_lists() -> None:
    several = pc.evaluate(
        {"q1": iter("a")}, {"x": {"q1": iter("ab")}, "y": {"q1": iter("ba")}}, ["RR"]
    )
    assert several["x", "RR"] == 1.0 and several["y", "RR"] == 0.5
    assert pc.evaluate({"q1": ["a"]}, {"q1": (item for item in "ba")}, ["RR"])["RR"] == 0.5


def test_a_measure_in_the_place_of_a_run_leads_to_its_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["eval", "no.qrels", "nDCG@10"]) == 2
    assert "check the path" in capsys.readouterr().err
    qrels = "examples/digits/digits.qrels"
    assert run(["eval", qrels, "nDCG@10"]) == 2
    assert (
        "nDCG@10: No such file or directory; if the measure is meant: -m nDCG@10"
        in capsys.readouterr().err
    )
