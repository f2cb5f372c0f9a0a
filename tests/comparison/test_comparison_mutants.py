"""Tests of the tests: planted mistakes of every statistic are found by a check that the true one
passes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pytest

import precall as pc
from precall.core.methods import NO_DIFFERENCE
from precall.stats import influence as blocks
from precall.stats.blocks import Cases
from precall.stats.resample import resampling
from precall.stats.resample.multinomial import Cells
from precall.stats.tests import bayes, comparisons, many, paired, power, signflip, swapping, tukey
from precall.stats.tests import exchange as exchanging
from precall.stats.tests import lists as items
from precall.stats.tests import lists as placed
from precall.stats.tests.paired import Result
from tests.comparison import oracle
from tests.peers import peer

sparse = peer("scipy.sparse")
stats = peer("scipy.stats")

RNG = np.random.default_rng(1)
A, B = np.round(RNG.random(9), 2), np.round(RNG.random(9), 2)
APART = [Fraction(str(x)) - Fraction(str(y)) for x, y in zip(A.tolist(), B.tolist(), strict=True)]
TIED = np.array([0.5, -0.5, 0.5, 0.2, 0.0, 0.7, -0.2])
RELEVANT = np.array([1, 0, 1, 1, 0, 0, 1, 0], bool)
FIRST, SECOND = np.array([4, 4, 3, 2, 2, 2, 1, 0]), np.array([1, 3, 3, 0, 2, 4, 4, 2])
LISTS = RELEVANT.tolist(), FIRST.tolist(), SECOND.tolist()


def close(found: float, expected: Any, within: float = 1e-9) -> None:
    assert abs(found - float(expected)) <= within, (found, float(expected))


def randomization() -> None:
    close(pc.compare.paired(A, B).p, oracle.randomization(APART))
    close(signflip.exact_tail(np.array([1.0, -2.0, 3.0]), "greater")[0], Fraction(3, 8))


def convolved() -> None:
    some = np.array([3, -1, 2, 2, -4, 5])
    close(
        signflip._by_convolution(some, "two-sided"),
        oracle.randomization([Fraction(int(x)) for x in some]),
    )


def halved() -> None:
    some = np.array([3.0, -1, 2, 2, -4, 5])
    value = signflip._by_halves(some, some.sum(), np.abs(some).sum(), "two-sided")
    close(value, oracle.randomization([Fraction(int(x)) for x in some]))


def sampled() -> None:
    close(signflip.sampled_tail(np.full((40, 1), 0.5), np.random.default_rng(1), 999)[0], 0.001)
    some = np.array([[0.3], [-0.1], [0.4], [0.2], [-0.2], [0.6], [0.1], [-0.9], [0.8]])
    exact = oracle.randomization([Fraction(str(x)) for x in some[:, 0]])
    close(signflip.sampled_tail(some, np.random.default_rng(2), 20_000)[0], exact, 0.015)


def wilcoxon() -> None:
    exact = oracle.wilcoxon([Fraction(str(x)) for x in TIED])
    close(pc.compare.paired(TIED, np.zeros(7), test="wilcoxon").p, exact)


def sign() -> None:
    close(pc.compare.paired(TIED, np.zeros(7), test="sign").p, oracle.sign(4, 2))


def student() -> None:
    found = pc.compare.paired(oracle.SLEEP_1, oracle.SLEEP_2, test="t")
    close(found.p, 0.002833, 5e-7)
    close(found.low, -2.459886, 5e-7)
    close(found.effect, -1.284558, 5e-7)


def bootstrap() -> None:
    found = pc.compare.paired([1.0, 3.0, 8.0], [0.0] * 3, test="bootstrap", resamples=30_000, rng=1)
    # Of 27 samples with their mean moved from 4 to 0 none is 4 above it, none 4 below: means reach
    # from 1 to 8.
    close(found.p, Fraction(1, 27), 0.006)


def greatest() -> None:
    whole = [[9, 1, 0], [5, 2, 1], [4, 3, 1], [8, 1, 2], [2, 2, 1], [9, 0, 0], [1, 3, 2]]
    found = pc.compare.many(np.array(whole), correction="tukey").pairs
    for one, (i, j) in zip(found, combinations(range(3), 2), strict=True):
        close(one.adjusted, oracle.tukey([[Fraction(x) for x in row] for row in whole], i, j))


def inverted() -> None:
    for apart in (A - B, np.array([3, -1, 4, 1, 5, 9, 2, -6]) / 8):
        found = pc.compare.paired(apart, np.zeros(len(apart)))
        low, high = oracle.not_rejected([Fraction(float(one)) for one in apart], Fraction(1, 20))  # type: ignore[misc]
        close(found.low, low)
        close(found.high, high)


def variance() -> None:
    table = many.anova(np.array([[1.0, 2.0, 4.0], [2.0, 4.0, 5.0], [4.0, 5.0, 9.0]]))
    close(table.f[0], 15.5)
    close(table.p[0], (1 + 2 * 15.5 / 4) ** -2)


def lettered() -> None:
    means = {"w": 4.0, "x": 3.0, "y": 2.0, "z": 1.0}
    apart = many.display(means, [("w", "y"), ("w", "z"), ("x", "z")])
    assert apart == {"w": "a", "x": "ab", "y": "bc", "z": "c"}
    assert many.display(means, [("x", "y")]) == {"w": "ab", "x": "a", "y": "b", "z": "ab"}


def adjusted() -> None:
    p = [0.01, 0.02, 0.04, 0.5]
    names = {"holm": "holm", "hochberg": "hochberg", "bh": "benjamini_hochberg"}
    for name, theirs in names.items():
        for one, other in zip(
            comparisons.adjust(p, name).tolist(), getattr(oracle, theirs)(p), strict=True
        ):
            close(one, other)


def swaps() -> None:
    hits, alarms = (
        [(1, 0), (1, 0), (0, 1), (1, 0), (1, 1)],
        [(0, 1), (0, 1), (1, 0), (0, 0), (1, 0)],
    )
    change = np.stack([np.subtract(*np.array(side).T) for side in (hits, alarms)], axis=1)
    totals = np.stack([np.sum(side, axis=0) for side in (hits, alarms)], axis=1)
    for name in ("F", "P", "R", "Accuracy"):
        value = swapping.of_tables(pc.measure(name), np.array([6]), 20)
        given = swapping.Changes(
            totals, sparse.csr_array(change), change[:, 0] - change[:, 1], value
        )
        close(
            swapping.compare_decisions(given, name).p,
            oracle.yeh(hits, alarms, 6, 20, name.replace("Acc", "acc")),
        )


def areas() -> None:
    found = pc.compare.cases(*LISTS, "AUC")
    difference, variance_ = oracle.delong(*LISTS)
    close(found.difference, difference)
    close((found.high - found.low) / 2, 1.959963984540054 * variance_**0.5)


def influence() -> None:
    ap, values = blocks.precision_influence(RELEVANT, blocks.rank_items(RELEVANT, FIRST))
    close(ap, oracle.average_precision(*LISTS[:2]))
    for i in range(8):
        weight = [1.0] * 8
        weight[i] += 1e-6
        close(values[i], (oracle.average_precision(*LISTS[:2], weight) - ap) / 1e-6, 1e-5)


def exchanges() -> None:
    for measure in ("AP", "AUC"):
        close(
            pc.compare.cases(*LISTS, measure, test="permutation").p,
            oracle.exchanged(*LISTS, measure),
        )


def redrawn() -> None:
    weight = np.array([[2, 1, 2, 0, 1, 1, 1, 0]])
    weighed = resampling.WeightedCases(
        Cases(blocks.rank_items(RELEVANT, FIRST).block, RELEVANT, np.ones(8))
    )
    weighed.tables = Cells(np.ones(8, np.int64), [np.array([i]) for i in range(8)]).tables
    ap = weighed.precisions(np.zeros(1, np.uint64), weight, apart=True)[0]
    alone = [4.0, 4.0, 4.0, 3.0, 2.9, 2.0, 2.0, 1.0]
    close(ap, oracle.average_precision([True, True, False, True, True, False, False, True], alone))


def posterior() -> None:
    close(bayes.f(8, 2, 4).cdf(0.5), stats.beta.cdf(1 / 3, 8.5, 7))
    close(bayes.outcomes(3, 0).greater, stats.beta.sf(0.5, 3.5, 0.5))


def planned() -> None:
    assert power.topics(0.5, 1.0) == 34
    close(power.of_mcnemar(20, 0.3, 0.1), oracle.mcnemar_power(20, 0.3, 0.1, 0.05))


def margins() -> None:
    a, b = np.array([0.50, 0.61, 0.42, 0.70, 0.55]), np.array([0.51, 0.60, 0.43, 0.69, 0.57])
    found = pc.compare.equivalence(a, b, 0.02)
    apart = (a - b).tolist()
    close(found.p_low, stats.t.sf(oracle.t_statistic([one + 0.02 for one in apart]), 4))
    close(found.p_high, stats.t.sf(oracle.t_statistic([0.02 - one for one in apart]), 4))


CHECKS = [
    randomization,
    convolved,
    halved,
    sampled,
    inverted,
    wilcoxon,
    sign,
    student,
    bootstrap,
    greatest,
    variance,
    lettered,
    adjusted,
    swaps,
    areas,
    influence,
    exchanges,
    redrawn,
    posterior,
    planned,
    margins,
]


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_true_statistics_survive(check):
    check()


class Mutant(NamedTuple):
    check: Callable[[], None]
    mistake: str
    module: Any
    name: str
    wrong: Any


def spoiled(module: Any, name: str, spoil: Callable[..., Any]) -> Any:
    true = getattr(module, name)
    return lambda *given, **choices: spoil(true, *given, **choices)


def one_sided(true: Any, *given: Any, **choices: Any) -> Any:
    result = true(*given, **choices)
    return Result(result.p / 2, *result[1:])


def independent(difference: Any, choices: Any) -> Any:
    found, (low, high) = (
        paired._t(difference, choices),
        paired.t_interval(difference, choices.level),
    )
    return found._replace(p=found.p**0.5, edges=(low * 1.4, high))


def replaced(**functions: Any) -> dict[str, Any]:
    return {**paired.TESTS, **functions}


def mutants() -> list[Mutant]:
    tests = paired.TESTS
    table = {
        "one-sided": {name: spoiled_test(one_sided, test) for name, test in tests.items()},
        "zeros take part": {**tests, "wilcoxon": zero_ranks, "sign": zero_signs},
    }
    found = [
        Mutant(check, "one-sided", paired, "TESTS", table["one-sided"])
        for check in (randomization, wilcoxon, sign, student, bootstrap)
    ]
    return found + of_pairs(table["zeros take part"]) + of_systems() + of_items() + of_plans()


def of_pairs(zeros: Any) -> list[Mutant]:
    deviation = lambda apart: float(np.std(apart))  # noqa: E731
    half = lambda true, *given, **choices: true(*given, **choices) / 2  # noqa: E731
    return [
        Mutant(wilcoxon, "zeros take part", paired, "TESTS", zeros),
        Mutant(sign, "zeros take part", paired, "TESTS", zeros),
        Mutant(student, "unpaired", paired, "TESTS", replaced(t=independent)),
        Mutant(student, "n for n - 1", paired, "deviation", deviation),
        Mutant(margins, "n for n - 1", paired, "deviation", deviation),
        Mutant(
            sampled,
            "missing + 1",
            signflip,
            "p_of_samples",
            lambda count, total: np.asarray(count) / total,
        ),
        Mutant(
            sampled,
            "+ 1 above only",
            signflip,
            "p_of_samples",
            lambda count, total: (np.asarray(count) + 1) / total,
        ),
        Mutant(sampled, "strictly greater", signflip, "TOLERANCE", -1e-9),
        Mutant(sampled, "six of eight signs", signflip, "_draw_bits", six),
        Mutant(randomization, "strictly greater", signflip, "TOLERANCE", -1e-9),
        Mutant(
            randomization,
            "sums without one topic",
            signflip,
            "_all_signed_sums",
            spoiled(signflip, "_all_signed_sums", less_one),
        ),
        Mutant(
            convolved,
            "half the tail",
            signflip,
            "_by_convolution",
            spoiled(signflip, "_by_convolution", half),
        ),
        Mutant(
            halved, "half the tail", signflip, "_by_halves", spoiled(signflip, "_by_halves", half)
        ),
        Mutant(halved, "strictly greater", signflip, "TOLERANCE", -1e-9),
        Mutant(
            wilcoxon,
            "ranks without ties",
            paired,
            "midranks",
            lambda x: np.argsort(np.argsort(x)) + 1.0,
        ),
        Mutant(bootstrap, "not shifted", paired, "TESTS", replaced(bootstrap=unshifted)),
        Mutant(inverted, "one mean too far inside", signflip.RandomSigns, "rank", one_farther),
        Mutant(inverted, "half the level", signflip.RandomSigns, "rank", one_sided_level),
    ]


def of_systems() -> list[Mutant]:
    return [
        Mutant(greatest, "differences, not t", tukey, "greatest", unstudentised),
        Mutant(greatest, "departures from 0", tukey, "greatest", uncentred),
        Mutant(greatest, "what was seen is not among the choices", tukey.Greatest, "p", unseen),
        Mutant(greatest, "Bonferroni of one pair", tukey, "greatest", of_first_pair),
        Mutant(variance, "one-way", many, "anova", one_way),
        Mutant(
            lettered, "every pair may share", many, "_runs", lambda apart: [(1 << len(apart)) - 1]
        ),
        Mutant(lettered, "runs only", many, "_insert_and_absorb", lambda apart: []),
        Mutant(
            adjusted,
            "Bonferroni",
            comparisons,
            "adjust",
            lambda p, name: np.minimum(np.array(p) * len(p), 1),
        ),
        Mutant(
            adjusted,
            "names mixed up",
            comparisons,
            "adjust",
            lambda p, name: ADJUST(p, MIXED[name]),
        ),
        Mutant(swaps, "strictly greater", swapping, "TOLERANCE", -1e-9),
        Mutant(
            swaps,
            "numbers of exchanges all alike",
            exchanging,
            "chances",
            lambda n: np.full(n + 1, 1 / (n + 1)),
        ),
        Mutant(
            swaps,
            "each kind once",
            swapping,
            "_kinds",
            lambda change: (KINDS(change)[0], np.minimum(KINDS(change)[1], 1)),
        ),
        Mutant(swaps, "only one system is changed", swapping, "of_tables", unexchanged),
    ]


def of_items() -> list[Mutant]:
    return [
        Mutant(areas, "variances added", items, "variance", uncorrelated),
        Mutant(areas, "n for n - 1", items, "variance", biased),
        Mutant(areas, "ties count nothing", placed, "roc_influence", strict_ties),
        Mutant(
            influence,
            "wrong tie block: its beginning",
            blocks,
            "precision_influence",
            at_the_beginning,
        ),
        Mutant(influence, "only the item's own term", blocks, "precision_influence", own_term),
        Mutant(exchanges, "one list only", exchanging.Exchange, "difference", one_list),
        Mutant(
            exchanges,
            "missing ties",
            placed,
            "midranks",
            lambda x: np.argsort(np.argsort(x, kind="stable")) + 1.0,
        ),
        Mutant(redrawn, "copies are a tie", resampling.WeightedCases, "precisions", copies_tied),
    ]


def of_plans() -> list[Mutant]:
    return [
        Mutant(posterior, "F as a mean", bayes, "certain", plain),
        Mutant(planned, "normal for t", power, "of_t", normal),
        Mutant(
            planned, "one-sided", power, "of_mcnemar", spoiled(power, "of_mcnemar", at_ten_percent)
        ),
    ]


KINDS, OF_TABLES = swapping._kinds, swapping.of_tables
ADJUST = comparisons.adjust
MIXED = {"holm": "hochberg", "hochberg": "holm", "bh": "by"}


def plain(name: str, a: float, b: float, gain: float = 1.0) -> Any:
    return bayes.Posterior(name, a, b, 1.0, np.ones(1), np.ones(1))


def normal(topics: int, difference: float, spread: float, level: float = 0.95) -> float:
    return float(stats.norm.cdf(difference / spread * topics**0.5 - 1.96))


def at_ten_percent(true: Any, size: int, only_a: float, only_b: float) -> float:
    return float(true(size, only_a, only_b, 0.9))


def spoiled_test(spoil: Any, test: Any) -> Any:
    return lambda difference, choices: spoil(test, difference, choices)


def zero_ranks(difference: Any, choices: Any) -> Any:
    ranks = paired.midranks(np.abs(difference))
    exact = signflip.exact_tail(np.where(difference >= 0, 1, -1) * ranks, choices.alternative)
    return Result(exact[0], NO_DIFFERENCE, 0.0)


def zero_signs(difference: Any, choices: Any) -> Any:
    return Result(
        float(oracle.sign(int((difference >= 0).sum()), int((difference < 0).sum()))),
        NO_DIFFERENCE,
        0.0,
    )


def less_one(true: Any, moved: Any) -> Any:
    return true(moved[:-1])


def six(rows: int, rng: Any, size: int) -> Any:
    return DRAWN(rows, rng, size) & 63


def unshifted(difference: Any, choices: Any) -> Any:
    drawn = difference[
        np.random.default_rng(1).integers(0, len(difference), (5000, len(difference)))
    ].mean(axis=1)
    return Result(float((np.abs(drawn) >= abs(difference.mean())).mean()), NO_DIFFERENCE, 0.0)


def unstudentised(values: Any, first: Any, second: Any, spread: Any, *given: Any) -> Any:
    return GREATEST(values, first, second, np.full(len(spread), spread.max()), *given)


def uncentred(values: Any, first: Any, second: Any, spread: Any, *given: Any) -> Any:
    # So many topics of the mean less its departures that the mean of all is 0.
    moved = values + np.where(np.arange(len(values)) % 2 == 0, 1, -1)[:, None] * values.mean(axis=0)
    return GREATEST(moved, first, second, spread, *given)


def of_first_pair(values: Any, first: Any, second: Any, spread: Any, *given: Any) -> Any:
    return GREATEST(values, first[:1], second[:1], spread[:1], *given)


def unseen(drawn: Any, difference: Any, spread: Any) -> Any:
    return P(drawn, difference, spread) - 1 / (len(drawn.shares) + 1)


def one_farther(signs: Any, level: float) -> int:
    return RANK(signs, level) + 1


def one_sided_level(signs: Any, level: float) -> int:
    return RANK(signs, 1 - (1 - level) / 2)


def one_way(values: Any) -> Any:
    true = ANOVA(values)
    rest = (true.sums[1] + true.sums[2]) / (true.freedom[1] + true.freedom[2])
    return comparisons.Anova(
        true.sums, true.freedom, true.squares, (true.squares[0] / rest, 0.0), (0.0, 0.0)
    )


def unexchanged(measure: Any, relevant: Any, items: int) -> Any:
    # Every second call, that for the other system, is of what was observed.
    true, calls = OF_TABLES(measure, relevant, items), []

    def value(totals: Any) -> Any:
        calls.append(totals)
        return true(
            totals
            if len(calls) % 2
            else np.full(totals.shape, calls[1])
            if totals.ndim == 2
            else totals
        )

    return value


def uncorrelated(lists: Any, found: Any, *_: Any) -> float:
    kinds = (lists.relevant, ~lists.relevant)
    return sum(shares[kind].var(ddof=1) / kind.sum() for _, shares in found for kind in kinds)


def biased(lists: Any, found: Any, *_: Any) -> float:
    apart = found[0][1] - found[1][1]
    return sum(apart[kind].var() / kind.sum() for kind in (lists.relevant, ~lists.relevant))


def strict_ties(relevant: Any, place: Any, _: Any) -> Any:
    return np.mean(np.less.outer(place.block[relevant], place.block[~relevant])), SHARES(
        relevant, place
    )[1]


def at_the_beginning(relevant: Any, place: Any) -> Any:
    alone = np.argsort(np.argsort(place.block, kind="stable"), kind="stable")
    return INFLUENCE(relevant, blocks.rank_items(relevant, -alone))


def own_term(relevant: Any, place: Any) -> Any:
    ap, _ = INFLUENCE(relevant, place)
    precision = place.counts.tp / (place.counts.tp + place.counts.fp)
    return ap, np.where(relevant, (precision[place.block] - ap) / relevant.sum(), 0.0)


def one_list(lists: Any, moved: Any, measure: str, cutoff: int | None = None) -> Any:
    return EXCHANGED(lists, moved, measure, cutoff) / 2


def copies_tied(self: Any, seed: Any, units: Any, apart: bool) -> Any:
    return PRECISIONS(self, seed, units)


DRAWN, ANOVA = signflip._draw_bits, many.anova
GREATEST, P, RANK = tukey.greatest, tukey.Greatest.p, signflip.RandomSigns.rank
INFLUENCE, SHARES = blocks.precision_influence, blocks.roc_influence
EXCHANGED, PRECISIONS = exchanging.Exchange.difference, resampling.WeightedCases.precisions


@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize(
    "mutant", mutants(), ids=lambda mutant: f"{mutant.check.__name__}: {mutant.mistake}"
)
def test_a_wrong_statistic_is_found(mutant, monkeypatch):
    monkeypatch.setattr(mutant.module, mutant.name, mutant.wrong)
    with pytest.raises(AssertionError):
        mutant.check()
