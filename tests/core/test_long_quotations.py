"""What messages quote has any length: ids, scores, labels, names, paths and options; an error was
10 MB of one id.

Tests of long values gave them to readers, whose kernels cut them; ids that were read rightly, and
options, were quoted whole.
"""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.errors import DataError, Problem, UsageError
from precall.core.text import shorten_quotations
from precall.testing import assert_not_worse
from tests.core.test_saving import ENVIRONMENT

LONG = "x" * 100_000
WORDS = "a b " * 25_000
QUOTES = 'it\'s "so" ' * 10_000
#: A line of an error, with all its parts.
MOST = 4_200


@pytest.mark.parametrize(
    "text", [LONG, WORDS, QUOTES, "\0\u202e" * 50_000, "\\'" * 50_000, "\U0001f600" * 50_000]
)
def test_quotations_are_cut_and_what_stands_around_them_stays(text: str) -> None:
    for quoted in (repr(text), f'"{text}"' if '"' not in text else repr(text)):
        made = str(
            UsageError(
                f"--label: got {quoted}, allowed are 'a', \"b\"; don't leave the others' out"
            )
        )
        assert made.startswith("--label: got ") and made.endswith(
            ", allowed are 'a', \"b\"; don't leave the others' out"
        )
        assert len(made) < MOST and "characters)" in made


def test_what_is_not_quoted_is_cut_too() -> None:
    assert len(str(UsageError(f"--x: got {LONG}; remove it"))) < 320
    made = str(UsageError(f"--x: got {WORDS}; remove it"))
    assert len(made) < MOST and made.startswith("--x: got a b") and "characters)" in made
    assert (
        len(str(DataError([Problem(LONG, 3, f"topic {LONG!r}", "remove it", kind="long")] * 30)))
        < MOST
    )
    assert len(str(pc.PrecallWarning(LONG))) < 320


@pytest.mark.parametrize(
    "text", ["", "short", "one 'quoted' text, \"two\"", "x" * 240, "'" + "y" * 240 + "'", "a\nb\n"]
)
def test_others_stay_as_they_are(text: str) -> None:
    assert shorten_quotations(text) == text


def test_a_path_keeps_its_beginning_and_its_end() -> None:
    path = "/data/" + "folder/" * 100 + "run.txt"
    made = shorten_quotations(f"{path}:3: no")
    assert made.startswith("/data/folder/") and "folder/run.txt:3 (" in made and len(made) < 320


