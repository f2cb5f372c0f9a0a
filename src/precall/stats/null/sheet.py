"""Sheets of null distributions, of the results of `precall null`, and of outcomes of significance
tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from precall.core.conventions import describe_conventions
from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.core.notes.of_null import (
    AsLimit,
    AsPublished,
    MomentsDrawn,
    NotKnown,
    PIs,
    PMeans,
    RelevantMissed,
    TailsBy,
)
from precall.core.text import many, percent, python_scalar
from precall.results.blocks import AT_MOST, Block, Cell, Line, Row, Threshold, block_of_values
from precall.results.sheets import Sheet
from precall.stats.null.description import Description, Setting, kind
from precall.stats.null.distribution import NullDistribution, Tail
from precall.stats.null.early_stops import SequentialOutcome, SequentialTest
from precall.stats.null.significance import Outcome, Significance
from precall.stats.quantiles import ENDS, QUANTILES

#: Critical values of this level are no answer to what p a value has.
_USUAL_LEVEL = 0.95
_COLUMNS = ("items", "relevant", "measure", "law", "statistic", "value")


def description_sheet(description: Description) -> Sheet:
    """Mean, sd and three quantiles of each distribution, for every setting; csv and json also have
    the variance.
    """
    rankings = (
        f"{many(description.simulate, 'ranking')} (seed {description.seed})"
        if description.simulate is not None
        else None
    )
    conventions = describe_conventions(null="random selection, no ties", drawn=rankings)
    first = description.settings[0]
    if first.asked:
        conventions |= {"level": f"{first.level:.12g}"} | (
            {} if first.at is None else {"cutoff": str(first.at)}
        )
    parts = [
        (_of_measures if first.asked else _of_setting)(setting, conventions)
        for setting in description.settings
    ]
    notes = list(dict.fromkeys(note for sheet in parts for note in sheet.notes))
    if any(setting.published for setting in description.settings):
        notes.append(AsPublished(""))
    if any(setting.limit for setting in description.settings):
        notes.append(AsLimit(""))
    return Sheet(
        "precall.null/2",
        conventions,
        tuple(block for sheet in parts for block in sheet.blocks),
        tuple(notes),
        {"settings": [sheet.body for sheet in parts]},
        parts[0].columns,
        tuple(row for sheet in parts for row in sheet.tidy),
    )


def _of_setting(setting: Setting, conventions: dict[str, str]) -> Sheet:
    """The sheet of one setting without named measures."""
    null, case = setting.null, (setting.items, setting.relevant)
    named = {key: _moments(values, ENDS) for key, values in _statistics(setting).items()}
    blocks = [_of_kinds(setting, named, ENDS)]
    approximate, case_named = null.approximate, f"AP of {setting.relevant} in {setting.items}"
    accuracy = TailsBy(case_named, *approximate.facts, bool(approximate))
    # The table says which distributions are exact.
    notes: list[Note] = [accuracy] * bool(approximate)
    laws = [
        {"measure": measure, "law": kind, **values} for (measure, kind), values in named.items()
    ]
    body: dict[str, Any] = {
        "items": setting.items,
        "relevant": setting.relevant,
        "laws": laws,
        "AP": _shape(null),
        "approximate": str(null.approximate),
    }
    every = [*named.items(), (("AP", kind(setting.null)), _shape(null))]
    tidy: list[Row] = [
        (*case, *key, name, value) for key, values in every for name, value in values.items()
    ]
    if (outcome := setting.outcome) is not None:
        tails = {_kind(outcome.tail): outcome.p}
        if setting.published and setting.relevant > 1:
            tails["Zhang & Su"] = null.zhang_su().sf(outcome.value)
        tested = {"AP": outcome.value, "over chance": outcome.effect}
        rows = {"AP": _outcome_cells(outcome)}
        if "Zhang & Su" in tails:
            normal = null.zhang_su()
            cells = (outcome.value, normal.mean, outcome.value - normal.mean, tails["Zhang & Su"])
            rows["AP, Zhang & Su"] = dict(zip(_ASKED[1:], (*cells, "approximate"), strict=True))
        rows |= _of_limits(setting, outcome)
        tails |= {law.kind: law.sf(outcome.value) for law in setting.limits}
        meaning = PIs("AP", *outcome.tail.facts, outcome.value)
        blocks.insert(0, replace(_block_of_asked(rows), legends=(meaning,)))
        notes = [*filter(None, [setting.taken[1]]), *notes, meaning]
        body["asked"] = tested | _facts(outcome, tails)
        tidy += [(*case, "AP", kind, "p", p) for kind, p in tails.items()]
    return Sheet("precall.null/2", conventions, tuple(blocks), tuple(notes), body, _COLUMNS, tidy)


def _of_measures(setting: Setting, conventions: dict[str, str]) -> Sheet:
    """The sheet of one setting whose measures were named, with critical values and the p of each
    value.
    """
    ends = (1 - setting.level) / 2, 0.5, (1 + setting.level) / 2
    heads = tuple(map(percent, ends))
    rows, case = _statistics(setting, ends), (setting.items, setting.relevant)
    named = {key: _moments(values, heads) for key, values in rows.items()}
    blocks = [_of_kinds(setting, named, heads)]
    critical = {
        setting.label(name): _critical(null, setting.level) for name, null in setting.nulls.items()
    }
    rare = f"least value with p <= {1 - setting.level:.3g}"
    of_critical = _block_of_rows((rare, "value", "p", "p is"), critical)
    if setting.outcomes and setting.level == _USUAL_LEVEL:
        of_critical = replace(of_critical, detail="critical values")
    blocks.append(of_critical)
    tested = {
        setting.label(name): _outcome_cells(outcome)
        for name, (outcome, _) in setting.outcomes.items()
    }
    if setting.limits and "ap" in setting.outcomes:
        tested |= _of_limits(setting, setting.outcomes["ap"][0])
    # The table says which distributions are exact.
    drawn = {name: error for name, null in setting.nulls.items() if (error := _mean_error(null))}
    notes: list[Note] = [
        TailsBy(setting.label(name), *null.approximate.facts, name not in drawn)
        for name, null in setting.nulls.items()
        if null.approximate
    ]
    notes += [MomentsDrawn(setting.label(name), error) for name, error in drawn.items()]
    if tested:
        meaning = PMeans("")
        blocks.insert(0, replace(_block_of_asked(tested), legends=(meaning,)))
        notes += [note for _, note in setting.outcomes.values() if note]
        notes.append(meaning)
    tidy: list[Row] = [
        (*case, *key, name, value) for key, row in named.items() for name, value in row.items()
    ]
    for before, cells in (("critical ", critical), ("asked ", tested)):
        tidy += [
            (*case, name, row["p is"], before + key, value)
            for name, row in cells.items()
            for key, value in row.items()
            if key != "p is"
        ]
    body = _named_body(setting, named, critical, tested)
    return Sheet("precall.null/2", conventions, tuple(blocks), tuple(notes), body, _COLUMNS, tidy)


def _mean_error(null: NullDistribution) -> float:
    """The standard error of the mean of random orders; 0 if the mean is exact."""
    return float(getattr(null, "mean_error", 0.0))


def _of_limits(setting: Setting, outcome: Outcome) -> dict[str, dict[str, Cell]]:
    """A row for each limit law of AP: its p, and by how much that is wrong."""
    rows: dict[str, dict[str, Cell]] = {}
    for law in setting.limits:
        p = float(law.sf(outcome.value))
        error = 100 * (p / outcome.p - 1)
        wrong = f"{abs(error):.3g} % too {'small' if error < 0 else 'great'}"
        cells = (outcome.value, law.mean, outcome.value - law.mean, p, wrong)
        rows[f"AP, {law.kind}"] = dict(zip(_ASKED[1:], cells, strict=True))
    return rows


def _named_body(
    setting: Setting,
    named: Mapping[tuple[str, str], dict[str, float]],
    critical: Mapping[str, Mapping[str, Any]],
    tested: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The JSON of named measures: their laws, critical values, and the values tested."""
    return {
        "items": setting.items,
        "relevant": setting.relevant,
        "level": setting.level,
        "laws": [
            {"measure": measure, "law": kind, **row} for (measure, kind), row in named.items()
        ],
        "critical": [{"measure": name, **row} for name, row in critical.items()],
        "values": [{"measure": name, **row} for name, row in tested.items()],
        "tails": {
            setting.label(name): str(null.approximate) for name, null in setting.nulls.items()
        },
    }


