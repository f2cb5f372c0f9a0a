"""Hard decisions of two systems: Yeh's randomization against all exchanges, McNemar's test, and
forms of input.
"""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
import precall.comparison.api
from precall.core.counts import Counts
from precall.core.notes.of_decisions import UndefinedForSystems
from precall.stats.tests import TESTS, swapping
from precall.stats.tests import exchange as exchanging
from precall.stats.tests.exchange import Coins
from precall.stats.tests.swapping import Changes, compare_decisions, of_tables
from tests.comparison import oracle
from tests.noticed import noticed, shown
from tests.peers import peer

sparse = peer("scipy.sparse")
stats = peer("scipy.stats")
contingency_tables = peer("statsmodels.stats.contingency_tables")

UNIT = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


@given(
    st.lists(UNIT, min_size=1, max_size=7),
    st.sampled_from(["F", "P", "R", "Accuracy"]),
    st.sampled_from([1.0, 0.5, 2.0]),
    st.booleans(),
)
def test_p_is_that_of_all_exchanges(units, measure, beta, convolved):
    table = np.array(units).reshape(-1, 4)
    relevant, decisions = int(table[:, :2].max(axis=1).sum()) + 2, 4 * len(table) + 6
    one = pc.measure(f"F(beta={beta})" if measure == "F" else measure)
    totals = table.sum(axis=0)[[[0, 2], [1, 3]]]
    change = np.stack((table[:, 0] - table[:, 1], table[:, 2] - table[:, 3]), axis=1)
    value = of_tables(one, np.array([relevant]), decisions)
    given = Changes(totals, sparse.csr_array(change), change[:, 0] - change[:, 1], value)
    with pytest.MonkeyPatch.context() as patched:
        # With nothing enumerated, totals are convolved on their grid.
        patched.setattr(swapping, "ENUMERATED", 0 if convolved else 2**20)
        found = compare_decisions(given, measure)
    hits, alarms = [u[:2] for u in units], [u[2:] for u in units]
    exact = oracle.yeh(hits, alarms, relevant, decisions, measure.replace("Acc", "acc"), beta)
    assert found.p == pytest.approx(float(exact), rel=1e-9) and "sampled" not in found.how


def decided(size, seed, categories=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, categories, size)
    return truth, *(
        np.where(rng.random(size) < 0.6, truth, rng.integers(0, categories, size)) for _ in "ab"
    )


def by_hand(truth, a, b, measure, average):
    """Share of all exchanges that are as far, each measured anew by `Decisions`; those of the other
    items are as far, so that half of all are enough.
    """
    differ = np.flatnonzero(a != b)

    def apart(swap):
        one, two = a.copy(), b.copy()
        one[swap], two[swap] = b[swap], a[swap]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = [
                pc.decisions(truth, said, categories=[0, 1, 2]).value(measure, average)
                for said in (one, two)
            ]
        return abs(np.subtract(*np.nan_to_num(values)))

    observed = apart(differ[:0])
    swaps = itertools.product((False,), *[(False, True)] * (len(differ) - 1))
    return np.mean([apart(differ[np.array(swap)]) >= observed - 1e-12 for swap in swaps])


@pytest.mark.nightly
@pytest.mark.parametrize(
    "measure", ["MCC", "kappa", "BalancedAccuracy", "Specificity", "F(beta=2)", "Error", "Jaccard"]
)
@pytest.mark.parametrize("average", [None, "micro", "macro", "weighted", "samples"])
def test_any_measure_is_exchanged_in_all_ways(measure, average):
    truth, a, b = decided(11, 5)
    own = measure in ("MCC", "kappa", "BalancedAccuracy", "Error")
    found = pc.compare.decisions(truth, a, b, measure, average=average, categories=[0, 1, 2])
    of = average or (None if own else "micro")
    assert found.p == by_hand(truth, a, b, measure, of) and found.how.startswith("all 2^")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = tuple(
            pc.decisions(truth, said, categories=[0, 1, 2]).value(measure, of) for said in (a, b)
        )
    assert found.values == values
    assert found.higher_is_better == (measure != "Error")


