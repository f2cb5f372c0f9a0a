"""--plugin MODULE: measures of one's own, and the warnings they give."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.registries import lend

PLUGIN = '''
import warnings
import precall

@precall.measure("{name}", sources=["own"], range=(0, 1), undefined="nothing was retrieved",
                 example=precall.Example(hits=[1, 3], retrieved=4, relevant=2, value=0.5))
def density(hits):
    """Share of the retrieved items that are hits."""
    warnings.warn("counted all of them", precall.PrecallWarning, stacklevel=1)
    return hits.found / hits.retrieved
'''


# In tests warnings are errors; here they are looked at.
pytestmark = pytest.mark.filterwarnings("always::precall.core.errors.PrecallWarning")


@pytest.fixture
def plugin(folder, monkeypatch):
    """A module in the working directory that declares a measure; forgotten afterwards."""

    lend(monkeypatch)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("density_measure.py").write_text(PLUGIN.format(name="Density"), encoding="utf-8")
    yield "density_measure"
    sys.modules.pop("density_measure", None)


def test_a_plugin_declares_measures(plugin, precall):
    outcome = precall(
        "eval", "news.qrels", "one.run", "--plugin", plugin, "-m", "Density", "--format", "trec"
    )
    assert outcome.code == 0
    assert outcome.out == "Density               \tall\t0.5556\n"
    assert outcome.err.splitlines()[0] == "precall: warning: counted all of them"


def test_a_plugin_is_listed_and_explained(plugin, precall):
    assert "Density" in precall("measures", "--plugin", plugin).out
    explained = precall("explain", "density", "--plugin", plugin).out
    assert (
        "Share of the retrieved items that are hits." in explained
        and "  Density = 0.5000\n" in explained
    )


def test_an_example_of_another_value_is_refused(precall, monkeypatch):
    lend(monkeypatch)
    Path("wrong_measure.py").write_text(
        PLUGIN.format(name="Wrong").replace("value=0.5", "value=0.9"), encoding="utf-8"
    )
    outcome = precall("explain", "wrong", "--plugin", "wrong_measure")
    sys.modules.pop("wrong_measure", None)
    assert outcome.code == 2
    assert (
        "Wrong: its example says 0.9, the formula 0.5; correct the example or the formula\n"
        in outcome.err
    )


COUNTED = '''
from precall.measures import Counts, CountsExample, measure

@measure("OwnLift", of=Counts, sources=["own"], range=(0, 10), example=CountsExample(tp=2, fp=3, fn=1, tn=4, value=4 / 3))
def lift(c: Counts):
    """Precision over prevalence."""
    return (c.tp / c.accepted) / (c.relevant / c.total)
'''  # noqa: E501


def test_cases_and_categories_take_measures_of_plugins(folder, precall, monkeypatch):
    lend(monkeypatch)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("lift_measure.py").write_text(COUNTED, encoding="utf-8")
    Path("own.csv").write_text(
        "y,s,p,cat_a,cat_b\na,.9,a,.8,.2\nb,.8,a,.6,.4\nb,.4,b,.3,.7\na,.3,a,.9,.1\n",
        encoding="utf-8",
    )
    plugin = ("--plugin", "lift_measure", "--format", "csv")
    curved = precall(
        "curve",
        "own.csv",
        "--label",
        "y",
        "--positive",
        "a",
        "--score",
        "s",
        "-m",
        "OwnLift",
        *plugin,
    )
    decided = precall(
        "decisions", "own.csv", "--truth", "y", "--predicted", "p", "-m", "OwnLift", *plugin
    )
    chosen = precall(
        "categories",
        "own.csv",
        "--truth",
        "y",
        "--scores",
        "cat_*",
        "--policy",
        "max:OwnLift",
        *plugin,
    )
    sys.modules.pop("lift_measure", None)
    assert "OwnLift" in curved.out and "OwnLift" in decided.out
    assert (curved.code, decided.code, chosen.code) == (0, 0, 0), chosen.err


def test_without_the_plugin_the_measure_is_not_known(precall):
    assert precall("explain", "density").code == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch", "--plugin nosuch: No module named 'nosuch'; check the name, it is searched in "),
        (
            "density_measure.py",
            "--plugin: 'density_measure.py' is not a module's name; write it as after 'import'",
        ),
        ("./density", "--plugin: './density' is not a module's name; "),
    ],
)
def test_a_wrong_name(precall, name, message):
    outcome = precall("measures", "--plugin", name)
    assert outcome.code == 2 and outcome.err.startswith(f"precall: error: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nraise KeyError('oops')\n", "faulty_measure.py:2: KeyError: 'oops'; correct the plugin"),
        ("def f(:\n", "faulty_measure.py:1: SyntaxError: invalid syntax; correct the plugin"),
        ("import sys\nsys.exit()\n", "faulty_measure.py:2: SystemExit; correct the plugin"),
        (
            "import nosuch.part\n",
            "faulty_measure.py:1: no module named 'nosuch'; install it, or correct the plugin",
        ),
        (
            "import json\njson.loads('{')\n",
            "faulty_measure.py:2: JSONDecodeError: .*; correct the plugin",
        ),
        (
            PLUGIN.format(name="AP"),
            "faulty_measure.py:5: 'AP' is declared already, in .*; choose another name",
        ),
        (
            "import precall\n@precall.measure('Mine')\ndef f(hits): ...\n",
            (
                r"faulty_measure.py:2: no measure 'Mine'; .*; a declaration needs keywords: "
                r"@measure\('Mine', sources=.*"
            ),
        ),
    ],
)
def test_a_faulty_plugin_shows_where(precall, text, message):
    Path("faulty_measure.py").write_text(text, encoding="utf-8")
    outcome = precall("measures", "--plugin", "faulty_measure")
    sys.modules.pop("faulty_measure", None)
    assert (outcome.code, outcome.out) == (2, "")
    assert re.fullmatch(f"precall: error: --plugin faulty_measure: {message}\n", outcome.err), (
        outcome.err
    )
