"""Lists of texts in one blob; both kernels."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.kernels import ABSENT, EITHER, same, texts

#: Ids of all lengths that are copied in another way, and longer than a block of the blob.
IDS = ["", "a", "abc", "abcd", "seven77", "eight888", "d" * 16, "d" * 17, "é", "\U0001f600", "x\0"]


def objects(cells: list[Any]) -> Any:
    column = np.empty(len(cells), object)
    column[:] = cells
    return column


@EITHER
def test_every_kind_of_list(kernel: ModuleType) -> None:
    lists = [IDS, tuple(IDS), {"one"}, frozenset({"two"}), objects(IDS), [], objects(IDS * 2)[::-2]]
    blob, start, rows, repeats = kernel.texts_of_lists(lists, False)
    wanted = [*IDS, *IDS, "one", "two", *IDS, *(IDS * 2)[::-2]]
    assert texts(blob, start) == wanted and repeats is False
    sizes = [len(IDS), len(IDS), 1, 1, len(IDS), 0, len(IDS)]
    assert rows.dtype == np.int64 and np.diff(rows).tolist() == sizes


@EITHER
def test_no_list_and_no_text(kernel: ModuleType) -> None:
    blob, start, rows, repeats = kernel.texts_of_lists([], True)
    assert (blob.tolist(), start.tolist(), rows.tolist(), repeats) == ([], [0], [0], False)


@EITHER
@pytest.mark.parametrize("at", [0, 1, 70, 199])
def test_repeats_in_one_list(kernel: ModuleType, at: int) -> None:
    names = [f"d{i}" for i in range(200)]
    twice = [*names[:199], names[at]] if at < 199 else names
    # The same object, and an equal one; in two lists nothing is repeated.
    for last in (twice[-1], "".join(twice[-1])):
        lists = [names, [*twice[:-1], last]]
        assert kernel.texts_of_lists(lists, True)[3] is (at < 199)
        assert kernel.texts_of_lists(lists, False)[3] is False


class Name(str):
    """A text by another name."""


class Names(list[str]):
    """A list by another name."""


class Column(np.ndarray[Any, Any]):
    """An array by another name."""


@EITHER
@pytest.mark.parametrize(
    "odd",
    [
        ["a", 1],
        ["a", None],
        ["a", b"a"],
        ["a", Name("b")],
        ["a", np.str_("b")],
        ["a", "\udc80"],
        objects(["a", float("nan")]),
        objects(["a", ["b"]]),
        np.array(["a", "b"]),
        np.array([1, 2]),
        objects(["a", "b"]).reshape(1, 2),
        objects(["a"]).view(Column),
        Names(["a"]),
        "ab",
        {"a": 1},
        iter(["a"]),
        None,
    ],
)
def test_what_is_not_plain_is_left(kernel: ModuleType, odd: Any) -> None:
    assert kernel.texts_of_lists([odd], True) is None
    assert kernel.texts_of_lists([["fine"], odd], False) is None


@EITHER
def test_objects_at_odd_addresses(kernel: ModuleType) -> None:
    """Fields of packed records stand at any address; a cell that was never filled is None."""
    records = np.zeros(3, np.dtype([("byte", "i1"), ("name", object)]))
    found = kernel.texts_of_lists([records["name"]], False)
    assert found is None
    records["name"] = ["a", "b", "c"]
    found = kernel.texts_of_lists([records["name"]], False)
    assert found is None or texts(*found[:2]) == ["a", "b", "c"]


@ABSENT
@given(
    st.lists(st.lists(st.sampled_from([*IDS, "\udc80", 1]), max_size=90), max_size=5),
    st.sampled_from([list, tuple, objects]),
    st.booleans(),
)
def test_kernels_agree(lists: list[list[Any]], kind: Any, distinct: bool) -> None:
    given_lists = [kind(one) for one in lists]
    assert same("texts_of_lists", given_lists, distinct)
