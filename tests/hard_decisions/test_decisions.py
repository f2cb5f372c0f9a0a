"""Hard decisions and category status values: averages, forms of labels, thresholds, eleven
points.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from precall.core.errors import DataError, MeasureError, UsageError
from precall.core.notes.of_decisions import PairsWithoutItems
from precall.hard_decisions import categorize, decisions
from tests.noticed import warned

# Two categories of 1000 items with the tables (10, 10, 10, 970) and (90, 10, 10, 890).
TABLES = [(10, 10, 10, 970), (90, 10, 10, 890)]


def about(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-15, nan_ok=True)


def matrices() -> tuple[Any, Any]:
    true = np.zeros((1000, 2), int)
    said = np.zeros((1000, 2), int)
    for k, (tp, fp, fn, _) in enumerate(TABLES):
        true[: tp + fn, k] = 1
        said[:tp, k] = said[tp + fn : tp + fn + fp, k] = 1
    return true, said


class TestAverages:
    d = decisions(*matrices(), categories=["few", "many"])

    def test_tables(self) -> None:
        assert self.d.table.to_dict() == {
            "category": ["few", "many"],
            "tp": [10, 90],
            "fp": [10, 10],
            "fn": [10, 10],
            "tn": [970, 890],
        }
        assert repr(self.d) == "<Decisions: 1000 items, 2 categories, multi>"
        assert self.d.support().tolist() == [20, 100]

    def test_micro_and_macro(self) -> None:
        for measure in (self.d.precision, self.d.recall):
            assert measure().tolist() == about([0.5, 0.9])
            assert measure("micro") == about(5 / 6)
            assert measure("macro") == about(0.7)
        assert self.d.f(average="macro") == about(0.7)
        assert self.d.f(average="macro-of-means") == about(0.7)
        assert self.d.recall("weighted") == about((20 * 0.5 + 100 * 0.9) / 120)
        assert self.d.accuracy("macro") == self.d.accuracy("micro") == about(0.98)
        assert self.d.error("macro") == about(0.02)
        assert self.d.e(average="macro-of-means") == about(0.3)

    def test_mean_of_f_is_not_f_of_means(self) -> None:
        d = decisions([{"a"}, {"a"}, {"b"}], [{"a", "b"}, {"b"}, {"b"}])
        assert d.precision().tolist() == about([1, 1 / 3]) and d.recall().tolist() == about(
            [0.5, 1]
        )
        assert d.f(average="macro") == about((2 / 3 + 1 / 2) / 2)
        assert d.f(average="macro-of-means") == about(2 * (2 / 3) * (3 / 4) / (2 / 3 + 3 / 4))

    def test_e(self) -> None:
        """tp 3, fp 2, fn 1: E = (FP + FN) / (2 TP + FP + FN) = 1/3, not 4/9 as once printed."""
        d = decisions([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 1])
        assert (d.e(), d.f()) == about((1 / 3, 2 / 3))
        assert d.e(2.0) == about(1 - 5 * 3 / (5 * 3 + 4 * 1 + 2))

    def test_of_items(self) -> None:
        d = decisions([{"a", "b"}, {"c"}, set()], [{"a"}, {"c", "b"}, set()])
        assert d.precision("samples") == about((1 + 1 / 2 + 0) / 3)
        assert d.precision("samples", undefined="omit") == about((1 + 1 / 2) / 2)
        assert d.accuracy("exact") == about(1 / 3)
        assert d.accuracy("samples") == about((2 / 3 + 2 / 3 + 1) / 3)

    def test_undefined(self) -> None:
        d = decisions(["a", "a", "b"], ["a", "b", "b"], categories=["a", "b", "c"])
        assert d.precision().tolist() == about([1, 0.5, math.nan])
        assert (d.undefined_in("precision"), d.undefined_in("accuracy")) == (1, 0)
        assert d.precision("macro") == about(0.5)
        assert d.precision("macro", undefined="omit") == about(0.75)
        assert math.isnan(decisions([0, 0], [0, 0]).f())
        with pytest.raises(
            DataError, match=r"precision is undefined \(0/0\) 1 times, first for category 'c'"
        ):
            d.precision("macro", undefined="error")
        with pytest.raises(DataError, match="first for item 1"):
            decisions([{"a"}, set()], [{"a"}, set()]).recall("samples", undefined="error")

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (
                lambda d: d.precision("median"),
                "average: got 'median', allowed are None, each, micro, macro, weighted, samples",
            ),
            (
                lambda d: d.recall("macro", "nan"),
                "undefined: got 'nan', allowed are zero, omit, error",
            ),
            (lambda d: d.f(-1), "beta: must be 0, or a number from .*, got -1"),
        ],
    )
    def test_refused(self, call: Any, message: str) -> None:
        with pytest.raises(UsageError, match=message):
            call(self.d)

    def test_report(self) -> None:
        report = self.d.report()
        lines = str(report).splitlines()
        assert lines[0].split() == ["category", "precision", "recall", "F1", "support"]
        assert lines[1].split() == ["few", "0.5000", "0.5000", "0.5000", "20"]
        assert ["micro", "0.8333", "0.8333", "0.8333", "120"] in [line.split() for line in lines]
        assert "1000 items" in lines and lines[-1].endswith("| undefined zero")
        assert report.table.to_dict()["category"] == [
            "few",
            "many",
            "micro",
            "macro",
            "weighted",
            "samples",
        ]


class TestForms:
    def test_binary(self) -> None:
        for true, said in (
            ([1, 0, 1], [1, 1, 0]),
            ([True, False, True], [True, True, False]),
            ([1, -1, 1], [1, 1, -1]),
        ):
            d = decisions(true, said)
            assert d.categories == ("relevant",)
            assert d.table.to_dict()["tp"] == [1] and (d.precision(), d.recall()) == (0.5, 0.5)
        assert decisions([1, 0], [1, 0], categories=[0, 1]).precision().tolist() == [1, 1]

    def test_single(self) -> None:
        d = decisions(["b", "a", "c"], ["b", "c", "c"])
        assert d.categories == ("a", "b", "c") and d.truth.kind == "single"
        assert d.table.to_dict()["fn"] == [1, 0, 0]
        assert decisions([3, 1], [3, 3]).categories == (1, 3)

    def test_multi_in_every_form(self) -> None:
        sparse = pytest.importorskip(
            "scipy.sparse", reason="SciPy is not installed: no sparse decisions"
        )
        true, said = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[1, 0, 0], [0, 1, 1]])
        wanted = decisions(true, said).table.to_dict()
        for form in (
            lambda m: m.astype(bool),
            lambda m: m.tolist(),
            sparse.csr_array,
            sparse.coo_matrix,
            lambda m: m.astype(float),
        ):
            assert decisions(form(true), form(said)).table.to_dict() == wanted
        for kind in (set, frozenset, tuple, list):
            d = decisions([kind([0, 2]), kind([1])], [kind([0]), kind([1, 2])], categories=range(3))
            assert d.table.to_dict() == wanted

    @pytest.mark.parametrize(
        ("true", "said", "options", "error", "message"),
        [
            (
                [1, 0],
                [1],
                {},
                UsageError,
                "of unequal length: truth has 2 items, predicted has 1 item",
            ),
            (
                [{"a"}],
                ["a"],
                {},
                UsageError,
                "all must have one form: truth is sets, predicted is labels",
            ),
            (
                np.eye(2),
                np.eye(2)[:, :1],
                {},
                UsageError,
                r"unequal numbers of categories: \[1, 2\]",
            ),
            (
                np.eye(2),
                np.eye(2) * 2,
                {},
                DataError,
                r"predicted: a cell .* is .*2.*, allowed are 0, 1",
            ),
            (
                np.eye(2),
                np.eye(2),
                {"categories": ["a"]},
                UsageError,
                "categories: 1 name for 2 columns",
            ),
            (
                ["a"],
                ["b"],
                {"categories": ["a"]},
                DataError,
                "predicted: item 0 has category 'b', allowed are 'a'",
            ),
            (
                ["a"],
                ["a"],
                {"categories": ["a", "a"]},
                UsageError,
                "categories: 'a' is given twice",
            ),
            (
                np.array(["a", None], object),
                ["a", "a"],
                {},
                DataError,
                "truth: item 1 has no label",
            ),
            (np.zeros((1, 1, 1)), [1], {}, UsageError, r"got an array of shape \(1, 1, 1\)"),
        ],
    )
    def test_messages(
        self, true: Any, said: Any, options: Any, error: type[Exception], message: str
    ) -> None:
        with pytest.raises(error, match=message):
            decisions(true, said, **options)


TRUTH = ["a", "b", "b", "c", "a", "c"]
SCORES = np.array([[9, 1, 2], [4, 6, 1], [5, 3, 2], [1, 2, 8], [3, 4, 7], [2, 5, 6]], float)


class TestStatus:
    s = categorize(TRUTH, SCORES)

    def test_pivots(self) -> None:
        """a: items by score 0 2 1 4 5 3; b: 1 5 4 2 3 0; c: 3 4 5 0=2 1."""
        assert self.s.by_category("AP").values.tolist() == about(
            [(1 + 2 / 4) / 2, (1 + 2 / 4) / 2, (1 + 2 / 3) / 2]
        )
        assert self.s.by_category("AUC").values.tolist() == about([6 / 8, 6 / 8, 7 / 8])
        assert self.s.by_item("AP").values.tolist() == about([1, 1, 1 / 2, 1, 1 / 3, 1])
        assert self.s.by_item("coverage").values.tolist() == [1, 1, 2, 1, 3, 1]
        assert self.s.by_item("ranking-loss").values.tolist() == about([0, 0, 1 / 2, 0, 1, 0])
        assert self.s.by_category("P@1").values.tolist() == [1, 1, 1]
        assert (
            self.s.by_category(lambda c: c.max_f().value).mean()
            == self.s.by_category("max-f").mean()
        )
        assert self.s.micro("AUC") == about(self.s.pooled().area_under_roc())
        assert repr(self.s) == "<Status: 6 items x 3 categories, 18 scores>"

    def test_hand_till(self) -> None:
        """Case by case: each pair of categories in both directions, four comparisons each."""
        pairs = {(i, j): 0.0 for i in range(3) for j in range(3) if i != j}
        for i, j in pairs:
            hits = [SCORES[k, i] for k in range(6) if TRUTH[k] == "abc"[i]]
            rest = [SCORES[k, i] for k in range(6) if TRUTH[k] == "abc"[j]]
            pairs[i, j] = sum((x > y) + (x == y) / 2 for x in hits for y in rest) / 4
        assert self.s.hand_till() == about(sum(pairs.values()) / 6)

    def test_hand_till_of_absent_categories(self) -> None:
        s = categorize(
            TRUTH, np.column_stack((SCORES, SCORES[:, 0])), categories=["a", "b", "c", "d"]
        )
        for undefined, wanted in (("omit", self.s.hand_till()), ("zero", self.s.hand_till() / 2)):
            with warned(PairsWithoutItems) as told:
                assert s.hand_till(undefined) == about(wanted)
            assert [note.values for note in told] == [{"undefined": 3, "pairs": 6, "empty": "d"}]
        with warned(PairsWithoutItems):
            assert s.hand_till() == about(self.s.hand_till())
        with pytest.raises(DataError, match="pass undefined='zero' or 'omit'"):
            s.hand_till("error")
        with pytest.raises(UsageError, match="undefined: got 'nan'"):
            s.hand_till("nan")
        with pytest.raises(UsageError, match="exactly one category per item"):
            categorize([{"a", "b"}, {"a"}], np.eye(2)).hand_till()

    def test_undefined_rankings(self) -> None:
        s = categorize(
            TRUTH, np.column_stack((SCORES, SCORES[:, 0])), categories=["a", "b", "c", "d"]
        )
        found = s.by_category("AP")
        assert found.undefined == 1 and found.table.to_dict()["ranking"] == ["a", "b", "c", "d"]
        assert found.mean() == about(0.75 * found.mean("omit"))
        with pytest.raises(DataError, match="AP is undefined for 1 of 4, first 'd'"):
            found.mean("error")
        with pytest.raises(UsageError, match="undefined: got 'skip'"):
            found.mean("skip")
        assert np.asarray(found).shape == (4,)

    def test_what_a_sparse_matrix_lacks_was_not_scored(self) -> None:
        sparse = pytest.importorskip(
            "scipy.sparse", reason="SciPy is not installed: no sparse scores"
        )
        pairs = sparse.coo_array(([0.9, 0.5, 0.4], ([0, 1, 2], [0, 0, 1])), shape=(3, 2))
        s = categorize([{"a"}, {"b"}, {"a", "b"}], pairs)
        assert s.by_category("AP").values.tolist() == about([1 / 2, 1 / 2])
        with pytest.raises(UsageError, match="hand_till"):
            categorize(["a", "b", "a"], pairs).hand_till()

    def test_messages(self) -> None:
        with pytest.raises(
            UsageError,
            match=r"scores: 3 columns, but the truth has 2 labels, 'a', 'b'; .* categories=",
        ):
            categorize(["a", "b"], np.ones((2, 3)))
        with pytest.raises(DataError, match="the score of item 1 for category 'a' is NaN"):
            categorize(["a", "b"], [[1, 2], [math.nan, 3]])
        with pytest.raises(UsageError, match="pivot: got 'row', allowed are category, item"):
            list(self.s.curves("row"))
        with pytest.raises(MeasureError):
            self.s.by_category("nonsense")


class TestThresholds:
    s = categorize(TRUTH, SCORES)

    def test_by_score(self) -> None:
        best = self.s.thresholds("max-f")
        # Of equals (2/3 at 9 and at 3) the one that accepts least.
        assert best.values.tolist() == [9, 6, 6] and best.kind == "score"
        d = self.s.decide(best)
        assert d.table.to_dict()["tp"] == [1, 1, 2] and d.table.to_dict()["fp"] == [0, 0, 1]
        assert d.f().tolist() == about([c.max_f().value for c in self.s.curves()])
        assert self.s.thresholds("break-even").values.tolist() == [5, 5, 7]
        assert self.s.thresholds("fixed:4.5").values.tolist() == [4.5] * 3
        assert self.s.decide(self.s.thresholds("fixed:4.5")).table.to_dict()["fp"] == [1, 1, 1]

    def test_by_rank(self) -> None:
        d = self.s.decide(self.s.thresholds("rank:1"))
        assert d.predicted.per_item().tolist() == [1] * 6
        assert d.accuracy("exact") == about(4 / 6)
        assert self.s.decide(self.s.thresholds("rank:2")).recall("micro") == about(5 / 6)
        # Equal scores: the category that stands first.
        tied = categorize([0, 1], [[0.5, 0.5], [0.5, 0.5]])
        assert tied.decide(tied.thresholds("rank")).table.to_dict()["tp"] == [1, 0]

    def test_by_proportion(self) -> None:
        d = self.s.decide(self.s.thresholds("proportion"))
        assert d.predicted.per_category().tolist() == [2, 2, 2]
        assert self.s.decide(
            self.s.thresholds("proportion:0.25")
        ).predicted.per_category().tolist() == [
            1,
            1,
            1,
        ]
        assert self.s.decide(
            self.s.thresholds("proportion:9")
        ).predicted.per_category().tolist() == [6, 6, 6]

    def test_learned_elsewhere(self) -> None:
        fit = categorize(["a", "b", "c"], np.eye(3) * 5, categories=["a", "b", "c"])
        assert self.s.thresholds("max-f", fit_on=fit).values.tolist() == [5, 5, 5]
        with pytest.raises(UsageError, match="learned for other categories"):
            categorize([0, 1], np.eye(2)).decide(self.s.thresholds("max-f"))

    def test_category_without_a_hit_accepts_nothing(self) -> None:
        s = categorize(["a", "a"], np.ones((2, 2)), categories=["a", "b"])
        assert s.thresholds("max-f").values.tolist() == [1, math.inf]
        assert s.thresholds("break-even").values.tolist() == [1, math.inf]

    @pytest.mark.parametrize(
        ("method", "message"),
        [
            ("best", "method: got 'best', allowed are break-even, max-f, fixed:s, rank:k"),
            ("fixed:x", "fixed:x: 'x' is not a number"),
            ("rank:0.5", "the rank must be an integer >= 1"),
            ("proportion:0", "the factor must be > 0"),
        ],
    )
    def test_refused(self, method: str, message: str) -> None:
        with pytest.raises(UsageError, match=message):
            self.s.thresholds(method)


class TestElevenPoints:
    RELEVANT = (0, 1, 0, 1, 1, 0, 0, 0, 1, 0)

    def status(self, missed: int) -> Any:
        """One category; the miss is an item that a sparse matrix has no score for."""
        sparse = pytest.importorskip(
            "scipy.sparse", reason="SciPy is not installed: no missed items"
        )
        items = len(self.RELEVANT) + missed
        score = [1.0 - i / 100 for i in range(len(self.RELEVANT))]
        pairs = sparse.coo_array((score, (range(len(score)), [0] * len(score))), shape=(items, 1))
        return categorize(np.array([[one] for one in (*self.RELEVANT, *[1] * missed)]), pairs)

    def test_one_miss(self) -> None:
        s = self.status(1)
        # Four of five: nothing in [.9, 1) stands for recall 1.
        assert s.eleven_point().tolist() == about([0.6] * 7 + [4 / 9] * 2 + [0, 0])
        assert s.eleven_point(form="trec").tolist() == about([0.6] * 7 + [4 / 9] * 2 + [0, 0])

    def test_no_miss(self) -> None:
        s = self.status(0)
        assert (
            s.eleven_point().tolist()
            == s.eleven_point(form="trec").tolist()
            == about([0.6] * 8 + [4 / 9] * 3)
        )

    def test_interval_by_interval(self) -> None:
        """Hits at ranks 1 and 4: recall .5 stands for [.5, .6); nothing in [.6, 1), so from
        above.
        """
        s = categorize(np.array([[1], [0], [0], [1]]), [[4.0], [3], [2], [1]])
        assert s.eleven_point().tolist() == about([1] * 6 + [0.5] * 5)
        assert s.eleven_point(form="trec").tolist() == about([1] * 6 + [0.5] * 5)

    def test_rankings_without_a_true_one(self) -> None:
        s = categorize([{"a"}, {"a"}, set()], [[3.0, 1], [1, 2], [2, 3]], categories=["a", "b"])
        assert s.eleven_point(undefined="omit").tolist() == about([1] * 6 + [2 / 3] * 5)
        assert s.eleven_point("item", undefined="omit").tolist() == about([0.75] * 11)
        assert s.eleven_point("item").tolist() == about([0.5] * 11)
        none = categorize([set(), set()], np.ones((2, 1)), categories=["a"])
        assert not none.eleven_point().any() and np.isnan(none.eleven_point(undefined="omit")).all()
        with pytest.raises(UsageError, match="form: got 'smart', allowed are yang, trec"):
            s.eleven_point(form="smart")
