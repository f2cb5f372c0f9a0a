"""One ranking of ids and the relevant ids: its measures and its table of operating points."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases import Curve, curve
from precall.cases.operating_points import Listed, OperatingPoints, points_of
from precall.core.arguments import check_level, check_whole
from precall.core.conventions import describe_conventions, describe_intervals
from precall.core.counts import Counts, PopulationUnknown
from precall.core.errors import Among, Fact, MeasureError, UsageError, read_again
from precall.core.notes import Note, collect_notes, iterate_notes, run_and_collect
from precall.core.notes.of_curves import NoneRanked, PopulationNotKnown
from precall.core.notes.of_intervals import OfSeveralRankings
from precall.core.notes.of_reading import IdsUnlike
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.core.text import as_text, many
from precall.evaluation.api import evaluate
from precall.measures import Measure, of_counts
from precall.measures.lookup import ByMeasure
from precall.measures.registry import find
from precall.read.id_files import checked_ids, read_ids
from precall.read.sources import is_path
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.intervals.interval import MAX_F
from precall.stats.intervals.methods import METHODS, choose_method

if TYPE_CHECKING:
    from precall.stats.intervals.interval import Interval

DEFAULT = ("AP", "Rprec", "RR", "P@5", "P@10", "11pt", "BEP", "BEP(method=max-min)", "MaxF")
#: The measures whose interval `interval` adds, by their own names.
_WITH_INTERVAL = ("AP", "MaxF")


@dataclass(frozen=True, slots=True, eq=False)
class Ranking(Equal, Presented):
    """One ranking of ids: its measures and its operating points; see `ranking`.

    Attributes
    ----------
    items : the items in ranked order.
    missed : relevant items that are not ranked.
    curve : its operating points; every rank is a threshold.
    values : value by measure, under any of its names; NaN is undefined.
    population : number of items that exist; None if unknown.
    intervals : interval by measure, under any of its names, if requested.
    asked : requested names of measures that differ from their own.
    """

    items: tuple[str, ...]
    missed: tuple[str, ...]
    curve: Curve
    values: Mapping[str, float]
    population: int | None = None
    intervals: Mapping[str, Interval] = field(default_factory=ByMeasure)
    asked: Mapping[str, str] = field(default_factory=dict)
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __getitem__(self, measure: str) -> float:
        try:
            return self.values[measure]
        except KeyError:
            raise UsageError(
                argument="measure",
                got=measure,
                allowed=Among("there are", self.values),
                remedy="name others when you ask: pc.ranking(relevant, ranked, measures)",
            ) from None

    def __repr__(self) -> str:
        return (
            f"<Ranking: {many(len(self.items), 'item')}, {self.curve.relevant} relevant, "
            f"{len(self.missed)} missed>"
        )

    def points(self, *measures: str | Measure) -> OperatingPoints:
        """The operating points as a table: rank, item, whether it is relevant, tp, fp, fn,
        precision, recall, F.

        If the population is known, also tn, specificity (`rejection_recall` in data) and accuracy;
        then the requested measures of counts.

        Examples
        --------
        >>> ranking(["a", "b"], ["x", "a"]).points()["recall"]
        array([0. , 0.5])
        """
        others = None if self.population is None else self.population - int(self.curve.relevant)
        if others is None:
            _refuse_without_population(measures)
        conventions = dict(self.conventions)
        return points_of(
            {"ranking": {"": self.curve}},
            measures,
            listed=Listed(self.items, others),
            conventions=conventions,
            notes=(
                *self.curve.notes,
                *(() if others is not None else (PopulationNotKnown(""),)),
            ),
        )


@suggest_our_names
def ranking(
    relevant: str | os.PathLike[str] | Iterable[str | int],
    ranked: str | os.PathLike[str] | Iterable[str | int],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    population: int | None = None,
    interval: bool | str = False,
    level: float = 0.95,
    rng: Rng = 0,
) -> Ranking:
    """Measure one ranking of ids against the relevant ones.

    The values are those of `evaluate` with one topic. Relevant items that are not ranked are
    missed, and count in every recall. The result also has the table of operating points.

    Parameters
    ----------
    relevant : ids of all relevant items, in any order; or the path of a file with one per line.
    ranked : ids in order, best first; or the path of such a file.
    measures : measures of rankings (see `precall measures`).
    population : number of items that exist. With it there are tn, specificity and accuracy, and
        measures of all items (AUC, EF, BEDROC) count those that are not ranked.
    interval : whether to add intervals to AP and to the greatest F on new items; or the method for
        AP: "logit" (default), "bca", "percentile" or "normal"; see `pc.interval.average_precision`.
        Other measures have no interval of one ranking, and a note names those that were asked for.
    level : nominal coverage of the intervals, in (0, 1).
    rng : seed, Generator or SeedSequence for intervals that draw random numbers; None for a fresh
        seed.

    Returns
    -------
    Ranking
        `ranking["AP"]`, `ranking.points()`, `ranking.missed`, `print(ranking)`.

    Raises
    ------
    DataError
        A list is empty, or contains an id twice.
    UsageError
        An argument is not allowed, or the population is smaller than the number of ranked or
        relevant items.

    Examples
    --------
    >>> made = ranking(["a", "b", "c"], ["x", "a", "y", "b", "c", "z"])
    >>> round(made["AP"], 4), round(made["Rprec"], 4), made["P@5"]
    (0.5333, 0.3333, 0.6)
    >>> made.points()["precision"].round(4)
    array([0.    , 0.5   , 0.3333, 0.5   , 0.6   , 0.5   ])
    """
    if _is_input(relevant) and _is_input(ranked):
        raise read_again(2)
    seed, level = seed_of(rng), check_level(level)
    if isinstance(interval, str):
        interval = choose_method("AP", interval, "interval")
    gold_items, items = _ids(relevant, "relevant"), _ids(ranked, "ranked", ordered=True)
    gold, listed = set(gold_items), set(items)
    missed = tuple(item for item in gold_items if item not in listed)
    _check_population(population, len(items) + len(missed))
    path = curve(
        np.array([item in gold for item in items]), np.arange(len(items), 0, -1.0), len(missed)
    )
    path = replace(path, places=True)
    values, unlike = _values(gold_items, items, measures, population)
    bounds, notes = _bounds(path, interval, level, seed)
    if interval and measures is not DEFAULT:
        without = tuple(name for name in values if name not in _WITH_INTERVAL)
        notes = (*([OfSeveralRankings("", without)] if without else []), *notes)
    if not gold & listed:
        # The usual cause is that ids are written in two ways. Results made from the curve carry the
        # note.
        path = replace(path, noticed=(*path.noticed, NoneRanked("", gold_items[0], items[0])))
    path = replace(path, noticed=(*path.noticed, *unlike))
    notes += path.notes
    conventions = describe_conventions(
        relevant=_source(relevant),
        ranked=_source(ranked),
        population=population,
        interval=describe_intervals(_method(interval) if interval else None, level, seed),
    )
    notes += () if population else (PopulationNotKnown(""),)
    return Ranking(
        tuple(items),
        missed,
        path,
        values,
        population,
        bounds,
        asked=values.asked,
        conventions=conventions,
        notes=notes,
    )


def _values(
    relevant: Sequence[str],
    ranked: Sequence[str],
    measures: str | Measure | Iterable[str | Measure],
    population: int | None,
) -> tuple[ByMeasure[float], list[Note]]:
    """The values, under the requested names too, and notes on ids that are written in two ways."""
    filled = {} if population is None else _of_population(measures, population)
    with collect_notes():
        # Undefined values are reported with the values.
        report = evaluate(
            {"ranking": dict.fromkeys(relevant, 1)},
            {"ranking": {item: -i for i, item in enumerate(ranked)}},
            [*filled.values()] or measures,
        )
    values = ByMeasure(zip(report.measures, report.runs[0].values[:, 0].tolist(), strict=True))
    of_filled = {name: report.asked[as_text(measure)] for name, measure in filled.items()}
    values.asked = {**report.asked, **of_filled}
    unlike = [note for note in iterate_notes(report.notes) if isinstance(note, IdsUnlike)]
    return values, [replace(note, subject="") for note in unlike]


def _of_population(measures: object, population: int) -> dict[str, Any]:
    """The measures by requested name; those that need the number of existing items get it."""
    several = [measures] if isinstance(measures, str | Measure) else measures
    if isinstance(several, Mapping) or not isinstance(several, Iterable):
        return {}  # refused later, where measures are read
    return {as_text(measure): _with_population(measure, population) for measure in several}


def _with_population(measure: str | Measure, population: int) -> str | Measure:
    """The measure with the number of existing items, if it needs that and has none."""
    try:
        measured = find(measure)
    except PopulationUnknown:
        name, at, cutoff = as_text(measure).partition("@")
        before = f"{name[:-1]}," if name.endswith(")") else f"{name}("
        return f"{before}population={population}){at}{cutoff}"
    except MeasureError:
        return measure  # refused later, where measures are read
    if measured.parameters.get("population", 0) is not None:
        return measure
    return replace(measured, parameters={**measured.parameters, "population": population})


def _refuse_without_population(measures: Iterable[str | Measure]) -> None:
    """Raise for measures that need the number of existing items."""
    cell = np.ones(1, np.int64)
    for measure in map(of_counts, measures):
        try:
            measure.of_table(Counts(cell, cell, cell))
        except PopulationUnknown:
            raise UsageError(
                argument="population",
                what=f"is needed by {measure.name}",
                remedy="say how many items exist",
            ) from None


def _is_input(given: object) -> bool:
    return is_path(given) and os.fspath(given) == "-"


def _ids(given: object, name: str, ordered: bool = False) -> list[str]:
    return read_ids(os.fsdecode(given)) if is_path(given) else checked_ids(given, name, ordered)


def _source(given: object) -> str | None:
    return os.fsdecode(given) if is_path(given) else None


def _method(interval: bool | str) -> str:
    return METHODS["AP"][0] if interval is True else str(interval)


def _check_population(population: int | None, least: int) -> None:
    if population is not None and check_whole("population", population, 1) < least:
        raise UsageError(
            argument="population",
            allowed=f"at least {least}, the items that are ranked or relevant",
            got=Fact(population),
        )


def _bounds(
    path: Curve, interval: bool | str, level: float, seed: int
) -> tuple[dict[str, Interval], tuple[Note, ...]]:
    """The intervals of AP and the greatest F, and the notes of their warnings."""
    if not interval:
        return ByMeasure(), ()
    from precall.cases.intervals import interval_of_curve

    options: dict[str, dict[str, Any]] = {"AP": {"method": _method(interval)}, MAX_F: {}}
    bounds: ByMeasure[Any] = ByMeasure()
    notes: list[Note] = []
    for name, method in options.items():
        bounds[name], own = run_and_collect(
            partial(interval_of_curve, path, name, level=level, rng=seed, **method)
        )
        notes += own
    return bounds, tuple(notes)
