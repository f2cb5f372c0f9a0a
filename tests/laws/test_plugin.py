"""A measure of one's own, declared with the same decorator, is a measure like any other."""

import inspect
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import precall as pc
from precall.core.errors import MeasureError
from precall.measures import REGISTRY
from tests.laws import properties
from tests.laws.collections import TOPICS, collections, examples, tied
from tests.laws.test_laws import LAWS
from tests.oracle import ranking
from tests.registries import lend

MODULE = '''
"""Two measures that precall lacks."""

import numpy as np

from precall import Example
from precall.measures import Cutoff, measure


@measure(
    "FirstTwo", sources=["ours"], range=(0, 1), linear=True, monotone=True, aliases=["F2"],
    example=Example(hits=[1, 3], retrieved=5, relevant=3, value=0.5),
)
def first_two(hits, *, cutoff: Cutoff = 2):
    """Share of the first two ranks that are hits."""
    return hits.within(cutoff) / cutoff


@measure(
    "LastHit", sources=["ours"], range=(0, 1), undefined="nothing was found",
    example=Example(hits=[1, 4], retrieved=5, relevant=3, value=0.25),
)
def last_hit(hits):
    """Reciprocal rank of the last hit."""
    last = np.full(len(hits), np.nan)
    last[hits.ranking] = hits.location
    return 1 / last
'''


@pytest.fixture
def plugin(monkeypatch):
    """The module's measures, declared for one test."""
    lend(monkeypatch)
    space = {"__name__": "plugin_of_a_user"}
    exec(compile(MODULE, "plugin_of_a_user.py", "exec"), space)
    return [REGISTRY["FirstTwo"], REGISTRY["LastHit"]]


@pytest.mark.usefixtures("plugin")
def test_it_works_in_evaluate():
    report = pc.evaluate(
        {"t": {"a": 1, "c": 1}},
        {"t": {"a": 3.0, "b": 2.0, "c": 1.0}},
        ["FirstTwo", "LastHit", "AP", "f2@3"],
    )
    assert report.mean["FirstTwo"] == 0.5
    assert report.mean["LastHit"] == 1 / 3
    assert report.mean["FirstTwo@3"] == report.mean["f2@3"] == 2 / 3
    nothing = pc.evaluate({"t": {"a": 1}}, {"t": {"b": 1.0}}, ["LastHit"])
    assert math.isnan(nothing.per_topic["value"][0])
    assert nothing.mean["LastHit"] == 0


def test_its_worked_example_is_checked_like_others(plugin):
    for declaration in plugin:
        text = properties.said(declaration.name, declaration.example.parameters)
        assert pc.measure(text)(declaration.example.located())[0] == declaration.example.value


def test_it_obeys_the_laws(plugin):
    @examples(8)
    @given(collections(depth=7, topics=TOPICS[:3]))
    def checked(collection):
        for declaration in plugin:
            for law in LAWS:
                law(declaration, collection)
            if declaration.monotone:
                properties.a_better_place_never_hurts(declaration, collection)

    checked()
    for declaration in plugin:
        properties.name_round_trip(declaration)
    properties.linear_in_hits(REGISTRY["FirstTwo"], [1, 2, 4], 6, 5)


def test_it_is_averaged_over_orders(plugin):
    assert plugin

    @examples(20)
    @given(tied(5))
    def checked(collection):
        scores, judged = collection.scores("1"), collection.judged("1")
        orders = [ranking.relevance(order, judged, 1) for order in ranking.every_order(scores)]
        ours = properties.numbers("LastHit", collection, "expected")["1"]
        if not any(orders[0]):
            assert math.isnan(ours)
        else:
            lasts = [
                max(rank for rank, hit in enumerate(order, start=1) if hit) for order in orders
            ]
            assert ours == pytest.approx(sum(1 / last for last in lasts) / len(lasts))
        first = properties.numbers("FirstTwo", collection, "expected")["1"]
        assert first == pytest.approx(sum(sum(order[:2]) / 2 for order in orders) / len(orders))

    checked()


@pytest.mark.nightly
@pytest.mark.usefixtures("plugin")
def test_a_lying_declaration_is_found(monkeypatch):
    wrong = MODULE.replace("hits.within(cutoff) / cutoff", "hits.within(cutoff)").replace(
        "FirstTwo", "Counts"
    )
    exec(compile(wrong, "plugin_of_a_user.py", "exec"), {"__name__": "plugin_of_a_user"})

    @examples(20)
    @given(collections())
    def checked(collection):
        properties.range_is_respected(REGISTRY["Counts"], collection)

    with pytest.raises(AssertionError, match="Counts"):
        checked()


@pytest.mark.usefixtures("plugin")
def test_a_declaration_that_is_refused_leaves_nothing_behind():
    with pytest.raises(MeasureError, match="needs a domain"):

        @pc.measure("Faulty", sources=["ours"])
        def faulty(hits, *, k: int):
            return hits.within(k)

    assert "Faulty" not in {declaration.name for declaration in REGISTRY}


@pytest.mark.usefixtures("plugin")
def test_a_formula_of_the_wrong_shape_is_refused():
    @pc.measure("Total", sources=["ours"])
    def total(hits):
        return np.float64(hits.found.sum())

    with pytest.raises(MeasureError, match="one number per ranking"):
        pc.measure("Total")(pc.Hits.of([1], retrieved=1, relevant=1))


def test_the_command_line_takes_it(tmp_path):
    (tmp_path / "two_measures.py").write_text(MODULE)
    (tmp_path / "q.qrels").write_text("1 0 a 1\n1 0 c 1\n")
    (tmp_path / "system.run").write_text("1 Q0 a 1 3 s\n1 Q0 b 2 2 s\n1 Q0 c 3 1 s\n")
    command = [
        sys.executable,
        "-m",
        "precall",
        "eval",
        "q.qrels",
        "system.run",
        "--plugin",
        "two_measures",
        "-m",
        "FirstTwo",
        "-m",
        "LastHit",
        "--format",
        "csv",
    ]
    home = Path(inspect.getfile(pc)).parent.parent
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(home), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "FirstTwo" in done.stdout
    assert "0.5" in done.stdout
    assert "0.333" in done.stdout
