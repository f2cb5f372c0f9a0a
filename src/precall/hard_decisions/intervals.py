"""Intervals for measures of hard decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from precall.cases.scored_cases import members
from precall.core.arguments import check_count, check_level, check_share, has_default_index
from precall.core.errors import Fact, Kind, UsageError
from precall.core.notes import Note, collect_notes, notes_of, warn
from precall.core.notes.of_decisions import OneCategory
from precall.core.notes.of_intervals import EachByItself
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng
from precall.core.text import as_text, listing, many
from precall.hard_decisions import Decisions
from precall.hard_decisions.confusion import Confusion
from precall.hard_decisions.distances import check_order
from precall.hard_decisions.sampled_tables import (
    averages_of,
    averages_without,
    fill,
    joint_value,
)
from precall.hard_decisions.tables_by_group import tables_by_group
from precall.measures import Measure, measure_and_average, of_counts, weighted
from precall.stats.intervals import of_tables
from precall.stats.intervals.grouped_tables import of_groups, share_in_groups
from precall.stats.intervals.interval import (
    Interval,
    Intervals,
    estimating,
    like,
    measures_with_method,
    refuse_unknown_options,
    with_notes_of_data,
)
from precall.stats.intervals.interval import undefined as no_interval
from precall.stats.intervals.mean import mean, mean_over
from precall.stats.intervals.methods import METHODS, find_method
from precall.stats.intervals.of_tables import ItemCategories, Memberships, of_matrix, value_of
from precall.stats.intervals.proportion import proportion
from precall.stats.intervals.table_influences import has_fixed_classes, values_of

_PLAIN = ("precision", "recall", "f", "accuracy")
_AVERAGED = ("micro-f", "macro-f")


def precision(
    tp: int,
    fp: int | None = None,
    fn: int | None = None,
    tn: int | None = None,
    *,
    level: float = 0.95,
    method: str = "wilson",
    rng: Rng = 0,
) -> Interval:
    """Interval of precision, TP / (TP + FP); `fn` and `tn` do not matter. See `proportion`.

    The accepted items are the trials, so the interval is conditional on their number. Undefined
    (None, with a warning) when nothing was accepted.

    Examples
    --------
    >>> print(precision(30, 10))
    precision 0.7500 [0.5981, 0.8581] 95 % wilson
    """
    return _share("precision", tp, fp, fn, tn, level=level, method=method, rng=rng)


def recall(
    tp: int,
    fn: int | None = None,
    *,
    fp: int | None = None,
    tn: int | None = None,
    level: float = 0.95,
    method: str = "wilson",
    rng: Rng = 0,
) -> Interval:
    """Interval of recall, TP / (TP + FN), from tp and fn as in `bayes.recall`; `fp` and `tn` do not
    matter. See `proportion`.

    Undefined (None, with a warning) when nothing is relevant.

    Examples
    --------
    >>> recall(30, 20)
    <Interval: recall 0.6000 [0.4618, 0.7239] 95 % wilson>
    """
    return _share("recall", tp, fp, fn, tn, level=level, method=method, rng=rng)


@like(precision)
def accuracy(*cells: Any, **options: Any) -> Interval:
    """Interval of accuracy, (TP + TN) / all; all four counts are needed. See `proportion`.

    Examples
    --------
    >>> print(accuracy(30, 10, 20, 140))
    accuracy 0.8500 [0.7939, 0.8929] 95 % wilson
    """
    return _share("accuracy", *cells, **options)


def _share(
    name: str, tp: int, fp: object = None, fn: object = None, tn: object = None, **options: Any
) -> Interval:
    measure, cells = of_counts(name), {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    needed = " ".join(measure.declaration.proportion or ()).split()
    for cell, value in cells.items():
        if value is None and cell in needed:
            raise UsageError(
                argument=cell, what=f"{name} needs it; got tp alone, pass {cell}= a count"
            )
    counts = [check_count(cell, 0 if value is None else value) for cell, value in cells.items()]
    return of_tables.of_cells(measure, name, counts, **options)


def micro_f(
    given: object, beta: float = 1.0, *, level: float = 0.95, method: str = "logit", rng: Rng = 0
) -> Interval:
    """Interval of micro-averaged F: F of the summed contingency tables.

    Parameters
    ----------
    given : `Decisions`, or a confusion matrix (truth x decision, counts). Rows and columns of a
        frame must have the same names in the same order.
    beta : >= 0, weight of recall; with 0, F is precision.
    level : nominal coverage, in (0, 1).
    method : "logit" (default): symmetric on the log-odds scale; "wald": value ± z errors, cut to
        0..1, as published by Takahashi, Yamamoto, Kuchiba & Koyama (2022).
    rng : accepted as in every interval; nothing is drawn here.

    Returns
    -------
    Interval
        Items are the sample, so several decisions about one item are not taken as independent.
        Undefined (None, with a warning) without items, or if no item is in a category and none was
        decided. At 0 and 1, where the variance is 0, the bounds are Wilson's for as many trials as
        items, with a warning ("wald" has none).

    Raises
    ------
    UsageError
        The matrix is not square or not of counts, or an argument is not allowed.

    Warns
    -----
    PrecallWarning
        Fewer than 50 items, or fewer than 5 expected errors or hits; for macro-F also a category
        that is true or decided fewer than 20 times.

    Notes
    -----
    With one category per item micro-F is accuracy, and "wald" is Wald's interval of a proportion.

    Examples
    --------
    >>> from precall import interval
    >>> print(interval.micro_f([[30, 5, 2], [4, 40, 1], [1, 3, 14]]))
    micro F1 0.8400 [0.7547, 0.8996] 95 % logit
    """
    return _with_notes(_average("micro", given, beta, level=level, method=method), given)


@like(micro_f)
def macro_f(given: object, *beta: float, **options: Any) -> Interval:
    """Interval of macro-averaged F: the mean of the categories' F. For the parameters see
    `micro_f`.

    A category that no item is in and that was never decided counts as 0, as in
    `Decisions.f("macro")`. On new items its F may be anything in 0..1, and "logit" allows for that.
    The low bound starts from the mean of F with the unknown part of rare categories taken as 0, the
    high bound from the mean with that part taken as 1. A category without errors, or without hits,
    would have no variance; half a case more of each kind is added to it.

    Examples
    --------
    >>> from precall import interval
    >>> print(interval.macro_f([[30, 5, 2], [4, 40, 1], [1, 3, 14]]))
    macro F1 0.8312 [0.7372, 0.8989] 95 % logit
    """
    return _with_notes(_average("macro", given, *beta, **options), given)


def _average(
    average: str, given: object, beta: float = 1.0, *, rng: Rng = 0, **options: Any
) -> Interval:
    if isinstance(given, Decisions) and given.truth.kind == "binary":
        warn(OneCategory(f"{average} F"))
    return of_tables.averaged_f(_members(given), average, beta, **options)


def _with_notes(made: Interval, given: object) -> Interval:
    """The interval with the notes on the data."""
    return (
        with_notes_of_data(made, given.notes)
        if isinstance(given, Decisions) and given.notes
        else made
    )


def _names_of_columns(matrix: object) -> tuple[object, ...]:
    """The names of a frame's columns; none if it only numbers them."""
    columns = getattr(matrix, "columns", None)
    return () if columns is None or has_default_index(columns) else tuple(columns)


