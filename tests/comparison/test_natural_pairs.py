"""`compare(...)` of two curves, two decisions, labels and two columns, and stored values: what its
functions give by name.
"""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

pd = peer("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

LABELS = [1, 1, 0, 1, 0, 0, 1, 0]
FIRST, SECOND = [8, 7, 6, 5, 4, 3, 2, 1.5], [8, 3, 6, 1, 4, 5, 2, 7.5]
DECIDED, OTHERWISE = [1, 1, 1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1, 0, 1]
TRUE, ONE, TWO = list("abcabc"), list("abcabd"), list("bbcaba")
TOPICS = {"q1": 0.5, "q2": 0.75, "q3": 0.25}, {"q3": 0.0, "q2": 0.5, "q1": 0.5}


def curves(*scores, **options):
    return [pc.curve(LABELS, score, **options) for score in scores]


def decided(truth, *predicted):
    return [pc.decisions(truth, given) for given in predicted]


#: What is typed; the function that is meant; and by hand: what one system has less the other.
CALLS = {
    # 12 and 4 of the 16 pairs of a relevant and another case are in order.
    "curves": (
        lambda: pc.compare(*curves(FIRST, SECOND), "AUC"),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC"),
        12 / 16 - 4 / 16,
    ),
    "curves, low is good": (
        lambda: pc.compare(
            *curves([-s for s in FIRST], [-s for s in SECOND], higher_is_better=False),
            measure="AUC",
        ),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC"),
        12 / 16 - 4 / 16,
    ),
    "curves by name, the measure in a list": (
        lambda: pc.compare(dict(zip("pq", curves(FIRST, SECOND), strict=True)), measures=["AUC"]),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC", names=("p", "q")),
        12 / 16 - 4 / 16,
    ),
    "curves in a list": (
        lambda: pc.compare(curves(FIRST, SECOND), measure="roc_auc"),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC"),
        12 / 16 - 4 / 16,
    ),
    "labels and scores by name": (
        lambda: pc.compare(np.array(LABELS), {"p": np.array(FIRST), "q": SECOND}, measure="AUC"),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC", names=("p", "q")),
        12 / 16 - 4 / 16,
    ),
    "the measure after the columns": (
        lambda: pc.compare(iter(LABELS), iter(FIRST), iter(SECOND), "AUC"),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC"),
        12 / 16 - 4 / 16,
    ),
    "hits and misses per topic": (
        lambda: pc.compare({"q1": True, "q2": True}, {"q1": False, "q2": True}),
        lambda: pc.compare.paired({"q1": 1, "q2": 1}, {"q1": 0, "q2": 1}),
        1 / 2,
    ),
    "labels and scores": (
        lambda: pc.compare(LABELS, FIRST, SECOND, test="bootstrap", resamples=99, rng=3),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, test="bootstrap", resamples=99, rng=3),
        # Hits at 1, 2, 4 and 7, and at 1, 5, 7 and 8 (7.5 stands second).
        (1 + 1 + 3 / 4 + 4 / 7) / 4 - (1 + 2 / 6 + 3 / 7 + 4 / 8) / 4,
    ),
    "arrays": (
        lambda: pc.compare(
            np.array(LABELS), pd.Series(FIRST), np.array(SECOND, np.float32), measure="AUC"
        ),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC"),
        12 / 16 - 4 / 16,
    ),
    "whole scores": (
        lambda: pc.compare(LABELS, list(range(8, 0, -1)), [8, 3, 6, 1, 4, 5, 2, 7], measure="AUC"),
        lambda: pc.compare.cases(LABELS, FIRST, SECOND, "AUC"),
        12 / 16 - 4 / 16,
    ),
    "decisions": (
        lambda: pc.compare(*decided(LABELS, DECIDED, OTHERWISE), "accuracy", test="mcnemar"),
        lambda: pc.compare.decisions(LABELS, DECIDED, OTHERWISE, "accuracy", test="mcnemar"),
        6 / 8 - 3 / 8,
    ),
    "labels and decisions": (
        lambda: pc.compare(LABELS, DECIDED, OTHERWISE),
        lambda: pc.compare.decisions(LABELS, DECIDED, OTHERWISE),
        # 3 right of 4 accepted, 4 relevant; 1 right of 3.
        6 / 8 - 2 / 7,
    ),
    "booleans": (
        lambda: pc.compare(
            *(np.array(part, bool) for part in (LABELS, DECIDED, OTHERWISE)), measure="accuracy"
        ),
        lambda: pc.compare.decisions(LABELS, DECIDED, OTHERWISE, "accuracy"),
        6 / 8 - 3 / 8,
    ),
    "texts": (
        lambda: pc.compare(TRUE, ONE, TWO, measure="accuracy"),
        lambda: pc.compare.decisions(TRUE, ONE, TWO, "accuracy"),
        5 / 6 - 4 / 6,
    ),
    "numbered classes": (
        lambda: pc.compare(
            [0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 7], [1, 1, 2, 0, 1, 0], measure="accuracy"
        ),
        lambda: pc.compare.decisions(
            [0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 7], [1, 1, 2, 0, 1, 0], "accuracy"
        ),
        5 / 6 - 4 / 6,
    ),
    "decisions of other categories": (
        lambda: pc.compare(*decided(TRUE, ONE, TWO), "macro-F1"),
        lambda: pc.compare.decisions(TRUE, ONE, TWO, "macro-F1"),
        None,
    ),
    "sets": (
        lambda: pc.compare([{1}, {2}, {1, 2}], [{1}, {1}, {2}], [{2}, {2}, {1, 2}]),
        lambda: pc.compare.decisions([{1}, {2}, {1, 2}], [{1}, {1}, {2}], [{2}, {2}, {1, 2}]),
        1 / 3 - 2 / 3,
    ),
    "values by topic": (
        lambda: pc.compare(*TOPICS, "AP", test="t"),
        lambda: pc.compare.paired(*TOPICS, measure="AP", test="t"),
        1.5 / 3 - 1 / 3,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_is_the_function_that_is_meant(name):
    typed, meant, difference = CALLS[name]
    got = typed()
    assert isinstance(got, pc.Comparison)
    assert got == meant()
    if difference is not None:
        assert got.difference == pytest.approx(difference, abs=1e-12)


def test_the_old_calls_are_as_they_were():
    qrels = {f"q{i}": {"x": 1, "y": 0} for i in range(6)}
    runs = {
        name: {topic: {"x": x, "y": 1.0} for topic in qrels}
        for name, x in (("good", 2.0), ("bad", 0.5))
    }
    for compared in (
        pc.compare(qrels, runs, ["AP"]),
        pc.compare(pc.evaluate(qrels, runs, ["AP"]), None, "AP", "randomization"),
    ):
        assert isinstance(compared, pc.Comparisons)
        assert (compared.pairs[0].difference, compared.pairs[0].p) == (0.5, 2 / 2**6)


def test_judgements_in_lists_are_no_labels():
    gold = [{"a"}, {"b"}, {"c"}]
    runs = {"x": [["a"], ["b"], ["c"]], "y": [["b"], ["b"], ["d"]]}
    assert pc.compare(gold, runs, ["P@1"]).pairs[0].difference == 2 / 3


SAME = "make both of the same items in the same order"
BOTH = "pass labels and two columns, compare(y, a, b)"
REPORT = pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP")
TRULY = "item 0 does not truly belong to the same categories in both"
WHOLE = [float(one) for one in DECIDED]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: pc.compare(LABELS, WHOLE, [float(one) for one in OTHERWISE]),
            "choose compare.decisions(y, a, b) or compare.cases(y, a, b)",
        ),
        (
            lambda: pc.compare(LABELS, DECIDED, SECOND),
            "the two columns hold decisions and scores; pass two of",
        ),
        (lambda: pc.compare(LABELS, WHOLE, SECOND), "the two columns hold whole floats and scores"),
        (lambda: pc.compare(LABELS, FIRST), "got two columns, not three"),
        (
            lambda: pc.compare(LABELS, FIRST, "AUC"),
            "one value per topic of each system to compare.paired(a, b)",
        ),
        (
            lambda: pc.compare(*curves(FIRST), *decided(LABELS, DECIDED)),
            "got Curve and Decisions; pass two of one kind",
        ),
        (
            lambda: pc.compare(pc.curve(LABELS, FIRST), pc.curve(LABELS[::-1], FIRST)),
            f"have different labels; {SAME}",
        ),
        (
            lambda: pc.compare(pc.curve(LABELS[:4], FIRST[:4]), pc.curve(LABELS, FIRST)),
            f"have different labels; {SAME}",
        ),
        (
            lambda: pc.compare(pc.curve(LABELS, FIRST, 1), pc.curve(LABELS, SECOND)),
            "the curves have 1 and 0 missed cases",
        ),
        (lambda: pc.compare(*curves(FIRST, SECOND, weights=[1] * 8)), "a curve with weights"),
        (lambda: pc.compare(pc.ScoredCases(), pc.ScoredCases()), f"not which ones; {BOTH}"),
        (
            lambda: pc.compare(pc.ScoredCases().curve(), pc.curve(LABELS, FIRST)),
            f"which case has which score; {BOTH}",
        ),
        (
            lambda: pc.compare(pc.curve(LABELS, FIRST).simplify(0.5), pc.curve(LABELS, SECOND)),
            "have changed since it was made",
        ),
        (
            lambda: pc.compare(*curves(FIRST, SECOND), higher_is_better=False),
            "higher_is_better: got False, which was settled",
        ),
        (
            lambda: pc.compare(*curves(FIRST, SECOND), baseline="a"),
            "baseline: got 'a', which two systems",
        ),
        (
            lambda: pc.compare(*curves(FIRST, SECOND), correction="bh"),
            "correction: got 'bh', which two systems by themselves",
        ),
        (lambda: pc.compare(*curves(FIRST, SECOND), tset="delong"), "tset: got 'delong'"),
        (
            lambda: pc.compare(*decided(LABELS, DECIDED), pc.decisions(LABELS[::-1], DECIDED)),
            f"{TRULY}; {SAME}",
        ),
        (
            lambda: pc.compare(pc.decisions(LABELS[:4], DECIDED[:4]), *decided(LABELS, DECIDED)),
            "4 items, binary, 8 items",
        ),
        (lambda: pc.compare({"q1": {"a": 1}}), "runs: none given"),
        (
            lambda: pc.compare(*TOPICS, TOPICS[0]),
            "got dict, and two systems are compared by one; pass its name",
        ),
        (
            lambda: pc.compare(*TOPICS, ["AP", "RR"]),
            "got 2 of them, and two systems are compared by one",
        ),
        (
            lambda: pc.compare(curves(FIRST, SECOND, FIRST)),
            "got 3 systems; two are compared at a time, compare(a, b)",
        ),
        (
            lambda: pc.compare(LABELS, {"p": FIRST}),
            "got 1 system; two are compared at a time, compare(y, a, b)",
        ),
        (
            lambda: pc.compare(TOPICS[0], TOPICS[1] | {"q1": None}),
            "b: topic 'q1' has no number, got None",
        ),
        (
            lambda: pc.compare({1: 0.5, 2: 1}, {"1": 1, "2": 2}),
            "write the ids of all systems as texts, or all as numbers",
        ),
        (lambda: pc.compare({"x": TOPICS[0], "y": TOPICS[1]}), "values go to compare.many"),
        (lambda: pc.compare(REPORT, REPORT), "evaluate several runs in one call"),
    ],
)
def test_what_is_not_plain_is_refused(call, said):
    with pytest.raises(pc.PrecallError) as caught:
        call()
    assert said in str(caught.value)


