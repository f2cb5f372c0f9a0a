"""Contingency tables of decisions for each group of items, such as the lesions of a patient."""

from __future__ import annotations

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.hard_decisions.membership import Membership
from precall.hard_decisions.outcomes import Decisions


def tables_by_group(decisions: Decisions, member: Int64, category: int | None = 0) -> Float64:
    """The table of a category in each group, groups x cells (tp, fp, fn, tn), None is the sum of
    all; `member` is the group of each item.

    Examples
    --------
    >>> from precall.hard_decisions import decisions
    >>> decided = decisions([1, 1, 0, 0], [1, 0, 0, 1])
    >>> tables_by_group(decided, np.array([0, 0, 1, 1])).tolist()
    [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    """
    groups = int(member.max(initial=-1)) + 1

    def count(part: Membership) -> Int64:
        item = part.item if category is None else part.item[part.category == category]
        return np.bincount(member[item], minlength=groups)

    tp, accepted, relevant = map(count, (decisions._both, decisions.predicted, decisions.truth))
    items = np.bincount(member, minlength=groups)
    if category is None:
        items *= len(decisions.categories)
    cells = (tp, accepted - tp, relevant - tp, items - accepted - relevant + tp)
    return np.stack(cells, axis=1).astype(np.float64)
