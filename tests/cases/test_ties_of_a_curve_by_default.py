"""A measure that needs an order of equal scores has the same default in Python and in commands,
whose line names it.

`precall curve -m BEDROC -m P@2` took the mean over orders and named R-precision and RR alone;
Python refused the same call. Old tests asked commands for measures without looking at their
signature.
"""

from __future__ import annotations

import json
from itertools import pairwise, permutations

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.location.hits import Hits
from precall.measures.registry import REGISTRY

TRUTH, SCORE = [1, 0, 1, 0, 0, 1], [3, 3, 2, 2, 2, 2]


def orders(truth, score):
    """The labels in every order that the scores leave open."""
    for places in permutations(range(len(score))):
        if all(score[a] >= score[b] for a, b in pairwise(places)):
            yield [truth[place] for place in places]


@pytest.mark.parametrize("name", ["BEDROC", "EF@50%", "P@1", "RR", "R@3", "KAtRecall(recall=1)"])
def test_the_default_is_the_mean_over_orders(name):
    measure = pc.measure(name)
    values = [
        measure(Hits.of(np.flatnonzero(one) + 1, retrieved=len(one), relevant=3))[0]
        for one in orders(TRUTH, SCORE)
    ]
    c = pc.curve(TRUTH, SCORE)
    assert c.value(name) == measure(c) == pytest.approx(np.mean(values), rel=1e-12)
    assert c.value(name) == c.value(name, "expected")
    status = pc.categorize([{"a"} if y else set() for y in TRUTH], [[s] for s in SCORE], ["a"])
    made = status.by_category(name)
    assert made.values.tolist() == [c.value(name)] and status.micro(name) == c.value(name)
    assert made.ties == "expected" and "ties expected" in str(made)
    with pytest.raises(pc.TiesUnresolved, match="choose ties='expected', 'best' or 'worst'"):
        c.value(name, "block")


def test_measures_of_blocks_stay_so():
    c = pc.curve(TRUTH, SCORE)
    assert c.value("AP") == c.value("AP", "block") != c.value("AP", "expected")
    status = pc.categorize([{"a"} if y else set() for y in TRUTH], [[s] for s in SCORE], ["a"])
    assert status.by_category("AP").ties == "block"


def test_the_line_names_each_measure_that_the_rule_decided(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(TRUTH, SCORE, strict=True)))
    asked = ["curve", str(path), "--label", "y", "--score", "s"]
    asked += [word for name in ("BEDROC", "EF@50%", "P@2", "MaxF", "MCC") for word in ("-m", name)]
    measures = [pc.measure(name) for name in ("BEDROC", "EF@50%", "P@2", "MaxF", "MCC")]
    for rule in ("expected", "best", "worst"):
        assert run([*asked, "--ties", rule, "--format", "json"]) == 0
        told = json.loads(capsys.readouterr().out)
        ordered = ", ".join(str(each) for each in measures[:3])
        assert told["conventions"]["ties"] == f"block (R-precision, RR, {ordered}: {rule})"
        sheet = pc.curve(TRUTH, SCORE).sheet(measures=tuple(measures), ties=rule)
        assert sheet.conventions["ties"] == told["conventions"]["ties"]
        mine = json.loads(sheet.to_json())["scores"]["curve"]["measures"]
        assert mine == told["scores"]["s"]["measures"]
    # Without --ties it is the mean over orders, as in Python.
    c = pc.curve(TRUTH, SCORE)
    assert run([*asked, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    for each in measures[:3]:
        assert told["scores"]["s"]["measures"][str(each)] == c.value(each)


def test_every_measure_of_ranks_has_a_default():
    """Whatever the registry holds: no measure of cases is refused for ties."""
    c = pc.curve(TRUTH * 2, SCORE * 2)
    known = 0
    for declared in REGISTRY:
        if declared.of is not Hits or declared.graded or declared.judging:
            continue
        needed = {k: v.default for k, v in declared.parameters.items() if v.default is ...}
        given = {"cutoff": 3, "recall": 0.5, "precision": 0.5}
        name = declared.name + (
            f"({','.join(f'{k}={given[k]}' for k in needed)})" if needed else ""
        )
        value = c.value(name)
        known += 1
        if pc.measure(name).has_blocks:
            assert value == pytest.approx(c.value(name, "block"), nan_ok=True)
        else:
            assert value == pytest.approx(c.value(name, "expected"), nan_ok=True)
    assert known > 15