def test_a_curve_whose_scores_were_changed_is_not_compared():
    scores = np.array(FIRST)
    path = pc.curve(np.array(LABELS, bool), scores)
    scores[0] = -1
    with pytest.raises(pc.UsageError, match="have changed since it was made; make it again"):
        pc.compare(path, pc.curve(LABELS, SECOND))


def test_what_a_curve_was_made_of_is_no_part_of_what_it_is():
    path, turned = pc.curve(LABELS, FIRST), pc.curve(LABELS[::-1], FIRST[::-1])
    assert path == turned and hash(path) == hash(turned)
    assert "cases" not in repr(path).replace("other cases", "")
    again = pickle.loads(pickle.dumps(path))
    assert pc.compare(again, pc.curve(LABELS, SECOND)) == pc.compare.cases(LABELS, FIRST, SECOND)


def test_missed_cases_of_curves_are_those_of_both():
    found = pc.compare(*curves(FIRST, SECOND, missed=3), "AP")
    assert found == pc.compare.cases(LABELS, FIRST, SECOND, "AP", missed=3)
    assert found.values[0] == pc.average_precision(LABELS, FIRST, missed=3)


@pytest.mark.parametrize(
    "option",
    [
        {"lower_is_better": True},
        {"higher_is_better": False},
        {"direction": "min"},
        {"missed": 2},
        {"positive": 1},
    ],
)
def test_what_curves_settle_is_said_where_they_are_made(option):
    with pytest.raises(pc.UsageError) as caught:
        pc.compare(*curves(FIRST, SECOND), **option)
    pattern = r"pc\.curve\(labels, scores, (\w+)=([\w.]+)\)"
    ((name, value),) = re.findall(pattern, str(caught.value))
    values = {"False": False, "...": next(iter(option.values()))}
    made = [pc.curve(LABELS, scores, **{name: values[value]}) for scores in (FIRST, SECOND)]
    told = pc.compare.cases(LABELS, FIRST, SECOND, **{name: values[value]})
    assert pc.compare(*made).difference == told.difference


def test_one_threshold_of_two_ends_is_led_to_curves_of_one_end():
    high = pc.curve(LABELS, FIRST)
    low = pc.curve(LABELS, [-score for score in SECOND], higher_is_better=False)
    with pytest.raises(pc.UsageError, match="make both curves with the same higher_is_better="):
        pc.compare(high, low, "R", threshold=0.5)


def test_categories_that_decisions_settle():
    made = decided(LABELS, DECIDED)
    with pytest.raises(pc.UsageError, match=r"make both by pc\.decisions\(truth, predicted, categ"):
        pc.compare(*made, *made, categories=[0, 1])
