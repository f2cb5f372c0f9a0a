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


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("cosine_ndcg@10", "nDCG@10"),
        ("cos_sim-MRR@10", "RR@10"),
        ("dot_precision@5", "P@5"),
        ("dot_score_map@100", "AP@100"),
        ("euclidean_recall@3", "R@3"),
        ("manhattan_accuracy@1", "Success@1"),
        ("cosine_ap", "AP"),
    ],
)
def test_names_of_results_of_sentence_transformers(typed: str, name: str) -> None:
    """Their prefix tells how texts are compared; no name with one was known."""
    assert pc.measure(typed).name == pc.measure(name).name


@pytest.mark.parametrize("typed", ["cosine", "cosine_", "dot_10", "cosine_nothing@3"])
def test_a_similarity_alone_is_no_measure(typed: str) -> None:
    with pytest.raises(pc.MeasureError):
        pc.measure(typed)
