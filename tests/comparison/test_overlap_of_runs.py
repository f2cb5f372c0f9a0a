"""Rank-biased overlap of two runs: `compare.rbo`."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.core.notes.of_comparisons import TopicsLeftOut
from precall.core.notes.of_reading import ColumnsRead
from precall.stats.tests.pairing import UnpairedTopics
from tests.noticed import noticed
from tests.peers import peer

#: Ranks to which rankings are continued below their ends; p^DEEP is nothing.
DEEP = 500
#: Rankings, persistence, and rbo_ext of the package rbo 0.1.3.
RECORDED = [
    ("abc", "bac", 0.5, 0.5),
    ("abcd", "dcba", 0.9, 0.783),
    ("ab", "cdab", 0.9, 0.3915),
    ("abcde", "a", 0.8, 1.0),
    ("abc", "xyz", 0.9, 0.0),
    ("ecaf", "fgbea", 0.9, 0.4957),
]


def overlap_of(first: list[str], second: list[str], p: float) -> float:
    """Webber et al. 2010, (4): (1 - p) sum_d p^(d - 1) |common to depth d| / d."""
    total, above, below = 0.0, set[str](), set[str]()
    for depth, (one, other) in enumerate(zip(first, second, strict=False), 1):
        above.add(one)
        below.add(other)
        total += (1 - p) * p ** (depth - 1) * len(above & below) / depth
    return total


def bounds(first: list[str], second: list[str], p: float) -> tuple[float, float]:
    """The overlap of rankings that go on with no common item, and with the most."""
    others = [f"x{i}" for i in range(DEEP)], [f"y{i}" for i in range(DEEP)]
    mates = (
        [item for item in second if item not in first],
        [item for item in first if item not in second],
    )
    same = [f"z{i}" for i in range(DEEP)]
    least = overlap_of(first + others[0], second + others[1], p)
    return least, overlap_of(first + mates[0] + same, second + mates[1] + same, p)


def test_bounds_are_those_of_rankings_that_go_on() -> None:
    draw = random.Random(2010)
    for _ in range(60):
        first, second = (draw.sample("abcdefghijkl", draw.randint(1, 9)) for _ in "ab")
        p = draw.choice((0.2, 0.5, 0.8, 0.9))
        found = pc.compare.rbo({"q": first}, {"q": second}, p)
        least, greatest = bounds(first, second, p)
        assert found.least == pytest.approx(least, abs=1e-12)
        assert found.least + found.residual == pytest.approx(greatest, abs=1e-12)
        assert found.least - 1e-12 <= found.rbo <= greatest + 1e-12


@pytest.mark.parametrize(("first", "second", "p", "expected"), RECORDED)
def test_numbers_of_the_package_rbo(first: str, second: str, p: float, expected: float) -> None:
    for one, other in ((first, second), (second, first)):
        found = pc.compare.rbo({"q": list(one)}, {"q": list(other)}, p)
        assert found.rbo == pytest.approx(expected, abs=5e-5)


def test_equal_scores_share_a_rank() -> None:
    """Webber et al. 2010, 4.4: agreement at d is 2 |common| / (items of both down to rank d)."""
    first, second = {"a": 2.0, "b": 2.0, "c": 1.0}, {"b": 3.0, "a": 2.0, "c": 1.0}
    p = 0.8
    agreement = (2 * 1 / (2 + 1), 1, 1)
    weights = [(1 - p) * p**depth for depth in range(3)]
    expected = sum(w * a for w, a in zip(weights, agreement, strict=True)) + p**3
    for one, other in ((first, second), (second, first)):
        found = pc.compare.rbo({"q": one}, {"q": other}, p)
        assert found.rbo == pytest.approx(expected, abs=1e-12)
        assert found.least + found.residual == pytest.approx(expected, abs=1e-12)
    # All tied in both: the same set at rank 1.
    tied = dict.fromkeys("abc", 1.0)
    assert pc.compare.rbo({"q": tied}, {"q": dict(reversed(tied.items()))}, p).rbo == 1


FIRST = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 2.0, "y": 1.0}}
SECOND = {"q2": {"y": 0.9, "x": 0.5}, "q1": {"a": 5.0, "c": 4.0, "d": 3.0}}


def test_topics_and_their_mean() -> None:
    found = pc.compare.rbo(FIRST, SECOND, 0.7)
    assert found.per_topic["topic"] == ["q1", "q2"]
    for topic, value in zip("12", found.per_topic["rbo"].tolist(), strict=True):
        alone = pc.compare.rbo({"q": FIRST[f"q{topic}"]}, {"q": SECOND[f"q{topic}"]}, 0.7)
        assert alone.rbo == value
    for name in ("rbo", "least", "residual"):
        assert getattr(found, name) == pytest.approx(found.per_topic[name].mean())
    turned = pc.compare.rbo(SECOND, FIRST, 0.7)
    assert (turned.rbo, turned.least) == pytest.approx((found.rbo, found.least))
    itself = pc.compare.rbo(FIRST, FIRST)
    assert itself.rbo == 1 and itself.runs == ("a", "b")


def test_every_form_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "first.run"
    path.write_text(
        "".join(f"{q} Q0 {d} 0 {s} x\n" for q, of in FIRST.items() for d, s in of.items())
    )
    rows = [(q, d, s) for q, of in FIRST.items() for d, s in of.items()]
    frame = peer("pandas").DataFrame(rows, columns=["qid", "docno", "score"])
    distances = {q: {d: -s for d, s in of.items()} for q, of in FIRST.items()}
    nearest = pc.read_run(distances, lower_is_better=True)
    expected = pc.compare.rbo(FIRST, SECOND)
    for given in (path, frame, rows, nearest, {q: [*of] for q, of in FIRST.items()}):
        found = pc.compare.rbo(given, SECOND)
        assert found.per_topic.to_dict() == expected.per_topic.to_dict()
    assert pc.compare.rbo(path, pc.read_run(SECOND, name="s")).runs == ("first", "s")
    assert pc.compare.rbo(path, SECOND, names=("new", "old")).runs == ("new", "old")


def test_depth_cuts_both_rankings() -> None:
    cut = {"q1": ["a", "b"], "q2": ["x", "y"]}, {"q1": ["a", "c"], "q2": ["y", "x"]}
    found = pc.compare.rbo(FIRST, SECOND, depth=2)
    assert found.per_topic.to_dict() == pc.compare.rbo(*cut).per_topic.to_dict()
    assert found.conventions["depth"] == "2"


def test_topics_of_one_run() -> None:
    more = {**FIRST, "q3": {"a": 1.0}}
    with pytest.raises(pc.DataError, match="topic 'q3' is missing"):
        pc.compare.rbo(more, SECOND)
    found = pc.compare.rbo(more, SECOND, unpaired="drop")
    assert found.rbo == pc.compare.rbo(FIRST, SECOND).rbo
    assert [note.left_out for note in noticed(found, TopicsLeftOut)] == [1]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"p": 1}, "p: must be a number > 0 and < 1, got 1"),
        ({"p": 0.0}, "p: .* got 0.0"),
        ({"p": "0.9"}, "p: .* got '0.9'"),
        ({"depth": 0}, "depth: .* got 0"),
        ({"unpaired": "zero"}, "unpaired: .*'zero'"),
        ({"names": ("a", "a")}, "names"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], text: str) -> None:
    with pytest.raises(pc.UsageError, match=text):
        pc.compare.rbo(FIRST, SECOND, **options)


def test_notes_of_runs_name_them() -> None:
    rows = [{"query_id": "q", "doc_id": item, "score": 1.0} for item in "ab"]
    found = pc.compare.rbo(rows, {"q": ["a"]}, names=("new", "old"))
    assert {note.context for note in noticed(found, ColumnsRead)} == {("new",)}


def test_the_sheet_has_means_and_topics() -> None:
    found = pc.compare.rbo(FIRST, SECOND)
    assert "q1" not in str(found) and "q1" in str(found.sheet(all=True))
    plain = found.to_dict()
    assert plain["rbo"] == found.rbo and plain["per_topic"]["topic"] == ["q1", "q2"]
    assert found.to_csv().splitlines()[1].startswith("precall.overlap/2,all,")
    assert repr(found) == f"<Overlap of a and b: RBO {found.rbo:.4f}>"


def test_empty_rankings_are_topics_that_a_run_lacks() -> None:
    """Two empty lists failed inside, and one made every mean NaN without a reason: the rankings
    that were drawn have an item or more.
    """
    for first in ([], ["a"]):
        with pytest.raises(UnpairedTopics, match="'r'"):
            pc.compare.rbo({"q": ["a"], "r": first}, {"q": ["a"], "r": []})
    found = pc.compare.rbo({"q": ["a"], "r": []}, {"q": ["a"], "r": ["b"]}, unpaired="drop")
    assert found.rbo == 1 and noticed(found, TopicsLeftOut)
