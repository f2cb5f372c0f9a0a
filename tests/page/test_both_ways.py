"""Whatever `precall report` shows Python gives, too: the same record, but for the files and the
command.
"""

from __future__ import annotations

import csv
import html
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.conventions import signature
from precall.page.record import read_record
from tests.texts import texts

ROOT = Path(__file__).resolve().parents[2]
#: What only files have.
OF_FILES = ("file", "label", "truth", "scores", "qrels", "score", "group", "weight")


def numbers(path):
    """What a page holds, without its files and its command, and with the conventions as a
    dictionary.
    """
    found = read_record(path)
    for name in ("command", "files", "title"):
        del found[name]
    for section in found["sections"]:
        kept = {name: text for name, text in section["conventions"].items() if name not in OF_FILES}
        assert section.pop("signature") == signature(section["conventions"])
        section["conventions"] = kept
    text = json.dumps(found, default=lambda column: column.tolist()).replace("NaN", "null")
    return json.loads(text, object_hook=_without_words)


def _without_words(part):
    """A note has its words as they are read where it was made: in Python, or on the command
    line.
    """
    return {name: value for name, value in part.items() if name != "text" or "values" not in part}


def differences(first, second, place=()):
    """Where two nestings of lists and dictionaries differ."""
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        for key in first:
            yield from differences(first[key], second[key], (*place, key))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for i, pair in enumerate(zip(first, second, strict=True)):
            yield from differences(*pair, (*place, i))
    elif first != second:
        yield place, first, second


def columns(path):
    with Path(path).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.fixture
def both(tmp_path, asked):
    """Compare the page of a command with one that Python writes."""

    def compare(typed, write):
        first, second = tmp_path / "command.html", tmp_path / "python.html"
        code, _, err = asked(*typed, "-o", first)
        assert code == 0, err
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            write(second)
        by_command, by_python = numbers(first), numbers(second)
        assert list(differences(by_command, by_python)) == []
        return by_command["sections"][0]

    return compare


@pytest.fixture
def cases(tmp_path):
    """Three scores of sixty cases in three groups: the file, the labels, the scores and the
    groups.
    """
    rng = np.random.default_rng(4)
    y = (rng.random(60) < 0.4).tolist()
    scores = {
        name: np.round(rng.normal(size=60) + gain * np.array(y), 2).tolist()
        for name, gain in (("a", 2.0), ("b", 0.5), ("c", 1.0))
    }
    groups = [f"{i % 3 * 5}" for i in range(60)]
    path = tmp_path / "cases.csv"
    rows = [
        ",".join(map(str, row)) for row in zip(map(int, y), *scores.values(), groups, strict=True)
    ]
    path.write_text("\n".join(["y,a,b,c,g", *rows]) + "\n")
    return path, y, scores, groups


@pytest.mark.nightly
@pytest.mark.parametrize("correction", ["holm", "none"])
def test_scores_of_cases(both, cases, correction):
    path, y, scores, _ = cases
    typed = [
        "--cases",
        path,
        "--label",
        "y",
        "--correction",
        correction,
        "--seed",
        3,
        "--level",
        0.9,
    ]
    typed += [word for name in scores for word in ("--score", name)]
    section = both(
        typed,
        lambda page: pc.report.cases(y, scores, page, correction=correction, rng=3, level=0.9),
    )
    assert [(one["a"] + one["b"], one["measure"]) for one in section["pairs"]] == [
        (pair, measure) for measure in ("AP", "AUC") for pair in ("ab", "ac", "bc")
    ]


@pytest.mark.nightly
def test_groups_of_cases(both, cases):
    path, y, scores, groups = cases
    section = both(
        ["--cases", path, "--label", "y", "--score", "a", "--group", "g"],
        lambda page: pc.report.cases(y, {"a": scores["a"]}, page, groups=groups),
    )
    assert [one["name"] for one in section["systems"]] == ["a, 0", "a, 5", "a, 10"]