@pytest.mark.parametrize(
    "text",
    [
        f"no measure '{LONG}'; see all",
        f"{LONG}: too long",
        f"got {LONG}, {LONG}",
        f"{'word ' * 10_000}'a b'",
        f"{LONG}\n'{WORDS}'",
        *(
            f"'{'x' * size}' and {'y' * size}: {'z ' * size}"
            for size in (*range(170, 250), 1500, 1990, 2010)
        ),
    ],
)
def test_what_is_cut_is_not_cut_again(text: str) -> None:
    """Errors of commands were cut where they were made and where they were said: "(243 characters)
    (120,000 characters)".
    """
    once = shorten_quotations(text)
    assert shorten_quotations(once) == once


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The inputs that lines name: c.csv, q, r and r2."""
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text("y,s\n1,2\n0,1\n", encoding="utf-8")
    Path("q").write_text("q 0 a 1\n", encoding="utf-8")
    for name in ("r", "r2"):
        Path(name).write_text("q Q0 a 1 2 x\n", encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("explain {}", [100_000]),
        ("eval q r -m {}", [100_000]),
        ("eval q r --memory {}", [100_000]),
        ("eval q r --plugin {}", [100_000, 100_000]),
        ("eval q {}", [100_000]),
        ("trec_eval q {}", [100_000]),
        ("compare q r r2 --fail-if-worse AP:{}", [100_003, 100_000]),
        ("curve c.csv --label y --score s --at {}", [100_000]),
        ("curve c.csv --label y --score s --at cost={}", [100_005, 100_000]),
        ("curve c.csv --label y --score s --level {}", [100_000]),
        ("null --items 9 --relevant 3 --ndcg --grades {}", [100_000]),
        ("null --items 9 --relevant 3 --ap {}", [100_000]),
    ],
)
def test_the_length_that_is_said_is_that_of_what_was_typed(
    line: str, said: list[int], files: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([word.replace("{}", LONG) for word in line.split()]) == 2
    told = re.findall(r"\(([0-9,]+) characters\)", capsys.readouterr().err)
    assert [int(size.replace(",", "")) for size in told] == said


QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 2.0, "b": 1.0}}
LABELS, SCORES = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
CALLS: dict[str, Callable[[str], Any]] = {
    "topics in common": lambda text: pc.evaluate({text: {"a": 1}}, RUN, "AP"),
    "an item twice": lambda text: pc.read_run([("q", text, 1), ("q", text, 2)]),
    "a score": lambda text: pc.read_run({"q": {"a": text}}),
    "a grade": lambda text: pc.read_qrels([("q", "a", text)]),
    "a measure": lambda text: pc.measure(text),
    "a parameter": lambda text: pc.measure(f"AP({text}=1)"),
    "its value": lambda text: pc.measure(f"AP(grade={text})"),
    "a choice": lambda text: pc.evaluate(QRELS, RUN, "AP", ties=text),
    "a name": lambda text: pc.compare(
        pc.evaluate(QRELS, {"a": RUN, "b": RUN}, "AP"), baseline=text
    ),
    "names": lambda text: pc.compare(
        pc.evaluate(QRELS, {text + "a": RUN, text + "b": RUN}, "AP"), baseline="c"
    ),
    "a label": lambda text: pc.curve([1, 0, text, 1], SCORES),
    "a positive label": lambda text: pc.curve(["a", "b", "a", "b"], SCORES, positive=text),
    "labels": lambda text: pc.curve([text, "b"], [2, 1], positive="c"),
    "a policy": lambda text: pc.categorize(["a", "b"], [[1.0, 0], [0, 1.0]]).thresholds(text),
    "its number": lambda text: pc.categorize(["a", "b"], [[1.0, 0], [0, 1.0]]).thresholds(
        f"rcut:{text}"
    ),
    "a column": lambda text: pc.ScoredCases.scan(
        [{"y": [1, 0], "s": [2, 1]}], label=text, score="s"
    ),
    "columns": lambda text: pc.read_run({text: [1], text + "b": [2]}, columns={"topic": "x"}),
    "a format": lambda text: pc.read_run("x.run", format=text),
    "a condition": lambda text: pc.curve(LABELS, SCORES).at(**{text: 1}),
    "a test": lambda text: pc.compare.paired([0.1, 0.2], [0.2, 0.1], test=text),
    "a method": lambda text: pc.interval.proportion(3, 5, method=text),
    "a number": lambda text: pc.interval.proportion(10**4000, 5),
    "an ending": lambda text: pc.curve(LABELS, SCORES).save(f"{text}.doc"),
}


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("text", [LONG, WORDS], ids=["long", "words"])
def test_errors_of_functions(name: str, text: str) -> None:
    with pytest.raises((pc.PrecallError, OSError)) as caught:
        CALLS[name](text)
    assert (
        all(len(line) < MOST for line in str(caught.value).split("\n"))
        and len(str(caught.value)) < 2 * MOST
    )


def test_warnings_and_notes() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        report = pc.evaluate(
            {"q": {LONG: 1}}, {LONG: {"q": {WORDS: 1.0}}, "b": {"q": {"z": 2.0}}}, "AP"
        )
    texts = [str(one.message) for one in said] + list(report.notes())
    assert texts and all(len(text) < MOST for text in texts)


def test_of_tests_of_quality(tmp_path: Path) -> None:
    topics = [f"{i}{LONG}" for i in range(8)]
    qrels = {topic: {"a": 1} for topic in topics}
    good, bad = ({topic: {"a": 2.0, "b": other} for topic in topics} for other in (1.0, 3.0))
    path = tmp_path / "base.json"
    assert_not_worse(pc.evaluate(qrels, {LONG: good}, "AP"), path, update=True)
    with pytest.raises(AssertionError, match="AP of x+") as caught:
        assert_not_worse(pc.evaluate(qrels, {LONG: bad}, "AP"), path)
    assert max(map(len, str(caught.value).splitlines())) < MOST


OPTIONS = {
    "--level {}": "curve c.csv --label y --score s",
    "--at {}": "curve c.csv --label y --score s",
    "--score {}": "curve c.csv --label y",
    "--test {}": "compare q r r2",
    "--missed {}": "curve c.csv --label y --score s",
    "--format {}": "eval q r",
    "--columns {}": "eval q r",
    "-m {}": "eval q r",
    "--plugin {}": "eval q r",
    "--{}": "eval q r",
    "--memory {}": "eval q r",
    "-o {}": "eval q r",
    "-o {}.pdf": "eval q r",
    "--at at={}": "curve c.csv --label y --score s",
    "{}": "eval q",
    "--plot {}.svg": "curve c.csv --label y --score s",
    "--input-format {}": "eval q r",
}


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("option", OPTIONS)
def test_options(option: str, files: None, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (LONG, WORDS, "9" * 100_000):
        words = [word.replace("{}", text) for word in option.split()]
        assert run([*OPTIONS[option].split(), *words]) == 2
        said = capsys.readouterr().err
        assert said.startswith("precall: error: ") and len(said) < 2 * MOST, said[:300]


@pytest.mark.nightly
def test_commands_with_long_ids(tmp_path: Path) -> None:
    (tmp_path / "q").write_text(f"{LONG} 0 a 1\n", encoding="utf-8")
    (tmp_path / "r").write_text("q Q0 a 1 2 x\n", encoding="utf-8")
    (tmp_path / "twice").write_text(f"q Q0 {LONG} 1 2 x\n" * 2, encoding="utf-8")
    for line in (
        "eval q r",
        "eval q twice",
        "trec_eval q r",
        "trec_eval q twice",
        "trec_eval -c q r",
        f"trec_eval -m {LONG} q r",
    ):
        done = subprocess.run(
            [sys.executable, "-m", "precall", *line.split()],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert len(done.stderr) < 2 * MOST, (line[:60], len(done.stderr))


def test_the_time_does_not_grow_with_the_square() -> None:
    import time

    rng = np.random.default_rng(0)
    for text in ("'a " * 10**5, "\"' " * 10**5, "".join(rng.choice(list("'\"\\ ab"), 3 * 10**5))):
        begun = time.process_time()
        assert len(shorten_quotations(text)) < MOST
        assert time.process_time() - begun < 5


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("key", [LONG, tuple(range(50_000)), LONG.encode()])
def test_keys_that_no_result_has_are_cut(key: Any) -> None:
    topics = {f"q{i}": {"a": 1} for i in range(3)}
    report = pc.evaluate(topics, {"one": topics, "two": topics}, "MAP")
    compared = pc.compare(report)
    for ask in (
        lambda: report[key],
        lambda: report[key, "AP"],
        lambda: compared.pair(key, "two"),
        lambda: compared.pair("one", "two", key),
        lambda: compared.verdicts[key],
        lambda: pc.interval(report)[key],
    ):
        with pytest.raises(KeyError) as caught:
            ask()
        assert len(str(caught.value)) < 1000


def test_integers_that_python_does_not_write_are_refused_in_words() -> None:
    huge = 10**30_000
    with pytest.raises(UsageError, match="no label is <int>"):
        pc.curve([0, 1], [1, 2], positive=huge)
    with pytest.raises(UsageError, match="it is called rng here"):
        pc.compare.paired([1.0, 2.0], [2.0, 3.0], seed=huge)
