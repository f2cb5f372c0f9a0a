"""scikit-learn: the same numbers on made inputs, wherever it is defined and right; what differs by
cause.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.compat import sklearn as ours
from precall.core.errors import UsageError
from tests.parity.sklearn_cases import (
    AVERAGES,
    both,
    classified,
    few,
    matrices,
    same,
    scored,
    theirs,
    weights,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@few
@given(scored())
def test_binary_scores(case: tuple[Any, Any, Any]) -> None:
    truth, score, weight = case
    both("average_precision_score", truth, score, sample_weight=weight)
    if weight is None or len(set(truth[weight > 0])) == len(set(truth)):
        both("roc_auc_score", truth, score, sample_weight=weight)


@few
@given(scored(), st.sampled_from([0.1, 0.3, 0.5, 0.9, 1.0]))
def test_partial_area(case: tuple[Any, Any, Any], limit: float) -> None:
    truth, score, weight = case
    if weight is None or len(set(truth[weight > 0])) == len(set(truth)):
        both("roc_auc_score", truth, score, sample_weight=weight, max_fpr=limit)


@few
@given(scored(), st.booleans())
def test_curves(case: tuple[Any, Any, Any], drop: bool) -> None:
    truth, score, weight = case
    exact = weight is None or bool(np.all(weight * 4 == np.round(weight * 4)))
    for name in ("precision_recall_curve", "roc_curve"):
        both(
            name,
            truth,
            score,
            sample_weight=weight,
            drop_intermediate=drop and (exact or name[0] == "p"),
        )


@few
@given(scored())
def test_real_weights_drop_the_points_that_rounding_leaves(case: tuple[Any, Any, Any]) -> None:
    """With real weights scikit-learn keeps points off a line by rounding; the lines are the
    same.
    """
    truth, score, weight = case
    if weight is None or len(set(truth[weight > 0])) < 2:
        return
    thin = ours.roc_curve(truth, score, sample_weight=weight)
    all_points = theirs.roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    assert len(thin[0]) <= len(theirs.roc_curve(truth, score, sample_weight=weight)[0])
    same(float(np.trapezoid(thin[1], thin[0])), float(np.trapezoid(all_points[1], all_points[0])))


@few
@given(scored(), st.sampled_from(["no", "yes"]))
def test_named_labels(case: tuple[Any, Any, Any], label: str) -> None:
    truth, score, weight = case
    named = np.where(truth == 1, "yes", "no")
    both("average_precision_score", named, score, pos_label=label, sample_weight=weight)
    both("precision_recall_curve", named, score, pos_label=label, sample_weight=weight)
    both("roc_curve", named, score, pos_label=label, sample_weight=weight, drop_intermediate=False)
    both("roc_auc_score", named, score)


@pytest.mark.nightly
@few
@given(matrices(), st.sampled_from(AVERAGES))
def test_multilabel_scores(case: tuple[Any, Any, Any], average: str | None) -> None:
    truth, score, weight = case
    both("average_precision_score", truth, score, average=average, sample_weight=weight)
    kept = slice(None) if weight is None else weight > 0
    if not np.array_equal(_one_class(truth[kept]), _one_class(truth)):
        return
    both("roc_auc_score", truth, score, average=average, sample_weight=weight)
    both("roc_auc_score", truth, score, average=average, max_fpr=0.4)


def _one_class(truth: Any) -> Any:
    return (truth.min(axis=0) == truth.max(axis=0)) if len(truth) else np.zeros(0)


@pytest.mark.nightly
@few
@given(
    classified(), st.sampled_from(AVERAGES), st.sampled_from(["ovr", "ovo", "raise"]), st.booleans()
)
def test_multiclass_scores(
    case: tuple[Any, Any], average: str | None, how: str, absent: bool
) -> None:
    truth, score = case
    both("average_precision_score", truth, score, average=average)
    both("roc_auc_score", truth, score, average=average, multi_class=how)
    both(
        "roc_auc_score",
        truth,
        score,
        average=average,
        multi_class=how,
        sample_weight=np.arange(1, len(truth) + 1),
    )
    named = np.array(["a", "b", "c", "d"])[truth]
    both("roc_auc_score", named, score, average=average, multi_class=how, labels=sorted(set(named)))
    if absent:
        kept = truth != 1
        both(
            "roc_auc_score",
            truth[kept],
            score[kept],
            average=average,
            multi_class=how,
            labels=sorted(set(truth)),
        )


LABELS = st.one_of(
    st.none(), st.permutations(range(4)), st.sampled_from([[0], [1, 3], [3, 9], [2, 0, 1]])
)
DIVISIONS: list[Any] = ["warn", 0, 1, 0.0, 1.0, math.nan]


@few
@given(
    st.data(),
    LABELS,
    st.sampled_from([*AVERAGES, "binary"]),
    st.sampled_from(DIVISIONS),
    st.sampled_from([1.0, 0.5, 2.0, 0.0, math.inf]),
)
def test_decisions(data: Any, labels: Any, average: str | None, division: Any, beta: float) -> None:
    count = data.draw(st.integers(1, 15))
    most = data.draw(st.sampled_from([1, 2, 3]))
    column = st.lists(st.integers(0, most), min_size=count, max_size=count)
    true, said, weight = data.draw(column), data.draw(column), data.draw(weights(count))
    options = {"sample_weight": weight, "zero_division": division, "labels": labels}
    name = "precision_recall_fscore_support"
    both(name, true, said, average=average, beta=beta, **options)
    words = [np.array(["ant", "bee", "cat", "dog"])[one] for one in (true, said)]
    wanted = None if labels is None else [["ant", "bee", "cat", "dog"][k % 4] for k in labels[:2]]
    both(name, *words, average=average, beta=beta, pos_label="bee", **{**options, "labels": wanted})


@pytest.mark.nightly
@few
@given(matrices(), st.sampled_from(AVERAGES), st.sampled_from(DIVISIONS), st.booleans(), st.data())
def test_multilabel_decisions(
    case: tuple[Any, Any, Any], average: str | None, division: Any, sparse: bool, data: Any
) -> None:
    true, score, weight = case
    said = (score > 0.3).astype(int)
    labels = data.draw(st.sampled_from([None, [1], [1, 0]]))
    if sparse:
        from scipy.sparse import csr_array

        true, said = csr_array(true), csr_array(said)
    options = {"sample_weight": weight, "zero_division": division, "labels": labels}
    both("precision_recall_fscore_support", true, said, average=average, **options)
    both("classification_report", true, said, output_dict=True, **options)


@pytest.mark.nightly
@few
@given(st.data(), LABELS, st.sampled_from(DIVISIONS), st.sampled_from([0, 2, 5]))
def test_report(data: Any, labels: Any, division: Any, digits: int) -> None:
    count = data.draw(st.integers(1, 15))
    column = st.lists(
        st.integers(0, data.draw(st.sampled_from([1, 3]))), min_size=count, max_size=count
    )
    true, said, weight = data.draw(column), data.draw(column), data.draw(weights(count))
    names = data.draw(st.sampled_from([None, ["first", "second", "a third, of a long name", "z"]]))
    options = {
        "labels": labels,
        "sample_weight": weight,
        "zero_division": division,
        "target_names": names,
    }
    both("classification_report", true, said, output_dict=True, **options)
    try:
        wanted = theirs.classification_report(true, said, digits=digits, **options)
    except ValueError:
        with pytest.raises(ValueError, match="names"):
            ours.classification_report(true, said, digits=digits, **options)
        return
    got = ours.classification_report(true, said, digits=digits, **options)
    assert _about(got) == _about(wanted)


def _about(text: str) -> list[list[Any]]:
    """Words of each line, numbers as numbers: with real weights the last digit may round either
    way.
    """
    lines = [line.split() for line in text.split("\n")]
    return [
        [pytest.approx(float(word), abs=2e-2) if _number(word) else word for word in line]
        for line in lines
    ]


def _number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()


def test_report_to_the_character() -> None:
    rng = np.random.default_rng(3)
    true, said = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    names = ["oak", "elm", "a name longer than the averages'", "ash"]
    weight = rng.integers(1, 4, 200)
    for options in (
        {},
        {"digits": 4},
        {"target_names": names},
        {"sample_weight": weight},
        {"sample_weight": weight / 4},
        {"labels": [1, 2]},
        {"labels": [3, 2, 1, 0]},
    ):
        assert ours.classification_report(true, said, **options) == theirs.classification_report(
            true, said, **options
        )
    many = [rng.integers(0, 2, (50, 5)) for _ in range(2)]
    assert ours.classification_report(*many) == theirs.classification_report(*many)
    odd = [0, 1], [1, 0]  # where nothing is right supports are 1.0
    assert ours.classification_report(*odd) == theirs.classification_report(*odd)


BAD: list[tuple[str, Any, Any, dict[str, Any]]] = [
    ("average_precision_score", [0, 1], [0.1, np.nan], {}),
    ("average_precision_score", [0, 1], [0.1], {}),
    ("average_precision_score", [0, 1], [0.1, 0.2], {"average": "median"}),
    ("average_precision_score", ["a", "b"], [0.1, 0.2], {}),
    ("average_precision_score", [0, 1, 2], [0.1, 0.2, 0.3], {}),
    ("average_precision_score", [0.5, 1, 2], [0.1, 0.2, 0.3], {}),
    ("average_precision_score", [], [], {}),
    ("roc_auc_score", [0, 1, 2], [0.1, 0.2, 0.3], {"multi_class": "ovr"}),
    ("roc_auc_score", [0, 1, 2], np.eye(3) * 2, {"multi_class": "ovr"}),
    ("roc_auc_score", [0, 1, 2], np.eye(3), {}),
    ("roc_auc_score", [0, 1, 2], np.eye(3), {"multi_class": "ovr", "labels": [2, 1, 0]}),
    ("roc_auc_score", [0, 1, 2], np.eye(3), {"multi_class": "ovr", "labels": [0, 1]}),
    ("roc_auc_score", [0, 1, 2], np.eye(3), {"multi_class": "ovr", "labels": [0, 1, 3]}),
    ("roc_auc_score", [0, 1, 2], np.eye(3), {"multi_class": "ovr", "max_fpr": 0.5}),
    ("roc_auc_score", [0, 1, 2], np.eye(3), {"multi_class": "ovo", "average": None}),
    ("roc_auc_score", [0, 1], [0.1, 0.2], {"max_fpr": 1.5}),
    ("roc_auc_score", [0, 1], [0.1, 0.2], {"multi_class": "both"}),
    ("precision_recall_curve", [1, 2], [0.1, 0.2], {}),
    ("precision_recall_curve", ["a", "b"], [0.1, 0.2], {}),
    ("roc_curve", [0, 1, 2], [0.1, 0.2, 0.3], {}),
    ("roc_curve", [0, 1], [[0.1, 0.2], [0.3, 0.4]], {}),
    ("precision_recall_fscore_support", [0, 1], ["a", "b"], {}),
    ("precision_recall_fscore_support", [0, 1], [0, 1, 1], {}),
    ("precision_recall_fscore_support", [0, 1], [[0, 1], [1, 0]], {}),
    ("precision_recall_fscore_support", [0, 1], [0, 1], {"average": "samples"}),
    ("precision_recall_fscore_support", [0, 1, 2], [0, 1, 2], {"average": "binary"}),
    ("precision_recall_fscore_support", ["a", "b"], ["a", "b"], {"average": "binary"}),
    ("precision_recall_fscore_support", [0, 1], [0, 1], {"beta": -1.0}),
    ("precision_recall_fscore_support", [0, 1], [0, 1], {"zero_division": 2}),
    ("precision_recall_fscore_support", [[0, 1], [1, 0]], [[0, 1], [1, 0]], {"labels": [5]}),
    ("classification_report", [0, 1], [0, 1], {"target_names": ["a"]}),
    ("classification_report", [0, 1], [0, 1], {"digits": -1}),
]


@pytest.mark.parametrize(("name", "true", "other", "options"), BAD)
def test_both_refuse(name: str, true: Any, other: Any, options: dict[str, Any]) -> None:
    error: Any = (ValueError, RuntimeError)
    other = np.array(other)
    with pytest.raises((*error, IndexError)):
        getattr(theirs, name)(true, other, **options)
    with pytest.raises(error, match=r".{10}"):
        getattr(ours, name)(true, other, **options)


def test_signatures() -> None:
    import inspect

    for name in ours.__all__:
        if hasattr(theirs, name):
            ones = [
                inspect.signature(getattr(place, name)).parameters.values()
                for place in (ours, theirs)
            ]
            shape = [[(p.name, p.kind, p.default) for p in one] for one in ones]
            assert shape[0] == shape[1], name


@pytest.mark.parametrize("swapped", [False, True])
def test_labels_of_unlike_numbers(swapped: bool) -> None:
    """Predictions of a regressor's kind, 1.0, beside labels 1: the report calls them as the truth
    does.
    """
    pair = [np.array([0, 2, 0, 1]), np.array([2.0, 0.0, 0.0, 1.0])]
    true, said = reversed(pair) if swapped else pair
    for as_dict in (False, True):
        options: dict[str, Any] = {"output_dict": as_dict, "zero_division": 0}
        wanted = theirs.classification_report(true, said, **options)
        assert ours.classification_report(true, said, **options) == wanted


def test_labels_that_cannot_be_are_value_errors() -> None:
    for tool in (theirs, ours):
        with pytest.raises(ValueError, match="average"):
            tool.precision_recall_fscore_support(["a", "b"], ["c", "a"], average="binary")
    with pytest.raises(ValueError, match="empty"):
        theirs.classification_report([0, 1], [1, 1], labels=[])
    with pytest.raises(UsageError, match="labels: is empty"):
        ours.classification_report([0, 1], [1, 1], labels=[])
