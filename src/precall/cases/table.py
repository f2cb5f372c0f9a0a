"""Tables of scored cases: a file with a row per case → curves by score and group, and all numbers
computed from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from precall.cases import Curve, curve
from precall.cases.columns import CaseColumns, refuse_one_class, wanted_columns
from precall.cases.curves import Parts
from precall.cases.operating_points import OperatingPoints, points_of
from precall.cases.ranking_curves import GroupCurves
from precall.cases.scan import ScannedCases, scan_cases
from precall.cases.scored_cases import check_cases, missed_count
from precall.core.arguments import check_kind
from precall.core.conventions import (
    describe_conventions,
    describe_intervals,
    describe_ties,
    good_scores,
)
from precall.core.counts import Counts
from precall.core.errors import PrecallError, UsageError, map_problems, needs_cases_in_memory
from precall.core.notes import Note, collect_notes, run_and_warn, warn_all
from precall.core.notes.of_runs import NameOfOthers
from precall.core.ragged import Bool, Int64
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.core.text import as_text, is_folder, percent, short_repr
from precall.native import kernel_name
from precall.read.cases import Reader, Scores, read_columns
from precall.read.columns import warn_of_lowest
from precall.read.distinct_labels import sort_texts
from precall.read.formats import OF_COLUMNS
from precall.read.select_columns import ONE_BY_ONE, choose_by_name, look_at_beginning, table_format
from precall.read.sources import label_of
from precall.read.systems_of_cases import EACH_ALONE, SystemsFinder
from precall.results.sheets import Presented

if TYPE_CHECKING:
    from precall.cases.operating_points import OperatingPoints
    from precall.cases.scan import ScannedCases
    from precall.measures import Measure
    from precall.stats.blocks import Blocks
    from precall.stats.intervals.interval import Interval
    from precall.stats.null.chances import Chances
    from precall.stats.tests.comparisons import Comparison

T = TypeVar("T")
#: By score and group; the mean over groups, if there are any, has the key None.
WithMean: TypeAlias = dict[str, dict[str | None, T]]
Bounds: TypeAlias = "dict[str, Interval]"
#: Relevant cases are few if they are at most one in this many.
_SPARSE = 4


@dataclass(frozen=True, slots=True, eq=False)
class CaseTable:
    """Columns of a table that say which cases are relevant and what scores they have; see
    `read_cases`.
    """

    source: str
    relevant: Bool
    scores: Mapping[str, Scores]
    weights: Int64 | npt.NDArray[np.float64] | None
    groups: Mapping[str, Int64] | None
    """The rows of each group."""
    missed: int
    higher_is_better: bool
    asked: Mapping[str, str | None]
    """The conventions that its numbers depend on."""
    notes: tuple[Note, ...] = ()
    """What was noticed while reading."""
    clusters: Sequence[str] | None = None
    """The group that each case was drawn with, such as its patient. Intervals take these groups as
    the sample, while each of `groups` is measured by itself."""

    @classmethod
    def of(
        cls,
        source: str,
        relevant: Bool,
        scores: Mapping[str, Scores],
        weights: Any,
        rows: Mapping[str, Int64] | None,
        missed: int,
        higher_is_better: bool,
        **asked: str | None,
    ) -> CaseTable:
        """A table from columns, and the rows of each group in any order."""
        groups = rows and {name: rows[name] for name in sort_texts(rows)}
        conventions = asked | {"good": good_scores(higher_is_better)}
        return cls(source, relevant, scores, weights, groups, missed, higher_is_better, conventions)

    def parts(self, make: Callable[..., T], names: Iterable[str] | None = None) -> Parts[T]:
        """The results of `make` for the labels, scores and weights of each score and group."""
        rows: Mapping[str, slice | Int64] = (
            {"": slice(None)} if self.groups is None else self.groups
        )
        return {
            name: {
                group: make(
                    self.relevant[chosen],
                    self.scores[name][chosen],
                    weights=None if self.weights is None else self.weights[chosen],
                    missed=self.missed,
                    higher_is_better=self.higher_is_better,
                )
                for group, chosen in rows.items()
            }
            for name in (self.scores if names is None else names)
        }

    @property
    def grouped(self) -> bool:
        """Whether its cases are in groups."""
        return self.groups is not None

    @property
    def drawn(self) -> bool:
        """Whether the cases can be put in random order."""
        return self.weights is None and self.clusters is None

    @property
    def paired(self) -> bool:
        """Whether two scores of the cases can be compared."""
        return self.weights is None and not self.grouped and not self.missed

    def group_of_each(self) -> list[str] | None:
        """The group of each case; None without groups."""
        if self.groups is None:
            return None
        names = np.empty(len(self.relevant), object)
        for name, rows in self.groups.items():
            names[rows] = name
        return list(names)

    def curves(self, names: Iterable[str] | None = None) -> Parts[Curve]:
        """The curve of each score and group; curves do not keep the cases, which the table has."""
        if self.groups and self.weights is None:
            chosen = self.scores if names is None else names
            return {name: self._curves_of_groups(name) for name in chosen}
        return self.parts(
            lambda *cases, **asked: replace(curve(*cases, **asked), cases=None), names
        )

    def _curves_of_groups(self, name: str) -> GroupCurves:
        """The curves of a score, all at once."""
        assert self.groups is not None
        relevant, score = check_cases(
            self.relevant, self.scores[name], higher_is_better=self.higher_is_better
        )
        missed = int(missed_count(self.missed, False))
        return GroupCurves.of(relevant, score, self.groups, missed, self.higher_is_better)

    def in_memory(self, what: str) -> CaseTable:
        """The table itself, for tasks that need the cases one by one; scanned cases raise an error
        instead.
        """
        return self

    def blocks(self, curves: Parts[Curve]) -> Parts[Blocks]:
        """Blocks of each score and group, from which intervals are computed; `curves` are their
        curves.
        """
        from precall.cases.intervals import blocks_of, blocks_of_curve

        if self.weights is not None or self.clusters is not None:
            return self.parts(partial(blocks_of, groups=self.clusters), curves)
        return {
            name: {group: blocks_of_curve(of[group]) for group in of} for name, of in curves.items()
        }


def read_cases(
    path: str,
    label: str,
    scores: Iterable[str],
    *,
    positive: str | None = None,
    group: str | None = None,
    groups: str | None = None,
    weight: str | None = None,
    missed: int = 0,
    higher_is_better: bool = True,
    format: str | None = None,
) -> CaseTable:
    """Read the scored cases in a table with a row per case.

    Parameters
    ----------
    path : path of CSV, TSV, JSON lines, JSON, Parquet or Arrow, perhaps compressed; `-` is standard
        input.
    label : the column that says which cases are relevant: by 0/1, -1/1, false/true, or the label
        `positive`.
    scores : columns of scores.
    group : the column of groups, each of which is measured separately.
    groups : the column of groups that cases were drawn in, such as patients with several lesions:
        intervals, bands and comparisons take groups as the sample.
    weight : the column of weights. Integers repeat a case; if a number is a float, or text with a
        point or exponent, all are sampling weights.
    missed : relevant cases that exist but were never scored.
    format : format of the table (default: from the path's ending).

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or all cases are of one class; all problems
        are listed, up to 20.
    """
    if isinstance(scores, str):
        raise UsageError(
            argument="scores",
            allowed="a list of columns",
            got=scores,
            remedy=f"pass [{short_repr(scores)}]",
        )
    refuse_beside_groups(groups, group, missed)
    names = list(dict.fromkeys(scores))
    warn_of_lowest(names if higher_is_better else ())
    wanted, counted = wanted_columns(label, names, group, weight, "scores=[...]", groups)

    def table(reader: Reader) -> CaseTable:
        reader.refuse_swap(label, names, positive)
        relevant = reader.relevance(label, positive)
        numbers = reader.scores(names)
        weights = None if weight is None else reader.weights(weight)
        rows = None if group is None else reader.rows(group)
        clusters = None if groups is None else reader.groups(groups)
        reader.check()
        measured, source = (
            relevant if weights is None else relevant[weights > 0],
            reader.columns.source,
        )
        refuse_one_class(source, label, weight, measured.any(), not measured.all(), missed)
        made = CaseTable.of(
            source,
            relevant,
            numbers,
            weights,
            rows,
            missed,
            higher_is_better,
            label=label,
            positive=None if positive is None else as_text(positive),
            weight=weight,
            group=group,
            groups=groups,
        )
        return replace(made, clusters=clusters)

    choose = choose_by_name(wanted, label_of(path))
    systems = SystemsFinder((label, *names, weight, group, groups))

    def read() -> CaseTable:
        cases = read_columns(path, choose, table, counted, format, systems)
        warn_all(systems.check(label_of(path), EACH_ALONE))
        return cases

    cases, notes = run_and_warn(read)
    return replace(cases, notes=notes)


def refuse_beside_groups(groups: str | None, group: str | None, missed: int) -> None:
    """Raise if cases are drawn in groups, and also something is asked that these do not have."""
    if groups is not None and group is not None:
        raise UsageError(
            argument="groups",
            what="the mean over ⟨group=⟩ takes its groups as independent, which may share these",
            remedy="leave one of them out, or measure a part of the cases at a time",
        )
    if groups is not None and missed:
        raise UsageError(
            argument="groups",
            what="missed items are in no group",
            remedy="leave ⟨groups=⟩ or ⟨missed=⟩ out",
        )


def cases_of(
    path: str,
    label: str,
    scores: Iterable[str],
    *,
    memory: int | None = None,
    at: Iterable[Mapping[str, object]] = (),
    whole: Iterable[str] = (),
    only_curves: bool = False,
    **asked: Any,
) -> CaseTable | ScannedCases:
    """The cases of a file: read whole, or scanned if the path is a folder or they do not fit into
    `memory`.

    `at` are conditions of `Curve.at`. `whole` names arguments that need all cases in memory; if
    there is one, it is refused before the cases are scanned. If `only_curves` are wanted, a large
    file of columns is scanned as well, which takes less time and memory.
    """
    from precall.read.sizes import outgrows, takes_long

    names, kind = list(dict.fromkeys(scores)), table_format(path, asked.get("format"))
    columns, _ = wanted_columns(
        label, names, asked.get("group"), asked.get("weight"), groups=asked.get("groups")
    )
    with outgrows(
        path,
        memory,
        look_at_beginning(choose_by_name(columns, label_of(path)), kind, label_of(path)),
    ) as is_large:
        if not ((in_folder := is_folder(path)) or is_large):
            others = ("group", "groups", "weight")
            alone = only_curves and not whole and not any(map(asked.get, others))
            is_long = alone and kind in OF_COLUMNS and takes_long(path)
            if not (is_long and _begins_sparse(path, label, names, **asked)):
                return read_cases(path, label, names, **asked)
        for name in (*whole, *(["groups"] if asked.pop("groups", None) else [])):
            raise (
                needs_cases_in_memory(name, todo=ONE_BY_ONE)
                if in_folder
                else needs_cases_in_memory(name)
            )
        conditions = list(at)
        wanted = {"thresholds": "threshold", "accept": "accept"}
        asked |= {
            option: [each[name] for each in conditions if name in each]
            for option, name in wanted.items()
        }
        asked |= {"label": label, "score": names, "memory": memory}
        return scan_cases(path, **asked)


def _begins_sparse(
    path: str,
    label: str,
    scores: list[str],
    *,
    positive: str | None = None,
    format: str | None = None,
    **asked: Any,
) -> bool:
    """Whether the first batch has few relevant cases, so that it takes less time to count between
    them than to sort all. False if it cannot be read: reading the file whole says why.
    """
    try:
        with collect_notes():
            batches = CaseColumns(label, scores, positive, None, None).of_files(path, format)
            relevant = next(batches).relevant
    except (PrecallError, StopIteration):
        return False
    return _SPARSE * int(np.count_nonzero(relevant)) <= len(relevant)


def describe_table(source: str, **conventions: str | None) -> dict[str, str]:
    """The printed conventions of a table; data that is no file has no name."""
    return describe_conventions(file=source or None, **conventions, kernel=kernel_name())


def about(source: str) -> AbstractContextManager[None]:
    """Context in which problems found after reading are reported as problems of the input."""
    ours = ("decisions", "scores")
    return map_problems(
        lambda problem: problem._replace(source=source) if problem.source in ours else problem
    )


@dataclass(frozen=True, slots=True, eq=False)
class CurveChoices:
    """What was requested of all curves.

    `at` holds conditions of `Curve.at` by the names they are shown by; `ties` applies to measures
    of ranks.
    """

    at: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    ties: str = "expected"
    undefined: str = "zero"
    measures: tuple[Measure, ...] = ()
    """Measures of counts: shown at their best and at each point. Measures of ranks: shown once."""

    @property
    def ties_text(self) -> str:
        """The rule for ties in words, with the measures that depend on it."""
        ordered = {
            each.name: each.head
            for each in self.measures
            if each.declaration.of is not Counts and not each.has_blocks
        }
        return describe_ties(
            self.ties, ({"R-precision": "R-precision", "RR": "RR"} | ordered).values()
        )

    @property
    def of_counts(self) -> list[Measure]:
        """The measures of counts."""
        return [measure for measure in self.measures if measure.declaration.of is Counts]


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredCases(Presented):
    """Curves by score and group, what was requested of them, and their intervals, null
    distributions and comparisons; see `measure_cases`.
    """

    curves: Parts[Curve]
    source: str
    choices: CurveChoices
    conventions: Mapping[str, str]
    intervals: WithMean[Bounds] = field(default_factory=dict)
    chances: WithMean[Chances] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    remarks: tuple[Note, ...] = ()

    def points(self) -> OperatingPoints:
        """The operating points of each score and group, with a column for each requested measure of
        counts.

        Examples
        --------
        >>> table = CaseTable.of(
        ...     "", np.array([True, False]), {"s": np.array([2.0, 1.0])}, None, None, 0, True
        ... )
        >>> measure_cases(table).points()["precision"]
        array([1. , 0.5])
        """
        needed = {
            name: text
            for name, text in self.conventions.items()
            if name not in ("ties", "undefined")
        }
        return points_of(
            self.curves, self.choices.of_counts, conventions=needed, notes=self.remarks
        )


@suggest_our_names
def measure_cases(
    table: CaseTable | ScannedCases | Callable[[], CaseTable | ScannedCases],
    *,
    names: Iterable[str] | None = None,
    at: Mapping[str, Mapping[str, object]] | None = None,
    measures: Iterable[Measure] = (),
    ties: str = "expected",
    undefined: str = "zero",
    interval: str | None = None,
    null: bool = False,
    compare: Iterable[tuple[str, str]] = (),
    level: float = 0.95,
    rng: Rng = 0,
    progress: Callable[[int, str], None] | None = None,
) -> MeasuredCases:
    """Measure the scores of the cases that `read_cases` read.

    Parameters
    ----------
    table : the table, or a function that reads it: the cases are then released as soon as nothing
        needs them.
    names : scores to measure (default: all).
    at : conditions of `Curve.at` by the names they are shown by.
    measures : measures of counts, shown at their best and at each chosen point; and measures of
        ranks.
    ties : order of equal scores for R-precision, RR and other measures that need one; all other
        measures take them as one block.
    undefined : how means over groups treat undefined values.
    interval : method of the intervals of AP, the area under ROC and the greatest F: "logit",
        "bca", ...; None for none. The other printed numbers, and requested ones, have "logit" if
        they have intervals.
    null : whether to compare AP and the area under ROC with their null distributions, and those of
        the `measures` that have one.
    compare : pairs of scores whose AP and area under ROC are compared.
    level, rng : for the intervals and comparisons.
    progress : called with (scores done, name) before each score.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "cases.csv"
    ...     _ = path.write_text("y,s\\n1,4\\n0,3\\n1,2\\n0,1\\n")
    ...     table = read_cases(str(path), "y", ["s"])
    >>> measure_cases(table).curves["s"][""].average_precision()
    0.8333333333333333
    """
    check_kind(
        "at",
        at,
        (Mapping, type(None)),
        "conditions by name, such as {'recall .9': {'recall': 0.9}}",
    )
    seed, wanted, measures = seed_of(rng), tuple(compare), tuple(measures)
    curves: Parts[Curve] = {}
    table = table() if callable(table) else table
    for done, name in enumerate(table.scores if names is None else names, 1):
        if progress is not None:
            progress(done, name)
        curves |= table.curves([name])
    if isinstance(table, CaseTable) and table.drawn and not wanted:
        # The curves suffice for all that follows; the cases are released.
        table = replace(table, relevant=np.zeros(0, np.bool_), scores={})
    intervals: WithMean[Bounds] = {}
    remarks: tuple[Note, ...] = ()
    if interval is not None:
        from precall.cases.table_intervals import intervals_of_table

        intervals, remarks = intervals_of_table(
            table, curves, interval, undefined, level, seed, measures
        )
    choices = CurveChoices(at or {}, ties, undefined, measures)
    conventions = describe_table(
        table.source,
        **table.asked,
        ties=choices.ties_text,
        undefined=undefined if table.grouped else None,
        seed=str(seed) if wanted or seed else None,
        interval=describe_intervals(interval, level, seed),
        null=f"random selection, blocks of equal score fixed, {percent(level)}" if null else None,
    )
    remarks = (
        *dict.fromkeys(
            NameOfOthers(each.name, each.note) for each in choices.measures if each.note
        ),
        *table.notes,
        *remarks,
    )
    comparisons = compare_scores(table.in_memory("compare"), wanted, level, seed) if wanted else ()
    chances = _chances(curves, level, table.grouped, measures) if null else {}
    return MeasuredCases(
        curves, table.source, choices, conventions, intervals, chances, comparisons, remarks
    )


def compare_scores(
    table: CaseTable, pairs: Iterable[tuple[str, str]], level: float, rng: Rng
) -> tuple[Comparison, ...]:
    """AP and area under ROC of pairs of scores, each over the whole list."""
    from precall.comparison.api import compare

    return tuple(
        compare.cases(
            table.relevant,
            table.scores[a],
            table.scores[b],
            measure,
            higher_is_better=table.higher_is_better,
            rng=rng,
            level=level,
            names=(a, b),
            weights=table.weights,
            groups=table.clusters,
            missed=table.missed,
        )._add_shared_notes(table.notes)
        for a, b in pairs
        for measure in ("AP", "AUC")
    )


def _chances(
    curves: Parts[Curve], level: float, grouped: bool, measures: Iterable[Measure]
) -> WithMean[Chances]:
    from precall.stats.null.chances import by_group

    names = [measure.name for measure in measures]
    return {score: by_group(parts, level, grouped, names) for score, parts in curves.items()}
