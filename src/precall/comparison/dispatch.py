"""Arguments of `compare(...)` other than reports: two curves, two decisions, labels and two
columns, or values per topic.

Each kind is recognized by its type, and goes to the function of `compare` that takes it. Arguments
that could be of two kinds are refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from precall.cases import Curve
from precall.cases.accumulation import ScoredCases
from precall.cases.scored_cases import column
from precall.cases.tally import holds_same_cases, oriented_cases
from precall.core.arguments import RowNames, as_array_like, check_rows, choose, is_number
from precall.core.errors import Fact, Kind, MeasureError, Mistake, UsageError
from precall.core.notes import Note
from precall.core.rng import our_name, refuse_names, refuse_other_options
from precall.core.text import as_text, many
from precall.evaluation.report import Report
from precall.evaluation.single_ranking import Ranking
from precall.hard_decisions import Decisions, Status
from precall.hard_decisions.membership import Membership
from precall.hard_decisions.outcomes import AVERAGED, AVERAGES
from precall.measures import Measure, measure_and_average
from precall.measures.registry import find
from precall.object_detection.api import Detections
from precall.read.distinct_labels import has_order, known_categories
from precall.read.frames import is_table
from precall.spans.api import Spans, decisions_of_two
from precall.stats.tests.comparisons import Comparison, Comparisons

_COLUMNS = "labels and two columns, compare(y, a, b)"
_ORDER = "make both of the same items in the same order"


class PairCall(NamedTuple):
    """The function of `compare` that takes two given systems, its arguments, and the named measure.

    `settled` holds options that the given objects have fixed already, each with the way to choose
    another value; `known` holds the values of some of them. `columns` are labels and the columns of
    two systems.
    """

    function: str
    arguments: tuple[object, ...]
    measure: object = None
    settled: Mapping[str, str] = {}
    columns: bool = False
    known: Mapping[str, object] = {}
    notes: tuple[Note, ...] = ()
    """Notes about both systems."""
    rows: RowNames | None = None
    """The names of their rows, if the given objects keep them."""
    of_spans: bool = False


#: Options without effect on two systems, with their defaults: these are a single pair, and topics
#: are missing only if they have topics.
_SILENT = {"correction": "holm", "unpaired": "error"}


def compare_pair(
    compare: object, first: object, second: object, third: object, asked: Mapping[str, object]
) -> Comparison | Comparisons | None:
    """The comparison of two systems by the function of `compare` that takes them; None if they are
    not two systems.

    `asked` are the options of `compare(...)`; None means not given.
    """
    arguments, names, measure = named_pair(first, second, third)
    pair = read_two_systems(*arguments)
    if pair is None:
        return None
    pair = pair if measure is None else pair._replace(measure=measure)
    asked = {**asked, "names": names} if names else asked
    if pair.columns and pair.measure is None and _is_measure(asked.get("test")):
        # In `compare(y, a, b, "AUC")` the measure comes after the columns, in the position of
        # `test`.
        pair, asked = pair._replace(measure=asked["test"]), {**asked, "test": None}
    check_rows(relevant=pair.rows, groups=asked.get("groups"))
    function: Callable[..., Any] = getattr(compare, pair.function)
    passed = {"measure": pair.measure, **asked}
    passed = {
        name: value
        for name, value in passed.items()
        if value is not None and not (name in _SILENT and _SILENT[name] == value)
    }
    if pair.function == "detections":
        passed.pop("rng", None)  # nothing is drawn
    parameters = inspect.signature(function).parameters.items()
    parameter_names = [
        name
        for name, parameter in parameters
        if parameter.default is not parameter.empty and name not in pair.settled
    ]
    if pair.of_spans:
        _refuse_means_over_units(passed["measure"], passed.get("average"))
    for name, value in passed.items():
        _refuse_own_option(name, value, our_name(name, function), pair.settled)
    refuse_names(
        {name: value for name, value in passed.items() if name not in parameter_names}, function
    )
    refuse_other_options(passed, parameter_names, "which two systems by themselves do not take")
    made: Comparison | Comparisons = function(*pair.arguments, **passed, **pair.known)
    return made._add_shared_notes(pair.notes) if isinstance(made, Comparison) else made


def _refuse_means_over_units(measure: Any, average: Any) -> None:
    """Raise for the average "samples" of spans: the items that are exchanged are spans, and the
    mean would be over these.
    """
    average = average if average is None else choose("average", average, AVERAGES, AVERAGED)
    if measure_and_average(measure, average)[1] == "samples":
        raise UsageError(
            argument="average",
            got="samples",
            why="and two systems' spans are compared by all spans together",
            allowed="micro, macro or weighted",
            remedy="pass a value of each unit, of ⟨by_unit⟩, to compare.paired(a, b)",
        )


def _refuse_own_option(name: str, value: object, ours: str, settled: Mapping[str, str]) -> None:
    """Raise for an option that the two systems were made with; `ours` is its name here."""
    if ours in settled:
        why = "which was settled when the two were made"
        raise UsageError(argument=name, got=value, why=why, remedy=settled[ours])


def read_two_systems(first: object, second: object, third: object) -> PairCall | None:
    """The first three arguments of `compare(...)` if they are two systems; None for reports, and
    for qrels and runs.
    """
    return next(make(first, second, third) for holds, make in _RULES if holds(first, second, third))


#: A rule for one kind of two systems: whether the arguments are of this kind, and the pair made
#: from them and the third argument, a measure or a column.
Rule: TypeAlias = tuple[Callable[[Any, Any, Any], bool], Callable[[Any, Any, Any], PairCall | None]]


def _both(kind: type) -> Callable[[Any, Any, Any], bool]:
    return lambda first, second, third: isinstance(first, kind) and isinstance(second, kind)


def _either(*kinds: type) -> Callable[[Any, Any, Any], bool]:
    return lambda first, second, third: isinstance(first, kinds) or isinstance(second, kinds)


def _refuse_kinds(first: object, second: object, third: object) -> NoReturn:
    remedy = f"pass two of one kind, or {_COLUMNS}"
    raise UsageError(
        argument="compare", got=Fact(f"{Kind(first)} and {Kind(second)}"), remedy=remedy
    )


def _refuse_rankings(first: object, second: object, third: object) -> NoReturn:
    raise UsageError(
        argument="compare",
        what="rankings of ids do not hold scores of the same items",
        remedy=(
            "pass labels and two columns of scores that fall with the rank, "
            "compare(labels, a, b, missed=...); docs/start/ranking.md shows how"
        ),
    )


def _refuse_two_forms(first: object, second: object, third: object) -> NoReturn:
    decided = "compare(a.decide(...), b.decide(...))"
    scored = "compare(truth == category, scores_a, scores_b, 'AUC')"
    remedy = f"pass what both decide, {decided}, or the scores of one category, {scored}"
    raise UsageError(
        argument="compare", got=Fact(f"{Kind(first)} and {Kind(second)}"), remedy=remedy
    )


def _refuse_counts(first: object, second: object, third: object) -> NoReturn:
    problem = "ScoredCases know how many cases have a score, not which ones"
    raise UsageError(argument="compare", what=problem, remedy=f"pass {_COLUMNS}")


def _refuse_two_columns(first: object, second: object, third: object) -> NoReturn:
    remedy = (
        "pass labels and what two systems say, compare(y, a, b); one value per topic of each "
        "system to compare.paired(a, b)"
    )
    raise UsageError(argument="compare", got=Fact("two columns, not three"), remedy=remedy)


def _refuse_reports(first: object, second: object, third: object) -> NoReturn:
    problem = "reports of other calls need not have the same topics and choices"
    remedy = "compare(qrels, {name: run, ...}) evaluates several runs in one call"
    raise UsageError(argument="compare", what=problem, remedy=remedy)


def _names_columns(first: object, second: object, third: object) -> bool:
    """Whether a table stands before the names of two of its columns."""
    if isinstance(first, Mapping) or not is_table(first):
        return False
    names = list(getattr(first, "column_names", getattr(first, "columns", ())))
    return all(isinstance(each, str) and each in names for each in (second, third))


def _refuse_names_of_columns(table: object, a: object, b: object) -> NoReturn:
    remedy = (
        f"pass the columns: compare(table[label], {{{a!r}: table[{a!r}], {b!r}: table[{b!r}]}}), "
        f"or of one value per topic compare.paired(table[{a!r}], table[{b!r}])"
    )
    raise UsageError(argument="compare", what="a table is no column of labels", remedy=remedy)


def _of_runs(first: object, second: object, third: object) -> None:
    """Judgements, also as lists; raises if they look like values per topic with a missing value."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        _refuse_gaps(first, second)


