"""Two detectors on the same images: the difference, its jackknife computed anew, and refusals."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_comparisons import UndefinedP
from precall.core.notes.of_intervals import FewItems
from tests.coverage.detections import PAGE, PAIRS, RECORD, simulate_pair, table_of_pairs
from tests.noticed import noticed
from tests.peers import peer

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
KINDS = np.array(["bus", "car"])


def drawn(images: int = 30, seed: int = 1) -> list[dict[str, Any]]:
    """The arguments of two detectors' detections."""
    rng = np.random.default_rng(seed)
    image = np.repeat(np.arange(images), 4)
    kind = KINDS[rng.integers(0, 2, len(image))]
    objects = Counter(zip(image.tolist(), kind.tolist(), strict=True))
    made = []
    for chance in (0.8, 0.6):
        matched = rng.random(len(image)) < chance
        score = np.round(rng.random(len(image)) + 0.5 * matched, 2)
        made.append(
            {"score": score, "matched": matched, "category": kind, "image": image}
            | {"objects": dict(objects)}
        )
    return made


def detections(given: dict[str, Any], without: int | None = None) -> Any:
    kept = given["image"] != without
    columns = {name: column[kept] for name, column in given.items() if name != "objects"}
    objects = {key: n for key, n in given["objects"].items() if key[0] != without}
    return pc.detections(**columns, objects=objects)


@pytest.mark.parametrize("measure", [None, "11-point", "step"])
def test_the_jackknife_is_that_of_detections_made_anew(measure: str | None) -> None:
    both, name = drawn(), measure or "101-point"
    found = pc.compare(*map(detections, both), measure)
    assert [pair.measure for pair in found.pairs] == [
        f"mean {name} AP",
        f"{name} AP of bus",
        f"{name} AP of car",
    ]

    def values(without: int | None) -> list[float]:
        a, b = (detections(each, without) for each in both)
        apart = [a.by_category(name)[kind] - b.by_category(name)[kind] for kind in KINDS]
        return [a.ap(name) - b.ap(name), *apart]

    whole, left = values(None), np.array([values(image) for image in range(30)])
    for pair, value, each in zip(found.pairs, whole, left.T, strict=True):
        error = math.sqrt(29 / 30 * np.sum((each - each.mean()) ** 2))
        freedom = pair.size - 1
        stats = peer("scipy.stats")
        half = stats.t.ppf(0.975, freedom) * error
        assert pair.difference == pytest.approx(value)
        assert (pair.low, pair.high) == pytest.approx((value - half, value + half))
        assert pair.p == pytest.approx(2 * stats.t.sf(abs(value) / error, freedom))
        assert (pair.test, pair.interval, pair.seed) == ("jackknife", "jackknife", None)


def test_the_other_order_and_other_rows_give_the_same() -> None:
    both = drawn()
    found = pc.compare({"new": detections(both[0]), "old": detections(both[1])})
    mirrored = pc.compare.detections(*map(detections, both[::-1]), names=("old", "new"))
    order = np.random.default_rng(3).permutation(len(both[0]["image"]))
    turned = [
        {name: column if name == "objects" else column[order] for name, column in each.items()}
        for each in both
    ]
    shuffled = pc.compare.detections(*map(detections, turned))
    for pair, other, again in zip(found.pairs, mirrored.pairs, shuffled.pairs, strict=True):
        assert (pair.p, pair.low) == (other.p, -other.high)
        assert (pair.p, pair.low, pair.high) == (again.p, again.low, again.high)


def test_several_columns_and_an_image_without_detections() -> None:
    both = drawn()
    for given in both:
        given["matched"] = {
            "0.50": given["matched"],
            "0.75": given["matched"] & (given["score"] > 1),
        }
        given["objects"] |= {(40, "car"): 2}
    both[1] = both[1] | {"objects": dict(reversed(both[1]["objects"].items()))}
    found = pc.compare.detections(*(pc.detections(**given) for given in both))
    assert found.pairs[0].values[0] == pytest.approx(pc.detections(**both[0]).ap())
    assert found.pairs[0].size == 31


def test_more_images_than_groups_and_one_class() -> None:
    both = drawn(450)
    for given in both:
        given["category"] = np.full(len(given["image"]), "car")
        given["objects"] = {(image, "car"): 4 for image in range(450)}
    found = pc.compare.detections(*map(detections, both))
    assert [pair.measure for pair in found.pairs] == ["101-point AP"]
    assert found.pairs[0].method.freedom == 199 and found.pairs[0].significant


