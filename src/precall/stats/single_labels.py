"""Single labels of which people gave some, chosen at random, and a judge nearly all.

Each label becomes w = m + (y - m) R / π, with m the chance that the judge's label is right, learned
of other topics, R whether people gave one, y what they said, and π the chance of being chosen. Its
mean is y whatever m is, so that sums of w times fixed numbers have no bias (Horvitz and Thompson
1952; Robins, Rotnitzky and Zhao 1994).
"""

from __future__ import annotations

import numpy as np

from precall.core.ragged import Float64, Int64

#: Parts of the topics; the chance of a label is learned of the topics of the other parts.
FOLDS = 5


def chance_by_judge(people: Float64, judge: Int64, chance: Float64, topic: Int64) -> Float64:
    """The chance that each label is 1, by what the judge says, learned of other topics.

    It is the share of ones among people's labels where the judge says the same, weighted 1/π, with
    one more label of the overall share.

    Parameters
    ----------
    people : people's labels, 0 or 1; NaN where they gave none.
    judge : what the judge says, as codes 0, 1, ....
    chance : the chance with which each label was chosen for people.
    topic : the topic of each label, as codes 0, 1, ....
    """
    found = np.empty(len(people))
    seen, codes = ~np.isnan(people), int(judge.max(initial=0)) + 1
    weight = np.where(seen, 1 / chance, 0.0)
    hits = weight * np.where(seen, people, 0.0)
    for fold in range(FOLDS):
        inside = topic % FOLDS == fold
        other = ~inside
        total = weight[other].sum()
        overall = float(hits[other].sum() / total) if total else 0.5
        ones, all_ = (
            np.bincount(judge[other], part[other], minlength=codes) for part in (hits, weight)
        )
        # One label of mean weight.
        added = total / max(int(seen[other].sum()), 1)
        found[inside] = ((ones + added * overall) / np.maximum(all_ + added, 1e-300))[judge[inside]]
    return found


def corrected_labels(people: Float64, judge: Int64, chance: Float64, topic: Int64) -> Float64:
    """What each label counts for: m + (y - m) R / π; see `chance_by_judge`.

    Examples
    --------
    >>> nan = float("nan")
    >>> people, judge = np.array([1.0, nan, 0.0, nan]), np.array([1, 1, 0, 0])
    >>> corrected_labels(people, judge, np.full(4, 0.5), np.arange(4)).round(2).tolist()
    [2.0, 0.75, -1.0, 0.25]
    """
    model = chance_by_judge(people, judge, chance, topic)
    seen = ~np.isnan(people)
    return model + np.where(seen, (np.where(seen, people, 0.0) - model) / chance, 0.0)
