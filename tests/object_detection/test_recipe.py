"""The function of the how-to that takes the matches of pycocotools, with recorded ones."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.object_detection.test_detections import RECORDED


def evaluator_of(case: dict[str, Any]) -> SimpleNamespace:
    """What `COCOeval` holds after `evaluate()`, as far as it is recorded."""
    counts = {(image, name): count for image, name, count in case["objects"]}
    pairs = sorted(
        {*counts, *((row[0], row[1]) for row in case["rows"])}, key=lambda pair: pair[::-1]
    )
    parts: list[Any] = [None]
    for image, name in pairs:
        rows = [row for row in case["rows"] if row[:2] == [image, name]]
        matched, ignored = (
            np.array([[int(cell) for cell in row[at]] for row in rows]).reshape(-1, 10).T
            for at in (3, 4)
        )
        part = {
            "image_id": image,
            "category_id": name,
            "aRng": [0, 1e10],
            "dtScores": [row[2] for row in rows],
            # Matches are ids of objects there.
            "dtMatches": matched * 17.0,
            "dtIgnore": ignored,
            "gtIgnore": np.zeros(counts.get((image, name), 0)),
        }
        parts += [part, {**part, "aRng": [0, 1024]}]
    levels = np.linspace(0.5, 0.95, 10)
    return SimpleNamespace(
        evalImgs=parts, params=SimpleNamespace(iouThrs=levels, areaRng=[[0, 1e10], [0, 1024]])
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("case", RECORDED[:4], ids=lambda case: case["name"])
def test_numbers_by_the_recipe(case: dict[str, Any]) -> None:
    page = (ROOT / "docs/how-to/detections.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from collections.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    found = names["detections_of"](evaluator_of(case))
    assert found.ap(recall="pycocotools") == pytest.approx(case["mean"], abs=1e-12)
    assert found.by_column(recall="pycocotools")["0.75"] == pytest.approx(case["mean75"], abs=1e-12)
