"""With `positive=` every other label counts as not relevant: one that stands for a missing label is
refused, several are named.

Older tests of `positive=` had no label but the two that were meant.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.core.notes.of_reading import OtherLabels
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import warned

LABELS = ["1", "0", "nan", ""]


@pytest.mark.parametrize(
    "call",
    [
        lambda labels: pc.curve(labels, [4, 3, 2, 1], positive="1"),
        lambda labels: pc.curve(np.array(labels), [4, 3, 2, 1], positive="1"),
        lambda labels: pc.curve(np.array(labels, object), [4, 3, 2, 1], positive="1"),
        lambda labels: pc.curve(np.array(labels, "S"), [4, 3, 2, 1], positive=b"1"),
        lambda labels: pc.ScoredCases().add(labels, [4, 3, 2, 1], positive="1"),
        lambda labels: pc.ScoredCases.scan([(labels, [4, 3, 2, 1])], positive="1"),
        lambda labels: pc.compare.cases(labels, [4, 3, 2, 1], [1, 2, 3, 4], positive="1"),
        lambda labels: pc.decisions(labels, ["1", "0", "0", "0"], positive="1"),
        lambda labels: pc.decisions(["1", "0", "0", "0"], labels, positive="1"),
    ],
)
def test_a_missing_label_is_refused(call) -> None:
    with pytest.raises(pc.DataError, match="which is how tables write a missing label"):
        call(LABELS)


@contextmanager
def others(*labels: str, more: str = "") -> Iterator[None]:
    """These labels are told to count as not relevant, once."""
    with warned(OtherLabels) as told:
        yield
    assert [note.facts for note in told] == [{"subject": "", "labels": labels, "more": more}]


def test_unless_it_is_the_one_that_is_meant() -> None:
    with others("'DE'", "'nan'"):
        assert pc.curve(["NA", "DE", "nan"], [3, 2, 1], positive="NA").relevant == 1


def test_several_others_are_named(recwarn) -> None:
    first = ("'0'", "'b'", "'c'", "'d'", "'e'")
    labels = ["1", "0", "b", "c", "d", "e", "f", "g"]
    with others(*first, more="2"):
        pc.curve(labels, np.arange(8.0), positive="1")
    with others(*first, more="2"):
        pc.decisions(labels, labels, positive="1")
    with others(*first, more="2"):
        pc.ScoredCases.scan([(labels[:4], range(4)), (labels[4:], range(4))], positive="1")
    cases = pc.ScoredCases()
    for place, label in enumerate(labels):
        cases.add(label, place, positive="1")
    with others(*first, more="2"):
        cases.curve()
    recwarn.clear()
    pc.curve(["1", "0", "0"], [1, 2, 3], positive="1")
    pc.curve([2, 10], [1, 2], positive=2)
    assert not recwarn.list


def test_numbers_stand_by_their_size() -> None:
    with others("2", "10"):
        pc.curve([1, 10, 2], [1, 2, 3], positive=1)


def test_in_files(tmp_path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("y,s\n1,.9\n0,.8\nNA,.7\nunknown,.6\n")
    wrong = (
        "x.csv:4: column 'y': label 'NA' is how tables write a missing label; give every line a "
        "label"
    )
    with pytest.raises(pc.DataError, match=wrong):
        read_cases(str(path), "y", ["s"], positive="1")
    with pytest.raises(pc.DataError, match=wrong):
        pc.ScoredCases.scan(path, label="y", score="s", positive="1")
    with pytest.raises(pc.DataError, match=wrong):
        read_decisions(str(path), "y", "y", positive="1")
    path.write_text("y,s\n1,.9\n0,.8\nunknown,.6\n")
    with others("'0'", "'unknown'"):
        read_cases(str(path), "y", ["s"], positive="1")
    with others("'0'", "'unknown'"):
        pc.ScoredCases.scan(path, label="y", score="s", positive="1")
    with others("'0'", "'unknown'"):
        read_decisions(str(path), "y", "y", positive="1")


def test_the_positive_label_of_a_scanned_file_is_not_among_the_others(tmp_path):
    """Labels of files are texts: beside the number 1 the text "1" was named as not relevant, as
    precision was right.
    """
    two, three = tmp_path / "two.csv", tmp_path / "three.csv"
    two.write_text("y,s\n1,.5\n0,.3\n1,.2\n0,.1\n")
    three.write_text("y,s\n1,.5\n0,.3\n1,.2\n2,.1\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pc.ScoredCases.scan(two, label="y", score="s", positive=1)
    with others("'0'", "'2'"):
        pc.ScoredCases.scan(three, label="y", score="s", positive=1)
