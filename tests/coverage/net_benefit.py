"""Coverage of intervals of net benefit, and of bands of decision curves.

`python -m tests.coverage.net_benefit` writes tests/coverage/records/net_benefit.json and a table in
docs/why/intervals.md.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.core.notes import collect_notes
from tests.coverage import judges

RECORD = Path(__file__).with_name("records") / "net_benefit.json"
PAGE = Path(__file__).parents[2] / "docs" / "why" / "intervals.md"
MARK, DRAWS, MANY = "net benefit", 1000, 400_000
GRID = np.arange(1, 9) / 20


class Situation(NamedTuple):
    """Cases with normal scores, and the risks that follow from them."""

    name: str
    cases: int
    prevalence: float
    apart: float = 1.2
    against: str = "none"
    threshold: float | None = 0.1
    """None: the band over eight thresholds."""
    fixed: bool = False
    groups: int = 1
    """Cases of a group."""
    weighted: bool = False


SITUATIONS = (
    Situation("a cohort", 750, 0.14),
    Situation("few relevant cases", 200, 0.05),
    Situation("hardly any", 100, 0.03),
    Situation("over all", 750, 0.14, against="all"),
    Situation("over all, few", 200, 0.05, against="all"),
    Situation("two models", 750, 0.14, against="other"),
    Situation("two models, few", 200, 0.05, against="other"),
    Situation("case-control", 200, 0.5, fixed=True),
    Situation("case-control, few", 40, 0.5, fixed=True),
    Situation("case-control, two models", 200, 0.5, against="other", fixed=True),
    Situation("40 groups of 5", 200, 0.14, groups=5),
    Situation("15 groups of 20", 300, 0.14, groups=20),
    Situation("40 groups of 5, over all", 200, 0.14, against="all", threshold=0.05, groups=5),
    Situation("40 groups of 5, two models", 200, 0.14, against="other", groups=5),
    Situation("sampling weights", 400, 0.2, weighted=True),
    Situation("sampling weights, over all", 200, 0.2, against="all", weighted=True),
    Situation("sampling weights, few, over all", 300, 0.05, against="all", weighted=True),
    Situation("sampling weights, two models", 400, 0.2, against="other", weighted=True),
    Situation("sampling weights, two models, few", 150, 0.1, against="other", weighted=True),
    Situation("band", 750, 0.14, threshold=None),
    Situation("band, few", 200, 0.08, threshold=None),
    Situation("band over all", 750, 0.14, threshold=None, against="all"),
    Situation("band of two models", 750, 0.14, threshold=None, against="other"),
    Situation("band of two models, few", 200, 0.1, threshold=None, against="other"),
    Situation("band, case-control", 400, 0.5, threshold=None, fixed=True),
    Situation("band, 40 groups of 5", 200, 0.2, threshold=None, groups=5),
    Situation("band over all, 40 groups of 5", 200, 0.2, against="all", threshold=None, groups=5),
)
#: The prevalence that case-control samples are for.
_FIXED = 0.15


def _draw(rng: np.random.Generator, of: Situation, cases: int, share: float) -> tuple[Any, ...]:
    """Labels, and two risks; cases of a group are alike."""
    shared = 0.8 * rng.standard_normal(cases // of.groups).repeat(of.groups) * (of.groups > 1)
    odds = np.log(share / (1 - share))
    relevant = rng.random(cases) < 1 / (1 + np.exp(-(odds + shared)))
    if of.fixed:
        relevant = np.arange(cases) < cases * share
    hidden = rng.standard_normal(cases)
    scores = (
        of.apart * relevant + 0.8 * hidden + 0.6 * rng.standard_normal(cases),
        0.8 * of.apart * relevant + 0.8 * hidden + 0.6 * rng.standard_normal(cases),
    )
    base = np.log(_FIXED / (1 - _FIXED)) if of.fixed else odds
    risks = [
        1 / (1 + np.exp(-(base + apart * (score - apart / 2))))
        for score, apart in zip(scores, (of.apart, 0.8 * of.apart), strict=True)
    ]
    return relevant, *risks


def _true(of: Situation) -> Any:
    """The net benefit in the population, from a great sample."""
    share = of.prevalence
    relevant, risk, other = _draw(np.random.default_rng(7), of, MANY, share)
    against = {"other": other}.get(of.against, of.against)
    grid = GRID if of.threshold is None else [of.threshold]
    fixed = _FIXED if of.fixed else None
    with collect_notes():
        return pc.interval.net_benefit_band(
            relevant, risk, grid=grid, against=against, prevalence=fixed, kind="pointwise"
        ).estimate


def simulate(of: Situation, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals, or bands, that hold the truth, lie above it or below it; mean width."""
    rng = np.random.default_rng(zlib.crc32(repr(of).encode()))
    truth, grid = _true(of), GRID if of.threshold is None else [of.threshold]
    held = width = told = 0.0
    for _ in range(draws):
        relevant, risk, other = _draw(rng, of, of.cases, of.prevalence)
        options: dict[str, Any] = {"prevalence": _FIXED} if of.fixed else {}
        options["against"] = {"other": other}.get(of.against, of.against)
        if of.groups > 1:
            options["groups"] = np.arange(of.cases) // of.groups
        if of.weighted:  # cases of low risk are kept in part
            kept = np.where(risk < np.median(risk), 0.4, 1.0)
            taken = rng.random(of.cases) < kept
            relevant, risk = relevant[taken], risk[taken]
            if of.against == "other":
                options["against"] = other[taken]
            options["weights"] = 1 / kept[taken]
        with collect_notes() as notes:
            band = pc.interval.net_benefit_band(
                relevant,
                risk,
                grid=grid,
                kind="pointwise" if of.threshold else "simultaneous",
                resamples=1000,
                **options,
            )
        held += bool(np.all((band.low <= truth) & (truth <= band.high)))
        width += float(np.mean(band.high - band.low))
        told += bool(notes)
    return {**of._asdict(), "draws": draws} | {
        "held": held / draws,
        "width": width / draws,
        "told": told / draws,
    }


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page."""
    lines = ["| situation | cases | relevant | covers | mean width |", "|:--|--:|--:|--:|--:|"]
    return lines + [
        f"| {cell['name']} | {cell['cases']} | {cell['prevalence']:.0%} | {cell['held']:.1%} "
        f"| {cell['width']:.3f} |"
        for cell in cells
    ]


def main() -> None:
    cells = [simulate(situation) for situation in SITUATIONS]
    judges.write_table(RECORD, MARK, cells, table, PAGE)


if __name__ == "__main__":
    main()
