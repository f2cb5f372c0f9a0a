"""The sheet of `precall null`: laws under random selection, beside what was published and what was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal as DecimalNumber

import numpy as np

from precall.infer.null import AveragePrecision, Law, Outcome, Tail, average_precision, precision, recall
from precall.ragged import Float64
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold, describe_conventions

QUANTILES = (0.025, 0.5, 0.975)
COLUMNS = ("items", "relevant", "measure", "law", "statistic", "value")
#: Relative differences of p up to the stated error of the laws are not told.
_TOLD = 0.02
_STATISTICS = ("mean", "variance", "2.5 %", "50 %", "97.5 %")


@dataclass(frozen=True, slots=True)
class Taken:
    """The value that a number in decimals stands for, and what is to be said about it, if anything."""

    value: float
    note: str | None = None


def taken(law: AveragePrecision, text: str) -> Taken:
    """The value of AP that rounds to what was typed; where several do, the one that is typed or the least.

    Examples
    --------
    >>> taken(average_precision(8, 3), "0.9167").note
    '0.9167 is taken as 0.916666666667, the value of AP that rounds to it.'
    """
    given, listed = float(text), law._atoms()
    decimals = -int(DecimalNumber(text).as_tuple().exponent)
    if decimals < 1:
        return Taken(given)
    half = 0.5 * 10.0**-decimals * (1 + 1e-9) + 1e-12
    if listed is None:
        return Taken(given, _unlisted(law, text, max(given - half, 0.0), min(given + half, 1.0)))
    near = listed[0][np.abs(listed[0] - given) <= half]
    values = near[np.unique(np.round(near, 13), return_index=True)[1]]
    if not len(values):
        return Taken(given, f"No value of AP rounds to {text}: it is taken as it is.")
    same = np.abs(values - given) < 1e-12
    chosen = float(values[same][0] if same.any() else values[0])
    if len(values) > 1:
        low, high = (law.sf(float(values[i])) for i in (-1, 0))
        return Taken(
            chosen,
            f"Warning: {len(values)} values of AP round to {text}; taken is {chosen:.12g}. Their p goes from "
            f"{low:.4g} to {high:.4g}: give more decimals.",
        )
    if same.any():
        return Taken(chosen)
    return Taken(chosen, f"{text} is taken as {chosen:.12g}, the value of AP that rounds to it.")


def _unlisted(law: AveragePrecision, text: str, least: float, most: float) -> str | None:
    """What is said of values that are too many to be listed: the span of their p, if it is more than the usual error of p."""
    low, high = law.tail(most).p, law.tail(least).p
    if high <= low * (1 + _TOLD):
        return None
    return (
        f"Warning: the values of AP that round to {text} are too many to list; it is taken as it is. Their p goes from "
        f"{low:.4g} to {high:.4g}: give more decimals."
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """A number of items and of relevant ones, and what is asked about them."""

    items: int
    relevant: int
    retrieved: int
    drawn: int | None = None
    seed: int | None = None
    asked: str | None = None
    """An AP as it was typed."""
    published: bool = False
    """Whether the published approximation is asked for."""

    def laws(self) -> dict[tuple[str, str], Law]:
        """Exact laws by measure, and, if asked for, the published one of AP, by (measure, law)."""
        found = {
            (f"recall at {self.retrieved}", "exact"): recall(self.items, self.relevant, self.retrieved),
            (f"precision at {self.retrieved}", "exact"): precision(self.items, self.relevant, self.retrieved),
            ("AP", "exact"): self.law,
        }
        if self.published and self.relevant > 1:
            found["AP", "Zhang & Su"] = self.law.zhang_su()
        return found

    @property
    def law(self) -> AveragePrecision:
        """The law of AP."""
        return average_precision(self.items, self.relevant)

    def draws(self) -> dict[tuple[str, str], Float64]:
        """Values of random rankings, by (measure, "drawn"); each ranking gives all three measures."""
        if self.drawn is None:
            return {}
        from precall.infer.null.tail.placements import draw

        m, t = self.relevant, self.retrieved
        order, sums, found = np.arange(1, m + 1), [np.empty(0)], [np.empty(0)]
        for rank in draw(self.items, m, self.drawn, np.random.default_rng(self.seed)):
            sums.append((order / rank).sum(axis=1))
            found.append((rank <= t).sum(axis=1).astype(np.float64))
        hits = np.concatenate(found)
        return {
            (f"recall at {t}", "drawn"): hits / m,
            (f"precision at {t}", "drawn"): hits / t,
            ("AP", "drawn"): np.concatenate(sums) / m,
        }

    def outcome(self) -> Outcome | None:
        """The AP that was asked about, against its law."""
        if self.asked is None:
            return None
        value = self.taken().value
        return Outcome(value, self.law, self.law.tail(value))

    def taken(self) -> Taken:
        """The value of AP that was meant."""
        return taken(self.law, str(self.asked))


def null_sheet(settings: Sequence[Setting], conventions: dict[str, str]) -> Sheet:
    """Mean, variance and three quantiles of each law, for every setting."""
    blocks: list[Block] = []
    notes: list[str] = []
    body: list[dict[str, object]] = []
    tidy: list[tuple[Cell, ...]] = []
    for setting in settings:
        rows = _statistics(setting)
        lines = [Line(measure, (law, *map(Threshold, values))) for (measure, law), values in rows.items()]
        title = f"{setting.relevant} of {setting.items} items relevant, in random order"
        blocks.append(Block(title, ("measure", "law", *_STATISTICS), tuple(lines)))
        laws = [
            {"measure": measure, "law": law, **dict(zip(_STATISTICS, values, strict=True))}
            for (measure, law), values in rows.items()
        ]
        part: dict[str, object] = {"items": setting.items, "relevant": setting.relevant, "laws": laws}
        tidy += [
            (setting.items, setting.relevant, *key, name, value)
            for key, values in rows.items()
            for name, value in zip(_STATISTICS, values, strict=True)
        ]
        part |= _shape(setting, tidy)
        notes.append(f"AP of {setting.relevant} in {setting.items}: tails by {setting.law.approximate}.")
        outcome = setting.outcome()
        if outcome is not None:
            blocks.append(_asked(outcome, setting))
            if note := setting.taken().note:
                notes.append(note)
            notes.append(f"p is P(AP >= {outcome.value:g}) under random selection: {outcome.tail}.")
            part["asked"] = _as_data(outcome, setting)
            found = _tails(outcome, setting).items()
            tidy += [(setting.items, setting.relevant, "AP", law, "p", p) for law, p in found]
        body.append(part)
    if any(setting.published for setting in settings):
        notes.append(
            "Zhang & Su: normal approximation as published in 2012; see docs/null.md for its errata."
        )
    return Sheet(
        "precall.null/1", conventions, tuple(blocks), tuple(notes), {"settings": body}, COLUMNS, tuple(tidy)
    )


def _statistics(setting: Setting) -> dict[tuple[str, str], list[float]]:
    found: dict[tuple[str, str], list[float]] = {}
    draws = setting.draws()
    laws = setting.laws()
    for measure in dict.fromkeys(name for name, _ in laws):
        for (name, law), values in draws.items():
            if name == measure and len(values) > 1:
                points = np.quantile(values, QUANTILES).tolist()
                found[measure, law] = [float(values.mean()), float(values.var(ddof=1)), *points]
        for (name, label), one in laws.items():
            if name == measure:
                found[measure, label] = _of_law(one)
    return found


def _of_law(law: Law) -> list[float]:
    return [law.mean, law.var, *law.ppf(list(QUANTILES)).tolist()]


def law_sheet(law: Law) -> Sheet:
    """Mean, variance and three quantiles of one null distribution.

    Examples
    --------
    >>> from precall.infer.null import average_precision
    >>> round(law_sheet(average_precision(3, 1)).body["statistics"]["mean"], 4)
    0.6111
    """
    statistics = dict(zip(_STATISTICS, _of_law(law), strict=True))
    statistics |= {"skewness": law.skewness, "excess kurtosis": law.kurtosis}
    body = {"distribution": law.name, "statistics": statistics, "approximate": str(law.approximate)}
    lines = tuple(Line(name, (Threshold(value),)) for name, value in statistics.items())
    return Sheet(
        "precall.distribution/1", describe_conventions(null="random selection"),
        (Block("", ("under random selection", law.name), lines),), (f"tails by {law.approximate}",), body,
        ("distribution", "statistic", "value"),
        tuple((law.name, name, value) for name, value in statistics.items()),
    )  # fmt: skip


def _shape(setting: Setting, tidy: list[tuple[Cell, ...]]) -> dict[str, object]:
    law = setting.law
    shape = {"skewness": law.skewness, "excess kurtosis": law.kurtosis}
    tidy += [(setting.items, setting.relevant, "AP", "exact", name, value) for name, value in shape.items()]
    return {"AP": shape, "approximate": str(law.approximate)}


def _tails(outcome: Outcome, setting: Setting) -> dict[str, float]:
    found = {_sort(outcome.tail): outcome.p}
    if setting.published and setting.relevant > 1:
        found["Zhang & Su"] = setting.law.zhang_su().sf(outcome.value)
    return found


def _sort(tail: Tail) -> str:
    """What p is: exact only where it is."""
    if tail.bound:
        return "upper bound"
    if not tail.error:
        return "exact"
    return f"within {100 * tail.error:g} %" if np.isfinite(tail.error) else "error not bounded"


def _asked(outcome: Outcome, setting: Setting) -> Block:
    lines = [
        Line("AP", (Threshold(outcome.value),)),
        Line("over chance", (Threshold(outcome.effect),)),
        *(Line(f"p, {law}", (Threshold(p),)) for law, p in _tails(outcome, setting).items()),
    ]
    return Block("", ("asked", "value"), tuple(lines))


def _as_data(outcome: Outcome, setting: Setting) -> dict[str, object]:
    tail: Tail = outcome.tail
    return {
        "AP": outcome.value, "over chance": outcome.effect, "p": _tails(outcome, setting), "method": tail.method,
        "relative error": tail.error, "upper bound": tail.bound,
    }  # fmt: skip
