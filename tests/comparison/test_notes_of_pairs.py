"""What is said of pairs of systems: of which pair, once, and true of each of them.

Older tests had one pair, or pairs in all of whose topics the systems differ.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes import Together, group_by_subject
from precall.core.notes.of_comparisons import NoSkewnessShown, OfSkewness, SkewedDifferences
from precall.stats.tests.gating import Gates

from ..noticed import noticed, shown

TOPICS = [f"q{i}" for i in range(30)]
QRELS = {topic: {"x": 1} for topic in TOPICS}


def run_of(ranks):
    """A run that has the relevant item of each topic at this rank, of three."""
    return {
        topic: {
            name: 3.0 - place
            for place, name in enumerate((*"ab"[: rank - 1], "x", *"cd"[: 3 - rank]))
        }
        for topic, rank in zip(TOPICS, ranks, strict=True)
    }


def report_of(measures):
    runs = {
        "good": run_of([1] * 30),
        "worse": run_of([2] * 28 + [1] * 2),
        "worst": run_of([3] * 29 + [1]),
    }
    return pc.evaluate(QRELS, runs, measures)


@pytest.mark.parametrize("measures", [["AP"], ["AP", "NumRel", "P@2"]])
@pytest.mark.parametrize("margin", [None, 0.05])
def test_gates_name_the_pair_and_repeat_nothing(measures, margin):
    report = report_of(measures)
    gated = {"AP": margin}
    gates = pc.compare.gates(report, gated)
    told = noticed(gates, OfSkewness)
    assert len(told) == 2 and all(note.context for note in told)
    assert {note.context[-1] for note in told} == {"worse - good", "worst - good"}
    assert {note.differ for note in told} == {28, 29}
    # Each gate keeps its own, and by themselves they say of which pair it is.
    alone = Gates(gates.gates)
    assert [(note.context, note.differ) for note in noticed(alone, OfSkewness)] == [
        (("AP", "worse - good"), 28),
        (("AP", "worst - good"), 29),
    ]
    # Beside the comparisons, which have told it, nothing is left of it.
    pairs = pc.compare(report, baseline="good")
    assert noticed(pairs, OfSkewness) and not noticed(gates.without_notes(pairs.notes), OfSkewness)
    assert gates.to_junit().count("note 1") == 1


def test_pairs_that_differ_in_all_topics_and_in_some():
    whole, part = NoSkewnessShown("", 30, 30, False), NoSkewnessShown("", 30, 20, False)
    (group,) = group_by_subject([whole.within("a - b"), part.within("a - c")])
    assert isinstance(group, Together)
    numbers = [word.strip(",") for word in group.split() if word.strip(",").isdigit()]
    # Two pairs, of which 20 to 30 of 30 topics differ.
    assert numbers == ["2", "20", "30", "30"]


def test_notes_whose_templates_differ_are_two_sentences():
    several = pc.notes.EqualTopics("", ("a", "b"), 2), pc.notes.EqualTopics("", ("a", "b"), 1)
    assert len(group_by_subject(several)) == 2
    assert shown("\n".join(group_by_subject(several)), *several)


def test_a_pair_without_difference_says_nothing_of_how_p_was_computed():
    rng = np.random.default_rng(1)
    values = {"a": rng.random(60)}
    values |= {"b": values["a"], "c": rng.random(60)}
    compared = pc.compare.many(values, test="t", measure="AP")
    assert compared.conventions["test"] == "t (59 degrees of freedom)"
    assert "exact" not in compared.to_latex()
    sampled = pc.compare.many(values, resamples=999)
    assert sampled.conventions["test"] == "randomization (999 sampled signs)"
    alike = pc.compare.many({"a": values["a"], "b": values["a"]}, test="t")
    assert alike.conventions["test"] == "t (no difference)"


def test_pairs_and_measures_with_skewed_differences_are_one_sentence():
    """On the screen; JSON has each note."""
    alone = [SkewedDifferences("", 50, 30 + i, 1.0 + i, "t") for i in range(3)]
    notes = [
        note.within(pair).within(measure)
        for note, pair, measure in zip(
            alone, ("a - b", "a - c", "a - b"), ("AP", "AP", "RR"), strict=True
        )
    ]
    (group,) = group_by_subject(notes)
    assert isinstance(group, Together) and group.notes == tuple(notes)
    told = SkewedDifferences.joint_values(notes)
    assert told["count"] == "3 comparisons" and str(told["skewness"]).endswith("3.0: a - b by RR")
    of_pairs = [note.within(pair) for note, pair in zip(alone, ("a - b", "a - c"), strict=False)]
    assert SkewedDifferences.joint_values(of_pairs)["count"] == "2 pairs"
    of_measures = [note.within(name) for note, name in zip(alone, ("AP", "RR"), strict=False)]
    assert SkewedDifferences.joint_values(of_measures)["count"] == "2 measures"
    # Other tests, or other units, are sentences of their own.
    other = SkewedDifferences("", 50, 30, 1.0, "bootstrap").within("a - b")
    assert len(group_by_subject([*of_pairs, other])) == 2
