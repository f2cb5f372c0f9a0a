"""`precall detections`: tables of detections, tables of objects, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import precall as pc
from precall.core.notes.of_detections import ClassesWithoutObjects, DetectionsSeen
from precall.object_detection.files import read_detections
from tests.cli.scored import refused
from tests.noticed import noticed, warned

FOUND = """image,class,score,m50,m75,crowd
a,cat,.9,1,1,0
a,cat,.8,0,0,1
a,dog,.7,1,0,0
b,cat,.6,1,1,0
b,dog,.5,0,0,0
b,cow,.4,0,0,0
"""
GOLD = "image,class\na,cat\nb,cat\nb,cat\na,dog\nc,dog\n"
BASE = ("detections", "found.csv", "--score", "score", "--matched", "m50")
CLASSES = (*BASE, "--class", "class")
IMAGES = (*CLASSES, "--image", "image", "--objects", "gold.csv")


@pytest.fixture(autouse=True)
def files(folder):
    Path("found.csv").write_text(FOUND, encoding="utf-8")
    Path("gold.csv").write_text(GOLD, encoding="utf-8")


def test_a_table_of_detections_and_one_of_objects(precall):
    document = json.loads(precall(*IMAGES, "--ignored", "crowd", "--format", "json").out)
    classes = document["classes"]
    assert {name: row["objects"] for name, row in classes.items()} == {"cat": 3, "cow": 0, "dog": 2}
    assert classes["cat"]["detections"] == 2
    assert classes["cat"]["step"] == pytest.approx(2 / 3)
    assert classes["cow"]["101-point"] is None
    assert document["averages"]["mean"]["step"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    (seen,) = noticed(document, DetectionsSeen)
    assert (seen.objects, seen.detections, seen.ignored) == (5, 5, 1)
    assert noticed(document, ClassesWithoutObjects)[0].categories == ("cow",)


def test_the_same_by_python():
    with warned(ClassesWithoutObjects):
        found = read_detections(
            "found.csv", "score", ["m50"], category="class", image="image", objects="gold.csv"
        )
    objects = {("a", "cat"): 1, ("b", "cat"): 2, ("a", "dog"): 1, ("c", "dog"): 1}
    with warned(ClassesWithoutObjects):
        own = pc.detections(
            [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
            {"m50": [1, 0, 1, 1, 0, 0]},
            ["cat", "cat", "dog", "cat", "dog", "cow"],
            image=list("aaabbb"),
            objects=objects,
        )
    assert found == own


def test_objects_without_images_and_without_classes(precall):
    document = json.loads(precall(*CLASSES, "--objects", "gold.csv", "--format", "json").out)
    assert document["classes"]["cow"]["objects"] == 0
    Path("one.csv").write_text("x\n1\n2\n3\n4\n", encoding="utf-8")
    alone = json.loads(precall(*BASE, "--missed", "2", "--format", "json").out)
    assert alone["classes"]["object"]["objects"] == 5
    with_images = (*BASE, "--image", "image", "--objects", "gold.csv", "--interval")
    document = json.loads(precall(*with_images, "--format", "json").out)
    assert document["classes"]["object"]["objects"] == 5
    assert document["intervals"]["mean"]["low"] < document["averages"]["mean"]["101-point"]


def test_several_columns_and_csv(precall):
    rows = precall(*IMAGES, "--matched", "m75", "--interval", "--format", "csv").out.splitlines()
    cells = [row.split(",") for row in rows]
    assert ["precall.detections/2", "all", "m75", "recall", "mean"] in [row[:5] for row in cells]
    assert any(row[1:5] == ["dog", "", "101-point AP low", ""] for row in cells)
    assert any(row[1:5] == ["all", "", "101-point AP low", "mean"] for row in cells)
    table = precall(*IMAGES, "--matched", "m75").out
    assert "m75" in table
    assert "2 columns of matches" in " ".join(table.split())


def test_a_class_called_all_is_told_from_the_mean(precall):
    for path in ("found.csv", "gold.csv"):
        text = Path(path).read_text(encoding="utf-8")
        Path(path).write_text(text.replace("dog", "all"), encoding="utf-8")
    rows = [row.split(",")[1:6] for row in precall(*IMAGES, "--format", "csv").out.splitlines()]
    values = {(*row[:4],): float(row[4]) for row in rows if row[:3] == ["all", "", "step"]}
    assert values[("all", "", "step", "")] == 0.5
    assert values[("all", "", "step", "mean")] == pytest.approx((5 / 9 + 1 / 2) / 2)


def test_objects_that_are_counted(precall):
    rows = "a,cat,1\nb,cat,2\na,dog,1\nc,dog,1\nz,dog,0\n"
    Path("counts.csv").write_text(f"image,class,n\n{rows}", encoding="utf-8")
    counted = (*IMAGES[:-1], "counts.csv", "--count", "n")
    plain, other = (
        json.loads(precall(*each, "--format", "json").out) for each in (IMAGES, counted)
    )
    assert other["classes"] == plain["classes"]
    assert other["conventions"]["count"] == "n"
    refused(
        precall(*CLASSES, "--missed", "0", "--count", "n"), ".*--count: is a column of --objects.*"
    )
    for cell, words in (("1.5", "1.5 is no number of objects"), ("x", "count 'x' is not a number")):
        Path("counts.csv").write_text(f"image,class,n\na,cat,{cell}\n", encoding="utf-8")
        refused(precall(*counted), f".*counts.csv:2: column 'n': {words}.*")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (CLASSES, "--missed: give either missed or objects"),
        ((*IMAGES, "--missed", "0"), "exclude each other"),
        ((*CLASSES, "--missed", "3"), "got 3, and there are several classes"),
        ((*CLASSES, "--missed", "cat"), "CLASS=N once for each class"),
        ((*CLASSES, "--missed", "cat=1", "--missed", "cat=2"), "CLASS=N once for each class"),
        ((*CLASSES, "--missed", "cat=1", "--interval"), "name the image of each detection"),
        ((*CLASSES, "--missed", "0", "--max-per-image", "2"), "--image"),
        ((*IMAGES, "--level", "0.9"), "--interval"),
        ((*IMAGES, "--image", "nobody"), "--image"),
        (
            ("detections", "found.csv", "--score", "m50", "--matched", "score", "--missed", "0"),
            "of an overlap (IoU)",
        ),
    ],
)
def test_refusals(precall, arguments, words):
    refused(precall(*arguments), f".*{re.escape(words)}.*")


def test_more_matches_than_objects_names_the_file(precall):
    Path("gold.csv").write_text("image,class\na,cat\nb,cat\n", encoding="utf-8")
    refused(precall(*IMAGES), "found.csv: class 'dog' of image 'a' has 1 matched detection.*")
    Path("found.csv").write_text(FOUND.replace(".7,1,0", ",1,0"), encoding="utf-8")
    refused(precall(*IMAGES), "found.csv:4: column 'score': .*")
