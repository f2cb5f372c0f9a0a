"""Files: whole, the same every time, and with names as they are."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib

import numpy as np
import pytest

from precall import MissingExtra, UsageError, curve, null
from precall.core.notes.of_pages import FontLacksCharacters
from precall.plot import (
    ROC,
    AgainstRank,
    AgainstThreshold,
    ElevenPoint,
    NullDensity,
    PrecisionRecall,
    ScoresByClass,
    SystemMeans,
    TopicDifferences,
    files,
)
from precall.plot.shared.styles import LONGEST, escape_name
from tests.noticed import warned
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no picture was drawn")

ONE = curve([0, 1, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
START = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
LONG = "a very long name of a system, longer than any picture is wide: " * 4


def covered(display, legend):
    """Lines of which a corner, or a point every two pixels between corners, is in the box of the
    legend.
    """
    lines = []
    for line in display.ax_.get_lines():
        x, y = line.get_transform().transform(line.get_path().vertices).T
        steps = np.maximum(np.hypot(np.diff(x), np.diff(y)) // 2, 1).astype(int)
        at = np.concatenate([i + np.arange(n) / n for i, n in enumerate(steps)] or [[0.0]])
        x, y = np.interp(at, np.arange(len(x)), x), np.interp(at, np.arange(len(y)), y)
        if ((x > legend.x0) & (x < legend.x1) & (y > legend.y0) & (y < legend.y1)).any():
            lines.append(line)
    return lines


@pytest.mark.nightly
@pytest.mark.parametrize("ending", files.ENDINGS)
def test_a_picture_made_again_is_the_same_file(tmp_path, ending):
    files = []
    for name in ("one", "two"):
        path = tmp_path / (name + ending.upper())
        PrecisionRecall.from_curves({"a": ONE, "b": ONE}).save(path)
        files.append(path.read_bytes())
    assert files[0] == files[1] and files[0].startswith(START[ending])
    assert b"Date" not in files[0].replace(b"<dc:date>", b"Date").replace(b"CreationDate", b"Date")


def test_other_endings_are_refused(tmp_path):
    for name in ("a.jpg", "a", "a.svg.gz"):
        with pytest.raises(UsageError, match=r"must end in .png, .svg, .pdf"):
            PrecisionRecall.from_curve(ONE).save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_what_was_drawn_is_saved(tmp_path):
    display = PrecisionRecall.from_curve(ONE).plot(iso_f=[0.5])
    figure = display.figure_
    display.save(tmp_path / "a.png")
    assert display.figure_ is figure


@pytest.mark.nightly
@pytest.mark.parametrize(
    "display",
    [
        PrecisionRecall.from_curves({LONG: ONE, "b": ONE}),
        ROC.from_curve(ONE),
        AgainstRank.from_curve(ONE),
        AgainstThreshold.from_curve(ONE),
        ScoresByClass.from_curve(ONE),
        ElevenPoint({LONG: [0.5] * 11}),
        TopicDifferences({LONG: 1.0, "q": 0.2}, {LONG: 0.5, "q": 0.5}, (LONG, "b")),
        SystemMeans([LONG, "b"], [1, 2], letters=["a", "abcdefgh"]),
        PrecisionRecall.from_curves({f"system {i}": ONE for i in range(40)}),
    ],
    ids=lambda display: type(display).__name__,
)
def test_nothing_is_cut_off_and_legends_cover_no_data(display):
    from matplotlib.text import Annotation

    display.plot()
    figure = display.figure_
    files.render(figure, ".png")
    renderer = figure.canvas.get_renderer()
    whole = figure.get_tightbbox(renderer).padded(0.1)
    axes = display.ax_.get_window_extent(renderer)
    assert axes.width > 250 and axes.height > 60, "a long legend takes no room from the axes"
    if display.legend_ is not None:
        legend = display.legend_.get_window_extent(renderer)
        assert legend.x0 >= axes.x1 or legend.y1 <= axes.y0 or not covered(display, legend)
        assert whole.x0 * figure.dpi <= legend.x0 and legend.x1 <= whole.x1 * figure.dpi
        assert whole.y0 * figure.dpi <= legend.y0
    for text in figure.findobj(Annotation):
        assert text.get_window_extent(renderer).x1 <= whole.x1 * figure.dpi


@pytest.mark.nightly
def test_names_are_shown_as_they_are(tmp_path):
    names = ["_under", r"$\frac{1", "a$b$c", "x\ny", "</script>"]
    display = PrecisionRecall.from_curves(dict.fromkeys(names, ONE)).plot()
    said = [text.get_text().split(" (")[0] for text in display.legend_.get_texts()[:5]]
    assert said == ["_under", r"\$\frac{1", r"a\$b\$c", "x\ufffdy", "</script>"]
    path = tmp_path / "a.svg"
    display.save(path)
    text = path.read_text(encoding="utf-8")
    assert (
        "<script" not in text and "</script>" not in text.replace("<!--", "").replace("-->", "")
    ) or "<!--" in text
    assert len(escape_name("n" * 500)) == LONGEST


@pytest.mark.nightly
def test_a_font_that_lacks_letters_is_said_once(tmp_path):
    with warned(FontLacksCharacters) as said:
        PrecisionRecall.from_curves({"検索": ONE, "評価": ONE}).save(tmp_path / "a.png")
    assert len(said) == 1


@pytest.mark.nightly
def test_no_global_state_is_touched():
    code = """
import sys
import precall, precall.plot
assert not [name for name in sys.modules if name.startswith("matplotlib")], "imported before anything is drawn"
display = precall.plot.PrecisionRecall.from_cases([1, 0], [2, 1]).plot()
assert "matplotlib.pyplot" not in sys.modules
import matplotlib
before = repr(matplotlib.rcParams.copy())
precall.plot.files.render(display.figure_, ".svg")
assert "matplotlib.pyplot" not in sys.modules and repr(matplotlib.rcParams.copy()) == before
"""  # noqa: E501
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_matplotlib_that_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="pip install matplotlib"):
        PrecisionRecall.from_curve(ONE).plot()


def test_pdf_holds_letters_not_pictures_of_them(tmp_path):
    PrecisionRecall.from_curve(ONE).save(tmp_path / "a.pdf")
    data = (tmp_path / "a.pdf").read_bytes()
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    assert any(b"BT" in zlib.decompress(one) for one in streams if one[:1] == b"x")


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    "display",
    [
        TopicDifferences({"p": 1.0, "q": 0.2}, {"p": 0.5, "q": 0.5}),
        ScoresByClass.from_curve(ONE),
        NullDensity.of(null.average_precision(items=200, relevant=20), observed=0.2),
    ],
    ids=lambda display: type(display).__name__,
)
def test_hatchings_are_seen_in_svg(display):
    """There a hatching is laid on the opaque colour of the area, and was of the same colour."""
    drawn = files.render(display.plot().figure_, ".svg").decode()
    patterns = re.findall(r"<pattern.*?</pattern>", drawn, re.DOTALL)
    assert patterns
    for pattern in patterns:
        ground, *strokes = re.findall(r"(?:fill|stroke)(?:=\"|: )(#[0-9a-f]{6})", pattern)
        assert strokes and ground not in strokes
