"""Scores without names beside a truth whose levels stand in another order than sorted: whose column
is which is asked for.

Why the old tests missed it: of levels without an order they held that columns are those of the
sorted labels, whatever the truth declares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: no column declares levels")
pyarrow = peer("pyarrow", "PyArrow is not installed: no column declares levels")


LEVELS = ["low", "mid", "high"]
CODES = [0, 2, 1, 0]
SCORES = np.array([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]])
TRUTHS: dict[str, Any] = {
    "categorical": pandas.Categorical.from_codes(CODES, LEVELS),
    "series": pandas.Series(pandas.Categorical.from_codes(CODES, LEVELS)),
    "numbers": pandas.Categorical([30, 10, 20, 30], [30, 20, 10]),
    "dictionary": pyarrow.DictionaryArray.from_arrays(pyarrow.array(CODES), pyarrow.array(LEVELS)),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_the_order_is_asked_for(name: str) -> None:
    truth = TRUTHS[name]
    names = [30, 20, 10] if name == "numbers" else LEVELS
    with pytest.raises(
        pc.UsageError,
        match="scores: the columns may be .*, as the truth has its levels, or .* categories=",
    ):
        pc.categorize(truth, SCORES)
    assert pc.categorize(truth, SCORES, names).by_category("AP").mean() == 1
    assert (
        pc.categorize(truth, pandas.DataFrame(SCORES, columns=names)).by_category("AP").mean() == 1
    )


def test_sorted_levels_are_taken() -> None:
    truth = pandas.Categorical(["b", "a", "c"])
    assert pc.categorize(truth, np.eye(3)).categories == ("a", "b", "c")
