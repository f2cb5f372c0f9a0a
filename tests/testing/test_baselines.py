"""assert_not_worse: what it writes, what it refuses, when it fails, and what it says."""

from __future__ import annotations

import json
import math
import os
import random

import pytest

import precall as pc
from precall.comparison.baselines import as_baseline, read_baseline
from precall.core.notes.of_comparisons import NeverFails
from precall.core.notes.of_runs import MissingTopics
from precall.page.record import page_from, record_of
from precall.page.writing import page_about
from precall.testing import assert_not_worse, in_ci
from tests.noticed import noticed, warned
from tests.peers import peer

stats = peer("scipy.stats")

TOPICS = [f"q{i}" for i in range(30)]
QRELS = {topic: {f"d{j}": int(j % 7 == 0) for j in range(40)} for topic in TOPICS}


def search(boost: float, seed: int = 0) -> dict[str, dict[str, float]]:
    drawn = random.Random(seed)
    return {
        topic: {f"d{j}": drawn.random() + boost * (j % 7 == 0) for j in range(40)}
        for topic in TOPICS
    }


def report(boost: float = 0.4, seed: int = 0, measures=("AP", "P@5"), **choices):
    return pc.evaluate(QRELS, search(boost, seed), measures, **choices)


@pytest.fixture
def base(tmp_path, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    path = tmp_path / "base.json"
    assert_not_worse(report(), path)
    return path


def test_the_file_has_measures_conventions_and_values_and_is_read_back(base):
    told = json.loads(base.read_bytes())
    assert told["format"] == "precall.baseline/2" and told["precall"] == pc.__version__
    assert told["conventions"] == {
        "ties": "docno",
        "topics": "both",
        "undefined": "zero",
        "grade": ">=1",
        "scores": "float64",
    }
    assert told["measures"]["AP"] == {"aggregate": "mean", "best": "high", "undefined": 0.0}
    (run,) = report().runs
    assert told["runs"]["run"] == dict(zip(run.topics, run.values.T.tolist(), strict=True))
    assert as_baseline(read_baseline(base)) == base.read_bytes()


def test_measures_keep_the_names_by_which_they_were_asked_for(tmp_path):
    """The file, the table of gates and refusals had RR and Success@2 only."""
    path, asked = tmp_path / "b.json", ("MRR", "HitRate@2", "AP")
    passed = assert_not_worse(report(measures=asked), path, update=True)
    assert [gate.head or gate.measure for gate in passed.gates] == [*asked]
    told, back = json.loads(path.read_bytes())["measures"], read_baseline(path)
    assert told["RR"]["asked"] == ["MRR"] and "asked" not in told["AP"]
    assert back.heads == asked and back.measures == ("RR", "Success@2", "AP")
    assert back.name_of("MRR") == "RR" and as_baseline(back) == path.read_bytes()
    own = report(measures=("RR", "Success@2", "AP"))
    assert assert_not_worse(own, path, measures="MRR").passed
    with pytest.raises(pc.UsageError, match="only the baseline has 'HitRate@2'"):
        assert_not_worse(report(measures=("RR", "AP")), path)


def test_the_same_report_gives_the_same_bytes_in_any_order_of_topics(base):
    turned = dict(reversed(search(0.4).items()))
    again = pc.evaluate(dict(reversed(QRELS.items())), turned, ["AP", "P@5"])
    assert as_baseline(again) == base.read_bytes()


def test_undefined_and_infinite_values_and_odd_names(tmp_path):
    odd = 'q"\n\x00é'
    qrels = {odd: {"a": 0, "b": 1}, "r": {"a": 1, "b": 0}}
    run = {odd: {"a": 1.0}, "r": {"a": 2.0, "b": 1.0}}
    values = pc.evaluate(qrels, run, ["LR+(population=9)@1", "AP"])
    data = as_baseline(values)
    (tmp_path / "b.json").write_bytes(data)
    back = read_baseline(tmp_path / "b.json")
    assert set(back.runs[0].topics) == {odd, "r"} and as_baseline(back) == data and b'"inf"' in data
    assert assert_not_worse(values, tmp_path / "b.json", 0.1, measures="AP").passed


def test_what_did_not_change_passes_with_any_margin_and_on_few_topics(base, tmp_path):
    gates = assert_not_worse(report(), base, margin=1e-9)
    assert (
        gates.passed
        and [gate.p for gate in gates.gates] == [1.0, 1.0]
        and gates.gates[0].value == 0
    )
    few = {"q1": 0.5, "q2": 0.25}
    assert assert_not_worse(few, tmp_path / "few.json", margin=0.1).passed


@pytest.mark.filterwarnings("default")
def test_a_gate_that_cannot_fail_says_so(tmp_path, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with warned(NeverFails) as told:
        assert_not_worse({"q1": 0.5, "q2": 0.25}, tmp_path / "few.json")
    assert [(note.topics, note.differ, note.needed) for note in told] == [(2, None, 6)]


def test_few_topics_that_differ_cannot_fail_a_gate_and_that_is_said(tmp_path):
    path = tmp_path / "base.json"
    topics = [f"q{i}" for i in range(12)]
    assert_not_worse(dict.fromkeys(topics, 1.0), path, update=True)
    with warned(NeverFails) as told:
        gates = assert_not_worse({t: float(i >= 5) for i, t in enumerate(topics)}, path)
    assert [(note.topics, note.differ, note.needed) for note in told] == [(12, 5, 6)]
    assert gates.passed and gates.verdict.startswith("Passed, but could")
    assert f": 1 gate ({NeverFails.in_brackets(told)})" in gates.verdict
    # A gain is not doubted, and six topics can fail.
    assert_not_worse({t: 1.0 + (i < 5) for i, t in enumerate(topics)}, path)
    with pytest.raises(AssertionError):
        assert_not_worse({t: float(i >= 6) for i, t in enumerate(topics)}, path)


def test_the_message_says_the_verdict_first_and_the_topics_that_lost_most(base):
    now, then = report(0.1), report()
    with pytest.raises(AssertionError) as failed:
        assert_not_worse(now, base)
    first, reason, head, columns, *lines = str(failed.value).splitlines()
    assert first == (
        f"AP of run is worse than its baseline: {now['AP']:.4f}, was {then['AP']:.4f} "
        f"({now['AP'] - then['AP']:+.4f}, 30 topics); so is P@5"
    )
    assert (
        reason.startswith(f"AP: run loses {then['AP'] - now['AP']:.4f} to baseline, p ")
        and "worse" in reason
    )
    change = dict(
        zip(then.runs[0].topics, now.runs[0].values[0] - then.runs[0].values[0], strict=True)
    )
    lost = sorted((topic for topic in change if change[topic] < 0), key=change.__getitem__)
    assert head == f"{len(lost)} of 30 topics lost, the worst first:" and columns.split() == [
        "AP",
        "was",
        "is",
        "difference",
    ]
    assert [line.split()[0] for line in lines[:10]] == lost[:10]
    assert [float(line.split()[-1]) for line in lines[:10]] == [
        round(change[topic], 4) for topic in lost[:10]
    ]
    assert (
        lines[10] == f"  ... {len(lost) - 10} more"
        and str(base) in str(failed.value).splitlines()[-1]
    )


@pytest.mark.parametrize("boost", [0.2, 0.3, 0.35, 0.38, 0.42])
def test_it_fails_where_scipys_paired_t_test_says_so(base, boost):
    """An oracle of both kinds of gate: with t the two-sided test and a lower mean, and the
    one-sided test of loss < margin.
    """
    now, then = report(boost, measures=["AP", "P@5"]), report()
    for line, measure in enumerate(("AP", "P@5")):
        gain = now.runs[0].values[line] - then.runs[0].values[line]
        worse = gain.mean() < 0 and stats.ttest_1samp(gain, 0).pvalue <= 0.05
        margin = 0.02
        inferior = not stats.ttest_1samp(gain, -margin, alternative="greater").pvalue <= 0.05
        for wanted, chosen in ((worse, None), (inferior, margin)):
            try:
                failed = not assert_not_worse(now, base, chosen, measures=measure, test="t").passed
            except AssertionError:
                failed = True
            assert failed == wanted, (measure, chosen)


def test_losses_are_gates_from_the_other_side(tmp_path):
    low = pc.evaluate(QRELS, search(0.4), "E@5")
    assert_not_worse(low, tmp_path / "e.json", update=True)
    assert assert_not_worse(pc.evaluate(QRELS, search(0.8), "E@5"), tmp_path / "e.json").passed
    with pytest.raises(
        AssertionError, match=r"^E@5 of run is worse than its baseline: 0\.\d+, was 0\.\d+ \(\+0"
    ):
        assert_not_worse(pc.evaluate(QRELS, search(0.0), "E@5"), tmp_path / "e.json")


def test_margins_by_measure_and_measures_by_other_names(base):
    gates = assert_not_worse(report(0.45, measures=["map", "P@5"]), base, {"map": 0.05})
    assert [(gate.measure, gate.margin, gate.bound) for gate in gates.gates] == [
        ("AP", 0.05, -0.05),
        ("P@5", None, None),
    ]
    with pytest.raises(pc.UsageError, match="margin: 'RR' is no gate; those are AP, P@5"):
        assert_not_worse(report(), base, {"RR": 0.1})
    with pytest.raises(pc.UsageError, match="margin"):
        assert_not_worse(report(), base, -0.1)
    with pytest.raises(pc.UsageError, match="measures: 'RR' is not in the report"):
        assert_not_worse(report(), base, measures="RR")


def test_counts_are_no_gates_but_must_be_the_same(tmp_path):
    counted = report(measures=["AP", "NumRet"])
    gates = assert_not_worse(counted, tmp_path / "n.json", update=True)
    assert [gate.measure for gate in gates.gates] == ["AP"]
    with pytest.raises(pc.UsageError, match="of NumRet neither high nor low values are good"):
        assert_not_worse(report(measures="NumRet"), tmp_path / "n.json", update=True)


@pytest.mark.parametrize(
    ("choices", "named"),
    [
        ({"ties": "expected"}, "conventions: ties is 'expected', in the baseline 'docno'"),
        ({"depth": 5}, "conventions: the baseline lacks 'depth'"),
        (
            {"measures": ("AP", "RR")},
            "measures: the baseline lacks 'RR'; only the baseline has 'P@5'",
        ),
        (
            {"aggregate": "geometric"},
            "measures: AP is 'geometric, high is best', in the baseline 'mean, high is best'",
        ),
    ],
)
def test_other_conventions_and_measures_are_refused_by_name(base, choices, named):
    with pytest.raises(pc.UsageError) as refused:
        assert_not_worse(report(**choices), base)
    assert named in str(refused.value)
    assert str(refused.value).startswith(
        f"{base}: is not of the same evaluation, nothing was compared; if that is meant"
    )


def test_other_topics_and_runs_are_refused_by_name(base, tmp_path):
    fewer = {topic: items for topic, items in search(0.4).items() if topic not in ("q1", "q2")}
    with pytest.raises(pc.UsageError, match="topics of run: only the baseline has 'q1', 'q2'"):
        assert_not_worse(pc.evaluate(QRELS, fewer, ["AP", "P@5"]), base)
    two = pc.evaluate(QRELS, {"a": search(0.4), "b": search(0.3)}, ["AP", "P@5"])
    with pytest.raises(
        pc.UsageError, match="runs: the baseline lacks 'a', 'b'; only the baseline has 'run'"
    ):
        assert_not_worse(two, base)
    assert_not_worse(two, tmp_path / "two.json", update=True)
    worse = pc.evaluate(QRELS, {"b": search(0.3), "a": search(0.1)}, ["AP", "P@5"])
    with pytest.raises(
        AssertionError,
        match=r"^AP of a is worse .*; so is P@5 of a\n(.*\n)*not worse: AP of b, P@5 of b\n",
    ):
        assert_not_worse(worse, tmp_path / "two.json")


def test_where_there_is_no_baseline_ci_refuses_and_others_write_it(tmp_path, monkeypatch):
    path = tmp_path / "new.json"
    for value in ("true", "1"):
        monkeypatch.setenv("CI", value)
        with pytest.raises(
            pc.UsageError,
            match=r"new.json: there is no such baseline, and in CI \(CI is set\) none",
        ):
            assert_not_worse(report(), path)
    assert not path.exists()
    assert assert_not_worse(report(), path, update=True).passed and path.exists()
    monkeypatch.setenv("CI", "false")
    assert not in_ci()


def test_a_path_may_be_bytes(base):
    assert assert_not_worse(report(), os.fsencode(base)).passed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("update", [True, False])
def test_a_pipe_is_no_baseline(tmp_path, update):
    """It waited for a writer, or for a reader, without end."""
    os.mkfifo(tmp_path / "base.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    for name, kind in (("base", "a pipe"), ("zero", "a device")):
        with pytest.raises(pc.DataError, match=f"{name}.json: is {kind}, expected a file"):
            assert_not_worse(report(), tmp_path / f"{name}.json", update=update)


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b'{"format": 3}', b"\xff"])
def test_files_that_are_no_baselines(tmp_path, damage):
    path = tmp_path / "base.json"
    path.write_bytes(damage)
    with pytest.raises(
        pc.DataError, match=r"base.json: (is no baseline of precall|has the format 3, known is)"
    ):
        assert_not_worse(report(), path)


def test_a_damaged_baseline(base):
    whole = json.loads(base.read_bytes())
    for name in ("conventions", "measures", "runs"):
        base.write_text(json.dumps({**whole, name: 3}), encoding="utf-8")
        with pytest.raises(pc.DataError, match="base.json: is damaged"):
            assert_not_worse(report(), base)


#: Parts of a note, and the place that an error names.
DAMAGES = [
    ({"values": {"missing": "many", "total": 31}}, "values.missing"),
    ({"values": {"missing": True, "total": 31}}, "values.missing"),
    ({"values": {"missing": -1, "total": 31}}, "values.missing"),
    ({"values": {"missing": 1, "total": None}}, "values.total"),
    ({"values": {"missing": {}, "total": 31}}, "values.missing"),
    ({"values": None}, "values"),
    ({"subject": 3}, "subject"),
    ({"kind": []}, "kind"),
    ({"within": "run"}, "within"),
    ({"text": 3}, "text"),
]


@pytest.mark.parametrize(("damage", "named"), DAMAGES)
def test_a_damaged_note_is_refused_in_a_baseline_and_on_a_page(damage, named, tmp_path):
    lacking = pc.evaluate(QRELS | {"other": {"d0": 1}}, search(0.4), ["AP"])
    path = tmp_path / "base.json"
    assert_not_worse(lacking, path, update=True)
    whole = json.loads(path.read_bytes())
    place = [note["kind"] for note in whole["notes"]].index("missing-topics")
    assert noticed(read_baseline(path), MissingTopics) == noticed(lacking, MissingTopics)
    whole["notes"][place] |= damage
    path.write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(pc.DataError) as refused:
        assert_not_worse(lacking, path)
    (problem,) = refused.value.problems
    assert problem.source.endswith("base.json") and f"notes[{place}].{named} " in problem.wrong
    record = record_of(page_about(lacking, None, 0.95, 0))
    place = [note["kind"] for note in record["notes"]].index("missing-topics")
    record["notes"][place] |= damage
    with pytest.raises(pc.DataError) as refused:
        page_from(record)
    assert f"notes[{place}].{named} " in refused.value.problems[0].wrong


def test_values_by_item_and_what_has_none(tmp_path):
    right = {f"case{i}": float(i % 5 > 0) for i in range(60)}
    assert assert_not_worse(right, tmp_path / "right.json", update=True).gates[0].measure == "value"
    wrong = right | {f"case{i}": 0.0 for i in range(1, 60, 4)}
    with pytest.raises(AssertionError, match="^value of values is worse than its baseline: 0"):
        assert_not_worse(wrong, tmp_path / "right.json")
    for result in (pc.curve([1, 0], [2.0, 1.0]), pc.decisions([1, 0], [1, 0]), 3, {}):
        with pytest.raises(
            pc.UsageError,
            match=r"report: got \w+, which has no values by topic; give",
        ):
            assert_not_worse(result, tmp_path / "right.json")


def test_what_is_undefined_now_was_not_then(tmp_path):
    values = {f"q{i}": i / 10 for i in range(10)}
    assert_not_worse(values, tmp_path / "v.json", update=True)
    assert assert_not_worse({**values, "q3": math.nan}, tmp_path / "v.json").passed


@pytest.mark.parametrize(
    "choice",
    [
        {"level": 2},
        {"test": "chance"},
        {"margin": -1},
        {"margin": 2},
        {"resamples": 0},
        {"rng": "x"},
        {"measures": "P@3"},
        {"measures": []},
    ],
)
@pytest.mark.parametrize("update", [True, False])
def test_what_is_refused_writes_no_baseline(tmp_path, choice, update):
    with pytest.raises(pc.UsageError):
        assert_not_worse(
            pc.evaluate({"q": {"x": 1}}, {"q": {"x": 1.0}}, "AP"),
            tmp_path / "b.json",
            update=update,
            **choice,
        )
    assert not [*tmp_path.iterdir()]


def test_measures_that_a_baseline_lacks_have_the_names_that_were_typed(tmp_path):
    gold = {f"q{i}": ["a"] for i in range(8)}
    assert_not_worse(pc.evaluate(gold, gold, ["Recall@5"]), tmp_path / "b.json", update=True)
    with pytest.raises(pc.UsageError, match="lacks 'MRR', 'HitRate'"):
        assert_not_worse(
            pc.evaluate(gold, gold, ["Recall@5", "MRR", "HitRate"]), tmp_path / "b.json"
        )
