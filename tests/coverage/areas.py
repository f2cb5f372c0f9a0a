"""Which interval of the area under the ROC curve covers where errors are few:
`python -m tests.coverage.areas`.

Seven intervals, over eight laws of scores. A relevant case is drawn as the share of other cases
above it in the population; how many of the sample's other cases then fall between the relevant ones
is multinomial, so that 20,000 others cost no more than 20. Shares no code with what it tests.
Prints the table of docs/why/intervals.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.peers import peer

optimize = peer("scipy.optimize")
special = peer("scipy.special")
stats = peer("scipy.stats")

Draw = Callable[[np.random.Generator, tuple[int, int]], Any]
Z = 1.959963984540054  # stats.norm.ppf(0.975)
SAMPLES = 4000
CELLS = [
    (10, 20000, 0.998),
    (30, 20000, 0.998),
    (100, 20000, 0.998),
    (60, 60, 0.983),
    (60, 6000, 0.983),
    (40, 40, 0.961),
    (40, 4000, 0.961),
    (10, 100, 0.9),
    (100, 1000, 0.96),
    (100, 100, 0.9),
    (250, 2500, 0.85),
]


def normal(area: float, spread: float) -> Draw:
    """Normal scores, those of relevant cases `spread` times as wide."""
    apart = stats.norm.ppf(area) * np.sqrt(1 + spread**2)
    return lambda rng, shape: special.ndtr(-(apart + spread * rng.standard_normal(shape)))


def shifted(law: Any, area: float) -> Draw:
    """Relevant cases score by the same law, moved up."""
    score = law.ppf((np.arange(100_000) + 0.5) / 100_000)
    apart = optimize.brentq(lambda by: law.sf(score + by).mean() - (1 - area), 0, 5000)
    return lambda rng, shape: law.sf(law.rvs(size=shape, random_state=rng) + apart)


def powers(area: float) -> Draw:
    """Hanley & McNeil's exponential scores: most relevant cases above all others, a few
    anywhere.
    """
    return lambda rng, shape: rng.random(shape) ** (area / (1 - area))


def mislabelled(area: float) -> Draw:
    """Half of the errors are of relevant cases that score like any other one."""
    clean = normal(1 - (1 - area) / 2 / area, 1.0)

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
        return np.where(rng.random(shape) < 1 - area, rng.random(shape), clean(rng, shape))

    return draw


def laws(area: float) -> dict[str, Draw]:
    return {
        "normal": normal(area, 1.0),
        "narrow": normal(area, 0.5),
        "wide": normal(area, 2.0),
        "logistic": shifted(stats.logistic, area),
        "exponential": shifted(stats.expon, area),
        "t(2)": shifted(stats.t(2), area),
        "powers": powers(area),
        "mislabelled": mislabelled(area),
    }


def drawn(rng: np.random.Generator, law: Draw, m: int, n: int) -> tuple[Any, Any, Any, Any]:
    """Of each sample the area, DeLong's two variances, and the share of others above each relevant
    case.
    """
    share = np.sort(law(rng, (SAMPLES, m)), axis=1)
    between = np.clip(np.diff(share, axis=1, prepend=0.0, append=1.0), 0, None)
    others = rng.multinomial(n, between / between.sum(axis=1, keepdims=True))
    lost = np.cumsum(others[:, :-1], axis=1) / n
    below = 1 - np.arange(m + 1) / m
    mean = others @ below / n
    of_others = (others * (below - mean[:, None]) ** 2).sum(axis=1) / (n - 1)
    return 1 - lost.mean(axis=1), lost.var(axis=1, ddof=1) / m, of_others / n, lost


def newcombe(area: Any, m: int, n: int) -> Any:
    inner = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + ((m + n) / 2 - 1) * inner) / (m * n)


def binormal(area: Any, m: int, n: int) -> Any:
    """Variance of the area of normal scores of one spread, by Owen's T."""
    apart = special.ndtri(area)
    pair = special.ndtr(apart) - 2 * special.owens_t(apart, 3**-0.5) - area**2
    return (area * (1 - area) + (m + n - 2) * pair) / (m * n)


def wilson(area: Any, m: int, n: int) -> Any:
    return area * (1 - area) / min(m, n)


