"""scikit-learn's names: labels that are refused there, means with weights of 0, and warnings that
filters catch.
"""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from precall.compat import sklearn as ours
from precall.core.errors import PrecallWarning, UsageError
from tests.peers import peer

theirs = peer("sklearn.metrics", "scikit-learn is not installed: no parity was checked")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning:sklearn")

SCORED = ("average_precision_score", "precision_recall_curve", "roc_curve", "roc_auc_score")
DECIDED = ("precision_recall_fscore_support", "classification_report")
#: Old tests took labels from integers, booleans and strings only.
REFUSED: list[tuple[Any, str]] = [
    ([b"a", b"b"], "bytes"),
    (np.array([b"a", b"b"], object), "bytes"),
    ([0.0, np.inf], "infin"),
    ([-np.inf, 0.0, 1.0], "infin"),
    ([1 + 1j, 2], "[Cc]omplex"),
]


@pytest.mark.parametrize("name", SCORED + DECIDED)
@pytest.mark.parametrize(
    ("true", "what"), REFUSED, ids=lambda one: one if isinstance(one, str) else None
)
def test_labels_that_are_no_classes(name: str, true: Any, what: str) -> None:
    other = true if name in DECIDED else np.arange(len(true)) / 4
    with pytest.raises((ValueError, TypeError)):
        getattr(theirs, name)(true, other)
    with pytest.raises(UsageError, match=what):
        getattr(ours, name)(true, other)


def test_bytes_with_a_positive_label() -> None:
    """Was AP 0.0 where 1.0 is right: a label of bytes equalled no string."""
    for name in SCORED[:3]:
        for label in ("b", b"b"):
            with pytest.raises((ValueError, TypeError)):
                getattr(theirs, name)(np.array([b"a", b"b"]), [0.1, 0.2], pos_label=label)
            with pytest.raises(UsageError, match="bytes|pos_label: must be"):
                getattr(ours, name)(np.array([b"a", b"b"]), [0.1, 0.2], pos_label=label)
        with pytest.raises(UsageError, match="pos_label: must be a number, a string or None"):
            getattr(ours, name)(["a", "b"], [0.1, 0.2], pos_label=b"b")
    with pytest.raises(UsageError, match="pos_label: must be"):
        ours.precision_recall_fscore_support(
            ["a", "b"], ["a", "b"], pos_label=b"b", average="binary"
        )


@pytest.mark.parametrize("name", SCORED)
@pytest.mark.parametrize("score", [["0.1", "0.2"], [b"0.1", b"0.2"]])
def test_scores_that_are_texts(name: str, score: Any) -> None:
    """Were read as numbers; old tests had scores of numbers only."""
    with pytest.raises((ValueError, TypeError)):
        getattr(theirs, name)([0, 1], score)
    with pytest.raises(UsageError, match="y_score: scores are texts"):
        getattr(ours, name)([0, 1], score)


def test_lists_of_labels_that_are_none() -> None:
    """`labels=[b"0"]` gave the numbers of 0, and `labels=[[]]` an error of NumPy's."""
    for labels in ([b"0"], [[]], [[0, 1]]):
        for name in DECIDED:
            with pytest.raises(UsageError, match="labels: must be one list of numbers or strings"):
                getattr(ours, name)([0, 1], [0, 1], labels=labels)


@pytest.mark.parametrize("name", SCORED + DECIDED)
@pytest.mark.parametrize(
    "true", [[[]], [[], []], np.zeros((0, 2))], ids=["one row", "two rows", "no row"]
)
def test_matrices_without_cells(name: str, true: Any) -> None:
    """Old tests had matrices of two columns and more: one without any gave NaN, or empty arrays."""
    with pytest.raises((ValueError, TypeError)):
        getattr(theirs, name)(true, true)
    with pytest.raises(UsageError, match="filled array|empty input array"):
        getattr(ours, name)(true, true)


@pytest.mark.parametrize("division", [math.nan, 0, 1])
@pytest.mark.parametrize("weight", [[0, 0, 3], [0.0, 0.0, 0.25], [0, 1, 2]])
def test_samples_of_no_weight(division: float, weight: list[float]) -> None:
    """Rows of weight 0 are 0/0 there: where all others are undefined, so is the mean.

    The random tests met this once in some hundred runs, and docs called it untested.
    """
    true, said = np.array([[1, 0], [0, 1], [0, 0]]), np.array([[1, 0], [1, 1], [0, 0]])
    options: dict[str, Any] = {"zero_division": division, "sample_weight": weight}
    name = "precision_recall_fscore_support"
    wanted = getattr(theirs, name)(true, said, average="samples", **options)
    np.testing.assert_equal(getattr(ours, name)(true, said, average="samples", **options), wanted)
    wanted = theirs.classification_report(true, said, output_dict=True, **options)
    found = ours.classification_report(true, said, output_dict=True, **options)
    np.testing.assert_equal(found["samples avg"], wanted["samples avg"])


