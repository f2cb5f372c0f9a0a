"""A positive label that none of the parts has is refused when they are asked for.

Older tests tried it on whole lists only; a part may be without relevant cases.
"""

import pytest

import precall as pc
from precall.core.notes.of_reading import OtherLabels
from tests.noticed import warned


def test_a_label_that_never_occurs_is_refused() -> None:
    cases = pc.ScoredCases()
    cases.add(["a", "b"], [1, 2], positive="z")
    cases.add("a", 3, positive="z")
    for asked in (cases.curve, cases.average_precision, cases.area_under_roc):
        with pytest.raises(
            pc.UsageError, match="positive: no label is 'z'; the labels are 'a', 'b'"
        ):
            asked()
    other = pc.ScoredCases()
    other.add(["c"], [1], positive="z")
    cases.merge(other)
    with pytest.raises(pc.UsageError, match="'a', 'b', 'c'"):
        cases.curve()


def test_one_that_occurs_in_another_part_is_not() -> None:
    cases = pc.ScoredCases()
    cases.add(["a", "b"], [1, 2], positive="z")
    cases.add("z", 3, positive="z")
    with warned(OtherLabels) as told:
        assert cases.curve().relevant == 1
    assert [note.labels for note in told] == [("'a'", "'b'")]
    numbers = pc.ScoredCases()
    numbers.add([0, 0], [1, 2])
    assert numbers.curve().relevant == 0