def test_equal_detectors_and_few_images() -> None:
    first, second = map(detections, drawn(8))
    alike = pc.compare(first, first)
    assert [(pair.p, pair.low) for pair in alike.pairs] == [(1.0, None)] * 3
    assert noticed(pc.compare(first, second), FewItems)
    one = pc.compare(*map(detections, drawn(1)))
    assert math.isnan(one.pairs[0].p) and noticed(one, UndefinedP)


def test_what_is_refused() -> None:
    both = drawn()
    first, second = map(detections, both)
    bare = pc.detections([1.0, 0.5], [1, 0], missed=0)
    with pytest.raises(pc.UsageError, match="b: the images are the sample"):
        pc.compare.detections(first, bare)
    both[1]["objects"][0, both[1]["category"][0]] += 1
    with pytest.raises(pc.DataError, match="image 0 has . objects? of class .* and . here"):
        pc.compare.detections(first, detections(both[1]))
    both = drawn()
    two = {"m50": both[1]["matched"], "m75": both[1]["matched"]}
    with pytest.raises(pc.UsageError, match="columns of matches differ"):
        pc.compare.detections(first, pc.detections(**both[1] | {"matched": two}))
    with pytest.raises(pc.UsageError, match="equal scores have another order"):
        pc.compare.detections(first, pc.detections(**both[1], ties="input"))
    with pytest.raises(pc.UsageError, match="must be what precall.detections"):
        pc.compare.detections(first, [1, 0])
    with pytest.raises(pc.UsageError, match="pass two of one kind"):
        pc.compare(first, pc.curve([1, 0], [2, 1]))
    with pytest.raises(pc.UsageError, match="test: got 't'"):
        pc.compare(first, second, test="t")


def write(folder: Path) -> list[str]:
    """The tables of two detectors and of the objects, and the options that name their columns."""
    both = drawn()
    for name, given in zip(("new", "old"), both, strict=True):
        columns = (given[key] for key in ("image", "category", "score", "matched"))
        rows = [f"{i},{c},{s},{int(m)}" for i, c, s, m in zip(*columns, strict=True)]
        (folder / f"{name}.csv").write_text("\n".join(["image,class,score,m50", *rows]) + "\n")
    rows = [f"{i},{c},{n}" for (i, c), n in both[0]["objects"].items()]
    (folder / "gold.csv").write_text("\n".join(["image,class,n", *rows]) + "\n")
    columns = ["--score", "score", "--matched", "m50", "--class", "class", "--image", "image"]
    return [*columns, "--objects", str(folder / "gold.csv"), "--count", "n"]


def test_the_command_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = write(tmp_path)
    files = [str(tmp_path / "new.csv"), "--against", str(tmp_path / "old.csv")]
    assert run(["detections", *files, *given, "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    known = pc.compare.detections(*map(detections, drawn()), names=("new", "old"))
    assert printed["systems"] == ["new", "old"]
    assert [pair["p"] for pair in printed["pairs"]] == pytest.approx(
        [pair.p for pair in known.pairs]
    )
    for option in (["--interval"], ["--recall", "pycocotools"]):
        assert run(["detections", *files, *given, *option]) == 2
        assert "exclude each other" in capsys.readouterr().err


def test_a_file_against_itself_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error was about names, of which there is no option."""
    given, file = write(tmp_path), str(tmp_path / "new.csv")
    assert run(["detections", file, "--against", file, *given]) == 2
    assert "--against: " in capsys.readouterr().err


def test_the_command_names_the_file_whose_objects_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = write(tmp_path)[:-4]
    files = [str(tmp_path / "new.csv"), "--against", str(tmp_path / "old.csv"), "--missed", "0"]
    assert run(["detections", *files, *given]) == 2
    message = capsys.readouterr().err
    assert "old.csv: image" in message and "same objects" in message


def test_the_page_says_what_the_record_says() -> None:
    cells = json.loads(RECORD.read_text(encoding="utf-8"))["pairs"]
    text = PAGE.read_text(encoding="utf-8")
    assert "\n".join(table_of_pairs(cells)) in text
    for cell in cells:
        assert cell["held"] >= 0.93 and cell["draws"] == 1000
        if cell["found"] == cell["of"]["found"]:
            assert cell["rejected"] <= 0.07


@pytest.mark.nightly
def test_differences_are_held() -> None:
    assert simulate_pair(PAIRS[4], 100)["held"] >= 0.95 - 3 * 0.022