def _in_one_order(matrix: object) -> Any:
    """The confusion matrix; if rows and columns both have names, an error unless these are equal
    and in the same order.
    """
    rows, columns = getattr(matrix, "index", None), _names_of_columns(matrix)
    if not columns or rows is None or has_default_index(rows):
        return matrix
    named = {"rows": list(rows), "columns": list(columns)}
    if named["rows"] == named["columns"]:
        return matrix
    listings = ", ".join(f"{axis} are {listing(names)}" for axis, names in named.items())
    call = ".reindex(index=names, columns=names, fill_value=0) of all names"
    raise UsageError(
        argument="confusion matrix",
        what=listings,
        remedy=f"give rows and columns the same names in the same order, such as by {call}",
    )


def _members(given: object) -> Memberships:
    if isinstance(given, Confusion):
        names = given.categories
        if of_tables.is_large(len(names)):
            return of_tables.of_kinds(*given.cells, len(names), names)
        return of_matrix(given.counts, names)
    if not isinstance(given, Decisions):
        return of_matrix(_in_one_order(given), _names_of_columns(given))
    if (weights := given.weights) is not None and weights.dtype.kind == "f":
        raise UsageError(
            argument="weights",
            what="this interval is of items without sampling weights",
            remedy="take pc.interval(decisions, measure)",
        )
    parts = (given.truth, given.predicted, given._both)
    true, decided, both = (
        ItemCategories(membership.item, membership.category) for membership in parts
    )
    return Memberships(
        true,
        decided,
        both,
        np.ones(given.truth.items, np.int64) if weights is None else weights.astype(np.int64),
        len(given.categories),
        given.categories,
    )