#: The first rule that holds decides.
_RULES: tuple[Rule, ...] = (
    (lambda reports, *_: _are_reports(reports), _refuse_reports),
    (_names_columns, _refuse_names_of_columns),
    (_both(Curve), lambda a, b, measure: pair_of_curves(a, b, _measure(measure))),
    (_both(Spans), lambda a, b, measure: _spans(a, b, _measure(measure))),
    (_either(Spans), _refuse_kinds),
    (
        _both(Detections),
        lambda a, b, measure: PairCall("detections", (a, b), _measure(measure)),
    ),
    (_either(Detections), _refuse_kinds),
    (_both(Decisions), lambda a, b, measure: _decisions(a, b, _measure(measure))),
    (_either(Curve, Decisions), _refuse_kinds),
    (_either(Status), _refuse_two_forms),
    (_either(Ranking), _refuse_rankings),
    (_either(ScoredCases), _refuse_counts),
    (
        lambda a, b, _: _is_values(a) and _is_values(b),
        lambda a, b, measure: PairCall("paired", (a, b), _measure(measure)),
    ),
    (lambda a, b, _: not (_is_column(a) and _is_column(b)), _of_runs),
    (lambda y, a, b: not _is_column(b), _refuse_two_columns),
    (lambda y, a, b: True, lambda y, a, b: _columns(y, as_array_like(a), as_array_like(b))),
)


