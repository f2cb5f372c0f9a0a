"""What was reported of other tools, tried here: docs/why/verification.md has a table of them."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from pathlib import Path

import pytest

import precall as pc
from precall.core.errors import DataError, NoCommonTopic
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.core.notes.of_spans import IllegalTags
from tests.noticed import warned
from tests.peers import peer

ROOT = Path(__file__).resolve().parents[2]
RUN = "q1 Q0 b 1 2.0 x\nq1 Q0 a#1 2 1.0 x\nq2 Q0 c 1 1.0 x\n"


def test_lines_that_are_remarks(tmp_path: Path) -> None:
    """usnistgov/trec_eval#20. Ids that hold a # stay whole: reading them as remarks was #46."""
    qrels, run = tmp_path / "a.qrels", tmp_path / "a.run"
    qrels.write_text("# by hand\nq1 0 a#1 1\nq1 0 b 0\n# q2\nq2 0 c 1\n", encoding="utf-8")
    run.write_text("# bm25\n" + RUN, encoding="utf-8")
    assert pc.evaluate(qrels, run, ["RR"])["RR"] == 0.75


@pytest.mark.parametrize("topics", ["both", "qrels"])
def test_no_topic_in_common(topics: str) -> None:
    """usnistgov/trec_eval#46"""
    with pytest.raises(NoCommonTopic, match=r"'1\.X'"):
        pc.evaluate({"1.X": {"a": 1}}, {"1": {"a": 1.0}}, ["AP"], topics=topics)


def test_an_item_twice_in_a_topic(tmp_path: Path) -> None:
    """TREMA-UNH/trec-car-tools#9"""
    run = tmp_path / "a.run"
    run.write_text("q1 Q0 a 1 2 x\nq1 Q0 a 2 1 x\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.run:2: .* twice \(first at line 1\)"):
        pc.read_run(run)


def test_scores_that_are_integers() -> None:
    """cvangysel/pytrec_eval#6"""
    for score in (10000, peer("numpy").float32(10000)):
        assert pc.evaluate({"151": {"d": 1}}, {"151": {"d": score}}, ["AP"])["AP"] == 1


def test_judgements_in_a_dict_with_a_default() -> None:
    """cvangysel/pytrec_eval#52"""
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    qrels["1"]["31715818"] = 1
    assert pc.evaluate(qrels, {"1": {"31715818": 1.0}}, ["nDCG@1"])["nDCG@1"] == 1


def test_a_topic_without_judgements_does_not_touch_the_next() -> None:
    """cvangysel/pytrec_eval#49"""
    ranked = {"d1": 2.0, "d2": 1.0}
    qrels = {"q1": {"d1": 0, "d2": 1}, "q2": {}, "q3": {"d1": 0, "d2": 1}}
    report = pc.evaluate(qrels, dict.fromkeys(qrels, ranked), ["AP"])
    assert report.values_by_run("AP") == {"run": {"q1": 0.5, "q2": 0, "q3": 0.5}}


def test_tags_without_types() -> None:
    """chakki-works/seqeval#46"""
    truth = [["O", "O", "O", "B", "I", "I", "O"], ["B", "I", "O"]]
    predicted = [["O", "O", "B", "I", "I", "I", "O"], ["B", "I", "O"]]
    assert pc.decisions.spans(truth, predicted).f(average="micro") == 0.5


@pytest.mark.parametrize("tags", [["ADJ", "CONJ", "X"], ["ORGANIZATION", "O"]])
def test_labels_that_are_no_tags(tags: list[str]) -> None:
    """chakki-works/seqeval#75, chakki-works/seqeval#45"""
    with pytest.raises(DataError, match=r"no prefix.*pc\.decisions"):
        pc.decisions.spans([tags], [tags])
    assert set(pc.decisions(tags, tags).table.to_dict()["category"]) == set(tags)


def test_types_that_hold_the_separator() -> None:
    """chakki-works/seqeval#34"""
    found = pc.decisions.spans([["B-XX-YY", "B-ZZ-YY"]], [["B-XX-YY", "B-XX-YY"]])
    assert found.table.to_dict()["category"] == ["XX-YY", "ZZ-YY"]


def test_a_span_that_does_not_begin_with_b() -> None:
    """chakki-works/seqeval#23"""
    truth, predicted = [["B-Phone", "I-Phone"]], [["I-Phone", "I-Phone"]]
    for illegal, wanted in (("keep", 1), ("drop", 0)):
        with warned(IllegalTags):
            found = pc.decisions.spans(truth, predicted, scheme="IOB2", illegal=illegal)
        assert found.f(average="micro") == wanted


def test_a_span_that_has_no_end_is_told() -> None:
    """chakki-works/seqeval#95: B-MISC was gone from the table in silence."""
    truth = [["B-PER", "L-PER", "O", "B-MISC"]]
    with warned(IllegalTags):
        pc.decisions.spans(truth, truth, scheme="BILOU", illegal="drop")


def test_sentences_of_unlike_length() -> None:
    """HIT-ICES/AL-NER#6: which sentence it is was not said."""
    with pytest.raises(DataError, match="unit 1 has 2 true tags and 1 predicted tag"):
        pc.decisions.spans([["O"], ["O", "B-PER"]], [["O"], ["O"]])


def test_spans_of_other_tools() -> None:
    """MantisAI/nervaluate#3"""
    prodigy = {"label": "PER", "start": 0, "end": 2, "token_start": 0, "token_end": 1}
    hugging_face = {"entity_group": "PER", "start": 0, "end": 2, "score": 0.9}
    found = pc.decisions.spans([[prodigy]], [[hugging_face]])
    assert found.f(average="micro") == 1


def test_labels_that_are_words() -> None:
    """scikit-learn/scikit-learn#12312: NaN, or an error that named nothing."""
    words, scores = ["No", "Yes", "Yes", "No"], [0.4, 0.7, 0.3, 0.2]
    with pytest.raises(DataError, match="positive="):
        pc.average_precision(words, scores)
    value = pc.average_precision(words, scores, positive="Yes")
    assert value == pytest.approx((1 + 2 / 3) / 2)


def test_labels_that_are_all_alike() -> None:
    """Lightning-AI/torchmetrics#2494: 0, 1 or NaN, by the function."""
    relevant, others = (pc.curve([label] * 3, [0.3, 0.2, 0.1]) for label in (1, 0))
    assert relevant.average_precision() == 1
    for value in (relevant.area_under_roc, others.area_under_roc, others.average_precision):
        with warned(UndefinedMeasure):
            assert math.isnan(value())


@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")
def test_the_table_has_them_all() -> None:
    page = (ROOT / "docs" / "why" / "verification.md").read_text(encoding="utf-8")
    name = re.compile(r"[\w.-]+/[\w.-]+#[0-9]+")
    of_tests = {
        found
        for test in globals().values()
        if callable(test)
        for found in name.findall(getattr(test, "__doc__", None) or "")
    }
    assert set(name.findall(page)) == of_tests
