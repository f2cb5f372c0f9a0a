"""evaluate(): from input to report, the only place where reading, locating and measuring meet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.errors import DataError, Problem, UsageError
from precall.location import TIES, Located, locate
from precall.measures import AGGREGATES, Measure, measure
from precall.native import kernel_name
from precall.results import Counts, Report, RunValues
from precall.version import __version__

if TYPE_CHECKING:
    from precall.location.match import Rng
    from precall.ragged import Bool, Float64
    from precall.read.columns import Qrels, Run

TOPICS = ("both", "qrels", "run")
UNDEFINED = ("zero", "omit", "error")
DEFAULT = ("AP", "P@10", "RR", "Rprec", "nDCG@10")
#: Floor of the geometric mean, trec_eval's: one topic of 0 would otherwise decide all.
FLOOR = 1e-5


def evaluate(
    qrels: Any, run: Any, measures: str | Measure | Iterable[str | Measure] = DEFAULT, *,
    ties: str = "docno", topics: str = "both", undefined: str = "zero", grade: int = 1, judged_only: bool = False,
    depth: int | None = None, aggregate: str | None = None, duplicates: str = "error", score_dtype: str = "float64",
    rng: Rng = None, threads: int | None = None, progress: Callable[[int, int, str], None] | None = None,
) -> Report:  # fmt: skip
    """Measure one run or several against judgements.

    Parameters
    ----------
    qrels : judgements: a path, {topic: {item: grade}}, a data frame, rows, or what `read_qrels` returned.
    run : scores, likewise; or several runs as {name: run, ...} or a list of paths.
    measures : names (see `precall measures`) or `Measure` objects.
    ties : order of items of equal score; see `locate`.
    topics : which are averaged: "both" (in the run and the qrels), "qrels" (a topic that the run lacks
        counts as an empty ranking: trec_eval -c) or "run".
    undefined : what averages do about undefined values: count them as "zero", "omit" them, or "error".
    grade : least grade that counts as relevant, for measures that do not say so themselves.
    judged_only : take unjudged items out of the rankings first (trec_eval -J).
    depth : cut rankings after this many items (trec_eval -M).
    aggregate : "mean", "geometric" or "sum" for all measures (default: what each declares).
    duplicates, score_dtype : see `read_run`.
    rng : seed or Generator for ties="random".
    threads : at most this many.
    progress : called with (runs done, runs, name) before each run.

    Returns
    -------
    Report
        `report.mean["AP"]`, `report.per_topic`, `print(report)`.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
    >>> run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}
    >>> evaluate(qrels, run, ["AP", "RR"]).mean["AP"]
    0.75
    """
    from precall.read import read_qrels

    for name, value, allowed in (
        ("ties", ties, TIES),
        ("topics", topics, TOPICS),
        ("undefined", undefined, UNDEFINED),
    ):
        _check(name, value, allowed)
    if aggregate is not None:
        _check("aggregate", aggregate, AGGREGATES)
    for name, number in (("grade", grade), ("depth", depth)):
        if number is not None and (isinstance(number, bool) or number != int(number) or number < 1):
            raise UsageError(f"{name}: must be an integer >= 1, got {number}")
    chosen, asked = _measures(measures, grade)
    judged = read_qrels(qrels, duplicates=duplicates, threads=threads)
    # A generator is shared by the runs; a seed gives each of them the same draws.
    runs = _named(run)
    parts = []
    for done, (name, source) in enumerate(runs.items()):
        if progress is not None:
            progress(done, len(runs), name)
        scored = _read(source, name, duplicates, score_dtype, threads)
        located = locate(judged, scored, ties=ties, rng=rng, threads=threads)
        averaged = {
            "both": located.in_qrels & located.in_run,
            "qrels": located.in_qrels,
            "run": located.in_run,
        }[topics]
        counts = _counts(located, scored, averaged, grade)
        if depth is not None:
            located = located.truncated(depth)
        if judged_only:
            located = located.condensed()
        parts.append(_values(located, scored, chosen, averaged, counts, undefined, aggregate))
    order = ties if ties != "random" else f"random (seed {_entropy(rng)})"
    conventions = _conventions(judged, order, topics, undefined, grade, judged_only, depth, score_dtype)
    return Report(
        runs=tuple(parts), measures=tuple(m.name for m in chosen),
        aggregates=tuple(aggregate or m.aggregate for m in chosen), conventions=conventions, asked=asked,
        best=tuple(m.declaration.direction for m in chosen),
    )  # fmt: skip


def _entropy(rng: Rng) -> object:
    """What the random numbers come from, to be printed with the result."""
    source = np.random.default_rng(rng).bit_generator.seed_seq
    return getattr(source, "entropy", "unknown")


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name}: got {value!r}, allowed are {', '.join(allowed)}")


def _measures(
    given: str | Measure | Iterable[str | Measure], grade: int
) -> tuple[list[Measure], dict[str, str]]:
    chosen: dict[str, Measure] = {}
    asked: dict[str, str] = {}
    for one in [given] if isinstance(given, str | Measure) else given:
        found = (measure(one) if isinstance(one, str) else one).at_grade(grade)
        chosen.setdefault(found.name, found)
        asked[str(one)] = found.name
    if not chosen:
        raise UsageError("measures: none given; name at least one, such as 'AP'")
    return list(chosen.values()), asked


def _named(run: Any) -> dict[str, Any]:
    """Runs by name: one, a mapping of several, or a list of paths."""
    if isinstance(run, Mapping) and not _is_run(run):
        return {str(name): source for name, source in run.items()}
    several = isinstance(run, list | tuple) and bool(run) and not isinstance(run[0], list | tuple)
    sources = list(run) if several else [run]
    names = [_stem(source) for source in sources]
    if len(set(names)) < len(names):
        names = [
            os.fspath(s) if isinstance(s, str | os.PathLike) else n
            for s, n in zip(sources, names, strict=True)
        ]
    if len(set(names)) < len(names):
        raise UsageError(
            f"two runs have one name: {', '.join(names)}; pass {{name: run, ...}} with different names"
        )
    return dict(zip(names, sources, strict=True))


def _is_run(run: Mapping[Any, Any]) -> bool:
    # {topic: {item: score}} is one run; {name: run} is several.
    for inner in run.values():
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            return not isinstance(value, Mapping)
    return True


def _stem(source: Any) -> str:
    from precall.read import stem

    name = getattr(source, "name", None)
    return stem(source) if isinstance(source, str | os.PathLike) else name if isinstance(name, str) else "run"


def _read(source: Any, name: str, duplicates: str, score_dtype: str, threads: int | None) -> Run:
    from precall.read import read_run

    return read_run(source, name=name, duplicates=duplicates, score_dtype=score_dtype, threads=threads)


def _values(
    located: Located, run: Run, chosen: list[Measure], averaged: Bool, counts: Counts, undefined: str,
    aggregate: str | None,
) -> RunValues:  # fmt: skip
    values = np.stack([one(located)[averaged] for one in chosen])
    ids = located.topics.take(np.flatnonzero(averaged)).tolist()
    if undefined == "error":
        _refuse_undefined(values, chosen, ids, run)
    mean = [
        averages(line, aggregate or one.aggregate, undefined)
        for line, one in zip(values, chosen, strict=True)
    ]
    return RunValues(
        name=run.name, topics=ids, values=values, mean=np.array(mean),
        undefined=tuple(np.isnan(values).sum(axis=1).tolist()), counts=counts,
    )  # fmt: skip


def averages(values: Float64, aggregate: str, undefined: str) -> float:
    """One number for many topics; NaN when there is none.

    The mean is the correctly rounded sum divided by the number of topics, so that it does not
    depend on their order. The geometric mean takes values below 1e-5 as 1e-5.
    """
    import math

    kept = (
        values[~np.isnan(values)]
        if undefined == "omit"
        else np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf)
    )
    if aggregate == "sum":
        return math.fsum(kept)
    if not len(kept):
        return math.nan
    if aggregate == "geometric":
        return math.exp(math.fsum(np.log(np.maximum(kept, FLOOR))) / len(kept))
    return math.fsum(kept) / len(kept)


def _refuse_undefined(values: Float64, chosen: list[Measure], ids: list[str], run: Run) -> None:
    problems = [
        Problem(
            run.source, None,
            f"{chosen[line].name} is undefined for topic {ids[column]!r} ({chosen[line].declaration.undefined})",
            "remove the topic, or pass undefined='zero' or 'omit'",
        )
        for line, column in np.argwhere(np.isnan(values)).tolist()
    ]  # fmt: skip
    if problems:
        raise DataError(problems[:20], len(problems))


def _counts(located: Located, run: Run, averaged: Bool, grade: int) -> Counts:
    within = located if averaged.all() else located.select(np.flatnonzero(averaged))
    return Counts(
        topics=int(averaged.sum()),
        missing=int((located.in_qrels & ~located.in_run).sum()),
        unjudged=int((located.in_run & ~located.in_qrels).sum()),
        without_relevant=int((within.total(grade) == 0).sum()),
        tied=within.tied(grade),
        dropped=run.dropped,
    )


def _conventions(
    qrels: Qrels,
    ties: str,
    topics: str,
    undefined: str,
    grade: int,
    judged_only: bool,
    depth: int | None,
    score: str,
) -> dict[str, str]:
    said = {"ties": ties, "topics": topics, "undefined": undefined, "grade": f">={grade}", "scores": score}
    if judged_only:
        said["items"] = "judged only"
    if depth is not None:
        said["depth"] = str(depth)
    return {"precall": __version__, "qrels": qrels.source, **said, "kernel": kernel_name()}
