"""Categories → sections of a record: measures of each, their averages, and curves of all decisions together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from precall.page.scored import Scored
from precall.page.sheets import blocks_of
from precall.reporting.categories import categories_sheet
from precall.reporting.decisions import decisions_sheet
from precall.results import number

if TYPE_CHECKING:
    from precall.contingency import Decisions, Status

#: So many categories have a curve beside the pooled one; in more nobody would tell the lines apart.
_DRAWN = 5
POOLED = "all pairs together"


def scored_categories(
    status: Status, conventions: Mapping[str, str] | None = None, undefined: str = "zero"
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Scores of many categories: the tables, and the curves of all pairs together and of the worst categories.

    Examples
    --------
    >>> from precall import categorize
    >>> status = categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> section, said, _ = scored_categories(status)
    >>> section["kind"], [one["name"] for one in section["systems"]]
    ('categories', ['all pairs together', 'a', 'b'])
    >>> said
    ['Mean average precision of 2 categories 1.0000, of all pairs together 0.9167.']
    """
    sheet = categories_sheet(status, None, undefined, dict(conventions or {}))
    values = status.by_category("AP").values
    names = [str(name) for name in status.categories]
    order = sorted(range(len(names)), key=lambda i: (values[i] != values[i], values[i]))
    wanted = set(order[:_DRAWN])
    each = {names[i]: one for i, one in enumerate(status.curves()) if i in wanted and one.relevant}
    scored = Scored({POOLED: status.pooled()} | each, conventions=dict(conventions or {}))
    section = scored.section() | {
        "kind": "categories", "blocks": blocks_of(sheet), "title": "Categories", "shown": len(each), "of": len(names),
    }  # fmt: skip
    averages = sheet.body["averages"]
    said = (
        f"Mean average precision of {len(names)} categories {number(averages['macro']['AP'])}, "
        f"of all pairs together {number(averages['micro']['AP'])}."
    )
    return section, [said], list(sheet.notes)


def decided(
    decisions: Decisions, conventions: Mapping[str, str] | None = None, undefined: str = "zero"
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Hard decisions: contingency tables, precision, recall and F of each category, and their averages."""
    sheet = decisions_sheet(decisions, undefined, dict(conventions or {}))
    f = decisions.f(average=None if decisions.truth.kind == "binary" else "micro", undefined=undefined)
    what = "F1" if decisions.truth.kind == "binary" else "micro-averaged F1"
    section = {"kind": "sheet", "title": "Decisions", "blocks": blocks_of(sheet)}
    section["signature"] = f"undefined {undefined}"
    return section, [f"{what} {number(float(f))}, {decisions.truth.items} items."], list(sheet.notes)
