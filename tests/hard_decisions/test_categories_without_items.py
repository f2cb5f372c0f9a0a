"""A category that no item has counted as an area under ROC of 0, worse than chance, and the sheet
had another Hand-Till.

Older tests of `undefined="zero"` asked for average precision, of which 0 is what chance gives, or
repeated the wrong mean.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_decisions import LeftOut, PairsWithoutItems, UndefinedIn
from precall.hard_decisions.per_ranking import PerRanking
from tests.noticed import noticed, warned
from tests.peers import peer

metrics = peer("sklearn.metrics")

TRUTH, NAMES = ["a", "b", "b", "a"], ["a", "b", "c"]
SCORES = np.array([[0.9, 0.1, 0.3], [0.2, 0.8, 0.1], [0.1, 0.9, 0.2], [0.7, 0.2, 0.6]])
LEFT = {"undefined": 1, "total": 3, "noun": "rankings", "first": "c", "below_chance": True}


def test_a_perfect_classifier_has_an_area_of_1():
    status = pc.categorize(TRUTH, SCORES, NAMES)
    for measure in ("AUC", "RankingLoss", "BEDROC", "EF(share=0.5)", "AUC(max_fpr=0.5)"):
        values = status.by_category(measure)
        with warned(LeftOut) as told:
            assert values.mean() == values.mean("omit") == np.nanmean(values.values)
        assert told[0].facts == {"subject": measure, **LEFT}
    assert status.by_category("AP").mean() == pytest.approx(2 / 3)
    with pytest.raises(pc.DataError, match="AUC is undefined for 1 of 3"):
        status.by_category("AUC").mean("error")
    assert PerRanking("own", ("x", "y"), np.array([1.0, np.nan])).mean() == 0.5
    collected = pc.ScoredCategories(NAMES)
    collected.add(TRUTH, SCORES)
    with warned(LeftOut) as told:
        assert collected.by_category("AUC").mean() == 1
    assert told[0].facts == {"subject": "AUC", **LEFT}


def test_a_sheet_has_the_numbers_of_its_object():
    status = pc.categorize(TRUTH, SCORES, NAMES)
    body = json.loads(status.to_json())
    with warned(PairsWithoutItems) as told:
        assert body["hand_till"] == status.hand_till() == 1
    assert told[0].facts == {"subject": "Hand-Till AUC", "undefined": 2, "pairs": 3, "empty": "c"}
    assert pc.measure("HandTill")(status) == 1
    assert body["averages"]["macro"]["AUC"] == 1
    for measure, policy in (("AUC", "left out"), ("AP", "zero")):
        wanted = UndefinedIn("", (measure,), 1, "categories", policy, 3)
        assert wanted in noticed(body, UndefinedIn)
    # As scikit-learn has it of the classes that there are.
    two = SCORES[:, :2] / SCORES[:, :2].sum(axis=1, keepdims=True)
    assert metrics.roc_auc_score([0, 1, 1, 0], two[:, 1]) == 1


def test_balanced_accuracy():
    truth, first, second = list("aabbab"), list("aabbbb"), list("ababab")
    d = pc.decisions(truth, first, NAMES)
    each = d.value("BalancedAccuracy", "each")
    for average, weight in (("macro", [1, 1]), ("weighted", [3, 3])):
        with warned(LeftOut) as told:
            assert d.value("BalancedAccuracy", average) == pytest.approx(
                np.average(each[:2], weights=weight)
            )
        assert told[0].facts == {"subject": "BalancedAccuracy", **LEFT, "noun": "categories"}
        found = pc.compare.decisions(
            truth, first, second, "BalancedAccuracy", average=average, categories=NAMES
        )
        with warned(LeftOut):
            other = pc.decisions(truth, second, NAMES).value("BalancedAccuracy", average)
        assert found.values == pytest.approx((np.average(each[:2], weights=weight), other))
        assert [note.values for note in noticed(found, LeftOut)] == [
            {"undefined": 1, "total": 3, "noun": "categories", "first": None, "below_chance": True}
        ]
    assert d.f(average="macro") == pytest.approx(np.mean([*d.f()[:2], 0]))


def test_balanced_accuracy_of_items():
    truth, said, other = (
        [{"a"}, set(), {"a", "b"}, {"b"}],
        [{"a"}, {"b"}, {"b"}, {"b"}],
        [{"b"}, set(), {"a"}, {"b"}],
    )
    values = []
    for part in (said, other):
        with warned(LeftOut) as told:
            values.append(pc.decisions(truth, part, ["a", "b"]).value("samples-BalancedAccuracy"))
        assert told[0].values == {
            "undefined": 2,
            "total": 4,
            "noun": "items",
            "first": 1,
            "below_chance": True,
        }
    found = pc.compare.decisions(
        truth, said, other, "samples-BalancedAccuracy", categories=["a", "b"], interval="bca"
    )
    assert found.values == pytest.approx(tuple(values)) == (1, 0.5)
    assert [note.values for note in noticed(found, LeftOut)] == [
        {"undefined": 2, "total": 4, "noun": "items", "first": None, "below_chance": True}
    ]


@pytest.mark.filterwarnings("default")
def test_groups_of_one_class(tmp_path, monkeypatch, capsys):
    """Means over groups, too: a patient without other cases had an area of 0."""
    monkeypatch.chdir(tmp_path)
    Path("g.csv").write_text("y,s,g\n1,.9,a\n0,.1,a\n1,.8,b\n1,.7,b\n0,.2,c\n1,.6,c\n")
    asked = [
        "curve",
        "g.csv",
        "--label",
        "y",
        "--score",
        "s",
        "--group",
        "g",
        "-m",
        "AUC",
        "--interval",
        "--format",
        "json",
    ]
    assert run(asked) == 0
    found = json.loads(capsys.readouterr().out)
    mean = found["mean"]["s"]
    assert (
        mean["measures"]["AUC"] == mean["areas"]["roc trapezoid"] == mean["areas"]["roc step"] == 1
    )
    assert mean["interval"]["AUC"] == 1
    undefined = {note.measures[-2:]: note for note in noticed(found, UndefinedIn)}
    note = undefined["roc trapezoid", "roc step"]
    assert (note.undefined, note.noun, note.policy) == (1, "group", "left out")


def test_of_topics_nothing_is_left_out():
    """A run that retrieves nothing must not gain by it."""
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 0}}
    run, name = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, "EF(share=0.5)"
    first = pc.evaluate({"q1": qrels["q1"]}, {"q1": run["q1"]}, [name])[name]
    assert pc.evaluate(qrels, run, [name], topics="qrels")[name] == first / 2 == 1
