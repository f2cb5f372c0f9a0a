"""How p was computed is data: its sentence is made of it, and signatures say of which measure it
was which.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.core.methods import NO_DIFFERENCE, Method

#: The sentences of all methods.
SENTENCES = [
    (NO_DIFFERENCE, "no difference", True),
    (Method("enumerated", exact=True, drawn="signs", units=6), "all 2^6 signs", True),
    (
        Method(
            "enumerated", exact=True, drawn="signs of ranks", units=60, by="convolution"
        ).of_pairs(1),
        "all 2^60 signs of ranks, by convolution, 1 pair",
        True,
    ),
    (
        Method("sampled", drawn="signs", resamples=99_999, statistic="the greatest t of all pairs"),
        "99,999 sampled signs, the greatest t of all pairs",
        False,
    ),
    (Method("resampled", resamples=1000), "1,000 resamples", False),
    (Method("resampled", resamples=1000, drawn="groups"), "1,000 resamples of groups", False),
    (
        Method("binomial", exact=True, counts=(9, 1)).of_pairs(10),
        "binomial, 9 to 1, 10 pairs",
        True,
    ),
    (Method("hypergeometric", exact=True, counts=(2, 5)), "hypergeometric, 2 relevant of 5", True),
    (Method("paired t", freedom=1200), "1200 degrees of freedom", False),
    (Method("Student's t", freedom=12.345), "Student's t, 12.3 degrees of freedom", False),
    (Method("normal"), "normal", False),
    (Method("undefined", undefined="no variance"), "undefined: no variance", False),
    (Method("Dirichlet", exact=True), "Dirichlet, exact", True),
    (Method("Dirichlet", resamples=5000, seed=1), "Dirichlet, 5,000 samples", False),
]


@pytest.mark.parametrize(("method", "sentence", "exact"), SENTENCES)
def test_sentences(method, sentence, exact):
    assert str(method) == sentence
    assert method.exact == exact
    assert method.in_short == ("exact" if exact and method != NO_DIFFERENCE else sentence)


def test_a_comparison_has_it_and_so_has_json():
    pair = pc.compare.paired(np.arange(60.0) ** 0.5, np.ones(60), resamples=999, rng=7)
    assert (
        pair.method == Method("sampled", drawn="signs", resamples=999, seed=7)
        and pair.how == "999 sampled signs"
    )
    told = json.loads(pair.to_json())["pairs"][0]
    assert told["how"] == pair.how
    assert told["method"] == {
        "name": "sampled",
        "exact": False,
        "drawn": "signs",
        "resamples": 999,
        "seed": 7,
    }
    undefined = pc.compare.cases([1, 0, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], "AUC")
    assert (
        undefined.method.undefined == "one item of a class has no variance"
        and undefined.p != undefined.p
    )
    assert undefined.method.to_dict()["undefined"] == undefined.method.undefined


def test_the_signature_says_of_which_measure():
    rng = np.random.default_rng(1)
    topics = [f"q{i}" for i in range(60)]
    qrels = {topic: {f"d{i}": 1 for i in range(4)} for topic in topics}
    runs = {
        name: {
            topic: {f"d{i}": float(rng.normal() + (i < 4) * shift) for i in range(12)}
            for topic in topics
        }
        for name, shift in (("a", 1.0), ("b", 0.8))
    }
    report = pc.evaluate(qrels, runs, ["AP", "P@5", "nDCG@10"])
    signature = pc.compare(report, resamples=2000).conventions["test"]
    assert signature == "randomization (2,000 sampled signs: AP, nDCG@10; exact: P@5)"
    assert pc.compare(report, measures="P@5").conventions["test"] == "randomization (exact)"
    same = pc.compare(report, measures=["AP", "nDCG@10"], resamples=2000).conventions["test"]
    assert same == "randomization (2,000 sampled signs)"
