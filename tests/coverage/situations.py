"""Fresh situations: other laws, prevalences and topics than those that the defaults were chosen
with (grid.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import precall as pc
from tests.coverage import laws
from tests.coverage.curves import Held, drawn_place
from tests.coverage.grid import Cell, of_topics

#: Marks a fresh situation; what is drawn from recorded topics is known by the second mark.
FRESH, RECORDED = "fresh: ", "drawn from "

#: Law, relevant cases, share of them.
AP_CELLS = [
    ("logistic", 20, 0.3),
    ("logistic", 60, 0.03),
    ("logistic", 300, 0.3),
    ("exponential", 25, 0.05),
    ("exponential", 80, 0.3),
    ("heavy tails", 30, 0.03),
    ("heavy tails", 100, 0.3),
    ("heavy tails", 200, 0.02),
    ("bounded", 25, 0.7),
    ("bounded", 40, 0.01),
    ("bounded", 150, 0.15),
    ("wide", 30, 0.2),
    ("wide", 40, 0.005),
    ("narrow", 30, 0.05),
    ("narrow", 120, 0.4),
]
AUC_CELLS = [
    ("logistic", 20, 60),
    ("logistic", 40, 4000),
    ("exponential", 25, 100),
    ("exponential", 300, 30),
    ("heavy tails", 30, 30),
    ("heavy tails", 30, 1000),
    ("bounded", 25, 25),
    ("bounded", 20, 400),
    ("wide", 25, 250),
    ("wide", 100, 40),
    ("narrow", 20, 200),
    ("narrow", 150, 150),
]


def of_ap() -> Iterator[Cell]:
    for law, relevant, share in AP_CELLS:
        n = round(relevant / share)
        sample, where = (
            laws.cases(law, n, share),
            f"{FRESH}{law}, R = {relevant}, {share:g} relevant",
        )
        yield Cell(
            "average_precision",
            "logit",
            True,
            where,
            laws.true_ap(law, share),
            lambda rng, s=sample: pc.interval.average_precision(*s(rng)),
            1 if n <= 2000 else 2,
        )
    for relevant, share in ((20, 0.3), (50, 0.05), (200, 0.2)):
        n = round(relevant / share)
        where = f"{FRESH}five scores, R = {relevant}, {share:g} relevant"
        sample, truth = laws.graded(n, share), laws.true_graded(share)[0]
        yield Cell(
            "average_precision",
            "logit",
            True,
            where,
            truth,
            lambda rng, s=sample: pc.interval.average_precision(*s(rng)),
        )


def of_auc() -> Iterator[Cell]:
    for law, relevant, other in AUC_CELLS:
        n = relevant + other
        sample = laws.cases(law, n, relevant / n, fixed=True)
        yield Cell(
            "area_under_roc",
            "delong-newcombe",
            True,
            f"{FRESH}{law}, {relevant} relevant, {other} others",
            laws.true_auc(law),
            lambda rng, s=sample: pc.interval.area_under_roc(*s(rng)),
        )
    for n, share in ((100, 0.3), (1000, 0.05)):
        sample = laws.graded(n, share)
        yield Cell(
            "area_under_roc",
            "delong-newcombe",
            True,
            f"{FRESH}five scores, {n} cases, {share:g} relevant",
            laws.true_graded(share)[1],
            lambda rng, s=sample: pc.interval.area_under_roc(*s(rng)),
        )


def of_counts() -> Iterator[Cell]:
    for n, p in (
        (15, 0.6),
        (33, 0.27),
        (60, 0.85),
        (75, 0.5),
        (150, 0.07),
        (250, 0.95),
        (700, 0.012),
        (5000, 0.31),
    ):
        yield Cell(
            "proportion",
            "wilson",
            True,
            f"{FRESH}{n} trials, p = {p}",
            p,
            lambda rng, n=n, p=p: pc.interval.proportion(int(rng.binomial(n, p)), n),
        )
    for items, share, precision, recall in (
        (150, 0.2, 0.7, 0.9),
        (300, 0.1, 0.4, 0.5),
        (400, 0.5, 0.85, 0.6),
        (1000, 0.03, 0.6, 0.6),
        (2000, 0.3, 0.99, 0.9),
    ):
        chance = [share * recall, share * recall * (1 / precision - 1), share * (1 - recall)]
        chance.append(1 - sum(chance))
        for beta in (1.0, 0.5, 2.0):
            square = beta * beta
            truth = (1 + square) / (square / recall + 1 / precision)
            where = (
                f"{FRESH}{items} items, {share:g} relevant, P = {precision}, R = {recall}, beta = "
                f"{beta:g}"
            )
            yield Cell(
                "f",
                "posterior",
                True,
                where,
                truth,
                lambda rng, n=items, c=chance, b=beta: pc.interval.f(
                    *map(int, rng.multinomial(n, c)[:3]), b
                ),
                1 if beta == 1 else 2,
            )


#: Items of two kinds, with several categories each: chance of being in one, of being found, of a
#: false alarm.
KINDS = np.array(
    [
        [[0.6, 0.3, 0.2, 0.15], [0.95, 0.9, 0.9, 0.8], [0.02, 0.03, 0.02, 0.05]],
        [[0.5, 0.3, 0.3, 0.25], [0.5, 0.4, 0.3, 0.5], [0.2, 0.15, 0.1, 0.1]],
    ]
)


def labelled(rng: np.random.Generator, items: int) -> Any:
    """Decisions on items of several categories; an item is easy or hard for all of them at once."""
    chance = KINDS[rng.integers(0, 2, items)]
    truth = rng.random((items, 4)) < chance[:, 0]
    said = rng.random((items, 4)) < np.where(truth, chance[:, 1], chance[:, 2])
    return pc.decisions(
        *([np.flatnonzero(row).tolist() for row in part] for part in (truth, said)),
        categories=list(range(4)),
    )


def of_labels() -> Iterator[Cell]:
    is_in, found, alarm = KINDS[:, 0], KINDS[:, 1], KINDS[:, 2]
    true, both = is_in.sum(axis=0), (is_in * found).sum(axis=0)
    said = both + ((1 - is_in) * alarm).sum(axis=0)
    truths = {
        "micro_f": 2 * both.sum() / (true + said).sum(),
        "macro_f": (2 * both / (true + said)).mean(),
    }
    for items in (60, 200, 800):
        for kind, truth in truths.items():
            yield Cell(
                kind,
                "logit",
                True,
                f"{FRESH}{items} items in several of 4 categories",
                float(truth),
                lambda rng, n=items, k=kind: getattr(pc.interval, k)(labelled(rng, n)),
            )


def of_means() -> Iterator[Cell]:
    for name, (values, truth) in laws.TOPICS.items():
        for n in (10, 25, 50, 100, 250):
            where = f"{FRESH}{n} topics, {name}"
            if name in laws.UNBOUNDED:
                yield Cell(
                    "mean",
                    "t",
                    True,
                    where,
                    truth,
                    lambda rng, v=values, n=n: pc.interval.mean(v(rng, n)),
                )
            else:
                yield of_topics("mean", where, values, truth, n)
    for name, known in laws.recorded().items():
        for n in (10, 25, 50, 100):
            where = f"{FRESH}{n} topics, {RECORDED}{name}"
            yield of_topics(
                "mean", where, lambda rng, n, v=known: rng.choice(v, n), float(known.mean()), n
            )
    for topics, items in ((15, 30), (40, 8)):
        for effects in ((1.0, 0.5, 1.0), (0.3, 1.0, 0.5)):
            yield Cell(
                "two_way",
                "two-way t",
                True,
                f"{FRESH}{topics} topics x {items} items, uneven, spread {effects}",
                0.0,
                lambda rng, t=topics, i=items, e=effects: pc.interval.two_way(
                    e[0] * (rng.exponential(size=(t, 1)) - 1)
                    + e[1] * rng.uniform(-1.7, 1.7, (1, i))
                    + e[2] * rng.standard_t(5, (t, i))
                ),
            )


#: Law, relevant cases, share of them.
CURVES = [
    ("logistic", 80, 0.3),
    ("exponential", 120, 0.06),
    ("heavy tails", 120, 0.3),
    ("wide", 250, 0.15),
]
RULES: tuple[dict[str, float], ...] = (
    {"max_f": 1.0},
    {"recall": 0.7},
    {"beta": 0.5},
    {"precision": 0.5},
)


def of_tuned() -> Iterator[Cell]:
    for law, relevant, share in CURVES:
        for rule in RULES:
            where = (
                f"{FRESH}{law}, R = {relevant}, {share:g} relevant, chosen by {next(iter(rule))}"
            )
            yield Cell(
                "max_f" if "max_f" in rule else "precision_at_threshold",
                "optimism bootstrap",
                True,
                where,
                0.0,
                lambda rng, w=(law, relevant, share), r=rule: tuned(rng, *w, r),
                2,
            )


def tuned(
    rng: np.random.Generator, law: str, relevant: int, share: float, rule: dict[str, float]
) -> Held:
    """The value that the chosen threshold has in the population, against the interval."""
    known, score = laws.cases(law, round(relevant / share), share)(rng)
    if "max_f" in rule:
        found: Any = pc.interval.max_f(known, score, rng=rng)
    else:
        found = pc.interval.precision_at_threshold(known, score, **rule, rng=rng)
    if found.low is None:
        return Held(False, False, known=False)
    threshold = np.sort(score[known])[::-1][found.row]
    of_relevant, of_other = (one.sf(threshold) for one in laws.scores(law))
    tp, fp = share * of_relevant, (1 - share) * of_other
    truth = 2 * tp / (share + tp + fp) if "max_f" in rule else tp / (tp + fp)
    return Held(found.high < truth, found.low > truth)


def of_bands() -> Iterator[Cell]:
    for law, relevant, share in CURVES:
        for curve in ("pr_band", "roc_band"):
            for kind in ("simultaneous", "pointwise"):
                where = f"{FRESH}{law}, R = {relevant}, {share:g} relevant"
                yield Cell(
                    curve,
                    f"{kind} bootstrap",
                    True,
                    where,
                    0.0,
                    lambda rng, w=(law, relevant, share), c=curve, k=kind: band(rng, *w, c, k),
                    2,
                )


def band(
    rng: np.random.Generator, law: str, relevant: int, share: float, curve: str, kind: str
) -> Held:
    """The whole curve, or one place of it drawn at random, against the band."""
    known, score = laws.cases(law, round(relevant / share), share)(rng)
    found = getattr(pc.interval, curve)(known, score, kind=kind, rng=rng)
    of_relevant, of_other = laws.scores(law)
    if curve == "pr_band":
        wrong = (1 - share) * of_other.sf(of_relevant.isf(found.x))
        truth = share * found.x / (share * found.x + wrong)
    else:
        truth = of_relevant.sf(of_other.isf(found.x))
    place = slice(None) if kind == "simultaneous" else drawn_place(rng, truth, curve, known.sum())
    return Held(
        bool(np.any(found.high[place] < truth[place])),
        bool(np.any(found.low[place] > truth[place])),
    )


def every() -> list[Cell]:
    """All fresh situations."""
    parts = (of_counts, of_labels, of_ap, of_auc, of_tuned, of_bands, of_means)
    return [cell for part in parts for cell in part()]
