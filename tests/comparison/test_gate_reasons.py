"""Gates hold what decided them as facts; the sentence is made of these when it is asked for."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

import precall as pc
from precall.comparison.reports import gate_of_measure
from precall.page.record import page_from, record_of
from precall.page.runs import part_of
from precall.stats.tests.equivalence import Gate, gate
from precall.stats.tests.gate_reasons import LossTested, MarginTested, Unchanged
from precall.stats.tests.paired import paired
from tests.pages import page

OLD = np.array([0.5, 0.7, 0.9, 0.4, 0.8, 0.6, 0.3, 0.55])


def decided(change, margin=None):
    new = OLD + np.asarray(change)
    return gate(paired(new, OLD, names=("new", "old"), measure="AP"), new - OLD, margin)


LOSS = np.linspace(-0.2, 0.01, 8)


@pytest.mark.parametrize(
    ("change", "margin", "kind"),
    [
        (np.zeros(8), None, Unchanged),
        (LOSS, None, LossTested),
        (-LOSS, None, LossTested),
        (LOSS, 0.05, MarginTested),
        (LOSS, 0.5, MarginTested),
    ],
)
def test_the_sentence_is_made_of_facts(change, margin, kind):
    made = decided(change, margin)
    assert type(made.why) is kind
    assert not any(isinstance(getattr(made.why, part.name), str) for part in fields(made.why)) or (
        made.why.test == "randomization"
    )
    named = replace(made, names=("B", "A"), head="mean AP")
    assert "mean AP" in named.text and "B" in named.text and "new" not in named.text
    assert made.sentence == made.text and made.text in repr(made)


def test_a_finished_sentence_is_left_as_it_is():
    told = Gate(("a", "b"), "AP", None, True, 1.0, "a is b")
    assert (told.text, str(told)) == ("a is b", "a is b")
    made = decided(LOSS)
    read = replace(made, why=made.text)
    assert read == made and hash(read) == hash(made) and read != replace(read, why="otherwise")


def test_gates_of_a_page_say_what_they_said():
    qrels = {f"q{i}": {"x": 1} for i in range(8)}
    good = {topic: {"x": 2.0, "y": 1.0} for topic in qrels}
    bad = {topic: {"y": 2.0, "x": 1.0} for topic in qrels}
    report = pc.evaluate(qrels, {"good": good, "bad": bad}, ["AP"])
    gates = pc.compare.gates(report, {"AP": 0.1})
    made = page(replace(part_of(report).section, gates=gates))
    again = page_from(record_of(made))
    for told in (made, again):
        assert told.sections[0].gates.gates == gates.gates


def test_no_loss_beyond_the_range_is_named():
    """A gate said that it would have failed with a loss above 1.0589, of values in 0..1."""
    change = np.array([1.0, -1, 1, -1, 0.9])
    old, new = np.clip(-change, 0, 1), np.clip(change, 0, 1)
    compared = paired(new, old, names=("new", "old"), measure="AP", test="t")
    known, unknown = (gate(compared, new - old, reach=reach) for reach in (1.0, None))
    assert isinstance(unknown.why, LossTested) and unknown.why.edge > 1
    assert f"{unknown.why.edge:.4f}" in unknown.text
    assert f"{unknown.why.edge:.4f}" not in known.text and "1 would have failed" in known.text
    assert known.passed == unknown.passed


def test_gates_of_reports_know_the_range():
    qrels = {f"q{i}": {"x": 1} for i in range(5)}
    hit, miss = {"x": 2.0, "y": 1.0}, {"y": 2.0}
    first = {topic: hit if i % 2 else miss for i, topic in enumerate(qrels)}
    second = {topic: miss if i % 2 else hit for i, topic in enumerate(qrels)}
    report = pc.evaluate(qrels, {"first": first, "second": second}, "AP")
    compared = pc.compare(report, baseline="first", test="t")
    (decision,) = gate_of_measure(report, compared, "AP", None, rng=0, resamples=99)
    assert "1 would have failed" in decision.text


def test_a_margin_says_the_gain_of_low_values():
    """It was called a difference, and had the other sign than the difference of the comparison."""
    pair = paired(OLD + LOSS, OLD, measure="E", higher_is_better=False)
    found = gate(pair, -LOSS, 0.05)
    assert found.value == pytest.approx(-pair.difference) and found.value > 0
    assert f"gain {found.value:+.4f}" in found.sentence and "difference" not in found.sentence


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_gate_of_tukey_fails_from_half_its_interval_on():
    """No test reached how much a loss may be where all pairs are tested at once."""
    draws = np.random.default_rng(0)
    systems = np.column_stack([draws.normal(mean, 0.1, 30) for mean in (0.5, 0.36, 0.48)])
    found = pc.compare.many(systems, ["old", "b", "c"], measure="AP", correction="tukey")
    reasons = []
    for pair in found.pairs[:2]:
        lower = systems[:, ["old", "b", "c"].index(pair.names[1])] - systems[:, 0]
        decided_gate = gate(pair.swap(), lower, None)
        edge = decided_gate.why.edge
        assert edge == pytest.approx((pair.high - pair.low) / 2, rel=1e-12)
        assert decided_gate.passed == (-lower.mean() < edge) == (pair.adjusted > 0.05)
        reasons.append(decided_gate.passed)
    assert reasons == [False, True]