def test_a_name_can_say_the_average():
    truth, a, b = decided(11, 5)
    found = pc.compare.decisions(truth, a, b, "macro-F1")
    same = pc.compare.decisions(truth, a, b, "F", average="macro")
    assert (
        (found.measure, found.p, found.values)
        == (same.measure, same.p, same.values)
        == ("macro-F", same.p, same.values)
    )
    with pytest.raises(pc.UsageError, match="average: got 'micro', but macro-F says macro"):
        pc.compare.decisions(truth, a, b, "macro-F1", average="micro")


def test_tests_of_a_measure_are_derived_from_its_declaration():
    tests = precall.comparison.api.tests
    assert tests("MCC") == ("randomization",) and tests("Error")[1] == "mcnemar"
    assert tests("F(beta=2)") == ("randomization", "t", "wilcoxon", "sign")
    assert (
        tests("AP") == (*TESTS, "permutation", "influence")
        and tests(pc.measure("nDCG@10")) == TESTS
    )
    assert tests("P@10") == TESTS and tests("Prevalence") == ()


@pytest.mark.nightly
@pytest.mark.parametrize("average", [None, "micro", "macro"])
@pytest.mark.parametrize("measure", ["MCC", "F"])
def test_all_exchanges_of_twenty_items_are_gone_through(measure, average):
    # Of macro-averages and of the joint MCC, too: 2^20 of them, and not more.
    truth = np.arange(60) % 7
    a, b = truth.copy(), truth.copy()
    for size, exact in (
        (20, True),
        (21, average == "micro" or (measure == "F" and average is None)),
    ):
        rng = np.random.default_rng(size)
        b[:] = truth
        b[:size] = (truth[:size] + rng.integers(1, 7, size)) % 7
        a[size // 2 : size], b[size // 2 : size] = b[size // 2 : size], truth[size // 2 : size]
        found = pc.compare.decisions(truth, a, b, measure, average=average, resamples=99)
        kinds = len({*zip(truth[:size], a[:size], b[:size], strict=True)})
        assert found.how == f"all 2^{size} swaps" if exact or kinds < size else "99 sampled swaps"
        assert not exact or (found.p * 2**size) % 1 == 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("measure", "size"), [("MCC", 40), ("kappa", 40), ("macro-F1", 40), ("macro-F1", 1500)]
)
def test_the_exchange_test_keeps_its_size(measure, size):
    # Two systems that are alike: rejected at 5 % in 5 % of samples, at most; 3 standard errors of
    # 400 samples. Of 1500 items there are more than 64 of a kind.
    rejected = 0
    for seed in range(400):
        rejected += pc.compare.decisions(*decided(size, seed), measure, resamples=199).p <= 0.05
    assert 0.017 <= rejected / 400 <= 0.083


@pytest.mark.parametrize("times", [1, 2, 8, 9, 63, 64, 65, 128, 129, 640, 641, 5000])
def test_numbers_of_exchanges_are_binomial(times):
    # Bits of a byte, words of bits, and NumPy's own beyond.
    drawn = Coins.of(np.array([3, times, 1, times])).draw(np.random.default_rng(times), 4000)
    assert drawn.dtype == np.int32 and drawn.shape == (4, 4000)
    law = stats.binom(times, 0.5)
    edges = np.unique(law.ppf(np.linspace(0.05, 0.95, 8)))
    for row in drawn[[1, 3]]:
        assert row.min() >= 0 and row.max() <= times
        seen = np.bincount(np.searchsorted(edges, row), minlength=len(edges) + 1)
        chance = np.diff(np.concatenate(([0.0], law.cdf(edges), [1.0])))
        kept = chance > 0
        assert stats.chisquare(seen[kept], 4000 * chance[kept]).pvalue > 1e-4
    assert abs(np.corrcoef(drawn)[np.triu_indices(4, 1)]).max() < 0.07


