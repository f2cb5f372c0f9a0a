"""1 of each relevant case and 20 of each other one are the weights of a sample, which whole numbers
are not: they repeat cases.

The intervals of AP covered 45 % and its test rejected 41 % in silence; the old tests gave sampling
weights as floats only.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import precall as pc
from precall.cases.table import measure_cases, read_cases
from precall.cli.main import run
from precall.page.record import read_record
from tests.doors.subject import command
from tests.noticed import noticed

RNG = np.random.default_rng(5)
LABELS = np.repeat([True, False], [60, 300])
SCORES = RNG.standard_normal(360) + LABELS
WEIGHTS = np.where(LABELS, 1, 20)
KIND = pc.notes.WeightsRepeatCases


def said(result: object) -> list[dict[str, object]]:
    return [note.values for note in result.notes if isinstance(note, KIND)]  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("make", [list, np.asarray])
@pytest.mark.parametrize(
    "interval",
    [
        pc.interval.average_precision,
        pc.interval.area_under_roc,
        pc.interval.max_f,
        pc.interval.pr_band,
        pc.interval.roc_band,
        partial(pc.interval.partial_area_under_roc, max_fpr=0.3),
        partial(pc.interval.precision_at_threshold, threshold=0.5),
        partial(pc.interval.precision_at_threshold, recall=0.5),
    ],
)
def test_intervals_name_them(interval, make) -> None:
    weights = make(WEIGHTS)
    assert said(interval(make(LABELS), make(SCORES), weights=weights)) == [
        {"relevant": 1, "other": 20}
    ]
    others = [np.where(LABELS, 20, 20), np.where(SCORES > 0, 1, 20), None]
    if getattr(interval, "keywords", {}).get("threshold") is None:
        others.append(WEIGHTS * 1.0)
    for other in others:
        assert not said(interval(LABELS, SCORES, weights=other))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("measure", ["AP", "AUC", "P@10"])
def test_tests_name_them(measure: str) -> None:
    second = SCORES + RNG.standard_normal(360)
    assert said(pc.compare.cases(LABELS, SCORES, second, measure, weights=WEIGHTS)) == [
        {"relevant": 1, "other": 20}
    ]
    assert not said(
        pc.compare.cases(LABELS, SCORES, second, measure, weights=np.where(SCORES > 0, 2, 3))
    )


def collected(weights: np.ndarray) -> pc.ScoredCases:
    """The cases in parts, of which the first hold one kind each."""
    first, second = pc.ScoredCases(), pc.ScoredCases()
    for cases, part in ((first, LABELS), (second, ~LABELS)):
        cases.add(LABELS[part][:9], SCORES[part][:9], weights=weights[part][:9])
        cases.add(LABELS[part][9:], SCORES[part][9:], weights=weights[part][9:])
    first.merge(second)
    return first


def scanned(weights: np.ndarray) -> pc.ScoredCases:
    columns = zip(*(np.array_split(column, 5) for column in (LABELS, SCORES, weights)), strict=True)
    return pc.ScoredCases.scan(iter(list(columns)))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda weights: pc.curve(LABELS, SCORES, weights=weights),
        lambda weights: collected(weights).curve(),
        lambda weights: scanned(weights).curve(),
    ],
    ids=["whole", "collected", "scanned"],
)
def test_curves_keep_it_and_their_intervals_warn(make) -> None:
    curve = make(WEIGHTS)
    for measure in (None, "AP", "AUC", "AUC(max_fpr=0.3)"):
        with pytest.warns(KIND.warning):
            made = pc.interval(curve, measure)
        assert said(made) == [{"relevant": 1, "other": 20}]
        for interval in made.values() if measure is None else ():
            assert said(interval) == [{"relevant": 1, "other": 20}]
    assert not said(make(np.where(SCORES > 0, 1, 20)))


def test_parts_without_weights_weigh_one() -> None:
    cases = pc.ScoredCases()
    cases.add(LABELS[:60], SCORES[:60])
    cases.add(LABELS[60:], SCORES[60:], weights=WEIGHTS[60:])
    assert said(cases.curve()) == [{"relevant": 1, "other": 20}]
    cases.add([False], [0.0])
    assert not said(cases.curve())
    assert not said(pc.ScoredCases.from_table(cases.table).curve())


def written(folder) -> str:
    file = folder / "cases.csv"
    rows = (
        f"{int(a)},{b},{-b},{w},{'gh'[i % 2]}"
        for i, (a, b, w) in enumerate(zip(LABELS, SCORES, WEIGHTS, strict=True))
    )
    file.write_text("\n".join(["y,s,t,w,g", *rows]))
    return str(file)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("interval", [None, "logit"])
def test_tables_name_them_once(tmp_path, interval: str | None) -> None:
    measured = measure_cases(
        read_cases(written(tmp_path), "y", ["s"], weight="w"), interval=interval
    )
    assert [note.values for note in noticed(measured.sheet().notes, KIND)] == [
        {"relevant": 1, "other": 20}
    ]


@pytest.mark.nightly(keep=1)
@pytest.mark.usefixtures("any_memory")
@pytest.mark.parametrize("group", [(), ("--group", "g")], ids=["whole", "groups"])
@pytest.mark.parametrize("memory", [(), ("--memory", "1")], ids=["read", "scanned"])
def test_commands_and_pages_name_them_once(tmp_path, group, memory) -> None:
    file, page = written(tmp_path), tmp_path / "page.html"
    asked = ("--label", "y", "--score", "s", "--score", "t", "--weight", "w", *group, *memory)
    subjects = [("s", "g"), ("s", "h"), ("t", "g"), ("t", "h")] if group else ["s", "t"]
    for interval in ((), ("--interval",)):
        told = noticed(command("curve", file, *asked, *interval), KIND)
        assert len(told) == len(subjects), told
    assert run(["report", "--cases", file, *asked, "-o", str(page)]) == 0
    told = noticed(read_record(page), KIND)
    assert len(told) == len(subjects), told
