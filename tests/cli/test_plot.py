"""`precall curve --plot`: the picture beside the table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from precall.cli.main import run
from tests.cli.scored import BASE, refused, text, told
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no picture was drawn")

START = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(autouse=True)
def cases(folder):
    Path("cases.csv").write_text(text(), encoding="utf-8")


def said(path):
    """The texts of an SVG: they are drawn as outlines, with the words beside them as comments."""
    return Path(path).read_text(encoding="utf-8")


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("pr", "pdf"),
        ("roc", "png"),
        *((kind, "svg") for kind in ("gain", "lift", "cumulative-gain", "det", "cost")),
    ]
    + [(kind, "svg") for kind in ("ranks", "thresholds", "scores")],
)
def test_every_kind_in_every_form(precall, kind, form):
    plain = precall(*BASE)
    outcome = precall(*BASE, "--plot", f"a.{form}", "--plot-kind", kind)
    assert outcome == plain, "the table stays as it is"
    assert Path(f"a.{form}").read_bytes().startswith(START[form])
    assert not list(Path().glob(".*")), "no file left over"


def test_scores_are_systems_and_points_are_marked(precall):
    told(
        precall(
            *BASE,
            "--score",
            "t",
            "--at",
            "recall=0.5",
            "--at",
            "precision=1",
            "--format",
            "json",
            "--plot",
            "a.svg",
        )
    )
    for words in (
        "<!-- s (AP ",
        "<!-- t (AP ",
        "<!-- s, recall=0.5 (threshold 0.8) ",
        "prevalence 0.5",
    ):
        assert words in said("a.svg"), words


def test_groups_are_folds(precall):
    assert precall(*BASE, "--group", "fold", "--plot", "a.svg").code == 0
    assert "<!-- mean of folds (AP " in said("a.svg") and "<!-- 2 folds (AP " in said("a.svg")


def test_low_scores_may_be_good(precall):
    options = (
        "--lower-is-better",
        "--at",
        "threshold=0.3",
        "--plot",
        "a.svg",
        "--plot-kind",
        "thresholds",
    )
    assert precall(*BASE, *options).code == 0
    assert "<!-- threshold=0.3 (threshold ≤ 0.3) -->" in said("a.svg")


def test_a_point_that_is_never_reached_is_left_out(precall):
    assert precall(*BASE, "--missed", "9", "--at", "recall=1", "--plot", "a.svg").code == 0
    assert "recall=1 " not in said("a.svg")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--plot", "a.jpg"), r"--plot a\.jpg: a picture's name must end in \.png, \.svg, \.pdf"),
        (("--plot", ""), "--plot: empty path; name a file that ends in .*"),
        (("--plot", "absent/a.png"), "--plot absent/a.png: there is no directory .*"),
        (
            ("--plot", "a.png", "-o", "./a.png"),
            r"--output \./a\.png: there is no form for \.png; .*",
        ),
        (("--plot-kind", "roc"), "--plot-kind: applies to --plot FILE; also give --plot FILE"),
    ],
)
def test_refused_before_anything_is_read(precall, options, message):
    refused(precall("curve", "missing.csv", "--label", "y", "--score", "s", *options), message)


@pytest.mark.parametrize("kind", ["thresholds", "scores"])
@pytest.mark.parametrize("more", [("--score", "t"), ("--group", "fold")])
def test_one_curve_pictures_want_one_curve(precall, kind, more):
    outcome = precall(*BASE, *more, "--plot", "a.png", "--plot-kind", kind)
    refused(outcome, f"--plot-kind: {kind} draws one curve; give one score and no group")
    assert not Path("a.png").exists()


def test_a_failure_leaves_the_old_picture(precall, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device", "a.png")

    Path("a.png").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    outcome = precall(*BASE, "--plot", "a.png")
    assert outcome.code == 2 and outcome.out == "" and Path("a.png").read_bytes() == b"old"


def test_without_matplotlib(precall, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    outcome = precall(*BASE, "--plot", "a.png")
    refused(outcome, "pictures need matplotlib: pip install matplotlib")
    assert run(BASE) == 0, "what draws nothing needs it not"