@pytest.mark.parametrize("units", [[1] * 40, [3, 1, 70, 700, 1]])
def test_batches_that_are_counted_together_are_those_drawn_alone(units, monkeypatch):
    # 4 draws a batch, and a last one of 2: columns of what is seen, in whatever calls.
    monkeypatch.setattr(exchanging, "_CELLS", 40)

    def drawn(together):
        monkeypatch.setattr(exchanging, "_SIDE_BY_SIDE", together)
        seen = []

        def far(some):
            seen.extend(map(tuple, some.T.tolist()))
            return some[0] % 2 == 1

        return exchanging.sample_exchanges(np.array(units), far, 10, 0, 22), sorted(seen)

    alone = drawn(1)
    assert len(alone[1]) == 22 and drawn(4) == drawn(12) == drawn(999) == alone


CHANGES = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([-2, -1, 0, 0, 1, 2, 0.5]), min_size=width, max_size=width),
        min_size=1,
        max_size=9,
    )
)


@given(CHANGES)
def test_kinds_are_rows_that_are_alike(rows):
    change = np.array(rows, float)
    kinds, count = swapping._kinds(sparse.csr_array(change))
    moved = change[change.any(axis=1)]
    if not len(moved):
        assert not len(count)
        return
    lead = moved[np.arange(len(moved)), (moved != 0).argmax(axis=1)]
    expected, times = np.unique(moved * np.sign(lead)[:, None], axis=0, return_counts=True)
    assert kinds.toarray().T.tolist() == expected.tolist() and count.tolist() == times.tolist()


def test_joint_formulas_of_one_table_are_called_one_by_one():
    values = np.array([[3, 1, 1, 0], [2, 2, 0, 1]])
    many = of_tables(pc.measure("MCC"), np.array([4, 2]), 6, joint=True)(values)
    single = [of_tables(pc.measure("MCC"), np.array([4, 2]), 6, joint=True)(row) for row in values]
    assert many.tolist() == [float(one) for one in single]
    whole = swapping._joint(
        lambda c: float(c.tp.sum()) / 6 if c.tp.ndim == 1 else 0.5,
        pc.measure("MCC") and _tables(values),
    )
    assert whole.tolist() == [4 / 6, 4 / 6]


def _tables(values):
    tp, fp = np.split(values, 2, axis=-1)
    return Counts(tp, fp, np.array([4, 2]) - tp, 6 - np.array([4, 2]) - fp)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize(("tossed", "batch"), [(2048, 4096), (0, 4096), (2048, 64)])
def test_sampled_exchanges_agree(monkeypatch, tossed, batch):
    """Units tossed one by one, and binomial numbers of all kinds; few draws at one time."""
    rng = np.random.default_rng(1)
    truth, a = rng.random(120) < 0.4, rng.random(120) < 0.4
    b = np.where(rng.random(120) < 0.7, truth, ~truth)
    for measure in ("F", "P", "R"):
        exact = pc.compare.decisions(truth, a, b, measure)
        assert exact.how.startswith("all 2^")
        monkeypatch.setattr(swapping, "AFFORDABLE", 0)
        monkeypatch.setattr(swapping, "ENUMERATED", 0)
        monkeypatch.setattr(swapping, "_TOSSED", tossed)
        monkeypatch.setattr(swapping, "_BATCHES", ((batch, 4),))
        found = pc.compare.decisions(truth, a, b, measure, rng=2, resamples=40_000)
        monkeypatch.undo()
        assert found.p == pytest.approx(exact.p, abs=5 * (exact.p / 40_000) ** 0.5 + 2 / 40_000)
        assert "sampled" in found.how and found.seed == 2


