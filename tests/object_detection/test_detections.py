"""Detected objects: averages as COCO and PASCAL VOC define them, what is refused, and laws."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_detections import ClassesWithoutObjects, DetectionsBeyond, TiesMoveMean
from precall.core.notes.of_intervals import FewItems
from precall.object_detection.api import METHODS, Detections
from tests.conftest import ROOT
from tests.noticed import noticed, warned

RECORDED = json.loads((ROOT / "tests/data/detections/pycocotools.json").read_text())["cases"]
GOLDEN = json.loads((ROOT / "tests/data/detections/golden.json").read_text())


def by_hand(matched: list[bool], objects: int, method: str) -> Fraction:
    """An average of detections, best first, without ties: Everingham et al. (2010), section 4.2,
    and Lin et al. (2014), in fractions.
    """
    points, hits = [], 0
    for rank, hit in enumerate(matched, 1):
        hits += hit
        points.append((Fraction(hits, objects), Fraction(hits, rank)))

    def highest(least: Fraction) -> Fraction:
        return max((p for r, p in points if r >= least), default=Fraction(0))

    steps = {"11-point": 10, "101-point": 100}.get(method)
    if steps:
        return sum((highest(Fraction(i, steps)) for i in range(steps + 1)), Fraction(0)) / (
            steps + 1
        )
    total = Fraction(0)
    for hit, (recall, precision) in zip(matched, points, strict=True):
        if hit:
            total += precision if method == "step" else highest(recall)
    return total / objects


def peers(case: dict[str, Any], **choices: Any) -> Any:
    """A recorded case of pycocotools."""
    image, category, score, matched, ignored = zip(*case["rows"], strict=True)
    levels = [f"{50 + 5 * t}" for t in range(10)]
    columns = [
        {name: [int(cell[t]) for cell in cells] for t, name in enumerate(levels)}
        for cells in (matched, ignored)
    ]
    limit = case["max_per_image"]
    return pc.detections(
        score,
        columns[0],
        category,
        image=image,
        ignored=columns[1],
        objects={(picture, name): count for picture, name, count in case["objects"]},
        max_per_image=None if limit == 100 else limit,
        **choices,
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["name"])
def test_numbers_of_pycocotools(case: dict[str, Any]) -> None:
    """All thresholds and classes, with ties, crowds, classes without objects, and a limit."""
    found = peers(case, ties="input")
    values = found.values("101-point", "pycocotools")
    expected = np.array(case["ap"])[:, [name - 1 for name in found.categories]]
    expected = np.where(expected < 0, np.nan, expected)
    np.testing.assert_allclose(values, expected, atol=1e-12, rtol=0)
    assert found.ap(recall="pycocotools") == pytest.approx(case["mean"], abs=1e-12)
    of_columns = found.by_column(recall="pycocotools")
    assert of_columns["50"] == pytest.approx(case["mean50"], abs=1e-12)
    assert of_columns["75"] == pytest.approx(case["mean75"], abs=1e-12)
    recalls = [value for value in found.recall().values() if value == value]
    assert np.mean(recalls) == pytest.approx(case["average_recall"], abs=1e-12)


def golden(classes: dict[str, Any], most: int | None = None) -> pc.Detections:
    """Detections of a golden table: rows are image, score, matched, ignored."""
    rows = [(*row, name) for name, of in classes.items() for row in of["rows"]]
    image, score, matched, ignored, category = map(list, zip(*rows, strict=True))
    return pc.detections(
        *(score, matched, category),
        image=image,
        ignored=ignored,
        objects={name: of["objects"] for name, of in classes.items()},
        ties="input",
        max_per_image=most,
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("case", GOLDEN["tables"], ids=lambda case: case["name"])
def test_golden_tables(case: dict[str, Any]) -> None:
    """COCO at three limits, and both averages of PASCAL VOC, of whole tables."""
    classes = case["classes"]
    found = golden(classes)
    assert found.ap(recall="pycocotools") == pytest.approx(case["AP50"], abs=1e-12)
    whole, eleven = found.by_category("interpolated"), found.by_category("11-point")
    for name, of in classes.items():
        ours = [
            golden(classes, most).by_category(recall="pycocotools")[name] for most in (1, 10, 100)
        ]
        theirs = [math.nan if of["objects"] == 0 else value for value in of["AP50_max"]]
        assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True)
        if of["objects"]:
            assert found.recall()[name] == pytest.approx(of["recall"], abs=1e-12)
            assert whole[name] == pytest.approx(of["voc_all_point"], abs=1e-12)
            # Doubles of .3, .6 and .7 are not reached there by 3, 6 and 7 of 10.
            if of["objects"] % 10:
                assert eleven[name] == pytest.approx(of["voc_eleven_point"], abs=1e-12)


@pytest.mark.parametrize("case", GOLDEN["edges"], ids=lambda case: case["name"])
def test_golden_edges(case: dict[str, Any]) -> None:
    """Crowds, ties across images, second choices: matched at two thresholds of overlap."""
    for level in ("50", "85"):
        found = golden({"x": {"rows": case[level], "objects": case["objects"]}})
        assert found.ap(recall="pycocotools") == pytest.approx(case[f"AP{level}"], abs=1e-12)


@st.composite
def tables(draw: Any) -> tuple[list[bool], list[float], list[str], list[int], Counter[Any]]:
    """Detections of a few images and classes, and the objects of each."""
    size = draw(st.integers(1, 25))
    matched = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    score = draw(
        st.lists(st.integers(0, 1000), min_size=size, max_size=size, unique=True).map(
            lambda cells: [cell / 1000 for cell in cells]
        )
    )
    category = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    image = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    objects = Counter(
        (picture, name) for hit, picture, name in zip(matched, image, category, strict=True) if hit
    )
    more = draw(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc")), max_size=6))
    return matched, score, category, image, objects + Counter(more)


@given(tables(), st.sampled_from(METHODS))
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_averages_by_hand(table: Any, method: str) -> None:
    matched, score, category, image, objects = table
    found = pc.detections(score, matched, category, image=image, objects=objects)
    order = np.argsort(score)[::-1]
    for name, value in found.by_category(method).items():
        total = sum(count for (_, of), count in objects.items() if of == name)
        if not total:
            assert math.isnan(value)
            continue
        hits = [matched[row] for row in order if category[row] == name]
        assert value == pytest.approx(float(by_hand(hits, total, method)), abs=1e-12)


@given(tables(), st.randoms(use_true_random=False))
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_the_order_of_rows_does_not_matter(table: Any, random: Any) -> None:
    matched, score, category, image, objects = table
    coarse = [round(cell, 1) for cell in score]
    found = pc.detections(coarse, matched, category, image=image, objects=objects)
    order = list(range(len(score)))
    random.shuffle(order)
    columns = [[column[row] for row in order] for column in (coarse, matched, category, image)]
    again = pc.detections(*columns[:3], image=columns[3], objects=objects)
    for method in METHODS:
        assert again.values(method).tobytes() == found.values(method).tobytes()
    ours, others = (pc.interval(each) for each in (found, again))
    for name, interval in ours.items():
        assert others[name].ends == pytest.approx(interval.ends, nan_ok=True)


@given(tables(), st.sampled_from(METHODS))
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_false_detection_below_all_changes_nothing(table: Any, method: str) -> None:
    matched, score, category, image, objects = table
    found = pc.detections(score, matched, category, image=image, objects=objects)
    more = pc.detections(
        [*score, -1.0], [*matched, False], [*category, "a"], image=[*image, 0], objects=objects
    )
    assert more.by_category(method).get("b", 0) == pytest.approx(
        found.by_category(method).get("b", 0), nan_ok=True
    )
    if "a" in found.categories:
        assert more.by_category(method)["a"] == pytest.approx(
            found.by_category(method)["a"], nan_ok=True
        )


@given(tables())
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_missed_and_all_objects_say_the_same(table: Any) -> None:
    matched, score, category, image, objects = table
    of_hits = Counter(
        (picture, name) for hit, picture, name in zip(matched, image, category, strict=True) if hit
    )
    found = pc.detections(score, matched, category, image=image, objects=objects)
    missed = dict(objects)
    for pair, count in of_hits.items():
        missed[pair] -= count
    again = pc.detections(score, matched, category, image=image, missed=missed)
    assert again.by_category() == pytest.approx(found.by_category(), nan_ok=True)
    by_class: Counter[Any] = Counter()
    for (_, name), count in missed.items():
        by_class[name] += count
    of_classes = pc.detections(score, matched, category, missed=by_class)
    assert of_classes.by_category() == pytest.approx(found.by_category(), nan_ok=True)


def test_a_class_is_a_curve() -> None:
    found = pc.detections([0.9, 0.8, 0.8, 0.1], [1, 0, 1, 0], list("aaab"), missed={"a": 2, "b": 1})
    own = pc.curve([1, 0, 1], [0.9, 0.8, 0.8], missed=2)
    made = found.curve("a")
    assert made.area_under_pr("101-point") == found.by_category()["a"]
    assert (made.tp.tolist(), made.threshold.tolist()) == (own.tp.tolist(), own.threshold.tolist())
    inputs = pc.detections([0.8, 0.9, 0.8], [0, 1, 1], missed=2, ties="input").curve()
    assert inputs.threshold.tolist() == [math.inf, 0.9, 0.8, 0.8]
    assert inputs.tp.tolist() == [0, 1, 1, 2]
    with pytest.raises(UsageError, match="no class 'x'"):
        found.curve("x")


def test_classes_without_objects_or_detections() -> None:
    with warned(ClassesWithoutObjects) as notes:
        found = pc.detections([0.9, 0.8], [1, 0], ["a", "b"], objects={"a": 2, "b": 0, "c": 3})
    (note,) = notes
    assert (note.categories, note.detections) == (("b",), 1)
    assert found.categories == ("a", "b", "c")
    values = found.by_category()
    assert math.isnan(values["b"])
    assert values["c"] == 0
    assert found.ap() == pytest.approx((51 / 101 + 0) / 2)
    nothing = pc.detections([], [], [], objects={"a": 2})
    assert nothing.ap() == 0
    assert math.isnan(pc.detections([], [], missed=0).ap())


def test_ties_that_move_the_mean() -> None:
    score, matched = [0.5, 0.5, 0.4], [0, 1, 1]
    found = pc.detections(score, matched, missed=0)
    (note,) = noticed(found, TiesMoveMean)
    best, worst = (by_hand(hits, 2, "101-point") for hits in ([1, 0, 1], [0, 1, 1]))
    assert note.high == pytest.approx(float(best))
    assert note.low == pytest.approx(float(worst))
    assert note.low <= found.ap() <= note.high
    given_order = pc.detections(score, matched, missed=0, ties="input")
    assert noticed(given_order, TiesMoveMean)[0].order == "input"
    assert given_order.ap() == pytest.approx(float(worst))
    assert not noticed(pc.detections([0.5, 0.5, 0.4], [1, 1, 0], missed=0), TiesMoveMean)


def test_a_limit_for_each_image() -> None:
    columns = [0.9, 0.8, 0.7, 0.6], [0, 0, 1, 1], list("aaaa")
    found = pc.detections(*columns, image=[1, 1, 1, 2], objects={"a": 2}, max_per_image=2)
    (note,) = noticed(found, DetectionsBeyond)
    assert note.beyond == 1
    assert found.ap("step") == pytest.approx(1 / 3 / 2)
    with pytest.raises(UsageError, match="needs the images"):
        pc.detections(*columns, missed=0, max_per_image=2)


def test_ignored_detections_count_neither_way() -> None:
    found = pc.detections([3, 2, 1], [1, 0, 1], ignored=[0, 1, 0], missed=0)
    assert found.ap() == 1
    assert found.table.to_dict()["detections"] == [2]
    several = pc.detections(
        [3, 2, 1],
        {"a": [1, 0, 1], "b": [1, 0, 0]},
        ignored={"b": [0, 0, 0], "a": [0, 1, 0]},
        objects=2,
    )
    assert several.by_column("step") == {"a": 1, "b": 0.5}


def test_columns_of_matches_in_many_forms() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    matched = {"0.5": [1, 0, 1], "0.75": [1, 0, 0]}
    made = [
        pc.detections([3, 2, 1], given, objects=2)
        for given in (matched, pandas.DataFrame(matched), polars.DataFrame(matched))
    ]
    assert made[0] == made[1] == made[2]
    assert made[0].columns == ("0.5", "0.75")
    array = pc.detections([3, 2, 1], np.array(list(matched.values())).T, objects=2)
    assert array.columns == ("1", "2")
    assert array.values().tolist() == made[0].values().tolist()
    counts = pandas.DataFrame({"image": [1, 1], "c": ["a", "a"]}).groupby(["image", "c"]).size()
    frame = pc.detections(
        pandas.Series([3, 2, 1]),
        pandas.Series([True, False, True]),
        pandas.Series(list("aaa")),
        image=pandas.Series([1, 1, 1]),
        objects=counts,
    )
    assert frame.ap("step") == pytest.approx(5 / 6)
    with pytest.raises(UsageError, match="groupby"):
        pc.detections([3], [1], ["a"], objects=pandas.DataFrame({"class": ["a"], "n": [1]}))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"matched": [1, 0.87, 0]}, "detection 1 is neither 0 nor 1: 0.87; an overlap"),
        ({"matched": [0, 7, 9]}, "ids > 0"),
        ({"matched": [1, None, 0]}, "detection 1"),
        ({"matched": [True, None, False]}, "detection 1 is neither 0 nor 1: None"),
        ({"score": [0.5, math.nan, 0.1]}, "case 1 is NaN"),
        ({"objects": {"a": 1, "b": 1}}, "class 'a' has 2 matched detections, and 1 object"),
        ({"objects": {(1, "a"): 1, (2, "a"): 1}}, "class 'a' of image 1 has 2 matched"),
        ({"missed": {"a": 1.5}, "objects": None}, "1.5 is no number of objects"),
        ({"missed": {"a": -1}, "objects": None}, "-1 is no number"),
        ({"missed": {"a": 0, None: 1}, "objects": None}, "None is no class"),
        ({"ignored": [0, 2, 0]}, "ignored of detection 1 is neither 0 nor 1"),
    ],
)
def test_faults_of_the_data(given: dict[str, Any], words: str) -> None:
    usual = {"score": [0.9, 0.8, 0.7], "matched": [1, 1, 0], "category": ["a", "a", "b"]}
    usual |= {"image": [1, 1, 1], "objects": {"a": 2, "b": 0}}
    with pytest.raises(DataError) as caught:
        pc.detections(**usual | given)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"objects": None}, "give either missed or objects"),
        ({"missed": 0}, "both are given"),
        ({"objects": 3}, "there are several classes"),
        ({"objects": {"a": 2}}, "a class of the detections is not there, got 'b'"),
        ({"objects": {"a": 2, (1, "b"): 0}}, "some are by image"),
        ({"objects": {(1, "a"): 2}, "image": None}, "pass image="),
        ({"objects": "gold"}, "counts by class"),
        ({"objects": {("1", "a"): 2, (1, "b"): 0}}, "image '1' is there as int and as str"),
        ({"score": [0.9, 0.8]}, "2 scores and 3 matches"),
        ({"score": [1, 1, 0], "matched": [0.9, 0.8, 0.7]}, "they are swapped"),
        ({"matched": np.ones((2, 3))}, "its .T"),
        ({"matched": {}}, "none given"),
        ({"matched": {"m": [1, 1]}}, "3 scores and 2 matches"),
        ({"matched": {"m": [1, 1, 0], "n": [1]}}, "columns of equal length"),
        ({"category": ["a", "b"]}, "category"),
        ({"image": [1]}, "image"),
        ({"ignored": [0]}, "one per detection (3)"),
        ({"ignored": {"x": [0, 0, 0], "y": [0, 0, 0]}}, "the columns of matched"),
        ({"ties": "best"}, "ties"),
        ({"max_per_image": 0}, "max_per_image"),
        ({"category": [1, "1", 2], "objects": {1: 2, "1": 1, 2: 0}}, "'1'"),
        (
            {
                "matched": {"m": [1, 1, 0], "n": [1, 0, 0]},
                "objects": None,
                "missed": {"a": 1},
            },
            "the columns of matched differ",
        ),
    ],
)
def test_arguments_that_are_refused(given: dict[str, Any], words: str) -> None:
    usual = {"score": [0.9, 0.8, 0.7], "matched": [1, 1, 0], "category": ["a", "a", "b"]}
    usual |= {"image": [1, 1, 1], "objects": {"a": 2, "b": 0}}
    with pytest.raises(UsageError) as caught:
        pc.detections(**usual | given)
    assert words in str(caught.value)


def test_names_of_averages() -> None:
    found = pc.detections([0.9, 0.8, 0.7], [1, 0, 1], missed=1)
    assert found.ap("COCO") == found.ap("101-point")
    assert found.ap("VOC2007") == found.ap("11-point")
    assert found.ap("all-point") == found.ap("interpolated")
    with pytest.raises(UsageError, match="until 2009"):
        found.ap("voc")
    with pytest.raises(UsageError, match="is not of pycocotools"):
        found.ap("step", recall="pycocotools")


def sample(images: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    image = np.repeat(np.arange(images), 4)
    matched = rng.random(len(image)) < 0.5
    category = np.array(["a", "b"])[rng.integers(0, 2, len(image))]
    score = rng.normal(matched, 1).round(1)
    missed = Counter(
        zip(rng.integers(0, images, images).tolist(), ["a", "b"] * (images // 2), strict=True)
    )
    return pc.detections(score, matched, category, image=image, missed=missed)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("method", METHODS)
def test_the_error_is_that_of_leaving_out_each_image(method: str) -> None:
    """Computed anew: the detections and objects of all images but one, each time."""
    rng = np.random.default_rng(1)
    image = rng.integers(0, 30, 150)
    matched, score = rng.random(150) < 0.5, rng.integers(0, 40, 150)
    category = np.array(["a", "b"])[rng.integers(0, 2, 150)]
    missed = {(int(picture), "a"): 1 for picture in range(0, 30, 4)}
    made = pc.detections(score, matched, category, image=image, missed=missed)
    found = pc.interval(made, method)
    left = []
    for picture in range(30):
        rows = image != picture
        others = {pair: count for pair, count in missed.items() if pair[0] != picture}
        part = pc.detections(
            *(score[rows], matched[rows], category[rows]), image=image[rows], missed=others
        )
        left.append([*part.by_category(method).values(), part.ap(method)])
    spread = np.array(left) - np.mean(left, axis=0)
    error = np.sqrt(29 / 30 * (spread**2).sum(axis=0))
    assert [each.standard_error for each in found.values()] == pytest.approx(error.tolist())
    assert found["mean"].estimate == made.ap(method)
    assert found["a"].low < found["a"].estimate < found["a"].high


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_many_images_are_left_out_in_groups() -> None:
    made = sample(500)
    found = pc.interval(made)["mean"]
    assert 0.01 < found.standard_error < 0.05
    assert pc.interval(made, level=0.5)["mean"].width < found.width


def test_intervals_that_do_not_exist() -> None:
    columns = [0.9, 0.8, 0.7], [1, 0, 1], list("aaa")
    with pytest.raises(UsageError, match="the images are the sample"):
        pc.interval(pc.detections(*columns, missed=0))
    with pytest.raises(UsageError, match="those of the objects are not known"):
        pc.interval(pc.detections(*columns, image=[1, 2, 3], objects={"a": 3}))
    with pytest.raises(UsageError, match="measure"):
        pc.interval(pc.detections(*columns, image=[1, 2, 3], missed=0), "AUC")
    with pytest.raises(UsageError, match="name of the mean"):
        pc.interval(pc.detections([3, 2], [1, 1], ["mean"] * 2, image=[1, 2], missed=0))
    with warned(FewItems):
        found = pc.interval(pc.detections(*columns, image=[1, 2, 3], missed=0))
    assert found["a"].low < found["a"].estimate
    with pytest.warns(pc.PrecallWarning):
        alone = pc.interval(pc.detections(*columns, image=[1, 1, 1], missed=0))
    assert alone["a"].low is None
    with warned(FewItems):
        right = pc.interval(pc.detections([3, 2], [1, 1], image=[1, 2], missed=0))["mean"]
    assert (right.low > 0, right.high) == (True, 1.0)


def test_two_without_images_are_not_compared() -> None:
    """They were taken for runs, and refused with words about topics."""
    found = pc.detections([0.9, 0.8, 0.7], [1, 0, 1], missed=1)
    several: tuple[Any, ...] = (
        (found, found),
        ({"a": found, "b": found},),
        ([found, found], "AP"),
    )
    for arguments in several:
        with pytest.raises(UsageError, match="the images are the sample"):
            pc.compare(*arguments)
    assert repr(found) == "<Detections: 3 objects, 3 detections, 1 class>"


def test_other_orders_of_ties_are_measured_when_they_are_asked_for(monkeypatch: Any) -> None:
    """They took as long as the measures themselves, whenever detections were made."""
    measured: list[str] = []
    monkeypatch.setattr(
        Detections,
        "_made",
        lambda self, which, order=None, made=Detections._made: (
            measured.append(order or self.ties),
            made(self, which, order),
        )[1],
    )
    found = pc.detections([0.5, 0.5, 0.4], [0, 1, 1], missed=0)
    assert measured == []
    found.ap()
    assert measured == ["block"]
    assert noticed(found, TiesMoveMean) and noticed(found, TiesMoveMean)
    assert measured == ["block", "worst", "best"]
