"""`pc.extremes`: bounds over all labels of cases and decisions are those of enumeration."""

from __future__ import annotations

import json
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run
from precall.core.counts import Counts
from precall.core.errors import DataError, MeasureError, UsageError
from precall.core.notes.of_judges import LabelNext, LabelsLeaveUndefined, UnjudgedCases
from precall.judges import extremes as module
from precall.measures import REGISTRY
from precall.measures.registry import find
from tests.noticed import noticed

LABELS = st.lists(st.sampled_from([1, 0, None]), min_size=1, max_size=7)


def labelings(labels: list[int | None]) -> list[list[int]]:
    """The labels with every label of the gaps."""
    gaps = [place for place, label in enumerate(labels) if label is None]
    found = []
    for chosen in product((0, 1), repeat=len(gaps)):
        whole = list(labels)
        for place, label in zip(gaps, chosen, strict=True):
            whole[place] = label
        found.append(whole)
    return found


def is_range(found: Any, values: list[float]) -> bool:
    """Whether bounds are those of values, of which some may be undefined."""
    every = np.array(values, float)
    if np.isnan(every).all():
        return bool(np.isnan(found.lowest) and np.isnan(found.highest) and found.is_undefined)
    ends = np.nanmin(every), np.nanmax(every)
    return bool(
        np.allclose((found.lowest, found.highest), ends, rtol=1e-12, atol=1e-12)
        and found.is_undefined == np.isnan(every).any()
    )