def _of_kinds(
    setting: Setting, named: Mapping[tuple[str, str], dict[str, float]], heads: tuple[str, ...]
) -> Block:
    """A line for each measure and kind of distribution."""
    lines = [
        Line(measure, (kind, *map(Threshold, _without_variance(row))))
        for (measure, kind), row in named.items()
    ]
    title = f"{setting.relevant} of {setting.items} items relevant, in random order"
    return Block(title, ("measure", "kind", "mean", "sd", *heads), tuple(lines))


def _moments(values: list[float], heads: tuple[str, ...]) -> dict[str, float]:
    mean, variance, *ends = values
    return {
        "mean": mean,
        "variance": variance,
        "sd": variance**0.5,
        **dict(zip(heads, ends, strict=True)),
    }


def _without_variance(row: dict[str, float]) -> list[float]:
    """The values without the variance: the table has room for one, and sd is on the scale of the
    values.
    """
    return [value for name, value in row.items() if name != "variance"]


def _critical(null: NullDistribution, level: float) -> dict[str, Cell]:
    value = null.critical(level)
    if value is None:
        return {"value": None, "p": None, "p is": "more, of every value"}
    tail = null.tail(value)
    return {"value": value, "p": tail.p, "p is": _kind(tail)}


#: Columns of the values that were asked for.
_ASKED = ("asked", "value", "mean by chance", "over chance", "p", "p is")