def interval_of_decisions(
    given: Decisions,
    measure: str | Measure | None = None,
    beta: float = 1.0,
    *,
    average: str | None = None,
    undefined: str = "zero",
    prevalence: float | None = None,
    groups: object = None,
    level: float = 0.95,
    method: str | None = None,
    rng: Rng = 0,
    resamples: int | None = None,
) -> Interval | Intervals:
    """Intervals of decisions: of one measure of counts, or of the usual ones; see `pc.interval`.

    With sampling weights, measures within 0..1 have the bounds of a share of an effective number of
    items; see `decisions`. Whole weights repeat items.

    Without `measure`, binary decisions have intervals of precision, recall, f and accuracy. Others
    have precision, recall and f for each category, accuracy (the share of items all of whose labels
    are right), micro-f and macro-f.

    Parameters
    ----------
    measure : any measure of counts, or "f", "micro-f", "macro-f".
    beta : of F and E, unless their name has one.
    average, undefined : see `Decisions.value`.
    prevalence : the share of relevant items in another population, of which the value is to be;
        recall and specificity are taken as those of these decisions. Only of a yes or no.
    groups : the group of each item, if items of a group may be alike, such as lesions of a patient.
        Not for averages over categories.
    method : see `precall.intervals.methods`; averages have "bca" (default) and "percentile", and
        micro- and macro-F the methods of `micro_f`.

    Examples
    --------
    >>> from precall.hard_decisions import decisions
    >>> made = decisions([1] * 30 + [0] * 30, [1] * 24 + [0] * 30 + [1] * 6)
    >>> print(interval_of_decisions(made, "MCC"))
    MCC 0.6000 [0.3592, 0.7756] 95 % posterior
    """
    chosen = options_given(rng, level=level, resamples=resamples, method=method)
    sample = _Sample.of(given, prevalence, groups)
    if measure is not None:
        return _of_measure(given, measure, beta, average, undefined, sample, chosen)
    chosen.pop("method", None)
    averaged = given.truth.kind != "binary" and sample.member is None
    names = _PLAIN + _AVERAGED if averaged else _PLAIN
    names_with_method = measures_with_method(
        method, {name: _methods(name, sample) for name in names}
    )
    flat: dict[Any, Interval] = {}
    notes: dict[Note, None] = {}
    with collect_notes():
        for name in names:
            own = chosen | (
                {"method": names_with_method[name]} if name in names_with_method else {}
            )
            if _methods(name, sample) != METHODS["F"]:
                own.pop("resamples", None)
            interval = _of_measure(given, name, beta, average, undefined, sample, own)
            many = at_once(len(given.categories), level)
            notes |= dict.fromkeys(note for note in interval.notes if note not in many)
            if isinstance(interval, Interval):
                flat[name] = interval
            else:
                flat |= {(key, name): of_category for key, of_category in interval.items()}
    categories = 1 if given.truth.kind == "binary" else len(given.categories)
    return (
        Intervals(flat, notes=tuple(notes), over="category")
        .aloud()
        .with_notes(*at_once(categories, level))
    )


class _Sample(NamedTuple):
    """How items stand for a population: the share of relevant items in it, and the group of each
    item if groups were drawn.
    """

    prevalence: float | None = None
    member: Int64 | None = None

    @classmethod
    def of(cls, given: Decisions, prevalence: float | None, groups: object) -> _Sample:
        """The sample of decisions, from what was passed."""
        if prevalence is not None:
            prevalence = check_prevalence(given, prevalence)
        return cls(prevalence, None if groups is None else members(groups, given.truth.items))


def check_prevalence(given: Decisions, prevalence: float) -> float:
    """A share of relevant items that a yes or no about each item can be taken to; else an error."""
    if given.truth.kind != "binary":
        raise UsageError(
            argument="prevalence",
            what="is of a yes or no about each item; these decisions have "
            f"{len(given.categories)} categories",
            remedy="choose one by ⟨positive=⟩",
        )
    return check_share("prevalence", prevalence, nonzero=True, below_one=True)


