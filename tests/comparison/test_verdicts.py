"""What comparisons come to: best system, how others stand to it or to a baseline, as data and in a
sentence per measure.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import SharedLetters, StarOfBaseline
from precall.stats.tests.verdict import summary
from tests.noticed import noticed

NOISE = np.random.default_rng(1).normal(0, 0.01, (40, 6))
#: Two that are alike, one below, and three that are alike again.
TIERS = NOISE + np.array([0.60, 0.60, 0.50, 0.30, 0.30, 0.30])
NAMES = ["pixels", "components", "profiles"]
KINDS = ("better", "worse", "no difference shown", "undefined")


def compared(values, names, **choices):
    return pc.compare.many(values, names, measure="AP", test="t", **choices)


def said(found):
    """What the comparisons say first."""
    return found.sheet().verdict


def outcomes(told):
    return [(each.system, each.other, each.outcome) for each in told.standings]


def test_the_best_with_what_it_is_better_than():
    found = compared(TIERS[:, :3], NAMES)
    told = found.verdicts["AP"]
    means = dict(zip(NAMES, TIERS[:, :3].mean(axis=0), strict=True))
    best, second = sorted(("pixels", "components"), key=lambda name: -means[name])
    assert (told.best, round(told.value, 12)) == (best, round(means[best], 12))
    assert outcomes(told) == [(best, second, "no difference shown"), (best, "profiles", "better")]
    # The sentence: differences, intervals and p as SciPy has them, Holm's correction by hand.
    stats = pytest.importorskip("scipy.stats")
    columns = dict(zip(NAMES, TIERS.T[:3], strict=True))
    raw = [stats.ttest_rel(columns[a], columns[b]) for a, b in ((best, second), (best, "profiles"))]
    ends = [test.confidence_interval(0.95) for test in raw]
    gaps = [means[best] - means[name] for name in (second, "profiles")]
    assert told.text == (
        f"{best} is best by AP ({means[best]:.4f}, 40 topics); better than profiles "
        f"({gaps[1]:+.4f} [{ends[1].low:.4f}, {ends[1].high:.4f}], p < 0.001), not significantly "
        f"different from {second} ({gaps[0]:+.4f} [{ends[0].low:.4f}, "
        f"{ends[0].high:.4f}], p = {raw[0].pvalue:.3f}); intervals by t, p by t, adjusted by holm."
    )


@pytest.mark.parametrize("higher", [True, False])
def test_of_measures_where_low_is_good_the_lowest_is_best(higher):
    sign = 1 if higher else -1
    found = compared(TIERS[:, [2, 0, 3]] * sign, ["b", "a", "c"], higher_is_better=higher)
    told = found.verdicts["AP"]
    assert list(told.means) == ["a", "b", "c"] and outcomes(told) == [
        ("a", "b", "better"),
        ("a", "c", "better"),
    ]
    assert all(
        each.difference * sign > 0 and each.low < each.difference < each.high
        for each in told.standings
    )
    assert re.match(
        (
            r"a is best by AP \(-?0.5995, 40 topics\); better than b and c \(differences "
            r"[+-]0.\d+ to [+-]0.\d+, p < 0.001\)\."
        ),
        told.text,
    )
    assert found.pair("b", "a").outcome == "worse" and found.pair("b", "a").verdict.best == "a"


def test_against_a_baseline():
    found = compared(TIERS[:, [0, 2, 3]], ["a", "b", "c"], baseline="b").verdicts["AP"]
    assert found.baseline == "b" and outcomes(found) == [("a", "b", "better"), ("c", "b", "worse")]
    assert re.match(
        (
            r"a has the best AP \(0.5995, 40 topics\); a is better than b "
            r"\(\+0.1.*\); c is worse \(-0.19"
        ),
        found.text,
    )
    found = compared(TIERS[:, [0, 2, 3]], ["a", "b", "c"], baseline="a").verdicts["AP"]
    assert re.match(
        (
            r"a has the best .* topics\); b and c are worse than a \(differences "
            r"-0.2978 to -0.1033, p < 0.001\)"
        ),
        found.text,
    )
    alike = compared(TIERS[:, [3, 4, 5]], ["a", "b", "c"], baseline="a", correction="bh").verdicts[
        "AP"
    ]
    assert {each.outcome for each in alike.standings} == {"no difference shown"}
    least = min(each.p for each in alike.standings)
    names = " and ".join(name for name in alike.means if name != "a")
    assert f"{names} are not significantly different from a (" in alike.text
    assert f"p >= {least:.3f})" in alike.text


def test_equal_means_are_best_together():
    found = pc.compare.many(
        {"b": [0.5, 0.25, 0.75], "a": [0.25, 0.75, 0.5], "c": [0, 0, 0]}, measure="AP"
    )
    told = found.verdicts["AP"]
    assert told.best == "a" and told.text.startswith(
        "a and b are best by AP (0.5000, 3 topics); not significantly different from c ("
    )
    same = pc.compare.many({"b": [0.5, 0.25, 0.75], "a": [0.25, 0.75, 0.5]}, measure="AP").verdicts[
        "AP"
    ]
    assert same.text == "a and b are best by AP (0.5000, 3 topics)."
    # Of many equal systems nobody is "another".
    many = {name: [0.5, 0.25, 0.75] for name in "abcdef"}
    assert (
        pc.compare.many(many, measure="AP")
        .verdicts["AP"]
        .text.startswith("6 systems are best by AP (0.5000, 3 topics)")
    )


def test_many_systems_are_counted_and_not_named():
    columns = np.hstack([TIERS[:, :1], TIERS[:, 3:]] * 2)[:, [0, 1, 2, 3, 5, 6, 7]]
    found = compared(columns, list("abcdefg"), baseline="a")
    assert said(found).startswith("all 6 other systems are worse than a by AP (p < 0.001)")
    assert "; all 6 other systems are worse than a (" in found.verdicts["AP"].text
    first = compared(columns, list("abcdefg"))
    if len(first.verdicts["AP"].groups) == 1:
        assert "better than all 6 others (" in said(first)


def test_a_name_cannot_break_the_line():
    runs = {
        name: {f"q{i}": {"x": 2.0, "y": 3.0 * (name != "a")} for i in range(8)}
        for name in ("a", "b\x1b[2J\nbest")
    }
    report = pc.evaluate({f"q{i}": {"x": 1} for i in range(8)}, runs, ["RR"])
    text = pc.compare(report).verdicts["RR"].text
    assert text.startswith(
        "a is best by RR (1.0000, 8 topics); better than b\\x1b[2J\\nbest (+0.5000"
    )
    assert (
        len(pc.compare(report).sheet().verdict.splitlines())
        == len(report.sheet().verdict.splitlines())
        == 1
    )


def test_signs_that_speak_for_the_worse_mean_show_nothing_better():
    """One topic outweighs twenty: signs reject, but for the other system."""
    a, b = np.array([0.9] + [0.1] * 20), np.array([0.0] + [0.11] * 20)
    found = pc.compare.paired(a, b, test="sign")
    assert found.significant and found.difference > 0 and found.outcome == "no difference shown"
    assert pc.compare.paired(a[1:], b[1:], test="sign").outcome == "worse"


def test_a_line_for_each_measure_and_none_of_counts():
    runs = {
        name: {f"q{i}": {"x": 2.0, "y": 1.0 + 2 * (i % 3 == 0) * (name == "b")} for i in range(12)}
        for name in "ab"
    }
    report = pc.evaluate({f"q{i}": {"x": 1} for i in range(12)}, runs, ["RR", "NumRel", "GMAP"])
    found = pc.compare(report)
    assert list(found.verdicts) == ["RR", "GMAP"] and found.neutral == ("NumRel",)
    # Both measures say the same, in one sentence.
    assert [line.partition(" (")[0] for line in said(found).splitlines()] == [
        "a is not significantly different from b by RR and GMAP"
    ]
    geometric = found.verdicts["GMAP"]
    assert "(log GMAP +" in geometric.text and geometric.scale == "log GMAP"
    # The table has a line for each measure; of GMAP logarithms are compared.
    table = found.sheet().blocks[0]
    assert [line.name for line in table.lines] == ["RR", "NumRel", "GMAP (difference: log GMAP)"]
    assert table.lines[2].values[2] == found.pair("a", "b", "GMAP").difference


def test_the_sentence_is_broken_between_facts():
    found = compared(TIERS[:, :3], NAMES)
    head = str(found).partition("\n\n")[0]
    assert head.replace("\n  ", " ") == said(found)
    assert all(len(line) <= 80 for line in head.splitlines())
    assert not re.search(r"\[[^\]]*\n|p\n|[<=]\n", head)


def test_every_form_says_it_first_and_an_undefined_p_has_none():
    found = compared(TIERS[:, :3], NAMES)
    first = said(found)
    assert str(found).replace("\n ", "").startswith(first)
    # A paper has no other table with the numbers, so it has the long sentence.
    long = found.verdicts["AP"].text
    assert found.to_markdown().startswith(
        long.replace("[", "\\[").replace("]", "\\]").replace("<", "\\<")
    )
    data = json.loads(found.to_json())
    assert data["verdict"] == first and data["verdicts"]["AP"]["text"] == long
    assert long in found.to_latex()
    assert data["verdicts"]["AP"] == found.verdicts["AP"].to_dict() and set(KINDS) >= {
        pair["outcome"] for pair in data["pairs"]
    }
    pair = found.pairs[0]
    assert json.loads(pair.to_json())["verdicts"]["AP"] == pair.verdict.to_dict()
    area = pc.compare.cases([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], "AUC")
    assert area.p != area.p and area.sheet().verdict == "" and area.outcome == "undefined"


def test_measures_with_the_same_outcomes_share_a_sentence():
    """Of several systems: who is best, and how each other compares; two are told by pairs."""
    verdicts = {
        name: compared(TIERS[:, :4] + shift, list("abcd")).verdicts["AP"]
        for name, shift in (("AP", 0.0), ("RR", 0.1), ("F", [0, 0, 0.2, 0]))
    }
    named = [replace(verdict, head=name) for name, verdict in verdicts.items()]
    assert len({tuple(map(tuple, map(outcomes, [one]))) and one.best for one in named}) == 2
    first, second = summary(named)
    assert " by AP and RR: " in first and " by F: " in second
    pair = [replace(one, head=f"{i}") for i, one in enumerate(pairs_of_two())]
    assert [line.partition(" (")[0] for line in summary(pair)] == [
        "a is better than b by 0 and 1",
        "b is better than a by 2",
    ]


def test_many_outcomes_fit_a_screen():
    """Five measures with a best system each took two lines each, and a screen was not enough; the
    systems of the old tests differed alike by all measures.
    """
    rng, names = np.random.default_rng(3), [f"s{i}" for i in range(6)]
    verdicts = []
    for measure in range(5):
        values = rng.random((40, 6)) * 0.3 + 0.3
        values[:, measure] += 0.2
        values[:, (measure + 1) % 5] += 0.19
        (verdict,) = compared(values, names).verdicts.values()
        verdicts.append(replace(verdict, head=f"M{measure}"))
    for line in (lines := summary(verdicts)):
        assert len(line) <= 80 and " only (p" in line and "not significantly" not in line
    assert len(lines) == 5
    # Two sentences have room.
    assert all("not significantly" in line for line in summary(verdicts[:2]))


def pairs_of_two():
    columns = TIERS[:, [0, 2]]
    for values in (columns, columns + 0.1, columns[:, ::-1]):
        yield compared(values, ["a", "b"]).verdicts["AP"]


def test_the_short_answer_of_several_systems():
    report = pc.evaluate(
        {f"q{i}": {"x": 1} for i in range(20)},
        {
            name: {f"q{i}": {"x": 2.0, "y": 3.0 * (i < bad)} for i in range(20)}
            for name, bad in (("a", 0), ("b", 9), ("c", 12))
        },
        ["RR", "AP"],
    )
    found = pc.compare(report)
    short, full = str(found).splitlines(), str(found.sheet(all=True)).splitlines()
    assert len(short) < len(full) and len(short) <= 24
    details = [block for block in found.sheet().blocks if block.detail]
    assert len(details) == 5 and len(found.sheet().blocks) == 6
    assert noticed(found.sheet(), SharedLetters)[0].most == pytest.approx(0.05)
    # Beside a baseline, stars stand for letters.
    based = pc.compare(report, baseline="a").sheet()
    (star,) = noticed(based, StarOfBaseline)
    assert (star.baseline, star.adjusted) == ("a", True)
    marks = {line.name: line.marks for line in based.blocks[0].lines}
    assert marks == {"a": ("", ""), "b": ("*", "*"), "c": ("*", "*")}
