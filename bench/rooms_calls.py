"""The table of the issue that named slow rooms: each row, and each part of a row, as a call at the
size that it names.

`today` and `wanted` are its figures: seconds, of a machine of its own, so that only their ratio
counts. Where it gives a range, `today` is the upper end: the ratio that is harder to meet. `beside`
is the part that others are held against.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from growth_data import Data

import precall as pc
from precall.compat import sklearn

Make = Callable[[Data], Callable[[], Any]]


class Room(NamedTuple):
    """`make` as in `growth_calls`; or the arguments of a command, of which those that end in ":"
    are files.
    """

    make: Make | tuple[str, ...]
    n: int
    today: float | None = None
    wanted: float | None = None
    #: At most so many times as long as that part of this row, in this run.
    beside: tuple[float, str] | None = None
    #: Bytes a case at most.
    room: Callable[[Data], float] | None = None
    #: Of commands: the size whose time and memory are taken off; 0 where the start-up is what is
    #: asked.
    small: int = 50
    #: Whether it is ours: others' calls are timed once, beside the newer version.
    ours: bool = True


#: Categories for each item, where there are many.
WIDE = 50

# Data
# --------------------------------------------------------------------------------------------------


@lru_cache(1)
def cases(d: Data, share: float, shape: str = "normal") -> tuple[Any, Any]:
    """Labels and float32 scores, which tell nothing of them: the scores have the same shape at each
    share.
    """
    rng = np.random.default_rng(d.n)
    draw = {
        "uniform": lambda: rng.random(d.n, dtype=np.float32),
        "normal": lambda: rng.standard_normal(d.n, dtype=np.float32),
        "exponential": lambda: rng.standard_exponential(d.n, dtype=np.float32),
        "lognormal(6)": lambda: np.exp(6 * rng.standard_normal(d.n, dtype=np.float32)),
        "ties": lambda: rng.integers(0, 1000, d.n).astype(np.float32) / 7,
        "constant": lambda: np.zeros(d.n, np.float32),
    }[shape]
    return rng.random(d.n, dtype=np.float32) < share, draw()


@lru_cache(1)
def labels(d: Data) -> dict[int, tuple[Any, Any, Any]]:
    """The truth and two systems' decisions among seven and ten categories, by their number."""
    rng = np.random.default_rng(d.n)

    def decided(truth: Any, many: int, right: float) -> Any:
        return np.where(rng.random(d.n) < right, truth, rng.integers(0, many, d.n))

    both = {many: rng.integers(0, many, d.n) for many in (7, 10)}
    return {many: (t, decided(t, many, 0.7), decided(t, many, 0.71)) for many, t in both.items()}