def name_at_prevalence(measure: Measure, prevalence: float) -> str:
    """What the value of a measure at a prevalence is called.

    Examples
    --------
    >>> name_at_prevalence(of_counts("P"), 0.02)
    'P at prevalence 0.02'
    """
    return f"{measure.name} at prevalence {prevalence:g}"


def values_at_prevalence(
    given: Decisions, measures: Iterable[Measure], prevalence: float
) -> dict[str, float]:
    """The values at a prevalence of the predictive values, and of those measures that depend on
    it.

    Examples
    --------
    >>> from precall.hard_decisions import decisions
    >>> made = decisions([1] * 10 + [0] * 10, [1] * 9 + [0] * 10 + [1])
    >>> values_at_prevalence(made, [], 0.1)
    {'P at prevalence 0.1': 0.5, 'NPV at prevalence 0.1': 0.9878...}
    """
    prevalence = check_prevalence(given, prevalence)
    counts, values = given.counts(), {}
    for measure in dict.fromkeys((of_counts("P"), of_counts("NPV"), *measures)):
        cells = [float(cell[0]) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]
        if not has_fixed_classes(value_of(measure), cells):
            (value,) = values_of(value_of(measure, prevalence), np.array(cells)[:, None])
            values[name_at_prevalence(measure, prevalence)] = float(value)
    return values


def _methods(name: str, sample: _Sample) -> tuple[str, ...]:
    if name in _AVERAGED:
        return METHODS["averages of F"]
    declared = of_counts(name).declaration
    if sample.member is not None:
        is_share = declared.proportion is not None or declared.name in ("F", "E")
        is_share = is_share and (sample.prevalence is None or declared.name == "R")
        return METHODS["share in groups" if is_share else "table in groups"]
    at = None if declared.name == "R" else sample.prevalence
    return METHODS[of_tables.kind(declared, at)]


def methods_of(measure: Measure) -> dict[str, tuple[str, ...]]:
    """The interval methods of a measure of counts, by the kind of decisions."""
    declared = measure.declaration
    of_table, measure_and_average = METHODS[of_tables.kind(declared)], METHODS["averages of counts"]
    of_f = METHODS["averages of F"] if of_tables.kind(declared) == "F" else ()
    # A joint measure of single-label decisions is computed from the whole table.
    joint = (
        {"single-label decisions": measure_and_average}
        if declared.joint is not None and declared.items is None
        else {}
    )
    if measure.is_ordered:
        return {"binary decisions": of_table, **joint}
    return {
        "binary decisions" if declared.items is None else "decisions": of_table,
        "each category": of_table,
        **joint,
        "micro": of_f + measure_and_average,
        "macro": of_f + measure_and_average,
        "weighted": measure_and_average,
        "samples": METHODS["mean"],
    }


#: Measures whose averages do not need the number of items that are rightly in no category.
_WITHOUT_TN = ("F", "E", "P", "R", "Jaccard")


@estimating("mean")
def _infinite(
    label: str, why: str, *, level: float = 0.95, method: str = "t", **_: Any
) -> Interval:
    return no_interval(label, why, level, method, np.inf)


def measure_average_label(
    name: str | Measure, average: str | None, beta: float
) -> tuple[Measure, str | None, str]:
    """The measure that `name` means, the average that is in it or given beside it, and the label
    of its intervals; F and E take `beta` unless their name has one.
    """
    label = as_text(name)
    measure, way = measure_and_average(label if isinstance(name, str) else name, average)
    if way != average:
        begin = label.lower().rfind(f"{way}-")
        average, label = way, measure.name if begin < 0 else label[begin + len(f"{way}-") :]
    declared = measure.declaration
    if declared.name in ("F", "E") and measure.given.isdisjoint(("alpha", "beta")):
        measure = weighted(declared.name, beta)
    return measure, average, label