def _outcome_cells(outcome: Outcome) -> dict[str, Cell]:
    cells = (outcome.value, outcome.null.mean, outcome.effect, outcome.p, _kind(outcome.tail))
    return dict(zip(_ASKED[1:], cells, strict=True))


def _block_of_asked(rows: Mapping[str, dict[str, Cell]]) -> Block:
    """A line for each value that was asked for; the mean and the difference are rounded."""
    return _block_of_rows(
        _ASKED,
        {
            name: {key: _p(cell) if key in _ASKED[2:4] else cell for key, cell in row.items()}
            for name, row in rows.items()
        },
    )


def _block_of_rows(heading: tuple[str, ...], rows: Mapping[str, dict[str, Cell]]) -> Block:
    lines = [
        Line(
            name,
            tuple(Threshold(cell) if isinstance(cell, float) else cell for cell in row.values()),
        )
        for name, row in rows.items()
    ]
    return Block("", heading, tuple(lines))


def _statistics(
    setting: Setting, quantiles: tuple[float, ...] = QUANTILES
) -> dict[tuple[str, str], list[float]]:
    """Statistics by measure and kind; those of random rankings stand before computed ones."""
    draws, nulls = setting.draws(setting.simulate), setting.distributions()
    rows: dict[tuple[str, str], list[float]] = {}
    for measure in dict.fromkeys(measure for measure, _ in nulls):
        if (values := draws.get((measure, "drawn"))) is not None:
            moments = [float(values.mean()), float(values.var(ddof=1))]
            rows[measure, "drawn"] = [*moments, *np.quantile(values, quantiles).tolist()]
        rows |= {key: _of_null(null, quantiles) for key, null in nulls.items() if key[0] == measure}
    return rows


