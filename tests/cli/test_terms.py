"""`precall explain` knows every term of the documents, however it is spelled, and offers nothing
that is only spelled alike.

Names were found by their letters only: "micro-averaged" was a measure "averaged", for which
Coverage was suggested.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from precall.cli.explanations import explain
from precall.core.errors import MeasureError
from precall.measures.words import similar_word, word

FILE = Path(__file__).resolve().parents[1] / "data" / "terms.txt"
TERMS = FILE.read_text(encoding="utf-8").splitlines()
#: Terms of the documents that this library need not know, each with the reason.
UNKNOWN: dict[str, str] = {}


@pytest.mark.parametrize("term", TERMS)
def test_terms_of_the_documents(term: str) -> None:
    if term in UNKNOWN:
        with pytest.raises(MeasureError):
            explain(term)
        return
    text = explain(term)
    assert max(map(len, text.splitlines())) <= 80 and len(text.split()) > 3


def test_terms_are_one_a_line() -> None:
    assert len(TERMS) == len(set(TERMS)) > 250 and {*UNKNOWN} <= {*TERMS}


@pytest.mark.parametrize(
    ("typed", "here"),
    [
        ("Micro-Averaged", "micro"),
        ("macroaveraged", "macro"),
        ("averaged", "average"),
        ("document-pivot", "document pivoting"),
        ("Average (Precision @ K)", "AP@k"),
        ("precision @k", "precisionAt"),
        ("Precision at K", "precisionAt"),
        ("interpolated", "interpolation"),
        ("area under curve", "AUC"),
        ("hits rate", "hit rate"),
        ("Goutte", "posterior"),
        ("Zhang and Su", "Zhang & Su"),
        ("signed ranks", "Wilcoxon"),
        ("confusion matrices", None),
        ("thresholding tau", "tau"),
        ("operation", None),
    ],
)
def test_spelling_variants(typed: str, here: str | None) -> None:
    known = word(typed) or similar_word(typed)
    assert (known and known.names[0]) == here


@pytest.mark.parametrize("plain", ["F1 score", "rejection recall", "h(t)"])
def test_signs_around_a_word(plain: str) -> None:
    for typed in (f"{plain}?", f'"{plain}"', f"'{plain}',"):
        assert explain(typed).splitlines()[1:] == explain(plain).splitlines()[1:]


@pytest.mark.parametrize(
    "typed",
    ["abracadabra", "banana", "distance", "cosine", "query expansion", "teh", "Spearman", "lucene"],
)
def test_nothing_is_offered_for_what_is_unknown(precall: Any, typed: str) -> None:
    outcome = precall("explain", *typed.split())
    assert outcome.code == 2
    assert (
        outcome.err
        == f"precall: error: no measure or word {typed!r}; `precall measures` lists all\n"
    )


@pytest.mark.parametrize("typed", ["winner's curse", "teh: old"])
def test_what_was_typed_is_quoted(precall: Any, typed: str) -> None:
    """It said 'winner s curse', which is how it had been looked up."""
    assert f"no measure or word {typed!r};" in precall("explain", typed).err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("precisoin", "Precision"),
        ("rejection recal", "RejectionRecall"),
        ("avrage precision", "AveragePrecision"),
        ("randomisation", "`precall explain randomization test`"),
        ("expected reciprocal", "ERR"),
    ],
)
def test_one_suggestion_for_a_typing_error(precall: Any, typed: str, offered: str) -> None:
    told = precall("explain", *typed.split()).err
    assert told == (
        f"precall: error: no measure or word {typed!r}; did you mean {offered}? `precall measures` "
        "lists all\n"
    )


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("average specificity", "Specificity"),
        ("mean ndcg at 5", "nDCG"),
        ("what is the kappa statistic", "kappa"),
        ("difference between ap and map", "AP"),
        ("precision vs recall", "Precision, Recall"),
        ("sensitivity and specificity", "R, Specificity"),
        ("top 5 accuracy", "Success"),
        ("recall of the first 100 items", "Recall"),
        ("how many relevant documents were found", "`precall explain found`"),
        ("multi-label accuracy", "`precall explain multi-label`"),
    ],
)
def test_common_words_around_a_name_do_not_hide_it(precall: Any, typed: str, offered: str) -> None:
    told = precall("explain", *typed.split()).err
    assert f"; did you mean {offered}? `" in told


@pytest.mark.parametrize("typed", ["null accuracy", "relative risk", "screening yield"])
def test_one_rare_word_of_several_is_no_reason_to_offer(precall: Any, typed: str) -> None:
    assert "did you mean" not in precall("explain", *typed.split()).err


def test_what_another_name_ends_in_is_not_advised(precall: Any) -> None:
    # "log loss" was read as the logarithm of a loss, and RankingLoss was offered.
    assert "RankingLoss" not in precall("explain", "log", "loss").err
    assert precall("explain", "ks", "statistic").out.startswith("KS\n")
    assert explain("mean precision").splitlines()[0] == "mean precision"


@pytest.mark.parametrize(
    ("term", "senses"),
    [
        ("ranking", ("results for one topic", "text categorization")),
        ("CSV", ("classifier's score", "file format")),
        ("tau", ("threshold", "Kendall")),
        ("gain", ("cumulative gain", "precision-recall gain", "DCG")),
        ("confidence", ("classifier", "interval")),
        ("rel", ("relevant, else 0", "ir_measures")),
        ("rank", ("place in a ranking", "policy")),
        ("prior", ("Beta prior", "prevalence")),
    ],
)
def test_both_senses_are_told(term: str, senses: tuple[str, ...]) -> None:
    told = " ".join(explain(term).split())
    assert all(sense in told for sense in senses)