class NamedArguments(NamedTuple):
    """The first three arguments of `compare(...)`, and the names of the two systems among them, if
    they have names; and the measure that stood in place of the second system.
    """

    arguments: tuple[object, object, object]
    names: tuple[str, ...] | None = None
    measure: str | Measure | None = None


def named_pair(first: object, second: object, third: object) -> NamedArguments:
    """The arguments one by one, from two curves or decisions in a list or by name, or from labels
    with two named columns; and the names.
    """
    first, second, third = (
        as_array_like(each) if hasattr(each, "__next__") else each
        for each in (first, second, third)
    )
    parts = _parts_of(first)
    if parts and all(isinstance(value, Curve | Decisions | Detections) for value in parts):
        _check_two(len(parts), "compare(a, b)")
        return NamedArguments((*parts, second if third is None else third), _names_of(first))
    if isinstance(second, Mapping) and _names_measures(third) and _is_flat(first):
        parts = [*map(as_array_like, _parts_of(second))]
        if parts and all(map(_is_flat, parts)):
            _check_two(len(parts), "compare(y, a, b)")
            return NamedArguments((first, *parts), _names_of(second), _measure(third))
    return NamedArguments((first, second, third))


def _parts_of(given: object) -> list[Any]:
    """The values of a list, or of a mapping by names."""
    if isinstance(given, Mapping):
        return [*given.values()]
    return [*given] if isinstance(given, list | tuple) else []


def _are_reports(given: object) -> bool:
    """Whether it is a list or a mapping of reports."""
    parts = _parts_of(given)
    return bool(parts) and all(isinstance(part, Report) for part in parts)


def _names_of(given: object) -> tuple[str, ...] | None:
    return tuple(map(as_text, given)) if isinstance(given, Mapping) else None


def _is_flat(given: object) -> bool:
    """Whether it is a column of single values, not of lists."""
    return _is_column(given) and not np.ndim(_first(given))


def _check_two(size: int, call: str) -> None:
    if size != 2:
        raise UsageError(
            argument="compare",
            got=Fact(f"{size} system{'s' * (size != 1)}"),
            remedy=f"two are compared at a time, {call}",
        )


def _first(given: Any) -> Any:
    """The first cell of a column."""
    return next(iter(given.to_pylist() if hasattr(given, "to_pylist") else given), None)


def _names_measures(given: object) -> bool:
    """Whether it is one measure, a list of them, or none; columns of systems are not."""
    several = given if isinstance(given, list | tuple) else [given]
    return given is None or all(isinstance(each, str | Measure) for each in several)


def _is_measure(name: object) -> bool:
    """Whether the value in the position of `test` is the name of a measure."""
    if not isinstance(name, str):
        return isinstance(name, Measure)
    try:
        find(name)
    except UsageError:
        return False
    return True


def _measure(measures: object) -> str | Measure | None:
    """The single measure by which two systems are compared; it may be in a list."""
    if isinstance(measures, list | tuple) and len(measures) == 1:
        measures = measures[0]
    if measures is None or isinstance(measures, str | Measure):
        return measures
    raise UsageError(
        argument="measures",
        got=Fact(f"{len(measures)} of them")
        if isinstance(measures, list | tuple)
        else Kind(measures),
        why="and two systems are compared by one",
        remedy="pass its name, compare(a, b, 'AP')",
    )


