"""What the tests of `curve`, `decisions` and `categories` share: six cases, and how outcomes are
looked at.
"""

from __future__ import annotations

import json
import re

import pytest

ROWS = [
    # label, kind, s, t, fold, weight
    (1, "yes", 0.9, 5.0, "x", 1),
    (0, "no", 0.8, 1.0, "x", 2),
    (1, "yes", 0.8, 4.0, "y", 1),
    (0, "no", 0.3, 2.0, "y", 1),
    (1, "yes", 0.2, 3.0, "x", 3),
    (0, "no", 0.1, 0.5, "y", 0),
]
NAMES = ["label", "kind", "s", "t", "fold", "w"]
LABEL = [row[0] for row in ROWS]
S = [row[2] for row in ROWS]
T = [row[3] for row in ROWS]
BASE = ("curve", "cases.csv", "--label", "label", "--score", "s")


def text(separator=",", rows=ROWS, names=NAMES):
    lines = [names, *rows]
    return "".join(separator.join(map(str, line)) + "\n" for line in lines)


def told(outcome):
    assert outcome.code == 0 and outcome.err == "", outcome.err
    return json.loads(outcome.out, parse_constant=pytest.fail)


def refused(outcome, message):
    lines = outcome.err.splitlines()
    assert outcome.code == 2 and outcome.out == ""
    assert lines and all(line.startswith("precall: error: ") for line in lines), outcome.err
    assert re.fullmatch("precall: error: " + message, lines[0]), lines[0]
    return lines
