"""Operating points by false positive rate, and lift, cumulative gain, DET and cost curves, against
their definitions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall import UsageError, curve
from precall.cases.views import hull
from precall.core.notes.of_intervals import UndefinedMeasure
from tests.noticed import warned

CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=2, max_size=40).filter(
    lambda cases: len({relevant for relevant, _ in cases}) == 2
)


def of(cases, missed=0):
    relevant, score = zip(*cases, strict=True)
    return curve(relevant, score, missed=missed)


def thresholds(cases):
    """Each threshold, the one that accepts nothing first, with tp, fp, relevant and other, by
    counting.
    """
    relevant = sum(label for label, _ in cases)
    for at in [float("inf"), *sorted({score for _, score in cases}, reverse=True)]:
        accepted = [label for label, score in cases if score >= at]
        yield at, sum(accepted), len(accepted) - sum(accepted), relevant, len(cases) - relevant


class TestChosenPoints:
    @given(CASES, st.integers(0, 20))
    def test_the_most_recall_of_so_few_false_positives(self, cases, step):
        bound = step / 20
        known = [row for row in thresholds(cases) if Fraction(row[2], row[4]) <= Fraction(step, 20)]
        most = max(tp for _, tp, *_ in known)
        first = next(at for at, tp, *_ in known if tp == most)
        point = of(cases).at(fpr=bound)
        assert (point.threshold, point.tp) == (first, most)
        assert point.value == pytest.approx(1 - point.rejection_recall, abs=1e-15)

    @given(CASES, st.integers(0, 20))
    def test_specificity_is_the_other_side(self, cases, step):
        c = of(cases)
        by_rate, by_specificity = c.at(fpr=step / 20), c.at(specificity=(20 - step) / 20)
        assert by_rate.threshold == by_specificity.threshold
        assert by_specificity.value == by_specificity.rejection_recall

    def test_bounds_that_round(self):
        """.1 of 10 others is one of them, .9 nine, though neither is a float."""
        c = curve([0] * 10 + [1], [*range(10), 8.5])
        assert c.at(fpr=0.1).fp == c.at(specificity=0.9).fp == 1

    def test_nothing_accepted_reaches_every_bound(self):
        point = curve([0, 1], [2, 1]).at(fpr=0.0)
        assert (point.threshold, point.tp, point.fp, point.value) == (np.inf, 0, 0, 0.0)

    @given(CASES)
    def test_youden_is_the_greatest_sum_of_both_rates(self, cases):
        known = [(Fraction(tp, r) - Fraction(fp, n), at) for at, tp, fp, r, n in thresholds(cases)]
        best = max(value for value, _ in known)
        point = of(cases).at(max="YoudenJ")
        # Sums of two rounded rates may call equal what differs in the last bit, or the reverse.
        assert point.value == pytest.approx(float(best), abs=1e-15)
        assert point.threshold in [at for value, at in known if float(best - value) < 1e-15]

    def test_refused(self):
        c = curve([0, 1], [2, 1])
        for name in ("fpr", "specificity"):
            for bound in (-0.1, 1.1, float("nan"), "low"):
                with pytest.raises(
                    UsageError, match=rf"{name}: must be (a number )?in 0\.\.1, got"
                ):
                    c.at(**{name: bound})
            with pytest.raises(
                UsageError, match=f"{name}: 0.5 is never reached; everything is relevant"
            ):
                curve([1, 1], [2, 1]).at(**{name: 0.5})
        with pytest.raises(UsageError, match="got fpr, specificity"):
            c.at(fpr=0.1, specificity=0.9)

    def test_a_measure_that_is_undefined_everywhere(self):
        with warned(UndefinedMeasure) as told:
            point = curve([0, 0], [2, 1]).at(max="YoudenJ")
        assert [(note.subject, note.reason) for note in told] == [
            ("max YoudenJ", "nothing is relevant")
        ]
        assert np.isnan(point.value) and point.threshold == np.inf


class TestTables:
    @given(CASES, st.integers(0, 3))
    def test_they_are_their_definitions(self, cases, missed):
        c, rows = of(cases, missed), list(thresholds(cases))
        total = len(cases) + missed
        shares = [Fraction(tp + fp, total) for _, tp, fp, *_ in rows]
        recalls = [Fraction(tp, r + missed) for _, tp, _, r, _ in rows]
        gain, det, lift = c.cumulative_gain(), c.det(), c.lift()
        np.testing.assert_allclose(gain["accepted"], [float(x) for x in shares], atol=1e-15)
        np.testing.assert_allclose(gain["recall"], [float(x) for x in recalls], atol=1e-15)
        np.testing.assert_allclose(det["miss_rate"], [float(1 - x) for x in recalls], atol=1e-15)
        np.testing.assert_allclose(
            det["false_positive_rate"], [fp / n for _, _, fp, _, n in rows], atol=1e-15
        )
        lifts = [float(r / x) for r, x in zip(recalls[1:], shares[1:], strict=True)]
        np.testing.assert_allclose(lift["lift"], lifts, rtol=1e-14)
        assert list(lift["threshold"]) == [at for at, *_ in rows[1:]]

    @given(CASES, st.integers(0, 3))
    def test_cost_is_the_least_of_all_thresholds(self, cases, missed):
        table = of(cases, missed).cost()
        x = np.linspace(0, 1, 41)
        lines = [
            x * (1 - tp / (r + missed)) + (1 - x) * fp / n for _, tp, fp, r, n in thresholds(cases)
        ]
        np.testing.assert_allclose(
            np.interp(x, table["probability_cost"], table["cost"]),
            np.min(lines, axis=0),
            atol=1e-12,
        )
        corners = table["probability_cost"]
        assert np.all(np.diff(corners) > 0) and corners[0] == 0 and corners[-1] == 1

    @given(CASES)
    def test_the_threshold_of_a_corner_is_best_beyond_it(self, cases):
        table = of(cases).cost()
        middles = (table["probability_cost"][1:] + table["probability_cost"][:-1]) / 2
        costs = {
            at: middles * (1 - tp / r) + (1 - middles) * fp / n
            for at, tp, fp, r, n in thresholds(cases)
        }
        least = np.min(list(costs.values()), axis=0)
        for i, at in enumerate(table["threshold"][:-1].tolist()):
            assert costs[at][i] == pytest.approx(least[i], abs=1e-12)

    def test_costs_of_drummond_and_holte(self):
        """A classifier of rates FP and FN is the line from (0, FP) to (1, FN); the trivial ones are
        a triangle.
        """
        table = curve([1, 0], [1, 2]).cost()
        assert table["probability_cost"].tolist() == [0.0, 0.5, 1.0] and table["cost"].tolist() == [
            0.0,
            0.5,
            0.0,
        ]
        for labels, lacking in (([1, 1], "everything"), ([0, 0], "nothing")):
            with pytest.raises(UsageError, match=f"no cost curve; {lacking} is relevant"):
                curve(labels, [1, 2]).cost()

    def test_det_is_that_of_scikit_learn(self):
        metrics = pytest.importorskip(
            "sklearn.metrics", reason="scikit-learn is not installed: no DET was compared"
        )
        rng = np.random.default_rng(3)
        for _ in range(20):
            label = rng.random(60) < 0.4
            score = rng.normal(label, 1).round(1)
            false, misses, threshold = metrics.det_curve(label, score)
            table = curve(label, score).det()
            ours = {
                t: (f, m)
                for t, f, m in zip(
                    *(
                        table.to_dict()[name]
                        for name in ("threshold", "false_positive_rate", "miss_rate")
                    ),
                    strict=True,
                )
            }
            assert {
                t: (f, pytest.approx(m)) for t, f, m in zip(threshold, false, misses, strict=True)
            }.items() <= ours.items()


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), min_size=1, max_size=60)
)
def test_corners_of_a_hull(steps):
    """No corner lies on or below the line of two other points; every other point does."""
    x, y = (np.append(0, np.cumsum(column)) for column in zip(*steps, strict=True))
    corners = hull(x, y).tolist()
    points = list(zip(x.tolist(), y.tolist(), strict=True))
    for i, (a, b) in enumerate(points):
        under = any(
            (b - y0) * (x1 - x0) <= (y1 - y0) * (a - x0)
            for x0, y0 in points[:i]
            for x1, y1 in points[i + 1 :]
        )
        assert (i in corners) == (not under)
    assert hull(x.astype(float), y.astype(float)).tolist() == corners


def test_a_hull_that_goes_one_by_one(monkeypatch):
    monkeypatch.setattr("precall.cases.views._PASSES", 0)
    test_corners_of_a_hull.hypothesis.inner_test(
        [(1, 1), (2, 1), (0, 3), (1, 0), (1, 2), (3, 3), (2, 0)]
    )