def _refuse_gaps(*systems: Mapping[Any, Any]) -> None:
    """Raise for a topic without a value if others have one: grades and rankings are no numbers."""
    if not all(any(map(_is_value, values.values())) for values in systems):
        return
    for name, values in zip("ab", systems, strict=True):
        for topic, value in values.items():
            if not _is_value(value):
                remedy = "give it a value, or leave it out of both"
                mistake = Mistake("topic {topic} has no number", remedy, got=value, topic=topic)
                raise mistake.error(name)


def pair_of_curves(a: Curve, b: Curve, measure: object) -> PairCall:
    """The call of `compare.cases` for two curves of the same cases."""
    if a.weighted or b.weighted:
        remedy = "pass labels, two columns and weights= to compare.cases"
        raise UsageError(
            argument="compare", what="a curve with weights does not keep them", remedy=remedy
        )
    if a.missed != b.missed:
        raise UsageError(
            argument="compare",
            what=f"the curves have {a.missed} and {b.missed} missed cases",
            remedy=_ORDER,
        )
    for each in (a, b):
        _check_cases(each)
    arguments: dict[str, Any] = {"missed": int(a.missed)} if a.missed else {}
    settled = {
        name: f"leave it out, or make both by pc.curve(labels, scores, {name}={example})"
        for name, example in (("positive", "..."), ("higher_is_better", False), ("missed", "..."))
    }
    if a.higher_is_better == b.higher_is_better:
        (truth, first), (other, second) = a.cases, b.cases  # type: ignore[misc]
        arguments |= {"higher_is_better": a.higher_is_better}
    else:
        # One threshold cannot apply to both directions of scores.
        (truth, first), (other, second) = map(oriented_cases, (a, b))
        settled["threshold"] = "make both curves with the same ⟨higher_is_better=⟩"
    if not np.array_equal(truth, other):
        raise UsageError(argument="compare", what="the curves have different labels", remedy=_ORDER)
    # Whether scores are turned is found anew, with their names.
    notes = tuple(dict.fromkeys((*a.noticed, *b.noticed)))
    check_rows(first=a._rows, second=b._rows)
    return PairCall(
        "cases",
        (truth, first, second),
        measure,
        settled,
        known=arguments,
        notes=notes,
        rows=a._rows or b._rows,
    )


def _check_cases(curve: Curve) -> None:
    """Raise if a curve does not keep its labels and scores, or if these arrays have changed."""
    if curve.cases is None:
        raise UsageError(
            argument="compare",
            what="a curve made of counts does not know which case has which score",
            remedy=f"pass {_COLUMNS}",
        )
    if not holds_same_cases(curve):
        raise UsageError(
            argument="compare",
            what="the labels or scores of a curve have changed since it was made",
            remedy="make it again",
        )


