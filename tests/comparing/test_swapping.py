"""Hard decisions of two systems: Yeh's randomization against all exchanges, McNemar's test, and forms of input."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

import precall as pc
from precall.infer.compare import macro, swapping
from precall.infer.compare.swapping import Outcomes, swapped
from tests.comparing import oracle

UNIT = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


def outcomes(units):
    table = np.array(units).reshape(-1, 4)
    return Outcomes(table[:, :2], table[:, 2:], int(table[:, :2].max(axis=1).sum()) + 2, 4 * len(table) + 6)


@given(
    st.lists(UNIT, min_size=1, max_size=7),
    st.sampled_from(["F", "P", "R", "accuracy"]),
    st.sampled_from([1.0, 0.5, 2.0]),
)
def test_p_is_that_of_all_exchanges(units, measure, beta):
    some = outcomes(units)
    found = swapped(some, measure=measure, beta=beta)
    exact = oracle.yeh(
        [u[:2] for u in units], [u[2:] for u in units], some.relevant, some.decisions, measure, beta
    )
    assert found.p == pytest.approx(float(exact), rel=1e-9)


def test_sampled_exchanges_agree(monkeypatch):
    rng = np.random.default_rng(1)
    truth, a = rng.random(120) < 0.4, rng.random(120) < 0.4
    b = np.where(rng.random(120) < 0.7, truth, ~truth)
    for measure in ("F", "P", "R"):
        exact = pc.compare.decisions(truth, a, b, measure)
        assert exact.how.startswith("all 2^")
        monkeypatch.setattr(swapping, "AFFORDABLE", 0)
        found = pc.compare.decisions(truth, a, b, measure, rng=2, resamples=40_000)
        monkeypatch.undo()
        assert found.p == pytest.approx(exact.p, abs=5 * (exact.p / 40_000) ** 0.5 + 2 / 40_000)
        assert "sampled" in found.how and found.seed == 2


def test_recall_and_accuracy_are_mcnemars_test():
    rng = np.random.default_rng(2)
    truth, a, b = (rng.random(200) < share for share in (0.5, 0.6, 0.5))
    ra, rb = a[truth], b[truth]
    table = [[(ra & rb).sum(), (ra & ~rb).sum()], [(~ra & rb).sum(), (~ra & ~rb).sum()]]
    assert pc.compare.decisions(truth, a, b, "R").p == pytest.approx(mcnemar(table).pvalue)
    ra, rb = a == truth, b == truth
    table = [[(ra & rb).sum(), (ra & ~rb).sum()], [(~ra & rb).sum(), (~ra & ~rb).sum()]]
    for test in ("randomization", "mcnemar"):
        found = pc.compare.decisions(truth, a, b, "accuracy", test=test)
        assert found.p == pytest.approx(mcnemar(table).pvalue)
        assert (found.wins, found.losses) == (table[0][1], table[1][0])


def test_values_are_those_of_decisions():
    rng = np.random.default_rng(3)
    truth, a, b = (rng.integers(0, 4, 50).tolist() for _ in range(3))
    found = pc.compare.decisions(truth, a, b, "F", beta=2)
    assert found.values == pytest.approx([pc.decisions(truth, one).f(2, "micro") for one in (a, b)])
    assert found.measure == "F(beta=2)"
    single = pc.compare.decisions(truth, a, b, "accuracy")
    assert single.values == pytest.approx([np.mean(np.array(truth) == one) for one in (a, b)])
    matrix = [rng.random((30, 5)) < 0.3 for _ in range(3)]
    many = pc.compare.decisions(*matrix, "accuracy")
    assert many.values == pytest.approx([np.mean((matrix[0] == one).all(axis=1)) for one in matrix[1:]])
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
    assert pc.compare.decisions(truth, a, b, "R", groups=list("wwxxyyzz")).p == pytest.approx(2 / 2**4)
    with pytest.raises(pc.UsageError, match="groups: must be one per item"):
        pc.compare.decisions(truth, a, b, groups=[1])


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
        mixed = [[(x, y)[side ^ which] for x, y, side in zip(a, b, sides, strict=True)] for which in (0, 1)]
        far.append(abs(mean(mixed[0]) - mean(mixed[1])) >= abs(found.difference) - 1e-12)
    assert found.p == pytest.approx(np.mean(far)) and found.how.startswith("all 2^")
    monkeypatch.setattr(macro, "ENUMERATED", 0)
    again = pc.compare.decisions(
        truth, a, b, measure, average="macro", categories=[0, 1, 2], rng=1, resamples=20_000
    )
    assert again.p == pytest.approx(found.p, abs=0.02)
    assert pc.compare.decisions(truth, a, a, measure, average="macro").p == 1.0


def test_notes_and_errors():
    found = pc.compare.decisions([1, 0, 0], [0, 0, 0], [1, 0, 0], "P")
    assert found.values == (0.0, 1.0) and "counted as 0" in str(found)
    for choices, said in (
        ({"measure": "AUC"}, "measure: got 'AUC'"),
        ({"beta": -1}, "beta: must be 0, or a number"),
        ({"test": "t"}, "test: got 't'"),
        ({"test": "mcnemar"}, "is of accuracy"),
        ({"level": 2}, "level: must be"),
        ({"average": "samples"}, "average: got 'samples'"),
        ({"average": "macro", "measure": "accuracy"}, "macro-averaged are F, P, R"),
        ({"average": "macro", "test": "mcnemar"}, "not of macro-averages"),
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
