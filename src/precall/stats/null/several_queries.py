"""The null distribution of mean average precision, of numbers alone: how many items each query has,
and how many of them are relevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from precall.core.arguments import check_choice, check_whole
from precall.core.errors import Fact, UsageError
from precall.stats.null.asymptotic import Asymptotic, is_smooth
from precall.stats.null.average import average_precision
from precall.stats.null.distribution import NullDistribution
from precall.stats.null.mean_over_rankings import Mean

METHODS = ("auto", "asymptotic")


def mean_average_precision(
    items: int | Sequence[int],
    relevant: int | Sequence[int],
    cutoff: int | None = None,
    *,
    method: str = "auto",
) -> NullDistribution:
    """The null distribution of the mean of AP over queries, each in random order; their numbers of
    relevant items may differ.

    Parameters
    ----------
    items : items in the ranking of each query, or one number for all of them.
    relevant : relevant items of each query, or one number for all of them. At least one of both is
        a list, which says how many queries there are.
    cutoff : count only the hits in the first `cutoff` ranks.
    method : "auto", or "asymptotic" for the normal limit with the exact moments, which takes a
        fraction of a second for hundreds of queries; see `AveragePrecision.asymptotic`.

    Returns
    -------
    NullDistribution
        Its values are those that `pc.null.test` compares the mean of rankings with.

    Raises
    ------
    UsageError
        A count is out of range, the lists have unequal lengths, or both are single numbers.

    Examples
    --------
    >>> null = mean_average_precision(1000, [5, 12, 40])
    >>> round(null.mean, 4), round(null.sf(0.05), 4)
    (0.0254, 0.0208)
    """
    check_choice("method", method, METHODS)
    sides: dict[str, Any] = {"items": items, "relevant": relevant}
    lists = {name: list(side) for name, side in sides.items() if np.ndim(side)}
    sizes = {name: len(side) for name, side in lists.items()}
    if not lists or not all(sizes.values()) or len(set(sizes.values())) > 1:
        raise UsageError(
            argument="relevant",
            allowed="a number for each query, as many as there are of items",
            got=Fact(" and ".join(f"{size} of {name}" for name, size in sizes.items()) or relevant),
        )
    count = next(iter(sizes.values()))
    each_items, each_relevant = (
        lists[name] if name in lists else [side] * count for name, side in sides.items()
    )
    pairs = [
        (check_whole("items", n, 1), check_whole("relevant", m, 1))
        for n, m in zip(each_items, each_relevant, strict=True)
    ]
    parts = tuple(average_precision(n, m, cutoff) for n, m in pairs)
    if method == "auto":
        return parts[0] if count == 1 else Mean(parts)
    smooth = is_smooth([part.cutoff for part in parts], [part.var for part in parts])
    return Asymptotic(parts[0] if count == 1 else Mean(parts), smooth, count > 1)
