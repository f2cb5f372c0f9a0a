"""What people type first, and the number that they should get: data in the shapes that they have.

Expected values are by hand: hits at ranks 1, 3 and 6 of 6, so that AP is (1 + 2/3 + 3/6) / 3, and 5 of the 9 pairs of a
relevant and another case are in order.
"""

from __future__ import annotations

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import precall as pc
from precall.compat import sklearn as compat
from precall.errors import UsageError

pytestmark = pytest.mark.filterwarnings(
    "ignore:.* few:precall.PrecallWarning", "ignore:.*is taken as that column"
)

LABELS = [1, 0, 1, 0, 0, 1]
SCORES = [0.875, 0.75, 0.625, 0.5, 0.25, 0.125]
"""Exact in float8 of four bits of exponent, too."""
DECIDED = [1, 1, 1, 0, 0, 0]
AP, AUC = (1 + 2 / 3 + 3 / 6) / 3, 5 / 9
ONE_COLUMN = "a table of one column, of shape (6, 1), is taken as that column"


class Tensor:
    """A stand-in for torch's, where torch is not installed: the protocol, and what it refuses."""

    def __init__(self, numbers, grad=False, narrow=False, device="cpu"):
        self.numbers, self.requires_grad, self.narrow = np.asarray(numbers, np.float32), grad, narrow
        self.ndim, self.device = self.numbers.ndim, device

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad")
        return self.numpy()

    def __iter__(self):
        return (Tensor(cell, device=self.device) for cell in self.numbers)

    def __len__(self):
        return len(self.numbers)

    def detach(self):
        return Tensor(self.numbers, narrow=self.narrow, device=self.device)

    def float(self):
        return Tensor(self.numbers, device=self.device)

    def numpy(self, force=False):
        if self.device == "meta":
            raise RuntimeError("Cannot copy out of meta tensor; no data!")
        if self.device != "cpu" and not force:
            raise TypeError(f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu()")
        if self.narrow:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.numbers


def column(values):
    return [[value] for value in values]


def nullable(values, dtype):
    return pd.Series(values, dtype=dtype)


#: Labels and scores in the shapes that people have them in, and whether it is said how they were taken.
SHAPES = {
    "lists": (LABELS, SCORES, False),
    "booleans": ([bool(label) for label in LABELS], tuple(SCORES), False),
    "generators": ((label for label in LABELS), (score for score in SCORES), False),
    "maps": (map(int, LABELS), map(float, SCORES), False),
    "values of dicts": (dict(enumerate(LABELS)).values(), dict(enumerate(SCORES)).values(), False),
    "decimals": (LABELS, [Decimal(score) for score in SCORES], False),
    "arrays of one column": (np.array(column(LABELS)), np.array(column(SCORES)), True),
    "lists of one column": (column(LABELS), column(SCORES), True),
    "frames of one column": (pd.DataFrame({"y": LABELS}), pl.DataFrame({"s": SCORES}), True),
    "float16": (np.array(LABELS, np.uint8), np.array(SCORES, np.float16), False),
    "pandas Int64, Float64": (nullable(LABELS, "Int64"), nullable(SCORES, "Float64"), False),
    "pandas boolean, Float32": (nullable(LABELS, "boolean"), nullable(SCORES, "Float32"), False),
    "pandas of Arrow": (nullable(LABELS, "int64[pyarrow]"), nullable(SCORES, "double[pyarrow]"), False),
    "Polars": (pl.Series(LABELS), pl.Series(SCORES), False),
    "tensors": (Tensor(LABELS), Tensor(SCORES), False),
    "tensors with gradients": (Tensor(LABELS), Tensor(SCORES, grad=True), False),
    "narrow tensors": (Tensor(LABELS, narrow=True), Tensor(SCORES, grad=True, narrow=True), False),
    "tensors of a GPU": (Tensor(LABELS, device="cuda"), Tensor(SCORES, grad=True, narrow=True, device="cuda"), False),
    "lists of tensors of a GPU": (
        [Tensor(label, device="cuda") for label in LABELS], [Tensor(score, device="mps") for score in SCORES], False,
    ),
    "lists of tensors": ([Tensor(label) for label in LABELS], [Tensor(score, grad=True) for score in SCORES], False),
    "tensors of one column": (Tensor(LABELS), Tensor(column(SCORES), grad=True), True),
}  # fmt: skip


def fresh(given):
    """Generators are of one use."""
    return list(given) if hasattr(given, "__next__") else given


GENERATED = {name: tuple(map(fresh, shape[:2])) for name, shape in SHAPES.items()}


def shape(name):
    given = GENERATED[name]
    return tuple(iter(part) if name in ("generators", "maps") else part for part in given)


def scored_cases(labels, scores):
    cases = pc.ScoredCases()
    cases.add(labels, scores)
    return cases.average_precision()


#: The doors of cases, and what comes out.
DOORS = {
    "curve": (lambda y, s: pc.curve(y, s).average_precision(), AP),
    "average_precision": (pc.average_precision, AP),
    "area_under_roc": (pc.area_under_roc, AUC),
    "interval.average_precision": (lambda y, s: pc.interval.average_precision(y, s).estimate, AP),
    "interval.area_under_roc": (lambda y, s: pc.interval.area_under_roc(y, s).estimate, AUC),
    "compare.cases": (lambda y, s: pc.compare.cases(y, s, SCORES[::-1]).values[0], AP),
    "ScoredCases": (scored_cases, AP),
    "sklearn average_precision_score": (compat.average_precision_score, AP),
    "sklearn roc_auc_score": (compat.roc_auc_score, AUC),
    "sklearn roc_curve, auc": (lambda y, s: compat.auc(*compat.roc_curve(y, s)[:2]), AUC),
    # From a false positive rate of 1, where nothing is missed, to 0, where 2 of 3 are.
    "sklearn det_curve": (
        lambda y, s: sum(part[i] for part in compat.det_curve(y, s)[:2] for i in (0, -1)),
        1 + 2 / 3,
    ),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", SHAPES)
def test_cases_in_any_shape(door, name):
    call, expected = DOORS[door]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert call(*shape(name)) == pytest.approx(expected, abs=1e-12)
    told = [warning for warning in told if ONE_COLUMN in str(warning.message)]
    # scikit-learn takes such tables in silence.
    assert bool(told) == (SHAPES[name][2] and not door.startswith("sklearn"))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_labels_in_any_shape(name):
    # Of 3 relevant items 2 are accepted, beside 1 other one.
    truth = shape(name)[0]
    assert pc.decisions(truth, DECIDED).f() == pytest.approx(2 / 3, abs=1e-12)
    assert compat.precision_recall_fscore_support(shape(name)[0], DECIDED, average="binary")[:2] == (
        2 / 3,
        2 / 3,
    )


def test_texts_of_pandas():
    truth = nullable(["a", "b", "a", "b", "b", "a"], "string")
    assert pc.average_precision(truth, SCORES, positive="a") == pytest.approx(AP, abs=1e-12)
    assert pc.decisions(truth, nullable(list("aaabbb"), "string")).accuracy() == 4 / 6


def test_weights_and_groups_in_any_shape():
    for weights in ((1 for _ in LABELS), Tensor([1] * 6, grad=True), nullable([1] * 6, "Int64")):
        assert pc.average_precision(LABELS, SCORES, weights=weights) == pytest.approx(AP, abs=1e-12)
    members = [0, 0, 1, 1, 2, 2]
    whole = pc.interval.area_under_roc(LABELS, SCORES, groups=members)
    # Each cell of a tensor is a tensor, which equals no other: they were a group each.
    for groups in (
        Tensor(members),
        [Tensor(one) for one in members],
        nullable(members, "Int64"),
        iter(members),
    ):
        assert pc.interval.area_under_roc(LABELS, SCORES, groups=groups) == whole


def test_values_per_topic_in_any_shape():
    values = [0.5, 0.25, 0.75, 0.5, 0.0, 1.0]
    for given in (
        iter(values),
        Tensor(values, grad=True),
        nullable(values, "Float64"),
        dict(enumerate(values)).values(),
    ):
        assert pc.interval(given).estimate == 0.5
    assert pc.compare.paired(Tensor(values, grad=True), iter([0.0] * 6)).difference == 0.5


GAPS = [1, None, 1, 0, None, 1]
PROBABILITIES = np.column_stack([1 - np.array(SCORES), SCORES])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pc.curve(nullable(GAPS, "Int64"), SCORES), "case 1 is missing (2 of 6 are); give every case a label"),
        (lambda: pc.curve(nullable(GAPS, "boolean"), SCORES), "case 1 is missing (2 of 6 are); give every case a label"),
        (lambda: pc.curve(LABELS, nullable(GAPS, "Float64")), "score: case 1 is NaN (2 of 6 are); remove the case"),
        (lambda: pc.average_precision(LABELS, nullable(GAPS, "Int64")), "score: case 1 is NaN (2 of 6 are)"),
        (lambda: scored_cases(nullable(GAPS, "Int64"), SCORES), "case 1 is missing (2 of 6 are)"),
        (lambda: pc.decisions(nullable(GAPS, "Int64"), DECIDED), "truth: item 1 has no label"),
        (lambda: pc.decisions(nullable(["a", None, "a", None, "b", "b"], "string"), list("ababab")), "(2 of 6 are so)"),
        (lambda: compat.average_precision_score(nullable(GAPS, "Int64"), SCORES), "y_true: case 1 is missing (2 of 6 are)"),
        (lambda: compat.roc_auc_score(LABELS, nullable(GAPS, "Float64")), "y_score: case 1 is NaN (2 of 6 are)"),
        (lambda: pc.curve(LABELS, PROBABILITIES), "of shape (6, 2); take [:, 1], the column of the relevant class"),
        (lambda: pc.curve(LABELS, PROBABILITIES.tolist()), "take [row[1] for row in ...], the column of the relevant class"),
        (lambda: pc.curve(LABELS, pd.DataFrame(PROBABILITIES)), "take .iloc[:, 1], the column of the relevant class"),
        (lambda: pc.curve(PROBABILITIES > 0.5, SCORES), "relevant: must be one column of labels, got"),
        (lambda: scored_cases(LABELS, PROBABILITIES), "take [:, 1]"),
        (lambda: pc.compare.cases(LABELS, SCORES, PROBABILITIES), "take [:, 1]"),
        (lambda: pc.interval.area_under_roc(LABELS, PROBABILITIES), "take [:, 1]"),
        (lambda: compat.roc_auc_score(LABELS, PROBABILITIES), "of shape (6, 2) instead; take [:, 1]"),
        (lambda: pc.curve(LABELS, np.ones((6, 3))), "such as [:, 1], or pass all to pc.categorize"),
        (lambda: pc.curve([LABELS], SCORES), "of shape (1, 6); take its row, [0]"),
        (lambda: pc.curve(LABELS, [np.ones(4), np.ones(2)]), "join the parts, as by np.concatenate"),
        (lambda: pc.decisions(LABELS, PROBABILITIES), "of scores decide first, as by .argmax(axis=1), or"),
    ],
)  # fmt: skip
def test_one_line_says_what_to_do(call, said):
    with pytest.raises(pc.PrecallError) as caught:
        call()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tensors_without_numbers():
    for labels, scores in ((Tensor(LABELS, device="meta"), SCORES), (LABELS, Tensor(SCORES, device="meta"))):
        for call, _ in DOORS.values():
            with pytest.raises(
                UsageError, match="a tensor has no numbers to read.*no data!.*pass a dense one"
            ):
                call(labels, scores)


