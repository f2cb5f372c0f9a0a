"""Labels of every type become the keys that a loop over items and labels finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import precall as pc
from precall.core.errors import DataError
from precall.hard_decisions.membership import memberships
from precall.read.distinct_labels import known_categories

INT64 = 2**63
LABELS = {
    "int8": st.integers(-128, 127),
    "uint8": st.sampled_from([0, 1, 2, 255]),
    "int64": st.sampled_from([-INT64, -3, 0, 1, 2, INT64 - 1]),
    "uint64": st.sampled_from([2 * INT64 - 1, 2 * INT64 - 2, INT64, 2 * INT64 - 9]),
    "int32": st.integers(-5, 5),
    "float64": st.sampled_from([-0.0, 0.0, 2.0, 2.5, np.inf]),
    "float32": st.sampled_from([-0.0, 0.0, 1.0, 3.0]),
    "<U4": st.sampled_from([" ", "a", "b", "cat", "über"]),
    ">U4": st.sampled_from([" ", "a", "b", "cat", "über"]),
    "S4": st.sampled_from([b"", b"a", b"b"]),
    "object": st.sampled_from(["a", "b", 1, 2.5, True, 0]),
    "list": st.sampled_from(["a", "b", "cat"]),
}
ONE_FORM = st.sampled_from(list(LABELS)).flatmap(
    lambda kind: st.lists(st.tuples(LABELS[kind], LABELS[kind]), min_size=1, max_size=12).map(
        lambda rows: [_column(kind, column) for column in zip(*rows, strict=True)]
    )
)


def _column(kind, values):
    if kind == "list":
        return list(values)
    column = np.empty(len(values), kind)
    column[:] = values if kind != "object" else [*values]
    return column


def looped(named, categories=None):
    """Categories and sorted keys by a loop."""
    occurring = [label for rows in named for labels in rows for label in labels]
    known = known_categories(occurring) if categories is None else categories
    index = {name: place for place, name in enumerate(known)}
    keys = [
        sorted(
            {
                item * len(known) + index[label]
                for item, labels in enumerate(rows)
                for label in labels
            }
        )
        for rows in named
    ]
    return known, keys


def listed(column):
    return [[label] for label in (column if isinstance(column, list) else column.tolist())]


def check(made, known, keys):
    assert [type(name) for name in made[0].categories] == [type(name) for name in known]
    # Also -0.0 and 0.0, and True and 1: the first that there is.
    assert list(map(repr, made[0].categories)) == list(map(repr, known))
    assert [part.keys.tolist() for part in made] == keys
    for part in made:
        width = max(len(known), 1)
        assert part.keys.dtype == np.int64
        assert part.category.tolist() == [key % width for key in part.keys.tolist()]
        assert part.item.tolist() == [key // width for key in part.keys.tolist()]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.NoCommonLabelWarning")
@given(ONE_FORM, st.booleans())
def test_a_label_per_item(columns, given_categories):
    truth, predicted = columns
    known, keys = looped([listed(truth), listed(predicted)])
    categories = [*known[::-1], "never"] if given_categories else None
    if categories:
        known, keys = looped([listed(truth), listed(predicted)], categories)
    made = memberships({"truth": truth, "predicted": predicted}, categories, binary=False)
    check(made, known, keys)


SEVERAL = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", 3]), max_size=4, unique=True), min_size=1, max_size=8
)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.NoCommonLabelWarning")
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_reading.OrderNotCountedWarning")
@given(SEVERAL, SEVERAL, st.sampled_from([set, frozenset, list, tuple]))
def test_several_labels_per_item(truth, predicted, form):
    size = min(len(truth), len(predicted))
    named = [[form(labels) for labels in rows[:size]] for rows in (truth, predicted)]
    kinds = [{type(label) for labels in rows for label in labels} for rows in named]
    assume(kinds[0] & kinds[1] or not all(kinds))
    known, keys = looped(named)
    check(memberships({"truth": named[0], "predicted": named[1]}), known, keys)
    columns = [np.empty(size, object) for _ in named]
    for column, rows in zip(columns, named, strict=True):
        column[:] = rows if size > 1 else [rows[0]]
    check(memberships({"truth": columns[0], "predicted": columns[1]}), known, keys)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12), st.booleans())
def test_tables_are_counted_as_cell_by_cell(rows, several):
    names = ["a", "b", "c", "d"]
    truth, predicted = (
        ([names[i] for i in side] for side in zip(*rows, strict=True)) if rows else ([], [])
    )
    if several:
        truth, predicted = [{label, "d"} for label in truth], [{label} for label in predicted]
    made = pc.decisions(truth, predicted, names)
    cells = [[name in row for name in names] for side in (truth, predicted) for row in side]
    true, said = np.array(cells, bool).reshape(2, len(rows), 4)
    for average, axis in ((None, 0), ("samples", 1)):
        counts = made.counts(average)
        assert counts.tp.tolist() == (true & said).sum(axis=axis).tolist()
        assert counts.fp.tolist() == (~true & said).sum(axis=axis).tolist()
        assert counts.fn.tolist() == (true & ~said).sum(axis=axis).tolist()
        assert counts.tn.tolist() == (~true & ~said).sum(axis=axis).tolist()
        assert made.counts(average) is counts
        with pytest.raises(ValueError, match="read-only"):
            counts.tp[:] = 0


@pytest.mark.parametrize(
    ("truth", "predicted", "categories", "text"),
    [
        (
            [3, 1, 2],
            [3, 7, 9],
            [3, 1, 2],
            r"predicted: item 1 has category 7 .* are 3, 1, 2",
        ),
        (["a", "b"], ["a", None], None, r"predicted: item 1 has no label \(None\)"),
        ([2.0, 1.0, float("nan")], [2.0, 1.0, 9.0], [1, 2], r"truth: item 2 has no label \(nan\)"),
        (
            [{"a"}, {"b"}, {"x", "a"}],
            [{"a"}] * 3,
            ["a", "b"],
            r"truth: item 2 has category 'x', allowed are 'a', 'b'",
        ),
        ([{"a"}, {None}], [{"a"}] * 2, ["a", "b"], r"truth: item 1 has no label \(None\)"),
        ([[], [], ["b", "z", "y"]], [["a"]] * 3, ["a", "b"], r"truth: item 2 has category 'z'"),
    ],
)
def test_the_first_item_is_named(truth, predicted, categories, text):
    with pytest.raises(DataError, match=text):
        pc.decisions(truth, predicted, categories)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("kinds", [3, 500, 30_000])
def test_labels_of_arrays_are_those_of_lists(kinds):
    """Of texts in an array each label is made once; different ones may share a slot of its
    table.
    """
    rng = np.random.default_rng(kinds)
    names = np.array([f"{'ä' * (i % 3)}{i}" for i in range(kinds)])
    for dtype in (names.dtype, names.dtype.newbyteorder()):
        truth, decided = (names[rng.integers(0, kinds, 40_000)].astype(dtype) for _ in range(2))
        assert pc.decisions(truth, decided) == pc.decisions(truth.tolist(), decided.tolist())
        assert pc.decisions(truth[::2], decided[::-2]) == pc.decisions(
            truth[::2].tolist(), decided[::-2].tolist()
        )
