"""Counting scored cases: the twin by hand, the native kernel against the twin."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.cases import Curve
from precall.core.counts import step_area
from precall.native import twin, twin_counting

try:
    from precall.native import _kernel
except ImportError:
    _kernel = None

native = pytest.mark.skipif(_kernel is None, reason="the native kernel is not built")
ODD = [0.0, -0.0, 0.5, 1.0, -3.0, np.inf, -np.inf, 1e-310, 1e30, 0.1]


def same(left, right):
    return all(
        np.array_equal(a, b) and a.dtype == b.dtype if isinstance(a, np.ndarray) else a == b
        for a, b in zip(left, right, strict=True)
    )


def test_the_twin_counts():
    relevant, score = np.array([True, False, True, False]), np.array([3.0, 2.0, 2.0, 1.0])
    threshold, tp, fp, nan = twin.path(relevant, score, 1)
    assert (threshold.tolist(), tp.tolist(), fp.tolist(), nan) == (
        [np.inf, 3.0, 2.0, 1.0],
        [0, 1, 2, 2],
        [0, 0, 1, 2],
        -1,
    )
    hits, others, *parts, twice, nan = twin.areas(relevant, score, 1)
    # 1 for the first, 2/3 for the second; 3 1/2 of 4 pairs are won.
    assert (hits, others, twice, nan) == (2, 2, 7, -1)
    assert step_area(tuple(parts), 2) == (1 + 2 / 3) / 2


def test_the_first_nan_is_named():
    relevant, score = np.array([True, False, True]), np.array([1.0, np.nan, np.nan])
    assert twin.areas(relevant, score, 1)[-1] == 1
    assert twin.path(relevant, score, 1)[-1] == 1


@native
@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from(ODD) | st.floats(allow_nan=True, width=32)),
        max_size=60,
    ),
    st.sampled_from([np.float32, np.float64]),
)
def test_native_equals_twin(cases, dtype):
    relevant = np.array([one for one, _ in cases], np.bool_)
    with np.errstate(over="ignore"):
        score = np.array([score for _, score in cases]).astype(dtype)
    assert _kernel.areas(relevant, score, 1) == twin.areas(relevant, score, 1)
    assert same(_kernel.path(relevant, score, 1), twin.path(relevant, score, 1))


SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "lognormal": lambda rng, n: np.exp(6 * rng.standard_normal(n)),
    "tiny": lambda rng, n: (rng.random(n) * 1e-8) ** 4,
    "constant": lambda rng, n: np.full(n, 0.5),
    "three decimals": lambda rng, n: np.round(rng.random(n), 3),
    "sorted": lambda rng, n: np.sort(rng.random(n)),
    "one far out": lambda rng, n: np.append(rng.random(n - 1), 1e300),
}


@pytest.mark.nightly(keep=8)
@native
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("share", [0.0, 0.001, 0.03, 0.5, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_inputs_by_several_threads(shape, share, dtype):
    rng = np.random.default_rng(7)
    with np.errstate(over="ignore", under="ignore"):
        score = SHAPES[shape](rng, 60_000).astype(dtype)
    relevant = rng.random(len(score)) < share
    wanted, counted = twin.areas(relevant, score, 1), twin.path(relevant, score, 1)
    for threads in (1, 3):
        assert _kernel.areas(relevant, score, threads) == wanted
        assert same(_kernel.path(relevant, score, threads), counted)


@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_rankings_are_counted_by_themselves(module):
    relevant = np.array([True, False, True, False, False])
    score = np.array([3.0, 2.0, 2.0, 1.0, np.nan])
    found = module.areas_each(relevant, score, np.array([0, 2, 2, 4, 5]), 2)
    assert found.dtype == np.int64 and found.shape == (4, 7)
    expected = [
        twin.areas(relevant[a:b], score[a:b], 1) for a, b in ((0, 2), (2, 2), (2, 4), (4, 5))
    ]
    assert [tuple(row) for row in found.tolist()] == expected
    assert found[:, 6].tolist() == [-1, -1, -1, 0]
    assert module.areas_each(relevant[:0], score[:0], np.array([0]), 2).shape == (0, 7)
    for start in ([], [0, 4], [1, 5], [0, 3, 2, 5]):
        with pytest.raises(ValueError, match="start does not divide the cases"):
            module.areas_each(relevant, score, np.array(start, np.int64), 1)


@native
@given(
    st.lists(st.integers(0, 300), max_size=12),
    st.integers(0, 2**32),
    st.sampled_from([np.float32, np.float64]),
)
def test_native_rankings_equal_the_twins(sizes, seed, dtype):
    rng = np.random.default_rng(seed)
    start = np.cumsum([0, *sizes])
    score = rng.choice([rng.random(start[-1]), rng.integers(0, 9, start[-1])]).astype(dtype)
    relevant = rng.random(start[-1]) < rng.random()
    expected = twin.areas_each(relevant, score, start, 1)
    for threads in (1, 2, 40):
        assert np.array_equal(_kernel.areas_each(relevant, score, start, threads), expected)
        paths = _kernel.path_each(relevant, score, start, threads)
        assert same(paths, twin.path_each(relevant, score, start, 1))


@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_paths_of_rankings_stand_one_after_the_other(module):
    relevant, score = np.array([True, False, True, False]), np.array([3.0, 2.0, 2.0, -0.0])
    threshold, tp, fp, first, nan = module.path_each(relevant, score, np.array([0, 2, 2, 4]), 2)
    assert (
        threshold.tolist() == [np.inf, 3, 2, np.inf, np.inf, 2, 0]
        and not np.signbit(threshold).any()
    )
    assert (tp.tolist(), fp.tolist()) == ([0, 1, 1, 0, 0, 1, 1], [0, 0, 1, 0, 0, 0, 1])
    assert first.tolist() == [0, 3, 4, 7] and {tp.dtype, fp.dtype, first.dtype} == {
        np.dtype(np.int64)
    }
    assert nan == -1
    none = module.path_each(relevant[:0], score[:0].astype(np.float32), np.array([0]), 2)
    assert [column.tolist() for column in none[:4]] == [[], [], [], [0]] and none[
        0
    ].dtype == np.float32
    bad = module.path_each(relevant, np.array([1, 2, np.nan, np.nan]), np.array([0, 1, 4]), 2)
    assert [len(column) for column in bad[:4]] == [0, 0, 0, 0] and bad[4] == 2
    for start in ([], [0, 3], [1, 4], [0, 3, 2, 4]):
        with pytest.raises(ValueError, match="start does not divide the cases"):
            module.path_each(relevant, score, np.array(start, np.int64), 1)


@native
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_large_ranking_among_small_ones(dtype):
    rng = np.random.default_rng(2)
    sizes = [3, 70_000, 0, 900, *[5] * 40, 66_000]
    start = np.cumsum([0, *sizes])
    score = np.round(rng.normal(size=start[-1]), 4).astype(dtype)
    relevant = rng.random(start[-1]) < 0.4
    expected = twin.path_each(relevant, score, start, 1)
    for threads in (1, 2, 60):
        assert same(_kernel.path_each(relevant, score, start, threads), expected)


def weighed_slowly(relevant, score, weight):
    """By sorting, and adding up as NumPy does."""
    order = np.argsort(-score, kind="stable")
    score, relevant, weight = score[order], relevant[order], weight[order]
    start = np.flatnonzero(np.append(True, score[1:] != score[:-1]))
    hits, others = np.where(relevant, weight, 0.0), np.where(relevant, 0.0, weight)
    return score[start], np.add.reduceat(hits, start), np.add.reduceat(others, start)


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
@pytest.mark.parametrize("distinct", [1, 3, 40, 700, 10**7])
@pytest.mark.parametrize("count", [1, 2, 9, 10, 137, 5000, 70_000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weights_are_added_as_numpy_adds_them(module, distinct, count, dtype):
    rng = np.random.default_rng(count)
    score = np.exp(8 * rng.normal(size=distinct if distinct < 1000 else count))
    score = score[rng.integers(0, len(score), count)].astype(dtype)
    relevant, weight = rng.random(count) < 0.4, np.exp(3 * rng.normal(size=count))
    expected = weighed_slowly(relevant, score, weight)
    for threads in (1, 3):
        *columns, nan = module.weigh(relevant, score, weight, threads)
        assert nan == -1 and same(columns, expected)
        *columns, nan = module.weigh(relevant, score, weight, threads, True)
        sums = (np.cumsum(np.append(0, column)) for column in expected[1:])
        assert nan == -1 and same(columns, (np.append(dtype(np.inf), expected[0]), *sums))


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
@pytest.mark.parametrize("distinct", [1, 3, 700, 10**7])
@pytest.mark.parametrize("count", [1, 2, 9, 137, 300, 5000, 70_000])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("missed", [0.0, 2.5])
def test_areas_of_weights_are_those_of_their_curve_to_the_last_digit(
    module, distinct, count, dtype, missed
):
    rng = np.random.default_rng(count)
    score = np.exp(8 * rng.normal(size=distinct if distinct < 1000 else count))
    score = score[rng.integers(0, len(score), count)].astype(dtype)
    relevant, weight = rng.random(count) < 0.4, np.exp(3 * rng.normal(size=count))
    known = twin.weigh(relevant, score, weight, 1, True)
    curve = Curve(*known[:3], missed, True)
    for threads in (1, 3):
        hits, others, step, nan = module.weigh_area(relevant, score, weight, missed, False, threads)
        assert (hits, others, nan) == (known[1][-1], known[2][-1], -1)
        if hits:
            assert step / (hits + missed) == curve.average_precision()
        if hits and others:
            assert (
                module.weigh_area(relevant, score, weight, missed, True, threads)[2] / 2
                == curve.area_under_roc()
            )


@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_what_is_weighed_may_be_nothing_or_nan(module):
    none = np.zeros(0, np.float32)
    *columns, nan = module.weigh(none > 0, none, none.astype(np.float64), 1)
    assert (
        [len(column) for column in columns] == [0, 0, 0]
        and nan == -1
        and columns[0].dtype == np.float32
    )
    *columns, nan = module.weigh(none > 0, none, none.astype(np.float64), 1, True)
    assert [column.tolist() for column in columns] == [[np.inf], [0], [0]] and nan == -1
    score = np.array([0.0, -0.0, np.nan, 1])
    assert module.weigh_area(none > 0, none, none.astype(np.float64), 0.0, False, 1) == (
        0,
        0,
        0,
        -1,
    )
    assert module.weigh_area(score > 2, score, np.ones(4), 0.0, True, 1)[3] == 2
    *columns, nan = module.weigh(score > 2, score, np.ones(4), 1)
    assert [len(column) for column in columns] == [0, 0, 0] and nan == 2
    best, hits, others, _ = module.weigh(
        score[:2] > 2, score[1::-1].copy(), np.array([0.0, 3.0]), 1
    )
    assert not np.signbit([*best, *hits]).any() and others.tolist() == [3]
    with pytest.raises(ValueError, match="columns differ in length"):
        module.weigh(score > 2, score, np.ones(3), 1)
    with pytest.raises(ValueError, match="columns differ in length"):
        module.weigh_area(score > 2, score, np.ones(3), 0.0, False, 1)


@native
@pytest.mark.parametrize("count", [1, 63, 64, 65, 1000, 16_385, 65_536, 65_537])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_few_cases_however_scores_are_spread(count, dtype):
    rng = np.random.default_rng(3)
    even = rng.random(count)
    with np.errstate(over="ignore", under="ignore"):
        spread = [
            even,
            20 * even - 10,
            np.exp(20 * rng.normal(size=count)),
            np.where(even < 0.1, np.inf, even),
            np.where(even < 0.1, -np.inf, np.round(even, 2)),
            np.append(even[1:], 1e300),
            1 + even * 1e-12,
            even * 1e-310,
            np.where(even < 0.5, -1.7e308, 1.7e308),
            np.concatenate((np.zeros(count // 2), -np.zeros(count - count // 2))),
        ]
        for score in (column.astype(dtype) for column in spread):
            relevant = rng.random(count) < rng.random()
            assert _kernel.areas(relevant, score, 1) == twin.areas(relevant, score, 1)
            assert same(_kernel.path(relevant, score, 1), twin.path(relevant, score, 1))


@pytest.mark.nightly(keep=8)
@native
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("share", [0, 1e-4, 0.01, 0.02, 0.4, 1])
@pytest.mark.parametrize("kind", ["even", "skewed", "tied", "constant", "close"])
def test_many_cases(kind, share, dtype):
    rng = np.random.default_rng(5)
    even = rng.random(150_000)
    score = {
        "even": even,
        "skewed": np.exp(20 * even),
        "tied": np.round(even, 2),
        "constant": np.full(150_000, 0.5),
        "close": 0.5 + even * 1e-9,
    }[kind].astype(dtype)
    relevant = rng.random(150_000) < share
    for threads in (1, 2):
        assert _kernel.areas(relevant, score, threads) == twin.areas(relevant, score, 1)
        assert same(_kernel.path(relevant, score, threads), twin.path(relevant, score, 1))
    score[1234] = np.nan
    assert _kernel.areas(relevant, score, 2)[-1] == _kernel.path(relevant, score, 2)[-1] == 1234


#: Below and at each number of cases from which the kernel counts in another way.
AROUND = [(1 << bits) + more for bits in (11, 14, 15, 16, 17) for more in (-1, 0, 1)]


@pytest.mark.nightly(keep=12)
@native
@pytest.mark.parametrize("count", AROUND)
@pytest.mark.parametrize("share", [0.5, 0.101, 0.099, 0.04, 0.01, 1e-3, 0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cases_around_every_limit(count, share, dtype):
    rng = np.random.default_rng(count)
    even = rng.random(count)
    kinds = (
        even,
        rng.standard_normal(count),
        np.where(even < 0.6, 0.0, even),
        np.where(even < 0.3, -np.inf, np.where(even > 0.7, np.inf, even)),
        10.0 ** (60 * even - 30),
        np.where(even < 0.5, -1.7e308, 1e-310),
        np.where(even < 0.5, -0.0, 0.0),
        np.arange(count) / 7,
    )
    relevant = rng.permutation(count) < share * count
    for kind in kinds:
        with np.errstate(over="ignore", under="ignore"):
            score = kind.astype(dtype)
        wanted = twin.areas(relevant, score, 1)
        for threads in (1, 2, 3):
            assert _kernel.areas(relevant, score, threads) == wanted
        start = np.array([0, count // 3, count])
        each = _kernel.areas_each(relevant, score, start, 1)
        assert same(each, twin.areas_each(relevant, score, start, 1))
    score[[count // 2, count - 1]] = np.nan
    for threads in (1, 2, 3):
        assert _kernel.areas(relevant, score, threads)[-1] == count // 2


@native
def test_the_scores_of_cases_stay_in_their_order():
    """They are put in order in other memory."""
    rng = np.random.default_rng(2)
    score = rng.random(50_000)
    score.flags.writeable = False
    before = score.copy()
    _kernel.areas(rng.random(50_000) < 0.5, score, 1)
    assert np.array_equal(score, before)


@native
def test_any_byte_but_nought_means_relevant():
    rng = np.random.default_rng(8)
    byte, score = rng.integers(0, 256, 200_000, np.uint8), rng.random(200_000)
    byte[rng.random(len(byte)) < 0.5] = 0
    for count in (100, 50_000, 200_000):
        found = _kernel.areas(byte[:count].view(np.bool_), score[:count], 2)
        assert found == twin.areas(byte[:count] != 0, score[:count], 1)


@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_cases_are_counted_at_and_between_edges(module):
    equal, between, least = np.array([5, 0]), np.array([1, 0, 0]), np.array([-9.0, 8.0, np.inf])
    edges, ordered = np.array([0.0, 1.0]), np.array([-1.0, -0.0, 0.25, 0.5, 1.0, 1.0, 7.0])
    module.count_between(edges, ordered, equal, between, least)
    assert (equal.tolist(), between.tolist(), least.tolist()) == ([6, 2], [2, 2, 1], [-9, 0.25, 7])
    module.count_between(edges, ordered[:0], equal, between, least)
    assert (equal.tolist(), between.tolist()) == ([6, 2], [2, 2, 1])
    with pytest.raises(ValueError, match="columns differ in length"):
        module.count_between(edges, ordered, equal, between[:2], least)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_points_are_written_from_counts_at_and_between_edges(module, dtype):
    edges, hits, equal = np.array([-np.inf, -0.0, 1.0]), np.array([1, 0, 2]), np.array([0, 0, 3])
    between, least = np.array([0, 0, 4, 5]), np.array([np.inf, np.inf, 0.25, 2.0])
    inside = np.array([3, 2, 2]), np.array([3.0, 0.75, 0.5]), np.array([2, 1, 3])

    def write(room, between=between, inside=inside):
        columns = np.zeros(room, dtype), np.zeros(room, np.int64), np.zeros(room, np.int64)
        end = module.rows_between(edges, hits, equal, between, least, *inside, *columns)
        return [column[:end].tolist() for column in columns]

    threshold, tp, fp = write(20)
    assert threshold == [np.inf, 3, 2, 1, 0.75, 0.5, 0.25, -np.inf]
    assert (tp, fp) == ([0, 0, 0, 2, 2, 2, 2, 3], [0, 2, 5, 8, 9, 11, 12, 12])
    assert write(8) == [threshold, tp, fp]
    assert write(8, inside=[column[:0] for column in inside])[2] == [0, 5, 8, 12, 12]
    for room in (0, 7):
        with pytest.raises(ValueError, match="do not fit"):
            write(room)
    with pytest.raises(ValueError, match="columns differ in length"):
        write(8, between[1:])
    for gap in ([2, 3, 2], [4, 2, 2], [3, 2, -1]):
        with pytest.raises(ValueError, match="do not descend"):
            write(8, inside=(np.array(gap), *inside[1:]))


@native
@given(
    st.integers(0, 40),
    st.integers(0, 2**32),
    st.sampled_from([np.float32, np.float64]),
    st.sampled_from([1, 2, 7, 1 << 18]),
)
def test_native_writes_points_as_the_twin(drawn, seed, dtype, step):
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.normal(size=drawn).astype(dtype).astype(np.float64))
    size = len(edges)
    hits, equal, between = (rng.integers(0, 3, n) for n in (size, size, size + 1))
    gap = np.sort(rng.integers(0, size + 1, 4))[::-1].copy()
    least, inside = rng.normal(size=size + 1), rng.normal(size=4)
    parts = (edges, hits, equal, between, least, gap, inside, rng.integers(0, 3, 4))
    found = []
    for module in (_kernel, twin):
        room = 2 * size + 6
        columns = np.zeros(room, dtype), np.zeros(room, np.int64), np.zeros(room, np.int64)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(twin_counting, "_STEP", step)
            end = module.rows_between(*parts, *columns)
        found.append([column[:end] for column in columns])
    assert same(*found)


@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_counts_of_two_parts_are_merged(module):
    one, other = np.array([-1.0, 0.5, 3.0]), np.array([-2.0, 0.5])
    score, count = module.merge_counts(one, np.array([1, 2, 3]), other, np.array([10, 20]))
    assert (score.tolist(), count.tolist()) == ([-2, -1, 0.5, 3], [10, 1, 22, 3])
    none, nothing = one[:0], np.zeros(0, np.int64)
    score, count = module.merge_counts(none, nothing, other, np.array([1, 1]))
    assert (score.tolist(), count.tolist()) == ([-2, 0.5], [1, 1])
    assert [len(column) for column in module.merge_counts(none, nothing, none, nothing)] == [0, 0]
    with pytest.raises(ValueError, match="columns differ in length"):
        module.merge_counts(one, nothing, other, np.array([1, 1]))


@pytest.mark.parametrize("module", [twin, pytest.param(_kernel, marks=native)])
def test_counts_beyond_64_bits_wrap(module):
    """A fuzzer found that they were undefined; tests of random counts had only small ones."""
    most, edge = np.array([2**63 - 1]), np.array([0.5])
    equal, between = most.copy(), np.append(most, 0)
    module.count_between(edge, np.array([0.25, 0.5]), equal, between, np.full(2, np.inf))
    assert (equal.tolist(), between.tolist()) == ([-(2**63)], [-(2**63), 0])
    assert module.merge_counts(edge, most, edge, most)[1].tolist() == [-2]


@native
@given(
    st.tuples(st.integers(0, 400), st.integers(0, 400)),
    st.integers(0, 2**32),
    st.sampled_from([np.float32, np.float64]),
    st.sampled_from(["few values", "many values", "far apart"]),
)
def test_native_counts_between_edges_as_the_twin(sizes, seed, dtype, kind):
    rng = np.random.default_rng(seed)

    def draw(size):
        if kind == "far apart":  # long runs of one beside the other
            return rng.normal(rng.integers(0, 3) * 9, 1, size)
        return rng.integers(-9, 9, size) / 8 if kind == "few values" else rng.normal(size=size)

    # Edges are scores of the type of the scores, or lie between two of them.
    edges = np.unique(np.concatenate((draw(sizes[0]).astype(dtype), [-np.inf, 0.1])))
    ordered = np.sort(draw(sizes[1]).astype(dtype))
    counts = [
        (rng.integers(0, 9, len(edges)), rng.integers(0, 9, len(edges) + 1), np.append(edges, 9.0))
    ]
    counts.append(tuple(column.copy() for column in counts[0]))
    for module, columns in zip((_kernel, twin), counts, strict=True):
        module.count_between(edges, ordered, *columns)
    assert same(*counts)
    score, size = np.unique(ordered.astype(np.float64), return_counts=True)
    hits = rng.integers(0, 9, len(edges))
    parts = (edges, hits, score, size)
    assert same(_kernel.merge_counts(*parts), twin.merge_counts(*parts))
    assert same(_kernel.merge_counts(*parts), _kernel.merge_counts(*parts[2:], *parts[:2]))


@native
def test_whatever_the_order_is_nothing_is_read_outside():
    rng = np.random.default_rng(1)
    for _ in range(300):
        edges, ordered = (
            rng.choice([np.nan, 0.0, 1.0, np.inf, -np.inf, 0.3], rng.integers(0, 20))
            for _ in range(2)
        )
        equal, between = np.zeros(len(edges), np.int64), np.zeros(len(edges) + 1, np.int64)
        _kernel.count_between(edges, ordered, equal, between, np.zeros(len(edges) + 1))
        assert equal.sum() + between.sum() <= len(ordered)
        ones = np.ones(len(edges), np.int64), np.ones(len(ordered), np.int64)
        score, count = _kernel.merge_counts(edges, ones[0], ordered, ones[1])
        assert len(score) == len(count) <= len(edges) + len(ordered)
        room = np.zeros(9), np.zeros(9, np.int64), np.zeros(9, np.int64)
        none = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64)
        columns = edges, ones[0], equal, between, np.zeros(len(edges) + 1)
        with suppress(ValueError):
            assert 1 <= _kernel.rows_between(*columns, *none, *room) <= 9
