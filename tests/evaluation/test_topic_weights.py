"""Topics with weights: averages, intervals and comparisons with them, and refusals of all else."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
import precall.testing
from precall.cli.main import run
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_intervals import WeightsOnFew
from precall.core.notes.of_pages import PartsWithoutWeights
from precall.core.ragged import Float64
from precall.evaluation.weights import read_weights
from precall.page.record import read_record
from precall.plot.from_result import display_of_comparisons
from precall.stats.intervals.methods import METHODS
from precall.stats.tests import CORRECTIONS, TESTS
from precall.stats.weighted_topics import WeightedMean, effective_number, weighted_mean
from tests.noticed import noticed
from tests.peers import peer

RNG = np.random.default_rng(8)
TOPICS = [f"q{number}" for number in range(30)]
QRELS = {topic: {f"d{i}": int(i < 3) for i in range(9)} for topic in TOPICS}
RUNS = {
    name: {topic: {f"d{i}": RNG.normal() + shift * (i < 3) for i in range(9)} for topic in TOPICS}
    for name, shift in (("a", 0.5), ("b", 1.2), ("c", 0.9))
}
TWO = {name: RUNS[name] for name in "ab"}
WEIGHTS = dict(zip(TOPICS, RNG.lognormal(size=30).tolist(), strict=True))
BY = {topic: "even" if int(topic[1:]) % 2 == 0 else "odd" for topic in TOPICS}
MEASURES = ["AP", "P@3", "GMAP"]
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def _report(**options: Any) -> pc.Report:
    return pc.evaluate(QRELS, RUNS, MEASURES, topic_weights=WEIGHTS, **options)


def _column(report: pc.Report, name: str, measure: str = "AP") -> Float64:
    values = next(each for each in report.runs if each.name == name)
    return values.values[report.measures.index(measure)]


W = np.array([*WEIGHTS.values()])


def test_averages_are_weighted() -> None:
    report, plain = _report(), pc.evaluate(QRELS, RUNS, MEASURES)
    for name in RUNS:
        of_ap = _column(plain, name)
        assert report.mean[name, "AP"] == pytest.approx(np.average(of_ap, weights=W), abs=1e-15)
        logs = np.log(np.maximum(of_ap, 1e-5))
        wanted = math.exp(np.average(logs, weights=W))
        assert report.mean[name, "GMAP"] == pytest.approx(wanted, rel=1e-14)
    assert dict(report.weights) == WEIGHTS
    assert not plain.weights
    assert report != plain
    assert pickle.loads(pickle.dumps(report)) == report


@pytest.mark.parametrize("weight", [1, 0.3, 1e100, 7e-120])
def test_equal_weights_change_no_bit(weight: float) -> None:
    """Of means, intervals and comparisons."""
    plain = pc.evaluate(QRELS, RUNS, MEASURES, interval=True, by=BY)
    equal = pc.evaluate(
        QRELS, RUNS, MEASURES, interval=True, by=BY, topic_weights=dict.fromkeys(TOPICS, weight)
    )
    assert dict(equal.mean) == dict(plain.mean)
    assert equal.intervals is not None and plain.intervals is not None
    for key, interval in plain.intervals.items():
        assert equal.intervals[key].ends == interval.ends
    for test in ("randomization", "t"):
        pairs = zip(
            pc.compare(equal, test=test).pairs, pc.compare(plain, test=test).pairs, strict=True
        )
        for ours, theirs in pairs:
            assert (ours.p, ours.low, ours.high, ours.effect) == (
                theirs.p,
                theirs.low,
                theirs.high,
                theirs.effect,
            )


def test_nearly_equal_weights_change_little() -> None:
    """The formulas with weights have those without as their limit: n - 1, s²/n and the rest."""
    near = {topic: 1 + 1e-9 * number for number, topic in enumerate(TOPICS)}
    plain = pc.evaluate(QRELS, RUNS, MEASURES)
    close = pc.evaluate(QRELS, RUNS, MEASURES, topic_weights=near)
    for method in ("t", "bayesian-bootstrap"):
        theirs = pc.interval(plain, method=method)
        for key, interval in pc.interval(close, method=method).items():
            assert interval.ends == pytest.approx(theirs[key].ends, abs=1e-6)
            assert interval.standard_error == pytest.approx(theirs[key].standard_error)
    for test in ("randomization", "t"):
        pairs = zip(
            pc.compare(close, test=test).pairs, pc.compare(plain, test=test).pairs, strict=True
        )
        for ours, other in pairs:
            assert ours.effect == pytest.approx(other.effect)
            if ours.measure != "P@3":  # sums of which are equal, until weights differ
                assert ours.p == pytest.approx(other.p, rel=0.05)
                assert ours.low == pytest.approx(other.low, abs=0.01)


def test_a_weight_of_two_counts_as_two_topics() -> None:
    double = {topic: number % 3 == 0 for number, topic in enumerate(TOPICS)}
    twice = {topic: QRELS[topic] for topic in TOPICS}
    twice |= {f"{topic}x": QRELS[topic] for topic in TOPICS if double[topic]}
    runs = {
        name: {topic: ranked[topic.removesuffix("x")] for topic in twice}
        for name, ranked in RUNS.items()
    }
    weights = {topic: 1 + double[topic] for topic in TOPICS}
    once = pc.evaluate(QRELS, RUNS, ["AP", "P@3"], topic_weights=weights)
    assert dict(once.mean) == dict(pc.evaluate(twice, runs, ["AP", "P@3"]).mean)


def test_the_mean_is_rounded_once_and_in_any_order() -> None:
    for size in (2, 7, 40):
        values, weights = RNG.random(size), RNG.lognormal(0, 3, size)
        exact = sum(
            (
                Fraction(w) * Fraction(v)
                for w, v in zip(weights.tolist(), values.tolist(), strict=True)
            ),
            Fraction(0),
        ) / sum(map(Fraction, weights.tolist()))
        found = weighted_mean(values, weights)
        assert abs(Fraction(found) - exact) <= Fraction(math.ulp(found))
        order = RNG.permutation(size)
        assert weighted_mean(values[order], weights[order]) == found
        first, again = (
            WeightedMean.of(values[some], weights[some]) for some in (np.arange(size), order)
        )
        assert first.error == again.error
    assert weighted_mean(np.full(3, 0.1), np.array([1.0, 2.0, 7.0])) == 0.1


def test_standard_error_and_freedom() -> None:
    """By the matrices of Bell & McCaffrey."""
    values, weights = RNG.random(9), RNG.lognormal(size=9)
    share = weights / weights.sum()
    residual = np.eye(9) - share  # row i gives v_i - Σ p v
    covariance = residual @ residual.T
    factor = share**2 / np.diag(covariance)
    found = WeightedMean.of(values, weights)
    wanted = math.sqrt(np.sum(factor * (residual @ values) ** 2))
    assert found.error == pytest.approx(wanted)
    of_all = np.sum(np.outer(factor, factor) * covariance**2)
    assert found.freedom == pytest.approx(np.sum(factor * np.diag(covariance)) ** 2 / of_all)
    assert effective_number(weights) == pytest.approx(weights.sum() ** 2 / np.sum(weights**2))


@pytest.mark.parametrize("greatest", [1e3, 1e8, 1e14])
def test_one_topic_with_nearly_all_weight(greatest: float) -> None:
    """Of 1 - p no digit was left, so that p of a test was undefined."""
    values, weights = RNG.random(5), np.array([greatest, 1, 2, 1.5, 3])
    share = [Fraction(w) / sum(map(Fraction, weights.tolist())) for w in weights.tolist()]
    squares = sum(p * p for p in share)
    middle = sum(p * Fraction(v) for p, v in zip(share, values.tolist(), strict=True))
    factor = [p * p / (1 - 2 * p + squares) for p in share]
    variance = sum(
        b * (Fraction(v) - middle) ** 2 for b, v in zip(factor, values.tolist(), strict=True)
    )
    of_all = sum(
        factor[i] * factor[j] * ((i == j) - share[i] - share[j] + squares) ** 2
        for i in range(5)
        for j in range(5)
    )
    trace = sum(b * (1 - 2 * p + squares) for b, p in zip(factor, share, strict=True))
    found = WeightedMean.of(values, weights)
    assert found.error == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert found.freedom == pytest.approx(float(trace**2 / of_all))


def test_weights_too_far_apart_are_refused() -> None:
    weights = {**WEIGHTS, "q4": 1e-20}
    with pytest.raises((UsageError, DataError), match="q4"):
        pc.evaluate(QRELS, RUNS["a"], "AP", topic_weights=weights)


def test_intervals() -> None:
    report = _report()
    stats = peer("scipy.stats")
    found = WeightedMean.of(_column(report, "a"), W)
    half = stats.t.ppf(0.975, found.freedom) * found.error
    interval = pc.interval(report, "AP", method="t")["a", "AP"]
    assert interval.ends == pytest.approx((found.mean - half, found.mean + half))
    by_default = pc.interval(report)["a", "AP"]
    assert by_default.method == "bayesian-bootstrap"  # fewer than 30 in effect
    low, high = by_default.ends
    assert 0 < low < report["a", "AP"] < high < 1
    many = pc.interval(report, level=0.5)["a", "AP"].ends
    assert low < many[0] < many[1] < high


def test_few_topics_with_much_weight_are_noted() -> None:
    weights = {topic: 100.0 if topic in TOPICS[:3] else 1.0 for topic in TOPICS}
    report = pc.evaluate(QRELS, RUNS["a"], "AP", topic_weights=weights, interval=True)
    (note,) = noticed(report, WeightsOnFew)
    assert (note.topics, note.effect) == (30, "wide")
    assert note.effective == pytest.approx(327**2 / 30027)
    (note,) = noticed(pc.interval(report, "AP", method="t"), WeightsOnFew)
    assert note.effect == "miss"
    even = pc.evaluate(QRELS, RUNS["a"], "AP", topic_weights=dict.fromkeys(TOPICS, 2))
    assert not noticed(pc.interval(even), WeightsOnFew)


@pytest.mark.parametrize("size", [4, 9])
def test_randomization_counts_all_signs_of_weighted_differences(size: int) -> None:
    some = TOPICS[:size]
    report = pc.evaluate(
        {topic: QRELS[topic] for topic in some},
        TWO,
        "AP",
        topic_weights={topic: WEIGHTS[topic] for topic in some},
    )
    gaps, weights = _column(report, "a") - _column(report, "b"), W[:size]
    (pair,) = pc.compare(report).pairs
    sums = [
        abs(float(np.sum(weights * gaps * signs)))
        for signs in itertools.product((-1, 1), repeat=size)
    ]
    share = np.mean(np.array(sums) >= abs(float(np.sum(weights * gaps))) - 1e-12)
    assert pair.p == pytest.approx(share)
    assert pair.method.exact
    assert pair.difference == pytest.approx(np.average(gaps, weights=weights))


def test_bounds_of_randomization_are_what_it_does_not_reject() -> None:
    """A shift of all differences within them has p > .05, one outside has not."""
    some = TOPICS[:11]
    weights = np.array([WEIGHTS[topic] for topic in some])
    report = pc.evaluate(
        {topic: QRELS[topic] for topic in some},
        TWO,
        "AP",
        topic_weights={topic: WEIGHTS[topic] for topic in some},
    )
    gaps = _column(report, "a") - _column(report, "b")
    (pair,) = pc.compare(report).pairs
    assert pair.low is not None and pair.high is not None
    signs = np.array([*itertools.product((-1, 1), repeat=len(some))])

    def p_of(shift: float) -> float:
        terms = weights * (gaps - shift)
        return float(np.mean(np.abs(signs @ terms) >= abs(terms.sum()) - 1e-12))

    for end, out in ((pair.low, -1), (pair.high, 1)):
        assert p_of(end - out * 1e-6) > 0.05
        assert p_of(end + out * 1e-6) <= 0.05


def test_students_t_of_weighted_differences() -> None:
    report, stats = _report(), peer("scipy.stats")
    pair = next(each for each in pc.compare(report, test="t").pairs if each.measure == "AP")
    gaps = _column(report, pair.names[0]) - _column(report, pair.names[1])
    found = WeightedMean.of(gaps, W)
    assert pair.statistic == pytest.approx(found.mean / found.error)
    assert pair.p == pytest.approx(2 * stats.t.sf(abs(pair.statistic or 0), found.freedom))
    half = stats.t.ppf(0.975, found.freedom) * found.error
    assert (pair.low, pair.high) == pytest.approx((found.mean - half, found.mean + half))
    assert pair.method.freedom == found.freedom


@pytest.mark.parametrize("test", ["randomization", "t"])
def test_comparisons_have_the_means_of_the_report(test: str) -> None:
    report = _report(by=BY)
    compared = pc.compare(report, test=test)
    for of, part in (
        (compared, report),
        *((compared.groups[n], report.groups[n]) for n in ("even", "odd")),
    ):
        for pair in of.pairs:
            if pair.measure == "AP":
                assert pair.values == tuple(part.mean[name, "AP"] for name in pair.names)
                assert pair.difference == pytest.approx(pair.values[0] - pair.values[1])
        assert of.means["AP"] == {name: part.mean[name, "AP"] for name in RUNS}
        assert of.means["GMAP"] == pytest.approx({n: part.mean[n, "GMAP"] for n in RUNS})
        assert not of.anova
    swapped = pc.compare(
        pc.evaluate(QRELS, dict(reversed(RUNS.items())), MEASURES, topic_weights=WEIGHTS), test=test
    )
    (ours,) = (each for each in compared.pairs if each.names == ("a", "b") and each.measure == "AP")
    (theirs,) = (
        each for each in swapped.pairs if set(each.names) == {"a", "b"} and each.measure == "AP"
    )
    assert theirs.swap().p == ours.p
    assert (theirs.swap().low, theirs.swap().high) == (ours.low, ours.high)


def test_systems_that_are_alike() -> None:
    report = pc.evaluate(QRELS, {"a": RUNS["a"], "b": RUNS["a"]}, "AP", topic_weights=WEIGHTS)
    for test in ("randomization", "t"):
        (pair,) = pc.compare(report, test=test).pairs
        assert (pair.p, pair.low, pair.difference, pair.effect) == (1.0, None, 0.0, 0.0)


def test_groups_have_weighted_averages() -> None:
    report = _report(by=BY, interval=True)
    inside = np.array([BY[topic] == "odd" for topic in TOPICS])
    part = report.groups["odd"]
    wanted = np.average(_column(report, "a")[inside], weights=W[inside])
    assert part.mean["a", "AP"] == pytest.approx(wanted)
    assert dict(part.weights) == {topic: WEIGHTS[topic] for topic in TOPICS if BY[topic] == "odd"}
    assert part.conventions["means"] != report.conventions["means"]
    assert part.intervals is not None


def test_topics_that_are_left_out_take_their_weight_along() -> None:
    qrels = {"x": {"a": 1}, "y": {"a": 0}, "z": {"b": 1}}
    ranked = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    weights = {"x": 1, "y": 5, "z": 3, "nobody": 9}
    zero = pc.evaluate(qrels, ranked, "AP", topic_weights=weights)
    assert zero["AP"] == pytest.approx((1 + 3 * 0.5) / 9)
    omitted = pc.evaluate(qrels, ranked, "AP", topic_weights=weights, undefined="omit")
    assert omitted["AP"] == pytest.approx((1 + 3 * 0.5) / 4)
    interval = pc.interval(omitted, "AP")
    assert interval.estimate == omitted["AP"]
    both = pc.evaluate(
        qrels, {"a": ranked, "b": ranked}, "AP", topic_weights=weights, undefined="omit"
    )
    assert pc.compare(both).pairs[0].values == (omitted["AP"], omitted["AP"])


class _Path:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


def _ways(folder: Path) -> dict[str, Any]:
    pandas = peer("pandas")
    texts = {
        "blanks": "\n".join(f"{topic}  {weight!r}" for topic, weight in WEIGHTS.items()),
        "tabs": "\ufeff" + "\r\n".join(f"{t}\t{weight!r}" for t, weight in WEIGHTS.items()),
        "csv": "topic,weight\n" + "\n".join(f"{t},{w!r}" for t, w in WEIGHTS.items()),
        "quoted": '"topic";"weight"\n' + "\n".join(f'"{t}";{w!r}' for t, w in WEIGHTS.items()),
    }
    ways: dict[str, Any] = {
        "dict": WEIGHTS,
        "pairs": [*WEIGHTS.items()],
        "iterator": iter(WEIGHTS.items()),
        "series": pandas.Series(WEIGHTS),
        "frame": pandas.DataFrame({"qid": WEIGHTS.keys(), "weight": WEIGHTS.values()}),
    }
    for name, text in texts.items():
        path = folder / f"{name}{'.csv' if ',' in text or ';' in text else '.txt'}"
        path.write_bytes(text.encode())
        ways[name] = str(path) if name == "csv" else _Path(path)
    return ways


def test_all_ways_in(tmp_path: Path) -> None:
    wanted = _report()
    for name, given in _ways(tmp_path).items():
        report = pc.evaluate(QRELS, RUNS, MEASURES, topic_weights=given)
        assert dict(report.weights) == WEIGHTS, name
        assert dict(report.mean) == dict(wanted.mean)
    numbers = pc.evaluate(
        {1: {"a": 1}, 2: {"a": 1}}, {1: ["a"], 2: ["x"]}, "AP", topic_weights={1: 3, 2: 1}
    )
    assert numbers["AP"] == 0.75


@pytest.mark.parametrize(
    "weights",
    [
        {},
        {"q1": 1.0},
        {**WEIGHTS, "q3": 0},
        {**WEIGHTS, "q3": -1.0},
        {**WEIGHTS, "q3": math.nan},
        {**WEIGHTS, "q3": math.inf},
        {**WEIGHTS, "q3": "much"},
        {**WEIGHTS, "q3": None},
        {**WEIGHTS, "q3": True},
        [*WEIGHTS.items(), ("q3", 1.0)],
        [1.0, 2.0],
        [("q1", 1.0, 2.0)],
        3,
        b"x",
        "no such file.txt",
    ],
)
def test_weights_that_are_refused(weights: Any) -> None:
    with pytest.raises((UsageError, DataError, OSError)):
        pc.evaluate(QRELS, RUNS["a"], "AP", topic_weights=weights)


def test_topics_without_a_weight_are_named() -> None:
    lacking = {topic: WEIGHTS[topic] for topic in TOPICS[7:]}
    with pytest.raises((UsageError, DataError), match="7 of 30.*q0, q1, q2, q3, q4 and 2 more"):
        pc.evaluate(QRELS, RUNS["a"], "AP", topic_weights=lacking)
    # Those that are not averaged need none.
    shorter = {topic: RUNS["a"][topic] for topic in TOPICS[7:]}
    assert len(pc.evaluate(QRELS, shorter, "AP", topic_weights=lacking).weights) == 23


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("q1\n", "without a weight"),
        ("q1 1\nq1 2\n", "twice"),
        ("\n", "no topic"),
        ("q1 3,5\n", "3,5"),
        ("q1 0\n", "0"),
        ("topic,weight\n", "without a weight"),
        ("topic weight\n", "weight"),
    ],
)
def test_files_that_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.txt"
    path.write_text(text)
    with pytest.raises((UsageError, DataError), match=words) as refused:
        read_weights(str(path))
    assert "weights.txt" in str(refused.value)


def test_errors_name_the_file_of_weights(tmp_path: Path) -> None:
    """They named "topic_weights", on the command line, too: every other file is named."""
    path = tmp_path / "few.csv"
    path.write_text("q1,2\n")
    with pytest.raises(DataError, match="few.csv: 29 of 30"):
        pc.evaluate(QRELS, RUNS["a"], "AP", topic_weights=path)


#: What has no form with weights, by name.
REFUSES: dict[str, Callable[[pc.Report], object]] = {
    **{
        f"compare, test={test}": lambda report, test=test: pc.compare(report, test=test)
        for test in TESTS
        if test not in ("randomization", "t")
    },
    **{
        f"interval, method={method}": lambda report, method=method: pc.interval(
            report, method=method
        )
        for method in METHODS["mean"]
        if method not in ("t", "bayesian-bootstrap")
    },
    "compare, correction=tukey": lambda report: pc.compare(report, correction="tukey"),
    "compare.seeds": lambda report: pc.compare.seeds(report, {"x": ["a", "b"], "y": ["c"]}),
    "compare.gates": lambda report: pc.compare.gates(report, "AP"),
    "compare.gates of comparisons": lambda report: pc.compare.gates(
        report, "AP", comparisons=pc.compare(report, baseline="a")
    ),
    "compare.plan": lambda _: pc.compare.plan(
        pc.evaluate(QRELS, TWO, "AP", topic_weights=WEIGHTS), difference=0.05
    ),
    "testing": lambda report: precall.testing.assert_not_worse(report, "none.json"),
    "values_by_run": lambda report: report.values_by_run("AP"),
    "trec": lambda report: report.to_trec(),
    "page with gates": lambda report: pc.report.runs(
        QRELS, RUNS, "x.html", ["AP"], topic_weights=WEIGHTS, worse="AP"
    ),
    "bounds": lambda _: _report(unjudged="bounds"),
    "sums": lambda _: pc.evaluate(QRELS, RUNS, ["NumRet"], topic_weights=WEIGHTS),
    "judge": lambda _: pc.judge(QRELS, QRELS, RUNS["a"], "AP", topic_weights=WEIGHTS),
}
#: What has a form, and where weights show in it.
TAKES: dict[str, Callable[[pc.Report], object]] = {
    **{
        f"compare, correction={each}": lambda report, each=each: pc.compare(report, correction=each)
        for each in CORRECTIONS
        if each != "tukey"
    },
    "compare, baseline": lambda report: pc.compare(report, baseline="b"),
    "compare of qrels": lambda _: pc.compare(QRELS, RUNS, "AP", topic_weights=WEIGHTS),
    "interval": lambda report: pc.interval(report),
    "per_topic": lambda report: report.per_topic["weight"],
    "text": str,
    "csv": lambda report: report.to_csv(),
    "json": lambda report: report.to_json(),
    "markdown": lambda report: report.to_markdown(),
    "latex": lambda report: report.to_latex(),
    "html": lambda report: report.to_html(),
    "flat": lambda report: report.flat(),
    "comparisons": lambda report: str(pc.compare(report)),
}


@pytest.mark.parametrize("door", REFUSES)
def test_what_has_no_form_with_weights_refuses_them(
    door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((UsageError, TypeError), match="weights"):
        REFUSES[door](_report())
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("door", TAKES)
def test_what_has_a_form_with_weights(door: str) -> None:
    assert TAKES[door](_report()) is not None


def test_pictures_have_weighted_means() -> None:
    matplotlib = peer("matplotlib")
    matplotlib.use("Agg")
    report = _report()
    compared = pc.compare(report)
    drawn: Any = display_of_comparisons(compared, report, "means")
    wanted = pc.interval(report)
    for place, name in enumerate(drawn.names):
        ends = (drawn.low[place], drawn.high[place])
        assert ends == pytest.approx(wanted[name, "AP"].ends)
    display_of_comparisons(compared, report, "pairs")


def test_forms() -> None:
    report = _report(by=BY)
    told = report.conventions["means"]
    assert "weighted" in told
    data = json.loads(report.to_json())
    assert data["weights"] == WEIGHTS
    assert data["conventions"]["means"] == told
    assert data["runs"][0]["mean"]["AP"] == report.mean["a", "AP"]
    rows = [*csv.DictReader(io.StringIO(report.sheet(per_topic=True).to_csv()))]
    for row in rows:
        assert row["weight"] == ("" if row["aggregate"] else repr(WEIGHTS[row["topic"]]))
    assert "weight" not in pc.evaluate(QRELS, RUNS, "AP").to_csv().split("\n")[0]
    for text in (str(report), str(pc.compare(report))):
        assert " ".join(text.split()).count("weighted by topic") == 1
    for text in (report.to_markdown(), report.to_latex(), report.to_html()):
        assert "weighted by topic" in text
    assert json.loads(pc.compare(report).to_json())["conventions"]["means"] == told
    assert "weights" not in json.loads(pc.evaluate(QRELS, RUNS, "AP").to_json())


def _write_files() -> None:
    rows = [f"{q} 0 {d} {grade}\n" for q, of in QRELS.items() for d, grade in of.items()]
    Path("q.qrels").write_text("".join(rows))
    for name, ranked in RUNS.items():
        rows = [f"{q} Q0 {d} 1 {s!r} r\n" for q, of in ranked.items() for d, s in of.items()]
        Path(f"{name}.run").write_text("".join(rows))
    Path("s.txt").write_text("a x\nb x\nc y\n")
    Path("w.csv").write_text("topic,weight\n" + "".join(f"{t},{w!r}\n" for t, w in WEIGHTS.items()))


def test_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files()
    files = ["q.qrels", "a.run", "b.run", "-m", "AP", "--topic-weights", "w.csv"]
    report = pc.evaluate(QRELS, TWO, ["AP"], topic_weights=WEIGHTS)
    assert run(["eval", *files, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["weights"] == WEIGHTS
    assert told["runs"][0]["mean"]["AP"] == report.mean["a", "AP"]
    assert run(["compare", *files, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pairs"][0]["p"] == pc.compare(report).pairs[0].p
    for command in ("eval", "compare"):
        assert run([command, *files, "-o", f"{command}.html"]) == 0
        page = Path(f"{command}.html").read_text(encoding="utf-8")
        assert "weighted by topic" in page
        assert f"{report.mean['a', 'AP']:.4f}" in page
        assert noticed(read_record(f"{command}.html"), PartsWithoutWeights)
    capsys.readouterr()
    for more in (
        ["eval", *files, "--format", "trec"],
        ["eval", *files, "--unjudged", "bounds"],
        ["eval", *files, "--interval", "bca"],
        ["compare", *files, "--test", "wilcoxon"],
        ["compare", *files, "--correction", "tukey"],
        ["compare", *files, "--fail-if-worse", "AP"],
        ["compare", *files[:3], "c.run", *files[3:], "--systems", "s.txt"],
        ["eval", *files[:-1], "none.csv"],
    ):
        assert run(more) == 2, more
        told_error = capsys.readouterr().err
        assert "weights" in told_error or "none.csv" in told_error


def test_a_page_of_weighted_runs(tmp_path: Path) -> None:
    report = _report(by=BY)
    pc.report(report, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "weighted by topic" in page
    assert all(f"{report.groups[name].mean['a', 'AP']:.4f}" in page for name in ("even", "odd"))