def _of_null(null: NullDistribution, quantiles: tuple[float, ...]) -> list[float]:
    return [null.mean, null.var, *null.ppf(list(quantiles)).tolist()]


def _shape(null: NullDistribution) -> dict[str, float]:
    return {"skewness": null.skewness, "excess kurtosis": null.kurtosis}


def _kind(tail: Tail) -> str:
    """How exactly p is known, in the words of the tables."""
    if tail.bound:
        return "upper bound"
    if not tail.error:
        return "exact"
    return f"within {100 * tail.error:g} %" if np.isfinite(tail.error) else "error not bounded"


def _block_of_numbers(heading: tuple[str, str], values: Mapping[str, float | None]) -> Block:
    """A block with a line for each value, in the shortest form of its number."""
    return block_of_values(
        heading,
        {name: None if value is None else Threshold(value) for name, value in values.items()},
    )


def _facts(outcome: Outcome, tails: dict[str, float]) -> dict[str, object]:
    tail = outcome.tail
    return {
        "p": tails,
        "method": tail.method,
        "relative error": tail.error,
        "upper bound": tail.bound,
    }


def null_sheet(null: NullDistribution) -> Sheet:
    """Mean, variance, sd and three quantiles of one null distribution; notes name those that cannot
    be computed.
    """
    functions: dict[str, Callable[[], float]] = {
        "mean": lambda: null.mean,
        "variance": lambda: null.var,
    }
    functions |= {"sd": lambda: null.var**0.5}
    functions |= {name: partial(null.ppf, q) for name, q in zip(ENDS, QUANTILES, strict=True)}
    functions |= {"skewness": lambda: null.skewness, "excess kurtosis": lambda: null.kurtosis}
    statistics: dict[str, float | None] = dict.fromkeys(functions)
    unknown: dict[str, list[str]] = {}
    for name, value in functions.items():
        try:
            statistics[name] = value()
        except UsageError as error:
            unknown.setdefault(str(error), []).append(name)
    notes = [NotKnown("", tuple(names), why) for why, names in unknown.items()]
    return Sheet(
        "precall.distribution/2",
        describe_conventions(null="random selection"),
        (_block_of_numbers(("under random selection", null.name), statistics),),
        (TailsBy("", *null.approximate.facts), *notes),
        {"distribution": null.name, "statistics": statistics, "approximate": str(null.approximate)},
        ("distribution", "statistic", "value"),
        tuple((null.name, *row) for row in statistics.items()),
    )


def significance_sheet(tested: Significance) -> Sheet:
    """A line per ranking and one for their mean: the value, its expectation by chance, and p."""
    outcomes: dict[str, Outcome | None] = {}
    if len(tested.rankings) > 1:
        outcomes = {str(number): outcome for number, outcome in enumerate(tested.rankings, 1)}
    return _outcomes(
        tested,
        tested.measure,
        {**outcomes, "mean" if outcomes else tested.measure: tested.combined},
    )


def outcome_sheet(outcome: Outcome) -> Sheet:
    """One value against its null distribution."""
    return _outcomes(outcome, outcome.null.name, {outcome.null._quantity: outcome})


def _outcomes(
    tested: Significance | Outcome, measure: str, outcomes: Mapping[str, Outcome | None]
) -> Sheet:
    rows: list[Row] = [
        (name, *(None,) * 5, "undefined")
        if each is None
        else (name, each.value, each.null.mean, each.effect, each.p, each.share, _kind(each.tail))
        for name, each in outcomes.items()
    ]
    cells = ("value", "chance", "over_chance", "p", "share_of_possible", "p_is")
    # Four decimals would round a small p to 0.
    lines = [
        Line(str(row[0]), (*row[1:4], _p(row[4], each is not None and each.tail.bound), row[6]))
        for row, each in zip(rows, outcomes.values(), strict=True)
    ]
    block = Block(
        "",
        ("ranking" if len(rows) > 1 else "", "value", "chance", "over chance", "p", "p is"),
        tuple(lines),
    )
    missed = getattr(tested, "missed", 0)
    notes: tuple[Note, ...] = getattr(tested, "notes", ())
    notes += (RelevantMissed("", missed),) if missed else ()
    body = {"measure": measure, "missed": missed} | {
        "rankings": [dict(zip(("ranking", *cells), row, strict=True)) for row in rows]
    }
    conventions = describe_conventions(measure=measure, null="random selection")
    return Sheet(
        "precall.significance/2",
        conventions,
        (block,),
        notes,
        body,
        ("ranking", *cells),
        tuple(rows),
    )


