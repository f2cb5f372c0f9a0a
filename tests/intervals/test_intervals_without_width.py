"""Of values that are all alike the interval had no width, as if the value of other topics were
known for sure.

The old test asked for the width of 0 and was content with a note; methods whose variance is 0 at
the ends were tried for their bounds being in 0..1 only.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import UndefinedInterval
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
LABELS, PERFECT = [1] * 30 + [0] * 30, np.arange(60.0)[::-1]
WITHOUT = {
    "mean": lambda: pc.interval([0.1] * 30),
    "mean, percentile": lambda: pc.interval([0.1] * 30, method="percentile"),
    "mean, bca": lambda: pc.interval([0.1] * 30, method="bca"),
    "two-way": lambda: pc.interval.two_way([[0.5] * 5] * 12),
    "wald, none": lambda: pc.interval.proportion(0, 20, method="wald"),
    "wald, all": lambda: pc.interval.proportion(20, 20, method="wald"),
    "micro-F": lambda: pc.interval.micro_f([[5, 0], [0, 5]], method="wald"),
    "macro-F": lambda: pc.interval.macro_f([[5, 0], [0, 5]], method="wald"),
    "AP, normal": lambda: pc.interval.average_precision(LABELS, PERFECT, method="normal"),
    "AP, percentile": lambda: pc.interval.average_precision(LABELS, PERFECT, method="percentile"),
    "AP, bca": lambda: pc.interval.average_precision(LABELS, PERFECT, method="bca"),
    "AP of equal scores": lambda: pc.interval.average_precision(LABELS, [1] * 60, stratified=True),
    "AUC, delong": lambda: pc.interval.area_under_roc(LABELS, PERFECT, method="delong"),
    "tuned": lambda: pc.interval.precision_at_threshold(LABELS, PERFECT, recall=0.5),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_no_width_is_no_interval(name):
    found = WITHOUT[name]()
    assert found.low is None and found.high is None and not math.isnan(found.estimate)
    (note,) = noticed(found, UndefinedInterval)
    assert note.reason.startswith("its variance is 0")
    assert "[undef, undef]" in str(found)
    assert found.to_dict()["low"] is None
    # Bounds that do not exist were NaN, those of comparisons None; no test set them side by side.
    assert found.width is None and 0.5 not in found and found.complement("x").high is None
    assert np.isnan(found.ends).all() and found == WITHOUT[name]()


def test_every_form_says_so():
    plot = pytest.importorskip("precall.plot")
    found = WITHOUT["mean"]()
    assert (
        "| 0.1000 | undef | undef | 0.95 |" in found.to_markdown()
        and ",0.1,,,0.95," in found.to_csv()
    )
    (told,) = json.loads(found.to_json())["intervals"]
    assert told["low"] is told["high"] is None and found._repr_html_().count("undef") >= 2
    assert "[undef, undef]" in repr(found) and "0.1000  undef  undef" in str(found.sheet())
    drawn = plot.SystemMeans.from_intervals({"a": found, "b": pc.interval([0.1, 0.2, 0.3])})
    assert np.isnan(drawn.low[0]) and drawn.plot().order_ == ["b", "a"]


def test_of_a_report():
    qrels = {f"q{i}": {"a": 1} for i in range(12)}
    run = {topic: {"a": 1.0, "b": 2.0 + (topic < "q5")} for topic in qrels}
    report = pc.evaluate(qrels, run, ["AP", "P@2"], interval="t")
    assert "undef" in str(report) and "all 12 values are equal" in " ".join(str(report).split())
    # What knows the range of its measure needs no variance.
    assert "undef," not in str(pc.evaluate(qrels, run, ["AP", "P@2"], interval=True))
    table = pc.interval(report, method="t")
    assert table["P@2"].high is None
    assert table.table["notes"][1].endswith("its variance is 0, as all 12 values are equal")
    assert "undef" in str(table) and "all 12 values are equal" in " ".join(str(table).split())


def test_others_keep_theirs():
    assert pc.interval.average_precision(LABELS, PERFECT).width > 0.1
    assert pc.interval.proportion(0, 20).width > 0.1
    assert pc.interval([0.1] * 29 + [0.1 + 1e-9]).width > 0
