"""Names that one door knew and the next refused: with an average before them, with a cutoff glued
to them.

The old tests tried each name alone, and each average with one name only.
"""

from __future__ import annotations

import pytest

import precall as pc

TRUTH, DECIDED = [0, 1, 2, 1], [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("macro-Acc", "macro-Accuracy"),
        ("micro-error rate", "micro-Error"),
        ("weighted-F-measure", "weighted-F"),
        ("samples-F1 score", "samples-F1"),
        ("support-weighted-Acc", "weighted-Accuracy"),
        ("macro-phi coefficient", "macro-MCC"),
        ("macro-detection rate", "macro-R"),
    ],
)
def test_a_word_is_averaged_as_the_measure_that_it_means(typed: str, name: str) -> None:
    decided = pc.decisions(TRUTH, DECIDED)
    assert decided.value(typed) == decided.value(name)


def test_a_name_of_two_meanings_has_them_behind_an_average_too() -> None:
    with pytest.raises(pc.MeasureError) as refused:
        pc.decisions(TRUTH, DECIDED).value("macro-Err")
    assert refused.value.remedy == "write Error or ERR"


@pytest.mark.parametrize(("typed", "name"), [("P2", "P@2"), ("R2", "R@2"), ("recall_at_2", "R@2")])
def test_a_glued_cutoff_is_one_in_comparisons_of_cases(typed: str, name: str) -> None:
    columns = [1, 0, 1, 0, 1], [0.9, 0.1, 0.8, 0.2, 0.3], [0.8, 0.3, 0.9, 0.1, 0.2]
    glued, plain = (pc.compare.cases(*columns, measure) for measure in (typed, name))
    assert (glued.difference, glued.p) == (plain.difference, plain.p)
