"""Every public function and command, with what it is called on at size n: the table of `growth.py`.

A name is that of tests/data/public-names.txt, without "precall."; behind a comma stands what is
special about the call.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from growth_data import CATEGORIES, Data

import precall as pc
from precall.compat import ir_measures, lingpipe, pytrec_eval, sklearn
from precall.results.forms import names as form_names
from precall.stats.tests import signflip


class Call(NamedTuple):
    """`make` prepares a call on data, untimed; what it returns is timed. `shapes`: whether scores
    matter to it.
    """

    make: Callable[[Data], Callable[[], Any]]
    sizes: tuple[int, ...]
    shapes: bool = False


MANY = (1_000, 10_000, 100_000, 1_000_000)
SOME = (100, 1_000, 10_000, 100_000)
FEW = (10, 100, 1_000, 10_000)
TINY = (10, 50, 250, 1_000)
TEN_TOPICS = (1_000, 10_000, 100_000)  # or more
MANY_TOPICS = (400, 4_000, 40_000)


def _command(*arguments: str) -> Callable[[Data], Callable[[], Any]]:
    """A command line; what ends in ":" is a file of these data."""

    def make(data: Data) -> Callable[[], Any]:
        from precall.cli.main import run

        typed = [data.file(part[:-1]) if part.endswith(":") else part for part in arguments]
        typed = [str(data.folder / "page.html") if part == "PAGE" else part for part in typed]

        def call() -> None:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors:
                status = run(typed)
            assert status == 0, (arguments, errors.getvalue())

        return call

    return make


def _pairs(data: Data) -> tuple[Any, Any]:
    """Decisions among as many categories as there are pairs of items."""
    truth = np.arange(data.n) // 2
    return truth, truth[::-1]


def _lists(data: Data) -> Any:
    evaluation = lingpipe.ScoredPrecisionRecallEvaluation()
    for truth, score in zip(data.truth.tolist(), data.score.tolist(), strict=True):
        evaluation.add_case(truth, score)
    return evaluation


def _subtopics(data: Data) -> list[tuple[str, str, str, int]]:
    return [
        (topic, "1", item, grade)
        for topic in data.judged
        for item, grade in data.judged[topic].items()
    ]


def _listed_run(data: Data) -> dict[str, list[str]]:
    return {topic: list(scores) for topic, scores in data.ranked.items()}


def _three_runs(d: Data) -> Any:
    """Averages of three runs."""
    runs = {"a": d.ranked, "b": d.ranked_too, "c": d.ranked}
    return pc.evaluate(d.judged, runs, ["AP", "P@10"])


def _values_of_two(data: Data) -> Any:
    """AP of each topic in two runs."""
    return (of.values() for of in data.report(["AP"]).values_by_run("AP").values())


def _short_lists(data: Data) -> Any:
    """A report of two runs with ten items in each of `n` topics."""
    topics = {f"q{topic}": [f"d{item}" for item in range(10)] for topic in range(data.n)}
    judged = {topic: dict.fromkeys(items[:3], 1) for topic, items in topics.items()}
    runs = {
        name: {
            topic: dict(zip(items, data.rng.random(10).tolist(), strict=True))
            for topic, items in topics.items()
        }
        for name in ("a", "b")
    }
    return pc.evaluate(judged, runs, ["AP", "P@5"])


def _in_pandas(data: Data, kind: Any) -> Any:
    """The run in pandas, whose ids are texts of Arrow or objects of Python."""
    import pandas

    columns = {"topic": kind, "item": kind, "score": float}
    rows = ((t, d, s) for t, part in data.ranked.items() for d, s in part.items())
    return pandas.DataFrame(rows, columns=list(columns)).astype(columns)


def _joined(frame: Any) -> list[str]:
    """All texts of both columns of ids, one after another."""
    return ["".join(frame[name].to_numpy().tolist()) for name in ("topic", "item")]


def _signed(data: Data, columns: int) -> Any:
    """100,000 random signs of all topics, and sums of columns by them."""
    values = np.random.default_rng(1).random((len(data.judged), columns + 1))
    values[:, columns] = 1  # as in a comparison, which counts the topics, too

    def work(subsets: Any) -> Any:
        return signflip.sums_of(values, subsets) if columns else subsets

    return signflip.draw_subsets(work, len(values), 100_000, 0)


def _added(data: Data, bins: int | None = None) -> Any:
    cases = pc.ScoredCases(bins)
    cases.add(*data.cases)
    return cases


def _risks(data: Data) -> Any:
    return 1 / (1 + np.exp(-np.asarray(data.cases[1], np.float64)))


def _collected(data: Data) -> Any:
    many = pc.ScoredCategories([f"c{place}" for place in range(CATEGORIES)])
    many.add(data.names[0], data.table)
    return many


def _detected(data: Data) -> Any:
    image = np.arange(len(data.truth)) // 5
    return pc.detections(data.score, data.truth, image=image, missed=0)


def _null(data: Data, relevant: int = 10) -> Any:
    return pc.null.average_precision(data.n, min(relevant, data.n // 2))


def _saved(data: Data) -> str:
    _added(data).to_parquet(data.folder / "cases.parquet")
    return str(data.folder / "cases.parquet")


def _fields(
    owner: str,
    methods: dict[str, Callable[[Any], Any]],
    of: Callable[[Data], Any],
    sizes: tuple[int, ...],
) -> Any:
    """Calls of methods of one object, which is made anew each time."""

    def make(call: Callable[[Any], Any]) -> Callable[[Data], Callable[[], Any]]:
        return lambda data: partial(call, of(data))

    shapes = owner in ("Curve", "Status")
    return {f"{owner}.{name}": Call(make(call), sizes, shapes) for name, call in methods.items()}


CASES = {
    "average_precision": lambda d: partial(pc.average_precision, *d.cases),
    "average_precision, weights": lambda d: partial(
        pc.average_precision, *d.cases, weights=d.weights
    ),
    "average_precision, groups": lambda d: partial(pc.average_precision, *d.cases, groups=d.groups),
    "area_under_roc": lambda d: partial(pc.area_under_roc, *d.cases),
    "area_under_roc, weights": lambda d: partial(pc.area_under_roc, *d.cases, weights=d.weights),
    "curve": lambda d: partial(pc.curve, *d.cases),
    "curve, weights": lambda d: partial(pc.curve, *d.cases, weights=d.weights),
    "curve, lists": lambda d: partial(pc.curve, d.truth.astype(int).tolist(), d.score.tolist()),
    "f_versus_break_even": lambda d: partial(pc.f_versus_break_even, 0.5, 0.25),
    "ScoredCases.add": lambda d: partial(_added, d),
    "ScoredCases.add, bins": lambda d: partial(_added, d, 1000),
    "ScoredCases.curve": lambda d: _added(d).curve,
    "ScoredCases.average_precision": lambda d: _added(d).average_precision,
    "ScoredCases.area_under_roc": lambda d: _added(d).area_under_roc,
    "ScoredCases.merge": lambda d: partial(_added(d).merge, _added(d)),
    "ScoredCases.to_parquet": lambda d: partial(_added(d).to_parquet, d.folder / "c.parquet"),
    "ScoredCases.from_table": lambda d: partial(pc.ScoredCases.from_table, _saved(d)),
    "interval.average_precision": lambda d: partial(pc.interval.average_precision, *d.cases),
    "interval.average_precision, groups": lambda d: partial(
        pc.interval.average_precision, *d.cases, groups=d.groups
    ),
    "interval.area_under_roc": lambda d: partial(pc.interval.area_under_roc, *d.cases),
    "interval.partial_area_under_roc": lambda d: partial(
        pc.interval.partial_area_under_roc, *d.cases, 0.1
    ),
    "compare.cases, AUC": lambda d: partial(pc.compare.cases, *d.cases, d.other, "AUC"),
    "compat.sklearn.average_precision_score": lambda d: partial(
        sklearn.average_precision_score, *d.cases
    ),
    "compat.sklearn.roc_auc_score": lambda d: partial(sklearn.roc_auc_score, *d.cases),
    "compat.sklearn.roc_curve": lambda d: partial(sklearn.roc_curve, *d.cases),
    "compat.sklearn.precision_recall_curve": lambda d: partial(
        sklearn.precision_recall_curve, *d.cases
    ),
}
RESAMPLED = {
    "interval": lambda d: partial(pc.interval, d.curve()),
    "interval.average_precision, bootstrap": lambda d: partial(
        pc.interval.average_precision, *d.cases, method="bca"
    ),
    "interval.average_precision, bootstrap of groups": lambda d: partial(
        pc.interval.average_precision, *d.cases, groups=d.groups, method="percentile"
    ),
    "interval.max_f": lambda d: partial(pc.interval.max_f, *d.cases),
    "interval.precision_at_threshold": lambda d: partial(
        pc.interval.precision_at_threshold, *d.cases, recall=0.5
    ),
    "interval.pr_band": lambda d: partial(pc.interval.pr_band, *d.cases),
    "interval.roc_band": lambda d: partial(pc.interval.roc_band, *d.cases),
    "Curve.net_benefit": lambda d: pc.curve(d.cases[0], _risks(d)).net_benefit,
    "interval.net_benefit": lambda d: partial(pc.interval.net_benefit, d.cases[0], _risks(d), 0.2),
    "interval.net_benefit_band": lambda d: partial(
        pc.interval.net_benefit_band, d.cases[0], _risks(d)
    ),
    "compare.cases": lambda d: partial(pc.compare.cases, *d.cases, d.other),
    # The same items without draws: its sister.
    "compare.cases, influence": lambda d: partial(
        pc.compare.cases, *d.cases, d.other, test="influence"
    ),
    "compare.cases, AUC in groups": lambda d: partial(
        pc.compare.cases, *d.cases, d.other, "AUC", groups=d.groups
    ),
    "compare.unpaired": lambda d: partial(pc.compare.unpaired, d.curve(), d.curve()),
    "compare.unpaired, AP": lambda d: partial(pc.compare.unpaired, d.curve(), d.curve(), "AP"),
    "compare.equivalence, AUC": lambda d: partial(pc.compare.equivalence, *d.cases, d.other, 0.05),
    "Status.cross_validate": lambda d: partial(
        pc.categorize(np.asarray(d.truth)[:, None].astype(int), d.score[:, None]).cross_validate,
        "scut",
    ),
    "Curve.cross_validate": lambda d: d.curve().cross_validate,
    "compare.curves": lambda d: partial(pc.compare.curves, d.curve(), pc.curve(d.truth, d.other)),
    "compare.cases, P@10": lambda d: partial(pc.compare.cases, *d.cases, d.other, "P@10"),
    "report.cases": lambda d: partial(
        pc.report.cases, d.truth, {"a": d.score}, d.folder / "p.html"
    ),
    "report": lambda d: partial(pc.report, d.curve(), d.folder / "p.html"),
    "compat.lingpipe.ScoredPrecisionRecallEvaluation.add_case": lambda d: partial(_lists, d),
    "compat.lingpipe.ScoredPrecisionRecallEvaluation.pr_curve": lambda d: partial(
        _lists(d).pr_curve, True
    ),
}
DECIDED = {
    "decisions": lambda d: partial(pc.decisions, *d.names),
    "decisions.spans": lambda d: partial(
        pc.decisions.spans,
        [[("X", place, place + 1)] for place in range(len(d.truth))],
        [[("X", place, place + 1 + place % 2)] for place in range(len(d.truth))],
    ),
    "detections": lambda d: partial(
        pc.detections, d.score, d.truth, np.arange(len(d.truth)) % 5, missed=0
    ),
    "compare.detections": lambda d: partial(pc.compare.detections, _detected(d), _detected(d)),
    "ranking.of": lambda d: partial(pc.ranking.of, np.asarray(d.truth).astype(int).tolist(), "AP"),
    "decisions, two categories": lambda d: partial(pc.decisions, d.truth, d.score > 0),
    "decisions, many categories": lambda d: partial(pc.decisions, *_pairs(d)),
    "compare.decisions, many categories": lambda d: partial(
        pc.compare.decisions, *_pairs(d), _pairs(d)[0] // 2, average="macro", resamples=100
    ),
    # Decisions of the same items are the sister of all three.
    "Decisions.confusion, many categories": lambda d: pc.decisions(*_pairs(d)).confusion,
    "Confusion.errors, many categories": lambda d: pc.decisions(*_pairs(d)).confusion().errors,
    "Confusion, printed, many categories": lambda d: partial(
        str, pc.decisions(*_pairs(d)).confusion()
    ),
    # Its sister is the interval of the decisions themselves.
    "interval.macro_f, many categories": lambda d: partial(
        pc.interval.macro_f, pc.decisions(*_pairs(d)).confusion()
    ),
    "interval.macro_f, decisions of many categories": lambda d: partial(
        pc.interval.macro_f, pc.decisions(*_pairs(d))
    ),
    "decisions, sets": lambda d: partial(pc.decisions, d.sets, d.sets[::-1]),
    "categorize": lambda d: partial(pc.categorize, d.names[0], d.table),
    "ScoredCategories.add": lambda d: partial(_collected, d),
    "ScoredCategories.merge": lambda d: partial(_collected(d).merge, _collected(d)),
    "ScoredCategories.by_category": lambda d: partial(_collected(d).by_category, "AP"),
    "ScoredCategories.micro": lambda d: partial(_collected(d).micro, "AP"),
    "interval.micro_f": lambda d: partial(pc.interval.micro_f, d.decisions()),
    "interval.macro_f": lambda d: partial(pc.interval.macro_f, d.decisions()),
    "compare.decisions": lambda d: partial(pc.compare.decisions, d.truth, d.score > 0, d.other > 0),
    "compare.decisions, macro": lambda d: partial(
        pc.compare.decisions,
        d.names[0],
        d.names[1],
        d.names[1][::-1],
        average="macro",
        resamples=1000,
    ),
    "compat.sklearn.classification_report": lambda d: partial(
        sklearn.classification_report, *d.names
    ),
    "compat.sklearn.precision_recall_fscore_support": lambda d: partial(
        sklearn.precision_recall_fscore_support, *d.names
    ),
}
RUNS = {
    "read_run": lambda d: partial(pc.read_run, d.file("run")),
    "read_run, dicts": lambda d: partial(pc.read_run, d.ranked),
    "read_run, frame": lambda d: partial(pc.read_run, d.frame),
    # The dicts are the sister of lists, and columns of texts that of columns of objects.
    "read_run, lists": lambda d: partial(pc.read_run, _listed_run(d)),
    "read_run, pandas texts": lambda d: partial(pc.read_run, _in_pandas(d, "str")),
    "read_run, pandas objects": lambda d: partial(pc.read_run, _in_pandas(d, object)),
    # What objects cannot do without: each is looked at, here by Python itself.
    "read_run, pandas objects joined": lambda d: partial(_joined, _in_pandas(d, object)),
    "read_run, csv": lambda d: partial(pc.read_run, d.file("run.csv")),
    "read_run, jsonl": lambda d: partial(pc.read_run, d.file("run.jsonl")),
    "read_run, parquet": lambda d: partial(pc.read_run, d.file("run.parquet")),
    "read_qrels": lambda d: partial(pc.read_qrels, d.file("qrels")),
    "read_lists": lambda d: partial(
        pc.read_lists,
        [
            {"query": topic, "retrieved": items, "gold": list(d.judged.get(topic, ()))}
            for topic, items in _listed_run(d).items()
        ],
    ),
    "locate": lambda d: partial(pc.locate, pc.read_qrels(d.judged), pc.read_run(d.ranked)),
    "locate_subtopics": lambda d: partial(pc.locate_subtopics, _subtopics(d), d.ranked),
    "evaluate": lambda d: partial(pc.evaluate, d.judged, d.ranked),
    "evaluate, lists": lambda d: partial(
        pc.evaluate, {topic: list(items) for topic, items in d.judged.items()}, _listed_run(d)
    ),
    "evaluate, files": lambda d: partial(pc.evaluate, d.file("qrels"), d.file("run")),
    "evaluate, expected ties": lambda d: partial(
        pc.evaluate, d.judged, d.ranked, ["AP"], ties="expected"
    ),
    "evaluate, best points": lambda d: partial(
        pc.evaluate, d.judged, d.ranked, ["MaxF", "BEP", "AreaPR"]
    ),
    # Each other's sisters.
    "evaluate, AP alone": lambda d: partial(pc.evaluate, d.judged, d.ranked, ["AP"]),
    "evaluate, Q alone": lambda d: partial(pc.evaluate, d.judged, d.ranked, ["Q"]),
    "evaluate, recall at a precision alone": lambda d: partial(
        pc.evaluate, d.judged, d.ranked, ["RAtPrecision(precision=0.5)"]
    ),
    "compare": lambda d: partial(pc.compare, d.report()),
    "compare.rbo": lambda d: partial(pc.compare.rbo, d.ranked, d.ranked_too),
    # The signs of all measures are drawn once: sisters of one and of five measures. Values of the
    # same two runs are that of one measure.
    "compare.paired, two runs": lambda d: partial(pc.compare.paired, *map(list, _values_of_two(d))),
    "compare.seeds": lambda d: partial(
        pc.compare.seeds, _three_runs(d), {"both": ["a", "b"], "one": ["c"]}
    ),
    "compare, one measure": lambda d: partial(pc.compare, d.report(["AP"])),
    "compare, five measures": lambda d: partial(
        pc.compare, d.report(["AP", "P@10", "RR", "Rprec", "nDCG@10"])
    ),
    # What these cannot do without: the signs, and the sums of a column, and of five.
    "compare, signs alone": lambda d: partial(_signed, d, 0),
    "compare, signs and sums of one": lambda d: partial(_signed, d, 1),
    "compare, signs and sums of five": lambda d: partial(_signed, d, 5),
    "report.runs": lambda d: partial(
        pc.report.runs, d.judged, {"a": d.ranked, "b": d.ranked_too}, d.folder / "p.html", ["AP"]
    ),
    "compat.ir_measures.calc": lambda d: partial(
        ir_measures.calc, ["AP", "RR@10", "RBP(rel=1)"], d.judged, d.ranked
    ),
    "compat.ir_measures.read_trec_run": lambda d: (
        lambda: list(ir_measures.read_trec_run(d.file("run")))
    ),
    "compat.pytrec_eval.RelevanceEvaluator.evaluate": lambda d: partial(
        pytrec_eval.RelevanceEvaluator(d.judged, ["map", "ndcg_cut_10"]).evaluate, d.ranked
    ),
    "compat.pytrec_eval.parse_run": lambda d: (
        lambda: pytrec_eval.parse_run(Path(d.file("run")).read_text().splitlines())
    ),
}
TOPICS = {
    "compare.paired": lambda d: partial(pc.compare.paired, *d.values),
    "compare.paired, t": lambda d: partial(pc.compare.paired, *d.values, test="t"),
    "compare.paired, wilcoxon": lambda d: partial(pc.compare.paired, *d.values, test="wilcoxon"),
    "compare.paired, bootstrap": lambda d: partial(pc.compare.paired, *d.values, test="bootstrap"),
    "compare.many": lambda d: partial(pc.compare.many, d.matrix),
    "compare.many, tukey": lambda d: partial(pc.compare.many, d.matrix, correction="tukey"),
    "compare.equivalence": lambda d: partial(pc.compare.equivalence, *d.values, 0.1),
    "compare.bayes.sign": lambda d: partial(pc.compare.bayes.sign, *d.values),
    "interval.mean": lambda d: partial(pc.interval.mean, d.values[0]),
    "interval.mean, bca": lambda d: partial(pc.interval.mean, d.values[0], method="bca"),
    "interval.two_way": lambda d: partial(pc.interval.two_way, d.matrix),
    "compare.power.cases_for_areas_from_pilot": lambda d: partial(
        pc.compare.power.cases_for_areas_from_pilot, d.values[0] > 0.5, *d.values, difference=0.1
    ),
    "compare.power.of_areas_from_pilot": lambda d: partial(
        pc.compare.power.of_areas_from_pilot, d.values[0] > 0.5, *d.values, 50
    ),
    "compare.power.of_randomization": lambda d: partial(
        pc.compare.power.of_randomization, d.values[0] - d.values[1], 0.02, simulations=100
    ),
}
COUNTED = {
    **{
        f"interval.{name}": partial(
            lambda name, d: partial(getattr(pc.interval, name), d.n, d.n // 3, d.n // 4), name
        )
        for name in ("precision", "f", "e")
    },
    "interval.recall": lambda d: partial(pc.interval.recall, d.n, d.n // 3),
    "interval.proportion": lambda d: partial(pc.interval.proportion, d.n // 3, d.n),
    "interval.accuracy": lambda d: partial(pc.interval.accuracy, d.n, d.n // 3, d.n // 4, d.n),
    "compare.bayes.counts": lambda d: partial(
        pc.compare.bayes.counts, d.n, d.n // 3, d.n // 4, d.n
    ),
    "compare.bayes.wins": lambda d: partial(
        pc.compare.bayes.wins, d.n, d.n // 3, d.n // 4, rope=0.02
    ),
    "compare.bayes.f": lambda d: partial(
        lambda f: f.greater(f), pc.compare.bayes.f(d.n, d.n // 3, d.n // 4, beta=2)
    ),
    "compare.plan": lambda d: partial(pc.compare.plan, topics=d.n, deviation=0.1),
    "compare.power.of_screen": lambda d: partial(
        pc.compare.power.of_screen, d.n, d.n // 10, separation=0.5
    ),
    "compare.power.of_margin": lambda d: partial(pc.compare.power.of_margin, d.n, 0.05, 0.05, 0.05),
    "measure": lambda d: partial(pc.measure, f"P@{d.n}"),
    "about": lambda d: pc.about,
    **{
        f"null.{name}": partial(
            lambda name, d: partial(getattr(pc.null, name)(d.n, 10, d.n // 3).sf, 0.5), name
        )
        for name in ("hits", "precision", "recall")
    },
    "null.r_precision": lambda d: partial(lambda: pc.null.r_precision(d.n, d.n // 10).sf(0.2)),
    "null.reciprocal_rank": lambda d: partial(lambda: pc.null.reciprocal_rank(d.n, 5).mean),
    "null.location": lambda d: partial(lambda: pc.null.location(d.n, 5, 2).ppf(0.5)),
    "null.locations": lambda d: partial(lambda: pc.null.locations(d.n, 5, 2, 3).covariance),
    "null.area_under_roc": lambda d: partial(lambda: pc.null.area_under_roc(d.n, 5).sf(0.8)),
    "null.average_precision": lambda d: partial(_null, d),
    "null.describe": lambda d: partial(pc.null.describe, d.n, 5),
    "null.break_even": lambda d: partial(lambda: pc.null.break_even(d.n, 5).sf(0.4)),
    "null.mean_average_precision": lambda d: partial(
        lambda: pc.null.mean_average_precision(d.n, [5, 7]).mean
    ),
    "null.enrichment": lambda d: partial(lambda: pc.null.enrichment(d.n, 5, 0.1).sf(2.0)),
    "null.eleven_point": lambda d: partial(
        lambda: pc.null.eleven_point(d.n, 5, orders=999).sf(0.4)
    ),
    "null.bedroc": lambda d: partial(lambda: pc.null.bedroc(d.n, 5, orders=999).sf(0.4)),
    "null.recall_at_precision": lambda d: partial(
        lambda: pc.null.recall_at_precision(d.n, 5, 0.5).sf(0.4)
    ),
    "null.max_f": lambda d: partial(lambda: pc.null.max_f(d.n, 5).sf(0.4)),
    "null.sequential": lambda d: partial(pc.null.sequential, d.n, 10, d.n // 10),
    "null.SequentialTest.read": lambda d: partial(
        pc.null.sequential(d.n, 10, d.n // 2).read, [1, 5]
    ),
    "null.ndcg": lambda d: partial(lambda: pc.null.ndcg(d.n, [1, 1, 2]).mean),
}


def _null_rows() -> dict[str, Call]:
    ask: dict[str, Callable[[Any], Any]] = {
        "cdf": lambda null: null.cdf(0.1),
        "sf": lambda null: null.sf(0.5),
        "tail": lambda null: null.tail(0.3),
        "ppf": lambda null: null.ppf(0.95),
        "interval": lambda null: null.interval(),
        "rvs": lambda null: null.rvs(100),
        "zhang_su": lambda null: null.zhang_su(),
        "critical": lambda null: null.critical(),
        "asymptotic": lambda null: null.asymptotic().sf(0.3),
        "limit": lambda null: null.limit().sf(0.3),
    }
    return {
        **_fields("null.AveragePrecision", ask, _null, SOME),
        **_fields(
            "null.AveragePrecision",
            {"pmf": lambda null: null.pmf()},
            lambda d: _null(d, 3),
            (10, 20, 40),
        ),
        **_fields(
            "null.AveragePrecision",
            {"sf, a tenth relevant": lambda null: null.sf(0.3)},
            lambda d: _null(d, d.n // 10),
            (100, 1_000, 10_000),
        ),
        "null.precision, pmf": Call(
            lambda d: pc.null.precision(d.n, d.n // 10, d.n // 10).pmf, (100, 1_000, 10_000)
        ),
        "null.test": Call(
            lambda d: partial(pc.null.test, d.located().hits()), (1_000, 5_000, 25_000)
        ),
    }


OF_CURVE: dict[str, Callable[[Any], Any]] = {
    "at": lambda c: c.at(recall=0.5),
    "areas": lambda c: c.areas(),
    "break_even": lambda c: c.break_even(),
    "area_under_pr": lambda c: c.area_under_pr("trapezoid"),
    "area_under_roc": lambda c: c.area_under_roc(),
    "average_precision": lambda c: c.average_precision("expected"),
    "eleven_point": lambda c: c.eleven_point(),
    "gain": lambda c: c.gain(),
    "hits": lambda c: c.hits(),
    "max_f": lambda c: c.max_f(),
    "pr": lambda c: c.pr(True),
    "points": lambda c: c.points().table,
    "precision_at": lambda c: c.precision_at(10, "expected"),
    "r_precision": lambda c: c.r_precision("expected"),
    "cost": lambda c: c.cost(),
    "det": lambda c: c.det(),
    "recall_at": lambda c: c.recall_at(10, "expected"),
    "reciprocal_rank": lambda c: c.reciprocal_rank("expected"),
    "cumulative_gain": lambda c: c.cumulative_gain(),
    "lift": lambda c: c.lift(),
    "at, fpr": lambda c: c.at(fpr=0.1),
    "roc": lambda c: c.roc(True),
    "simplify": lambda c: c.simplify(),
    "value": lambda c: c.value("P@10", "best"),
    "values": lambda c: c.values("MCC"),
    "wide": lambda c: c.wide(),
}
OF_DECIDED: dict[str, Callable[[Any], Any]] = {
    "f": lambda d: d.f(average="macro"),
    "report": lambda d: d.report(),
    "value": lambda d: d.value("MCC"),
    "counts": lambda d: d.counts(),
    "right": lambda d: d.right(),
    "accuracy": lambda d: d.accuracy("samples"),
    "baselines": lambda d: d.baselines(),
    "confusion": lambda d: d.confusion(),
}
OF_STATUS: dict[str, Callable[[Any], Any]] = {
    "by_category": lambda s: s.by_category("AP"),
    "micro": lambda s: s.micro("AP"),
    "pooled": lambda s: s.pooled(),
    "curves": lambda s: s.curves(),
    "decide": lambda s: s.decide(s.thresholds("rcut:1")),
    "thresholds": lambda s: s.thresholds("max-f"),
    "thresholds, tuned": lambda s: s.thresholds("pcut", tune="macro-F1"),
    "hand_till": lambda s: s.hand_till(),
    "eleven_point": lambda s: s.eleven_point(),
    "by_item": lambda s: s.by_item("AP"),
}
OF_LOCATED: dict[str, Callable[[Any], Any]] = {
    "condensed": lambda x: x.condensed(),
    "hits": lambda x: x.hits(),
    "ideal": lambda x: x.ideal(),
    "pairs": lambda x: x.pairs(x),
    "resolve": lambda x: x.resolve("best"),
    "tied": lambda x: x.tied(),
    "truncated": lambda x: x.truncated(10),
    "total": lambda x: x.total(1),
    "select": lambda x: x.select([1, 0]),
}
OF_HITS: dict[str, Callable[[Any], Any]] = {
    "within": lambda h: h.within(10),
    "precision_sum": lambda h: h.precision_sum(),
    "any_within": lambda h: h.any_within(10),
    "k_at_recall": lambda h: h.k_at_recall(0.5),
    "precision_at_recall": lambda h: h.precision_at_recall(0.5),
    "reciprocal_first": lambda h: h.reciprocal_first(),
}
OF_FORMS: dict[str, Callable[[Any], Any]] = {
    name: partial(lambda name, r: getattr(r, name)(), name)
    for name in (
        "sheet",
        # `print(result)` is the table.
        *(f"to_{form}" for form in form_names() if form != "table"),
        "to_dict",
        "to_pandas",
        "to_polars",
        "to_arrow",
    )
}


def _methods() -> dict[str, Call]:
    return {
        **_fields("Curve", OF_CURVE, Data.curve, (1_000, 10_000, 100_000)),
        **_fields("Decisions", OF_DECIDED, Data.decisions, SOME),
        **_fields("Status", OF_STATUS, Data.status, FEW),
        **_fields("Located", OF_LOCATED, Data.located, SOME),
        **_fields("Hits", OF_HITS, lambda d: d.located().hits(), SOME),
        **_fields("every result", OF_FORMS, Data.curve, FEW),
        "Report.notes": Call(lambda d: d.report().notes, SOME),
        "Report.values_by_run": Call(
            lambda d: partial(d.report().values_by_run, d.report().measures[0]), SOME
        ),
        "report.categories": Call(
            lambda d: partial(pc.report.categories, d.status(), d.folder / "p.html"), TINY
        ),
    }


_CASES = ("cases.csv:", "--label", "y", "--score", "s")
COMMANDS = {
    "precall about": Call(_command("about"), (1, 10)),
    "precall explain": Call(_command("explain", "nDCG"), (1, 10)),
    "precall explain --on": Call(_command("explain", "AP", "--on", *_CASES), SOME),
    "precall explain --on, a run": Call(
        _command("explain", "nDCG", "--on", "run:", "--qrels", "qrels:", "--topic", "q0"), SOME
    ),
    "precall measures": Call(_command("measures"), (1, 10)),
    "precall eval": Call(_command("eval", "qrels:", "run:"), SOME),
    "precall eval -q --format json": Call(
        _command("eval", "-q", "--format", "json", "qrels:", "run:"), SOME
    ),
    "precall trec_eval -q": Call(_command("trec_eval", "-q", "qrels:", "run:"), SOME),
    "precall compare": Call(
        _command("compare", "qrels:", "run:", "other:", "-m", "AP"), (300, 1_000, 10_000)
    ),
    # Its sister is `curve`: the rest is reading and the areas of the table.
    "precall curve": Call(_command("curve", *_CASES), MANY),
    # Its sister is `average_precision, groups`.
    "precall curve --group": Call(
        _command("curve", "grouped.csv:", "--label", "y", "--score", "s", "--group", "g"), MANY
    ),
    "precall curve --interval": Call(_command("curve", *_CASES, "--interval"), FEW),
    "precall curve --groups --interval": Call(
        _command("curve", "grouped.csv:", *_CASES[1:], "--groups", "g", "--interval"), FEW
    ),
    "precall decisions": Call(
        _command("decisions", "items.csv:", "--truth", "truth", "--predicted", "decided"), FEW
    ),
    "precall detections": Call(
        _command("detections", *_CASES[:1], "--matched", "y", "--score", "s", "--missed", "0"), FEW
    ),
    "precall categories": Call(
        _command("categories", "items.csv:", "--truth", "truth", "--scores", "c*"), FEW
    ),
    "precall null": Call(
        lambda d: _command("null", "--items", str(d.n), "--relevant", "5")(d), FEW
    ),
    "precall judge": Call(_command("judge", "qrels:", "qrels:", "run:", "-m", "AP"), TEN_TOPICS),
    "precall judge --cases": Call(
        _command(
            "judge", "--cases", "cases.csv:", *("--people", "y", "--judge", "y", "--decision", "y")
        ),
        SOME,
    ),
    "precall judge --cases --score": Call(
        _command("judge", "--cases", *_CASES[:1], "--people", "y", "--judge", "y", *_CASES[3:]),
        SOME,
    ),
    "precall overlap": Call(_command("overlap", "run:", "other:"), SOME),
    "precall posterior": Call(_command("posterior", "80", "20", "30"), (1, 10)),
    "precall power": Call(_command("power", "--topics", "50", "--deviation", "0.1"), (1, 10)),
    "precall ranking": Call(_command("ranking", "relevant.txt:", "ranked.txt:"), SOME),
    "precall report": Call(
        _command("report", "qrels:", "run:", "other:", "-m", "AP", "-o", "PAGE"),
        (300, 1_000, 3_000),
    ),
    "precall report --cases": Call(
        _command("report", "--cases", *_CASES, "--score", "t", "-o", "PAGE"), (100, 300, 1_000)
    ),
}

CALLS: dict[str, Call] = {
    **{name: Call(make, MANY, True) for name, make in CASES.items()},
    **{name: Call(make, (100, 1_000, 10_000), True) for name, make in RESAMPLED.items()},
    **{name: Call(make, SOME, False) for name, make in DECIDED.items()},
    **{
        name: Call(make, SOME, name.startswith(("evaluate", "locate")))
        for name, make in RUNS.items()
    },
    **{name: Call(make, TINY, True) for name, make in TOPICS.items()},
    "compare.orders": Call(
        lambda d: partial(pc.compare.orders, list(range(d.n)), list(range(d.n))[::-1]),
        (1_000, 10_000, 100_000),
    ),
    "compare.bayes.signed_rank": Call(
        lambda d: partial(pc.compare.bayes.signed_rank, *d.values), (10, 50, 250)
    ),
    **{name: Call(make, FEW, False) for name, make in COUNTED.items()},
    "ranking": Call(
        lambda d: partial(pc.ranking, d.file("relevant.txt"), d.file("ranked.txt")), SOME
    ),
    # Each other's sisters.
    "compare, two measures of many topics": Call(
        lambda d: partial(pc.compare, _short_lists(d)), MANY_TOPICS
    ),
    "compare.paired, many topics": Call(
        lambda d: partial(
            pc.compare.paired,
            *(list(of.values()) for of in _short_lists(d).values_by_run("AP").values()),
        ),
        MANY_TOPICS,
    ),
    "judge": Call(
        lambda d: partial(pc.judge, *[d.file("qrels")] * 2, d.file("run"), "AP"), TEN_TOPICS
    ),
    "judge.compare": Call(
        lambda d: partial(
            pc.judge.compare, *[d.file("qrels")] * 2, [d.file("run"), d.file("other")], "AP"
        ),
        TEN_TOPICS,
    ),
    "judge.values": Call(lambda d: partial(pc.judge.values, d.score, d.other), SOME),
    "judge.items": Call(
        lambda d: partial(pc.judge.items, *[d.file("qrels")] * 2, d.file("run"), "P@10"), SOME
    ),
    "judge.plan": Call(
        lambda d: partial(pc.judge.plan, deviation=0.3, correlation=0.7, units=d.n, difference=0.5),
        MANY,
    ),
    "judge.sample": Call(
        lambda d: partial(
            pc.judge.sample, d.file("qrels"), [d.file("run"), d.file("other")], "P@10", n=10
        ),
        TEN_TOPICS,
    ),
    "judge.decisions": Call(
        lambda d: partial(pc.judge.decisions, d.truth, d.truth, d.score > 0), SOME
    ),
    "judge.cases": Call(lambda d: partial(pc.judge.cases, d.truth, d.truth, d.score), SOME),
    "judge.compare.cases": Call(
        lambda d: partial(pc.judge.compare.cases, d.truth, d.truth, d.score, d.other), SOME
    ),
    "Report.judge_next": Call(
        lambda d: partial(
            pc.evaluate(d.file("qrels"), d.file("run"), "P@10", unjudged="bounds").judge_next,
            "P@10",
        ),
        SOME,
    ),
    "extremes.cases": Call(lambda d: partial(pc.extremes.cases, d.truth, d.score), MANY),
    "extremes.decisions": Call(
        lambda d: partial(pc.extremes.decisions, d.truth, d.score > 0, ["P", "R"]), MANY
    ),
    "judge.agreement": Call(lambda d: partial(pc.judge.agreement, d.truth, d.score > 0), SOME),
    **_null_rows(),
    **_methods(),
    **COMMANDS,
}