def _of_many(measure: str, method: str) -> Make:
    """An interval of decisions among a category for every five items, seven in ten right."""

    def make(d: Data) -> Callable[[], Any]:
        rng, many = np.random.default_rng(d.n), max(d.n // 5, 2)
        truth = rng.integers(0, many, d.n)
        decided = np.where(rng.random(d.n) < 0.7, truth, rng.integers(0, many, d.n))
        return partial(pc.interval, pc.decisions(truth, decided), measure, method=method)

    return make


@lru_cache(1)
def sets(d: Data) -> list[set[str]]:
    """Items in any of seven categories."""
    names = np.array(list("abcdefg"))
    return [set(names[row].tolist()) for row in np.random.default_rng(d.n).random((d.n, 7)) < 0.2]


@lru_cache(1)
def answers(d: Data) -> tuple[list[set[str]], ...]:
    """The truth and two systems' label sets of ten categories, of which they answer three in ten
    wrong.
    """
    rng, names = np.random.default_rng(d.n), np.array(list("abcdefghij"))
    truth = rng.random((d.n, len(names))) < 0.2
    systems = (truth ^ (rng.random(truth.shape) < wrong) for wrong in (0.3, 0.294))
    return tuple([set(names[row].tolist()) for row in rows] for rows in (truth, *systems))


@lru_cache(1)
def table(d: Data, categories: int) -> tuple[Any, Any]:
    """The truth, two in a hundred, and scores of items by categories."""
    rng = np.random.default_rng(d.n)
    scores = rng.random((d.n, categories))
    truth = rng.random(scores.shape) < 0.02
    truth[:2] = [[True], [False]]
    return truth, scores


def status(d: Data, categories: int = 10) -> Any:
    """The same, made anew: nothing is kept from one call to the next."""
    return pc.categorize(*table(d, categories))


@lru_cache(1)
def rankings(d: Data) -> tuple[Any, ...]:
    """Two runs over the same judgements, 5,000 items a topic."""
    import polars

    deep, topics = min(d.n, 5000), max(d.n // 5000, 1)
    rng = np.random.default_rng(d.n)
    topic = np.repeat([f"q{i}" for i in range(topics)], deep)
    item = np.tile([f"d{i}" for i in range(deep)], topics)
    judged = pc.read_qrels({f"q{i}": {f"d{j}": 1 for j in range(50)} for i in range(topics)})
    runs = [
        polars.DataFrame({"topic": topic, "item": item, "score": rng.random(len(topic))})
        for _ in range(2)
    ]
    return judged, *map(pc.read_run, runs)


def located(d: Data) -> tuple[Any, Any]:
    """Where their judged items are."""
    judged, *runs = rankings(d)
    first, second = (pc.locate(judged, run, keep_items=True) for run in runs)
    return first, second


@lru_cache(1)
def topics(d: Data, systems: int) -> dict[str, Any]:
    """Values per topic of so many systems."""
    values = np.random.default_rng(d.n).normal(size=(systems, d.n))
    return {f"s{i}": one for i, one in enumerate(values)}


@lru_cache(1)
def frame(d: Data) -> Any:
    """The run as a data frame, by its file: quicker than dicts."""
    import polars

    return polars.read_parquet(d.file("run.parquet"))


def thrice(kind: str) -> Callable[[Data], float]:
    """Three times the bytes of what is read; of Parquet, which is packed, those of its columns as
    Arrow has them.
    """

    def bytes_(d: Data) -> float:
        if kind != "run.parquet":
            return 3 * Path(d.file(kind)).stat().st_size / d.n
        texts = sum(int(frame(d)[name].str.len_bytes().sum()) for name in ("topic", "item"))
        return 3 * (texts / d.n + 8 + 8 + 8)  # two offsets and a score

    return bytes_


def values(d: Data) -> tuple[Any, Any]:
    """Of two systems."""
    return tuple(topics(d, 2).values())  # type: ignore[return-value]


def few(d: Data) -> tuple[dict[str, Any], dict[str, Any]]:
    """Five topics of ten items."""
    names = [f"d{j}" for j in range(10)]
    scores = iter(d.score.tolist())
    run = {f"q{i}": dict(zip(names, scores, strict=False)) for i in range(5)}
    return {q: {name: int(name in "d0d2d5") for name in names} for q in run}, run


# Calls
# --------------------------------------------------------------------------------------------------


def _added(d: Data, times: int = 1, bins: int | None = None) -> Any:
    added = pc.ScoredCases(bins)
    for _ in range(times):
        added.add(d.truth, d.score)
    return added


def _in_topics(d: Data) -> Callable[[], Any]:
    return partial(pc.compare.cases, *d.cases, d.other, "AUC", topics=d.groups)


def _in_groups(d: Data) -> Callable[[], Any]:
    groups = np.random.default_rng(d.n).integers(0, max(d.n // 10, 1), d.n)
    return partial(pc.compare.cases, *d.cases, d.other, "AUC", groups=groups, test="bootstrap")


def _decided(d: Data) -> Callable[[], Any]:
    made = status(d, WIDE * d.n)
    return partial(made.decide, made.thresholds("rcut:3"))


def _pairs(d: Data) -> Callable[[], Any]:
    first, second = located(d)
    return partial(first.pairs, second)


def _resampled(name: str, **options: Any) -> Make:
    def make(d: Data) -> Callable[[], Any]:
        taken = {key: getattr(d, key) for key in ("groups", "weights") if options.get(key)}
        return partial(getattr(pc.interval, name), *d.cases, **{**options, **taken})

    return make


def _sklearn(name: str, of: Callable[[Data], tuple[Any, ...]]) -> Make:
    def make(d: Data) -> Callable[[], Any]:
        from sklearn import metrics

        return partial(getattr(metrics, name), *of(d))

    return make


def _weighed(name: str, weighed: bool) -> Make:
    return lambda d: partial(getattr(pc, name), *d.cases, weights=d.weights if weighed else None)


_PERCENTILE = {"method": "percentile", "resamples": 2000}
_PLAIN = (5.0, "plain")
_AREAS = {"AP": "average_precision", "AUC": "area_under_roc", "curve": "curve"}
_CURVE = ("curve", "cases.csv:", "--label", "y", "--score", "s")
_SHAPES = ("normal", "exponential", "lognormal(6)", "ties", "constant")


def _null(name: str, *arguments: int, ask: str = "mean") -> Make:
    # What depends on n is made from it, so that small sizes are asked for the same; a method is
    # called, a value looked up.
    def call(n: int) -> Any:
        answer = getattr(getattr(pc.null, name)(n, *arguments), ask)
        return answer() if callable(answer) else answer

    return lambda d: partial(call, d.n)


def _rvs(share: int) -> Make:
    return lambda d: lambda: pc.null.average_precision(d.n, d.n // share).rvs(1000)


def _shape(share: float) -> dict[str, Room]:
    def of(shape: str) -> Make:
        return lambda d: partial(sklearn.average_precision_score, *cases(d, share, shape))

    base = f"uniform, {share:g}"
    return {base: Room(of("uniform"), 10**7)} | {
        f"{shape}, {share:g}": Room(of(shape), 10**7, beside=(1.5, base)) for shape in _SHAPES
    }


ROWS: dict[str, dict[str, Room]] = {
    "runs": {
        "frame": Room(
            lambda d: partial(pc.read_run, frame(d)), 10**6, 0.5, 0.1, room=thrice("run.parquet")
        ),
        "Parquet": Room(
            lambda d: partial(pc.read_run, d.file("run.parquet")),
            10**6,
            0.5,
            0.1,
            room=thrice("run.parquet"),
        ),
        "CSV": Room(
            lambda d: partial(pc.read_run, d.file("run.csv")),
            10**6,
            1.25,
            0.1,
            room=thrice("run.csv"),
        ),
        "TSV": Room(
            lambda d: partial(pc.read_run, d.file("run.tsv")),
            10**6,
            1.25,
            0.1,
            room=thrice("run.tsv"),
        ),
        "JSONL": Room(
            lambda d: partial(pc.read_run, d.file("run.jsonl")),
            10**6,
            3.0,
            1.0,
            room=thrice("run.jsonl"),
        ),
        "TREC text": Room(lambda d: partial(pc.read_run, d.file("run")), 10**6),
    },
    "case tables": {
        "curve": Room(_CURVE, 10**6, 2.4, 0.4, room=lambda d: 40),
        "curve --interval": Room((*_CURVE, "--interval"), 10**6, 5.2, 0.4, room=lambda d: 40),
    },
    "decide by rank": {
        "rcut": Room(_decided, 1000, 34.5, 0.3, room=lambda d: 8 * WIDE * d.n),
        "max-f": Room(lambda d: partial(status(d, WIDE * d.n).thresholds, "max-f"), 1000, 3.7, 1.0),
    },
    "decisions": {
        "scikit-learn": Room(
            _sklearn("precision_recall_fscore_support", lambda d: labels(d)[7][:2]),
            10**6,
            ours=False,
        ),
        "seven categories": Room(
            lambda d: partial(pc.decisions, *labels(d)[7][:2]),
            10**6,
            0.56,
            beside=(0.5, "scikit-learn"),
        ),
        "their report": Room(lambda d: pc.decisions(*labels(d)[7][:2]).report, 10**6),
        "sets": Room(lambda d: partial(pc.decisions, sets(d), sets(d)[::-1]), 10**6, 5.1, 1.0),
    },
    "bootstrap": {
        "plain": Room(_resampled("average_precision", **_PERCENTILE), 10**5),
        "grouped": Room(
            _resampled("average_precision", groups=True, **_PERCENTILE), 10**5, beside=_PLAIN
        ),
        "weighted": Room(
            _resampled("average_precision", weights=True, **_PERCENTILE), 10**5, beside=_PLAIN
        ),
        "pr_band": Room(_resampled("pr_band"), 10**5, beside=_PLAIN),
        "roc_band": Room(_resampled("roc_band"), 10**5, beside=_PLAIN),
    },
    "few cases": {
        **{
            f"curve of {n:,}": Room(_weighed("curve", False), n, 175e-6, 25e-6)
            for n in (100, 1000, 16_000)
        },
        "eleven_point": Room(lambda d: partial(status(d).eleven_point, "item"), 10**4, 5.0, 1.0),
        "by_item": Room(lambda d: partial(status(d).by_item, "BEP"), 10**4, 5.0, 1.0),
        "thresholds": Room(
            lambda d: partial(status(d, WIDE * d.n).thresholds, "max-f"), 100, 5.0, 1.0
        ),
        "AUC in topics": Room(_in_topics, 20_000, 5.0, 1.0),
    },
    "compare.cases": {
        "AP": Room(lambda d: partial(pc.compare.cases, *d.cases, d.other), 20_000, 10.8, 0.5),
        "AUC in 20,000 topics": Room(_in_topics, 200_000, 4.9, 0.2),
        "AUC in 20,000 groups, bootstrap": Room(_in_groups, 200_000),
    },
    "weights": {
        part: room
        for name, function in _AREAS.items()
        for part, room in {
            f"{name}, none": Room(_weighed(function, False), 10**7),
            name: Room(_weighed(function, True), 10**7, beside=(2.0, f"{name}, none")),
        }.items()
    },
    "compare.decisions": {
        "macro": Room(
            lambda d: partial(pc.compare.decisions, *labels(d)[10], average="macro"),
            10**5,
            12.0,
            0.5,
        ),
        "macro, label sets": Room(
            lambda d: partial(pc.compare.decisions, *answers(d), average="macro"), 10**5, 12.0, 0.5
        ),
    },
    # The bootstrap alone, and with each item left out.
    "averages of 20,000 categories": {
        "percentile": Room(_of_many("macro-precision", "percentile"), 10**5),
        "bca": Room(_of_many("macro-precision", "bca"), 10**5, 100.0, beside=(1.5, "percentile")),
    },
    "topics": {
        "bayes.signed_rank": Room(
            lambda d: partial(pc.compare.bayes.signed_rank, *values(d)), 2000, 15.0, 3.0
        ),
        "paired bootstrap": Room(
            lambda d: partial(pc.compare.paired, *values(d), test="bootstrap"), 7000, 4.65, 0.8
        ),
        "Tukey, 129 systems": Room(
            lambda d: partial(pc.compare.many, topics(d, 129), correction="tukey"), 250, 5.4, 2.0
        ),
        "Tukey, 3 systems": Room(
            lambda d: partial(pc.compare.many, topics(d, 3), correction="tukey"), 7000, 10.0, 2.0
        ),
    },
    "null": {
        "pmf of precision": Room(
            lambda d: lambda: pc.null.precision(d.n, d.n // 10, d.n // 10).pmf(), 10**5, 17.0, 0.2
        ),
        "rvs, a tenth relevant": Room(_rvs(10), 10**6, 14.0, 1.0),
        "rvs, half relevant": Room(_rvs(2), 10**6, 14.0, 1.0),
        "reciprocal_rank, 1,000": Room(_null("reciprocal_rank", 5), 1000),
        "reciprocal_rank": Room(
            _null("reciprocal_rank", 5), 10**6, beside=(2.0, "reciprocal_rank, 1,000")
        ),
        "location, 1,000": Room(_null("location", 5, 2), 1000),
        "location": Room(_null("location", 5, 2), 10**6, beside=(2.0, "location, 1,000")),
    },
    "report": {
        "two runs x 250 topics": Room(
            ("report", "qrels:", "run:", "other:", "-o", "page.html"), 25_000, 4.3, 1.5, small=0
        ),
        "compare": Room(("compare", "qrels:", "run:", "other:"), 25_000, small=0),
    },
    "ScoredCases": {
        "curve": Room(_weighed("curve", False), 10**7),
        "add": Room(lambda d: partial(_added, d), 10**7, 1.6, beside=(1.0, "curve")),
        "add, then curve": Room(lambda d: lambda: _added(d).curve(), 10**7),
        "add by bins, 100 times": Room(
            lambda d: partial(_added, d, 100, 1000), 10**5, room=lambda d: 100
        ),
    },
    "Located.pairs": {
        "pairs": Room(_pairs, 5 * 10**6, 11.0, 0.5),
    },
    "per call": {
        "paired t": Room(
            lambda d: partial(pc.compare.paired, *values(d), test="t"), 50, 198e-6, 99e-6
        ),
        "evaluate dicts": Room(lambda d: partial(pc.evaluate, *few(d)), 50, 598e-6, 299e-6),
        "interval AP": Room(_resampled("average_precision"), 100, 388e-6, 194e-6),
        "max_f": Room(_resampled("max_f"), 100, 2.2e-3, 1.1e-3),
        "pr_band": Room(_resampled("pr_band"), 100, 3.6e-3, 1.8e-3),
        "roc_band": Room(_resampled("roc_band"), 100, 3.6e-3, 1.8e-3),
        "compare.cases AP": Room(
            lambda d: partial(pc.compare.cases, *d.cases, d.other), 100, 62e-3, 31e-3
        ),
        "bootstrap AP": Room(_resampled("average_precision", method="bca"), 100, 31e-3, 15.5e-3),
        "bayes.sign": Room(lambda d: partial(pc.compare.bayes.sign, *values(d)), 50, 25e-3, 1e-3),
        "Holm": Room(lambda d: partial(pc.compare.many, topics(d, 5), test="t"), 50),
    },
    "start-up": {
        "--help": Room(("--help",), 50, 63e-3, 50e-3, small=0),
        "eval": Room(("eval", "qrels:", "run:"), 50, 145e-3, 125e-3, small=0),
        "trec_eval": Room(("trec_eval", "qrels:", "run:"), 50, small=0),
    },
    "shape": {
        **_shape(0.5),
        **_shape(0.1),
        **_shape(0.01),
        **_shape(0.0001),
        "scikit-learn, 0.01": Room(
            _sklearn("average_precision_score", lambda d: cases(d, 0.01, "uniform")),
            10**7,
            ours=False,
        ),
        "AP, 0.01": Room(
            lambda d: partial(sklearn.average_precision_score, *cases(d, 0.01, "uniform")),
            10**7,
            beside=(1 / 45, "scikit-learn, 0.01"),
        ),
    },
}
