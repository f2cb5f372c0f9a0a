"""What is printed is said in our own words, and one printout has one value for one thing.

Older tests looked for the first words of messages, and at values of several digits that do not
round at a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as command
from precall.core.notes.of_curves import BreakEvenBeforeHits
from precall.core.notes.of_decisions import MicroOfAllPairs
from precall.core.notes.of_reading import LowestIsBest
from precall.hard_decisions.categories_sheet import categories_sheet
from precall.page.record import page_from
from tests.noticed import noticed, warned
from tests.pages import record_about


@pytest.mark.parametrize("ap", [Fraction(11, 12), "11/12"])
def test_fractions_are_values(ap: Any) -> None:
    (setting,) = pc.null.describe(8, 3, ap=ap).settings
    assert setting.taken == (11 / 12, None) and setting.outcome is not None
    assert setting.outcome.p == pytest.approx(2 / 56)


@pytest.mark.parametrize("text", ["\u0660.\u0665", "1_0", "half", "11/0", "0x1"])
def test_numbers_are_those_of_files(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        pc.UsageError, match="must be a number such as 0.27, or a fraction such as 11/12"
    ):
        pc.null.describe(8, 3, ap=text)
    with pytest.raises(pc.UsageError, match="must be in 0..1, got 13/12"):
        pc.null.describe(8, 3, ap="13/12")
    assert command(["null", "--items", "8", "--relevant", "3", "--ap", "11/12"]) == 0
    assert "0.0357" in capsys.readouterr().out


def test_the_mean_of_equal_levels_is_their_value() -> None:
    # Each item's only category stands at one rank, so that all eleven levels are equal: .51875 on
    # average.
    ranks = [1] * 60 + [2] * 20 + [4] * 30 + [5] * 50
    scores = [
        [9.0 if place == rank - 1 else 8.0 - place for place in range(5)]
        for rank in [1] * len(ranks)
    ]
    truth = [rank - 1 for rank in ranks]
    status = pc.categorize(truth, scores, categories=list(range(5)))
    levels = status.eleven_point("item")
    body = status.sheet(pivot="item").body["eleven_point"]["yang"]
    assert len(set(levels.tolist())) == 1
    assert body["mean"] == levels[0] == status.by_item("11-point").mean()


def test_micro_break_even_is_said_to_be_of_one_list() -> None:
    status = pc.categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    for policy in ("break-even", "max-f"):
        notes = categories_sheet(status, policy).notes
        assert [note.measure for note in noticed(notes, MicroOfAllPairs)] == [policy]
    for free in (None, "fixed:0.5", "rank:1"):
        assert not noticed(categories_sheet(status, free), MicroOfAllPairs)


def test_thresholds_that_break_even_leaves_out_are_said_where_that_shows() -> None:
    late = pc.curve([0, 0, 0, 1], [4, 3, 2, 1])
    assert len(noticed(late.sheet(), BreakEvenBeforeHits)) == 1
    assert late.break_even() > late.max_f().value
    for meets in (pc.curve([0, 1, 1], [3, 2, 1]), pc.curve([1, 0], [2, 1])):
        assert not noticed(meets.sheet(), BreakEvenBeforeHits)
    status = pc.categorize(["a", "b", "b"], [[0.1, 0.1], [0.6, 0.4], [0.2, 0.8]])
    (note,) = noticed(status.sheet(), BreakEvenBeforeHits)
    assert note.values == {"times": 1, "total": 2, "noun": "categories"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one: one["mean"].pop(), r"sections\[0\]\.mean has 1 value, and others have 2"),
        (lambda one: one.pop("topics"), r"sections\[0\]\.topics is missing"),
        (
            lambda one: one["values"][0].insert(0, "x"),
            r"sections\[0\]\.values\[0\]\[0\] is no list of numbers",
        ),
        (
            lambda one: one["pairs"]["a"].__setitem__(0, 7),
            r"sections\[0\]\.pairs\.a: 7 is no place among 2",
        ),
        (
            lambda one: one["counts"][1].update(topics="many"),
            r"counts\[1\]\.topics is no whole number",
        ),
        (lambda one: one.update(kind="other"), r"sections\[0\]\.kind is none of systems, curves"),
    ],
)
def test_records_that_do_not_fit(change: Callable[[Any], Any], words: str) -> None:
    qrels = {f"q{i}": {"a": 1} for i in range(4)}
    runs = {
        name: {topic: {"a": 1.0, "b": at} for topic in qrels}
        for name, at in (("x", 0.5), ("y", 2.0))
    }
    record = record_about(pc.evaluate(qrels, runs, ["AP"]))
    change(record["sections"][0])
    with pytest.raises(
        pc.DataError, match=f"the parts of its record do not fit together: .*{words}"
    ):
        page_from(record)


@pytest.mark.parametrize("rng", ["a", -1, 1.5, True])
def test_a_seed_is_checked_where_nothing_is_drawn(rng: Any) -> None:
    calls = (
        lambda: pc.interval.mean([1.0, 2, 3], rng=rng),
        lambda: pc.interval.precision(10, 5, rng=rng),
        lambda: pc.compare([0.1, 0.2, 0.4], [0.2, 0.1, 0.5], test="t", rng=rng),
    )
    for call in calls:
        with pytest.raises(pc.UsageError, match="rng: must be a seed"):
            call()


def test_a_generator_is_not_drawn_from_by_the_check() -> None:
    source, other = np.random.default_rng(3), np.random.default_rng(3)
    pc.interval.mean(np.arange(30.0), rng=source)
    assert source.random() == other.random()


def test_cut_numbers_say_how_long_they_are() -> None:
    with pytest.raises(pc.DataError, match=r"score 10{56}\.\.\. is beyond float64"):
        pc.read_run({"q": {"a": 10**400}})
    with pytest.raises(pc.UsageError, match=r"got 10{43}\.\.\. \(401 digits\) for case 0"):
        pc.curve([1, 0], [10**400, "1"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("distance", "distance"),
        ("l2_dist", "distance"),
        ("loss", "loss"),
        ("cost", "cost"),
        ("ppl", "perplexity"),
        ("energy", "energy"),
        ("p_value", "p-value"),
        ("pvalue", "p-value"),
    ],
)
def test_distances_are_no_scores(name: str, kind: str, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed: no frame was read")
    run = polars.DataFrame({"topic": ["q1", "q1"], "item": ["a", "b"], name: [1.0, 2.0]})
    with pytest.raises(
        pc.UsageError, match=f"columns: '{name}' looks like an? {kind}, .*the {kind} negated"
    ):
        pc.read_run(run, columns={"score": name})
    with pytest.raises(pc.DataError, match=f"of '{name}' the lowest is the best by its name"):
        pc.read_run(run)
    path = tmp_path / "cases.csv"
    path.write_text(f"label,{name}\n1,1\n0,2\n", encoding="utf-8")
    from precall.cases.table import read_cases

    with warned(LowestIsBest) as told:
        read_cases(str(path), "label", [name])
    assert [note.values for note in told] == [{"column": name, "what": kind}]
    read_cases(str(path), "label", [name], higher_is_better=False)


@pytest.mark.parametrize(
    "name", ["score", "distant", "lossless", "costly", "energetic", "distribution", "pv"]
)
def test_other_words_are_scores(name: str) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed: no frame was read")
    run = polars.DataFrame({"topic": ["q1", "q1"], "item": ["a", "b"], name: [1.0, 2.0]})
    pc.read_run(run, columns={"score": name})
