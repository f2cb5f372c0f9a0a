"""An error has what it got as a value, or as a fact of that value, and not in words only."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.errors import Kind, Shape
from precall.read.readers import read_runs
from precall.testing import assert_not_worse

CURVE = pc.curve([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
POINT = CURVE.at(recall=0.5)
QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0}}
READ = pc.read_run(RUN)
NAMES = {"a", "b"}

CALLS = {
    "measures": (lambda: pc.evaluate(QRELS, RUN, QRELS), Kind, QRELS, "measures"),
    "categories": (lambda: pc.decisions(["a"], ["b"], categories=NAMES), Kind, NAMES, "categories"),
    "ranked": (lambda: pc.ranking(["a"], NAMES), Kind, NAMES, "ranked"),
    "relevant": (lambda: pc.ranking(3, ["a"]), Kind, 3, "relevant"),
    "interval": (lambda: pc.interval(POINT), Kind, POINT, "interval"),
    "report": (lambda: assert_not_worse(CURVE, "x.json"), Kind, CURVE, "report"),
    "run_column": (
        lambda: read_runs(READ, "system"),
        Kind,
        READ,
        "run_column",
    ),
    "weights": (lambda: pc.curve([1, 0], [2.0, 1.0], weights=[1]), Shape, (1,), "weights"),
    "groups": (
        lambda: pc.interval.average_precision([1, 0], [2.0, 1.0], groups=[1]),
        Shape,
        (1,),
        "groups",
    ),
    "truth": (lambda: pc.decisions(np.zeros((1, 1, 1)), [1]), Shape, (1, 1, 1), "truth"),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_have_the_value_that_they_got(name):
    call, kind, value, argument = CALLS[name]
    with pytest.raises(pc.UsageError) as refused:
        call()
    error = refused.value
    assert (error.argument, type(error.got)) == (argument, kind)
    assert error.got.value == value


def test_several_choices_are_named():
    choices = {"threshold": 2.0, "recall": 0.5, "beta": 1}
    with pytest.raises(pc.UsageError) as refused:
        pc.interval.precision_at_threshold([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0], **choices)
    assert str(refused.value.got) == ", ".join(choices)