def test_weighted_cases_of_which_low_scores_are_good(tmp_path, both):
    path = tmp_path / "cases.csv"
    y, score, weights = (
        [1, 0, 1, 0, 0, 1] * 9,
        [i % 7 for i in range(54)],
        [1 + i % 2 for i in range(54)],
    )
    rows = [f"{a},{b},{c}" for a, b, c in zip(y, score, weights, strict=True)]
    path.write_text("\n".join(["y,s,w", *rows]) + "\n")
    typed = ["--cases", path, "--label", "y", "--score", "s", "--weight", "w", "--lower-is-better"]
    both(
        typed,
        lambda page: pc.report.cases(
            y, {"s": score}, page, weights=weights, higher_is_better=False
        ),
    )


@pytest.mark.nightly
def test_runs(both):
    folder = ROOT / "examples" / "digits"
    runs = [str(folder / f"{name}.run") for name in ("pixels", "components", "profiles")]
    qrels = str(folder / "digits.qrels")
    typed = [qrels, *runs, "-m", "AP", "-m", "E@10", "--resamples", 500, "--depth", 20]
    section = both(
        typed,
        lambda page: pc.report.runs(qrels, runs, page, ["AP", "E@10"], resamples=500, depth=20),
    )
    assert section["laws"] and section["hits"]["eleven"] and section["pairs"]


def test_gates_of_runs(tmp_path, asked):
    """Their verdict is the first sentence; page, --from and Python have the same, and the command
    fails as compare does.
    """
    folder = ROOT / "examples" / "digits"
    qrels, runs = (
        str(folder / "digits.qrels"),
        [str(folder / f"{name}.run") for name in ("pixels", "profiles")],
    )
    typed = [
        qrels,
        *runs,
        "-m",
        "P@10",
        "--chance",
        "none",
        "--fail-if-worse",
        "AP:0.01",
        "--fail-if-worse",
        "any",
    ]
    code, _, err = asked(*typed, "-o", tmp_path / "command.html")
    gates = pc.compare.gates(pc.evaluate(qrels, runs, ["P@10", "AP"]), {"AP": 0.01, "any": None})
    assert code == 1 and err.splitlines() == [
        f"precall: failed: {gate.sentence}" for gate in gates.gates
    ]
    pc.report.runs(
        qrels,
        runs,
        tmp_path / "python.html",
        ["P@10", "AP"],
        chance="none",
        worse={"AP": 0.01, "any": None},
    )
    assert (
        list(differences(numbers(tmp_path / "command.html"), numbers(tmp_path / "python.html")))
        == []
    )
    found = read_record(tmp_path / "command.html")
    assert (
        texts(found["headline"])[0]
        == gates.verdict
        == (
            "Failed: P@10 of profiles is worse than that of pixels; "
            "a loss of 0.01 or more of AP against pixels could not be ruled out for profiles "
            "(2 of 2 gates)."
        )
    )
    text = html.unescape((tmp_path / "command.html").read_text(encoding="utf-8"))
    assert ">Gates</h2>" in text and all(
        f"<li>{gate.sentence}</li>" in text for gate in gates.gates
    )
    code, told, _ = asked("--from", tmp_path / "command.html", "--format", "csv")
    rows = [row for row in csv.DictReader(told.splitlines()) if row["statistic"].startswith("gate")]
    assert code == 0 and [float(row["value"]) for row in rows] == [
        value for gate in gates.gates for value in (gate.value, gate.p, gate.passed)
    ]


def test_a_baseline_of_runs(both):
    folder = ROOT / "examples" / "digits"
    qrels, *runs = [
        str(folder / name)
        for name in ("digits.qrels", "components.run", "pixels.run", "profiles.run")
    ]
    typed = [qrels, *runs, "-m", "AP", "--chance", "none", "--baseline", "pixels"]
    section = both(
        typed,
        lambda page: pc.report.runs(qrels, runs, page, ["AP"], chance="none", baseline="pixels"),
    )
    assert (
        section["pairs"]["baseline"] and len(section["pairs"]["a"]) == 2 and "gates" not in section
    )