def test_recall_and_accuracy_are_mcnemars_test():
    rng = np.random.default_rng(2)
    truth, a, b = (rng.random(200) < share for share in (0.5, 0.6, 0.5))
    ra, rb = a[truth], b[truth]
    table = [[(ra & rb).sum(), (ra & ~rb).sum()], [(~ra & rb).sum(), (~ra & ~rb).sum()]]
    assert pc.compare.decisions(truth, a, b, "R").p == pytest.approx(
        contingency_tables.mcnemar(table).pvalue
    )
    ra, rb = a == truth, b == truth
    table = [[(ra & rb).sum(), (ra & ~rb).sum()], [(~ra & rb).sum(), (~ra & ~rb).sum()]]
    for test in ("randomization", "mcnemar"):
        found = pc.compare.decisions(truth, a, b, "accuracy", test=test)
        assert found.p == pytest.approx(contingency_tables.mcnemar(table).pvalue)
        assert (found.wins, found.losses) == (table[0][1], table[1][0])


def test_values_are_those_of_decisions():
    rng = np.random.default_rng(3)
    truth, a, b = (rng.integers(0, 4, 50).tolist() for _ in range(3))
    found = pc.compare.decisions(truth, a, b, "F", beta=2)
    assert found.values == pytest.approx([pc.decisions(truth, one).f(2, "micro") for one in (a, b)])
    assert found.measure == "micro-F(beta=2)"
    single = pc.compare.decisions(truth, a, b, "accuracy")
    assert single.values == pytest.approx([np.mean(np.array(truth) == one) for one in (a, b)])
    matrix = [rng.random((30, 5)) < 0.3 for _ in range(3)]
    many = pc.compare.decisions(*matrix, "accuracy")
    assert many.values == pytest.approx(
        [np.mean((matrix[0] == one).all(axis=1)) for one in matrix[1:]]
    )
    cells = pc.compare.decisions(*matrix, "accuracy", average="micro")
    assert cells.values == pytest.approx([np.mean(matrix[0] == one) for one in matrix[1:]])
    assert cells.measure == "cell accuracy"
    tags = pc.compare.decisions([{"x", "y"}, {"y"}], [{"x"}, {"y"}], [{"z"}, {"x"}], "P")
    assert tags.values == (1.0, 0.0)


def test_equal_decisions():
    found = pc.compare.decisions([1, 0, 1], [1, 1, 0], [1, 1, 0])
    assert (found.p, found.difference, found.how) == (1.0, 0.0, "no difference")
    assert pc.compare.decisions([1, 0], [1, 1], [1, 1], "accuracy", test="mcnemar").p == 1.0


def test_a_group_is_exchanged_as_a_whole():
    truth = [1] * 8
    a, b = [1] * 8, [0] * 8
    assert pc.compare.decisions(truth, a, b, "R").p == pytest.approx(2 / 2**8)
    assert pc.compare.decisions(truth, a, b, "R", groups=list("wwxxyyzz")).p == pytest.approx(
        2 / 2**4
    )
    with pytest.raises(pc.UsageError, match="groups: must be one per item"):
        pc.compare.decisions(truth, a, b, groups=[1])


@pytest.mark.nightly
@pytest.mark.parametrize("measure", ["F", "P", "R"])
def test_macro_averages(measure, monkeypatch):
    rng = np.random.default_rng(4)
    truth, a, b = (rng.integers(0, 3, 9).tolist() for _ in range(3))
    found = pc.compare.decisions(truth, a, b, measure, average="macro", categories=[0, 1, 2])

    def mean(said):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            of = pc.decisions(truth, list(said), categories=[0, 1, 2])
        return {"F": of.f, "P": of.precision, "R": of.recall}[measure](average="macro")

    assert found.values == pytest.approx((mean(a), mean(b)))
    far = []
    for sides in itertools.product((0, 1), repeat=9):
        mixed = [
            [(x, y)[side ^ which] for x, y, side in zip(a, b, sides, strict=True)]
            for which in (0, 1)
        ]
        far.append(abs(mean(mixed[0]) - mean(mixed[1])) >= abs(found.difference) - 1e-12)
    assert found.p == pytest.approx(np.mean(far)) and found.how.startswith("all 2^")
    monkeypatch.setattr(swapping, "ENUMERATED", 0)
    monkeypatch.setattr(swapping, "AFFORDABLE", 0)
    again = pc.compare.decisions(
        truth, a, b, measure, average="macro", categories=[0, 1, 2], rng=1, resamples=20_000
    )
    assert again.p == pytest.approx(found.p, abs=0.02)
    assert pc.compare.decisions(truth, a, a, measure, average="macro").p == 1.0


