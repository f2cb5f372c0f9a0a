"""What was noticed of a status stands with all that is made of it.

The older tests asked for it in the report of the status alone, and for thresholds that decide about
their own items on the command line alone.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.errors import UsageError
from precall.core.notes.of_decisions import ColumnsTaken, LearnedHere
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

LABELS = ["a", "b"] * 30
TAKEN = ColumnsTaken("", ("a", "b"))


def status(seed: int = 0) -> pc.Status:
    return pc.categorize(LABELS, np.random.default_rng(seed).random((60, 2)))


def test_the_columns_that_were_taken():
    scored = status()
    learned = scored.thresholds("scut")
    for made in (
        scored,
        learned,
        scored.decide(learned),
        pc.interval(scored),
        pc.interval(scored, "AP"),
        pc.interval(scored.decide(learned), "micro-f"),
        pc.compare(scored.decide(learned), status(1).decide(learned)),
    ):
        assert noticed(made, ColumnsTaken) == [TAKEN]
    assert noticed(learned.to_dict(), ColumnsTaken) == [TAKEN]
    assert not pc.categorize(LABELS, scored.matrix, ["a", "b"]).notes


def test_it_stands_once_in_a_report_with_intervals_and_decisions():
    scored = status()
    told = scored.sheet(policy="scut", intervals=pc.interval(scored))
    assert noticed(told, ColumnsTaken) == [TAKEN]
    assert len(noticed(told, LearnedHere)) == 1


def test_thresholds_that_decide_about_the_items_they_were_learned_from():
    scored, others = status(), status(1)
    for policy in ("scut", "global", "proportion:1"):
        learned = scored.thresholds(policy)
        here = [LearnedHere("", learned.policy)]
        assert noticed(scored.decide(learned), LearnedHere) == here
        assert noticed(pc.interval(scored.decide(learned), "micro-f"), LearnedHere) == here
        assert not noticed(others.decide(learned), LearnedHere)
    # A given number was learned from nothing.
    assert not noticed(scored.decide(scored.thresholds("fixed:0.5")), LearnedHere)


def test_thresholds_of_a_file(tmp_path):
    scored = status()
    learned = scored.thresholds("scut")
    learned.save(tmp_path / "t.json")
    read = pc.read_thresholds(tmp_path / "t.json")
    assert read == learned
    assert noticed(scored.decide(read), LearnedHere)


def test_what_are_no_thresholds():
    with pytest.raises(UsageError, match="thresholds"):
        status().decide(0.5)  # type: ignore[arg-type]
