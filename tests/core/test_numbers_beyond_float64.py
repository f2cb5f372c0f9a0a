"""In files of precall's own a number beyond float64 became infinite without a word, or the command
failed inside.

Older tests put such numbers into data only, where they are refused; trec_eval's own numbers had 400
digits at most.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.cli.main import run
from precall.comparison.baselines import read_baseline, write_baseline
from precall.compat.trec_eval.inputs import whole
from precall.page.record import FORMAT, read_record
from precall.testing import assert_not_worse

NUMBERS = ["1e400", "-1e400", "9" * 310, "9" * 401, "-" + "9" * 401, "9" * 4301]
LARGEST = "17976931348623157" + "0" * 292


def report():
    qrels = {str(i): {"a": 1, "b": 0} for i in range(8)}
    return pc.evaluate(
        qrels, {"run": {str(i): {"a": 1.0, "b": i % 2 * 2.0} for i in range(8)}}, ["AP"]
    )


def thresholds_with(part, value):
    """A file of thresholds in which this stands in the place of a part."""
    learned = pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]).thresholds("scut")
    return json.dumps({**json.loads(learned.to_json()), part: "here"}).replace('"here"', value)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    ("part", "value"), [("values", "[{}, 0.8]"), ("items", "{}"), ("reached", "{}")]
)
def test_of_thresholds(number, part, value, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(thresholds_with(part, value.format(number)))
    with pytest.raises(pc.DataError) as caught:
        pc.read_thresholds(path)
    assert "beyond float64" in str(caught.value) and number[:20] in str(caught.value)


def test_the_largest_is_read(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(thresholds_with("values", f'[{LARGEST}, "inf"]'))
    assert pc.read_thresholds(path).values.tolist() == [float(LARGEST), float("inf")]


@pytest.mark.parametrize("number", NUMBERS)
def test_of_baselines(number, tmp_path):
    path = tmp_path / "b.json"
    write_baseline(report(), path)
    text = path.read_text()
    path.write_text(text.replace("[1.0]", f"[{number}]", 1))
    assert path.read_text() != text
    with pytest.raises(pc.DataError) as caught:
        assert_not_worse(report(), path)
    assert "beyond float64" in caught.value.problems[0].wrong


@pytest.mark.parametrize("cell", ['"1e400"', '"0.5"', "true", "[1]"])
def test_baselines_hold_numbers(cell, tmp_path):
    path = tmp_path / "b.json"
    write_baseline(report(), path)
    path.write_text(path.read_text().replace("[1.0]", f"[{cell}]", 1))
    with pytest.raises(pc.DataError):
        read_baseline(path)


@pytest.mark.parametrize("cell", ['"1e400"', "1e400", '"-1e999"'])
def test_texts_are_quoted_once(cell, tmp_path):
    """Rows and JSON lines had a score "'1e400'"."""
    path = tmp_path / "r.jsonl"
    path.write_text(f'{{"topic": "q", "item": "a", "score": {cell}}}\n')
    number = cell.strip('"')
    for given in (path, [("q", "a", number)], {"q": {"a": number}}):
        with pytest.raises(pc.DataError) as caught:
            pc.read_run(given)
        assert f"score '{number}' is beyond float64" in str(caught.value)


@pytest.mark.parametrize("number", NUMBERS)
def test_of_pages(number, tmp_path):
    path = tmp_path / "p.html"
    inside = json.dumps({"format": FORMAT, "x": [0]}).replace("[0]", f"[{number}]")
    path.write_text(f'<script type="application/json" id="record">{inside}</script>')
    with pytest.raises(pc.DataError) as caught:
        read_record(path)
    assert "beyond float64" in caught.value.problems[0].wrong


def test_what_undefined_counts_as_is_json(tmp_path):
    """Of a loss without a worst value that is NaN, which was written as no JSON has it; such files
    are read.
    """
    path = tmp_path / "b.json"
    write_baseline(replace(report(), zeros=(float("nan"),)), path)

    def refuse(name):
        raise AssertionError(name)

    told = json.loads(path.read_text(), parse_constant=refuse)
    assert told["measures"]["AP"]["undefined"] is None
    (zero,) = read_baseline(path).zeros
    assert zero != zero
    path.write_text(path.read_text().replace('"undefined": null', '"undefined": NaN'))
    (zero,) = read_baseline(path).zeros
    assert zero != zero


@pytest.mark.parametrize("digits", [19, 20, 400, 4300, 4301, 10**5])
def test_longs_of_c(digits):
    assert whole("9" * digits) == 2**63 - 1 and whole("-" + "9" * digits) == -(2**63)
    assert whole("0" * digits + "12x") == 12 and whole("-" + "0" * digits) == 0


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n")


@pytest.mark.parametrize(
    ("typed", "code", "out"),
    [
        (["-M", "9" * 4301, "-m", "num_ret"], 0, "3"),
        (["-N", "9" * 4301, "-m", "num_ret"], 0, "3"),
        (["-l", "9" * 4301, "-m", "num_rel"], 0, "0"),
        (["-l", "-" + "9" * 4301], 1, ""),
        (["-m", "success." + "9" * 4301], 0, "1.0000"),
        (["-m", "P.-" + "9" * 4301], 2, ""),
        (["-q", "-m", "relstring.inf"], 0, "'10-'"),
        (["-q", "-m", "relstring.1e400"], 0, "'10-'"),
        (["-q", "-m", "relstring." + "9" * 4301], 0, "'10-'"),
        (["-q", "-m", "relstring.2"], 0, "'10'"),
        (["-q", "-m", "relstring.nan"], 0, "''"),
        (["-q", "-m", "relstring.-inf"], 0, "''"),
    ],
)
@pytest.mark.parametrize("version", ["10.0", "9.0.8"])
def test_of_trec_eval(typed, code, out, version, files, capsys):
    assert run(["trec_eval", "--as", version, *typed, "q.qrels", "a.run"]) == code
    assert [*capsys.readouterr().out.split(), ""][-2 if out else 0] == out


@pytest.mark.parametrize("number", ["1e400", "9" * 401, "inf", "x", "nan"])
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_weights_are_finite(number, ending, tmp_path):
    """The advice was to write inf, which is refused, too."""
    path = tmp_path / f"w.{ending}"
    shown = {"inf": "Infinity", "nan": "NaN", "x": '"x"'}.get(number, number)
    rows = {
        "csv": f"y,s,w\n1,2,{number}\n0,3,1\n",
        "jsonl": f'{{"y":1,"s":2,"w":{shown}}}\n{{"y":0,"s":3,"w":1}}\n',
    }
    path.write_text(rows[ending])
    with pytest.raises(pc.DataError) as caught:
        read_cases(str(path), "y", ["s"], weight="w")
    assert [problem.remedy for problem in caught.value.problems] == ["give a finite number >= 0"]


@pytest.mark.parametrize(
    "number", ["1e400", 10**400, 10**5000, "x"], ids=["text", "large", "long", "word"]
)
def test_weights_in_python(number):
    with pytest.raises(pc.UsageError) as caught:
        pc.curve([1, 0], [2.0, 3.0], weights=[number, 1])
    assert "inf" not in str(caught.value).replace("finite", "") and "finite" in str(caught.value)
