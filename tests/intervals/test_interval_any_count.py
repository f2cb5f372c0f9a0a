"""Intervals of every measure of counts: by its declaration, of one table and of averages over
categories.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.core.counts import Counts
from precall.core.notes.of_intervals import (
    FewItems,
    FewOfAKind,
    UndefinedInterval,
    UndefinedMeasure,
)
from precall.hard_decisions.intervals import _members
from precall.intervals import methods
from precall.measures import REGISTRY, of_counts
from precall.stats.intervals import of_tables
from precall.stats.intervals.methods import METHODS
from precall.stats.intervals.of_tables import of_matrix, of_table
from tests.noticed import noticed, warned

OF_COUNTS = [declared.name for declared in REGISTRY if declared.of is Counts]
TABLE = (40, 12, 9, 59)
TRUTH, DECIDED = np.repeat([1, 0, 1, 0], TABLE), np.repeat([1, 1, 0, 0], TABLE)
LETTERS = np.random.default_rng(2).integers(0, 3, 150)
GUESSED = np.where(np.random.default_rng(3).random(150) < 0.7, LETTERS, (LETTERS + 1) % 3)


@pytest.fixture
def binary():
    return pc.decisions(TRUTH, DECIDED)


@pytest.fixture
def single():
    return pc.decisions(LETTERS.tolist(), GUESSED.tolist(), categories=[0, 1, 2])


@pytest.fixture
def several():
    rng = np.random.default_rng(4)
    truth = rng.random((120, 4)) < [0.5, 0.3, 0.2, 0.4]
    return pc.decisions(truth, truth ^ (rng.random(truth.shape) < 0.2))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", OF_COUNTS)
class TestEveryMeasure:
    def test_of_one_table(self, name, binary):
        for method in methods(name):
            found = pc.interval(binary, name, method=method)
            assert found.method == method and found.estimate == pytest.approx(binary.value(name))
            assert found.low < found.estimate < found.high
            least, most = REGISTRY[name].range
            assert least <= found.low and found.high <= most

    @pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
    def test_of_averages(self, name, average, single, several):
        for given in (single, several):
            if (name, average) == ("LR+", "samples"):
                continue  # infinite for items without a false alarm: they have no mean
            options = {} if average == "samples" else {"method": "percentile", "resamples": 200}
            found = pc.interval(given, name, average=average, **options)
            assert found.estimate == pytest.approx(given.value(name, average), nan_ok=True)
            assert found.low is None or found.low <= found.estimate <= found.high

    def test_of_every_category(self, name, single):
        found = pc.interval(single, name, average="each")
        assert [found[key].estimate for key in found] == pytest.approx(
            single.value(name, "each").tolist()
        )
        assert list(found) == ["0", "1", "2"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["MCC", "kappa", "BalancedAccuracy"])
def test_of_the_whole_table(name, single):
    found = pc.interval(single, name, rng=3)
    assert found.estimate == pytest.approx(single.value(name)) and found.measure == name
    rng = np.random.default_rng(5)
    drawn = []
    for _ in range(1500):
        some = rng.integers(0, 150, 150)
        drawn.append(
            pc.decisions(
                LETTERS[some].tolist(), GUESSED[some].tolist(), categories=[0, 1, 2]
            ).value(name)
        )
    plain = pc.interval(single, name, method="percentile", rng=3, resamples=4000)
    assert (plain.low, plain.high) == pytest.approx(
        tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.015
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    ("name", "hits", "total"),
    [
        ("Specificity", 59, 71),
        ("NPV", 59, 68),
        ("Fallout", 12, 71),
        ("Prevalence", 49, 120),
        ("Error", 21, 120),
    ],
)
def test_proportions_are_declared(name, hits, total, binary):
    for method in METHODS["proportion"]:
        found, plain = (
            pc.interval(binary, name, method=method),
            pc.interval.proportion(hits, total, method=method),
        )
        assert (found.estimate, found.low, found.high) == (plain.estimate, plain.low, plain.high)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_the_posterior_of_f_is_goutte_and_gaussiers(beta):
    """As any other measure of counts has it; with one prior for all cells it is the paper's."""
    of_f = pc.interval.f(*TABLE[:3], beta)
    any_measure = of_tables.of_counts(of_counts(f"F(beta={beta})"), "F", TABLE)
    assert (any_measure.low, any_measure.high) == pytest.approx((of_f.low, of_f.high), abs=1e-5)
    published = pc.interval.f(*TABLE[:3], beta, prior=0.5)
    assert published.ends == pytest.approx(
        pc.compare.bayes.f(*TABLE[:3], beta).interval(), abs=1e-5
    )


def test_samples_are_multinomial():
    """Accuracy of samples of items is a binomial share."""
    found = of_tables.of_counts(
        of_counts("Accuracy"), "accuracy", TABLE, method="percentile", resamples=40_000, rng=2
    )
    from scipy import stats

    ends = stats.binom.ppf([0.025, 0.975], 120, 99 / 120) / 120
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=1 / 120)


