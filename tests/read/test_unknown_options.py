"""An option that a function does not have is refused, and one that is spelled alike is named."""

from __future__ import annotations

import pytest

import precall as pc
from precall.read.readers import read_runs

QRELS, RUN = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 2.0, "b": 1.0}}
ROWS = [{"system": "one", "topic": "q1", "item": "a", "score": 1.0}]
LISTS = [{"query": "q1", "retrieved": ["a"], "gold": ["a"]}]
LABELS, SCORES = [1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.8, 0.4, 0.3, 0.1]
CALLS = {
    "read_run": (lambda **options: pc.read_run(RUN, **options), "duplicates"),
    "read_runs": (lambda **options: read_runs(ROWS, "system", **options), "score_dtype"),
    "read_qrels": (lambda **options: pc.read_qrels(QRELS, **options), "columns"),
    "read_lists": (lambda **options: pc.read_lists(LISTS, **options), "duplicates"),
    "roc_band": (lambda **options: pc.interval.roc_band(LABELS, SCORES, **options), "resamples"),
    "curve": (lambda **options: pc.curve(LABELS, SCORES, **options), "weights"),
    "evaluate": (lambda **options: pc.evaluate(QRELS, RUN, ["AP"], **options), "undefined"),
}


@pytest.mark.parametrize("name", CALLS)
def test_unknown_options_are_refused(name: str):
    call, option = CALLS[name]
    with pytest.raises(TypeError, match=rf"{name}\(\) .*'nonsense'"):
        call(nonsense=3)
    with pytest.raises(TypeError, match=rf"'{option[:-1]}'. Did you mean '{option}'\?$"):
        call(**{option[:-1]: 3})


def test_runs_of_one_table_take_what_a_run_takes():
    rows = [*ROWS, {"system": "one", "topic": "q1", "item": "b", "score": 3.0}]
    runs = read_runs(rows, "system", lower_is_better=True)
    assert runs["one"].items.tolist() == ["a", "b"]
