"""Intervals of the numbers of one scored list other than its areas: influences by definitions and
by differences, values, bounds at the ends, groups, notes, and what the record of coverage says.
"""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of_curve
from precall.core.errors import UsageError
from precall.core.notes.of_intervals import (
    FewCases,
    FewDecide,
    FewGroups,
    FewScores,
    OneItemDecides,
    StartsBeforeHits,
    UndefinedInterval,
    UndefinedMeasure,
)
from precall.measures.registry import find
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks
from precall.stats.list_influences import influences_of
from tests.coverage import list_numbers as coverage
from tests.noticed import noticed, warned

MEASURES = (
    "P@40",
    "R@30",
    "AP@20",
    "AP(norm=min)@20",
    "EF@5%",
    "Rprec",
    "BEP",
    "BEP(method=max-min)",
    "BEP(method=linear)",
    "IAP",
    "BEDROC",
    "AUPRG",
    "PAtRecall(recall=0.5)",
    "KAtRecall(recall=0.5)",
    "RAtPrecision(precision=0.5)",
)
OF_ONE_ITEM = ("RR", "RR@10", "Success@3", "Coverage", "PAtRecall(recall=0)")


def drawn(size: int = 300, share: float = 0.2, seed: int = 1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < share
    return relevant, rng.normal(size=size) + 1.5 * relevant


def blocks(seed: int, missed: float) -> Blocks:
    """Seven blocks of many cases each, in units of weight."""
    rng = np.random.default_rng(seed)
    positive, negative = rng.integers(15, 60, 7) * 1.0, rng.integers(30, 90, 7) * 1.0
    return Blocks(positive, negative, missed, True)


def columns(of: Blocks) -> tuple[Any, Any]:
    return np.cumsum(of.positive), np.cumsum(of.positive + of.negative)


def bedroc(of: Blocks) -> float:
    """Ranks as a continuum: the mean weight of a block is that of the shares it takes."""
    size = np.append(of.positive + of.negative, of.missed)
    hits, items = np.append(of.positive, of.missed), size.sum()
    ends = np.append(0, np.cumsum(size)) / items
    wide = np.where(size > 0, np.diff(ends), 1.0)
    mean = -np.diff(np.exp(-20 * ends)) / 20 / wide
    share = hits.sum() / items
    most = (1 - math.exp(-20 * share)) / 20 / share
    least = (math.exp(20 * share) - 1) * math.exp(-20) / 20 / share
    return float(((hits * mean).sum() / hits.sum() - least) / (most - least))


def greatest_f(of: Blocks) -> float:
    tp, accepted = columns(of)
    return float((2 * tp / (tp[-1] + of.missed + accepted)).max())


def gain_area(of: Blocks) -> float:
    """Trapezoids in recall gain and precision gain, from recall gain 0."""
    tp, accepted = columns(of)
    relevant, other = tp[-1] + of.missed, float(np.sum(of.negative))
    k = relevant / other
    start = relevant**2 / (relevant + other)
    fp_at = np.interp(start, np.append(0, tp), np.append(0, accepted - tp))
    later = tp > start
    tp, fp = np.append(start, tp[later]), np.append(fp_at, (accepted - tp)[later])
    recall, precision = 1 - k * (relevant - tp) / tp, 1 - k * fp / tp
    return float(((precision[1:] + precision[:-1]) / 2 * np.diff(recall)).sum())


def break_even(of: Blocks, method: str) -> float:
    tp, accepted = columns(of)
    precision, recall = tp / accepted, tp / (tp[-1] + of.missed)
    if method == "nearest":
        at = int(np.abs(precision - recall).argmin())
        return float(precision[at] + recall[at]) / 2
    if method == "max-min":
        return float(np.minimum(precision, recall).max())
    behind = int(np.argmax(recall > precision))
    p, r = precision[behind - 1 : behind + 1], recall[behind - 1 : behind + 1]
    part = (p[0] - r[0]) / (p[0] - r[0] - p[1] + r[1])
    return float(r[0] + part * (r[1] - r[0]))


#: What is a smooth function of the weights of blocks, and the measure with its value.
SMOOTH = {
    "BEDROC": bedroc,
    "MaxF": greatest_f,
    "AUPRG": gain_area,
    "BEP": lambda of: break_even(of, "nearest"),
    "BEP(method=max-min)": lambda of: break_even(of, "max-min"),
    "BEP(method=linear)": lambda of: break_even(of, "linear"),
}


def moved(of: Blocks, column: str, place: int, by: float) -> Blocks:
    columns = {"positive": of.positive.copy(), "negative": of.negative.copy()}
    missed = of.missed + by if column == "missed" else of.missed
    if column != "missed":
        columns[column][place] += by
    return Blocks(columns["positive"], columns["negative"], missed, True)


@pytest.mark.parametrize("missed", [0.0, 12.0])
@pytest.mark.parametrize("name", SMOOTH)
def test_influences_are_derivatives(name: str, missed: float) -> None:
    for seed in range(3):
        of, value_of = blocks(seed, missed), SMOOTH[name]
        found = influences_of(of, find(name), value_of(of)).influence
        for column, known in (("positive", found.positive), ("negative", found.negative)):
            slopes = [
                (value_of(moved(of, column, i, 1e-5)) - value_of(moved(of, column, i, -1e-5)))
                / 2e-5
                for i in range(len(known))
            ]
            assert known == pytest.approx(np.array(slopes), abs=1e-7)
        if missed:
            ends = (value_of(moved(of, "missed", 0, by)) for by in (1e-5, -1e-5))
            up, down = ends
            assert found.missed == pytest.approx((up - down) / 2e-5, abs=1e-7)


@pytest.mark.parametrize("missed", [0, 7])
@pytest.mark.parametrize(
    "name", [name for name in MEASURES if name[:3] not in ("KAt", "IAP", "RAt")]
)
def test_influences_add_up_to_nothing(name: str, missed: int) -> None:
    """A list twice as long has the same value, the ranks being shares of it."""
    relevant, score = drawn()
    curve = pc.curve(relevant, score, missed=missed)
    of = blocks_of_curve(curve)
    found = influences_of(of, find(name), curve.value(name))
    parts, all_blocks = found.influence, found.blocks
    total = (parts.positive * all_blocks.positive).sum()
    total += (parts.negative * all_blocks.negative).sum() + parts.missed * missed
    # The next relevant case reaches half of an odd number of them.
    rough = 0.02 if missed and name[:3] == "PAt" else 2e-3 if name[:2] == "AP" else 1e-9
    assert total == pytest.approx(0, abs=rough)


def test_the_variance_of_recall_is_that_of_screens() -> None:
    """R(1 - R)(1 - 2L)/(n π) + L² q(1 - q)/(n π²), with the precision L at the cut (Jiang & Zhao
    2015), and of precision P(1 - P)/(nq) + (1 - q)(P - L)²/(nq).
    """
    relevant, score = drawn(1000, 0.1)
    curve = pc.curve(relevant, score)
    of = blocks_of_curve(curve)
    n, hits, k = 1000, int(relevant.sum()), 80
    share, prevalence = k / n, hits / n
    order = np.argsort(-score)
    half = 1.5 * k**0.8
    edge = np.clip((np.stack((np.arange(n), np.arange(1, n + 1))) - k) / half, -1, 1)
    weight = np.diff(edge - edge**3 / 3, axis=0)[0]
    local = float((weight * relevant[order]).sum() / weight.sum())
    recall, precision = curve.value("R@80"), curve.value("P@80")
    expected = recall * (1 - recall) * (1 - 2 * local) / (n * prevalence)
    expected += local**2 * share * (1 - share) / (n * prevalence**2)
    of_precision = precision * (1 - precision) / (n * share)
    of_precision += (1 - share) * (precision - local) ** 2 / (n * share)
    for name, value, known in (("R@80", recall, expected), ("P@80", precision, of_precision)):
        found = influences_of(of, find(name), value)
        variance = influence.variance(found.blocks, found.influence, False) * (hits - 1) / hits
        assert variance == pytest.approx(known, rel=1e-9)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("missed", [0, 3])
@pytest.mark.parametrize("name", MEASURES)
def test_the_estimate_is_the_curves_and_within(name: str, missed: int) -> None:
    relevant, score = drawn()
    for scores in (score, np.round(score)):
        curve = pc.curve(relevant, scores, missed=missed)
        found = pc.interval(curve, name)
        assert found.estimate == curve.value(name)
        assert found.low < found.estimate < found.high
        assert found.standard_error > 0
        assert found.low >= find(name).declaration.range[0]
        wider = pc.interval(curve, name, level=0.99)
        assert wider.low < found.low or not found.low
        # Among equal scores a bound at a level can stay at its threshold.
        assert wider.high > found.high or (name[:3] == "RAt" and wider.high == found.high)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", MEASURES)
def test_whole_weights_repeat_and_order_does_not_matter(name: str) -> None:
    relevant, score = drawn()
    times = np.random.default_rng(2).integers(1, 3, len(score))
    order = np.random.default_rng(3).permutation(len(score))
    weighed = pc.interval(pc.curve(relevant, score, weights=times), name)
    repeated = pc.interval(pc.curve(np.repeat(relevant, times), np.repeat(score, times)), name)
    assert weighed.ends == repeated.ends
    plain, other = (
        pc.interval(pc.curve(*both), name)
        for both in ((relevant, score), (relevant[order], np.exp(score[order])))
    )
    assert plain.ends == other.ends


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", MEASURES)
def test_groups_of_one_case_are_nearly_no_groups(name: str) -> None:
    curve = pc.curve(*drawn(600))
    alone = pc.interval(curve, name)
    grouped = pc.interval(curve, name, groups=np.arange(600))
    assert grouped.estimate == alone.estimate
    assert grouped.standard_error == pytest.approx(alone.standard_error, rel=0.03)
    pairs = pc.interval(curve, name, groups=np.arange(600) // 2)
    renamed = pc.interval(curve, name, groups=[f"g{599 - i // 2}" for i in range(600)])
    assert pairs.ends == pytest.approx(renamed.ends, rel=1e-12)


@pytest.mark.parametrize("name", OF_ONE_ITEM)
def test_one_item_decides(name: str) -> None:
    curve = pc.curve(*drawn())
    with warned(OneItemDecides):
        found = pc.interval(curve, name)
    assert found.estimate == curve.value(name)
    assert found.low is None and found.high is None
    assert noticed(found, OneItemDecides)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_ends_have_the_bounds_of_a_share() -> None:
    """Wilson's: [k/(k + q²), 1] for a precision of 1 in k cases that more relevant ones follow,
    with Student's quantile q; and of recall.
    """
    relevant, score = np.arange(400) < 60, -np.arange(400.0)
    square = quantiles.t(0.95, 59) ** 2
    found = pc.interval(pc.curve(relevant, score), "P@40")
    assert found.high == 1 and found.low == pytest.approx(40 / (40 + square), rel=0.01)
    none = pc.interval(pc.curve(relevant, -score), "P@40")
    assert none.low == 0 and none.high == pytest.approx(square / (40 + square), rel=0.01)
    worst = pc.interval(pc.curve(relevant, -score), "R@50")
    assert worst.estimate == worst.low == 0
    assert worst.high == pytest.approx(square / (60 + square), rel=0.1)
    with warned(FewDecide):
        worst = pc.interval(pc.curve(relevant, -score), "Rprec")
    assert worst.estimate == worst.low == 0
    assert worst.high == pytest.approx(1.959964**2 / (60 + 1.959964**2), rel=1e-6)


def test_precision_at_a_rank_behind_which_there_are_no_hits() -> None:
    """Where about as many relevant cases stand far above all others as the top has ranks, the
    window around the cut mixed both sides: 81 to 88 % of intervals of P@k held the truth, those
    without a note 57 to 65 %, and P@10 with nine hits was [.13, .998]. The record had no such cut.
    """
    nine = np.arange(1000) < 9
    nine[60::47] = True
    found = pc.interval(pc.curve(nine, -np.arange(1000.0)), "P@10")
    # Poisson's bounds of nine cases that stand out are 4.1 and 17.1.
    assert not found.notes
    assert found.ends == pytest.approx((0.41, 1), abs=0.04)
    # As many hits whatever the rank: no surer and hardly less sure than a share of so many cases.
    even = np.arange(1000) % 4 == 0
    found = pc.interval(pc.curve(even, -np.arange(1000.0)), "P@100")
    assert found.ends == pytest.approx(pc.interval.proportion(25, 100).ends, abs=0.012)
    rng, held = np.random.default_rng(3), 0
    # 16.5 of them stand above all others on average, so an unlimited list has a precision of 1.
    truth = 1.0
    for _ in range(200):
        out = rng.binomial(3000, 0.0055)
        relevant = np.arange(3000) < out
        relevant[rng.choice(np.arange(out, 3000), 15, replace=False)] = True
        low, high = pc.interval(pc.curve(relevant, -np.arange(3000.0)), "P@15").ends
        held += low <= truth <= high
    assert held >= 200 * 0.95 - 3 * math.sqrt(200 * 0.95 * 0.05)


def test_recall_at_a_rank_behind_which_there_are_no_hits() -> None:
    """There 88 to 94 % of intervals of R@k and EF held the truth, without a note: precision had
    other bounds already, recall those of the window around the cut.
    """
    relevant = np.arange(1000) < 60
    relevant[60:] = np.arange(940) % 47 == 0
    curve = pc.curve(relevant, -np.arange(1000.0))
    found, again = pc.interval(curve, "R@60"), pc.interval(curve, "EF@6%")
    assert found.method == again.method == "woodruff" and not found.notes
    assert np.array(again.ends) == pytest.approx(np.array(found.ends) / 0.06, rel=1e-12)
    # If more cases stand out, the top has a smaller share of them; if fewer, it has them all.
    assert 0.05 < found.high - found.estimate < 0.7 * (found.estimate - found.low)
    # All these are in front, so AP@k is R@k, and moves as it does.
    mean = pc.interval(curve, "AP@60")
    assert mean.low <= found.low + 1e-9 and mean.high >= found.high - 1e-9
    with warned(FewDecide):
        share = pc.interval(curve, "AP(norm=min)@60")
    precision = pc.interval(curve, "P@60")
    assert share.low <= precision.low + 1e-9 and share.high == 1
    # Pairs of twin cases are half as many.
    pairs = pc.interval(curve, "R@60", groups=np.arange(1000) // 2)
    assert pairs.low < found.low and pairs.high >= found.high
    rng, held = np.random.default_rng(4), 0
    for _ in range(200):
        out = rng.binomial(1000, 0.06)
        drawn_again = np.arange(1000) < out
        drawn_again[rng.choice(np.arange(out, 1000), rng.binomial(940, 0.02), False)] = True
        low, high = pc.interval(pc.curve(drawn_again, -np.arange(1000.0)), "R@60").ends
        held += low <= 0.06 / (0.06 + 0.94 * 0.02) <= high
    assert held >= 200 * 0.95 - 3 * math.sqrt(200 * 0.95 * 0.05)


def test_notes() -> None:
    few = pc.curve(*drawn(100, 0.1))
    with warned(FewCases):
        pc.interval(few, "R@10")
    with warned(FewScores):
        relevant, score = drawn()
        pc.interval(pc.curve(relevant, np.round(4 * score)), "IAP")
    with warned(StartsBeforeHits):
        pc.interval(pc.curve(*drawn(2000, 0.02)), "AUPRG")
    with warned(FewGroups):
        pc.interval(pc.curve(*drawn()), "BEP", groups=np.arange(300) // 60)
    with warned(FewDecide):
        pc.interval(pc.curve(np.arange(400) < 60, -np.arange(400.0)), "BEP")


def test_what_is_undefined() -> None:
    score = np.arange(40.0)
    for relevant, name, kind in (
        (np.zeros(40, bool), "R@10", UndefinedMeasure),
        (np.zeros(40, bool), "P@10", UndefinedInterval),
        (np.ones(40, bool), "P@10", UndefinedInterval),
        (score == 30, "P@10", UndefinedInterval),
    ):
        with warned(kind):
            found = pc.interval(pc.curve(relevant, score), name)
        assert found.low is None


def test_intervals_of_a_curve_have_what_it_prints() -> None:
    relevant, score = drawn()
    every = pc.interval(pc.curve(relevant, score), rng=1)
    curve = pc.curve(relevant, score)
    for name in ("BEP", "BEP(method=max-min)", "BEP(method=linear)", "Rprec", "IAP"):
        assert every[name].ends == pc.interval(curve, name).ends


def test_names_elsewhere_and_what_is_refused() -> None:
    curve = pc.curve(*drawn())
    assert pc.interval(curve, "precision@50").ends == pc.interval(curve, "P@50").ends
    assert pc.interval(curve, "11pt").ends == pc.interval(curve, "IAP").ends
    named = pc.interval(curve, "AreaPR(method=11-point)")
    assert named.ends == pc.interval(curve, "IAP").ends
    assert pc.intervals.methods("P@10")[0] == "woodruff"
    assert pc.intervals.methods("R@10")[0] == pc.intervals.methods("EF@2%")[0] == "woodruff"
    assert pc.intervals.methods("AP@10")[0] == "logit"
    for name in ("nDCG@5", "AP(norm=found)@5", "bpref"):
        with pytest.raises((UsageError, pc.MeasureError)):
            pc.interval(curve, name)
    with pytest.raises(UsageError):
        pc.interval(curve, "P@10", method="bca")
    with pytest.raises(UsageError):
        pc.interval(curve, "P@10", resamples=500)


def test_the_record_of_coverage_is_of_these_situations() -> None:
    """What is not noted covers 93 % or more, within three errors of the simulation."""
    cells = json.loads(coverage.RECORD.read_text(encoding="utf-8"))["cells"]
    names = list(dict.fromkeys(cell["situation"] for cell in cells))
    assert names == [of.name for of in coverage.SITUATIONS]
    for cell in cells:
        error = math.sqrt(0.95 * 0.05 / cell["draws"])
        if cell["noted"] < 0.5:
            assert cell["covered"] > 0.93 - 3 * error, cell
    assert "\n".join(coverage.table(cells)) in coverage.PAGE.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_coverage_anew() -> None:
    cells = coverage.simulate(coverage.SITUATIONS[4], 300)
    for cell in cells:
        assert cell["covered"] > 0.93 - 3 * math.sqrt(0.95 * 0.05 / 300), cell


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_recall_of_a_top_without_errors_is_not_sure() -> None:
    """With 20 of 2,000 items read, all of them relevant, R@20, AP@20 and EF@1% varied as if no list
    could have an error there: of 600 intervals 69 to 81 % held the truth. The record had no cut far
    above the rank of the last relevant item with a precision near 1.
    """
    relevant, score = np.arange(2000) < 1000, -np.arange(2000.0)
    curve = pc.curve(relevant, score)
    precision = pc.interval(curve, "P@20")
    for name in ("R@20", "AP@20", "EF@1%"):
        found = pc.interval(curve, name)
        assert found.low / found.estimate == pytest.approx(precision.low, rel=0.01)
        # No list has more, unless fewer of all items are relevant.
        assert found.high / found.estimate == pytest.approx(1, abs=0.06)
    relevant = np.arange(2000) % 2 == 0
    wide = pc.interval(pc.curve(relevant, score), "AP@2")
    assert wide.high <= 2 / 1000 * 0.5 / pc.interval.proportion(1000, 2000).low * (1 + 1e-9)


def test_thresholds_that_another_sample_would_not_choose_are_noted() -> None:
    """Among five scores the threshold nearest to break-even, or the one of a level of recall, can
    be another one in the next sample: 84 and 90 % of intervals held the truth, without a word. The
    records had scores in wider steps, where one threshold was the nearest in all samples.
    """
    relevant = np.repeat([1, 0] * 3, [30, 20, 30, 40, 40, 140]).astype(bool)
    curve = pc.curve(relevant, np.repeat([3, 2, 1], [50, 70, 180]))
    # Precision and recall are .6 and .3, .5 and .6, so |P - R| is .3 and .1.
    assert not noticed(pc.interval(curve, "BEP"), FewScores)
    relevant = np.repeat([1, 0] * 3, [40, 32, 20, 28, 40, 140]).astype(bool)
    curve = pc.curve(relevant, np.repeat([3, 2, 1], [72, 48, 180]))
    # They are .556 and .4, .5 and .6: .156 and .1.
    with warned(FewScores):
        pc.interval(curve, "BEP")
    assert not noticed(pc.interval(curve, "BEP(method=max-min)"), FewScores)


def test_levels_that_another_rating_reaches_in_another_sample() -> None:
    """With scores tied to 1, 89 % of intervals of 11-point precision held the truth: each level
    stayed at its rating. The error is that of samples now.
    """
    rng = np.random.default_rng(3)
    relevant = rng.random(500) < 0.2
    rating = np.floor(rng.standard_normal(500) + 1.5 * relevant)
    found = pc.interval(pc.curve(relevant, rating), "IAP")
    rows = rng.integers(500, size=(300, 500))
    drawn_again = [coverage.eleven_point(relevant[row], rating[row]) for row in rows]
    assert found.standard_error > 0.9 * np.std(drawn_again)
    assert not noticed(found, FewScores)
    # Scores of one case each have one threshold for each level.
    parts = influences_of(blocks_of_curve(pc.curve(*drawn())), find("IAP"), 0.5)
    assert parts.jumps == 0 and not parts.at_levels


@pytest.mark.nightly
def test_errors_with_five_ratings() -> None:
    """Errors were a fifth too small: a rating with more relevant cases reaches more levels, and has
    the higher precision. Situations of the record had no level near the recall of a rating.
    """
    rng, found = np.random.default_rng(5), []
    for _ in range(600):
        relevant = rng.random(500) < 0.1
        score = rng.standard_normal(500) + 0.9 * relevant
        rating = np.searchsorted([-0.5, 0.3, 1.0, 1.8], score)
        with warnings.catch_warnings(action="ignore", category=FewScores.warning):
            each = pc.interval(pc.curve(relevant, rating), "IAP")
        found.append((each.estimate, each.standard_error, *each.ends))
    value, error, low, high = np.array(found).T
    assert error.mean() > 0.85 * value.std()
    assert np.mean((low <= value.mean()) & (value.mean() <= high)) > 0.94


def test_the_gain_area_of_few_cases_is_not_too_low() -> None:
    """With .2 relevant cases where the curve begins, 62 % of intervals held the truth, and lower
    bounds were -1e13. The record had no such list without a wide gap between the classes.
    """
    rng = np.random.default_rng(4)
    relevant = np.arange(2000) < 20
    score = rng.normal(size=2000) + 1.0 * relevant
    curve = pc.curve(relevant, score)
    with warned(StartsBeforeHits):
        found = pc.interval(curve, "AUPRG")
    above = np.array([(score[relevant] > one).sum() for one in score[~relevant]])
    share = 20 / 2000

    def area(recall: Any) -> float:
        return float(1 - 20 / 1980 * np.mean((np.maximum(recall, share) ** -2.0 - 1) / 2))

    assert found.estimate == pytest.approx(area(above / 20))
    assert found.high >= area((above + 1) / 21) > found.estimate
    least = pc.interval.proportion(20, 2000).low
    assert found.low >= 1 - (1 + least) / (2 * least) - 1e-9
    upside_down = pc.curve(relevant, np.where(relevant, -9.0, score))
    with warned(StartsBeforeHits):
        worst = pc.interval(upside_down, "AUPRG")
    assert math.isfinite(worst.low) and worst.low > -200
    # In long lists one more relevant case does not matter.
    relevant, score = drawn(3000, 0.3)
    wide = pc.interval(pc.curve(relevant, score), "AUPRG")
    error = wide.standard_error
    assert wide.high - wide.estimate == pytest.approx(1.96 * error, rel=0.08)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_the_gain_area_of_heavy_others_is_not_too_high() -> None:
    """If one of ten others was sampled, 17 % of intervals of AUPRG lay above the truth: the others
    that stand above every relevant case are most often not in the sample. The record has said so.
    """
    relevant = np.arange(600) < 200
    weight = np.where(relevant, 1.0, 10 + 1e-9)
    share = 200 / 4200
    one = 10 * 200 / 4000 * (share**-2 - 1) / 2 / 4000
    best = pc.interval(pc.curve(relevant, -np.arange(600.0), weights=weight), "AUPRG")
    assert best.estimate == pytest.approx(1) and best.low <= 1 - one / 2 * (1 - 1e-9)
    rng = np.random.default_rng(2)
    score = rng.normal(size=600) + 2.5 * relevant
    curve = pc.curve(relevant, score, weights=weight)
    found = pc.interval(curve, "AUPRG")
    apart = 1 - found.estimate
    far = (1 - found.low) / (apart + one / 2)
    assert math.log(far) * apart / found.standard_error > 1.96


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_perfect_gain_area_has_a_lower_bound() -> None:
    """A perfect order had no interval, "as all scores are equal", and equal scores had one of width
    .005: the tests had neither.
    """
    relevant = np.arange(300) < 100
    best = pc.interval(pc.curve(relevant, -np.arange(300.0)), "AUPRG")
    assert best.high == 1 and best.low == pytest.approx(pc.interval.proportion(100, 100).low)
    alike = pc.interval(pc.curve(relevant, np.zeros(300)), "AUPRG")
    assert alike.low is None or math.isnan(alike.low)
    assert noticed(alike, UndefinedInterval)


def test_everything_relevant_is_said() -> None:
    for name in ("BEDROC", "AUPRG"):
        with warned(UndefinedMeasure):
            found = pc.interval(pc.curve(np.ones(20, bool), np.arange(20.0)), name)
        assert "everything is relevant" in noticed(found, UndefinedMeasure)[0].reason


def test_an_unknown_measure_names_those_of_a_list() -> None:
    with pytest.raises(UsageError) as refused:
        pc.interval(pc.curve(*drawn()), "sharpness")
    assert {"AP", "P@k", "BEP", "IAP"} <= set(refused.value.allowed)


def test_a_top_that_is_the_whole_list_has_no_interval() -> None:
    """EF@100% is 1 for every list, and had bounds of .937 and 1."""
    curve = pc.curve(*drawn())
    for name in ("EF@100%", "R@300", "R@500"):
        with warned(UndefinedInterval):
            found = pc.interval(curve, name)
        assert found.estimate == 1 and found.low is None


def test_a_parameter_that_a_measure_cannot_have_is_named() -> None:
    """P@0 was refused as if there were no P@k."""
    curve = pc.curve(*drawn())
    for name, said in (
        ("P@0", "cutoff"),
        ("EF@150%", "share"),
        ("PAtRecall", "needs recall"),
        ("P(foo=3)", "foo"),
    ):
        with pytest.raises(pc.MeasureError, match=said):
            pc.interval(curve, name)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_the_greatest_f_of_any_beta() -> None:
    """`pc.interval` knew only that of 1, and `pc.interval.max_f` all."""
    relevant, score = drawn()
    curve = pc.curve(relevant, score)
    found = pc.interval.max_f(relevant, score, 2)
    for name in ("MaxF(beta=2)", "MaxF(alpha=0.2)"):
        assert pc.interval(curve, name).ends == found.ends
    assert "max F2 on new cases" in str(found)
