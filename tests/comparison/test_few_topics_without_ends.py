"""Signs of fewer than six topics reject nothing: of a measure without a greatest value that leaves
no bounds, not -1 and 1.

That all values drawn lie in 0..1 says nothing of the range of DCG; the old tests had measures in
0..1 only.
"""

from __future__ import annotations

import pytest

import precall as pc

A, B = [0.3, 0.5, 0.7, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4, 0.1]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    ("measure", "ends"),
    [
        ("DCG", None),
        ("DCG@10", None),
        ("LR+", None),
        ("NumRelRet", None),
        ("AP", 1.0),
        ("value", 1.0),
        ("my own", 1.0),
    ],
)
def test_bounds_end_where_the_measure_does(measure: str, ends: float | None) -> None:
    expected = (None, None) if ends is None else (-ends, ends)
    paired = pc.compare.paired(A, B, measure=measure)
    many = pc.compare.many({"a": A, "b": B}, measure=measure).pairs[0]
    assert [(each.low, each.high) for each in (paired, many)] == [expected] * 2
    assert bool(paired.no_interval) == (ends is None)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_bounds_of_reports_do() -> None:
    qrels = {f"q{i}": {"a": 1, "b": 1} for i in range(4)}
    run = {"a": 3.0, "c": 2.0, "b": 1.0}
    runs = {
        "x": dict.fromkeys(qrels, run),
        "y": {q: dict(zip("cab", (3.0, 2.0, 1.0 + i), strict=True)) for i, q in enumerate(qrels)},
    }
    compared = pc.compare(qrels, runs, ["DCG@10", "nDCG@10"])
    ends = {pair.measure: (pair.low, pair.high) for pair in compared.pairs}
    assert ends == {"DCG@10": (None, None), "nDCG@10": (-1.0, 1.0)}
