"""Scores of many categories in batches: what is counted is equal to the bit to all items at once,
however they came.
"""

from __future__ import annotations

import pickle
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall import ScoredCategories
from precall.hard_decisions import scored_categories

MEASURES = {
    "AP": "block",
    "AUC": "expected",
    "RankingLoss": "block",
    "MaxF": "block",
    "BEP": "block",
    "P@3": "best",
}
#: Kept as they came, counted by score, and moved to disk.
ROADS = {"memory": 1 << 30, "few": 1, "disk": 1}


@st.composite
def batches(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Labels, scores and the ends of batches."""
    items, categories = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    levels = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.25, 0.5, 1e-40, np.inf])
    scores = draw(st.lists(levels, min_size=items * categories, max_size=items * categories))
    truth = draw(st.lists(st.booleans(), min_size=items * categories, max_size=items * categories))
    ends = sorted(draw(st.lists(st.integers(0, items), max_size=3)))
    kind = draw(st.sampled_from([np.float16, np.float32, np.float64]))
    shape = (items, categories)
    return np.array(truth).reshape(shape), np.array(scores).reshape(shape).astype(kind), ends


def on(road: str, patch: pytest.MonkeyPatch) -> int:
    patch.setattr(ScoredCategories, "_are_few", lambda *_: road == "few")
    patch.setattr(scored_categories, "_PAIRS", 7)
    return ROADS[road]


def collected(
    truth: Any, scores: Any, ends: list[int], memory: int, weights: Any = None
) -> ScoredCategories:
    """Each batch by itself, and then merged from the last to the first."""
    whole = ScoredCategories(range(scores.shape[1]), memory)
    for begin, end in reversed(list(zip([0, *ends], [*ends, len(truth)], strict=True))):
        part, some = ScoredCategories(memory=memory), slice(begin, end)
        part.add(truth[some], scores[some], None if weights is None else weights[some])
        whole.merge(part)
    return whole


@pytest.mark.nightly
@pytest.mark.parametrize("road", ROADS)
def test_equal_to_all_items_at_once(road: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = on(road, monkeypatch)

    @settings(max_examples=15)
    @given(batches())
    def law(drawn: Any) -> None:
        truth, scores, ends = drawn
        whole, parts = pc.categorize(truth, scores), collected(truth, scores, ends, memory)
        assert parts.items == len(truth)
        for measure, ties in MEASURES.items():
            mine, theirs = (each.by_category(measure, ties) for each in (parts, whole))
            assert np.array_equal(mine.values, theirs.values, equal_nan=True)
            with warnings.catch_warnings(action="ignore"):
                assert np.array_equal(mine.mean("zero"), theirs.mean("zero"), equal_nan=True)
                micro = [each.micro(measure, ties) for each in (parts, whole)]
            assert np.array_equal(*micro, equal_nan=True)
        assert list(parts.curves()) == list(whole.curves())
        for category in whole.categories:
            assert parts.curve(category) == list(whole.curves())[category]

    law()


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_each_category_is_as_its_scored_cases() -> None:
    draw = np.random.default_rng(1)
    truth, scores = draw.random((300, 5)) < 0.2, np.round(draw.normal(size=(300, 5)), 1)
    many, each = ScoredCategories("abcde"), [pc.ScoredCases() for _ in range(5)]
    for some in np.array_split(draw.permutation(300), 7):
        many.add(truth[some], scores[some])
        for place, cases in enumerate(each):
            cases.add(truth[some, place], scores[some, place])
    assert [cases.average_precision() for cases in each] == many.by_category("AP").values.tolist()
    assert [cases.area_under_roc() for cases in each] == many.by_category("AUC").values.tolist()
    assert [cases.curve() for cases in each] == list(many.curves())


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("method", ["max-f", "max:MCC", "utility:tp=1,fp=-1", "break-even", "scut"])
def test_thresholds_are_those_of_all_items(
    road: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = on(road, monkeypatch)
    draw = np.random.default_rng(2)
    truth, scores = draw.random((90, 4)) < 0.3, np.round(draw.normal(size=(90, 4)), 1)
    parts = collected(truth, scores, [10, 60], memory)
    assert np.array_equal(
        parts.thresholds(method).values, pc.categorize(truth, scores).thresholds(method).values
    )


@pytest.mark.parametrize("road", ["memory", "disk"])
@pytest.mark.parametrize("whole", [True, False])
def test_weights_are_repetition_and_know_no_order(
    road: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = on(road, monkeypatch)
    draw = np.random.default_rng(3)
    truth, scores = draw.random((80, 3)) < 0.3, np.round(draw.normal(size=(80, 3)), 1)
    weights = draw.integers(0, 4, 80) if whole else draw.random(80)
    parts = collected(truth, scores, [7, 30], memory, weights)
    if whole:
        again = pc.categorize(np.repeat(truth, weights, axis=0), np.repeat(scores, weights, axis=0))
        assert np.array_equal(parts.by_category("AP").values, again.by_category("AP").values)
        assert parts.micro("AUC") == again.micro("AUC")
    order = draw.permutation(80)
    shuffled = collected(truth[order], scores[order], [50], memory, weights[order])
    assert list(parts.curves()) == list(shuffled.curves())
    assert parts.pooled() == shuffled.pooled()
    for column, curve in zip(range(3), parts.curves(), strict=True):
        theirs = pc.curve(truth[:, column], scores[:, column], weights=weights).average_precision()
        assert curve.average_precision() == pytest.approx(theirs, rel=1e-13)


def test_half_precision_is_counted_where_it_outgrows_the_memory() -> None:
    draw = np.random.default_rng(4)
    scores = draw.integers(0, 20, (6000, 3)).astype(np.float16)
    truth = draw.integers(0, 3, 6000)
    parts = ScoredCategories(memory=20_000)
    for begin in range(0, 6000, 500):
        parts.add(truth[begin : begin + 500], scores[begin : begin + 500])
    assert parts._counted and not any(part.on_disk for part in parts._parts)
    assert np.array_equal(
        parts.by_category("AP").values, pc.categorize(truth, scores).by_category("AP").values
    )


def test_what_is_moved_to_disk_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    parts = ScoredCategories(memory=1)
    parts.add([0, 1, 1], np.eye(3, 2))
    assert parts._parts[0].on_disk and not list(tmp_path.iterdir())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(OSError, match="spooling batches of categories; set TMPDIR"):
        parts.add([0, 1, 1], np.eye(3, 2))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: open("/dev/full", "w+b"))  # noqa: SIM115, PTH123
    with pytest.raises(OSError, match="No space left on device, spooling batches of categories"):
        ScoredCategories(memory=1).add([0, 1, 1], np.eye(3, 2))


def test_columns_of_frames_are_matched_by_name() -> None:
    pandas = pytest.importorskip("pandas")
    parts = ScoredCategories()
    parts.add(["a", "b"], pandas.DataFrame({"a": [0.9, 0.2], "b": [0.1, 0.3]}))
    parts.add(["b"], pandas.DataFrame({"b": [0.7], "a": [0.1]}))
    assert parts.categories == ("a", "b") and parts.curve("b").tp.tolist() == [0, 1, 2, 2]
    assert parts.table["relevant"].tolist() == [1.0, 2.0]  # type: ignore[union-attr]
    assert "category" in str(parts) and parts.flat()


@pytest.mark.parametrize("road", ROADS)
def test_parts_of_other_processes(road: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = on(road, monkeypatch)
    truth, scores = np.arange(6) % 2, np.arange(12.0).reshape(6, 2)
    parts = collected(truth, scores, [2], memory)
    came = pickle.loads(pickle.dumps(parts))
    assert not any(part.on_disk for part in came._parts) and list(came.curves()) == list(
        parts.curves()
    )
    came.merge(parts)
    assert came.items == 12


def test_the_array_may_be_filled_again() -> None:
    parts, room = ScoredCategories(), np.zeros((2, 2))
    for row in ([0.9, 0.1], [0.2, 0.8]):
        room[:] = row
        parts.add([0, 1], room)
    assert parts.curve(0).threshold.tolist() == [np.inf, 0.9, 0.2]


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every second": lambda cells: np.repeat(np.repeat(cells, 2, 0), 2, 1)[::2, ::2],
    "backwards": lambda cells: np.ascontiguousarray(cells[::-1, ::-1])[::-1, ::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int32])
def test_however_the_cells_lie_in_memory(layout: str, kind: type) -> None:
    rng = np.random.default_rng(5)
    truth, scores = rng.random((9, 4)) < 0.4, rng.integers(0, 6, (9, 4)).astype(kind)
    laid_out = LAYOUTS[layout]
    parts = ScoredCategories()
    given = laid_out(scores.copy())
    parts.add(laid_out(truth.astype(kind)), given)
    given[:] = 0
    whole = pc.categorize(truth, scores)
    assert list(parts.curves()) == list(whole.curves())
    if kind is not np.int32:
        scores[4, 1] = scores[7, 0] = np.nan
        with pytest.raises(pc.DataError, match="the score of item 4 for category 1 is NaN"):
            parts.add(laid_out(truth), laid_out(scores))


@pytest.mark.parametrize("share", [0.02, 0.5])
@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.float64])
def test_the_truth_by_columns_is_that_by_rows(kind: type, share: float) -> None:
    truth, scores = np.random.default_rng(6).random((90, 40)) < share, np.ones((90, 40)) / 2
    by_rows, by_columns = (
        pc.categorize(np.array(truth, kind, order=order), scores) for order in ("C", "F")
    )
    assert (
        by_rows.truth.keys.tolist()
        == by_columns.truth.keys.tolist()
        == np.flatnonzero(truth).tolist()
    )


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, object])
@pytest.mark.parametrize("cell", [0.3, -1, np.nan])
def test_cells_other_than_0_and_1_are_refused(kind: type, cell: float) -> None:
    truth = np.zeros((3, 2), kind)
    truth[0, 1], truth[1, 0] = 1, cell
    with pytest.raises(
        pc.DataError, match=f"matrix is {np.array(cell, kind)[()]!s}, allowed are 0, 1"
    ):
        ScoredCategories().add(truth, np.full((3, 2), 0.5))


def test_a_score_under_a_mask_is_no_score() -> None:
    scores = np.ma.masked_array([[0.1, 0.2], [0.3, 0.4]], [[False, True], [False, False]])
    for add in (pc.categorize, ScoredCategories().add):
        with pytest.raises(
            pc.DataError, match="scores: cell 1 is masked; remove the cell, or unmask it"
        ):
            add(np.eye(2), scores)
    add(np.eye(2), np.ma.masked_array([[0.1, 0.2], [0.3, 0.4]]))


def sparse() -> Any:
    return pytest.importorskip("scipy.sparse").csr_array(np.eye(2))


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (lambda s: s.add([0, 1], [[0.1, float("nan")], [1, 2]]), "item 0 for category 1 is NaN"),
        (lambda s: s.add([0, 7], [[1, 2], [3, 4]]), "7"),
        (
            lambda s: s.add([0, 1], [[1, 2, 3], [3, 4, 5]]),
            "a column for each of the categories, 0, 1, got 3",
        ),
        (lambda s: s.add([0, 1], sparse()), "a sparse matrix does not score all pairs"),
        (lambda s: s.add([0, 1], [[1, 2], [3, 4]], [1, -1]), "allowed are finite numbers >= 0"),
        (lambda s: s.add([0, 1], [[1, 2], [3, 4]], [1, 2]), "weights: some batches have weights"),
        (lambda s: s.merge(ScoredCategories("ab")), "the same categories"),
        (lambda s: s.curve("z"), "there is no 'z'"),
        (lambda s: s.thresholds("rcut"), "one number for all categories"),
        (lambda s: ScoredCategories().by_category("AP"), "no batch was added"),
        (lambda s: ScoredCategories("aa"), "'a' is given twice"),
    ],
)
def test_what_is_refused_leaves_the_rest(
    wrong: Callable[[ScoredCategories], Any], what: str
) -> None:
    parts = ScoredCategories()
    parts.add([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(pc.PrecallError, match=what):
        wrong(parts)
    assert parts.items == 2 and parts.by_category("AP").values.tolist() == [1.0, 1.0]


def test_a_batch_that_fails_can_be_added_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    truth, scores = rng.random((9, 2)) < 0.5, rng.random((9, 2))
    many, other, whole = (ScoredCategories(["a", "b"], 1000) for _ in range(3))
    many.add(truth[:3], scores[:3])
    other.add(truth[3:], scores[3:])
    monkeypatch.setattr(ScoredCategories, "_are_few", lambda *_: False)
    many._memory = 1
    with monkeypatch.context() as patched:
        patched.setattr(scored_categories, "_spool", failing)
        for act in (lambda: many.add(truth[3:], scores[3:]), lambda: many.merge(other)):
            with pytest.raises(OSError, match="full"):
                act()
            assert many.items == 3 and many.pooled().total == 6
    many.merge(other)
    whole.add(truth, scores)
    assert many.micro("AP") == whole.micro("AP") and many.items == 9


def failing(*_: Any) -> Any:
    raise OSError("full")


def test_a_batch_without_any_label() -> None:
    many = ScoredCategories(["a", "b"])
    many.add([[], []], np.zeros((2, 2)))
    many.add([["a"], []], np.eye(2))
    assert many.items == 4 and many.table["relevant"].tolist() == [1, 0]  # type: ignore[union-attr]
    assert pc.categorize([[], []], np.eye(2), ["a", "b"]).truth.keys.size == 0
