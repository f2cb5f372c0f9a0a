"""Intervals of categories alone are all printed up to 30, and then the first 8."""

import pytest

import precall as pc


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(("categories", "printed"), [(6, 18), (10, 30), (11, 8)])
def test_rows_of_the_short_answer(categories, printed):
    labels = [f"c{i % categories:02}" for i in range(20 * categories)]
    intervals = pc.interval(pc.decisions(labels, labels), ["P", "R", "F1"], average="each")
    (block, *_) = intervals.sheet().blocks
    assert len(block.short().lines) == printed
