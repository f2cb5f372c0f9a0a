"""Coverage of intervals of average precision of detected objects, with images as the sample, and of
differences of two detectors.

`python -m tests.coverage.detections` writes tests/coverage/records/detections.json and its table in
docs/how-to/detections.md. The truth is the value of 100,000 images. Images differ in how easy their
objects are to find, in the scores of their detections, and in the number of false ones.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from tests.conftest import ROOT

RECORD = Path(__file__).with_name("records") / "detections.json"
PAGE = ROOT / "docs/how-to/detections.md"
_DRAWS, _MANY = 800, 100_000


class Situation(NamedTuple):
    """Images and classes; objects of a class in each image on average, how probably they are found
    (log-odds), false detections of a class in each image, and how much higher true ones score.
    """

    of: str
    images: int
    classes: int
    objects: float
    found: float
    false: float
    apart: float


SITUATIONS = [
    Situation("mean", 30, 3, 0.8, 1.0, 1.0, 1.0),
    Situation("mean", 50, 1, 1.2, 1.5, 1.5, 1.5),
    Situation("mean", 100, 3, 0.25, 1.0, 1.0, 1.0),
    Situation("mean", 150, 5, 0.4, 2.0, 0.7, 2.0),
    Situation("mean", 100, 1, 0.2, 2.5, 0.1, 3.0),
    Situation("mean", 400, 1, 0.4, 2.0, 0.7, 2.0),
    Situation("class", 40, 2, 0.8, 1.0, 1.0, 1.0),
    Situation("class", 200, 3, 0.3, 2.0, 0.5, 2.0),
]


def draw(of: Situation, rng: np.random.Generator) -> Any:
    """The detections of a sample of images."""
    size = of.images, of.classes
    ease = rng.normal(0, 0.7, of.images)
    image, category = _spread(rng.poisson(of.objects, size))
    found = rng.random(len(image)) < 1 / (1 + np.exp(-(of.found + ease[image])))
    busy = np.exp(0.5 * rng.normal(size=(of.images, 1)))
    others, kinds = _spread(rng.poisson(of.false * busy, size))
    true = rng.normal(of.apart + 0.4 * ease[image[found]])
    score = np.concatenate((true, rng.normal(0.2 * ease[others])))
    return pc.detections(
        score,
        np.arange(len(score)) < len(true),
        np.concatenate((category[found], kinds)),
        image=np.concatenate((image[found], others)),
        objects=Counter(zip(image.tolist(), category.tolist(), strict=True)),
    )


class Pair(NamedTuple):
    """Two detectors on the same images, in the situation of the first; the second differs in how
    probably it finds objects, and in its false detections.
    """

    of: Situation
    found: float
    false: float


PAIRS = [
    Pair(SITUATIONS[0], 1.0, 1.0),
    Pair(SITUATIONS[3], 2.0, 0.7),
    Pair(SITUATIONS[4], 2.5, 0.1),
    Pair(SITUATIONS[1], 0.7, 2.0),
    Pair(SITUATIONS[5], 1.2, 1.4),
]


def draw_pair(pair: Pair, rng: np.random.Generator) -> list[Any]:
    """Both detectors on a sample of images: they find the same objects hard."""
    of = pair.of
    size = of.images, of.classes
    ease, busy = rng.normal(0, 0.7, of.images), np.exp(0.5 * rng.normal(size=(of.images, 1)))
    image, category = _spread(rng.poisson(of.objects, size))
    hard = ease[image] + rng.normal(0, 0.7, len(image))
    objects = Counter(zip(image.tolist(), category.tolist(), strict=True))
    made = []
    for chance, false in ((of.found, of.false), (pair.found, pair.false)):
        found = rng.random(len(image)) < 1 / (1 + np.exp(-(chance + hard)))
        others, kinds = _spread(rng.poisson(false * busy, size))
        true = rng.normal(of.apart + 0.4 * hard[found])
        score = np.concatenate((true, rng.normal(0.2 * ease[others])))
        made.append(
            pc.detections(
                score,
                np.arange(len(score)) < len(true),
                np.concatenate((category[found], kinds)),
                image=np.concatenate((image[found], others)),
                objects=objects,
            )
        )
    return made


def simulate_pair(pair: Pair, draws: int = _DRAWS) -> dict[str, Any]:
    """The share of intervals of the difference of the means that hold it, and of significant p."""
    rng = np.random.default_rng(45)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alike = (pair.found, pair.false) == (pair.of.found, pair.of.false)
        many = draw_pair(pair._replace(of=pair.of._replace(images=_MANY)), rng)
        truth = 0.0 if alike else many[0].ap() - many[1].ap()
        found = [pc.compare.detections(*draw_pair(pair, rng)).pairs[0] for _ in range(draws)]
    known = [one for one in found if one.low is not None]
    return {
        "first": round(many[0].ap(), 4),
        "second": round(many[1].ap(), 4),
        "held": round(float(np.mean([one.low <= truth <= one.high for one in known])), 4),
        "rejected": round(float(np.mean([one.p <= 0.05 for one in known])), 4),
        "without": round(1 - len(known) / draws, 4),
        "draws": draws,
    }


def table_of_pairs(cells: list[dict[str, Any]]) -> list[str]:
    """The record of two detectors as a table of the page."""
    rows = [
        "| classes | images | objects of a class | true values | coverage | p ≤ .05 |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        alike = (cell["found"], cell["false"]) == (cell["of"]["found"], cell["of"]["false"])
        second = cell["first"] if alike else cell["second"]
        rows.append(
            f"| {cell['of']['classes']} | {cell['of']['images']} | "
            f"{cell['of']['images'] * cell['of']['objects']:.0f} | {cell['first']:.2f}, "
            f"{second:.2f} | {100 * cell['held']:.1f} % | {100 * cell['rejected']:.1f} % |"
        )
    return rows


def _spread(count: Any) -> tuple[Any, Any]:
    """The image and the class of each of so many things."""
    image, category = np.indices(count.shape)
    return np.repeat(image, count.ravel()), np.repeat(category, count.ravel())


def simulate(of: Situation, draws: int = _DRAWS) -> dict[str, Any]:
    """The shares of intervals that hold the truth, and that lie above and below it."""
    rng = np.random.default_rng(44)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        key = "mean" if of.of == "mean" else "0"
        many = draw(of._replace(images=_MANY), rng)
        truth = many.ap() if key == "mean" else many.by_category()[0]
        ends, estimates = [], []
        for _ in range(draws):
            found = pc.interval(draw(of, rng))[key]
            if found.low is not None:
                ends.append(found.ends)
                estimates.append(found.estimate)
    low, high = np.array(ends).T
    return {
        "truth": round(truth, 4),
        "held": round(float(np.mean((low <= truth) & (truth <= high))), 4),
        "above": round(float(np.mean(low > truth)), 4),
        "below": round(float(np.mean(high < truth)), 4),
        "bias": round(float(np.mean(estimates)) - truth, 4),
        "without": round(1 - len(ends) / draws, 4),
        "draws": draws,
    }


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page."""
    rows = [
        "| interval of | images | objects of a class | true value | coverage |",
        "|:--|--:|--:|--:|--:|",
    ]
    for cell in cells:
        objects = f"{cell['images'] * cell['objects']:.0f}"
        what = "a class" if cell["of"] == "class" else f"the mean of {cell['classes']}"
        rows.append(
            f"| {what} | {cell['images']} | {objects} | {cell['truth']:.2f} | "
            f"{100 * cell['held']:.1f} % |"
        )
    return rows


def main() -> None:
    """Write the record and the table of the page."""
    write(
        [of._asdict() | simulate(of) for of in SITUATIONS],
        [pair._asdict() | {"of": pair.of._asdict()} | simulate_pair(pair) for pair in PAIRS],
    )


def write(cells: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> None:
    """Write cells of single detectors and of pairs."""
    lines, of_pairs = (",\n".join(map(json.dumps, each)) for each in (cells, pairs))
    RECORD.write_text(f'{{"cells": [\n{lines}\n],\n"pairs": [\n{of_pairs}\n]}}\n', encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    for head, made in (
        (r"\| interval of \|", table(cells)),
        (r"\| classes \| images \|", table_of_pairs(pairs)),
    ):
        rows = "\n".join(made) + "\n"
        text = re.sub(head + r"(?:.*\n)+?(?=\n)", lambda _, rows=rows: rows, text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
