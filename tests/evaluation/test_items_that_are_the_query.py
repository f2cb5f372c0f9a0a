"""`drop_self`: items that are the query itself are no result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_runs import SelfRetrieved, SelvesDropped
from tests.noticed import noticed

QRELS = {"a": {"b": 1}, "b": {"a": 1}, "c": {"a": 1}}
RUN = {"a": {"a": 9.0, "b": 1.0}, "b": {"b": 9.0, "a": 3.0}, "c": {"x": 2.0, "a": 1.0}}


def without(scored: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {
        topic: {item: score for item, score in items.items() if item != topic}
        for topic, items in scored.items()
    }


_IDS = st.sampled_from(["a", "b", "ab", "é", "10", "1"])
_RUNS = st.dictionaries(_IDS, st.dictionaries(_IDS, st.floats(-9, 9), min_size=1), min_size=1)


@given(_RUNS)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_it_is_the_run_without_them(scored: dict[str, dict[str, float]]) -> None:
    qrels = {topic: {"a": 1, "b": 1, "x": 1} for topic in scored}
    names = ["AP", "RR", "NumRet"]
    dropped = pc.evaluate(qrels, scored, names, drop_self=True)
    rest = {topic: items for topic, items in without(scored).items() if items}
    if not rest:
        assert dropped.mean["NumRet"] == 0
        return
    left = pc.evaluate(qrels, rest, names, topics="qrels")
    assert dict(dropped.mean) == dict(left.mean)


def test_notes() -> None:
    (told,) = noticed(pc.evaluate(QRELS, RUN, "RR"), SelfRetrieved)
    assert (told.topics, told.total) == (2, 3)
    report = pc.evaluate(QRELS, RUN, "RR", drop_self=True)
    (dropped,) = noticed(report, SelvesDropped)
    assert (dropped.items, dropped.topics) == (2, 2)
    assert not noticed(report, SelfRetrieved)
    assert report.conventions["items"] == "not the query itself"
    both = pc.evaluate(QRELS, RUN, "RR", drop_self=True, judged_only=True)
    assert both.conventions["items"] == "judged only, not the query itself"


def test_an_empty_ranking_hides_no_other_topic() -> None:
    """One empty list silenced the note: the runs of the tests had an item for each topic."""
    qrels = {**QRELS, "empty": {"z": 1}}
    (told,) = noticed(pc.evaluate(qrels, {**RUN, "empty": {}}, "RR"), SelfRetrieved)
    assert (told.topics, told.total) == (2, 4)


def test_one_such_topic_is_chance() -> None:
    users = {str(user): {str(item): 1.0 for item in range(5)} for user in range(5)}
    assert not noticed(pc.evaluate(users, users, "RR"), SelfRetrieved)


def test_every_way_drops_them() -> None:
    runs: Any = {"x": RUN, "y": without(RUN)}
    found = pc.compare(QRELS, runs, "RR", drop_self=True)
    assert found.means["RR"]["x"] == found.means["RR"]["y"]
    bounds = pc.evaluate(QRELS, RUN, "RR", drop_self=True, unjudged="bounds")
    assert (
        bounds.lowest["RR"]
        == pc.evaluate(QRELS, without(RUN), "RR", unjudged="bounds").lowest["RR"]
    )


def test_the_command_and_large_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    lines = [f"{topic} Q0 {item} 1 {rng.random()} r\n" for topic in range(40) for item in range(30)]
    Path("r").write_text("".join(lines))
    Path("q").write_text("".join(f"{topic} 0 {(topic + 3) % 30} 1\n" for topic in range(40)))
    whole = pc.evaluate("q", "r", "AP", drop_self=True)
    assert pc.evaluate("q", "r", "AP", drop_self=True, memory=1).mean == whole.mean
    assert run(["eval", "q", "r", "-m", "AP", "--drop-self"]) == 0
    assert f"{whole.mean['AP']:.4f}" in capsys.readouterr().out
    with pytest.raises(TypeError, match="drop_self"):
        pc.evaluate("q", "r", "AP", ignore_identical_ids=True)  # type: ignore[call-arg]
