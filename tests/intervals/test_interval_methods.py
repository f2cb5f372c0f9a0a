"""Which methods intervals have: those that `explain` lists for an object are those that
`pc.interval` takes of it.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from precall.cli.explanations import AVERAGED
from precall.cli.main import run
from precall.core.errors import UsageError
from precall.intervals import methods, methods_by_object
from precall.stats.intervals.methods import METHODS

RNG = np.random.default_rng(4)
TRUTH = RNG.integers(0, 3, 60)
DECIDED = np.where(RNG.random(60) < 0.7, TRUTH, RNG.integers(0, 3, 60))
LETTERS = [["abc"[label] for label in labels] for labels in (TRUTH, DECIDED)]
BINARY = pc.decisions((TRUTH > 0).astype(int), (DECIDED > 0).astype(int))
SINGLE = pc.decisions(*LETTERS)
SCORES = RNG.random(60) + (TRUTH > 0)
CURVE = pc.curve((TRUTH > 0).astype(int), SCORES)
STATUS = pc.categorize(LETTERS[0], RNG.random((60, 3)) + np.eye(3)[TRUTH])
QRELS = {
    f"q{i}": {f"d{j}": int(RNG.random() < 0.4) for j in range(9)} | {"d0": 1} for i in range(12)
}
RUN = {
    topic: {item: RNG.random() + grade for item, grade in grades.items()}
    for topic, grades in QRELS.items()
}
EVERY = list(dict.fromkeys(method for known in METHODS.values() for method in known))
GROUPS = np.arange(60) // 3
#: Measures, and what they are called in a report.
MEASURES = {
    "MCC": "SetMCC(population=20)",
    "kappa": "SetKappa(population=20)",
    "F": "SetF",
    "E": "SetE",
    "F(beta=2)": "SetF(beta=2)",
    "BalancedAccuracy": "SetBalancedAccuracy(population=20)",
    "P": "SetP",
    "Accuracy": "SetAccuracy(population=20)",
    "Error": "SetError(population=20)",
    "NPV": "SetNPV(population=20)",
    "AP": "AP",
    "AUC": "AUC(population=20)",
    "AUC(max_fpr=0.3)": "AUC(max_fpr=0.3,population=20)",
    "MaxF": "MaxF",
    "RR": "RR",
    "P@5": "P@5",
}
GIVEN = {"curves": CURVE, "scores of categories": STATUS, "binary decisions": BINARY}


def taken(kind, measure, method):
    """The interval by this method; none where it is refused. Obuchowski's is of groups."""
    options = {} if method is None else {"method": method}
    if kind == "reports":
        given, measure = pc.evaluate(QRELS, RUN, [MEASURES[measure]]), MEASURES[measure]
    else:
        given = GIVEN.get(kind, SINGLE)
        options |= (
            {"average": "each"}
            if kind == "each category"
            else {"average": kind}
            if kind in AVERAGED
            else {}
        )
        options |= (
            {"groups": GROUPS}
            if method == "obuchowski" and kind in ("curves", "scores of categories")
            else {}
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        try:
            return pc.interval(given, measure, **options)
        except UsageError:
            return None


@pytest.mark.nightly
@pytest.mark.parametrize("measure", MEASURES)
def test_the_methods_told_are_those_that_are_taken(measure):
    for kind, known in methods_by_object(measure).items():
        made = {method: taken(kind, measure, method) for method in EVERY}
        own = [made[method] for method in known]
        assert None not in own, kind
        # Another is refused, or its name is also another name of one of these.
        others = [made[method] for method in EVERY if method not in known]
        assert all(each is None or each in own for each in others), kind
        # The first is what is taken if none is named; of few topics the one that knows the range.
        default = "bayesian-bootstrap" if kind == "reports" else known[0]
        assert taken(kind, measure, None) == made[default], kind


def test_explain_says_which_methods_are_of_which_object(capsys):
    for name in ("MCC", "AP"):
        assert run(["explain", name]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert all(f"{', '.join(known)}" in text for known in methods_by_object(name).values())
        assert set(methods(name)) <= {
            method for known in methods_by_object(name).values() for method in known
        }
    assert (
        "logit, bca, percentile, normal (curves, scores of categories); "
        "t, bayesian-bootstrap, bca, percentile (reports of several rankings) Tests"
    ) in text
    assert methods_by_object("NumRel") == {} and methods("NumRel") == ()
