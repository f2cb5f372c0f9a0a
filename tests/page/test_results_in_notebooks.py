"""Every public result has an HTML form that works, and every display shows itself, once, on light
and on dark grounds.

Older tests of HTML had a list of their own, in which `Status`, `Thresholds`, `Summary`,
`OperatingPoint`, `Band` and `Significance` were not, and displays showed their class and address.
Here results are those of `test_forms`, which finds a class that is not among them, and displays
those of `precall.plot`.
"""

from __future__ import annotations

import io
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest

import precall as pc
from precall.plot.shared import styles
from precall.plot.shared.contrast import luminance, readable
from tests.peers import peer
from tests.results.test_forms import NAMES, every_result

peer("scipy", "SciPy is not installed: nothing was compared, no interval was made")

RNG = np.random.default_rng(4)
LABEL = RNG.random(120) < 0.4
SCORE = RNG.normal(LABEL, 1).round(1)
CURVE = pc.curve(LABEL, SCORE)
DECIDED = pc.decisions(["a", "b<", "c"] * 8, RNG.choice(["a", "b<", "c"], 24))


def checked(result):
    """The HTML form: it says no array and no address, and holds a table; colours are for any
    ground.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html = result._repr_html_()
    page = ElementTree.fromstring(html)
    assert page.find(".//table/tbody/tr") is not None
    assert "array(" not in html and " at 0x" not in html and "background" not in html
    assert not [colour for colour in styles.COLOURS if colour in html]
    return page


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("name", NAMES)
def test_html(name):
    page = checked(every_result()[name])
    if name in ("band", "significance", "outcome", "status", "curve", "decisions", "report"):
        assert page.find(".//{http://www.w3.org/2000/svg}svg") is not None


def test_significance_is_a_line_per_ranking():
    qrels, run = ({f"q{i}": {"a": 1, "b": RNG.integers(0, 3)} for i in range(12)} for _ in range(2))
    hits = pc.locate(qrels, run).hits()
    found = pc.null.test(hits, "AP")
    rows = found.to_dict()["rankings"]
    assert [row["ranking"] for row in rows] == [*map(str, range(1, 13)), "mean"]
    each = [*found.rankings, found.combined]
    assert [(row["value"], row["p"], row["over_chance"]) for row in rows] == [
        (one.value, one.p, one.effect) for one in each
    ]
    undefined = pc.null.test(
        pc.locate({"q": {"a": 0}, "r": {"a": 1}}, {"q": {"a": 1.0}, "r": {"a": 1.0}}).hits(), "AP"
    )
    assert undefined.to_dict()["rankings"][0]["p"] is None and "undefined" in undefined.to_csv()
    one = pc.null.test(CURVE).combined.to_dict()["rankings"][0]
    assert one["value"] == pytest.approx(CURVE.average_precision("expected"), rel=1e-14)


def contrast(one, other):
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


def rgb(colour):
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def test_ink_is_read_on_light_and_dark_grounds():
    """WCAG 1.4.11: 3 : 1, on white and on the grounds of dark notebooks (JupyterLab #111, VS
    Code #1e1e1e).
    """
    for colour in (*styles.COLOURS, styles.GUIDE):
        ink = float(luminance(rgb(readable(colour))))
        for ground in ("#ffffff", "#111111", "#1e1e1e"):
            assert contrast(ink, float(luminance(rgb(ground)))) >= 3, (colour, ground)


#: Precision gain over recall gain.
GAIN = ("PrecisionRecallGain",)


def displays():
    from precall import plot

    curves = {"a": CURVE, "b": pc.curve(LABEL, -SCORE)}
    made = {
        name: getattr(plot, name).from_curves(curves)
        for name in (
            "DET",
            "ROC",
            "AgainstRank",
            "CostCurve",
            "CumulativeGain",
            "Lift",
            "PrecisionRecall",
            *GAIN,
        )
    }
    made |= {
        name: getattr(plot, name).from_curve(CURVE)
        for name in ("AgainstThreshold", "ScoresByClass")
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compared = pc.compare.curves(*curves.values(), resamples=100)
    made["CurveDifference"] = plot.CurveDifference.from_comparison(compared)
    risks = {"a": 1 / (1 + np.exp(-SCORE))}
    made["DecisionCurve"] = plot.DecisionCurve.from_cases(LABEL, risks, resamples=100)
    null = pc.null.average_precision(items=20, relevant=4)
    topics = ({"q": 0.5, "r": 0.2}, {"q": 0.25, "r": 0.4})
    return made | {
        "Coverage": plot.Coverage([10, 50], {"logit": [0.945, 0.958]}),
        "Power": plot.Power([0, 0.1], {"t": [0.05, 0.8]}),
        "ElevenPoint": plot.ElevenPoint.from_curves(curves),
        "NullDensity": plot.NullDensity.of(null, observed=0.3),
        "ConfusionMatrix": plot.ConfusionMatrix.from_decisions(DECIDED),
        "NullLaw": plot.NullLaw.of(null),
        "PairDifferences": plot.PairDifferences(["b - a"], [0.2], [0.1], [0.3]),
        "PeopleAndJudge": plot.PeopleAndJudge.from_judged(
            pc.judge.values([1, 0, None, 0] * 20, [0.9, 0.7, 0.6, 0.4] * 20)
        ),
        "Rectangles": plot.Rectangles([0, 0.5], [0.5, 1], [1, 0.6], names=("recall", "precision")),
        "SystemMeans": plot.SystemMeans(["a", "b"], [0.2, 0.3], [0.1, 0.2], [0.3, 0.4]),
        "TopicDifferences": plot.TopicDifferences(*topics),
        "TopicScatter": plot.TopicScatter(*topics),
    }


class TestDisplays:
    @pytest.fixture(autouse=True)
    def _with_matplotlib(self):
        pytest.importorskip(
            "matplotlib", reason="matplotlib is not installed: no picture was drawn"
        )

    @pytest.fixture(autouse=True)
    def _small(self, _with_matplotlib, monkeypatch):
        monkeypatch.setattr("precall.plot.files.DOTS", 40)

    @pytest.mark.nightly
    def test_every_one_shows_itself(self, monkeypatch):
        """All are drawn, and handed to what makes a file of them, which takes longer than all else
        of this file.
        """
        from precall import plot
        from precall.plot import files

        one = files.on_any_ground(CURVE.plot("roc").figure_)
        monkeypatch.setattr(files, "on_any_ground", lambda figure, *_: one if figure.axes else b"")
        made = displays()
        assert set(made) == set(plot.__all__)
        for name, display in made.items():
            data, facts = display._repr_mimebundle_()
            assert data["image/png"].startswith(b"\x89PNG"), name
            assert facts["image/png"]["width"] > 200 < facts["image/png"]["height"] * 2

    def test_the_ground_is_clear_and_the_ink_is_read(self):
        from PIL import Image

        picture = (
            np.asarray(Image.open(io.BytesIO(CURVE.plot("roc")._repr_png_()))).astype(float) / 255
        )
        assert picture[0, 0, 3] == 0 and (picture[..., 3] == 0).mean() > 0.8
        ink = luminance(picture[..., :3])[picture[..., 3] > 0.98]
        assert len(ink) > 10  # Matplotlib 3.10.0 leaves 14
        for ground in (1.0, float(luminance(rgb("#111111"))), float(luminance(rgb("#1e1e1e")))):
            assert min(contrast(light, ground) for light in (ink.min(), ink.max())) >= 3

    def test_a_dark_style_stays_as_it_is(self):
        from matplotlib import style
        from PIL import Image

        with style.context("dark_background"):
            shown = CURVE.plot("roc")._repr_png_()
        assert np.asarray(Image.open(io.BytesIO(shown)).convert("RGBA"))[0, 0].tolist() == [
            0,
            0,
            0,
            255,
        ]

    def test_not_twice(self, monkeypatch):
        """Figures of pyplot are shown when the cell ends, where its backend shows any."""
        from matplotlib import pyplot as plt

        figure, ax = plt.subplots()
        display = CURVE.plot("roc", ax=ax)
        monkeypatch.setattr(plt, "get_backend", lambda: "module://matplotlib_inline.backend_inline")
        assert display._repr_png_() is None and display._repr_mimebundle_() is None
        monkeypatch.setattr(plt, "get_backend", lambda: "Agg")
        assert display._repr_png_() is not None, "nothing else would show it"
        monkeypatch.setattr(plt, "get_backend", lambda: "inline")
        plt.close(figure)
        assert display._repr_png_() is not None, "it was closed before it was shown"

    def test_a_notebook_takes_the_picture_once(self):
        formatters = pytest.importorskip(
            "IPython.core.formatters", reason="IPython is not installed: nothing was formatted"
        )
        formatter = formatters.DisplayFormatter()
        formatter.active_types = formatter.format_types
        data, _ = formatter.format(CURVE.plot("pr"))
        assert set(data) == {"text/plain", "image/png"}