def _of_measure(
    given: Decisions,
    name: str | Measure,
    beta: float,
    average: str | None,
    undefined: str,
    sample: _Sample,
    chosen: dict[str, Any],
) -> Interval | Intervals:
    measure, average, label = measure_average_label(name, average, beta)
    declared = measure.declaration
    if measure.is_ordered:
        check_order(measure, given.truth, average)
    is_joint = average is None and declared.joint is not None and given.truth.kind == "single"
    of_items = average is None and declared.items is not None
    is_grouped = sample.member is not None or sample.prevalence is not None
    if given.weights is not None and is_grouped:
        raise UsageError(
            argument="weights",
            what="weighted decisions have no interval of groups or at a prevalence",
            remedy="leave ⟨groups=⟩ and ⟨prevalence=⟩ out",
        )
    if given.weights is not None and given.weights.dtype.kind == "f":
        from precall.hard_decisions.weighted_intervals import of_weights

        return of_weights(given, measure, label, average, undefined, chosen)
    if sample.member is not None or (sample.prevalence is not None and of_items):
        if average not in (None, "each") or is_joint:
            raise UsageError(
                argument="groups",
                what=f"{label} over categories has no interval of groups",
                remedy="leave ⟨groups=⟩ out, or take average='each'",
            )
        return _of_groups(given, measure, label, sample, chosen)
    if average == "samples":
        return _of_samples(given, measure, label, undefined, chosen)
    if of_items:
        hits = given.of_items[given.right() == (declared.direction > 0)].sum()
        refuse_unknown_options(chosen, proportion)
        return proportion(int(hits), int(given.of_items.sum()), measure=label, **chosen)
    if average in (None, "each") and not is_joint:
        return _each(given, measure, label, sample, chosen)
    of_f = declared.name in ("F", "E") and average in ("micro", "macro")
    if of_f and find_method("averages of F", chosen.get("method", "logit")):
        return _averaged_f(given, measure, str(average), chosen)
    return _of_average(given, measure, label, average, undefined, is_joint, chosen)


def _of_samples(
    given: Decisions, measure: Measure, label: str, undefined: str, chosen: dict[str, Any]
) -> Interval:
    """The interval of a mean over items."""
    values = fill(measure.of_table(given.counts("samples")), measure, undefined)
    if given.weights is not None:
        values = np.repeat(values, given.of_items.astype(np.int64))
    return mean_of_samples("items", values, measure, label, chosen)


def mean_of_samples(
    units: str, values: Float64, measure: Measure, label: str, chosen: dict[str, Any]
) -> Interval:
    """The interval of a mean of values, one of each of the `units`; NaN is left out."""
    values, label = values[~np.isnan(values)], f"samples {label}"
    refuse_unknown_options(chosen, mean)
    if infinite := int(np.count_nonzero(np.isinf(values))):
        why = f"it is infinite in {infinite} of {len(values)} {units}"
        return _infinite(label, why, **chosen)
    limits = measure.declaration.range
    return mean_over(units, values, measure=label, **{"range": limits, **chosen})


def _of_average(
    given: Decisions,
    measure: Measure,
    label: str,
    average: str | None,
    undefined: str,
    whole: bool,
    chosen: dict[str, Any],
) -> Interval:
    """The interval of an average over categories, or of a measure of the `whole` table."""
    declared = measure.declaration
    if declared.name not in _WITHOUT_TN:
        given.truth.refuse_unlabelled(
            f"{average} {label}", f"take intervals of {', '.join(_WITHOUT_TN)}, or of each category"
        )
    estimate = float(given.value(measure, average, undefined))
    value = (
        partial(joint_value, measure.joint)
        if whole
        else partial(averages_of, measure, average, undefined)
    )
    # "weighted kappa" alone has another meaning.
    support = "support-" * (average == "weighted" and bool(declared.ordered))
    name = label if whole else f"{support}{average} {label}"
    members = _members(given._with_distances() if measure.is_ordered else given)
    # Balanced accuracy of the whole table is the mean of the categories' recalls.
    equal = average == "macro" or (whole and declared.name == "BalancedAccuracy")
    # Recall does not depend on how often its category is decided.
    rarest = members.rarest(decided=not whole and declared.name != "R") if equal else None
    return of_tables.of_averages(
        value,
        estimate,
        name,
        members,
        rarest=rarest,
        left_out=None if whole else averages_without(measure, average, undefined),
        **chosen,
    )


def _averaged_f(
    given: Decisions, measure: Measure, average: str, chosen: dict[str, Any]
) -> Interval:
    make, beta = micro_f if average == "micro" else macro_f, of_tables.beta_of(measure)
    refuse_unknown_options(chosen, make)
    interval = _average(average, given, beta, **chosen)
    return (
        interval if measure.declaration.name == "F" else interval.complement(f"{average} E{beta:g}")
    )