@given(LABELS, st.integers(0, 10**6), st.integers(1, 7), st.booleans())
def test_bounds_of_cases_are_those_of_all_labels(
    labels: list[int | None], seed: int, levels: int, higher: bool
) -> None:
    score = np.random.default_rng(seed).integers(0, levels, len(labels)).astype(float)
    names = ("AP", "AUC", "MaxF", "MaxF(beta=2)", "MaxF(beta=0)", "P@2", "R@3", "P@9")
    found = pc.extremes.cases(labels, score, names, higher_is_better=higher)
    for name in names:
        curves = [pc.curve(whole, score, higher_is_better=higher) for whole in labelings(labels)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # undefined for some labels
            values = [curve.value(name) for curve in curves]
        values = [np.nan if value is None else value for value in values]
        assert is_range(found[name], values), name


def _widest(bounds: Any, name: str) -> float:
    return float(np.nan_to_num(bounds[name].highest - bounds[name].lowest))


@given(LABELS, st.integers(0, 10**6), st.integers(1, 7))
def test_the_next_case_narrows_bounds_most(
    labels: list[int | None], seed: int, levels: int
) -> None:
    score = np.random.default_rng(seed).integers(0, levels, len(labels)).astype(float)
    accepted = (score > levels / 2).astype(int)

    def of(call: Any, column: Any, name: str) -> None:
        found = call(labels, column, name)
        widths = {}
        for place in [at for at, label in enumerate(labels) if label is None]:
            both = [[*labels[:place], label, *labels[place + 1 :]] for label in (0, 1)]
            widths[place] = max(_widest(call(each, column, name), name) for each in both)
        best = found.judge_next(name)
        if not widths:
            assert best is None
            return
        assert best.width == pytest.approx(_widest(found, name), abs=1e-12)
        assert best.at_most == pytest.approx(min(widths.values()), abs=1e-12)
        assert widths[best.place] == pytest.approx(best.at_most, abs=1e-12)

    for name in ("AP", "AUC", "MaxF", "R@2"):
        of(pc.extremes.cases, score, name)
    for name in ("F", "MCC", "R"):
        of(pc.extremes.decisions, accepted, name)


def test_the_greatest_f_of_many_cases_is_bounded_as_by_all_numbers() -> None:
    rng = np.random.default_rng(3)
    truth = (rng.random(400) < 0.2).astype(float)
    truth[rng.random(400) < 0.6] = np.nan
    score = rng.integers(0, 150, 400).astype(float)
    found = pc.extremes.cases(truth, score, "MaxF")["MaxF"]
    order = np.argsort(-score, kind="stable")
    gaps = order[np.isnan(truth[order])]
    values = []
    for number in range(len(gaps) + 1):
        for best in (gaps[:number], gaps[len(gaps) - number :]):
            labels = np.nan_to_num(truth)
            labels[best] = 1
            values.append(pc.curve(labels, score).value("MaxF"))
    assert found.lowest == pytest.approx(min(values), abs=1e-14)
    assert found.highest == pytest.approx(max(values), abs=1e-14)


@given(LABELS, st.integers(0, 10**6))
def test_bounds_of_decisions_are_those_of_all_labels(labels: list[int | None], seed: int) -> None:
    accepted = np.random.default_rng(seed).integers(0, 2, len(labels))
    names = [each.name for each in REGISTRY if each.of is Counts]
    found = pc.extremes.decisions(labels, accepted, names)
    for name in names:
        values = []
        for whole in map(np.array, labelings(labels)):
            cells = [
                np.array([np.count_nonzero((whole == relevant) & (accepted == taken))])
                for relevant, taken in ((1, 1), (0, 1), (1, 0), (0, 0))
            ]
            values.append(float(find(name).of_table(Counts(*cells))[0]))
        assert is_range(found[name], values), name


@given(st.lists(st.integers(0, 4), min_size=4, max_size=4), st.integers(0, 6), st.integers(0, 6))
def test_corners_are_extreme_where_more_tables_are_too_many(
    cells: list[int], inside: int, outside: int
) -> None:
    for name in module._AT_CORNERS:
        measure = find(name)
        whole = module._of_counts(measure, cells, [inside, outside])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_TABLES", 0)
            corners = module._of_counts(measure, cells, [inside, outside])
        assert np.array_equal(whole[:2], corners[:2], equal_nan=True), name


def test_what_is_known_has_no_width() -> None:
    labels, score = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    found = pc.extremes.cases(labels, score)
    assert found["AP"][:2] == pytest.approx((pc.curve(labels, score).value("AP"),) * 2)
    assert found["roc_auc"][:2] == (0.75, 0.75)
    assert not found.notes


def test_the_notes_say_what_is_open() -> None:
    found = pc.extremes.cases([None, None], [1.0, 2.0])
    assert noticed(found, UnjudgedCases)[0].values == {
        "unjudged": 2,
        "total": 2,
        "noun": "cases",
    }
    (first,) = noticed(found.sheet(), LabelNext)
    assert (first.measure, first.noun, first.place) == ("AP", "case", 1)
    assert noticed(found, LabelsLeaveUndefined)


def test_curves_with_gaps_lead_on() -> None:
    with pytest.raises(DataError, match=r"pc\.extremes\.cases"):
        pc.curve([1, None], [1.0, 2.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pc.extremes.cases([1, 2], [1, 2]), r"truth\[1\]"),
        (lambda: pc.extremes.cases([1, 0], [1]), "score"),
        (lambda: pc.extremes.cases([1, 0], [1, np.inf]), "infinite"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], "MCC"), "MCC"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], []), "measures"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], "BEP"), "BEP"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], "AUC(max_fpr=0.1)"), "max_fpr"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], "nothing"), "nothing"),
        (lambda: pc.extremes.cases([], []), "nothing"),
        (lambda: pc.extremes.cases({"a": 1}, [1]), "truth"),
        (lambda: pc.extremes.decisions([1, 0], [1, None]), "item 1 has no decision"),
        (lambda: pc.extremes.decisions([1, 0], [1, 0], []), "measures"),
        (lambda: pc.extremes.decisions([None] * 20_000, [1, 0] * 10_000, "MCC"), "tables"),
        (lambda: pc.extremes.cases([None] * 6_000, [1, 2] * 3_000, "AP"), "share scores"),
        (lambda: pc.extremes.cases([1, 0], [1, 2], None), "measures"),
        (lambda: pc.extremes.decisions([1, 0], [1, 0], {"P": 1}), "measures"),
    ],
)
def test_refusals(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_measures_of_rankings_are_refused() -> None:
    with pytest.raises(MeasureError, match="rankings"):
        pc.extremes.decisions([1, 0], [1, 0], "AP")
    with pytest.raises(KeyError, match="measures are P"):
        pc.extremes.decisions([1, 0], [1, 0], "P")["R"]


# --- The command ---


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "cases.csv"
    path.write_text("y,s\nyes,5\n,4\nno,3\n,2\nyes,1\n", encoding="utf-8")
    return path


def test_the_command_has_the_bounds_of_python(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["curve", table.name, "--label", "y", "--positive", "yes", "--score", "s"]
    asked += ["--unjudged", "bounds", "-m", "MaxF", "-m", "P@2", "--lower-is-better"]
    assert run([*asked, "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = pc.extremes.cases(
        [1, None, 0, None, 1], [5, 4, 3, 2, 1], ["MaxF", "P@2"], higher_is_better=False
    )
    assert printed["bounds"] == {name: each._asdict() for name, each in found.bounds.items()}
    assert printed["unjudged"] == 2


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--interval"], "--interval"),
        (["--group", "s"], "--group"),
        (["--missed", "2"], "--missed"),
        (["--score", "y"], "2 columns"),
        (["--plot", "a.svg"], "--plot"),
    ],
)
def test_the_command_refuses_what_bounds_do_not_read(
    table: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["curve", table.name, "--label", "y", "--positive", "yes", "--score", "s"]
    assert run([*asked, "--unjudged", "bounds", *more]) == 2
    assert message in capsys.readouterr().err


def test_a_case_without_a_score_is_named(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text("y,s\n1,5\n,\n", encoding="utf-8")
    asked = ["curve", table.name, "--label", "y", "--score", "s", "--unjudged", "bounds"]
    assert run(asked) == 2
    assert "cases.csv:3" in capsys.readouterr().err