@pytest.mark.nightly
def test_gates_that_cannot_be(asked, tmp_path):
    folder = ROOT / "examples" / "digits"
    two = [
        folder / "digits.qrels",
        folder / "pixels.run",
        folder / "profiles.run",
        "-o",
        tmp_path / "page.html",
    ]
    code, _, err = asked(*two, "--baseline", "x")
    assert code == 2 and "--baseline: got 'x', the runs are pixels, profiles" in err
    code, _, err = asked(*two, "-m", "NumRet", "--fail-if-worse", "any")
    assert (
        code == 2 and "--fail-if-worse: any: of NumRet neither high nor low values are good" in err
    )
    code, _, err = asked(*two[:2], *two[3:], "--fail-if-worse", "AP")
    assert (
        code == 2
        and "--fail-if-worse: applies to comparisons, but there is one run; leave it out" in err
    )


def test_runs_whose_ties_are_open(both):
    folder = ROOT / "examples" / "digits"
    qrels, run = str(folder / "digits.qrels"), str(folder / "pixels.run")
    typed = [qrels, run, "-m", "AP", "--ties", "expected"]
    section = both(typed, lambda page: pc.report.runs(qrels, run, page, ["AP"], ties="expected"))
    assert not section["laws"]


@pytest.mark.nightly
def test_lists_of_ids(both, tmp_path):
    rng = np.random.default_rng(6)
    for name in ("old", "new"):
        rows = [
            {"query": f"q{i}", "retrieved": rng.permutation(9).tolist(), "gold": [1, 2, 10]}
            for i in range(12)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("old", "new")]
    gold, runs = pc.read_lists(paths[0])[0], [pc.read_lists(path)[1] for path in paths]
    section = both(
        ["--lists", paths[0], "--lists", paths[1], "-m", "Recall@5"],
        lambda page: pc.report.runs(gold, runs, page, ["Recall@5"]),
    )
    assert section["systems"] == ["old", "new"] and section["pairs"]


def test_categories(both):
    path = ROOT / "examples" / "cases" / "digits.csv"
    table = columns(path)
    scores = list(zip(*([float(one) for one in table[f"p{i}"]] for i in range(10)), strict=True))
    status = pc.categorize(table["truth"], scores, [str(i) for i in range(10)])
    typed = ["--truth", "truth", "--scores", "p*", path, "--policy", "max-f", "--undefined", "omit"]
    both(typed, lambda page: pc.report.categories(status, page, policy="max-f", undefined="omit"))


def test_what_is_not_allowed(tmp_path):
    page = tmp_path / "page.html"
    with pytest.raises(pc.UsageError, match="scores: must be"):
        pc.report.cases([1, 0], {}, page)
    with pytest.raises(
        pc.DataError, match=r"groups: case 1 has none \(None\); give every case one"
    ):
        pc.report.cases([1, 0], {"s": [0.5, 0.25]}, page, groups=["a", None])
    with pytest.raises(pc.UsageError, match="groups: must be one per item"):
        pc.report.cases([1, 0], {"a": [2.0, 1.0]}, page, groups=["x"])
    with pytest.raises(pc.UsageError, match="chance: "):
        pc.report.runs({"q": {"a": 1}}, {"q": {"a": 1.0}}, page, chance="worst")
    assert not page.exists()


def test_a_page_of_lists_is_read_back(tmp_path, capsys):
    """It was refused as damaged: facts of its notes are nested lists."""
    from precall.cli.main import run

    rows = [{"query": f"q{i}", "gold": ["a", "b"], "retrieved": ["a", "x", "b"]} for i in range(4)]
    source, page = tmp_path / "rag.jsonl", tmp_path / "p.html"
    source.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    assert (
        run(["report", "--lists", str(source), "-m", "Recall@5", "-m", "MRR", "-o", str(page)]) == 0
    )
    again = tmp_path / "again.html"
    assert run(["report", "--from", str(page), "--format", "html", "-o", str(again)]) == 0
    assert again.read_bytes() == page.read_bytes()
    assert run(["report", "--from", str(page)]) == 0
    assert "Recall@5" in capsys.readouterr().out