def _of_groups(
    given: Decisions, measure: Measure, label: str, sample: _Sample, chosen: dict[str, Any]
) -> Interval | Intervals:
    """Intervals of a measure of items in groups; accuracy and error are over items."""
    member = sample.member
    if member is None:
        return _each(given, measure, label, sample, chosen)
    if measure.declaration.items is not None and given.truth.kind != "binary":
        right = given.right() if measure.declaration.direction > 0 else ~given.right()
        hits = np.bincount(member, right).astype(np.float64)
        sizes = np.bincount(member).astype(np.float64)
        refuse_unknown_options(chosen, share_in_groups)
        return share_in_groups(hits, sizes, label=label, **chosen)

    def interval_of(category: int) -> Interval:
        table = tables_by_group(given, member, category)
        return of_groups(measure, label, table, sample.prevalence, **chosen)

    return _of_categories(given, label, interval_of, chosen)


def _each(
    given: Decisions, measure: Measure, label: str, sample: _Sample, chosen: dict[str, Any]
) -> Interval | Intervals:
    counts = given.counts()
    columns = (counts.tp, counts.fp, counts.fn, counts.tn)
    tables = list(zip(*(cells.tolist() for cells in columns), strict=True))
    return _of_categories(
        given,
        label,
        lambda category: of_tables.of_cells(
            measure, label, tables[category], sample.prevalence, **chosen
        ),
        chosen,
    )


def _of_categories(
    given: Decisions, label: str, interval_of: Callable[[int], Interval], chosen: dict[str, Any]
) -> Interval | Intervals:
    """The interval of a yes or no, or of each category."""
    if given.truth.kind == "binary":
        return interval_of(0)
    with collect_notes():
        intervals = {
            str(key): interval_of(category) for category, key in enumerate(given.categories)
        }
    return (
        Intervals(
            intervals,
            notes=[
                note
                for key, interval in intervals.items()
                for note in notes_of(key, interval.notes)
            ],
            over="category",
            of=label,
        )
        .aloud()
        .with_notes(*at_once(len(intervals), chosen.get("level", 0.95)))
    )


def level_of_each(
    given: object, measures: Sequence[str | Measure], level: float, groups: object
) -> float:
    """The level of the intervals of several measures of decisions that hold together at `level`.

    Shares of different cases, such as recall and specificity, are independent, so the levels
    multiply. Otherwise the chances of a miss are added up (Bonferroni).

    Examples
    --------
    >>> from precall.hard_decisions import decisions
    >>> made = decisions([1, 1, 0, 0], [1, 0, 0, 0])
    >>> round(level_of_each(made, ["R", "Specificity"], 0.95, None), 6)
    0.974679
    >>> level_of_each(made, ["R", "P"], 0.95, None)
    0.975
    """
    if not isinstance(given, Decisions) or given.truth.kind != "binary":
        raise UsageError(
            argument="joint",
            allowed="of several measures of a yes or no about each item",
            got=Fact(many(len(given.truth.categories), "category", "categories"))
            if isinstance(given, Decisions)
            else Kind(given),
            remedy="choose one category by ⟨positive=⟩"
            if isinstance(given, Decisions)
            else "pass pc.decisions(..., positive=) and a list of measures",
        )
    level = check_level(level)
    shares = [measure_and_average(name, None)[0].declaration.proportion for name in measures]
    cells = [name for share in shares if share is not None for name in " ".join(share).split()]
    if groups is None and None not in shares and len({*cells}) == len(cells):
        return float(level ** (1 / len(measures)))
    return 1 - (1 - level) / len(measures)


def options_given(rng: Any, **options: Any) -> dict[str, Any]:
    """The seed, and those of the other options that are not None."""
    return {"rng": rng, **{name: value for name, value in options.items() if value is not None}}


def at_once(categories: int, level: float) -> tuple[Note, ...]:
    """A note that intervals of several categories hold separately, not jointly."""
    if categories < 2:
        return ()
    joint = 1 - (1 - level) / categories
    joint = round(joint, 6 if joint < 0.9999 else 12)
    return (EachByItself("", categories, level, joint),)