def _p(cell: Cell, bound: bool = False) -> Cell:
    if bound and isinstance(cell, float):
        return f"{AT_MOST}{cell:.4g}"
    return Threshold(f"{cell:.4g}") if isinstance(cell, float) else cell


def sequential_sheet(test: SequentialTest) -> Sheet:
    """The hits that stop the test, each with the last rank at which so many are enough."""
    return Sheet(
        "precall.sequential/2",
        _conventions_of_sequential(test),
        (_block_of_steps(test),),
        (),
        _body_of_sequential(test),
        ("hits", "by_rank", "chance_of_a_stop"),
        tuple((hits, rank, test.spent[rank - 1]) for hits, rank in test.steps.items()),
    )


def sequential_outcome_sheet(outcome: SequentialOutcome) -> Sheet:
    """What the items read so far show, and the test below it."""
    names = ("read", "hits", "shown", "p", "bound", "evidence")
    values = [python_scalar(getattr(outcome, name)) for name in names]
    cells = tuple(_yes_or_no(value) if isinstance(value, bool) else value for value in values)
    found = Block(
        outcome.sentence,
        ("", "items read", "hits", "shown", "p"),
        (Line("", (outcome.read, outcome.hits, cells[2], _p(outcome.p, outcome.bound))),),
    )
    steps = replace(_block_of_steps(outcome.test), detail="steps")
    return Sheet(
        "precall.sequential/2",
        _conventions_of_sequential(outcome.test),
        (found, steps) if outcome.test.budget else (found,),
        (),
        _body_of_sequential(outcome.test)
        | {"outcome": dict(zip(names, values, strict=True)) | {"sentence": outcome.sentence}},
        names,
        (cells,),
    )


def _yes_or_no(fact: bool) -> str:
    return "yes" if fact else "no"


def _conventions_of_sequential(test: SequentialTest) -> dict[str, str]:
    return describe_conventions(
        null="random selection",
        relevant=f"{'at most ' if test.at_most else ''}{test.relevant} of {test.items} items",
        budget=many(test.budget, "item") if test.budget else "none",
        alpha=f"{test.alpha:.12g}",
        spending=test.spending if test.budget else None,
    )


def _block_of_steps(test: SequentialTest) -> Block:
    if not test.budget:
        evidence = Line("", (Threshold(f"{1 / test.alpha:.6g}"),))
        return Block("better than chance as soon as there is", ("", "evidence"), (evidence,))
    lines = [
        Line(str(hits), (rank, Threshold(f"{test.spent[rank - 1]:.4g}")))
        for hits, rank in test.steps.items()
    ]
    # With few items to read, or hardly any that is not relevant, no hits are enough.
    lines = lines or [Line("none", ("", Threshold("0")))]
    return Block(
        "better than chance as soon as there are",
        ("hits", "by rank", "chance of a stop until then"),
        tuple(lines),
    )


def _body_of_sequential(test: SequentialTest) -> dict[str, Any]:
    return {
        "items": test.items,
        "relevant": test.relevant,
        "at_most": bool(test.at_most),
        "budget": test.budget,
        "alpha": test.alpha,
        "spending": test.spending if test.budget else None,
        "size": test.size,
        "steps": [{"hits": hits, "by_rank": rank} for hits, rank in test.steps.items()],
        "boundary": list(test.boundary),
        "spent": list(test.spent),
    }
