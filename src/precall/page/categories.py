"""Categories → a section: measures of each, their averages, what is decided, and curves of all decisions together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from precall.intervals import Intervals, cases, interval
from precall.notes import listening, noted, together
from precall.page.record import Part
from precall.page.record_tables import blocks_of, interval_at
from precall.page.scored import blocks_if_drawn, described, part_of
from precall.sheet import verdicts
from precall.sheet.categories import SAID, categories_sheet, decisions_sheet, senses

if TYPE_CHECKING:
    from precall.contingency import Decisions, Status
    from precall.infer.interval.interval import Interval
    from precall.rng import Rng

    Bounds = dict[tuple[str, str, str], Interval]

#: So many categories have a curve beside the pooled one; in more nobody would tell the lines apart.
_DRAWN = 5
POOLED = "all pairs together"


def of_categories(
    status: Status, policy: str | None = None, undefined: str = "zero", *, level: float, rng: int, source: str = "",
    asked: Mapping[str, str | None] | None = None,
) -> Part:  # fmt: skip
    """Scores of many categories: the tables, and the curves of all pairs together and of the worst categories.

    Decided is by `policy`; if there is none, for the best category where each item has one. `source` and what was
    `asked` of the table are told.

    Examples
    --------
    >>> from precall import categorize
    >>> status = categorize(["a", "b", "b"] * 20, [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]] * 20)
    >>> section, headline, _ = of_categories(status, level=0.95, rng=0)
    >>> section["kind"], [one["name"] for one in section["systems"]]
    ('categories', ['all pairs together', 'a', 'b'])
    >>> headline[0]
    'Mean average precision of 2 categories 1.0000, of all pairs together 0.9167.'
    """
    given, single = policy, bool(np.all(status.truth.per_item() == 1))
    policy = policy or ("rank:1" if single else None)
    more = {**(asked or {}), "policy": given, "ties": "block", "undefined": undefined, **senses()}
    conventions = described(source, level, rng, **more) | ({} if policy is None else {"policy": policy})
    part, remarks = noted(partial(_categories, status, conventions, undefined, policy, level, rng))
    return part._replace(notes=[*part.notes, *remarks])


def _categories(
    status: Status, conventions: dict[str, str], undefined: str, policy: str | None, level: float, rng: Rng
) -> Part:
    sheet = categories_sheet(status, policy, undefined, conventions)
    intervals, notes = intervals_of_categories(status, level)
    if policy is not None:
        of_decisions, more = intervals_of_decisions(status.decide(status.thresholds(policy)), level, rng)
        intervals, notes = intervals | of_decisions, notes + more
    values = status.by_category("AP").values
    names = [str(name) for name in status.categories]
    order = sorted(range(len(names)), key=lambda i: (values[i] != values[i], values[i]))
    wanted = set(order[:_DRAWN])
    each = {names[i]: curve for i, curve in enumerate(status.curves()) if i in wanted and curve.relevant}
    pooled = POOLED
    while pooled in each:
        pooled = f"({pooled})"
    section = part_of({pooled: status.pooled()} | each, conventions=conventions).section | {
        "kind": "categories", "blocks": blocks_of(sheet, intervals), "title": "Categories", "shown": len(each),
        "of": len(names), "policy": policy,
    }  # fmt: skip
    headline = [verdicts.of_categories(sheet.body["averages"], len(names))]
    if policy is not None:
        decided = verdicts.of_decisions(sheet.body["decisions"], partial(interval_at, intervals))
        headline.append(f"Decided by {policy}: {decided}.")
    return Part(section, headline, [*sheet.notes, *notes])


def decided(decisions: Decisions, undefined: str = "zero", *, level: float = 0.95, rng: Rng = 0) -> Part:
    """Hard decisions: contingency tables, precision, recall and F of each category, and their averages."""
    sheet = decisions_sheet(decisions, undefined, {})
    intervals, notes = intervals_of_decisions(decisions, level, rng)
    section = {"kind": "sheet", "title": "Decisions", "blocks": blocks_of(sheet, intervals)}
    section["signature"] = f"undefined {undefined} | level {level:g}"
    averages = verdicts.of_decisions(sheet.body, partial(interval_at, intervals))
    return Part(section, [f"{averages}, {decisions.truth.items} items."], [*sheet.notes, *notes])


def intervals_of_categories(status: Status, level: float) -> tuple[Bounds, list[str]]:
    """Intervals of AP and the area under ROC, of each category and of all pairs as one list.

    All pairs are drawn item by item. A mean over categories has none: they share their items.
    """
    intervals: Bounds = {}
    notes: list[tuple[str, str]] = []
    lists = {
        ("category", str(name)): blocks_if_drawn(curve)
        for name, curve in zip(status.categories, status.curves(), strict=True)
    }
    if not status.pooled().missed:
        lists["average", "micro"] = cases.blocks_of(status.relevant, status.score, groups=status.item)
    for key, blocks in lists.items():
        for measure in ("AP", "AUC") if blocks is not None else ():
            with listening():
                intervals[(*key, measure)] = made = cases.OF_LISTS[measure](blocks, level=level)
            notes += [(key[1], text) for text in made.notes]
    return intervals, together(notes)


def intervals_of_decisions(decisions: Decisions, level: float, rng: Rng) -> tuple[Bounds, list[str]]:
    """Intervals of what is decided: shares of each category, and averages of F."""
    with listening():
        known = cast("Intervals", interval(decisions, level=level, rng=rng))
    columns = {"precision": "precision", "recall": "recall", "f": "F1"}
    averages = {"micro-f": "micro", "macro-f": "macro"}
    intervals: Bounds = {}
    for key, made in known.items():
        # Of a yes or no there is one category, which is not named.
        name, measure = key if isinstance(key, tuple) else (str(decisions.categories[0]), key)
        if measure in columns:
            intervals["category", name, columns[measure]] = made
        elif measure in averages:
            intervals["average", averages[measure], "F1"] = made
        else:
            for line in ("accuracy", SAID["accuracy", "exact"]):
                intervals["measure", line, "value"] = made
    return intervals, list(known.notes)
