"""A column of objects is what a list of them is; thresholds and weights at the edges of their
range.

The old tests gave labels 0 and 1 as lists and arrays of numbers, never as the objects that pandas
holds after a gap; scores of +inf were measured, but no threshold was learned from them; and real
weights were near 1 wherever AP was 1.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

pd = peer("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

FORMS = (
    list,
    np.array,
    lambda cells: np.array(cells, object),
    lambda cells: pd.Series(cells, dtype=object),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("truth", "predicted", "micro"),
    [
        ([0, 0], [0, 0], 0.0),
        ([True, False, True], [True, True, False], 0.5),
        ([1, -1, 1], [1, 1, 1], 0.8),
    ],
)
def test_binary_labels_are_one_category_in_every_form(form, truth, predicted, micro):
    assert pc.decisions(form(truth), form(predicted)).f(average="micro") == micro


def test_comparisons_take_any_form():
    lists = [[1, 0, 1, 0], [1, 0, 0, 0], [1, 1, 1, 0]]
    plain = pc.compare.decisions(*lists)
    for place in range(3):
        mixed = [np.array(cells, object) if i == place else cells for i, cells in enumerate(lists)]
        assert pc.compare.decisions(*mixed) == plain


@pytest.mark.parametrize("method", ["max-f", "break-even"])
def test_an_infinite_score_is_no_threshold(method):
    status = pc.categorize([[0], [0], [0], [1]], [[1.0], [1.0], [2.0], [np.inf]], ["a"])
    with pytest.raises(pc.UsageError, match="the least score to accept in category 'a' is inf"):
        status.thresholds(method)
    beside = pc.categorize([[0], [0], [0], [1]], [[1.0], [1.0], [np.inf], [2.0]], ["a"])
    assert beside.thresholds("max-f").values.tolist() == [2.0]
    assert beside.decide(beside.thresholds("max-f")).f(average="macro") == pytest.approx(2 / 3)


def test_the_scale_of_weights_changes_no_interval_at_one():
    cases = [1, 1, 1, 0, 0, 0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    plain = pc.interval.average_precision(*cases)
    for weight in (1.0, 1e6, 1e-6):
        weighted = pc.interval.average_precision(*cases, weights=[weight] * 6)
        assert (weighted.low, weighted.high) == pytest.approx((plain.low, plain.high))
