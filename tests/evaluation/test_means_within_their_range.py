"""An interval of a mean of values in 0..1 left 0..1: R@5 .6667 [-.7676, 2.1009], in the headline of
a page.

The old tests asked for a note that it does; a number that cannot be was held to be what t says.
"""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as command
from precall.core.notes.of_intervals import BeyondRange, CutToRange, FewValues, UndefinedInterval
from precall.measures.registry import attainable_values
from precall.page.record import read_record
from tests.noticed import noticed, warned
from tests.peers import peer
from tests.texts import texts

stats = peer("scipy.stats")


def report_of(topics: int, measures: list[str], runs: int = 1) -> pc.Report:
    rng = np.random.default_rng(topics)
    qrels = {f"q{i}": {f"d{j}": int(rng.random() < 0.4) for j in range(12)} for i in range(topics)}
    scored = {
        f"r{n}": {
            topic: {item: rng.random() + grade for item, grade in items.items()}
            for topic, items in qrels.items()
        }
        for n in range(runs)
    }
    return pc.evaluate(qrels, scored, measures)


@pytest.mark.parametrize("topics", [2, 3, 12, 29, 30, 200])
@pytest.mark.parametrize(
    "measures", [["AP", "R@5", "RR"], ["GMAP", "Success@1", "NumRel", "DCG@5"]]
)
def test_no_interval_leaves_the_range(topics: int, measures: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        found = pc.interval(report_of(topics, measures, 2))
    for (_, name), one in found.items():
        least, most = pc.measure(name).declaration.range
        assert one.low is not None and one.high is not None
        assert least <= one.low <= one.estimate <= one.high <= most
        if name != "DCG@5" and topics < 30:
            assert one.method == "bayesian-bootstrap"


VALUES = np.array([1.0, 1, 1, 0.5, 1, 0.2, 1, 1, 0.8, 1, 1])


@pytest.mark.parametrize("method", [None, "bayesian-bootstrap", "t", "bca", "percentile"])
def test_order_of_topics_changes_no_digit(method: str | None) -> None:
    rng = np.random.default_rng(1)
    for values in (VALUES, rng.beta(2, 3, 25), rng.beta(2, 3, 80)):
        found = _quiet(values, method=method, range=(0, 1))
        for _ in range(5):
            other = _quiet(rng.permutation(values), method=method, range=(0, 1))
            assert (other.low, other.high, other.standard_error) == (
                found.low,
                found.high,
                found.standard_error,
            )


def _quiet(values: np.ndarray, **options: object) -> pc.interval.Interval:  # type: ignore[name-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        return pc.interval.mean(values, **options)  # type: ignore[arg-type]


def test_which_method_there_is_by_default() -> None:
    rng = np.random.default_rng(2)
    few, many = rng.beta(2, 3, 29), rng.beta(2, 3, 30)
    assert pc.interval.mean(few).method == pc.interval.mean(many).method == "t"
    assert pc.interval.mean(few, range=(0, 1)).method == "bayesian-bootstrap"
    assert pc.interval.mean(many, range=(0, 1)).method == "t"
    # t goes beyond 1, of however many topics.
    rare = np.ones(400)
    rare[7] = 0.0
    beyond = _quiet(rare, method="t", range=(0, 1))
    assert beyond.high > 1 and "bayesian-bootstrap" in noticed(beyond, BeyondRange)[0].instead  # type: ignore[operator]
    found = pc.interval.mean(rare, range=(0, 1))
    assert found.method == "bayesian-bootstrap" and 0.98 < found.low < 0.9975 < found.high < 1  # type: ignore[operator]
    # By the name of a measure, unless the values are no values of it.
    assert pc.interval(few, "AP").method == "bayesian-bootstrap"
    assert pc.interval(100 * few, "AP").method == pc.interval(few, "my own").method == "t"
    assert pc.interval(few, "AP", method="t").method == "t"


def test_equal_values_are_not_undefined() -> None:
    found = pc.interval.mean(np.ones(12), range=(0, 1))
    assert found.high == 1 and found.low == pytest.approx(0.786, abs=0.002)
    half = pc.interval.mean(np.full(12, 0.5), range=(0, 1))
    assert half.low < 0.5 < half.high and half.low == pytest.approx(1 - half.high)  # type: ignore[operator]
    with warned(UndefinedInterval) as told:
        assert pc.interval.mean(np.ones(12)).low is None
    assert told[0].reason == "its variance is 0, as all 12 values are equal"


def test_other_ranges() -> None:
    grades = np.array([3.0, 4, 5, 5, 2, 4, 5, 3, 4, 4, 5, 5])
    found, unit = (
        pc.interval.mean(one, range=ends)
        for one, ends in (
            (grades, (1, 5)),
            ((grades - 1) / 4, (0, 1)),
        )
    )
    assert (found.low, found.high) == pytest.approx((1 + 4 * unit.low, 1 + 4 * unit.high), abs=1e-8)  # type: ignore[operator]
    for wrong in ((1, 4), (5, 1), (0, 0), 1, "01", (0, 1, 2), (None, 1)):
        with pytest.raises(pc.UsageError, match="range: "):
            pc.interval.mean(grades, range=wrong)  # type: ignore[arg-type]
    with pytest.raises(pc.UsageError, match="needs a range with two finite ends"):
        pc.interval.mean(grades, method="bayesian-bootstrap")
    with pytest.raises(pc.UsageError, match="needs a range with two finite ends"):
        pc.interval.mean(grades, method="bayesian-bootstrap", range=(0, np.inf))
    # Where one end is known t is cut there by default, and it is said.
    costs = np.array([0.0, 0, 0, 0.1, 0, 3, 0, 0, 0, 0, 0, 0.2])
    cut = _quiet(costs, range=(0, np.inf))
    assert isinstance(cut.notes[-1], CutToRange) and (cut.notes[-1].low, cut.notes[-1].high) == (
        0,
        np.inf,
    )
    assert (cut.low, cut.method) == (0, "t") and cut.high == _quiet(costs).high


@pytest.mark.parametrize("topics", [4, 9])
def test_few_topics_are_told(topics: int) -> None:
    with warned(FewValues) as told:
        pc.interval.mean(VALUES[:topics], range=(0, 1))
    assert [note.values for note in told] == [
        {"values_seen": topics, "noun": "topics", "effect": "wide"}
    ]


def test_two_way_means_stay_within() -> None:
    rng = np.random.default_rng(3)
    matrix = (rng.random((6, 6)) < 0.95).astype(float)
    free = _two_way(matrix)
    assert free.method == "two-way t" and free.high > 1  # type: ignore[operator]
    found = _two_way(matrix, range=(0, 1))
    assert (
        found.method == "two-way bayesian-bootstrap"
        and 0 < found.low < found.estimate < found.high <= 1
    )  # type: ignore[operator]
    again = _two_way(matrix[rng.permutation(6)][:, rng.permutation(6)], range=(0, 1))
    assert (again.low, again.high) == (found.low, found.high)
    alike = _two_way(np.ones((5, 8)), range=(0, 1))
    assert alike.high == 1 and alike.low == _quiet(np.ones(5), range=(0, 1)).low
    wide = rng.beta(2, 3, (60, 40))
    assert _two_way(wide, range=(0, 1)).method == "two-way t"
    with pytest.raises(pc.UsageError, match="needs a range"):
        pc.interval.two_way(wide, method="two-way bayesian-bootstrap")


def _two_way(matrix: np.ndarray, **options: object) -> pc.interval.Interval:  # type: ignore[name-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        return pc.interval.two_way(matrix, **options)  # type: ignore[arg-type]


def test_reports_commands_and_pages_have_it_and_say_by_what(tmp_path, capsys) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    scored = {"q1": {"a": 1.0}, "q2": {"x": 1.0}, "q3": {"c": 2.0}}
    with warned(CutToRange, FewValues) as notes:
        one = pc.evaluate(qrels, scored, ["R@5", "DCG@5"], interval=True)
    assert {(note.low, note.high) for note in notes if isinstance(note, CutToRange)} == {
        (0, np.inf)
    }
    few = {
        note.subject: (note.values_seen, note.noun) for note in notes if isinstance(note, FewValues)
    }
    assert few == {"R@5": (3, "topics"), "DCG@5": (3, "topics")}
    told = one.conventions["interval"]
    assert told == "bayesian-bootstrap (R@5), t (DCG@5) 95 %" and " ".join(
        told.split()
    ) in " ".join(str(one).split())
    bounds = one.bounds("run", "R@5")
    assert 0 <= bounds.low < 0.6667 < bounds.high <= 1
    assert json.loads(one.to_json())["runs"][0]["interval"]["R@5"]["method"] == "bayesian-bootstrap"
    (tmp_path / "a.qrels").write_text("q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 1.0 a\nq2 Q0 x 1 1.0 a\nq3 Q0 c 1 2.0 a\n")
    paths = [str(tmp_path / name) for name in ("a.qrels", "a.run")]
    assert command(["eval", *paths, "-m", "R@5", "--interval"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert (
        f"0.6667 [{bounds.low:.4f}, {bounds.high:.4f}]" in out
        and "interval bayesian-bootstrap 95 %" in out
    )
    assert command(["eval", *paths, "-m", "R@5", "--interval", "t"]) == 0
    assert "0.6667 [-0.7676, 2.1009]" in " ".join(capsys.readouterr().out.split())
    page = tmp_path / "page.html"
    assert command(["report", *paths, "-m", "R@5", "--chance", "none", "-o", str(page)]) == 0
    capsys.readouterr()
    assert f"0.6667 [{bounds.low:.4f}, {bounds.high:.4f}]" in " ".join(
        texts(read_record(page)["headline"])
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("values", [[5, 5, 2.5, 0], [5, 5, 2.5], [5, 5, 5, 5]])
def test_an_enrichment_factor_is_at_most_one_over_its_share(values: list[float]) -> None:
    """Of four topics EF@20% went to 6.93, though a fifth of the items has at most all that is
    relevant.
    """
    assert pc.measure("EF@20%").range == (0, 5)
    found = pc.interval(values, "EF@20%")
    assert found.method == "bayesian-bootstrap" and found.ends[1] <= 5


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("Utility@3", -3, 3),
        ("Utility(3,-2)@10", -20, 30),
        ("Utility(2,-1,-1)@3", -np.inf, 6),
        ("Utility(-2,-1)@4", -8, 0),
        ("Utility(1,-1,0,.5,population=20)@3", -3, 13),
        ("SetUtility(3,-2)", -np.inf, np.inf),
        ("SetUtility(3,2)", 0, np.inf),
    ],
)
def test_the_range_of_utility_follows_from_its_weights(
    name: str, least: float, most: float
) -> None:
    assert pc.measure(name).range == (least, most)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        (found,) = pc.interval(report_of(4, [name])).values()
    assert found.low is not None and found.high is not None
    assert least <= found.low <= found.high <= most


@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize("n", range(2, 30))
def test_values_at_both_ends_only_are_a_proportion(n: int) -> None:
    """Clopper & Pearson's interval: 16 topics of 0 and 1 covered 90.8 %."""
    at = [_quiet([1.0] * hits + [0.0] * (n - hits), range=(0, 1)) for hits in range(n + 1)]
    share = np.linspace(0.01, 0.99, 99)
    covers = [(found.low <= share) & (share <= found.high) for found in at]  # type: ignore[operator]
    chances = [stats.binom.pmf(hits, n, share) for hits in range(n + 1)]
    assert np.min(np.sum(np.multiply(covers, chances), axis=0)) > (0.92 if n < 12 else 0.928)
    for hits, found in list(enumerate(at))[1:-1]:
        exact = stats.binomtest(hits, n).proportion_ci(0.95, "exact")
        assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
        assert found.method == "bayesian-bootstrap"
    # Any other range is the same on its own scale.
    moved = _quiet([3.0] + [-2.0] * (n - 1), range=(-2, 3))
    assert moved.high == pytest.approx(5 * at[1].high - 2)


@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize("n", [10, 16, 21, 29])
@pytest.mark.parametrize("two", [(0, 0.1), (0, 0.01), (0.9, 1), (0.2, 1), (1 / 3, 1), (0.25, 0.75)])
def test_two_values_anywhere_are_covered(two: tuple[float, float], n: int) -> None:
    """P@10 of topics with one relevant item each is 0 or .1: 10 topics covered 89.3 %, 16 of 0 and
    .01 as little as 81.5 %.
    """
    low, high = two
    at = [
        _quiet([high] * hits + [low] * (n - hits), range=(0, 1), method="bayesian-bootstrap")
        for hits in range(n + 1)
    ]
    share = np.linspace(0.01, 0.99, 99)
    truth = low + (high - low) * share
    covers = [(found.low <= truth + 1e-15) & (truth - 1e-15 <= found.high) for found in at]  # type: ignore[operator]
    chances = [stats.binom.pmf(hits, n, share) for hits in range(n + 1)]
    assert np.min(np.sum(np.multiply(covers, chances), axis=0)) > 0.945


def test_enrichment_ends_at_what_its_topics_allow() -> None:
    """The end of the range was 1 / share, 100, though no list of 20 items with 5 relevant ones can
    have more than 4: the bounds went to 46.
    """
    items = [f"d{i}" for i in range(20)]
    qrels = {f"q{t}": {items[(7 * t + i) % 20]: 1 for i in range(5)} for t in range(6)}
    scored = {topic: {item: float(i) for i, item in enumerate(items)} for topic in qrels}
    backwards = {topic: {item: -float(i) for i, item in enumerate(items)} for topic in qrels}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        report = pc.evaluate(qrels, scored, ["EF@1%", "EF@10%", "AP"])
        few = pc.evaluate(
            dict(list(qrels.items())[:4]), {"a": scored, "b": backwards}, ["EF@1%", "EF@90%"]
        )
        found, pairs = pc.interval(report), pc.compare(few).pairs
    assert report.runs[0].greatest == {"EF@1%": 4.0, "EF@10%": 4.0}
    assert found["EF@1%"].high < 4 and found["EF@10%"].high < 4
    assert (pairs[0].low, pairs[0].high) == (-4.0, 4.0)
    assert pairs[1].high <= 5 * 20 / 18 / 5  # all that is relevant is within the first 90 %


def test_the_longest_list_says_what_enrichment_can_be() -> None:
    located = pc.locate(
        {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"a": 0}},
        {
            "q1": dict.fromkeys("abcdefghij", 1.0),
            "q2": {"a": 1.0, "b": 0.5, "c": 0.2},
            "q3": {"a": 1.0},
        },
    )
    most = attainable_values(pc.measure("EF@50%"), located)
    assert most is not None and most[:2].tolist() == [2.0, 1.5] and np.isnan(most[2])
