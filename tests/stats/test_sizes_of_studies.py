"""Sizes of studies of diagnostic accuracy: printed figures of other tools, and simulated power."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.stats import quantiles
from precall.stats.tests import sizes
from precall.stats.tests.tango import score_statistic

POWER = pc.compare.power
FIGURES = json.loads(
    (Path(__file__).parents[1] / "data" / "golden" / "clinical_areas.json").read_text()
)
BY_ID = {figure["id"]: figure for figure in FIGURES["entries"]}


def test_sizes_of_an_area_are_those_that_proc_prints() -> None:
    needed = BY_ID["proc.size.73"]["value"]
    found = sizes._cases_by_obuchowski(0.73, 0.5, 1.7, 0.95, 0.95)
    assert found == pytest.approx(needed["ncases"], rel=1e-9)
    assert found * 1.7 == pytest.approx(needed["ncontrols"], rel=1e-9)
    both = POWER.cases_for_area(0.73, ratio=1.7, power=0.95, law="obuchowski")
    assert both == (30, 51)
    for name in ("proc.power.41.72.73", "proc.power.roc"):
        study = BY_ID[name]["value"]
        power = POWER.of_area(study["ncases"], study["ncontrols"], study["auc"], law="obuchowski")
        assert power == pytest.approx(study["power"], rel=1e-9)
    study = BY_ID["proc.sig"]["value"]
    level = 1 - study["sig.level"]
    assert POWER.of_area(41, 72, 0.73, level=level, law="obuchowski") == pytest.approx(
        0.95, rel=1e-6
    )
    study = BY_ID["proc.detectable"]["value"]
    assert POWER.of_area(41, 72, study["auc"], law="obuchowski") == pytest.approx(0.95, rel=1e-4)


def test_connor_and_tango() -> None:
    # Connor (1987): a tenth of difference, a fifth of the items discordant.
    assert POWER.items_by_connor(0.15, 0.05) == 155
    # Tables are given in the calls: both, first only, second only, neither.
    tables = {
        "ratesci.tango.sens_Paired1": (78, 22, 451),
        "ratesci.tango.spec_Paired1": (53, 22, 261),
        "ratesci.tango.bentur": (1, 7, 21),
        "ratesci.tango.one_sided": (6, 0, 50),
        "ratesci.tango.no_discordance": (0, 0, 25),
    }
    for entry, (first, second, items) in tables.items():
        figure = BY_ID[entry]["value"]
        for end, sign in ((figure["lower"], 1), (figure["upper"], -1)):
            z = score_statistic(first, second, items, end)
            assert z == pytest.approx(sign * 1.959964, abs=5e-5), entry


def _wilson(hits: np.ndarray, cases: int) -> tuple[np.ndarray, np.ndarray]:
    z, share = 1.959963984540054, hits / cases
    centre = (share + z * z / (2 * cases)) / (1 + z * z / cases)
    half = z * np.sqrt(share * (1 - share) / cases + z * z / (4 * cases**2)) / (1 + z * z / cases)
    return centre - half, centre + half


def test_a_wilson_interval_of_this_width() -> None:
    needed = POWER.cases_for_proportion(0.9, width=0.1)
    rng, widths = np.random.default_rng(1), []
    for cases in (needed - 1, needed):
        low, high = _wilson(rng.binomial(cases, 0.9, 400_000), cases)
        widths.append(np.mean(high - low))
    assert widths[1] <= 0.1001 and widths[0] > 0.0999
    # Twice as many patients, if half of them are diseased.
    assert POWER.cases_for_proportion(0.9, width=0.1, prevalence=0.5) == 2 * needed


def test_power_above_a_share_is_exact_and_holds_for_ten_sizes() -> None:
    needed = POWER.cases_for_proportion(0.9, lowest=0.8)
    assert needed == 112 and POWER.cases_for_proportion(0.9, lowest=0.8, prevalence=0.1) == 1120
    powers = [POWER.of_proportion(needed + more, 0.9, 0.8) for more in range(-1, 10)]
    assert powers[0] < 0.8 <= min(powers[1:])
    low, _ = _wilson(np.random.default_rng(2).binomial(100, 0.9, 200_000), 100)
    assert POWER.of_proportion(100, 0.9, 0.8) == pytest.approx((low > 0.8).mean(), abs=0.004)


def _areas(relevant: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Areas of samples, rows of scores."""
    every = np.concatenate([relevant, other], axis=1)
    ranks = every.argsort(axis=1).argsort(axis=1)[:, : relevant.shape[1]] + 1
    m, n = relevant.shape[1], other.shape[1]
    return (ranks.sum(axis=1) - m * (m + 1) / 2) / (m * n)