def score_low(value: Any, variance: Callable[..., Any], m: int, n: int) -> Any:
    low, high = np.full_like(value, 1e-9), np.minimum(value, 1 - 1e-12)
    for _ in range(60):
        middle = (low + high) / 2
        out = value - middle > Z * np.sqrt(variance(middle, m, n))
        low, high = np.where(out, middle, low), np.where(out, high, middle)
    return low


def likelihood(lost: Any, area: float) -> Any:
    """-2 log of the empirical likelihood ratio of the relevant cases' mean share (Qin & Zhou
    2006).
    """
    apart = lost - (1 - area)
    inside = (apart.min(axis=1) < 0) & (apart.max(axis=1) > 0)
    apart = np.where(inside[:, None], apart, 1.0)
    least, most = (
        -1 / apart.max(axis=1),
        np.where(inside, -1 / np.minimum(apart.min(axis=1), -1e-300), 1.0),
    )
    for _ in range(80):
        middle = (least + most) / 2
        up = (apart / (1 + middle[:, None] * apart)).sum(axis=1) > 0
        least, most = np.where(up, middle, least), np.where(up, most, middle)
    found = 2 * np.log1p(least[:, None] * apart).sum(axis=1)
    return np.where(inside, found, np.inf)


@np.errstate(all="ignore")
def covered(
    rng: np.random.Generator, law: Draw, m: int, n: int, area: float
) -> dict[str, tuple[float, float]]:
    """By method: coverage and mean width; the width of the likelihood's is not worked out. At 0 and
    1 logits are infinite.
    """
    value, of_relevant, of_others, lost = drawn(rng, law, m, n)
    error = of_relevant + of_others
    freedom = error**2 / np.maximum(of_relevant**2 / (m - 1) + of_others**2 / (n - 1), 1e-300)
    edge = value >= 1
    found = {
        "delong": (np.clip(value - Z * error**0.5, 0, 1), np.clip(value + Z * error**0.5, 0, 1))
    }
    half = (
        stats.t.ppf(0.975, np.maximum(freedom, 1))
        * error**0.5
        / np.where(edge, 1, value * (1 - value))
    )
    odds = special.logit(value)
    low = np.where(edge, 1 / (1 + Z**2 / min(m, n)), special.expit(odds - half))
    high = np.where(edge, 1.0, special.expit(odds + half))
    found["logit-delong"] = low, high
    for name, variance in {
        "wilson": wilson,
        "binormal score": binormal,
        "newcombe": newcombe,
    }.items():
        found[name] = score_low(value, variance, m, n), 1 - score_low(1 - value, variance, m, n)
    model, weight = found["newcombe"][0], 1 / (1 + (min(m, n) * (1 - value) / 4) ** 2)
    plain = np.where(edge, model, low)
    mixed = (1 - weight) * special.logit(plain) + weight * special.logit(np.minimum(plain, model))
    found["delong-newcombe"] = special.expit(mixed), high
    held = {
        name: (float(np.mean((low <= area) & (area <= high))), float(np.mean(high - low)))
        for name, (low, high) in found.items()
    }
    ratio = likelihood(lost, area) * of_relevant / np.maximum(error, 1e-300)
    return {"empirical likelihood": (float(np.mean(ratio <= Z**2)), np.nan)} | held


def main() -> None:
    rng = np.random.default_rng(11)
    rows = []
    for m, n, area in CELLS:
        by_law = [covered(rng, law, m, n, area) for law in laws(area).values()]
        cells = []
        for name in by_law[0]:
            least, width = min(one[name][0] for one in by_law), by_law[0][name][1]
            of_width = f" ({width:.3f})" if width == width else ""
            cells.append(f"{100 * by_law[0][name][0]:.1f} / {100 * least:.1f}{of_width}")
        rows.append(f"| {m} of {m + n:,}, {area} | " + " | ".join(cells) + " |")
    names = list(by_law[0])
    head = [
        f"| relevant, area | {' | '.join(names)} |",
        "|:--|" + "--:|" * len(names),
    ]
    sys.stdout.write("\n".join([*head, *rows]) + "\n")


if __name__ == "__main__":
    main()
