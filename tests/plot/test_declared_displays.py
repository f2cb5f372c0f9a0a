"""The list of displays is what the package has, what commands draw and what documents name."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path

import pytest

import precall as pc
from precall import plot
from precall.cli.main import run as precall
from precall.plot.canvas import Display
from precall.plot.pictures import (
    ELSEWHERE,
    FORMER,
    OF_COMPARISONS,
    OF_CURVES,
    PICTURES,
    Picture,
)
from tests.laws.names_elsewhere import CHARTS, check_names
from tests.peers import peer

peer("matplotlib")

ROOT = Path(__file__).parents[2]
CURVE = pc.curve([1, 0, 1, 0, 1], [5.0, 4.0, 3.0, 2.0, 1.0])
IN_DOCUMENTS = (ROOT / "docs/how-to/plots.md").read_text(encoding="utf-8")


def named(picture: Picture) -> str:
    return picture.display


def test_it_is_what_the_package_has() -> None:
    declared = {*map(named, PICTURES), *FORMER}
    assert declared == {*plot.__all__}
    # Nothing but a type checker reads these lines, so nothing else would miss one.
    written = Path(plot.__file__).read_text(encoding="utf-8")
    typed = set(re.findall(r"(?m)^    from precall\.plot\.\w+ import (\w+) as \1$", written))
    assert typed == declared, "import each display by its name in precall/plot/__init__.py"


@pytest.mark.parametrize("picture", PICTURES, ids=named)
def test_a_display_is_one_and_is_described(picture: Picture) -> None:
    display = getattr(plot, picture.display)
    assert issubclass(display, Display)
    assert display.__module__ == f"precall.plot.{picture.module}"
    assert f"`{picture.display}`" in IN_DOCUMENTS, "give it a row in docs/how-to/plots.md"
    assert bool(picture.kind) == bool(picture.of) == bool(picture.words)


def test_the_reference_names_every_kind() -> None:
    said = pc.Curve.plot.__doc__ or ""
    unnamed = [kind for kind in OF_CURVES if f'"{kind}"' not in said]
    assert unnamed == [], "name it in the docstring of Curve.plot"


def test_names_elsewhere_are_those_that_others_use() -> None:
    check_names(CHARTS, OF_CURVES, ELSEWHERE, lambda kind: (*OF_CURVES,))


@pytest.mark.parametrize("name", ["ROC", "roc_curve"])
def test_a_kind_is_found_by_other_names(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "ROC" was refused, by a list that had "roc"."""
    assert type(CURVE.plot(name)).__name__ == "ROC"
    cases = tmp_path / "cases.csv"
    cases.write_text("y,s\n1,3\n0,2\n1,1\n")
    command = ["curve", str(cases), "--label", "y", "--score", "s", "--plot", f"{cases}.svg"]
    assert precall([*command, "--plot-kind", name]) == 0
    assert precall([*command, "--plot-kind", "pie"]) == 2
    assert "--plot-kind: got 'pie', allowed are pr, roc" in capsys.readouterr().err


@pytest.mark.parametrize("kind", OF_CURVES)
def test_a_curve_draws_every_kind(kind: str) -> None:
    assert type(CURVE.plot(kind)).__name__ == OF_CURVES[kind].display


@pytest.mark.parametrize("kind", OF_CURVES)
def test_points_are_marked_where_it_says_so(kind: str) -> None:
    from precall.plot.from_result import display_of_cases

    drawn = display_of_cases({"a": {"": CURVE}}, kind, {"two accepted": {"accept": 2}})
    told = () if drawn.legend_ is None else drawn.legend_.get_texts()
    is_marked = any("two accepted" in text.get_text() for text in told)
    assert is_marked == OF_CURVES[kind].marks_points


#: Why a kind of curve cannot be drawn of scanned cases, whose points are thinned; "" if it can.
NEEDS_SCORES = {
    "pr": "",
    "roc": "",
    "gain": "",
    "lift": "",
    "cumulative-gain": "",
    "det": "",
    "cost": "",
    "ranks": "has a point for each rank",
    "thresholds": "has a point for each score",
    "scores": "counts the scores",
}


def test_what_needs_every_score_says_so() -> None:
    assert NEEDS_SCORES.keys() == OF_CURVES.keys(), "say in NEEDS_SCORES why it needs each score"
    for kind, picture in OF_CURVES.items():
        assert picture.needs_scores == bool(NEEDS_SCORES[kind]), kind


@pytest.mark.parametrize("kind", OF_CURVES)
def test_what_takes_points_marks_them(kind: str) -> None:
    display = getattr(plot, OF_CURVES[kind].display)
    assert OF_CURVES[kind].marks_points == ("points" in signature(display.plot).parameters)


@pytest.mark.parametrize("kind", OF_COMPARISONS)
def test_comparisons_draw_every_kind(kind: str) -> None:
    from precall.plot.from_result import display_of_comparisons

    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    good = {topic: dict.fromkeys(items, 1.0) for topic, items in qrels.items()}
    poor = {topic: {"z": 2.0, **items} for topic, items in good.items()} | {"q3": {"c": 1.0}}
    report = pc.evaluate(qrels, {"good": good, "poor": poor}, ["AP"])
    drawn = display_of_comparisons(pc.compare(report), report, kind)
    assert type(drawn).__name__ == OF_COMPARISONS[kind].display
    three = pc.evaluate(qrels, {"good": good, "poor": poor, "again": poor}, ["AP"])
    try:
        drawn = display_of_comparisons(pc.compare(three), three, kind)
    except pc.PrecallError:
        assert OF_COMPARISONS[kind].of == "two runs"
    else:
        assert OF_COMPARISONS[kind].of == "runs"
