"""`positive=`: decisions about one label, whatever form the labels have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from tests.peers import peer

metrics = peer("sklearn.metrics")

LABELS = st.lists(
    st.tuples(*[st.sampled_from(["ham", "spam", "eggs"])] * 3), min_size=1, max_size=12
).filter(lambda rows: any("spam" in row for row in rows))


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.OtherLabelsWarning")
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.NoCommonLabelWarning")
@given(LABELS)
def test_as_yes_or_no(rows):
    truth, first, second = (list(column) for column in zip(*rows, strict=True))
    yes = [[label == "spam" for label in column] for column in (truth, first, second)]
    if "spam" in truth + first:
        found = pc.decisions(truth, first, positive="spam")
        assert found == pc.decisions(*yes[:2]) and found.categories == ("relevant",)
        known = metrics.f1_score(truth, first, labels=["spam"], average="macro", zero_division=0)
        assert found.value("F") == pytest.approx(known, abs=1e-15)
    options = {"measure": "F", "rng": 1, "resamples": 200}
    assert (
        pc.compare.decisions(truth, first, second, positive="spam", **options).p
        == pc.compare.decisions(*yes, **options).p
    )


@pytest.mark.parametrize(
    ("truth", "predicted", "positive"),
    [
        ([{"a", "b"}, {"b"}, set()], [{"b"}, {"a"}, {"b"}], "b"),
        ([[1, 1], [0, 1], [0, 0]], [[0, 1], [1, 0], [0, 1]], 1),
        (np.array([0, 0, 1]), np.array([0, 1, 0]), 0),
        ([False, False, True], [False, True, False], False),
        ([-1, -1, 1], [-1, 1, -1], -1),
    ],
)
def test_forms(truth, predicted, positive):
    table = pc.decisions(truth, predicted, positive=positive).table.to_dict()
    assert table == {"category": ["relevant"], "tp": [1], "fp": [1], "fn": [1], "tn": [0]}


@pytest.mark.parametrize(
    "call",
    [
        lambda: pc.decisions(["a", "b"], ["a", "b"], positive="c"),
        lambda: pc.compare.decisions(["a", "b"], ["a", "b"], ["b", "b"], positive="c"),
        lambda: pc.compare.bayes.decisions(["a", "b"], ["a", "b"], ["b", "b"], positive="c"),
    ],
)
def test_a_label_that_never_occurs(call):
    with pytest.raises(pc.UsageError, match="positive: no label is 'c'; the labels are 'a', 'b'"):
        call()
