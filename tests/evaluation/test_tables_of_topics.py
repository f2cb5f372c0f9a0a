"""`print(report.per_topic)` has the run, the topic and the measure beside every value, and as many
digits as tables have.

At 80 columns long ids parted values from topics: only the first column was repeated, and values had
all digits.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import precall as pc
from precall.results.sheets import Table

LONG = {f"topic-number-{i}-of-a-collection-with-long-ids": {"a": 1, "b": 1} for i in range(4)}
RUNS = {
    f"run-{n}-with-a-long-name": {q: {"x": 3.0, "a": 2.0 - n, "b": 1.0} for q in LONG}
    for n in range(2)
}


@pytest.fixture(scope="module")
def table():
    return pc.evaluate(LONG, RUNS, ["nDCG@10", "AP"]).per_topic


def test_keys_stand_beside_every_value(table):
    lines = str(table).splitlines()
    assert lines[0].split() == ["run", "topic", "measure", "value"] and len(lines) == 12
    rows = zip(lines[1:-1], *table.to_dict().values(), strict=False)
    for line, run, topic, measure, value in rows:
        assert line.split() == [run, topic, measure, f"{value:.4f}"]


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_other_forms_have_the_same_digits(table, form):
    text = (
        table.sheet()._repr_html_()
        if form == "html"
        else str(table.sheet())
        if form == "table"
        else getattr(table, f"to_{form}")()
    )
    assert not re.search(r"\d\.\d{5,}", text.replace("precall", "")), text


def test_blocks_repeat_all_keys():
    rng = np.random.default_rng(0)
    columns = {"run": ["one-run"] * 3, "topic": [f"a-topic-with-a-long-id-{i}" for i in range(3)]}
    columns |= {f"measure-{i}-of-many": rng.random(3) for i in range(6)}
    blocks = str(Table(columns)).split("\n\n")
    assert len(blocks) > 1
    for block in blocks:
        head, *rows = block.splitlines()
        assert head.split()[:2] == ["run", "topic"] and len(rows) == 3
        assert all(
            row.split()[1] == topic for row, topic in zip(rows, columns["topic"], strict=True)
        )
        assert max(map(len, block.splitlines())) <= 80


def test_digits_by_column():
    table = pc.curve([1, 0, 1], [0.123456789, 0.5, 1e-9]).table
    lines = [line.split() for line in str(table).splitlines()]
    assert [line[0] for line in lines] == ["threshold", "inf", "0.5", "0.123457", "1e-09"]
    assert lines[-1][5:] == ["0.6667", "1.0000", "0.0000"] and lines[1][5] == "undef"
    # Data keep every digit.
    assert table.to_dict()["threshold"][2] == 0.123456789
    assert "0.123456789" in table.to_csv()


def test_what_is_left_out_is_counted():
    assert str(Table({"name": ["a"] * 16, "value": np.zeros(16)})).endswith("\n... 6 more rows")
    assert str(Table({"name": ["a"] * 70, "value": np.zeros(70)})).endswith("\n... 60 more rows")
    assert str(Table({})) == "" and str(Table({"only": ["a"]})) == "only\na"
