"""Sheets of null distributions: one of them, or those of `precall null` beside what was published and what was drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from precall.errors import UsageError
from precall.infer.null.distribution import NullDistribution, Tail
from precall.infer.null.settings import Description, Setting
from precall.infer.null.significance import Outcome
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold, describe_conventions

QUANTILES = (0.025, 0.5, 0.975)
COLUMNS = ("items", "relevant", "measure", "law", "statistic", "value")
_STATISTICS = ("mean", "variance", "2.5 %", "50 %", "97.5 %")


def description_sheet(description: Description) -> Sheet:
    """Mean, variance and three quantiles of each distribution, for every setting."""
    parts = [_of_setting(setting) for setting in description.settings]
    notes = [note for part in parts for note in part.notes]
    if any(setting.published for setting in description.settings):
        notes.append(
            "Zhang & Su: normal approximation as published in 2012; see docs/null.md for its errata."
        )
    conventions = describe_conventions(null="random selection, no ties")
    if description.simulate is not None:
        conventions["drawn"] = f"{description.simulate} rankings (seed {description.seed})"
    return Sheet(
        "precall.null/1", conventions, tuple(block for part in parts for block in part.blocks), tuple(notes),
        {"settings": [part.body for part in parts]}, COLUMNS, tuple(row for part in parts for row in part.tidy),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Part:
    """What a sheet has of one setting."""

    blocks: list[Block]
    notes: list[str]
    body: dict[str, object]
    tidy: list[tuple[Cell, ...]]


def _of_setting(setting: Setting) -> _Part:
    rows, null, case = _statistics(setting), setting.null, (setting.items, setting.relevant)
    lines = [Line(measure, (kind, *map(Threshold, values))) for (measure, kind), values in rows.items()]
    title = f"{setting.relevant} of {setting.items} items relevant, in random order"
    named = {key: dict(zip(_STATISTICS, values, strict=True)) for key, values in rows.items()}
    shape = {"skewness": null.skewness, "excess kurtosis": null.kurtosis}
    laws = [{"measure": measure, "law": kind, **values} for (measure, kind), values in named.items()]
    moments = "mean and variance exact, " if null.approximate else ""
    part = _Part(
        [Block(title, ("measure", "kind", *_STATISTICS), tuple(lines))],
        [f"AP of {setting.relevant} in {setting.items}: {moments}tails by {null.approximate}."],
        {"items": setting.items, "relevant": setting.relevant, "laws": laws, "AP": shape, "approximate": str(null.approximate)},
        [
            (*case, *key, name, value)
            for key, values in (*named.items(), (("AP", setting.kind), shape))
            for name, value in values.items()
        ],
    )  # fmt: skip
    if setting.outcome is not None:
        outcome, tails = setting.outcome, _tails(setting.outcome, setting)
        part.blocks.append(_asked(outcome, tails))
        part.notes.extend([setting.taken[1]] if setting.taken[1] else [])
        part.notes.append(f"p is P(AP >= {outcome.value:g}) under random selection: {outcome.tail}.")
        part.body["asked"] = _as_data(outcome, tails)
        part.tidy.extend((*case, "AP", kind, "p", p) for kind, p in tails.items())
    return part


def _statistics(setting: Setting) -> dict[tuple[str, str], list[float]]:
    """By measure and kind; what was drawn stands before what is computed."""
    draws, nulls = setting.draws(setting.simulate), setting.distributions()
    rows: dict[tuple[str, str], list[float]] = {}
    for measure in dict.fromkeys(measure for measure, _ in nulls):
        for key in draws.keys() & {(measure, "drawn")}:
            values = draws[key]
            rows[key] = [
                float(values.mean()),
                float(values.var(ddof=1)),
                *np.quantile(values, QUANTILES).tolist(),
            ]
        rows |= {key: _of_null(null) for key, null in nulls.items() if key[0] == measure}
    return rows


def _of_null(null: NullDistribution) -> list[float]:
    return [null.mean, null.var, *null.ppf(list(QUANTILES)).tolist()]


def null_sheet(null: NullDistribution) -> Sheet:
    """Mean, variance and three quantiles of one null distribution; of too many values to list what is known of them.

    Examples
    --------
    >>> from precall.infer.null import average_precision
    >>> round(null_sheet(average_precision(3, 1)).body["statistics"]["mean"], 4)
    0.6111
    """
    asked: dict[str, Callable[[], float]] = {"mean": lambda: null.mean, "variance": lambda: null.var}
    asked |= {name: partial(null.ppf, q) for name, q in zip(_STATISTICS[2:], QUANTILES, strict=True)}
    asked |= {"skewness": lambda: null.skewness, "excess kurtosis": lambda: null.kurtosis}
    statistics: dict[str, float | None] = dict.fromkeys(asked)
    unknown: dict[str, list[str]] = {}
    for name, value in asked.items():
        try:
            statistics[name] = value()
        except UsageError as error:
            unknown.setdefault(str(error), []).append(name)
    notes = [f"{', '.join(names)} not known: {why}" for why, names in unknown.items()]
    body = {"distribution": null.name, "statistics": statistics, "approximate": str(null.approximate)}
    lines = tuple(
        Line(name, (None if value is None else Threshold(value),)) for name, value in statistics.items()
    )
    return Sheet(
        "precall.distribution/1", describe_conventions(null="random selection"),
        (Block("", ("under random selection", null.name), lines),), (f"tails by {null.approximate}", *notes), body,
        ("distribution", "statistic", "value"),
        tuple((null.name, name, value) for name, value in statistics.items()),
    )  # fmt: skip


def _tails(outcome: Outcome, setting: Setting) -> dict[str, float]:
    """p by what it is."""
    tails = {_kind(outcome.tail): outcome.p}
    if setting.published and setting.relevant > 1:
        tails["Zhang & Su"] = setting.null.zhang_su().sf(outcome.value)
    return tails


def _kind(tail: Tail) -> str:
    """Exact only where it is."""
    if tail.bound:
        return "upper bound"
    if not tail.error:
        return "exact"
    return f"within {100 * tail.error:g} %" if np.isfinite(tail.error) else "error not bounded"


def _asked(outcome: Outcome, tails: dict[str, float]) -> Block:
    values = {"AP": outcome.value, "over chance": outcome.effect}
    values |= {f"p, {kind}": p for kind, p in tails.items()}
    lines = tuple(Line(name, (Threshold(value),)) for name, value in values.items())
    return Block("", ("asked", "value"), lines)


def _as_data(outcome: Outcome, tails: dict[str, float]) -> dict[str, object]:
    return {
        "AP": outcome.value, "over chance": outcome.effect, "p": tails, "method": outcome.tail.method,
        "relative error": outcome.tail.error, "upper bound": outcome.tail.bound,
    }  # fmt: skip
