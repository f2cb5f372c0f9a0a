"""scikit-learn's measures of labels, tables and rows of scores: the same numbers on odd inputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.compat import sklearn as ours
from precall.compat.sklearn.label_codes import distinct, occurring
from tests.parity.sklearn_cases import AVERAGES, both, few, matrices, same, scored, theirs, weights

pytestmark = pytest.mark.filterwarnings("ignore")
DIVISIONS: list[Any] = ["warn", 0, 1.0, math.nan]
WORDS = np.array(["ant", "bee", "cat", "dog"])
OF_TABLES: list[tuple[str, dict[str, Any]]] = [
    ("accuracy_score", {}),
    ("accuracy_score", {"normalize": False}),
    ("zero_one_loss", {}),
    ("zero_one_loss", {"normalize": False}),
    ("hamming_loss", {}),
    ("balanced_accuracy_score", {}),
    ("balanced_accuracy_score", {"adjusted": True}),
    ("matthews_corrcoef", {}),
    ("cohen_kappa_score", {}),
    ("cohen_kappa_score", {"weights": "linear"}),
    ("cohen_kappa_score", {"weights": "quadratic"}),
    ("confusion_matrix", {}),
    ("confusion_matrix", {"normalize": "true"}),
    ("confusion_matrix", {"normalize": "pred"}),
    ("confusion_matrix", {"normalize": "all"}),
    ("multilabel_confusion_matrix", {}),
    ("class_likelihood_ratios", {}),
    ("class_likelihood_ratios", {"replace_undefined_by": 1.0}),
    ("class_likelihood_ratios", {"replace_undefined_by": {"LR+": 2.0, "LR-": 0.5}}),
]
#: Those that matrices may have.
OF_MATRICES = [OF_TABLES[i] for i in (0, 1, 2, 3, 4, 5, 7, 8, 11, 15, 16)]
FORMS = ["dense", "sparse", "one"]
AVERAGED: list[tuple[str, dict[str, Any]]] = [
    ("precision_score", {}),
    ("recall_score", {}),
    ("f1_score", {}),
    ("fbeta_score", {"beta": 0.5}),
    ("fbeta_score", {"beta": 0.0}),
    ("fbeta_score", {"beta": math.inf}),
    ("jaccard_score", {}),
]


@st.composite
def labelled(draw: Any) -> tuple[Any, Any, Any]:
    """Labels and predictions of one to fifteen cases: numbers, texts or booleans, of one class or
    several, some in one only.
    """
    count, most = draw(st.integers(1, 15)), draw(st.integers(0, 3))
    column = st.lists(st.integers(0, most), min_size=count, max_size=count)
    true, said = np.array(draw(column)), np.array(draw(column))
    form = draw(st.sampled_from(["whole", "signs", "text", "objects", "bool", "float"]))
    turn: dict[str, Any] = {
        "whole": lambda code: code * 3 - 1,
        "signs": lambda code: np.where(code > 0, 1, -1),
        "text": lambda code: WORDS[code],
        "objects": lambda code: WORDS[code].astype(object),
        "bool": lambda code: code > 0,
        "float": lambda code: code * 1.0,
    }
    weight = draw(weights(count))
    if weight is not None:
        # Of weights that are summed with rounding, tables that have one class are not told from
        # others there.
        weight = np.round(weight * 4) / 4
        weight[0] = 1
    return turn[form](true), turn[form](said), weight


@few
@given(labelled(), st.sampled_from(OF_TABLES))
def test_tables(case: tuple[Any, Any, Any], what: tuple[str, dict[str, Any]]) -> None:
    true, said, weight = case
    both(what[0], true, said, sample_weight=weight, **what[1])


@few
@given(labelled(), st.sampled_from(OF_TABLES[8:15]), st.data())
def test_tables_of_some_labels(
    case: tuple[Any, Any, Any], what: tuple[str, dict[str, Any]], data: Any
) -> None:
    true, said, weight = case
    known = sorted(set(true.tolist()) | set(said.tolist()))
    labels = data.draw(st.permutations(known))[: data.draw(st.integers(1, len(known)))]
    both(what[0], true, said, labels=labels, sample_weight=weight, **what[1])


@few
@given(
    labelled(),
    st.sampled_from(AVERAGED),
    st.sampled_from([*AVERAGES, "binary"]),
    st.sampled_from(DIVISIONS),
)
def test_averaged(
    case: tuple[Any, Any, Any], what: tuple[str, dict[str, Any]], average: Any, division: Any
) -> None:
    true, said, weight = case
    if what[0] == "jaccard_score" and division != division:
        division = 0  # scikit-learn refuses NaN there
    positive = true.tolist()[0]
    options = {"average": average, "zero_division": division, "sample_weight": weight, **what[1]}
    both(what[0], true, said, pos_label=positive, **options)


@few
@given(
    matrices(),
    st.sampled_from(AVERAGED),
    st.sampled_from(AVERAGES),
    st.sampled_from(FORMS),
)
def test_averaged_indicators(
    case: Any, what: tuple[str, dict[str, Any]], average: Any, form: str
) -> None:
    true, score, weight = case
    pair = _indicators(true, score, form)
    both(what[0], *pair, average=average, sample_weight=weight, zero_division=0, **what[1])


@few
@given(
    matrices(),
    st.sampled_from(OF_MATRICES),
    st.booleans(),
    st.sampled_from(FORMS),
)
def test_indicators(
    case: Any, what: tuple[str, dict[str, Any]], samplewise: bool, form: str
) -> None:
    true, score, weight = case
    if what[0] == "multilabel_confusion_matrix":
        both(what[0], *_indicators(true, score, form), sample_weight=weight, samplewise=samplewise)
    elif form != "sparse" or what[0] in ("accuracy_score", "zero_one_loss", "hamming_loss"):
        pair = _indicators(
            true,
            score,
            "dense" if what[0] in ("matthews_corrcoef", "balanced_accuracy_score") else form,
        )
        both(what[0], *pair, sample_weight=weight, **what[1])


def _indicators(true: Any, score: Any, form: str) -> tuple[Any, Any]:
    said = (score > 0.3).astype(int)
    if form == "dense":
        return true, said
    from scipy.sparse import csc_array, csr_array

    return csr_array(true), said if form == "one" else csc_array(said)


@few
@given(matrices(), st.booleans())
def test_rankings_of_labels(case: tuple[Any, Any, Any], sparse: bool) -> None:
    true, score, weight = case
    both("coverage_error", true, score, sample_weight=weight)
    given = true
    if sparse:
        from scipy.sparse import csr_array

        given = csr_array(true)
    for name in ("label_ranking_average_precision_score", "label_ranking_loss"):
        both(name, given, score, sample_weight=weight)


@few
@given(
    matrices(),
    st.sampled_from([None, 1, 2, 9]),
    st.booleans(),
    st.sampled_from([2, 10, 1.5]),
    st.sampled_from([1, 3, 0.7]),
)
def test_gains(case: tuple[Any, Any, Any], k: Any, ignore: bool, base: float, most: float) -> None:
    true, score, weight = case
    gains = true * most * np.arange(1, true.shape[1] + 1)
    both("ndcg_score", gains, score, k=k, ignore_ties=ignore, sample_weight=weight)
    both(
        "dcg_score", gains - 1, score, k=k, ignore_ties=ignore, log_base=base, sample_weight=weight
    )


@few
@given(st.data(), st.integers(1, 4), st.booleans(), st.booleans())
def test_top_k(data: Any, k: int, normalize: bool, named: bool) -> None:
    count, width = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 4))
    true = np.array(data.draw(st.lists(st.integers(0, width - 1), min_size=count, max_size=count)))
    cells = data.draw(
        st.lists(
            st.sampled_from([0.0, 0.25, 0.5, 2.0]), min_size=count * width, max_size=count * width
        )
    )
    score = np.array(cells).reshape(count, width)
    options = {"k": k, "normalize": normalize, "sample_weight": data.draw(weights(count))}
    labels = list(range(width)) if named else None
    both(
        "top_k_accuracy_score", true, score if width > 2 else score[:, 0], labels=labels, **options
    )
    words = None if labels is None else WORDS[labels]
    both(
        "top_k_accuracy_score",
        WORDS[true],
        score if width > 2 else score[:, 0],
        labels=words,
        **options,
    )


@few
@given(scored(), st.booleans())
def test_det_curves(case: tuple[Any, Any, Any], drop: bool) -> None:
    truth, score, weight = case
    if weight is None or len(set(truth[weight > 0])) == len(set(truth)):
        both("det_curve", truth, score, sample_weight=weight, drop_intermediate=drop)


@few
@given(st.lists(st.integers(-4, 4), max_size=6), st.data(), st.sampled_from([0, 1, -1]))
def test_areas(x: list[int], data: Any, direction: int) -> None:
    y = data.draw(st.lists(st.floats(-9, 9), min_size=len(x), max_size=len(x)))
    both("auc", sorted(x)[::direction] if direction else x, y)


BAD: list[tuple[str, Any, Any, dict[str, Any]]] = [
    *(
        (name, [], [], {})
        for name in ("accuracy_score", "f1_score", "confusion_matrix", "hamming_loss", "auc")
    ),
    ("accuracy_score", [0, 1], [0, 1, 1], {}),
    ("accuracy_score", [0, 1], [0.5, 1], {}),
    ("accuracy_score", ["a", "b"], [0, 1], {}),
    ("accuracy_score", [0, 1], [0, 1], {"sample_weight": [0, 0]}),
    ("confusion_matrix", [0, 1], [0, 1], {"labels": []}),
    ("confusion_matrix", [0, 1], [0, 1], {"labels": [2]}),
    ("confusion_matrix", [[0, 1]], [[0, 1]], {}),
    ("confusion_matrix", [0, 1], [0, 1], {"normalize": "rows"}),
    ("cohen_kappa_score", [0, 1], [0, 1], {"weights": "cubic"}),
    ("cohen_kappa_score", [0, 1], [0, 1], {"replace_undefined_by": 2}),
    ("class_likelihood_ratios", [0, 1, 2], [0, 1, 2], {}),
    ("class_likelihood_ratios", [0, 1], [0, 1], {"replace_undefined_by": {"LR+": 0.5, "LR-": 1.0}}),
    ("jaccard_score", [0, 1, 2], [0, 1, 2], {}),
    ("fbeta_score", [0, 1], [0, 1], {"beta": -1}),
    ("multilabel_confusion_matrix", [0, 1], [0, 1], {"samplewise": True}),
    ("multilabel_confusion_matrix", [[0, 1], [1, 0]], [[0, 1], [1, 0]], {"labels": [-1]}),
    ("det_curve", [1, 1], [0.1, 0.2], {}),
    ("auc", [0, 2, 1], [1, 1, 1], {}),
    ("auc", [1], [1], {}),
    ("coverage_error", [0, 1], [0.1, 0.2], {}),
    ("label_ranking_loss", [[0, 1]], [[0.1, 0.2, 0.3]], {}),
    ("label_ranking_average_precision_score", [[0, 1, 2]], [[0.1, 0.2, 0.3]], {}),
    ("ndcg_score", [[-1, 1]], [[0.1, 0.2]], {}),
    ("ndcg_score", [[1]], [[0.1]], {}),
    ("dcg_score", [0, 1], [0.1, 0.2], {}),
    ("dcg_score", [[1, 2]], [[0.1, 0.2]], {"k": 0}),
    ("top_k_accuracy_score", [0, 1, 2], [0.1, 0.2, 0.3], {}),
    ("top_k_accuracy_score", [0, 1, 2], np.eye(3), {"labels": [2, 1, 0]}),
    ("top_k_accuracy_score", [0, 1], np.eye(2), {}),
]


@pytest.mark.parametrize(("name", "true", "other", "options"), BAD)
def test_both_refuse(name: str, true: Any, other: Any, options: dict[str, Any]) -> None:
    for tool in (theirs, ours):
        with pytest.raises(ValueError, match=r".{10}"):
            getattr(tool, name)(np.array(true), np.array(other), **options)


def test_signatures_of_displays() -> None:
    import inspect

    for name in (
        "PrecisionRecallDisplay",
        "RocCurveDisplay",
        "DetCurveDisplay",
        "ConfusionMatrixDisplay",
    ):
        mine, other = (getattr(tool, name) for tool in (ours, theirs))
        for method in ("__init__", "plot", "from_estimator", "from_predictions", "from_cv_results"):
            if hasattr(other, method):
                same_shape = [
                    [
                        (p.name, p.kind, p.default)
                        for p in inspect.signature(getattr(c, method)).parameters.values()
                    ]
                    for c in (mine, other)
                ]
                assert same_shape[0] == same_shape[1], (name, method)


def test_displays_without_estimators(tmp_path: Any) -> None:
    """What is drawn is what the curves are; the picture can be saved as our own can."""
    pyplot = pytest.importorskip(
        "matplotlib.pyplot", reason="matplotlib is not installed: no picture was drawn"
    )
    pyplot.switch_backend("agg")
    truth, score = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]
    display = ours.PrecisionRecallDisplay.from_predictions(truth, score, plot_chance_level=True)
    precision, recall, _ = theirs.precision_recall_curve(truth, score)
    same(display.line_.get_xdata(), recall)
    same(display.line_.get_ydata(), precision)
    assert list(display.chance_level_.get_ydata()) == [0.5, 0.5]
    display.save(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"
    roc = ours.RocCurveDisplay.from_predictions(truth, score, ax=display.ax_)
    assert roc.ax_ is display.ax_ and roc.line_.get_label() == "Classifier (AUC = 0.89)"
    table = ours.ConfusionMatrixDisplay.from_predictions(["b", "a", "b"], ["b", "b", "b"])
    assert [text.get_text() for text in table.text_.ravel()] == ["0", "1", "0", "2"]
    pytest.importorskip("scipy", reason="SciPy is not installed: no DET curve was drawn")
    assert (
        ours.DetCurveDisplay.from_predictions(truth, score).ax_.get_ylabel()
        == "False Negative Rate (Positive label: 1)"
    )
    pyplot.close("all")


TEXTS = [["", "a", "ab", "b", "ä", "\U0001d538", "a b"], [f"{k:05}" for k in range(3000)]]


@pytest.mark.parametrize("labels", TEXTS, ids=["few", "many"])
def test_many_texts(labels: list[str]) -> None:
    """Many short texts are told apart by numbers, which of too many labels are not distinct."""
    rng = np.random.default_rng(0)
    true, said = (np.array(labels)[rng.integers(0, len(labels), 6000)] for _ in range(2))
    for name, options in (
        ("accuracy_score", {}),
        ("f1_score", {"average": "macro", "zero_division": 0}),
    ):
        both(name, true, said, **options)
    known, code = distinct(true)
    assert known.tolist() == sorted(set(true.tolist()))
    assert np.array_equal(known[code], true)


@given(
    st.sampled_from([bool, np.int8, np.uint8, np.int64, np.uint64]),
    st.integers(0, 6),
    st.lists(st.integers(0, 7)),
)
def test_labels_that_occur(dtype: Any, above: int, labels: list[int]) -> None:
    """Of numbers that are near each other as of all others, at both ends of what their type
    holds.
    """
    ends = np.iinfo(np.uint8 if dtype is bool else dtype)
    given = np.array(labels, np.int8)
    for least in (0, ends.min, ends.max - 7 - above):
        values = (given.astype(object) + least).astype(dtype)
        known = occurring(values)
        assert known.dtype == values.dtype
        assert np.array_equal(known, np.unique(values))


@pytest.mark.parametrize(
    ("true", "said", "options"),
    [
        (["a"], ["b"], {}),
        (["a", "b", "c"], ["b", "c", "b"], {"labels": ["c", "a"]}),
        ([0, 1], [1, 1], {}),
        ([0, 1], [1, 0], {"sample_weight": [2, 1]}),
        ([0, 1], [1, 1], {"sample_weight": [2.0, 1.0]}),
        ([[0, 1], [1, 1]], [[0, 0], [1, 0]], {"sample_weight": [2.0, 1.0]}),
    ],
)
def test_types_of_counts(true: Any, said: Any, options: dict[str, Any]) -> None:
    """Counts are integers or floats as there; a report shows it: where no label is right a support
    is 1.0.
    """
    for name in (
        "multilabel_confusion_matrix",
        "precision_recall_fscore_support",
        "classification_report",
    ):
        wanted, got = (getattr(tool, name)(true, said, **options) for tool in (theirs, ours))
        if name == "classification_report":
            assert got == wanted
        else:
            assert getattr(got, "dtype", None) == getattr(wanted, "dtype", None)
            assert np.asarray(got[-1]).dtype == np.asarray(wanted[-1]).dtype
    for each in ({"samplewise": True},) if np.ndim(true) == 2 else ():
        wanted, got = (
            tool.multilabel_confusion_matrix(true, said, **options, **each)
            for tool in (theirs, ours)
        )
        assert got.dtype == wanted.dtype
    if np.ndim(true) == 1:
        for more in ({}, {"labels": true[:1]}):
            wanted, got = (
                tool.confusion_matrix(true, said, **options | more) for tool in (theirs, ours)
            )
            assert got.dtype == wanted.dtype


@pytest.mark.filterwarnings("default")
def test_one_label_is_warned_of() -> None:
    for name in (
        "matthews_corrcoef",
        "cohen_kappa_score",
        "confusion_matrix",
        "balanced_accuracy_score",
    ):
        for tool in (theirs, ours):
            with pytest.warns(
                UserWarning, match="A single label was found in 'y_true' and 'y_pred'"
            ):
                getattr(tool, name)(["a", "a"], ["a", "a"])