def test_acceleration_is_the_jackknifes():
    value = of_counts("MCC")
    ours = of_tables._acceleration(lambda tables: value.of_table(tables)[0], of_table(*TABLE), None)
    left = []
    for cell, times in enumerate(TABLE):
        less = np.array(TABLE) - (np.arange(4) == cell)
        left += [float(value.of_table(Counts(*less[:, None]))[0])] * times
    change = np.mean(left) - np.array(left)
    assert ours == pytest.approx(np.sum(change**3) / (6 * np.sum(change**2) ** 1.5))


class TestMemberships:
    @pytest.mark.parametrize("kind", ["single", "several"])
    def test_alike_items_are_one(self, kind, request):
        given = request.getfixturevalue(kind)
        every = _members(given)
        few = every.merge_alike()
        assert len(few.count) < len(every.count) / 1.5 and few.count.sum() == len(every.count)
        for members in (every, few):
            counts = members.counts(members.count[None])
            for name in ("tp", "fp", "fn", "tn"):
                assert (
                    getattr(counts, name)[:, 0].tolist() == getattr(given.counts(), name).tolist()
                )
        patterns = {
            (
                tuple(every.true.category[every.true.item == i]),
                tuple(every.decided.category[every.decided.item == i]),
            )
            for i in range(len(every.count))
        }
        assert len(few.count) == len(patterns)

    def test_leaving_one_out(self):
        members = of_matrix([[5, 1, 0], [2, 7, 1], [0, 3, 4]])
        seen = np.flatnonzero(members.count)
        left = members.without(seen)
        for place, cell in enumerate(seen):
            times = members.count.copy()
            times[cell] -= 1
            counts = members.counts(times[None])
            for name in ("tp", "fp", "fn", "tn"):
                assert (
                    getattr(left, name)[:, place].tolist() == getattr(counts, name)[:, 0].tolist()
                )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
class TestEnds:
    def test_what_was_not_seen_is_not_impossible(self):
        perfect = pc.decisions([1] * 20 + [0] * 20, [1] * 20 + [0] * 20)
        found = pc.interval(perfect, "MCC")
        assert found.estimate == found.high == 1 and 0.7 < found.low < 0.95
        bootstrapped = pc.interval(perfect, "MCC", method="bca")
        assert bootstrapped.low is None
        assert [note.reason for note in noticed(bootstrapped, UndefinedInterval)] == [
            "its variance is 0"
        ]

    def test_infinite(self):
        found = pc.interval(pc.decisions([1] * 20 + [0] * 20, [1] * 15 + [0] * 25), "LR+")
        assert found.estimate == found.high == math.inf and 2 < found.low < math.inf

    def test_undefined(self):
        found = pc.interval(pc.decisions([1] * 10, [1] * 10), "MCC")
        (note,) = noticed(found, UndefinedMeasure)
        assert (
            math.isnan(found.estimate)
            and note.reason == "a row or a column of the table is empty (0/0)"
        )

    @pytest.mark.parametrize("average", [None, "each", "micro", "macro", "weighted", "samples"])
    @pytest.mark.parametrize("name", ["MCC", "precision", "f", "accuracy"])
    def test_no_items(self, name, average):
        found = pc.interval(pc.decisions([], [], categories=["a", "b"]), name, average=average)
        each = found.values() if hasattr(found, "values") else [found]
        assert all(one.low is None and one.notes for one in each)

    def test_few(self):
        d = pc.decisions([1, 0, 1, 0] * 3, [1, 0, 0, 1] * 3)
        with warned(FewOfAKind) as told:
            pc.interval(d, "kappa")
        assert [(note.subject, note.seen, note.noun) for note in told] == [("kappa", 3, "FN")]
        with warned(FewItems, FewOfAKind) as told:
            pc.interval(d, "kappa", method="bca")
        assert told[0].facts == {"subject": "kappa", "items": 12, "noun": "item", "effect": "miss"}


def test_refused(binary, single):
    with pytest.raises(
        pc.MeasureError, match="AP is a measure of rankings; allowed are those of counts"
    ):
        pc.interval(binary, "AP")
    with pytest.raises(
        pc.UsageError, match="method: got 'wilson', allowed are posterior, bca, percentile"
    ):
        pc.interval(binary, "MCC", method="wilson")
    with pytest.raises(pc.UsageError, match="average: got 'most'"):
        pc.interval(single, "MCC", average="most")


def test_methods_by_declaration():
    assert methods("precision") == METHODS["proportion"] and methods("F(beta=2)") == METHODS["F"]
    assert methods("AP") == ("logit", "bca", "percentile", "normal", "t", "bayesian-bootstrap")
    assert methods("nDCG@10") == METHODS["mean"] and methods("NumRet") == ()
    assert all(methods(name) for name in OF_COUNTS)


def test_one_seed(single):
    first, again = (pc.interval(single, "MCC", rng=7) for _ in range(2))
    assert first == again and first.seed == 7 and first != pc.interval(single, "MCC", rng=8)
