"""What is missing, hidden under a mask or no number at all is never a value.

PyArrow forgets the gaps of dictionaries in several chunks when it makes arrays of NumPy, and
iterates over scalars of its own, of which none is None. The old tests had gaps in plain columns and
dictionaries in one chunk; masks and dates they had as labels, scores and weights of cases, not
where one value per topic is given.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

pd = peer("pandas")
pa = peer("pyarrow")

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def in_chunks(*chunks):
    return pa.chunked_array([pa.array(chunk).dictionary_encode() for chunk in chunks])


TEXTS = in_chunks(["a", "b"], ["b", None])
NUMBERS = in_chunks([4.0, 3.0], [2.0, None])
SCORED = ([1, 0, 1, 0], [4.0, 3.0, 3.0, 1.0])


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: pc.decisions(TEXTS, ["a", "b", "b", "b"]), "item 3 has no label"),
        (lambda: pc.decisions(["a", "b", "b", "b"], TEXTS), "item 3 has no label"),
        (lambda: pc.curve([1, 0, 1, 0], NUMBERS), "case 3 is NaN"),
        (lambda: pc.curve(TEXTS, [4, 3, 2, 1], positive="a"), "case 3 is missing"),
        (lambda: pc.curve([1, 0, 1, 0], [4, 3, 2, 1], weights=NUMBERS), "case 3 is nan"),
        (lambda: pc.interval.mean(NUMBERS), "value 3 is nan"),
        (lambda: pc.interval.average_precision(*SCORED, groups=TEXTS), "case 3 has none"),
        (
            lambda: pc.interval.average_precision(*SCORED, groups=pa.array(["a", None, "a", "b"])),
            "case 1 has none",
        ),
        (lambda: pc.interval.average_precision(*SCORED, groups=pa.nulls(4)), "case 0 has none"),
        (
            lambda: pc.categorize(
                ["a", "b", "a", "b"], pa.table({"a": NUMBERS, "b": [1.0, 2.0, 3.0, 4.0]})
            ),
            "item 3 for category 'a' is NaN",
        ),
    ],
)
def test_gaps_of_arrow_are_gaps(call, what):
    with pytest.raises(pc.DataError, match=what):
        call()


def test_whole_dictionaries_are_their_values():
    whole = in_chunks([4.0, 3.0], [3.0, 1.0])
    assert (
        pc.curve([1, 0, 1, 0], whole).average_precision() == pc.curve(*SCORED).average_precision()
    )
    assert pc.compare.paired(NUMBERS, [1.0, 2.0, 3.0, 4.0]).size == 3
    grouped = pc.interval.average_precision(*SCORED, groups=in_chunks(["a", "b"], ["b", "c"]))
    assert grouped == pc.interval.average_precision(*SCORED, groups=["a", "b", "b", "c"])


HIDDEN = np.ma.array([3.0, 99.0, 1.0], mask=[0, 1, 0])
LABELS = np.ma.array([1, 0, 1, 0], mask=[0, 1, 0, 0])


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: pc.interval.mean(HIDDEN), "value 1 is masked"),
        (lambda: pc.compare.paired(HIDDEN, [1.0, 2.0, 3.0]), "value 1 is masked"),
        (lambda: pc.decisions(LABELS, [1, 0, 1, 0]), "item 1 is masked"),
        (lambda: pc.decisions([1, 0, 1, 0], LABELS), "item 1 is masked"),
        (lambda: pc.interval.average_precision(*SCORED, groups=LABELS), "case 1 is masked"),
    ],
)
def test_hidden_values_are_refused(call, what):
    with pytest.raises(pc.DataError, match=what):
        call()


@pytest.mark.parametrize(
    "dates",
    [
        pd.Series(pd.date_range("2020", periods=3)),
        pa.array([1, 2, 3], pa.timestamp("s")),
        np.arange(3, dtype="m8[s]"),
    ],
)
def test_dates_are_no_values(dates):
    for call in (pc.interval.mean, lambda given: pc.compare.paired(given, [1.0, 2.0, 3.0])):
        with pytest.raises(pc.UsageError, match="must be numbers, one per topic"):
            call(dates)


@pytest.mark.parametrize("given", [None, 3, object()])
def test_what_is_no_column_is_refused(given):
    with pytest.raises(pc.UsageError, match="relevant: must be one column of values, got"):
        pc.curve(given, [2, 1])
    with pytest.raises(pc.UsageError, match="groups: must be one per item"):
        pc.interval.average_precision(*SCORED, groups=3)
    with pytest.raises(pc.UsageError, match="categories: must be a list of them, got int"):
        pc.decisions(["a"], ["a"], categories=3)
    with pytest.raises(pc.MeasureError, match="must be a name, such as 'AP'"):
        pc.measure(["AP"])
    with pytest.raises(pc.UsageError, match="must be a table or the path of one, got list"):
        pc.ScoredCases.from_table([1, 0])


H = pc.Hits.of([1], retrieved=5, relevant=3)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (
            lambda: pc.interval.two_way([[10**400, 1], [1, 2]]),
            "matrix: must be numbers, topics x items",
        ),
        (lambda: pc.compare.many([[1, 2], [3]]), "matrix: must be topics x systems"),
        (
            lambda: pc.null.average_precision(3, 1, blocks=[[1], [1, 2]]),
            "blocks: must be a list of integers >= 1",
        ),
        (lambda: pc.null.ndcg(6, {1, 2}), "grades: must be 1 to 6 numbers >= 0"),
        (lambda: pc.null.ndcg(6, "abc"), "grades: must be 1 to 6 numbers >= 0, got 'abc'"),
        (lambda: pc.Hits.of(3, retrieved=5, relevant=3), "locations: must be a list of ranks"),
        (
            lambda: H.within("3"),
            "cutoff: must be a number, or an array of one per ranking, got '3'",
        ),
        (
            lambda: H.within(np.array([1, 2])),
            "cutoff: must be a number, or an array of one per ranking",
        ),
        (lambda: pc.f_versus_break_even("a", 0.5), "precision: must be a number in 0..1, got 'a'"),
        (
            lambda: pc.curve([1, 0], [2, 1], positive=pd.DataFrame({"a": [1]})),
            "positive: must be one label, got DataFrame",
        ),
    ],
)
def test_what_is_no_number_is_refused(call, what):
    with pytest.raises(pc.UsageError, match=what):
        call()
