"""A label that has no scores is refused with advice that helps: more scores, and not only a name.

Why the old tests missed it: they asked whether the refusal names the label, and never did what it
said.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

pandas = pytest.importorskip("pandas", reason="pandas is not installed: no frame of scores")

LABELS = ["a", "b", "z"]
SETS = [["a"], ["b", "a"], ["z"]]
SCORES = np.array([[0.9, 0.1, 0.2], [0.2, 0.8, 0.1], [0.3, 0.2, 0.7]])
FRAME = pandas.DataFrame(SCORES, columns=LABELS)
TWO = ["a", "b"]


def remedy(error: pc.DataError | pc.UsageError) -> str:
    return error.remedy if isinstance(error, pc.UsageError) else error.problems[0].remedy


@pytest.mark.parametrize("truth", [LABELS, SETS])
def test_a_frame_takes_one_more_column(truth: list[object]) -> None:
    with pytest.raises(pc.DataError) as refused:
        pc.categorize(truth, FRAME[TWO])
    advice = remedy(refused.value)
    assert "one more column" in advice and "categories=" not in advice
    assert pc.categorize(truth, FRAME).categories == tuple(LABELS)
    # A name alone gives the frame no column, and arrays have no more of them either.
    with pytest.raises(pc.UsageError) as refused:
        pc.categorize(truth, FRAME[TWO], LABELS)
    assert "add" in remedy(refused.value) and "arrays" not in remedy(refused.value)


@pytest.mark.parametrize("truth", [LABELS, SETS])
@pytest.mark.parametrize("batches", [False, True])
def test_named_columns_take_one_more_with_its_name(truth: list[object], batches: bool) -> None:
    def read(scores: object, names: list[str]) -> tuple[object, ...]:
        if not batches:
            return pc.categorize(truth, scores, names).categories
        (cases := pc.ScoredCategories(names)).add(truth, scores)
        return tuple(cases.categories or ())

    with pytest.raises(pc.DataError) as refused:
        read(SCORES[:, :2], TWO)
    advice = remedy(refused.value)
    assert "one more column" in advice and "categories=" in advice
    assert read(SCORES, LABELS) == tuple(LABELS)
    with pytest.raises(pc.UsageError):  # its name alone
        read(SCORES[:, :2], LABELS)


@pytest.mark.parametrize("truth", [LABELS, SETS])
def test_columns_without_names_are_as_many_as_labels(truth: list[object]) -> None:
    with pytest.raises(pc.UsageError) as refused:
        pc.categorize(truth, SCORES[:, :2])
    advice = remedy(refused.value)
    assert "scores of every label" in advice and "categories=" not in advice
    assert pc.categorize(truth, SCORES).categories == tuple(LABELS)


@pytest.mark.parametrize("truth", [["a", "b", "a"], [["a"], ["b", "a"], []]])
def test_more_columns_than_labels_take_names(truth: list[object]) -> None:
    with pytest.raises(pc.UsageError) as refused:
        pc.categorize(truth, SCORES)
    assert "categories=" in remedy(refused.value)
    assert pc.categorize(truth, SCORES, LABELS).categories == tuple(LABELS)


@pytest.mark.parametrize("labels", [LABELS, SETS])
def test_decisions_take_one_more_name(labels: list[object]) -> None:
    with pytest.raises(pc.DataError) as refused:
        pc.decisions(labels, labels, categories=TWO)
    advice = remedy(refused.value)
    assert "categories=" in advice and "column" not in advice
    assert pc.decisions(labels, labels, categories=LABELS).categories == tuple(LABELS)
