"""Colours stay apart for everybody, as computed here: on paper in grey, and for eyes without one
kind of cone.
"""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest

from precall.plot.shared import styles
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no colour was looked at")
colors = peer("matplotlib.colors")

# Machado, Oliveira & Fernandes (2009), table 1, severity 1.0; on linear RGB.
EYES = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour):
    value = np.array(colors.to_rgb(colour))
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(colour, eye="all cones"):
    seen = np.clip(np.array(EYES[eye]) @ linear(colour), 0, 1)
    share = XYZ @ seen / XYZ.sum(axis=1)
    f = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_the_measuring_is_right():
    assert lab("white") == pytest.approx([100, 0, 0], abs=0.01)
    assert lab("red") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    red, green = (lab(colour, "deuteranopia") for colour in ("#a52a00", "#557000"))
    assert np.linalg.norm(red - green) < np.linalg.norm(lab("#a52a00") - lab("#557000")) / 3


@pytest.mark.parametrize("colours", [styles.COLOURS, styles.ON_DARK])
@pytest.mark.parametrize("eye", EYES)
def test_colours_are_seen_apart(eye, colours):
    apart = {
        pair: np.linalg.norm(lab(pair[0], eye) - lab(pair[1], eye))
        for pair in combinations(colours, 2)
    }
    assert min(apart.values()) >= 15, min(apart, key=apart.get)


@pytest.mark.parametrize("colours", [styles.COLOURS, styles.ON_DARK])
def test_colours_are_apart_in_grey(colours):
    light = sorted(lab(colour)[0] for colour in colours)
    assert np.min(np.diff(light)) >= 7


@pytest.mark.parametrize("ground", ["#000000", "#14171c", "#282c34"])
@pytest.mark.parametrize("colour", styles.ON_DARK)
def test_contrast_with_dark(colour, ground):
    light, dark = ((XYZ @ linear(one))[1] for one in (colour, ground))
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_pages_have_the_same_colours_in_the_dark():
    style = files("precall.page").joinpath("page.css").read_text(encoding="utf-8")
    dark = style.partition("prefers-color-scheme: dark")[2].partition("* {")[0]
    assert re.findall(r"--c\d: (#\w+)", dark) == [colour.lower() for colour in styles.ON_DARK]


@pytest.mark.parametrize("colour", [*styles.COLOURS, styles.GUIDE])
def test_contrast_with_white(colour):
    luminance = (XYZ @ linear(colour))[1]
    assert 1.05 / (luminance + 0.05) >= 3


def test_dashes_repeat_with_other_colours_only():
    strokes = [str(sorted(styles.stroke(place).items())) for place in range(30)]
    assert len(set(strokes)) == 30
    five = [str(styles.stroke(place)["linestyle"]) for place in range(5)]
    assert len(set(five)) == 5
    assert len(set(map(styles.hatch, range(4)))) == len(set(map(styles.marker, range(4)))) == 4
