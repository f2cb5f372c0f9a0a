"""The part of a nested file that an error names can be read.

The old tests nested runs once; of a file with two more levels the first key alone was named.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import precall as pc

RANKED = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}


def nested(part: Any, *levels: tuple[str, ...]) -> Any:
    """The same part under every name of every level."""
    for names in reversed(levels):
        part = dict.fromkeys(names, part)
    return part


LEVELS = {
    "one": [("en", "de")],
    "two": [("en", "de"), ("bm25", "dense")],
    "two, one of a kind": [("en", "de"), ("test",)],
    "three": [("default",), ("en", "de"), ("test",), ("bm25", "dense")],
}


@pytest.mark.parametrize("levels", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize(
    ("read", "part"),
    [
        (pc.read_run, RANKED),
        (pc.read_qrels, JUDGED),
        (pc.read_qrels, {"q1": ["a"], "q2": ["c"]}),
    ],
    ids=["run", "qrels", "lists"],
)
def test_what_is_named_can_be_read(
    read: Callable[[Any], Any], part: Any, levels: list[tuple[str, ...]], tmp_path: Path
) -> None:
    given = nested(part, *levels)
    path = tmp_path / "nested.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    for source in (path, given):
        with pytest.raises(pc.DataError) as caught:
            read(source)
        text = str(caught.value)
        found = json.loads(path.read_text(encoding="utf-8"))
        for key in re.findall(r"\['(\w+)'\]", text):
            found = found[key]
        assert read(found).topics.tolist() == read(part).topics.tolist(), text


@pytest.mark.parametrize("levels", LEVELS.values(), ids=LEVELS)
def test_each_part_can_have_a_file_of_its_own(
    levels: list[tuple[str, ...]], tmp_path: Path
) -> None:
    document = nested(RANKED, *levels)
    path = tmp_path / "part.json"
    for _ in range(len(levels)):
        path.write_text(json.dumps(document), encoding="utf-8")
        try:
            assert pc.read_run(path).topics.tolist() == [*RANKED]
            return
        except pc.DataError as error:
            name = re.findall(r"holds '(\w+)'", str(error))[0]
        while name not in document:
            document = next(iter(document.values()))
        document = document[name]
    path.write_text(json.dumps(document), encoding="utf-8")
    assert pc.read_run(path).topics.tolist() == [*RANKED]