@pytest.mark.parametrize(("area", "m", "n"), [(0.8, 50, 100), (0.95, 40, 40), (0.7, 30, 300)])
def test_variance_of_an_area_is_that_of_simulated_scores(area: float, m: int, n: int) -> None:
    rng, shift = np.random.default_rng(3), 2**0.5 * sizes._bend(area)
    found = _areas(rng.normal(shift, 1, (4000, m)), rng.normal(0, 1, (4000, n)))
    assert sizes.variance_of_area(area, m, n) ** 0.5 == pytest.approx(found.std(), rel=0.04)


def test_variance_of_exponential_scores_is_hanleys() -> None:
    # The table of remedies: .0412, .0255, .0552 for .8 (50 + 100), .95 (40 + 40), .7 (30 + 300).
    found = [
        sizes.variance_of_area(*study, "exponential") ** 0.5
        for study in ((0.8, 50, 100), (0.95, 40, 40), (0.7, 30, 300))
    ]
    assert found == pytest.approx([0.0412, 0.0255, 0.0552], abs=6e-5)


def test_sizes_of_areas() -> None:
    assert POWER.cases_for_area(0.9, 0.8) == (62, 62)
    assert POWER.cases_for_area(0.9, 0.8, ratio=2.5)[1] == int(
        np.ceil(2.5 * POWER.cases_for_area(0.9, 0.8, ratio=2.5)[0])
    )
    assert POWER.cases_for_areas(0.75, 0.85) == POWER.cases_for_areas(0.85, 0.75)
    # More correlation, fewer cases; two cohorts need most.
    needed = [POWER.cases_for_areas(0.85, 0.75, correlation=r)[0] for r in (0.8, 0.5, 0.0)]
    assert needed == sorted(needed)


@pytest.mark.nightly
@pytest.mark.parametrize(("first", "second", "margin"), [(0.85, 0.75, 0.0), (0.85, 0.85, 0.1)])
def test_power_of_two_areas_is_that_of_simulated_studies(
    first: float, second: float, margin: float
) -> None:
    m, _ = POWER.cases_for_areas(first, second, margin=margin)
    rng, power = np.random.default_rng(4), 0
    shifts = [2**0.5 * sizes._bend(area) for area in (first, second)]
    y = np.repeat([1, 0], m)
    for _ in range(400):
        shared = rng.normal(size=2 * m)
        scores = [
            0.5**0.5 * shared + 0.5**0.5 * rng.normal(size=2 * m) + y * shift for shift in shifts
        ]
        found = pc.compare.cases(y, *scores, "AUC")
        low = found.low if found.low is not None else -1
        power += low > -margin if margin else found.significant
    assert power / 400 == pytest.approx(0.8, abs=0.07)


def test_power_of_a_margin_is_that_of_all_tables() -> None:
    # Every table of 30 items, one by one.
    items, a, b, margin = 30, 0.1, 0.05, 0.15
    stats = pytest.importorskip("scipy.stats")
    total = 0.0
    for first in range(items + 1):
        for second in range(items + 1 - first):
            z = score_statistic(first, second, items, -margin)
            if z >= 1.959963984540054:
                shares = [a, b, 1 - a - b]
                total += stats.multinomial.pmf(
                    [first, second, items - first - second], items, shares
                )
    assert POWER.of_margin(items, a, b, margin) == pytest.approx(total, rel=1e-9)


def test_items_for_a_margin() -> None:
    needed = POWER.items_for_margin(0.05, 0.05, 0.05)
    assert POWER.of_margin(needed, 0.05, 0.05, 0.05) >= 0.8
    assert POWER.of_margin(needed - 1, 0.05, 0.05, 0.05) < 0.8
    # Systems that never differ.
    assert POWER.items_for_margin(0.0, 0.0, 0.1) == 35


# --- From a pilot ---


def _stroke(name: str) -> list[float]:
    data = Path(__file__).parents[1] / "data" / "scored" / "pROC_aSAH.csv"
    with data.open() as file:
        return [float(row[name]) for row in csv.DictReader(file)]


