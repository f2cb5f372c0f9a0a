"""Categories → sections of a record: measures of each, their averages, and curves of all decisions together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.page.record import Part
from precall.page.record_tables import blocks_of, interval_at, with_intervals
from precall.page.scored import Scored
from precall.page.uncertainty import Placed, intervals_of_categories, intervals_of_decisions
from precall.results import number
from precall.sheet.categories import categories_sheet, decisions_sheet, senses
from precall.sheet.forms import beside

if TYPE_CHECKING:
    from precall.contingency import Decisions, Status
    from precall.rng import Rng

#: So many categories have a curve beside the pooled one; in more nobody would tell the lines apart.
_DRAWN = 5
POOLED = "all pairs together"


def policy_for(status: Status) -> str | None:
    """How decisions are made if nobody says: for the best category where each item has one, else not at all."""
    return "rank:1" if np.all(status.truth.per_item() == 1) else None


def scored_categories(
    status: Status, conventions: Mapping[str, str] | None = None, undefined: str = "zero", policy: str | None = None, *,
    level: float = 0.95, rng: Rng = 0,
) -> Part:  # fmt: skip
    """Scores of many categories: the tables, and the curves of all pairs together and of the worst categories.

    Parameters
    ----------
    policy : of decisions, as `Status.thresholds` takes it (default: see `policy_for`).

    Examples
    --------
    >>> from precall import categorize
    >>> status = categorize(["a", "b", "b"] * 20, [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]] * 20)
    >>> section, headline, _ = scored_categories(status)
    >>> section["kind"], [one["name"] for one in section["systems"]]
    ('categories', ['all pairs together', 'a', 'b'])
    >>> headline[0]
    'Mean average precision of 2 categories 1.0000, of all pairs together 0.9167.'
    """
    policy = policy or policy_for(status)
    ours = {"undefined": undefined, "policy": policy or "none", "level": f"{level:g}", **senses()}
    known = dict(conventions or ours)
    sheet = categories_sheet(status, policy, undefined, known)
    intervals, notes = intervals_of_categories(status, level)
    if policy is not None:
        of_decisions, more = intervals_of_decisions(status.decide(status.thresholds(policy)), level, rng)
        intervals, notes = intervals | of_decisions, notes + more
    values = status.by_category("AP").values
    names = [str(name) for name in status.categories]
    order = sorted(range(len(names)), key=lambda i: (values[i] != values[i], values[i]))
    wanted = set(order[:_DRAWN])
    each = {names[i]: one for i, one in enumerate(status.curves()) if i in wanted and one.relevant}
    pooled = POOLED
    while pooled in each:
        pooled = f"({pooled})"
    scored = Scored({pooled: status.pooled()} | each, conventions=known)
    blocks = with_intervals(blocks_of(sheet), intervals)
    section = scored.section() | {
        "kind": "categories", "blocks": blocks, "title": "Categories", "shown": len(each), "of": len(names), "policy": policy,
    }  # fmt: skip
    averages = sheet.body["averages"]
    headline = [
        f"Mean average precision of {len(names)} categories {number(averages['macro']['AP'])}, "
        f"of all pairs together {number(averages['micro']['AP'])}."
    ]
    if policy is not None:
        headline.append(f"Decided by {policy}: {_averaged(sheet.body['decisions'], intervals)}.")
    return Part(section, headline, [*sheet.notes, *notes])


def decided(
    decisions: Decisions, conventions: Mapping[str, str] | None = None, undefined: str = "zero", *, level: float = 0.95,
    rng: Rng = 0,
) -> Part:  # fmt: skip
    """Hard decisions: contingency tables, precision, recall and F of each category, and their averages."""
    sheet = decisions_sheet(decisions, undefined, dict(conventions or {}))
    intervals, notes = intervals_of_decisions(decisions, level, rng)
    section = {"kind": "sheet", "title": "Decisions", "blocks": with_intervals(blocks_of(sheet), intervals)}
    section["signature"] = f"undefined {undefined} | level {level:g}"
    headline = f"{_averaged(sheet.body, intervals)}, {decisions.truth.items} items."
    return Part(section, [headline], [*sheet.notes, *notes])


def _averaged(body: Mapping[str, Any], intervals: Placed) -> str:
    """F of all decisions with its interval, averaged both ways where there are categories."""
    shown = [("average", way, f"{way}-averaged F1") for way in ("micro", "macro")]
    values = body["averages"]
    if not values:
        values = body["categories"]
        shown = [("category", name, "F1") for name in values]
    sentences = []
    for what, name, words in shown:
        value = values[name]["F1"]
        interval = interval_at(intervals, (what, name, "F1"), value)
        sentences.append(f"{words} {number(value)}{beside(interval.ends if interval else None)}")
    return ", ".join(sentences)
