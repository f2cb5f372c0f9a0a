"""The sheet of `precall null`: laws under random selection, beside what was published and what was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from precall.infer.null import AveragePrecision, Law, Outcome, Tail, average_precision, precision, recall
from precall.ragged import Float64
from precall.reporting.sheets import Block, Cell, Line, Sheet, Threshold

QUANTILES = (0.025, 0.5, 0.975)
COLUMNS = ("items", "relevant", "measure", "law", "statistic", "value")
_STATISTICS = ("mean", "variance", "2.5 %", "50 %", "97.5 %")


@dataclass(frozen=True, slots=True)
class Setting:
    """A number of items and of relevant ones, and what is asked about them."""

    items: int
    relevant: int
    retrieved: int
    drawn: int | None = None
    seed: int | None = None
    value: float | None = None

    def laws(self) -> dict[tuple[str, str], Law]:
        """Exact laws by measure, and the published one of AP, by (measure, law)."""
        found = {
            (f"recall at {self.retrieved}", "exact"): recall(self.items, self.relevant, self.retrieved),
            (f"precision at {self.retrieved}", "exact"): precision(self.items, self.relevant, self.retrieved),
            ("AP", "exact"): self.law,
        }
        if self.relevant > 1:
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
        from precall.infer.null.placements import draw

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
        if self.value is None:
            return None
        return Outcome(self.value, self.law, self.law.tail(self.value))


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
            notes.append(f"p is P(AP >= {outcome.value:g}) under random selection: {outcome.tail}.")
            part["asked"] = _as_data(outcome, setting)
            tidy += [
                (setting.items, setting.relevant, "AP", law, "p", p)
                for law, p in _tails(outcome, setting).items()
            ]
        body.append(part)
    notes.append("Zhang & Su: normal approximation as published in 2012; see docs/null.md for its errata.")
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
                found[measure, label] = [one.mean, one.var, *one.ppf(list(QUANTILES)).tolist()]
    return found


def _shape(setting: Setting, tidy: list[tuple[Cell, ...]]) -> dict[str, object]:
    law = setting.law
    shape = {"skewness": law.skewness, "excess kurtosis": law.kurtosis}
    tidy += [(setting.items, setting.relevant, "AP", "exact", name, value) for name, value in shape.items()]
    return {"AP": shape, "approximate": str(law.approximate)}


def _tails(outcome: Outcome, setting: Setting) -> dict[str, float]:
    found = {"exact": outcome.p}
    if setting.relevant > 1:
        found["Zhang & Su"] = setting.law.zhang_su().sf(outcome.value)
    return found


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