def test_torch():
    torch = pytest.importorskip(
        "torch", reason="torch is not installed: its tensors are checked by a stand-in only"
    )
    truth = torch.tensor(LABELS)
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn):
        score = torch.tensor(SCORES).to(dtype)
        assert pc.average_precision(truth, score) == pytest.approx(AP, abs=1e-12)
        assert compat.roc_auc_score(truth.to(torch.bfloat16), score) == pytest.approx(AUC, abs=1e-12)
    learnt = torch.nn.Parameter(torch.tensor(SCORES)[:, None])
    for door, (call, expected) in DOORS.items():
        assert call(truth, learnt) == pytest.approx(expected, abs=1e-12), door
    assert pc.average_precision(list(truth), list(learnt[:, 0])) == pytest.approx(AP)
    members = torch.tensor([0, 0, 1, 1, 2, 2])
    grouped = pc.interval.area_under_roc(LABELS, SCORES, groups=members)
    assert grouped == pc.interval.area_under_roc(LABELS, SCORES, groups=members.tolist())


def test_narrow_numbers():
    narrow = pytest.importorskip(
        "ml_dtypes", reason="ml_dtypes is not installed: bfloat16 of NumPy is not checked"
    )
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        # Of two bits that are kept, .875 is 1 and .625 is .5 or .75: only the order of distinct ones counts.
        score = np.array([6, 5, 4, 3, 2, 1], getattr(narrow, name))
        for labels in (LABELS, np.array(LABELS, narrow.int4), np.array(LABELS, narrow.uint4)):
            for door, (call, expected) in DOORS.items():
                assert call(labels, score) == pytest.approx(expected, abs=1e-12), (door, name)