def test_notes_and_errors():
    found = pc.compare.decisions([1, 0, 0], [0, 0, 0], [1, 0, 0], "P")
    (note,) = noticed(found, UndefinedForSystems)
    assert found.values == (0.0, 1.0) and note.counted_as == 0 and shown(str(found), note)
    for choices, said in (
        ({"measure": "AP"}, "AP is a measure of rankings"),
        ({"beta": -1}, "beta: must be 0, or a number"),
        ({"test": "bootstrap"}, "test of F: got .bootstrap."),
        ({"test": "mcnemar"}, "test of F: got .mcnemar., allowed are randomization"),
        ({"level": 2}, "level: must be"),
        ({"average": "each"}, "average: got 'each'"),
        (
            {"average": "macro", "measure": "accuracy", "test": "mcnemar"},
            "test of macro-cell accuracy: got .mcnemar., allowed are randomization",
        ),
        (
            {"average": "macro", "test": "mcnemar"},
            "test of macro-F: got .mcnemar., allowed are randomization",
        ),
    ):
        with pytest.raises(pc.UsageError, match=said):
            pc.compare.decisions([1, 0], [1, 1], [0, 1], **choices)
    with pytest.raises(pc.UsageError, match="one decision per item"):
        pc.compare.decisions(
            [{"x", "y"}],
            [{"x", "y"}],
            [{"z"}],
            "accuracy",
            average="micro",
            test="mcnemar",
            categories=["x", "y", "z"],
        )


def test_draws_of_all_kinds_use_the_random_stream_in_one_order() -> None:
    # Words are drawn at once, and kinds may be slices; each number must be that of a plain loop.
    for count in (
        [1, 1, 3, 8, 9, 64, 65, 640, 641],
        [641, 8, 1, 200, 1, 3, 70, 9, 64, 65],
        [9],
        [1],
    ):
        units, size = np.array(count), 5
        drawn = Coins.of(units).draw(np.random.default_rng(7), size)
        rng, expected = np.random.default_rng(7), np.zeros((len(units), size), np.int64)
        single, few = np.flatnonzero(units == 1), np.flatnonzero((units > 1) & (units <= 8))
        bits = np.unpackbits(np.frombuffer(rng.bytes(-(-len(single) * size // 8)), np.uint8))
        expected[single] = bits[: len(single) * size].reshape(-1, size)
        if len(few):
            mask = (2 ** units[few, None] - 1).astype(np.uint8)
            byte = np.frombuffer(rng.bytes(len(few) * size), np.uint8).reshape(-1, size)
            expected[few] = np.bitwise_count(byte & mask)
        for length in range(1, 11):
            kinds = np.flatnonzero((units > 8) & (-(-units // 64) == length))
            for word in range(length if len(kinds) else 0):
                words = rng.integers(0, 2**64 - 1, (len(kinds), size), np.uint64, endpoint=True)
                surplus = 64 * length - units[kinds, None] if word == 0 else 0
                expected[kinds] += np.bitwise_count(words >> np.asarray(surplus, np.uint64))
        many = np.flatnonzero(units > 640)
        expected[many] = rng.binomial(units[many, None], 0.5, size=(len(many), size))
        np.testing.assert_array_equal(drawn, expected)
