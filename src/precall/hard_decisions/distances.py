"""Single-label decisions in ordered categories: distances from the truth as additional categories.

The membership of an item says only which category is true and which was decided. A measure that
weighs mistakes by their distance, such as weighted kappa, also needs the number of items that are
one category off, two off, and so on. These numbers are stored as the `fp` of additional categories
after the others: K - 1 of them for K categories. So resampling and exchanges of tables work for
these measures without change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.core.notes.of_decisions import CategoriesInOrder
from precall.core.text import as_text, listing
from precall.hard_decisions.membership import Membership
from precall.measures import Measure


def check_order(measure: Measure, truth: Membership, average: str | None = None) -> None:
    """Raise unless a measure of ordered categories applies to such decisions: one label each, in a
    known order, no average.
    """
    if truth.kind == "multi":
        problem = "is of one label for each item, and these may have several or none"
        raise UsageError(f"{measure.name}: {problem}", remedy="use kappa, which every category has")
    if average is not None and truth.kind != "binary":
        raise UsageError(
            argument="average",
            got=average,
            why=f"but {measure.name} measures the whole table",
            remedy="leave it out",
        )
    if truth.kind == "single" and not truth.ordered and len(truth.categories) > 2:
        names = listing(truth.categories)
        remedy = (
            "name all in order with ⟨categories=[...]⟩, or ⟨pass numbers, an ordered Categorical "
            "or an Enum (no StrEnum)¦write numbers⟩"
        )
        texts = ", as they are texts" * any(
            isinstance(name, str | bytes) for name in truth.categories
        )
        raise UsageError(f"{measure.name}: the order of {names} is not known{texts}", remedy=remedy)


def tell_order(measure: Measure, categories: Sequence[object]) -> Note:
    """A note with the order of the categories."""
    return CategoriesInOrder(measure.name, tuple(map(as_text, categories)))


def with_distances(truth: Membership, predicted: Sequence[Membership]) -> list[Membership]:
    """Truth and decisions over the categories and their K - 1 distances; a wrong decision belongs
    to the category of its distance as well.
    """
    width = len(truth.categories)
    names = (*truth.categories, *(f"{step} off" for step in range(1, width)))
    item, true = truth.item, truth.category
    widened = [replace(truth, categories=names, keys=item * len(names) + true, kind="multi")]
    for membership in predicted:
        category = membership.category
        distance = np.abs(category - true)
        wrong = np.flatnonzero(distance)
        far = item[wrong] * len(names) + (width - 1) + distance[wrong]
        keys = np.sort(np.concatenate([item * len(names) + category, far]), kind="stable")
        widened.append(replace(membership, categories=names, keys=keys, kind="multi"))
    return widened