def test_sizes_from_a_pilot_are_those_of_proc() -> None:
    data = Path(__file__).parents[1] / "data" / "scored" / "pROC_aSAH.csv"
    with data.open() as file:
        poor = [row["outcome"] == "Poor" for row in csv.DictReader(file)]
    both = poor, _stroke("ndka"), _stroke("wfns")
    study = BY_ID["proc.two.power.delong"]["value"]
    power = POWER.of_areas_from_pilot(*both, study["ncases"], law="proc")
    assert power == pytest.approx(study["power"], rel=1e-9)
    level = 1 - BY_ID["proc.two.sig.delong"]["value"]["sig.level"]
    assert POWER.of_areas_from_pilot(*both, 41, level=level, law="proc") == pytest.approx(0.9)
    # 64.8 cases and 113.8 controls, of which none can be a part.
    assert POWER.cases_for_areas_from_pilot(*both, power=0.9, law="proc") == (65, 115)
    # By default neither score is the first.
    needed = POWER.cases_for_areas_from_pilot(*both)
    assert needed == POWER.cases_for_areas_from_pilot(both[0], both[2], both[1])


def test_a_study_like_the_pilot_has_the_error_of_delong() -> None:
    rng = np.random.default_rng(5)
    truth = rng.random(160) < 0.4
    first, second = rng.normal(size=(2, 160)) + truth * np.array([[1.2], [0.7]])
    found = pc.compare.cases(truth, first, second, "AUC")
    z = quantiles.z(0.95)
    error = (found.high - found.low) / 2 / z
    excess = abs(found.difference) / error - z
    power = POWER.of_areas_from_pilot(truth, first, second, int(truth.sum()))
    assert power == pytest.approx(quantiles.normal_share(excess), rel=1e-6)
    # Not worse by a margin, with an expected difference of 0; and with more other cases.
    options = {"difference": 0.0, "margin": 0.1}
    needed, _ = POWER.cases_for_areas_from_pilot(truth, first, second, **options)
    fewer, others = POWER.cases_for_areas_from_pilot(truth, first, second, ratio=5, **options)
    assert fewer < needed and others == 5 * fewer
    reached = POWER.of_areas_from_pilot(truth, first, second, needed, **options)
    assert reached >= 0.8 > POWER.of_areas_from_pilot(truth, first, second, needed - 1, **options)


@pytest.mark.nightly
def test_the_power_of_a_pilot_is_that_of_studies() -> None:
    rng = np.random.default_rng(6)

    def draw(cases: int) -> tuple[np.ndarray, ...]:
        truth = np.arange(2 * cases) < cases
        hidden = rng.normal(size=2 * cases)
        noise = rng.normal(size=(2, 2 * cases))
        return truth, *(0.7 * hidden + 0.7 * noise + truth * np.array([[1.5], [1.0]]))

    needed, _ = POWER.cases_for_areas_from_pilot(*draw(20_000))
    shown = [pc.compare.cases(*draw(needed), "AUC").p <= 0.05 for _ in range(600)]
    assert np.mean(shown) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: POWER.cases_for_proportion(0.9), "width"),
        (lambda: POWER.cases_for_proportion(0.9, width=0.1, lowest=0.8), "width"),
        (lambda: POWER.cases_for_proportion(0.9, lowest=0.9), "lowest"),
        (lambda: POWER.cases_for_proportion(1.0, width=0.1), "expected"),
        (lambda: POWER.cases_for_proportion(0.9, width=1e-9), "1,000,000"),
        (lambda: POWER.cases_for_area(0.7, 0.8), "lowest"),
        (lambda: POWER.cases_for_area(0.9, law="rating"), "law"),
        (lambda: POWER.cases_for_areas(0.8, 0.8), "margin"),
        (
            lambda: POWER.cases_for_areas_from_pilot([1, 1, 0, 0], [4, 1, 3, 2], [4, 1, 3, 2]),
            "margin",
        ),
        (lambda: POWER.of_areas_from_pilot([1, 1, 0, 0], [4, 1, 3, 2], [1, 2, 3, 4], 0), "cases"),
        (lambda: POWER.of_areas_from_pilot([1, 0, 0], [4, 1, 3], [1, 2, 3], 20), "relevant"),
        (lambda: POWER.cases_for_areas(0.7, 0.8, margin=0.1), "margin"),
        (lambda: POWER.cases_for_areas(0.8, 0.7, correlation=1), "correlation"),
        (lambda: POWER.items_by_connor(0.1, 0.1), "only_a and only_b"),
        (lambda: POWER.items_for_margin(0.1, 0.2, 0.1), "margin"),
        (lambda: POWER.of_margin(10, 0.7, 0.7, 0.1), "only_a and only_b"),
    ],
)
def test_refused(call: object, argument: str) -> None:
    with pytest.raises(pc.UsageError, match=argument):
        call()  # type: ignore[operator]