def undefined() -> None:
    """One of every kind of warning of an undefined value."""
    ours.average_precision_score([0, 0], [0.1, 0.2])
    ours.average_precision_score([[0, 1], [0, 1]], [[0.1, 0.2], [0.2, 0.3]])
    ours.roc_auc_score([1, 1], [0.1, 0.2])
    ours.roc_curve([0, 0], [0.1, 0.2])
    ours.roc_curve([1, 1], [0.1, 0.2])
    ours.precision_recall_curve([0, 0], [0.1, 0.2])
    ours.precision_recall_fscore_support([0, 1], [0, 0])
    ours.classification_report([0, 1], [0, 0])


def test_filters_of_scikit_learn_catch_ours() -> None:
    """Old tests looked for our own class only."""
    from sklearn.exceptions import UndefinedMetricWarning

    for filtered in (UndefinedMetricWarning, PrecallWarning):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", filtered)
            undefined()
    with pytest.warns(UndefinedMetricWarning, match="No positive") as caught:
        ours.average_precision_score([0, 0], [0.1, 0.2])
    # Worker processes of model selection send such warnings home.
    again = pickle.loads(pickle.dumps(caught[0].message))
    assert type(again) is type(caught[0].message)
    assert str(again) == str(caught[0].message)


def test_advice_is_no_undefined_value() -> None:
    from sklearn.exceptions import UndefinedMetricWarning

    with pytest.warns(PrecallWarning, match="is ignored") as caught:
        ours.precision_recall_fscore_support([0, 1, 2], [0, 1, 2], pos_label=2, average="macro")
    assert not any(issubclass(one.category, UndefinedMetricWarning) for one in caught)


def test_without_scikit_learn_a_warning_is_ours() -> None:
    code = (
        "import sys, warnings, precall.compat.sklearn as ours\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    ours.average_precision_score([0, 0], [.1, .2])\n"
        "print(caught[0].category.__name__, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["PrecallWarning", "False"]


def test_names_of_dates_in_reports() -> None:
    """Old tests had no dates as labels: years were called by their first day."""
    dates = np.array(["2020", "2021", "2021"], "M8[Y]")
    assert ours.classification_report(dates, dates) == theirs.classification_report(dates, dates)


@pytest.mark.nightly
def test_examples_are_the_same_every_time(tmp_path: Path) -> None:
    """Two runs of one tree drew different examples, so the second could fail where the first had
    passed.
    """
    (tmp_path / "conftest.py").write_bytes(
        (Path(__file__).parent.parent / "conftest.py").read_bytes()
    )
    (tmp_path / "test_drawn.py").write_text(
        "from hypothesis import given, strategies as st\n"
        "@given(st.integers(), st.floats())\n"
        "def test(a, b):\n"
        "    with open('drawn', 'a') as file: print(a, b, file=file)\n"
    )
    said = []
    for _ in range(2):
        env = {k: v for k, v in os.environ.items() if k not in ("HYPOTHESIS_PROFILE", "CI")}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--confcutdir=.",
            "test_drawn.py",
        ]
        subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True)
        said.append((tmp_path / "drawn").read_text())
        (tmp_path / "drawn").unlink()
    assert said[0] == said[1]
    assert said[0].count("\n") >= 50


@pytest.mark.parametrize("name", ["average_precision_score", "roc_auc_score"])
def test_nan_is_refused_where_the_measure_is_undefined(name: str) -> None:
    """Without positives, or of one class, no score was looked at: the value was 0 or NaN with a
    warning.

    The tests of NaN had both classes in each column.
    """
    columns = np.array([[0, 1], [0, 1], [0, 0]]), np.array([[0.1, 0.2], [np.nan, 0.4], [0.5, 0.6]])
    calls: list[tuple[Any, Any, dict[str, Any]]] = [
        ([one] * 3, [0.1, np.nan, 0.3], {"sample_weight": weights})
        for one in (0, 1, 2, "a")
        for weights in (None, [1, 0, 1])
    ]
    calls += [
        (*columns, {"average": average})
        for average in (None, "micro", "macro", "weighted", "samples")
    ]
    for truth, score, options in calls:
        for library in (ours, theirs):
            with pytest.raises(ValueError, match="NaN"):
                getattr(library, name)(truth, score, **options)


@pytest.mark.parametrize(
    "turn",
    [
        lambda code: np.array(code, np.uint64) + np.uint64(2**63),
        lambda code: (np.array(code) - 128).astype(np.int8),
        lambda code: np.array(code) * 10**15,
        lambda code: np.array(code, bool),
        lambda code: np.array(code) * 1.0,
    ],
)
def test_labels_far_from_zero(turn: Any) -> None:
    """Labels are counted off from the least one: beyond int64 that overflowed."""
    true, said = turn([0, 1, 1, 0]), turn([0, 1, 0, 0])
    assert (
        ours.confusion_matrix(true, said).tolist() == theirs.confusion_matrix(true, said).tolist()
    )
    assert ours.f1_score(true, said, average="macro") == theirs.f1_score(
        true, said, average="macro"
    )
