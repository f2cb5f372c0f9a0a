"""Levels next to 0 and 1: one rule, of every function and command.

`null --level 1e-6` named two quantiles alike, and `bca` at 1 - 2**-53 asked for the quantile of 1:
both were defects (exit code 70). 1e-17 was asked about as if 1 were meant, and intervals at
.9999999 said that they were of 100 %. Older tests took levels from .05 to .999, and one interval
with a formula of its own at 1 - 2**-53.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import precall as pc
from precall.cli.commands import SUMMARIES, commands
from precall.cli.main import run
from precall.core.levels import LEVELS
from precall.core.notes.of_intervals import FewSamplesForLevel
from precall.core.text import percent
from precall.stats.resample.bootstrap import notes_on_level
from tests.noticed import noticed, warned

WRONG = [
    0.0,
    1.0,
    -0.5,
    1.5,
    math.nan,
    math.inf,
    5e-324,
    1e-17,
    1e-6,
    0.000999,
    1 - 2**-53,
    1 - 1e-13,
]
RIGHT = [LEVELS[0], 0.0123, 0.9999999, 1 - 1e-9, LEVELS[1]]
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
rng = np.random.default_rng(3)
LABELS, A, B = rng.random(40) < 0.4, rng.normal(size=40), rng.normal(size=40)
TOPICS = [f"q{i}" for i in range(12)]
QRELS = {q: {d: int(d in "ab") for d in "abcdef"} for q in TOPICS}
RUNS = {
    name: {q: {d: float(rng.normal()) for d in "abcdef"} for q in TOPICS}
    for name in ("one", "two", "three")
}
VALUES = rng.random((3, 12))


def report(**more: Any) -> Any:
    return pc.evaluate(QRELS, RUNS, ["AP", "P@2"], **more)


CALLS: dict[str, Callable[[float], Any]] = {
    **{
        f"of AP by {method}": lambda level, method=method: pc.interval.average_precision(
            LABELS, A, method=method, level=level, resamples=200
        )
        for method in ("logit", "bca", "percentile", "normal")
    },
    **{
        f"a mean by {method}": lambda level, method=method: pc.interval.mean(
            VALUES[0], method=method, level=level
        )
        for method in ("t", "bca", "percentile")
    },
    **{
        f"a proportion by {method}": lambda level, method=method: pc.interval.proportion(
            5, 12, method=method, level=level
        )
        for method in ("wilson", "clopper-pearson", "jeffreys")
    },
    "F": lambda level: pc.interval.f(5, 3, 2, level=level, resamples=1000),
    "AUC": lambda level: pc.interval.area_under_roc(LABELS, A, level=level),
    "max F": lambda level: pc.interval.max_f(LABELS, A, level=level, resamples=200),
    "at a threshold": lambda level: pc.interval.precision_at_threshold(LABELS, A, 0.0, level=level),
    "a band": lambda level: pc.interval.roc_band(LABELS, A, level=level, resamples=200),
    "net benefit": lambda level: pc.interval.net_benefit(
        LABELS, 1 / (1 + np.exp(-A)), 0.3, level=level
    ),
    "a decision curve": lambda level: pc.interval.net_benefit_band(
        LABELS, 1 / (1 + np.exp(-A)), level=level, resamples=200
    ),
    "runs": lambda level: report(interval="bca", level=level),
    "pairs of runs": lambda level: pc.compare(report(), level=level, resamples=200),
    "tukey": lambda level: pc.compare(report(), correction="tukey", level=level, resamples=200),
    **{
        f"paired by {test}": lambda level, test=test: pc.compare.paired(
            VALUES[0], VALUES[1], test=test, level=level, resamples=200
        )
        for test in ("randomization", "t", "wilcoxon", "sign", "bootstrap")
    },
    "cases": lambda level: pc.compare.cases(LABELS, A, B, level=level, resamples=200),
    "bare counts": lambda level: pc.compare.bayes.counts(8, 2, 3, 10, level=level),
    "wins": lambda level: pc.compare.bayes.wins(8, 3, 2, level=level),
    "curves": lambda level: pc.compare.curves(
        pc.curve(LABELS, A), pc.curve(LABELS, B), level=level, resamples=200
    ),
    "areas": lambda level: pc.compare.cases(LABELS, A, B, "AUC", level=level),
    "decisions": lambda level: pc.compare.decisions(
        LABELS, A > 0, B > 0, level=level, resamples=200
    ),
    "detectors": lambda level: pc.compare.detections(
        *(pc.detections(score, LABELS, image=range(len(LABELS)), missed=0) for score in (A, B)),
        level=level,
    ),
    "equivalence": lambda level: pc.compare.equivalence(VALUES[0], VALUES[1], 0.5, level=level),
    "equivalence of areas": lambda level: pc.compare.equivalence(LABELS, A, B, 0.1, level=level),
    "cohorts": lambda level: pc.compare.unpaired(
        pc.curve(LABELS, A), pc.curve(LABELS, B), level=level
    ),
    "seeds": lambda level: pc.compare.seeds(
        report(), {report().runs[0].name: [run.name for run in report().runs[:2]]}, level=level
    ),
    "gates": lambda level: pc.compare.gates(report(), {"AP": 0.9}, level=level, resamples=200),
    "a plan": lambda level: pc.compare.plan(difference=0.1, deviation=0.2, level=level),
    "a plan of areas": lambda level: pc.compare.plan(area=0.9, lowest=0.8, level=level),
    "a plan of a screen": lambda level: pc.compare.plan(
        screen="R", prevalence=0.05, area=0.8, level=level
    ),
    "a plan with a judge": lambda level: pc.judge.plan(
        deviation=0.2, correlation=0.5, units=100, width=0.5, level=level
    ),
    "a ranking": lambda level: pc.ranking(["a", "b"], ["a", "c", "b"], interval=True, level=level),
    "a null interval": lambda level: pc.null.average_precision(20, 5).interval(level),
    "a critical value": lambda level: pc.null.average_precision(20, 5).critical(level),
    "null": lambda level: pc.null.describe(20, 5, level=level, precision=0.4).sheet(),
}


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("name", CALLS)
def test_functions(name: str) -> None:
    call = CALLS[name]
    for level in WRONG:
        with pytest.raises(
            pc.UsageError,
            match=r"(level|alpha): must be a number (between 0 and 1|from 0\.001 to 1 - 1e-12)",
        ):
            call(level)
    for level in RIGHT:
        call(level)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{int(y)},{a:.3f},{b:.3f}\n" for y, a, b in zip(LABELS, A, B, strict=True))
    Path("c.csv").write_text("y,s,t\n" + rows, encoding="utf-8")
    items = "a,.9,.1\nb,.2,.8\na,.4,.6\nb,.7,.3\n" * 4
    Path("i.csv").write_text(f"y,pa,pb\n{items}", encoding="utf-8")
    qrels = "".join(
        f"{q} 0 {d} {grade}\n" for q, items in QRELS.items() for d, grade in items.items()
    )
    Path("q").write_text(qrels, encoding="utf-8")
    for name, scores in RUNS.items():
        rows = "".join(
            f"{q} Q0 {d} 1 {s} x\n" for q, items in scores.items() for d, s in items.items()
        )
        Path(name).write_text(rows, encoding="utf-8")
    labels = [f"{q} 0 {d} {(q * 7 + d) % 3 % 2}\n" for q in range(40) for d in range(3)]
    Path("people.q").write_text("".join(labels[:63]), encoding="utf-8")
    turned = [line[:-2] + ("1\n" if line.startswith("1") else line[-2:]) for line in labels]
    Path("judge.q").write_text("".join(turned), encoding="utf-8")
    rows = "".join(f"{q} Q0 {d} 1 {-d} x\n" for q in range(40) for d in range(3))
    Path("judged.run").write_text(rows, encoding="utf-8")
    Path("d.csv").write_text("t,p\n" + "a,a\nb,a\nb,b\na,b\n" * 9, encoding="utf-8")
    found = "".join(f"{row // 3},{row * 7 % 5 % 2},{row * 11 % 89}\n" for row in range(90))
    Path("f.csv").write_text("i,m,s\n" + found, encoding="utf-8")
    Path("rel").write_text("a\nb\n", encoding="utf-8")
    Path("ranked").write_text("a\nc\nb\n", encoding="utf-8")
    return tmp_path


COMMANDS = {
    "curve": "c.csv --label y --score s --interval bca --null",
    "eval": "q one --interval bca",
    "compare": "q one two --resamples 200",
    "categories": "i.csv --truth y --scores p* --interval",
    "decisions": "d.csv --truth t --decision p --interval",
    "detections": "f.csv --matched m --score s --image i --missed 0 --interval",
    "judge": "people.q judge.q judged.run -m P@2",
    "ranking": "rel ranked --interval",
    "null": "--items 20 --relevant 5",
    "posterior": "8 2 3",
    "power": "--difference 0.1 --deviation 0.2",
    "report": "q one two -m AP --resamples 200 -o page.html",
}


def test_every_command_with_a_level_is_tested() -> None:
    having = set()
    context = click.Context(commands)
    for name in SUMMARIES:
        command = commands.get_command(context, name)
        having |= {name for option in command.params if "--level" in option.opts}
    assert having == set(COMMANDS)


@pytest.mark.nightly
@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [name, *COMMANDS[name].split(), "--level"]
    for level in (
        "0",
        "1",
        "1e-17",
        "1e-6",
        "0.000999",
        "0.99999999999999989",
        "0.9999999999999",
        "-1",
    ):
        assert run([*words, level]) == 2, level
        said = capsys.readouterr().err
        assert "--level: must be a number" in said and "did you mean" not in said, said
    for level in ("0.001", "0.9999999", "0.999999999999", "0.05"):
        assert run([*words, level]) == 0, (level, capsys.readouterr().err)
        assert " 100 %" not in capsys.readouterr().out


def test_levels_are_printed_with_their_digits() -> None:
    shown = {
        0.95: "95 %",
        0.9: "90 %",
        0.57: "57 %",
        0.999: "99.9 %",
        0.9999999: "99.99999 %",
        0.00123: "0.123 %",
    }
    assert {level: percent(level) for level in shown} == shown
    for level in (0.9999999, LEVELS[1]):
        assert percent(level) != "100 %" and percent(level) in str(
            pc.interval.mean(VALUES[0], level=level)
        )
        laws = pc.null.describe(20, 5, level=level).to_dict()["settings"][0]["laws"]
        heads = [[name for name in law if name.endswith(" %")] for law in laws]
        assert heads and all(len(names) == 3 and "100 %" not in names for names in heads)


def sampled(level: float) -> dict[str, Any]:
    """Results whose bounds are quantiles of samples, by how many these are."""
    said = A > 0.5
    curve = pc.curve(LABELS, A)
    return {
        "bca of a mean": (10_000, pc.interval.mean(VALUES[0], method="bca", level=level)),
        "percentile of AP": (2000, pc.interval(curve, "AP", method="percentile", level=level)),
        "a tuned threshold": (1000, pc.interval.max_f(LABELS, A, level=level)),
        "F": (100_000, pc.interval.f(30, 10, 10, method="monte-carlo", level=level)),
        "two scores": (
            500,
            pc.compare.cases(LABELS, A, B, "AUC", test="bootstrap", level=level, resamples=500),
        ),
        "two decisions": (
            2000,
            pc.compare.decisions(LABELS, said, B > 0, "F", level=level, interval="bca"),
        ),
        "posteriors": (100_000, pc.compare.bayes.decisions(LABELS, said, B > 0, level=level)),
    }


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize(
    "name",
    [
        "bca of a mean",
        "percentile of AP",
        "a tuned threshold",
        "F",
        "two scores",
        "two decisions",
        "posteriors",
    ],
)
def test_samples_without_quantiles_of_the_level_are_named(name: str) -> None:
    # 1,000 samples gave their least and greatest as the bounds of 99.999999 %, in silence.
    resamples, fine = sampled(0.95)[name]
    assert noticed(fine, FewSamplesForLevel) == []
    _, coarse = sampled(0.9999999)[name]
    (note,) = noticed(coarse, FewSamplesForLevel)
    assert (note.resamples, note.needed, note.level) == (resamples, 19_999_999, 0.9999999)


def test_the_number_of_samples_that_a_level_needs() -> None:
    # The first of B samples is the quantile of 1 / (B + 1).
    for level, sides, needed in ((0.99, 2, 199), (0.999, 2, 1999), (0.99, 1, 99), (0.9, 2, 19)):
        assert notes_on_level("", needed, level, sides) == ()
        (note,) = notes_on_level("", needed - 1, level, sides)
        assert note.needed == needed
    # A band is over the greatest deviation of all places, which has one side.
    with warned(FewSamplesForLevel) as notes:
        pc.interval.pr_band(LABELS, A, level=0.9999)
    assert [note.needed for note in notes] == [9999]


def test_columns_of_levels_have_their_digits() -> None:
    sheet = str(pc.interval(pc.curve(LABELS, A), level=0.9999999))
    assert " 0.9999999 " in sheet and " 1 " not in sheet
