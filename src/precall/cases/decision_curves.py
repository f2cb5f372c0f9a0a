"""Decision curves: the net benefit of risks at several thresholds, with its interval and band."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases.scored_cases import check_cases, members, refuse_nan, weight
from precall.core.arguments import (
    check_choice,
    check_level,
    check_numbers,
    check_rows,
    check_whole,
    is_number,
)
from precall.core.conventions import describe_conventions
from precall.core.counts import Counts
from precall.core.errors import UsageError
from precall.core.notes import Note, collect_notes, keep_notes, run_and_warn, warn
from precall.core.notes.of_intervals import FewCases, FewGroups
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, generator_and_seed, seed_of
from precall.core.text import percent
from precall.measures import of_counts
from precall.native import kernel_name
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table
from precall.stats.intervals.bands import KINDS, Band
from precall.stats.intervals.interval import Interval, undefined
from precall.stats.intervals.net_benefit import Benefits

if TYPE_CHECKING:
    from precall.cases.curves import Curve
    from precall.cases.table import CaseTable

#: The thresholds of decision curves: 5 %, 10 %, ..., 50 %.
THRESHOLDS = np.arange(1, 11) / 20
#: With fewer, intervals by influence can miss the net benefit.
_FEWEST, _FEWEST_GROUPS = 30, 25
NONE, ALL = "none", "all"
#: The row of accepting all, in a table of decision curves.
TREAT_ALL = "treat all"


def net_benefit(
    relevant: object,
    risk: object,
    threshold: float,
    *,
    against: object = NONE,
    prevalence: float | None = None,
    level: float = 0.95,
    rng: Rng = 0,
    weights: object = None,
    groups: object = None,
    positive: object = None,
) -> Interval:
    """Interval of the net benefit of accepting the cases whose risk is at least a threshold.

    Parameters
    ----------
    relevant : labels, as for `curve`.
    risk : predicted risk of each case, in 0..1.
    threshold : the risk from which on a case is accepted, in (0, 1). It also says what a false
        positive costs: t / (1 - t) true positives.
    against : what is subtracted: the net benefit of accepting "none" of the cases, which is 0, or
        "all" of them, or that of another risk, as an array in the order of the cases.
    prevalence : the share of relevant cases that the net benefit is for, if the cases were not
        sampled with theirs (case-control). None is that of the cases.
    level : nominal coverage, in (0, 1).
    rng : accepted as in every interval; nothing is drawn here.
    weights : integers repeat a case; if any is a float, all are sampling weights.
    groups : the group of each case, such as a patient; groups are then the sample.
    positive : the label of relevant cases, if it is not 1 or true.

    Returns
    -------
    Interval
        In true positives per case. The method is "split-dirichlet", of independent cases, also
        weighted ones; "rao-scott", of groups: that of as many independent cases as would have their
        error; "mover", of a fixed prevalence; or "influence" (value ± z or t errors), at a fixed
        prevalence of groups, weights and two risks. Undefined (None, with a warning) if nothing is
        relevant or everything is and a prevalence is given, or with fewer than two groups.

    Raises
    ------
    DataError, UsageError
        As `pc.curve` does; and if a risk is not in 0..1, or an argument is not allowed.

    Warns
    -----
    PrecallWarning
        Fewer than 25 groups; by influence also fewer than 30 relevant or other cases.

    Notes
    -----
    For a decision the rule of the greater expected benefit is the better one, however wide the
    interval is; the interval says whether more data are needed (Vickers, Van Calster, Wynants &
    Steyerberg 2023). So there is no p.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 20
    >>> risk = [0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1] * 20
    >>> print(interval.net_benefit(relevant, risk, 0.25))
    net benefit at 0.25 0.3333 [0.2553, 0.4111] 95 % split-dirichlet
    >>> print(interval.net_benefit(relevant, risk, 0.25, against="all"))
    net benefit at 0.25 over accepting all 0.1333 [0.1064, 0.1557] 95 % split-dirichlet
    """
    if not is_number(threshold) or not 0 < threshold < 1:
        raise UsageError(argument="threshold", allowed="a number in (0, 1)", got=threshold)
    rates = _check_thresholds("threshold", [threshold])
    level = check_level(level)
    benefits = _benefits(
        relevant,
        risk,
        rates,
        against,
        prevalence,
        weights=weights,
        groups=groups,
        positive=positive,
    )
    name = f"net benefit at {float(threshold):g}{_over(against)}"
    if why := _lacking(benefits):
        estimate = float(benefits.estimate[0]) if benefits.groups == 1 else np.nan
        return undefined(name, why, level, benefits.method, estimate)
    return _interval(benefits, name, level)


def net_benefit_band(
    relevant: object,
    risk: object,
    *,
    against: object = NONE,
    prevalence: float | None = None,
    level: float = 0.95,
    kind: str = "simultaneous",
    grid: object = None,
    rng: Rng = 0,
    resamples: int = 10_000,
    weights: object = None,
    groups: object = None,
    positive: object = None,
) -> Band:
    """Band of the decision curve: net benefit at given thresholds, with bounds.

    Parameters
    ----------
    kind : "simultaneous" (default): at this level, the whole curve over the grid lies in the band;
        "pointwise": at this level, the curve lies in the band at each single threshold.
    grid : thresholds, ascending, in (0, 1) (default: .05, .10, ..., .50).
    rng : seed of the draws of the greatest deviation, for the simultaneous band.
    resamples : the number of these draws.
    relevant, risk, against, prevalence, level, weights, groups, positive : see `net_benefit`.

    Returns
    -------
    Band
        Its methods are those of `net_benefit`. Accepting none has net benefit 0; the curve of
        accepting all is the band of a risk that is 1 for each case, and known if `prevalence` is
        given. The band of a difference
        (`against="all"`, or another risk) is much narrower than what the bands of both suggest,
        because both rules decide about the same cases.

    Raises
    ------
    UsageError
        A threshold is not allowed; or the net benefit is undefined, as `net_benefit` says.

    Warns
    -----
    PrecallWarning
        As `net_benefit` does.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 20
    >>> risk = [0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1] * 20
    >>> found = interval.net_benefit_band(relevant, risk, grid=[0.1, 0.25, 0.5], against="all")
    >>> print(found)
    band of net_benefit_over_all at 3 points of threshold 0.1 to 0.5, simultaneous, 95 % split-dirichlet, 10,000 resamples, seed 0
    >>> found.low.round(3), found.high.round(3)
    (array([-0.015,  0.104,  0.292]), array([0.001, 0.158, 0.498]))
    """  # noqa: E501
    rates = THRESHOLDS if grid is None else _check_thresholds("grid", grid)
    check_choice("kind", kind, KINDS)
    benefits = _benefits(
        relevant,
        risk,
        rates,
        against,
        prevalence,
        weights=weights,
        groups=groups,
        positive=positive,
    )
    return _band(benefits, rates, against, level=level, kind=kind, rng=rng, resamples=resamples)


def table_of_curve(
    curve: Curve, thresholds: object = None, prevalence: float | None = None
) -> Table:
    """The decision curve of a curve as a table; see `Curve.net_benefit`."""
    if not curve.higher_is_better:
        what = "net benefit is of risks, of which high ones are accepted"
        raise UsageError(argument="higher_is_better", what=what)
    refuse_no_risks(curve.threshold[1:])
    rates = THRESHOLDS if thresholds is None else _check_thresholds("thresholds", thresholds)
    points = [curve.at(threshold=rate) for rate in rates.tolist()]
    tp, fp = (np.array([getattr(point, cell) for point in points]) for cell in ("tp", "fp"))
    relevant, other = float(curve.relevant), float(curve.other)
    # Shares of all cases: their own, or those of a population with this prevalence.
    if prevalence is None:
        total = relevant + other
        hits, others = (np.divide(size, total) for size in (relevant, other))
    else:
        hits, others = _check_prevalence(prevalence), 1 - prevalence
    with np.errstate(divide="ignore", invalid="ignore"):
        accepted = hits * tp / np.float64(relevant), others * fp / np.float64(other)
    shares = Counts(*accepted, hits - accepted[0], others - accepted[1])
    columns: dict[str, Any] = {"threshold": rates, "tp": tp, "fp": fp}
    for name in ("net_benefit", "standardized", "avoided"):
        columns[name] = _at_each(rates, shares, name.removesuffix("_benefit"))
    every = Counts(
        np.full(len(rates), hits), np.full(len(rates), others), *np.zeros((2, len(rates)))
    )
    columns |= {"treat_all": _at_each(rates, every, "net"), "treat_none": np.zeros(len(rates))}
    return Table(columns, noticed=lambda: curve.notes)


def _at_each(rates: Float64, shares: Counts, scale: str) -> Float64:
    """The net benefit of each table at the threshold of its own."""
    return np.array(
        [
            of_counts(f"NetBenefit(threshold={rate!r},scale={scale})").of_table(shares)[place]
            for place, rate in enumerate(rates.tolist())
        ]
    )


def _check_prevalence(prevalence: object) -> float:
    if not is_number(prevalence) or not 0 < prevalence < 1:  # type: ignore[operator]
        raise UsageError(argument="prevalence", allowed="a number in (0, 1)", got=prevalence)
    return float(prevalence)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class DecisionCurves(Equal, Presented):
    """The decision curves of the risks in a table, with their bands: of each risk, of each over
    accepting all, and of accepting all; and of the differences of pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from precall.cases.table import CaseTable
    >>> table = CaseTable.of(
    ...     "", np.array([True, False] * 40), {"s": np.tile([0.6, 0.3], 40)}, None, None, 0, True
    ... )
    >>> print(decision_curves(table, grid=[0.5]))
    risk        against  threshold  net_benefit  low     high
    ...
    """

    bands: Mapping[tuple[str, str], Band]
    conventions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def table(self) -> Table:
        """A row for each risk, what it is compared with, and threshold."""
        rows = [
            (risk, against, *numbers)
            for (risk, against), band in self.bands.items()
            for numbers in zip(
                *(column.tolist() for column in (band.x, band.estimate, band.low, band.high)),
                strict=True,
            )
        ]
        names = ("risk", "against", "threshold", "net_benefit", "low", "high")
        return Table.of_rows(names, rows)


def decision_curves(
    table: CaseTable,
    names: Iterable[str] | None = None,
    *,
    pairs: Iterable[tuple[str, str]] = (),
    grid: object = None,
    prevalence: float | None = None,
    level: float = 0.95,
    rng: Rng = 0,
) -> DecisionCurves:
    """The decision curves of the risks in a table that `read_cases` read.

    Parameters
    ----------
    names : columns of risks (default: all).
    pairs : two columns each, whose difference has a band too.
    grid, prevalence, level, rng : see `net_benefit_band`.
    """
    chosen, seed = list(table.scores if names is None else names), seed_of(rng)
    if table.grouped or table.missed or not table.higher_is_better:
        what = "decision curves need a risk for each case, and accept high ones, all at once"
        raise UsageError(argument="table", what=what)
    risks = {name: table.scores[name] for name in chosen}
    wanted: list[tuple[str, str, Any, Any]] = [
        (name, against, risks[name], against) for name in chosen for against in (NONE, ALL)
    ]
    wanted.append((TREAT_ALL, NONE, np.ones(len(table.relevant)), NONE))
    wanted += [(a, b, table.scores[a], table.scores[b]) for a, b in pairs]
    bands, notes = {}, list(table.notes)
    for risk, against, values, other in wanted:
        with collect_notes():
            band = net_benefit_band(
                table.relevant,
                values,
                against=other,
                prevalence=prevalence,
                level=level,
                grid=grid,
                rng=seed,
                weights=table.weights,
                groups=table.clusters,
            )
        if risk == TREAT_ALL and prevalence is not None:
            # All are accepted, whoever they are, and the share of relevant ones is known.
            band = replace(band, low=band.estimate, high=band.estimate)
        bands[risk, against] = band
        notes += [note.within(risk) for note in band.notes]
    first = next(iter(bands.values()))
    about = describe_conventions(
        file=table.source or None,
        **table.asked,
        interval=f"{first.kind} bands, {percent(level)}, {first.method}",
        seed=str(seed),
        prevalence=None if prevalence is None else f"{prevalence:g}",
        kernel=kernel_name(),
    )
    return DecisionCurves(bands, about, tuple(dict.fromkeys(notes)))


@keep_notes
def _interval(benefits: Benefits, name: str, level: float) -> Interval:
    _warn_of_few(name, benefits)
    low, high = benefits.bounds(level)
    return Interval(
        float(benefits.estimate[0]),
        float(low[0]),
        float(high[0]),
        level,
        benefits.method,
        name,
        _assumptions(benefits),
        standard_error=float(benefits.error[0]),
    )


@keep_notes
def _band(
    benefits: Benefits,
    rates: Float64,
    against: object,
    *,
    level: float,
    kind: str,
    rng: Rng,
    resamples: int,
) -> Band:
    level, resamples = check_level(level), check_whole("resamples", resamples, 100)
    if why := _lacking(benefits):
        culprit = "groups" if benefits.groups else "relevant"
        raise UsageError(argument=culprit, what=f"the net benefit is undefined: {why}")
    _warn_of_few("band", benefits, "band")
    sampling: dict[str, Any] = {}
    reach = None
    if kind == "simultaneous":
        source, seed = generator_and_seed(rng)
        reach = benefits.reach(level, source, resamples)
        sampling = {"seed": seed, "resamples": resamples}
    along = {NONE: "net_benefit", ALL: "net_benefit_over_all"}.get(
        against if isinstance(against, str) else "", "net_benefit_difference"
    )
    bounds = benefits.estimate, *benefits.bounds(level, reach)
    assumptions = _assumptions(benefits)
    return Band(
        rates, *bounds, "threshold", along, level, kind, benefits.method, assumptions, **sampling
    )


def _benefits(
    relevant: object,
    risk: object,
    rates: Float64,
    against: object,
    prevalence: float | None,
    *,
    weights: object = None,
    groups: object = None,
    positive: object = None,
) -> Benefits:
    """The benefits of checked labels, risks, weights and groups."""
    check_rows(relevant=relevant, weights=weights, groups=groups)
    truth, above = _above("risk", relevant, risk, rates, positive)
    signs: tuple[int, ...] = (1, -1)
    if isinstance(against, str):
        check_choice("against", against, (NONE, ALL))
        signs = (1,) if against == NONE else (-1,)
        other = np.full(len(truth), len(rates) if against == ALL else 0)
    else:
        other = _above("against", relevant, against, rates, positive)[1]
    if prevalence is not None:
        prevalence = _check_prevalence(prevalence)
    heavy = None if weights is None else weight(weights, len(truth))
    group = None
    if groups is not None:
        group, notes = run_and_warn(lambda: members(groups, len(truth)))
        del notes  # they were given
    if heavy is not None:
        kept = heavy > 0
        truth, above, other, heavy = truth[kept], above[kept], other[kept], heavy[kept]
        group = None if group is None else group[kept]
    if group is not None:
        group = np.unique(group, return_inverse=True)[1]
    return Benefits.of(truth, above, other, rates / (1 - rates), prevalence, signs, heavy, group)


def _above(
    name: str, relevant: object, risk: object, rates: Float64, positive: object
) -> tuple[Bool, Int64]:
    """The labels, and the number of thresholds that each case reaches."""
    truth, value = check_cases(relevant, risk, positive)
    refuse_nan(value)
    refuse_no_risks(value, name)
    # Thresholds in the type of the risks, as `risk >= threshold` compares.
    return truth, np.searchsorted(rates.astype(value.dtype), value, "right")


def refuse_no_risks(value: Any, name: str = "risk") -> None:
    """Raise unless all scores are in 0..1."""
    if len(value) and not (value.min() >= 0 and value.max() <= 1):
        wrong = value.min() if value.min() < 0 else value.max()
        raise UsageError(
            argument=name,
            what="net benefit compares risks with thresholds",
            allowed="probabilities in 0..1",
            got=wrong.item(),
            remedy="calibrate them, or measure NetBenefit(threshold=0.2) of decisions",
        )


def _check_thresholds(name: str, grid: object) -> Float64:
    """Thresholds as an array; they must ascend within (0, 1)."""
    rates = check_numbers(name, grid)
    if (
        rates.ndim != 1
        or not len(rates)
        or not np.all((rates > 0) & (rates < 1))
        or not np.all(np.diff(rates) > 0)
    ):
        raise UsageError(argument=name, allowed="ascending numbers in (0, 1)")
    return rates


def _over(against: object) -> str:
    """What is subtracted, for the name of the measure."""
    if not isinstance(against, str):
        return ", difference"
    return " over accepting all" if against == ALL else ""


def _lacking(benefits: Benefits) -> str:
    """Why the net benefit or its bounds are undefined; empty if they are defined."""
    if not len(benefits.weight):
        return "there are no cases"
    if benefits.prevalence is not None and (benefits.relevant.all() or not benefits.relevant.any()):
        return f"{'everything' if benefits.relevant.all() else 'nothing'} is relevant"
    return "it needs at least two groups" if benefits.groups == 1 else ""


def _warn_of_few(name: str, benefits: Benefits, of: str = "interval") -> None:
    if benefits.groups:
        if benefits.groups < _FEWEST_GROUPS:
            warn(FewGroups(name, benefits.groups, benefits.groups))
        return
    if benefits.method != "influence":
        return
    # Unequal weights count as their effective number of cases.
    sizes = [
        float(benefits.weight[side].sum() ** 2 / max(float(benefits.square[side].sum()), 1e-300))
        for side in (benefits.relevant, ~benefits.relevant)
    ]
    if min(sizes) < _FEWEST:
        warn(FewCases(name, min(sizes), of=of))


def _assumptions(benefits: Benefits) -> str:
    what = "groups of cases" if benefits.groups else "cases"
    fixed = ", prevalence fixed" if benefits.prevalence is not None else ""
    return f"{what} drawn independently{fixed}"
