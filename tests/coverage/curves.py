"""What is simulated of whole curves: thresholds tuned on the cases, and bands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import precall as pc
from precall.stats.intervals.interval import LEAST
from tests.coverage.grid import Cell, binormal
from tests.peers import peer

stats = peer("scipy.stats")

#: Relevant cases, share of them, distance of the means.
CELLS = [
    (20, 0.1, 1.5),
    (60, 0.5, 1.0),
    (100, 0.1, 1.5),
    (100, 0.02, 2.0),
    (250, 0.1, 1.5),
    (250, 0.5, 1.0),
]


class Held:
    """An interval or band against its own truth: low <= 0 <= high where it holds it."""

    def __init__(self, below: bool, above: bool, known: bool = True) -> None:
        self.low = None if not known else 1.0 if above else -1.0
        self.high = None if not known else -1.0 if below else 1.0


def of_ks() -> Iterator[Cell]:
    """The greatest recall minus false positive rate, also if scores tell nothing."""
    for relevant, share, apart in (*CELLS, (100, 0.5, 0.0)):
        sample = binormal(round(relevant / share), share, apart)
        yield Cell(
            "of KS",
            "optimism bootstrap",
            True,
            f"R = {relevant}, {share:.0%} relevant, d' = {apart}",
            0.0,
            lambda rng, s=sample, a=apart: ks(rng, s(rng), a),
            2,
        )


def ks(rng: np.random.Generator, drawn: Any, apart: float) -> Held:
    """Recall minus false positive rate of the chosen threshold in the population, against the
    interval of the cases drawn.
    """
    found: Any = pc.interval(pc.curve(*drawn), "KS", rng=rng)
    if found.low is None:
        return Held(False, False, known=False)
    truth = stats.norm.sf(found.threshold - apart) - stats.norm.sf(found.threshold)
    return Held(found.high < truth, found.low > truth)


def of_tuned() -> Iterator[Cell]:
    for relevant, share, apart in CELLS:
        sample = binormal(round(relevant / share), share, apart)
        for rule in ({"max_f": 1.0}, {"recall": 0.8}, {"beta": 1.0}, {"precision": 0.6}):
            name = next(iter(rule))
            where = f"R = {relevant}, {share:.0%} relevant, d' = {apart}, chosen by {name}"
            what = "max_f" if name == "max_f" else "precision_at_threshold"
            for naive in (False, True):
                yield Cell(
                    what,
                    "fixed threshold" if naive else "optimism bootstrap",
                    not naive,
                    where,
                    0.0,
                    lambda rng, s=sample, p=share, a=apart, r=rule, q=naive: tuned(
                        rng, s(rng), p, a, r, q
                    ),
                    1 if naive else 2,
                )


def tuned(
    rng: np.random.Generator,
    drawn: Any,
    share: float,
    apart: float,
    rule: dict[str, Any],
    naive: bool = False,
    **options: Any,
) -> Held:
    """The value that the chosen threshold has in the population, against the interval of the cases
    drawn.
    """
    relevant, score = drawn
    # The naive interval is the same whatever the samples are.
    options |= {"rng": rng} | ({"resamples": 100} if naive else {})
    if "max_f" in rule:
        found = pc.interval.max_f(relevant, score, **options)
    else:
        found = pc.interval.precision_at_threshold(relevant, score, **rule, **options)
    if found.low is None:
        return Held(False, False, known=False)
    # Rows are the scores that relevant cases have, which are not tied here.
    threshold = np.sort(score[relevant])[::-1][found.row]
    tp, fp = share * stats.norm.sf(threshold - apart), (1 - share) * stats.norm.sf(threshold)
    truth = 2 * tp / (share + tp + fp) if "max_f" in rule else tp / (tp + fp)
    one = found.naive if naive else found
    return Held(one.high < truth, one.low > truth)


def of_bands() -> Iterator[Cell]:
    # The last two: rare relevant cases; a ROC curve that has climbed before the first place of the
    # grid.
    for relevant, share, apart in (*CELLS, (300, 0.015, 2.5), (250, 0.5, 3.0)):
        sample = binormal(round(relevant / share), share, apart)
        for curve in ("pr_band", "roc_band"):
            for kind, method in (
                ("simultaneous", "bootstrap"),
                ("pointwise", "bootstrap"),
                ("simultaneous", "dkw"),
            ):
                where = f"R = {relevant}, {share:.0%} relevant, d' = {apart}"
                yield Cell(
                    curve,
                    f"{kind} {method}",
                    method == "bootstrap",
                    where,
                    0.0,
                    lambda rng, s=sample, p=share, a=apart, c=curve, k=kind, m=method: band(
                        rng, s(rng), p, a, c, k, method=m
                    ),
                    2 if method == "bootstrap" else 1,
                )


def band(
    rng: np.random.Generator,
    drawn: Any,
    share: float,
    apart: float,
    curve: str,
    kind: str,
    **options: Any,
) -> Held:
    """The whole curve, or one place of it drawn at random, against the band of the cases drawn."""
    found = getattr(pc.interval, curve)(*drawn, kind=kind, rng=rng, **options)
    x = found.x
    if curve == "pr_band":
        wrong = (1 - share) * stats.norm.sf(apart + stats.norm.isf(x))
        truth = share * x / (share * x + wrong)
    else:
        truth = stats.norm.sf(stats.norm.isf(x) - apart)
    place = (
        slice(None) if kind == "simultaneous" else drawn_place(rng, truth, curve, drawn[0].sum())
    )
    return Held(
        bool(np.any(found.high[place] < truth[place])),
        bool(np.any(found.low[place] > truth[place])),
    )


def drawn_place(rng: np.random.Generator, truth: Any, curve: str, relevant: int) -> int:
    """A place of the grid; of a ROC curve one where cases are enough, as beyond bounds only follow
    from these and are wide.
    """
    enough = relevant * np.minimum(truth, 1 - truth) >= LEAST if curve == "roc_band" else truth >= 0
    return int(rng.choice(np.flatnonzero(enough)))