def _decisions(a: Decisions, b: Decisions, measure: object) -> PairCall:
    """The pair for two decisions, with the truth of both and the categories of either."""
    if (a.truth.kind, a.truth.items) != (b.truth.kind, b.truth.items):
        got = ", ".join(f"{many(each.truth.items, 'item')}, {each.truth.kind}" for each in (a, b))
        raise UsageError(
            argument="compare",
            what=f"the decisions are about different items, or have different forms: {got}",
            remedy=_ORDER,
        )
    for each in (a, b):
        if each.weights is not None:
            raise UsageError(
                argument="compare",
                what="decisions with weights are not compared",
                remedy="make both without ⟨weights=⟩",
            )
        each.truth.refuse_unlabelled(
            "compare", "compare each category by its labelled items, with pc.compare.decisions"
        )
    names = a.categories
    if b.categories != names:
        names = known_categories(chain(a.categories, b.categories))
    first, second = (
        [_among(membership, names) for membership in (each.truth, each.predicted)]
        for each in (a, b)
    )
    truth, other = first[0], second[0]
    if not np.array_equal(truth.keys, other.keys):
        width = len(names)
        item = int(np.setxor1d(truth.keys, other.keys)[0] // width)
        what = "item {item} does not truly belong to the same categories in both"
        raise Mistake(what, _ORDER, item=item).error("decisions")
    # Each system was read with its own copy of the truth, so notes from reading belong to that
    # system.
    truth = replace(truth, notes=())
    remedy = "leave it out, or make both by pc.decisions(truth, predicted, categories=...)"
    return PairCall("decisions", (truth, first[1], second[1]), measure, {"categories": remedy})


def _spans(a: Spans, b: Spans, measure: str | Measure | None) -> PairCall:
    """The pair for two systems' spans, whose units are exchanged as a whole."""
    chosen = measure_and_average("F" if measure is None else measure, None)[0]
    a.value(chosen)  # refuses measures that need true negatives
    if a.match == "partial" and chosen.declaration.name == "Utility":
        # Each span is two items there, which only changes measures that are no quotients.
        remedy = "take ⟨by('strict')⟩ of both, or P, R or F"
        raise MeasureError(measure=chosen.name, what="half a span has no utility", remedy=remedy)
    truth, (first, second), unit = decisions_of_two(a, b)
    remedy = "leave it out; units are the groups of spans"
    settled = dict.fromkeys(("categories", "groups", "positive"), remedy)
    return PairCall(
        "decisions",
        (truth, first, second),
        measure or "F",
        settled,
        known={"groups": unit},
        of_spans=True,
    )


def _among(part: Membership, known: tuple[Any, ...]) -> Membership:
    """The membership over a larger list of categories."""
    index_by_name = {name: index for index, name in enumerate(known)}
    moved = np.array([index_by_name[name] for name in part.categories], np.int64)
    ordered = part.ordered and (part.categories == known or has_order(known))
    keys = np.sort(part.item * len(known) + moved[part.category])
    return Membership(part.items, known, keys, part.kind, ordered, part.notes)


def _is_values(given: object) -> bool:
    """Whether it is {topic: value}; True and False, a hit or none, are values."""
    return isinstance(given, Mapping) and bool(given) and all(map(_is_value, given.values()))


def _is_value(given: object) -> bool:
    return is_number(given) or isinstance(given, bool | np.bool_)


def _is_column(given: object) -> bool:
    """Whether it holds one value per item: numbers, texts, sets of labels, or rows of a matrix.
    Rows of a table are no values.
    """
    if isinstance(given, np.ndarray):
        return given.ndim > 0 and given.dtype.names is None
    if isinstance(given, list | tuple):
        return (
            bool(given)
            and not isinstance(given[0], list | tuple | Mapping)
            and not hasattr(given[0], "__fspath__")
        )
    if isinstance(given, str | bytes | Mapping) or hasattr(type(given), "columns"):
        return False
    # Series, Arrow columns and tensors; runs, qrels and reports have none of these attributes.
    return hasattr(given, "dtype") or hasattr(given, "to_pylist") or hasattr(given, "tocoo")


def _columns(truth: object, a: object, b: object) -> PairCall:
    labels = _labels(truth)
    kinds = [_kind(column, labels) for column in (a, b)]
    if kinds[0] != kinds[1]:
        got = " and ".join(kind or "whole floats" for kind in kinds)
        raise UsageError(
            argument="compare",
            what=f"the two columns hold {got}",
            remedy="pass two of decisions or two of scores",
        )
    if not kinds[0]:
        raise UsageError(
            argument="compare",
            what="whole floats that are also labels may be decisions or scores",
            remedy="choose compare.decisions(y, a, b) or compare.cases(y, a, b)",
        )
    return PairCall(
        "decisions" if kinds[0] == "decisions" else "cases", (truth, a, b), columns=True
    )


def _labels(truth: Any) -> set[Any] | None:
    """The distinct labels; None for sets of labels and matrices."""
    if hasattr(truth, "tocoo") or isinstance(next(iter(truth), None), set | frozenset):
        return None
    cells = column(as_array_like(truth), "y")
    return set(cells.ravel().tolist()) if cells.ndim == 1 or cells.shape[1:] == (1,) else None


def _kind(given: object, known: set[Any] | None) -> str:
    """Whether a column holds "decisions" or "scores" of items with these labels; empty if it may be
    either.
    """
    if known is None or hasattr(given, "tocoo"):
        return "decisions"
    cells = column(given, "a column")
    if cells.dtype.kind in "bUST" or (
        cells.dtype == object and not all(map(is_number, cells.flat))
    ):
        return "decisions"
    distinct = set(np.unique(cells.astype(np.float64)).tolist())
    if not distinct <= {label for label in known if isinstance(label, int | float)}:
        # With more than two labels a whole number is a label, even if it does not occur in the
        # truth.
        return "decisions" if cells.dtype.kind in "iu" and len(known) > 2 else "scores"
    return "decisions" if cells.dtype.kind in "iu" else ""
