"""Of a key that is twice in an object of JSON lines the last value was taken, without a word; JSON
and CSV refused it.

Older tests repeated keys in `.json` only.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.comparison.baselines import read_baseline
from precall.hard_decisions import read_thresholds
from precall.hard_decisions.table_io import read_decisions, read_status

TWICE = "{!r} is twice in one object; remove or rename one"
ROWS = {
    "run": (
        '{"qid": "q", "docno": "a", "score": 1, "score": 2}',
        "score",
        lambda path: pc.read_run(path),
    ),
    "qrels": (
        '{"qid": "q", "docno": "a", "relevance": 1, "relevance": 0}',
        "relevance",
        lambda path: pc.read_qrels(path),
    ),
    "lists": (
        '{"query": "q", "retrieved": ["a"], "gold": ["a"], "gold": ["b"]}',
        "gold",
        lambda path: pc.read_lists(path),
    ),
    "scores in lists": (
        '{"query": "q", "retrieved": {"a": 1, "a": 2}, "gold": ["a"]}',
        "a",
        lambda path: pc.read_lists(path),
    ),
    "cases": ('{"y": 1, "s": 0.5, "s": 0.7}', "s", lambda path: read_cases(path, "y", ["s"])),
    "scan": (
        '{"y": 1, "y": 0, "s": 0.5}',
        "y",
        lambda path: pc.ScoredCases.scan(path, label="y", score="s"),
    ),
    "decisions": (
        '{"t": "a", "p": "b", "p": "a"}',
        "p",
        lambda path: read_decisions(path, "t", "p"),
    ),
    "sets": (
        '{"t": ["a"], "p": ["b"], "p": ["a"]}',
        "p",
        lambda path: read_decisions(path, "t", "p"),
    ),
    "categories": (
        '{"t": "a", "pa": 0.5, "pa": 0.1}',
        "pa",
        lambda path: read_status(path, "t", "p*"),
    ),
}


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("line", [1, 2])
def test_in_json_lines(kind, line, tmp_path):
    row, key, read = ROWS[kind]
    plain = json.dumps(json.loads(row)).replace('"q"', '"r"')
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([row, plain][:: 1 if line == 1 else -1]) + "\n")
    with pytest.raises(pc.DataError) as caught:
        read(str(path))
    assert f":{line}: {TWICE.format(key)}" in str(caught.value)


def test_other_keys_may_be(tmp_path):
    """What is not read changes nothing, by the quick way and by the other."""
    path = tmp_path / "x.jsonl"
    for more in ("", ', "z": {"a": [1]}', ', "z": NaN'):
        path.write_text(
            f'{{"t": "a", "p": "a", "note": 1, "note": 2{more}}}\n{{"t": "b", "p": "a"}}\n'
        )
        assert read_decisions(str(path), "t", "p").accuracy() == 0.5


def test_in_what_is_kept(tmp_path):
    status = pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    path = tmp_path / "t.json"
    path.write_text(
        status.thresholds("max-f")
        .to_json()
        .replace('"learned":', '"learned": false, "learned":', 1)
    )
    with pytest.raises(pc.DataError, match="'learned' is twice in one object"):
        read_thresholds(str(path))
    Path(tmp_path / "b.json").write_text('{"format": 1, "format": 2}')
    with pytest.raises(pc.DataError, match="is no baseline"):
        read_baseline(tmp_path / "b.json")
