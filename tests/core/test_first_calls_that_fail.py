"""Calls that people try first ended in Python's own errors, or were read as something else; advice
could not be taken.

Older tests took the calls of the documentation.
"""

import re

import numpy as np
import pytest

import precall as pc
from precall.cases.table import measure_cases, read_cases
from precall.measures import REGISTRY
from precall.results.sheets import Table

CURVE = pc.curve([1, 0, 1, 0, 1], [0.5, 0.4, 0.3, 0.2, 0.1])
STATUS = pc.categorize(["a", "b", "a"], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], ["a", "b"])

CALLS = {
    r"pc.interval\(pc.curve\(y, s\), 'AUC'\)": lambda: pc.interval([1, 0], [2, 1], "AP"),
    "pass the others by name, such as level=.95": lambda: pc.interval([0.1, 0.3], "AP", "t"),
    "got OperatingPoint, .*precision_at_threshold": lambda: pc.interval(CURVE.at(recall=0.5)),
    'cost: must be costs by name, such as {"fp": 1, "fn": 20}, got tuple': lambda: CURVE.at(
        cost=(1, 20)
    ),
    "got 0.5 without a name; name it, such as at.threshold=0.5.": lambda: CURVE.at(0.5),
    "no condition 'recal', did you mean 'recall'; allowed are threshold, ": lambda: CURVE.at(
        recal=0.9
    ),
    "recall: must be a number in 0..1, got '0.9'": lambda: CURVE.at(recall="0.9"),
    "recall: must be in 0..1, got 1.5": lambda: CURVE.at(recall=1.5),
    "got Status and Status; pass what both decide": lambda: pc.compare(STATUS, STATUS, "AUC"),
    "thresholds.'fixed:0.5'.; others of your own by pc.decisions": lambda: STATUS.decide(
        [0.5, 0.5]
    ),
    "to_csv.*: takes nothing and returns a text, got 'x.csv'; .* .save.path.": lambda: CURVE.to_csv(
        "x.csv"
    ),
    "to_html.*: takes nothing and returns a text, got 'x'": lambda: CURVE.to_html("x"),
    "to_json.*: takes nothing and returns a text, got 'indent'": lambda: CURVE.to_json(indent=2),
}


@pytest.mark.parametrize(("message", "call"), CALLS.items(), ids=CALLS)
def test_calls(message, call) -> None:
    with pytest.raises(pc.UsageError, match=message):
        call()


def test_tables(tmp_path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("y,ml\n1,2\n0,1\n")
    with pytest.raises(
        pc.UsageError, match=r"scores: must be a list of columns, got 'ml'; pass \['ml'\]"
    ):
        read_cases(str(path), "y", "ml")
    with pytest.raises(pc.UsageError, match="at: must be conditions by name, such as .*, got list"):
        measure_cases(read_cases(str(path), "y", ["ml"]), at=[0.5])


RESULTS = {
    "curve": CURVE,
    "point": CURVE.at(recall=0.5),
    "yes or no": pc.decisions([1, 0, 1], [1, 1, 0]),
    "categories": pc.decisions(list("abca"), list("abcc")),
    "interval": pc.interval.precision(30, 20),
}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_advised_can_be_written(result) -> None:
    advised = 0
    for name in [
        *(each.name for each in REGISTRY),
        "f1",
        "mcc",
        "auc",
        "ap",
        "ndcg",
        "macro_f",
        "p_at_5",
    ]:
        with pytest.raises(AttributeError) as caught:
            if hasattr(type(result), name):
                raise AttributeError
            getattr(result, name)
        if written := re.search("; write (.*)$", str(caught.value)):
            written = written[1].replace("(curve)", "(result)")
            made = eval(written if written.startswith("pc.") else f"result{written}")
            assert isinstance(made, Table) or np.ndim(made) <= 1
            advised += 1
    assert bool(advised) == (result is not RESULTS["interval"])
