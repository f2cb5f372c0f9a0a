"""Files as MTEB 2.26.24 writes them: texts made by its own `AbsTask._save_task_predictions` and of
its `TaskResult.to_disk`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.core.notes.of_reading import PartOfFile
from tests.noticed import noticed

QRELS = {"q1": {"d2": 1}, "q2": {"d3": 2}}
META = '{"mteb_model_meta": {"model_name": "org/model", "revision": "abc"}, '
ONE = META + '"default": {"test": {"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d3": 0.125}}}}'
SUBSETS = META + '"en": {"test": {"q1": {"d1": 0.5}}}, "de": {"test": {"q1": {"d1": 0.5}}}}'
SPLITS = META + '"en": {"dev": {"q1": {"d1": 0.5}}, "test": {"q1": {"d1": 0.5}}}}'
RESULTS = """{
  "dataset_revision": "ec0fa4fe99da2ff19ca1214b7966684033a58814",
  "task_name": "NFCorpus",
  "mteb_version": "2.26.24",
  "scores": {"test": [{"ndcg_at_10": 0.316, "main_score": 0.316, "hf_subset": "default", "languages": ["eng-Latn"]}]},
  "evaluation_time": 3.2,
  "kg_co2_emissions": null,
  "date": null
}"""  # noqa: E501


def test_predictions(tmp_path):
    path = tmp_path / "NFCorpus_predictions.json"
    path.write_text(ONE)
    report = pc.evaluate(QRELS, path, "RR")
    assert report.per_topic["value"].tolist() == [1 / 2, 1]
    assert [(note.context, note.names) for note in noticed(report, PartOfFile)] == [
        (("NFCorpus_predictions",), ("'default'", "'test'"))
    ]
    assert len(report.notes()) == 1


def test_predictions_in_memory() -> None:
    """The loaded file was refused, though the file itself is read."""
    predicted = json.loads(ONE)
    for given in (predicted, {"e5": predicted}):
        report = pc.evaluate(QRELS, given, "RR")
        assert report.per_topic["value"].tolist() == [1 / 2, 1]
        assert [note.names for note in noticed(report, PartOfFile)] == [("'default'", "'test'")]


@pytest.mark.parametrize("text", [SUBSETS, SPLITS])
def test_several_runs_in_memory(text: str) -> None:
    predicted = json.loads(text)
    names = "'en', 'de'" if text is SUBSETS else "'dev', 'test'"
    first = "dev" if text is SPLITS else "test"
    with pytest.raises(pc.DataError) as refused:
        pc.evaluate(QRELS, predicted, "RR")
    assert f"holds {names}, one run or" in str(refused.value)
    assert f"such as given['en']['{first}']" in str(refused.value)
    assert pc.read_run(predicted["en"][first]).topics.tolist() == ["q1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            SUBSETS,
            (
                r"holds 'en', 'de', one run .*; save each in a file of its own, or give "
                r"json.load\(file\)\['en'\]\['test'\] in P"
            ),
        ),
        (
            SPLITS,
            (
                r"holds 'dev', 'test', one run .* or give json.load\(file\)\['en'\]\['dev'\] in "
                r"Python; "
            ),
        ),
        (
            RESULTS,
            (
                r"results of MTEB, which are means; .*; name the file that "
                r"mteb.evaluate\(prediction_folder=...\) writes$"
            ),
        ),
    ],
)
def test_what_no_run_is(text, expected, tmp_path):
    path = tmp_path / "NFCorpus.json"
    path.write_text(text)
    for read in (pc.read_run, pc.read_qrels):
        with pytest.raises(pc.DataError, match=expected):
            read(path)


@pytest.mark.parametrize("read", [pc.read_run, pc.read_qrels])
def test_a_result_of_precall_is_no_run(tmp_path: Path, read: Any) -> None:
    """A report was told that its list of measures is no list of ids."""
    report = pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP")
    for result in (report, pc.curve([1, 0], [2.0, 1.0])):
        result.save(tmp_path / "r.json")
        with pytest.raises(pc.DataError, match="a result of precall, which holds no ranking"):
            read(tmp_path / "r.json")
