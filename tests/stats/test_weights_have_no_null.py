"""Integer weights of a curve are weights: they have no null distribution, as real ones have none.

Older tests tried real weights only, which the dtype of the counts shows.
"""

import pytest

import precall as pc


@pytest.mark.parametrize("measure", ["AP", "AUC", "AP@2", "P@2", "RR"])
@pytest.mark.parametrize("weights", [[1, 2, 1, 1], [1.0, 2.0, 1.0, 1.0], [1, 1, 1, 1]])
def test_weights_of_either_kind_are_refused(measure: str, weights: list[float]) -> None:
    curve = pc.curve([1, 0, 1, 0], [4, 3, 2, 1], weights=weights)
    with pytest.raises(
        pc.UsageError, match="a curve with weights has no null distribution; use counts"
    ):
        pc.null.test(curve, measure)
    with pytest.raises(pc.UsageError, match="with weights"):
        pc.null.test(curve.simplify(), measure)


def test_counts_of_cases_stay() -> None:
    cases = pc.ScoredCases()
    cases.add([1, 0, 1, 0], [4, 3, 2, 1])
    assert (
        pc.null.test(cases.curve(), "AP").p
        == pc.null.test(pc.curve([1, 0, 1, 0], [4, 3, 2, 1]), "AP").p
    )
