"""Numbers of NumPy as arguments give the results of Python's.

The older tests passed numbers of Python only. A count of NumPy's int64, such as an element of an
array, was kept in some results: their JSON failed ("'numpy.int64' object is not iterable"), CSV had
"np.int64(50)", and other documents had the text "1" for the number 1.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import PrecallError
from tests.install.test_wrong_kinds import calls, changed_call

#: The forms that hold data.
FORMS = ("to_json", "to_csv", "to_markdown")


def same_in_numpy(value: object) -> Iterator[Any]:
    """The scalars of NumPy that are equal to a number of Python."""
    if type(value) is bool:
        yield np.bool_(value)
    elif type(value) is int and abs(value) < 2**63:
        yield np.int64(value)
    elif type(value) is float:
        yield np.float64(value)
        if np.isnan(value) or float(np.float32(value)) == value:
            yield np.float32(value)


def forms_of(result: object) -> list[str]:
    return [getattr(result, form)() for form in FORMS if hasattr(result, form)]


@pytest.mark.nightly
def test_every_number_of_every_public_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    unlike, tries = [], 0
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for call in calls():
            for name, value in call.arguments.items():
                scalars = list(same_in_numpy(value))
                try:
                    wanted = forms_of(changed_call(call, name, value)()) if scalars else []
                except (PrecallError, OSError):
                    continue  # the example is of an error, or of a file
                for scalar in scalars:
                    tries += 1
                    try:
                        if forms_of(changed_call(call, name, scalar)()) == wanted:
                            continue
                        why = "other forms"
                    except Exception as error:
                        why = f"{type(error).__name__}: {error}"
                    unlike.append(f"{call.name}({name}={scalar!r}): {why}")
    assert unlike == [], "\n".join(unlike)
    assert tries > 300


def test_a_number_of_an_array() -> None:
    plan = pc.compare.plan(deviation=0.1, topics=np.array([50])[0])
    assert plan.to_json() == pc.compare.plan(deviation=0.1, topics=50).to_json()
    assert "topics,50,\n" in plan.to_csv()


def test_a_threshold_and_a_truth_value() -> None:
    labels, scores = [1, 0, 0] * 60, list(range(180))
    for made, wanted in (
        (
            pc.interval.precision_at_threshold(labels, scores, np.int64(90)),
            pc.interval.precision_at_threshold(labels, scores, 90),
        ),
        (
            pc.interval.max_f(labels, scores, higher_is_better=np.True_),
            pc.interval.max_f(labels, scores),
        ),
    ):
        assert forms_of(made) == forms_of(wanted)


def test_a_level_is_meant_in_decimals() -> None:
    scores = [0.1, 0.2, 0.3, 0.5, 0.6, 0.7], [0.2, 0.2, 0.4, 0.4, 0.8, 0.7]
    made = pc.compare.paired(*scores, level=np.float32(0.95))
    wanted = pc.compare.paired(*scores)
    assert type(made.level) is float and made.to_json() == wanted.to_json()


def test_threads_of_numpy() -> None:
    qrels = {"q": {"a": 1}}
    one = pc.evaluate(qrels, {"q": {"a": 1.0}}, "AP", threads=np.int64(1))
    assert one["AP"] == 1
    for wrong in (np.float64(1), np.int64(0), "1"):
        with pytest.raises(pc.UsageError, match="an integer >= 1"):
            pc.evaluate(qrels, {"q": {"a": 1.0}}, "AP", threads=wrong)


def test_a_number_of_numpy_lies_in_an_interval_or_not() -> None:
    interval = pc.interval.precision(30, 10)
    assert np.float32(0.75) in interval and np.int64(1) not in interval
    with pytest.raises(TypeError, match="only a number can lie in an interval, got 'x'"):
        "x" in interval  # noqa: B015
