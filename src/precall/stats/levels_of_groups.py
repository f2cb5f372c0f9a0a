"""How high groups of cases score, compared with one another.

If the groups' effects on the scores are normal, so are their levels. If a few groups score far
higher or lower than the others, a sample can have too few of them, or too many. If a sample lacks a
kind of groups altogether, nothing shows it: the sample looks like one of a population without that
kind.
"""

from __future__ import annotations

import numpy as np

from precall.core.ragged import Float64
from precall.stats.blocks import Blocks, Count
from precall.stats.skewness import kurtosis

#: The tails of groups are heavy if they number less than this many times the square of the excess
#: of the kurtosis of their levels over that of normal ones. Chosen by simulation
#: (docs/why/intervals.md): some 5 % of samples with normal effects exceed it.
MUCH = 50
_NORMAL = 3.0
#: The place of a case in its kind stays this far from 0 and 1.
_EDGE = 1e-12


def heavy_tails(blocks: Blocks) -> float:
    """The kurtosis of the groups' levels if it is too great for their number, else 0.

    Examples
    --------
    >>> from precall.stats.blocks import Cases
    >>> relevant, group = np.tile([True, False], 60), np.repeat(np.arange(30), 4)
    >>> def tails(score):
    ...     order = np.argsort(-score, kind="stable")
    ...     hits = relevant[order].astype(np.int64)
    ...     cases = Cases(np.arange(120), relevant[order], np.ones(120), group[order])
    ...     return heavy_tails(Blocks(hits, 1 - hits, cases=cases))
    >>> even = np.linspace(-1, 1, 30)[group] + np.tile([0.1, 0.2, 0.3, 0.4], 30)
    >>> tails(even), round(tails(np.tile(np.arange(4.0), 30) + 9 * (group == 0)), 1)
    (0.0, 5.9)
    """
    values = levels(blocks)
    if len(values) < 2 or not np.ptp(values):
        return 0.0
    found = kurtosis(values)
    return found if len(values) < MUCH * max(found - _NORMAL, 0.0) ** 2 else 0.0


def levels(blocks: Blocks) -> Float64:
    """The mean place of each group's cases within their kind, as log-odds from the top, divided by
    its standard deviation.

    Its variance is that between groups, by the method of moments, and that of a mean of so many
    cases; small groups would otherwise look extreme. Scores count by their order only.
    """
    cases = blocks.cases
    assert cases is not None and cases.group is not None
    of_kinds = (_places(counts)[cases.block] for counts in (blocks.positive, blocks.negative))
    places = np.where(cases.relevant, *of_kinds)
    # A row of real weight is one case; an integer repeats it.
    times = np.ones(len(places)) if blocks.real else cases.weight
    size = np.bincount(cases.group, weights=times)
    group = (np.cumsum(size > 0) - 1)[cases.group]
    size = size[size > 0]
    mean = np.bincount(group, weights=times * places) / size
    total, groups = size.sum(), len(size)
    within = float((times * (places - mean[group]) ** 2).sum()) / max(total - groups, 1.0)
    between = float((size * (mean - (size * mean).sum() / total) ** 2).sum())
    freedom = total - float((size**2).sum()) / total
    spread = max(between - (groups - 1) * within, 0.0) / freedom if freedom > 0 else 0.0
    variance = spread + within / size
    if not variance.all():
        return np.zeros(groups)
    centre = float((mean / variance).sum() / (1 / variance).sum())
    return np.asarray((mean - centre) / np.sqrt(variance))


def _places(counts: Count) -> Float64:
    """Log-odds of the middle of each block among these cases, best first."""
    counts = counts.astype(np.float64)
    share = (np.cumsum(counts) - counts / 2) / max(float(counts.sum()), 1e-300)
    share = np.clip(share, _EDGE, 1 - _EDGE)
    return np.log(share / (1 - share))
